/** The options of `raycast`: which hits count, and from where. */
import { describe, expect, test } from 'vitest';
import { EVERY_SHAPE } from '../../tests/kit/every-shape.ts';
import { check, near, property } from '../../tests/kit/index.ts';
import { terrain, torus } from '../../tests/kit/meshes.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { compound } from '../shapes/compound.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { mesh } from '../shapes/mesh.ts';
import { sphere } from '../shapes/round-shapes.ts';
import { isConvexShape } from '../shapes/shape.ts';
import { rayMesh, rayMeshAll, rayMeshFront } from '../trimesh/ray.ts';
import { contains } from './contains.ts';
import { raycast } from './raycast.ts';

const CONVEX = Object.values(EVERY_SHAPE).filter(isConvexShape);

property('a mesh that is no solid is hit as rayMesh hits it, to the last bit', 400, (rng) => {
  const { positions, index } = rng.pick([() => torus(12, 8), () => terrain(rng, 8)])();
  const shape = mesh(positions, index);
  for (let i = 0; i < 10; i++) {
    const ray = { origin: rng.vec(2), direction: rng.direction() };
    const maxDistance = rng.pick([Infinity, 1]);
    const hit = raycast(ray, shape, { solid: false, maxDistance });
    const wanted = rayMesh(ray, shape, maxDistance);
    check((hit === null) === (wanted === null), 'hit');
    if (hit && wanted) {
      check(hit.t === wanted.t && hit.part.triangle === wanted.triangle, 't and triangle');
      expect(hit.normal).toEqual({ x: wanted.normal.x + 0, y: wanted.normal.y + 0, z: wanted.normal.z + 0 });
      near(v3.distance(hit.point, wanted.point), 0, 1e-15 * 8, 'point');
    }
    const front = raycast(ray, shape, { solid: false, side: 'front', maxDistance });
    check(front?.t === rayMeshFront(ray, shape, maxDistance)?.t, 'front');
    const all = raycast(ray, shape, { mode: 'all', solid: false, maxDistance });
    const every = rayMeshAll(ray, shape, maxDistance);
    expect(all.map(({ t, part }) => [t, part.triangle])).toEqual(every.map((h) => [h.t, h.triangle]));
    // What is not hit on its front is hit on its back.
    const fronts = raycast(ray, shape, { mode: 'all', solid: false, side: 'front', maxDistance });
    const backs = raycast(ray, shape, { mode: 'all', solid: false, side: 'back', maxDistance });
    check(fronts.length + backs.length === all.length, 'front and back make both');
    const back = raycast(ray, shape, { side: 'back', maxDistance });
    check((back?.t ?? Infinity) === (backs[0]?.t ?? Infinity), 'the first of the backs');
    for (const { normal } of all) check(v3.dot(normal, ray.direction) <= 0, 'normal looks along the ray');
    check(raycast(ray, shape, { mode: 'any', solid: false, maxDistance }) === all.length > 0, 'any');
  }
});

property('a solid is left where the ray comes out of it', 3000, (rng) => {
  const shape = rng.pick(CONVEX);
  const pose = { position: rng.vec(2), quaternion: rng.rotation() };
  const body = { shape, pose };
  const center = v3.add(v3.rotate(shape.core.center, pose.quaternion), pose.position);
  const d = v3.scale(rng.direction(), rng.pick([1, 0.3, 5]));
  const inside = { origin: center, direction: d };
  if (!(shape.core.inner > 0.01) || !contains(center, body)) return;
  const out = raycast(inside, body, { solid: false })!;
  const at = (t: number) => v3.addScaled(center, d, t);
  check(out.t > 0 && v3.dot(out.normal, d) <= 0, 'the normal looks back along the ray');
  check(contains(at(out.t * (1 - 1e-6)), body) && !contains(at(out.t * (1 + 1e-6)), body), 'on the surface');
  near(v3.distance(out.point, at(out.t)), 0, 1e-7, 'point');
  check(raycast(inside, body, { side: 'back' })!.t === out.t, 'back');
  check(raycast(inside, body, { solid: false, side: 'front' }) === null, 'nothing is entered');
  check(raycast(inside, body)!.t === 0, 'as a solid');
  check(raycast(inside, body, { solid: false, maxDistance: out.t * (1 - 1e-6) }) === null, 'maxDistance');
  // From outside: in and out.
  const far = v3.addScaled(center, d, -20 / v3.length(d));
  const through = { origin: far, direction: d };
  const both = raycast(through, body, { mode: 'all', solid: false });
  check(both.length === 2 && both[0]!.t < both[1]!.t, 'in and out');
  check(raycast(through, body)!.t === both[0]!.t, 'first');
  check(raycast(through, body, { side: 'back' })!.t === both[1]!.t, 'last');
  near((both[1]!.t - 20 / v3.length(d)) * v3.length(d), out.t * v3.length(d), 1e-6, 'out at the same place');
  check(raycast(through, body, { mode: 'all' }).length === 1, 'a solid is entered once');
});

describe('by hand', () => {
  const up = { origin: vec3(), direction: vec3(0, 1, 0) };

  test('half-spaces', () => {
    const ground = halfSpace(vec3(0, 1, 0), 2);
    expect(raycast(up, ground)!.t).toBe(0);
    expect(raycast(up, ground, { solid: false })).toMatchObject({ t: 2, normal: vec3(0, -1, 0) });
    expect(raycast(up, ground, { side: 'back' })!.t).toBe(2);
    expect(raycast(up, ground, { solid: false, side: 'front' })).toBeNull();
    const down = { origin: vec3(0, 5, 0), direction: vec3(0, -1, 0) };
    expect(raycast(down, ground, { side: 'back' })).toBeNull();
    expect(raycast(down, ground, { mode: 'all' }).map(({ t }) => t)).toEqual([3]);
  });

  test('all hits of a compound, in order, with their children', () => {
    const at = (y: number) => ({ position: vec3(0, y, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } });
    const tower = compound([
      { shape: sphere(1), pose: at(6) },
      { shape: box(1, 1, 1), pose: at(3) },
      { shape: sphere(0.5), pose: at(10) },
    ]);
    const list = raycast(up, tower, { mode: 'all' });
    expect(list.map(({ t, part }) => [t, part.child])).toEqual([
      [2, 1],
      [5, 0],
      [9.5, 2],
    ]);
    expect(list.map(({ point }) => point.y)).toEqual([2, 5, 9.5]);
    for (const { normal } of list) expect(normal).toEqual(vec3(0, -1, 0));
    const surfaces = raycast(up, tower, { mode: 'all', solid: false, maxDistance: 8 });
    expect(surfaces.map(({ t }) => t)).toEqual([2, 4, 5, 7]);
    // The records of a list that is given are used again.
    const [first] = list;
    expect(raycast(up, tower, { mode: 'all', maxDistance: 4, out: list })).toBe(list);
    expect(list).toEqual([first]);
  });

  test('a closed mesh: as a solid, as a surface', () => {
    const cube = mesh(
      [-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1],
      [
        0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1,
        6, 5,
      ],
    );
    const ray = { origin: vec3(0.1, 0, 0.2), direction: vec3(0, 2, 0) };
    expect(raycast(ray, cube)).toMatchObject({ t: 0, part: { triangle: -1 } });
    expect(raycast(ray, cube, { solid: false })).toMatchObject({ t: 0.5, normal: vec3(0, -1, 0) });
    expect(raycast(ray, cube, { side: 'front', solid: false })).toBeNull();
    expect(raycast(ray, cube, { mode: 'all' }).map(({ t }) => t)).toEqual([0, 0.5]);
  });

  test('what is not an option is refused by name', () => {
    const ask = (options: object) => () => raycast(up, sphere(1), options as never);
    expect(ask({ mode: 'last' })).toThrow(
      "graze: raycast: options.mode must be one of 'first', 'any', 'all', got the string 'last'",
    );
    expect(ask({ side: 'top' })).toThrow(
      "options.side must be one of 'both', 'front', 'back', got the string 'top'",
    );
    expect(ask({ solid: 1 })).toThrow('options.solid');
    expect(ask({ maxDistance: -1 })).toThrow('options.maxDistance');
    expect(ask({ mode: 'all', out: {} })).toThrow('options.out');
    expect(ask({ maxdistance: 1 })).toThrow('maxDistance');
  });
});

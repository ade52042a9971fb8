import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh, inverted, torus } from '../../tests/kit/meshes.ts';
import { voxels } from '../../tests/kit/voxels.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { cast, contains, distance, intersects, raycast } from '../query/index.ts';
import { refitMesh } from '../trimesh/mesh.ts';
import { bsp } from './bsp.ts';
import { collider } from './collider.ts';
import { box, point } from './flat-sided-shapes.ts';
import { massOf } from './mass.ts';
import { mesh } from './mesh.ts';
import { sphere } from './round-shapes.ts';

const caves = voxels(new Rng(5), 5, 0.4);
const SOLIDS = { caves, torus: torus(12, 7), insideOut: inverted(boxMesh()) };

for (const [name, { positions, index }] of Object.entries(SOLIDS)) {
  const plain = mesh(positions, index);
  const solid = bsp(mesh(positions, index));

  describe(`${name}: the tree changes no answer`, () => {
    const place = (rng: Rng) => {
      const p = v3.add(rng.vec(4), name === 'caves' ? vec3(2.5, 2.5, 2.5) : vec3());
      return rng.chance(0.3) ? vec3(Math.round(p.x), Math.round(p.y), Math.round(p.z)) : p;
    };

    property('contains and raycast, to the last bit', 4000, (rng) => {
      const p = place(rng);
      check(contains(p, solid) === contains(p, plain), 'contains');
      const direction = rng.chance(0.5) ? v3.sub(place(rng), p) : rng.direction();
      const options = { maxDistance: rng.pick([Number.POSITIVE_INFINITY, 1]), solid: rng.chance(0.9) };
      const wanted = raycast({ origin: p, direction }, plain, options);
      const hit = raycast({ origin: p, direction }, solid, options);
      check(JSON.stringify(hit) === JSON.stringify(wanted), () => JSON.stringify([hit, wanted]));
      const any = raycast({ origin: p, direction }, solid, { ...options, mode: 'any' });
      check(any === (wanted !== null), 'any');
    });

    property('casts and overlaps of boxes, spheres and points, rotated and not', 1200, (rng) => {
      const shape = rng.pick([box(0.3, 0.4, 0.2), box(0.2, 0.1, 0.5, 0.1), sphere(0.4), point()]);
      const quaternion = rng.chance(0.5) ? { x: 0, y: 0, z: 0, w: 1 } : rng.rotation();
      const mover = collider(shape, { position: place(rng), quaternion });
      const motion = { translation: rng.vec(3) };
      check(intersects(mover, solid) === intersects(mover, plain), 'intersects');
      const [hit, wanted] = [cast(mover, motion, solid), cast(mover, motion, plain)];
      check(JSON.stringify(hit) === JSON.stringify(wanted), () => JSON.stringify([hit, wanted]));
      const [to, from] = [cast(solid, motion, mover), cast(plain, motion, mover)];
      check(JSON.stringify(to) === JSON.stringify(from), 'the solid moves');
    });
  });
}

test('everything else that can be asked of a mesh can be asked of it', () => {
  const { positions, index } = boxMesh();
  const solid = bsp(mesh(positions, index));
  expect(
    distance(collider(sphere(1), { position: vec3(4), quaternion: { x: 0, y: 0, z: 0, w: 1 } }), solid)!
      .separation,
  ).toBe(2);
  expect(massOf(solid).volume).toBeCloseTo(8, 12);
  expect(solid.bsp.leafKinds).toContain(1);
  const moved = refitMesh(
    solid,
    positions.map((c) => 2 * c),
    index,
  ); // has no tree, and still answers
  expect(contains(vec3(1.5), moved)).toBe(true);
});

test('from brushes; what is open is refused', () => {
  const planes = [vec3(1), vec3(-1), vec3(0, 1), vec3(0, -1), vec3(0, 0, 1), vec3(0, 0, -1)];
  const cube = planes.map((normal) => ({ normal, d: 1 }));
  expect(contains(vec3(0.5, 0.5, 0.5), bsp([cube]))).toBe(true);
  expect(raycast({ origin: vec3(5), direction: vec3(-1) }, bsp([cube]))?.t).toBe(4);
  const { positions, index } = boxMesh();
  expect(() => bsp(mesh(positions, index.slice(3)))).toThrow(/bsp: mesh must be closed/);
  expect(() => bsp(3 as never)).toThrow(TypeError);
});

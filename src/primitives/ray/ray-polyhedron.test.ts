import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { Plane, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { Polyhedron } from '../../polytope/types.ts';
import type { Ray } from '../types.ts';
import { lineAabb, rayAabb, segmentAabb } from './ray-aabb.ts';
import { linePolyhedron, makePolyhedronSpan, rayPolyhedron, segmentPolyhedron } from './ray-polyhedron.ts';

/** Planes are all that is looked at. */
const solid = (planes: Plane[]): Polyhedron => ({ vertices: [], faces: [], planes });
const slab = (normal: Vec3, d: number): Plane => ({ normal, d });
const cubeOf = (h: number) =>
  solid([
    slab(vec3(1, 0, 0), h),
    slab(vec3(-1, 0, 0), h),
    slab(vec3(0, 1, 0), h),
    slab(vec3(0, -1, 0), h),
    slab(vec3(0, 0, 1), h),
    slab(vec3(0, 0, -1), h),
  ]);
const boxOf = (h: number) => ({ min: vec3(-h, -h, -h), max: vec3(h, h, h) });

function makeRay(rng: Rng): Ray {
  const lattice = rng.chance(0.5);
  const point = () => (lattice ? vec3(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3)) : rng.vec(3));
  return { origin: point(), direction: point() };
}

property('[R5.3.8] a cube is its slabs: line, ray and segment, with the face', 20_000, (rng) => {
  const ray = makeRay(rng);
  const h = rng.pick([1, 2, 0.5]);
  const [cube, box] = [cubeOf(h), boxOf(h)];
  const [span, same] = [linePolyhedron(ray, cube), lineAabb(ray, box)];
  check(span?.enter === same?.enter && span?.exit === same?.exit, 'span');
  const [hit, hitBox] = [rayPolyhedron(ray, cube), rayAabb(ray, box)];
  check(hit?.t === hitBox?.t, 't');
  if (hit && hit.t > 0) {
    const { normal } = cube.planes[hit.face]!;
    check(
      normal.x === hit.normal.x && normal.y === hit.normal.y && normal.z === hit.normal.z,
      'normal of the face',
    );
    near(normal.x * hit.point.x + normal.y * hit.point.y + normal.z * hit.point.z, h, 1e-14, 'on the face');
  } else if (hit) check(hit.face === -1, 'no face for a start inside');
  const q = vec3(
    ray.origin.x + ray.direction.x,
    ray.origin.y + ray.direction.y,
    ray.origin.z + ray.direction.z,
  );
  const [piece, pieceBox] = [segmentPolyhedron(ray.origin, q, cube), segmentAabb(ray.origin, q, box)];
  if (pieceBox?.t !== 1) check(piece?.t === pieceBox?.t, 'segment');
});

property('[R5.3.8] random planes: inside between enter and exit, outside beyond', 20_000, (rng) => {
  const planes = Array.from({ length: rng.int(4, 20) }, () => slab(rng.direction(), rng.range(0.2, 1)));
  const body = solid([...planes, ...cubeOf(2).planes]);
  const ray = makeRay(rng);
  const { origin: o, direction: d } = ray;
  const depth = (t: number) =>
    Math.max(
      ...body.planes.map(
        ({ normal: n, d: e }) => n.x * (o.x + t * d.x) + n.y * (o.y + t * d.y) + n.z * (o.z + t * d.z) - e,
      ),
    );
  const span = linePolyhedron(ray, body, makePolyhedronSpan());
  if (Math.hypot(d.x, d.y, d.z) === 0) return check((span !== null) === depth(0) <= 0, 'a point');
  if (!span) {
    for (let i = 0; i < 50; i++) check(depth(rng.range(-10, 10)) > -1e-12, 'a miss of what is hit');
    return;
  }
  const { enter, exit, enterFace, exitFace } = span;
  near(depth(enter), 0, 1e-13 * (1 + Math.abs(enter)), 'enter is on the surface');
  near(depth(exit), 0, 1e-13 * (1 + Math.abs(exit)), 'exit is on the surface');
  check(depth(0.5 * (enter + exit)) <= 1e-13, 'inside in between');
  const slope = (face: number) => {
    const n = body.planes[face]!.normal;
    return n.x * d.x + n.y * d.y + n.z * d.z;
  };
  check(slope(enterFace) < 0 && slope(exitFace) > 0, 'faces it goes into and out of');
});

test('[R5.3.8] between parallel planes is kept, beyond them a miss', () => {
  const cube = cubeOf(1);
  const axis = { origin: vec3(-3, 0, 0), direction: vec3(1, 0, 0) };
  expect(linePolyhedron(axis, cube)).toEqual({ enter: 2, exit: 4, enterFace: 1, exitFace: 0 });
  expect(linePolyhedron({ ...axis, origin: vec3(-3, 1, 1) }, cube)).not.toBeNull(); // along an edge
  expect(linePolyhedron({ ...axis, origin: vec3(-3, 1.001, 0) }, cube)).toBeNull();
  expect(segmentPolyhedron(vec3(-3, 0, 0), vec3(-1, 0, 0), cube)!.t).toBe(1);
  expect(segmentPolyhedron(vec3(-3, 0, 0), vec3(-1.5, 0, 0), cube)).toBeNull();
  expect(rayPolyhedron({ origin: vec3(3, 0, 0), direction: vec3(1, 0, 0) }, cube)).toBeNull();
  expect(rayPolyhedron({ origin: vec3(), direction: vec3() }, cube)!.normal).toEqual(vec3());
});

test('planes that contradict each other hold nothing; a half-space has no far end', () => {
  const axis = { origin: vec3(-3, 0, 0), direction: vec3(1, 0, 0) };
  expect(linePolyhedron(axis, solid([slab(vec3(1, 0, 0), -1), slab(vec3(-1, 0, 0), -1)]))).toBeNull();
  const half = linePolyhedron(axis, solid([slab(vec3(-1, 0, 0), 0)]));
  expect(half).toEqual({ enter: 3, exit: Infinity, enterFace: 0, exitFace: -1 });
});

test('bad numbers and no planes at all are refused by name', () => {
  const axis = { origin: vec3(-3, 0, 0), direction: vec3(1, 0, 0) };
  expect(() => rayPolyhedron(axis, solid([]))).toThrow(/polyhedron/);
  expect(() => rayPolyhedron(axis, solid([slab(vec3(1, Number.NaN, 0), 1)]))).toThrow(
    /polyhedron\.planes\[0\]/,
  );
});

/** Capsules on their way to a mesh, against the closed form on every triangle of it. */
import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import { cornersOf, soup, type TriangleArrays, terrain, torus } from '../../tests/kit/meshes.ts';
import { transformPoint } from '../math/pose.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { sweepCapsuleTriangle } from '../primitives/sweep/capsule.ts';
import type { ReadonlyCapsule } from '../primitives/types.ts';
import { mesh } from '../shapes/mesh.ts';
import { capsule } from '../shapes/round-shapes.ts';
import { cast } from './cast.ts';

/** Open, so that nothing is inside. */
function surface(rng: Rng): TriangleArrays {
  const { positions, index } = rng.pick([
    () => terrain(rng, rng.int(3, 12)),
    () => soup(rng, rng.int(1, 60)),
    () => torus(rng.int(5, 20), rng.int(4, 12)),
  ])();
  return { positions, index: index.slice(3) };
}

/** When the capsule, grown by so much, touches the first triangle. */
function first(arrays: TriangleArrays, mover: ReadonlyCapsule, motion: ReadonlyVec3, grown: number): number {
  const grownBy = { ...mover, radius: Math.max(0, mover.radius + grown) };
  let t = 2;
  for (let i = 0; i < arrays.index.length / 3; i++)
    t = Math.min(t, sweepCapsuleTriangle(grownBy, motion, ...cornersOf(arrays, i))?.t ?? 2);
  return t;
}

property('touches a mesh when it touches the first of its triangles', 1500, (rng) => {
  const arrays = surface(rng);
  if (arrays.index.length === 0) return;
  const shape = mesh(arrays.positions, arrays.index, { leafSize: rng.int(1, 10) });
  const { min, max } = shape.bounds;
  const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
  for (let i = 0; i < 8; i++) {
    const radius = size * rng.pick([0, 0.003, 0.03, 0.3]);
    const half = size * rng.pick([0, 0.01, 0.1, 1]) * rng.range(0.5, 1);
    const quaternion = rng.pick([() => ({ x: 0, y: 0, z: 0, w: 1 }), () => rng.rotation()])();
    const [start, to] = [
      rng.pick(cornersOf(arrays, 0)),
      rng.pick(cornersOf(arrays, arrays.index.length / 3 - 1)),
    ];
    const off = rng.vec(size * rng.pick([0.1, 1, 2]));
    const position = { x: start.x + off.x, y: start.y + off.y, z: start.z + off.z };
    // Anywhere, past a corner, along an axis, nowhere.
    const motion = rng.pick([
      () => rng.vec(3 * size),
      () => ({ x: 2 * (to.x - position.x), y: 2 * (to.y - position.y), z: 2 * (to.z - position.z) }),
      () => ({ x: 0, y: rng.pick([-2, 2]) * size, z: 0 }),
      () => ({ x: 0, y: 0, z: 0 }),
    ])();
    const pose = { position, quaternion };
    const mover = {
      a: transformPoint(pose, { x: 0, y: -half, z: 0 }),
      b: transformPoint(pose, { x: 0, y: half, z: 0 }),
      radius,
    };
    const t = cast({ shape: capsule(half, radius), pose }, { translation: motion }, shape)?.t ?? 2;
    // Rounding, of all lengths: where it comes in touch at a graze, that decides whether and when.
    const room = 1e-13 * (10 * size + Math.abs(position.x) + Math.abs(position.y) + Math.abs(position.z));
    const early = first(arrays, mover, motion, room);
    const late = first(arrays, mover, motion, -room);
    check(t >= early - 1e-13, () => `early: ${t}, not ${early} to ${late}`);
    // One without width goes through the seams of triangles, and whether it touches is rounding's to say.
    if (radius > 0) check(t <= late + 1e-13, () => `late: ${t}, not ${early} to ${late}`);
  }
});

test('a contact at the very end of the motion counts', () => {
  const floor = mesh([-9, 0, -9, 9, 0, -9, 0, 0, 9], [0, 2, 1]);
  const pose = { position: { x: 0, y: 3, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  const falls = (by: number) =>
    cast({ shape: capsule(1, 1), pose }, { translation: { x: 0, y: -by, z: 0 } }, floor);
  expect(falls(1)?.t).toBeCloseTo(1, 12);
  expect(falls(1 - 1e-12)).toBe(null);
});

/** The stacks of walks grow when they have to, or have room for the deepest tree, and lose nothing. */
import { expect, test } from 'vitest';
import { torus } from '../../tests/kit/solids.ts';
import { vec3 } from '../math/types.ts';
import { box, type CompoundPart, collider, compound, type SimpleShape, sphere } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { halveDepth } from '../trees/ranges.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { visitNear, visitSwept } from '../trimesh/visit-triangles.ts';
import { closestPoint } from './closest-point.ts';
import { raycast } from './raycast.ts';

const around = { min: vec3(-9, -9, -9), max: vec3(9, 9, 9) };
const motion = vec3(1, 2, 3);
const WALKS: Record<string, (shape: Mesh, visit: (place: number) => void) => void> = {
  visitNear: (shape, visit) => visitNear(shape, around, { bound: 1, visit }),
  visitSwept: (shape, visit) => visitSwept(shape, around, motion, { bound: 1, visit }),
};

test.each(Object.entries(WALKS))('%s: walks within walks, thirty deep, all see every triangle', (_, walk) => {
  const { positions, index } = torus();
  const shape = mesh(positions, index);
  const all = Array.from({ length: shape.triangleCount }, (_, i) => i);
  const plain: number[] = [];
  walk(shape, (place) => plain.push(place));
  expect([...plain].sort((a, b) => a - b)).toEqual(all);
  const seen: number[][] = [];
  const dive = (level: number): void => {
    const places: number[] = [];
    seen[level] = places;
    walk(shape, (place) => {
      places.push(place);
      // In the middle of the walk, while nodes wait on the stack.
      if (places.length === 20 && level < 30) dive(level + 1);
    });
  };
  dive(0);
  expect(seen).toHaveLength(31);
  for (const places of seen) expect(places).toEqual(plain);
});

test('compounds whose tree is a chain: rays and closest points as for the parts one by one', () => {
  // Balls each 1.1 times as large as the one before and as far away, and a wall behind them.
  const still = { x: 0, y: 0, z: 0, w: 1 };
  const parts: CompoundPart[] = Array.from({ length: 250 }, (_, i) => ({
    shape: sphere(1.1 ** i),
    pose: { position: vec3(10 * 1.1 ** i, 0, 0), quaternion: still },
  }));
  const last = 1.1 ** 249;
  parts.push({
    shape: box(last, 30 * last, 30 * last),
    pose: { position: vec3(40 * last, 0, 0), quaternion: still },
  });
  const shape = compound(parts);
  /** Rounding at the size of the whole. */
  const room = 1e-14 * 100 * last;
  // A node waits on every level. The tree is as deep as any of that many parts, which the logarithm of their number bounds.
  expect(depthOf(shape.tree.skip)).toBeGreaterThan(20);
  expect(depthOf(shape.tree.skip)).toBeLessThanOrEqual(halveDepth(parts.length) + 8);
  expect(halveDepth(0xffffffff) + 32).toBeLessThan(128);
  const whole = collider(shape);
  const single = parts.map((part) => collider(part.shape as SimpleShape, part.pose));
  // The second passes through the corners of all boxes and misses all balls.
  for (const direction of [vec3(1, 0, 0), vec3(1, 0.095, 0.095), vec3(1, 0.05, 0), vec3(1, 1, 0)]) {
    for (const origin of [vec3(0, 0, 0), vec3(0, 3, -2), vec3(1e6, 0, 1e5)]) {
      const times = single.flatMap((part) => raycast({ origin, direction }, part)?.t ?? []);
      const hit = raycast({ origin, direction }, whole);
      const t = Math.min(...times);
      if (t === Infinity) expect(hit).toBeNull();
      else expect(Math.abs(hit!.t - t)).toBeLessThanOrEqual(room);
      expect(raycast({ origin, direction }, whole, { mode: 'any' })).toBe(hit !== null);
    }
  }
  expect(raycast({ origin: vec3(), direction: vec3(1, 0.095, 0.095) }, whole)?.part.child).toBe(250);
  for (const p of [vec3(), vec3(0, 40, 3), vec3(1e3 * last, 1, 2), vec3(1e9, -1e8, 7)]) {
    const distances = single.map((part) => closestPoint(p, part).distance);
    expect(Math.abs(closestPoint(p, whole).distance - Math.min(...distances))).toBeLessThanOrEqual(room);
  }
});

/** The most steps from the root to a leaf. */
function depthOf(skip: Uint32Array): number {
  const depth = new Uint32Array(skip.length);
  let most = 0;
  for (let node = 0; node < skip.length; node++)
    for (let child = node + 1; child < skip[node]!; child = skip[child]!) {
      depth[child] = depth[node]! + 1;
      most = Math.max(most, depth[child]!);
    }
  return most;
}

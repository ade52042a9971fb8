import { expect, test } from 'vitest';
import { check, cloud, exact, near, property } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { fitAabb, overlapAabbAabb } from './aabb.ts';
import {
  containsPointKdop,
  fitKdop,
  type KdopSides,
  kdopAxes,
  makeKdop,
  mergeKdop,
  overlapKdopKdop,
  rayKdop,
  translateKdop,
} from './kdop.ts';
import { fitSlabs } from './slab.ts';

const { q, qv, cmp, vadd, vdot, vscale } = exact;
const SIDES: KdopSides[] = [6, 8, 12, 14, 18, 20, 26];

test('[R4.6.2-3] the axes: as many as half the sides, distinct, of -1, 0 and 1', () => {
  for (const sides of SIDES) {
    const axes = kdopAxes(sides);
    expect(axes).toHaveLength(sides / 2);
    const lines = axes.map(({ x, y, z }) => [x, y, z].map((c) => c * (x || y || z)).join());
    expect(new Set(lines).size).toBe(sides / 2);
    for (const { x, y, z } of axes) for (const c of [x, y, z]) expect([-1, 0, 1]).toContain(c);
  }
  expect(() => kdopAxes(10 as KdopSides)).toThrow(/sides must be 6, 8, 12, 14, 18, 20 or 26, got 10/);
});

test('[R4.6.2-3] each axis is as perpendicular to the one before as any that is left', () => {
  const slope = (a: Readonly<Vec3>, b: Readonly<Vec3>) =>
    Math.abs(v3.dot(a, b)) / (v3.length(a) * v3.length(b));
  for (const sides of SIDES) {
    const axes = kdopAxes(sides);
    for (let i = 1; i < axes.length; i++)
      for (let j = i + 1; j < axes.length; j++)
        expect(slope(axes[i]!, axes[i - 1]!)).toBeLessThanOrEqual(slope(axes[j]!, axes[i - 1]!) + 1e-15);
  }
});

test('[R4.6.2-3] three points on four axes', () => {
  const points = [vec3(3, 1), vec3(5, 4), vec3(1, 5)];
  const normals = [vec3(1), vec3(0, 1), vec3(1, 1), vec3(1, -1), vec3(0, 0, 1)];
  const { min, max } = fitSlabs(points, normals);
  expect(min).toEqual([1, 1, 4, -4, 0]);
  expect(max).toEqual([5, 5, 9, 2, 0]);
  const kdop = fitKdop(points, 18);
  for (const [k, n] of normals.entries()) {
    const i = kdopAxes(18).findIndex((a) => v3.equals(a, n));
    expect([kdop.min[i], kdop.max[i]]).toEqual([min[k], max[k]]);
  }
});

property('[R4.6.2-3] a fit is tight on every slab, whatever the order of the points', 10_000, (rng) => {
  const { points, scale } = cloud(rng, rng.int(1, 9));
  const sides = rng.pick(SIDES);
  const kdop = fitKdop(points, sides);
  for (const [i, n] of kdopAxes(sides).entries()) {
    const heights = points.map((p) => vdot(qv(n), qv(p))).sort((a, b) => cmp(a, b));
    check(cmp(q(kdop.min[i]!), heights[0]!) <= 0 && cmp(heights.at(-1)!, q(kdop.max[i]!)) <= 0, 'holds');
    near(kdop.min[i]!, exact.toNumber(heights[0]!), 2e-15 * scale, 'min');
    near(kdop.max[i]!, exact.toNumber(heights.at(-1)!), 2e-15 * scale, 'max');
  }
  const again = fitKdop(rng.shuffle([...points]), sides);
  check(JSON.stringify(again) === JSON.stringify(kdop), 'depends on the order');
});

property('[R4.6.2-3] overlap never misses a common point; separate along an axis is a no', 10_000, (rng) => {
  const { points, scale } = cloud(rng, 8);
  const sides = rng.pick(SIDES);
  const [these, those] = [points.slice(0, 4), points.slice(4)];
  const [a, b] = [fitKdop(these, sides), fitKdop(those, sides)];
  const answer = overlapKdopKdop(a, b);
  check(answer === overlapKdopKdop(b, a), 'symmetric');
  // A common point of the hulls: on a segment between two points of each, if one can be found.
  const mid = v3.lerp(rng.pick(these), rng.pick(these), rng.pick([0, 0.5, rng.unit()]));
  if (containsExactly(a, mid) && containsExactly(b, mid)) check(answer, 'they share a point');
  const apart = kdopAxes(sides).some((n) => {
    const [s, t] = [these, those].map((set) => set.map((p) => vdot(qv(n), qv(p))).sort(cmp));
    // A fit is off by a few last digits at most.
    return exact.toNumber(exact.sub(t![0]!, s!.at(-1)!)) > 1e-14 * scale;
  });
  if (apart) check(!answer, 'apart along an axis');
  if (sides === 6) check(answer === overlapAabbAabb(fitAabb(these), fitAabb(those)), 'as boxes');
});

function containsExactly({ sides, min, max }: ReturnType<typeof makeKdop>, p: Vec3): boolean {
  return kdopAxes(sides).every((n, i) => {
    const h = vdot(qv(n), qv(p));
    return cmp(q(min[i]!), h) <= 0 && cmp(h, q(max[i]!)) <= 0;
  });
}

property('[R4.6.2-3] a point inside is contained, one clearly outside is not', 10_000, (rng) => {
  const { points, scale } = cloud(rng, 6);
  const sides = rng.pick(SIDES);
  const kdop = fitKdop(points.slice(0, 4), sides);
  const p = rng.chance(0.5) ? points[5]! : v3.lerp(points[0]!, points[1]!, rng.unit());
  const answer = containsPointKdop(p, kdop);
  if (containsExactly(kdop, p)) check(answer, 'inside');
  const off = Math.max(
    ...kdopAxes(sides).map((n, i) => Math.max(kdop.min[i]! - v3.dot(n, p), v3.dot(n, p) - kdop.max[i]!)),
  );
  if (off > 1e-14 * scale) check(!answer, 'outside');
});

property('[R4.6.2-3] a ray through the k-DOP hits it, one that stays outside does not', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 6);
  const sides = rng.pick(SIDES);
  const kdop = fitKdop(points.slice(0, 4), sides);
  const origin = points[4]!;
  const direction = v3.sub(
    rng.chance(0.5) ? rng.pick(points) : v3.lerp(points[0]!, points[1]!, rng.unit()),
    origin,
  );
  const answer = rayKdop({ origin, direction }, kdop);
  const t = rng.pick([0, 1, 0.5, rng.range(0, 2)]);
  const at = vadd(qv(origin), vscale(qv(direction), q(t)));
  const inside = kdopAxes(sides).every((n, i) => {
    const h = vdot(qv(n), at);
    return cmp(q(kdop.min[i]!), h) <= 0 && cmp(h, q(kdop.max[i]!)) <= 0;
  });
  if (inside) check(answer && rayKdop({ origin, direction }, kdop, t), 'missed');
  // All of a ray before tMax is outside of one slab.
  const tMax = rng.range(0, 2);
  const clear = kdopAxes(sides).some((n, i) => {
    const [s, e] = [v3.dot(n, origin), v3.dot(n, v3.addScaled(origin, direction, tMax))];
    const room = 1e-12 * size + 1e-13 * scale;
    return Math.min(s, e) > kdop.max[i]! + room || Math.max(s, e) < kdop.min[i]! - room;
  });
  if (clear) check(!rayKdop({ origin, direction }, kdop, tMax), 'hit from afar');
});

property('[R6.5.1-4] the merged k-DOP is the fit of all points', 10_000, (rng) => {
  const { points } = cloud(rng, 7);
  const sides = rng.pick(SIDES);
  const [a, b] = [fitKdop(points.slice(0, 3), sides), fitKdop(points.slice(3), sides)];
  const all = fitKdop(points, sides);
  const both = mergeKdop(a, b);
  check(JSON.stringify(both) === JSON.stringify(all), 'merged');
  check(JSON.stringify(mergeKdop(a, b, a)) === JSON.stringify(all), 'in place');
});

property('[R4.6.4] a moved k-DOP holds the moved points and is tight', 10_000, (rng) => {
  const { points, scale } = cloud(rng, 4);
  const sides = rng.pick(SIDES);
  const v = rng.pick([rng.vec(1), rng.vec(1e6), v3.negate(points[0]!)]);
  const kdop = fitKdop(points, sides);
  const moved = translateKdop(kdop, v);
  const reach = scale + Math.abs(v.x) + Math.abs(v.y) + Math.abs(v.z);
  for (const [i, n] of kdopAxes(sides).entries()) {
    for (const p of points) {
      const h = vdot(qv(n), vadd(qv(p), qv(v)));
      check(cmp(q(moved.min[i]!), h) <= 0 && cmp(h, q(moved.max[i]!)) <= 0, 'leaves a point out');
    }
    near(moved.max[i]! - moved.min[i]!, kdop.max[i]! - kdop.min[i]!, 4e-15 * reach, 'tight');
  }
  check(JSON.stringify(translateKdop(kdop, v, kdop)) === JSON.stringify(moved), 'in place');
});

test('[R4.6.4] a single point has min = max; points in falling order set the max', () => {
  for (const sides of SIDES) {
    const dot = fitKdop([vec3(1, 2, 3)], sides);
    expect(dot.min).toEqual(dot.max);
    const falling = [vec3(3, 3, 3), vec3(2, 2, 2), vec3(1, 1, 1)];
    expect(fitKdop(falling, sides)).toEqual(fitKdop(falling.reverse(), sides));
  }
  const { min, max } = fitKdop([vec3(3, 3, 3), vec3(2, 2, 2), vec3(1, 1, 1)], 8);
  const diagonal = kdopAxes(8).findIndex((n) => n.x === 1 && n.y === 1 && n.z === 1);
  expect([min[diagonal], max[diagonal]]).toEqual([3, 9]);
});

test('what does not fit together is refused by name', () => {
  const [a, b] = [fitKdop([vec3(), vec3(1, 1, 1)], 6), fitKdop([vec3()], 8)];
  expect(() => overlapKdopKdop(a, b)).toThrow(/b must have as many sides as a/);
  expect(() => mergeKdop(a, b)).toThrow(/b must have as many sides/);
  expect(() => mergeKdop(a, a, makeKdop(8))).toThrow(/out must have 6 sides, has 8/);
  expect(() => translateKdop(b, vec3(), makeKdop(6))).toThrow(/out/);
  expect(() => fitKdop([vec3()], 6, makeKdop(8))).toThrow(/out/);
  expect(() => containsPointKdop(vec3(), { ...a, min: [2, 0, 0] })).toThrow(/kdop must have min <= max/);
  expect(() => containsPointKdop(vec3(), { ...a, min: [0, 0] })).toThrow(/kdop must have one min/);
  expect(() => rayKdop({ origin: vec3(), direction: vec3() }, { ...a, sides: 7 as KdopSides })).toThrow(
    /sides/,
  );
  expect(() => fitKdop([], 6)).toThrow(/points/);
});

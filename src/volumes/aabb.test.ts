import { expect, test } from 'vitest';
import { check, cloud, exact, property, type Rng } from '../../tests/kit/index.ts';
import { nextDown, nextUp } from '../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import type { Aabb } from '../primitives/types.ts';
import {
  type Axis,
  aabbsOverlap,
  areaAabb,
  containsAabbAabb,
  containsPointAabb,
  expandAabb,
  fitAabb,
  growAabb,
  intersectAabb,
  mergeAabb,
  overlapAabbAabb,
  sideAabbPlane,
  sweptAabb,
  translateAabb,
  volumeAabb,
} from './aabb.ts';

const { q, add, mul, sub, cmp } = exact;
const AXES = ['x', 'y', 'z'] as const;

/** The box with p and q at opposite corners. */
const spanning = (p: ReadonlyVec3, r: ReadonlyVec3): Aabb => ({
  min: { x: Math.min(p.x, r.x), y: Math.min(p.y, r.y), z: Math.min(p.z, r.z) },
  max: { x: Math.max(p.x, r.x), y: Math.max(p.y, r.y), z: Math.max(p.z, r.z) },
});

/** A few boxes of one regime; on the lattice they touch, coincide and are flat all the time. */
function boxes(rng: Rng, count: number): Aabb[] {
  const { points } = cloud(rng, 2 * count);
  return Array.from({ length: count }, (_, i) => spanning(points[2 * i]!, points[2 * i + 1]!));
}

const corners = ({ min, max }: Aabb): Vec3[] =>
  Array.from({ length: 8 }, (_, i) => ({
    x: i & 1 ? max.x : min.x,
    y: i & 2 ? max.y : min.y,
    z: i & 4 ? max.z : min.z,
  }));

property(
  '[R4.2.1] boxes overlap where their intervals do, whichever is first and whichever axis last',
  20_000,
  (rng) => {
    const [a, b] = boxes(rng, 2) as [Aabb, Aabb];
    if (rng.chance(0.2)) {
      // Bring a face of b to a face of a: touching, or apart by the smallest step there is.
      const axis = rng.pick(AXES);
      const width = b.max[axis] - b.min[axis];
      b.min[axis] = rng.chance(0.5) ? a.max[axis] : nextUp(a.max[axis]);
      b.max[axis] = b.min[axis] + width;
    }
    const wanted = AXES.every(
      (axis) => Math.max(a.min[axis], b.min[axis]) <= Math.min(a.max[axis], b.max[axis]),
    );
    for (const last of AXES) {
      check(overlapAabbAabb(a, b, last) === wanted, () => `a b ${last}: not ${wanted}`);
      check(overlapAabbAabb(b, a, last) === wanted, () => `b a ${last}: not ${wanted}`);
    }
  },
);

test('[R4.2.1] the axis named last is read last, and not at all when another separates', () => {
  const order: Axis[] = [];
  const spy = (x: number, y: number, z: number): Vec3 =>
    new Proxy(
      { x, y, z },
      {
        get: (p, axis: Axis) => {
          order.push(axis);
          return p[axis];
        },
      },
    );
  const a = { min: spy(0, 0, 0), max: spy(1, 1, 1) };
  const unit = { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } };
  for (const last of AXES) {
    order.length = 0;
    expect(aabbsOverlap(a, unit, last)).toBe(true);
    expect(order.indexOf(last)).toBe(order.lastIndexOf(last) - 1);
    expect(order.lastIndexOf(last)).toBe(order.length - 1);
  }
  order.length = 0;
  expect(aabbsOverlap(a, { min: { x: 2, y: 0, z: 0 }, max: { x: 3, y: 1, z: 1 } })).toBe(false);
  expect(order).not.toContain('y');
});

property(
  'a point is in a box when it is in its three intervals, and a box when its corners are',
  10_000,
  (rng) => {
    const [a, b] = boxes(rng, 2) as [Aabb, Aabb];
    const inside = corners(b).map((p) =>
      AXES.every((axis) => a.min[axis] <= p[axis] && p[axis] <= a.max[axis]),
    );
    corners(b).forEach((p, i) => {
      check(containsPointAabb(p, a) === inside[i], 'point');
    });
    check(containsAabbAabb(b, a) === inside.every(Boolean), 'box');
    check(containsAabbAabb(a, a), 'a box holds itself');
  },
);

property('[R6.5.1] the union of boxes holds both and touches them on every side', 10_000, (rng) => {
  const [a, b] = boxes(rng, 2) as [Aabb, Aabb];
  const m = mergeAabb(a, b);
  check(containsAabbAabb(a, m) && containsAabbAabb(b, m), 'holds both');
  for (const axis of AXES) {
    check(m.min[axis] === a.min[axis] || m.min[axis] === b.min[axis], 'low side touches');
    check(m.max[axis] === a.max[axis] || m.max[axis] === b.max[axis], 'high side touches');
  }
  const p = rng.pick(corners(b));
  const grown = growAabb(a, p);
  const wanted = mergeAabb(a, { min: p, max: p });
  check(JSON.stringify(grown) === JSON.stringify(wanted), 'grown by a point');
  const aliased = spanning(a.min, a.max);
  check(JSON.stringify(mergeAabb(aliased, b, aliased)) === JSON.stringify(m), 'out may be an input');
});

property('boxes share the intersection', 10_000, (rng) => {
  const [a, b] = boxes(rng, 2) as [Aabb, Aabb];
  const shared = intersectAabb(a, b);
  check((shared !== null) === overlapAabbAabb(a, b), 'null when apart');
  if (!shared) return;
  check(containsAabbAabb(shared, a) && containsAabbAabb(shared, b), 'inside both');
  for (const p of [...corners(a), ...corners(b)])
    check(
      containsPointAabb(p, shared) === (containsPointAabb(p, a) && containsPointAabb(p, b)),
      'a point is in the intersection when it is in both',
    );
});

/** Is `bound` the double next to the exact sum on the named side, or equal to it? */
function tight(bound: number, a: number, b: number, side: -1 | 1): boolean {
  const sum = add(q(a), q(b));
  const inner = side < 0 ? nextUp(bound) : nextDown(bound);
  return cmp(q(bound), sum) * side >= 0 && cmp(q(inner), sum) * side < 0;
}

property('margins, moves and sweeps round outward, to the nearest double', 10_000, (rng) => {
  const [a] = boxes(rng, 1) as [Aabb];
  const v = rng.pick([rng.vec(1), rng.vec(1e6), rng.vec(1e-6), { x: 0, y: 1, z: -1 }]);
  const margin = rng.pick([0, rng.unit(), 1e-9, 1e9]);
  const expanded = expandAabb(a, margin);
  const moved = translateAabb(a, v);
  const swept = sweptAabb(a, v);
  for (const axis of AXES) {
    check(tight(expanded.min[axis], a.min[axis], -margin, -1), 'margin below');
    check(tight(expanded.max[axis], a.max[axis], margin, 1), 'margin above');
    check(tight(moved.min[axis], a.min[axis], v[axis], -1), 'moved, below');
    check(tight(moved.max[axis], a.max[axis], v[axis], 1), 'moved, above');
    check(tight(swept.min[axis], a.min[axis], Math.min(0, v[axis]), -1), 'swept, below');
    check(tight(swept.max[axis], a.max[axis], Math.max(0, v[axis]), 1), 'swept, above');
  }
});

property('area and volume', 10_000, (rng) => {
  const [a] = boxes(rng, 1) as [Aabb];
  const [x, y, z] = AXES.map((axis) => sub(q(a.max[axis]), q(a.min[axis]))) as [exact.Q, exact.Q, exact.Q];
  const area = exact.toNumber(mul(q(2), add(add(mul(x, y), mul(y, z)), mul(z, x))));
  const volume = exact.toNumber(mul(mul(x, y), z));
  // A handful of roundings, all relative to positive terms.
  check(Math.abs(areaAabb(a) - area) <= 1e-15 * area, 'area');
  check(Math.abs(volumeAabb(a) - volume) <= 1e-15 * volume, 'volume');
});

property('the side of a plane is certain when it is named', 10_000, (rng) => {
  const { points, scale } = cloud(rng, 3);
  const a = spanning(points[0]!, points[1]!);
  const normal = rng.chance(0.3) ? { x: rng.int(-1, 1), y: rng.int(-1, 1), z: rng.int(-1, 1) } : rng.vec(1);
  const p = rng.chance(0.5) ? rng.pick(corners(a)) : points[2]!;
  const d = normal.x * p.x + normal.y * p.y + normal.z * p.z;
  const heights = corners(a).map((c) => sub(exact.vdot(exact.qv(normal), exact.qv(c)), q(d)));
  const low = heights.reduce(exact.min);
  const high = heights.reduce(exact.max);
  const side = sideAabbPlane(a, { normal, d });
  if (side === 1) check(exact.sign(low) > 0, 'in front');
  else if (side === -1) check(exact.sign(high) < 0, 'behind');
  else {
    // 0 is right when the plane cuts; else the gap must be within the doubt: sixteen roundings of the terms.
    const doubt = q(2e-15 * 4 * scale);
    check(cmp(low, doubt) <= 0 && cmp(high, exact.neg(doubt)) >= 0, 'no doubt possible');
  }
});

property('the box of points is exact and the same for every way to give them', 10_000, (rng) => {
  const { points } = cloud(rng, rng.int(1, 8));
  const box = fitAabb(points);
  for (const axis of AXES) {
    const values = points.map((p) => p[axis]).sort((a, b) => a - b);
    check(box.min[axis] === values[0] && box.max[axis] === values.at(-1), 'extremes');
  }
  const flat = points.flatMap(({ x, y, z }) => [x, y, z]);
  check(JSON.stringify(fitAabb(flat)) === JSON.stringify(box), 'flat');
});

test('bad boxes are named', () => {
  const good = { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } };
  const inverted = { min: { x: 0, y: 2, z: 0 }, max: { x: 1, y: 1, z: 1 } };
  const broken = { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: Number.NaN, z: 1 } };
  expect(() => overlapAabbAabb(good, inverted)).toThrow(/overlapAabbAabb: b must have min <= max/);
  expect(() => mergeAabb(broken, good)).toThrow(/mergeAabb: a\.max\.y must be a finite number/);
  expect(() => expandAabb(good, -1)).toThrow(/margin must not be negative/);
  expect(() => sweptAabb(good, { x: Infinity, y: 0, z: 0 })).toThrow(/motion\.x/);
  expect(() => fitAabb([])).toThrow(/points/);
  // three.js's empty Box3.
  const empty = {
    min: { x: Infinity, y: Infinity, z: Infinity },
    max: { x: -Infinity, y: -Infinity, z: -Infinity },
  };
  expect(() => volumeAabb(empty)).toThrow(/box\.min\.x/);
});

import { expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, exact, near, property } from '../../../tests/kit/index.ts';
import type { ReadonlyVec2, Vec2 } from '../../math/types.ts';
import { convexHull2 } from '../../polytope/index.ts';
import { minkowskiDifference2, minkowskiSum2, overlapConvexPolygons2 } from '../index.ts';

const { mul, q, sign, sub } = exact;
const rational = (x: number) => (Number.isSafeInteger(x) ? q(BigInt(x)) : q(x));

/** The exact turn at b. */
function turn(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): number {
  const l = (b.x - a.x) * (c.y - a.y);
  const r = (b.y - a.y) * (c.x - a.x);
  if (Math.abs(l - r) > 1e-14 * (Math.abs(l) + Math.abs(r))) return Math.sign(l - r);
  const minus = (s: number, t: number) => sub(rational(s), rational(t));
  return sign(sub(mul(minus(b.x, a.x), minus(c.y, a.y)), mul(minus(b.y, a.y), minus(c.x, a.x))));
}

const next = <T>(list: readonly T[], i: number): T => list[(i + 1) % list.length]!;
const norm = (p: ReadonlyVec2) => Math.hypot(p.x, p.y);

/** Two convex polygons of one kind: often touching, in line, or one point or segment. */
function pair(rng: Rng): { a: Vec2[]; b: Vec2[]; size: number; scale: number; whole: boolean } {
  const counts = [rng.int(1, 8), rng.int(1, 8)] as const;
  const { points, size, scale, regime } = cloud(rng, counts[0] + counts[1]);
  const shift = rng.int(-1, 1) * rng.int(0, 3) * size * 0.25;
  const flat = points.map(({ x, y }, i) => ({ x: i < counts[0] ? x : x + shift, y }));
  const hull = (list: Vec2[]) => convexHull2(list).map((i) => list[i]!);
  return {
    a: hull(flat.slice(0, counts[0])),
    b: hull(flat.slice(counts[0])),
    size,
    scale,
    whole: regime === 'lattice',
  };
}

/** Strictly convex, counter-clockwise, and holding all of these points: then it is their hull if made of them. */
function isHullOf(polygon: readonly Vec2[], points: readonly Vec2[]): boolean {
  const made = new Set(points.map(({ x, y }) => `${x} ${y}`));
  if (!polygon.every(({ x, y }) => made.has(`${x} ${y}`))) return false;
  if (polygon.length === 1) return made.size === 1;
  return polygon.every(
    (a, i) =>
      (polygon.length === 2 || turn(a, next(polygon, i), next(polygon, i + 1)) > 0) &&
      points.every((p) => turn(a, next(polygon, i), p) >= 0 && withinBox(polygon, p)),
  );
}

function withinBox(polygon: readonly Vec2[], p: Vec2): boolean {
  const [xs, ys] = [polygon.map((v) => v.x), polygon.map((v) => v.y)];
  return p.x >= Math.min(...xs) && p.x <= Math.max(...xs) && p.y >= Math.min(...ys) && p.y <= Math.max(...ys);
}

const sums = (a: Vec2[], b: Vec2[], s: number) =>
  a.flatMap((p) => b.map((r) => ({ x: p.x + s * r.x, y: p.y + s * r.y })));

property(
  '[R3.11] the sum is the hull of all sums of corners, the difference of all differences',
  10_000,
  (rng) => {
    const { a, b, whole } = pair(rng);
    if (!whole)
      for (const p of [...a, ...b]) [p.x, p.y] = [Math.round(4 * p.x) || 0, Math.round(4 * p.y) || 0];
    const hull = (list: Vec2[]) => convexHull2(list).map((i) => list[i]!);
    const [wholeA, wholeB] = [hull(a), hull(b)]; // sums of whole numbers are exact
    check(isHullOf(minkowskiSum2(wholeA, wholeB), sums(a, b, 1)), () => `sum ${JSON.stringify({ a, b })}`);
    check(
      isHullOf(minkowskiDifference2(wholeA, wholeB), sums(a, b, -1)),
      () => `difference ${JSON.stringify({ a, b })}`,
    );
  },
);

property('[R3.11] the sum reaches as far as both together, in every direction', 10_000, (rng) => {
  const { a, b, scale } = pair(rng);
  const sum = minkowskiSum2(a, b);
  check(sum.length <= a.length + b.length, 'no more corners than both have');
  for (let k = 0; k < 4; k++) {
    const d = rng.direction();
    const reach = (polygon: Vec2[]) => Math.max(...polygon.map((p) => p.x * d.x + p.y * d.y));
    near(reach(sum), reach(a) + reach(b), 4e-15 * scale, 'reach');
  }
});

/** Is there an edge of a or b with the other polygon strictly outside it? Enough for two polygons with area. */
const areSeparated = (a: readonly Vec2[], b: readonly Vec2[]): boolean =>
  [
    [a, b],
    [b, a],
  ].some(([s, t]) => s!.some((p, i) => t!.every((v) => turn(p, next(s!, i), v) < 0)));

/** Does an edge of one meet an edge of the other, or a corner lie in the other? For points and segments too. */
function meet(a: readonly Vec2[], b: readonly Vec2[]): boolean {
  const contains = (polygon: readonly Vec2[], p: Vec2) =>
    withinBox(polygon, p) && polygon.every((v, i) => turn(v, next(polygon, i), p) >= 0);
  if (contains(a, b[0]!) || contains(b, a[0]!)) return true;
  return a.some((p, i) =>
    b.some((r, j) => {
      const [p2, r2] = [next(a, i), next(b, j)];
      if ([r, r2].some((v) => contains([p, p2], v)) || [p, p2].some((v) => contains([r, r2], v))) return true;
      return turn(p, p2, r) * turn(p, p2, r2) < 0 && turn(r, r2, p) * turn(r, r2, p2) < 0;
    }),
  );
}

property(
  '[R3.11] polygons meet when their difference holds the origin: the verdict of the separating axes',
  20_000,
  (rng) => {
    const { a, b, whole } = pair(rng);
    const found = overlapConvexPolygons2(a, b);
    check(found === meet(a, b), () => `${found}: ${JSON.stringify({ a, b })}`);
    check(found === overlapConvexPolygons2(b, a), 'the same both ways round');
    if (a.length > 2 && b.length > 2)
      check(found === !areSeparated(a, b), () => `axes: ${JSON.stringify({ a, b })}`);
    if (!whole) return;
    const difference = minkowskiDifference2(a, b);
    const origin = { x: 0, y: 0 };
    const holds =
      withinBox(difference, origin) && difference.every((p, i) => turn(p, next(difference, i), origin) >= 0);
    check(found === holds, 'the origin in the explicit difference');
  },
);

/** The point of segment ab closest to p. */
function closest(p: ReadonlyVec2, a: ReadonlyVec2, b: ReadonlyVec2): Vec2 {
  const d = { x: b.x - a.x, y: b.y - a.y };
  const l = d.x * d.x + d.y * d.y;
  const t = l > 0 ? Math.max(0, Math.min(1, ((p.x - a.x) * d.x + (p.y - a.y) * d.y) / l)) : 0;
  return { x: a.x + t * d.x, y: a.y + t * d.y };
}

property('[R3.11] the least norm of the difference is the distance, at one point only', 10_000, (rng) => {
  const { a, b, scale } = pair(rng);
  if (meet(a, b)) return;
  let distance = Infinity;
  for (const [s, t] of [
    [a, b],
    [b, a],
  ] as const)
    for (const p of s)
      t.forEach((v, i) => {
        const c = closest(p, v, next(t, i));
        distance = Math.min(distance, norm({ x: p.x - c.x, y: p.y - c.y }));
      });
  const origin = { x: 0, y: 0 };
  const difference = minkowskiDifference2(a, b);
  const candidates = difference.map((p, i) => closest(origin, p, next(difference, i)));
  const least = Math.min(...candidates.map(norm));
  near(least, distance, 4e-15 * scale, 'distance');
  // By convexity points of nearly the least norm m (1 + e) are within m √(8 e) of each other.
  const best = candidates.filter((p) => norm(p) <= least * (1 + 1e-12));
  for (const p of best)
    near(
      norm({ x: p.x - best[0]!.x, y: p.y - best[0]!.y }),
      0,
      3e-6 * least + 4e-15 * scale,
      'a second closest point',
    );
});

test('[R3.11] a triangle and a square, by hand', () => {
  const triangle = [
    { x: 0, y: 0 },
    { x: 2, y: 0 },
    { x: 0, y: 2 },
  ];
  const square = [
    { x: 1, y: 1 },
    { x: 2, y: 1 },
    { x: 2, y: 2 },
    { x: 1, y: 2 },
  ];
  expect(minkowskiSum2(triangle, square)).toEqual([
    { x: 1, y: 1 },
    { x: 4, y: 1 },
    { x: 4, y: 2 },
    { x: 2, y: 4 },
    { x: 1, y: 4 },
  ]);
  expect(overlapConvexPolygons2(triangle, square)).toBe(true); // in the one point (1, 1)
  const away = square.map(({ x, y }) => ({ x: x + 2 ** -52, y }));
  expect(overlapConvexPolygons2(triangle, away)).toBe(false); // off by one ulp
});

test('a polygon that is not convex or runs clockwise is refused by name', () => {
  const point = [{ x: 0, y: 0 }];
  const clockwise = [
    { x: 0, y: 0 },
    { x: 0, y: 1 },
    { x: 1, y: 0 },
  ];
  for (const fn of [minkowskiSum2, minkowskiDifference2, overlapConvexPolygons2]) {
    expect(() => fn(clockwise, point)).toThrow(/: a must be strictly convex and counter-clockwise/);
    expect(() => fn(point, [...point, ...point])).toThrow(/: b must be strictly convex/);
    expect(() => fn(point, [])).toThrow(/: b must hold/);
    expect(() => fn([{ x: 0, y: Number.NaN }], point)).toThrow(/a\[0\]\.y/);
  }
});

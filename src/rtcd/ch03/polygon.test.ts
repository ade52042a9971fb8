import { expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, exact, property } from '../../../tests/kit/index.ts';
import type { ReadonlyVec2, Vec2 } from '../../math/types.ts';
import {
  isConvexPolygon,
  isConvexPolygon2,
  isConvexPolygonSlow2,
  isConvexQuad,
  isConvexQuad2,
  isSimplePolygon2,
  polygonHalfPlanes,
} from '../index.ts';

const { cmp, mul, q, sign, sub } = exact;
const rational = (x: number) => (Number.isSafeInteger(x) ? q(BigInt(x)) : q(x));

/** The exact turn at b. */
function turn(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): number {
  const l = (b.x - a.x) * (c.y - a.y);
  const r = (b.y - a.y) * (c.x - a.x);
  if (Math.abs(l - r) > 1e-14 * (Math.abs(l) + Math.abs(r))) return Math.sign(l - r);
  const minus = (s: number, t: number) => sub(rational(s), rational(t));
  return sign(sub(mul(minus(b.x, a.x), minus(c.y, a.y)), mul(minus(b.y, a.y), minus(c.x, a.x))));
}

/** Corners are the extreme points of the set, in their order around it: the definition, by brute force. */
function isConvexByDefinition(p: readonly ReadonlyVec2[]): boolean {
  const n = p.length;
  const isHullEdge = (i: number, s: number) =>
    p.every((v, k) => k === i || k === (i + 1) % n || turn(p[i]!, p[(i + 1) % n]!, v) * s > 0);
  return n >= 3 && [1, -1].some((s) => p.every((_, i) => isHullEdge(i, s)));
}

/** Random polygons, of which a fair part is convex or nearly so. */
function randomPolygon(rng: Rng): Vec2[] {
  const n = rng.int(1, 7);
  if (rng.chance(0.5)) return cloud(rng, n).points.map(({ x, y }) => ({ x, y }));
  const size = rng.pick([1, 1e6, 1e-6, 4]);
  const shift = rng.pick([0, 0, 1e6]);
  const angles = Array.from({ length: n }, () => rng.range(0, 6.28)).sort((a, b) => a - b);
  const polygon = angles.map((a) => ({ x: shift + size * Math.cos(a), y: size * Math.sin(a) }));
  if (size === 4) for (const p of polygon) [p.x, p.y] = [Math.round(p.x), Math.round(p.y)];
  if (rng.chance(0.3)) polygon.reverse();
  if (rng.chance(0.2)) polygon.splice(rng.int(0, n), 0, { ...polygon[rng.int(0, n - 1)]! });
  if (rng.chance(0.1)) polygon.push(...polygon.map((p) => ({ ...p }))); // twice round
  return polygon;
}

const points = (...xy: [number, number][]) => xy.map(([x, y]) => ({ x, y }));
const circle = (n: number, step = 1) =>
  Array.from({ length: n }, (_, i) => ({
    x: Math.cos((2 * Math.PI * i * step) / n),
    y: Math.sin((2 * Math.PI * i * step) / n),
  }));

const NOT_CONVEX: Record<string, Vec2[]> = {
  dart: points([0, 0], [2, 1], [0, 2], [1, 1]),
  bowtie: points([0, 0], [1, 1], [1, 0], [0, 1]),
  'four points on a line': points([0, 0], [1, 1], [3, 3], [2, 2]),
  'three corners on a line': points([0, 0], [1, 0], [2, 0], [1, 2]),
  'coincident corners': points([0, 0], [1, 0], [1, 0], [1, 1]),
  'all corners the same': points([1, 1], [1, 1], [1, 1], [1, 1]),
  pentagram: circle(5, 2),
  'zigzag on the top edge': points([0, 0], [3, 0], [3, 1], [1, 1], [2, 1], [0, 1]),
  'zigzag on the right edge': points([0, 0], [1, 0], [1, 2], [1, 1], [1, 3], [0, 3]),
  'a convex polygon twice round': [...circle(5), ...circle(5)],
  'a convex polygon seen edge on': points([0, 0], [1, 0], [3, 0], [2, 0]),
  segment: points([0, 0], [1, 1]),
};

for (const [name, polygon] of Object.entries(NOT_CONVEX))
  test(`[R3.7.1] not convex: ${name}`, () => {
    const spatial = polygon.map(({ x, y }) => ({ x, y: x + y, z: y - 2 * x }));
    expect(isConvexPolygon2(polygon)).toBe(false);
    expect(isConvexPolygonSlow2(polygon)).toBe(false);
    expect(isConvexPolygon(spatial)).toBe(false);
    if (polygon.length !== 4) return;
    for (let k = 0; k < 4; k++) {
      const at = (i: number) => polygon[(i + k) % 4]!;
      expect(isConvexQuad2(at(0), at(1), at(2), at(3))).toBe(false);
      const in3 = (i: number) => spatial[(i + k) % 4]!;
      expect(isConvexQuad(in3(0), in3(1), in3(2), in3(3))).toBe(false);
    }
  });

test('[R3.7.1] convex: triangles, squares, and points on a circle by the thousand', () => {
  const convex = [points([0, 0], [1, 0], [0, 1]), points([0, 0], [1, 0], [1, 1], [0, 1]), circle(1000)];
  for (const polygon of convex)
    for (const p of [polygon, [...polygon].reverse()]) {
      expect(isConvexPolygon2(p)).toBe(true);
      expect(isConvexPolygonSlow2(p)).toBe(true);
      for (const axes of ['xyz', 'yzx', 'zxy'])
        expect(
          isConvexPolygon(p.map((v) => ({ [axes[0]!]: v.x, [axes[1]!]: v.y, [axes[2]!]: 3 }) as never)),
        ).toBe(true);
    }
  expect(isConvexPolygon2(circle(100_000))).toBe(true);
});

test('[R3.7.1] each half of the fast test alone is fooled, by input that the whole refuses', () => {
  const turns = (p: Vec2[]) =>
    new Set(p.map((a, i) => turn(a, p[(i + 1) % p.length]!, p[(i + 2) % p.length]!)));
  const reversals = (p: Vec2[], axis: 'x' | 'y') => {
    const steps = p.map((a, i) => Math.sign(p[(i + 1) % p.length]![axis] - a[axis])).filter((s) => s !== 0);
    return steps.filter((s, i) => s !== steps[(i + 1) % steps.length]).length;
  };
  const star = NOT_CONVEX['pentagram']!;
  expect(turns(star).size).toBe(1); // all corners turn the same way
  expect(isConvexPolygon2(star)).toBe(false);
  const flat = points([0, 0], [1, 1], [2, 2], [1, 1]);
  expect([reversals(flat, 'x'), reversals(flat, 'y')]).toEqual([2, 2]);
  expect(isConvexPolygon2(flat)).toBe(false);
});

property('[R3.7.1] the fast and the slow test are the definition', 20_000, (rng) => {
  const polygon = randomPolygon(rng);
  const wanted = isConvexByDefinition(polygon);
  check(isConvexPolygon2(polygon) === wanted, () => `fast: ${JSON.stringify(polygon)}`);
  check(isConvexPolygonSlow2(polygon) === wanted, () => `slow: ${JSON.stringify(polygon)}`);
});

property('[R3.7.1] the quad test is the definition', 20_000, (rng) => {
  const polygon = cloud(rng, 4).points.map(({ x, y }) => ({ x, y }));
  const [a, b, c, d] = polygon as [Vec2, Vec2, Vec2, Vec2];
  check(isConvexQuad2(a, b, c, d) === isConvexByDefinition(polygon), () => JSON.stringify(polygon));
});

property('[R3.7.1] flat polygons in space are judged as in their plane', 10_000, (rng) => {
  // Whole numbers, so that the image in space is flat without rounding.
  const polygon = Array.from({ length: rng.pick([3, 4, 4, 5, 6]) }, () => ({
    x: rng.int(-3, 3),
    y: rng.int(-3, 3),
  }));
  const vector = () => ({ x: rng.int(-3, 3), y: rng.int(-3, 3), z: rng.int(-3, 3) });
  const [o, u, v] = [vector(), vector(), vector()];
  if (u.x * v.y === u.y * v.x && u.y * v.z === u.z * v.y && u.z * v.x === u.x * v.z) return;
  const spatial = polygon.map(({ x, y }) => ({
    x: o.x + x * u.x + y * v.x,
    y: o.y + x * u.y + y * v.y,
    z: o.z + x * u.z + y * v.z,
  }));
  const wanted = isConvexByDefinition(polygon);
  check(isConvexPolygon(spatial) === wanted, () => JSON.stringify({ polygon, spatial }));
  const [a, b, c, d] = spatial;
  if (spatial.length === 4) check(isConvexQuad(a!, b!, c!, d!) === wanted, () => JSON.stringify(spatial));
});

test('[R3.7.1] at the ends of the range of doubles', () => {
  for (const s of [1e300, 1e-300]) {
    const square = points([0, 0], [s, 0], [s, s], [0, s]);
    const [a, b, c, d] = square as [Vec2, Vec2, Vec2, Vec2];
    expect([isConvexPolygon2(square), isConvexQuad2(a, b, c, d), isConvexQuad2(a, c, b, d)]).toEqual([
      true,
      true,
      false,
    ]);
  }
});

/** Do two closed segments share a point? By solving for it, exactly. */
function segmentsMeet(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, d: ReadonlyVec2): boolean {
  const on = (p: ReadonlyVec2, s: ReadonlyVec2, t: ReadonlyVec2) =>
    turn(s, t, p) === 0 &&
    p.x >= Math.min(s.x, t.x) &&
    p.x <= Math.max(s.x, t.x) &&
    p.y >= Math.min(s.y, t.y) &&
    p.y <= Math.max(s.y, t.y);
  if (on(a, c, d) || on(b, c, d) || on(c, a, b) || on(d, a, b)) return true;
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

property(
  '[R3.7] a polygon is simple when no two edges meet but neighbours at their corner',
  20_000,
  (rng) => {
    const p = randomPolygon(rng);
    const n = p.length;
    let wanted = n >= 3;
    for (let i = 0; i < n && wanted; i++)
      for (let j = 0; j < n && wanted; j++) {
        const [a, b, c, d] = [p[i]!, p[(i + 1) % n]!, p[j]!, p[(j + 1) % n]!];
        if (j === (i + 1) % n) {
          // Neighbours ab and bd: d off ab, a off bd, and b apart from both.
          const same = (s: Vec2, t: Vec2) => s.x === t.x && s.y === t.y;
          wanted &&= !same(a, b) && !segmentsMeet(d, d, a, b) && !segmentsMeet(a, a, c, d);
        } else if (j !== i && i !== (j + 1) % n) wanted &&= !segmentsMeet(a, b, c, d);
      }
    check(isSimplePolygon2(p) === wanted, () => `${wanted}: ${JSON.stringify(p)}`);
  },
);

test('[R3.7] simple: a triangle, a dart; not: a bowtie, a spike, a touching corner, a repeated corner', () => {
  expect(isSimplePolygon2(points([0, 0], [1, 0], [0, 1]))).toBe(true);
  expect(isSimplePolygon2(NOT_CONVEX['dart']!)).toBe(true);
  expect(isSimplePolygon2(NOT_CONVEX['three corners on a line']!)).toBe(true);
  expect(isSimplePolygon2(NOT_CONVEX['bowtie']!)).toBe(false);
  expect(isSimplePolygon2(points([0, 0], [4, 0], [4, 4], [4, 1]))).toBe(false);
  expect(isSimplePolygon2(points([0, 0], [4, 0], [4, 4], [2, 0], [0, 4]))).toBe(false);
  expect(isSimplePolygon2(points([0, 0], [4, 0], [4, 0], [0, 4]))).toBe(false);
});

test('[R3.7] the triangle (1,2), (9,0), (5,8) is x+4y >= 9, 4x+2y <= 36, 3x-2y >= -1', () => {
  const triangle = points([1, 2], [9, 0], [5, 8]);
  for (const polygon of [triangle, [...triangle].reverse()]) {
    const halfPlanes = polygonHalfPlanes(polygon);
    for (let x = -1; x <= 10; x += 0.5)
      for (let y = -1; y <= 9; y += 0.5)
        expect(halfPlanes.every(({ normal, d }) => normal.x * x + normal.y * y <= d)).toBe(
          x + 4 * y >= 9 && 4 * x + 2 * y <= 36 && 3 * x - 2 * y >= -1,
        );
  }
  expect(polygonHalfPlanes(triangle)).toEqual([
    { normal: { x: -2, y: -8 }, d: -18 },
    { normal: { x: 8, y: 4 }, d: 72 },
    { normal: { x: -6, y: 4 }, d: 2 },
  ]);
});

property('[R3.7] a point is in a convex polygon when it is in all half-planes', 10_000, (rng) => {
  const polygon = randomPolygon(rng).map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
  if (!isConvexByDefinition(polygon)) {
    let refused = false;
    try {
      polygonHalfPlanes(polygon);
    } catch (error) {
      refused = error instanceof RangeError;
    }
    check(refused, 'took a polygon that is not convex');
    return;
  }
  const p = { x: polygon[0]!.x + rng.int(-3, 3), y: polygon[0]!.y + rng.int(-3, 3) };
  const s = turn(polygon[0]!, polygon[1]!, polygon[2]!);
  const inside = polygon.every((a, i) => turn(a, polygon[(i + 1) % polygon.length]!, p) * s >= 0);
  const found = polygonHalfPlanes(polygon).every(
    ({ normal, d }) => cmp(q(normal.x * p.x + normal.y * p.y), q(d)) <= 0,
  );
  check(found === inside, () => JSON.stringify({ polygon, p }));
});

test('refuses what is not a polygon', () => {
  expect(() => isConvexPolygon2([])).toThrow(/polygon/);
  expect(() => isConvexPolygon([{ x: 0, y: 0, z: Number.NaN }])).toThrow(/polygon\[0\]\.z/);
  expect(() => isConvexQuad2({ x: 0, y: 0 }, { x: 1, y: Infinity }, { x: 0, y: 0 }, { x: 0, y: 0 })).toThrow(
    /b\.y/,
  );
  expect(() => polygonHalfPlanes(points([0, 0], [1, 0]))).toThrow(/polygon must be convex/);
});

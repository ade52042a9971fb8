import { expect, test } from 'vitest';
import type { Rng } from '../../tests/kit/index.ts';
import { check, cloud, exact, property } from '../../tests/kit/index.ts';
import type { ReadonlyVec2, Vec2 } from '../math/types.ts';
import { quickhull2 } from '../rtcd/index.ts';
import { convexHull2 } from './index.ts';

const { mul, q, sign, sub } = exact;
const rational = (x: number) => (Number.isSafeInteger(x) ? q(BigInt(x)) : q(x));

/** The exact turn at b, rational arithmetic deciding what rounding might get wrong. */
function turn(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): number {
  const l = (b.x - a.x) * (c.y - a.y);
  const r = (b.y - a.y) * (c.x - a.x);
  if (Math.abs(l - r) > 1e-14 * (Math.abs(l) + Math.abs(r))) return Math.sign(l - r);
  const minus = (s: number, t: number) => sub(rational(s), rational(t));
  return sign(sub(mul(minus(b.x, a.x), minus(c.y, a.y)), mul(minus(b.y, a.y), minus(c.x, a.x))));
}

/** Points of every kind: lattices, lines, verticals, heaps, circles, far away, at the ends of the scale. */
function plane(rng: Rng): Vec2[] {
  const kind = rng.int(0, 6);
  const { points } = cloud(rng, rng.int(1, 14));
  if (kind === 0) for (const p of points) p.y = p.x; // exactly on a line
  if (kind === 1) for (const p of points) p.x = points[0]!.x;
  if (kind === 2) for (const p of points) p.y = points[0]!.y + p.x * 0.1; // nearly on a line
  if (kind === 3) points.push(...points.map((p) => ({ ...p }))); // duplicates
  if (kind === 4)
    for (const p of points) {
      const angle = rng.int(0, 40) / 3;
      p.x = Math.cos(angle);
      p.y = Math.sin(angle);
    }
  return points.map(({ x, y }) => ({ x, y }));
}

/** Fails unless the loop is the strictly convex hull of the points, counter-clockwise. */
function checkHull(points: readonly Vec2[], hull: readonly number[]): void {
  check(new Set(hull).size === hull.length && hull.length > 0, 'an index twice, or none');
  const p = hull.map((i) => points[i]!);
  if (p.length === 1) {
    for (const v of points) check(v.x === p[0]!.x && v.y === p[0]!.y, 'not all points coincide');
    return;
  }
  check(p.length > 2 || p[0]!.x !== p[1]!.x || p[0]!.y !== p[1]!.y, 'a segment without length');
  for (let i = 0; i < p.length; i++) {
    const a = p[i]!;
    const b = p[(i + 1) % p.length]!;
    if (p.length > 2) check(turn(a, b, p[(i + 2) % p.length]!) > 0, 'not a left turn');
    for (const v of points) check(turn(a, b, v) >= 0, 'a point outside');
  }
  // What lies on the line of a segment must also lie between its ends.
  const [first, last] = p as [Vec2, Vec2];
  if (p.length === 2)
    for (const v of points)
      check(
        v.x >= Math.min(first.x, last.x) &&
          v.x <= Math.max(first.x, last.x) &&
          v.y >= Math.min(first.y, last.y) &&
          v.y <= Math.max(first.y, last.y),
        'a point beyond the segment',
      );
}

property('[R3.9.1] the chains give the strictly convex hull, exactly', 20_000, (rng) => {
  const points = plane(rng);
  checkHull(points, convexHull2(points));
});

property(
  '[R3.9.2] Quickhull gives the strictly convex hull, and the same corners as the chains',
  20_000,
  (rng) => {
    const points = plane(rng);
    const hull = quickhull2(points);
    checkHull(points, hull);
    const at = (i: number) => `${points[i]!.x},${points[i]!.y}`;
    const chains = convexHull2(points);
    check(hull.map(at).join(' ') === chains.map(at).join(' '), () => `${hull} is not ${chains}`);
  },
);

for (const hull of [convexHull2, quickhull2]) {
  test(`[R3.9.1] [R3.9.2] ${hull.name}: a grid has four corners, counter-clockwise from the leftmost`, () => {
    const grid: Vec2[] = [];
    for (let x = 0; x < 20; x++) for (let y = 0; y < 20; y++) grid.push({ x, y });
    expect(hull(grid)).toEqual([0, 380, 399, 19]);
  });

  test(`${hull.name}: a point, a heap, a segment, a vertical line`, () => {
    expect(hull([{ x: 3, y: 4 }])).toEqual([0]);
    expect(hull([1, 1, 1].map((x) => ({ x, y: x })))).toEqual([0]);
    expect(hull([2, 0, 1, 3].map((x) => ({ x, y: -x })))).toEqual([1, 3]);
    expect(hull([2, 0, 1, 3].map((y) => ({ x: 5, y })))).toEqual([1, 3]);
  });

  test(`${hull.name}: equal x at both ends keeps the top and the bottom`, () => {
    const points = [0, 1, 2, 3].flatMap((y) => [
      { x: 0, y },
      { x: 1, y },
    ]);
    expect(hull(points)).toEqual([0, 1, 7, 6]);
  });

  test(`${hull.name}: at the ends of the range of doubles`, () => {
    for (const s of [1e300, 1e-300])
      expect(
        hull([
          { x: 0, y: 0 },
          { x: s, y: 0 },
          { x: s, y: s },
          { x: 0.5 * s, y: 0.25 * s },
          { x: 0.5 * s, y: 0.5 * s },
        ]),
      ).toEqual([0, 1, 2]);
  });

  test(`${hull.name}: a hundred thousand points, and a thousand on a circle`, () => {
    const many = Array.from({ length: 100_000 }, (_, i) => ({
      x: Math.sin(i * 12.9898) * Math.cos(i),
      y: Math.sin(i * 78.233) * Math.sin(i),
    }));
    const corners = hull(many);
    for (let k = 0; k < corners.length; k++) {
      const a = many[corners[k]!]!;
      const b = many[corners[(k + 1) % corners.length]!]!;
      for (const p of many) check(turn(a, b, p) >= 0, 'a point outside');
    }
    const circle = Array.from({ length: 1000 }, (_, i) => ({ x: Math.cos(i / 159), y: Math.sin(i / 159) }));
    expect(hull(circle.slice(0, 999)).length).toBe(999);
  });

  test(`${hull.name}: refuses what is not a list of points`, () => {
    expect(() => hull([])).toThrow(/points must hold at least one point/);
    expect(() => hull([{ x: 0, y: Infinity }])).toThrow(/points\[0\]\.y/);
  });
}

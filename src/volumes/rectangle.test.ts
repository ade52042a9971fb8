import { expect, test } from 'vitest';
import { check, near, property } from '../../tests/kit/index.ts';
import { fitRectangle2 } from './rectangle.ts';

type P = { x: number; y: number };

/** Every direction from one point to another, and all points along it: O(n³), and no hull. */
function leastArea(points: readonly P[]): number {
  let best = Infinity;
  for (const a of points)
    for (const b of points) {
      const length = Math.hypot(b.x - a.x, b.y - a.y);
      if (length === 0) continue;
      const [x, y] = [(b.x - a.x) / length, (b.y - a.y) / length];
      const u = points.map((p) => (p.x - a.x) * x + (p.y - a.y) * y);
      const v = points.map((p) => (p.y - a.y) * x - (p.x - a.x) * y);
      best = Math.min(best, (Math.max(...u) - Math.min(...u)) * (Math.max(...v) - Math.min(...v)));
    }
  return best === Infinity ? 0 : best;
}

property('[R4.4.4] the calipers find the least area, and the rectangle holds the points', 10_000, (rng) => {
  const size = 10 ** rng.int(-6, 6);
  const lattice = rng.chance(0.4);
  const points = Array.from({ length: rng.int(1, 12) }, () =>
    lattice
      ? { x: rng.int(-2, 2) * size, y: rng.int(-2, 2) * size }
      : { x: rng.range(-size, size), y: rng.range(-size, size) },
  );
  const { center, axis, halfSize } = fitRectangle2(points);
  near(Math.hypot(axis.x, axis.y), 1, 1e-15, 'axis length');
  near(4 * halfSize.x * halfSize.y, leastArea(points), 1e-12 * size * size, 'area');
  for (const p of points) {
    const [dx, dy] = [p.x - center.x, p.y - center.y];
    check(Math.abs(dx * axis.x + dy * axis.y) <= halfSize.x + 1e-14 * size, 'outside along the axis');
    check(Math.abs(dy * axis.x - dx * axis.y) <= halfSize.y + 1e-14 * size, 'outside across the axis');
  }
});

test('[R4.4.4] a turned rectangle is recovered', () => {
  const [c, s] = [Math.cos(0.3), Math.sin(0.3)];
  const corners = [
    [3, 1],
    [-3, 1],
    [-3, -1],
    [3, -1],
    [0, 0],
    [2, -1],
  ].map(([x, y]) => ({ x: 5 + c * x! - s * y!, y: 7 + s * x! + c * y! }));
  const { center, halfSize } = fitRectangle2(corners);
  expect(center.x).toBeCloseTo(5, 13);
  expect(center.y).toBeCloseTo(7, 13);
  expect([halfSize.x, halfSize.y].sort()).toEqual([expect.closeTo(1, 13), expect.closeTo(3, 13)]);
});

test('a regular polygon of a thousand sides', () => {
  const points = Array.from({ length: 1000 }, (_, i) => ({
    x: Math.cos((2 * Math.PI * i) / 1000),
    y: Math.sin((2 * Math.PI * i) / 1000),
  }));
  const { halfSize } = fitRectangle2(points);
  expect(4 * halfSize.x * halfSize.y).toBeCloseTo(4 * Math.cos(Math.PI / 1000) ** 2, 10);
});

test('flat arrays, single points, and refusals', () => {
  expect(fitRectangle2([1, 2, 1, 2]).halfSize).toEqual({ x: 0, y: 0 });
  expect(() => fitRectangle2([])).toThrow(RangeError);
  expect(() => fitRectangle2([{ x: 0, y: Number.NaN }])).toThrow(/points\[0\]\.y/);
});

import { expect, test } from 'vitest';
import { tabledCore } from '../../tests/kit/convex.ts';
import { degeneratePoints } from '../../tests/kit/degenerate-points.ts';
import { check, cloud, property, Rng } from '../../tests/kit/index.ts';
import { EPS64 } from '../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { supportCore } from './core.ts';

/** Points on a sphere or a box around some place, with many on the same planes, lines and places at times. */
function somePoints(rng: Rng): Vec3[] {
  const count = rng.int(9, 80);
  const size = rng.pick([1, 1, 1e-50, 1e50]);
  const center = rng.chance(0.3) ? rng.vec(size * 10 ** rng.range(-3, 3)) : { x: 0, y: 0, z: 0 };
  const kind = rng.int(0, 3);
  const points = Array.from({ length: count }, () => {
    const d = rng.direction();
    const p = kind === 0 ? d : { x: rng.int(-1, 1), y: rng.int(-2, 2), z: kind === 1 ? 0 : rng.int(-1, 1) };
    return { x: center.x + size * p.x, y: center.y + size * p.y, z: center.z + size * p.z };
  });
  return kind === 3 ? degeneratePoints(rng, cloud(rng, count)) : points;
}

/** In a chamber, on a wall between two, on an edge between many; an axis, a difference of points; tiny, huge. */
function someDirection(rng: Rng, points: readonly ReadonlyVec3[]): Vec3 {
  const p = rng.pick(points);
  const q = rng.pick(points);
  const d = rng.pick([
    rng.direction(),
    { x: rng.int(-1, 1), y: rng.int(-1, 1), z: rng.int(-1, 1) },
    { x: rng.sign(), y: rng.sign() * (1 + rng.pick([0, EPS64, -EPS64])), z: rng.range(-2, 2) },
    { x: rng.range(-1, 1), y: 0, z: -0 },
    { x: p.y - q.y, y: q.x - p.x, z: 0 },
  ]);
  const k = rng.pick([1, 1, 1e-80, 1e80]);
  return { x: k * d.x, y: k * d.y, z: k * d.z };
}

property(
  '[R9.5.4] the table has a point as far along any direction as the farthest of all',
  20_000,
  (rng) => {
    const points = somePoints(rng);
    const core = tabledCore(points);
    check(core.table.length > 0, 'there is a table');
    const out = { x: 0, y: 0, z: 0 };
    for (let k = 0; k < 5; k++) {
      const d = someDirection(rng, points);
      const height = (p: ReadonlyVec3) => p.x * d.x + p.y * d.y + p.z * d.z;
      const at = supportCore(core, d, rng.int(-1, points.length), out);
      const p = points[at]!;
      check(p.x === out.x && p.y === out.y && p.z === out.z, 'the point with that number');
      // Two roundings of sums, three of products and two of their sums.
      const slack = 8 * EPS64 * core.reach * (Math.abs(d.x) + Math.abs(d.y) + Math.abs(d.z));
      check(height(p) >= Math.max(...points.map(height)) - slack, 'as far as any');
    }
  },
);

test('of points on a sphere few are in a list', () => {
  const rng = new Rng(7);
  const longest = (count: number) => {
    const { table } = tabledCore(Array.from({ length: count }, () => rng.direction()));
    return (table.length - 65) / 48;
  };
  expect(longest(32)).toBeLessThan(6);
  expect(longest(256)).toBeLessThan(20);
  expect(tabledCore(Array.from({ length: 8 }, () => rng.direction())).table).toHaveLength(0);
});

test('a direction of zero, or of no numbers, has some point', () => {
  const points = Array.from({ length: 20 }, (_, i) => ({ x: i, y: i * i, z: -i }));
  const out = { x: 0, y: 0, z: 0 };
  for (const d of [
    { x: 0, y: 0, z: 0 },
    { x: Number.NaN, y: Number.NaN, z: Number.NaN },
  ])
    expect(points[supportCore(tabledCore(points), d, -1, out)]).toEqual(out);
});

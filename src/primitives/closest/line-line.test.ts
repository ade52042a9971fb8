import { describe, expect, test } from 'vitest';
import { degeneratePoints, reach, span } from '../../../tests/kit/degenerate-points.ts';
import { check, cloud, exact, near, property } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { addScaled, distance, dot, sub } from '../../math/vec3.ts';
import { closestPointsLineLine, overlapLineLine } from './line-line.ts';

const U = 2 ** -53;
type Four = [Vec3, Vec3, Vec3, Vec3];

/** |r · n| / |n|, or the distance of a point from the other line. `angle` is the sine between the lines. */
function exactLines([a, b, c, d]: Four): { gap: number; angle: number } {
  const { qv, vsub, vdot, vcross, vzero, toNumber, div, mul, sub: minus } = exact;
  const u = vsub(qv(b), qv(a));
  const v = vsub(qv(d), qv(c));
  const r = vsub(qv(a), qv(c));
  const n = vcross(u, v);
  if (!vzero(n)) {
    const nn = vdot(n, n);
    const h = vdot(r, n);
    const angle = Math.sqrt(toNumber(div(nn, mul(vdot(u, u), vdot(v, v)))));
    return { gap: Math.sqrt(toNumber(div(mul(h, h), nn))), angle };
  }
  const w = vzero(v) ? u : v;
  if (vzero(w)) return { gap: Math.sqrt(toNumber(vdot(r, r))), angle: 0 };
  const along = vdot(r, w);
  return { gap: Math.sqrt(toNumber(minus(vdot(r, r), div(mul(along, along), vdot(w, w))))), angle: 0 };
}

describe('two lines', () => {
  property('[R5.1.8] = exact distance, and at a right angle to both', 20_000, (rng) => {
    const ends = degeneratePoints(rng, cloud(rng, 4)) as Four;
    const [a, b, c, d] = ends;
    const { gap, angle } = exactLines(ends);
    const found = closestPointsLineLine(a, b, c, d);
    const size = span(ends);
    const along = Math.abs(found.s) * distance(a, b) + Math.abs(found.t) * distance(c, d);
    check(Number.isFinite(along), 'finite');
    // Rounding of b - a and d - c turns the lines by U each, which matters the more the more parallel they are.
    const tilt = angle > 0 ? (2 * U) / angle : 0;
    near(Math.sqrt(found.distanceSq), gap, (32 * U + tilt) * (size + along), 'distance');
    const way = sub(found.a, found.b);
    // A few roundings, up to four times as much where the angle is just steep enough for plain cross products.
    const slack = 32 * U * (size + along + reach(ends));
    near(dot(way, sub(b, a)), 0, slack * distance(a, b), 'right angle to the first');
    near(dot(way, sub(d, c)), 0, slack * distance(c, d), 'right angle to the second');
    near(distance(found.a, found.b), Math.sqrt(found.distanceSq), slack, 'distance of the points');
    near(distance(found.a, addScaled(a, sub(b, a), found.s)), 0, slack, 'a at s');
    near(distance(found.b, addScaled(c, sub(d, c), found.t)), 0, slack, 'b at t');
  });

  property('[R5.1.8] parallel lines: the gap, at a', 10_000, (rng) => {
    const k = rng.pick([1, -1, 2, 0.5, -3]);
    const u = vec3(rng.int(-5, 5), rng.int(-5, 5), rng.int(-5, 5));
    const [a, c] = [vec3(rng.int(-9, 9), rng.int(-9, 9), rng.int(-9, 9)), vec3(rng.int(-9, 9), 1, 2)];
    const ends: Four = [a, addScaled(a, u, 1), c, addScaled(c, u, k)];
    const found = closestPointsLineLine(...ends);
    check(found.s === 0 || (u.x === 0 && u.y === 0 && u.z === 0), 'at a');
    near(Math.sqrt(found.distanceSq), exactLines(ends).gap, 8 * U * 40, 'gap');
  });

  property('[R5.1.8] lines made to meet do, lines made to miss do not', 10_000, (rng) => {
    const { points, scale, size } = cloud(rng, 3, rng.pick(['plain', 'huge', 'tiny', 'far']));
    const [m, a, c] = points as [Vec3, Vec3, Vec3];
    const b = addScaled(a, sub(m, a), rng.range(0.1, 3));
    const d = addScaled(c, sub(m, c), rng.range(0.1, 3));
    const rounding = 1e-12 * scale;
    check(overlapLineLine(a, b, c, d, rounding), 'meet within rounding');
    if (scale === size) check(overlapLineLine(a, b, c, d), 'meet within the default');
    const { gap } = exactLines([a, b, vec3(c.x + size, c.y, c.z), vec3(d.x + size, d.y, d.z)]);
    const apart = overlapLineLine(a, b, vec3(c.x + size, c.y, c.z), vec3(d.x + size, d.y, d.z), rounding);
    check(gap < 2 * rounding || !apart, 'apart');
  });

  test('[R5.1.8] by hand', () => {
    const found = closestPointsLineLine(vec3(0, 0, 0), vec3(1, 0, 0), vec3(5, 7, 2), vec3(5, 8, 2));
    expect(found).toEqual({ a: vec3(5, 0, 0), b: vec3(5, 0, 2), distanceSq: 4, s: 5, t: -7 });
    const point = closestPointsLineLine(vec3(0, 3, 0), vec3(0, 3, 0), vec3(-1, 0, 0), vec3(1, 0, 0));
    expect(point).toMatchObject({ s: 0, t: 0.5, distanceSq: 9 });
    const other = closestPointsLineLine(vec3(-1, 0, 0), vec3(1, 0, 0), vec3(0, 3, 0), vec3(0, 3, 0));
    expect(other).toMatchObject({ s: 0.5, t: 0, distanceSq: 9 });
    expect(overlapLineLine(vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 0, 0.1), vec3(0, 1, 0.1))).toBe(false);
    expect(overlapLineLine(vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 0, 0.1), vec3(0, 1, 0.1), 0.1)).toBe(true);
  });

  test('refuses bad numbers', () => {
    const z = vec3();
    expect(() => closestPointsLineLine(z, vec3(0, Number.NaN, 0), z, z)).toThrow(/b\.y/);
    expect(() => overlapLineLine(z, z, z, z, -1)).toThrow(/tolerance/);
    expect(() => overlapLineLine(z, z, z, z, Number.NaN)).toThrow(/tolerance/);
  });
});

import { describe, expect, test } from 'vitest';
import { degeneratePoints, reach, span } from '../../../tests/kit/degenerate-points.ts';
import { exactPointSegment } from '../../../tests/kit/exact-distance.ts';
import { check, cloud, exact, near, property } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { distance, sub } from '../../math/vec3.ts';
import {
  closestParameterLine,
  closestParameterRay,
  closestParameterSegment,
  closestPointLine,
  closestPointRay,
  closestPointSegment,
  distanceSqPointLine,
  distanceSqPointRay,
  distanceSqPointSegment,
} from './linear.ts';

const U = 2 ** -53;

/** Distance from the points a + t ab, t >= low, in rational arithmetic. */
function exactDistance(p: Vec3, a: Vec3, ab: exact.QVec, low: 'ray' | 'line'): number {
  const ap = exact.vsub(exact.qv(p), exact.qv(a));
  const along = exact.vdot(ap, ab);
  const gap = exact.vdot(ap, ap);
  const start = exact.vzero(ab) || (low === 'ray' && exact.sign(along) <= 0);
  const cut = start ? exact.ZERO : exact.div(exact.mul(along, along), exact.vdot(ab, ab));
  return Math.sqrt(exact.toNumber(exact.sub(gap, cut)));
}

describe('point and segment, ray, line', () => {
  property('[R5.1.2] segment: distance, point and parameter = exact arithmetic', 20_000, (rng) => {
    const [p, a, b] = degeneratePoints(rng, cloud(rng, 3)) as [Vec3, Vec3, Vec3];
    const size = span([p, a, b]);
    const wanted = exactPointSegment(p, a, b);
    const sq = distanceSqPointSegment(p, a, b);
    check(sq >= 0, 'never negative');
    near(Math.sqrt(sq), wanted, 6 * U * size, 'distance');
    const t = closestParameterSegment(p, a, b);
    check(t >= 0 && t <= 1, 't in [0, 1]');
    const q = closestPointSegment(p, a, b);
    // The point itself is rounded to the grid of the coordinates.
    const grid = 4 * U * reach([p, a, b]);
    near(distance(p, q), wanted, 6 * U * size + grid, 'distance of the point');
    near(exactPointSegment(q, a, b), 0, grid + 4 * U * size, 'distance of the point from the segment');
    for (const axis of ['x', 'y', 'z'] as const)
      near(q[axis], a[axis] + t * (b[axis] - a[axis]), grid + 4 * U * size, `point at t, ${axis}`);
    check(closestPointSegment(p, a, b, p) === p && p.x === q.x && p.z === q.z, 'out may be p');
  });

  property('[R5.1.2] segment: no sampled point is closer', 100_000, (rng) => {
    const [p, a, b] = cloud(rng, 3).points as [Vec3, Vec3, Vec3];
    const found = Math.sqrt(distanceSqPointSegment(p, a, b));
    for (let i = 0; i <= 8; i++) {
      const t = i / 8;
      const s = { x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y), z: a.z + t * (b.z - a.z) };
      check(found <= distance(p, s) + 8 * U * reach([p, a, b]), () => `closer at ${t}`);
    }
  });

  property('[R5.1.2] ray: distance, point and parameter = exact arithmetic', 10_000, (rng) => {
    const [p, a, b] = degeneratePoints(rng, cloud(rng, 3)) as [Vec3, Vec3, Vec3];
    const ray = { origin: a, direction: sub(b, a) };
    const size = span([p, a, b]);
    const wanted = exactDistance(p, a, exact.qv(ray.direction), 'ray');
    const sq = distanceSqPointRay(p, ray);
    check(sq >= 0, 'never negative');
    near(Math.sqrt(sq), wanted, 8 * U * size, 'distance');
    const t = closestParameterRay(p, ray);
    check(t >= 0, 't >= 0');
    const q = closestPointRay(p, ray);
    near(distance(p, q), wanted, 8 * U * size + 4 * U * reach([p, a, b]), 'distance of the point');
    near(distance(q, a), t * distance(a, b), 8 * U * size + 4 * U * reach([p, a, b]), 'point at t');
  });

  property('[R5.1.2] [R3.5] line: distance, point and parameter = exact arithmetic', 10_000, (rng) => {
    const [p, a, b] = degeneratePoints(rng, cloud(rng, 3)) as [Vec3, Vec3, Vec3];
    const size = span([p, a, b]);
    const wanted = exactDistance(p, a, exact.qv(sub(b, a)), 'line');
    const sq = distanceSqPointLine(p, a, b);
    check(sq >= 0, 'never negative');
    near(Math.sqrt(sq), wanted, 8 * U * size, 'distance');
    const t = closestParameterLine(p, a, b);
    const q = closestPointLine(p, a, b);
    near(distance(p, q), wanted, 8 * U * size + 4 * U * reach([p, a, b]), 'distance of the point');
    near(distance(q, a), Math.abs(t) * distance(a, b), 8 * U * size + 4 * U * reach([p, a, b]), 'point at t');
  });

  test('[R5.1.2] a segment, ray or line of length zero is its point, at t = 0', () => {
    const p = vec3(1, 2, 3);
    const a = vec3(1, 0, 0);
    expect(closestParameterSegment(p, a, a)).toBe(0);
    expect(closestPointSegment(p, a, a)).toEqual(a);
    expect(closestParameterLine(p, a, a)).toBe(0);
    expect(distanceSqPointLine(p, a, a)).toBe(13);
    const ray = { origin: a, direction: vec3() };
    expect(closestParameterRay(p, ray)).toBe(0);
    expect(closestPointRay(p, ray)).toEqual(a);
    expect(distanceSqPointRay(p, ray)).toBe(13);
  });

  test('[R5.1.2] before the start, beyond the end, and in between', () => {
    const [a, b] = [vec3(0, 0, 0), vec3(4, 0, 0)];
    expect(closestPointSegment(vec3(-1, 1, 0), a, b)).toEqual(a);
    expect(closestPointSegment(vec3(9, 1, 0), a, b)).toEqual(b);
    expect(closestParameterSegment(vec3(1, 1, 0), a, b)).toBe(0.25);
    expect(closestParameterRay(vec3(9, 1, 0), { origin: a, direction: b })).toBe(2.25);
    expect(closestParameterLine(vec3(-4, 1, 0), a, b)).toBe(-1);
    expect(distanceSqPointSegment(vec3(7, 4, 0), a, b)).toBe(25);
  });

  test('numbers whose squares overflow still give a point of the segment', () => {
    const q = closestPointSegment(vec3(1e200, -1e200, 0), vec3(-1e200, 1e200, 1e200), vec3(1e200, 0, 0));
    expect(Number.isFinite(q.x + q.y + q.z)).toBe(true);
  });
});

import { describe, expect, test } from 'vitest';
import { degeneratePoints, nudge, reach, span } from '../../../tests/kit/degenerate-points.ts';
import {
  exactPointSegment,
  exactPointTriangle,
  exactSegmentTriangle,
} from '../../../tests/kit/exact-distance.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { distance, equals } from '../../math/vec3.ts';
import { closestPointsSegmentTriangle } from './segment-triangle.ts';

const U = 2 ** -53;
type Five = [Vec3, Vec3, Vec3, Vec3, Vec3];

function judge(points: Five): void {
  const [p, q, a, b, c] = points;
  const size = span(points);
  const grid = 4 * U * reach(points);
  const wanted = exactSegmentTriangle(p, q, a, b, c);
  const found = closestPointsSegmentTriangle(p, q, a, b, c);
  // Up to 16 U of |x| + |y| + |z| counts as contact.
  near(Math.sqrt(found.distanceSq), wanted, 32 * U * size, 'distance');
  near(distance(found.a, found.b), wanted, 32 * U * size + grid, 'distance of the points');
  near(exactPointSegment(found.a, p, q), 0, 32 * U * size + grid, 'distance of a from the segment');
  near(exactPointTriangle(found.b, a, b, c), 0, 32 * U * size + grid, 'distance of b from the triangle');
  if (wanted === 0) check(found.distanceSq === 0 && equals(found.a, found.b), 'they meet: 0 and one point');
}

describe('segment and triangle', () => {
  property('[R5.1.10] = exact minimum over ends, edges and piercing', 12_000, (rng) => {
    judge(degeneratePoints(rng, cloud(rng, 5)) as Five);
  });

  property('[R5.1.10] = exact minimum when parallel or nearly so', 10_000, (rng) => {
    const { points, size } = cloud(rng, 4);
    const [a, b, c, p] = points as [Vec3, Vec3, Vec3, Vec3];
    const [s, t] = [rng.range(-2, 2), rng.range(-2, 2)];
    const q = vec3(
      p.x + s * (b.x - a.x) + t * (c.x - a.x),
      p.y + s * (b.y - a.y) + t * (c.y - a.y),
      p.z + s * (b.z - a.z) + t * (c.z - a.z),
    );
    judge([p, nudge(rng, q, rng.chance(0.3) ? 0 : size * 10 ** -rng.range(0, 18)), a, b, c]);
  });

  property('[R5.1.10] through a point of the triangle: 0, and the points are equal', 10_000, (rng) => {
    const { points, regime } = cloud(rng, 4, rng.pick(['plain', 'huge', 'tiny']));
    const [a, b, c, p] = points as [Vec3, Vec3, Vec3, Vec3];
    const through = vec3();
    const [u, v] = [rng.range(0.05, 0.9), rng.range(0.01, 0.09)];
    for (const axis of ['x', 'y', 'z'] as const)
      through[axis] = (1 - u - v) * a[axis] + u * b[axis] + v * c[axis];
    const q = vec3(2 * through.x - p.x, 2 * through.y - p.y, 2 * through.z - p.z);
    const found = closestPointsSegmentTriangle(p, q, a, b, c);
    check(
      found.distanceSq === 0 && equals(found.a, found.b),
      () => `apart by ${found.distanceSq} (${regime})`,
    );
  });

  test('[R5.1.10] no sampled pair is closer', () => {
    const [p, q] = [vec3(3, -1, 1), vec3(0, 3, 2)];
    const [a, b, c] = [vec3(0, 0, 0), vec3(2, 0, 0.5), vec3(0, 2, 0)];
    const found = Math.sqrt(closestPointsSegmentTriangle(p, q, a, b, c).distanceSq);
    let least = Infinity;
    for (let i = 0; i <= 60; i++)
      for (let j = 0; j <= 60; j++)
        for (let k = 0; j + k <= 60; k++) {
          const [s, v, w] = [i / 60, j / 60, k / 60];
          const x = p.x + s * (q.x - p.x) - v * b.x - w * c.x;
          const y = p.y + s * (q.y - p.y) - v * b.y - w * c.y;
          const z = p.z + s * (q.z - p.z) - v * b.z - w * c.z;
          least = Math.min(least, Math.hypot(x, y, z));
        }
    expect(found).toBeLessThanOrEqual(least);
    expect(found).toBeGreaterThan(least - 1e-3);
  });

  test('[R5.1.10] by hand: over the face, over an edge, off a corner, in the plane', () => {
    const [a, b, c] = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)];
    const found = closestPointsSegmentTriangle(vec3(1, 1, 2), vec3(1, 1, 5), a, b, c);
    expect(found).toEqual({ a: vec3(1, 1, 2), b: vec3(1, 1, 0), distanceSq: 4 });
    expect(closestPointsSegmentTriangle(vec3(1, -1, -3), vec3(1, -1, 3), a, b, c).distanceSq).toBe(1);
    expect(closestPointsSegmentTriangle(vec3(-3, 0, 4), vec3(-3, 0, 9), a, b, c)).toMatchObject({
      b: a,
      distanceSq: 25,
    });
    expect(closestPointsSegmentTriangle(vec3(-3, 1, 0), vec3(9, 1, 0), a, b, c).distanceSq).toBe(0);
    expect(closestPointsSegmentTriangle(vec3(-3, 1, 2), vec3(9, 1, 2), a, b, c).distanceSq).toBe(4);
    expect(closestPointsSegmentTriangle(vec3(1, 1, 7), vec3(1, 1, 7), a, b, c).distanceSq).toBe(49);
    expect(() => closestPointsSegmentTriangle(a, b, a, vec3(Number.NaN), c)).toThrow(/b\.x/);
  });

  property('out may be made of the inputs', 1000, (rng) => {
    const points = degeneratePoints(rng, cloud(rng, 5)) as Five;
    const wanted = closestPointsSegmentTriangle(...points);
    const own = points.map((x) => ({ ...x })) as Five;
    const out = { a: own[2], b: rng.pick([own[0], own[1], own[3], own[4]]), distanceSq: 0 };
    closestPointsSegmentTriangle(...own, out);
    check(JSON.stringify(out) === JSON.stringify(wanted), 'aliased');
  });
});

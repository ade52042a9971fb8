import { describe, expect, test } from 'vitest';
import { degeneratePoints, nudge, reach, span } from '../../../tests/kit/degenerate-points.ts';
import { exactPointTriangle, exactTriangleTriangle } from '../../../tests/kit/exact-distance.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { distance, equals } from '../../math/vec3.ts';
import { closestPointsTriangleTriangle } from './triangle-triangle.ts';

const U = 2 ** -53;
type Six = [Vec3, Vec3, Vec3, Vec3, Vec3, Vec3];

function judge(points: Six): void {
  const [a, b, c, d, e, f] = points;
  const size = span(points);
  const grid = 4 * U * reach(points);
  const wanted = exactTriangleTriangle(...points);
  const found = closestPointsTriangleTriangle(...points);
  // Up to 16 U of |x| + |y| + |z| counts as contact.
  near(Math.sqrt(found.distanceSq), wanted, 32 * U * size, 'distance');
  near(distance(found.a, found.b), wanted, 32 * U * size + grid, 'distance of the points');
  near(exactPointTriangle(found.a, a, b, c), 0, 32 * U * size + grid, 'distance of a from the first');
  near(exactPointTriangle(found.b, d, e, f), 0, 32 * U * size + grid, 'distance of b from the second');
  if (wanted === 0) check(found.distanceSq === 0 && equals(found.a, found.b), 'they meet: 0 and one point');
  const swapped = closestPointsTriangleTriangle(d, e, f, a, b, c);
  near(Math.sqrt(swapped.distanceSq), wanted, 32 * U * size, 'swapped');
}

describe('two triangles', () => {
  property('[R5.1.11] = exact minimum of the convex program', 10_000, (rng) => {
    judge(degeneratePoints(rng, cloud(rng, 6)) as Six);
  });

  property('[R5.1.11] = exact minimum for triangles in parallel planes, or nearly', 3000, (rng) => {
    const { points, size } = cloud(rng, 4);
    const [a, b, c, o] = points as [Vec3, Vec3, Vec3, Vec3];
    const from = rng.pick([a, o]);
    const at = () => {
      const [s, t] = [rng.range(-1, 1), rng.range(-1, 1)];
      const p = vec3(
        from.x + s * (b.x - a.x) + t * (c.x - a.x),
        from.y + s * (b.y - a.y) + t * (c.y - a.y),
        from.z + s * (b.z - a.z) + t * (c.z - a.z),
      );
      return nudge(rng, p, rng.chance(0.3) ? 0 : size * 10 ** -rng.range(0, 18));
    };
    judge([a, b, c, at(), at(), at()]);
  });

  test('[R5.1.11] pierced by an edge whose ends and all corners are far away', () => {
    const [a, b, c] = [vec3(-4, -4, 0), vec3(4, -4, 0), vec3(0, 4, 0)];
    const found = closestPointsTriangleTriangle(a, b, c, vec3(0, 0, -9), vec3(0, 0, 9), vec3(30, 0, 0));
    expect(found.distanceSq).toBe(0);
    expect(found.a).toEqual(found.b);
  });

  test('[R5.1.11] by hand: face over corner, edge over edge, nested in one plane, flat and point triangles', () => {
    const [a, b, c] = [vec3(0, 0, 0), vec3(8, 0, 0), vec3(0, 8, 0)];
    const over = closestPointsTriangleTriangle(a, b, c, vec3(1, 1, 2), vec3(1, 5, 9), vec3(5, 1, 9));
    expect(over).toEqual({ a: vec3(1, 1, 0), b: vec3(1, 1, 2), distanceSq: 4 });
    const edges = closestPointsTriangleTriangle(a, b, c, vec3(4, -3, -5), vec3(4, -3, 5), vec3(4, -9, 0));
    expect(edges.distanceSq).toBe(9);
    const nested = closestPointsTriangleTriangle(a, b, c, vec3(1, 1, 0), vec3(2, 1, 0), vec3(1, 2, 0));
    expect(nested.distanceSq).toBe(0);
    expect(
      closestPointsTriangleTriangle(vec3(1, 1, 0), vec3(2, 1, 0), vec3(1, 2, 0), a, b, c).distanceSq,
    ).toBe(0);
    const p = vec3(2, 2, 3);
    expect(closestPointsTriangleTriangle(p, p, p, a, b, c).distanceSq).toBe(9);
    const flat = closestPointsTriangleTriangle(a, b, c, vec3(1, 1, -1), vec3(1, 1, 5), vec3(1, 1, 2));
    expect(flat.distanceSq).toBe(0);
    expect(() => closestPointsTriangleTriangle(a, b, c, a, b, vec3(0, 0, Infinity))).toThrow(/f\.z/);
  });
});

/** Points that a hull without slivers can be made of. */
import { exponent, scalb } from '../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';

/**
 * Copies of the points, rounded to a grid of some 2^-45 of their extent. Points that were computed are off a common
 * plane or line by an ulp or so, and the exact hull of such points has slivers as thin as that. Their planes are right,
 * but they are faces that every query pays for: on the grid most of them are gone (a torus in 16 parts has 360 faces,
 * otherwise 438).
 */
export function snapPoints(points: readonly ReadonlyVec3[]): Vec3[] {
  const { x: ox, y: oy, z: oz } = points[0]!;
  let size = 0;
  for (const { x, y, z } of points)
    size = Math.max(size, Math.abs(x - ox), Math.abs(y - oy), Math.abs(z - oz));
  if (size === 0) return points.map(({ x, y, z }) => vec3(x, y, z));
  const grid = scalb(1, exponent(size) - 44);
  const snap = (x: number): number => Math.round(x / grid) * grid;
  return points.map(({ x, y, z }) => vec3(snap(x), snap(y), snap(z)));
}

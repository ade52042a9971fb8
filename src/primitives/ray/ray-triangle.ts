import type { ReadonlyVec3 } from '../../math/types.ts';
import type { ReadonlyRay, TriangleHit } from '../types.ts';
import { makeRay } from '../types.ts';
import { rayBetween, refuseRange } from './hit.ts';
import { pierceTriangle } from './pierce-triangle.ts';

/**
 * Where a ray hits the triangle abc, from either side. The normal looks back at the side the ray comes from.
 *
 * Whether it hits is decided exactly: a ray through an edge or a corner hits, all triangles there are told the same,
 * and no ray slips between triangles that share edges. The time t is rounded; an origin on the triangle gives 0.
 * A ray in the plane of the triangle, or a triangle without area, does not count as a hit: in a closed mesh, the
 * neighbours beyond the edges report it. RTCD §5.3.6, §11.3.3.
 */
export function rayTriangle(
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  tMax = Infinity,
  out?: TriangleHit,
): TriangleHit | null {
  if (!(tMax >= 0)) refuseRange('rayTriangle', 'tMax', tMax);
  return pierceTriangle('rayTriangle', ray, a, b, c, 0, tMax, false, null, out);
}

/**
 * Lines, rays and segments against a triangle. Whether they hit is decided exactly: through an edge or a corner is a
 * hit, all triangles there are told the same, and nothing slips between triangles that share edges (RTCD §11.3.3).
 * The time t is rounded afterwards, and the point lies on the triangle. A line in the plane of the triangle crosses
 * it nowhere, and a triangle without area is never hit: in a closed mesh, the neighbours beyond the edges report it.
 * A direction of zero is a point, which hits the triangle that contains it.
 *
 * The decisions hold for coordinates that are zero or between 1e-60 and 1e60 in size.
 */
import type { ReadonlyVec3 } from '../../math/types.ts';
import { checkRange, checkSegment } from '../input.ts';
import type { ReadonlyRay, TriangleHit } from '../types.ts';
import { makeRay } from '../types.ts';
import { rayBetween } from './hit.ts';
import { pierceUnchecked } from './pierce-triangle.ts';

const segment = makeRay();

/**
 * Where a ray hits the triangle abc, from either side; the normal looks to the side the ray comes from. Decided
 * exactly, so that no ray slips through a closed mesh; a ray in the plane of the triangle misses. RTCD §5.3.6.
 */
export function rayTriangle(
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  tMax = Infinity,
  out?: TriangleHit,
): TriangleHit | null {
  checkRange('rayTriangle', tMax);
  return pierceUnchecked('rayTriangle', ray, a, b, c, 0, tMax, false, null, out);
}

/** As `rayTriangle`, but only from the front, whence abc is seen counter-clockwise. */
export function rayTriangleFront(
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  tMax = Infinity,
  out?: TriangleHit,
): TriangleHit | null {
  checkRange('rayTriangleFront', tMax);
  return pierceUnchecked('rayTriangleFront', ray, a, b, c, 0, tMax, true, null, out);
}

/**
 * Where the segment from p to q hits the triangle abc, from either side, with t in [0, 1]. Decided exactly, ends on
 * the triangle included. A segment in its plane misses, but for one of length zero on the triangle. RTCD §5.3.6.
 */
export function segmentTriangle(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: TriangleHit,
): TriangleHit | null {
  checkSegment('segmentTriangle', p, q);
  return pierceUnchecked('segmentTriangle', rayBetween(p, q, segment), a, b, c, 0, 1, false, q, out);
}

/** As `segmentTriangle`, but only from the front, whence abc is seen counter-clockwise. */
export function segmentTriangleFront(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: TriangleHit,
): TriangleHit | null {
  checkSegment('segmentTriangleFront', p, q);
  return pierceUnchecked('segmentTriangleFront', rayBetween(p, q, segment), a, b, c, 0, 1, true, q, out);
}

/** Where a line, infinite both ways, pierces the triangle abc, from either side; t may be negative. RTCD §5.3.4. */
export function lineTriangle(
  line: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: TriangleHit,
): TriangleHit | null {
  return pierceUnchecked('lineTriangle', line, a, b, c, -Infinity, Infinity, false, null, out);
}

/** As `lineTriangle`, but only for a line that runs against the normal of abc. */
export function lineTriangleFront(
  line: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: TriangleHit,
): TriangleHit | null {
  return pierceUnchecked('lineTriangleFront', line, a, b, c, -Infinity, Infinity, true, null, out);
}

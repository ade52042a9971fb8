/** The closest points of a segment and a triangle. RTCD §5.1.10. */
import { checkPoint } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { PointPair } from '../types.ts';
import { makePointPair } from '../types.ts';
import {
  begin,
  considerPoint,
  considerSegments,
  load,
  makeSearch,
  measure,
  meets,
  normalOf,
  planeCrossing,
  report,
} from './pair-search.ts';

/**
 * The closest points of segment pq and triangle abc. If they meet (to rounding: within 2e-15 of their size) the
 * distance is 0 and both points are one they share. Where a parallel segment leaves a choice, any pair is reported.
 */
export function closestPointsSegmentTriangle(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: PointPair = makePointPair(),
): PointPair {
  checkPoint('closestPointsSegmentTriangle', 'p', p);
  checkPoint('closestPointsSegmentTriangle', 'q', q);
  checkPoint('closestPointsSegmentTriangle', 'a', a);
  checkPoint('closestPointsSegmentTriangle', 'b', b);
  checkPoint('closestPointsSegmentTriangle', 'c', c);
  return closestSegmentTriangle(p, q, a, b, c, out);
}

const P = vec3();
const Q = vec3();
const A = vec3(); // stays 0
const B = vec3();
const C = vec3();
const normal = vec3();
const heights = [0.5, 0.5];
const best = makeSearch();

/**
 * `closestPointsSegmentTriangle` without the checks.
 *
 * The closest pair is a point where the segment goes through the triangle, or on an edge, or an end of the segment
 * over the face. Of the ends only the one nearer to the plane can be: from the other the distance falls along the
 * segment.
 * @internal
 */
export function closestSegmentTriangle(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: PointPair,
): PointPair {
  begin(best);
  load(p, a, P, best);
  load(q, a, Q, best);
  load(b, a, B, best);
  load(c, a, C, best);
  normalOf(B, C, normal);
  measure(P, A, normal, heights, 0);
  measure(Q, A, normal, heights, 1);
  const crossing = planeCrossing(P, Q, heights, 0, 1);
  if (crossing) considerPoint(crossing, A, B, C, true, best);
  if (!meets(best)) {
    considerPoint(Math.abs(heights[0]!) <= Math.abs(heights[1]!) ? P : Q, A, B, C, true, best);
    considerSegments(P, Q, A, B, best);
    considerSegments(P, Q, B, C, best);
    considerSegments(P, Q, C, A, best);
  }
  return report(best, a, out);
}

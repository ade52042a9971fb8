/** The closest points of two triangles. RTCD §5.1.11. */
import { checkPoint } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { sub } from '../../math/vec3.ts';
import type { PointPair } from '../types.ts';
import { makePointPair } from '../types.ts';
import {
  begin,
  load,
  makeSearch,
  measure,
  meets,
  normalOf,
  offerCrossing,
  offerPoint,
  offerSegments,
  report,
} from './pair-search.ts';

/**
 * The closest points of triangles abc and def. If they meet (to rounding: within 2e-15 of their size) the distance
 * is 0 and both points are one they share. Where parallel parts leave a choice, any pair is reported.
 */
export function closestPointsTriangleTriangle(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
  f: ReadonlyVec3,
  out: PointPair = makePointPair(),
): PointPair {
  checkPoint('closestPointsTriangleTriangle', 'a', a);
  checkPoint('closestPointsTriangleTriangle', 'b', b);
  checkPoint('closestPointsTriangleTriangle', 'c', c);
  checkPoint('closestPointsTriangleTriangle', 'd', d);
  checkPoint('closestPointsTriangleTriangle', 'e', e);
  checkPoint('closestPointsTriangleTriangle', 'f', f);
  return nearestTriangleTriangle(a, b, c, d, e, f, out);
}

/** A triangle relative to a, and the heights of its corners over the plane of the other. */
interface Side {
  readonly corners: readonly [Vec3, Vec3, Vec3];
  readonly normal: Vec3;
  readonly heights: [number, number, number];
}

const makeSide = (): Side => ({
  corners: [vec3(), vec3(), vec3()],
  normal: vec3(),
  heights: [0.5, 0.5, 0.5],
});
const one = makeSide();
const two = makeSide();
const edge0 = vec3();
const edge1 = vec3();
const best = makeSearch();

/**
 * `closestPointsTriangleTriangle` without the checks.
 *
 * Triangles that meet have an edge of one through the other, or lie in one plane. Otherwise the closest pair is on two
 * edges, or a corner over the other's face; and that corner is the one nearest to that plane, since from any other
 * the distance falls towards it.
 * @internal
 */
export function nearestTriangleTriangle(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
  f: ReadonlyVec3,
  out: PointPair,
): PointPair {
  const [A, B, C] = one.corners; // A stays 0
  const [D, E, F] = two.corners;
  begin(best);
  load(b, a, B, best);
  load(c, a, C, best);
  load(d, a, D, best);
  load(e, a, E, best);
  load(f, a, F, best);
  normalOf(B, C, one.normal);
  normalOf(sub(E, D, edge0), sub(F, D, edge1), two.normal);
  measureSide(one, D, two.normal);
  measureSide(two, A, one.normal);
  if (straddles(one) && straddles(two)) {
    offerCrossings(one, two, true);
    offerCrossings(two, one, false);
  }
  if (!meets(best)) {
    offerPoint(lowest(one), D, E, F, true, best);
    offerPoint(lowest(two), A, B, C, false, best);
    offerEdge(A, B);
    offerEdge(B, C);
    offerEdge(C, A);
  }
  return report(best, a, out);
}

// Three times the same, and no loop: what has none is never left by V8 (11, of Node 20) in code for its loop alone.

function measureSide({ corners, heights }: Side, on: ReadonlyVec3, normal: ReadonlyVec3): void {
  measure(corners[0], on, normal, heights, 0);
  measure(corners[1], on, normal, heights, 1);
  measure(corners[2], on, normal, heights, 2);
}

/** An edge of the first triangle against those of the second. */
function offerEdge(p: ReadonlyVec3, q: ReadonlyVec3): void {
  const [d, e, f] = two.corners;
  offerSegments(p, q, d, e, best);
  offerSegments(p, q, e, f, best);
  offerSegments(p, q, f, d, best);
}

/** Are the corners not all strictly on one side of the other's plane? */
function straddles({ heights }: Side): boolean {
  const h0 = heights[0];
  const h1 = heights[1];
  const h2 = heights[2];
  return !((h0 > 0 && h1 > 0 && h2 > 0) || (h0 < 0 && h1 < 0 && h2 < 0));
}

/** The corner nearest to the other's plane. */
function lowest({ corners, heights }: Side): Vec3 {
  const h0 = Math.abs(heights[0]);
  const h1 = Math.abs(heights[1]);
  const h2 = Math.abs(heights[2]);
  return corners[h0 <= h1 && h0 <= h2 ? 0 : h1 <= h2 ? 1 : 2];
}

/** The edges of one triangle through the other, up to the first that meets it. */
function offerCrossings({ corners, heights }: Side, face: Side, edgesFirst: boolean): void {
  const [a, b, c] = face.corners;
  for (let i = 0; i < 3 && !meets(best); i++) {
    const j = (i + 1) % 3;
    offerCrossing(corners[i]!, corners[j]!, heights, i, j, a, b, c, edgesFirst, best);
  }
}

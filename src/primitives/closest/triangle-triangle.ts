/** The closest points of two triangles. RTCD §5.1.11. */
import { checkPoint } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { sub } from '../../math/vec3.ts';
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
  loadFirst(a, b, c);
  loadSecond(d, e, f, a);
  return search(a, out);
}

/** A triangle relative to a, and the heights of its corners over the plane of the other. */
interface LoadedTriangle {
  readonly corners: readonly [Vec3, Vec3, Vec3];
  readonly normal: Vec3;
  readonly heights: [number, number, number];
}

const makeLoaded = (): LoadedTriangle => ({
  corners: [vec3(), vec3(), vec3()],
  normal: vec3(),
  heights: [0.5, 0.5, 0.5],
});
const one = makeLoaded();
const two = makeLoaded();
const edge0 = vec3();
const edge1 = vec3();
const best = makeSearch();

/** Of the corners a, b, c of a triangle. @internal */
export interface ReadonlyCorners {
  readonly a: ReadonlyVec3;
  readonly b: ReadonlyVec3;
  readonly c: ReadonlyVec3;
}

/** `closestPointsTriangleTriangle` without the checks. @internal */
export function closestTriangleTriangle(
  first: ReadonlyCorners,
  second: ReadonlyCorners,
  out: PointPair,
): PointPair {
  loadFirst(first.a, first.b, first.c);
  loadSecond(second.a, second.b, second.c, first.a);
  return search(first.a, out);
}

function loadFirst(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): void {
  begin(best); // corner 0 of the first stays 0
  load(b, a, one.corners[1], best);
  load(c, a, one.corners[2], best);
}

function loadSecond(d: ReadonlyVec3, e: ReadonlyVec3, f: ReadonlyVec3, origin: ReadonlyVec3): void {
  load(d, origin, two.corners[0], best);
  load(e, origin, two.corners[1], best);
  load(f, origin, two.corners[2], best);
}

/**
 * Triangles that meet have an edge of one through the other, or lie in one plane. Otherwise the closest pair is on two
 * edges, or a corner over the other's face; and that corner is the one nearest to that plane, since from any other
 * the distance falls towards it.
 */
function search(origin: ReadonlyVec3, out: PointPair): PointPair {
  const [A, B, C] = one.corners;
  const [D, E, F] = two.corners;
  normalOf(B, C, one.normal);
  normalOf(sub(E, D, edge0), sub(F, D, edge1), two.normal);
  measureCorners(one, D, two.normal);
  measureCorners(two, A, one.normal);
  if (straddles(one) && straddles(two)) {
    considerCrossings(one, two, true);
    considerCrossings(two, one, false);
  }
  if (!meets(best)) {
    considerPoint(lowest(one), D, E, F, true, best);
    considerPoint(lowest(two), A, B, C, false, best);
    considerEdges(A, B);
    considerEdges(B, C);
    considerEdges(C, A);
  }
  return report(best, origin, out);
}

// Three times the same, and no loop: what has none is never left by V8 (11, of Node 20) in code for its loop alone.

function measureCorners({ corners, heights }: LoadedTriangle, on: ReadonlyVec3, normal: ReadonlyVec3): void {
  measure(corners[0], on, normal, heights, 0);
  measure(corners[1], on, normal, heights, 1);
  measure(corners[2], on, normal, heights, 2);
}

/** An edge of the first triangle against those of the second. */
function considerEdges(p: ReadonlyVec3, q: ReadonlyVec3): void {
  const [d, e, f] = two.corners;
  considerSegments(p, q, d, e, best);
  considerSegments(p, q, e, f, best);
  considerSegments(p, q, f, d, best);
}

/** Are the corners not all strictly on one side of the other's plane? */
function straddles({ heights }: LoadedTriangle): boolean {
  const h0 = heights[0];
  const h1 = heights[1];
  const h2 = heights[2];
  return !((h0 > 0 && h1 > 0 && h2 > 0) || (h0 < 0 && h1 < 0 && h2 < 0));
}

/** The corner nearest to the other's plane. */
function lowest({ corners, heights }: LoadedTriangle): Vec3 {
  const h0 = Math.abs(heights[0]);
  const h1 = Math.abs(heights[1]);
  const h2 = Math.abs(heights[2]);
  return corners[h0 <= h1 && h0 <= h2 ? 0 : h1 <= h2 ? 1 : 2];
}

/** The edges of one triangle through the other, up to the first that meets it. */
function considerCrossings(
  { corners, heights }: LoadedTriangle,
  face: LoadedTriangle,
  edgesFirst: boolean,
): void {
  const [a, b, c] = face.corners;
  for (let i = 0; i < 3 && !meets(best); i++) {
    const j = (i + 1) % 3;
    const crossing = planeCrossing(corners[i]!, corners[j]!, heights, i, j);
    if (crossing) considerPoint(crossing, a, b, c, edgesFirst, best);
  }
}

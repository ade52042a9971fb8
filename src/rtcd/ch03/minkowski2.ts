/**
 * Minkowski sums and differences of convex polygons. RTCD §3.11. A polygon is a list of corners, strictly convex and
 * counter-clockwise, as `convexHull2` gives them; a single point and the two ends of a segment count as polygons too.
 *
 * For paths of a polygon in the plane, and to draw configuration space. Production never builds a sum: GJK
 * (`convex/gjk.ts`) works with support maps.
 */
import { refuse } from '../../math/check.ts';
import { orient2d } from '../../math/orient.ts';
import type { ReadonlyVec2, Vec2 } from '../../math/types.ts';
import { readPoints2 } from '../../polytope/input.ts';
import { crossSign } from './exact-sign.ts';
import { turnOfConvex } from './polygon.ts';

type Polygon = readonly ReadonlyVec2[];

/**
 * A ⊕ B = { a + b }: its corners, counter-clockwise from the lowest (the leftmost of several). Which corners add up is
 * decided exactly; the sums are rounded. Throws when a polygon is not convex. O(n + m). RTCD §3.11.
 */
export function minkowskiSum2(a: Polygon, b: Polygon): Vec2[] {
  mustBeConvex('minkowskiSum2', 'a', a);
  mustBeConvex('minkowskiSum2', 'b', b);
  return cornersOfSum(a, b).map(([p, q]) => ({ x: p.x + q.x, y: p.y + q.y }));
}

/**
 * A ⊖ B = { a - b }, like `minkowskiSum2`. Its point closest to the origin is as far from it as A and B are from each
 * other. RTCD §3.11.
 */
export function minkowskiDifference2(a: Polygon, b: Polygon): Vec2[] {
  mustBeConvex('minkowskiDifference2', 'a', a);
  mustBeConvex('minkowskiDifference2', 'b', b);
  return cornersOfSum(a, b.map(negated)).map(([p, q]) => ({ x: p.x + q.x, y: p.y + q.y }));
}

/**
 * Do two convex polygons share a point? They do exactly when A ⊖ B contains the origin: when it lies outside none of
 * the edges. This is asked without rounding the corners. The origin lies to the left of an edge pp' - b that comes from
 * A when b lies to the left of pp'; and likewise for those from B. Throws when a polygon is not convex. O(n + m).
 * RTCD §3.11.
 */
export function overlapConvexPolygons2(a: Polygon, b: Polygon): boolean {
  mustBeConvex('overlapConvexPolygons2', 'a', a);
  mustBeConvex('overlapConvexPolygons2', 'b', b);
  const both = readPoints2('overlapConvexPolygons2', [...a, ...b]); // at one scale
  const ownA = both.slice(0, a.length);
  const ownB = both.slice(a.length);
  // When the difference is a segment or a point, its edges do not bound it, but the boxes do.
  if (!boundsOverlap(ownA, ownB)) return false;
  return cornersOfSum(ownA, ownB.map(negated)).every(([p, q], k, all) => {
    const [pNext, qNext] = all[(k + 1) % all.length]!;
    return p !== pNext ? orient2d(p, pNext, negated(q)) >= 0 : orient2d(negated(q), negated(qNext), p) >= 0;
  });
}

const negated = (p: ReadonlyVec2): Vec2 => ({ x: -p.x, y: -p.y });

function mustBeConvex(caller: string, name: string, polygon: Polygon): void {
  const p = readPoints2(caller, polygon, name);
  const convex =
    p.length < 3 ? p.length === 1 || p[0]!.x !== p[1]!.x || p[0]!.y !== p[1]!.y : turnOfConvex(p) === 1;
  if (!convex) refuse(caller, name, 'must be strictly convex and counter-clockwise: see convexHull2');
}

function boundsOverlap(a: Polygon, b: Polygon): boolean {
  return (['x', 'y'] as const).every(
    (axis) =>
      lowest(a, axis) <= -lowest(b.map(negated), axis) && lowest(b, axis) <= -lowest(a.map(negated), axis),
  );
}

function lowest(polygon: Polygon, axis: 'x' | 'y'): number {
  let low = Infinity;
  for (const p of polygon) low = Math.min(low, p[axis]);
  return low;
}

/**
 * The corners of the sum, as pairs of corners. Its edges are those of both polygons by ascending angle, parallel ones
 * joined to one: both lists are sorted already when they start at the lowest corner, so merging is enough.
 */
function cornersOfSum(a: Polygon, b: Polygon): [ReadonlyVec2, ReadonlyVec2][] {
  const startA = start(a);
  const startB = start(b);
  const p = (i: number) => a[(startA + i) % a.length]!;
  const q = (j: number) => b[(startB + j) % b.length]!;
  const edgesA = a.length > 1 ? a.length : 0;
  const edgesB = b.length > 1 ? b.length : 0;
  const corners: [ReadonlyVec2, ReadonlyVec2][] = [[p(0), q(0)]];
  let i = 0;
  let j = 0;
  while (i < edgesA || j < edgesB) {
    const order = i === edgesA ? 1 : j === edgesB ? -1 : compareAngles(p(i), p(i + 1), q(j), q(j + 1));
    if (order <= 0) i++;
    if (order >= 0) j++;
    corners.push([p(i), q(j)]);
  }
  // The last edge leads back to where the first began.
  if (corners.length > 1) corners.pop();
  return corners;
}

/** The lowest corner, the leftmost of several. */
function start(polygon: Polygon): number {
  let best = 0;
  for (let i = 1; i < polygon.length; i++) {
    const { x, y } = polygon[i]!;
    if (y < polygon[best]!.y || (y === polygon[best]!.y && x < polygon[best]!.x)) best = i;
  }
  return best;
}

/** Which of the directions ab and cd comes first, counter-clockwise from that of x? Negative: ab; 0: they are equal. */
function compareAngles(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, d: ReadonlyVec2): number {
  return halfTurn(a, b) - halfTurn(c, d) || -crossSign(a, b, c, d);
}

/** 0 for directions from that of x up to but not including that of -x, else 1. */
const halfTurn = (a: ReadonlyVec2, b: ReadonlyVec2): number =>
  b.y > a.y || (b.y === a.y && b.x > a.x) ? 0 : 1;

/**
 * Facts about polygons, given by their corners in order: simple, convex, as half-planes. RTCD §3.7.
 *
 * To check polygons before they are used. The shape `polygon` has its own check, `mesh/flat-convex.ts`, and
 * triangulation `mesh/triangulate.ts`.
 */
import { ANY_FINITE, checkPoint, checkPoint2, checkPoints, checkPoints2, refuse } from '../../math/check.ts';
import { orient2d } from '../../math/orient.ts';
import type { ReadonlyVec2, ReadonlyVec3 } from '../../math/types.ts';
import { affineBasis, dropAxis, facingAxis } from '../../polytope/affine.ts';
import { readPoints2, readPoints3 } from '../../polytope/input.ts';
import type { HalfPlane } from '../../polytope/types.ts';

/**
 * Do the edges of a polygon meet nowhere but at the corner that neighbours share? False for fewer than three corners,
 * for repeated corners and for an edge that folds back on the one before. Exact. O(n²). RTCD §3.7.
 */
export function isSimplePolygon2(polygon: readonly ReadonlyVec2[]): boolean {
  checkPoints2('isSimplePolygon2', 'polygon', polygon, ANY_FINITE);
  const p = readPoints2('isSimplePolygon2', polygon, 'polygon');
  const n = p.length;
  if (n < 3) return false;
  for (let i = 0; i < n; i++) {
    const a = p[i]!;
    const b = p[(i + 1) % n]!;
    const c = p[(i + 2) % n]!;
    if (orient2d(a, b, c) === 0 && !isBetween(a, b, c)) return false;
    // The edges beyond the next; for the first edge the last of all is a neighbour too.
    for (let j = i + 2; j < n - (i === 0 ? 1 : 0); j++)
      if (segmentsMeet(a, b, p[j]!, p[(j + 1) % n]!)) return false;
  }
  return true;
}

/** Of three points on a line: does b lie between a and c, at neither? */
const isBetween = (a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): boolean =>
  isOrdered(a.x, b.x, c.x) || isOrdered(a.y, b.y, c.y);

const isOrdered = (a: number, b: number, c: number): boolean => (a < b && b < c) || (a > b && b > c);

/** Do the closed segments ab and cd share a point? */
function segmentsMeet(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, d: ReadonlyVec2): boolean {
  if (!rangesMeet(a.x, b.x, c.x, d.x) || !rangesMeet(a.y, b.y, c.y, d.y)) return false;
  return !sameSide(orient2d(a, b, c), orient2d(a, b, d)) && !sameSide(orient2d(c, d, a), orient2d(c, d, b));
}

const rangesMeet = (a: number, b: number, c: number, d: number): boolean =>
  Math.max(a, b) >= Math.min(c, d) && Math.max(c, d) >= Math.min(a, b);

const sameSide = (s: number, t: number): boolean => (s > 0 && t > 0) || (s < 0 && t < 0);

/**
 * The half-planes, one per edge in order, whose intersection is a convex polygon. The normals are as long as the edges:
 * nothing but the products of coordinates is rounded. Throws when the polygon is not strictly convex. RTCD §3.7.
 */
export function polygonHalfPlanes(polygon: readonly ReadonlyVec2[]): HalfPlane[] {
  checkPoints2('polygonHalfPlanes', 'polygon', polygon, ANY_FINITE);
  const turn = turnOfConvex(readPoints2('polygonHalfPlanes', polygon, 'polygon'));
  if (turn === 0) refuse('polygonHalfPlanes', 'polygon', 'must be convex, with three or more corners');
  return polygon.map((a, i) => {
    const b = polygon[(i + 1) % polygon.length]!;
    const normal = { x: turn * (b.y - a.y), y: turn * (a.x - b.x) };
    return { normal, d: normal.x * a.x + normal.y * a.y };
  });
}

/**
 * Is a polygon convex? RTCD §3.7.1; Schorn & Fisher 1994. Convex means strictly: neither repeated corners nor three in
 * a row on a line are allowed, and the polygon runs round just once. Signs are exact, so there is no tolerance.
 */

/** Is the polygon strictly convex, either way round? False for fewer than three corners. O(n). */
export function isConvexPolygon2(polygon: readonly ReadonlyVec2[]): boolean {
  checkPoints2('isConvexPolygon2', 'polygon', polygon, ANY_FINITE);
  return turnOfConvex(readPoints2('isConvexPolygon2', polygon, 'polygon')) !== 0;
}

/**
 * Is the flat polygon strictly convex, either way round? It is looked at along the axis that shows it best, which
 * changes nothing for corners in one plane; corners off a common plane are decided by that projection. O(n).
 */
export function isConvexPolygon(polygon: readonly ReadonlyVec3[]): boolean {
  checkPoints('isConvexPolygon', 'polygon', polygon, ANY_FINITE);
  return turnOfConvex(flatten(readPoints3('isConvexPolygon', polygon, 'polygon'))) !== 0;
}

/** The same by the plain definition: every corner lies on the same side of every edge that does not end there. O(n²). */
export function isConvexPolygonSlow2(polygon: readonly ReadonlyVec2[]): boolean {
  checkPoints2('isConvexPolygonSlow2', 'polygon', polygon, ANY_FINITE);
  const p = readPoints2('isConvexPolygonSlow2', polygon, 'polygon');
  const n = p.length;
  if (n < 3) return false;
  const side = Math.sign(orient2d(p[0]!, p[1]!, p[2]!));
  for (let i = 0; i < n; i++)
    for (let k = 2; k < n; k++) {
      const turn = Math.sign(orient2d(p[i]!, p[(i + 1) % n]!, p[(i + k) % n]!));
      if (turn !== side || turn === 0) return false;
    }
  return true;
}

/** Is abcd strictly convex, either way round? It is when its diagonals cross, each inside the other. RTCD §3.7.1. */
export function isConvexQuad2(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, d: ReadonlyVec2): boolean {
  checkPoint2('isConvexQuad2', 'a', a, ANY_FINITE);
  checkPoint2('isConvexQuad2', 'b', b, ANY_FINITE);
  checkPoint2('isConvexQuad2', 'c', c, ANY_FINITE);
  checkPoint2('isConvexQuad2', 'd', d, ANY_FINITE);
  return diagonalsCross(readPoints2('isConvexQuad2', [a, b, c, d]));
}

/** The same for a flat quad in space, looked at along the axis that shows it best. RTCD §3.7.1. */
export function isConvexQuad(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, d: ReadonlyVec3): boolean {
  checkPoint('isConvexQuad', 'a', a, ANY_FINITE);
  checkPoint('isConvexQuad', 'b', b, ANY_FINITE);
  checkPoint('isConvexQuad', 'c', c, ANY_FINITE);
  checkPoint('isConvexQuad', 'd', d, ANY_FINITE);
  const flat = flatten(readPoints3('isConvexQuad', [a, b, c, d]));
  return flat.length === 4 && diagonalsCross(flat);
}

function diagonalsCross(quad: readonly ReadonlyVec2[]): boolean {
  const [a, b, c, d] = quad as [ReadonlyVec2, ReadonlyVec2, ReadonlyVec2, ReadonlyVec2];
  return (
    areOpposite(orient2d(b, d, a), orient2d(b, d, c)) && areOpposite(orient2d(a, c, d), orient2d(a, c, b))
  );
}

const areOpposite = (s: number, t: number): boolean => (s < 0 && t > 0) || (s > 0 && t < 0);

/** The projection along the axis that the widest triangle of the points faces; nothing for points on a line. */
function flatten(points: readonly ReadonlyVec3[]): ReadonlyVec2[] {
  const [i, j, k] = affineBasis(points);
  if (k === undefined) return [];
  const axis = facingAxis(points[i!]!, points[j!]!, points[k]!)!;
  return points.map((p) => dropAxis(p, axis));
}

/**
 * 1 for a strictly convex counter-clockwise polygon, -1 for a clockwise one, 0 for all others.
 *
 * When all corners turn the same way, the edges turn by 360° k in all. Each full turn reverses the direction along any
 * axis twice, so two reversals along one axis show that k = 1. The axis here is x, tilted towards y by less than
 * anything: no edge is perpendicular to it, and one axis does what two untilted ones would.
 *
 * @internal
 */
export function turnOfConvex(p: readonly ReadonlyVec2[]): -1 | 0 | 1 {
  const n = p.length;
  if (n < 3) return 0;
  let left = true;
  let right = true;
  let reversals = 0;
  for (let i = 0; i < n; i++) {
    const a = p[i]!;
    const b = p[(i + 1) % n]!;
    const c = p[(i + 2) % n]!;
    const turn = orient2d(a, b, c);
    left &&= turn > 0;
    right &&= turn < 0;
    if (!left && !right) return 0;
    if (isAhead(a, b) !== isAhead(b, c) && ++reversals > 2) return 0;
  }
  return left ? 1 : -1;
}

const isAhead = (a: ReadonlyVec2, b: ReadonlyVec2): boolean => b.x > a.x || (b.x === a.x && b.y > a.y);

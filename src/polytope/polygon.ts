/** Facts about polygons in the plane, given by their corners in order. RTCD §3.7. */
import { ANY_FINITE, checkPoints2, refuse } from '../math/check.ts';
import { orient2d } from '../math/orient.ts';
import type { ReadonlyVec2 } from '../math/types.ts';
import { readPoints2 } from './input.ts';
import { turnOfConvex } from './polygon-convexity.ts';
import type { HalfPlane } from './types.ts';

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

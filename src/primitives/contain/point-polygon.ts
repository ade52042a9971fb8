/** Is a point in a polygon of the plane? All signs are exact. RTCD §5.4.1. */
import { ANY_FINITE, checkPoint2, checkPoints2, isPoint2, mustBeList, refuse } from '../../math/check.ts';
import { orient2d } from '../../math/orient.ts';
import type { ReadonlyVec2 } from '../../math/types.ts';

/**
 * Is p in the convex polygon or on its boundary? Takes O(log n) steps. The points are its corners in order, clockwise
 * or counter-clockwise; repeated points and points along an edge are allowed (those next to the first corner are
 * passed one by one). A polygon without area is the segment or point it is; one that is not convex gets a wrong
 * answer. Only the corners that the search visits are read, and checked.
 */
export function containsPointConvexPolygon(p: ReadonlyVec2, points: readonly ReadonlyVec2[]): boolean {
  checkPoint2('containsPointConvexPolygon', 'p', p);
  mustBeList('containsPointConvexPolygon', 'points', points); // looks at few of them
  const caller = 'containsPointConvexPolygon';
  if (points.length === 0) refuse(caller, 'points', 'must not be empty');
  const apex = corner(points, 0);
  let low = 1;
  let high = points.length - 1;
  while (low <= high && same(corner(points, low), apex)) low++;
  while (high > low && same(corner(points, high), apex)) high--;
  if (low > high) return same(p, apex);
  // Of the last corners on one line with the first keep the farthest: then the last fan triangle has an area.
  while (high > low && orientation(apex, corner(points, high - 1), corner(points, high)) === 0) high--;
  if (low === high) return isOnLineOf(p, points, low);

  const winding = orientation(apex, corner(points, high - 1), corner(points, high));
  if (winding * orientation(apex, corner(points, low), p) < 0) return false;
  if (winding * orientation(apex, corner(points, high), p) > 0) return false;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (winding * orientation(apex, corner(points, middle), p) >= 0) low = middle;
    else high = middle;
  }
  return winding * orientation(corner(points, low), corner(points, high), p) >= 0;
}

/** One that the search visits. */
function corner(points: readonly ReadonlyVec2[], i: number): ReadonlyVec2 {
  const point = points[i]!;
  if (!isPoint2(point)) checkPoint2('containsPointConvexPolygon', `points[${i}]`, point);
  return point;
}

const same = (a: ReadonlyVec2, b: ReadonlyVec2): boolean => a.x === b.x && a.y === b.y;

const orientation = (a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): number =>
  Math.sign(orient2d(a, b, c));

/** The points lie on one line, and points[other] differs from the first: is p among them? */
function isOnLineOf(p: ReadonlyVec2, points: readonly ReadonlyVec2[], other: number): boolean {
  checkPoints2('containsPointConvexPolygon', 'points', points);
  if (orient2d(points[0]!, points[other]!, p) !== 0) return false;
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (const { x, y } of points) {
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
  }
  return p.x >= minX && p.x <= maxX && p.y >= minY && p.y <= maxY;
}

/**
 * Is p in the polygon or on its boundary? The polygon may be concave; where its boundary crosses itself, what is
 * inside is decided by the even-odd rule. A polygon without area is the segments it consists of.
 */
export function containsPointPolygon(p: ReadonlyVec2, points: readonly ReadonlyVec2[]): boolean {
  checkPolygon('containsPointPolygon', p, points);
  for (let i = 0, j = points.length - 1; i < points.length; j = i++)
    if (isOnSegment(p, points[j]!, points[i]!)) return true;
  return crossings(p, points);
}

/**
 * The same with a half-open boundary: when polygons tile a region, every point of it is in exactly one of them. (A
 * point on a shared edge or corner belongs to the tile just to its right, or just below where that is an edge too.)
 */
export function containsPointTile(p: ReadonlyVec2, points: readonly ReadonlyVec2[]): boolean {
  checkPolygon('containsPointTile', p, points);
  return crossings(p, points);
}

function checkPolygon(caller: string, p: ReadonlyVec2, points: readonly ReadonlyVec2[]): void {
  checkPoint2(caller, 'p', p);
  checkPoints2(caller, 'points', points, ANY_FINITE);
  if (points.length === 0) refuse(caller, 'points', 'must not be empty');
}

/**
 * Does a ray from p along +x cross the boundary an odd number of times? A corner level with p counts as above it and
 * an edge through p as not crossed. That is the answer for p moved by (δ, -δ²) with an infinitely small δ > 0, a point
 * that lies on no edge: hence the tiling.
 */
function crossings(p: ReadonlyVec2, points: readonly ReadonlyVec2[]): boolean {
  let inside = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const a = points[j]!;
    const b = points[i]!;
    const up = b.y >= p.y;
    if (a.y >= p.y === up) continue;
    const side = orient2d(a, b, p);
    if (up ? side > 0 : side < 0) inside = !inside;
  }
  return inside;
}

/** Exactly; the segment may be a point. */
const isOnSegment = (p: ReadonlyVec2, a: ReadonlyVec2, b: ReadonlyVec2): boolean =>
  Math.min(a.x, b.x) <= p.x &&
  p.x <= Math.max(a.x, b.x) &&
  Math.min(a.y, b.y) <= p.y &&
  p.y <= Math.max(a.y, b.y) &&
  orient2d(a, b, p) === 0;

/** The convex hull in the plane from two chains. RTCD §3.9.1; Andrew 1979. */
import { ANY_FINITE, checkPoints2 } from '../math/check.ts';
import { orient2d } from '../math/orient.ts';
import type { ReadonlyVec2 } from '../math/types.ts';
import { readPoints2 } from './input.ts';

/**
 * Which of the points are corners of their convex hull? Their indices, counter-clockwise from the leftmost (the lowest
 * of several). Points between corners and repeated points are left out (of coincident points the first stays), so the
 * polygon is strictly convex; a single index comes back when all points coincide, two when they lie on a line. Exact.
 * O(n log n). RTCD §3.9.1.
 */
export function convexHull2(points: readonly ReadonlyVec2[]): number[] {
  checkPoints2('convexHull2', 'points', points, ANY_FINITE);
  return hullByChains(readPoints2('convexHull2', points));
}

/** @internal */
export function hullByChains(points: readonly ReadonlyVec2[]): number[] {
  const order = sortedDistinct(points);
  const hull: number[] = [];
  for (const i of order) extendChain(points, hull, 1, i);
  // The way back starts at the rightmost point, which stays, and ends at the leftmost, which is there already.
  const base = hull.length;
  for (let k = order.length - 2; k >= 0; k--) extendChain(points, hull, base, order[k]!);
  if (order.length > 1) hull.pop();
  return hull;
}

/**
 * By x, then by y: of the points of equal x the lower chain meets the bottommost first and the upper chain the topmost,
 * so nothing need be said about verticals. Coincident points follow each other, the first of the list ahead.
 */
function sortedDistinct(points: readonly ReadonlyVec2[]): number[] {
  return points
    .map((_, i) => i)
    .sort((i, j) => points[i]!.x - points[j]!.x || points[i]!.y - points[j]!.y || i - j)
    .filter((i, k, all) => k === 0 || !coincide(points[i]!, points[all[k - 1]!]!));
}

const coincide = (a: ReadonlyVec2, b: ReadonlyVec2): boolean => a.x === b.x && a.y === b.y;

/** Appends i after taking off whatever is not a left turn on the way to it; the first `fixed` entries stay. */
function extendChain(points: readonly ReadonlyVec2[], chain: number[], fixed: number, i: number): void {
  while (chain.length > fixed && orient2d(points[chain.at(-2)!]!, points[chain.at(-1)!]!, points[i]!) <= 0)
    chain.pop();
  chain.push(i);
}

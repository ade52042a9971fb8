/** The smallest rectangle around points of the plane. RTCD §4.4.4; Freeman & Shapira 1975, Toussaint 1983. */
import type { ReadonlyVec2, Vec2 } from '../math/types.ts';
import { vec2 } from '../math/types.ts';
import { convexHull2 } from '../polytope/convex-hull2.ts';
import { type PointSet2, readPoints2 } from './point-set.ts';

/** center + s axis + t perp(axis), |s| <= halfSize.x and |t| <= halfSize.y, where perp(x, y) = (-y, x). */
export interface Rectangle2 {
  center: Vec2;
  /** Unit vector along the first side. */
  axis: Vec2;
  halfSize: Vec2;
}

export const makeRectangle2 = (): Rectangle2 => ({ center: vec2(), axis: vec2(1, 0), halfSize: vec2() });

/**
 * The rectangle of least area around points of the plane. One of its sides lies along a side of their hull, so the
 * four supporting lines rotate from side to side (rotating calipers). O(n log n).
 */
export function fitRectangle2(points: PointSet2, out: Rectangle2 = makeRectangle2()): Rectangle2 {
  const flat = readPoints2('fitRectangle2', points);
  const list: Vec2[] = [];
  for (let i = 0; i < flat.length; i += 3) list.push(vec2(flat[i], flat[i + 1]));
  return rectangleAround(list, out);
}

/** @internal */
export function rectangleAround(points: readonly ReadonlyVec2[], out: Rectangle2): Rectangle2 {
  const hull = convexHull2(points).map((i) => points[i]!);
  const n = hull.length;
  out.axis.x = 1;
  out.axis.y = 0;
  if (n === 1) return fill(out, hull[0]!, 0, 0, 0);
  let best = Infinity;
  // The corners farthest to the right, up and to the left of the side at hand: they only ever move on.
  let right = 0;
  let top = 0;
  let left = 0;
  for (let i = 0; i < n; i++) {
    const base = hull[i]!;
    const next = hull[(i + 1) % n]!;
    const length = Math.sqrt((next.x - base.x) * (next.x - base.x) + (next.y - base.y) * (next.y - base.y));
    if (!(length > 0)) continue;
    const x = (next.x - base.x) / length;
    const y = (next.y - base.y) / length;
    const along = (k: number): number => (hull[k % n]!.x - base.x) * x + (hull[k % n]!.y - base.y) * y;
    const above = (k: number): number => (hull[k % n]!.y - base.y) * x - (hull[k % n]!.x - base.x) * y;
    // Decided by the directions of the sides, which are good even where they are shorter than rounding of the heights.
    if (right <= i) right = i + 1;
    while (sideAlong(hull, right, x, y) > 0) right++;
    if (top < right) top = right;
    while (sideAlong(hull, top, -y, x) > 0) top++;
    if (left < top) left = top;
    while (sideAlong(hull, left, x, y) < 0) left++;
    const area = (along(right) - along(left)) * above(top);
    if (area < best) {
      best = area;
      out.axis.x = x;
      out.axis.y = y;
      fill(out, base, along(left), along(right), above(top));
    }
  }
  return out;
}

/** Side k of the hull along (x, y). */
function sideAlong(hull: readonly ReadonlyVec2[], k: number, x: number, y: number): number {
  const a = hull[k % hull.length]!;
  const b = hull[(k + 1) % hull.length]!;
  return (b.x - a.x) * x + (b.y - a.y) * y;
}

/** Fills in centre and half sizes of a rectangle with an axis: from `low` to `high` along it, and up to `top` above base. */
function fill(out: Rectangle2, base: ReadonlyVec2, low: number, high: number, top: number): Rectangle2 {
  const { x, y } = out.axis;
  const s = 0.5 * (low + high);
  const t = 0.5 * top;
  out.center.x = base.x + s * x - t * y;
  out.center.y = base.y + s * y + t * x;
  out.halfSize.x = 0.5 * (high - low);
  out.halfSize.y = t;
  return out;
}

/** Is a list of corners a flat convex polygon, as good as single precision can tell? */
import { refuse } from '../math/check.ts';
import { EPS32 } from '../math/float.ts';
import type { ReadonlyVec2, ReadonlyVec3, Vec2 } from '../math/types.ts';
import { plane as makePlane } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { hullByChains } from '../polytope/convex-hull2.ts';
import { fitNewell, mustBePolygon, thicknessOf } from './newell.ts';

/**
 * Refuses what is farther from flat, or from convex, than a few roundings of its largest coordinate to single precision.
 * Corners without an area, all on a line or at one point, are fine.
 *
 * @internal
 */
export function mustBeFlatConvex(caller: string, points: readonly ReadonlyVec3[]): void {
  mustBePolygon(caller, 'points', points);
  let largest = 0;
  for (const p of points) largest = Math.max(largest, Math.abs(p.x), Math.abs(p.y), Math.abs(p.z));
  const tolerance = 4 * EPS32 * largest;
  const thickness = thicknessOf(points);
  if (!(thickness <= tolerance))
    refuse(caller, 'points', `must lie in a plane, but need one ${thickness} thick; hull takes any points`);
  const plane = fitNewell(points, makePlane());
  // Without an area there is nothing to be convex: all corners are on a line, or go back and forth over the same line.
  if (plane ? !isConvexLoop(onPlane(points, plane.normal), tolerance) : widthOf(points) > tolerance)
    refuse(caller, 'points', 'must be the corners of a convex polygon in order; hull takes them in any');
}

/** Coordinates in the plane across a unit normal, from which they are seen counter-clockwise as they are. */
function onPlane(points: readonly ReadonlyVec3[], normal: ReadonlyVec3): Vec2[] {
  const u = v3.normalize(v3.perpendicular(normal));
  const v = v3.cross(normal, u);
  return points.map((p) => {
    const offset = v3.sub(p, points[0]!);
    return { x: v3.dot(offset, u), y: v3.dot(offset, v) };
  });
}

/**
 * Does the counter-clockwise loop pass the corners of its hull once, in their order, and stay within `tolerance` of the
 * edges in between?
 */
function isConvexLoop(loop: readonly ReadonlyVec2[], tolerance: number): boolean {
  const corners = hullByChains(loop);
  let start = 0;
  for (let k = 1; k < corners.length; k++) if (corners[k]! < corners[start]!) start = k;
  for (let k = 0; k < corners.length; k++) {
    const from = corners[(start + k) % corners.length]!;
    const to = corners[(start + k + 1) % corners.length]!;
    const isLast = k === corners.length - 1;
    if (!isLast && to < from) return false;
    const end = isLast ? to + loop.length : to;
    let reached = -Infinity;
    for (let i = from + 1; i < end; i++) {
      const { along, aside } = positionOn(loop[from]!, loop[to]!, loop[i % loop.length]!);
      if (aside > tolerance || along < reached - tolerance) return false;
      reached = Math.max(reached, along);
    }
  }
  return true;
}

/** Where p stands along the edge ab, and how far from it. */
function positionOn(a: ReadonlyVec2, b: ReadonlyVec2, p: ReadonlyVec2): { along: number; aside: number } {
  const length = Math.sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
  const x = (b.x - a.x) / length;
  const y = (b.y - a.y) / length;
  return {
    along: (p.x - a.x) * x + (p.y - a.y) * y,
    aside: Math.abs((p.x - a.x) * y - (p.y - a.y) * x),
  };
}

/** How far the points are from the line through the two that are farthest from the first and from each other. */
function widthOf(points: readonly ReadonlyVec3[]): number {
  const a = farthestFrom(points, points[0]!);
  const b = farthestFrom(points, a);
  const direction = v3.normalize(v3.sub(b, a));
  let width = 0;
  for (const p of points) width = Math.max(width, v3.length(v3.cross(v3.sub(p, a), direction)));
  return width;
}

function farthestFrom(points: readonly ReadonlyVec3[], from: ReadonlyVec3): ReadonlyVec3 {
  let best = from;
  for (const p of points) if (v3.distanceSq(p, from) > v3.distanceSq(best, from)) best = p;
  return best;
}

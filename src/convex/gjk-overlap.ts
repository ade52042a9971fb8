/** Do two convex bodies share a point? RTCD §9.5. */
import type { ConvexCore } from './core.ts';
import type { Frame } from './frame.ts';
import { end, gjkRun } from './gjk-run.ts';
import type { GjkState } from './gjk-state.ts';

/**
 * Do two convex bodies share a point, their radii included? Touching counts. `frame` is the place of b as a sees it. Ends
 * at the first direction that separates them, or the first pair of points close enough, long before the distance would be
 * known; its answer is the same as `gjkDistance(…).distance === 0`. Refuses a frame that is not finite. RTCD §9.5.
 */
export function gjkOverlap(a: ConvexCore, b: ConvexCore, frame: Frame, state: GjkState): boolean {
  gjkRun(a, b, frame, state, true);
  return !end.apart || end.distance <= a.radius + b.radius;
}

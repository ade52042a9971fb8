/** Do two convex bodies share a point? RTCD §9.5. */

import type { ConvexCore } from './core.ts';
import type { Frame } from './frame.ts';
import { mustBeGjkInput } from './frame-check.ts';
import { CLEAR, POINT_ERROR } from './gjk-quick.ts';
import { end, gjkRun } from './gjk-run.ts';
import type { GjkState } from './gjk-state.ts';
import { mustNotRunInSupport } from './support-call.ts';

/**
 * Do two convex bodies share a point, their radii included? Touching counts. `frame` is the place of b as a sees it. Ends
 * when the balls inside of them meet, at the first direction that separates them, or the first pair of points close
 * enough, long before the distance would be known; its answer is the same as `gjkDistance(…).distance === 0`. Refuses a
 * frame that is not finite. RTCD §9.5.
 */
export function gjkOverlap(a: ConvexCore, b: ConvexCore, frame: Frame, state: GjkState): boolean {
  mustNotRunInSupport('gjkOverlap');
  try {
    if (innersMeet(a, b, frame)) {
      state.iterations = 0;
      return true;
    }
    gjkRun(a, b, frame, state, true);
  } catch (error) {
    mustBeGjkInput('gjkOverlap', a, b, frame, state);
    throw error;
  }
  return !end.apart || end.distance <= a.radius + b.radius;
}

/** Do the balls about the centres that the bodies hold share a point, by a clear margin? Then so do the bodies. */
function innersMeet(a: ConvexCore, b: ConvexCore, f: Frame): boolean {
  const { tx, ty, tz } = f;
  const size = a.reach + b.reach + Math.abs(tx) + Math.abs(ty) + Math.abs(tz);
  const limit = a.inner + b.inner - CLEAR * POINT_ERROR * size;
  if (!(limit > 0)) return false;
  const { x: ax, y: ay, z: az } = a.center;
  const { x: bx, y: by, z: bz } = b.center;
  const x = ax - (f.m00 * bx + f.m01 * by + f.m02 * bz + tx);
  const y = ay - (f.m10 * bx + f.m11 * by + f.m12 * bz + ty);
  const z = az - (f.m20 * bx + f.m21 * by + f.m22 * bz + tz);
  return x * x + y * y + z * z < limit * limit;
}

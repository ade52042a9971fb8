/**
 * GJK for a body that moves: the set of all places it passes is convex, too, and its farthest point along d is that of the
 * body, moved to the end of the way if that leads along d. RTCD §9.5.7.
 *
 * For a yes or no over a whole motion, without a time. Production casts: `convex/cast.ts`.
 */

import { mustBeAFrame, mustBeCore } from '../../convex/check.ts';
import { ContextPool } from '../../convex/context-pool.ts';
import type { ConvexCore } from '../../convex/core.ts';
import { supportCore } from '../../convex/core.ts';
import type { Frame } from '../../convex/frame.ts';
import { directionToSecond, toFirst } from '../../convex/frame.ts';
import { makeMinNorm, nearestInSimplex, nearestWithNewest } from '../../convex/simplex.ts';
import { checkPoint } from '../../math/check.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';

/** Rounding of a point of the difference, relative to all lengths that go into it. */
const POINT_ERROR = 4 * EPS64;
const MOST_STEPS = 500;

class SweptContext {
  /** The points of the simplex in slots 0 … 3, for the body where it starts; and a bit for each that is moved to the end. */
  readonly still = new Float64Array(12);
  movedToEnd = 0;
  /** The same at their end of the span, with a bit for each slot in use. */
  readonly simplex = new Float64Array(12);
  used = 0;
  readonly found = makeMinNorm();
  readonly direction = vec3();
  readonly opposite = vec3();
  readonly onA = vec3();
  readonly onB = vec3();
  /** The part of the motion that is looked at. */
  from = 0.5;
  to = 0.5;
}

const contexts = new ContextPool(() => new SweptContext());

/**
 * Do two convex bodies touch at any time while a moves along `motion`? b stands still, at `frame` as seen by a where it
 * starts. Touching counts, also what rounding (some 1e-15 of all lengths) cannot tell from it. One run of GJK, whatever
 * the speed: nothing tunnels. When is a question for `castConvex`. Allocates nothing. RTCD §9.5.7.
 */
export function overlapSweptConvex(
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  motion: ReadonlyVec3,
): boolean {
  mustBeAFrame('overlapSweptConvex', frame);
  mustBeCore('overlapSweptConvex', 'a', a);
  mustBeCore('overlapSweptConvex', 'b', b);
  checkPoint('overlapSweptConvex', 'motion', motion);
  const context = contexts.take();
  try {
    return touchAtAll(context, a, b, frame, motion);
  } finally {
    contexts.release();
  }
}

function touchAtAll(
  context: SweptContext,
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  motion: ReadonlyVec3,
): boolean {
  context.used = 0;
  context.from = 0;
  context.to = 1;
  return touchInSpan(context, a, b, frame, motion);
}

/**
 * The first time of touch by halving, at most `shortest` too early and not late; -1 when there is none. An independent
 * and slower way to what `castConvex` finds. The simplex of one half is where the next one starts.
 *
 * @internal
 */
export function firstTouchByHalving(
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  motion: ReadonlyVec3,
  shortest: number,
): number {
  const context = contexts.take();
  try {
    if (!touchAtAll(context, a, b, frame, motion)) return -1;
    let from = 0;
    let length = 1;
    while (length > shortest) {
      length /= 2;
      context.from = from;
      context.to = from + length;
      if (!touchInSpan(context, a, b, frame, motion)) from += length;
    }
    return from;
  } finally {
    contexts.release();
  }
}

/** Starts with what is left of the last simplex. False only when a plane has been found that separates them. */
function touchInSpan(
  context: SweptContext,
  a: ConvexCore,
  b: ConvexCore,
  f: Frame,
  m: ReadonlyVec3,
): boolean {
  const { still, simplex, found, direction, opposite, onA, onB } = context;
  const size =
    a.reach +
    b.reach +
    Math.abs(f.tx) +
    Math.abs(f.ty) +
    Math.abs(f.tz) +
    Math.abs(m.x) +
    Math.abs(m.y) +
    Math.abs(m.z);
  const floor = POINT_ERROR * size;
  const near = a.radius + b.radius + floor;
  // Any direction will do to start with.
  found.x = -(f.tx - 0.5 * (context.from + context.to) * m.x) || 1;
  found.y = -(f.ty - 0.5 * (context.from + context.to) * m.y);
  found.z = -(f.tz - 0.5 * (context.from + context.to) * m.z);
  found.sq = Infinity;
  let { used } = context;
  if (used !== 0) {
    for (let i = 0; i < 4; i++) place(context, i, m);
    nearestInSimplex(simplex, used, found);
    used = context.used = found.kept;
  }
  let least = Infinity;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (found.inside && found.sq === 0) return true;
    const { x, y, z, sq } = found;
    if (sq <= near * near) return true;
    const slot = 31 - Math.clz32(~used & (used + 1));
    direction.x = -x;
    direction.y = -y;
    direction.z = -z;
    supportCore(a, direction, -1, onA);
    supportCore(b, directionToSecond(f, found, opposite), -1, onB);
    toFirst(f, onB, onB);
    still[3 * slot] = onA.x - onB.x;
    still[3 * slot + 1] = onA.y - onB.y;
    still[3 * slot + 2] = onA.z - onB.z;
    const along = direction.x * m.x + direction.y * m.y + direction.z * m.z > 0;
    const bit = 1 << slot;
    context.movedToEnd = along ? context.movedToEnd | bit : context.movedToEnd & ~bit;
    place(context, slot, m);
    const length = Math.sqrt(x * x + y * y + z * z);
    const gap = (x * simplex[3 * slot]! + y * simplex[3 * slot + 1]! + z * simplex[3 * slot + 2]!) / length;
    if (gap > near) return false;
    const all = used | (1 << slot);
    nearestWithNewest(simplex, all, slot, found);
    if (!(found.sq < sq)) nearestInSimplex(simplex, all, found);
    // No nearer point can be computed, and no plane was found: as good as touching. (Turning by a small angle changes
    // the length by its square, which rounding may swallow: then the gap must have shrunk.)
    if (!(found.sq < sq || (found.sq <= sq * (1 + POINT_ERROR) && length - gap < least))) return true;
    least = Math.min(least, length - gap);
    used = context.used = found.kept;
  }
  return true;
}

/** Moves the point of a slot to the end of the span that it belongs to. */
function place({ still, simplex, movedToEnd, from, to }: SweptContext, i: number, m: ReadonlyVec3): void {
  const t = (movedToEnd & (1 << i)) !== 0 ? to : from;
  simplex[3 * i] = still[3 * i]! + t * m.x;
  simplex[3 * i + 1] = still[3 * i + 1]! + t * m.y;
  simplex[3 * i + 2] = still[3 * i + 2]! + t * m.z;
}

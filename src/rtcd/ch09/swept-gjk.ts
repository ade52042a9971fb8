/**
 * GJK for a body that moves: the set of all places it passes is convex, too, and its farthest point along d is that of the
 * body, moved to the end of the way if that leads along d. RTCD §9.5.7.
 */

import type { ConvexCore } from '../../convex/core.ts';
import { supportCore } from '../../convex/core.ts';
import type { Frame } from '../../convex/frame.ts';
import { directionToSecond, toFirst } from '../../convex/frame.ts';
import { mustBeAFrame, mustBeCore } from '../../convex/frame-check.ts';
import { makeMinNorm, nearestInSimplex, nearestWithNewest } from '../../convex/simplex.ts';
import { checkPoint } from '../../math/check.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';

/** Rounding of a point of the difference, relative to all lengths that go into it. */
const POINT_ERROR = 4 * EPS64;
const MOST_STEPS = 500;

/** The points of the simplex in slots 0 … 3, for the body where it starts; and a bit for each that is moved to the end. */
const still = new Float64Array(12);
const simplex = new Float64Array(12);
let used = 0;
let movedToEnd = 0;
const found = makeMinNorm();
const direction = vec3();
const opposite = vec3();
const onA = vec3();
const onB = vec3();
/** The part of the motion that is looked at. */
const span = { from: 0, to: 1 };

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
  used = 0;
  span.from = 0;
  span.to = 1;
  return touchInSpan(a, b, frame, motion);
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
  if (!overlapSweptConvex(a, b, frame, motion)) return -1;
  let from = 0;
  let length = 1;
  while (length > shortest) {
    length /= 2;
    span.from = from;
    span.to = from + length;
    if (!touchInSpan(a, b, frame, motion)) from += length;
  }
  return from;
}

/** Starts with what is left of the last simplex. False only when a plane has been found that separates them. */
function touchInSpan(a: ConvexCore, b: ConvexCore, f: Frame, m: ReadonlyVec3): boolean {
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
  found.x = -(f.tx - 0.5 * (span.from + span.to) * m.x) || 1;
  found.y = -(f.ty - 0.5 * (span.from + span.to) * m.y);
  found.z = -(f.tz - 0.5 * (span.from + span.to) * m.z);
  found.sq = Infinity;
  if (used !== 0) {
    for (let i = 0; i < 4; i++) place(i, m);
    nearestInSimplex(simplex, used, found);
    used = found.kept;
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
    movedToEnd = along ? movedToEnd | (1 << slot) : movedToEnd & ~(1 << slot);
    place(slot, m);
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
    used = found.kept;
  }
  return true;
}

/** Moves the point of a slot to the end of the span that it belongs to. */
function place(i: number, m: ReadonlyVec3): void {
  const t = (movedToEnd & (1 << i)) !== 0 ? span.to : span.from;
  simplex[3 * i] = still[3 * i]! + t * m.x;
  simplex[3 * i + 1] = still[3 * i + 1]! + t * m.y;
  simplex[3 * i + 2] = still[3 * i + 2]! + t * m.z;
}

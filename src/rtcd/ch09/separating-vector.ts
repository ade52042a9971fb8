/**
 * Is there a direction in which two convex sets are apart? RTCD §9.6; Chung and Wang 1996.
 *
 * For a quick no between smooth sets. Production: `convex/gjk-fast-path.ts`, whose first steps do the same and which
 * ends with a distance.
 */

import { mustBeAFrame, mustBeCore } from '../../convex/check.ts';
import { ContextPool } from '../../convex/context-pool.ts';
import type { ConvexCore } from '../../convex/core.ts';
import { type Frame, toFirst } from '../../convex/frame.ts';
import { gjkDistance, makeGjkResult } from '../../convex/gjk.ts';
import { makeGjkState } from '../../convex/gjk-state.ts';
import { DifferencePoint, supportDifference } from '../../convex/minkowski.ts';
import { mustHave } from '../../math/check.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';

/**
 * What parted two convex sets the last time, for the caller to keep with the pair: as long as things move little it parts
 * them the next time too, at the price of one support point of each.
 */
export interface SeparatingVector {
  /** Unit vector from the second to the first, in the space of the first; 0 to start with. */
  readonly axis: Vec3;
  /** The last support points, as hints. */
  hintA: number;
  hintB: number;
  /** How many directions the last query tried. */
  passes: number;
}

export const makeSeparatingVector = (): SeparatingVector => ({
  axis: vec3(),
  hintA: 0,
  hintB: 0,
  passes: 0,
});

/** After as many directions GJK is asked. Of random pairs that are apart, 97 in 100 are separated before. */
const MOST_PASSES = 10;

/**
 * Do two convex sets share a point? If not, `state.axis` is a direction that parts them: the first lies wholly in front
 * of the second. Touching sets share a point, as far as rounding can tell.
 *
 * Each pass looks at the extreme points p of the first and q of the second along the axis n. If p is behind q, every
 * vector that parts the sets makes an angle of less than 90° with r = p - q, and n does not: n is mirrored at the plane
 * with normal r. That separates two balls at once. Once no vector is left that agrees with every r the sets must meet.
 * There is no proof that the mirroring converges, and near that end rounding has a say: whether they meet is decided by
 * `gjkDistance`.
 */
export function overlapBySeparatingVector(
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  state: SeparatingVector,
): boolean {
  mustBeAFrame('overlapBySeparatingVector', frame);
  mustBeCore('overlapBySeparatingVector', 'a', a);
  mustBeCore('overlapBySeparatingVector', 'b', b);
  mustHave('overlapBySeparatingVector', 'state', state, 'a separating vector', 'axis');
  const context = contexts.take();
  try {
    return !separate(context, a, b, frame, state);
  } finally {
    contexts.release();
  }
}

/** Looks for an axis that parts the sets, and asks GJK if that takes long. */
function separate(
  context: SeparatingContext,
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  state: SeparatingVector,
): boolean {
  const { r } = context;
  const { axis } = state;
  if (!(v3.lengthSq(axis) > 0)) {
    v3.normalize(v3.sub(a.center, toFirst(frame, b.center, r), axis), axis);
    if (!(v3.lengthSq(axis) > 0)) axis.x = 1;
  }
  context.count = 0;
  for (state.passes = 1; ; state.passes++) {
    extremes(context, a, b, frame, state);
    if (v3.dot(r, axis) > 0) return true;
    v3.normalize(r, r);
    if (v3.lengthSq(r) === 0) return false; // a point of both
    if (state.passes === MOST_PASSES || !admit(context)) break;
    v3.normalize(v3.addScaled(axis, r, -2 * v3.dot(r, axis), axis), axis);
  }
  const { distance, normal } = gjkDistance(a, b, frame, context.gjkState, context.gjkResult);
  if (!(distance > 0)) return false;
  v3.copy(normal, axis);
  return true;
}

class SeparatingContext {
  readonly gjkState = makeGjkState();
  readonly gjkResult = makeGjkResult();
  readonly support = new DifferencePoint();
  readonly down = vec3();
  /** The extreme point of the first less that of the second. */
  readonly r = vec3();
  /** The vectors r so far, as unit vectors, and one vector that agrees with them all. */
  count = 0;
  readonly all = new Float64Array(3 * MOST_PASSES);
  x = 0.5;
  y = 0.5;
  z = 0.5;
}

const contexts = new ContextPool(() => new SeparatingContext());

function extremes(
  { support, down, r }: SeparatingContext,
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  state: SeparatingVector,
): void {
  const { axis } = state;
  support.hintA = state.hintA;
  support.hintB = state.hintB;
  supportDifference(a, b, frame, v3.negate(axis, down), support);
  state.hintA = support.hintA;
  state.hintB = support.hintB;
  const { a: p, b: q } = support;
  const radii = a.radius + b.radius;
  r.x = p.x - q.x - radii * axis.x;
  r.y = p.y - q.y - radii * axis.y;
  r.z = p.z - q.z - radii * axis.z;
}

/** Adds r to the vectors. Is there still one that agrees with all? */
function admit(cone: SeparatingContext): boolean {
  const { count, all } = cone;
  const { x, y, z } = cone.r;
  all[3 * count] = x;
  all[3 * count + 1] = y;
  all[3 * count + 2] = z;
  cone.count++;
  if (count === 0) {
    cone.x = x;
    cone.y = y;
    cone.z = z;
    return true;
  }
  return cone.x * x + cone.y * y + cone.z * z > 0 || moveToRim(cone, count);
}

const u = vec3();
const v = vec3();

/**
 * The vector that agreed with the others does not agree with the last: if any does, so does one at a right angle to the
 * last. In that plane each of the others leaves half of the directions, together a sector from (lx, ly)
 * counter-clockwise to (hx, hy). Its middle is taken.
 */
function moveToRim(cone: SeparatingContext, last: number): boolean {
  const { r, all } = cone;
  v3.perpendicular(r, u);
  v3.cross(r, u, v);
  let lx = 0;
  let ly = 0;
  let hx = 0;
  let hy = 0;
  for (let i = 0; i < last; i++) {
    const x = all[3 * i]! * u.x + all[3 * i + 1]! * u.y + all[3 * i + 2]! * u.z;
    const y = all[3 * i]! * v.x + all[3 * i + 1]! * v.y + all[3 * i + 2]! * v.z;
    const isWhole = lx === 0 && ly === 0;
    const cutsLow = isWhole || x * lx + y * ly < 0;
    const cutsHigh = isWhole || x * hx + y * hy < 0;
    if (cutsLow && cutsHigh && !isWhole) return false;
    if (cutsLow) {
      lx = y;
      ly = -x;
    }
    if (cutsHigh) {
      hx = -y;
      hy = x;
    }
  }
  const low = 1 / Math.sqrt(lx * lx + ly * ly || 1);
  const high = 1 / Math.sqrt(hx * hx + hy * hy || 1);
  let x = low * lx + high * hx;
  let y = low * ly + high * hy;
  // A sector of half a turn has its middle at a right angle to its ends.
  if (!(x * x + y * y > 1e-20)) {
    x = -low * ly;
    y = low * lx;
  }
  cone.x = x * u.x + y * v.x;
  cone.y = x * u.y + y * v.y;
  cone.z = x * u.z + y * v.z;
  return true;
}

/** When a moving convex body first touches another. RTCD §9.5.7; van den Bergen 2004. */
import { checkPoint, mustBeNumber, mustNotBeNegative, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { Hit } from '../primitives/types.ts';
import { makeHit } from '../primitives/types.ts';
import { FARTHEST, mustBeAFrame, mustBeCore } from './check.ts';
import { ContextPool } from './context-pool.ts';
import type { ConvexCore } from './core.ts';
import type { Frame } from './frame.ts';
import { copyFrame, makeFrame } from './frame.ts';
import { gjkDistance, makeGjkResult } from './gjk.ts';
import { makeGjkState } from './gjk-state.ts';
import { DifferencePoint, measureGap } from './minkowski.ts';
import { makePenetration, penetration } from './penetration.ts';

/** Of the sizes of the bodies: how near they must come to touch. */
const TOLERANCE = 1e-9;
/** Rounding of a gap along a normal, relative to all lengths that go into it. */
const GAP_ERROR = 8 * EPS64;
/** Far more than ever needed: a grazing contact comes nearer by a factor of four a step, others square the gap. */
const MOST_STEPS = 100;

class CastContext {
  readonly gjk = makeGjkResult();
  readonly state = makeGjkState();
  /** The place of b as seen by a at the time t. */
  readonly now = makeFrame();
  readonly support = new DifferencePoint();
  readonly deep = makePenetration();
  /** Of the plane that brought us here. */
  readonly normal = vec3(0.5, 0.5, 0.5);
  readonly motion = vec3(0.5, 0.5, 0.5);
  /** How near they must come to touch. */
  close = 0.5;
  /** When they do. */
  t = 0.5;
}

const contexts = new ContextPool(() => new CastContext());

/**
 * When does a body that moves along `motion` first touch another, and where? a moves by t times the motion, for t from 0
 * to 1; b stands still, at `frame` as seen by a where it starts. The point is on b, in the space of a where it starts;
 * the normal is out of b towards a. Null when they do not touch.
 *
 * Never late: up to t the bodies are apart, but for a rounding error of some 1e-15 of their sizes and the way to there. At t they
 * are within `tolerance` (a length; 1e-9 of their sizes, and no less than a few times that rounding error) of each other and moving
 * closer: what passes by at a smaller distance than that may be reported as a hit.
 *
 * A start in touch or deeper hits at t = 0, with normal and point of their penetration, wherever the motion leads; the
 * point is then the deepest of b. A start that is apart, however little, and moves away or alongside does not hit. A
 * motion of zero hits only what is in touch.
 *
 * Between the bodies stands a plane, perpendicular to the shortest way from one to the other. They cannot touch before a
 * has come up to it, which gives the next t: Newton's method on the distance, which is a convex function of t, so that
 * this never goes too far. RTCD §9.5.7 (van den Bergen's ray cast goes on with the simplex; we do as well, by `GjkState`).
 */
export function castConvex(
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  motion: ReadonlyVec3,
  tolerance?: number,
  out?: Hit,
): Hit | null {
  mustBeAFrame('castConvex', frame);
  mustBeCore('castConvex', 'a', a);
  mustBeCore('castConvex', 'b', b);
  checkPoint('castConvex', 'motion', motion);
  if (tolerance !== undefined && tolerance !== null) mustBeNumber('castConvex', 'tolerance', tolerance);
  const { x: mx, y: my, z: mz } = motion;
  if (!(Math.abs(mx) + Math.abs(my) + Math.abs(mz) <= FARTHEST))
    refuse('castConvex', 'motion', `must not be longer than ${FARTHEST}`);
  if (tolerance !== undefined && !(tolerance >= 0 && tolerance < Infinity))
    mustNotBeNegative('castConvex', 'tolerance', tolerance);
  const context = contexts.take();
  try {
    // Not as a default: a number that comes in by a parameter is boxed.
    context.close = tolerance === undefined ? TOLERANCE * (a.reach + b.reach) : tolerance;
    context.motion.x = mx;
    context.motion.y = my;
    context.motion.z = mz;
    if (!advance(context, a, b, frame)) return null;
    const { t, gjk, normal, deep } = context;
    if (t === 0) penetration(a, b, frame, context.state, deep);
    const hit = out ?? makeHit();
    hit.t = t;
    if (t === 0) {
      copy(deep.normal, hit.normal);
      copy(deep.b, hit.point);
      return hit;
    }
    copy(normal, hit.normal);
    hit.point.x = gjk.pointB.x + t * mx;
    hit.point.y = gjk.pointB.y + t * my;
    hit.point.z = gjk.pointB.z + t * mz;
    return hit;
  } finally {
    contexts.release();
  }
}

/** Moves on until the bodies touch, at `t`, or are in touch at 0. False when they never are. */
function advance(context: CastContext, a: ConvexCore, b: ConvexCore, frame: Frame): boolean {
  const { gjk, state, now, support, normal, close } = context;
  const { x: mx, y: my, z: mz } = context.motion;
  const radii = a.radius + b.radius;
  const way = Math.abs(mx) + Math.abs(my) + Math.abs(mz);
  const offset = Math.abs(frame.tx) + Math.abs(frame.ty) + Math.abs(frame.tz);
  copyFrame(frame, now);
  state.count = 0;
  let t = 0;
  for (let step = 0; ; step++) {
    now.tx = frame.tx - t * mx;
    now.ty = frame.ty - t * my;
    now.tz = frame.tz - t * mz;
    const error = GAP_ERROR * (a.reach + b.reach + offset + t * way);
    const near = radii + Math.max(close, 4 * error);
    gjkDistance(a, b, now, state, gjk);
    if (gjk.cores !== 'apart') break;
    const { x, y, z } = gjk.normal;
    measureGap(a, b, now, gjk.normal, support);
    const gap = support.gap - radii;
    const speed = -(x * mx + y * my + z * mz);
    if (gap > error && !(speed > 0)) return false;
    const arrived = gjk.coreDistance <= near || gap <= 2 * error || step === MOST_STEPS;
    const next = arrived ? t : t + (gap - error) / speed;
    if (!(next <= 1)) return false;
    // Close to contact the direction of the shortest way may be rounding. Then that of the last plane is better.
    const noise = error / gjk.coreDistance;
    const turned =
      (x - normal.x) * (x - normal.x) + (y - normal.y) * (y - normal.y) + (z - normal.z) * (z - normal.z);
    if (t === 0 || turned > 16 * noise * noise) copy(gjk.normal, normal);
    if (arrived) break;
    t = next;
  }
  context.t = t;
  return true;
}

/** `v3.copy`, which has a call in it that boxes numbers where it is not inlined. */
function copy({ x, y, z }: ReadonlyVec3, out: Vec3): void {
  out.x = x;
  out.y = y;
  out.z = z;
}

/** When a moving convex body first touches another. RTCD §9.5.7; van den Bergen 2004. */
import { checkPoint, mustBeNumber, mustNotBeNegative, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Hit } from '../primitives/types.ts';
import { makeHit } from '../primitives/types.ts';
import { FARTHEST, mustBeAFrame, mustBeCore } from './check.ts';
import { ContextPool } from './context-pool.ts';
import { type ConvexCore, POLYTOPE } from './core.ts';
import type { Frame } from './frame.ts';
import { copyFrame, makeFrame, toFirst } from './frame.ts';
import { gjkDistance, makeGjkResult, writeWitnesses } from './gjk.ts';
import { FOUND, nearestOnFace, nearestOnTetrahedron, POINT_ERROR } from './gjk-fast-path.ts';
import { compact } from './gjk-run.ts';
import { makeGjkState } from './gjk-state.ts';
import { DifferencePoint, measureGap, supportDifference } from './minkowski.ts';
import { makePenetration, penetration } from './penetration.ts';
import { type MinNorm, nearestWithNewest, refineWeights } from './simplex.ts';

/** Of the sizes of the bodies: how near they must come to touch. */
const TOLERANCE = 1e-9;
/** Rounding of a gap along a normal, relative to all lengths that go into it. */
const GAP_ERROR = 8 * EPS64;
/** Far more than ever needed: a grazing contact comes nearer by a factor of four a step, others square the gap. */
const MOST_STEPS = 100;

class CastContext {
  readonly gjk = makeGjkResult();
  readonly state = makeGjkState();
  /** The pose of b as seen by a at the time t. */
  readonly now = makeFrame();
  readonly support = new DifferencePoint();
  readonly deep = makePenetration();
  /** Of the plane that brought us here. */
  readonly normal = vec3(0.5, 0.5, 0.5);
  readonly motion = vec3(0.5, 0.5, 0.5);
  /** Along which support points are asked for. */
  readonly toward = vec3(0.5, 0.5, 0.5);
  /** A direction that may be better than `normal`. */
  readonly tilted = vec3(0.5, 0.5, 0.5);
  /** How near they must come to touch. */
  close = 0.5;
  /** When they do. */
  t = 0.5;
  /** Has the approach led to the contact? */
  arrived = false;
}

const contexts = new ContextPool(() => new CastContext());

/**
 * When does a body that moves along `motion` first touch another, and where? a moves by t times the motion, for t from 0
 * to 1; b stands still, at `frame` as seen by a where it starts. The point is on b, in the space of a where it starts;
 * the normal is out of b towards a. Null when they do not touch.
 *
 * Never late: up to t the bodies are apart, but for a rounding error of some 1e-15 of their sizes and the distance to there. At t they
 * are within `tolerance` (a length; 1e-9 of their sizes, and no less than a few times that rounding error) of each other and moving
 * closer: what passes by at a smaller distance than that may be reported as a hit.
 *
 * A start in touch or deeper hits at t = 0, with normal and point of their penetration, wherever the motion leads; the
 * point is then the deepest of b. A start that is apart, however little, and moves away or alongside does not hit. A
 * motion of zero hits only what is in touch.
 *
 * They cannot touch before a has come up to any plane between them, which gives the next t. First the planes are those of
 * GJK under way (van den Bergen's ray cast: `advanceByPlanes`), which leads flat-sided bodies to the contact. Then, if need be, they
 * are perpendicular to the shortest connection of the bodies (`advance`): Newton's method on the distance, which is a convex
 * function of t, so that this never goes too far. RTCD §9.5.7.
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

/** Steps of the approach: far more than polytopes need. */
const APPROACH_STEPS = 32;

/**
 * Advances `t` from plane to plane while GJK is under way, with a support point a step: van den Bergen's ray cast against
 * the difference. Whatever the direction v of a plane between the bodies, they do not touch before a has come up to it; and
 * the points of the simplex move with a. Ends near the contact, with the simplex in the state, or where no plane is found.
 * False when the bodies never touch.
 */
function advanceByPlanes(context: CastContext, a: ConvexCore, b: ConvexCore, frame: Frame): boolean {
  const { gjk, state, now, support, normal, close, toward } = context;
  const { w, a: pa, b: pb, weights, indexA, indexB, end } = state;
  const { nearest } = end;
  const { x: mx, y: my, z: mz } = context.motion;
  const radii = a.radius + b.radius;
  const motionSize = Math.abs(mx) + Math.abs(my) + Math.abs(mz);
  const size = a.reach + b.reach + Math.abs(frame.tx) + Math.abs(frame.ty) + Math.abs(frame.tz);
  copyFrame(frame, now);
  toFirst(frame, b.center, support.b);
  let vx = a.center.x - support.b.x;
  let vy = a.center.y - support.b.y;
  let vz = a.center.z - support.b.z;
  let t = 0;
  let mask = 0;
  let newest = 0;
  let arrived = false;
  const flatSided = a.type <= POLYTOPE && b.type <= POLYTOPE;
  support.hintA = -1;
  support.hintB = -1;
  for (let step = 0; step < APPROACH_STEPS; step++) {
    const lengthSq = vx * vx + vy * vy + vz * vz;
    const length = Math.sqrt(lengthSq);
    const error = GAP_ERROR * (size + t * motionSize);
    const near = radii + Math.max(close, 4 * error);
    if (flatSided && t > 0 && length <= near) {
      // There are points this close to each other, and no plane says more.
      arrived = true;
      tiltNormal(context, a, b, nearest, length, error);
      break;
    }
    if (!(lengthSq > 1e-200)) break;
    toward.x = -vx;
    toward.y = -vy;
    toward.z = -vz;
    supportDifference(a, b, now, toward, support);
    const gap = -support.extent / length - radii;
    let ahead = 0;
    if (gap > error) {
      const speed = -(vx * mx + vy * my + vz * mz) / length;
      if (!(speed > 0)) return false;
      const next = t + (gap - error) / speed;
      if (!(next <= 1)) return false;
      normal.x = vx / length;
      normal.y = vy / length;
      normal.z = vz / length;
      if (gap <= near - radii) break;
      ahead = next - t;
      t = next;
      now.tx = frame.tx - t * mx;
      now.ty = frame.ty - t * my;
      now.tz = frame.tz - t * mz;
    }
    const { a: onA, b: onB, ownB } = support;
    const wx = onA.x - onB.x;
    const wy = onA.y - onB.y;
    const wz = onA.z - onB.z;
    let isNew = true;
    for (let i = 0, at = 0; i < 4; i++, at += 3)
      if ((mask & (1 << i)) !== 0) {
        if (w[at] === wx && w[at + 1] === wy && w[at + 2] === wz) {
          isNew = false;
          newest = i;
        }
        w[at] += ahead * mx;
        w[at + 1] += ahead * my;
        w[at + 2] += ahead * mz;
      }
    if (ahead === 0 && (!isNew || !(lengthSq + support.extent > POINT_ERROR * size * length)) && mask !== 0)
      break;
    if (isNew) {
      newest = 31 - Math.clz32(~mask & (mask + 1));
      const at = 3 * newest;
      w[at] = wx + ahead * mx;
      w[at + 1] = wy + ahead * my;
      w[at + 2] = wz + ahead * mz;
      pa[at] = onA.x;
      pa[at + 1] = onA.y;
      pa[at + 2] = onA.z;
      pb[at] = ownB.x;
      pb[at + 1] = ownB.y;
      pb[at + 2] = ownB.z;
      indexA[newest] = support.hintA;
      indexB[newest] = support.hintB;
      mask |= 1 << newest;
    }
    solve(w, mask, newest, nearest);
    mask = nearest.kept;
    vx = nearest.x;
    vy = nearest.y;
    vz = nearest.z;
    if (nearest.inside) break;
  }
  if (arrived) nearestWithNewest(w, mask, newest, nearest);
  for (let i = 0; i < 4; i++) weights[i] = arrived ? nearest.weights[i]! : +(i === newest);
  compact(state, arrived ? nearest.kept : mask);
  if (arrived) {
    refineWeights(w, state.count, weights, nearest);
    writeWitnesses(now, state, gjk);
    v3.addScaled(gjk.pointB, normal, b.radius, gjk.pointB);
  }
  state.coreA = a;
  state.coreB = b;
  context.t = t;
  context.arrived = arrived;
  return true;
}

/**
 * Close to contact the direction of the shortest connection may be rounding, by `error` over its `length`. Then the normal, that of
 * the plane that brought us here, is better; so it is if that direction is not against the motion, as contacts are, or not
 * across a plane between the bodies: near the corners of both, points may be close enough that are not the nearest.
 */
function tiltNormal(
  { normal, motion, tilted, now, support }: CastContext,
  a: ConvexCore,
  b: ConvexCore,
  { x, y, z }: ReadonlyVec3,
  length: number,
  error: number,
): void {
  if (!(x * motion.x + y * motion.y + z * motion.z < 0)) return;
  const scale = 1 / Math.sqrt(x * x + y * y + z * z);
  tilted.x = scale * x;
  tilted.y = scale * y;
  tilted.z = scale * z;
  const dx = tilted.x - normal.x;
  const dy = tilted.y - normal.y;
  const dz = tilted.z - normal.z;
  const noise = error / length;
  if (!(dx * dx + dy * dy + dz * dz > 16 * noise * noise)) return;
  measureGap(a, b, now, tilted, support);
  if (support.gap - a.radius - b.radius >= -4 * error) copy(tilted, normal);
}

/** The nearest point of the simplex, of its parts that hold the newest point: by plain arithmetic where that is safe. */
function solve(w: Float64Array, mask: number, newest: number, out: MinNorm): void {
  const rest = mask & ~(1 << newest);
  const i = 31 - Math.clz32(rest);
  const others = rest & ~(1 << i);
  if (others !== 0) {
    const j = 31 - Math.clz32(others);
    const last = others & ~(1 << j);
    out.sq = Infinity;
    out.inside = false;
    const found =
      last === 0
        ? nearestOnFace(w, newest, i, j, out)
        : nearestOnTetrahedron(w, newest, i, j, 31 - Math.clz32(last), out);
    if (found === FOUND) return;
  }
  nearestWithNewest(w, mask, newest, out);
}

/** Finds the time `t` when the bodies touch: 0 if they are in touch at the start. False when they never are. */
function advance(context: CastContext, a: ConvexCore, b: ConvexCore, frame: Frame): boolean {
  const { gjk, state, now, support, normal, close } = context;
  const { x: mx, y: my, z: mz } = context.motion;
  const radii = a.radius + b.radius;
  const motionSize = Math.abs(mx) + Math.abs(my) + Math.abs(mz);
  const offset = Math.abs(frame.tx) + Math.abs(frame.ty) + Math.abs(frame.tz);
  if (!advanceByPlanes(context, a, b, frame)) return false;
  if (context.arrived) return true;
  let { t } = context;
  for (let step = 0; ; step++) {
    now.tx = frame.tx - t * mx;
    now.ty = frame.ty - t * my;
    now.tz = frame.tz - t * mz;
    const error = GAP_ERROR * (a.reach + b.reach + offset + t * motionSize);
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
    if (t === 0) copy(gjk.normal, normal);
    else tiltNormal(context, a, b, gjk.normal, gjk.coreDistance, error);
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

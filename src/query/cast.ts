/** When a moving body first touches another. */
import { makeFrame, relativeFrame } from '../convex/frame.ts';
import { mustBeFinite, refuse } from '../math/check.ts';
import { inverseTransformVector } from '../math/pose.ts';
import type { Pose, ReadonlyVec3 } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Shape } from '../shapes/shape.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from './body.ts';
import { mustBeBodies } from './check.ts';
import { algorithmFor } from './pairs/table.ts';
import { copyPoint, normalToWorld, pointToWorld } from './placed.ts';
import { arePolyhedral, castPolyhedral } from './polyhedral-cast.ts';
import type { CastHit } from './results.ts';
import { makeCastHit, makeSeparation } from './results.ts';
import { castTurning, makeTurning, type Turning } from './turning-cast.ts';

/** A straight line, without turning. */
export interface Translation {
  readonly translation: ReadonlyVec3;
}

/**
 * A turn about the line through `pivot` along `axis`, in radians, counter-clockwise seen from the tip of the axis; any
 * angle. The pivot is a place in the world; unless given, the position of the body (after the translation, if there is one).
 */
export interface Rotation {
  readonly axis: ReadonlyVec3;
  readonly angle: number;
  readonly pivot?: ReadonlyVec3;
}

/** Both at once, at constant speed: the position of the body moves along a line while the body turns about it. */
export interface RigidMotion {
  /** Distance a unit of time. */
  readonly linear: ReadonlyVec3;
  /** Along the axis of the turn, radians a unit of time. */
  readonly angular: ReadonlyVec3;
  /** 1 unless told otherwise. */
  readonly duration?: number;
}

/** How a body moves. With a translation and a rotation, first the one, then the other: each takes half of the time. */
export type Motion = Translation | Rotation | (Translation & Rotation) | RigidMotion;

const frame = makeFrame();
const place = pose();
const target = pose();
const local = makeCastHit();
const turned = vec3();
const turning = makeTurning();
const start = makeSeparation();

/**
 * When and where does body a, on its way along the motion, first touch body b? Null when it does not. `t` is a fraction
 * of the motion in [0, 1]; a start in touch hits at t = 0. Never late, and early by no more than 1e-6 of the sizes of the
 * bodies. The point is where they touch then, with b where it stands. Turns of bodies with flat sides are swept exactly
 * (`sweepPolyhedra`); all other motions with a turn are followed by conservative advancement.
 */
export function cast(a: Body, motion: Motion, b: Body, out?: CastHit): CastHit | null {
  mustBeBodies('cast', a, b);
  if (typeof motion !== 'object' || motion === null)
    throw new TypeError('graze: cast: motion must be an object');
  normalizedPose(poseOf(a), place);
  local.t = 1;
  if ('translation' in motion && !('axis' in motion)) {
    const { translation } = motion;
    if ((translation.x + translation.y + translation.z) * 0 !== 0) mustBeFinite('cast', { motion });
    if (!castTranslation(shapeOf(a), place, translation, b)) return null;
  } else if (!castTurns(shapeOf(a), place, motion, b)) return null;
  const hit = out ?? makeCastHit();
  hit.t = local.t;
  copyPoint(local.point, hit.point);
  copyPoint(local.normal, hit.normal);
  hit.part.child = local.part.child;
  hit.part.triangle = local.part.triangle;
  hit.moverPart.child = local.moverPart.child;
  hit.moverPart.triangle = local.moverPart.triangle;
  return hit;
}

/** Fills `local` with the first contact, in world space. */
function castTranslation(first: Shape, from: Pose, translation: ReadonlyVec3, b: Body): boolean {
  const second = shapeOf(b);
  relativeFrame(from, poseOf(b), frame);
  inverseTransformVector(from, translation, turned);
  if (!algorithmFor(first, second).cast(first, turned, second, frame, local)) return false;
  pointToWorld(from, local.point, local.point);
  normalToWorld(from, local.normal, local.normal);
  return true;
}

/** The same for motions with a turn. */
function castTurns(first: Shape, from: Pose, motion: Motion, b: Body): boolean {
  if ('linear' in motion) {
    loadRigid(motion, from, turning);
    return castTurn(first, from, b);
  }
  if (!('axis' in motion))
    throw new TypeError(
      'graze: cast: motion must have a translation, an axis and an angle, or linear and angular velocities',
    );
  const { axis, angle, pivot } = motion;
  mustBeFinite('cast', { 'motion.axis': axis, 'motion.angle': angle, 'motion.pivot': pivot ?? axis });
  let half = false;
  if ('translation' in motion) {
    const { translation } = motion;
    mustBeFinite('cast', { 'motion.translation': translation });
    if (castTranslation(first, from, translation, b)) {
      local.t /= 2;
      return true;
    }
    v3.add(from.position, translation, from.position);
    local.t = 1;
    half = true;
  }
  v3.copy(pivot ?? from.position, turning.pivot);
  v3.set(0, 0, 0, turning.linear);
  loadTurn(axis, angle, turning);
  if (!castTurn(first, from, b)) return false;
  if (half) local.t = 0.5 + local.t / 2;
  return true;
}

function loadRigid({ linear, angular, duration = 1 }: RigidMotion, from: Pose, out: Turning): void {
  mustBeFinite('cast', { 'motion.linear': linear, 'motion.angular': angular, 'motion.duration': duration });
  if (duration < 0) refuse('cast', 'motion.duration', `must not be negative, got ${duration}`);
  v3.copy(from.position, out.pivot);
  v3.scale(linear, duration, out.linear);
  const rate = v3.length(angular);
  loadTurn(rate > 0 ? angular : UP, rate * duration, out);
}

const UP: ReadonlyVec3 = { x: 0, y: 1, z: 0 };

function loadTurn(axis: ReadonlyVec3, angle: number, out: Turning): void {
  const length = v3.length(axis);
  if (!(length > 0)) refuse('cast', 'motion.axis', 'must not be zero');
  v3.scale(axis, angle < 0 ? -1 / length : 1 / length, out.axis);
  out.angle = Math.abs(angle);
}

/** The first contact on the way of `turning`. */
function castTurn(first: Shape, from: Pose, b: Body): boolean {
  const second = shapeOf(b);
  normalizedPose(poseOf(b), target);
  relativeFrame(from, target, frame);
  const algorithm = algorithmFor(first, second);
  if (algorithm.intersects(first, second, frame)) {
    algorithm.separation(first, second, frame, Infinity, start);
    local.t = 0;
    pointToWorld(from, start.pointB, local.point);
    normalToWorld(from, start.normal, local.normal);
    local.part.child = start.partB.child;
    local.part.triangle = start.partB.triangle;
    local.moverPart.child = start.partA.child;
    local.moverPart.triangle = start.partA.triangle;
    return true;
  }
  if (
    turning.linear.x === 0 &&
    turning.linear.y === 0 &&
    turning.linear.z === 0 &&
    arePolyhedral(first, second)
  ) {
    const { axis, angle, pivot } = turning;
    return castPolyhedral(first, from, axis, angle, pivot, second, target, local);
  }
  return castTurning(first, from, turning, second, target, local);
}

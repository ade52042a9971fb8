/** Motions in two parts: a translation and a rotation. van Waveren 2005, §2. */
import {
  checkPoint,
  mustBePose as checkPose,
  describe,
  mustBeCoordinate,
  mustBeNumber,
  mustBeOneOf,
  mustHave,
  refuse,
  refuseType,
} from '../math/check.ts';
import { composePoses, invertPose } from '../math/pose.ts';
import * as q4 from '../math/quat.ts';
import { angleOfRegisters, makeSinCos, registers, sincosOfRegister } from '../math/trig.ts';
import type { Pose, Quat, ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { pose, quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { SweepMotion } from './types.ts';

/** A translation and a rotation about a place in the world, in either order, from one pose to another. */
export interface PoseMotion {
  translation: Vec3;
  axis: Vec3;
  angle: number;
  pivot: Vec3;
  first: 'translation' | 'rotation';
  /** Where it leads: the whole of the motion ends here to the last bit. */
  end: Pose;
}

export const makePoseMotion = (): PoseMotion => ({
  translation: vec3(),
  axis: vec3(0, 0, 1),
  angle: 0,
  pivot: vec3(),
  first: 'translation',
  end: pose(),
});

/** The motion of one body as another one sees it that moves too. */
export interface RelativeMotion {
  /** Where it starts, in the other's space. */
  from: Pose;
  motion: PoseMotion;
}

export const makeRelativeMotion = (): RelativeMotion => ({ from: pose(), motion: makePoseMotion() });

/** A motion as plain numbers. @internal */
export interface MotionParts {
  readonly translation: Vec3;
  moves: boolean;
  /** A unit vector. */
  readonly axis: Vec3;
  angle: number;
  turns: boolean;
  /** Of a motion that does both. */
  turnsFirst: boolean;
  /** For the pose at hand. */
  readonly pivot: Vec3;
  /** How much of it is asked for. */
  t: number;
}

/** @internal */
export const makeMotionParts = (): MotionParts => ({
  translation: vec3(0.5, 0.5, 0.5),
  moves: false,
  axis: vec3(0.5, 0.5, 0.5),
  angle: 0.5,
  turns: false,
  turnsFirst: false,
  pivot: vec3(0.5, 0.5, 0.5),
  t: 0.5,
});

/** @internal A pose of finite numbers with a rotation. */
export { mustBePose as checkPose } from '../math/check.ts';

/** Checks a motion and takes it apart. @internal */
export function readMotion(caller: string, from: ReadonlyPose, motion: SweepMotion, out: MotionParts): void {
  if (typeof motion !== 'object' || motion === null) refuseType(caller, 'motion', MOTION, motion);
  const { translation, axis, angle, pivot, first } = motion as Partial<PoseMotion>;
  if (first !== undefined && first !== 'translation' && first !== 'rotation')
    mustBeOneOf(caller, 'motion.first', first, ['translation', 'rotation']);
  if (translation === undefined && axis === undefined) refuseType(caller, 'motion', MOTION, motion);
  v3.set(0, 0, 0, out.translation);
  out.moves = false;
  out.turns = false;
  out.angle = 0;
  if (translation !== undefined) {
    checkPoint(caller, 'motion.translation', translation);
    const { x, y, z } = translation;
    v3.set(x, y, z, out.translation);
    out.moves = x !== 0 || y !== 0 || z !== 0;
  }
  if (axis !== undefined) {
    checkPoint(caller, 'motion.axis', axis);
    mustBeCoordinate(caller, 'motion.angle', angle as number);
    const { x, y, z } = axis;
    if (angle !== 0 && x === 0 && y === 0 && z === 0) refuse(caller, 'motion.axis', 'must not be zero');
    v3.set(x, y, z, out.axis);
    v3.normalize(out.axis, out.axis);
    out.angle = angle as number;
    out.turns = angle !== 0;
    if (pivot !== undefined) {
      checkPoint(caller, 'motion.pivot', pivot);
      v3.copy(pivot, out.pivot);
    } else if (first === 'rotation') v3.copy(from.position, out.pivot);
    else v3.add(from.position, out.translation, out.pivot);
  }
  out.turnsFirst = out.moves && out.turns && first === 'rotation';
}

const MOTION = 'have a translation, or an axis and an angle';

const parts = makeMotionParts();

/**
 * The pose after a fraction t in [0, 1] of a motion. t = 0 gives `from` itself, t = 1 the very pose that the motion leads to.
 * Of a translation and a rotation, the first half of t is the one that is done first, the second half the other. Without a
 * pivot the body turns about its own position.
 */
export function poseAlong(from: ReadonlyPose, motion: SweepMotion, t: number, out: Pose = pose()): Pose {
  mustBeNumber('poseAlong', 't', t);
  checkPose('poseAlong', 'from', from);
  readMotion('poseAlong', from, motion, parts);
  if (!(t >= 0 && t <= 1)) refuse('poseAlong', 't', `must be in [0, 1], got ${describe(t)}`);
  const end = (motion as Partial<PoseMotion>).end;
  if (t === 1 && end) {
    v3.copy(end.position, out.position);
    q4.copy(end.quaternion, out.quaternion);
    return out;
  }
  parts.t = t;
  return partsAlong(from, parts, out);
}

const turn: Quat = quat();
const arm = vec3();
const half = makeSinCos();

/** @internal */
export function partsAlong(from: ReadonlyPose, parts: MotionParts, out: Pose): Pose {
  const { translation, moves, turns, turnsFirst, t } = parts;
  const both = moves && turns;
  const early = both ? Math.min(1, 2 * t) : t;
  const late = both ? Math.max(0, 2 * t - 1) : t;
  const go = moves ? (turnsFirst ? late : early) : 0;
  const round = turns ? (turnsFirst ? early : late) : 0;
  const { x, y, z } = from.position;
  const px = go === 0 ? x : x + go * translation.x;
  const py = go === 0 ? y : y + go * translation.y;
  const pz = go === 0 ? z : z + go * translation.z;
  if (round === 0) {
    q4.copy(from.quaternion, out.quaternion);
    v3.set(px, py, pz, out.position);
    return out;
  }
  // As q4.fromAxisAngle, without a number that crosses a call.
  registers[0] = 0.5 * (parts.angle * round);
  sincosOfRegister(half);
  const { axis } = parts;
  q4.set(axis.x * half.sin, axis.y * half.sin, axis.z * half.sin, half.cos, turn);
  q4.multiply(turn, from.quaternion, out.quaternion);
  const { pivot } = parts;
  if (turnsFirst) v3.set(x - pivot.x, y - pivot.y, z - pivot.z, arm);
  else v3.set(px - pivot.x, py - pivot.y, pz - pivot.z, arm);
  // About its own position a body stays where it is.
  if (arm.x === 0 && arm.y === 0 && arm.z === 0) {
    v3.set(px, py, pz, out.position);
    return out;
  }
  v3.rotate(arm, turn, arm);
  v3.add(pivot, arm, out.position);
  if (turnsFirst && go !== 0) {
    v3.set(go * translation.x, go * translation.y, go * translation.z, arm);
    v3.add(out.position, arm, out.position);
  }
  return out;
}

/**
 * The same motion with its two parts in the other order: it leads from the same pose to the same pose, another way. What
 * goes by d and then turns about p is what turns about p - d and then goes by d.
 */
export function swapMotionOrder(motion: PoseMotion, out: PoseMotion = makePoseMotion()): PoseMotion {
  mustHave('swapMotionOrder', 'motion', motion, 'a motion, as motionBetween gives', 'translation');
  const { translation: d, axis, angle, pivot, first, end } = motion;
  if (first !== 'translation' && first !== 'rotation')
    refuse('swapMotionOrder', 'motion.first', `must be 'translation' or 'rotation', got ${describe(first)}`);
  checkPoint('swapMotionOrder', 'motion.translation', d);
  checkPoint('swapMotionOrder', 'motion.axis', axis);
  checkPoint('swapMotionOrder', 'motion.pivot', pivot);
  mustBeCoordinate('swapMotionOrder', 'motion.angle', angle);
  checkPose('swapMotionOrder', 'motion.end', end);
  const sign = first === 'translation' ? -1 : 1;
  const { x: dx, y: dy, z: dz } = d;
  const { x: px, y: py, z: pz } = pivot;
  const { x: kx, y: ky, z: kz } = axis;
  const { x: ex, y: ey, z: ez } = end.position;
  v3.set(px + sign * dx, py + sign * dy, pz + sign * dz, out.pivot);
  v3.set(dx, dy, dz, out.translation);
  v3.set(kx, ky, kz, out.axis);
  out.angle = angle;
  out.first = first === 'translation' ? 'rotation' : 'translation';
  v3.set(ex, ey, ez, out.end.position);
  q4.copy(end.quaternion, out.end.quaternion);
  return out;
}

const back = quat();

/**
 * A motion that leads from one pose to another: a translation, then a rotation by at most half a turn about `pivot`
 * (default: the position of `to`). At t = 1 `poseAlong` gives `to` itself. `swapMotionOrder` makes the rotation the first.
 */
export function motionBetween(
  from: ReadonlyPose,
  to: ReadonlyPose,
  pivot?: ReadonlyVec3,
  out: PoseMotion = makePoseMotion(),
): PoseMotion {
  if (pivot !== undefined && pivot !== null) checkPoint('motionBetween', 'pivot', pivot);
  checkPose('motionBetween', 'from', from);
  checkPose('motionBetween', 'to', to);
  return between(from, to, pivot ?? to.position, out);
}

function between(from: ReadonlyPose, to: ReadonlyPose, pivot: ReadonlyVec3, out: PoseMotion): PoseMotion {
  q4.normalize(from.quaternion, back);
  q4.conjugate(back, back);
  q4.normalize(to.quaternion, turn);
  q4.multiply(turn, back, turn);
  const sign = turn.w < 0 ? -1 : 1;
  v3.set(sign * turn.x, sign * turn.y, sign * turn.z, arm);
  const sin = Math.sqrt(arm.x * arm.x + arm.y * arm.y + arm.z * arm.z);
  registers[0] = sin;
  registers[1] = 0;
  registers[2] = sign * turn.w;
  registers[3] = 0;
  angleOfRegisters();
  const angle = 2 * registers[0]!;
  const { x, y, z } = pivot;
  const { x: tx, y: ty, z: tz } = to.position;
  const { x: fx, y: fy, z: fz } = from.position;
  out.angle = sin > 0 ? angle : 0;
  if (sin > 0) v3.set(arm.x / sin, arm.y / sin, arm.z / sin, out.axis);
  else v3.set(0, 0, 1, out.axis);
  // Where the position must be before the turn: the pivot and the arm of the end, turned back.
  v3.set(tx - x, ty - y, tz - z, arm);
  if (sin > 0) v3.rotateInverse(arm, turn, arm);
  v3.set(x, y, z, out.pivot);
  v3.set(x + arm.x - fx, y + arm.y - fy, z + arm.z - fz, out.translation);
  if (sin === 0 || (tx === x && ty === y && tz === z)) v3.set(tx - fx, ty - fy, tz - fz, out.translation);
  out.first = 'translation';
  v3.set(tx, ty, tz, out.end.position);
  q4.copy(to.quaternion, out.end.quaternion);
  return out;
}

const seen = pose();
const unit = pose();

/**
 * Two bodies that move at once, a from one pose to another and b too: the motion of a as b sees it. Sweep a from `from`
 * along `motion` against b standing at the origin. Where t is the fraction at which they meet, each has done about that
 * much of its own motion.
 */
export function relativeMotion(
  fromA: ReadonlyPose,
  toA: ReadonlyPose,
  fromB: ReadonlyPose,
  toB: ReadonlyPose,
  out: RelativeMotion = makeRelativeMotion(),
): RelativeMotion {
  checkPose('relativeMotion', 'fromA', fromA);
  checkPose('relativeMotion', 'toA', toA);
  checkPose('relativeMotion', 'fromB', fromB);
  checkPose('relativeMotion', 'toB', toB);
  normalized(toB, unit);
  invertPose(unit, seen);
  normalized(toA, unit);
  composePoses(seen, unit, seen);
  normalized(fromB, unit);
  invertPose(unit, unit);
  normalized(fromA, out.from);
  composePoses(unit, out.from, out.from);
  between(out.from, seen, seen.position, out.motion);
  return out;
}

function normalized(from: ReadonlyPose, out: Pose): void {
  v3.copy(from.position, out.position);
  q4.normalize(from.quaternion, out.quaternion);
}

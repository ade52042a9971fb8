/**
 * How bodies move: as one or two phases of constant velocity, one after the other. Casts, swept bounds and worlds take rigid
 * motions too; sweeps of polyhedra a translation, a rotation, or both (van Waveren 2005, §2).
 */
import {
  checkPoint,
  mustBePose as checkPose,
  describe,
  isPoint,
  LARGEST,
  mustBeCoordinate,
  mustBeLength,
  mustBeNumber,
  mustBeOneOf,
  mustBeOptions,
  mustHave,
  refuse,
  refuseType,
} from '../math/check.ts';
import { composePoses, invertPose } from '../math/pose.ts';
import * as q4 from '../math/quat.ts';
import { angleOfRegisters, makeSinCos, sincosOfRegister } from '../math/trig.ts';
import {
  type Pose,
  pose,
  quat,
  type ReadonlyPose,
  type ReadonlyVec3,
  type Vec3,
  vec3,
} from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { SweepMotion } from './types.ts';

/** For the functions of `trig.ts`: numbers that cross a call are boxed, those in here are not. */
const registers = new Float64Array(4);

/** A translation and a rotation about a point of the world, in either order, from one pose to another. */
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

/** @internal A pose of finite numbers with a rotation. */
export { mustBePose as checkPose } from '../math/check.ts';

/**
 * The pose after a fraction t in [0, 1] of a motion. t = 0 gives `from` itself, t = 1 the very pose that the motion leads to.
 * Of a translation and a rotation, the first half of t is the one that is done first, the second half the other. Without a
 * pivot the body rotates about its own position.
 */
export function poseAlong(from: ReadonlyPose, motion: SweepMotion, t: number, out: Pose = pose()): Pose {
  mustBeNumber('poseAlong', 't', t);
  checkPose('poseAlong', 'from', from);
  readSweepMotion('poseAlong', motion, from, phasesOfPose);
  if (!(t >= 0 && t <= 1)) refuse('poseAlong', 't', `must be in [0, 1], got ${describe(t)}`);
  const { end } = motion as Partial<PoseMotion>;
  if (t !== 1 || !end) return poseAlongPhases(from, phasesOfPose, t, out);
  v3.copy(end.position, out.position);
  q4.copy(end.quaternion, out.quaternion);
  return out;
}

/**
 * The same motion with its two parts in the other order: it leads from the same pose to the same pose by another path. What
 * moves by d and then rotates about p is what rotates about p - d and then moves by d.
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
const rotation = quat();
const arm = vec3();

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
  q4.normalize(to.quaternion, rotation);
  q4.multiply(rotation, back, rotation);
  const sign = rotation.w < 0 ? -1 : 1;
  v3.set(sign * rotation.x, sign * rotation.y, sign * rotation.z, arm);
  const sin = Math.sqrt(arm.x * arm.x + arm.y * arm.y + arm.z * arm.z);
  registers[0] = sin;
  registers[1] = 0;
  registers[2] = sign * rotation.w;
  registers[3] = 0;
  angleOfRegisters(registers);
  const angle = 2 * registers[0]!;
  const { x, y, z } = pivot;
  const { x: tx, y: ty, z: tz } = to.position;
  const { x: fx, y: fy, z: fz } = from.position;
  out.angle = sin > 0 ? angle : 0;
  if (sin > 0) v3.set(arm.x / sin, arm.y / sin, arm.z / sin, out.axis);
  else v3.set(0, 0, 1, out.axis);
  // Where the position must be before the rotation: the pivot and the arm of the end, rotated back.
  v3.set(tx - x, ty - y, tz - z, arm);
  if (sin > 0) v3.rotateInverse(arm, rotation, arm);
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
 * along `motion` against b at the origin. Where t is the fraction at which they meet, each has done about that
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

// ---- Motions of casts and swept bounds: one or two phases of constant velocity -------------------------------------------

/** A straight line, without rotation. */
export interface Translation {
  readonly translation: ReadonlyVec3;
}

/**
 * A rotation about the line through `pivot` along `axis`, in radians, counter-clockwise seen from the tip of the axis; any
 * angle. The pivot is a point of the world. Default: the position of the body when the rotation begins.
 */
export interface Rotation {
  readonly axis: ReadonlyVec3;
  readonly angle: number;
  readonly pivot?: ReadonlyVec3;
}

/** One after the other: each takes half of the time. */
export interface TranslationAndRotation extends Translation, Rotation {
  /** Which of the two is done first. Default: 'translation'. */
  readonly first?: 'translation' | 'rotation';
}

/** Both at once, at constant speed: the position of the body moves along a line while the body rotates about it. */
export interface RigidMotion {
  /** Distance a unit of time. */
  readonly linear: ReadonlyVec3;
  /** Along the axis of rotation, radians a unit of time. */
  readonly angular: ReadonlyVec3;
  /** Default: 1. */
  readonly duration?: number;
}

/** How a body moves. */
export type Motion = Translation | Rotation | TranslationAndRotation | RigidMotion;

/**
 * A motion of constant velocity: a point x is, at time t in [0, 1], at pivot + t linear + R(axis, t angle) (x - pivot).
 * The axis is a unit vector, the angle not negative. @internal
 */
export interface SteadyMotion {
  readonly pivot: Vec3;
  readonly linear: Vec3;
  readonly axis: Vec3;
  angle: number;
}

/** @internal */
export const makeSteadyMotion = (): SteadyMotion => ({
  pivot: vec3(0.5, 0.5, 0.5),
  linear: vec3(0.5, 0.5, 0.5),
  axis: vec3(0.5, 0.5, 0.5),
  angle: 0.5,
});

/** A motion as `count` phases of equal length, one after the other. @internal */
export interface MotionPhases {
  readonly phases: readonly [SteadyMotion, SteadyMotion];
  count: number;
}

/** @internal */
export const makeMotionPhases = (): MotionPhases => ({
  phases: [makeSteadyMotion(), makeSteadyMotion()],
  count: 1,
});

const UP: ReadonlyVec3 = { x: 0, y: 1, z: 0 };

/** Checks a motion of a body at `from` (with a unit quaternion), and takes it apart. @internal */
export function readMotionPhases(
  caller: string,
  name: string,
  motion: Motion,
  from: ReadonlyPose,
  out: MotionPhases,
): void {
  readPhases(caller, name, motion, from, out);
  for (let k = 0; k < out.count; k++) {
    const { angle } = out.phases[k]!;
    if (angle <= MAX_ROTATION) continue;
    const field = 'linear' in motion ? 'angular' : 'axis';
    const limit = `must not turn by more than ${MAX_ROTATION} radians, got ${describe(angle)}`;
    refuse(caller, `${name}.${field}`, `${limit}: it would take for ever`);
  }
}

/**
 * The same for a sweep of polyhedra, by any angle. A phase that leads nowhere is left out, unless there is no other. @internal
 */
export function readSweepMotion(
  caller: string,
  motion: SweepMotion,
  from: ReadonlyPose,
  out: MotionPhases,
): void {
  if (typeof motion !== 'object' || motion === null || 'linear' in motion)
    refuseType(caller, 'motion', SWEEP_FORMS, motion);
  readPhases(caller, 'motion', motion, from, out);
  const [first, second] = out.phases;
  if (out.count === 2 && !(isMoving(first) && isMoving(second))) {
    out.count = 1;
    if (!isMoving(first)) partOfMotion(second, 0, 1, first);
  }
}

const SWEEP_FORMS = 'a record with a translation, or an axis and an angle';

const isMoving = (phase: SteadyMotion): boolean => phase.angle !== 0 || !isPureRotation(phase);

function readPhases(
  caller: string,
  name: string,
  motion: Motion,
  from: ReadonlyPose,
  out: MotionPhases,
): void {
  if (typeof motion !== 'object' || motion === null) refuseType(caller, name, 'a motion', motion);
  for (const key in motion) if (!isMotionField(key)) mustBeOptions(caller, name, motion, FIELDS);
  const [first, second] = out.phases;
  out.count = 1;
  if ('linear' in motion) readRigid(caller, name, motion, from, first);
  else if ('axis' in motion && motion.axis !== undefined) {
    if (!('translation' in motion && motion.translation !== undefined)) {
      readRotation(caller, name, motion, from.position, first);
      return;
    }
    const order = motion.first ?? 'translation';
    if (order !== 'translation' && order !== 'rotation') mustBeOneOf(caller, `${name}.first`, order, ORDERS);
    out.count = 2;
    if (order === 'translation') {
      readTranslation(caller, name, motion, from, first);
      readRotation(caller, name, motion, v3.add(from.position, first.linear, second.pivot), second);
    } else {
      readRotation(caller, name, motion, from.position, first);
      readTranslation(caller, name, motion, from, second);
    }
  } else if ('translation' in motion) readTranslation(caller, name, motion, from, first);
  else refuseType(caller, name, MOTION_FORMS, motion);
}

/** The work grows with the angle. */
const MAX_ROTATION = 10_000;
const ORDERS = ['translation', 'rotation'];
const MOTION_FORMS = 'a record with a translation, an axis and an angle, or linear and angular velocities';
const FIELDS = 'translation axis angle pivot first linear angular duration end';

/** A comparison of words that V8 knows: nothing is made, as this is asked of every motion. */
function isMotionField(key: string): boolean {
  switch (key) {
    case 'translation':
    case 'axis':
    case 'angle':
    case 'pivot':
    case 'first':
    case 'linear':
    case 'angular':
    case 'duration':
    case 'end':
      return true;
    default:
      return false;
  }
}

function readTranslation(
  caller: string,
  name: string,
  { translation }: Translation,
  from: ReadonlyPose,
  out: SteadyMotion,
): void {
  if (!isPoint(translation)) checkPoint(caller, `${name}.translation`, translation);
  v3.copy(from.position, out.pivot);
  v3.copy(translation, out.linear);
  v3.copy(UP, out.axis);
  out.angle = 0;
}

function readRotation(
  caller: string,
  name: string,
  { axis, angle, pivot }: Rotation,
  own: ReadonlyVec3,
  out: SteadyMotion,
): void {
  if (!isPoint(axis)) checkPoint(caller, `${name}.axis`, axis);
  if (!(typeof angle === 'number' && Math.abs(angle) <= LARGEST))
    mustBeCoordinate(caller, `${name}.angle`, angle);
  if (pivot !== undefined && !isPoint(pivot)) checkPoint(caller, `${name}.pivot`, pivot);
  v3.copy(pivot ?? own, out.pivot);
  v3.set(0, 0, 0, out.linear);
  out.angle = angle;
  setRotation(caller, name, 'axis', axis, out);
}

function readRigid(
  caller: string,
  name: string,
  { linear, angular, duration = 1 }: RigidMotion,
  from: ReadonlyPose,
  out: SteadyMotion,
): void {
  if (!isPoint(linear)) checkPoint(caller, `${name}.linear`, linear);
  if (!isPoint(angular)) checkPoint(caller, `${name}.angular`, angular);
  if (!(typeof duration === 'number' && duration >= 0 && duration <= LARGEST))
    mustBeLength(caller, `${name}.duration`, duration);
  v3.copy(from.position, out.pivot);
  const { x, y, z } = linear;
  out.linear.x = duration * x;
  out.linear.y = duration * y;
  out.linear.z = duration * z;
  const rate = v3.length(angular);
  out.angle = rate * duration;
  setRotation(caller, name, 'angular', rate > 0 ? angular : UP, out);
}

/** The axis is made a unit vector, and reversed where the angle is negative. */
function setRotation(
  caller: string,
  name: string,
  field: 'axis' | 'angular',
  axis: ReadonlyVec3,
  out: SteadyMotion,
): void {
  const { angle } = out;
  if (axis.x === 0 && axis.y === 0 && axis.z === 0) {
    if (angle !== 0) refuse(caller, `${name}.${field}`, 'must not be zero');
    axis = UP;
  }
  v3.normalize(axis, out.axis);
  if (angle < 0) v3.scale(out.axis, -1, out.axis);
  out.angle = Math.abs(angle);
}

/** @internal */
export const isPureRotation = ({ linear: { x, y, z } }: SteadyMotion): boolean =>
  x === 0 && y === 0 && z === 0;

/** Part k of n equal parts of a motion. @internal */
export function partOfMotion(motion: SteadyMotion, k: number, n: number, out: SteadyMotion): SteadyMotion {
  v3.addScaled(motion.pivot, motion.linear, k / n, out.pivot);
  v3.scale(motion.linear, 1 / n, out.linear);
  v3.copy(motion.axis, out.axis);
  out.angle = motion.angle / n;
  return out;
}

const phaseRotation = quat();
const phaseArm = vec3();
const half = makeSinCos();

/** Where a motion leads a pose to, at time t. The quaternion keeps its length. `out` may be `from`. @internal */
export function poseInPhase(from: ReadonlyPose, motion: SteadyMotion, t: number, out: Pose): Pose {
  clock.t = t;
  return poseAtTime(from, motion, clock, out);
}

const clock = { t: 0.5 };

/** The same, at the time of a record: a number that crosses a call may be boxed. @internal */
export function poseAtTime(
  from: ReadonlyPose,
  motion: SteadyMotion,
  { t }: { readonly t: number },
  out: Pose,
): Pose {
  const { pivot, linear, axis, angle } = motion;
  if (angle * t === 0) {
    const { x, y, z } = from.position;
    out.position.x = x + t * linear.x;
    out.position.y = y + t * linear.y;
    out.position.z = z + t * linear.z;
    q4.copy(from.quaternion, out.quaternion);
    return out;
  }
  // As q4.fromAxisAngle, without a number that crosses a call.
  registers[0] = 0.5 * (angle * t);
  sincosOfRegister(registers, half);
  const { sin, cos } = half;
  phaseRotation.x = axis.x * sin;
  phaseRotation.y = axis.y * sin;
  phaseRotation.z = axis.z * sin;
  phaseRotation.w = cos;
  v3.sub(from.position, pivot, phaseArm);
  q4.multiply(phaseRotation, from.quaternion, out.quaternion);
  v3.rotate(phaseArm, phaseRotation, phaseArm);
  out.position.x = pivot.x + t * linear.x + phaseArm.x;
  out.position.y = pivot.y + t * linear.y + phaseArm.y;
  out.position.z = pivot.z + t * linear.z + phaseArm.z;
  return out;
}

/** Where all phases lead a pose to, at time t. @internal */
export function poseAlongPhases(
  from: ReadonlyPose,
  { phases, count }: MotionPhases,
  t: number,
  out: Pose,
): Pose {
  if (count === 1) return poseInPhase(from, phases[0], t, out);
  poseInPhase(from, phases[0], Math.min(1, 2 * t), out);
  return t > 0.5 ? poseInPhase(out, phases[1], 2 * t - 1, out) : out;
}

const phasesOfPose = makeMotionPhases();

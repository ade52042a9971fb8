/** How bodies move: what may be asked for, and the same as one or two phases of constant velocity. */
import {
  checkPoint,
  describe,
  isPoint,
  LARGEST,
  mustBeCoordinate,
  mustBeLength,
  mustBeOneOf,
  mustBeOptions,
  refuse,
  refuseType,
} from '../math/check.ts';
import * as q4 from '../math/quat.ts';
import type { Pose, ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';

/** A straight line, without turning. */
export interface Translation {
  readonly translation: ReadonlyVec3;
}

/**
 * A turn about the line through `pivot` along `axis`, in radians, counter-clockwise seen from the tip of the axis; any
 * angle. The pivot is a place in the world. Default: the position of the body when the turn begins.
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

/** Both at once, at constant speed: the position of the body moves along a line while the body turns about it. */
export interface RigidMotion {
  /** Distance a unit of time. */
  readonly linear: ReadonlyVec3;
  /** Along the axis of the turn, radians a unit of time. */
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
export function readMotion(
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
  else if ('axis' in motion) {
    if (!('translation' in motion)) {
      readRotation(caller, name, motion, from.position, first);
      return;
    }
    const order = motion.first ?? 'translation';
    if (order !== 'translation' && order !== 'rotation') mustBeOneOf(caller, `${name}.first`, order, ORDERS);
    out.count = 2;
    if (order === 'translation') {
      readTranslation(caller, name, motion, from, first);
      readRotation(caller, name, motion, v3.add(from.position, first.linear, place), second);
    } else {
      readRotation(caller, name, motion, from.position, first);
      readTranslation(caller, name, motion, from, second);
    }
  } else if ('translation' in motion) readTranslation(caller, name, motion, from, first);
  else refuseType(caller, name, MOTION, motion);
}

const place = vec3();
/** The work grows with the angle. */
const MOST_TURN = 10_000;
const ORDERS = ['translation', 'rotation'];
const MOTION = 'have a translation, an axis and an angle, or linear and angular velocities';
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
  setTurn(caller, name, 'axis', axis, out);
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
  v3.scale(linear, duration, out.linear);
  const rate = v3.length(angular);
  out.angle = rate * duration;
  setTurn(caller, name, 'angular', rate > 0 ? angular : UP, out);
}

/** The axis is made a unit vector, and turned round where the angle is negative. */
function setTurn(
  caller: string,
  name: string,
  field: 'axis' | 'angular',
  axis: ReadonlyVec3,
  out: SteadyMotion,
): void {
  const { angle } = out;
  const length = v3.length(axis);
  if (!(length > 0)) refuse(caller, `${name}.${field}`, 'must not be zero');
  if (!(Math.abs(angle) <= MOST_TURN))
    refuse(
      caller,
      `${name}.${field}`,
      `must not turn by more than ${MOST_TURN} radians, got ${describe(angle)}: it would take for ever`,
    );
  v3.scale(axis, angle < 0 ? -1 / length : 1 / length, out.axis);
  out.angle = Math.abs(angle);
}

/** @internal */
export const isStill = ({ linear: { x, y, z } }: SteadyMotion): boolean => x === 0 && y === 0 && z === 0;

/** Part k of n equal parts of a motion. @internal */
export function partOfMotion(motion: SteadyMotion, k: number, n: number, out: SteadyMotion): SteadyMotion {
  v3.addScaled(motion.pivot, motion.linear, k / n, out.pivot);
  v3.scale(motion.linear, 1 / n, out.linear);
  v3.copy(motion.axis, out.axis);
  out.angle = motion.angle / n;
  return out;
}

const turn = quat();
const arm = vec3();

/** Where a motion leads a pose to, at time t. The quaternion keeps its length. @internal */
export function poseOnWay(from: ReadonlyPose, motion: SteadyMotion, t: number, out: Pose): Pose {
  const { pivot, linear, axis, angle } = motion;
  if (angle * t === 0) {
    v3.addScaled(from.position, linear, t, out.position);
    q4.copy(from.quaternion, out.quaternion);
    return out;
  }
  q4.fromAxisAngle(axis, angle * t, turn);
  v3.sub(from.position, pivot, arm);
  q4.multiply(turn, from.quaternion, out.quaternion);
  v3.rotate(arm, turn, arm);
  out.position.x = pivot.x + t * linear.x + arm.x;
  out.position.y = pivot.y + t * linear.y + arm.y;
  out.position.z = pivot.z + t * linear.z + arm.z;
  return out;
}

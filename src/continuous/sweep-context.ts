/**
 * One sweep: the two bodies, the motion, what was found, and the contexts of its parts. Everything is in the target's
 * frame, unless it says otherwise.
 */
import { ContextPool } from '../convex/context-pool.ts';
import * as q4 from '../math/quat.ts';
import { type Pose, pose, quat, type ReadonlyPose, type Vec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { emptyBox, extendBox, withCapacity } from './boxes.ts';
import { FeatureContact, kindName } from './feature-contact.ts';
import { NO_MODEL } from './features.ts';
import { makeMotionPhases, poseAlongPhases } from './motion.ts';
import { RotationContext } from './rotation/rotation-context.ts';
import type { TranslationContext } from './translation/translation-context.ts';
import { FULL_SPEED, type Tuning } from './tuning.ts';
import type { PolyhedralModel, SweepContact } from './types.ts';

import { FacePair } from './verify/face-pair.ts';
import { BorderProof, Clearance, OverlapTest, PathProof } from './verify/verify-context.ts';

// Fields that hold fractions start with one, so that V8 stores them as doubles from the beginning.
const D = 0.5;

/** @internal */
export class SweepContext {
  mover: PolyhedralModel = NO_MODEL;
  target: PolyhedralModel = NO_MODEL;
  /** In the world, as they were given; the target's with a unit quaternion too. */
  readonly moverPose: Pose = pose();
  readonly targetPose: Pose = pose();
  readonly unitMoverPose: Pose = pose();
  readonly unitTargetPose: Pose = pose();
  readonly motion = makeMotionPhases();
  /** Where the motion ends to the last bit, if it says so. */
  hasEnd = false;
  readonly end: Pose = pose();
  /** How much of the motion is asked for, and where it ends: where the search stopped, or as far as was asked. */
  maxT = D;
  t = D;

  /** The mover's vertices and planes at the start of the part of the motion at hand. May be longer than needed. */
  points: Float64Array = new Float64Array(96);
  planes: Float64Array = new Float64Array(128);
  /** The box about `points`. */
  readonly box = new Float64Array(6);
  /**
   * The mover's own frame there: its x, y and z axis (which may be reversed), how far the box about it reaches along each,
   * and the middle of that box.
   */
  readonly frame = new Float64Array(15);

  /** The translation. */
  vx = D;
  vy = D;
  vz = D;
  /** The rotation: unit axis, a point on it, and the angle (0 < angle <= π; larger ones are cut in pieces). */
  kx = D;
  ky = D;
  kz = D;
  pivotX = D;
  pivotY = D;
  pivotZ = D;
  angle = D;

  /** How near things may come: e. */
  thickness = D;
  /** The largest coordinate that takes part (target near the motion, mover at both ends of it): what rounding is relative to. */
  magnitude = D;
  /** How much two features in the zone may approach without being stopped: rounding, δ = 2^-44 · magnitude. */
  slack = D;

  /** Fraction of this part of the motion to look at; shrinks to the first contact found. */
  best = D;
  /** Has a contact been found? Then `contact` has it. */
  found = false;
  penetrating = false;
  /** Was a pair of features left out, as its search took too long, or is a rotation in the zone? Then the path is proved. */
  unproved = false;
  readonly contact = new FeatureContact();

  /** How often a sweep was given up before its end (and so stopped where it was proved to be free until). For the tests. */
  exhausted = 0;

  readonly tuning: Tuning;
  /** Made by the first translation: what only rotates goes without its code. */
  translation: TranslationContext | null = null;
  readonly rotation: RotationContext;
  readonly overlap = new OverlapTest();
  readonly faces = new FacePair();
  readonly clearance = new Clearance();
  readonly proof = new PathProof(this.faces);
  readonly border = new BorderProof(this.faces);

  constructor(tuning: Tuning = FULL_SPEED) {
    this.tuning = tuning;
    this.rotation = new RotationContext(tuning);
  }
}

const pool = /* @__PURE__ */ new ContextPool(() => new SweepContext());

/** A context that no other sweep is using: one for each sweep that was begun inside of another. Give it back. @internal */
export function takeContext(): SweepContext {
  return pool.take();
}

/** @internal */
export function giveBack(context: SweepContext): void {
  context.mover = context.target = NO_MODEL;
  pool.release();
}

/**
 * Is a contact at fraction t before all that were found? The end of the motion is part of it. Contacts at the same time:
 * the first one found stays. @internal
 */
export const isEarlier = ({ found, best }: SweepContext, t: number): boolean =>
  found ? t < best : t <= best;

/** The pose at a fraction of the motion, as the caller will see it. @internal */
export function poseAt({ motion, moverPose, hasEnd, end }: SweepContext, t: number, out: Pose): Pose {
  if (t === 1 && hasEnd) {
    v3.copy(end.position, out.position);
    q4.copy(end.quaternion, out.quaternion);
    return out;
  }
  return poseAlongPhases(moverPose, motion, t, out);
}

/** @internal */
export function checkModel(caller: string, name: string, model: PolyhedralModel): void {
  if (typeof model !== 'object' || model === null || !(model.points instanceof Float64Array) || !model.bsp)
    throw new TypeError(`graze: ${caller}: ${name} must be made by polyhedralModel`);
}

/** @internal */
export const largestOf = ({ x, y, z }: Readonly<Vec3>): number =>
  Math.max(Math.abs(x), Math.abs(y), Math.abs(z));

const sizeOf = ({ low, high }: PolyhedralModel): number => Math.max(largestOf(low), largestOf(high));

/** Takes the two bodies: what the caller may change, and what its getters may do, is read here and never again. @internal */
export function setBodies(
  context: SweepContext,
  mover: PolyhedralModel,
  moverPose: ReadonlyPose,
  target: PolyhedralModel,
  targetPose: ReadonlyPose,
): void {
  context.mover = mover;
  context.target = target;
  copyPose(moverPose, context.moverPose, context.unitMoverPose);
  copyPose(targetPose, context.targetPose, context.unitTargetPose);
  // A bound for all coordinates of the two where they start, here and in the world.
  context.magnitude =
    Math.max(largestOf(context.moverPose.position), largestOf(context.targetPose.position)) +
    Math.max(sizeOf(mover), sizeOf(target));
}

function copyPose(from: ReadonlyPose, out: Pose, unit: Pose): void {
  v3.copy(from.position, out.position);
  q4.copy(from.quaternion, out.quaternion);
  v3.copy(out.position, unit.position);
  q4.normalize(out.quaternion, unit.quaternion);
}

const moved = vec3(D, D, D);
const rotation = quat(D, D, D, D);

/** Brings the mover's vertices and planes at a pose (with a unit quaternion) to the target's frame. @internal */
export function poseMover(context: SweepContext, at: ReadonlyPose): void {
  const { unitTargetPose: target, mover, frame, box } = context;
  q4.conjugate(target.quaternion, rotation);
  q4.multiply(rotation, at.quaternion, rotation);
  v3.sub(at.position, target.position, moved);
  v3.rotateInverse(moved, target.quaternion, moved);
  const { x: qx, y: qy, z: qz, w: qw } = rotation;
  const { x: px, y: py, z: pz } = moved;
  const { points: from, planes: fromPlanes, low, high } = mover;
  context.points = withCapacity(context.points, from.length);
  context.planes = withCapacity(context.planes, fromPlanes.length);
  const { points, planes } = context;
  const m00 = 1 - 2 * (qy * qy + qz * qz);
  const m01 = 2 * (qx * qy - qw * qz);
  const m02 = 2 * (qx * qz + qw * qy);
  const m10 = 2 * (qx * qy + qw * qz);
  const m11 = 1 - 2 * (qx * qx + qz * qz);
  const m12 = 2 * (qy * qz - qw * qx);
  const m20 = 2 * (qx * qz - qw * qy);
  const m21 = 2 * (qy * qz + qw * qx);
  const m22 = 1 - 2 * (qx * qx + qy * qy);
  emptyBox(box);
  for (let i = 0; i < from.length; i += 3) {
    const x = from[i]!;
    const y = from[i + 1]!;
    const z = from[i + 2]!;
    points[i] = m00 * x + m01 * y + m02 * z + px;
    points[i + 1] = m10 * x + m11 * y + m12 * z + py;
    points[i + 2] = m20 * x + m21 * y + m22 * z + pz;
    extendBox(box, points, i);
  }
  frame[0] = m00;
  frame[1] = m10;
  frame[2] = m20;
  frame[3] = m01;
  frame[4] = m11;
  frame[5] = m21;
  frame[6] = m02;
  frame[7] = m12;
  frame[8] = m22;
  frame[9] = 0.5 * (high.x - low.x);
  frame[10] = 0.5 * (high.y - low.y);
  frame[11] = 0.5 * (high.z - low.z);
  const cx = 0.5 * (high.x + low.x);
  const cy = 0.5 * (high.y + low.y);
  const cz = 0.5 * (high.z + low.z);
  frame[12] = m00 * cx + m01 * cy + m02 * cz + px;
  frame[13] = m10 * cx + m11 * cy + m12 * cz + py;
  frame[14] = m20 * cx + m21 * cy + m22 * cz + pz;
  for (let i = 0; i < fromPlanes.length; i += 4) {
    const x = fromPlanes[i]!;
    const y = fromPlanes[i + 1]!;
    const z = fromPlanes[i + 2]!;
    const nx = m00 * x + m01 * y + m02 * z;
    const ny = m10 * x + m11 * y + m12 * z;
    const nz = m20 * x + m21 * y + m22 * z;
    planes[i] = nx;
    planes[i + 1] = ny;
    planes[i + 2] = nz;
    planes[i + 3] = fromPlanes[i + 3]! + nx * px + ny * py + nz * pz;
  }
}

/** A contact in the target's frame, brought to the world. @internal */
export function writeContact(contact: FeatureContact, target: ReadonlyPose, out: SweepContact): void {
  v3.set(contact.x, contact.y, contact.z, out.point);
  v3.rotate(out.point, target.quaternion, out.point);
  v3.add(out.point, target.position, out.point);
  v3.set(contact.nx, contact.ny, contact.nz, out.normal);
  v3.rotate(out.normal, target.quaternion, out.normal);
  out.gap = contact.gap;
  out.moverKind = kindName(contact.moverKind);
  out.moverFeature = contact.moverFeature;
  out.targetKind = kindName(contact.targetKind);
  out.targetFeature = contact.targetFeature;
}

/** The first contact of a polyhedron that moves, with one that stands still. van Waveren 2005. */
import { describe, mustBeOptions, mustNotBeNegative, refuse } from '../math/check.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { defaultThickness, LEAST_THICKNESS } from './model/polyhedral-model.ts';
import { checkPose, type PoseMotion, poseAlongPhases, readSweepMotion, type SteadyMotion } from './motion.ts';
import { rotateModel } from './rotation/rotation-sweep.ts';
import {
  checkModel,
  giveBack,
  largestOf,
  poseMover,
  type SweepContext,
  setBodies,
  takeContext,
  writeContact,
} from './sweep-context.ts';
import { translateModel } from './translation/translation-sweep.ts';
import type { PolyhedralModel, SweepHit, SweepMotion } from './types.ts';
import { makeSweepHit } from './types.ts';
import { startInside, startOverlap } from './verify/start-overlap.ts';
import { verifySweep } from './verify/verify-sweep.ts';

export interface SweepOptions {
  /**
   * How near the two may come: the thickness of the zone about the target that the mover is kept out of. Default: a millionth
   * of the extent of the smaller one.
   */
  readonly thickness?: number;
  /** The part of the motion to look at. Default: 1. */
  readonly maxT?: number;
  /** Filled in and returned where there is a hit; nothing is allocated then. */
  readonly out?: SweepHit;
}

/**
 * When and where does a polyhedron, on its path along a motion, first come as near to another as the thickness of the zone
 * (default: a millionth of the smaller one)? Null when it does not, and the end of the motion can be taken. Otherwise
 * `poseAlong(moverPose, motion, hit.t)` is clear of the target, and the gap there is the thickness, to within 1/64 of it. Nothing
 * passes through, however fast and wherever it grazes.
 *
 * A mover that starts nearer than that may go out and along, not nearer: where it would, it is stopped there, at t = 0
 * too. One that cuts through the target at the start hits at t = 0 with `penetrating`; its normal is against the motion.
 * A solid (`sides: 'front'`) is touched from outside only: it lets out what is inside.
 */
export function sweepPolyhedra(
  mover: PolyhedralModel,
  moverPose: ReadonlyPose,
  motion: SweepMotion,
  target: PolyhedralModel,
  targetPose: ReadonlyPose,
  options?: SweepOptions,
): SweepHit | null {
  const context = takeContext();
  try {
    readSweep(context, mover, moverPose, motion, target, targetPose);
    readOptions(context, options);
    return runSweep(context, options?.out, sweepTranslation);
  } finally {
    giveBack(context);
  }
}

/** Checks the bodies and the motion, and takes them. All that may run the caller's code (getters) is done then. @internal */
export function readSweep(
  context: SweepContext,
  mover: PolyhedralModel,
  moverPose: ReadonlyPose,
  motion: SweepMotion,
  target: PolyhedralModel,
  targetPose: ReadonlyPose,
): void {
  checkModel('sweepPolyhedra', 'mover', mover);
  checkModel('sweepPolyhedra', 'target', target);
  checkPose('sweepPolyhedra', 'moverPose', moverPose);
  checkPose('sweepPolyhedra', 'targetPose', targetPose);
  readSweepMotion('sweepPolyhedra', motion, moverPose, context.motion);
  setBodies(context, mover, moverPose, target, targetPose);
  const { end } = motion as Partial<PoseMotion>;
  context.hasEnd = end !== undefined;
  if (end) {
    v3.copy(end.position, context.end.position);
    q4.copy(end.quaternion, context.end.quaternion);
  }
  // How far the motion leads.
  const { phases, count } = context.motion;
  const [first, second] = phases;
  const start = largestOf(context.moverPose.position);
  const far = largestOf(first.linear) + (count === 2 ? largestOf(second.linear) : 0);
  context.magnitude = Math.max(context.magnitude, start + far);
  for (let k = 0; k < count; k++)
    if (phases[k]!.angle > 0) context.magnitude = Math.max(context.magnitude, largestOf(phases[k]!.pivot));
  if (count === 2 && first.angle > 0) context.magnitude += far;
  context.slack = SLACK * context.magnitude;
}

/** Of the largest coordinate: how much features in the zone may approach. */
const SLACK = 1 / 17592186044416; // 2^-44

/** How near is near, and how much of the motion is asked for. @internal */
export function readOptions(context: SweepContext, options: SweepOptions | undefined): void {
  if (options !== undefined && options !== null)
    mustBeOptions('sweepPolyhedra', 'options', options, 'thickness maxT out');
  const maxT = options?.maxT ?? 1;
  if (!(typeof maxT === 'number' && maxT >= 0 && maxT <= 1))
    refuse('sweepPolyhedra', 'options.maxT', `must be in [0, 1], got ${describe(maxT)}`);
  context.maxT = maxT;
  const { mover, target, magnitude } = context;
  const given = options?.thickness;
  if (given === undefined) {
    context.thickness = defaultThickness(mover, target, magnitude);
    return;
  }
  const least = LEAST_THICKNESS * magnitude;
  mustNotBeNegative('sweepPolyhedra', 'options.thickness', given);
  if (given < least)
    refuse('sweepPolyhedra', 'options.thickness', `must be at least ${least}, or rounding shows`);
  context.thickness = given;
}

/** One part of a motion, as far as `context.best`, as phase k of it. */
type SweepPart = (context: SweepContext, k: number) => void;

/** Searches, verifies, and writes the hit. Without `translate`, which has code of its own, for what only rotates. @internal */
export function runSweep(
  context: SweepContext,
  out: SweepHit | undefined,
  translate: SweepPart | null,
): SweepHit | null {
  context.t = context.maxT;
  sweepParts(context, translate);
  if (context.penetrating) context.t = 0;
  else verifySweep(context);
  if (!context.found) return null;
  const hit = out ?? makeSweepHit();
  hit.t = context.t;
  hit.penetrating = context.penetrating;
  writeContact(context.contact, context.unitTargetPose, hit);
  return hit;
}

const here = pose();
const local = vec3(0.5, 0.5, 0.5);

/** One phase after the other, until something stops it: at `context.t`. */
function sweepParts(context: SweepContext, translate: SweepPart | null): void {
  const { maxT, motion, unitMoverPose: start, unitTargetPose: target } = context;
  const { count, phases } = motion;
  context.found = false;
  context.penetrating = false;
  context.unproved = false;
  // Whatever is done first: an overlap at the start has a normal against the translation.
  v3.rotateInverse(phases[count === 2 && phases[0].angle > 0 ? 1 : 0].linear, target.quaternion, local);
  context.vx = local.x;
  context.vy = local.y;
  context.vz = local.z;
  for (let k = 0; k < count && (k === 0 || count * maxT > k); k++) {
    const phase = phases[k]!;
    poseMover(context, k === 0 ? start : poseAlongPhases(start, motion, k / count, here));
    context.best = Math.min(1, count * maxT - k);
    if (phase.angle > 0) sweepRotation(context, phase, k);
    else translate?.(context, k);
    if (!context.found) continue;
    context.t = (k + context.best) / count;
    return;
  }
}

/** A `SweepPart`. One that goes nowhere may overlap where it is. @internal */
export function sweepTranslation(context: SweepContext, k: number): void {
  const { vx, vy, vz } = context;
  if (vx === 0 && vy === 0 && vz === 0) {
    context.best = 0;
    startOverlap(context);
    return;
  }
  translateModel(context);
  if (k === 0 && !context.penetrating) startInside(context);
}

/** As far as `context.best`, as phase k. */
function sweepRotation(context: SweepContext, { axis, angle, pivot }: SteadyMotion, k: number): void {
  const { motion, unitMoverPose: start, unitTargetPose: target } = context;
  const share = context.best;
  if (k === 0) {
    context.best = 0;
    if (startOverlap(context)) return;
  }
  const pieces = Math.ceil(angle / Math.PI);
  v3.rotateInverse(axis, target.quaternion, local);
  context.kx = local.x;
  context.ky = local.y;
  context.kz = local.z;
  v3.sub(pivot, target.position, local);
  v3.rotateInverse(local, target.quaternion, local);
  context.pivotX = local.x;
  context.pivotY = local.y;
  context.pivotZ = local.z;
  context.angle = angle / pieces;
  // Three pieces are a whole turn or all: more brings nothing new.
  for (let i = 0; i < Math.min(3, pieces) && i <= share * pieces; i++) {
    if (i > 0) poseMover(context, poseAlongPhases(start, motion, (k + i / pieces) / motion.count, here));
    context.best = Math.min(1, share * pieces - i);
    rotateModel(context);
    if (!context.found) continue;
    context.best = Math.min(share, (i + context.best) / pieces);
    return;
  }
}

/** The first contact of two bodies on their way: each motion as phases of constant velocity, the phases one by one. */
import {
  type Motion,
  type MotionPhases,
  makeMotionPhases,
  makeSteadyMotion,
  partOfMotion,
  poseInPhase,
  readMotionPhases,
  type SteadyMotion,
} from '../continuous/motion.ts';
import { makeFrame, relativeFrame } from '../convex/frame.ts';
import { inverseTransformVector } from '../math/pose.ts';
import { type Pose, pose, type ReadonlyPose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Shape } from '../shapes/shape.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from './body.ts';
import { algorithmFor } from './pairs/table.ts';
import { copyPoint, normalToWorld, pointToWorld } from './placed.ts';
import { arePolyhedral, castPolyhedral } from './polyhedral-cast.ts';
import { type BodyPart, type CastHit, makeCastHit, makeSeparation } from './results.ts';
import { castTurning } from './turning-cast.ts';

/** A body in one phase of its motion. @internal */
export class PhasedBody {
  shape!: Shape;
  readonly pose: Pose = pose();
  readonly motion: SteadyMotion = makeSteadyMotion();
  readonly child = -1;
  readonly start: Pose = pose();
  readonly whole: MotionPhases = makeMotionPhases();

  read(caller: string, name: string, body: Body, motion: Motion): void {
    this.shape = shapeOf(body);
    normalizedPose(poseOf(body), this.start);
    readMotionPhases(caller, name, motion, this.start, this.whole);
  }

  /** A body that rests: of a shape and a pose that are known to be good. */
  rest(shape: Shape, at: ReadonlyPose): void {
    this.shape = shape;
    normalizedPose(at, this.start);
    const [{ pivot, linear, axis }] = this.whole.phases;
    copyPoint(at.position, pivot);
    v3.set(0, 0, 0, linear);
    v3.set(0, 1, 0, axis);
    this.whole.phases[0].angle = 0;
    this.whole.count = 1;
  }

  get phases(): number {
    return this.whole.count;
  }

  /** Part k of `parts` (1 or 2) of the whole. */
  enter(k: number, parts: number): void {
    const { start, whole, motion } = this;
    if (whole.count === parts) {
      poseInPhase(start, whole.phases[0], k, this.pose);
      partOfMotion(whole.phases[k]!, 0, 1, motion);
    } else {
      poseInPhase(start, whole.phases[0], k / parts, this.pose);
      partOfMotion(whole.phases[0], k, parts, motion);
    }
  }
}

/**
 * Two bodies on their way. A getter of a pose or a motion may ask the next cast while they are read: each cast reads into
 * a pair of its own. Once they are read, no more code of the user's runs that could ask.
 */
class PhasedPair {
  readonly a = new PhasedBody();
  readonly b = new PhasedBody();
}

const pairs: PhasedPair[] = [];
let reading = 0;
const resting = new PhasedBody();
const local = makeCastHit();

/** The motion of a body that stands still. @internal */
export const RESTING: Motion = { translation: vec3() };

/** `cast`, for callers that have made sure of their bodies. @internal */
export function castMotions(
  mover: Body,
  motion: Motion,
  target: Body,
  targetMotion: Motion,
  out?: CastHit,
): CastHit | null {
  if (reading === pairs.length) pairs.push(new PhasedPair());
  const { a, b } = pairs[reading]!;
  reading++;
  try {
    a.read('cast', 'motion', mover, motion);
    b.read('cast', 'targetMotion', target, targetMotion);
  } finally {
    reading--;
  }
  return castPhased(a, b, out);
}

/** A body whose motion has been read, against one that rests: for one mover and many targets. @internal */
export function castAtResting(a: PhasedBody, shape: Shape, at: ReadonlyPose, out?: CastHit): CastHit | null {
  resting.rest(shape, at);
  return castPhased(a, resting, out);
}

function castPhased(a: PhasedBody, b: PhasedBody, out: CastHit | undefined): CastHit | null {
  const parts = Math.max(a.phases, b.phases);
  for (let k = 0; k < parts; k++) {
    a.enter(k, parts);
    b.enter(k, parts);
    local.t = 1;
    if (!castPhase(a, b)) continue;
    const hit = out ?? makeCastHit();
    hit.t = (k + local.t) / parts;
    copyPoint(local.point, hit.point);
    copyPoint(local.normal, hit.normal);
    copyPart(local.part, hit.part);
    copyPart(local.moverPart, hit.moverPart);
    return hit;
  }
  return null;
}

function copyPart(from: BodyPart, to: BodyPart): void {
  to.child = from.child;
  to.triangle = from.triangle;
}

const frame = makeFrame();
const translation = vec3();
const start = makeSeparation();
const NOWHERE = vec3();

/** Fills `local` with the first contact in this phase, in world space. */
function castPhase(a: PhasedBody, b: PhasedBody): boolean {
  if (a.motion.angle === 0 && b.motion.angle === 0) return castTranslation(a, b);
  relativeFrame(a.pose, b.pose, frame);
  if (algorithmFor(a.shape, b.shape).intersects(a.shape, b.shape, frame)) {
    fillStart(a, b);
    return true;
  }
  return arePolyhedral(a, b) ? castPolyhedral(a, b, local) : castTurning(a, b, local);
}

/** They overlap where they start. */
function fillStart(a: PhasedBody, b: PhasedBody): void {
  const algorithm = algorithmFor(a.shape, b.shape);
  if (!algorithm.cast(a.shape, NOWHERE, b.shape, frame, local)) {
    // By less than rounding, which a cast sees as a gap.
    algorithm.separation(a.shape, b.shape, frame, Infinity, start);
    local.t = 0;
    copyPoint(start.pointB, local.point);
    copyPoint(start.normal, local.normal);
    copyPart(start.partB, local.part);
    copyPart(start.partA, local.moverPart);
  }
  pointToWorld(a.pose, local.point, local.point);
  normalToWorld(a.pose, local.normal, local.normal);
}

/** Neither turns: a moves as b sees it. */
function castTranslation(a: PhasedBody, b: PhasedBody): boolean {
  relativeFrame(a.pose, b.pose, frame);
  v3.sub(a.motion.linear, b.motion.linear, translation);
  inverseTransformVector(a.pose, translation, translation);
  if (!algorithmFor(a.shape, b.shape).cast(a.shape, translation, b.shape, frame, local)) return false;
  pointToWorld(a.pose, local.point, local.point);
  normalToWorld(a.pose, local.normal, local.normal);
  v3.addScaled(local.point, b.motion.linear, local.t, local.point);
  return true;
}

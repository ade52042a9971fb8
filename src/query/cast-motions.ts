/** The first contact of two moving bodies: each motion as phases of constant velocity, the phases one by one. */

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
import { ContextPool } from '../convex/context-pool.ts';
import { relativeFrame } from '../convex/frame.ts';
import { inverseTransformVector } from '../math/pose.ts';
import { type Pose, pose, type ReadonlyPose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { copyPoint, normalToWorld, pointToWorld } from '../shapes/body-space.ts';
import { castRotatingShapes, castShapes, intersectShapes, separateShapes } from '../shapes/pairs/dispatch.ts';
import { MovingPair } from '../shapes/pairs/moving-pair.ts';
import { copyPart } from '../shapes/pairs/pair.ts';
import { PairContext } from '../shapes/pairs/pair-context.ts';
import { type CastHit, makeCastHit } from '../shapes/results.ts';
import type { Shape } from '../shapes/shape.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from './body.ts';

/** A body in one phase of its motion. @internal */
export class PhasedBody {
  shape!: Shape;
  readonly start: Pose = pose();
  readonly whole: MotionPhases = makeMotionPhases();
  /** Where the phase begins, and its motion: those of the whole, or own ones. */
  pose: ReadonlyPose = this.start;
  motion: SteadyMotion = this.whole.phases[0];
  private readonly ownPose: Pose = pose();
  private readonly ownMotion: SteadyMotion = makeSteadyMotion();

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
    const { start, whole, ownPose, ownMotion } = this;
    const isPhase = whole.count === parts;
    this.pose = k === 0 ? start : poseInPhase(start, whole.phases[0], isPhase ? k : k / parts, ownPose);
    this.motion = isPhase ? whole.phases[k]! : partOfMotion(whole.phases[0], k, parts, ownMotion);
  }
}

/**
 * What one cast carries along. Getters of poses and motions, and supports, are user code that may ask the next cast: that
 * one takes a context of its own.
 */
class CastContext {
  readonly a = new PhasedBody();
  readonly b = new PhasedBody();
  readonly pair = new PairContext();
  /** Of bodies that rotate; made when first needed. */
  private moving: MovingPair | null = null;
  /** The first contact in the phase at hand, in world space. */
  readonly hit = makeCastHit();

  get movingPair(): MovingPair {
    this.moving ??= new MovingPair();
    return this.moving;
  }
}

const pool = /* @__PURE__ */ new ContextPool(() => new CastContext());

/** The motion of a body that stands still. @internal */
export const RESTING: Readonly<Motion> = { translation: vec3() };

/** `cast`, for callers that have made sure of their bodies. @internal */
export function castMotions(
  mover: Body,
  motion: Motion,
  target: Body,
  targetMotion: Motion,
  out?: CastHit,
): CastHit | null {
  const context = pool.take();
  try {
    const { a, b } = context;
    a.read('cast', 'motion', mover, motion);
    if (targetMotion === RESTING) b.rest(shapeOf(target), poseOf(target));
    else b.read('cast', 'targetMotion', target, targetMotion);
    return castPhased(a, b, context, out);
  } finally {
    pool.release();
  }
}

/** A body whose motion has been read, against one that rests: for one mover and many targets. @internal */
export function castAtResting(a: PhasedBody, shape: Shape, at: ReadonlyPose, out?: CastHit): CastHit | null {
  const context = pool.take();
  try {
    context.b.rest(shape, at);
    return castPhased(a, context.b, context, out);
  } finally {
    pool.release();
  }
}

function castPhased(
  a: PhasedBody,
  b: PhasedBody,
  context: CastContext,
  out: CastHit | undefined,
): CastHit | null {
  const parts = Math.max(a.phases, b.phases);
  const { hit: first } = context;
  for (let k = 0; k < parts; k++) {
    a.enter(k, parts);
    b.enter(k, parts);
    first.t = 1;
    if (!castPhase(a, b, context)) continue;
    const hit = out ?? makeCastHit();
    hit.t = (k + first.t) / parts;
    copyPoint(first.point, hit.point);
    copyPoint(first.normal, hit.normal);
    copyPart(first.part, hit.part);
    copyPart(first.moverPart, hit.moverPart);
    return hit;
  }
  return null;
}

/** Fills `context.hit` with the first contact in this phase. */
function castPhase(a: PhasedBody, b: PhasedBody, context: CastContext): boolean {
  const { pair, hit } = context;
  relativeFrame(a.pose, b.pose, pair.frame);
  if (a.motion.angle === 0 && b.motion.angle === 0) return castTranslation(a, b, context);
  if (intersectShapes(a.shape, b.shape, pair)) {
    fillStart(a, b, context);
    return true;
  }
  const { movingPair: moving } = context;
  moving.first.load(a.pose, a.motion);
  moving.second.load(b.pose, b.motion);
  return castRotatingShapes(a.shape, b.shape, moving, hit);
}

/** They overlap where they start. */
function fillStart(a: PhasedBody, b: PhasedBody, { pair, hit }: CastContext): void {
  v3.set(0, 0, 0, pair.motion);
  if (!castShapes(a.shape, b.shape, pair, hit)) {
    // By less than rounding, which a cast sees as a gap.
    const { separation } = pair;
    pair.limit = Infinity;
    separateShapes(a.shape, b.shape, pair, separation);
    hit.t = 0;
    copyPoint(separation.pointB, hit.point);
    copyPoint(separation.normal, hit.normal);
    copyPart(separation.partB, hit.part);
    copyPart(separation.partA, hit.moverPart);
  }
  pointToWorld(a.pose, hit.point, hit.point);
  normalToWorld(a.pose, hit.normal, hit.normal);
}

/** Neither rotates: a moves as b sees it. */
function castTranslation(a: PhasedBody, b: PhasedBody, { pair, hit }: CastContext): boolean {
  const { motion } = pair;
  v3.sub(a.motion.linear, b.motion.linear, motion);
  inverseTransformVector(a.pose, motion, motion);
  if (!castShapes(a.shape, b.shape, pair, hit)) return false;
  pointToWorld(a.pose, hit.point, hit.point);
  normalToWorld(a.pose, hit.normal, hit.normal);
  v3.addScaled(hit.point, b.motion.linear, hit.t, hit.point);
  return true;
}

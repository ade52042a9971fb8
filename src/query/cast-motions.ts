/** The first contact of two bodies on their way: each motion as phases of constant velocity, the phases one by one. */
import { makeFrame, relativeFrame } from '../convex/frame.ts';
import { inverseTransformVector } from '../math/pose.ts';
import type { Pose } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Shape } from '../shapes/shape.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from './body.ts';
import { mustBeBodies } from './check.ts';
import {
  type Motion,
  type MotionPhases,
  makeMotionPhases,
  makeSteadyMotion,
  partOfMotion,
  poseOnWay,
  readMotion,
  type SteadyMotion,
} from './motion.ts';
import { algorithmFor } from './pairs/table.ts';
import { copyPoint, normalToWorld, pointToWorld } from './placed.ts';
import { arePolyhedral, castPolyhedral } from './polyhedral-cast.ts';
import type { BodyPart, CastHit } from './results.ts';
import { makeCastHit, makeSeparation } from './results.ts';
import { castTurning } from './turning-cast.ts';

/** A body in one phase of its motion. */
class Mover {
  shape!: Shape;
  readonly pose: Pose = pose();
  readonly motion: SteadyMotion = makeSteadyMotion();
  readonly child = -1;
  private readonly start: Pose = pose();
  private readonly whole: MotionPhases = makeMotionPhases();

  read(caller: string, name: string, body: Body, motion: Motion): void {
    this.shape = shapeOf(body);
    normalizedPose(poseOf(body), this.start);
    readMotion(caller, name, motion, this.start, this.whole);
  }

  get phases(): number {
    return this.whole.count;
  }

  /** Part k of `parts` (1 or 2) of the whole. */
  enter(k: number, parts: number): void {
    const { start, whole, motion } = this;
    if (whole.count === parts) {
      poseOnWay(start, whole.phases[0], k, this.pose);
      partOfMotion(whole.phases[k]!, 0, 1, motion);
    } else {
      poseOnWay(start, whole.phases[0], k / parts, this.pose);
      partOfMotion(whole.phases[0], k, parts, motion);
    }
  }
}

const a = new Mover();
const b = new Mover();
const local = makeCastHit();

/** The motion of a body that stands still. @internal */
export const RESTING: Motion = { translation: vec3() };

/** @internal */
export function castMotions(
  caller: string,
  bodyA: Body,
  motionA: Motion,
  bodyB: Body,
  motionB: Motion,
  out?: CastHit,
): CastHit | null {
  mustBeBodies(caller, bodyA, bodyB);
  a.read(caller, motionB === RESTING ? 'motion' : 'motionA', bodyA, motionA);
  b.read(caller, 'motionB', bodyB, motionB);
  const parts = Math.max(a.phases, b.phases);
  for (let k = 0; k < parts; k++) {
    a.enter(k, parts);
    b.enter(k, parts);
    local.t = 1;
    if (!castPhase()) continue;
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
function castPhase(): boolean {
  if (a.motion.angle === 0 && b.motion.angle === 0) return castTranslation();
  relativeFrame(a.pose, b.pose, frame);
  if (algorithmFor(a.shape, b.shape).intersects(a.shape, b.shape, frame)) {
    fillStart();
    return true;
  }
  return arePolyhedral(a, b) ? castPolyhedral(a, b, local) : castTurning(a, b, local);
}

/** They overlap where they start. */
function fillStart(): void {
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
function castTranslation(): boolean {
  relativeFrame(a.pose, b.pose, frame);
  v3.sub(a.motion.linear, b.motion.linear, translation);
  inverseTransformVector(a.pose, translation, translation);
  if (!algorithmFor(a.shape, b.shape).cast(a.shape, translation, b.shape, frame, local)) return false;
  pointToWorld(a.pose, local.point, local.point);
  normalToWorld(a.pose, local.normal, local.normal);
  v3.addScaled(local.point, b.motion.linear, local.t, local.point);
  return true;
}

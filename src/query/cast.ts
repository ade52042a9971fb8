/** When a moving body first touches another. */
import { makeFrame, relativeFrame } from '../convex/frame.ts';
import { mustBeFinite } from '../math/check.ts';
import { inverseTransformVector } from '../math/pose.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from './body.ts';
import { mustBeBodies } from './check.ts';
import { algorithmFor } from './pairs/table.ts';
import { normalToWorld, pointToWorld } from './placed.ts';
import type { CastHit } from './results.ts';
import { makeCastHit } from './results.ts';

/** How a body moves: along a straight line, without turning. */
export interface Motion {
  readonly translation: ReadonlyVec3;
}

const frame = makeFrame();
const place = pose();
const local = makeCastHit();
const turned = vec3();

/**
 * When and where does body a, on its way along the motion, first touch body b? Null when it does not. `t` is a fraction
 * of the motion in [0, 1]; a start in touch hits at t = 0. Never late, and early by no more than 1e-6 of the sizes of the
 * bodies. The point is where they touch then, with b where it stands.
 */
export function cast(a: Body, motion: Motion, b: Body, out?: CastHit): CastHit | null {
  mustBeBodies('cast', a, b);
  const { translation } = motion;
  if ((translation.x + translation.y + translation.z) * 0 !== 0) mustBeFinite('cast', { motion });
  const first = shapeOf(a);
  const second = shapeOf(b);
  relativeFrame(poseOf(a), poseOf(b), frame);
  normalizedPose(poseOf(a), place);
  inverseTransformVector(place, translation, turned);
  local.t = 1;
  if (!algorithmFor(first, second).cast(first, turned, second, frame, local)) return null;
  const hit = out ?? makeCastHit();
  hit.t = local.t;
  pointToWorld(place, local.point, hit.point);
  normalToWorld(place, local.normal, hit.normal);
  hit.part.child = local.part.child;
  hit.part.triangle = local.part.triangle;
  hit.moverPart.child = local.moverPart.child;
  hit.moverPart.triangle = local.moverPart.triangle;
  return hit;
}

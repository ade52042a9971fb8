/** How far apart two bodies are, or how deep in each other. */
import { makeFrame, relativeFrame } from '../convex/frame.ts';
import { refuse } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { pose } from '../math/types.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from './body.ts';
import { mustBeBodies } from './check.ts';
import { copySeparation } from './pairs/pair.ts';
import { algorithmFor } from './pairs/table.ts';
import { normalToWorld, pointToWorld } from './placed.ts';
import type { Separation } from './results.ts';
import { makeSeparation } from './results.ts';

const frame = makeFrame();
const local = makeSeparation();
const place = pose();

/**
 * The signed distance of two bodies, the points where they are closest (or deepest in each other) and the normal there;
 * null if that is more than `maxDistance`, of either sign, which makes the search quicker. Negative when they overlap: moving
 * the first by minus that along the normal parts them. For convex bodies this is the least such motion; for meshes, which
 * are no solids to take out of each other as a whole, it is that of the triangle that is deepest.
 */
export function distance(a: Body, b: Body, maxDistance = Infinity, out?: Separation): Separation | null {
  mustBeBodies('distance', a, b);
  if (!(maxDistance > -Infinity))
    refuse('distance', 'maxDistance', `must be a number above -Infinity, got ${maxDistance}`);
  const first = shapeOf(a);
  const second = shapeOf(b);
  relativeFrame(poseOf(a), poseOf(b), frame);
  if (!algorithmFor(first, second).separation(first, second, frame, maxDistance, local)) return null;
  return toWorld(normalizedPose(poseOf(a), place), copySeparation(local, out ?? makeSeparation()));
}

/** From the space of the first body to the world. @internal */
export function toWorld(at: ReadonlyPose, out: Separation): Separation {
  pointToWorld(at, out.pointA, out.pointA);
  pointToWorld(at, out.pointB, out.pointB);
  normalToWorld(at, out.normal, out.normal);
  return out;
}

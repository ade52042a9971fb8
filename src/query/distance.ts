/** How far apart two bodies are, or how deep in each other. */
import { makeFrame, relativeFrame } from '../convex/frame.ts';
import { mustBeNumber, mustBeOptions, refuse } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { pose } from '../math/types.ts';
import { type Body, normalizedPose, readPoses, shapeOf } from './body.ts';
import { mustBeBodies } from './check.ts';
import { copySeparation } from './pairs/pair.ts';
import { deepen } from './pairs/parting.ts';
import { algorithmFor } from './pairs/table.ts';
import { normalToWorld, pointToWorld } from './placed.ts';
import type { Separation } from './results.ts';
import { makeSeparation } from './results.ts';

const frame = makeFrame();
const back = makeFrame();
const local = makeSeparation();
const place = pose();
const poseA = pose();
const poseB = pose();

export interface DistanceOptions {
  /** Bodies farther apart give null; below 0, so do those that overlap less. Default: Infinity. */
  readonly maxDistance?: number | undefined;
  /** The record to be filled. Default: a new one. */
  readonly out?: Separation | undefined;
}

/**
 * The signed distance of two bodies, the points where they are closest (or deepest in each other) and the normal there;
 * null if that is more than `maxDistance`, of either sign, which makes the search quicker. Negative when they overlap: moving
 * the first by minus that along the normal parts them, and brings pointA to pointB, where they then touch.
 *
 * For convex bodies, closed meshes that are convex, and half-spaces it is the least such motion. For other meshes and
 * compounds it does part them, and there is none shorter that differs little from it (with the planes that held on the way
 * looked at in pairs and triples), nor along any direction that was tried; it is not longer than what parts their
 * convex hulls. Meshes that are not closed, and height fields, are surfaces: parted when they cross no more. Overlaps of
 * less than 1e-10 of the smaller body are touching. As quick as before for bodies that are apart; a shallow overlap with
 * a mesh takes about a tenth of a millisecond, two deep meshes of 1,000 triangles that are not convex tens of them.
 */
export function distance(a: Body, b: Body, options?: DistanceOptions): Separation | null {
  mustBeBodies('distance', a, b);
  if (options === undefined) return separationWithin(a, b, Infinity);
  mustBeOptions('distance', 'options', options, 'maxDistance out');
  const { maxDistance, out } = options;
  if (maxDistance === undefined) return separationWithin(a, b, Infinity, out);
  mustBeNumber('distance', 'options.maxDistance', maxDistance);
  if (maxDistance === -Infinity)
    refuse('distance', 'options.maxDistance', 'must be a number above -Infinity');
  return separationWithin(a, b, maxDistance, out);
}

/** `distance`, for callers that have made sure of their bodies and numbers. @internal */
export function separationWithin(a: Body, b: Body, maxDistance: number, out?: Separation): Separation | null {
  const first = shapeOf(a);
  const second = shapeOf(b);
  readPoses(a, b, poseA, poseB);
  relativeFrame(poseA, poseB, frame);
  const algorithm = algorithmFor(first, second);
  if (!algorithm.gap(first, second, frame, Math.max(0, maxDistance), local)) return null;
  if (local.separation <= 0) deepen(first, second, frame, relativeFrame(poseB, poseA, back), local);
  if (!(local.separation <= maxDistance)) return null;
  return toWorld(normalizedPose(poseA, place), copySeparation(local, out ?? makeSeparation()));
}

/** From the space of the first body to the world. @internal */
export function toWorld(at: ReadonlyPose, out: Separation): Separation {
  pointToWorld(at, out.pointA, out.pointA);
  pointToWorld(at, out.pointB, out.pointB);
  normalToWorld(at, out.normal, out.normal);
  return out;
}

/** How far apart two bodies are, or how deep in each other. */
import { relativeFrame } from '../convex/frame.ts';
import { mustBeNumber, refuse } from '../math/check.ts';
import { algorithmFor } from '../shapes/family.ts';
import { separateCores } from '../shapes/pairs/convex-distance.ts';
import { type PairContext, releaseContext, takeContext } from '../shapes/pairs/pair-context.ts';
import type { Separation } from '../shapes/results.ts';
import { makeSeparation } from '../shapes/results.ts';
import { isConvexShape, type Shape } from '../shapes/shape.ts';
import { type Body, normalizePose, separationToWorld, shapeOf } from './body.ts';
import { mustBeKnownOptions } from './check.ts';
import { readPoses } from './read-body.ts';

export interface DistanceOptions {
  /** Bodies farther apart give null; below 0, so do those that overlap less. Default: Infinity. */
  readonly maxDistance?: number | undefined;
  /** The record to be filled. Default: a new one. */
  readonly out?: Separation | undefined;
}

/**
 * The signed distance of two bodies, the points where they are closest (or deepest in each other) and the normal there;
 * null if that is more than `maxDistance`, of either sign, which makes the search faster. Negative when they overlap: moving
 * the first by minus that along the normal parts them, and brings pointA to pointB, where they then touch.
 *
 * For convex bodies, closed meshes that are convex, and half-spaces it is the least such motion. For other meshes and
 * compounds it does part them, and there is none shorter that differs little from it (with the planes that held on the path
 * looked at in pairs and triples), nor along any direction that was tried; it is not longer than what parts their
 * convex hulls. Meshes that are not closed, and height fields, are surfaces: parted when they cross no more. Overlaps of
 * less than 1e-10 of the smaller body are touching. As fast as before for bodies that are apart; a shallow overlap with
 * a mesh takes about a tenth of a millisecond, two deep meshes of 1,000 triangles that are not convex tens of them.
 */
export function distance(a: Body, b: Body, options?: DistanceOptions): Separation | null {
  if (options === undefined) return separationWithin(a, b, Infinity);
  mustBeKnownOptions('distance', options, OPTIONS);
  const { maxDistance, out } = options;
  if (maxDistance === undefined) return separationWithin(a, b, Infinity, out);
  mustBeNumber('distance', 'options.maxDistance', maxDistance);
  if (maxDistance === -Infinity)
    refuse('distance', 'options.maxDistance', 'must be a number above -Infinity');
  return separationWithin(a, b, maxDistance, out);
}

const OPTIONS = ['maxDistance', 'out'];

/** `distance`, for callers that have made sure of their bodies and numbers. @internal */
export function separationWithin(a: Body, b: Body, maxDistance: number, out?: Separation): Separation | null {
  const context = takeContext();
  try {
    readPoses('distance', a, b, context);
    const { poseA, poseB, frame, separation } = context;
    relativeFrame(poseA, poseB, frame);
    context.limit = Math.max(0, maxDistance);
    if (!separate(shapeOf(a), shapeOf(b), context) || !(separation.separation <= maxDistance)) return null;
    normalizePose(poseA);
    return separationToWorld(poseA, separation, out ?? makeSeparation());
  } finally {
    releaseContext();
  }
}

/** Fills `context.separation`, in the space of the first shape, if the gap is within `context.limit`. */
function separate(a: Shape, b: Shape, context: PairContext): boolean {
  const { separation } = context;
  if (isConvexShape(a) && isConvexShape(b)) return separateCores(a.core, b.core, context, separation);
  const algorithm = algorithmFor(a, b);
  if (!algorithm.gap(a, b, context, separation)) return false;
  if (separation.separation <= 0) {
    const { back, poseA, poseB } = context;
    relativeFrame(poseB, poseA, back);
    algorithm.whole?.depth(a, b, context, separation);
  }
  return true;
}

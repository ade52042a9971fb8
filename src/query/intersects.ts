/** Do two bodies share a point? */
import { makeFrame, relativeFrame } from '../convex/frame.ts';
import { type Body, poseOf, shapeOf } from './body.ts';
import { mustBeBodies } from './check.ts';
import { algorithmFor } from './pairs/table.ts';

const frame = makeFrame();

/**
 * Do the bodies share a point? Touching counts. Any pair of shapes; closed meshes are solid, as `containsPointMesh` tells,
 * and so is one inside of the other. Quicker than `distance`.
 */
export function intersects(a: Body, b: Body): boolean {
  mustBeBodies('intersects', a, b);
  return bodiesIntersect(a, b);
}

/** `intersects`, for callers that have made sure of their bodies. @internal */
export function bodiesIntersect(a: Body, b: Body): boolean {
  const first = shapeOf(a);
  const second = shapeOf(b);
  return algorithmFor(first, second).intersects(first, second, relativeFrame(poseOf(a), poseOf(b), frame));
}

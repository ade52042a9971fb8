/** Do two bodies share a point? */
import { relativeFrame } from '../convex/frame.ts';
import { intersectShapes } from '../shapes/pairs/dispatch.ts';
import { releaseContext, takeContext } from '../shapes/pairs/pair-context.ts';
import { type Body, poseOf, shapeOf } from './body.ts';
import { mustBeBodies } from './check.ts';

/**
 * Do the bodies share a point? Touching counts. Any pair of shapes; closed meshes are solid, as for `containsPointMesh`,
 * and so is one inside of the other. Quicker than `distance`.
 */
export function intersects(a: Body, b: Body): boolean {
  mustBeBodies('intersects', a, b);
  return bodiesIntersect(a, b);
}

/** `intersects`, for callers that have made sure of their bodies. @internal */
export function bodiesIntersect(a: Body, b: Body): boolean {
  const context = takeContext();
  try {
    relativeFrame(poseOf(a), poseOf(b), context.frame);
    return intersectShapes(shapeOf(a), shapeOf(b), context);
  } finally {
    releaseContext();
  }
}

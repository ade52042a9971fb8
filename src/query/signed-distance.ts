/** How far is a point from a body, or how deep in it? */
import { checkPoint } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { pointToBody } from '../shapes/body-space.ts';
import { signedDistanceShape } from '../shapes/one-body/any-shape.ts';
import { releaseBody, takeBody } from '../shapes/one-body/body-context.ts';
import type { Body } from './body.ts';
import { mustBeBody } from './check.ts';
import { readBody } from './read-body.ts';

/**
 * The distance of a point from a body, and in a solid minus the distance from its surface. Not above 0 for what `contains` holds.
 * Meshes are solid where they wind around the point, as decided by `containsPointMesh`; height fields, triangles and polygons without
 * rounding have no inside. In a compound it is that of the child in which the point is deepest: where children overlap, the
 * surface of the whole may be farther away. Inside shapes known by a support map alone it is good to 1e-7 of their size,
 * otherwise to rounding. Costs as much as `closestPoint`, for hulls of n faces O(n).
 */
export function signedDistance(point: ReadonlyVec3, body: Body): number {
  checkPoint('signedDistance', 'point', point);
  mustBeBody('signedDistance', 'body', body);
  const context = takeBody();
  try {
    const shape = readBody(body, point, context);
    const { pose, asked, ray, within } = context;
    const distance = signedDistanceShape(shape, pointToBody(pose, asked.origin, ray.origin), context);
    return distance > 0 && distance <= within ? 0 : distance;
  } finally {
    releaseBody();
  }
}

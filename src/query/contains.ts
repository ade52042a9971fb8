/** Is a point in a body? */
import { checkPoint } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { pointToBody } from '../shapes/body-space.ts';
import { shapeContains } from '../shapes/one-body/any-shape.ts';
import { releaseBody, takeBody } from '../shapes/one-body/body-context.ts';
import type { Body } from './body.ts';
import { mustBeBody } from './check.ts';
import { readBody } from './read-body.ts';

/**
 * Is a point in a body, or on it as far as rounding can tell (8 ulps of the coordinates)? For solids and for flat things it is
 * the same as `closestPoint(point, body).distance === 0`. A mesh contains the points that it winds around, as decided by
 * `containsPointMesh`; a height field is a surface and contains nothing else. Costs as much as `closestPoint`.
 */
export function contains(point: ReadonlyVec3, body: Body): boolean {
  checkPoint('contains', 'point', point);
  mustBeBody('contains', 'body', body);
  const context = takeBody();
  try {
    const shape = readBody(body, point, context);
    return shapeContains(shape, pointToBody(context.pose, context.asked.origin, context.ray.origin), context);
  } finally {
    releaseBody();
  }
}

/** Rays and points against any shape: the convex algorithms, or those that the shape brings. As in `ShapeFamily`. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { ReadonlyRay } from '../../primitives/types.ts';
import { familyOf } from '../family.ts';
import { isConvexShape, type Shape } from '../shape.ts';
import type { BodyContext } from './body-context.ts';
import { closestPointConvex, raycastConvex, signedDistanceConvex } from './convex.ts';
import { formOf } from './convex-form.ts';

export const raycastShape = (shape: Shape, ray: ReadonlyRay, context: BodyContext): boolean =>
  isConvexShape(shape) ? raycastConvex(shape, ray, context) : familyOf(shape).raycast(shape, ray, context);

export const closestPointShape = (shape: Shape, p: ReadonlyVec3, context: BodyContext): boolean =>
  isConvexShape(shape)
    ? closestPointConvex(shape, p, context)
    : familyOf(shape).closestPoint(shape, p, context);

export const shapeContains = (shape: Shape, p: ReadonlyVec3, context: BodyContext): boolean =>
  isConvexShape(shape)
    ? formOf(shape).contains(shape, p, context)
    : familyOf(shape).contains(shape, p, context);

export const signedDistanceShape = (shape: Shape, p: ReadonlyVec3, context: BodyContext): number =>
  isConvexShape(shape)
    ? signedDistanceConvex(shape, p, context)
    : familyOf(shape).signedDistance(shape, p, context);

/** Rays and points against a half-space. */
import { RAY_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { startInside } from '../../primitives/ray/hit.ts';
import type { ReadonlyRay } from '../../primitives/types.ts';
import { copyPoint } from '../body-space.ts';
import type { HalfSpaceShape } from '../shape.ts';
import { ALL, BACK, type BodyContext, FRONT } from './body-context.ts';
import { keepFound } from './convex.ts';

const heightOver = ({ normal: n, d }: HalfSpaceShape, { x, y, z }: ReadonlyVec3): number =>
  n.x * x + n.y * y + n.z * z - d;

export function raycastHalfSpace(shape: HalfSpaceShape, ray: ReadonlyRay, context: BodyContext): boolean {
  const { found, side } = context;
  const inside = heightOver(shape, ray.origin) <= context.within;
  if (inside && context.solid && side !== BACK) startInside(ray, found);
  else if (side === (inside ? FRONT : BACK) || !crossPlane(shape, ray, inside ? -1 : 1, context))
    return false;
  if (context.mode === ALL) keepFound(context);
  return true;
}

/** Where the ray crosses the plane, from above (`sign` 1) or from below. */
function crossPlane(shape: HalfSpaceShape, ray: ReadonlyRay, sign: 1 | -1, context: BodyContext): boolean {
  const { found, limit } = context;
  const { normal: n } = shape;
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const t = heightOver(shape, ray.origin) / -(n.x * dx + n.y * dy + n.z * dz);
  if (!(t > 0 && t <= limit * RAY_SLACK && t < Infinity)) return false;
  const { point, normal } = found;
  found.t = Math.min(t, limit);
  point.x = ox + t * dx;
  point.y = oy + t * dy;
  point.z = oz + t * dz;
  normal.x = sign * n.x;
  normal.y = sign * n.y;
  normal.z = sign * n.z;
  return true;
}

export function closestPointHalfSpace(
  shape: HalfSpaceShape,
  p: ReadonlyVec3,
  { found, limit }: BodyContext,
): boolean {
  const { normal } = shape;
  const { point } = found;
  const height = Math.max(0, heightOver(shape, p));
  copyPoint(p, point);
  found.distance = height;
  point.x -= height * normal.x;
  point.y -= height * normal.y;
  point.z -= height * normal.z;
  return height <= limit;
}

export const halfSpaceContains = (shape: HalfSpaceShape, p: ReadonlyVec3, { within }: BodyContext): boolean =>
  heightOver(shape, p) <= within;

export const signedDistanceHalfSpace = heightOver;

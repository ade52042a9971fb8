/** Rays and points against ellipsoids. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { rayEllipsoid } from '../../primitives/ray/ray-ellipsoid.ts';
import { type Hit, makeCapsule, makeObb, type ReadonlyRay } from '../../primitives/types.ts';
import { copyPoint, loadPoint } from '../body-space.ts';
import type { ConvexShape } from '../shape.ts';
import { type BodyContext, type CorePoint, makeCorePoint } from './body-context.ts';
import { type ConvexForm, isInConvex } from './convex-form.ts';
import { nearestOnEllipsoid } from './nearest-ellipsoid.ts';
import { isAcross, rayPlate } from './ray-plate.ts';
import { rayRounded } from './ray-rounded.ts';
import { rayTube } from './tube.ts';

const tube = makeCapsule();
const radii = makeObb();
const across = vec3();
const onSurface = makeCorePoint();
const ORIGIN: ReadonlyVec3 = vec3();

function rayEllipsoidShape(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  const { data, radius } = shape.core;
  const { within } = context;
  if (radius > 0) return rayRounded(shape, ray, context, out);
  const { x, y, z } = loadPoint(data, 0, radii.halfSize);
  const thin = +(x <= within) + +(y <= within) + +(z <= within);
  if (thin === 1) {
    // An ellipse.
    across.x = +(x <= within);
    across.y = +(y <= within);
    across.z = +(z <= within);
    if (isAcross(ray, across)) return rayPlate(shape, ray, across, ORIGIN, context, out);
  }
  if (thin < 2) return rayEllipsoid(ray, radii, Infinity, out);
  loadPoint(data, 0, tube.a);
  tube.b.x = -x;
  tube.b.y = -y;
  tube.b.z = -z;
  tube.radius = 0;
  return rayTube(ray, tube, context, out);
}

function nearestInEllipsoid(
  { core }: ConvexShape,
  p: ReadonlyVec3,
  { nearest: out }: BodyContext,
): CorePoint {
  copyPoint(p, out);
  out.distance = 0;
  if (!isInEllipsoid(core.data, p)) nearestOnEllipsoid(core.data, p, out);
  return out;
}

/** One without a radius along some axis has no inside: its distance decides. */
function isInEllipsoid(data: Float64Array, { x, y, z }: ReadonlyVec3): boolean {
  const u = x / data[0]!;
  const v = y / data[1]!;
  const w = z / data[2]!;
  return u * u + v * v + w * w <= 1;
}

function depthInEllipsoid({ core: { data } }: ConvexShape, p: ReadonlyVec3): number {
  if (Math.min(data[0]!, data[1]!, data[2]!) === 0) return 0;
  nearestOnEllipsoid(data, p, onSurface);
  return onSurface.distance;
}

export const ELLIPSOID_FORM: ConvexForm = {
  ray: rayEllipsoidShape,
  nearest: nearestInEllipsoid,
  contains: isInConvex,
  depth: depthInEllipsoid,
};

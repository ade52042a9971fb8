/**
 * A ray against any convex shape, in the space of the shape. Closed forms where there are; what has no thickness is taken
 * to be as thick as rounding, so that a ray through a segment hits it although its numbers are rounded.
 */
import { BOX, CONE, CYLINDER, ELLIPSOID, POLYTOPE, SEGMENT } from '../../convex/core.ts';
import { EPS64 } from '../../math/float.ts';
import { RAY_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { isStill, startInside } from '../../primitives/ray/hit.ts';
import { rayAabbKernel } from '../../primitives/ray/ray-aabb.ts';
import { rayCone } from '../../primitives/ray/ray-cone.ts';
import { rayCylinder } from '../../primitives/ray/ray-cylinder.ts';
import { rayEllipsoid } from '../../primitives/ray/ray-ellipsoid.ts';
import { makePolyhedronHit, rayPolyhedronKernel } from '../../primitives/ray/ray-polyhedron.ts';
import type { Hit, ReadonlyRay } from '../../primitives/types.ts';
import { makeAabb, makeCapsule, makeObb } from '../../primitives/types.ts';
import { copyPoint, loadPoint } from '../body-space.ts';
import type { ConvexShape } from '../shape.ts';
import type { BodyContext } from './body-context.ts';
import { isFlat, isInConvex } from './nearest-core.ts';
import { isAcross, rayFan, rayPlate } from './ray-fan.ts';
import { rayRounded } from './ray-rounded.ts';
import { rayTube } from './ray-tube.ts';

const box = makeAabb();
const tube = makeCapsule();
const pointed = { tip: vec3(), base: vec3(), radius: 0 };
const radii = makeObb();
const across = vec3();
const ORIGIN: ReadonlyVec3 = vec3();
const onFace = makePolyhedronHit();

/** Fills `out` with the first hit until `context.limit`, or returns null. */
export function rayConvex(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  // The limit is not passed on: a number that crosses a call is boxed.
  if (rayWhole(shape, ray, context, out) === null || !(out.t <= context.limit * RAY_SLACK)) return null;
  if (out.t > context.limit) out.t = context.limit;
  return out;
}

/** Along the whole ray. */
function rayWhole(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  if (isInConvex(shape, ray.origin, context)) return startInside(ray, out);
  if (isStill(ray)) return null;
  const { core, faces } = shape;
  const { data, radius, type } = core;
  const { within } = context;
  if (type <= SEGMENT) {
    tube.radius = radius;
    copyPoint(ORIGIN, tube.a);
    copyPoint(ORIGIN, tube.b);
    if (type === SEGMENT) {
      loadPoint(data, 0, tube.a);
      loadPoint(data, 3, tube.b);
    }
    return rayTube(ray, tube, context, out);
  }
  if (radius > 0) return rayRounded(shape, ray, context, out);
  switch (type) {
    case BOX:
      loadBox(data, context);
      return rayAabbKernel(null, ray, box, Infinity, out);
    case CYLINDER:
      loadTube(data, context);
      if (data[1]! <= within) return rayTube(ray, tube, context, out);
      return rayCylinder(ray, tube, Infinity, out);
    case CONE:
      loadTube(data, context);
      if (data[1]! <= within) return rayTube(ray, tube, context, out);
      if (data[0]! <= within) return rayCylinder(ray, tube, Infinity, out);
      copyPoint(tube.a, pointed.tip);
      copyPoint(tube.b, pointed.base);
      pointed.radius = tube.radius;
      if (rayCone(ray, pointed, Infinity, out) === null) return null;
      if (out.t > 0 && isNear(out.point, pointed.tip, context)) lookFromTip(ray, data, out);
      return out;
    case ELLIPSOID: {
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
    case POLYTOPE:
      if (isFlat(faces)) return rayFan(shape, ray, context, out);
      if (rayPolyhedronKernel(ray, faces!, Infinity, onFace) === null) return null;
      copyPoint(onFace.point, out.point);
      copyPoint(onFace.normal, out.normal);
      out.t = onFace.t;
      return out;
    default:
      return rayRounded(shape, ray, context, out);
  }
}

/** A flat box is made as thick as rounding, on all sides. */
function loadBox(data: Float64Array, { within }: BodyContext): void {
  const { min, max } = box;
  const more = Math.min(data[0]!, data[1]!, data[2]!) <= within ? within : 0;
  max.x = data[0]! + more;
  max.y = data[1]! + more;
  max.z = data[2]! + more;
  min.x = -max.x;
  min.y = -max.y;
  min.z = -max.z;
}

/** Without a height both cylinder and cone are discs, which are made as thick as rounding, on all sides. */
function loadTube(data: Float64Array, { within }: BodyContext): void {
  const { a, b } = tube;
  const more = data[0]! <= within ? within : 0;
  tube.radius = data[1]! + (data[1]! <= within ? 0 : more);
  copyPoint(ORIGIN, a);
  copyPoint(ORIGIN, b);
  a.y = data[0]! + more;
  b.y = -a.y;
}

function isNear(p: ReadonlyVec3, q: ReadonlyVec3, { within }: BodyContext): boolean {
  const x = p.x - q.x;
  const y = p.y - q.y;
  const z = p.z - q.z;
  return x * x + y * y + z * z <= within * within;
}

/**
 * At the tip of a cone there are many normals. This is the one of the side that the ray comes from; for rays along the axis,
 * as far as the rotation into this space leaves it certain, it is the axis.
 */
function lookFromTip({ direction }: ReadonlyRay, data: Float64Array, { normal }: Hit): void {
  const { x, y, z } = direction;
  const acrossSq = x * x + z * z;
  const isAlong = acrossSq <= ALONG * ALONG * (acrossSq + y * y);
  const k = isAlong ? 0 : (-2 * data[0]!) / Math.sqrt(acrossSq);
  v3.normalize(v3.set(k * x, isAlong ? 1 : data[1]!, k * z, normal), normal);
}

const ALONG = 16 * EPS64;

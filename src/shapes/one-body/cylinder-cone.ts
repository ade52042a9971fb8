/** Rays and points against cylinders and cones about the y axis. */
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { rayCone } from '../../primitives/ray/ray-cone.ts';
import { rayCylinder } from '../../primitives/ray/ray-cylinder.ts';
import { type Hit, makeCapsule, type ReadonlyRay } from '../../primitives/types.ts';
import { copyPoint } from '../body-space.ts';
import type { ConvexShape } from '../shape.ts';
import type { BodyContext, CorePoint } from './body-context.ts';
import { type ConvexForm, isInConvex, measure } from './convex-form.ts';
import { rayRounded } from './ray-rounded.ts';
import { rayTube } from './tube.ts';

const tube = makeCapsule();
const pointed = { tip: vec3(), base: vec3(), radius: 0 };
const ORIGIN: ReadonlyVec3 = vec3();

function rayCylinderShape(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  const { data, radius } = shape.core;
  if (radius > 0) return rayRounded(shape, ray, context, out);
  loadTube(data, context);
  if (data[1]! <= context.within) return rayTube(ray, tube, context, out);
  return rayCylinder(ray, tube, Infinity, out);
}

function rayConeShape(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  const { data, radius } = shape.core;
  const { within } = context;
  if (radius > 0 || data[1]! <= within || data[0]! <= within)
    return rayCylinderShape(shape, ray, context, out);
  loadTube(data, context);
  copyPoint(tube.a, pointed.tip);
  copyPoint(tube.b, pointed.base);
  pointed.radius = tube.radius;
  if (rayCone(ray, pointed, Infinity, out) === null) return null;
  if (out.t > 0 && isNear(out.point, pointed.tip, context)) lookFromTip(ray, data, out);
  return out;
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

function nearestOnCylinder({ core }: ConvexShape, p: ReadonlyVec3, { nearest: out }: BodyContext): CorePoint {
  const { data } = core;
  const { x, y, z } = p;
  const across = Math.sqrt(x * x + z * z);
  const k = across > data[1]! ? data[1]! / across : 1;
  out.x = k * x;
  out.y = Math.max(-data[0]!, Math.min(y, data[0]!));
  out.z = k * z;
  return measure(p, out);
}

/** In the half-plane of p and the axis a cone is the triangle of tip, centre and rim of the base. */
function nearestOnCone({ core }: ConvexShape, p: ReadonlyVec3, { nearest: out }: BodyContext): CorePoint {
  const { data } = core;
  copyPoint(p, out);
  out.distance = 0;
  const { x, y, z } = p;
  const half = data[0]!;
  const radius = data[1]!;
  const across = Math.sqrt(x * x + z * z);
  if (across <= radius && y <= half) {
    if (y <= -half) {
      out.y = -half;
      return measure(p, out);
    }
    if (2 * half * across + radius * (y - half) <= 0) return out;
  }
  // Along the slanted line from the tip to the rim.
  const along = across * radius + (half - y) * (2 * half);
  const whole = radius * radius + 4 * half * half;
  const t = along > 0 ? (along < whole ? along / whole : 1) : 0;
  const k = across > 0 ? (t * radius) / across : 0;
  out.x = k * x;
  out.y = half - 2 * t * half;
  out.z = k * z;
  return measure(p, out);
}

const depthInCylinder = ({ core: { data } }: ConvexShape, { x, y, z }: ReadonlyVec3): number =>
  Math.max(0, Math.min(data[0]! - Math.abs(y), data[1]! - Math.sqrt(x * x + z * z)));

function depthInCone({ core: { data } }: ConvexShape, { x, y, z }: ReadonlyVec3): number {
  const half = data[0]!;
  const radius = data[1]!;
  const side = radius * (half - y) - 2 * half * Math.sqrt(x * x + z * z);
  const slant = Math.sqrt(radius * radius + 4 * half * half);
  return slant > 0 ? Math.max(0, Math.min(y + half, side / slant)) : 0;
}

export const CYLINDER_FORM: ConvexForm = {
  ray: rayCylinderShape,
  nearest: nearestOnCylinder,
  contains: isInConvex,
  depth: depthInCylinder,
};

export const CONE_FORM: ConvexForm = {
  ray: rayConeShape,
  nearest: nearestOnCone,
  contains: isInConvex,
  depth: depthInCone,
};

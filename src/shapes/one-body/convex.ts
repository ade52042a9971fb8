/** Rays and points against a convex shape, in its own space. */
import { RAY_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { isStill, startInside } from '../../primitives/ray/hit.ts';
import { type Hit, makeRay, type ReadonlyRay } from '../../primitives/types.ts';
import { copyPoint } from '../body-space.ts';
import type { ConvexShape } from '../shape.ts';
import { ALL, BACK, type BodyContext, FRONT, makeFound } from './body-context.ts';
import { formOf, nearestOnCore, startNearest } from './convex-form.ts';

/** As `ShapeFamily.raycast`, with the ray given. */
export function raycastConvex(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext): boolean {
  const { found, mode, side, solid } = context;
  if (solid && side !== BACK) {
    if (rayConvex(shape, ray, context, found) === null) return false;
    if (mode === ALL) keepFound(context);
    return true;
  }
  // The surface alone, or its inner side: where the ray enters, unless it starts inside, and where it leaves.
  const inside = formOf(shape).contains(shape, ray.origin, context);
  let any = false;
  if (!inside && side !== BACK && rayConvex(shape, ray, context, found) !== null) {
    any = true;
    if (mode !== ALL) return true;
    keepFound(context);
  }
  if (side === FRONT || !rayOut(shape, ray, context)) return any;
  if (mode === ALL) keepFound(context);
  return true;
}

/**
 * Fills `out` with the first hit until `context.limit`, or returns null. What has no thickness is taken to be as thick as
 * rounding, so that a ray through a segment hits it although its numbers are rounded.
 */
function rayConvex(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  const form = formOf(shape);
  if (form.contains(shape, ray.origin, context)) startInside(ray, out);
  else if (isStill(ray) || form.ray(shape, ray, context, out) === null) return null;
  // The limit is not passed on: a number that crosses a call is boxed.
  if (!(out.t <= context.limit * RAY_SLACK)) return null;
  if (out.t > context.limit) out.t = context.limit;
  return out;
}

/** Where the ray leaves the shape, if it meets it at all: where the ray from beyond, the other way round, enters it. */
function rayOut(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext): boolean {
  const { found, limit, within } = context;
  const { origin: o, direction: d } = ray;
  const length = Math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  if (!(length > 0)) return false;
  const far = (Math.sqrt(o.x * o.x + o.y * o.y + o.z * o.z) + 2 * shape.core.reach + within) / length;
  const back = makeRay();
  back.origin.x = o.x + far * d.x;
  back.origin.y = o.y + far * d.y;
  back.origin.z = o.z + far * d.z;
  back.direction.x = -d.x;
  back.direction.y = -d.y;
  back.direction.z = -d.z;
  context.limit = far;
  const hits = rayConvex(shape, back, context, found) !== null;
  context.limit = limit;
  if (!hits) return false;
  found.t = far - found.t;
  const { normal } = found;
  normal.x = -normal.x;
  normal.y = -normal.y;
  normal.z = -normal.z;
  return found.t <= limit;
}

/** Puts a copy of what was found into the list of all. */
export function keepFound({ found, all }: BodyContext): void {
  const kept = makeFound();
  copyFound(found, kept);
  all.push(kept);
}

export function copyFound(from: Readonly<BodyContext['found']>, to: BodyContext['found']): void {
  to.t = from.t;
  to.distance = from.distance;
  copyPoint(from.point, to.point);
  copyPoint(from.normal, to.normal);
  to.child = from.child;
  to.triangle = from.triangle;
}

/** As `ShapeFamily.closestPoint`. */
export function closestPointConvex(shape: ConvexShape, p: ReadonlyVec3, context: BodyContext): boolean {
  const { radius } = shape.core;
  const { found } = context;
  const { point } = found;
  startNearest(context);
  const { x, y, z, distance } = nearestOnCore(shape, p, context);
  if (distance <= radius) {
    found.distance = 0;
    copyPoint(p, point);
    return true;
  }
  const k = radius / distance;
  found.distance = distance - radius;
  point.x = x + k * (p.x - x);
  point.y = y + k * (p.y - y);
  point.z = z + k * (p.z - z);
  return found.distance <= context.limit;
}

/** As `ShapeFamily.signedDistance`. */
export function signedDistanceConvex(shape: ConvexShape, p: ReadonlyVec3, context: BodyContext): number {
  const { core } = shape;
  startNearest(context);
  const { distance } = nearestOnCore(shape, p, context);
  if (distance > 0) return distance - core.radius;
  return 0 - core.radius - formOf(shape).depth(shape, p, context);
}

/** Rays against flat shapes in space: disc and rectangle. A ray in their plane crosses them nowhere. */
import { checkPoint, mustBeLength } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { checkRayUpTo } from '../input.ts';
import type { Hit, ReadonlyRay } from '../types.ts';
import { isStill, report, startInside } from './hit.ts';

const found = { t: 0, normal: vec3(), offset: vec3() };

/**
 * Where a ray hits the disc of the given radius about `center`, from either side; the normal looks to the side it
 * comes from. `normal` need not be a unit vector. A ray in the plane misses, but for one without direction on the disc.
 */
export function rayDisc(
  ray: ReadonlyRay,
  center: ReadonlyVec3,
  normal: ReadonlyVec3,
  radius: number,
  tMax = Infinity,
  out?: Hit,
): Hit | null {
  checkPoint('rayDisc', 'center', center);
  checkPoint('rayDisc', 'normal', normal);
  checkRayUpTo('rayDisc', ray, tMax);
  mustBeLength('rayDisc', 'radius', radius);
  v3.sub(center, ray.origin, found.offset);
  v3.copy(normal, found.normal);
  if (!crossPlane(ray) || !(found.t <= tMax)) return null;
  const { x, y, z } = found.offset;
  if (!(x * x + y * y + z * z <= radius * radius)) return null;
  return isStill(ray) ? startInside(ray, out) : report(ray, found, out);
}

/**
 * Where a ray hits the rectangle (or parallelogram) corner + s edge0 + t edge1, s and t in [0, 1], from either side;
 * the normal looks to the side it comes from. A ray in the plane misses, but for one without direction on it.
 */
export function rayRectangle(
  ray: ReadonlyRay,
  corner: ReadonlyVec3,
  edge0: ReadonlyVec3,
  edge1: ReadonlyVec3,
  tMax = Infinity,
  out?: Hit,
): Hit | null {
  checkPoint('rayRectangle', 'corner', corner);
  checkPoint('rayRectangle', 'edge0', edge0);
  checkPoint('rayRectangle', 'edge1', edge1);
  checkRayUpTo('rayRectangle', ray, tMax);
  v3.sub(corner, ray.origin, found.offset);
  v3.cross(edge0, edge1, found.normal);
  const { x: nx, y: ny, z: nz } = found.normal;
  if (!crossPlane(ray) || !(found.t <= tMax)) return null;
  // In the plane, p - corner = s edge0 + t edge1, so s = (p - corner) × edge1 · n / n · n, and t likewise.
  const { x: px, y: py, z: pz } = found.offset;
  const { x: ax, y: ay, z: az } = edge0;
  const { x: bx, y: by, z: bz } = edge1;
  const s = nx * (pz * by - py * bz) + ny * (px * bz - pz * bx) + nz * (py * bx - px * by);
  const t = nx * (py * az - pz * ay) + ny * (pz * ax - px * az) + nz * (px * ay - py * ax);
  const areaSq = nx * nx + ny * ny + nz * nz;
  if (!(s >= 0 && s <= areaSq && t >= 0 && t <= areaSq)) return null;
  return isStill(ray) ? startInside(ray, out) : report(ray, found, out);
}

/**
 * With `found.offset` from the origin to a point of the plane and `found.normal` its normal: fills in the time, turns
 * the normal towards the ray, and makes the offset that from the crossing. False for a ray that does not cross.
 */
function crossPlane(ray: ReadonlyRay): boolean {
  const { offset, normal } = found;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const height = offset.x * normal.x + offset.y * normal.y + offset.z * normal.z;
  const slope = dx * normal.x + dy * normal.y + dz * normal.z;
  // Parallel divides by zero: ±∞ and NaN both fail the test.
  const t = height === 0 && isStill(ray) ? 0 : height / slope;
  if (!(t >= 0 && t < Infinity)) return false;
  offset.x -= t * dx;
  offset.y -= t * dy;
  offset.z -= t * dz;
  if (slope > 0) v3.negate(normal, normal);
  found.t = t;
  return true;
}

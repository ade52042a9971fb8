import { checkPlane } from '../../math/check.ts';
import { exactDeterminant } from '../../math/exact-determinant.ts';
import { triangleNormal } from '../../math/plane.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyPlane, ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { checkRayUpTo, checkSegment, checkTriangle } from '../input.ts';
import type { Hit, ReadonlyRay } from '../types.ts';
import { makeRay } from '../types.ts';
import { isStill, rayBetween, report, startInside } from './hit.ts';

/** Rounding moves (p - a) · (ab × ac) by less than this times |p - a| |ab| |ac|: ten roundings of 2^-53, and a margin. */
const ERROR = 16 * UNIT_ROUNDING;

const segment = makeRay();
const found = { t: 0, normal: vec3() };
const heights = { from: 0, to: 0 };

/**
 * Where a ray hits a plane, from either side; the normal looks to the side it comes from. A ray in the plane crosses
 * it nowhere: a miss, unless its direction is zero and it is a point of the plane. The normal of the plane need not
 * be a unit vector. RTCD §5.3.1.
 */
export function rayPlane(ray: ReadonlyRay, plane: ReadonlyPlane, tMax = Infinity, out?: Hit): Hit | null {
  checkRayUpTo('rayPlane', ray, tMax);
  checkPlane('rayPlane', 'plane', plane);
  const { x: nx, y: ny, z: nz } = plane.normal;
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const height = nx * ox + ny * oy + nz * oz - plane.d;
  if (height === 0 && isStill(ray)) return startInside(ray, out);
  const slope = nx * dx + ny * dy + nz * dz;
  // Parallel divides by zero: ±∞ and NaN both fail the test.
  const t = -height / slope;
  if (!(t >= 0 && t <= tMax && t < Infinity)) return null;
  if (slope > 0) v3.negate(plane.normal, found.normal);
  else v3.copy(plane.normal, found.normal);
  found.t = t;
  return report(ray, found, out);
}

/**
 * Where the segment from p to q hits a plane, from either side, with t in [0, 1]; the normal looks to the side it
 * comes from. A segment in the plane crosses it nowhere: a miss, unless p = q. The side of an end depends on that end
 * alone, so a chain of segments cannot slip through a plane at a joint. RTCD §5.3.1.
 */
export function segmentPlane(p: ReadonlyVec3, q: ReadonlyVec3, plane: ReadonlyPlane, out?: Hit): Hit | null {
  checkSegment('segmentPlane', p, q);
  checkPlane('segmentPlane', 'plane', plane);
  const { x: nx, y: ny, z: nz } = plane.normal;
  heights.from = nx * p.x + ny * p.y + nz * p.z - plane.d;
  heights.to = nx * q.x + ny * q.y + nz * q.z - plane.d;
  v3.copy(plane.normal, found.normal);
  return crossing(rayBetween(p, q, segment), out);
}

/**
 * As `segmentPlane`, for the plane through a, b and c, and with sides that are exactly right. Points in a line make
 * no plane: a miss.
 */
export function segmentPlaneThrough(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: Hit,
): Hit | null {
  checkSegment('segmentPlaneThrough', p, q);
  checkTriangle('segmentPlaneThrough', a, b, c);
  if (!triangleNormal(a, b, c, found.normal)) return null;
  const { x: nx, y: ny, z: nz } = found.normal;
  const bound = ERROR * norm(b, a) * norm(c, a);
  heights.from = (p.x - a.x) * nx + (p.y - a.y) * ny + (p.z - a.z) * nz;
  heights.to = (q.x - a.x) * nx + (q.y - a.y) * ny + (q.z - a.z) * nz;
  if (!(Math.abs(heights.from) > bound * norm(p, a))) heights.from = exactDeterminant(a, p, a, b, a, c);
  if (!(Math.abs(heights.to) > bound * norm(q, a))) heights.to = exactDeterminant(a, q, a, b, a, c);
  return crossing(rayBetween(p, q, segment), out);
}

/** Where a segment crosses a plane with normal `found.normal`, from one of `heights` to the other. */
function crossing(segment: ReadonlyRay, out: Hit | undefined): Hit | null {
  const { from, to } = heights;
  if (from === 0 && isStill(segment)) return startInside(segment, out);
  // Between heights of different sign this is in [0, 1], rounded or not; parallel divides by zero.
  const t = from / (from - to);
  if (!(t >= 0 && t <= 1)) return null;
  if (to > from) v3.negate(found.normal, found.normal);
  found.t = t;
  return report(segment, found, out);
}

/** The sum of the absolute differences. */
const norm = (a: ReadonlyVec3, b: ReadonlyVec3): number =>
  Math.abs(a.x - b.x) + Math.abs(a.y - b.y) + Math.abs(a.z - b.z);

/**
 * Lines, rays and segments against an axis-aligned box: three slabs, entered last and left first. RTCD §5.3.3, Kay
 * and Kajiya 1986. A direction component of zero (of either sign) is no special case for the caller: the origin is in
 * that slab or it is not. A line through an edge or a corner, where times differ by rounding only, is a hit.
 */

import { checkAabb, checkRay, LARGEST } from '../../math/check.ts';
import { RAY_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { checkRange, checkSegment } from '../input.ts';
import type { Hit, ReadonlyAabb, ReadonlyRay, Span } from '../types.ts';
import { makeHit, makeRay, makeSpan } from '../types.ts';
import { rayBetween, startInside } from './hit.ts';

const segment = makeRay();
const abs = Math.abs;

/** Where a ray hits a solid box. The normal is that of the face by which it enters. */
export function rayAabb(ray: ReadonlyRay, box: ReadonlyAabb, tMax = Infinity, out?: Hit): Hit | null {
  checkRange('rayAabb', tMax);
  try {
    return rayAabbKernel(checkBoth, ray, box, tMax, out);
  } catch (error) {
    checkBoth(ray, box);
    throw error;
  }
}

function checkBoth(ray: ReadonlyRay, box: ReadonlyAabb): void {
  checkRay('rayAabb', 'ray', ray);
  checkAabb('rayAabb', 'box', box);
}

/** Where the segment from p to q hits a solid box, with t in [0, 1]. */
export function segmentAabb(p: ReadonlyVec3, q: ReadonlyVec3, box: ReadonlyAabb, out?: Hit): Hit | null {
  checkAabb('segmentAabb', 'box', box);
  checkSegment('segmentAabb', p, q);
  return rayAabbKernel(null, rayBetween(p, q, segment), box, 1, out);
}

/**
 * The part of a line that lies in a box: of a ray, what is left of it from 0 on; of a segment, up to 1. A line without
 * direction is in the box for all times, from -Infinity to Infinity, or out of it.
 */
export function lineAabb(line: ReadonlyRay, box: ReadonlyAabb, out?: Span): Span | null {
  checkRay('lineAabb', 'line', line);
  checkAabb('lineAabb', 'box', box);
  return lineAabbKernel(line, box, out);
}

/**
 * With `refuse`, looks at the ray and the box, and calls that if they are not good: the kernel is too large for V8 to inline,
 * and a check before the call would read all numbers twice.
 *
 * @internal
 */
export function rayAabbKernel(
  refuse: ((ray: ReadonlyRay, box: ReadonlyAabb) => void) | null,
  ray: ReadonlyRay,
  box: ReadonlyAabb,
  tMax: number,
  out: Hit | undefined,
): Hit | null {
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { x: minX, y: minY, z: minZ } = box.min;
  const { x: maxX, y: maxY, z: maxZ } = box.max;
  if (refuse !== null) {
    const areNumbers =
      typeof ox === 'number' &&
      typeof oy === 'number' &&
      typeof oz === 'number' &&
      typeof dx === 'number' &&
      typeof dy === 'number' &&
      typeof dz === 'number' &&
      typeof minX === 'number' &&
      typeof minY === 'number' &&
      typeof minZ === 'number' &&
      typeof maxX === 'number' &&
      typeof maxY === 'number' &&
      typeof maxZ === 'number';
    const size = abs(ox) + abs(oy) + abs(oz) + (abs(dx) + abs(dy) + abs(dz));
    const boxSize = abs(minX) + abs(minY) + abs(minZ) + (abs(maxX) + abs(maxY) + abs(maxZ));
    if (!(areNumbers && size + boxSize <= LARGEST && minX <= maxX && minY <= maxY && minZ <= maxZ))
      refuse(ray, box);
  }
  // Parallel to a slab, 1/d is infinite, and with it the times: in the slab the ray enters before all time and leaves
  // after it; outside it enters after all time. On the plane of a face, 0 times infinity is NaN, which no comparison
  // lets through: neither entry nor exit, that is inside. The products are off by three roundings; the slack forgives.
  const invX = 1 / dx;
  const lowX = (minX - ox) * invX;
  const highX = (maxX - ox) * invX;
  const nearX = invX > 0 ? lowX : highX;
  const farX = invX > 0 ? highX : lowX;
  let enter = 0;
  let exit = tMax * RAY_SLACK; // a product, so that V8 takes it for a number and boxes nothing below
  let axis = -1;
  if (nearX > enter) {
    enter = nearX;
    axis = 0;
  }
  if (farX < exit) exit = farX;
  const invY = 1 / dy;
  const lowY = (minY - oy) * invY;
  const highY = (maxY - oy) * invY;
  const nearY = invY > 0 ? lowY : highY;
  const farY = invY > 0 ? highY : lowY;
  if (nearY > enter) {
    enter = nearY;
    axis = 1;
  }
  if (farY < exit) exit = farY;
  if (enter > exit * RAY_SLACK) return null;
  const invZ = 1 / dz;
  const lowZ = (minZ - oz) * invZ;
  const highZ = (maxZ - oz) * invZ;
  const nearZ = invZ > 0 ? lowZ : highZ;
  const farZ = invZ > 0 ? highZ : lowZ;
  if (nearZ > enter) {
    enter = nearZ;
    axis = 2;
  }
  if (farZ < exit) exit = farZ;
  if (!(enter <= exit * RAY_SLACK && enter < Infinity)) return null;
  if (axis < 0) return startInside(ray, out);

  // Once more as a quotient, rounded once.
  const face =
    axis === 0 ? (dx > 0 ? minX : maxX) : axis === 1 ? (dy > 0 ? minY : maxY) : dz > 0 ? minZ : maxZ;
  const entry = axis === 0 ? (face - ox) / dx : axis === 1 ? (face - oy) / dy : (face - oz) / dz;
  const t = Math.min(entry, tMax);
  const hit = out ?? makeHit();
  const { point, normal } = hit;
  hit.t = t;
  // In the box and on its face, not next to it.
  point.x = Math.max(minX, Math.min(ox + t * dx, maxX));
  point.y = Math.max(minY, Math.min(oy + t * dy, maxY));
  point.z = Math.max(minZ, Math.min(oz + t * dz, maxZ));
  normal.x = 0;
  normal.y = 0;
  normal.z = 0;
  if (axis === 0) {
    point.x = face;
    normal.x = dx > 0 ? -1 : 1;
  } else if (axis === 1) {
    point.y = face;
    normal.y = dy > 0 ? -1 : 1;
  } else {
    point.z = face;
    normal.z = dz > 0 ? -1 : 1;
  }
  return hit;
}

/** @internal */
export function lineAabbKernel(line: ReadonlyRay, box: ReadonlyAabb, out: Span | undefined): Span | null {
  const { x: ox, y: oy, z: oz } = line.origin;
  const { x: dx, y: dy, z: dz } = line.direction;
  const { min, max } = box;
  let enter = -Infinity;
  let exit = Infinity;
  if (dx !== 0) {
    const near = ((dx > 0 ? min.x : max.x) - ox) / dx;
    const far = ((dx > 0 ? max.x : min.x) - ox) / dx;
    if (near > enter) enter = near;
    if (far < exit) exit = far;
  } else if (ox < min.x || ox > max.x) return null;
  if (dy !== 0) {
    const near = ((dy > 0 ? min.y : max.y) - oy) / dy;
    const far = ((dy > 0 ? max.y : min.y) - oy) / dy;
    if (near > enter) enter = near;
    if (far < exit) exit = far;
  } else if (oy < min.y || oy > max.y) return null;
  if (dz !== 0) {
    const near = ((dz > 0 ? min.z : max.z) - oz) / dz;
    const far = ((dz > 0 ? max.z : min.z) - oz) / dz;
    if (near > enter) enter = near;
    if (far < exit) exit = far;
  } else if (oz < min.z || oz > max.z) return null;
  if (enter > exit) {
    if (enter - exit > (RAY_SLACK - 1) * Math.abs(exit)) return null;
    exit = enter;
  }
  const span = out ?? makeSpan();
  span.enter = enter;
  span.exit = exit;
  return span;
}

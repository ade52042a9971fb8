/**
 * Lines, rays and segments against an axis-aligned box: three slabs, entered last and left first. RTCD §5.3.3, Kay
 * and Kajiya 1986. A direction component of zero (of either sign) divides nothing: the origin is in that slab or it
 * is not. Times are quotients, so a line through an edge or a corner whose times are equal gets equal times; where
 * they differ by rounding only, it is a hit.
 */
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { Hit, ReadonlyAabb, ReadonlyRay, Span } from '../types.ts';
import { makeHit, makeRay, makeSpan } from '../types.ts';
import { rayBetween, SLACK, startInside } from './hit.ts';
import { checkAabb, checkLine, checkRay, checkSegment } from './input.ts';

const segment = makeRay();

/** Where a ray hits a solid box. The normal is that of the face by which it enters. */
export function rayAabb(ray: ReadonlyRay, box: ReadonlyAabb, tMax = Infinity, out?: Hit): Hit | null {
  checkRay('rayAabb', ray, tMax);
  checkAabb('rayAabb', box);
  return rayAabbKernel(ray, box, tMax, out);
}

/** Where the segment from p to q hits a solid box, with t in [0, 1]. */
export function segmentAabb(p: ReadonlyVec3, q: ReadonlyVec3, box: ReadonlyAabb, out?: Hit): Hit | null {
  checkSegment('segmentAabb', p, q);
  checkAabb('segmentAabb', box);
  return rayAabbKernel(rayBetween(p, q, segment), box, 1, out);
}

/**
 * The part of a line that lies in a box: of a ray, what is left of it from 0 on; of a segment, up to 1. A line without
 * direction is in the box for all times, from -Infinity to Infinity, or out of it.
 */
export function lineAabb(line: ReadonlyRay, box: ReadonlyAabb, out?: Span): Span | null {
  checkLine('lineAabb', line);
  checkAabb('lineAabb', box);
  return lineAabbKernel(line, box, out);
}

/** @internal */
export function rayAabbKernel(
  ray: ReadonlyRay,
  box: ReadonlyAabb,
  tMax: number,
  out: Hit | undefined,
): Hit | null {
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { x: minX, y: minY, z: minZ } = box.min;
  const { x: maxX, y: maxY, z: maxZ } = box.max;
  let enter = 0;
  let exit = tMax * SLACK; // a product, so that V8 takes it for a number and boxes nothing below
  let axis = -1;
  // A product with 1/d is off by 3 half-steps at most, which the slack forgives. Where d is so small that 1/d is
  // infinite, 0 times that is NaN, which is neither an entry nor an exit: in such a slab the ray stays where it is.
  if (dx !== 0) {
    const inverse = 1 / dx;
    const low = (minX - ox) * inverse;
    const high = (maxX - ox) * inverse;
    const near = dx > 0 ? low : high;
    const far = dx > 0 ? high : low;
    if (near > enter) {
      enter = near;
      axis = 0;
    }
    if (far < exit) exit = far;
  } else if (ox < minX || ox > maxX) return null;
  if (dy !== 0) {
    const inverse = 1 / dy;
    const low = (minY - oy) * inverse;
    const high = (maxY - oy) * inverse;
    const near = dy > 0 ? low : high;
    const far = dy > 0 ? high : low;
    if (near > enter) {
      enter = near;
      axis = 1;
    }
    if (far < exit) exit = far;
  } else if (oy < minY || oy > maxY) return null;
  if (enter > exit * SLACK) return null;
  if (dz !== 0) {
    const inverse = 1 / dz;
    const low = (minZ - oz) * inverse;
    const high = (maxZ - oz) * inverse;
    const near = dz > 0 ? low : high;
    const far = dz > 0 ? high : low;
    if (near > enter) {
      enter = near;
      axis = 2;
    }
    if (far < exit) exit = far;
  } else if (oz < minZ || oz > maxZ) return null;
  if (!(enter <= exit * SLACK)) return null;
  if (axis < 0) return startInside(ray, out);

  // Once more as a quotient, rounded once.
  const entry =
    axis === 0
      ? ((dx > 0 ? minX : maxX) - ox) / dx
      : axis === 1
        ? ((dy > 0 ? minY : maxY) - oy) / dy
        : ((dz > 0 ? minZ : maxZ) - oz) / dz;
  const t = Math.min(entry, tMax);
  const hit = out ?? makeHit();
  const { point, normal } = hit;
  const px = ox + t * dx;
  const py = oy + t * dy;
  const pz = oz + t * dz;
  hit.t = t;
  // On the face, not next to it.
  point.x = axis === 0 ? (dx > 0 ? minX : maxX) : Math.max(minX, Math.min(px, maxX));
  point.y = axis === 1 ? (dy > 0 ? minY : maxY) : Math.max(minY, Math.min(py, maxY));
  point.z = axis === 2 ? (dz > 0 ? minZ : maxZ) : Math.max(minZ, Math.min(pz, maxZ));
  normal.x = axis === 0 ? (dx > 0 ? -1 : 1) : 0;
  normal.y = axis === 1 ? (dy > 0 ? -1 : 1) : 0;
  normal.z = axis === 2 ? (dz > 0 ? -1 : 1) : 0;
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
    if (enter - exit > (SLACK - 1) * Math.abs(exit)) return null;
    exit = enter;
  }
  const span = out ?? makeSpan();
  span.enter = enter;
  span.exit = exit;
  return span;
}

/** The exact signs of `orient.ts` and `in-circle.ts`, which look at their arguments first. RTCD §3.1.6, §11.5.1. */
import { ANY_FINITE, checkPoint, checkPoint2 } from './check.ts';
import * as circle from './in-circle.ts';
import * as orient from './orient.ts';
import type { ReadonlyVec2, ReadonlyVec3 } from './types.ts';

/** > 0 when abc turns counter-clockwise (c left of the line from a to b), 0 when collinear. Twice the signed area. */
export function orient2d(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): number {
  checkPoint2('orient2d', 'a', a, ANY_FINITE);
  checkPoint2('orient2d', 'b', b, ANY_FINITE);
  checkPoint2('orient2d', 'c', c, ANY_FINITE);
  return orient.orient2d(a, b, c);
}

/**
 * < 0 when d lies on the side from which abc is seen counter-clockwise (the outside of a face), 0 when coplanar,
 * > 0 behind. Six times the signed volume.
 */
export function orient3d(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, d: ReadonlyVec3): number {
  checkPoint('orient3d', 'a', a, ANY_FINITE);
  checkPoint('orient3d', 'b', b, ANY_FINITE);
  checkPoint('orient3d', 'c', c, ANY_FINITE);
  checkPoint('orient3d', 'd', d, ANY_FINITE);
  return orient.orient3d(a, b, c, d);
}

/** > 0 when d lies inside the circle through the counter-clockwise a, b, c; the sign flips for clockwise. */
export function inCircle(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, d: ReadonlyVec2): number {
  checkPoint2('inCircle', 'a', a, ANY_FINITE);
  checkPoint2('inCircle', 'b', b, ANY_FINITE);
  checkPoint2('inCircle', 'c', c, ANY_FINITE);
  checkPoint2('inCircle', 'd', d, ANY_FINITE);
  return circle.inCircle(a, b, c, d);
}

/** > 0 when e lies inside the sphere through a, b, c, d with orient3d(a, b, c, d) > 0; the sign flips otherwise. */
export function inSphere(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
): number {
  checkPoint('inSphere', 'a', a, ANY_FINITE);
  checkPoint('inSphere', 'b', b, ANY_FINITE);
  checkPoint('inSphere', 'c', c, ANY_FINITE);
  checkPoint('inSphere', 'd', d, ANY_FINITE);
  checkPoint('inSphere', 'e', e, ANY_FINITE);
  return circle.inSphere(a, b, c, d, e);
}

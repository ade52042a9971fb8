/**
 * Signs that are always right, of any finite numbers. RTCD §3.1.6, §11.5.1. Sides of lines and planes by `orient.ts`; inside of a
 * circle or a sphere by the expansions of Shewchuk 1997 (through `robust-predicates`), and where those would overflow or vanish by
 * big integers.
 */
import { incircle, insphere } from 'robust-predicates';
import { ANY_FINITE, checkPoint, checkPoint2 } from './check.ts';
import { integerSign, isModerate2, isModerate3 } from './integer-sign.ts';
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
  if (isModerate2(a) && isModerate2(b) && isModerate2(c) && isModerate2(d))
    return incircle(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y) + 0;
  return integerSign(true, [xy(a), xy(b), xy(c), xy(d)]);
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
  if (isModerate3(a) && isModerate3(b) && isModerate3(c) && isModerate3(d) && isModerate3(e))
    return 0 - insphere(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z, e.x, e.y, e.z); // theirs flips
  return 0 - integerSign(true, [xyz(a), xyz(b), xyz(c), xyz(d), xyz(e)]);
}

const xy = ({ x, y }: ReadonlyVec2): number[] => [x, y];
const xyz = ({ x, y, z }: ReadonlyVec3): number[] => [x, y, z];

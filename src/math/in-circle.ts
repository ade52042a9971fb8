/**
 * Inside of a circle or a sphere: signs that are always right, by the expansions of Shewchuk 1997 (through `robust-predicates`),
 * and where those would overflow or vanish by big integers. RTCD §3.1.6.
 *
 * For finite numbers: the public ones of `predicates.ts` look at theirs first.
 */
import { incircle, insphere } from 'robust-predicates';
import { integerSign, isModerate2, isModerate3 } from './integer-sign.ts';
import type { ReadonlyVec2, ReadonlyVec3 } from './types.ts';

/** > 0 when d lies inside the circle through the counter-clockwise a, b, c; the sign flips for clockwise. @internal */
export function inCircle(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, d: ReadonlyVec2): number {
  if (isModerate2(a) && isModerate2(b) && isModerate2(c) && isModerate2(d))
    return incircle(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y) + 0;
  return integerSign(true, [xy(a), xy(b), xy(c), xy(d)]);
}

/** > 0 when e lies inside the sphere through a, b, c, d with orient3d(a, b, c, d) > 0; the sign flips otherwise. @internal */
export function inSphere(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
): number {
  if (isModerate3(a) && isModerate3(b) && isModerate3(c) && isModerate3(d) && isModerate3(e))
    return 0 - insphere(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z, e.x, e.y, e.z); // theirs flips
  return 0 - integerSign(true, [xyz(a), xyz(b), xyz(c), xyz(d), xyz(e)]);
}

const xy = ({ x, y }: ReadonlyVec2): number[] => [x, y];
const xyz = ({ x, y, z }: ReadonlyVec3): number[] => [x, y, z];

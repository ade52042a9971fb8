/**
 * Two boxes by the axes that could separate them: Gottschalk, Lin and Manocha 1996; RTCD §4.4.1. Several times as fast as
 * GJK, and it answers only where it is sure; for all else there is GJK.
 *
 *   overlap along an axis = extent of a + extent of b - distance of the centres
 *
 * An axis with less than minus the radii (of rounded boxes), by a clear margin, separates them. Without one, they overlap
 * where all fifteen overlap by the margin. Axes across two edges are not of unit length but shorter: that is on the safe
 * side both ways. Of two edges that are all but parallel the axis says nothing. But rotate one box by the small angle s
 * between them, and both are prisms along one direction, for which the faces decide. That moves no point farther than s times
 * the reach, and changes no overlap along a face by more than s times the size of all: so boxes overlap whose faces do by more
 * than the sum of the two, which is less than 4 s times the size.
 */
import { EPS64 } from '../math/float.ts';
import { MOST } from '../math/size-range.ts';
import type { ConvexCore } from './core.ts';
import type { Frame } from './frame.ts';

export const APART = 0;
export const OVERLAP = 1;
export const UNSURE = 2;

/** Far above all rounding here, and above what GJK takes for touching, relative to the size of all. */
const MARGIN = 1024 * EPS64;

/** Numbers of a box in a list of sizes: half its sides, its radius and its reach. */
export const BOX_SIZES = 5;

/** @internal */
export function writeBoxSizes({ data, radius, reach }: ConvexCore, to: Float64Array, at: number): void {
  to[at] = data[0]!;
  to[at + 1] = data[1]!;
  to[at + 2] = data[2]!;
  to[at + 3] = radius;
  to[at + 4] = reach;
}

const two = new Float64Array(2 * BOX_SIZES);

/**
 * Do two box cores, with their radii, share a point? `f` is the pose of b as a sees it.
 *
 * @internal
 */
export function overlapBoxes(a: ConvexCore, b: ConvexCore, f: Frame): number {
  writeBoxSizes(a, two, 0);
  writeBoxSizes(b, two, BOX_SIZES);
  return overlapSizedBoxes(two, 0, BOX_SIZES, f);
}

/** The same of two in a list of sizes, from `a` and `b` on: what asks of thousands has them side by side in memory. */
export function overlapSizedBoxes(sizes: Float64Array, a: number, b: number, f: Frame): number {
  const { m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz } = f;
  const ax = sizes[a]!;
  const ay = sizes[a + 1]!;
  const az = sizes[a + 2]!;
  const bx = sizes[b]!;
  const by = sizes[b + 1]!;
  const bz = sizes[b + 2]!;
  const size = sizes[a + 4]! + sizes[b + 4]! + Math.abs(tx) + Math.abs(ty) + Math.abs(tz);
  if (!(size <= MOST)) return UNSURE; // GJK says what is wrong
  const margin = MARGIN * size;
  const apart = -(sizes[a + 3]! + sizes[b + 3]! + margin);
  const r00 = Math.abs(m00);
  const r01 = Math.abs(m01);
  const r02 = Math.abs(m02);
  const r10 = Math.abs(m10);
  const r11 = Math.abs(m11);
  const r12 = Math.abs(m12);
  const r20 = Math.abs(m20);
  const r21 = Math.abs(m21);
  const r22 = Math.abs(m22);
  // Along the faces of a, then of b.
  let least = ax + (bx * r00 + by * r01 + bz * r02) - Math.abs(tx);
  least = Math.min(least, ay + (bx * r10 + by * r11 + bz * r12) - Math.abs(ty));
  least = Math.min(least, az + (bx * r20 + by * r21 + bz * r22) - Math.abs(tz));
  if (least < apart) return APART;
  least = Math.min(least, bx + (ax * r00 + ay * r10 + az * r20) - Math.abs(m00 * tx + m10 * ty + m20 * tz));
  least = Math.min(least, by + (ax * r01 + ay * r11 + az * r21) - Math.abs(m01 * tx + m11 * ty + m21 * tz));
  least = Math.min(least, bz + (ax * r02 + ay * r12 + az * r22) - Math.abs(m02 * tx + m12 * ty + m22 * tz));
  if (least < apart) return APART;
  if (!(least > margin)) return UNSURE;
  // Parallel edges of both: the most common case.
  const spare = (least - margin) / (4 * size);
  if (r10 + r20 < spare || r11 + r21 < spare || r12 + r22 < spare) return OVERLAP;
  if (r00 + r20 < spare || r01 + r21 < spare || r02 + r22 < spare) return OVERLAP;
  if (r00 + r10 < spare || r01 + r11 < spare || r02 + r12 < spare) return OVERLAP;
  // Across an edge of a and one of b.
  least = ay * r20 + az * r10 + (by * r02 + bz * r01) - Math.abs(tz * m10 - ty * m20);
  least = Math.min(least, ay * r21 + az * r11 + (bx * r02 + bz * r00) - Math.abs(tz * m11 - ty * m21));
  least = Math.min(least, ay * r22 + az * r12 + (bx * r01 + by * r00) - Math.abs(tz * m12 - ty * m22));
  least = Math.min(least, ax * r20 + az * r00 + (by * r12 + bz * r11) - Math.abs(tx * m20 - tz * m00));
  least = Math.min(least, ax * r21 + az * r01 + (bx * r12 + bz * r10) - Math.abs(tx * m21 - tz * m01));
  least = Math.min(least, ax * r22 + az * r02 + (bx * r11 + by * r10) - Math.abs(tx * m22 - tz * m02));
  least = Math.min(least, ax * r10 + ay * r00 + (by * r22 + bz * r21) - Math.abs(ty * m00 - tx * m10));
  least = Math.min(least, ax * r11 + ay * r01 + (bx * r22 + bz * r20) - Math.abs(ty * m01 - tx * m11));
  least = Math.min(least, ax * r12 + ay * r02 + (bx * r21 + by * r20) - Math.abs(ty * m02 - tx * m12));
  return least > margin ? OVERLAP : least < apart ? APART : UNSURE;
}

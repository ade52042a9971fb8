/**
 * Which point lies farthest along a direction of integers? Decided without rounding.
 *
 * Of use to `dobkin-kirkpatrick.ts` and `direction-tree.ts`. Production compares rounded heights: a support map may be
 * off by rounding.
 */

import type { BigVec } from '../../math/big-integers.ts';
import { approximate, dot, minus, signOf, toIntegers } from '../../math/big-integers.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';

/** The index of a point that lies farthest along the direction. */
export type Extremes = (direction: BigVec) => number;

/** The direction in doubles, for `compareHeights`. */
const rounded = new Float64Array(3);

/**
 * A height above another point has a rounded difference, a rounded component of the direction, a product and two sums:
 * five roundings of 2^-53.
 */
const ERROR = 6 * UNIT_ROUNDING;
/** More than what falls below the range. */
const UNDERFLOW = 1e-280;

/**
 * Sets the direction that `compareHeights` looks along.
 *
 * @internal
 */
export function lookAlong(direction: BigVec): void {
  approximate(direction, rounded);
}

/**
 * The sign of (q - p) · direction: is q the farther one? The direction is that of the last `lookAlong`.
 *
 * @internal
 */
export function compareHeights(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  direction: BigVec,
  unit: number,
): -1 | 0 | 1 {
  const x = (q.x - p.x) * rounded[0]!;
  const y = (q.y - p.y) * rounded[1]!;
  const z = (q.z - p.z) * rounded[2]!;
  const height = x + y + z;
  // An overflow makes the bound infinite or NaN, and the comparison false.
  if (Math.abs(height) > ERROR * (Math.abs(x) + Math.abs(y) + Math.abs(z)) + UNDERFLOW)
    return height > 0 ? 1 : -1;
  if (p.x === q.x && p.y === q.y && p.z === q.z) return 0;
  return signOf(dot(direction, minus(toIntegers(q, unit), toIntegers(p, unit))));
}

/** By looking at every point of the list, whose coordinates are integers in that unit. */
export function extremesOfList(points: readonly ReadonlyVec3[], unit: number): Extremes {
  return (direction) => {
    lookAlong(direction);
    let best = 0;
    for (let i = 1; i < points.length; i++)
      if (compareHeights(points[best]!, points[i]!, direction, unit) > 0) best = i;
    return best;
  };
}

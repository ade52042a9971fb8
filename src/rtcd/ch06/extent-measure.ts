/**
 * How large a box is, in a sense that does not vanish for the set at hand. RTCD §6.2.1.1.
 *
 * For the option matrix of this chapter. Production weighs boxes by half of their area: `trees/sah.ts`.
 */

/** What a hierarchy is to have little of. */
export type BoxMeasure = 'volume' | 'area';

/**
 * Volume, half the surface area, or the sum of the sides.
 *
 * @internal
 */
export type ExtentMeasure = 0 | 1 | 2;
const VOLUME = 0;
const AREA = 1;
const SIDES = 2;

/**
 * The measure that was wanted, or the next simpler one if all of the set has none of it: the boxes of a flat set have
 * no volume, those of a set in a row not even an area, and all choices would be equally good.
 *
 * @internal
 */
export function measureFor(wanted: BoxMeasure, bounds: Float64Array, count: number): ExtentMeasure {
  let flat = 0;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      low = Math.min(low, bounds[6 * i + axis]!);
      high = Math.max(high, bounds[6 * i + axis + 3]!);
    }
    if (!(high > low)) flat++;
  }
  return wanted === 'volume' && flat === 0 ? VOLUME : flat < 2 ? AREA : SIDES;
}

/**
 * The measure of a box with sides x, y, z. Grows with each side, rounding included.
 *
 * @internal
 */
export const sizeOf = (measure: ExtentMeasure, x: number, y: number, z: number): number =>
  measure === AREA ? x * y + y * z + z * x : measure === VOLUME ? x * y * z : x + y + z;

/**
 * The measure of the box around boxes i and j of a list.
 *
 * @internal
 */
export function unionSize(measure: ExtentMeasure, bounds: Float64Array, i: number, j: number): number {
  const p = 6 * i;
  const q = 6 * j;
  return sizeOf(
    measure,
    Math.max(bounds[p + 3]!, bounds[q + 3]!) - Math.min(bounds[p]!, bounds[q]!),
    Math.max(bounds[p + 4]!, bounds[q + 4]!) - Math.min(bounds[p + 1]!, bounds[q + 1]!),
    Math.max(bounds[p + 5]!, bounds[q + 5]!) - Math.min(bounds[p + 2]!, bounds[q + 2]!),
  );
}

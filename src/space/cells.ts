/** Numbers of cells of a uniform grid. RTCD §7.1. */

/**
 * No cell has a larger number: what is farther out is in the outermost cell. Numbers then rise with coordinates, without
 * exception, and 32 bits hold them and sums of two.
 *
 * @internal
 */
export const FARTHEST = 0x3fffffff;

/**
 * The number of the cell with coordinate x: the largest whole number that is not above x times `scale`, one over the side
 * of a cell. Never falls where x rises, so that ranges that overlap have numbers that do.
 *
 * @internal
 */
export const cellOf = (x: number, scale: number): number =>
  Math.floor(Math.min(Math.max(x * scale, -FARTHEST), FARTHEST)) | 0;

/**
 * A side for the cells of a grid over n things, a power of two times the longest side of the box around them: so that the
 * box has about half as many cells as there are things. `low` and `high` are its corners.
 *
 * @internal
 */
export function sideFor(low: ArrayLike<number>, high: ArrayLike<number>, n: number): number {
  const x = high[0]! - low[0]!;
  const y = high[1]! - low[1]!;
  const z = high[2]! - low[2]!;
  let far = 0;
  for (let k = 0; k < 3; k++) far = Math.max(far, Math.abs(low[k]!), Math.abs(high[k]!));
  let side = Math.max(x, y, z);
  // All in one place, or nothing at all: one cell, whatever its size.
  if (!(side > 0)) return far < Infinity ? Math.max(far, 1) : 1;
  const least = Math.max(far / FARTHEST, 1e-300);
  while (
    side / 2 > least &&
    (Math.floor((2 * x) / side) + 1) * (Math.floor((2 * y) / side) + 1) * (Math.floor((2 * z) / side) + 1) <=
      n / 2
  )
    side /= 2;
  return Math.max(side, least);
}

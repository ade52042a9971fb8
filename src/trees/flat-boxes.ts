/** Boxes in arrays: minimum x, y, z, maximum x, y, z. */

/**
 * A box that holds nothing.
 *
 * @internal
 */
export function emptyBox(boxes: Float64Array, at = 0): void {
  boxes[at] = boxes[at + 1] = boxes[at + 2] = Infinity;
  boxes[at + 3] = boxes[at + 4] = boxes[at + 5] = -Infinity;
}

/**
 * Makes the box at `at` hold the other one too.
 *
 * @internal
 */
export function joinBox(boxes: Float64Array, at: number, others: Float64Array, from: number): void {
  for (let i = 0; i < 3; i++) {
    if (others[from + i]! < boxes[at + i]!) boxes[at + i] = others[from + i]!;
    if (others[from + 3 + i]! > boxes[at + 3 + i]!) boxes[at + 3 + i] = others[from + 3 + i]!;
  }
}

/**
 * Half the surface area.
 *
 * @internal
 */
export function halfAreaOf(boxes: Float64Array, at = 0): number {
  const x = boxes[at + 3]! - boxes[at]!;
  const y = boxes[at + 4]! - boxes[at + 1]!;
  const z = boxes[at + 5]! - boxes[at + 2]!;
  return x * y + y * z + z * x;
}

/**
 * The sum of the three sides: what there is of a box in a line, which has no area.
 *
 * @internal
 */
export const sidesOf = (boxes: Float64Array, at = 0): number =>
  boxes[at + 3]! - boxes[at]! + (boxes[at + 4]! - boxes[at + 1]!) + (boxes[at + 5]! - boxes[at + 2]!);

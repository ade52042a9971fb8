/** Boxes as the GPU gets them: in whole numbers on one grid, in an order in which neighbours stand together. */
import { sortByWord, spread } from '../trees/morton.ts';

/** The largest whole number on the grid; a little below 2³², so that no rounding exceeds it. */
const MOST = 4294967040;

/** A map from coordinates to the grid, (x - origin) · scale, on each axis. */
export interface BoxGrid {
  readonly origin: Float64Array;
  readonly scale: Float64Array;
}

/** The grid over some boxes of six numbers each. */
export function gridOver(boxes: Float64Array): BoxGrid {
  const origin = new Float64Array(3);
  const scale = new Float64Array(3);
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let at = axis; at < boxes.length; at += 6) {
      low = Math.min(low, boxes[at]!);
      high = Math.max(high, boxes[at + 3]!);
    }
    origin[axis] = low;
    // Of an axis on which nothing extends all is at 0. Tiny extents must not make it infinite.
    scale[axis] = high > low ? Math.min(MOST / (high - low), 1e300) : 0;
  }
  return { origin, scale };
}

/**
 * Writes the boxes, in an order, on the grid. Every step of the map (a difference, a product by what is not negative, rounding
 * down) leaves the order of two numbers as it is, or makes them equal. So of two boxes that share a point, the whole numbers do too.
 */
export function writeBoxes(boxes: Float64Array, order: Uint32Array, grid: BoxGrid, words: Uint32Array): void {
  const ox = grid.origin[0]!;
  const oy = grid.origin[1]!;
  const oz = grid.origin[2]!;
  const sx = grid.scale[0]!;
  const sy = grid.scale[1]!;
  const sz = grid.scale[2]!;
  for (let i = 0; i < order.length; i++) {
    const from = 6 * order[i]!;
    const to = 6 * i;
    words[to] = (boxes[from]! - ox) * sx;
    words[to + 1] = (boxes[from + 1]! - oy) * sy;
    words[to + 2] = (boxes[from + 2]! - oz) * sz;
    words[to + 3] = (boxes[from + 3]! - ox) * sx;
    words[to + 4] = (boxes[from + 4]! - oy) * sy;
    words[to + 5] = (boxes[from + 5]! - oz) * sz;
  }
}

/** The boxes along a curve that fills space, by their centres. */
export function mortonOrder(boxes: Float64Array): Uint32Array {
  const count = boxes.length / 6;
  const codes = new Uint32Array(count);
  for (let axis = 0; axis < 3; axis++) {
    // Twice the centres. Their own extent: one box around all others must not make the cells too large for these.
    let low = Infinity;
    let high = -Infinity;
    for (let at = axis; at < boxes.length; at += 6) {
      const middle = boxes[at]! + boxes[at + 3]!;
      low = Math.min(low, middle);
      high = Math.max(high, middle);
    }
    const perCell = high > low ? 1023 / (high - low) : 0;
    for (let i = 0; i < count; i++) {
      const at = 6 * i + axis;
      codes[i]! |= spread((boxes[at]! + boxes[at + 3]! - low) * perCell) << axis;
    }
  }
  return sortByWord(
    codes.map((_, i) => i),
    codes,
  );
}

/** The pairs of a list, each with the smaller number first, sorted: by the first, then by the second. */
export function sortPairs(pairs: Int32Array, count: number, most: number): Int32Array<ArrayBuffer> {
  const starts = new Uint32Array(most + 1);
  for (let i = 0; i < count; i++) starts[Math.min(pairs[2 * i]!, pairs[2 * i + 1]!) + 1]!++;
  for (let a = 0; a < most; a++) starts[a + 1]! += starts[a]!;
  const sorted = new Int32Array(2 * count);
  const ends = starts.slice();
  for (let i = 0; i < count; i++) {
    const a = Math.min(pairs[2 * i]!, pairs[2 * i + 1]!);
    const b = Math.max(pairs[2 * i]!, pairs[2 * i + 1]!);
    // Among those of the same first number, where it belongs.
    let at = ends[a]!++;
    sorted[2 * at] = a;
    for (; at > starts[a]! && sorted[2 * at - 1]! > b; at--) sorted[2 * at + 1] = sorted[2 * at - 1]!;
    sorted[2 * at + 1] = b;
  }
  return sorted;
}

/**
 * Puts items into the cells of a grid, sorted along a curve: what is near in space is then near in memory, and a cell
 * can stand for its items in the upper levels of a tree, where one item more or less does not matter. After the
 * hierarchical linear trees of Pantaleoni and Luebke 2010, in the form of Garanzha, Pantaleoni and McAllister 2011.
 */
import { ITEM, NOTHING_MAX, NOTHING_MIN } from './pack-split.ts';

/** Items in cells: those of a cell are the places first … first + count - 1 of `sorted`. */
export interface Cells {
  readonly count: number;
  /** As the items of a `Splitter`: the box of a cell's items, how many they are, and the first. */
  readonly records: Int32Array;
  /** The number of the cell and that of the item, for each item, cell after cell. */
  readonly sorted: Uint32Array;
}

/** Bits of the fine coordinates of twice a centre. */
const FINE_BITS = 22;
/** More would not make up for another pass of sorting. */
const MAX_BITS = 22;
/** At most so many bits are sorted by in one pass. */
const DIGIT = 11;

/**
 * Sorts items by the cells of a grid so fine that about `perCell` of them share one, if they cover a surface. `boxes` are
 * fine boxes and `step` the widths of their steps.
 *
 * @internal
 */
export function sortIntoCells(
  count: number,
  boxes: Int32Array,
  step: readonly [number, number, number],
  perCell: number,
): Cells {
  // A surface passes through about n² of n³ cells: with q = n² of them, there are q √q in all.
  const q = count / perCell;
  const all = Math.min(q * Math.sqrt(q), 0x40000000);
  const bits = Math.max(3, Math.min(MAX_BITS, 31 - Math.clz32(Math.SQRT2 * all)));
  const sorted = sortByKey(keysOf(count, boxes, step, bits), bits);
  let cells = 1;
  for (let i = 2; i < 2 * count; i += 2) cells += sorted[i] === sorted[i - 2] ? 0 : 1;
  const records = new Int32Array(cells * ITEM);
  for (let cell = 0, i = 0; cell < cells; cell++) {
    const key = sorted[2 * i]!;
    const at = cell * ITEM;
    records[at + 7] = i;
    let x0 = NOTHING_MIN;
    let y0 = NOTHING_MIN;
    let z0 = NOTHING_MIN;
    let x1 = NOTHING_MAX;
    let y1 = NOTHING_MAX;
    let z1 = NOTHING_MAX;
    do {
      const from = sorted[2 * i + 1]! * 6;
      let d = (boxes[from]! - x0) | 0;
      x0 = (x0 + (d & (d >> 31))) | 0;
      d = (boxes[from + 1]! - y0) | 0;
      y0 = (y0 + (d & (d >> 31))) | 0;
      d = (boxes[from + 2]! - z0) | 0;
      z0 = (z0 + (d & (d >> 31))) | 0;
      d = (x1 - boxes[from + 3]!) | 0;
      x1 = (x1 - (d & (d >> 31))) | 0;
      d = (y1 - boxes[from + 4]!) | 0;
      y1 = (y1 - (d & (d >> 31))) | 0;
      d = (z1 - boxes[from + 5]!) | 0;
      z1 = (z1 - (d & (d >> 31))) | 0;
      i++;
    } while (i < count && sorted[2 * i]! === key);
    records[at] = x0;
    records[at + 1] = y0;
    records[at + 2] = z0;
    records[at + 3] = x1;
    records[at + 4] = y1;
    records[at + 5] = z1;
    records[at + 6] = i - records[at + 7]!;
  }
  return { count: cells, records, sorted };
}

/** For each item the number of its cell: bits of the three coordinates, each halving the side that is longest then. */
function keysOf(
  count: number,
  boxes: Int32Array,
  step: readonly [number, number, number],
  bits: number,
): Uint32Array {
  // How far the boxes reach along each axis is 2^21 steps, unless the steps are as small as they can be.
  const sides = [step[0], step[1], step[2]];
  const places: [number[], number[], number[]] = [[], [], []];
  for (let bit = bits - 1; bit >= 0; bit--) {
    let axis = 0;
    for (let k = 1; k < 3; k++) if (sides[k]! > sides[axis]!) axis = k;
    sides[axis]! /= 2;
    places[axis]!.push(bit);
  }
  const [tableX, tableY, tableZ] = [spreadTable(places[0]), spreadTable(places[1]), spreadTable(places[2])];
  const shiftX = FINE_BITS - places[0].length;
  const shiftY = FINE_BITS - places[1].length;
  const shiftZ = FINE_BITS - places[2].length;
  const keys = new Uint32Array(count);
  for (let i = 0, at = 0; i < count; i++, at += 6)
    keys[i] =
      tableX[(boxes[at]! + boxes[at + 3]!) >> shiftX]! |
      tableY[(boxes[at + 1]! + boxes[at + 4]!) >> shiftY]! |
      tableZ[(boxes[at + 2]! + boxes[at + 5]!) >> shiftZ]!;
  return keys;
}

/** For each number its bits, the highest first, at the places that are given. */
function spreadTable(places: readonly number[]): Uint32Array {
  const n = places.length;
  const table = new Uint32Array(1 << n);
  for (let value = 0; value < table.length; value++)
    for (let k = 0; k < n; k++) if (value & (1 << (n - 1 - k))) table[value]! |= 1 << places[k]!;
  return table;
}

/** Radix sort: the keys with the numbers 0, 1, … that they came with, side by side because they are written together. */
function sortByKey(keys: Uint32Array, bits: number): Uint32Array {
  const { length } = keys;
  const passes = Math.ceil(bits / DIGIT);
  const digit = Math.ceil(bits / passes);
  const mask = (1 << digit) - 1;
  const starts = new Uint32Array((mask + 1) * passes);
  for (let i = 0; i < length; i++)
    for (let pass = 0, key = keys[i]!; pass < passes; pass++, key >>>= digit)
      starts[(pass << digit) | (key & mask)]! += 2;
  for (let pass = 0; pass < passes; pass++)
    for (let i = pass << digit, stop = i + mask, sum = 0; i <= stop; i++) {
      const n = starts[i]!;
      starts[i] = sum;
      sum += n;
    }
  let to = new Uint32Array(2 * length);
  for (let i = 0; i < length; i++) {
    const key = keys[i]!;
    const digits = key & mask;
    const place = starts[digits]!;
    starts[digits] = place + 2;
    to[place] = key;
    to[place + 1] = i;
  }
  let from = passes > 1 ? new Uint32Array(2 * length) : to;
  for (let pass = 1; pass < passes; pass++) {
    [from, to] = [to, from];
    const shift = digit * pass;
    const base = pass << digit;
    for (let i = 0; i < 2 * length; i += 2) {
      const key = from[i]!;
      const digits = base | ((key >>> shift) & mask);
      const place = starts[digits]!;
      starts[digits] = place + 2;
      to[place] = key;
      to[place + 1] = from[i + 1]!;
    }
  }
  return to;
}

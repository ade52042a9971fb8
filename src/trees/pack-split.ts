/**
 * Parts ranges of items by the surface area heuristic over bins, in integers. Wald 2007; Ericson, RTCD §6.2.1.
 *
 * Minimum and maximum of whole numbers are a subtraction and a mask, without the branches that random numbers
 * mispredict, and the boxes of two children are sums over bins that have been counted already: no item is looked at twice
 * for one split.
 */

/** Numbers of an item: its box (min x, y, z, max x, y, z), how many it stands for, and which. */
export const ITEM = 8;

const BINS = 12;
/** Fewer bins do for few items. */
const FEW = 64;
const FEW_BINS = 6;
/**
 * Loops over items are called for so many at once. The first range of a tree is all of them: V8 would make code for the
 * loop in the middle of that first call (on-stack replacement), when the code before the loop has hardly run, and may be
 * left with that for all calls to come, each of which then begins in the interpreter.
 */
const AT_ONCE = 256;
/** A box turned inside out. */
const NOTHING_MIN = 0x3fffffff;
const NOTHING_MAX = -1;

/** The empty box, at an index of a list. @internal */
export function clearBox(boxes: Int32Array, at: number): void {
  boxes[at] = boxes[at + 1] = boxes[at + 2] = NOTHING_MIN;
  boxes[at + 3] = boxes[at + 4] = boxes[at + 5] = NOTHING_MAX;
}

/** Makes the box at `to` hold the one at `from` of `source`. @internal */
export function mergeBox(boxes: Int32Array, to: number, source: Int32Array, from: number): void {
  let v = boxes[to]!;
  let d = (source[from]! - v) | 0;
  boxes[to] = v + (d & (d >> 31));
  v = boxes[to + 1]!;
  d = (source[from + 1]! - v) | 0;
  boxes[to + 1] = v + (d & (d >> 31));
  v = boxes[to + 2]!;
  d = (source[from + 2]! - v) | 0;
  boxes[to + 2] = v + (d & (d >> 31));
  v = boxes[to + 3]!;
  d = (v - source[from + 3]!) | 0;
  boxes[to + 3] = v - (d & (d >> 31));
  v = boxes[to + 4]!;
  d = (v - source[from + 4]!) | 0;
  boxes[to + 4] = v - (d & (d >> 31));
  v = boxes[to + 5]!;
  d = (v - source[from + 5]!) | 0;
  boxes[to + 5] = v - (d & (d >> 31));
}

/** The box around boxes that come `stride` numbers apart. @internal */
export function boxAround(boxes: Int32Array, stride: number): Int32Array {
  const box = new Int32Array(6);
  clearBox(box, 0);
  for (let at = 0; at < boxes.length; at += stride) mergeBox(box, 0, boxes, at);
  return box;
}

/** State that lives for one tree, in fields of one object to keep the functions apart. @internal */
export class Splitter {
  items: Int32Array;
  /** The numbers of the items, permuted by splits. */
  order: Int32Array;
  /** Steps of the axes, of which they may have different ones, relative to the largest; what areas count for that. */
  readonly stepX: number;
  readonly stepY: number;
  readonly stepZ: number;
  readonly areaXY: number;
  readonly areaYZ: number;
  readonly areaZX: number;
  readonly binBoxes = new Int32Array(BINS * 6);
  readonly binCounts = new Int32Array(BINS);
  readonly rightBoxes = new Int32Array(BINS * 6);
  readonly rightCosts = new Float64Array(BINS);
  /** What a split leaves: the boxes of both parts, and how many the items on the left stand for. */
  readonly left = new Int32Array(6);
  readonly right = new Int32Array(6);
  leftCount = 0;
  // How the items of the current range are put into bins: (twice the centre - from) * scale, along the axis.
  axis = 0;
  from = 0;
  scale = 0;

  constructor(capacity: number, step: readonly [number, number, number]) {
    this.items = new Int32Array(capacity * ITEM);
    this.order = new Int32Array(capacity);
    const largest = Math.max(step[0], step[1], step[2]);
    const [x, y, z] = [step[0] / largest, step[1] / largest, step[2] / largest];
    this.stepX = x;
    this.stepY = y;
    this.stepZ = z;
    this.areaXY = x * y;
    this.areaYZ = y * z;
    this.areaZX = z * x;
  }

  /** Counts the items first … end - 1 into `bins` bins. */
  fill(first: number, end: number, bins: number): void {
    const { binBoxes, binCounts } = this;
    for (let i = 0; i < bins; i++) clearBox(binBoxes, 6 * i);
    for (let i = 0; i < bins; i++) binCounts[i] = 0;
    for (let i = first; i < end; i += AT_ONCE) this.fillSome(i, Math.min(i + AT_ONCE, end));
  }

  private fillSome(first: number, end: number): void {
    const { items: boxes, order, binBoxes, binCounts, axis, from, scale } = this;
    for (let i = first; i < end; i++) {
      const at = order[i]! * ITEM;
      const bin = ((boxes[at + axis]! + boxes[at + 3 + axis]! - from) * scale) | 0;
      binCounts[bin]! += boxes[at + 6]!;
      mergeBox(binBoxes, bin * 6, boxes, at);
    }
  }

  /** The last bin on the left side of the cheapest cut, or -1 if all items are in one bin. Leaves the two boxes. */
  cut(count: number, bins: number): number {
    const { binBoxes, binCounts, rightBoxes, rightCosts, areaXY, areaYZ, areaZX, left, right } = this;
    let x0 = NOTHING_MIN;
    let y0 = NOTHING_MIN;
    let z0 = NOTHING_MIN;
    let x1 = NOTHING_MAX;
    let y1 = NOTHING_MAX;
    let z1 = NOTHING_MAX;
    let items = 0;
    let d = 0;
    for (let i = bins - 1; i > 0; i--) {
      const at = i * 6;
      items += binCounts[i]!;
      d = (binBoxes[at]! - x0) | 0;
      x0 = (x0 + (d & (d >> 31))) | 0;
      d = (binBoxes[at + 1]! - y0) | 0;
      y0 = (y0 + (d & (d >> 31))) | 0;
      d = (binBoxes[at + 2]! - z0) | 0;
      z0 = (z0 + (d & (d >> 31))) | 0;
      d = (x1 - binBoxes[at + 3]!) | 0;
      x1 = (x1 - (d & (d >> 31))) | 0;
      d = (y1 - binBoxes[at + 4]!) | 0;
      y1 = (y1 - (d & (d >> 31))) | 0;
      d = (z1 - binBoxes[at + 5]!) | 0;
      z1 = (z1 - (d & (d >> 31))) | 0;
      rightBoxes[at] = x0;
      rightBoxes[at + 1] = y0;
      rightBoxes[at + 2] = z0;
      rightBoxes[at + 3] = x1;
      rightBoxes[at + 4] = y1;
      rightBoxes[at + 5] = z1;
      const u = x1 - x0;
      const v = y1 - y0;
      const w = z1 - z0;
      rightCosts[i] = (u * v * areaXY + v * w * areaYZ + w * u * areaZX) * items;
    }
    x0 = NOTHING_MIN;
    y0 = NOTHING_MIN;
    z0 = NOTHING_MIN;
    x1 = NOTHING_MAX;
    y1 = NOTHING_MAX;
    z1 = NOTHING_MAX;
    items = 0;
    let best = Infinity;
    let cut = -1;
    for (let i = 0; i < bins - 1; i++) {
      const at = i * 6;
      items += binCounts[i]!;
      d = (binBoxes[at]! - x0) | 0;
      x0 = (x0 + (d & (d >> 31))) | 0;
      d = (binBoxes[at + 1]! - y0) | 0;
      y0 = (y0 + (d & (d >> 31))) | 0;
      d = (binBoxes[at + 2]! - z0) | 0;
      z0 = (z0 + (d & (d >> 31))) | 0;
      d = (x1 - binBoxes[at + 3]!) | 0;
      x1 = (x1 - (d & (d >> 31))) | 0;
      d = (y1 - binBoxes[at + 4]!) | 0;
      y1 = (y1 - (d & (d >> 31))) | 0;
      d = (z1 - binBoxes[at + 5]!) | 0;
      z1 = (z1 - (d & (d >> 31))) | 0;
      if (items === 0 || items === count) continue;
      const u = x1 - x0;
      const v = y1 - y0;
      const w = z1 - z0;
      const cost = (u * v * areaXY + v * w * areaYZ + w * u * areaZX) * items + rightCosts[i + 1]!;
      if (cost < best) {
        best = cost;
        cut = i;
        this.leftCount = items;
        left[0] = x0;
        left[1] = y0;
        left[2] = z0;
        left[3] = x1;
        left[4] = y1;
        left[5] = z1;
      }
    }
    if (cut >= 0) for (let k = 0, at = (cut + 1) * 6; k < 6; k++, at++) right[k] = rightBoxes[at]!;
    return cut;
  }

  /** Moves the items of the bins 0 … cut to the front. Returns where the others begin. */
  part(first: number, end: number, cut: number): number {
    let middle = first;
    for (let i = first; i < end; i += AT_ONCE)
      middle = this.partSome(i, Math.min(i + AT_ONCE, end), middle, cut);
    return middle;
  }

  private partSome(first: number, end: number, begin: number, cut: number): number {
    const { items: boxes, order, axis, from, scale } = this;
    let middle = begin;
    for (let i = first; i < end; i++) {
      const item = order[i]!;
      const at = item * ITEM + axis;
      const bin = ((boxes[at]! + boxes[at + 3]! - from) * scale) | 0;
      // A swap that is kept or not by how far `middle` advances: no branch to mispredict.
      order[i] = order[middle]!;
      order[middle] = item;
      middle += ((cut - bin) >> 31) + 1;
    }
    return middle;
  }

  /** Bins over the centres, when all of them fell into one bin of the box. False if all centres are the same. */
  spread(first: number, end: number, bins: number): boolean {
    const { items: boxes, order } = this;
    let widest = 0;
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = first; i < end; i++) {
        const at = order[i]! * ITEM + axis;
        const center = boxes[at]! + boxes[at + 3]!;
        if (center < low) low = center;
        if (center > high) high = center;
      }
      const width = (high - low) * (axis === 0 ? this.stepX : axis === 1 ? this.stepY : this.stepZ);
      if (width > widest) {
        widest = width;
        this.axis = axis;
        this.from = low;
        this.scale = (bins * 0.99999) / (high - low);
      }
    }
    return widest > 0;
  }

  /** The box around items, into `box`. */
  enclose(first: number, end: number, box: Int32Array): void {
    const { items: boxes, order } = this;
    clearBox(box, 0);
    for (let i = first; i < end; i++) mergeBox(box, 0, boxes, order[i]! * ITEM);
  }

  /**
   * Parts a range of items that stand for `count` in two and returns where the right part begins, or -1 if all
   * centres are the same.
   */
  split(first: number, end: number, box: Int32Array, count: number): number {
    const bins = end - first < FEW ? FEW_BINS : BINS;
    const x = (box[3]! - box[0]!) * this.stepX;
    const y = (box[4]! - box[1]!) * this.stepY;
    const z = (box[5]! - box[2]!) * this.stepZ;
    this.axis = x >= y ? (x >= z ? 0 : 2) : y >= z ? 1 : 2;
    this.from = 2 * box[this.axis]!;
    this.scale = (bins * 0.49999) / (box[this.axis + 3]! - box[this.axis]!);
    this.fill(first, end, bins);
    let cut = this.cut(count, bins);
    if (cut < 0) {
      if (!this.spread(first, end, bins)) return -1;
      this.fill(first, end, bins);
      cut = this.cut(count, bins);
      if (cut < 0) return -1;
    }
    return this.part(first, end, cut);
  }

  /** Parts a range of items that stand for one each by their number. */
  halve(first: number, end: number): number {
    const middle = (first + end) >> 1;
    this.enclose(first, middle, this.left);
    this.enclose(middle, end, this.right);
    return middle;
  }
}

/**
 * Puts items into the cells of a grid, sorted along a curve: what is near in space is then near in memory, and a cell
 * can stand for its items in the upper levels of a tree, where one item more or less does not matter. After the
 * hierarchical linear trees of Pantaleoni and Luebke 2010, in the form of Garanzha, Pantaleoni and McAllister 2011.
 */

/** Items in cells: those of a cell have the indices first … first + count - 1 of `sorted`. */
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
  const bits = keyBits(count, perCell);
  const keys = new Uint32Array(count);
  fillKeys(keys, boxes, cellBits(step, bits), 0, count);
  const sorted = new Uint32Array(2 * count);
  const cells = sortByKey(keys, bits, { low: 0, high: 1 << bits, start: 0, count }, sorted);
  const records = new Int32Array(cells * ITEM);
  fillCells(records, sorted, boxes, 0, count);
  return { count: cells, records, sorted };
}

/** How many bits the number of a cell has. @internal */
export function keyBits(count: number, perCell: number): number {
  // A surface passes through about n² of n³ cells: with q = n² of them, there are q √q in all.
  const q = count / perCell;
  const all = Math.min(q * Math.sqrt(q), 0x40000000);
  return Math.max(3, Math.min(MAX_BITS, 31 - Math.clz32(Math.SQRT2 * all)));
}

/** Cells with numbers from `low` to `high` - 1; where their items stand among all that are sorted, and how many they are. */
export interface CellRange {
  readonly low: number;
  readonly high: number;
  readonly start: number;
  readonly count: number;
}

/** For ranges of cells, how many of the items have a key there: the highest bits say which range. @internal */
export function countKeys(keys: Uint32Array, bits: number): Uint32Array {
  const shift = Math.max(0, bits - DIGIT);
  const counts = new Uint32Array(1 << (bits - shift));
  for (let i = 0; i < keys.length; i++) counts[keys[i]! >> shift]!++;
  return counts;
}

/** Cuts the cells into ranges of about as many items each, by what `countKeys` has counted in all lists of keys. @internal */
export function cellRanges(lists: readonly Uint32Array[], bits: number, parts: number): CellRange[] {
  const shift = Math.max(0, bits - DIGIT);
  const counts = lists[0]!.map((_, i) => lists.reduce((sum, list) => sum + list[i]!, 0));
  const count = counts.reduce((sum, n) => sum + n, 0);
  const ranges: CellRange[] = [];
  let low = 0;
  let start = 0;
  let end = 0;
  for (let top = 0; end < count; top++) {
    end += counts[top]!;
    if (end < (count * (ranges.length + 1)) / parts) continue;
    ranges.push({ low: low << shift, high: (top + 1) << shift, start, count: end - start });
    low = top + 1;
    start = end;
  }
  return ranges;
}

/**
 * Writes the cells of the sorted items from … to - 1, of which none belongs to another cell, as `Cells` has them.
 *
 * @internal
 */
export function fillCells(
  records: Int32Array,
  sorted: Uint32Array,
  boxes: Int32Array,
  from: number,
  to: number,
): void {
  for (let at = 0, i = from; i < to; at += ITEM) {
    const key = sorted[2 * i]!;
    records[at + 7] = i;
    clearBox(records, at);
    do {
      mergeBox(records, at, boxes, sorted[2 * i + 1]! * 6);
      i++;
    } while (i < to && sorted[2 * i]! === key);
    records[at + 6] = i - records[at + 7]!;
  }
}

/** Which bits of a coordinate go where in the number of a cell. */
export interface CellBits {
  readonly tables: readonly [Uint32Array, Uint32Array, Uint32Array];
  readonly shifts: readonly [number, number, number];
}

/** Bits of the three coordinates, each halving the side that is longest then. @internal */
export function cellBits(step: readonly [number, number, number], bits: number): CellBits {
  // How far the boxes reach along each axis is 2^21 steps, unless the steps are as small as they can be.
  const sides = [step[0], step[1], step[2]];
  const bitsOfAxis: [number[], number[], number[]] = [[], [], []];
  for (let bit = bits - 1; bit >= 0; bit--) {
    let axis = 0;
    for (let k = 1; k < 3; k++) if (sides[k]! > sides[axis]!) axis = k;
    sides[axis]! /= 2;
    bitsOfAxis[axis]!.push(bit);
  }
  return {
    tables: [spreadTable(bitsOfAxis[0]), spreadTable(bitsOfAxis[1]), spreadTable(bitsOfAxis[2])],
    shifts: [
      FINE_BITS - bitsOfAxis[0].length,
      FINE_BITS - bitsOfAxis[1].length,
      FINE_BITS - bitsOfAxis[2].length,
    ],
  };
}

/** For the items from … to - 1 the numbers of their cells. @internal */
export function fillKeys(
  keys: Uint32Array,
  boxes: Int32Array,
  { tables, shifts }: CellBits,
  from: number,
  to: number,
): void {
  const [tableX, tableY, tableZ] = tables;
  const [shiftX, shiftY, shiftZ] = shifts;
  for (let i = from, at = 6 * from; i < to; i++, at += 6)
    keys[i] =
      tableX[(boxes[at]! + boxes[at + 3]!) >> shiftX]! |
      tableY[(boxes[at + 1]! + boxes[at + 4]!) >> shiftY]! |
      tableZ[(boxes[at + 2]! + boxes[at + 5]!) >> shiftZ]!;
}

/** For each number its bits, the highest first, at the given bit positions. */
function spreadTable(bitsOfAxis: readonly number[]): Uint32Array {
  const n = bitsOfAxis.length;
  const table = new Uint32Array(1 << n);
  for (let value = 0; value < table.length; value++)
    for (let k = 0; k < n; k++) if (value & (1 << (n - 1 - k))) table[value]! |= 1 << bitsOfAxis[k]!;
  return table;
}

/**
 * Radix sort: the keys of a range with the numbers 0, 1, … that they came with, side by side because they are written together,
 * to their place in `sorted`. Returns how many different keys there are. `spare` is room for as many.
 *
 * @internal
 */
export function sortByKey(
  keys: Uint32Array,
  bits: number,
  range: CellRange,
  sorted: Uint32Array,
  spare: Uint32Array = new Uint32Array(2 * range.count),
): number {
  const { low, start, count } = range;
  const width = range.high - low;
  const passes = Math.ceil(bits / DIGIT);
  const digit = Math.ceil(bits / passes);
  const mask = (1 << digit) - 1;
  const starts = new Uint32Array((mask + 1) * passes);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if ((key - low) >>> 0 >= width) continue;
    for (let pass = 0, rest = key; pass < passes; pass++, rest >>>= digit)
      starts[(pass << digit) | (rest & mask)]! += 2;
  }
  for (let pass = 0; pass < passes; pass++)
    for (let i = pass << digit, stop = i + mask, sum = 0; i <= stop; i++) {
      const n = starts[i]!;
      starts[i] = sum;
      sum += n;
    }
  const place = sorted.subarray(2 * start, 2 * (start + count));
  // The last pass writes to the place.
  let to = passes % 2 === 1 ? place : spare;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if ((key - low) >>> 0 >= width) continue;
    const digits = key & mask;
    const slot = starts[digits]!;
    starts[digits] = slot + 2;
    to[slot] = key;
    to[slot + 1] = i;
  }
  for (let pass = 1; pass < passes; pass++) {
    const from = to;
    to = from === place ? spare : place;
    const shift = digit * pass;
    const base = pass << digit;
    for (let i = 0; i < 2 * count; i += 2) {
      const key = from[i]!;
      const digits = base | ((key >>> shift) & mask);
      const slot = starts[digits]!;
      starts[digits] = slot + 2;
      to[slot] = key;
      to[slot + 1] = from[i + 1]!;
    }
  }
  let different = 0;
  for (let i = 0; i < 2 * count; i += 2) different += i > 0 && place[i] === place[i - 2] ? 0 : 1;
  return different;
}

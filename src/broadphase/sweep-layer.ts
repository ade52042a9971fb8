/**
 * Boxes of about the same size, sorted along one axis within columns along it. RTCD §7.5.2, on the columns of a grid
 * (§7.1) over the other two axes: along one axis alone, n boxes that fill space overlap n^(2/3) others each.
 *
 * All that is compared are whole numbers, made from coordinates by functions that never fall: boxes that overlap do so
 * in these numbers, too, and the few others that do are distinguished by the coordinates. A box is listed in every column
 * that it touches; two boxes meet in the column where the later of their beginnings lies, on either axis, and only
 * there. Columns have no limits: their numbers are wrapped to the size of a table.
 */

import { growList } from '../space/id-list.ts';
import type { BoxSet } from './box-set.ts';
import type { PairList } from './pair-list.ts';

/** Numbers an entry: where it begins and ends along the axis and across, its box, how far it and all before it reach. */
const ENTRY = 8;
const HIGH = 1;
const V0 = 2;
const V1 = 3;
const W0 = 4;
const W1 = 5;
const ID = 6;
const REACH = 7;

/** Parts of a column: coordinates across the axis are rounded to these. */
const FINE = 8;
/** A box is in so many columns at most, either way; larger ones are not for this layer. */
const WIDEST = 3;
/** Coordinates beyond are taken for this: far out, all is one column. */
const FARTHEST = 0x20000000;
const DIGIT = 2048;

const single = new Float32Array(1);
const word = new Int32Array(single.buffer);
const starts = new Int32Array(2 * DIGIT);

/** Whole numbers in the order of the (rounded) coordinates that they were made from. */
function sortable(x: number): number {
  single[0] = x;
  const bits = word[0]!;
  return bits < 0 ? -(bits & 0x7fffffff) : bits;
}

/** @internal */
export class SweepLayer {
  count = 0;
  /** Of the columns. */
  width = 1;
  /** 0, 1, 2: the axis of the columns; then the other two. */
  private u = 0;
  private v = 1;
  private w = 2;
  private v0 = 0;
  private w0 = 0;
  private scale = 1;
  /** Sort keys are shifted by this. */
  private lowest = 0;
  private shift = 0;
  private vBits = 0;
  private wBits = 0;
  /** Where each column begins in `entries`. */
  private columns = new Int32Array(2);
  private entries = new Int32Array(0);
  private rows = new Int32Array(0);
  private order = new Int32Array(0);
  private spare = new Int32Array(0);

  get axis(): number {
    return this.u;
  }

  /** Makes the layer of the boxes whose numbers are given. `origin` and `width` define the columns. */
  build(
    { boxes }: BoxSet,
    ids: Int32Array,
    count: number,
    axis: number,
    origin: readonly number[],
    width: number,
  ): void {
    this.count = count;
    this.width = width;
    this.u = axis;
    this.v = (axis + 1) % 3;
    this.w = (axis + 2) % 3;
    this.v0 = origin[this.v]!;
    this.w0 = origin[this.w]!;
    // Where nothing has a size, or sizes are out of all bounds, there is one column.
    const scale = (1 << FINE) / width;
    this.scale = scale < Infinity ? scale : 0;
    if (this.rows.length < ENTRY * count) {
      const capacity = Math.ceil(1.5 * count);
      this.rows = new Int32Array(ENTRY * capacity);
      this.order = new Int32Array(capacity);
      this.spare = new Int32Array(capacity);
    }
    // As many columns as boxes; a box never meets itself around the table.
    const bits = Math.max(4, 32 - Math.clz32(count >> 1));
    this.vBits = bits >> 1;
    this.wBits = bits - this.vBits;
    this.lowest = 0;
    this.shift = 0;
    this.readRows(boxes, ids, count);
    this.sort(count);
    this.fillColumns(count);
  }

  private readRows(boxes: Float64Array, ids: Int32Array, count: number): void {
    const { rows, u } = this;
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      const first = boxes[6 * ids[i]! + u]!;
      if (first < low) low = first;
      const last = boxes[6 * ids[i]! + u + 3]!;
      if (last > high) high = last;
    }
    const lowest = sortable(low);
    // Twice eleven bits are left: two rounds of sorting.
    const shift = Math.max(0, 32 - Math.clz32(sortable(high) - lowest) - 22);
    this.lowest = lowest;
    this.shift = shift;
    const { v, w, v0, w0, scale } = this;
    for (let i = 0, p = 0; i < count; i++, p += ENTRY) {
      const id = ids[i]!;
      const q = 6 * id;
      rows[p] = (sortable(boxes[q + u]!) - lowest) >>> shift;
      rows[p + HIGH] = (sortable(boxes[q + u + 3]!) - lowest) >>> shift;
      rows[p + V0] = Math.floor(Math.min(Math.max((boxes[q + v]! - v0) * scale, -FARTHEST), FARTHEST));
      rows[p + V1] = Math.floor(Math.min(Math.max((boxes[q + v + 3]! - v0) * scale, -FARTHEST), FARTHEST));
      rows[p + W0] = Math.floor(Math.min(Math.max((boxes[q + w]! - w0) * scale, -FARTHEST), FARTHEST));
      rows[p + W1] = Math.floor(Math.min(Math.max((boxes[q + w + 3]! - w0) * scale, -FARTHEST), FARTHEST));
      rows[p + ID] = id;
    }
  }

  /** `order`: the rows by where they begin. */
  private sort(count: number): void {
    const { rows, order, spare } = this;
    starts.fill(0);
    for (let i = 0, p = 0; i < count; i++, p += ENTRY) {
      const key = rows[p]!;
      starts[key & (DIGIT - 1)]!++;
      starts[DIGIT + ((key >>> 11) & (DIGIT - 1))]!++;
    }
    let a = 0;
    let b = 0;
    for (let i = 0; i < DIGIT; i++) {
      const atA = starts[i]!;
      const atB = starts[DIGIT + i]!;
      starts[i] = a;
      starts[DIGIT + i] = b;
      a += atA;
      b += atB;
    }
    for (let i = 0; i < count; i++) spare[starts[rows[ENTRY * i]! & (DIGIT - 1)]!++] = i;
    for (let i = 0; i < count; i++) {
      const row = spare[i]!;
      order[starts[DIGIT + ((rows[ENTRY * row]! >>> 11) & (DIGIT - 1))]!++] = row;
    }
  }

  /** Lists the rows, in their order, in the columns that they touch. */
  private fillColumns(count: number): void {
    const { rows, order, vBits, wBits } = this;
    const size = 1 << (vBits + wBits);
    if (this.columns.length < size + 2) this.columns = new Int32Array(size + 2);
    const { columns } = this;
    columns.fill(0);
    const vMask = (1 << vBits) - 1;
    const wMask = (1 << wBits) - 1;
    // Counted two slots ahead: the sums then stand one slot ahead, and filling moves them back.
    for (let i = 0, p = 0; i < count; i++, p += ENTRY) {
      const w0 = rows[p + W0]! >> FINE;
      const w1 = rows[p + W1]! >> FINE;
      const v1 = rows[p + V1]! >> FINE;
      for (let v = rows[p + V0]! >> FINE; v <= v1; v++)
        for (let w = w0; w <= w1; w++) columns[(((v & vMask) << wBits) | (w & wMask)) + 2]!++;
    }
    for (let i = 2; i < size + 2; i++) columns[i]! += columns[i - 1]!;
    const total = columns[size + 1]!;
    if (this.entries.length < ENTRY * total) this.entries = new Int32Array(Math.ceil(1.25 * ENTRY * total));
    const { entries } = this;
    for (let i = 0; i < count; i++) {
      const p = ENTRY * order[i]!;
      const low = rows[p]!;
      const high = rows[p + HIGH]!;
      const v0 = rows[p + V0]!;
      const v1 = rows[p + V1]!;
      const w0 = rows[p + W0]!;
      const w1 = rows[p + W1]!;
      const id = rows[p + ID]!;
      const lastV = v1 >> FINE;
      const lastW = w1 >> FINE;
      for (let v = v0 >> FINE; v <= lastV; v++)
        for (let w = w0 >> FINE; w <= lastW; w++) {
          const column = (((v & vMask) << wBits) | (w & wMask)) + 1;
          const e = ENTRY * columns[column]!++;
          entries[e] = low;
          entries[e + HIGH] = high;
          entries[e + V0] = v0;
          entries[e + V1] = v1;
          entries[e + W0] = w0;
          entries[e + W1] = w1;
          entries[e + ID] = id;
        }
    }
    for (let column = 0; column < size; column++) {
      let reach = 0;
      const end = ENTRY * columns[column + 1]!;
      for (let e = ENTRY * columns[column]!; e < end; e += ENTRY) {
        if (entries[e + HIGH]! > reach) reach = entries[e + HIGH]!;
        entries[e + REACH] = reach;
      }
    }
  }

  /** How large boxes may be across the axis in columns of that width. Larger ones are for another layer. */
  widestIn(width: number): number {
    return (WIDEST - 1) * width;
  }

  /** The number of the i-th box. */
  idAt(i: number): number {
    return this.rows[ENTRY * i + ID]!;
  }

  /** Appends the pairs of boxes of this layer to a list that has so many; returns how many it has then. */
  pairs({ boxes }: BoxSet, out: PairList, from: number): number {
    const { columns, entries, vBits, wBits } = this;
    const size = 1 << (vBits + wBits);
    const vMask = (1 << vBits) - 1;
    const wMask = (1 << wBits) - 1;
    let list = out.ids;
    let top = 2 * from;
    for (let column = 0; column < size; column++) {
      const end = ENTRY * columns[column + 1]!;
      const columnV = column >> wBits;
      const columnW = column & wMask;
      for (let e = ENTRY * columns[column]!; e < end; e += ENTRY) {
        const low = entries[e]!;
        const high = entries[e + HIGH]!;
        const v0 = entries[e + V0]!;
        const v1 = entries[e + V1]!;
        const w0 = entries[e + W0]!;
        const w1 = entries[e + W1]!;
        for (let f = e + ENTRY; f < end && entries[f]! <= high; f += ENTRY) {
          const fv = entries[f + V0]!;
          const fw = entries[f + W0]!;
          if (!(v0 <= entries[f + V1]! && fv <= v1 && w0 <= entries[f + W1]! && fw <= w1)) continue;
          if (((Math.max(fv, v0) >> FINE) & vMask) !== columnV) continue;
          if (((Math.max(fw, w0) >> FINE) & wMask) !== columnW) continue;
          const i = entries[e + ID]!;
          const j = entries[f + ID]!;
          const p = 6 * i;
          const q = 6 * j;
          // What is less after rounding was less before: boxes that are far away in memory are seldom looked at.
          if (
            (v0 < entries[f + V1]! &&
              fv < v1 &&
              w0 < entries[f + W1]! &&
              fw < w1 &&
              entries[f]! < high &&
              low < entries[f + HIGH]!) ||
            (boxes[p]! <= boxes[q + 3]! &&
              boxes[q]! <= boxes[p + 3]! &&
              boxes[p + 1]! <= boxes[q + 4]! &&
              boxes[q + 1]! <= boxes[p + 4]! &&
              boxes[p + 2]! <= boxes[q + 5]! &&
              boxes[q + 2]! <= boxes[p + 5]!)
          ) {
            if (top === list.length) list = growList(out);
            list[top] = i;
            list[top + 1] = j;
            top += 2;
          }
        }
      }
    }
    return top >> 1;
  }

  /** Appends to a list of `from` numbers those of boxes that may share a point with the box at `q` of `boxes`, once each. */
  search(boxes: Float64Array, q: number, out: PairList, from: number): number {
    const { u, v, w, scale, lowest, shift, columns, entries, vBits, wBits } = this;
    if (this.count === 0) return from;
    const high = sortable(boxes[q + u + 3]!) - lowest;
    if (high < 0) return from;
    const last = high >>> shift;
    const low = Math.max(0, sortable(boxes[q + u]!) - lowest) >>> shift;
    const v0 = Math.floor(Math.min(Math.max((boxes[q + v]! - this.v0) * scale, -FARTHEST), FARTHEST)) | 0;
    const v1 = Math.floor(Math.min(Math.max((boxes[q + v + 3]! - this.v0) * scale, -FARTHEST), FARTHEST)) | 0;
    const w0 = Math.floor(Math.min(Math.max((boxes[q + w]! - this.w0) * scale, -FARTHEST), FARTHEST)) | 0;
    const w1 = Math.floor(Math.min(Math.max((boxes[q + w + 3]! - this.w0) * scale, -FARTHEST), FARTHEST)) | 0;
    const vMask = (1 << vBits) - 1;
    const wMask = (1 << wBits) - 1;
    const firstV = v0 >> FINE;
    const firstW = w0 >> FINE;
    // Every column of the table at most once.
    const spanV = Math.min((v1 >> FINE) - firstV, vMask);
    const spanW = Math.min((w1 >> FINE) - firstW, wMask);
    let list = out.ids;
    let top = from;
    for (let i = 0; i <= spanV; i++) {
      const columnV = (firstV + i) & vMask;
      for (let j = 0; j <= spanW; j++) {
        const columnW = (firstW + j) & wMask;
        const column = (columnV << wBits) | columnW;
        const end = columns[column + 1]!;
        // The first from which on boxes may reach as far as this one begins.
        let begin = columns[column]!;
        let beyond = end;
        while (begin < beyond) {
          const middle = (begin + beyond) >>> 1;
          if (entries[ENTRY * middle + REACH]! < low) begin = middle + 1;
          else beyond = middle;
        }
        for (let f = ENTRY * begin; f < ENTRY * end && entries[f]! <= last; f += ENTRY) {
          const fv = entries[f + V0]!;
          const fw = entries[f + W0]!;
          if (entries[f + HIGH]! < low || entries[f + V1]! < v0 || fv > v1) continue;
          if (entries[f + W1]! < w0 || fw > w1) continue;
          if (((Math.max(fv, v0) >> FINE) & vMask) !== columnV) continue;
          if (((Math.max(fw, w0) >> FINE) & wMask) !== columnW) continue;
          if (top === list.length) list = growList(out);
          list[top++] = entries[f + ID]!;
        }
      }
    }
    return top;
  }
}

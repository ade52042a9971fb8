/** Boxes in flat arrays, low x, y, z and high x, y, z each; and marks of what was treated. */
import type { PolyhedralModel } from './types.ts';

/** Do the boxes at i in a and at j in b meet? @internal */
export const boxesMeet = (a: Float64Array, i: number, b: Float64Array, j: number): boolean =>
  (+(a[i]! <= b[j + 3]!) &
    +(a[i + 3]! >= b[j]!) &
    +(a[i + 1]! <= b[j + 4]!) &
    +(a[i + 4]! >= b[j + 1]!) &
    +(a[i + 2]! <= b[j + 5]!) &
    +(a[i + 5]! >= b[j + 2]!)) !==
  0;

/** Makes a box that holds nothing. @internal */
export function emptyBox(box: Float64Array): void {
  box[0] = box[1] = box[2] = Infinity;
  box[3] = box[4] = box[5] = -Infinity;
}

/** Makes it hold the point at i too. @internal */
export function extendBox(box: Float64Array, points: Float64Array, i: number): void {
  for (let k = 0; k < 3; k++) {
    const x = points[i + k]!;
    if (x < box[k]!) box[k] = x;
    if (x > box[k + 3]!) box[k + 3] = x;
  }
}

/** A box that is larger by a length on all sides. @internal */
export function growBox(box: Float64Array, by: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    out[k] = box[k]! - by;
    out[k + 3] = box[k + 3]! + by;
  }
}

/** The box about the boxes at i and j in `from`, to the start of `out`. @internal */
export function mergeBoxes(from: Float64Array, i: number, j: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    out[k] = Math.min(from[i + k]!, from[j + k]!);
    out[k + 3] = Math.max(from[i + 3 + k]!, from[j + 3 + k]!);
  }
}

/** Writes the boxes of a model's polygons (of the vertices of one that has none), with vertices at `points`. @internal */
export function boundPolygons(
  { polygonStart, polygonVertices, sources, vertexTouches }: PolyhedralModel,
  points: Float64Array,
  out: Float64Array,
): void {
  const hasPolygons = sources.length > 0;
  const count = hasPolygons ? sources.length : vertexTouches.length;
  for (let f = 0; f < count; f++) {
    const first = hasPolygons ? polygonStart[f]! : f;
    const last = hasPolygons ? polygonStart[f + 1]! : f + 1;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = first; i < last; i++) {
        const x = points[3 * (hasPolygons ? polygonVertices[i]! : i) + k]!;
        if (x < low) low = x;
        if (x > high) high = x;
      }
      out[6 * f + k] = low;
      out[6 * f + 3 + k] = high;
    }
  }
}

/** An array that is long enough: the same one, or one twice as long as needed, with nothing in it. @internal */
export const withCapacity = (array: Float64Array, length: number): Float64Array =>
  array.length < length ? new Float64Array(2 * length) : array;

/** The same for integers. @internal */
export const withIntegerCapacity = (array: Int32Array, length: number): Int32Array =>
  array.length < length ? new Int32Array(2 * length) : array;

/** A longer array with the same numbers in it, if there are more than it can hold. @internal */
export function grown(array: Int32Array, length: number): Int32Array {
  if (length <= array.length) return array;
  const longer = new Int32Array(2 * length);
  longer.set(array);
  return longer;
}

/** @internal */
export function grownFloats(array: Float64Array, length: number): Float64Array {
  if (length <= array.length) return array;
  const longer = new Float64Array(2 * length);
  longer.set(array);
  return longer;
}

const LAST_MARK = 0x7ffffff0;

/** What was treated: number i, if `marks[i] === mark`. @internal */
export class Marks {
  marks: Int32Array = new Int32Array(32);
  mark = 0;

  /** Starts over, for `count` numbers. */
  begin(count: number): void {
    this.marks = withIntegerCapacity(this.marks, count);
    if (this.mark >= LAST_MARK) {
      this.marks.fill(0);
      this.mark = 0;
    }
    this.mark++;
  }
}

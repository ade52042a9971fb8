/** Points in a balanced k-d tree: which of them are near a segment, or in a box? */
import type { ReadonlyVec3 } from '../math/types.ts';
import { halve } from '../trees/select.ts';

const LEAF = 8;

/**
 * The tree has no nodes: the points order[begin … end - 1] are parted at their middle, along the axis noted for it, and
 * so on down to a few.
 *
 * @internal
 */
export class PointTree {
  private readonly order: Uint32Array;
  private readonly axes: Uint8Array;
  private readonly splits: Float64Array;
  /** Around the points of a range, noted for its middle: min x, y, z, max x, y, z. */
  private readonly boxes: Float64Array;
  private readonly keys: readonly [Float64Array, Float64Array, Float64Array];
  // One side waits on each level, and halving leaves at most 32 of them.
  private readonly ranges = new Uint32Array(2 * 33);
  private readonly spans = new Float64Array(2 * 33);

  /** Over the points with the given numbers. */
  constructor(points: readonly ReadonlyVec3[], numbers: ArrayLike<number>) {
    this.order = Uint32Array.from(numbers);
    this.axes = new Uint8Array(this.order.length);
    this.splits = new Float64Array(this.order.length);
    this.boxes = new Float64Array(6 * this.order.length);
    this.keys = [
      Float64Array.from(points, (p) => p.x),
      Float64Array.from(points, (p) => p.y),
      Float64Array.from(points, (p) => p.z),
    ];
    const stack = [0, this.order.length];
    while (stack.length > 0) {
      const end = stack.pop()!;
      const begin = stack.pop()!;
      if (end - begin <= LEAF) continue;
      const axis = this.fitBox(begin, end);
      const middle = halve(this.order, this.keys[axis]!, begin, end);
      this.axes[middle] = axis;
      this.splits[middle] = this.keys[axis]![this.order[middle]!]!;
      stack.push(begin, middle, middle, end);
    }
  }

  /** Puts into `out` the points no farther than `reach` from segment ab, and some that are a little farther. */
  nearSegment(a: ReadonlyVec3, b: ReadonlyVec3, reach: number, out: number[]): number[] {
    const { ranges, spans } = this;
    from[0] = a.x;
    from[1] = a.y;
    from[2] = a.z;
    along[0] = b.x - a.x;
    along[1] = b.y - a.y;
    along[2] = b.z - a.z;
    out.length = 0;
    let top = this.begin();
    spans[0] = 0;
    spans[1] = 1;
    while (top > 0) {
      top--;
      const begin = ranges[2 * top]!;
      const end = ranges[2 * top + 1]!;
      const t0 = spans[2 * top]!;
      const t1 = spans[2 * top + 1]!;
      if (end - begin <= LEAF) {
        for (let i = begin; i < end; i++)
          if (this.isInSpan(this.order[i]!, t0, t1, reach)) out.push(this.order[i]!);
        continue;
      }
      const middle = begin + ((end - begin) >>> 1);
      if (!this.meetsSpan(6 * middle, t0, t1, reach)) continue;
      const axis = this.axes[middle]!;
      const split = this.splits[middle]!;
      // Only the part of the segment on the near side of the split, give or take the reach, can be near points there.
      const start = from[axis]!;
      const step = along[axis]!;
      const low = (split + reach - start) / step;
      const high = (split - reach - start) / step;
      const slack = 1e-9;
      let l0 = t0;
      let l1 = t1;
      let h0 = t0;
      let h1 = t1;
      if (step > 0) {
        l1 = Math.min(t1, low + slack);
        h0 = Math.max(t0, high - slack);
      } else if (step < 0) {
        l0 = Math.max(t0, low - slack);
        h1 = Math.min(t1, high + slack);
      } else {
        if (start > split + reach) l1 = -1;
        if (start < split - reach) h1 = -1;
      }
      if (l0 <= l1) top = this.push(top, begin, middle, l0, l1);
      if (h0 <= h1) top = this.push(top, middle, end, h0, h1);
    }
    return out;
  }

  /** Puts into `out` the points in a box. */
  inBox(min: ReadonlyVec3, max: ReadonlyVec3, out: number[]): number[] {
    const [xs, ys, zs] = this.keys;
    const { ranges } = this;
    out.length = 0;
    let top = this.begin();
    while (top > 0) {
      top--;
      const begin = ranges[2 * top]!;
      const end = ranges[2 * top + 1]!;
      if (end - begin <= LEAF) {
        for (let i = begin; i < end; i++) {
          const p = this.order[i]!;
          const inside =
            xs[p]! >= min.x &&
            xs[p]! <= max.x &&
            ys[p]! >= min.y &&
            ys[p]! <= max.y &&
            zs[p]! >= min.z &&
            zs[p]! <= max.z;
          if (inside) out.push(p);
        }
        continue;
      }
      const middle = begin + ((end - begin) >>> 1);
      const axis = AXES[this.axes[middle]!]!;
      const split = this.splits[middle]!;
      if (min[axis] <= split) top = this.push(top, begin, middle, 0, 0);
      if (max[axis] >= split) top = this.push(top, middle, end, 0, 0);
    }
    return out;
  }

  private begin(): number {
    this.ranges[0] = 0;
    this.ranges[1] = this.order.length;
    return 1;
  }

  private push(top: number, begin: number, end: number, t0: number, t1: number): number {
    this.ranges[2 * top] = begin;
    this.ranges[2 * top + 1] = end;
    this.spans[2 * top] = t0;
    this.spans[2 * top + 1] = t1;
    return top + 1;
  }

  /** Is the point within reach of the box around a part of the segment? */
  private isInSpan(p: number, t0: number, t1: number, reach: number): boolean {
    for (let axis = 0; axis < 3; axis++) {
      const s0 = from[axis]! + t0 * along[axis]!;
      const s1 = from[axis]! + t1 * along[axis]!;
      const key = this.keys[axis]![p]!;
      // The ends of the part are rounded, and must not lose a point for it.
      const margin = reach + 1e-15 * (Math.abs(s0) + Math.abs(s1) + Math.abs(from[axis]!));
      if (key < Math.min(s0, s1) - margin || key > Math.max(s0, s1) + margin) return false;
    }
    return true;
  }

  /** Is the box of a range within reach of the box around a part of the segment? */
  private meetsSpan(at: number, t0: number, t1: number, reach: number): boolean {
    const { boxes } = this;
    for (let axis = 0; axis < 3; axis++) {
      const s0 = from[axis]! + t0 * along[axis]!;
      const s1 = from[axis]! + t1 * along[axis]!;
      const margin = reach + 1e-15 * (Math.abs(s0) + Math.abs(s1) + Math.abs(from[axis]!));
      if (boxes[at + 3 + axis]! < Math.min(s0, s1) - margin || boxes[at + axis]! > Math.max(s0, s1) + margin)
        return false;
    }
    return true;
  }

  /** Notes the box of a range, and returns its longest axis. */
  private fitBox(begin: number, end: number): 0 | 1 | 2 {
    const at = 6 * (begin + ((end - begin) >>> 1));
    let widest: 0 | 1 | 2 = 0;
    let width = -1;
    for (const axis of [0, 1, 2] as const) {
      const keys = this.keys[axis];
      let low = Infinity;
      let high = -Infinity;
      for (let i = begin; i < end; i++) {
        const key = keys[this.order[i]!]!;
        low = Math.min(low, key);
        high = Math.max(high, key);
      }
      this.boxes[at + axis] = low;
      this.boxes[at + 3 + axis] = high;
      if (high - low > width) {
        width = high - low;
        widest = axis;
      }
    }
    return widest;
  }
}

const AXES = ['x', 'y', 'z'] as const;
const from = new Float64Array(3);
const along = new Float64Array(3);

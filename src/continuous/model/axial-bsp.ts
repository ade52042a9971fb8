/** A tree of axis-parallel planes over the polygons of a model. van Waveren 2005, §7.2. */
import type { AxialBsp, PolyhedralModel } from '../types.ts';

/** Leaves of no more than this many polygons are not split. */
const LEAF_SIZE = 6;
/** No branch is longer. @internal */
export const MAX_DEPTH = 40;
/** No more than this many entries in the leaves for each polygon. */
const MAX_COPIES = 3;
/** What it costs to pass a node, where looking at a polygon costs 1. */
const NODE_COST = 0.5;

interface Split {
  axis: number;
  /** What lies in the plane belongs below. */
  at: number;
  cost: number;
}

/**
 * Splits space at sides of the polygons' boxes, again and again, where it pays most by the surface area heuristic: the
 * chance of a search to come to a child, by its surface, times the polygons that it will find there. Stops when
 * nothing would be gained. A polygon that a plane cuts is in both children; that each part of the tree may have no more
 * entries than three times the polygons that came into it keeps the tree from blowing up.
 *
 * @internal
 */
export function buildAxialBsp(bounds: Float64Array): AxialBsp {
  const count = bounds.length / 6;
  const builder = new Builder(bounds);
  const region = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 3; k++) {
      region[k] = Math.min(region[k]!, bounds[6 * i + k]!);
      region[k + 3] = Math.max(region[k + 3]!, bounds[6 * i + k + 3]!);
    }
  const all = new Int32Array(count);
  for (let i = 0; i < count; i++) all[i] = i;
  builder.build(all, region, 0, MAX_COPIES * count);
  return {
    axes: Uint8Array.from(builder.axes),
    splits: Float64Array.from(builder.splits),
    next: Int32Array.from(builder.next),
    counts: Int32Array.from(builder.counts),
    items: Int32Array.from(builder.items),
    stamps: new Int32Array(count + 1),
  };
}

class Builder {
  readonly axes: number[] = [];
  readonly splits: number[] = [];
  readonly next: number[] = [];
  readonly counts: number[] = [];
  readonly items: number[] = [];
  private readonly bounds: Float64Array;
  private readonly sides: Float64Array;
  private readonly flats: Float64Array;

  constructor(bounds: Float64Array) {
    this.bounds = bounds;
    this.sides = new Float64Array(bounds.length / 3);
    this.flats = new Float64Array(bounds.length / 6);
  }

  /** `budget`: how many entries the leaves of this part may have. */
  build(members: Int32Array, region: Float64Array, depth: number, budget: number): void {
    const node = this.axes.length;
    const split = members.length > LEAF_SIZE && depth < MAX_DEPTH ? this.bestSplit(members, region) : null;
    const lower = split ? this.below(members, split) : members;
    const upper = split ? this.above(members, split) : members;
    const entries = lower.length + upper.length;
    if (!split || entries > budget) {
      this.axes.push(3);
      this.splits.push(0);
      this.next.push(this.items.length);
      this.counts.push(members.length);
      for (let i = 0; i < members.length; i++) this.items.push(members[i]!);
      return;
    }
    this.axes.push(split.axis);
    this.splits.push(split.at);
    this.next.push(0);
    this.counts.push(0);
    const lowerRegion = region.slice();
    lowerRegion[split.axis + 3] = split.at;
    const share = Math.floor((budget * lower.length) / entries);
    this.build(lower, lowerRegion, depth + 1, share);
    const upperRegion = region.slice();
    upperRegion[split.axis] = split.at;
    this.next[node] = this.axes.length;
    this.build(upper, upperRegion, depth + 1, budget - share);
  }

  /** What reaches below the plane; also what lies in it. */
  private below(members: Int32Array, { axis, at }: Split): Int32Array {
    const { bounds } = this;
    return members.filter((i) => bounds[6 * i + axis]! < at || bounds[6 * i + axis + 3]! <= at);
  }

  private above(members: Int32Array, { axis, at }: Split): Int32Array {
    const { bounds } = this;
    return members.filter((i) => bounds[6 * i + axis + 3]! > at);
  }

  private bestSplit(members: Int32Array, region: Float64Array): Split | null {
    const { bounds } = this;
    const n = members.length;
    const best: Split = { axis: -1, at: 0, cost: n };
    const sx = region[3]! - region[0]!;
    const sy = region[4]! - region[1]!;
    const sz = region[5]! - region[2]!;
    const whole = sx * sy + sy * sz + sz * sx;
    if (!(whole > 0)) return null;
    // In two halves of one array: the low and the high sides.
    const lows = this.sides.subarray(0, n);
    const highs = this.sides.subarray(n, 2 * n);
    for (let axis = 0; axis < 3; axis++) {
      const low = region[axis]!;
      const high = region[axis + 3]!;
      let flats = 0;
      for (let k = 0; k < n; k++) {
        const from = bounds[6 * members[k]! + axis]!;
        const to = bounds[6 * members[k]! + axis + 3]!;
        lows[k] = from;
        highs[k] = to;
        if (from === to) this.flats[flats++] = from;
      }
      lows.sort();
      highs.sort();
      const flat = this.flats.subarray(0, flats).sort();
      const side = axis === 0 ? sy + sz : axis === 1 ? sx + sz : sx + sy;
      const end = whole - side * (high - low);
      let i = 0; // in lows: how many start below the plane
      let j = 0; // in highs: how many end in it or below
      let k = 0; // in flat: how many are in it, from `k0` on
      while (i < n || j < n) {
        const at = i < n && !(highs[j]! < lows[i]!) ? lows[i]! : highs[j]!;
        while (j < n && highs[j]! <= at) j++;
        while (k < flats && flat[k]! < at) k++;
        const k0 = k;
        while (k < flats && flat[k]! === at) k++;
        if (at > low && at < high) {
          const below = i + (k - k0);
          const above = n - j;
          const cost =
            NODE_COST + ((end + side * (at - low)) * below + (end + side * (high - at)) * above) / whole;
          if (cost < best.cost) {
            best.axis = axis;
            best.at = at;
            best.cost = cost;
          }
        }
        while (i < n && lows[i]! <= at) i++;
      }
    }
    return best.axis < 0 ? null : best;
  }
}

/** A list of polygons that grows. */
export interface PolygonList {
  items: Int32Array;
  count: number;
}

/** @internal */
export const makePolygonList = (): PolygonList => ({ items: new Int32Array(64), count: 0 });

/** Upper children that wait: one a level. */
const pending = new Int32Array(MAX_DEPTH + 2);

/**
 * Lists the polygons whose boxes meet a box (low x, y, z, high x, y, z; touching counts), each once, always in the same
 * order; returns how many. `out.items` is replaced by a longer array where it is too short. Allocates nothing else.
 *
 * @internal
 */
export function gatherPolygons(model: PolyhedralModel, box: Float64Array, out: PolygonList): number {
  const { polygonBounds: bounds } = model;
  const { axes, splits, next, counts, items, stamps } = model.bsp;
  const x0 = box[0]!;
  const y0 = box[1]!;
  const z0 = box[2]!;
  const x1 = box[3]!;
  const y1 = box[4]!;
  const z1 = box[5]!;
  const last = stamps.length - 1;
  if (out.items.length < last) out.items = new Int32Array(2 * last);
  const found = out.items;
  let stamp = stamps[last]! + 1;
  if (stamp > 0x7ffffff0) {
    stamps.fill(0);
    stamp = 1;
  }
  stamps[last] = stamp;
  let count = 0;
  let top = 0;
  let node = 0;
  for (;;) {
    const axis = axes[node]!;
    if (axis === 3) {
      const start = next[node]!;
      const stop = start + counts[node]!;
      for (let k = start; k < stop; k++) {
        const i = items[k]!;
        if (stamps[i] === stamp) continue;
        stamps[i] = stamp;
        const at = 6 * i;
        found[count] = i;
        count +=
          +(bounds[at]! <= x1) &
          +(bounds[at + 1]! <= y1) &
          +(bounds[at + 2]! <= z1) &
          +(bounds[at + 3]! >= x0) &
          +(bounds[at + 4]! >= y0) &
          +(bounds[at + 5]! >= z0);
      }
    } else {
      const split = splits[node]!;
      const above = +(box[axis + 3]! >= split);
      if (box[axis]! <= split) {
        pending[top] = next[node]!;
        top += above;
        node++;
        continue;
      }
      if (above) {
        node = next[node]!;
        continue;
      }
    }
    if (top === 0) break;
    node = pending[--top]!;
  }
  out.count = count;
  return count;
}

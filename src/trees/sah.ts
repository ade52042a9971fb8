/**
 * Trees from the top down by the surface area heuristic, with bins: where a cut costs a random ray the least, one of
 * a few positions along each axis. Goldsmith & Salmon 1987; MacDonald & Booth 1990; Wald 2007.
 */
import { makeAabb } from '../primitives/types.ts';
import { boundCenters, centersOf, longestAxis } from './centers.ts';
import type { TreeCounters } from './counters.ts';
import { emptyBox, halfAreaOf, joinBox, sidesOf } from './flat-boxes.ts';
import { halveDepth, identityOrder, topologyByCuts } from './ranges.ts';
import { halve } from './select.ts';
import type { Topology, TreeItems } from './tree.ts';

export interface SahOptions {
  /** The most items in a leaf. Default: 4. Fewer are together only if that is not slower. */
  readonly leafSize?: number;
  /** How many bins an axis is divided into. Default: 16. */
  readonly bins?: number;
  /** Look for the cut along the longest axis only? Builds faster; the tree is a little worse. */
  readonly longestOnly?: boolean;
  /** Adds up how many items were looked at. */
  readonly counters?: TreeCounters;
}

/** Visiting an inner node costs about as much as testing an item. */
const NODE_COST = 1;

/**
 * The topology that `buildTree` makes with the method 'sah'. O(n log n), and no deeper than
 * `halveDepth` allows.
 *
 * @internal
 */
export function sahTopology(items: TreeItems, options: SahOptions = {}): Topology {
  const { leafSize = 4, bins = 16, longestOnly = false, counters } = options;
  const { count, bounds } = items;
  const order = identityOrder(count);
  const centers = centersOf(items);
  const keys = new Float64Array(count);
  const binner = new Binner(bounds, centers, bins);
  const spread = makeAabb();
  const deep = halveDepth(count);
  return topologyByCuts(order, (begin, end, depth) => {
    const size = end - begin;
    if (counters) counters.itemTests += 3 * size;
    boundCenters(centers, order, begin, end, spread);
    const { min, max } = spread;
    const longest = longestAxis(spread);
    if (depth >= deep) {
      if (size <= leafSize) return begin;
      for (let i = begin; i < end; i++) keys[order[i]!] = centers[3 * order[i]! + longest]!;
      return halve(order, keys, begin, end);
    }
    binner.clear();
    for (let axis = 0; axis < 3; axis++) {
      if (longestOnly && axis !== longest) continue;
      const low = axis === 0 ? min.x : axis === 1 ? min.y : min.z;
      const high = axis === 0 ? max.x : axis === 1 ? max.y : max.z;
      binner.tryAxis(order, begin, end, axis, low, high);
    }
    if (size <= leafSize && !(binner.cost < size - NODE_COST)) return begin;
    return binner.cost < Infinity ? binner.cut(order, begin, end) : begin + (size >>> 1);
  });
}

/** Finds the best cut of one range at a time. */
class Binner {
  /** Of the best cut so far, in items tested a visit. */
  cost = Infinity;
  #axis = 0;
  #low = 0;
  #scale = 0;
  #bin = 0;
  readonly #bounds: Float64Array;
  readonly #centers: Float64Array;
  readonly #bins: number;
  readonly #counts: Uint32Array;
  /** Bounds of each bin; in a second part, of all bins from it on. */
  readonly #boxes: Float64Array;
  readonly #after: Float64Array;
  readonly #box = new Float64Array(6);

  constructor(bounds: Float64Array, centers: Float64Array, bins: number) {
    this.#bounds = bounds;
    this.#centers = centers;
    this.#bins = bins;
    this.#counts = new Uint32Array(bins);
    this.#boxes = new Float64Array(6 * bins);
    this.#after = new Float64Array(bins);
  }

  clear(): void {
    this.cost = Infinity;
  }

  tryAxis(order: Uint32Array, begin: number, end: number, axis: number, low: number, high: number): void {
    const bins = this.#bins;
    const scale = bins / (high - low);
    // No extent, or so little that bins cannot be distinguished.
    if (!(scale < Infinity)) return;
    this.#fill(order, begin, end, axis, low, scale);
    const box = this.#box;
    emptyBox(box);
    for (let bin = 0; bin < bins; bin++) this.#join(bin);
    // A set in a line has no area, but a length.
    const sizeOf = halfAreaOf(box) > 0 ? halfAreaOf : sidesOf;
    const whole = sizeOf(box);
    emptyBox(box);
    let behind = 0;
    for (let bin = bins - 1; bin > 0; bin--) {
      behind += this.#counts[bin]!;
      this.#join(bin);
      this.#after[bin] = behind === 0 ? 0 : (behind * sizeOf(box)) / whole;
    }
    emptyBox(box);
    let before = 0;
    for (let bin = 1; bin < bins; bin++) {
      before += this.#counts[bin - 1]!;
      this.#join(bin - 1);
      if (before === 0 || before === end - begin) continue;
      const cost = (before * sizeOf(box)) / whole + this.#after[bin]!;
      if (!(cost < this.cost)) continue;
      this.cost = cost;
      this.#axis = axis;
      this.#low = low;
      this.#scale = scale;
      this.#bin = bin;
    }
  }

  /** Parts the items by the best cut. The bins are computed as they were, so neither side is empty. */
  cut(order: Uint32Array, begin: number, end: number): number {
    const centers = this.#centers;
    let i = begin;
    let j = end;
    while (i < j) {
      const item = order[i]!;
      if (binOf(centers[3 * item + this.#axis]!, this.#low, this.#scale, this.#bins) < this.#bin) i++;
      else {
        order[i] = order[--j]!;
        order[j] = item;
      }
    }
    return i;
  }

  #fill(order: Uint32Array, begin: number, end: number, axis: number, low: number, scale: number): void {
    const bounds = this.#bounds;
    const centers = this.#centers;
    const counts = this.#counts;
    const boxes = this.#boxes;
    const bins = this.#bins;
    counts.fill(0);
    for (let bin = 0; bin < bins; bin++) emptyBox(boxes, 6 * bin);
    for (let i = begin; i < end; i++) {
      const item = order[i]!;
      const bin = binOf(centers[3 * item + axis]!, low, scale, bins);
      counts[bin]!++;
      joinBox(boxes, 6 * bin, bounds, 6 * item);
    }
  }

  #join(bin: number): void {
    joinBox(this.#box, 0, this.#boxes, 6 * bin);
  }
}

const binOf = (x: number, low: number, scale: number, bins: number): number =>
  Math.min(bins - 1, Math.floor((x - low) * scale));

/**
 * Builds packed trees over triangles or boxes: top-down, by the surface area heuristic over bins, in integers.
 *
 * Coordinates become whole numbers on a grid with 2^21 steps an axis. Minimum and maximum are then a subtraction and a
 * mask, without the branches that random numbers mispredict, and the boxes of two children are sums over bins that
 * have been counted already: no item is looked at twice for one split. RTCD §6.2.1; Wald 2007 for the bins.
 */

import { MAX_DEPTH, type PackedTree } from './packed-tree.ts';

/** A packed tree, and for every place in its leaves the number of the item there. */
export interface PackedBuild {
  readonly tree: PackedTree;
  readonly order: Uint32Array;
}

export interface PackOptions {
  /** The most items in a leaf, 10 unless told otherwise. */
  readonly leafSize?: number;
  /** Told every now and then which part of the items has found its leaf, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** Fine steps an axis; `FINE` of them make one step of the 16-bit grid. */
const STEPS = 2_097_000;
const FINE_BITS = 5;
const FINE = 1 << FINE_BITS;
/** Where the smallest coordinate stands: there is room below for rounding. */
const ORIGIN = 64;
const BINS = 12;
/** Fewer bins do for few items. */
const FEW = 64;
const FEW_BINS = 6;
/** Beyond this depth items are halved by number, so that `MAX_DEPTH` is never reached: 2^27 items fit below. */
const BALANCED_DEPTH = MAX_DEPTH - 30;
const NOTHING_MIN = 0x3fffffff;
const NOTHING_MAX = -1;

/**
 * Fine coordinates of the boxes of all items (min x, y, z, max x, y, z), and the grid on which they are.
 *
 * @internal
 */
export interface FineBoxes {
  readonly count: number;
  readonly boxes: Int32Array;
  /** Origin and width of a fine step, for each axis. */
  readonly origin: readonly [number, number, number];
  readonly step: readonly [number, number, number];
}

/** The tree over triangles, three corners each. */
export function packTriangles(
  positions: Float32Array | Float64Array,
  index: Uint32Array,
  options?: PackOptions,
): PackedBuild {
  return pack(fineTriangles(positions, index), options);
}

/** Origin and step of the grid over coordinates x, y, z, x, y, z, … */
function makeGrid(values: ArrayLike<number>): Pick<FineBoxes, 'origin' | 'step'> {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < values.length; i += 3)
    for (let k = 0; k < 3; k++) {
      const x = values[i + k]!;
      if (x < low[k]!) low[k] = x;
      if (x > high[k]!) high[k] = x;
    }
  const step: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    // A step is at least a few units in the last place: coordinates of the grid must be told apart far away too.
    const rounding = 4 * 2.220446049250313e-16 * Math.max(Math.abs(low[k]!), Math.abs(high[k]!));
    step[k] = Math.max((high[k]! - low[k]!) / STEPS, rounding, 1e-290);
  }
  return { origin: low, step };
}

function toFine(values: ArrayLike<number>, { origin, step }: Pick<FineBoxes, 'origin' | 'step'>): Int32Array {
  const [x, y, z] = origin;
  const sx = 1 / step[0];
  const sy = 1 / step[1];
  const sz = 1 / step[2];
  const fine = new Int32Array(values.length);
  for (let i = 0; i < values.length; i += 3) {
    fine[i] = (values[i]! - x) * sx + ORIGIN;
    fine[i + 1] = (values[i + 1]! - y) * sy + ORIGIN;
    fine[i + 2] = (values[i + 2]! - z) * sz + ORIGIN;
  }
  return fine;
}

/** @internal */
export function fineTriangles(positions: Float32Array | Float64Array, index: Uint32Array): FineBoxes {
  const grid = makeGrid(positions);
  const fine = toFine(positions, grid);
  const count = index.length / 3;
  const boxes = new Int32Array(count * 6);
  for (let i = 0, at = 0; i < index.length; i += 3, at += 6) {
    const a = index[i]! * 3;
    const b = index[i + 1]! * 3;
    const c = index[i + 2]! * 3;
    for (let k = 0; k < 3; k++) {
      const u = fine[a + k]!;
      const v = fine[b + k]!;
      const w = fine[c + k]!;
      // mask is v - u where that is negative, and 0 elsewhere: minimum and maximum without a branch.
      let mask = (v - u) & ((v - u) >> 31);
      let low = (u + mask) | 0;
      let high = (v - mask) | 0;
      mask = (w - low) & ((w - low) >> 31);
      low = (low + mask) | 0;
      mask = (high - w) & ((high - w) >> 31);
      high = (high - mask) | 0;
      boxes[at + k] = low;
      boxes[at + 3 + k] = high + 1;
    }
  }
  return { count, boxes, ...grid };
}

/**
 * The grid of 16-bit numbers that belongs to fine coordinates: origin and step.
 *
 * @internal
 */
export function packedGrid({ origin, step }: Pick<FineBoxes, 'origin' | 'step'>): Float64Array {
  const grid = new Float64Array(6);
  for (let k = 0; k < 3; k++) {
    grid[k] = origin[k]! - ORIGIN * step[k]!;
    grid[k + 3] = FINE * step[k]!;
  }
  return grid;
}

/**
 * Writes a fine box as 16-bit numbers, rounded outward by at least one fine step.
 *
 * @internal
 */
export function storeFineBox(box: Int32Array, at: number, bounds: Uint16Array, place: number): void {
  for (let k = 0; k < 3; k++) {
    bounds[place + k] = (box[at + k]! - 1) >> FINE_BITS;
    bounds[place + 3 + k] = (box[at + k + 3]! + FINE) >> FINE_BITS;
  }
}

/**
 * The link to a leaf.
 *
 * @internal
 */
export const leafLink = (first: number, end: number): number => ~((first << 4) | (end - first));

/** Numbers on the stack for one range of items: first, end, where its link goes, its depth, its box. */
const FRAME = 10;

/** The build itself: state that lives for one tree, in fields of one object to keep the functions apart. */
class Packer {
  readonly boxes: Int32Array;
  readonly order: Uint32Array;
  readonly bounds: Uint16Array;
  readonly links: Int32Array;
  readonly axes: Uint8Array;
  nodeCount = 0;
  /** What an area in the xy, yz and zx plane counts: axes may have different steps. */
  readonly areaXY: number;
  readonly areaYZ: number;
  readonly areaZX: number;
  readonly binBoxes = new Int32Array(BINS * 6);
  readonly binCounts = new Int32Array(BINS);
  readonly rightBoxes = new Int32Array(BINS * 6);
  readonly rightCosts = new Float64Array(BINS);
  readonly left = new Int32Array(6);
  readonly right = new Int32Array(6);
  // How the items of the range at hand are put into bins: (twice the centre - from) * scale, along the axis.
  axis = 0;
  from = 0;
  scale = 0;

  constructor({ count, boxes, step }: FineBoxes) {
    this.boxes = boxes;
    this.order = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.order[i] = i;
    const most = Math.max(1, count - 1);
    const buffer = new ArrayBuffer(most * 32);
    this.bounds = new Uint16Array(buffer);
    this.links = new Int32Array(buffer);
    this.axes = new Uint8Array(most);
    const largest = Math.max(step[0], step[1], step[2]);
    const [x, y, z] = [step[0] / largest, step[1] / largest, step[2] / largest];
    this.areaXY = x * y;
    this.areaYZ = y * z;
    this.areaZX = z * x;
  }

  /** Counts the items first … end - 1 into `bins` bins. */
  fill(first: number, end: number, bins: number): void {
    const { boxes, order, binBoxes, binCounts, axis, from, scale } = this;
    for (let i = 0; i < bins * 6; i += 6) {
      binBoxes[i] = NOTHING_MIN;
      binBoxes[i + 1] = NOTHING_MIN;
      binBoxes[i + 2] = NOTHING_MIN;
      binBoxes[i + 3] = NOTHING_MAX;
      binBoxes[i + 4] = NOTHING_MAX;
      binBoxes[i + 5] = NOTHING_MAX;
    }
    for (let i = 0; i < bins; i++) binCounts[i] = 0;
    for (let i = first; i < end; i++) {
      const at = order[i]! * 6;
      const bin = ((boxes[at + axis]! + boxes[at + 3 + axis]! - from) * scale) | 0;
      binCounts[bin]!++;
      const to = bin * 6;
      let v = binBoxes[to]!;
      let d = (boxes[at]! - v) | 0;
      binBoxes[to] = v + (d & (d >> 31));
      v = binBoxes[to + 1]!;
      d = (boxes[at + 1]! - v) | 0;
      binBoxes[to + 1] = v + (d & (d >> 31));
      v = binBoxes[to + 2]!;
      d = (boxes[at + 2]! - v) | 0;
      binBoxes[to + 2] = v + (d & (d >> 31));
      v = binBoxes[to + 3]!;
      d = (v - boxes[at + 3]!) | 0;
      binBoxes[to + 3] = v - (d & (d >> 31));
      v = binBoxes[to + 4]!;
      d = (v - boxes[at + 4]!) | 0;
      binBoxes[to + 4] = v - (d & (d >> 31));
      v = binBoxes[to + 5]!;
      d = (v - boxes[at + 5]!) | 0;
      binBoxes[to + 5] = v - (d & (d >> 31));
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

  /** Moves the items of the bins 0 … cut to the front, and tells where the others begin. */
  part(first: number, end: number, cut: number): number {
    const { boxes, order, axis, from, scale } = this;
    let middle = first;
    for (let i = first; i < end; i++) {
      const item = order[i]!;
      const at = item * 6 + axis;
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
    const { boxes, order } = this;
    let widest = 0;
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = first; i < end; i++) {
        const at = order[i]! * 6 + axis;
        const center = boxes[at]! + boxes[at + 3]!;
        if (center < low) low = center;
        if (center > high) high = center;
      }
      if (high - low > widest) {
        widest = high - low;
        this.axis = axis;
        this.from = low;
        this.scale = (bins * 0.99999) / widest;
      }
    }
    return widest > 0;
  }

  /** The box around items, into `box`. */
  enclose(first: number, end: number, box: Int32Array): void {
    const { boxes, order } = this;
    box.fill(NOTHING_MIN, 0, 3).fill(NOTHING_MAX, 3);
    for (let i = first; i < end; i++)
      for (let k = 0, at = order[i]! * 6; k < 3; k++, at++) {
        if (boxes[at]! < box[k]!) box[k] = boxes[at]!;
        if (boxes[at + 3]! > box[k + 3]!) box[k + 3] = boxes[at + 3]!;
      }
  }

  /** One range, parted in two, or kept whole as a leaf beside an empty one. Returns where the right part begins. */
  split(first: number, end: number, box: Int32Array, depth: number): number {
    const count = end - first;
    const middle = (first + end) >> 1;
    if (depth < BALANCED_DEPTH) {
      const bins = count < FEW ? FEW_BINS : BINS;
      const [x, y, z] = [box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!];
      this.axis = x >= y ? (x >= z ? 0 : 2) : y >= z ? 1 : 2;
      this.from = 2 * box[this.axis]!;
      this.scale = (bins * 0.49999) / (box[this.axis + 3]! - box[this.axis]!);
      this.fill(first, end, bins);
      let cut = this.cut(count, bins);
      if (cut < 0 && this.spread(first, end, bins)) {
        this.fill(first, end, bins);
        cut = this.cut(count, bins);
      }
      if (cut >= 0) return this.part(first, end, cut);
    }
    this.enclose(first, middle, this.left);
    this.enclose(middle, end, this.right);
    return middle;
  }
}

function pack(input: FineBoxes, { leafSize = 10, onProgress }: PackOptions = {}): PackedBuild {
  const { count } = input;
  const packer = new Packer(input);
  const { left, right, links } = packer;
  const stack = new Int32Array((MAX_DEPTH + 2) * FRAME);
  const box = new Int32Array(6);
  let top = 0;
  const push = (first: number, end: number, link: number, depth: number, around: Int32Array): void => {
    stack[top] = first;
    stack[top + 1] = end;
    stack[top + 2] = link;
    stack[top + 3] = depth;
    for (let k = 0; k < 6; k++) stack[top + 4 + k] = around[k]!;
    top += FRAME;
  };
  if (count <= leafSize) {
    // A root with one leaf, and nothing beside it: a box turned inside out, in a corner.
    packer.enclose(0, count, left);
    storeFineBox(left, 0, packer.bounds, 0);
    packer.bounds.fill(65535, 6, 9).fill(0, 9, 12);
    links[6] = leafLink(0, count);
    links[7] = leafLink(count, count);
    packer.nodeCount = 1;
  } else {
    packer.enclose(0, count, box);
    push(0, count, -1, 0, box);
  }
  let reported = 0;
  while (top > 0) {
    top -= FRAME;
    const first = stack[top]!;
    const end = stack[top + 1]!;
    const slot = stack[top + 2]!;
    const depth = stack[top + 3]!;
    for (let k = 0; k < 6; k++) box[k] = stack[top + 4 + k]!;
    if (onProgress && first - reported > 20_000) {
      reported = first;
      onProgress(first / count);
    }
    const middle = packer.split(first, end, box, depth);
    const node = packer.nodeCount++;
    if (slot >= 0) links[slot] = node * 16;
    packer.axes[node] = packer.axis;
    storeFineBox(left, 0, packer.bounds, node * 16);
    storeFineBox(right, 0, packer.bounds, node * 16 + 6);
    const link = node * 8 + 6;
    if (end - middle <= leafSize) links[link + 1] = leafLink(middle, end);
    else push(middle, end, link + 1, depth + 1, right);
    if (middle - first <= leafSize) links[link] = leafLink(first, middle);
    else push(first, middle, link, depth + 1, left);
  }
  const { nodeCount } = packer;
  const bounds = packer.bounds.slice(0, nodeCount * 16);
  return {
    tree: {
      nodeCount,
      bounds,
      links: new Int32Array(bounds.buffer),
      axes: packer.axes.slice(0, nodeCount),
      grid: packedGrid(input),
    },
    order: packer.order,
  };
}

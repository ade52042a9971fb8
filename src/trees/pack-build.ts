/**
 * Builds packed trees over triangles: top-down, by the surface area heuristic over bins, in integers. RTCD §6.2.1.
 *
 * Coordinates become whole numbers on a grid with 2^21 steps an axis. Many triangles are sorted into cells first, which
 * stand for them in the upper levels; the triangles of a few cells are then brought together in memory that stays in the
 * cache. That saves a third of the time for a million, and costs 1 % of surface.
 */
import { refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import { clearBox, ITEM, mergeBox, Splitter, sortIntoCells } from './pack-split.ts';
import {
  boxAt,
  isLeaf,
  leafEnd,
  leafFirst,
  leafLink,
  linkAt,
  MAX_DEPTH,
  MAX_LEAF,
  nodeAt,
  nodeNumber,
  type PackedTree,
} from './packed-tree.ts';
import type { Topology } from './tree.ts';

/** A packed tree, and for each slot of its leaves the number of the item there. */
export interface PackedBuild {
  readonly tree: PackedTree;
  readonly order: Uint32Array;
}

export interface PackOptions {
  /** The most items in a leaf. Default: 10. */
  readonly leafSize?: number;
  /** Called now and then with the part of the items that have found their leaf, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** Fine steps an axis; `FINE` of them make one step of the 16-bit grid. */
const STEPS = 2_097_000;
const FINE_BITS = 5;
const FINE = 1 << FINE_BITS;
/** Where the smallest coordinate stands: below it there is slack for rounding. */
const ORIGIN = 64;
/** About so many triangles share a cell, of those that stand for them in the upper levels. */
const PER_CELL = 8;
/** Ranges of so many cells are opened: from there on their triangles are looked at one by one. */
const OPEN = 128;
/** Fewer triangles than this have no upper levels. */
const SMALL = 4096;
/** Beyond this depth items are halved by number, so that `MAX_DEPTH` is never reached: 2^27 items fit below. */
const BALANCED_DEPTH = MAX_DEPTH - 30;

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

/**
 * Least x, y, z and greatest x, y, z of coordinates x, y, z, x, y, z, …
 *
 * @internal
 */
export function extentOf(values: ArrayLike<number>): [number, number, number, number, number, number] {
  let x0 = Infinity;
  let y0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  let z1 = -Infinity;
  for (let i = 0; i < values.length; i += 3) {
    const x = values[i]!;
    const y = values[i + 1]!;
    const z = values[i + 2]!;
    if (x < x0) x0 = x;
    if (y < y0) y0 = y;
    if (z < z0) z0 = z;
    if (x > x1) x1 = x;
    if (y > y1) y1 = y;
    if (z > z1) z1 = z;
  }
  return [x0, y0, z0, x1, y1, z1];
}

/** Origin and step of the grid over coordinates x, y, z, x, y, z, … */
function makeGrid(values: ArrayLike<number>): Pick<FineBoxes, 'origin' | 'step'> {
  const [x0, y0, z0, x1, y1, z1] = extentOf(values);
  return { origin: [x0, y0, z0], step: [stepOf(x0, x1), stepOf(y0, y1), stepOf(z0, z1)] };
}

/** A step is at least a few units in the last place: coordinates of the grid must differ far away too. */
function stepOf(low: number, high: number): number {
  const rounding = 4 * EPS64 * Math.max(Math.abs(low), Math.abs(high));
  return Math.max((high - low) / STEPS, rounding, 1e-290);
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
export function storeFineBox(box: Int32Array, at: number, bounds: Uint16Array, offset: number): void {
  for (let k = 0; k < 3; k++) {
    bounds[offset + k] = (box[at + k]! - 1) >> FINE_BITS;
    bounds[offset + 3 + k] = (box[at + k + 3]! + FINE) >> FINE_BITS;
  }
}

/** Numbers on the stack for one range: first, end, where its link goes, its depth, how many items, its box. */
const FRAME = 11;

/** Ranges that wait: the left one of two is done first, so that one waits a level. */
class Ranges {
  private readonly stack = new Int32Array((MAX_DEPTH + 2) * FRAME);
  private top = 0;
  first = 0;
  end = 0;
  slot = 0;
  depth = 0;
  count = 0;
  readonly box = new Int32Array(6);

  push(first: number, end: number, slot: number, depth: number, count: number, box: Int32Array): void {
    const { stack, top } = this;
    stack[top] = first;
    stack[top + 1] = end;
    stack[top + 2] = slot;
    stack[top + 3] = depth;
    stack[top + 4] = count;
    for (let k = 0; k < 6; k++) stack[top + 5 + k] = box[k]!;
    this.top = top + FRAME;
  }

  pop(): boolean {
    if (this.top === 0) return false;
    this.top -= FRAME;
    const { stack, top, box } = this;
    this.first = stack[top]!;
    this.end = stack[top + 1]!;
    this.slot = stack[top + 2]!;
    this.depth = stack[top + 3]!;
    this.count = stack[top + 4]!;
    for (let k = 0; k < 6; k++) box[k] = stack[top + 5 + k]!;
    return true;
  }
}

/** One tree while it is built. Nodes and slots of items are numbered in depth-first order. */
class Packer {
  readonly order: Uint32Array;
  readonly bounds: Uint16Array;
  readonly links: Int32Array;
  nodeCount = 0;
  itemCount = 0;
  private readonly ranges = new Ranges();
  private readonly items: Splitter;

  private readonly input: FineBoxes;
  private readonly leafSize: number;
  private readonly onProgress: ((done: number) => void) | undefined;

  constructor(input: FineBoxes, { leafSize = 10, onProgress }: PackOptions) {
    this.input = input;
    this.leafSize = leafSize;
    this.onProgress = onProgress;
    const { count, step } = input;
    this.order = new Uint32Array(count);
    const most = Math.max(1, count - 1);
    const buffer = new ArrayBuffer(most * 32);
    this.bounds = new Uint16Array(buffer);
    this.links = new Int32Array(buffer);
    this.items = new Splitter(Math.min(count, SMALL), step);
  }

  build(): void {
    const { input, items } = this;
    const { count, boxes } = input;
    if (count > SMALL) {
      this.buildUpper();
      return;
    }
    for (let i = 0; i < count; i++) putItem(items, i, boxes, i);
    items.enclose(0, count, items.left);
    if (count > this.leafSize) {
      this.buildLower(count, -1, 0, items.left);
      return;
    }
    // A root with one leaf, and nothing beside it: a box turned inside out, in a corner.
    storeFineBox(items.left, 0, this.bounds, 0);
    this.bounds.fill(65535, 6, 9).fill(0, 9, 12);
    this.links[linkAt(0, 0)] = leafLink(0, count);
    this.links[linkAt(0, 1)] = leafLink(count, count);
    for (let i = 0; i < count; i++) this.order[i] = i;
    this.nodeCount = 1;
  }

  /** The levels above `OPEN` cells. */
  private buildUpper(): void {
    const { count, boxes, step } = this.input;
    const cells = sortIntoCells(count, boxes, step, PER_CELL);
    const splitter = new Splitter(0, step);
    splitter.items = cells.records;
    splitter.order = new Int32Array(cells.count);
    for (let i = 0; i < cells.count; i++) splitter.order[i] = i;
    const ranges = new Ranges();
    splitter.enclose(0, cells.count, splitter.left);
    ranges.push(0, cells.count, -1, 0, count, splitter.left);
    let reported = 0;
    while (ranges.pop()) {
      const { first, end, slot, depth, count: range } = ranges;
      const isUpper = end - first > OPEN && depth < BALANCED_DEPTH;
      const middle = isUpper ? splitter.split(first, end, ranges.box, range) : -1;
      if (middle < 0) {
        this.open(splitter, first, end, range, cells.sorted);
        this.buildLower(range, slot, depth, ranges.box);
        if (this.onProgress && this.itemCount - reported > 20_000) {
          reported = this.itemCount;
          this.onProgress(reported / count);
        }
        continue;
      }
      const { left, right, leftCount } = splitter;
      const link = this.addNode(slot, splitter);
      ranges.push(middle, end, link + 1, depth + 1, range - leftCount, right);
      ranges.push(first, middle, link, depth + 1, leftCount, left);
    }
  }

  /** Puts the items of a range of cells side by side. */
  private open(cells: Splitter, first: number, end: number, count: number, sorted: Uint32Array): void {
    const { items } = this;
    const { boxes } = this.input;
    if (items.order.length < count) {
      items.items = new Int32Array(2 * count * ITEM);
      items.order = new Int32Array(2 * count);
    }
    let to = 0;
    for (let i = first; i < end; i++) {
      const cell = cells.order[i]! * ITEM;
      const start = cells.items[cell + 7]!;
      const stop = start + cells.items[cell + 6]!;
      for (let k = start; k < stop; k++) putItem(items, to++, boxes, sorted[2 * k + 1]!);
    }
  }

  /** The tree over all the items that are in `items`. */
  private buildLower(count: number, slot: number, depth: number, box: Int32Array): void {
    const { items, ranges, leafSize, links, order, itemCount } = this;
    if (count <= leafSize) {
      links[slot] = leafLink(itemCount, itemCount + count);
    } else {
      ranges.push(0, count, slot, depth, count, box);
    }
    while (ranges.pop()) {
      const { first, end, depth } = ranges;
      let middle = depth < BALANCED_DEPTH ? items.split(first, end, ranges.box, end - first) : -1;
      if (middle < 0) middle = items.halve(first, end);
      const link = this.addNode(ranges.slot, items);
      if (end - middle <= leafSize) links[link + 1] = leafLink(itemCount + middle, itemCount + end);
      else ranges.push(middle, end, link + 1, depth + 1, end - middle, items.right);
      if (middle - first <= leafSize) links[link] = leafLink(itemCount + first, itemCount + middle);
      else ranges.push(first, middle, link, depth + 1, middle - first, items.left);
    }
    for (let i = 0; i < count; i++) order[itemCount + i] = items.items[items.order[i]! * ITEM + 7]!;
    this.itemCount += count;
  }

  /** The next node, with the boxes of a split, linked to from `slot`. Returns where its own links go. */
  private addNode(slot: number, { left, right }: Splitter): number {
    const { links, bounds } = this;
    const node = nodeAt(this.nodeCount++);
    if (slot >= 0) links[slot] = node;
    storeFineBox(left, 0, bounds, boxAt(node, 0));
    storeFineBox(right, 0, bounds, boxAt(node, 1));
    return linkAt(node, 0);
  }
}

function putItem({ items, order }: Splitter, offset: number, boxes: Int32Array, item: number): void {
  const to = offset * ITEM;
  const from = item * 6;
  items[to] = boxes[from]!;
  items[to + 1] = boxes[from + 1]!;
  items[to + 2] = boxes[from + 2]!;
  items[to + 3] = boxes[from + 3]!;
  items[to + 4] = boxes[from + 4]!;
  items[to + 5] = boxes[from + 5]!;
  items[to + 6] = 1;
  items[to + 7] = item;
  order[offset] = offset;
}

function pack(input: FineBoxes, options: PackOptions = {}): PackedBuild {
  const packer = new Packer(input, options);
  packer.build();
  const { nodeCount } = packer;
  const bounds = packer.bounds.slice(0, nodeCount * 16);
  return {
    tree: {
      nodeCount,
      bounds,
      links: new Int32Array(bounds.buffer),
      grid: packedGrid(input),
    },
    order: packer.order,
  };
}

/** Packed trees of a shape that is given: out of any other tree, or from before its triangles moved. RTCD §6.5.1. */

/**
 * The packed form of a tree over triangles. Refuses one that is not binary, has leaves of more than 15 triangles, is
 * deeper than 96 levels, or is not over just these triangles.
 *
 * @internal
 */
export function packTopology(
  caller: string,
  positions: Float32Array | Float64Array,
  index: Uint32Array,
  { skip, first, items }: Topology,
): PackedTree {
  const problem = (reason: string): never => refuse(caller, 'options.tree', reason);
  const count = index.length / 3;
  const seen = new Uint8Array(count);
  for (const item of items) if (item < count) seen[item] = 1;
  if (items.length !== count || seen.includes(0)) problem(`must hold each of the ${count} triangles once`);
  const nodeOffsets = new Int32Array(skip.length).fill(-1);
  const depths = new Uint8Array(skip.length);
  let nodeCount = 0;
  for (let node = 0; node < skip.length; node++) {
    if (skip[node] === node + 1) {
      if (first[node + 1]! - first[node]! > MAX_LEAF)
        problem(`must have leaves of at most ${MAX_LEAF} triangles: build it with that leafSize`);
      continue;
    }
    nodeOffsets[node] = nodeAt(nodeCount++);
    const left = node + 1;
    const right = skip[left]!;
    if (right >= skip[node]! || skip[right] !== skip[node]) problem('must be binary: of degree 2');
    if (depths[node]! + 2 > MAX_DEPTH) problem(`must not be deeper than ${MAX_DEPTH} levels`);
    depths[left] = depths[right] = depths[node]! + 1;
  }
  const link = (node: number): number =>
    nodeOffsets[node]! >= 0 ? nodeOffsets[node]! : leafLink(first[node]!, first[node + 1]!);
  const bounds = new Uint16Array(16 * Math.max(1, nodeCount));
  const links = new Int32Array(bounds.buffer);
  if (nodeCount === 0) {
    links[linkAt(0, 0)] = leafLink(0, count);
    links[linkAt(0, 1)] = leafLink(count, count);
    nodeCount = 1;
  } else
    for (let node = 0; node < skip.length; node++) {
      const at = nodeOffsets[node]!;
      if (at < 0) continue;
      links[linkAt(at, 0)] = link(node + 1);
      links[linkAt(at, 1)] = link(skip[node + 1]!);
    }
  const tree = { nodeCount, bounds, links, grid: new Float64Array(6) };
  fitPacked(tree, items, fineTriangles(positions, index));
  return tree;
}

/**
 * Gives a packed tree new boxes, from the leaves up. `order` has the item of each slot. O(n).
 *
 * @internal
 */
export function fitPacked(tree: PackedTree, order: Uint32Array, fine: FineBoxes): void {
  const { nodeCount, bounds, links, grid } = tree;
  grid.set(packedGrid(fine));
  // The boxes of both children of every node; nodes come after their parents.
  const boxes = new Int32Array(12 * nodeCount);
  for (let node = nodeCount - 1; node >= 0; node--) {
    const at = 12 * node;
    for (let side = 0; side < 2; side++) {
      const to = at + 6 * side;
      const link = links[linkAt(nodeAt(node), side)]!;
      clearBox(boxes, to);
      if (isLeaf(link))
        for (let i = leafFirst(link); i < leafEnd(link); i++) mergeBox(boxes, to, fine.boxes, 6 * order[i]!);
      else {
        mergeBox(boxes, to, boxes, 12 * nodeNumber(link));
        mergeBox(boxes, to, boxes, 12 * nodeNumber(link) + 6);
      }
    }
    for (let side = 0; side < 2; side++) {
      const offset = boxAt(nodeAt(node), side);
      if (boxes[at + 6 * side + 3]! >= 0) storeFineBox(boxes, at + 6 * side, bounds, offset);
      else bounds.fill(65535, offset, offset + 3).fill(0, offset + 3, offset + 6);
    }
  }
}

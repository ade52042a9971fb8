/**
 * Builds packed trees over triangles: top-down, by the surface area heuristic over bins, in integers. RTCD §6.2.1.
 *
 * Coordinates become whole numbers on a grid with 2^21 steps an axis. Many triangles are sorted into cells first, which
 * stand for them in the upper levels; the triangles of a few cells are then brought together in memory that stays in the
 * cache. That saves a third of the time for a million, and costs 1 % of surface.
 */
import { refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import { boxAround, clearBox, ITEM, mergeBox, Splitter, sortIntoCells } from './pack-split.ts';
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
export const PER_CELL = 8;
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

export type FineGrid = Pick<FineBoxes, 'origin' | 'step'>;

/** Origin and step of the grid over coordinates that reach so far. @internal */
export function gridOver([x0, y0, z0, x1, y1, z1]: ReturnType<typeof extentOf>): FineGrid {
  return { origin: [x0, y0, z0], step: [stepOf(x0, x1), stepOf(y0, y1), stepOf(z0, z1)] };
}

/** A step is at least a few units in the last place: coordinates of the grid must differ far away too. */
function stepOf(low: number, high: number): number {
  const rounding = 4 * EPS64 * Math.max(Math.abs(low), Math.abs(high));
  return Math.max((high - low) / STEPS, rounding, 1e-290);
}

/** The fine coordinates of vertices from … to - 1. @internal */
export function fillFine(
  fine: Int32Array,
  values: ArrayLike<number>,
  { origin, step }: FineGrid,
  from: number,
  to: number,
): void {
  const [x, y, z] = origin;
  const sx = 1 / step[0];
  const sy = 1 / step[1];
  const sz = 1 / step[2];
  for (let i = 3 * from; i < 3 * to; i += 3) {
    fine[i] = (values[i]! - x) * sx + ORIGIN;
    fine[i + 1] = (values[i + 1]! - y) * sy + ORIGIN;
    fine[i + 2] = (values[i + 2]! - z) * sz + ORIGIN;
  }
}

/** The boxes of triangles from … to - 1, of vertices with fine coordinates. @internal */
export function fillBoxes(
  boxes: Int32Array,
  fine: Int32Array,
  index: Uint32Array,
  from: number,
  to: number,
): void {
  for (let i = 3 * from, at = 6 * from; i < 3 * to; i += 3, at += 6) {
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
}

/** @internal */
export function fineTriangles(positions: Float32Array | Float64Array, index: Uint32Array): FineBoxes {
  const grid = gridOver(extentOf(positions));
  const fine = new Int32Array(positions.length);
  fillFine(fine, positions, grid, 0, positions.length / 3);
  const count = index.length / 3;
  const boxes = new Int32Array(count * 6);
  fillBoxes(boxes, fine, index, 0, count);
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

/** Cells that stand for the items of a tree in its upper levels, in an order that splits change. */
export interface CellItems {
  /** As `Cells` has them. */
  readonly records: Int32Array;
  readonly sorted: Uint32Array;
  readonly order: Int32Array;
}

/** A range of cells: what a part of a tree is over. */
export interface CellPart {
  readonly first: number;
  readonly end: number;
  readonly depth: number;
  /** How many items they stand for, and where these begin in the order of the leaves. */
  readonly count: number;
  readonly itemStart: number;
  readonly box: Int32Array;
}

/** A part of a tree that is left to others: where the link to it stands, and how many nodes come before it. */
export interface LeftOut extends CellPart {
  readonly slot: number;
  readonly before: number;
}

/** The nodes of a part, numbered in depth-first order from 0, and what it leaves out. */
export interface PackedPart {
  readonly nodeCount: number;
  readonly bounds: Uint16Array;
  readonly leftOut: readonly LeftOut[];
}

/** A part, and those that it has left out, in their order. */
export interface PartTree extends PackedPart {
  readonly children: readonly PartTree[];
}

/** A part in the whole tree: the number of its first node, and of those of the parts that it has left out. */
export interface PlacedPart extends PackedPart {
  readonly start: number;
  readonly starts: readonly number[];
  /** How many nodes are in those parts. */
  readonly others: number;
}

/** One tree, or a part of one, while it is built. Nodes and slots of items are numbered in depth-first order. */
class Packer {
  readonly order: Uint32Array;
  readonly bounds: Uint16Array;
  readonly links: Int32Array;
  nodeCount = 0;
  /** Slots of `order` that are filled. */
  itemCount = 0;
  /** Parts of more cells than `OPEN` and of no more items than `most` are left out. */
  readonly leftOut: LeftOut[] = [];
  private readonly most: number;
  private readonly ranges = new Ranges();
  private readonly items: Splitter;

  private readonly input: FineBoxes;
  private readonly leafSize: number;
  private readonly onProgress: ((done: number) => void) | undefined;

  /** @param bounds room for the nodes: there are fewer than items */
  constructor(
    input: FineBoxes,
    { leafSize = 10, onProgress }: PackOptions,
    order: Uint32Array,
    bounds: Uint16Array,
    most = 0,
  ) {
    this.input = input;
    this.leafSize = leafSize;
    this.onProgress = onProgress;
    this.order = order;
    this.most = most;
    this.bounds = bounds;
    this.links = new Int32Array(bounds.buffer, bounds.byteOffset, bounds.length / 2);
    this.items = new Splitter(Math.min(input.count, SMALL), input.step);
  }

  build(): void {
    const { input, items } = this;
    const { count, boxes, step } = input;
    if (count > SMALL) {
      const { records, sorted, count: cells } = sortIntoCells(count, boxes, step, PER_CELL);
      this.buildUpper(
        { records, sorted, order: countingFrom0(new Int32Array(cells)) },
        allCells(cells, count, boxAround(records, ITEM)),
      );
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

  /** The tree over a range of cells, that are split until there are `OPEN` of them. */
  buildUpper({ records, sorted, order }: CellItems, part: CellPart): void {
    const { leafSize, most } = this;
    const { count: all, step } = this.input;
    const splitter = new Splitter(0, step);
    splitter.items = records;
    splitter.order = order;
    const ranges = new Ranges();
    this.itemCount = part.itemStart;
    ranges.push(part.first, part.end, -1, part.depth, part.count, part.box);
    let reported = this.itemCount;
    while (ranges.pop()) {
      const { first, end, slot, depth, count: range } = ranges;
      if (range <= most && end - first > OPEN && range > leafSize) {
        const { itemCount: itemStart, nodeCount: before } = this;
        const box = ranges.box.slice();
        this.leftOut.push({ first, end, depth, count: range, itemStart, box, slot, before });
        this.itemCount += range;
        continue;
      }
      const isUpper = end - first > OPEN && depth < BALANCED_DEPTH;
      const middle = isUpper ? splitter.split(first, end, ranges.box, range) : -1;
      if (middle < 0) {
        this.open(splitter, first, end, range, sorted);
        this.buildLower(range, slot, depth, ranges.box);
        if (this.onProgress && this.itemCount - reported > 20_000) {
          reported = this.itemCount;
          this.onProgress(reported / all);
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

const countingFrom0 = (list: Int32Array): Int32Array => {
  for (let i = 0; i < list.length; i++) list[i] = i;
  return list;
};

/** All cells, and the box around them. @internal */
export const allCells = (cells: number, count: number, box: Int32Array): CellPart => ({
  ...{ first: 0, end: cells, depth: 0, count, itemStart: 0, box },
});

function pack(input: FineBoxes, options: PackOptions = {}): PackedBuild {
  const order = new Uint32Array(input.count);
  const room = new Uint16Array(Math.max(1, input.count - 1) * 16);
  const packer = new Packer(input, options, order, room);
  packer.build();
  const { nodeCount } = packer;
  const bounds = room.slice(0, nodeCount * 16);
  return {
    tree: {
      nodeCount,
      bounds,
      links: new Int32Array(bounds.buffer),
      grid: packedGrid(input),
    },
    order,
  };
}

/**
 * The tree over a range of cells, down to parts of at most `most` items, which are left to others. Its own items go to their
 * place in `order`. `room` is room for as many nodes as there are items; what has left nothing out stays there.
 *
 * @internal
 */
export function packPart(
  { input, cells, options, order }: CellTree,
  part: CellPart,
  most: number,
  room: Uint16Array,
): PackedPart {
  const packer = new Packer(input, options, order, room, most);
  packer.buildUpper(cells, part);
  const { nodeCount, leftOut } = packer;
  const length = nodeCount * 16;
  return {
    nodeCount,
    bounds: leftOut.length > 0 ? room.slice(0, length) : room.subarray(0, length),
    leftOut,
  };
}

/** A tree over cells that is built in parts. */
export interface CellTree {
  readonly input: FineBoxes;
  readonly cells: CellItems;
  readonly options: PackOptions;
  /** Gets the items in the order of the leaves. */
  readonly order: Uint32Array;
}

/**
 * Numbers the nodes of a part and of those below it in depth-first order, and adds each to `placed`. Returns how many nodes
 * they have.
 *
 * @internal
 */
export function placeParts(part: PartTree, start: number, placed: PlacedPart[]): number {
  const { nodeCount, bounds, leftOut, children } = part;
  const starts: number[] = [];
  let others = 0;
  children.forEach((child, i) => {
    const at = start + leftOut[i]!.before + others;
    starts.push(at);
    others += placeParts(child, at, placed);
  });
  placed.push({ nodeCount, bounds, leftOut, start, starts, others });
  return nodeCount + others;
}

/** Writes the nodes of a part to their place in a tree, with links to the parts that it has left out. @internal */
export function writePart(part: PlacedPart, tree: Uint16Array): void {
  const { nodeCount, bounds, leftOut, start, starts, others } = part;
  const links = new Int32Array(tree.buffer, tree.byteOffset, tree.length / 2);
  /** How far the nodes before the i-th part that is left out, and after the one before it, are moved. */
  const shiftOf = (i: number): number =>
    i < leftOut.length ? starts[i]! - leftOut[i]!.before : start + others;
  /** The first of the parts left out that comes after a node. */
  const after = (node: number): number => {
    let low = 0;
    for (let high = leftOut.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (leftOut[middle]!.before <= node) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  for (let i = 0, from = 0; i <= leftOut.length; i++) {
    const to = leftOut[i]?.before ?? nodeCount;
    const shift = shiftOf(i);
    tree.set(bounds.subarray(nodeAt(from), nodeAt(to)), nodeAt(from + shift));
    for (let node = from; node < to; node++)
      for (let side = 0; side < 2; side++) {
        const at = linkAt(nodeAt(node + shift), side);
        const link = links[at]!;
        if (!isLeaf(link))
          links[at]! += nodeAt(leftOut.length === 0 ? shift : shiftOf(after(nodeNumber(link))));
      }
    from = to;
  }
  leftOut.forEach(({ slot }, i) => {
    const node = nodeNumber(2 * slot);
    const side = slot - linkAt(nodeAt(node), 0);
    links[linkAt(nodeAt(node + shiftOf(after(node))), side)] = nodeAt(starts[i]!);
  });
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

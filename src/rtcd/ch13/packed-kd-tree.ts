/**
 * A k-d tree of points in four bytes a node: four levels, fifteen nodes, to each 64 bytes. RTCD §13.4.1.
 *
 * A word whose low two bits are 0, 1 or 2 is a split across x, y or z, at the number that the whole word is in single
 * precision, those two bits included. A word whose low two bits are 3 is a leaf, and the rest is its number.
 *
 * For static points, in four bytes a node. Production searches points in `mesh/point-tree.ts`.
 */
import { checkAabb, describe, mustBeNumber, mustHave, refuse } from '../../math/check.ts';
import { nextUp, roundUpF32 } from '../../math/float.ts';
import type { ReadonlyAabb } from '../../primitives/types.ts';
import { halve } from '../../trees/select.ts';
import { type PointSet, readPoints } from '../../volumes/point-set.ts';
import { pending } from './layout.ts';

export interface PackedKdTree {
  /**
   * Sixteen words a block. Words 0 to 14 are the nodes, the children of n at 2n + 1 and 2n + 2; those of the last
   * eight are each the first word of a block of their own. Word 15: its low eight bits tell which of those eight have
   * children, the others where the blocks of the children begin, two for each that has.
   */
  readonly words: Uint32Array<ArrayBuffer>;
  /** Splits are relative to this point, so that they lose nothing far from the origin. */
  readonly origin: Float64Array;
  /** The points of leaf i are items[start[i]] … items[start[i + 1] - 1]. */
  readonly start: Uint32Array;
  /** The numbers of the points, in the order of the leaves. */
  readonly items: Uint32Array;
  /** The coordinates of the points, in the same order. */
  readonly positions: Float64Array;
}

/** A node before it is packed: a split has two children, a leaf is a stretch of the points. */
interface KdNode {
  readonly word: number;
  readonly low?: KdNode;
  readonly high?: KdNode;
}

const LEAF = 3;
const MAX_BLOCKS = 0x1000000;

/**
 * Builds the tree. Points are halved across the longest side of their box until at most `leafSize` are left, or until
 * no split tells them apart: splits have 21 bits. A point at the split is on the high side. O(n log n).
 */
export function packKdTree(points: PointSet, leafSize = 8): PackedKdTree {
  mustBeNumber('packKdTree', 'leafSize', leafSize);
  const coordinates = readPoints('packKdTree', points);
  if (!(Number.isInteger(leafSize) && leafSize >= 1))
    refuse('packKdTree', 'leafSize', `must be a whole number from 1 on, got ${describe(leafSize)}`);
  const { root, origin, start, items } = splitPoints(coordinates, leafSize);
  const positions = new Float64Array(coordinates.length);
  for (let i = 0; i < items.length; i++)
    for (let k = 0; k < 3; k++) positions[3 * i + k] = coordinates[3 * items[i]! + k]!;
  return { words: packBlocks(root), origin, start, items, positions };
}

/**
 * The tree with links of its own, and the leaves that it leads to.
 *
 * @internal
 */
export function splitPoints(
  coordinates: Float64Array,
  leafSize: number,
): { root: KdNode; origin: Float64Array; start: Uint32Array; items: Uint32Array } {
  const count = coordinates.length / 3;
  const origin = middle(coordinates);
  const local = [0, 1, 2].map((axis) =>
    Float64Array.from({ length: count }, (_, i) => coordinates[3 * i + axis]! - origin[axis]!),
  );
  const items = Uint32Array.from({ length: count }, (_, i) => i);
  const start: number[] = [];
  // Stretches still to be split, the lower one on top: leaves are met in order. `attach` hangs the node into its parent.
  type Job = { from: number; to: number; attach: (node: KdNode) => void };
  let root: KdNode = { word: LEAF };
  const jobs: Job[] = [
    {
      from: 0,
      to: count,
      attach: (node) => {
        root = node;
      },
    },
  ];
  while (jobs.length > 0) {
    const { from, to, attach } = jobs.pop()!;
    const split = to - from > leafSize ? chooseSplit(local, items, from, to) : null;
    if (split === null) {
      attach({ word: ((start.length << 2) | LEAF) >>> 0 });
      start.push(from);
      continue;
    }
    const node: { word: number; low?: KdNode; high?: KdNode } = { word: split };
    attach(node);
    const cut = partition(local, items, from, to, split);
    jobs.push({
      from: cut,
      to,
      attach: (child) => {
        node.high = child;
      },
    });
    jobs.push({
      from,
      to: cut,
      attach: (child) => {
        node.low = child;
      },
    });
  }
  start.push(count);
  return { root, origin, start: Uint32Array.from(start), items };
}

/** The middle of the box around the points. Refuses points too far apart for single precision. */
function middle(coordinates: Float64Array): Float64Array {
  const origin = new Float64Array(3);
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis; i < coordinates.length; i += 3) {
      low = Math.min(low, coordinates[i]!);
      high = Math.max(high, coordinates[i]!);
    }
    if (!(high - low < 1e38)) refuse('packKdTree', 'points', 'must not be more than 1e38 apart');
    origin[axis] = 0.5 * low + 0.5 * high;
  }
  return origin;
}

const bits = new Uint32Array(1);
const asFloat = new Float32Array(bits.buffer);

const floatOf = (word: number): number => {
  bits[0] = word;
  return asFloat[0]!;
};

/** The word of the least split across that axis that is not below x. */
function splitAtOrAbove(x: number, axis: number): number {
  asFloat[0] = roundUpF32(x);
  const word = bits[0]!;
  if (word >>> 31 === 0) return word + ((axis - word) & 3);
  // Below zero a smaller word is a larger number; from the last of them it goes on above zero.
  const size = word & 0x7fffffff;
  const less = size - ((size - axis) & 3);
  return less < 0 ? axis : (less | 0x80000000) >>> 0;
}

/** The word of the greatest split across that axis that is not above x. */
const splitAtOrBelow = (x: number, axis: number): number => (splitAtOrAbove(-x, axis) ^ 0x80000000) >>> 0;

/** The word of a split that leaves points on both sides, next to the median; null if there is none. */
function chooseSplit(
  local: readonly Float64Array[],
  items: Uint32Array,
  from: number,
  to: number,
): number | null {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = from; i < to; i++)
    for (let axis = 0; axis < 3; axis++) {
      const x = local[axis]![items[i]!]!;
      low[axis] = Math.min(low[axis]!, x);
      high[axis] = Math.max(high[axis]!, x);
    }
  const axes = [0, 1, 2].sort((a, b) => high[b]! - low[b]! - (high[a]! - low[a]!));
  for (const axis of axes) {
    if (!(high[axis]! > low[axis]!)) break;
    const median = local[axis]![items[halve(items, local[axis]!, from, to)]!]!;
    // Of all splits that leave the median on the high side this leaves the most below it, and if that is none, of those
    // that leave it on the low side the next leaves the most above: if that is none too, none tells the points apart.
    const below = splitAtOrBelow(median, axis);
    if (floatOf(below) > low[axis]!) return below;
    const above = splitAtOrAbove(nextUp(median), axis);
    if (floatOf(above) <= high[axis]!) return above;
  }
  return null;
}

/** Points below the split first; where the others begin. */
function partition(
  local: readonly Float64Array[],
  items: Uint32Array,
  from: number,
  to: number,
  word: number,
): number {
  const along = local[word & 3]!;
  const split = floatOf(word);
  let cut = from;
  for (let i = from; i < to; i++) {
    const item = items[i]!;
    if (!(along[item]! < split)) continue;
    items[i] = items[cut]!;
    items[cut++] = item;
  }
  return cut;
}

/** Four levels to a block, blocks in breadth-first order. */
function packBlocks(root: KdNode): Uint32Array<ArrayBuffer> {
  const words: number[] = [];
  const roots = [root];
  for (let block = 0; block < roots.length; block++) {
    const nodes: (KdNode | undefined)[] = [roots[block]];
    let pairs = 0;
    const base = roots.length;
    for (let n = 0; n < 15; n++) {
      const node = nodes[n];
      words.push(node ? node.word : LEAF);
      if (n < 7) nodes.push(node?.low, node?.high);
      else if (node?.low && node.high) {
        pairs |= 1 << (n - 7);
        roots.push(node.low, node.high);
      }
    }
    if (roots.length > MAX_BLOCKS) refuse('packKdTree', 'points', 'are too many for links of 24 bits');
    words.push(((base << 8) | pairs) >>> 0);
  }
  return Uint32Array.from(words);
}

/** The bits set in a byte. */
function bitCount(byte: number): number {
  const twos = byte - ((byte >> 1) & 0x55);
  const fours = (twos & 0x33) + ((twos >> 2) & 0x33);
  return (fours + (fours >> 4)) & 0x0f;
}

/**
 * The points in the box; those on its sides count. `out` is overwritten. Every four levels on the way down cost one cache
 * line, if the words begin at one.
 */
export function searchKdTree(tree: PackedKdTree, box: ReadonlyAabb, out: number[] = []): number[] {
  mustHave('searchKdTree', 'tree', tree, 'a packed kd tree', 'words');
  checkAabb('searchKdTree', 'box', box);
  const { x: ax, y: ay, z: az } = box.min;
  const { x: bx, y: by, z: bz } = box.max;
  const { words, origin, start, items, positions } = tree;
  // Rounded as the points were: what is not below the box before the subtraction is not below it after.
  const low = lowOfQuery;
  const high = highOfQuery;
  low[0] = ax - origin[0]!;
  low[1] = ay - origin[1]!;
  low[2] = az - origin[2]!;
  high[0] = bx - origin[0]!;
  high[1] = by - origin[1]!;
  high[2] = bz - origin[2]!;
  let count = 0;
  let top = 1;
  pending[0] = 0;
  while (top > 0) {
    const at = pending[--top]!;
    const word = words[at]!;
    const axis = word & 3;
    if (axis === LEAF) {
      const leaf = word >>> 2;
      for (let i = start[leaf]!; i < start[leaf + 1]!; i++) {
        const x = positions[3 * i]!;
        const y = positions[3 * i + 1]!;
        const z = positions[3 * i + 2]!;
        if (x >= ax && x <= bx && y >= ay && y <= by && z >= az && z <= bz) out[count++] = items[i]!;
      }
      continue;
    }
    bits[0] = word;
    const split = asFloat[0]!;
    const child = childrenOf(words, at);
    const step = (at & 15) < 7 ? 1 : 16;
    if (high[axis]! >= split) pending[top++] = child + step;
    if (low[axis]! < split) pending[top++] = child;
  }
  out.length = count;
  return out;
}

const lowOfQuery = new Float64Array(3);
const highOfQuery = new Float64Array(3);

/** Where the first child of the node at that word is; the second is the next word, or the next block. */
function childrenOf(words: Uint32Array, at: number): number {
  const n = at & 15;
  if (n < 7) return at + n + 1;
  const link = words[at | 15]!;
  return 16 * ((link >>> 8) + 2 * bitCount(link & ((1 << (n - 7)) - 1)));
}

/**
 * Hierarchies of boxes that do not overlap: a box is cut in two by a plane, and an item that the plane cuts goes into both.
 * RTCD §6.4.2; Zachmann 1995.
 *
 * For static scenes where a point should be in few boxes. Production keeps each item in one leaf and lets boxes
 * overlap: `trees/build.ts`.
 */
import { mustBeOptions, mustHave, mustNotBeNegative, refuse } from '../../math/check.ts';
import { roundDownF32, roundUpF32 } from '../../math/float.ts';
import type { Aabb } from '../../primitives/types.ts';
import { mustBeItems } from '../../trees/items.ts';
import type { Tree, TreeItems } from '../../trees/tree.ts';
import { aabbVolume } from '../../volumes/aabb-volume.ts';

/**
 * A tree for all the searches of trees, but for two things: an item may be in several leaves, so that a search tells of
 * it more than once (see `onlyOnce`), and a leaf's box holds only the part of an item that lies in it.
 */
export interface BoxTree extends Tree<Aabb> {
  /** How many more entries the leaves have than there are items. */
  readonly duplicates: number;
}

export interface BoxTreeOptions {
  /** A node of so many items or fewer is not cut. Default: 4. */
  readonly leafSize?: number | undefined;
  /** Empty space is cut off a box when it is more than this part of it. Default: 0.1. */
  readonly trim?: number | undefined;
  /** A cut that leaves one side with more than this part of the items is not made. Default: 0.9. */
  readonly maxShare?: number | undefined;
  /** The most duplicates, as a multiple of the count of items. Default: 2. */
  readonly maxDuplicates?: number | undefined;
  /** Boxes so many cuts below the whole are not cut. Default: 48. */
  readonly maxDepth?: number | undefined;
}

/** Places along each side of a box at which a cut is tried. */
const CANDIDATES = 15;

interface Cell {
  /** Min x, y, z, max x, y, z; numbers of single precision. */
  readonly box: readonly number[];
  readonly items: Uint32Array;
  readonly depth: number;
}

/** A cut across an axis: where, and how many items go to either side. */
interface Cut {
  axis: number;
  plane: number;
  low: number;
  high: number;
  cost: number;
}

/**
 * Builds top down. A box that is largely empty at one side is first trimmed there, to a node with one child; else it is
 * cut where few items are cut and the sides are even. A box that cannot be cut with profit (its items lie on top of one
 * another, say) is a leaf, however many it has. O(n log n) for items that are small against the whole.
 */
export function buildBoxTree(items: TreeItems, options: BoxTreeOptions = {}): BoxTree {
  mustHave('buildBoxTree', 'items', items, 'items of a tree', 'count');
  mustBeOptions('buildBoxTree', 'options', options, 'leafSize trim maxShare maxDuplicates maxDepth');
  const { leafSize = 4, trim = 0.1, maxShare = 0.9, maxDuplicates = 2, maxDepth = 48 } = options;
  const { count, bounds } = items;
  mustNotBeNegative(NAME, 'options.leafSize', leafSize);
  mustNotBeNegative(NAME, 'options.trim', trim);
  mustNotBeNegative(NAME, 'options.maxShare', maxShare);
  mustNotBeNegative(NAME, 'options.maxDuplicates', maxDuplicates);
  mustNotBeNegative(NAME, 'options.maxDepth', maxDepth);
  mustBeItems(NAME, items);

  let budget = Math.floor(maxDuplicates * count);
  const all = Uint32Array.from({ length: count }, (_, i) => i);
  const skip: number[] = [];
  const first: number[] = [];
  const boxes: number[] = [];
  const listed: number[] = [];
  // A cell is opened; a number closes the node of that number.
  const stack: (Cell | number)[] = [];
  const whole = roundedOut(extent(bounds, all, WHOLE));
  if (count > 0 && !whole.every(Number.isFinite))
    refuse(NAME, 'items.bounds', 'must be within the range of float32');
  if (count > 0) stack.push({ box: whole, items: all, depth: 0 });
  while (stack.length > 0) {
    const cell = stack.pop()!;
    if (typeof cell === 'number') {
      skip[cell] = skip.length;
      continue;
    }
    const { box, items: mine, depth } = cell;
    stack.push(skip.length);
    skip.push(0);
    first.push(listed.length);
    for (const x of box) boxes.push(x);
    const mayCut = mine.length > leafSize && depth < maxDepth;
    const trimmed = mayCut ? trimmedBox(box, extent(bounds, mine, box), trim) : null;
    if (trimmed) {
      stack.push({ box: trimmed, items: mine, depth: depth + 1 });
      continue;
    }
    const cut = mayCut ? bestCut(bounds, mine, box, maxShare * mine.length) : null;
    if (cut && cut.low + cut.high - mine.length <= budget) {
      budget -= cut.low + cut.high - mine.length;
      const { axis, plane } = cut;
      const high = mine.filter((i) => bounds[6 * i + 3 + axis]! > plane);
      const low = mine.filter((i) => isLow(bounds, i, axis, plane));
      stack.push({ box: withSide(box, axis, plane), items: high, depth: depth + 1 });
      stack.push({ box: withSide(box, 3 + axis, plane), items: low, depth: depth + 1 });
    } else for (const i of mine) listed.push(i);
  }
  first.push(listed.length);
  return {
    ops: aabbVolume,
    skip: Uint32Array.from(skip),
    first: Uint32Array.from(first),
    items: Uint32Array.from(listed),
    volumes: Float32Array.from(boxes),
    duplicates: listed.length - count,
  };
}

const NAME = 'buildBoxTree';
const WHOLE: readonly number[] = [-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity];

/** What lies in the plane belongs to the low side, and what only touches it from above to the high side. */
const isLow = (bounds: Float64Array, i: number, axis: number, plane: number): boolean =>
  bounds[6 * i + axis]! < plane || bounds[6 * i + 3 + axis]! <= plane;

/** The box around the parts of the items that lie in a box. */
function extent(bounds: Float64Array, items: Uint32Array, box: readonly number[]): number[] {
  const out = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const i of items)
    for (let k = 0; k < 3; k++) {
      out[k] = Math.min(out[k]!, Math.max(box[k]!, bounds[6 * i + k]!));
      out[k + 3] = Math.max(out[k + 3]!, Math.min(box[k + 3]!, bounds[6 * i + 3 + k]!));
    }
  return out;
}

const roundedOut = (box: readonly number[]): number[] =>
  box.map((x, k) => (k < 3 ? roundDownF32(x) : roundUpF32(x)));

function withSide(box: readonly number[], side: number, at: number): number[] {
  const out = [...box];
  out[side] = at;
  return out;
}

/** The box without its largest empty side, if that is more than `part` of its length; else null. */
function trimmedBox(box: readonly number[], used: readonly number[], part: number): number[] | null {
  const tight = roundedOut(used);
  let best = part;
  let side = -1;
  for (let k = 0; k < 6; k++) {
    const empty = Math.abs(box[k]! - tight[k]!) / (box[(k % 3) + 3]! - box[k % 3]!);
    if (!(empty > best)) continue;
    best = empty;
    side = k;
  }
  return side < 0 ? null : withSide(box, side, tight[side]!);
}

/**
 * The cut with the fewest entries and the most even sides, no side above `most`; null when there is none. Counts items by
 * the slice between candidates in which they begin and end, all candidates in one pass.
 */
function bestCut(bounds: Float64Array, items: Uint32Array, box: readonly number[], most: number): Cut | null {
  let best: Cut | null = null;
  for (let axis = 0; axis < 3; axis++) {
    const from = box[axis]!;
    const to = box[axis + 3]!;
    const planes: number[] = [];
    for (let k = 1; k <= CANDIDATES; k++) {
      const plane = Math.fround(from + ((to - from) * k) / (CANDIDATES + 1));
      if (plane > from && plane < to && plane !== planes.at(-1)) planes.push(plane);
    }
    const begins = new Uint32Array(planes.length + 1);
    const ends = new Uint32Array(planes.length + 1);
    for (const i of items) {
      const low = bounds[6 * i + axis]!;
      const high = bounds[6 * i + 3 + axis]!;
      let k = 0;
      while (k < planes.length && !(low < planes[k]! || high <= planes[k]!)) k++;
      begins[k]!++;
      while (k < planes.length && high > planes[k]!) k++;
      ends[k]!++;
    }
    let low = 0;
    let high = items.length;
    for (let k = 0; k < planes.length; k++) {
      low += begins[k]!;
      high -= ends[k]!;
      const cost = low + high + Math.abs(low - high);
      if (low > most || high > most || low === 0 || high === 0 || (best && best.cost <= cost)) continue;
      best = { axis, plane: planes[k]!, low, high, cost };
    }
  }
  return best;
}

/** A visitor that gets every item, or of every pair of items, only once: for trees that hold some more than once. */
export function onlyOnce(visit: (a: number, b: number) => unknown): (a: number, b?: number) => unknown {
  const seen = new Map<number, Set<number>>();
  return (a, b = 0) => {
    const partners = seen.get(a) ?? new Set();
    if (partners.has(b)) return false;
    seen.set(a, partners.add(b));
    return visit(a, b);
  };
}

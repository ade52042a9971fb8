/**
 * Trees from the order of the items along a curve that fills space: the fastest to build. The highest bit in which
 * two Morton codes differ says where to cut. Lauterbach et al. 2009; Karras 2012.
 */
import { makeAabb } from '../primitives/types.ts';
import { boundCenters, centersOf } from './centers.ts';
import type { TreeCounters } from './counters.ts';
import { identityOrder, topologyByCuts } from './ranges.ts';
import type { Topology, TreeItems } from './tree.ts';

export interface MortonOptions {
  /** The most items in a leaf. Default: 4. */
  readonly leafSize?: number;
  /** Adds up how many items were looked at. */
  readonly counters?: TreeCounters;
}

/** Twenty bits an axis, in two words of ten each. */
const CELLS = 1 << 20;

/**
 * The topology that `buildTree` makes with the method 'morton'. Linear but for the cuts; items in the same of 2^60
 * cells go by number. At most 60 levels and the logarithm of the most items in one cell deep.
 *
 * @internal
 */
export function mortonTopology(items: TreeItems, options: MortonOptions = {}): Topology {
  const { leafSize = 4, counters } = options;
  const { count } = items;
  const centers = centersOf(items);
  const all = identityOrder(count);
  const { min, max } = boundCenters(centers, all, 0, count, makeAabb());
  const low = [min.x, min.y, min.z];
  // The same step along all axes: cells are cubes, so that a cut goes across the longest side.
  const extent = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
  const coarse = new Uint32Array(count);
  const fine = new Uint32Array(count);
  for (let i = 0; i < count; i++)
    for (let axis = 0; axis < 3; axis++) {
      const part = extent > 0 ? (centers[3 * i + axis]! - low[axis]!) / extent : 0;
      const cell = Math.min(CELLS - 1, Math.floor(part * CELLS));
      coarse[i]! |= spread(cell >>> 10) << axis;
      fine[i]! |= spread(cell & 1023) << axis;
    }
  const order = sortByWord(sortByWord(all, fine), coarse);
  if (counters) counters.itemTests += 8 * count;
  return topologyByCuts(order, (begin, end) => {
    if (end - begin <= leafSize) return begin;
    const [from, to] = [order[begin]!, order[end - 1]!];
    const word = coarse[from] !== coarse[to] ? coarse : fine;
    const differing = word[from]! ^ word[to]!;
    if (differing === 0) return begin + ((end - begin) >>> 1);
    const bit = 0x80000000 >>> Math.clz32(differing);
    let low = begin;
    let high = end - 1;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (counters) counters.itemTests++;
      if (word[order[middle]!]! & bit) high = middle;
      else low = middle;
    }
    return high;
  });
}

/** Ten bits, with two zeros between each. @internal */
export function spread(x: number): number {
  let y = (x | (x << 16)) & 0x030000ff;
  y = (y | (y << 8)) & 0x0300f00f;
  y = (y | (y << 4)) & 0x030c30c3;
  return (y | (y << 2)) & 0x09249249;
}

/** The numbers in `order` by ascending words of 30 bits, in three passes of ten; equal ones stay as they were. @internal */
export function sortByWord(order: Uint32Array, words: Uint32Array): Uint32Array {
  let from = order.slice();
  let to = new Uint32Array(order.length);
  const starts = new Uint32Array(1025);
  for (let shift = 0; shift < 30; shift += 10) {
    starts.fill(0);
    for (let i = 0; i < from.length; i++) starts[((words[i]! >>> shift) & 1023) + 1]!++;
    for (let i = 0; i < 1024; i++) starts[i + 1]! += starts[i]!;
    for (let i = 0; i < from.length; i++) to[starts[(words[from[i]!]! >>> shift) & 1023]!++] = from[i]!;
    [from, to] = [to, from];
  }
  return from;
}

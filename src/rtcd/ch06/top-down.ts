/**
 * Trees from the top down: a set of items is cut in two, and each half again. RTCD §6.2.1.
 *
 * To compare the ways to split. Production: `trees/sah.ts` and, for meshes, `trees/pack-build.ts`.
 */
import { type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { centersOf } from '../../trees/centers.ts';
import type { TreeCounters } from '../../trees/counters.ts';
import { joinBox } from '../../trees/flat-boxes.ts';
import { halveDepth, identityOrder, topologyByCuts } from '../../trees/ranges.ts';
import { halve, isBefore } from '../../trees/select.ts';
import type { Topology, TreeItems } from '../../trees/tree.ts';
import {
  clearSide,
  growGroups,
  makeSide,
  projectCenters,
  type Range,
  type SplitAxis,
  type SplitObjective,
  type SplitPlace,
  scoreSplit,
  shareOf,
  splitAxes,
  type Threshold,
  thresholds,
} from './top-down-split.ts';

export interface TopDownOptions {
  /** The most items in a leaf. Default: 4. */
  readonly leafSize?: number;
  /** Leaves at this depth hold whatever is left. Nodes deeper than 8 + 2 log₂ n are cut in equal halves anyway. */
  readonly maxDepth?: number;
  /** Nodes whose box has at most this part of the volume of the whole become leaves. Default: 0. */
  readonly leafVolume?: number;
  /** Default: 'longest'. */
  readonly axis?: SplitAxis;
  /** Default: 'median'. */
  readonly split?: SplitPlace;
  /** What is the best of several cuts. Default: 'sum'. */
  readonly objective?: SplitObjective;
  /** How many places `split: 'samples'` tries. Default: 7. */
  readonly samples?: number;
  /** Turn the chosen axis a little at a time for as long as that makes the cut better? */
  readonly hillClimb?: boolean;
  /** Adds up how many items were looked at. */
  readonly counters?: TreeCounters;
}

/**
 * The topology that `buildTree` makes with the method 'top-down'. An item goes to the side that its center is on. A cut
 * that leaves one side empty, or one box about as large as the whole, is not made if another axis has a better one; if
 * none has, the items are halved as they stand. O(n log n) times the number of cuts tried for a node, but for 'gaps',
 * which sorts: O(n log² n).
 *
 * @internal
 */
export function topDownTopology(items: TreeItems, options: TopDownOptions = {}): Topology {
  const { leafSize = 4, maxDepth = Infinity, leafVolume = 0 } = options;
  const order = identityOrder(items.count);
  const range = { items, centers: centersOf(items), order, begin: 0, end: items.count, origin: vec3() };
  const cutter = new Cutter(range, options);
  const root = boundItems(range);
  const deep = halveDepth(items.count);
  return topologyByCuts(order, (begin, end, depth) => {
    if (end - begin <= leafSize || depth >= maxDepth) return begin;
    range.begin = begin;
    range.end = end;
    const whole = boundItems(range);
    v3.set(
      0.5 * whole[0]! + 0.5 * whole[3]!,
      0.5 * whole[1]! + 0.5 * whole[4]!,
      0.5 * whole[2]! + 0.5 * whole[5]!,
      range.origin,
    );
    if (leafVolume > 0 && shareOf(whole, root) <= leafVolume) return begin;
    return depth < deep ? cutter.cut(whole) : cutter.halve();
  });
}

function boundItems({ items, order, begin, end }: Range): Float64Array {
  const all = makeSide();
  for (let i = begin; i < end; i++) joinBox(all.box, 0, items.bounds, 6 * order[i]!);
  return all.box;
}

/** A box of more than this part of the whole has not been made smaller by the cut. */
const LIKE_THE_WHOLE = 0.999;

/** About twice what a climb takes as a rule. */
const CLIMB_ROUNDS = 16;

/** Families of which the first axis that works is taken; of the others, the best by the objective. */
const IN_ORDER: readonly SplitAxis[] = ['longest', 'obb', 'farthest', 'variance'];

/** A cut that was found. */
interface Found {
  readonly axis: ReadonlyVec3;
  readonly threshold: Threshold;
  readonly score: number;
  /** Is one side about as large as the whole? Better any that is not. */
  readonly large: boolean;
}

const better = (a: Found | null, b: Found | null): Found | null => {
  if (a === null || b === null) return a ?? b;
  if (a.large !== b.large) return a.large ? b : a;
  return b.score < a.score ? b : a;
};

/** Cuts one range at a time. */
class Cutter {
  readonly #range: Range;
  readonly #axis: SplitAxis;
  readonly #place: SplitPlace;
  readonly #objective: SplitObjective;
  readonly #samples: number;
  readonly #hillClimb: boolean;
  readonly #counters: TreeCounters | undefined;
  readonly #keys: Float64Array;
  readonly #left = makeSide();
  readonly #right = makeSide();
  #whole: Float64Array = new Float64Array(6);

  constructor(range: Range, options: TopDownOptions) {
    const { axis = 'longest', split = 'median', objective = 'sum', samples = 7, hillClimb = false } = options;
    this.#range = range;
    this.#axis = axis;
    this.#place = split;
    this.#objective = objective;
    this.#samples = samples;
    this.#hillClimb = hillClimb;
    this.#counters = options.counters;
    this.#keys = new Float64Array(range.items.count);
  }

  /** Where the second side begins; `whole` is the box around the items. */
  cut(whole: Float64Array): number {
    const range = this.#range;
    this.#whole = whole;
    if (this.#place === 'grow') {
      this.#count(4);
      growGroups(range, whole, this.#keys);
      return this.#part({ key: 0.5, item: 0 });
    }
    let best: Found | null = null;
    for (const axis of splitAxes(this.#axis, range)) {
      best = better(best, this.#bestAlong(axis));
      if (best !== null && !best.large && IN_ORDER.includes(this.#axis)) break;
    }
    if (best !== null && this.#hillClimb) best = this.#climb(best);
    if (best === null) return range.begin + ((range.end - range.begin) >>> 1);
    projectCenters(range, best.axis, this.#keys);
    return this.#part(best.threshold);
  }

  /** In equal halves along the longest axis. */
  halve(): number {
    const { order, begin, end } = this.#range;
    this.#count(4);
    projectCenters(this.#range, splitAxes('longest', this.#range)[0]!, this.#keys);
    return halve(order, this.#keys, begin, end);
  }

  #count(passes: number): void {
    if (this.#counters) this.#counters.itemTests += passes * (this.#range.end - this.#range.begin);
  }

  /** The best cut across an axis, or null when it leaves nothing on one side. */
  #bestAlong(axis: ReadonlyVec3): Found | null {
    const range = this.#range;
    const span = projectCenters(range, axis, this.#keys);
    this.#count(2);
    if (!(span.low < span.high)) return null;
    const place = this.#place;
    if (place === 'gaps') return this.#bestGap(axis);
    let best: Found | null = null;
    for (const threshold of thresholds(
      place as Exclude<SplitPlace, 'gaps' | 'grow'>,
      range,
      axis,
      this.#keys,
      span,
      this.#samples,
    ))
      best = better(best, this.#score(axis, threshold));
    return best;
  }

  #score(axis: ReadonlyVec3, threshold: Threshold): Found | null {
    const { items, order, begin, end } = this.#range;
    const left = clearSide(this.#left);
    const right = clearSide(this.#right);
    for (let i = begin; i < end; i++) {
      const item = order[i]!;
      const side = isBefore(this.#keys, item, threshold.key, threshold.item) ? left : right;
      joinBox(side.box, 0, items.bounds, 6 * item);
      side.count++;
    }
    this.#count(1);
    return this.#found(axis, threshold);
  }

  /** Of the sides as they stand. */
  #found(axis: ReadonlyVec3, threshold: Threshold): Found | null {
    const left = this.#left;
    const right = this.#right;
    if (left.count === 0 || right.count === 0) return null;
    const whole = this.#whole;
    const large = Math.max(shareOf(left.box, whole), shareOf(right.box, whole)) > LIKE_THE_WHOLE;
    return { axis, threshold, score: scoreSplit(left, right, whole, this.#objective), large };
  }

  /** All cuts between neighbours, in one sweep over the sorted items. */
  #bestGap(axis: ReadonlyVec3): Found | null {
    const { items, order, begin, end } = this.#range;
    const keys = this.#keys;
    const sorted = order.slice(begin, end).sort((i, j) => keys[i]! - keys[j]! || i - j);
    const size = sorted.length;
    this.#count(32 - Math.clz32(size));
    const right = clearSide(this.#right);
    const after = new Float64Array(6 * size);
    for (let i = size - 1; i > 0; i--) {
      joinBox(right.box, 0, items.bounds, 6 * sorted[i]!);
      after.set(right.box, 6 * i);
    }
    const left = clearSide(this.#left);
    let best: Found | null = null;
    for (let i = 1; i < size; i++) {
      joinBox(left.box, 0, items.bounds, 6 * sorted[i - 1]!);
      const item = sorted[i]!;
      if (keys[item] === keys[sorted[i - 1]!]) continue;
      left.count = i;
      right.count = size - i;
      right.box.set(after.subarray(6 * i, 6 * i + 6));
      best = better(best, this.#found(axis, { key: keys[item]!, item: 0 }));
    }
    return best;
  }

  /** Turns the axis towards four sides by smaller and smaller angles. */
  #climb(start: Found): Found {
    let best = start;
    for (let step = 0.4, round = 0; step > 0.02 && round < CLIMB_ROUNDS; round++) {
      const u = v3.perpendicular(best.axis);
      const v = v3.cross(best.axis, u);
      const before = best;
      for (const [side, amount] of [
        [u, step],
        [u, -step],
        [v, step],
        [v, -step],
      ] as const)
        best = better(best, this.#bestAlong(v3.normalize(v3.addScaled(before.axis, side, amount))))!;
      if (best === before) step *= 0.5;
    }
    return best;
  }

  #part({ key, item: tie }: Threshold): number {
    const { order, begin, end } = this.#range;
    this.#count(1);
    let i = begin;
    let j = end;
    while (i < j) {
      const item = order[i]!;
      if (isBefore(this.#keys, item, key, tie)) i++;
      else {
        order[i] = order[--j]!;
        order[j] = item;
      }
    }
    return i;
  }
}

/** Where along an axis a set of items may be cut. RTCD §6.2.1.3. */
import type { ReadonlyVec3 } from '../math/types.ts';
import { joinBox } from './flat-boxes.ts';
import { halve } from './select.ts';
import { farthestPair, type Range } from './top-down-axis.ts';
import { clearSide, makeSide, shareOf } from './top-down-score.ts';

/**
 * Where the cut is made.
 *
 * - `median`: as many items on one side as on the other.
 * - `mean`: at the mean of the centers.
 * - `vertex-mean`: at the mean of the points of all items.
 * - `middle`: halfway between the first and the last center.
 * - `samples`: the best of some evenly spaced places, by the objective.
 * - `gaps`: the best of the places between any two centers, by the objective.
 * - `grow`: none; two items far apart each gather those for which their box grows the least.
 */
export type SplitPlace = 'median' | 'mean' | 'vertex-mean' | 'middle' | 'samples' | 'gaps' | 'grow';

/** @internal */
export const SPLIT_PLACES: readonly SplitPlace[] = [
  'median',
  'mean',
  'vertex-mean',
  'middle',
  'samples',
  'gaps',
  'grow',
];

/**
 * A cut: items with a smaller key go to the one side, and of those with the same key the ones with a smaller number.
 *
 * @internal
 */
export interface Threshold {
  key: number;
  item: number;
}

/**
 * The least and the greatest key.
 *
 * @internal
 */
export interface KeySpan {
  low: number;
  high: number;
}

/**
 * Makes the height of each center along the axis its key.
 *
 * @internal
 */
export function projectCenters(range: Range, { x, y, z }: ReadonlyVec3, keys: Float64Array): KeySpan {
  const { centers, order, begin, end } = range;
  const { x: ox, y: oy, z: oz } = range.origin;
  let low = Infinity;
  let high = -Infinity;
  for (let i = begin; i < end; i++) {
    const item = order[i]!;
    const key =
      (centers[3 * item]! - ox) * x + (centers[3 * item + 1]! - oy) * y + (centers[3 * item + 2]! - oz) * z;
    keys[item] = key;
    if (key < low) low = key;
    if (key > high) high = key;
  }
  return { low, high };
}

/**
 * The cuts to choose from, but for 'gaps' and 'grow', which are no thresholds on projections of their own.
 *
 * @internal
 */
export function thresholds(
  place: Exclude<SplitPlace, 'gaps' | 'grow'>,
  range: Range,
  axis: ReadonlyVec3,
  keys: Float64Array,
  { low, high }: KeySpan,
  samples: number,
): Threshold[] {
  const { order, begin, end } = range;
  switch (place) {
    case 'median': {
      const item = order[halve(order, keys, begin, end)]!;
      return [{ key: keys[item]!, item }];
    }
    case 'mean': {
      let sum = 0;
      for (let i = begin; i < end; i++) sum += keys[order[i]!]!;
      return [{ key: above(low, sum / (end - begin), high), item: 0 }];
    }
    case 'vertex-mean':
      return [{ key: meanHeight(range, axis), item: 0 }];
    case 'middle':
      return [{ key: above(low, 0.5 * low + 0.5 * high, high), item: 0 }];
    case 'samples': {
      const list: Threshold[] = [];
      for (let i = 1; i <= samples; i++)
        list.push({ key: low + ((high - low) * i) / (samples + 1), item: 0 });
      return list;
    }
  }
}

/** A mean may be rounded onto the lowest of the keys, and nothing is below that; or above them all. */
const above = (low: number, mean: number, high: number): number => (mean > low && mean < high ? mean : high);

function meanHeight(range: Range, { x, y, z }: ReadonlyVec3): number {
  const { items, order, begin, end, origin } = range;
  const points: number[] = [];
  let sum = 0;
  let count = 0;
  for (let i = begin; i < end; i++) {
    points.length = 0;
    items.points(order[i]!, points);
    for (let p = 0; p < points.length; p += 3)
      sum += (points[p]! - origin.x) * x + (points[p + 1]! - origin.y) * y + (points[p + 2]! - origin.z) * z;
    count += points.length / 3;
  }
  return sum / count;
}

const one = makeSide();
const other = makeSide();
const grown = makeSide();

/**
 * Two groups about two seeds: the centers farthest apart, or so. The others, in order, go where the box grows the
 * least; where that is the same, to the smaller group. Keys become 0 and 1.
 *
 * @internal
 */
export function growGroups(range: Range, whole: Float64Array, keys: Float64Array): void {
  const { items, order, begin, end } = range;
  const { bounds } = items;
  const [first, second] = farthestPair(range);
  for (const [side, seed] of [
    [clearSide(one), first],
    [clearSide(other), second],
  ] as const) {
    joinBox(side.box, 0, bounds, 6 * seed);
    side.count = 1;
  }
  for (let i = begin; i < end; i++) {
    const item = order[i]!;
    if (item === first || item === second) {
      keys[item] = item === first ? 0 : 1;
      continue;
    }
    const growth = growthOf(one.box, bounds, 6 * item, whole) - growthOf(other.box, bounds, 6 * item, whole);
    const joins = growth < 0 || (growth === 0 && one.count <= other.count) ? one : other;
    joinBox(joins.box, 0, bounds, 6 * item);
    joins.count++;
    keys[item] = joins === one ? 0 : 1;
  }
}

/** By how much the box grows in volume when another joins it. */
function growthOf(box: Float64Array, bounds: Float64Array, at: number, whole: Float64Array): number {
  grown.box.set(box);
  joinBox(grown.box, 0, bounds, at);
  return shareOf(grown.box, whole) - shareOf(box, whole);
}

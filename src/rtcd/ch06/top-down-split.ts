/**
 * Where along an axis a set of items may be cut. RTCD §6.2.1.3.
 *
 * The option matrix of the chapter: axis, place, aim. Production has one way, binned SAH: `trees/pack-split.ts`.
 */
import { eigenSymmetric } from '../../math/eigen.ts';
import * as m3 from '../../math/mat3.ts';
import { type Mat3, mat3, type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { emptyBox, joinBox } from '../../trees/flat-boxes.ts';
import { halve } from '../../trees/select.ts';
import type { TreeItems } from '../../trees/tree.ts';
import { kdopAxes } from '../../volumes/kdop.ts';
import { surfaceCovariance } from '../../volumes/obb-covariance.ts';
import { enterFrame } from '../../volumes/point-set-frame.ts';
import { covarianceOf } from '../../volumes/point-set-spread.ts';
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

/** Along which axes a set of items may be cut. RTCD §6.2.1.2. */

/**
 * The axes of which one is cut across.
 *
 * - `longest`: the coordinate axis along which the centers are spread the widest.
 * - `xyz`: the best of the three coordinate axes, by the objective.
 * - `kdop`: the best of the thirteen axes of a 26-DOP, by the objective.
 * - `obb`: the longest axis of the oriented box around the items, by the covariance of their faces.
 * - `farthest`: from the center farthest from the first one to the center farthest from that: near the diameter.
 * - `variance`: the principal axis of the centers.
 */
export type SplitAxis = 'longest' | 'xyz' | 'kdop' | 'obb' | 'farthest' | 'variance';

/** @internal */
export const SPLIT_AXES: readonly SplitAxis[] = ['longest', 'xyz', 'kdop', 'obb', 'farthest', 'variance'];

/**
 * A part of the order of all items.
 *
 * @internal
 */
export interface Range {
  readonly items: TreeItems;
  readonly centers: Float64Array;
  readonly order: Uint32Array;
  begin: number;
  end: number;
  /** What heights are measured from: far from the items they would lose what tells these apart. */
  readonly origin: Vec3;
}

const XYZ: readonly ReadonlyVec3[] = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)];

/**
 * The unit axes to try, in this order.
 *
 * @internal
 */
export function splitAxes(rule: SplitAxis, range: Range): readonly ReadonlyVec3[] {
  switch (rule) {
    case 'longest':
    case 'xyz':
      return byExtent(XYZ, range);
    case 'kdop':
      return byExtent(
        kdopAxes(26).map((axis) => v3.normalize(axis)),
        range,
      );
    case 'obb':
      return boxAxes(range);
    case 'farthest':
      return [farthestAxis(range), ...byExtent(XYZ, range)];
    case 'variance': {
      const local = centersOfRange(range);
      enterFrame(local);
      return columns(eigenSymmetric(covarianceOf(local, mat3())).vectors);
    }
  }
}

/** Most spread of the centers first; equals stay in order. */
function byExtent(
  axes: readonly ReadonlyVec3[],
  { centers, order, begin, end, origin }: Range,
): ReadonlyVec3[] {
  const extents = axes.map(({ x, y, z }) => {
    let low = Infinity;
    let high = -Infinity;
    for (let i = begin; i < end; i++) {
      const at = 3 * order[i]!;
      const h =
        (centers[at]! - origin.x) * x + (centers[at + 1]! - origin.y) * y + (centers[at + 2]! - origin.z) * z;
      low = Math.min(low, h);
      high = Math.max(high, h);
    }
    return high - low;
  });
  const numbers = axes.map((_, i) => i).sort((i, j) => extents[j]! - extents[i]! || i - j);
  return numbers.map((i) => axes[i]!);
}

/** The axes of the oriented box around the points of the items, longest first. RTCD §6.4.1. */
function boxAxes({ items, order, begin, end }: Range): ReadonlyVec3[] {
  const points: number[] = [];
  let triangles = true;
  for (let i = begin; i < end; i++) {
    const before = points.length;
    items.points(order[i]!, points);
    triangles &&= points.length - before === 9;
  }
  const local = Float64Array.from(points);
  enterFrame(local);
  const axes = columns(eigenSymmetric(faceCovariance(local, triangles)).vectors);
  const lengths = axes.map(({ x, y, z }) => {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < local.length; i += 3) {
      const h = local[i]! * x + local[i + 1]! * y + local[i + 2]! * z;
      low = Math.min(low, h);
      high = Math.max(high, h);
    }
    return high - low;
  });
  return [0, 1, 2].sort((i, j) => lengths[j]! - lengths[i]! || i - j).map((i) => axes[i]!);
}

/** Of the faces, each by its area, if the items are triangles and have any; of their points otherwise. */
function faceCovariance(local: Float64Array, triangles: boolean): Mat3 {
  if (triangles) {
    const list: Vec3[] = [];
    for (let i = 0; i < local.length; i += 3) list.push(vec3(local[i], local[i + 1], local[i + 2]));
    const faces = surfaceCovariance(
      list,
      list.map((_, i) => i),
    );
    if (faces.elements.every(Number.isFinite)) return faces;
  }
  return covarianceOf(local, mat3());
}

function farthestAxis(range: Range): Vec3 {
  const [a, b] = farthestPair(range);
  const { centers } = range;
  const at = (item: number): Vec3 => vec3(centers[3 * item], centers[3 * item + 1], centers[3 * item + 2]);
  return v3.normalize(v3.sub(at(b), at(a)));
}

/**
 * Two items whose centers are at least half as far apart as any: the farthest from the first item, and the farthest
 * from that one.
 */
function farthestPair(range: Range): [number, number] {
  const a = farthestFrom(range, range.order[range.begin]!);
  return [a, farthestFrom(range, a)];
}

/** The item whose center is farthest from that of another; not that one, unless it is alone. */
function farthestFrom({ centers, order, begin, end }: Range, from: number): number {
  let most = -1;
  let found = from;
  for (let i = begin; i < end; i++) {
    const item = order[i]!;
    if (item === from) continue;
    const x = centers[3 * item]! - centers[3 * from]!;
    const y = centers[3 * item + 1]! - centers[3 * from + 1]!;
    const z = centers[3 * item + 2]! - centers[3 * from + 2]!;
    const distance = x * x + y * y + z * z;
    if (!(distance > most)) continue;
    most = distance;
    found = item;
  }
  return found;
}

function centersOfRange({ centers, order, begin, end }: Range): Float64Array {
  const flat = new Float64Array(3 * (end - begin));
  for (let i = begin; i < end; i++)
    for (let axis = 0; axis < 3; axis++) flat[3 * (i - begin) + axis] = centers[3 * order[i]! + axis]!;
  return flat;
}

const columns = (m: Mat3): Vec3[] => [m3.column(m, 0), m3.column(m, 1), m3.column(m, 2)];

/** How good a cut of a set of boxes in two is. RTCD §6.2.1.1. */

/**
 * What a cut should make small: the `sum` of the volumes of the two halves, the larger of them (`max`), or the volume
 * they share (`overlap`); or large: the gap between them (`separation`). `count` wants equal numbers of items.
 */
export type SplitAim = 'sum' | 'max' | 'overlap' | 'separation' | 'count';

/** One aim, or several with weights. All are measured in parts of the whole, so that weights compare. */
export type SplitObjective = SplitAim | Readonly<Partial<Record<SplitAim, number>>>;

/** @internal */
export const SPLIT_AIMS: readonly SplitAim[] = ['sum', 'max', 'overlap', 'separation', 'count'];

/**
 * One side of a cut: the box around its items, and their number.
 *
 * @internal
 */
export interface Side {
  count: number;
  readonly box: Float64Array;
}

/** @internal */
export function makeSide(): Side {
  return clearSide({ count: 0, box: new Float64Array(6) });
}

/** @internal */
export function clearSide(side: Side): Side {
  side.count = 0;
  emptyBox(side.box);
  return side;
}

/**
 * The volume of a box in parts of the whole. Axes along which the whole has no extent do not count: of a flat set it
 * is the area, of one in a line the length.
 *
 * @internal
 */
export function shareOf(box: Float64Array, whole: Float64Array): number {
  let share = 1;
  for (let i = 0; i < 3; i++) {
    const extent = whole[3 + i]! - whole[i]!;
    if (extent > 0) share *= (box[3 + i]! - box[i]!) / extent;
  }
  return share;
}

/** The volume of what two boxes share, in parts of the whole. */
function sharedBy(a: Float64Array, b: Float64Array, whole: Float64Array): number {
  let share = 1;
  for (let i = 0; i < 3; i++) {
    const extent = whole[3 + i]! - whole[i]!;
    const common = Math.min(a[3 + i]!, b[3 + i]!) - Math.max(a[i]!, b[i]!);
    if (common < 0) return 0;
    if (extent > 0) share *= common / extent;
  }
  return share;
}

/** The widest gap between two boxes along an axis, in parts of the whole; negative when they overlap along all. */
function gapBetween(a: Float64Array, b: Float64Array, whole: Float64Array): number {
  let widest = -1;
  for (let i = 0; i < 3; i++) {
    const extent = whole[3 + i]! - whole[i]!;
    if (extent > 0) widest = Math.max(widest, (a[i]! - b[3 + i]!) / extent, (b[i]! - a[3 + i]!) / extent);
  }
  return widest;
}

/**
 * The smaller the better.
 *
 * @internal
 */
export function scoreSplit(a: Side, b: Side, whole: Float64Array, objective: SplitObjective): number {
  if (typeof objective === 'string') return scoreAim(a, b, whole, objective);
  let score = 0;
  for (const aim of SPLIT_AIMS)
    if (objective[aim] !== undefined) score += objective[aim] * scoreAim(a, b, whole, aim);
  return score;
}

function scoreAim(a: Side, b: Side, whole: Float64Array, aim: SplitAim): number {
  switch (aim) {
    case 'sum':
      return shareOf(a.box, whole) + shareOf(b.box, whole);
    case 'max':
      return Math.max(shareOf(a.box, whole), shareOf(b.box, whole));
    case 'overlap':
      return sharedBy(a.box, b.box, whole);
    case 'separation':
      return -gapBetween(a.box, b.box, whole);
    case 'count':
      return Math.abs(a.count - b.count) / (a.count + b.count);
  }
}

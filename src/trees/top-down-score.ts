/** How good a cut of a set of boxes in two is. RTCD §6.2.1.1. */
import { emptyBox } from './flat-boxes.ts';

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
export const makeSide = (): Side => clearSide({ count: 0, box: new Float64Array(6) });

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

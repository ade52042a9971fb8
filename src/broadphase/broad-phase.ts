/** What a world asks of a broad phase: boxes with numbers, and which of them meet. RTCD §2.4.1, ch. 7. */
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import type { BoxIndex, BoxVisitor, RayVisitor } from '../space/box-index.ts';
import type { PairList } from './pair-list.ts';

export type { BoxVisitor, RayVisitor };

/** Called with the numbers of two boxes that share a point. Ends the search by returning false. */
export type PairVisitor = (a: number, b: number) => unknown;
/** How far a search goes. A visitor may lower `t` during the search. */
export interface Reach {
  t: number;
}

/**
 * A set of boxes, known by numbers that the owner chose (small whole numbers, each used once at a time). Answers are for the
 * boxes as they were last given, exactly; touching counts. Visitors may search but not change the set.
 */
export interface BroadPhase extends BoxIndex {
  /** What snapshots call it. Default: 'custom'. */
  readonly kind?: string;
  add(id: number, box: ReadonlyAabb): void;
  /** Gives box `id` new sides. */
  move(id: number, box: ReadonlyAabb): void;
  /** `move` for many at once: `boxes` holds min x, y, z, max x, y, z of one after the other. */
  moveMany(ids: ArrayLike<number>, boxes: Float64Array): void;
  remove(id: number): void;
  /** Visits every two boxes that share a point, each pair once, in no particular order. */
  pairs(visit: PairVisitor): void;
  /**
   * Fills `out.ids` with the numbers of every two boxes that share a point, one pair after the other, and returns how many
   * pairs there are; the array is replaced by a longer one when it is full. If it is there, a world uses it instead of
   * `pairs`: it is faster, as it calls no visitor.
   */
  collectPairs?(out: PairList): number;
  /**
   * Visits all boxes that this one touches at some t in [0, reach.t] of its motion, roughly the first ones first, and perhaps
   * others. The visitor may lower `reach.t`. Without it, casts look at all in the box around the whole motion.
   */
  searchSwept?(box: ReadonlyAabb, motion: ReadonlyVec3, reach: Reach, visit: BoxVisitor): void;
  /** The same with all boxes within a distance of `reach.t`. Without it, `nearest` searches in larger and larger boxes. */
  searchNear?(box: ReadonlyAabb, reach: Reach, visit: BoxVisitor): void;
  clear(): void;
}

/** Points, and which of them are near: what all indexes of points answer. RTCD §7.3.7. */
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';

/** Called with the number of a point. Ends the search by returning false. */
export type PointVisitor = (id: number) => unknown;

/**
 * A set of points, known by numbers: of an index that is built from a list, their places in it. Answers equal those of a
 * test of every point, with distances as the doubles dx² + dy² + dz². Visitors may search but not change the set.
 */
export interface PointIndex {
  /** The number of points. */
  readonly size: number;
  /** Visits all points in a box, those on its sides included, in no particular order. */
  range(box: ReadonlyAabb, visit: PointVisitor): void;
  /** Visits all points within a distance of p, those at that distance included, in no particular order. */
  within(p: ReadonlyVec3, radius: number, visit: PointVisitor): void;
  /** The nearest point within `maxDistance`, the one of the smallest number if several are; -1 if there is none. Default: Infinity. */
  nearest(p: ReadonlyVec3, maxDistance?: number): number;
  /**
   * Writes the numbers of the k nearest points to `out`, the nearest first, then by number, and returns how many there are:
   * fewer than k only if there are fewer points within `maxDistance`. Default: Infinity.
   */
  kNearest(p: ReadonlyVec3, k: number, out: Int32Array | number[], maxDistance?: number): number;
}

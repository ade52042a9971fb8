/** Boxes, and which of them are met: what all indexes of boxes answer. RTCD ch. 6 and 7. */
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';

/** Called with the number of a box. Ends the search by returning false. */
export type BoxVisitor = (id: number) => unknown;
/**
 * Called with a box that the ray enters at t. May return a number, beyond which nothing is of interest; a negative one ends
 * the search.
 */
export type RayVisitor = (id: number, t: number) => unknown;

/**
 * A set of boxes, known by numbers: of an index that is built from a list, their places in it. Answers equal those of a test
 * of every box; touching counts. Visitors may search but not change the set.
 */
export interface BoxIndex {
  /** The number of boxes. */
  readonly size: number;
  /** Visits all boxes that share a point with this one, in no particular order. */
  searchBox(box: ReadonlyAabb, visit: BoxVisitor): void;
  /** Visits all boxes that the ray enters at some t in [0, tMax], roughly the nearest first where that is cheap. */
  searchRay(ray: ReadonlyRay, tMax: number, visit: RayVisitor): void;
}

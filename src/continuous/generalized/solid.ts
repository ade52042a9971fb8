/** What contact times are found for: whatever can answer these few questions.. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { ReadonlyAabb, ReadonlyObb } from '../../primitives/types.ts';

/**
 * A solid or a surface of any kind, in its own space. `solidOf` of `graze/shapes` gives that of any shape; of your own it takes
 * about ten lines.
 */
export interface Solid {
  /** It has no point outside. Sides may be infinite. */
  readonly bounds: ReadonlyAabb;
  /**
   * Points as x, y, z, x, y, z …: each point of the surface is within `spacing` of one (for a `spacing` of Infinity the few that
   * stand for it: of a polyhedron the vertices). With `radius`, within that distance more.
   */
  sample(spacing: number): ArrayLike<number>;
  /** Does it meet the box? It may say yes where it only comes near, by less than the size of the box; never no where it does. */
  box(box: ReadonlyObb): boolean;
  /** Where the segment from a to b first meets it: from 0 at a to 1 at b. Null if nowhere. */
  segment(a: ReadonlyVec3, b: ReadonlyVec3): number | null;
  /** The unit vector out of it at a point of its surface, or from the nearest point of it towards one outside. */
  normal(p: ReadonlyVec3): ReadonlyVec3;
  /** The samples stand for balls of this radius, which belong to the solid. Default: 0. */
  readonly radius?: number;
  /**
   * The distance of a point, or a lower bound of it; below 0 inside. Balls are followed by it; without it, by boxes around them,
   * which is coarser: contacts may then come early by their radius.
   */
  signedDistance?(p: ReadonlyVec3): number;
}

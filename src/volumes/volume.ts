/** What every kind of bounding volume can do, so that a hierarchy is written once for all of them. RTCD §4.1. */
import { describe, refuse } from '../math/check.ts';
import type { ReadonlyPlane, ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyRay } from '../primitives/types.ts';
import type { PointSet } from './point-set.ts';

/**
 * The operations of one kind of volume: an object of functions, chosen once, with no state. Everything that makes a
 * volume rounds outward: it holds, to the last digit, what it was made to hold. Everything that asks errs to the safe
 * side: two volumes that share a point overlap, a point inside is contained, a ray that enters hits.
 */
export interface VolumeOps<V> {
  readonly kind: string;
  /** The size of one volume in a `Float32Array`, in bytes. */
  readonly byteSize: number;
  /** A volume to be used as `out`. */
  readonly make: () => V;
  /** A volume around all the points. */
  readonly fitPoints: (points: PointSet, out?: V) => V;
  readonly overlap: (a: Readonly<V>, b: Readonly<V>) => boolean;
  readonly containsPoint: (p: ReadonlyVec3, volume: Readonly<V>) => boolean;
  /** Does the ray hit the volume at some t in [0, tMax]? */
  readonly ray: (ray: ReadonlyRay, volume: Readonly<V>, tMax?: number) => boolean;
  /** 1 in front of the plane, -1 behind it, 0 when the plane touches the volume (or there is doubt). */
  readonly planeSide: (volume: Readonly<V>, plane: ReadonlyPlane) => -1 | 0 | 1;
  /** A volume around two. */
  readonly merge: (a: Readonly<V>, b: Readonly<V>, out?: V) => V;
  /** A volume around the posed volume. Start from the one in the object's own space: each step may add a little. */
  readonly transform: (volume: Readonly<V>, pose: ReadonlyPose, out?: V) => V;
  /** Surface area: about proportional to how often a random ray hits. */
  readonly area: (volume: Readonly<V>) => number;
  readonly volume: (volume: Readonly<V>) => number;
  /** Writes the volume to `byteSize / 4` slots, rounded outward to single precision: `load` gives back one around it. */
  readonly store: (volume: Readonly<V>, target: Float32Array, offset: number) => void;
  readonly load: (source: Float32Array, offset: number, out?: V) => V;
}

/**
 * Throws unless `count` numbers fit into the array from `offset` on.
 *
 * @internal
 */
export function mustFit(caller: string, array: Float32Array, offset: number, count: number): void {
  if (!(Number.isInteger(offset) && offset >= 0 && offset + count <= array.length))
    refuse(
      caller,
      'offset',
      `must leave room for ${count} of ${array.length} numbers, got ${describe(offset)}`,
    );
}

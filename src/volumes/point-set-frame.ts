/** Points brought to the origin and to size one, where products of differences neither overflow nor vanish. */
import { exponent, scalb } from '../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { aabbOfCoordinates } from './aabb.ts';

/** local = (world - center) 2^-exponent. */
export interface Frame {
  readonly center: Vec3;
  readonly exponent: number;
}

/**
 * Moves flat points (and radii, if any) into a frame about the middle of their box, in place. The largest coordinate
 * comes out between a half and two, but for points so close together that no double could scale them up to that.
 * One rounding per difference, none for the scale.
 *
 * @internal
 */
export function enterFrame(coordinates: Float64Array, radii?: Float64Array): Frame {
  const { min, max } = aabbOfCoordinates(coordinates, makeAabb());
  const center = {
    x: 0.5 * min.x + 0.5 * max.x,
    y: 0.5 * min.y + 0.5 * max.y,
    z: 0.5 * min.z + 0.5 * max.z,
  };
  let size = Math.max(max.x - center.x, max.y - center.y, max.z - center.z);
  if (radii) for (const r of radii) size = Math.max(size, r);
  // Past ±1000 the factor itself would leave the range; the local numbers are safe to square all the same.
  const e = size > 0 ? Math.max(-1000, Math.min(1000, exponent(size))) : 0;
  const factor = scalb(1, -e);
  for (let i = 0; i < coordinates.length; i += 3) {
    coordinates[i] = (coordinates[i]! - center.x) * factor;
    coordinates[i + 1] = (coordinates[i + 1]! - center.y) * factor;
    coordinates[i + 2] = (coordinates[i + 2]! - center.z) * factor;
  }
  if (radii) for (let i = 0; i < radii.length; i++) radii[i] = radii[i]! * factor;
  return { center, exponent: e };
}

/**
 * A local point in the world.
 *
 * @internal
 */
export function leaveFrame({ center, exponent: e }: Frame, local: ReadonlyVec3, out: Vec3): Vec3 {
  const factor = scalb(1, e);
  out.x = center.x + local.x * factor;
  out.y = center.y + local.y * factor;
  out.z = center.z + local.z * factor;
  return out;
}

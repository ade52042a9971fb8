/**
 * Rigid placements: rotate by the unit quaternion, then move by the position. Results go to `out`, which may be an
 * input. Plain arithmetic: nothing is checked.
 */
import * as q4 from './quat.ts';
import type { Pose, ReadonlyPose, ReadonlyVec3, Vec3 } from './types.ts';
import { pose, vec3 } from './types.ts';
import * as v3 from './vec3.ts';

/** A point of the body, in the world. */
export function transformPoint(place: ReadonlyPose, p: ReadonlyVec3, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = place.position;
  v3.rotate(p, place.quaternion, out);
  return v3.set(out.x + x, out.y + y, out.z + z, out);
}

/** A free vector of the body (a direction, a normal), in the world: rotated, not moved. */
export const transformVector = (place: ReadonlyPose, v: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  v3.rotate(v, place.quaternion, out);

/** A point of the world, as the body sees it. */
export function inverseTransformPoint(place: ReadonlyPose, p: ReadonlyVec3, out: Vec3 = vec3()): Vec3 {
  v3.sub(p, place.position, out);
  return v3.rotateInverse(out, place.quaternion, out);
}

/** A free vector of the world, as the body sees it. */
export const inverseTransformVector = (place: ReadonlyPose, v: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  v3.rotateInverse(v, place.quaternion, out);

/** a b: first b, then a. For b given relative to a, where b is in the world. */
export function composePoses(a: ReadonlyPose, b: ReadonlyPose, out: Pose = pose()): Pose {
  transformPoint(a, b.position, moved);
  q4.multiply(a.quaternion, b.quaternion, out.quaternion);
  v3.copy(moved, out.position);
  return out;
}

/** The way back. */
export function invertPose(place: ReadonlyPose, out: Pose = pose()): Pose {
  v3.rotateInverse(place.position, place.quaternion, moved);
  q4.conjugate(place.quaternion, out.quaternion);
  v3.negate(moved, out.position);
  return out;
}
const moved = vec3();

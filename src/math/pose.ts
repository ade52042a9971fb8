/**
 * Rigid placements: rotate by the unit quaternion, then move by the position. Results go to `out`, which may be an
 * input. Plain arithmetic: nothing is checked.
 */
import * as q4 from './quat.ts';
import type { Pose, ReadonlyPose, ReadonlyVec3, Vec3 } from './types.ts';
import { pose as makePose, vec3 } from './types.ts';
import * as v3 from './vec3.ts';

/** A point of the body, in the world. */
export function transformPoint(pose: ReadonlyPose, p: ReadonlyVec3, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = pose.position;
  v3.rotate(p, pose.quaternion, out);
  return v3.set(out.x + x, out.y + y, out.z + z, out);
}

/** A free vector of the body (a direction, a normal), in the world: rotated, not moved. */
export const transformVector = (pose: ReadonlyPose, v: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  v3.rotate(v, pose.quaternion, out);

/** A point of the world, as the body sees it. */
export function inverseTransformPoint(pose: ReadonlyPose, p: ReadonlyVec3, out: Vec3 = vec3()): Vec3 {
  v3.sub(p, pose.position, out);
  return v3.rotateInverse(out, pose.quaternion, out);
}

/** A free vector of the world, as the body sees it. */
export const inverseTransformVector = (pose: ReadonlyPose, v: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  v3.rotateInverse(v, pose.quaternion, out);

/** a b: first b, then a. For b given relative to a, where b is in the world. */
export function composePoses(a: ReadonlyPose, b: ReadonlyPose, out: Pose = makePose()): Pose {
  transformPoint(a, b.position, moved);
  q4.multiply(a.quaternion, b.quaternion, out.quaternion);
  v3.copy(moved, out.position);
  return out;
}

/** The inverse: from the world to the body. */
export function invertPose(pose: ReadonlyPose, out: Pose = makePose()): Pose {
  v3.rotateInverse(pose.position, pose.quaternion, moved);
  q4.conjugate(pose.quaternion, out.quaternion);
  v3.negate(moved, out.position);
  return out;
}
const moved = vec3();

/** Points, normals and rays between the world and the space of a body. */
import type { Pose, ReadonlyPose, ReadonlyQuat, ReadonlyVec3, Vec3 } from '../math/types.ts';
import type { Ray, ReadonlyRay } from '../primitives/types.ts';

/** A ray of the world, as the body sees it. Times are the same. */
export function rayToBody(pose: ReadonlyPose, ray: ReadonlyRay, out: Ray): Ray {
  pointToBody(pose, ray.origin, out.origin);
  rotate(ray.direction, pose.quaternion, -1, out.direction);
  return out;
}

/** A point of the world, as the body sees it: moved, then rotated, so that nothing is lost far away. */
export function pointToBody({ position, quaternion }: ReadonlyPose, p: ReadonlyVec3, out: Vec3): Vec3 {
  const { x, y, z } = position;
  out.x = p.x - x;
  out.y = p.y - y;
  out.z = p.z - z;
  return rotate(out, quaternion, -1, out);
}

/** A point of the body, in the world. */
export function pointToWorld({ position, quaternion }: ReadonlyPose, p: ReadonlyVec3, out: Vec3): Vec3 {
  const { x, y, z } = p;
  const { x: qx, y: qy, z: qz, w: qw } = quaternion;
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  out.x = x + qw * tx + (qy * tz - qz * ty) + position.x;
  out.y = y + qw * ty + (qz * tx - qx * tz) + position.y;
  out.z = z + qw * tz + (qx * ty - qy * tx) + position.z;
  return out;
}

/** A normal of the body, in the world. */
export const normalToWorld = ({ quaternion }: ReadonlyPose, n: ReadonlyVec3, out: Vec3): Vec3 =>
  rotate(n, quaternion, 1, out);

/**
 * v rotated by q (`sign` 1) or back (-1). The arithmetic of `v3.rotate`, but written to `out` at once: where the calls in
 * there are not inlined, which V8 stops to do in functions as large as queries are, they box their numbers.
 */
function rotate(v: ReadonlyVec3, q: ReadonlyQuat, sign: 1 | -1, out: Vec3): Vec3 {
  const { x, y, z } = v;
  const { x: qx, y: qy, z: qz } = q;
  const qw = sign * q.w;
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  out.x = x + qw * tx + (qy * tz - qz * ty);
  out.y = y + qw * ty + (qz * tx - qx * tz);
  out.z = z + qw * tz + (qx * ty - qy * tx);
  return out;
}

/** Three numbers of a list as a point. */
export function loadPoint(data: Float64Array, at: number, out: Vec3): Vec3 {
  out.x = data[at]!;
  out.y = data[at + 1]!;
  out.z = data[at + 2]!;
  return out;
}

/** `v3.copy`, without calls: see `rotate`. */
export function copyPoint(p: ReadonlyVec3, out: Vec3): Vec3 {
  out.x = p.x;
  out.y = p.y;
  out.z = p.z;
  return out;
}

/** Reads all before it writes: getters may run the next query. */
export function copyPose({ position, quaternion }: ReadonlyPose, out: Pose): Pose {
  const { x, y, z } = position;
  const { x: qx, y: qy, z: qz, w: qw } = quaternion;
  const { position: p, quaternion: q } = out;
  p.x = x;
  p.y = y;
  p.z = z;
  q.x = qx;
  q.y = qy;
  q.z = qz;
  q.w = qw;
  return out;
}

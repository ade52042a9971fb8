/** What can be asked about: a shape where it stands, or with a pose. */
import * as q4 from '../math/quat.ts';
import type { Pose, ReadonlyPose } from '../math/types.ts';
import { normalToWorld, pointToWorld } from '../shapes/body-space.ts';
import type { Collider } from '../shapes/collider.ts';
import { copyPart } from '../shapes/pairs/pair.ts';
import type { Separation } from '../shapes/results.ts';
import type { Shape } from '../shapes/shape.ts';

/** A shape and a pose, or a bare shape, which stands at the origin. */
export type Body = Shape | Collider;

const ORIGIN: ReadonlyPose = {
  position: { x: 0, y: 0, z: 0 },
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
};

/** @internal */
export const shapeOf = (body: Body): Shape => ('shape' in body ? body.shape : body);
/** @internal */
export const poseOf = (body: Body): ReadonlyPose => ('shape' in body ? body.pose : ORIGIN);

/** A pose with a quaternion of length 1. @internal */
export function normalizedPose({ position, quaternion }: ReadonlyPose, out: Pose): Pose {
  out.position.x = position.x;
  out.position.y = position.y;
  out.position.z = position.z;
  const { x, y, z, w } = quaternion;
  // The same numbers, without square roots and divisions.
  if (x * x + y * y + z * z + w * w === 1) {
    out.quaternion.x = x;
    out.quaternion.y = y;
    out.quaternion.z = z;
    out.quaternion.w = w;
  } else q4.normalize(quaternion, out.quaternion);
  return out;
}

/** Gives the quaternion of a pose, which is the caller's own, length 1. @internal */
export function normalizePose({ quaternion }: Pose): void {
  const { x, y, z, w } = quaternion;
  if (x * x + y * y + z * z + w * w !== 1) q4.normalize(quaternion, quaternion);
}

/**
 * From the space of the first body, whose pose has a quaternion of length 1, to the world. Another record is filled than the one
 * that is read. @internal
 */
export function separationToWorld(poseA: ReadonlyPose, from: Separation, out: Separation): Separation {
  out.separation = from.separation;
  pointToWorld(poseA, from.pointA, out.pointA);
  pointToWorld(poseA, from.pointB, out.pointB);
  normalToWorld(poseA, from.normal, out.normal);
  copyPart(from.partA, out.partA);
  copyPart(from.partB, out.partB);
  return out;
}

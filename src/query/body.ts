/** What can be asked about: a shape where it stands, or with a pose. */
import * as q4 from '../math/quat.ts';
import type { Pose, ReadonlyPose } from '../math/types.ts';
import type { Collider } from '../shapes/collider.ts';
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
  q4.normalize(quaternion, out.quaternion);
  return out;
}

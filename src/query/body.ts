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

/** Copies the poses of two bodies. Both are read before anything is written: getters may ask the next query. @internal */
export function readPoses(a: Body, b: Body, outA: Pose, outB: Pose): void {
  const { position: p, quaternion: q } = poseOf(a);
  const { position: s, quaternion: r } = poseOf(b);
  const { x: px, y: py, z: pz } = p;
  const { x: qx, y: qy, z: qz, w: qw } = q;
  const { x: sx, y: sy, z: sz } = s;
  const { x: rx, y: ry, z: rz, w: rw } = r;
  outA.position.x = px;
  outA.position.y = py;
  outA.position.z = pz;
  outA.quaternion.x = qx;
  outA.quaternion.y = qy;
  outA.quaternion.z = qz;
  outA.quaternion.w = qw;
  outB.position.x = sx;
  outB.position.y = sy;
  outB.position.z = sz;
  outB.quaternion.x = rx;
  outB.quaternion.y = ry;
  outB.quaternion.z = rz;
  outB.quaternion.w = rw;
}

/** Questions put into the space of the body that they are about, and answers put back into the world. */
import { EPS64 } from '../math/float.ts';
import * as q4 from '../math/quat.ts';
import type { Pose, ReadonlyPose, ReadonlyQuat, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import type { Ray, ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import type { Shape } from '../shapes/shape.ts';
import { type Body, poseOf, shapeOf } from './body.ts';
import { mustBeBody } from './check.ts';

/**
 * How near is touching: rounding of the coordinates that were given, and of the way to the space of the body. A record,
 * because a loose number would be boxed at every call.
 */
export interface Touch {
  within: number;
}

/** Where a body stands, for the time of one question. */
export interface Placement extends Touch {
  /** The quaternion is of length 1. */
  readonly pose: Pose;
  /** A copy of the point that is asked about, in the world. */
  readonly point: Vec3;
}

export const makePlacement = (): Placement => ({ pose: makePose(), point: vec3(0.5, 0.5, 0.5), within: 0.5 });

/** Of the sum of all sizes: two rotations, a difference and the coordinates themselves, each some roundings. */
const ROUNDING = 8 * EPS64;

/**
 * Reads the pose of the body, for a question about what is at `p`. Refuses numbers that are not finite, and a quaternion
 * of zero. Returns the shape.
 */
export function placeBody(caller: string, body: Body, p: ReadonlyVec3, out: Placement): Shape {
  mustBeBody(caller, 'body', body);
  const shape = shapeOf(body);
  const { position, quaternion } = poseOf(body);
  const { x, y, z } = position;
  const { x: qx, y: qy, z: qz, w: qw } = quaternion;
  const { x: px, y: py, z: pz } = p;
  // All is read: from here on no getter runs, which could ask the next query and write over this.
  const { pose, point } = out;
  pose.position.x = x;
  pose.position.y = y;
  pose.position.z = z;
  pose.quaternion.x = qx;
  pose.quaternion.y = qy;
  pose.quaternion.z = qz;
  pose.quaternion.w = qw;
  q4.normalize(pose.quaternion, pose.quaternion);
  point.x = px;
  point.y = py;
  point.z = pz;
  loadReach(shape);
  out.within =
    ROUNDING *
    (Math.abs(px) + Math.abs(py) + Math.abs(pz) + (Math.abs(x) + Math.abs(y) + Math.abs(z)) + size.reach);
  return shape;
}

/** A record, because a loose number would be boxed. */
const size = { reach: 0.5 };

/** No point of the shape is much farther from its origin; of a half-space, its plane is as far. */
function loadReach(shape: Shape): void {
  switch (shape.kind) {
    case 'halfSpace':
      size.reach = Math.abs(shape.d);
      return;
    case 'mesh':
    case 'compound':
      loadReachOfBox(shape.bounds);
      return;
    case 'heightField':
      loadReachOfBox(shape.mesh.bounds);
      return;
    default:
      size.reach = shape.core.reach;
  }
}

function loadReachOfBox({ min, max }: ReadonlyAabb): void {
  size.reach = Math.max(-min.x, max.x) + Math.max(-min.y, max.y) + Math.max(-min.z, max.z);
}

/** A ray of the world, as the body sees it. Times are the same. */
export function rayToBody(pose: ReadonlyPose, ray: ReadonlyRay, out: Ray): Ray {
  pointToBody(pose, ray.origin, out.origin);
  turn(ray.direction, pose.quaternion, -1, out.direction);
  return out;
}

/** A point of the world, as the body sees it: moved, then turned, so that nothing is lost far away. */
export function pointToBody({ position, quaternion }: ReadonlyPose, p: ReadonlyVec3, out: Vec3): Vec3 {
  const { x, y, z } = position;
  out.x = p.x - x;
  out.y = p.y - y;
  out.z = p.z - z;
  return turn(out, quaternion, -1, out);
}

/** A point of the body, in the world. */
export function pointToWorld({ position, quaternion }: ReadonlyPose, p: ReadonlyVec3, out: Vec3): Vec3 {
  const { x, y, z } = position;
  turn(p, quaternion, 1, out);
  out.x += x;
  out.y += y;
  out.z += z;
  return out;
}

/** A normal of the body, in the world. */
export const normalToWorld = ({ quaternion }: ReadonlyPose, n: ReadonlyVec3, out: Vec3): Vec3 =>
  turn(n, quaternion, 1, out);

/**
 * v turned by q (`way` 1) or back (-1). The arithmetic of `v3.rotate`, but written to `out` at once: where the calls in
 * there are not inlined, which V8 stops to do in functions as large as queries are, they box their numbers.
 */
function turn(v: ReadonlyVec3, q: ReadonlyQuat, way: 1 | -1, out: Vec3): Vec3 {
  const { x, y, z } = v;
  const { x: qx, y: qy, z: qz } = q;
  const qw = way * q.w;
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

/** `v3.copy`, without calls: see `turn`. */
export function copyPoint(p: ReadonlyVec3, out: Vec3): Vec3 {
  out.x = p.x;
  out.y = p.y;
  out.z = p.z;
  return out;
}

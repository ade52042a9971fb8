/** Boxes around shapes. */
import { boundsOfCore } from '../convex/core-bounds.ts';
import { mustBePose } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { transformAabb } from '../volumes/aabb-transform.ts';
import { mustBeShape } from './check.ts';
import type { HalfSpaceShape, Shape } from './shape.ts';

const ORIGIN: ReadonlyPose = makePose();
const unitPose = makePose();

/**
 * The box around a shape where it stands, at the origin without a pose, rounded outward: no point of it is outside. Of
 * convex shapes the smallest box but for rounding; of meshes, height fields, skinned meshes and compounds, the box around their own box
 * after the rotation. A half-space is infinite: its box has infinite sides, all but the one, if any, that its
 * plane lies along exactly. The quaternion need not be of length 1. O(1), but for hulls of n corners: up to O(n).
 */
export function boundsOf(shape: Shape, pose: ReadonlyPose = ORIGIN, out: Aabb = makeAabb()): Aabb {
  mustBeShape('boundsOf', 'shape', shape);
  mustBePose('boundsOf', 'pose', pose);
  return boundsOfPosed(shape, pose, out);
}

/** `boundsOf`, for callers that have made sure of the shape and the pose. @internal */
export function boundsOfPosed(shape: Shape, pose: ReadonlyPose, out: Aabb): Aabb {
  const { position: p, quaternion: q } = pose;
  const { x: qx, y: qy, z: qz, w: qw } = q;
  const { x, y, z } = p;
  // All is read: from here on no getter runs, which could ask for other bounds and write over this.
  const { position, quaternion } = unitPose;
  position.x = x;
  position.y = y;
  position.z = z;
  quaternion.x = qx;
  quaternion.y = qy;
  quaternion.z = qz;
  quaternion.w = qw;
  q4.normalize(quaternion, quaternion);
  switch (shape.kind) {
    case 'halfSpace':
      return boundsOfHalfSpace(shape, unitPose, out);
    case 'heightField':
      return transformAabb(shape.mesh.bounds, unitPose, out);
    case 'mesh':
    case 'sdf':
    case 'csg':
    case 'parametric':
    case 'solid':
    case 'levelSet':
    case 'compound':
    case 'skinned':
      return transformAabb(shape.bounds, unitPose, out);
    default:
      return boundsOfCore(shape.core, unitPose, out);
  }
}

const direction = vec3();

/** The plane cuts the box down only where it lies along it. */
function boundsOfHalfSpace({ normal, d }: HalfSpaceShape, pose: ReadonlyPose, out: Aabb): Aabb {
  const n = v3.rotate(normal, pose.quaternion, direction);
  const side = d + v3.dot(n, pose.position);
  const error = 4 * EPS64 * (Math.abs(d) + Math.abs(side));
  boundAxis(n, 'x', side, error, out);
  boundAxis(n, 'y', side, error, out);
  boundAxis(n, 'z', side, error, out);
  return out;
}

function boundAxis(n: ReadonlyVec3, axis: 'x' | 'y' | 'z', side: number, error: number, out: Aabb): void {
  const isAlong = Math.abs(n[axis]) === Math.abs(n.x) + Math.abs(n.y) + Math.abs(n.z);
  out.min[axis] = isAlong && n[axis] < 0 ? -side - error : -Infinity;
  out.max[axis] = isAlong && n[axis] > 0 ? side + error : Infinity;
}

/** Boxes around shapes. */
import { type ConvexCore, POLYTOPE, supportCore } from '../convex/core.ts';
import { mustBePose } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import * as m3 from '../math/mat3.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose, ReadonlyQuat, ReadonlyVec3 } from '../math/types.ts';
import { pose as makePose, mat3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb } from '../primitives/types.ts';
import { makeAabb, makeSpan } from '../primitives/types.ts';
import { isRotation, transformAabb } from '../volumes/aabb-transform.ts';
import { addDown3, addUp3, ROTATION_ERROR } from '../volumes/volume-rounding.ts';
import { mustBeShape } from './check.ts';
import type { HalfSpaceShape, Shape } from './shape.ts';

const ORIGIN: ReadonlyPose = makePose();
const unitPose = makePose();

/**
 * The box around a shape where it stands, at the origin without a pose, rounded outward: no point of it is outside. Of
 * convex shapes the smallest box but for rounding; of meshes, height fields and compounds, the box around their own box
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
    case 'compound':
      return transformAabb(shape.bounds, unitPose, out);
    default:
      return boundsOfCore(shape.core, unitPose, out);
  }
}

/** The box of a core, axis by axis. */
class CoreBounds {
  private readonly low = vec3();
  private readonly high = vec3();
  private readonly direction = vec3();
  private readonly farthest = vec3();
  private readonly matrix = mat3();
  private readonly extent = makeSpan();
  private readonly margin = vec3();

  write(core: ConvexCore, position: ReadonlyVec3, quaternion: ReadonlyQuat, out: Aabb): Aabb {
    const { low, high, extent, margin } = this;
    const { x, y, z } = position;
    m3.fromQuat(quaternion, this.matrix);
    const { radius, reach } = core;
    const hasCorners = core.type <= POLYTOPE;
    // Corners of what was not rotated are known exactly.
    const error = isRotation(quaternion) ? ROTATION_ERROR * reach : hasCorners ? 0 : 4 * EPS64 * reach;
    this.extentAlong(core, 0);
    low.x = extent.enter;
    high.x = extent.exit;
    this.extentAlong(core, 1);
    low.y = extent.enter;
    high.y = extent.exit;
    this.extentAlong(core, 2);
    low.z = extent.enter;
    high.z = extent.exit;
    margin.x = margin.y = margin.z = radius;
    this.widen();
    margin.x = margin.y = margin.z = error;
    this.widen();
    margin.x = x;
    margin.y = y;
    margin.z = z;
    addDown3(low, margin, out.min);
    addUp3(high, margin, out.max);
    return out;
  }

  /** Writes to `extent` how far the core goes along an axis of the world, as it sees it: a row of its rotation. */
  private extentAlong(core: ConvexCore, axis: number): void {
    const { direction, farthest, extent } = this;
    const { elements } = this.matrix;
    const x = elements[axis]!;
    const y = elements[axis + 3]!;
    const z = elements[axis + 6]!;
    direction.x = x;
    direction.y = y;
    direction.z = z;
    const hint = supportCore(core, direction, -1, farthest);
    extent.exit = x * farthest.x + y * farthest.y + z * farthest.z;
    direction.x = -x;
    direction.y = -y;
    direction.z = -z;
    supportCore(core, direction, hint, farthest);
    extent.enter = x * farthest.x + y * farthest.y + z * farthest.z;
  }

  /** Moves all sides out by `margin`, rounded outward. */
  private widen(): void {
    const { low, high, margin } = this;
    addUp3(high, margin, high);
    v3.negate(margin, margin);
    addDown3(low, margin, low);
  }
}

const coreBounds = /* @__PURE__ */ new CoreBounds();

function boundsOfCore(core: ConvexCore, { position, quaternion }: ReadonlyPose, out: Aabb): Aabb {
  // A user's support may ask for other bounds.
  const own = core.custom === null ? coreBounds : new CoreBounds();
  return own.write(core, position, quaternion, out);
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

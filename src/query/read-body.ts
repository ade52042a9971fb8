/** How queries about one body read it. */
import { EPS64 } from '../math/float.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import type { Collider } from '../shapes/collider.ts';
import type { BodyContext } from '../shapes/one-body/body-context.ts';
import type { Shape } from '../shapes/shape.ts';
import type { Body } from './body.ts';

/** Of the sum of all sizes: two rotations, a difference and the coordinates themselves, each some roundings. */
const ROUNDING = 8 * EPS64;

/**
 * Reads the pose of a body, for a query about the point p or a ray from there. Returns the shape. Fills in `pose`, `within`, and
 * of `asked` the origin. @internal
 */
export function readBody(body: Body, p: ReadonlyVec3, context: BodyContext): Shape {
  context.atOrigin = !('shape' in body);
  return context.atOrigin
    ? readBareShape(body as Shape, p, context)
    : readCollider(body as Collider, p, context);
}

function readBareShape(shape: Shape, p: ReadonlyVec3, context: BodyContext): Shape {
  const { x, y, z } = p;
  const { asked, pose } = context;
  const { position, quaternion } = pose;
  position.x = position.y = position.z = 0;
  quaternion.x = quaternion.y = quaternion.z = 0;
  quaternion.w = 1;
  asked.origin.x = x;
  asked.origin.y = y;
  asked.origin.z = z;
  startAt(shape, context);
  return shape;
}

function readCollider({ shape, pose: given }: Collider, p: ReadonlyVec3, context: BodyContext): Shape {
  const { position, quaternion } = given;
  const { x, y, z } = position;
  const { x: qx, y: qy, z: qz, w: qw } = quaternion;
  const { x: px, y: py, z: pz } = p;
  // All is read: from here on no getter runs, which could ask the next query.
  const { pose, asked } = context;
  pose.position.x = x;
  pose.position.y = y;
  pose.position.z = z;
  pose.quaternion.x = qx;
  pose.quaternion.y = qy;
  pose.quaternion.z = qz;
  pose.quaternion.w = qw;
  q4.normalize(pose.quaternion, pose.quaternion);
  asked.origin.x = px;
  asked.origin.y = py;
  asked.origin.z = pz;
  startAt(shape, context);
  return shape;
}

/** Begins a query at `asked.origin`: fills in `within`, and that nothing is found yet. @internal */
export function startAt(shape: Shape, context: BodyContext): void {
  const { found, asked, pose } = context;
  const { x, y, z } = pose.position;
  const { x: px, y: py, z: pz } = asked.origin;
  found.child = -1;
  found.triangle = -1;
  loadReach(shape, context);
  context.within =
    ROUNDING *
    (Math.abs(px) + Math.abs(py) + Math.abs(pz) + (Math.abs(x) + Math.abs(y) + Math.abs(z)) + context.within);
}

/** Writes to `within` how far the shape reaches from its origin, at most about; of a half-space, how far its plane is. */
function loadReach(shape: Shape, context: BodyContext): void {
  switch (shape.kind) {
    case 'halfSpace':
      context.within = Math.abs(shape.d);
      return;
    case 'mesh':
    case 'sdf':
    case 'csg':
    case 'compound':
    case 'skinned':
      loadReachOfBox(shape.bounds, context);
      return;
    case 'heightField':
      loadReachOfBox(shape.mesh.bounds, context);
      return;
    default:
      context.within = shape.core.reach;
  }
}

function loadReachOfBox({ min, max }: ReadonlyAabb, context: BodyContext): void {
  context.within = Math.max(-min.x, max.x) + Math.max(-min.y, max.y) + Math.max(-min.z, max.z);
}

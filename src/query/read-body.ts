/** How queries read their bodies. */
import { LARGEST } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { isShape, type SceneNode } from '../shapes/check.ts';
import type { Collider } from '../shapes/collider.ts';
import type { BodyContext } from '../shapes/one-body/body-context.ts';
import type { PairContext } from '../shapes/pairs/pair-context.ts';
import type { Shape } from '../shapes/shape.ts';
import { type Body, poseOf, shapeOf } from './body.ts';
import { mustBeBodies } from './check.ts';

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
    case 'parametric':
    case 'solid':
    case 'levelSet':
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

/**
 * Copies the poses of two bodies, and refuses what is no body. The numbers are checked as they are copied, which takes half the
 * time of a check before. Only where something is unusual does the full check follow, which says what is wrong, if anything is.
 *
 * @internal
 */
export function readPoses(caller: string, a: Body, b: Body, context: PairContext): void {
  let isPlain = false;
  try {
    isPlain = copyPoses(a, b, context);
  } finally {
    if (!isPlain) mustBeBodies(caller, a, b);
  }
}

/**
 * Are both certainly good, and no nodes of a scene? All is read before anything is written: getters may ask the next query; and
 * nothing but numbers is written, or V8 would box those of the context from then on.
 */
function copyPoses(a: Body, b: Body, { poseA, poseB }: PairContext): boolean {
  // Shapes first: a live one of graze/three takes in the scale of its object, which its pose goes by.
  if (!isShape(shapeOf(a)) || !isShape(shapeOf(b))) return false;
  const given = poseOf(a);
  const other = poseOf(b);
  const { position: p, quaternion: q } = given;
  const { position: s, quaternion: r } = other;
  const { x: px, y: py, z: pz } = p;
  const { x: qx, y: qy, z: qz, w: qw } = q;
  const { x: sx, y: sy, z: sz } = s;
  const { x: rx, y: ry, z: rz, w: rw } = r;
  if (
    typeof px !== 'number' ||
    typeof py !== 'number' ||
    typeof pz !== 'number' ||
    typeof qx !== 'number' ||
    typeof qy !== 'number' ||
    typeof qz !== 'number' ||
    typeof qw !== 'number' ||
    typeof sx !== 'number' ||
    typeof sy !== 'number' ||
    typeof sz !== 'number' ||
    typeof rx !== 'number' ||
    typeof ry !== 'number' ||
    typeof rz !== 'number' ||
    typeof rw !== 'number'
  )
    return false;
  poseA.position.x = px;
  poseA.position.y = py;
  poseA.position.z = pz;
  poseA.quaternion.x = qx;
  poseA.quaternion.y = qy;
  poseA.quaternion.z = qz;
  poseA.quaternion.w = qw;
  poseB.position.x = sx;
  poseB.position.y = sy;
  poseB.position.z = sz;
  poseB.quaternion.x = rx;
  poseB.quaternion.y = ry;
  poseB.quaternion.z = rz;
  poseB.quaternion.w = rw;
  const sizes = Math.abs(px) + Math.abs(py) + Math.abs(pz) + Math.abs(sx) + Math.abs(sy) + Math.abs(sz);
  const first = qx * qx + qy * qy + qz * qz + qw * qw;
  const second = rx * rx + ry * ry + rz * rz + rw * rw;
  return (
    first > 0 &&
    second > 0 &&
    sizes + first + second <= LARGEST &&
    (given as SceneNode).scale === undefined &&
    (other as SceneNode).scale === undefined
  );
}

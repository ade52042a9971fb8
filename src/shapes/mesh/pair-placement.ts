/** Where the second of two meshes stands in the space of the first. */
import { type Frame, makeFrame } from '../../convex/frame.ts';
import { mustBeFinite, refuse } from '../../math/check.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../../math/types.ts';
import type { Corners } from './corners.ts';
import { loadTriangle } from './corners.ts';
import type { Mesh } from './mesh.ts';

/**
 * A rotation matrix (row by row) and a translation. Unlike a quaternion it gives the same bits whoever asks: shared
 * corners stay shared, and no motion at all changes nothing.
 */
export type Placement = Frame;

export const makePlacement = makeFrame;

/** Checks the arguments that all queries of two meshes have in common, and reads the pose (none: where it is). */
export function readPlacement(
  caller: string,
  a: Mesh,
  b: Mesh,
  pose: ReadonlyPose | null | undefined,
  out: Placement,
): Placement {
  if (a?.kind !== 'mesh') refuse(caller, 'a', 'must be a mesh');
  if (b?.kind !== 'mesh') refuse(caller, 'b', 'must be a mesh');
  let x = 0;
  let y = 0;
  let z = 0;
  let w = 1;
  out.tx = 0;
  out.ty = 0;
  out.tz = 0;
  if (pose) {
    const { position: p, quaternion: q } = pose;
    if ((p.x + p.y + p.z + (q.x + q.y + q.z + q.w)) * 0 !== 0) mustBeFinite(caller, { pose });
    x = q.x;
    y = q.y;
    z = q.z;
    w = q.w;
    out.tx = p.x;
    out.ty = p.y;
    out.tz = p.z;
  }
  const lengthSq = x * x + y * y + z * z + w * w;
  if (!(lengthSq > 1e-200 && lengthSq < 1e200))
    refuse(caller, 'pose.quaternion', 'must be a rotation: a quaternion of about unit length');
  // Whatever its length, the quaternion is taken as that of a rotation.
  const s = 2 / lengthSq;
  out.m00 = 1 - s * (y * y + z * z);
  out.m01 = s * (x * y - z * w);
  out.m02 = s * (x * z + y * w);
  out.m10 = s * (x * y + z * w);
  out.m11 = 1 - s * (x * x + z * z);
  out.m12 = s * (y * z - x * w);
  out.m20 = s * (x * z - y * w);
  out.m21 = s * (y * z + x * w);
  out.m22 = 1 - s * (x * x + y * y);
  return out;
}

/** The point p of the second mesh, in the space of the first. The one and only way: every query moves corners alike. */
export function movePoint(at: Placement, p: ReadonlyVec3, out: Vec3): Vec3 {
  const { x, y, z } = p;
  out.x = at.m00 * x + at.m01 * y + at.m02 * z + at.tx;
  out.y = at.m10 * x + at.m11 * y + at.m12 * z + at.ty;
  out.z = at.m20 * x + at.m21 * y + at.m22 * z + at.tz;
  return out;
}

/** The way back: a point of the first mesh's space, as the second sees it. */
export function movePointBack(at: Placement, p: ReadonlyVec3, out: Vec3): Vec3 {
  const x = p.x - at.tx;
  const y = p.y - at.ty;
  const z = p.z - at.tz;
  out.x = at.m00 * x + at.m10 * y + at.m20 * z;
  out.y = at.m01 * x + at.m11 * y + at.m21 * z;
  out.z = at.m02 * x + at.m12 * y + at.m22 * z;
  return out;
}

/** The corners of triangle i (in the order of the tree) of the second mesh, in the space of the first. */
export function loadMovedTriangle(mesh: Mesh, i: number, at: Placement, out: Corners): void {
  loadTriangle(mesh, i, out);
  movePoint(at, out.a, out.a);
  movePoint(at, out.b, out.b);
  movePoint(at, out.c, out.c);
}

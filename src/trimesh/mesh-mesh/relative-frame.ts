/** Where the second of two meshes stands in the space of the first. */
import { type Frame, toFirst } from '../../convex/frame.ts';
import { checkPose, refuse, refuseType } from '../../math/check.ts';
import type { ReadonlyPose } from '../../math/types.ts';
import { type Corners, loadTriangle, type Mesh } from '../mesh.ts';

/**
 * Checks the arguments that all queries of two meshes have in common, and reads the pose (none: where it is). As a frame,
 * which unlike a quaternion gives the same bits to every caller: shared corners stay shared, and no motion at all changes
 * nothing.
 */
export function readRelativeFrame(
  caller: string,
  a: Mesh,
  b: Mesh,
  pose: ReadonlyPose | null | undefined,
  out: Frame,
): Frame {
  if (a?.kind !== 'mesh') refuseType(caller, 'a', 'a mesh', a);
  if (b?.kind !== 'mesh') refuseType(caller, 'b', 'a mesh', b);
  let x = 0;
  let y = 0;
  let z = 0;
  let w = 1;
  out.tx = 0;
  out.ty = 0;
  out.tz = 0;
  if (pose !== undefined && pose !== null) {
    checkPose(caller, 'pose', pose);
    const { position: p, quaternion: q } = pose;
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

/** The corners of triangle i (in the order of the tree) of the second mesh, in the space of the first. */
export function loadMovedTriangle(mesh: Mesh, i: number, at: Frame, out: Corners): void {
  loadTriangle(mesh, i, out);
  toFirst(at, out.a, out.a);
  toFirst(at, out.b, out.b);
  toFirst(at, out.c, out.c);
}

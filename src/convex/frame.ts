/** Where one body stands, as another sees it. */
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';

/** The first body sees the point p of the second at m p + t; m is a rotation. */
export interface Frame {
  m00: number;
  m01: number;
  m02: number;
  m10: number;
  m11: number;
  m12: number;
  m20: number;
  m21: number;
  m22: number;
  tx: number;
  ty: number;
  tz: number;
}

export const makeFrame = (): Frame => ({
  m00: 1,
  m01: 0,
  m02: 0,
  m10: 0,
  m11: 1,
  m12: 0,
  m20: 0,
  m21: 0,
  m22: 1,
  tx: 0,
  ty: 0,
  tz: 0,
});

/**
 * The frame of b as a sees it. The difference of the positions is taken before anything is rotated: bodies that stand
 * together far from the origin lose nothing but the rounding of their positions. Quaternions need not be of length 1.
 */
export function relativeFrame(a: ReadonlyPose, b: ReadonlyPose, out: Frame = makeFrame()): Frame {
  const { x: ax, y: ay, z: az, w: aw } = a.quaternion;
  const { x: bx, y: by, z: bz, w: bw } = b.quaternion;
  // conjugate(a) b
  const x = aw * bx - ax * bw - ay * bz + az * by;
  const y = aw * by + ax * bz - ay * bw - az * bx;
  const z = aw * bz - ax * by + ay * bx - az * bw;
  const w = aw * bw + ax * bx + ay * by + az * bz;
  const s = 2 / (x * x + y * y + z * z + w * w);
  const dx = b.position.x - a.position.x;
  const dy = b.position.y - a.position.y;
  const dz = b.position.z - a.position.z;
  out.m00 = 1 - s * (y * y + z * z);
  out.m01 = s * (x * y - z * w);
  out.m02 = s * (x * z + y * w);
  out.m10 = s * (x * y + z * w);
  out.m11 = 1 - s * (x * x + z * z);
  out.m12 = s * (y * z - x * w);
  out.m20 = s * (x * z - y * w);
  out.m21 = s * (y * z + x * w);
  out.m22 = 1 - s * (x * x + y * y);
  // The difference, rotated back by a.
  const r = 2 / (ax * ax + ay * ay + az * az + aw * aw);
  out.tx = (1 - r * (ay * ay + az * az)) * dx + r * (ax * ay + az * aw) * dy + r * (ax * az - ay * aw) * dz;
  out.ty = r * (ax * ay - az * aw) * dx + (1 - r * (ax * ax + az * az)) * dy + r * (ay * az + ax * aw) * dz;
  out.tz = r * (ax * az + ay * aw) * dx + r * (ay * az - ax * aw) * dy + (1 - r * (ax * ax + ay * ay)) * dz;
  return out;
}

/** A point of the second body, in the space of the first. */
export function toFirst(f: Frame, { x, y, z }: ReadonlyVec3, out: Vec3): Vec3 {
  out.x = f.m00 * x + f.m01 * y + f.m02 * z + f.tx;
  out.y = f.m10 * x + f.m11 * y + f.m12 * z + f.ty;
  out.z = f.m20 * x + f.m21 * y + f.m22 * z + f.tz;
  return out;
}

/** A direction of the first body, in the space of the second. */
export function directionToSecond(f: Frame, { x, y, z }: ReadonlyVec3, out: Vec3): Vec3 {
  out.x = f.m00 * x + f.m10 * y + f.m20 * z;
  out.y = f.m01 * x + f.m11 * y + f.m21 * z;
  out.z = f.m02 * x + f.m12 * y + f.m22 * z;
  return out;
}

/** A direction of the second body, in the space of the first. */
export function directionToFirst(f: Frame, { x, y, z }: ReadonlyVec3, out: Vec3): Vec3 {
  out.x = f.m00 * x + f.m01 * y + f.m02 * z;
  out.y = f.m10 * x + f.m11 * y + f.m12 * z;
  out.z = f.m20 * x + f.m21 * y + f.m22 * z;
  return out;
}

/** A point of the first body, in the space of the second. */
export function toSecond(f: Frame, { x, y, z }: ReadonlyVec3, out: Vec3): Vec3 {
  out.x = x - f.tx;
  out.y = y - f.ty;
  out.z = z - f.tz;
  return directionToSecond(f, out, out);
}

/** The pose of the first body as the second sees it. */
export function invertFrame(f: Frame, out: Frame): Frame {
  const { m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz } = f;
  out.m00 = m00;
  out.m01 = m10;
  out.m02 = m20;
  out.m10 = m01;
  out.m11 = m11;
  out.m12 = m21;
  out.m20 = m02;
  out.m21 = m12;
  out.m22 = m22;
  out.tx = -(m00 * tx + m10 * ty + m20 * tz);
  out.ty = -(m01 * tx + m11 * ty + m21 * tz);
  out.tz = -(m02 * tx + m12 * ty + m22 * tz);
  return out;
}

/** The pose of the third body as the first sees it, from those of the second, as the first sees it, and of the third, as the second does. */
export function composeFrames(f: Frame, g: Frame, out: Frame): Frame {
  const { m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz } = g;
  const a00 = f.m00 * m00 + f.m01 * m10 + f.m02 * m20;
  const a01 = f.m00 * m01 + f.m01 * m11 + f.m02 * m21;
  const a02 = f.m00 * m02 + f.m01 * m12 + f.m02 * m22;
  const a10 = f.m10 * m00 + f.m11 * m10 + f.m12 * m20;
  const a11 = f.m10 * m01 + f.m11 * m11 + f.m12 * m21;
  const a12 = f.m10 * m02 + f.m11 * m12 + f.m12 * m22;
  const a20 = f.m20 * m00 + f.m21 * m10 + f.m22 * m20;
  const a21 = f.m20 * m01 + f.m21 * m11 + f.m22 * m21;
  const a22 = f.m20 * m02 + f.m21 * m12 + f.m22 * m22;
  const x = f.m00 * tx + f.m01 * ty + f.m02 * tz + f.tx;
  const y = f.m10 * tx + f.m11 * ty + f.m12 * tz + f.ty;
  const z = f.m20 * tx + f.m21 * ty + f.m22 * tz + f.tz;
  out.m00 = a00;
  out.m01 = a01;
  out.m02 = a02;
  out.m10 = a10;
  out.m11 = a11;
  out.m12 = a12;
  out.m20 = a20;
  out.m21 = a21;
  out.m22 = a22;
  out.tx = x;
  out.ty = y;
  out.tz = z;
  return out;
}

export function copyFrame(from: Frame, to: Frame): void {
  to.m00 = from.m00;
  to.m01 = from.m01;
  to.m02 = from.m02;
  to.m10 = from.m10;
  to.m11 = from.m11;
  to.m12 = from.m12;
  to.m20 = from.m20;
  to.m21 = from.m21;
  to.m22 = from.m22;
  to.tx = from.tx;
  to.ty = from.ty;
  to.tz = from.tz;
}

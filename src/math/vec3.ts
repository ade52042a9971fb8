/**
 * Arithmetic on `{x, y, z}`. Results go to `out`, which may be an input. Plain arithmetic: nothing is checked,
 * numbers behave as IEEE 754 says. RTCD §3.3.
 */
import type { ReadonlyMat3, ReadonlyQuat, ReadonlyVec3, Vec3 } from './types.ts';
import { vec3 } from './types.ts';

export function set(x: number, y: number, z: number, out: Vec3 = vec3()): Vec3 {
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}

export const copy = (a: ReadonlyVec3, out: Vec3 = vec3()): Vec3 => set(a.x, a.y, a.z, out);
export const add = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  set(a.x + b.x, a.y + b.y, a.z + b.z, out);
export const sub = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  set(a.x - b.x, a.y - b.y, a.z - b.z, out);
export const scale = (a: ReadonlyVec3, s: number, out: Vec3 = vec3()): Vec3 =>
  set(a.x * s, a.y * s, a.z * s, out);
export const negate = (a: ReadonlyVec3, out: Vec3 = vec3()): Vec3 => set(-a.x, -a.y, -a.z, out);
/** a + s b. */
export const addScaled = (a: ReadonlyVec3, b: ReadonlyVec3, s: number, out: Vec3 = vec3()): Vec3 =>
  set(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, out);
/** Component by component. */
export const multiply = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  set(a.x * b.x, a.y * b.y, a.z * b.z, out);
export const min = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  set(Math.min(a.x, b.x), Math.min(a.y, b.y), Math.min(a.z, b.z), out);
export const max = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  set(Math.max(a.x, b.x), Math.max(a.y, b.y), Math.max(a.z, b.z), out);
export const abs = (a: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  set(Math.abs(a.x), Math.abs(a.y), Math.abs(a.z), out);
/** a at t = 0 and exactly b at t = 1. */
export const lerp = (a: ReadonlyVec3, b: ReadonlyVec3, t: number, out: Vec3 = vec3()): Vec3 =>
  set(a.x * (1 - t) + b.x * t, a.y * (1 - t) + b.y * t, a.z * (1 - t) + b.z * t, out);

export const dot = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
export const cross = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  set(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, out);
/** Scalar triple product a · (b × c): the signed volume of their parallelepiped. */
export const triple = (a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): number =>
  a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
export const lengthSq = (a: ReadonlyVec3): number => a.x * a.x + a.y * a.y + a.z * a.z;

/** Length, right over the whole range of doubles: scaled when the squares would overflow or vanish. */
export function length(a: ReadonlyVec3): number {
  const sq = a.x * a.x + a.y * a.y + a.z * a.z;
  if (sq > 1e-280 && sq < 1e300) return Math.sqrt(sq);
  const m = Math.max(Math.abs(a.x), Math.abs(a.y), Math.abs(a.z));
  if (!(m > 0 && m < Infinity)) return m;
  const x = a.x / m;
  const y = a.y / m;
  const z = a.z / m;
  return m * Math.sqrt(x * x + y * y + z * z);
}

export const distanceSq = (a: ReadonlyVec3, b: ReadonlyVec3): number => {
  const x = a.x - b.x;
  const y = a.y - b.y;
  const z = a.z - b.z;
  return x * x + y * y + z * z;
};
export const distance = (a: ReadonlyVec3, b: ReadonlyVec3): number => Math.sqrt(distanceSq(a, b));

/** The unit vector along a; the zero vector stays zero. */
export function normalize(a: ReadonlyVec3, out: Vec3 = vec3()): Vec3 {
  const m = Math.max(Math.abs(a.x), Math.abs(a.y), Math.abs(a.z));
  if (!(m > 0)) return set(0, 0, 0, out);
  // Away from the ends of the range the scaling changes nothing but the cost.
  const s = m > 1e-140 && m < 1e140 ? 1 : 1 / m;
  const x = a.x * s;
  const y = a.y * s;
  const z = a.z * s;
  const l = Math.sqrt(x * x + y * y + z * z);
  return set(x / l, y / l, z / l, out);
}

/** a turned by the unit quaternion q. */
export function rotate(a: ReadonlyVec3, q: ReadonlyQuat, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = a;
  const { x: qx, y: qy, z: qz, w: qw } = q;
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  return set(
    x + qw * tx + (qy * tz - qz * ty),
    y + qw * ty + (qz * tx - qx * tz),
    z + qw * tz + (qx * ty - qy * tx),
    out,
  );
}

/** m a. */
export function transform(a: ReadonlyVec3, m: ReadonlyMat3, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = a;
  const e = m.elements;
  return set(
    e[0]! * x + e[3]! * y + e[6]! * z,
    e[1]! * x + e[4]! * y + e[7]! * z,
    e[2]! * x + e[5]! * y + e[8]! * z,
    out,
  );
}

/** mᵀ a: for a rotation, the way back. */
export function transformTransposed(a: ReadonlyVec3, m: ReadonlyMat3, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = a;
  const e = m.elements;
  return set(
    e[0]! * x + e[1]! * y + e[2]! * z,
    e[3]! * x + e[4]! * y + e[5]! * z,
    e[6]! * x + e[7]! * y + e[8]! * z,
    out,
  );
}

/** The same three numbers? */
export const equals = (a: ReadonlyVec3, b: ReadonlyVec3): boolean =>
  a.x === b.x && a.y === b.y && a.z === b.z;

/** Some unit vector at a right angle to a (which must not be zero). Frisvad 2012 fails at z = -1; this does not. */
export function perpendicular(a: ReadonlyVec3, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = a;
  return Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z)
    ? normalize(set(0, z, -y, out), out)
    : Math.abs(y) <= Math.abs(z)
      ? normalize(set(-z, 0, x, out), out)
      : normalize(set(y, -x, 0, out), out);
}

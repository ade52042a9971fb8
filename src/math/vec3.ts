/**
 * Arithmetic on `{x, y, z}`. Results go to `out`, which may be an input. Plain arithmetic: nothing is checked,
 * numbers behave as IEEE 754 says. RTCD §3.3.
 */
import { differenceOfProducts } from './accurate.ts';
import { exponent, scalb } from './float.ts';
import { atan2 } from './trig.ts';
import type { ReadonlyMat3, ReadonlyQuat, ReadonlyVec3, Vec3 } from './types.ts';
import { vec3 } from './types.ts';

export const set = (x: number, y: number, z: number, out: Vec3 = vec3()): Vec3 => put(x, y, z, out);

/** Small enough (27 bytes of bytecode) for V8 to inline everywhere, so that the numbers are never boxed. */
function put(x: number, y: number, z: number, out: Vec3): Vec3 {
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}

export const copy = (a: ReadonlyVec3, out: Vec3 = vec3()): Vec3 => put(a.x, a.y, a.z, out);
export const add = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  put(a.x + b.x, a.y + b.y, a.z + b.z, out);
export const sub = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  put(a.x - b.x, a.y - b.y, a.z - b.z, out);
export const scale = (a: ReadonlyVec3, s: number, out: Vec3 = vec3()): Vec3 =>
  put(a.x * s, a.y * s, a.z * s, out);
export const negate = (a: ReadonlyVec3, out: Vec3 = vec3()): Vec3 => put(-a.x, -a.y, -a.z, out);
/** a + s b. */
export const addScaled = (a: ReadonlyVec3, b: ReadonlyVec3, s: number, out: Vec3 = vec3()): Vec3 =>
  put(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, out);
/** Component by component. */
export const multiply = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  put(a.x * b.x, a.y * b.y, a.z * b.z, out);
export const min = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  put(Math.min(a.x, b.x), Math.min(a.y, b.y), Math.min(a.z, b.z), out);
export const max = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  put(Math.max(a.x, b.x), Math.max(a.y, b.y), Math.max(a.z, b.z), out);
export const abs = (a: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  put(Math.abs(a.x), Math.abs(a.y), Math.abs(a.z), out);
/** a at t = 0 and exactly b at t = 1. */
export const lerp = (a: ReadonlyVec3, b: ReadonlyVec3, t: number, out: Vec3 = vec3()): Vec3 =>
  put(a.x * (1 - t) + b.x * t, a.y * (1 - t) + b.y * t, a.z * (1 - t) + b.z * t, out);

export const dot = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
export const cross = (a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 =>
  put(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, out);
/** Scalar triple product a · (b × c): the signed volume of their parallelepiped. */
export const triple = (a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): number =>
  a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
/**
 * a × b with each component right to three ulps, where `cross` may lose every digit: zero only for parallel vectors.
 * It is `differenceOfProducts` thrice, written out so that no number crosses a call, which would box it.
 */
export function crossAccurate(a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 {
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  let x = ay * bz - az * by;
  let y = az * bx - ax * bz;
  let z = ax * by - ay * bx;
  // A difference of at least half a product has lost no more than the roundings of the products.
  if (
    !(Math.abs(x) >= 0.5 * Math.abs(ay * bz)) ||
    !(Math.abs(y) >= 0.5 * Math.abs(az * bx)) ||
    !(Math.abs(z) >= 0.5 * Math.abs(ax * by)) ||
    (x + y + z) * 0 !== 0
  ) {
    split(a, left);
    split(b, right);
    for (let i = 0; i < 3; i++) differenceAt(i);
    x = components[0]!;
    y = components[1]!;
    z = components[2]!;
  }
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}
/** Three factors, and the upper halves of their digits. */
const left = /* @__PURE__ */ new Float64Array(6);
const right = /* @__PURE__ */ new Float64Array(6);
const components = /* @__PURE__ */ new Float64Array(3);

function split(a: ReadonlyVec3, to: Float64Array): void {
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
  for (let i = 0; i < 3; i++) {
    const big = 134217729 * to[i]!; // 2^27 + 1: Veltkamp's splitting
    to[i + 3] = big - (big - to[i]!);
  }
}

/** Component i of the product. */
function differenceAt(i: number): void {
  const j = i === 2 ? 0 : i + 1;
  const k = i === 0 ? 2 : i - 1;
  const p = left[j]! * right[k]!;
  const q = left[k]! * right[j]!;
  const plain = p - q;
  if (Math.abs(plain) >= 0.5 * Math.abs(p) && plain * 0 === 0) {
    components[i] = plain;
    return;
  }
  const jl = left[j + 3]!;
  const kl = left[k + 3]!;
  const jr = right[j + 3]!;
  const kr = right[k + 3]!;
  if (!(Math.abs(p) > 1e-290 && Math.abs(p) + Math.abs(q) < 1e300 && (jl + kl + jr + kr) * 0 === 0)) {
    components[i] = differenceOfProducts(left[j]!, right[k]!, left[k]!, right[j]!);
    return;
  }
  const jlLow = left[j]! - jl;
  const klLow = left[k]! - kl;
  const jrLow = right[j]! - jr;
  const krLow = right[k]! - kr;
  const pLost = jlLow * krLow - (p - jl * kr - jlLow * kr - jl * krLow);
  const qLost = klLow * jrLow - (q - kl * jr - klLow * jr - kl * jrLow);
  components[i] = plain + (pLost - qLost);
}

export const lengthSq = (a: ReadonlyVec3): number => a.x * a.x + a.y * a.y + a.z * a.z;

/** Length, right over the whole range of doubles: scaled when the squares would overflow or vanish. */
export const length = (a: ReadonlyVec3): number => norm(a.x, a.y, a.z);

export const distanceSq = (a: ReadonlyVec3, b: ReadonlyVec3): number => {
  const x = a.x - b.x;
  const y = a.y - b.y;
  const z = a.z - b.z;
  return x * x + y * y + z * z;
};
/** Distance, right over the whole range of doubles like `length`. */
export const distance = (a: ReadonlyVec3, b: ReadonlyVec3): number => norm(a.x - b.x, a.y - b.y, a.z - b.z);

function norm(x: number, y: number, z: number): number {
  const sq = x * x + y * y + z * z;
  if (sq > 1e-280 && sq < 1e300) return Math.sqrt(sq);
  const m = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  if (!(m > 0 && m < Infinity)) return m;
  const u = x / m;
  const v = y / m;
  const w = z / m;
  return m * Math.sqrt(u * u + v * v + w * w);
}

/** The unit vector along a; the zero vector stays zero. */
export function normalize(a: ReadonlyVec3, out: Vec3 = vec3()): Vec3 {
  const m = Math.max(Math.abs(a.x), Math.abs(a.y), Math.abs(a.z));
  if (m === 0) return put(0, 0, 0, out);
  // Away from the ends of the range the scaling changes nothing but the cost.
  const s = m > 1e-140 && m < 1e140 ? 1 : m;
  const x = a.x / s;
  const y = a.y / s;
  const z = a.z / s;
  const l = Math.sqrt(x * x + y * y + z * z);
  return put(x / l, y / l, z / l, out);
}

/** The part of a along b (which need not be a unit vector); zero when b is zero. */
export function project(a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 {
  const m = Math.max(Math.abs(b.x), Math.abs(b.y), Math.abs(b.z));
  if (m === 0) return put(0, 0, 0, out);
  const x = b.x / m;
  const y = b.y / m;
  const z = b.z / m;
  const s = (a.x * x + a.y * y + a.z * z) / (x * x + y * y + z * z);
  return put(s * x, s * y, s * z, out);
}

/** The part of a at a right angle to b: what `project` leaves. All of a when b is zero. */
export function reject(a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = a;
  project(a, b, out);
  return put(x - out.x, y - out.y, z - out.z, out);
}

/**
 * The angle between a and b, in [0, π]; 0 when one of them is zero. From both the sine and the cosine: right to a few
 * ulps for the smallest angles and those next to π, where the arc cosine of the dot product knows half the digits.
 */
export function angle(a: ReadonlyVec3, b: ReadonlyVec3): number {
  inRange(a, scaledA);
  inRange(b, scaledB);
  const c = dot(scaledA, scaledB) + 0; // no negative zero: its angle would be π
  crossAccurate(scaledA, scaledB, scaledA);
  return atan2(length(scaledA), c);
}
const scaledA = /* @__PURE__ */ vec3();
const scaledB = /* @__PURE__ */ vec3();

/** a times a power of two, if it takes one to keep products with it from overflowing or vanishing. */
function inRange(a: ReadonlyVec3, out: Vec3): void {
  const m = Math.max(Math.abs(a.x), Math.abs(a.y), Math.abs(a.z));
  if ((m > 1e-70 && m < 1e70) || m === 0) {
    copy(a, out);
    return;
  }
  // Not by one factor: that of the smallest numbers is beyond the range.
  const e = -exponent(m);
  set(scalb(a.x, e), scalb(a.y, e), scalb(a.z, e), out);
}

/** a rotated by the unit quaternion q. */
export function rotate(a: ReadonlyVec3, q: ReadonlyQuat, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = a;
  const { x: qx, y: qy, z: qz, w: qw } = q;
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  return put(
    x + qw * tx + (qy * tz - qz * ty),
    y + qw * ty + (qz * tx - qx * tz),
    z + qw * tz + (qx * ty - qy * tx),
    out,
  );
}

/** a rotated by the inverse of the unit quaternion q. */
export function rotateInverse(a: ReadonlyVec3, q: ReadonlyQuat, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = a;
  const { x: qx, y: qy, z: qz, w: qw } = q;
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  return put(
    x - qw * tx + (qy * tz - qz * ty),
    y - qw * ty + (qz * tx - qx * tz),
    z - qw * tz + (qx * ty - qy * tx),
    out,
  );
}

/** m a. */
export function transform(a: ReadonlyVec3, m: ReadonlyMat3, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = a;
  const e = m.elements;
  return put(
    e[0]! * x + e[3]! * y + e[6]! * z,
    e[1]! * x + e[4]! * y + e[7]! * z,
    e[2]! * x + e[5]! * y + e[8]! * z,
    out,
  );
}

/** mᵀ a: for a rotation, the inverse rotation. */
export function transformTransposed(a: ReadonlyVec3, m: ReadonlyMat3, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = a;
  const e = m.elements;
  return put(
    e[0]! * x + e[1]! * y + e[2]! * z,
    e[3]! * x + e[4]! * y + e[5]! * z,
    e[6]! * x + e[7]! * y + e[8]! * z,
    out,
  );
}

/** The same three numbers? */
export const equals = (a: ReadonlyVec3, b: ReadonlyVec3): boolean =>
  a.x === b.x && a.y === b.y && a.z === b.z;

/** Some unit vector at a right angle to a; zero when a is zero. Frisvad 2012 fails at z = -1; this does not. */
export function perpendicular(a: ReadonlyVec3, out: Vec3 = vec3()): Vec3 {
  const { x, y, z } = a;
  return Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z)
    ? normalize(put(0, z, -y, out), out)
    : Math.abs(y) <= Math.abs(z)
      ? normalize(put(-z, 0, x, out), out)
      : normalize(put(y, -x, 0, out), out);
}

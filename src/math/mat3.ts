/**
 * Arithmetic on 3×3 matrices, `{ elements }` column by column. Results go to `out`, which may be an input. Plain
 * arithmetic: nothing is checked. RTCD §3.1.
 */
import * as q4 from './quat.ts';
import { dotIsSignificant } from './solve.ts';
import type { Mat3, ReadonlyMat3, ReadonlyQuat, ReadonlyVec3, Vec3 } from './types.ts';
import { mat3, quat, vec3 } from './types.ts';
import { crossAccurate, set as setVec3, triple } from './vec3.ts';

export function identity(out: Mat3 = mat3()): Mat3 {
  for (let i = 0; i < 9; i++) out.elements[i] = i % 4 === 0 ? 1 : 0;
  return out;
}

export function copy(m: ReadonlyMat3, out: Mat3 = mat3()): Mat3 {
  column(m, 0, c0);
  column(m, 1, c1);
  column(m, 2, c2);
  return fromColumns(c0, c1, c2, out);
}

export function fromColumns(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, out: Mat3 = mat3()): Mat3 {
  const e = out.elements;
  e[0] = a.x;
  e[1] = a.y;
  e[2] = a.z;
  e[3] = b.x;
  e[4] = b.y;
  e[5] = b.z;
  e[6] = c.x;
  e[7] = c.y;
  e[8] = c.z;
  return out;
}

/** The rotation by the unit quaternion q. */
export function fromQuat(q: ReadonlyQuat, out: Mat3 = mat3()): Mat3 {
  const { x, y, z, w } = q;
  const e = out.elements;
  e[0] = 1 - 2 * (y * y + z * z);
  e[1] = 2 * (x * y + w * z);
  e[2] = 2 * (x * z - w * y);
  e[3] = 2 * (x * y - w * z);
  e[4] = 1 - 2 * (x * x + z * z);
  e[5] = 2 * (y * z + w * x);
  e[6] = 2 * (x * z + w * y);
  e[7] = 2 * (y * z - w * x);
  e[8] = 1 - 2 * (x * x + y * y);
  return out;
}

/** The rotation by `angle` about the unit vector `axis`, counter-clockwise when it points at the viewer. */
export const fromAxisAngle = (axis: ReadonlyVec3, angle: number, out: Mat3 = mat3()): Mat3 =>
  fromQuat(q4.fromAxisAngle(axis, angle, rotation), out);
const rotation = quat();

/** Column 0, 1 or 2. */
export function column(m: ReadonlyMat3, index: number, out: Vec3 = vec3()): Vec3 {
  const e = m.elements;
  return setVec3(e[3 * index]!, e[3 * index + 1]!, e[3 * index + 2]!, out);
}

/** Row 0, 1 or 2. */
export function row(m: ReadonlyMat3, index: number, out: Vec3 = vec3()): Vec3 {
  const e = m.elements;
  return setVec3(e[index]!, e[index + 3]!, e[index + 6]!, out);
}

/** All of the result, before any of it is written: the arrays of `out` and an input may overlap. */
const whole = new Float64Array(9);

function write({ elements }: Mat3): void {
  for (let i = 0; i < 9; i++) elements[i] = whole[i]!;
}

export function add(a: ReadonlyMat3, b: ReadonlyMat3, out: Mat3 = mat3()): Mat3 {
  for (let i = 0; i < 9; i++) whole[i] = a.elements[i]! + b.elements[i]!;
  write(out);
  return out;
}

export function scale(m: ReadonlyMat3, s: number, out: Mat3 = mat3()): Mat3 {
  for (let i = 0; i < 9; i++) whole[i] = s * m.elements[i]!;
  write(out);
  return out;
}

export function abs(m: ReadonlyMat3, out: Mat3 = mat3()): Mat3 {
  for (let i = 0; i < 9; i++) whole[i] = Math.abs(m.elements[i]!);
  write(out);
  return out;
}

export function transpose(m: ReadonlyMat3, out: Mat3 = mat3()): Mat3 {
  row(m, 0, c0);
  row(m, 1, c1);
  row(m, 2, c2);
  return fromColumns(c0, c1, c2, out);
}

/** a b: first b, then a. */
export function multiply(a: ReadonlyMat3, b: ReadonlyMat3, out: Mat3 = mat3()): Mat3 {
  column(a, 0, c0);
  column(a, 1, c1);
  column(a, 2, c2);
  combine(b, 0, r0);
  combine(b, 1, r1);
  combine(b, 2, r2);
  return fromColumns(r0, r1, r2, out);
}

/** The columns c0, c1, c2 weighted by a column of m. */
function combine(m: ReadonlyMat3, index: number, out: Vec3): void {
  const u = m.elements[3 * index]!;
  const v = m.elements[3 * index + 1]!;
  const w = m.elements[3 * index + 2]!;
  out.x = c0.x * u + c1.x * v + c2.x * w;
  out.y = c0.y * u + c1.y * v + c2.y * w;
  out.z = c0.z * u + c1.z * v + c2.z * w;
}

/** aᵀ b: for rotations, b as seen from a. */
export function multiplyTransposed(a: ReadonlyMat3, b: ReadonlyMat3, out: Mat3 = mat3()): Mat3 {
  row(a, 0, c0);
  row(a, 1, c1);
  row(a, 2, c2);
  combine(b, 0, r0);
  combine(b, 1, r1);
  combine(b, 2, r2);
  return fromColumns(r0, r1, r2, out);
}

export function determinant(m: ReadonlyMat3): number {
  column(m, 0, c0);
  column(m, 1, c1);
  column(m, 2, c2);
  return triple(c0, c1, c2);
}

/**
 * The inverse, or null for a matrix that is singular up to a few roundings of its elements (at any scale of its rows
 * and columns, as long as the products of three elements stay within the range of doubles).
 */
export function inverse(m: ReadonlyMat3, out: Mat3 = mat3()): Mat3 | null {
  column(m, 0, c0);
  column(m, 1, c1);
  column(m, 2, c2);
  crossAccurate(c1, c2, r0);
  if (!dotIsSignificant(c0, r0)) return null;
  const det = c0.x * r0.x + c0.y * r0.y + c0.z * r0.z;
  crossAccurate(c2, c0, r1);
  crossAccurate(c0, c1, r2);
  // The rows of the inverse.
  transpose(fromColumns(r0, r1, r2, out), out);
  for (let i = 0; i < 9; i++) out.elements[i] = out.elements[i]! / det;
  return out;
}
const c0 = vec3();
const c1 = vec3();
const c2 = vec3();
const r0 = vec3();
const r1 = vec3();
const r2 = vec3();

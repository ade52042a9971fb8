/**
 * Arithmetic on 2×2 matrices, `{ elements }` column by column. Results go to `out`, which may be an input. Plain
 * arithmetic: nothing is checked. RTCD §3.1.
 */
import { differenceOfProducts } from './accurate.ts';
import { ROUNDING } from './solve.ts';
import { makeSinCos, sincos } from './trig.ts';
import type { Mat2, ReadonlyMat2, ReadonlyVec2, Vec2 } from './types.ts';
import { mat2, vec2 } from './types.ts';

/** The matrix with rows (m00, m01) and (m10, m11). */
export function set(m00: number, m01: number, m10: number, m11: number, out: Mat2 = mat2()): Mat2 {
  const e = out.elements;
  e[0] = m00;
  e[1] = m10;
  e[2] = m01;
  e[3] = m11;
  return out;
}

export const identity = (out: Mat2 = mat2()): Mat2 => set(1, 0, 0, 1, out);

export function copy(m: ReadonlyMat2, out: Mat2 = mat2()): Mat2 {
  const e = m.elements;
  return set(e[0]!, e[2]!, e[1]!, e[3]!, out);
}

export const fromColumns = (a: ReadonlyVec2, b: ReadonlyVec2, out: Mat2 = mat2()): Mat2 =>
  set(a.x, b.x, a.y, b.y, out);

/** The rotation by `angle`, counter-clockwise. */
export function fromAngle(angle: number, out: Mat2 = mat2()): Mat2 {
  const { sin: s, cos: c } = sincos(angle, sinCos);
  return set(c, -s, s, c, out);
}
const sinCos = makeSinCos();

/** Column 0 or 1. */
export function column(m: ReadonlyMat2, index: number, out: Vec2 = vec2()): Vec2 {
  out.x = m.elements[2 * index]!;
  out.y = m.elements[2 * index + 1]!;
  return out;
}

/** Row 0 or 1. */
export function row(m: ReadonlyMat2, index: number, out: Vec2 = vec2()): Vec2 {
  out.x = m.elements[index]!;
  out.y = m.elements[index + 2]!;
  return out;
}

export function add(a: ReadonlyMat2, b: ReadonlyMat2, out: Mat2 = mat2()): Mat2 {
  const e = a.elements;
  const f = b.elements;
  return set(e[0]! + f[0]!, e[2]! + f[2]!, e[1]! + f[1]!, e[3]! + f[3]!, out);
}

export function scale(m: ReadonlyMat2, s: number, out: Mat2 = mat2()): Mat2 {
  const e = m.elements;
  return set(e[0]! * s, e[2]! * s, e[1]! * s, e[3]! * s, out);
}

export function abs(m: ReadonlyMat2, out: Mat2 = mat2()): Mat2 {
  const e = m.elements;
  return set(Math.abs(e[0]!), Math.abs(e[2]!), Math.abs(e[1]!), Math.abs(e[3]!), out);
}

export function transpose(m: ReadonlyMat2, out: Mat2 = mat2()): Mat2 {
  const e = m.elements;
  return set(e[0]!, e[1]!, e[2]!, e[3]!, out);
}

/** a b: first b, then a. */
export function multiply(a: ReadonlyMat2, b: ReadonlyMat2, out: Mat2 = mat2()): Mat2 {
  const p = a.elements;
  const q = b.elements;
  return set(
    p[0]! * q[0]! + p[2]! * q[1]!,
    p[0]! * q[2]! + p[2]! * q[3]!,
    p[1]! * q[0]! + p[3]! * q[1]!,
    p[1]! * q[2]! + p[3]! * q[3]!,
    out,
  );
}

/** Right to three ulps, and so with the right sign. */
export function determinant(m: ReadonlyMat2): number {
  const e = m.elements;
  return differenceOfProducts(e[0]!, e[3]!, e[2]!, e[1]!);
}

/** The inverse, or null for a matrix that is singular up to a few roundings of its elements (at any scale). */
export function inverse(m: ReadonlyMat2, out: Mat2 = mat2()): Mat2 | null {
  const a = m.elements[0]!;
  const b = m.elements[1]!;
  const c = m.elements[2]!;
  const d = m.elements[3]!;
  const det = differenceOfProducts(a, d, c, b);
  if (!(Math.abs(det) > ROUNDING * (Math.abs(a * d) + Math.abs(c * b)))) return null;
  return set(d / det, -c / det, -b / det, a / det, out);
}

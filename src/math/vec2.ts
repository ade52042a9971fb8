/**
 * Arithmetic on `{x, y}`. Results go to `out`, which may be an input. Plain arithmetic: nothing is checked, numbers
 * behave as IEEE 754 says. RTCD §3.3.
 */
import { differenceOfProducts } from './accurate.ts';
import { exponent, scalb } from './float.ts';
import { atan2 } from './trig.ts';
import type { ReadonlyMat2, ReadonlyVec2, Vec2 } from './types.ts';
import { vec2 } from './types.ts';

export const set = (x: number, y: number, out: Vec2 = vec2()): Vec2 => put(x, y, out);

/** Small enough (27 bytes of bytecode) for V8 to inline everywhere, so that the numbers are never boxed. */
function put(x: number, y: number, out: Vec2): Vec2 {
  out.x = x;
  out.y = y;
  return out;
}

export const copy = (a: ReadonlyVec2, out: Vec2 = vec2()): Vec2 => put(a.x, a.y, out);
export const add = (a: ReadonlyVec2, b: ReadonlyVec2, out: Vec2 = vec2()): Vec2 =>
  put(a.x + b.x, a.y + b.y, out);
export const sub = (a: ReadonlyVec2, b: ReadonlyVec2, out: Vec2 = vec2()): Vec2 =>
  put(a.x - b.x, a.y - b.y, out);
export const scale = (a: ReadonlyVec2, s: number, out: Vec2 = vec2()): Vec2 => put(a.x * s, a.y * s, out);
export const negate = (a: ReadonlyVec2, out: Vec2 = vec2()): Vec2 => put(-a.x, -a.y, out);
/** a + s b. */
export const addScaled = (a: ReadonlyVec2, b: ReadonlyVec2, s: number, out: Vec2 = vec2()): Vec2 =>
  put(a.x + s * b.x, a.y + s * b.y, out);
/** Component by component. */
export const multiply = (a: ReadonlyVec2, b: ReadonlyVec2, out: Vec2 = vec2()): Vec2 =>
  put(a.x * b.x, a.y * b.y, out);
export const min = (a: ReadonlyVec2, b: ReadonlyVec2, out: Vec2 = vec2()): Vec2 =>
  put(Math.min(a.x, b.x), Math.min(a.y, b.y), out);
export const max = (a: ReadonlyVec2, b: ReadonlyVec2, out: Vec2 = vec2()): Vec2 =>
  put(Math.max(a.x, b.x), Math.max(a.y, b.y), out);
export const abs = (a: ReadonlyVec2, out: Vec2 = vec2()): Vec2 => put(Math.abs(a.x), Math.abs(a.y), out);
/** a at t = 0 and exactly b at t = 1. */
export const lerp = (a: ReadonlyVec2, b: ReadonlyVec2, t: number, out: Vec2 = vec2()): Vec2 =>
  put(a.x * (1 - t) + b.x * t, a.y * (1 - t) + b.y * t, out);

export const dot = (a: ReadonlyVec2, b: ReadonlyVec2): number => a.x * b.x + a.y * b.y;
/** a rotated by a quarter turn counter-clockwise. */
export const perp = (a: ReadonlyVec2, out: Vec2 = vec2()): Vec2 => put(-a.y, a.x, out);
/** perp(a) · b = |a| |b| sin of the angle from a to b: > 0 when b points to the left of a; perpDot(x, y) = 1. */
export const perpDot = (a: ReadonlyVec2, b: ReadonlyVec2): number => a.x * b.y - a.y * b.x;
export const lengthSq = (a: ReadonlyVec2): number => a.x * a.x + a.y * a.y;
/** Length, right over the whole range of doubles: scaled when the squares would overflow or vanish. */
export const length = (a: ReadonlyVec2): number => norm(a.x, a.y);

export const distanceSq = (a: ReadonlyVec2, b: ReadonlyVec2): number => {
  const x = a.x - b.x;
  const y = a.y - b.y;
  return x * x + y * y;
};
/** Distance, right over the whole range of doubles like `length`. */
export const distance = (a: ReadonlyVec2, b: ReadonlyVec2): number => norm(a.x - b.x, a.y - b.y);

function norm(x: number, y: number): number {
  const sq = x * x + y * y;
  if (sq > 1e-280 && sq < 1e300) return Math.sqrt(sq);
  const m = Math.max(Math.abs(x), Math.abs(y));
  if (!(m > 0 && m < Infinity)) return m;
  const u = x / m;
  const v = y / m;
  return m * Math.sqrt(u * u + v * v);
}

/** The unit vector along a; the zero vector stays zero. */
export function normalize(a: ReadonlyVec2, out: Vec2 = vec2()): Vec2 {
  const m = Math.max(Math.abs(a.x), Math.abs(a.y));
  if (m === 0) return put(0, 0, out);
  // Away from the ends of the range the scaling changes nothing but the cost.
  const s = m > 1e-140 && m < 1e140 ? 1 : m;
  const x = a.x / s;
  const y = a.y / s;
  const l = Math.sqrt(x * x + y * y);
  return put(x / l, y / l, out);
}

/** The part of a along b (which need not be a unit vector); zero when b is zero. */
export function project(a: ReadonlyVec2, b: ReadonlyVec2, out: Vec2 = vec2()): Vec2 {
  const m = Math.max(Math.abs(b.x), Math.abs(b.y));
  if (m === 0) return put(0, 0, out);
  const x = b.x / m;
  const y = b.y / m;
  const s = (a.x * x + a.y * y) / (x * x + y * y);
  return put(s * x, s * y, out);
}

/** The part of a at a right angle to b: what `project` leaves. All of a when b is zero. */
export function reject(a: ReadonlyVec2, b: ReadonlyVec2, out: Vec2 = vec2()): Vec2 {
  const { x, y } = a;
  project(a, b, out);
  return put(x - out.x, y - out.y, out);
}

/** The angle between a and b, in [0, π]; 0 when one of them is zero. Right to a few ulps, however small. */
export const angle = (a: ReadonlyVec2, b: ReadonlyVec2): number => Math.abs(signedAngle(a, b));

/** The angle from a to b, counter-clockwise, in [-π, π]: π for opposite vectors, 0 when one of them is zero. */
export function signedAngle(a: ReadonlyVec2, b: ReadonlyVec2): number {
  const { x: ax, y: ay } = inRange(a, scaledA);
  const { x: bx, y: by } = inRange(b, scaledB);
  return atan2(differenceOfProducts(ax, by, ay, bx) + 0, ax * bx + ay * by + 0); // + 0: no negative zeros
}
const scaledA = vec2();
const scaledB = vec2();

/** a times a power of two, if it takes one to keep products with it from overflowing or vanishing. */
function inRange(a: ReadonlyVec2, out: Vec2): Vec2 {
  const m = Math.max(Math.abs(a.x), Math.abs(a.y));
  return scale(a, (m > 1e-70 && m < 1e70) || m === 0 ? 1 : scalb(1, -exponent(m)), out);
}

/** m a. */
export function transform(a: ReadonlyVec2, m: ReadonlyMat2, out: Vec2 = vec2()): Vec2 {
  const { x, y } = a;
  const e = m.elements;
  return put(e[0]! * x + e[2]! * y, e[1]! * x + e[3]! * y, out);
}

/** mᵀ a: for a rotation, the inverse rotation. */
export function transformTransposed(a: ReadonlyVec2, m: ReadonlyMat2, out: Vec2 = vec2()): Vec2 {
  const { x, y } = a;
  const e = m.elements;
  return put(e[0]! * x + e[1]! * y, e[2]! * x + e[3]! * y, out);
}

/** The same two numbers? */
export const equals = (a: ReadonlyVec2, b: ReadonlyVec2): boolean => a.x === b.x && a.y === b.y;

/** The unit vector a quarter turn counter-clockwise from a; zero when a is zero. */
export const perpendicular = (a: ReadonlyVec2, out: Vec2 = vec2()): Vec2 =>
  normalize(put(-a.y, a.x, out), out);

/**
 * Doubles as integers, for decisions without rounding: a double is an integer times a power of two, the unit. What is
 * computed exactly is rounded once, at the end.
 *
 * @internal
 */
import { exponent, scalb } from './float.ts';
import type { ReadonlyVec3 } from './types.ts';

/** A vector of integers. */
export type BigVec = readonly [bigint, bigint, bigint];

/** The exponent of the last bit of the number: it is an integer times 2 to that. Infinity for 0. */
export const unitOf = (x: number): number => (x === 0 ? Infinity : exponent(x) - 52);

/** The unit in which all coordinates of the points are integers. */
export function unitOfPoints(points: readonly ReadonlyVec3[]): number {
  let smallest = Infinity;
  for (const { x, y, z } of points) {
    if (x !== 0) smallest = Math.min(smallest, Math.abs(x));
    if (y !== 0) smallest = Math.min(smallest, Math.abs(y));
    if (z !== 0) smallest = Math.min(smallest, Math.abs(z));
  }
  return smallest === Infinity ? Infinity : unitOf(smallest);
}

/** x / 2^unit, which must be an integer: the unit must be no larger than that of x. */
export function toInteger(x: number, unit: number): bigint {
  if (x === 0) return 0n;
  const own = unitOf(x);
  return BigInt(scalb(x, -own)) << BigInt(own - unit);
}

/** The point in that unit. */
export const toIntegers = ({ x, y, z }: ReadonlyVec3, unit: number): BigVec => [
  toInteger(x, unit),
  toInteger(y, unit),
  toInteger(z, unit),
];

export const dot = (a: BigVec, b: BigVec): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a: BigVec, b: BigVec): BigVec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const cross = (a: BigVec, b: BigVec): BigVec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const isZero = (a: BigVec): boolean => a[0] === 0n && a[1] === 0n && a[2] === 0n;

export const signOf = (n: bigint): -1 | 0 | 1 => (n > 0n ? 1 : n < 0n ? -1 : 0);

/** At most three more than the number of binary digits of |n|, and no less. */
export function bitLength(n: bigint): number {
  return 4 * (n < 0n ? -n : n).toString(16).length;
}

/** n as a double times a power of two, within half an ulp and 2^-60 of that. The double is 0 or 2^59 or more. */
function parts(n: bigint, d: bigint): { value: number; shift: number } {
  if (n === 0n) return { value: 0, shift: 0 };
  const up = bitLength(d) - bitLength(n) + 68;
  return { value: Number(up >= 0 ? (n << BigInt(up)) / d : n / (d << BigInt(-up))), shift: -up };
}

/** n / d × 2^unit, rounded; d > 0. */
export function quotient(n: bigint, d: bigint, unit = 0): number {
  const { value, shift } = parts(n, d);
  return scalb(value, shift + (value === 0 ? 0 : unit));
}

/** √n / d × 2^unit, to an ulp; n >= 0, d > 0. */
export function rootQuotient(n: bigint, d: bigint, unit = 0): number {
  const { value, shift } = parts(n, d * d);
  if (value === 0) return 0;
  const odd = shift & 1;
  return scalb(Math.sqrt(odd ? 2 * value : value), (shift - odd) / 2 + unit);
}

/**
 * The numbers as doubles, all times one power of two that brings the largest near 1. Each is right to half an ulp, or
 * to 1e-300.
 */
export function approximate(numbers: readonly bigint[], out: Float64Array): void {
  let largest = 0;
  for (let i = 0; i < numbers.length; i++) {
    const x = Number(numbers[i]);
    out[i] = x;
    largest = Math.max(largest, Math.abs(x));
  }
  if (largest < 1e300) {
    if (largest === 0) return;
    const scale = scalb(1, -exponent(largest));
    for (let i = 0; i < numbers.length; i++) out[i]! *= scale;
    return;
  }
  let bits = 0;
  for (const n of numbers) bits = Math.max(bits, bitLength(n));
  const unit = 1n << BigInt(bits);
  for (let i = 0; i < numbers.length; i++) out[i] = quotient(numbers[i]!, unit);
}

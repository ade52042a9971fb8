/**
 * Exact rational arithmetic on BigInt, for oracles. A double is a rational number, so every decision and every
 * value that needs only + - * / has an exact answer to compare with.
 */
import type { ReadonlyVec3 } from '../../src/math/types.ts';

/** n / d, d > 0, not necessarily in lowest terms. */
export interface Q {
  readonly n: bigint;
  readonly d: bigint;
}

const bits = new DataView(new ArrayBuffer(8));

/** The exact value of a double (or of an integer). */
export function q(x: number | bigint): Q {
  if (typeof x === 'bigint') return { n: x, d: 1n };
  if (!Number.isFinite(x)) throw new RangeError(`not a finite number: ${x}`);
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  let n = exponent === 0 ? fraction : fraction | 0x10000000000000n;
  const shift = (exponent === 0 ? 1 : exponent) - 1075;
  if (word >> 63n) n = -n;
  if (shift >= 0) return { n: n << BigInt(shift), d: 1n };
  // Drop common factors of two, to keep the products short.
  let s = -shift;
  while (s > 0 && n !== 0n && (n & 1n) === 0n) {
    n >>= 1n;
    s--;
  }
  return n === 0n ? ZERO : { n, d: 1n << BigInt(s) };
}

export const ZERO: Q = { n: 0n, d: 1n };
export const ONE: Q = { n: 1n, d: 1n };

export const add = (a: Q, b: Q): Q =>
  a.d === b.d ? { n: a.n + b.n, d: a.d } : { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
export const neg = (a: Q): Q => ({ n: -a.n, d: a.d });
export const sub = (a: Q, b: Q): Q => add(a, neg(b));
export const mul = (a: Q, b: Q): Q => ({ n: a.n * b.n, d: a.d * b.d });
export function div(a: Q, b: Q): Q {
  if (b.n === 0n) throw new RangeError('division by zero');
  return b.n < 0n ? { n: -a.n * b.d, d: -a.d * b.n } : { n: a.n * b.d, d: a.d * b.n };
}
export const sign = (a: Q): -1 | 0 | 1 => (a.n > 0n ? 1 : a.n < 0n ? -1 : 0);
export const cmp = (a: Q, b: Q): -1 | 0 | 1 => sign(sub(a, b));
export const min = (a: Q, b: Q): Q => (cmp(a, b) <= 0 ? a : b);
export const max = (a: Q, b: Q): Q => (cmp(a, b) >= 0 ? a : b);
export const abs = (a: Q): Q => (a.n < 0n ? neg(a) : a);

/** To four bits, which is quick to tell. */
const bitLength = (n: bigint): number => 4 * n.toString(16).length;

/** The double nearest to a, off by at most an ulp. */
export function toNumber(a: Q): number {
  if (a.n === 0n) return 0;
  const negative = a.n < 0n;
  const n = negative ? -a.n : a.n;
  // Scale so that the integer quotient has 64 bits or so, then undo it in steps that cannot overflow early.
  const shift = bitLength(a.d) - bitLength(n) + 64;
  const quotient = Number(shift >= 0 ? (n << BigInt(shift)) / a.d : n / (a.d << BigInt(-shift)));
  const half = Math.trunc(-shift / 2);
  const value = quotient * 2 ** half * 2 ** (-shift - half);
  return negative ? -value : value;
}

/** A rational vector. */
export interface QVec {
  readonly x: Q;
  readonly y: Q;
  readonly z: Q;
}

export const qv = (v: ReadonlyVec3): QVec => ({ x: q(v.x), y: q(v.y), z: q(v.z) });
export const vadd = (a: QVec, b: QVec): QVec => ({ x: add(a.x, b.x), y: add(a.y, b.y), z: add(a.z, b.z) });
export const vsub = (a: QVec, b: QVec): QVec => ({ x: sub(a.x, b.x), y: sub(a.y, b.y), z: sub(a.z, b.z) });
export const vscale = (a: QVec, s: Q): QVec => ({ x: mul(a.x, s), y: mul(a.y, s), z: mul(a.z, s) });
export const vdot = (a: QVec, b: QVec): Q => add(add(mul(a.x, b.x), mul(a.y, b.y)), mul(a.z, b.z));
export const vcross = (a: QVec, b: QVec): QVec => ({
  x: sub(mul(a.y, b.z), mul(a.z, b.y)),
  y: sub(mul(a.z, b.x), mul(a.x, b.z)),
  z: sub(mul(a.x, b.y), mul(a.y, b.x)),
});
export const vzero = (a: QVec): boolean => a.x.n === 0n && a.y.n === 0n && a.z.n === 0n;
export const vnumber = (a: QVec): { x: number; y: number; z: number } => ({
  x: toNumber(a.x),
  y: toNumber(a.y),
  z: toNumber(a.z),
});

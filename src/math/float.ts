/**
 * What floating-point numbers are made of: spacing, neighbours, exponents, sort keys. RTCD §11.2.1. Plain
 * arithmetic: nothing is checked, NaN gives NaN.
 */

/** The spacing of single-precision numbers at 1: 2^-23. */
export const EPS32 = 1.1920928955078125e-7;
/** The spacing of doubles at 1: 2^-52. Half of it is the largest relative error of one rounding. */
export const EPS64 = 2.220446049250313e-16;

/** More than half and less than one and a half steps of single precision, relative. */
export const HALF_STEP32 = 5.9604708e-8;

const MAX_F32 = 3.4028234663852886e38; // (2 - 2^-23) 2^127
const bits = new DataView(new ArrayBuffer(8));

/**
 * The step between doubles in the binade of x, that is from |x| to the next larger one (at the largest double: the
 * step up to it). 5e-324 for zero and subnormal x, Infinity for infinities.
 */
export function ulp(x: number): number {
  const size = Math.abs(x);
  if (!(size < Infinity)) return size;
  const e = exponent(size);
  return e < -1021 ? Number.MIN_VALUE : scalb(1, e - 52);
}

/**
 * The next double above x; Infinity has none and stays. -0 and 0 both lead to 5e-324.
 *
 * In the middle of the range the neighbour is what x + |x| (2^-53 + 2^-105) rounds to: more than half a step up and
 * less than one and a half (Rump, Zimmermann, Boldo, Melquiond 2009). No bits are taken apart.
 */
export function nextUp(x: number): number {
  const size = Math.abs(x);
  if (size > 1e-290 && size <= Number.MAX_VALUE) return x + size * HALF_STEP;
  return nextUpAtTheEnds(x, size);
}

/** The next double below x; -Infinity stays. */
export const nextDown = (x: number): number => -nextUp(-x);

const HALF_STEP = 1.1102230246251568e-16; // 2^-53 (1 + 2^-52)

function nextUpAtTheEnds(x: number, size: number): number {
  if (x === -Infinity) return -Number.MAX_VALUE;
  if (!(size < Infinity)) return x;
  // Below 2^-1021 all steps are 5e-324; from there to 1e-290 the correction itself would be rounded.
  if (size < 4.450147717014403e-308) return x + Number.MIN_VALUE;
  return scalb(nextUp(scalb(x, 200)), -200);
}

/** The next single-precision number above x, which must be one itself; Infinity stays. */
export function nextUpF32(x: number): number {
  if (x === -Infinity) return -MAX_F32;
  // Between a half and one and a half steps up (2^-149 apart at the bottom), exactly in double, then rounded.
  return Math.fround(x + Math.max(Math.abs(x) * HALF_STEP32, 1e-45));
}

/** The next single-precision number below x, which must be one itself; -Infinity stays. */
export const nextDownF32 = (x: number): number => -nextUpF32(-x);

/** The smallest single-precision number that is not below x: how an upper bound is stored. May be Infinity. */
export function roundUpF32(x: number): number {
  const nearest = Math.fround(x);
  return nearest < x ? nextUpF32(nearest) : nearest;
}

/** The largest single-precision number that is not above x: how a lower bound is stored. May be -Infinity. */
export function roundDownF32(x: number): number {
  const nearest = Math.fround(x);
  return nearest > x ? nextDownF32(nearest) : nearest;
}

/**
 * An unsigned 32-bit integer that sorts as x (rounded to single precision) does: the bits of x, with the sign flipped
 * for positive numbers and all bits flipped for negative ones. -0 and 0 share a key; NaN comes last.
 */
export function sortKeyF32(x: number): number {
  if (Number.isNaN(x)) return 0xffffffff;
  bits.setFloat32(0, x + 0); // + 0 makes -0 into 0
  const word = bits.getInt32(0);
  return (word < 0 ? ~word : word ^ 0x80000000) >>> 0;
}

/** The single-precision number of a key. */
export function fromSortKeyF32(key: number): number {
  bits.setInt32(0, key >>> 31 ? key ^ 0x80000000 : ~key);
  return bits.getFloat32(0);
}

/** A 64-bit word in two halves, each an unsigned 32-bit integer. */
export interface Word64 {
  high: number;
  low: number;
}

export const makeWord64 = (): Word64 => ({ high: 0, low: 0 });

/** A 64-bit key, compared `high` first, that sorts as x does. -0 and 0 share a key; NaN comes last. */
export function sortKeyF64(x: number, out: Word64 = makeWord64()): Word64 {
  if (Number.isNaN(x)) {
    out.high = out.low = 0xffffffff;
    return out;
  }
  bits.setFloat64(0, x + 0);
  const high = bits.getInt32(0);
  const low = bits.getInt32(4);
  out.high = (high < 0 ? ~high : high ^ 0x80000000) >>> 0;
  out.low = (high < 0 ? ~low : low) >>> 0;
  return out;
}

/** The double of a key. */
export function fromSortKeyF64(key: Readonly<Word64>): number {
  const positive = key.high >>> 31 === 1;
  bits.setInt32(0, positive ? key.high ^ 0x80000000 : ~key.high);
  bits.setInt32(4, positive ? key.low : ~key.low);
  return bits.getFloat64(0);
}

/** The e with 2^e <= |x| < 2^(e+1): -1074 to 1023. -Infinity for zero, Infinity for infinities. */
export function exponent(x: number): number {
  bits.setFloat64(0, x);
  const e = (bits.getUint32(0) >>> 20) & 0x7ff;
  if (e === 0) return x === 0 ? -Infinity : exponent(x * TWO_54) - 54;
  return e === 0x7ff ? Math.abs(x) : e - 1023;
}

const TWO_54 = 18014398509481984;
const TWO_1023 = 8.98846567431158e307;
const TWO_MINUS_969 = 2.004168360008973e-292;

/**
 * x 2^n for integer n, rounded once (and so exact unless the result is subnormal or overflows). `**` may be off in
 * the last bit; this is not.
 */
export function scalb(x: number, n: number): number {
  // Two steps at most change anything. Downwards they are 53 binades shorter than could be, so that only the last
  // product can be subnormal: rounding twice would be wrong.
  for (let step = 0; step < 2 && n > 1023; step++) {
    x *= TWO_1023;
    n -= 1023;
  }
  for (let step = 0; step < 2 && n < -1022; step++) {
    x *= TWO_MINUS_969;
    n += 969;
  }
  bits.setUint32(0, (Math.max(-1022, Math.min(1023, n)) + 1023) << 20);
  bits.setUint32(4, 0);
  return x * bits.getFloat64(0);
}

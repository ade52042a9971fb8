/**
 * Expressions that lose digits when written down naively, in forms that do not. RTCD §11.2.3. Where nothing is said
 * about it a function is plain arithmetic: NaN gives NaN.
 */
import { ANY_FINITE, checkNumbers, describe, mustBeCoordinate, mustNotBeNegative, refuse } from './check.ts';
import { scalb } from './float.ts';

/** The part of a + b that rounding to `sum` lost, exactly, unless the sum overflows. Knuth's TwoSum. */
export function sumError(a: number, b: number, sum: number): number {
  const bRounded = sum - a;
  return a - (sum - bRounded) + (b - bRounded);
}

/**
 * The part of a b that rounding to `product` lost, exactly, where 1e-290 < |product| and |a|, |b|, |product| < 1e290.
 * Dekker 1971, after Veltkamp's splitting.
 */
export function productError(a: number, b: number, product: number): number {
  const aBig = 134217729 * a; // 2^27 + 1
  const aHigh = aBig - (aBig - a);
  const aLow = a - aHigh;
  const bBig = 134217729 * b;
  const bHigh = bBig - (bBig - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/**
 * a b - c d with a relative error below 6 × 2^-53, of the result, not of the products; so the sign is right, too. The
 * plain form may lose every digit. Near the bottom of the range the error is 5e-324 instead.
 */
export function differenceOfProducts(a: number, b: number, c: number, d: number): number {
  const ab = a * b;
  const cd = c * d;
  const plain = ab - cd;
  const size = Math.abs(ab);
  // The products are at most two and three times this difference, and so are their roundings: 2 + 3 + 1.
  if (Math.abs(plain) > 0.5 * size && Math.abs(plain) < Infinity) return plain;
  // Now `plain` is exact (Sterbenz). Cornea, Harrison and Tang; the error bound is Jeannerod's (2016).
  const factors = Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(d);
  if (size > 1e-290 && size < 1e290 && factors < 1e290 && Math.abs(cd) < 1e290)
    return plain + (productError(a, b, ab) - productError(c, d, cd));
  return scaledDifference(a, b, c, d, plain);
}

/**
 * The same near the ends of the range, where the errors of the products cannot be computed. The factors are brought away
 * from the ends: the larger one of each product by `down`, the smaller one by `up`.
 */
function scaledDifference(a: number, b: number, c: number, d: number, plain: number): number {
  const size = Math.max(Math.abs(a * b), Math.abs(c * d));
  if (size === 0 || 0 * a + 0 * b + 0 * c + 0 * d !== 0) return plain; // what is left is below the range, or not finite
  const up = size < 1e200 ? TWO_600 : 1 / TWO_600;
  const down = size > 1e-200 ? 1 / TWO_600 : 1;
  const isA = Math.abs(a) > Math.abs(b);
  const isC = Math.abs(c) > Math.abs(d);
  const sa = a * (isA ? down : up);
  const sb = b * (isA ? up : down);
  const sc = c * (isC ? down : up);
  const sd = d * (isC ? up : down);
  const ab = sa * sb;
  const cd = sc * sd;
  return (ab - cd + (productError(sa, sb, ab) - productError(sc, sd, cd))) / up / down;
}

const TWO_600 = 4.149515568880993e180;

/**
 * The sum of a list, with the roundings of all additions added back at the end: good to an ulp unless the terms cancel
 * to 1e-16 of their size. Refuses what is not finite. Neumaier 1974.
 */
export function compensatedSum(values: ArrayLike<number>): number {
  checkNumbers('compensatedSum', 'values', values, ANY_FINITE);
  const total = neumaierSum(values, 1);
  if (Number.isFinite(total)) return total;
  return scalb(neumaierSum(values, 5.421010862427522e-20), 64); // 2^-64: only partial sums overflowed, perhaps
}

function neumaierSum(values: ArrayLike<number>, scale: number): number {
  let sum = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]! * scale;
    const next = sum + value;
    lost += sumError(sum, value, next);
    sum = next;
  }
  return sum + lost;
}

/** √(x + dx) - √x, accurate however small dx is beside x. Refuses x < 0 and x + dx < 0. */
export function sqrtIncrement(x: number, dx: number): number {
  mustNotBeNegative('sqrtIncrement', 'x', x);
  mustBeCoordinate('sqrtIncrement', 'dx', dx, ANY_FINITE);
  const sum = x + dx;
  if (sum === Infinity) return 2 * sqrtIncrement(0.25 * x, 0.25 * dx);
  if (sum < 0) refuse('sqrtIncrement', 'dx', `must not reach below zero, got ${describe(dx)}`);
  return dx === 0 ? 0 : dx / (Math.sqrt(sum) + Math.sqrt(x));
}

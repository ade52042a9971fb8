/**
 * The determinant that decides on which side of an edge a line passes, without rounding: first in twice the working
 * precision, then, should that not be enough, as a sum of products whose errors are all kept.
 */
import { productError, sumError } from './accurate.ts';
import type { ReadonlyVec3 } from './types.ts';

/** Three rows of three components, each a difference of two doubles and so the sum of two: rounded, and remainder. */
const high = new Float64Array(9);
const low = new Float64Array(9);
/** The sums of the absolute values of the rows. */
const size = new Float64Array(3);
/** The determinant as a sum: 48 products of three factors, each of four parts. */
const terms = new Float64Array(192);
let count = 0;

/**
 * The error of `doubledDeterminant` is some twenty times 2^-106 |r0| |r1| |r2|, norms being sums of absolute values.
 * Above 2^-66 of that product, its sign is certain and ten digits are good.
 */
const DOUBLED_ENOUGH = 1.3552527156068805e-20;

/**
 * det(b - a, d - c, f - e) with a sign that is exactly right and at least ten good digits: the differences are
 * not rounded either. Right as long as the coordinates that are not zero lie between 1e-60 and 1e60 in size; beyond,
 * under- and overflow may spoil it.
 *
 * @internal
 */
export function exactDeterminant(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
  f: ReadonlyVec3,
): number {
  setRow(0, a, b);
  setRow(1, c, d);
  setRow(2, e, f);
  const doubled = doubledDeterminant(high, low);
  return Math.abs(doubled) > DOUBLED_ENOUGH * size[0]! * size[1]! * size[2]!
    ? doubled
    : expandedDeterminant();
}

/** The determinant of three rows that are sums of two doubles, in twice the working precision. @internal */
export function doubledDeterminant(high: Float64Array, low: Float64Array): number {
  let sum = 0;
  let rest = 0;
  for (let i = 0; i < 3; i++) {
    const j = i === 2 ? 0 : i + 1;
    const k = i === 0 ? 2 : i - 1;
    // The minor of component i of the first row.
    const yz = high[3 + j]! * high[6 + k]!;
    const zy = high[3 + k]! * high[6 + j]!;
    const plain = yz - zy;
    const minorRest =
      sumError(yz, -zy, plain) +
      (productError(high[3 + j]!, high[6 + k]!, yz) -
        productError(high[3 + k]!, high[6 + j]!, zy) +
        (high[3 + j]! * low[6 + k]! + low[3 + j]! * high[6 + k]!) -
        (high[3 + k]! * low[6 + j]! + low[3 + k]! * high[6 + j]!));
    const minor = plain + minorRest;
    const minorLow = minorRest - (minor - plain);
    const term = high[i]! * minor;
    const total = sum + term;
    rest +=
      sumError(sum, term, total) +
      (productError(high[i]!, minor, term) + (high[i]! * minorLow + low[i]! * minor));
    sum = total;
  }
  return sum + rest;
}

/** Without rounding until the end. */
function expandedDeterminant(): number {
  count = 0;
  addProduct(0, 4, 8, 1);
  addProduct(1, 5, 6, 1);
  addProduct(2, 3, 7, 1);
  addProduct(0, 5, 7, -1);
  addProduct(1, 3, 8, -1);
  addProduct(2, 4, 6, -1);
  return count === 0 ? 0 : distill();
}

function setRow(row: number, from: ReadonlyVec3, to: ReadonlyVec3): void {
  const { x: fx, y: fy, z: fz } = from;
  const { x: tx, y: ty, z: tz } = to;
  const x = tx - fx;
  const y = ty - fy;
  const z = tz - fz;
  const i = 3 * row;
  high[i] = x;
  high[i + 1] = y;
  high[i + 2] = z;
  low[i] = sumError(tx, -fx, x);
  low[i + 1] = sumError(ty, -fy, y);
  low[i + 2] = sumError(tz, -fz, z);
  size[row] = Math.abs(x) + Math.abs(y) + Math.abs(z);
}

/** Adds ±(component i)(component j)(component k). */
function addProduct(i: number, j: number, k: number, sign: number): void {
  const x = sign * high[i]!;
  const y = high[j]!;
  const z = high[k]!;
  const xLow = sign * low[i]!;
  const yLow = low[j]!;
  const zLow = low[k]!;
  // Many are for rays along an axis. A difference that is zero when rounded is zero.
  if (x === 0 || y === 0 || z === 0) return;
  addTriple(x, y, z);
  if (zLow !== 0) addTriple(x, y, zLow);
  if (yLow !== 0) addTriple(x, yLow, z);
  if (yLow !== 0 && zLow !== 0) addTriple(x, yLow, zLow);
  if (xLow === 0) return;
  addTriple(xLow, y, z);
  if (zLow !== 0) addTriple(xLow, y, zLow);
  if (yLow !== 0) addTriple(xLow, yLow, z);
  if (yLow !== 0 && zLow !== 0) addTriple(xLow, yLow, zLow);
}

function addTriple(x: number, y: number, z: number): void {
  const xy = x * y;
  const xyRest = productError(x, y, xy);
  const main = xy * z;
  const mainRest = productError(xy, z, main);
  if (mainRest !== 0) terms[count++] = mainRest;
  terms[count++] = main;
  if (xyRest === 0) return; // as it is for coordinates that once were single floats
  const rest = xyRest * z;
  terms[count++] = productError(xyRest, z, rest);
  terms[count++] = rest;
}

/**
 * The sum of the terms. Each pass adds them up and leaves every rounding error in the slot of its summand, so that
 * the sum stays the same while the last term draws all of it together. It ends when the rest cannot change the sign:
 * at the latest when no two terms overlap, for nothing changes then (Bohlender 1977).
 */
function distill(): number {
  for (;;) {
    let total = 0;
    let rest = 0;
    let doubt = 0;
    for (let i = 0; i < count; i++) {
      const term = terms[i]!;
      const next = total + term;
      const error = sumError(total, term, next);
      if (i > 0) terms[i - 1] = error;
      rest += error;
      doubt += Math.abs(error);
      total = next;
    }
    terms[count - 1] = total;
    if (!(Math.abs(total) < 2 * doubt)) return total + rest;
  }
}

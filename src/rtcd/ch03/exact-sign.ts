/**
 * Signs of dot and cross products of differences, always right: a rounded value decides when its error bound allows,
 * exact arithmetic otherwise. Shewchuk 1997. Exact while no product that matters is below 1e-290 or above 1e290.
 *
 * For the convexity tests and Minkowski sums of this shelf, whose points are differences. Production decides signs by
 * `math/orient.ts`.
 */

import { productError, sumError } from '../../math/accurate.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec2, ReadonlyVec3 } from '../../math/types.ts';

/** A term has one rounded difference or two, one product and two sums: five roundings of 2^-53 at most. */
const ERROR = 6 * UNIT_ROUNDING;

/**
 * The sign of (b - a) · d: is b farther along d than a?
 *
 * @internal
 */
export function compareAlong(a: ReadonlyVec3, b: ReadonlyVec3, d: ReadonlyVec3): -1 | 0 | 1 {
  const x = (b.x - a.x) * d.x;
  const y = (b.y - a.y) * d.y;
  const z = (b.z - a.z) * d.z;
  const sum = x + y + z;
  const size = Math.abs(x) + Math.abs(y) + Math.abs(z);
  if (Math.abs(sum) > ERROR * size) return sum > 0 ? 1 : -1;
  if (size === 0) return 0;
  count = 0;
  addProduct(b.x, d.x);
  addProduct(b.y, d.y);
  addProduct(b.z, d.z);
  addProduct(-a.x, d.x);
  addProduct(-a.y, d.y);
  addProduct(-a.z, d.z);
  return signOfTerms();
}

/**
 * The sign of (b - a) × (d - c): positive when cd points to the left of ab.
 *
 * @internal
 */
export function crossSign(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, d: ReadonlyVec2): -1 | 0 | 1 {
  const l = (b.x - a.x) * (d.y - c.y);
  const r = (b.y - a.y) * (d.x - c.x);
  const size = Math.abs(l) + Math.abs(r);
  if (Math.abs(l - r) > ERROR * size) return l > r ? 1 : -1;
  if (size === 0) return 0;
  count = 0;
  addProduct(b.x, d.y);
  addProduct(-b.x, c.y);
  addProduct(-a.x, d.y);
  addProduct(a.x, c.y);
  addProduct(-b.y, d.x);
  addProduct(b.y, c.x);
  addProduct(a.y, d.x);
  addProduct(-a.y, c.x);
  return signOfTerms();
}

/** A sum without rounding: numbers of growing size whose bits do not overlap. */
const terms = new Float64Array(16);
let count = 0;

function addProduct(a: number, b: number): void {
  const product = a * b;
  addTerm(productError(a, b, product));
  addTerm(product);
}

function addTerm(value: number): void {
  let sum = value;
  for (let i = 0; i < count; i++) {
    const term = terms[i]!;
    const next = sum + term;
    terms[i] = sumError(sum, term, next);
    sum = next;
  }
  terms[count++] = sum;
}

/** The largest term that is not zero outweighs all before it. */
function signOfTerms(): -1 | 0 | 1 {
  for (let i = count - 1; i >= 0; i--) if (terms[i] !== 0) return terms[i]! > 0 ? 1 : -1;
  return 0;
}

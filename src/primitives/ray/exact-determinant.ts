/**
 * The determinant that decides on which side of an edge a line passes, without rounding. Shewchuk 1997: a number
 * is kept as an expansion, a sum of doubles that do not overlap, smallest first.
 */
import { productError } from '../../math/accurate.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';

/** Three rows of three components, each a difference of two doubles and so the sum of two: rounded, and remainder. */
const high = new Float64Array(9);
const low = new Float64Array(9);
/** The running sum. Each of the 192 terms adds at most one component. */
const sum = new Float64Array(193);
let length = 0;

/**
 * det(b - a, d - c, f - e) to the nearest doubles or so, with a sign that is exactly right: the differences are not
 * rounded either. Right as long as the coordinates that are not zero lie between 1e-60 and 1e60 in size; beyond,
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
  setRow(3, c, d);
  setRow(6, e, f);
  length = 0;
  addProduct(0, 4, 8, 1);
  addProduct(1, 5, 6, 1);
  addProduct(2, 3, 7, 1);
  addProduct(0, 5, 7, -1);
  addProduct(1, 3, 8, -1);
  addProduct(2, 4, 6, -1);
  let total = 0;
  for (let i = 0; i < length; i++) total += sum[i]!;
  return total;
}

function setRow(row: number, from: ReadonlyVec3, to: ReadonlyVec3): void {
  setDifference(row, to.x, from.x);
  setDifference(row + 1, to.y, from.y);
  setDifference(row + 2, to.z, from.z);
}

/** Knuth's exact difference. */
function setDifference(at: number, a: number, b: number): void {
  const rounded = a - b;
  const bPart = a - rounded;
  high[at] = rounded;
  low[at] = a - (rounded + bPart) + (bPart - b);
}

/** Adds ±(component i)(component j)(component k). */
function addProduct(i: number, j: number, k: number, sign: number): void {
  addTriple(sign * high[i]!, high[j]!, high[k]!);
  addTriple(sign * high[i]!, high[j]!, low[k]!);
  addTriple(sign * high[i]!, low[j]!, high[k]!);
  addTriple(sign * high[i]!, low[j]!, low[k]!);
  addTriple(sign * low[i]!, high[j]!, high[k]!);
  addTriple(sign * low[i]!, high[j]!, low[k]!);
  addTriple(sign * low[i]!, low[j]!, high[k]!);
  addTriple(sign * low[i]!, low[j]!, low[k]!);
}

function addTriple(x: number, y: number, z: number): void {
  const xy = x * y;
  if (xy === 0 || z === 0) return;
  const xyRest = productError(x, y, xy);
  const rest = xyRest * z;
  const main = xy * z;
  addTerm(productError(xyRest, z, rest));
  addTerm(rest);
  addTerm(productError(xy, z, main));
  addTerm(main);
}

/** Grow-expansion with the zeros left out. */
function addTerm(term: number): void {
  if (term === 0) return;
  let carry = term;
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const part = sum[i]!;
    const total = carry + part;
    const partOfTotal = total - carry;
    const rest = carry - (total - partOfTotal) + (part - partOfTotal);
    if (rest !== 0) sum[kept++] = rest;
    carry = total;
  }
  if (carry !== 0) sum[kept++] = carry;
  length = kept;
}

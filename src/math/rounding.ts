/**
 * Operations rounded down or up, which the processor could do but JavaScript cannot ask for: round to nearest, find
 * the sign of what was lost, step to the neighbour if it is on the wrong side. Exact results stay as they are. Near
 * the ends of the range, where the lost part cannot be computed, the step is always taken. RTCD §11.4.1.
 *
 * @internal
 */
import { productError, sumError } from './accurate.ts';
import { nextDown, nextUp } from './float.ts';

export function addDown(a: number, b: number): number {
  const sum = a + b;
  // An overflow makes the error NaN and steps back to the largest double.
  return sumError(a, b, sum) >= 0 ? sum : nextDown(sum);
}

export const addUp = (a: number, b: number): number => 0 - addDown(-a, -b);

/** 0 times infinity is 0 here: the infinity is an end that is not reached. */
export function mulDown(a: number, b: number): number {
  const product = a * b;
  // A factor too large to be split makes the error NaN: that steps, too.
  if (isModerate(product)) return productError(a, b, product) >= 0 ? product : nextDown(product);
  return a === 0 || b === 0 ? 0 : downAtTheEnds(product, a < 0 === b < 0);
}

export const mulUp = (a: number, b: number): number => 0 - mulDown(-a, b);

/** b must not be 0. */
export function divDown(a: number, b: number): number {
  const quotient = a / b;
  if (isModerate(a) && isModerate(quotient)) {
    const product = quotient * b;
    const remainder = a - product - productError(quotient, b, product); // exact, or NaN as above
    return (b > 0 ? remainder >= 0 : remainder <= 0) ? quotient : nextDown(quotient);
  }
  return a === 0 ? 0 : downAtTheEnds(quotient, a < 0 === b < 0);
}

export const divUp = (a: number, b: number): number => 0 - divDown(-a, b);

export function sqrtDown(x: number): number {
  const root = Math.sqrt(x);
  return squareResidual(x, root) >= 0 ? root : nextDown(root);
}

export function sqrtUp(x: number): number {
  const root = Math.sqrt(x);
  return squareResidual(x, root) <= 0 ? root : nextUp(root);
}

/** x - root², exactly; NaN where it cannot be computed. */
function squareResidual(x: number, root: number): number {
  if (!isModerate(x)) return x === 0 ? 0 : Number.NaN;
  const product = root * root;
  return x - product - productError(root, root, product);
}

/** Where `productError` is exact. */
const isModerate = (x: number): boolean => Math.abs(x) > 1e-290 && Math.abs(x) < 1e290;

function downAtTheEnds(rounded: number, positive: boolean): number {
  return rounded === 0 && positive ? 0 : nextDown(rounded);
}

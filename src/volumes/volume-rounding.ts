/**
 * Rounding to the safe side: a bounding volume must hold what it bounds after rounding too, so every number that
 * bounds something is pushed outward by at least the error it may carry.
 */
import { sumError } from '../math/accurate.ts';
import { EPS64, nextDown, nextUp } from '../math/float.ts';

/**
 * a + b, rounded down.
 *
 * @internal
 */
export function addDown(a: number, b: number): number {
  const sum = a + b;
  return sumError(a, b, sum) < 0 ? nextDown(sum) : sum;
}

/**
 * a + b, rounded up.
 *
 * @internal
 */
export function addUp(a: number, b: number): number {
  const sum = a + b;
  return sumError(a, b, sum) > 0 ? nextUp(sum) : sum;
}

/**
 * A length made longer by 16 half-steps of its last digit. The distance of two points comes out of `length` with an
 * error below 6 of them (one a difference, one a square and two the sum, all halved by the root; one the root; two
 * more where it scales), and a radius added to it costs one. Zero is exact and stays.
 *
 * @internal
 */
export const outward = (length: number): number =>
  length === 0 ? 0 : length * (1 + 8 * EPS64) + 4 * Number.MIN_VALUE;

/**
 * Turning a point in floating point, or the box around it, goes wrong by less than this times its size: the entries
 * of the matrix carry 5 half-steps, the products and sums with them 4; `rotate` of `src/math/vec3.ts` comes to 16.
 *
 * @internal
 */
export const ROTATION_ERROR = 16 * EPS64;

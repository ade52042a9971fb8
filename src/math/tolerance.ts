/**
 * Comparison of computed numbers. RTCD §11.2.2, §11.3.1.
 *
 * Tolerant equality is not transitive: never sort, hash or search with it.
 */
import { ANY_FINITE, mustBeCoordinate, mustNotBeNegative } from './check.ts';

/**
 * Does x lie in [low, high]? Written so that NaN does not: a quotient may run into 0/0 or 1/0 and be tested here,
 * without a look at the denominator first. `!(x < low || x > high)` would let NaN in.
 */
export const inRange = (x: number, low: number, high: number): boolean => x >= low && x <= high;

/** Are x and y at most epsilon apart? For numbers whose size is known beforehand. */
export function equalAbsolute(x: number, y: number, epsilon: number): boolean {
  mustBeCoordinate('equalAbsolute', 'x', x, ANY_FINITE);
  mustBeCoordinate('equalAbsolute', 'y', y, ANY_FINITE);
  mustNotBeNegative('equalAbsolute', 'epsilon', epsilon);
  return Math.abs(x - y) <= epsilon;
}

/** Are x and y apart by at most epsilon times the larger of them in size? Nothing but 0 equals 0. */
export function equalRelative(x: number, y: number, epsilon: number): boolean {
  mustBeCoordinate('equalRelative', 'x', x, ANY_FINITE);
  mustBeCoordinate('equalRelative', 'y', y, ANY_FINITE);
  mustNotBeNegative('equalRelative', 'epsilon', epsilon);
  // <=, so that 0 equals 0.
  return Math.abs(x - y) <= epsilon * Math.max(Math.abs(x), Math.abs(y));
}

/**
 * Relative for numbers above 1 in size, absolute below: for numbers that are of order 1 or larger when they are not
 * noise. Epsilon is often the square root of the machine epsilon, for half of the digits.
 */
export function equalCombined(x: number, y: number, epsilon: number): boolean {
  mustBeCoordinate('equalCombined', 'x', x, ANY_FINITE);
  mustBeCoordinate('equalCombined', 'y', y, ANY_FINITE);
  mustNotBeNegative('equalCombined', 'epsilon', epsilon);
  return Math.abs(x - y) <= epsilon * Math.max(Math.abs(x), Math.abs(y), 1);
}

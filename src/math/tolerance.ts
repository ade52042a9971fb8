/**
 * Comparison of computed numbers. RTCD §11.2.2, §11.3.1.
 *
 * Tolerant equality is not transitive: never sort, hash or search with it.
 */
import { mustBeFinite, mustBeNumber, mustNotBeNegative } from './check.ts';

/**
 * Does x lie in [low, high]? Written so that NaN does not: a quotient may run into 0/0 or 1/0 and be tested here,
 * without a look at the denominator first. `!(x < low || x > high)` would let NaN in.
 */
export const inRange = (x: number, low: number, high: number): boolean => x >= low && x <= high;

/** Are x and y at most epsilon apart? For numbers whose size is known beforehand. */
export function equalAbsolute(x: number, y: number, epsilon: number): boolean {
  mustBeNumber('equalAbsolute', 'x', x);
  mustBeNumber('equalAbsolute', 'y', y);
  mustBeNumber('equalAbsolute', 'epsilon', epsilon);
  if ((x + y + epsilon) * 0 !== 0 || epsilon < 0) refuseArguments('equalAbsolute', x, y, epsilon);
  return Math.abs(x - y) <= epsilon;
}

/** Are x and y apart by at most epsilon times the larger of them in size? Nothing but 0 equals 0. */
export function equalRelative(x: number, y: number, epsilon: number): boolean {
  mustBeNumber('equalRelative', 'x', x);
  mustBeNumber('equalRelative', 'y', y);
  mustBeNumber('equalRelative', 'epsilon', epsilon);
  if ((x + y + epsilon) * 0 !== 0 || epsilon < 0) refuseArguments('equalRelative', x, y, epsilon);
  // <=, so that 0 equals 0.
  return Math.abs(x - y) <= epsilon * Math.max(Math.abs(x), Math.abs(y));
}

/**
 * Relative for numbers above 1 in size, absolute below: for numbers that are of order 1 or larger when they are not
 * noise. Epsilon is often the square root of the machine epsilon, for half of the digits.
 */
export function equalCombined(x: number, y: number, epsilon: number): boolean {
  mustBeNumber('equalCombined', 'x', x);
  mustBeNumber('equalCombined', 'y', y);
  mustBeNumber('equalCombined', 'epsilon', epsilon);
  if ((x + y + epsilon) * 0 !== 0 || epsilon < 0) refuseArguments('equalCombined', x, y, epsilon);
  return Math.abs(x - y) <= epsilon * Math.max(Math.abs(x), Math.abs(y), 1);
}

function refuseArguments(caller: string, x: number, y: number, epsilon: number): void {
  mustBeFinite(caller, { x, y });
  mustNotBeNegative(caller, 'epsilon', epsilon);
}

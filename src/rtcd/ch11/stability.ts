/**
 * Is a formula numerically sound? RTCD §11.6. For tests, of this library's formulas and of your own.
 *
 * Processors can run a computation in all rounding modes to see how far the result moves; JavaScript cannot. Instead
 * the arguments are moved by a few ulps, or given in another order, or the result is held against that of a twin:
 * another formula for the same value.
 *
 * Nothing in production runs on it.
 */
import { ANY_FINITE, checkNumbers, mustBeFunction, mustBeOptions, refuse } from '../../math/check.ts';
import { exponent, scalb, ulp } from '../../math/float.ts';

export type Formula = (...x: number[]) => number;

export interface ProbeOptions {
  /** How many times the arguments are moved, for each length of step. Default: 20. */
  readonly trials?: number;
  /** Orders of the arguments, as lists of indices, that should not change the value. */
  readonly orders?: readonly (readonly number[])[];
  /** Another formula for the same value. */
  readonly twin?: Formula;
}

/** Decimal digits lost, of the 16 that a double has. A fraction of one is the last bit or two, which is no loss. */
export interface ProbeReport {
  /** What the formula gives for the arguments as they are. */
  value: number;
  /** By moving the arguments an ulp: what the formula loses, or the problem itself, if it amplifies errors. */
  jitter: number;
  /**
   * By the formula alone. When all arguments move by some ulps, one way and then the other, a smooth function changes
   * by opposite amounts, but for its curvature: what is left in the mean is rounding. Blind to a loss of more than
   * about 8 digits, where the result comes in steps too coarse to move, such as 1 - cos(1e-9) = 0; a twin sees that.
   */
  noise: number;
  /** By changing the order of the arguments. */
  order: number;
  /** By using the twin. */
  twin: number;
  /** The largest of these. */
  worst: number;
}

/** Runs a formula on varied arguments and reports how many digits of its value depend on what should not matter. */
export function probe(f: Formula, args: readonly number[], options: ProbeOptions = {}): ProbeReport {
  mustBeFunction('probe', 'f', f);
  checkNumbers('probe', 'args', args, ANY_FINITE);
  mustBeOptions('probe', 'options', options, 'trials orders twin');
  if (args.length === 0) refuse('probe', 'args', 'must not be empty');
  const { trials = 20, orders = [], twin } = options;
  const value = f(...args);
  const random = generator();
  let jitter = 0;
  let noise = 0;
  let finer = 0;
  for (let level = 0; level < LEVELS; level++) {
    let gap = 0;
    for (let trial = 0; trial < trials; trial++) {
      const steps = args.map((x) => Math.round((2 * random() - 1) * reachOf(level)) * ulp(x));
      const forth = f(...args.map((x, i) => x + steps[i]!));
      const back = f(...args.map((x, i) => x - steps[i]!));
      if (level === 0) jitter = Math.max(jitter, digitsLost(value, forth), digitsLost(value, back));
      gap = Math.max(gap, Math.abs(0.5 * forth + 0.5 * back - value));
    }
    // Steps four times as long make the gap sixteen times as large if it is curvature, and no larger if it is noise.
    if (gap < 4 * finer) noise = Math.max(noise, digitsLost(value, value + finer));
    finer = gap;
  }
  let order = 0;
  for (const indices of orders)
    order = Math.max(order, digitsLost(value, f(...indices.map((i) => args[i]!))));
  const twinLoss = twin ? digitsLost(value, twin(...args)) : 0;
  return { value, jitter, noise, order, twin: twinLoss, worst: Math.max(jitter, noise, order, twinLoss) };
}

/** Steps of 1, 4, 16, … 2^28 ulps. */
const LEVELS = 15;
const reachOf = (level: number): number => scalb(1, 2 * level);

/** Numbers in [0, 1), the same every time. */
function generator(): () => number {
  let seed = 1;
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 4294967296;
  };
}

/**
 * In how many of their decimal digits, counted from the last, do x and y differ? From 0 (the same number) to 16 (not
 * even of the same size, or not finite).
 */
export function digitsLost(x: number, y: number): number {
  if (x === y) return 0;
  const gap = Math.abs(x - y);
  if (!(gap < Infinity)) return ALL_DIGITS;
  const bits = exponent(gap) - exponent(Math.max(Math.abs(x), Math.abs(y))) + 53;
  return Math.max(0, Math.min(ALL_DIGITS, bits * DIGITS_PER_BIT));
}

const DIGITS_PER_BIT = 0.3010299956639812; // log10 2
const ALL_DIGITS = 53 * DIGITS_PER_BIT;

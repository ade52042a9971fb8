/**
 * Systems of linear inequalities by elimination of one unknown after the other. RTCD §9.4.1.1.
 *
 * To see whether a few inequalities have a solution, and the range of each unknown. Production has no use for it; for
 * three unknowns `seidel.ts` is better.
 */

import { quotient, toInteger, unitOf } from '../../math/big-integers.ts';
import {
  describe,
  mustBeList,
  mustBeNumber,
  mustBeOptions,
  mustBeWhole,
  mustHave,
  refuse,
} from '../../math/check.ts';
import type { Interval } from '../../math/interval.ts';
import { makeInterval } from '../../math/interval.ts';
import type { LinearInequality } from './inequality.ts';
import { mustBeInequalities } from './inequality.ts';

export interface EliminationOptions {
  /**
   * With more inequalities than this at a time an error is thrown; 20,000 unless given. Eliminating an unknown may leave
   * a quarter of their number squared.
   */
  readonly limit?: number;
}

/**
 * The values that one unknown takes in the solutions of a system of inequalities: an interval, whose ends may be
 * infinite. Null when there is no solution. Any number of unknowns; all inequalities must have the same. Exact until
 * the ends are rounded. For small systems: the work may double its digits with every unknown. RTCD §9.4.1.1.
 */
export function inequalityRange(
  inequalities: readonly LinearInequality[],
  unknown: number,
  options: EliminationOptions = {},
  out?: Interval,
): Interval | null {
  mustBeList('inequalityRange', 'inequalities', inequalities);
  mustBeOptions('inequalityRange', 'options', options, 'limit');
  mustBeNumber('inequalityRange', 'unknown', unknown);
  const caller = 'inequalityRange';
  const { rows, unknowns, limit } = read(caller, inequalities, options);
  if (!(Number.isInteger(unknown) && unknown >= 0 && unknown < unknowns))
    refuse(
      caller,
      'unknown',
      `must be the number of an unknown, below ${unknowns}, got ${describe(unknown)}`,
    );
  const stages = eliminate(caller, rows, unknowns, unknown, limit);
  if (stages === null) return null;
  const { low, high } = bounds(stages.at(-1)!.rows, unknown);
  if (low !== null && high !== null && isAbove(low, high)) return null;
  const interval = out ?? makeInterval();
  interval.lo = low === null ? -Infinity : quotient(low.n, low.d);
  interval.hi = high === null ? Infinity : quotient(high.n, high.d);
  return interval;
}

/**
 * Numbers that fulfil all of a system of inequalities, away from its ends where there is room; null when there are
 * none. That there are is decided exactly; the numbers are rounded. Otherwise like `inequalityRange`.
 */
export function feasiblePoint(
  inequalities: readonly LinearInequality[],
  options: EliminationOptions = {},
): number[] | null {
  mustBeList('feasiblePoint', 'inequalities', inequalities);
  mustBeOptions('feasiblePoint', 'options', options, 'limit');
  const caller = 'feasiblePoint';
  const { rows, unknowns, limit } = read(caller, inequalities, options);
  const stages = eliminate(caller, rows, unknowns, -1, limit);
  if (stages === null) return null;
  const point: number[] = Array.from({ length: unknowns }, () => 0);
  // Backwards: each stage has one more unknown, and all the values of those after it are known.
  const values = new Map<number, Fraction>();
  for (let s = stages.length - 1; s >= 0; s--) {
    const { rows: stage, unknown } = stages[s]!;
    const value = between(
      bounds(
        stage.map((row) => insert(row, values)),
        unknown,
      ),
    );
    values.set(unknown, value);
    point[unknown] = quotient(value.n, value.d);
  }
  return point;
}

/** n / d, d > 0. */
interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

const isAbove = (a: Fraction, b: Fraction): boolean => a.n * b.d > b.n * a.d;

/** coefficients · x <= bound, times some positive number. */
interface Row {
  readonly coefficients: readonly bigint[];
  readonly bound: bigint;
  /** Which of the inequalities it was put together from, ascending. */
  readonly from: readonly number[];
}

/** The rows before an unknown is eliminated. */
interface Stage {
  readonly rows: readonly Row[];
  readonly unknown: number;
}

function read(
  caller: string,
  inequalities: readonly LinearInequality[],
  { limit = 20_000 }: EliminationOptions,
): { rows: Row[]; unknowns: number; limit: number } {
  if (!(inequalities.length > 0)) refuse(caller, 'inequalities', 'must hold at least one');
  mustHave(caller, 'inequalities[0]', inequalities[0], 'an inequality {a, b}', 'a');
  const unknowns = inequalities[0]!.a?.length;
  mustBeInequalities(caller, inequalities, unknowns);
  mustBeWhole(caller, 'options.limit', limit, 0, Infinity);
  const rows = inequalities.map(({ a, b }, i) => {
    const unit = Math.min(unitOf(b), ...a.map(unitOf));
    return reduced(
      a.map((x) => toInteger(x, unit)),
      toInteger(b, unit),
      [i],
    );
  });
  return { rows: pruned(rows), unknowns, limit };
}

/**
 * All stages, until only the unknown `kept` is left (-1: none). Null when a row has become 0 <= something negative. The
 * last stage is that of the kept unknown, if there is one.
 */
function eliminate(
  caller: string,
  start: readonly Row[],
  unknowns: number,
  kept: number,
  limit: number,
): Stage[] | null {
  const stages: Stage[] = [];
  let rows = start;
  const left = new Set(Array.from({ length: unknowns }, (_, i) => i));
  left.delete(kept);
  for (let gone = 1; left.size > 0; gone++) {
    if (rows.some(isContradiction)) return null;
    const unknown = cheapest(rows, left);
    stages.push({ rows, unknown });
    left.delete(unknown);
    const { upper, lower, rest } = partition(rows, unknown);
    if (rest.length + upper.length * lower.length > limit)
      refuse(caller, 'inequalities', `would become more than ${limit} on the way: the system is too large`);
    const next = [...rest];
    for (const high of upper)
      for (const low of lower) {
        const from = union(high.from, low.from);
        // A row made of more inequalities than one more than unknowns are gone says nothing new (Kohler 1967).
        if (from.length <= gone + 1) next.push(combined(high, low, unknown, from));
      }
    rows = pruned(next);
  }
  if (rows.some(isContradiction)) return null;
  if (kept >= 0) stages.push({ rows, unknown: kept });
  return stages;
}

const isContradiction = ({ coefficients, bound }: Row): boolean =>
  bound < 0n && coefficients.every((c) => c === 0n);

/** The unknown whose elimination leaves the fewest rows. */
function cheapest(rows: readonly Row[], left: ReadonlySet<number>): number {
  let best = -1;
  let fewest = Infinity;
  for (const unknown of left) {
    const { upper, lower, rest } = partition(rows, unknown);
    const count = rest.length + upper.length * lower.length;
    if (count < fewest) {
      fewest = count;
      best = unknown;
    }
  }
  return best;
}

/** The rows that bound an unknown from above and from below, and those that it is not in. */
function partition(rows: readonly Row[], unknown: number): { upper: Row[]; lower: Row[]; rest: Row[] } {
  const upper: Row[] = [];
  const lower: Row[] = [];
  const rest: Row[] = [];
  for (const row of rows) {
    const c = row.coefficients[unknown]!;
    (c > 0n ? upper : c < 0n ? lower : rest).push(row);
  }
  return { upper, lower, rest };
}

/** The sum of two rows, times what makes the unknown vanish. */
function combined(high: Row, low: Row, unknown: number, from: readonly number[]): Row {
  const h = -low.coefficients[unknown]!;
  const l = high.coefficients[unknown]!;
  const coefficients = high.coefficients.map((c, i) => h * c + l * low.coefficients[i]!);
  return reduced(coefficients, h * high.bound + l * low.bound, from);
}

/** With the common factors of the coefficients and the bound taken out, so that digits do not pile up. */
function reduced(coefficients: readonly bigint[], bound: bigint, from: readonly number[]): Row {
  const factor = coefficients.reduce(gcd, bound < 0n ? -bound : bound);
  if (factor <= 1n) return { coefficients, bound, from };
  return { coefficients: coefficients.map((c) => c / factor), bound: bound / factor, from };
}

function union(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((i, j) => i - j);
}

/**
 * Without rows that say no more than another one does: the same coefficients, up to a factor, and no smaller bound.
 * One goes only for the sake of a row that was made of no other inequalities: what is made of that one in turn then
 * stands for what would have been made of this one, also in the count of inequalities that Kohler's rule goes by.
 */
function pruned(rows: readonly Row[]): Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const size = row.coefficients.reduce(gcd, 0n);
    if (size === 0n && row.bound >= 0n) continue; // true of everything
    const key = size === 0n ? '' : row.coefficients.map((c) => (c / size).toString(36)).join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else if (!group.some((other) => isImplied(row, other))) {
      groups.set(key, [...group.filter((other) => !isImplied(other, row)), row]);
    }
  }
  return [...groups.values()].flat();
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Does the other row, of the same direction, say all that this one says, and come from no other inequalities? */
function isImplied(row: Row, other: Row): boolean {
  const k = row.coefficients.findIndex((c) => c !== 0n);
  if (k >= 0) {
    const abs = (n: bigint) => (n < 0n ? -n : n);
    if (other.bound * abs(row.coefficients[k]!) > row.bound * abs(other.coefficients[k]!)) return false;
  }
  return other.from.every((i) => row.from.includes(i));
}

/** The row with the known values put in: only its own unknown is left. */
function insert({ coefficients, bound, from }: Row, values: ReadonlyMap<number, Fraction>): Row {
  let left = [...coefficients];
  let right = bound;
  for (const [unknown, { n, d }] of values) {
    right = right * d - left[unknown]! * n;
    left = left.map((c, i) => (i === unknown ? 0n : c * d));
  }
  return { coefficients: left, bound: right, from };
}

/** The closest bounds of an unknown that is the only one in the rows; null where there is none. */
function bounds(rows: readonly Row[], unknown: number): { low: Fraction | null; high: Fraction | null } {
  let low: Fraction | null = null;
  let high: Fraction | null = null;
  for (const { coefficients, bound } of rows) {
    const c = coefficients[unknown]!;
    if (c > 0n) {
      const value = { n: bound, d: c };
      if (high === null || isAbove(high, value)) high = value;
    } else if (c < 0n) {
      const value = { n: -bound, d: -c };
      if (low === null || isAbove(value, low)) low = value;
    }
  }
  return { low, high };
}

/** In the middle; 1 from the only end there is; 0 if there is none. */
function between({ low, high }: { low: Fraction | null; high: Fraction | null }): Fraction {
  if (low === null) return high === null ? { n: 0n, d: 1n } : { n: high.n - high.d, d: high.d };
  if (high === null) return { n: low.n + low.d, d: low.d };
  return { n: low.n * high.d + high.n * low.d, d: 2n * low.d * high.d };
}

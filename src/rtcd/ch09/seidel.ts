/**
 * Linear programs of up to three unknowns, solved without rounding. RTCD §9.4.1.2; Seidel 1991.
 *
 * For exact answers to small linear programs. Production has no use for it.
 */

import type { BigVec } from '../../math/big-integers.ts';
import {
  approximate,
  bitLength,
  cross,
  dot,
  isZero,
  quotient,
  signOf,
  toInteger,
  unitOf,
} from '../../math/big-integers.ts';
import {
  ANY_FINITE,
  checkNumbers,
  mustBeCoordinate,
  mustBeList,
  mustBeOptions,
  refuse,
} from '../../math/check.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { shuffledIndices } from '../../trees/shuffle.ts';
import type { LinearInequality } from './inequality.ts';
import { mustBeInequalities } from './inequality.ts';

export interface LinearOptimum {
  /** `unbounded`: the inequalities have solutions, with the objective as large as one likes. */
  status: 'optimal' | 'infeasible' | 'unbounded';
  /** Where the objective is largest, one number for each unknown; empty unless the status is `optimal`. */
  point: number[];
  /** The objective there; -Infinity when there is no solution, Infinity when it is unbounded. */
  value: number;
  /** How often an inequality was held against a point: the cost, about proportional to the number of inequalities. */
  tests: number;
}

export const makeLinearOptimum = (): LinearOptimum => ({ status: 'optimal', point: [], value: 0, tests: 0 });

export interface LinearProgramOptions {
  /** Decides the order in which the inequalities are looked at; 1 unless given. It cannot change status or value. */
  readonly seed?: number;
}

/**
 * The point that makes objective · x largest while every inequality a · x <= b holds, in one, two or three unknowns: as
 * many as the objective has components. Equations are pairs of inequalities; inequalities that no point fulfils
 * (0 · x <= -1) and those that every point does are fine.
 *
 * Status and value are exact: touching halfspaces have a common point, however little rounding would let them miss it.
 * Only the numbers given back are rounded, so the point may miss an inequality by an ulp. Where many points are equally
 * good, which of them comes back depends on the seed; it has moderate coordinates even if the best points go on
 * without end. Expected O(m) for m inequalities in random order. RTCD §9.4.1.2.
 */
export function linearProgram(
  inequalities: readonly LinearInequality[],
  objective: readonly number[],
  options: LinearProgramOptions = {},
  out: LinearOptimum = makeLinearOptimum(),
): LinearOptimum {
  mustBeList('linearProgram', 'inequalities', inequalities);
  checkNumbers('linearProgram', 'objective', objective, ANY_FINITE);
  mustBeOptions('linearProgram', 'options', options, 'seed');
  const caller = 'linearProgram';
  const dimension = objective.length;
  if (!(dimension >= 1 && dimension <= 3)) refuse(caller, 'objective', 'must have one to three components');
  mustBeInequalities(caller, inequalities, dimension);
  const { seed = 1 } = options;
  mustBeCoordinate(caller, 'options.seed', seed, ANY_FINITE);

  const rows: Row[] = [];
  for (const i of shuffledIndices(inequalities.length, seed)) {
    const { a, b } = inequalities[i]!;
    rows.push(integerRow(a, b));
  }
  const unit = Math.min(...objective.map(unitOf));
  const toward = padded(objective.map((x) => toInteger(x, unit)));
  const { vertex, tests } = optimize(rows, toward, dimension);
  out.tests = tests;
  out.status = vertex === null ? 'infeasible' : vertex.isFar ? 'unbounded' : 'optimal';
  out.value = vertex === null ? -Infinity : Infinity;
  out.point.length = 0;
  if (vertex !== null && !vertex.isFar) {
    for (let k = 0; k < dimension; k++) out.point.push(quotient(vertex.numerators[k]!, vertex.denominator));
    out.value = isZero(toward) ? 0 : quotient(dot(toward, vertex.numerators), vertex.denominator, unit);
  }
  return out;
}

const padded = ([x = 0n, y = 0n, z = 0n]: readonly bigint[]): BigVec => [x, y, z];

/** The halfspace normal · x <= d in integers, and, times some power of two, in doubles: x, y, z, d. */
export interface Row {
  readonly normal: BigVec;
  readonly d: bigint;
  readonly rounded: Float64Array;
  /** One of the planes put up far away, so that there always is a vertex. */
  readonly isFar: boolean;
}

/** @internal */
export function makeRow(normal: BigVec, d: bigint, isFar = false): Row {
  const rounded = new Float64Array(4);
  approximate([...normal, d], rounded);
  return { normal, d, rounded, isFar };
}

/** An inequality of doubles is an inequality of integers, times a power of two. */
function integerRow(a: readonly number[], b: number): Row {
  const unit = Math.min(unitOf(b), ...a.map(unitOf));
  return makeRow(padded(a.map((x) => toInteger(x, unit))), toInteger(b, unit));
}

/** Where three planes meet: the numerators over a denominator that is positive. */
export interface LinearVertex {
  readonly numerators: BigVec;
  readonly denominator: bigint;
  readonly rounded: Float64Array;
  /** Is one of the three far away? */
  readonly isFar: boolean;
}

/** The planes -M <= x, y, z <= M, and x = 0, y = 0, z = 0. */
interface Frame {
  readonly low: readonly Row[];
  readonly high: readonly Row[];
  readonly zero: readonly Row[];
}

/** What one call works with: the walls of the frame come before the rows proper. */
interface Program {
  readonly rows: readonly Row[];
  readonly frame: Frame;
  readonly toward: BigVec;
  tests: number;
}

/**
 * The best vertex of the rows, or null if there is no solution. It is far when there is no best one.
 *
 * As if in a box whose walls are farther away than any point where rows, or rows and coordinate planes, meet: than
 * determinants of four rows of integers can be large. In such a distance nothing changes any more, so what holds at
 * this wall holds beyond. A point at the wall is chosen only if the objective gets larger that way; when it stays the
 * same, the coordinate plane is chosen. So a best vertex at the wall means that the objective is unbounded.
 *
 * @internal
 */
export function optimize(
  own: readonly Row[],
  toward: BigVec,
  dimension: number,
): { vertex: LinearVertex | null; tests: number } {
  let bits = 0;
  for (const { normal, d } of own) for (const n of [...normal, d]) bits = Math.max(bits, bitLength(n));
  const far = 1n << BigInt(4 * bits + 8);
  const low = AXES.map((_, k) => makeRow(axis(k, -1n), far, true));
  const high = AXES.map((_, k) => makeRow(axis(k, 1n), far, true));
  const zero = AXES.map((_, k) => makeRow(axis(k, 1n), 0n));
  const program: Program = { rows: [...low, ...high, ...own], frame: { low, high, zero }, toward, tests: 0 };
  const { rows } = program;
  const vertex =
    dimension === 1
      ? bestOnLine(program, zero[1]!, zero[2]!, rows.length)
      : dimension === 2
        ? bestInPlane(program, zero[2]!, rows.length)
        : bestInSpace(program);
  return { vertex, tests: program.tests };
}

const AXES = [0, 1, 2];
const axis = (k: number, n: bigint): BigVec => [k === 0 ? n : 0n, k === 1 ? n : 0n, k === 2 ? n : 0n];

/**
 * Row by row: the best point so far stays as long as it fulfils the next one. If it does not, some best point of all
 * lies in the plane of that row (on the way to any better-placed one that plane is crossed, nowhere at a loss), and a
 * program of one dimension less finds it among the rows before.
 */
function bestInSpace(program: Program): LinearVertex | null {
  const { rows, frame, toward } = program;
  let best = meet(...(AXES.map((k) => wall(frame, k, signOf(toward[k]!))) as [Row, Row, Row]));
  for (let i = 0; i < rows.length; i++) {
    if (!isViolated(program, rows[i]!, best)) continue;
    const next = bestInPlane(program, rows[i]!, i);
    if (next === null) return null;
    best = next;
  }
  return best;
}

/** The frame's plane on the side where the objective is better. */
const wall = ({ low, high, zero }: Frame, k: number, sign: number): Row =>
  (sign > 0 ? high : sign < 0 ? low : zero)[k]!;

/** The same among the points of a plane, for the first rows. */
function bestInPlane(program: Program, plane: Row, count: number): LinearVertex | null {
  const { rows, frame, toward } = program;
  const n = plane.normal;
  if (isZero(n)) return null; // it is violated, everywhere
  // The axis that the plane faces most is the one whose coordinate depends on the other two.
  const k = largest(plane.rounded);
  const side = signOf(n[k]!);
  const walls = AXES.filter((i) => i !== k).map((i) =>
    wall(frame, i, side * signOf(toward[i]! * n[k]! - toward[k]! * n[i]!)),
  ) as [Row, Row];
  let best = meet(plane, ...walls);
  for (let i = 0; i < count; i++) {
    if (!isViolated(program, rows[i]!, best)) continue;
    const next = bestOnLine(program, plane, rows[i]!, i);
    if (next === null) return null;
    best = next;
  }
  return best;
}

/** The same among the points of the line where two planes meet: rows bound it from above, or from below. */
function bestOnLine(program: Program, plane: Row, other: Row, count: number): LinearVertex | null {
  const { rows, frame, toward } = program;
  const along = cross(plane.normal, other.normal);
  if (isZero(along)) return null; // parallel, and the one is violated on the other
  approximate(along, lineDirection);
  const k = largest(lineDirection);
  const side = signOf(along[k]!);
  let high = wall(frame, k, side);
  let low = wall(frame, k, -side);
  let highest = meet(plane, other, high);
  let lowest = meet(plane, other, low);
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    const slope = slopeAlong(row, along);
    if (slope > 0) {
      if (!isViolated(program, row, highest)) continue;
      high = row;
      highest = meet(plane, other, row);
    } else if (isViolated(program, row, lowest)) {
      if (slope === 0) return null;
      low = row;
      lowest = meet(plane, other, row);
    }
  }
  if (isViolated(program, high, lowest)) return null;
  const gain = signOf(dot(toward, along));
  if (gain !== 0) return gain > 0 ? highest : lowest;
  // All the same: the point with coordinate 0, or the end next to it.
  const middle = meet(plane, other, frame.zero[k]!);
  return isViolated(program, high, middle) ? highest : isViolated(program, low, middle) ? lowest : middle;
}

/** The direction of the line that `bestOnLine` is at, rounded. */
const lineDirection = new Float64Array(3);

const largest = ([x, y, z]: Float64Array): number => {
  const [ax, ay, az] = [Math.abs(x!), Math.abs(y!), Math.abs(z!)];
  return ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
};

/** Both factors of a term are rounded, the product and three sums: six roundings of 2^-53. */
const ERROR = 8 * UNIT_ROUNDING;
/** More than what falls below the range. */
const UNDERFLOW = 1e-290;

/** Does the row exclude the point? */
function isViolated(
  program: Program,
  row: Row,
  { rounded: v, numerators, denominator }: LinearVertex,
): boolean {
  program.tests++;
  const r = row.rounded;
  const x = r[0]! * v[0]!;
  const y = r[1]! * v[1]!;
  const z = r[2]! * v[2]!;
  const d = r[3]! * v[3]!;
  const excess = x + y + z - d;
  const doubt = ERROR * (Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(d)) + UNDERFLOW;
  if (Math.abs(excess) > doubt) return excess > 0;
  return dot(row.normal, numerators) > row.d * denominator;
}

/** The sign of normal · along; the direction is that in `lineDirection`, too. */
function slopeAlong(row: Row, along: BigVec): number {
  const r = row.rounded;
  const x = r[0]! * lineDirection[0]!;
  const y = r[1]! * lineDirection[1]!;
  const z = r[2]! * lineDirection[2]!;
  const slope = x + y + z;
  if (Math.abs(slope) > ERROR * (Math.abs(x) + Math.abs(y) + Math.abs(z)) + UNDERFLOW) return slope;
  return signOf(dot(row.normal, along));
}

/** Where three planes meet that do meet in one point. Cramer's rule. */
function meet(a: Row, b: Row, c: Row): LinearVertex {
  const bc = cross(b.normal, c.normal);
  const ca = cross(c.normal, a.normal);
  const ab = cross(a.normal, b.normal);
  const det = dot(a.normal, bc);
  const s = det > 0n ? 1n : -1n;
  const numerators: BigVec = [
    s * (a.d * bc[0] + b.d * ca[0] + c.d * ab[0]),
    s * (a.d * bc[1] + b.d * ca[1] + c.d * ab[1]),
    s * (a.d * bc[2] + b.d * ca[2] + c.d * ab[2]),
  ];
  const rounded = new Float64Array(4);
  approximate([...numerators, s * det], rounded);
  return { numerators, denominator: s * det, rounded, isFar: a.isFar || b.isFar || c.isFar };
}

/**
 * Linear equations. RTCD §3.1.4-5. A system counts as singular, and the answer is null, when its determinant cannot be
 * distinguished from zero: when it is a few roundings of the products it is summed from, whatever the scale of the equations or
 * the unknowns. Cramer's rule is fast and good for the systems of geometry; its error grows with the condition of the
 * system, where elimination always leaves a small residual.
 */
import { differenceOfProducts } from './accurate.ts';
import {
  ANY_FINITE,
  checkMat2,
  checkMat3,
  checkNumbers,
  checkPoint,
  checkPoint2,
  describe,
  isPoint2,
  LARGEST,
  mustBeCoordinate,
  mustBeNumber,
  mustHave,
  refuse,
} from './check.ts';
import type { ReadonlyMat2, ReadonlyMat3, ReadonlyVec2, ReadonlyVec3, Vec2, Vec3 } from './types.ts';
import { vec2, vec3 } from './types.ts';
import { crossAccurate, dot, set } from './vec3.ts';

/** @internal A sum this small beside its terms (16 roundings) may be all rounding error. */
export const ROUNDING = 16 / 9007199254740992;

/** @internal Is a · b more than its rounding errors may be? */
export function dotIsSignificant(a: ReadonlyVec3, b: ReadonlyVec3): boolean {
  const x = a.x * b.x;
  const y = a.y * b.y;
  const z = a.z * b.z;
  return Math.abs(x + y + z) > ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z));
}

/** The v with m v = b, or null when m is singular. Cramer's rule. */
export function solve2x2(m: ReadonlyMat2, b: ReadonlyVec2, out: Vec2 = vec2()): Vec2 | null {
  checkMat2('solve2x2', 'm', m, ANY_FINITE);
  checkPoint2('solve2x2', 'b', b, ANY_FINITE);
  const { x, y } = b;
  const m00 = m.elements[0]!;
  const m10 = m.elements[1]!;
  const m01 = m.elements[2]!;
  const m11 = m.elements[3]!;
  const det = significantDifference(m00, m11, m01, m10);
  if (det === 0) return null;
  out.x = differenceOfProducts(x, m11, m01, y) / det;
  out.y = differenceOfProducts(m00, y, x, m10) / det;
  return out;
}

/** a b - c d, or 0 when that is as small as rounding errors. */
function significantDifference(a: number, b: number, c: number, d: number): number {
  const difference = differenceOfProducts(a, b, c, d);
  return Math.abs(difference) > ROUNDING * (Math.abs(a * b) + Math.abs(c * d)) ? difference : 0;
}

/** The v with m v = b, or null when m is singular. Cramer's rule. */
export function solve3x3(m: ReadonlyMat3, b: ReadonlyVec3, out: Vec3 = vec3()): Vec3 | null {
  checkMat3('solve3x3', 'm', m, ANY_FINITE);
  checkPoint('solve3x3', 'b', b, ANY_FINITE);
  loadColumns(m);
  return solveColumns(c0, c1, c2, b, out) ? out : null;
}

/**
 * Only unknown number `index` (0, 1 or 2) of m v = b, for a third of the work; null when m is singular.
 */
export function solveUnknown3x3(m: ReadonlyMat3, b: ReadonlyVec3, index: number): number | null {
  checkMat3('solveUnknown3x3', 'm', m);
  checkPoint('solveUnknown3x3', 'b', b);
  mustBeNumber('solveUnknown3x3', 'index', index);
  if (!(index === 0 || index === 1 || index === 2))
    refuse('solveUnknown3x3', 'index', `must be 0, 1 or 2, got ${describe(index)}`);
  loadColumns(m);
  // Turning the columns round keeps the determinant.
  const own = index === 0 ? c0 : index === 1 ? c1 : c2;
  crossAccurate(index === 0 ? c1 : index === 1 ? c2 : c0, index === 0 ? c2 : index === 1 ? c0 : c1, normal);
  return dotIsSignificant(own, normal) ? dot(b, normal) / dot(own, normal) : null;
}

function loadColumns(m: ReadonlyMat3): void {
  const e = m.elements;
  set(e[0]!, e[1]!, e[2]!, c0);
  set(e[3]!, e[4]!, e[5]!, c1);
  set(e[6]!, e[7]!, e[8]!, c2);
}
const c0 = vec3();
const c1 = vec3();
const c2 = vec3();
const normal = vec3();

/** @internal Whether there is a v with a v.x + b v.y + c v.z = d; it goes to `out`. */
export function solveColumns(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  out: Vec3,
): boolean {
  const { x: dx, y: dy, z: dz } = d;
  crossAccurate(b, c, normal);
  if (!dotIsSignificant(a, normal)) return false;
  const det = a.x * normal.x + a.y * normal.y + a.z * normal.z;
  const x = dx * normal.x + dy * normal.y + dz * normal.z;
  crossAccurate(c, a, normal);
  const y = dx * normal.x + dy * normal.y + dz * normal.z;
  crossAccurate(a, b, normal);
  const z = dx * normal.x + dy * normal.y + dz * normal.z;
  out.x = x / det;
  out.y = y / det;
  out.z = z / det;
  return true;
}

/** The points x of the plane with normal · x = d. */
export interface Line2 {
  normal: Vec2;
  d: number;
}

/** How two lines of the plane meet: in a `point`, nowhere (`parallel`), or all along (`coincident`). */
export interface LineMeeting {
  kind: 'point' | 'parallel' | 'coincident';
  /** Where they meet, if `kind` is `point`; untouched otherwise. */
  point: Vec2;
}

export const makeLineMeeting = (): LineMeeting => ({ kind: 'parallel', point: vec2() });

interface ReadonlyLine2 {
  readonly normal: ReadonlyVec2;
  readonly d: number;
}

/**
 * How do two lines of the plane meet? As equations: one solution, none, or infinitely many, and that is the answer,
 * too, for an equation with a zero normal, which is no line. RTCD §3.1.4.
 */
export function meetLines2(
  a: ReadonlyLine2,
  b: ReadonlyLine2,
  out: LineMeeting = makeLineMeeting(),
): LineMeeting {
  mustBeLine2('a', a);
  mustBeLine2('b', b);
  const { x: ax, y: ay } = a.normal;
  const { x: bx, y: by } = b.normal;
  const { d: ad } = a;
  const { d: bd } = b;
  const det = significantDifference(ax, by, ay, bx);
  if (det !== 0) {
    out.kind = 'point';
    out.point.x = differenceOfProducts(ad, by, ay, bd) / det;
    out.point.y = differenceOfProducts(ax, bd, ad, bx) / det;
    return out;
  }
  const aZero = ax === 0 && ay === 0;
  const bZero = bx === 0 && by === 0;
  // One normal is a multiple of the other: is d the same multiple? Asked of the larger component.
  const sameLine =
    Math.abs(ax) > Math.abs(ay)
      ? significantDifference(ad, bx, bd, ax) === 0
      : significantDifference(ad, by, bd, ay) === 0;
  const solvable = (!aZero || ad === 0) && (!bZero || bd === 0) && (aZero || bZero || sameLine);
  out.kind = solvable ? 'coincident' : 'parallel';
  return out;
}

function mustBeLine2(name: string, line: ReadonlyLine2): void {
  if (isLine2(line)) return;
  mustHave('meetLines2', name, line, 'a line {normal, d}', 'normal');
  checkPoint2('meetLines2', `${name}.normal`, line.normal);
  mustBeCoordinate('meetLines2', `${name}.d`, line.d);
}

function isLine2(line: ReadonlyLine2): boolean {
  try {
    return isPoint2(line.normal) && line.d - 0 === line.d && Math.abs(line.d) <= LARGEST;
  } catch {
    return false;
  }
}

/** The determinant of a 4×4 matrix, `{ elements }` column by column. By the 2×2 minors of two pairs of columns. */
export function determinant4x4(m: { readonly elements: ArrayLike<number> }): number {
  mustHave('determinant4x4', 'm', m, 'a record', 'elements');
  const e = m.elements;
  checkNumbers('determinant4x4', 'm.elements', e, LARGEST);
  if (e.length !== 16) refuse('determinant4x4', 'm', `must have 16 elements, got ${e.length}`);
  const minor = (at: number, i: number, j: number): number =>
    e[at + i]! * e[at + j + 4]! - e[at + j]! * e[at + i + 4]!;
  return (
    minor(0, 0, 1) * minor(8, 2, 3) -
    minor(0, 0, 2) * minor(8, 1, 3) +
    minor(0, 0, 3) * minor(8, 1, 2) +
    minor(0, 1, 2) * minor(8, 0, 3) -
    minor(0, 1, 3) * minor(8, 0, 2) +
    minor(0, 2, 3) * minor(8, 0, 1)
  );
}

/**
 * The v with m v = b for n equations, m given column by column in n² numbers; null when m is singular. Gaussian
 * elimination, then once more for what is left of b, after which v solves a system whose every number is off by a few
 * roundings at most (Skeel 1980). Makes working copies. RTCD §3.1.4.
 */
export function solveNxN(m: ArrayLike<number>, b: ArrayLike<number>, out: number[] = []): number[] | null {
  checkNumbers('solveNxN', 'm', m, ANY_FINITE);
  checkNumbers('solveNxN', 'b', b, ANY_FINITE);
  const n = b.length;
  if (n === 0) refuse('solveNxN', 'b', 'must not be empty');
  if (m.length !== n * n) refuse('solveNxN', 'm', `must have ${n * n} numbers, got ${m.length}`);
  const v = eliminate(m, b);
  if (!v) return null;
  const rest = Array.from(b, (x, i) => v.reduce((sum, y, j) => sum - m[i + j * n]! * y, x));
  const correction = eliminate(m, rest);
  out.length = n;
  for (let i = 0; i < n; i++) out[i] = v[i]! + (correction ? correction[i]! : 0);
  return out;
}

/** Pivots are chosen as if all columns and then all rows had been brought to one size. */
function eliminate(m: ArrayLike<number>, b: ArrayLike<number>): number[] | null {
  const n = b.length;
  const columnSizes: number[] = [];
  for (let j = 0; j < n; j++) {
    let largest = 0;
    for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(m[i + j * n]!));
    if (largest === 0) return null;
    columnSizes.push(largest);
  }
  const rows: Row[] = [];
  for (let i = 0; i < n; i++) {
    const values = Array.from({ length: n + 1 }, (_, j) => (j < n ? m[i + j * n]! : b[i]!));
    const scale = Math.max(...columnSizes.map((size, j) => Math.abs(values[j]!) / size));
    rows.push({ values, sizes: values.map(Math.abs), scale });
  }
  for (let k = 0; k < n; k++) {
    const pivot = takePivot(rows, k);
    if (!(Math.abs(pivot.values[k]!) > n * ROUNDING * pivot.sizes[k]!)) return null;
    for (let i = k + 1; i < n; i++) subtract(rows[i]!, rows[i]!.values[k]! / pivot.values[k]!, pivot, k);
  }
  const v: number[] = [];
  for (let k = n - 1; k >= 0; k--) {
    const { values } = rows[k]!;
    let sum = values[n]!;
    for (let j = k + 1; j < n; j++) sum -= values[j]! * v[j]!;
    v[k] = sum / values[k]!;
  }
  return v;
}

/** Brings the row with the largest share in column k up to row k. */
function takePivot(rows: Row[], k: number): Row {
  const share = (row: Row): number => (row.scale === 0 ? 0 : Math.abs(row.values[k]!) / row.scale);
  let best = k;
  for (let i = k + 1; i < rows.length; i++) if (share(rows[i]!) > share(rows[best]!)) best = i;
  const pivot = rows[best]!;
  rows[best] = rows[k]!;
  rows[k] = pivot;
  return pivot;
}

/** An equation: coefficients and right side, the sizes of all that went into each, the largest share of a column. */
interface Row {
  values: number[];
  sizes: number[];
  scale: number;
}

function subtract(row: Row, factor: number, pivot: Row, from: number): void {
  for (let j = from; j < row.values.length; j++) {
    row.values[j] = row.values[j]! - factor * pivot.values[j]!;
    row.sizes[j] = row.sizes[j]! + Math.abs(factor) * pivot.sizes[j]!;
  }
}

/** Eigenvalues and eigenvectors of symmetric 3×3 matrices. RTCD §4.3.3. */
import { ANY_FINITE, checkMat3 } from './check.ts';
import * as m3 from './mat3.ts';
import type { Mat3, ReadonlyMat3, Vec3 } from './types.ts';
import { mat3, vec3 } from './types.ts';
import * as v3 from './vec3.ts';

export interface Eigen {
  /** In descending order. */
  values: Vec3;
  /** The columns are the unit eigenvectors of the values, in their order, at right angles and right-handed. */
  vectors: Mat3;
}

export const makeEigen = (): Eigen => ({ values: vec3(), vectors: mat3() });

/** Six sweeps have been enough for every matrix of the tests; convergence is quadratic. */
const MAX_SWEEPS = 20;
/** An element off the diagonal this small beside the largest element changes nothing any more . */
const NEGLIGIBLE = 1e-18;

/**
 * The eigenvalues and eigenvectors of a symmetric matrix, of which only the diagonal and what is above it is read.
 * Always succeeds, at any scale; where eigenvalues coincide, any eigenvectors to them may come. Jacobi's rotations.
 */
export function eigenSymmetric(m: ReadonlyMat3, out: Eigen = makeEigen()): Eigen {
  checkMat3('eigenSymmetric', 'm', m, ANY_FINITE);
  const e = m.elements;
  let size = 0;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const element = e[i <= j ? i + 3 * j : j + 3 * i]!;
      size = Math.max(size, Math.abs(element));
      work[3 * i + j] = element;
      axes[3 * i + j] = i === j ? 1 : 0;
    }
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    const off = Math.max(Math.abs(work[1]!), Math.abs(work[2]!), Math.abs(work[5]!));
    if (!(off > NEGLIGIBLE * size)) break;
    rotate(0, 1, 2);
    rotate(0, 2, 1);
    rotate(1, 2, 0);
  }
  return sorted(out);
}
/** The matrix, as far as it is diagonal by now. */
const work = new Float64Array(9);
/** Row i is the eigenvector to work[i, i]. */
const axes = new Float64Array(9);

/** Turns axes p and q so that element (p, q) becomes zero; r is the third axis. */
function rotate(p: number, q: number, r: number): void {
  const pq = work[3 * p + q]!;
  if (pq === 0) return;
  const pp = work[3 * p + p]!;
  const qq = work[3 * q + q]!;
  // The tangent of the smaller of the two angles that do it: the one that converges.
  const cot2 = (0.5 * qq - 0.5 * pp) / pq;
  const t = (cot2 < 0 ? -1 : 1) / (Math.abs(cot2) + Math.sqrt(cot2 * cot2 + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  work[3 * p + p] = pp - t * pq;
  work[3 * q + q] = qq + t * pq;
  work[3 * p + q] = work[3 * q + p] = 0;
  const pr = work[3 * p + r]!;
  const qr = work[3 * q + r]!;
  work[3 * p + r] = work[3 * r + p] = c * pr - s * qr;
  work[3 * q + r] = work[3 * r + q] = s * pr + c * qr;
  for (let k = 0; k < 3; k++) {
    const a = axes[3 * p + k]!;
    const b = axes[3 * q + k]!;
    axes[3 * p + k] = c * a - s * b;
    axes[3 * q + k] = s * a + c * b;
  }
}

function sorted(out: Eigen): Eigen {
  const a = work[0]!;
  const b = work[4]!;
  const c = work[8]!;
  // With all three equal these are 0 and 2: never the same.
  const first = a >= b && a >= c ? 0 : b >= c ? 1 : 2;
  const last = a < b && a < c ? 0 : b < c ? 1 : 2;
  const middle = 3 - first - last;
  out.values.x = work[4 * first]!;
  out.values.y = work[4 * middle]!;
  out.values.z = work[4 * last]!;
  axis(first, u);
  axis(middle, v);
  m3.fromColumns(u, v, v3.cross(u, v, w), out.vectors); // right-handed, whatever the order
  return out;
}
const u = vec3();
const v = vec3();
const w = vec3();

const axis = (i: number, to: Vec3): Vec3 => v3.set(axes[3 * i]!, axes[3 * i + 1]!, axes[3 * i + 2]!, to);

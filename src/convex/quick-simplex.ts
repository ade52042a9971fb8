/**
 * The nearest point of a triangle or tetrahedron to the origin, for the quick steps of GJK: of its parts that hold the
 * newest point only, and without care for rounding. What is flat, thin or on the border is not decided here.
 */
import { EPS64 } from '../math/float.ts';

/** Rounding might decide: ask `nearestWithNewest`. */
export const QUICK_UNSURE = 0;
/** The nearest point is in `step`. */
export const QUICK_FOUND = 1;
/** The origin is inside of the tetrahedron. */
export const QUICK_INSIDE = 2;

/** The nearest point so far. `sq` is Infinity before the first. */
export const step = { x: 0.5, y: 0.5, z: 0.5, sq: 0.5, kept: 0 };

/** The square of the sine between two sides: below it, the normal of a triangle is too much of a difference. */
const THIN = 1e-4;
/** Of a triple product, relative to the lengths: as in `simplex.ts`, but all lengths are bounded by sums. */
const TRIPLE_ERROR = 64 * EPS64;

/** The triangle of the newest point p with q and r; the nearest point is not on qr. Slots of w. */
export function quickFace(w: Float64Array, p: number, q: number, r: number): number {
  const px = w[3 * p]!;
  const py = w[3 * p + 1]!;
  const pz = w[3 * p + 2]!;
  const dx = w[3 * q]! - px;
  const dy = w[3 * q + 1]! - py;
  const dz = w[3 * q + 2]! - pz;
  const ex = w[3 * r]! - px;
  const ey = w[3 * r + 1]! - py;
  const ez = w[3 * r + 2]! - pz;
  const dd = dx * dx + dy * dy + dz * dz;
  const de = dx * ex + dy * ey + dz * ez;
  const ee = ex * ex + ey * ey + ez * ez;
  const nn = dd * ee - de * de;
  if (!(nn > THIN * dd * ee)) return QUICK_UNSURE;
  const pd = -(px * dx + py * dy + pz * dz);
  const pe = -(px * ex + py * ey + pz * ez);
  // The foot of the perpendicular is p + (s d + t e) / nn.
  const s = pd * ee - pe * de;
  const t = pe * dd - pd * de;
  if (s > 0 && t > 0) {
    if (!(s + t < nn)) return QUICK_UNSURE;
    const nx = dy * ez - dz * ey;
    const ny = dz * ex - dx * ez;
    const nz = dx * ey - dy * ex;
    const scale = (px * nx + py * ny + pz * nz) / (nx * nx + ny * ny + nz * nz);
    const x = scale * nx;
    const y = scale * ny;
    const z = scale * nz;
    const sq = x * x + y * y + z * z;
    if (!(sq < step.sq)) return QUICK_FOUND;
    step.x = x;
    step.y = y;
    step.z = z;
    step.sq = sq;
    step.kept = (1 << p) | (1 << q) | (1 << r);
    return QUICK_FOUND;
  }
  // On pq, on pr or p itself. If both sides are open, the nearer one.
  if (t <= 0 && pd > 0) {
    const k = pd / dd;
    if (!(k < 1)) return QUICK_UNSURE;
    const x = px + k * dx;
    const y = py + k * dy;
    const z = pz + k * dz;
    const sq = x * x + y * y + z * z;
    if (sq < step.sq) {
      step.x = x;
      step.y = y;
      step.z = z;
      step.sq = sq;
      step.kept = (1 << p) | (1 << q);
    }
  }
  if (s <= 0 && pe > 0) {
    const k = pe / ee;
    if (!(k < 1)) return QUICK_UNSURE;
    const x = px + k * ex;
    const y = py + k * ey;
    const z = pz + k * ez;
    const sq = x * x + y * y + z * z;
    if (sq < step.sq) {
      step.x = x;
      step.y = y;
      step.z = z;
      step.sq = sq;
      step.kept = (1 << p) | (1 << r);
    }
  }
  if (pd <= 0 && pe <= 0) {
    const sq = px * px + py * py + pz * pz;
    if (sq < step.sq) {
      step.x = px;
      step.y = py;
      step.z = pz;
      step.sq = sq;
      step.kept = 1 << p;
    }
  }
  return step.sq < Infinity ? QUICK_FOUND : QUICK_UNSURE;
}

/** The tetrahedron of the newest point p with q, r and s; the nearest point is not in qrs. Slots of w. */
export function quickTetrahedron(w: Float64Array, p: number, q: number, r: number, s: number): number {
  const px = w[3 * p]!;
  const py = w[3 * p + 1]!;
  const pz = w[3 * p + 2]!;
  const dx = w[3 * q]! - px;
  const dy = w[3 * q + 1]! - py;
  const dz = w[3 * q + 2]! - pz;
  const ex = w[3 * r]! - px;
  const ey = w[3 * r + 1]! - py;
  const ez = w[3 * r + 2]! - pz;
  const fx = w[3 * s]! - px;
  const fy = w[3 * s + 1]! - py;
  const fz = w[3 * s + 2]! - pz;
  const ax = dy * ez - dz * ey;
  const ay = dz * ex - dx * ez;
  const az = dx * ey - dy * ex;
  const volume = fx * ax + fy * ay + fz * az;
  const wf = -(px * ax + py * ay + pz * az) * volume;
  // p x f and so on, taken once: u·(v x w) may be turned around.
  const gx = py * fz - pz * fy;
  const gy = pz * fx - px * fz;
  const gz = px * fy - py * fx;
  const wd = (ex * gx + ey * gy + ez * gz) * volume;
  const we = -(dx * gx + dy * gy + dz * gz) * volume;
  const p1 = Math.abs(px) + Math.abs(py) + Math.abs(pz);
  const d1 = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
  const e1 = Math.abs(ex) + Math.abs(ey) + Math.abs(ez);
  const f1 = Math.abs(fx) + Math.abs(fy) + Math.abs(fz);
  const size = volume < 0 ? -volume : volume;
  // One bound for all.
  const error = TRIPLE_ERROR * (p1 * (d1 * e1 + e1 * f1 + f1 * d1) + d1 * e1 * f1);
  if (!(size > error)) return QUICK_UNSURE;
  const limit = error * size;
  const outD = +(wd < 0);
  const outE = +(we < 0);
  const outF = +(wf < 0);
  if (!(Math.abs(wd) > limit && Math.abs(we) > limit && Math.abs(wf) > limit)) return QUICK_UNSURE;
  const out = outD | (outE << 1) | (outF << 2);
  if (out === 0) {
    return volume * volume - wd - we - wf > 4 * limit ? QUICK_INSIDE : QUICK_UNSURE;
  }
  let how = QUICK_FOUND;
  if ((out & 4) !== 0) how &= quickFace(w, p, q, r);
  if ((out & 1) !== 0) how &= quickFace(w, p, r, s);
  if ((out & 2) !== 0) how &= quickFace(w, p, s, q);
  return how;
}

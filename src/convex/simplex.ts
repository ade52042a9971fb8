/**
 * The point nearest to the origin in the hull of up to four points: what every step of GJK asks. RTCD §9.5.2.
 *
 * Every answer is a candidate that was computed in full (vertex, edge, face), and the nearest of them wins. A region that
 * rounding decides wrongly makes the answer a little farther than it could be, never something outside of the hull.
 */
import { EPS64 } from '../math/float.ts';
import { orient3d } from '../math/orient.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';

/** The nearest point of a simplex whose points lie in slots 0 … 3 of an array: slot i at 3 i. */
export interface MinNorm {
  x: number;
  y: number;
  z: number;
  /** Of its distance to the origin. 0 when that is inside. */
  sq: number;
  /** The smallest subset whose hull holds it: a bit for each slot. */
  kept: number;
  /**
   * Of the slots that are kept: at least 0, together 1, up to rounding. The rest is left over from before. Of thin
   * triangles and tetrahedra they are a first guess: see `refineWeights`.
   */
  readonly weights: Float64Array;
  /** Is the origin in a tetrahedron that has a volume? Exact. */
  inside: boolean;
}

export const makeMinNorm = (): MinNorm => ({
  x: 0.5,
  y: 0.5,
  z: 0.5,
  sq: 0.5,
  kept: 0,
  weights: new Float64Array(4),
  inside: false,
});

/**
 * Of a simplex whose nearest point was known before the point in the slot `newest` came: only what holds the newest
 * point is looked at, as the rest has nothing nearer than before. `mask` has a bit for each slot in use, the
 * newest included.
 */
export function nearestWithNewest(w: Float64Array, mask: number, newest: number, out: MinNorm): void {
  const rest = mask & ~(1 << newest);
  out.sq = Infinity;
  out.kept = 0;
  out.inside = false;
  if (rest === 0) {
    tryVertex(w, newest, out);
    return;
  }
  const i = lowestBit(rest);
  const others = rest & (rest - 1);
  if (others === 0) {
    tryEdge(w, newest, i, out);
    return;
  }
  const j = lowestBit(others);
  const last = others & (others - 1);
  if (last === 0) {
    tryFace(w, newest, i, j, out);
    return;
  }
  tryTetrahedron(w, newest, i, j, lowestBit(last), out);
}

/** Of any simplex, by looking at all of its up to 15 subsets. Slow, and as good as numbers allow. */
export function nearestInSimplex(w: Float64Array, mask: number, out: MinNorm): void {
  out.sq = Infinity;
  out.kept = 0;
  out.inside = false;
  for (let i = 0; i < 4; i++) {
    if ((mask & (1 << i)) === 0) continue;
    tryVertex(w, i, out);
    for (let j = 0; j < i; j++) {
      if ((mask & (1 << j)) === 0) continue;
      tryEdge(w, i, j, out);
      for (let k = 0; k < j; k++) if ((mask & (1 << k)) !== 0) tryFace(w, i, j, k, out);
    }
  }
  if (mask === 15 && holdsOrigin(w)) keepAll(out);
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

function squareOf(w: Float64Array, i: number): number {
  const x = w[3 * i]!;
  const y = w[3 * i + 1]!;
  const z = w[3 * i + 2]!;
  return x * x + y * y + z * z;
}

function tryVertex(w: Float64Array, i: number, out: MinNorm): void {
  const x = w[3 * i]!;
  const y = w[3 * i + 1]!;
  const z = w[3 * i + 2]!;
  const sq = x * x + y * y + z * z;
  if (!(sq < out.sq)) return;
  out.x = x;
  out.y = y;
  out.z = z;
  out.sq = sq;
  out.kept = 1 << i;
  out.weights[i] = 1;
}

/**
 * A candidate is taken if it is nearer than the nearest so far; or, if rounding leaves that open, if it has that in its
 * boundary: the inside is where the perpendicular was found to meet it, and then the boundary is farther. Written out
 * where it is needed, as a call would put the number on the heap.
 */
const TIE = 1 + 4 * EPS64;

function tryEdge(w: Float64Array, first: number, second: number, out: MinNorm): void {
  // From the nearer end: what rounding takes is relative to its length.
  const swap = squareOf(w, second) < squareOf(w, first);
  const i = swap ? second : first;
  const j = swap ? first : second;
  const px = w[3 * i]!;
  const py = w[3 * i + 1]!;
  const pz = w[3 * i + 2]!;
  const ex = w[3 * j]! - px;
  const ey = w[3 * j + 1]! - py;
  const ez = w[3 * j + 2]! - pz;
  const along = -(px * ex + py * ey + pz * ez);
  const whole = ex * ex + ey * ey + ez * ez;
  // Beyond the farther end it cannot be.
  if (!(along > 0 && along < whole)) {
    tryVertex(w, i, out);
    return;
  }
  const t = along / whole;
  let x = px + t * ex;
  let y = py + t * ey;
  let z = pz + t * ez;
  // Near the origin little is left of the point but rounding. Perpendicular to the edge it must be still.
  const slip = (x * ex + y * ey + z * ez) / whole;
  x -= slip * ex;
  y -= slip * ey;
  z -= slip * ez;
  const sq = x * x + y * y + z * z;
  const kept = (1 << i) | (1 << j);
  if (!(sq < out.sq || ((out.kept & ~kept) === 0 && sq <= TIE * out.sq))) return;
  out.x = x;
  out.y = y;
  out.z = z;
  out.sq = sq;
  out.kept = kept;
  out.weights[i] = 1 - t;
  out.weights[j] = t;
}

/**
 * The triangle of p, q and r. With d = q - p, e = r - p and n = d x e, the foot of the perpendicular f = p + s d + t e is
 * a multiple of n, so that (f x e)·n = (f x d)·n = 0: that gives s and t. The foot itself is n (p·n) / (n·n): however
 * near the origin is to the plane, its direction is as good as that of n. What they lose by rounding is relative to the
 * length of p: the nearest of the three is taken for it.
 */
function tryFace(w: Float64Array, first: number, second: number, third: number, out: MinNorm): void {
  let i = first;
  let j = second;
  let k = third;
  let pp = squareOf(w, i);
  const qq = squareOf(w, j);
  const rr = squareOf(w, k);
  if (qq < pp && qq <= rr) {
    i = second;
    j = first;
    pp = qq;
  } else if (rr < pp) {
    i = third;
    k = first;
    pp = rr;
  }
  const px = w[3 * i]!;
  const py = w[3 * i + 1]!;
  const pz = w[3 * i + 2]!;
  const dx = w[3 * j]! - px;
  const dy = w[3 * j + 1]! - py;
  const dz = w[3 * j + 2]! - pz;
  const ex = w[3 * k]! - px;
  const ey = w[3 * k + 1]! - py;
  const ez = w[3 * k + 2]! - pz;
  let nx = dy * ez - dz * ey;
  let ny = dz * ex - dx * ez;
  let nz = dx * ey - dy * ex;
  // Of a thin triangle n is a difference of large numbers. What error it has along the longer edge, which would count
  // most, is taken out again.
  const dd = dx * dx + dy * dy + dz * dz;
  const ee = ex * ex + ey * ey + ez * ez;
  if (dd > ee) {
    const slip = (nx * dx + ny * dy + nz * dz) / dd;
    nx -= slip * dx;
    ny -= slip * dy;
    nz -= slip * dz;
  } else if (ee > 0) {
    const slip = (nx * ex + ny * ey + nz * ez) / ee;
    nx -= slip * ex;
    ny -= slip * ey;
    nz -= slip * ez;
  }
  const nn = nx * nx + ny * ny + nz * nz;
  const s = -((py * ez - pz * ey) * nx + (pz * ex - px * ez) * ny + (px * ey - py * ex) * nz);
  const t = (py * dz - pz * dy) * nx + (pz * dx - px * dz) * ny + (px * dy - py * dx) * nz;
  const rest = nn - s - t;
  if (s > 0 && t > 0 && rest > 0) {
    const height = px * nx + py * ny + pz * nz;
    const sq = (height * height) / nn;
    const kept = (1 << i) | (1 << j) | (1 << k);
    if (!(sq < out.sq || ((out.kept & ~kept) === 0 && sq <= TIE * out.sq))) return;
    const scale = height / nn;
    out.x = scale * nx;
    out.y = scale * ny;
    out.z = scale * nz;
    out.sq = sq;
    out.kept = kept;
    out.weights[i] = rest / nn;
    out.weights[j] = s / nn;
    out.weights[k] = t / nn;
    return;
  }
  // The nearest point lies on an edge that has the origin on its outer side. (All of them, if there is no triangle.)
  if (!(t > 0)) tryEdge(w, i, j, out);
  if (!(s > 0)) tryEdge(w, i, k, out);
  if (!(rest > 0)) tryEdge(w, j, k, out);
  // If it lies so little on the outer side that it could be the inner one, the triangle holds as much of the truth: what
  // it knows better is the direction, which near the origin is lost in the rounding of a point on the edge.
  const { kept } = out;
  const all = (1 << i) | (1 << j) | (1 << k);
  if ((kept & ~all) !== 0 || (kept & (kept - 1)) === 0) return;
  const ff = (ex - dx) * (ex - dx) + (ey - dy) * (ey - dy) + (ez - dz) * (ez - dz);
  const limit = FOOT_ERROR * FOOT_ERROR * pp * nn;
  if (!(nn > 0 && (t > 0 || t * t <= limit * dd))) return;
  if (!((s > 0 || s * s <= limit * ee) && (rest > 0 || rest * rest <= limit * ff))) return;
  const height = px * nx + py * ny + pz * nz;
  const scale = height / nn;
  out.x = scale * nx;
  out.y = scale * ny;
  out.z = scale * nz;
  out.sq = (height * height) / nn;
  out.weights[lowestBit(all & ~kept)] = 0;
  out.kept = all;
}

/** How far beyond an edge rounding can put the foot, relative to the distance of a corner: a few operations' worth. */
const FOOT_ERROR = 8 * EPS64;

/** Of a triple product, relative to that of the largest coordinates: six terms, each through seven roundings at most. */
const TRIPLE_ERROR = 32 * EPS64;

/**
 * With d, e, f from the newest point p to the others, the origin is p + (u d + v e + w f) / det, where det = f·(d x e) is
 * the volume, w = -p·(d x e) and so on around: inside if these and det - u - v - w have one sign. That is taken from
 * their numbers if those are larger than rounding could make them, else found out exactly.
 */
function tryTetrahedron(w: Float64Array, i: number, j: number, k: number, l: number, out: MinNorm): void {
  const px = w[3 * i]!;
  const py = w[3 * i + 1]!;
  const pz = w[3 * i + 2]!;
  const dx = w[3 * j]! - px;
  const dy = w[3 * j + 1]! - py;
  const dz = w[3 * j + 2]! - pz;
  const ex = w[3 * k]! - px;
  const ey = w[3 * k + 1]! - py;
  const ez = w[3 * k + 2]! - pz;
  const fx = w[3 * l]! - px;
  const fy = w[3 * l + 1]! - py;
  const fz = w[3 * l + 2]! - pz;
  const ax = dy * ez - dz * ey;
  const ay = dz * ex - dx * ez;
  const az = dx * ey - dy * ex;
  const volume = fx * ax + fy * ay + fz * az;
  const side = volume < 0 ? -1 : 1;
  const det = side * volume;
  const wf = -side * (px * ax + py * ay + pz * az);
  const wd = -side * (px * (ey * fz - ez * fy) + py * (ez * fx - ex * fz) + pz * (ex * fy - ey * fx));
  const we = -side * (px * (fy * dz - fz * dy) + py * (fz * dx - fx * dz) + pz * (fx * dy - fy * dx));
  const rest = det - wd - we - wf;
  const p = Math.max(Math.abs(px), Math.abs(py), Math.abs(pz));
  const d = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz));
  const e = Math.max(Math.abs(ex), Math.abs(ey), Math.abs(ez));
  const f = Math.max(Math.abs(fx), Math.abs(fy), Math.abs(fz));
  const detError = TRIPLE_ERROR * d * e * f;
  const wdError = TRIPLE_ERROR * p * e * f;
  const weError = TRIPLE_ERROR * p * f * d;
  const wfError = TRIPLE_ERROR * p * d * e;
  const restError = 2 * (detError + wdError + weError + wfError);
  const solid = det > detError;
  if (solid && wd > wdError && we > weError && wf > wfError && rest > restError) {
    out.weights[i] = rest / det;
    out.weights[j] = wd / det;
    out.weights[k] = we / det;
    out.weights[l] = wf / det;
    keepAll(out);
    return;
  }
  // The faces that may have the origin on their outer side.
  if (!(solid && wf > wfError)) tryFace(w, i, j, k, out);
  if (!(solid && wd > wdError)) tryFace(w, i, k, l, out);
  if (!(solid && we > weError)) tryFace(w, i, l, j, out);
  const outside = solid && (wd < -wdError || we < -weError || wf < -wfError || rest < -restError);
  // The face opposite to the newest point has nothing nearer, unless rounding has misled all other tests.
  if (out.sq === Infinity) tryFace(w, j, k, l, out);
  if (!outside && holdsOrigin(w)) keepAll(out);
}

/** All four are kept. Weights of those that the nearest candidate so far does without are zero. */
function keepAll(out: MinNorm): void {
  if (out.sq < Infinity) for (let i = 0; i < 4; i++) if ((out.kept & (1 << i)) === 0) out.weights[i] = 0;
  out.x = 0;
  out.y = 0;
  out.z = 0;
  out.sq = 0;
  out.kept = 15;
  out.inside = true;
}

const ORIGIN = vec3();
const p0 = vec3();
const p1 = vec3();
const p2 = vec3();
const p3 = vec3();

/** Is the origin in the tetrahedron of all four slots (or on it)? One without a volume holds nothing. Exact. */
function holdsOrigin(w: Float64Array): boolean {
  load(w, 0, p0);
  load(w, 3, p1);
  load(w, 6, p2);
  load(w, 9, p3);
  const volume = Math.sign(orient3d(p0, p1, p2, p3));
  return (
    volume !== 0 &&
    volume * orient3d(ORIGIN, p1, p2, p3) >= 0 &&
    volume * orient3d(p0, ORIGIN, p2, p3) >= 0 &&
    volume * orient3d(p0, p1, ORIGIN, p3) >= 0 &&
    volume * orient3d(p0, p1, p2, ORIGIN) >= 0
  );
}

function load(w: Float64Array, at: number, out: Vec3): void {
  out.x = w[at]!;
  out.y = w[at + 1]!;
  out.z = w[at + 2]!;
}

const ROUNDS = 4;

/**
 * Improves weights that were meant to make `target` of the points in slots 0 … count - 1: of a thin simplex they may make
 * something far from it. What they make is closer to the target than the corners are, and by as much are the errors of
 * solving for the rest smaller, time and again. Or an edge has a better point, if there is not enough of the rest.
 */
export function refineWeights(
  w: Float64Array,
  count: number,
  weights: Float64Array,
  target: ReadonlyVec3,
): void {
  if (count < 3) return;
  const { x: gx, y: gy, z: gz } = target;
  const px = w[0]!;
  const py = w[1]!;
  const pz = w[2]!;
  const dx = w[3]! - px;
  const dy = w[4]! - py;
  const dz = w[5]! - pz;
  const ex = w[6]! - px;
  const ey = w[7]! - py;
  const ez = w[8]! - pz;
  const nx = dy * ez - dz * ey;
  const ny = dz * ex - dx * ez;
  const nz = dx * ey - dy * ex;
  // A triangle has a perpendicular for a third edge, which gets no weight.
  const fx = count === 4 ? w[9]! - px : nx;
  const fy = count === 4 ? w[10]! - py : ny;
  const fz = count === 4 ? w[11]! - pz : nz;
  const volume = fx * nx + fy * ny + fz * nz;
  let s = weights[1]!;
  let t = weights[2]!;
  let u = count === 4 ? weights[3]! : 0;
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const rx = gx - px - s * dx - t * ex - u * fx;
    const ry = gy - py - s * dy - t * ey - u * fy;
    const rz = gz - pz - s * dz - t * ez - u * fz;
    const sq = rx * rx + ry * ry + rz * rz;
    if (!(sq < least)) break;
    least = sq;
    weights[0] = Math.max(0, 1 - s - t - u);
    weights[1] = s;
    weights[2] = t;
    if (count === 4) weights[3] = u;
    // The rest r is to be made of d, e and f: by r·(e x f) / d·(e x f) of d and so on.
    s += (rx * (ey * fz - ez * fy) + ry * (ez * fx - ex * fz) + rz * (ex * fy - ey * fx)) / volume;
    t += (rx * (fy * dz - fz * dy) + ry * (fz * dx - fx * dz) + rz * (fx * dy - fy * dx)) / volume;
    if (count === 4) u += (rx * nx + ry * ny + rz * nz) / volume;
    s = Math.min(Math.max(s, 0), 1);
    t = Math.min(Math.max(t, 0), 1 - s);
    u = Math.min(Math.max(u, 0), 1 - s - t);
  }
  const size = Math.abs(px) + Math.abs(py) + Math.abs(pz) + Math.abs(gx) + Math.abs(gy) + Math.abs(gz);
  if (least <= EPS64 * EPS64 * size * size) return;
  for (let i = 1; i < count; i++)
    for (let j = 0; j < i; j++) {
      const ax = w[3 * i]!;
      const ay = w[3 * i + 1]!;
      const az = w[3 * i + 2]!;
      const bx = w[3 * j]! - ax;
      const by = w[3 * j + 1]! - ay;
      const bz = w[3 * j + 2]! - az;
      const whole = bx * bx + by * by + bz * bz;
      const along = (gx - ax) * bx + (gy - ay) * by + (gz - az) * bz;
      const k = along > 0 ? (along < whole ? along / whole : 1) : 0;
      const rx = gx - ax - k * bx;
      const ry = gy - ay - k * by;
      const rz = gz - az - k * bz;
      const sq = rx * rx + ry * ry + rz * rz;
      if (!(sq < least)) continue;
      least = sq;
      for (let l = 0; l < count; l++) weights[l] = l === i ? 1 - k : l === j ? k : 0;
    }
}

/**
 * GJK for flat-sided bodies that are clearly apart or clearly overlap, which most are. The steps are those of `gjk-run.ts`,
 * which has the derivation, with nothing done for what rounding could spoil: supports and the solution of small simplices
 * are in the loop, and a simplex is solved for the regions at its newest point only. That takes half the time. Whenever
 * rounding could decide (thin simplices, an origin near the border of a region, bodies nearly in touch, curved bodies, whose
 * last steps are short) this gives up, and `gjkRun` continues with the simplex. So there are two loops: this one is
 * fast and may give up, that one always ends with the answer.
 */
import { EPS64 } from '../math/float.ts';
import { FARTHEST, mustBeAFrame } from './check.ts';
import type { ConvexCore } from './core.ts';
import { BOX, lookUp, POINT, POLYTOPE, SEGMENT, scanPoints, supportCore } from './core.ts';
import type { Frame } from './frame.ts';
import type { GjkState } from './gjk-state.ts';
import type { MinNorm } from './simplex.ts';

/** How a run of the fast path ended. */
export const UNSETTLED = 0;
/** The simplex has the nearest point, to rounding; the last `bound` proves it. */
export const NEAREST = 1;
/** The origin is in the tetrahedron. */
export const INSIDE = 2;
/** Asked to decide: a plane stands between the bodies, or they are in touch. */
export const SEPARATED = 3;
export const TOUCHING = 4;

/** Of a simplex: rounding might decide; `nearestWithNewest` is certain. */
export const UNSURE = 0;
/** The nearest point is in `out`. */
export const FOUND = 1;
/** The origin is inside of the tetrahedron. */
export const HOLDS_ORIGIN = 2;

/** Polytopes are done by then; what takes longer is curved, or odd. */
const MOST_STEPS = 24;
/** Rounding of a point of the difference, relative to the size of all: five operations with numbers of that size. */
export const POINT_ERROR = 4 * EPS64;
/** In units of the rounding of points: far above what a step could be wrong by. */
export const CLEAR = 256;

/** The square of the sine between two sides: below it, the normal of a triangle is too much of a difference. */
const THIN = 1e-4;
/** Of a triple product, relative to the lengths: as in `simplex.ts`, but all lengths are bounded by sums. */
const TRIPLE_ERROR = 64 * EPS64;

/**
 * Runs from the direction between the centres, and returns how that ended. The simplex is in the slots `end.mask` of the
 * state, with its nearest point in `end`; of SEPARATED and NEAREST, `end.lower` is how far apart the last plane proves the
 * cores to be, and of SEPARATED `end.direction` is its normal.
 *
 * @internal
 */
export function gjkFastPath(
  a: ConvexCore,
  b: ConvexCore,
  f: Frame,
  state: GjkState,
  decide: boolean,
): number {
  const { m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz } = f;
  const offset = Math.abs(tx) + Math.abs(ty) + Math.abs(tz);
  if (!((m00 + m01 + m02 + m10 + m11 + m12 + m20 + m21 + m22) * 0 === 0 && offset <= FARTHEST))
    mustBeAFrame(decide ? 'gjkOverlap' : 'gjkDistance', f);
  const { w, indexA, indexB, end } = state;
  const { toward: direction, point, nearest } = end;
  const pa = state.a;
  const pb = state.b;
  const { type: typeA, data: dataA } = a;
  const { type: typeB, data: dataB } = b;
  const { table: tableA } = a;
  const { table: tableB } = b;
  const looksUpA = tableA.length > 0;
  const looksUpB = tableB.length > 0;
  // Long lists with neighbours are climbed.
  const scansA = typeA === POLYTOPE && !looksUpA && a.neighbours.length === 0;
  const scansB = typeB === POLYTOPE && !looksUpB && b.neighbours.length === 0;
  const radii = a.radius + b.radius;
  const floor = POINT_ERROR * (a.reach + b.reach + offset);
  const touch = Math.max(0, radii - CLEAR * floor);
  const touchSq = touch * touch;
  const { x: cx, y: cy, z: cz } = b.center;
  let vx = a.center.x - (m00 * cx + m01 * cy + m02 * cz + tx);
  let vy = a.center.y - (m10 * cx + m11 * cy + m12 * cz + ty);
  let vz = a.center.z - (m20 * cx + m21 * cy + m22 * cz + tz);
  let sq = Infinity;
  let lengthSq = vx * vx + vy * vy + vz * vz;
  let hintA = -1;
  let hintB = -1;
  let mask = 0;
  let newest = 0;
  let ending = UNSETTLED;
  let steps = 0;
  while (steps < MOST_STEPS) {
    if (!(lengthSq > 1e-200)) break;
    steps++;
    let ax = 0;
    let ay = 0;
    let az = 0;
    if (looksUpA) {
      direction.x = -vx;
      direction.y = -vy;
      direction.z = -vz;
      const at = lookUp(dataA, tableA, direction);
      ax = dataA[at]!;
      ay = dataA[at + 1]!;
      az = dataA[at + 2]!;
      hintA = (at / 3) | 0;
    } else if (scansA) {
      direction.x = -vx;
      direction.y = -vy;
      direction.z = -vz;
      hintA = scanPoints(dataA, direction, hintA);
      ax = dataA[3 * hintA]!;
      ay = dataA[3 * hintA + 1]!;
      az = dataA[3 * hintA + 2]!;
    } else if (typeA === BOX) {
      // The sign by arithmetic: no branch predictor could guess it.
      const right = +(vx <= 0);
      const up = +(vy <= 0);
      const front = +(vz <= 0);
      ax = (2 * right - 1) * dataA[0]!;
      ay = (2 * up - 1) * dataA[1]!;
      az = (2 * front - 1) * dataA[2]!;
      hintA = right | (up << 1) | (front << 2);
    } else if (typeA === SEGMENT) {
      const along =
        vx * (dataA[3]! - dataA[0]!) + vy * (dataA[4]! - dataA[1]!) + vz * (dataA[5]! - dataA[2]!);
      hintA = +(along < 0);
      ax = dataA[3 * hintA]!;
      ay = dataA[3 * hintA + 1]!;
      az = dataA[3 * hintA + 2]!;
    } else if (typeA === POINT) hintA = 0;
    else {
      direction.x = -vx;
      direction.y = -vy;
      direction.z = -vz;
      hintA = supportCore(a, direction, hintA, point);
      ax = point.x;
      ay = point.y;
      az = point.z;
    }
    let bx = 0;
    let by = 0;
    let bz = 0;
    if (typeB === POINT) hintB = 0;
    else {
      const dx = m00 * vx + m10 * vy + m20 * vz;
      const dy = m01 * vx + m11 * vy + m21 * vz;
      const dz = m02 * vx + m12 * vy + m22 * vz;
      if (typeB === BOX) {
        const right = +(dx >= 0);
        const up = +(dy >= 0);
        const front = +(dz >= 0);
        bx = (2 * right - 1) * dataB[0]!;
        by = (2 * up - 1) * dataB[1]!;
        bz = (2 * front - 1) * dataB[2]!;
        hintB = right | (up << 1) | (front << 2);
      } else {
        direction.x = dx;
        direction.y = dy;
        direction.z = dz;
        if (looksUpB) {
          const at = lookUp(dataB, tableB, direction);
          bx = dataB[at]!;
          by = dataB[at + 1]!;
          bz = dataB[at + 2]!;
          hintB = (at / 3) | 0;
        } else if (scansB) {
          hintB = scanPoints(dataB, direction, hintB);
          bx = dataB[3 * hintB]!;
          by = dataB[3 * hintB + 1]!;
          bz = dataB[3 * hintB + 2]!;
        } else {
          hintB = supportCore(b, direction, hintB, point);
          bx = point.x;
          by = point.y;
          bz = point.z;
        }
      }
    }
    const wx = ax - (m00 * bx + m01 * by + m02 * bz + tx);
    const wy = ay - (m10 * bx + m11 * by + m12 * bz + ty);
    const wz = az - (m20 * bx + m21 * by + m22 * bz + tz);
    const dot = vx * wx + vy * wy + vz * wz;
    const length = Math.sqrt(lengthSq);
    if (mask !== 0) {
      if (!(lengthSq - dot > floor * length)) {
        end.lower = dot / length;
        ending = NEAREST;
        break;
      }
    }
    if (decide && dot > length * (radii + floor)) {
      end.lower = dot / length;
      end.direction.x = vx;
      end.direction.y = vy;
      end.direction.z = vz;
      ending = SEPARATED;
      if (mask !== 0) break;
    }
    const free = 31 - Math.clz32(~mask & (mask + 1));
    const at = 3 * free;
    w[at] = wx;
    w[at + 1] = wy;
    w[at + 2] = wz;
    pa[at] = ax;
    pa[at + 1] = ay;
    pa[at + 2] = az;
    pb[at] = bx;
    pb[at + 1] = by;
    pb[at + 2] = bz;
    indexA[free] = hintA;
    indexB[free] = hintB;
    newest = free;
    const rest = mask;
    if (rest === 0) {
      mask = 1;
      vx = wx;
      vy = wy;
      vz = wz;
      sq = wx * wx + wy * wy + wz * wz;
      lengthSq = sq;
      if (ending === SEPARATED) break;
    } else {
      const i = 31 - Math.clz32(rest);
      const others = rest & ~(1 << i);
      if (others === 0) {
        const ex = w[3 * i]! - wx;
        const ey = w[3 * i + 1]! - wy;
        const ez = w[3 * i + 2]! - wz;
        const along = -(wx * ex + wy * ey + wz * ez);
        if (along > 0) {
          const t = along / (ex * ex + ey * ey + ez * ez);
          vx = wx + t * ex;
          vy = wy + t * ey;
          vz = wz + t * ez;
          mask = rest | (1 << free);
        } else {
          vx = wx;
          vy = wy;
          vz = wz;
          mask = 1 << free;
        }
        lengthSq = vx * vx + vy * vy + vz * vz;
      } else {
        const j = 31 - Math.clz32(others);
        const last = others & ~(1 << j);
        nearest.sq = Infinity;
        const found =
          last === 0
            ? nearestOnFace(w, free, i, j, nearest)
            : nearestOnTetrahedron(w, free, i, j, 31 - Math.clz32(last), nearest);
        mask = rest | (1 << free);
        if (found === UNSURE) break;
        if (found === HOLDS_ORIGIN) {
          ending = INSIDE;
          break;
        }
        vx = nearest.x;
        vy = nearest.y;
        vz = nearest.z;
        lengthSq = nearest.sq;
        mask = nearest.kept;
      }
      // Away from the origin it can only go by rounding.
      if (!(lengthSq < sq)) break;
      sq = lengthSq;
    }
    if (decide && sq < touchSq) {
      ending = TOUCHING;
      break;
    }
  }
  state.iterations = steps;
  end.mask = mask;
  end.newest = newest;
  end.x = vx;
  end.y = vy;
  end.z = vz;
  return ending;
}

/**
 * The weights of the nearest point of a run that ended with NEAREST: of one to three points, in the first slots. False,
 * with something for a guess, if what they make is not within `end.slack` of it.
 *
 * @internal
 */
export function weighNearest({ w, count, weights, end }: GjkState): boolean {
  const { x, y, z, slack } = end;
  weights[0] = 1;
  if (count === 1) return true;
  const px = w[0]!;
  const py = w[1]!;
  const pz = w[2]!;
  const dx = w[3]! - px;
  const dy = w[4]! - py;
  const dz = w[5]! - pz;
  const gx = x - px;
  const gy = y - py;
  const gz = z - pz;
  const dd = dx * dx + dy * dy + dz * dz;
  const gd = gx * dx + gy * dy + gz * dz;
  if (count === 2) {
    const s = gd / dd;
    const rx = gx - s * dx;
    const ry = gy - s * dy;
    const rz = gz - s * dz;
    weights[0] = 1 - s;
    weights[1] = s;
    return s >= 0 && s <= 1 && rx * rx + ry * ry + rz * rz <= slack * slack;
  }
  const ex = w[6]! - px;
  const ey = w[7]! - py;
  const ez = w[8]! - pz;
  const de = dx * ex + dy * ey + dz * ez;
  const ee = ex * ex + ey * ey + ez * ez;
  const ge = gx * ex + gy * ey + gz * ez;
  const nn = dd * ee - de * de;
  const s = (gd * ee - ge * de) / nn;
  const t = (ge * dd - gd * de) / nn;
  const rx = gx - s * dx - t * ex;
  const ry = gy - s * dy - t * ey;
  const rz = gz - s * dz - t * ez;
  const rest = 1 - s - t;
  weights[0] = rest;
  weights[1] = s;
  weights[2] = t;
  const fits = rx * rx + ry * ry + rz * rz <= slack * slack;
  return count === 3 && s >= 0 && t >= 0 && rest >= 0 && fits;
}

/**
 * The triangle of the newest point p with q and r; the nearest point is not on qr. Slots of w. `out` has the nearest point
 * so far, and an infinite `sq` before the first.
 *
 * @internal
 */
export function nearestOnFace(w: Float64Array, p: number, q: number, r: number, out: MinNorm): number {
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
  if (!(nn > THIN * dd * ee)) return UNSURE;
  const pd = -(px * dx + py * dy + pz * dz);
  const pe = -(px * ex + py * ey + pz * ez);
  // The foot of the perpendicular is p + (s d + t e) / nn.
  const s = pd * ee - pe * de;
  const t = pe * dd - pd * de;
  if (s > 0 && t > 0) {
    if (!(s + t < nn)) return UNSURE;
    const nx = dy * ez - dz * ey;
    const ny = dz * ex - dx * ez;
    const nz = dx * ey - dy * ex;
    const scale = (px * nx + py * ny + pz * nz) / (nx * nx + ny * ny + nz * nz);
    const x = scale * nx;
    const y = scale * ny;
    const z = scale * nz;
    const sq = x * x + y * y + z * z;
    if (!(sq < out.sq)) return FOUND;
    out.x = x;
    out.y = y;
    out.z = z;
    out.sq = sq;
    out.kept = (1 << p) | (1 << q) | (1 << r);
    return FOUND;
  }
  // On pq, on pr or p itself. If both sides are open, the nearer one.
  if (t <= 0 && pd > 0) {
    const k = pd / dd;
    if (!(k < 1)) return UNSURE;
    const x = px + k * dx;
    const y = py + k * dy;
    const z = pz + k * dz;
    const sq = x * x + y * y + z * z;
    if (sq < out.sq) {
      out.x = x;
      out.y = y;
      out.z = z;
      out.sq = sq;
      out.kept = (1 << p) | (1 << q);
    }
  }
  if (s <= 0 && pe > 0) {
    const k = pe / ee;
    if (!(k < 1)) return UNSURE;
    const x = px + k * ex;
    const y = py + k * ey;
    const z = pz + k * ez;
    const sq = x * x + y * y + z * z;
    if (sq < out.sq) {
      out.x = x;
      out.y = y;
      out.z = z;
      out.sq = sq;
      out.kept = (1 << p) | (1 << r);
    }
  }
  if (pd <= 0 && pe <= 0) {
    const sq = px * px + py * py + pz * pz;
    if (sq < out.sq) {
      out.x = px;
      out.y = py;
      out.z = pz;
      out.sq = sq;
      out.kept = 1 << p;
    }
  }
  return out.sq < Infinity ? FOUND : UNSURE;
}

/** The tetrahedron of the newest point p with q, r and s; the nearest point is not in qrs. Slots of w. @internal */
export function nearestOnTetrahedron(
  w: Float64Array,
  p: number,
  q: number,
  r: number,
  s: number,
  out: MinNorm,
): number {
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
  // p x f and so on, taken once: u·(v x w) is cyclic.
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
  if (!(size > error)) return UNSURE;
  const limit = error * size;
  const outD = +(wd < 0);
  const outE = +(we < 0);
  const outF = +(wf < 0);
  if (!(Math.abs(wd) > limit && Math.abs(we) > limit && Math.abs(wf) > limit)) return UNSURE;
  const outside = outD | (outE << 1) | (outF << 2);
  if (outside === 0) {
    return volume * volume - wd - we - wf > 4 * limit ? HOLDS_ORIGIN : UNSURE;
  }
  let found = FOUND;
  if ((outside & 4) !== 0) found &= nearestOnFace(w, p, q, r, out);
  if ((outside & 1) !== 0) found &= nearestOnFace(w, p, r, s, out);
  if ((outside & 2) !== 0) found &= nearestOnFace(w, p, s, q, out);
  return found;
}

/**
 * The steps of GJK for bodies that are clearly apart or clearly overlap, which most are: the same steps as in `gjkRun`,
 * with nothing done for what rounding could spoil. Whenever it could, this gives up and leaves its simplex to `gjkRun`.
 */
import { EPS64 } from '../math/float.ts';
import { vec3 } from '../math/types.ts';
import type { ConvexCore } from './core.ts';
import { BOX, POINT, POLYTOPE, SEGMENT, supportCore } from './core.ts';
import type { Frame } from './frame.ts';
import { FARTHEST, mustBeAFrame } from './frame-check.ts';
import type { GjkState } from './gjk-state.ts';
import { QUICK_INSIDE, QUICK_UNSURE, quickFace, quickTetrahedron, step } from './quick-simplex.ts';
import { scanPoints } from './scan-points.ts';

/** How a quick run ended. */
export const UNSETTLED = 0;
/** The simplex has the nearest point, to rounding; the last `bound` proves it. */
export const NEAREST = 1;
/** The origin is in the tetrahedron. */
export const INSIDE = 2;
/** Asked to decide: a plane stands between the bodies, or they are in touch. */
export const SEPARATED = 3;
export const TOUCHING = 4;

/** Polytopes are done by then; what takes longer is curved, or odd. */
const QUICK_STEPS = 24;
/** Rounding of a point of the difference, relative to the size of all: five operations with numbers of that size. */
export const POINT_ERROR = 4 * EPS64;
/** In units of the rounding of points: far above what a quick step could be wrong by. */
export const CLEAR = 256;

const direction = vec3();
const point = vec3();

/** What the quick run leaves. Before anything has run, doubles. */
export const quick = {
  mask: 0,
  newest: 0,
  bound: 0.5,
  x: 0.5,
  y: 0.5,
  z: 0.5,
  nx: 0.5,
  ny: 0.5,
  nz: 0.5,
  /** How far from the nearest point that may be which weights make. */
  room: 0.5,
};

export function gjkQuick(a: ConvexCore, b: ConvexCore, f: Frame, state: GjkState, decide: boolean): number {
  const { m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz } = f;
  const offset = Math.abs(tx) + Math.abs(ty) + Math.abs(tz);
  if (!((m00 + m01 + m02 + m10 + m11 + m12 + m20 + m21 + m22) * 0 === 0 && offset <= FARTHEST))
    mustBeAFrame(decide ? 'gjkOverlap' : 'gjkDistance', f);
  const { w, indexA, indexB } = state;
  const pa = state.a;
  const pb = state.b;
  const { type: typeA, data: dataA } = a;
  const { type: typeB, data: dataB } = b;
  // Long lists with neighbours are climbed.
  const scansA = typeA === POLYTOPE && a.neighbours.length === 0;
  const scansB = typeB === POLYTOPE && b.neighbours.length === 0;
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
  while (steps < QUICK_STEPS) {
    if (!(lengthSq > 1e-200)) break;
    steps++;
    let ax = 0;
    let ay = 0;
    let az = 0;
    if (scansA) {
      direction.x = -vx;
      direction.y = -vy;
      direction.z = -vz;
      hintA = scanPoints(dataA, direction, hintA);
      ax = dataA[3 * hintA]!;
      ay = dataA[3 * hintA + 1]!;
      az = dataA[3 * hintA + 2]!;
    } else if (typeA === BOX) {
      // The sign by arithmetic: it is anybody's guess, which a branch would have to make.
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
        if (scansB) {
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
        quick.bound = dot / length;
        ending = NEAREST;
        break;
      }
    }
    if (decide && dot > length * (radii + floor)) {
      quick.bound = dot / length;
      quick.nx = vx;
      quick.ny = vy;
      quick.nz = vz;
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
        step.sq = Infinity;
        const how =
          last === 0 ? quickFace(w, free, i, j) : quickTetrahedron(w, free, i, j, 31 - Math.clz32(last));
        mask = rest | (1 << free);
        if (how === QUICK_UNSURE) break;
        if (how === QUICK_INSIDE) {
          ending = INSIDE;
          break;
        }
        vx = step.x;
        vy = step.y;
        vz = step.z;
        lengthSq = step.sq;
        mask = step.kept;
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
  quick.mask = mask;
  quick.newest = newest;
  quick.x = vx;
  quick.y = vy;
  quick.z = vz;
  return ending;
}

/**
 * The weights of the nearest point of a quick run that ended with it: of one to three points, in the first slots. False,
 * with something for a guess, if what they make is not within `room` of it.
 */
export function weighQuick(w: Float64Array, count: number, weights: Float64Array): boolean {
  const { x, y, z, room } = quick;
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
    return s >= 0 && s <= 1 && rx * rx + ry * ry + rz * rz <= room * room;
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
  const fits = rx * rx + ry * ry + rz * rz <= room * room;
  return count === 3 && s >= 0 && t >= 0 && rest >= 0 && fits;
}

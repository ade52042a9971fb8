/** The closest points of two segments. RTCD §5.1.9. */
import { ANY_FINITE, checkPoint } from '../../math/check.ts';
import { PARALLEL } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { makeSegmentPair, type SegmentPair } from './types.ts';

/**
 * The closest points of segments ab and cd, where they lie on them (`s`, `t`) and the square of their distance. A
 * segment of length zero is its point. Where parallel segments run side by side, the middle of that stretch is
 * reported. Swapping the segments swaps the answer, to rounding.
 */
export function closestPointsSegmentSegment(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  out: SegmentPair = makeSegmentPair(),
): SegmentPair {
  checkPoint('closestPointsSegmentSegment', 'a', a, ANY_FINITE);
  checkPoint('closestPointsSegmentSegment', 'b', b, ANY_FINITE);
  checkPoint('closestPointsSegmentSegment', 'c', c, ANY_FINITE);
  checkPoint('closestPointsSegmentSegment', 'd', d, ANY_FINITE);
  closestOnSegments(a, b, c, d, out);
  return out;
}

/** Squared distance of segments ab and cd. */
export function distanceSqSegmentSegment(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
): number {
  checkPoint('distanceSqSegmentSegment', 'a', a, ANY_FINITE);
  checkPoint('distanceSqSegmentSegment', 'b', b, ANY_FINITE);
  checkPoint('distanceSqSegmentSegment', 'c', c, ANY_FINITE);
  checkPoint('distanceSqSegmentSegment', 'd', d, ANY_FINITE);
  const { distanceSq } = closestOnSegments(a, b, c, d, scratch);
  return distanceSq;
}

const scratch = makeSegmentPair();

/** Below this sin² of the angle between them, segments count as running alongside each other. */
const ALONGSIDE = 1 / 16;

/**
 * `closestPointsSegmentSegment` without the checks.
 *
 * The closest points of the lines, r + s u - t v as short as possible, solve a 2×2 system with determinant
 * |u × v|². If its s is outside [0, 1] the nearer bound takes its place; the best t for that s follows; and if that t
 * has to be moved to a bound, so does the best s for it. The squared distance is convex in (s, t), which is why
 * this order, unlike moving both into range at once, ends in the minimum.
 *
 * A number that is not finite makes the determinant one that is not, and shows in the squared distance.
 *
 * @internal
 */
export function closestOnSegments(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  out: SegmentPair,
): SegmentPair {
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const { x: cx, y: cy, z: cz } = c;
  const { x: dx, y: dy, z: dz } = d;
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = dx - cx;
  const vy = dy - cy;
  const vz = dz - cz;
  const rx = ax - cx;
  const ry = ay - cy;
  const rz = az - cz;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const ur = ux * rx + uy * ry + uz * rz;
  const vr = vx * rx + vy * ry + vz * rz;
  const det = uu * vv - uv * uv;
  // Nearly parallel, of length zero, or so large or small that the products leave the range of doubles.
  if (!(det > ALONGSIDE * (uu * vv) && det < Infinity)) return closestAlongside(a, b, c, d, out);

  const sDet = uv * vr - vv * ur;
  let s = sDet > 0 ? (sDet < det ? sDet / det : 1) : 0;
  let t = uv * s + vr; // times vv
  if (!(t > 0)) {
    t = 0;
    s = ur < 0 ? (-ur < uu ? -ur / uu : 1) : 0;
  } else if (!(t < vv)) {
    t = 1;
    const along = uv - ur;
    s = along > 0 ? (along < uu ? along / uu : 1) : 0;
  } else {
    t /= vv;
  }

  const gx = rx + s * ux - t * vx;
  const gy = ry + s * uy - t * vy;
  const gz = rz + s * uz - t * vz;
  out.distanceSq = gx * gx + gy * gy + gz * gz;
  out.s = s;
  out.t = t;
  const { a: onA, b: onB } = out;
  onA.x = s === 1 ? bx : ax + s * ux;
  onA.y = s === 1 ? by : ay + s * uy;
  onA.z = s === 1 ? bz : az + s * uz;
  onB.x = t === 1 ? dx : cx + t * vx;
  onB.y = t === 1 ? dy : cy + t * vy;
  onB.z = t === 1 ? dz : cz + t * vz;
  return out;
}

/** Closest points of segments that are nearly parallel or of length zero: `closestOnSegments` sends them here. */

/** An end has to be closer than the middle of parallel segments by this share of their size: more than rounding. */
const CLEARLY = 1e-15;

const squared = (x: number, y: number, z: number): number => x * x + y * y + z * z;

/** along / whole, held to [0, 1]; 0 for 0 / 0. */
const fraction = (along: number, whole: number): number =>
  along > 0 ? (along < whole ? along / whole : 1) : 0;

/**
 * The best of five candidates: the closest points of the lines (moved into range as in `closestOnSegments`), and the
 * four ends with what is closest to them.
 *
 * With the part of v at a right angle to u, g = v - (u·v / u·u) u, the lines are closest at t = r⊥·g / g·g. For an angle
 * φ and lines a distance D apart, rounding (ε) moves that by δ = ε D / φ² along the segments, which lengthens the
 * distance by (φ δ)² / 2D = ε² D / 2φ²; the better end on the other hand is at most φ² L² / 2D farther. The smaller
 * of the two never exceeds ε L / 2, so the best candidate is right to rounding at every angle. §5.1.9 as printed has
 * no such guard and is off by 1e-4 at angles near 1e-9.
 */
function closestAlongside(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  out: SegmentPair,
): SegmentPair {
  const ux = b.x - a.x;
  const uy = b.y - a.y;
  const uz = b.z - a.z;
  const vx = d.x - c.x;
  const vy = d.y - c.y;
  const vz = d.z - c.z;
  const rx = a.x - c.x;
  const ry = a.y - c.y;
  const rz = a.z - c.z;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const ur = ux * rx + uy * ry + uz * rz;
  const vr = vx * rx + vy * ry + vz * rz;

  // The ends: a, b, c and d, each with the point of the other segment closest to it.
  const tA = fraction(vr, vv);
  const tB = fraction(vr + uv, vv);
  const sC = fraction(-ur, uu);
  const sD = fraction(uv - ur, uu);

  const skew = uv / uu;
  const gx = vx - skew * ux;
  const gy = vy - skew * uy;
  const gz = vz - skew * uz;
  const gg = gx * gx + gy * gy + gz * gz;
  let s: number;
  let t: number;
  let margin = 0;
  if (gg > PARALLEL * vv) {
    const offset = ur / uu;
    t = fraction((rx - offset * ux) * gx + (ry - offset * uy) * gy + (rz - offset * uz) * gz, gg);
    s = fraction(uv * t - ur, uu);
    t = fraction(uv * s + vr, vv);
  } else {
    // Side by side, the ends reach across to where that stretch begins and ends: take its middle.
    s = (sC + sD) / 2;
    t = (tA + tB) / 2;
    margin = CLEARLY * Math.sqrt(uu + vv + squared(rx, ry, rz));
  }
  const gap = Math.sqrt(squared(rx + s * ux - t * vx, ry + s * uy - t * vy, rz + s * uz - t * vz));
  let best = gap > margin ? (gap - margin) * (gap - margin) : 0;
  const toA = squared(rx - tA * vx, ry - tA * vy, rz - tA * vz);
  const toB = squared(rx + ux - tB * vx, ry + uy - tB * vy, rz + uz - tB * vz);
  const toC = squared(rx + sC * ux, ry + sC * uy, rz + sC * uz);
  const toD = squared(rx - vx + sD * ux, ry - vy + sD * uy, rz - vz + sD * uz);
  if (toA < best) {
    best = toA;
    s = 0;
    t = tA;
  }
  if (toB < best) {
    best = toB;
    s = 1;
    t = tB;
  }
  if (toC < best) {
    best = toC;
    s = sC;
    t = 0;
  }
  if (toD < best) {
    s = sD;
    t = 1;
  }
  out.s = s;
  out.t = t;
  out.distanceSq = squared(rx + s * ux - t * vx, ry + s * uy - t * vy, rz + s * uz - t * vz);
  const { x: ax, y: ay, z: az } = a;
  const { x: cx, y: cy, z: cz } = c;
  const { a: onA, b: onB } = out;
  // Both before either is written: `out` may be made of the inputs.
  const ex = s === 1 ? b.x : ax + s * ux;
  const ey = s === 1 ? b.y : ay + s * uy;
  const ez = s === 1 ? b.z : az + s * uz;
  const fx = t === 1 ? d.x : cx + t * vx;
  const fy = t === 1 ? d.y : cy + t * vy;
  const fz = t === 1 ? d.z : cz + t * vz;
  onA.x = ex;
  onA.y = ey;
  onA.z = ez;
  onB.x = fx;
  onB.y = fy;
  onB.z = fz;
  return out;
}

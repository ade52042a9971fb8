/** Closest points of segments that are nearly parallel or of length zero: `nearestOnSegments` sends them here. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { SegmentPair } from './types.ts';

/** sin² of angles that rounding alone can make out of 0. */
const PARALLEL = 1e-30;
/** An end has to be closer than the middle of parallel segments by this share of their size: more than rounding. */
const CLEARLY = 1e-15;

const squared = (x: number, y: number, z: number): number => x * x + y * y + z * z;

/** along / whole, held to [0, 1]; 0 for 0 / 0. */
const fraction = (along: number, whole: number): number =>
  along > 0 ? (along < whole ? along / whole : 1) : 0;

/**
 * The best of five candidates: the closest points of the lines (moved into range as in `nearestOnSegments`), and the
 * four ends with what is closest to them.
 *
 * With the part of v at a right angle to u, g = v - (u·v / u·u) u, the lines are closest at t = r⊥·g / g·g. For an angle
 * φ and lines a distance D apart, rounding (ε) moves that by δ = ε D / φ² along the segments, which lengthens the
 * distance by (φ δ)² / 2D = ε² D / 2φ²; the better end on the other hand is at most φ² L² / 2D farther. The smaller
 * of the two never exceeds ε L / 2, so the best candidate is right to rounding at every angle. §5.1.9 as printed has
 * no such guard and is off by 1e-4 at angles near 1e-9.
 *
 * @internal
 */
export function nearestAlongside(
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

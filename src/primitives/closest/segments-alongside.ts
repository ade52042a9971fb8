/** Closest points of segments that are nearly parallel or of length zero: `nearestOnSegments` sends them here. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { SegmentPair } from './types.ts';

/** sin² of angles that rounding alone can make out of 0. */
const PARALLEL = 1e-30;
/** Another pair has to be closer than the middle of parallel segments by more than rounding. */
const CLEARLY = 1 - 4e-15;

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
  if (gg > PARALLEL * vv) {
    const offset = ur / uu;
    t = fraction((rx - offset * ux) * gx + (ry - offset * uy) * gy + (rz - offset * uz) * gz, gg);
    s = fraction(uv * t - ur, uu);
    t = fraction(uv * s + vr, vv);
  } else {
    // Side by side, the ends reach across to where that stretch begins and ends: take its middle.
    s = (sC + sD) / 2;
    t = (tA + tB) / 2;
  }
  let best = 0;
  let bestSq = Infinity;

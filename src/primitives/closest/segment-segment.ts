/** The closest points of two segments. RTCD §5.1.9. */
import { ANY_FINITE, checkPoint } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { nearestAlongside } from './segments-alongside.ts';
import type { SegmentPair } from './types.ts';
import { makeSegmentPair } from './types.ts';

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
  nearestOnSegments(a, b, c, d, out);
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
  const { distanceSq } = nearestOnSegments(a, b, c, d, scratch);
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
export function nearestOnSegments(
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
  if (!(det > ALONGSIDE * (uu * vv) && det < Infinity)) return nearestAlongside(a, b, c, d, out);

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

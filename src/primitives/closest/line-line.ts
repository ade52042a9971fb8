/** The closest points of two lines. RTCD §5.1.8. */

import { checkPoint, mustBeNumber, mustNotBeNegative } from '../../math/check.ts';
import { COMPUTED_POINT, PARALLEL_DIRECTIONS } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { cross, crossAccurate, dot, sub } from '../../math/vec3.ts';
import type { SegmentPair } from './types.ts';
import { makeSegmentPair } from './types.ts';

/** Above this sin² plain cross products lose at most two bits. */
const STEEP = 1 / 16;

const u = vec3();
const v = vec3();
const r = vec3();
const n = vec3();
const vr = vec3();

/**
 * The closest points of the lines through a, b and through c, d; `s` and `t` may be any numbers. Of parallel lines (to
 * rounding: within 3e-16 radians) the pair at a is reported. If a = b or c = d, that line is a point.
 *
 * The cross products are evaluated without cancellation, so the answer is good at every angle: the distance is right
 * to rounding of the data and of the distance to the points, which for lines at an angle φ may lie 1 / φ away.
 */
export function closestPointsLineLine(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  out: SegmentPair = makeSegmentPair(),
): SegmentPair {
  checkPoint('closestPointsLineLine', 'a', a);
  checkPoint('closestPointsLineLine', 'b', b);
  checkPoint('closestPointsLineLine', 'c', c);
  checkPoint('closestPointsLineLine', 'd', d);
  const { x: ax, y: ay, z: az } = a;
  const { x: cx, y: cy, z: cz } = c;
  sub(b, a, u);
  sub(d, c, v);
  sub(a, c, r);
  const uu = dot(u, u);
  const vv = dot(v, v);
  // r + s u - t v is along n = u × v, so its triple product with v and n is zero.
  cross(u, v, n);
  if (dot(n, n) > STEEP * (uu * vv)) {
    cross(v, r, vr);
  } else {
    crossAccurate(u, v, n);
    crossAccurate(v, r, vr);
  }
  const nn = dot(n, n);
  let s = 0;
  let t = 0;
  if (nn > PARALLEL_DIRECTIONS * (uu * vv)) {
    s = dot(vr, n) / nn;
    // Not likewise with u: as the foot of the first point it is at a right angle even if that is a little off.
    t = (dot(v, r) + s * dot(u, v)) / vv;
    const gap = dot(r, n) / Math.sqrt(nn);
    out.distanceSq = gap * gap;
  } else {
    if (vv > 0) t = dot(v, r) / vv;
    else if (uu > 0) s = -dot(u, r) / uu;
    const gx = r.x + s * u.x - t * v.x;
    const gy = r.y + s * u.y - t * v.y;
    const gz = r.z + s * u.z - t * v.z;
    out.distanceSq = gx * gx + gy * gy + gz * gz;
  }
  out.s = s;
  out.t = t;
  const { a: onA, b: onB } = out;
  onA.x = ax + s * u.x;
  onA.y = ay + s * u.y;
  onA.z = az + s * u.z;
  onB.x = cx + t * v.x;
  onB.y = cy + t * v.y;
  onB.z = cz + t * v.z;
  return out;
}

/**
 * Do the lines through a, b and through c, d meet? In space lines as good as never do exactly, so: do they pass each
 * other within `tolerance`, a length. Left away, it is 2⁻⁴⁰ (about 1e-12) times the largest distance among the points.
 */
export function overlapLineLine(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  tolerance?: number,
): boolean {
  if (tolerance !== undefined && tolerance !== null) mustBeNumber('overlapLineLine', 'tolerance', tolerance);
  checkPoint('overlapLineLine', 'a', a);
  checkPoint('overlapLineLine', 'b', b);
  checkPoint('overlapLineLine', 'c', c);
  checkPoint('overlapLineLine', 'd', d);
  if (tolerance !== undefined && !(tolerance >= 0 && tolerance < Infinity))
    mustNotBeNegative('overlapLineLine', 'tolerance', tolerance);
  const limit = tolerance ?? COMPUTED_POINT * (spread(a, b) + spread(a, c) + spread(a, d));
  const { distanceSq } = closestPointsLineLine(a, b, c, d, scratch);
  return Math.sqrt(distanceSq) <= limit;
}

const scratch = makeSegmentPair();

const spread = (a: ReadonlyVec3, b: ReadonlyVec3): number =>
  Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y), Math.abs(a.z - b.z));

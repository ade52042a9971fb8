/**
 * Do two triangles share a point? Decided by signs that are never wrong, after Devillers and Guigue 2002. RTCD §5.2.10.
 */

import { checkPoint } from '../../math/check.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { coplanarTrianglesOverlap, isFlat, segmentMeetsTriangle, segmentsMeet, side } from './side.ts';

/**
 * Do the triangles abc and def share a point? The answer is exact for the numbers given, touching included (a shared
 * edge or vertex, one corner on the other's face), in one plane too; a flat triangle is the segment or point it is.
 */
export function overlapTriangleTriangle(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
  f: ReadonlyVec3,
): boolean {
  checkPoint('overlapTriangleTriangle', 'a', a);
  checkPoint('overlapTriangleTriangle', 'b', b);
  checkPoint('overlapTriangleTriangle', 'c', c);
  checkPoint('overlapTriangleTriangle', 'd', d);
  checkPoint('overlapTriangleTriangle', 'e', e);
  checkPoint('overlapTriangleTriangle', 'f', f);
  return trianglesOverlap(a, b, c, d, e, f);
}

/** `overlapTriangleTriangle` without the checks. @internal */
export function trianglesOverlap(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
  f: ReadonlyVec3,
): boolean {
  const crossing = classifyTriangles(a, b, c, d, e, f);
  if (crossing < 0) return crossing === FLAT && flatTrianglesOverlap(a, b, c, d, e, f);
  const i = crossing & 3;
  const j = (crossing >> 2) & 3;
  const k = (crossing >> 4) & 3;
  const l = (crossing >> 6) & 3;
  const p = pick(i, a, b, c);
  const u = pick(k, d, e, f);
  return (
    side(p, pick(j, a, b, c), u, pick(l, d, e, f)) <= 0 &&
    side(p, pick(3 - i - j, a, b, c), u, pick(3 - k - l, d, e, f)) >= 0
  );
}

/** @internal */
export const pick = (i: number, a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): ReadonlyVec3 =>
  i === 0 ? a : i === 1 ? b : c;

/** No common point. @internal */
export const APART = -1;
/** In one plane, or one of them has no area. @internal */
export const FLAT = -2;
/**
 * With u = 2^-53 for one rounding, differences are off by u, components of a cross product by 4 u, a dot product with a difference by 4 u
 * more: in all by 8 u times the three sums of absolute components. Twice that pays for rounding the bound itself.
 */
const FILTER = 16 * UNIT_ROUNDING;

/**
 * How the triangles lie to each other's plane: `APART`, `FLAT`, or in which order to take their corners, as pqr and
 * uvw: the plane of uvw has p in front of it (or on it) and q, r behind, and the plane of pqr likewise u and v, w. Two
 * bits each for the indices of p, q, u and v.
 *
 * The planes then meet in a line, and along n₁ × n₂ the first triangle covers [pr, pq] of it, the second [uv, uw],
 * named by the edges that cross it. Edge p· crosses no earlier than edge u· exactly if side(p, ·, u, ·) <= 0.
 * @internal
 */
export function classifyTriangles(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
  f: ReadonlyVec3,
): number {
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const { x: cx, y: cy, z: cz } = c;
  const { x: dx, y: dy, z: dz } = d;
  const { x: ex, y: ey, z: ez } = e;
  const { x: fx, y: fy, z: fz } = f;

  // The first triangle against the plane of the second.
  const ux = ex - dx;
  const uy = ey - dy;
  const uz = ez - dz;
  const vx = fx - dx;
  const vy = fy - dy;
  const vz = fz - dz;
  const adx = ax - dx;
  const ady = ay - dy;
  const adz = az - dz;
  const bdx = bx - dx;
  const bdy = by - dy;
  const bdz = bz - dz;
  const cdx = cx - dx;
  const cdy = cy - dy;
  const cdz = cz - dz;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const ha = nx * adx + ny * ady + nz * adz;
  const hb = nx * bdx + ny * bdy + nz * bdz;
  const hc = nx * cdx + ny * cdy + nz * cdz;
  // All differences of corners are at most this long, summed over the axes: one length serves both planes.
  const reach =
    Math.abs(adx) +
    Math.abs(ady) +
    Math.abs(adz) +
    (Math.abs(bdx) + Math.abs(bdy) + Math.abs(bdz)) +
    (Math.abs(cdx) + Math.abs(cdy) + Math.abs(cdz)) +
    (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) +
    (Math.abs(vx) + Math.abs(vy) + Math.abs(vz));
  const error =
    FILTER *
    reach *
    (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) *
    (Math.abs(vx) + Math.abs(vy) + Math.abs(vz));
  if (ha * hb > 0 && ha * hc > 0 && Math.abs(ha) > error && Math.abs(hb) > error && Math.abs(hc) > error)
    return APART;

  // The second against the plane of the first.
  const sx = bx - ax;
  const sy = by - ay;
  const sz = bz - az;
  const tx = cx - ax;
  const ty = cy - ay;
  const tz = cz - az;
  const mx = sy * tz - sz * ty;
  const my = sz * tx - sx * tz;
  const mz = sx * ty - sy * tx;
  const hd = -(mx * adx + my * ady + mz * adz);
  const he = mx * (ex - ax) + my * (ey - ay) + mz * (ez - az);
  const hf = mx * (fx - ax) + my * (fy - ay) + mz * (fz - az);
  const error2 =
    FILTER *
    reach *
    (Math.abs(sx) + Math.abs(sy) + Math.abs(sz)) *
    (Math.abs(tx) + Math.abs(ty) + Math.abs(tz));
  if (hd * he > 0 && hd * hf > 0 && Math.abs(hd) > error2 && Math.abs(he) > error2 && Math.abs(hf) > error2)
    return APART;

  const sa = ha > error ? 1 : ha < -error ? -1 : side(d, e, f, a);
  const sb = hb > error ? 1 : hb < -error ? -1 : side(d, e, f, b);
  const sc = hc > error ? 1 : hc < -error ? -1 : side(d, e, f, c);
  if (sa * sb > 0 && sa * sc > 0) return APART;
  const sd = hd > error2 ? 1 : hd < -error2 ? -1 : side(a, b, c, d);
  const se = he > error2 ? 1 : he < -error2 ? -1 : side(a, b, c, e);
  const sf = hf > error2 ? 1 : hf < -error2 ? -1 : side(a, b, c, f);
  if (sd * se > 0 && sd * sf > 0) return APART;

  if ((sa === 0 && sb === 0 && sc === 0) || (sd === 0 && se === 0 && sf === 0)) return FLAT;
  const i = loneCorner(sa, sb, sc);
  const k = loneCorner(sd, se, sf);
  // A lone corner behind the other's plane comes to lie in front when the other is taken in reverse order.
  const isBehind1 = i === 0 ? sa < sb : i === 1 ? sb < sc : sc < sa;
  const isBehind2 = k === 0 ? sd < se : k === 1 ? se < sf : sf < sd;
  const j = (isBehind2 ? i + 2 : i + 1) % 3;
  const l = (isBehind1 ? k + 2 : k + 1) % 3;
  return i | (j << 2) | (k << 4) | (l << 6);
}

/**
 * The corner that the plane parts from the other two: strictly on one side with neither of the others there, or else
 * the one corner that touches. Both edges from it then cross the plane in one point.
 */
function loneCorner(s0: number, s1: number, s2: number): number {
  if (s0 !== 0 && s0 * s1 <= 0 && s0 * s2 <= 0) return 0;
  if (s1 !== 0 && s1 * s2 <= 0 && s1 * s0 <= 0) return 1;
  if (s2 !== 0 && s2 * s0 <= 0 && s2 * s1 <= 0) return 2;
  return s0 === 0 ? 0 : s1 === 0 ? 1 : 2;
}

function flatTrianglesOverlap(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
  f: ReadonlyVec3,
): boolean {
  const flat1 = isFlat(a, b, c);
  const flat2 = isFlat(d, e, f);
  if (!flat1 && !flat2) return coplanarTrianglesOverlap(a, b, c, d, e, f);
  if (!flat2) return segmentMeetsTriangle(lowEnd(a, b, c), highEnd(a, b, c), d, e, f);
  if (!flat1) return segmentMeetsTriangle(lowEnd(d, e, f), highEnd(d, e, f), a, b, c);
  return segmentsMeet(lowEnd(a, b, c), highEnd(a, b, c), lowEnd(d, e, f), highEnd(d, e, f));
}

/** The ends of three points on a line are the first and last in lexicographic order. */
const lowEnd = (a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): ReadonlyVec3 => {
  const low = comesBefore(a, b) ? a : b;
  return comesBefore(low, c) ? low : c;
};
/** */
const highEnd = (a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): ReadonlyVec3 => {
  const high = comesBefore(a, b) ? b : a;
  return comesBefore(high, c) ? c : high;
};
const comesBefore = (a: ReadonlyVec3, b: ReadonlyVec3): boolean =>
  a.x !== b.x ? a.x < b.x : a.y !== b.y ? a.y < b.y : a.z < b.z;

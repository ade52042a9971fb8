/** The point of a triangle closest to a point. RTCD §5.1.5. */
import { ANY_FINITE, checkPoint } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { nearestOnNeedle } from './needle.ts';
import type { TrianglePoint } from './types.ts';
import { makeTrianglePoint } from './types.ts';

/**
 * The point of triangle abc closest to p. Triangles without an area are the segment or the point that they are. Right over
 * the whole range of doubles.
 */
export function closestPointTriangle(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  try {
    const { x: px, y: py, z: pz } = p;
    const { x: ax, y: ay, z: az } = a;
    const { x: bx, y: by, z: bz } = b;
    const { x: cx, y: cy, z: cz } = c;
    const apx = px - ax;
    const apy = py - ay;
    const apz = pz - az;
    const abx = bx - ax;
    const aby = by - ay;
    const abz = bz - az;
    const acx = cx - ax;
    const acy = cy - ay;
    const acz = cz - az;
    const areNumbers =
      typeof px === 'number' &&
      typeof py === 'number' &&
      typeof pz === 'number' &&
      typeof ax === 'number' &&
      typeof ay === 'number' &&
      typeof az === 'number' &&
      typeof bx === 'number' &&
      typeof by === 'number' &&
      typeof bz === 'number' &&
      typeof cx === 'number' &&
      typeof cy === 'number' &&
      typeof cz === 'number';
    // The regions of `nearestOnTriangle`, for well-shaped triangles, with nothing but the point to report. Where these
    // products are finite, all coordinates are.
    const pb = apx * abx + apy * aby + apz * abz;
    const pc = apx * acx + apy * acy + apz * acz;
    const bb = abx * abx + aby * aby + abz * abz;
    const bc = abx * acx + aby * acy + abz * acz;
    const cc = acx * acx + acy * acy + acz * acz;
    const det = bb * cc - bc * bc;
    if (areNumbers && det > WELL_SHAPED * (bb * cc) + TINY && det < Infinity && (pb + pc) * 0 === 0) {
      const pastB = pb - bb;
      const pastC = pc - cc;
      if (pb <= 0 && pc <= 0) return put(ax, ay, az, out);
      const outB = pc - bc - pastB;
      if (pastB >= 0 && outB <= 0) return put(bx, by, bz, out);
      const outC = pb - bc - pastC;
      if (pastC >= 0 && outC <= 0) return put(cx, cy, cz, out);
      const vDet = cc * pb - bc * pc;
      const wDet = bb * pc - bc * pb;
      let v: number;
      let w: number;
      if (wDet <= 0 && pb > 0 && pastB < 0) {
        v = pb / bb;
        w = 0;
      } else if (vDet <= 0 && pc > 0 && pastC < 0) {
        v = 0;
        w = pc / cc;
      } else if (vDet + wDet >= det && outB > 0 && outC > 0) {
        w = outB / (outB + outC);
        v = 1 - w;
      } else {
        v = vDet / det;
        w = wDet / det;
      }
      const x = ax + (v * abx + w * acx);
      const y = ay + (v * aby + w * acy);
      const z = az + (v * abz + w * acz);
      // On the brink of an edge rounding may leave the triangle.
      if (v >= 0 && w >= 0 && v + w <= 1) return put(x, y, z, out);
    }
  } catch {} // what cannot be read is named below
  checkPoint('closestPointTriangle', 'p', p, ANY_FINITE);
  checkPoint('closestPointTriangle', 'a', a, ANY_FINITE);
  checkPoint('closestPointTriangle', 'b', b, ANY_FINITE);
  checkPoint('closestPointTriangle', 'c', c, ANY_FINITE);
  const { point } = nearestOnTriangle(p, a, b, c, scratch);
  return put(point.x, point.y, point.z, out);
}

function put(x: number, y: number, z: number, out: Vec3): Vec3 {
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}

/** Squared distance of p from triangle abc. */
export function distanceSqPointTriangle(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): number {
  checkPoint('distanceSqPointTriangle', 'p', p, ANY_FINITE);
  checkPoint('distanceSqPointTriangle', 'a', a, ANY_FINITE);
  checkPoint('distanceSqPointTriangle', 'b', b, ANY_FINITE);
  checkPoint('distanceSqPointTriangle', 'c', c, ANY_FINITE);
  const { distanceSq } = nearestOnTriangle(p, a, b, c, scratch);
  return distanceSq;
}

/**
 * The point of triangle abc closest to p, with its barycentric coordinates, the feature that it lies on and its
 * squared distance. Of a triangle without an area the feature is a corner or an edge.
 */
export function closestFeatureTriangle(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: TrianglePoint = makeTrianglePoint(),
): TrianglePoint {
  checkPoint('closestFeatureTriangle', 'p', p, ANY_FINITE);
  checkPoint('closestFeatureTriangle', 'a', a, ANY_FINITE);
  checkPoint('closestFeatureTriangle', 'b', b, ANY_FINITE);
  checkPoint('closestFeatureTriangle', 'c', c, ANY_FINITE);
  return nearestOnTriangle(p, a, b, c, out);
}

const scratch = makeTrianglePoint();

/** With sin² of the angle at a above this, one solve is as good as two: it is off by four roundings or so. */
const WELL_SHAPED = 0.25;

/** Triangles with sin² of the angle at a below this are handed on: the system below is too close to singular. */
const NEEDLE = 1 / 64;

/** Determinants below this may have lost digits to underflow. */
const TINY = 1e-280;

/**
 * `closestFeatureTriangle` without the checks.
 *
 * p is closest to corner a exactly if ap·ab <= 0 and ap·ac <= 0 (one of them alone proves nothing: the corner may
 * be obtuse), and likewise at b and c; that holds for triangles without an area too. Otherwise the normal equations
 * of p ≈ a + v ab + w ac give v, w and u = 1 - v - w times their determinant, |ab × ac|² > 0. A negative one means
 * beyond that edge, and p is closest to the edge if it is also between the planes through its ends. Being linear in
 * ap they stay accurate far from the triangle, where products of the distances to two corners do not.
 *
 * @internal
 */
export function nearestOnTriangle(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: TrianglePoint,
): TrianglePoint {
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const { x: cx, y: cy, z: cz } = c;
  const apx = p.x - ax;
  const apy = p.y - ay;
  const apz = p.z - az;
  const abx = bx - ax;
  const aby = by - ay;
  const abz = bz - az;
  const acx = cx - ax;
  const acy = cy - ay;
  const acz = cz - az;
  const point = out.point;

  const bb = abx * abx + aby * aby + abz * abz;
  const bc = abx * acx + aby * acy + abz * acz;
  const cc = acx * acx + acy * acy + acz * acz;
  const det = bb * cc - bc * bc;
  // No area, next to none, or numbers so large or small that their products leave the range of doubles.
  if (!(det > NEEDLE * (bb * cc) + TINY && det < Infinity)) return nearestOnNeedle(p, a, b, c, out);

  const pb = apx * abx + apy * aby + apz * abz; // ap·ab
  const pc = apx * acx + apy * acy + apz * acz; // ap·ac
  if (pb <= 0 && pc <= 0) {
    out.u = 1;
    out.v = 0;
    out.w = 0;
    out.feature = 'a';
    out.distanceSq = apx * apx + apy * apy + apz * apz;
    point.x = ax;
    point.y = ay;
    point.z = az;
    return out;
  }

  const pastB = pb - bb; // bp·ab
  const outB = pc - bc - pastB; // bp·bc
  if (pastB >= 0 && outB <= 0) {
    const x = apx - abx;
    const y = apy - aby;
    const z = apz - abz;
    out.u = 0;
    out.v = 1;
    out.w = 0;
    out.feature = 'b';
    out.distanceSq = x * x + y * y + z * z;
    point.x = bx;
    point.y = by;
    point.z = bz;
    return out;
  }

  const pastC = pc - cc; // cp·ac
  const outC = pb - bc - pastC; // cp·cb
  if (pastC >= 0 && outC <= 0) {
    const x = apx - acx;
    const y = apy - acy;
    const z = apz - acz;
    out.u = 0;
    out.v = 0;
    out.w = 1;
    out.feature = 'c';
    out.distanceSq = x * x + y * y + z * z;
    point.x = cx;
    point.y = cy;
    point.z = cz;
    return out;
  }

  const vDet = cc * pb - bc * pc;
  const wDet = bb * pc - bc * pb;
  const uDet = det - vDet - wDet;
  let v: number;
  let w: number;
  if (wDet <= 0 && pb > 0 && pastB < 0) {
    v = pb / bb;
    w = 0;
    out.u = 1 - v;
    out.feature = 'ab';
  } else if (vDet <= 0 && pc > 0 && pastC < 0) {
    v = 0;
    w = pc / cc;
    out.u = 1 - w;
    out.feature = 'ca';
  } else if (uDet <= 0 && outB > 0 && outC > 0) {
    w = outB / (outB + outC);
    v = outC / (outB + outC);
    out.u = 0;
    out.feature = 'bc';
  } else {
    // Solved once more for what is left over, which takes the error from 1 / sin² down to rounding.
    v = vDet / det;
    w = wDet / det;
    const x = apx - v * abx - w * acx;
    const y = apy - v * aby - w * acy;
    const z = apz - v * abz - w * acz;
    const restB = x * abx + y * aby + z * abz;
    const restC = x * acx + y * acy + z * acz;
    v += (cc * restB - bc * restC) / det;
    w += (bb * restC - bc * restB) / det;
    const u = 1 - v - w;
    // On the brink of an edge: let the distances decide.
    if (!(u > 0 && v > 0 && w > 0)) return nearestOnNeedle(p, a, b, c, out);
    out.u = u;
    out.feature = 'face';
  }
  const qx = v * abx + w * acx;
  const qy = v * aby + w * acy;
  const qz = v * abz + w * acz;
  const gx = apx - qx;
  const gy = apy - qy;
  const gz = apz - qz;
  out.v = v;
  out.w = w;
  out.distanceSq = gx * gx + gy * gy + gz * gz;
  point.x = ax + qx;
  point.y = ay + qy;
  point.z = az + qz;
  return out;
}

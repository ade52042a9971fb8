/** The point of a triangle closest to a point. RTCD §5.1.5. */
import { mustBeFinite } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { nearestOnNeedle } from './needle.ts';
import type { TrianglePoint } from './types.ts';
import { makeTrianglePoint } from './types.ts';

/**
 * The point of triangle abc closest to p. Triangles without an area are the segment or the point that they are.
 */
export function closestPointTriangle(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  const { point } = checked('closestPointTriangle', p, a, b, c, scratch);
  out.x = point.x;
  out.y = point.y;
  out.z = point.z;
  return out;
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
  return checked('closestFeatureTriangle', p, a, b, c, out);
}

/** Squared distance of p from triangle abc. */
export function distanceSqPointTriangle(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): number {
  return checked('distanceSqPointTriangle', p, a, b, c, scratch).distanceSq;
}

const scratch = makeTrianglePoint();

function checked(
  caller: string,
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: TrianglePoint,
): TrianglePoint {
  const sum = p.x + p.y + p.z + (a.x + a.y + a.z) + (b.x + b.y + b.z) + (c.x + c.y + c.z);
  if (sum * 0 !== 0) mustBeFinite(caller, { p, a, b, c });
  return nearestOnTriangle(p, a, b, c, out);
}

/** Below this sin² of the angle at a, the 2×2 system is solved with more care than rounding to 1/64 allows. */
const NEEDLE = 1 / 64;

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

  const bb = abx * abx + aby * aby + abz * abz;
  const bc = abx * acx + aby * acy + abz * acz;
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

  const cc = acx * acx + acy * acy + acz * acz;
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

  const det = bb * cc - bc * bc;
  // No area, next to none, or numbers so large or small that their products leave the range of doubles.
  if (!(det > NEEDLE * (bb * cc) && det < Infinity)) return nearestOnNeedle(p, a, b, c, out);

  const vDet = cc * pb - bc * pc;
  const wDet = bb * pc - bc * pb;
  const uDet = det - vDet - wDet;
  let v: number;
  let w: number;
  if (wDet <= 0 && pb >= 0 && pastB <= 0) {
    v = pb / bb;
    w = 0;
    out.u = 1 - v;
    out.feature = 'ab';
  } else if (vDet <= 0 && pc >= 0 && pastC <= 0) {
    v = 0;
    w = pc / cc;
    out.u = 1 - w;
    out.feature = 'ca';
  } else if (uDet <= 0 && outB >= 0 && outC >= 0) {
    w = outB / (outB + outC);
    v = 1 - w;
    out.u = 0;
    out.feature = 'bc';
  } else {
    v = vDet / det;
    w = wDet / det;
    out.u = uDet / det;
    out.feature = 'face';
  }
  const qx = v * abx + w * acx;
  const qy = v * aby + w * acy;
  const qz = v * abz + w * acz;
  const x = apx - qx;
  const y = apy - qy;
  const z = apz - qz;
  out.v = v;
  out.w = w;
  out.distanceSq = x * x + y * y + z * z;
  point.x = ax + qx;
  point.y = ay + qy;
  point.z = az + qz;
  return out;
}

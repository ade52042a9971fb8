/** The point of a triangle closest to a point. RTCD §5.1.5. */
import { ANY_FINITE, checkPoint } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { TriangleFeature, TrianglePoint } from './types.ts';
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
    // The regions of `closestOnTriangle`, with nothing but the point to report. Where these products are finite, all
    // coordinates are.
    const pb = apx * abx + apy * aby + apz * abz;
    const pc = apx * acx + apy * acy + apz * acz;
    const bb = abx * abx + aby * aby + abz * abz;
    const bc = abx * acx + aby * acy + abz * acz;
    const cc = acx * acx + acy * acy + acz * acz;
    const det = bb * cc - bc * bc;
    if (areNumbers && det > THIN * (bb * cc) + TINY && det < Infinity && (pb + pc) * 0 === 0) {
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
        if (det < WELL_SHAPED * (bb * cc)) {
          const x = apx - v * abx - w * acx;
          const y = apy - v * aby - w * acy;
          const z = apz - v * abz - w * acz;
          const restB = x * abx + y * aby + z * abz;
          const restC = x * acx + y * acy + z * acz;
          v += (cc * restB - bc * restC) / det;
          w += (bb * restC - bc * restB) / det;
        }
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
  const { point } = compareCandidates(p, a, b, c, scratch);
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
  const { distanceSq } = closestOnTriangle(p, a, b, c, scratch);
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
  return closestOnTriangle(p, a, b, c, out);
}

const scratch = makeTrianglePoint();

/** With sin² of the angle at a above this, one solve is as good as two: it is off by four roundings or so. */
const WELL_SHAPED = 0.25;

/** Triangles with sin² of the angle at a below this go to `compareCandidates`: the system is too close to singular. */
const THIN = 1 / 64;

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
export function closestOnTriangle(
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
  if (!(det > THIN * (bb * cc) + TINY && det < Infinity)) return compareCandidates(p, a, b, c, out);

  const pb = apx * abx + apy * aby + apz * abz; // ap·ab
  const pc = apx * acx + apy * acy + apz * acz; // ap·ac
  const pastB = pb - bb; // bp·ab
  const outB = pc - bc - pastB; // bp·bc
  const pastC = pc - cc; // cp·ac
  const outC = pb - bc - pastC; // cp·cb
  let u = 0;
  let v = 0;
  let w = 0;
  if (pb <= 0 && pc <= 0) {
    u = 1;
    out.feature = 'a';
  } else if (pastB >= 0 && outB <= 0) {
    v = 1;
    out.feature = 'b';
  } else if (pastC >= 0 && outC <= 0) {
    w = 1;
    out.feature = 'c';
  } else {
    const vDet = cc * pb - bc * pc;
    const wDet = bb * pc - bc * pb;
    if (wDet <= 0 && pb > 0 && pastB < 0) {
      v = pb / bb;
      u = 1 - v;
      out.feature = 'ab';
    } else if (vDet <= 0 && pc > 0 && pastC < 0) {
      w = pc / cc;
      u = 1 - w;
      out.feature = 'ca';
    } else if (det - vDet - wDet <= 0 && outB > 0 && outC > 0) {
      w = outB / (outB + outC);
      v = outC / (outB + outC);
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
      u = 1 - v - w;
      // On the brink of an edge: let the distances decide.
      if (!(u > 0 && v > 0 && w > 0)) return compareCandidates(p, a, b, c, out);
      out.feature = 'face';
    }
  }
  const qx = v * abx + w * acx;
  const qy = v * aby + w * acy;
  const qz = v * abz + w * acz;
  const gx = apx - qx;
  const gy = apy - qy;
  const gz = apz - qz;
  out.u = u;
  out.v = v;
  out.w = w;
  out.distanceSq = gx * gx + gy * gy + gz * gz;
  // The corners exactly.
  point.x = v === 1 ? bx : w === 1 ? cx : ax + qx;
  point.y = v === 1 ? by : w === 1 ? cy : ay + qy;
  point.z = v === 1 ? bz : w === 1 ? cz : az + qz;
  return out;
}

/** By which weights are positive: 1 for u, 2 for v, 4 for w. */
const FEATURES: readonly TriangleFeature[] = ['face', 'a', 'b', 'ab', 'c', 'ca', 'bc', 'face'];

/**
 * The point closest to p of a triangle that is thin, or flat to a segment or a point, or so large or small that its
 * squares leave the range of doubles: of the closest points of the edges and the foot of p on the plane, the nearest.
 *
 * The foot is found in the frame of an edge ab and g, the part of ac at a right angle to it. For a triangle of length
 * L and height h over its longest edge, rounding (ε) tilts g by ε L / h about ab, which moves the foot of a point at
 * height H sideways by δ = ε H L / h and lengthens its distance by δ² / 2H = ε² H L² / 2h²; the nearest edge on the
 * other hand is at most h² / 8H farther than the foot. The smaller of the two never exceeds ε L / 4, so the best
 * candidate is right to rounding however thin the triangle.
 */
function compareCandidates(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: TrianglePoint,
): TrianglePoint {
  const size = Math.max(halfExtent(a, b), halfExtent(a, c));
  const far = halfExtent(a, p);
  if (size > 0 && !(size > 1 / LARGE && size < LARGE && far < LARGE) && size < Infinity && far < Infinity) {
    compareScaled(p, a, b, c, size, out);
  } else {
    out.u = 1;
    out.v = 0;
    out.w = 0;
    out.distanceSq = Infinity;
    considerEdge(p, a, b, c, out);
    considerEdge(p, b, c, a, out);
    considerEdge(p, c, a, b, out);
    // A number that is not finite must show in the distance: that is where the public functions look for it.
    out.distanceSq += 0 * (a.x + a.y + a.z + (b.x + b.y + b.z) + (c.x + c.y + c.z));
  }
  const { u, v, w, point } = out;
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const { x: cx, y: cy, z: cz } = c;
  const feature = FEATURES[(u > 0 ? 1 : 0) + (v > 0 ? 2 : 0) + (w > 0 ? 4 : 0)]!;
  out.feature = feature;
  if (feature === 'b') put(bx, by, bz, point);
  else if (feature === 'c') put(cx, cy, cz, point);
  else if (size < LARGE)
    put(
      ax + (v * (bx - ax) + w * (cx - ax)),
      ay + (v * (by - ay) + w * (cy - ay)),
      az + (v * (bz - az) + w * (cz - az)),
      point,
    );
  else put(u * ax + v * bx + w * cx, u * ay + v * by + w * cy, u * az + v * bz + w * cz, point);
  return out;
}

/** 2^200: up to here, and down to its inverse, products of four lengths neither overflow nor lose digits. */
const LARGE = 1.6069380442589903e60;
const TWO_100 = 1.2676506002282294e30;
const TWO_50 = 1125899906842624;

/** Half of the largest difference of the coordinates: halved, it cannot overflow. */
const halfExtent = (a: ReadonlyVec3, b: ReadonlyVec3): number =>
  Math.max(Math.abs(b.x / 2 - a.x / 2), Math.abs(b.y / 2 - a.y / 2), Math.abs(b.z / 2 - a.z / 2));

const ORIGIN: ReadonlyVec3 = vec3();
const scaledP = vec3();
const scaledB = vec3();
const scaledC = vec3();

/**
 * Seen from a, with the triangle brought to a size between 2^-100 and 2^100. From as far as 2^150 it looks the same as
 * from any point farther away, so p is brought that close if need be.
 */
function compareScaled(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  size: number,
  out: TrianglePoint,
): void {
  let scale = 1;
  while (size * scale > TWO_100) scale /= TWO_50;
  while (size * scale < 1 / TWO_100) scale *= TWO_50;
  difference(b, a, scale, scaledB);
  difference(c, a, scale, scaledC);
  while (!(halfExtent(ORIGIN, difference(p, a, scale, scaledP)) < LARGE)) scale /= TWO_50;
  compareCandidates(scaledP, ORIGIN, scaledB, scaledC, out);
  out.distanceSq = out.distanceSq / scale / scale;
}

/** s (p - q) for a power of two: what is large is scaled first, so that the difference does not overflow, what is small afterwards. */
function difference(p: ReadonlyVec3, q: ReadonlyVec3, s: number, out: Vec3): Vec3 {
  return s > 1
    ? put((p.x - q.x) * s, (p.y - q.y) * s, (p.z - q.z) * s, out)
    : put(p.x * s - q.x * s, p.y * s - q.y * s, p.z * s - q.z * s, out);
}

const squared = (x: number, y: number, z: number): number => x * x + y * y + z * z;

/**
 * Takes the point of the edge ab closest to p, or the foot of p found in its frame, if it is nearer than what was found.
 * Turns the weights by one corner: after three edges each belongs to its corner again.
 */
function considerEdge(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: TrianglePoint,
): void {
  const apx = p.x - a.x;
  const apy = p.y - a.y;
  const apz = p.z - a.z;
  const abx = b.x - a.x;
  const aby = b.y - a.y;
  const abz = b.z - a.z;
  const acx = c.x - a.x;
  const acy = c.y - a.y;
  const acz = c.z - a.z;
  const abab = squared(abx, aby, abz);
  const along = apx * abx + apy * aby + apz * abz;
  const t = along > 0 ? (along < abab ? along / abab : 1) : 0; // 0 for 0 / 0
  const toEdge = squared(apx - t * abx, apy - t * aby, apz - t * abz);
  let { u, v, w, distanceSq } = out;
  if (toEdge < distanceSq) {
    u = 1 - t;
    v = t;
    w = 0;
    distanceSq = toEdge;
  }
  const foot = along / abab;
  const top = (acx * abx + acy * aby + acz * abz) / abab;
  const gx = acx - top * abx;
  const gy = acy - top * aby;
  const gz = acz - top * abz;
  const beside = (apx - foot * abx) * gx + (apy - foot * aby) * gy + (apz - foot * abz) * gz;
  const wFoot = beside / squared(gx, gy, gz);
  const vFoot = foot - wFoot * top;
  const uFoot = 1 - vFoot - wFoot;
  // Nothing that divided by zero gets through here.
  if (uFoot > 0 && vFoot > 0 && wFoot > 0) {
    const toFoot = squared(
      apx - vFoot * abx - wFoot * acx,
      apy - vFoot * aby - wFoot * acy,
      apz - vFoot * abz - wFoot * acz,
    );
    if (toFoot < distanceSq) {
      u = uFoot;
      v = vFoot;
      w = wFoot;
      distanceSq = toFoot;
    }
  }
  out.u = v;
  out.v = w;
  out.w = u;
  out.distanceSq = distanceSq;
}

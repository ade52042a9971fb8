/**
 * The point closest to p of triangles that are thin, or flat to a segment or point, or so large or small that their
 * squares leave the range of doubles: `nearestOnTriangle` sends them.
 */
import { exponent, scalb } from '../../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { TriangleFeature, TrianglePoint } from './types.ts';

/** @internal */
export function nearestOnNeedle(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: TrianglePoint,
): TrianglePoint {
  const size = sizeOf(a, b, c);
  if ((size > LARGE && size < Infinity) || (size < SMALL && size > 0)) return nearestByScale(p, a, b, c, out);
  const ab = gapSq(a, b);
  const bc = gapSq(b, c);
  const ca = gapSq(c, a);
  if (ab >= bc && ab >= ca) {
    weigh(p, a, b, c, out);
  } else if (bc >= ca) {
    weigh(p, b, c, a, out);
    const { u, v, w } = out;
    out.u = w;
    out.v = u;
    out.w = v;
  } else {
    weigh(p, c, a, b, out);
    const { u, v, w } = out;
    out.u = v;
    out.v = w;
    out.w = u;
  }
  // A number that is not finite must show in the distance: that is where the public functions look for it.
  out.distanceSq += 0 * (a.x + a.y + a.z + (b.x + b.y + b.z) + (c.x + c.y + c.z));
  return place(a, b, c, out);
}

/** Between these, products of four lengths neither overflow nor lose digits: 2^-200 and 2^200. */
const SMALL = 6.223015277861142e-61;
const LARGE = 1.6069380442589903e60;

/** The largest of the differences of the coordinates, or half of it: halved, they cannot overflow. */
const sizeOf = (a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): number =>
  Math.max(
    Math.abs(b.x / 2 - a.x / 2),
    Math.abs(b.y / 2 - a.y / 2),
    Math.abs(b.z / 2 - a.z / 2),
    Math.abs(c.x / 2 - a.x / 2),
    Math.abs(c.y / 2 - a.y / 2),
    Math.abs(c.z / 2 - a.z / 2),
  );

const ORIGIN: ReadonlyVec3 = vec3();
const toP = vec3();
const toB = vec3();
const toC = vec3();

/** Seen from a, with the triangle brought to a size of about 1. */
function nearestByScale(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: TrianglePoint,
): TrianglePoint {
  const e = -exponent(sizeOf(a, b, c));
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const { x: cx, y: cy, z: cz } = c;
  difference(p, a, e, toP);
  difference(b, a, e, toB);
  difference(c, a, e, toC);
  // From as far as that, a triangle of size 1 looks the same as from any farther point on the way.
  const far = Math.max(Math.abs(toP.x), Math.abs(toP.y), Math.abs(toP.z));
  let closer = 0;
  if (far > LARGE) {
    if (far === Infinity) {
      difference(p, a, -60, toP);
      closer = -60 - e;
    }
    const more = 199 - exponent(Math.max(Math.abs(toP.x), Math.abs(toP.y), Math.abs(toP.z)));
    if (more < 0) {
      closer += more;
      toP.x = scalb(toP.x, more);
      toP.y = scalb(toP.y, more);
      toP.z = scalb(toP.z, more);
    }
  }
  nearestOnNeedle(toP, ORIGIN, toB, toC, out);
  out.distanceSq = scalb(scalb(out.distanceSq, -e - closer), -e - closer);
  const { u, v, w, point, feature } = out;
  if (feature === 'a' || feature === 'b' || feature === 'c') {
    point.x = feature === 'a' ? ax : feature === 'b' ? bx : cx;
    point.y = feature === 'a' ? ay : feature === 'b' ? by : cy;
    point.z = feature === 'a' ? az : feature === 'b' ? bz : cz;
  } else if (e > 0) {
    point.x = ax + scalb(point.x, -e);
    point.y = ay + scalb(point.y, -e);
    point.z = az + scalb(point.z, -e);
  } else {
    point.x = u * ax + v * bx + w * cx;
    point.y = u * ay + v * by + w * cy;
    point.z = u * az + v * bz + w * cz;
  }
  return out;
}

/** (p - q) 2^e: large numbers are scaled first, lest the difference overflows, small ones afterwards. */
function difference(p: ReadonlyVec3, q: ReadonlyVec3, e: number, out: Vec3): void {
  if (e > 0) {
    out.x = scalb(p.x - q.x, e);
    out.y = scalb(p.y - q.y, e);
    out.z = scalb(p.z - q.z, e);
  } else {
    out.x = scalb(p.x, e) - scalb(q.x, e);
    out.y = scalb(p.y, e) - scalb(q.y, e);
    out.z = scalb(p.z, e) - scalb(q.z, e);
  }
}

function gapSq(a: ReadonlyVec3, b: ReadonlyVec3): number {
  const x = a.x - b.x;
  const y = a.y - b.y;
  const z = a.z - b.z;
  return x * x + y * y + z * z;
}

const squared = (x: number, y: number, z: number): number => x * x + y * y + z * z;

/** along / whole, held to [0, 1]; 0 for 0 / 0. */
const fraction = (along: number, whole: number): number =>
  along > 0 ? (along < whole ? along / whole : 1) : 0;

/**
 * Weights and squared distance of the nearest of four candidates: the closest points of the edges, and the foot of p
 * on the plane if it is inside. ab must be the longest edge.
 *
 * The foot is found in the frame of ab and g, the part of ac at a right angle to it. For a triangle of length L and
 * height h, rounding (ε) tilts g by ε L / h about ab, which moves the foot of a point at height H sideways by
 * δ = ε H L / h and lengthens its distance by δ² / 2H = ε² H L² / 2h²; the nearest edge on the other hand is at most
 * h² / 8H farther than the foot. The smaller of the two never exceeds ε L / 4, so the best candidate is right to
 * rounding however thin the triangle.
 */
function weigh(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, out: TrianglePoint): void {
  const apx = p.x - a.x;
  const apy = p.y - a.y;
  const apz = p.z - a.z;
  const bpx = p.x - b.x;
  const bpy = p.y - b.y;
  const bpz = p.z - b.z;
  const abx = b.x - a.x;
  const aby = b.y - a.y;
  const abz = b.z - a.z;
  const acx = c.x - a.x;
  const acy = c.y - a.y;
  const acz = c.z - a.z;
  const bcx = c.x - b.x;
  const bcy = c.y - b.y;
  const bcz = c.z - b.z;

  const abab = squared(abx, aby, abz);
  const along = apx * abx + apy * aby + apz * abz;
  const tAB = fraction(along, abab);
  const tAC = fraction(apx * acx + apy * acy + apz * acz, squared(acx, acy, acz));
  const tBC = fraction(bpx * bcx + bpy * bcy + bpz * bcz, squared(bcx, bcy, bcz));
  const toAB = squared(apx - tAB * abx, apy - tAB * aby, apz - tAB * abz);
  const toAC = squared(apx - tAC * acx, apy - tAC * acy, apz - tAC * acz);
  const toBC = squared(bpx - tBC * bcx, bpy - tBC * bcy, bpz - tBC * bcz);
  if (toBC < toAB && toBC < toAC) weights(0, 1 - tBC, tBC, toBC, out);
  else if (toAC < toAB) weights(1 - tAC, 0, tAC, toAC, out);
  else weights(1 - tAB, tAB, 0, toAB, out);

  const foot = along / abab;
  const top = (acx * abx + acy * aby + acz * abz) / abab;
  const gx = acx - top * abx;
  const gy = acy - top * aby;
  const gz = acz - top * abz;
  const beside = (apx - foot * abx) * gx + (apy - foot * aby) * gy + (apz - foot * abz) * gz;
  const w = beside / squared(gx, gy, gz);
  const v = foot - w * top;
  const u = 1 - v - w;
  // Nothing that divided by zero gets through here.
  if (u > 0 && v > 0 && w > 0) {
    const toFoot = squared(apx - v * abx - w * acx, apy - v * aby - w * acy, apz - v * abz - w * acz);
    if (toFoot < out.distanceSq) weights(u, v, w, toFoot, out);
  }
}

function weights(u: number, v: number, w: number, distanceSq: number, out: TrianglePoint): void {
  out.u = u;
  out.v = v;
  out.w = w;
  out.distanceSq = distanceSq;
}

/** By which weights are positive: 1 for u, 2 for v, 4 for w. */
const FEATURES: readonly TriangleFeature[] = ['face', 'a', 'b', 'ab', 'c', 'ca', 'bc', 'face'];

/** Fills in the feature and the point that belong to the weights; corners exactly. */
function place(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, out: TrianglePoint): TrianglePoint {
  const { u, v, w, point } = out;
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const { x: cx, y: cy, z: cz } = c;
  const feature = FEATURES[(u > 0 ? 1 : 0) + (v > 0 ? 2 : 0) + (w > 0 ? 4 : 0)]!;
  out.feature = feature;
  point.x = feature === 'b' ? bx : feature === 'c' ? cx : ax + (v * (bx - ax) + w * (cx - ax));
  point.y = feature === 'b' ? by : feature === 'c' ? cy : ay + (v * (by - ay) + w * (cy - ay));
  point.z = feature === 'b' ? bz : feature === 'c' ? cz : az + (v * (bz - az) + w * (cz - az));
  return out;
}

/** Spheres: overlap, containment, merging, motion. Results enclose what they should after rounding too. RTCD §4.3. */
import { ANY_FINITE, checkAabb, checkPlane, checkPoint, checkPose, checkSphere } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { ReadonlyPlane, ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { ReadonlyAabb, ReadonlySphere, Sphere } from '../primitives/types.ts';
import { makeSphere } from '../primitives/types.ts';
import { outward, ROTATION_ERROR } from './volume-rounding.ts';

const offset = vec3();

/** Covers the rounding of two squared lengths that are compared: 5 half-steps for a distance, 3 for a sum of radii. */
const DOUBT = 1 + 8 * EPS64;

/**
 * Do two spheres share a point? Errs towards yes: those that miss each other by less than 1e-15 of their distance
 * count as touching. Sizes beyond 1e±150 leave the range of squares; there too it errs towards yes. RTCD §4.3.1.
 */
export function overlapSphereSphere(a: ReadonlySphere, b: ReadonlySphere): boolean {
  checkSphere('overlapSphereSphere', 'a', a);
  checkSphere('overlapSphereSphere', 'b', b);
  const sum = a.radius + b.radius;
  return v3.distanceSq(a.center, b.center) <= sum * sum * DOUBT;
}

/** Is the point in the sphere or on it? Errs towards yes as `overlapSphereSphere` does. */
export function containsPointSphere(p: ReadonlyVec3, sphere: ReadonlySphere): boolean {
  checkPoint('containsPointSphere', 'p', p);
  checkSphere('containsPointSphere', 'sphere', sphere);
  return v3.distanceSq(sphere.center, p) <= sphere.radius * sphere.radius * DOUBT;
}

/** Is all of the first sphere in the second? Errs towards no: a yes is certain. */
export function containsSphereSphere(inner: ReadonlySphere, outer: ReadonlySphere): boolean {
  checkSphere('containsSphereSphere', 'inner', inner);
  checkSphere('containsSphereSphere', 'outer', outer);
  return reachAbout(outer.center, inner) <= outer.radius;
}

/**
 * How far a sphere reaches from a point, rounded up.
 *
 * @internal
 */
export const reachAbout = (p: ReadonlyVec3, { center, radius }: ReadonlySphere): number =>
  reachAt(v3.length(v3.sub(center, p, offset)), radius);

/**
 * How far flat points reach from a point, rounded up: the radius that a sphere there must have.
 *
 * @internal
 */
export function radiusAbout(coordinates: Float64Array, { x: cx, y: cy, z: cz }: ReadonlyVec3): number {
  let farthest = 0;
  for (let i = 0; i < coordinates.length; i += 3) {
    const x = coordinates[i]! - cx;
    const y = coordinates[i + 1]! - cy;
    const z = coordinates[i + 2]! - cz;
    farthest = Math.max(farthest, x * x + y * y + z * z);
  }
  if (farthest > 1e-280 && farthest < 1e300) return outward(Math.sqrt(farthest));
  // The squares left the range of numbers.
  farthest = 0;
  for (let i = 0; i < coordinates.length; i += 3) {
    v3.set(coordinates[i]! - cx, coordinates[i + 1]! - cy, coordinates[i + 2]! - cz, offset);
    farthest = Math.max(farthest, v3.length(offset));
  }
  return outward(farthest);
}

/**
 * The smallest sphere around two spheres, up to rounding; the larger one itself when it certainly holds the other.
 * RTCD §6.5.2.
 */
export function mergeSphere(a: ReadonlySphere, b: ReadonlySphere, out: Sphere = makeSphere()): Sphere {
  checkSphere('mergeSphere', 'a', a, ANY_FINITE);
  checkSphere('mergeSphere', 'b', b, ANY_FINITE);
  checkPoint('mergeSphere', 'a.center', a.center, ANY_FINITE);
  checkPoint('mergeSphere', 'b.center', b.center, ANY_FINITE);
  return spheresMerged(a, b, out);
}

/** The smallest sphere around a sphere and a point, up to rounding; the sphere itself when it certainly holds it. */
export function growSphere(sphere: ReadonlySphere, p: ReadonlyVec3, out: Sphere = makeSphere()): Sphere {
  checkSphere('growSphere', 'sphere', sphere);
  checkPoint('growSphere', 'sphere.center', sphere.center);
  checkPoint('growSphere', 'p', p);
  v3.copy(p, dot.center);
  return spheresMerged(sphere, dot, out);
}

const dot = makeSphere();

function spheresMerged(a: ReadonlySphere, b: ReadonlySphere, out: Sphere): Sphere {
  const { x: ax, y: ay, z: az } = a.center;
  const { x: bx, y: by, z: bz } = b.center;
  const { radius: ar } = a;
  const { radius: br } = b;
  const x = bx - ax;
  const y = by - ay;
  const z = bz - az;
  const d = lengthOf(x, y, z);
  if (reachAt(d, br) <= ar) return copySphere(a, out);
  if (reachAt(d, ar) <= br) return copySphere(b, out);
  // Neither holds the other, so d > 0. The middle of the stretch that both cover, from the center of a.
  const t = Math.min(1, Math.max(0, 0.5 * (1 + (br - ar) / d)));
  const cx = ax + t * x;
  const cy = ay + t * y;
  const cz = az + t * z;
  const reachA = reachAt(lengthOf(ax - cx, ay - cy, az - cz), ar);
  const reachB = reachAt(lengthOf(bx - cx, by - cy, bz - cz), br);
  out.radius = Math.max(reachA, reachB);
  v3.set(cx, cy, cz, out.center);
  return out;
}

/** `length` of loose numbers, small enough to be inlined; it has to call for help only near the ends of the range. */
function lengthOf(x: number, y: number, z: number): number {
  const sq = x * x + y * y + z * z;
  return sq > 1e-280 && sq < 1e300 ? Math.sqrt(sq) : v3.length(v3.set(x, y, z, offset));
}

/** How far a sphere reaches from a point that is this far from its center, rounded up. */
const reachAt = (distance: number, radius: number): number =>
  distance === 0 ? radius : outward(distance + radius);

function copySphere(sphere: ReadonlySphere, out: Sphere): Sphere {
  v3.copy(sphere.center, out.center);
  out.radius = sphere.radius;
  return out;
}

/**
 * The sphere moved by a pose, its radius a little larger where rounding asks for it: it holds every point of the
 * sphere after `pose` is applied to it, be it in exact arithmetic or by `rotate` of this library.
 */
export function transformSphere(
  sphere: ReadonlySphere,
  pose: ReadonlyPose,
  out: Sphere = makeSphere(),
): Sphere {
  checkSphere('transformSphere', 'sphere', sphere);
  checkPoint('transformSphere', 'sphere.center', sphere.center);
  checkPose('transformSphere', 'pose', pose);
  const { quaternion: q, position: t } = pose;
  const { center: c, radius: r } = sphere;
  let radius = r;
  const size = Math.abs(c.x) + Math.abs(c.y) + Math.abs(c.z) + r;
  v3.rotate(c, q, offset);
  if (!(q.x === 0 && q.y === 0 && q.z === 0)) {
    // `rotate` by a quaternion whose square is 1 + e stretches by 1 + 2e at most.
    const excess = Math.max(0, q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1);
    radius = radius * (1 + 2 * excess) + ROTATION_ERROR * (1 + excess) * size;
  }
  if (!(t.x === 0 && t.y === 0 && t.z === 0)) {
    v3.add(offset, t, offset);
    // The center is rounded here, and so are the points of whoever moves them.
    radius += 2 * EPS64 * (Math.abs(offset.x) + Math.abs(offset.y) + Math.abs(offset.z) + r);
  }
  v3.copy(offset, out.center);
  out.radius = radius;
  return out;
}

/** The sphere through the corners of a box, rounded outward. */
export function fitSphereAabb(box: ReadonlyAabb, out: Sphere = makeSphere()): Sphere {
  checkAabb('fitSphereAabb', 'box', box);
  const { x: ax, y: ay, z: az } = box.min;
  const { x: bx, y: by, z: bz } = box.max;
  const { center: c } = out;
  v3.set(0.5 * ax + 0.5 * bx, 0.5 * ay + 0.5 * by, 0.5 * az + 0.5 * bz, c);
  v3.set(Math.max(c.x - ax, bx - c.x), Math.max(c.y - ay, by - c.y), Math.max(c.z - az, bz - c.z), offset);
  out.radius = outward(v3.length(offset));
  return out;
}

/** Surface area. */
export function areaSphere(sphere: ReadonlySphere): number {
  checkSphere('areaSphere', 'sphere', sphere);
  return 4 * Math.PI * (sphere.radius * sphere.radius);
}

export function volumeSphere(sphere: ReadonlySphere): number {
  checkSphere('volumeSphere', 'sphere', sphere);
  const r = sphere.radius;
  return (4 / 3) * Math.PI * (r * r * r);
}

/**
 * 1 when the whole sphere lies in front of the plane (normal · x > d), -1 when it lies behind, 0 when the plane
 * touches it. Where rounding leaves a doubt, 0. RTCD §5.2.2.
 */
export function sideSpherePlane(sphere: ReadonlySphere, plane: ReadonlyPlane): -1 | 0 | 1 {
  checkSphere('sideSpherePlane', 'sphere', sphere);
  checkPlane('sideSpherePlane', 'plane', plane);
  const { center: c, radius } = sphere;
  const { normal: n, d } = plane;
  const height = v3.dot(n, c) - d;
  const r = radius * v3.length(n);
  const size = Math.abs(n.x * c.x) + Math.abs(n.y * c.y) + Math.abs(n.z * c.z) + Math.abs(d) + r;
  // Four half-steps for the height, seven for the radius, one for comparing them.
  const doubt = size * (8 * EPS64) + 4 * Number.MIN_VALUE;
  return height - r > doubt ? 1 : height + r < -doubt ? -1 : 0;
}

/** Spheres: overlap, containment, merging, motion. Results enclose what they should after rounding too. RTCD §4.3. */
import { EPS64 } from '../math/float.ts';
import type { ReadonlyPlane, ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { ReadonlyAabb, ReadonlySphere, Sphere } from '../primitives/types.ts';
import { makeSphere } from '../primitives/types.ts';
import { mustBeAabb, mustBePlane, mustBePoint, mustBePose, mustBeSphere } from './volume-check.ts';
import { addUp, outward, ROTATION_ERROR } from './volume-rounding.ts';

const offset = vec3();

/** Covers the rounding of two squared lengths that are compared: 5 half-steps for a distance, 3 for a sum of radii. */
const DOUBT = 1 + 8 * EPS64;

/**
 * Do two spheres share a point? Errs towards yes: those that miss each other by less than 1e-15 of their distance
 * count as touching. Sizes beyond 1e±150 leave the range of squares; there too it errs towards yes. RTCD §4.3.1.
 */
export function overlapSphereSphere(a: ReadonlySphere, b: ReadonlySphere): boolean {
  mustBeSphere('overlapSphereSphere', 'a', a);
  mustBeSphere('overlapSphereSphere', 'b', b);
  const sum = a.radius + b.radius;
  return v3.distanceSq(a.center, b.center) <= sum * sum * DOUBT;
}

/** Is the point in the sphere or on it? Errs towards yes as `overlapSphereSphere` does. */
export function containsPointSphere(sphere: ReadonlySphere, p: ReadonlyVec3): boolean {
  mustBeSphere('containsPointSphere', 'sphere', sphere);
  mustBePoint('containsPointSphere', 'p', p);
  return v3.distanceSq(sphere.center, p) <= sphere.radius * sphere.radius * DOUBT;
}

/** Does the first sphere hold all of the second? Errs towards no: yes is certain. */
export function containsSphereSphere(outer: ReadonlySphere, inner: ReadonlySphere): boolean {
  mustBeSphere('containsSphereSphere', 'outer', outer);
  mustBeSphere('containsSphereSphere', 'inner', inner);
  return reachAbout(outer.center, inner) <= outer.radius;
}

/** How far a sphere reaches from a point, rounded up. */
function reachAbout(p: ReadonlyVec3, { center, radius }: ReadonlySphere): number {
  const d = v3.length(v3.sub(center, p, offset));
  return d === 0 ? radius : outward(d + radius);
}

/**
 * How far flat points reach from a point, rounded up: the radius that a sphere there must have.
 *
 * @internal
 */
export function radiusAbout(coordinates: Float64Array, { x: cx, y: cy, z: cz }: ReadonlyVec3): number {
  let farthest = 0;
  let at = 0;
  for (let i = 0; i < coordinates.length; i += 3) {
    const x = coordinates[i]! - cx;
    const y = coordinates[i + 1]! - cy;
    const z = coordinates[i + 2]! - cz;
    const sq = x * x + y * y + z * z;
    if (sq > farthest) {
      farthest = sq;
      at = i;
    }
  }
  v3.set(coordinates[at]! - cx, coordinates[at + 1]! - cy, coordinates[at + 2]! - cz, offset);
  return outward(v3.length(offset));
}

/**
 * The smallest sphere around two spheres, up to rounding; the larger one itself when it certainly holds the other.
 * RTCD §6.5.2.
 */
export function mergeSphere(a: ReadonlySphere, b: ReadonlySphere, out: Sphere = makeSphere()): Sphere {
  mustBeSphere('mergeSphere', 'a', a);
  mustBeSphere('mergeSphere', 'b', b);
  return spheresMerged(a, b, out);
}

/** The smallest sphere around a sphere and a point, up to rounding; the sphere itself when it certainly holds it. */
export function growSphere(sphere: ReadonlySphere, p: ReadonlyVec3, out: Sphere = makeSphere()): Sphere {
  mustBeSphere('growSphere', 'sphere', sphere);
  mustBePoint('growSphere', 'p', p);
  v3.copy(p, dot.center);
  return spheresMerged(sphere, dot, out);
}

const dot = makeSphere();
const merged = vec3();

function spheresMerged(a: ReadonlySphere, b: ReadonlySphere, out: Sphere): Sphere {
  if (reachAbout(a.center, b) <= a.radius) return copySphere(a, out);
  if (reachAbout(b.center, a) <= b.radius) return copySphere(b, out);
  // Neither holds the other, so the centers differ. The middle of the stretch that both cover, from a's center.
  v3.sub(b.center, a.center, offset);
  const d = v3.length(offset);
  const t = Math.min(1, Math.max(0, 0.5 * (1 + (b.radius - a.radius) / d)));
  v3.addScaled(a.center, offset, t, merged);
  const radius = Math.max(reachAbout(merged, a), reachAbout(merged, b));
  v3.copy(merged, out.center);
  out.radius = radius;
  return out;
}

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
  mustBeSphere('transformSphere', 'sphere', sphere);
  mustBePose('transformSphere', 'pose', pose);
  const { x: qx, y: qy, z: qz, w: qw } = pose.quaternion;
  const { x: tx, y: ty, z: tz } = pose.position;
  const { center: c, radius: r } = sphere;
  const size = sizeOf(c) + r;
  let radius = r;
  v3.rotate(c, pose.quaternion, offset);
  if (!(qx === 0 && qy === 0 && qz === 0)) {
    // `rotate` by a quaternion whose square is 1 + e stretches by 1 + 2e at most.
    const excess = Math.max(0, qx * qx + qy * qy + qz * qz + qw * qw - 1);
    radius = addUp(radius * (1 + 2 * excess), ROTATION_ERROR * (1 + excess) * size);
  }
  if (!(tx === 0 && ty === 0 && tz === 0)) {
    v3.add(offset, pose.position, offset);
    // The center is rounded here, and the points of whoever moves them are.
    radius = addUp(radius, 2 * EPS64 * (sizeOf(offset) + r));
  }
  v3.copy(offset, out.center);
  out.radius = radius;
  return out;
}

/** A bound on the length of v. */
const sizeOf = (v: ReadonlyVec3): number => Math.abs(v.x) + Math.abs(v.y) + Math.abs(v.z);

/** The sphere through the corners of a box, rounded outward. */
export function fitSphereAabb(box: ReadonlyAabb, out: Sphere = makeSphere()): Sphere {
  mustBeAabb('fitSphereAabb', 'box', box);
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
  mustBeSphere('areaSphere', 'sphere', sphere);
  return 4 * Math.PI * (sphere.radius * sphere.radius);
}

export function volumeSphere(sphere: ReadonlySphere): number {
  mustBeSphere('volumeSphere', 'sphere', sphere);
  const r = sphere.radius;
  return (4 / 3) * Math.PI * (r * r * r);
}

/**
 * 1 when the whole sphere lies in front of the plane (normal · x > d), -1 when it lies behind, 0 when the plane
 * touches it. Where rounding leaves a doubt, 0. RTCD §5.2.2.
 */
export function sideSpherePlane(sphere: ReadonlySphere, plane: ReadonlyPlane): -1 | 0 | 1 {
  mustBeSphere('sideSpherePlane', 'sphere', sphere);
  mustBePlane('sideSpherePlane', 'plane', plane);
  const { center: c, radius } = sphere;
  const { normal: n, d } = plane;
  const height = v3.dot(n, c) - d;
  const r = radius * v3.length(n);
  const size = Math.abs(n.x * c.x) + Math.abs(n.y * c.y) + Math.abs(n.z * c.z) + Math.abs(d) + r;
  // Four half-steps for the height, seven for the radius, one for comparing them.
  const doubt = size * (8 * EPS64) + 4 * Number.MIN_VALUE;
  return height - r > doubt ? 1 : height + r < -doubt ? -1 : 0;
}

/**
 * Sphere-swept volumes: spheres, capsules and lozenges are all the points within a radius of a point, a segment or a
 * rectangle, so any two overlap when those are no farther apart than the radii add up to. RTCD §4.5.
 */
import { checkPoint, checkSphere, checkTube } from '../math/check.ts';
import { eigenSymmetric } from '../math/eigen.ts';
import { EPS64 } from '../math/float.ts';
import type { Mat3, ReadonlyMat3, ReadonlyVec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { distanceSqPointSegment } from '../primitives/closest/linear.ts';
import { distanceSqSegmentSegment } from '../primitives/closest/segment-segment.ts';
import type { Capsule, ReadonlyCapsule, ReadonlySphere } from '../primitives/types.ts';
import { makeCapsule } from '../primitives/types.ts';
import { type PointSet, readPoints } from './point-set.ts';
import { enterFrame, leaveFrame } from './point-set-frame.ts';
import { covarianceOf } from './point-set-spread.ts';
import { fitCircleMinimum } from './sphere-minimum.ts';

/**
 * Is a squared distance within a radius? Errs towards yes by the rounding of the squares, as spheres do.
 *
 * @internal
 */
export const within = (distanceSq: number, radius: number): boolean =>
  distanceSq <= radius * radius * (1 + 8 * EPS64);

/** Do a sphere and a capsule share a point? Touching is a matter of rounding of the segment's coordinates. */
export function overlapSphereCapsule(sphere: ReadonlySphere, capsule: ReadonlyCapsule): boolean {
  checkTube('overlapSphereCapsule', 'capsule', capsule);
  checkSphere('overlapSphereCapsule', 'sphere', sphere);
  return within(distanceSqPointSegment(sphere.center, capsule.a, capsule.b), sphere.radius + capsule.radius);
}

/** Do two capsules share a point? Touching is a matter of rounding of the segments' coordinates. */
export function overlapCapsuleCapsule(a: ReadonlyCapsule, b: ReadonlyCapsule): boolean {
  checkTube('overlapCapsuleCapsule', 'a', a);
  checkTube('overlapCapsuleCapsule', 'b', b);
  return within(distanceSqSegmentSegment(a.a, a.b, b.a, b.b), a.radius + b.radius);
}

/** Is the point in the capsule or on it? */
export function containsPointCapsule(p: ReadonlyVec3, capsule: ReadonlyCapsule): boolean {
  checkTube('containsPointCapsule', 'capsule', capsule);
  checkPoint('containsPointCapsule', 'p', p);
  return within(distanceSqPointSegment(p, capsule.a, capsule.b), capsule.radius);
}

/**
 * A capsule around the points, along the direction of most spread: that of the line of least squared distances. Seen
 * along it the points get the smallest circle, and the ends are pulled in as far as the round caps allow. RTCD §4.5.2.
 */
export function fitCapsule(points: PointSet, out: Capsule = makeCapsule()): Capsule {
  const world = readPoints('fitCapsule', points);
  const local = world.slice();
  const frame = enterFrame(local);
  const axes = spreadAxes(local);
  alongAxes(local, axes);
  const across = new Float64Array((2 * local.length) / 3);
  for (let i = 0; i < local.length / 3; i++) {
    across[2 * i] = local[3 * i + 1]!;
    across[2 * i + 1] = local[3 * i + 2]!;
  }
  const { center, radius } = fitCircleMinimum(across);
  const [low, high] = medialSpan(
    local.length / 3,
    radius,
    (i) => local[3 * i]!,
    (i) => square(local[3 * i + 1]! - center.x) + square(local[3 * i + 2]! - center.y),
  );
  leaveFrame(frame, v3.transform(vec3(low, center.x, center.y), axes), out.a);
  leaveFrame(frame, v3.transform(vec3(high, center.x, center.y), axes), out.b);
  // Measured again from the segment as it is after rounding, so that it holds every point.
  const farthest = farthestFrom(world, (p) => distanceSqPointSegment(p, out.a, out.b));
  out.radius = farthest + MEDIAL_ERROR * (v3.distance(out.a, out.b) + farthest);
  return out;
}

/**
 * The distance of a point from a segment or a rectangle comes out with an error below this fraction of the largest
 * way involved: three half-steps each for the parameter and for the point there, squared and rooted.
 *
 * @internal
 */
export const MEDIAL_ERROR = 16 * EPS64;

const square = (x: number): number => x * x;

/**
 * How short the medial segment may be: a point at height s and distance d from the axis needs an end cap of radius r
 * to start no later than s + √(r² - d²), and the other no earlier than s - √(r² - d²).
 *
 * @internal
 */
export function medialSpan(
  count: number,
  radius: number,
  height: (i: number) => number,
  distanceSq: (i: number) => number,
): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < count; i++) {
    const cap = Math.sqrt(Math.max(0, radius * radius - distanceSq(i)));
    low = Math.min(low, height(i) + cap);
    high = Math.max(high, height(i) - cap);
  }
  // When the caps alone cover everything, any point between will do.
  return low <= high ? [low, high] : [0.5 * (low + high), 0.5 * (low + high)];
}

/**
 * The square root of the largest of `square` over the points.
 *
 * @internal
 */
export function farthestFrom(coordinates: Float64Array, square: (p: ReadonlyVec3) => number): number {
  let most = 0;
  for (let i = 0; i < coordinates.length; i += 3)
    most = Math.max(most, square(vec3(coordinates[i], coordinates[i + 1], coordinates[i + 2])));
  return Math.sqrt(most);
}

/**
 * The axes of the points, most spread first.
 *
 * @internal
 */
export const spreadAxes = (local: Float64Array): Mat3 => eigenSymmetric(covarianceOf(local, mat3())).vectors;

/**
 * Flat points in coordinates along the axes, in place.
 *
 * @internal
 */
export function alongAxes(local: Float64Array, axes: ReadonlyMat3): void {
  const p = vec3();
  for (let i = 0; i < local.length; i += 3) {
    v3.transformTransposed(v3.set(local[i]!, local[i + 1]!, local[i + 2]!, p), axes, p);
    local[i] = p.x;
    local[i + 1] = p.y;
    local[i + 2] = p.z;
  }
}

/** @internal */

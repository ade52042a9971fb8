/** How points are spread: extremes along a direction, mean and covariance. */
import { checkPoint, mustBeNumber, refuse } from '../math/check.ts';
import { scalb } from '../math/float.ts';
import type { Mat3, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import { convexHull3 } from '../polytope/convex-hull3.ts';
import { type PointSet, readPoints } from './point-set.ts';
import { enterFrame, leaveFrame } from './point-set-frame.ts';

/** The indices of the points that lie farthest against a direction and along it. */
export interface Extremes {
  least: number;
  most: number;
}

export const makeExtremes = (): Extremes => ({ least: 0, most: 0 });

/**
 * Which points lie farthest against `direction` and along it? The first of equals; the direction need not be a unit
 * vector. Only the first `count` points are looked at: store those of the hull first (`hullFirst`), and the rest
 * need not be looked at. RTCD §4.2.4.
 */
export function extremePoints(
  points: PointSet,
  direction: ReadonlyVec3,
  count?: number,
  out: Extremes = makeExtremes(),
): Extremes {
  if (count !== undefined && count !== null) mustBeNumber('extremePoints', 'count', count);
  checkPoint('extremePoints', 'direction', direction);
  const coordinates = readPoints('extremePoints', points);
  const all = coordinates.length / 3;
  if (count !== undefined && !(Number.isInteger(count) && count >= 1 && count <= all))
    refuse('extremePoints', 'count', `must be a whole number from 1 to ${all}, got ${count}`);
  return extremesOf(coordinates, direction, count ?? all, out);
}

/** @internal */
export function extremesOf(
  coordinates: Float64Array,
  { x: dx, y: dy, z: dz }: ReadonlyVec3,
  count: number,
  out: Extremes,
): Extremes {
  let low = Infinity;
  let high = -Infinity;
  out.least = out.most = 0;
  for (let i = 0; i < count; i++) {
    const h = coordinates[3 * i]! * dx + coordinates[3 * i + 1]! * dy + coordinates[3 * i + 2]! * dz;
    if (h < low) {
      low = h;
      out.least = i;
    }
    if (h > high) {
      high = h;
      out.most = i;
    }
  }
  return out;
}

/** The same points, those of the convex hull first, each part in the order it had. */
export interface HullFirst {
  /** x0, y0, z0, x1, … */
  points: Float64Array;
  /** How many of them are corners of the hull. */
  hullCount: number;
}

/** Reorders a copy of the points so that `extremePoints` need look at the corners of their hull only. RTCD §4.2.4. */
export function hullFirst(points: PointSet): HullFirst {
  const coordinates = readPoints('hullFirst', points);
  const list: Vec3[] = [];
  for (let i = 0; i < coordinates.length; i += 3)
    list.push(vec3(coordinates[i], coordinates[i + 1], coordinates[i + 2]));
  const corners = new Set(convexHull3(list).vertices);
  const inner = list.filter((_, i) => !corners.has(i));
  const outer = list.filter((_, i) => corners.has(i));
  return {
    points: Float64Array.from([...outer, ...inner].flatMap(({ x, y, z }) => [x, y, z])),
    hullCount: outer.length,
  };
}

/** The mean of the points, summed about the middle of their box: no digits are lost to a distant origin. */
export function meanPoint(points: PointSet, out: Vec3 = vec3()): Vec3 {
  const local = readPoints('meanPoint', points);
  const frame = enterFrame(local);
  return leaveFrame(frame, meanOf(local, out), out);
}

/**
 * The covariance matrix of the points about their mean (divided by their number): symmetric, its eigenvectors the
 * directions of most and least spread. Two passes, about the mean, so that distance from the origin costs no digits.
 * RTCD §4.3.3.
 */
export function covariancePoints(points: PointSet, out: Mat3 = mat3()): Mat3 {
  const local = readPoints('covariancePoints', points);
  const frame = enterFrame(local);
  covarianceOf(local, out);
  const e = out.elements;
  for (let i = 0; i < 9; i++) e[i] = scalb(e[i]!, 2 * frame.exponent);
  return out;
}

/** @internal */
export function meanOf(coordinates: Float64Array, out: Vec3): Vec3 {
  const n = coordinates.length / 3;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let i = 0; i < coordinates.length; i += 3) {
    x += coordinates[i]!;
    y += coordinates[i + 1]!;
    z += coordinates[i + 2]!;
  }
  out.x = x / n;
  out.y = y / n;
  out.z = z / n;
  return out;
}

/** @internal */
export function covarianceOf(coordinates: Float64Array, out: Mat3): Mat3 {
  const mean = meanOf(coordinates, vec3());
  const n = coordinates.length / 3;
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let yy = 0;
  let yz = 0;
  let zz = 0;
  for (let i = 0; i < coordinates.length; i += 3) {
    const x = coordinates[i]! - mean.x;
    const y = coordinates[i + 1]! - mean.y;
    const z = coordinates[i + 2]! - mean.z;
    xx += x * x;
    xy += x * y;
    xz += x * z;
    yy += y * y;
    yz += y * z;
    zz += z * z;
  }
  const e = out.elements;
  e[0] = xx / n;
  e[1] = e[3] = xy / n;
  e[2] = e[6] = xz / n;
  e[4] = yy / n;
  e[5] = e[7] = yz / n;
  e[8] = zz / n;
  return out;
}

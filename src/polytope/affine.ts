/** How many dimensions do points span? RTCD §3.7. */
import { ANY_FINITE, checkPoints } from '../math/check.ts';
import { orient2d, orient3d } from '../math/orient.ts';
import type { ReadonlyVec2, ReadonlyVec3, Vec2 } from '../math/types.ts';
import { readPoints3 } from './input.ts';

/**
 * The dimension of the affine hull: 0 when all points coincide, 1 when they lie on a line, 2 in a plane, else 3.
 * Decided exactly. RTCD §3.7.
 */
export function affineDimension(points: readonly ReadonlyVec3[]): 0 | 1 | 2 | 3 {
  checkPoints('affineDimension', 'points', points, ANY_FINITE);
  return (affineBasis(readPoints3('affineDimension', points)).length - 1) as 0 | 1 | 2 | 3;
}

/**
 * Indices of one to four of the points that span all of them, far apart from each other where there is a choice: the
 * choice is made with rounded numbers, independence is decided exactly.
 *
 * @internal
 */
export function affineBasis(points: readonly ReadonlyVec3[]): number[] {
  const [i, j] = widestPair(points);
  if (i === j) return [i];
  const a = points[i]!;
  const b = points[j]!;
  const k = choose(
    points,
    (p) => lineDistanceSq(a, b, p),
    (p) => !areCollinear(a, b, p),
  );
  if (k < 0) return [i, j];
  const c = points[k]!;
  const l = choose(
    points,
    (p) => Math.abs(orient3d(a, b, c, p)),
    (p) => orient3d(a, b, c, p) !== 0,
  );
  return l < 0 ? [i, j, k] : [i, j, k, l];
}

/** The lowest and the highest point along the axis on which they are farthest apart. */
function widestPair(points: readonly ReadonlyVec3[]): [number, number] {
  let pair: [number, number] = [0, 0];
  let widest = 0;
  for (const axis of ['x', 'y', 'z'] as const) {
    let low = 0;
    let high = 0;
    for (let i = 1; i < points.length; i++) {
      if (points[i]![axis] < points[low]![axis]) low = i;
      if (points[i]![axis] > points[high]![axis]) high = i;
    }
    // A difference of two unequal doubles is never rounded to 0.
    const width = points[high]![axis] - points[low]![axis];
    if (width > widest) {
      widest = width;
      pair = [low, high];
    }
  }
  return pair;
}

/** The point of the highest score if it is usable, else any that is; -1 if none. */
function choose(
  points: readonly ReadonlyVec3[],
  score: (p: ReadonlyVec3) => number,
  usable: (p: ReadonlyVec3) => boolean,
): number {
  let best = 0;
  let bestScore = -1;
  for (let i = 0; i < points.length; i++) {
    const s = score(points[i]!);
    if (s > bestScore) {
      bestScore = s;
      best = i;
    }
  }
  return usable(points[best]!) ? best : points.findIndex(usable);
}

/** Proportional to the squared distance of p from the line ab. */
function lineDistanceSq(a: ReadonlyVec3, b: ReadonlyVec3, p: ReadonlyVec3): number {
  const ux = b.x - a.x;
  const uy = b.y - a.y;
  const uz = b.z - a.z;
  const vx = p.x - a.x;
  const vy = p.y - a.y;
  const vz = p.z - a.z;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return x * x + y * y + z * z;
}

/** Which coordinate a projection to the plane leaves out. */
export type Axis = 'x' | 'y' | 'z';

/**
 * The projection of p along an axis, such that a polygon seen counter-clockwise from the positive end of that axis
 * stays counter-clockwise.
 *
 * @internal
 */
export function dropAxis(p: ReadonlyVec3, axis: Axis): Vec2 {
  return axis === 'x' ? { x: p.y, y: p.z } : axis === 'y' ? { x: p.z, y: p.x } : { x: p.x, y: p.y };
}

/**
 * The axis along which the triangle abc looks largest, if it has an area at all: three points lie on a line exactly
 * when all three projections do.
 *
 * @internal
 */
export function facingAxis(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): Axis | undefined {
  let best: Axis | undefined;
  let largest = 0;
  for (const axis of ['x', 'y', 'z'] as const) {
    const area = Math.abs(orient2d(...projected(a, b, c, axis)));
    if (area > largest) {
      largest = area;
      best = axis;
    }
  }
  return best;
}

const areCollinear = (a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean =>
  facingAxis(a, b, c) === undefined;

const projected = (
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  axis: Axis,
): [ReadonlyVec2, ReadonlyVec2, ReadonlyVec2] => [dropAxis(a, axis), dropAxis(b, axis), dropAxis(c, axis)];

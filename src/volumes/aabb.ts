/** Axis-aligned boxes by their corners. Everything here compares or copies, or rounds outward: nothing is lost. */
import { checkAabb, checkPlane, checkPoint, mustNotBeNegative } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { ReadonlyPlane, ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, ReadonlyAabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { type PointSet, readPoints } from './point-set.ts';
import { addDown3, addUp3 } from './volume-rounding.ts';

export type Axis = 'x' | 'y' | 'z';

/** The smallest box around the points; exact. */
export function fitAabb(points: PointSet, out: Aabb = makeAabb()): Aabb {
  return aabbOfCoordinates(readPoints('fitAabb', points), out);
}

/** @internal */
export function aabbOfCoordinates(coordinates: Float64Array, out: Aabb): Aabb {
  let [ax, ay, az] = coordinates as unknown as [number, number, number];
  let bx = ax;
  let by = ay;
  let bz = az;
  for (let i = 3; i < coordinates.length; i += 3) {
    const x = coordinates[i]!;
    const y = coordinates[i + 1]!;
    const z = coordinates[i + 2]!;
    if (x < ax) ax = x;
    if (x > bx) bx = x;
    if (y < ay) ay = y;
    if (y > by) by = y;
    if (z < az) az = z;
    if (z > bz) bz = z;
  }
  v3.set(ax, ay, az, out.min);
  v3.set(bx, by, bz, out.max);
  return out;
}

/** The box whose six bounds stand in an array: min x, y, z, max x, y, z. @internal */
export function readAabb(bounds: ArrayLike<number>, at: number, out: Aabb): Aabb {
  v3.set(bounds[at]!, bounds[at + 1]!, bounds[at + 2]!, out.min);
  v3.set(bounds[at + 3]!, bounds[at + 4]!, bounds[at + 5]!, out.max);
  return out;
}

/**
 * Do two boxes share a point? Exact. The axis that separates least often is best looked at `last`: in most worlds
 * that is the vertical one. RTCD §4.2.1.
 */
export function overlapAabbAabb(a: ReadonlyAabb, b: ReadonlyAabb, last: Axis = 'y'): boolean {
  checkAabb('overlapAabbAabb', 'a', a);
  checkAabb('overlapAabbAabb', 'b', b);
  return aabbsOverlap(a, b, last);
}

/**
 * `overlapAabbAabb` without checks. Reads an axis only when those before it do not separate the boxes.
 *
 * @internal
 */
export function aabbsOverlap(a: ReadonlyAabb, b: ReadonlyAabb, last: Axis = 'y'): boolean {
  if (last === 'y') return overlapX(a, b) && overlapZ(a, b) && overlapY(a, b);
  if (last === 'z') return overlapX(a, b) && overlapY(a, b) && overlapZ(a, b);
  return overlapY(a, b) && overlapZ(a, b) && overlapX(a, b);
}

const overlapX = (a: ReadonlyAabb, b: ReadonlyAabb): boolean => a.min.x <= b.max.x && b.min.x <= a.max.x;
const overlapY = (a: ReadonlyAabb, b: ReadonlyAabb): boolean => a.min.y <= b.max.y && b.min.y <= a.max.y;
const overlapZ = (a: ReadonlyAabb, b: ReadonlyAabb): boolean => a.min.z <= b.max.z && b.min.z <= a.max.z;

/** Is the point in the box or on it? Exact. */
export function containsPointAabb(p: ReadonlyVec3, box: ReadonlyAabb): boolean {
  checkPoint('containsPointAabb', 'p', p);
  checkAabb('containsPointAabb', 'box', box);
  const { min, max } = box;
  return p.x >= min.x && p.x <= max.x && p.y >= min.y && p.y <= max.y && p.z >= min.z && p.z <= max.z;
}

/** Is all of the first box in the second? Exact; sharing a face does not matter. */
export function containsAabbAabb(inner: ReadonlyAabb, outer: ReadonlyAabb): boolean {
  checkAabb('containsAabbAabb', 'inner', inner);
  checkAabb('containsAabbAabb', 'outer', outer);
  const { min: a, max: b } = outer;
  const { min: c, max: d } = inner;
  return a.x <= c.x && d.x <= b.x && a.y <= c.y && d.y <= b.y && a.z <= c.z && d.z <= b.z;
}

/** The smallest box around two boxes; exact. RTCD §6.5.1. */
export function mergeAabb(a: ReadonlyAabb, b: ReadonlyAabb, out: Aabb = makeAabb()): Aabb {
  checkAabb('mergeAabb', 'a', a);
  checkAabb('mergeAabb', 'b', b);
  const { min: p, max: r } = a;
  const { min: q, max: s } = b;
  const x = Math.max(r.x, s.x);
  const y = Math.max(r.y, s.y);
  const z = Math.max(r.z, s.z);
  v3.set(Math.min(p.x, q.x), Math.min(p.y, q.y), Math.min(p.z, q.z), out.min);
  v3.set(x, y, z, out.max);
  return out;
}

/** The smallest box around a box and a point; exact. */
export function growAabb(box: ReadonlyAabb, p: ReadonlyVec3, out: Aabb = makeAabb()): Aabb {
  checkAabb('growAabb', 'box', box);
  checkPoint('growAabb', 'p', p);
  const { x, y, z } = p;
  const { min: a, max: b } = box;
  const bx = Math.max(b.x, x);
  const by = Math.max(b.y, y);
  const bz = Math.max(b.z, z);
  v3.set(Math.min(a.x, x), Math.min(a.y, y), Math.min(a.z, z), out.min);
  v3.set(bx, by, bz, out.max);
  return out;
}

/** The box with a margin on every side, rounded outward. */
export function expandAabb(box: ReadonlyAabb, margin: number, out: Aabb = makeAabb()): Aabb {
  checkAabb('expandAabb', 'box', box);
  mustNotBeNegative('expandAabb', 'margin', margin);
  // Without a call, which would box the number three times.
  low.x = low.y = low.z = -margin;
  high.x = high.y = high.z = margin;
  return aabbStretched(box, out);
}

/** The box moved by v, rounded outward. */
export function translateAabb(box: ReadonlyAabb, v: ReadonlyVec3, out: Aabb = makeAabb()): Aabb {
  checkAabb('translateAabb', 'box', box);
  checkPoint('translateAabb', 'v', v);
  v3.copy(v, low);
  v3.copy(v, high);
  return aabbStretched(box, out);
}

/** The smallest box around a box that moves along `motion`, rounded outward. */
export function sweptAabb(box: ReadonlyAabb, motion: ReadonlyVec3, out: Aabb = makeAabb()): Aabb {
  checkAabb('sweptAabb', 'box', box);
  checkPoint('sweptAabb', 'motion', motion);
  v3.min(motion, ZERO, low);
  v3.max(motion, ZERO, high);
  return aabbStretched(box, out);
}

const ZERO: ReadonlyVec3 = vec3();
const low = vec3();
const high = vec3();

/** The box from min + low to max + high, rounded outward. */
function aabbStretched(box: ReadonlyAabb, out: Aabb): Aabb {
  addDown3(box.min, low, low);
  addUp3(box.max, high, high);
  v3.copy(low, out.min);
  v3.copy(high, out.max);
  return out;
}

/** What two boxes share, or null (and `out` as it was) when they share nothing. Boxes that touch share a flat box. */
export function intersectAabb(a: ReadonlyAabb, b: ReadonlyAabb, out?: Aabb): Aabb | null {
  checkAabb('intersectAabb', 'a', a);
  checkAabb('intersectAabb', 'b', b);
  if (!aabbsOverlap(a, b)) return null;
  const { min: p, max: r } = a;
  const { min: q, max: s } = b;
  const result = out ?? makeAabb();
  const x = Math.min(r.x, s.x);
  const y = Math.min(r.y, s.y);
  const z = Math.min(r.z, s.z);
  v3.set(Math.max(p.x, q.x), Math.max(p.y, q.y), Math.max(p.z, q.z), result.min);
  v3.set(x, y, z, result.max);
  return result;
}

/** Surface area: the cost of a box in a hierarchy. */
export function areaAabb(box: ReadonlyAabb): number {
  checkAabb('areaAabb', 'box', box);
  const { min, max } = box;
  const x = max.x - min.x;
  const y = max.y - min.y;
  const z = max.z - min.z;
  return 2 * (x * y + y * z + z * x);
}

export function volumeAabb(box: ReadonlyAabb): number {
  checkAabb('volumeAabb', 'box', box);
  const { min, max } = box;
  return (max.x - min.x) * (max.y - min.y) * (max.z - min.z);
}

/**
 * 1 when the whole box lies in front of the plane (normal · x > d), -1 when it lies behind, 0 when the plane touches
 * it. Where rounding leaves a doubt, 0. RTCD §5.2.3.
 */
export function sideAabbPlane(box: ReadonlyAabb, plane: ReadonlyPlane): -1 | 0 | 1 {
  checkAabb('sideAabbPlane', 'box', box);
  checkPlane('sideAabbPlane', 'plane', plane);
  const { min: a, max: b } = box;
  const { x: nx, y: ny, z: nz } = plane.normal;
  const d = plane.d;
  const low = (nx > 0 ? a.x : b.x) * nx + (ny > 0 ? a.y : b.y) * ny + (nz > 0 ? a.z : b.z) * nz;
  const high = (nx > 0 ? b.x : a.x) * nx + (ny > 0 ? b.y : a.y) * ny + (nz > 0 ? b.z : a.z) * nz;
  // Three products, two sums: five half-steps at most of the sum of sizes; the sum itself and the comparison add two.
  const size =
    Math.max(Math.abs(a.x), Math.abs(b.x)) * Math.abs(nx) +
    Math.max(Math.abs(a.y), Math.abs(b.y)) * Math.abs(ny) +
    Math.max(Math.abs(a.z), Math.abs(b.z)) * Math.abs(nz) +
    Math.abs(d);
  const doubt = size * (4 * EPS64) + 4 * Number.MIN_VALUE;
  return low - d > doubt ? 1 : high - d < -doubt ? -1 : 0;
}

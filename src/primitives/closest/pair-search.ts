/** What the closest points of a segment and a triangle, and of two triangles, are searched with. */
import { MEETING } from '../../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { copy, crossAccurate } from '../../math/vec3.ts';
import type { PointPair } from '../types.ts';
import { closestOnSegments } from './segment-segment.ts';
import { closestOnTriangle } from './triangle.ts';
import { makeSegmentPair, makeTrianglePoint } from './types.ts';

/** The best pair so far. Things are looked at relative to a corner, so that their distance from the origin costs no digits. @internal */
export interface Search extends PointPair {
  /** The largest |x| + |y| + |z| of the points. */
  size: number;
}

/** @internal */
export const makeSearch = (): Search => ({ a: vec3(), b: vec3(), distanceSq: 0, size: 0 });

const onTriangle = makeTrianglePoint();
const onSegments = makeSegmentPair();
const crossing = vec3();

/** @internal */
export function begin(search: Search): void {
  search.distanceSq = Infinity;
  search.size = 0;
}

/** `out` = p - origin. @internal */
export function load(p: ReadonlyVec3, origin: ReadonlyVec3, out: Vec3, search: Search): void {
  const x = p.x - origin.x;
  const y = p.y - origin.y;
  const z = p.z - origin.z;
  out.x = x;
  out.y = y;
  out.z = z;
  search.size = Math.max(search.size, Math.abs(x) + Math.abs(y) + Math.abs(z));
}

/** Has a pair been found that is no farther apart than rounding? @internal */
export function meets({ distanceSq, size }: Search): boolean {
  return distanceSq <= MEETING * size * (MEETING * size);
}

/** Makes a and b the best pair if their squared distance is less than the best. It is in a record so that it is not boxed. */
function consider(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  found: Readonly<{ distanceSq: number }>,
  best: Search,
): void {
  const { distanceSq } = found;
  if (!(distanceSq < best.distanceSq)) return;
  best.distanceSq = distanceSq;
  copy(a, best.a);
  copy(b, best.b);
}

/** Segment pq of the first thing, segment cd of the second. @internal */
export function considerSegments(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  best: Search,
): void {
  closestOnSegments(p, q, c, d, onSegments);
  consider(onSegments.a, onSegments.b, onSegments, best);
}

/**
 * Point p of one thing, triangle abc of the other. `pointFirst`: the point is of the first.
 * @internal
 */
export function considerPoint(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  pointFirst: boolean,
  best: Search,
): void {
  closestOnTriangle(p, a, b, c, onTriangle);
  if (pointFirst) consider(p, onTriangle.point, onTriangle, best);
  else consider(onTriangle.point, p, onTriangle, best);
}

/**
 * Where segment pq crosses a plane, over which the heights of p and q are `heights[i]` and `heights[j]`; null if both
 * are on one side of it or in it.
 *
 * Where the segment runs close to the plane the point is uncertain along the segment, but not in its height: the point
 * of the triangle closest to it is as good as on both, which the sign of a triple product per edge would not be.
 * @internal
 */
export function planeCrossing(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  heights: readonly number[],
  i: number,
  j: number,
): ReadonlyVec3 | null {
  const hp = heights[i]!;
  const hq = heights[j]!;
  if ((hp > 0 && hq > 0) || (hp < 0 && hq < 0) || hp === hq) return null;
  const s = hp / (hp - hq);
  crossing.x = p.x + s * (q.x - p.x);
  crossing.y = p.y + s * (q.y - p.y);
  crossing.z = p.z + s * (q.z - p.z);
  return crossing;
}

/** Below this sin² of the angle between the edges their cross product needs care. */
const THIN = 1 / 64;

/** A normal of the triangle with edges u and v from one corner, right to rounding however thin it is. @internal */
export function normalOf(u: ReadonlyVec3, v: ReadonlyVec3, out: Vec3): Vec3 {
  const { x: ux, y: uy, z: uz } = u;
  const { x: vx, y: vy, z: vz } = v;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  out.x = x;
  out.y = y;
  out.z = z;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  return x * x + y * y + z * z > THIN * (uu * vv) ? out : crossAccurate(u, v, out);
}

/** `heights[i]` = the height (times the length of the normal) of p over the plane through o. @internal */
export function measure(
  p: ReadonlyVec3,
  o: ReadonlyVec3,
  normal: ReadonlyVec3,
  heights: number[],
  i: number,
): void {
  const { x, y, z } = normal;
  heights[i] = x * (p.x - o.x) + y * (p.y - o.y) + z * (p.z - o.z);
}

/**
 * Moves the best pair, found around `origin`, to where it belongs. A distance that is no more than rounding becomes 0,
 * with one common point.
 * @internal
 */
export function report(best: Search, origin: ReadonlyVec3, out: PointPair): PointPair {
  const { x, y, z } = origin;
  const { a, b } = best;
  const meet = meets(best);
  const onB = meet ? a : b;
  out.distanceSq = meet ? 0 : best.distanceSq;
  out.a.x = x + a.x;
  out.a.y = y + a.y;
  out.a.z = z + a.z;
  out.b.x = x + onB.x;
  out.b.y = y + onB.y;
  out.b.z = z + onB.z;
  return out;
}

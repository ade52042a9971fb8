/**
 * Motion on the integer lattice that never ends up behind a plane. RTCD §11.5.3.
 *
 * The point where a segment meets a plane is not a lattice point in general, and rounding it may put it on the far
 * side. Here each coordinate is rounded the way that increases its share of the distance to the near side.
 *
 * For worlds on an integer grid. Production works in doubles with exact predicates: `math/orient.ts`.
 */
import { describe, mustBeList, mustHave, refuse } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { mustBeInt53 } from './integer.ts';

/**
 * The plane normal · x = offset, all integers. The offset is as long as a product of two coordinates, which a double is
 * not. It is not called d, as in `Plane`: records with the same fields share a layout, and V8 would box all of them.
 */
export interface IntegerPlane {
  readonly normal: ReadonlyVec3;
  readonly offset: bigint;
}

/** Coordinates, of points and of normals, have at most 30 bits and a sign. */
const LIMIT = 1073741823;
/** Steps of `stopAtIntegerPlanes`; a corner of three planes needs about as many as it has planes. */
const MAX_STEPS = 32;

/** The side of p: 1 in front (where the normal points), 0 on the plane, -1 behind. Exact. */
export function sideOfIntegerPlane(p: ReadonlyVec3, plane: IntegerPlane): -1 | 0 | 1 {
  checkPoint('sideOfIntegerPlane', 'p', p);
  checkPlane('sideOfIntegerPlane', 'plane', plane);
  return sign(height(p, plane));
}

/**
 * Where the segment from a to b meets the plane, rounded to a lattice point on the side of a or on the plane, at most
 * one unit off in each coordinate; null when it does not meet it. A segment that starts on the plane, even one that
 * stays in it, meets it at a; one that ends on it, at b exactly.
 */
export function segmentIntegerPlane(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  plane: IntegerPlane,
  out: Vec3 = vec3(),
): Vec3 | null {
  checkPoint('segmentIntegerPlane', 'a', a);
  checkPoint('segmentIntegerPlane', 'b', b);
  checkPlane('segmentIntegerPlane', 'plane', plane);
  const ha = height(a, plane);
  const hb = height(b, plane);
  if ((ha > 0n && hb > 0n) || (ha < 0n && hb < 0n)) return null;
  return meet(a, b, plane, ha, hb, out);
}

/**
 * How far a point can go from a towards b without passing any of the planes: a lattice point that no plane has on the
 * other side of it than a. A plane through a counts as having a in front. When rounding at one plane passes another,
 * the way to the new point is tested again; should that not come to an end, the answer is a.
 */
export function stopAtIntegerPlanes(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  planes: readonly IntegerPlane[],
  out: Vec3 = vec3(),
): Vec3 {
  mustBeList('stopAtIntegerPlanes', 'planes', planes);
  checkPoint('stopAtIntegerPlanes', 'a', a);
  checkPoint('stopAtIntegerPlanes', 'b', b);
  for (let i = 0; i < planes.length; i++) checkPlane('stopAtIntegerPlanes', `planes[${i}]`, planes[i]!);
  const start = vec3(a.x, a.y, a.z); // `out` may be a
  const end = vec3(b.x, b.y, b.z);
  for (let step = 0; step < MAX_STEPS; step++) {
    const plane = firstPassed(start, end, planes);
    if (!plane) return write(end.x, end.y, end.z, out);
    meet(start, end, plane, height(start, plane), height(end, plane), end);
  }
  return write(start.x, start.y, start.z, out);
}

/** The plane that the way from a to b passes first, or undefined. */
function firstPassed(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  planes: readonly IntegerPlane[],
): IntegerPlane | undefined {
  let first: IntegerPlane | undefined;
  // The parameter of the crossing, as a fraction with a positive denominator.
  let numerator = 0n;
  let denominator = 1n;
  for (const plane of planes) {
    const ha = height(a, plane);
    const hb = height(b, plane);
    if (ha >= 0n ? hb >= 0n : hb <= 0n) continue;
    const n = ha < 0n ? -ha : ha;
    const d = ha < 0n ? hb - ha : ha - hb;
    if (first && n * denominator >= numerator * d) continue;
    first = plane;
    numerator = n;
    denominator = d;
  }
  return first;
}

/** The rounded crossing, for heights that are not both above or both below 0. */
function meet(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  { normal: n }: IntegerPlane,
  ha: bigint,
  hb: bigint,
  out: Vec3,
): Vec3 {
  if (ha === 0n) return write(a.x, a.y, a.z, out);
  // The parameter is ha / (ha - hb). For a behind the plane both change sign, and so does what counts as up.
  const numerator = ha < 0n ? -ha : ha;
  const denominator = ha < 0n ? hb - ha : ha - hb;
  const up = ha < 0n ? -1 : 1;
  return write(
    a.x + step(b.x - a.x, numerator, denominator, up * n.x),
    a.y + step(b.y - a.y, numerator, denominator, up * n.y),
    a.z + step(b.z - a.z, numerator, denominator, up * n.z),
    out,
  );
}

/** length × numerator / denominator, rounded up or down by the sign of `direction`, towards 0 if that is 0. */
function step(length: number, numerator: bigint, denominator: bigint, direction: number): number {
  const product = BigInt(length) * numerator;
  const quotient = product / denominator; // BigInt division rounds towards 0
  const exact = quotient * denominator === product;
  const rounded =
    exact || direction === 0 || (direction > 0 && product < 0n) || (direction < 0 && product > 0n)
      ? quotient
      : quotient + (direction > 0 ? 1n : -1n);
  return Number(rounded);
}

function write(x: number, y: number, z: number, out: Vec3): Vec3 {
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}

const height = (p: ReadonlyVec3, { normal: n, offset }: IntegerPlane): bigint =>
  BigInt(n.x) * BigInt(p.x) + BigInt(n.y) * BigInt(p.y) + BigInt(n.z) * BigInt(p.z) - offset;

const sign = (x: bigint): -1 | 0 | 1 => (x > 0n ? 1 : x < 0n ? -1 : 0);

function checkPlane(caller: string, name: string, plane: IntegerPlane): void {
  mustHave(caller, name, plane, 'a plane {normal, offset}', 'normal');
  checkPoint(caller, `${name}.normal`, plane.normal);
  if (typeof plane.offset !== 'bigint')
    throw new TypeError(`graze: ${caller}: ${name}.offset must be a BigInt, got ${describe(plane.offset)}`);
}

function checkPoint(caller: string, name: string, p: ReadonlyVec3): void {
  mustHave(caller, name, p, '{x, y, z}', 'x');
  checkCoordinate(caller, `${name}.x`, p.x);
  checkCoordinate(caller, `${name}.y`, p.y);
  checkCoordinate(caller, `${name}.z`, p.z);
}

function checkCoordinate(caller: string, name: string, x: number): void {
  mustBeInt53(caller, name, x);
  if (Math.abs(x) > LIMIT) refuse(caller, name, `must have at most 30 bits, got ${describe(x)}`);
}

/**
 * The two other forms of an axis-aligned box. Both move by touching three numbers, and the middle and
 * half-size form is also a sphere (|halfSize| about the middle). Turning one form into another rounds outward, and
 * their overlap tests can only err towards overlap: rounding never reorders two numbers. So a pair that overlaps by
 * its corners overlaps in every form. RTCD §4.2.
 */
import { checkAabb, checkPoint, isPoint, refuse, refuseType } from '../math/check.ts';
import type { DeepReadonly, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, ReadonlyAabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { addDown3, addUp3 } from './volume-rounding.ts';

/** The box from `min` to `min + width`. */
export interface WidthAabb {
  min: Vec3;
  width: Vec3;
}

/** The box of points that differ from the center by at most `halfSize` on each axis. */
export interface CenterAabb {
  center: Vec3;
  halfSize: Vec3;
}

export type ReadonlyWidthAabb = DeepReadonly<WidthAabb>;
export type ReadonlyCenterAabb = DeepReadonly<CenterAabb>;

export const makeWidthAabb = (): WidthAabb => ({ min: vec3(), width: vec3() });
export const makeCenterAabb = (): CenterAabb => ({ center: vec3(), halfSize: vec3() });

const a = vec3();
const b = vec3();

/** The corners of a box given by its middle, rounded outward. */
export function aabbFromCenter(box: ReadonlyCenterAabb, out: Aabb = makeAabb()): Aabb {
  mustBeCenterAabb('aabbFromCenter', 'box', box);
  addDown3(box.center, v3.negate(box.halfSize, a), a);
  addUp3(box.center, box.halfSize, b);
  v3.copy(a, out.min);
  v3.copy(b, out.max);
  return out;
}

/** The corners of a box given by a corner and its widths, rounded outward. */
export function aabbFromWidth(box: ReadonlyWidthAabb, out: Aabb = makeAabb()): Aabb {
  mustBeWidthAabb('aabbFromWidth', 'box', box);
  addUp3(box.min, box.width, b);
  v3.copy(box.min, out.min);
  v3.copy(b, out.max);
  return out;
}

/** A box by its middle and half its size, rounded outward. */
export function centerFromAabb(box: ReadonlyAabb, out: CenterAabb = makeCenterAabb()): CenterAabb {
  checkAabb('centerFromAabb', 'box', box);
  v3.copy(box.min, a);
  v3.copy(box.max, b);
  const { center: c, halfSize: h } = out;
  v3.set(0.5 * a.x + 0.5 * b.x, 0.5 * a.y + 0.5 * b.y, 0.5 * a.z + 0.5 * b.z, c);
  // From the middle to the farther side.
  addUp3(c, v3.negate(a, a), a);
  addUp3(b, v3.negate(c, h), b);
  v3.max(a, b, h);
  return out;
}

/** A box by its low corner and its widths, rounded outward. */
export function widthFromAabb(box: ReadonlyAabb, out: WidthAabb = makeWidthAabb()): WidthAabb {
  checkAabb('widthFromAabb', 'box', box);
  addUp3(box.max, v3.negate(box.min, a), b);
  v3.copy(box.min, out.min);
  v3.copy(b, out.width);
  return out;
}

/** Do two boxes share a point? Errs towards yes by a rounding of the sums. RTCD §4.2.1. */
export function overlapCenterAabbs(a: ReadonlyCenterAabb, b: ReadonlyCenterAabb): boolean {
  mustBeCenterAabb('overlapCenterAabbs', 'a', a);
  mustBeCenterAabb('overlapCenterAabbs', 'b', b);
  const { center: p, halfSize: h } = a;
  const { center: q, halfSize: k } = b;
  return (
    Math.abs(p.x - q.x) <= h.x + k.x && Math.abs(p.z - q.z) <= h.z + k.z && Math.abs(p.y - q.y) <= h.y + k.y
  );
}

/** Do two boxes share a point? Errs towards yes by a rounding of the differences. RTCD §4.2.1. */
export function overlapWidthAabbs(a: ReadonlyWidthAabb, b: ReadonlyWidthAabb): boolean {
  mustBeWidthAabb('overlapWidthAabbs', 'a', a);
  mustBeWidthAabb('overlapWidthAabbs', 'b', b);
  const x = a.min.x - b.min.x;
  const y = a.min.y - b.min.y;
  const z = a.min.z - b.min.z;
  const { width: v } = a;
  const { width: w } = b;
  return x <= w.x && -x <= v.x && z <= w.z && -z <= v.z && y <= w.y && -y <= v.y;
}

/** The largest whole number for which `overlapIntegerAabbs` cannot wrap: 2^30. */
const INTEGER_LIMIT = 1073741824;

/**
 * Do two boxes of whole numbers, none beyond ±2^30, share a point? Exact.
 *
 * One comparison an axis: -r <= δ <= r is 0 <= δ + r <= 2r, and a negative δ + r, read as unsigned, is huge. Within
 * the limits |δ| + r <= 2^32, which is reached only in touch, so that nothing wraps by accident. RTCD §4.2.1.
 */
export function overlapIntegerAabbs(a: ReadonlyCenterAabb, b: ReadonlyCenterAabb): boolean {
  mustBeIntegers('overlapIntegerAabbs', 'a', a);
  mustBeIntegers('overlapIntegerAabbs', 'b', b);
  const { center: p, halfSize: h } = a;
  const { center: q, halfSize: k } = b;
  const rx = h.x + k.x;
  const ry = h.y + k.y;
  const rz = h.z + k.z;
  return (
    (p.x - q.x + rx) >>> 0 <= rx + rx &&
    (p.z - q.z + rz) >>> 0 <= rz + rz &&
    (p.y - q.y + ry) >>> 0 <= ry + ry
  );
}

/** @internal */
export function mustBeCenterAabb(caller: string, name: string, box: ReadonlyCenterAabb): void {
  if (typeof box !== 'object' || box === null) refuseType(caller, name, 'a box {center, halfSize}', box);
  const { center: c, halfSize: h } = box;
  mustBeBox(caller, name, c, 'halfSize', h);
}

function mustBeWidthAabb(caller: string, name: string, box: ReadonlyWidthAabb): void {
  if (typeof box !== 'object' || box === null) refuseType(caller, name, 'a box {min, width}', box);
  const { min, width } = box;
  mustBeBox(caller, name, min, 'width', width);
}

function mustBeBox(caller: string, name: string, p: ReadonlyVec3, field: string, size: ReadonlyVec3): void {
  if (!(isPoint(p) && isPoint(size))) {
    checkPoint(caller, name, p);
    checkPoint(caller, `${name}.${field}`, size);
  }
  const { x, y, z } = size;
  if (!(x >= 0 && y >= 0 && z >= 0)) refuse(caller, `${name}.${field}`, 'must not be negative');
}

function mustBeIntegers(caller: string, name: string, box: ReadonlyCenterAabb): void {
  mustBeCenterAabb(caller, name, box);
  const { center: c, halfSize: h } = box;
  if (
    !(
      isSmallInteger(c.x) &&
      isSmallInteger(c.y) &&
      isSmallInteger(c.z) &&
      isSmallInteger(h.x) &&
      isSmallInteger(h.y) &&
      isSmallInteger(h.z)
    )
  )
    refuse(caller, name, 'must be made of whole numbers from -2^30 to 2^30');
}

const isSmallInteger = (v: number): boolean => (v | 0) === v && v <= INTEGER_LIMIT && v >= -INTEGER_LIMIT;

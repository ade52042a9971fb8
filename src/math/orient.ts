/**
 * Signs that are always right: a floating-point determinant, accepted when it is larger than its rounding could be,
 * else the expansions of Shewchuk 1997 (through `robust-predicates`), else, where those would overflow or vanish, big
 * integers. RTCD §3.1.6, §11.5.1. Only the sign is exact; the size is an approximation. All are computed from
 * differences to the last point, so that what lies far from the origin loses nothing.
 *
 * For finite numbers: the public ones of `predicates.ts` look at theirs first.
 */
import {
  incircle,
  insphere,
  orient2d as robustOrient2d,
  orient3d as robustOrient3d,
} from 'robust-predicates';
import { exponent, scalb } from './float.ts';
import { ORIENT2D_ERROR, ORIENT3D_ERROR } from './tolerance.ts';
import type { ReadonlyVec2, ReadonlyVec3 } from './types.ts';

/** More than what a product can lose by falling below the normal numbers. */
const UNDERFLOW = 2.2250738585072014e-308;

/**
 * > 0 when abc turns counter-clockwise (c left of the line from a to b), 0 when collinear. Twice the signed area.
 *
 * @internal
 */
export function orient2d(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): number {
  const { x: cx, y: cy } = c;
  const left = (a.x - cx) * (b.y - cy);
  const right = (a.y - cy) * (b.x - cx);
  const det = left - right;
  const error = ORIENT2D_ERROR * (Math.abs(left) + Math.abs(right)) + UNDERFLOW;
  return Math.abs(det) > error ? det : orient2dExact(a, b, c, det);
}

/**
 * < 0 when d lies on the side from which abc is seen counter-clockwise (the outside of a face), 0 when coplanar,
 * > 0 behind. Six times the signed volume.
 *
 * @internal
 */
export function orient3d(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, d: ReadonlyVec3): number {
  const { x: dx, y: dy, z: dz } = d;
  const ax = a.x - dx;
  const ay = a.y - dy;
  const az = a.z - dz;
  const bx = b.x - dx;
  const by = b.y - dy;
  const bz = b.z - dz;
  const cx = c.x - dx;
  const cy = c.y - dy;
  const cz = c.z - dz;
  const bxcy = bx * cy;
  const cxby = cx * by;
  const cxay = cx * ay;
  const axcy = ax * cy;
  const axby = ax * by;
  const bxay = bx * ay;
  const det = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
  const azSize = Math.abs(az);
  const bzSize = Math.abs(bz);
  const czSize = Math.abs(cz);
  const terms =
    (Math.abs(bxcy) + Math.abs(cxby)) * azSize +
    (Math.abs(cxay) + Math.abs(axcy)) * bzSize +
    (Math.abs(axby) + Math.abs(bxay)) * czSize;
  const error = ORIENT3D_ERROR * terms + UNDERFLOW * (1 + azSize + bzSize + czSize);
  return Math.abs(det) > error ? det : orient3dExact(a, b, c, d, det);
}

/** > 0 when d lies inside the circle through the counter-clockwise a, b, c; the sign flips for clockwise. @internal */
export function inCircle(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, d: ReadonlyVec2): number {
  if (isModerate2(a) && isModerate2(b) && isModerate2(c) && isModerate2(d))
    return incircle(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y) + 0;
  return exactSign(true, [xy(a), xy(b), xy(c), xy(d)]);
}

/** > 0 when e lies inside the sphere through a, b, c, d with orient3d(a, b, c, d) > 0; the sign flips otherwise. @internal */
export function inSphere(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
): number {
  if (isModerate3(a) && isModerate3(b) && isModerate3(c) && isModerate3(d) && isModerate3(e))
    return 0 - insphere(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z, e.x, e.y, e.z); // theirs flips
  return 0 - exactSign(true, [xyz(a), xyz(b), xyz(c), xyz(d), xyz(e)]);
}

function orient2dExact(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, estimate: number): number {
  if (isModerate2(a) && isModerate2(b) && isModerate2(c))
    return 0 - robustOrient2d(a.x, a.y, b.x, b.y, c.x, c.y); // theirs is positive for clockwise
  return withSign(estimate, exactSign(false, [xy(a), xy(b), xy(c)]));
}

function orient3dExact(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  estimate: number,
): number {
  if (isModerate3(a) && isModerate3(b) && isModerate3(c) && isModerate3(d))
    return robustOrient3d(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z) + 0;
  return withSign(estimate, exactSign(false, [xyz(a), xyz(b), xyz(c), xyz(d)]));
}

/**
 * Can the expansions hold x? They are exact while products of five differences neither overflow nor have parts
 * below 2^-1074; every part of a difference is a multiple of 2^-52 times the smallest coordinate.
 */
const isModerate = (x: number): boolean => x === 0 || (Math.abs(x) >= 1e-48 && Math.abs(x) <= 1e48);
const isModerate2 = (p: ReadonlyVec2): boolean => isModerate(p.x) && isModerate(p.y);
const isModerate3 = (p: ReadonlyVec3): boolean => isModerate(p.x) && isModerate(p.y) && isModerate(p.z);

const xy = (p: ReadonlyVec2): number[] => [p.x, p.y];
const xyz = (p: ReadonlyVec3): number[] => [p.x, p.y, p.z];

/** The size of the estimate, as far as it has one, with the right sign. */
const withSign = (estimate: number, sign: number): number =>
  sign * Math.min(Math.abs(estimate) || Number.MIN_VALUE, Number.MAX_VALUE);

/** Sign of the determinant of the differences to the last point; `lifted` puts their squared lengths in front. */
function exactSign(lifted: boolean, points: readonly (readonly number[])[]): number {
  // As integers in units of the last bit of the smallest coordinate.
  let unit = 1023;
  for (const x of points.flat()) if (x !== 0) unit = Math.min(unit, exponent(x) - 52);
  const integers = points.map((p) =>
    p.map((x) => {
      const shift = x === 0 ? 0 : exponent(x) - 52;
      return BigInt(scalb(x, -shift)) << BigInt(Math.max(0, shift - unit));
    }),
  );
  const last = integers.pop()!;
  const det = determinant(
    integers.map((p) => {
      const row = p.map((x, i) => x - last[i]!);
      return lifted ? [row.reduce((sum, x) => sum + x * x, 0n), ...row] : row;
    }),
  );
  return det > 0n ? 1 : det < 0n ? -1 : 0;
}

function determinant(rows: readonly (readonly bigint[])[]): bigint {
  if (rows.length === 1) return rows[0]![0]!;
  let sum = 0n;
  for (let i = 0; i < rows.length; i++) {
    const minor = rows.filter((_, j) => j !== i).map((row) => row.slice(1));
    const term = rows[i]![0]! * determinant(minor);
    sum += i % 2 ? -term : term;
  }
  return sum;
}

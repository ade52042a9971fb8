/**
 * Signs that are always right: a floating-point determinant, accepted when it is larger than its rounding could be; else the
 * same with more digits; else, where that would overflow, vanish or not suffice, big integers. RTCD §3.1.6, §11.5.1. Only the
 * sign is exact; the size is an approximation. All are computed from differences to the last point, so that what lies far from
 * the origin loses nothing.
 *
 * For finite numbers: the public ones of `predicates.ts` look at theirs first.
 */
import { productError, sumError } from './accurate.ts';
import { exactDeterminant } from './exact-determinant.ts';
import { integerSign, isModerate2, isModerate3 } from './integer-sign.ts';
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

/**
 * In twice the working precision: what the subtractions and the products have lost is added, but for the products of two such
 * remainders. Where there are none the sign is exact (see `differenceOfProducts`); else that and all roundings are less than
 * 20 × 2^-106 of the products. What is still in doubt is left to integers.
 */
function orient2dExact(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, estimate: number): number {
  if (isModerate2(a) && isModerate2(b) && isModerate2(c)) {
    const ax = a.x - c.x;
    const ay = a.y - c.y;
    const bx = b.x - c.x;
    const by = b.y - c.y;
    const axLow = sumError(a.x, -c.x, ax);
    const ayLow = sumError(a.y, -c.y, ay);
    const bxLow = sumError(b.x, -c.x, bx);
    const byLow = sumError(b.y, -c.y, by);
    const left = ax * by;
    const right = ay * bx;
    const det = left - right;
    const rest =
      sumError(left, -right, det) +
      (productError(ax, by, left) - productError(ay, bx, right)) +
      (ax * byLow + axLow * by - (ay * bxLow + ayLow * bx));
    const areExact = axLow === 0 && ayLow === 0 && bxLow === 0 && byLow === 0;
    // Products that are both zero are exact.
    if (areExact || Math.abs(det + rest) >= DOUBLED_ENOUGH * (Math.abs(left) + Math.abs(right)))
      return det + rest + 0;
  }
  return withSign(
    estimate,
    integerSign(
      false,
      [a, b, c].map(({ x, y }) => [x, y]),
    ),
  );
}

/** 2^-100. */
const DOUBLED_ENOUGH = 7.888609052210118e-31;

function orient3dExact(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  estimate: number,
): number {
  if (isModerate3(a) && isModerate3(b) && isModerate3(c) && isModerate3(d))
    return exactDeterminant(d, a, d, b, d, c) + 0;
  return withSign(
    estimate,
    integerSign(
      false,
      [a, b, c, d].map(({ x, y, z }) => [x, y, z]),
    ),
  );
}

/** The size of the estimate, as far as it has one, with the right sign. */
const withSign = (estimate: number, sign: number): number =>
  sign * Math.min(Math.abs(estimate) || Number.MIN_VALUE, Number.MAX_VALUE);

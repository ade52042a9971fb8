/**
 * Sums of many angles without an arc tangent each: angles add up as complex numbers are multiplied, and a sum that
 * leaves (-π, π] shows in the signs of the imaginary parts.
 */
import { atan2 } from '../math/trig.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { Mesh } from './mesh.ts';

/** The product so far, and the whole turns that it has lost. */
const product = { re: 0.5, im: 0.5, turns: 0 };

/** @internal */
export function beginAngles(): void {
  product.re = 1;
  product.im = 0;
  product.turns = 0;
}

/**
 * Adds the angle of re + i im, which is not to be π: then its sign would be anyone's guess. What has no angle is left
 * out: as 0, the corner of a triangle.
 *
 * @internal
 */
export function addAngle(re: number, im: number): void {
  const size = Math.abs(re) + Math.abs(im);
  if (!(size > 0 && size < Infinity)) return;
  const newRe = (product.re * re - product.im * im) / size;
  const newIm = (product.re * im + product.im * re) / size;
  if (product.im >= 0) {
    if (im > 0 && newIm < 0) product.turns++;
  } else if (im < 0 && newIm >= 0) product.turns--;
  product.re = newRe;
  product.im = newIm;
}

/** The sum in turns of 2π. @internal */
export const turnsOfAngles = (): number =>
  product.turns + atan2(product.im, product.re) * 0.15915494309189535; // 1 / 2π

/** What to multiply by so that no part of the mesh is farther than about 1 from p: then products do not overflow. @internal */
export function unitFor(p: ReadonlyVec3, { bounds }: Mesh): number {
  const { min, max } = bounds;
  const x = Math.max(Math.abs(min.x - p.x), Math.abs(max.x - p.x));
  const y = Math.max(Math.abs(min.y - p.y), Math.abs(max.y - p.y));
  const z = Math.max(Math.abs(min.z - p.z), Math.abs(max.z - p.z));
  return 1 / Math.max(x, y, z, SMALLEST);
}
const SMALLEST = 1e-300;

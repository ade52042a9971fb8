/**
 * Rounding to the safe side: a bounding volume must hold what it bounds after rounding too, so every number that
 * bounds something is pushed outward by at least the error it may carry.
 */
import { EPS64 } from '../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';

/**
 * a + b, every component rounded down: exact where the sum is a double. `addDown` of `src/math/rounding.ts` on records
 * and without calls, because numbers that cross a call are boxed.
 *
 * @internal
 */
export function addDown3(a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3): Vec3 {
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const x = ax + bx;
  const y = ay + by;
  const z = az + bz;
  // What each sum lost, exactly (Knuth's two-sum); if it was rounded up, the next double below.
  const dx = ax - (x - (x - ax)) + (bx - (x - ax));
  const dy = ay - (y - (y - ay)) + (by - (y - ay));
  const dz = az - (z - (z - az)) + (bz - (z - az));
  out.x = dx < 0 ? x - (Math.abs(x) * HALF_STEP + Number.MIN_VALUE) : x;
  out.y = dy < 0 ? y - (Math.abs(y) * HALF_STEP + Number.MIN_VALUE) : y;
  out.z = dz < 0 ? z - (Math.abs(z) * HALF_STEP + Number.MIN_VALUE) : z;
  return out;
}

/** More than half and less than one and a half steps of the last digit, relative: 2^-53 (1 + 2^-52). */
const HALF_STEP = 0.5 * EPS64 * (1 + EPS64);

/**
 * a + b, every component rounded up.
 *
 * @internal
 */
export function addUp3(a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3): Vec3 {
  addDown3(v3.negate(a, minusA), v3.negate(b, minusB), out);
  return v3.set(0 - out.x, 0 - out.y, 0 - out.z, out);
}

const minusA = vec3();
const minusB = vec3();

/**
 * A length made longer by 16 half-steps of its last digit. The distance of two points comes out of `length` with an
 * error below 6 of them (one a difference, one a square and two the sum, all halved by the root; one the root; two
 * more where it scales), and a radius added to it costs one. Zero is exact and stays.
 *
 * @internal
 */
export const outward = (length: number): number => (length === 0 ? 0 : length * GROWTH + LEAST);

const GROWTH = 1 + 8 * EPS64;
const LEAST = 4 * Number.MIN_VALUE;

/**
 * Turning a point in floating point, or the box around it, goes wrong by less than this times its size: the entries
 * of the matrix carry 5 half-steps, the products and sums with them 4; `rotate` of `src/math/vec3.ts` comes to 16.
 *
 * @internal
 */
export const ROTATION_ERROR = 16 * EPS64;

/** Lines in space, and their Plücker coordinates. RTCD §3.5, §5.3.4. */
import { ANY_FINITE, checkPoint, mustBeNumber, mustHave, mustNotBeNegative } from './check.ts';
import { orient2d } from './orient.ts';
import type { ReadonlyVec3, Vec2, Vec3 } from './types.ts';
import { vec2, vec3 } from './types.ts';
import * as v3 from './vec3.ts';

const moment = vec3();

/**
 * Do three points lie on a line? They do when the height of their triangle is at most `tolerance` times its longest
 * edge (up to a factor of √3: no square root is taken), which has the same answer at any scale and in any order.
 * A tolerance of 0 asks for the exact truth about the numbers as given. Coincident points are collinear.
 */
export function collinear(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, tolerance = 1e-12): boolean {
  checkPoint('collinear', 'a', a, ANY_FINITE);
  checkPoint('collinear', 'b', b, ANY_FINITE);
  checkPoint('collinear', 'c', c, ANY_FINITE);
  mustBeNumber('collinear', 'tolerance', tolerance);
  if (!(tolerance > 0 && tolerance < Infinity)) {
    mustNotBeNegative('collinear', 'tolerance', tolerance);
    return exactlyCollinear(a, b, c);
  }
  v3.sub(b, a, u);
  v3.sub(c, a, v);
  v3.sub(c, b, w);
  const uu = v3.lengthSq(u);
  const vv = v3.lengthSq(v);
  const ww = v3.lengthSq(w);
  // The two shorter edges span the triangle, too, and with fewer digits lost.
  v3.crossAccurate(uu <= vv || uu <= ww ? u : v, ww <= vv || ww <= uu ? w : v, normal);
  return Math.abs(normal.x) + Math.abs(normal.y) + Math.abs(normal.z) <= tolerance * Math.max(uu, vv, ww);
}
const u = vec3();
const v = vec3();
const w = vec3();
const normal = vec3();

/** Points are collinear just when their shadows on the three coordinate planes are. */
const exactlyCollinear = (a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean =>
  orient2d(a, b, c) === 0 &&
  orient2d(yz(a, flatA), yz(b, flatB), yz(c, flatC)) === 0 &&
  orient2d(zx(a, flatA), zx(b, flatB), zx(c, flatC)) === 0;

const flatA = vec2();
const flatB = vec2();
const flatC = vec2();
function yz(p: ReadonlyVec3, out: Vec2): Vec2 {
  out.x = p.y;
  out.y = p.z;
  return out;
}
function zx(p: ReadonlyVec3, out: Vec2): Vec2 {
  out.x = p.z;
  out.y = p.x;
  return out;
}

/** Plücker coordinates of a directed line: its direction, and its moment p × direction for any point p on it. */
export interface Plucker {
  direction: Vec3;
  moment: Vec3;
}

export interface ReadonlyPlucker {
  readonly direction: ReadonlyVec3;
  readonly moment: ReadonlyVec3;
}

export const makePlucker = (): Plucker => ({ direction: vec3(), moment: vec3() });

/** The line from p to q. With p = q all six coordinates are zero, and the line is on no side of anything. */
export function pluckerFromPoints(p: ReadonlyVec3, q: ReadonlyVec3, out: Plucker = makePlucker()): Plucker {
  checkPoint('pluckerFromPoints', 'p', p);
  checkPoint('pluckerFromPoints', 'q', q);
  const { x, y, z } = p;
  const { x: qx, y: qy, z: qz } = q;
  v3.crossAccurate(p, q, moment);
  v3.set(qx - x, qy - y, qz - z, out.direction);
  v3.copy(moment, out.moment);
  return out;
}

/** The line along which the point p moves with the given velocity (or motion, or direction). */
export function pluckerFromMotion(
  p: ReadonlyVec3,
  velocity: ReadonlyVec3,
  out: Plucker = makePlucker(),
): Plucker {
  checkPoint('pluckerFromMotion', 'p', p);
  checkPoint('pluckerFromMotion', 'velocity', velocity);
  v3.crossAccurate(p, velocity, moment);
  v3.copy(velocity, out.direction);
  v3.copy(moment, out.moment);
  return out;
}

/**
 * On which side does line b pass line a? The permuted inner product: > 0 when b goes counter-clockwise about a (by the
 * right-hand rule), < 0 clockwise, 0 when they meet or are parallel. For lines pq and rs it is six times the signed
 * volume of the tetrahedron pqrs, -orient3d(p, q, r, s), which has the exact sign when that is what you need.
 */
export function pluckerSide(a: ReadonlyPlucker, b: ReadonlyPlucker): number {
  mustHave('pluckerSide', 'a', a, 'a plucker', 'direction');
  mustHave('pluckerSide', 'b', b, 'a plucker', 'direction');
  checkPoint('pluckerSide', 'a.direction', a.direction);
  checkPoint('pluckerSide', 'a.moment', a.moment);
  checkPoint('pluckerSide', 'b.direction', b.direction);
  checkPoint('pluckerSide', 'b.moment', b.moment);
  return v3.dot(a.direction, b.moment) + v3.dot(b.direction, a.moment);
}

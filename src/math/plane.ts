/** Planes n · x = d, and the half-spaces behind them. The side that the normal points to is the front. RTCD §3.6. */
import { productError, sumError } from './accurate.ts';
import { ANY_FINITE, checkPlane, checkPoint, checkPose, mustBeCoordinate, refuse } from './check.ts';
import type { Plane, ReadonlyPlane, ReadonlyPose, ReadonlyVec3, Vec3 } from './types.ts';
import { plane, vec3 } from './types.ts';
import * as v3 from './vec3.ts';

/**
 * The plane through a, b, c with a unit normal, from whose front abc is seen counter-clockwise. Null when the points
 * are collinear, or so nearly that the normal would be rounding error.
 */
export function planeFromPoints(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: Plane = plane(),
): Plane | null {
  checkPoint('planeFromPoints', 'a', a, ANY_FINITE);
  checkPoint('planeFromPoints', 'b', b, ANY_FINITE);
  checkPoint('planeFromPoints', 'c', c, ANY_FINITE);
  const { x, y, z } = a;
  if (!triangleNormal(a, b, c, upright)) return null;
  const n = v3.normalize(upright, out.normal);
  out.d = n.x * x + n.y * y + n.z * z;
  if ((n.x + n.y + n.z + out.d) * 0 !== 0)
    refuse('planeFromPoints', 'a, b and c', 'must not be so far from each other that the normal overflows');
  return out;
}

const upright = vec3();

/**
 * @internal (b - a) × (c - a) of a triangle, to nearly full precision even for a sliver; false, with the normal
 * meaningless, when abc is collinear up to rounding.
 */
export function triangleNormal(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, out: Vec3): boolean {
  v3.sub(b, a, ab);
  v3.sub(c, b, bc);
  v3.sub(a, c, ca);
  const abSq = ab.x * ab.x + ab.y * ab.y + ab.z * ab.z;
  const bcSq = bc.x * bc.x + bc.y * bc.y + bc.z * bc.z;
  const caSq = ca.x * ca.x + ca.y * ca.y + ca.z * ca.z;
  // The cross product of any two that follow each other will do; the two shorter edges have lost the fewest digits.
  const first = bcSq >= abSq && bcSq >= caSq ? ca : caSq >= abSq ? ab : bc;
  const second = first === ca ? ab : first === ab ? bc : ca;
  v3.crossAccurate(first, second, out);
  return isSignificant(out, first, second);
}
const ab = vec3();
const bc = vec3();
const ca = vec3();

/** Is n = u × v more than rounding error, where u and v are right to a rounding (2⁻⁵³) of each component? */
const isSignificant = (n: ReadonlyVec3, u: ReadonlyVec3, v: ReadonlyVec3): boolean =>
  sumAbs(n) > COLLINEAR * sumAbs(u) * sumAbs(v);
const COLLINEAR = 4 / 4503599627370496; // 2⁻⁵⁰: n is right to 2⁻⁵² of that product

const sumAbs = (a: ReadonlyVec3): number => Math.abs(a.x) + Math.abs(a.y) + Math.abs(a.z);

/** The plane through p at a right angle to `normal`, which is taken as it is: not made a unit vector. */
export function planeFromPointNormal(p: ReadonlyVec3, normal: ReadonlyVec3, out: Plane = plane()): Plane {
  checkPoint('planeFromPointNormal', 'p', p);
  checkPoint('planeFromPointNormal', 'normal', normal);
  const { x, y, z } = p;
  const { x: nx, y: ny, z: nz } = normal;
  v3.set(nx, ny, nz, out.normal);
  out.d = nx * x + ny * y + nz * z;
  return out;
}

/** The plane normal · x = d, as it is. */
export function planeFromNormal(normal: ReadonlyVec3, d: number, out: Plane = plane()): Plane {
  checkPoint('planeFromNormal', 'normal', normal);
  mustBeCoordinate('planeFromNormal', 'd', d);
  v3.copy(normal, out.normal);
  out.d = d;
  return out;
}

/** The same plane with a unit normal; null when the normal is zero. */
export function normalizePlane(source: ReadonlyPlane, out: Plane = plane()): Plane | null {
  checkPlane('normalizePlane', 'source', source);
  const { normal, d } = source;
  const length = v3.length(normal);
  if (length === 0) return null;
  v3.normalize(normal, out.normal);
  out.d = d / length;
  return out;
}

/** The same points, with front and back exchanged. */
export function flipPlane(source: ReadonlyPlane, out: Plane = plane()): Plane {
  checkPlane('flipPlane', 'source', source);
  const { normal, d } = source;
  v3.negate(normal, out.normal);
  out.d = -d;
  return out;
}

/** The plane moved along with a body: `source` in the body, the result in the world. */
export function transformPlane(source: ReadonlyPlane, pose: ReadonlyPose, out: Plane = plane()): Plane {
  checkPlane('transformPlane', 'source', source);
  checkPose('transformPlane', 'pose', pose);
  const { normal, d } = source;
  const { x, y, z } = pose.position;
  const n = v3.rotate(normal, pose.quaternion, out.normal);
  out.d = d + (n.x * x + n.y * y + n.z * z);
  return out;
}

/** n · p - d: > 0 in front. In units of the length of n; its sign may be rounding error, that of `planeSide` never is. */
export function planeValue(plane: ReadonlyPlane, p: ReadonlyVec3): number {
  checkPlane('planeValue', 'plane', plane);
  checkPoint('planeValue', 'p', p);
  const { normal: n, d } = plane;
  const value = n.x * p.x + n.y * p.y + n.z * p.z - d;
  return value;
}

/**
 * On which side of the plane is p: 1 in front, -1 behind, 0 on it. Exact: the sign of n · p - d for the numbers as they
 * are given (with products within 1e±290).
 */
export function planeSide(plane: ReadonlyPlane, p: ReadonlyVec3): -1 | 0 | 1 {
  checkPlane('planeSide', 'plane', plane);
  checkPoint('planeSide', 'p', p);
  const { normal: n, d } = plane;
  const x = n.x * p.x;
  const y = n.y * p.y;
  const z = n.z * p.z;
  const value = x + y + z - d;
  // Three roundings in the products and three in the sums.
  const doubt = SIDE_ERROR * (Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(d));
  if (value > doubt) return 1;
  if (value < -doubt) return -1;
  count = 0;
  grow(x);
  grow(y);
  grow(z);
  grow(-d);
  grow(productError(n.x, p.x, x));
  grow(productError(n.y, p.y, y));
  grow(productError(n.z, p.z, z));
  for (let i = count - 1; i >= 0; i--) if (partials[i] !== 0) return partials[i]! > 0 ? 1 : -1;
  return 0;
}
const SIDE_ERROR = 5 / 9007199254740992;

/** A sum without rounding: numbers of increasing size that do not overlap. Shewchuk 1997. */
const partials = new Float64Array(7);
let count = 0;
function grow(term: number): void {
  let carry = term;
  for (let i = 0; i < count; i++) {
    const sum = carry + partials[i]!;
    partials[i] = sumError(carry, partials[i]!, sum);
    carry = sum;
  }
  partials[count++] = carry;
}

/** Does the closed half-space behind the plane, n · x <= d, contain p? Exact. */
export const containsHalfspacePoint = (plane: ReadonlyPlane, p: ReadonlyVec3): boolean => {
  checkPlane('containsHalfspacePoint', 'plane', plane);
  checkPoint('containsHalfspacePoint', 'p', p);
  return planeSide(plane, p) <= 0;
};

/** Does the open half-space behind the plane, n · x < d, contain p? Exact. */
export const containsOpenHalfspacePoint = (plane: ReadonlyPlane, p: ReadonlyVec3): boolean => {
  checkPlane('containsOpenHalfspacePoint', 'plane', plane);
  checkPoint('containsOpenHalfspacePoint', 'p', p);
  return planeSide(plane, p) < 0;
};

/**
 * The angle between two planes, measured between their normals, in [0, π]. Between outward normals of neighbouring
 * faces it is what the edge bends; the angle inside the solid is π minus that. Refuses zero normals.
 */
export function dihedralAngle(a: ReadonlyPlane, b: ReadonlyPlane): number {
  checkPlane('dihedralAngle', 'a', a);
  checkPlane('dihedralAngle', 'b', b);
  const { normal: m } = a;
  const { normal: n } = b;
  if (sumAbs(m) === 0) refuse('dihedralAngle', 'a', 'must have a normal other than zero');
  if (sumAbs(n) === 0) refuse('dihedralAngle', 'b', 'must have a normal other than zero');
  return v3.angle(m, n);
}

/**
 * The area of the planar quadrilateral abcd, by its diagonals. RTCD §3.3.6. For a bow-tie it is the difference of the
 * two parts; for a quadrilateral that is not planar, the area of its shadow along ac × bd.
 */
export function quadArea(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, d: ReadonlyVec3): number {
  checkPoint('quadArea', 'a', a);
  checkPoint('quadArea', 'b', b);
  checkPoint('quadArea', 'c', c);
  checkPoint('quadArea', 'd', d);
  v3.sub(c, a, ca);
  v3.sub(d, b, bc);
  const area = 0.5 * v3.length(v3.crossAccurate(ca, bc, ca));
  return area;
}

/** Barycentric coordinates of triangles and tetrahedra. RTCD §3.4. */
import {
  ANY_FINITE,
  checkNumbers,
  checkPoint,
  LARGEST,
  mustBeCoordinate,
  mustHave,
  mustNotBeNegative,
  refuse,
} from './check.ts';
import { triangleNormal } from './plane.ts';
import { solveColumns } from './solve.ts';
import type { ReadonlyVec3, Vec3 } from './types.ts';
import { vec3 } from './types.ts';
import * as v3 from './vec3.ts';

/** The point u a + v b + w c of the plane of a triangle; u + v + w = 1. Inside when none is negative. */
export interface Barycentric {
  u: number;
  v: number;
  w: number;
}

/** The point u a + v b + w c + x d relative to a tetrahedron; u + v + w + x = 1. Inside when none is negative. */
export interface Barycentric4 extends Barycentric {
  x: number;
}

export const makeBarycentric = (): Barycentric => ({ u: 0, v: 0, w: 0 });
export const makeBarycentric4 = (): Barycentric4 => ({ u: 0, v: 0, w: 0, x: 0 });

/** What depends on the triangle alone: v = toB · (p - a), w = toC · (p - a). */
export interface BarycentricFrame {
  a: Vec3;
  toB: Vec3;
  toC: Vec3;
}

export const makeBarycentricFrame = (): BarycentricFrame => ({ a: vec3(), toB: vec3(), toC: vec3() });

/**
 * Prepares abc for many points; null when it is collinear (up to rounding).
 *
 * Dotting v ab + w ac = p - a with both edges gives two equations. Cramer's rule on them, with the terms of the
 * triangle collected, is v = (p - a) · (ac × n) / n·n and w = (p - a) · (n × ab) / n·n for n = ab × ac; collected like
 * that no digits are lost to the squares of a sliver's edges.
 */
export function barycentricFrame(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: BarycentricFrame = makeBarycentricFrame(),
): BarycentricFrame | null {
  checkPoint('barycentricFrame', 'a', a);
  checkPoint('barycentricFrame', 'b', b);
  checkPoint('barycentricFrame', 'c', c);
  return fillFrame(a, b, c, out) ? out : null;
}

function fillFrame(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, out: BarycentricFrame): boolean {
  if (!triangleNormal(a, b, c, normal)) return false;
  v3.normalize(normal, unit);
  const { x, y, z } = unit;
  const area = x * normal.x + y * normal.y + z * normal.z;
  v3.sub(b, a, ab);
  v3.sub(c, a, ac);
  v3.copy(a, out.a);
  v3.set((ac.y * z - ac.z * y) / area, (ac.z * x - ac.x * z) / area, (ac.x * y - ac.y * x) / area, out.toB);
  v3.set((y * ab.z - z * ab.y) / area, (z * ab.x - x * ab.z) / area, (x * ab.y - y * ab.x) / area, out.toC);
  return true;
}
const unit = vec3();
const normal = vec3();
const ab = vec3();
const ac = vec3();

/** The coordinates of p, projected onto the plane of the triangle, with what `barycentricFrame` has prepared. */
export function barycentricInFrame(
  p: ReadonlyVec3,
  frame: Readonly<BarycentricFrame>,
  out: Barycentric = makeBarycentric(),
): Barycentric {
  checkPoint('barycentricInFrame', 'p', p, ANY_FINITE);
  mustHave('barycentricInFrame', 'frame', frame, 'a barycentric frame', 'a');
  const { a, toB, toC } = frame;
  checkPoint('barycentricInFrame', 'frame.a', a, ANY_FINITE);
  checkPoint('barycentricInFrame', 'frame.toB', toB, ANY_FINITE);
  checkPoint('barycentricInFrame', 'frame.toC', toC, ANY_FINITE);
  const x = p.x - a.x;
  const y = p.y - a.y;
  const z = p.z - a.z;
  const v = toB.x * x + toB.y * y + toB.z * z;
  const w = toC.x * x + toC.y * y + toC.z * z;
  return fill(1 - v - w, v, w, out);
}

function fill(u: number, v: number, w: number, out: Barycentric): Barycentric {
  out.u = u;
  out.v = v;
  out.w = w;
  return out;
}

/**
 * The coordinates of p relative to the triangle abc; null when it is collinear (up to rounding). A point off the plane
 * gets those of its projection: whether it lies near the plane is not checked.
 */
export function barycentricTriangle(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: Barycentric = makeBarycentric(),
): Barycentric | null {
  checkPoint('barycentricTriangle', 'p', p);
  checkPoint('barycentricTriangle', 'a', a);
  checkPoint('barycentricTriangle', 'b', b);
  checkPoint('barycentricTriangle', 'c', c);
  return fillFrame(a, b, c, scratch) ? barycentricInFrame(p, scratch, out) : null;
}
const scratch = makeBarycentricFrame();

/**
 * The same as ratios of areas on the coordinate plane where the triangle looks largest: a few products and no square
 * root, but a point off the plane of the triangle is projected along a coordinate axis, not along the normal.
 */
export function barycentricTriangleFlat(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: Barycentric = makeBarycentric(),
): Barycentric | null {
  checkPoint('barycentricTriangleFlat', 'p', p);
  checkPoint('barycentricTriangleFlat', 'a', a);
  checkPoint('barycentricTriangleFlat', 'b', b);
  checkPoint('barycentricTriangleFlat', 'c', c);
  if (!triangleNormal(a, b, c, normal)) return null;
  const { x: nx, y: ny, z: nz } = normal;
  v3.sub(b, a, ab);
  v3.sub(c, a, ac);
  v3.sub(p, a, ap);
  let v: number;
  let w: number;
  if (Math.abs(nx) >= Math.abs(ny) && Math.abs(nx) >= Math.abs(nz)) {
    v = (ap.y * ac.z - ap.z * ac.y) / nx;
    w = (ab.y * ap.z - ab.z * ap.y) / nx;
  } else if (Math.abs(ny) >= Math.abs(nz)) {
    v = (ap.z * ac.x - ap.x * ac.z) / ny;
    w = (ab.z * ap.x - ab.x * ap.z) / ny;
  } else {
    v = (ap.x * ac.y - ap.y * ac.x) / nz;
    w = (ab.x * ap.y - ab.y * ap.x) / nz;
  }
  return fill(1 - v - w, v, w, out);
}
const ap = vec3();

/**
 * The coordinates of p relative to the tetrahedron abcd: ratios of the volumes with a corner replaced by p. Null when it
 * is flat (up to rounding). Either orientation will do.
 */
export function barycentricTetrahedron(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  out: Barycentric4 = makeBarycentric4(),
): Barycentric4 | null {
  checkPoint('barycentricTetrahedron', 'p', p);
  checkPoint('barycentricTetrahedron', 'a', a);
  checkPoint('barycentricTetrahedron', 'b', b);
  checkPoint('barycentricTetrahedron', 'c', c);
  checkPoint('barycentricTetrahedron', 'd', d);
  v3.sub(b, a, ab);
  v3.sub(c, a, ac);
  v3.sub(d, a, ad);
  v3.sub(p, a, ap);
  if (!solveColumns(ab, ac, ad, ap, ap)) return null;
  const { x: v, y: w, z: x } = ap;
  out.u = 1 - v - w - x;
  out.v = v;
  out.w = w;
  out.x = x;
  return out;
}

const ad = vec3();

/** Which of the seven regions of a triangle's plane, by the signs of the coordinates: a bit for each negative one. */
export const BarycentricRegion = {
  inside: 0,
  /** Beyond the edge bc: u < 0. */
  edgeBC: 1,
  edgeCA: 2,
  /** Beyond the corner c: u < 0 and v < 0. */
  cornerC: 3,
  edgeAB: 4,
  cornerB: 5,
  cornerA: 6,
} as const;
export type BarycentricRegion = (typeof BarycentricRegion)[keyof typeof BarycentricRegion];

/**
 * The region of a point with these coordinates; the border belongs to the inside. These are not the Voronoi regions: a
 * point beyond an edge may still be closest to a corner.
 */
export function barycentricRegion(weights: Readonly<Barycentric>): BarycentricRegion {
  checkWeights('barycentricRegion', weights);
  const { u, v, w } = weights;
  const region = (u < 0 ? 1 : 0) | (v < 0 ? 2 : 0) | (w < 0 ? 4 : 0);
  if (region === 7) refuse('barycentricRegion', 'weights', 'must add up to 1');
  return region as BarycentricRegion;
}

function checkWeights(caller: string, weights: Readonly<Barycentric>): void {
  if (isWeights(weights)) return;
  mustHave(caller, 'weights', weights, 'coordinates {u, v, w}', 'u');
  mustBeCoordinate(caller, 'weights.u', weights.u);
  mustBeCoordinate(caller, 'weights.v', weights.v);
  mustBeCoordinate(caller, 'weights.w', weights.w);
}

function isWeights(weights: Readonly<Barycentric>): boolean {
  try {
    const { u, v, w } = weights;
    return u - 0 === u && v - 0 === v && w - 0 === w && Math.abs(u) + Math.abs(v) + Math.abs(w) <= LARGEST;
  } catch {
    return false;
  }
}

/** A quantity known at the corners, at the point with these coordinates. */
export function interpolate(weights: Readonly<Barycentric>, a: number, b: number, c: number): number {
  checkWeights('interpolate', weights);
  mustBeCoordinate('interpolate', 'a', a);
  mustBeCoordinate('interpolate', 'b', b);
  mustBeCoordinate('interpolate', 'c', c);
  return weights.u * a + weights.v * b + weights.w * c;
}

/** A vector known at the corners, at the point with these coordinates; for the corners themselves, that point. */
export function interpolateVec3(
  weights: Readonly<Barycentric>,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkWeights('interpolateVec3', weights);
  checkPoint('interpolateVec3', 'a', a);
  checkPoint('interpolateVec3', 'b', b);
  checkPoint('interpolateVec3', 'c', c);
  const { u, v, w } = weights;
  const x = u * a.x + v * b.x + w * c.x;
  const y = u * a.y + v * b.y + w * c.y;
  const z = u * a.z + v * b.z + w * c.z;
  return v3.set(x, y, z, out);
}

/**
 * Are these the weights of a convex combination: none negative, and 1 in sum? Both up to `tolerance`, by default the
 * roundings of as many weights computed and added up.
 */
export function isConvexCombination(
  weights: ArrayLike<number>,
  tolerance = (4 * weights.length) / 9007199254740992,
): boolean {
  checkNumbers('isConvexCombination', 'weights', weights, ANY_FINITE);
  mustNotBeNegative('isConvexCombination', 'tolerance', tolerance);
  if (weights.length === 0) refuse('isConvexCombination', 'weights', 'must not be empty');
  let sum = 0;
  let least = Infinity;
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i]!;
    least = Math.min(least, weights[i]!);
  }
  return least >= -tolerance && Math.abs(sum - 1) <= tolerance;
}

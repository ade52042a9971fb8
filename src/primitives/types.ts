/** The records that primitive tests take and fill. All are structural: three.js's Sphere, Box3 and Ray fit as they are. */
import type { DeepReadonly, Mat3, Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';

/** The points origin + t direction, t >= 0. The direction need not be a unit vector: `t` is in its units. */
export interface Ray {
  origin: Vec3;
  direction: Vec3;
}

export interface Sphere {
  center: Vec3;
  radius: number;
}

/** Axis-aligned box. */
export interface Aabb {
  min: Vec3;
  max: Vec3;
}

/** Oriented box: the columns of `rotation` are its unit axes. three.js's OBB fits. */
export interface Obb {
  center: Vec3;
  halfSize: Vec3;
  rotation: Mat3;
}

/** All points within `radius` of the segment ab. */
export interface Capsule {
  a: Vec3;
  b: Vec3;
  radius: number;
}

/** All points within `radius` of the rectangle corner + s edge0 + t edge1, s and t in [0, 1], edges at a right angle. */
export interface Lozenge {
  corner: Vec3;
  edge0: Vec3;
  edge1: Vec3;
  radius: number;
}

/** Solid cylinder about the segment ab, with flat ends. */
export interface Cylinder {
  a: Vec3;
  b: Vec3;
  radius: number;
}

/** Solid cone from its tip to the disc of `radius` about `base`. */
export interface Cone {
  tip: Vec3;
  base: Vec3;
  radius: number;
}

export type ReadonlyRay = DeepReadonly<Ray>;
export type ReadonlySphere = DeepReadonly<Sphere>;
export type ReadonlyAabb = DeepReadonly<Aabb>;
export type ReadonlyObb = DeepReadonly<Obb>;
export type ReadonlyCapsule = DeepReadonly<Capsule>;
export type ReadonlyLozenge = DeepReadonly<Lozenge>;
export type ReadonlyCylinder = DeepReadonly<Cylinder>;
export type ReadonlyCone = DeepReadonly<Cone>;

/** Where a ray or a moving thing first touches. */
export interface Hit {
  /** Ray parameter, or fraction of the motion in [0, 1]. */
  t: number;
  /** The point of contact at that time. */
  point: Vec3;
  /** Unit vector out of the thing that was hit, towards the ray or the mover. */
  normal: Vec3;
}

/** A hit on a triangle, with the barycentric coordinates of the point: point = u a + v b + w c. */
export interface TriangleHit extends Hit {
  u: number;
  v: number;
  w: number;
}

/** The times at which two moving things start and stop to overlap, or a line enters and leaves a solid. */
export interface Span {
  enter: number;
  exit: number;
}

/** Closest points: `a` on the first thing, `b` on the second. */
export interface PointPair {
  a: Vec3;
  b: Vec3;
  distanceSq: number;
}

export const makeRay = (): Ray => ({ origin: vec3(), direction: vec3() });
export const makeSphere = (): Sphere => ({ center: vec3(), radius: 0 });
export const makeAabb = (): Aabb => ({ min: vec3(), max: vec3() });
export const makeObb = (): Obb => ({ center: vec3(), halfSize: vec3(), rotation: mat3() });
export const makeCapsule = (): Capsule => ({ a: vec3(), b: vec3(), radius: 0 });
export const makeLozenge = (): Lozenge => ({ corner: vec3(), edge0: vec3(), edge1: vec3(), radius: 0 });
export const makeHit = (): Hit => ({ t: 0, point: vec3(), normal: vec3() });
export const makeTriangleHit = (): TriangleHit => ({ t: 0, point: vec3(), normal: vec3(), u: 0, v: 0, w: 0 });
export const makeSpan = (): Span => ({ enter: 0, exit: 0 });
export const makePointPair = (): PointPair => ({ a: vec3(), b: vec3(), distanceSq: 0 });

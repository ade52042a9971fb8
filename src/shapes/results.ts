/** What queries fill. All points and normals are in world space. */
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';

/** The part of a body that an answer is about. */
export interface BodyPart {
  /** Of a compound, the number of the child; -1 for others. */
  child: number;
  /** Of a mesh or a height field, the number of the triangle; -1 for others. */
  triangle: number;
}

/** How far apart two bodies are, or how deep in each other. */
export interface Separation {
  /** The distance; negative for bodies that overlap: minus how far along the normal the first must go to be parted. */
  separation: number;
  /** The point of the first body nearest to the second (or deepest in it), and the other way round. */
  pointA: Vec3;
  pointB: Vec3;
  /** Unit vector out of the second body towards the first. */
  normal: Vec3;
  partA: BodyPart;
  partB: BodyPart;
}

/** A point where two bodies touch: the same record, for one of several points. */
export type Contact = Separation;

/** Where a ray or a moving body first touches another. */
export interface CastHit {
  /** Ray parameter, or fraction of the motion in [0, 1]. */
  t: number;
  /** Where they touch at that time. */
  point: Vec3;
  /** Unit vector out of the thing that was hit, towards the ray or the mover. */
  normal: Vec3;
  /** The part of the thing that was hit. */
  part: BodyPart;
  /** The part of the mover; of a ray, none. */
  moverPart: BodyPart;
}

/** The point of a body closest to a point. */
export interface ClosestPoint {
  /** 0 for a point inside of a solid, which is its own closest point. */
  distance: number;
  point: Vec3;
  part: BodyPart;
}

export const makeBodyPart = (): BodyPart => ({ child: -1, triangle: -1 });
export const makeSeparation = (): Separation => ({
  separation: 0,
  pointA: vec3(),
  pointB: vec3(),
  normal: vec3(),
  partA: makeBodyPart(),
  partB: makeBodyPart(),
});
export const makeCastHit = (): CastHit => ({
  t: 0,
  point: vec3(),
  normal: vec3(),
  part: makeBodyPart(),
  moverPart: makeBodyPart(),
});
export const makeClosestPoint = (): ClosestPoint => ({ distance: 0, point: vec3(), part: makeBodyPart() });

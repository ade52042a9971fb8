/** Polygons and polyhedra as plain lists. */
import type { DeepReadonly, Plane, Vec2, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';

/**
 * A convex polyhedron: vertices, faces as loops of vertex indices (counter-clockwise seen from outside), and one
 * plane per face with a unit normal that points out.
 */
export interface Polyhedron {
  vertices: Vec3[];
  faces: number[][];
  planes: Plane[];
}

/** The convex hull of a list of points, as indices into that list. */
export interface Hull {
  /** Of the affine hull: 0 for a point, 1 for a segment, 2 for a flat polygon, 3 for a solid. */
  dimension: 0 | 1 | 2 | 3;
  /** The corners, ascending: no point that lies between others, and one of each set of coincident points. */
  vertices: number[];
  /**
   * The flat sides as loops of corners, counter-clockwise from outside, strictly convex, no two in one plane. A flat
   * hull has two, front and back; a segment or a point has none.
   */
  faces: number[][];
  /** The faces cut into triangles: three indices each, counter-clockwise from outside. */
  triangles: number[];
}

/** The points of the plane with normal · x <= d. The normal points out and need not be a unit vector. */
export interface HalfPlane {
  normal: Vec2;
  d: number;
}

/**
 * Writes to `out` (which may be `direction`) a point of a convex set that lies farthest along `direction`, and
 * returns it. For a direction of zero any point of the set will do.
 */
export type SupportMap = (direction: Readonly<Vec3>, out: Vec3) => Vec3;

/** A feature of a polyhedron and the point of it that is closest to a query point. */
export interface FeaturePoint {
  /** `inside`: the query point is in the interior, `point` is that point itself, and `index` its nearest face. */
  kind: 'vertex' | 'edge' | 'face' | 'inside';
  /** Of the vertex or face in the polyhedron's list, or of the edge in that of the regions. */
  index: number;
  point: Vec3;
}

export const makeFeaturePoint = (): FeaturePoint => ({ kind: 'vertex', index: 0, point: vec3() });

export type ReadonlyPolyhedron = DeepReadonly<Polyhedron>;
export type ReadonlyHull = DeepReadonly<Hull>;
export type ReadonlyFeaturePoint = DeepReadonly<FeaturePoint>;

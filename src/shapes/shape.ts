/**
 * The shapes: plain, immutable data, a closed union, discriminated by `kind`. Each stands in its own space; a pose puts it
 * into the world. Made by the factories of the same names; free of any renderer, engine or world. RTCD §2.2.
 */
import type { Solid } from '../continuous/generalized/solid.ts';
import type { ConvexCore } from '../convex/core.ts';
import type { ReadonlyMat3, ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyPolyhedron, SupportMap } from '../polytope/types.ts';
import type { Aabb } from '../primitives/types.ts';
import type { SkinnedShape } from '../skinned/skinned-shape.ts';
import type { Tree } from '../trees/tree.ts';
import type { FAMILY } from '../trimesh/family-key.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import type { LevelSetGrid } from './fields/level-set/grid.ts';

/** What all convex shapes have: a core and its rounding, ready for the algorithms of `src/convex`. */
interface Convex {
  /** The core without the rounding, and the rounding as its `radius`. */
  readonly core: ConvexCore;
  /**
   * The flat sides of the core, for cores that have some: boxes, hulls, triangles, polygons. Its vertices are those of
   * the core, in the same order (a box numbers its corners by the bits of +x, +y, +z). What lies in a plane has two
   * faces, back to back. Null where the core is round, a segment or a point.
   */
  readonly faces: ReadonlyPolyhedron | null;
  /** How rays and points meet it: `one-body/convex-form.ts`. */
  readonly [FAMILY]: unknown;
}

/** All points within `radius` of the origin. */
export interface SphereShape extends Convex {
  readonly kind: 'sphere';
  readonly radius: number;
}

/** All points within `rounding` of the box from -halfSize to halfSize. */
export interface BoxShape extends Convex {
  readonly kind: 'box';
  readonly halfSize: ReadonlyVec3;
  readonly rounding: number;
}

/** All points within `radius` of the segment from -halfHeight to halfHeight on the y axis. */
export interface CapsuleShape extends Convex {
  readonly kind: 'capsule';
  readonly halfHeight: number;
  readonly radius: number;
}

/** All points within `rounding` of the cylinder about the y axis. */
export interface CylinderShape extends Convex {
  readonly kind: 'cylinder';
  readonly halfHeight: number;
  readonly radius: number;
  readonly rounding: number;
}

/** All points within `rounding` of the cone about the y axis with its tip at +halfHeight and its base at -halfHeight. */
export interface ConeShape extends Convex {
  readonly kind: 'cone';
  readonly halfHeight: number;
  readonly radius: number;
  readonly rounding: number;
}

/** All points within `rounding` of the ellipsoid about the origin with these radii along the axes. */
export interface EllipsoidShape extends Convex {
  readonly kind: 'ellipsoid';
  readonly radii: ReadonlyVec3;
  readonly rounding: number;
}

/** All points within `rounding` of the convex hull of `points`, which are its corners only. */
export interface HullShape extends Convex {
  readonly kind: 'hull';
  readonly points: readonly ReadonlyVec3[];
  readonly rounding: number;
  /** The mesh that it stands for, if it was made from one. Meshes never change: that of another shape is another object. */
  readonly source: Mesh | null;
}

/** All points within `rounding` of the triangle. */
export interface TriangleShape extends Convex {
  readonly kind: 'triangle';
  readonly a: ReadonlyVec3;
  readonly b: ReadonlyVec3;
  readonly c: ReadonlyVec3;
  readonly rounding: number;
}

/** All points within `rounding` of the flat convex polygon. */
export interface PolygonShape extends Convex {
  readonly kind: 'polygon';
  readonly points: readonly ReadonlyVec3[];
  readonly rounding: number;
}

/** All points within `rounding` of the segment ab. */
export interface SegmentShape extends Convex {
  readonly kind: 'segment';
  readonly a: ReadonlyVec3;
  readonly b: ReadonlyVec3;
  readonly rounding: number;
}

/** The origin. */
export interface PointShape extends Convex {
  readonly kind: 'point';
}

/** All points within `rounding` of the convex set that a support map describes. */
export interface CustomShape extends Convex {
  readonly kind: 'convex';
  readonly support: SupportMap;
  readonly rounding: number;
  /** What `scaled` took it from: it is the image of `shape`, rounding included, by `matrix`. Null for a user's own. */
  readonly image: { readonly shape: ConvexShape; readonly matrix: ReadonlyMat3 } | null;
}

/** What other shapes have: the algorithms of their family, put there by their factory. See `family.ts`. */
interface WithFamily {
  readonly [FAMILY]: unknown;
}

/** The points x with normal · x <= d. The normal is a unit vector and points out. */
export interface HalfSpaceShape extends WithFamily {
  readonly kind: 'halfSpace';
  readonly normal: ReadonlyVec3;
  readonly d: number;
}

/**
 * A surface over a grid in x and z: see `heightField`. All that can be asked of a mesh can be asked of its `mesh`;
 * `heightFieldCell` says which cell a triangle belongs to.
 */
export interface HeightFieldShape extends WithFamily {
  readonly kind: 'heightField';
  /** The surface as triangles, two a cell, facing up. */
  readonly mesh: Mesh;
  /** Samples along x and along z: one more than there are cells. */
  readonly columns: number;
  readonly rows: number;
  /** The sample of a column and a row is number row × columns + column. */
  readonly heights: Float64Array;
  /** The distance between samples. */
  readonly spacing: { readonly x: number; readonly z: number };
  /** Where the first sample stands. */
  readonly corner: { readonly x: number; readonly z: number };
  /** For each cell, row by row, the number of its first triangle; the second is the next. -1 for holes. */
  readonly cellTriangles: Int32Array;
  /** For each two triangles the cell that they are. */
  readonly triangleCells: Uint32Array;
}

/** A closed set known by a bound of the distance from it, and by a box around it. */
interface Field extends WithFamily {
  /** It has no point outside. */
  readonly bounds: Readonly<Aabb>;
  /**
   * At most the distance of p from the boundary of the set; not above 0, and with the sign changed, for points of the set. It
   * changes by no more than the distance between two points.
   */
  readonly bound: (p: ReadonlyVec3) => number;
  /** Is the bound the distance itself, outside? */
  readonly exact: boolean;
  /** What the surface has of bumps and dents is not smaller. */
  readonly detail: number;
}

/** Where a function is not above 0: see `sdf`. */
export interface SdfShape extends Field {
  readonly kind: 'sdf';
}

/** A union, intersection or difference of solids: see `csg`. */
export interface CsgShape extends Field {
  readonly kind: 'csg';
  readonly operation: 'union' | 'intersection' | 'difference';
  readonly children: readonly { readonly shape: Shape; readonly pose: ReadonlyPose }[];
}

/** A surface given by two parameters: see `parametric`. */
export interface ParametricShape extends Field {
  readonly kind: 'parametric';
}

/** A user's own: see `solid`. */
export interface SolidShape extends Field {
  readonly kind: 'solid';
  /** What it was made of. Null for the image of one by `scaled`. */
  readonly source: Partial<Solid> | null;
}

/** Distances in a sparse grid: see `levelSet`. */
export interface LevelSetShape extends Field {
  readonly kind: 'levelSet';
  /** Between grid points. */
  readonly spacing: number;
  /** How far from the surface, of what it was made from, `error` holds. */
  readonly band: number;
  /** How far its values are from the distance, at most: within the band, and anywhere in the grid. */
  readonly error: number;
  readonly farError: number;
  /** Samples, and what was worked out from them. `saveLevelSet` gives them as bytes. */
  readonly grid: LevelSetGrid;
}

/** The shapes that are known by a bound of the distance from them. */
export type FieldShape = SdfShape | CsgShape | LevelSetShape | ParametricShape | SolidShape;

/** One of the shapes of a compound. */
export interface CompoundChild {
  readonly shape: SimpleShape;
  /** Where it stands in the space of the compound. The quaternion is of length 1. */
  readonly pose: ReadonlyPose;
  /** Its index in the list that the compound was made from; of nested compounds, in the outer list, then the inner. */
  readonly path: readonly number[];
}

/** The union of its children. */
export interface CompoundShape extends WithFamily {
  readonly kind: 'compound';
  readonly children: readonly CompoundChild[];
  /** Over the boxes of the children, in the space of the compound; its items are their numbers. */
  readonly tree: Tree<Aabb>;
  /** A box around them all. */
  readonly bounds: Readonly<Aabb>;
}

/** The shapes that have a `core`. */
export type ConvexShape =
  | SphereShape
  | BoxShape
  | CapsuleShape
  | CylinderShape
  | ConeShape
  | EllipsoidShape
  | HullShape
  | TriangleShape
  | PolygonShape
  | SegmentShape
  | PointShape
  | CustomShape;

/** The shapes that a compound can be made of: bounded, and no compounds themselves. */
export type SimpleShape = ConvexShape | Mesh | HeightFieldShape | FieldShape;

export type Shape = SimpleShape | HalfSpaceShape | CompoundShape | SkinnedShape;

export type ShapeKind = Shape['kind'];

/** Is it one of the convex shapes with a `core`? (A half-space is convex, but has none.) O(1). */
export const isConvexShape = (shape: Shape): shape is ConvexShape => 'core' in shape;

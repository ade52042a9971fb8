/**
 * What the exact sweep of polyhedra works on, and what it answers. van Waveren, *Robust Continuous Collision Detection
 * Between Arbitrary Polyhedra*, 2005.
 */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';

/** Two faces that bulge: can be touched by edges. */
export const CONVEX_EDGE = 0;
/** Two faces that look at each other: never touched by an edge before the faces are. Still bounds its polygons. */
export const INTERNAL_EDGE = 1;
/** Two faces in one plane: covered by them. */
export const FLAT_EDGE = 2;
/** One face only, or faces that do not fit together: touched from all around. */
export const DANGLING_EDGE = 3;

/**
 * A polyhedron (closed or not, convex or not), a polygon or a point, prepared once for any number of sweeps: vertices and
 * edges are shared between the polygons, edges that nothing can touch are marked. All arrays are flat.
 */
export interface PolyhedralModel {
  /** x, y, z of each vertex. */
  readonly points: Float64Array;
  /** The two ends of each edge. */
  readonly edges: Int32Array;
  /**
   * The two polygons of each edge: the one that runs along it from its first end to its second, and the one that runs
   * back; -1 where there is none. (Where more than two meet, two of them; the edge is then a dangling one.)
   */
  readonly edgePolygons: Int32Array;
  /** `CONVEX_EDGE`, … for each edge. A model that is touched on both sides has no internal edges. */
  readonly edgeKinds: Uint8Array;
  /** For each vertex 1 if it can be the first to touch something: if not all of its edges are internal or flat. */
  readonly vertexTouches: Uint8Array;
  /** The corners of polygon i are number `polygonStart[i]` to `polygonStart[i + 1] - 1` of the next two lists. */
  readonly polygonStart: Int32Array;
  /** Vertex numbers, counter-clockwise seen from the front. */
  readonly polygonVertices: Int32Array;
  /** The edge from that corner to the next: its number, or its complement (~) if the polygon runs along it backwards. */
  readonly polygonEdges: Int32Array;
  /** The unit normal and the distance from the origin of each polygon's plane: n · x = d. */
  readonly planes: Float64Array;
  /** For each polygon the number the maker gave it: the triangle of a mesh (its first, if it was merged of several). */
  readonly sources: Int32Array;
  /** Low x, y, z and high x, y, z of each polygon. */
  readonly polygonBounds: Float64Array;
  /** Low and high corner of all vertices. */
  readonly low: ReadonlyVec3;
  readonly high: ReadonlyVec3;
  /** Do as many polygons run along each edge in the one direction as in the other? (Two, unless it is a dangling one.) */
  readonly closed: boolean;
  /** Touched from the front of its polygons only (as a solid is) or from both sides (as a sheet is)? */
  readonly sides: 'front' | 'both';
  /** How many polygons of the source were left out because they have no area. */
  readonly dropped: number;
  /** The polygons by where they are. */
  readonly bsp: AxialBsp;
  /** What `traceModel` searches; made when it is first asked. */
  readonly tracer: ModelTracer;
  /** What `sweepPolyhedra` knows of it; found when it is first asked. */
  readonly sweeper: ModelSweeper;
}

/** What sweeps need to know of a model; null until they do. */
export interface ModelSweeper {
  level: PackedLevel | null;
  bits: ModelBits | null;
  ring: VertexRing | null;
  hollow: boolean | null;
}

/** A target as a translation reads it: what is read together lies together. */
export interface PackedLevel {
  /** The tree, two numbers a node: where it splits, and 4 × upper child + axis; for a leaf, first entry, 4 × count + 3. */
  readonly nodes: Float64Array;
  /** The entries of the leaves: number of the polygon, and where it starts in `blocks`. */
  readonly entries: Int32Array;
  /** Of each entry the box, low x, y, z, high x, y, z, rounded outward. */
  readonly boxes: Float32Array;
  /** Of each polygon how many corners it has, its plane and its corners. */
  readonly blocks: Float64Array;
}

/** Bits of the vertices and edges of a small model: of each polygon, of those that can touch. */
export interface ModelBits {
  readonly polygonVertices: Int32Array;
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  readonly touchingVertices: number;
  readonly touchingEdges: number;
}

/** The neighbours of vertex v are number `start[v]` to `start[v + 1] - 1` of `ring`. */
export interface VertexRing {
  readonly start: Int32Array;
  readonly ring: Int32Array;
}

/** What traces need to know of the polygons; empty until the first one. */
export interface ModelTracer {
  /** For each polygon the axis (0, 1, 2) that it faces most. */
  axes: Uint8Array | null;
  /** For each corner the line of the side that starts there, seen along that axis: x, y and c of a distance x u + y v + c. */
  lines: Float64Array;
  /** The largest coordinate. */
  size: number;
}

/**
 * A binary tree of axis-parallel planes, made from the sides of the polygons' boxes. A node is an inner one (axis 0, 1, 2)
 * or a leaf (axis 3) with a run of polygons. Polygons that cross a plane are in both children.
 */
export interface AxialBsp {
  /** 0, 1, 2: the axis of an inner node; 3: a leaf. The lower child of node i is i + 1. */
  readonly axes: Uint8Array;
  /** Where an inner node splits. */
  readonly splits: Float64Array;
  /** The upper child of an inner node; for a leaf, where its run in `items` starts. */
  readonly next: Int32Array;
  /** For a leaf, the length of its run. */
  readonly counts: Int32Array;
  readonly items: Int32Array;
  /** For each polygon the number of the search that met it last; behind them, the number of the last search. */
  readonly stamps: Int32Array;
}

/**
 * A motion of a rigid body: a translation, or a rotation about a line through `pivot` along `axis`, or one after the other,
 * each in half of the time. The pivot is a point of the world, not on the body; without it the body rotates about where its
 * position is when the rotation begins. Angles are in radians, counter-clockwise seen from the tip of the axis; any size.
 */
export type SweepMotion =
  | { readonly translation: ReadonlyVec3 }
  | { readonly axis: ReadonlyVec3; readonly angle: number; readonly pivot?: ReadonlyVec3 }
  | {
      readonly translation: ReadonlyVec3;
      readonly axis: ReadonlyVec3;
      readonly angle: number;
      readonly pivot?: ReadonlyVec3;
      /** Which of the two is done first. Default: 'translation'. */
      readonly first?: 'translation' | 'rotation';
    };

export type FeatureKind = 'vertex' | 'edge' | 'polygon';

/** Where a moving polyhedron stops, or one of the contacts of two polyhedra. */
export interface SweepContact {
  /** The vertex or the point on the edge of the mover; in world space, at that time. */
  point: Vec3;
  /** Unit vector out of the target towards the mover. */
  normal: Vec3;
  /**
   * The distance of the two features along the normal: between 0 and twice the thickness of the expel zone where a motion
   * stops. Of `touchingFeatures`, negative where solids are in each other: minus the depth.
   */
  gap: number;
  moverKind: FeatureKind;
  moverFeature: number;
  targetKind: FeatureKind;
  targetFeature: number;
}

/** The first contact of a motion. */
export interface SweepHit extends SweepContact {
  /**
   * How much of the motion is done, in [0, 1]; `poseAlong` has the pose. Of a translation and a rotation the first half
   * is the one that is done first, the second half the other.
   */
  t: number;
  /** The polyhedra cut through each other already at the start. */
  penetrating: boolean;
}

export const makeSweepContact = (): SweepContact => ({
  point: vec3(),
  normal: vec3(),
  gap: 0,
  moverKind: 'vertex',
  moverFeature: -1,
  targetKind: 'polygon',
  targetFeature: -1,
});

export const makeSweepHit = (): SweepHit => ({
  point: vec3(),
  normal: vec3(),
  gap: 0,
  moverKind: 'vertex',
  moverFeature: -1,
  targetKind: 'polygon',
  targetFeature: -1,
  t: 0,
  penetrating: false,
});

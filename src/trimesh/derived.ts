/**
 * What is worked out from a mesh when first needed, and kept as long as the mesh is. A mesh never changes, and one that
 * `refitMesh` makes is another: it starts with nothing.
 */
import type { Mesh } from './mesh.ts';
import { type BoxTree, buildBoxTree } from './mesh-mesh/box-tree.ts';
import { findMoments } from './moments.ts';
import { findBoundary, findFeatures, findParts, type MeshFeatures } from './topology.ts';

/** One record a mesh; null is what has not been asked for. @internal */
export class MeshDerived {
  boundary: Float64Array | null = null;
  features: MeshFeatures | null = null;
  parts: Uint32Array | null = null;
  moments: Float64Array | null = null;
  boxTree: BoxTree | null = null;
  /** The mesh with its surface moved in by rounding. Filled by its users, as `hull` is. */
  eroded: Mesh | null = null;
  /** The hull of a convex mesh; false if it is not convex. Shapes are not known here. */
  hull: object | false | null = null;
}

const records = new WeakMap<Mesh, MeshDerived>();

/** @internal */
export function derivedOf(mesh: Mesh): MeshDerived {
  let record = records.get(mesh);
  if (record === undefined) {
    record = new MeshDerived();
    records.set(mesh, record);
  }
  return record;
}

/**
 * The boundary of a mesh: the edges that its triangles run along more often one way than the other, with both ends (6
 * numbers) in that direction, once for each surplus. Vertices at equal positions count as one, because surfaces are often
 * cut along the seams of their textures. O(n log n) for the first time.
 *
 * @internal
 */
export function boundaryOf(mesh: Mesh): Float64Array {
  const record = derivedOf(mesh);
  record.boundary ??= findBoundary(mesh);
  return record.boundary;
}

/** Has the mesh no boundary? Then it winds around each point a whole number of times. @internal */
export const isClosed = (mesh: Mesh): boolean => boundaryOf(mesh).length === 0;

/** @internal */
export function featuresOf(mesh: Mesh): MeshFeatures {
  const record = derivedOf(mesh);
  record.features ??= findFeatures(mesh);
  return record.features;
}

/**
 * For each part of the mesh, triangles joined by corners, one of its triangles (in the order of the tree). A part is
 * wholly on one side of any closed surface that it does not meet.
 *
 * @internal
 */
export function partsOf(mesh: Mesh): Uint32Array {
  const record = derivedOf(mesh);
  record.parts ??= findParts(mesh);
  return record.parts;
}

/** @internal */
export function momentsOf(mesh: Mesh): Float64Array {
  const record = derivedOf(mesh);
  record.moments ??= findMoments(mesh);
  return record.moments;
}

/** The tree of oriented boxes. O(n log n) for the first time: well under a second for 100,000 triangles. @internal */
export function boxTreeOf(mesh: Mesh): BoxTree {
  const record = derivedOf(mesh);
  record.boxTree ??= buildBoxTree(mesh);
  return record.boxTree;
}

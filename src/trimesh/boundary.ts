/** The edges at which a mesh ends. */
import { rimEdges } from '../mesh/seams.ts';
import type { Mesh } from './mesh.ts';

const known = new WeakMap<Mesh, Float64Array>();

/**
 * The boundary of a mesh: the edges that its triangles run along more often one way than the other, with both ends (6
 * numbers) in that direction, as often as that. A mesh without any is closed: it winds around each point a whole number
 * of times. Vertices in the same place count as one, whatever their numbers, because surfaces are often cut along the
 * seams of their textures. O(n log n) for the first time.
 *
 * @internal
 */
export const boundaryOf = (mesh: Mesh): Float64Array => known.get(mesh) ?? findBoundary(mesh);

/** @internal */
export const isClosed = (mesh: Mesh): boolean => boundaryOf(mesh).length === 0;

function findBoundary(mesh: Mesh): Float64Array {
  const { vertices, corners } = mesh;
  const edges = rimEdges({ positions: vertices, index: new Uint32Array(corners) });
  const boundary = new Float64Array(edges.length * 3);
  for (let i = 0; i < edges.length; i++)
    for (let k = 0; k < 3; k++) boundary[3 * i + k] = vertices[3 * edges[i]! + k]!;
  known.set(mesh, boundary);
  return boundary;
}

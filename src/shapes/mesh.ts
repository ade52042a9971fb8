/** A triangle mesh as a shape: the mesh of `src/trimesh`, with the algorithms for all queries. */
import { FAMILY } from '../trimesh/family-key.ts';
import { mesh as buildMesh, type Mesh, type MeshOptions } from '../trimesh/mesh.ts';
import { loadMesh as loadBareMesh } from '../trimesh/stored-mesh.ts';
import { SURFACE } from './families.ts';

/**
 * A mesh of the triangles whose corners `index` lists, or of every three vertices without one, counter-clockwise seen
 * from outside. The arrays are those of three.js (`geometry.attributes.position.array`, `geometry.index.array`) and are
 * copied. Refuses no triangles at all, coordinates that are not finite, indices out of range, and counts not divisible
 * by three. Triangles without area are tolerated: they are never hit by a ray, and near to what is near them.
 *
 * Seams are closed. Where the surface meets itself but for rounding, as at the ends of the strip that three.js bends into a
 * sphere, vertices on its rims that differ by no more than four ulps (of the largest coordinate of the mesh; in arrays of
 * 32 bits also of their own) are put where the first of them is. So they move by eight ulps at most, other vertices never
 * do, and triangles keep their numbers. `inspect` lists what moves. O(n log n).
 *
 * A mesh that was made by the toolbox (`buildMesh`, `QueryWorkers`) becomes a shape by `mesh(it)`: the same object. Programs that
 * only cast rays or look for closest points can do with that and `rayMesh`, `closestPointMesh`: a tenth of the code.
 */
export function mesh(
  positions: ArrayLike<number> | Mesh,
  index?: ArrayLike<number> | null,
  options?: MeshOptions,
): Mesh {
  return asShape(isMesh(positions) ? positions : buildMesh(positions, index, options));
}

const isMesh = (value: ArrayLike<number> | Mesh): value is Mesh =>
  typeof value === 'object' && value !== null && 'tree' in value;

/** The mesh that `saveMesh` gave: see `loadMesh` of `graze/trimesh`. O(n). */
export const loadMesh = (buffer: ArrayBuffer | SharedArrayBuffer): Mesh => asShape(loadBareMesh(buffer));

function asShape(made: Mesh): Mesh {
  made[FAMILY] = SURFACE;
  return made;
}

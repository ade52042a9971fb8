/** Is a point inside of a mesh? */
import { checkPoint, mustHave } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { isOnSurface } from './crossing-number.ts';
import type { Mesh } from './mesh.ts';
import { isSurrounded } from './winding.ts';

/**
 * Is p inside of the mesh or on one of its triangles? Inside is where the mesh winds around p, counter-clockwise
 * triangles facing out: see `windingNumberMesh`. So cavities with walls that face inwards are outside, what several
 * parts overlap in is inside, and a mesh turned inside out contains nothing but its surface.
 *
 * For a closed mesh (vertices at the same position count as one) the answer is exact. A mesh with holes contains the
 * points with a winding number above 1/2, which closes its holes in the most even way. About O(log n); O(n log n) for
 * the first query of a mesh.
 */
export function containsPointMesh(p: ReadonlyVec3, mesh: Mesh): boolean {
  checkPoint('containsPointMesh', 'p', p);
  mustHave('containsPointMesh', 'mesh', mesh, 'a mesh', 'tree');
  return isInside(p, mesh);
}

/** `containsPointMesh` without the checks. @internal */
export const isInside = (p: ReadonlyVec3, mesh: Mesh): boolean =>
  isSurrounded(p, mesh) || isOnSurface(p, mesh);

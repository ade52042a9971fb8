/** How far is a point from a mesh, and on which side of it? */
import { checkPoint, mustHave } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { closestPointMesh, type MeshPoint, makeMeshPoint } from './closest.ts';
import { isInside } from './inside.ts';
import type { Mesh } from './mesh.ts';

const scratch = makeMeshPoint();

/**
 * The distance of p from the surface of the mesh, negative inside as decided by `containsPointMesh`. The closest point of
 * the surface goes to `out`, with the distance unsigned. The sign does not come from a normal there, so that it is right
 * at edges and corners too.
 */
export function signedDistanceMesh(p: ReadonlyVec3, mesh: Mesh, out: MeshPoint = scratch): number {
  checkPoint('signedDistanceMesh', 'p', p);
  mustHave('signedDistanceMesh', 'mesh', mesh, 'a mesh', 'tree');
  const inside = isInside(p, mesh); // before `out` is written, which may hold p
  const { distance } = closestPointMesh(p, mesh, Infinity, out)!;
  return distance > 0 && inside ? -distance : distance;
}

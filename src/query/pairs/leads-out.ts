/** Which contacts with the triangles of a solid lead out of it. */
import { type Frame, toSecond } from '../../convex/frame.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { isClosed } from '../../trimesh/derived.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { isSurrounded } from '../../trimesh/winding.ts';

/** Of the size of the triangle: how far beyond it one has to be to see on which side that is. */
const STEP = 1e-6;

const beyond = vec3();

/**
 * Does a normal lead out of a mesh at a point of one of its triangles? The least motion that parts a body from a triangle alone
 * may lead deeper into the solid behind it. `sign` is 1 for the normal, -1 for its opposite, `size` that of the triangle, and
 * `frame` the place of the mesh as seen by what the point and the normal are told of. Surfaces with holes have no inside.
 */
export function leadsOut(
  mesh: Mesh,
  frame: Frame,
  p: ReadonlyVec3,
  normal: ReadonlyVec3,
  sign: 1 | -1,
  size: number,
): boolean {
  if (!isClosed(mesh)) return true;
  const step = sign * STEP * size;
  beyond.x = p.x + step * normal.x;
  beyond.y = p.y + step * normal.y;
  beyond.z = p.z + step * normal.z;
  return !isSurrounded(toSecond(frame, beyond, beyond), mesh);
}

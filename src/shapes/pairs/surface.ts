/** Surfaces of triangles: meshes, and height fields, which have one inside. */
import { type Frame, toSecond } from '../../convex/frame.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { isClosed } from '../../trimesh/derived.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { isSurrounded } from '../../trimesh/winding.ts';
import type { Separation } from '../results.ts';
import type { HeightFieldShape } from '../shape.ts';

export type Surface = Mesh | HeightFieldShape;

export const meshOf = (shape: Surface): Mesh => (shape.kind === 'mesh' ? shape : shape.mesh);

/** Of the size of the triangle: how far beyond it one has to be to see on which side that is. */
const STEP = 1e-6;

const beyond = vec3();

/** Does the normal of a contact lead out of the mesh that is the second shape? `size` is that of the triangle. */
export const leadsOutOfSecond = (
  mesh: Mesh,
  frame: Frame,
  { pointB, normal }: Separation,
  size: number,
): boolean => leadsOut(mesh, frame, pointB, normal, STEP * size);

/** Does the opposite of the normal lead out of the mesh that is the first shape? */
export const leadsOutOfFirst = (mesh: Mesh, { pointA, normal }: Separation, size: number): boolean =>
  leadsOut(mesh, null, pointA, normal, -STEP * size);

/**
 * Does a step along a normal lead out of a mesh at a point of one of its triangles? The least motion that parts a shape from
 * a triangle alone may lead deeper into the solid behind it. Surfaces with holes have no inside.
 */
function leadsOut(mesh: Mesh, frame: Frame | null, p: ReadonlyVec3, n: ReadonlyVec3, step: number): boolean {
  if (!isClosed(mesh)) return true;
  beyond.x = p.x + step * n.x;
  beyond.y = p.y + step * n.y;
  beyond.z = p.z + step * n.z;
  return !isSurrounded(frame ? toSecond(frame, beyond, beyond) : beyond, mesh);
}

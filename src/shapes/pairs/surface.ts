/** Surfaces of triangles: meshes, and height fields, which have one inside. */
import { type Frame, toSecond } from '../../convex/frame.ts';
import { BEYOND_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { fillNearest, type MeshPoint, NearestSearch, searchNearest } from '../../trimesh/closest.ts';
import { isClosed } from '../../trimesh/derived.ts';
import { loadTriangle, type Mesh, makeCorners } from '../../trimesh/mesh.ts';
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

const search = /* @__PURE__ */ new NearestSearch();
const corners = /* @__PURE__ */ makeCorners();
const across = vec3(0.5, 0.5, 0.5);

/**
 * From a point inside of a closed mesh to the nearest point of its surface, `exit`. The normal is the unit vector there; for a
 * point so near that the difference of the two is rounding, that of the triangle.
 */
export function findExit(p: ReadonlyVec3, mesh: Mesh, exit: MeshPoint, normal: Vec3): void {
  const { x, y, z } = v3.copy(p, search.point);
  const slot = searchNearest(search, mesh);
  fillNearest(search, mesh, slot, exit);
  v3.sub(exit.point, p, normal);
  if (!(exit.distance > BEYOND_ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z)))) {
    loadTriangle(mesh, slot, corners);
    const { a, b, c } = corners;
    v3.cross(v3.sub(b, a, normal), v3.sub(c, a, across), normal);
  }
  const length = v3.length(normal);
  if (length > 0) v3.scale(normal, 1 / length, normal);
  else v3.set(0, 1, 0, normal);
}

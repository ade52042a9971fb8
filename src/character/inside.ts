/** Is the character's centre inside of a solid, and what is the shortest way to its surface? `map` is that of the solid. */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { closestPointMesh, makeMeshPoint } from '../trimesh/closest.ts';
import { isClosed } from '../trimesh/derived.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { isSurrounded } from '../trimesh/winding.ts';
import type { MoveContext } from './move-context.ts';

/** The character's centre, in the space of the collider. */
export function loadCenter({ map, nearby }: MoveContext, center: Vec3): Vec3 {
  const { inside } = nearby;
  const x = inside.x - map.tx;
  const y = inside.y - map.ty;
  const z = inside.z - map.tz;
  center.x = map.xx * x + map.xy * y + map.xz * z;
  center.y = map.yx * x + map.yy * y + map.yz * z;
  center.z = map.zx * x + map.zy * y + map.zz * z;
  return center;
}

/** Takes note of a way out, along a unit vector in the space of the collider. */
export function noteInside({ map, nearby }: MoveContext, { x, y, z }: ReadonlyVec3, depth: number): void {
  const { inside } = nearby;
  if (!(depth > inside.depth)) return;
  inside.depth = depth;
  inside.nx = map.xx * x + map.yx * y + map.zx * z;
  inside.ny = map.xy * x + map.yy * y + map.zy * z;
  inside.nz = map.xz * x + map.yz * y + map.zz * z;
}

const center = vec3(0.5, 0.5, 0.5);
const nearest = makeMeshPoint();

/**
 * Is the centre inside of a closed mesh? A mesh that is turned inside out, a room, has no inside. O(n log n) for the first
 * question about a mesh.
 */
export function lookInside(move: MoveContext, mesh: Mesh): void {
  loadCenter(move, center);
  const { min, max } = mesh.bounds;
  const { x, y, z } = center;
  const isIn = x > min.x && y > min.y && z > min.z && x < max.x && y < max.y && z < max.z;
  if (!isIn || !isClosed(mesh) || !isSurrounded(center, mesh)) return;
  const { point, distance } = closestPointMesh(center, mesh, Infinity, nearest)!;
  if (distance > 0) noteInside(move, v3.scale(v3.sub(point, center, center), 1 / distance, center), distance);
}

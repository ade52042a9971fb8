/** What a mesh that deforms is cast against: triangles, and shapes as triangles. */
import { POINT, SEGMENT } from '../../convex/core.ts';
import { mustBePose, mustHave, refuse } from '../../math/check.ts';
import { transformPoint } from '../../math/pose.ts';
import { type ReadonlyPose, vec3 } from '../../math/types.ts';
import type { Shape } from '../../shapes/shape.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import type { DeformingMesh } from './deforming-mesh.ts';

/** Triangles that move in straight lines or stand, and what is within a radius of them. */
export interface DeformingTarget {
  readonly positions0: ArrayLike<number>;
  /** Default: `positions0`, at rest. */
  readonly positions1?: ArrayLike<number>;
  /** Three numbers a triangle, or a `deformingMesh` of them. Triangles may be segments or points. */
  readonly indices: ArrayLike<number> | DeformingMesh;
  /** Default: 0. */
  readonly radius?: number;
}

/**
 * A shape, at a pose, for `castDeforming`: meshes, height fields, boxes, hulls, polygons, triangles (their surfaces, rounding
 * included), segments, points, spheres and capsules. A sphere is a point with a radius and a capsule a segment with one, so
 * these are exact too. Vertices that a pose turns are rounded, once, here. Cylinders, cones, ellipsoids and all else that is
 * not made of triangles is refused: give the triangles of a mesh of it.
 */
export function deformingTarget(shape: Shape, pose?: ReadonlyPose): DeformingTarget {
  mustHave('deformingTarget', 'shape', shape, 'a shape', 'kind');
  if (pose !== undefined) mustBePose('deformingTarget', 'pose', pose);
  const positions: number[] = [];
  const indices: number[] = [];
  let radius = 0;
  if (shape.kind === 'mesh') readMesh(shape, positions, indices);
  else if (shape.kind === 'heightField') readMesh(shape.mesh, positions, indices);
  else if ('core' in shape && shape.core.type === POINT) {
    positions.push(0, 0, 0);
    indices.push(0, 0, 0);
    radius = shape.core.radius;
  } else if ('core' in shape && shape.core.type === SEGMENT) {
    positions.push(...shape.core.data);
    indices.push(0, 1, 1);
    radius = shape.core.radius;
  } else if ('faces' in shape && shape.faces !== null && 'core' in shape) {
    for (const { x, y, z } of shape.faces.vertices) positions.push(x, y, z);
    for (const face of shape.faces.faces)
      for (let i = 2; i < face.length; i++) indices.push(face[0]!, face[i - 1]!, face[i]!);
    radius = shape.core.radius;
  } else
    refuse(
      'deformingTarget',
      'shape',
      `must be made of triangles, or be a point, a segment, a sphere or a capsule, not a ${shape.kind}: give a mesh of it`,
    );
  const positions0 = Float64Array.from(positions);
  if (pose) {
    const p = vec3();
    for (let i = 0; i < positions0.length; i += 3) {
      transformPoint(pose, vec3(positions0[i], positions0[i + 1], positions0[i + 2]), p);
      positions0[i] = p.x;
      positions0[i + 1] = p.y;
      positions0[i + 2] = p.z;
    }
  }
  return { positions0, indices: Uint32Array.from(indices), radius };
}

function readMesh({ vertices, corners }: Mesh, positions: number[], indices: number[]): void {
  for (let i = 0; i < vertices.length; i++) positions.push(vertices[i]!);
  for (let i = 0; i < corners.length; i++) indices.push(corners[i]!);
}

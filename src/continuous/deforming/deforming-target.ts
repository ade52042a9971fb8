/** What a mesh that deforms is cast against: triangles that move or stand, and shapes. */
import { POINT, SEGMENT } from '../../convex/core.ts';
import { boundsOfCore } from '../../convex/core-bounds.ts';
import { describe, mustBePose, mustHave, refuse } from '../../math/check.ts';
import { composePoses, transformPoint, transformVector } from '../../math/pose.ts';
import * as q4 from '../../math/quat.ts';
import { pose as makePose, type ReadonlyPose, type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { type Aabb, makeAabb } from '../../primitives/types.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import type { AnyShape, AnySimpleShape } from '../any-shape.ts';
import { castTriangleConvex } from './convex-target.ts';
import { DeformingMesh } from './deforming-mesh.ts';
import type { MovingTriangle } from './moving-triangle.ts';

/** Triangles that move in straight lines or stand, and what is within a radius of them. */
export interface DeformingTriangles {
  readonly kind?: 'triangles';
  readonly positions0: ArrayLike<number>;
  /** Default: `positions0`, at rest. */
  readonly positions1?: ArrayLike<number>;
  /** Three numbers a triangle, or a `deformingMesh` of them. Triangles may be segments or points. */
  readonly indices: ArrayLike<number> | DeformingMesh;
  /** Default: 0. */
  readonly radius?: number;
}

/** All points x with normal · x <= d. The normal is taken as a unit vector. */
export interface DeformingHalfSpace {
  readonly kind: 'halfSpace';
  readonly normal: ReadonlyVec3;
  readonly d: number;
}

/** A convex shape that has no triangles, where it stands. Made by `deformingTarget` only. */
export interface DeformingConvex {
  readonly kind: 'convex';
  /** A box around it. */
  readonly bounds: Readonly<Aabb>;
  /** Does a triangle that moves touch it? @internal */
  readonly cast: (triangle: MovingTriangle) => boolean;
}

/** Several of them in one. A contact tells the number of the part. */
export interface DeformingCompound {
  readonly kind: 'compound';
  readonly parts: readonly DeformingPart[];
}

export type DeformingPart = DeformingTriangles | DeformingHalfSpace | DeformingConvex;
export type DeformingTarget = DeformingPart | DeformingCompound;

/**
 * Any shape, at a pose, for `castDeforming`.
 *
 *  - Meshes, height fields, boxes, hulls, polygons, triangles: their surfaces, rounding included. Exact.
 *  - Segments, points, spheres, capsules: a sphere is a point with a radius, a capsule a segment with one. Exact.
 *  - Half-spaces: a vertex below the plane touches. Exact.
 *  - Cylinders, cones, ellipsoids, support maps: solid, and what comes as near as 1e-12 of the sizes touches. Never late. The
 *    sizes are the reach of the shape from its origin, and the sum of the coordinates of the triangle from there.
 *  - Compounds: each part as above.
 *
 * Vertices and planes that a pose turns are rounded, once, here.
 */
export function deformingTarget(shape: AnyShape, pose?: ReadonlyPose): DeformingTarget {
  mustHave('deformingTarget', 'shape', shape, 'a shape', 'kind');
  if (pose !== undefined) mustBePose('deformingTarget', 'pose', pose);
  const own = makePose();
  if (pose) {
    v3.copy(pose.position, own.position);
    q4.normalize(pose.quaternion, own.quaternion);
  }
  if (shape.kind !== 'compound') return partOf(shape, own);
  const parts = shape.children.map((child) => {
    const placed = composePoses(own, child.pose);
    q4.normalize(placed.quaternion, placed.quaternion);
    return partOf(child.shape, placed);
  });
  return { kind: 'compound', parts };
}

/** The pose is not changed any more. */
function partOf(shape: AnySimpleShape, pose: ReadonlyPose): DeformingPart {
  if (shape.kind === 'halfSpace') {
    const normal = transformVector(pose, shape.normal);
    return { kind: 'halfSpace', normal, d: shape.d + v3.dot(normal, pose.position) };
  }
  const positions: number[] = [];
  const indices: number[] = [];
  let radius = 0;
  if (shape.kind === 'mesh') readMesh(shape, positions, indices);
  else if (shape.kind === 'heightField' || shape.kind === 'skinned') readMesh(shape.mesh, positions, indices);
  else {
    if (!('core' in shape))
      refuse(
        'deformingTarget',
        'shape',
        'bound' in shape
          ? `must be made of triangles, or convex, or a half-space, which ${shape.kind} shapes are not: give it a mesh of the surface`
          : `must be of a known kind, got ${describe((shape as AnyShape).kind)}`,
      );
    const { core, faces } = shape;
    radius = core.radius;
    if (core.type === POINT) {
      positions.push(0, 0, 0);
      indices.push(0, 0, 0);
    } else if (core.type === SEGMENT) {
      positions.push(...core.data);
      indices.push(0, 1, 1);
    } else if (faces !== null) {
      for (const { x, y, z } of faces.vertices) positions.push(x, y, z);
      for (const face of faces.faces)
        for (let i = 2; i < face.length; i++) indices.push(face[0]!, face[i - 1]!, face[i]!);
    } else
      return {
        kind: 'convex',
        bounds: boundsOfCore(core, pose, makeAabb()),
        cast: (triangle) => castTriangleConvex(core, pose, triangle),
      };
  }
  const p = vec3();
  for (let i = 0; i < positions.length; i += 3) {
    transformPoint(pose, v3.set(positions[i]!, positions[i + 1]!, positions[i + 2]!, p), p);
    positions[i] = p.x;
    positions[i + 1] = p.y;
    positions[i + 2] = p.z;
  }
  const vertexCount = positions.length / 3;
  return {
    kind: 'triangles',
    positions0: Float64Array.from(positions),
    indices: new DeformingMesh(Uint32Array.from(indices), vertexCount),
    radius,
  };
}

function readMesh({ vertices, corners }: Mesh, positions: number[], indices: number[]): void {
  for (let i = 0; i < vertices.length; i++) positions.push(vertices[i]!);
  for (let i = 0; i < corners.length; i++) indices.push(corners[i]!);
}

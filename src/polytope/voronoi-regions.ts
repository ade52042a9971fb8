/** The planes between the Voronoi regions of a convex polyhedron's features. RTCD §3.10. */
import { mustHave, refuse } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { mustBePolyhedron } from './input.ts';
import { isSphereLike } from './mesh-facts.ts';
import type { ReadonlyPolyhedron } from './types.ts';

/** The regions of the features of a polyhedron, vertices and faces in its order. Made by `voronoiRegions`. */
export interface VoronoiRegions {
  readonly vertices: readonly VertexRegion[];
  readonly edges: readonly EdgeRegion[];
  readonly faces: readonly FaceRegion[];
}

export interface VertexRegion {
  readonly point: ReadonlyVec3;
  /** Indices of the edges that end here. */
  readonly edges: readonly number[];
}

export interface EdgeRegion {
  /** Indices of the vertices where it starts and ends, and their positions. */
  readonly from: number;
  readonly to: number;
  readonly start: ReadonlyVec3;
  readonly end: ReadonlyVec3;
  /** Unit vector from start to end. */
  readonly along: ReadonlyVec3;
  /** Index of the face to the left, seen from outside, and the unit vector from the edge straight into it. */
  readonly left: number;
  readonly intoLeft: ReadonlyVec3;
  readonly right: number;
  readonly intoRight: ReadonlyVec3;
}

export interface FaceRegion {
  /** Unit vector that points out. */
  readonly normal: ReadonlyVec3;
  /** A vertex of the face. */
  readonly point: ReadonlyVec3;
  /** Indices of the edges around it. */
  readonly edges: readonly number[];
}

/** Prepares a convex polyhedron for `voronoiFeature`. Throws when its faces do not make a closed surface. */
export function voronoiRegions(polyhedron: ReadonlyPolyhedron): VoronoiRegions {
  mustHave('voronoiRegions', 'polyhedron', polyhedron, 'a polyhedron', 'vertices');
  mustBePolyhedron('voronoiRegions', polyhedron);
  const { faces, planes } = polyhedron;
  if (!isSphereLike(faces))
    refuse('voronoiRegions', 'polyhedron.faces', 'must make one closed surface that faces out');
  const points = polyhedron.vertices.map((v) => v3.copy(v));
  const normals = planes.map(({ normal }) => v3.normalize(normal));
  const edges = edgeRegions(points, faces, normals);
  const atVertex: number[][] = points.map(() => []);
  const aroundFace: number[][] = faces.map(() => []);
  for (const [e, edge] of edges.entries()) {
    atVertex[edge.from]!.push(e);
    atVertex[edge.to]!.push(e);
    aroundFace[edge.left]!.push(e);
    aroundFace[edge.right]!.push(e);
  }
  return {
    vertices: points.map((point, i) => ({ point, edges: atVertex[i]! })),
    edges,
    faces: faces.map((face, f) => ({
      normal: normals[f]!,
      point: points[face[0]!]!,
      edges: aroundFace[f]!,
    })),
  };
}

function edgeRegions(
  points: readonly ReadonlyVec3[],
  faces: readonly (readonly number[])[],
  normals: readonly ReadonlyVec3[],
): EdgeRegion[] {
  const edges: EdgeRegion[] = [];
  const leftOf = new Map<string, number>();
  for (const [f, face] of faces.entries())
    for (const [k, from] of face.entries()) leftOf.set(`${from} ${face[(k + 1) % face.length]}`, f);
  for (const [key, left] of leftOf) {
    const [from, to] = key.split(' ').map(Number) as [number, number];
    if (from > to) continue; // it has its turn the other way round
    const right = leftOf.get(`${to} ${from}`)!;
    const start = points[from]!;
    const end = points[to]!;
    const along = v3.normalize(v3.sub(end, start));
    const intoLeft = v3.normalize(v3.cross(normals[left]!, along));
    const intoRight = v3.normalize(v3.cross(along, normals[right]!));
    edges.push({ from, to, start, end, along, left, intoLeft, right, intoRight });
  }
  return edges;
}

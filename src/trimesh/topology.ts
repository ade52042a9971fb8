/** How the triangles of a mesh hang together, by the positions of their corners. What is found is kept by `derived.ts`. */
import { disjointSets, findRoot, joinSets } from '../mesh/disjoint-sets.ts';
import { halfEdges } from '../mesh/half-edge.ts';
import { rimEdges } from '../mesh/seams.ts';
import { weldEqual } from '../mesh/weld.ts';
import type { Mesh } from './mesh.ts';

/** See `boundaryOf`. @internal */
export function findBoundary({ vertices, corners }: Mesh): Float64Array {
  const edges = rimEdges({ positions: vertices, index: new Uint32Array(corners) });
  const boundary = new Float64Array(edges.length * 3);
  for (let i = 0; i < edges.length; i++)
    for (let k = 0; k < 3; k++) boundary[3 * i + k] = vertices[3 * edges[i]! + k]!;
  return boundary;
}

/** Numbers of vertices and edges; those at equal positions have one number. Triangles are in the order of the tree. */
export interface MeshFeatures {
  readonly vertexCount: number;
  readonly edgeCount: number;
  /** Three a triangle: its corners. */
  readonly vertices: Uint32Array;
  /** Three a triangle: its edges, from the first corner to the second, and so on. */
  readonly edges: Uint32Array;
}

/** @internal */
export function findFeatures(mesh: Mesh): MeshFeatures {
  const { vertices, count } = weldedCorners(mesh);
  const { edge, edgeCount } = halfEdges(vertices, count);
  return { vertexCount: count, edgeCount, vertices, edges: edge };
}

/** See `partsOf`. @internal */
export function findParts(mesh: Pick<Mesh, 'vertices' | 'corners'>): Uint32Array {
  const { vertices, count } = weldedCorners(mesh);
  const sets = disjointSets(count);
  for (let i = 0; i < vertices.length; i += 3) {
    joinSets(sets, vertices[i]!, vertices[i + 1]!);
    joinSets(sets, vertices[i]!, vertices[i + 2]!);
  }
  const seen = new Uint8Array(count);
  const seeds: number[] = [];
  for (let i = 0; i < vertices.length; i += 3) {
    const root = findRoot(sets, vertices[i]!);
    if (seen[root]) continue;
    seen[root] = 1;
    seeds.push(i / 3);
  }
  return Uint32Array.from(seeds);
}

function weldedCorners({ vertices, corners }: Pick<Mesh, 'vertices' | 'corners'>): {
  vertices: Uint32Array;
  count: number;
} {
  const { positions, remap } = weldEqual(vertices);
  return { vertices: Uint32Array.from(corners, (vertex) => remap[vertex]!), count: positions.length / 3 };
}

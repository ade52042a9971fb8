/** How the triangles of a mesh hang together, by the places of their corners; worked out when first needed, and kept. */
import { disjointSets, findRoot, joinSets } from '../mesh/disjoint-sets.ts';
import { halfEdges } from '../mesh/half-edge.ts';
import { weldPositions } from '../mesh/weld.ts';
import type { Mesh } from './mesh.ts';

/** Numbers of vertices and edges; what lies in one place has one number. Triangles are in the order of the tree. */
export interface MeshFeatures {
  readonly vertexCount: number;
  readonly edgeCount: number;
  /** Three a triangle: its corners. */
  readonly vertices: Uint32Array;
  /** Three a triangle: its edges, from the first corner to the second, and so on. */
  readonly edges: Uint32Array;
}

const features = new WeakMap<Mesh, MeshFeatures>();
const parts = new WeakMap<Mesh, Uint32Array>();

export function featuresOf(mesh: Mesh): MeshFeatures {
  const known = features.get(mesh);
  if (known) return known;
  const { vertices, count } = weldedCorners(mesh);
  const { edge, edgeCount } = halfEdges(vertices, count);
  const found = { vertexCount: count, edgeCount, vertices, edges: edge };
  features.set(mesh, found);
  return found;
}

/**
 * For each part of the mesh, triangles joined by corners, one of its triangles (in the order of the tree). A part is
 * wholly on one side of any closed surface that it does not meet.
 */
export function partsOf(mesh: Mesh): Uint32Array {
  const known = parts.get(mesh);
  if (known) return known;
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
  const found = Uint32Array.from(seeds);
  parts.set(mesh, found);
  return found;
}

function weldedCorners({ vertices, corners }: Mesh): { vertices: Uint32Array; count: number } {
  const { positions, remap } = weldPositions(vertices, 0, 'first');
  return { vertices: Uint32Array.from(corners, (vertex) => remap[vertex]!), count: positions.length / 3 };
}

/** What counting says about a mesh. RTCD §12.6. */
import { mustBeNumber, mustHave, refuse } from '../math/check.ts';
import { type Components, componentsOf } from './components.ts';
import { disjointSets, findRoot, joinSets } from './disjoint-sets.ts';
import { type FacesLike, type HalfEdges, halfEdgesOfLoops, readLoops } from './half-edge.ts';
import { findFlips } from './orient.ts';

/** Counts of one component of a mesh, and what follows from them. */
export interface ComponentTopology {
  /** Its first face. */
  readonly seed: number;
  readonly vertices: number;
  readonly edges: number;
  readonly faces: number;
  /** V + F - E. */
  readonly characteristic: number;
  /** Edges of one face. */
  readonly borderEdges: number;
  /** The closed lines that the border edges make. In a planar graph, the outer face is beyond one of them. */
  readonly borders: number;
  /** At most two faces along each edge, and around each vertex a single fan of them. */
  readonly isManifold: boolean;
  /** Two sides, so that faces can agree on what is outside; whether they do is another matter. */
  readonly isOrientable: boolean;
  /**
   * Handles: 0 for a sphere, 1 for a torus, and likewise with borders. From V + F - E + borders = 2 (1 - genus), which
   * holds for two-sided manifolds: null for others.
   */
  readonly genus: number | null;
}

/** Counts of a mesh for `isEulerConsistent`. */
export interface MeshCounts {
  readonly vertices: number;
  readonly triangles: number;
  readonly quads?: number;
  /** If known: else half the sides of the faces. */
  readonly edges?: number;
  /** 0 if not given. */
  readonly genus?: number;
}

/** The Euler–Poincaré formula for each component of a mesh. Faces are taken for discs. O(n). RTCD §12.6. */
export function meshTopology(faces: FacesLike, vertexCount: number): ComponentTopology[] {
  mustBeNumber('meshTopology', 'vertexCount', vertexCount);
  return topologyOf(halfEdgesOfLoops(readLoops('meshTopology', faces, vertexCount), vertexCount));
}

/**
 * Can a closed manifold of one piece have these counts? Its sides pair up to 2 E = 3 T + 4 Q, so T is even; and
 * V + T + Q - E = 2 (1 - genus), which for triangles alone on a sphere is T = 2 V - 4 and E = 3 V - 6, and for quads
 * alone Q = V - 2. No means that something is wrong; yes does not mean that nothing is. RTCD §12.6.
 */
export function isEulerConsistent(counts: MeshCounts): boolean {
  mustHave('isEulerConsistent', 'counts', counts, 'a mesh counts', 'vertices');
  const { vertices, triangles, quads = 0, genus = 0 } = counts;
  const sides = 3 * triangles + 4 * quads;
  const { edges = sides / 2 } = counts;
  for (const [name, count] of Object.entries({ vertices, triangles, quads, genus, edges: 2 * edges }))
    if (!(Number.isInteger(count) && count >= 0))
      refuse('isEulerConsistent', `counts.${name}`, `must be a whole number, got ${count}`);
  return 2 * edges === sides && sides % 2 === 0 && vertices + triangles + quads - edges === 2 * (1 - genus);
}

/** @internal */
export function topologyOf(
  mesh: HalfEdges,
  components: Components = componentsOf(mesh),
): ComponentTopology[] {
  const { edgeStart, radial, face, vertex, next } = mesh;
  const { labels, seeds } = components;
  const tally = Array.from(seeds, () => ({
    vertices: 0,
    edges: 0,
    faces: 0,
    borderEdges: 0,
    isManifold: true,
  }));
  for (const label of labels) tally[label]!.faces++;
  const lines = disjointSets(mesh.vertexCount);
  for (const h of edgeStart) {
    const of = tally[labels[face[h]!]!]!;
    of.edges++;
    if (radial[h] === h) {
      of.borderEdges++;
      joinSets(lines, vertex[h]!, vertex[next[h]!]!);
    } else if (radial[radial[h]!] !== h) of.isManifold = false;
  }
  for (const { label, fans } of fansOf(mesh, labels)) {
    tally[label]!.vertices++;
    if (fans > 1) tally[label]!.isManifold = false;
  }
  // In a manifold, lines of border edges do not meet: each set of vertices is one of them.
  const borders = Array.from(seeds, () => new Set<number>());
  for (const h of edgeStart)
    if (radial[h] === h) borders[labels[face[h]!]!]!.add(findRoot(lines, vertex[h]!));
  const oneSided = new Set(findFlips(mesh).oneSided.map((f) => labels[f]!));

  return tally.map((of, label) => {
    const characteristic = of.vertices + of.faces - of.edges;
    const isOrientable = !oneSided.has(label);
    const handles = 1 - (characteristic + borders[label]!.size) / 2;
    return {
      seed: seeds[label]!,
      ...of,
      characteristic,
      borders: borders[label]!.size,
      isOrientable,
      genus: of.isManifold && isOrientable ? handles : null,
    };
  });
}

/**
 * For each vertex, and each component that it is part of, the number of fans: faces around it that follow each other
 * across edges.
 *
 * @internal
 */
export function fansOf(
  mesh: HalfEdges,
  labels: Uint32Array,
): { vertex: number; label: number; fans: number }[] {
  const { vertexCount, vertexStart, outgoing, face, faceStart, edge } = mesh;
  const found: { vertex: number; label: number; fans: number }[] = [];
  // The corners of a vertex are joined when they have an edge in common; the edge remembers one of them.
  const corners = disjointSets(outgoing.length);
  const cornerOf = new Int32Array(mesh.edgeCount).fill(-1);
  for (let v = 0; v < vertexCount; v++) {
    const begin = vertexStart[v]!;
    const end = vertexStart[v + 1]!;
    for (let i = begin; i < end; i++) {
      const h = outgoing[i]!;
      const f = face[h]!;
      const before = h === faceStart[f]! ? faceStart[f + 1]! - 1 : h - 1;
      for (const e of [edge[h]!, edge[before]!]) {
        if (cornerOf[e]! >= begin) joinSets(corners, cornerOf[e]!, i);
        cornerOf[e] = i;
      }
    }
    const fans = new Map<number, number>();
    for (let i = begin; i < end; i++) {
      const label = labels[face[outgoing[i]!]!]!;
      fans.set(label, (fans.get(label) ?? 0) + (findRoot(corners, i) === i ? 1 : 0));
    }
    for (const [label, count] of fans) found.push({ vertex: v, label, fans: count });
  }
  return found;
}

/** The pieces that a mesh falls into. RTCD §12.2.3. */
import { mustBeNumber } from '../math/check.ts';
import { type FacesLike, type HalfEdges, halfEdgesOfLoops, readLoops } from './half-edge.ts';

/** Faces joined by edges, directly or through others, are one component. */
export interface Components {
  readonly count: number;
  /** For each face the number of its component; components are numbered in the order of their first faces. */
  readonly labels: Uint32Array;
  /** For each component its first face. */
  readonly seeds: Uint32Array;
}

/**
 * Which faces hang together by edges? Faces that meet in a vertex only do not. O(n), without recursion. RTCD §12.2.3.
 */
export function connectedComponents(faces: FacesLike, vertexCount: number): Components {
  mustBeNumber('connectedComponents', 'vertexCount', vertexCount);
  return componentsOf(halfEdgesOfLoops(readLoops('connectedComponents', faces, vertexCount), vertexCount));
}

/** @internal */
export function componentsOf(mesh: HalfEdges): Components {
  const { faceCount, faceStart, face, edge, edgeCount, radial } = mesh;
  const labels = new Uint32Array(faceCount);
  const reached = new Uint8Array(faceCount);
  // Once around each edge, or an edge of k faces would cost k² steps.
  const crossed = new Uint8Array(edgeCount);
  const seeds: number[] = [];
  // A face is stacked when it is reached, so once.
  const stack = new Uint32Array(faceCount);
  for (let seed = 0; seed < faceCount; seed++) {
    if (reached[seed]) continue;
    const label = seeds.push(seed) - 1;
    let top = 0;
    stack[top++] = seed;
    reached[seed] = 1;
    while (top > 0) {
      const f = stack[--top]!;
      labels[f] = label;
      for (let h = faceStart[f]!; h < faceStart[f + 1]!; h++) {
        if (crossed[edge[h]!]) continue;
        crossed[edge[h]!] = 1;
        for (let other = radial[h]!; other !== h; other = radial[other]!) {
          const g = face[other]!;
          if (reached[g]) continue;
          reached[g] = 1;
          stack[top++] = g;
        }
      }
    }
  }
  return { count: seeds.length, labels, seeds: Uint32Array.from(seeds) };
}

/**
 * Which triangle tests which edge, so that an edge that two triangles share is tested once. Curtis, Tamstorf and Manocha 2008
 * (representative triangles); Mujika et al. §4.
 *
 * Triangles all of whose edges are tested by their neighbours need not test any. To leave them out altogether, as the paper
 * does, loses what goes through such a triangle without touching an edge of it; `without` lists them. Nothing is lost if they
 * still take part as faces, tested against the edges of others: two triangles meet where an edge of one meets the other.
 */
import { readTriangles, type TrianglesLike } from '../../mesh/triangles.ts';

export interface Representatives {
  /** For each triangle the edges that it tests: 1 for ab, 2 for bc, 4 for ca. Each edge has one such triangle. */
  readonly edges: Uint8Array;
  /** The triangles that test none. */
  readonly without: Uint32Array;
}

/** Edges by the numbers of their ends, as many triangles without any as are found by going through them once. O(n). */
export function representativeTriangles(triangles: TrianglesLike): Representatives {
  const { index, positions } = readTriangles('representativeTriangles: triangles', triangles);
  const count = index.length / 3;
  const vertexCount = positions.length / 3;
  const users = new Map<number, number[]>();
  const keyOf = (t: number, k: number): number => {
    const a = index[3 * t + k]!;
    const b = index[3 * t + ((k + 1) % 3)]!;
    return Math.min(a, b) * vertexCount + Math.max(a, b);
  };
  for (let t = 0; t < count; t++)
    for (let k = 0; k < 3; k++) {
      const list = users.get(keyOf(t, k));
      if (list) list.push(t);
      else users.set(keyOf(t, k), [t]);
    }
  // A triangle is spared if all of its edges have another user that is not spared itself.
  const spared = new Uint8Array(count);
  for (let t = 0; t < count; t++) {
    spared[t] = 1;
    for (let k = 0; k < 3; k++)
      if (!users.get(keyOf(t, k))!.some((other) => other !== t && spared[other] === 0)) spared[t] = 0;
    if (spared[t] === 1)
      for (let k = 0; k < 3; k++)
        if (users.get(keyOf(t, k))!.every((other) => other === t || spared[other] === 1)) spared[t] = 0;
  }
  const edges = new Uint8Array(count);
  const taken = new Set<number>();
  for (let t = 0; t < count; t++) {
    if (spared[t] === 1) continue;
    for (let k = 0; k < 3; k++) {
      const key = keyOf(t, k);
      if (taken.has(key)) continue;
      taken.add(key);
      edges[t]! |= 1 << k;
    }
  }
  return { edges, without: Uint32Array.from(edges.keys()).filter((t) => edges[t] === 0) };
}

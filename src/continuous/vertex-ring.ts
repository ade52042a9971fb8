/** Which vertices are joined to a vertex by an edge. Found once for a model, when it is first needed. */
import type { PolyhedralModel } from './types.ts';

/** @internal The neighbours of vertex v are number `start[v]` to `start[v + 1] - 1` of `ring`. */
export interface VertexRing {
  readonly start: Int32Array;
  readonly ring: Int32Array;
}

const known = new WeakMap<PolyhedralModel, VertexRing>();

/** @internal */
export function vertexRing(model: PolyhedralModel): VertexRing {
  let found = known.get(model);
  if (!found) {
    found = makeRing(model);
    known.set(model, found);
  }
  return found;
}

function makeRing({ points, edges }: PolyhedralModel): VertexRing {
  const count = points.length / 3;
  const start = new Int32Array(count + 1);
  for (let i = 0; i < edges.length; i++) start[edges[i]! + 1]!++;
  for (let v = 0; v < count; v++) start[v + 1]! += start[v]!;
  const ring = new Int32Array(edges.length);
  const filled = start.slice(0, count);
  for (let i = 0; i < edges.length; i++) ring[filled[edges[i]!]!++] = edges[i ^ 1]!;
  return { start, ring };
}

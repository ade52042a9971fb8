/** Which vertices are joined to a vertex by an edge. Found once for a model, when it is first needed. */
import type { PolyhedralModel, VertexRing } from '../types.ts';

/** @internal */
export function vertexRing(model: PolyhedralModel): VertexRing {
  const { sweeper } = model;
  sweeper.ring ??= makeRing(model);
  return sweeper.ring;
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

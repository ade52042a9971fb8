/** The edges of a polyhedron, found once per list of faces. */
import { refuse } from '../../math/check.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';

const known = new WeakMap<object, Int32Array>();

/**
 * Four numbers an edge: from, to, the face on its left (whose loop runs from → to) and the one on its right.
 * @internal
 */
export function edgesOf(caller: string, name: string, polyhedron: ReadonlyPolyhedron): Int32Array {
  return known.get(polyhedron.faces) ?? findEdges(caller, name, polyhedron);
}

function findEdges(caller: string, name: string, { faces, vertices }: ReadonlyPolyhedron): Int32Array {
  const left = new Map<number, number>();
  faces.forEach((face, f) => {
    face.forEach((from, k) => {
      left.set(from * vertices.length + face[(k + 1) % face.length]!, f);
    });
  });
  const edges: number[] = [];
  for (const [key, face] of left) {
    const to = key % vertices.length;
    const from = (key - to) / vertices.length;
    const right = left.get(to * vertices.length + from);
    if (right === undefined)
      refuse(caller, `${name}.faces`, `must be closed, but edge ${from}-${to} has a face on one side only`);
    if (from < to) edges.push(from, to, face, right);
  }
  const list = Int32Array.from(edges);
  known.set(faces, list);
  return list;
}

/** Vertices that do nothing: in the middle of a straight edge, for all faces that have them. RTCD §12.4. */
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { packMesh } from './edit-mesh.ts';
import { type HalfEdges, halfEdgesOf } from './half-edge.ts';
import type { PolygonMesh } from './polygon-mesh.ts';

/**
 * Drops vertices between the same two neighbours in all their faces when the edge does not move by more than the
 * tolerance. A chain of them is simplified as a whole, so that it cannot creep away; every face keeps three vertices.
 *
 * @internal
 */
export function dropStraightVertices(mesh: PolygonMesh, tolerance: number): PolygonMesh {
  const { vertices, faces } = mesh;
  const dropped = new Uint8Array(vertices.length);
  for (const chain of chains(mesh, halfEdgesOf(faces, vertices.length)))
    simplify(vertices, chain, tolerance, dropped);
  if (!dropped.includes(1)) return mesh;
  for (const face of faces) keepThree(vertices, face, dropped);
  return packMesh(
    vertices,
    faces.map((face) => face.filter((v) => !dropped[v])),
    mesh.tags,
  );
}

/**
 * The vertices of a loop that are not needed to draw it, give or take the tolerance; always three or more are.
 *
 * @internal
 */
export function straightVertices(
  vertices: readonly ReadonlyVec3[],
  loop: readonly number[],
  tolerance: number,
): ReadonlySet<number> {
  const dropped = new Uint8Array(loop.length);
  const points = loop.map((v) => vertices[v]!);
  const indices = loop.map((_, i) => i);
  for (const chain of splitLoop(points, indices, () => true)) simplify(points, chain, tolerance, dropped);
  keepThree(points, indices, dropped);
  return new Set(loop.filter((_, i) => dropped[i]));
}

/** The paths between corners over vertices that have two neighbours only, ends included. */
function chains({ vertices }: PolygonMesh, edges: HalfEdges): number[][] {
  const ends = neighbourPairs(edges);
  const isInner = (v: number) => ends[2 * v + 1]! >= 0;
  const done = new Uint8Array(vertices.length);
  const found: number[][] = [];
  for (let v = 0; v < vertices.length; v++) {
    if (!isInner(v) || done[v]) continue;
    const [head, loops] = follow(ends, isInner, v, ends[2 * v]!);
    const chain = loops
      ? head
      : [...head.reverse().slice(0, -1), ...follow(ends, isInner, v, ends[2 * v + 1]!)[0]];
    for (const u of chain) if (isInner(u)) done[u] = 1;
    found.push(...(chain[0] === chain.at(-1) ? splitLoop(vertices, chain.slice(0, -1), isInner) : [chain]));
  }
  return found;
}

/** From v through `next` up to the first corner, or all the way round: then with v at both ends, and true. */
function follow(
  ends: Int32Array,
  isInner: (v: number) => boolean,
  v: number,
  next: number,
): [path: number[], loops: boolean] {
  const path = [v];
  let at = next;
  while (isInner(at) && at !== v) {
    const last = path.at(-1)!;
    path.push(at);
    at = ends[2 * at] === last ? ends[2 * at + 1]! : ends[2 * at]!;
  }
  path.push(at);
  return [path, at === v];
}

/** For each vertex its two neighbours, or -1 in the second slot if it has more or fewer. */
function neighbourPairs({
  vertexCount,
  vertexStart,
  outgoing,
  vertex,
  next,
  face,
  faceStart,
}: HalfEdges): Int32Array {
  const pairs = new Int32Array(2 * vertexCount).fill(-1);
  for (let v = 0; v < vertexCount; v++) {
    let first = -1;
    let second = -1;
    let more = false;
    for (let i = vertexStart[v]!; i < vertexStart[v + 1]!; i++) {
      const h = outgoing[i]!;
      const f = face[h]!;
      const before = h === faceStart[f]! ? faceStart[f + 1]! - 1 : h - 1;
      for (const w of [vertex[next[h]!]!, vertex[before]!]) {
        if (w === first || w === second) continue;
        if (first < 0) first = w;
        else if (second < 0) second = w;
        else more = true;
      }
    }
    pairs[2 * v] = first;
    pairs[2 * v + 1] = more ? -1 : second;
  }
  return pairs;
}

/** Cuts a closed chain where it certainly has corners: at a real one or a farthest vertex, and at that farthest from it. */
function splitLoop(
  vertices: readonly ReadonlyVec3[],
  loop: number[],
  isInner: (v: number) => boolean,
): number[][] {
  const corner = loop.findIndex((v) => !isInner(v));
  const start = corner >= 0 ? corner : farthest(vertices, loop, vertices[loop[0]!]!);
  const rotated = [...loop.slice(start), ...loop.slice(0, start)];
  const middle = farthest(vertices, rotated, vertices[rotated[0]!]!);
  return [rotated.slice(0, middle + 1), [...rotated.slice(middle), rotated[0]!]];
}

function farthest(vertices: readonly ReadonlyVec3[], among: readonly number[], from: ReadonlyVec3): number {
  let best = 0;
  among.forEach((v, i) => {
    if (v3.distanceSq(vertices[v]!, from) > v3.distanceSq(vertices[among[best]!]!, from)) best = i;
  });
  return best;
}

/** Douglas and Peucker: keeps the vertex farthest from the line while that is beyond the tolerance. */
function simplify(
  vertices: readonly ReadonlyVec3[],
  chain: readonly number[],
  tolerance: number,
  dropped: Uint8Array,
): void {
  const stack = [0, chain.length - 1];
  while (stack.length > 0) {
    const end = stack.pop()!;
    const begin = stack.pop()!;
    let worst = -1;
    let worstSq = tolerance * tolerance;
    for (let i = begin + 1; i < end; i++) {
      const offSq = offsetSq(vertices[chain[i]!]!, vertices[chain[begin]!]!, vertices[chain[end]!]!);
      if (offSq > worstSq) {
        worst = i;
        worstSq = offSq;
      }
    }
    if (worst >= 0) stack.push(begin, worst, worst, end);
    else for (let i = begin + 1; i < end; i++) dropped[chain[i]!] = 1;
  }
}

/** Squared distance of p from segment ab. */
function offsetSq(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3): number {
  v3.sub(b, a, ab);
  v3.sub(p, a, ap);
  const lengthSq = v3.lengthSq(ab);
  const t = v3.dot(ap, ab);
  if (!(t > 0)) return v3.lengthSq(ap);
  if (!(t < lengthSq)) return v3.distanceSq(p, b);
  return v3.lengthSq(v3.cross(ap, ab, across)) / lengthSq;
}
const ab = vec3();
const ap = vec3();
const across = vec3();

/** Takes vertices back until a face has three: those farthest from the ones that it still has. */
function keepThree(vertices: readonly ReadonlyVec3[], face: readonly number[], dropped: Uint8Array): void {
  for (;;) {
    const kept = face.filter((v) => !dropped[v]);
    if (kept.length >= 3) return;
    const a = vertices[kept[0] ?? face[0]!]!;
    const b = vertices[kept[1] ?? kept[0] ?? face[0]!]!;
    let best = -1;
    let bestSq = -1;
    for (const v of face) {
      const offSq = dropped[v] ? offsetSq(vertices[v]!, a, b) : -1;
      if (offSq > bestSq) {
        best = v;
        bestSq = offSq;
      }
    }
    dropped[best] = 0;
  }
}

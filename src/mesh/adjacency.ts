/** Tables of neighbours, and the other classic forms of them. RTCD §12.2. */
import { checkNumbers, mustBeNumber } from '../math/check.ts';
import { type FacesLike, type HalfEdges, halfEdgesOfLoops, readLoops } from './half-edge.ts';

/** Faces by vertex: those around v are faces[start[v]] … faces[start[v + 1] - 1]. */
export interface VertexFaces {
  readonly start: Uint32Array;
  readonly faces: Uint32Array;
}

/** Faces by edge: those of edge e are faces[start[e]] … faces[start[e + 1] - 1]. */
export interface EdgeFaces {
  readonly edgeCount: number;
  /** Two a edge, the lower one first. */
  readonly vertices: Uint32Array;
  readonly start: Uint32Array;
  readonly faces: Uint32Array;
  /** 1 for an edge of exactly two faces that both run along it the same way: one of them is inside out. */
  readonly misoriented: Uint8Array;
}

/** Winged edges: what lies on either side of each, and the edges that follow there. */
export interface WingedEdges {
  readonly edgeCount: number;
  /** Two an edge, in the order in which its first face has them. */
  readonly vertices: Uint32Array;
  /** Two an edge; the second is -1 on a border. Of more than two faces these are the first two. */
  readonly faces: Int32Array;
  /** Four an edge: the edges before and after it in the first face, and those in the second, or -1. */
  readonly wings: Int32Array;
  /** For each vertex one of its edges, or -1. */
  readonly vertexEdge: Int32Array;
  /** For each face one of its edges. */
  readonly faceEdge: Uint32Array;
}

/** Winged triangles: no edges, but the triangle beyond each side. */
export interface WingedTriangles {
  /** Three a triangle. */
  readonly vertices: Uint32Array;
  /**
   * Three a triangle: across the side from its first to its second vertex, and so on. The number 3t + s names side s of
   * triangle t, so that one knows where one comes in; -1 on a border. Where more than two triangles meet, each leads to
   * the next one around the edge.
   */
  readonly neighbours: Int32Array;
  /** For each vertex one of its triangles, or -1. */
  readonly vertexTriangle: Int32Array;
}

/** The faces around each vertex. A vertex without any has an empty list. O(n). RTCD §12.2.1. */
export function vertexFaces(faces: FacesLike, vertexCount: number): VertexFaces {
  mustBeNumber('vertexFaces', 'vertexCount', vertexCount);
  const mesh = halfEdgesOfLoops(readLoops('vertexFaces', faces, vertexCount), vertexCount);
  return { start: mesh.vertexStart, faces: mesh.outgoing.map((h) => mesh.face[h]!) };
}

/** The faces along each edge: one on a border, two as a rule, more where a mesh is no surface. O(n). RTCD §12.2.2. */
export function edgeFaces(faces: FacesLike, vertexCount: number): EdgeFaces {
  mustBeNumber('edgeFaces', 'vertexCount', vertexCount);
  const mesh = halfEdgesOfLoops(readLoops('edgeFaces', faces, vertexCount), vertexCount);
  const { edgeCount, edgeStart, vertex, next, face, radial } = mesh;
  const vertices = new Uint32Array(2 * edgeCount);
  const start = new Uint32Array(edgeCount + 1);
  const list = new Uint32Array(vertex.length);
  const misoriented = new Uint8Array(edgeCount);
  let at = 0;
  for (let e = 0; e < edgeCount; e++) {
    const first = edgeStart[e]!;
    const v = vertex[first]!;
    const w = vertex[next[first]!]!;
    vertices[2 * e] = Math.min(v, w);
    vertices[2 * e + 1] = Math.max(v, w);
    let h = first;
    do {
      list[at++] = face[h]!;
      h = radial[h]!;
    } while (h !== first);
    start[e + 1] = at;
    misoriented[e] = isMisoriented(mesh, first) ? 1 : 0;
  }
  return { edgeCount, vertices, start, faces: list, misoriented };
}

/**
 * Does the edge of half-edge `h` have exactly two faces, which both run along it the same way?
 *
 * @internal
 */
export function isMisoriented({ radial, vertex }: HalfEdges, h: number): boolean {
  const other = radial[h]!;
  return other !== h && radial[other] === h && vertex[other] === vertex[h];
}

/** The mesh as winged edges. O(n). */
export function wingedEdges(faces: FacesLike, vertexCount: number): WingedEdges {
  mustBeNumber('wingedEdges', 'vertexCount', vertexCount);
  const mesh = halfEdgesOfLoops(readLoops('wingedEdges', faces, vertexCount), vertexCount);
  const { edgeCount, edgeStart, vertex, next, face, edge, radial } = mesh;
  const before = new Uint32Array(next.length);
  next.forEach((after, h) => {
    before[after] = h;
  });
  const vertices = new Uint32Array(2 * edgeCount);
  const sides = new Int32Array(2 * edgeCount).fill(-1);
  const wings = new Int32Array(4 * edgeCount).fill(-1);
  for (let e = 0; e < edgeCount; e++) {
    const first = edgeStart[e]!;
    vertices[2 * e] = vertex[first]!;
    vertices[2 * e + 1] = vertex[next[first]!]!;
    for (let side = 0, h = first; side < 2 && (side === 0 || h !== first); side++, h = radial[h]!) {
      sides[2 * e + side] = face[h]!;
      wings[4 * e + 2 * side] = edge[before[h]!]!;
      wings[4 * e + 2 * side + 1] = edge[next[h]!]!;
    }
  }
  return {
    edgeCount,
    vertices,
    faces: sides,
    wings,
    vertexEdge: firstAround(mesh, edge),
    faceEdge: mesh.faceStart.subarray(0, mesh.faceCount).map((h) => edge[h]!),
  };
}

/** The triangles with the three beyond their sides. O(n). */
export function wingedTriangles(index: ArrayLike<number>, vertexCount: number): WingedTriangles {
  checkNumbers('wingedTriangles', 'index', index);
  mustBeNumber('wingedTriangles', 'vertexCount', vertexCount);
  const mesh = halfEdgesOfLoops(readLoops('wingedTriangles', index, vertexCount, 'index'), vertexCount);
  const neighbours = new Int32Array(mesh.radial.length);
  mesh.radial.forEach((other, h) => {
    neighbours[h] = other === h ? -1 : other;
  });
  return { vertices: mesh.vertex, neighbours, vertexTriangle: firstAround(mesh, mesh.face) };
}

/** For each vertex what `of` says of its first half-edge, or -1. */
const firstAround = ({ vertexCount, vertexStart, outgoing }: HalfEdges, of: Uint32Array): Int32Array =>
  Int32Array.from({ length: vertexCount }, (_, v) =>
    vertexStart[v] === vertexStart[v + 1] ? -1 : of[outgoing[vertexStart[v]!]!]!,
  );

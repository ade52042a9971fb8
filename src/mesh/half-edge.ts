/** Who touches whom in a mesh: half-edges in flat arrays, for meshes of any topology. RTCD §12.2. */
import { describe, isNumberList, mustBeNumber, refuse, refuseType } from '../math/check.ts';
import { mustBeFaces } from '../polytope/input.ts';

/** Faces as loops of vertex indices, or as a flat list of triangles, three indices each. */
export type FacesLike = ArrayLike<number> | readonly (readonly number[])[];

/**
 * A half-edge is one side of one face; it runs from its vertex to that of the next half-edge, counter-clockwise seen
 * from outside. Half-edges are numbered face by face: those of triangle t are 3t, 3t + 1 and 3t + 2. An edge is what
 * all half-edges between the same two vertices belong to, whichever way they run.
 */
export interface HalfEdges {
  readonly vertexCount: number;
  readonly faceCount: number;
  readonly edgeCount: number;
  /** Where each half-edge starts. */
  readonly vertex: Uint32Array;
  /** The half-edge after it in the loop of its face. */
  readonly next: Uint32Array;
  readonly face: Uint32Array;
  readonly edge: Uint32Array;
  /**
   * The half-edge of the face on the other side, where there is exactly one and it runs the other way; else -1. The
   * twin of a twin is the half-edge itself.
   */
  readonly twin: Int32Array;
  /** The next half-edge of the same edge, cyclically: itself on a border, and a list of all where many meet. */
  readonly radial: Uint32Array;
  /** For each edge, its first half-edge. */
  readonly edgeStart: Uint32Array;
  /** For each face, its first half-edge, and one number more: the number of half-edges. */
  readonly faceStart: Uint32Array;
  /** For each vertex, where its part of `outgoing` begins, and one number more: where the last one ends. */
  readonly vertexStart: Uint32Array;
  /** The half-edges that start at vertex 0, those at vertex 1, and so on; so also the faces around each vertex. */
  readonly outgoing: Uint32Array;
}

/**
 * The half-edges of a mesh of any kind: open, in pieces, with edges of many faces, not orientable. O(n), without
 * hashing. RTCD §12.2.
 */
export function halfEdges(faces: FacesLike, vertexCount: number): HalfEdges {
  mustBeNumber('halfEdges', 'vertexCount', vertexCount);
  return halfEdgesOfLoops(readLoops('halfEdges', faces, vertexCount), vertexCount);
}

/** Faces in flat arrays: the corners of face f are corners[start[f]] … corners[start[f + 1] - 1]. */
export interface Loops {
  readonly start: Uint32Array;
  readonly corners: Uint32Array;
}

/**
 * Checks faces and flattens them.
 *
 * @internal
 */
export function readLoops(caller: string, faces: FacesLike, vertexCount: number, name = 'faces'): Loops {
  if (!(Number.isInteger(vertexCount) && vertexCount >= 0 && vertexCount <= 0x7fffffff))
    refuse(caller, 'vertexCount', `must be a whole number, got ${describe(vertexCount)}`);
  if (!isNumberList(faces)) refuseType(caller, name, 'a list of loops or of indices', faces);
  if (Array.isArray(faces[0])) {
    mustBeFaces(caller, name, faces as unknown as readonly number[][], vertexCount);
    return flattenLoops(faces as unknown as readonly number[][]);
  }
  const index = faces as ArrayLike<number>;
  if (index.length % 3 !== 0)
    refuse(caller, name, `must hold three corners a triangle, got ${index.length} corners`);
  for (let i = 0; i < index.length; i++) {
    const v = index[i]!;
    if (!(Number.isInteger(v) && v >= 0 && v < vertexCount))
      refuse(caller, name, `must hold indices below ${vertexCount}, got ${describe(v)} at ${i}`);
  }
  const start = new Uint32Array(index.length / 3 + 1);
  for (let f = 0; f < start.length; f++) start[f] = 3 * f;
  return { start, corners: index instanceof Uint32Array ? index : Uint32Array.from(index) };
}

/** @internal Of faces that have been checked. */
export function halfEdgesOf(faces: readonly (readonly number[])[], vertexCount: number): HalfEdges {
  return halfEdgesOfLoops(flattenLoops(faces), vertexCount);
}

function flattenLoops(faces: readonly (readonly number[])[]): Loops {
  const start = new Uint32Array(faces.length + 1);
  for (let f = 0; f < faces.length; f++) start[f + 1] = start[f]! + faces[f]!.length;
  const corners = new Uint32Array(start[faces.length]!);
  for (let f = 0; f < faces.length; f++) corners.set(faces[f]!, start[f]);
  return { start, corners };
}

/** @internal */
export function halfEdgesOfLoops({ start, corners }: Loops, vertexCount: number): HalfEdges {
  const count = corners.length;
  const faceCount = start.length - 1;
  const next = new Uint32Array(count);
  const face = new Uint32Array(count);
  for (let f = 0; f < faceCount; f++)
    for (let h = start[f]!; h < start[f + 1]!; h++) {
      face[h] = f;
      next[h] = h + 1 < start[f + 1]! ? h + 1 : start[f]!;
    }
  return {
    vertexCount,
    faceCount,
    vertex: corners,
    next,
    face,
    faceStart: start,
    ...listByVertex(corners, vertexCount),
    ...joinEdges(corners, next, vertexCount),
  };
}

/** Counting sort of the half-edges by a vertex of theirs. */
function listByVertex(
  of: Uint32Array,
  vertexCount: number,
): { vertexStart: Uint32Array; outgoing: Uint32Array } {
  const vertexStart = new Uint32Array(vertexCount + 1);
  for (let h = 0; h < of.length; h++) vertexStart[of[h]! + 1]!++;
  for (let v = 0; v < vertexCount; v++) vertexStart[v + 1]! += vertexStart[v]!;
  const fill = vertexStart.slice();
  const outgoing = new Uint32Array(of.length);
  for (let h = 0; h < of.length; h++) outgoing[fill[of[h]!]!++] = h;
  return { vertexStart, outgoing };
}

/**
 * Lists the half-edges by their lower vertex; among those of one vertex, `last` gives in O(1) the last half-edge that
 * led to a given higher vertex.
 */
function joinEdges(
  vertex: Uint32Array,
  next: Uint32Array,
  vertexCount: number,
): Pick<HalfEdges, 'edgeCount' | 'edge' | 'twin' | 'radial' | 'edgeStart'> {
  const count = vertex.length;
  const lower = vertex.map((v, h) => Math.min(v, vertex[next[h]!]!));
  const { vertexStart, outgoing: byLower } = listByVertex(lower, vertexCount);

  const edge = new Uint32Array(count);
  const radial = new Uint32Array(count);
  const edgeStart: number[] = [];
  const last = new Int32Array(vertexCount).fill(-1);
  const lastOf = new Int32Array(vertexCount).fill(-1);
  for (let v = 0; v < vertexCount; v++)
    for (let i = vertexStart[v]!; i < vertexStart[v + 1]!; i++) {
      const h = byLower[i]!;
      const w = Math.max(vertex[h]!, vertex[next[h]!]!);
      if (lastOf[w] === v) {
        edge[h] = edge[last[w]!]!;
        radial[h] = radial[last[w]!]!;
        radial[last[w]!] = h;
      } else {
        edge[h] = edgeStart.push(h) - 1;
        radial[h] = h;
        lastOf[w] = v;
      }
      last[w] = h;
    }

  const twin = new Int32Array(count);
  for (let h = 0; h < count; h++) {
    const other = radial[h]!;
    twin[h] = other !== h && radial[other] === h && vertex[other] !== vertex[h] ? other : -1;
  }
  return { edgeCount: edgeStart.length, edge, twin, radial, edgeStart: Uint32Array.from(edgeStart) };
}

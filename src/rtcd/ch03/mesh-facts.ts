/**
 * Facts about meshes, given as faces: loops of vertex indices. RTCD §3.7, §3.8.
 *
 * For faces with any number of corners, in a few lines. Production checks triangles with `inspect` (`mesh/inspect.ts`)
 * and `mesh/euler.ts`.
 */

import { mustBeList, mustBeWhole } from '../../math/check.ts';
import { mustBeFaces, mustBeIndices } from '../../polytope/input.ts';

type Faces = readonly (readonly number[])[];

/** Is every edge part of exactly two faces? RTCD §3.7. */
export function isClosedMesh(faces: Faces): boolean {
  mustBeList('isClosedMesh', 'faces', faces);
  checkFaces('isClosedMesh', faces);
  return isClosed(faces);
}

/** Is the mesh closed, and does each edge run opposite ways in its two faces, so that all agree on what is outside? */
export function isOrientedMesh(faces: Faces): boolean {
  mustBeList('isOrientedMesh', 'faces', faces);
  checkFaces('isOrientedMesh', faces);
  return isClosed(faces) && runsBothWays(faces);
}

/**
 * Does the surface look like a disc around each of its points? It does when it is closed and the faces around each
 * vertex follow each other in a single ring. RTCD §3.8.
 */
export function isManifoldMesh(faces: Faces): boolean {
  mustBeList('isManifoldMesh', 'faces', faces);
  checkFaces('isManifoldMesh', faces);
  return isClosed(faces) && hasSingleRings(faces);
}

/** V + F - E, vertices that no face uses left out: 2 for the surface of a solid without holes. RTCD §3.8. */
export function eulerCharacteristic(faces: Faces): number {
  mustBeList('eulerCharacteristic', 'faces', faces);
  checkFaces('eulerCharacteristic', faces);
  return characteristic(faces);
}

/** As many as a list can hold. */
const MOST_VERTICES = 0x7fffffff;

/** For each of `vertexCount` vertices the number of edges that end there. RTCD §3.7. */
export function vertexDegrees(faces: Faces, vertexCount: number): number[] {
  mustBeList('vertexDegrees', 'faces', faces);
  mustBeWhole('vertexDegrees', 'vertexCount', vertexCount, 0, MOST_VERTICES);
  checkFaces('vertexDegrees', faces);
  for (const face of faces) mustBeIndices('vertexDegrees', 'faces', face, vertexCount);
  const degrees = new Array<number>(vertexCount).fill(0);
  for (const [from, ends] of edgeUses(faces))
    for (const to of ends.keys()) {
      degrees[from]!++;
      degrees[to]!++;
    }
  return degrees;
}

/**
 * Closed, of one piece, oriented and without holes: what the surface of any convex polyhedron is.
 *
 * @internal
 */
export const isSphereLike = (faces: Faces): boolean =>
  isClosed(faces) &&
  runsBothWays(faces) &&
  hasSingleRings(faces) &&
  isConnected(faces) &&
  characteristic(faces) === 2;

function checkFaces(caller: string, faces: Faces): void {
  mustBeFaces(caller, 'faces', faces, Number.MAX_SAFE_INTEGER);
}

/** From the lower to the higher vertex of each edge: how many faces run from one to the other, either way. */
function edgeUses(faces: Faces): Map<number, Map<number, number>> {
  const uses = new Map<number, Map<number, number>>();
  forEachEdge(faces, (from, to) => count(uses, Math.min(from, to), Math.max(from, to)));
  return uses;
}

function forEachEdge(faces: Faces, visit: (from: number, to: number) => void): void {
  for (const face of faces)
    for (let k = 0; k < face.length; k++) visit(face[k]!, face[(k + 1) % face.length]!);
}

function count(uses: Map<number, Map<number, number>>, from: number, to: number): void {
  const ends = uses.get(from) ?? new Map<number, number>();
  uses.set(from, ends.set(to, (ends.get(to) ?? 0) + 1));
}

function isClosed(faces: Faces): boolean {
  for (const ends of edgeUses(faces).values()) for (const uses of ends.values()) if (uses !== 2) return false;
  return true;
}

function runsBothWays(faces: Faces): boolean {
  const uses = new Map<number, Map<number, number>>();
  forEachEdge(faces, (from, to) => count(uses, from, to));
  for (const ends of uses.values()) for (const used of ends.values()) if (used !== 1) return false;
  return true;
}

/** Around each vertex, a face joins the vertex before and the one after: these joins must make one ring. */
function hasSingleRings(faces: Faces): boolean {
  const rings = new Map<number, Map<number, number[]>>();
  for (const face of faces)
    for (let k = 0; k < face.length; k++) {
      const before = face[k]!;
      const vertex = face[(k + 1) % face.length]!;
      const after = face[(k + 2) % face.length]!;
      const ring = rings.get(vertex) ?? new Map<number, number[]>();
      rings.set(vertex, ring);
      ring.set(before, [...(ring.get(before) ?? []), after]);
      ring.set(after, [...(ring.get(after) ?? []), before]);
    }
  for (const ring of rings.values()) {
    const [start] = ring.keys();
    if (reach(start!, (i) => ring.get(i)!) < ring.size) return false;
    for (const joined of ring.values()) if (joined.length !== 2) return false;
  }
  return true;
}

function isConnected(faces: Faces): boolean {
  const neighbours = new Map<number, number[]>();
  forEachEdge(faces, (from, to) => {
    neighbours.set(from, [...(neighbours.get(from) ?? []), to]);
  });
  return reach(faces[0]![0]!, (i) => neighbours.get(i)!) === neighbours.size;
}

/** How many things can be reached from the first one, itself included. */
function reach(first: number, next: (i: number) => readonly number[]): number {
  const reached = new Set([first]);
  for (const i of reached) for (const j of next(i)) reached.add(j);
  return reached.size;
}

function characteristic(faces: Faces): number {
  const vertices = new Set(faces.flat());
  let edges = 0;
  for (const ends of edgeUses(faces).values()) edges += ends.size;
  return vertices.size + faces.length - edges;
}

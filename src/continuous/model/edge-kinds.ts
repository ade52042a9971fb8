/** The edges of a polyhedral model: who shares them, and whether anything can touch them. */
import { orient3d } from '../../math/orient.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { HalfEdges } from '../../mesh/half-edge.ts';
import { CONVEX_EDGE, DANGLING_EDGE, FLAT_EDGE, INTERNAL_EDGE } from '../types.ts';

/** @internal */
export interface ModelEdges {
  readonly edges: Int32Array;
  readonly edgePolygons: Int32Array;
  readonly edgeKinds: Uint8Array;
  /** For each half-edge its edge, or the complement of that if it runs backwards. */
  readonly polygonEdges: Int32Array;
  /** Do as many polygons run along each edge in one direction as in the other? */
  readonly closed: boolean;
}

/**
 * Edges from the half-edges of convex polygons. An edge is internal or flat only where exactly two polygons share it and
 * run along it in opposite directions. The fold is an exact sign; where both are in one plane to within
 * `flatness`, the edge is flat, unless they lie back to back.
 *
 * @internal
 */
export function modelEdges(
  vertices: readonly ReadonlyVec3[],
  half: HalfEdges,
  planes: Float64Array,
  flatness: number,
): ModelEdges {
  const { edgeCount, edgeStart, vertex, next, face, radial } = half;
  const edges = new Int32Array(2 * edgeCount);
  const edgePolygons = new Int32Array(2 * edgeCount).fill(-1);
  const edgeKinds = new Uint8Array(edgeCount);
  const polygonEdges = new Int32Array(vertex.length);
  let closed = true;
  for (let e = 0; e < edgeCount; e++) {
    const first = edgeStart[e]!;
    const from = vertex[first]!;
    edges[2 * e] = from;
    edges[2 * e + 1] = vertex[next[first]!]!;
    let balance = 0;
    let h = first;
    do {
      const forward = vertex[h] === from;
      balance += forward ? 1 : -1;
      polygonEdges[h] = forward ? e : ~e;
      const slot = 2 * e + (forward ? 0 : 1);
      if (edgePolygons[slot]! < 0) edgePolygons[slot] = face[h]!;
      h = radial[h]!;
    } while (h !== first);
    if (balance !== 0) closed = false;
    const twin = half.twin[first]!;
    edgeKinds[e] = twin < 0 ? DANGLING_EDGE : foldKind(vertices, half, planes, first, twin, flatness);
  }
  return { edges, edgePolygons, edgeKinds, polygonEdges, closed };
}

function foldKind(
  vertices: readonly ReadonlyVec3[],
  half: HalfEdges,
  planes: Float64Array,
  h: number,
  twin: number,
  flatness: number,
): number {
  const f = half.face[h]!;
  const g = half.face[twin]!;
  const facing =
    planes[4 * f]! * planes[4 * g]! +
    planes[4 * f + 1]! * planes[4 * g + 1]! +
    planes[4 * f + 2]! * planes[4 * g + 2]!;
  if (
    facing > 0 &&
    holds(vertices, half, planes, f, g, flatness) &&
    holds(vertices, half, planes, g, f, flatness)
  )
    return FLAT_EDGE;
  const a = vertices[half.vertex[h]!]!;
  const b = vertices[half.vertex[twin]!]!;
  // In front of the first face: they look at each other. In its plane, back to back: as sharp as an edge can be.
  const side = orient3d(a, b, farthestFrom(vertices, half, f, a, b), farthestFrom(vertices, half, g, a, b));
  return side < 0 ? INTERNAL_EDGE : side === 0 && facing > 0 ? FLAT_EDGE : CONVEX_EDGE;
}

/** Are all corners of polygon g within `flatness` of the plane of polygon f? */
function holds(
  vertices: readonly ReadonlyVec3[],
  { faceStart, vertex }: HalfEdges,
  planes: Float64Array,
  f: number,
  g: number,
  flatness: number,
): boolean {
  for (let h = faceStart[g]!; h < faceStart[g + 1]!; h++) {
    const { x, y, z } = vertices[vertex[h]!]!;
    const off = planes[4 * f]! * x + planes[4 * f + 1]! * y + planes[4 * f + 2]! * z - planes[4 * f + 3]!;
    if (!(Math.abs(off) <= flatness)) return false;
  }
  return true;
}

/** The corner of a polygon that is farthest from the line ab: the others may be on it. */
function farthestFrom(
  vertices: readonly ReadonlyVec3[],
  { faceStart, vertex }: HalfEdges,
  f: number,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
): ReadonlyVec3 {
  const ux = b.x - a.x;
  const uy = b.y - a.y;
  const uz = b.z - a.z;
  let best = -1;
  let found = a;
  for (let h = faceStart[f]!; h < faceStart[f + 1]!; h++) {
    const p = vertices[vertex[h]!]!;
    const px = p.x - a.x;
    const py = p.y - a.y;
    const pz = p.z - a.z;
    const cx = uy * pz - uz * py;
    const cy = uz * px - ux * pz;
    const cz = ux * py - uy * px;
    const offSq = p === a || p === b ? -1 : cx * cx + cy * cy + cz * cz;
    if (offSq > best) {
      best = offSq;
      found = p;
    }
  }
  return found;
}

/**
 * For each vertex 1 if one of its edges is neither internal nor flat, or if it has none.
 *
 * @internal
 */
export function touchedVertices(count: number, edges: Int32Array, kinds: Uint8Array): Uint8Array {
  const touches = new Uint8Array(count);
  if (edges.length === 0) touches.fill(1);
  for (let e = 0; e < kinds.length; e++)
    if (kinds[e] === CONVEX_EDGE || kinds[e] === DANGLING_EDGE) {
      touches[edges[2 * e]!] = 1;
      touches[edges[2 * e + 1]!] = 1;
    }
  return touches;
}

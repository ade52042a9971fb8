/** What of a translating mover can be the first to touch something. van Waveren 2005, §4. */
import { tuning } from './job.ts';
import { scene } from './translate-scene.ts';
import type { ModelBits, PolyhedralModel } from './types.ts';
import { CONVEX_EDGE, DANGLING_EDGE } from './types.ts';

/** Vertices, edges, and polygons that lead. @internal */
export const movers = {
  vertices: new Int32Array(32) as Int32Array,
  vertexCount: 0,
  edges: new Int32Array(32) as Int32Array,
  edgeCount: 0,
  polygons: new Int32Array(32) as Int32Array,
  polygonCount: 0,
  /** At most 32 vertices and edges, so that each has a bit of a number? Then these are theirs. */
  cached: false,
  vertexBits: 0,
  edgeBits: 0,
};

/** For each polygon in the list, the bits of the edges that have their inside on the left, seen along the motion, and right. */
export const insideLeft = new Int32Array(64);
export const insideRight = new Int32Array(64);

/** With bits: where the listed vertices are, seen along the motion; a line along each listed edge, and when it is near. */
export const moverSpots = new Float64Array(64);
/** x and y of the edge, c of a distance x v - y u - c of (u, v), which is near when it is within the fourth. */
export const moverLines = new Float64Array(128);

function bitsOf(model: PolyhedralModel): ModelBits {
  const { sweeper } = model;
  sweeper.bits ??= makeBits(model);
  return sweeper.bits;
}

const touches = (kind: number): boolean => kind === CONVEX_EDGE || kind === DANGLING_EDGE;

function makeBits(model: PolyhedralModel): ModelBits {
  const { polygonStart, polygonVertices, polygonEdges, vertexTouches, edgeKinds, sources } = model;
  const bits = {
    polygonVertices: new Int32Array(sources.length),
    forward: new Int32Array(sources.length),
    backward: new Int32Array(sources.length),
    touchingVertices: 0,
    touchingEdges: 0,
  };
  for (let f = 0; f < sources.length; f++)
    for (let k = polygonStart[f]!; k < polygonStart[f + 1]!; k++) {
      const edge = polygonEdges[k]!;
      bits.polygonVertices[f]! |= 1 << polygonVertices[k]!;
      if (edge < 0) bits.backward[f]! |= 1 << ~edge;
      else bits.forward[f]! |= 1 << edge;
    }
  vertexTouches.forEach((touching, v) => {
    bits.touchingVertices |= touching << v;
  });
  edgeKinds.forEach((kind, e) => {
    bits.touchingEdges |= +touches(kind) << e;
  });
  return bits;
}

const longer = (array: Int32Array, length: number): Int32Array =>
  array.length < length ? new Int32Array(2 * length) : array;

const every = (count: number): number => (count === 32 ? -1 : (1 << count) - 1);

/** Lists what can touch first. A part of a solid can only if one of the polygons about it looks along the motion. @internal */
export function readMover(): void {
  const { model, front } = scene.mover;
  const vertices = model.vertexTouches.length;
  const edges = model.edgeKinds.length;
  const polygons = model.sources.length;
  movers.cached = tuning.bitCache && vertices <= 32 && edges <= 32 && polygons <= 64;
  const onlyLeading = front && model.closed;
  if (movers.cached) readByBits(model, vertices, edges, polygons, front, onlyLeading);
  else readByMarks(model, vertices, edges, polygons, front, onlyLeading);
}

function readByBits(
  model: PolyhedralModel,
  vertices: number,
  edges: number,
  polygons: number,
  front: boolean,
  onlyLeading: boolean,
): void {
  const { normals } = scene.mover;
  const { polygonVertices, forward, backward, touchingVertices, touchingEdges } = bitsOf(model);
  movers.polygons = longer(movers.polygons, 64);
  let count = 0;
  let vertexBits = onlyLeading ? 0 : every(vertices);
  let edgeBits = onlyLeading ? 0 : every(edges);
  for (let f = 0; f < polygons; f++) {
    const along = normals[3 * f + 2]!;
    if (!(along > 0) && front) continue;
    movers.polygons[count] = f;
    insideLeft[count] = along > 0 ? forward[f]! : backward[f]!;
    insideRight[count++] = along > 0 ? backward[f]! : forward[f]!;
    vertexBits |= polygonVertices[f]!;
    edgeBits |= forward[f]! | backward[f]!;
  }
  if (tuning.skipInternal) {
    vertexBits &= touchingVertices;
    edgeBits &= touchingEdges;
  }
  movers.polygonCount = count;
  movers.vertexBits = vertexBits;
  movers.edgeBits = edgeBits;
  const { points: p } = scene.mover;
  const { edges: ends } = model;
  let n = 0;
  for (let left = vertexBits; left !== 0; n++) {
    const v = 31 - Math.clz32(left);
    left &= ~(1 << v);
    movers.vertices[n] = v;
    moverSpots[2 * n] = p[3 * v]!;
    moverSpots[2 * n + 1] = p[3 * v + 1]!;
  }
  movers.vertexCount = n;
  n = 0;
  for (let left = edgeBits; left !== 0; n++) {
    const e = 31 - Math.clz32(left);
    left &= ~(1 << e);
    movers.edges[n] = e;
    const i = 3 * ends[2 * e]!;
    const j = 3 * ends[2 * e + 1]!;
    const ux = p[j]! - p[i]!;
    const uy = p[j + 1]! - p[i + 1]!;
    moverLines[4 * n] = ux;
    moverLines[4 * n + 1] = uy;
    moverLines[4 * n + 2] = ux * p[i + 1]! - uy * p[i]!;
    moverLines[4 * n + 3] = scene.pad * (Math.abs(ux) + Math.abs(uy));
  }
  movers.edgeCount = n;
}

let leadingVertices: Int32Array = new Int32Array(32);
let leadingEdges: Int32Array = new Int32Array(32);

function readByMarks(
  model: PolyhedralModel,
  vertices: number,
  edges: number,
  polygons: number,
  front: boolean,
  onlyLeading: boolean,
): void {
  const { normals } = scene.mover;
  const { stamp } = scene;
  const { polygonStart, polygonVertices, polygonEdges, edgeKinds, vertexTouches } = model;
  leadingVertices = longer(leadingVertices, vertices);
  leadingEdges = longer(leadingEdges, edges);
  movers.vertices = longer(movers.vertices, vertices);
  movers.edges = longer(movers.edges, edges);
  movers.polygons = longer(movers.polygons, polygons);
  let count = 0;
  for (let f = 0; f < polygons; f++) {
    const along = normals[3 * f + 2]!;
    if (!(along > 0) && front) continue;
    movers.polygons[count++] = f;
    if (onlyLeading)
      for (let k = polygonStart[f]!, end = polygonStart[f + 1]!; k < end; k++) {
        const edge = polygonEdges[k]!;
        leadingVertices[polygonVertices[k]!] = stamp;
        leadingEdges[edge < 0 ? ~edge : edge] = stamp;
      }
  }
  movers.polygonCount = count;
  const all = !tuning.skipInternal;
  let n = 0;
  for (let v = 0; v < vertices; v++)
    if ((!onlyLeading || leadingVertices[v] === stamp) && (all || vertexTouches[v] === 1))
      movers.vertices[n++] = v;
  movers.vertexCount = n;
  n = 0;
  for (let e = 0; e < edges; e++)
    if ((!onlyLeading || leadingEdges[e] === stamp) && (all || touches(edgeKinds[e]!))) movers.edges[n++] = e;
  movers.edgeCount = n;
}

/** Before the stamps of the scene begin anew. @internal */
export function forgetLeading(): void {
  leadingVertices.fill(0);
  leadingEdges.fill(0);
}

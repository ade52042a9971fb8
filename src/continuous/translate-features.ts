/**
 * A polygon of the target that the mover may reach: its features against the mover's. Shared vertices and edges are treated
 * once, and on which side they pass is remembered in bits. van Waveren 2005, §4.
 */
import { tuning } from './job.ts';
import { insideLeft, insideRight, movers } from './translate-mover.ts';
import { edgeEdge, vertexEdge, vertexPolygon, vertexVertex } from './translate-pairs.ts';
import { needVertex, scene } from './translate-scene.ts';
import type { PolyhedralModel } from './types.ts';
import { CONVEX_EDGE, DANGLING_EDGE } from './types.ts';

/** Which vertices and edges of the target were treated: those with the stamp of this sweep. */
let doneVertices: Int32Array = new Int32Array(32);
let doneEdges: Int32Array = new Int32Array(32);

/**
 * The bit cache: for each edge of the target, which of the mover's vertices pass it on the left or on the right by more
 * than the thickness; for each vertex of the target, the same for the mover's edges. For movers with at most 32 of both;
 * the features of others are compared by their boxes.
 */
let edgeLeft: Int32Array = new Int32Array(32);
let edgeRight: Int32Array = new Int32Array(32);
let vertexLeft: Int32Array = new Int32Array(32);
let vertexRight: Int32Array = new Int32Array(32);

const longer = (array: Int32Array, length: number): Int32Array =>
  array.length < length ? new Int32Array(2 * length) : array;

/** @internal */
export function readTarget(model: PolyhedralModel): void {
  const vertices = model.vertexTouches.length;
  const edges = model.edgeKinds.length;
  doneVertices = longer(doneVertices, vertices);
  doneEdges = longer(doneEdges, edges);
  vertexLeft = longer(vertexLeft, vertices);
  vertexRight = longer(vertexRight, vertices);
  edgeLeft = longer(edgeLeft, edges);
  edgeRight = longer(edgeRight, edges);
}

/** Before the stamps of the scene begin anew. @internal */
export function forgetTreated(): void {
  doneVertices.fill(0);
  doneEdges.fill(0);
}

/** Which of the mover's vertices pass an edge of the target on the left, and which on the right. */
function lookAtEdge(edge: number): void {
  const { points: p } = scene.mover;
  const { points: q, model } = scene.target;
  const i = 3 * model.edges[2 * edge]!;
  const j = 3 * model.edges[2 * edge + 1]!;
  const x = q[i]!;
  const y = q[i + 1]!;
  const ux = q[j]! - x;
  const uy = q[j + 1]! - y;
  const near = scene.pad * (Math.abs(ux) + Math.abs(uy));
  let left = 0;
  let right = 0;
  const { vertices, vertexCount } = movers;
  for (let k = 0; k < vertexCount; k++) {
    const v = vertices[k]!;
    const side = ux * (p[3 * v + 1]! - y) - uy * (p[3 * v]! - x);
    left |= +(side > near) << v;
    right |= +(side < -near) << v;
  }
  edgeLeft[edge] = left;
  edgeRight[edge] = right;
}

/** On which side of the mover's edges a vertex of the target passes. */
function lookAtVertex(vertex: number): void {
  const { points: p, model } = scene.mover;
  const { points: q } = scene.target;
  const x = q[3 * vertex]!;
  const y = q[3 * vertex + 1]!;
  let left = 0;
  let right = 0;
  const { edges, edgeCount } = movers;
  for (let k = 0; k < edgeCount; k++) {
    const edge = edges[k]!;
    const i = 3 * model.edges[2 * edge]!;
    const j = 3 * model.edges[2 * edge + 1]!;
    const ux = p[j]! - p[i]!;
    const uy = p[j + 1]! - p[i + 1]!;
    const near = scene.pad * (Math.abs(ux) + Math.abs(uy));
    const side = ux * (y - p[i + 1]!) - uy * (x - p[i]!);
    left |= +(side > near) << edge;
    right |= +(side < -near) << edge;
  }
  vertexLeft[vertex] = left;
  vertexRight[vertex] = right;
}

/** A polygon that may be reached, by the bit cache. @internal */
export function meetByBits(f: number): void {
  const { mover, target, along } = scene;
  const { model } = target;
  const { polygonVertices, polygonEdges } = model;
  const { vertexBits, edgeBits } = movers;
  const first = model.polygonStart[f]!;
  const last = model.polygonStart[f + 1]!;
  const share = tuning.shareFeatures;
  // Vertices of the mover that may meet the inside.
  let inside = vertexBits;
  for (let k = first; k < last; k++) {
    const code = polygonEdges[k]!;
    const edge = code < 0 ? ~code : code;
    // New ones get their bits; which ones are treated is seen below.
    if (doneEdges[edge] !== scene.stamp || !share) lookAtEdge(edge);
    const vertex = polygonVertices[k]!;
    if (doneVertices[vertex] !== scene.stamp || !share) lookAtVertex(vertex);
    // The polygon runs with its inside on the left if it looks along the motion.
    inside &= code < 0 === along > 0 ? ~edgeLeft[edge]! : ~edgeRight[edge]!;
  }
  if (!(target.front && along >= 0))
    while (inside !== 0) {
      const k = 31 - Math.clz32(inside);
      inside &= ~(1 << k);
      vertexPolygon(mover, k, target, f);
    }
  for (let k = first; k < last; k++) {
    const vertex = polygonVertices[k]!;
    if (doneVertices[vertex] === scene.stamp && share) continue;
    doneVertices[vertex] = scene.stamp;
    if (!tuning.skipInternal || model.vertexTouches[vertex] === 1) meetVertexByBits(vertex);
  }
  for (let k = first; k < last; k++) {
    const code = polygonEdges[k]!;
    const edge = code < 0 ? ~code : code;
    if (doneEdges[edge] === scene.stamp && share) continue;
    doneEdges[edge] = scene.stamp;
    const kind = model.edgeKinds[edge]!;
    if (tuning.skipInternal && kind !== CONVEX_EDGE && kind !== DANGLING_EDGE) continue;
    const a = model.edges[2 * edge]!;
    const b = model.edges[2 * edge + 1]!;
    const left = edgeLeft[edge]!;
    const right = edgeRight[edge]!;
    let crossing = ~((vertexLeft[a]! & vertexLeft[b]!) | (vertexRight[a]! & vertexRight[b]!)) & edgeBits;
    while (crossing !== 0) {
      const i = 31 - Math.clz32(crossing);
      crossing &= ~(1 << i);
      // Both ends on one side? (Bits of vertices that take no part are 0.)
      const from = mover.model.edges[2 * i]!;
      const to = mover.model.edges[2 * i + 1]!;
      if ((((left >>> from) & (left >>> to)) | ((right >>> from) & (right >>> to))) & 1) continue;
      edgeEdge(i, edge);
    }
    let near = ~(left | right) & vertexBits;
    while (near !== 0) {
      const i = 31 - Math.clz32(near);
      near &= ~(1 << i);
      vertexEdge(mover, i, target, edge);
    }
  }
}

/** A vertex of the target that has its bits, against everything of the mover's. */
function meetVertexByBits(vertex: number): void {
  const { mover, target } = scene;
  const { edgeBits, polygons, polygonCount } = movers;
  const left = vertexLeft[vertex]!;
  const right = vertexRight[vertex]!;
  for (let i = 0; i < polygonCount; i++)
    if (((left & insideRight[i]!) | (right & insideLeft[i]!)) === 0)
      vertexPolygon(target, vertex, mover, polygons[i]!);
  let near = ~(left | right) & edgeBits;
  while (near !== 0) {
    const i = 31 - Math.clz32(near);
    near &= ~(1 << i);
    vertexEdge(target, vertex, mover, i);
  }
  meetVertices(vertex);
}

/** The same by boxes. */
function meetVertexByBoxes(vertex: number): void {
  const { mover, target } = scene;
  const { edges, edgeCount, polygons, polygonCount } = movers;
  outline.lowX = target.points[3 * vertex]! - scene.pad;
  outline.lowY = target.points[3 * vertex + 1]! - scene.pad;
  outline.highX = target.points[3 * vertex]! + scene.pad;
  outline.highY = target.points[3 * vertex + 1]! + scene.pad;
  for (let i = 0; i < polygonCount; i++)
    if (polygonMeets(polygons[i]!)) vertexPolygon(target, vertex, mover, polygons[i]!);
  for (let i = 0; i < edgeCount; i++)
    if (edgeMeetsBox(edges[i]!)) vertexEdge(target, vertex, mover, edges[i]!);
  meetVertices(vertex);
}

/** A target without polygons: a point. @internal */
export function meetPoints(): void {
  const { target } = scene;
  for (let v = 0; v < target.model.vertexTouches.length; v++) {
    needVertex(target, v);
    meetVertexByBoxes(v);
  }
}

/** A vertex of the target against the mover's. */
function meetVertices(vertex: number): void {
  const { points: p } = scene.mover;
  const { points: q } = scene.target;
  const { vertices, vertexCount } = movers;
  const { e } = scene;
  const x = q[3 * vertex]!;
  const y = q[3 * vertex + 1]!;
  for (let i = 0; i < vertexCount; i++) {
    const v = 3 * vertices[i]!;
    if (Math.abs(p[v]! - x) < e && Math.abs(p[v + 1]! - y) < e) vertexVertex(vertices[i]!, vertex);
  }
}

/** A box seen along the motion: numbers that travel in a record are not boxed. @internal */
export const outline = { lowX: 0.5, lowY: 0.5, highX: 0.5, highY: 0.5 };

/** Does the box of an edge of the mover meet the outline? */
function edgeMeetsBox(edge: number): boolean {
  const { lowX, lowY, highX, highY } = outline;
  const { points: p, model } = scene.mover;
  const i = 3 * model.edges[2 * edge]!;
  const j = 3 * model.edges[2 * edge + 1]!;
  return (
    Math.min(p[i]!, p[j]!) <= highX &&
    Math.max(p[i]!, p[j]!) >= lowX &&
    Math.min(p[i + 1]!, p[j + 1]!) <= highY &&
    Math.max(p[i + 1]!, p[j + 1]!) >= lowY
  );
}

/** A polygon that may be reached, for movers with many features. The box is the polygon's, seen along the motion. @internal */
export function meetByBoxes(f: number): void {
  const { mover, target, pad } = scene;
  const { lowX, lowY, highX, highY } = outline;
  const { points: p } = mover;
  const { points: q, model } = target;
  const { polygonVertices, polygonEdges } = model;
  const { vertices, vertexCount, edges, edgeCount } = movers;
  const first = model.polygonStart[f]!;
  const last = model.polygonStart[f + 1]!;
  const share = tuning.shareFeatures;
  for (let i = 0; i < vertexCount; i++) {
    const v = 3 * vertices[i]!;
    if (+(p[v]! >= lowX) & +(p[v]! <= highX) & +(p[v + 1]! >= lowY) & +(p[v + 1]! <= highY))
      vertexPolygon(mover, vertices[i]!, target, f);
  }
  for (let k = first; k < last; k++) {
    const vertex = polygonVertices[k]!;
    if (doneVertices[vertex] === scene.stamp && share) continue;
    doneVertices[vertex] = scene.stamp;
    if (!tuning.skipInternal || model.vertexTouches[vertex] === 1) meetVertexByBoxes(vertex);
  }
  for (let k = first; k < last; k++) {
    const code = polygonEdges[k]!;
    const edge = code < 0 ? ~code : code;
    if (doneEdges[edge] === scene.stamp && share) continue;
    doneEdges[edge] = scene.stamp;
    const kind = model.edgeKinds[edge]!;
    if (tuning.skipInternal && kind !== CONVEX_EDGE && kind !== DANGLING_EDGE) continue;
    const i = 3 * model.edges[2 * edge]!;
    const j = 3 * model.edges[2 * edge + 1]!;
    const x0 = Math.min(q[i]!, q[j]!) - pad;
    const x1 = Math.max(q[i]!, q[j]!) + pad;
    const y0 = Math.min(q[i + 1]!, q[j + 1]!) - pad;
    const y1 = Math.max(q[i + 1]!, q[j + 1]!) + pad;
    outline.lowX = x0;
    outline.lowY = y0;
    outline.highX = x1;
    outline.highY = y1;
    for (let n = 0; n < edgeCount; n++) if (edgeMeetsBox(edges[n]!)) edgeEdge(edges[n]!, edge);
    for (let n = 0; n < vertexCount; n++) {
      const v = 3 * vertices[n]!;
      if (+(p[v]! >= x0) & +(p[v]! <= x1) & +(p[v + 1]! >= y0) & +(p[v + 1]! <= y1))
        vertexEdge(mover, vertices[n]!, target, edge);
    }
  }
}

/** Does the outline of a polygon of the mover meet a box, as boxes do? */
function polygonMeets(f: number): boolean {
  const { lowX, lowY, highX, highY } = outline;
  const { points: p, model } = scene.mover;
  let x0 = Infinity;
  let x1 = -Infinity;
  let y0 = Infinity;
  let y1 = -Infinity;
  for (let k = model.polygonStart[f]!, end = model.polygonStart[f + 1]!; k < end; k++) {
    const v = 3 * model.polygonVertices[k]!;
    x0 = Math.min(x0, p[v]!);
    x1 = Math.max(x1, p[v]!);
    y0 = Math.min(y0, p[v + 1]!);
    y1 = Math.max(y1, p[v + 1]!);
  }
  return x0 <= highX && x1 >= lowX && y0 <= highY && y1 >= lowY;
}

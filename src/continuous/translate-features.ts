/**
 * A polygon of the target that the mover may reach: its features against the mover's. Shared vertices and edges are treated
 * once, and on which side they pass is kept in bits. van Waveren 2005, §4.
 */
import { tuning } from './job.ts';
import { insideLeft, insideRight, moverLines, moverSpots, movers } from './translate-mover.ts';
import { BLOCK_HEAD } from './translate-packed.ts';
import { edgeEdge, vertexEdge, vertexPolygon, vertexVertex } from './translate-pairs.ts';
import { needNormal, needVertex, scene } from './translate-scene.ts';
import type { PolyhedralModel } from './types.ts';
import { CONVEX_EDGE, DANGLING_EDGE } from './types.ts';

/** Which vertices and edges of the target were treated: those with the stamp of this sweep. */
let doneVertices: Int32Array = new Int32Array(32);
let doneEdges: Int32Array = new Int32Array(32);

const longer = (array: Int32Array, length: number): Int32Array =>
  array.length < length ? new Int32Array(2 * length) : array;

/** @internal */
export function readTarget(model: PolyhedralModel): void {
  const vertices = model.vertexTouches.length;
  const edges = model.edgeKinds.length;
  doneVertices = longer(doneVertices, vertices);
  doneEdges = longer(doneEdges, edges);
}

/** Before the stamps of the scene begin anew. @internal */
export function forgetTreated(): void {
  doneVertices.fill(0);
  doneEdges.fill(0);
}

/**
 * The bit cache of the polygon at hand: for each of its sides, which of the mover's vertices pass it on the left or on the
 * right by more than the thickness; for each corner, the same for the mover's edges. For movers with at most 32 of both;
 * the features of others are compared by their boxes. So few polygons come this far that it is cheaper to look again at
 * an edge that two of them share than to remember it: what is far apart in memory costs more than these signs.
 */
let corners: Float64Array = new Float64Array(96);
let sideLeft: Int32Array = new Int32Array(32);
let sideRight: Int32Array = new Int32Array(32);
let cornerLeft: Int32Array = new Int32Array(32);
let cornerRight: Int32Array = new Int32Array(32);

/**
 * A polygon that may be reached, by the bit cache. `block` is where it is in the packed level. @internal
 */
export function meetByBits(f: number, blocks: Float64Array, block: number): void {
  const count = blocks[block]!;
  if (sideLeft.length < count) {
    corners = new Float64Array(6 * count);
    sideLeft = new Int32Array(2 * count);
    sideRight = new Int32Array(2 * count);
    cornerLeft = new Int32Array(2 * count);
    cornerRight = new Int32Array(2 * count);
  }
  bringCorners(blocks, block);
  const inside = lookAtSides(count);
  const { target } = scene;
  if (inside !== 0 && !(target.front && scene.along >= 0)) meetInside(f, inside);
  for (let i = 0; i < count; i++) meetCorner(f, i);
  for (let i = 0; i < count; i++) meetSide(f, i, i + 1 < count ? i + 1 : 0);
}

/** Brings the corners into the frame. */
function bringCorners(blocks: Float64Array, block: number): void {
  const { ox, oy, oz, ax, ay, az, bx, by, bz, vx, vy, vz } = scene;
  for (let k = 0, i = block + BLOCK_HEAD, end = 3 * blocks[block]!; k < end; k += 3, i += 3) {
    const dx = blocks[i]! - ox;
    const dy = blocks[i + 1]! - oy;
    const dz = blocks[i + 2]! - oz;
    corners[k] = ax * dx + ay * dy + az * dz;
    corners[k + 1] = bx * dx + by * dy + bz * dz;
    corners[k + 2] = vx * dx + vy * dy + vz * dz;
  }
  const nx = blocks[block + 1]!;
  const ny = blocks[block + 2]!;
  const nz = blocks[block + 3]!;
  const along = vx * nx + vy * ny + vz * nz;
  scene.along = along;
  const turn = along > 0 ? -1 : 1;
  facing.x = turn * (ax * nx + ay * ny + az * nz);
  facing.y = turn * (bx * nx + by * ny + bz * nz);
  facing.z = turn * along;
}

/** The normal of the polygon at hand, against the motion. */
const facing = { x: 0.5, y: 0.5, z: 0.5 };

/** Fills in the bits. Returns those of the mover's vertices that may meet the inside. */
function lookAtSides(count: number): number {
  const { pad } = scene;
  const { vertexBits, vertices, vertexCount, edges, edgeCount } = movers;
  let inside = vertexBits;
  // The polygon runs with its inside on the left if it looks along the motion.
  const back = scene.along > 0 ? 0 : -1;
  for (let i = 0; i < count; i++) {
    const x = corners[3 * i]!;
    const y = corners[3 * i + 1]!;
    const next = i + 1 < count ? 3 * i + 3 : 0;
    const ux = corners[next]! - x;
    const uy = corners[next + 1]! - y;
    const near = pad * (Math.abs(ux) + Math.abs(uy));
    let left = 0;
    let right = 0;
    for (let k = 0; k < vertexCount; k++) {
      const side = ux * (moverSpots[2 * k + 1]! - y) - uy * (moverSpots[2 * k]! - x);
      const bit = vertices[k]!;
      left |= +(side > near) << bit;
      right |= +(side < -near) << bit;
    }
    sideLeft[i] = left;
    sideRight[i] = right;
    inside &= ~((left & back) | (right & ~back));
    left = 0;
    right = 0;
    for (let k = 0; k < edgeCount; k++) {
      const side = moverLines[4 * k]! * y - moverLines[4 * k + 1]! * x - moverLines[4 * k + 2]!;
      const limit = moverLines[4 * k + 3]!;
      const bit = edges[k]!;
      left |= +(side > limit) << bit;
      right |= +(side < -limit) << bit;
    }
    cornerLeft[i] = left;
    cornerRight[i] = right;
  }
  return inside;
}

/** The mover's vertices that may meet the inside of a polygon: the nearest one first, the others if they can be earlier. */
function meetInside(f: number, bits: number): void {
  const { mover, target, pad } = scene;
  const { points: p } = mover;
  const { x: nx, y: ny, z: nz } = facing;
  const plane = nx * corners[0]! + ny * corners[1]! + nz * corners[2]!;
  let lowest = -1;
  let least = Infinity;
  for (let left = bits; left !== 0; ) {
    const k = 31 - Math.clz32(left);
    left &= ~(1 << k);
    const h = nx * p[3 * k]! + ny * p[3 * k + 1]! + nz * p[3 * k + 2]!;
    if (h < least) {
      least = h;
      lowest = k;
    }
  }
  // Not even the nearest one in time?
  if (lowest < 0 || least - plane - pad > -nz * scene.best) return;
  needPolygon(f);
  vertexPolygon(mover, lowest, target, f);
  for (let left = bits & ~(1 << lowest); left !== 0; ) {
    const k = 31 - Math.clz32(left);
    left &= ~(1 << k);
    const h = nx * p[3 * k]! + ny * p[3 * k + 1]! + nz * p[3 * k + 2]! - plane;
    if (!(h - pad > -nz * scene.best)) vertexPolygon(mover, k, target, f);
  }
}

/** All of a polygon of the target in the frame. */
function needPolygon(f: number): void {
  const { target } = scene;
  const { polygonStart, polygonVertices } = target.model;
  needNormal(target, f);
  for (let k = polygonStart[f]!, end = polygonStart[f + 1]!; k < end; k++)
    needVertex(target, polygonVertices[k]!);
}

/** A corner of a polygon of the target that has its bits, against everything of the mover's. */
function meetCorner(f: number, i: number): void {
  const { mover, target, e } = scene;
  const { edgeBits, polygons, polygonCount, vertices, vertexCount } = movers;
  const left = cornerLeft[i]!;
  const right = cornerRight[i]!;
  const x = corners[3 * i]!;
  const y = corners[3 * i + 1]!;
  let near = ~(left | right) & edgeBits;
  let meets = +(near !== 0);
  for (let k = 0; k < polygonCount; k++)
    meets |= +(((left & insideRight[k]!) | (right & insideLeft[k]!)) === 0);
  for (let k = 0; k < vertexCount; k++)
    meets |= +(Math.abs(moverSpots[2 * k]! - x) < e) & +(Math.abs(moverSpots[2 * k + 1]! - y) < e);
  if (!meets) return;
  const { model } = target;
  const vertex = model.polygonVertices[model.polygonStart[f]! + i]!;
  if (tuning.skipInternal && model.vertexTouches[vertex] !== 1) return;
  if (tuning.shareFeatures && doneVertices[vertex] === scene.stamp) return;
  doneVertices[vertex] = scene.stamp;
  needVertex(target, vertex);
  for (let k = 0; k < polygonCount; k++)
    if (((left & insideRight[k]!) | (right & insideLeft[k]!)) === 0)
      vertexPolygon(target, vertex, mover, polygons[k]!);
  while (near !== 0) {
    const k = 31 - Math.clz32(near);
    near &= ~(1 << k);
    vertexEdge(target, vertex, mover, k);
  }
  for (let k = 0; k < vertexCount; k++)
    if (Math.abs(moverSpots[2 * k]! - x) < e && Math.abs(moverSpots[2 * k + 1]! - y) < e)
      vertexVertex(vertices[k]!, vertex);
}

/** A side of a polygon of the target, from corner i to corner j, against the mover's edges and vertices. */
function meetSide(f: number, i: number, j: number): void {
  const { mover, target } = scene;
  const { edgeBits, vertexBits } = movers;
  const left = sideLeft[i]!;
  const right = sideRight[i]!;
  let crossing = ~((cornerLeft[i]! & cornerLeft[j]!) | (cornerRight[i]! & cornerRight[j]!)) & edgeBits;
  let near = ~(left | right) & vertexBits;
  if ((crossing | near) === 0) return;
  const { model } = target;
  const code = model.polygonEdges[model.polygonStart[f]! + i]!;
  const edge = code < 0 ? ~code : code;
  const kind = model.edgeKinds[edge]!;
  if (tuning.skipInternal && kind !== CONVEX_EDGE && kind !== DANGLING_EDGE) return;
  if (tuning.shareFeatures && doneEdges[edge] === scene.stamp) return;
  doneEdges[edge] = scene.stamp;
  const { edges } = mover.model;
  let ready = false;
  while (crossing !== 0) {
    const k = 31 - Math.clz32(crossing);
    crossing &= ~(1 << k);
    // Both ends on one side? (Bits of vertices that take no part are 0.)
    const from = edges[2 * k]!;
    const to = edges[2 * k + 1]!;
    if ((((left >>> from) & (left >>> to)) | ((right >>> from) & (right >>> to))) & 1) continue;
    if (!ready) {
      needVertex(target, model.edges[2 * edge]!);
      needVertex(target, model.edges[2 * edge + 1]!);
      ready = true;
    }
    edgeEdge(k, edge);
  }
  while (near !== 0) {
    const k = 31 - Math.clz32(near);
    near &= ~(1 << k);
    vertexEdge(mover, k, target, edge);
  }
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

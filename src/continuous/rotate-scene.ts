/** What takes part in one piece of a rotation: the mover with the boxes of its arcs, and what of the target is near them. */
import { gatherPolygons, makePolygonList } from './axial-bsp.ts';
import { tuning } from './job.ts';
import { BAR, writeBar } from './rotate-lines.ts';
import { arc, makeStill } from './rotate-state.ts';
import { startVertex } from './rotate-vertex.ts';
import { boundArc } from './rotation-bounds.ts';
import { isOpenSheet } from './sweep-border.ts';
import { CONVEX_EDGE, DANGLING_EDGE } from './types.ts';

/** Both bodies where they are at the start of the piece. */
export const moverBody = makeStill(false);
export const targetBody = makeStill(true);

/** The boxes of the arcs of the mover's vertices, and of its polygons where they start. */
export let vertexBoxes = new Float64Array(6 * 32);
export let polygonBoxes = new Float64Array(6 * 32);
const wholeBox = new Float64Array(6);
/** The mean of the mover's vertices at the start of the piece. */
export const center = { x: 0.5, y: 0.5, z: 0.5 };

/** What of the target is near the motion: polygons, vertices, edges with their boxes and what the search needs of them. */
export const nearby = makePolygonList();
export let nearVertices = new Int32Array(64);
export let nearVertexCount = 0;
export let nearEdges = new Int32Array(64);
export let nearEdgeCount = 0;
export let bars = new Float64Array(64 * BAR);
export let edgeBoxes = new Float64Array(64 * 6);
/** Stamps of the target's vertices and edges that were listed in this search. */
let vertexStamps = new Int32Array(64);
let edgeStamps = new Int32Array(64);
let stamp = 0;

/** Makes room for the boxes of a mover. */
export function readyMover(vertices: number, polygons: number): void {
  if (vertexBoxes.length < 6 * vertices) vertexBoxes = new Float64Array(12 * vertices);
  if (polygonBoxes.length < 6 * polygons) polygonBoxes = new Float64Array(12 * polygons);
}

/** Bounds the mover's arcs, as far as `turn.best`. */
export function boundMover(): void {
  const { model, points } = moverBody;
  const { polygonStart, polygonVertices } = model;
  wholeBox[0] = wholeBox[1] = wholeBox[2] = Number.POSITIVE_INFINITY;
  wholeBox[3] = wholeBox[4] = wholeBox[5] = Number.NEGATIVE_INFINITY;
  const vertices = model.vertexTouches.length;
  center.x = center.y = center.z = 0;
  for (let v = 0; v < vertices; v++) {
    startVertex(moverBody, v);
    center.x += arc.x / vertices;
    center.y += arc.y / vertices;
    center.z += arc.z / vertices;
    boundArc(vertexBoxes, 6 * v);
    for (let k = 0; k < 3; k++) {
      if (vertexBoxes[6 * v + k]! < wholeBox[k]!) wholeBox[k] = vertexBoxes[6 * v + k]!;
      if (vertexBoxes[6 * v + 3 + k]! > wholeBox[3 + k]!) wholeBox[3 + k] = vertexBoxes[6 * v + 3 + k]!;
    }
  }
  const polygons = model.sources.length;
  for (let f = 0; f < polygons; f++) {
    for (let k = 0; k < 3; k++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let i = polygonStart[f]!; i < polygonStart[f + 1]!; i++) {
        const x = points[3 * polygonVertices[i]! + k]!;
        if (x < low) low = x;
        if (x > high) high = x;
      }
      polygonBoxes[6 * f + k] = low;
      polygonBoxes[6 * f + 3 + k] = high;
    }
  }
}

/** Lists what of the target is in the box of the motion. False if nothing is. */
export function readTarget(): boolean {
  const { model, points } = targetBody;
  const { polygonStart, polygonVertices, polygonEdges, vertexTouches, edgeKinds, edges } = model;
  nearVertexCount = nearEdgeCount = 0;
  if (vertexStamps.length < vertexTouches.length) vertexStamps = new Int32Array(2 * vertexTouches.length);
  if (edgeStamps.length < edgeKinds.length) edgeStamps = new Int32Array(2 * edgeKinds.length);
  if (stamp >= 0x7ffffff0) {
    vertexStamps.fill(0);
    edgeStamps.fill(0);
    stamp = 0;
  }
  stamp++;
  const polygons = model.sources.length;
  if (polygons === 0) for (let v = 0; v < vertexTouches.length; v++) listVertex(points, v);
  let count = polygons;
  if (tuning.bsp) count = gatherPolygons(model, wholeBox, nearby);
  else {
    if (nearby.items.length < polygons) nearby.items = new Int32Array(2 * polygons);
    for (let f = 0; f < polygons; f++) nearby.items[f] = f;
    nearby.count = polygons;
  }
  const needEdges = moverBody.model.edgeKinds.length > 0 || isOpenSheet(model);
  const needVertices = moverBody.model.sources.length > 0;
  const all = !tuning.skipInternal;
  for (let n = 0; n < count; n++) {
    const f = nearby.items[n]!;
    for (let i = polygonStart[f]!; i < polygonStart[f + 1]!; i++) {
      const v = polygonVertices[i]!;
      if (needVertices && vertexStamps[v] !== stamp && (all || vertexTouches[v] === 1)) listVertex(points, v);
      const half = polygonEdges[i]!;
      const e = half < 0 ? ~half : half;
      if (needEdges && edgeStamps[e] !== stamp) {
        edgeStamps[e] = stamp;
        const kind = edgeKinds[e];
        if (all || kind === CONVEX_EDGE || kind === DANGLING_EDGE)
          listEdge(points, 3 * edges[2 * e]!, 3 * edges[2 * e + 1]!, e);
      }
    }
  }
  return count + nearVertexCount > 0;
}

function listVertex(points: Float64Array, v: number): void {
  vertexStamps[v] = stamp;
  const x = points[3 * v]!;
  const y = points[3 * v + 1]!;
  const z = points[3 * v + 2]!;
  if (
    x < wholeBox[0]! ||
    y < wholeBox[1]! ||
    z < wholeBox[2]! ||
    x > wholeBox[3]! ||
    y > wholeBox[4]! ||
    z > wholeBox[5]!
  )
    return;
  if (nearVertexCount === nearVertices.length) {
    const longer = new Int32Array(2 * nearVertexCount);
    longer.set(nearVertices);
    nearVertices = longer;
  }
  nearVertices[nearVertexCount++] = v;
}

function listEdge(points: Float64Array, i: number, j: number, e: number): void {
  if (6 * nearEdgeCount + 6 > edgeBoxes.length) growEdges();
  const at = 6 * nearEdgeCount;
  for (let k = 0; k < 3; k++) {
    const x = points[i + k]!;
    const y = points[j + k]!;
    const low = Math.min(x, y);
    const high = Math.max(x, y);
    if (low > wholeBox[k + 3]! || high < wholeBox[k]!) return;
    edgeBoxes[at + k] = low;
    edgeBoxes[at + 3 + k] = high;
  }
  nearEdges[nearEdgeCount] = e;
  writeBar(bars, BAR * nearEdgeCount, points, i, j);
  nearEdgeCount++;
}

function growEdges(): void {
  const count = nearEdgeCount;
  const boxes = new Float64Array(12 * count);
  boxes.set(edgeBoxes);
  edgeBoxes = boxes;
  const lines = new Float64Array(2 * BAR * count);
  lines.set(bars);
  bars = lines;
  const list = new Int32Array(2 * count);
  list.set(nearEdges);
  nearEdges = list;
}

/** Do the boxes at i in a and at j in b meet? */
export const meet = (a: Float64Array, i: number, b: Float64Array, j: number): boolean =>
  ((a[i]! <= b[j + 3]! ? 1 : 0) &
    (a[i + 3]! >= b[j]! ? 1 : 0) &
    (a[i + 1]! <= b[j + 4]! ? 1 : 0) &
    (a[i + 4]! >= b[j + 1]! ? 1 : 0) &
    (a[i + 2]! <= b[j + 5]! ? 1 : 0) &
    (a[i + 5]! >= b[j + 2]! ? 1 : 0)) !==
  0;

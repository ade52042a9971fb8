/**
 * The first contact of a polyhedron that turns about an axis. van Waveren 2005, §2.4, §2.5, §3.3, §3.4 and §5. Vertices
 * of the mover against polygons of the target, the target's vertices against the mover's polygons (they turn the other
 * way), edges against edges; each pair only if the boxes of arc and feature meet, and plane or lines come near in time.
 */
import { atan, makeSinCos, sincos, tan } from '../math/trig.ts';
import { gatherPolygons, makePolygonList } from './axial-bsp.ts';
import type { SweepJob } from './job.ts';
import { EDGE, isEarlier, tuning, VERTEX } from './job.ts';
import { BAR, lineEntry, startSwing, takeBar, writeBar } from './rotate-edge.ts';
import { searchPair } from './rotate-search.ts';
import { arc, first, middle, type Still, turn } from './rotate-state.ts';
import { planeEntry, startArc } from './rotate-vertex.ts';
import { growByArc } from './rotation-bounds.ts';
import { CONVEX_EDGE, DANGLING_EDGE, type PolyhedralModel } from './types.ts';

const NOTHING = {} as PolyhedralModel;
const NO_NUMBERS = new Float64Array(0);

/** Both bodies where they are at the start of the piece. */
const moverBody: Still = { model: NOTHING, points: NO_NUMBERS, planes: NO_NUMBERS, isTarget: false };
const targetBody: Still = { model: NOTHING, points: NO_NUMBERS, planes: NO_NUMBERS, isTarget: true };
/** The mover of later pieces. */
let turnedPoints = new Float64Array(96);
let turnedPlanes = new Float64Array(96);

/** The boxes of the arcs of the mover's vertices, and of its polygons where they start. */
let vertexBoxes = new Float64Array(6 * 32);
let polygonBoxes = new Float64Array(6 * 32);
const wholeBox = new Float64Array(6);
const arcBox = new Float64Array(6);

/** What of the target is near the motion: polygons, vertices, edges with their boxes and what the search needs of them. */
const nearby = makePolygonList();
let nearVertices = new Int32Array(64);
let nearVertexCount = 0;
let nearEdges = new Int32Array(64);
let nearEdgeCount = 0;
let bars = new Float64Array(64 * BAR);
let edgeBoxes = new Float64Array(64 * 6);
/** Stamps of the target's vertices and edges that were listed in this search. */
let vertexStamps = new Int32Array(64);
let edgeStamps = new Int32Array(64);
let stamp = 0;

/** Pairs to be looked at again: what kind, and two numbers. */
let waiting = new Int32Array(3 * 16);
let waitingCount = 0;
const VERTEX_POLYGON = 0;
const POLYGON_VERTEX = 1;
const EDGE_EDGE = 2;

const sc = makeSinCos();
const axis = { x: 0.5, y: 0.5, z: 0.5 };
/** The mean of the mover's vertices at the start of the piece. */
const center = { x: 0.5, y: 0.5, z: 0.5 };
const arcOf = { sine: 0.5, versine: 0.5 };

/** A position is wrong by less than this much of the largest coordinate. */
const POSITION_ERROR = 3.552713678800501e-15; // 2^-48

/** Finds the first contact within the first `job.best` of the rotation and writes it to the job. @internal */
export function rotateModel(job: SweepJob): void {
  const total = Math.abs(job.angle);
  const length = total * job.best;
  if (!(length >= 0 && total > 0)) return;
  prepare(job);
  // Quarter turns at most: tan(α/2) stays below 1 and the boxes tight. (1e-9: half a turn is two of them.)
  const pieces = Math.max(1, Math.ceil(length / (0.5 * Math.PI) - 1e-9));
  const each = length / pieces;
  for (let i = 0; i < pieces && !first.found; i++) {
    if (i > 0) turnMover(job, i * each);
    turn.best = turn.end = tan(0.5 * each);
    searchPiece();
    if (first.found) report(job, i * each, total);
  }
  moverBody.model = targetBody.model = NOTHING;
}

function prepare(job: SweepJob): void {
  const sign = job.angle < 0 ? -1 : 1;
  const e = job.thickness;
  axis.x = sign * job.kx;
  axis.y = sign * job.ky;
  axis.z = sign * job.kz;
  turn.ox = job.pivotX;
  turn.oy = job.pivotY;
  turn.oz = job.pivotZ;
  turn.e = e;
  turn.inside = e * (1 - 1 / 128);
  turn.surely = e * (1 - 1 / 256);
  turn.enter = e * (1 + 1 / 256);
  turn.border = e * (1 + 1 / 128);
  turn.accept = e * (1 + 1 / 64);
  turn.leave = e * (1 + 1 / 32);
  turn.slack = job.slack;
  turn.tolerance = POSITION_ERROR * job.magnitude;
  first.found = false;
  moverBody.model = job.mover;
  moverBody.points = job.points;
  moverBody.planes = job.planes;
  targetBody.model = job.target;
  targetBody.points = job.target.points;
  targetBody.planes = job.target.planes;
  const { mover } = job;
  const vertices = mover.vertexTouches.length;
  const polygons = mover.sources.length;
  if (vertexBoxes.length < 6 * vertices) vertexBoxes = new Float64Array(12 * vertices);
  if (polygonBoxes.length < 6 * polygons) polygonBoxes = new Float64Array(12 * polygons);
}

/** Puts the mover where it is after an angle. */
function turnMover(job: SweepJob, angle: number): void {
  const { points, planes } = job;
  const count = job.mover.points.length;
  const polygons = job.mover.sources.length;
  if (turnedPoints.length < count) turnedPoints = new Float64Array(2 * count);
  if (turnedPlanes.length < 4 * polygons) turnedPlanes = new Float64Array(8 * polygons);
  sincos(angle, sc);
  const { sin: sine, cos: cosine } = sc;
  const { x: kx, y: ky, z: kz } = axis;
  const { ox, oy, oz } = turn;
  for (let i = 0; i < count; i += 3) {
    const x = points[i]! - ox;
    const y = points[i + 1]! - oy;
    const z = points[i + 2]! - oz;
    const along = (1 - cosine) * (kx * x + ky * y + kz * z);
    turnedPoints[i] = ox + (cosine * x + sine * (ky * z - kz * y) + along * kx);
    turnedPoints[i + 1] = oy + (cosine * y + sine * (kz * x - kx * z) + along * ky);
    turnedPoints[i + 2] = oz + (cosine * z + sine * (kx * y - ky * x) + along * kz);
  }
  for (let i = 0; i < 4 * polygons; i += 4) {
    const x = planes[i]!;
    const y = planes[i + 1]!;
    const z = planes[i + 2]!;
    const along = (1 - cosine) * (kx * x + ky * y + kz * z);
    turnedPlanes[i] = cosine * x + sine * (ky * z - kz * y) + along * kx;
    turnedPlanes[i + 1] = cosine * y + sine * (kz * x - kx * z) + along * ky;
    turnedPlanes[i + 2] = cosine * z + sine * (kx * y - ky * x) + along * kz;
  }
  moverBody.points = turnedPoints;
  moverBody.planes = turnedPlanes;
}

function searchPiece(): void {
  turn.startGap = turn.e * (1 - 1 / 64);
  turn.second = false;
  waitingCount = 0;
  const scale = 2 / (1 + turn.best * turn.best);
  arcOf.sine = scale * turn.best;
  arcOf.versine = arcOf.sine * turn.best;
  forwards();
  boundMover();
  forwards();
  if (!readTarget()) return;
  verticesOfMover();
  edgesOfBoth();
  verticesOfTarget();
  if (waitingCount === 0) return;
  turn.second = true;
  for (let i = 0; i < waitingCount; i++) {
    const a = waiting[3 * i + 1]!;
    const b = waiting[3 * i + 2]!;
    if (waiting[3 * i] === VERTEX_POLYGON) {
      forwards();
      moveVertex(moverBody, a);
      pairVertex(targetBody, moverBody, a, b, VERTEX_POLYGON);
    } else if (waiting[3 * i] === POLYGON_VERTEX) {
      backwards();
      moveVertex(targetBody, a);
      pairVertex(moverBody, targetBody, a, b, POLYGON_VERTEX);
    } else {
      forwards();
      moveEdge(a);
      pairEdges(a, b);
    }
  }
}

/** The mover's features turn. */
function forwards(): void {
  turn.kx = axis.x;
  turn.ky = axis.y;
  turn.kz = axis.z;
  middle.x = center.x;
  middle.y = center.y;
  middle.z = center.z;
}

/** The target's features turn about the mover. */
function backwards(): void {
  turn.kx = -axis.x;
  turn.ky = -axis.y;
  turn.kz = -axis.z;
  const { low, high } = targetBody.model;
  middle.x = 0.5 * (low.x + high.x);
  middle.y = 0.5 * (low.y + high.y);
  middle.z = 0.5 * (low.z + high.z);
}

const moveVertex = ({ points }: Still, v: number): void =>
  startArc(points[3 * v]!, points[3 * v + 1]!, points[3 * v + 2]!);

/** The box of the arc in `arc`, with the zone, at `at`. */
function boundArc(boxes: Float64Array, at: number): void {
  const { sine, versine } = arcOf;
  boxes[at] = boxes[at + 3] = arc.x;
  boxes[at + 1] = boxes[at + 4] = arc.y;
  boxes[at + 2] = boxes[at + 5] = arc.z;
  growByArc(boxes, at, 0, arc.cx, arc.px, arc.x, sine, versine);
  growByArc(boxes, at + 1, 0, arc.cy, arc.py, arc.y, sine, versine);
  growByArc(boxes, at + 2, 0, arc.cz, arc.pz, arc.z, sine, versine);
  const margin = 1.125 * turn.leave;
  boxes[at]! -= margin;
  boxes[at + 1]! -= margin;
  boxes[at + 2]! -= margin;
  boxes[at + 3]! += margin;
  boxes[at + 4]! += margin;
  boxes[at + 5]! += margin;
}

function boundMover(): void {
  const { model, points } = moverBody;
  const { polygonStart, polygonVertices } = model;
  wholeBox[0] = wholeBox[1] = wholeBox[2] = Number.POSITIVE_INFINITY;
  wholeBox[3] = wholeBox[4] = wholeBox[5] = Number.NEGATIVE_INFINITY;
  const vertices = model.vertexTouches.length;
  center.x = center.y = center.z = 0;
  for (let v = 0; v < vertices; v++) {
    moveVertex(moverBody, v);
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
function readTarget(): boolean {
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
  const needEdges = moverBody.model.edgeKinds.length > 0;
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

const meet = (a: Float64Array, i: number, b: Float64Array, j: number): boolean =>
  ((a[i]! <= b[j + 3]! ? 1 : 0) &
    (a[i + 3]! >= b[j]! ? 1 : 0) &
    (a[i + 1]! <= b[j + 4]! ? 1 : 0) &
    (a[i + 4]! >= b[j + 1]! ? 1 : 0) &
    (a[i + 2]! <= b[j + 5]! ? 1 : 0) &
    (a[i + 5]! >= b[j + 2]! ? 1 : 0)) !==
  0;

function verticesOfMover(): void {
  const { vertexTouches } = moverBody.model;
  const { polygonBounds } = targetBody.model;
  const { items, count } = nearby;
  const all = !tuning.skipInternal;
  // Two points (or clouds of them) have nothing else to meet.
  const points = moverBody.model.sources.length + targetBody.model.sources.length === 0 ? nearVertexCount : 0;
  for (let v = 0; v < vertexTouches.length; v++) {
    if (vertexTouches[v] === 0 && !all) continue;
    moveVertex(moverBody, v);
    for (let n = 0; n < count; n++) {
      const f = items[n]!;
      if (meet(vertexBoxes, 6 * v, polygonBounds, 6 * f))
        pairVertex(targetBody, moverBody, v, f, VERTEX_POLYGON);
    }
    for (let n = 0; n < points; n++) searchPair(targetBody, moverBody, false, ~nearVertices[n]!, v, 0, true);
  }
}

function verticesOfTarget(): void {
  const polygons = moverBody.model.sources.length;
  backwards();
  for (let n = 0; n < nearVertexCount; n++) {
    const v = nearVertices[n]!;
    moveVertex(targetBody, v);
    boundArc(arcBox, 0);
    for (let f = 0; f < polygons; f++)
      if (meet(arcBox, 0, polygonBoxes, 6 * f)) pairVertex(moverBody, targetBody, v, f, POLYGON_VERTEX);
  }
}

function edgesOfBoth(): void {
  const { edgeKinds, edges } = moverBody.model;
  const all = !tuning.skipInternal;
  for (let e = 0; e < edgeKinds.length; e++) {
    const kind = edgeKinds[e];
    if (!all && kind !== CONVEX_EDGE && kind !== DANGLING_EDGE) continue;
    moveEdge(e);
    // The arcs of the points between are between those of the ends.
    const i = 6 * edges[2 * e]!;
    const j = 6 * edges[2 * e + 1]!;
    for (let k = 0; k < 3; k++) {
      arcBox[k] = Math.min(vertexBoxes[i + k]!, vertexBoxes[j + k]!);
      arcBox[k + 3] = Math.max(vertexBoxes[i + 3 + k]!, vertexBoxes[j + 3 + k]!);
    }
    for (let n = 0; n < nearEdgeCount; n++) if (meet(arcBox, 0, edgeBoxes, 6 * n)) pairEdges(e, n);
  }
}

function moveEdge(e: number): void {
  const { edges } = moverBody.model;
  startSwing(moverBody.points, 3 * edges[2 * e]!, 3 * edges[2 * e + 1]!, e);
}

function pairVertex(still: Still, moving: Still, v: number, f: number, kind: number): void {
  const r = planeEntry(still, f);
  if (!(r <= turn.best)) return;
  turn.deferred = false;
  searchPair(still, moving, false, f, v, r, r === 0 || turn.isBehind);
  if (turn.deferred) defer(kind, v, f);
}

function pairEdges(e: number, n: number): void {
  const r = lineEntry(bars, BAR * n);
  if (!(r <= turn.best)) return;
  takeBar(bars, BAR * n, nearEdges[n]!);
  turn.deferred = false;
  searchPair(targetBody, moverBody, true, 0, e, r, r === 0);
  if (turn.deferred) defer(EDGE_EDGE, e, n);
}

function defer(kind: number, a: number, b: number): void {
  turn.deferred = false;
  if (3 * waitingCount === waiting.length) {
    const longer = new Int32Array(6 * waitingCount);
    longer.set(waiting);
    waiting = longer;
  }
  waiting[3 * waitingCount] = kind;
  waiting[3 * waitingCount + 1] = a;
  waiting[3 * waitingCount + 2] = b;
  waitingCount++;
}

/** So much of the time is taken off: a few roundings. */
const NOT_LATE = 1 - 8.881784197001252e-16; // 2^-50

/** Writes the contact to the job. `before` is the angle of the pieces before. */
function report(job: SweepJob, before: number, total: number): void {
  const t = Math.min(((before + 2 * atan(turn.best)) / total) * NOT_LATE, job.best);
  if (!isEarlier(job, t)) return;
  job.best = t;
  job.found = true;
  job.gap = Math.max(0, first.gap);
  if (first.turnsMover) {
    job.moverKind = first.movingKind === EDGE ? EDGE : VERTEX;
    job.moverFeature = first.movingFeature;
    job.targetKind = first.stillKind;
    job.targetFeature = first.stillFeature;
    job.x = first.x;
    job.y = first.y;
    job.z = first.z;
    job.nx = first.nx;
    job.ny = first.ny;
    job.nz = first.nz;
    return;
  }
  // Found in the frame of the mover: bring it along.
  job.moverKind = first.stillKind;
  job.moverFeature = first.stillFeature;
  job.targetKind = VERTEX;
  job.targetFeature = first.movingFeature;
  const r = turn.best;
  const sine = (2 * r) / (1 + r * r);
  const versine = sine * r;
  turn.kx = axis.x;
  turn.ky = axis.y;
  turn.kz = axis.z;
  startArc(first.qx, first.qy, first.qz);
  job.x = arc.x + (sine * arc.cx - versine * arc.px);
  job.y = arc.y + (sine * arc.cy - versine * arc.py);
  job.z = arc.z + (sine * arc.cz - versine * arc.pz);
  const { x: kx, y: ky, z: kz } = axis;
  const { nx, ny, nz } = first;
  const along = kx * nx + ky * ny + kz * nz;
  job.nx = -(nx + sine * (ky * nz - kz * ny) - versine * (nx - along * kx));
  job.ny = -(ny + sine * (kz * nx - kx * nz) - versine * (ny - along * ky));
  job.nz = -(nz + sine * (kx * ny - ky * nx) - versine * (nz - along * kz));
}

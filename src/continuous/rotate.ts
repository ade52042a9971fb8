/**
 * The first contact of a polyhedron that turns about an axis. van Waveren 2005, §2.4, §2.5, §3.3, §3.4 and §5. Vertices
 * of the mover against polygons of the target, the target's vertices against the mover's polygons (they turn the other
 * way), edges against edges; each pair only if the boxes of arc and feature meet, and plane or lines come near in time.
 */
import { atan, makeSinCos, sincos, tan } from '../math/trig.ts';
import type { SweepJob } from './job.ts';
import { EDGE, isEarlier, tuning, VERTEX } from './job.ts';
import { BAR, edgeBallEntry, lineEntry, startSwing, takeBar } from './rotate-lines.ts';
import {
  bars,
  boundMover,
  center,
  edgeBoxes,
  meet,
  moverBody,
  nearby,
  nearEdgeCount,
  nearEdges,
  nearVertexCount,
  nearVertices,
  polygonBoxes,
  readTarget,
  readyMover,
  targetBody,
  vertexBoxes,
} from './rotate-scene.ts';
import { searchPair, setFloor, takeAt } from './rotate-search.ts';
import { arc, first, going, makeStill, middle, type Still, turn, turning } from './rotate-state.ts';
import { ballEntry, borderEntry, planeEntry, startArc, startVertex } from './rotate-vertex.ts';
import { boundArc } from './rotation-bounds.ts';
import { isOpenSheet } from './sweep-border.ts';
import { CONVEX_EDGE, DANGLING_EDGE } from './types.ts';

const NOTHING = makeStill(false);
const arcBox = new Float64Array(6);

/** The mover of later pieces. */
let turnedPoints = new Float64Array(96);
let turnedPlanes = new Float64Array(96);

/** Pairs to be looked at again: what kind, and two numbers. */
let waiting = new Int32Array(3 * 16);
let waitingCount = 0;
let isCrowded = false;
const VERTEX_POLYGON = 0;
const POLYGON_VERTEX = 1;
const EDGE_EDGE = 2;
const VERTEX_VERTEX = 3;
/** A vertex and an edge of the border of a sheet that is touched from the front only. */
const VERTEX_BORDER = 4;
const BORDER_VERTEX = 5;

const sc = makeSinCos();
const axis = { x: 0.5, y: 0.5, z: 0.5 };

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
  // In the zone the search has rules for what faces what: the way is proved without them.
  if (turn.unproved || turn.startGap < turn.deepest) job.unproved = true;
  moverBody.model = targetBody.model = NOTHING.model;
  turning.body = NOTHING;
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
  turn.deepest = e * (1 - 1 / 64);
  turn.inside = e * (1 - 1 / 128);
  turn.surely = e * (1 - 1 / 256);
  turn.enter = e * (1 + 1 / 256);
  turn.border = e * (1 + 1 / 128);
  turn.accept = e * (1 + 1 / 64);
  turn.leave = e * (1 + 1 / 32);
  turn.slack = job.slack;
  turn.tolerance = POSITION_ERROR * job.magnitude;
  turn.touch = 8 * turn.tolerance;
  turn.startGap = e * (1 - 1 / 256);
  turn.second = false;
  turn.unproved = false;
  setFloor();
  first.found = false;
  moverBody.model = job.mover;
  moverBody.points = job.points;
  moverBody.planes = job.planes;
  targetBody.model = job.target;
  targetBody.points = job.target.points;
  targetBody.planes = job.target.planes;
  readyMover(job.mover.vertexTouches.length, job.mover.sources.length);
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
  waitingCount = 0;
  isCrowded = false;
  turn.sine = (2 * turn.best) / (1 + turn.best * turn.best);
  turn.versine = turn.sine * turn.best;
  forwards();
  boundMover();
  forwards();
  if (!readTarget()) {
    turn.second = true;
    return;
  }
  verticesOfMover();
  if (!isCrowded) edgesOfBoth();
  if (!isCrowded) verticesOfTarget();
  // In later pieces the distances at the start of the first one count.
  turn.second = true;
  if (waitingCount === 0) return;
  setFloor();
  if (isCrowded) {
    searchAgain(0, true);
    return;
  }
  for (let i = 0; i < waitingCount; i++) searchAgain(i, false);
}

/** Searches a pair that waited, or takes it as it is at the start. */
function searchAgain(i: number, atOnce: boolean): void {
  const a = waiting[3 * i + 1]!;
  const b = waiting[3 * i + 2]!;
  const kind = waiting[3 * i]!;
  const isBack = kind === POLYGON_VERTEX || kind === BORDER_VERTEX;
  const isPolygon = kind === POLYGON_VERTEX || kind === VERTEX_POLYGON;
  if (isBack) backwards();
  else forwards();
  if (kind === EDGE_EDGE) {
    moveEdge(a);
    if (atOnce) takeBar(bars, BAR * b, nearEdges[b]!);
  } else startVertex(isBack ? targetBody : moverBody, a);
  const still = isBack ? moverBody : targetBody;
  const moving = isBack ? targetBody : moverBody;
  if (atOnce) takeAt(kind === EDGE_EDGE, still, moving, isPolygon || kind === EDGE_EDGE ? b : ~b, a, 0);
  else if (kind === EDGE_EDGE) pairEdges(a, b);
  else if (kind === VERTEX_VERTEX) pairPoints(a, b);
  else if (!isPolygon) pairBorder(still, moving, a, b, kind);
  else pairVertex(still, moving, a, b, kind);
}

/** The mover's features turn. */
function forwards(): void {
  turn.kx = axis.x;
  turn.ky = axis.y;
  turn.kz = axis.z;
  middle.x = center.x;
  middle.y = center.y;
  middle.z = center.z;
  setGoing(1);
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
  setGoing(-1);
}

/** The mover's middle, as the target sees it, or the other way round. */
function setGoing(sign: number): void {
  const x = center.x - turn.ox;
  const y = center.y - turn.oy;
  const z = center.z - turn.oz;
  going.x = turn.ky * z - turn.kz * y;
  going.y = turn.kz * x - turn.kx * z;
  going.z = turn.kx * y - turn.ky * x;
  going.sign = sign;
}

function verticesOfMover(): void {
  const { vertexTouches } = moverBody.model;
  const { polygonBounds, edgeKinds } = targetBody.model;
  const { items, count } = nearby;
  const all = !tuning.skipInternal;
  // Two points (or clouds of them) have nothing else to meet.
  const points = moverBody.model.sources.length + targetBody.model.sources.length === 0 ? nearVertexCount : 0;
  const borders = isOpenSheet(targetBody.model) ? nearEdgeCount : 0;
  for (let v = 0; v < vertexTouches.length; v++) {
    if (vertexTouches[v] === 0 && !all) continue;
    startVertex(moverBody, v);
    for (let n = 0; n < count; n++) {
      const f = items[n]!;
      if (meet(vertexBoxes, 6 * v, polygonBounds, 6 * f))
        pairVertex(targetBody, moverBody, v, f, VERTEX_POLYGON);
    }
    for (let n = 0; n < borders; n++) {
      const e = nearEdges[n]!;
      if (edgeKinds[e] === DANGLING_EDGE && meet(vertexBoxes, 6 * v, edgeBoxes, 6 * n))
        pairBorder(targetBody, moverBody, v, e, VERTEX_BORDER);
    }
    if (isCrowded) return;
    for (let n = 0; n < points; n++) pairPoints(v, nearVertices[n]!);
  }
}

function verticesOfTarget(): void {
  const polygons = moverBody.model.sources.length;
  const { edgeKinds } = moverBody.model;
  const borders = isOpenSheet(moverBody.model) ? edgeKinds.length : 0;
  backwards();
  for (let n = 0; n < nearVertexCount; n++) {
    const v = nearVertices[n]!;
    startVertex(targetBody, v);
    boundArc(arcBox, 0);
    for (let f = 0; f < polygons; f++)
      if (meet(arcBox, 0, polygonBoxes, 6 * f)) pairVertex(moverBody, targetBody, v, f, POLYGON_VERTEX);
    for (let e = 0; e < borders; e++)
      if (edgeKinds[e] === DANGLING_EDGE) pairBorder(moverBody, targetBody, v, e, BORDER_VERTEX);
    if (isCrowded) return;
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
    if (isCrowded) return;
  }
}

function moveEdge(e: number): void {
  const { edges } = moverBody.model;
  startSwing(moverBody.points, 3 * edges[2 * e]!, 3 * edges[2 * e + 1]!, e);
}

function pairVertex(still: Still, moving: Still, v: number, f: number, kind: number): void {
  let r = planeEntry(still, f);
  if (!(r <= turn.best)) return;
  r = Math.max(r, ballEntry(still === targetBody ? still.model.polygonBounds : polygonBoxes, f));
  if (!(r <= turn.best)) return;
  turn.deferred = false;
  searchPair(still, moving, false, f, v, r, r === 0 || turn.isBehind);
  if (turn.deferred) defer(kind, v, f);
}

/** From whichever side: the border of a sheet has no back. */
function pairBorder(still: Still, moving: Still, v: number, e: number, kind: number): void {
  const r = borderEntry(still, e);
  if (!(r <= turn.best)) return;
  turn.deferred = false;
  searchPair(still, moving, false, ~e, v, r, r === 0);
  if (turn.deferred) defer(kind, v, e);
}

function pairPoints(v: number, w: number): void {
  turn.deferred = false;
  searchPair(targetBody, moverBody, false, ~w, v, 0, true);
  if (turn.deferred) defer(VERTEX_VERTEX, v, w);
}

function pairEdges(e: number, n: number): void {
  let r = lineEntry(bars, BAR * n);
  if (!(r <= turn.best)) return;
  r = Math.max(r, edgeBallEntry(edgeBoxes, n));
  if (!(r <= turn.best)) return;
  takeBar(bars, BAR * n, nearEdges[n]!);
  turn.deferred = false;
  searchPair(targetBody, moverBody, true, 0, e, r, r === 0);
  if (turn.deferred) defer(EDGE_EDGE, e, n);
}

/** So many pairs that start in the zone are followed: with more, everything is in touch, and stays where it is. */
const MOST_WAITING = 65536;

function defer(kind: number, a: number, b: number): void {
  turn.deferred = false;
  if (waitingCount === MOST_WAITING) {
    isCrowded = true;
    turn.exhausted++;
    return;
  }
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

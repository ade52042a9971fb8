/**
 * The first contact of a polyhedron that rotates about an axis. van Waveren 2005, §2.4, §2.5, §3.3, §3.4 and §5. Vertices
 * of the mover against polygons of the target, the target's vertices against the mover's polygons (they rotate the other
 * way), edges against edges; each pair only if the boxes of arc and feature meet, and plane or lines come near in time.
 */
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { atan, makeSinCos, sincos, tan } from '../../math/trig.ts';
import {
  boundPolygons,
  boxesMeet,
  grown,
  grownFloats,
  mergeBoxes,
  withCapacity,
  withIntegerCapacity,
} from '../boxes.ts';
import { setFeatures, VERTEX } from '../feature-contact.ts';
import { canTouch, isOpenSheet, NO_MODEL } from '../features.ts';
import { gatherPolygons } from '../model/axial-bsp.ts';
import { isEarlier, type SweepContext } from '../sweep-context.ts';
import { DANGLING_EDGE } from '../types.ts';
import { boundArc, startArc } from './arc.ts';
import { edgeBallEntry, lineEntry, startMovingEdge, takeFixedEdge, writeLine } from './edge-edge.ts';
import { searchPair, setFloor, takeAt } from './pair-search.ts';
import { LINE, type RotationContext } from './rotation-context.ts';
import { ballEntry, borderEntry, planeEntry, startVertex } from './vertex-polygon.ts';

const angleNow = makeSinCos();

/** A position is wrong by less than this much of the largest coordinate. */
const POSITION_ERROR = 32 * UNIT_ROUNDING;

/** Finds the first contact within the first `context.best` of the rotation and writes it to the context. @internal */
export function rotateModel(context: SweepContext): void {
  const { rotation } = context;
  const { first, mover, target } = rotation;
  const total = context.angle;
  const length = total * context.best;
  if (!(length >= 0 && total > 0)) return;
  prepare(context);
  // Quarter turns at most: tan(α/2) stays below 1 and the boxes tight. (1e-9: half a turn is two of them.)
  const pieces = Math.max(1, Math.ceil(length / (0.5 * Math.PI) - 1e-9));
  const each = length / pieces;
  for (let i = 0; i < pieces && !first.found; i++) {
    if (i > 0) rotateMover(context, i * each);
    rotation.best = rotation.end = tan(0.5 * each);
    searchPiece(rotation);
    if (first.found) report(context, i * each, total);
  }
  // In the zone the search has rules for what faces what: the path is proved without them.
  if (rotation.unproved || rotation.startGap < rotation.deepest) context.unproved = true;
  if (rotation.isCrowded) context.exhausted++;
  mover.model = target.model = NO_MODEL;
}

function prepare(context: SweepContext): void {
  const { rotation, thickness: e } = context;
  const { axis, first, mover, target } = rotation;
  axis.x = context.kx;
  axis.y = context.ky;
  axis.z = context.kz;
  rotation.ox = context.pivotX;
  rotation.oy = context.pivotY;
  rotation.oz = context.pivotZ;
  rotation.e = e;
  rotation.deepest = e * (1 - 1 / 64);
  rotation.inside = e * (1 - 1 / 128);
  rotation.surely = e * (1 - 1 / 256);
  rotation.enter = e * (1 + 1 / 256);
  rotation.border = e * (1 + 1 / 128);
  rotation.accept = e * (1 + 1 / 64);
  rotation.leave = e * (1 + 1 / 32);
  rotation.slack = context.slack;
  rotation.tolerance = POSITION_ERROR * context.magnitude;
  rotation.touch = 8 * rotation.tolerance;
  rotation.startGap = e * (1 - 1 / 256);
  rotation.isStartGapKnown = false;
  rotation.unproved = false;
  rotation.isCrowded = false;
  setFloor(rotation);
  first.found = false;
  mover.model = context.mover;
  mover.points = context.points;
  mover.planes = context.planes;
  target.model = context.target;
  target.points = context.target.points;
  target.planes = context.target.planes;
  rotation.vertexBoxes = withCapacity(rotation.vertexBoxes, 6 * context.mover.vertexTouches.length);
  rotation.polygonBoxes = withCapacity(rotation.polygonBoxes, 6 * context.mover.sources.length);
}

/** Puts the mover where it is after an angle. */
function rotateMover({ rotation, points, planes, mover: model }: SweepContext, angle: number): void {
  const { axis, mover, ox, oy, oz } = rotation;
  const count = model.points.length;
  const polygons = model.sources.length;
  rotation.rotatedPoints = withCapacity(rotation.rotatedPoints, count);
  rotation.rotatedPlanes = withCapacity(rotation.rotatedPlanes, 4 * polygons);
  const { rotatedPoints, rotatedPlanes } = rotation;
  sincos(angle, angleNow);
  const { sin: sine, cos: cosine } = angleNow;
  const { x: kx, y: ky, z: kz } = axis;
  for (let i = 0; i < count; i += 3) {
    const x = points[i]! - ox;
    const y = points[i + 1]! - oy;
    const z = points[i + 2]! - oz;
    const along = (1 - cosine) * (kx * x + ky * y + kz * z);
    rotatedPoints[i] = ox + (cosine * x + sine * (ky * z - kz * y) + along * kx);
    rotatedPoints[i + 1] = oy + (cosine * y + sine * (kz * x - kx * z) + along * ky);
    rotatedPoints[i + 2] = oz + (cosine * z + sine * (kx * y - ky * x) + along * kz);
  }
  // Normals only: the distances of the planes from the origin are not used.
  for (let i = 0; i < 4 * polygons; i += 4) {
    const x = planes[i]!;
    const y = planes[i + 1]!;
    const z = planes[i + 2]!;
    const along = (1 - cosine) * (kx * x + ky * y + kz * z);
    rotatedPlanes[i] = cosine * x + sine * (ky * z - kz * y) + along * kx;
    rotatedPlanes[i + 1] = cosine * y + sine * (kz * x - kx * z) + along * ky;
    rotatedPlanes[i + 2] = cosine * z + sine * (kx * y - ky * x) + along * kz;
  }
  mover.points = rotatedPoints;
  mover.planes = rotatedPlanes;
}

function searchPiece(rotation: RotationContext): void {
  rotation.deferredCount = 0;
  rotation.sine = (2 * rotation.best) / (1 + rotation.best * rotation.best);
  rotation.versine = rotation.sine * rotation.best;
  rotateForwards(rotation);
  boundMover(rotation);
  rotateForwards(rotation);
  if (!listTarget(rotation)) {
    rotation.isStartGapKnown = true;
    return;
  }
  searchMoverVertices(rotation);
  if (!rotation.isCrowded) searchEdges(rotation);
  if (!rotation.isCrowded) searchTargetVertices(rotation);
  // In later pieces the distances at the start of the first one count.
  rotation.isStartGapKnown = true;
  if (rotation.deferredCount === 0) return;
  setFloor(rotation);
  const count = rotation.isCrowded ? 1 : rotation.deferredCount;
  for (let i = 0; i < count; i++) searchDeferred(rotation, i);
}

/** The mover's features rotate. */
function rotateForwards(rotation: RotationContext): void {
  const { axis, middle, center } = rotation;
  rotation.kx = axis.x;
  rotation.ky = axis.y;
  rotation.kz = axis.z;
  middle.x = center.x;
  middle.y = center.y;
  middle.z = center.z;
  setDrift(rotation, 1);
}

/** The target's features rotate about the mover. */
function rotateBackwards(rotation: RotationContext): void {
  const { axis, target, middle } = rotation;
  rotation.kx = -axis.x;
  rotation.ky = -axis.y;
  rotation.kz = -axis.z;
  const { low, high } = target.model;
  middle.x = 0.5 * (low.x + high.x);
  middle.y = 0.5 * (low.y + high.y);
  middle.z = 0.5 * (low.z + high.z);
  setDrift(rotation, -1);
}

/** The mover's middle, as the target sees it, or the other way round. */
function setDrift({ center, drift, kx, ky, kz, ox, oy, oz }: RotationContext, sign: number): void {
  const x = center.x - ox;
  const y = center.y - oy;
  const z = center.z - oz;
  drift.x = ky * z - kz * y;
  drift.y = kz * x - kx * z;
  drift.z = kx * y - ky * x;
  drift.sign = sign;
}

// ---- What takes part ---------------------------------------------------------------------------------------------------

/** Bounds the mover's arcs, as far as `best`. */
function boundMover(rotation: RotationContext): void {
  const { mover, wholeBox, center, arc, vertexBoxes: boxes } = rotation;
  const { model, points } = mover;
  wholeBox[0] = wholeBox[1] = wholeBox[2] = Infinity;
  wholeBox[3] = wholeBox[4] = wholeBox[5] = -Infinity;
  const vertices = model.vertexTouches.length;
  center.x = center.y = center.z = 0;
  for (let v = 0; v < vertices; v++) {
    startVertex(rotation, mover, v);
    center.x += arc.x / vertices;
    center.y += arc.y / vertices;
    center.z += arc.z / vertices;
    boundArc(arc, rotation, 1.125 * rotation.leave, boxes, 6 * v);
    for (let k = 0; k < 3; k++) {
      if (boxes[6 * v + k]! < wholeBox[k]!) wholeBox[k] = boxes[6 * v + k]!;
      if (boxes[6 * v + 3 + k]! > wholeBox[3 + k]!) wholeBox[3 + k] = boxes[6 * v + 3 + k]!;
    }
  }
  if (model.sources.length > 0) boundPolygons(model, points, rotation.polygonBoxes);
}

/** Lists what of the target is in the box of the motion. False if nothing is. */
function listTarget(rotation: RotationContext): boolean {
  const { target, wholeBox, nearPolygons: near, mover, listedVertices, listedEdges, tuning } = rotation;
  const { model } = target;
  const { polygonStart, polygonVertices, polygonEdges, vertexTouches, edgeKinds } = model;
  rotation.nearVertexCount = rotation.nearEdgeCount = 0;
  listedVertices.begin(vertexTouches.length);
  listedEdges.begin(edgeKinds.length);
  const polygons = model.sources.length;
  if (polygons === 0) for (let v = 0; v < vertexTouches.length; v++) listVertex(rotation, v);
  if (tuning.bsp) gatherPolygons(model, wholeBox, near);
  else {
    near.items = withIntegerCapacity(near.items, polygons);
    for (let f = 0; f < polygons; f++) near.items[f] = f;
    near.count = polygons;
  }
  const { items, count } = near;
  const needEdges = mover.model.edgeKinds.length > 0 || isOpenSheet(model);
  const needVertices = mover.model.sources.length > 0;
  const all = !tuning.skipInternal;
  for (let n = 0; n < count; n++) {
    const f = items[n]!;
    for (let i = polygonStart[f]!; i < polygonStart[f + 1]!; i++) {
      const v = polygonVertices[i]!;
      if (needVertices && listedVertices.marks[v] !== listedVertices.mark && (all || vertexTouches[v] === 1))
        listVertex(rotation, v);
      const half = polygonEdges[i]!;
      const e = half < 0 ? ~half : half;
      if (!needEdges || listedEdges.marks[e] === listedEdges.mark) continue;
      listedEdges.marks[e] = listedEdges.mark;
      if (all || canTouch(edgeKinds[e]!)) listEdge(rotation, e);
    }
  }
  return count + rotation.nearVertexCount > 0;
}

function listVertex(rotation: RotationContext, v: number): void {
  const { wholeBox, listedVertices, nearVertexCount: count } = rotation;
  const { points } = rotation.target;
  listedVertices.marks[v] = listedVertices.mark;
  for (let k = 0; k < 3; k++)
    if (points[3 * v + k]! < wholeBox[k]! || points[3 * v + k]! > wholeBox[k + 3]!) return;
  rotation.nearVertices = grown(rotation.nearVertices, count + 1);
  rotation.nearVertices[count] = v;
  rotation.nearVertexCount++;
}

function listEdge(rotation: RotationContext, e: number): void {
  const { wholeBox, nearEdgeCount: count } = rotation;
  const { points, model } = rotation.target;
  const i = 3 * model.edges[2 * e]!;
  const j = 3 * model.edges[2 * e + 1]!;
  rotation.edgeBoxes = grownFloats(rotation.edgeBoxes, 6 * (count + 1));
  const { edgeBoxes } = rotation;
  for (let k = 0; k < 3; k++) {
    const x = points[i + k]!;
    const y = points[j + k]!;
    const low = Math.min(x, y);
    const high = Math.max(x, y);
    if (low > wholeBox[k + 3]! || high < wholeBox[k]!) return;
    edgeBoxes[6 * count + k] = low;
    edgeBoxes[6 * count + 3 + k] = high;
  }
  rotation.nearEdges = grown(rotation.nearEdges, count + 1);
  rotation.nearEdges[count] = e;
  rotation.edgeLines = grownFloats(rotation.edgeLines, LINE * (count + 1));
  writeLine(rotation, rotation.edgeLines, LINE * count, points, i, j);
  rotation.nearEdgeCount++;
}

// ---- Pairs -------------------------------------------------------------------------------------------------------------

function searchMoverVertices(rotation: RotationContext): void {
  const { mover, target, vertexBoxes, edgeBoxes, nearEdges, nearVertices } = rotation;
  const { vertexTouches } = mover.model;
  const { polygonBounds, edgeKinds } = target.model;
  const { items, count } = rotation.nearPolygons;
  const all = !rotation.tuning.skipInternal;
  // Two points (or clouds of them) have nothing else to meet.
  const points =
    mover.model.sources.length + target.model.sources.length === 0 ? rotation.nearVertexCount : 0;
  const borders = isOpenSheet(target.model) ? rotation.nearEdgeCount : 0;
  for (let v = 0; v < vertexTouches.length && !rotation.isCrowded; v++) {
    if (vertexTouches[v] === 0 && !all) continue;
    startVertex(rotation, mover, v);
    for (let n = 0; n < count; n++) {
      const f = items[n]!;
      if (boxesMeet(vertexBoxes, 6 * v, polygonBounds, 6 * f)) searchVertex(rotation, f);
    }
    for (let n = 0; n < borders; n++) {
      const e = nearEdges[n]!;
      if (edgeKinds[e] === DANGLING_EDGE && boxesMeet(vertexBoxes, 6 * v, edgeBoxes, 6 * n))
        searchVertex(rotation, ~e);
    }
    for (let n = 0; n < points && !rotation.isCrowded; n++) searchVertex(rotation, ~nearVertices[n]!);
  }
}

function searchTargetVertices(rotation: RotationContext): void {
  const { mover, target, arc, arcBox, polygonBoxes } = rotation;
  const polygons = mover.model.sources.length;
  const { edgeKinds } = mover.model;
  const borders = isOpenSheet(mover.model) ? edgeKinds.length : 0;
  rotateBackwards(rotation);
  for (let n = 0; n < rotation.nearVertexCount && !rotation.isCrowded; n++) {
    startVertex(rotation, target, rotation.nearVertices[n]!);
    boundArc(arc, rotation, 1.125 * rotation.leave, arcBox, 0);
    for (let f = 0; f < polygons; f++)
      if (boxesMeet(arcBox, 0, polygonBoxes, 6 * f)) searchVertex(rotation, f);
    for (let e = 0; e < borders; e++) if (edgeKinds[e] === DANGLING_EDGE) searchVertex(rotation, ~e);
  }
}

function searchEdges(rotation: RotationContext): void {
  const { mover, arcBox, vertexBoxes, edgeBoxes } = rotation;
  const { edgeKinds, edges } = mover.model;
  const all = !rotation.tuning.skipInternal;
  for (let e = 0; e < edgeKinds.length && !rotation.isCrowded; e++) {
    if (!all && !canTouch(edgeKinds[e]!)) continue;
    startMovingEdge(rotation, e);
    // The arcs of the points between are between those of the ends.
    mergeBoxes(vertexBoxes, 6 * edges[2 * e]!, 6 * edges[2 * e + 1]!, arcBox);
    for (let n = 0; n < rotation.nearEdgeCount; n++)
      if (boxesMeet(arcBox, 0, edgeBoxes, 6 * n)) searchEdge(rotation, n);
  }
}

/** The vertex that was started against polygon f of the other body; or against ~e, an edge of its border, or ~v, a vertex. */
function searchVertex(rotation: RotationContext, index: number): void {
  const { pair, mover, target } = rotation;
  const isForward = pair.moving === mover;
  pair.fixed = isForward ? target : mover;
  pair.index = index;
  let r = 0;
  rotation.isBehind = false;
  if (index >= 0) {
    r = planeEntry(rotation, index);
    if (!(r <= rotation.best)) return;
    r = Math.max(
      r,
      ballEntry(rotation, isForward ? target.model.polygonBounds : rotation.polygonBoxes, index),
    );
    // From whichever side: the border of a sheet has no back.
  } else if (pair.fixed.model.sources.length > 0) r = borderEntry(rotation, ~index);
  if (!(r <= rotation.best)) return;
  rotation.deferred = false;
  searchPair(rotation, r, r === 0 || rotation.isBehind);
  if (rotation.deferred) defer(rotation, isForward ? FORWARD : BACKWARD, pair.movingIndex, index);
}

/** The edge that was started against edge n of those of the target that are near. */
function searchEdge(rotation: RotationContext, n: number): void {
  const { pair, edgeLines } = rotation;
  let r = lineEntry(rotation, edgeLines, LINE * n);
  if (!(r <= rotation.best)) return;
  r = Math.max(r, edgeBallEntry(rotation, rotation.edgeBoxes, n));
  if (!(r <= rotation.best)) return;
  takeFixedEdge(rotation, n);
  rotation.deferred = false;
  searchPair(rotation, r, r === 0);
  if (rotation.deferred) defer(rotation, EDGES, pair.movingIndex, n);
}

/** Of deferred pairs: a vertex of the mover, of the target, two edges. */
const FORWARD = 0;
const BACKWARD = 1;
const EDGES = 2;

/** So many pairs that start in the zone are followed: with more, everything is in touch, and stays where it is. */
const MOST_DEFERRED = 65536;

function defer(rotation: RotationContext, kind: number, moving: number, index: number): void {
  const { deferredCount: count } = rotation;
  if (count === MOST_DEFERRED) {
    rotation.isCrowded = true;
    return;
  }
  rotation.deferredPairs = grown(rotation.deferredPairs, 3 * (count + 1));
  const { deferredPairs } = rotation;
  deferredPairs[3 * count] = kind;
  deferredPairs[3 * count + 1] = moving;
  deferredPairs[3 * count + 2] = index;
  rotation.deferredCount++;
}

/** Searches a pair that waited; if there are too many, takes it as it is at the start. */
function searchDeferred(rotation: RotationContext, i: number): void {
  const { target, mover, pair, deferredPairs, isCrowded } = rotation;
  const kind = deferredPairs[3 * i]!;
  const moving = deferredPairs[3 * i + 1]!;
  const index = deferredPairs[3 * i + 2]!;
  if (kind === BACKWARD) rotateBackwards(rotation);
  else rotateForwards(rotation);
  if (kind === EDGES) {
    startMovingEdge(rotation, moving);
    if (isCrowded) takeFixedEdge(rotation, index);
    else searchEdge(rotation, index);
  } else {
    startVertex(rotation, kind === BACKWARD ? target : mover, moving);
    pair.fixed = kind === BACKWARD ? mover : target;
    pair.index = index;
    if (!isCrowded) searchVertex(rotation, index);
  }
  if (isCrowded) takeAt(rotation, 0);
}

// ---- The answer --------------------------------------------------------------------------------------------------------

/** So much of the time is taken off: a few roundings. */
const NOT_LATE = 1 - 8 * UNIT_ROUNDING;

/** Writes the contact to the context. `before` is the angle of the pieces before. */
function report(context: SweepContext, before: number, total: number): void {
  const { rotation, contact } = context;
  const { first, axis, arc } = rotation;
  const t = Math.min(((before + 2 * atan(rotation.best)) / total) * NOT_LATE, context.best);
  if (!isEarlier(context, t)) return;
  context.best = t;
  context.found = true;
  contact.gap = Math.max(0, first.gap);
  if (first.rotatesMover) {
    setFeatures(contact, first.movingKind, first.movingFeature, first.fixedKind, first.fixedFeature);
    contact.x = first.x;
    contact.y = first.y;
    contact.z = first.z;
    contact.nx = first.nx;
    contact.ny = first.ny;
    contact.nz = first.nz;
    return;
  }
  // Found in the frame of the mover: bring it along.
  setFeatures(contact, first.fixedKind, first.fixedFeature, VERTEX, first.movingFeature);
  const r = rotation.best;
  const sine = (2 * r) / (1 + r * r);
  const versine = sine * r;
  const { x: kx, y: ky, z: kz } = axis;
  rotation.kx = kx;
  rotation.ky = ky;
  rotation.kz = kz;
  startArc(arc, rotation, first.qx, first.qy, first.qz);
  contact.x = arc.x + (sine * arc.cx - versine * arc.ux);
  contact.y = arc.y + (sine * arc.cy - versine * arc.uy);
  contact.z = arc.z + (sine * arc.cz - versine * arc.uz);
  const { nx, ny, nz } = first;
  const along = kx * nx + ky * ny + kz * nz;
  contact.nx = -(nx + sine * (ky * nz - kz * ny) - versine * (nx - along * kx));
  contact.ny = -(ny + sine * (kz * nx - kx * nz) - versine * (ny - along * ky));
  contact.nz = -(nz + sine * (kx * ny - ky * nx) - versine * (nz - along * kz));
}

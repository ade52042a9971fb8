/**
 * The path of a sweep that starts in touch. There no gap bounds a step, so the search has only its rules for features that
 * touch; here the path is proved without any of them. Two convex polygons do not cut through each other as long as there is
 * an axis along which they do not overlap: a direction that stands with the target, one that rotates with the mover, or at
 * right angles to a side of each, while these rotate against each other. Along each of them, the height of a corner over the
 * other polygon is A + B sin α + C cos α (of a translation, linear), so for how long it lasts is known, to rounding. When it
 * ends, another one takes over; where there is none, the two begin to cut, and the path is proved as far as that.
 */
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { atan, makeSinCos, sincos, tan } from '../../math/trig.ts';
import { pose, type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { emptyBox, extendBox, growBox, withCapacity } from '../boxes.ts';
import { isOpenSheet } from '../features.ts';
import { gatherPolygons } from '../model/axial-bsp.ts';
import type { SteadyMotion } from '../motion.ts';
import { Arc, boundArc, startArc, startVector } from '../rotation/arc.ts';
import { firstZero } from '../rotation/half-angle.ts';
import { poseAt, type SweepContext } from '../sweep-context.ts';
import type { PolyhedralModel } from '../types.ts';
import {
  allAxes,
  alongNormals,
  crossAxis,
  type Face,
  faceCount,
  loadFace,
  nearestFeatures,
  projectFaces,
  setAxis,
} from './face-pair.ts';
import { poseFaces, releaseFaces } from './pose-clearance.ts';
import type { PathProof } from './verify-context.ts';

const here = pose();
const sc = makeSinCos();

/** So many directions a pair of polygons may need in one piece, and all of them; then it goes no farther than was proved. */
const MOST_STEPS = 512;
const MOST_OF_ALL = 1_000_000;
/** In radians, or of the translation: what moves by less has not moved. */
const LEAST_STEP = 32 * UNIT_ROUNDING;

/**
 * Up to when, and not beyond `end`, no polygon of the mover comes nearer than `level` to one of the target, or cuts through it
 * deeper than -`level`, if that is negative.
 *
 * @internal
 */
export function provenUntil(context: SweepContext, end: number, level: number): number {
  const { proof, mover, target } = context;
  const { phases, count } = context.motion;
  if (mover.sources.length + target.sources.length === 0) return end;
  proof.level = level;
  proof.stepsLeft = MOST_OF_ALL;
  proof.gaveUp = false;
  let proven = end;
  for (let k = 0; k < count && proven === end; k++) {
    const from = k / count;
    const to = Math.min(end, (k + 1) / count);
    if (!(to > from)) break;
    const phase = phases[k]!;
    const until =
      phase.angle > 0
        ? rotationProven(context, phase, from, to)
        : translationProven(context, phase, from, to);
    if (until < to) proven = until;
  }
  if (proof.gaveUp) context.exhausted++;
  return proven;
}

function translationProven(
  context: SweepContext,
  { linear }: SteadyMotion,
  from: number,
  to: number,
): number {
  const { proof, motion, unitTargetPose } = context;
  const { translation } = proof;
  v3.rotateInverse(linear, unitTargetPose.quaternion, translation);
  v3.scale(translation, motion.count * (to - from), translation);
  proof.isRotation = false;
  proof.length = 1;
  provePiece(context, from);
  return proof.free < 1 ? from + proof.free * (to - from) : to;
}

function rotationProven(context: SweepContext, phase: SteadyMotion, from: number, to: number): number {
  const { proof, motion, unitTargetPose } = context;
  const { angle, pivot, axis } = phase;
  const total = angle * motion.count * (to - from);
  // After a whole turn everything comes again.
  const length = Math.min(total, 2 * Math.PI);
  const pieces = Math.max(1, Math.ceil(length / (0.5 * Math.PI) - 1e-9));
  v3.rotateInverse(axis, unitTargetPose.quaternion, local);
  proof.kx = local.x;
  proof.ky = local.y;
  proof.kz = local.z;
  v3.sub(pivot, unitTargetPose.position, local);
  v3.rotateInverse(local, unitTargetPose.quaternion, local);
  proof.ox = local.x;
  proof.oy = local.y;
  proof.oz = local.z;
  proof.isRotation = true;
  proof.length = length / pieces;
  sincos(proof.length, sc);
  proof.sine = sc.sin;
  proof.versine = 1 - sc.cos;
  for (let i = 0; i < pieces; i++) {
    const at = from + ((to - from) * i * proof.length) / total;
    provePiece(context, at);
    if (proof.free < proof.length) return at + ((to - from) * proof.free) / total;
  }
  return to;
}

const local = vec3(0.5, 0.5, 0.5);

/** All pairs that may meet in the piece, from the time `at` on. */
function provePiece(context: SweepContext, at: number): void {
  const { mover, target, proof } = context;
  const { faces, box, near } = proof;
  const { own, other } = faces;
  proof.free = proof.length;
  poseFaces(context, poseAt(context, at, here));
  boundPath(context);
  const hasPolygons = target.sources.length > 0;
  const count = hasPolygons ? gatherPolygons(target, box, near) : faceCount(target);
  const moverFaces = faceCount(mover);
  for (let n = 0; n < count && proof.free > 0; n++) {
    const f = hasPolygons ? near.items[n]! : n;
    let loaded = false;
    for (let g = 0; g < moverFaces && proof.free > 0; g++) {
      boundFace(proof, mover, g);
      if (!mayMeet(proof, target, f)) continue;
      if (!loaded) {
        loadFace(other, f);
        proof.otherArcs = withCapacity(proof.otherArcs, 9 * other.count);
        writeArcs(proof, other, proof.otherArcs);
      }
      loaded = true;
      loadFace(own, g);
      startOwn(proof);
      provePair(proof);
    }
  }
  releaseFaces(faces);
}

/** The boxes about the paths of the mover's vertices, and about all of them. */
function boundPath({ points, mover, proof }: SweepContext): void {
  const { box, translation, arc } = proof;
  const vertices = mover.vertexTouches.length;
  proof.boxes = withCapacity(proof.boxes, 6 * vertices);
  const { boxes } = proof;
  emptyBox(box);
  for (let v = 0; v < vertices; v++) {
    if (proof.isRotation) {
      startArc(arc, proof, points[3 * v]!, points[3 * v + 1]!, points[3 * v + 2]!);
      boundArc(arc, proof, 0, boxes, 6 * v);
    } else
      for (let k = 0; k < 3; k++) {
        const d = k === 0 ? translation.x : k === 1 ? translation.y : translation.z;
        boxes[6 * v + k] = points[3 * v + k]! + Math.min(0, d);
        boxes[6 * v + k + 3] = points[3 * v + k]! + Math.max(0, d);
      }
    extendBox(box, boxes, 6 * v);
    extendBox(box, boxes, 6 * v + 3);
  }
  growBox(box, Math.abs(proof.level), box);
}

/** The box about the path of polygon g, to `faceBox`. */
function boundFace({ boxes, faceBox }: PathProof, model: PolyhedralModel, g: number): void {
  const { polygonStart, polygonVertices, sources } = model;
  const hasPolygons = sources.length > 0;
  const first = hasPolygons ? polygonStart[g]! : g;
  const last = hasPolygons ? polygonStart[g + 1]! : g + 1;
  emptyBox(faceBox);
  for (let i = first; i < last; i++) {
    const at = 6 * (hasPolygons ? polygonVertices[i]! : i);
    extendBox(faceBox, boxes, at);
    extendBox(faceBox, boxes, at + 3);
  }
}

/** Does `faceBox` meet face f of the target? A little wider, as coordinates are rounded; what is that much apart does not cut. */
function mayMeet(
  { faceBox, level }: PathProof,
  { polygonBounds, points, sources }: PolyhedralModel,
  f: number,
): boolean {
  const wide = Math.abs(level);
  const isPolygon = sources.length > 0;
  const b = isPolygon ? polygonBounds : points;
  const low = isPolygon ? 6 * f : 3 * f;
  const high = isPolygon ? low + 3 : low;
  for (let k = 0; k < 3; k++)
    if (faceBox[k]! > b[high + k]! + wide || faceBox[k + 3]! < b[low + k]! - wide) return false;
  return true;
}

// ---- A pair of polygons ------------------------------------------------------------------------------------------------

function startOwn(proof: PathProof): void {
  const { own } = proof.faces;
  proof.startArcs = withCapacity(proof.startArcs, 9 * own.count);
  proof.ownArcs = withCapacity(proof.ownArcs, 9 * own.count);
  writeArcs(proof, own, proof.startArcs);
  const { startArcs, ownArcs } = proof;
  for (let i = 0; i < 9 * own.count; i++) ownArcs[i] = startArcs[i]!;
  startVector(proof.startNormal, proof, own.normal[0]!, own.normal[1]!, own.normal[2]!);
}

function writeArcs(proof: PathProof, { corners, count }: Face, to: Float64Array): void {
  const { arc } = proof;
  for (let i = 0, k = 0; i < 3 * count; i += 3, k += 9) {
    startArc(arc, proof, corners[i]!, corners[i + 1]!, corners[i + 2]!);
    to[k] = arc.x;
    to[k + 1] = arc.y;
    to[k + 2] = arc.z;
    to[k + 3] = arc.cx;
    to[k + 4] = arc.cy;
    to[k + 5] = arc.cz;
    to[k + 6] = arc.ux;
    to[k + 7] = arc.uy;
    to[k + 8] = arc.uz;
  }
}

/** Brings the mover's polygon to where it is at `t`: an angle, or a part of the translation. */
function moveOwn(proof: PathProof, t: number): void {
  const { startArcs, ownArcs, translation, startNormal: n } = proof;
  const { corners, sides, count, normal } = proof.faces.own;
  if (proof.isRotation) {
    sincos(t, sc);
    const { sin: sine, cos: cosine } = sc;
    const versine = 1 - cosine;
    for (let i = 0; i < 9 * count; i += 9)
      for (let k = 0; k < 3; k++) {
        const a = startArcs[i + 3 + k]!;
        const b = startArcs[i + 6 + k]!;
        ownArcs[i + k] = startArcs[i + k]! + (sine * a - versine * b);
        ownArcs[i + 3 + k] = cosine * a - sine * b;
        ownArcs[i + 6 + k] = cosine * b + sine * a;
      }
    normal[0] = n.x + (sine * n.cx - versine * n.ux);
    normal[1] = n.y + (sine * n.cy - versine * n.uy);
    normal[2] = n.z + (sine * n.cz - versine * n.uz);
  } else
    for (let i = 0; i < 9 * count; i += 9) {
      ownArcs[i] = startArcs[i]! + t * translation.x;
      ownArcs[i + 1] = startArcs[i + 1]! + t * translation.y;
      ownArcs[i + 2] = startArcs[i + 2]! + t * translation.z;
    }
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) corners[3 * i + k] = ownArcs[9 * i + k]!;
  for (let i = 0; i < count; i++) {
    const next = i + 1 < count ? 3 * i + 3 : 0;
    for (let k = 0; k < 3; k++) sides[3 * i + k] = corners[next + k]! - corners[3 * i + k]!;
  }
}

/** Takes from `proof.free` what of it the two polygons may cut through each other in. */
function provePair(proof: PathProof): void {
  const { own, other } = proof.faces;
  let t = 0;
  for (let step = 0; ; step++) {
    proof.stepsLeft--;
    const rest = proof.free - t;
    proof.rest = proof.isRotation ? tan(0.5 * rest) : rest;
    proof.lasts = 0;
    tryNormal(proof, other);
    if (proof.lasts < proof.rest) tryNormal(proof, own);
    if (proof.lasts < proof.rest) tryOthers(proof);
    if (proof.lasts >= proof.rest) return;
    const longer = proof.isRotation ? 2 * atan(proof.lasts) : proof.lasts;
    if (!(longer > LEAST_STEP) || step === MOST_STEPS || proof.stepsLeft < 0) {
      if (comesFromBehind(proof)) return;
      if (longer > LEAST_STEP && !isCutting(proof)) proof.gaveUp = true;
      proof.free = t;
      return;
    }
    t += longer;
    moveOwn(proof, t);
  }
}

/** Do they cut deeper than rounding, if slowly more so? Then they have come as far as they may. */
function isCutting({ faces, level }: PathProof): boolean {
  alongNormals(faces);
  allAxes(faces);
  return faces.apart < 0.125 * level;
}

/** The cosine from which on what is behind a polygon is not beside it. */
const BEHIND = -1e-4;

/** What begins to cut through a sheet that is touched from the front only may do so from behind. */
function comesFromBehind({ faces, level }: PathProof): boolean {
  const { own, other } = faces;
  const isFixed = isOpenSheet(other.model);
  const isMoving = isOpenSheet(own.model);
  if (!isFixed && !isMoving) return false;
  if ((isFixed && isAllBehind(own, other, level)) || (isMoving && isAllBehind(other, own, level)))
    return true;
  alongNormals(faces);
  allAxes(faces);
  const { ax, ay, az } = faces;
  const { normal: n } = other;
  const { normal: m } = own;
  if (isFixed && ax * n[0]! + ay * n[1]! + az * n[2]! < BEHIND) return true;
  return isMoving && ax * m[0]! + ay * m[1]! + az * m[2]! > -BEHIND;
}

/** Is a polygon behind the plane of the other, but for rounding? */
function isAllBehind({ corners: p, count }: Face, { corners: q, normal: n }: Face, level: number): boolean {
  const most = 2 * Math.abs(level);
  let low = 0;
  for (let k = 0; k < 3 * count; k += 3) {
    const h = n[0]! * (p[k]! - q[0]!) + n[1]! * (p[k + 1]! - q[1]!) + n[2]! * (p[k + 2]! - q[2]!);
    if (h > most) return false;
    if (h < low) low = h;
  }
  return low < -most;
}

/** Along the normal of either, or against it. */
function tryNormal(proof: PathProof, { normal }: Face): void {
  if (normal[0] === 0 && normal[1] === 0 && normal[2] === 0) return;
  setAxis(proof.faces, normal, 0);
  tryAxis(proof, -1, -1);
}

/** Across sides of both, and in the planes upright on the sides. */
function tryOthers(proof: PathProof): void {
  const { faces } = proof;
  const { own, other, contact, axis } = faces;
  for (let j = 0; j < 3 * other.count && proof.lasts < proof.rest; j += 3) {
    setAxis(faces, other.sides, j);
    tryCross(proof, other.normal, 0, -1, -1);
    for (let i = 0; i < 3 * own.count && proof.lasts < proof.rest; i += 3) {
      setAxis(faces, other.sides, j);
      tryCross(proof, own.sides, i, i, j);
    }
  }
  for (let i = 0; i < 3 * own.count && proof.lasts < proof.rest; i += 3) {
    setAxis(faces, own.sides, i);
    tryCross(proof, own.normal, 0, -1, -1);
  }
  if (!(proof.level > 0 && proof.lasts < proof.rest)) return;
  // From corner to corner they are farther apart than along any of these.
  contact.gap = Infinity;
  nearestFeatures(faces);
  axis.x = contact.nx;
  axis.y = contact.ny;
  axis.z = contact.nz;
  tryAxis(proof, -1, -1);
}

/** The direction across `axis` and the vector at k in u; of side i across side j, if not -1. */
function tryCross(proof: PathProof, u: Float64Array, k: number, i: number, j: number): void {
  if (crossAxis(proof.faces, u[k]!, u[k + 1]!, u[k + 2]!)) tryAxis(proof, i, j);
}

/** The direction in `axis` or the opposite one, if the polygons do not overlap along it; of side i across side j, if not -1. */
function tryAxis(proof: PathProof, i: number, j: number): void {
  const { faces, level } = proof;
  const { axis, spans } = faces;
  projectFaces(faces);
  const { ownLow, ownHigh, low, high } = spans;
  if (ownLow - high > level) tryDirection(proof, ownLow, high, i, j);
  if (low - ownHigh > level && proof.lasts < proof.rest) {
    v3.scale(axis, -1, axis);
    tryDirection(proof, -ownHigh, -low, i, j);
  }
}

/** For how long A + B sin α + C cos α stays positive, as `firstZero`; of a translation, which is linear. */
const staysPositive = (isRotation: boolean, f: number, rate: number, bend: number): number => {
  if (!(f > 0)) return 0;
  if (isRotation) return firstZero(f, rate, bend);
  return rate < 0 ? f / -rate : Infinity;
};

/** Direction `axis`, along which the lowest corner of the mover's polygon is at `bottom` and the target's highest at `top`. */
function tryDirection(proof: PathProof, bottom: number, top: number, i: number, j: number): void {
  const { level, translation, ownArcs, otherArcs, faces } = proof;
  const { x, y, z } = faces.axis;
  // It stands with the target.
  if (!proof.isRotation) {
    const rate = x * translation.x + y * translation.y + z * translation.z;
    proof.lasts = Math.max(proof.lasts, staysPositive(false, bottom - top - level, rate, 0));
    return;
  }
  let lasts = Infinity;
  for (let k = 0; k < 9 * faces.own.count && lasts > proof.lasts; k += 9) {
    const h = x * ownArcs[k]! + y * ownArcs[k + 1]! + z * ownArcs[k + 2]!;
    const rate = x * ownArcs[k + 3]! + y * ownArcs[k + 4]! + z * ownArcs[k + 5]!;
    const bend = x * ownArcs[k + 6]! + y * ownArcs[k + 7]! + z * ownArcs[k + 8]!;
    lasts = Math.min(lasts, staysPositive(true, h - top - level, rate, bend));
  }
  if (lasts > proof.lasts) proof.lasts = lasts;
  // It rotates with the mover.
  lasts = Infinity;
  for (let k = 0; k < 9 * faces.other.count && lasts > proof.lasts; k += 9) {
    const h = x * otherArcs[k]! + y * otherArcs[k + 1]! + z * otherArcs[k + 2]!;
    const rate = x * otherArcs[k + 3]! + y * otherArcs[k + 4]! + z * otherArcs[k + 5]!;
    const bend = x * otherArcs[k + 6]! + y * otherArcs[k + 7]! + z * otherArcs[k + 8]!;
    lasts = Math.min(lasts, staysPositive(true, bottom - h - level, rate, -bend));
  }
  if (lasts > proof.lasts) proof.lasts = lasts;
  if (i >= 0) tryAcross(proof, i, j);
}

const side = new Arc();
const rotating = new Arc();
const edge = vec3(0.5, 0.5, 0.5);
const w = vec3(0.5, 0.5, 0.5);
const gap = vec3(0.5, 0.5, 0.5);

const dotC = (v: ReadonlyVec3, arc: Arc): number => v.x * arc.cx + v.y * arc.cy + v.z * arc.cz;
const dotU = (v: ReadonlyVec3, arc: Arc): number => v.x * arc.ux + v.y * arc.uy + v.z * arc.uz;

/** `gap` × `side`, as it rotates. */
function rotateCross(proof: PathProof): void {
  v3.cross(gap, side, gap);
  startVector(rotating, proof, gap.x, gap.y, gap.z);
}

/**
 * The direction u × v of side i of the mover's polygon and side j of the target's, while the one rotates. All corners of the
 * one are above the plane through its side along it, those of the other below; and the distance of the lines, which is
 * v · (a × u) - u · (v × b) for points a and b on them.
 */
function tryAcross(proof: PathProof, i: number, j: number): void {
  const { own, other, axis } = proof.faces;
  const { level } = proof;
  startVector(side, proof, own.sides[i]!, own.sides[i + 1]!, own.sides[i + 2]!);
  v3.set(other.sides[j]!, other.sides[j + 1]!, other.sides[j + 2]!, edge);
  v3.cross(side, edge, w);
  // `axis` is along it or against it.
  if (v3.dot(w, axis) < 0) {
    v3.scale(edge, -1, edge);
    v3.scale(w, -1, w);
  }
  const size = v3.length(w);
  // The lines: at the start from the difference of the points, which is short.
  offsetOf(own, i, other, j);
  const h = v3.dot(w, gap);
  // The direction may grow by so much, which makes the distance of the lines look larger; and some may be lost at the corners.
  const growth = level > 0 ? Math.min(0.25, 0.5 * (h / (level * size) - 1)) : 0.25;
  if (!(growth > 0)) return;
  const speed = Math.sqrt(side.ux * side.ux + side.uy * side.uy + side.uz * side.uz) * v3.length(edge);
  let lasts = speed > 0 ? (growth * size) / (2 * speed) : Infinity;
  if (!(lasts > proof.lasts)) return;
  const some = 0.25 * growth * Math.abs(level) * size;
  const between = level > 0 ? (1 + growth) * level * size + 2 * some : -9 * some;
  for (let k = 0; k < 3 * other.count && lasts > proof.lasts; k += 3) {
    if (k === j || k === (j + 3 < 3 * other.count ? j + 3 : 0)) continue;
    offsetOf(other, j, other, k);
    v3.cross(edge, gap, w);
    lasts = Math.min(lasts, staysPositive(true, v3.dot(side, w) + some, dotC(w, side), dotU(w, side)));
  }
  for (let k = 0; k < 3 * own.count && lasts > proof.lasts; k += 3) {
    if (k === i || k === (i + 3 < 3 * own.count ? i + 3 : 0)) continue;
    offsetOf(own, k, own, i);
    rotateCross(proof);
    lasts = Math.min(
      lasts,
      staysPositive(true, v3.dot(edge, gap) + some, dotC(edge, rotating), dotU(edge, rotating)),
    );
  }
  if (!(lasts > proof.lasts)) return;
  v3.set(own.corners[i]! - proof.ox, own.corners[i + 1]! - proof.oy, own.corners[i + 2]! - proof.oz, gap);
  rotateCross(proof);
  v3.set(other.corners[j]! - proof.ox, other.corners[j + 1]! - proof.oy, other.corners[j + 2]! - proof.oz, w);
  v3.cross(edge, w, w);
  const rate = dotC(edge, rotating) - dotC(w, side);
  const bend = dotU(edge, rotating) - dotU(w, side);
  lasts = Math.min(lasts, staysPositive(true, h - between, rate, bend));
  if (lasts > proof.lasts) proof.lasts = lasts;
}

/** From corner j of one face to corner i of another: to `gap`. */
function offsetOf({ corners: p }: Face, i: number, { corners: q }: Face, j: number): void {
  v3.set(p[i]! - q[j]!, p[i + 1]! - q[j + 1]!, p[i + 2]! - q[j + 2]!, gap);
}

/**
 * The way of a sweep that starts in touch. There no gap bounds a step, so the search has only its rules for features that
 * touch; here the way is proved without any of them. Two convex polygons do not cut through each other as long as there is
 * an axis along which they do not overlap: a direction that stands with the target, one that turns with the mover, or at
 * right angles to a side of each, while these turn against each other. Along each of them, the height of a corner over the
 * other polygon is A + B sin α + C cos α (of a translation, linear), so for how long it lasts is known, to rounding. When it
 * ends, another one takes over; where there is none, the two begin to cut, and the way is proved as far as that.
 */

import * as q4 from '../math/quat.ts';
import { atan, makeSinCos, sincos, tan } from '../math/trig.ts';
import { pose, quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { gatherPolygons, makePolygonList } from './axial-bsp.ts';
import { firstZero } from './half-angle.ts';
import type { SweepJob } from './job.ts';
import {
  allAxes,
  alongNormals,
  faceCount,
  load,
  makeClearance,
  nearestFeatures,
  other,
  own,
  placeFaces,
  releaseFaces,
  scratch,
} from './pose-clearance.ts';
import { turn } from './rotate-state.ts';
import { isOpenSheet } from './sweep-border.ts';
import { poseAt, type SweepCourse } from './sweep-course.ts';
import type { PolyhedralModel } from './types.ts';

// Fields that hold fractions start with one, so that V8 stores them as doubles from the beginning.
const D = 0.5;

/**
 * The part of the motion at hand, a translation or a turn of at most a quarter, in the target's frame: how long it is (the
 * angle, or 1), and what of it is free for sure.
 */
const piece = { turns: false, length: D, free: D, ox: D, oy: D, oz: D };
const way = vec3(D, D, D);
const axis = vec3(D, D, D);
/** How far two polygons have to be apart; negative: how deep is rounding. And how many steps are left for all pairs. */
const limit = { level: D, steps: 0 };

const here = pose();
const spin = quat(D, D, D, D);
const sc = makeSinCos();
const near = makePolygonList();
const box = new Float64Array(6);
/** Where the mover's vertices are on the way: low x, y, z, high x, y, z. */
let boxes = new Float64Array(6 * 64);
const part = new Float64Array(6);

/** So many directions a pair of polygons may need in one piece, and all of them; then it goes no farther than was proved. */
const MOST_STEPS = 512;
const MOST_OF_ALL = 1_000_000;
/** In radians, or of the translation: what moves by less has not moved. */
const LEAST_STEP = 3.552713678800501e-15; // 2^-48

/**
 * Up to when, and not beyond `end`, no polygon of the mover comes nearer than `level` to one of the target, or cuts through it
 * deeper than -`level`, if that is negative.
 *
 * @internal
 */
export function provenWay(job: SweepJob, course: SweepCourse, end: number, level: number): number {
  const { moves, turns, turnsFirst } = course.parts;
  if (job.mover.sources.length + job.target.sources.length === 0) return end;
  limit.level = level;
  limit.steps = MOST_OF_ALL;
  q4.normalize(course.stand.quaternion, spin);
  const count = moves && turns ? 2 : 1;
  for (let k = 0; k < count; k++) {
    const from = k / count;
    const to = Math.min(end, (k + 1) / count);
    if (!(to > from)) break;
    const isTurn = turns && (!moves || turnsFirst === (k === 0));
    const proven = isTurn
      ? turnProven(job, course, from, to, count)
      : moveProven(job, course, from, to, count);
    if (proven < to) return proven;
  }
  return end;
}

function moveProven(job: SweepJob, course: SweepCourse, from: number, to: number, count: number): number {
  v3.rotateInverse(course.parts.translation, spin, way);
  piece.turns = false;
  piece.length = count * (to - from);
  v3.scale(way, piece.length, way);
  piece.length = 1;
  provePiece(job, course, from);
  return piece.free < 1 ? from + piece.free * (to - from) : to;
}

function turnProven(job: SweepJob, course: SweepCourse, from: number, to: number, count: number): number {
  const { angle, pivot } = course.parts;
  const total = Math.abs(angle) * count * (to - from);
  // After a whole turn everything comes again.
  const length = Math.min(total, 2 * Math.PI);
  const pieces = Math.max(1, Math.ceil(length / (0.5 * Math.PI) - 1e-9));
  v3.rotateInverse(course.parts.axis, spin, axis);
  if (angle < 0) v3.scale(axis, -1, axis);
  v3.sub(pivot, course.stand.position, way);
  v3.rotateInverse(way, spin, way);
  piece.ox = way.x;
  piece.oy = way.y;
  piece.oz = way.z;
  piece.turns = true;
  for (let i = 0; i < pieces; i++) {
    piece.length = length / pieces;
    const at = from + ((to - from) * i * piece.length) / total;
    provePiece(job, course, at);
    if (piece.free < piece.length) return at + ((to - from) * piece.free) / total;
  }
  return to;
}

/** All pairs that may meet in the piece, from the time `at` on. */
function provePiece(job: SweepJob, course: SweepCourse, at: number): void {
  const { mover, target } = job;
  piece.free = piece.length;
  placeFaces(job, poseAt(course, at, here), course.stand);
  boundWay(job);
  const hasPolygons = target.sources.length > 0;
  const count = hasPolygons ? gatherPolygons(target, box, near) : faceCount(target);
  const faces = faceCount(mover);
  for (let n = 0; n < count && piece.free > 0; n++) {
    const f = hasPolygons ? near.items[n]! : n;
    const bounds = hasPolygons ? target.polygonBounds : target.points;
    const low = hasPolygons ? 6 * f : 3 * f;
    const high = hasPolygons ? low + 3 : low;
    let loaded = false;
    for (let g = 0; g < faces && piece.free > 0; g++) {
      boundFace(mover, g);
      if (!meets(bounds, low, high)) continue;
      if (!loaded) {
        load(other, f);
        startOther();
      }
      loaded = true;
      load(own, g);
      startOwn();
      provePair();
    }
  }
  releaseFaces();
}

/** The boxes about the ways of the mover's vertices, and about all of them. */
function boundWay(job: SweepJob): void {
  const { points } = job;
  const vertices = job.mover.vertexTouches.length;
  if (boxes.length < 6 * vertices) boxes = new Float64Array(12 * vertices);
  const wide = Math.abs(limit.level);
  for (let k = 0; k < 3; k++) {
    box[k] = Number.POSITIVE_INFINITY;
    box[k + 3] = Number.NEGATIVE_INFINITY;
  }
  for (let v = 0; v < vertices; v++) {
    if (piece.turns) boundArc(points, 3 * v, 6 * v);
    else
      for (let k = 0; k < 3; k++) {
        const d = k === 0 ? way.x : k === 1 ? way.y : way.z;
        boxes[6 * v + k] = points[3 * v + k]! + Math.min(0, d);
        boxes[6 * v + k + 3] = points[3 * v + k]! + Math.max(0, d);
      }
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k]!, boxes[6 * v + k]! - wide);
      box[k + 3] = Math.max(box[k + 3]!, boxes[6 * v + k + 3]! + wide);
    }
  }
}

const c = vec3(D, D, D);
const u = vec3(D, D, D);

/** For the vector from the pivot to a point: the axis × it to `c`, and its part across the axis to `u`. */
function startArc(x: number, y: number, z: number): void {
  const dx = x - piece.ox;
  const dy = y - piece.oy;
  const dz = z - piece.oz;
  c.x = axis.y * dz - axis.z * dy;
  c.y = axis.z * dx - axis.x * dz;
  c.z = axis.x * dy - axis.y * dx;
  u.x = c.y * axis.z - c.z * axis.y;
  u.y = c.z * axis.x - c.x * axis.z;
  u.z = c.x * axis.y - c.y * axis.x;
}

function boundArc(points: Float64Array, i: number, at: number): void {
  startArc(points[i]!, points[i + 1]!, points[i + 2]!);
  sincos(piece.length, sc);
  const { sin: sine, cos: cosine } = sc;
  for (let k = 0; k < 3; k++) {
    const x = points[i + k]!;
    const a = k === 0 ? c.x : k === 1 ? c.y : c.z;
    const b = k === 0 ? u.x : k === 1 ? u.y : u.z;
    const end = sine * a - (1 - cosine) * b;
    let low = Math.min(0, end);
    let high = Math.max(0, end);
    const slope = cosine * a - sine * b;
    // Within half a turn the derivative changes its sign at most once.
    if (a >= 0 && slope <= 0) high = Math.max(high, Math.sqrt(a * a + b * b) - b);
    if (a <= 0 && slope >= 0) low = Math.min(low, -Math.sqrt(a * a + b * b) - b);
    boxes[at + k] = x + low;
    boxes[at + k + 3] = x + high;
  }
}

/** The box about the way of polygon g, to `part`. */
function boundFace({ polygonStart, polygonVertices, sources }: PolyhedralModel, g: number): void {
  const first = sources.length > 0 ? polygonStart[g]! : g;
  const last = sources.length > 0 ? polygonStart[g + 1]! : g + 1;
  for (let k = 0; k < 3; k++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = first; i < last; i++) {
      const at = 6 * (sources.length > 0 ? polygonVertices[i]! : i) + k;
      if (boxes[at]! < low) low = boxes[at]!;
      if (boxes[at + 3]! > high) high = boxes[at + 3]!;
    }
    part[k] = low;
    part[k + 3] = high;
  }
}

/** A little wider, as coordinates are rounded; what is that much apart does not cut. */
function meets(b: Float64Array, low: number, high: number): boolean {
  const wide = Math.abs(limit.level);
  for (let k = 0; k < 3; k++)
    if (part[k]! > b[high + k]! + wide || part[k + 3]! < b[low + k]! - wide) return false;
  return true;
}

// ---- A pair of polygons ------------------------------------------------------------------------------------------------

/**
 * Corners and their arcs, nine numbers each: the corner, `c` and `u`. The mover's as they are at the start of the piece and
 * as they are now; the target's, as they turn the other way round for the mover.
 */
let startOfOwn = new Float64Array(9 * 32);
let ownArcs = new Float64Array(9 * 32);
let otherArcs = new Float64Array(9 * 32);
const normal = vec3(D, D, D);

function startOther(): void {
  if (otherArcs.length < 9 * other.count) otherArcs = new Float64Array(18 * other.count);
  writeArcs(other.corners, other.count, otherArcs);
}

function startOwn(): void {
  if (startOfOwn.length < 9 * own.count) {
    startOfOwn = new Float64Array(18 * own.count);
    ownArcs = new Float64Array(18 * own.count);
  }
  writeArcs(own.corners, own.count, startOfOwn);
  ownArcs.set(startOfOwn.subarray(0, 9 * own.count));
  v3.set(own.nx, own.ny, own.nz, normal);
}

function writeArcs(corners: Float64Array, count: number, to: Float64Array): void {
  for (let i = 0; i < count; i++) {
    const x = corners[3 * i]!;
    const y = corners[3 * i + 1]!;
    const z = corners[3 * i + 2]!;
    startArc(x, y, z);
    to[9 * i] = x;
    to[9 * i + 1] = y;
    to[9 * i + 2] = z;
    to[9 * i + 3] = c.x;
    to[9 * i + 4] = c.y;
    to[9 * i + 5] = c.z;
    to[9 * i + 6] = u.x;
    to[9 * i + 7] = u.y;
    to[9 * i + 8] = u.z;
  }
}

/** Brings the mover's polygon to where it is at `t`: an angle, or a part of the translation. */
function moveOwn(t: number): void {
  const { corners, sides, count } = own;
  if (piece.turns) {
    sincos(t, sc);
    const { sin: sine, cos: cosine } = sc;
    const versine = 1 - cosine;
    for (let i = 0; i < 9 * count; i += 9)
      for (let k = 0; k < 3; k++) {
        const a = startOfOwn[i + 3 + k]!;
        const b = startOfOwn[i + 6 + k]!;
        ownArcs[i + k] = startOfOwn[i + k]! + (sine * a - versine * b);
        ownArcs[i + 3 + k] = cosine * a - sine * b;
        ownArcs[i + 6 + k] = cosine * b + sine * a;
      }
    const { x: kx, y: ky, z: kz } = axis;
    const { x, y, z } = normal;
    const along = versine * (kx * x + ky * y + kz * z);
    own.nx = cosine * x + sine * (ky * z - kz * y) + along * kx;
    own.ny = cosine * y + sine * (kz * x - kx * z) + along * ky;
    own.nz = cosine * z + sine * (kx * y - ky * x) + along * kz;
  } else
    for (let i = 0; i < 9 * count; i += 9) {
      ownArcs[i] = startOfOwn[i]! + t * way.x;
      ownArcs[i + 1] = startOfOwn[i + 1]! + t * way.y;
      ownArcs[i + 2] = startOfOwn[i + 2]! + t * way.z;
    }
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) corners[3 * i + k] = ownArcs[9 * i + k]!;
  for (let i = 0; i < count; i++) {
    const next = i + 1 < count ? 3 * i + 3 : 0;
    for (let k = 0; k < 3; k++) sides[3 * i + k] = corners[next + k]! - corners[3 * i + k]!;
  }
}

/** For how long the best direction so far lasts: tan(α/2), or a part of the translation. */
const best = { lasts: D, rest: D };
/** A direction from the target's polygon to the mover's. */
const n = vec3(D, D, D);

/** Takes from `piece.free` what of it the two polygons may cut through each other in. */
function provePair(): void {
  let t = 0;
  for (let step = 0; ; step++) {
    limit.steps--;
    const rest = piece.free - t;
    best.rest = piece.turns ? tan(0.5 * rest) : rest;
    best.lasts = 0;
    tryNormal(other.nx, other.ny, other.nz);
    if (best.lasts < best.rest) tryNormal(own.nx, own.ny, own.nz);
    if (best.lasts < best.rest) tryOthers();
    if (best.lasts >= best.rest) return;
    const longer = piece.turns ? 2 * atan(best.lasts) : best.lasts;
    if (!(longer > LEAST_STEP) || step === MOST_STEPS || limit.steps < 0) {
      if (comesFromBehind()) return;
      if (longer > LEAST_STEP && !isCutting()) turn.exhausted++;
      piece.free = t;
      return;
    }
    t += longer;
    moveOwn(t);
  }
}

/** Do they cut deeper than rounding, if slowly more so? Then they have come as far as they may. */
function isCutting(): boolean {
  alongNormals();
  allAxes();
  return scratch.apart < 0.125 * limit.level;
}

/** The cosine from which on what is behind a polygon is not beside it. */
const BEHIND = -1e-4;

/** What begins to cut through a sheet that is touched from the front only may do so from behind. */
function comesFromBehind(): boolean {
  const isStanding = isOpenSheet(other.model);
  const isMoving = isOpenSheet(own.model);
  if (!isStanding && !isMoving) return false;
  if ((isStanding && isAllBehind(own, other)) || (isMoving && isAllBehind(other, own))) return true;
  alongNormals();
  allAxes();
  const { ax, ay, az } = scratch;
  if (isStanding && ax * other.nx + ay * other.ny + az * other.nz < BEHIND) return true;
  return isMoving && ax * own.nx + ay * own.ny + az * own.nz > -BEHIND;
}

/** Is a polygon behind the plane of the other, but for rounding? */
function isAllBehind({ corners: p, count }: typeof own, { corners: q, nx, ny, nz }: typeof own): boolean {
  const most = 2 * Math.abs(limit.level);
  let low = 0;
  for (let k = 0; k < 3 * count; k += 3) {
    const h = nx * (p[k]! - q[0]!) + ny * (p[k + 1]! - q[1]!) + nz * (p[k + 2]! - q[2]!);
    if (h > most) return false;
    if (h < low) low = h;
  }
  return low < -most;
}

/** Along a normal of either, whichever way. */
function tryNormal(x: number, y: number, z: number): void {
  if (x === 0 && y === 0 && z === 0) return;
  v3.set(x, y, z, n);
  tryBothWays(-1, -1);
}

/** Across sides of both, and in the planes upright on the sides. */
function tryOthers(): void {
  const { sides: a, count } = own;
  const { sides: b } = other;
  for (let j = 0; j < 3 * other.count && best.lasts < best.rest; j += 3) {
    v3.set(b[j]!, b[j + 1]!, b[j + 2]!, along);
    v3.set(other.nx, other.ny, other.nz, across);
    tryCross(-1, -1);
    for (let i = 0; i < 3 * count && best.lasts < best.rest; i += 3) {
      v3.set(a[i]!, a[i + 1]!, a[i + 2]!, across);
      tryCross(i, j);
    }
  }
  v3.set(own.nx, own.ny, own.nz, across);
  for (let i = 0; i < 3 * count && best.lasts < best.rest; i += 3) {
    v3.set(a[i]!, a[i + 1]!, a[i + 2]!, along);
    tryCross(-1, -1);
  }
  if (!(limit.level > 0 && best.lasts < best.rest)) return;
  // From corner to corner they are farther apart than along any of these.
  found.least = Number.POSITIVE_INFINITY;
  nearestFeatures(found);
  tryNormal(found.nx, found.ny, found.nz);
}
const found = makeClearance();
const along = vec3(D, D, D);
const across = vec3(D, D, D);

/** The direction `across` × `along`; of side i across side j, if not -1. */
function tryCross(i: number, j: number): void {
  const { x: ax, y: ay, z: az } = across;
  const { x: bx, y: by, z: bz } = along;
  n.x = ay * bz - az * by;
  n.y = az * bx - ax * bz;
  n.z = ax * by - ay * bx;
  // Of nearly parallel sides it is no better than rounding, but upright on both it has to be.
  const off = (n.x * bx + n.y * by + n.z * bz) / (bx * bx + by * by + bz * bz);
  n.x -= off * bx;
  n.y -= off * by;
  n.z -= off * bz;
  const length = v3.length(n);
  if (!(length > 0)) return;
  n.x /= length;
  n.y /= length;
  n.z /= length;
  tryBothWays(i, j);
}

/** The direction `n` or the opposite one, if the polygons do not overlap along it; of side i across side j, if not -1. */
function tryBothWays(i: number, j: number): void {
  const { x, y, z } = n;
  let ownLow = Number.POSITIVE_INFINITY;
  let ownHigh = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < 3 * own.count; k += 3) {
    const h = x * own.corners[k]! + y * own.corners[k + 1]! + z * own.corners[k + 2]!;
    if (h < ownLow) ownLow = h;
    if (h > ownHigh) ownHigh = h;
  }
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < 3 * other.count; k += 3) {
    const h = x * other.corners[k]! + y * other.corners[k + 1]! + z * other.corners[k + 2]!;
    if (h < low) low = h;
    if (h > high) high = h;
  }
  if (ownLow - high > limit.level) tryDirection(ownLow, high, i, j);
  if (low - ownHigh > limit.level && best.lasts < best.rest) {
    v3.scale(n, -1, n);
    tryDirection(-ownHigh, -low, i, j);
  }
}

/** For how long A + B sin α + C cos α stays positive, as `firstZero`; of a translation, which is linear. */
const staysPositive = (f: number, rate: number, bend: number): number => {
  if (!(f > 0)) return 0;
  if (piece.turns) return firstZero(f, rate, bend);
  return rate < 0 ? f / -rate : Number.POSITIVE_INFINITY;
};

/** Direction `n`, along which the lowest corner of the mover's polygon is at `bottom` and the target's highest at `top`. */
function tryDirection(bottom: number, top: number, i: number, j: number): void {
  const { x, y, z } = n;
  const { level } = limit;
  // It stands with the target.
  let lasts = Number.POSITIVE_INFINITY;
  if (!piece.turns) {
    lasts = staysPositive(bottom - top - level, x * way.x + y * way.y + z * way.z, 0);
    if (lasts > best.lasts) best.lasts = lasts;
    return;
  }
  for (let k = 0; k < 9 * own.count && lasts > best.lasts; k += 9) {
    const h = x * ownArcs[k]! + y * ownArcs[k + 1]! + z * ownArcs[k + 2]!;
    const rate = x * ownArcs[k + 3]! + y * ownArcs[k + 4]! + z * ownArcs[k + 5]!;
    const bend = x * ownArcs[k + 6]! + y * ownArcs[k + 7]! + z * ownArcs[k + 8]!;
    lasts = Math.min(lasts, staysPositive(h - top - level, rate, bend));
  }
  if (lasts > best.lasts) best.lasts = lasts;
  // It turns with the mover.
  lasts = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 9 * other.count && lasts > best.lasts; k += 9) {
    const h = x * otherArcs[k]! + y * otherArcs[k + 1]! + z * otherArcs[k + 2]!;
    const rate = x * otherArcs[k + 3]! + y * otherArcs[k + 4]! + z * otherArcs[k + 5]!;
    const bend = x * otherArcs[k + 6]! + y * otherArcs[k + 7]! + z * otherArcs[k + 8]!;
    lasts = Math.min(lasts, staysPositive(bottom - h - level, rate, -bend));
  }
  if (lasts > best.lasts) best.lasts = lasts;
  if (i >= 0) tryAcross(i, j);
}

const side = vec3(D, D, D);
const sideUp = vec3(D, D, D);
const sideAcross = vec3(D, D, D);
const bar = vec3(D, D, D);
const z3 = vec3(D, D, D);
const zUp = vec3(D, D, D);
const zAcross = vec3(D, D, D);
const w3 = vec3(D, D, D);

/** For a vector that turns: the axis × it, and its part across the axis. */
function turnVector(a: typeof n, up: typeof n, across: typeof n): void {
  v3.cross(axis, a, up);
  v3.cross(up, axis, across);
}

/**
 * The direction u × v of side i of the mover's polygon and side j of the target's, while the one turns. All corners of the
 * one are above the plane through its side along it, those of the other below; and the distance of the lines, which is
 * v · (a × u) - u · (v × b) for points a and b on them.
 */
function tryAcross(i: number, j: number): void {
  v3.set(own.sides[i]!, own.sides[i + 1]!, own.sides[i + 2]!, side);
  v3.set(other.sides[j]!, other.sides[j + 1]!, other.sides[j + 2]!, bar);
  v3.cross(side, bar, w3);
  // `n` is along it or against it.
  if (v3.dot(w3, n) < 0) {
    v3.scale(bar, -1, bar);
    v3.scale(w3, -1, w3);
  }
  turnVector(side, sideUp, sideAcross);
  const size = v3.length(w3);
  // The lines: at the start from the difference of the points, which is short.
  z3.x = own.corners[i]! - other.corners[j]!;
  z3.y = own.corners[i + 1]! - other.corners[j + 1]!;
  z3.z = own.corners[i + 2]! - other.corners[j + 2]!;
  const h = v3.dot(w3, z3);
  // The direction may grow by so much, which makes the distance of the lines look larger; and some may be lost at the corners.
  const { level } = limit;
  const growth = level > 0 ? Math.min(0.25, 0.5 * (h / (level * size) - 1)) : 0.25;
  if (!(growth > 0)) return;
  const swing = v3.length(sideAcross) * v3.length(bar);
  let lasts = swing > 0 ? (growth * size) / (2 * swing) : Number.POSITIVE_INFINITY;
  if (!(lasts > best.lasts)) return;
  const some = 0.25 * growth * Math.abs(level) * size;
  const between = level > 0 ? (1 + growth) * level * size + 2 * some : -9 * some;
  for (let k = 0; k < 3 * other.count && lasts > best.lasts; k += 3) {
    if (k === j || k === (j + 3 < 3 * other.count ? j + 3 : 0)) continue;
    z3.x = other.corners[j]! - other.corners[k]!;
    z3.y = other.corners[j + 1]! - other.corners[k + 1]!;
    z3.z = other.corners[j + 2]! - other.corners[k + 2]!;
    v3.cross(bar, z3, w3);
    lasts = Math.min(
      lasts,
      staysPositive(v3.dot(side, w3) + some, v3.dot(sideUp, w3), v3.dot(sideAcross, w3)),
    );
  }
  for (let k = 0; k < 3 * own.count && lasts > best.lasts; k += 3) {
    if (k === i || k === (i + 3 < 3 * own.count ? i + 3 : 0)) continue;
    z3.x = own.corners[k]! - own.corners[i]!;
    z3.y = own.corners[k + 1]! - own.corners[i + 1]!;
    z3.z = own.corners[k + 2]! - own.corners[i + 2]!;
    v3.cross(z3, side, z3);
    turnVector(z3, zUp, zAcross);
    lasts = Math.min(lasts, staysPositive(v3.dot(bar, z3) + some, v3.dot(bar, zUp), v3.dot(bar, zAcross)));
  }
  if (!(lasts > best.lasts)) return;
  z3.x = own.corners[i]! - piece.ox;
  z3.y = own.corners[i + 1]! - piece.oy;
  z3.z = own.corners[i + 2]! - piece.oz;
  v3.cross(z3, side, z3);
  turnVector(z3, zUp, zAcross);
  w3.x = other.corners[j]! - piece.ox;
  w3.y = other.corners[j + 1]! - piece.oy;
  w3.z = other.corners[j + 2]! - piece.oz;
  v3.cross(bar, w3, w3);
  const rate = v3.dot(bar, zUp) - v3.dot(sideUp, w3);
  const bend = v3.dot(bar, zAcross) - v3.dot(sideAcross, w3);
  lasts = Math.min(lasts, staysPositive(h - between, rate, bend));
  if (lasts > best.lasts) best.lasts = lasts;
}

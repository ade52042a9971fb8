/**
 * How far the mover is from the target in one pose, told without any rule for who touches whom: the least distance of two
 * polygons, one of each, or, where they cut through each other, minus the least way apart. Whether they do is told by exact
 * predicates on the corners in the world, rounded as they are there. Sweeps judge the pose that they are about to return
 * by this (sweep-verdict.ts).
 */
import { orient3d } from '../math/orient.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose, Vec3 } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { gatherPolygons, makePolygonList } from './axial-bsp.ts';
import { EDGE, POLYGON, type SweepJob, VERTEX } from './job.ts';
import { placeStanding } from './place.ts';
import type { PolyhedralModel } from './types.ts';

// Fields that hold fractions start with one, so that V8 stores them as doubles from the beginning.
const D = 0.5;

/** A polygon (or an edge, or a vertex of a model that has no polygons) of either model, with its corners in the target's frame. */
interface Face {
  model: PolyhedralModel;
  /** All vertices of the model in the target's frame. */
  points: Float64Array;
  planes: Float64Array;
  /** The polygon; or the vertex, if the model has no polygons; or the edge. */
  index: number;
  isEdge: boolean;
  /** Where the model is in the world, and the matrix of that (row by row, position last) once it is needed. */
  place: ReadonlyPose;
  readonly matrix: Float64Array;
  isPlaced: boolean;
  count: number;
  corners: Float64Array;
  /** To the next corner. */
  sides: Float64Array;
  nx: number;
  ny: number;
  nz: number;
}

const NOTHING = {} as PolyhedralModel;
const NO_NUMBERS = new Float64Array(0);
const makeFace = (): Face => ({
  model: NOTHING,
  points: NO_NUMBERS,
  planes: NO_NUMBERS,
  index: 0,
  isEdge: false,
  place: pose(),
  matrix: new Float64Array(12),
  isPlaced: false,
  count: 0,
  corners: new Float64Array(3 * 32),
  sides: new Float64Array(3 * 32),
  nx: D,
  ny: D,
  nz: D,
});

/** The nearest two polygons, or those that are deepest in each other, and the features of them that are nearest. */
export interface Clearance {
  /** Nothing farther than this is looked at. */
  reach: number;
  /** Enough is known when two are nearer than this, or, if `stopAtCut`, when one cuts through another. */
  stopBelow: number;
  stopAtCut: boolean;
  /** How many more pairs of polygons may be in touch; at 0 the measuring ends. Such pairs need exact predicates, which take long. */
  budget: number;
  /** The distance of the two, or minus the depth; `reach` if nothing is that near. */
  least: number;
  /** Does a side of a polygon of the one go through a polygon of the other, for the corners in the world as they are rounded? */
  cuts: boolean;
  moverFace: number;
  targetFace: number;
  moverKind: number;
  moverFeature: number;
  targetKind: number;
  targetFeature: number;
  /** The point on the mover and a unit vector to it from the target, in the target's frame. */
  x: number;
  y: number;
  z: number;
  nx: number;
  ny: number;
  nz: number;
}

export const makeClearance = (): Clearance => ({
  reach: D,
  stopBelow: Number.NEGATIVE_INFINITY,
  stopAtCut: false,
  budget: 0,
  least: D,
  cuts: false,
  moverFace: -1,
  targetFace: -1,
  moverKind: VERTEX,
  moverFeature: -1,
  targetKind: POLYGON,
  targetFeature: -1,
  x: D,
  y: D,
  z: D,
  nx: D,
  ny: D,
  nz: D,
});

const near = makePolygonList();
const box = new Float64Array(6);
/** The boxes of the mover's polygons. */
let boxes = new Float64Array(6 * 32);
/** The two that are measured: of the mover and of the target. @internal */
export const own = makeFace();
/** @internal */
export const other = makeFace();

/** @internal */
export const faceCount = (model: PolyhedralModel): number =>
  model.sources.length || model.vertexTouches.length;

/** Measures the mover at `place` against the target at `stand`, as far as `out.reach`. @internal */
export function measureClearance(
  job: SweepJob,
  place: ReadonlyPose,
  stand: ReadonlyPose,
  out: Clearance,
): void {
  const { reach } = out;
  out.least = reach;
  out.cuts = false;
  out.moverFace = out.targetFace = -1;
  placeFaces(job, place, stand);
  box[0] = job.lowX - reach;
  box[1] = job.lowY - reach;
  box[2] = job.lowZ - reach;
  box[3] = job.highX + reach;
  box[4] = job.highY + reach;
  box[5] = job.highZ + reach;
  const { target } = job;
  const hasPolygons = target.sources.length > 0;
  const count = hasPolygons ? gatherPolygons(target, box, near) : faceCount(target);
  const faces = faceCount(job.mover);
  if (count > 0) boundFaces(faces);
  let enough = false;
  for (let n = 0; n < count && !enough; n++) {
    let loaded = false;
    const f = hasPolygons ? near.items[n]! : n;
    for (let g = 0; g < faces && !enough; g++) {
      if (!boxesMeet(g, f, hasPolygons, out.least)) continue;
      if (!loaded) load(other, f);
      loaded = true;
      load(own, g);
      measurePair(out);
      enough = out.least < out.stopBelow || (out.stopAtCut && out.cuts) || out.budget <= 0;
    }
  }
  releaseFaces();
}

/** Measures again, however far they are, the two polygons that were nearest in `out`. @internal */
export function measureNearest(
  job: SweepJob,
  place: ReadonlyPose,
  stand: ReadonlyPose,
  out: Clearance,
): void {
  out.least = Number.POSITIVE_INFINITY;
  out.cuts = false;
  placeFaces(job, place, stand);
  load(other, out.targetFace);
  load(own, out.moverFace);
  measurePair(out);
  releaseFaces();
}

/** Of the largest coordinate. */
const ROUNDING = 3.552713678800501e-15; // 2^-48

/**
 * `noise`: rounding of coordinates in both frames; what is farther apart in one does not cut through in the other. `apart`:
 * the most that two faces are known to be apart along some axis, and that axis.
 */
/** @internal */
export const scratch = { noise: D, apart: D, ax: D, ay: D, az: D };
// Numbers that travel in a record are not boxed.
const axis = { x: D, y: D, z: D };
const offset = { x: D, y: D, z: D };

const unitPlace = pose();
const unitStand = pose();

/** Puts the mover at `place`, seen from the target at `stand`. @internal */
export function placeFaces(job: SweepJob, place: ReadonlyPose, stand: ReadonlyPose): void {
  v3.copy(place.position, unitPlace.position);
  q4.normalize(place.quaternion, unitPlace.quaternion);
  v3.copy(stand.position, unitStand.position);
  q4.normalize(stand.quaternion, unitStand.quaternion);
  placeStanding(job, unitPlace, unitStand);
  scratch.noise = ROUNDING * job.magnitude;
  own.model = job.mover;
  own.points = job.points;
  own.planes = job.planes;
  own.place = place;
  own.isPlaced = false;
  other.model = job.target;
  other.points = job.target.points;
  other.planes = job.target.planes;
  other.place = stand;
  other.isPlaced = false;
}

/** Lets go of the models. @internal */
export function releaseFaces(): void {
  own.model = other.model = NOTHING;
  own.place = other.place = unitStand;
}

function boundFaces(faces: number): void {
  const { model, points } = own;
  const { polygonStart, polygonVertices } = model;
  const hasPolygons = model.sources.length > 0;
  if (boxes.length < 6 * faces) boxes = new Float64Array(12 * faces);
  for (let g = 0; g < faces; g++) {
    const first = hasPolygons ? polygonStart[g]! : g;
    const last = hasPolygons ? polygonStart[g + 1]! : g + 1;
    for (let k = 0; k < 3; k++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let i = first; i < last; i++) {
        const x = points[3 * (hasPolygons ? polygonVertices[i]! : i) + k]!;
        if (x < low) low = x;
        if (x > high) high = x;
      }
      boxes[6 * g + k] = low;
      boxes[6 * g + 3 + k] = high;
    }
  }
}

/** Are the boxes of face g of the mover and face f of the target within `reach`? */
function boxesMeet(g: number, f: number, isPolygon: boolean, reach: number): boolean {
  const { polygonBounds, points } = other.model;
  const b = isPolygon ? polygonBounds : points;
  const low = isPolygon ? 6 * f : 3 * f;
  const high = isPolygon ? low + 3 : low;
  for (let k = 0; k < 3; k++)
    if (!(boxes[6 * g + k]! - reach <= b[high + k]! && boxes[6 * g + 3 + k]! + reach >= b[low + k]!))
      return false;
  return true;
}

/** Loads a polygon, or a vertex of a model without any. @internal */
export function load(face: Face, index: number): void {
  const { model, points, planes } = face;
  const { polygonStart, polygonVertices, sources } = model;
  const hasPolygons = sources.length > 0;
  const first = hasPolygons ? polygonStart[index]! : index;
  const count = hasPolygons ? polygonStart[index + 1]! - first : 1;
  if (face.corners.length < 3 * count) {
    face.corners = new Float64Array(6 * count);
    face.sides = new Float64Array(6 * count);
  }
  const { corners, sides } = face;
  for (let k = 0; k < count; k++) {
    const v = 3 * (hasPolygons ? polygonVertices[first + k]! : index);
    corners[3 * k] = points[v]!;
    corners[3 * k + 1] = points[v + 1]!;
    corners[3 * k + 2] = points[v + 2]!;
  }
  for (let k = 0; k < count; k++) {
    const next = k + 1 < count ? 3 * k + 3 : 0;
    for (let c = 0; c < 3; c++) sides[3 * k + c] = corners[next + c]! - corners[3 * k + c]!;
  }
  face.index = index;
  face.isEdge = false;
  face.count = count;
  face.nx = hasPolygons ? planes[4 * index]! : 0;
  face.ny = hasPolygons ? planes[4 * index + 1]! : 0;
  face.nz = hasPolygons ? planes[4 * index + 2]! : 0;
}

/** Loads an edge. @internal */
export function loadEdge(face: Face, index: number): void {
  const { model, points, corners, sides } = face;
  const a = 3 * model.edges[2 * index]!;
  const b = 3 * model.edges[2 * index + 1]!;
  for (let c = 0; c < 3; c++) {
    corners[c] = points[a + c]!;
    corners[3 + c] = points[b + c]!;
    sides[c] = points[b + c]! - points[a + c]!;
    sides[3 + c] = -sides[c]!;
  }
  face.index = index;
  face.isEdge = true;
  face.count = 2;
  face.nx = face.ny = face.nz = 0;
}

/** Measures the two loaded faces; takes them if they are nearer than `out.least`. */
function measurePair(out: Clearance): void {
  alongNormals();
  if (scratch.apart <= scratch.noise) {
    allAxes();
    out.budget--;
  }
  // Neither nearer nor the first to cut.
  if (out.cuts && !(scratch.apart < out.least)) return;
  if (scratch.apart <= scratch.noise && cutThrough()) {
    out.cuts = true;
    if (!(scratch.apart < out.least)) return;
    out.least = Math.min(0, scratch.apart);
    takeAxis(out);
  } else if (scratch.apart < out.least) nearestFeatures(out);
}

/** How far the two loaded faces are apart along their normals, and along which: to `scratch`. @internal */
export function alongNormals(): void {
  scratch.apart = Number.NEGATIVE_INFINITY;
  alongNormal(other);
  alongNormal(own);
}

function alongNormal({ nx, ny, nz }: Face): void {
  axis.x = nx;
  axis.y = ny;
  axis.z = nz;
  alongAxis();
}

/** How far the two are apart along the unit vector in `axis`: the most of what was found so far goes to `scratch.apart`. */
function alongAxis(): void {
  const { x, y, z } = axis;
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
  const above = ownLow - high;
  const below = low - ownHigh;
  const most = Math.max(above, below);
  if (!(most > scratch.apart) || (x === 0 && y === 0 && z === 0)) return;
  const sign = above >= below ? 1 : -1;
  scratch.apart = most;
  scratch.ax = sign * x;
  scratch.ay = sign * y;
  scratch.az = sign * z;
}

/** Along the cross product of a vector and `axis`, which it leaves as it was. */
function alongCross(ux: number, uy: number, uz: number): void {
  const { x: vx, y: vy, z: vz } = axis;
  let x = uy * vz - uz * vy;
  let y = uz * vx - ux * vz;
  let z = ux * vy - uy * vx;
  // Of nearly parallel sides it is no better than rounding, but upright on both it has to be.
  const off = (x * vx + y * vy + z * vz) / (vx * vx + vy * vy + vz * vz);
  x -= off * vx;
  y -= off * vy;
  z -= off * vz;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return;
  axis.x = x / length;
  axis.y = y / length;
  axis.z = z / length;
  alongAxis();
  axis.x = vx;
  axis.y = vy;
  axis.z = vz;
}

function takeSide({ sides }: Face, i: number): void {
  axis.x = sides[i]!;
  axis.y = sides[i + 1]!;
  axis.z = sides[i + 2]!;
}

/** The axes along which two convex polygons can be apart: of pairs of sides, and upright on a side in its plane. @internal */
export function allAxes(): void {
  const { sides: u } = own;
  for (let j = 0; j < 3 * other.count; j += 3) {
    takeSide(other, j);
    alongCross(other.nx, other.ny, other.nz);
    for (let i = 0; i < 3 * own.count; i += 3) alongCross(u[i]!, u[i + 1]!, u[i + 2]!);
  }
  for (let i = 0; i < 3 * own.count; i += 3) {
    takeSide(own, i);
    alongCross(own.nx, own.ny, own.nz);
  }
}

const a = vec3();
const b = vec3();
const c = vec3();
const p = vec3();
const q = vec3();

/** Corner k of a face, in the world. */
function worldCorner(face: Face, k: number, to: Vec3): void {
  if (!face.isPlaced) placeInWorld(face);
  const { matrix: m } = face;
  const { points } = face.model;
  const v = 3 * vertexOf(face, k);
  const x = points[v]!;
  const y = points[v + 1]!;
  const z = points[v + 2]!;
  to.x = m[0]! * x + m[1]! * y + m[2]! * z + m[3]!;
  to.y = m[4]! * x + m[5]! * y + m[6]! * z + m[7]!;
  to.z = m[8]! * x + m[9]! * y + m[10]! * z + m[11]!;
}

function placeInWorld(face: Face): void {
  const { position, quaternion } = face.place;
  const { x, y, z, w } = quaternion;
  const s = 2 / (x * x + y * y + z * z + w * w);
  const { matrix: m } = face;
  m[0] = 1 - s * (y * y + z * z);
  m[1] = s * (x * y - z * w);
  m[2] = s * (x * z + y * w);
  m[3] = position.x;
  m[4] = s * (x * y + z * w);
  m[5] = 1 - s * (x * x + z * z);
  m[6] = s * (y * z - x * w);
  m[7] = position.y;
  m[8] = s * (x * z - y * w);
  m[9] = s * (y * z + x * w);
  m[10] = 1 - s * (x * x + y * y);
  m[11] = position.z;
  face.isPlaced = true;
}

/** Does a side of one of the two polygons go through the other, for the corners in the world as they are rounded? */
const cutThrough = (): boolean => sidesPierce(own, other) || sidesPierce(other, own);

function sidesPierce(of: Face, to: Face): boolean {
  if (of.count < 2 || to.count < 3) return false;
  worldCorner(to, 0, a);
  for (let k = 2; k < to.count; k++) {
    worldCorner(to, k - 1, b);
    worldCorner(to, k, c);
    worldCorner(of, of.count - 1, p);
    let before = orient3d(a, b, c, p);
    for (let i = 0; i < of.count; i++) {
      worldCorner(of, i, q);
      const now = orient3d(a, b, c, q);
      if (((before < 0 && now > 0) || (before > 0 && now < 0)) && goesThrough(to)) return true;
      before = now;
      v3.copy(q, p);
    }
  }
  return false;
}

/** Does the segment pq, whose ends are on two sides of a polygon, go through it, and not only along its border? */
function goesThrough(to: Face): boolean {
  let sign = 0;
  worldCorner(to, to.count - 1, from);
  for (let k = 0; k < to.count; k++) {
    worldCorner(to, k, next);
    const side = Math.sign(orient3d(p, q, from, next));
    if (side === 0 || side === -sign) return false;
    sign = side;
    v3.copy(next, from);
  }
  return true;
}
const from = vec3();
const next = vec3();

/** Two that cut through each other, or touch: the way apart. */
function takeAxis(out: Clearance): void {
  const { ax, ay, az } = scratch;
  takeFaces(out);
  // The corner of the mover that is deepest.
  let low = Number.POSITIVE_INFINITY;
  let at = 0;
  for (let k = 0; k < own.count; k++) {
    const h = ax * own.corners[3 * k]! + ay * own.corners[3 * k + 1]! + az * own.corners[3 * k + 2]!;
    if (h < low) {
      low = h;
      at = k;
    }
  }
  out.moverKind = VERTEX;
  out.moverFeature = vertexOf(own, at);
  out.targetKind = other.model.sources.length > 0 ? POLYGON : VERTEX;
  out.targetFeature = other.index;
  out.x = own.corners[3 * at]!;
  out.y = own.corners[3 * at + 1]!;
  out.z = own.corners[3 * at + 2]!;
  out.nx = ax;
  out.ny = ay;
  out.nz = az;
}

function takeFaces(out: Clearance): void {
  out.moverFace = own.index;
  out.targetFace = other.index;
}

const vertexOf = ({ model, index, isEdge }: Face, k: number): number =>
  isEdge
    ? model.edges[2 * index + k]!
    : model.sources.length > 0
      ? model.polygonVertices[model.polygonStart[index]! + k]!
      : index;

function edgeOf({ model, index, isEdge }: Face, k: number): number {
  if (isEdge) return index;
  const e = model.polygonEdges[model.polygonStart[index]! + k]!;
  return e < 0 ? ~e : e;
}

/** The nearest features of two that do not cut through each other. @internal */
export function nearestFeatures(out: Clearance): void {
  overFace(own, other, 1, out);
  overFace(other, own, -1, out);
  for (let i = 0; i < own.count; i++)
    for (let j = 0; j < other.count; j++) {
      besideSide(own, i, other, j, 1, out);
      besideSide(other, j, own, i, -1, out);
      sideBySide(i, j, out);
    }
}

/**
 * Takes two points, the one at `offset` from the other, if they are nearer. `way` 1: the one is the mover's; -1: the
 * target's.
 */
function takeOffset(way: number, out: Clearance): boolean {
  const { x, y, z } = offset;
  const distance = Math.sqrt(x * x + y * y + z * z);
  if (!(distance < out.least)) return false;
  out.least = distance;
  takeFaces(out);
  if (distance > scratch.noise) {
    out.nx = (way * x) / distance;
    out.ny = (way * y) / distance;
    out.nz = (way * z) / distance;
  } else {
    // In touch: along which they are most apart.
    out.nx = scratch.ax;
    out.ny = scratch.ay;
    out.nz = scratch.az;
  }
  return true;
}

/** Who they are: a vertex of `from`, and what of `to` it is at; the mover's point is one of the two that were taken. */
function takeVertex(from: Face, k: number, kind: number, feature: number, out: Clearance): void {
  const isOwn = from === own;
  const vertex = vertexOf(from, k);
  const { x, y, z } = offset;
  out.moverKind = isOwn ? VERTEX : kind;
  out.moverFeature = isOwn ? vertex : feature;
  out.targetKind = isOwn ? kind : VERTEX;
  out.targetFeature = isOwn ? feature : vertex;
  out.x = from.corners[3 * k]! - (isOwn ? 0 : x);
  out.y = from.corners[3 * k + 1]! - (isOwn ? 0 : y);
  out.z = from.corners[3 * k + 2]! - (isOwn ? 0 : z);
}

/** The corners of one face that are over the other. */
function overFace(from: Face, to: Face, way: number, out: Clearance): void {
  if (to.count < 3) return;
  const { corners, sides, nx, ny, nz } = to;
  for (let k = 0; k < from.count; k++) {
    const x = from.corners[3 * k]!;
    const y = from.corners[3 * k + 1]!;
    const z = from.corners[3 * k + 2]!;
    const h = nx * (x - corners[0]!) + ny * (y - corners[1]!) + nz * (z - corners[2]!);
    if (!(Math.abs(h) < out.least)) continue;
    let inside = true;
    for (let i = 0; i < 3 * to.count && inside; i += 3) {
      const ux = sides[i]!;
      const uy = sides[i + 1]!;
      const uz = sides[i + 2]!;
      inside =
        (x - corners[i]!) * (ny * uz - nz * uy) +
          (y - corners[i + 1]!) * (nz * ux - nx * uz) +
          (z - corners[i + 2]!) * (nx * uy - ny * ux) >=
        0;
    }
    if (!inside) continue;
    offset.x = h * nx;
    offset.y = h * ny;
    offset.z = h * nz;
    if (takeOffset(way, out)) takeVertex(from, k, POLYGON, to.index, out);
  }
}

/** Corner k of one face beside side j of the other (or at its first end). */
function besideSide(from: Face, k: number, to: Face, j: number, way: number, out: Clearance): void {
  const { corners, sides } = to;
  const x = from.corners[3 * k]!;
  const y = from.corners[3 * k + 1]!;
  const z = from.corners[3 * k + 2]!;
  const ux = sides[3 * j]!;
  const uy = sides[3 * j + 1]!;
  const uz = sides[3 * j + 2]!;
  let dx = x - corners[3 * j]!;
  let dy = y - corners[3 * j + 1]!;
  let dz = z - corners[3 * j + 2]!;
  const along = dx * ux + dy * uy + dz * uz;
  const lengthSq = ux * ux + uy * uy + uz * uz;
  // Its far end is the first end of the next side.
  if (along > 0 && along >= lengthSq) return;
  const onSide = along > 0;
  if (onSide) {
    const t = along / lengthSq;
    dx -= t * ux;
    dy -= t * uy;
    dz -= t * uz;
  }
  offset.x = dx;
  offset.y = dy;
  offset.z = dz;
  if (!takeOffset(way, out)) return;
  if (onSide) takeVertex(from, k, EDGE, edgeOf(to, j), out);
  else takeVertex(from, k, VERTEX, vertexOf(to, j), out);
}

/** Side i of the mover's face across side j of the target's. */
function sideBySide(i: number, j: number, out: Clearance): void {
  const ux = own.sides[3 * i]!;
  const uy = own.sides[3 * i + 1]!;
  const uz = own.sides[3 * i + 2]!;
  const vx = other.sides[3 * j]!;
  const vy = other.sides[3 * j + 1]!;
  const vz = other.sides[3 * j + 2]!;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  if (!(nn > 0)) return;
  const wx = own.corners[3 * i]! - other.corners[3 * j]!;
  const wy = own.corners[3 * i + 1]! - other.corners[3 * j + 1]!;
  const wz = own.corners[3 * i + 2]! - other.corners[3 * j + 2]!;
  const h = nx * wx + ny * wy + nz * wz;
  if (h * h >= out.least * out.least * nn) return;
  const s = (nx * (vy * wz - vz * wy) + ny * (vz * wx - vx * wz) + nz * (vx * wy - vy * wx)) / nn;
  if (!(s > 0 && s < 1)) return;
  // From the place on the one side to the nearest on the other, and back: right even if they are nearly parallel.
  const x = wx + s * ux;
  const y = wy + s * uy;
  const z = wz + s * uz;
  const t = (x * vx + y * vy + z * vz) / (vx * vx + vy * vy + vz * vz);
  if (!(t > 0 && t < 1)) return;
  offset.x = x - t * vx;
  offset.y = y - t * vy;
  offset.z = z - t * vz;
  if (!takeOffset(1, out)) return;
  out.moverKind = out.targetKind = EDGE;
  out.moverFeature = edgeOf(own, i);
  out.targetFeature = edgeOf(other, j);
  out.x = own.corners[3 * i]! + s * ux;
  out.y = own.corners[3 * i + 1]! + s * uy;
  out.z = own.corners[3 * i + 2]! + s * uz;
}

/**
 * Two convex polygons, one of the mover and one of the target: how far they are apart along an axis, their nearest features, and
 * by exact predicates whether one cuts through the other. No rule for who touches whom.
 */
import { orient3d } from '../../math/orient.ts';
import { pose, type ReadonlyPose, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { withCapacity } from '../boxes.ts';
import { EDGE, FeatureContact, POLYGON, setFeatures, VERTEX } from '../feature-contact.ts';
import { PosedModel } from '../features.ts';
import type { PolyhedralModel } from '../types.ts';

// Fields that hold fractions start with one, so that V8 stores them as doubles from the beginning.
const D = 0.5;

/** A polygon (or an edge, or a vertex of a model that has no polygons) of either model, with its corners in the target's frame. @internal */
export class Face extends PosedModel {
  /** The polygon; or the vertex, if the model has no polygons; or the edge. */
  index = 0;
  isEdge = false;
  /** Where the model is in the world, and the matrix of that (row by row, position last) once it is needed. */
  pose: ReadonlyPose = pose();
  readonly matrix = new Float64Array(12);
  hasMatrix = false;
  count = 0;
  corners: Float64Array = new Float64Array(3 * 32);
  /** To the next corner. */
  sides: Float64Array = new Float64Array(3 * 32);
  readonly normal = new Float64Array(3);
}

/** Two faces that are measured: one of the mover and one of the target. @internal */
export class FacePair {
  readonly own = new Face();
  readonly other = new Face();
  /** Rounding of coordinates in both frames; what is farther apart in one does not cut through in the other. */
  noise = D;
  /** The most that the two are known to be apart along some axis, and that axis. */
  apart = D;
  ax = D;
  ay = D;
  az = D;
  /** The nearest features of all pairs that were measured since `gap` was set, and the faces that they are of. */
  readonly contact = new FeatureContact();
  moverFace = -1;
  targetFace = -1;
  // For one function and those that it calls: a direction, from one point to the other, how far both reach along an axis.
  readonly axis = { x: D, y: D, z: D };
  readonly offset = { x: D, y: D, z: D };
  readonly spans = { ownLow: D, ownHigh: D, low: D, high: D };
  readonly p = vec3();
  readonly q = vec3();
}

/** @internal */
export const faceCount = (model: PolyhedralModel): number =>
  model.sources.length || model.vertexTouches.length;

/** Loads a polygon, or a vertex of a model without any. @internal */
export function loadFace(face: Face, index: number): void {
  const { model, points, planes } = face;
  const { polygonStart, polygonVertices, sources } = model;
  const hasPolygons = sources.length > 0;
  const first = hasPolygons ? polygonStart[index]! : index;
  const count = hasPolygons ? polygonStart[index + 1]! - first : 1;
  face.corners = withCapacity(face.corners, 3 * count);
  face.sides = withCapacity(face.sides, 3 * count);
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
  for (let c = 0; c < 3; c++) face.normal[c] = hasPolygons ? planes[4 * index + c]! : 0;
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
  face.normal.fill(0);
}

/** How far the two loaded faces are apart along their normals, and along which: to `apart`. @internal */
export function alongNormals(faces: FacePair): void {
  const { own, other } = faces;
  faces.apart = -Infinity;
  alongNormal(faces, other);
  alongNormal(faces, own);
}

function alongNormal(faces: FacePair, { normal }: Face): void {
  setAxis(faces, normal, 0);
  alongAxis(faces);
}

/** From where to where both faces reach along the vector in `axis`: to `spans`. @internal */
export function projectFaces({ own, other, axis, spans }: FacePair): void {
  const { x, y, z } = axis;
  spans.ownLow = spans.low = Infinity;
  spans.ownHigh = spans.high = -Infinity;
  for (let k = 0; k < 3 * own.count; k += 3) {
    const h = x * own.corners[k]! + y * own.corners[k + 1]! + z * own.corners[k + 2]!;
    if (h < spans.ownLow) spans.ownLow = h;
    if (h > spans.ownHigh) spans.ownHigh = h;
  }
  for (let k = 0; k < 3 * other.count; k += 3) {
    const h = x * other.corners[k]! + y * other.corners[k + 1]! + z * other.corners[k + 2]!;
    if (h < spans.low) spans.low = h;
    if (h > spans.high) spans.high = h;
  }
}

/** How far the two are apart along the unit vector in `axis`: the most of what was found so far goes to `apart`. */
function alongAxis(faces: FacePair): void {
  const { axis, spans } = faces;
  const { x, y, z } = axis;
  projectFaces(faces);
  const above = spans.ownLow - spans.high;
  const below = spans.low - spans.ownHigh;
  const most = Math.max(above, below);
  if (!(most > faces.apart) || (x === 0 && y === 0 && z === 0)) return;
  const sign = above >= below ? 1 : -1;
  faces.apart = most;
  faces.ax = sign * x;
  faces.ay = sign * y;
  faces.az = sign * z;
}

/** Makes `axis` a unit vector across itself and u. False if there is none. @internal */
export function crossAxis({ axis }: FacePair, ux: number, uy: number, uz: number): boolean {
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
  if (!(length > 0)) return false;
  axis.x = x / length;
  axis.y = y / length;
  axis.z = z / length;
  return true;
}

/** Along the cross product of u and side j of a face. */
function alongCross(faces: FacePair, face: Face, j: number, u: Float64Array, i: number): void {
  setAxis(faces, face.sides, j);
  if (crossAxis(faces, u[i]!, u[i + 1]!, u[i + 2]!)) alongAxis(faces);
}

/** @internal */
export function setAxis({ axis }: FacePair, from: Float64Array, i: number): void {
  axis.x = from[i]!;
  axis.y = from[i + 1]!;
  axis.z = from[i + 2]!;
}

/** The axes along which two convex polygons can be apart: of pairs of sides, and upright on a side in its plane. @internal */
export function allAxes(faces: FacePair): void {
  const { own, other } = faces;
  for (let j = 0; j < 3 * other.count; j += 3) {
    alongCross(faces, other, j, other.normal, 0);
    for (let i = 0; i < 3 * own.count; i += 3) alongCross(faces, other, j, own.sides, i);
  }
  for (let i = 0; i < 3 * own.count; i += 3) alongCross(faces, own, i, own.normal, 0);
}

const a = vec3();
const b = vec3();
const c = vec3();

/** Corner k of a face, in the world. */
function worldCorner(face: Face, k: number, to: Vec3): void {
  if (!face.hasMatrix) setMatrix(face);
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

function setMatrix(face: Face): void {
  const { position, quaternion } = face.pose;
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
  face.hasMatrix = true;
}

/** Does a side of one of the two polygons go through the other, for the corners in the world as they are rounded? */
export const cutThrough = (faces: FacePair): boolean =>
  sidesPierce(faces, faces.own, faces.other) || sidesPierce(faces, faces.other, faces.own);

function sidesPierce(faces: FacePair, of: Face, to: Face): boolean {
  const { p, q } = faces;
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
      if (((before < 0 && now > 0) || (before > 0 && now < 0)) && goesThrough(faces, to)) return true;
      before = now;
      v3.copy(q, p);
    }
  }
  return false;
}

/** Does the segment pq, whose ends are on two sides of a polygon, go through it, and not only along its border? */
function goesThrough(faces: FacePair, to: Face): boolean {
  const { p, q } = faces;
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

/** Two that cut through each other, or touch: the axis of least depth. */
export function takeAxis(faces: FacePair): void {
  const { own, other, contact, ax, ay, az } = faces;
  takeFaces(faces);
  // The corner of the mover that is deepest.
  let low = Infinity;
  let at = 0;
  for (let k = 0; k < own.count; k++) {
    const h = ax * own.corners[3 * k]! + ay * own.corners[3 * k + 1]! + az * own.corners[3 * k + 2]!;
    if (h < low) {
      low = h;
      at = k;
    }
  }
  const kind = other.model.sources.length > 0 ? POLYGON : VERTEX;
  setFeatures(contact, VERTEX, vertexOf(own, at), kind, other.index);
  contact.x = own.corners[3 * at]!;
  contact.y = own.corners[3 * at + 1]!;
  contact.z = own.corners[3 * at + 2]!;
  contact.nx = ax;
  contact.ny = ay;
  contact.nz = az;
}

function takeFaces(faces: FacePair): void {
  const { own, other } = faces;
  faces.moverFace = own.index;
  faces.targetFace = other.index;
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
export function nearestFeatures(faces: FacePair): void {
  const { own, other } = faces;
  overFace(faces, own, other);
  overFace(faces, other, own);
  for (let i = 0; i < own.count; i++)
    for (let j = 0; j < other.count; j++) {
      besideSide(faces, own, i, other, j);
      besideSide(faces, other, j, own, i);
      sideBySide(faces, i, j);
    }
}

/** Takes two points, the one at `offset` from the other, if they are nearer. `sign` 1: the one is the mover's; -1: the target's. */
function takeOffset(faces: FacePair, sign: number): boolean {
  const { offset, contact } = faces;
  const { x, y, z } = offset;
  const distance = Math.sqrt(x * x + y * y + z * z);
  if (!(distance < contact.gap)) return false;
  contact.gap = distance;
  takeFaces(faces);
  if (distance > faces.noise) {
    contact.nx = (sign * x) / distance;
    contact.ny = (sign * y) / distance;
    contact.nz = (sign * z) / distance;
  } else {
    // In touch: along which they are most apart.
    contact.nx = faces.ax;
    contact.ny = faces.ay;
    contact.nz = faces.az;
  }
  return true;
}

/** Who they are: a vertex of `from`, and what of `to` it is at; the mover's point is one of the two that were taken. */
function takeVertex(faces: FacePair, from: Face, k: number, kind: number, feature: number): void {
  const { own, offset, contact } = faces;
  const isOwn = from === own;
  const vertex = vertexOf(from, k);
  const { x, y, z } = offset;
  if (isOwn) setFeatures(contact, VERTEX, vertex, kind, feature);
  else setFeatures(contact, kind, feature, VERTEX, vertex);
  contact.x = from.corners[3 * k]! - (isOwn ? 0 : x);
  contact.y = from.corners[3 * k + 1]! - (isOwn ? 0 : y);
  contact.z = from.corners[3 * k + 2]! - (isOwn ? 0 : z);
}

/** The corners of one face that are over the other. */
function overFace(faces: FacePair, from: Face, to: Face): void {
  const { own, offset, contact } = faces;
  if (to.count < 3) return;
  const { corners, sides, normal } = to;
  const nx = normal[0]!;
  const ny = normal[1]!;
  const nz = normal[2]!;
  for (let k = 0; k < from.count; k++) {
    const x = from.corners[3 * k]!;
    const y = from.corners[3 * k + 1]!;
    const z = from.corners[3 * k + 2]!;
    const h = nx * (x - corners[0]!) + ny * (y - corners[1]!) + nz * (z - corners[2]!);
    if (!(Math.abs(h) < contact.gap)) continue;
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
    if (takeOffset(faces, from === own ? 1 : -1)) takeVertex(faces, from, k, POLYGON, to.index);
  }
}

/** Corner k of one face beside side j of the other (or at its first end). */
function besideSide(faces: FacePair, from: Face, k: number, to: Face, j: number): void {
  const { own, offset } = faces;
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
  if (!takeOffset(faces, from === own ? 1 : -1)) return;
  if (onSide) takeVertex(faces, from, k, EDGE, edgeOf(to, j));
  else takeVertex(faces, from, k, VERTEX, vertexOf(to, j));
}

/** Side i of the mover's face across side j of the target's. */
function sideBySide(faces: FacePair, i: number, j: number): void {
  const { own, other, offset, contact } = faces;
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
  if (h * h >= contact.gap * contact.gap * nn) return;
  const s = (nx * (vy * wz - vz * wy) + ny * (vz * wx - vx * wz) + nz * (vx * wy - vy * wx)) / nn;
  if (!(s > 0 && s < 1)) return;
  // From the point on the one side to the nearest on the other, and back: right even if they are nearly parallel.
  const x = wx + s * ux;
  const y = wy + s * uy;
  const z = wz + s * uz;
  const t = (x * vx + y * vy + z * vz) / (vx * vx + vy * vy + vz * vz);
  if (!(t > 0 && t < 1)) return;
  offset.x = x - t * vx;
  offset.y = y - t * vy;
  offset.z = z - t * vz;
  if (!takeOffset(faces, 1)) return;
  setFeatures(contact, EDGE, edgeOf(own, i), EDGE, edgeOf(other, j));
  contact.x = own.corners[3 * i]! + s * ux;
  contact.y = own.corners[3 * i + 1]! + s * uy;
  contact.z = own.corners[3 * i + 2]! + s * uz;
}

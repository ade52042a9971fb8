/**
 * A convex hull that grows by one point at a time around the origin, and knows the face whose plane is nearest to it: the
 * polytope that expands in EPA. Whether a point lies in front of a face is decided exactly, so the hull is convex and
 * without flipped or flat faces at all times, however thin it is.
 */
import { exactDeterminant } from '../math/exact-determinant.ts';
import { ORIENT3D_ERROR } from '../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { crossAccurate } from '../math/vec3.ts';

/** More than what products of coordinates can lose by falling below the normal numbers. */
const UNDERFLOW = 1e-300;
/** A face that is thinner, relative to its length, has no normal that could be computed. */
const NO_WIDTH = 1e-29;
/** Farther than anything. (Infinity would do, but V8 boxes what may be it.) */
const FAR = 1e300;
/** The square of the sine between two edges: below it, the plane of a face needs care. */
const THIN = 0.01;
/**
 * Heights over the plane of a face that is not thin are wrong by less than a tenth of this, for points within a few units
 * of the origin: the normal is off by some 70 roundings at most, and what is seen over it is 8 units away at most.
 */
const SURE = 1e-12;

/** In flat arrays that are kept from one hull to the next. @internal */
export class IncrementalHull {
  /** Three coordinates a point. */
  points = new Float64Array(3 * 64);
  /** Three coordinates that travel with each point. */
  partners = new Float64Array(3 * 64);
  /** Two numbers that travel with each point. */
  ids = new Int32Array(2 * 64);
  pointCount = 0;
  /** The three corners of each face, counter-clockwise from outside. */
  corners = new Int32Array(3 * 256);
  /** Of face f, across the edge from its corner k to the next: neighbours[3 f + k]. */
  neighbours = new Int32Array(3 * 256);
  /** Of each face its unit normal and how far along it the plane lies. */
  planes = new Float64Array(4 * 256);
  removed = new Uint8Array(256);
  /** Is a face so thin that heights over its plane decide nothing? */
  thin = new Uint8Array(256);
  faceCount = 0;
  /** Faces with planes farther away are never asked for. */
  limit = 0.5;
  /** Other faces, those with the nearest planes first: a binary heap. Removed faces leave it when they come to the top. */
  heap = new Int32Array(256);
  heapSize = 0;
  /** The faces that the new point sees. */
  seen = new Int32Array(256);
  /** By point of the rim: the new face whose base starts there. */
  fan = new Int32Array(64);
}

/** Forgets everything. @internal */
export function clearHull(hull: IncrementalHull): void {
  hull.pointCount = 0;
  hull.faceCount = 0;
  hull.heapSize = 0;
  hull.limit = FAR;
}

/** Adds a point without building anything on it; returns its number. @internal */
export function addPoint(
  hull: IncrementalHull,
  p: ReadonlyVec3,
  partner: ReadonlyVec3,
  idA: number,
  idB: number,
): number {
  const i = hull.pointCount++;
  if (3 * i === hull.points.length) growPoints(hull);
  const { points, partners, ids } = hull;
  ids[2 * i] = idA;
  ids[2 * i + 1] = idB;
  points[3 * i] = p.x;
  points[3 * i + 1] = p.y;
  points[3 * i + 2] = p.z;
  partners[3 * i] = partner.x;
  partners[3 * i + 1] = partner.y;
  partners[3 * i + 2] = partner.z;
  return i;
}

/** Starts the hull with a tetrahedron of four of the points; false if it is exactly flat. @internal */
export function startHull(hull: IncrementalHull, i: number, j: number, c: number, d: number): boolean {
  const side = sideOf(hull, i, j, c, d);
  if (side === 0) return false;
  const a = side > 0 ? i : j;
  const b = side > 0 ? j : i;
  const abc = addFace(hull, a, b, c);
  const bad = addFace(hull, b, a, d);
  const cbd = addFace(hull, c, b, d);
  const acd = addFace(hull, a, c, d);
  link(hull, abc, bad, cbd, acd);
  link(hull, bad, abc, acd, cbd);
  link(hull, cbd, abc, bad, acd);
  link(hull, acd, abc, cbd, bad);
  return true;
}

/** Takes the face with the nearest plane out of the queue; -1 when there is none. @internal */
export function takeNearestFace(hull: IncrementalHull): number {
  while (hull.heapSize > 0) {
    const f = popHeap(hull);
    if (hull.removed[f] === 0) return f;
  }
  return -1;
}

/** Is the point strictly in front of the face? Exact. The points must be within 4 units of the origin. @internal */
export function isInFront(hull: IncrementalHull, face: number, p: number): boolean {
  const { planes, points } = hull;
  const height =
    planes[4 * face]! * points[3 * p]! +
    planes[4 * face + 1]! * points[3 * p + 1]! +
    planes[4 * face + 2]! * points[3 * p + 2]! -
    planes[4 * face + 3]!;
  if (Math.abs(height) > SURE && hull.thin[face] === 0) return height > 0;
  return isInFrontExactly(hull, face, p);
}

function isInFrontExactly(hull: IncrementalHull, face: number, p: number): boolean {
  const { corners } = hull;
  return sideOf(hull, corners[3 * face]!, corners[3 * face + 1]!, corners[3 * face + 2]!, p) < 0;
}

/**
 * On which side of the triangle of three points is a fourth? -1 in front, 1 behind, 0 in its plane. As `orient3d`, which
 * allocates where it is exact, and whose number V8 boxes.
 */
function sideOf(hull: IncrementalHull, i: number, j: number, k: number, p: number): number {
  const { points } = hull;
  const dx = points[3 * p]!;
  const dy = points[3 * p + 1]!;
  const dz = points[3 * p + 2]!;
  const ax = points[3 * i]! - dx;
  const ay = points[3 * i + 1]! - dy;
  const az = points[3 * i + 2]! - dz;
  const bx = points[3 * j]! - dx;
  const by = points[3 * j + 1]! - dy;
  const bz = points[3 * j + 2]! - dz;
  const cx = points[3 * k]! - dx;
  const cy = points[3 * k + 1]! - dy;
  const cz = points[3 * k + 2]! - dz;
  const bxcy = bx * cy;
  const cxby = cx * by;
  const cxay = cx * ay;
  const axcy = ax * cy;
  const axby = ax * by;
  const bxay = bx * ay;
  const det = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
  const terms =
    (Math.abs(bxcy) + Math.abs(cxby)) * Math.abs(az) +
    (Math.abs(cxay) + Math.abs(axcy)) * Math.abs(bz) +
    (Math.abs(axby) + Math.abs(bxay)) * Math.abs(cz);
  const error = ORIENT3D_ERROR * terms + UNDERFLOW;
  if (det < -error) return -1;
  if (det > error) return 1;
  load(hull, i, corner0);
  load(hull, j, corner1);
  load(hull, k, corner2);
  load(hull, p, apex);
  const exact = exactDeterminant(apex, corner0, apex, corner1, apex, corner2);
  return exact < 0 ? -1 : exact > 0 ? 1 : 0;
}

/**
 * Grows the hull by a point that lies strictly in front of the face: removes all faces that the point sees, and closes
 * the hole with a triangle from each edge of its rim to the point.
 *
 * The faces seen are a disc with one simple rim, and no new triangle is without area, because the decisions are exact:
 * see `convexHull3`. An edge to a face that is not seen is of the rim: its triangle is made at once.
 *
 * @internal
 */
export function growHull(hull: IncrementalHull, face: number, p: number): void {
  // The rim has no more edges than there are points.
  while (hull.faceCount + hull.pointCount > hull.removed.length) growFaces(hull);
  const { points, corners, neighbours, planes, removed, thin, seen, fan } = hull;
  const px = points[3 * p]!;
  const py = points[3 * p + 1]!;
  const pz = points[3 * p + 2]!;
  const first = hull.faceCount;
  let count = 1;
  seen[0] = face;
  removed[face] = 1;
  for (let i = 0; i < count; i++) {
    const old = 3 * seen[i]!;
    for (let k = 0; k < 3; k++) {
      const next = neighbours[old + k]!;
      if (removed[next] === 1) continue;
      const at = 4 * next;
      const height = planes[at]! * px + planes[at + 1]! * py + planes[at + 2]! * pz - planes[at + 3]!;
      const sure = (height > SURE || height < -SURE) && thin[next] === 0;
      if (sure ? height > 0 : isInFrontExactly(hull, next, p)) {
        removed[next] = 1;
        seen[count++] = next;
        continue;
      }
      const from = corners[old + k]!;
      const to = corners[old + (k === 2 ? 0 : k + 1)]!;
      const f = addFace(hull, p, from, to);
      fan[from] = f;
      neighbours[3 * f + 1] = next;
      const back = corners[3 * next] === to ? 0 : corners[3 * next + 1] === to ? 1 : 2;
      neighbours[3 * next + back] = f;
    }
  }
  const end = hull.faceCount;
  for (let f = first; f < end; f++) {
    const next = fan[corners[3 * f + 2]!]!;
    neighbours[3 * f + 2] = next;
    neighbours[3 * next] = f;
  }
}

/** There must be capacity for it. */
function addFace(hull: IncrementalHull, a: number, b: number, c: number): number {
  const f = hull.faceCount++;
  const { corners } = hull;
  corners[3 * f] = a;
  corners[3 * f + 1] = b;
  corners[3 * f + 2] = c;
  hull.removed[f] = 0;
  fitPlane(hull, f);
  if (hull.planes[4 * f + 3]! <= hull.limit) pushHeap(hull, f);
  return f;
}

function link(hull: IncrementalHull, f: number, n0: number, n1: number, n2: number): void {
  const { neighbours } = hull;
  neighbours[3 * f] = n0;
  neighbours[3 * f + 1] = n1;
  neighbours[3 * f + 2] = n2;
}

const corner0 = vec3();
const corner1 = vec3();
const corner2 = vec3();
const apex = vec3();
const normal = vec3();
const edge = vec3();
const edgeRest = vec3();
const other = vec3();
const otherRest = vec3();

function load(hull: IncrementalHull, i: number, out: Vec3): void {
  const { points } = hull;
  out.x = points[3 * i]!;
  out.y = points[3 * i + 1]!;
  out.z = points[3 * i + 2]!;
}

/** The plane of a face, by plain arithmetic if it is not thin. */
function fitPlane(hull: IncrementalHull, f: number): void {
  const { points, corners, planes } = hull;
  const a = 3 * corners[3 * f]!;
  const b = 3 * corners[3 * f + 1]!;
  const c = 3 * corners[3 * f + 2]!;
  const ax = points[a]!;
  const ay = points[a + 1]!;
  const az = points[a + 2]!;
  const dx = points[b]! - ax;
  const dy = points[b + 1]! - ay;
  const dz = points[b + 2]! - az;
  const ex = points[c]! - ax;
  const ey = points[c + 1]! - ay;
  const ez = points[c + 2]! - az;
  const x = dy * ez - dz * ey;
  const y = dz * ex - dx * ez;
  const z = dx * ey - dy * ex;
  const sq = x * x + y * y + z * z;
  if (!(sq > THIN * (dx * dx + dy * dy + dz * dz) * (ex * ex + ey * ey + ez * ez))) {
    hull.thin[f] = 1;
    fitPlaneCarefully(hull, f);
    return;
  }
  hull.thin[f] = 0;
  const s = 1 / Math.sqrt(sq);
  planes[4 * f] = s * x;
  planes[4 * f + 1] = s * y;
  planes[4 * f + 2] = s * z;
  planes[4 * f + 3] = s * (x * ax + y * ay + z * az);
}

/**
 * The plane of a face to the last digit, from the two shorter edges: in a needle they are the ones with an angle between them. When that
 * is close to a straight one, what the rounding of the edges took is put back, so that the normal is right however
 * thin the face: one that points somewhere else would mislead the search. A face so thin that even this leaves nothing
 * gets no plane: those of its neighbours, with which it shares all it has, are as near.
 *
 * @internal
 */
export function fitPlaneCarefully(hull: IncrementalHull, f: number): void {
  const { points, corners, planes } = hull;
  const a = 3 * corners[3 * f]!;
  const b = 3 * corners[3 * f + 1]!;
  const c = 3 * corners[3 * f + 2]!;
  const ax = points[a]!;
  const ay = points[a + 1]!;
  const az = points[a + 2]!;
  const bx = points[b]!;
  const by = points[b + 1]!;
  const bz = points[b + 2]!;
  const cx = points[c]!;
  const cy = points[c + 1]!;
  const cz = points[c + 2]!;
  const ab = (bx - ax) * (bx - ax) + (by - ay) * (by - ay) + (bz - az) * (bz - az);
  const bc = (cx - bx) * (cx - bx) + (cy - by) * (cy - by) + (cz - bz) * (cz - bz);
  const ca = (ax - cx) * (ax - cx) + (ay - cy) * (ay - cy) + (az - cz) * (az - cz);
  const i = bc >= ab && bc >= ca ? a : ca >= ab ? b : c;
  const j = i === a ? b : i === b ? c : a;
  const k = i === a ? c : i === b ? a : b;
  subtract(hull, i, j, edge, edgeRest);
  subtract(hull, i, k, other, otherRest);
  crossAccurate(edge, other, normal);
  const nx = normal.x;
  const ny = normal.y;
  const nz = normal.z;
  const thin = nx * nx + ny * ny + nz * nz < 0.01 * (ab + bc + ca) * Math.min(ab, bc, ca) ? 1 : 0;
  const x =
    nx + thin * (edge.y * otherRest.z - edge.z * otherRest.y + (edgeRest.y * other.z - edgeRest.z * other.y));
  const y =
    ny + thin * (edge.z * otherRest.x - edge.x * otherRest.z + (edgeRest.z * other.x - edgeRest.x * other.z));
  const z =
    nz + thin * (edge.x * otherRest.y - edge.y * otherRest.x + (edgeRest.x * other.y - edgeRest.y * other.x));
  const size = Math.sqrt(x * x + y * y + z * z);
  const known = size > NO_WIDTH * (ab + bc + ca);
  const s = known ? 1 / size : 0;
  planes[4 * f] = s * x;
  planes[4 * f + 1] = s * y;
  planes[4 * f + 2] = s * z;
  // Two stores: of one with a choice between a number and a constant, V8 makes an object.
  if (known) planes[4 * f + 3] = s * (x * points[i]! + y * points[i + 1]! + z * points[i + 2]!);
  else planes[4 * f + 3] = FAR;
}

/** The vector from one point to another, and what rounding took from it. */
function subtract(hull: IncrementalHull, i: number, j: number, out: Vec3, rest: Vec3): void {
  const { points } = hull;
  const ax = points[i]!;
  const ay = points[i + 1]!;
  const az = points[i + 2]!;
  const bx = points[j]!;
  const by = points[j + 1]!;
  const bz = points[j + 2]!;
  const x = bx - ax;
  const y = by - ay;
  const z = bz - az;
  out.x = x;
  out.y = y;
  out.z = z;
  rest.x = bx - (x - (x - bx)) - (ax + (x - bx));
  rest.y = by - (y - (y - by)) - (ay + (y - by));
  rest.z = bz - (z - (z - bz)) - (az + (z - bz));
}

function pushHeap(hull: IncrementalHull, face: number): void {
  const { heap, planes } = hull;
  const key = planes[4 * face + 3]!;
  let at = hull.heapSize++;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const other = heap[above]!;
    if (planes[4 * other + 3]! <= key) break;
    heap[at] = other;
    at = above;
  }
  heap[at] = face;
}

function popHeap(hull: IncrementalHull): number {
  const { heap, planes } = hull;
  const top = heap[0]!;
  const size = --hull.heapSize;
  const last = heap[size]!;
  const key = planes[4 * last + 3]!;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= size) break;
    if (below + 1 < size && planes[4 * heap[below + 1]! + 3]! < planes[4 * heap[below]! + 3]!) below++;
    if (planes[4 * heap[below]! + 3]! >= key) break;
    heap[at] = heap[below]!;
    at = below;
  }
  heap[at] = last;
  return top;
}

function growPoints(hull: IncrementalHull): void {
  hull.points = longer(hull.points);
  hull.partners = longer(hull.partners);
  hull.ids = longerIntegers(hull.ids);
  hull.fan = new Int32Array(2 * hull.fan.length);
}

function growFaces(hull: IncrementalHull): void {
  hull.planes = longer(hull.planes);
  hull.corners = longerIntegers(hull.corners);
  hull.neighbours = longerIntegers(hull.neighbours);
  hull.heap = longerIntegers(hull.heap);
  hull.seen = longerIntegers(hull.seen);
  hull.removed = longerFlags(hull.removed);
  hull.thin = longerFlags(hull.thin);
}

function longer(list: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const twice = new Float64Array(2 * list.length);
  twice.set(list);
  return twice;
}

function longerIntegers(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const twice = new Int32Array(2 * list.length);
  twice.set(list);
  return twice;
}

function longerFlags(list: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const twice = new Uint8Array(2 * list.length);
  twice.set(list);
  return twice;
}

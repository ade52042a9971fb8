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

/** Of a face: heights over its plane say on which side a point is. */
const PLAIN = 0;
/** It is so thin that they decide nothing. */
const THIN_FACE = 1;
/** It is no longer there. */
const REMOVED = 2;

/**
 * In flat arrays that are kept from one hull to the next. A point is known by where its numbers begin in `points`: 3 for the
 * second. A face is known by where they begin in `planes`: 4 for the second. The edge of face f from its corner k to the
 * next is f + k.
 *
 * @internal
 */
export class IncrementalHull {
  /** Three coordinates a point. */
  points = new Float64Array(3 * 64);
  /** Three coordinates that travel with each point. */
  partners = new Float64Array(3 * 64);
  /** Two numbers that travel with each point; the third is not used. */
  ids = new Int32Array(3 * 64);
  pointCount = 0;
  /** The three corners of each face, counter-clockwise from outside, and its state. */
  corners = new Int32Array(4 * 256);
  /** Of each edge, the same edge as its other face has it. */
  twins = new Int32Array(4 * 256);
  /** Of each face its unit normal and how far along it the plane lies. */
  planes = new Float64Array(4 * 256);
  /** Where the next face begins. */
  faceEnd = 0;
  /** Faces with planes farther away are never asked for. */
  limit = 0.5;
  /** Other faces, those with the nearest planes first: a binary heap. Removed faces leave it when they come to the top. */
  heap = new Int32Array(256);
  /** How far the planes of the faces in the heap are. */
  keys = new Float64Array(256);
  heapSize = 0;
  /** Edges around the faces that the new point sees, those that come first on top. */
  stack = new Int32Array(2 * 256);
}

/** Forgets everything. @internal */
export function clearHull(hull: IncrementalHull): void {
  hull.pointCount = 0;
  hull.faceEnd = 0;
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
  const i = 3 * hull.pointCount++;
  if (i === hull.points.length) growPoints(hull);
  const { points, partners, ids } = hull;
  ids[i] = idA;
  ids[i + 1] = idB;
  points[i] = p.x;
  points[i + 1] = p.y;
  points[i + 2] = p.z;
  partners[i] = partner.x;
  partners[i + 1] = partner.y;
  partners[i + 2] = partner.z;
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
  join(hull, abc, bad);
  join(hull, abc + 1, cbd);
  join(hull, abc + 2, acd);
  join(hull, bad + 1, acd + 2);
  join(hull, bad + 2, cbd + 1);
  join(hull, cbd + 2, acd + 1);
  return true;
}

/** Takes the face with the nearest plane out of the queue; -1 when there is none. @internal */
export function takeNearestFace(hull: IncrementalHull): number {
  while (hull.heapSize > 0) {
    const f = popHeap(hull);
    if (hull.corners[f + 3] !== REMOVED) return f;
  }
  return -1;
}

/** Has the face not been removed? @internal */
export const isThere = ({ corners }: IncrementalHull, face: number): boolean => corners[face + 3] !== REMOVED;

/** Is the point strictly in front of the face? Exact. The points must be within 4 units of the origin. @internal */
export function isInFront(hull: IncrementalHull, face: number, p: number): boolean {
  const { planes, points } = hull;
  const height =
    planes[face]! * points[p]! +
    planes[face + 1]! * points[p + 1]! +
    planes[face + 2]! * points[p + 2]! -
    planes[face + 3]!;
  if (Math.abs(height) > SURE && hull.corners[face + 3] === PLAIN) return height > 0;
  return isInFrontExactly(hull, face, p);
}

function isInFrontExactly(hull: IncrementalHull, face: number, p: number): boolean {
  const { corners } = hull;
  return sideOf(hull, corners[face]!, corners[face + 1]!, corners[face + 2]!, p) < 0;
}

/**
 * On which side of the triangle of three points is a fourth? -1 in front, 1 behind, 0 in its plane. As `orient3d`, which
 * allocates where it is exact, and whose number V8 boxes.
 */
function sideOf(hull: IncrementalHull, i: number, j: number, k: number, p: number): number {
  const { points } = hull;
  const dx = points[p]!;
  const dy = points[p + 1]!;
  const dz = points[p + 2]!;
  const ax = points[i]! - dx;
  const ay = points[i + 1]! - dy;
  const az = points[i + 2]! - dz;
  const bx = points[j]! - dx;
  const by = points[j + 1]! - dy;
  const bz = points[j + 2]! - dz;
  const cx = points[k]! - dx;
  const cy = points[k + 1]! - dy;
  const cz = points[k + 2]! - dz;
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

/** 1, 2, 0 for 0, 1, 2: the next edge of a triangle. */
const nextOf = (k: number): number => (0b001001 >> (2 * k)) & 3;
/** 2, 0, 1. */
const lastOf = (k: number): number => (0b010010 >> (2 * k)) & 3;

/**
 * Grows the hull by a point that lies strictly in front of the face: removes all faces that the point sees, and closes
 * the hole with a triangle from each edge of its rim to the point.
 *
 * The faces seen are a disc with one simple rim, and no new triangle is without area, because the decisions are exact:
 * see `convexHull3`. They are visited counter-clockwise, each from the edge by which it was reached, so that the edges of
 * the rim come one after the other, and with them the new triangles.
 *
 * @internal
 */
export function growHull(hull: IncrementalHull, face: number, p: number): void {
  // The rim has no more edges than there are points.
  while (hull.faceEnd + 4 * hull.pointCount > hull.planes.length) growFaces(hull);
  const { points, corners, twins, planes, stack } = hull;
  const px = points[p]!;
  const py = points[p + 1]!;
  const pz = points[p + 2]!;
  corners[face + 3] = REMOVED;
  stack[0] = twins[face + 2]!;
  stack[1] = twins[face + 1]!;
  stack[2] = twins[face]!;
  const first = hull.faceEnd;
  let f = first;
  let top = 3;
  while (top > 0) {
    const edge = stack[--top]!;
    const k = edge & 3;
    const next = edge & -4;
    const state = corners[next + 3]!;
    if (state === REMOVED) continue;
    const height = planes[next]! * px + planes[next + 1]! * py + planes[next + 2]! * pz - planes[next + 3]!;
    const sure = (height > SURE || height < -SURE) && state === PLAIN;
    if (sure ? height > 0 : isInFrontExactly(hull, next, p)) {
      corners[next + 3] = REMOVED;
      stack[top] = twins[next + lastOf(k)]!;
      stack[top + 1] = twins[next + nextOf(k)]!;
      top += 2;
      continue;
    }
    corners[f] = p;
    corners[f + 1] = corners[next + nextOf(k)]!;
    corners[f + 2] = corners[edge]!;
    // The last of them is found out at the end.
    twins[f] = f - 2;
    twins[f + 1] = edge;
    twins[f + 2] = f + 4;
    twins[edge] = f + 1;
    f += 4;
  }
  hull.faceEnd = f;
  twins[first] = f - 2;
  twins[f - 2] = first;
  // One after the other, so that a processor can work on all planes at once before it has to guess which is the nearest.
  for (let g = first; g < f; g += 4) fitPlane(hull, g);
  for (let g = first; g < f; g += 4) if (planes[g + 3]! <= hull.limit) pushHeap(hull, g);
}

function join({ twins }: IncrementalHull, edge: number, twin: number): void {
  twins[edge] = twin;
  twins[twin] = edge;
}

function addFace(hull: IncrementalHull, a: number, b: number, c: number): number {
  const f = hull.faceEnd;
  hull.faceEnd = f + 4;
  const { corners } = hull;
  corners[f] = a;
  corners[f + 1] = b;
  corners[f + 2] = c;
  fitPlane(hull, f);
  if (hull.planes[f + 3]! <= hull.limit) pushHeap(hull, f);
  return f;
}

/** The plane of a face that has got its corners, by plain arithmetic if it is not thin. */
function fitPlane(hull: IncrementalHull, f: number): void {
  const { points, corners, planes } = hull;
  const a = corners[f]!;
  const b = corners[f + 1]!;
  const c = corners[f + 2]!;
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
  if (sq > THIN * (dx * dx + dy * dy + dz * dz) * (ex * ex + ey * ey + ez * ez)) {
    const s = 1 / Math.sqrt(sq);
    planes[f] = s * x;
    planes[f + 1] = s * y;
    planes[f + 2] = s * z;
    planes[f + 3] = s * (x * ax + y * ay + z * az);
    corners[f + 3] = PLAIN;
  } else {
    fitPlaneCarefully(hull, f);
    corners[f + 3] = THIN_FACE;
  }
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
  out.x = points[i]!;
  out.y = points[i + 1]!;
  out.z = points[i + 2]!;
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
  const a = corners[f]!;
  const b = corners[f + 1]!;
  const c = corners[f + 2]!;
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
  planes[f] = s * x;
  planes[f + 1] = s * y;
  planes[f + 2] = s * z;
  // Two stores: of one with a choice between a number and a constant, V8 makes an object.
  if (known) planes[f + 3] = s * (x * points[i]! + y * points[i + 1]! + z * points[i + 2]!);
  else planes[f + 3] = FAR;
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
  const { heap, keys } = hull;
  const key = hull.planes[face + 3]!;
  const at = climbHeap(hull, hull.heapSize++, key);
  heap[at] = face;
  keys[at] = key;
}

/** Makes room for a key in the heap, from a free place upwards; returns where. */
function climbHeap({ heap, keys }: IncrementalHull, at: number, key: number): number {
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (keys[above]! <= key) break;
    heap[at] = heap[above]!;
    keys[at] = keys[above]!;
    at = above;
  }
  return at;
}

/**
 * The free place sinks to the bottom, and what was last in the heap climbs from there: it belongs near the bottom most of the
 * time. Which of two faces below is nearer is worked out without a branch, which could only be guessed.
 */
function popHeap(hull: IncrementalHull): number {
  const { heap, keys } = hull;
  const top = heap[0]!;
  const size = --hull.heapSize;
  let at = 0;
  for (let right = 2; right < size; right = 2 * at + 2) {
    const below = right - +(keys[right - 1]! < keys[right]!);
    heap[at] = heap[below]!;
    keys[at] = keys[below]!;
    at = below;
  }
  const left = 2 * at + 1;
  if (left < size) {
    heap[at] = heap[left]!;
    keys[at] = keys[left]!;
    at = left;
  }
  const key = keys[size]!;
  const to = climbHeap(hull, at, key);
  heap[to] = heap[size]!;
  keys[to] = key;
  return top;
}

function growPoints(hull: IncrementalHull): void {
  hull.points = longer(hull.points);
  hull.partners = longer(hull.partners);
  hull.ids = longerIntegers(hull.ids);
}

function growFaces(hull: IncrementalHull): void {
  hull.planes = longer(hull.planes);
  hull.corners = longerIntegers(hull.corners);
  hull.twins = longerIntegers(hull.twins);
  hull.heap = longerIntegers(hull.heap);
  hull.keys = longer(hull.keys);
  hull.stack = longerIntegers(hull.stack);
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

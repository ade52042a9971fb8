/**
 * Rays and segments against meshes. Whether a triangle is hit is decided exactly, as by `rayTriangle`: nothing slips
 * through between triangles that share an edge or a vertex, from however far away, and the answer is that of asking
 * every triangle. A ray in the plane of a triangle misses that one, and its neighbours report it.
 */
import { checkPoint, checkRay, mustBeNumber, mustHave } from '../math/check.ts';
import { GRAZING, UNIT_ROUNDING } from '../math/tolerance.ts';
import { type ReadonlyVec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { checkRange } from '../primitives/input.ts';
import { intersectLineTriangle, LineRange } from '../primitives/ray/line-triangle.ts';
import { makeAabb, makeTriangleHit, type ReadonlyRay, type TriangleHit } from '../primitives/types.ts';
import { isLeaf, leafEnd, leafFirst, linkAt, MAX_DEPTH } from '../trees/packed-tree.ts';
import { KERNELS, PASS } from './family-key.ts';
import { type Corners, type LiveTree, loadTriangle, type Mesh, makeCorners } from './mesh.ts';

/** A hit on a mesh: u, v and w are the weights of the corners of the triangle, in the order of the index. */
export interface MeshHit extends TriangleHit {
  triangle: number;
}

// Written out, here and elsewhere: V8 boxes every double that is written to a record made by spreading another.
export const makeMeshHit = (): MeshHit => ({
  t: 0,
  point: vec3(),
  normal: vec3(),
  u: 0,
  v: 0,
  w: 0,
  triangle: -1,
});

/**
 * The first triangle that the ray hits, from either side; the normal looks to the side the ray comes from. Of
 * triangles hit at the same time, the one with the lowest number. About O(log n). RTCD §5.3.6, §6.3.
 */
export function rayMesh(ray: ReadonlyRay, mesh: Mesh, tMax = Infinity, out?: MeshHit): MeshHit | null {
  loadRay('rayMesh', ray, mesh, tMax);
  return firstHit(mesh, out);
}

/** As `rayMesh`, but only triangles seen from the front count, counter-clockwise. */
export function rayMeshFront(ray: ReadonlyRay, mesh: Mesh, tMax = Infinity, out?: MeshHit): MeshHit | null {
  loadRay('rayMeshFront', ray, mesh, tMax);
  own.front = true;
  return firstHit(mesh, out);
}

/** Does the ray hit any triangle? Quicker than looking for the first, as for shadows or lines of sight. */
export function rayMeshAny(ray: ReadonlyRay, mesh: Mesh, tMax = Infinity): boolean {
  loadRay('rayMeshAny', ray, mesh, tMax);
  own.mode = ANY;
  return searchRay(own, mesh) >= 0;
}

/**
 * All hits, sorted by time, those at the same time by the number of the triangle. A ray through an edge hits both
 * triangles there. With `out`, its records are used again, and its length is the number of hits.
 */
export function rayMeshAll(ray: ReadonlyRay, mesh: Mesh, tMax = Infinity, out: MeshHit[] = []): MeshHit[] {
  loadRay('rayMeshAll', ray, mesh, tMax);
  return allHits(mesh, out);
}

/** The first triangle that the segment from p to q hits, both ends included, with t in [0, 1]: as `segmentTriangle`. */
export function segmentMesh(p: ReadonlyVec3, q: ReadonlyVec3, mesh: Mesh, out?: MeshHit): MeshHit | null {
  loadSegment('segmentMesh', p, q, mesh);
  return firstHit(mesh, out);
}

/** Does the segment from p to q hit any triangle, both ends included? */
export function segmentMeshAny(p: ReadonlyVec3, q: ReadonlyVec3, mesh: Mesh): boolean {
  loadSegment('segmentMeshAny', p, q, mesh);
  own.mode = ANY;
  return searchRay(own, mesh) >= 0;
}

/** All triangles that the segment from p to q hits, both ends included, as `rayMeshAll`. */
export function segmentMeshAll(p: ReadonlyVec3, q: ReadonlyVec3, mesh: Mesh, out: MeshHit[] = []): MeshHit[] {
  loadSegment('segmentMeshAll', p, q, mesh);
  return allHits(mesh, out);
}

/** What a search looks for. @internal */
export const CLOSEST = 0;
/** @internal */
export const ANY = 1;
/** @internal */
export const ALL = 2;

/**
 * A search for what a ray or a segment hits: what is asked, and what was found. The ray is a copy. Objects of users come in
 * all kinds: numbers that are whole in one and not in the other are kept differently, and code that has seen both looks at
 * every number each time it is used. These have always held doubles.
 *
 * @internal
 */
export class RaySearch {
  readonly origin = vec3(0.5, 0.5, 0.5);
  readonly direction = vec3(0.5, 0.5, 0.5);
  /** Where a segment ends, if it is one: `hasEnd`. Its direction leads there. */
  readonly end = vec3(0.5, 0.5, 0.5);
  hasEnd = false;
  /** No hit later than this counts. */
  tMax = 0.5;
  mode = CLOSEST;
  /** Only triangles seen from the front count. */
  front = false;
  /** Only triangles seen from the back count. */
  back = false;
  /** Where the hits of a search for all go, as they come, and how many they are. */
  hits: MeshHit[] | null = null;
  hitCount = 0;
  /** Found: the slot, or -1; the time, and the weights of b and c. */
  slot = -1;
  t = 0.5;
  v = 0.5;
  w = 0.5;
  /** Whether it took the exact test to find them. */
  exact = false;
  // Of the ray and the mesh: bounds on rounding in areas and volumes, and the size of the direction.
  edgeError = 0.5;
  volumeError = 0.5;
  size = 0.5;

  constructor() {
    this.tMax = Infinity;
  }

  /** Asks for the segment from p to q. */
  setSegment(p: ReadonlyVec3, q: ReadonlyVec3): void {
    const { x: px, y: py, z: pz } = p;
    const { x: qx, y: qy, z: qz } = q;
    const { origin, direction, end } = this;
    origin.x = px;
    origin.y = py;
    origin.z = pz;
    direction.x = qx - px;
    direction.y = qy - py;
    direction.z = qz - pz;
    end.x = qx;
    end.y = qy;
    end.z = qz;
    this.hasEnd = true;
    this.tMax = 1;
  }
}

const own = new RaySearch();

function loadRay(caller: string, ray: ReadonlyRay, mesh: Mesh, tMax: number): void {
  checkRay(caller, 'ray', ray);
  mustHave(caller, 'mesh', mesh, 'a mesh', 'tree');
  mustBeNumber(caller, 'tMax', tMax);
  v3.copy(ray.origin, own.origin);
  v3.copy(ray.direction, own.direction);
  checkRange(caller, tMax);
  own.hasEnd = false;
  own.tMax = tMax;
  own.mode = CLOSEST;
  own.front = false;
}

function loadSegment(caller: string, p: ReadonlyVec3, q: ReadonlyVec3, mesh: Mesh): void {
  checkPoint(caller, 'p', p);
  checkPoint(caller, 'q', q);
  mustHave(caller, 'mesh', mesh, 'a mesh', 'tree');
  own.setSegment(p, q);
  own.mode = CLOSEST;
  own.front = false;
}

/** For each level of the tree the child that is still to be looked at, and eight times the time at which it is entered. */
const pending = new Int32Array(MAX_DEPTH + 1);
const pendingFrom = new Float64Array(MAX_DEPTH + 1);

const triangle = makeCorners();
const exact = makeTriangleHit();
const front = makeTriangleHit();

/** For the rounding of the times at which boxes are entered and left: 32 u, see `searchRay`. */
const BOX_ERROR = 32 * UNIT_ROUNDING;
/** As in `intersectLineTriangle`. */
const TRIANGLE_ERROR = 16 * UNIT_ROUNDING;
/** What `searchRay` takes as the error of areas in the view along the ray: 1024 u, and what is lost to underflow. */
const VIEW_ERROR = 1024 * UNIT_ROUNDING;
const TINY = 1e-280;

/** Another way to search a mesh, with the same answers. @internal */
export interface RayKernel {
  /** As `searchRay` for CLOSEST and ANY; `PASS` for a ray that it leaves to the kernel here. */
  searchRay(search: RaySearch, mesh: Mesh): number;
}

/** The slot of the first triangle that the ray or segment hits, or of any, or -1. See `RaySearch`. @internal */
export function searchRay(search: RaySearch, mesh: Mesh): number {
  const kernel = mesh[KERNELS] as RayKernel | null;
  if (kernel && search.mode !== ALL) {
    const slot = kernel.searchRay(search, mesh);
    if (slot !== PASS) return slot;
  }
  return searchRayAlone(search, mesh);
}

/**
 * As `searchRay`.
 *
 * Boxes: a coordinate on the grid turns into a time by one product and one sum. Near sides come a little early and
 * far sides a little late, by a bound on all rounding. The latest of the near and the earliest of the far times are sums
 * with absolute differences (p + q + |p - q| is twice the greater), since an unpredictable branch costs more than
 * all of the arithmetic; that is also why no component of the direction may be next to nothing, and why comparisons
 * are combined by & instead of &&. The child that is entered first comes first.
 *
 * Triangles are seen along the ray first, which is the point 0 there: moved by the ray's own slopes s to the plane across
 * the axis along which it runs farthest (Woop, Benthin and Wald 2013), a vertex v is at va - sa vc - (oa - sa oc), and
 * likewise for b. If the areas U, V, W of 0 with the three edges have different signs, it is a miss, and then
 * |U| + |V| + |W| exceeds |U + V + W|: one comparison, and no normal, for the sixteen of seventeen that are missed. With
 * all coordinates up to L, and u = 2^-53, slopes (off by u, and by 2 u more where the direction is a rounded difference)
 * and sums leave 14 u L of error in a coordinate of up to 2 L, 128 u L² in an area, and 888 u L² in the comparison.
 *
 * What is left has the arithmetic of `intersectLineTriangle`, with one error bound for the whole mesh and the ray instead of one
 * for each triangle: it is larger, but still so small that only rays next to an edge fall within, and those are
 * decided by `intersectLineTriangle` itself. An accepted time has the same bits in both.
 */
function searchRayAlone(search: RaySearch, mesh: Mesh): number {
  if (mesh.live !== null) askForRay(search, mesh.live);
  const { x: ox, y: oy, z: oz } = search.origin;
  const { x: dx, y: dy, z: dz } = search.direction;
  const { vertices, corners } = mesh;
  const { bounds, links, grid } = mesh.tree;
  const gx = grid[0]!;
  const gy = grid[1]!;
  const gz = grid[2]!;
  const lx = grid[3]!;
  const ly = grid[4]!;
  const lz = grid[5]!;

  const adx = Math.abs(dx);
  const ady = Math.abs(dy);
  const adz = Math.abs(dz);
  // Direction components smaller than this are taken as so much in the tests of boxes.
  const least = (Math.max(adx, ady, adz) || 1) * GRAZING;
  const ix = 1 / (adx < least ? least : dx);
  const iy = 1 / (ady < least ? least : dy);
  const iz = 1 / (adz < least ? least : dz);
  const sx = lx * ix;
  const sy = ly * iy;
  const sz = lz * iz;
  const mx = (gx - ox) * ix;
  const my = (gy - oy) * iy;
  const mz = (gz - oz) * iz;
  // What rounding does to any of these times, and what a direction that was made steeper, or turned the other way, does to where the
  // ray is.
  const sizeE = 65536 * (lx + ly + lz);
  const sizeA = Math.abs(gx - ox) + Math.abs(gy - oy) + Math.abs(gz - oz) + sizeE;
  const error =
    BOX_ERROR *
    (Math.abs(mx) + Math.abs(my) + Math.abs(mz) + 65536 * (Math.abs(sx) + Math.abs(sy) + Math.abs(sz)));
  const ex = error + (adx < least ? 2 * GRAZING * sizeA * ix : 0);
  const ey = error + (ady < least ? 2 * GRAZING * sizeA * iy : 0);
  const ez = error + (adz < least ? 2 * GRAZING * sizeA * iz : 0);
  const mx0 = mx - ex;
  const my0 = my - ey;
  const mz0 = 2 * (mz - ez);
  const mx1 = mx + ex;
  const my1 = my + ey;
  const mz1 = 2 * (mz + ez);
  const sz2 = 2 * sz;
  const nx = ix > 0 ? 0 : 3;
  const ny = iy > 0 ? 1 : 4;
  const nz = iz > 0 ? 2 : 5;
  const fx = 3 - nx;
  const fy = 5 - ny;
  const fz = 7 - nz;

  beginRayTests(search, mesh);
  const sizeD = search.size;

  // The view along the ray: c is the axis along which it runs farthest.
  const c = adx > ady ? (adx > adz ? 0 : 2) : ady > adz ? 1 : 2;
  const a = c === 2 ? 0 : c + 1;
  const b = 3 - a - c;
  const dc = (c === 0 ? dx : c === 1 ? dy : dz) || 1;
  const oc = c === 0 ? ox : c === 1 ? oy : oz;
  const slopeA = (a === 0 ? dx : a === 1 ? dy : dz) / dc;
  const slopeB = (b === 0 ? dx : b === 1 ? dy : dz) / dc;
  const offA = (a === 0 ? ox : a === 1 ? oy : oz) - slopeA * oc;
  const offB = (b === 0 ? ox : b === 1 ? oy : oz) - slopeB * oc;
  const reach = sizeA + Math.abs(ox) + Math.abs(oy) + Math.abs(oz);
  const viewError = VIEW_ERROR * reach * reach + TINY;

  // A ray without direction is a point: it is in a box if it is between its sides at time 0.
  const limit = sizeD === 0 ? 0 : search.tMax;
  const any = search.mode === ANY;
  let best4 = 4 * limit;
  let best8 = 8 * limit;
  let top = 0;
  let link = 0;
  for (;;) {
    if (!isLeaf(link)) {
      const a0 = bounds[link + nx]! * sx + mx0;
      const a1 = bounds[link + ny]! * sy + my0;
      const a2 = bounds[link + nz]! * sz2 + mz0;
      const a3 = bounds[link + fx]! * sx + mx1;
      const a4 = bounds[link + fy]! * sy + my1;
      const a5 = bounds[link + fz]! * sz2 + mz1;
      const b0 = bounds[link + 6 + nx]! * sx + mx0;
      const b1 = bounds[link + 6 + ny]! * sy + my0;
      const b2 = bounds[link + 6 + nz]! * sz2 + mz0;
      const b3 = bounds[link + 6 + fx]! * sx + mx1;
      const b4 = bounds[link + 6 + fy]! * sy + my1;
      const b5 = bounds[link + 6 + fz]! * sz2 + mz1;
      // Four times the greatest of the near and the least of the far: |p - q| instead of a branch.
      const a6 = a0 + a1 + Math.abs(a0 - a1);
      const a7 = a3 + a4 - Math.abs(a3 - a4);
      const b6 = b0 + b1 + Math.abs(b0 - b1);
      const b7 = b3 + b4 - Math.abs(b3 - b4);
      const enterA = a6 + a2 + Math.abs(a6 - a2);
      const leaveA = a7 + a5 - Math.abs(a7 - a5);
      const enterB = b6 + b2 + Math.abs(b6 - b2);
      const leaveB = b7 + b5 - Math.abs(b7 - b5);
      const hitA = +(enterA <= leaveA) & +(enterA <= best4) & +(leaveA >= 0);
      const hitB = +(enterB <= leaveB) & +(enterB <= best4) & +(leaveB >= 0);
      const first = links[linkAt(link, 0)]!;
      const second = links[linkAt(link, 1)]!;
      // All bits set if child 0 comes first: it is hit, and child 1 is not or comes later.
      const swap = (first ^ second) & -hitA & (-(enterA <= enterB) | (hitB - 1));
      pendingFrom[top] = enterA + enterB + Math.abs(enterA - enterB);
      pending[top] = first ^ swap;
      top += hitA & hitB;
      if (hitA | hitB) {
        link = second ^ swap;
        continue;
      }
    } else {
      const stop = 3 * leafEnd(link);
      for (let k = 3 * leafFirst(link); k < stop; k += 3) {
        const ka = 3 * corners[k]!;
        const kb = 3 * corners[k + 1]!;
        const kc = 3 * corners[k + 2]!;
        const pc = vertices[ka + c]!;
        const pa = vertices[ka + a]! - slopeA * pc - offA;
        const pb = vertices[ka + b]! - slopeB * pc - offB;
        const qc = vertices[kb + c]!;
        const qa = vertices[kb + a]! - slopeA * qc - offA;
        const qb = vertices[kb + b]! - slopeB * qc - offB;
        const rc = vertices[kc + c]!;
        const ra = vertices[kc + a]! - slopeA * rc - offA;
        const rb = vertices[kc + b]! - slopeB * rc - offB;
        const areaP = qa * rb - qb * ra;
        const areaQ = ra * pb - rb * pa;
        const areaR = pa * qb - pb * qa;
        const parted =
          Math.abs(areaP) + Math.abs(areaQ) + Math.abs(areaR) - Math.abs(areaP + areaQ + areaR) > viewError;
        if (parted) continue;
        if (!testTriangle(search, mesh, (k / 3) | 0)) continue;
        if (any) return search.slot;
        best4 = 4 * search.t;
        best8 = 8 * search.t;
      }
    }
    do {
      if (top === 0) return search.slot;
      top--;
    } while (!(pendingFrom[top]! <= best8));
    link = pending[top]!;
  }
}

const start = makeAabb();

function askForRay({ origin, direction, tMax }: RaySearch, live: LiveTree): void {
  v3.copy(origin, start.min);
  v3.copy(origin, start.max);
  live.swept(start, direction, tMax);
}

/** Before the first `testTriangle` of a search. @internal */
export function beginRayTests(search: RaySearch, { tree: { grid } }: Mesh): void {
  const { x: ox, y: oy, z: oz } = search.origin;
  const { x: dx, y: dy, z: dz } = search.direction;
  // Bounds on the sizes in `intersectLineTriangle`: of the direction, of the vector to a corner, and of an edge.
  const sizeD = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
  const sizeE = 65536 * (grid[3]! + grid[4]! + grid[5]!);
  const sizeA = Math.abs(grid[0]! - ox) + Math.abs(grid[1]! - oy) + Math.abs(grid[2]! - oz) + sizeE;
  search.edgeError = TRIANGLE_ERROR * sizeD * sizeE * (2 * sizeA + sizeE);
  search.volumeError = TRIANGLE_ERROR * (sizeA + 2 * sizeD) * sizeE * sizeE;
  search.size = sizeD;
  // A ray without direction is a point.
  search.t = sizeD === 0 ? 0 : search.tMax;
  search.slot = -1;
}

/**
 * Takes the triangle in this slot as the first hit if it is one. What is asked of few triangles is a function of its own: see
 * `BoxTreePair` for what V8 makes of loops with rare parts.
 *
 * @internal
 */
export function testTriangle(search: RaySearch, mesh: Mesh, slot: number): boolean {
  const { vertices, corners } = mesh;
  const { edgeError, volumeError, t: best } = search;
  const { x: ox, y: oy, z: oz } = search.origin;
  const { x: dx, y: dy, z: dz } = search.direction;
  const ka = 3 * corners[3 * slot]!;
  const kb = 3 * corners[3 * slot + 1]!;
  const kc = 3 * corners[3 * slot + 2]!;
  const ax = vertices[ka]!;
  const ay = vertices[ka + 1]!;
  const az = vertices[ka + 2]!;
  const abx = vertices[kb]! - ax;
  const aby = vertices[kb + 1]! - ay;
  const abz = vertices[kb + 2]! - az;
  const acx = vertices[kc]! - ax;
  const acy = vertices[kc + 1]! - ay;
  const acz = vertices[kc + 2]! - az;
  const aox = ax - ox;
  const aoy = ay - oy;
  const aoz = az - oz;
  const kx = aoy * dz - aoz * dy;
  const ky = aoz * dx - aox * dz;
  const kz = aox * dy - aoy * dx;
  const v = kx * acx + ky * acy + kz * acz;
  const w = -(kx * abx + ky * aby + kz * abz);
  const normalX = aby * acz - abz * acy;
  const normalY = abz * acx - abx * acz;
  const normalZ = abx * acy - aby * acx;
  const slope = dx * normalX + dy * normalY + dz * normalZ;
  const volume = aox * normalX + aoy * normalY + aoz * normalZ;
  const inverse = 1 / slope;
  const slack = edgeError * Math.abs(inverse);
  const atB = v * inverse;
  const atC = w * inverse;
  // In doubt (not a number, say, because the ray is parallel), it is not a miss.
  if (+(atB < -slack) | +(atC < -slack) | +(atB + atC > 1 + slack)) return false;
  const slackT = volumeError * Math.abs(inverse);
  let t = volume / slope;
  if (t < -slackT || t > best + slackT) return false;
  const area =
    (Math.abs(abx) + Math.abs(aby) + Math.abs(abz)) * (Math.abs(acx) + Math.abs(acy) + Math.abs(acz));
  const sure =
    Math.abs(slope) > GRAZING * search.size * area &&
    atB > slack &&
    atC > slack &&
    atB + atC < 1 - slack &&
    t > slackT &&
    (!search.hasEnd || t < 1 - slackT);
  if (sure) {
    if (!(t <= best) || (search.front && slope > 0) || (search.back && slope < 0)) return false;
  } else {
    if (!pierceSlot(search, mesh, slot, best, exact)) return false;
    if (search.back && isFront(search, triangle)) return false;
    t = exact.t;
    if (!(t <= best)) return false; // with `end` the exact test looks at that, not at tMax
  }
  if (search.mode === ALL) {
    fillExactly(search, mesh, slot, nextHit(search));
    return false;
  }
  if (t === best && search.slot >= 0 && mesh.ids[slot]! > mesh.ids[search.slot]!) return false;
  search.t = t;
  search.slot = slot;
  search.exact = !sure;
  if (sure) {
    search.v = v / slope;
    search.w = w / slope;
  } else {
    search.v = exact.v;
    search.w = exact.w;
  }
  return true;
}

const range = /* @__PURE__ */ new LineRange('rayMesh', 0);

/** Does the search hit the triangle in this slot until `tMax`? By `intersectLineTriangle`, exactly. */
function pierceSlot(search: RaySearch, mesh: Mesh, slot: number, tMax: number, out: TriangleHit): boolean {
  loadTriangle(mesh, slot, triangle);
  const { a, b, c } = triangle;
  range.tMax = tMax;
  range.front = search.front;
  range.end = search.hasEnd ? search.end : null;
  return intersectLineTriangle(search, a, b, c, range, out) !== null;
}

/** Is the triangle that `pierceSlot` has found, and loaded, hit on its front? */
function isFront(search: RaySearch, { a, b, c }: Corners): boolean {
  range.tMax = Infinity;
  range.front = true;
  return intersectLineTriangle(search, a, b, c, range, front) !== null;
}

/** The record for the next of all hits. */
function nextHit(search: RaySearch): MeshHit {
  const hits = search.hits!;
  if (search.hitCount === hits.length) hits.push(makeMeshHit());
  return hits[search.hitCount++]!;
}

/** The hit on the triangle in this slot, which is known to be one. */
function fillExactly(search: RaySearch, mesh: Mesh, slot: number, out: MeshHit): void {
  pierceSlot(search, mesh, slot, Infinity, out);
  out.triangle = mesh.ids[slot]!;
}

function firstHit(mesh: Mesh, out: MeshHit | undefined): MeshHit | null {
  const slot = searchRay(own, mesh);
  return slot < 0 ? null : fillHit(own, mesh, slot, out ?? makeMeshHit());
}

/** The hit that a search has found in this slot. @internal */
export function fillHit(search: RaySearch, mesh: Mesh, slot: number, hit: MeshHit): MeshHit {
  if (search.exact) fillExactly(search, mesh, slot, hit);
  else fillSurely(search, mesh, slot, hit);
  return hit;
}

/** As `intersectLineTriangle` fills it, without asking it again. */
function fillSurely(search: RaySearch, mesh: Mesh, at: number, hit: MeshHit): void {
  loadTriangle(mesh, at, triangle);
  const { a, b, c } = triangle;
  const { x: ax, y: ay, z: az } = a;
  const abx = b.x - ax;
  const aby = b.y - ay;
  const abz = b.z - az;
  const acx = c.x - ax;
  const acy = c.y - ay;
  const acz = c.z - az;
  const nx = aby * acz - abz * acy;
  const ny = abz * acx - abx * acz;
  const nz = abx * acy - aby * acx;
  const { x: dx, y: dy, z: dz } = search.direction;
  const slope = dx * nx + dy * ny + dz * nz;
  const toUnit = (slope > 0 ? -1 : 1) / Math.sqrt(nx * nx + ny * ny + nz * nz);
  const { t, v, w } = search;
  const { point, normal } = hit;
  hit.t = t;
  hit.u = Math.max(0, 1 - v - w);
  hit.v = v;
  hit.w = w;
  point.x = ax + v * abx + w * acx;
  point.y = ay + v * aby + w * acy;
  point.z = az + v * abz + w * acz;
  normal.x = nx * toUnit + 0; // no -0
  normal.y = ny * toUnit + 0;
  normal.z = nz * toUnit + 0;
  hit.triangle = mesh.ids[at]!;
}

function allHits(mesh: Mesh, out: MeshHit[]): MeshHit[] {
  own.mode = ALL;
  own.hits = out;
  own.hitCount = 0;
  searchRay(own, mesh);
  own.hits = null;
  out.length = own.hitCount;
  return out.sort(byTime);
}

const byTime = (p: MeshHit, q: MeshHit): number => p.t - q.t || p.triangle - q.triangle;

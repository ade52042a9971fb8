/** The point of a mesh closest to a point. RTCD §5.1.5, §6.3. */
import { checkPoint, describe, mustBeNumber, mustHave, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import { copy } from '../math/vec3.ts';
import { closestOnTriangle } from '../primitives/closest/triangle.ts';
import { makeTrianglePoint, type TriangleFeature } from '../primitives/closest/types.ts';
import { isLeaf, leafEnd, leafFirst, linkAt, MAX_DEPTH } from '../trees/packed-tree.ts';
import { KERNELS, PASS } from './family-key.ts';
import { loadTriangle, type Mesh, makeCorners } from './mesh.ts';

/** A point of a mesh: u, v and w are the weights of the corners of its triangle, in the order of the index. */
export interface MeshPoint {
  point: Vec3;
  /** From the point that was asked about. */
  distance: number;
  triangle: number;
  /** The part of the triangle that the point lies on. */
  feature: TriangleFeature;
  u: number;
  v: number;
  w: number;
}

export const makeMeshPoint = (): MeshPoint => ({
  point: vec3(),
  distance: 0,
  triangle: -1,
  feature: 'a',
  u: 0,
  v: 0,
  w: 0,
});

/**
 * The point of the mesh closest to p, or null if there is none within `maxDistance`. It is as near as the nearest of
 * all triangles by `closestPointTriangle`; of triangles at the same distance, one that shares an edge or a corner
 * there, say, the one with the lowest number. About O(log n) near the surface, and more the farther away.
 */
export function closestPointMesh(
  p: ReadonlyVec3,
  mesh: Mesh,
  maxDistance = Infinity,
  out?: MeshPoint,
): MeshPoint | null {
  checkPoint('closestPointMesh', 'p', p);
  mustHave('closestPointMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeNumber('closestPointMesh', 'maxDistance', maxDistance);
  if (!(maxDistance >= 0))
    refuse('closestPointMesh', 'maxDistance', `must not be negative, got ${describe(maxDistance)}`);
  copy(p, search.point);
  search.maxDistance = maxDistance;
  const slot = searchNearest(search, mesh);
  return slot < 0 ? null : fillNearest(search, mesh, slot, out ?? makeMeshPoint());
}

/** The point of the triangle that `searchNearest` has found. @internal */
export function fillNearest(search: NearestSearch, mesh: Mesh, slot: number, to: MeshPoint): MeshPoint {
  loadTriangle(mesh, slot, triangle);
  const { a, b, c } = triangle;
  const { point, distanceSq, u, v, w, feature } = closestOnTriangle(search.point, a, b, c, precise);
  to.point.x = point.x;
  to.point.y = point.y;
  to.point.z = point.z;
  to.distance = Math.sqrt(distanceSq);
  to.triangle = mesh.ids[slot]!;
  to.feature = feature;
  to.u = u;
  to.v = v;
  to.w = w;
  return to;
}

const triangle = makeCorners();
const precise = makeTrianglePoint();

/**
 * A search for the point of a mesh nearest to a point: what is asked, and what was found. A class of doubles, so that no
 * number is boxed, and that code which reads the point sees one kind of record only.
 *
 * @internal
 */
export class NearestSearch {
  readonly point = vec3(0.5, 0.5, 0.5);
  /** Nothing farther counts. */
  maxDistance = 0.5;
  /** Found: the slot, or -1, and the squared distance. */
  slot = -1;
  distanceSq = 0.5;

  constructor() {
    this.maxDistance = Infinity;
  }
}

const search = new NearestSearch();

/** For each level of the tree the child that is still to be looked at, and its squared distance. */
const pending = new Int32Array(MAX_DEPTH + 1);
const pair = new Float64Array(2);
const pendingSq = new Float64Array(MAX_DEPTH + 1);

/** Coordinates on the grid are clamped to this: boxes end at 65535. */
const FAR = 1 << 25;
/** Distances of boxes are reduced by a few roundings: a box that is just as near must not be skipped. */
const NEARER = 1 - 5 * EPS64;
/** The rounding of the squared distance of a triangle below, relative to that of its corner a. */
const ROUNDING = 64 * EPS64;
/** Triangles with sin² of the angle at a below this are handed on, as in `closestOnTriangle`. */
const NEEDLE = 1 / 64;

/** Another way to search a mesh, with the same answers. @internal */
export interface NearestKernel {
  /** As `searchNearest`; `PASS` for a point that it leaves to the kernel here. */
  searchNearest(search: NearestSearch, mesh: Mesh): number;
}

/** The slot of the triangle nearest to the point that is searched from, or -1. @internal */
export function searchNearest(search: NearestSearch, mesh: Mesh): number {
  const kernel = mesh[KERNELS] as NearestKernel | null;
  if (kernel) {
    const slot = kernel.searchNearest(search, mesh);
    if (slot !== PASS) return slot;
  }
  return searchNearestAlone(search, mesh);
}

/**
 * As `searchNearest`.
 *
 * Boxes: distances on the grid, in whole numbers, rounded to be too small; a sum of masked differences instead of a
 * maximum spares the branches. Triangles: the squared distance from the regions of `closestOnTriangle`, good to some
 * roundings; only those that may be the nearest are measured by `closestOnTriangle` itself, and by that they compete.
 */
function searchNearestAlone(search: NearestSearch, mesh: Mesh): number {
  const { point } = search;
  const maxDistance = mesh.live === null ? search.maxDistance : mesh.live.nearest(point, search.maxDistance);
  const { x: px, y: py, z: pz } = point;
  const { vertices, corners } = mesh;
  const { bounds, links, grid } = mesh.tree;
  const gridX = (px - grid[0]!) / grid[3]!;
  const gridY = (py - grid[1]!) / grid[4]!;
  const gridZ = (pz - grid[2]!) / grid[5]!;
  // Boxes are padded by 1/32 of a step, so that a rounding here is nothing.
  const lowX = Math.floor(Math.max(-FAR, Math.min(FAR, gridX))) | 0;
  const lowY = Math.floor(Math.max(-FAR, Math.min(FAR, gridY))) | 0;
  const lowZ = Math.floor(Math.max(-FAR, Math.min(FAR, gridZ))) | 0;
  const highX = (lowX + 1) | 0;
  const highY = (lowY + 1) | 0;
  const highZ = (lowZ + 1) | 0;
  const stepX = grid[3]! * NEARER;
  const stepY = grid[4]! * NEARER;
  const stepZ = grid[5]! * NEARER;

  let best = maxDistance * maxDistance;
  search.distanceSq = best;
  search.slot = -1;
  let top = 0;
  let link = 0;
  for (;;) {
    if (!isLeaf(link)) {
      let d = (bounds[link]! - highX) | 0;
      let e = (lowX - bounds[link + 3]!) | 0;
      const x0 = ((d & ~(d >> 31)) + (e & ~(e >> 31))) * stepX;
      d = (bounds[link + 1]! - highY) | 0;
      e = (lowY - bounds[link + 4]!) | 0;
      const y0 = ((d & ~(d >> 31)) + (e & ~(e >> 31))) * stepY;
      d = (bounds[link + 2]! - highZ) | 0;
      e = (lowZ - bounds[link + 5]!) | 0;
      const z0 = ((d & ~(d >> 31)) + (e & ~(e >> 31))) * stepZ;
      d = (bounds[link + 6]! - highX) | 0;
      e = (lowX - bounds[link + 9]!) | 0;
      const x1 = ((d & ~(d >> 31)) + (e & ~(e >> 31))) * stepX;
      d = (bounds[link + 7]! - highY) | 0;
      e = (lowY - bounds[link + 10]!) | 0;
      const y1 = ((d & ~(d >> 31)) + (e & ~(e >> 31))) * stepY;
      d = (bounds[link + 8]! - highZ) | 0;
      e = (lowZ - bounds[link + 11]!) | 0;
      const z1 = ((d & ~(d >> 31)) + (e & ~(e >> 31))) * stepZ;
      const sq0 = x0 * x0 + y0 * y0 + z0 * z0;
      const sq1 = x1 * x1 + y1 * y1 + z1 * z1;
      const first = links[linkAt(link, 0)]!;
      const second = links[linkAt(link, 1)]!;
      pair[0] = sq0;
      pair[1] = sq1;
      const near0 = +(sq0 <= best);
      const near1 = +(sq1 <= best);
      const swap = -(sq0 <= sq1);
      const other = (first ^ second) & swap;
      pendingSq[top] = pair[-swap]!;
      pending[top] = first ^ other;
      top += near0 & near1;
      if (near0 | near1) {
        link = second ^ other;
        continue;
      }
    } else {
      const stop = 3 * leafEnd(link);
      for (let k = 3 * leafFirst(link); k < stop; k += 3) {
        const ka = 3 * corners[k]!;
        const kb = 3 * corners[k + 1]!;
        const kc = 3 * corners[k + 2]!;
        const ax = vertices[ka]!;
        const ay = vertices[ka + 1]!;
        const az = vertices[ka + 2]!;
        const abx = vertices[kb]! - ax;
        const aby = vertices[kb + 1]! - ay;
        const abz = vertices[kb + 2]! - az;
        const acx = vertices[kc]! - ax;
        const acy = vertices[kc + 1]! - ay;
        const acz = vertices[kc + 2]! - az;
        const apx = px - ax;
        const apy = py - ay;
        const apz = pz - az;
        const pb = apx * abx + apy * aby + apz * abz;
        const pc = apx * acx + apy * acy + apz * acz;
        const pp = apx * apx + apy * apy + apz * apz;
        const bb = abx * abx + aby * aby + abz * abz;
        const cc = acx * acx + acy * acy + acz * acz;
        const limit = best + ROUNDING * (pp + bb + cc);
        if (pb <= 0 && pc <= 0) {
          if (pp > limit) continue;
        } else {
          const bc = abx * acx + aby * acy + abz * acz;
          const det = bb * cc - bc * bc;
          if (det > NEEDLE * (bb * cc)) {
            const pastB = pb - bb;
            const pastC = pc - cc;
            const outB = pc - bc - pastB;
            const outC = pb - bc - pastC;
            const vDet = cc * pb - bc * pc;
            const wDet = bb * pc - bc * pb;
            let sq = pp;
            if (pastB >= 0 && outB <= 0) sq += bb - 2 * pb;
            else if (pastC >= 0 && outC <= 0) sq += cc - 2 * pc;
            else if (wDet <= 0 && pb > 0 && pastB < 0) sq -= (pb * pb) / bb;
            else if (vDet <= 0 && pc > 0 && pastC < 0) sq -= (pc * pc) / cc;
            else if (vDet + wDet >= det && outB > 0 && outC > 0)
              sq += bb - 2 * pb - (outB * outB) / (outB + outC);
            else sq -= (vDet * pb + wDet * pc) / det;
            if (sq > limit) continue;
          }
        }
        considerTriangle(search, mesh, (k / 3) | 0);
        best = search.distanceSq;
      }
    }
    do {
      if (top === 0) return search.slot;
      top--;
    } while (!(pendingSq[top]! <= best));
    link = pending[top]!;
  }
}

/**
 * Takes the triangle in this slot as the nearest if it is. What is asked of few triangles is a function of its own: see
 * `BoxTreePair` for what V8 makes of loops with rare parts.
 *
 * @internal
 */
export function considerTriangle(search: NearestSearch, mesh: Mesh, slot: number): void {
  loadTriangle(mesh, slot, triangle);
  const { a, b, c } = triangle;
  const { distanceSq } = closestOnTriangle(search.point, a, b, c, precise);
  const { slot: found, distanceSq: best } = search;
  if (distanceSq < best || (distanceSq === best && !(found >= 0 && mesh.ids[found]! < mesh.ids[slot]!))) {
    search.distanceSq = distanceSq;
    search.slot = slot;
  }
}

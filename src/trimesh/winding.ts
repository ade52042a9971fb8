/**
 * Generalized winding numbers: how much of the sphere around a point a mesh covers, back sides seen as 1 and front
 * sides as -1. Jacobson et al. 2013; far parts of the mesh as their first moments, after Barill et al. 2018.
 */
import { checkPoint, describe, mustBeNumber, mustHave, refuse } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { MAX_DEPTH } from '../trees/packed-tree.ts';
import { addAngle, beginAngles, turnsOfAngles, unitFor } from './angle-sum.ts';
import { boundaryOf } from './boundary.ts';
import { windingByRay } from './crossings.ts';
import { loadTriangle, type Mesh, makeCorners } from './mesh.ts';

/**
 * How often does the mesh wind around p, counter-clockwise triangles facing out? For a closed mesh this is a whole
 * number, exactly: 0 outside, 1 inside, 2 in what two nested or overlapping parts have in common, 0 in a cavity whose
 * walls face inwards, -1 in a mesh turned inside out. (Vertices in the same place count as one.) For one with holes it is
 * a fraction that tells how much p is surrounded, right to rounding. On the surface the number jumps, and what comes back
 * is between those on both sides.
 *
 * A mesh with thousands of edges on its boundary, such as a soup of single triangles, would take long: there the number
 * may be off by as much as `tolerance` (as a rule by a fiftieth of that). With a tolerance of 0 it is right to rounding.
 *
 * About O(log n + edges of the boundary); O(n log n) for the first question about a mesh.
 */
export function windingNumberMesh(p: ReadonlyVec3, mesh: Mesh, tolerance = 0.05): number {
  checkPoint('windingNumberMesh', 'p', p);
  mustHave('windingNumberMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeNumber('windingNumberMesh', 'tolerance', tolerance);
  if (!(tolerance >= 0 && tolerance < Infinity))
    refuse('windingNumberMesh', 'tolerance', `must be finite and not negative, got ${describe(tolerance)}`);
  const boundary = boundaryOf(mesh);
  return boundary.length <= MANY ? windingByRay(p, mesh, boundary) : solidAngle(p, mesh, tolerance);
}

/** Is the winding number around p greater than a half? @internal */
export function isSurrounded(p: ReadonlyVec3, mesh: Mesh): boolean {
  const boundary = boundaryOf(mesh);
  if (boundary.length <= MANY) return windingByRay(p, mesh, boundary) > 0.5;
  for (let tolerance = 0.2; tolerance > 0.01; tolerance *= 0.2) {
    const number = solidAngle(p, mesh, tolerance) - 0.5;
    if (Math.abs(number) > tolerance) return number > 0;
  }
  return solidAngle(p, mesh, 0) > 0.5;
}

/** The length of a boundary from which on moments are quicker than curtains: 6 numbers an edge. */
const MANY = 6 * 8192;

const pending = new Int32Array(MAX_DEPTH + 2);
const corners = makeCorners();

/** The point; what brings distances to 1 or less; the sum over far parts, a bound on its error, the limit for one part. */
const sum = { x: 0.5, y: 0.5, z: 0.5, scale: 0.5, far: 0.5, error: 0.5, limit: 0.5 };

/** Parts in far mode, about: an error is divided among so many. */
const PARTS = 256;

/**
 * In units of the whole sphere, for closed meshes too. Each part is replaced by its moments if that is off by no more
 * than its share. There may be more parts than expected: then it is done again with smaller shares.
 *
 * @internal
 */
export function solidAngle(p: ReadonlyVec3, mesh: Mesh, tolerance: number): number {
  sum.x = p.x;
  sum.y = p.y;
  sum.z = p.z;
  sum.scale = unitFor(p, mesh);
  const moments = tolerance > 0 ? momentsOf(mesh) : NO_MOMENTS;
  for (sum.limit = tolerance / PARTS; ; sum.limit *= 0.25) {
    addUp(mesh, moments);
    if (sum.error <= tolerance) break;
  }
  return sum.far + turnsOfAngles();
}
const NO_MOMENTS = new Float64Array(0);

function addUp(mesh: Mesh, moments: Float64Array): void {
  const { links } = mesh.tree;
  sum.far = 0;
  sum.error = 0;
  beginAngles();
  pending[0] = 0;
  let top = 1;
  while (top > 0) {
    const node = pending[--top]!;
    if (moments.length > 0 && addPart(moments, (node >> 4) * MOMENTS)) continue;
    for (let side = 0; side < 2; side++) {
      const link = links[(node >> 1) + 6 + side]!;
      if (link >= 0) pending[top++] = link;
      else for (let i = ~link >> 4, end = i + (~link & 15); i < end; i++) addTriangle(mesh, i);
    }
  }
}

const ONE_SPHERE = 0.07957747154594767; // 1 / 4π
/** Squared distances whose powers are finite and not 0. Beyond, triangles are added up one by one. */
const TINY = 1e-80;
const HUGE = 1e80;

/**
 * Adds a part by its moments, if it is far enough away.
 *
 * With r from p to the centre c of the part, the solid angle is the integral of ∇(1/|r + h|) · n over the h of the
 * part. Expanded in solid harmonics of h, term l is no greater than l |h|^(l-1) / |r|^(l+1) (Szegő 1928 on the gradient
 * of a Legendre polynomial). The first two are added here; with ρ = R / |r|, all others add up to
 * (3 ρ² - 2 ρ³) / (1 - ρ)² / |r|², for each unit of area.
 */
function addPart(moments: Float64Array, at: number): boolean {
  const x = moments[at]! - sum.x;
  const y = moments[at + 1]! - sum.y;
  const z = moments[at + 2]! - sum.z;
  const radiusSq = moments[at + 3]!;
  const rr = x * x + y * y + z * z;
  if (!(rr > 2 * radiusSq && rr > TINY && rr < HUGE)) return false;
  const ratioSq = radiusSq / rr;
  const ratio = Math.sqrt(ratioSq);
  const rest = 1 - ratio;
  const error = (ONE_SPHERE * moments[at + 4]! * ratioSq * (3 - 2 * ratio)) / (rest * rest * rr);
  if (!(error <= sum.limit)) return false;
  const dipole = moments[at + 5]! * x + moments[at + 6]! * y + moments[at + 7]! * z;
  const quadrupole =
    moments[at + 8]! * x * x +
    moments[at + 9]! * y * y +
    moments[at + 10]! * z * z +
    moments[at + 11]! * x * y +
    moments[at + 12]! * y * z +
    moments[at + 13]! * z * x;
  sum.far += (ONE_SPHERE * (dipole + moments[at + 14]! - (3 * quadrupole) / rr)) / (rr * Math.sqrt(rr));
  sum.error += error;
  return true;
}

/**
 * Adds a triangle: half its solid angle is the angle of re + i im (Van Oosterom and Strackee 1983).
 */
function addTriangle(mesh: Mesh, i: number): void {
  loadTriangle(mesh, i, corners);
  const { x: px, y: py, z: pz, scale } = sum;
  const { a, b, c } = corners;
  const ax = (a.x - px) * scale;
  const ay = (a.y - py) * scale;
  const az = (a.z - pz) * scale;
  const bx = (b.x - px) * scale;
  const by = (b.y - py) * scale;
  const bz = (b.z - pz) * scale;
  const cx = (c.x - px) * scale;
  const cy = (c.y - py) * scale;
  const cz = (c.z - pz) * scale;
  const im = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  // In the plane of the triangle its solid angle is 0; on it, the mean of those on both sides is.
  if (im === 0) return;
  const la = Math.sqrt(ax * ax + ay * ay + az * az);
  const lb = Math.sqrt(bx * bx + by * by + bz * bz);
  const lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const re =
    la * lb * lc +
    (ax * bx + ay * by + az * bz) * lc +
    (bx * cx + by * cy + bz * cz) * la +
    (cx * ax + cy * ay + cz * az) * lb;
  addAngle(re, im);
}

/** The parts of a mesh as seen from far away. */

/**
 * Numbers for each node of the tree: centre c and squared radius of a ball around it; its area; the integral over its
 * triangles of the normal n (3); that of (x - c) nᵀ, made symmetric: xx, yy, zz, and twice xy, yz and zx; its trace.
 *
 * @internal
 */
export const MOMENTS = 15;

const known = new WeakMap<Mesh, Float64Array>();

/** @internal */
export const momentsOf = (mesh: Mesh): Float64Array => known.get(mesh) ?? findMoments(mesh);

const momentCorners = makeCorners();

/** From the last node to the first: children come after their parents. */
function findMoments(mesh: Mesh): Float64Array {
  const { nodeCount, links } = mesh.tree;
  const moments = new Float64Array(nodeCount * MOMENTS);
  for (let node = nodeCount - 1; node >= 0; node--) {
    const at = node * MOMENTS;
    setBall(mesh, node, moments, at);
    for (let side = 0; side < 2; side++) {
      const link = links[node * 8 + 6 + side]!;
      if (link >= 0) addChild(moments, at, (link / 16) * MOMENTS);
      else
        for (let i = ~link >> 4, end = i + (~link & 15); i < end; i++)
          addTriangleMoments(mesh, i, moments, at);
    }
    moments[at + 14] = moments[at + 8]! + moments[at + 9]! + moments[at + 10]!;
  }
  known.set(mesh, moments);
  return moments;
}

/** The ball around the box around both children. */
function setBall({ tree }: Mesh, node: number, moments: Float64Array, at: number): void {
  const { bounds, links, grid } = tree;
  let radiusSq = 0;
  for (let k = 0; k < 3; k++) {
    let low = 65535;
    let high = 0;
    for (let side = 0; side < 2; side++) {
      if (links[node * 8 + 6 + side]! < 0 && (~links[node * 8 + 6 + side]! & 15) === 0) continue;
      low = Math.min(low, bounds[node * 16 + 6 * side + k]!);
      high = Math.max(high, bounds[node * 16 + 6 * side + 3 + k]!);
    }
    moments[at + k] = grid[k]! + 0.5 * (low + high) * grid[k + 3]!;
    const half = 0.5 * (high - low) * grid[k + 3]!;
    radiusSq += half * half;
  }
  moments[at + 3] = radiusSq;
}

function addChild(moments: Float64Array, at: number, child: number): void {
  moments[at + 4]! += moments[child + 4]!;
  for (let k = 8; k < 14; k++) moments[at + k]! += moments[child + k]!;
  const shift = [0, 1, 2].map((k) => moments[child + k]! - moments[at + k]!) as [number, number, number];
  const normal = [5, 6, 7].map((k) => moments[child + k]!) as [number, number, number];
  addVector(moments, at, shift, normal);
}

function addTriangleMoments(mesh: Mesh, i: number, moments: Float64Array, at: number): void {
  loadTriangle(mesh, i, momentCorners);
  const { a, b, c } = momentCorners;
  const ux = b.x - a.x;
  const uy = b.y - a.y;
  const uz = b.z - a.z;
  const vx = c.x - a.x;
  const vy = c.y - a.y;
  const vz = c.z - a.z;
  const nx = 0.5 * (uy * vz - uz * vy);
  const ny = 0.5 * (uz * vx - ux * vz);
  const nz = 0.5 * (ux * vy - uy * vx);
  moments[at + 4]! += Math.sqrt(nx * nx + ny * ny + nz * nz);
  // From the centre of the part to that of the triangle.
  const x = a.x - moments[at]! + (ux + vx) / 3;
  const y = a.y - moments[at + 1]! + (uy + vy) / 3;
  const z = a.z - moments[at + 2]! + (uz + vz) / 3;
  addVector(moments, at, [x, y, z], [nx, ny, nz]);
}

type Triple = readonly [number, number, number];

/** A normal with an area, at a place seen from the centre. */
function addVector(moments: Float64Array, at: number, [x, y, z]: Triple, [nx, ny, nz]: Triple): void {
  moments[at + 5]! += nx;
  moments[at + 6]! += ny;
  moments[at + 7]! += nz;
  moments[at + 8]! += x * nx;
  moments[at + 9]! += y * ny;
  moments[at + 10]! += z * nz;
  moments[at + 11]! += x * ny + y * nx;
  moments[at + 12]! += y * nz + z * ny;
  moments[at + 13]! += z * nx + x * nz;
}

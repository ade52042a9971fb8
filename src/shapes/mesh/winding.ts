/**
 * Generalized winding numbers: how much of the sphere around a point a mesh covers, back sides seen as 1 and front
 * sides as -1. Jacobson et al. 2013; far parts of the mesh as their first moments, after Barill et al. 2018.
 */
import { checkPoint, describe, mustBeNumber, mustHave, refuse } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { MAX_DEPTH } from '../../trees/packed-tree.ts';
import { addAngle, beginAngles, turnsOfAngles, unitFor } from './angle-sum.ts';
import { boundaryOf } from './boundary.ts';
import { loadTriangle, makeCorners } from './corners.ts';
import { windingByRay } from './crossings.ts';
import type { Mesh } from './mesh.ts';
import { MOMENTS, momentsOf } from './winding-moments.ts';

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

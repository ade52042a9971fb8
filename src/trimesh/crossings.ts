/**
 * How often does a mesh wind around a point? For a closed one that is the signed number of triangles that a ray from
 * the point goes through on its way out, which is exact because all signs are. RTCD §5.4.3.
 *
 * One with a boundary is closed by curtains: from each edge of the boundary a strip to infinity, against the direction
 * of the ray, which thus meets none. What the curtains cover of the sphere around the point has a closed form, and is
 * taken off again. So the price of a hole is its rim.
 */
import { type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import { isOnTriangle, side } from '../primitives/overlap/side.ts';
import { MAX_DEPTH, type PackedTree } from '../trees/packed-tree.ts';
import { addAngle, beginAngles, turnsOfAngles, unitFor } from './angle-sum.ts';
import { loadTriangle, type Mesh, makeCorners } from './mesh.ts';

// Points with their coordinates turned round, so that the ray runs along ±z.
const p = vec3();
/** Some point straight over p. */
const over = vec3();
const a = vec3();
const b = vec3();
const c = vec3();
const corners = makeCorners();
const pending = new Int32Array(MAX_DEPTH + 2);
/** Box of the ray, or of the point, in steps of the grid: what is below low or above high by a step is not met. */
const low = new Int32Array(3);
const high = new Int32Array(3);

/** The axis of the ray, and whether it runs up or down. */
let axis = 2;
let up = true;

/** Is the point on a triangle, exactly? @internal */
export function isOnSurface(point: ReadonlyVec3, mesh: Mesh): boolean {
  if (isBeyond(point, mesh)) return false;
  axis = 2;
  turn(point, p);
  const { tree } = mesh;
  setBox(point, tree, false);
  for (let top = start(); top > 0; ) {
    const node = pending[--top]!;
    for (let child = 0; child < 2; child++) {
      if (isMissed(tree, node + 6 * child)) continue;
      const link = tree.links[(node >> 1) + 6 + child]!;
      if (link >= 0) pending[top++] = link;
      else for (let i = ~link >> 4, end = i + (~link & 15); i < end; i++) if (isOn(mesh, i)) return true;
    }
  }
  return false;
}

/**
 * The winding number of a mesh with the given boundary around a point that is not on it. (Around one that is, the
 * number next to it in the direction of the ray.) Exact if there is no boundary, else to rounding.
 *
 * The ray runs along an axis, the shortest way out of the bounds. Where it strikes an edge or a vertex it is taken as
 * moved aside by (δ, δ²) with an infinitely small δ > 0: then it strikes none, and neighbours agree on which of them it
 * goes through.
 *
 * @internal
 */
export function windingByRay(point: ReadonlyVec3, mesh: Mesh, boundary: Float64Array): number {
  aim(point, mesh);
  turn(point, p);
  over.x = p.x;
  over.y = p.y;
  over.z = p.z + (1 + Math.abs(p.z));
  const through = isBeyond(point, mesh) ? 0 : crossings(point, mesh);
  if (boundary.length === 0) return through;
  unit.length = unitFor(point, mesh);
  return through + curtains(boundary);
}

function crossings(point: ReadonlyVec3, mesh: Mesh): number {
  const { tree } = mesh;
  setBox(point, tree, true);
  let sum = 0;
  for (let top = start(); top > 0; ) {
    const node = pending[--top]!;
    for (let child = 0; child < 2; child++) {
      if (isMissed(tree, node + 6 * child)) continue;
      const link = tree.links[(node >> 1) + 6 + child]!;
      if (link >= 0) pending[top++] = link;
      else for (let i = ~link >> 4, end = i + (~link & 15); i < end; i++) sum += crossing(mesh, i);
    }
  }
  return sum;
}

function isBeyond({ x, y, z }: ReadonlyVec3, { bounds }: Mesh): boolean {
  const { min, max } = bounds;
  return x < min.x || y < min.y || z < min.z || x > max.x || y > max.y || z > max.z;
}

/** Chooses the direction with the shortest way out of the bounds. */
function aim({ x, y, z }: ReadonlyVec3, { bounds }: Mesh): void {
  const { min, max } = bounds;
  const dx = Math.min(x - min.x, max.x - x);
  const dy = Math.min(y - min.y, max.y - y);
  const dz = Math.min(z - min.z, max.z - z);
  if (dx < dy && dx < dz) {
    axis = 0;
    up = max.x - x === dx;
  } else if (dy < dz) {
    axis = 1;
    up = max.y - y === dy;
  } else {
    axis = 2;
    up = max.z - z === dz;
  }
}

function setBox(point: ReadonlyVec3, { grid }: PackedTree, ray: boolean): void {
  // Boxes are larger than their triangles by 1/32 of a step, so the rounding of these quotients does not matter.
  low[0] = high[0] = Math.floor((point.x - grid[0]!) / grid[3]!);
  low[1] = high[1] = Math.floor((point.y - grid[1]!) / grid[4]!);
  low[2] = high[2] = Math.floor((point.z - grid[2]!) / grid[5]!);
  for (let k = 0; k < 3; k++) high[k]!++;
  if (!ray) return;
  if (up) high[axis] = 65536;
  else low[axis] = -1;
}

function start(): number {
  pending[0] = 0;
  return 1;
}

/** Six comparisons in the sign of one number. */
function isMissed({ bounds }: PackedTree, at: number): boolean {
  const gap =
    (high[0]! - bounds[at]!) |
    (high[1]! - bounds[at + 1]!) |
    (high[2]! - bounds[at + 2]!) |
    (bounds[at + 3]! - low[0]!) |
    (bounds[at + 4]! - low[1]!) |
    (bounds[at + 5]! - low[2]!);
  return gap < 0;
}

/** Turned round, so that the axis becomes z: that mirrors nothing. */
function turn({ x, y, z }: ReadonlyVec3, out: Vec3): void {
  out.x = axis === 2 ? x : axis === 0 ? y : z;
  out.y = axis === 2 ? y : axis === 0 ? z : x;
  out.z = axis === 2 ? z : axis === 0 ? x : y;
}

function load(mesh: Mesh, i: number): void {
  loadTriangle(mesh, i, corners);
  turn(corners.a, a);
  turn(corners.b, b);
  turn(corners.c, c);
}

/** Is p outside of the box around the triangle as seen along the ray? */
const isAside = (): boolean =>
  (a.x < p.x && b.x < p.x && c.x < p.x) ||
  (a.x > p.x && b.x > p.x && c.x > p.x) ||
  (a.y < p.y && b.y < p.y && c.y < p.y) ||
  (a.y > p.y && b.y > p.y && c.y > p.y);

const isBelow = (): boolean => a.z < p.z && b.z < p.z && c.z < p.z;
const isAbove = (): boolean => a.z > p.z && b.z > p.z && c.z > p.z;

function isOn(mesh: Mesh, i: number): boolean {
  load(mesh, i);
  return !(isAside() || isBelow() || isAbove()) && isOnTriangle(p, a, b, c);
}

/** 1 when the ray goes through triangle i from its back, -1 from its front, 0 when it does not. */
function crossing(mesh: Mesh, i: number): number {
  load(mesh, i);
  if (isAside() || (up ? isBelow() : isAbove())) return 0;
  // 1 when p is in the triangle, seen from above, and the corners are counter-clockwise; -1 when they are clockwise.
  const turns = edgeCrossing(a, b) + edgeCrossing(b, c) + edgeCrossing(c, a);
  if (turns === 0) return 0;
  const height = side(a, b, c, p) * turns; // > 0 when p is above
  return up ? (height < 0 ? turns : 0) : height > 0 ? -turns : 0;
}

const from = vec3();
const to = vec3();
/** What brings distances to about 1 or less; in a record, lest it be boxed. */
const unit = { length: 0.5 };
/** In place of 0 where the sign is known. */
const NEXT_TO_NOTHING = 1e-200;

/** What the curtains cover, as seen from p, in units of the sphere. */
function curtains(boundary: Float64Array): number {
  beginAngles();
  for (let i = 0; i < boundary.length; i += 6) {
    corners.a.x = boundary[i]!;
    corners.a.y = boundary[i + 1]!;
    corners.a.z = boundary[i + 2]!;
    corners.b.x = boundary[i + 3]!;
    corners.b.y = boundary[i + 4]!;
    corners.b.z = boundary[i + 5]!;
    turn(corners.a, from);
    turn(corners.b, to);
    addCurtain();
  }
  return turnsOfAngles();
}

/**
 * Half the solid angle of the triangle of from, to and the end of the curtain: the limit of the formula of Van Oosterom
 * and Strackee (1983) as that corner goes to infinity. Where p is on the curtain the sign decides: it is that of p moved
 * by (δ, δ²), as for the ray. And where p is on the side of a curtain, seen from the moved p that side is an arc of 180°,
 * and the formula becomes its term in δ.
 */
function addCurtain(): void {
  const turned = -side(from, to, over, p);
  const left = turned !== 0 ? turned : from.y !== to.y ? from.y - to.y : to.x - from.x;
  if (left === 0) return; // a curtain without width
  const scale = up ? -unit.length : unit.length; // along the curtain is up
  const ux = (from.x - p.x) * unit.length;
  const uy = (from.y - p.y) * unit.length;
  const uz = (from.z - p.z) * scale;
  const vx = (to.x - p.x) * unit.length;
  const vy = (to.y - p.y) * unit.length;
  const vz = (to.z - p.z) * scale;
  let re: number;
  let im: number;
  if (ux === 0 && uy === 0 && uz < 0) {
    re = -vx;
    im = vy;
  } else if (vx === 0 && vy === 0 && vz < 0) {
    re = -ux;
    im = uy;
  } else {
    const u = Math.sqrt(ux * ux + uy * uy + uz * uz);
    const v = Math.sqrt(vx * vx + vy * vy + vz * vz);
    re = u * v + (ux * vx + uy * vy + uz * vz) + vz * u + uz * v;
    im = ux * vy - uy * vx;
  }
  im = Math.max(Math.abs(im), NEXT_TO_NOTHING);
  addAngle(re, left > 0 === up ? -im : im);
}

/** Seen from above: does a ray along +x from p, moved by (δ, δ²), cross the edge from u to v, upwards (1) or down? */
function edgeCrossing(u: ReadonlyVec3, v: ReadonlyVec3): number {
  const rises = v.y > p.y;
  if (u.y > p.y === rises) return 0;
  const turned = -side(u, v, over, p); // > 0 when p is left of the edge
  return rises ? (turned > 0 ? 1 : 0) : turned < 0 ? -1 : 0;
}

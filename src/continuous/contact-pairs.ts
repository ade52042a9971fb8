/** Pairs of features that stand still: are they within the margin, and locally the nearest? As in translate-pairs.ts. */
import { EDGE, POLYGON, VERTEX } from './job.ts';
import type { PolyhedralModel, VertexRing } from './types.ts';
import { CONVEX_EDGE } from './types.ts';

/** @internal */
export interface Side {
  model: PolyhedralModel;
  ring: VertexRing;
  points: Float64Array;
  planes: Float64Array;
}

/**
 * How near, how exact, and whether solids may be in each other; the features, the point on the first, the direction from the second to the first. The gap is negative
 * where solids are in each other. @internal
 */
export const touch = {
  margin: 0.5,
  tau: 0.5,
  overlaps: true,
  kindA: 0,
  featureA: 0,
  kindB: 0,
  featureB: 0,
  x: 0.5,
  y: 0.5,
  z: 0.5,
  nx: 0.5,
  ny: 0.5,
  nz: 0.5,
  gap: 0.5,
};

function set(kindA: number, featureA: number, kindB: number, featureB: number): void {
  touch.kindA = kindA;
  touch.featureA = featureA;
  touch.kindB = kindB;
  touch.featureB = featureB;
}

/** No neighbour of vertex v is nearer in direction -n, which is known to some angle? */
function leads(a: Side, v: number, nx: number, ny: number, nz: number, angle: number): boolean {
  const { points: p, ring } = a;
  for (let k = ring.start[v]!, end = ring.start[v + 1]!; k < end; k++) {
    const w = 3 * ring.ring[k]!;
    const rx = p[w]! - p[3 * v]!;
    const ry = p[w + 1]! - p[3 * v + 1]!;
    const rz = p[w + 2]! - p[3 * v + 2]!;
    // Within the margin of it is near enough: a face that lies flat but for rounding tells all its corners.
    const ease = touch.margin + 8 * touch.tau + angle * (Math.abs(rx) + Math.abs(ry) + Math.abs(rz));
    if (!(nx * rx + ny * ry + nz * rz >= -ease)) return false;
  }
  return true;
}

/** Of the margin: how much less than the distance the height of a vertex beside a polygon may be. */
const SAME_GAP = 1 / 64;

/**
 * How far beside a polygon a vertex may be at a height above it, to count as over it: its distance is then the height but for
 * a little. Aligned edges would else give slanted normals as soon as they are off by rounding.
 *
 *        v        beside² + height² = distance²
 *       /|        distance ≤ height + SAME_GAP × margin
 *      / | height
 *   ──┘..'
 */
function besideAt(height: number): number {
  const more = SAME_GAP * touch.margin + touch.tau;
  return Math.sqrt(more * (2 * height + more));
}

/** @internal */
export function offerVertexPolygon(a: Side, v: number, b: Side, f: number): boolean {
  const { planes, points: q, model } = b;
  const { tau, margin } = touch;
  const nx = planes[4 * f]!;
  const ny = planes[4 * f + 1]!;
  const nz = planes[4 * f + 2]!;
  const x = a.points[3 * v]!;
  const y = a.points[3 * v + 1]!;
  const z = a.points[3 * v + 2]!;
  const height = nx * x + ny * y + nz * z - planes[4 * f + 3]!;
  const front = model.sides === 'front';
  if (!(Math.abs(height) <= margin + tau)) return false;
  // Behind the polygons of a solid is in it. Behind those of a sheet that is touched from the front is nowhere.
  const sunk = front && height < -tau;
  if (sunk && !(model.closed && touch.overlaps)) return false;
  // In it, what is beside the polygon is behind another one.
  const beyond = sunk ? 0 : besideAt(Math.abs(height));
  const first = model.polygonStart[f]!;
  const last = model.polygonStart[f + 1]!;
  let isBeside = false;
  let leastSq = Infinity;
  for (let k = first; k < last; k++) {
    const i = 3 * model.polygonVertices[k]!;
    const j = 3 * model.polygonVertices[k + 1 < last ? k + 1 : first]!;
    const ux = q[j]! - q[i]!;
    const uy = q[j + 1]! - q[i + 1]!;
    const uz = q[j + 2]! - q[i + 2]!;
    const wx = x - q[i]!;
    const wy = y - q[i + 1]!;
    const wz = z - q[i + 2]!;
    const lengthSq = ux * ux + uy * uy + uz * uz;
    const inside = wx * (ny * uz - nz * uy) + wy * (nz * ux - nx * uz) + wz * (nx * uy - ny * ux);
    if (!(inside >= -beyond * Math.sqrt(lengthSq))) return false;
    if (inside < 0) isBeside = true;
    const along = Math.max(0, Math.min(1, (wx * ux + wy * uy + wz * uz) / lengthSq));
    const ox = wx - along * ux;
    const oy = wy - along * uy;
    const oz = wz - along * uz;
    leastSq = Math.min(leastSq, ox * ox + oy * oy + oz * oz);
  }
  // Beside a sharp corner it is farther away than beside either of its sides.
  if (isBeside && leastSq > height * height + beyond * beyond) return false;
  // In the plane of a sheet, the side is that of the rest of the body.
  let turn = front || height >= 0 ? 1 : -1;
  if (!leads(a, v, turn * nx, turn * ny, turn * nz, 0)) {
    if (front || Math.abs(height) > tau) return false;
    turn = -turn;
    if (!leads(a, v, turn * nx, turn * ny, turn * nz, 0)) return false;
  }
  set(VERTEX, v, POLYGON, f);
  touch.x = x;
  touch.y = y;
  touch.z = z;
  touch.nx = turn * nx;
  touch.ny = turn * ny;
  touch.nz = turn * nz;
  touch.gap = turn * height;
  return true;
}

const line = { x: 0.5, y: 0.5, z: 0.5, ux: 0.5, uy: 0.5, uz: 0.5, length: 0.5 };
const other = { x: 0.5, y: 0.5, z: 0.5, ux: 0.5, uy: 0.5, uz: 0.5, length: 0.5 };

function load({ model, points: q }: Side, edge: number, into: typeof line): void {
  const i = 3 * model.edges[2 * edge]!;
  const j = 3 * model.edges[2 * edge + 1]!;
  const ux = q[j]! - q[i]!;
  const uy = q[j + 1]! - q[i + 1]!;
  const uz = q[j + 2]! - q[i + 2]!;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  into.x = q[i]!;
  into.y = q[i + 1]!;
  into.z = q[i + 2]!;
  into.ux = ux / length;
  into.uy = uy / length;
  into.uz = uz / length;
  into.length = length;
}

/** Is an offset out of an edge not over its polygons? By more than `ease`, which may be negative. */
function beside(
  b: Side,
  edge: number,
  u: typeof line,
  wx: number,
  wy: number,
  wz: number,
  ease: number,
): boolean {
  const { model, planes } = b;
  for (let side = 0; side < 2; side++) {
    const f = model.edgePolygons[2 * edge + side]!;
    if (f < 0) continue;
    const nx = planes[4 * f]!;
    const ny = planes[4 * f + 1]!;
    const nz = planes[4 * f + 2]!;
    const into = wx * (ny * u.uz - nz * u.uy) + wy * (nz * u.ux - nx * u.uz) + wz * (nx * u.uy - ny * u.ux);
    if (!((side === 0 ? into : -into) <= ease)) return false;
  }
  return true;
}

/** @internal */
export function offerVertexEdge(a: Side, v: number, b: Side, edge: number): boolean {
  const { tau, margin } = touch;
  load(b, edge, line);
  const { ux, uy, uz } = line;
  const x = a.points[3 * v]!;
  const y = a.points[3 * v + 1]!;
  const z = a.points[3 * v + 2]!;
  const wx = x - line.x;
  const wy = y - line.y;
  const wz = z - line.z;
  const along = wx * ux + wy * uy + wz * uz;
  if (!(along >= -tau && along <= line.length + tau)) return false;
  const ox = wx - along * ux;
  const oy = wy - along * uy;
  const oz = wz - along * uz;
  const gap = Math.sqrt(ox * ox + oy * oy + oz * oz);
  if (!(gap <= margin + tau && gap > tau) || !beside(b, edge, line, wx, wy, wz, tau)) return false;
  const nx = ox / gap;
  const ny = oy / gap;
  const nz = oz / gap;
  if (!leads(a, v, nx, ny, nz, (2 * tau) / gap) || isOver(a, v, b, edge, gap)) return false;
  set(VERTEX, v, EDGE, edge);
  touch.x = x;
  touch.y = y;
  touch.z = z;
  touch.nx = nx;
  touch.ny = ny;
  touch.nz = nz;
  touch.gap = gap;
  return true;
}

/** Has a vertex at distance `gap` from an edge been reported as one over a polygon of that edge? */
function isOver(a: Side, v: number, { model, planes }: Side, edge: number, gap: number): boolean {
  const { margin, tau } = touch;
  for (let side = 0; side < 2; side++) {
    const f = model.edgePolygons[2 * edge + side]!;
    if (f < 0) continue;
    const nx = planes[4 * f]!;
    const ny = planes[4 * f + 1]!;
    const nz = planes[4 * f + 2]!;
    const height =
      nx * a.points[3 * v]! + ny * a.points[3 * v + 1]! + nz * a.points[3 * v + 2]! - planes[4 * f + 3]!;
    const turn = model.sides === 'front' || height >= 0 ? 1 : -1;
    const beyond = besideAt(Math.abs(height));
    if (
      turn * height >= -tau &&
      turn * height <= margin + tau &&
      gap * gap <= height * height + beyond * beyond &&
      leads(a, v, turn * nx, turn * ny, turn * nz, 0)
    )
      return true;
  }
  return false;
}

/** @internal */
export function offerVertices(a: Side, v: number, b: Side, w: number): boolean {
  const { tau, margin } = touch;
  const x = a.points[3 * v]!;
  const y = a.points[3 * v + 1]!;
  const z = a.points[3 * v + 2]!;
  const ox = x - b.points[3 * w]!;
  const oy = y - b.points[3 * w + 1]!;
  const oz = z - b.points[3 * w + 2]!;
  const gap = Math.sqrt(ox * ox + oy * oy + oz * oz);
  if (!(gap <= margin + tau)) return false;
  const lonely = a.model.edges.length === 0 && b.model.edges.length === 0;
  if (!(gap > tau) && !lonely) return false;
  const nx = gap > 0 ? ox / gap : 0;
  const ny = gap > 0 ? oy / gap : 0;
  const nz = gap > 0 ? oz / gap : 1;
  // Beyond the ends of all edges.
  const { points: q, ring } = b;
  for (let k = ring.start[w]!, end = ring.start[w + 1]!; k < end; k++) {
    const i = 3 * ring.ring[k]!;
    const rx = q[i]! - q[3 * w]!;
    const ry = q[i + 1]! - q[3 * w + 1]!;
    const rz = q[i + 2]! - q[3 * w + 2]!;
    if (!(ox * rx + oy * ry + oz * rz <= tau * Math.sqrt(rx * rx + ry * ry + rz * rz))) return false;
  }
  const { points: p, ring: own } = a;
  for (let k = own.start[v]!, end = own.start[v + 1]!; k < end; k++) {
    const i = 3 * own.ring[k]!;
    const rx = p[i]! - x;
    const ry = p[i + 1]! - y;
    const rz = p[i + 2]! - z;
    if (!(ox * rx + oy * ry + oz * rz >= -tau * Math.sqrt(rx * rx + ry * ry + rz * rz))) return false;
  }
  set(VERTEX, v, VERTEX, w);
  touch.x = x;
  touch.y = y;
  touch.z = z;
  touch.nx = nx;
  touch.ny = ny;
  touch.nz = nz;
  touch.gap = gap;
  return true;
}

/** The distance of the edges of `line` and `other`, which are nearest at about `on` along the latter. */
function distanceNear(on: number): number {
  const wx = other.x - line.x;
  const wy = other.y - line.y;
  const wz = other.z - line.z;
  const { ux, uy, uz } = line;
  const { ux: tx, uy: ty, uz: tz } = other;
  const near = Math.max(0, Math.min(on, other.length));
  const at = (wx + near * tx) * ux + (wy + near * ty) * uy + (wz + near * tz) * uz;
  const x = Math.max(0, Math.min(at, line.length));
  const y = Math.max(0, Math.min((x * ux - wx) * tx + (x * uy - wy) * ty + (x * uz - wz) * tz, other.length));
  const dx = wx + y * tx - x * ux;
  const dy = wy + y * ty - x * uy;
  const dz = wz + y * tz - x * uz;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** An edge between two sides of a solid: beyond it is in the solid. */
const isSolidEdge = ({ model }: Side, edge: number): boolean =>
  model.closed && model.sides === 'front' && model.edgeKinds[edge] === CONVEX_EDGE;

/** @internal */
export function offerEdges(a: Side, edgeA: number, b: Side, edgeB: number): boolean {
  const { tau, margin } = touch;
  load(a, edgeA, other);
  load(b, edgeB, line);
  const { ux, uy, uz } = line;
  const { ux: tx, uy: ty, uz: tz } = other;
  let nx = uy * tz - uz * ty;
  let ny = uz * tx - ux * tz;
  let nz = ux * ty - uy * tx;
  const sin = Math.sqrt(nx * nx + ny * ny + nz * nz);
  // Nearly parallel ones are left to their ends: they have no direction across.
  if (!(sin * Math.max(line.length, other.length) > Math.max(margin / 8, 8 * tau))) return false;
  nx /= sin;
  ny /= sin;
  nz /= sin;
  const wx = other.x - line.x;
  const wy = other.y - line.y;
  const wz = other.z - line.z;
  let gap = wx * nx + wy * ny + wz * nz;
  if (!(Math.abs(gap) <= margin + tau)) return false;
  const at = (wx * (ty * nz - tz * ny) + wy * (tz * nx - tx * nz) + wz * (tx * ny - ty * nx)) / sin;
  const on = (wx * (uy * nz - uz * ny) + wy * (uz * nx - ux * nz) + wz * (ux * ny - uy * nx)) / sin;
  const ease = tau / sin;
  if (!(at >= -ease && at <= line.length + ease && on >= -ease && on <= other.length + ease)) return false;
  // What is beyond the ends of both by rounding is farther away than the lines are.
  if (!(distanceNear(on) <= Math.abs(gap) + SAME_GAP * margin + tau)) return false;
  const angle = 2e-14 + (margin + 8 * tau) / Math.min(line.length, other.length);
  const solid = touch.overlaps && isSolidEdge(a, edgeA) && isSolidEdge(b, edgeB);
  let fits = false;
  for (let turn = gap < 0 ? -1 : 1, k = 0; k < 2 && !fits; k++, turn = -turn) {
    const sunk = !(turn * gap >= -tau);
    if (sunk && !solid) continue;
    const within = sunk ? 0 : angle;
    fits =
      beside(b, edgeB, line, turn * nx, turn * ny, turn * nz, within) &&
      beside(a, edgeA, other, -turn * nx, -turn * ny, -turn * nz, within);
    if (fits && turn < 0) {
      nx = -nx;
      ny = -ny;
      nz = -nz;
      gap = -gap;
    }
  }
  if (!fits) return false;
  set(EDGE, edgeA, EDGE, edgeB);
  const place = Math.max(0, Math.min(on, other.length));
  touch.x = other.x + place * tx;
  touch.y = other.y + place * ty;
  touch.z = other.z + place * tz;
  touch.nx = nx;
  touch.ny = ny;
  touch.nz = nz;
  touch.gap = gap;
  return true;
}

/**
 * When two features come too near during a translation. Each pair is looked at only while it is locally the nearest one:
 * while the nearest points of plane, line or point are inside the two features, and the direction between them is in the
 * cones of normals of both (all parts of either body next to there are farther away). These are linear conditions on the
 * time, so they leave one span of it. In that span the distance is convex; the contact is the first moment at which it
 * is within the thickness of the zone and shrinks.
 *
 * At every moment the nearest points of the two surfaces belong to such a pair, so nothing is missed; conditions are
 * eased by the error of the coordinates, so that no gap is left between one pair and the next. A body that starts in the
 * zone may go wherever no such pair shrinks: out, and along.
 *
 * Everything is in the frame of the motion (translate-scene.ts), where the direction is z.
 */
import { EDGE, POLYGON, VERTEX } from './job.ts';
import { needNormal, needVertex, ringOf, type SceneBody, scene } from './translate-scene.ts';

/** From when to when the conditions hold. */
const span = { from: 0.5, to: 0.5 };

/** Leaves the time in which c + rate s >= -ease. */
function keep(c: number, rate: number, ease: number): void {
  if (rate > 0) {
    const s = (-ease - c) / rate;
    if (s > span.from) span.from = s;
  } else if (rate < 0) {
    const s = (c + ease) / -rate;
    if (s < span.to) span.to = s;
  } else if (!(c >= -ease)) span.to = -1;
}

/**
 * How much nearer than `gap` features in the zone may come: rounding must not stop what slides. Less in the depth of the
 * zone, so that nothing ever sinks through, however many motions add up.
 */
const allowance = (gap: number): number =>
  Math.min(scene.slack, Math.max((2 * scene.slack * gap) / scene.e, 0.25 * (gap + scene.tau)));

/** Times are brought forward by the error of a coordinate. */
function accept(moverKind: number, moverFeature: number, targetKind: number, targetFeature: number): void {
  scene.best = Math.max(0, span.from - scene.tau);
  scene.found = true;
  scene.moverKind = moverKind;
  scene.moverFeature = moverFeature;
  scene.targetKind = targetKind;
  scene.targetFeature = targetFeature;
}

/**
 * The direction of the contact, and the place of the vertex: what is known of it from the other side is turned round, so that
 * the place is on the mover and the direction from the target to it.
 */
function place(way: number): void {
  const { px, py, pz, nx, ny, nz } = spot;
  const along = way > 0 ? 0 : -scene.gap;
  scene.nx = way * nx;
  scene.ny = way * ny;
  scene.nz = way * nz;
  scene.x = px + along * nx;
  scene.y = py + along * ny;
  scene.z = pz + along * nz;
}
/** Numbers that travel in a record are not boxed. */
const spot = { px: 0.5, py: 0.5, pz: 0.5, nx: 0.5, ny: 0.5, nz: 0.5 };

/** A vertex of body A against a polygon of body B. @internal */
export function vertexPolygon(a: SceneBody, v: number, b: SceneBody, f: number): void {
  const { e, tau, reach } = scene;
  const { points: p } = a;
  const { points: q, normals, model } = b;
  const way = a.way;
  needNormal(b, f);
  const mx = normals[3 * f]!;
  const my = normals[3 * f + 1]!;
  const mz = normals[3 * f + 2]!;
  let rate = way * mz;
  if (!(Math.abs(rate) * reach > 0) || (b.front && rate >= 0)) return;
  // From the side that it comes from.
  const flip = rate > 0 ? -1 : 1;
  rate *= flip;
  const px = p[3 * v]!;
  const py = p[3 * v + 1]!;
  const pz = p[3 * v + 2]!;
  const first = model.polygonStart[f]!;
  const last = model.polygonStart[f + 1]!;
  const o = 3 * model.polygonVertices[first]!;
  const height = flip * (mx * (px - q[o]!) + my * (py - q[o + 1]!) + mz * (pz - q[o + 2]!));
  if (!(height >= -tau)) return;
  span.from = Math.max(0, (height - e) / -rate);
  span.to = Math.min(reach, (height + tau) / -rate);
  if (span.from > scene.best) return;
  for (let k = first; k < last; k++) {
    const i = 3 * model.polygonVertices[k]!;
    const j = 3 * model.polygonVertices[k + 1 < last ? k + 1 : first]!;
    const ux = q[j]! - q[i]!;
    const uy = q[j + 1]! - q[i + 1]!;
    const uz = q[j + 2]! - q[i + 2]!;
    // In the plane, across the side, inward.
    const wx = my * uz - mz * uy;
    const wy = mz * ux - mx * uz;
    const wz = mx * uy - my * ux;
    const inside = (px - q[i]!) * wx + (py - q[i + 1]!) * wy + (pz - q[i + 2]!) * wz;
    keep(inside, way * wz, tau * (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)));
    if (!(span.from <= span.to)) return;
  }
  const s = span.from;
  if (s > scene.best) return;
  const gap = height + rate * s;
  if (!(-rate * (span.to - s) > allowance(gap))) return;
  // The neighbours must not be nearer.
  const { start, ring } = ringOf(a);
  for (let k = start[v]!, end = start[v + 1]!; k < end; k++) {
    const w = ring[k]!;
    needVertex(a, w);
    const up = mx * (p[3 * w]! - px) + my * (p[3 * w + 1]! - py) + mz * (p[3 * w + 2]! - pz);
    if (!(flip * up >= -8 * tau)) return;
  }
  spot.px = px;
  spot.py = py;
  spot.pz = pz + way * s;
  if (!isAtPolygon(b, f)) return;
  scene.gap = gap;
  if (way > 0) accept(VERTEX, v, POLYGON, f);
  else accept(POLYGON, f, VERTEX, v);
  spot.px = px;
  spot.py = py;
  spot.pz = way > 0 ? pz + s : pz;
  spot.nx = flip * mx;
  spot.ny = flip * my;
  spot.nz = flip * mz;
  place(way);
}

/**
 * Is the point of `spot`, which is inside all sides of a polygon but for the error of coordinates, within the zone? At a sharp
 * corner it can be far from it all the same, and is then left to the edges. Outside of one side it may be at another: of sides
 * in one line, rounding tells one thing of the one and another of the next.
 */
function isAtPolygon({ points: q, normals, model }: SceneBody, f: number): boolean {
  const { px, py, pz } = spot;
  const first = model.polygonStart[f]!;
  const last = model.polygonStart[f + 1]!;
  const mx = normals[3 * f]!;
  const my = normals[3 * f + 1]!;
  const mz = normals[3 * f + 2]!;
  const reach = scene.e * (1 + 1 / 64) + scene.tau;
  let isOutside = false;
  let leastSq = Number.POSITIVE_INFINITY;
  for (let k = first; k < last; k++) {
    const i = 3 * model.polygonVertices[k]!;
    const j = 3 * model.polygonVertices[k + 1 < last ? k + 1 : first]!;
    const ux = q[j]! - q[i]!;
    const uy = q[j + 1]! - q[i + 1]!;
    const uz = q[j + 2]! - q[i + 2]!;
    const wx = px - q[i]!;
    const wy = py - q[i + 1]!;
    const wz = pz - q[i + 2]!;
    if (wx * (my * uz - mz * uy) + wy * (mz * ux - mx * uz) + wz * (mx * uy - my * ux) < 0) isOutside = true;
    const t = Math.max(0, Math.min(1, (wx * ux + wy * uy + wz * uz) / (ux * ux + uy * uy + uz * uz)));
    const dx = wx - t * ux;
    const dy = wy - t * uy;
    const dz = wz - t * uz;
    leastSq = Math.min(leastSq, dx * dx + dy * dy + dz * dz);
  }
  return !isOutside || leastSq <= reach * reach;
}

/** The conditions of an edge on a vertex at offset w of its first end: not above its polygons but beside them. */
function keepEdgeCone(b: SceneBody, edge: number, way: number): void {
  const { wx, wy, wz } = offset;
  const { model, normals } = b;
  const { tau } = scene;
  for (let side = 0; side < 2; side++) {
    const f = model.edgePolygons[2 * edge + side]!;
    if (f < 0) continue;
    needNormal(b, f);
    const nx = normals[3 * f]!;
    const ny = normals[3 * f + 1]!;
    const nz = normals[3 * f + 2]!;
    // Into the polygon: n × u, with u as the polygon runs.
    const turn = side === 0 ? 1 : -1;
    const mx = turn * (ny * line.uz - nz * line.uy);
    const my = turn * (nz * line.ux - nx * line.uz);
    const mz = turn * (nx * line.uy - ny * line.ux);
    keep(-(wx * mx + wy * my + wz * mz), -way * mz, tau);
  }
}

/** What leads from a feature to the other one: an offset, or a unit vector. */
const offset = { wx: 0.5, wy: 0.5, wz: 0.5 };

/** The edge at hand: first end, unit direction, length. */
const line = { x: 0.5, y: 0.5, z: 0.5, ux: 0.5, uy: 0.5, uz: 0.5, length: 0.5 };

function loadLine(b: SceneBody, edge: number, into: typeof line): void {
  const { points: q, model } = b;
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

/** A vertex of body A against an edge of body B. @internal */
export function vertexEdge(a: SceneBody, v: number, b: SceneBody, edge: number): void {
  const { e, tau, reach } = scene;
  const { points: p } = a;
  const way = a.way;
  needVertex(b, b.model.edges[2 * edge]!);
  needVertex(b, b.model.edges[2 * edge + 1]!);
  loadLine(b, edge, line);
  const { ux, uy, uz, length } = line;
  if (!(length > 0)) return;
  const px = p[3 * v]!;
  const py = p[3 * v + 1]!;
  const pz = p[3 * v + 2]!;
  const wx = px - line.x;
  const wy = py - line.y;
  const wz = pz - line.z;
  // How much of the motion is across the edge.
  const acrossSq = ux * ux + uy * uy;
  if (!(acrossSq * reach * reach > tau * tau)) return;
  const passing = ux * wy - uy * wx;
  const nearestSq = (passing * passing) / acrossSq;
  if (!(nearestSq < e * e)) return;
  const along = wx * ux + wy * uy + wz * uz;
  const middle = way * (-wz + (uz * (wx * ux + wy * uy)) / acrossSq);
  const half = Math.sqrt((e * e - nearestSq) / acrossSq);
  span.from = Math.max(0, middle - half);
  span.to = Math.min(reach, middle);
  if (!(span.from <= span.to) || span.from > scene.best) return;
  keep(along, way * uz, tau);
  keep(length - along, -way * uz, tau);
  offset.wx = wx;
  offset.wy = wy;
  offset.wz = wz;
  keepEdgeCone(b, edge, way);
  if (!(span.from <= span.to) || span.from > scene.best) return;
  // Across the edge: of the offset and of the motion.
  const ox = wx - along * ux;
  const oy = wy - along * uy;
  const oz = wz - along * uz;
  const zx = -way * uz * ux;
  const zy = -way * uz * uy;
  const zz = way * acrossSq;
  const { start, ring } = ringOf(a);
  for (let k = start[v]!, end = start[v + 1]!; k < end; k++) {
    const i = ring[k]!;
    needVertex(a, i);
    const rx = p[3 * i]! - px;
    const ry = p[3 * i + 1]! - py;
    const rz = p[3 * i + 2]! - pz;
    // The offset is known to `tau`, whatever its direction.
    const ease = 2 * tau * (Math.abs(rx) + Math.abs(ry) + Math.abs(rz));
    keep(ox * rx + oy * ry + oz * rz, zx * rx + zy * ry + zz * rz, ease);
  }
  const s = span.from;
  if (!(s <= span.to) || s > scene.best) return;
  const gap = Math.sqrt(nearestSq + acrossSq * (middle - s) * (middle - s));
  const least = Math.sqrt(nearestSq + acrossSq * (middle - span.to) * (middle - span.to));
  if (!(gap - least > allowance(gap))) return;
  const scale = 1 / Math.max(gap, 1e-300);
  scene.gap = gap;
  if (way > 0) accept(VERTEX, v, EDGE, edge);
  else accept(EDGE, edge, VERTEX, v);
  spot.px = px;
  spot.py = py;
  spot.pz = way > 0 ? pz + s : pz;
  spot.nx = (ox + s * zx) * scale;
  spot.ny = (oy + s * zy) * scale;
  spot.nz = (oz + s * zz) * scale;
  place(way);
}

/** The conditions of a vertex on the offset w that leads from it to the other: its edges lead away. */
function keepVertexCone(b: SceneBody, v: number, way: number): void {
  const { wx, wy, wz } = offset;
  const { points: q } = b;
  const { start, ring } = ringOf(b);
  const { tau } = scene;
  for (let k = start[v]!, end = start[v + 1]!; k < end; k++) {
    const i = ring[k]!;
    needVertex(b, i);
    const rx = q[3 * i]! - q[3 * v]!;
    const ry = q[3 * i + 1]! - q[3 * v + 1]!;
    const rz = q[3 * i + 2]! - q[3 * v + 2]!;
    keep(-(wx * rx + wy * ry + wz * rz), -way * rz, tau * (Math.abs(rx) + Math.abs(ry) + Math.abs(rz)));
  }
}

/** Vertex v of the mover against vertex w of the target. @internal */
export function vertexVertex(v: number, w: number): void {
  const { e, reach, mover, target } = scene;
  const p = mover.points;
  const q = target.points;
  needVertex(target, w);
  const px = p[3 * v]!;
  const py = p[3 * v + 1]!;
  const pz = p[3 * v + 2]!;
  const wx = px - q[3 * w]!;
  const wy = py - q[3 * w + 1]!;
  const wz = pz - q[3 * w + 2]!;
  const nearestSq = wx * wx + wy * wy;
  if (!(nearestSq < e * e)) return;
  const middle = -wz;
  span.from = Math.max(0, middle - Math.sqrt(e * e - nearestSq));
  span.to = Math.min(reach, middle);
  if (!(span.from <= span.to) || span.from > scene.best) return;
  offset.wx = wx;
  offset.wy = wy;
  offset.wz = wz;
  keepVertexCone(target, w, 1);
  offset.wx = -wx;
  offset.wy = -wy;
  offset.wz = -wz;
  keepVertexCone(mover, v, -1);
  const s = span.from;
  if (!(s <= span.to) || s > scene.best) return;
  const gap = Math.sqrt(nearestSq + (middle - s) * (middle - s));
  const least = Math.sqrt(nearestSq + (middle - span.to) * (middle - span.to));
  if (!(gap - least > allowance(gap))) return;
  scene.gap = gap;
  accept(VERTEX, v, VERTEX, w);
  const scale = 1 / Math.max(gap, 1e-300);
  spot.px = px;
  spot.py = py;
  spot.pz = pz + s;
  spot.nx = wx * scale;
  spot.ny = wy * scale;
  spot.nz = (wz + s) * scale;
  place(1);
}

/** Is a unit direction n out of an edge one in which no part of its polygons is nearer? */
function inEdgeCone(b: SceneBody, edge: number, u: typeof line, way: number): boolean {
  const { wx, wy, wz } = offset;
  const nx = way * wx;
  const ny = way * wy;
  const nz = way * wz;
  const { model, normals } = b;
  const ease = ANGLE_ERROR + (8 * scene.tau) / u.length;
  for (let side = 0; side < 2; side++) {
    const f = model.edgePolygons[2 * edge + side]!;
    if (f < 0) continue;
    needNormal(b, f);
    const fx = normals[3 * f]!;
    const fy = normals[3 * f + 1]!;
    const fz = normals[3 * f + 2]!;
    const turn = side === 0 ? 1 : -1;
    const into = nx * (fy * u.uz - fz * u.uy) + ny * (fz * u.ux - fx * u.uz) + nz * (fx * u.uy - fy * u.ux);
    if (!(turn * into <= ease)) return false;
  }
  return true;
}
const ANGLE_ERROR = 1.4210854715202004e-14; // 2^-46

/** How far a point at w from the edge of `line` is away from it in direction n, which is upright on it but for rounding. */
function heightOver(nx: number, ny: number, nz: number, wx: number, wy: number, wz: number): number {
  const { ux, uy, uz } = line;
  const along = wx * ux + wy * uy + wz * uz;
  return (wx - along * ux) * nx + (wy - along * uy) * ny + (wz - along * uz) * nz;
}

/** The distance of the edges of `line` and `other` after a time, if they are nearest at about `at` along the latter. */
function distanceAt(time: number, at: number): number {
  const wx = other.x - line.x;
  const wy = other.y - line.y;
  const wz = other.z - line.z + time;
  const { ux, uy, uz } = line;
  const { ux: tx, uy: ty, uz: tz } = other;
  const near = Math.max(0, Math.min(at, other.length));
  const on = (wx + near * tx) * ux + (wy + near * ty) * uy + (wz + near * tz) * uz;
  const x = Math.max(0, Math.min(on, line.length));
  const y = Math.max(0, Math.min((x * ux - wx) * tx + (x * uy - wy) * ty + (x * uz - wz) * tz, other.length));
  const dx = wx + y * tx - x * ux;
  const dy = wy + y * ty - x * uy;
  const dz = wz + y * tz - x * uz;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

const other = { x: 0.5, y: 0.5, z: 0.5, ux: 0.5, uy: 0.5, uz: 0.5, length: 0.5 };

/** An edge of the mover against an edge of the target. @internal */
export function edgeEdge(moverEdge: number, targetEdge: number): void {
  const { e, tau, reach, mover, target } = scene;
  loadLine(target, targetEdge, line);
  loadLine(mover, moverEdge, other);
  const { ux, uy, uz } = line;
  const { ux: tx, uy: ty, uz: tz } = other;
  let nx = uy * tz - uz * ty;
  let ny = uz * tx - ux * tz;
  let nz = ux * ty - uy * tx;
  const sinSq = nx * nx + ny * ny + nz * nz;
  const sin = Math.sqrt(sinSq);
  // Parallel: left to the ends. (Also when one is a point, by NaN.)
  if (!(sin * Math.max(line.length, other.length) > 8 * tau)) return;
  // Against the motion.
  const scale = (nz > 0 ? -1 : 1) / sin;
  nx *= scale;
  ny *= scale;
  nz *= scale;
  if (!(nz < 0)) return;
  const wx = other.x - line.x;
  const wy = other.y - line.y;
  let wz = other.z - line.z;
  // Of nearly parallel edges n is not known well: what of w is along the edge must not come into it, and what is far away
  // only as long as it takes to see when they are near; from there on all is measured.
  let height = heightOver(nx, ny, nz, wx, wy, wz);
  const far = Math.abs(wx) + Math.abs(wy) + Math.abs(wz);
  if (!(height >= -tau - (tau * far) / (sin * Math.min(line.length, other.length)))) return;
  let start = 0;
  for (let k = 0; k < 4; k++) {
    const next = Math.max(0, Math.min(reach, start + (height - e) / -nz));
    const step = next - start;
    if (!(Math.abs(step) > e)) break;
    start = next;
    wz += step;
    height = heightOver(nx, ny, nz, wx, wy, wz);
  }
  if (start === 0 && !(height >= -tau)) return;
  span.from = Math.max(0, start + (height - e) / -nz);
  span.to = Math.min(reach, start + (height + tau) / -nz);
  if (!(span.from <= span.to) || span.from > scene.best) return;
  offset.wx = nx;
  offset.wy = ny;
  offset.wz = nz;
  if (!inEdgeCone(target, targetEdge, line, 1) || !inEdgeCone(mover, moverEdge, other, -1)) return;
  // Where on the lines the nearest points are: det(w, t, N) / N² on the target's, det(w, u, N) / N² on the mover's,
  // N = u × t = ±sin n. So they change with time by det(z, t, N) / N² and det(z, u, N) / N².
  const by = Math.sign(scale) / sin;
  const ax = by * (ty * nz - tz * ny);
  const ay = by * (tz * nx - tx * nz);
  const az = by * (tx * ny - ty * nx);
  const ease = tau / sin;
  const x = wx * ax + wy * ay + wz * az - start * az;
  keep(x, az, ease);
  keep(line.length - x, -az, ease);
  const bx = by * (uy * nz - uz * ny);
  const bby = by * (uz * nx - ux * nz);
  const bz = by * (ux * ny - uy * nx);
  const y = wx * bx + wy * bby + wz * bz - start * bz;
  keep(y, bz, ease);
  keep(other.length - y, -bz, ease);
  const s = span.from;
  if (!(s <= span.to) || s > scene.best) return;
  const gap = height + nz * (s - start);
  if (!(-nz * (span.to - s) > allowance(gap))) return;
  // Nearly parallel ones may be beside each other only on paper, one behind the end of the other.
  if (!(distanceAt(s, y + s * bz) <= gap + e / 64 + tau)) return;
  scene.gap = gap;
  accept(EDGE, moverEdge, EDGE, targetEdge);
  // Of nearly parallel ones the place along them is uncertain, but on the edge it is.
  const at = Math.max(0, Math.min(y + s * bz, other.length));
  spot.px = other.x + at * tx;
  spot.py = other.y + at * ty;
  spot.pz = other.z + at * tz + s;
  spot.nx = nx;
  spot.ny = ny;
  spot.nz = nz;
  place(1);
}

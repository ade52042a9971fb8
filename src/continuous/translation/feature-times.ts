/**
 * When two features come too near during a translation. Each pair is looked at only while it is locally the nearest one:
 * while the nearest points of plane, line or point are inside the two features, and the direction between them is in the
 * cones of planes of both (all parts of either body next to there are farther away). These are linear conditions on the
 * time, so they leave one span of it. In that span the distance is convex; the contact is the first moment at which it
 * is within the thickness of the zone and shrinks.
 *
 * At every moment the nearest points of the two surfaces belong to such a pair, so nothing is missed; conditions are
 * eased by the error of the coordinates, so that no gap is left between one pair and the next. A body that starts in the
 * zone may go wherever no such pair shrinks: out, and along.
 *
 * Everything is in the frame of the motion (translation-context.ts), where the direction is z.
 */
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { EDGE, POLYGON, setFeatures, VERTEX } from '../feature-contact.ts';
import { edgeDistance, isInEdgeCone, loadLine } from '../features.ts';
import { vertexRing } from '../model/vertex-ring.ts';
import { type MovingBody, needNormal, needVertex, type TranslationContext } from './translation-context.ts';

/** Leaves the time in which c + rate s >= -ease. */
function keep(translation: TranslationContext, c: number, rate: number, ease: number): void {
  const { span } = translation;
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
 * zone, so that nothing ever sinks through, however many motions add up; and little of a thin zone, as one pair after the
 * other may use it up: from an edge to the polygon beside it.
 */
const allowance = (translation: TranslationContext, gap: number): number =>
  Math.min(
    translation.slack,
    translation.e / 128,
    Math.max((2 * translation.slack * gap) / translation.e, 0.25 * (gap + translation.tau)),
  );

/**
 * Takes a contact of a feature of A, which moves that direction, and one of B; the point on A and the direction to it from B are in
 * `spot`. What was seen from the target's side is reversed, so that the point is on the mover and the direction from the
 * target to it. Times are brought forward by the error of a coordinate.
 */
function accept(
  translation: TranslationContext,
  direction: number,
  kindA: number,
  featureA: number,
  kindB: number,
  featureB: number,
): void {
  const { tau, span, spot, contact } = translation;
  translation.best = Math.max(0, span.from - tau);
  translation.found = true;
  if (direction > 0) setFeatures(contact, kindA, featureA, kindB, featureB);
  else setFeatures(contact, kindB, featureB, kindA, featureA);
  const { px, py, pz, nx, ny, nz } = spot;
  const along = direction > 0 ? 0 : -contact.gap;
  contact.nx = direction * nx;
  contact.ny = direction * ny;
  contact.nz = direction * nz;
  contact.x = px + along * nx;
  contact.y = py + along * ny;
  contact.z = pz + along * nz;
}

/** A vertex of body A against a polygon of body B. @internal */
export function vertexPolygon(
  translation: TranslationContext,
  a: MovingBody,
  v: number,
  b: MovingBody,
  f: number,
): void {
  const { e, tau, reach, span, spot, contact } = translation;
  const { points: p } = a;
  const { points: q, planes, model } = b;
  const { direction } = a;
  needNormal(translation, b, f);
  const mx = planes[4 * f]!;
  const my = planes[4 * f + 1]!;
  const mz = planes[4 * f + 2]!;
  let rate = direction * mz;
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
  if (span.from > translation.best) return;
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
    keep(translation, inside, direction * wz, tau * (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)));
    if (!(span.from <= span.to)) return;
  }
  const s = span.from;
  if (s > translation.best) return;
  const gap = height + rate * s;
  if (!(-rate * (span.to - s) > allowance(translation, gap))) return;
  // The neighbours must not be nearer.
  const { start, ring } = vertexRing(a.model);
  for (let k = start[v]!, end = start[v + 1]!; k < end; k++) {
    const w = ring[k]!;
    needVertex(translation, a, w);
    const up = mx * (p[3 * w]! - px) + my * (p[3 * w + 1]! - py) + mz * (p[3 * w + 2]! - pz);
    if (!(flip * up >= -8 * tau)) return;
  }
  spot.px = px;
  spot.py = py;
  spot.pz = pz + direction * s;
  contact.gap = gap;
  spot.nx = flip * mx;
  spot.ny = flip * my;
  spot.nz = flip * mz;
  if (!isAtPolygon(translation, b, f)) return;
  spot.pz = direction > 0 ? pz + s : pz;
  accept(translation, direction, VERTEX, v, POLYGON, f);
}

/**
 * Is the point of `spot`, which is inside all sides of a polygon but for the error of coordinates, within the zone? At a sharp
 * corner it can be far from it all the same, and is then left to the edges. Outside of one side it may be at another: of sides
 * in one line, rounding says one thing of the one and another of the next. Where it is beside the polygon by more than the error
 * of coordinates, the gap and the normal of the contact, which are those of the plane, become those of the nearest side.
 */
function isAtPolygon(
  translation: TranslationContext,
  { points: q, planes, model }: MovingBody,
  f: number,
): boolean {
  const { e, tau, spot, contact } = translation;
  const { px, py, pz } = spot;
  const first = model.polygonStart[f]!;
  const last = model.polygonStart[f + 1]!;
  const mx = planes[4 * f]!;
  const my = planes[4 * f + 1]!;
  const mz = planes[4 * f + 2]!;
  const reach = e * (1 + 1 / 64) + tau;
  let isOutside = false;
  let leastSq = Infinity;
  let x = 0;
  let y = 0;
  let z = 0;
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
    const distanceSq = dx * dx + dy * dy + dz * dz;
    if (!(distanceSq < leastSq)) continue;
    leastSq = distanceSq;
    x = dx;
    y = dy;
    z = dz;
  }
  if (!isOutside) return true;
  if (!(leastSq <= reach * reach)) return false;
  const { gap } = contact;
  // Of what is nearer than some errors of coordinates, the plane knows the direction best.
  if (!(leastSq > 256 * tau * tau && leastSq - gap * gap > 16 * tau * tau)) return true;
  const distance = Math.sqrt(leastSq);
  contact.gap = distance;
  spot.nx = x / distance;
  spot.ny = y / distance;
  spot.nz = z / distance;
  return true;
}

/** The conditions of an edge on a vertex at offset w of its first end: not above its polygons but beside them. */
function keepEdgeCone(translation: TranslationContext, b: MovingBody, edge: number, direction: number): void {
  const { tau, offset, line } = translation;
  const { wx, wy, wz } = offset;
  const { model, planes } = b;
  for (let side = 0; side < 2; side++) {
    const f = model.edgePolygons[2 * edge + side]!;
    if (f < 0) continue;
    needNormal(translation, b, f);
    const nx = planes[4 * f]!;
    const ny = planes[4 * f + 1]!;
    const nz = planes[4 * f + 2]!;
    // Into the polygon: n × u, with u as the polygon runs.
    const sign = side === 0 ? 1 : -1;
    const mx = sign * (ny * line.uz - nz * line.uy);
    const my = sign * (nz * line.ux - nx * line.uz);
    const mz = sign * (nx * line.uy - ny * line.ux);
    keep(translation, -(wx * mx + wy * my + wz * mz), -direction * mz, tau);
  }
}

/** A vertex of body A against an edge of body B. @internal */
export function vertexEdge(
  translation: TranslationContext,
  a: MovingBody,
  v: number,
  b: MovingBody,
  edge: number,
): void {
  const { e, tau, reach, span, spot, offset, line, contact } = translation;
  const { points: p } = a;
  const { direction } = a;
  needVertex(translation, b, b.model.edges[2 * edge]!);
  needVertex(translation, b, b.model.edges[2 * edge + 1]!);
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
  const middle = direction * (-wz + (uz * (wx * ux + wy * uy)) / acrossSq);
  const half = Math.sqrt((e * e - nearestSq) / acrossSq);
  span.from = Math.max(0, middle - half);
  span.to = Math.min(reach, middle);
  if (!(span.from <= span.to) || span.from > translation.best) return;
  keep(translation, along, direction * uz, tau);
  keep(translation, length - along, -direction * uz, tau);
  offset.wx = wx;
  offset.wy = wy;
  offset.wz = wz;
  keepEdgeCone(translation, b, edge, direction);
  if (!(span.from <= span.to) || span.from > translation.best) return;
  // Across the edge: of the offset and of the motion.
  const ox = wx - along * ux;
  const oy = wy - along * uy;
  const oz = wz - along * uz;
  const zx = -direction * uz * ux;
  const zy = -direction * uz * uy;
  const zz = direction * acrossSq;
  const { start, ring } = vertexRing(a.model);
  for (let k = start[v]!, end = start[v + 1]!; k < end; k++) {
    const i = ring[k]!;
    needVertex(translation, a, i);
    const rx = p[3 * i]! - px;
    const ry = p[3 * i + 1]! - py;
    const rz = p[3 * i + 2]! - pz;
    // The offset is known to `tau`, whatever its direction.
    const ease = 2 * tau * (Math.abs(rx) + Math.abs(ry) + Math.abs(rz));
    keep(translation, ox * rx + oy * ry + oz * rz, zx * rx + zy * ry + zz * rz, ease);
  }
  const s = span.from;
  if (!(s <= span.to) || s > translation.best) return;
  const gap = Math.sqrt(nearestSq + acrossSq * (middle - s) * (middle - s));
  const least = Math.sqrt(nearestSq + acrossSq * (middle - span.to) * (middle - span.to));
  if (!(gap - least > allowance(translation, gap))) return;
  const scale = 1 / Math.max(gap, 1e-300);
  contact.gap = gap;
  spot.px = px;
  spot.py = py;
  spot.pz = direction > 0 ? pz + s : pz;
  spot.nx = (ox + s * zx) * scale;
  spot.ny = (oy + s * zy) * scale;
  spot.nz = (oz + s * zz) * scale;
  accept(translation, direction, VERTEX, v, EDGE, edge);
}

/** The conditions of a vertex on the offset w that leads from it to the other: its edges lead away. */
function keepVertexCone(translation: TranslationContext, b: MovingBody, v: number, direction: number): void {
  const { tau, offset } = translation;
  const { wx, wy, wz } = offset;
  const { points: q } = b;
  const { start, ring } = vertexRing(b.model);
  for (let k = start[v]!, end = start[v + 1]!; k < end; k++) {
    const i = ring[k]!;
    needVertex(translation, b, i);
    const rx = q[3 * i]! - q[3 * v]!;
    const ry = q[3 * i + 1]! - q[3 * v + 1]!;
    const rz = q[3 * i + 2]! - q[3 * v + 2]!;
    keep(
      translation,
      -(wx * rx + wy * ry + wz * rz),
      -direction * rz,
      tau * (Math.abs(rx) + Math.abs(ry) + Math.abs(rz)),
    );
  }
}

/** Vertex v of the mover against vertex w of the target. @internal */
export function vertexVertex(translation: TranslationContext, v: number, w: number): void {
  const { e, reach, mover, target, span, spot, offset, contact } = translation;
  const p = mover.points;
  const q = target.points;
  needVertex(translation, target, w);
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
  if (!(span.from <= span.to) || span.from > translation.best) return;
  offset.wx = wx;
  offset.wy = wy;
  offset.wz = wz;
  keepVertexCone(translation, target, w, 1);
  offset.wx = -wx;
  offset.wy = -wy;
  offset.wz = -wz;
  keepVertexCone(translation, mover, v, -1);
  const s = span.from;
  if (!(s <= span.to) || s > translation.best) return;
  const gap = Math.sqrt(nearestSq + (middle - s) * (middle - s));
  const least = Math.sqrt(nearestSq + (middle - span.to) * (middle - span.to));
  if (!(gap - least > allowance(translation, gap))) return;
  contact.gap = gap;
  const scale = 1 / Math.max(gap, 1e-300);
  spot.px = px;
  spot.py = py;
  spot.pz = pz + s;
  spot.nx = wx * scale;
  spot.ny = wy * scale;
  spot.nz = (wz + s) * scale;
  accept(translation, 1, VERTEX, v, VERTEX, w);
}

const ANGLE_ERROR = 128 * UNIT_ROUNDING;

/** How far a point at `offset` from the edge of `line` is away from it in the direction of `spot`, which is upright on it but for rounding. */
function heightOver({ line, offset, spot }: TranslationContext): number {
  const { ux, uy, uz } = line;
  const { wx, wy, wz } = offset;
  const along = wx * ux + wy * uy + wz * uz;
  return (wx - along * ux) * spot.nx + (wy - along * uy) * spot.ny + (wz - along * uz) * spot.nz;
}

/** Is the direction of `spot`, or the opposite one, one in which no part of the polygons at an edge is nearer? */
function facesEdge(translation: TranslationContext, b: MovingBody, edge: number, length: number): boolean {
  const { tau, spot } = translation;
  const { edgePolygons } = b.model;
  for (let side = 0; side < 2; side++) {
    const f = edgePolygons[2 * edge + side]!;
    if (f >= 0) needNormal(translation, b, f);
  }
  return isInEdgeCone(b, edge, spot, -b.direction, ANGLE_ERROR + (8 * tau) / length);
}

/** An edge of the mover against an edge of the target. @internal */
export function edgeEdge(translation: TranslationContext, moverEdge: number, targetEdge: number): void {
  const { e, tau, reach, mover, target, span, spot, offset, line, other, contact } = translation;
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
  spot.nx = nx;
  spot.ny = ny;
  spot.nz = nz;
  offset.wx = wx;
  offset.wy = wy;
  offset.wz = wz;
  // Of nearly parallel edges n is not known well: what of w is along the edge must not come into it, and what is far away
  // only as long as it takes to see when they are near; from there on all is measured.
  let height = heightOver(translation);
  const far = Math.abs(wx) + Math.abs(wy) + Math.abs(wz);
  if (!(height >= -tau - (tau * far) / (sin * Math.min(line.length, other.length)))) return;
  let start = 0;
  for (let k = 0; k < 4; k++) {
    const next = Math.max(0, Math.min(reach, start + (height - e) / -nz));
    const step = next - start;
    if (!(Math.abs(step) > e)) break;
    start = next;
    wz += step;
    offset.wz = wz;
    height = heightOver(translation);
  }
  if (start === 0 && !(height >= -tau)) return;
  span.from = Math.max(0, start + (height - e) / -nz);
  span.to = Math.min(reach, start + (height + tau) / -nz);
  if (!(span.from <= span.to) || span.from > translation.best) return;
  if (
    !facesEdge(translation, target, targetEdge, line.length) ||
    !facesEdge(translation, mover, moverEdge, other.length)
  )
    return;
  // Where on the lines the nearest points are: det(w, t, N) / N² on the target's, det(w, u, N) / N² on the mover's,
  // N = u × t = ±sin n. So they change with time by det(z, t, N) / N² and det(z, u, N) / N².
  const by = Math.sign(scale) / sin;
  const ax = by * (ty * nz - tz * ny);
  const ay = by * (tz * nx - tx * nz);
  const az = by * (tx * ny - ty * nx);
  const ease = tau / sin;
  const x = wx * ax + wy * ay + wz * az - start * az;
  keep(translation, x, az, ease);
  keep(translation, line.length - x, -az, ease);
  const bx = by * (uy * nz - uz * ny);
  const bby = by * (uz * nx - ux * nz);
  const bz = by * (ux * ny - uy * nx);
  const y = wx * bx + wy * bby + wz * bz - start * bz;
  keep(translation, y, bz, ease);
  keep(translation, other.length - y, -bz, ease);
  const s = span.from;
  if (!(s <= span.to) || s > translation.best) return;
  const gap = height + nz * (s - start);
  if (!(-nz * (span.to - s) > allowance(translation, gap))) return;
  // Nearly parallel ones may be beside each other only on paper, one behind the end of the other.
  if (!(edgeDistance(line, other, s, y + s * bz) <= gap + e / 64 + tau)) return;
  contact.gap = gap;
  // Of nearly parallel ones the position along them is uncertain, but on the edge it is.
  const at = Math.max(0, Math.min(y + s * bz, other.length));
  spot.px = other.x + at * tx;
  spot.py = other.y + at * ty;
  spot.pz = other.z + at * tz + s;
  accept(translation, 1, EDGE, moverEdge, EDGE, targetEdge);
}

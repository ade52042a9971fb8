/** A vertex that rotates and a polygon that stands still: when they are near at the earliest, their distance, on which side it is. */
import { EDGE, POLYGON, VERTEX } from '../feature-contact.ts';
import { isInEdgeCone, isInVertexCone, type PosedModel } from '../features.ts';
import { vertexRing } from '../model/vertex-ring.ts';
import { INTERNAL_EDGE } from '../types.ts';
import { bendAt, firstInBall, riseAt, startArc } from './arc.ts';
import { addHalfAngles, firstTop, firstZero } from './half-angle.ts';
import { directionAtStart, isAhead, type RotationContext } from './rotation-context.ts';

/** Puts vertex v of a body on its arc about the axis. */
export function startVertex(rotation: RotationContext, body: PosedModel, v: number): void {
  const { arc, pair } = rotation;
  const { points } = body;
  pair.isEdge = false;
  pair.moving = body;
  pair.movingIndex = v;
  startArc(arc, rotation, points[3 * v]!, points[3 * v + 1]!, points[3 * v + 2]!);
}

/**
 * When the vertex of `arc` can be within the zone of polygon f at the earliest, as far as its plane says: tan(α/2).
 * From the back of a model that is touched from the front only, the time when it comes round to the front.
 */
export function planeEntry(rotation: RotationContext, f: number): number {
  const { arc, pair } = rotation;
  const { planes, points, model } = pair.fixed;
  const nx = planes[4 * f]!;
  const ny = planes[4 * f + 1]!;
  const nz = planes[4 * f + 2]!;
  const a = 3 * model.polygonVertices[model.polygonStart[f]!]!;
  const h = nx * (arc.x - points[a]!) + ny * (arc.y - points[a + 1]!) + nz * (arc.z - points[a + 2]!);
  const rise = nx * arc.cx + ny * arc.cy + nz * arc.cz;
  const bend = nx * arc.ux + ny * arc.uy + nz * arc.uz;
  rotation.isBehind = false;
  if (h > rotation.accept) return firstZero(h - rotation.enter, rise, bend);
  if (model.sides === 'front') {
    if (h >= -2 * rotation.touch) return 0;
    rotation.isBehind = true;
    return firstZero(-h, -rise, -bend);
  }
  return h < -rotation.accept ? firstZero(-h - rotation.enter, -rise, -bend) : 0;
}

/** When the vertex of `arc` comes to the ball about box i, with the zone, at the earliest. */
export function ballEntry(rotation: RotationContext, boxes: Float64Array, i: number): number {
  const { arc, ball } = rotation;
  const k = 6 * i;
  const x = 0.5 * (boxes[k + 3]! - boxes[k]!);
  const y = 0.5 * (boxes[k + 4]! - boxes[k + 1]!);
  const z = 0.5 * (boxes[k + 5]! - boxes[k + 2]!);
  ball.dx = arc.x - boxes[k]! - x;
  ball.dy = arc.y - boxes[k + 1]! - y;
  ball.dz = arc.z - boxes[k + 2]! - z;
  ball.radius = Math.sqrt(x * x + y * y + z * z) + rotation.leave;
  return firstInBall(arc, ball);
}

/** When the vertex of `arc` comes to the ball about edge e of the fixed body, with the zone, at the earliest. */
export function borderEntry(rotation: RotationContext, e: number): number {
  const { arc, pair, ball } = rotation;
  const { model, points } = pair.fixed;
  const a = 3 * model.edges[2 * e]!;
  const b = 3 * model.edges[2 * e + 1]!;
  const x = 0.5 * (points[b]! - points[a]!);
  const y = 0.5 * (points[b + 1]! - points[a + 1]!);
  const z = 0.5 * (points[b + 2]! - points[a + 2]!);
  ball.dx = arc.x - points[a]! - x;
  ball.dy = arc.y - points[a + 1]! - y;
  ball.dz = arc.z - points[a + 2]! - z;
  ball.radius = Math.sqrt(x * x + y * y + z * z) + rotation.leave;
  return firstInBall(arc, ball);
}

/**
 * Moves the vertex on to the time r and measures: fills `pair`. Against polygon f, or if f is negative against edge ~f, or
 * against vertex ~f of a model without polygons.
 */
export function measureVertex(rotation: RotationContext, r: number): void {
  const { arc, pair } = rotation;
  const scale = 2 / (1 + r * r);
  const sine = scale * r;
  const versine = sine * r;
  const x = arc.x + (sine * arc.cx - versine * arc.ux);
  const y = arc.y + (sine * arc.cy - versine * arc.uy);
  const z = arc.z + (sine * arc.cz - versine * arc.uz);
  pair.r = r;
  pair.x = x;
  pair.y = y;
  pair.z = z;
  pair.isClearOfRim = false;
  const { index } = pair;
  if (index < 0 && pair.fixed.model.sources.length > 0) nearestOnBorder(rotation, ~index);
  else if (index < 0) nearestVertex(rotation, ~index);
  else nearestOnPolygon(rotation, index);
  const cosine = 1 - versine;
  pair.rate =
    pair.nx * (arc.cx * cosine - arc.ux * sine) +
    pair.ny * (arc.cy * cosine - arc.uy * sine) +
    pair.nz * (arc.cz * cosine - arc.uz * sine);
  if (pair.isNearest && pair.gap <= rotation.leave && pair.gap >= 0) pair.isNearest = isForemost(rotation);
  // On a polygon, not at its border, and about to go through it.
  pair.isBlocked =
    pair.isClearOfRim && pair.isInside && pair.gap <= rotation.touch && pair.rate < -rotation.slack;
}

/** The fixed feature is a vertex. */
function nearestVertex(rotation: RotationContext, v: number): void {
  const { pair } = rotation;
  const { points } = pair.fixed;
  const dx = pair.x - points[3 * v]!;
  const dy = pair.y - points[3 * v + 1]!;
  const dz = pair.z - points[3 * v + 2]!;
  const gap = Math.sqrt(dx * dx + dy * dy + dz * dz);
  pair.gap = pair.clear = gap;
  pair.nx = gap > 0 ? dx / gap : 0;
  pair.ny = gap > 0 ? dy / gap : 0;
  pair.nz = gap > 0 ? dz / gap : 1;
  pair.qx = points[3 * v]!;
  pair.qy = points[3 * v + 1]!;
  pair.qz = points[3 * v + 2]!;
  pair.kind = VERTEX;
  pair.feature = v;
  pair.isNearest = true;
  pair.isBack = false;
}

/** The fixed feature is an edge of a border. */
function nearestOnBorder(rotation: RotationContext, e: number): void {
  const { pair } = rotation;
  const { points, model } = pair.fixed;
  const a = 3 * model.edges[2 * e]!;
  const b = 3 * model.edges[2 * e + 1]!;
  const ux = points[b]! - points[a]!;
  const uy = points[b + 1]! - points[a + 1]!;
  const uz = points[b + 2]! - points[a + 2]!;
  const ax = pair.x - points[a]!;
  const ay = pair.y - points[a + 1]!;
  const az = pair.z - points[a + 2]!;
  const bx = pair.x - points[b]!;
  const by = pair.y - points[b + 1]!;
  const bz = pair.z - points[b + 2]!;
  const lengthSq = ux * ux + uy * uy + uz * uz;
  const along = ax * ux + ay * uy + az * uz;
  // From the nearer end, so that what is subtracted is short.
  const back = 2 * along > lengthSq;
  const t = back ? Math.min(0, (along - lengthSq) / lengthSq) : Math.max(0, along / lengthSq);
  let dx = (back ? bx : ax) - t * ux;
  let dy = (back ? by : ay) - t * uy;
  let dz = (back ? bz : az) - t * uz;
  if (t !== 0) {
    // So near, d has few right digits: upright on the edge it has to be all the same.
    const off = (dx * ux + dy * uy + dz * uz) / lengthSq;
    dx -= off * ux;
    dy -= off * uy;
    dz -= off * uz;
  }
  const gap = Math.sqrt(dx * dx + dy * dy + dz * dz);
  pair.gap = gap;
  pair.nx = gap > 0 ? dx / gap : 0;
  pair.ny = gap > 0 ? dy / gap : 0;
  pair.nz = gap > 0 ? dz / gap : 1;
  pair.qx = pair.x - dx;
  pair.qy = pair.y - dy;
  pair.qz = pair.z - dz;
  pair.clear = Math.min(
    pair.nx * ax + pair.ny * ay + pair.nz * az,
    pair.nx * bx + pair.ny * by + pair.nz * bz,
  );
  pair.kind = t === 0 ? VERTEX : EDGE;
  pair.feature = t !== 0 ? e : back ? b / 3 : a / 3;
  pair.isBack = false;
  setOffset(rotation, dx, dy, dz);
  // In touch, the polygons there know more.
  pair.isNearest =
    gap > rotation.touch && (t === 0 ? facesVertex(rotation, pair.feature) : facesEdge(rotation, e, -1));
}

/** The nearest point of polygon f to the point in `pair`, the direction from there, and whether it faces the point. */
function nearestOnPolygon(rotation: RotationContext, f: number): void {
  const { pair } = rotation;
  const { points, planes, model } = pair.fixed;
  const { polygonStart, polygonVertices, polygonEdges } = model;
  const start = polygonStart[f]!;
  const stop = polygonStart[f + 1]!;
  const { x, y, z } = pair;
  const nx = planes[4 * f]!;
  const ny = planes[4 * f + 1]!;
  const nz = planes[4 * f + 2]!;
  let leastSq = Infinity;
  let dx = 0;
  let dy = 0;
  let dz = 0;
  let sx = 0;
  let sy = 0;
  let sz = 0;
  let kind = POLYGON;
  let feature = f;
  let isOutside = false;
  let isFar = true;
  let b = 3 * polygonVertices[stop - 1]!;
  let ax = x - points[b]!;
  let ay = y - points[b + 1]!;
  let az = z - points[b + 2]!;
  for (let i = start; i < stop; i++) {
    // The side from the corner before this one (a) to this one (b); ax, … is from a to the point.
    const a = b;
    b = 3 * polygonVertices[i]!;
    const ux = points[b]! - points[a]!;
    const uy = points[b + 1]! - points[a + 1]!;
    const uz = points[b + 2]! - points[a + 2]!;
    const bx = x - points[b]!;
    const by = y - points[b + 1]!;
    const bz = z - points[b + 2]!;
    const inward = ax * (ny * uz - nz * uy) + ay * (nz * ux - nx * uz) + az * (nx * uy - ny * ux);
    const length = Math.abs(ux) + Math.abs(uy) + Math.abs(uz);
    if (inward < 0) isOutside = true;
    if (inward < 16 * rotation.touch * length) isFar = false;
    // Sides may lie on one line, and of the two the rounding of `inward` must not choose the wrong one.
    if (inward < rotation.tolerance * length) {
      const along = ax * ux + ay * uy + az * uz;
      const lengthSq = ux * ux + uy * uy + uz * uz;
      let vx = ax;
      let vy = ay;
      let vz = az;
      let vKind = VERTEX;
      let vFeature = a / 3;
      if (along >= lengthSq) {
        vx = bx;
        vy = by;
        vz = bz;
        vFeature = b / 3;
      } else if (along > 0) {
        // From the nearer end, so that what is subtracted is short.
        const back = 2 * along > lengthSq;
        const t = back ? (along - lengthSq) / lengthSq : along / lengthSq;
        vx = (back ? bx : ax) - t * ux;
        vy = (back ? by : ay) - t * uy;
        vz = (back ? bz : az) - t * uz;
        vKind = EDGE;
        const e = polygonEdges[i === start ? stop - 1 : i - 1]!;
        vFeature = e < 0 ? ~e : e;
      }
      const sq = vx * vx + vy * vy + vz * vz;
      if (sq < leastSq) {
        leastSq = sq;
        dx = vx;
        dy = vy;
        dz = vz;
        sx = ux;
        sy = uy;
        sz = uz;
        kind = vKind;
        feature = vFeature;
      }
    }
    ax = bx;
    ay = by;
    az = bz;
  }
  if (!isOutside) {
    kind = POLYGON;
    feature = f;
  }
  pair.kind = kind;
  pair.isInside = !isOutside;
  pair.isClearOfRim = isFar;
  pair.feature = feature;
  const isFront = model.sides === 'front';
  if (kind === POLYGON) {
    const h = nx * ax + ny * ay + nz * az;
    const s = rotation.side !== 0 ? rotation.side : sideOf(rotation, isFront, h, nx, ny, nz);
    pair.gap = pair.clear = s * h < 0 && rotation.side === 0 ? 0 : s * h;
    pair.nx = s * nx;
    pair.ny = s * ny;
    pair.nz = s * nz;
    pair.qx = x - h * nx;
    pair.qy = y - h * ny;
    pair.qz = z - h * nz;
    pair.isBack = isFront && rotation.side === 0 && h < -2 * rotation.touch;
    pair.isNearest = !pair.isBack;
    return;
  }
  const gap = Math.sqrt(leastSq);
  pair.gap = gap;
  pair.qx = x - dx;
  pair.qy = y - dy;
  pair.qz = z - dz;
  setOffset(rotation, dx, dy, dz);
  const h = dx * nx + dy * ny + dz * nz;
  // What touched the edge from its front must not go behind both polygons there.
  if (rotation.side * h < -rotation.touch && kind === EDGE && isBehindOther(rotation, feature, f)) {
    pair.gap = pair.clear = -gap;
    pair.nx = rotation.side * nx;
    pair.ny = rotation.side * ny;
    pair.nz = rotation.side * nz;
    pair.isBack = false;
    pair.isNearest = true;
    return;
  }
  pair.isBack = isFront && h < -2 * rotation.touch;
  pair.isNearest =
    !pair.isBack && (kind === EDGE ? facesEdge(rotation, feature, f) : facesVertex(rotation, feature));
  // In a groove and in touch, it is on both of its sides.
  if (gap <= rotation.touch && kind === EDGE && model.edgeKinds[feature] === INTERNAL_EDGE)
    pair.isNearest = !pair.isBack;
  if (gap > rotation.touch && kind === EDGE) {
    // So near, d has few right digits, but some direction that is upright on the edge and not over the polygon is found.
    const ix = ny * sz - nz * sy;
    const iy = nz * sx - nx * sz;
    const iz = nx * sy - ny * sx;
    const over = Math.min(0, (dx * ix + dy * iy + dz * iz) / (ix * ix + iy * iy + iz * iz));
    const vx = h * nx + over * ix;
    const vy = h * ny + over * iy;
    const vz = h * nz + over * iz;
    const length = Math.sqrt(vx * vx + vy * vy + vz * vz);
    pair.nx = vx / length;
    pair.ny = vy / length;
    pair.nz = vz / length;
    pair.clear = pair.nx * dx + pair.ny * dy + pair.nz * dz;
  } else if (gap > rotation.touch) {
    pair.nx = dx / gap;
    pair.ny = dy / gap;
    pair.nz = dz / gap;
    pair.clear = clearOfCorners(rotation, points, polygonVertices, start, stop);
  } else {
    // On the edge: any direction in its cone will do, and the normal is one.
    const s = rotation.side !== 0 ? rotation.side : sideOf(rotation, isFront, h, nx, ny, nz);
    pair.nx = s * nx;
    pair.ny = s * ny;
    pair.nz = s * nz;
    pair.clear = gap;
  }
}

function setOffset({ offset }: RotationContext, dx: number, dy: number, dz: number): void {
  offset.nx = dx;
  offset.ny = dy;
  offset.nz = dz;
}

/** How far the point in `pair` is above all corners of a polygon, in the direction of `pair`. */
function clearOfCorners(
  rotation: RotationContext,
  points: Float64Array,
  corners: Int32Array,
  start: number,
  stop: number,
): number {
  const { pair } = rotation;
  let least = Infinity;
  for (let i = start; i < stop; i++) {
    const c = 3 * corners[i]!;
    const up =
      pair.nx * (pair.x - points[c]!) +
      pair.ny * (pair.y - points[c + 1]!) +
      pair.nz * (pair.z - points[c + 2]!);
    if (up < least) least = up;
  }
  return least;
}

// ---- On which side ------------------------------------------------------------------------------------------------------

/** Is no neighbour of the rotating vertex nearer to what stands still? */
function isForemost(rotation: RotationContext): boolean {
  const { pair, startDirection } = rotation;
  directionAtStart(rotation);
  // The direction is known as well as the distance.
  const lean = pair.kind === POLYGON || pair.gap <= rotation.touch ? 0 : (4 * rotation.tolerance) / pair.gap;
  return isInVertexCone(pair.moving, pair.movingIndex, startDirection, -1, 4 * rotation.touch, lean);
}

/** On which side of a polygon with normal n, at whose height h it is, the vertex in `pair` is. */
export const sideOf = (
  rotation: RotationContext,
  isFront: boolean,
  h: number,
  nx: number,
  ny: number,
  nz: number,
): number =>
  isFront ? 1 : Math.abs(h) <= rotation.touch ? sideOfBody(rotation, h, nx, ny, nz) : h > 0 ? 1 : -1;

/**
 * On which side of a plane with normal n, at whose height h the rotating vertex is, its body is: where its neighbours are; if
 * those are in the plane or on both sides, where the vertex is; if that is undecided, where the middle of the
 * body is; and if that is in the plane as well, where it goes.
 */
function sideOfBody(rotation: RotationContext, h: number, nx: number, ny: number, nz: number): number {
  const { arc, pair, startDirection, middle } = rotation;
  pair.nx = nx;
  pair.ny = ny;
  pair.nz = nz;
  directionAtStart(rotation);
  const { nx: sx, ny: sy, nz: sz } = startDirection;
  const { points, model } = pair.moving;
  const { start, ring } = vertexRing(model);
  const tolerance = 4 * rotation.touch;
  let low = 0;
  let high = 0;
  for (let i = start[pair.movingIndex]!; i < start[pair.movingIndex + 1]!; i++) {
    const w = 3 * ring[i]!;
    const up = sx * (points[w]! - arc.x) + sy * (points[w + 1]! - arc.y) + sz * (points[w + 2]! - arc.z);
    low = Math.min(low, up);
    high = Math.max(high, up);
  }
  if (high > tolerance && low >= -tolerance) return 1;
  if (low < -tolerance && high <= tolerance) return -1;
  if (Math.abs(h) > 0.25 * rotation.tolerance) return h > 0 ? 1 : -1;
  const up = sx * (middle.x - arc.x) + sy * (middle.y - arc.y) + sz * (middle.z - arc.z);
  if (Math.abs(up) > tolerance) return up > 0 ? 1 : -1;
  return isAhead(rotation, nx, ny, nz) ? 1 : -1;
}

/** On which side of polygon f the vertex in `pair` is; 0 if it is beside it. */
export function sideOfPolygon(rotation: RotationContext): number {
  const { pair } = rotation;
  const { planes, model } = pair.fixed;
  const f = pair.index;
  if (f < 0 || (pair.kind !== POLYGON && pair.gap > rotation.touch)) return 0;
  if (model.sides === 'front') return 1;
  return planes[4 * f]! * pair.nx + planes[4 * f + 1]! * pair.ny + planes[4 * f + 2]! * pair.nz < 0 ? -1 : 1;
}

/** Is the point at `offset` from the edge of polygon f behind the other polygon there too? */
function isBehindOther({ pair, offset, side, touch }: RotationContext, e: number, f: number): boolean {
  const { model, planes } = pair.fixed;
  const forward = model.edgePolygons[2 * e]!;
  const g = forward === f ? model.edgePolygons[2 * e + 1]! : forward;
  if (g < 0) return false;
  const h = planes[4 * g]! * offset.nx + planes[4 * g + 1]! * offset.ny + planes[4 * g + 2]! * offset.nz;
  return side * h < -touch;
}

/** Is the point at `offset` from the edge of polygon f (or of none: -1) not nearer to the other polygons there? */
const facesEdge = ({ pair: { fixed }, offset, tolerance }: RotationContext, e: number, f: number): boolean =>
  fixed.model.edgeKinds[e] !== INTERNAL_EDGE && isInEdgeCone(fixed, e, offset, 1, tolerance, f);

/** Is the point at `offset` from a vertex not nearer to one of the edges there? */
const facesVertex = ({ pair: { fixed }, offset, tolerance }: RotationContext, v: number): boolean =>
  fixed.model.vertexTouches[v] !== 0 && isInVertexCone(fixed, v, offset, 1, 0, tolerance);

// ---- Times -----------------------------------------------------------------------------------------------------------

/** How high the vertex is over the plane of polygon f, and how that changes: to `height`. */
function measureHeight(rotation: RotationContext, f: number): void {
  const { pair, plane, height } = rotation;
  const { planes, points, model } = pair.fixed;
  const { x, y, z } = pair;
  const a = 3 * model.polygonVertices[model.polygonStart[f]!]!;
  plane.nx = planes[4 * f]!;
  plane.ny = planes[4 * f + 1]!;
  plane.nz = planes[4 * f + 2]!;
  height.value =
    plane.nx * (x - points[a]!) + plane.ny * (y - points[a + 1]!) + plane.nz * (z - points[a + 2]!);
  height.rise = riseAt(rotation, plane, x, y, z);
  height.bend = bendAt(rotation, plane, x, y, z);
}

/** When the vertex, which is behind the polygon, comes to its plane. */
export function comesRound(rotation: RotationContext): number {
  const { pair, height } = rotation;
  measureHeight(rotation, pair.index);
  const { value, rise, bend } = height;
  if (!(value < -1.5 * rotation.touch)) return pair.r;
  return addHalfAngles(pair.r, firstZero(-value - rotation.touch, -rise, -bend));
}

/**
 * Up to when the vertex is farther than `level` (which is less than `pair.gap`): a plane keeps the polygon on its far side,
 * and the vertex does not come to within `level` of that before.
 */
export function vertexStaysAbove(rotation: RotationContext, level: number): number {
  const { arc, pair } = rotation;
  const bend = bendAt(rotation, pair, pair.x, pair.y, pair.z);
  let r = (pair.gap - level) / (2 * arc.reach);
  if (pair.clear > level) r = Math.max(r, firstZero(pair.clear - level, pair.rate, bend));
  // The distance from a convex thing grows at least as the path along the direction from it, which is known as well as the
  // gap is long.
  else if (pair.gap > rotation.touch) {
    const lean = ((4 * rotation.tolerance) / pair.gap) * arc.reach;
    r = Math.max(r, firstZero(pair.gap - level, pair.rate - lean, bend + lean));
  }
  if (pair.kind === VERTEX && level > rotation.touch) r = Math.max(r, staysAtVertex(rotation, level));
  return addHalfAngles(pair.r, r);
}

const otherEnd = (edges: Int32Array, e: number, v: number): number =>
  edges[2 * e] === v ? edges[2 * e + 1]! : edges[2 * e]!;

/**
 * The same for one that is nearest to a vertex of the polygon (or that stands alone), such as what rotates about it: as long as
 * it is, the distance from the vertex counts.
 */
function staysAtVertex(rotation: RotationContext, level: number): number {
  const { onward, pair, ball } = rotation;
  const { model, points } = pair.fixed;
  const f = pair.index;
  startArc(onward, rotation, pair.x, pair.y, pair.z);
  const { cx, cy, cz, ux, uy, uz } = onward;
  const dx = pair.x - pair.qx;
  const dy = pair.y - pair.qy;
  const dz = pair.z - pair.qz;
  ball.dx = dx;
  ball.dy = dy;
  ball.dz = dz;
  ball.radius = level;
  let r = firstInBall(onward, ball);
  if (f < 0 && model.sources.length === 0) return r;
  const { polygonStart, polygonVertices, edges } = model;
  const first = f < 0 ? 0 : polygonStart[f]!;
  const count = f < 0 ? 2 : polygonStart[f + 1]! - first;
  let at = 0;
  if (f >= 0) while (polygonVertices[first + at] !== pair.feature) at++;
  for (let step = 1; step < count; step += Math.max(1, count - 2)) {
    // Behind the end of the side to the next corner, and of that to the one before; or of the edge.
    const v = 3 * pair.feature;
    const w =
      3 * (f < 0 ? otherEnd(edges, ~f, pair.feature) : polygonVertices[first + ((at + step) % count)]!);
    const sx = points[v]! - points[w]!;
    const sy = points[v + 1]! - points[w + 1]!;
    const sz = points[v + 2]! - points[w + 2]!;
    const behind =
      dx * sx + dy * sy + dz * sz - 2 * rotation.tolerance * (Math.abs(sx) + Math.abs(sy) + Math.abs(sz));
    if (!(behind > 0)) return 0;
    r = Math.min(r, firstZero(behind, cx * sx + cy * sy + cz * sz, ux * sx + uy * sy + uz * sz));
  }
  return r;
}

/**
 * The zero-gap time: when the vertex as last measured meets the plane of the polygon. van Waveren 2005, §2.4. Infinity from
 * the back of what is touched from the front only.
 */
export function planeMeets(rotation: RotationContext): number {
  const { pair, height } = rotation;
  if (pair.index < 0) return Infinity;
  measureHeight(rotation, pair.index);
  const { value, rise, bend } = height;
  if (value < 0 && pair.fixed.model.sides === 'front') return Infinity;
  const side = value < 0 ? -1 : 1;
  return addHalfAngles(pair.r, firstZero(side * value, side * rise, side * bend));
}

/** The next time to look at a vertex that is moving outward: it has left the zone then, or is at the top of its path. */
export function vertexRises(rotation: RotationContext, level: number): number {
  const { pair } = rotation;
  const bend = bendAt(rotation, pair, pair.x, pair.y, pair.z);
  const leaves = level > pair.gap ? firstZero(level - pair.gap, -pair.rate, -bend) : 0;
  const top = pair.rate > 0.25 * rotation.slack ? firstTop(pair.rate, bend) : Infinity;
  return addHalfAngles(pair.r, Math.min(leaves, top));
}

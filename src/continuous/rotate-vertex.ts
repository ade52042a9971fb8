/** A turning vertex and a standing polygon: when they can be near at the earliest, and their distance at one time. */
import { ball, firstInBall, firstZero } from './half-angle.ts';
import { EDGE, POLYGON, VERTEX } from './job.ts';
import { arc, now, type Still, turn, turning } from './rotate-state.ts';
import { facesEdge, facesVertex, isBehindOther, isForemost, sideOf } from './rotate-vertex-side.ts';
import { INTERNAL_EDGE } from './types.ts';

/** Puts vertex v of a body on its arc about the axis. */
export function startVertex(body: Still, v: number): void {
  const { points } = body;
  turning.body = body;
  arc.vertex = v;
  startArc(points[3 * v]!, points[3 * v + 1]!, points[3 * v + 2]!);
}

/** Puts the point (x, y, z) on its arc about the axis. */
export function startArc(x: number, y: number, z: number): void {
  const { kx, ky, kz } = turn;
  const dx = x - turn.ox;
  const dy = y - turn.oy;
  const dz = z - turn.oz;
  const along = kx * dx + ky * dy + kz * dz;
  arc.x = x;
  arc.y = y;
  arc.z = z;
  arc.cx = ky * dz - kz * dy;
  arc.cy = kz * dx - kx * dz;
  arc.cz = kx * dy - ky * dx;
  arc.px = dx - along * kx;
  arc.py = dy - along * ky;
  arc.pz = dz - along * kz;
  arc.reach = Math.sqrt(arc.cx * arc.cx + arc.cy * arc.cy + arc.cz * arc.cz);
}

/**
 * When the vertex of `arc` can be within the zone of polygon f at the earliest, as far as its plane tells: tan(α/2).
 * From the back of a model that is touched from the front only, the time when it comes round to the front.
 */
export function planeEntry(still: Still, f: number): number {
  const { planes, points, model } = still;
  const nx = planes[4 * f]!;
  const ny = planes[4 * f + 1]!;
  const nz = planes[4 * f + 2]!;
  const a = 3 * model.polygonVertices[model.polygonStart[f]!]!;
  const h = nx * (arc.x - points[a]!) + ny * (arc.y - points[a + 1]!) + nz * (arc.z - points[a + 2]!);
  const rise = nx * arc.cx + ny * arc.cy + nz * arc.cz;
  const bend = nx * arc.px + ny * arc.py + nz * arc.pz;
  turn.isBehind = false;
  if (h > turn.accept) return firstZero(h - turn.enter, rise, bend);
  if (model.sides === 'front') {
    if (h >= -2 * turn.touch) return 0;
    turn.isBehind = true;
    return firstZero(-h, -rise, -bend);
  }
  return h < -turn.accept ? firstZero(-h - turn.enter, -rise, -bend) : 0;
}

/** When the vertex of `arc` comes to `ball`, whose place and size are set. */
function arcInBall(): number {
  ball.cx = arc.cx;
  ball.cy = arc.cy;
  ball.cz = arc.cz;
  ball.ux = arc.px;
  ball.uy = arc.py;
  ball.uz = arc.pz;
  return firstInBall();
}

/** When the vertex of `arc` comes to the ball about box i, with the zone, at the earliest. */
export function ballEntry(boxes: Float64Array, i: number): number {
  const k = 6 * i;
  const x = boxes[k + 3]! - boxes[k]!;
  const y = boxes[k + 4]! - boxes[k + 1]!;
  const z = boxes[k + 5]! - boxes[k + 2]!;
  ball.dx = arc.x - boxes[k]! - 0.5 * x;
  ball.dy = arc.y - boxes[k + 1]! - 0.5 * y;
  ball.dz = arc.z - boxes[k + 2]! - 0.5 * z;
  ball.radius = 0.5 * Math.sqrt(x * x + y * y + z * z) + turn.leave;
  return arcInBall();
}

/** When the vertex of `arc` comes to the ball about edge e, with the zone, at the earliest. */
export function borderEntry({ model, points }: Still, e: number): number {
  const a = 3 * model.edges[2 * e]!;
  const b = 3 * model.edges[2 * e + 1]!;
  const x = points[b]! - points[a]!;
  const y = points[b + 1]! - points[a + 1]!;
  const z = points[b + 2]! - points[a + 2]!;
  ball.dx = arc.x - points[a]! - 0.5 * x;
  ball.dy = arc.y - points[a + 1]! - 0.5 * y;
  ball.dz = arc.z - points[a + 2]! - 0.5 * z;
  ball.radius = 0.5 * Math.sqrt(x * x + y * y + z * z) + turn.leave;
  return arcInBall();
}

/**
 * Moves the vertex on to the time r and measures: fills `now`. Against polygon f, or if f is negative against edge ~f, or
 * against vertex ~f of a model without polygons.
 */
export function measureVertex(still: Still, f: number, r: number): void {
  const scale = 2 / (1 + r * r);
  const sine = scale * r;
  const versine = sine * r;
  const x = arc.x + (sine * arc.cx - versine * arc.px);
  const y = arc.y + (sine * arc.cy - versine * arc.py);
  const z = arc.z + (sine * arc.cz - versine * arc.pz);
  now.r = r;
  now.x = x;
  now.y = y;
  now.z = z;
  rim.isFar = false;
  if (f < 0 && still.model.sources.length > 0) nearestOnBorder(still, ~f);
  else if (f < 0) nearestVertex(still, ~f);
  else nearestOnPolygon(still, f);
  const cosine = 1 - versine;
  now.rate =
    now.nx * (arc.cx * cosine - arc.px * sine) +
    now.ny * (arc.cy * cosine - arc.py * sine) +
    now.nz * (arc.cz * cosine - arc.pz * sine);
  if (now.valid && now.gap <= turn.leave && now.gap >= 0) now.valid = isForemost();
  // On a polygon, not at its border, and on the way through it.
  now.isBlocked = rim.isFar && now.isInside && now.gap <= turn.touch && now.rate < -turn.slack;
}

/** Is the vertex clear of all sides of the polygon it is over? */
const rim = { isFar: false };

/** The standing thing is a vertex. */
function nearestVertex({ points }: Still, v: number): void {
  const dx = now.x - points[3 * v]!;
  const dy = now.y - points[3 * v + 1]!;
  const dz = now.z - points[3 * v + 2]!;
  const gap = Math.sqrt(dx * dx + dy * dy + dz * dz);
  now.gap = now.clear = gap;
  now.nx = gap > 0 ? dx / gap : 0;
  now.ny = gap > 0 ? dy / gap : 0;
  now.nz = gap > 0 ? dz / gap : 1;
  now.qx = points[3 * v]!;
  now.qy = points[3 * v + 1]!;
  now.qz = points[3 * v + 2]!;
  now.kind = VERTEX;
  now.feature = v;
  now.valid = true;
  now.isBack = false;
}

/** The standing thing is an edge of a border. */
function nearestOnBorder(still: Still, e: number): void {
  const { points, model } = still;
  const a = 3 * model.edges[2 * e]!;
  const b = 3 * model.edges[2 * e + 1]!;
  const ux = points[b]! - points[a]!;
  const uy = points[b + 1]! - points[a + 1]!;
  const uz = points[b + 2]! - points[a + 2]!;
  const ax = now.x - points[a]!;
  const ay = now.y - points[a + 1]!;
  const az = now.z - points[a + 2]!;
  const bx = now.x - points[b]!;
  const by = now.y - points[b + 1]!;
  const bz = now.z - points[b + 2]!;
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
  now.gap = gap;
  now.nx = gap > 0 ? dx / gap : 0;
  now.ny = gap > 0 ? dy / gap : 0;
  now.nz = gap > 0 ? dz / gap : 1;
  now.qx = now.x - dx;
  now.qy = now.y - dy;
  now.qz = now.z - dz;
  now.clear = Math.min(now.nx * ax + now.ny * ay + now.nz * az, now.nx * bx + now.ny * by + now.nz * bz);
  now.kind = t === 0 ? VERTEX : EDGE;
  now.feature = t !== 0 ? e : back ? b / 3 : a / 3;
  now.isBack = false;
  // In touch, the polygons there tell more.
  now.valid =
    gap > turn.touch &&
    (t === 0 ? facesVertex(still, now.feature, dx, dy, dz) : facesEdge(still, e, -1, dx, dy, dz));
}

/** The nearest point of polygon f to the point in `now`, the direction from there, and whether it faces the point. */
function nearestOnPolygon(still: Still, f: number): void {
  const { points, planes, model } = still;
  const { polygonStart, polygonVertices, polygonEdges } = model;
  const start = polygonStart[f]!;
  const stop = polygonStart[f + 1]!;
  const { x, y, z } = now;
  const nx = planes[4 * f]!;
  const ny = planes[4 * f + 1]!;
  const nz = planes[4 * f + 2]!;
  let leastSq = Number.POSITIVE_INFINITY;
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
    if (inward < 16 * turn.touch * length) isFar = false;
    // Sides may lie on one line, and of the two the rounding of `inward` must not choose the wrong one.
    if (inward < turn.tolerance * length) {
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
  now.kind = kind;
  now.isInside = !isOutside;
  rim.isFar = isFar;
  now.feature = feature;
  const isFront = model.sides === 'front';
  if (kind === POLYGON) {
    const h = nx * ax + ny * ay + nz * az;
    const s = turn.side !== 0 ? turn.side : sideOf(isFront, h, nx, ny, nz);
    now.gap = now.clear = s * h < 0 && turn.side === 0 ? 0 : s * h;
    now.nx = s * nx;
    now.ny = s * ny;
    now.nz = s * nz;
    now.qx = x - h * nx;
    now.qy = y - h * ny;
    now.qz = z - h * nz;
    now.isBack = isFront && turn.side === 0 && h < -2 * turn.touch;
    now.valid = !now.isBack;
    return;
  }
  const gap = Math.sqrt(leastSq);
  now.gap = gap;
  now.qx = x - dx;
  now.qy = y - dy;
  now.qz = z - dz;
  const h = dx * nx + dy * ny + dz * nz;
  // What touched the edge from its front must not go behind both polygons there.
  if (turn.side * h < -turn.touch && kind === EDGE && isBehindOther(still, feature, f, dx, dy, dz)) {
    now.gap = now.clear = -gap;
    now.nx = turn.side * nx;
    now.ny = turn.side * ny;
    now.nz = turn.side * nz;
    now.isBack = false;
    now.valid = true;
    return;
  }
  now.isBack = isFront && h < -2 * turn.touch;
  now.valid =
    !now.isBack &&
    (kind === EDGE ? facesEdge(still, feature, f, dx, dy, dz) : facesVertex(still, feature, dx, dy, dz));
  // In a groove and in touch, it is on both of its sides.
  if (gap <= turn.touch && kind === EDGE && model.edgeKinds[feature] === INTERNAL_EDGE)
    now.valid = !now.isBack;
  if (gap > turn.touch && kind === EDGE) {
    // So near, d has few right digits, but some direction that is upright on the edge and not over the polygon is found.
    const ix = ny * sz - nz * sy;
    const iy = nz * sx - nx * sz;
    const iz = nx * sy - ny * sx;
    const over = Math.min(0, (dx * ix + dy * iy + dz * iz) / (ix * ix + iy * iy + iz * iz));
    const vx = h * nx + over * ix;
    const vy = h * ny + over * iy;
    const vz = h * nz + over * iz;
    const length = Math.sqrt(vx * vx + vy * vy + vz * vz);
    now.nx = vx / length;
    now.ny = vy / length;
    now.nz = vz / length;
    now.clear = now.nx * dx + now.ny * dy + now.nz * dz;
  } else if (gap > turn.touch) {
    now.nx = dx / gap;
    now.ny = dy / gap;
    now.nz = dz / gap;
    now.clear = clearOfCorners(points, polygonVertices, start, stop);
  } else {
    // On the edge: any direction in its cone will do, and the normal is one.
    const s = turn.side !== 0 ? turn.side : sideOf(isFront, h, nx, ny, nz);
    now.nx = s * nx;
    now.ny = s * ny;
    now.nz = s * nz;
    now.clear = gap;
  }
}

/** How far the point in `now` is above all corners of a polygon, in the direction of `now`. */
function clearOfCorners(points: Float64Array, corners: Int32Array, start: number, stop: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = start; i < stop; i++) {
    const c = 3 * corners[i]!;
    const up =
      now.nx * (now.x - points[c]!) + now.ny * (now.y - points[c + 1]!) + now.nz * (now.z - points[c + 2]!);
    if (up < least) least = up;
  }
  return least;
}

/** A turning vertex and a standing polygon: their distance, and how long it stays above a level. */
import { firstTop, firstZero, turnOn } from './half-angle.ts';
import { EDGE, POLYGON, VERTEX } from './job.ts';
import { arc, middle, now, type Still, turn } from './rotate-state.ts';
import { INTERNAL_EDGE } from './types.ts';
import { vertexRing } from './vertex-ring.ts';

/** Puts the vertex at (x, y, z) on its arc about the axis. */
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
    if (h >= -turn.tolerance) return 0;
    turn.isBehind = true;
    return firstZero(-h, -rise, -bend);
  }
  return h < -turn.accept ? firstZero(-h - turn.enter, -rise, -bend) : 0;
}

/** Moves the vertex on to the time r and measures: fills `now`. */
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
  if (f < 0) nearestVertex(still, ~f);
  else nearestOnPolygon(still, f);
  const cosine = 1 - versine;
  now.rate =
    now.nx * (arc.cx * cosine - arc.px * sine) +
    now.ny * (arc.cy * cosine - arc.py * sine) +
    now.nz * (arc.cz * cosine - arc.pz * sine);
}

/** The standing thing is a vertex. */
function nearestVertex({ points }: Still, v: number): void {
  const dx = now.x - points[3 * v]!;
  const dy = now.y - points[3 * v + 1]!;
  const dz = now.z - points[3 * v + 2]!;
  const gap = Math.sqrt(dx * dx + dy * dy + dz * dz);
  now.gap = gap;
  now.nx = gap > 0 ? dx / gap : 0;
  now.ny = gap > 0 ? dy / gap : 0;
  now.nz = gap > 0 ? dz / gap : 1;
  now.qx = points[3 * v]!;
  now.qy = points[3 * v + 1]!;
  now.qz = points[3 * v + 2]!;
  now.kind = VERTEX;
  now.feature = v;
  now.valid = true;
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
  let kind = POLYGON;
  let feature = f;
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
    if (inward < 0) {
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
        kind = vKind;
        feature = vFeature;
      }
    }
    ax = bx;
    ay = by;
    az = bz;
  }
  now.kind = kind;
  now.isInside = kind === POLYGON;
  now.feature = feature;
  const isFront = model.sides === 'front';
  if (kind === POLYGON) {
    const h = nx * ax + ny * ay + nz * az;
    const isIn = Math.abs(h) <= turn.tolerance;
    const s = turn.side !== 0 ? turn.side : isFront || (isIn ? isAhead(nx, ny, nz, x, y, z) : h > 0) ? 1 : -1;
    now.gap = s * h < 0 && turn.side === 0 ? 0 : s * h;
    now.nx = s * nx;
    now.ny = s * ny;
    now.nz = s * nz;
    now.qx = x - h * nx;
    now.qy = y - h * ny;
    now.qz = z - h * nz;
    now.valid = !isFront || h >= -turn.tolerance || turn.side !== 0;
    return;
  }
  const gap = Math.sqrt(leastSq);
  now.gap = gap;
  now.qx = x - dx;
  now.qy = y - dy;
  now.qz = z - dz;
  now.valid =
    !(isFront && dx * nx + dy * ny + dz * nz < -turn.tolerance) &&
    (kind === EDGE ? facesEdge(still, feature, f, dx, dy, dz) : facesVertex(still, feature, dx, dy, dz));
  if (gap > turn.tolerance) {
    now.nx = dx / gap;
    now.ny = dy / gap;
    now.nz = dz / gap;
  } else {
    // On the edge: any direction in its cone will do, and the normal is one.
    now.nx = nx;
    now.ny = ny;
    now.nz = nz;
  }
}

const isAhead = (nx: number, ny: number, nz: number, x: number, y: number, z: number): boolean =>
  nx * (middle.x - x) + ny * (middle.y - y) + nz * (middle.z - z) >= 0;

/** On which side of polygon f the vertex in `now` starts: where its body is, if it is in the plane. */
export function sideOfPolygon({ planes, model }: Still, f: number): number {
  if (f < 0 || (now.kind !== POLYGON && now.gap > turn.tolerance)) return 0;
  if (model.sides === 'front') return 1;
  const nx = planes[4 * f]!;
  const ny = planes[4 * f + 1]!;
  const nz = planes[4 * f + 2]!;
  const { x, y, z, qx, qy, qz } = now;
  const h = nx * (x - qx) + ny * (y - qy) + nz * (z - qz);
  return (Math.abs(h) <= turn.tolerance ? isAhead(nx, ny, nz, x, y, z) : h > 0) ? 1 : -1;
}

/** Is the point at d from the edge of polygon f not nearer to the other polygon there? */
function facesEdge(still: Still, e: number, f: number, dx: number, dy: number, dz: number): boolean {
  const { model, points, planes } = still;
  if (model.edgeKinds[e] === INTERNAL_EDGE) return false;
  const forward = model.edgePolygons[2 * e]!;
  const back = model.edgePolygons[2 * e + 1]!;
  const g = forward === f ? back : forward;
  if (g < 0) return true;
  const sense = g === forward ? 1 : -1;
  const a = 3 * model.edges[2 * e]!;
  const b = 3 * model.edges[2 * e + 1]!;
  const ux = sense * (points[b]! - points[a]!);
  const uy = sense * (points[b + 1]! - points[a + 1]!);
  const uz = sense * (points[b + 2]! - points[a + 2]!);
  const nx = planes[4 * g]!;
  const ny = planes[4 * g + 1]!;
  const nz = planes[4 * g + 2]!;
  const inward = dx * (ny * uz - nz * uy) + dy * (nz * ux - nx * uz) + dz * (nx * uy - ny * ux);
  return inward <= turn.tolerance * Math.sqrt(ux * ux + uy * uy + uz * uz);
}

/** Is the point at d from a vertex not nearer to one of the edges there? */
function facesVertex(still: Still, v: number, dx: number, dy: number, dz: number): boolean {
  const { model, points } = still;
  if (model.vertexTouches[v] === 0) return false;
  const { start, ring } = vertexRing(model);
  for (let i = start[v]!; i < start[v + 1]!; i++) {
    const w = 3 * ring[i]!;
    const ux = points[w]! - points[3 * v]!;
    const uy = points[w + 1]! - points[3 * v + 1]!;
    const uz = points[w + 2]! - points[3 * v + 2]!;
    const along = dx * ux + dy * uy + dz * uz;
    if (along > 0 && along > turn.tolerance * Math.sqrt(ux * ux + uy * uy + uz * uz)) return false;
  }
  return true;
}

/**
 * Up to when the vertex is farther than `level` (which is less than `now.gap`): the plane through the nearest point keeps
 * the polygon on its far side, and the vertex does not come to within `level` of that before.
 */
export function vertexStaysAbove(level: number): number {
  const x = now.x - turn.ox;
  const y = now.y - turn.oy;
  const z = now.z - turn.oz;
  const along = turn.kx * x + turn.ky * y + turn.kz * z;
  const nAxis = now.nx * turn.kx + now.ny * turn.ky + now.nz * turn.kz;
  const bend = now.nx * x + now.ny * y + now.nz * z - along * nAxis;
  return turnOn(now.r, firstZero(now.gap - level, now.rate, bend));
}

/**
 * The zero-gap time: when the vertex as last measured meets the plane of polygon f. van Waveren 2005, §2.4. Infinity from
 * the back of what is touched from the front only.
 */
export function planeMeets({ planes, model }: Still, f: number): number {
  if (f < 0) return Number.POSITIVE_INFINITY;
  const px = planes[4 * f]!;
  const py = planes[4 * f + 1]!;
  const pz = planes[4 * f + 2]!;
  const h = px * (now.x - now.qx) + py * (now.y - now.qy) + pz * (now.z - now.qz);
  if (h < 0 && model.sides === 'front') return Number.POSITIVE_INFINITY;
  const side = h < 0 ? -1 : 1;
  const { kx, ky, kz } = turn;
  const x = now.x - turn.ox;
  const y = now.y - turn.oy;
  const z = now.z - turn.oz;
  const rise = px * (ky * z - kz * y) + py * (kz * x - kx * z) + pz * (kx * y - ky * x);
  const bend = px * x + py * y + pz * z - (kx * x + ky * y + kz * z) * (px * kx + py * ky + pz * kz);
  return turnOn(now.r, firstZero(side * h, side * rise, side * bend));
}

/** The next time to look at a vertex that is moving outward: it has left the zone then, or is at the top of its way. */
export function vertexRises(level: number): number {
  const x = now.x - turn.ox;
  const y = now.y - turn.oy;
  const z = now.z - turn.oz;
  const along = turn.kx * x + turn.ky * y + turn.kz * z;
  const nAxis = now.nx * turn.kx + now.ny * turn.ky + now.nz * turn.kz;
  const bend = now.nx * x + now.ny * y + now.nz * z - along * nAxis;
  const leaves = level > now.gap ? firstZero(level - now.gap, -now.rate, -bend) : 0;
  const top = now.rate > 0.25 * turn.slack ? firstTop(now.rate, bend) : Number.POSITIVE_INFINITY;
  return turnOn(now.r, Math.min(leaves, top));
}

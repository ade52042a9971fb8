/**
 * Do two polyhedra cut through each other before anything moves? Told by edges that pierce polygons by more than rounding
 * (what touches, or is in by a rounding, is left to the zone), and for solids by a point of one that is inside the other.
 */
import { orient2d, orient3d } from '../math/orient.ts';
import type { Vec3 } from '../math/types.ts';
import { vec2, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { gatherPolygons, makePolygonList } from './axial-bsp.ts';
import type { SweepJob } from './job.ts';
import { POLYGON, VERTEX } from './job.ts';
import type { PolyhedralModel } from './types.ts';

const box = new Float64Array(6);
const near = makePolygonList();
/** A place in both, or a vertex that may be inside. */
const piercing = { x: 0.5, y: 0.5, z: 0.5 };
/** How deep is not rounding, in the job at hand. */
const limit = { deep: 0.5 };
/** Deeper than this, of the largest coordinate, is not rounding. As the error of coordinates in translations. */
const DEEP = 1.4210854715202004e-14; // 2^-46

/** Fills in the hit of the job (at t = 0) and answers true if so. @internal */
export function startOverlap(job: SweepJob): boolean {
  const { target } = job;
  limit.deep = DEEP * job.magnitude;
  box[0] = job.lowX;
  box[1] = job.lowY;
  box[2] = job.lowZ;
  box[3] = job.highX;
  box[4] = job.highY;
  box[5] = job.highZ;
  const count = gatherPolygons(target, box, near);
  for (let i = 0; i < count; i++) if (cutsPolygon(job, near.items[i]!)) return true;
  return startInside(job);
}

/** The same for two of which no polygons cut through each other: is one in the other? @internal */
export function startInside(job: SweepJob): boolean {
  const { mover, target } = job;
  limit.deep = DEEP * job.magnitude;
  const solidTarget = target.closed && target.sides === 'front';
  const solidMover = mover.closed && mover.sides === 'front';
  if (solidTarget && insideTarget(job)) return true;
  if (solidMover && aroundTarget(job)) return true;
  return solidTarget && solidMover && shareMiddle(job);
}

function found(
  job: SweepJob,
  moverKind: number,
  moverFeature: number,
  targetKind: number,
  targetFeature: number,
): void {
  job.found = true;
  job.penetrating = true;
  job.best = 0;
  job.gap = 0;
  job.moverKind = moverKind;
  job.moverFeature = moverFeature;
  job.targetKind = targetKind;
  job.targetFeature = targetFeature;
  job.x = piercing.x;
  job.y = piercing.y;
  job.z = piercing.z;
  const length = Math.sqrt(job.vx * job.vx + job.vy * job.vy + job.vz * job.vz);
  job.nx = length > 0 ? -job.vx / length : 0;
  job.ny = length > 0 ? -job.vy / length : 0;
  job.nz = length > 0 ? -job.vz / length : 1;
}

/** Does polygon f of the target cut through the mover, or an edge of the mover through it? */
function cutsPolygon(job: SweepJob, f: number): boolean {
  const { mover, target, points } = job;
  const { planes } = target;
  const nx = planes[4 * f]!;
  const ny = planes[4 * f + 1]!;
  const nz = planes[4 * f + 2]!;
  const d = planes[4 * f + 3]!;
  const vertices = mover.vertexTouches.length;
  let least = Infinity;
  let most = -Infinity;
  for (let v = 0; v < vertices; v++) {
    const h = nx * points[3 * v]! + ny * points[3 * v + 1]! + nz * points[3 * v + 2]! - d;
    if (h < least) least = h;
    if (h > most) most = h;
  }
  return least < -limit.deep && most > limit.deep && startsCut(job, f);
}

/** Does a polygon of the mover cut through polygon f of the target, whose plane the mover is on both sides of? @internal */
export function startsCut(job: SweepJob, f: number): boolean {
  limit.deep = DEEP * job.magnitude;
  for (let g = 0; g < job.mover.sources.length; g++) if (cutsEachOther(job, f, g)) return true;
  return false;
}

/** Where two polygons cross the line that their planes have in common, along it. */
const common = { x: 0.5, y: 0.5, z: 0.5, low: 0.5, high: 0.5, otherLow: 0.5, otherHigh: 0.5 };

/** Do polygon f of the target and polygon g of the mover cut through each other, for more than rounding in all directions? */
function cutsEachOther(job: SweepJob, f: number, g: number): boolean {
  const { mover, target, points } = job;
  const { planes: own } = target;
  const { planes: moved } = job;
  const nx = own[4 * f]!;
  const ny = own[4 * f + 1]!;
  const nz = own[4 * f + 2]!;
  const mx = moved[4 * g]!;
  const my = moved[4 * g + 1]!;
  const mz = moved[4 * g + 2]!;
  common.x = ny * mz - nz * my;
  common.y = nz * mx - nx * mz;
  common.z = nx * my - ny * mx;
  if (!crosses(mover, points, g, own, f)) return false;
  common.otherLow = common.low;
  common.otherHigh = common.high;
  if (!crosses(target, target.points, f, moved, g)) return false;
  const from = Math.max(common.low, common.otherLow);
  const to = Math.min(common.high, common.otherHigh);
  const scale = Math.sqrt(common.x * common.x + common.y * common.y + common.z * common.z);
  if (!(to > from)) return false;
  // Of a needle there may be hardly anything in the other, but that far from its sides.
  const clearly = !(to - from > limit.deep * scale);
  // Of planes that are nearly one the line in common is uncertain, and what is shared may be no deeper than rounding.
  if (
    !pierces(mover, points, g, target, target.points, own, f, clearly) &&
    !pierces(target, target.points, f, mover, points, moved, g, clearly)
  )
    return false;
  // In the middle of what they share: on both planes, at that place along the line.
  middle(nx, ny, nz, own[4 * f + 3]!, mx, my, mz, moved[4 * g + 3]!, 0.5 * (from + to), scale * scale);
  found(job, POLYGON, g, POLYGON, f);
  return true;
}

const start3 = vec3();
const end3 = vec3();
const corner = vec3();
const next = vec3();

function read(points: Float64Array, v: number, out: Vec3): void {
  out.x = points[3 * v]!;
  out.y = points[3 * v + 1]!;
  out.z = points[3 * v + 2]!;
}

/**
 * Does polygon f go through polygon g with a side, or a diagonal past corners that are in its plane but for rounding? By
 * exact signs; and not at a side of g but for rounding, if it is to be clear.
 */
function pierces(
  a: PolyhedralModel,
  p: Float64Array,
  f: number,
  b: PolyhedralModel,
  q: Float64Array,
  planes: Float64Array,
  g: number,
  clearly: boolean,
): boolean {
  const first = a.polygonStart[f]!;
  const count = a.polygonStart[f + 1]! - first;
  let before = 0;
  // Once round, and on to the first corner that is not in the plane.
  for (let k = 0; k < 2 * count; k++) {
    read(p, a.polygonVertices[first + (k % count)]!, end3);
    const height = heightOver(b, q, planes, g, end3);
    if (!(Math.abs(height) > limit.deep)) continue;
    if (before * height < 0 && goesThrough(b, q, g)) {
      if (!clearly) return true;
      v3.lerp(start3, end3, before / (before - height), piercing);
      if (inPolygon(b, q, planes, g, limit.deep)) return true;
    }
    if (before !== 0 && k >= count) return false;
    before = height;
    v3.copy(end3, start3);
  }
  return false;
}

function heightOver(
  { polygonStart, polygonVertices }: PolyhedralModel,
  points: Float64Array,
  planes: Float64Array,
  g: number,
  { x, y, z }: Vec3,
): number {
  read(points, polygonVertices[polygonStart[g]!]!, corner);
  return (
    planes[4 * g]! * (x - corner.x) +
    planes[4 * g + 1]! * (y - corner.y) +
    planes[4 * g + 2]! * (z - corner.z)
  );
}

/** Does the segment from `start3` to `end3`, which are on two sides of polygon g, meet it? */
function goesThrough(
  { polygonStart, polygonVertices }: PolyhedralModel,
  q: Float64Array,
  g: number,
): boolean {
  const from = polygonStart[g]!;
  const to = polygonStart[g + 1]!;
  let left = false;
  let right = false;
  for (let l = from; l < to; l++) {
    read(q, polygonVertices[l]!, corner);
    read(q, polygonVertices[l + 1 < to ? l + 1 : from]!, next);
    const side = orient3d(start3, end3, corner, next);
    if (side < 0) left = true;
    else if (side > 0) right = true;
  }
  return !(left && right);
}

/** Is a polygon on both sides of a plane? Then `common` tells where it crosses it. */
function crosses(
  model: PolyhedralModel,
  points: Float64Array,
  f: number,
  planes: Float64Array,
  plane: number,
): boolean {
  const nx = planes[4 * plane]!;
  const ny = planes[4 * plane + 1]!;
  const nz = planes[4 * plane + 2]!;
  const d = planes[4 * plane + 3]!;
  const { polygonStart, polygonVertices } = model;
  const first = polygonStart[f]!;
  const last = polygonStart[f + 1]!;
  let least = Infinity;
  let most = -Infinity;
  let low = Infinity;
  let high = -Infinity;
  let v = 3 * polygonVertices[last - 1]!;
  let before = nx * points[v]! + ny * points[v + 1]! + nz * points[v + 2]! - d;
  let at = common.x * points[v]! + common.y * points[v + 1]! + common.z * points[v + 2]!;
  for (let k = first; k < last; k++) {
    v = 3 * polygonVertices[k]!;
    const height = nx * points[v]! + ny * points[v + 1]! + nz * points[v + 2]! - d;
    const along = common.x * points[v]! + common.y * points[v + 1]! + common.z * points[v + 2]!;
    least = Math.min(least, height);
    most = Math.max(most, height);
    if (before < 0 !== height < 0) {
      const place = at + (before / (before - height)) * (along - at);
      low = Math.min(low, place);
      high = Math.max(high, place);
    }
    before = height;
    at = along;
  }
  common.low = low;
  common.high = high;
  return least < -limit.deep && most > limit.deep;
}

/** The point on two planes that is at `place` along the cross product of their normals. */
function middle(
  nx: number,
  ny: number,
  nz: number,
  d: number,
  mx: number,
  my: number,
  mz: number,
  c: number,
  place: number,
  scaleSq: number,
): void {
  const { x, y, z } = common;
  // d (m × line) + c (line × n) + place line, over line².
  piercing.x = (d * (my * z - mz * y) + c * (y * nz - z * ny) + place * x) / scaleSq;
  piercing.y = (d * (mz * x - mx * z) + c * (z * nx - x * nz) + place * y) / scaleSq;
  piercing.z = (d * (mx * y - my * x) + c * (x * ny - y * nx) + place * z) / scaleSq;
}

/** Is the piercing point, which is near the plane of a polygon, inside it and `margin` from its sides? */
function inPolygon(
  model: PolyhedralModel,
  points: Float64Array,
  planes: Float64Array,
  f: number,
  margin: number,
): boolean {
  const nx = planes[4 * f]!;
  const ny = planes[4 * f + 1]!;
  const nz = planes[4 * f + 2]!;
  const { x, y, z } = piercing;
  const { polygonVertices } = model;
  const first = model.polygonStart[f]!;
  const last = model.polygonStart[f + 1]!;
  for (let k = first; k < last; k++) {
    const i = 3 * polygonVertices[k]!;
    const j = 3 * polygonVertices[k + 1 < last ? k + 1 : first]!;
    const ux = points[j]! - points[i]!;
    const uy = points[j + 1]! - points[i + 1]!;
    const uz = points[j + 2]! - points[i + 2]!;
    const inside =
      (x - points[i]!) * (ny * uz - nz * uy) +
      (y - points[i + 1]!) * (nz * ux - nx * uz) +
      (z - points[i + 2]!) * (nx * uy - ny * ux);
    if (!(inside >= margin * Math.sqrt(ux * ux + uy * uy + uz * uz))) return false;
  }
  return true;
}

/** Is the mover, of which no edge is cut, inside the target? One vertex tells that is not at the surface. */
function insideTarget(job: SweepJob): boolean {
  const { target, points } = job;
  const { low, high } = target;
  const hollow = isHollow(target);
  if (
    !hollow &&
    !(
      job.lowX >= low.x - limit.deep &&
      job.lowY >= low.y - limit.deep &&
      job.lowZ >= low.z - limit.deep &&
      job.highX <= high.x + limit.deep &&
      job.highY <= high.y + limit.deep &&
      job.highZ <= high.z + limit.deep
    )
  )
    return false;
  const vertices = Math.min(job.mover.vertexTouches.length, MOST_TRIES);
  for (let v = 0; v < vertices; v++) {
    piercing.x = points[3 * v]!;
    piercing.y = points[3 * v + 1]!;
    piercing.z = points[3 * v + 2]!;
    const count = gatherAhead(job);
    const turns = windings(target, target.points, target.planes, count);
    if (turns === UNKNOWN) continue;
    if (turns + (hollow ? 1 : 0) < 1) return false;
    found(job, VERTEX, v, POLYGON, 0);
    return true;
  }
  return false;
}
const MOST_TRIES = 16;

/** Is the target, of which no edge is cut, inside the mover? */
function aroundTarget(job: SweepJob): boolean {
  const { mover, target } = job;
  const { low, high } = target;
  if (
    !(
      job.lowX <= low.x + limit.deep &&
      job.lowY <= low.y + limit.deep &&
      job.lowZ <= low.z + limit.deep &&
      job.highX >= high.x - limit.deep &&
      job.highY >= high.y - limit.deep &&
      job.highZ >= high.z - limit.deep
    )
  )
    return false;
  const hollow = isHollow(mover);
  const count = listAll(mover);
  const vertices = Math.min(target.vertexTouches.length, MOST_TRIES);
  for (let v = 0; v < vertices; v++) {
    piercing.x = target.points[3 * v]!;
    piercing.y = target.points[3 * v + 1]!;
    piercing.z = target.points[3 * v + 2]!;
    const turns = windings(mover, job.points, job.planes, count);
    if (turns === UNKNOWN) continue;
    if (turns + (hollow ? 1 : 0) < 1) return false;
    found(job, POLYGON, 0, VERTEX, v);
    return true;
  }
  return false;
}

/**
 * Solids whose sides are in common planes overlap without any two of them crossing: is the middle of what their boxes share
 * in both?
 */
function shareMiddle(job: SweepJob): boolean {
  const { mover, target } = job;
  const { low, high } = target;
  const x0 = Math.max(low.x, job.lowX);
  const x1 = Math.min(high.x, job.highX);
  const y0 = Math.max(low.y, job.lowY);
  const y1 = Math.min(high.y, job.highY);
  const z0 = Math.max(low.z, job.lowZ);
  const z1 = Math.min(high.z, job.highZ);
  if (!(x1 - x0 > limit.deep && y1 - y0 > limit.deep && z1 - z0 > limit.deep)) return false;
  piercing.x = 0.5 * (x0 + x1);
  piercing.y = 0.5 * (y0 + y1);
  piercing.z = 0.5 * (z0 + z1);
  const around = windings(mover, job.points, job.planes, listAll(mover));
  if (around === UNKNOWN || around + (isHollow(mover) ? 1 : 0) < 1) return false;
  const inside = windings(target, target.points, target.planes, gatherAhead(job));
  if (inside === UNKNOWN || inside + (isHollow(target) ? 1 : 0) < 1) return false;
  found(job, POLYGON, 0, POLYGON, 0);
  return true;
}

/** Lists all polygons of a model. */
function listAll(model: PolyhedralModel): number {
  const count = model.sources.length;
  if (near.items.length < count) near.items = new Int32Array(2 * count);
  for (let f = 0; f < count; f++) near.items[f] = f;
  return count;
}

/** Lists the polygons of the target that a ray from the piercing point along +x can meet. */
function gatherAhead({ target }: SweepJob): number {
  const { x, y, z } = piercing;
  box[0] = x - limit.deep;
  box[1] = y - limit.deep;
  box[2] = z - limit.deep;
  box[3] = Math.max(x, target.high.x) + limit.deep;
  box[4] = y + limit.deep;
  box[5] = z + limit.deep;
  return gatherPolygons(target, box, near);
}

const UNKNOWN = -1000;
const EDGE_ON = 1.4210854715202004e-14; // 2^-46
const p2 = vec2();
const a2 = vec2();
const b2 = vec2();

/**
 * How often the polygons in the list wind around the piercing point: those that a ray from there along +x leaves by, less
 * those that it enters by. `UNKNOWN` for a point at one of them.
 */
function windings(model: PolyhedralModel, points: Float64Array, planes: Float64Array, count: number): number {
  const { x, y, z } = piercing;
  const { polygonStart, polygonVertices } = model;
  p2.x = y;
  p2.y = z;
  let turns = 0;
  for (let n = 0; n < count; n++) {
    const f = near.items[n]!;
    const nx = planes[4 * f]!;
    const ny = planes[4 * f + 1]!;
    const nz = planes[4 * f + 2]!;
    const height = nx * x + ny * y + nz * z - planes[4 * f + 3]!;
    if (Math.abs(height) <= limit.deep && inPolygon(model, points, planes, f, -limit.deep)) return UNKNOWN;
    let inside = false;
    for (let first = polygonStart[f]!, last = polygonStart[f + 1]!, k = first; k < last; k++) {
      const i = 3 * polygonVertices[k]!;
      const j = 3 * polygonVertices[k + 1 < last ? k + 1 : first]!;
      const up = points[j + 2]! > z;
      if (points[i + 2]! > z === up) continue;
      // The upper end last, so that both polygons of an edge ask the same.
      const lower = up ? i : j;
      const upper = up ? j : i;
      a2.x = points[lower + 1]!;
      a2.y = points[lower + 2]!;
      b2.x = points[upper + 1]!;
      b2.y = points[upper + 2]!;
      if (orient2d(a2, b2, p2) > 0) inside = !inside;
    }
    if (!inside) continue;
    // Seen edge-on: whether the ray goes through it is rounding.
    if (Math.abs(nx) < EDGE_ON) return UNKNOWN;
    // Ahead of the point: behind the plane of one that looks along the ray.
    if (height * nx < 0) turns += nx > 0 ? 1 : -1;
  }
  return turns;
}

/** Is the surface turned inside out, as that of a room: everything but what it surrounds? */
function isHollow(model: PolyhedralModel): boolean {
  const { sweeper } = model;
  sweeper.hollow ??= volumeOf(model) < 0;
  return sweeper.hollow;
}

/** Six times the volume, seen from the middle of the box. */
function volumeOf({ points, polygonStart, polygonVertices, sources, low, high }: PolyhedralModel): number {
  const cx = 0.5 * (low.x + high.x);
  const cy = 0.5 * (low.y + high.y);
  const cz = 0.5 * (low.z + high.z);
  let volume = 0;
  for (let f = 0; f < sources.length; f++) {
    const first = polygonStart[f]!;
    const o = 3 * polygonVertices[first]!;
    const ox = points[o]! - cx;
    const oy = points[o + 1]! - cy;
    const oz = points[o + 2]! - cz;
    for (let k = first + 1; k + 1 < polygonStart[f + 1]!; k++) {
      const i = 3 * polygonVertices[k]!;
      const j = 3 * polygonVertices[k + 1]!;
      const ax = points[i]! - cx;
      const ay = points[i + 1]! - cy;
      const az = points[i + 2]! - cz;
      const bx = points[j]! - cx;
      const by = points[j + 1]! - cy;
      const bz = points[j + 2]! - cz;
      volume += ox * (ay * bz - az * by) + oy * (az * bx - ax * bz) + oz * (ax * by - ay * bx);
    }
  }
  return volume;
}

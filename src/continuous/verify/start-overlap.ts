/**
 * Do two polyhedra cut through each other before anything moves? Found by edges that pierce polygons by more than rounding
 * (what touches, or is in by a rounding, is left to the zone), and for solids by a point of one that is inside the other.
 */
import { orient2d, orient3d } from '../../math/orient.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { type ReadonlyVec3, type Vec3, vec2, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { withIntegerCapacity } from '../boxes.ts';
import { POLYGON, setFeatures, VERTEX } from '../feature-contact.ts';
import { NO_MODEL, type PosedModel } from '../features.ts';
import { gatherPolygons } from '../model/axial-bsp.ts';
import type { SweepContext } from '../sweep-context.ts';
import type { PolyhedralModel } from '../types.ts';
import type { OverlapTest } from './verify-context.ts';

/** Deeper than this, of the largest coordinate, is not rounding. As the error of coordinates in translations. */
const DEEP = 128 * UNIT_ROUNDING;

/** Fills in the hit of the context (at t = 0) and answers true if so. @internal */
export function startOverlap(context: SweepContext): boolean {
  const { overlap, target, box } = context;
  const { near } = overlap;
  setBodies(context);
  const count = gatherPolygons(target, box, near);
  let cuts = false;
  for (let i = 0; i < count && !cuts; i++) cuts = cutsPolygon(context, near.items[i]!);
  releaseBodies(overlap);
  return cuts || startInside(context);
}

/** The same for two of which no polygons cut through each other: is one in the other? @internal */
export function startInside(context: SweepContext): boolean {
  const { mover, target, overlap } = context;
  setBodies(context);
  const solidTarget = target.closed && target.sides === 'front';
  const solidMover = mover.closed && mover.sides === 'front';
  const isInside =
    (solidTarget && isInsideTarget(context)) ||
    (solidMover && isAroundTarget(context)) ||
    (solidTarget && solidMover && shareMiddle(context));
  releaseBodies(overlap);
  return isInside;
}

/** Does a polygon of the mover cut through polygon f of the target, whose plane the mover is on both sides of? @internal */
export function startsCut(context: SweepContext, f: number): boolean {
  setBodies(context);
  const cuts = cutsThrough(context, f);
  releaseBodies(context.overlap);
  return cuts;
}

function setBodies({ overlap, mover, target, points, planes, magnitude }: SweepContext): void {
  overlap.deep = DEEP * magnitude;
  overlap.mover.model = mover;
  overlap.mover.points = points;
  overlap.mover.planes = planes;
  overlap.target.model = target;
  overlap.target.points = target.points;
  overlap.target.planes = target.planes;
}

function releaseBodies({ mover, target }: OverlapTest): void {
  mover.model = target.model = NO_MODEL;
}

/** The point of the test is in both: the hit. Its normal is against the motion. */
function take(
  context: SweepContext,
  moverKind: number,
  moverFeature: number,
  targetKind: number,
  targetFeature: number,
): void {
  const { contact, vx, vy, vz } = context;
  const { x, y, z } = context.overlap.point;
  context.found = true;
  context.penetrating = true;
  context.best = 0;
  setFeatures(contact, moverKind, moverFeature, targetKind, targetFeature);
  contact.gap = 0;
  contact.x = x;
  contact.y = y;
  contact.z = z;
  const length = Math.sqrt(vx * vx + vy * vy + vz * vz);
  contact.nx = length > 0 ? -vx / length : 0;
  contact.ny = length > 0 ? -vy / length : 0;
  contact.nz = length > 0 ? -vz / length : 1;
}

/** Does polygon f of the target cut through the mover, or an edge of the mover through it? */
function cutsPolygon(context: SweepContext, f: number): boolean {
  const { mover, target, points, overlap } = context;
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
  return least < -overlap.deep && most > overlap.deep && cutsThrough(context, f);
}

function cutsThrough(context: SweepContext, f: number): boolean {
  for (let g = 0; g < context.mover.sources.length; g++)
    if (cutEachOther(context.overlap, f, g)) {
      take(context, POLYGON, g, POLYGON, f);
      return true;
    }
  return false;
}

/** Do polygon f of the target and polygon g of the mover cut through each other, for more than rounding in all directions? */
function cutEachOther(overlap: OverlapTest, f: number, g: number): boolean {
  const { mover, target, deep, point } = overlap;
  const { planes: a } = target;
  const { planes: b } = mover;
  const i = 4 * f;
  const j = 4 * g;
  const x = a[i + 1]! * b[j + 2]! - a[i + 2]! * b[j + 1]!;
  const y = a[i + 2]! * b[j]! - a[i]! * b[j + 2]!;
  const z = a[i]! * b[j + 1]! - a[i + 1]! * b[j]!;
  overlap.x = x;
  overlap.y = y;
  overlap.z = z;
  if (!crosses(overlap, mover, g, a, f)) return false;
  const { low, high } = overlap;
  if (!crosses(overlap, target, f, b, g)) return false;
  const from = Math.max(low, overlap.low);
  const to = Math.min(high, overlap.high);
  const scale = Math.sqrt(x * x + y * y + z * z);
  if (!(to > from)) return false;
  // Of a needle there may be hardly anything in the other, but that far from its sides.
  const clearly = !(to - from > deep * scale);
  // Of planes that are nearly one the line in common is uncertain, and what is shared may be no deeper than rounding.
  const pierced =
    pierces(overlap, mover, g, target, f, clearly) || pierces(overlap, target, f, mover, g, clearly);
  // In the middle of what they share, on both planes: d (m × line) + c (line × n) + s line, over line².
  const d = a[i + 3]!;
  const c = b[j + 3]!;
  const s = 0.5 * (from + to);
  const sq = scale * scale;
  point.x = (d * (b[j + 1]! * z - b[j + 2]! * y) + c * (y * a[i + 2]! - z * a[i + 1]!) + s * x) / sq;
  point.y = (d * (b[j + 2]! * x - b[j]! * z) + c * (z * a[i]! - x * a[i + 2]!) + s * y) / sq;
  point.z = (d * (b[j]! * y - b[j + 1]! * x) + c * (x * a[i + 1]! - y * a[i]!) + s * z) / sq;
  // A corner of the one in the middle of the other, and a corner of that in its plane: no side goes through.
  return pierced || (isWithin(overlap, mover, g) && isWithin(overlap, target, f));
}

/** Is the point in the plane of polygon f, but for rounding, and in it by more than that? */
const isWithin = ({ point, deep }: OverlapTest, body: PosedModel, f: number): boolean =>
  Math.abs(heightOver(body, f, point)) <= deep && isInPolygon(body, f, point, deep);

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
  overlap: OverlapTest,
  a: PosedModel,
  f: number,
  b: PosedModel,
  g: number,
  clearly: boolean,
): boolean {
  const { end, start, point, deep } = overlap;
  const { polygonStart, polygonVertices } = a.model;
  const first = polygonStart[f]!;
  const count = polygonStart[f + 1]! - first;
  let before = 0;
  // Once round, and on to the first corner that is not in the plane.
  for (let k = 0; k < 2 * count; k++) {
    read(a.points, polygonVertices[first + (k % count)]!, end);
    const height = heightOver(b, g, end);
    if (!(Math.abs(height) > deep)) continue;
    if (before * height < 0 && goesThrough(overlap, b, g)) {
      if (!clearly) return true;
      v3.lerp(start, end, before / (before - height), point);
      if (isInPolygon(b, g, point, deep)) return true;
    }
    if (before !== 0 && k >= count) return false;
    before = height;
    v3.copy(end, start);
  }
  return false;
}

function heightOver({ model, points, planes }: PosedModel, g: number, { x, y, z }: ReadonlyVec3): number {
  read(points, model.polygonVertices[model.polygonStart[g]!]!, corner);
  return (
    planes[4 * g]! * (x - corner.x) +
    planes[4 * g + 1]! * (y - corner.y) +
    planes[4 * g + 2]! * (z - corner.z)
  );
}

/** Does the segment from `start` to `end`, which are on two sides of polygon g, meet it? */
function goesThrough({ start, end }: OverlapTest, { model, points }: PosedModel, g: number): boolean {
  const { polygonStart, polygonVertices } = model;
  const from = polygonStart[g]!;
  const to = polygonStart[g + 1]!;
  let left = false;
  let right = false;
  for (let l = from; l < to; l++) {
    read(points, polygonVertices[l]!, corner);
    read(points, polygonVertices[l + 1 < to ? l + 1 : from]!, next);
    const side = orient3d(start, end, corner, next);
    if (side < 0) left = true;
    else if (side > 0) right = true;
  }
  return !(left && right);
}

/** Is a polygon on both sides of a plane? Then `low` and `high` are where it crosses the line in common. */
function crosses(
  overlap: OverlapTest,
  { model, points }: PosedModel,
  f: number,
  planes: Float64Array,
  plane: number,
): boolean {
  const { x, y, z, deep } = overlap;
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
  let at = x * points[v]! + y * points[v + 1]! + z * points[v + 2]!;
  for (let k = first; k < last; k++) {
    v = 3 * polygonVertices[k]!;
    const height = nx * points[v]! + ny * points[v + 1]! + nz * points[v + 2]! - d;
    const along = x * points[v]! + y * points[v + 1]! + z * points[v + 2]!;
    least = Math.min(least, height);
    most = Math.max(most, height);
    if (before < 0 !== height < 0) {
      const s = at + (before / (before - height)) * (along - at);
      low = Math.min(low, s);
      high = Math.max(high, s);
    }
    before = height;
    at = along;
  }
  overlap.low = low;
  overlap.high = high;
  return least < -deep && most > deep;
}

/** Is a point, which is near the plane of a polygon, inside it and `margin` from its sides? */
function isInPolygon(
  { model, points, planes }: PosedModel,
  f: number,
  { x, y, z }: ReadonlyVec3,
  margin: number,
): boolean {
  const nx = planes[4 * f]!;
  const ny = planes[4 * f + 1]!;
  const nz = planes[4 * f + 2]!;
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

/** Is the box (low and high) in the other one, but for rounding? */
function isBoxIn(a: Float64Array, { low, high }: PolyhedralModel, deep: number, sign: number): boolean {
  return (
    sign * (a[0]! - low.x) >= -deep &&
    sign * (a[1]! - low.y) >= -deep &&
    sign * (a[2]! - low.z) >= -deep &&
    sign * (a[3]! - high.x) <= deep &&
    sign * (a[4]! - high.y) <= deep &&
    sign * (a[5]! - high.z) <= deep
  );
}

const UNKNOWN_SIDE = 0;
const INSIDE = 1;
const OUTSIDE = -1;

/** On which side of a solid, of which `count` polygons are listed, the point is. */
function sideOfSolid(overlap: OverlapTest, solid: PosedModel, count: number): number {
  const winding = windings(overlap, solid, count);
  if (winding === UNKNOWN) return UNKNOWN_SIDE;
  return winding + (isHollow(solid.model) ? 1 : 0) < 1 ? OUTSIDE : INSIDE;
}

/** So many vertices are tried: one that is not at the surface decides. */
const MOST_TRIES = 16;

/** Is the mover, of which no edge is cut, inside the target? */
function isInsideTarget(context: SweepContext): boolean {
  const { target, mover, points, overlap, box } = context;
  if (!isHollow(target) && !isBoxIn(box, target, overlap.deep, 1)) return false;
  const vertices = Math.min(mover.vertexTouches.length, MOST_TRIES);
  for (let v = 0; v < vertices; v++) {
    read(points, v, overlap.point);
    const side = sideOfSolid(overlap, overlap.target, gatherAhead(overlap));
    if (side === OUTSIDE) return false;
    if (side === UNKNOWN_SIDE) continue;
    take(context, VERTEX, v, POLYGON, 0);
    return true;
  }
  return false;
}

/** Is the target, of which no edge is cut, inside the mover? */
function isAroundTarget(context: SweepContext): boolean {
  const { target, overlap, box } = context;
  if (!isBoxIn(box, target, overlap.deep, -1)) return false;
  const count = listAll(overlap);
  const vertices = Math.min(target.vertexTouches.length, MOST_TRIES);
  for (let v = 0; v < vertices; v++) {
    read(target.points, v, overlap.point);
    const side = sideOfSolid(overlap, overlap.mover, count);
    if (side === OUTSIDE) return false;
    if (side === UNKNOWN_SIDE) continue;
    take(context, POLYGON, 0, VERTEX, v);
    return true;
  }
  return false;
}

/**
 * Solids whose sides are in common planes overlap without any two of them crossing: is the middle of what their boxes share
 * in both?
 */
function shareMiddle(context: SweepContext): boolean {
  const { overlap, box } = context;
  const { low, high } = context.target;
  const { deep, point } = overlap;
  const x0 = Math.max(low.x, box[0]!);
  const x1 = Math.min(high.x, box[3]!);
  const y0 = Math.max(low.y, box[1]!);
  const y1 = Math.min(high.y, box[4]!);
  const z0 = Math.max(low.z, box[2]!);
  const z1 = Math.min(high.z, box[5]!);
  if (!(x1 - x0 > deep && y1 - y0 > deep && z1 - z0 > deep)) return false;
  v3.set(0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1), point);
  if (sideOfSolid(overlap, overlap.mover, listAll(overlap)) !== INSIDE) return false;
  if (sideOfSolid(overlap, overlap.target, gatherAhead(overlap)) !== INSIDE) return false;
  take(context, POLYGON, 0, POLYGON, 0);
  return true;
}

/** Lists all polygons of the mover. */
function listAll({ mover, near }: OverlapTest): number {
  const count = mover.model.sources.length;
  near.items = withIntegerCapacity(near.items, count);
  for (let f = 0; f < count; f++) near.items[f] = f;
  return count;
}

/** Lists the polygons of the target that a ray from the point along +x can meet. */
function gatherAhead({ target, point, deep, box, near }: OverlapTest): number {
  const { x, y, z } = point;
  box[0] = x - deep;
  box[1] = y - deep;
  box[2] = z - deep;
  box[3] = Math.max(x, target.model.high.x) + deep;
  box[4] = y + deep;
  box[5] = z + deep;
  return gatherPolygons(target.model, box, near);
}

const UNKNOWN = -1000;
const EDGE_ON = 128 * UNIT_ROUNDING;
const p2 = vec2();
const a2 = vec2();
const b2 = vec2();

/**
 * How often the polygons in the list wind around the point: those that a ray from there along +x leaves by, less
 * those that it enters by. `UNKNOWN` for a point at one of them.
 */
function windings({ point, near, deep }: OverlapTest, solid: PosedModel, count: number): number {
  const { model, points, planes } = solid;
  const { x, y, z } = point;
  const { polygonStart, polygonVertices } = model;
  p2.x = y;
  p2.y = z;
  let winding = 0;
  for (let n = 0; n < count; n++) {
    const f = near.items[n]!;
    const nx = planes[4 * f]!;
    const ny = planes[4 * f + 1]!;
    const nz = planes[4 * f + 2]!;
    const height = nx * x + ny * y + nz * z - planes[4 * f + 3]!;
    if (Math.abs(height) <= deep && isInPolygon(solid, f, point, -deep)) return UNKNOWN;
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
    if (height * nx < 0) winding += nx > 0 ? 1 : -1;
  }
  return winding;
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

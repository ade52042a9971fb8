/**
 * Clipping of two patches (faces, edges, corners), seen along the contact normal: what they have in common, as points. The
 * plane of the contact has coordinates x and y, the normal is the third.
 */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Patch } from './supporting-face.ts';

/** Coordinates along x, y and the normal, from an origin near the contact. */
export interface ContactFrame {
  readonly origin: Vec3;
  readonly x: Vec3;
  readonly y: Vec3;
  readonly normal: Vec3;
}

export const makeContactFrame = (): ContactFrame => ({
  origin: vec3(),
  x: vec3(),
  y: vec3(),
  normal: vec3(),
});

export function setContactFrame(frame: ContactFrame, origin: ReadonlyVec3, normal: ReadonlyVec3): void {
  v3.copy(origin, frame.origin);
  v3.copy(normal, frame.normal);
  v3.perpendicular(normal, frame.x);
  v3.cross(normal, frame.x, frame.y);
}

/** A patch in those coordinates; polygons run counter-clockwise. Arrays may be longer than needed. */
export interface FlatPatch {
  /** 1 for a point, 2 for a line, 3 or more for a polygon that has an area. */
  count: number;
  readonly x: number[];
  readonly y: number[];
  readonly ids: number[];
  id: number;
  /** Height of the plane (or line) over the point (x, y): base + gx x + gy y. */
  base: number;
  gx: number;
  gy: number;
  /** The largest distance of two corners. */
  size: number;
}

export const makeFlatPatch = (): FlatPatch => ({
  count: 0,
  x: [],
  y: [],
  ids: [],
  id: 0,
  base: 0,
  gx: 0,
  gy: 0,
  size: 0,
});

/** Moves `spot` (x and y) to the point of the patch that is closest to it; a patch that is no point. */
export function moveToPatch({ count, x: xs, y: ys }: FlatPatch, spot: Float64Array): void {
  const x = spot[0]!;
  const y = spot[1]!;
  let least = Infinity;
  for (let j = count - 1, i = 0; i < count; j = i++) {
    const ex = xs[i]! - xs[j]!;
    const ey = ys[i]! - ys[j]!;
    const dx = x - xs[j]!;
    const dy = y - ys[j]!;
    // Of a polygon only edges that it is outside of matter.
    if (count > 2 && ex * dy - ey * dx >= 0) continue;
    const along = (dx * ex + dy * ey) / (ex * ex + ey * ey);
    const t = along > 0 ? Math.min(along, 1) : 0; // also for an edge of length 0
    const rx = dx - t * ex;
    const ry = dy - t * ey;
    if (rx * rx + ry * ry < least) {
      least = rx * rx + ry * ry;
      spot[0] = xs[j]! + t * ex;
      spot[1] = ys[j]! + t * ey;
    }
  }
}

/** A polygon whose area is a smaller share of the square of its size is a line. */
const SLIVER = 1e-9;

const heights: number[] = [];

/** `patch`, whose points and normal have been brought to the space of the frame. */
export function flatten(patch: Patch, frame: ContactFrame, out: FlatPatch): void {
  const { count, points, ids, normal } = patch;
  const { origin: o, x: u, y: v, normal: n } = frame;
  out.count = count;
  out.id = patch.id;
  for (let i = 0; i < count; i++) {
    const px = points[3 * i]! - o.x;
    const py = points[3 * i + 1]! - o.y;
    const pz = points[3 * i + 2]! - o.z;
    out.x[i] = px * u.x + py * u.y + pz * u.z;
    out.y[i] = px * v.x + py * v.y + pz * v.z;
    heights[i] = px * n.x + py * n.y + pz * n.z;
    out.ids[i] = ids[i]!;
  }
  collapse(out);
  out.gx = 0;
  out.gy = 0;
  if (out.count > 2) {
    const across = v3.dot(normal, n);
    out.gx = -v3.dot(normal, u) / across;
    out.gy = -v3.dot(normal, v) / across;
  } else if (out.count === 2) {
    const dx = out.x[1]! - out.x[0]!;
    const dy = out.y[1]! - out.y[0]!;
    const slope = (heights[1]! - heights[0]!) / (dx * dx + dy * dy);
    out.gx = slope * dx;
    out.gy = slope * dy;
  }
  out.base = heights[0]! - out.gx * out.x[0]! - out.gy * out.y[0]!;
}

/** Makes a polygon without an area a line, a line without a length a point, and sees to the order of the corners. */
function collapse(patch: FlatPatch): void {
  const { x, y } = patch;
  let sizeSq = 0;
  let area = 0;
  let from = 0;
  let to = 0;
  for (let i = 0, last = patch.count - 1; i < patch.count; last = i++) {
    area += (x[last]! - x[0]!) * (y[i]! - y[0]!) - (x[i]! - x[0]!) * (y[last]! - y[0]!);
    for (let j = 0; j < i; j++) {
      const dx = x[i]! - x[j]!;
      const dy = y[i]! - y[j]!;
      if (dx * dx + dy * dy > sizeSq) {
        sizeSq = dx * dx + dy * dy;
        from = j;
        to = i;
      }
    }
  }
  patch.size = Math.sqrt(sizeSq);
  if (patch.count > 2 && Math.abs(area) > SLIVER * sizeSq) {
    if (area < 0) reverse(patch);
    return;
  }
  patch.count = sizeSq > 0 ? 2 : 1;
  // Downwards first: `from` is less than `to`.
  keep(patch, from, 0);
  if (sizeSq > 0) keep(patch, to, 1);
}

function keep(patch: FlatPatch, from: number, to: number): void {
  patch.x[to] = patch.x[from]!;
  patch.y[to] = patch.y[from]!;
  patch.ids[to] = patch.ids[from]!;
  heights[to] = heights[from]!;
}

function reverse(patch: FlatPatch): void {
  for (let i = 0, j = patch.count - 1; i < j; i++, j--) {
    swap(patch.x, i, j);
    swap(patch.y, i, j);
    swapIds(patch.ids, i, j);
    swap(heights, i, j);
  }
}

/** The same for integers: one function for both would box the doubles. */
function swapIds(list: number[], i: number, j: number): void {
  const t = list[i]!;
  list[i] = list[j]!;
  list[j] = t;
}

function swap(list: number[], i: number, j: number): void {
  const t = list[i]!;
  list[i] = list[j]!;
  list[j] = t;
}

/** Points in the plane of the contact: where on the first patch, and where on the second. */
export interface PointPairs {
  count: number;
  readonly ax: number[];
  readonly ay: number[];
  readonly bx: number[];
  readonly by: number[];
  /** Points no farther than this from each other count as one. */
  least: number;
}

export const makePointPairs = (): PointPairs => ({
  count: 0,
  ax: [],
  ay: [],
  bx: [],
  by: [],
  least: 0,
});

function addPoint(out: PointPairs, x: number, y: number): void {
  out.ax[out.count] = out.bx[out.count] = x;
  out.ay[out.count] = out.by[out.count] = y;
  out.count++;
}

/** Corners so little outside (relative to the smaller patch) are inside. */
const SLACK = 1e-9;
/** Lines that make a smaller angle than this run alongside each other. */
const ALONGSIDE = 0.02;

/**
 * The corners of what two patches have in common, counter-clockwise; the ends of the common stretch, if one is a line.
 * None where they have nothing in common, if one is a point, and for lines that cross.
 */
export function clipPatches(a: FlatPatch, b: FlatPatch, out: PointPairs): void {
  out.count = 0;
  if (a.count < 2 || b.count < 2) return;
  if (a.count > 2 && b.count > 2) clipPolygon(a, b, out);
  else if (a.count === 2 && b.count === 2) alongside(a, b, out);
  else if (a.count === 2) clipLine(a, b, out);
  else clipLine(b, a, out);
}

/** Not x and y: a record {x, y} of anything but numbers makes V8 box the numbers of every record {x, y}. */
const ring = { xs: [] as number[], ys: [] as number[] };

/** Sutherland and Hodgman 1974. */
function clipPolygon(a: FlatPatch, b: FlatPatch, out: PointPairs): void {
  const slack = SLACK * Math.min(a.size, b.size);
  out.count = 0;
  for (let i = 0; i < a.count; i++) addPoint(out, a.x[i]!, a.y[i]!);
  for (let j = b.count - 1, k = 0; k < b.count && out.count > 0; j = k++) {
    const { ax: xs, ay: ys, count } = out;
    for (let i = 0; i < count; i++) {
      ring.xs[i] = xs[i]!;
      ring.ys[i] = ys[i]!;
    }
    const ox = b.x[j]!;
    const oy = b.y[j]!;
    const ex = b.x[k]! - ox;
    const ey = b.y[k]! - oy;
    const limit = -slack * Math.sqrt(ex * ex + ey * ey);
    out.count = 0;
    let px = ring.xs[count - 1]!;
    let py = ring.ys[count - 1]!;
    let before = ex * (py - oy) - ey * (px - ox);
    for (let i = 0; i < count; i++) {
      const x = ring.xs[i]!;
      const y = ring.ys[i]!;
      const now = ex * (y - oy) - ey * (x - ox);
      // What is within the slack is neither cut off nor a cause to cut.
      if (before > 0 ? now < limit : before < limit && now > 0) {
        const t = before / (before - now);
        addPoint(out, px + t * (x - px), py + t * (y - py));
      }
      if (now >= limit) addPoint(out, x, y);
      px = x;
      py = y;
      before = now;
    }
  }
}

/** The stretch of a line over a polygon. */
function clipLine(line: FlatPatch, polygon: FlatPatch, out: PointPairs): void {
  const slack = SLACK * Math.min(line.size, polygon.size);
  const x = line.x[0]!;
  const y = line.y[0]!;
  const dx = line.x[1]! - x;
  const dy = line.y[1]! - y;
  let enter = 0;
  let exit = 1;
  for (let j = polygon.count - 1, k = 0; k < polygon.count; j = k++) {
    const ox = polygon.x[j]!;
    const oy = polygon.y[j]!;
    const ex = polygon.x[k]! - ox;
    const ey = polygon.y[k]! - oy;
    const margin = slack * Math.sqrt(ex * ex + ey * ey);
    const from = ex * (y - oy) - ey * (x - ox) + margin;
    const to = ex * (y + dy - oy) - ey * (x + dx - ox) + margin;
    if (from < 0 && to < 0) return;
    if (from < 0) enter = Math.max(enter, from / (from - to));
    else if (to < 0) exit = Math.min(exit, from / (from - to));
  }
  if (enter > exit) return;
  addPoint(out, x + enter * dx, y + enter * dy);
  addPoint(out, x + exit * dx, y + exit * dy);
}

/** The stretch where two lines run side by side. */
function alongside(a: FlatPatch, b: FlatPatch, out: PointPairs): void {
  const x = a.x[0]!;
  const y = a.y[0]!;
  const ux = (a.x[1]! - x) / a.size;
  const uy = (a.y[1]! - y) / a.size;
  const vx = (b.x[1]! - b.x[0]!) / b.size;
  const vy = (b.y[1]! - b.y[0]!) / b.size;
  if (!(Math.abs(ux * vy - uy * vx) <= ALONGSIDE)) return;
  const start = (b.x[0]! - x) * ux + (b.y[0]! - y) * uy;
  const end = (b.x[1]! - x) * ux + (b.y[1]! - y) * uy;
  const low = Math.max(0, Math.min(start, end));
  const high = Math.min(a.size, Math.max(start, end));
  if (low > high) return;
  for (let k = 0; k < 2; k++) {
    const s = k === 0 ? low : high;
    const t = (s - start) / (end - start);
    out.ax[k] = x + s * ux;
    out.ay[k] = y + s * uy;
    out.bx[k] = b.x[0]! + t * (b.x[1]! - b.x[0]!);
    out.by[k] = b.y[0]! + t * (b.y[1]! - b.y[0]!);
  }
  out.count = 2;
}

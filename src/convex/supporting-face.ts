/** The face, edge or corner of a convex core that lies foremost in a direction. */

import { checkPlane, mustBeList } from '../math/check.ts';
import { cos, sin } from '../math/trig.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { mustBeFaces } from '../polytope/input.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import { BOX, CONE, type ConvexCore, CYLINDER, POLYTOPE, SEGMENT, supportCore } from './core.ts';

/**
 * The faces of a core that is the hull of points, to go with it: a polyhedron whose vertices are those points in that
 * order, with two faces, front and back, if it is flat. Must not change once used.
 */
export type CoreFaces = Pick<ReadonlyPolyhedron, 'faces' | 'planes'>;

const around = new WeakMap<object, number[][]>();

/** The numbers of the faces at each corner. */
function facesOfPoints({ faces, planes }: CoreFaces): number[][] {
  let lists = around.get(faces);
  if (lists === undefined) {
    lists = [];
    // Once for each list: it must not change.
    mustBeFaces('convexManifold', 'faces', faces, Number.MAX_SAFE_INTEGER);
    mustBeList('convexManifold', 'planes', planes);
    for (const [f, face] of faces.entries()) {
      checkPlane('convexManifold', `planes[${f}]`, planes[f]!);
      for (const i of face) {
        lists[i] ??= [];
        lists[i].push(f);
      }
    }
    around.set(faces, lists);
  }
  return lists;
}

/** What a core has foremost: a point, the ends of a line, or the corners of a flat polygon. */
export interface Patch {
  count: number;
  /** Three numbers for each corner. Longer than needed. */
  readonly points: number[];
  /** Numbers that name the corners. */
  readonly ids: number[];
  /** One that names the whole. */
  id: number;
  /** Of a polygon, out of the core. */
  readonly normal: Vec3;
  /** The one that is added next. */
  readonly point: Vec3;
}

export const makePatch = (): Patch => ({
  count: 0,
  points: [],
  ids: [],
  id: 0,
  normal: vec3(),
  point: vec3(),
});

/** A face or edge counts as foremost if it is tilted by no more than this, in radians. */
export const TILT = 0.05;
const TILT_SQ = TILT * TILT;

/** In how many corners the end of a cylinder is approximated, from within. */
const CORNERS = 16;
const CIRCLE = Array.from({ length: CORNERS }, (_, k) => {
  const angle = (2 * Math.PI * k) / CORNERS;
  return { x: cos(angle), z: sin(angle) };
});

/**
 * The face of the core that is at a right angle to `direction` (a unit vector), or as good as; failing that such an edge;
 * failing that the support point. In the space of the core, without its radius. A round end is a polygon of 16 corners
 * that do not depend on the direction; a round side is a line. A POLYTOPE other than a triangle has faces and edges only
 * if they are given.
 */
export function supportingFace(
  core: ConvexCore,
  faces: CoreFaces | null,
  direction: ReadonlyVec3,
  out: Patch,
): Patch {
  out.count = 0;
  out.id = 0;
  switch (core.type) {
    case SEGMENT:
      segmentPatch(core, direction, out);
      break;
    case BOX:
      boxPatch(core, direction, out);
      break;
    case POLYTOPE:
      if (core.data.length === 9) trianglePatch(core, direction, out);
      else if (faces !== null) polytopePatch(core, faces, direction, out);
      break;
    case CYLINDER:
      cylinderPatch(core, direction, out);
      break;
    case CONE:
      conePatch(core, direction, out);
  }
  if (out.count === 0) {
    const id = supportCore(core, direction, -1, out.point);
    add(out, Math.max(id, 0));
  }
  return out;
}

/** Adds `out.point`. No doubles as arguments: V8 would box them. */
function add(out: Patch, id: number): void {
  const { point } = out;
  const at = 3 * out.count;
  out.points[at] = point.x;
  out.points[at + 1] = point.y;
  out.points[at + 2] = point.z;
  out.ids[out.count] = id;
  out.count++;
}

/** Adds point i of a list. */
function addPoint(out: Patch, data: Float64Array, i: number): void {
  const { point } = out;
  point.x = data[3 * i]!;
  point.y = data[3 * i + 1]!;
  point.z = data[3 * i + 2]!;
  add(out, i);
}

function segmentPatch({ data }: ConvexCore, { x, y, z }: ReadonlyVec3, out: Patch): void {
  const ux = data[3]! - data[0]!;
  const uy = data[4]! - data[1]!;
  const uz = data[5]! - data[2]!;
  const along = ux * x + uy * y + uz * z;
  if (!(along * along <= TILT_SQ * (ux * ux + uy * uy + uz * uz))) return;
  addPoint(out, data, 0);
  addPoint(out, data, 1);
}

/** The corners of the sides -x, x, -y, y, -z, z; bits 0, 1 and 2 of a corner stand for +x, +y and +z. */
const SIDES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
] as const;

function addCorner(out: Patch, { data }: ConvexCore, i: number): void {
  const { point } = out;
  point.x = i & 1 ? data[0]! : -data[0]!;
  point.y = i & 2 ? data[1]! : -data[1]!;
  point.z = i & 4 ? data[2]! : -data[2]!;
  add(out, i);
}

function boxPatch(core: ConvexCore, { x, y, z }: ReadonlyVec3, out: Patch): void {
  const xx = x * x;
  const yy = y * y;
  const zz = z * z;
  const axis = xx >= yy && xx >= zz ? 0 : yy >= zz ? 1 : 2;
  const across = axis === 0 ? yy + zz : axis === 1 ? xx + zz : xx + yy;
  if (across <= TILT_SQ) {
    const sign = (axis === 0 ? x : axis === 1 ? y : z) < 0 ? -1 : 1;
    const side = 2 * axis + (sign > 0 ? 1 : 0);
    out.id = side;
    out.normal.x = axis === 0 ? sign : 0;
    out.normal.y = axis === 1 ? sign : 0;
    out.normal.z = axis === 2 ? sign : 0;
    for (let k = 0; k < 4; k++) addCorner(out, core, SIDES[side]![k]!);
    return;
  }
  const along = xx <= yy && xx <= zz ? 0 : yy <= zz ? 1 : 2;
  if (!((along === 0 ? xx : along === 1 ? yy : zz) <= TILT_SQ)) return;
  const bit = 1 << along;
  const corner = ((x >= 0 ? 1 : 0) | (y >= 0 ? 2 : 0) | (z >= 0 ? 4 : 0)) & ~bit;
  addCorner(out, core, corner);
  addCorner(out, core, corner | bit);
}

const u = vec3();
const v = vec3();

/** A triangle needs no list of its faces, so that those of a mesh can pass through one core. */
function trianglePatch({ data }: ConvexCore, d: ReadonlyVec3, out: Patch): void {
  v3.set(data[3]! - data[0]!, data[4]! - data[1]!, data[5]! - data[2]!, u);
  v3.set(data[6]! - data[0]!, data[7]! - data[1]!, data[8]! - data[2]!, v);
  v3.normalize(v3.crossAccurate(u, v, u), u);
  const side = v3.dot(u, d) < 0 ? -1 : 1;
  v3.scale(u, side, out.normal);
  if (isTilted(out.normal, d)) flattestEdge(data, TRIANGLE, BOTH, supportOf(data, d), d, out);
  else {
    out.id = side < 0 ? 1 : 0;
    for (let i = 0; i < 3; i++) addPoint(out, data, i);
  }
}

const TRIANGLE = [
  [0, 1, 2],
  [0, 2, 1],
];
const BOTH = [0, 1];
const NONE: readonly number[] = [];

/** The corner of a triangle that is foremost. */
function supportOf(data: Float64Array, { x, y, z }: ReadonlyVec3): number {
  const a = data[0]! * x + data[1]! * y + data[2]! * z;
  const b = data[3]! * x + data[4]! * y + data[5]! * z;
  const c = data[6]! * x + data[7]! * y + data[8]! * z;
  return a >= b && a >= c ? 0 : b >= c ? 1 : 2;
}

/** Are two unit vectors not as good as parallel? Also if the first is 0. */
function isTilted(n: ReadonlyVec3, d: ReadonlyVec3): boolean {
  const x = n.y * d.z - n.z * d.y;
  const y = n.z * d.x - n.x * d.z;
  const z = n.x * d.y - n.y * d.x;
  return !(x * x + y * y + z * z <= TILT_SQ && n.x * d.x + n.y * d.y + n.z * d.z > 0);
}

function polytopePatch(core: ConvexCore, lists: CoreFaces, d: ReadonlyVec3, out: Patch): void {
  const { faces, planes } = lists;
  const at = supportCore(core, d, -1, out.point);
  const near = facesOfPoints(lists)[at] ?? NONE;
  // A point that is no corner of the hull lies in a face as foremost as itself, but which?
  const isCorner = near.length > 0;
  let best = -1;
  let most = 0;
  for (let k = 0, end = isCorner ? near.length : faces.length; k < end; k++) {
    const f = isCorner ? near[k]! : k;
    const n = planes[f]!.normal;
    const along = n.x * d.x + n.y * d.y + n.z * d.z;
    if (along > most) {
      most = along;
      best = f;
    }
  }
  if (best >= 0 && !isTilted(planes[best]!.normal, d)) {
    out.id = best;
    v3.copy(planes[best]!.normal, out.normal);
    const loop = faces[best]!;
    for (let k = 0; k < loop.length; k++) addPoint(out, core.data, loop[k]!);
  } else if (isCorner) flattestEdge(core.data, faces, near, at, d, out);
}

/** Of the edges at the foremost point, the one that falls back least, if it is flat enough. */
function flattestEdge(
  data: Float64Array,
  faces: readonly (readonly number[])[],
  near: readonly number[],
  from: number,
  d: ReadonlyVec3,
  out: Patch,
): void {
  let best = -1;
  let least = TILT;
  for (let k = 0; k < near.length; k++) {
    const loop = faces[near[k]!]!;
    // Each edge at the point leaves it in one of the faces.
    const to = loop[(loop.indexOf(from) + 1) % loop.length]!;
    const x = data[3 * to]! - data[3 * from]!;
    const y = data[3 * to + 1]! - data[3 * from + 1]!;
    const z = data[3 * to + 2]! - data[3 * from + 2]!;
    const fall = -(x * d.x + y * d.y + z * d.z) / Math.sqrt(x * x + y * y + z * z);
    if (fall < least) {
      least = fall;
      best = to;
    }
  }
  if (best < 0) return;
  addPoint(out, data, Math.min(from, best));
  addPoint(out, data, Math.max(from, best));
}

/** The disc at the lower end (side -1) or the upper one, whose corners are numbered from `from`. */
function addDisc(out: Patch, { data }: ConvexCore, side: number, from: number): void {
  const { point } = out;
  const radius = data[1]!;
  out.id = from;
  out.normal.x = 0;
  out.normal.y = side;
  out.normal.z = 0;
  for (let k = 0; k < CORNERS; k++) {
    point.x = radius * CIRCLE[k]!.x;
    point.y = side * data[0]!;
    point.z = radius * CIRCLE[k]!.z;
    add(out, from + k);
  }
}

/** The line from the rim at the lower end, where it is foremost, to the rim (or the tip, 0) at the upper one. */
function addLine(out: Patch, { data }: ConvexCore, d: ReadonlyVec3, tip: number, from: number): void {
  const { point } = out;
  const k = data[1]! / Math.sqrt(d.x * d.x + d.z * d.z);
  point.x = k * d.x;
  point.y = -data[0]!;
  point.z = k * d.z;
  add(out, from);
  point.x *= tip;
  point.y = data[0]!;
  point.z *= tip;
  add(out, from + 1);
}

function cylinderPatch(core: ConvexCore, d: ReadonlyVec3, out: Patch): void {
  if (d.x * d.x + d.z * d.z <= TILT_SQ) addDisc(out, core, d.y < 0 ? -1 : 1, d.y < 0 ? 0 : CORNERS);
  else if (d.y * d.y <= TILT_SQ) addLine(out, core, d, 1, 2 * CORNERS);
}

function conePatch(core: ConvexCore, d: ReadonlyVec3, out: Patch): void {
  const half = core.data[0]!;
  const radius = core.data[1]!;
  const across = Math.sqrt(d.x * d.x + d.z * d.z);
  if (across <= TILT && (d.y < 0 || half === 0)) addDisc(out, core, -1, 0);
  else if (across > 0) {
    // The side has the normal (2 half, radius), in terms of (across, y).
    const tilt = across * radius - d.y * 2 * half;
    const ahead = across * 2 * half + d.y * radius;
    if (ahead > 0 && tilt * tilt <= TILT_SQ * (4 * half * half + radius * radius))
      addLine(out, core, d, 0, CORNERS);
  }
}

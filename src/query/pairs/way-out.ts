/**
 * The way out along a line: how far must one body go in a direction until it is clear of another? Part by part: as long
 * as any two parts overlap, on to where the last of them are apart. What comes out is certain, whatever the direction:
 * behind every step there is a plane between the two parts that held.
 */
import { castConvex } from '../../convex/cast.ts';
import { type ConvexCore, POLYTOPE } from '../../convex/core.ts';
import {
  composeFrames,
  copyFrame,
  directionToSecond,
  type Frame,
  invertFrame,
  makeFrame,
  toSecond,
  turnToFirst,
} from '../../convex/frame.ts';
import { DifferencePoint, measureGap } from '../../convex/minkowski.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { makeAabb, makeHit } from '../../primitives/types.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { isOnSurface } from '../../trimesh/crossing-number.ts';
import { isClosed } from '../../trimesh/derived.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { findContained, makeContained } from '../../trimesh/mesh-mesh/overlap.ts';
import { type TriangleVisitor, visitNear } from '../../trimesh/visit-triangles.ts';
import { isSurrounded } from '../../trimesh/winding.ts';
import { copyPoint } from '../placed.ts';
import { makeCastHit, makeSeparation } from '../results.ts';
import { overlapCores, separateCores } from './convex-convex.ts';
import { castOntoTriangles } from './convex-surface.ts';
import { erodedOf } from './eroded.ts';
import type { Part } from './parts.ts';
import { firstToMeet, lastToLeave, makeMeeting, meetTriangles } from './surface-exit.ts';
import { boxInMesh } from './surface-slabs.ts';
import { TriangleCore } from './triangle-core.ts';

/** Two parts that may overlap, and where they stand. */
export interface PartPair {
  readonly a: Part;
  readonly b: Part;
  /** The place of b as a sees it. */
  readonly frame: Frame;
}

/** @internal */
export const makePartPair = (a: Part, b: Part): PartPair => ({
  a,
  b,
  frame: composeFrames(invertFrame(a.frame, makeFrame()), b.frame, makeFrame()),
});

/** How far the first body has gone, and what held it last. */
export interface WayOut {
  /** Unit vector, to the first body. */
  readonly direction: Vec3;
  /** How far it has gone. */
  s: number;
  /** How deep is still touching. */
  touch: number;
  /** Does touching hold, too? */
  closed: boolean;
  /** Across the plane between the parts that held last: unit vector out of the second, to the first body. */
  readonly normal: Vec3;
  /** Which parts held last, and which of their triangles, in the order of their meshes (-1: none, or not told). */
  pair: PartPair | null;
  placeA: number;
  placeB: number;
  /** All planes that were left on the way: the normal, to the first body, and where on the way it was. */
  readonly left: { readonly n: Vec3; readonly s: number }[];
}

/** @internal */
export const makeWayOut = (): WayOut => ({
  direction: vec3(),
  s: 0.5,
  touch: 0.5,
  closed: false,
  normal: vec3(),
  pair: null,
  placeA: -1,
  placeB: -1,
  left: [],
});

/** Part of the way that was gone: steps that are smaller are rounding. */
const PROGRESS = 1e-15;
/** Of the sizes: how near curved bodies come. */
const CLOSE = 1e-11;
/** How many planes on the way are noted. */
const MOST_PLANES = 32;
/** Passes over the triangles near one part, before the search is given up (for the plane behind all of the body). */
const MOST_PASSES = 400;

const along = vec3();
const now = makeFrame();

/** The frame of something that the first part has moved away from: by s along the direction. */
function slide(frame: Frame, { x, y, z }: ReadonlyVec3, s: number, out: Frame): Frame {
  copyFrame(frame, out);
  out.tx = frame.tx - s * x;
  out.ty = frame.ty - s * y;
  out.tz = frame.tz - s * z;
  return out;
}

/** Do the boxes around two parts overlap, the first moved by s? */
export function boxesMeet({ a, b }: PartPair, { direction: d, s, touch }: WayOut): boolean {
  const [x, y, z] = [s * d.x, s * d.y, s * d.z];
  return (
    a.box.min.x + x - touch <= b.box.max.x &&
    a.box.max.x + x + touch >= b.box.min.x &&
    a.box.min.y + y - touch <= b.box.max.y &&
    a.box.max.y + y + touch >= b.box.min.y &&
    a.box.min.z + z - touch <= b.box.max.z &&
    a.box.max.z + z + touch >= b.box.min.z
  );
}

/**
 * Goes on until the two parts are clear of each other. False if they are where it stands. Gives up beyond `limit`, with
 * the parts still in each other.
 *
 * @internal
 */
export function leave(pair: PartPair, way: WayOut, limit: number): boolean {
  const { a, b, frame } = pair;
  const from = way.s;
  const before = way.left.length;
  directionToSecond(a.frame, way.direction, along);
  let held: boolean;
  if (a.convex && b.convex) held = leaveCores(a.convex.core, b.convex.core, frame, along, way);
  else if (a.convex) held = leaveMesh(a.convex, b.mesh!, frame, along, way, limit);
  else if (b.convex) held = leaveByMesh(pair, way, limit);
  else held = leaveMeshes(a.mesh!, b.mesh!, frame, along, way, limit);
  if (!held) return false;
  turnToFirst(a.frame, way.normal, way.normal);
  for (let i = before; i < way.left.length; i++) turnToFirst(a.frame, way.left[i]!.n, way.left[i]!.n);
  way.pair = pair;
  return way.s > from;
}

const apart = makeSeparation();
const there = makeFrame();
const motion = vec3();
const hit = makeHit();
const support = new DifferencePoint();

/** Of convex sets that overlap, on to where they are apart. All to the first. */
function leaveCores(a: ConvexCore, b: ConvexCore, frame: Frame, d: ReadonlyVec3, way: WayOut): boolean {
  slide(frame, d, way.s, now);
  // How deep curved sets are takes long to tell: there, planes do.
  const curved = a.type > POLYTOPE || b.type > POLYTOPE;
  if (way.closed || curved ? !overlapCores(a, b, now) : !separateCores(a, b, now, -way.touch, apart))
    return false;
  const radii = a.radius + b.radius;
  // At the latest when there is a plane between them across the way.
  measureGap(a, b, now, d, support);
  const most = radii - support.gap;
  if (!(most > PROGRESS * way.s)) return false;
  // From beyond it comes back, to where they touch.
  const far = 1.01 * most + way.touch;
  slide(frame, d, way.s + far, there);
  motion.x = -far * d.x;
  motion.y = -far * d.y;
  motion.z = -far * d.z;
  let step = most;
  copyPoint(d, way.normal);
  if (castConvex(a, b, there, motion, CLOSE * (a.reach + b.reach), hit)) {
    const { x, y, z } = hit.normal;
    const steep = x * d.x + y * d.y + z * d.z;
    // The cast stops a little before; the plane found there is behind them at once.
    measureGap(a, b, now, hit.normal, support);
    if (curved && !way.closed && !(radii - support.gap > way.touch)) return false;
    const byPlane = steep > 0 ? (radii - support.gap) / steep : Infinity;
    const byCast = far * (1 - hit.t);
    if (Math.min(byPlane, byCast) < step) {
      step = Math.max(0, Math.min(byPlane, byCast));
      copyPoint(hit.normal, way.normal);
    }
  }
  if (!(step > PROGRESS * way.s)) return false;
  way.s += step;
  notePlane(way);
  return true;
}

function notePlane({ left, normal, s }: WayOut): void {
  if (left.length < MOST_PLANES) left.push({ n: { ...normal }, s });
}

/** Goes on to where a convex shape is clear of the triangles that are near where it stood. */
class LeavingVisitor implements TriangleVisitor {
  bound = 0;
  readonly triangle = new TriangleCore();
  shape: ConvexShape | null = null;
  mesh: Mesh | null = null;
  frame: Frame = makeFrame();
  direction: ReadonlyVec3 = vec3();
  way: WayOut | null = null;
  held = false;

  visit(place: number): void {
    const { triangle, way, shape, mesh } = this;
    triangle.load(mesh!, place, this.frame);
    if (!leaveCores(shape!.core, triangle.core, triangle.frame, this.direction, way!)) return;
    this.held = true;
    way!.placeA = -1;
    way!.placeB = place;
  }
}

const visitor = new LeavingVisitor();
const box = makeAabb();
const moved = makeFrame();
const center = vec3();
const contact = makeCastHit();
const own = vec3();

/** The same for a convex shape and a mesh; `direction` is to the shape. */
function leaveMesh(
  shape: ConvexShape,
  mesh: Mesh,
  frame: Frame,
  direction: ReadonlyVec3,
  way: WayOut,
  limit: number,
): boolean {
  const { core } = shape;
  copyPoint(direction, own);
  const solid = isClosed(mesh);
  const from = way.s;
  for (let pass = 0; way.s < limit && pass < MOST_PASSES; pass++) {
    Object.assign(visitor, { shape, mesh, frame, direction: own, way, held: false, bound: 0 });
    visitNear(mesh, boxInMesh(core, slide(frame, own, way.s, moved), box), visitor);
    if (visitor.held) continue;
    if (!solid || !isWithin(core, mesh, slide(frame, own, way.s, moved))) return way.s > from;
    // Inside, and clear of the surface: on to where it touches that, and a little into it.
    const room = leastRoom(core, mesh, moved, own);
    motion.x = room * own.x;
    motion.y = room * own.y;
    motion.z = room * own.z;
    contact.t = 1;
    if (!castOntoTriangles(shape, motion, mesh, moved, contact)) {
      way.s += room;
      copyPoint(own, way.normal);
      continue;
    }
    const { x, y, z } = contact.normal;
    const steep = x * own.x + y * own.y + z * own.z;
    const sign = steep < 0 ? -1 : 1;
    way.s += contact.t * room + (4 * way.touch) / Math.max(0.01, Math.abs(steep));
    // What has no inside is through with that.
    way.normal.x = sign * x;
    way.normal.y = sign * y;
    way.normal.z = sign * z;
    way.placeA = -1;
    way.placeB = mesh.ids.indexOf(contact.part.triangle);
  }
  if (way.s < limit) way.s = Infinity;
  return true;
}

/** Is the shape, which is clear of the triangles, inside of the closed mesh? */
function isWithin(core: ConvexCore, mesh: Mesh, frame: Frame): boolean {
  toSecond(frame, core.center, center);
  return isSurrounded(center, mesh) && !isOnSurface(center, mesh);
}

/** How far the shape can go until it has left the box around the mesh, and more. */
function leastRoom({ reach }: ConvexCore, { bounds }: Mesh, { tx, ty, tz }: Frame, d: ReadonlyVec3): number {
  const { min, max } = bounds;
  const size = max.x - min.x + (max.y - min.y) + (max.z - min.z);
  const offset =
    Math.max(-min.x, max.x) +
    Math.max(-min.y, max.y) +
    Math.max(-min.z, max.z) +
    Math.abs(tx) +
    Math.abs(ty) +
    Math.abs(tz);
  return (2 * (size + offset + 2 * reach)) / Math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

const back = makeFrame();
const reverse = vec3();

/** A mesh that leaves a convex shape: to the shape, it goes the other way. */
function leaveByMesh({ a, b, frame }: PartPair, way: WayOut, limit: number): boolean {
  invertFrame(frame, back);
  directionToSecond(frame, along, reverse);
  reverse.x = -reverse.x;
  reverse.y = -reverse.y;
  reverse.z = -reverse.z;
  const before = way.left.length;
  if (!leaveMesh(b.convex!, a.mesh!, back, reverse, way, limit)) return false;
  turnBack(frame, way.normal);
  for (let i = before; i < way.left.length; i++) turnBack(frame, way.left[i]!.n);
  way.placeA = way.placeB;
  way.placeB = -1;
  return true;
}

/** A normal towards the second, to the first and towards it. */
function turnBack(frame: Frame, n: Vec3): void {
  turnToFirst(frame, n, n);
  n.x = -n.x;
  n.y = -n.y;
  n.z = -n.z;
}

const meeting = makeMeeting();
const contained = makeContained();

/**
 * The same for two meshes. A solid is moved in by next to nothing for this, so that what touches does not hold; the step
 * ends where the triangles themselves are apart.
 */
function leaveMeshes(a: Mesh, b: Mesh, frame: Frame, d: ReadonlyVec3, way: WayOut, limit: number): boolean {
  const from = way.s;
  const first = isClosed(a) ? erodedOf(a) : a;
  const second = first === a && isClosed(b) ? erodedOf(b) : b;
  const room = 1e-3 * way.touch;
  for (let pass = 0; way.s < limit && pass < MOST_PASSES; pass++) {
    meeting.exit = way.s;
    if (!lastToLeave(first, second, frame, d, room, meeting)) {
      if (!findContained(first, second, slide(frame, d, way.s, moved), contained)) return way.s > from;
      meeting.exit = way.s;
      if (!firstToMeet(first, second, frame, d, meeting)) break;
    }
    way.s = meeting.exit + 2 * room;
    copyPoint(meeting.normal, way.normal);
    notePlane(way);
    way.placeA = meeting.placeA;
    way.placeB = meeting.placeB;
  }
  if (way.s < limit) way.s = Infinity;
  return true;
}

/** Of the two triangles that held last, where they are apart, if that is farther than where they were moved in. */
export function leaveExactly(way: WayOut): void {
  const { pair, placeA, placeB } = way;
  if (!pair || placeA < 0 || placeB < 0) return;
  directionToSecond(pair.a.frame, way.direction, along);
  meeting.placeA = placeA;
  meeting.placeB = placeB;
  if (!meetTriangles(pair.a.mesh!, pair.b.mesh!, pair.frame, along, meeting)) return;
  if (Math.abs(meeting.exit - way.s) <= way.touch) way.s = meeting.exit;
}

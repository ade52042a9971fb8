/**
 * How far must one body move in a direction until it is clear of another? Part by part: as long as any two parts overlap, on to
 * where the last of them are apart. The answer is certain, whatever the direction: behind every step there is a plane between
 * the two parts that held.
 */
import { castConvex } from '../../convex/cast.ts';
import { type ConvexCore, POLYTOPE } from '../../convex/core.ts';
import {
  composeFrames,
  copyFrame,
  directionToFirst,
  directionToSecond,
  type Frame,
  invertFrame,
  makeFrame,
  toSecond,
} from '../../convex/frame.ts';
import { DifferencePoint, measureGap } from '../../convex/minkowski.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { isOnSurface } from '../../trimesh/crossing-number.ts';
import { isClosed } from '../../trimesh/derived.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { findContained, makeContained } from '../../trimesh/mesh-mesh/overlap.ts';
import { TriangleCore } from '../../trimesh/triangle-core.ts';
import { type TriangleVisitor, visitNear } from '../../trimesh/visit-triangles.ts';
import { isSurrounded } from '../../trimesh/winding.ts';
import { copyPoint } from '../body-space.ts';
import type { ConvexShape } from '../shape.ts';
import { overlapCores, separateCores } from './convex-distance.ts';
import { ConvexInMesh } from './convex-in-mesh.ts';
import { castOntoTriangles } from './convex-mesh-cast.ts';
import { erodedOf } from './eroded-mesh.ts';
import { firstToMeet, lastToLeave, makeMeeting, meetTriangles } from './moving-triangles.ts';
import { PairContext } from './pair-context.ts';
import type { Part } from './parts.ts';

/** Two parts that may overlap, and where they stand. */
export interface PartPair {
  readonly a: Part;
  readonly b: Part;
  /** The pose of b as a sees it. */
  readonly frame: Frame;
}

/** @internal */
export const makePartPair = (a: Part, b: Part): PartPair => ({
  a,
  b,
  frame: composeFrames(invertFrame(a.frame, makeFrame()), b.frame, makeFrame()),
});

/** How far the first body has moved, and what held it last. */
export class ExitPath {
  /** Unit vector, in the space of the first body. */
  readonly direction = vec3();
  /** How far it has moved. */
  distance = 0.5;
  /** How deep is still touching. */
  touch = 0.5;
  /** Does touching hold, too? */
  closed = false;
  /** The normal of the plane between the parts that held last: a unit vector out of the second, in the space of the first body. */
  readonly normal = vec3();
  /** Which parts held last, and the slots of their triangles (-1: none, or not known). */
  pair: PartPair | null = null;
  slotA = -1;
  slotB = -1;
  /** All planes that were left on the path: the normal, in the space of the first body, and where on the path it was. */
  readonly planes: { readonly n: Vec3; readonly distance: number }[] = [];
  /** The two parts as they stand after the move, and before it comes back from beyond. */
  readonly here = new PairContext();
  readonly beyond = new PairContext();
  readonly around = new ConvexInMesh();
  readonly support = new DifferencePoint();
  readonly visitor = new LeavingVisitor(this);
}

/** Part of the distance: steps that are smaller are rounding. */
const PROGRESS = 1e-15;
/** Of the sizes: how near curved bodies come. */
const CLOSE = 1e-11;
/** How many planes on the path are noted. */
const MOST_PLANES = 32;
/** Passes over the triangles near one part, before the search is given up (for the plane behind all of the body). */
const MOST_PASSES = 400;

/** The frame of something that the first part has moved away from, by a distance along the direction. */
function moveFrame(frame: Frame, { x, y, z }: ReadonlyVec3, distance: number, out: Frame): Frame {
  copyFrame(frame, out);
  out.tx = frame.tx - distance * x;
  out.ty = frame.ty - distance * y;
  out.tz = frame.tz - distance * z;
  return out;
}

/** Do the boxes around two parts overlap, the first moved along the path? */
export function boxesMeet({ a, b }: PartPair, { direction: d, distance, touch }: ExitPath): boolean {
  const [x, y, z] = [distance * d.x, distance * d.y, distance * d.z];
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
 * Moves on until the two parts are clear of each other. False if they are where the path stands. Gives up beyond `limit`, with
 * the parts still in each other.
 */
export function leave(pair: PartPair, path: ExitPath, limit: number): boolean {
  const { a, b, frame } = pair;
  const from = path.distance;
  const before = path.planes.length;
  const along = directionToSecond(a.frame, path.direction, vec3());
  let held: boolean;
  if (a.convex && b.convex) held = leaveCores(a.convex.core, b.convex.core, frame, along, path);
  else if (a.convex) held = leaveMesh(a.convex, b.mesh!, frame, along, path, limit);
  else if (b.convex) held = leaveByMesh(pair, along, path, limit);
  else held = leaveMeshes(a.mesh!, b.mesh!, frame, along, path, limit);
  if (!held) return false;
  directionToFirst(a.frame, path.normal, path.normal);
  for (let i = before; i < path.planes.length; i++)
    directionToFirst(a.frame, path.planes[i]!.n, path.planes[i]!.n);
  path.pair = pair;
  return path.distance > from;
}

/** Of convex sets that overlap, on to where they are apart. All in the space of the first. */
function leaveCores(a: ConvexCore, b: ConvexCore, frame: Frame, d: ReadonlyVec3, path: ExitPath): boolean {
  const { here, beyond, support } = path;
  const now = moveFrame(frame, d, path.distance, here.frame);
  here.limit = -path.touch;
  // The depth of curved sets takes long to compute: there, planes do.
  const curved = a.type > POLYTOPE || b.type > POLYTOPE;
  if (path.closed || curved ? !overlapCores(a, b, here) : !separateCores(a, b, here, here.separation))
    return false;
  const radii = a.radius + b.radius;
  // At the latest when there is a plane between them across the path.
  measureGap(a, b, now, d, support);
  const most = radii - support.gap;
  if (!(most > PROGRESS * path.distance)) return false;
  // From beyond it comes back, to where they touch.
  const far = 1.01 * most + path.touch;
  const { motion, hit } = beyond;
  const there = moveFrame(frame, d, path.distance + far, beyond.frame);
  motion.x = -far * d.x;
  motion.y = -far * d.y;
  motion.z = -far * d.z;
  let step = most;
  copyPoint(d, path.normal);
  if (castConvex(a, b, there, motion, CLOSE * (a.reach + b.reach), hit)) {
    const { x, y, z } = hit.normal;
    const steep = x * d.x + y * d.y + z * d.z;
    // The cast stops a little before; the plane found there is behind them at once.
    measureGap(a, b, now, hit.normal, support);
    if (curved && !path.closed && !(radii - support.gap > path.touch)) return false;
    const byPlane = steep > 0 ? (radii - support.gap) / steep : Infinity;
    const byCast = far * (1 - hit.t);
    if (Math.min(byPlane, byCast) < step) {
      step = Math.max(0, Math.min(byPlane, byCast));
      copyPoint(hit.normal, path.normal);
    }
  }
  if (!(step > PROGRESS * path.distance)) return false;
  path.distance += step;
  notePlane(path);
  return true;
}

function notePlane({ planes, normal, distance }: ExitPath): void {
  if (planes.length < MOST_PLANES) planes.push({ n: { ...normal }, distance });
}

/** Moves on to where a convex shape is clear of the triangles that are near where it stood. */
class LeavingVisitor implements TriangleVisitor {
  bound = 0;
  held = false;
  private readonly path: ExitPath;
  private readonly triangle = new TriangleCore();
  private readonly frameOfTriangle = makeFrame();
  private shape: ConvexShape | null = null;
  private mesh: Mesh | null = null;
  private frame: Frame = makeFrame();
  private direction: ReadonlyVec3 = vec3();

  constructor(path: ExitPath) {
    this.path = path;
  }

  start(shape: ConvexShape, mesh: Mesh, frame: Frame, direction: ReadonlyVec3): this {
    this.shape = shape;
    this.mesh = mesh;
    this.frame = frame;
    this.direction = direction;
    this.held = false;
    this.bound = 0;
    return this;
  }

  visit(slot: number): void {
    const { triangle, path, frameOfTriangle } = this;
    triangle.load(this.mesh!, slot, this.frame, frameOfTriangle);
    if (!leaveCores(this.shape!.core, triangle.core, frameOfTriangle, this.direction, path)) return;
    this.held = true;
    path.slotA = -1;
    path.slotB = slot;
  }
}

/** The same for a convex shape and a mesh; `direction` is in the space of the shape. */
function leaveMesh(
  shape: ConvexShape,
  mesh: Mesh,
  frame: Frame,
  direction: ReadonlyVec3,
  path: ExitPath,
  limit: number,
): boolean {
  const { core } = shape;
  const { visitor, around } = path;
  const solid = isClosed(mesh);
  const from = path.distance;
  const cast = new PairContext();
  const { frame: moved, motion, hit } = cast;
  for (let pass = 0; path.distance < limit && pass < MOST_PASSES; pass++) {
    const box = around.measureBox(core, moveFrame(frame, direction, path.distance, moved));
    visitNear(mesh, box, visitor.start(shape, mesh, frame, direction));
    if (visitor.held) continue;
    if (!solid || !isWithin(core, mesh, moveFrame(frame, direction, path.distance, moved)))
      return path.distance > from;
    // Inside, and clear of the surface: on to where it touches that, and a little into it.
    const far = lengthOut(core, mesh, moved, direction);
    motion.x = far * direction.x;
    motion.y = far * direction.y;
    motion.z = far * direction.z;
    hit.t = 1;
    if (!castOntoTriangles(shape, mesh, cast, hit)) {
      path.distance += far;
      copyPoint(direction, path.normal);
      continue;
    }
    const { x, y, z } = hit.normal;
    const steep = x * direction.x + y * direction.y + z * direction.z;
    const sign = steep < 0 ? -1 : 1;
    path.distance += hit.t * far + (4 * path.touch) / Math.max(0.01, Math.abs(steep));
    // What has no inside is through with that.
    path.normal.x = sign * x;
    path.normal.y = sign * y;
    path.normal.z = sign * z;
    path.slotA = -1;
    path.slotB = mesh.ids.indexOf(hit.part.triangle);
  }
  if (path.distance < limit) path.distance = Infinity;
  return true;
}

/** Is the shape, which is clear of the triangles, inside of the closed mesh? */
function isWithin(core: ConvexCore, mesh: Mesh, frame: Frame): boolean {
  const center = toSecond(frame, core.center, vec3());
  return isSurrounded(center, mesh) && !isOnSurface(center, mesh);
}

/** A length along d after which the shape has left the box around the mesh. */
function lengthOut({ reach }: ConvexCore, { bounds }: Mesh, { tx, ty, tz }: Frame, d: ReadonlyVec3): number {
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

/** A mesh that leaves a convex shape, which sees it move the other way. */
function leaveByMesh({ a, b, frame }: PartPair, along: ReadonlyVec3, path: ExitPath, limit: number): boolean {
  const back = invertFrame(frame, makeFrame());
  const reverse = directionToSecond(frame, along, vec3());
  reverse.x = -reverse.x;
  reverse.y = -reverse.y;
  reverse.z = -reverse.z;
  const before = path.planes.length;
  if (!leaveMesh(b.convex!, a.mesh!, back, reverse, path, limit)) return false;
  rotateToFirst(frame, path.normal);
  for (let i = before; i < path.planes.length; i++) rotateToFirst(frame, path.planes[i]!.n);
  path.slotA = path.slotB;
  path.slotB = -1;
  return true;
}

/** Brings a normal that is towards the second, in its space, to the space of the first, and turns it towards that. */
function rotateToFirst(frame: Frame, n: Vec3): void {
  directionToFirst(frame, n, n);
  n.x = -n.x;
  n.y = -n.y;
  n.z = -n.z;
}

const meeting = makeMeeting();
const contained = makeContained();
const moved = makeFrame();

/**
 * The same for two meshes. A solid is shrunk by next to nothing for this, so that what touches does not hold; the step ends
 * where the triangles themselves are apart.
 */
function leaveMeshes(
  a: Mesh,
  b: Mesh,
  frame: Frame,
  d: ReadonlyVec3,
  path: ExitPath,
  limit: number,
): boolean {
  const from = path.distance;
  const first = isClosed(a) ? erodedOf(a) : a;
  const second = first === a && isClosed(b) ? erodedOf(b) : b;
  const slack = 1e-3 * path.touch;
  for (let pass = 0; path.distance < limit && pass < MOST_PASSES; pass++) {
    meeting.exit = path.distance;
    if (!lastToLeave(first, second, frame, d, slack, meeting)) {
      if (!findContained(first, second, moveFrame(frame, d, path.distance, moved), contained))
        return path.distance > from;
      meeting.exit = path.distance;
      if (!firstToMeet(first, second, frame, d, meeting)) break;
    }
    path.distance = meeting.exit + 2 * slack;
    copyPoint(meeting.normal, path.normal);
    notePlane(path);
    path.slotA = meeting.slotA;
    path.slotB = meeting.slotB;
  }
  if (path.distance < limit) path.distance = Infinity;
  return true;
}

/** Of the two triangles that held last, where they are apart, if that is farther than where they were shrunk. */
export function leaveExactly(path: ExitPath): void {
  const { pair, slotA, slotB } = path;
  if (!pair || slotA < 0 || slotB < 0) return;
  const along = directionToSecond(pair.a.frame, path.direction, vec3());
  meeting.slotA = slotA;
  meeting.slotB = slotB;
  if (!meetTriangles(pair.a.mesh!, pair.b.mesh!, pair.frame, along, meeting)) return;
  if (Math.abs(meeting.exit - path.distance) <= path.touch) path.distance = meeting.exit;
}

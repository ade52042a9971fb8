/**
 * When two bodies first touch of which one rotates, or both: conservative advancement, for every pair of shapes. What is not
 * convex is taken piece by piece. RTCD §9.5.2; Mirtich's directional bound on the approach.
 */

import { makeSteadyMotion, partOfMotion, poseInPhase, type SteadyMotion } from '../continuous/motion.ts';
import { ContextPool } from '../convex/context-pool.ts';
import { type ConvexCore, supportCore } from '../convex/core.ts';
import { makeFrame, relativeFrame } from '../convex/frame.ts';
import { EPS64 } from '../math/float.ts';
import { composePoses, inverseTransformVector, invertPose, transformPoint } from '../math/pose.ts';
import * as q4 from '../math/quat.ts';
import { pose as makePose, type Pose, type ReadonlyPose, type ReadonlyVec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { type Aabb, makeAabb, type ReadonlyAabb } from '../primitives/types.ts';
import { copyPoint, normalToWorld, pointToWorld } from '../shapes/body-space.ts';
import { boundsOf } from '../shapes/bounds.ts';
import { point } from '../shapes/flat-sided-shapes.ts';
import { separateCores } from '../shapes/pairs/convex-distance.ts';
import { separateShapes } from '../shapes/pairs/dispatch.ts';
import { PairContext } from '../shapes/pairs/pair-context.ts';
import { meshOf } from '../shapes/pairs/surface.ts';
import type { CastHit } from '../shapes/results.ts';
import type { CompoundShape, HalfSpaceShape, Shape, SimpleShape } from '../shapes/shape.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { TriangleCore } from '../trimesh/triangle-core.ts';
import { type TriangleVisitor, visitNear } from '../trimesh/visit-triangles.ts';

/** A moving body: where it is at the start, and how it moves. */
export interface MovingBody<S extends Shape = Shape> {
  readonly shape: S;
  /** With a unit quaternion. */
  readonly pose: Pose;
  readonly motion: SteadyMotion;
  /** Its number in the compound that it is a child of, or -1. */
  readonly child: number;
}

/** A half-space has no end: the normal rotates with it. Everything else is seen along a normal that keeps its direction. */
const STILL: SteadyMotion = { pivot: vec3(), linear: vec3(), axis: vec3(0, 1, 0), angle: 0 };

class ChildBody implements MovingBody {
  shape!: Shape;
  readonly pose = makePose();
  motion = STILL;
  child = -1;
}

/** A convex part of a body, or a half-space, and where it stands at the start. */
interface Piece {
  readonly core: ConvexCore | null;
  readonly shape: Shape | null;
  readonly pose: Pose;
  motion: SteadyMotion;
  child: number;
  triangle: number;
}

type Simple = SimpleShape | HalfSpaceShape;

/** How near is touching, in parts of the sizes of the two. */
const TOLERANCE = 1e-7;
/** Rounding of a pose at some time, in parts of the coordinates. */
const ROUNDING = 64 * EPS64;
/** Never reached; a contact reported too early would be better than none. */
const MOST_STEPS = 1_000_000;
/** Surfaces are looked at for this much of a rotation at a time, so that the boxes about the path are small. */
const ROTATION_AT_ONCE = 0.4;

/** How far a shape goes along a direction, seen from `from`: all in world space. */
function reachAlong(
  { core, shape }: Piece,
  pose: ReadonlyPose,
  direction: ReadonlyVec3,
  from: ReadonlyVec3,
  { farthest, local }: Advancement,
): number {
  inverseTransformVector(pose, direction, local);
  if (core !== null) {
    supportCore(core, local, -1, farthest);
    transformPoint(pose, farthest, farthest);
    return dotFrom(farthest, from, direction) + core.radius * v3.length(direction);
  }
  const { min, max } = boundsOf(shape!, undefined, own);
  farthest.x = local.x >= 0 ? max.x : min.x;
  farthest.y = local.y >= 0 ? max.y : min.y;
  farthest.z = local.z >= 0 ? max.z : min.z;
  transformPoint(pose, farthest, farthest);
  return dotFrom(farthest, from, direction);
}

const dotFrom = (p: ReadonlyVec3, from: ReadonlyVec3, direction: ReadonlyVec3): number =>
  (p.x - from.x) * direction.x + (p.y - from.y) * direction.y + (p.z - from.z) * direction.z;

const own = makeAabb();

/** No point of a piece is farther from its origin. */
function reachOf({ core, shape }: Piece): number {
  if (core !== null) return core.reach;
  const { min, max } = boundsOf(shape!, undefined, own);
  return v3.length({
    x: Math.max(-min.x, max.x),
    y: Math.max(-min.y, max.y),
    z: Math.max(-min.z, max.z),
  });
}

/** What a cast carries from step to step. Supports of users may ask the next cast, which has its own. */
class Advancement {
  readonly nowA = makePose();
  readonly nowB = makePose();
  readonly normal = vec3();
  readonly farthest = vec3();
  readonly local = vec3();
  readonly rotationAxis = vec3();
  readonly wallRotationAxis = vec3();
  readonly center = vec3();
  readonly wallCenter = vec3();
  readonly pair = new PairContext();
  readonly movers: Triangles = new Triangles();
  readonly targets: Triangles = new Triangles();
  /** The child of a compound at hand. */
  readonly moverChild = new ChildBody();
  readonly targetChild = new ChildBody();

  /** Fills `pair.separation` with that of the pieces at time t, and the normal. */
  separate(a: Piece, b: Piece, t: number): void {
    const { nowA, nowB, pair } = this;
    poseInPhase(a.pose, a.motion, t, nowA);
    poseInPhase(b.pose, b.motion, t, nowB);
    relativeFrame(nowA, nowB, pair.frame);
    pair.limit = Infinity;
    if (a.core !== null && b.core !== null) separateCores(a.core, b.core, pair, pair.separation);
    else separateShapes(a.shape!, b.shape!, pair, pair.separation);
    normalToWorld(nowA, pair.separation.normal, this.normal);
  }
}

const pool = /* @__PURE__ */ new ContextPool(() => new Advancement());

const isWall = ({ shape }: Piece): boolean => shape?.kind === 'halfSpace';

/**
 * How fast the points of a piece at `pose` come nearer along the normal, at time t, at most; `sign` is 1 for the first body
 * and -1 for the second. With the angular velocities ω of the piece and ω' of the normal n, which rotates about o, the height
 * n · (x - o) of a point x of a piece that rotates about c falls by
 *   (ω × n - ω' × n) · (x - c) + (ω' × n) · (o - c) - n · (v - v').
 */
function closingSpeed(piece: Piece, sign: 1 | -1, wall: SteadyMotion, t: number, state: Advancement): number {
  const { axis, angle, pivot, linear } = piece.motion;
  const { normal, rotationAxis, wallRotationAxis, center, wallCenter } = state;
  v3.scale(v3.cross(axis, normal, rotationAxis), angle, rotationAxis);
  v3.scale(v3.cross(wall.axis, normal, wallRotationAxis), wall.angle, wallRotationAxis);
  v3.addScaled(pivot, linear, t, center);
  v3.addScaled(wall.pivot, wall.linear, t, wallCenter);
  const moved = dotFrom(wallCenter, center, wallRotationAxis) - dotFrom(linear, wall.linear, normal);
  v3.sub(rotationAxis, wallRotationAxis, rotationAxis);
  const pose = sign > 0 ? state.nowA : state.nowB;
  return reachAlong(piece, pose, v3.scale(rotationAxis, sign, rotationAxis), center, state) + sign * moved;
}

/** No point of a piece is farther from the pivot of its motion. */
const radiusOf = (piece: Piece): number =>
  v3.distance(piece.pose.position, piece.motion.pivot) + reachOf(piece);

/** How much `closingSpeed` can grow in a unit of time, at most. */
function bendOf(piece: Piece, { pivot, linear, angle: wall }: SteadyMotion): number {
  const { motion } = piece;
  const { angle } = motion;
  const radius = radiusOf(piece);
  const own = angle * angle * radius;
  if (wall === 0) return own;
  const speed = v3.distance(motion.linear, linear);
  const arm = v3.distance(motion.pivot, pivot) + speed + radius;
  return own + wall * (wall * arm + 2 * (speed + angle * radius));
}

/** The largest coordinate that takes part. */
const extentOf = ({ pose, motion }: Piece): number =>
  largest(pose.position) + largest(motion.pivot) + v3.length(motion.linear);

/**
 * The first contact of two pieces before `hit.t`. Their distance along the normal at some time falls no faster than at
 * that time plus what the rotation adds by the square of the time: so far nothing can happen.
 */
function advance(a: Piece, b: Piece, hit: CastHit, state: Advancement): boolean {
  const [wallA, wallB] = [isWall(a), isWall(b)];
  if (wallA && wallB) return advanceWalls(a, b, hit, state);
  const gap = state.pair.separation;
  const wall = wallA ? a.motion : wallB ? b.motion : STILL;
  const size = (wallA ? 0 : reachOf(a)) + (wallB ? 0 : reachOf(b));
  const tolerance = TOLERANCE * size + ROUNDING * (extentOf(a) + extentOf(b) + size);
  const bend = (wallA ? 0 : bendOf(a, wall)) + (wallB ? 0 : bendOf(b, wall));
  let t = 0;
  for (let step = 0; ; step++) {
    state.separate(a, b, t);
    if (gap.separation <= tolerance || step === MOST_STEPS) break;
    const closing =
      (wallA ? 0 : closingSpeed(a, 1, wall, t, state)) + (wallB ? 0 : closingSpeed(b, -1, wall, t, state));
    const free = gap.separation - tolerance / 2;
    const root = Math.sqrt(closing * closing + 2 * bend * free);
    // The quieter of the two forms of the root; never, for what moves off along a straight line.
    if (closing > 0) t += (2 * free) / (closing + root);
    else if (bend > 0) t += (root - closing) / bend;
    else return false;
    if (!(t <= hit.t)) return false;
  }
  hit.t = t;
  pointToWorld(state.nowA, gap.pointB, hit.point);
  copyPoint(state.normal, hit.normal);
  hit.moverPart.child = a.child;
  hit.moverPart.triangle = a.core !== null ? a.triangle : gap.partA.triangle;
  hit.part.child = b.child;
  hit.part.triangle = b.core !== null ? b.triangle : gap.partB.triangle;
  return true;
}

const largest = ({ x, y, z }: ReadonlyVec3): number => Math.max(Math.abs(x), Math.abs(y), Math.abs(z));

/** A point on a wall. */
const POINT = point();

/**
 * Half-spaces that face each other meet far away as soon as one tilts against the other. While none does, they are as far
 * apart as any point of the one is from the other.
 */
function advanceWalls(a: Piece, b: Piece, hit: CastHit, state: Advancement): boolean {
  state.separate(a, b, 0);
  const { normal, rotationAxis, wallRotationAxis } = state;
  const gap = state.pair.separation;
  const position = pointToWorld(state.nowA, gap.pointB, vec3());
  const tilts = (axis: ReadonlyVec3, angle: number): boolean =>
    angle > 0 && v3.lengthSq(v3.cross(axis, normal, rotationAxis)) > 0;
  v3.scale(b.motion.axis, b.motion.angle, wallRotationAxis);
  v3.addScaled(wallRotationAxis, a.motion.axis, -a.motion.angle, wallRotationAxis);
  const together = wallRotationAxis.x === 0 && wallRotationAxis.y === 0 && wallRotationAxis.z === 0;
  const { motion, child } = b;
  const foot: Piece = {
    core: POINT.core,
    shape: POINT,
    pose: { position, quaternion: q4.copy(b.pose.quaternion) },
    motion,
    child,
    triangle: -1,
  };
  if (
    gap.separation > 0 &&
    (together || !(tilts(a.motion.axis, a.motion.angle) || tilts(motion.axis, motion.angle)))
  )
    return advance(a, foot, hit, state);
  hit.t = 0;
  copyPoint(position, hit.point);
  copyPoint(normal, hit.normal);
  hit.moverPart.child = a.child;
  hit.part.child = child;
  hit.moverPart.triangle = hit.part.triangle = -1;
  return true;
}

/** Asks the triangles of a mesh, each as a mover or as a target. */
class Triangles implements TriangleVisitor {
  bound = 0;
  private readonly triangle = new TriangleCore();
  private readonly corner = makeFrame();
  private readonly piece: Piece = {
    core: this.triangle.core,
    shape: null,
    pose: makePose(),
    motion: STILL,
    child: -1,
    triangle: -1,
  };
  found = false;
  private mesh!: Mesh;
  private ask!: (piece: Piece) => boolean;
  private meshPose!: ReadonlyPose;

  /** Asks the triangles of a surface that come near to a box, in the space of the surface. */
  walk({ shape, pose, motion, child }: Piece, box: ReadonlyAabb, ask: (piece: Piece) => boolean): boolean {
    this.found = false;
    this.mesh = meshOf(shape as Mesh);
    this.meshPose = pose;
    this.ask = ask;
    this.piece.motion = motion;
    this.piece.child = child;
    q4.copy(pose.quaternion, this.piece.pose.quaternion);
    visitNear(this.mesh, box, this);
    return this.found;
  }

  visit(slot: number): void {
    const { triangle, piece, mesh, meshPose, corner } = this;
    triangle.load(mesh, slot, OWN, corner);
    transformPoint(meshPose, vec3(corner.tx, corner.ty, corner.tz), piece.pose.position);
    piece.triangle = mesh.ids[slot]!;
    if (this.ask(piece)) this.found = true;
  }
}

const OWN = makeFrame();

const pieceOf = ({ shape, child }: MovingBody, pose: Pose, motion: SteadyMotion): Piece => ({
  core: 'core' in shape ? shape.core : null,
  shape,
  pose,
  motion,
  child,
  triangle: -1,
});

/** The first contact of two bodies, neither of them a compound, before `hit.t`. */
function castSimple(a: MovingBody<Simple>, b: MovingBody<Simple>, hit: CastHit, state: Advancement): boolean {
  const [kindA, kindB] = [a.shape.kind, b.shape.kind];
  if (kindA === 'halfSpace' || kindB === 'halfSpace' || ('core' in a.shape && 'core' in b.shape))
    return advance(pieceOf(a, a.pose, a.motion), pieceOf(b, b.pose, b.motion), hit, state);
  // Surfaces: for a part of the rotations at a time, the triangles that the box about the path comes near to.
  const parts = Math.max(1, Math.ceil((a.motion.angle + b.motion.angle) / ROTATION_AT_ONCE));
  const first = pieceOf(a, makePose(), makeSteadyMotion());
  const second = pieceOf(b, makePose(), makeSteadyMotion());
  const all = hit.t;
  for (let i = 0; i < parts && i / parts <= all; i++) {
    poseInPhase(a.pose, a.motion, i / parts, first.pose);
    poseInPhase(b.pose, b.motion, i / parts, second.pose);
    partOfMotion(a.motion, i, parts, first.motion);
    partOfMotion(b.motion, i, parts, second.motion);
    hit.t = Math.min(1, all * parts - i);
    if (castPart(first, second, hit, state)) {
      hit.t = (i + hit.t) / parts;
      return true;
    }
  }
  hit.t = all;
  return false;
}

/** No point of a piece is farther from where it started. (An arc is never farther than its diameter.) */
const pathLength = (piece: Piece): number =>
  v3.length(piece.motion.linear) + Math.min(piece.motion.angle, 2) * radiusOf(piece);

/** The same as another piece sees it that moves too: by the sizes of both, or by how far from its pivot they come. */
function pathAsSeenBy(piece: Piece, other: Piece): number {
  const { pivot, linear, angle } = other.motion;
  const speed = v3.length(linear);
  const own = pathLength(piece);
  const arm = v3.distance(piece.pose.position, pivot) + reachOf(piece) + own + speed;
  return own + Math.min(pathLength(other), speed + Math.min(angle, 2) * arm);
}

function castPart(a: Piece, b: Piece, hit: CastHit, state: Advancement): boolean {
  if (a.core !== null) return castAgainst(a, b, hit, state);
  const near = boxOfPath(b, a, makeAabb());
  return state.movers.walk(a, near, (piece) =>
    b.core !== null ? advance(piece, b, hit, state) : castAgainst(piece, b, hit, state),
  );
}

/** One convex piece against the triangles of a surface. */
function castAgainst(a: Piece, b: Piece, hit: CastHit, state: Advancement): boolean {
  return state.targets.walk(b, boxOfPath(a, b, makeAabb()), (piece) => advance(a, piece, hit, state));
}

/** A box about the path of a piece, as a surface (or a compound) that moves sees it. */
function boxOfPath(piece: Piece, surface: Piece, out: Aabb): Aabb {
  const seen = composePoses(invertPose(surface.pose), piece.pose);
  const { min, max } =
    piece.shape !== null ? boundsOf(piece.shape, seen, out) : boxOfTriangle(piece.core!, seen, out);
  const by = pathAsSeenBy(piece, surface);
  const padding = by + ROUNDING * (largest(min) + largest(max) + by);
  v3.set(min.x - padding, min.y - padding, min.z - padding, out.min);
  v3.set(max.x + padding, max.y + padding, max.z + padding, out.max);
  return out;
}

function boxOfTriangle({ data }: ConvexCore, pose: ReadonlyPose, out: Aabb): Aabb {
  v3.set(Infinity, Infinity, Infinity, out.min);
  v3.set(-Infinity, -Infinity, -Infinity, out.max);
  for (let k = 0; k < 9; k += 3) {
    const corner = transformPoint(pose, vec3(data[k], data[k + 1], data[k + 2]));
    v3.min(out.min, corner, out.min);
    v3.max(out.max, corner, out.max);
  }
  return out;
}

/** The first contact of two moving bodies before `hit.t`, in world space. */
export function castRotating(a: MovingBody, b: MovingBody, hit: CastHit): boolean {
  const state = pool.take();
  try {
    return castBodies(a, b, hit, state);
  } finally {
    pool.release();
  }
}

function castBodies(a: MovingBody, b: MovingBody, hit: CastHit, state: Advancement): boolean {
  if (isCompound(a)) return castChildren(a, b, hit, state, true);
  if (isCompound(b)) return castChildren(b, a, hit, state, false);
  return castSimple(a as MovingBody<Simple>, b as MovingBody<Simple>, hit, state);
}

const isCompound = (body: MovingBody): body is MovingBody<CompoundShape> => body.shape.kind === 'compound';

/** The children of a compound that come near to the path of the other body, one by one. */
function castChildren(
  compound: MovingBody<CompoundShape>,
  other: MovingBody,
  hit: CastHit,
  state: Advancement,
  isMover: boolean,
): boolean {
  const { children } = compound.shape;
  const part = isMover ? state.moverChild : state.targetChild;
  part.motion = compound.motion;
  let found = false;
  for (const child of childrenNear(compound, other)) {
    const { shape, pose } = children[child]!;
    part.shape = shape;
    part.child = child;
    composePoses(compound.pose, pose, part.pose);
    const hits = isMover ? castBodies(part, other, hit, state) : castBodies(other, part, hit, state);
    if (hits) found = true;
  }
  return found;
}

/** Their numbers, in order: of contacts at the same time, the last one counts. A box that is not finite meets all. */
function childrenNear(compound: MovingBody<CompoundShape>, other: MovingBody): number[] {
  const piece = pieceOf(other, other.pose, other.motion);
  const { min, max } = boxOfPath(piece, pieceOf(compound, compound.pose, compound.motion), makeAabb());
  const { skip, first, items, volumes } = compound.shape.tree;
  const found: number[] = [];
  for (let node = 0; node < skip.length; ) {
    const at = 6 * node;
    const isApart =
      volumes[at]! > max.x ||
      volumes[at + 1]! > max.y ||
      volumes[at + 2]! > max.z ||
      volumes[at + 3]! < min.x ||
      volumes[at + 4]! < min.y ||
      volumes[at + 5]! < min.z;
    if (!isApart && skip[node] === node + 1)
      for (let i = first[node]!; i < first[node + 1]!; i++) found.push(items[i]!);
    node = isApart ? skip[node]! : node + 1;
  }
  return found.sort((i, j) => i - j);
}

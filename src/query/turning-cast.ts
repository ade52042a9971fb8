/**
 * When a body that turns on its way first touches another: conservative advancement, for every pair of shapes. What is
 * not convex is taken piece by piece. RTCD §9.5.2; Mirtich's directional bound on the approach.
 */
import { type ConvexCore, supportCore } from '../convex/core.ts';
import { makeFrame, relativeFrame } from '../convex/frame.ts';
import { composePoses, inverseTransformVector, invertPose, transformPoint } from '../math/pose.ts';
import * as q4 from '../math/quat.ts';
import type { Pose, ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { pose as makePose, quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, ReadonlyAabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { boundsOf } from '../shapes/bounds.ts';
import type { Mesh } from '../shapes/mesh/mesh.ts';
import type { HalfSpaceShape, Shape, SimpleShape } from '../shapes/shape.ts';
import { type TriangleVisitor, walkNear } from './mesh-walk.ts';
import { separateCores } from './pairs/convex-convex.ts';
import { meshOf } from './pairs/surface.ts';
import { algorithmFor } from './pairs/table.ts';
import { TriangleCore } from './pairs/triangle-core.ts';
import { copyPoint, normalToWorld, pointToWorld } from './placed.ts';
import type { CastHit } from './results.ts';
import { makeSeparation } from './results.ts';

/** A point x is, at time t in [0, 1], at pivot + t linear + R(axis, t angle) (x - pivot). The axis is a unit vector. */
export interface Turning {
  readonly pivot: Vec3;
  readonly linear: Vec3;
  readonly axis: Vec3;
  angle: number;
}

export const makeTurning = (): Turning => ({
  pivot: vec3(),
  linear: vec3(),
  axis: vec3(0, 0, 1),
  angle: 0.5,
});

const turn = quat();
const arm = vec3();

/** Where a pose is led to by a motion, at time t. The quaternion has the length it had. */
function turnedPose(from: ReadonlyPose, motion: Turning, t: number, out: Pose): Pose {
  const { pivot, linear, axis, angle } = motion;
  q4.fromAxisAngle(axis, angle * t, turn);
  v3.sub(from.position, pivot, arm);
  q4.multiply(turn, from.quaternion, out.quaternion);
  v3.rotate(arm, turn, arm);
  out.position.x = pivot.x + t * linear.x + arm.x;
  out.position.y = pivot.y + t * linear.y + arm.y;
  out.position.z = pivot.z + t * linear.z + arm.z;
  return out;
}

/** A convex part of a body, or a half-space, and where it stands. */
interface Piece {
  readonly core: ConvexCore | null;
  readonly shape: Shape | null;
  readonly pose: Pose;
  child: number;
  triangle: number;
}

type Simple = SimpleShape | HalfSpaceShape;

/** How near is touching, in parts of the sizes of the two. */
const TOLERANCE = 1e-7;
/** Rounding of a pose at some time, in parts of the coordinates. */
const ROUNDING = 64 * 2.220446049250313e-16;
/** Never reached; a contact reported too early would be better than none. */
const MOST_STEPS = 1_000_000;
/** Surfaces are looked at for this much of a turn at a time, so that the boxes about the way are small. */
const TURN_AT_ONCE = 0.4;

const frame = makeFrame();
const gap = makeSeparation();
const now = makePose();
const normal = vec3();
const faster = vec3();
const farthest = vec3();
const local = vec3();
const center = vec3();

/** How far a shape goes along a direction, seen from `from`: all in world space. */
function reachAlong({ core, shape, pose }: Piece, direction: ReadonlyVec3, from: ReadonlyVec3): number {
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

function separate(a: Piece, at: ReadonlyPose, b: Piece): void {
  relativeFrame(at, b.pose, frame);
  if (a.core !== null && b.core !== null) separateCores(a.core, b.core, frame, Infinity, gap);
  else algorithmFor(a.shape!, b.shape!).separation(a.shape!, b.shape!, frame, Infinity, gap);
}

/**
 * The first contact of two pieces before `hit.t`. Their distance along the normal at some time falls no faster than at
 * that time plus what turning adds by the square of the time: so far nothing can happen.
 */
function advance(a: Piece, motion: Turning, b: Piece, hit: CastHit): boolean {
  // Seen from a half-space, which has no end, the other one turns.
  const carrier = a.shape?.kind === 'halfSpace' ? b : a;
  if (carrier.shape?.kind === 'halfSpace') return advanceWalls(a, motion, b, hit);
  const { pivot, linear, axis, angle } = motion;
  const speed = v3.length(linear);
  const size = reachOf(carrier) + (a.core !== null && b.core !== null ? reachOf(carrier === a ? b : a) : 0);
  const world = largest(a.pose.position) + largest(b.pose.position) + largest(pivot) + speed + size;
  const tolerance = TOLERANCE * size + ROUNDING * world;
  const radius = v3.distance(carrier.pose.position, pivot) + reachOf(carrier);
  const bend =
    carrier === a ? angle * angle * radius : angle * angle * (radius + speed) + 2 * Math.abs(angle) * speed;
  let t = 0;
  for (let step = 0; ; step++) {
    turnedPose(a.pose, motion, t, now);
    separate(a, now, b);
    normalToWorld(now, gap.normal, normal);
    if (gap.separation <= tolerance || step === MOST_STEPS) break;
    v3.cross(axis, normal, faster);
    v3.scale(faster, angle, faster);
    center.x = pivot.x + t * linear.x;
    center.y = pivot.y + t * linear.y;
    center.z = pivot.z + t * linear.z;
    moved.core = carrier.core;
    moved.shape = carrier.shape;
    moved.pose = carrier === a ? now : b.pose;
    const closing = reachAlong(moved as Piece, faster, center) - v3.dot(linear, normal);
    const free = gap.separation - tolerance / 2;
    const root = Math.sqrt(closing * closing + 2 * bend * free);
    // The quieter of the two forms of the root; never, for what moves off along a straight line.
    if (closing > 0) t += (2 * free) / (closing + root);
    else if (bend > 0) t += (root - closing) / bend;
    else return false;
    if (!(t <= hit.t)) return false;
  }
  hit.t = t;
  pointToWorld(now, gap.pointB, hit.point);
  copyPoint(normal, hit.normal);
  hit.moverPart.child = a.child;
  hit.moverPart.triangle = a.core !== null ? a.triangle : gap.partA.triangle;
  hit.part.child = b.child;
  hit.part.triangle = b.core !== null ? b.triangle : gap.partB.triangle;
  return true;
}

const moved: { core: ConvexCore | null; shape: Shape | null; pose: Pose } = {
  core: null,
  shape: null,
  pose: now,
};

const largest = ({ x, y, z }: ReadonlyVec3): number => Math.max(Math.abs(x), Math.abs(y), Math.abs(z));

/** Half-spaces that face each other meet far away as soon as one tilts, and do not meet while it does not. */
function advanceWalls(a: Piece, motion: Turning, b: Piece, hit: CastHit): boolean {
  separate(a, a.pose, b);
  normalToWorld(a.pose, gap.normal, normal);
  let t = 0;
  if (
    gap.separation > 0 &&
    (motion.angle === 0 || v3.lengthSq(v3.cross(motion.axis, normal, faster)) === 0)
  ) {
    t = gap.separation / -v3.dot(motion.linear, normal);
    if (!(t >= 0 && t <= hit.t)) return false;
  }
  hit.t = t;
  turnedPose(a.pose, motion, t, now);
  pointToWorld(a.pose, gap.pointB, hit.point);
  copyPoint(normal, hit.normal);
  hit.moverPart.child = hit.moverPart.triangle = hit.part.child = hit.part.triangle = -1;
  return true;
}

/** Asks the triangles of a mesh, each as a mover or as a target. */
class Triangles implements TriangleVisitor {
  bound = 0;
  readonly triangle = new TriangleCore();
  readonly piece: Piece = {
    core: this.triangle.core,
    shape: null,
    pose: makePose(),
    child: -1,
    triangle: -1,
  };
  found = false;
  private mesh!: Mesh;
  private ask!: (piece: Piece) => boolean;
  private meshPose!: ReadonlyPose;

  walk(
    mesh: Mesh,
    meshPose: ReadonlyPose,
    child: number,
    box: ReadonlyAabb,
    ask: (piece: Piece) => boolean,
  ): boolean {
    this.found = false;
    this.mesh = mesh;
    this.meshPose = meshPose;
    this.ask = ask;
    this.piece.child = child;
    q4.copy(meshPose.quaternion, this.piece.pose.quaternion);
    walkNear(mesh, box, this);
    return this.found;
  }

  visit(place: number): void {
    const { triangle, piece, mesh, meshPose } = this;
    triangle.load(mesh, place, STILL);
    transformPoint(meshPose, triangle.corner, piece.pose.position);
    piece.triangle = mesh.ids[place]!;
    if (this.ask(piece)) this.found = true;
  }
}

const STILL = makeFrame();
const movers = new Triangles();
const targets = new Triangles();

/** The first contact of two bodies, neither of them a compound, before `hit.t`. */
function castSimple(
  a: Simple,
  poseA: Pose,
  childA: number,
  motion: Turning,
  b: Simple,
  poseB: Pose,
  childB: number,
  hit: CastHit,
): boolean {
  const whole = (shape: Simple, pose: Pose, child: number): Piece => ({
    core: 'core' in shape ? shape.core : null,
    shape,
    pose,
    child,
    triangle: -1,
  });
  if (a.kind === 'halfSpace' || b.kind === 'halfSpace' || ('core' in a && 'core' in b))
    return advance(whole(a, poseA, childA), motion, whole(b, poseB, childB), hit);
  // Surfaces: for a part of the turn at a time, the triangles that the box about the way comes near to.
  const parts = Math.max(1, Math.ceil(Math.abs(motion.angle) / TURN_AT_ONCE));
  const part = makeTurning();
  v3.copy(motion.axis, part.axis);
  part.angle = motion.angle / parts;
  v3.scale(motion.linear, 1 / parts, part.linear);
  const start = makePose();
  const all = hit.t;
  for (let i = 0; i < parts && i / parts <= all; i++) {
    turnedPose(poseA, motion, i / parts, start);
    v3.addScaled(motion.pivot, motion.linear, i / parts, part.pivot);
    hit.t = Math.min(1, all * parts - i);
    if (castPart(whole(a, start, childA), part, whole(b, poseB, childB), hit)) {
      hit.t = (i + hit.t) / parts;
      return true;
    }
  }
  hit.t = all;
  return false;
}

const way = makeAabb();
const back = makePose();
const seen = makePose();

function castPart(a: Piece, motion: Turning, b: Piece, hit: CastHit): boolean {
  const reach = v3.distance(a.pose.position, motion.pivot) + reachOf(a);
  const farthestMoved = v3.length(motion.linear) + Math.abs(motion.angle) * reach;
  if (a.core !== null) return castAgainst(a, motion, b, farthestMoved, hit);
  // The box of the second body as the mesh that moves sees it, grown by how far that moves.
  invertPose(a.pose, back);
  composePoses(back, b.pose, seen);
  const near = grow(boundsOf(b.shape!, seen, way), farthestMoved, makeAabb());
  return movers.walk(meshOf(a.shape as Mesh), a.pose, a.child, near, (piece) =>
    b.core !== null ? advance(piece, motion, b, hit) : castAgainst(piece, motion, b, farthestMoved, hit),
  );
}

/** One convex piece against the triangles of a surface. */
function castAgainst(a: Piece, motion: Turning, b: Piece, farthestMoved: number, hit: CastHit): boolean {
  invertPose(b.pose, back);
  composePoses(back, a.pose, seen);
  const box = a.shape !== null ? boundsOf(a.shape, seen, way) : boxOfTriangle(a.core!, seen, way);
  const near = grow(box, farthestMoved, makeAabb());
  return targets.walk(meshOf(b.shape as Mesh), b.pose, b.child, near, (piece) =>
    advance(a, motion, piece, hit),
  );
}

function grow({ min, max }: ReadonlyAabb, by: number, out: Aabb): Aabb {
  const room = by + ROUNDING * (largest(min) + largest(max) + by);
  v3.set(min.x - room, min.y - room, min.z - room, out.min);
  v3.set(max.x + room, max.y + room, max.z + room, out.max);
  return out;
}

function boxOfTriangle({ data }: ConvexCore, pose: ReadonlyPose, out: Aabb): Aabb {
  v3.set(Infinity, Infinity, Infinity, out.min);
  v3.set(-Infinity, -Infinity, -Infinity, out.max);
  for (let k = 0; k < 9; k += 3) {
    transformPoint(pose, v3.set(data[k]!, data[k + 1]!, data[k + 2]!, farthest), farthest);
    v3.min(out.min, farthest, out.min);
    v3.max(out.max, farthest, out.max);
  }
  return out;
}

/** The first contact of two bodies at `poseA` and `poseB` (with unit quaternions) before `hit.t`, in world space. */
export function castTurning(
  a: Shape,
  poseA: Pose,
  motion: Turning,
  b: Shape,
  poseB: Pose,
  hit: CastHit,
  childA = -1,
  childB = -1,
): boolean {
  let found = false;
  if (a.kind === 'compound')
    for (let i = 0; i < a.children.length; i++) {
      const { shape, pose } = a.children[i]!;
      if (castTurning(shape, composePoses(poseA, pose), motion, b, poseB, hit, i, childB)) found = true;
    }
  else if (b.kind === 'compound')
    for (let i = 0; i < b.children.length; i++) {
      const { shape, pose } = b.children[i]!;
      if (castTurning(a, poseA, motion, shape, composePoses(poseB, pose), hit, childA, i)) found = true;
    }
  else found = castSimple(a, poseA, childA, motion, b, poseB, childB, hit);
  return found;
}

/** What a cast of two bodies carries along of which one rotates, or both: where they start, how they move, where they are. */
import { makeSteadyMotion, partOfMotion, poseInPhase, type SteadyMotion } from '../../continuous/motion.ts';
import type { ConvexCore } from '../../convex/core.ts';
import { boundsOfCore } from '../../convex/core-bounds.ts';
import { EPS64 } from '../../math/float.ts';
import { composePoses, invertPose } from '../../math/pose.ts';
import { pose, type ReadonlyPose, type ReadonlyVec3, vec3 } from '../../math/types.ts';
import { type Aabb, makeAabb } from '../../primitives/types.ts';
import { copyPose } from '../body-space.ts';
import { boundsOfPosed } from '../bounds.ts';
import type { Separation } from '../results.ts';
import type { Shape } from '../shape.ts';
import { PairContext } from './pair-context.ts';

/** Rounding of a pose at some time, in parts of the coordinates. */
export const ROUNDING = 64 * EPS64;

/** A body in a phase of constant velocity. */
export class MovingBody {
  /** Where it starts, with a unit quaternion. */
  readonly pose = pose();
  readonly motion = makeSteadyMotion();
  /** Where it is at the time at hand. */
  readonly now = pose();
  /** A convex set that holds all of it, for conservative advancement. Null of a half-space, which nothing holds. */
  core: ConvexCore | null = null;
  /** Is it all of that set, with its radius, and not just somewhere in it? */
  fills = true;
  /** No point of it is farther from its origin, and none from the pivot of the motion. */
  reach = 0.5;
  radius = 0.5;
  /** The largest coordinate that takes part. */
  extent = 0.5;
  /** No point of it gets farther from where it started. */
  path = 0.5;

  load(from: ReadonlyPose, motion: SteadyMotion): void {
    copyPose(from, this.pose);
    partOfMotion(motion, 0, 1, this.motion);
  }

  /** Part k of n of what another one does. */
  loadPart({ pose, motion }: MovingBody, k: number, n: number): void {
    poseInPhase(pose, motion, k / n, this.pose);
    partOfMotion(motion, k, n, this.motion);
  }
}

/** As a `PairAlgorithm` does. */
interface Separates {
  separation(a: Shape, b: Shape, context: PairContext, out: Separation): boolean;
}

/** All in world space. Getters and supports may ask the next cast, which has its own. */
export class MovingPair {
  readonly first = new MovingBody();
  readonly second = new MovingBody();
  /** How far apart the two are at the contact that was found. */
  gap = 0.5;
  /** The time at hand, and how far the two may come nearer along the normal. */
  t = 0.5;
  free = 0.5;
  /** How fast they come nearer, at most, and how much faster they can get in a unit of time. */
  closing = 0.5;
  bend = 0.5;
  /** At that time: as the first body sees the second. */
  readonly pair = new PairContext();
  /** The normal of `pair.separation`, in world space. */
  readonly normal = vec3();
  /** Tells how far apart the shapes are, where they are not just their cores. */
  algorithm: Separates | null = null;
  a: Shape | null = null;
  b: Shape | null = null;
  /** Of the algorithms that shapes bring; made by them when first needed. */
  surface: unknown = null;
  bounds: unknown = null;
  private nested: MovingPair | null = null;

  /** For a cast that this one asks in turn: of a child or a triangle, or with the bodies the other way round. */
  get inner(): MovingPair {
    this.nested ??= new MovingPair();
    return this.nested;
  }

  /** The inner one, with the bodies the other way round. */
  flip(): MovingPair {
    const { inner, first, second } = this;
    inner.first.load(second.pose, second.motion);
    inner.second.load(first.pose, first.motion);
    return inner;
  }
}

/** `v3.length` and `v3.distance`, for coordinates whose squares are in range: V8 inlines these. */
export const lengthOf = ({ x, y, z }: ReadonlyVec3): number => Math.sqrt(x * x + y * y + z * z);
export const between = (p: ReadonlyVec3, q: ReadonlyVec3): number =>
  Math.sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
export const largest = ({ x, y, z }: ReadonlyVec3): number => Math.max(Math.abs(x), Math.abs(y), Math.abs(z));

const seen = pose();
const own = makeAabb();
const ORIGIN = pose();

/** Writes to `body.reach` how far a shape reaches from its origin, at most. */
export function setReach(body: MovingBody, shape: Shape): void {
  if ('core' in shape) {
    body.reach = shape.core.reach;
    return;
  }
  const { min, max } = boundsOfPosed(shape, ORIGIN, own);
  const x = Math.max(-min.x, max.x);
  const y = Math.max(-min.y, max.y);
  const z = Math.max(-min.z, max.z);
  body.reach = Math.sqrt(x * x + y * y + z * z);
}

/** A box around the path of a shape, as another body sees it that moves, too; of both `reach` is set. Infinite where the path is. */
export function boxOfPath(shape: Shape, body: MovingBody, from: MovingBody, out: Aabb): void {
  boundsOfPosed(shape, composePoses(invertPose(from.pose, seen), body.pose, seen), out);
  widen(body, from, out);
}

/** The same of the core of a body. */
export function boxOfCorePath(body: MovingBody, from: MovingBody, out: Aabb): void {
  boundsOfCore(body.core!, composePoses(invertPose(from.pose, seen), body.pose, seen), out);
  widen(body, from, out);
}

/** By how far it goes as the other sees it: by the paths of both, or by how far from the other's pivot it comes. */
function widen(body: MovingBody, from: MovingBody, { min, max }: Aabb): void {
  setPath(body);
  setPath(from);
  const { pivot, linear, angle } = from.motion;
  const speed = lengthOf(linear);
  const arm = between(body.pose.position, pivot) + body.reach + body.path + speed;
  const by = body.path + Math.min(from.path, speed + Math.min(angle, 2) * arm);
  const padding = by + ROUNDING * (largest(min) + largest(max) + by);
  if (padding < Infinity) {
    min.x -= padding;
    min.y -= padding;
    min.z -= padding;
    max.x += padding;
    max.y += padding;
    max.z += padding;
  } else {
    min.x = min.y = min.z = -Infinity;
    max.x = max.y = max.z = Infinity;
  }
}

/** An arc is never farther than its diameter. */
function setPath(body: MovingBody): void {
  const { pose, motion, reach } = body;
  body.path =
    lengthOf(motion.linear) + Math.min(motion.angle, 2) * (between(pose.position, motion.pivot) + reach);
}

/** The paths of the points of one moving body, as another sees them that moves, too. */
import { directionToSecond, type Frame, makeFrame, relativeFrame, toFirst } from '../../convex/frame.ts';
import * as m3 from '../../math/mat3.ts';
import { pose as makePose, type Pose, type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { Obb, ReadonlyAabb } from '../../primitives/types.ts';
import { makeSteadyMotion, poseInPhase, type SteadyMotion } from '../motion.ts';

/** A body with constant velocities. */
export interface SteadyBody {
  /** Where it starts, with a unit quaternion. */
  readonly pose: Pose;
  readonly motion: SteadyMotion;
}

export const makeSteadyBody = (): SteadyBody => ({ pose: makePose(), motion: makeSteadyMotion() });

const ORIGIN = vec3();

/** Poses are kept at so many equal parts of the time, at which all samples are looked at. */
const PARTS = 2048;

/**
 * Poses come from the exponential map at each time, so that nothing drifts. Of the point at hand (`follow`), bounds that hold for
 * the whole motion: with r from the axis of the target to the point, r' is at most `relative` = |v - w| + α ρ, where ρ is its
 * distance from the axis of its own rotation by α, and |r''| at most α² ρ. In the space of the target, which rotates by β, its
 * speed is at most |r'| + β |r|, its acceleration |r''| + 2 β |r'| + β² |r| (Coriolis, centrifugal).
 */
export class RelativePath {
  /** Of the point at hand. */
  speed = 0.5;
  acceleration = 0.5;
  /** The same of the nearest point of the axis that it rotates about, and how far that is. */
  private axisAcceleration = 0.5;
  private radius = 0.5;
  private readonly mover: SteadyBody;
  private readonly target: SteadyBody;
  private readonly difference: number;
  private readonly frames = new Map<number, Frame>();
  /** Of the other times, the last. */
  private lastTime = Number.NaN;
  private readonly last = makeFrame();
  private readonly moverNow = makePose();
  private readonly targetNow = makePose();
  private readonly local = vec3();
  private readonly start = vec3();
  private readonly arm = vec3();
  /** Of `sweptBox`: its axes, and how far it goes along them. */
  private readonly corner = vec3();
  private readonly along = vec3();
  private readonly across = vec3();
  private readonly up = vec3();
  private readonly low = vec3();
  private readonly high = vec3();

  constructor(mover: SteadyBody, target: SteadyBody) {
    this.mover = mover;
    this.target = target;
    this.difference = v3.distance(mover.motion.linear, target.motion.linear);
  }

  /** The pose of the mover as the target sees it. */
  frameAt(t: number): Frame {
    const { mover, target, moverNow, targetNow, frames } = this;
    const known = frames.get(t);
    if (known !== undefined) return known;
    if (t === this.lastTime) return this.last;
    poseInPhase(mover.pose, mover.motion, t, moverNow);
    poseInPhase(target.pose, target.motion, t, targetNow);
    const isPart = (PARTS * t) % 1 === 0;
    const frame = relativeFrame(targetNow, moverNow, isPart ? makeFrame() : this.last);
    if (isPart) frames.set(t, frame);
    else this.lastTime = t;
    return frame;
  }

  /** Takes a point of the mover. */
  follow(u: ReadonlyVec3): void {
    const { mover, target, local, start, difference } = this;
    v3.copy(u, local);
    v3.add(v3.rotate(u, mover.pose.quaternion, start), mover.pose.position, start);
    const { angle } = mover.motion;
    const { angle: turned } = target.motion;
    const radius = angle > 0 ? this.fromAxis(mover.motion) : 0;
    const relative = difference + angle * radius;
    const reach = turned > 0 ? this.fromAxis(target.motion) + relative : 0;
    this.speed = relative + turned * reach;
    this.acceleration = angle * angle * radius + 2 * turned * relative + turned * turned * reach;
    this.axisAcceleration = 2 * turned * difference + turned * turned * (reach + radius);
    this.radius = radius;
  }

  private fromAxis({ pivot, axis }: SteadyMotion): number {
    const { arm, start } = this;
    return v3.length(v3.cross(axis, v3.sub(start, pivot, arm), arm));
  }

  /** Where the point is. */
  at(t: number, out: Vec3): Vec3 {
    return toFirst(this.frameAt(t), this.local, out);
  }

  /** Of the mover: along which its origin goes at a time. */
  directionAt(t: number): Vec3 {
    this.follow(ORIGIN);
    const way = v3.sub(this.at(Math.min(1, t + 1 / PARTS), vec3()), this.at(t, vec3()));
    // From the space of the target to its own.
    return directionToSecond(this.frameAt(t), way, way);
  }

  /**
   * How far the point is from its chord, at most, in a span of time: an arc over a chord rises by its acceleration · dt² / 8, by no
   * more than half of its length, and, about an axis that does so itself, by the diameter more.
   */
  bend(dt: number): number {
    const eighth = (dt * dt) / 8;
    const aboutAxis = this.axisAcceleration * eighth + 2 * this.radius;
    return Math.min(this.acceleration * eighth, (this.speed * dt) / 2, aboutAxis);
  }

  /**
   * An oriented box, in the space of the target, that holds a box of the mover during a span of time, its long side along the
   * motion: around the paths of the corners (§3.5). Returns how far a corner may be from its chord.
   */
  sweptBox({ min, max }: ReadonlyAabb, from: number, to: number, out: Obb): number {
    const { corner, along, across, up, low, high } = this;
    this.follow(v3.lerp(min, max, 0.5, corner));
    v3.sub(this.at(to, along), this.at(from, across), along);
    if (!(v3.length(along) > 0)) v3.set(1, 0, 0, along);
    v3.normalize(along, along);
    v3.perpendicular(along, across);
    v3.cross(along, across, up);
    v3.set(Infinity, Infinity, Infinity, low);
    v3.set(-Infinity, -Infinity, -Infinity, high);
    let most = 0;
    for (let i = 0; i < 8; i++) {
      this.follow(v3.set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z, corner));
      const bend = this.bend(to - from);
      most = Math.max(most, bend);
      this.widen(this.at(from, corner), bend);
      this.widen(this.at(to, corner), bend);
    }
    v3.scale(along, (low.x + high.x) / 2, out.center);
    v3.addScaled(out.center, across, (low.y + high.y) / 2, out.center);
    v3.addScaled(out.center, up, (low.z + high.z) / 2, out.center);
    v3.sub(high, low, out.halfSize);
    v3.scale(out.halfSize, 0.5, out.halfSize);
    m3.fromColumns(along, across, up, out.rotation);
    return most;
  }

  /** So that the box along the axes holds a ball about p. */
  private widen(p: ReadonlyVec3, radius: number): void {
    const { along, across, up, low, high } = this;
    const x = v3.dot(along, p);
    const y = v3.dot(across, p);
    const z = v3.dot(up, p);
    low.x = Math.min(low.x, x - radius);
    low.y = Math.min(low.y, y - radius);
    low.z = Math.min(low.z, z - radius);
    high.x = Math.max(high.x, x + radius);
    high.y = Math.max(high.y, y + radius);
    high.z = Math.max(high.z, z + radius);
  }
}

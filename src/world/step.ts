/**
 * Moving many bodies through one step of time. RTCD §2.4.2.
 *
 * - `stepSimultaneous`: all at once, from impact to impact. Correct, and the slowest.
 * - `stepSequential`: one after the other, each among the others where they stand then. The order matters.
 * - `stepFixed`: all by the whole step, then the overlaps. What is fast may tunnel through what is thin.
 */

import { TreeBroadPhase } from '../broadphase/tree-broad-phase.ts';
import {
  checkPoint,
  describe,
  mustBeFunction,
  mustBeLength,
  mustBeList,
  mustBeOptions,
  mustBeWhole,
  mustHave,
  refuse,
} from '../math/check.ts';
import { CAST_REACH } from '../math/tolerance.ts';
import type { Pose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { castMotions } from '../query/cast-motions.ts';
import { boundsOf } from '../shapes/bounds.ts';
import { mustBeWorldPose } from '../shapes/check.ts';
import { point } from '../shapes/flat-sided-shapes.ts';
import { makeCastHit } from '../shapes/results.ts';
import type { Shape } from '../shapes/shape.ts';
import { copyPose, makeOwnPose, type WorldCollider } from './collider-record.ts';
import type { PairEvent } from './pair-manager.ts';
import type { World } from './world.ts';

/** A collider of a world that moves along a line. */
export interface Mover {
  readonly id: number;
  /** The pose that the world reads; the steps write its position. */
  readonly pose: Pose;
  /** Per unit of time. The response to an impact may change it. */
  velocity: Vec3;
}

/** Two colliders have come to touch. */
export interface Impact {
  /** A mover, and what it met, which may be one, too. */
  readonly a: number;
  readonly b: number;
  /** Since the start of the step. */
  readonly time: number;
  readonly point: Vec3;
  /** Out of b, towards a. */
  readonly normal: Vec3;
}

/** Changes the velocities of those that have met, null for what does not move. */
export type ImpactResponse = (impact: Impact, a: Mover, b: Mover | null) => void;

export interface StepOptions {
  /** Default: `slideOff`. */
  readonly respond?: ImpactResponse;
  /**
   * After so many impacts in one step a mover stays where it is until the next: bodies that rest on each other could meet
   * without end. Default: 8.
   */
  readonly maxImpacts?: number;
}

/** Takes away what the velocity of each has towards the other. */
export function slideOff(impact: Impact, a: Mover, b: Mover | null): void {
  mustHave('slideOff', 'impact', impact, 'an impact', 'normal');
  const { normal } = impact;
  checkPoint('slideOff', 'impact.normal', normal);
  mustHave('slideOff', 'a', a, 'a mover', 'velocity');
  checkPoint('slideOff', 'a.velocity', a.velocity);
  if (b !== null) mustHave('slideOff', 'b', b, 'a mover or null', 'velocity');
  if (b) checkPoint('slideOff', 'b.velocity', b.velocity);
  const into = v3.dot(a.velocity, normal);
  if (into < 0) v3.addScaled(a.velocity, normal, -into, a.velocity);
  const out = b ? v3.dot(b.velocity, normal) : 0;
  if (b && out > 0) v3.addScaled(b.velocity, normal, -out, b.velocity);
}

/** A mover during the step. Its pose is that of its own time: impacts of others do not move it. */
interface MovingBody {
  readonly mover: Mover;
  readonly body: { readonly shape: Shape; readonly pose: Pose };
  time: number;
  impacts: number;
  /** It has met too much in this step. */
  isDone: boolean;
  readonly box: Aabb;
  /** The next impact, if any: the time, with whom, a normal. */
  next: Collision | null;
}

interface Collision extends Impact {
  readonly other: MovingBody | null;
}

const ZERO: ReadonlyVec3 = vec3();
/** Bodies that rest on each other and slide count as parting: by this part of their speed. */
const ALONG = 1e-12;
/** What touches and parts is looked at again from a little off, in parts of the size. */
const LIFT = 1e-7;
const POINT: Shape = point();

/**
 * All movers at once, each to the end of the step or to where it meets another: then `respond` changes velocities, and it
 * goes on from there. Only those that meet are stopped. Returns the impacts in the order of their times. The world has read
 * the new poses.
 */
export function stepSimultaneous(
  world: World,
  movers: readonly Mover[],
  dt: number,
  options: StepOptions = {},
): Impact[] {
  const step = new Step('stepSimultaneous', world, movers, dt, options, false);
  for (const one of step.moving) step.predict(one);
  const impacts: Impact[] = [];
  for (let first = step.first(); first; first = step.first()) {
    impacts.push(first);
    step.collide(first);
    // Whoever waits for one of the two has to look again.
    for (const one of step.moving) {
      const { next } = one;
      const mine = one.mover.id === first.a || one.mover.id === first.b;
      if (
        mine ||
        (next && (next.a === first.a || next.b === first.a || next.a === first.b || next.b === first.b))
      )
        step.predict(one);
    }
  }
  step.finish();
  return impacts;
}

/**
 * One mover after the other, in the order given, each among the others where they stand: those before it at the end of
 * their motions, those after it at the start. Returns the impacts, mover by mover.
 */
export function stepSequential(
  world: World,
  movers: readonly Mover[],
  dt: number,
  options: StepOptions = {},
): Impact[] {
  const step = new Step('stepSequential', world, movers, dt, options, true);
  const impacts: Impact[] = [];
  for (const one of step.moving) {
    for (;;) {
      step.predict(one);
      const { next } = one;
      if (!next) break;
      impacts.push(next);
      step.collide(next);
    }
    step.finishOne(one);
  }
  return impacts;
}

export interface FixedStepOptions {
  /** Called for each mover that goes farther than it is long, in the direction of an axis: it may pass through something. */
  readonly onLongStep?: (mover: Mover) => void;
}

/** Moves all by the whole step, and returns the events of the update then. */
export function stepFixed(
  world: World,
  movers: readonly Mover[],
  dt: number,
  options: FixedStepOptions = {},
): PairEvent[] {
  mustBeMovers('stepFixed', world, movers, dt);
  mustBeOptions('stepFixed', 'options', options, 'onLongStep');
  const { onLongStep } = options;
  if (onLongStep !== undefined) mustBeFunction('stepFixed', 'options.onLongStep', onLongStep);
  for (const mover of movers) {
    if (onLongStep && isLongStep(world, mover, dt)) onLongStep(mover);
    v3.addScaled(mover.pose.position, mover.velocity, dt, mover.pose.position);
  }
  return world.update();
}

function isLongStep(world: World, { id, pose, velocity }: Mover, dt: number): boolean {
  const { min, max } = boundsOf(world.get(id).shape, pose);
  return (
    Math.abs(velocity.x) * dt > max.x - min.x ||
    Math.abs(velocity.y) * dt > max.y - min.y ||
    Math.abs(velocity.z) * dt > max.z - min.z
  );
}

function mustBeMovers(caller: string, world: World, movers: readonly Mover[], dt: number): void {
  mustHave(caller, 'world', world, 'a World', 'update');
  mustBeLength(caller, 'dt', dt);
  mustBeList(caller, 'movers', movers);
  for (const [i, mover] of movers.entries()) {
    mustHave(caller, `movers[${i}]`, mover, 'a mover {id, pose, velocity}', 'id');
    const { id, pose, velocity } = mover;
    if (!world.has(id))
      refuse(caller, `movers[${i}].id`, `must be that of a collider in the world, got ${describe(id)}`);
    mustBeWorldPose(caller, `movers[${i}].pose`, pose);
    checkPoint(caller, `movers[${i}].velocity`, velocity);
  }
}

/** One step under way, and its scratch: responses, filters and getters may begin another. */
class Step {
  readonly moving: MovingBody[];
  private readonly world: World;
  private readonly dt: number;
  private readonly respond: ImpactResponse;
  private readonly most: number;
  /** Others stand still while one moves. */
  private readonly alone: boolean;
  private readonly byId = new Map<number, MovingBody>();
  /** Boxes around what the movers may still pass through in this step, by their index in `moving`. */
  private readonly sweptBoxes = new TreeBroadPhase({ slack: 0 });
  private readonly a = { shape: POINT, pose: makeOwnPose() };
  private readonly b = { shape: POINT, pose: makeOwnPose() };
  private readonly motionA = { translation: vec3() };
  private readonly motionB = { translation: vec3() };
  private readonly hit = makeCastHit();

  constructor(
    caller: string,
    world: World,
    movers: readonly Mover[],
    dt: number,
    options: StepOptions,
    alone: boolean,
  ) {
    mustBeMovers(caller, world, movers, dt);
    mustBeOptions(caller, 'options', options, 'respond maxImpacts');
    const { respond = slideOff, maxImpacts = 8 } = options;
    mustBeFunction(caller, 'options.respond', respond);
    mustBeWhole(caller, 'options.maxImpacts', maxImpacts, 1, Infinity);
    this.world = world;
    this.dt = dt;
    this.respond = respond;
    this.most = maxImpacts;
    this.alone = alone;
    this.moving = movers.map((mover, i): MovingBody => {
      const { shape } = world.get(mover.id);
      if (shape.kind === 'halfSpace')
        refuse(caller, `movers[${i}]`, 'must not be a half-space, which has no end');
      const body = { shape, pose: makeOwnPose() };
      copyPose(mover.pose, body.pose);
      return { mover, body, time: 0, impacts: 0, isDone: false, box: makeAabb(), next: null };
    });
    for (const [i, one] of this.moving.entries()) {
      this.byId.set(one.mover.id, one);
      this.loadSweptBox(one);
      this.sweptBoxes.add(i, one.box);
    }
  }

  private velocityOf(one: MovingBody): ReadonlyVec3 {
    return one.isDone ? ZERO : one.mover.velocity;
  }

  /** The box around all that it may still pass through. */
  private loadSweptBox(one: MovingBody): void {
    const { box, body, time } = one;
    const { x, y, z } = this.velocityOf(one);
    const left = this.dt - time;
    boundsOf(body.shape, body.pose, box);
    const { min, max } = box;
    const off = CAST_REACH * (max.x - min.x + (max.y - min.y) + (max.z - min.z));
    min.x += Math.min(x * left, 0) - off;
    min.y += Math.min(y * left, 0) - off;
    min.z += Math.min(z * left, 0) - off;
    max.x += Math.max(x * left, 0) + off;
    max.y += Math.max(y * left, 0) + off;
    max.z += Math.max(z * left, 0) + off;
  }

  /** Finds the next impact of a mover. */
  predict(one: MovingBody): void {
    const { world, moving } = this;
    one.next = null;
    this.loadSweptBox(one);
    this.sweptBoxes.move(moving.indexOf(one), one.box);
    const id = one.mover.id;
    world.searchBox(one.box, (other) => {
      if (this.byId.has(other) || !this.mayCollide(id, other)) return;
      this.predictPair(one, world.get(other), null);
    });
    this.sweptBoxes.searchBox(one.box, (i) => {
      const other = moving[i]!;
      if (other === one || !this.mayCollide(id, other.mover.id)) return;
      this.predictPair(one, { id: other.mover.id, ...other.body }, other);
    });
  }

  private mayCollide(a: number, b: number): boolean {
    const { world } = this;
    return !world.get(a).sensor && !world.get(b).sensor && world.meets(a, b);
  }

  /** Keeps the collision with another body if it is the first. */
  private predictPair(
    one: MovingBody,
    { id, shape, pose }: Pick<WorldCollider, 'id' | 'shape' | 'pose'>,
    other: MovingBody | null,
  ): void {
    const { alone, a, b, motionA, motionB, hit } = this;
    const start = alone || !other ? one.time : Math.max(one.time, other.time);
    const va = this.velocityOf(one);
    const vb = other && !alone ? this.velocityOf(other) : ZERO;
    a.shape = one.body.shape;
    b.shape = shape;
    copyPose(one.body.pose, a.pose);
    v3.addScaled(a.pose.position, va, start - one.time, a.pose.position);
    copyPose(pose, b.pose);
    if (other && !alone) v3.addScaled(b.pose.position, vb, start - other.time, b.pose.position);
    const left = this.dt - start;
    v3.scale(va, left, motionA.translation);
    v3.scale(vb, left, motionB.translation);
    if (!this.castPair()) return;
    const time = start + hit.t * left;
    const { next } = one;
    if (next && (next.time < time || (next.time === time && next.b < id))) return;
    const point = v3.copy(hit.point, vec3());
    one.next = { a: one.mover.id, b: id, time, point, normal: v3.copy(hit.normal, vec3()), other };
  }

  /**
   * Do `a` and `b` collide on their motions? Fills `hit`. What touches already and parts, or slides along, does not: it is
   * looked at again from a little off, as it may hit the same thing later.
   */
  private castPair(): boolean {
    const { a, b, motionA, motionB, hit } = this;
    if (!castMotions(a, motionA, b, motionB, hit)) return false;
    const relative = v3.sub(motionA.translation, motionB.translation, vec3());
    if (hit.t > 0 || v3.dot(relative, hit.normal) < -ALONG * v3.length(relative)) return true;
    const { min, max } = boundsOf(a.shape, a.pose);
    const { x, y, z } = a.pose.position;
    const size =
      max.x - min.x + (max.y - min.y) + (max.z - min.z) + 1e-6 * (Math.abs(x) + Math.abs(y) + Math.abs(z));
    v3.addScaled(a.pose.position, hit.normal, LIFT * size, a.pose.position);
    return castMotions(a, motionA, b, motionB, hit) !== null && hit.t > 0;
  }

  /** The first of all collisions; by id where several are at the same time. */
  first(): Collision | null {
    let first: Collision | null = null;
    for (const { next } of this.moving)
      if (next && (!first || next.time < first.time || (next.time === first.time && next.a < first.a)))
        first = next;
    return first;
  }

  /** Moves the two to where they collide, and asks for their new velocities. */
  collide({ a, time, other, ...impact }: Collision): void {
    const one = this.byId.get(a)!;
    const pushed = this.alone ? null : other;
    this.advance(one, time);
    if (pushed) this.advance(pushed, time);
    this.respond({ ...impact, a, time }, one.mover, other?.mover ?? null);
    checkPoint('respond', 'the velocity of a mover', one.mover.velocity);
    if (other) checkPoint('respond', 'the velocity of a mover', other.mover.velocity);
    for (const body of [one, pushed]) if (body && ++body.impacts >= this.most) body.isDone = true;
  }

  private advance(one: MovingBody, time: number): void {
    const { position } = one.body.pose;
    v3.addScaled(position, this.velocityOf(one), time - one.time, position);
    one.time = time;
  }

  finishOne(one: MovingBody): void {
    this.advance(one, this.dt);
    v3.copy(one.body.pose.position, one.mover.pose.position);
    this.world.refresh(one.mover.id);
    this.loadSweptBox(one);
    this.sweptBoxes.move(this.moving.indexOf(one), one.box);
  }

  finish(): void {
    for (const one of this.moving) this.finishOne(one);
  }
}

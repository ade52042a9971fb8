/**
 * Ways to move many bodies through one step of time. RTCD §2.4.2.
 *
 * - `stepSimultaneous`: all at once, from impact to impact. Right, and what takes longest.
 * - `stepSequential`: one after the other, each among the others where they stand then. The order matters.
 * - `stepFixed`: all the whole way, and then who overlaps. What is fast may pass through what is thin.
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
import { makeCastHit } from '../shapes/results.ts';
import type { Shape } from '../shapes/shape.ts';
import { copyPose, makeOwnPose } from './collider-record.ts';
import type { PairEvent } from './pair-manager.ts';
import type { World } from './world.ts';

/** A collider of a world that moves along a line. */
export interface Mover {
  readonly id: number;
  /** The pose that the world reads; the steps write its position. */
  readonly pose: Pose;
  /** A unit of time. An answer to an impact may change it. */
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
  /** `slideOff` unless told otherwise. */
  readonly respond?: ImpactResponse;
  /**
   * After so many impacts in one step a mover stays where it is until the next: bodies that rest on each other could meet
   * without end. 8 unless told otherwise.
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

/** A mover on its way. Where it is was written at its own time: nobody is moved for what others meet. */
interface Runner {
  readonly mover: Mover;
  readonly body: { readonly shape: Shape; readonly pose: Pose };
  time: number;
  impacts: number;
  /** It has met too much in this step. */
  isDone: boolean;
  readonly box: Aabb;
  /** The next impact, if any: the time, with whom, a normal. */
  next: Meeting | null;
}

interface Meeting extends Impact {
  readonly other: Runner | null;
}

const STILL: ReadonlyVec3 = vec3();
/** Bodies that rest on each other and slide count as parting: by this part of their speed. */
const ALONG = 1e-12;
/** What touches and parts is looked at again from a little off, in parts of the size. */
const LIFT = 1e-7;
const wayA = { translation: vec3() };
const wayB = { translation: vec3() };
const hit = makeCastHit();
const relative = vec3();
const bounds = makeAabb();
const place = makeOwnPose();
const otherPlace = makeOwnPose();

/**
 * All movers at once, each to the end of the step or to where it meets another: then `respond` changes velocities, and on
 * it goes. Only those that meet are halted, whatever happens elsewhere in the world. Returns the impacts in the order of
 * their times. The world has read the new poses.
 */
export function stepSimultaneous(
  world: World,
  movers: readonly Mover[],
  dt: number,
  options: StepOptions = {},
): Impact[] {
  const scene = new Scene('stepSimultaneous', world, movers, dt, options, false);
  for (const runner of scene.runners) scene.predict(runner);
  const impacts: Impact[] = [];
  for (let first = scene.first(); first; first = scene.first()) {
    impacts.push(first);
    scene.meet(first);
    // Whoever waits for one of the two has to look again.
    for (const runner of scene.runners) {
      const { next } = runner;
      const mine = runner.mover.id === first.a || runner.mover.id === first.b;
      if (
        mine ||
        (next && (next.a === first.a || next.b === first.a || next.a === first.b || next.b === first.b))
      )
        scene.predict(runner);
    }
  }
  scene.finish();
  return impacts;
}

/**
 * One mover after the other, in the order given, each all its way among the others where they stand: those before it at
 * the end of theirs, those after it at the start. Returns the impacts, mover by mover.
 */
export function stepSequential(
  world: World,
  movers: readonly Mover[],
  dt: number,
  options: StepOptions = {},
): Impact[] {
  const scene = new Scene('stepSequential', world, movers, dt, options, true);
  const impacts: Impact[] = [];
  for (const runner of scene.runners) {
    for (;;) {
      scene.predict(runner);
      const { next } = runner;
      if (!next) break;
      impacts.push(next);
      scene.meet(next);
    }
    scene.finishOne(runner);
  }
  return impacts;
}

export interface FixedStepOptions {
  /** Called for each mover that goes farther than it is long, in the direction of an axis: it may pass through something. */
  readonly onLongStep?: (mover: Mover) => void;
}

/** All movers the whole way, and the events of the update then. */
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
  const { min, max } = boundsOf(world.get(id).shape, pose, bounds);
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

class Scene {
  readonly runners: Runner[];
  private readonly world: World;
  private readonly dt: number;
  private readonly respond: ImpactResponse;
  private readonly most: number;
  /** Others stand still while one moves. */
  private readonly alone: boolean;
  private readonly byId = new Map<number, Runner>();
  /** The ways of the movers until the end of the step, by their place in the list. */
  private readonly ways = new TreeBroadPhase({ slack: 0 });

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
    this.runners = movers.map((mover, i): Runner => {
      const { shape } = world.get(mover.id);
      if (shape.kind === 'halfSpace')
        refuse(caller, `movers[${i}]`, 'must not be a half-space, which has no end');
      const body = { shape, pose: makeOwnPose() };
      copyPose(mover.pose, body.pose);
      return { mover, body, time: 0, impacts: 0, isDone: false, box: makeAabb(), next: null };
    });
    for (const [i, runner] of this.runners.entries()) {
      this.byId.set(runner.mover.id, runner);
      this.loadWay(runner);
      this.ways.add(i, runner.box);
    }
  }

  private velocityOf(runner: Runner): ReadonlyVec3 {
    return runner.isDone ? STILL : runner.mover.velocity;
  }

  /** The box around all that the runner may still pass. */
  private loadWay(runner: Runner): void {
    const { box, body, time } = runner;
    const { x, y, z } = this.velocityOf(runner);
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

  /** Finds out what the runner meets next. */
  predict(runner: Runner): void {
    const { world, runners } = this;
    runner.next = null;
    this.loadWay(runner);
    this.ways.move(runners.indexOf(runner), runner.box);
    const id = runner.mover.id;
    world.searchBox(runner.box, (other) => {
      if (this.byId.has(other) || !this.mayBump(id, other)) return;
      copyPose(world.get(other).pose, otherPlace);
      this.tryOne(runner, other, { shape: world.get(other).shape, pose: otherPlace }, null);
    });
    this.ways.searchBox(runner.box, (i) => {
      const other = runners[i]!;
      if (other === runner || !this.mayBump(id, other.mover.id)) return;
      this.tryOne(runner, other.mover.id, other.body, other);
    });
  }

  private mayBump(a: number, b: number): boolean {
    const { world } = this;
    return !world.get(a).sensor && !world.get(b).sensor && world.meets(a, b);
  }

  /** Keeps the meeting with another if it is the first. */
  private tryOne(
    runner: Runner,
    id: number,
    body: { readonly shape: Shape; readonly pose: Pose },
    other: Runner | null,
  ): void {
    const { alone } = this;
    const start = alone || !other ? runner.time : Math.max(runner.time, other.time);
    const va = this.velocityOf(runner);
    const vb = other && !alone ? this.velocityOf(other) : STILL;
    copyPose(runner.body.pose, place);
    v3.addScaled(place.position, va, start - runner.time, place.position);
    copyPose(body.pose, otherPlace);
    if (other && !alone) v3.addScaled(otherPlace.position, vb, start - other.time, otherPlace.position);
    const left = this.dt - start;
    v3.scale(va, left, wayA.translation);
    v3.scale(vb, left, wayB.translation);
    if (!meetOnWay(runner.body.shape, body.shape)) return;
    const time = start + hit.t * left;
    const { next } = runner;
    if (next && (next.time < time || (next.time === time && next.b < id))) return;
    const point = v3.copy(hit.point, vec3());
    runner.next = { a: runner.mover.id, b: id, time, point, normal: v3.copy(hit.normal, vec3()), other };
  }

  /** The first of all meetings; by number where several are at the same time. */
  first(): Meeting | null {
    let first: Meeting | null = null;
    for (const { next } of this.runners)
      if (next && (!first || next.time < first.time || (next.time === first.time && next.a < first.a)))
        first = next;
    return first;
  }

  /** Brings the two to where they meet, and asks for their new velocities. */
  meet({ a, time, other, ...impact }: Meeting): void {
    const runner = this.byId.get(a)!;
    const pushed = this.alone ? null : other;
    this.advance(runner, time);
    if (pushed) this.advance(pushed, time);
    this.respond({ ...impact, a, time }, runner.mover, other?.mover ?? null);
    checkPoint('respond', 'the velocity of a mover', runner.mover.velocity);
    if (other) checkPoint('respond', 'the velocity of a mover', other.mover.velocity);
    for (const one of [runner, pushed]) if (one && ++one.impacts >= this.most) one.isDone = true;
  }

  private advance(runner: Runner, time: number): void {
    const { position } = runner.body.pose;
    v3.addScaled(position, this.velocityOf(runner), time - runner.time, position);
    runner.time = time;
  }

  finishOne(runner: Runner): void {
    this.advance(runner, this.dt);
    v3.copy(runner.body.pose.position, runner.mover.pose.position);
    this.world.refresh(runner.mover.id);
    this.loadWay(runner);
    this.ways.move(this.runners.indexOf(runner), runner.box);
  }

  finish(): void {
    for (const runner of this.runners) this.finishOne(runner);
  }
}

/**
 * Do the two at `place` and `otherPlace` meet on their ways? Fills `hit`. What touches already and parts, or slides along,
 * does not: it is looked at again from a little off, as it may meet the same thing later.
 */
function meetOnWay(a: Shape, b: Shape): boolean {
  const one = { shape: a, pose: place };
  const two = { shape: b, pose: otherPlace };
  if (!castMotions(one, wayA, two, wayB, hit)) return false;
  v3.sub(wayA.translation, wayB.translation, relative);
  if (hit.t > 0 || v3.dot(relative, hit.normal) < -ALONG * v3.length(relative)) return true;
  const { min, max } = boundsOf(a, place, bounds);
  const { x, y, z } = place.position;
  const size =
    max.x - min.x + (max.y - min.y) + (max.z - min.z) + 1e-6 * (Math.abs(x) + Math.abs(y) + Math.abs(z));
  v3.addScaled(place.position, hit.normal, LIFT * size, place.position);
  return castMotions(one, wayA, two, wayB, hit) !== null && hit.t > 0;
}

/**
 * A character that walks, jumps, climbs steps and rides on platforms. After J. Linahan, "Improving the numerical robustness
 * of sphere swept collision detection", and what the paper leaves open.
 */
import {
  checkPoint,
  describe,
  mustBeFunction,
  mustBeLength,
  mustBeNumber,
  mustBeOptions,
  mustNotBeNegative,
  refuse,
  refuseType,
} from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import * as q4 from '../math/quat.ts';
import { cos } from '../math/trig.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { type CharacterCollision, makeCollision } from './collision.ts';
import { triple } from './constraints.ts';
import { type CharacterShape, type Form, loadForm, makeForm, setGap, shapeOf } from './form.ts';
import { Memory } from './memory.ts';
import {
  type CollisionFilter,
  enterMove,
  go,
  leaveMove,
  type MoveContext,
  placeToWorld,
  vectorToFrame,
  vectorToWorld,
} from './move-context.ts';
import { isDeep, recover } from './recover.ts';
import { MOST_COLLISIONS } from './report.ts';
import { ride } from './ride.ts';
import { CHARACTER_OPTIONS, type CharacterOptions } from './settings.ts';
import { fly, walk } from './slide.ts';
import type { Surroundings } from './surroundings.ts';

/** Made with doubles, so that V8 takes it for the same kind of record as other places. */
const zero = triple();
zero.x = zero.y = zero.z = 0;

export class Character {
  /** The centre of its shape. Its owner's to read; set it with `teleport`, or before the first move. */
  readonly position: Vec3 = vec3(0.5, 0.5, 0.5);
  /** Its owner's to set before each move: distance a unit of time. A move takes away what ran into something. */
  readonly velocity: Vec3 = vec3(0.5, 0.5, 0.5);
  /** What the last move ended on, ran along and knocked against. */
  onFloor = false;
  onWall = false;
  onCeiling = false;
  /** The normal of the ground that it stands on; up when there is none. */
  readonly floorNormal: Vec3 = vec3(0.5, 0.5, 0.5);
  /** The collider that it stands on; -1 for none. */
  floorId = -1;
  /** How fast what it stands on carried it in the last move. A jump may take it along. */
  readonly platformVelocity: Vec3 = vec3(0.5, 0.5, 0.5);
  /** What stopped the last move, in order. */
  readonly collisions: CharacterCollision[] = [];
  /** From where the last move began to where it ended. */
  readonly lastMotion: Vec3 = vec3(0.5, 0.5, 0.5);
  /** How far the last move had to push it out of something first. */
  recovered = 0;
  /** Could it not be pushed out? It is then in something, or between things that leave it no room. */
  stuck = false;
  /** The sweeps of the longest slide of the last move: one for each thing that turned it, and one more. */
  passes = 0;
  readonly up: ReadonlyVec3;
  stepHeight: number;
  snapDistance: number;
  mass: number;

  /** @internal */
  readonly surroundings: Surroundings;
  /** @internal */
  readonly form: Form = makeForm();
  /** @internal */
  readonly steepest: number;
  /** @internal */
  readonly maxRecovery: number | undefined;
  /** Records for `collisions`. @internal */
  readonly pool: CharacterCollision[] = [];
  /** @internal */
  readonly history = new Memory();
  /** Was it looked in this move whether it has to be pushed out? @internal */
  didRecover = false;
  /** Did a slide of the last move end by its number of passes? @internal */
  exhausted = false;

  private readonly round: { shape: ConvexShape };
  /** Is a move of it under way? */
  private isMoving = false;
  private readonly meeting: CollisionFilter;
  private readonly turn = quat(0.5, 0.5, 0.5, 0.5);
  private readonly upright: boolean;
  private readonly gap: number;
  private readonly onCollision: ((collision: CharacterCollision) => void) | undefined;
  /** The gap that `round` was made for. */
  private roundGap = -1;

  constructor(surroundings: Surroundings, options: CharacterOptions) {
    const caller = 'Character';
    if (typeof surroundings?.searchBox !== 'function' || typeof surroundings.get !== 'function')
      refuseType(caller, 'surroundings', 'a World, or what has searchBox and get as one', surroundings);
    mustBeOptions(caller, 'options', options, CHARACTER_OPTIONS);
    loadForm(caller, options, this.form);
    const { position = zero, up = UP, stepHeight = 0.3, slopeLimit = 0.8, mass = 1 } = options;
    const { snapDistance = stepHeight, gap = this.form.least / 100, maxRecovery } = options;
    checkPoint(caller, 'position', position);
    checkPoint(caller, 'up', up);
    mustNotBeNegative(caller, 'stepHeight', stepHeight);
    mustNotBeNegative(caller, 'snapDistance', snapDistance);
    mustNotBeNegative(caller, 'mass', mass);
    mustBeNumber(caller, 'slopeLimit', slopeLimit);
    mustBeNumber(caller, 'gap', gap);
    if (!(slopeLimit >= 0 && slopeLimit < 1.57))
      refuse(caller, 'slopeLimit', `must be from 0 to 1.57, got ${describe(slopeLimit)}`);
    if (!(gap > 0 && gap <= this.form.least / 2))
      refuse(
        caller,
        'gap',
        `must be above 0 and at most a quarter of the smallest size, got ${describe(gap)}`,
      );
    if (maxRecovery !== undefined) mustNotBeNegative(caller, 'maxRecovery', maxRecovery);
    this.surroundings = surroundings;
    v3.copy(position, this.position);
    v3.set(0, 0, 0, this.velocity);
    v3.set(0, 0, 0, this.platformVelocity);
    v3.set(0, 0, 0, this.lastMotion);
    if (v3.length(up) === 0) refuse(caller, 'up', 'must not be zero');
    const unit = v3.normalize(up);
    this.up = unit;
    v3.copy(unit, this.floorNormal);
    this.upright = unit.x === 0 && unit.y === 1 && unit.z === 0;
    turnFromY(unit, this.turn);
    this.stepHeight = stepHeight;
    this.snapDistance = snapDistance;
    this.mass = mass;
    // Ground of exactly that slope is walked on, whatever rounding does to its normal.
    this.steepest = cos(slopeLimit) - 1e-9;
    this.gap = gap;
    this.maxRecovery = maxRecovery;
    const { group = 1, mask = -1, owner, filter, onCollision } = options;
    mustBeNumber(caller, 'group', group);
    mustBeNumber(caller, 'mask', mask);
    if (owner !== undefined) mustBeNumber(caller, 'owner', owner);
    if (filter !== undefined) mustBeFunction(caller, 'filter', filter);
    if (onCollision !== undefined) mustBeFunction(caller, 'onCollision', onCollision);
    this.meeting = { group, mask, owner, filter };
    this.onCollision = onCollision;
    this.round = { shape: shapeOf(this.form, gap) };
    for (let i = 0; i < MOST_COLLISIONS; i++) this.pool.push(makeCollision());
  }

  /** Puts it somewhere, without a sweep and off whatever it stood on. The next move pushes it out of what is there. */
  teleport(position: ReadonlyVec3): void {
    checkPoint('Character.teleport', 'position', position);
    v3.copy(position, this.position);
    this.onFloor = false;
    this.floorId = -1;
    this.history.clear();
  }

  /**
   * Gives it another shape, with its feet where they are: crouches and stands up. False, and all stays as it is, if there
   * is no room for it. A shape that is too near to something is moved off it, by no more than a quarter of its size.
   */
  resize(shape: CharacterShape): boolean {
    const { form } = this;
    const old: Form = { ...form };
    loadForm('Character.resize', shape, form);
    this.mustNotBeMoving('Character.resize');
    let free = false;
    const move = enterMove();
    this.isMoving = true;
    try {
      this.open(move, 0, null);
      free = this.findRoom(move, old);
    } finally {
      this.isMoving = false;
      leaveMove();
      if (!free) {
        Object.assign(form, old);
        this.roundGap = -1;
      }
    }
    return free;
  }

  /** Is there room for the form, with the feet where those of the old one were? Then it goes there. */
  private findRoom(move: MoveContext, old: Form): boolean {
    const { form } = this;
    const { sweep, position } = move;
    const rise = form.hy - old.hy;
    position.y = rise;
    go(move, 0, 0, 0);
    if (isDeep(move)) {
      if (!recover(move, Math.min(form.least, old.least) / 4)) return false;
      // A push must not lead through something: the way back is swept.
      if (go(move, -position.x, rise - position.y, -position.z) && sweep.t === 0) return false;
    }
    placeToWorld(move, position, this.position);
    return true;
  }

  private mustNotBeMoving(caller: string): void {
    if (this.isMoving)
      throw new Error(
        `graze: ${caller}: a move of this character is under way; a filter or a pose may move others`,
      );
  }

  /**
   * Moves by velocity × dt, sliding along what is met, and tells whether anything was. The user sets the velocity before
   * (gravity is his to add) and finds it without what ran into walls, floors and ceilings.
   *
   * Who stands on ground, and does not move up, walks: the horizontal speed is kept up and down slopes within the limit,
   * steps are taken, the ground is followed downwards, and nothing slides while standing. Others fly: they slide along
   * what they meet. What it stands on carries it when that was moved or turned. What is moved into it pushes it out.
   *
   * It never ends nearer to anything than it was allowed to, unless it began there. O(n) in the triangles near.
   */
  moveAndSlide(dt: number): boolean {
    const { velocity, position, history } = this;
    mustBeMove(dt, velocity, position);
    this.mustNotBeMoving('Character.moveAndSlide');
    const { onFloor, floorId, recovered, stuck } = this;
    const move = enterMove();
    this.isMoving = true;
    let isDone = false;
    history.next();
    try {
      this.move(move, dt);
      isDone = true;
    } finally {
      this.isMoving = false;
      leaveMove();
      if (!isDone) {
        // User code threw. It is where it was, and the next move begins as this one did.
        history.undo();
        this.onFloor = onFloor;
        this.floorId = floorId;
        this.recovered = recovered;
        this.stuck = stuck;
      }
    }
    const { collisions } = this;
    if (this.onCollision && dt > 0)
      for (let i = 0; i < collisions.length; i++) this.onCollision(collisions[i]!);
    return collisions.length > 0;
  }

  private move(move: MoveContext, dt: number): void {
    const { velocity, form, floorNormal } = this;
    this.open(move, dt, this.history, this.recovered > 0 || this.stuck);
    move.dt = dt;
    const stood = this.onFloor;
    this.onFloor = false;
    this.onWall = false;
    this.onCeiling = false;
    this.recovered = 0;
    this.stuck = false;
    this.didRecover = false;
    this.passes = 0;
    this.exhausted = false;
    // To set the length would free what holds the elements.
    while (this.collisions.length > 0) this.collisions.pop();
    const { planes, velocityPlanes, motion, velocity: speed } = move;
    planes.steepest = velocityPlanes.steepest = this.steepest;
    velocityPlanes.clear();
    velocityPlanes.next.d = 0;
    planes.left = 2 * form.worldGap;
    vectorToFrame(move, velocity, speed);
    v3.set(0, 0, 0, this.platformVelocity);
    const { x, y, z } = floorNormal;
    try {
      if (stood) ride(move, this, dt);
      motion.x = speed.x * dt;
      motion.y = speed.y * dt;
      motion.z = speed.z * dt;
      if (stood && speed.y <= 0) walk(move, this);
      else fly(move, this);
    } catch (error) {
      v3.set(x, y, z, floorNormal);
      throw error;
    }
    this.close(move);
  }

  /** Readies a context. */
  private open(move: MoveContext, dt: number, history: Memory | null, asksMeshes = false): void {
    const { form, position, velocity } = this;
    const { frame, margin: spare } = move;
    const { x, y, z } = position;
    frame.x = x;
    frame.y = y;
    frame.z = z;
    frame.upright = this.upright;
    q4.copy(this.turn, frame.turn);
    const size = form.hx + form.hy + form.hz;
    setGap(form, this.gap, 8 * EPS64 * (Math.abs(x) + Math.abs(y) + Math.abs(z) + size));
    if (this.roundGap !== form.gap) {
      this.roundGap = form.gap;
      this.round.shape = shapeOf(form, form.gap - form.band);
    }
    const fast = Math.sqrt(velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z) * dt;
    spare.side = Math.min(fast, size) + 0.02 * size;
    spare.up = Math.max(this.stepHeight, spare.side);
    spare.down = Math.max(this.snapDistance, spare.side) + 0.02 * size;
    move.form = form;
    move.enlarged = this.round;
    move.surroundings = this.surroundings;
    move.filter = this.meeting;
    move.history = history;
    move.asksMeshes = asksMeshes;
    move.begin();
  }

  /** Takes the results over. */
  private close(move: MoveContext): void {
    const { position, velocity, lastMotion, collisions } = this;
    const { position: here, velocity: speed, velocityPlanes: struck } = move;
    vectorToWorld(move, here, lastMotion);
    if (here.x !== 0 || here.y !== 0 || here.z !== 0) placeToWorld(move, here, position);
    // Ground takes the fall away and adds nothing: who runs up a slope does not take off at its end.
    let landed = this.onFloor;
    for (let i = 0; i < collisions.length && !landed; i++) landed = collisions[i]!.side === 'floor';
    if (landed && speed.y < 0) speed.y = 0;
    // The velocity goes through what the motion went through.
    if (struck.count > 0) struck.resolve(zero, speed, speed);
    if (this.onFloor && speed.y < 0) speed.y = 0;
    vectorToWorld(move, speed, velocity);
    if (!this.onFloor) {
      this.floorId = -1;
      v3.copy(this.up, this.floorNormal);
    }
  }
}

/** Apart from the move: there it would use up what V8 inlines, and a number would be boxed. */
function mustBeMove(dt: number, velocity: ReadonlyVec3, position: ReadonlyVec3): void {
  mustBeLength('Character.moveAndSlide', 'dt', dt);
  checkPoint('Character.moveAndSlide', 'velocity', velocity);
  checkPoint('Character.moveAndSlide', 'position', position);
}

const UP: ReadonlyVec3 = vec3(0, 1, 0);

/** The shortest turn that takes y to a unit vector. */
function turnFromY(to: ReadonlyVec3, out: { x: number; y: number; z: number; w: number }): void {
  if (to.y < -1 + 1e-12) {
    q4.set(1, 0, 0, 0, out);
    return;
  }
  q4.normalize({ x: to.z, y: 0, z: -to.x, w: 1 + to.y }, out);
}

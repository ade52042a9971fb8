/**
 * A character that walks, jumps, climbs steps and rides on platforms. After J. Linahan, "Improving the numerical robustness
 * of sphere swept collision detection", and what the paper leaves open. The stages of a move:
 *
 *   moveAndSlide
 *     │
 *     ├─ stood on something that moved ──▶ follow the platform                     slide.ts
 *     │
 *     ├─ stands, and does not move up ───▶ walk: slide horizontally,               slide.ts
 *     │                                    then snap to the ground                 ground.ts
 *     └─ else ───────────────────────────▶ fly: slide                              slide.ts
 *
 *   slide: until the goal is reached, or nothing is left of the motion
 *
 *     ┌─▶ solve: the motion that the planes touched so far leave open              constraints.ts
 *     │     │
 *     │   sweep along it, through what is near (collected once)                    sweep.ts, nearby.ts
 *     │     ├─ began in something ───────▶ depenetrate, once a move                depenetrate.ts
 *     │     ├─ nothing is hit ───────────▶ there, or probe the ground, and on
 *     │     └─ something is hit
 *     │           ├─ steep, on foot ─────▶ step up: up, forward, down              step-up.ts
 *     │           └─ else ───────────────▶ record it, add its plane                collisions.ts
 *     └───────────┘
 *
 *   At the end the velocity goes through the walls and ceilings that were hit.
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
import type { ReadonlyVec3 } from '../math/types.ts';
import { quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { type CharacterCollision, CharacterState, makeCollision } from './character-state.ts';
import type { CharacterWorld } from './character-world.ts';
import { MAX_COLLISIONS } from './collisions.ts';
import { depenetrate, isDeep } from './depenetrate.ts';
import {
  type CollisionFilter,
  type MoveContext,
  moveContexts,
  pointToWorld,
  sweepBy,
  vectorToFrame,
  vectorToWorld,
} from './move-context.ts';
import type { PoseHistory } from './pose-history.ts';
import { fly, followPlatform, walk } from './slide.ts';
import { type CharacterShape, SweptShape } from './swept-shape.ts';

export interface CharacterSettings {
  /** Where its centre is at first. Default: the origin. */
  readonly position?: ReadonlyVec3;
  /** Away from the ground. Default: (0, 1, 0). */
  readonly up?: ReadonlyVec3;
  /** How high a step it takes. Default: 0.3. */
  readonly stepHeight?: number;
  /** The steepest ground that it walks on, in radians from level. Default: 0.8. */
  readonly slopeLimit?: number;
  /** How far down it follows the ground when it walks. Default: `stepHeight`. */
  readonly snapDistance?: number;
  /** The distance that it keeps from everything. Default: a hundredth of its smallest half size. */
  readonly gap?: number;
  /** How far it may be pushed out of something in one move. Default: its largest size. */
  readonly maxRecovery?: number;
  /** For the impulses of collisions. Default: 1. */
  readonly mass?: number;
  /** Bits of the groups that it is in. Default: 1. */
  readonly group?: number;
  /** Bits of the groups that it collides with. Default: all. */
  readonly mask?: number;
  /** It does not collide with colliders of this owner: those that are parts of itself. */
  readonly owner?: number;
  /** Asked for every collider near; false ignores it. It may move other characters. */
  readonly filter?: (id: number) => boolean;
  /** Called after a move for each collision, in order: to push what was run into. */
  readonly onCollision?: (collision: CharacterCollision) => void;
}

export type CharacterOptions = CharacterShape & CharacterSettings;

const OPTIONS =
  'radii radius halfHeight halfSize position up stepHeight slopeLimit snapDistance gap maxRecovery mass group mask ' +
  'owner filter onCollision';

const UP: ReadonlyVec3 = vec3(0, 1, 0);
/** Made with doubles, so that V8 takes it for the same kind of record as other points. */
const ZERO = vec3(0.5, 0.5, 0.5);
ZERO.x = ZERO.y = ZERO.z = 0;

export class Character extends CharacterState {
  /** Is a move of it under way? */
  private isMoving = false;
  private readonly collisionFilter: CollisionFilter;
  /** Takes y to up. */
  private readonly rotation = quat(0.5, 0.5, 0.5, 0.5);
  private readonly gap: number;
  private readonly onCollision: ((collision: CharacterCollision) => void) | undefined;

  constructor(world: CharacterWorld, options: CharacterOptions) {
    const caller = 'Character';
    if (typeof world?.searchBox !== 'function' || typeof world.get !== 'function')
      refuseType(caller, 'world', 'a World, or what has searchBox and get as one', world);
    mustBeOptions(caller, 'options', options, OPTIONS);
    const { up = UP, slopeLimit = 0.8, maxRecovery } = options;
    checkPoint(caller, 'up', up);
    if (v3.length(up) === 0) refuse(caller, 'up', 'must not be zero');
    mustBeNumber(caller, 'slopeLimit', slopeLimit);
    if (!(slopeLimit >= 0 && slopeLimit < 1.57))
      refuse(caller, 'slopeLimit', `must be from 0 to 1.57, got ${describe(slopeLimit)}`);
    if (maxRecovery !== undefined) mustNotBeNegative(caller, 'maxRecovery', maxRecovery);
    // Ground of exactly that slope is walked on, whatever rounding does to its normal.
    super(world, v3.normalize(up), cos(slopeLimit) - 1e-9, maxRecovery);
    this.swept.load(caller, options);
    const { least } = this.swept;
    const {
      position = ZERO,
      stepHeight = 0.3,
      snapDistance = stepHeight,
      mass = 1,
      gap = least / 100,
    } = options;
    checkPoint(caller, 'position', position);
    mustNotBeNegative(caller, 'stepHeight', stepHeight);
    mustNotBeNegative(caller, 'snapDistance', snapDistance);
    mustNotBeNegative(caller, 'mass', mass);
    mustBeNumber(caller, 'gap', gap);
    if (!(gap > 0 && gap <= least / 2))
      refuse(
        caller,
        'gap',
        `must be above 0 and at most a quarter of the smallest size, got ${describe(gap)}`,
      );
    const { group = 1, mask = -1, owner, filter, onCollision } = options;
    mustBeNumber(caller, 'group', group);
    mustBeNumber(caller, 'mask', mask);
    if (owner !== undefined) mustBeNumber(caller, 'owner', owner);
    if (filter !== undefined) mustBeFunction(caller, 'filter', filter);
    if (onCollision !== undefined) mustBeFunction(caller, 'onCollision', onCollision);
    v3.copy(position, this.position);
    v3.copy(this.up, this.floorNormal);
    rotationFromY(this.up, this.rotation);
    this.stepHeight = stepHeight;
    this.snapDistance = snapDistance;
    this.mass = mass;
    this.gap = gap;
    this.collisionFilter = { group, mask, owner, filter };
    this.onCollision = onCollision;
    for (let i = 0; i < MAX_COLLISIONS; i++) this.pool.push(makeCollision());
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
   * is no space for it. A shape that is too near to something is moved off it, by no more than a quarter of its size.
   */
  resize(shape: CharacterShape): boolean {
    this.mustNotBeMoving('Character.resize');
    const { swept } = this;
    const old = Object.assign(new SweptShape(), swept);
    swept.load('Character.resize', shape);
    let isFree = false;
    const move = moveContexts.take();
    this.isMoving = true;
    try {
      this.begin(move, 0, null);
      isFree = this.moveIfFree(move, old);
    } finally {
      this.isMoving = false;
      moveContexts.release();
      if (!isFree) Object.assign(swept, old);
    }
    return isFree;
  }

  /** Is there space for the shape, with the feet where those of the old one were? Then it goes there. */
  private moveIfFree(move: MoveContext, old: SweptShape): boolean {
    const { swept } = this;
    const { position } = move;
    const rise = swept.hy - old.hy;
    position.y = rise;
    sweepBy(move, 0, 0, 0);
    if (isDeep(move)) {
      if (!depenetrate(move, Math.min(swept.least, old.least) / 4)) return false;
      // A push must not lead through something: the way back is swept.
      if (sweepBy(move, -position.x, rise - position.y, -position.z) && move.sweep.t === 0) return false;
    }
    pointToWorld(move, position, this.position);
    return true;
  }

  private mustNotBeMoving(caller: string): void {
    if (this.isMoving)
      throw new Error(
        `graze: ${caller}: a move of this character is under way; a filter or a pose may move others`,
      );
  }

  /**
   * Moves by velocity × dt, sliding along what is in the way, and returns whether anything was. Set the velocity before (with
   * gravity, if you want some) and find it without what ran into walls, floors and ceilings.
   *
   * On ground, unless it moves up, it walks: the horizontal speed is kept up and down slopes within the limit, steps are
   * taken, the ground is followed downwards, and nothing slides while standing. Otherwise it flies: it slides along whatever
   * it touches. What it stands on carries it when that was moved or rotated. What was moved into it pushes it out.
   *
   * It never ends nearer to anything than the gap, unless it began there. O(n) in the triangles near.
   */
  moveAndSlide(dt: number): boolean {
    const { history, collisions, onFloor, floorId, recovered, stuck } = this;
    mustBeMove(dt, this.velocity, this.position);
    this.mustNotBeMoving('Character.moveAndSlide');
    const move = moveContexts.take();
    this.isMoving = true;
    let isDone = false;
    history.next();
    try {
      this.move(move, dt);
      isDone = true;
    } finally {
      this.isMoving = false;
      moveContexts.release();
      if (!isDone) {
        // User code threw. It is where it was, and the next move begins as this one did.
        history.undo();
        this.onFloor = onFloor;
        this.floorId = floorId;
        this.recovered = recovered;
        this.stuck = stuck;
      }
    }
    if (this.onCollision && dt > 0)
      for (let i = 0; i < collisions.length; i++) this.onCollision(collisions[i]!);
    return collisions.length > 0;
  }

  private move(move: MoveContext, dt: number): void {
    const { floorNormal, collisions, onFloor: stood } = this;
    this.begin(move, dt, this.history, this.recovered > 0 || this.stuck);
    this.onFloor = this.onWall = this.onCeiling = this.stuck = this.exhausted = false;
    this.recovered = this.passes = 0;
    // To set the length would free what holds the elements.
    while (collisions.length > 0) collisions.pop();
    const { motion, velocity } = move;
    vectorToFrame(move, this.velocity, velocity);
    v3.set(0, 0, 0, this.platformVelocity);
    const { x, y, z } = floorNormal;
    try {
      if (stood) followPlatform(move);
      motion.x = velocity.x * dt;
      motion.y = velocity.y * dt;
      motion.z = velocity.z * dt;
      if (stood && velocity.y <= 0) walk(move);
      else fly(move);
    } catch (error) {
      v3.set(x, y, z, floorNormal);
      throw error;
    }
    this.finish(move);
  }

  /** Readies a context. */
  private begin(move: MoveContext, dt: number, history: PoseHistory | null, asksMeshes = false): void {
    const { swept, velocity, minFloorY, up } = this;
    const { nearby, margin, planes, velocityPlanes } = move;
    const { x, y, z } = v3.copy(this.position, nearby.frame.position);
    q4.copy(this.rotation, nearby.frame.quaternion);
    const size = swept.hx + swept.hy + swept.hz;
    swept.setGap(this.gap, 8 * EPS64 * (Math.abs(x) + Math.abs(y) + Math.abs(z) + size));
    const length =
      Math.sqrt(velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z) * dt;
    margin.side = Math.min(length, size) + 0.02 * size;
    // On a slope a step is tried from higher up: see `rise`.
    margin.up = Math.max(this.stepHeight, margin.side) + 0.08 * size;
    margin.down = Math.max(this.snapDistance, margin.side) + 0.02 * size;
    nearby.swept = swept;
    nearby.ignoredId = -1;
    planes.minFloorY = velocityPlanes.minFloorY = minFloorY;
    planes.touchDistance = 2 * swept.worldGap;
    velocityPlanes.clear();
    velocityPlanes.next.d = 0;
    move.hero = this;
    move.isUpright = up.x === 0 && up.y === 1 && up.z === 0;
    move.filter = this.collisionFilter;
    move.history = history;
    move.asksMeshes = asksMeshes;
    move.dt = dt;
    move.isCollected = move.didRecover = false;
    v3.set(0, 0, 0, move.position);
  }

  /** Takes the results over. */
  private finish(move: MoveContext): void {
    const { collisions } = this;
    const { position, velocity, velocityPlanes } = move;
    vectorToWorld(move, position, this.lastMotion);
    if (position.x !== 0 || position.y !== 0 || position.z !== 0) pointToWorld(move, position, this.position);
    // Ground takes the fall away and adds nothing: running up a slope does not launch it at the top.
    let landed = this.onFloor;
    for (let i = 0; i < collisions.length && !landed; i++) landed = collisions[i]!.side === 'floor';
    if (landed && velocity.y < 0) velocity.y = 0;
    // The velocity goes through what the motion went through.
    if (velocityPlanes.count > 0) velocityPlanes.solve(ZERO, velocity, velocity);
    if (this.onFloor && velocity.y < 0) velocity.y = 0;
    vectorToWorld(move, velocity, this.velocity);
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

/** The shortest rotation that takes y to a unit vector. */
function rotationFromY(to: ReadonlyVec3, out: { x: number; y: number; z: number; w: number }): void {
  if (to.y < -1 + 1e-12) q4.set(1, 0, 0, 0, out);
  else q4.normalize({ x: to.z, y: 0, z: -to.x, w: 1 + to.y }, out);
}

/**
 * A character that walks, jumps, climbs steps and rides on platforms. After J. Linahan, "Improving the numerical robustness
 * of sphere swept collision detection", and what the paper leaves open.
 */
import { mustBeFinite, mustNotBeNegative, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import * as q4 from '../math/quat.ts';
import { cos } from '../math/trig.ts';
import type { Pose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { pose, quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { type CharacterCollision, makeCollision } from './collision.ts';
import { Constraints, triple } from './constraints.ts';
import { type CharacterShape, type Form, loadForm, makeForm, setGap, shapeOf } from './form.ts';
import { keep, kept, restore } from './kept-hit.ts';
import type { CharacterOptions } from './settings.ts';
import {
  contactPoint,
  frame,
  freePart,
  go,
  here,
  isDeep,
  isLedge,
  type Meeting,
  openStage,
  placeToWorld,
  recover,
  spare,
  sweep,
  vectorToFrame,
  vectorToWorld,
} from './stage.ts';
import type { Surroundings } from './surroundings.ts';
import type { RoundForm } from './sweep.ts';

const MOST_COLLISIONS = 8;
/** The most passes of one slide: one for each degree of freedom. */
const PASSES = 3;
/** A round form on a ledge stands until its normal there is this flat. */
const LEDGE = 0.05;

const constraints = new Constraints();
const wanted = triple();
const speed = triple();
const point = triple();
const before = triple();
const zero = triple();
const scratch = vec3(0.5, 0.5, 0.5);
const turnBack = quat(0.5, 0.5, 0.5, 0.5);

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
  /** The sweeps of the longest slide of the last move: 3 at most. */
  passes = 0;
  readonly up: ReadonlyVec3;
  stepHeight: number;
  snapDistance: number;
  mass: number;

  private readonly surroundings: Surroundings;
  private readonly form: Form = makeForm();
  private readonly round: RoundForm;
  private readonly meeting: Meeting;
  private readonly turn = quat(0.5, 0.5, 0.5, 0.5);
  private readonly upright: boolean;
  private readonly steepest: number;
  private readonly gap: number;
  private readonly maxRecovery: number | undefined;
  private readonly onCollision: ((collision: CharacterCollision) => void) | undefined;
  private readonly pool: CharacterCollision[] = [];
  /** Where what it stands on was when the last move ended. */
  private readonly floorPose: Pose = pose();
  /** The gap that `round` was made for. */
  private roundGap = -1;
  private didRecover = false;

  constructor(surroundings: Surroundings, options: CharacterOptions) {
    const caller = 'Character';
    if (typeof surroundings?.searchBox !== 'function' || typeof surroundings.get !== 'function')
      throw new TypeError('graze: Character: surroundings must have searchBox and get, as a World has');
    loadForm(caller, options, this.form);
    const { position = zero0, up = UP, stepHeight = 0.3, slopeLimit = 0.8, mass = 1 } = options;
    const { snapDistance = stepHeight, gap = this.form.least / 100, maxRecovery } = options;
    mustBeFinite(caller, { position, up });
    mustNotBeNegative(caller, 'stepHeight', stepHeight);
    mustNotBeNegative(caller, 'snapDistance', snapDistance);
    mustNotBeNegative(caller, 'mass', mass);
    if (!(slopeLimit >= 0 && slopeLimit < 1.57))
      refuse(caller, 'slopeLimit', `must be from 0 to 1.57, got ${slopeLimit}`);
    if (!(gap > 0 && gap <= this.form.least / 2))
      refuse(caller, 'gap', `must be above 0 and at most a quarter of the smallest size, got ${gap}`);
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
    this.meeting = { group, mask, owner, filter };
    this.onCollision = onCollision;
    this.round = { shape: shapeOf(this.form, gap) };
    for (let i = 0; i < MOST_COLLISIONS; i++) this.pool.push(makeCollision());
  }

  /** Puts it somewhere, without a sweep and off whatever it stood on. The next move pushes it out of what is there. */
  teleport(position: ReadonlyVec3): void {
    const { x, y, z } = position;
    if ((x + y + z) * 0 !== 0) mustBeFinite('Character.teleport', { position });
    v3.copy(position, this.position);
    this.onFloor = false;
    this.floorId = -1;
  }

  /**
   * Gives it another shape, with its feet where they are: crouches and stands up. False, and all stays as it is, if there
   * is no room for it. A shape that is too near to something is moved off it, by no more than a quarter of its size.
   */
  resize(shape: CharacterShape): boolean {
    const { form, position } = this;
    const old: Form = { ...form };
    const { x, y, z } = position;
    loadForm('Character.resize', shape, form);
    const rise = form.hy - old.hy;
    this.open(0);
    here.y = rise;
    go(0, 0, 0);
    let free = !isDeep();
    if (!free) {
      free = recover(Math.min(form.least, old.least) / 4);
      // A push must not lead through something: the way back is swept.
      if (free && go(-here.x, rise - here.y, -here.z) && sweep.t === 0) free = false;
    }
    if (!free) {
      Object.assign(form, old);
      this.roundGap = -1;
      v3.set(x, y, z, position);
      return false;
    }
    placeToWorld(here, position);
    return true;
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
    const { velocity, position, form } = this;
    const sum = velocity.x + velocity.y + velocity.z + (position.x + position.y + position.z);
    if (!(dt >= 0 && dt < Infinity))
      refuse('Character.moveAndSlide', 'dt', `must be finite and not negative, got ${dt}`);
    if (sum * dt * 0 !== 0) mustBeFinite('Character.moveAndSlide', { velocity, position });
    this.open(dt);
    const stood = this.onFloor;
    this.onFloor = false;
    this.onWall = false;
    this.onCeiling = false;
    this.recovered = 0;
    this.stuck = false;
    this.didRecover = false;
    this.passes = 0;
    this.collisions.length = 0;
    constraints.steepest = this.steepest;
    constraints.left = 2 * form.worldGap;
    vectorToFrame(velocity, speed);
    this.ride(stood, dt);
    const walks = stood && speed.y <= 0;
    const mx = speed.x * dt;
    const my = speed.y * dt;
    const mz = speed.z * dt;
    if (walks) this.walk(mx, my, mz);
    else {
      wanted.x = here.x + mx;
      wanted.y = here.y + my;
      wanted.z = here.z + mz;
      this.slide(false);
      if (!this.onFloor) this.wedge(my);
    }
    this.close(dt);
    return this.collisions.length > 0;
  }

  /** Readies the stage. */
  private open(dt: number): void {
    const { form, position, velocity } = this;
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
    openStage(form, this.round, this.surroundings, this.meeting);
  }

  /** Takes the results over. */
  private close(dt: number): void {
    const { position, velocity, lastMotion, collisions, floorPose } = this;
    vectorToWorld(here, lastMotion);
    if (here.x !== 0 || here.y !== 0 || here.z !== 0) placeToWorld(here, position);
    // The velocity goes through what the motion went through.
    zero.x = 0;
    zero.y = 0;
    zero.z = 0;
    constraints.clear();
    constraints.walking = false;
    for (let i = 0; i < collisions.length; i++) {
      const { normal, side } = collisions[i]!;
      vectorToFrame(normal, point);
      // Ground takes the fall away and adds nothing: who runs up a slope does not take off at its end.
      if (side !== 'floor') this.clipSpeed();
      else if (speed.y < 0) speed.y = 0;
    }
    if (this.onFloor && speed.y < 0) speed.y = 0;
    vectorToWorld(speed, velocity);
    if (!this.onFloor) {
      this.floorId = -1;
      v3.copy(this.up, this.floorNormal);
    } else {
      const thing = this.surroundings.get(this.floorId);
      if (thing) {
        v3.copy(thing.pose.position, floorPose.position);
        q4.copy(thing.pose.quaternion, floorPose.quaternion);
      }
    }
    if (dt === 0) return;
    if (this.onCollision) for (let i = 0; i < collisions.length; i++) this.onCollision(collisions[i]!);
  }

  private clipSpeed(): void {
    const { x, y, z } = point;
    if (!(speed.x * x + speed.y * y + speed.z * z < 0)) return;
    constraints.add(x, y, z, 0);
    constraints.resolve(zero, speed);
  }

  /** Moves with what it stands on. */
  private ride(stood: boolean, dt: number): void {
    const { platformVelocity, floorPose } = this;
    v3.set(0, 0, 0, platformVelocity);
    const thing = stood ? this.surroundings.get(this.floorId) : undefined;
    if (!thing) return;
    const { position: p, quaternion: q } = thing.pose;
    const { position: o, quaternion: r } = floorPose;
    if (p.x === o.x && p.y === o.y && p.z === o.z && q.x === r.x && q.y === r.y && q.z === r.z && q.w === r.w)
      return;
    // Where the centre was, as the platform saw it; and there where the platform is now.
    scratch.x = frame.x - o.x;
    scratch.y = frame.y - o.y;
    scratch.z = frame.z - o.z;
    v3.rotateInverse(scratch, q4.normalize(r, turnBack), scratch);
    v3.rotate(scratch, q4.normalize(q, turnBack), scratch);
    scratch.x += p.x - frame.x;
    scratch.y += p.y - frame.y;
    scratch.z += p.z - frame.z;
    if (dt > 0) v3.scale(scratch, 1 / dt, platformVelocity);
    vectorToFrame(scratch, wanted);
    wanted.x += here.x;
    wanted.y += here.y;
    wanted.z += here.z;
    // The platform has moved already; the way is not barred by it.
    sweep.skip = this.floorId;
    this.slide(false, false);
    sweep.skip = -1;
  }

  /** On the ground: along it, up steps, down with it. */
  private walk(mx: number, my: number, mz: number): void {
    vectorToFrame(this.floorNormal, point);
    constraints.clear();
    wanted.x = here.x + mx;
    wanted.y = here.y;
    wanted.z = here.z + mz;
    if (point.y >= this.steepest) {
      const { x, y, z } = point;
      wanted.y -= (x * mx + z * mz) / y;
      constraints.add(x, y, z, x * here.x + y * here.y + z * here.z);
    }
    this.slide(true);
    this.onFloor = false;
    if (this.snap(Math.abs(mx) + Math.abs(mz))) return;
    wanted.x = here.x;
    wanted.y = here.y + my;
    wanted.z = here.z;
    constraints.clear();
    this.slide(false);
    if (!this.onFloor) this.wedge(my);
  }

  /** To `wanted`, or as near to it as planes leave it. Walking, planes that are there already are kept. */
  private slide(walking: boolean, reports = true): void {
    constraints.walking = walking;
    if (!walking) constraints.clear();
    const { form } = this;
    const tiny = 1e-13 * form.least;
    let passes = 0;
    for (;;) {
      let mx = wanted.x - here.x;
      let my = wanted.y - here.y;
      let mz = wanted.z - here.z;
      const still = !(Math.abs(mx) + Math.abs(my) + Math.abs(mz) > tiny);
      if (still) {
        if (this.didRecover || !reports) break;
        mx = my = mz = 0;
      }
      let isHit = go(mx, my, mz);
      if (!this.didRecover && reports) {
        this.didRecover = true;
        if (isDeep()) {
          this.pushOut();
          isHit = go(mx, my, mz);
        }
      }
      if (still) break;
      passes++;
      if (!isHit) {
        here.x = wanted.x;
        here.y = wanted.y;
        here.z = wanted.z;
        break;
      }
      const { t, nx, ny, nz } = sweep;
      const part = freePart();
      const d = nx * (here.x + t * mx) + ny * (here.y + t * my) + nz * (here.z + t * mz) + sweep.room;
      before.x = here.x;
      before.y = here.y;
      before.z = here.z;
      here.x += mx * part;
      here.y += my * part;
      here.z += mz * part;
      const isGround = ny >= this.steepest;
      if (walking && !isGround && ny > -0.5 && this.stepHeight > 0 && this.step()) break;
      const isFloor = isGround || (!walking && ny > LEDGE && my <= 0 && isLedge(this.steepest));
      if (reports) this.report(isFloor);
      constraints.add(nx, ny, nz, d);
      if (passes === PASSES) break;
      constraints.resolve(here, wanted);
    }
    if (passes > this.passes) this.passes = passes;
  }

  /** Recovery, with what is wanted going along. */
  private pushOut(): void {
    const { x, y, z } = here;
    const { hx, hy, hz } = this.form;
    this.stuck = !recover(this.maxRecovery ?? 2 * Math.max(hx, hy, hz));
    const dx = here.x - x;
    const dy = here.y - y;
    const dz = here.z - z;
    this.recovered = Math.sqrt(dx * dx + dy * dy + dz * dz);
    wanted.x += dx;
    wanted.y += dy;
    wanted.z += dz;
  }

  /** Up, on and down again. All stays as it is unless it ends on ground. */
  private step(): boolean {
    const { form, stepHeight } = this;
    const { x, y, z } = here;
    // What was hit is reported if there is no step: the sweeps in between write over it.
    keep();
    const mx = wanted.x - x;
    const mz = wanted.z - z;
    const length = Math.abs(mx) + Math.abs(mz);
    if (length > 0) {
      const rise = go(0, stepHeight, 0) ? freePart() * stepHeight : stepHeight;
      if (rise > 1e-3 * stepHeight) {
        here.y += rise;
        this.stepOn(mx, mz);
        const gone = Math.abs(here.x - x) + Math.abs(here.z - z);
        const drop = rise + 2 * form.worldGap;
        if (gone > 1e-3 * length && go(0, -drop, 0)) {
          here.y -= drop * freePart();
          contactPoint(point);
          // On the same level beside the wall is no step; and an edge that is too high is not crept over.
          const forward = -(kept.nx * (here.x - x) + kept.nz * (here.z - z));
          const wantedForward = -(kept.nx * mx + kept.nz * mz);
          const isStep = here.y - y > 4 * form.worldBand && forward > 1e-3 * wantedForward;
          const feet = y - form.hy - 2 * form.worldGap;
          if (isStep && this.isFloorBelow() && point.y - feet <= stepHeight + 2 * form.worldGap) {
            this.standOn();
            return true;
          }
        }
      }
    }
    here.x = x;
    here.y = y;
    here.z = z;
    restore();
    return false;
  }

  /** Forward, above a step; along a wall if there is one. */
  private stepOn(mx: number, mz: number): void {
    if (!go(mx, 0, mz)) {
      here.x += mx;
      here.z += mz;
      return;
    }
    const part = freePart();
    here.x += mx * part;
    here.z += mz * part;
    const { nx, nz } = sweep;
    const across = nx * nx + nz * nz;
    if (!(across > 1e-6)) return;
    const into = Math.min(0, nx * mx + nz * mz) / across;
    const sx = (mx - nx * into) * (1 - part);
    const sz = (mz - nz * into) * (1 - part);
    const next = go(sx, 0, sz) ? freePart() : 1;
    here.x += sx * next;
    here.z += sz * next;
  }

  /** Down to the ground, if there is some near enough. */
  private snap(far: number): boolean {
    const { snapDistance, form } = this;
    const most = Math.max(snapDistance, 2 * form.worldGap);
    const { x, y, z } = here;
    if (!go(0, -most, 0)) return false;
    let part = freePart();
    here.y -= most * part;
    if (this.isFloorBelow()) {
      this.standOn();
      return true;
    }
    // Beside something steep: along it a little.
    const { nx, ny, nz } = sweep;
    if (ny > 0) {
      const down = y - most - here.y;
      // The part of the way down that is along the plane.
      const mx = -nx * ny * down;
      const mz = -nz * ny * down;
      const my = down - ny * ny * down;
      if (go(mx, my, mz)) {
        part = freePart();
        const aside = (Math.abs(mx) + Math.abs(mz)) * part;
        here.x += mx * part;
        here.y += my * part;
        here.z += mz * part;
        if (aside <= far + 4 * form.worldGap && this.isFloorBelow()) {
          this.standOn();
          return true;
        }
      }
    }
    here.x = x;
    here.y = y;
    here.z = z;
    return false;
  }

  private isFloorBelow(): boolean {
    return sweep.ny >= this.steepest || (sweep.ny > LEDGE && isLedge(this.steepest));
  }

  /** The last hit is what it stands on. */
  private standOn(): void {
    this.onFloor = true;
    this.floorId = sweep.id;
    scratch.x = sweep.nx;
    scratch.y = sweep.ny;
    scratch.z = sweep.nz;
    vectorToWorld(scratch, this.floorNormal);
  }

  /** Between slopes that are too steep to stand on, and not getting down: it stands there, and may jump. */
  private wedge(my: number): void {
    const { collisions, form } = this;
    if (!(my < -1e-3 * form.worldGap) || collisions.length < 2) return;
    const last = collisions[collisions.length - 1]!;
    if (here.y - before.y < 0 && last.time > 1e-6) return;
    let below = 0;
    v3.set(0, 0, 0, scratch);
    for (let i = 0; i < collisions.length; i++) {
      const { normal } = collisions[i]!;
      if (!(v3.dot(normal, this.up) > LEDGE)) continue;
      v3.add(scratch, normal, scratch);
      below++;
    }
    if (below < 2 || !(v3.dot(v3.normalize(scratch, scratch), this.up) >= this.steepest)) return;
    this.onFloor = true;
    this.floorId = last.id;
    v3.copy(scratch, this.floorNormal);
  }

  /** Writes the last hit down. */
  private report(isFloor: boolean): void {
    const { collisions, pool, platformVelocity } = this;
    const { nx, ny, nz, mx, my, mz, t } = sweep;
    const isCeiling = !isFloor && ny <= -this.steepest;
    if (isFloor) this.standOn();
    else if (isCeiling) this.onCeiling = true;
    else this.onWall = true;
    if (collisions.length === MOST_COLLISIONS) return;
    const collision = pool[collisions.length]!;
    collision.id = sweep.id;
    collision.triangle = sweep.triangle;
    contactPoint(point);
    placeToWorld(point, collision.point);
    point.x = nx;
    point.y = ny;
    point.z = nz;
    vectorToWorld(point, collision.normal);
    collision.time = t;
    point.x = here.x - before.x;
    point.y = here.y - before.y;
    point.z = here.z - before.z;
    vectorToWorld(point, collision.travel);
    point.x = mx - point.x;
    point.y = my - point.y;
    point.z = mz - point.z;
    vectorToWorld(point, collision.remainder);
    if (sweep.id === this.floorId) v3.copy(platformVelocity, collision.colliderVelocity);
    else v3.set(0, 0, 0, collision.colliderVelocity);
    collision.impulse = this.mass * Math.max(0, -(nx * speed.x + ny * speed.y + nz * speed.z));
    collision.side = isFloor ? 'floor' : isCeiling ? 'ceiling' : 'wall';
    collisions.push(collision);
  }
}

const UP: ReadonlyVec3 = vec3(0, 1, 0);
const zero0: ReadonlyVec3 = vec3();

/** The shortest turn that takes y to a unit vector. */
function turnFromY(to: ReadonlyVec3, out: { x: number; y: number; z: number; w: number }): void {
  if (to.y < -1 + 1e-12) {
    q4.set(1, 0, 0, 0, out);
    return;
  }
  q4.normalize({ x: to.z, y: 0, z: -to.x, w: 1 + to.y }, out);
}

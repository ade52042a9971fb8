/**
 * What a move carries along: the character, what is near it, where it has got to, the planes that it has touched, and the
 * last sweep. One instance for each move that is under way. User code runs during a move (filters, getters of poses,
 * supports) and may move other characters.
 */
import { ContextPool } from '../convex/context-pool.ts';
import type { Pose, ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { makeAabb } from '../primitives/types.ts';
import type { CharacterState } from './character-state.ts';
import type { Obstacle } from './character-world.ts';
import { Constraints } from './constraints.ts';
import { Nearby } from './nearby.ts';
import type { PoseHistory } from './pose-history.ts';
import { NEVER, Sweep } from './sweep.ts';

/** What a character collides with. */
export interface CollisionFilter {
  group: number;
  mask: number;
  owner: number | undefined;
  filter: ((id: number) => boolean) | undefined;
}

/** With doubles from the start, so that V8 keeps doubles in it. */
const point = (): Vec3 => vec3(0.5, 0.5, 0.5);

export class MoveContext {
  hero: CharacterState = null as never;
  filter: CollisionFilter = null as never;
  /** Where colliders stood in the last move; null for a move that is only tried. */
  history: PoseHistory | null = null;
  /** Is up the y axis? Then frame and world differ by a translation. */
  isUpright = true;
  /** The time that the move takes. */
  dt = 0.5;

  /** Has what is near been collected? */
  isCollected = false;
  /** Is every closed mesh asked whether the character is inside of it? */
  asksMeshes = false;
  /** How much more than a sweep needs is collected at first, so that the others of the move find everything there. */
  readonly margin = { side: 0.5, up: 0.5, down: 0.5 };
  readonly nearby = new Nearby();
  private readonly bounds = makeAabb();
  /** The pose of the collider at hand, read once. */
  readonly pose: Pose = pose();

  /** The motion of the next sweep; the last sweep; and one to put aside. */
  mx = 0.5;
  my = 0.5;
  mz = 0.5;
  sweep = new Sweep();
  private saved = new Sweep();

  /** Where the centre is, in the frame; where it is to get; and where the pass at hand ends. */
  readonly position = point();
  readonly target = point();
  readonly passEnd = point();
  /** What was wanted before anything was touched. */
  readonly goal = point();
  /** Velocity, and velocity × time, in the frame. */
  readonly velocity = point();
  readonly motion = point();
  /** Where the last slide began, and its last pass. */
  readonly slideStart = point();
  readonly passStart = point();
  /** The planes that were touched. */
  readonly planes = new Constraints();
  /** Walls and ceilings that were run into, through the origin: what the velocity goes through. */
  readonly velocityPlanes = new Constraints();

  /** The ground that was last touched: how high it is, and where the centre was then. */
  groundHeight = 0.5;
  groundCenter = 0.5;
  /** How far it climbs or descends along the planes of the ground before it probes where the ground is. */
  probeHeight = 0.5;
  /** Was it looked in this move whether it has to be pushed out? */
  didRecover = false;

  /** A step up: where it begins, where it touches what it ran into, how far forward and up, how high the ground is. */
  readonly stepStart = point();
  readonly stepContact = point();
  readonly step = { x: 0.5, z: 0.5, rise: 0.5, ground: 0.5 };
  /** Depenetration: where it was, and the best position that was found, with how deep it is in something there. */
  readonly recoveryStart = point();
  readonly recoveryBest = { x: 0.5, y: 0.5, z: 0.5, depth: 0.5 };

  /** Collects a collider near. Made once: closures cost. */
  private readonly visit = (id: number): void => {
    const obstacle = this.hero.world.get(id);
    if (!obstacle || !this.collidesWith(obstacle, id)) return;
    readPose(obstacle.pose, this.pose);
    // Walking leads into no mesh: only what was put there, or what the mesh was moved over, is inside.
    const stood = this.history === null || this.history.note(id, this.pose);
    this.nearby.asksMeshes = this.asksMeshes || !stood;
    this.nearby.collect(obstacle.shape, this.pose, id);
  };

  private collidesWith(obstacle: Obstacle, id: number): boolean {
    const { group, mask, owner, filter } = this.filter;
    return (
      !obstacle.sensor &&
      (obstacle.group & mask) !== 0 &&
      (obstacle.mask & group) !== 0 &&
      (obstacle.uses === undefined || obstacle.uses.includes('cast')) &&
      (owner === undefined || obstacle.owner !== owner) &&
      (filter === undefined || filter(id))
    );
  }

  /** Collects everything in the box of `nearby`. */
  collect(): void {
    const { nearby, bounds, position } = this;
    const { min, max } = bounds;
    this.isCollected = true;
    nearby.clear();
    copy(position, nearby.center);
    min.x = min.y = min.z = Infinity;
    max.x = max.y = max.z = -Infinity;
    for (let i = 0; i < 8; i++) {
      corner.x = i & 1 ? nearby.x1 : nearby.x0;
      corner.y = i & 2 ? nearby.y1 : nearby.y0;
      corner.z = i & 4 ? nearby.z1 : nearby.z0;
      pointToWorld(this, corner, corner);
      v3.min(min, corner, min);
      v3.max(max, corner, max);
    }
    this.hero.world.searchBox(bounds, this.visit);
  }

  /** Puts the last sweep aside, or takes it back. */
  swapSweeps(): Sweep {
    const { sweep } = this;
    this.sweep = this.saved;
    this.saved = sweep;
    return sweep;
  }
}

const corner = point();

/** One for each move that is under way: user code that runs during a move may move other characters. */
export const moveContexts = new ContextPool(() => new MoveContext());

/**
 * Sweeps from where the character is along a motion. Returns whether something is hit. Of less than 27 bytes of bytecode, so
 * that V8 inlines it everywhere: then no number is boxed.
 */
export function sweepBy(move: MoveContext, mx: number, my: number, mz: number): boolean {
  move.mx = mx;
  move.my = my;
  move.mz = mz;
  return runSweep(move);
}

/** Sweeps along (mx, my, mz). */
function runSweep(move: MoveContext): boolean {
  const { mx, my, mz, nearby, sweep, margin, position } = move;
  const { x, y, z } = position;
  const { hx, hy, hz, worldGap, least } = nearby.swept;
  // An ellipsoid's gap is wider where the ellipsoid is.
  const gap = worldGap * (Math.max(hx, hy, hz) / least);
  const x0 = x + Math.min(mx, 0) - hx - gap;
  const y0 = y + Math.min(my, 0) - hy - gap;
  const z0 = z + Math.min(mz, 0) - hz - gap;
  const x1 = x + Math.max(mx, 0) + hx + gap;
  const y1 = y + Math.max(my, 0) + hy + gap;
  const z1 = z + Math.max(mz, 0) + hz + gap;
  const within =
    +(x0 >= nearby.x0) &
    +(y0 >= nearby.y0) &
    +(z0 >= nearby.z0) &
    +(x1 <= nearby.x1) &
    +(y1 <= nearby.y1) &
    +(z1 <= nearby.z1);
  if (!move.isCollected || within === 0) {
    nearby.x0 = x0 - margin.side;
    nearby.y0 = y0 - margin.down;
    nearby.z0 = z0 - margin.side;
    nearby.x1 = x1 + margin.side;
    nearby.y1 = y1 + margin.up;
    nearby.z1 = z1 + margin.side;
    move.collect();
  }
  sweep.mx = mx;
  sweep.my = my;
  sweep.mz = mz;
  sweep.x = x;
  sweep.y = y;
  sweep.z = z;
  sweep.run(nearby);
  return sweep.t !== NEVER;
}

/** Goes the part of the motion that the last sweep left free. */
export function advance({ position, sweep: { free }, mx, my, mz }: MoveContext): void {
  position.x += mx * free;
  position.y += my * free;
  position.z += mz * free;
}

/** Private to these files, so that V8 sees one kind of record here. */
export function copy({ x, y, z }: ReadonlyVec3, out: Vec3): void {
  out.x = x;
  out.y = y;
  out.z = z;
}

/** Copies a pose of the user's, each number once: reading one may run user code. */
export function readPose({ position: p, quaternion: q }: ReadonlyPose, out: Pose): Pose {
  const { x, y, z } = p;
  const { x: qx, y: qy, z: qz, w: qw } = q;
  const { position, quaternion } = out;
  position.x = x;
  position.y = y;
  position.z = z;
  quaternion.x = qx;
  quaternion.y = qy;
  quaternion.z = qz;
  quaternion.w = qw;
  return out;
}

export function vectorToWorld(move: MoveContext, v: ReadonlyVec3, out: Vec3): void {
  if (move.isUpright) copy(v, out);
  else v3.rotate(v, move.nearby.frame.quaternion, out);
}

export function pointToWorld(move: MoveContext, p: ReadonlyVec3, out: Vec3): void {
  const { position } = move.nearby.frame;
  vectorToWorld(move, p, out);
  out.x += position.x;
  out.y += position.y;
  out.z += position.z;
}

export function vectorToFrame(move: MoveContext, v: ReadonlyVec3, out: Vec3): void {
  if (move.isUpright) copy(v, out);
  else v3.rotateInverse(v, move.nearby.frame.quaternion, out);
}

const normal = point();

/** Where the shape touches what it hit, at the time of the hit. */
export function contactPoint({ sweep, nearby }: MoveContext, out: Vec3): void {
  const { t } = sweep;
  normal.x = sweep.nx;
  normal.y = sweep.ny;
  normal.z = sweep.nz;
  out.x = sweep.x + t * sweep.mx;
  out.y = sweep.y + t * sweep.my;
  out.z = sweep.z + t * sweep.mz;
  nearby.swept.toContact(normal, out);
}

/**
 * What a move carries along: the frame of the character, what is near it, where it is, the planes that it has met, and sweeps
 * from where it is. One instance for each move that is under way. User code runs during a move (filters, getters of poses,
 * supports), and may move other characters: contexts come from a pool by depth.
 */
import type { Pose, ReadonlyPose, Vec3 } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { makeAabb } from '../primitives/types.ts';
import { makeCastHit, makeSeparation } from '../query/results.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { Constraints, type Triple, triple } from './constraints.ts';
import { type Form, makeForm } from './form.ts';
import { gather } from './gather.ts';
import type { Memory } from './memory.ts';
import { NearThings } from './near-things.ts';
import { type Frame, makeFrame, makeMap } from './placing.ts';
import type { Surrounding, Surroundings } from './surroundings.ts';
import { makeSweep, NEVER, sweepThings } from './sweep.ts';
import { makeMover } from './way.ts';

/** Who a character meets. */
export interface CollisionFilter {
  group: number;
  mask: number;
  owner: number | undefined;
  filter: ((id: number) => boolean) | undefined;
}

/** A box in the frame of the character, unscaled. */
export interface Region {
  x0: number;
  y0: number;
  z0: number;
  x1: number;
  y1: number;
  z1: number;
}

const makeRegion = (): Region => ({ x0: 0.5, y0: 0.5, z0: 0.5, x1: 0.5, y1: 0.5, z1: 0.5 });

const makeSavedHit = () => ({
  x: 0.5,
  y: 0.5,
  z: 0.5,
  mx: 0.5,
  my: 0.5,
  mz: 0.5,
  t: 0.5,
  nx: 0.5,
  ny: 0.5,
  nz: 0.5,
  room: 0.5,
  id: 0,
  triangle: 0,
});

/** Both bodies, the motion and the results of a cast against a round shape: supports are user code. */
const makeRoundCast = () => ({
  self: {
    shape: null as unknown as ConvexShape,
    pose: { position: vec3(0.5, 0.5, 0.5), quaternion: { x: 0, y: 0, z: 0, w: 1 } },
  },
  motion: { translation: vec3(0.5, 0.5, 0.5) },
  hit: makeCastHit(),
  separation: makeSeparation(),
});

export class MoveContext {
  /** The motion of the next sweep. */
  mx = 0.5;
  my = 0.5;
  mz = 0.5;
  /** The time that the move takes. */
  dt = 0.5;
  /** Has what is near been collected? */
  gathered = false;
  /** Is every closed mesh asked whether the character is inside of it? */
  asksMeshes = false;
  /** The shape of the character in numbers; and with its gap, for casts against round shapes. */
  form: Form = makeForm();
  enlarged: { shape: ConvexShape } = null as never;
  surroundings: Surroundings = null as never;
  filter: CollisionFilter = null as never;
  /** Where colliders stood in the last move; null for a move that is only tried. */
  history: Memory | null = null;
  readonly frame: Frame = makeFrame();
  /** How much more than a sweep needs is gathered at first, so that the others of the move find everything there. */
  readonly margin = { side: 0.5, up: 0.5, down: 0.5 };
  readonly region: Region = makeRegion();
  readonly bounds = makeAabb();
  readonly nearby = new NearThings();
  /** From the space of the collider at hand to the frame; and its pose, read once. */
  readonly map = makeMap();
  readonly pose: Pose = pose();
  /** The poses of the children of compounds, by depth. */
  readonly childPoses: Pose[] = [];
  readonly sweep = makeSweep();
  readonly mover = makeMover();
  readonly roundCast = makeRoundCast();
  readonly savedHit = makeSavedHit();
  /** Where the centre is, in the frame; where it is to get; and where the pass at hand ends. */
  readonly position: Triple = triple();
  readonly target: Triple = triple();
  readonly passEnd: Triple = triple();
  /** What was wanted before anything was met. */
  readonly goal: Triple = triple();
  /** Velocity, and velocity × time, in the frame. */
  readonly velocity: Triple = triple();
  readonly motion: Triple = triple();
  /** Where the last slide began, and its last pass. */
  readonly slideStart: Triple = triple();
  readonly passStart: Triple = triple();
  /** The planes that were touched. */
  readonly planes = new Constraints();
  /** Walls and ceilings that were run into, through the origin: what the velocity goes through. */
  readonly velocityPlanes = new Constraints();
  /** The ground that was last touched: how high, and where the centre was then. */
  readonly footing = { ground: 0.5, y: 0.5 };
  /** How far up along the ground it goes before it looks where that is. */
  readonly climb = { most: 0.5 };
  /** A step: where it begins, where it touches what it ran into, how far on and up it goes, how high the ground is. */
  readonly stepStart: Triple = triple();
  readonly stepContact: Triple = triple();
  readonly stepForward = { x: 0.5, z: 0.5, rise: 0.5, ground: 0.5 };
  /** Depenetration: where it was, and the best place that was found, with how deep it is in something there. */
  readonly recoveryStart: Triple = triple();
  readonly recoveryBest = { x: 0.5, y: 0.5, z: 0.5, depth: 0.5 };

  /** Visits a collider near. Made once: closures cost. */
  readonly visit = (id: number): void => {
    const thing = this.surroundings.get(id);
    if (!thing || !meets(this, thing, id)) return;
    readPose(thing.pose, this.pose);
    // Who walks does not get into a mesh: only who was put there, or whom it was moved over.
    const stood = this.history === null || this.history.note(id, this.pose);
    this.nearby.inside.asksMeshes = this.asksMeshes || !stood;
    gather(this, thing.shape, this.pose, id, 0);
  };

  /** Starts at the origin of `frame`. */
  begin(): void {
    this.gathered = false;
    this.sweep.skip = -1;
    this.position.x = 0;
    this.position.y = 0;
    this.position.z = 0;
  }
}

const pool: MoveContext[] = [];
let depth = 0;

/** The context of a move that begins; `leaveMove` gives it back, whatever happens in between. */
export function enterMove(): MoveContext {
  if (depth === pool.length) pool.push(new MoveContext());
  return pool[depth++]!;
}

export function leaveMove(): void {
  depth--;
}

/** Copies a pose of the user's, each number once: reading one may run user code. */
export function readPose({ position: p, quaternion: q }: ReadonlyPose, out: Pose): Pose {
  const { x, y, z } = p;
  const { x: qx, y: qy, z: qz, w: qw } = q;
  out.position.x = x;
  out.position.y = y;
  out.position.z = z;
  out.quaternion.x = qx;
  out.quaternion.y = qy;
  out.quaternion.z = qz;
  out.quaternion.w = qw;
  return out;
}

/** Has all be gathered again by the next sweep: the character was put elsewhere. */
export function regather(move: MoveContext): void {
  move.gathered = false;
}

/**
 * Sweeps from where the character is along a motion. Returns whether something is hit. Of less than 27 bytes of bytecode, so
 * that V8 inlines it everywhere: then no number is boxed.
 */
export function go(move: MoveContext, mx: number, my: number, mz: number): boolean {
  move.mx = mx;
  move.my = my;
  move.mz = mz;
  return sweepAlong(move);
}

function sweepAlong(move: MoveContext): boolean {
  const { mx, my, mz, form, region, sweep, margin } = move;
  const { x, y, z } = move.position;
  // An ellipsoid's gap is wider where it is.
  const wide = form.worldGap * (Math.max(form.hx, form.hy, form.hz) / form.least);
  const x0 = x + Math.min(mx, 0) - form.hx - wide;
  const y0 = y + Math.min(my, 0) - form.hy - wide;
  const z0 = z + Math.min(mz, 0) - form.hz - wide;
  const x1 = x + Math.max(mx, 0) + form.hx + wide;
  const y1 = y + Math.max(my, 0) + form.hy + wide;
  const z1 = z + Math.max(mz, 0) + form.hz + wide;
  const within =
    +(x0 >= region.x0) &
    +(y0 >= region.y0) &
    +(z0 >= region.z0) &
    +(x1 <= region.x1) &
    +(y1 <= region.y1) &
    +(z1 <= region.z1);
  if (!move.gathered || within === 0) {
    move.gathered = true;
    region.x0 = x0 - margin.side;
    region.y0 = y0 - margin.down;
    region.z0 = z0 - margin.side;
    region.x1 = x1 + margin.side;
    region.y1 = y1 + margin.up;
    region.z1 = z1 + margin.side;
    gatherAll(move);
  }
  sweep.mx = mx;
  sweep.my = my;
  sweep.mz = mz;
  sweep.x = x;
  sweep.y = y;
  sweep.z = z;
  sweepThings(move);
  sweep.free = 1;
  if (sweep.t === NEVER) return false;
  const speed = -(sweep.nx * mx + sweep.ny * my + sweep.nz * mz);
  const part = speed > 0 ? sweep.t - sweep.room / speed : 0;
  // Less than rounding is nothing: who stands still stands still to the last bit.
  const length = Math.abs(mx) + Math.abs(my) + Math.abs(mz);
  sweep.free = part * length > 1e-13 * form.least ? part : 0;
  return true;
}

/** Collects what is in the region. */
function gatherAll(move: MoveContext): void {
  move.nearby.clear();
  const { inside } = move.nearby;
  inside.x = move.position.x;
  inside.y = move.position.y;
  inside.z = move.position.z;
  const { region, bounds } = move;
  const { min, max } = bounds;
  if (move.frame.upright) {
    min.x = move.frame.x + region.x0;
    min.y = move.frame.y + region.y0;
    min.z = move.frame.z + region.z0;
    max.x = move.frame.x + region.x1;
    max.y = move.frame.y + region.y1;
    max.z = move.frame.z + region.z1;
  } else {
    min.x = min.y = min.z = Infinity;
    max.x = max.y = max.z = -Infinity;
    for (let i = 0; i < 8; i++) {
      corner.x = i & 1 ? region.x1 : region.x0;
      corner.y = i & 2 ? region.y1 : region.y0;
      corner.z = i & 4 ? region.z1 : region.z0;
      placeToWorld(move, corner, corner);
      v3.min(min, corner, min);
      v3.max(max, corner, max);
    }
  }
  move.surroundings.searchBox(bounds, move.visit);
}

const corner = vec3(0.5, 0.5, 0.5);

function meets(move: MoveContext, thing: Surrounding, id: number): boolean {
  const { group, mask, owner, filter } = move.filter;
  return (
    !thing.sensor &&
    (thing.group & mask) !== 0 &&
    (thing.mask & group) !== 0 &&
    (thing.uses === undefined || thing.uses.includes('cast')) &&
    (owner === undefined || thing.owner !== owner) &&
    (filter === undefined || filter(id))
  );
}

export function vectorToWorld(move: MoveContext, v: Triple, out: Vec3): Vec3 {
  if (!move.frame.upright) return v3.rotate(v, move.frame.turn, out);
  out.x = v.x;
  out.y = v.y;
  out.z = v.z;
  return out;
}

export function placeToWorld(move: MoveContext, p: Triple, out: Vec3): Vec3 {
  vectorToWorld(move, p, out);
  out.x += move.frame.x;
  out.y += move.frame.y;
  out.z += move.frame.z;
  return out;
}

export function vectorToFrame(move: MoveContext, v: Triple, out: Triple): Triple {
  if (!move.frame.upright) return v3.rotateInverse(v, move.frame.turn, out);
  const { x, y, z } = v;
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}

/** Where the form touches what it hit, at the time of the hit. */
export function contactPoint(move: MoveContext, out: Triple): void {
  const { x, y, z, mx, my, mz, t } = move.sweep;
  toward.x = move.sweep.nx;
  toward.y = move.sweep.ny;
  toward.z = move.sweep.nz;
  out.x = x + t * mx;
  out.y = y + t * my;
  out.z = z + t * mz;
  toContact(move, toward, out);
}

const toward: Triple = triple();

/** From the centre of the form to where it touches something with that normal. */
export function toContact(move: MoveContext, { x: nx, y: ny, z: nz }: Triple, out: Triple): void {
  const { hx, hy, hz, kind, radius, half, worldGap } = move.form;
  out.x -= worldGap * nx;
  out.y -= worldGap * ny;
  out.z -= worldGap * nz;
  if (kind === 0) {
    const k = 1 / Math.sqrt(hx * nx * (hx * nx) + hy * ny * (hy * ny) + hz * nz * (hz * nz));
    out.x -= hx * hx * nx * k * (1 + move.form.gap) - worldGap * nx;
    out.y -= hy * hy * ny * k * (1 + move.form.gap) - worldGap * ny;
    out.z -= hz * hz * nz * k * (1 + move.form.gap) - worldGap * nz;
  } else if (kind === 1) {
    out.x -= radius * nx;
    out.y -= radius * ny + side(ny) * half;
    out.z -= radius * nz;
  } else {
    out.x -= side(nx) * hx;
    out.y -= side(ny) * hy;
    out.z -= side(nz) * hz;
  }
}

const side = (n: number): number => (n > 1e-9 ? 1 : n < -1e-9 ? -1 : 0);
const foot: Triple = triple();

/**
 * Is there ground at the place of the last hit: does a triangle that can be walked on come to where it was touched, though
 * the normal there is steep? So stand round forms on the edge of a ledge.
 */
export function isLedge(move: MoveContext, steepest: number): boolean {
  if (move.form.kind === 2) return false;
  contactPoint(move, foot);
  const { sx, sy, sz } = move.form;
  const px = foot.x * sx;
  const py = foot.y * sy;
  const pz = foot.z * sz;
  const cx = (move.sweep.x + move.sweep.t * move.sweep.mx) * sx;
  const cy = (move.sweep.y + move.sweep.t * move.sweep.my) * sy;
  const cz = (move.sweep.z + move.sweep.t * move.sweep.mz) * sz;
  const near = 0.5 * move.form.gap;
  const { corners, boxes, planes, count } = move.nearby;
  for (let i = 0; i < count; i++) {
    const six = 6 * i;
    const apart =
      +(boxes[six]! > px + near) |
      +(boxes[six + 1]! > py + near) |
      +(boxes[six + 2]! > pz + near) |
      +(boxes[six + 3]! < px - near) |
      +(boxes[six + 4]! < py - near) |
      +(boxes[six + 5]! < pz - near);
    if (apart !== 0) continue;
    const four = 4 * i;
    const nx = planes[four]!;
    const ny = planes[four + 1]!;
    const nz = planes[four + 2]!;
    const height = nx * px + ny * py + nz * pz - planes[four + 3]!;
    if (Math.abs(height) > near) continue;
    const above = nx * cx + ny * cy + nz * cz - planes[four + 3]!;
    const wx = nx * sx;
    const wy = ny * sy;
    const wz = nz * sz;
    const up = (above < 0 ? -wy : wy) / Math.sqrt(wx * wx + wy * wy + wz * wz);
    if (!(up >= steepest)) continue;
    let inside = true;
    for (let k = 0; k < 3 && inside; k++) {
      const a = 9 * i + 3 * k;
      const b = 9 * i + 3 * ((k + 1) % 3);
      const ex = corners[b]! - corners[a]!;
      const ey = corners[b + 1]! - corners[a + 1]!;
      const ez = corners[b + 2]! - corners[a + 2]!;
      const qx = px - corners[a]!;
      const qy = py - corners[a + 1]!;
      const qz = pz - corners[a + 2]!;
      const area = nx * (ey * qz - ez * qy) + ny * (ez * qx - ex * qz) + nz * (ex * qy - ey * qx);
      inside = area >= -near * Math.sqrt(ex * ex + ey * ey + ez * ez);
    }
    if (inside) return true;
  }
  return false;
}

/** Keeps the hit of the last sweep. */
export function keep(move: MoveContext): void {
  move.savedHit.x = move.sweep.x;
  move.savedHit.y = move.sweep.y;
  move.savedHit.z = move.sweep.z;
  move.savedHit.mx = move.sweep.mx;
  move.savedHit.my = move.sweep.my;
  move.savedHit.mz = move.sweep.mz;
  move.savedHit.t = move.sweep.t;
  move.savedHit.nx = move.sweep.nx;
  move.savedHit.ny = move.sweep.ny;
  move.savedHit.nz = move.sweep.nz;
  move.savedHit.room = move.sweep.room;
  move.savedHit.id = move.sweep.id;
  move.savedHit.triangle = move.sweep.triangle;
}

/** Puts it back. */
export function restore(move: MoveContext): void {
  move.sweep.x = move.savedHit.x;
  move.sweep.y = move.savedHit.y;
  move.sweep.z = move.savedHit.z;
  move.sweep.mx = move.savedHit.mx;
  move.sweep.my = move.savedHit.my;
  move.sweep.mz = move.savedHit.mz;
  move.sweep.t = move.savedHit.t;
  move.sweep.nx = move.savedHit.nx;
  move.sweep.ny = move.savedHit.ny;
  move.sweep.nz = move.savedHit.nz;
  move.sweep.room = move.savedHit.room;
  move.sweep.id = move.savedHit.id;
  move.sweep.triangle = move.savedHit.triangle;
}

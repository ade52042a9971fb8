/** What a world knows about one collider. */

import {
  ANY_FINITE,
  describe,
  mustBeBoolean,
  mustBeCoordinate,
  mustBeList,
  refuse,
  refuseType,
} from '../math/check.ts';
import { CAST_REACH } from '../math/tolerance.ts';
import type { Pose, ReadonlyPose } from '../math/types.ts';
import { quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb } from '../primitives/types.ts';
import { boundsOf } from '../shapes/bounds.ts';
import { isPlainPose, mustBeWorldPose } from '../shapes/check.ts';
import type { Shape } from '../shapes/shape.ts';

/** A kind of question: rays; casts; overlaps; contacts and nearest; events. */
export type Use = 'ray' | 'cast' | 'overlap' | 'contact' | 'event';

/** All of them, in the order of their bits. */
export const USES: readonly Use[] = ['ray', 'cast', 'overlap', 'contact', 'event'];
export const USE_RAY = 1;
export const USE_CAST = 2;
export const USE_OVERLAP = 4;
export const USE_CONTACT = 8;
export const USE_EVENT = 16;
const ALL_USES = 31;
/** The lists of all sets of uses: so that none is made when one is asked for. */
const USE_LISTS: readonly (readonly Use[])[] = Array.from({ length: ALL_USES + 1 }, (_, bits) =>
  Object.freeze(USES.filter((_, i) => bits & (1 << i))),
);

/** How a collider takes part in a world. */
export interface ColliderOptions {
  /** Bits of the groups that it is in. 1 unless told otherwise. */
  readonly group?: number;
  /** Bits of the groups that it meets. All unless told otherwise. */
  readonly mask?: number;
  /** It is noticed, not bumped into: events tell of it, questions pass it over unless they ask for sensors. */
  readonly sensor?: boolean;
  /** It stands still: its pose is read when it is added, and by `refresh`. Two fixed colliders have no events. */
  readonly fixed?: boolean;
  /** The number of the thing that it is a part of. Colliders of one owner do not meet each other. */
  readonly owner?: number | undefined;
  /** The questions that see it. All unless told otherwise. */
  readonly uses?: readonly Use[];
  /** Anything. */
  readonly data?: unknown;
}

/** The names of them. @internal */
export const COLLIDER_OPTIONS = 'group mask sensor fixed owner uses data';

/** A collider of a world. Its pose is the one that the world knows: as it was when it was last read. */
export interface WorldCollider {
  readonly id: number;
  readonly shape: Shape;
  readonly pose: ReadonlyPose;
  readonly group: number;
  readonly mask: number;
  readonly sensor: boolean;
  readonly fixed: boolean;
  readonly owner: number | undefined;
  readonly uses: readonly Use[];
  readonly data: unknown;
}

/** A copy of a pose. The numbers are never small integers to V8, whatever the user's are. */
export const makeOwnPose = (): Pose => ({
  position: vec3(0.5, 0.5, 0.5),
  quaternion: quat(0.5, 0.5, 0.5, 0.5),
});

const local: Aabb = { min: vec3(0.5, 0.5, 0.5), max: vec3(0.5, 0.5, 0.5) };
const readPose = makeOwnPose();
const readBox: Aabb = { min: vec3(0.5, 0.5, 0.5), max: vec3(0.5, 0.5, 0.5) };

/** Boxes that reach farther than this are kept out of broad phases, some of which work in single precision. */
const FARTHEST = 1e30;

/** @internal */
export class Entry implements WorldCollider {
  readonly id: number;
  /** Its number in the broad phase, which is used again; -1 when it is not in it. */
  slot = -1;
  /** What is given to queries. Its pose is a copy. */
  readonly body: { shape: Shape; readonly pose: Pose };
  /** The user's own pose. */
  live: ReadonlyPose;
  group = 1;
  mask = -1;
  sensor = false;
  fixed = false;
  owner: number | undefined = undefined;
  useBits = ALL_USES;
  data: unknown = undefined;
  /** Around the shape where it stands, with room for all that narrow phases take for touching. */
  readonly box: Aabb = { min: vec3(0.5, 0.5, 0.5), max: vec3(0.5, 0.5, 0.5) };
  /** The same without that room. */
  readonly tight: Aabb = { min: vec3(0.5, 0.5, 0.5), max: vec3(0.5, 0.5, 0.5) };
  /** No point of it has coordinates whose sizes add up to more; infinite for half-spaces. */
  extent = 0.5;
  /** How much of the room is for its own size. */
  private room = 0.5;
  /** Something about it has changed since the last update. */
  dirty = true;

  constructor(id: number, shape: Shape, live: ReadonlyPose) {
    this.id = id;
    this.body = { shape, pose: makeOwnPose() };
    this.live = live;
  }

  get shape(): Shape {
    return this.body.shape;
  }

  get pose(): ReadonlyPose {
    return this.body.pose;
  }

  get uses(): readonly Use[] {
    return USE_LISTS[this.useBits]!;
  }

  /** Is the pose that the world knows no longer that of the user? NaN is a change, too. */
  hasMoved(): boolean {
    const { position: p, quaternion: q } = this.live;
    const { position: u, quaternion: r } = this.body.pose;
    return !(
      p.x === u.x &&
      p.y === u.y &&
      p.z === u.z &&
      q.x === r.x &&
      q.y === r.y &&
      q.z === r.z &&
      q.w === r.w
    );
  }

  /** Reads the pose of the user, and makes the box anew but for its room. As before if a getter or a support throws. */
  read(caller: string): void {
    mustBeLivePose(caller, this.id, this.live);
    this.stand(this.live);
  }

  /** The same with a pose that is known to be good, and may be another. */
  stand(pose: ReadonlyPose): void {
    const { body, tight } = this;
    copyPose(pose, readPose);
    const { min, max } = boundsOf(body.shape, readPose, readBox);
    copyPose(readPose, body.pose);
    v3.copy(min, tight.min);
    v3.copy(max, tight.max);
    this.extent =
      Math.max(Math.abs(min.x), Math.abs(max.x)) +
      Math.max(Math.abs(min.y), Math.abs(max.y)) +
      Math.max(Math.abs(min.z), Math.abs(max.z));
    this.dirty = true;
  }

  /** Looks how large the shape is: once for each shape, as it does not matter where it stands. */
  measure(): void {
    const { min, max } = boundsOf(this.body.shape, undefined, local);
    const reach = Math.max(-min.x, max.x, 0) + Math.max(-min.y, max.y, 0) + Math.max(-min.z, max.z, 0);
    this.room = reach < Infinity ? CAST_REACH * reach : 0;
  }

  /** Half-spaces, and what is too large or too far away for a broad phase. */
  get isUnbounded(): boolean {
    return !(this.extent <= FARTHEST);
  }

  /** Makes the box from the tight one. `slack` is what rounding needs in this world. */
  widen(slack: number): void {
    const { min, max } = this.tight;
    const { min: low, max: high } = this.box;
    const off = this.room + slack;
    low.x = min.x - off;
    low.y = min.y - off;
    low.z = min.z - off;
    high.x = max.x + off;
    high.y = max.y + off;
    high.z = max.z + off;
  }

  /** Takes over what the options say. */
  set(caller: string, options: ColliderOptions): void {
    const { group, mask, sensor, fixed, owner, uses } = options;
    if (group !== undefined) mustBeBits(caller, 'options.group', group);
    if (mask !== undefined) mustBeBits(caller, 'options.mask', mask);
    if (owner !== undefined) mustBeCoordinate(caller, 'options.owner', owner, ANY_FINITE);
    if (sensor !== undefined) mustBeBoolean(caller, 'options.sensor', sensor);
    if (fixed !== undefined) mustBeBoolean(caller, 'options.fixed', fixed);
    const bits = uses === undefined ? this.useBits : useBitsOf(caller, uses);
    if (group !== undefined) this.group = group | 0;
    if (mask !== undefined) this.mask = mask | 0;
    if (sensor !== undefined) this.sensor = Boolean(sensor);
    if (fixed !== undefined) this.fixed = Boolean(fixed);
    if ('owner' in options) this.owner = owner;
    if ('data' in options) this.data = options.data;
    this.useBits = bits;
    this.dirty = true;
  }
}

function useBitsOf(caller: string, uses: readonly Use[]): number {
  mustBeList(caller, 'options.uses', uses);
  let bits = 0;
  for (const use of uses) {
    const i = USES.indexOf(use);
    if (i < 0) refuse(caller, 'options.uses', `must be some of ${USES.join(', ')}, got ${describe(use)}`);
    bits |= 1 << i;
  }
  return bits;
}

/** @internal */
export function mustBeBits(caller: string, name: string, bits: number): void {
  if (typeof bits !== 'number') refuseType(caller, name, 'a whole number of 32 bits', bits);
  if (!(Number.isInteger(bits) && bits >= -0x80000000 && bits <= 0xffffffff))
    refuse(caller, name, `must be a whole number of 32 bits, got ${describe(bits)}`);
}

/** Reads all before it writes: getters may ask the next query. @internal */
export function copyPose(from: ReadonlyPose, to: Pose): void {
  const { position: p, quaternion: q } = from;
  const { x, y, z } = p;
  const { x: qx, y: qy, z: qz, w: qw } = q;
  const { position: u, quaternion: r } = to;
  u.x = x;
  u.y = y;
  u.z = z;
  r.x = qx;
  r.y = qy;
  r.z = qz;
  r.w = qw;
}

/** Refuses a pose that cannot be used, by the number of its collider. @internal */
export function mustBeLivePose(caller: string, id: number, pose: ReadonlyPose): void {
  if (!isPlainPose(pose)) mustBeWorldPose(caller, `the pose of collider ${id}`, pose);
}

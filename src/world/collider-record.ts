/** What a world knows about one collider. */
import {
  ANY_FINITE,
  describe,
  mustBeBoolean,
  mustBeCoordinate,
  mustBeList,
  refuse,
  refuseNumber,
} from '../math/check.ts';
import * as q4 from '../math/quat.ts';
import { CAST_REACH } from '../math/tolerance.ts';
import type { Pose, ReadonlyPose } from '../math/types.ts';
import { pose as makePose, quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, ReadonlyAabb } from '../primitives/types.ts';
import { boundsOfPosed } from '../shapes/bounds.ts';
import { isPlainPose, mustBeWorldPose } from '../shapes/check.ts';
import type { Shape } from '../shapes/shape.ts';

/** A kind of query: rays; casts; overlaps; contacts and nearest; events. */
export type Use = 'ray' | 'cast' | 'overlap' | 'contact' | 'event';

/** All of them, in the order of their bits. */
export const USES: readonly Use[] = ['ray', 'cast', 'overlap', 'contact', 'event'];
export const USE_RAY = 1;
export const USE_CAST = 2;
export const USE_OVERLAP = 4;
export const USE_CONTACT = 8;
export const USE_EVENT = 16;
const ALL_USES = 31;
/** The lists of all sets of uses, made when first asked for, once. */
const useLists: (readonly Use[] | undefined)[] = [];

/** How a collider takes part in a world. */
export interface ColliderOptions {
  /** Bits of the groups that it is in. Default: 1. */
  readonly group?: number;
  /** Bits of the groups that it meets. Default: all. */
  readonly mask?: number;
  /** It has events and stops nothing: queries skip it, except with `sensors: true`. Default: false. */
  readonly sensor?: boolean;
  /** Its pose is read by `add`, `change` and `refresh` only. Two fixed colliders have no events. Default: false. */
  readonly fixed?: boolean;
  /** The number of the thing that it is a part of. Colliders of one owner do not meet each other. */
  readonly owner?: number | undefined;
  /** The queries that see it. Default: all. */
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

/** A pose whose numbers are never small integers to V8. @internal */
export const makeOwnPose = (): Pose => ({
  position: vec3(0.5, 0.5, 0.5),
  quaternion: quat(0.5, 0.5, 0.5, 0.5),
});

/** @internal */
export const makeOwnAabb = (): Aabb => ({ min: vec3(0.5, 0.5, 0.5), max: vec3(0.5, 0.5, 0.5) });

const ORIGIN: ReadonlyPose = makePose();
const read = makeOwnPose();
const rotation = makePose();
const bounds = makeOwnAabb();

/** Boxes that reach farther than this are kept out of broad phases, some of which work in single precision. @internal */
export const FARTHEST = 1e30;

/** @internal */
export class ColliderRecord implements WorldCollider {
  readonly id: number;
  /** Its index among all colliders, by id. */
  rank = 0;
  fixed = false;
  sensor = false;
  useBits = ALL_USES;
  group = 1;
  mask = -1;
  owner: number | undefined = undefined;
  shape: Shape;
  /** A copy. */
  readonly pose: Pose = makeOwnPose();
  /** Its number in the broad phase, which is used again; -1 when it is not in it. */
  proxy = -1;
  /** The user's own pose. */
  live: ReadonlyPose;
  /** The largest sum of the absolute coordinates of a point of the box; infinite for half-spaces. */
  extent = 0.5;
  /** Of a skinned mesh, the pose that the padding and the box are for. */
  private frame = -1;
  /** The part of the padding that depends on the size of the shape. */
  private padding = 0.5;
  /** Around the shape where it stands, with padding for all that narrow phases take for touching. */
  readonly box: Aabb = makeOwnAabb();
  /** Around the rotated shape at the origin, without padding. */
  readonly rotatedBox: Aabb = makeOwnAabb();
  data: unknown = undefined;

  constructor(id: number, shape: Shape, live: ReadonlyPose) {
    this.id = id;
    this.shape = shape;
    this.live = live;
  }

  get uses(): readonly Use[] {
    const { useBits } = this;
    useLists[useBits] ??= Object.freeze(USES.filter((_, i) => useBits & (1 << i)));
    return useLists[useBits];
  }

  /** Reads the user's pose and moves there. As before if a getter or a support throws. */
  readLive(caller: string): void {
    mustBeGoodPose(caller, this.id, this.live); // runs getters: nothing is in `read` yet
    copyPose(this.live, read);
    mustBeGoodPose(caller, this.id, read);
    this.moveTo(read);
  }

  /** Stands at a pose that is known to be good. The box is made by `pad`. Nothing has changed if a support throws. */
  moveTo(pose: ReadonlyPose, isRotated = true): void {
    const { x, y, z } = pose.position;
    const { x: qx, y: qy, z: qz, w: qw } = pose.quaternion;
    const { rotatedBox } = this;
    const { position: p, quaternion: q } = this.pose;
    if (isRotated) {
      if (this.hasNewForm()) this.measure();
      q4.copy(pose.quaternion, rotation.quaternion);
      boundsOfPosed(this.shape, rotation, bounds);
      v3.copy(bounds.min, rotatedBox.min);
      v3.copy(bounds.max, rotatedBox.max);
      q.x = qx;
      q.y = qy;
      q.z = qz;
      q.w = qw;
    }
    const { min, max } = rotatedBox;
    this.extent =
      Math.max(Math.abs(min.x + x), Math.abs(max.x + x)) +
      Math.max(Math.abs(min.y + y), Math.abs(max.y + y)) +
      Math.max(Math.abs(min.z + z), Math.abs(max.z + z));
    p.x = x;
    p.y = y;
    p.z = z;
  }

  /** Has a skinned mesh been posed since its box was made? */
  hasNewForm(): boolean {
    const { shape } = this;
    return shape.kind === 'skinned' && shape.frame !== this.frame;
  }

  /** Computes the padding for the size of the shape. Where it stands does not matter. */
  measure(): void {
    const { min, max } = boundsOfPosed(this.shape, ORIGIN, bounds);
    const reach = Math.max(-min.x, max.x, 0) + Math.max(-min.y, max.y, 0) + Math.max(-min.z, max.z, 0);
    this.padding = reach < Infinity ? CAST_REACH * reach : 0;
    if (this.shape.kind === 'skinned') this.frame = this.shape.frame;
  }

  /** Half-spaces, and what is too large or too far away for a broad phase. */
  get isUnbounded(): boolean {
    return !(this.extent <= FARTHEST);
  }

  /** Makes the box. `slack` is what rounding needs in this world. */
  pad(slack: number): void {
    const { min, max } = this.rotatedBox;
    const { x, y, z } = this.pose.position;
    const { min: low, max: high } = this.box;
    const by = this.padding + slack;
    low.x = min.x + x - by;
    low.y = min.y + y - by;
    low.z = min.z + z - by;
    high.x = max.x + x + by;
    high.y = max.y + y + by;
    high.z = max.z + z + by;
  }

  /** Takes over what the options say. */
  set(caller: string, options: ColliderOptions, name = 'options'): void {
    const { group, mask, sensor, fixed, owner, uses } = options;
    if (group !== undefined) mustBeBits(caller, `${name}.group`, group);
    if (mask !== undefined) mustBeBits(caller, `${name}.mask`, mask);
    if (owner !== undefined) mustBeCoordinate(caller, `${name}.owner`, owner, ANY_FINITE);
    if (sensor !== undefined) mustBeBoolean(caller, `${name}.sensor`, sensor);
    if (fixed !== undefined) mustBeBoolean(caller, `${name}.fixed`, fixed);
    const bits = uses === undefined ? this.useBits : bitsOfUses(caller, `${name}.uses`, uses);
    if (group !== undefined) this.group = group | 0;
    if (mask !== undefined) this.mask = mask | 0;
    if (sensor !== undefined) this.sensor = Boolean(sensor);
    if (fixed !== undefined) this.fixed = Boolean(fixed);
    if ('owner' in options) this.owner = owner;
    if ('data' in options) this.data = options.data;
    this.useBits = bits;
  }
}

function bitsOfUses(caller: string, name: string, uses: readonly Use[]): number {
  mustBeList(caller, name, uses);
  let bits = 0;
  for (const use of uses) {
    const i = USES.indexOf(use);
    if (i < 0) refuse(caller, name, `must be some of ${USES.join(', ')}, got ${describe(use)}`);
    bits |= 1 << i;
  }
  return bits;
}

/** @internal */
export function mustBeBits(caller: string, name: string, bits: number): void {
  if (!(Number.isInteger(bits) && bits >= -0x80000000 && bits <= 0xffffffff))
    refuseNumber(caller, name, 'a whole number of 32 bits', bits);
}

/** Reads all before it writes: getters may run the next query. @internal */
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

/** @internal */
export function readPose(from: Float64Array, at: number, { position, quaternion }: Pose): void {
  position.x = from[at]!;
  position.y = from[at + 1]!;
  position.z = from[at + 2]!;
  quaternion.x = from[at + 3]!;
  quaternion.y = from[at + 4]!;
  quaternion.z = from[at + 5]!;
  quaternion.w = from[at + 6]!;
}

/** @internal */
export function writePose({ position, quaternion }: ReadonlyPose, to: Float64Array, at: number): void {
  to[at] = position.x;
  to[at + 1] = position.y;
  to[at + 2] = position.z;
  to[at + 3] = quaternion.x;
  to[at + 4] = quaternion.y;
  to[at + 5] = quaternion.z;
  to[at + 6] = quaternion.w;
}

/** Refuses a pose that cannot be used, by the number of its collider. @internal */
export function mustBeGoodPose(caller: string, id: number, pose: ReadonlyPose): void {
  if (!isPlainPose(pose)) mustBeWorldPose(caller, `the pose of collider ${id}`, pose);
}

/** The largest sum of the absolute coordinates of a point of a box. @internal */
export function extentOf({ min, max }: ReadonlyAabb): number {
  return (
    Math.max(Math.abs(min.x), Math.abs(max.x)) +
    Math.max(Math.abs(min.y), Math.abs(max.y)) +
    Math.max(Math.abs(min.z), Math.abs(max.z))
  );
}

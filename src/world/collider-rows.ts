/**
 * What an update asks of every collider, by rank: its place among all, by id. Flat arrays, for it asks thousands, and of a
 * record all over the heap each question would wait for memory.
 */
import { BOX_SIZES, writeBoxSizes } from '../convex/box-overlap.ts';
import { BOX } from '../convex/core.ts';
import { LARGEST } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { isConvexShape, type Shape } from '../shapes/shape.ts';
import {
  type ColliderRecord,
  makeOwnPose,
  mustBeGoodPose,
  readPose,
  USE_EVENT,
  writePose,
} from './collider-record.ts';

/** Something about it has changed since the last update. */
export const DIRTY = 1;
/** Its pose is not read. */
export const FIXED = 2;
/** Its shape may have another form. */
export const SKINNED = 4;
/** It has events with all that are plain, too: no sensor, not fixed, no owner, in the first group, which it meets. */
export const PLAIN = 8;
/** Its shape is a box, perhaps rounded. */
export const BOXED = 16;

const read = makeOwnPose();

/** @internal */
export class ColliderRows {
  count = 0;
  ids = new Int32Array(64);
  flags = new Uint8Array(64);
  /** -1 for those that are not in the broad phase. */
  proxies = new Int32Array(64);
  /** As the world knows them, seven numbers each. */
  poses = new Float64Array(7 * 64);
  /** Of boxes. */
  sizes = new Float64Array(BOX_SIZES * 64);
  readonly shapes: Shape[] = [];
  /** The users' own poses. */
  readonly lives: ReadonlyPose[] = [];
  readonly records: ColliderRecord[] = [];

  /** Adds a collider, whose id is above all others. */
  push(record: ColliderRecord): void {
    const { count } = this;
    if (count === this.ids.length) this.enlarge();
    record.rank = count;
    this.records.push(record);
    this.count = count + 1;
    this.write(record);
  }

  /** Takes over all of a collider that has been changed. */
  write(record: ColliderRecord): void {
    const { rank, id, shape, live, proxy, fixed, sensor, owner, group, mask, useBits } = record;
    const isPlain =
      !fixed && !sensor && owner === undefined && (group & mask & 1) !== 0 && (useBits & USE_EVENT) !== 0;
    const isBox = isConvexShape(shape) && shape.core.type === BOX;
    if (isBox) writeBoxSizes(shape.core, this.sizes, BOX_SIZES * rank);
    this.ids[rank] = id;
    this.flags[rank] =
      DIRTY |
      (fixed ? FIXED : 0) |
      (shape.kind === 'skinned' ? SKINNED : 0) |
      (isPlain ? PLAIN : 0) |
      (isBox ? BOXED : 0);
    this.proxies[rank] = proxy;
    this.shapes[rank] = shape;
    this.lives[rank] = live;
    writePose(record.pose, this.poses, 7 * rank);
  }

  /** Keeps some of them, in their order, with new ranks. */
  keep(isWanted: (record: ColliderRecord) => boolean): void {
    const { ids, flags, proxies, poses, sizes, shapes, lives, records, count } = this;
    let kept = 0;
    for (let rank = 0; rank < count; rank++) {
      const record = records[rank]!;
      if (!isWanted(record)) continue;
      record.rank = kept;
      records[kept] = record;
      shapes[kept] = shapes[rank]!;
      lives[kept] = lives[rank]!;
      ids[kept] = ids[rank]!;
      flags[kept] = flags[rank]!;
      proxies[kept] = proxies[rank]!;
      poses.copyWithin(7 * kept, 7 * rank, 7 * rank + 7);
      sizes.copyWithin(BOX_SIZES * kept, BOX_SIZES * rank, BOX_SIZES * (rank + 1));
      kept++;
    }
    this.count = records.length = shapes.length = lives.length = kept;
  }

  clear(): void {
    this.keep(() => false);
  }

  isDirty({ rank }: ColliderRecord): boolean {
    return (this.flags[rank]! & DIRTY) !== 0;
  }

  countDirty(): number {
    const { flags, count } = this;
    let dirty = 0;
    for (let rank = 0; rank < count; rank++) dirty += flags[rank]! & DIRTY;
    return dirty;
  }

  clearDirty(): void {
    const { flags, count } = this;
    for (let rank = 0; rank < count; rank++) flags[rank]! &= ~DIRTY;
  }

  /** If a user's pose is another than the one that the world knows, it is checked and written to `out` from `at` on. */
  stagePose(caller: string, rank: number, out: Float64Array, at: number): boolean {
    const { flags, poses } = this;
    const live = this.lives[rank]!;
    const { position, quaternion } = live;
    const { x, y, z } = position;
    const { x: qx, y: qy, z: qz, w: qw } = quaternion;
    const from = 7 * rank;
    // NaN is a change, too.
    if (
      x === poses[from] &&
      y === poses[from + 1] &&
      z === poses[from + 2] &&
      qx === poses[from + 3] &&
      qy === poses[from + 4] &&
      qz === poses[from + 5] &&
      qw === poses[from + 6] &&
      ((flags[rank]! & SKINNED) === 0 || !this.records[rank]!.hasNewForm())
    )
      return false;
    out[at] = x;
    out[at + 1] = y;
    out[at + 2] = z;
    out[at + 3] = qx;
    out[at + 4] = qy;
    out[at + 5] = qz;
    out[at + 6] = qw;
    const areNumbers =
      out[at] === x &&
      out[at + 1] === y &&
      out[at + 2] === z &&
      out[at + 3] === qx &&
      out[at + 4] === qy &&
      out[at + 5] === qz &&
      out[at + 6] === qw;
    const lengthSq = qx * qx + qy * qy + qz * qz + qw * qw;
    if (
      !(areNumbers && lengthSq > 0 && lengthSq <= LARGEST) ||
      !(Math.abs(x) + Math.abs(y) + Math.abs(z) <= LARGEST) ||
      (live as { scale?: unknown }).scale !== undefined
    ) {
      const id = this.ids[rank]!;
      mustBeGoodPose(caller, id, live);
      readPose(out, at, read);
      mustBeGoodPose(caller, id, read);
    }
    return true;
  }

  /** Moves a collider to the pose that is in `staged` from `at` on. What has only been moved keeps the bounds of its rotated shape. */
  moveToStaged(rank: number, staged: Float64Array, at: number): void {
    const { flags, poses } = this;
    const record = this.records[rank]!;
    const to = 7 * rank;
    const isRotated =
      staged[at + 3] !== poses[to + 3] ||
      staged[at + 4] !== poses[to + 4] ||
      staged[at + 5] !== poses[to + 5] ||
      staged[at + 6] !== poses[to + 6] ||
      ((flags[rank]! & SKINNED) !== 0 && record.hasNewForm());
    readPose(staged, at, read);
    record.moveTo(read, isRotated);
    for (let k = 0; k < 7; k++) poses[to + k] = staged[at + k]!;
    flags[rank]! |= DIRTY;
  }

  private enlarge(): void {
    const { ids, flags, proxies, poses, sizes, count } = this;
    this.ids = new Int32Array(2 * count);
    this.flags = new Uint8Array(2 * count);
    this.proxies = new Int32Array(2 * count);
    this.poses = new Float64Array(14 * count);
    this.sizes = new Float64Array(2 * BOX_SIZES * count);
    this.ids.set(ids);
    this.flags.set(flags);
    this.proxies.set(proxies);
    this.poses.set(poses);
    this.sizes.set(sizes);
  }
}

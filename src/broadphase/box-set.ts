/** Boxes with numbers of the owner's, in flat arrays. */
import { ANY_FINITE, checkAabb, checkNumbers, describe, refuse } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { rayAabbKernel } from '../primitives/ray/ray-aabb.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { makeAabb, makeHit } from '../primitives/types.ts';

/** Arrays go by the numbers of boxes. @internal */
export const MOST = 0x4000000;

const found = makeHit();
const tight = makeAabb();

/** Boxes by the numbers that the owner chose, in flat arrays. */
export class BoxSet {
  /** Six numbers a box, by its number: min x, y, z, max x, y, z. */
  boxes = new Float64Array(6 * 64);
  /** For each number its index in `ids`; -1 if there is no such box. */
  indices = new Int32Array(64).fill(-1);
  /** The numbers in use, `count` of them. */
  ids = new Int32Array(64);
  count = 0;
  /** Searches under way. */
  searches = 0;
  /** All boxes are between these, once `bound` has been called. */
  readonly low = [0, 0, 0];
  readonly high = [0, 0, 0];
  /** Have boxes changed since? */
  private unbounded = true;
  private changes = 0;
  private readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  mustBeIdle(caller: string): void {
    if (this.searches > 0)
      throw new Error(`graze: ${this.name}.${caller}: boxes must not be changed while they are searched`);
  }

  /** Is there a box of that number? Answers for whatever it is given. */
  has(id: number): boolean {
    return typeof id === 'number' && this.indices[id]! >= 0;
  }

  add(id: number, box: ReadonlyAabb): void {
    this.mustBeIdle('add');
    if (!(Number.isInteger(id) && id >= 0 && id < MOST))
      refuse('add', 'id', `must be a whole number from 0 to ${MOST - 1}, got ${describe(id)}`);
    if (this.has(id)) refuse('add', 'id', `must not be that of a box, got ${describe(id)}`);
    checkAabb('add', 'box', box, ANY_FINITE);
    if (id >= this.indices.length) this.grow(id);
    this.indices[id] = this.count;
    this.ids[this.count++] = id;
    this.write(id, box);
  }

  move(id: number, box: ReadonlyAabb): void {
    this.mustBeIdle('move');
    if (!this.has(id)) refuse('move', 'id', `must be that of a box, got ${describe(id)}`);
    checkAabb('move', 'box', box, ANY_FINITE);
    this.write(id, box);
  }

  /** Looks at all of it before anything is changed. */
  mustBeMoves(ids: ArrayLike<number>, from: Float64Array): void {
    this.mustBeIdle('moveMany');
    const { indices } = this;
    checkNumbers('moveMany', 'ids', ids);
    checkNumbers('moveMany', 'boxes', from);
    const count = ids.length;
    if (!(from.length >= 6 * count))
      refuse('moveMany', 'boxes', `must hold six numbers for each of ${count} boxes, got ${from.length}`);
    for (let i = 0; i < count; i++)
      if (!(indices[ids[i]!]! >= 0))
        refuse('moveMany', `ids[${i}]`, `must be that of a box, got ${describe(ids[i])}`);
    let fine = 1;
    for (let q = 0; q < 6 * count; q += 6) {
      const ax = from[q]!;
      const ay = from[q + 1]!;
      const az = from[q + 2]!;
      const bx = from[q + 3]!;
      const by = from[q + 4]!;
      const bz = from[q + 5]!;
      // Infinity times zero is not zero.
      const none = (ax + ay + az) * 0 + (bx + by + bz) * 0;
      fine &= +(none === 0) & +(ax <= bx) & +(ay <= by) & +(az <= bz);
    }
    if (fine) return;
    for (let i = 0; i < count; i++) {
      const box = from.subarray(6 * i, 6 * i + 6);
      checkNumbers('moveMany', `boxes[${i}]`, box, ANY_FINITE);
      if (!(box[0]! <= box[3]! && box[1]! <= box[4]! && box[2]! <= box[5]!))
        refuse('moveMany', `boxes[${i}]`, 'must have min <= max on every axis');
    }
  }

  remove(id: number): void {
    this.mustBeIdle('remove');
    if (!this.has(id)) refuse('remove', 'id', `must be that of a box, got ${describe(id)}`);
    const index = this.indices[id]!;
    const last = this.ids[--this.count]!;
    this.ids[index] = last;
    this.indices[last] = index;
    this.indices[id] = -1;
  }

  clear(): void {
    this.mustBeIdle('clear');
    this.indices.fill(-1);
    this.count = 0;
    this.unbounded = true;
  }

  overlap(i: number, j: number): boolean {
    const { boxes } = this;
    const p = 6 * i;
    const q = 6 * j;
    return (
      boxes[p]! <= boxes[q + 3]! &&
      boxes[q]! <= boxes[p + 3]! &&
      boxes[p + 1]! <= boxes[q + 4]! &&
      boxes[q + 1]! <= boxes[p + 4]! &&
      boxes[p + 2]! <= boxes[q + 5]! &&
      boxes[q + 2]! <= boxes[p + 5]!
    );
  }

  /** Does the box of that number share a point with one of six numbers? */
  touches(id: number, box: Float64Array): boolean {
    const { boxes } = this;
    const p = 6 * id;
    return (
      boxes[p]! <= box[3]! &&
      box[0]! <= boxes[p + 3]! &&
      boxes[p + 1]! <= box[4]! &&
      box[1]! <= boxes[p + 4]! &&
      boxes[p + 2]! <= box[5]! &&
      box[2]! <= boxes[p + 5]!
    );
  }

  /** When the ray enters the box of that number; -1 if it does not. */
  rayTime(ray: ReadonlyRay, tMax: number, id: number): number {
    const { boxes } = this;
    const { min, max } = tight;
    const q = 6 * id;
    min.x = boxes[q]!;
    min.y = boxes[q + 1]!;
    min.z = boxes[q + 2]!;
    max.x = boxes[q + 3]!;
    max.y = boxes[q + 4]!;
    max.z = boxes[q + 5]!;
    return rayAabbKernel(null, ray, tight, tMax, found) === null ? -1 : found.t;
  }

  /** Copies the boxes that `mustBeMoves` has seen. */
  writeMany(ids: ArrayLike<number>, from: Float64Array): void {
    const { boxes } = this;
    this.unbounded = true;
    for (let i = 0, p = 0; i < ids.length; i++, p += 6) {
      const q = 6 * ids[i]!;
      boxes[q] = from[p]!;
      boxes[q + 1] = from[p + 1]!;
      boxes[q + 2] = from[p + 2]!;
      boxes[q + 3] = from[p + 3]!;
      boxes[q + 4] = from[p + 4]!;
      boxes[q + 5] = from[p + 5]!;
    }
  }

  /** Makes `low` and `high`: the box around all boxes. */
  bound(): void {
    if (!this.unbounded) return;
    const { boxes, ids, count } = this;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = 0; i < count; i++) {
        const q = 6 * ids[i]! + k;
        if (boxes[q]! < low) low = boxes[q]!;
        if (boxes[q + 3]! > high) high = boxes[q + 3]!;
      }
      this.low[k] = low;
      this.high[k] = high;
    }
    this.unbounded = false;
  }

  private write(id: number, { min, max }: ReadonlyAabb): void {
    const { boxes } = this;
    const q = 6 * id;
    if (!this.unbounded) this.include(min, max);
    boxes[q] = min.x;
    boxes[q + 1] = min.y;
    boxes[q + 2] = min.z;
    boxes[q + 3] = max.x;
    boxes[q + 4] = max.y;
    boxes[q + 5] = max.z;
  }

  /** Where few boxes change, the box around all only grows: all are looked at again when many have. */
  private include(min: ReadonlyVec3, max: ReadonlyVec3): void {
    const { low, high } = this;
    low[0] = Math.min(low[0]!, min.x);
    low[1] = Math.min(low[1]!, min.y);
    low[2] = Math.min(low[2]!, min.z);
    high[0] = Math.max(high[0]!, max.x);
    high[1] = Math.max(high[1]!, max.y);
    high[2] = Math.max(high[2]!, max.z);
    this.unbounded = ++this.changes > this.count;
    if (this.unbounded) this.changes = 0;
  }

  private grow(id: number): void {
    const capacity = 2 * id + 2;
    const boxes = new Float64Array(6 * capacity);
    const indices = new Int32Array(capacity).fill(-1);
    const ids = new Int32Array(capacity);
    boxes.set(this.boxes);
    indices.set(this.indices);
    ids.set(this.ids);
    this.boxes = boxes;
    this.indices = indices;
    this.ids = ids;
  }
}

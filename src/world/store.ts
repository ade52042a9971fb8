/** The colliders of a world, where they stand, and the broad phase that finds them. */

import type { BroadPhase } from '../broadphase/broad-phase.ts';
import { describe, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import type { Entry } from './entry.ts';

/** Narrow phases take for touching what is within a few ulps of all coordinates that have a part in the question. */
const ROUNDING = 256 * EPS64;
/** Questions from farther away, in terms of the largest coordinate in the world, are put to every collider. */
const FARTHEST = 1024;

/**
 * Boxes in the broad phase are larger than the shapes by what rounding may do to an answer, so that it never loses one
 * that a test of every collider would give. That depends on the largest coordinate in the world, or of a question: when
 * there is a larger one, all boxes are made anew. It is doubled at least each time, so this does not happen often. A question
 * from much farther away than anything in the world is put to every collider instead: boxes as large as its rounding would
 * all overlap each other.
 *
 * @internal
 */
export class Store {
  readonly broad: BroadPhase;
  readonly byId = new Map<number, Entry>();
  /** By their numbers in the broad phase. */
  readonly bySlot: (Entry | undefined)[] = [];
  /** Those that are not in the broad phase. */
  readonly unbounded: Entry[] = [];
  private readonly freeSlots: number[] = [];
  /** No coordinate is larger. */
  scale = 1;
  /** No coordinate of a collider is larger, and few were when they were. */
  private reach = 1;
  /** What boxes are larger by. */
  slack = ROUNDING;
  private slots = new Int32Array(64);
  private boxes = new Float64Array(6 * 64);
  /** Questions under way. */
  searches = 0;

  constructor(broad: BroadPhase) {
    this.broad = broad;
  }

  mustBeIdle(caller: string): void {
    if (this.searches > 0)
      throw new Error(
        `graze: World.${caller}: the world must not be changed by what it calls while it answers a question`,
      );
  }

  entry(caller: string, id: number): Entry {
    return (
      this.byId.get(id) ??
      refuse(caller, 'id', `must be that of a collider in the world, got ${describe(id)}`)
    );
  }

  add(entry: Entry): void {
    this.byId.set(entry.id, entry);
    this.place(entry);
  }

  remove(entry: Entry): void {
    this.byId.delete(entry.id);
    this.takeOut(entry);
  }

  /** Puts an entry where its box, made anew, says. */
  place(entry: Entry): void {
    if (entry.isUnbounded) {
      if (entry.slot >= 0) this.takeOut(entry);
      if (!this.unbounded.includes(entry)) this.unbounded.push(entry);
      return;
    }
    if (entry.extent > this.reach) this.reach = entry.extent;
    this.makeRoomFor(entry.extent);
    entry.widen(this.slack);
    if (entry.slot >= 0) {
      this.broad.move(entry.slot, entry.box);
      return;
    }
    this.takeOut(entry);
    const slot = this.freeSlots.pop() ?? this.bySlot.length;
    this.broad.add(slot, entry.box);
    entry.slot = slot;
    this.bySlot[slot] = entry;
  }

  /** `place` for many. */
  placeMany(entries: readonly Entry[]): void {
    for (const entry of entries)
      if (!entry.isUnbounded) {
        if (entry.extent > this.reach) this.reach = entry.extent;
        this.makeRoomFor(entry.extent);
      }
    if (this.slots.length < entries.length) {
      this.slots = new Int32Array(2 * entries.length);
      this.boxes = new Float64Array(12 * entries.length);
    }
    let count = 0;
    for (const entry of entries) {
      if (entry.slot < 0 || entry.isUnbounded) {
        this.place(entry);
        continue;
      }
      entry.widen(this.slack);
      this.slots[count] = entry.slot;
      writeBox(entry.box, this.boxes, 6 * count++);
    }
    this.broad.moveMany(this.slots.subarray(0, count), this.boxes);
  }

  private takeOut(entry: Entry): void {
    const { slot } = entry;
    if (slot >= 0) {
      this.broad.remove(slot);
      this.bySlot[slot] = undefined;
      this.freeSlots.push(slot);
      entry.slot = -1;
      return;
    }
    const at = this.unbounded.indexOf(entry);
    if (at >= 0) this.unbounded.splice(at, 1);
  }

  clear(): void {
    this.byId.clear();
    this.bySlot.length = 0;
    this.freeSlots.length = 0;
    this.unbounded.length = 0;
    this.broad.clear();
  }

  /** Can a question whose coordinates are up to `extent` be put to the broad phase? */
  covers(extent: number): boolean {
    if (extent <= this.scale) return true;
    if (!(extent <= FARTHEST * this.reach) || this.searches > 1) return false;
    this.makeRoomFor(extent);
    return true;
  }

  coversBox(box: ReadonlyAabb): boolean {
    return this.covers(extentOf(box));
  }

  private makeRoomFor(extent: number): void {
    if (extent <= this.scale) return;
    while (this.scale < extent) this.scale *= 2;
    this.slack = ROUNDING * this.scale;
    for (const entry of this.byId.values())
      if (entry.slot >= 0) {
        entry.widen(this.slack);
        this.broad.move(entry.slot, entry.box);
      }
  }
}

function writeBox({ min, max }: ReadonlyAabb, to: Float64Array, at: number): void {
  to[at] = min.x;
  to[at + 1] = min.y;
  to[at + 2] = min.z;
  to[at + 3] = max.x;
  to[at + 4] = max.y;
  to[at + 5] = max.z;
}

/** No point of the box has coordinates whose sizes add up to more. @internal */
export function extentOf({ min, max }: ReadonlyAabb): number {
  return (
    Math.max(Math.abs(min.x), Math.abs(max.x)) +
    Math.max(Math.abs(min.y), Math.abs(max.y)) +
    Math.max(Math.abs(min.z), Math.abs(max.z))
  );
}

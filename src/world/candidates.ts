/** What a question to a world might be about: found by boxes, passed by the filter, and put in order. */

import type { Reach } from '../broadphase/broad-phase.ts';
import { CAST_REACH } from '../math/tolerance.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { Aabb, ReadonlyAabb } from '../primitives/types.ts';
import { type Body, poseOf, shapeOf } from '../query/body.ts';
import { boundsOf } from '../shapes/bounds.ts';
import { point } from '../shapes/flat-sided-shapes.ts';
import type { Shape } from '../shapes/shape.ts';
import { copyPose, type Entry, makeOwnPose } from './entry.ts';
import { type Filter, NO_FILTER, sees } from './filter.ts';
import { extentOf, type Store } from './store.ts';

/**
 * What is asked of a farther collider is cut short a little beyond the best answer so far, not at it: an answer that is
 * cut off at a limit must not be taken for one as good.
 */
export const BEYOND = 1 + 1e-9;
/** What boxes say about distances is off by some roundings. */
export const NEARER = 1 - 1e-14;
const FARTHEST = 1e30;
export const POINT: Shape = point();
export const makeOwnAabb = (): Aabb => ({ min: vec3(0.5, 0.5, 0.5), max: vec3(0.5, 0.5, 0.5) });

/** @internal */
export class Candidates {
  protected readonly store: Store;
  protected filter: Filter = NO_FILTER;
  private use = 0;
  /** What the broad phase has found and the filter lets through. */
  protected readonly entries: Entry[] = [];
  /** By what they are sorted. Another array when there is no more room. */
  protected keys = new Float64Array(32);
  protected count = 0;
  /** How many boxes the broad phase has found. */
  protected visited = 0;
  /** The body that asks, and a box around it that is larger by the room for what counts as touching. */
  protected readonly mover = { shape: POINT, pose: makeOwnPose() };
  protected readonly moverBox = makeOwnAabb();
  protected readonly room = { size: 0.5 };

  constructor(store: Store) {
    this.store = store;
  }

  protected start(filter: Filter, use: number): void {
    this.filter = filter;
    this.use = use;
    this.count = 0;
    this.visited = 0;
  }

  protected readonly collect = (slot: number): void => {
    this.visited++;
    this.consider(this.store.bySlot[slot]!);
  };

  protected consider(entry: Entry): void {
    if (!sees(this.filter, this.use, entry)) return;
    if (this.count === this.keys.length) {
      const more = new Float64Array(2 * this.count);
      more.set(this.keys);
      this.keys = more;
    }
    this.keys[this.count] = entry.id;
    this.entries[this.count++] = entry;
  }

  protected admits(entry: Entry): boolean {
    const { predicate } = this.filter;
    return predicate === undefined || predicate(entry);
  }

  /** All that may share a point with the box, and all without a box. Keys are the ids. */
  protected gather(box: ReadonlyAabb, covered: boolean): void {
    const { store } = this;
    if (covered && isWithinReach(box)) {
      store.broad.searchBox(box, this.collect);
      for (const entry of store.unbounded) this.consider(entry);
    } else this.gatherAll();
  }

  protected gatherAll(): void {
    for (const entry of this.store.byId.values()) this.consider(entry);
    this.visited = this.store.broad.size;
  }

  /** Copies the body, and makes the box around it. Returns whether the broad phase can be asked. */
  protected loadMover(body: Body): boolean {
    const { mover, moverBox, room, store } = this;
    mover.shape = shapeOf(body);
    copyPose(poseOf(body), mover.pose);
    boundsOf(mover.shape, undefined, moverBox);
    const reach = extentOf(moverBox);
    boundsOf(mover.shape, mover.pose, moverBox);
    const covered = store.coversBox(moverBox);
    room.size = reach < Infinity ? CAST_REACH * reach + store.slack : 0;
    grow(moverBox, room);
    return covered;
  }

  /** The room for a way, by the box around it. */
  protected makeRoomFor({ min, max }: ReadonlyAabb): void {
    const { room, store } = this;
    const spread = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
    room.size = Math.max(room.size, store.slack) + CAST_REACH * spread;
  }
}

/** Ascending by key, then by number. A Shell sort: nothing is allocated, and most lists are short. */
export function sortCandidates(entries: Entry[], keys: Float64Array, count: number): void {
  let gap = 1;
  while (gap < count / 9) gap = 3 * gap + 1;
  for (; gap > 0; gap = (gap - 1) / 3)
    for (let i = gap; i < count; i++) {
      const entry = entries[i]!;
      const key = keys[i]!;
      let j = i;
      for (; j >= gap; j -= gap) {
        const other = keys[j - gap]!;
        if (other < key || (other === key && entries[j - gap]!.id < entry.id)) break;
        keys[j] = other;
        entries[j] = entries[j - gap]!;
      }
      keys[j] = key;
      entries[j] = entry;
    }
}

export function copyVector(from: ReadonlyVec3, to: { x: number; y: number; z: number }): void {
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
}

/** By a number in a record: one that is handed on by itself may take memory. */
export function grow({ min, max }: Aabb, { size: by }: { readonly size: number }): void {
  min.x -= by;
  min.y -= by;
  min.z -= by;
  max.x += by;
  max.y += by;
  max.z += by;
}

/** Broad phases take no infinities. */
const isWithinReach = (box: ReadonlyAabb): boolean => extentOf(box) <= FARTHEST;

/** Does a box that moves touch another at some time in [0, reach.t]? Boxes have room for the rounding of this. */
export function isOnWay(a: ReadonlyAabb, way: ReadonlyVec3, b: ReadonlyAabb, reach: Reach): boolean {
  let enter = 0;
  let exit = reach.t * 1; // a product, so that V8 takes it for a number
  if (way.x !== 0) {
    const s = (b.min.x - a.max.x) / way.x;
    const t = (b.max.x - a.min.x) / way.x;
    enter = Math.max(enter, Math.min(s, t));
    exit = Math.min(exit, Math.max(s, t));
  } else if (b.min.x > a.max.x || b.max.x < a.min.x) return false;
  if (way.y !== 0) {
    const s = (b.min.y - a.max.y) / way.y;
    const t = (b.max.y - a.min.y) / way.y;
    enter = Math.max(enter, Math.min(s, t));
    exit = Math.min(exit, Math.max(s, t));
  } else if (b.min.y > a.max.y || b.max.y < a.min.y) return false;
  if (way.z !== 0) {
    const s = (b.min.z - a.max.z) / way.z;
    const t = (b.max.z - a.min.z) / way.z;
    enter = Math.max(enter, Math.min(s, t));
    exit = Math.min(exit, Math.max(s, t));
  } else if (b.min.z > a.max.z || b.max.z < a.min.z) return false;
  return enter <= exit * BEYOND;
}

/** Is a box within a distance of reach.t of another? */
export function isNear({ min: a, max: b }: ReadonlyAabb, { min, max }: ReadonlyAabb, reach: Reach): boolean {
  const dx = Math.max(a.x - max.x, min.x - b.x, 0);
  const dy = Math.max(a.y - max.y, min.y - b.y, 0);
  const dz = Math.max(a.z - max.z, min.z - b.z, 0);
  return (dx * dx + dy * dy + dz * dz) * NEARER <= reach.t * reach.t;
}

/** When does a box that moves first touch another? 0 if at once, and where it never does. */
export function entryTime(a: ReadonlyAabb, way: ReadonlyVec3, b: ReadonlyAabb): number {
  let enter = 0;
  if (way.x > 0) enter = Math.max(enter, (b.min.x - a.max.x) / way.x);
  else if (way.x < 0) enter = Math.max(enter, (b.max.x - a.min.x) / way.x);
  if (way.y > 0) enter = Math.max(enter, (b.min.y - a.max.y) / way.y);
  else if (way.y < 0) enter = Math.max(enter, (b.max.y - a.min.y) / way.y);
  if (way.z > 0) enter = Math.max(enter, (b.min.z - a.max.z) / way.z);
  else if (way.z < 0) enter = Math.max(enter, (b.max.z - a.min.z) / way.z);
  return enter;
}

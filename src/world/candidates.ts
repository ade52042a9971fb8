/** What a question to a world might be about: found by boxes, passed by the filter, and put in order. */
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { Aabb, ReadonlyAabb } from '../primitives/types.ts';
import { type Body, poseOf, shapeOf } from '../query/body.ts';
import { boundsOf } from '../shapes/bounds.ts';
import { point } from '../shapes/flat-sided-shapes.ts';
import type { Shape } from '../shapes/shape.ts';
import { copyPose, type Entry, makeOwnPose } from './entry.ts';
import { type Filter, NO_FILTER, sees } from './filter.ts';
import type { Store } from './store.ts';

/** Casts with turns take what is within 1e-6 of the sizes for touching. */
export const NEAR = 4e-6;
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

  private readonly collect = (slot: number): void => {
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
    const covered = store.covers(extentOf(moverBox));
    room.size = reach < Infinity ? NEAR * reach + store.slack : 0;
    grow(moverBox, room.size);
    return covered;
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

export function grow({ min, max }: Aabb, by: number): void {
  min.x -= by;
  min.y -= by;
  min.z -= by;
  max.x += by;
  max.y += by;
  max.z += by;
}

export function extentOf({ min, max }: ReadonlyAabb): number {
  return (
    Math.max(Math.abs(min.x), Math.abs(max.x)) +
    Math.max(Math.abs(min.y), Math.abs(max.y)) +
    Math.max(Math.abs(min.z), Math.abs(max.z))
  );
}

export const spreadOf = ({ min, max }: ReadonlyAabb): number =>
  Math.max(max.x - min.x, max.y - min.y, max.z - min.z);

/** Broad phases take no infinities. */
const isWithinReach = (box: ReadonlyAabb): boolean => extentOf(box) <= FARTHEST;

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

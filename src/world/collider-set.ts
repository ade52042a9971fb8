/** The colliders of a world, where they stand, and the broad phase that finds them. */
import type { BroadPhase } from '../broadphase/broad-phase.ts';
import { describe, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { type ColliderRecord, extentOf, writePose } from './collider-record.ts';

/**
 * Narrow phases take for touching what is within a few ulps of all coordinates that have a part in the query; boxes themselves
 * are rounded, too.
 */
const ROUNDING = 256 * EPS64;
/** Queries from farther away, in terms of the largest coordinate in the world, go to every collider. */
const FAR_QUERY = 1024;

/**
 * Boxes in the broad phase are padded by what rounding may do to an answer, so that it never loses one that a test of every
 * collider would give. That depends on the largest coordinate in the world, or of a query: when there is a larger one, all
 * boxes are computed again. It is doubled at least each time, so this does not happen often. A query from much farther away than
 * anything in the world goes to every collider instead: boxes with so much padding would all overlap each other.
 *
 * @internal
 */
export class ColliderSet {
  readonly broadPhase: BroadPhase;
  readonly byId = new Map<number, ColliderRecord>();
  /** By their numbers in the broad phase. */
  readonly byProxy: (ColliderRecord | undefined)[] = [];
  /** Those that are not in the broad phase. */
  readonly unbounded: ColliderRecord[] = [];
  private readonly freeProxies: number[] = [];
  /** All of them by id. */
  private readonly list: ColliderRecord[] = [];
  private isListed = true;
  /** No coordinate is larger. */
  scale = 1;
  /** No coordinate of a collider is larger, and few were when they were. */
  private reach = 1;
  /** The part of the padding that is for rounding. */
  slack = ROUNDING;
  /** All poses, seven numbers each, by rank; made when asked for and kept up by updates. */
  private poses = new Float64Array(7 * 64);
  private hasPoses = false;
  /** Of an update: those that have moved, their new poses, and their proxies and boxes. */
  private readonly moved: ColliderRecord[] = [];
  private staged = new Float64Array(7 * 64);
  private proxies = new Int32Array(64);
  private boxes = new Float64Array(6 * 64);
  /** Queries and changes under way. */
  searches = 0;

  constructor(broadPhase: BroadPhase) {
    this.broadPhase = broadPhase;
  }

  mustBeIdle(caller: string): void {
    if (this.searches > 0)
      throw new Error(
        `graze: ${caller}: the world must not be changed by code that it calls, such as a filter`,
      );
  }

  /** Runs what may call the user's code, which may query the world but not change it. */
  guard<T>(run: () => T): T {
    this.searches++;
    try {
      return run();
    } finally {
      this.searches--;
    }
  }

  get(caller: string, id: number): ColliderRecord {
    return (
      this.byId.get(id) ??
      refuse(caller, 'id', `must be that of a collider in the world, got ${describe(id)}`)
    );
  }

  /** All of them by id, ascending, with their ranks. */
  sorted(): readonly ColliderRecord[] {
    const { list } = this;
    if (this.isListed) return list;
    list.length = 0;
    for (const record of this.byId.values()) {
      record.rank = list.length; // ids ascend, and so does what a map lists
      list.push(record);
    }
    this.isListed = true;
    return list;
  }

  /** The poses of all, seven numbers each, by rank: one after the other in memory. */
  flatPoses(): Float64Array {
    const records = this.sorted();
    if (this.hasPoses) return this.poses;
    if (this.poses.length < 7 * records.length) this.poses = new Float64Array(14 * records.length);
    for (const { pose, rank } of records) writePose(pose, this.poses, 7 * rank);
    this.hasPoses = true;
    return this.poses;
  }

  add(record: ColliderRecord): void {
    this.byId.set(record.id, record);
    this.hasPoses = false;
    if (this.isListed) record.rank = this.list.push(record) - 1;
    this.updateProxy(record);
  }

  remove(record: ColliderRecord): void {
    this.byId.delete(record.id);
    this.isListed = this.hasPoses = false;
    this.takeOut(record);
  }

  clear(): void {
    this.byId.clear();
    this.list.length = 0;
    this.isListed = true;
    this.hasPoses = false;
    this.byProxy.length = 0;
    this.freeProxies.length = 0;
    this.unbounded.length = 0;
    this.broadPhase.clear();
  }

  /** Adds a collider to the broad phase, moves it there, or lists it as unbounded. */
  updateProxy(record: ColliderRecord): void {
    this.hasPoses = false;
    this.updateBox(record);
  }

  private updateBox(record: ColliderRecord): void {
    if (record.isUnbounded) {
      if (record.proxy >= 0) this.takeOut(record);
      if (!this.unbounded.includes(record)) this.unbounded.push(record);
      return;
    }
    this.include(record);
    record.pad(this.slack);
    if (record.proxy >= 0) {
      this.broadPhase.move(record.proxy, record.box);
      return;
    }
    this.takeOut(record);
    const proxy = this.freeProxies.pop() ?? this.byProxy.length;
    this.broadPhase.add(proxy, record.box);
    record.proxy = proxy;
    this.byProxy[proxy] = record;
  }

  /**
   * Reads the poses of all colliders that are not fixed. If a pose is bad or a getter throws, nothing changes. If a support
   * throws, those before it are where they are now, and the next update reports them.
   */
  readPoses(caller: string): void {
    const { moved } = this;
    moved.length = 0;
    const poses = this.flatPoses();
    let { staged } = this;
    for (const record of this.sorted()) {
      const at = 7 * moved.length;
      if (at === staged.length) {
        this.staged = new Float64Array(2 * at);
        this.staged.set(staged);
        staged = this.staged;
      }
      if (!record.fixed && record.stagePose(caller, poses, 7 * record.rank, staged, at)) moved.push(record);
    }
    let done = 0;
    try {
      for (; done < moved.length; done++) {
        const record = moved[done]!;
        record.moveToStaged(staged, 7 * done, poses, 7 * record.rank);
      }
    } finally {
      moved.length = done;
      this.updateMoved();
    }
  }

  /** `updateProxy` for all that have moved. */
  private updateMoved(): void {
    const { moved } = this;
    for (const record of moved) if (!record.isUnbounded) this.include(record);
    if (this.proxies.length < moved.length) {
      this.proxies = new Int32Array(2 * moved.length);
      this.boxes = new Float64Array(12 * moved.length);
    }
    const { proxies, boxes, slack } = this;
    let count = 0;
    for (const record of moved) {
      if (record.proxy < 0 || record.isUnbounded) {
        this.updateBox(record);
        continue;
      }
      record.pad(slack);
      const { min, max } = record.box;
      const at = 6 * count;
      boxes[at] = min.x;
      boxes[at + 1] = min.y;
      boxes[at + 2] = min.z;
      boxes[at + 3] = max.x;
      boxes[at + 4] = max.y;
      boxes[at + 5] = max.z;
      proxies[count++] = record.proxy;
    }
    this.broadPhase.moveMany(proxies.subarray(0, count), boxes);
  }

  private takeOut(record: ColliderRecord): void {
    const { proxy } = record;
    if (proxy >= 0) {
      this.broadPhase.remove(proxy);
      this.byProxy[proxy] = undefined;
      this.freeProxies.push(proxy);
      record.proxy = -1;
      return;
    }
    const at = this.unbounded.indexOf(record);
    if (at >= 0) this.unbounded.splice(at, 1);
  }

  /** Can a query whose coordinates are up to `extent` go to the broad phase? */
  covers(extent: number): boolean {
    if (extent <= this.scale) return true;
    // Boxes cannot change while another query is under way.
    if (!(extent <= FAR_QUERY * this.reach) || this.searches > 1) return false;
    this.rescale(extent);
    return true;
  }

  coversBox(box: ReadonlyAabb): boolean {
    return this.covers(extentOf(box));
  }

  private include({ extent }: ColliderRecord): void {
    if (extent > this.reach) this.reach = extent;
    if (extent > this.scale) this.rescale(extent);
  }

  /** Computes all boxes again, with padding for the rounding of coordinates up to `extent`. */
  private rescale(extent: number): void {
    while (this.scale < extent) this.scale *= 2;
    this.slack = ROUNDING * this.scale;
    for (const record of this.byId.values())
      if (record.proxy >= 0) {
        record.pad(this.slack);
        this.broadPhase.move(record.proxy, record.box);
      }
  }
}

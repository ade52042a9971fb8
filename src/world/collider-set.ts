/** The colliders of a world, where they stand, and the broad phase that finds them. */
import type { BroadPhase } from '../broadphase/broad-phase.ts';
import { describe, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { type ColliderRecord, extentOf } from './collider-record.ts';
import { ColliderRows, DIRTY, FIXED } from './collider-rows.ts';

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
  private readonly rows = new ColliderRows();
  /** Some of the rows are of colliders that have been removed. */
  private hasGaps = false;
  /** No coordinate is larger. */
  scale = 1;
  /** No coordinate of a collider is larger, and few were when they were. */
  private reach = 1;
  /** The part of the padding that is for rounding. */
  slack = ROUNDING;
  /** Of an update: the ranks of those that have moved, their new poses, and their proxies and boxes. */
  private moved = new Int32Array(64);
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

  /** All of them by id, ascending. */
  sorted(): ColliderRows {
    if (this.hasGaps) this.rows.keep((record) => this.byId.get(record.id) === record);
    this.hasGaps = false;
    return this.rows;
  }

  /** Adds a collider whose id is above all others. */
  add(record: ColliderRecord, isDirty = true): void {
    this.byId.set(record.id, record);
    this.sorted().push(record);
    this.updateBox(record);
    if (!isDirty) this.rows.flags[record.rank]! &= ~DIRTY;
  }

  remove(record: ColliderRecord): void {
    this.byId.delete(record.id);
    this.hasGaps = true;
    this.takeOut(record);
  }

  clear(): void {
    this.byId.clear();
    this.rows.clear();
    this.hasGaps = false;
    this.byProxy.length = 0;
    this.freeProxies.length = 0;
    this.unbounded.length = 0;
    this.broadPhase.clear();
  }

  /** Adds a collider to the broad phase, moves it there, or lists it as unbounded. */
  updateProxy(record: ColliderRecord): void {
    this.rows.write(record);
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
    this.setProxy(record, proxy);
    this.byProxy[proxy] = record;
  }

  /**
   * Reads the poses of all colliders that are not fixed. If a pose is bad or a getter throws, nothing changes. If a support
   * throws, those before it are where they are now, and the next update reports them.
   */
  readPoses(caller: string): void {
    const rows = this.sorted();
    const { count, flags } = rows;
    if (this.moved.length < count) {
      this.moved = new Int32Array(2 * count);
      this.staged = new Float64Array(14 * count);
      this.proxies = new Int32Array(2 * count);
      this.boxes = new Float64Array(12 * count);
    }
    const { moved, staged } = this;
    let most = 0;
    for (let rank = 0; rank < count; rank++)
      if ((flags[rank]! & FIXED) === 0 && rows.stagePose(caller, rank, staged, 7 * most))
        moved[most++] = rank;
    let done = 0;
    try {
      for (; done < most; done++) rows.moveToStaged(moved[done]!, staged, 7 * done);
    } finally {
      this.updateMoved(done);
    }
  }

  /** Tells the broad phase of the first `most` that have moved. */
  private updateMoved(most: number): void {
    const { moved, proxies, boxes, rows } = this;
    const { records } = rows;
    for (let i = 0; i < most; i++) {
      const record = records[moved[i]!]!;
      if (!record.isUnbounded) this.include(record);
    }
    const { slack } = this;
    let count = 0;
    for (let i = 0; i < most; i++) {
      const record = records[moved[i]!]!;
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

  private setProxy(record: ColliderRecord, proxy: number): void {
    record.proxy = proxy;
    this.rows.proxies[record.rank] = proxy;
  }

  private takeOut(record: ColliderRecord): void {
    const { proxy } = record;
    if (proxy >= 0) {
      this.broadPhase.remove(proxy);
      this.byProxy[proxy] = undefined;
      this.freeProxies.push(proxy);
      this.setProxy(record, -1);
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

/**
 * Which colliders touch, from update to update: enter, stay, leave. RTCD §2.4.1, §2.5.
 *
 *   broad phase → near pairs → filters and exact tests → sort ─┐
 *                                                              ├─ merge → pairs → events
 *                         pairs of the last update, sorted ────┘
 *
 * Tests run in the order of the broad phase, in which neighbours follow each other: what one needs is still in the cache. Both
 * lists are then sorted by the two ids, so one walk along both shows which pairs are new, known or gone, and events come out
 * in order. A pair is tested again only when one of the two has changed. When few have, only these are searched for.
 */
import { addPair, makePairList, type PairList } from '../broadphase/pair-list.ts';
import { relativeFrame } from '../convex/frame.ts';
import { intersectShapes } from '../shapes/pairs/dispatch.ts';
import { releaseContext, takeContext } from '../shapes/pairs/pair-context.ts';
import { type ColliderRecord, readPose } from './collider-record.ts';
import type { ColliderSet } from './collider-set.ts';
import { mayMeet, type PairFilter } from './filter.ts';

/** Two colliders began to touch, still do, or ceased to. a < b. */
export interface PairEvent {
  a: number;
  b: number;
  phase: 'enter' | 'stay' | 'leave';
  /** Is one of them a sensor? */
  sensor: boolean;
}

/** What the last update did. */
export interface UpdateStats {
  /** Colliders that had moved, were new or changed. */
  moved: number;
  /** Pairs whose boxes share a point and that may meet. */
  candidates: number;
  /** Those that were tested. */
  asked: number;
  /** Those that were not, as neither has moved: the answer is that of the update before. */
  kept: number;
}

/** The two touch. */
const TOUCHING = 1;
/** They did at the last update. */
const TOUCHED = 2;
/** One of them is a sensor. */
const SENSOR = 4;
/** Their boxes have parted, or they may no longer meet: the pair goes after its event. */
const GONE = 8;
/** Neither has changed: the answer is that of the last update. */
const SAME = 16;

/** Pairs by a, then b, in flat arrays. */
class PairRows {
  count = 0;
  a = new Int32Array(64);
  b = new Int32Array(64);
  flags = new Uint8Array(64);

  push(a: number, b: number, flags: number): void {
    const { count } = this;
    if (count === this.a.length) this.enlarge();
    this.a[count] = a;
    this.b[count] = b;
    this.flags[count] = flags;
    this.count = count + 1;
  }

  private enlarge(): void {
    const { a, b, flags, count } = this;
    this.a = new Int32Array(2 * count);
    this.b = new Int32Array(2 * count);
    this.flags = new Uint8Array(2 * count);
    this.a.set(a);
    this.b.set(b);
    this.flags.set(flags);
  }
}

/** @internal */
export class PairManager {
  readonly stats: UpdateStats = { moved: 0, candidates: 0, asked: 0, kept: 0 };
  private readonly colliders: ColliderSet;
  private readonly filter: PairFilter | undefined;
  /** The pairs of the last update, and those of the update under way. */
  private known = new PairRows();
  private next = new PairRows();
  /** Pairs of ranks, the lower first. */
  private readonly near: PairList = makePairList();
  private nearCount = 0;
  /** For each of them what the test says. */
  private results = new Uint8Array(1024);
  /** Memory of the sort. */
  private byHigh = new Int32Array(1024);
  private resultsByHigh = new Uint8Array(1024);
  private starts = new Int32Array(64);
  /** By proxy. */
  private ranks = new Int32Array(64);
  /** The one whose neighbours are searched for. */
  private current: ColliderRecord | null = null;

  constructor(colliders: ColliderSet, filter: PairFilter | undefined) {
    this.colliders = colliders;
    this.filter = filter;
  }

  /** Looks at all pairs with one of those that have changed, whose boxes the broad phase knows, and fills `out`. */
  update(out: PairEvent[]): PairEvent[] {
    const { stats } = this;
    const records = this.colliders.sorted();
    let moved = 0;
    for (const { dirty } of records) if (dirty) moved++;
    stats.moved = moved;
    stats.kept = 0;
    const few = 4 * moved < records.length || moved === 0;
    this.nearCount = 0;
    if (few) this.findNearChanged(records);
    else this.findNear(records);
    if (this.results.length < this.nearCount) this.growResults();
    this.test(records);
    this.sort(records.length);
    this.merge(records, few);
    stats.candidates = stats.asked + stats.kept;
    this.emit(out);
    if (moved > 0) for (const record of records) record.dirty = false;
    return out;
  }

  /** All pairs. */
  private findNear(records: readonly ColliderRecord[]): void {
    const { near, colliders } = this;
    const { broadPhase, byProxy, unbounded } = colliders;
    if (broadPhase.collectPairs) this.nearCount = broadPhase.collectPairs(near);
    else broadPhase.pairs(this.addProxies);
    if (this.ranks.length < byProxy.length) this.ranks = new Int32Array(2 * byProxy.length);
    const { ranks } = this;
    for (const { proxy, rank } of records) if (proxy >= 0) ranks[proxy] = rank;
    const { ids } = near;
    for (let i = 0; i < 2 * this.nearCount; i += 2) {
      const one = ranks[ids[i]!]!;
      const two = ranks[ids[i + 1]!]!;
      ids[i] = Math.min(one, two);
      ids[i + 1] = Math.max(one, two);
    }
    for (const one of unbounded)
      for (const two of records) if (two.proxy >= 0 || two.rank < one.rank) this.addNear(one, two);
  }

  /** All pairs with one of those that have changed; of two that have, when the later one is looked at. */
  private findNearChanged(records: readonly ColliderRecord[]): void {
    const { broadPhase, unbounded } = this.colliders;
    for (const record of records) {
      if (!record.dirty) continue;
      this.current = record;
      if (record.proxy >= 0) {
        broadPhase.searchBox(record.box, this.addNeighbour);
        for (const other of unbounded) this.addChanged(record, other);
      } else for (const other of records) this.addChanged(record, other);
    }
  }

  private readonly addProxies = (i: number, j: number): void => {
    addPair(this.near, this.nearCount++, i, j);
  };

  private readonly addNeighbour = (proxy: number): void =>
    this.addChanged(this.current!, this.colliders.byProxy[proxy]!);

  private addChanged(changed: ColliderRecord, other: ColliderRecord): void {
    if (other !== changed && (!other.dirty || other.rank < changed.rank)) this.addNear(changed, other);
  }

  private addNear({ rank: i }: ColliderRecord, { rank: j }: ColliderRecord): void {
    addPair(this.near, this.nearCount++, Math.min(i, j), Math.max(i, j));
  }

  private growResults(): void {
    const { length } = this.near.ids;
    this.results = new Uint8Array(length);
    this.resultsByHigh = new Uint8Array(length);
    this.byHigh = new Int32Array(length);
  }

  /** Filters and tests the near pairs. If a filter throws, nothing has changed. */
  private test(records: readonly ColliderRecord[]): void {
    const { results, filter, stats, nearCount } = this;
    const { ids } = this.near;
    const poses = this.colliders.flatPoses();
    const context = takeContext();
    const { poseA, poseB } = context;
    let asked = 0;
    try {
      for (let i = 0; i < nearCount; i++) {
        const one = records[ids[2 * i]!]!;
        const two = records[ids[2 * i + 1]!]!;
        if (!one.dirty && !two.dirty) results[i] = SAME;
        else if (mayMeet(one, two) && (filter === undefined || filter(one, two))) {
          asked++;
          readPose(poses, 7 * one.rank, poseA);
          readPose(poses, 7 * two.rank, poseB);
          relativeFrame(poseA, poseB, context.frame);
          const sensor = one.sensor || two.sensor ? SENSOR : 0;
          results[i] = intersectShapes(one.shape, two.shape, context) ? TOUCHING | sensor : 0;
        } else results[i] = GONE;
      }
    } finally {
      releaseContext();
    }
    stats.asked = asked;
  }

  /** Sorts the near pairs of `n` colliders: by the higher rank, then by the lower, counting. */
  private sort(n: number): void {
    const { byHigh, resultsByHigh, results, nearCount } = this;
    const { ids } = this.near;
    const lows = n + 1;
    if (this.starts.length < 2 * lows) this.starts = new Int32Array(4 * lows);
    const { starts } = this;
    starts.fill(0, 0, 2 * lows);
    for (let i = 0; i < nearCount; i++) {
      starts[lows + ids[2 * i]! + 1]!++;
      starts[ids[2 * i + 1]! + 1]!++;
    }
    for (let i = 1; i <= n; i++) {
      starts[i]! += starts[i - 1]!;
      starts[lows + i]! += starts[lows + i - 1]!;
    }
    for (let i = 0; i < nearCount; i++) {
      const at = starts[ids[2 * i + 1]!]!++;
      byHigh[2 * at] = ids[2 * i]!;
      byHigh[2 * at + 1] = ids[2 * i + 1]!;
      resultsByHigh[at] = results[i]!;
    }
    for (let i = 0; i < nearCount; i++) {
      const at = starts[lows + byHigh[2 * i]!]!++;
      ids[2 * at] = byHigh[2 * i]!;
      ids[2 * at + 1] = byHigh[2 * i + 1]!;
      results[at] = resultsByHigh[i]!;
    }
  }

  /** Fills `next` from the near pairs and the known ones. */
  private merge(records: readonly ColliderRecord[], few: boolean): void {
    const { known, next, stats, results } = this;
    const { a, b, flags, count } = known;
    const { ids } = this.near;
    next.count = 0;
    let row = 0;
    for (let i = 0; i < this.nearCount; i++) {
      const { id } = records[ids[2 * i]!]!;
      const { id: other } = records[ids[2 * i + 1]!]!;
      const result = results[i]!;
      while (row < count && (a[row]! < id || (a[row] === id && b[row]! < other))) this.keep(row++, few);
      const isKnown = row < count && a[row] === id && b[row] === other;
      const before = isKnown ? flags[row++]! : 0;
      if (result === SAME) {
        // Without a row the filters did not let it through.
        if (!isKnown) continue;
        next.push(id, other, before);
        stats.kept++;
      } else if ((result & TOUCHING) !== 0) next.push(id, other, (before & TOUCHED) | result);
      // A leave reports the two as they were when they touched.
      else if (result === 0 || (before & TOUCHED) !== 0) next.push(id, other, (before & ~TOUCHING) | result);
    }
    while (row < count) this.keep(row++, few);
  }

  /** A known pair that was not found: the boxes have parted, or were not tested, as neither has changed. */
  private keep(row: number, few: boolean): void {
    const { known, next, stats, colliders } = this;
    const a = known.a[row]!;
    const b = known.b[row]!;
    const flags = known.flags[row]!;
    if (few && colliders.byId.get(a)?.dirty === false && colliders.byId.get(b)?.dirty === false) {
      next.push(a, b, flags);
      stats.kept++;
    } else if ((flags & TOUCHED) !== 0) next.push(a, b, (flags & ~TOUCHING) | GONE);
  }

  /** Writes the events of `next`, which becomes `known`, and drops what has gone. */
  private emit(out: PairEvent[]): void {
    const { known, next } = this;
    const { a, b, flags } = next;
    let events = 0;
    let kept = 0;
    for (let row = 0; row < next.count; row++) {
      const is = flags[row]!;
      if ((is & (TOUCHING | TOUCHED)) !== 0) {
        const phase = (is & TOUCHING) === 0 ? 'leave' : (is & TOUCHED) !== 0 ? 'stay' : 'enter';
        let event = out[events];
        // What was in the list may be anything.
        if (typeof event !== 'object' || event === null)
          out[events] = event = { a: 0, b: 0, phase, sensor: false };
        events++;
        event.a = a[row]!;
        event.b = b[row]!;
        event.phase = phase;
        event.sensor = (is & SENSOR) !== 0;
      }
      if ((is & GONE) !== 0) continue;
      a[kept] = a[row]!;
      b[kept] = b[row]!;
      flags[kept++] = (is & TOUCHING) === 0 ? is & ~TOUCHED : is | TOUCHED;
    }
    out.length = events;
    next.count = kept;
    this.known = next;
    this.next = known;
  }

  /** The pairs that touched at the last update: a, b and 1 if one was a sensor, one after the other; sorted. */
  touching(): number[] {
    const { a, b, flags, count } = this.known;
    const pairs: number[] = [];
    for (let row = 0; row < count; row++)
      if ((flags[row]! & TOUCHED) !== 0) pairs.push(a[row]!, b[row]!, (flags[row]! & SENSOR) !== 0 ? 1 : 0);
    return pairs;
  }

  /** Visits the colliders of the pairs that touched at the last update and are still there. */
  visitTouching(visit: (a: ColliderRecord, b: ColliderRecord) => unknown): void {
    const { a, b, flags, count } = this.known;
    const { byId } = this.colliders;
    for (let row = 0; row < count; row++) {
      if ((flags[row]! & TOUCHED) === 0) continue;
      const one = byId.get(a[row]!);
      const two = byId.get(b[row]!);
      if (one !== undefined && two !== undefined) visit(one, two);
    }
  }

  /** Takes such a list for the pairs of the last update. */
  restore(pairs: readonly number[]): void {
    this.known.count = 0;
    for (let i = 0; i < pairs.length; i += 3)
      this.known.push(pairs[i]!, pairs[i + 1]!, TOUCHED | TOUCHING | (pairs[i + 2] === 1 ? SENSOR : 0));
  }
}

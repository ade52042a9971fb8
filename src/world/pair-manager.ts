/**
 * Which colliders touch, from update to update: enter, stay, leave. RTCD §2.4.1, §2.5.
 *
 *   broad phase → near pairs → filters and exact tests → those that touch, sorted ─┐
 *                                                                                 ├─ merge → events
 *                             those that touched at the last update, sorted ──────┘
 *
 * Tests run in the order of the broad phase, in which neighbours follow each other: what one needs is still in the cache. Both
 * lists are sorted by the two ids, so one walk along both shows which pairs are new, known or gone, and events come out
 * in order. A pair is tested again only when one of the two has changed. When few have, only these are searched for.
 */
import { addPair, makePairList, type PairList } from '../broadphase/pair-list.ts';
import { APART, BOX_SIZES, overlapSizedBoxes, UNSURE } from '../convex/box-overlap.ts';
import { relativeFrame } from '../convex/frame.ts';
import { intersectShapes } from '../shapes/pairs/dispatch.ts';
import { releaseContext, takeContext } from '../shapes/pairs/pair-context.ts';
import { type ColliderRecord, readPose } from './collider-record.ts';
import { BOXED, type ColliderRows, DIRTY, PLAIN } from './collider-rows.ts';
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
  /** Pairs that were looked at: those that were asked and those that were kept. */
  candidates: number;
  /** Pairs whose boxes share a point, that may meet and were tested. */
  asked: number;
  /** Pairs that touch and were not tested, as neither has moved: they still do. */
  kept: number;
}

/** What is known of a near pair, in the low bits of its higher rank. Neither has changed: as at the last update. */
const SAME = 0;
const TOUCHING = 1;
/** And one of them is a sensor. */
const SENSED = 2;
const BITS = 2;
const MASK = 3;

/** Pairs that touch, by a, then b. */
class PairRows {
  count = 0;
  a = new Int32Array(64);
  b = new Int32Array(64);
  sensors = new Uint8Array(64);

  push(a: number, b: number, sensor: number): void {
    const { count } = this;
    if (count === this.a.length) this.enlarge();
    this.a[count] = a;
    this.b[count] = b;
    this.sensors[count] = sensor;
    this.count = count + 1;
  }

  private enlarge(): void {
    const { a, b, sensors, count } = this;
    this.a = new Int32Array(2 * count);
    this.b = new Int32Array(2 * count);
    this.sensors = new Uint8Array(2 * count);
    this.a.set(a);
    this.b.set(b);
    this.sensors.set(sensors);
  }
}

/** @internal */
export class PairManager {
  readonly stats: UpdateStats = { moved: 0, candidates: 0, asked: 0, kept: 0 };
  private readonly colliders: ColliderSet;
  private readonly filter: PairFilter | undefined;
  /** Those of the last update, and of the update under way. */
  private known = new PairRows();
  private next = new PairRows();
  /** Pairs of ranks, the lower first. */
  private readonly near: PairList = makePairList();
  private nearCount = 0;
  /** Events of the update under way. */
  private events = 0;
  /** Memory of the sort. */
  private byHigh = new Int32Array(1024);
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
    const rows = this.colliders.sorted();
    const moved = rows.countDirty();
    stats.moved = moved;
    const few = 4 * moved < rows.count || moved === 0;
    this.nearCount = 0;
    if (few) this.findNearChanged(rows);
    else this.findNear(rows);
    this.test(rows);
    this.sort(rows.count);
    this.merge(rows, few, out);
    stats.candidates = stats.asked + stats.kept;
    rows.clearDirty();
    return out;
  }

  /** All pairs. */
  private findNear({ count, proxies, records }: ColliderRows): void {
    const { near, colliders } = this;
    const { broadPhase, byProxy, unbounded } = colliders;
    if (broadPhase.collectPairs) this.nearCount = broadPhase.collectPairs(near);
    else broadPhase.pairs(this.addProxies);
    if (this.ranks.length < byProxy.length) this.ranks = new Int32Array(2 * byProxy.length);
    const { ranks } = this;
    for (let rank = 0; rank < count; rank++) if (proxies[rank]! >= 0) ranks[proxies[rank]!] = rank;
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
  private findNearChanged({ count, flags, records }: ColliderRows): void {
    const { broadPhase, unbounded } = this.colliders;
    for (let rank = 0; rank < count; rank++) {
      if ((flags[rank]! & DIRTY) === 0) continue;
      const record = records[rank]!;
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
    const isOther = other.rank < changed.rank || !this.colliders.sorted().isDirty(other);
    if (other !== changed && isOther) this.addNear(changed, other);
  }

  private addNear({ rank: i }: ColliderRecord, { rank: j }: ColliderRecord): void {
    addPair(this.near, this.nearCount++, Math.min(i, j), Math.max(i, j));
  }

  /** Filters and tests the near pairs, and keeps those that touch. If a filter throws, nothing has changed. */
  private test({ flags, poses, records, shapes, sizes }: ColliderRows): void {
    const { filter, nearCount } = this;
    const { ids } = this.near;
    const context = takeContext();
    const { poseA, poseB, frame } = context;
    let asked = 0;
    let kept = 0;
    try {
      for (let i = 0; i < 2 * nearCount; i += 2) {
        const one = ids[i]!;
        const two = ids[i + 1]!;
        let result = SAME;
        if (((flags[one]! | flags[two]!) & DIRTY) !== 0) {
          result = TOUCHING;
          if ((flags[one]! & flags[two]! & PLAIN) === 0 || filter !== undefined) {
            const a = records[one]!;
            const b = records[two]!;
            if (!(mayMeet(a, b) && (filter === undefined || filter(a, b)))) continue;
            if (a.sensor || b.sensor) result = SENSED;
          }
          asked++;
          readPose(poses, 7 * one, poseA);
          readPose(poses, 7 * two, poseB);
          relativeFrame(poseA, poseB, frame);
          const areBoxes = (flags[one]! & flags[two]! & BOXED) !== 0;
          const sure = areBoxes ? overlapSizedBoxes(sizes, BOX_SIZES * one, BOX_SIZES * two, frame) : UNSURE;
          if (sure === UNSURE ? !intersectShapes(shapes[one]!, shapes[two]!, context) : sure === APART)
            continue;
        }
        ids[kept] = one;
        ids[kept + 1] = (two << BITS) | result;
        kept += 2;
      }
    } finally {
      releaseContext();
    }
    this.stats.asked = asked;
    this.nearCount = kept >> 1;
  }

  /** Sorts the near pairs of `n` colliders: by the higher rank, then by the lower, counting. */
  private sort(n: number): void {
    const { ids } = this.near;
    const end = 2 * this.nearCount;
    const lows = n + 1;
    if (this.starts.length < 2 * lows) this.starts = new Int32Array(4 * lows);
    if (this.byHigh.length < end) this.byHigh = new Int32Array(2 * end);
    const { starts, byHigh } = this;
    starts.fill(0, 0, 2 * lows);
    for (let i = 0; i < end; i += 2) {
      starts[lows + ids[i]! + 1]!++;
      starts[(ids[i + 1]! >> BITS) + 1]!++;
    }
    for (let i = 1; i <= n; i++) {
      starts[i]! += starts[i - 1]!;
      starts[lows + i]! += starts[lows + i - 1]!;
    }
    for (let i = 0; i < end; i += 2) {
      const at = 2 * starts[ids[i + 1]! >> BITS]!++;
      byHigh[at] = ids[i]!;
      byHigh[at + 1] = ids[i + 1]!;
    }
    for (let i = 0; i < end; i += 2) {
      const at = 2 * starts[lows + byHigh[i]!]!++;
      ids[at] = byHigh[i]!;
      ids[at + 1] = byHigh[i + 1]!;
    }
  }

  /** Fills `next` and `out` from the near pairs and the known ones; then `next` is known. */
  private merge({ ids: numbers }: ColliderRows, few: boolean, out: PairEvent[]): void {
    const { known, next, stats } = this;
    const { a, b, count } = known;
    const { ids } = this.near;
    next.count = 0;
    stats.kept = 0;
    this.events = 0;
    let row = 0;
    for (let i = 0; i < 2 * this.nearCount; i += 2) {
      const id = numbers[ids[i]!]!;
      const other = numbers[ids[i + 1]! >> BITS]!;
      const result = ids[i + 1]! & MASK;
      while (row < count && (a[row]! < id || (a[row] === id && b[row]! < other)))
        this.leaveOut(row++, few, out);
      const isKnown = row < count && a[row] === id && b[row] === other;
      if (result !== SAME) this.touch(out, id, other, isKnown, +(result === SENSED));
      else if (isKnown) this.keep(row, out);
      if (isKnown) row++;
    }
    while (row < count) this.leaveOut(row++, few, out);
    out.length = this.events;
    this.known = next;
    this.next = known;
  }

  /** A known pair that was not found: they no longer touch, or were not searched for, as neither has changed. */
  private leaveOut(row: number, few: boolean, out: PairEvent[]): void {
    const { a, b, sensors } = this.known;
    if (few && this.isClean(a[row]!) && this.isClean(b[row]!)) this.keep(row, out);
    // A leave reports the two as they were when they touched.
    else this.emit(out, a[row]!, b[row]!, 'leave', sensors[row]! === 1);
  }

  private keep(row: number, out: PairEvent[]): void {
    const { a, b, sensors } = this.known;
    this.stats.kept++;
    this.touch(out, a[row]!, b[row]!, true, sensors[row]!);
  }

  private touch(out: PairEvent[], a: number, b: number, isKnown: boolean, sensor: number): void {
    this.next.push(a, b, sensor);
    this.emit(out, a, b, isKnown ? 'stay' : 'enter', sensor === 1);
  }

  private emit(out: PairEvent[], a: number, b: number, phase: PairEvent['phase'], sensor: boolean): void {
    const at = this.events++;
    const event = out[at];
    // What was in the list may be anything.
    if (typeof event !== 'object' || event === null) {
      out[at] = { a, b, phase, sensor };
      return;
    }
    event.a = a;
    event.b = b;
    event.phase = phase;
    event.sensor = sensor;
  }

  private isClean(id: number): boolean {
    const { byId } = this.colliders;
    const record = byId.get(id);
    return record !== undefined && !this.colliders.sorted().isDirty(record);
  }

  /** The pairs that touched at the last update: a, b and 1 if one was a sensor, one after the other; sorted. */
  touching(): number[] {
    const { a, b, sensors, count } = this.known;
    const pairs: number[] = [];
    for (let row = 0; row < count; row++) pairs.push(a[row]!, b[row]!, sensors[row]!);
    return pairs;
  }

  /** Visits the colliders of the pairs that touched at the last update and are still there. */
  visitTouching(visit: (a: ColliderRecord, b: ColliderRecord) => unknown): void {
    const { a, b, count } = this.known;
    const { byId } = this.colliders;
    for (let row = 0; row < count; row++) {
      const one = byId.get(a[row]!);
      const two = byId.get(b[row]!);
      if (one !== undefined && two !== undefined) visit(one, two);
    }
  }

  /** Takes such a list for the pairs of the last update. */
  restore(pairs: readonly number[]): void {
    this.known.count = 0;
    for (let i = 0; i < pairs.length; i += 3) this.known.push(pairs[i]!, pairs[i + 1]!, pairs[i + 2]!);
  }
}

/** Who touches whom, and what of it is new. */
import { intersects } from '../query/intersects.ts';
import type { Entry } from './entry.ts';
import { mayMeet, type PairFilter } from './filter.ts';
import { PairTable, SENSOR, TOLD, TOUCHING } from './pair-table.ts';
import type { Store } from './store.ts';

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
  /** Those that the exact test was asked about. */
  asked: number;
  /** Those that it was not, as neither has moved: the answer is that of the update before. */
  kept: number;
}

/**
 * Where boxes share a point the exact test decides; it is asked again only when one of the two has changed. RTCD §2.4.1,
 * §2.5. When few have changed, only these are searched for; the answers are the same.
 *
 * @internal
 */
export class PairKeeper {
  readonly table = new PairTable();
  readonly stats: UpdateStats = { moved: 0, candidates: 0, asked: 0, kept: 0 };
  private readonly store: Store;
  private readonly filter: PairFilter | undefined;
  private update = 0;
  private current: Entry | null = null;
  private keep = new Uint8Array(64);
  private keys = new Float64Array(64);

  constructor(store: Store, filter: PairFilter | undefined) {
    this.store = store;
    this.filter = filter;
  }

  /** Looks at all pairs with one of those that have changed. The store is up to date. */
  run(changed: readonly Entry[], out: PairEvent[]): PairEvent[] {
    const { store, stats } = this;
    this.update = (this.update + 1) | 0;
    stats.moved = changed.length;
    stats.candidates = stats.asked = stats.kept = 0;
    const few = 4 * changed.length < store.byId.size;
    if (few)
      for (const entry of changed) {
        this.current = entry;
        if (entry.slot >= 0) store.broad.searchBox(entry.box, this.meetCurrent);
        else for (const other of store.byId.values()) this.meet(entry, other);
      }
    else if (changed.length > 0) store.broad.pairs(this.meetSlots);
    if (!few || changed.length > 0) this.meetUnbounded(few ? changed : null);
    const events = this.tell(few || changed.length === 0, out);
    for (const entry of changed) entry.dirty = false;
    return events;
  }

  private readonly meetSlots = (i: number, j: number): void => {
    const { bySlot } = this.store;
    this.meet(bySlot[i]!, bySlot[j]!);
  };

  private readonly meetCurrent = (slot: number): void => {
    this.meet(this.current!, this.store.bySlot[slot]!);
  };

  /** With what is not in the broad phase, everyone else may meet: all, or those given. */
  private meetUnbounded(those: readonly Entry[] | null): void {
    for (const entry of this.store.unbounded)
      for (const other of those ?? this.store.byId.values()) this.meet(entry, other);
  }

  private meet(one: Entry, two: Entry): void {
    if (one === two) return;
    const first = one.id < two.id ? one : two;
    const second = one.id < two.id ? two : one;
    const { table, stats, update } = this;
    let row = table.find(first.id, second.id);
    if (!first.dirty && !second.dirty) {
      // Had they been let through by the filters, there would be a row.
      if (row >= 0 && table.seen[row] !== update) {
        table.seen[row] = update;
        stats.kept++;
        stats.candidates++;
      }
      return;
    }
    if (row >= 0 && table.seen[row] === update) return;
    if (!mayMeet(first, second) || (this.filter !== undefined && !this.filter(first, second))) return;
    if (row < 0) row = table.insert(first.id, second.id);
    table.seen[row] = update;
    stats.asked++;
    stats.candidates++;
    // A leave tells of the two as they were when they touched.
    if (intersects(first.body, second.body))
      table.flags[row] = (table.flags[row]! & TOLD) | TOUCHING | (first.sensor || second.sensor ? SENSOR : 0);
    else table.flags[row]! &= ~TOUCHING;
  }

  /** Makes the events, sorted, and lets go of rows whose boxes have parted. */
  private tell(few: boolean, out: PairEvent[]): PairEvent[] {
    const { table, store, update, stats } = this;
    const { byId } = store;
    const { count } = table;
    if (this.keep.length < count) {
      this.keep = new Uint8Array(2 * count);
      this.keys = new Float64Array(2 * count);
    }
    const { keep } = this;
    for (let row = 0; row < count; row++) {
      keep[row] = 1;
      if (table.seen[row] === update) continue;
      // Not found again: the boxes have parted, or nobody looked, as neither has changed.
      const a = byId.get(table.a[row]!);
      const b = byId.get(table.b[row]!);
      if (few && a !== undefined && b !== undefined && !a.dirty && !b.dirty) {
        stats.kept++;
        stats.candidates++;
        continue;
      }
      keep[row] = 0;
      table.flags[row]! &= ~TOUCHING;
    }
    this.write(out);
    table.compact(keep);
    return out;
  }

  private write(out: PairEvent[]): void {
    const { table } = this;
    const { flags } = table;
    let told = 0;
    for (let row = 0; row < table.count; row++)
      if ((flags[row]! & (TOUCHING | TOLD)) !== 0) this.keys[told++] = row;
    const rows = this.keys.subarray(0, told);
    sortRows(rows, table);
    for (let i = 0; i < told; i++) {
      const row = rows[i]!;
      const is = flags[row]!;
      const now = (is & TOUCHING) !== 0;
      const phase = now ? ((is & TOLD) !== 0 ? 'stay' : 'enter') : 'leave';
      if (i === out.length) out.push({ a: 0, b: 0, phase, sensor: false });
      const event = out[i]!;
      event.a = table.a[row]!;
      event.b = table.b[row]!;
      event.phase = phase;
      event.sensor = (is & SENSOR) !== 0;
      flags[row] = now ? is | TOLD : is & ~TOLD;
    }
    out.length = told;
  }
}

/** Rows by a, then by b. */
function sortRows(rows: Float64Array, { a, b }: PairTable): void {
  rows.sort((i, j) => a[i]! - a[j]! || b[i]! - b[j]!);
}

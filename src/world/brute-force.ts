/**
 * The answers of a world by asking every collider: the reference that a `DebugWorld` holds its answers against. It knows
 * nothing of boxes and broad phases.
 */
import type { ReadonlyVec3 } from '../math/types.ts';
import { pose as makePose } from '../math/types.ts';
import type { ReadonlyRay } from '../primitives/types.ts';
import type { Body } from '../query/body.ts';
import { cast, type Motion } from '../query/cast.ts';
import { contacts } from '../query/contacts.ts';
import { distance } from '../query/distance.ts';
import { intersects } from '../query/intersects.ts';
import { raycast } from '../query/raycast.ts';
import { point } from '../shapes/flat-sided-shapes.ts';
import { type ColliderRecord, USE_CAST, USE_CONTACT, USE_OVERLAP, USE_RAY } from './collider-record.ts';
import { type Filter, mayMeet, NO_FILTER, type PairFilter, sees } from './filter.ts';
import type { PairEvent } from './pair-manager.ts';
import type { QueryName } from './query-log.ts';
import type { WorldHit, WorldSeparation } from './results.ts';
import type { HitMode } from './scene-query.ts';

interface Options {
  readonly filter?: Filter;
  readonly mode?: HitMode;
  readonly maxDistance?: number;
  readonly margin?: number;
  readonly solid?: boolean;
  readonly side?: 'both' | 'front' | 'back';
}

/** @internal */
export class BruteForce implements Record<QueryName, (...args: never[]) => unknown> {
  private readonly records: () => readonly ColliderRecord[];
  private readonly filter: PairFilter | undefined;
  /** Pairs that touched at the last update, a, then b; and whether one of the two was a sensor. */
  private touched = new Map<string, boolean>();

  /** `records` returns all colliders by id. */
  constructor(records: () => readonly ColliderRecord[], filter: PairFilter | undefined) {
    this.records = records;
    this.filter = filter;
  }

  private seen(use: number, filter: Filter = NO_FILTER): readonly ColliderRecord[] {
    return this.records().filter(
      (record) => sees(filter, use, record) && (filter.predicate?.(record) ?? true),
    );
  }

  raycast(ray: ReadonlyRay, { filter, maxDistance, solid, side, mode }: Options = {}): unknown {
    const hits: WorldHit[] = [];
    for (const record of this.seen(USE_RAY, filter)) {
      const hit = raycast(ray, record, { maxDistance, solid, side });
      if (hit) hits.push({ ...hit, id: record.id });
    }
    return hitsFor(mode, hits);
  }

  cast(body: Body, motion: Motion, { filter, mode }: Options = {}): unknown {
    const hits: WorldHit[] = [];
    for (const record of this.seen(USE_CAST, filter)) {
      const hit = cast(body, motion, record);
      if (hit) hits.push({ ...hit, id: record.id });
    }
    return hitsFor(mode, hits);
  }

  overlaps(body: Body, { filter }: Options = {}): number[] {
    return this.seen(USE_OVERLAP, filter)
      .filter((record) => intersects(body, record))
      .map((record) => record.id);
  }

  nearest(from: ReadonlyVec3 | Body, { filter, maxDistance }: Options = {}): WorldSeparation | null {
    const body =
      'shape' in from || 'kind' in from ? from : { shape: point(), pose: { ...makePose(), position: from } };
    let best: WorldSeparation | null = null;
    for (const record of this.seen(USE_CONTACT, filter)) {
      const gap = distance(body, record, { maxDistance });
      if (gap && (best === null || gap.separation < best.separation)) best = { ...gap, id: record.id };
    }
    return best;
  }

  contacts(body: Body, { filter, margin }: Options = {}): WorldSeparation[] {
    return this.seen(USE_CONTACT, filter).flatMap((record) =>
      contacts(body, record, { margin }).map((contact) => ({ ...contact, id: record.id })),
    );
  }

  /** The events of an update, sorted; the world has read the poses. */
  update(): PairEvent[] {
    const all = this.records();
    const now = new Map<string, boolean>();
    for (const [i, a] of all.entries())
      for (const b of all.slice(i + 1))
        if (mayMeet(a, b) && (this.filter?.(a, b) ?? true) && intersects(a, b))
          now.set(`${a.id} ${b.id}`, a.sensor || b.sensor);
    const events = [...new Set([...now.keys(), ...this.touched.keys()])].map((key): PairEvent => {
      const [a = 0, b = 0] = key.split(' ').map(Number);
      const phase = !now.has(key) ? 'leave' : this.touched.has(key) ? 'stay' : 'enter';
      return { a, b, phase, sensor: now.get(key) ?? this.touched.get(key) ?? false };
    });
    this.touched = now;
    return events.sort((x, y) => x.a - y.a || x.b - y.b);
  }

  /** Pairs that touch, from a snapshot: a, b and 1 for a sensor, one after the other. */
  restore(pairs: ArrayLike<number>): void {
    this.touched = new Map();
    for (let i = 0; i < pairs.length; i += 3)
      this.touched.set(`${pairs[i]} ${pairs[i + 1]}`, pairs[i + 2] === 1);
  }
}

function hitsFor(mode: HitMode | undefined, hits: WorldHit[]): unknown {
  hits.sort((a, b) => a.t - b.t || a.id - b.id);
  return mode === 'any' ? hits.length > 0 : mode === 'all' ? hits : (hits[0] ?? null);
}

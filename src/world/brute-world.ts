/**
 * The answers of a world by asking every collider: the reference that `verify` holds the world against. It knows nothing
 * of boxes and broad phases.
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
import { type Entry, USE_CAST, USE_CONTACT, USE_OVERLAP, USE_RAY } from './entry.ts';
import { type Filter, mayMeet, type PairFilter, sees } from './filter.ts';
import type { PairEvent } from './pair-keeper.ts';
import type { WorldContact, WorldHit, WorldNearest } from './results.ts';

/** @internal */
export class BruteWorld {
  private readonly entries: () => Iterable<Entry>;
  private readonly filter: PairFilter | undefined;
  /** Pairs that touched at the last update, a, then b; and whether one of the two was a sensor. */
  private touched = new Map<string, boolean>();

  constructor(entries: () => Iterable<Entry>, filter: PairFilter | undefined) {
    this.entries = entries;
    this.filter = filter;
  }

  private seen(use: number, filter: Filter): Entry[] {
    return [...this.entries()]
      .filter((entry) => sees(filter, use, entry) && (filter.predicate?.(entry) ?? true))
      .sort((a, b) => a.id - b.id);
  }

  raycastAll(ray: ReadonlyRay, tMax: number, filter: Filter): WorldHit[] {
    const hits: WorldHit[] = [];
    for (const { id, body } of this.seen(USE_RAY, filter)) {
      const hit = raycast(ray, body, tMax);
      if (hit) hits.push({ ...hit, id });
    }
    return hits.sort(byTime);
  }

  raycast(ray: ReadonlyRay, tMax: number, filter: Filter): WorldHit | null {
    return this.raycastAll(ray, tMax, filter)[0] ?? null;
  }

  raycastAny(ray: ReadonlyRay, tMax: number, filter: Filter): boolean {
    return this.raycastAll(ray, tMax, filter).length > 0;
  }

  castAll(body: Body, motion: Motion, filter: Filter): WorldHit[] {
    const hits: WorldHit[] = [];
    for (const entry of this.seen(USE_CAST, filter)) {
      const hit = cast(body, motion, entry.body);
      if (hit) hits.push({ ...hit, id: entry.id });
    }
    return hits.sort(byTime);
  }

  cast(body: Body, motion: Motion, filter: Filter): WorldHit | null {
    return this.castAll(body, motion, filter)[0] ?? null;
  }

  overlaps(body: Body, filter: Filter): number[] {
    return this.seen(USE_OVERLAP, filter)
      .filter((entry) => intersects(body, entry.body))
      .map((entry) => entry.id);
  }

  nearest(place: ReadonlyVec3 | Body, maxDistance: number, filter: Filter): WorldNearest | null {
    const body =
      'shape' in place || 'kind' in place
        ? place
        : { shape: point(), pose: { ...makePose(), position: place } };
    let best: WorldNearest | null = null;
    for (const entry of this.seen(USE_CONTACT, filter)) {
      const gap = distance(body, entry.body, { maxDistance });
      if (gap && (best === null || gap.separation < best.separation)) best = { ...gap, id: entry.id };
    }
    return best;
  }

  contacts(body: Body, margin: number, filter: Filter): WorldContact[] {
    return this.seen(USE_CONTACT, filter).flatMap((entry) =>
      contacts(body, entry.body, { margin }).map((contact) => ({ ...contact, id: entry.id })),
    );
  }

  /** The events of an update, sorted; the world has read the poses. */
  update(): PairEvent[] {
    const all = [...this.entries()].sort((a, b) => a.id - b.id);
    const now = new Map<string, boolean>();
    for (const [i, a] of all.entries())
      for (const b of all.slice(i + 1))
        if (mayMeet(a, b) && (this.filter?.(a, b) ?? true) && intersects(a.body, b.body))
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

const byTime = (a: WorldHit, b: WorldHit): number => a.t - b.t || a.id - b.id;

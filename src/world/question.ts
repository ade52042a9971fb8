/**
 * One question to a world, from the broad phase to the answer. A question may call code of the user's (a predicate), which
 * may ask the next one: each has a record of its own.
 */
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import type { Body } from '../query/body.ts';
import { cast, type Motion } from '../query/cast.ts';
import { contacts } from '../query/contacts.ts';
import { distance } from '../query/distance.ts';
import { intersects } from '../query/intersects.ts';
import { raycast, raycastAny } from '../query/raycast.ts';
import type { Contact } from '../query/results.ts';
import { makeCastHit, makeSeparation } from '../query/results.ts';
import { sweptBoundsOf } from '../query/swept-bounds.ts';
import type { Shape } from '../shapes/shape.ts';
import {
  Candidates,
  copyVector,
  entryTime,
  extentOf,
  grow,
  makeOwnAabb,
  NEAR,
  POINT,
  sortCandidates,
  spreadOf,
} from './candidates.ts';
import { type Entry, makeOwnPose, USE_CAST, USE_CONTACT, USE_OVERLAP, USE_RAY } from './entry.ts';
import { type Filter, sees } from './filter.ts';
import type { WorldNearest } from './results.ts';
import {
  copyHit,
  copyNearest,
  makeWorldHit,
  makeWorldNearest,
  type WorldContact,
  type WorldHit,
} from './results.ts';

/**
 * What is asked of a farther collider is cut short a little beyond the best answer so far, not at it: an answer that is
 * cut off at a limit must not be taken for one as good.
 */
const BEYOND = 1 + 1e-9;
/** What boxes say about distances is off by some roundings. */
const NEARER = 1 - 1e-14;
/** No part of a search outward has been done. */
const NOTHING = -2;

const NO_RAY: ReadonlyRay = { origin: vec3(), direction: vec3() };

/** @internal */
export class Question extends Candidates {
  private ray: ReadonlyRay = NO_RAY;
  private readonly ownRay = { origin: vec3(0.5, 0.5, 0.5), direction: vec3(0.5, 0.5, 0.5) };
  /** Nothing beyond is of interest. */
  private readonly limit = { t: 0.5, tMax: 0.5, inner: 0.5 };
  private readonly hit = makeCastHit();
  private readonly gap = makeSeparation();
  private readonly bestHit = makeWorldHit();
  private readonly bestGap = makeWorldNearest();
  private readonly touching: Contact[] = [];
  private readonly box = makeOwnAabb();
  private hits: WorldHit[] | null = null;
  private hitCount = 0;
  private yes = false;

  // ---- rays

  raycast(ray: ReadonlyRay, tMax: number, filter: Filter, out: WorldHit | undefined): WorldHit | null {
    this.hits = null;
    this.bestHit.id = -1;
    this.shoot(ray, tMax, filter, this.meetClosest);
    const { bestHit } = this;
    return bestHit.id < 0 ? null : copyHit(bestHit, bestHit.id, out ?? makeWorldHit());
  }

  raycastAny(ray: ReadonlyRay, tMax: number, filter: Filter): boolean {
    this.yes = false;
    this.shoot(ray, tMax, filter, this.meetAny);
    return this.yes;
  }

  raycastAll(ray: ReadonlyRay, tMax: number, filter: Filter, out: WorldHit[]): WorldHit[] {
    this.hits = out;
    this.hitCount = 0;
    this.shoot(ray, tMax, filter, this.meetAll);
    this.hits = null;
    return sortHits(out, this.hitCount);
  }

  /** Meets half-spaces first: they are cheap, and shorten the ray. */
  private shoot(
    ray: ReadonlyRay,
    tMax: number,
    filter: Filter,
    meet: (slot: number, t: number) => unknown,
  ): void {
    const { store, ownRay, limit } = this;
    this.start(filter, USE_RAY);
    copyVector(ray.origin, ownRay.origin);
    copyVector(ray.direction, ownRay.direction);
    this.ray = ownRay;
    limit.t = tMax;
    limit.tMax = tMax;
    const { x, y, z } = ownRay.origin;
    const covered = store.covers(Math.abs(x) + Math.abs(y) + Math.abs(z));
    for (const entry of store.unbounded) if (this.meet(entry, meet)) return;
    if (covered) store.broad.searchRay(ownRay, limit.t, meet);
    else for (const entry of store.byId.values()) if (entry.slot >= 0 && this.meet(entry, meet)) return;
  }

  /** Outside of the broad phase. Returns whether that is all. */
  private meet(entry: Entry, meet: (slot: number, t: number) => unknown): boolean {
    this.outside = entry;
    const next = meet(-1, 0);
    return typeof next === 'number' && next < 0;
  }
  private outside: Entry | null = null;

  private readonly meetClosest = (slot: number): number | undefined => {
    const entry = slot < 0 ? this.outside! : this.store.bySlot[slot]!;
    if (!sees(this.filter, USE_RAY, entry) || !this.admits(entry)) return undefined;
    const { limit, bestHit, hit } = this;
    const far = Math.min(limit.tMax, limit.t * BEYOND);
    if (raycast(entry.body, this.ray, far, hit) === null) return undefined;
    if (bestHit.id >= 0 && !(hit.t < bestHit.t || (hit.t === bestHit.t && entry.id < bestHit.id)))
      return undefined;
    copyHit(hit, entry.id, bestHit);
    limit.t = hit.t;
    return hit.t;
  };

  private readonly meetAny = (slot: number): number | undefined => {
    const entry = slot < 0 ? this.outside! : this.store.bySlot[slot]!;
    if (!sees(this.filter, USE_RAY, entry) || !this.admits(entry)) return undefined;
    if (!raycastAny(entry.body, this.ray, this.limit.t)) return undefined;
    this.yes = true;
    return -1;
  };

  private readonly meetAll = (slot: number): undefined => {
    const entry = slot < 0 ? this.outside! : this.store.bySlot[slot]!;
    if (!sees(this.filter, USE_RAY, entry) || !this.admits(entry)) return;
    if (raycast(entry.body, this.ray, this.limit.t, this.hit) !== null) this.addHit(entry);
  };

  private addHit({ id }: Entry): void {
    const list = this.hits!;
    if (this.hitCount === list.length) list.push(makeWorldHit());
    copyHit(this.hit, id, list[this.hitCount++]!);
  }

  // ---- casts

  cast(body: Body, motion: Motion, filter: Filter, out: WorldHit | undefined): WorldHit | null {
    this.gatherOnWay(body, motion, filter);
    const { bestHit, hit, entries, keys } = this;
    bestHit.id = -1;
    for (let i = 0; i < this.count; i++) {
      const entry = entries[i]!;
      if (bestHit.id >= 0 && keys[i]! > bestHit.t) break;
      if (!this.admits(entry) || cast(this.mover, motion, entry.body, hit) === null) continue;
      if (bestHit.id < 0 || hit.t < bestHit.t || (hit.t === bestHit.t && entry.id < bestHit.id))
        copyHit(hit, entry.id, bestHit);
    }
    return bestHit.id < 0 ? null : copyHit(bestHit, bestHit.id, out ?? makeWorldHit());
  }

  castAll(body: Body, motion: Motion, filter: Filter, out: WorldHit[]): WorldHit[] {
    this.gatherOnWay(body, motion, filter);
    this.hits = out;
    this.hitCount = 0;
    for (let i = 0; i < this.count; i++) {
      const entry = this.entries[i]!;
      if (this.admits(entry) && cast(this.mover, motion, entry.body, this.hit) !== null) this.addHit(entry);
    }
    this.hits = null;
    return sortHits(out, this.hitCount);
  }

  /** All that the body may touch on its way, by the time at which the boxes do, at the earliest. */
  private gatherOnWay(body: Body, motion: Motion, filter: Filter): void {
    this.start(filter, USE_CAST);
    let covered = this.loadMover(body);
    const { box, room, store, moverBox } = this;
    sweptBoundsOf(this.mover, motion, box);
    if (covered) covered = store.covers(extentOf(box));
    room.size = Math.max(room.size, store.slack);
    grow(box, room.size + NEAR * spreadOf(box));
    this.gather(box, covered);
    const straight = 'translation' in motion && !('axis' in motion);
    for (let i = 0; i < this.count; i++) {
      const entry = this.entries[i]!;
      this.keys[i] = straight && entry.slot >= 0 ? entryTime(moverBox, motion.translation, entry.box) : 0;
    }
    sortCandidates(this.entries, this.keys, this.count);
  }

  // ---- places

  overlaps(body: Body, filter: Filter, out: number[]): number[] {
    this.start(filter, USE_OVERLAP);
    const covered = this.loadMover(body);
    this.gather(this.moverBox, covered);
    sortCandidates(this.entries, this.keys, this.count);
    let found = 0;
    for (let i = 0; i < this.count; i++) {
      const entry = this.entries[i]!;
      if (this.admits(entry) && intersects(this.mover, entry.body)) out[found++] = entry.id;
    }
    out.length = found;
    return out;
  }

  contacts(body: Body, margin: number, filter: Filter, out: WorldContact[]): WorldContact[] {
    this.start(filter, USE_CONTACT);
    const covered = this.loadMover(body);
    grow(this.moverBox, margin);
    this.gather(this.moverBox, covered);
    sortCandidates(this.entries, this.keys, this.count);
    let found = 0;
    for (let i = 0; i < this.count; i++) {
      const entry = this.entries[i]!;
      if (!this.admits(entry)) continue;
      contacts(this.mover, entry.body, margin, this.touching);
      for (const contact of this.touching) {
        if (found === out.length) out.push(makeWorldNearest());
        copyNearest(contact, entry.id, out[found++]!);
      }
    }
    out.length = found;
    return out;
  }

  searchBox(box: ReadonlyAabb, visit: (id: number) => unknown): void {
    this.start(ALL, -1);
    this.gather(box, true);
    sortCandidates(this.entries, this.keys, this.count);
    for (let i = 0; i < this.count; i++) if (visit(this.entries[i]!.id) === false) return;
  }

  nearest(
    place: ReadonlyVec3 | Body,
    maxDistance: number,
    filter: Filter,
    out: WorldNearest | undefined,
  ): WorldNearest | null {
    const { bestGap, limit } = this;
    bestGap.id = -1;
    limit.t = maxDistance;
    this.start(filter, USE_CONTACT);
    const covered = this.loadMover(isPoint(place) ? atPoint(place) : place);
    if (covered) this.searchOutward(maxDistance);
    else {
      this.gatherAll();
      limit.inner = NOTHING;
      this.dropWithin();
      this.askNearest(maxDistance);
    }
    return bestGap.id < 0 ? null : copyNearest(bestGap, bestGap.id, out ?? makeWorldNearest());
  }

  /**
   * Boxes around the mover that grow twofold, until one holds all that could be nearer than the best. The first has
   * about the size of the mover, or of a share of the world.
   */
  private searchOutward(maxDistance: number): void {
    const { store, box, moverBox, bestGap, limit } = this;
    const { size } = store.broad;
    for (const entry of store.unbounded) this.consider(entry);
    limit.inner = NOTHING;
    this.dropWithin();
    this.askNearest(maxDistance);
    limit.inner = -1;
    const { min, max } = moverBox;
    let radius = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
    radius = Math.max(radius, store.scale / (4 * Math.sqrt(size + 1)));
    for (;;) {
      const most = Math.min(radius, limit.t);
      const off = most * BEYOND;
      box.min.x = min.x - off;
      box.min.y = min.y - off;
      box.min.z = min.z - off;
      box.max.x = max.x + off;
      box.max.y = max.y + off;
      box.max.z = max.z + off;
      this.count = 0;
      this.visited = 0;
      this.gather(box, true);
      this.dropWithin();
      this.askNearest(maxDistance);
      limit.inner = most;
      if (this.visited >= size || most >= maxDistance) return;
      if (bestGap.id >= 0 && bestGap.separation <= most) return;
      radius *= 2;
    }
  }

  /** Replaces keys by distances of boxes, and leaves out what an earlier box of the search has found. */
  private dropWithin(): void {
    const { entries, keys, limit } = this;
    const { inner } = limit;
    const { min, max } = this.moverBox;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const entry = entries[i]!;
      if (entry.slot < 0) {
        if (inner !== NOTHING) continue; // asked first of all
        entries[kept] = entry;
        keys[kept++] = 0;
        continue;
      }
      const { min: low, max: high } = entry.box;
      const dx = Math.max(min.x - high.x, low.x - max.x, 0);
      const dy = Math.max(min.y - high.y, low.y - max.y, 0);
      const dz = Math.max(min.z - high.z, low.z - max.z, 0);
      if (Math.max(dx, dy, dz) <= inner) continue;
      entries[kept] = entry;
      keys[kept++] = Math.sqrt(dx * dx + dy * dy + dz * dz) * NEARER;
    }
    this.count = kept;
  }

  /** Fills `bestGap`, and writes to `limit.t` how far away anything better can be. */
  private askNearest(maxDistance: number): void {
    const { entries, keys, bestGap, gap, mover, limit } = this;
    sortCandidates(entries, keys, this.count);
    for (let i = 0; i < this.count; i++) {
      const entry = entries[i]!;
      if (keys[i]! > limit.t) break;
      if (!this.admits(entry)) continue;
      // Where that saves much, the search ends at what is of interest. A number made for this takes memory.
      const found = hasManyParts(entry.shape)
        ? distance(mover, entry.body, Math.min(maxDistance, limit.t * BEYOND), gap)
        : distance(mover, entry.body, maxDistance, gap);
      if (found === null) continue;
      const { separation } = gap;
      if (bestGap.id >= 0) {
        if (separation > bestGap.separation) continue;
        if (separation === bestGap.separation && entry.id > bestGap.id) continue;
      }
      copyNearest(gap, entry.id, bestGap);
      limit.t = Math.max(separation, 0);
    }
  }
}

const hasManyParts = ({ kind }: Shape): boolean =>
  kind === 'mesh' || kind === 'heightField' || kind === 'compound';

/** For searches that see everything. */
const ALL: Filter = { sensors: true };

const standing: { shape: Shape; pose: ReturnType<typeof makeOwnPose> } = {
  shape: POINT,
  pose: makeOwnPose(),
};

function atPoint({ x, y, z }: ReadonlyVec3): Body {
  const { position, quaternion } = standing.pose;
  position.x = x;
  position.y = y;
  position.z = z;
  quaternion.x = quaternion.y = quaternion.z = 0;
  quaternion.w = 1;
  return standing;
}

/** @internal */
export const isPoint = (place: ReadonlyVec3 | Body): place is ReadonlyVec3 =>
  !('shape' in place) && !('kind' in place);

/** By time, then by number. */
function sortHits(hits: WorldHit[], count: number): WorldHit[] {
  hits.length = count;
  return hits.sort((a, b) => a.t - b.t || a.id - b.id);
}

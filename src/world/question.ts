/**
 * One question to a world, from the broad phase to the answer. A question may call code of the user's (a predicate), which
 * may ask the next one: each has a record of its own.
 */
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import type { Body } from '../query/body.ts';
import type { Motion } from '../query/cast.ts';
import { castMotions, RESTING } from '../query/cast-motions.ts';
import { contactsWithin } from '../query/contacts.ts';
import { separationWithin } from '../query/distance.ts';
import { intersects } from '../query/intersects.ts';
import { raycast, raycastAny } from '../query/raycast.ts';
import type { Contact } from '../query/results.ts';
import { makeCastHit, makeSeparation } from '../query/results.ts';
import { sweptBoundsOf } from '../query/swept-bounds.ts';
import type { Shape } from '../shapes/shape.ts';
import {
  BEYOND,
  Candidates,
  copyVector,
  entryTime,
  grow,
  isNear,
  isOnWay,
  makeOwnAabb,
  NEARER,
  POINT,
  sortCandidates,
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

const STILL = { translation: vec3() };
const NO_RAY: ReadonlyRay = { origin: vec3(), direction: vec3() };

/** @internal */
export class Question extends Candidates {
  private ray: ReadonlyRay = NO_RAY;
  private readonly ownRay = { origin: vec3(0.5, 0.5, 0.5), direction: vec3(0.5, 0.5, 0.5) };
  /** Nothing beyond is of interest. */
  private readonly limit = { t: 0.5, tMax: 0.5, inner: 0.5 };
  /** The same as limit.tMax, as it was given. Numbers made to be handed on take memory: null keeps V8 from taking it apart. */
  private most: number | null = null;
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
  private shoot(ray: ReadonlyRay, tMax: number, filter: Filter, meet: (entry: Entry) => boolean): void {
    const { store, ownRay, limit, box } = this;
    const { broad } = store;
    this.start(filter, USE_RAY);
    copyVector(ray.origin, ownRay.origin);
    copyVector(ray.direction, ownRay.direction);
    this.ray = ownRay;
    this.meet = meet;
    this.most = tMax;
    limit.t = tMax;
    limit.tMax = tMax;
    const { x, y, z } = ownRay.origin;
    const covered = store.covers(Math.abs(x) + Math.abs(y) + Math.abs(z));
    for (const entry of store.unbounded) if (!this.meetSeen(entry)) return;
    if (!covered) {
      for (const entry of store.byId.values()) if (entry.slot >= 0 && !this.meetSeen(entry)) return;
    } else if (broad.searchSwept) {
      copyVector(ownRay.origin, box.min);
      copyVector(ownRay.origin, box.max);
      broad.searchSwept(box, ownRay.direction, limit, this.meetOnWay);
    } else broad.searchRay(ownRay, limit.t, this.meetOnRay);
  }

  /** What is done with a collider: false when that is all. */
  private meet: (entry: Entry) => boolean = () => false;

  private meetSeen(entry: Entry): boolean {
    return !sees(this.filter, USE_RAY, entry) || !this.admits(entry) || this.meet(entry);
  }

  private readonly meetOnRay = (slot: number): number =>
    this.meetSeen(this.store.bySlot[slot]!) ? this.limit.t : -1;

  private readonly meetOnWay = (slot: number): boolean => {
    const entry = this.store.bySlot[slot]!;
    return !isOnWay(this.box, this.ray.direction, entry.box, this.limit) || this.meetSeen(entry);
  };

  private readonly meetClosest = (entry: Entry): boolean => {
    const { limit, bestHit, hit } = this;
    const found = hasManyParts(entry.shape)
      ? raycast(this.ray, entry.body, Math.min(limit.tMax, limit.t * BEYOND), hit)
      : raycast(this.ray, entry.body, this.most!, hit);
    if (found === null) return true;
    if (bestHit.id >= 0 && !(hit.t < bestHit.t || (hit.t === bestHit.t && entry.id < bestHit.id)))
      return true;
    copyHit(hit, entry.id, bestHit);
    limit.t = hit.t;
    return true;
  };

  private readonly meetAny = (entry: Entry): boolean => {
    this.yes = raycastAny(this.ray, entry.body, this.most!);
    return !this.yes;
  };

  private readonly meetAll = (entry: Entry): boolean => {
    if (raycast(this.ray, entry.body, this.most!, this.hit) !== null) this.addHit(entry);
    return true;
  };

  private addHit({ id }: Entry): void {
    const list = this.hits!;
    if (this.hitCount === list.length) list.push(makeWorldHit());
    copyHit(this.hit, id, list[this.hitCount++]!);
  }

  // ---- casts

  cast(body: Body, motion: Motion, filter: Filter, out: WorldHit | undefined): WorldHit | null {
    const { bestHit } = this;
    this.hits = null;
    bestHit.id = -1;
    this.sweep(body, motion, filter);
    return bestHit.id < 0 ? null : copyHit(bestHit, bestHit.id, out ?? makeWorldHit());
  }

  castAll(body: Body, motion: Motion, filter: Filter, out: WorldHit[]): WorldHit[] {
    this.hits = out;
    this.hitCount = 0;
    this.sweep(body, motion, filter);
    this.hits = null;
    return sortHits(out, this.hitCount);
  }

  /** Strikes all that the body may touch on its way, those that it may touch first of all first. */
  private sweep(body: Body, motion: Motion, filter: Filter): void {
    this.start(filter, USE_CAST);
    let covered = this.loadMover(body);
    const { box, room, store, moverBox, limit } = this;
    sweptBoundsOf(this.mover, motion, box);
    if (covered) covered = store.coversBox(box);
    this.makeRoomFor(box);
    grow(box, room);
    grow(moverBox, room);
    this.motion = motion;
    limit.t = 1;
    const straight = 'translation' in motion && !('axis' in motion);
    const { way } = this;
    if (straight) copyVector(motion.translation, way);
    if (straight && covered && store.broad.searchSwept) {
      for (const entry of store.unbounded) if (sees(filter, USE_CAST, entry)) this.strike(entry);
      store.broad.searchSwept(moverBox, way, limit, this.strikeOnWay);
      return;
    }
    this.gather(box, covered);
    const { entries, keys } = this;
    for (let i = 0; i < this.count; i++) {
      const entry = entries[i]!;
      keys[i] = straight && entry.slot >= 0 ? entryTime(moverBox, way, entry.box) : 0;
    }
    sortCandidates(entries, keys, this.count);
    for (let i = 0; i < this.count && keys[i]! <= limit.t; i++) this.strike(entries[i]!);
  }

  private motion: Motion = STILL;
  private readonly way = vec3(0.5, 0.5, 0.5);

  private readonly strikeOnWay = (slot: number): void => {
    const entry = this.store.bySlot[slot]!;
    if (!isOnWay(this.moverBox, this.way, entry.box, this.limit)) return;
    if (sees(this.filter, USE_CAST, entry)) this.strike(entry);
  };

  private strike(entry: Entry): void {
    const { bestHit, hit } = this;
    if (!this.admits(entry) || castMotions(this.mover, this.motion, entry.body, RESTING, hit) === null)
      return;
    if (this.hits !== null) {
      this.addHit(entry);
      return;
    }
    if (bestHit.id >= 0 && (hit.t > bestHit.t || (hit.t === bestHit.t && entry.id > bestHit.id))) return;
    copyHit(hit, entry.id, bestHit);
    this.limit.t = hit.t;
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
    this.room.size = margin;
    grow(this.moverBox, this.room);
    this.gather(this.moverBox, covered);
    sortCandidates(this.entries, this.keys, this.count);
    let found = 0;
    for (let i = 0; i < this.count; i++) {
      const entry = this.entries[i]!;
      if (!this.admits(entry)) continue;
      contactsWithin(this.mover, entry.body, margin, this.touching);
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
    const { bestGap, limit, store, moverBox } = this;
    bestGap.id = -1;
    this.most = maxDistance;
    limit.t = maxDistance;
    limit.tMax = maxDistance;
    this.start(filter, USE_CONTACT);
    const covered = this.loadMover(isPoint(place) ? atPoint(place) : place);
    if (!covered) {
      for (const entry of store.byId.values()) this.approach(entry);
    } else {
      for (const entry of store.unbounded) this.approach(entry);
      if (store.broad.searchNear) store.broad.searchNear(moverBox, limit, this.approachNear);
      else this.searchOutward();
    }
    return bestGap.id < 0 ? null : copyNearest(bestGap, bestGap.id, out ?? makeWorldNearest());
  }

  private readonly approachNear = (slot: number): void => {
    const entry = this.store.bySlot[slot]!;
    if (isNear(this.moverBox, entry.box, this.limit)) this.approach(entry);
  };

  /** Fills `bestGap` if the collider is better, and writes to `limit.t` how far away anything better still can be. */
  private approach(entry: Entry): void {
    const { bestGap, gap, mover, limit } = this;
    if (!sees(this.filter, USE_CONTACT, entry) || !this.admits(entry)) return;
    // Where that saves much, the search ends at what is of interest.
    const found = hasManyParts(entry.shape)
      ? separationWithin(mover, entry.body, Math.min(limit.tMax, limit.t * BEYOND), gap)
      : separationWithin(mover, entry.body, this.most!, gap);
    if (found === null) return;
    const { separation } = gap;
    if (bestGap.id >= 0) {
      if (separation > bestGap.separation) return;
      if (separation === bestGap.separation && entry.id > bestGap.id) return;
    }
    copyNearest(gap, entry.id, bestGap);
    limit.t = Math.max(separation, 0);
  }

  /**
   * Boxes around the mover that grow twofold, until one holds all that could be nearer than the best. The first has
   * about the size of the mover, or of a share of the world.
   */
  private searchOutward(): void {
    const { store, box, moverBox, bestGap, limit } = this;
    const { size } = store.broad;
    const { min, max } = moverBox;
    limit.inner = -1;
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
      store.broad.searchBox(box, this.collect);
      this.approachGathered();
      if (this.visited >= size || most >= limit.tMax) return;
      if (bestGap.id >= 0 && bestGap.separation <= most) return;
      limit.inner = most;
      radius *= 2;
    }
  }

  /** By the distances of boxes, without those that an earlier box of the search has found. */
  private approachGathered(): void {
    const { entries, keys, limit } = this;
    const { inner } = limit;
    const { min, max } = this.moverBox;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const { min: low, max: high } = entries[i]!.box;
      const dx = Math.max(min.x - high.x, low.x - max.x, 0);
      const dy = Math.max(min.y - high.y, low.y - max.y, 0);
      const dz = Math.max(min.z - high.z, low.z - max.z, 0);
      if (Math.max(dx, dy, dz) <= inner) continue;
      entries[kept] = entries[i]!;
      keys[kept++] = Math.sqrt(dx * dx + dy * dy + dz * dz) * NEARER;
    }
    sortCandidates(entries, keys, kept);
    for (let i = 0; i < kept && keys[i]! <= limit.t; i++) this.approach(entries[i]!);
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

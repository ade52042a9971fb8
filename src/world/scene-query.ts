/**
 * One query of all colliders of a world, from the broad phase to the answer. It is its own context: a query may call the
 * user's code (a predicate, a getter), which may run the next one, so each has a record of its own.
 *
 *   load the mover, padded → broad phase → filter, in order → exact query of one collider → the best so far, or a list
 */
import type { Reach } from '../broadphase/broad-phase.ts';
import { CAST_REACH, NEARER } from '../math/tolerance.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import type { Aabb, ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { type Body, poseOf, shapeOf } from '../query/body.ts';
import type { Motion } from '../query/cast.ts';
import { castAtResting, PhasedBody } from '../query/cast-motions.ts';
import { contactsWithin } from '../query/contacts.ts';
import { separationWithin } from '../query/distance.ts';
import { bodiesIntersect } from '../query/intersects.ts';
import { type RaySides, raycastWithin } from '../query/raycast.ts';
import { sweptBoundsOfPhases } from '../query/swept-bounds.ts';
import { boundsOfPosed } from '../shapes/bounds.ts';
import { point } from '../shapes/flat-sided-shapes.ts';
import type { Contact } from '../shapes/results.ts';
import { makeCastHit, makeSeparation } from '../shapes/results.ts';
import type { Shape } from '../shapes/shape.ts';
import {
  type ColliderRecord,
  copyPose,
  extentOf,
  FARTHEST,
  makeOwnAabb,
  makeOwnPose,
  USE_CAST,
  USE_CONTACT,
  USE_OVERLAP,
  USE_RAY,
} from './collider-record.ts';
import type { ColliderSet } from './collider-set.ts';
import { type Filter, NO_FILTER, sees } from './filter.ts';
import {
  copyHit,
  copySeparation,
  makeWorldHit,
  makeWorldSeparation,
  type WorldHit,
  type WorldSeparation,
} from './results.ts';

/** Which hits of a ray or a cast are wanted: the first, whether there is any, or all. */
export type HitMode = 'first' | 'any' | 'all';

/**
 * The exact query of a farther collider is cut short a little beyond the best answer so far, not at it: an answer that is
 * cut off at a limit must not be taken for one as good.
 */
const BEYOND = 1 + 1e-9;
const POINT: Shape = point();
const ORIGIN: ReadonlyPose = makePose();
/** For searches that see everything. */
const EVERYTHING: Filter = { sensors: true };

/** @internal */
export class SceneQuery {
  private readonly colliders: ColliderSet;
  private filter: Filter = NO_FILTER;
  private use = 0;
  private mode: HitMode = 'first';
  /** Colliders that the broad phase has found and the filter lets through, and by what they are sorted. */
  private readonly records: ColliderRecord[] = [];
  private keys = new Float64Array(32);
  private count = 0;
  /** How many boxes the broad phase has found. */
  private visited = 0;
  /** The body that asks, a box around it, and by how much that is padded for what counts as touching. */
  private readonly mover = { shape: POINT, pose: makeOwnPose() };
  private readonly moverBox = makeOwnAabb();
  private readonly padding = { size: 0.5 };
  /** The same body with its motion, and the displacement if that is straight. */
  private readonly moving = new PhasedBody();
  private readonly displacement = vec3(0.5, 0.5, 0.5);
  private readonly ray = { origin: vec3(0.5, 0.5, 0.5), direction: vec3(0.5, 0.5, 0.5) };
  /** `t`: nothing beyond is of interest. `tMax`: as it was asked. `inner`: boxes within this have been looked at. */
  private readonly limit = { t: 0.5, tMax: 0.5, inner: 0.5 };
  /** limit.tMax as it was given. Numbers that are handed on take memory: null keeps V8 from taking it apart. */
  private most: number | null = null;
  private readonly box = makeOwnAabb();
  /** What the exact query of one collider fills, and the best of them. */
  private readonly hit = makeCastHit();
  private readonly gap = makeSeparation();
  private readonly touching: Contact[] = [];
  private readonly bestHit = makeWorldHit();
  private readonly bestGap = makeWorldSeparation();
  /** The hits of mode 'all'. */
  private hits: WorldHit[] | null = null;
  private hitCount = 0;
  /** How a ray is asked. */
  readonly sides: RaySides = { solid: true, side: 0 };

  constructor(colliders: ColliderSet) {
    this.colliders = colliders;
  }

  // ---- rays

  /** As `sides` says. Half-spaces first: they are cheap, and shorten the ray. */
  raycast(ray: ReadonlyRay, maxDistance: number, filter: Filter, mode: HitMode): void {
    const { colliders, limit, box } = this;
    const { origin, direction } = this.ray;
    const { broadPhase } = colliders;
    this.start(filter, USE_RAY);
    this.startHits(mode);
    copyVector(ray.origin, origin);
    copyVector(ray.direction, direction);
    this.most = maxDistance;
    limit.t = maxDistance;
    limit.tMax = maxDistance;
    const covered = colliders.covers(Math.abs(origin.x) + Math.abs(origin.y) + Math.abs(origin.z));
    for (const record of colliders.unbounded) if (!this.rayRecord(record)) return;
    if (!covered) {
      for (const record of colliders.byId.values()) if (record.proxy >= 0 && !this.rayRecord(record)) return;
    } else if (broadPhase.searchSwept) {
      copyVector(origin, box.min);
      copyVector(origin, box.max);
      broadPhase.searchSwept(box, direction, limit, this.raySwept);
    } else broadPhase.searchRay(this.ray, limit.t, this.rayEntered);
  }

  private readonly raySwept = (proxy: number): boolean => {
    const record = this.colliders.byProxy[proxy]!;
    return !touchesDuring(this.box, this.ray.direction, record.box, this.limit) || this.rayRecord(record);
  };

  private readonly rayEntered = (proxy: number): number =>
    this.rayRecord(this.colliders.byProxy[proxy]!) ? this.limit.t : -1;

  /** False when that is all. */
  private rayRecord(record: ColliderRecord): boolean {
    const { ray, limit, hit } = this;
    if (!this.admits(record)) return true;
    if (this.mode === 'any') {
      if (raycastWithin(ray, record, this.most!, this.sides, null)) this.bestHit.id = record.id;
      return this.bestHit.id < 0;
    }
    const found =
      this.mode === 'first' && hasManyParts(record.shape)
        ? raycastWithin(ray, record, Math.min(limit.tMax, limit.t * BEYOND), this.sides, hit)
        : raycastWithin(ray, record, this.most!, this.sides, hit);
    if (found) this.addHit(record);
    return true;
  }

  // ---- hits of rays and casts

  private startHits(mode: HitMode): void {
    this.mode = mode;
    this.bestHit.id = -1;
    this.hitCount = 0;
  }

  private addHit({ id }: ColliderRecord): void {
    const { hit, bestHit, limit } = this;
    if (this.mode === 'all') {
      this.hits ??= [];
      if (this.hitCount === this.hits.length) this.hits.push(makeWorldHit());
      copyHit(hit, id, this.hits[this.hitCount++]!);
    } else if (bestHit.id < 0 || hit.t < bestHit.t || (hit.t === bestHit.t && id < bestHit.id)) {
      copyHit(hit, id, bestHit);
      limit.t = hit.t;
    }
  }

  /** What `mode` asks for: the first hit or null, true or false, or all hits by time. */
  hitsFor(out: WorldHit | WorldHit[] | undefined): WorldHit | WorldHit[] | boolean | null {
    const { bestHit, mode } = this;
    if (mode === 'any') return bestHit.id >= 0;
    if (mode === 'first')
      return bestHit.id < 0 ? null : copyHit(bestHit, bestHit.id, (out as WorldHit) ?? makeWorldHit());
    const list = (out as WorldHit[]) ?? [];
    for (let i = 0; i < this.hitCount; i++) {
      const hit = this.hits![i]!;
      if (i === list.length) list.push(makeWorldHit());
      copyHit(hit, hit.id, list[i]!);
    }
    list.length = this.hitCount;
    return list.sort(byTime);
  }

  // ---- casts

  /** All that the body may touch as it moves, in the order in which it may touch them. */
  cast(body: Body, motion: Motion, filter: Filter, mode: HitMode): void {
    this.start(filter, USE_CAST);
    this.startHits(mode);
    let covered = this.loadMover(body);
    const { box, padding, colliders, moverBox, limit, moving, displacement } = this;
    moving.read('World.cast', 'motion', this.mover, motion);
    sweptBoundsOfPhases(moving.shape, moving.start, moving.whole, box);
    if (covered) covered = colliders.coversBox(box);
    this.padForMotion(box);
    grow(box, padding);
    grow(moverBox, padding);
    limit.t = 1;
    const phase = moving.whole.phases[0]!;
    const straight = moving.phases === 1 && phase.angle === 0;
    if (straight) copyVector(phase.linear, displacement);
    if (straight && covered && colliders.broadPhase.searchSwept) {
      for (const record of colliders.unbounded) if (!this.castRecord(record)) return;
      colliders.broadPhase.searchSwept(moverBox, displacement, limit, this.castSwept);
      return;
    }
    this.gather(box, covered);
    const { records, keys } = this;
    for (let i = 0; i < this.count; i++) {
      const record = records[i]!;
      keys[i] = straight && record.proxy >= 0 ? entryTime(moverBox, displacement, record.box) : 0;
    }
    sortRecords(records, keys, this.count);
    for (let i = 0; i < this.count && keys[i]! <= limit.t; i++) if (!this.castRecord(records[i]!)) return;
  }

  private readonly castSwept = (proxy: number): boolean => {
    const record = this.colliders.byProxy[proxy]!;
    return (
      !touchesDuring(this.moverBox, this.displacement, record.box, this.limit) || this.castRecord(record)
    );
  };

  /** False when that is all. */
  private castRecord(record: ColliderRecord): boolean {
    const { shape, pose } = record;
    if (!this.admits(record) || castAtResting(this.moving, shape, pose, this.hit) === null) return true;
    this.addHit(record);
    return this.mode !== 'any';
  }

  // ---- bodies that rest

  overlaps(body: Body, filter: Filter, out: number[]): number[] {
    this.start(filter, USE_OVERLAP);
    this.gather(this.moverBox, this.loadMover(body));
    sortRecords(this.records, this.keys, this.count);
    let found = 0;
    for (let i = 0; i < this.count; i++) {
      const record = this.records[i]!;
      if (this.admits(record) && bodiesIntersect(this.mover, record)) out[found++] = record.id;
    }
    out.length = found;
    return out;
  }

  contacts(body: Body, margin: number, filter: Filter, out: WorldSeparation[]): WorldSeparation[] {
    this.start(filter, USE_CONTACT);
    const covered = this.loadMover(body);
    this.padding.size = margin;
    grow(this.moverBox, this.padding);
    this.gather(this.moverBox, covered);
    sortRecords(this.records, this.keys, this.count);
    let found = 0;
    for (let i = 0; i < this.count; i++) {
      const record = this.records[i]!;
      if (!this.admits(record)) continue;
      contactsWithin(this.mover, record, margin, this.touching);
      for (const contact of this.touching) {
        if (found === out.length) out.push(makeWorldSeparation());
        copySeparation(contact, record.id, out[found++]!);
      }
    }
    out.length = found;
    return out;
  }

  searchBox(box: ReadonlyAabb, visit: (id: number) => unknown): void {
    this.start(EVERYTHING, -1);
    this.gather(box, true);
    sortRecords(this.records, this.keys, this.count);
    for (let i = 0; i < this.count; i++) if (visit(this.records[i]!.id) === false) return;
  }

  nearest(
    from: ReadonlyVec3 | Body,
    maxDistance: number,
    filter: Filter,
    out: WorldSeparation | undefined,
  ): WorldSeparation | null {
    const { bestGap, limit, colliders, moverBox } = this;
    bestGap.id = -1;
    this.most = maxDistance;
    limit.t = maxDistance;
    limit.tMax = maxDistance;
    this.start(filter, USE_CONTACT);
    const covered = isPoint(from) ? this.loadPoint(from) : this.loadMover(from);
    if (!covered) {
      for (const record of colliders.byId.values()) this.measure(record);
    } else {
      for (const record of colliders.unbounded) this.measure(record);
      if (colliders.broadPhase.searchNear) colliders.broadPhase.searchNear(moverBox, limit, this.measureNear);
      else this.searchOutward();
    }
    return bestGap.id < 0 ? null : copySeparation(bestGap, bestGap.id, out ?? makeWorldSeparation());
  }

  private readonly measureNear = (proxy: number): void => {
    const record = this.colliders.byProxy[proxy]!;
    if (isNear(this.moverBox, record.box, this.limit)) this.measure(record);
  };

  /** Fills `bestGap` if the collider is better, and writes to `limit.t` how far away anything better still can be. */
  private measure(record: ColliderRecord): void {
    const { bestGap, gap, mover, limit } = this;
    if (!this.admits(record)) return;
    // Where that saves much, the search ends at what is of interest.
    const found = hasManyParts(record.shape)
      ? separationWithin(mover, record, Math.min(limit.tMax, limit.t * BEYOND), gap)
      : separationWithin(mover, record, this.most!, gap);
    if (found === null) return;
    const { separation } = gap;
    if (bestGap.id >= 0) {
      if (separation > bestGap.separation) return;
      if (separation === bestGap.separation && record.id > bestGap.id) return;
    }
    copySeparation(gap, record.id, bestGap);
    limit.t = Math.max(separation, 0);
  }

  /**
   * Boxes around the mover that grow twofold, until one holds all that could be nearer than the best. The first has
   * about the size of the mover, or of a share of the world.
   */
  private searchOutward(): void {
    const { colliders, box, moverBox, bestGap, limit } = this;
    const { size } = colliders.broadPhase;
    const { min, max } = moverBox;
    limit.inner = -1;
    let radius = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
    radius = Math.max(radius, colliders.scale / (4 * Math.sqrt(size + 1)));
    for (;;) {
      const most = Math.min(radius, limit.t);
      copyVector(min, box.min);
      copyVector(max, box.max);
      this.padding.size = most * BEYOND;
      grow(box, this.padding);
      this.count = 0;
      this.visited = 0;
      colliders.broadPhase.searchBox(box, this.collect);
      this.measureGathered();
      if (this.visited >= size || most >= limit.tMax) return;
      if (bestGap.id >= 0 && bestGap.separation <= most) return;
      limit.inner = most;
      radius *= 2;
    }
  }

  /** By the distances of boxes, without those that an earlier box of the search has found. */
  private measureGathered(): void {
    const { records, keys, limit } = this;
    const { inner } = limit;
    const { min, max } = this.moverBox;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const { min: low, max: high } = records[i]!.box;
      const dx = Math.max(min.x - high.x, low.x - max.x, 0);
      const dy = Math.max(min.y - high.y, low.y - max.y, 0);
      const dz = Math.max(min.z - high.z, low.z - max.z, 0);
      if (Math.max(dx, dy, dz) <= inner) continue;
      records[kept] = records[i]!;
      keys[kept++] = Math.sqrt(dx * dx + dy * dy + dz * dz) * NEARER;
    }
    sortRecords(records, keys, kept);
    for (let i = 0; i < kept && keys[i]! <= limit.t; i++) this.measure(records[i]!);
  }

  // ---- candidates

  private start(filter: Filter, use: number): void {
    this.filter = filter;
    this.use = use;
    this.count = 0;
    this.visited = 0;
  }

  /** Does the filter let the collider through? The predicate is asked last. */
  private admits(record: ColliderRecord): boolean {
    const { filter } = this;
    if (!sees(filter, this.use, record)) return false;
    const { predicate } = filter;
    return predicate === undefined || predicate(record);
  }

  /** All that may share a point with the box, and all without a box. Keys are the ids. */
  private gather(box: ReadonlyAabb, covered: boolean): void {
    const { colliders } = this;
    if (covered && extentOf(box) <= FARTHEST) {
      colliders.broadPhase.searchBox(box, this.collect);
      for (const record of colliders.unbounded) this.addCandidate(record);
    } else for (const record of colliders.byId.values()) this.addCandidate(record);
  }

  private readonly collect = (proxy: number): void => {
    this.visited++;
    this.addCandidate(this.colliders.byProxy[proxy]!);
  };

  private addCandidate(record: ColliderRecord): void {
    if (!sees(this.filter, this.use, record)) return;
    if (this.count === this.keys.length) {
      const more = new Float64Array(2 * this.count);
      more.set(this.keys);
      this.keys = more;
    }
    this.keys[this.count] = record.id;
    this.records[this.count++] = record;
  }

  /** Copies the body, and makes the box around it. Returns whether the broad phase can be asked. */
  private loadMover(body: Body): boolean {
    const { mover } = this;
    mover.shape = shapeOf(body);
    copyPose(poseOf(body), mover.pose);
    return this.boundMover();
  }

  private loadPoint(p: ReadonlyVec3): boolean {
    const { mover } = this;
    mover.shape = POINT;
    copyPose(ORIGIN, mover.pose);
    copyVector(p, mover.pose.position);
    return this.boundMover();
  }

  private boundMover(): boolean {
    const { mover, moverBox, padding, colliders } = this;
    const reach = extentOf(boundsOfPosed(mover.shape, ORIGIN, moverBox));
    const covered = colliders.coversBox(boundsOfPosed(mover.shape, mover.pose, moverBox));
    padding.size = reach < Infinity ? CAST_REACH * reach + colliders.slack : 0;
    grow(moverBox, padding);
    return covered;
  }

  /** The padding for a motion, by the box around it. */
  private padForMotion({ min, max }: ReadonlyAabb): void {
    const { padding, colliders } = this;
    const spread = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
    padding.size = Math.max(padding.size, colliders.slack) + CAST_REACH * spread;
  }
}

const hasManyParts = ({ kind }: Shape): boolean =>
  kind === 'mesh' || kind === 'heightField' || kind === 'skinned' || kind === 'compound';

/** @internal */
export const isPoint = (value: ReadonlyVec3 | Body): value is ReadonlyVec3 =>
  !('shape' in value) && !('kind' in value);

const byTime = (a: WorldHit, b: WorldHit): number => a.t - b.t || a.id - b.id;

/** Ascending by key, then by id. A Shell sort: nothing is allocated, and most lists are short. */
function sortRecords(records: ColliderRecord[], keys: Float64Array, count: number): void {
  let gap = 1;
  while (gap < count / 9) gap = 3 * gap + 1;
  for (; gap > 0; gap = (gap - 1) / 3)
    for (let i = gap; i < count; i++) {
      const record = records[i]!;
      const key = keys[i]!;
      let j = i;
      for (; j >= gap; j -= gap) {
        const other = keys[j - gap]!;
        if (other < key || (other === key && records[j - gap]!.id < record.id)) break;
        keys[j] = other;
        records[j] = records[j - gap]!;
      }
      keys[j] = key;
      records[j] = record;
    }
}

function copyVector(from: ReadonlyVec3, to: { x: number; y: number; z: number }): void {
  const { x, y, z } = from;
  to.x = x;
  to.y = y;
  to.z = z;
}

/** By a number in a record: a number that is passed may be boxed. */
function grow({ min, max }: Aabb, { size: by }: { readonly size: number }): void {
  min.x -= by;
  min.y -= by;
  min.z -= by;
  max.x += by;
  max.y += by;
  max.z += by;
}

/** Does a box that moves touch another at some time in [0, reach.t]? Boxes are padded for the rounding of this. */
function touchesDuring(a: ReadonlyAabb, motion: ReadonlyVec3, b: ReadonlyAabb, reach: Reach): boolean {
  let enter = 0;
  let exit = reach.t * 1; // a product, so that V8 takes it for a number
  if (motion.x !== 0) {
    const s = (b.min.x - a.max.x) / motion.x;
    const t = (b.max.x - a.min.x) / motion.x;
    enter = Math.max(enter, Math.min(s, t));
    exit = Math.min(exit, Math.max(s, t));
  } else if (b.min.x > a.max.x || b.max.x < a.min.x) return false;
  if (motion.y !== 0) {
    const s = (b.min.y - a.max.y) / motion.y;
    const t = (b.max.y - a.min.y) / motion.y;
    enter = Math.max(enter, Math.min(s, t));
    exit = Math.min(exit, Math.max(s, t));
  } else if (b.min.y > a.max.y || b.max.y < a.min.y) return false;
  if (motion.z !== 0) {
    const s = (b.min.z - a.max.z) / motion.z;
    const t = (b.max.z - a.min.z) / motion.z;
    enter = Math.max(enter, Math.min(s, t));
    exit = Math.min(exit, Math.max(s, t));
  } else if (b.min.z > a.max.z || b.max.z < a.min.z) return false;
  return enter <= exit * BEYOND;
}

/** Is a box within a distance of reach.t of another? */
function isNear({ min: a, max: b }: ReadonlyAabb, { min, max }: ReadonlyAabb, reach: Reach): boolean {
  const dx = Math.max(a.x - max.x, min.x - b.x, 0);
  const dy = Math.max(a.y - max.y, min.y - b.y, 0);
  const dz = Math.max(a.z - max.z, min.z - b.z, 0);
  return (dx * dx + dy * dy + dz * dz) * NEARER <= reach.t * reach.t;
}

/** When does a box that moves first touch another? 0 if at once, and where it never does. */
function entryTime(a: ReadonlyAabb, motion: ReadonlyVec3, b: ReadonlyAabb): number {
  let enter = 0;
  if (motion.x > 0) enter = Math.max(enter, (b.min.x - a.max.x) / motion.x);
  else if (motion.x < 0) enter = Math.max(enter, (b.max.x - a.min.x) / motion.x);
  if (motion.y > 0) enter = Math.max(enter, (b.min.y - a.max.y) / motion.y);
  else if (motion.y < 0) enter = Math.max(enter, (b.max.y - a.min.y) / motion.y);
  if (motion.z > 0) enter = Math.max(enter, (b.min.z - a.max.z) / motion.z);
  else if (motion.z < 0) enter = Math.max(enter, (b.max.z - a.min.z) / motion.z);
  return enter;
}

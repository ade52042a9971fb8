/** Many colliders, queries of all of them, and events when they begin and cease to touch. */
import type { BroadPhase } from '../broadphase/broad-phase.ts';
import { IncrementalTree } from '../broadphase/incremental-tree.ts';
import { TreePhase } from '../broadphase/tree-broad-phase.ts';
import {
  checkAabb,
  checkPoint,
  checkRay,
  describe,
  mustBeDistance,
  mustBeFunction,
  mustBeLength,
  mustBeList,
  mustBeOneOf,
  mustBeOptions,
  mustHave,
  refuse,
  refuseType,
} from '../math/check.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { pose as makePose } from '../math/types.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { type Body, shapeOf } from '../query/body.ts';
import type { Motion } from '../query/cast.ts';
import { mustBeBody, mustBeShaped } from '../query/check.ts';
import { readSides } from '../query/raycast.ts';
import type { Shape } from '../shapes/shape.ts';
import {
  COLLIDER_OPTIONS,
  type ColliderOptions,
  ColliderRecord,
  type WorldCollider,
} from './collider-record.ts';
import { ColliderSet } from './collider-set.ts';
import { type Filter, mayTouch, mustBeFilter, NO_FILTER, type PairFilter } from './filter.ts';
import { type PairEvent, PairManager, type UpdateStats } from './pair-manager.ts';
import type { WorldHit, WorldSeparation } from './results.ts';
import { type HitMode, isPoint, SceneQuery } from './scene-query.ts';
import { readSnapshot, takeSnapshot, type WorldSnapshot } from './snapshot.ts';

export interface WorldOptions {
  /**
   * What finds boxes that meet, empty: of `graze/broadphase`, or your own. `new SortAndSweep()` for very many boxes about alike
   * that all move, `new HierarchicalGrid()` where they come and go all the time. Answers are the same.
   * Default: `new TreeBroadPhase()`, good for most worlds.
   */
  readonly broadPhase?: BroadPhase | undefined;
  /**
   * Called with two colliders whose boxes share a point: false, and they have no events. Called again only when one of the
   * two has moved or changed. It may query the world but not change it.
   */
  readonly filter?: PairFilter | undefined;
}

/** What can be changed about a collider. */
export interface ColliderChange extends ColliderOptions {
  readonly shape?: Shape;
  /** Another pose to be read from now on: the very object, as with `collider`. */
  readonly pose?: ReadonlyPose;
}

/** What every query of a world takes. */
export interface SceneQueryOptions {
  /** Which colliders are seen. Default: all but sensors. */
  readonly filter?: Filter | undefined;
}

/**
 * Which hits, and where they go. 'first': the first one, into `out` if there is one. 'any': is there one? Quicker, as for
 * shadows or lines of sight. 'all': of each collider the first one, by time; the records of `out` are used again.
 * Default: 'first'.
 */
export type HitOptions<Mode extends HitMode = HitMode> = Mode extends 'any'
  ? { readonly mode: 'any' }
  : Mode extends 'all'
    ? { readonly mode: 'all'; readonly out?: WorldHit[] | undefined }
    : { readonly mode?: 'first' | undefined; readonly out?: WorldHit | undefined };

export interface WorldRaycastOptions extends SceneQueryOptions {
  /** Hits beyond do not count: the largest t, in lengths of the direction. Default: Infinity. */
  readonly maxDistance?: number | undefined;
  /** Does a ray that starts in a solid hit it at t = 0? If not, it hits its surface on the way out. Default: true. */
  readonly solid?: boolean | undefined;
  /** The sides of surfaces that are hit. Default: 'both'. */
  readonly side?: 'both' | 'front' | 'back' | undefined;
}

export interface WorldOverlapsOptions extends SceneQueryOptions {
  /** The list to be filled. Default: a new one. */
  readonly out?: number[] | undefined;
}

export interface WorldNearestOptions extends SceneQueryOptions {
  /** Colliders farther away do not count. Default: Infinity. */
  readonly maxDistance?: number | undefined;
  /** The record to be filled. Default: a new one. */
  readonly out?: WorldSeparation | undefined;
}

export interface WorldContactsOptions extends SceneQueryOptions {
  /** Places that are no farther apart than this count. Default: 0. */
  readonly margin?: number | undefined;
  /** The list to be filled, whose records are used again. Default: a new one. */
  readonly out?: WorldSeparation[] | undefined;
}

/** All options of all queries. */
interface AnyOptions extends SceneQueryOptions {
  readonly mode?: HitMode | undefined;
  readonly maxDistance?: number | undefined;
  readonly margin?: number | undefined;
  readonly solid?: boolean | undefined;
  readonly side?: 'both' | 'front' | 'back' | undefined;
  readonly out?: unknown;
}

const NO_OPTIONS: AnyOptions = {};
const MODES: readonly HitMode[] = ['first', 'any', 'all'];

/**
 * A set of colliders with queries of all of them at once: `raycast`, `cast`, `overlaps`, `nearest`, `contacts`; and events
 * when they begin and cease to touch: `update`. A collider is known by the number that `add` returned, which is never used
 * again.
 *
 * Answers are those of asking every collider, one after the other, to the last bit; of answers that are as good as each
 * other, that of the lowest number. They are right at once after `add`; a collider that moves is where it was when the
 * world last read its pose: in `add`, `refresh`, `change` and, if it is not fixed, `update`.
 */
export class World {
  /** @internal */
  readonly colliders: ColliderSet;
  /** @internal */
  protected readonly filter: PairFilter | undefined;
  /** @internal */
  readonly pairs: PairManager;
  /** A query under way, and those that its filter runs, by depth. */
  private readonly queries: SceneQuery[] = [];
  private nextId = 1;

  constructor(options: WorldOptions = {}) {
    mustBeOptions('World', 'options', options, 'broadPhase filter log verify');
    if ('log' in options || 'verify' in options)
      refuse('World', 'options', 'have log or verify, which are those of DebugWorld of graze/world');
    const { broadPhase = new TreePhase(new IncrementalTree()), filter } = options;
    if (filter !== undefined) mustBeFunction('World', 'options.filter', filter);
    mustHave('World', 'options.broadPhase', broadPhase, BROAD_PHASE, 'searchBox');
    if (broadPhase.size > 0) refuse('World', 'options.broadPhase', 'must be empty');
    this.filter = filter;
    this.colliders = new ColliderSet(broadPhase);
    this.pairs = new PairManager(this.colliders, filter);
  }

  /** The number of colliders. */
  get size(): number {
    return this.colliders.byId.size;
  }

  /** What the last update did. */
  get stats(): Readonly<UpdateStats> {
    return this.pairs.stats;
  }

  /** The numbers of all colliders, ascending. */
  ids(): number[] {
    return this.colliders.sorted().records.map(({ id }) => id);
  }

  has(id: number): boolean {
    return this.colliders.byId.has(id);
  }

  /** What the world knows about a collider. It goes along with changes, until the collider is removed. */
  get(id: number): WorldCollider {
    return this.colliders.get('World.get', id);
  }

  /** Do two colliders meet: by groups, masks, owners and the filter of the world? Where they are does not matter. */
  meets(a: number, b: number): boolean {
    const one = this.colliders.get('World.meets', a);
    const two = this.colliders.get('World.meets', b);
    if (one === two || !mayTouch(one, two)) return false;
    const { filter } = this;
    return filter === undefined || (one.id < two.id ? filter(one, two) : filter(two, one));
  }

  /** Adds a body and returns its number. The pose of a collider is read live by `update`; a bare shape stands still. */
  add(body: Body, options: ColliderOptions = {}): number {
    const caller = 'World.add';
    const { colliders } = this;
    colliders.mustBeIdle(caller);
    mustBeShaped(caller, 'body', body);
    mustBeOptions(caller, 'options', options, COLLIDER_OPTIONS);
    return colliders.guard(() => {
      const record = new ColliderRecord(this.nextId, shapeOf(body), 'shape' in body ? body.pose : makePose());
      record.set(caller, options);
      record.measure();
      record.readLive(caller);
      this.nextId++;
      colliders.add(record);
      return record.id;
    });
  }

  /** Takes a collider out. What it touched is reported by the next update, as a leave. */
  remove(id: number): void {
    this.colliders.mustBeIdle('World.remove');
    this.colliders.remove(this.colliders.get('World.remove', id));
  }

  /** Changes a collider: what is not in the options stays. */
  change(id: number, options: ColliderChange): void {
    const caller = 'World.change';
    const { colliders } = this;
    colliders.mustBeIdle(caller);
    const record = colliders.get(caller, id);
    mustBeOptions(caller, 'options', options, `shape pose ${COLLIDER_OPTIONS}`);
    colliders.guard(() => {
      const { shape = record.shape, pose = record.live } = options;
      mustBeBody(caller, 'options', { shape, pose });
      record.set(caller, options);
      record.shape = shape;
      record.live = pose;
      this.renew(caller, record);
    });
  }

  /** Reads the pose of a collider, fixed or not, and the bounds of its shape. */
  refresh(id: number): void {
    const caller = 'World.refresh';
    const { colliders } = this;
    colliders.mustBeIdle(caller);
    colliders.guard(() => this.renew(caller, colliders.get(caller, id)));
  }

  private renew(caller: string, record: ColliderRecord): void {
    record.readLive(caller);
    record.measure();
    this.colliders.updateProxy(record);
  }

  /** Removes all colliders. What touched is reported by the next update, as leaves. */
  clear(): void {
    this.colliders.mustBeIdle('World.clear');
    this.colliders.clear();
  }

  /**
   * Reads the poses of all colliders that are not fixed, and returns which pairs begin to touch ('enter'), still do ('stay')
   * or no longer do ('leave'): sorted by a, then b; a < b. Pairs of which neither has moved or changed are not tested
   * again. With `out`, its records are used again. If a getter or a filter throws, the next update reports what this one
   * would have.
   */
  update(out: PairEvent[] = []): PairEvent[] {
    const caller = 'World.update';
    const { colliders } = this;
    colliders.mustBeIdle(caller);
    mustBeList(caller, 'out', out);
    colliders.searches++; // getters and filters may query the world, but not change it
    try {
      colliders.readPoses(caller);
      return this.pairs.update(out);
    } finally {
      colliders.searches--;
    }
  }

  /** All that the world knows, as plain data: for going back in time, and for the same world elsewhere. */
  snapshot(): WorldSnapshot {
    return takeSnapshot(this.colliders, this.nextId, this.pairs.touching());
  }

  /**
   * Makes the world what it was when the snapshot was taken: from here on it gives the same numbers, answers and events,
   * to the last bit. What was added since is gone. Poses that are read live are those of `poseOf`, if that gives one, or
   * else those of the colliders with the same numbers that the world has now; they are the user's to put back, too, and
   * are read by the next update. Without either, a collider stands where it was. The world must have the same kind of broad
   * phase. Refuses a snapshot with anything in it that no world would have written, and is as before then.
   */
  restore(snapshot: WorldSnapshot, poseOf?: (id: number) => ReadonlyPose | undefined): void {
    const caller = 'World.restore';
    const { colliders } = this;
    colliders.mustBeIdle(caller);
    if (poseOf !== undefined) mustBeFunction(caller, 'poseOf', poseOf);
    const { records, changed, nextId, pairs } = colliders.guard(() =>
      readSnapshot(caller, snapshot, colliders, (id) => poseOf?.(id) ?? colliders.byId.get(id)?.live),
    );
    colliders.clear();
    for (const record of records) colliders.add(record, changed.has(record));
    this.nextId = nextId;
    this.pairs.restore(pairs);
  }

  /** The colliders that a ray hits at some t in [0, maxDistance], in lengths of its direction. As `raycast` of one body. */
  raycast(ray: ReadonlyRay, options: WorldRaycastOptions & HitOptions<'any'>): boolean;
  raycast(ray: ReadonlyRay, options: WorldRaycastOptions & HitOptions<'all'>): WorldHit[];
  raycast(ray: ReadonlyRay, options?: WorldRaycastOptions & HitOptions<'first'>): WorldHit | null;
  raycast(ray: ReadonlyRay, options: AnyOptions = NO_OPTIONS): WorldHit | WorldHit[] | boolean | null {
    const caller = 'World.raycast';
    checkRay(caller, 'ray', ray);
    if (options !== NO_OPTIONS) mustBeQueryOptions(caller, options, 'maxDistance solid side filter mode out');
    const { maxDistance = Infinity, filter = NO_FILTER, mode = 'first', out } = options;
    const query = this.begin();
    try {
      readSides(caller, options, query.sides);
      query.raycast(ray, maxDistance, filter, mode);
      return query.hitsFor(out as WorldHit | WorldHit[] | undefined);
    } finally {
      this.end();
    }
  }

  /** The colliders that a body touches along a motion, each as if the others were not there. As `cast` of two. */
  cast(body: Body, motion: Motion, options: SceneQueryOptions & HitOptions<'any'>): boolean;
  cast(body: Body, motion: Motion, options: SceneQueryOptions & HitOptions<'all'>): WorldHit[];
  cast(body: Body, motion: Motion, options?: SceneQueryOptions & HitOptions<'first'>): WorldHit | null;
  cast(body: Body, motion: Motion, options: AnyOptions = NO_OPTIONS): WorldHit | WorldHit[] | boolean | null {
    const caller = 'World.cast';
    mustBeBody(caller, 'body', body);
    if (options !== NO_OPTIONS) mustBeQueryOptions(caller, options, 'filter mode out');
    const { filter = NO_FILTER, mode = 'first', out } = options;
    const query = this.begin();
    try {
      query.cast(body, motion, filter, mode);
      return query.hitsFor(out as WorldHit | WorldHit[] | undefined);
    } finally {
      this.end();
    }
  }

  /** The numbers of the colliders that share a point with a body, ascending. Touching counts. */
  overlaps(body: Body, options: WorldOverlapsOptions = NO_OPTIONS as WorldOverlapsOptions): number[] {
    const caller = 'World.overlaps';
    mustBeBody(caller, 'body', body);
    if (options !== NO_OPTIONS) mustBeQueryOptions(caller, options, 'filter out');
    const { filter = NO_FILTER, out = [] } = options;
    const query = this.begin();
    try {
      return query.overlaps(body, filter, out);
    } finally {
      this.end();
    }
  }

  /**
   * The collider nearest to a point or a body, within `maxDistance`; null for none. As `distance` of two bodies: of those
   * that overlap, the deepest.
   */
  nearest(
    from: ReadonlyVec3 | Body,
    options: WorldNearestOptions = NO_OPTIONS as WorldNearestOptions,
  ): WorldSeparation | null {
    const caller = 'World.nearest';
    if (typeof from !== 'object' || from === null || !('x' in from || 'kind' in from || 'shape' in from))
      refuseType(caller, 'from', 'a point {x, y, z} or a body', from);
    if (isPoint(from)) checkPoint(caller, 'from', from);
    else mustBeBody(caller, 'from', from);
    if (options !== NO_OPTIONS) mustBeQueryOptions(caller, options, 'maxDistance filter out');
    const { maxDistance = Infinity, filter = NO_FILTER, out } = options;
    const query = this.begin();
    try {
      return query.nearest(from, maxDistance, filter, out);
    } finally {
      this.end();
    }
  }

  /** All points where a body is within `margin` of a collider, by the number of the collider. As `contacts` of two bodies. */
  contacts(
    body: Body,
    options: WorldContactsOptions = NO_OPTIONS as WorldContactsOptions,
  ): WorldSeparation[] {
    const caller = 'World.contacts';
    mustBeBody(caller, 'body', body);
    if (options !== NO_OPTIONS) mustBeQueryOptions(caller, options, 'margin filter out');
    const { margin = 0, filter = NO_FILTER, out = [] } = options;
    const query = this.begin();
    try {
      return query.contacts(body, margin, filter, out);
    } finally {
      this.end();
    }
  }

  /**
   * Visits the numbers of all colliders whose boxes share a point with this one, ascending, sensors too; half-spaces
   * always. A broad phase: boxes are a little larger than need be. Ends when the visitor returns false.
   */
  searchBox(box: ReadonlyAabb, visit: (id: number) => unknown): void {
    const caller = 'World.searchBox';
    checkAabb(caller, 'box', box, Infinity);
    mustBeFunction(caller, 'visit', visit);
    const query = this.begin();
    try {
      query.searchBox(box, visit);
    } finally {
      this.end();
    }
  }

  /** A query of this depth. `end` must follow, whatever happens. */
  private begin(): SceneQuery {
    const { colliders, queries } = this;
    const depth = colliders.searches++;
    while (depth >= queries.length) queries.push(new SceneQuery(colliders));
    return queries[depth]!;
  }

  private end(): void {
    this.colliders.searches--;
  }
}

const BROAD_PHASE = 'a broad phase, such as new SortAndSweep() or new HierarchicalGrid() of graze/broadphase';

function mustBeQueryOptions(caller: string, options: AnyOptions, known: string): void {
  mustBeOptions(caller, 'options', options, known);
  const { maxDistance, margin, filter, mode, out } = options;
  if (maxDistance !== undefined) mustBeDistance(caller, 'options.maxDistance', maxDistance);
  if (margin !== undefined) mustBeLength(caller, 'options.margin', margin);
  if (filter !== undefined && filter !== NO_FILTER) mustBeFilter(caller, filter);
  if (mode !== undefined && mode !== 'first') mustBeOneOf(caller, 'options.mode', mode, MODES);
  if (out !== undefined && (typeof out !== 'object' || out === null))
    refuse(caller, 'options.out', `must be what the query fills, got ${describe(out)}`);
}

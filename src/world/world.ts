/** Colliders by the thousand, and questions about all of them. */

import type { BroadPhase } from '../broadphase/broad-phase.ts';
import { type BroadPhaseKind, makeBroadPhase } from '../broadphase/make-broad-phase.ts';
import { mustNotRunInSupport } from '../convex/support-call.ts';
import {
  checkPoint,
  checkRay,
  mustBeBoolean,
  mustBeFunction,
  mustBeLength,
  mustBeNumber,
  mustBeOptions,
  mustBeWhole,
  mustHave,
  refuse,
  refuseType,
} from '../math/check.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { pose as makePose } from '../math/types.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { type Body, shapeOf } from '../query/body.ts';
import type { Motion } from '../query/cast.ts';
import { mustBeBody, mustBeDistance, mustBeShaped } from '../query/check.ts';
import type { Shape } from '../shapes/shape.ts';
import { BruteWorld } from './brute-world.ts';
import {
  COLLIDER_OPTIONS,
  type ColliderOptions,
  Entry,
  mustBeLivePose,
  type WorldCollider,
} from './entry.ts';
import { type Filter, mayTouch, mustBeFilter, NO_FILTER, type PairFilter } from './filter.ts';
import { type PairEvent, PairKeeper, type UpdateStats } from './pair-keeper.ts';
import { QueryLog } from './query-log.ts';
import { isPoint, Question } from './question.ts';
import type { WorldContact, WorldHit, WorldNearest } from './results.ts';
import { readSnapshot, restorePairs, takeSnapshot, type WorldSnapshot } from './snapshot.ts';
import { Store } from './store.ts';
import { type MismatchReport, Watch, type WorldMismatch } from './watch.ts';

export interface WorldOptions {
  /** The broad phase: 'tree' unless told otherwise, or one of your own, empty. */
  readonly broadPhase?: BroadPhaseKind | BroadPhase;
  /**
   * Asked for two colliders whose boxes share a point: false, and they have no events. Asked again only when one of the
   * two has moved or changed.
   */
  readonly filter?: PairFilter;
  /** How many of the last questions are kept in `log`. None unless told otherwise, which costs nothing. */
  readonly log?: number;
  /**
   * Holds every answer, and the events of every update, against those of asking every collider, which is slow. True: the
   * first that differs is thrown, as a `WorldMismatch`; a function is told. False unless told otherwise.
   */
  readonly verify?: boolean | MismatchReport;
}

/** What can be changed about a collider. */
export interface ColliderChange extends ColliderOptions {
  readonly shape?: Shape;
  /** Another pose to be read from now on: the very object, as with `collider`. */
  readonly pose?: ReadonlyPose;
}

/** More would not fit into memory. */
const MOST_LOGGED = 16_777_216;

/**
 * A set of colliders that answers questions about all of them at once: `raycast`, `cast`, `overlaps`, `nearest`, `contacts`;
 * and tells what begins and ceases to touch: `update`. A collider is known by the number that `add` returned, which is
 * never used again.
 *
 * Answers are those of asking every collider, one after the other, to the last bit; of answers that are as good as each
 * other, that of the lowest number. They are right at once after `add`; a collider that moves is where it was when the
 * world last read its pose: in `add`, `refresh`, `change` and, unless it is fixed, `update`.
 */
export class World {
  /** The last questions, if they are kept. */
  readonly log: QueryLog | null;
  private readonly filter: PairFilter | undefined;
  private readonly store: Store;
  private readonly watch: Watch | undefined;
  private readonly keeper: PairKeeper;
  /** Those that a question, and what it asks in turn, need. */
  private readonly questions: Question[] = [];
  private nextId = 1;
  /** Of the update under way. */
  private readonly changed: Entry[] = [];
  private readonly moved: Entry[] = [];

  constructor(options: WorldOptions = {}) {
    mustBeOptions('World', 'options', options, 'broadPhase filter log verify');
    const { broadPhase = 'tree', filter, log = 0, verify = false } = options;
    if (filter !== undefined) mustBeFunction('World', 'options.filter', filter);
    if (typeof broadPhase !== 'string')
      mustHave(
        'World',
        'options.broadPhase',
        broadPhase,
        'the name of a broad phase or one of your own',
        'searchBox',
      );
    mustBeWhole('World', 'options.log', log, 0, MOST_LOGGED);
    if (typeof verify !== 'function') mustBeBoolean('World', 'options.verify', verify);
    const broad = typeof broadPhase === 'string' ? makeBroadPhase(broadPhase) : broadPhase;
    if (broad.size > 0) refuse('World', 'options.broadPhase', 'must be empty');
    this.filter = filter;
    this.store = new Store(broad);
    this.keeper = new PairKeeper(this.store, filter);
    this.log = log === 0 ? null : new QueryLog(log);
    const brute = verify === false ? null : new BruteWorld(() => this.store.byId.values(), filter);
    const report = typeof verify === 'function' ? verify : raise;
    this.watch = this.log || brute ? new Watch(this.log, brute, report) : undefined;
  }

  /** The number of colliders. */
  get size(): number {
    return this.store.byId.size;
  }

  /** What the last update did. */
  get stats(): Readonly<UpdateStats> {
    return this.keeper.stats;
  }

  /** The numbers of all colliders, ascending. */
  ids(): number[] {
    return [...this.store.byId.keys()].sort((a, b) => a - b);
  }

  has(id: number): boolean {
    return this.store.byId.has(id);
  }

  /** What the world knows about a collider. It goes along with changes, until the collider is removed. */
  get(id: number): WorldCollider {
    return this.store.entry('World.get', id);
  }

  /** Do two colliders meet: by groups, masks, owners and the filter of the world? Where they are does not matter. */
  meets(a: number, b: number): boolean {
    const one = this.store.entry('World.meets', a);
    const two = this.store.entry('World.meets', b);
    if (one === two || !mayTouch(one, two)) return false;
    const { filter } = this;
    return filter === undefined || (one.id < two.id ? filter(one, two) : filter(two, one));
  }

  /** Adds a body and returns its number. The pose of a collider is read live by `update`; a bare shape stands still. */
  add(body: Body, options: ColliderOptions = {}): number {
    const caller = 'World.add';
    this.store.mustBeIdle('add');
    mustBeShaped(caller, 'body', body);
    mustBeOptions(caller, 'options', options, COLLIDER_OPTIONS);
    this.store.searches++; // getters may ask, but not change the world
    try {
      const entry = new Entry(this.nextId, shapeOf(body), 'shape' in body ? body.pose : makePose());
      entry.set(caller, options);
      entry.measure();
      entry.read(caller);
      this.nextId++;
      this.store.add(entry);
      return entry.id;
    } finally {
      this.store.searches--;
    }
  }

  /** Takes a collider out. Whom it touched is told by the next update, as a leave. */
  remove(id: number): void {
    this.store.mustBeIdle('remove');
    this.store.remove(this.store.entry('World.remove', id));
  }

  /** Changes a collider: what is not in the options stays. */
  change(id: number, options: ColliderChange): void {
    const caller = 'World.change';
    this.store.mustBeIdle('change');
    const entry = this.store.entry(caller, id);
    mustBeOptions(caller, 'options', options, `shape pose ${COLLIDER_OPTIONS}`);
    this.store.searches++;
    try {
      const { shape = entry.shape, pose = entry.live } = options;
      mustBeBody(caller, 'options', { shape, pose });
      entry.set(caller, options);
      entry.body.shape = shape;
      entry.live = pose;
      this.renew(caller, entry);
    } finally {
      this.store.searches--;
    }
  }

  /** Reads the pose of a collider, fixed or not, and the bounds of its shape. */
  refresh(id: number): void {
    this.store.mustBeIdle('refresh');
    this.store.searches++;
    try {
      this.renew('World.refresh', this.store.entry('World.refresh', id));
    } finally {
      this.store.searches--;
    }
  }

  private renew(caller: string, entry: Entry): void {
    entry.read(caller);
    entry.measure();
    this.store.place(entry);
  }

  /** Removes all colliders. What touched is told by the next update, as leaves. */
  clear(): void {
    this.store.mustBeIdle('clear');
    this.store.clear();
  }

  /**
   * Reads the poses of all colliders that are not fixed, and tells which pairs begin to touch ('enter'), still do ('stay')
   * or no longer do ('leave'): sorted by a, then b; a < b. Pairs of which neither has moved or changed are not looked at
   * again. With `out`, its records are used again.
   */
  update(out: PairEvent[] = []): PairEvent[] {
    const caller = 'World.update';
    this.store.mustBeIdle('update');
    mustNotRunInSupport(caller);
    const { store, changed, moved } = this;
    changed.length = 0;
    moved.length = 0;
    store.searches++; // getters and filters may ask, but not change the world
    try {
      for (const entry of store.byId.values())
        if (!entry.fixed && entry.hasMoved()) {
          mustBeLivePose(caller, entry.id, entry.live); // before anything is changed
          moved.push(entry);
        }
      this.readMoved(caller);
      for (const entry of store.byId.values()) if (entry.dirty) changed.push(entry);
      const events = this.keeper.run(changed, out);
      return this.watch ? this.watch.judgeUpdate(events) : events;
    } finally {
      store.searches--;
    }
  }

  /** If a getter throws, those that were read before are where they are now: the next update tells of them. */
  private readMoved(caller: string): void {
    const { moved, store } = this;
    let read = 0;
    try {
      for (; read < moved.length; read++) moved[read]!.read(caller);
    } finally {
      moved.length = read;
      store.placeMany(moved);
    }
  }

  /** All that the world knows, as plain data: for going back in time, and for the same world elsewhere. */
  snapshot(): WorldSnapshot {
    const entries = [...this.store.byId.values()].sort((a, b) => a.id - b.id);
    return takeSnapshot(entries, this.nextId, this.keeper.table);
  }

  /**
   * Makes the world what it was when the snapshot was taken: from here on it gives the same numbers, answers and events,
   * to the last bit. What was added since is gone. Poses that are read live are those of `poseOf`, if that gives one, or
   * else those of the colliders with the same numbers that the world has now; they are the user's to put back, too, and
   * are read by the next update. Without either, a collider stands where it was. Refuses a snapshot with anything in it
   * that no world would have written, and is as before then.
   */
  restore(snapshot: WorldSnapshot, poseOf?: (id: number) => ReadonlyPose | undefined): void {
    const { store, keeper } = this;
    store.mustBeIdle('restore');
    if (poseOf !== undefined && typeof poseOf !== 'function')
      throw new TypeError('graze: World.restore: poseOf must be a function');
    const { entries, nextId, pairs } = this.readSnapshot(snapshot, poseOf);
    store.clear();
    for (const entry of entries) store.add(entry);
    this.nextId = nextId;
    restorePairs(pairs, keeper.table);
    this.watch?.brute?.restore(pairs);
  }

  private readSnapshot(
    snapshot: WorldSnapshot,
    poseOf: ((id: number) => ReadonlyPose | undefined) | undefined,
  ) {
    const { store } = this;
    store.searches++;
    try {
      return readSnapshot('World.restore', snapshot, (id) => poseOf?.(id) ?? store.byId.get(id)?.live);
    } finally {
      store.searches--;
    }
  }

  /**
   * The first collider that a ray hits at some t in [0, tMax], in units of its direction; null for none. As `raycast` of
   * one body.
   */
  raycast(ray: ReadonlyRay, tMax = Infinity, filter: Filter = NO_FILTER, out?: WorldHit): WorldHit | null {
    const caller = 'World.raycast';
    checkRay(caller, 'ray', ray);
    mustBeDistance(caller, 'tMax', tMax);
    if (filter !== NO_FILTER) mustBeFilter(caller, filter);
    const asked = this.watch?.note('raycast', [ray, tMax, filter]);
    const question = this.take();
    try {
      const answer = question.raycast(ray, tMax, filter, out);
      return asked ? this.watch!.judge(asked, answer) : answer;
    } finally {
      this.giveBack();
    }
  }

  /** Does a ray hit anything at some t in [0, tMax]? Quicker than `raycast`. */
  raycastAny(ray: ReadonlyRay, tMax = Infinity, filter: Filter = NO_FILTER): boolean {
    const caller = 'World.raycastAny';
    checkRay(caller, 'ray', ray);
    mustBeDistance(caller, 'tMax', tMax);
    if (filter !== NO_FILTER) mustBeFilter(caller, filter);
    const asked = this.watch?.note('raycastAny', [ray, tMax, filter]);
    const question = this.take();
    try {
      const answer = question.raycastAny(ray, tMax, filter);
      return asked ? this.watch!.judge(asked, answer) : answer;
    } finally {
      this.giveBack();
    }
  }

  /** All colliders that a ray hits at some t in [0, tMax], each where it is hit first, by t. */
  raycastAll(
    ray: ReadonlyRay,
    tMax = Infinity,
    filter: Filter = NO_FILTER,
    out: WorldHit[] = [],
  ): WorldHit[] {
    const caller = 'World.raycastAll';
    checkRay(caller, 'ray', ray);
    mustBeDistance(caller, 'tMax', tMax);
    if (filter !== NO_FILTER) mustBeFilter(caller, filter);
    const asked = this.watch?.note('raycastAll', [ray, tMax, filter]);
    const question = this.take();
    try {
      const answer = question.raycastAll(ray, tMax, filter, out);
      return asked ? this.watch!.judge(asked, answer) : answer;
    } finally {
      this.giveBack();
    }
  }

  /** The first collider that a body touches on its way along a motion; null for none. As `cast` of two bodies. */
  cast(body: Body, motion: Motion, filter: Filter = NO_FILTER, out?: WorldHit): WorldHit | null {
    this.checkMover('World.cast', body, filter);
    const asked = this.watch?.note('cast', [body, motion, filter]);
    const question = this.take();
    try {
      const answer = question.cast(body, motion, filter, out);
      return asked ? this.watch!.judge(asked, answer) : answer;
    } finally {
      this.giveBack();
    }
  }

  /** All colliders that a body touches on its way, each as if the others were not there, by t. */
  castAll(body: Body, motion: Motion, filter: Filter = NO_FILTER, out: WorldHit[] = []): WorldHit[] {
    this.checkMover('World.castAll', body, filter);
    const asked = this.watch?.note('castAll', [body, motion, filter]);
    const question = this.take();
    try {
      const answer = question.castAll(body, motion, filter, out);
      return asked ? this.watch!.judge(asked, answer) : answer;
    } finally {
      this.giveBack();
    }
  }

  /** The numbers of the colliders that share a point with a body, ascending. Touching counts. */
  overlaps(body: Body, filter: Filter = NO_FILTER, out: number[] = []): number[] {
    this.checkMover('World.overlaps', body, filter);
    const asked = this.watch?.note('overlaps', [body, filter]);
    const question = this.take();
    try {
      const answer = question.overlaps(body, filter, out);
      return asked ? this.watch!.judge(asked, answer) : answer;
    } finally {
      this.giveBack();
    }
  }

  /**
   * The collider nearest to a point or a body, within `maxDistance`; null for none. As `distance` of two bodies: of those
   * that overlap, the deepest.
   */
  nearest(
    place: ReadonlyVec3 | Body,
    maxDistance = Infinity,
    filter: Filter = NO_FILTER,
    out?: WorldNearest,
  ): WorldNearest | null {
    const caller = 'World.nearest';
    if (typeof place !== 'object' || place === null || !('x' in place || 'kind' in place || 'shape' in place))
      refuseType(caller, 'place', 'a point {x, y, z} or a body', place);
    if (isPoint(place)) checkPoint(caller, 'place', place);
    else mustBeBody(caller, 'place', place);
    mustBeDistance(caller, 'maxDistance', maxDistance);
    if (filter !== NO_FILTER) mustBeFilter(caller, filter);
    const asked = this.watch?.note('nearest', [place, maxDistance, filter]);
    const question = this.take();
    try {
      const answer = question.nearest(place, maxDistance, filter, out);
      return asked ? this.watch!.judge(asked, answer) : answer;
    } finally {
      this.giveBack();
    }
  }

  /**
   * All places where a body is within `margin` of a collider, by the number of the collider. As `contacts` of two bodies.
   * With `out`, its records are used again.
   */
  contacts(body: Body, margin = 0, filter: Filter = NO_FILTER, out: WorldContact[] = []): WorldContact[] {
    this.checkMover('World.contacts', body, filter);
    mustBeLength('World.contacts', 'margin', margin);
    const asked = this.watch?.note('contacts', [body, margin, filter]);
    const question = this.take();
    try {
      const answer = question.contacts(body, margin, filter, out);
      return asked ? this.watch!.judge(asked, answer) : answer;
    } finally {
      this.giveBack();
    }
  }

  /**
   * Tells the numbers of all colliders whose boxes share a point with this one, ascending, sensors too; half-spaces
   * always. A broad phase: boxes are a little larger than need be. Ends when the visitor returns false.
   */
  searchBox(box: ReadonlyAabb, visit: (id: number) => unknown): void {
    mustBeSearchBox('World.searchBox', box);
    mustBeFunction('World.searchBox', 'visit', visit);
    const question = this.take();
    try {
      question.searchBox(box, visit);
    } finally {
      this.giveBack();
    }
  }

  private checkMover(caller: string, body: Body, filter: Filter): void {
    mustBeBody(caller, 'body', body);
    if (filter !== NO_FILTER) mustBeFilter(caller, filter);
  }

  private take(): Question {
    const depth = this.store.searches++;
    while (depth >= this.questions.length) this.questions.push(new Question(this.store));
    return this.questions[depth]!;
  }

  private giveBack(): void {
    this.store.searches--;
  }
}

/** Boxes may be infinite. */
function mustBeSearchBox(caller: string, box: ReadonlyAabb): void {
  mustHave(caller, 'box', box, 'a box {min, max}', 'min');
  const { min, max } = box;
  mustHave(caller, 'box.min', min, '{x, y, z}', 'x');
  mustHave(caller, 'box.max', max, '{x, y, z}', 'x');
  for (const axis of ['x', 'y', 'z'] as const) {
    mustBeNumber(caller, `box.min.${axis}`, min[axis]);
    mustBeNumber(caller, `box.max.${axis}`, max[axis]);
    if (!(min[axis] <= max[axis])) refuse(caller, 'box', 'must have numbers with min <= max on every axis');
  }
}

function raise(mismatch: WorldMismatch): never {
  throw mismatch;
}

/** A world against a list of colliders that is asked one by one: every answer, every event, to the last bit. */
import { describe } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import {
  ListedWorld,
  randomFilter,
  randomOptions,
  randomPose,
  randomShape,
  SHAPES,
} from '../../tests/kit/world-scene.ts';
import type { BroadPhase } from '../broadphase/broad-phase.ts';
import {
  BitGrid,
  HierarchicalGrid,
  IncrementalSweep,
  SortAndSweep,
  TreeBroadPhase,
} from '../broadphase/index.ts';
import type { Pose } from '../math/types.ts';
import type { Motion } from '../query/index.ts';
import { boundsOf } from '../shapes/index.ts';
import { World, type WorldOptions } from './world.ts';

function same(got: unknown, wanted: unknown, what: () => string): void {
  const [a, b] = [text(got), text(wanted)];
  check(a === b, () => `${what()}: ${a} is not ${b}`);
}

/** Keys sorted, so that the order in which records were made does not matter; -0 and 0 are told apart nowhere else. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

function randomMotion(rng: Rng): Motion {
  const translation = rng.chance(0.3) ? { x: rng.int(-4, 4), y: 0, z: 0 } : rng.vec(5);
  if (rng.chance(0.85)) return { translation };
  return { axis: rng.direction(), angle: rng.range(-2, 2), pivot: rng.vec(2) };
}

/** Where a scene is: things are as far as that from the origin, all in one direction. */
function placed(rng: Rng, { size, off }: Place): Pose {
  const pose = randomPose(rng, size);
  pose.position.x += off;
  pose.position.z -= off;
  return pose;
}

interface Place {
  readonly size: number;
  readonly off: number;
}

/** Asks everything of both. */
function ask(rng: Rng, world: World, list: ListedWorld, place: Place, turns: boolean): void {
  const { size, off } = place;
  const filter = randomFilter(rng, world.ids());
  const far = rng.chance(0.1) ? 1e4 : 1;
  const origin = rng.chance(0.5)
    ? { x: rng.int(-4, 4), y: rng.int(-4, 4), z: rng.int(-4, 4) }
    : rng.vec(size * far);
  const aim = rng.vec(size);
  origin.x += off;
  origin.z -= off;
  aim.x += off;
  aim.z -= off;
  const direction = rng.chance(0.4)
    ? rng.pick([
        { x: 1, y: 0, z: 0 },
        { x: 0, y: -2, z: 0 },
        { x: 0, y: 1, z: -1 },
      ])
    : { x: aim.x - origin.x, y: aim.y - origin.y, z: aim.z - origin.z };
  const ray = { origin, direction };
  const tMax = rng.chance(0.5) ? Infinity : rng.range(0, 3);
  const all = list.raycastAll(ray, tMax, filter);
  const about = () => JSON.stringify({ ray, tMax, filter });
  const within = { maxDistance: tMax, filter };
  same(world.raycast(ray, { ...within, mode: 'all' }), all, () => `raycast, all, ${about()}`);
  same(world.raycast(ray, within), all[0] ?? null, () => `raycast ${about()}`);
  check(world.raycast(ray, { ...within, mode: 'any' }) === all.length > 0, () => `raycast, any, ${about()}`);
  const body = { shape: randomShape(rng), pose: placed(rng, place) };
  const motion = randomMotion(rng);
  if (turns || 'translation' in motion) {
    const hits = list.castAll(body, motion, filter);
    same(world.cast(body, motion, { filter, mode: 'all' }), hits, () => `cast, all, ${body.shape.kind}`);
    same(world.cast(body, motion, { filter }), hits[0] ?? null, () => `cast ${body.shape.kind}`);
    const any = world.cast(body, motion, { filter, mode: 'any' });
    check(any === hits.length > 0, () => `cast, any, ${body.shape.kind}`);
  }
  same(world.overlaps(body, { filter }), list.overlaps(body, filter), () => `overlaps ${body.shape.kind}`);
  const margin = rng.pick([0, 0, 0.5]);
  same(world.contacts(body, { margin, filter }), list.contacts(body, margin, filter), () => 'contacts');
  const most = rng.pick([Infinity, 0.5, 3]);
  same(
    world.nearest(body, { maxDistance: most, filter }),
    list.nearest(body, most, filter),
    () => `nearest ${body.shape.kind}`,
  );
  const p = body.pose.position;
  const at = { shape: SHAPES['point']!, pose: { position: p, quaternion: { x: 0, y: 0, z: 0, w: 1 } } };
  same(
    world.nearest(p, { maxDistance: most, filter }),
    list.nearest(at, most, filter),
    () => 'nearest to a point',
  );
}

/** One change to both. */
function change(rng: Rng, world: World, list: ListedWorld, place: Place): void {
  const what = rng.unit();
  if (list.list.length === 0 || what < 0.3) {
    const shape = randomShape(rng);
    const live = placed(rng, place);
    const options = randomOptions(rng);
    const id = world.add({ shape, pose: live }, options);
    check(
      list.list.every((c) => c.id < id),
      'numbers are not used again',
    );
    list.list.push({ id, shape, live, pose: structuredClone(live), options });
    return;
  }
  const one = rng.pick(list.list);
  if (what < 0.45) {
    world.remove(one.id);
    list.list.splice(list.list.indexOf(one), 1);
  } else if (what < 0.85) {
    // A step, or a jump. The object stays the same.
    const to = placed(rng, place);
    const { position: p } = one.live;
    if (rng.chance(0.5)) Object.assign(p, to.position);
    else p.x += rng.range(-0.3, 0.3);
    if (rng.chance(0.3)) Object.assign(one.live.quaternion, to.quaternion);
    if (rng.chance(0.3)) {
      world.refresh(one.id);
      one.pose = structuredClone(one.live);
    }
  } else {
    const options = randomOptions(rng);
    const shape = rng.chance(0.5) ? randomShape(rng) : undefined;
    world.change(one.id, { ...options, ...(shape && { shape }) });
    one.options = { ...one.options, ...options };
    one.shape = shape ?? one.shape;
    one.pose = structuredClone(one.live);
  }
}

function run(rng: Rng, options: WorldOptions, turns: boolean): void {
  const list = new ListedWorld();
  const meets = rng.chance(0.3) ? (a: number, b: number) => (a + b) % 3 !== 0 : undefined;
  const world = new World({ ...options, ...(meets && { filter: (a, b) => meets(a.id, b.id) }) });
  const place = { size: rng.pick([2, 4, 8]), off: rng.pick([0, 0, 0, 1e3, 1e6 / 3, 1e9]) };
  for (let i = rng.int(0, rng.pick([25, 25, 25, 150])); i > 0; i--) change(rng, world, list, place);
  for (let frame = 0; frame < 6; frame++) {
    if (rng.chance(0.7)) for (let i = rng.int(0, 8); i > 0; i--) change(rng, world, list, place);
    ask(rng, world, list, place, turns);
    same(world.update(), list.update(meets), () => `events of frame ${frame}`);
    const { asked, kept, candidates } = world.stats;
    const n = world.size;
    check(asked + kept === candidates && candidates <= (n * (n - 1)) / 2, 'as many pairs as there can be');
    ask(rng, world, list, place, turns);
  }
}

/** A broad phase with what the interface asks for and no more. */
const methodsOf = (broad: TreeBroadPhase): BroadPhase => ({
  get size() {
    return broad.size;
  },
  add: (id, box) => broad.add(id, box),
  move: (id, box) => broad.move(id, box),
  moveMany: (ids, boxes) => broad.moveMany(ids, boxes),
  remove: (id) => broad.remove(id),
  pairs: (visit) => broad.pairs(visit),
  searchBox: (box, visit) => broad.searchBox(box, visit),
  searchRay: (ray, tMax, visit) => broad.searchRay(ray, tMax, visit),
  clear: () => broad.clear(),
});

const BROAD_PHASES = {
  tree: () => new TreeBroadPhase(),
  sweep: () => new SortAndSweep(),
  grid: () => new HierarchicalGrid(),
  'incremental sweep': () => new IncrementalSweep(),
  'bit grid': () => new BitGrid({ cell: 2 }),
  own: () => methodsOf(new TreeBroadPhase()),
};

describe('a world answers as a list of its colliders does', () => {
  for (const [kind, make] of Object.entries(BROAD_PHASES))
    property(`[R2.4.1] random scripts, every answer, every event: ${kind}`, 6, (rng) =>
      run(rng, { broadPhase: make() }, false),
    );
  property('[R2.4.1] with motions that turn', 5, (rng) => run(rng, {}, true));

  property(
    '[R2.4.1] long ways through worlds with clusters, and what is nearest from far away',
    40,
    (rng) => {
      const world = new World({ broadPhase: rng.pick(Object.values(BROAD_PHASES))() });
      const list = new ListedWorld();
      const shapes = Object.values(SHAPES).filter((shape) => boundsOf(shape).max.y < 10);
      const middles = Array.from({ length: rng.int(1, 6) }, () => rng.vec(rng.pick([30, 1000])));
      for (let i = rng.int(1, 120); i > 0; i--) {
        const pose = randomPose(rng, rng.pick([3, 10]));
        const middle = rng.pick(middles);
        for (const axis of ['x', 'y', 'z'] as const) pose.position[axis] += middle[axis];
        const shape = rng.pick(shapes);
        list.list.push({ id: world.add({ shape, pose }), shape, live: pose, pose, options: {} });
      }
      for (let i = 0; i < 10; i++) {
        const body = { shape: rng.pick(shapes), pose: randomPose(rng, rng.pick([10, 2000])) };
        const { x, y, z } = body.pose.position;
        const to = rng.pick(middles);
        const far = rng.pick([0.5, 1, 3]);
        const translation = { x: far * (to.x - x), y: far * (to.y - y), z: far * (to.z - z) };
        const filter = rng.chance(0.3) ? { predicate: (c: { id: number }) => c.id % 2 === 0 } : {};
        const hits = list.castAll(body, { translation }, filter);
        const all = world.cast(body, { translation }, { filter, mode: 'all' });
        same(all, hits, () => `cast, all, ${body.shape.kind}`);
        same(world.cast(body, { translation }, { filter }), hits[0] ?? null, () => `cast ${body.shape.kind}`);
        const any = world.cast(body, { translation }, { filter, mode: 'any' });
        check(any === hits.length > 0, () => `cast, any, ${body.shape.kind}`);
        const most = rng.pick([Infinity, 100, 1e4]);
        same(
          world.nearest(body, { maxDistance: most, filter }),
          list.nearest(body, most, filter),
          () => 'nearest',
        );
      }
    },
  );

  property('[R2.4.1] bodies and rays that touch as far as rounding can tell, and just do not', 500, (rng) => {
    const off = rng.pick([0, 1, 1e3, 1e7]);
    const shapes = Object.values(SHAPES).filter(({ kind }) => kind !== 'halfSpace');
    const pose = placed(rng, { size: 2, off });
    const body = { shape: rng.pick(shapes), pose: placed(rng, { size: 2, off }) };
    const shape = rng.pick(shapes);
    // Box to box along an axis, but for some ulps; the other two coordinates so that the shapes are likely to meet there.
    const axis = rng.pick(['x', 'y', 'z'] as const);
    const { position: p } = body.pose;
    Object.assign(p, pose.position);
    const ulp = 2.220446049250313e-16 * (1 + Math.abs(p[axis]));
    p[axis] +=
      boundsOf(shape, pose).max[axis] - boundsOf(body.shape, body.pose).min[axis] + rng.int(-6, 6) * ulp;
    const world = new World();
    const list = new ListedWorld();
    for (const one of [{ shape, pose }, body])
      list.list.push({ id: world.add(one), shape: one.shape, live: one.pose, pose: one.pose, options: {} });
    same(world.update(), list.update(), () => 'events');
    const filter = { ignore: 2 };
    same(world.overlaps(body, { filter }), list.overlaps(body, filter), () => 'overlaps');
    same(world.contacts(body, { filter }), list.contacts(body, 0, filter), () => 'contacts');
    same(world.nearest(body, { maxDistance: 0, filter }), list.nearest(body, 0, filter), () => 'nearest');
    // Past it, along another axis.
    const along = axis === 'x' ? 'y' : 'x';
    const start = structuredClone(body.pose);
    start.position[along] -= 3;
    const way = { translation: { x: 0, y: 0, z: 0, [along]: 6 } };
    const passing = { shape: body.shape, pose: start };
    const [first] = list.castAll(passing, way, filter);
    same(world.cast(passing, way, { filter }), first ?? null, () => 'cast');
    const origin = structuredClone(pose.position);
    origin[axis] = boundsOf(shape, pose).max[axis] + rng.int(-6, 6) * ulp;
    origin[along] -= 3;
    const ray = { origin, direction: { x: 0, y: 0, z: 0, [along]: 1 } };
    const [hit] = list.raycastAll(ray, Infinity, filter);
    same(world.raycast(ray, { filter }), hit ?? null, () => 'raycast');
  });
});

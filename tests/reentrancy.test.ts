/**
 * Code of the user's that queries call (supports, filters, visitors, getters of poses and points) may ask the next
 * question, or throw. What was asked first is answered as if it had been alone, bit for bit.
 */
import { describe, expect, test } from 'vitest';
import { HierarchicalGrid, SortAndSweep, TreeBroadPhase } from '../src/broadphase/index.ts';
import * as graze from '../src/index.ts';
import { collider, type Pose, vec3 } from '../src/index.ts';
import { sweptBoundsOf } from '../src/query/index.ts';
import { DebugWorld } from '../src/world/index.ts';

const at = (x: number, y = 0, z = 0): Pose => ({
  position: vec3(x, y, z),
  quaternion: graze.quat(0.1, 0.2, 0.3, 0.9),
});

/** A closed mesh: an octahedron of radius 1. */
const octahedron = graze.mesh(
  [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1],
  [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5],
);

const SHAPES: readonly (readonly [string, graze.Shape])[] = [
  ['sphere', graze.sphere(0.7)],
  ['box', graze.box(0.5, 0.6, 0.7)],
  ['cylinder', graze.cylinder(0.6, 0.5)],
  ['halfSpace', graze.halfSpace(vec3(0, 1, 0), 0.2)],
  ['mesh', octahedron],
  ['heightField', graze.heightField([0, 0.5, 0.2, 0.1, 0.7, 0.3, 0, 0.4, 0.1], { columns: 3, rows: 3 })],
  [
    'compound',
    graze.compound([
      { shape: graze.box(0.4, 0.4, 0.4), pose: at(0.6) },
      { shape: octahedron, pose: at(-0.8, 0.2) },
      { shape: graze.sphere(0.4), pose: at(0, 0.7) },
    ]),
  ],
];

describe('a support of the user', () => {
  /** What the support does besides its work, at the call of that number; nothing before. */
  let interrupt = (): unknown => undefined;
  let calls = Number.NEGATIVE_INFINITY;
  const ellipsoid = graze.convex(({ x, y, z }, out) => {
    if (++calls === 0) interrupt();
    const length = Math.sqrt(x * x + 0.64 * y * y + 0.36 * z * z);
    out.x = x / length;
    out.y = (0.64 * y) / length;
    out.z = (0.36 * z) / length;
    return out;
  });
  const other = graze.convex(({ x, y, z }, out) => {
    const length = Math.sqrt(x * x + y * y + z * z);
    out.x = x / length;
    out.y = y / length;
    out.z = z / length;
    return out;
  });
  const near = collider(ellipsoid, at(1.1, 0.6, 0.2));
  const far = collider(ellipsoid, at(3.1, 1.6, 0.2));
  const ray = { origin: vec3(5, 1.7, 0.3), direction: vec3(-1, -0.2, 0) };
  const turn = { translation: vec3(-3, -1, 0), axis: vec3(0, 0.6, 0.8), angle: 1 };

  const worldOf = (shape: graze.Shape) => {
    const world = new graze.World();
    world.add(collider(shape, at(0)));
    world.add(near);
    world.update();
    return world;
  };

  /** All queries that ask the support, by name. */
  const queriesOf = (shape: graze.Shape): readonly (readonly [string, () => unknown])[] => {
    const body = collider(shape, at(0));
    const world = worldOf(shape);
    return [
      ['distance', () => graze.distance(far, body)],
      ['distance', () => graze.distance(body, near)],
      ['intersects', () => graze.intersects(near, body)],
      ['contacts', () => graze.contacts(near, body, { margin: 0.5 })],
      ['cast', () => graze.cast(far, { translation: vec3(-3, -1, 0) }, body)],
      ['cast', () => graze.cast(far, turn, body)],
      ['cast', () => graze.cast(far, turn, body, { targetMotion: { translation: vec3(0, 1, 0) } })],
      ['raycast', () => graze.raycast(ray, far)],
      ['closestPoint', () => graze.closestPoint(vec3(0, 0.2, 0), far)],
      ['contains', () => graze.contains(vec3(1.2, 0.5, 0), near)],
      ['signedDistance', () => graze.signedDistance(vec3(1.2, 0.5, 0), near)],
      ['sweptBoundsOf', () => sweptBoundsOf(far, turn)],
      ['boundsOf', () => graze.boundsOf(ellipsoid, near.pose)],
      ['World.raycast', () => world.raycast(ray)],
      ['World.cast', () => world.cast(far, { translation: vec3(-3, -1, 0) })],
      ['World.overlaps', () => world.overlaps(near)],
      ['World.nearest', () => world.nearest(far)],
      ['World.contacts', () => world.contacts(near, { margin: 0.1 })],
      [
        'World.update',
        () => {
          world.refresh(1);
          return world.update();
        },
      ],
    ];
  };

  /** Runs a query with code in the call of the support with that number. */
  const interrupted = (query: () => unknown, call: number, code: () => unknown): unknown => {
    calls = -call;
    interrupt = code;
    try {
      return query();
    } finally {
      calls = Number.NEGATIVE_INFINITY;
    }
  };

  test.each(SHAPES)(
    'that asks a query gets its answer, and so does who asked the support: %s',
    (_, shape) => {
      const queries = queriesOf(shape);
      const inner = [...queriesOf(graze.box(0.4, 0.5, 0.6)), ...queriesOf(octahedron)];
      for (const [, query] of [...queries, ...inner]) query(); // updates of worlds are all stays from here on
      const answers = queries.map(([, query]) => bits(query()));
      const innerAnswers = inner.map(([, query]) => bits(query()));
      let nestings = 0;
      for (const [i, [name, query]] of queries.entries())
        for (const call of [1, 2, 4, 9])
          for (const [j, [innerName, nested]] of inner.entries()) {
            if ((i + j + call) % 3 > 0) continue;
            const text = `${name} with ${innerName} in call ${call}`;
            const answer = interrupted(query, call, () => {
              nestings++;
              expect(bits(nested()), `${text}: the inner one`).toBe(innerAnswers[j]);
            });
            expect(bits(answer), text).toBe(answers[i]);
          }
      expect(nestings).toBeGreaterThan(100);
    },
  );

  test('may ask supports of other shapes, as that of a sum', () => {
    const sum = graze.convex((direction, out) => {
      const { x, y, z } = other.support(direction, vec3());
      ellipsoid.support(direction, out);
      out.x += x;
      out.y += y;
      out.z += z;
      return out;
    });
    expect(graze.distance(sum, collider(graze.sphere(1), at(5)))!.separation).toBeCloseTo(2, 6);
  });

  test.each(SHAPES)('that throws leaves nothing behind: %s', (_, shape) => {
    const queries = queriesOf(shape);
    for (const [, query] of queries) query();
    const answers = queries.map(([, query]) => JSON.stringify(query()));
    const boom = new Error('boom');
    const fail = () => {
      throw boom;
    };
    const rounds = Math.ceil(20_000 / queries.length);
    const memory = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < rounds; i++)
      for (const [, query] of queries)
        try {
          interrupted(query, 1 + (i % 7), fail);
        } catch (error) {
          if (error !== boom) throw error;
        }
    expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(2e5);
    expect(queries.map(([, query]) => JSON.stringify(query()))).toEqual(answers);
  });
});

/** Bit for bit: -0 is not 0. */
const bits = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => (Object.is(value, -0) ? '-0' : value));

/** What getters and filters do besides their work. */
type Hook = () => void;
const NOTHING: Hook = () => {};

/** A vector whose components are read through getters that call the hook. */
const hookedPoint = (p: graze.ReadonlyVec3, hook: Hook): graze.ReadonlyVec3 => ({
  get x() {
    hook();
    return p.x;
  },
  get y() {
    hook();
    return p.y;
  },
  get z() {
    hook();
    return p.z;
  },
});

/** A pose that is read through getters, those of its parts too. */
const hookedPose = (pose: Pose, hook: Hook): graze.ReadonlyPose => ({
  get position() {
    hook();
    return hookedPoint(pose.position, hook);
  },
  get quaternion() {
    hook();
    const q = hookedPoint(pose.quaternion, hook);
    return Object.defineProperty(q, 'w', {
      get() {
        hook();
        return pose.quaternion.w;
      },
    }) as graze.ReadonlyQuat;
  },
});

/** Queries of a world, and of single bodies, with a hook in the filter or in the getters of what is asked. */
function queriesOfWorld(world: graze.World, inFilter: Hook, inGetter: Hook) {
  const filter: graze.Filter = {
    predicate: (collider) => {
      inFilter();
      return collider.id % 5 > 0;
    },
  };
  const point = (x: number, y: number, z: number) => hookedPoint(vec3(x, y, z), inGetter);
  const placed = (shape: graze.Shape, x: number, y = 0, z = 0) => ({
    shape,
    pose: hookedPose(at(x, y, z), inGetter),
  });
  const ray = { origin: point(-9, 0.4, 0.3), direction: point(1, 0.05, 0.02) };
  const inside = { origin: point(0.1, 0.2, 0.1), direction: point(1, 0.05, 0.02) };
  const mover = placed(graze.capsule(0.4, 0.5), -6, 0.5, 0.2);
  const probe = placed(graze.box(1.5, 1.2, 1), 0.4, 0.5, 0.3);
  const target = placed(octahedron, 0.2, 0.3, 0.1);
  const parts = placed(SHAPES.at(-1)![1], 0.2, 0.3, 0.1);
  const slide = { translation: point(12, 0.5, 0.1) };
  const turn = { translation: point(9, 0.5, 0.1), axis: point(0, 0.6, 0.8), angle: 1, pivot: point(0, 1, 0) };
  const turnAbout = { translation: point(9, 0.5, 0.1), axis: point(0, 0.6, 0.8), angle: 1 };
  const spin = { linear: point(9, 0.5, 0.1), angular: point(0, 0.6, 0.8) };
  return {
    'World.raycast': () => world.raycast(ray, { filter }),
    'World.raycast from inside': () => world.raycast(inside, { filter }),
    'World.raycast, any': () => world.raycast(ray, { mode: 'any', maxDistance: 20, filter }),
    'World.raycast, all': () => world.raycast(ray, { mode: 'all', filter }),
    'World.cast': () => world.cast(mover, slide, { filter }),
    'World.cast that rotates': () => world.cast(mover, turn, { filter }),
    'World.cast, any': () => world.cast(mover, slide, { mode: 'any', filter }),
    'World.cast, all': () => world.cast(mover, slide, { mode: 'all', filter }),
    'World.overlaps': () => world.overlaps(probe, { filter }),
    'World.nearest to a point': () => world.nearest(point(0.3, 2.5, 0.4), { filter }),
    'World.nearest to a body': () => world.nearest(mover, { maxDistance: 20, filter }),
    'World.contacts': () => world.contacts(probe, { margin: 0.1, filter }),
    'World.searchBox': () => {
      const found: number[] = [];
      world.searchBox({ min: vec3(-3, -1, -2), max: vec3(3, 1, 2) }, (id) => {
        inFilter();
        return found.push(id) < 9;
      });
      return found;
    },
    raycast: () => graze.raycast(ray, target),
    'raycast from inside': () => graze.raycast(inside, parts),
    closestPoint: () => graze.closestPoint(point(3, 1, 2), parts),
    contains: () => graze.contains(point(0.3, 0.2, 0.2), target),
    signedDistance: () => graze.signedDistance(point(0.3, 0.2, 0.2), target),
    distance: () => graze.distance(probe, target),
    'distance apart': () => graze.distance(mover, parts),
    intersects: () => graze.intersects(probe, parts),
    contacts: () => graze.contacts(probe, parts, { margin: 0.2 }),
    cast: () => graze.cast(mover, slide, target),
    'cast that rotates': () => graze.cast(mover, turnAbout, parts),
    'cast at what moves': () => graze.cast(mover, spin, target, { targetMotion: turn }),
    sweptBoundsOf: () => sweptBoundsOf(mover, turnAbout),
    boundsOf: () => graze.boundsOf(target.shape, target.pose),
    raycastMany: () => graze.raycastMany([-9, 0.4, 0.3, 0, 9, 0], [1, 0.05, 0.02, 0, -1, 0], target),
    closestPointMany: () => graze.closestPointMany([-9, 0.4, 0.3, 0, 9, 0], target),
    intersectsMany: () => graze.intersectsMany(probe, { positions: [1, 0, 0, 3, 0, 0] }, target),
    castMany: () => graze.castMany(mover, { translations: [1, 0, 0, 3, 0.5, 0] }, target),
  };
}

/** Thirty colliders of all kinds in a row of clusters. Their poses have getters; the pair filter has a hook. */
function fillWorld(kind: keyof typeof BROAD_PHASES, verify: boolean, hook: Hook, getterHook: Hook) {
  const filter = (a: { id: number }, b: { id: number }) => {
    hook();
    return (a.id + b.id) % 4 > 0;
  };
  const broadPhase = BROAD_PHASES[kind]();
  const world = verify
    ? new DebugWorld({ broadPhase, filter, verify })
    : new graze.World({ broadPhase, filter });
  const poses: Pose[] = [];
  for (let i = 0; i < 30; i++) {
    const pose = at((i % 10) * 1.3 - 5, Math.floor(i / 10) * 0.9 - 1, (i % 3) * 0.5);
    poses.push(pose);
    const shape = SHAPES[i % SHAPES.length]![1];
    world.add({
      shape: shape.kind === 'halfSpace' && i > 5 ? octahedron : shape,
      pose: hookedPose(pose, getterHook),
    });
  }
  return { world, poses };
}

const BROAD_PHASES = {
  tree: () => new TreeBroadPhase(),
  sweep: () => new SortAndSweep(),
  grid: () => new HierarchicalGrid(),
};
const WORLDS = [
  ['tree', false],
  ['sweep', false],
  ['grid', false],
  ['tree', true],
] as const;

describe.each(WORLDS)('queries in queries, %s, verified: %s', (broadPhase, verify) => {
  const { world } = fillWorld(broadPhase, verify, NOTHING, NOTHING);
  const another = fillWorld('tree', false, NOTHING, NOTHING).world;
  for (let id = 1; id <= 30; id += 3) another.remove(id);
  const plain = [
    ...Object.values(queriesOfWorld(world, NOTHING, NOTHING)),
    ...Object.values(queriesOfWorld(another, NOTHING, NOTHING)),
  ];
  const answers = plain.map((query) => bits(query()));
  const wrong: string[] = [];
  let turn = 0;
  /** Asks one of all the queries after the other, and all at the first call. */
  const askAll = () => {
    for (const [i, query] of plain.entries()) if (bits(query()) !== answers[i]) wrong.push(`nested ${i}`);
  };
  const askNext = () => {
    const i = turn++ % plain.length;
    if (bits(plain[i]!()) !== answers[i]) wrong.push(`nested ${i}`);
  };

  test.each(['filter', 'getter'])('answers are those of queries alone: %s', (where) => {
    for (const [i, name] of Object.keys(queriesOfWorld(world, NOTHING, NOTHING)).entries()) {
      let calls = 0;
      const hook = () => {
        if (calls++ === 3) askAll();
        else askNext();
      };
      const nested = queriesOfWorld(
        world,
        where === 'filter' ? hook : NOTHING,
        where === 'getter' ? hook : NOTHING,
      );
      const query = nested[name as keyof typeof nested];
      if (bits(query()) !== answers[i]) wrong.push(`${name}, asked from its ${where}`);
      if (where === 'getter' && name !== 'World.searchBox') expect(calls, name).toBeGreaterThan(3);
    }
    expect(wrong).toEqual([]);
  });

  test.each(['filter', 'getter'])('what throws leaves nothing behind: %s', (where) => {
    const boom = new Error('boom');
    let left = -1;
    let throws = 0;
    const hook = () => {
      if (left-- !== 0) return;
      throws++;
      throw boom;
    };
    const all = Object.values(
      queriesOfWorld(world, where === 'filter' ? hook : NOTHING, where === 'getter' ? hook : NOTHING),
    );
    /** Those that call the hook, and how often. */
    const queries = all.flatMap((query) => {
      left = -1;
      query();
      return left < -1 ? [{ query, calls: -1 - left }] : [];
    });
    expect(queries.length).toBeGreaterThan(10);
    const memory = process.memoryUsage().arrayBuffers;
    for (let i = 0; throws < (verify ? 400 : 5000); i++) {
      const { query, calls } = queries[i % queries.length]!;
      left = i % Math.min(calls, 23);
      try {
        query();
      } catch {} // checks may put their own error in its place
      if (i % 1000 === 0) askNext();
    }
    left = -1;
    expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(5e5);
    askAll();
    expect(wrong).toEqual([]);
  });

  test('an update with getters and filters that ask, or throw, tells what it would alone', () => {
    let hook: Hook = NOTHING;
    const quiet = fillWorld(broadPhase, verify, NOTHING, NOTHING);
    const loud = fillWorld(
      broadPhase,
      verify,
      () => hook(),
      () => hook(),
    );
    for (let step = 0; step < 12; step++) {
      for (const { poses } of [quiet, loud])
        for (const [i, { position }] of poses.entries())
          if ((i + step) % 3 > 0) position.x += 0.3 * Math.sin(i * step);
      let told: string | null = null;
      if (step % 3 === 1) {
        let left = step * 17;
        hook = () => {
          if (left-- === 0) throw new Error('boom');
        };
        // A check may have caught it and looked again: then the update is done.
        try {
          told = bits(loud.world.update());
        } catch {}
        hook = NOTHING;
      } else if (step % 3 === 2) {
        let calls = 0;
        hook = () => {
          if (calls++ % 97 > 0) return;
          askNext();
          const own = hook;
          hook = NOTHING;
          loud.world.raycast({ origin: vec3(-9, 0.4, 0.3), direction: vec3(1, 0, 0) }, { mode: 'all' });
          hook = own;
          expect(() => loud.world.update()).toThrow('must not be changed');
          expect(() => loud.world.add(octahedron)).toThrow('must not be changed');
        };
      }
      const events = bits(quiet.world.update());
      expect(told ?? bits(loud.world.update())).toBe(events);
      hook = NOTHING;
      const name = 'World.cast, all';
      expect(bits(queriesOfWorld(loud.world, NOTHING, NOTHING)[name]())).toBe(
        bits(queriesOfWorld(quiet.world, NOTHING, NOTHING)[name]()),
      );
    }
    expect(wrong).toEqual([]);
  });
});

describe.each(Object.keys(BROAD_PHASES) as (keyof typeof BROAD_PHASES)[])(
  'changes from inside, %s',
  (kind) => {
    /** All that changes a world. */
    const changes: readonly ((world: graze.World) => unknown)[] = [
      (world) => world.add(octahedron),
      (world) => world.remove(1),
      (world) => world.change(1, { group: 2 }),
      (world) => world.refresh(1),
      (world) => world.update(),
      (world) => world.clear(),
      (world) => world.restore(world.snapshot()),
    ];

    test('of every query are refused in its filter, and leave nothing behind', () => {
      const { world } = fillWorld(kind, false, NOTHING, NOTHING);
      world.update();
      const before = bits(world.snapshot());
      const plain = queriesOfWorld(world, NOTHING, NOTHING);
      for (const [i, name] of Object.keys(plain).entries()) {
        if (!name.startsWith('World.')) continue;
        const query = name as keyof typeof plain;
        const answer = bits(plain[query]());
        let refused = 0;
        const hooked = queriesOfWorld(
          world,
          () => {
            const change = changes[(i + refused++) % changes.length]!;
            expect(() => change(world), name).toThrow('must not be changed');
          },
          NOTHING,
        );
        expect(bits(hooked[query]()), name).toBe(answer);
        expect(refused, name).toBeGreaterThan(0);
      }
      expect(bits(world.snapshot())).toBe(before);
      expect(world.update().every(({ phase }) => phase === 'stay')).toBe(true);
    });

    test('of an update are refused in its filter and its getters, at every call', () => {
      let hook: Hook = NOTHING;
      const run = () => hook();
      const quiet = fillWorld(kind, false, NOTHING, NOTHING);
      const loud = fillWorld(kind, false, run, run);
      let refused = 0;
      for (let step = 0; step < changes.length; step++) {
        for (const { poses } of [quiet, loud])
          for (const [i, { position }] of poses.entries()) position.y += 0.1 * Math.cos(i + step);
        hook = () => {
          expect(() => changes[step]!(loud.world)).toThrow('must not be changed');
          refused++;
        };
        const events = bits(loud.world.update());
        hook = NOTHING;
        expect(events).toBe(bits(quiet.world.update()));
      }
      expect(refused).toBeGreaterThan(1000);
    });

    test('an update that throws at any call of the user’s code is told by the next one', () => {
      const boom = new Error('boom');
      let hook: Hook = NOTHING;
      const run = () => hook();
      const quiet = fillWorld(kind, false, NOTHING, NOTHING);
      const loud = fillWorld(kind, false, run, run);
      let thrown = 0;
      for (let call = 0; call < 400; call += 7) {
        for (const { poses } of [quiet, loud])
          for (const [i, { position }] of poses.entries())
            if ((i + call) % 2 > 0) position.x += 0.2 * Math.sin(i * call);
        let left = call;
        hook = () => {
          if (left-- === 0) throw boom;
        };
        let events: string | null = null;
        const out: graze.PairEvent[] = [];
        try {
          events = bits(loud.world.update(out));
        } catch (error) {
          expect(error).toBe(boom);
          expect(out).toEqual([]);
          thrown++;
        }
        hook = NOTHING;
        expect(events ?? bits(loud.world.update())).toBe(bits(quiet.world.update()));
        expect(loud.world.stats).toMatchObject({ candidates: quiet.world.stats.candidates });
      }
      expect(thrown).toBeGreaterThan(30);
    });

    test('are free while the events are gone through: they are all there', () => {
      const { world } = fillWorld(kind, false, NOTHING, NOTHING);
      const alone = fillWorld(kind, false, NOTHING, NOTHING).world.update();
      const told: graze.PairEvent[] = [];
      const added: number[] = [];
      for (const event of world.update()) {
        told.push({ ...event });
        if (world.has(event.a)) world.remove(event.a);
        added.push(world.add(collider(graze.sphere(0.1), at(100 + told.length))));
        world.raycast({ origin: vec3(-9, 0.4, 0.3), direction: vec3(1, 0, 0) });
      }
      expect(told).toEqual(alone);
      const next = world.update();
      expect(next.filter(({ phase }) => phase === 'leave').length).toBeGreaterThan(0);
      expect(next.some(({ a, b }) => added.includes(a) || added.includes(b))).toBe(false);
      expect(world.update().every(({ phase }) => phase === 'stay')).toBe(true);
    });

    test('a filter may move a character of the same world', () => {
      const { world } = fillWorld(kind, false, NOTHING, NOTHING);
      const plain = queriesOfWorld(world, NOTHING, NOTHING);
      const hero = new graze.Character(world, { radii: { x: 0.3, y: 0.6, z: 0.3 } });
      const twin = new graze.Character(world, { radii: { x: 0.3, y: 0.6, z: 0.3 } });
      const walk = (who: graze.Character, step: number) => {
        if (step % 8 === 0) Object.assign(who.position, { x: -4, y: 3, z: 0.2 });
        Object.assign(who.velocity, { x: 2, y: -1, z: 0.3 });
        who.moveAndSlide(0.1);
      };
      let steps = 0;
      const hooked = queriesOfWorld(world, () => walk(hero, steps++), NOTHING);
      for (const name of Object.keys(plain) as (keyof typeof plain)[])
        if (name.startsWith('World.')) expect(bits(hooked[name]()), name).toBe(bits(plain[name]()));
      for (let step = 0; step < steps; step++) walk(twin, step);
      expect(steps).toBeGreaterThan(50);
      expect(bits(hero.position)).toBe(bits(twin.position));
    });

    test('searches of the broad phase in its visitors, and in getters of its rays', () => {
      const broad = BROAD_PHASES[kind]();
      for (let i = 0; i < 60; i++) {
        const [x, y, z] = [(i * 7) % 10, (i * 3) % 5, i % 4];
        broad.add(i, { min: vec3(x, y, z), max: vec3(x + 1.2, y + 0.8, z + 1) });
      }
      const searches = (hook: Hook) => [
        () => {
          const found: number[] = [];
          const origin = hookedPoint(vec3(-1, 0.5, 0.5), hook);
          broad.searchRay({ origin, direction: hookedPoint(vec3(1, 0.2, 0.1), hook) }, 20, (id, t) => {
            hook();
            found.push(id, t);
          });
          return found;
        },
        () => {
          const found: number[] = [];
          broad.searchBox({ min: vec3(1, 1, 1), max: vec3(4, 3, 3) }, (id) => {
            hook();
            found.push(id);
          });
          return found;
        },
        () => {
          const found: number[] = [];
          broad.pairs((a, b) => {
            hook();
            found.push(a, b);
          });
          return found;
        },
      ];
      const plain = searches(NOTHING);
      const answers = plain.map((search) => bits(search()));
      let turn = 0;
      const hook = () => {
        const i = turn++ % plain.length;
        expect(bits(plain[i]!())).toBe(answers[i]);
        expect(() => broad.remove(5)).toThrow(/must not be changed/);
      };
      const inVisitors = searches(hook);
      for (const i of [1, 2]) expect(bits(inVisitors[i]!())).toBe(answers[i]);
      // Getters run before the search is under way: nothing is refused there.
      const inGetters = searches(() => {
        const i = turn++ % plain.length;
        expect(bits(plain[i]!())).toBe(answers[i]);
      });
      expect(bits(inGetters[0]!())).toBe(answers[0]);
      expect(turn).toBeGreaterThan(50);
    });
  },
);

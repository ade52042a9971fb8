/** What a world promises beyond right answers: numbers, caches, snapshots, refusals. */
import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { randomOptions, randomPose, randomShape } from '../../tests/kit/world-scene.ts';
import {
  BitGrid,
  DynamicTree,
  HierarchicalGrid,
  IncrementalSweep,
  SortAndSweep,
  TreeBroadPhase,
} from '../broadphase/index.ts';
import type { Pose, Vec3 } from '../math/types.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import { intersects } from '../query/intersects.ts';
import { raycast } from '../query/raycast.ts';
import { boundsOf, box, collider, halfSpace, heightField, sphere } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { refitMesh } from '../trimesh/index.ts';
import type { ColliderOptions } from './collider-record.ts';
import { DebugWorld } from './debug-world.ts';
import type { Filter } from './filter.ts';
import type { WorldSnapshot } from './snapshot.ts';
import { World } from './world.ts';

const at = (x: number, y = 0, z = 0): Pose => ({ ...makePose(), position: vec3(x, y, z) });
const ray = { origin: vec3(-5, 0, 0), direction: vec3(1, 0, 0) };

describe('numbers', () => {
  test('are small, ascending, and never used again', () => {
    const world = new World();
    const ids = [1, 2, 3].map((x) => world.add(collider(sphere(0.1), at(x))));
    expect(ids).toEqual([1, 2, 3]);
    world.remove(3);
    expect(world.add(sphere(1))).toBe(4);
    expect(world.ids()).toEqual([1, 2, 4]);
    expect([world.size, world.has(3), world.has(4)]).toEqual([3, false, true]);
  });

  test('of answers that are as good as each other it is the lowest', () => {
    const world = new World();
    const shape = box(1, 1, 1);
    for (let i = 0; i < 5; i++) world.add(shape);
    world.remove(1);
    expect(world.raycast(ray)?.id).toBe(2);
    expect(world.raycast(ray, { mode: 'all' }).map((hit) => hit.id)).toEqual([2, 3, 4, 5]);
    expect(world.cast(collider(sphere(0.5), at(-4)), { translation: vec3(4, 0, 0) })?.id).toBe(2);
    expect(world.nearest(vec3(3, 0, 0))?.id).toBe(2);
    expect(world.overlaps(sphere(0.1))).toEqual([2, 3, 4, 5]);
  });
});

test('of many on the way of a cast, the first is found, though the box of another is met before', () => {
  const world = new World();
  world.add(collider(sphere(5), at(10, 5.05)));
  const wall = world.add(collider(box(0.5, 1, 1), at(6.5)));
  for (let x = 20; x < 60; x++) world.add(collider(sphere(0.4), at(x)));
  expect(world.cast(sphere(0.1), { translation: vec3(100, 0, 0) })?.id).toBe(wall);
});

describe('time', () => {
  test('questions are answered at once after add, with no update', () => {
    const world = new World();
    const id = world.add(collider(sphere(1), at(3)));
    expect(world.raycast(ray)).toMatchObject({ id, t: 7 });
    expect(world.overlaps(collider(sphere(1), at(4)))).toEqual([id]);
    world.remove(id);
    expect(world.raycast(ray)).toBeNull();
  });

  test('a collider is where its pose was read last', () => {
    const world = new World();
    const pose = at(0);
    const id = world.add(collider(sphere(1), pose));
    const still = world.add(collider(sphere(1), pose), { fixed: true });
    pose.position.x = 10;
    expect(world.get(id).pose.position.x).toBe(0);
    world.update();
    expect(world.get(id).pose.position.x).toBe(10);
    expect(world.get(still).pose.position.x).toBe(0);
    world.refresh(still);
    expect(world.get(still).pose.position.x).toBe(10);
    world.change(still, { pose: at(-3) });
    expect(world.get(still).pose.position.x).toBe(-3);
  });

  test('a mesh that was refitted is found where it is now', () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0];
    const shape = mesh(positions, [0, 1, 2]);
    const world = new World();
    const id = world.add(shape);
    const moved = positions.map((c, i) => (i % 3 === 0 ? c + 50 : c));
    world.change(id, { shape: refitMesh(shape, moved, [0, 1, 2]) });
    expect(world.overlaps(collider(sphere(0.5), at(50)))).toEqual([id]);
  });
});

test('hundreds of boxes, fixed and not, some of one owner: the events of asking every pair', () => {
  const rng = new Rng(52);
  const world = new World();
  const bodies = Array.from({ length: 300 }, (_, i) => ({
    body: collider(box(rng.range(0.2, 1), rng.range(0.2, 1), rng.range(0.2, 1)), {
      position: rng.vec(4),
      quaternion: i % 3 ? rng.rotation() : makePose().quaternion,
    }),
    fixed: i % 4 === 0,
    owner: i % 5 ? i % 7 : undefined,
  }));
  for (const { body, fixed, owner } of bodies) world.add(body, { fixed, owner });
  const expected = bodies.flatMap((a, i) =>
    bodies.slice(i + 1).flatMap((b, j) => {
      const meet = !(a.fixed && b.fixed) && (a.owner === undefined || a.owner !== b.owner);
      return meet && intersects(a.body, b.body) ? [`${i + 1} ${i + j + 2}`] : [];
    }),
  );
  expect(expected.length).toBeGreaterThan(300);
  expect(world.update().map(({ a, b }) => `${a} ${b}`)).toEqual(expected);
});

describe('[R2.5] pairs of which neither has moved are not asked again', () => {
  const crowd = (): [World, Pose[]] => {
    const world = new World();
    const rng = new Rng(5);
    const poses = Array.from({ length: 200 }, () => ({ ...makePose(), position: rng.vec(6) }));
    for (const pose of poses) world.add(collider(sphere(0.6), pose));
    return [world, poses];
  };

  test('the answers are kept', () => {
    const [world] = crowd();
    const first = world.update();
    expect(first.length).toBeGreaterThan(50);
    const { asked, candidates } = world.stats;
    expect(asked).toBe(candidates);
    const second = world.update();
    expect(world.stats).toEqual({ moved: 0, candidates: first.length, asked: 0, kept: first.length });
    expect(second).toEqual(first.map((event) => ({ ...event, phase: 'stay' })));
  });

  test('what moves is asked about, and nothing else', () => {
    const [world, poses] = crowd();
    world.update();
    poses[0]!.position.x += 0.01;
    world.update();
    expect(world.stats.moved).toBe(1);
    expect(world.stats.asked).toBeGreaterThan(0);
    expect(world.stats.asked).toBeLessThan(40);
    expect(world.stats.kept).toBeGreaterThan(50);
  });

  test('after a jump of all, the same as a world made there', () => {
    const [world, poses] = crowd();
    world.update();
    for (const pose of poses) Object.assign(pose.position, { x: -pose.position.y, y: pose.position.z * 2 });
    const cold = new World();
    for (const pose of poses) cold.add(collider(sphere(0.6), pose));
    const touching = (events: { a: number; b: number; phase: string }[]): number[][] =>
      events.filter((e) => e.phase !== 'leave').map((e) => [e.a, e.b]);
    expect(touching(world.update())).toEqual(touching(cold.update()));
    expect(world.stats.asked).toBe(cold.stats.asked);
  });
});

describe('events', () => {
  test('enter, stay, leave; also when one is removed or no longer meets the other', () => {
    const world = new World();
    const pose = at(0);
    const a = world.add(collider(sphere(1), pose));
    const b = world.add(collider(sphere(1), at(1)), { sensor: true });
    const c = world.add(collider(sphere(1), at(0, 1)));
    const phases = (): string[] =>
      world.update().map((e) => `${e.a}${e.b} ${e.phase}${e.sensor ? ' sensor' : ''}`);
    expect(phases()).toEqual(['12 enter sensor', '13 enter', '23 enter sensor']);
    expect(phases()).toEqual(['12 stay sensor', '13 stay', '23 stay sensor']);
    pose.position.x = 50;
    expect(phases()).toEqual(['12 leave sensor', '13 leave', '23 stay sensor']);
    world.change(c, { group: 2, mask: 2 });
    expect(phases()).toEqual(['23 leave sensor']);
    world.change(c, { group: 1, mask: -1 });
    expect(phases()).toEqual(['23 enter sensor']);
    world.remove(b);
    expect(phases()).toEqual(['23 leave sensor']);
    expect(phases()).toEqual([]);
    expect([a, b, c]).toEqual([1, 2, 3]);
    pose.position.x = 0;
    expect(phases()).toEqual(['13 enter']);
    world.clear();
    expect(phases()).toEqual(['13 leave']);
  });

  test('when few of many move, it does not matter which of a pair it is', () => {
    const poses = Array.from({ length: 20 }, (_, i) => at(10 * (i >> 1), i % 2));
    const world = new World();
    for (const pose of poses) world.add(collider(sphere(0.6), pose));
    const phases = () => world.update().map(({ a, b, phase }) => `${a} ${b} ${phase}`);
    const all = Array.from({ length: 10 }, (_, k) => `${2 * k + 1} ${2 * k + 2}`);
    expect(phases()).toEqual(all.map((pair) => `${pair} enter`));
    for (const moving of [4, 5, 18, 19]) {
      const pair = all[moving >> 1]!;
      const { y } = poses[moving]!.position;
      const others = (phase: string) => all.map((other) => `${other} ${other === pair ? phase : 'stay'}`);
      poses[moving]!.position.y = 50;
      expect(phases()).toEqual(others('leave'));
      expect(phases()).toEqual(others('gone').filter((line) => !line.endsWith('gone')));
      poses[moving]!.position.y = y;
      expect(phases()).toEqual(others('enter'));
      expect(phases()).toEqual(others('stay'));
    }
  });

  test('the pairs that touched are visited, but for what has been removed since', () => {
    const world = new World();
    const ids = [0, 1, 2].map((x) => world.add(collider(sphere(0.7), { ...makePose(), position: vec3(x) })));
    world.update();
    const visited = () => {
      const list: number[][] = [];
      world.pairs.visitTouching((a, b) => list.push([a.id, b.id]));
      return list;
    };
    expect(visited()).toEqual([
      [1, 2],
      [2, 3],
    ]);
    world.remove(ids[2]!);
    expect(visited()).toEqual([[1, 2]]);
    world.remove(ids[0]!);
    expect(visited()).toEqual([]);
  });

  test('records of a list that is given are used again', () => {
    const world = new World();
    world.add(sphere(1));
    world.add(sphere(1));
    const out = world.update();
    const [first] = out;
    expect(world.update(out)).toBe(out);
    expect(out[0]).toBe(first);
    expect(first).toEqual({ a: 1, b: 2, phase: 'stay', sensor: false });
  });

  test('the filter of the world has the last word', () => {
    const asked: string[] = [];
    const world = new World({
      filter: (a, b) => {
        asked.push(`${a.id} ${b.id}`);
        return a.data !== b.data;
      },
    });
    world.add(sphere(1), { data: 'red' });
    world.add(sphere(1), { data: 'red' });
    world.add(sphere(1), { data: 'blue' });
    expect(world.update().map((e) => [e.a, e.b])).toEqual([
      [1, 3],
      [2, 3],
    ]);
    expect([world.meets(1, 2), world.meets(2, 3), world.meets(3, 3)]).toEqual([false, true, false]);
    asked.length = 0;
    world.update();
    expect(asked).toEqual([]);
  });

  test('the filter of the world may ask the world', () => {
    const world: World = new World({
      filter: ({ id }) => world.overlaps(sphere(1), { filter: { ignore: id } }).length === 1,
    });
    world.add(sphere(1));
    world.add(sphere(1));
    expect(world.update()).toMatchObject([{ a: 1, b: 2, phase: 'enter' }]);
  });

  test('half-spaces meet everything near them, and come and go', () => {
    const world = new World();
    const ground = world.add(halfSpace(vec3(0, 1, 0)), { fixed: true });
    const pose = at(1e6, 0.5);
    const ball = world.add(collider(sphere(1), pose));
    expect(world.update()).toMatchObject([{ a: ground, b: ball, phase: 'enter' }]);
    pose.position.y = 5;
    expect(world.update()).toMatchObject([{ phase: 'leave' }]);
    world.change(ground, { shape: box(1e7, 4.5, 1) });
    expect(world.update()).toMatchObject([{ phase: 'enter' }]);
  });
});

describe('snapshots', () => {
  property('a world goes on after one as if nothing had been, to the last bit', 10, (rng) => {
    const world = new World();
    const poses = new Map<number, Pose>();
    const script = (into: World, live: Map<number, Pose>, steps: Rng, count: number): unknown[] => {
      const told: unknown[] = [];
      for (let i = 0; i < count; i++) {
        const what = steps.unit();
        const ids = into.ids();
        if (what < 0.3 || ids.length === 0) {
          const pose = randomPose(steps, 3);
          const id = into.add({ shape: randomShape(steps), pose }, randomOptions(steps));
          live.set(id, pose);
          told.push(id);
        } else if (what < 0.4) into.remove(steps.pick(ids));
        else if (what < 0.5) into.change(steps.pick(ids), { shape: randomShape(steps) });
        else Object.assign(live.get(steps.pick(ids))!.position, steps.vec(3));
        if (steps.chance(0.4)) told.push(...structuredClone(into.update()));
        const p = steps.vec(4);
        told.push(into.nearest(p), into.raycast({ origin: p, direction: steps.direction() }));
      }
      return told;
    };
    script(world, poses, rng, rng.int(5, 40));
    const saved = world.snapshot();
    const kept = JSON.stringify(saved.colliders) + JSON.stringify(saved.pairs);
    const livePoses = structuredClone(poses);
    const seed = rng.bits();
    const first = JSON.stringify(script(world, poses, new Rng(seed), 30));
    check(
      kept === JSON.stringify(saved.colliders) + JSON.stringify(saved.pairs),
      'a snapshot does not change',
    );
    // Another world, and the same one, back in time.
    const other = new World();
    const copies = structuredClone(livePoses);
    other.restore({ ...saved, colliders: structuredClone(saved.colliders) }, (id) => copies.get(id));
    check(JSON.stringify(script(other, copies, new Rng(seed), 30)) === first, 'another world');
    world.restore(saved, (id) => livePoses.get(id));
    check(JSON.stringify(script(world, livePoses, new Rng(seed), 30)) === first, 'the same world');
  });

  test('say which broad phase found the pairs, and go back only into a world with the same', () => {
    const kinds = {
      tree: () => new TreeBroadPhase(),
      sweep: () => new SortAndSweep(),
      grid: () => new HierarchicalGrid(),
      'incremental sweep': () => new IncrementalSweep(),
      'bit grid': () => new BitGrid({ cell: 2 }),
    };
    for (const [kind, make] of Object.entries(kinds)) {
      const world = new World({ broadPhase: make() });
      world.add(sphere(1));
      world.add(collider(sphere(1), at(1)));
      world.update();
      const saved = world.snapshot();
      expect(saved.broadPhase).toBe(kind);
      for (const [other, makeOther] of Object.entries(kinds)) {
        const another = new World({ broadPhase: makeOther() });
        if (other !== kind)
          expect(() => another.restore(saved)).toThrow(
            `World.restore: snapshot.broadPhase is the string '${kind}', and this world has ${other}`,
          );
        else {
          another.restore(saved);
          expect(another.update()).toEqual([{ a: 1, b: 2, phase: 'stay', sensor: false }]);
        }
      }
      // One that was taken before they said so.
      const { broadPhase: _, ...older } = saved;
      new World().restore(older);
    }
  });

  test('of an empty world, it takes another back to none', () => {
    const world = new World();
    world.add(sphere(1));
    world.update();
    world.restore(new World().snapshot());
    expect([world.ids(), world.update(), world.raycast({ origin: vec3(-5), direction: vec3(1) })]).toEqual([
      [],
      [],
      null,
    ]);
    expect(world.add(sphere(1))).toBe(1);
  });

  test('without live poses colliders stand where they were', () => {
    const world = new World();
    const pose = at(2);
    world.add(collider(sphere(1), pose), { owner: 7, uses: ['ray'], data: 'x' });
    const saved = world.snapshot();
    const other = new World();
    other.restore(saved);
    pose.position.x = 99;
    other.update();
    expect(other.raycast(ray)?.t).toBe(6);
    expect(other.get(1)).toMatchObject({ owner: 7, uses: ['ray'], data: 'x', group: 1 });
    // Where the number is still in use, its pose is read.
    world.restore(saved);
    expect(world.get(1).pose.position.x).toBe(2);
    world.update();
    expect(world.get(1).pose.position.x).toBe(99);
  });

  test('what is not one is refused, and nothing changes', () => {
    const world = new World();
    world.add(sphere(1));
    const good = world.snapshot();
    expect(() => world.restore({} as never)).toThrow(/snapshot/);
    const [one] = good.colliders;
    const bad = [
      { ...good, nextId: 1 },
      { ...good, shapes: [] },
      { ...good, shapes: [{ kind: 'mesh' } as never] },
      { ...good, shapes: [...good.shapes, { kind: 'mesh' } as never] }, // which nobody uses
      { ...good, shapes: [{ kind: 'sphere', radius: 1 } as never] },
      { ...good, colliders: [one!, one!] },
      { ...good, colliders: [{ ...one!, pose: [0, 0, Number.NaN, 0, 0, 0, 1] }] },
      { ...good, colliders: [{ ...one!, pose: [0, 0, 0] }] },
    ];
    for (const snapshot of bad) expect(() => world.restore(snapshot)).toThrow(/snapshot|collider 1/);
    expect(world.snapshot()).toEqual(good);
  });

  test('whatever is put in place of any field: a named error and nothing changed, or the same world', () => {
    const world = new World();
    const still = collider(sphere(1), at(0));
    world.add(still, { owner: 3, group: 2, mask: 7, data: { any: 'thing' } });
    world.add(collider(box(1, 1, 1), at(1)), { sensor: true });
    world.add(still, { fixed: true, uses: ['ray', 'event'] });
    world.add(halfSpace({ x: 0, y: 1, z: 0 }, 0));
    world.add(mesh([0, 0, 0, 1, 0, 0, 0, 1, 0]));
    world.update();
    world.remove(1);
    const good = world.snapshot();
    expect(good.pairs.length).toBeGreaterThan(3);
    expect(good.removed).toEqual([1]);
    const hostile: unknown[] = [
      ...[
        undefined,
        null,
        true,
        false,
        '',
        '1',
        'sphere',
        0,
        -0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        -1,
        0.5,
        1e300,
        2 ** 31,
      ],
      ...[2 ** 53, -(2 ** 31), Number.NaN, Infinity, -Infinity, 10n, Symbol('s'), () => 1],
      ...[[], [1], [1, 2, 0], [2, 3, 1], [Number.NaN], ['1', '2', '0'], [[1, 2, 0]], new Float64Array(3), {}],
      ...[
        { kind: 'sphere' },
        { kind: 'mesh' },
        { kind: 'nothing' },
        Object.create(null),
        new Map(),
        new Date(0),
      ],
    ];
    /** With the shapes in the colliders, as it does not matter where they are in the list; and bits with their sign. */
    const plain = ({ shapes, colliders, nextId, pairs, removed }: WorldSnapshot): string =>
      JSON.stringify([
        nextId,
        pairs,
        removed,
        colliders.map((c) => ({
          ...c,
          shape: shapes[c.shape],
          group: c.group | 0,
          mask: c.mask | 0,
          owner: c.owner ?? null,
          uses: [...new Set(c.uses)],
        })),
      ]);
    const seen = { refused: 0, same: 0 };
    const attempt = (snapshot: unknown, what: string): void => {
      const other = new World();
      other.add(sphere(5));
      other.update();
      const before = other.snapshot();
      try {
        other.restore(snapshot as never);
      } catch (error) {
        const { message } = error as Error;
        check(
          (error instanceof TypeError || error instanceof RangeError) &&
            message.startsWith('graze: World.restore: ') &&
            /snapshot|collider/.test(message),
          `${what}: ${message}`,
        );
        expect(other.snapshot(), what).toEqual(before);
        seen.refused++;
        return;
      }
      // What was let in is what it says, and the world goes on with it.
      expect(plain(other.snapshot()), what).toBe(plain(snapshot as WorldSnapshot));
      other.update();
      other.raycast(ray);
      seen.same++;
    };
    /** Every place in a value, and the value with something else there. */
    const mutate = (value: unknown, path: string, put: (other: unknown) => unknown): void => {
      if (path.endsWith('.data')) return;
      for (const other of hostile)
        attempt(put(other), `${path} = ${typeof other} ${JSON.stringify(other, text)}`);
      if (Array.isArray(value)) {
        value.forEach((part, i) => {
          mutate(part, `${path}[${i}]`, (other) => put(value.with(i, other)));
          attempt(put(value.toSpliced(i, 1)), `${path} without ${i}`);
          attempt(put(value.toSpliced(i, 0, part)), `${path} with ${i} twice`);
        });
      } else if (typeof value === 'object' && value !== null && !('kind' in value))
        for (const [key, part] of Object.entries(value))
          mutate(part, `${path}.${key}`, (other) => put({ ...value, [key]: other }));
    };
    const text = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
    mutate(good, 'snapshot', (other) => other);
    expect(seen.refused).toBeGreaterThan(3000);
    expect(seen.same).toBeGreaterThan(5);
  });

  test('pairs of unknown, equal, reversed and repeated numbers, and impossible next numbers', () => {
    const world = new World();
    for (let i = 0; i < 3; i++) world.add(collider(sphere(1), at(0.1 * i)));
    world.update();
    const good = world.snapshot();
    expect(good.pairs).toEqual([1, 2, 0, 1, 3, 0, 2, 3, 0]);
    for (const [pairs, reason] of [
      [[1, 99, 0], /numbers of colliders/],
      [[0, 1, 0], /numbers of colliders/],
      [[2, 2, 0], /lower number first/],
      [[2, 1, 0], /lower number first/],
      [[1, 2, 0, 1, 2, 0], /after the last/],
      [[1, 3, 0, 1, 2, 0], /after the last/],
      [[1, 2, 2], /0 or 1/],
      [[1, 2], /three numbers/],
      [['1', 2, 0], /numbers of colliders/],
    ] as const)
      expect(() => world.restore({ ...good, pairs: pairs as never })).toThrow(reason);
    for (const nextId of [Number.NaN, Infinity, '4', 3, 0, -1, 3.5, 2 ** 31, null, undefined, 4n])
      expect(() => world.restore({ ...good, nextId: nextId as never })).toThrow(/World.restore: snapshot/);
    expect(() => world.restore(good, 3 as never)).toThrow(/poseOf must be a function/);
    expect(() => world.restore(good, () => 3 as never)).toThrow(/poseOf\(1\) must be a pose/);
    expect(world.snapshot()).toEqual(good);
    world.restore(good);
    expect(world.snapshot()).toEqual(good);
  });
});

describe('refusals', () => {
  test('numbers that are not in the world', () => {
    const world = new World();
    world.add(sphere(1));
    for (const call of ['remove', 'refresh', 'get'] as const)
      for (const id of [0, 2, -1, 0.5, Number.NaN])
        expect(() => world[call](id)).toThrow(`graze: World.${call}: id must be that of a collider`);
    expect(() => world.change(9, {})).toThrow(/World\.change: id/);
  });

  test('shapes, poses and options that cannot be', () => {
    const world = new World();
    expect(() => world.add({} as never)).toThrow(/World\.add: body/);
    expect(() => world.add({ shape: sphere(1), pose: at(Number.NaN) })).toThrow(/the pose of collider 1/);
    const zero = { position: vec3(), quaternion: { x: 0, y: 0, z: 0, w: 0 } };
    expect(() => world.add({ shape: sphere(1), pose: zero })).toThrow(/quaternion that is not zero/);
    expect(() => world.add(sphere(1), { group: 0.5 })).toThrow(/options\.group/);
    expect(() => world.add(sphere(1), { mask: Number.NaN })).toThrow(/options\.mask/);
    expect(() => world.add(sphere(1), { owner: Number.NaN })).toThrow(/options\.owner/);
    expect(() => world.add(sphere(1), { uses: ['rays' as never] })).toThrow(/options\.uses/);
    expect(world.size).toBe(0);
    expect(world.add(sphere(1))).toBe(1);
    expect(() => world.change(1, { shape: {} as never })).toThrow(/World\.change/);
    for (const broadPhase of ['wood', 'tree', 'sweep', 'grid'])
      expect(() => new World({ broadPhase: broadPhase as never })).toThrow(
        `graze: World: options.broadPhase must be a broad phase, such as new SortAndSweep() or new HierarchicalGrid() of graze/broadphase, got the string '${broadPhase}'`,
      );
    expect(() => new World({ filter: 1 as never })).toThrow(/filter/);
    expect(() => new World({ log: 5 } as never)).toThrow(/World: options have log or verify.* DebugWorld/);
    expect(() => new World({ verify: true } as never)).toThrow(
      /World: options have log or verify.* DebugWorld/,
    );
    expect(() => new World(null as never)).toThrow(/World: options/);
    expect(() => new DebugWorld({ log: 0.5 })).toThrow(/log/);
    expect(() => new DebugWorld({ verify: 1 as never })).toThrow(/verify/);
  });

  test('a pose that turns to NaN is named by update, which leaves the world as it was', () => {
    const world = new World();
    const poses = [at(0), at(1), at(9)];
    for (const pose of poses) world.add(collider(sphere(1), pose));
    world.update();
    poses[0]!.position.x = 20;
    poses[1]!.position.y = Number.NaN;
    expect(() => world.update()).toThrow(/World\.update: the pose of collider 2\.position\.y/);
    expect(world.raycast(ray)?.id).toBe(1);
    expect(world.overlaps(sphere(0.5))).toEqual([1, 2]);
    poses[1]!.position.y = 0;
    expect(world.update()).toMatchObject([{ a: 1, b: 2, phase: 'leave' }]);
  });

  test('questions with bad numbers, also to a world that is empty', () => {
    const world = new World();
    const bad = { shape: sphere(1), pose: at(Infinity) };
    expect(() => world.raycast({ ...ray, origin: vec3(0, Number.NaN, 0) })).toThrow(
      /World\.raycast: ray\.origin/,
    );
    expect(() => world.raycast(ray, { mode: 'any', maxDistance: -1 })).toThrow(/maxDistance/);
    expect(() => world.raycast(ray, { mode: 'all', maxDistance: Number.NaN })).toThrow(/maxDistance/);
    expect(() => world.raycast(ray, { mode: 'some' as 'any' })).toThrow(
      /options\.mode must be one of 'first'/,
    );
    expect(() => world.raycast(ray, { out: 5 as never })).toThrow(/options\.out/);
    expect(() => world.raycast(ray, 5 as never)).toThrow(/World\.raycast: options/);
    expect(() => world.overlaps(sphere(1), null as never)).toThrow(/World\.overlaps: options/);
    expect(() => world.cast(bad, { translation: vec3() })).toThrow(/World\.cast: body/);
    expect(() => world.cast(sphere(1), { translation: vec3(0, 0, Number.NaN) })).toThrow(/motion/);
    expect(() => world.cast(sphere(1), {} as never, { mode: 'all' })).toThrow(/motion/);
    expect(() => world.overlaps(bad)).toThrow(/body/);
    expect(() => world.nearest(vec3(0, 0, Number.NaN))).toThrow(/from/);
    expect(() => world.nearest(vec3(), { maxDistance: -1 })).toThrow(/maxDistance/);
    expect(() => world.contacts(sphere(1), { margin: Number.NaN })).toThrow(/margin/);
    expect(() => world.overlaps(sphere(1), { filter: { mask: 0.5 } })).toThrow(/filter\.mask/);
    expect(() => world.overlaps(sphere(1), { filter: { group: 0.5 } })).toThrow(/filter\.group/);
    expect(() => world.overlaps(sphere(1), { filter: { sensors: 1 as never } })).toThrow(/filter\.sensors/);
    expect(() => world.overlaps(sphere(1), { filter: { ignore: 'all' as never } })).toThrow(/filter\.ignore/);
    expect(() => world.overlaps(sphere(1), { filter: { owner: Number.NaN } })).toThrow(/filter\.owner/);
    expect(() => world.overlaps(sphere(1), { filter: { predicate: 1 as never } })).toThrow(
      /filter\.predicate/,
    );
    expect(() => world.searchBox({ min: vec3(1, 0, 0), max: vec3() }, () => {})).toThrow(/box/);
  });

  test('every question names a filter and a box that are none', () => {
    const world = new World();
    const filter = { groups: 1 } as never;
    const ball = sphere(1);
    for (const ask of [
      () => world.raycast(ray, { filter }),
      () => world.raycast(ray, { filter, mode: 'any' }),
      () => world.raycast(ray, { filter, mode: 'all' }),
      () => world.cast(ball, { translation: vec3(1, 0, 0) }, { filter }),
      () => world.cast(ball, { translation: vec3(1, 0, 0) }, { filter, mode: 'all' }),
      () => world.overlaps(ball, { filter }),
      () => world.nearest(vec3(), { filter }),
      () => world.contacts(ball, { filter }),
    ])
      expect(ask).toThrow(/graze: World\.\w+: filter/);
    for (const box of [null, 5, {}, { min: vec3() }, { min: vec3(), max: 1 }] as never[])
      expect(() => world.searchBox(box, () => {})).toThrow(/graze: World\.searchBox: box/);
  });

  test('a world is not changed by what it calls while it answers', () => {
    const world: World = new World({ filter: () => world.remove(1) as never });
    const pose = at(0);
    world.add(collider(sphere(1), pose));
    world.add(sphere(1));
    const tries: (() => unknown)[] = [
      () => world.add(sphere(1)),
      () => world.remove(1),
      () => world.change(1, { group: 2 }),
      () => world.refresh(1),
      () => world.update(),
      () => world.clear(),
      () => world.restore(world.snapshot()),
    ];
    for (const attempt of tries) {
      const predicate = () => attempt() as never;
      for (const ask of [
        () => world.raycast(ray, { filter: { predicate } }),
        () => world.overlaps(sphere(1), { filter: { predicate } }),
        () => world.cast(sphere(1), { translation: vec3(1, 0, 0) }, { filter: { predicate } }),
        () => world.nearest(vec3(), { maxDistance: 5, filter: { predicate } }),
        () => world.contacts(sphere(1), { filter: { predicate } }),
        () => world.searchBox(boundsOf(sphere(1)), predicate),
      ])
        expect(ask).toThrow(/must not be changed/);
    }
    expect(() => world.update()).toThrow(/must not be changed/);
    expect(world.size).toBe(2);
    world.add(sphere(1)); // all is well again
  });

  test('a predicate may ask the world in turn, from anywhere', () => {
    const world = new World();
    for (let x = 0; x < 5; x++) world.add(collider(sphere(0.4), at(x)));
    const far = { origin: vec3(-1e9, 0, 0), direction: vec3(1, 0, 0) };
    const hit = world.raycast(ray, {
      filter: {
        predicate: ({ id }) => {
          const inner = world.raycast(far, {
            filter: { ignore: [1, 2], predicate: (c) => world.has(c.id) },
          });
          return inner?.id === 3 && id >= 3;
        },
      },
    });
    expect(hit).toMatchObject({ id: 3 });
  });
});

describe('filters', () => {
  test('different shapes for different questions', () => {
    const world = new World();
    const pose = at(0);
    const detail = world.add(collider(sphere(1), pose), { owner: 1, uses: ['ray'] });
    const rough = world.add(collider(box(1, 1, 1), pose), { owner: 1, uses: ['cast', 'overlap'] });
    expect(world.raycast({ ...ray, origin: vec3(-5, 0.9, 0) })?.id).toBe(detail);
    expect(world.cast(collider(sphere(0.1), at(-5)), { translation: vec3(9, 0, 0) })?.id).toBe(rough);
    expect(world.overlaps(sphere(0.1))).toEqual([rough]);
    expect(world.nearest(vec3())).toBeNull();
    expect(world.update()).toEqual([]);
    expect(world.raycast(ray, { filter: { owner: 1 } })).toBeNull();
  });

  test('an event needs both: uses, groups and masks of either collider', () => {
    const events = (first: ColliderOptions, second: ColliderOptions) => {
      const world = new World();
      world.add(sphere(1), first);
      world.add(sphere(1), second);
      return world.update().map(({ a, b, phase }) => `${a} ${b} ${phase}`);
    };
    expect(events({}, {})).toEqual(['1 2 enter']);
    for (const options of [{ uses: ['ray'] }, { group: 0 }, { mask: 0 }, { group: 2, mask: 4 }] as const) {
      const other = 'mask' in options && options.mask === 4 ? { group: 2, mask: 4 } : {};
      expect(events(options, other)).toEqual([]);
      expect(events(other, options)).toEqual([]);
    }
    expect(events({ group: 2, mask: 4 }, { group: 4, mask: 2 })).toEqual(['1 2 enter']);
    expect(events({ fixed: true }, { fixed: true })).toEqual([]);
    expect(events({ fixed: true }, {})).toEqual(['1 2 enter']);
  });

  test('a question sees what its group, mask, owner and list of numbers let it', () => {
    const world = new World();
    const one = world.add(sphere(1), { group: 1, mask: 1 });
    const two = world.add(sphere(1), { group: 2, mask: 3, owner: 7 });
    const ghost = world.add(sphere(1), { group: 1, sensor: true });
    const seen = (filter: Filter) => world.overlaps(sphere(1), { filter });
    expect(seen({})).toEqual([one, two]);
    expect(seen({ sensors: false })).toEqual([one, two]);
    expect(seen({ sensors: true })).toEqual([one, two, ghost]);
    expect(seen({ mask: 1 })).toEqual([one]);
    expect(seen({ mask: 2 })).toEqual([two]);
    expect(seen({ group: 2 })).toEqual([two]);
    expect(seen({ owner: 7 })).toEqual([one]);
    expect(seen({ ignore: one })).toEqual([two]);
    expect(seen({ ignore: [two] })).toEqual([one]);
    expect(seen({ ignore: new Set([one, two]) })).toEqual([]);
    expect(seen({ predicate: ({ id }) => id === two })).toEqual([two]);
  });

  test('searchBox tells numbers in order, sensors too, and may be ended', () => {
    const world = new World();
    world.add(halfSpace(vec3(0, 1, 0)));
    for (let x = 0; x < 5; x++) world.add(collider(sphere(0.4), at(x)), { sensor: x === 1 });
    const found: number[] = [];
    world.searchBox({ min: vec3(0.5, 0, 0), max: vec3(3, 1, 1) }, (id) => found.push(id) < 3);
    expect(found).toEqual([1, 3, 4]);
    const all: number[] = [];
    const infinite: Vec3 = vec3(Infinity, Infinity, Infinity);
    world.searchBox({ min: vec3(0, -Infinity, 0), max: infinite }, (id) => void all.push(id));
    expect(all).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

test('[R2.4.1] what is far too large for the broad phase is found all the same', () => {
  const world = new World();
  const huge = world.add(collider(sphere(1e30), at(1e30)));
  const far = world.add(collider(sphere(1), at(1e12)));
  expect(world.raycast(ray)?.id).toBe(huge);
  expect(world.raycast(ray, { filter: { ignore: huge } })?.id).toBe(far);
  expect(
    world.nearest(vec3(1e12, 0, 3), { maxDistance: 5, filter: { ignore: huge } })?.separation,
  ).toBeCloseTo(2, 3);
  expect(world.update()).toMatchObject([{ a: huge, b: far, phase: 'enter' }]);
  world.change(huge, { shape: sphere(1), pose: at(3) });
  expect(world.raycast(ray)?.t).toBe(7);
});

test('the broad phase of a world by itself: boxes, rays and numbers that are none', () => {
  const broad = new TreeBroadPhase();
  const cube = (x: number) => ({ min: vec3(x, 0, 0), max: vec3(x + 1, 1, 1) });
  for (let i = 0; i < 40; i++) broad.add(i, cube(3 * i));
  const along = { origin: vec3(-5, 0.5, 0.5), direction: vec3(1, 0, 0) };
  const found: number[] = [];
  broad.searchRay(along, 5 + 12, (id) => void found.push(id));
  expect(found.sort((a, b) => a - b).slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  found.length = 0;
  broad.move(2, cube(500));
  broad.remove(3);
  broad.searchBox({ min: vec3(4, 0, 0), max: vec3(12, 1, 1) }, (id) => void found.push(id));
  expect(found.sort((a, b) => a - b)).toEqual([1, 4]);
  for (const id of [-1, 0.5, Number.NaN]) expect(() => broad.add(id, cube(0))).toThrow(/add: id/);
  expect(() => broad.add(1, cube(0))).toThrow(/in use/);
  for (const id of [3, 40, 1000]) {
    expect(() => broad.move(id, cube(0))).toThrow(/move: id/);
    expect(() => broad.remove(id)).toThrow(/remove: id/);
  }
});

test('a broad phase of one’s own has to be empty', () => {
  const broadPhase = new TreeBroadPhase({ search: 'best' });
  const world = new World({ broadPhase });
  world.add(sphere(1));
  expect(broadPhase.size).toBe(1);
  expect(broadPhase.tree).toBeInstanceOf(DynamicTree);
  expect(() => new World({ broadPhase })).toThrow(/empty/);
});

property('[R2.2.3] a chunk that is swapped leaves the objects on it as they are', 30, (rng) => {
  const chunk = (x: number) =>
    collider(
      heightField(
        Array.from({ length: 9 }, () => rng.range(-1, 1)),
        { columns: 3, rows: 3, spacing: 4 },
      ),
      { ...makePose(), position: vec3(x, 0, -4) },
    );
  const world = new World();
  const objects = Array.from({ length: 20 }, () => {
    const body = collider(rng.pick([sphere(0.8), box(1, 0.5, 0.5)]), { ...makePose(), position: rng.vec(5) });
    return { id: world.add(body), body };
  });
  const left = world.add(chunk(-8), { fixed: true });
  const right = world.add(chunk(0), { fixed: true });
  world.update();
  const before = objects.map(({ id }) => JSON.stringify(world.get(id).pose));
  world.remove(right);
  const lake = chunk(0);
  const added = world.add(lake, { fixed: true });
  const told = world.update();
  // Only the two chunks have news, and nothing else was asked again: neither objects nor chunks that stayed.
  check(
    told.every(({ a, b, phase }) => phase === 'stay' || [a, b].some((id) => id === right || id === added)),
    () => JSON.stringify(told),
  );
  check(
    !told.some(({ a, b }) => [left, added].includes(a) && [left, added].includes(b)),
    'chunks beside each other are no pair',
  );
  for (const { id, body } of objects) {
    check(
      told.some(({ a, b, phase }) => phase === 'enter' && a === id && b === added) === intersects(body, lake),
      'met',
    );
    check(before.includes(JSON.stringify(world.get(id).pose)) && world.get(id).shape === body.shape, 'moved');
  }
  check(world.stats.moved <= 1, () => `${world.stats.moved} looked at again`);
});

test('rays that take solids for surfaces, or hit one side only: as of each collider alone', () => {
  const world = new DebugWorld({ verify: true });
  const shapes = [sphere(1), box(0.5, 1, 0.7), halfSpace({ x: 0, y: 1, z: 0 }, -3)];
  const ids = shapes.map((shape, i) =>
    world.add({ shape, pose: { position: vec3(3 * i, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } } }),
  );
  const rays = [
    { origin: vec3(0.1, 0.2, 0), direction: vec3(1, 0, 0) },
    { origin: vec3(-5, 0.2, 0.1), direction: vec3(1, 0, 0) },
    { origin: vec3(3, -5, 0), direction: vec3(0, 1, 0) },
  ];
  for (const ray of rays)
    for (const solid of [true, false])
      for (const side of ['both', 'front', 'back'] as const) {
        const wanted = shapes
          .map((shape, i) => ({
            id: ids[i],
            t: raycast(ray, collider(shape, world.get(ids[i]!)!.pose), { solid, side })?.t,
          }))
          .filter(({ t }) => t !== undefined)
          .sort((a, b) => a.t! - b.t!);
        const all = world.raycast(ray, { mode: 'all', solid, side });
        expect(all.map(({ id, t }) => ({ id, t }))).toEqual(wanted);
        expect(world.raycast(ray, { solid, side })?.t).toBe(wanted[0]?.t);
        expect(world.raycast(ray, { mode: 'any', solid, side })).toBe(wanted.length > 0);
      }
  expect(() => world.raycast(rays[0]!, { side: 'top' as never })).toThrow(
    "graze: World.raycast: options.side must be one of 'both', 'front', 'back', got the string 'top'",
  );
});

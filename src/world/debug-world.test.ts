/** Logs, lines and the reference that runs along. */
import { describe, expect, test } from 'vitest';
import { Rng } from '../../tests/kit/index.ts';
import { randomPose, randomShape, SHAPES } from '../../tests/kit/world-scene.ts';
import type { BoxVisitor, Reach } from '../broadphase/broad-phase.ts';
import { addPair, type PairList } from '../broadphase/pair-list.ts';
import { TreeBroadPhase } from '../broadphase/tree-broad-phase.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { boundsOf, box, collider, compound, sphere } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { linesAabb, linesOfBody, linesOfQueries, linesOfTree, linesOfWorld } from './debug-lines.ts';
import { DebugWorld, type DebugWorldOptions, WorldMismatch } from './debug-world.ts';
import { QueryLog, replayQueries } from './query-log.ts';
import { makeWorldHit } from './results.ts';

function crowd(options: DebugWorldOptions, count = 60): DebugWorld {
  const world = new DebugWorld(options);
  const rng = new Rng(8);
  for (let i = 0; i < count; i++) world.add({ shape: randomShape(rng), pose: randomPose(rng, 8) });
  return world;
}

/** One question of each kind in turn. */
function askMany(world: DebugWorld, count: number): unknown[] {
  const rng = new Rng(9);
  const answers: unknown[] = [];
  const ray = { origin: vec3(), direction: vec3() };
  for (let i = 0; i < count; i++) {
    Object.assign(ray.origin, rng.vec(9)); // the same object again and again: the log must copy it
    Object.assign(ray.direction, rng.direction());
    const body = { shape: rng.pick([sphere(0.5), box(1, 0.5, 0.5)]), pose: randomPose(rng, 8) };
    const translation = rng.vec(3);
    const filter = { ignore: [rng.int(1, 60)], predicate: (c: { id: number }) => c.id % 5 > 0 };
    const ask: (() => unknown)[] = [
      () => world.raycast(ray, { maxDistance: 50, filter }),
      () => world.raycast(ray, { mode: 'any', maxDistance: 5 }),
      () => world.raycast(ray, { mode: 'all', filter }),
      () => world.cast(body, { translation }, { filter }),
      () => world.cast(body, { translation }, { mode: 'all' }),
      () => world.overlaps(body, { filter }),
      () => world.nearest(ray.origin, { maxDistance: 3, filter }),
      () => world.nearest(body),
      () => world.contacts(body, { margin: 0.1 }),
      () => world.cast(body, { translation }, { mode: 'any', filter }),
    ];
    answers.push(structuredClone(ask[i % ask.length]!()));
  }
  return answers;
}

describe('[R2.7.1a] a log of the last questions', () => {
  test('1000 questions, room for 256: the last 256 are left, and give the same answers again', () => {
    const world = crowd({ log: 256 });
    const answers = askMany(world, 1000);
    const dump = world.log!.dump();
    expect([world.log!.size, dump.length]).toEqual([256, 256]);
    expect(replayQueries(world, dump)).toEqual(answers.slice(-256));
    expect(world.log!.dump()).toEqual(dump); // asking again has filled the log with the same
    world.log!.clear();
    expect(world.log!.size).toBe(0);
  });

  test('a question that fails is in it; without a log there is none', () => {
    const world = crowd({ log: 4 });
    const predicate = () => {
      throw new Error('mine');
    };
    expect(() => world.nearest(vec3(), { maxDistance: 50, filter: { predicate } })).toThrow('mine');
    expect(world.log!.dump()).toMatchObject([{ query: 'nearest', args: [{ x: 0 }, { maxDistance: 50 }] }]);
    expect(crowd({}).log).toBeNull();
    expect(() => new QueryLog(0)).toThrow(/capacity/);
    expect(() => replayQueries(world, [{ query: 'update' as never, args: [] }])).toThrow(/queries/);
  });
});

test('[R2.7.1a] the log keeps what was asked and nothing of what it hung from', () => {
  const world = crowd({ log: 10 });
  const scene = { parent: {} as object };
  scene.parent = scene; // a ring, which nothing that copies all would get out of
  const pose = Object.assign(makePose(), scene);
  const shape = sphere(0.5);
  const ray = { origin: vec3(1, 2, 3), direction: vec3(0, 0, 1), ...scene };
  const ignore = new Set([1, 2]);
  const kept = [3];
  const out = makeWorldHit();
  world.raycast(ray, { maxDistance: 7, filter: { ignore }, out });
  world.overlaps({ shape, pose, ...scene } as never, { filter: { ignore: kept } });
  world.overlaps(shape);
  world.cast(shape, { linear: vec3(1, 0, 0), angular: vec3(0, 1, 0) });
  ray.origin.x = pose.position.x = 99;
  ignore.add(5);
  kept.push(4);
  const [first, second, third, fourth] = world.log!.dump();
  const whole = { position: vec3(), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  expect(first!.args.slice(0, 3)).toEqual([
    { origin: vec3(1, 2, 3), direction: vec3(0, 0, 1) },
    { maxDistance: 7, filter: { ignore: new Set([1, 2]) } },
  ]);
  expect(second!.args.slice(0, 2)).toEqual([{ shape, pose: whole }, { filter: { ignore: [3] } }]);
  expect((second!.args[0] as { shape: unknown }).shape).toBe(shape);
  expect(third!.args[0]).toBe(shape);
  expect(fourth!.args[1]).toEqual({ linear: vec3(1, 0, 0), angular: vec3(0, 1, 0) });
  for (const bad of [null, {}, { query: 'raycast' }] as never[]) {
    expect(() => replayQueries(world, [bad])).toThrow(/graze: replayQueries: queries\[0\]/);
    expect(() => linesOfQueries([bad])).toThrow(/graze: linesOfQueries: queries\[0\]/);
  }
  const query = { query: 'raycast', args: [{ origin: 1 }] } as never;
  expect(() => linesOfQueries([query])).toThrow(/graze: linesOfQueries: ray/);
});

test('[R2.7.1b] a ray without end is a hundred long, and a point is three strokes of a tenth', () => {
  const ray = { origin: vec3(1, 2, 3), direction: vec3(0, 0, 4) };
  expect(linesOfQueries([{ query: 'raycast', args: [ray] }])).toEqual([1, 2, 3, 1, 2, 103]);
  expect(linesOfQueries([{ query: 'raycast', args: [ray, { maxDistance: 2 }] }])).toEqual([
    1, 2, 3, 1, 2, 11,
  ]);
  const strokes = linesOfQueries([{ query: 'nearest', args: [vec3(1, 2, 3)] }]);
  const wanted = [0.95, 2, 3, 1.05, 2, 3, 1, 1.95, 3, 1, 2.05, 3, 1, 2, 2.95, 1, 2, 3.05];
  strokes.forEach((x, i) => {
    expect(x).toBeCloseTo(wanted[i]!, 12);
  });
});

describe('[R2.7.1b] lines to draw', () => {
  test('a box has twelve edges, each once, as long as its sides', () => {
    const lines = linesAabb({ min: vec3(0, 0, 0), max: vec3(1, 2, 3) });
    expect(lines.length).toBe(72);
    const seen = new Set<string>();
    let total = 0;
    for (let i = 0; i < 72; i += 6) {
      seen.add(lines.slice(i, i + 6).join());
      total += Math.abs(lines[i + 3]! - lines[i]!) + Math.abs(lines[i + 4]! - lines[i + 1]!);
      total += Math.abs(lines[i + 5]! - lines[i + 2]!);
    }
    expect([seen.size, total]).toEqual([12, 24]);
    expect(linesOfBody(box(1, 2, 3)).length).toBe(72);
  });

  /** The box around the ends of segments. */
  function boundsOfLines(lines: readonly number[]) {
    const of = (pick: (...x: number[]) => number, k: number) => pick(...lines.filter((_, i) => i % 3 === k));
    return {
      min: vec3(of(Math.min, 0), of(Math.min, 1), of(Math.min, 2)),
      max: vec3(of(Math.max, 0), of(Math.max, 1), of(Math.max, 2)),
    };
  }

  test('outlines of all shapes lie in their boxes and reach their sides', () => {
    const rng = new Rng(3);
    for (const [name, shape] of Object.entries(SHAPES)) {
      const pose = { position: rng.vec(3), quaternion: rng.rotation() };
      const lines = linesOfBody({ shape, pose });
      expect(lines.length % 6, name).toBe(0);
      expect(lines.length, name).toBeGreaterThan(0);
      if (shape.kind === 'halfSpace') continue;
      const off = 1e-9;
      // Rings reach the sides of the box that is not turned.
      const [own, box0, at, box1] = [
        boundsOfLines(linesOfBody(shape)),
        boundsOf(shape),
        boundsOfLines(lines),
        boundsOf(shape, pose),
      ];
      for (const k of ['x', 'y', 'z'] as const) {
        expect(at.min[k], name).toBeGreaterThanOrEqual(box1.min[k] - off);
        expect(at.max[k], name).toBeLessThanOrEqual(box1.max[k] + off);
        expect(Math.abs(own.min[k] - box0.min[k]), `${name} ${k}`).toBeLessThan(off);
        expect(Math.abs(own.max[k] - box0.max[k]), `${name} ${k}`).toBeLessThan(off);
      }
    }
  });

  test('faces: three edges a triangle, where the vertices are; of a compound what its parts have', () => {
    const pose = { position: vec3(1, 2, 3), quaternion: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 } };
    const shape = mesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 1, 2, 0, 3, 1]);
    const segments = (lines: readonly number[]) => {
      const ends = (i: number) =>
        [0, 3].map((k) =>
          lines
            .slice(i + k, i + k + 3)
            .map((x) => Math.round(x))
            .join(),
        );
      return Array.from({ length: lines.length / 6 }, (_, i) =>
        ends(6 * i)
          .sort()
          .join(' '),
      ).sort();
    };
    const [o, x, y, z] = ['1,2,3', '1,3,3', '0,2,3', '1,2,4']; // turned by a quarter about z, and moved
    const wanted = [
      [o, x],
      [x, y],
      [o, y],
      [o, z],
      [z, x],
      [o, x],
    ]
      .map((pair) => pair.sort().join(' '))
      .sort();
    expect(segments(linesOfBody({ shape, pose }))).toEqual(wanted);
    const parts = compound([{ shape, pose }, { shape: box(1, 1, 1) }]);
    expect(linesOfBody(parts).length).toBe(36 + 72);
    expect(segments(linesOfBody(parts).slice(0, 36))).toEqual(wanted);
  });

  test('the lines of the history are those of the questions in the buffer, one by one', () => {
    const world = crowd({ log: 32 });
    askMany(world, 50);
    const dump = world.log!.dump();
    expect(dump.length).toBe(32);
    const each = dump.map((query) => linesOfQueries([query]));
    expect(each.every((lines) => lines.length > 0 && lines.length % 6 === 0)).toBe(true);
    expect(linesOfQueries(dump)).toEqual(each.flat());
    // Off, there is nothing to keep, and the answers are the same.
    const free = crowd({});
    expect(free.log).toBeNull();
    expect(askMany(free, 50)).toEqual(askMany(world, 50));
  });

  test('the world, the tree and the questions', () => {
    const broadPhase = new TreeBroadPhase();
    const world = new DebugWorld({ broadPhase, log: 16 });
    for (let x = 0; x < 4; x++)
      world.add(collider(box(0.3, 0.3, 0.3), { ...makePose(), position: vec3(x, 0, 0) }));
    expect(linesOfWorld(world).length).toBe(4 * 72);
    expect(linesOfTree(broadPhase.tree).length).toBe(7 * 72); // 4 leaves and what is above them
    expect(linesOfTree(broadPhase.tree, 0).length).toBe(72);
    expect(linesOfTree(new TreeBroadPhase().tree)).toEqual([]);
    world.raycast({ origin: vec3(-1, 0, 0), direction: vec3(2, 0, 0) });
    world.overlaps(box(1, 1, 1));
    world.cast(box(1, 1, 1), { translation: vec3(1, 0, 0) });
    world.nearest(vec3(0, 5, 0));
    const lines = linesOfQueries(world.log!.dump(), 10);
    expect(lines.slice(0, 6)).toEqual([-1, 0, 0, 9, 0, 0]);
    expect(lines.length).toBe(6 + 72 + 2 * 72 + 18);
  });
});

/** Does not find one box, sometimes. */
class Forgetful extends TreeBroadPhase {
  forgets = -1;
  override searchBox(at: ReadonlyAabb, visit: BoxVisitor): void {
    super.searchBox(at, (id) => (id === this.forgets ? undefined : visit(id)));
  }
  override searchNear(at: ReadonlyAabb, reach: Reach, visit: BoxVisitor): void {
    super.searchNear(at, reach, (id) => (id === this.forgets ? undefined : visit(id)));
  }
  override collectPairs(out: PairList): number {
    const { ids } = out;
    let kept = 0;
    const count = super.collectPairs(out);
    for (let i = 0; i < count; i++)
      if (ids[2 * i] !== this.forgets && ids[2 * i + 1] !== this.forgets)
        addPair(out, kept++, ids[2 * i]!, ids[2 * i + 1]!);
    return kept;
  }
}

describe('[R2.7.1c] a reference that runs along', () => {
  test('finds nothing wrong with a world that is right', () => {
    const world = crowd({ verify: true });
    for (let i = 0; i < 3; i++) {
      expect(world.update().length).toBeGreaterThan(0);
      askMany(world, 60);
      world.remove(world.ids()[2]!);
    }
    world.restore(world.snapshot());
    world.update();
  });

  test('a fault is told at the first answer that is wrong, with what was asked and both answers', () => {
    const broadPhase = new Forgetful();
    const world = new DebugWorld({ broadPhase, verify: true, log: 8 });
    for (let x = 0; x < 4; x++) world.add(collider(sphere(0.6), { ...makePose(), position: vec3(x, 0, 0) }));
    const body = collider(sphere(0.5), { ...makePose(), position: vec3(1, 0, 0) });
    expect(world.overlaps(body)).toEqual([1, 2, 3]);
    broadPhase.forgets = 2;
    expect(world.overlaps(sphere(0.1))).toEqual([1]); // the box in question has no part in this
    let told: unknown;
    try {
      world.overlaps(body, { filter: { mask: 1 } });
    } catch (error) {
      told = error;
    }
    expect(told).toBeInstanceOf(WorldMismatch);
    expect(told).toMatchObject({ query: 'overlaps', answer: [1, 2], expected: [1, 2, 3] });
    expect((told as WorldMismatch).args).toEqual([body, { filter: { mask: 1 } }]);
    expect((told as WorldMismatch).log.length).toBe(3);
    expect((told as Error).message).toMatch(/World\.overlaps\(.*"shape":"sphere".*answered \[1,2\]/);
    expect(() => world.update()).toThrow(/World\.update\(\) answered/);
  });

  test('leaves of pairs that a snapshot has told of, with and without a sensor, and in order', () => {
    const poses = [0, 0, 0].map(() => makePose());
    const world = new DebugWorld({ verify: true });
    poses.forEach((pose, i) => {
      world.add(collider(sphere(1), pose), { sensor: i === 1 });
    });
    expect(world.update().map(({ a, b, sensor }) => [a, b, sensor])).toEqual([
      [1, 2, true],
      [1, 3, false],
      [2, 3, true],
    ]);
    world.restore(world.snapshot(), (id) => poses[id - 1]);
    poses.forEach((pose, i) => {
      pose.position.x = 10 * i;
    });
    expect(world.update().map(({ a, b, phase, sensor }) => [a, b, phase, sensor])).toEqual([
      [1, 2, 'leave', true],
      [1, 3, 'leave', false],
      [2, 3, 'leave', true],
    ]);
    // Hits at the same time are by number, in both.
    for (const pose of poses) pose.position.x = 0;
    world.update();
    const hits = world.raycast(
      { origin: vec3(-5, 0, 0), direction: vec3(1, 0, 0) },
      { mode: 'all', maxDistance: 99, filter: { sensors: true } },
    );
    expect(hits.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(world.overlaps(sphere(1), { filter: { ignore: new Set([1]), sensors: true } })).toEqual([2, 3]);
  });

  test('a snapshot takes both back to where they were', () => {
    const poses = [0, 1, 9].map((x) => ({ ...makePose(), position: vec3(x) }));
    const world = new DebugWorld({ verify: true });
    for (const pose of poses) world.add(collider(sphere(1), pose));
    world.update();
    const then = world.snapshot();
    // Another pair touches, the first does not any more, and there is one more.
    poses[1]!.position.x = 8;
    const added = world.add(collider(sphere(1), { ...makePose(), position: vec3(9, 1, 0) }));
    expect(world.update().length).toBe(4);
    world.restore(then, (id) => poses[id - 1]);
    expect(world.ids()).not.toContain(added);
    poses[1]!.position.x = 1;
    expect(world.update()).toMatchObject([{ a: 1, b: 2, phase: 'stay' }]);
    expect(world.overlaps(collider(sphere(0.1), { ...makePose(), position: vec3(1.6) }))).toEqual([2]);
  });

  test('one answer too many, and one where there is none', () => {
    class Stuttering extends TreeBroadPhase {
      override searchBox(box: ReadonlyAabb, visit: BoxVisitor): void {
        super.searchBox(box, (id) => {
          visit(id);
          return visit(id);
        });
      }
    }
    const world = new DebugWorld({ broadPhase: new Stuttering(), verify: true });
    world.add(sphere(1));
    expect(() => world.overlaps(sphere(1))).toThrow(/answered \[1,1\]/);
    let asked = 0;
    const ray = { origin: vec3(-5, 0, 0), direction: vec3(1, 0, 0) };
    const fickle = { predicate: () => asked++ === 0, ignore: new Set([7]) };
    expect(() => world.raycast(ray, { maxDistance: 9, filter: fickle })).toThrow(
      /World\.raycast\(.*"ignore":\[7\].*answered \{/,
    );
  });

  test('a function is told instead', () => {
    const broadPhase = new Forgetful();
    const told: WorldMismatch[] = [];
    const world = new DebugWorld({ broadPhase, verify: (mismatch) => told.push(mismatch) });
    world.add(sphere(1));
    broadPhase.forgets = 0;
    expect(world.nearest(vec3(3, 0, 0))).toBeNull();
    expect(told).toMatchObject([{ query: 'nearest', answer: null, expected: { id: 1, separation: 2 } }]);
  });
});

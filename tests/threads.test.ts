/**
 * Real threads: what they answer is what one thread answers, bit by bit, and no promise is left open when one goes.
 * `GRAZE_CASES=1000 npx vitest run tests/threads.test.ts` asks more than a million queries of each kind, and says how many.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  castMany,
  closestPointMany,
  intersectsMany,
  mesh,
  raycastMany,
  type Shape,
  scaled,
} from '../src/index.ts';
import { QueryWorkers } from '../src/query/index.ts';
import type { Lane } from '../src/query/workers.ts';
import { csg, levelSet } from '../src/shapes/index.ts';
import { packShape, unpackShape, whyNotPortable } from '../src/shapes/portable.ts';
import { addSimd, removeSimd } from '../src/simd/index.ts';
import { derivedOf } from '../src/trimesh/derived.ts';
import { batchMesh, overlapMeshMesh, pairsMeshMesh, prepareMesh } from '../src/trimesh/index.ts';
import { EVERY_SHAPE } from './kit/every-shape.ts';
import { Rng } from './kit/index.ts';
import { icosphere, moved, terrain, torus } from './kit/meshes.ts';
import { factor } from './kit/property.ts';
import { running, useRealThreads } from './kit/real-threads.ts';

let stop: () => Promise<void>;
beforeAll(() => {
  stop = useRealThreads();
});
afterAll(() => stop());

const TIMEOUT = 900_000 * Math.max(1, factor);

/** Does what a promise settles to; throws if it takes for ever. */
const settled = <T>(promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('it hangs')), TIMEOUT).unref()),
  ]);

/** Bits, also of -0. */
const bits = (answers: object): Record<string, Buffer> =>
  Object.fromEntries(
    Object.entries(answers).map(([key, list]) => [
      key,
      Buffer.from(new Uint8Array(list.buffer, list.byteOffset, list.byteLength)),
    ]),
  );
function mustBeSame(found: object, right: object): void {
  const [one, two] = [bits(found), bits(right)];
  expect(Object.keys(one).sort()).toEqual(Object.keys(two).sort());
  for (const key of Object.keys(one))
    if (Buffer.compare(one[key]!, two[key]!) !== 0) throw new Error(`${key} differs`);
}

const ball = mesh(icosphere(2).positions, icosphere(2).index);
const SHAPES: Record<string, Shape> = {
  ...EVERY_SHAPE,
  'level set': levelSet(ball, { spacing: 0.2 }),
  carved: csg('difference', [EVERY_SHAPE['sphere']!, EVERY_SHAPE['box']!]),
  'scaled capsule': scaled(EVERY_SHAPE['capsule']!, { x: 1, y: 2, z: 0.5 }),
};
const FAST = ['sphere', 'box', 'hull', 'mesh', 'closed mesh', 'height field', 'compound', 'cone'];

const COUNT = 1200;
const rounds = Math.max(1, Math.round(factor));
const flat = (rng: Rng, size: number, n = COUNT) =>
  Float64Array.from({ length: size * n }, () => (rng.chance(0.05) ? rng.int(-1, 1) : rng.range(-2, 2)));

function draw(rng: Rng, shape: Shape) {
  return rng.chance(0.3) ? shape : { shape, pose: { position: rng.vec(1), quaternion: rng.rotation() } };
}

describe('the bits of one thread', () => {
  test('of all queries that come by the many, for every shape', { timeout: TIMEOUT }, async () => {
    const pool = new QueryWorkers({ threads: 2 });
    const asked: Record<string, number> = {};
    for (let round = 0; round < rounds; round++) {
      const rng = new Rng(round + 1000 * Number(process.env['GRAZE_SEED'] ?? 1));
      // In many rounds those that are slow are left to the first.
      for (const [name, shape] of Object.entries(SHAPES)) {
        if (round > 0 && !FAST.includes(name)) continue;
        const n = round === 0 && !FAST.includes(name) ? 200 : COUNT;
        const body = draw(rng, shape);
        const other = draw(rng, SHAPES[rng.pick(FAST)]!);
        const rays = flat(rng, 6, n);
        const origins = { array: rays, stride: 6 };
        const directions = { array: rays, offset: 3, stride: 6 };
        const points = flat(rng, 3, n);
        const poses = { positions: flat(rng, 3, n), quaternions: flat(rng, 4, n).map((x) => x + 3) };
        const casts = { translations: flat(rng, 3, n), ...poses };
        const lanes: Lane[] = [];
        const onLane = (lane: Lane) => lanes.push(lane);
        const [hits, nearest, yes, touches] = await settled(
          Promise.all([
            pool.raycastMany(origins, directions, body, { onLane, maxDistance: 2.5 }),
            pool.closestPointMany(points, body, { onLane }),
            pool.intersectsMany(other, poses, body, { onLane }),
            pool.castMany(other, casts, body, { onLane }),
          ]),
        );
        mustBeSame(hits, raycastMany(origins, directions, body, { maxDistance: 2.5 }));
        mustBeSame(nearest, closestPointMany(points, body));
        mustBeSame({ yes }, { yes: intersectsMany(other, poses, body) });
        mustBeSame(touches, castMany(other, casts, body));
        const why = whyNotPortable(shape);
        for (const lane of lanes) expect([name, lane.threads, lane.reason]).toEqual([name, why ? 0 : 2, why]);
        for (const kind of ['raycastMany', 'closestPointMany', 'intersectsMany', 'castMany'])
          asked[kind] = (asked[kind] ?? 0) + n;
      }
    }
    if (process.env['GRAZE_CASES']) console.log('asked of threads and of one:', asked);
    for (const n of Object.values(asked)) expect(n).toBeGreaterThan(5000);
    pool.close();
  });

  test('of batches, with four-wide kernels and without, which come and go', {
    timeout: TIMEOUT,
  }, async () => {
    const pool = new QueryWorkers({ threads: 2 });
    let asked = 0;
    for (let round = 0; round < rounds; round++) {
      const rng = new Rng(7 + round);
      const { positions, index } = terrain(rng, 20);
      const subject = mesh(positions, index, { shared: rng.chance(0.5) });
      const input = { origins: flat(rng, 3), directions: flat(rng, 3) };
      const points = flat(rng, 3);
      for (const simd of [false, true, false]) {
        if (simd) addSimd(subject);
        else removeSimd(subject);
        let lane: Lane | null = null;
        const onLane = (told: Lane): void => {
          lane = told;
        };
        mustBeSame(
          await settled(pool.batch('rayMesh', input, subject, undefined, { onLane })),
          batchMesh('rayMesh', input, subject),
        );
        expect(lane).toEqual({ threads: 2, shared: true, simd, reason: null });
        mustBeSame(
          await settled(pool.batch('closestPointMesh', { points }, subject)),
          batchMesh('closestPointMesh', { points }, subject),
        );
        mustBeSame(
          await settled(pool.raycastMany(input.origins, input.directions, subject)),
          raycastMany(input.origins, input.directions, subject),
        );
        asked += COUNT;
      }
    }
    if (process.env['GRAZE_CASES']) console.log('asked of batches:', asked);
    pool.close();
  });

  test('of pairs of triangles of two meshes', { timeout: TIMEOUT }, async () => {
    const pool = new QueryWorkers({ threads: 2 });
    let pairs = 0;
    for (let round = 0; round < 4 * rounds; round++) {
      const rng = new Rng(11 + round);
      const a = mesh(torus(40, 20).positions, torus(40, 20).index);
      const other = moved(torus(30, 24), rng.range(0.5, 1.2), rng.vec(0.6));
      const b = mesh(other.positions, other.index);
      const pose = rng.chance(0.3) ? null : { position: rng.vec(0.3), quaternion: rng.rotation() };
      const found = await settled(pool.pairsMeshMesh(a, b, pose));
      expect(found).toEqual(pairsMeshMesh(a, b, pose));
      pairs += found.length / 2;
    }
    expect(pairs).toBeGreaterThan(500);
    pool.close();
  });

  test('of builds', { timeout: TIMEOUT }, async () => {
    const pool = new QueryWorkers({ threads: 2 });
    const { positions, index } = torus(400, 130);
    for (const leafSize of [10, 3]) {
      let lane: Lane | null = null;
      const onLane = (told: Lane): void => {
        lane = told;
      };
      const made = await settled(pool.mesh(positions, index, { leafSize, onLane }));
      mustBeSame(
        { all: new Uint8Array(made.buffer) },
        { all: new Uint8Array(mesh(positions, index, { leafSize }).buffer) },
      );
      expect(lane).toEqual({ threads: 2, shared: true, simd: false, reason: null });
    }
    pool.close();
  });
});

test('prepared in a thread: the same trees, and the first query finds them', async () => {
  const pool = new QueryWorkers({ threads: 2 });
  const { positions, index } = torus(60, 40);
  const [one, two] = [mesh(positions, index), mesh(positions, index.slice(3))];
  for (const subject of [one, two]) {
    const right = mesh(positions, subject === one ? index : index.slice(3));
    prepareMesh(right);
    expect(await settled(pool.prepare(subject))).toBe(subject);
    const [found, wanted] = [derivedOf(subject), derivedOf(right)];
    for (const key of ['boundary', 'parts', 'moments', 'boxTree'] as const)
      expect(found[key], key).toEqual(wanted[key]);
    expect(found.boxTree).not.toBe(null);
  }
  expect(overlapMeshMesh(one, two)).toBe(true);
  await expect(pool.prepare(one, ['everything' as never])).rejects.toThrow(
    /QueryWorkers.prepare: purposes must be of/,
  );
  pool.close();
});

test('every shape that can go to a thread comes out as it was', () => {
  for (const [name, shape] of Object.entries(SHAPES)) {
    if (whyNotPortable(shape) !== null) {
      expect(() => packShape(shape)).toThrow(/function|move/);
      continue;
    }
    const copy = unpackShape(structuredClone(packShape(shape)), () => {});
    expect(copy.kind, name).toBe(shape.kind);
    const origins = flat(new Rng(3), 3);
    const directions = flat(new Rng(4), 3);
    mustBeSame(raycastMany(origins, directions, copy), raycastMany(origins, directions, shape));
  }
});

describe('threads that go', () => {
  const big = mesh(torus(200, 100).positions, torus(200, 100).index);
  const points = flat(new Rng(5), 3, 200_000);
  test.each(['a batch', 'a build'])(
    'terminated in the middle of %s: rejected, and the pool goes on',
    async (what) => {
      const pool = new QueryWorkers({ threads: 2 });
      await settled(pool.closestPointMany(points.slice(0, 3000), big)); // they run
      const { positions, index } = torus(900, 300);
      let gone: Promise<unknown> | undefined;
      const killAll = (): void => {
        gone ??= Promise.all([...running].map((thread) => thread.terminate()));
      };
      // The build says when it is under way: what it does first, on the thread that asks, takes longer than a timer waits.
      const asked =
        what === 'a batch'
          ? pool.closestPointMany(points, big)
          : pool.mesh(positions, index, { onProgress: killAll });
      if (what === 'a batch') setTimeout(killAll, 10);
      await expect(settled(asked as Promise<unknown>)).rejects.toThrow(
        /QueryWorkers: a thread was lost: it ended with code/,
      );
      await gone; // else the pool might ask one that is about to end
      const few = points.slice(0, 3000);
      mustBeSame(await settled(pool.closestPointMany(few, big)), closestPointMany(few, big));
      pool.close();
    },
  );

  test('closed in the middle: all that is under way is rejected', async () => {
    const pool = new QueryWorkers({ threads: 2 });
    const { positions, index } = torus(900, 300);
    // The build first: while the thread that asks begins it, the others would have done a batch.
    const asked = [pool.mesh(positions, index), pool.prepare(big), pool.closestPointMany(points, big)];
    setTimeout(() => pool.close(), 10);
    for (const result of await settled(Promise.allSettled(asked)))
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { message: 'graze: QueryWorkers: closed' },
      });
    await expect(pool.prepare(big)).rejects.toThrow('QueryWorkers: closed');
    await new Promise((done) => setTimeout(done, 200));
    expect(running.size).toBe(0);
  });
});

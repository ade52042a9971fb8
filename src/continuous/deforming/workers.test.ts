/**
 * The times of one thread, to the last bit, and no promise that is left open. The threads are played, so that they fail on cue;
 * what they run is the real `worker.ts`, with a parent that is played too.
 */
import { describe, expect, test } from 'vitest';
import { Rng } from '../../../tests/kit/index.ts';
import { type PlayedThread, playThreads } from '../../../tests/kit/played-threads.ts';
import { castEdgeEdgeMany, castVertexFaceMany } from './cast-primitives.ts';
import type { Request } from './worker.ts';
import { DeformingWorkers } from './workers.ts';

const played = playThreads<Request>(() => import('./worker.ts'));

/** Does what a promise settles to; throws if it takes for ever. */
const settled = <T>(promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('it hangs')), 20_000).unref()),
  ]);

const COUNT = 400;
const rng = new Rng(16);
const inputs = {
  random: () => rng.range(-1, 1),
  'on a coarse grid': () => rng.int(-1, 1),
  'of many sizes': () => rng.int(-3, 3) * 10 ** rng.int(-6, 6),
};
const list = (make: () => number): Float64Array => Float64Array.from({ length: 12 * COUNT }, make);
const share = (list: ArrayLike<number>): Float64Array => {
  const shared = new Float64Array(new SharedArrayBuffer(8 * list.length));
  shared.set(list);
  return shared;
};
const alone = { castVertexFaceMany, castEdgeEdgeMany };
/** All 64 bits of each. */
const bits = ({ t }: { t: Float64Array }): BigUint64Array => new BigUint64Array(t.slice().buffer);

describe.each(['castVertexFaceMany', 'castEdgeEdgeMany'] as const)('%s', (name) => {
  test.each(Object.entries(inputs))('%s: the same bits as one thread', async (kind, make) => {
    const pool = new DeformingWorkers({ threads: 3 });
    const starts = list(make);
    const ends = list(make);
    for (const separation of kind === 'of many sizes' ? [0] : [0, 0.125]) {
      const right = alone[name](starts, ends, { separation });
      expect(right.t.some(Number.isFinite) && right.t.includes(Infinity)).toBe(true);
      // Shared answers, and those that are sent back; each from lists that are shared, copied, and no typed arrays.
      for (const copy of [share, Float64Array.from.bind(Float64Array), Array.from] as ((
        list: ArrayLike<number>,
      ) => ArrayLike<number>)[])
        for (const out of [undefined, { t: share(right.t).fill(-1) }, { t: right.t.slice().fill(-1) }]) {
          const found = await settled(pool[name](copy(starts), copy(ends), { separation }, out));
          if (out) expect(found).toBe(out);
          expect(bits(found)).toEqual(bits(right));
        }
    }
    pool.close();
  });

  test('float32 lists; without shared memory; only what is asked is written', async () => {
    const starts = Float32Array.from(list(inputs.random));
    const ends = Float32Array.from(list(inputs.random));
    const right = alone[name](starts, ends);
    const memory = globalThis.SharedArrayBuffer;
    const pool = new DeformingWorkers({ threads: 2 });
    expect(bits(await settled(pool[name](starts, ends)))).toEqual(bits(right));
    expect(played.requests.every(({ out }) => out !== null)).toBe(true);
    Reflect.deleteProperty(globalThis, 'SharedArrayBuffer');
    try {
      played.requests.length = 0;
      const out = { t: new Float64Array(COUNT + 2).fill(-1) };
      for (const to of [undefined, out]) {
        const { t } = await settled(pool[name](starts, ends, {}, to));
        expect(bits({ t: t.slice(0, COUNT) })).toEqual(bits(right));
      }
      expect(Array.from(out.t.slice(COUNT))).toEqual([-1, -1]);
      expect(played.requests.every(({ out }) => out === null)).toBe(true);
    } finally {
      globalThis.SharedArrayBuffer = memory;
    }
    pool.close();
  });

  const twelve = [0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0];
  test.each([
    [twelve.slice(2), [], {}, undefined, 'starts must have twelve numbers for each, got 10'],
    [twelve, [], {}, undefined, 'ends must be as many as starts, 12; got 0'],
    [[...twelve, ...twelve], [...twelve, ...twelve.with(4, Number.NaN)], {}, undefined, 'ends[16]'],
    [twelve, twelve, { separation: -1 }, undefined, 'options.separation'],
    [twelve, twelve, { distance: 1 }, undefined, 'distance'],
    [twelve, twelve, {}, { t: new Float64Array(0) }, 'out.t must have room for 1 times'],
    [twelve, twelve, {}, { t: [0] }, 'out.t must be a Float64Array'],
  ])('what is wrong is said, and no thread is asked: %#', async (starts, ends, options, out, message) => {
    const pool = new DeformingWorkers({ threads: 1 });
    const promise = settled(pool[name](starts, ends, options as object, out as never));
    await expect(promise).rejects.toThrow(message);
    await expect(promise).rejects.toThrow(`DeformingWorkers.${name}`);
    expect(played.requests.length).toBe(0);
    expect((await settled(pool[name]([], []))).t.length).toBe(0);
    pool.close();
  });
});

describe.each([1, 3])('%s threads', (count) => {
  const starts = list(inputs.random);
  const ends = list(inputs.random);
  const right = castVertexFaceMany(starts, ends);
  const once = (n: number, what: (thread: PlayedThread, request: Request) => void): void => {
    let jobs = 0;
    played.act = (thread, request) => {
      if (++jobs === n) what(thread, request);
      return jobs === n;
    };
  };

  test.each([
    ['is terminated', (t: PlayedThread) => t.terminate(), 'DeformingWorkers: a thread was lost: it ended'],
    ['fails', (t: PlayedThread) => t.emit('error', new Error('no memory')), 'a thread was lost: no memory'],
    [
      'throws',
      (thread: PlayedThread, request: Request) => {
        played.answer(thread, { ...request, lists: [[Number.NaN]] } as unknown as Request);
      },
      /./,
    ],
  ] as const)(
    'a thread that %s: the promise is rejected, and the pool goes on',
    async (_, strike, reason) => {
      const pool = new DeformingWorkers({ threads: count });
      once(2, strike);
      await expect(settled(pool.castVertexFaceMany(starts, ends))).rejects.toThrow(reason);
      expect(bits(await settled(pool.castVertexFaceMany(starts, ends)))).toEqual(bits(right));
      expect(pool.threads).toBe(count);
      pool.close();
      expect(played.started.every(({ ended }) => ended)).toBe(true);
    },
  );

  test('closed in the middle: rejected, and so is what is asked later', async () => {
    const pool = new DeformingWorkers({ threads: count });
    once(2, () => pool.close());
    await expect(settled(pool.castEdgeEdgeMany(starts, ends))).rejects.toThrow('DeformingWorkers: closed');
    await expect(settled(pool.castVertexFaceMany(starts, ends))).rejects.toThrow('DeformingWorkers: closed');
    expect(pool.threads).toBe(0);
  });

  test('many batches at once', async () => {
    const pool = new DeformingWorkers({ threads: count });
    const all = await settled(
      Promise.all([pool.castVertexFaceMany(starts, ends), pool.castEdgeEdgeMany(starts, ends)]),
    );
    expect(all.map(bits)).toEqual([bits(right), bits(castEdgeEdgeMany(starts, ends))]);
    pool.close();
  });
});

test('a number of threads that is none', () => {
  for (const threads of [0, -1, 1.5, Number.NaN])
    expect(() => new DeformingWorkers({ threads })).toThrow(
      'DeformingWorkers: threads must be a whole number',
    );
});

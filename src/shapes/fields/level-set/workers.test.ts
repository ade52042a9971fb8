/**
 * Level sets that are baked by threads: those of this thread, to the last bit, and no promise that is left open. The threads are played, so
 * that they fail on cue; what they run is the real `worker.ts`, with a parent that is played too.
 */
import { expect, test } from 'vitest';
import { icosphere } from '../../../../tests/kit/meshes.ts';
import { playThreads } from '../../../../tests/kit/played-threads.ts';
import { mesh } from '../../mesh.ts';
import { levelSet } from './level-set.ts';
import { saveLevelSet } from './stored-level-set.ts';
import type { Request } from './worker.ts';
import { LevelSetWorkers } from './workers.ts';

const played = playThreads<Request>(() => import('./worker.ts'));

const { positions, index } = icosphere(2);
const ball = mesh(positions, index);
const open = mesh(positions, index.slice(3));
const bytes = (level: ReturnType<typeof levelSet>): Uint8Array => new Uint8Array(saveLevelSet(level)).slice();

for (const shared of [true, false])
  test(`the same bits as in one thread, ${shared ? 'shared' : 'sent back'}; progress comes in order`, async () => {
    const memory = globalThis.SharedArrayBuffer;
    if (!shared) Reflect.deleteProperty(globalThis, 'SharedArrayBuffer');
    try {
      const workers = new LevelSetWorkers();
      const told: number[] = [];
      const level = await workers.levelSet(ball, { spacing: 0.2, onProgress: (done) => told.push(done) });
      expect(bytes(level)).toEqual(bytes(levelSet(ball, { spacing: 0.2 })));
      if (shared) expect(saveLevelSet(level)).toBeInstanceOf(memory);
      else expect(saveLevelSet(level)).toBeInstanceOf(ArrayBuffer);
      expect(told[0]).toBe(0);
      expect(told.at(-1)).toBe(1);
      expect(told.length).toBeGreaterThan(5);
      expect([...told].sort((a, b) => a - b)).toEqual(told);
      const wide = await workers.levelSet(open, { spacing: 0.3, band: 0.9, sign: 'winding' });
      expect(bytes(wide)).toEqual(bytes(levelSet(open, { spacing: 0.3, band: 0.9, sign: 'winding' })));
      expect(played.started.length).toBe(1);
      workers.close();
      expect(played.started[0]!.ended).toBe(true);
      expect(workers.threads).toBe(0);
    } finally {
      globalThis.SharedArrayBuffer = memory;
    }
  });

test('cancelled while it is under way: the promise is rejected, the thread is ended', async () => {
  const workers = new LevelSetWorkers();
  played.act = () => true;
  const promise = workers.levelSet(ball, { spacing: 0.2 });
  await Promise.resolve();
  workers.close();
  await expect(promise).rejects.toThrow('graze: LevelSetWorkers: closed');
  expect(played.started.map(({ ended }) => ended)).toEqual([true]);
  await expect(workers.levelSet(ball, { spacing: 0.2 })).rejects.toThrow('closed');
});

test('a thread that is ended by someone else: a clear error, and the next one takes its place', async () => {
  const workers = new LevelSetWorkers();
  await workers.levelSet(ball, { spacing: 0.4 });
  played.act = (thread) => {
    thread.terminate();
    return true;
  };
  await expect(workers.levelSet(ball, { spacing: 0.2 })).rejects.toThrow(
    'graze: LevelSetWorkers: a thread was lost: it ended with code 1',
  );
  played.act = () => false;
  expect((await workers.levelSet(ball, { spacing: 0.4 })).kind).toBe('levelSet');
  expect(played.started.length).toBe(2);
  workers.close();
});

test('what is refused is named, here or there, and what onProgress throws is handed on', async () => {
  const workers = new LevelSetWorkers();
  const ask = (source: unknown, options: object) => workers.levelSet(source as never, options as never);
  await expect(ask(() => 1, { spacing: 1 })).rejects.toThrow(
    /LevelSetWorkers.levelSet: source must be a mesh, as functions/,
  );
  await expect(ask(ball, { spacing: -1 })).rejects.toThrow(/options.spacing must be a finite number above 0/);
  await expect(ask(open, { spacing: 1 })).rejects.toThrow(/source must be a closed mesh/);
  await expect(ask(ball, { spacing: 1e-4 })).rejects.toThrow(/must leave at most .* grid points/);
  const onProgress = () => {
    throw new Error('mine');
  };
  await expect(ask(ball, { spacing: 0.4, onProgress })).rejects.toThrow('mine');
  expect((await workers.levelSet(ball, { spacing: 0.4 })).kind).toBe('levelSet');
  workers.close();
});

/**
 * Level sets that are baked by threads: those of this thread, to the last bit, and no promise that is left open. The threads are played, so
 * that they fail on cue; what they run is the real `worker.ts`, with a parent that is played too.
 */
import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { icosphere } from '../../../../tests/kit/meshes.ts';
import { mesh } from '../../mesh.ts';
import { levelSet } from './level-set.ts';
import { saveLevelSet } from './stored-level-set.ts';
import type { Request } from './worker.ts';
import { LevelSetWorkers } from './workers.ts';

const threads = process.getBuiltinModule('node:worker_threads') as unknown as {
  Worker: unknown;
  parentPort: unknown;
};
const real = { ...threads };

/** What `worker.ts` takes for its parent. */
class PlayedParent extends EventEmitter {
  replyTo: PlayedThread | null = null;

  postMessage(reply: object, transfer: ArrayBuffer[]): void {
    this.replyTo?.emit('message', structuredClone(reply, { transfer }));
  }
}
const parent = new PlayedParent();

/** What a thread does with a request; false for an answer as it should be. */
let act: (thread: PlayedThread, request: Request) => boolean = () => false;
const started: PlayedThread[] = [];

class PlayedThread extends EventEmitter {
  ended = false;

  constructor() {
    super();
    started.push(this);
    queueMicrotask(() => this.ended || this.emit('message', { type: 'ready' }));
  }

  postMessage(message: Request): void {
    const request = structuredClone(message);
    queueMicrotask(() => {
      if (this.ended || act(this, request)) return;
      parent.replyTo = this;
      parent.emit('message', request);
    });
  }

  terminate(): void {
    if (this.ended) return;
    this.ended = true;
    this.emit('exit', 1);
  }

  ref(): void {}
  unref(): void {}
}

beforeAll(async () => {
  threads.parentPort = parent;
  await import('./worker.ts');
  threads.parentPort = real.parentPort;
  threads.Worker = PlayedThread;
});
afterAll(() => {
  threads.Worker = real.Worker;
});
beforeEach(() => {
  act = () => false;
  started.length = 0;
});

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
      expect(started.length).toBe(1);
      workers.close();
      expect(started[0]!.ended).toBe(true);
      expect(workers.threads).toBe(0);
    } finally {
      globalThis.SharedArrayBuffer = memory;
    }
  });

test('cancelled while it is under way: the promise is rejected, the thread is ended', async () => {
  const workers = new LevelSetWorkers();
  act = () => true;
  const promise = workers.levelSet(ball, { spacing: 0.2 });
  await Promise.resolve();
  workers.close();
  await expect(promise).rejects.toThrow('graze: LevelSetWorkers: closed');
  expect(started.map(({ ended }) => ended)).toEqual([true]);
  await expect(workers.levelSet(ball, { spacing: 0.2 })).rejects.toThrow('closed');
});

test('a thread that is ended by someone else: a clear error, and the next one takes its place', async () => {
  const workers = new LevelSetWorkers();
  await workers.levelSet(ball, { spacing: 0.4 });
  act = (thread) => {
    thread.terminate();
    return true;
  };
  await expect(workers.levelSet(ball, { spacing: 0.2 })).rejects.toThrow(
    'graze: LevelSetWorkers: a thread was lost: it ended with code 1',
  );
  act = () => false;
  expect((await workers.levelSet(ball, { spacing: 0.4 })).kind).toBe('levelSet');
  expect(started.length).toBe(2);
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

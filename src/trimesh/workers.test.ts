/** What becomes of promises when threads do not do as they should. The threads are played, so that they fail on cue. */
import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { torus } from '../../tests/kit/meshes.ts';
import { batchMesh, type MeshBatchInput, makeAnswers, runBatch } from './batch.ts';
import { type Mesh, mesh, viewMesh } from './mesh.ts';
import type { Request } from './worker.ts';
import { MeshWorkers } from './workers.ts';

/** What the next thread does with a request that has a job; false for an answer as it should be. */
type Act = (thread: PlayedThread, request: Request & { job: number }) => boolean;
let act: Act = () => false;
let startFails = false;
const started: PlayedThread[] = [];

class PlayedThread extends EventEmitter {
  readonly meshes = new Map<number, Mesh>();
  ended = false;

  constructor() {
    super();
    started.push(this);
    if (startFails) queueMicrotask(() => this.fail('no such file'));
  }

  postMessage(request: Request): void {
    structuredClone(request); // throws as a real one does
    queueMicrotask(() => this.answer(request));
  }

  private answer(request: Request): void {
    if (this.ended) return;
    if (request.type === 'mesh') this.meshes.set(request.id, viewMesh(request.buffer));
    else if ('job' in request && !act(this, request)) this.work(request);
  }

  work(request: Request & { job: number }): void {
    const { job } = request;
    if (request.type === 'build') {
      this.emit('message', { job, type: 'progress', done: 0.5 });
      this.emit('message', { job, type: 'done', out: mesh(request.positions, request.index).buffer });
    } else if (request.type === 'run') {
      const { name, from, to, out } = request;
      const answers = out ?? makeAnswers('test', name, to - from, undefined);
      const target = this.meshes.get(request.mesh)!;
      runBatch(name, request, target, answers, out ? from : 0, out ? to : to - from);
      this.emit('message', { job, type: 'done', out: out ? null : answers });
    }
  }

  /** As an error that nobody catches. */
  fail(message: string): void {
    this.emit('error', new Error(message));
    this.terminate();
  }

  terminate(): void {
    if (this.ended) return;
    this.ended = true;
    this.emit('exit', 1);
  }

  ref(): void {}
  unref(): void {}
}

const threads = process.getBuiltinModule('node:worker_threads') as unknown as { Worker: unknown };
const real = threads.Worker;
beforeAll(() => {
  threads.Worker = PlayedThread;
});
afterAll(() => {
  threads.Worker = real;
});
beforeEach(() => {
  act = () => false;
  startFails = false;
  started.length = 0;
});

const { positions, index } = torus(12, 8);
const solid = mesh(positions, index);
const count = 2000;
const input: MeshBatchInput<'closestPointMesh'> = {
  points: Float64Array.from({ length: 3 * count }, (_, i) => Math.sin(i)),
};
const right = batchMesh('closestPointMesh', input, solid);

/** Does what a promise settles to; throws if it takes for ever. */
const settled = <T>(promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('it hangs')), 20_000).unref()),
  ]);

/** Acts once, on the n-th job. */
const once = (n: number, what: (thread: PlayedThread, request: Request & { job: number }) => void): Act => {
  let jobs = 0;
  return (thread, request) => {
    if (++jobs !== n) return false;
    what(thread, request);
    return true;
  };
};

describe.each([1, 3])('%s threads', (count) => {
  test('when all goes well, the answers are those of one thread', async () => {
    const pool = new MeshWorkers({ threads: count });
    expect(await settled(pool.batch('closestPointMesh', input, solid))).toEqual(right);
    expect((await settled(pool.mesh(positions, index))).triangleCount).toBe(solid.triangleCount);
    pool.close();
  });

  test('plain arrays are sent, too, and answers go to memory that is not shared', async () => {
    const pool = new MeshWorkers({ threads: count });
    const out = structuredClone(right);
    for (const list of Object.values(out)) list.fill(-2);
    const points = Array.from(input.points);
    expect(await settled(pool.batch('closestPointMesh', { points }, solid, out))).toEqual(right);
    pool.close();
  });

  for (const [name, strike, reason] of [
    ['is terminated', (t: PlayedThread) => t.terminate(), /a thread was lost: it ended with code 1/],
    ['throws', (t: PlayedThread) => t.fail('out of memory'), /a thread was lost: out of memory/],
    ['cannot be understood', (t: PlayedThread) => t.emit('messageerror', new Error('garbled')), /garbled/],
  ] as const)
    for (const n of [1, 2, 5])
      test(`a thread that ${name} in job ${n} of a batch: the promise is rejected, and the pool goes on`, async () => {
        const pool = new MeshWorkers({ threads: count });
        act = once(n, strike);
        await expect(settled(pool.batch('closestPointMesh', input, solid))).rejects.toThrow(reason);
        for (let i = 0; i < 3; i++)
          expect(await settled(pool.batch('closestPointMesh', input, solid))).toEqual(right);
        expect(pool.threads).toBe(count);
        expect((await settled(pool.mesh(positions, index))).triangleCount).toBe(solid.triangleCount);
        pool.close();
        expect(started.every((thread) => thread.ended)).toBe(true);
      });

  test('what is left of a batch that has failed is not done', async () => {
    const pool = new MeshWorkers({ threads: count });
    let jobs = 0;
    act = (thread) => {
      if (++jobs === 1) thread.terminate();
      return jobs === 1;
    };
    await expect(settled(pool.batch('closestPointMesh', input, solid))).rejects.toThrow(/a thread was lost/);
    await settled(pool.mesh(positions, index));
    expect(jobs).toBeLessThanOrEqual(2 * count + 1);
    pool.close();
  });

  test('a thread that is lost while it has nothing to do is replaced', async () => {
    const pool = new MeshWorkers({ threads: count });
    await settled(pool.batch('closestPointMesh', input, solid));
    for (const thread of [...started]) thread.terminate();
    expect(await settled(pool.batch('closestPointMesh', input, solid))).toEqual(right);
    pool.close();
  });

  test('a thread that fails whenever it is asked: every promise is rejected, none waits', async () => {
    const pool = new MeshWorkers({ threads: count });
    await settled(pool.mesh(positions, index));
    act = (thread) => {
      thread.fail('again');
      return true;
    };
    const all = Array.from({ length: 5 }, () => pool.batch('closestPointMesh', input, solid));
    for (const promise of all) await expect(settled(promise)).rejects.toThrow(/a thread was lost: again/);
    await expect(settled(pool.mesh(positions, index))).rejects.toThrow(/again/);
    pool.close();
  });

  test('threads that cannot be started: every promise is rejected', async () => {
    startFails = true;
    const pool = new MeshWorkers({ threads: count });
    act = () => true;
    for (let i = 0; i < 2; i++)
      await expect(settled(pool.batch('closestPointMesh', input, solid))).rejects.toThrow(/no such file/);
    pool.close();
  });

  test('closed in the middle: rejected, and so is what is asked later', async () => {
    const pool = new MeshWorkers({ threads: count });
    act = once(2, () => pool.close());
    await expect(settled(pool.batch('closestPointMesh', input, solid))).rejects.toThrow(
      /MeshWorkers: closed/,
    );
    await expect(settled(pool.mesh(positions, index))).rejects.toThrow(/MeshWorkers: closed/);
    expect(pool.threads).toBe(0);
  });

  test('a mesh whose memory has been given away cannot be sent: that is said, and the pool goes on', async () => {
    const pool = new MeshWorkers({ threads: count });
    const given = mesh(positions, index);
    structuredClone(given.buffer, { transfer: [given.buffer as ArrayBuffer] });
    await expect(settled(pool.batch('closestPointMesh', input, given))).rejects.toThrow(
      /could not be sent to a thread|MeshWorkers/,
    );
    expect(await settled(pool.batch('closestPointMesh', input, solid))).toEqual(right);
    pool.close();
  });

  test("an error of the user's own onProgress is the reason, not an accident", async () => {
    const pool = new MeshWorkers({ threads: count });
    const onProgress = (): never => {
      throw new Error('mine');
    };
    await expect(settled(pool.mesh(positions, index, { onProgress }))).rejects.toThrow('mine');
    expect(await settled(pool.batch('closestPointMesh', input, solid))).toEqual(right);
    pool.close();
  });
});

/**
 * What becomes of promises when threads do not do as they should. The threads are played, so that they fail on cue; what they run
 * is the real `worker.ts`, with a parent that is played too. `tests/threads.test.ts` has real ones.
 */
import { describe, expect, test } from 'vitest';
import { torus } from '../../tests/kit/meshes.ts';
import { type Act, type PlayedThread, playThreads } from '../../tests/kit/played-threads.ts';
import { convex } from '../shapes/custom.ts';
import { mesh as shapeOfMesh } from '../shapes/mesh.ts';
import { sphere } from '../shapes/round-shapes.ts';
import { batchMesh, type MeshBatchInput } from '../trimesh/batch.ts';
import { mesh } from '../trimesh/mesh.ts';
import { raycastMany } from './many.ts';
import type { Request } from './worker.ts';
import { type Lane, QueryWorkers } from './workers.ts';

type Job = Request & { job: number };
const played = playThreads<Job>(() => import('./worker.ts'));

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
const once = (n: number, what: (thread: PlayedThread, request: Job) => void): Act<Job> => {
  let jobs = 0;
  return (thread, request) => {
    if (++jobs !== n) return false;
    what(thread, request);
    return true;
  };
};

test('no threads in this engine: answered here', async () => {
  const { getBuiltinModule } = process;
  process.getBuiltinModule = ((name: string) =>
    name === 'node:worker_threads' ? undefined : getBuiltinModule(name)) as typeof getBuiltinModule;
  try {
    const pool = new QueryWorkers();
    let lane: Lane | null = null;
    const onLane = (told: Lane): void => {
      lane = told;
    };
    expect(await pool.batch('closestPointMesh', input, solid, undefined, { onLane })).toEqual(right);
    expect(lane).toEqual({ threads: 0, shared: false, simd: false, reason: 'there are no threads here' });
    expect(pool.threads).toBe(0);
    pool.close();
    await expect(pool.batch('closestPointMesh', input, solid)).rejects.toThrow('QueryWorkers: closed');
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
});

test('what is made of a function of the user stays here, and that is said', async () => {
  const pool = new QueryWorkers({ threads: 2 });
  const own = convex((d, out) => Object.assign(out, { x: d.x < 0 ? -1 : 1, y: 0, z: 0 }));
  const origins = [3, 0, 0];
  const directions = [-1, 0, 0];
  let told: Lane | null = null;
  const onLane = (lane: Lane): void => {
    told = lane;
  };
  const hits = await pool.raycastMany(origins, directions, own, { onLane });
  expect(hits).toEqual(raycastMany(origins, directions, own));
  expect(told).toEqual({
    threads: 0,
    shared: false,
    simd: false,
    reason: 'the support map of a convex shape is a function',
  });
  expect(played.started.length).toBe(2);
  pool.close();
  await expect(pool.raycastMany(origins, directions, own)).rejects.toThrow('QueryWorkers: closed');
});

test('a body is asked where it stood when the question was put', async () => {
  const pool = new QueryWorkers({ threads: 2 });
  const body = {
    shape: sphere(1),
    pose: { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } },
  };
  const origins = Float64Array.from({ length: 600 }, (_, i) => (i % 3 === 0 ? 3 : 0));
  const directions = Float64Array.from({ length: 600 }, (_, i) => (i % 3 === 0 ? -1 : 0));
  const right = raycastMany(origins, directions, body);
  const asked = pool.raycastMany(origins, directions, body);
  body.pose.position.x = 100;
  expect(await settled(asked)).toEqual(right);
  pool.close();
});

test('a mesh of the toolbox is refused by what needs a shape, here as there', async () => {
  const pool = new QueryWorkers({ threads: 1 });
  await expect(pool.raycastMany([0, 0, 0], [1, 0, 0], solid)).rejects.toThrow(/makes it a shape/);
  const shape = shapeOfMesh(mesh(positions, index));
  await expect(settled(pool.raycastMany([0, 0, 0], [1, 0, 0], shape))).resolves.toBeTruthy();
  pool.close();
});

describe.each([1, 3])('%s threads', (count) => {
  test('when all goes well, the answers are those of one thread', async () => {
    const pool = new QueryWorkers({ threads: count });
    expect(await settled(pool.batch('closestPointMesh', input, solid))).toEqual(right);
    expect((await settled(pool.mesh(positions, index))).triangleCount).toBe(solid.triangleCount);
    pool.close();
  });

  test('plain arrays are sent, too, and answers go to memory that is not shared', async () => {
    const pool = new QueryWorkers({ threads: count });
    const out = structuredClone(right);
    for (const list of Object.values(out)) list.fill(-2);
    const points = Array.from(input.points as Float64Array);
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
        const pool = new QueryWorkers({ threads: count });
        played.act = once(n, strike);
        await expect(settled(pool.batch('closestPointMesh', input, solid))).rejects.toThrow(reason);
        for (let i = 0; i < 3; i++)
          expect(await settled(pool.batch('closestPointMesh', input, solid))).toEqual(right);
        expect(pool.threads).toBe(count);
        expect((await settled(pool.mesh(positions, index))).triangleCount).toBe(solid.triangleCount);
        pool.close();
        expect(played.started.every((thread) => thread.ended)).toBe(true);
      });

  test('what is left of a batch that has failed is not done', async () => {
    const pool = new QueryWorkers({ threads: count });
    let jobs = 0;
    played.act = (thread) => {
      if (++jobs === 1) thread.terminate();
      return jobs === 1;
    };
    await expect(settled(pool.batch('closestPointMesh', input, solid))).rejects.toThrow(/a thread was lost/);
    await settled(pool.mesh(positions, index));
    expect(jobs).toBeLessThanOrEqual(2 * count + 1);
    pool.close();
  });

  test('a thread that is lost while it has nothing to do is replaced', async () => {
    const pool = new QueryWorkers({ threads: count });
    await settled(pool.batch('closestPointMesh', input, solid));
    for (const thread of [...played.started]) thread.terminate();
    expect(await settled(pool.batch('closestPointMesh', input, solid))).toEqual(right);
    pool.close();
  });

  test('a thread that fails whenever it is asked: every promise is rejected, none waits', async () => {
    const pool = new QueryWorkers({ threads: count });
    await settled(pool.mesh(positions, index));
    played.act = (thread) => {
      thread.fail('again');
      return true;
    };
    const all = Array.from({ length: 5 }, () => pool.batch('closestPointMesh', input, solid));
    for (const promise of all) await expect(settled(promise)).rejects.toThrow(/a thread was lost: again/);
    await expect(settled(pool.mesh(positions, index))).rejects.toThrow(/again/);
    pool.close();
  });

  test('threads that cannot be started: the thread that asks answers, and says so', async () => {
    played.startFails = true;
    const pool = new QueryWorkers({ threads: count });
    const lanes: Lane[] = [];
    const onLane = (lane: Lane) => lanes.push(lane);
    for (let i = 0; i < 2; i++)
      expect(await settled(pool.batch('closestPointMesh', input, solid, undefined, { onLane }))).toEqual(
        right,
      );
    expect((await settled(pool.mesh(positions, index, { onLane }))).triangleCount).toBe(solid.triangleCount);
    expect(lanes.map((lane) => lane.threads)).toEqual([0, 0, 0]);
    for (const { reason } of lanes) expect(reason).toMatch(/a thread was lost: no such file/);
    pool.close();
    await expect(settled(pool.batch('closestPointMesh', input, solid))).rejects.toThrow(/closed/);
  });

  test('one thread of several that does not start: the others do its work', async () => {
    const mixed = new QueryWorkers({ threads: count + 1 });
    played.started.at(-1)!.fail('not this one');
    expect(await settled(mixed.batch('closestPointMesh', input, solid))).toEqual(right);
    mixed.close();
  });

  test('closed in the middle: rejected, and so is what is asked later', async () => {
    const pool = new QueryWorkers({ threads: count });
    played.act = once(2, () => pool.close());
    await expect(settled(pool.batch('closestPointMesh', input, solid))).rejects.toThrow(
      /QueryWorkers: closed/,
    );
    await expect(settled(pool.mesh(positions, index))).rejects.toThrow(/QueryWorkers: closed/);
    expect(pool.threads).toBe(0);
  });

  test('a mesh whose memory has been given away cannot be sent: that is said, and the pool goes on', async () => {
    const pool = new QueryWorkers({ threads: count });
    const given = mesh(positions, index);
    structuredClone(given.buffer, { transfer: [given.buffer as ArrayBuffer] });
    await expect(settled(pool.batch('closestPointMesh', input, given))).rejects.toThrow(
      /could not be sent to a thread|QueryWorkers/,
    );
    expect(await settled(pool.batch('closestPointMesh', input, solid))).toEqual(right);
    pool.close();
  });

  test("an error of the user's own onProgress is the reason, not an accident", async () => {
    const pool = new QueryWorkers({ threads: count });
    const onProgress = (): never => {
      throw new Error('mine');
    };
    played.act = (thread, { type, job }) => {
      if (type === 'build') thread.emit('message', { job, type: 'progress', done: 0.5 });
      return false;
    };
    await expect(settled(pool.mesh(positions, index, { onProgress }))).rejects.toThrow('mine');
    expect(await settled(pool.batch('closestPointMesh', input, solid))).toEqual(right);
    pool.close();
  });
});

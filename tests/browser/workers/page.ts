/** What runs in the page of workers.test.ts. */

import { closestPointMany, mesh } from '../../../src/index.ts';
import { QueryWorkers } from '../../../src/query/index.ts';
import type { Lane } from '../../../src/query/workers.ts';
import { torus } from '../../kit/meshes.ts';
import { Rng } from '../../kit/rng.ts';

const { positions, index } = torus(200, 100);
const target = mesh(positions, index, { shared: true });
const rng = new Rng(5);
const points = Float64Array.from({ length: 3 * 300_000 }, () => rng.range(-2, 2));
/** So few that one piece is all. */
const few = points.slice(0, 3 * 60);

const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error: Error) => error.message,
  );

const later = (time: number): Promise<void> => new Promise((done) => setTimeout(done, time));

/** Are a few answers those of this thread, and how were they found? */
async function ask(pool: QueryWorkers): Promise<{ right: boolean; lane: Lane | null }> {
  const told: { lane: Lane | null } = { lane: null };
  const onLane = (lane: Lane): void => {
    told.lane = lane;
  };
  const found = await pool.closestPointMany(few, target, { onLane });
  const wanted = closestPointMany(few, target);
  return { right: found.distance.every((x, i) => Object.is(x, wanted.distance[i])), lane: told.lane };
}

const tests = {
  /** A batch as it should be. */
  answered: async () => ask(new QueryWorkers({ threads: 2 })),

  /** What becomes of a batch and a build when a thread dies meanwhile, and of the next batch. */
  async lost() {
    const pool = new QueryWorkers({ threads: 2 });
    const reason = await reasonOf(pool.closestPointMany(points, target));
    const next = await ask(pool);
    pool.close();
    return { reason, next };
  },

  /** The pool is closed in the middle of a batch, of a build, and of what waits. */
  async closed() {
    const pool = new QueryWorkers({ threads: 2 });
    await ask(pool);
    const asked = [
      pool.closestPointMany(points, target),
      pool.mesh(...(Object.values(torus(900, 300)) as [number[], number[]])),
      pool.prepare(target),
    ].map(reasonOf);
    await later(20);
    pool.close();
    return [...(await Promise.all(asked)), await reasonOf(pool.closestPointMany(few, target))];
  },

  /** Begins a batch, and leaves a note of what becomes of it. */
  async left() {
    localStorage.removeItem('told');
    const pool = new QueryWorkers({ threads: 2 });
    await ask(pool);
    void reasonOf(pool.closestPointMany(points, target)).then((reason) =>
      localStorage.setItem('told', reason),
    );
    await later(20);
  },

  told: () => localStorage.getItem('told'),
};

declare global {
  interface Window {
    workerTests: typeof tests;
  }
}
window.workerTests = tests;

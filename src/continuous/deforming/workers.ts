/** Batches of vertices and faces, and of edges, on several threads. */
import type { UrlConstructor, WorkerConstructor } from '../../trimesh/worker-host.ts';
import { canShare, WorkerPool, type WorkerPoolOptions } from '../../trimesh/worker-pool.ts';
import { checkMany, type DeformingPairOptions, type DeformingTimes } from './cast-primitives.ts';
import type { Request } from './worker.ts';

declare const Worker: WorkerConstructor;
declare const URL: UrlConstructor;

export type DeformingWorkersOptions = WorkerPoolOptions;

type Numbers = ArrayLike<number>;

/**
 * A pool of threads, in browsers (workers) and Node (worker threads), for `castVertexFaceMany` and `castEdgeEdgeMany`. The
 * times are the same to the last bit, whatever the number of threads. Lists in shared memory (a `SharedArrayBuffer`, `out`
 * included) are not copied. Do not change a list before its promise has settled.
 *
 * When a thread fails or is ended by someone else, the promise of what it was doing is rejected with the reason, and
 * another takes its place. Where threads cannot be started at all, every promise is rejected with that reason.
 */
export class DeformingWorkers {
  readonly #pool: WorkerPool;

  constructor(options: DeformingWorkersOptions = {}) {
    const source = {
      web: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
      path: './worker.ts',
      base: import.meta.url,
    };
    this.#pool = new WorkerPool('DeformingWorkers', source, options);
  }

  /** As many as were asked for; 0 when closed. */
  get threads(): number {
    return this.#pool.threads;
  }

  /** As `castVertexFaceMany`, on all threads. */
  async castVertexFaceMany(
    starts: Numbers,
    ends: Numbers,
    options: DeformingPairOptions = {},
    out?: DeformingTimes,
  ): Promise<DeformingTimes> {
    return this.#cast(true, starts, ends, options, out);
  }

  /** As `castEdgeEdgeMany`, on all threads. */
  async castEdgeEdgeMany(
    starts: Numbers,
    ends: Numbers,
    options: DeformingPairOptions = {},
    out?: DeformingTimes,
  ): Promise<DeformingTimes> {
    return this.#cast(false, starts, ends, options, out);
  }

  /** Ends the threads. What is under way is given up: its promises are rejected. */
  close(): void {
    this.#pool.close();
  }

  async #cast(
    isFace: boolean,
    starts: Numbers,
    ends: Numbers,
    options: DeformingPairOptions,
    out: DeformingTimes | undefined,
  ): Promise<DeformingTimes> {
    const caller = `DeformingWorkers.${isFace ? 'castVertexFaceMany' : 'castEdgeEdgeMany'}`;
    const count = checkMany(caller, starts, ends, options, out);
    const { separation = 0 } = options;
    const bytes = 8 * count;
    const t = out?.t ?? new Float64Array(canShare() ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
    await this.#pool.batch<DeformingTimes>(
      { lists: [starts, ends], sizes: [12, 12], count },
      { t },
      (port, piece) => port.post({ isFace, separation, ...piece } satisfies Request, []),
    );
    return out ?? { t };
  }
}

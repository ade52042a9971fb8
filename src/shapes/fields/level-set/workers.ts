/** Level sets, baked by threads while the page goes on. */
import { refuseType } from '../../../math/check.ts';
import type { Mesh } from '../../../trimesh/mesh.ts';
import type { UrlConstructor, WorkerConstructor } from '../../../trimesh/worker-host.ts';
import { canShare, WorkerPool, type WorkerPoolOptions } from '../../../trimesh/worker-pool.ts';
import type { LevelSetShape } from '../../shape.ts';
import { LevelSetGrid } from './grid.ts';
import { checkOptions, type LevelSetOptions, levelSetOf } from './level-set.ts';
import type { Request } from './worker.ts';

declare const Worker: WorkerConstructor;
declare const URL: UrlConstructor;

export type LevelSetWorkersOptions = WorkerPoolOptions;

/**
 * Threads that bake level sets of meshes, in browsers (workers) and Node (worker threads); one, unless more are asked for. The level sets
 * are those of `levelSet`, to the last bit; they lie in a `SharedArrayBuffer` where there is one.
 *
 * To cancel what is under way, `close`. When a thread fails or is ended by someone else, the promise of what it was doing is
 * rejected with the reason, and another takes its place.
 */
export class LevelSetWorkers {
  readonly #pool: WorkerPool;

  constructor({ threads = 1 }: LevelSetWorkersOptions = {}) {
    const source = {
      web: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
      path: './worker.ts',
      base: import.meta.url,
    };
    this.#pool = new WorkerPool('LevelSetWorkers', source, { threads });
  }

  /** As many as were asked for; 0 when closed. */
  get threads(): number {
    return this.#pool.threads;
  }

  /** As `levelSet` of a mesh. `onProgress` is called in this thread. */
  async levelSet(
    source: Mesh,
    options: Pick<LevelSetOptions, 'spacing' | 'band' | 'sign' | 'onProgress'>,
  ): Promise<LevelSetShape> {
    const caller = 'LevelSetWorkers.levelSet';
    if (typeof source === 'function')
      refuseType(caller, 'source', 'a mesh, as functions cannot be sent to a thread', source);
    const { spacing, band, sign, onProgress } = checkOptions(caller, source, options);
    const shared = canShare();
    const buffer = await this.#pool.run<ArrayBuffer | SharedArrayBuffer>({
      send: (port, job) =>
        port.post(
          { job, buffer: source.buffer, options: { spacing, band, sign, shared } } satisfies Request,
          [],
        ),
      onProgress,
    });
    return levelSetOf(new LevelSetGrid(buffer));
  }

  /** Ends the threads. What is under way is given up: its promises are rejected. */
  close(): void {
    this.#pool.close();
  }
}

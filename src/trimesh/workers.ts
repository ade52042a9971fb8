/** Batches of queries, and the building of meshes, on several threads. */
import { mustBeOptions } from '../math/check.ts';
import { readTriangles } from '../mesh/triangles.ts';
import {
  BATCHES,
  type MeshBatchInput,
  type MeshBatchName,
  type MeshBatchOutput,
  makeAnswers,
  prepareBatch,
} from './batch.ts';
import { type Mesh, type MeshOptions, viewMesh } from './mesh.ts';
import type { Request } from './worker.ts';
import type { Port, UrlConstructor, WorkerConstructor } from './worker-host.ts';
import { canShare, WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

declare const Worker: WorkerConstructor;
declare const URL: UrlConstructor;

export type MeshWorkersOptions = WorkerPoolOptions;

/**
 * A pool of threads for meshes, in browsers (workers) and Node (worker threads). Meshes and lists are shared with the
 * threads through a `SharedArrayBuffer` where there is one (browsers ask for cross-origin isolation), and copied where
 * there is not: a mesh made with `shared: true`, or by the pool itself, is never copied. Answers are those of
 * `batchMesh`, whatever the number of threads.
 *
 * When a thread fails or is ended by someone else, the promise of what it was doing is rejected with the reason, and
 * another takes its place. Where threads cannot be started at all, every promise is rejected with that reason.
 */
export class MeshWorkers {
  readonly #pool: WorkerPool;
  readonly #ids = new WeakMap<Mesh, number>();
  /** The meshes that a thread has. */
  readonly #known = new WeakMap<Port, Set<number>>();
  readonly #gone = new FinalizationRegistry<number>((id) => this.#forget(id));
  #nextId = 0;

  constructor(options: MeshWorkersOptions = {}) {
    const source = {
      web: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
      path: './worker.ts',
      base: import.meta.url,
    };
    this.#pool = new WorkerPool('MeshWorkers', source, options);
  }

  /** As many as were asked for; 0 when closed. */
  get threads(): number {
    return this.#pool.threads;
  }

  /** As `mesh`, in a thread of its own: the page goes on meanwhile. The arrays are copied, the mesh is shared. */
  async mesh(
    positions: ArrayLike<number>,
    index?: ArrayLike<number> | null,
    options: Omit<MeshOptions, 'exclude' | 'shared' | 'tree'> = {},
  ): Promise<Mesh> {
    const triangles = readTriangles('MeshWorkers.mesh', { positions, index });
    mustBeOptions('MeshWorkers.mesh', 'options', options, 'leafSize onProgress');
    const { leafSize, onProgress } = options;
    const shared = canShare();
    const buffer = await this.#pool.run<ArrayBuffer | SharedArrayBuffer>({
      send: (port, job) =>
        port.post({ type: 'build', job, ...triangles, leafSize, shared } satisfies Request, []),
      onProgress,
    });
    return viewMesh(buffer);
  }

  /** As `batchMesh`, on all threads. */
  async batch<Name extends MeshBatchName>(
    name: Name,
    input: MeshBatchInput<Name>,
    mesh: Mesh,
    out?: MeshBatchOutput<Name>,
  ): Promise<MeshBatchOutput<Name>> {
    const caller = 'MeshWorkers.batch';
    const { lists, count, setting } = prepareBatch(caller, name, input as Record<string, unknown>);
    const answers = makeAnswers(caller, name, count, out, canShare());
    const sizes = Object.values((BATCHES[name] as { inputs: Record<string, number> }).inputs);
    return this.#pool.batch({ lists, sizes, count }, answers, (port, piece) => {
      const id = this.#introduce(port, mesh);
      port.post({ type: 'run', name, mesh: id, setting, ...piece } satisfies Request, []);
    });
  }

  /** Ends the threads. What is under way is given up: its promises are rejected. */
  close(): void {
    this.#pool.close();
  }

  /** Makes sure that the thread has the mesh, and tells under which number. */
  #introduce(port: Port, mesh: Mesh): number {
    let id = this.#ids.get(mesh);
    if (id === undefined) {
      id = this.#nextId++;
      this.#ids.set(mesh, id);
      this.#gone.register(mesh, id);
    }
    const known = this.#known.get(port) ?? new Set();
    if (!known.has(id)) {
      port.post({ type: 'mesh', id, buffer: mesh.buffer } satisfies Request, []);
      this.#known.set(port, known.add(id));
    }
    return id;
  }

  #forget(id: number): void {
    for (const port of this.#pool.ports)
      if (this.#known.get(port)?.delete(id)) port.post({ type: 'forget', id } satisfies Request, []);
  }
}

/** Batches of queries, and the building of meshes, on several threads. */
import { describe, mustBeOptions, refuse } from '../math/check.ts';
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
import type { Reply, Request } from './worker.ts';
import { type Port, startThread, threadCount } from './worker-host.ts';

export interface MeshWorkersOptions {
  /** How many threads to start. Default: as many as the machine runs at once. */
  readonly threads?: number;
}

/** Something for one thread to do. */
interface Task {
  readonly mesh: Mesh | null;
  readonly request: (job: number, mesh: number) => Request;
  readonly onReply: (reply: Reply) => void;
  readonly onFail: (reason: Error) => void;
  /** Is it part of something that has failed? Then it need not be done. */
  readonly isVain: () => boolean;
}

interface Thread {
  readonly port: Port;
  readonly known: Set<number>;
  job: number;
  task: Task | null;
  /** It has answered: threads can be started here. */
  hasAnswered: boolean;
}

/** Pieces of a batch for each thread: more even out what queries cost, fewer have less to say to each other. */
const PIECES = 8;
const SMALLEST_PIECE = 64;

const canShare = (): boolean => typeof SharedArrayBuffer !== 'undefined';

/** A new list in shared memory, unless it is in there already. */
function shareList(list: ArrayLike<number>): ArrayLike<number> {
  if (ArrayBuffer.isView(list) && (list.buffer as unknown) instanceof SharedArrayBuffer) return list;
  const shared = new Float64Array(new SharedArrayBuffer(list.length * 8));
  shared.set(list);
  return shared;
}

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
  readonly #threads: Thread[] = [];
  readonly #queue: Task[] = [];
  readonly #ids = new WeakMap<Mesh, number>();
  readonly #gone = new FinalizationRegistry<number>((id) => this.#forget(id));
  readonly #wanted: number;
  #nextId = 0;
  #nextJob = 0;
  #closed = false;

  constructor({ threads = threadCount() }: MeshWorkersOptions = {}) {
    if (!(Number.isInteger(threads) && threads > 0))
      refuse('MeshWorkers', 'threads', `must be a whole number above 0, got ${describe(threads)}`);
    this.#wanted = threads;
    for (let i = 0; i < threads; i++) this.#start();
  }

  /** As many as were asked for; 0 when closed. */
  get threads(): number {
    return this.#closed ? 0 : this.#wanted;
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
    return new Promise((resolve, reject) => {
      this.#add({
        mesh: null,
        request: (job) => ({ type: 'build', job, ...triangles, leafSize, shared }),
        onFail: reject,
        isVain: () => false,
        onReply: (reply) => {
          if (reply.type === 'progress') onProgress?.(reply.done);
          else if (reply.type === 'built') resolve(viewMesh(reply.buffer));
        },
      });
    });
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
    const size = Math.max(SMALLEST_PIECE, Math.ceil(count / (this.#wanted * PIECES)));
    const shared =
      canShare() &&
      Object.values(answers).every((list: Uint8Array) => list.buffer instanceof SharedArrayBuffer);
    const common = shared ? lists.map(shareList) : lists;
    const sizes = Object.values((BATCHES[name] as { inputs: Record<string, number> }).inputs);
    const pieces: Promise<void>[] = [];
    let hasFailed = false;
    for (let from = 0; from < count; from += size) {
      const to = Math.min(count, from + size);
      const piece = shared
        ? common
        : common.map((list, i) => Float64Array.prototype.slice.call(list, from * sizes[i]!, to * sizes[i]!));
      pieces.push(
        new Promise((resolve, reject) =>
          this.#add({
            mesh,
            request: (job, id) => ({
              type: 'run',
              job,
              name,
              mesh: id,
              lists: piece,
              setting,
              from,
              to,
              out: shared ? answers : null,
            }),
            onFail: (reason) => {
              hasFailed = true;
              reject(reason);
            },
            isVain: () => hasFailed,
            onReply: (reply) => {
              if (reply.type !== 'done') return;
              if (reply.out) copyAnswers(reply.out, answers, from, to - from);
              resolve();
            },
          }),
        ),
      );
    }
    await Promise.all(pieces);
    return answers;
  }

  /** Ends the threads. What is under way is given up: its promises are rejected. */
  close(): void {
    this.#closed = true;
    const threads = this.#threads.splice(0);
    const tasks = threads.flatMap(({ task }) => task ?? []).concat(this.#queue.splice(0));
    for (const { port } of threads) port.close();
    for (const { onFail } of tasks) onFail(new Error('graze: MeshWorkers: closed'));
  }

  #start(): void {
    const thread: Thread = {
      known: new Set(),
      job: -1,
      task: null,
      hasAnswered: false,
      port: startThread({
        onMessage: (reply: Reply) => this.#receive(thread, reply),
        onLost: (reason) => this.#lose(thread, reason),
      }),
    };
    this.#threads.push(thread);
  }

  #add(task: Task): void {
    if (this.#closed) task.onFail(new Error('graze: MeshWorkers: closed'));
    else {
      this.#queue.push(task);
      this.#dispatch();
    }
  }

  /** Gives waiting tasks to idle threads; those that were lost are replaced when there is something to do. */
  #dispatch(): void {
    while (this.#queue.length > 0 && this.#threads.length < this.#wanted) this.#start();
    for (const thread of this.#threads) {
      if (thread.task !== null) continue;
      let task = this.#queue.shift();
      while (task?.isVain()) task = this.#queue.shift();
      if (!task) return;
      thread.task = task;
      thread.job = this.#nextJob++;
      try {
        const id = task.mesh ? this.#introduce(thread, task.mesh) : -1;
        thread.port.post(task.request(thread.job, id), []);
        thread.port.hold(true);
      } catch (error) {
        // What cannot be sent, such as a mesh whose buffer has been given away.
        thread.task = null;
        task.onFail(
          new Error(`graze: MeshWorkers: could not be sent to a thread: ${(error as Error).message}`),
        );
      }
    }
  }

  /** Makes sure that the thread has the mesh, and tells under which number. */
  #introduce({ known, port }: Thread, mesh: Mesh): number {
    let id = this.#ids.get(mesh);
    if (id === undefined) {
      id = this.#nextId++;
      this.#ids.set(mesh, id);
      this.#gone.register(mesh, id);
    }
    if (!known.has(id)) {
      port.post({ type: 'mesh', id, buffer: mesh.buffer } satisfies Request, []);
      known.add(id);
    }
    return id;
  }

  #forget(id: number): void {
    for (const { known, port } of this.#threads)
      if (known.delete(id)) port.post({ type: 'forget', id } satisfies Request, []);
  }

  #receive(thread: Thread, reply: Reply): void {
    thread.hasAnswered = true;
    const { task } = thread;
    if (!task || reply.job !== thread.job) return;
    if (reply.type !== 'progress') {
      thread.task = null;
      thread.port.hold(false);
      this.#dispatch();
    }
    if (reply.type === 'failed') {
      task.onFail(new Error(reply.reason));
      return;
    }
    try {
      task.onReply(reply);
    } catch (error) {
      task.onFail(error as Error); // thrown by the user's own `onProgress`
    }
  }

  /** A thread is lost, and what it was doing. What waits goes to others, if threads can be started here at all. */
  #lose(thread: Thread, reason: Error): void {
    const place = this.#threads.indexOf(thread);
    if (place < 0) return; // closed, or told before
    this.#threads.splice(place, 1);
    thread.port.close();
    const lost = thread.task ? [thread.task] : [];
    thread.task = null;
    if (thread.hasAnswered) this.#dispatch();
    else if (this.#threads.length === 0) lost.push(...this.#queue.splice(0));
    for (const { onFail } of lost) onFail(reason);
  }
}

/** Puts the answers for `count` queries from `from` on where they belong. */
function copyAnswers(
  source: MeshBatchOutput<MeshBatchName>,
  target: MeshBatchOutput<MeshBatchName>,
  from: number,
  count: number,
): void {
  const parts = source as unknown as Record<string, Float64Array>;
  for (const [key, list] of Object.entries(target as unknown as Record<string, Float64Array>)) {
    const part = parts[key]!;
    list.set(part, (part.length / count) * from);
  }
}

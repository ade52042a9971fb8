/** A pool of threads, whatever they do: who is idle, what waits, batches cut into pieces, and threads that fail. */
import { describe, refuse } from '../math/check.ts';
import { arrayOf, gatherNumbers, type NumberList } from '../math/number-list.ts';
import {
  type Port,
  type Reply,
  startThread,
  type ThreadSource,
  threadCount,
  whenPageGoes,
} from './worker-host.ts';

export interface WorkerPoolOptions {
  /** How many threads to start. Default: as many as the machine runs at once. */
  readonly threads?: number;
}

/** Something for one thread to do. */
interface Job {
  /** Asks a thread. The number of the job comes back with its replies. */
  readonly send: (port: Port, job: number) => void;
  readonly onProgress?: ((done: number) => void) | undefined;
  /** What it is a piece of. When one piece has failed, the others need not be done. */
  readonly batch?: { hasFailed: boolean };
}

interface Task extends Job {
  readonly resolve: (out: never) => void;
  readonly reject: (reason: Error) => void;
}

interface Thread {
  readonly port: Port;
  job: number;
  task: Task | null;
  /** It runs: threads can be started here. */
  isReady: boolean;
}

/** A batch: lists with `sizes` numbers a query. Lists that were left out are undefined. */
interface Batch {
  readonly lists: readonly (NumberList | undefined)[];
  readonly sizes: readonly number[];
  readonly count: number;
}

/** Queries from … to - 1 of a batch. */
export interface Piece<Out> {
  readonly job: number;
  readonly lists: readonly (NumberList | undefined)[];
  readonly from: number;
  readonly to: number;
  /** Where the answers go, in shared memory; without it they are sent back, and the lists begin with `from`. */
  readonly out: Out | null;
}

/** What a thread says when it has answered a piece. */
export interface PieceReply<Out> {
  /** Null if they are in shared memory. */
  readonly answers: Out | null;
  /** Were there four-wide kernels? */
  readonly simd: boolean;
}

/** Threads cannot be started here at all. */
export class NoThreads extends Error {}

/** Pieces of a batch for each thread: more even out what queries cost, fewer have less to say to each other. */
const PIECES = 8;
const SMALLEST_PIECE = 64;

export const canShare = (): boolean => typeof SharedArrayBuffer !== 'undefined';

const isShared = (list: unknown): boolean =>
  canShare() && ArrayBuffer.isView(list) && (list.buffer as unknown) instanceof SharedArrayBuffer;

/**
 * When a thread fails or is ended by someone else, the promise of what it was doing is rejected with the reason, and
 * another takes its place. Where threads cannot be started at all, every promise is rejected with that reason.
 */
export class WorkerPool {
  readonly #name: string;
  readonly #source: ThreadSource;
  readonly #wanted: number;
  readonly #threads: Thread[] = [];
  readonly #queue: Task[] = [];
  #nextJob = 0;
  #closed = false;
  readonly #stopListening: () => void;

  /** @param name whose errors they are */
  constructor(name: string, source: ThreadSource, { threads = threadCount() }: WorkerPoolOptions) {
    if (!(Number.isInteger(threads) && threads > 0))
      refuse(name, 'threads', `must be a whole number above 0, got ${describe(threads)}`);
    this.#name = name;
    this.#source = source;
    this.#wanted = threads;
    for (let i = 0; i < threads; i++) this.#start();
    this.#stopListening = whenPageGoes(() => this.close('the page was closed'));
  }

  /** As many as were asked for; 0 when closed. */
  get threads(): number {
    return this.#closed ? 0 : this.#wanted;
  }

  /** The threads there are now. */
  get ports(): readonly Port[] {
    return this.#threads.map(({ port }) => port);
  }

  /** Has one thread do something. Resolves to what it answers. */
  run<Out>(job: Job): Promise<Out> {
    return new Promise((resolve, reject) => {
      if (this.#closed) reject(this.#error('closed'));
      else {
        this.#queue.push({ ...job, resolve, reject });
        this.#dispatch();
      }
    });
  }

  /**
   * Has all threads answer a batch. `answers` is a record of typed arrays; `send` asks a thread for a piece. Tells whether all
   * had four-wide kernels.
   */
  async batch<Out extends object>(
    { lists, sizes, count }: Batch,
    answers: Out,
    send: (port: Port, piece: Piece<Out>) => void,
  ): Promise<boolean> {
    const size = Math.max(SMALLEST_PIECE, Math.ceil(count / (this.#wanted * PIECES)));
    const shared = Object.values(answers).every(isShared);
    const cut = (from: number, to: number): Piece<Out>['lists'] =>
      lists.map((list, i) => list && gatherNumbers(list, sizes[i]!, from, to, shared));
    const common = shared
      ? lists.map((list, i) =>
          list === undefined || isShared(arrayOf(list))
            ? list
            : gatherNumbers(list, sizes[i]!, 0, count, true),
        )
      : [];
    const batch = { hasFailed: false };
    let simd = true;
    const pieces: Promise<void>[] = [];
    for (let from = 0; from < count; from += size) {
      const to = Math.min(count, from + size);
      const part = shared ? common : cut(from, to);
      const out = shared ? answers : null;
      const done = this.run<PieceReply<Out>>({
        send: (port, job) => send(port, { job, lists: part, from, to, out }),
        batch,
      });
      pieces.push(
        done.then((reply) => {
          simd &&= reply.simd;
          if (reply.answers) copyAnswers(reply.answers, answers, from, to - from);
        }),
      );
    }
    await Promise.all(pieces);
    return simd;
  }

  /** Ends the threads. What is under way is given up: its promises are rejected. */
  close(reason = 'closed'): void {
    if (!this.#closed) this.#stopListening();
    this.#closed = true;
    const threads = this.#threads.splice(0);
    const tasks = threads.flatMap(({ task }) => task ?? []).concat(this.#queue.splice(0));
    for (const { port } of threads) port.close();
    for (const task of tasks) fail(task, this.#error(reason));
  }

  #error(what: string): Error {
    return new Error(`graze: ${this.#name}: ${what}`);
  }

  #start(): void {
    const thread: Thread = {
      job: -1,
      task: null,
      isReady: false,
      port: startThread(this.#source, {
        onMessage: (reply: Reply) => this.#receive(thread, reply),
        onLost: (reason) => this.#lose(thread, reason),
      }),
    };
    this.#threads.push(thread);
  }

  /** Gives waiting tasks to idle threads; those that were lost are replaced when there is something to do. */
  #dispatch(mayStart = true): void {
    while (mayStart && this.#queue.length > 0 && this.#threads.length < this.#wanted) this.#start();
    for (const thread of this.#threads) {
      if (thread.task !== null) continue;
      let task = this.#queue.shift();
      while (task?.batch?.hasFailed) task = this.#queue.shift();
      if (!task) return;
      thread.task = task;
      thread.job = this.#nextJob++;
      try {
        task.send(thread.port, thread.job);
        thread.port.hold(true);
      } catch (error) {
        // What cannot be sent, such as a mesh whose buffer has been given away.
        thread.task = null;
        fail(task, this.#error(`could not be sent to a thread: ${(error as Error).message}`));
      }
    }
  }

  #receive(thread: Thread, reply: Reply): void {
    thread.isReady = true;
    const { task } = thread;
    if (!task || reply.type === 'ready' || reply.job !== thread.job) return;
    if (reply.type === 'progress') {
      try {
        task.onProgress?.(reply.done);
      } catch (error) {
        fail(task, error as Error); // thrown by the user
      }
      return;
    }
    thread.task = null;
    thread.port.hold(false);
    this.#dispatch();
    if (reply.type === 'failed') fail(task, new Error(reply.reason));
    else task.resolve(reply.out as never);
  }

  /**
   * A thread is lost, and what it was doing. One that never ran was doing nothing yet: others do it. If there are none, threads
   * cannot be started here, and nothing waits for them.
   */
  #lose(thread: Thread, reason: string): void {
    const place = this.#threads.indexOf(thread);
    if (place < 0) return; // closed, or told before
    this.#threads.splice(place, 1);
    thread.port.close();
    const { task } = thread;
    thread.task = null;
    if (thread.isReady) {
      this.#dispatch();
      if (task) fail(task, this.#error(reason));
      return;
    }
    if (task) this.#queue.unshift(task);
    if (this.#threads.length > 0) this.#dispatch(false);
    else
      for (const waiting of this.#queue.splice(0)) fail(waiting, new NoThreads(this.#error(reason).message));
  }
}

function fail({ batch, reject }: Task, reason: Error): void {
  if (batch) batch.hasFailed = true;
  reject(reason);
}

/** Puts the answers for `count` queries from `from` on where they belong. */
function copyAnswers(source: object, target: object, from: number, count: number): void {
  const parts = source as Record<string, Float64Array>;
  for (const [key, list] of Object.entries(target as Record<string, Float64Array>)) {
    const part = parts[key]!;
    list.set(part, (part.length / count) * from);
  }
}

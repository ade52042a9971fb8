/**
 * Threads that are played, so that they fail on cue. What they run is a real `worker.ts`, with a parent that is played too.
 * `tests/threads.test.ts` has real ones.
 */
import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, beforeEach } from 'vitest';

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

export class PlayedThread extends EventEmitter {
  ended = false;
  private readonly play: (thread: PlayedThread, request: object) => void;

  constructor(play: (thread: PlayedThread, request: object) => void) {
    super();
    this.play = play;
  }

  postMessage(message: object): void {
    const request = structuredClone(message); // throws as a real one does
    queueMicrotask(() => this.play(this, request));
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

/** What a thread does with a request that has a job; false for an answer as it should be. */
export type Act<Request> = (thread: PlayedThread, request: Request) => boolean;

export interface PlayedThreads<Request> {
  act: Act<Request>;
  /** The worker's own way to answer a request. */
  answer(thread: PlayedThread, request: Request): void;
  startFails: boolean;
  readonly started: PlayedThread[];
  readonly requests: Request[];
}

/** Plays the threads of this test file. `load` imports the worker that they run. */
export function playThreads<Request extends object>(load: () => Promise<unknown>): PlayedThreads<Request> {
  const parent = new PlayedParent();
  const played: PlayedThreads<Request> = {
    act: () => false,
    answer(thread, request) {
      parent.replyTo = thread;
      parent.emit('message', request);
    },
    startFails: false,
    started: [],
    requests: [],
  };
  const play = (thread: PlayedThread, request: object): void => {
    played.requests.push(request as Request);
    if (thread.ended || played.startFails) return;
    if ('job' in request && played.act(thread, request as Request)) return;
    played.answer(thread, request as Request);
  };
  class Thread extends PlayedThread {
    constructor() {
      super(play);
      played.started.push(this);
      queueMicrotask(() => {
        if (played.startFails) this.fail('no such file');
        else if (!this.ended) this.emit('message', { type: 'ready' });
      });
    }
  }
  beforeAll(async () => {
    threads.parentPort = parent;
    await load();
    threads.parentPort = real.parentPort;
    threads.Worker = Thread;
  });
  afterAll(() => {
    threads.Worker = real.Worker;
  });
  beforeEach(() => {
    played.act = () => false;
    played.startFails = false;
    played.started.length = 0;
    played.requests.length = 0;
  });
  return played;
}

/**
 * Threads, in browsers and in Node. The library knows the types of neither, so that the little it needs is spelled out
 * here. Node's modules are asked for at run time: a bundler for browsers never sees them.
 */

/** The other end of a thread, seen from either side. */
export interface Port {
  readonly post: (message: unknown, transfer: readonly unknown[]) => void;
  readonly close: () => void;
  /** Whether the program goes on for the sake of this thread, though it has nothing else to do. Only Node asks. */
  readonly hold: (on: boolean) => void;
}

export interface PortHandlers {
  readonly onMessage: (message: never) => void;
  /** The thread has failed or ended: nothing more will come from it. May be reported more than once. */
  readonly onLost: (reason: string) => void;
}

/** What a thread answers to a request with that job. */
export type Reply =
  | { readonly type: 'ready' }
  | { readonly job: number; readonly type: 'done'; readonly out: unknown }
  | { readonly job: number; readonly type: 'progress'; readonly done: number }
  | { readonly job: number; readonly type: 'failed'; readonly reason: string };

/** The file that threads run. */
export interface ThreadSource {
  /** For browsers. Bundlers look for `new Worker(new URL('…', import.meta.url), …)`, written out, to find the file. */
  readonly web: () => WebPort;
  /** For Node: the same address, in two parts. Written out, a bundler would take the file for something to copy. */
  readonly path: string;
  readonly base: string;
}

/** A worker of a browser. */
export interface WebPort {
  postMessage(message: unknown, transfer: readonly unknown[]): void;
  terminate(): void;
  close(): void;
  onmessage: ((event: { data: never }) => void) | null;
  onmessageerror: (() => void) | null;
  onerror: ((event: { message?: string; preventDefault?: () => void }) => void) | null;
}

interface NodePort {
  postMessage(message: unknown, transfer: readonly unknown[]): void;
  terminate(): void;
  close(): void;
  on(event: 'message', listener: (message: never) => void): void;
  on(event: 'error' | 'messageerror', listener: (reason: unknown) => void): void;
  on(event: 'exit', listener: (code: number) => void): void;
  ref(): void;
  unref(): void;
}

interface WorkerThreads {
  readonly Worker: new (url: unknown) => NodePort;
  readonly parentPort: NodePort | null;
}

export type WorkerConstructor = new (url: unknown, options: { type: 'module' }) => WebPort;
export type UrlConstructor = new (path: string, base: string) => unknown;

declare const Worker: WorkerConstructor;
declare const URL: UrlConstructor;
declare const process: { getBuiltinModule?: (name: string) => unknown } | undefined;
declare const navigator: { hardwareConcurrency?: number } | undefined;
declare const self: WebPort;
type PageListener = (event: { persisted?: boolean }) => void;
declare const addEventListener: ((type: 'pagehide', listener: PageListener) => void) | undefined;
declare function removeEventListener(type: 'pagehide', listener: PageListener): void;
declare global {
  interface ImportMeta {
    url: string;
  }
}

function nodeModule<T>(name: string): T | null {
  return typeof process === 'undefined' ? null : ((process.getBuiltinModule?.(name) as T) ?? null);
}

/** How many threads the machine runs at once. */
export function threadCount(): number {
  const node = nodeModule<{ availableParallelism(): number }>('node:os');
  return (
    node?.availableParallelism() ??
    (typeof navigator === 'undefined' ? 2 : (navigator.hardwareConcurrency ?? 2))
  );
}

export function startThread({ web, path, base }: ThreadSource, { onMessage, onLost }: PortHandlers): Port {
  const lost = (reason: unknown): void =>
    onLost(`a thread was lost: ${reason instanceof Error ? reason.message : reason}`);
  if (typeof Worker !== 'undefined') {
    const worker = web();
    worker.onmessage = ({ data }) => onMessage(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      lost(event.message ?? 'the worker could not be started');
    };
    worker.onmessageerror = () => lost('what it said could not be read');
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      close: () => worker.terminate(),
      hold: () => {},
    };
  }
  const threads = nodeModule<WorkerThreads>('node:worker_threads');
  if (!threads) throw new Error('graze: there are no workers here');
  const worker = new threads.Worker(new URL(path, base));
  worker.on('message', onMessage);
  worker.on('error', lost);
  worker.on('messageerror', lost);
  worker.on('exit', (code) => lost(`it ended with code ${code}`));
  worker.unref();
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    close: () => worker.terminate(),
    hold: (on) => (on ? worker.ref() : worker.unref()),
  };
}

/** Can threads be started here, for all that can be known before one is? */
export const hasThreads = (): boolean =>
  typeof Worker !== 'undefined' || nodeModule<WorkerThreads>('node:worker_threads') !== null;

/** Tells when the page goes for good, and its threads with it. Returns what ends the waiting. */
export function whenPageGoes(then: () => void): () => void {
  if (typeof addEventListener === 'undefined') return () => {};
  const listener = (event: { persisted?: boolean }): void => {
    if (!event.persisted) then(); // it may come back
  };
  addEventListener('pagehide', listener);
  return () => removeEventListener('pagehide', listener);
}

/** In a thread: answers what the one that started it asks. What is thrown is told. */
export function serveParent<Request extends object>(
  answer: (request: Request, reply: (reply: Reply, transfer?: readonly unknown[]) => void) => void,
): void {
  const parent = nodeModule<WorkerThreads>('node:worker_threads')?.parentPort ?? self;
  const reply = (message: Reply, transfer: readonly unknown[] = []): void =>
    parent.postMessage(message, transfer);
  const listen = (request: Request): void => {
    try {
      answer(request, reply);
    } catch (error) {
      const job = 'job' in request ? (request.job as number) : -1;
      reply({ job, type: 'failed', reason: error instanceof Error ? error.message : String(error) });
    }
  };
  if ('on' in parent) parent.on('message', listen);
  else parent.onmessage = ({ data }) => listen(data);
  reply({ type: 'ready' });
}

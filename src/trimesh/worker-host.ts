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
  readonly onLost: (reason: Error) => void;
}

interface WebPort {
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

declare const Worker: new (url: unknown, options: { type: 'module' }) => WebPort;
declare const URL: new (path: string, base: string) => unknown;
declare const process: { getBuiltinModule?: (name: string) => unknown } | undefined;
declare const navigator: { hardwareConcurrency?: number } | undefined;
declare const self: WebPort;
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

/** Starts a thread that runs `worker.ts`. */
export function startThread({ onMessage, onLost }: PortHandlers): Port {
  const lost = (reason: unknown): void =>
    onLost(new Error(`graze: MeshWorkers: a thread was lost: ${reason}`));
  // Bundlers look for this very expression, written out, to find the file.
  if (typeof Worker !== 'undefined') {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
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
  if (!threads) throw new Error('graze: MeshWorkers: there are no workers here');
  const here = import.meta.url; // not written out: a bundler would take the file for something to copy
  const worker = new threads.Worker(new URL('./worker.ts', here));
  worker.on('message', onMessage);
  worker.on('error', (reason) => lost(reason instanceof Error ? reason.message : reason));
  worker.on('messageerror', (reason) => lost(reason instanceof Error ? reason.message : reason));
  worker.on('exit', (code) => lost(`it ended with code ${code}`));
  worker.unref();
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    close: () => worker.terminate(),
    hold: (on) => (on ? worker.ref() : worker.unref()),
  };
}

/** In a thread: listens to the one that started it. */
export function listenToParent(onMessage: (message: never, reply: Port['post']) => void): void {
  const parent = nodeModule<WorkerThreads>('node:worker_threads')?.parentPort;
  if (parent) {
    const reply: Port['post'] = (message, transfer) => parent.postMessage(message, transfer);
    parent.on('message', (message) => onMessage(message, reply));
    return;
  }
  const reply: Port['post'] = (message, transfer) => self.postMessage(message, transfer);
  self.onmessage = ({ data }) => onMessage(data, reply);
}

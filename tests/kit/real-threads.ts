/**
 * Real threads in tests. Node cannot run TypeScript in a thread: what a thread is to run is bundled first, and threads that are
 * started for a `worker.ts` run the bundle.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Worker as NodeWorker, WorkerOptions } from 'node:worker_threads';
import { buildSync } from 'esbuild';

const threads = process.getBuiltinModule('node:worker_threads') as { Worker: typeof NodeWorker };
const Real = threads.Worker;

/** The threads that have been started and have not ended. */
export const running = new Set<NodeWorker>();

/** From now on threads can be started for TypeScript files. Returns what undoes it, and ends those that still run. */
export function useRealThreads(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'graze-threads-'));
  const bundles = new Map<string, string>();
  const bundle = (file: string): string => {
    const outfile = bundles.get(file) ?? join(folder, `${bundles.size}.mjs`);
    if (!bundles.has(file))
      buildSync({
        entryPoints: [file],
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'node',
        logLevel: 'error',
      });
    bundles.set(file, outfile);
    return outfile;
  };
  threads.Worker = class extends Real {
    constructor(url: string | URL, options?: WorkerOptions) {
      // Others start threads, too: esbuild does.
      const isOurs = url instanceof URL && url.pathname.endsWith('/worker.ts');
      super(isOurs ? pathToFileURL(bundle(fileURLToPath(url))) : url, isOurs ? { execArgv: [] } : options);
      if (isOurs) running.add(this);
      this.on('exit', () => running.delete(this));
    }
  };
  return async () => {
    threads.Worker = Real;
    await Promise.all([...running].map((thread) => thread.terminate()));
    rmSync(folder, { recursive: true });
  };
}

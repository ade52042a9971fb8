// Runs tests/allocation.ts for every file of tests/samples, each in a process of its own, two at a time: what one
// function teaches the optimiser should not decide about another. Bundled beforehand, as programs of users are: a process
// that loads the sources spends most of its time on that.
import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ALLOCATION_FLAGS } from './allocation-flags.mjs';
import { root } from './setup.mjs';

const tests = join(root, 'tests');
const bundles = join(root, '.cache', 'allocation');
const files = readdirSync(join(tests, 'samples')).sort();
let failed = false;

rmSync(bundles, { recursive: true, force: true });
await build({
  entryPoints: [join(tests, 'allocation.ts'), ...files.map((file) => join(tests, 'samples', file))],
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'es2022',
  outbase: tests,
  outdir: bundles,
  logLevel: 'warning',
});

async function worker() {
  for (let file = files.shift(); file; file = files.shift()) {
    const samples = file.replace('.ts', '.js');
    const child = spawn(process.execPath, [...ALLOCATION_FLAGS, join(bundles, 'allocation.js'), samples], {
      cwd: root,
      stdio: 'inherit',
    });
    if ((await new Promise((done) => child.on('exit', done))) !== 0) failed = true;
  }
}

await Promise.all([worker(), worker()]);
process.exitCode = failed ? 1 : 0;

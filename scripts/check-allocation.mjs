// Runs tests/allocation.ts for every file of tests/samples, each in a process of its own, two at a time: what one
// function teaches the optimiser should not decide about another.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const FLAGS = [
  '--expose-gc',
  '--min-semi-space-size=512',
  '--max-semi-space-size=512',
  // Compiled when due, not when another thread gets round to it: the counts are the same every time.
  '--no-concurrent-recompilation',
  '--import',
  'tsx',
];

const files = readdirSync(join(root, 'tests', 'samples')).sort();
let failed = false;

async function worker() {
  for (let file = files.shift(); file; file = files.shift()) {
    const child = spawn(process.execPath, [...FLAGS, 'tests/allocation.ts', file], {
      cwd: root,
      stdio: 'inherit',
    });
    if ((await new Promise((done) => child.on('exit', done))) !== 0) failed = true;
  }
}

await Promise.all([worker(), worker()]);
process.exitCode = failed ? 1 : 0;

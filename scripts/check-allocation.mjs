// Runs tests/allocation.ts for every file of tests/samples, each in a process of its own: what one function teaches the
// optimiser should not decide about another. Two at a time, or as many as the argument says.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ALLOCATION_FLAGS } from './allocation-flags.mjs';
import { root } from './setup.mjs';

const files = readdirSync(join(root, 'tests', 'samples')).sort();
let failed = false;

async function worker() {
  for (let file = files.shift(); file; file = files.shift()) {
    const child = spawn(
      process.execPath,
      [...ALLOCATION_FLAGS, '--import', 'tsx', 'tests/allocation.ts', file],
      {
        cwd: root,
        stdio: 'inherit',
      },
    );
    if ((await new Promise((done) => child.on('exit', done))) !== 0) failed = true;
  }
}

await Promise.all(Array.from({ length: Number(process.argv[2] ?? 2) }, worker));
process.exitCode = failed ? 1 : 0;

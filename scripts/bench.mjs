// npm run bench -- [name] [--write]
// Builds the library, installs the peers, runs each subject of bench/subjects in a process of its own and prints one
// table. --write puts the table into docs/performance.md.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { buildLibrary } from './build.mjs';
import { bin, install, root, run } from './setup.mjs';

install();
install(join(root, 'bench'));
buildLibrary();
run(bin('tsc'), ['--noEmit', '-p', 'bench/tsconfig.json']);

const args = process.argv.slice(2);
const write = args.includes('--write');
const wanted = args.find((arg) => !arg.startsWith('--')) ?? '';
const subjects = readdirSync(join(root, 'bench', 'subjects'))
  .filter((file) => file.endsWith('.ts') && file.includes(wanted))
  .sort();

const rows = [];
for (const subject of subjects) {
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', join('bench', 'subjects', subject)],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (status !== 0) process.exit(1);
  const measured = JSON.parse(stdout.trim().split('\n').at(-1));
  rows.push(...measured);
  for (const row of measured) console.log(line(row));
}

function line({ subject, contender, nanoseconds, ratio, wrong, calls }) {
  const time = nanoseconds < 1e4 ? `${nanoseconds.toFixed(1)} ns` : `${(nanoseconds / 1000).toFixed(1)} µs`;
  const errors = wrong === null ? '' : `${wrong} of ${calls}`;
  return `| ${subject} | ${contender} | ${time} | ${ratio.toFixed(2)} | ${errors} |`;
}

if (write) {
  const file = join(root, 'docs', 'performance.md');
  const table = [
    `Node ${process.versions.node} (V8 ${process.versions.v8}), ${cpus()[0]?.model.trim() ?? 'unknown processor'}.`,
    '',
    '| query | contender | time a call | its time / ours | wrong answers |',
    '|---|---|---|---|---|',
    ...rows.map(line),
  ].join('\n');
  const text = readFileSync(file, 'utf8');
  const [before, after] = [text.split('<!-- table -->')[0], text.split('<!-- /table -->')[1]];
  writeFileSync(file, `${before}<!-- table -->\n${table}\n<!-- /table -->${after}`);
  console.log(`written to docs/performance.md`);
}

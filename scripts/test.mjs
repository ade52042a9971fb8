// npm test: everything that must hold, in one command. Ends with 'N passed, N failed'.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildLibrary, buildPlayground } from './build.mjs';
import { bin, ensureChromium, install, root, run } from './setup.mjs';

install();
const chromium = ensureChromium();
const reports = join(root, '.cache', 'reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

let passed = 0;
let failed = 0;
let skipped = 0;
const failures = [];

function stage(name, body) {
  const start = performance.now();
  console.log(`\n── ${name}`);
  const [good, bad] = body();
  passed += good;
  failed += bad;
  if (bad > 0) failures.push(name);
  console.log(
    `── ${name}: ${bad > 0 ? 'FAILED' : 'ok'}, ${((performance.now() - start) / 1000).toFixed(1)} s`,
  );
}

const check = (name, command, args) =>
  stage(name, () => (run(command, args, { mayFail: true }) ? [1, 0] : [0, 1]));

/** Checks that keep one core busy each: two at a time, and what they say one after the other. */
async function checkTwoByTwo(checks) {
  const waiting = checks.map((given, i) => ({ given, i }));
  const done = [];
  let told = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { given, i } = next;
      const [, command, args] = given;
      const start = performance.now();
      const { ok, text } = await collect(command, args);
      done[i] = { ok, text, seconds: (performance.now() - start) / 1000 };
      for (; done[told]; told++) tellCheck(checks[told][0], done[told]);
    }
  };
  await Promise.all([work(), work()]);
}

function collect(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, shell: process.platform === 'win32' });
    const parts = [];
    child.stdout.on('data', (part) => parts.push(part));
    child.stderr.on('data', (part) => parts.push(part));
    child.on('error', (error) =>
      resolve({ ok: false, text: `graze: could not run ${command}: ${error.message}` }),
    );
    child.on('close', (code) => resolve({ ok: code === 0, text: Buffer.concat(parts).toString() }));
  });
}

function tellCheck(name, { ok, text, seconds }) {
  console.log(
    `\n── ${name}\n${text.trimEnd()}\n── ${name}: ${ok ? 'ok' : 'FAILED'}, ${seconds.toFixed(1)} s`,
  );
  if (ok) passed++;
  else failed++;
  if (!ok) failures.push(name);
}

/** What failed, and why, once more at the end: the log of a run is long. */
function tellFailures({ name: file, message, assertionResults }) {
  const where = relative(root, file);
  if (message) failures.push(`${where}: ${message}`);
  for (const { status, fullName, failureMessages } of assertionResults)
    if (status === 'failed')
      failures.push(`${where}: ${fullName}\n${failureMessages.join('\n').slice(0, 2000)}`);
}

function vitest(name, args, env = {}) {
  stage(name, () => {
    const report = join(reports, `${name.replaceAll(' ', '-')}.json`);
    const ok = run(
      bin('vitest'),
      ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile=${report}`],
      {
        env,
        mayFail: true,
      },
    );
    try {
      const result = JSON.parse(readFileSync(report, 'utf8'));
      const { numPassedTests, numFailedTests, numPendingTests } = result;
      skipped += numPendingTests;
      for (const file of result.testResults) tellFailures(file);
      // A file that cannot be loaded has no failed test of its own, yet vitest fails.
      return [numPassedTests, ok ? numFailedTests : Math.max(1, numFailedTests)];
    } catch {
      return [0, 1];
    }
  });
}

const node = process.execPath;
await checkTwoByTwo([
  ['types', bin('tsc'), ['--noEmit', '-p', 'tsconfig.json']],
  ['types of the benchmarks', bin('tsc'), ['--noEmit', '-p', 'bench/tsconfig.test.json']],
  ['lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']],
  ['rooms', node, ['scripts/check-rooms.mjs']],
  ['exports', node, ['scripts/check-exports.mjs']],
  ['code', node, ['scripts/check-code.mjs']],
]);
vitest('unit and property tests', []);
stage('build', () => {
  buildLibrary();
  buildPlayground();
  return [1, 0];
});
check('package', process.execPath, ['scripts/check-package.mjs']);
check('allocation', process.execPath, ['scripts/check-allocation.mjs']);
if (chromium)
  vitest('browser tests', ['--config', 'tests/browser/vitest.config.ts'], { GRAZE_CHROMIUM: chromium });
else if (process.env.CI) stage('browser tests', () => [0, 1]);
else skipped++;

if (failures.length) console.log(`\nfailed:\n${failures.join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed ? 1 : 0;

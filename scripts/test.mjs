// npm test: everything that must hold, in one command. Ends with 'N passed, N failed'.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bin, ensureChromium, install, root } from './setup.mjs';

install();
const chromium = ensureChromium();
const reports = join(root, '.cache', 'reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

let passed = 0;
let failed = 0;
let skipped = 0;
const failures = [];

/** Runs a command, and gives what it says: at once, or at its end where something else runs beside it. */
function collect(command, args, { env = {}, isAlone = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      shell: process.platform === 'win32',
      stdio: isAlone ? 'inherit' : ['inherit', 'pipe', 'pipe'],
    });
    const parts = [];
    child.stdout?.on('data', (part) => parts.push(part));
    child.stderr?.on('data', (part) => parts.push(part));
    child.on('error', (error) =>
      resolve({ ok: false, text: `graze: could not run ${command}: ${error.message}` }),
    );
    child.on('close', (code) => resolve({ ok: code === 0, text: Buffer.concat(parts).toString() }));
  });
}

/** `run` gives how many passed and failed, and what was said. */
async function stage(name, run) {
  const start = performance.now();
  const [good, bad, text] = await run();
  passed += good;
  failed += bad;
  if (bad > 0) failures.push(name);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (text) console.log(`\n── ${name}\n${text.trimEnd()}`);
  console.log(`── ${name}: ${bad > 0 ? 'FAILED' : 'ok'}, ${seconds} s`);
  return bad === 0;
}

const check = (name, command, args) =>
  stage(name, async () => {
    const { ok, text } = await collect(command, args);
    return [ok ? 1 : 0, ok ? 0 : 1, text];
  });

/** What failed, and why, once more at the end: the log of a run is long. */
function tellFailures({ name: file, message, assertionResults }) {
  const where = relative(root, file);
  if (message) failures.push(`${where}: ${message}`);
  for (const { status, fullName, failureMessages } of assertionResults)
    if (status === 'failed')
      failures.push(`${where}: ${fullName}\n${failureMessages.join('\n').slice(0, 2000)}`);
}

const vitest = (name, args, options = {}) =>
  stage(name, async () => {
    const report = join(reports, `${name.replaceAll(' ', '-')}.json`);
    const { ok, text } = await collect(
      bin('vitest'),
      ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile=${report}`],
      options,
    );
    try {
      const result = JSON.parse(readFileSync(report, 'utf8'));
      const { numPassedTests, numFailedTests, numPendingTests } = result;
      skipped += numPendingTests;
      for (const file of result.testResults) tellFailures(file);
      // A file that cannot be loaded has no failed test of its own, yet vitest fails.
      return [numPassedTests, ok ? numFailedTests : Math.max(1, numFailedTests), text];
    } catch {
      return [0, 1, text];
    }
  });

function browserTests() {
  if (chromium)
    return vitest('browser tests', ['--config', 'tests/browser/vitest.config.ts'], {
      env: { GRAZE_CHROMIUM: chromium },
    });
  if (process.env.CI) return stage('browser tests', async () => [0, 1, 'there is no Chromium']);
  skipped++;
  return true;
}

/** Unit tests that one core does beside the browser tests; the others come after them, on both. */
const FIRST = ['src/rtcd/', 'src/gpu/', 'src/three/', 'src/react/'];

// What keeps one core busy, two at a time: the build and what opens it in a browser; and beside these the rest.
const node = process.execPath;
const tsc = bin('tsc');
const isBuilt = check('build', node, ['scripts/build.mjs']);
const unlessBroken = async (name, run) =>
  (await isBuilt) ? run() : stage(name, async () => [0, 1, 'not run: the build failed']);
const checks = async () => {
  await check('types', tsc, ['--noEmit', '-p', 'tsconfig.json']);
  await check('types of the benchmarks', tsc, ['--noEmit', '-p', 'bench/tsconfig.test.json']);
  await check('lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']);
  await check('rooms', node, ['scripts/check-rooms.mjs']);
  await check('exports', node, ['scripts/check-exports.mjs']);
  await check('code', node, ['scripts/check-code.mjs']);
  await check('allocation', node, ['scripts/check-allocation.mjs', '1']);
  await unlessBroken('package', () => check('package', node, ['scripts/check-package.mjs']));
  await vitest('unit tests of the shelf and of adapters', [...FIRST, '--maxWorkers=1']);
};
await Promise.all([unlessBroken('browser tests', browserTests), checks()]);
console.log('\n── unit and property tests');
const others = FIRST.flatMap((folder) => ['--exclude', `${folder}**`]);
await vitest('unit and property tests', others, { isAlone: true });

if (failures.length) console.log(`\nfailed:\n${failures.join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed ? 1 : 0;

// npm test: everything that must hold, in one command. Ends with 'N passed, N failed'.
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

check('types', bin('tsc'), ['--noEmit', '-p', 'tsconfig.json']);
check('types of the benchmarks', bin('tsc'), ['--noEmit', '-p', 'bench/tsconfig.test.json']);
check('lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']);
check('rooms', process.execPath, ['scripts/check-rooms.mjs']);
check('exports', process.execPath, ['scripts/check-exports.mjs']);
check('code', process.execPath, ['scripts/check-code.mjs']);
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

// Runs one test file with one source changed in memory, and stops at the first test that fails. A process of its own, so that
// a mutant that never ends can be ended with it. The file and all that it loads are bundled, with a stand-in for vitest: that
// starts in a fraction of the time, and most mutants are noticed at once.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { context } from 'esbuild';
import { applyMutant } from './mutate.mjs';
import { root } from './setup.mjs';

let mutant = null;
const folder = join(root, '.cache', 'mutants', String(process.pid));
mkdirSync(folder, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const VITEST = `
const { tests, expect } = globalThis.grazeMutants;
export { expect };
const [before, after] = [[], []];
const all = async (hooks) => { for (const run of hooks) await run(); };
const add = (title, run) => tests.push({ title, run: async (context) => {
  await all(before);
  try { await run(context); } finally { await all(after); }
} });
const each = (add) => (rows) => (title, options, body) => {
  const run = body ?? options;
  for (const row of rows) add(title, () => Array.isArray(row) ? run(...row) : run(row));
};
const skipIf = (add) => (condition) => condition ? () => {} : add;
export const test = (title, options, body) => add(title, body ?? options);
export const it = test;
export const describe = (title, options, body) => (body ?? options)();
test.each = each(add);
describe.each = each((title, run) => run());
test.skipIf = skipIf(test);
describe.skipIf = skipIf(describe);
export const beforeAll = (run) => tests.push({ run });
export const afterAll = (run) => tests.push({ run });
export const beforeEach = (run) => before.push(run);
export const afterEach = (run) => after.push(run);
export const vi = { setConfig() {} };
`;

const plugin = {
  name: 'graze-mutant',
  setup(build) {
    build.onResolve({ filter: /^vitest$/ }, () => ({ path: 'vitest', namespace: 'graze' }));
    build.onLoad({ filter: /.*/, namespace: 'graze' }, () => ({ contents: VITEST, loader: 'js' }));
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      if (mutant === null || path !== join(root, mutant.file)) return undefined;
      return { contents: applyMutant(readFileSync(path, 'utf8'), mutant), loader: 'ts' };
    });
  },
};

/** vitest's own assertions, made once. */
async function makeExpect() {
  const { JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } = await import('@vitest/expect');
  const chai = await import('chai');
  for (const part of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(part);
  setState({ assertionCalls: 0, isExpectingAssertions: false }, chai.expect);
  const expect = (value, message) => chai.expect(value, message);
  Object.assign(expect, chai.expect);
  expect.unreachable = expect.fail = (message) => chai.assert.fail(message);
  return expect;
}

const expect = await makeExpect();
const builds = new Map();
let runs = 0;

async function bundle(test) {
  if (!builds.has(test))
    builds.set(
      test,
      await context({
        entryPoints: [join(root, test)],
        bundle: true,
        write: false,
        platform: 'node',
        format: 'esm',
        target: 'es2022',
        logLevel: 'silent',
        alias: { graze: join(root, 'src', 'index.ts') },
        packages: 'external',
        define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, test)).href) },
        plugins: [plugin],
      }),
    );
  const { outputFiles } = await builds.get(test).rebuild();
  const path = join(folder, `${runs++}.mjs`);
  writeFileSync(path, outputFiles[0].text);
  return path;
}

/** 'passed', 'failed', or 'not built' for a change that is no program. A test that is not run to its end has failed. */
async function run(test) {
  const tests = [];
  globalThis.grazeMutants = { tests, expect };
  let path = '';
  try {
    path = await bundle(test);
  } catch (error) {
    return { outcome: 'not built', message: String(error?.message ?? error).slice(0, 500) };
  }
  try {
    await import(pathToFileURL(path).href);
    rmSync(path);
    const task = { file: { filepath: join(root, test) } };
    for (const { run } of tests) await run({ task });
    return { outcome: tests.length > 0 ? 'passed' : 'failed' };
  } catch (error) {
    return { outcome: 'failed', message: String(error?.message ?? error).slice(0, 500) };
  }
}

process.on('message', async ({ mutant: next, test }) => {
  mutant = next;
  const before = process.cpuUsage();
  const answer = await run(test);
  // Of the processor: the machine may be busy with other things.
  const { user, system } = process.cpuUsage(before);
  process.send({ ...answer, milliseconds: (user + system) / 1000 });
});
process.send({ ready: true });

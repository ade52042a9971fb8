// npm run mutants -- [--file name] [--limit 100] [--each 20] [--seed 1] [--tests 12] [--slow 20] [--cases 1] [--list] [--again]
// Changes the source in small ways, one at a time (a comparison turned round, a sign, a constant, a first for a second, a
// statement left out), and runs the nearest tests of that file. A mutant that they let pass shows something that is not
// tested, or that changes nothing: those are explained in tests/mutants.json, by the text of their line. Nothing is written
// to the sources. --file takes part of a path (several with commas); without it, `limit` mutants are drawn from all files
// below, with --each no more than that from one file. --tests is how many test files a mutant has to get past; those that
// take more than --slow seconds of the processor are not among them. --cases multiplies the cases of each property, as GRAZE_CASES does.
// --again takes those that survived the last run instead: with more --tests, or after tests were written.
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { mutantsOf } from './mutate.mjs';
import { install, root } from './setup.mjs';

install();
const args = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? otherwise : args[at + 1];
};
const wanted = option('file', '').split(',');
const limit = Number(option('limit', 100));
const fromEach = Number(option('each', Infinity));
const slow = 1000 * Number(option('slow', 20));
const seed = Number(option('seed', 1));
process.env.GRAZE_CASES = option('cases', process.env.GRAZE_CASES ?? '1');
const mostTests = Number(option('tests', 12));

const ROOMS = [
  'query',
  'continuous',
  'character',
  'world',
  'shapes/pairs',
  'shapes/one-body',
  'space',
  'bsp',
  'broadphase',
];
/** How much longer things may take by the clock than the processor works on them, where others use it, too. */
const BUSY = 6;
/** Tests that look at bundles, sizes or every sample: slow, and not about one kernel. */
const NOT_TESTS = /^tests\/(builds|size|trees-size|doors|readme|browser)/;

const walk = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts'))
    .sort();
const all = [...walk('src'), ...walk('tests')];
const kernels = all.filter(
  (file) =>
    ROOMS.some((room) => file.startsWith(`src/${room}/`)) &&
    !/(\.test|\/index|\/types|\/results)\.ts$/.test(file) &&
    wanted.some((part) => file.includes(part)),
);
if (kernels.length === 0) {
  console.error(`graze: no kernel has '${wanted}' in its path`);
  process.exit(1);
}

const importsOf = new Map(
  all.map((file) => [
    file,
    [...readFileSync(join(root, file), 'utf8').matchAll(/^(?!import type).*?\bfrom '(\.[^']+)'/gm)].map((m) =>
      relative(root, resolve(root, dirname(file), m[1])).replaceAll('\\', '/'),
    ),
  ]),
);

const wordsOf = (file) => file.replace(/(\.test)?\.ts$/, '').split(/[/-]/);

/** The tests that load a file: first those with most words of its path in their names, then those that load it most directly. */
function testsOf(kernel) {
  const near = [];
  const words = new Set(wordsOf(kernel));
  const alike = (test) => -new Set(wordsOf(basename(test)).filter((word) => words.has(word))).size;
  for (const test of all.filter((file) => file.endsWith('.test.ts') && !NOT_TESTS.test(file))) {
    const depth = new Map([[test, 0]]);
    for (const [file, d] of depth)
      for (const next of importsOf.get(file) ?? []) if (!depth.has(next)) depth.set(next, d + 1);
    if (depth.has(kernel)) near.push([depth.get(kernel), test]);
  }
  const room = (test) => (dirname(test) === dirname(kernel) ? 0 : 1);
  near.sort(
    (x, y) => alike(x[1]) - alike(y[1]) || x[0] - y[0] || room(x[1]) - room(y[1]) || (x[1] < y[1] ? -1 : 1),
  );
  return near.map(([, test]) => test);
}

/** mulberry32 */
let state = seed | 0;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const pool = kernels.flatMap((file) =>
  mutantsOf(readFileSync(join(root, file), 'utf8'), file).map((mutant) => ({ file, ...mutant })),
);
for (let i = pool.length - 1; i > 0; i--) {
  const j = Math.floor(random() * (i + 1));
  [pool[i], pool[j]] = [pool[j], pool[i]];
}
const folder = join(root, '.cache', 'mutants');
const sameAs = ({ file, kind, before, after }) => [file, kind, before, after].join('\n');
if (args.includes('--again')) {
  const last = JSON.parse(readFileSync(join(folder, 'survivors.json'), 'utf8'));
  const known = new Set(last.map(sameAs));
  pool.splice(0, pool.length, ...pool.filter((mutant) => known.has(sameAs(mutant))));
}
const taken = new Map();
const drawn = pool
  .filter(({ file }) => taken.set(file, (taken.get(file) ?? 0) + 1).get(file) <= fromEach)
  .slice(0, limit)
  .sort((x, y) => (x.file < y.file ? -1 : x.file > y.file ? 1 : x.start - y.start));
console.log(`graze: ${drawn.length} of ${pool.length} mutants in ${kernels.length} files, seed ${seed}`);

const explained = JSON.parse(readFileSync(join(root, 'tests', 'mutants.json'), 'utf8'));
const reasonFor = ({ file, before, after }) =>
  explained[file]?.find((known) => known.before === before && known.after === after)?.why;
for (const [file, list] of Object.entries(explained)) {
  const source = all.includes(file) ? readFileSync(join(root, file), 'utf8') : '';
  const known = new Set(mutantsOf(source, file).map(({ before, after }) => `${before}\n${after}`));
  for (const { before, after } of list)
    if (!known.has(`${before}\n${after}`))
      console.error(`graze: tests/mutants.json explains what is not there any more: ${file}: ${after}`);
}
const show = ({ file, line, kind, before, after }) => `${file}:${line} ${kind}\n    ${before}\n  → ${after}`;
if (args.includes('--list')) {
  for (const mutant of drawn) console.log(show(mutant));
  process.exit(0);
}

let worker = null;

/** A worker that is ready. */
function started() {
  return new Promise((done) => {
    worker = fork(join(root, 'scripts', 'mutants-worker.mjs'), { detached: true, silent: true, cwd: root });
    worker.stderr.resume();
    worker.stdout.resume();
    worker.once('message', () => done());
  });
}

function stop() {
  if (worker === null) return;
  try {
    process.kill(-worker.pid, 'SIGKILL');
  } catch {
    worker.kill('SIGKILL');
  }
  worker = null;
}

/** Runs a test with a mutant (or with none). Null when it takes too long, or takes the worker with it. */
async function ask(mutant, test, milliseconds) {
  if (worker === null) await started();
  const { promise, resolve: done } = Promise.withResolvers?.() ?? withResolvers();
  const timer = setTimeout(() => done(null), milliseconds);
  const onExit = () => done(null);
  worker.once('message', done);
  worker.once('exit', onExit);
  worker.send({ mutant, test });
  const answer = await promise;
  clearTimeout(timer);
  worker.off('exit', onExit);
  if (answer === null) stop();
  return answer;
}

function withResolvers() {
  const parts = {};
  parts.promise = new Promise((done) => {
    parts.resolve = done;
  });
  return parts;
}

const counts = { killed: 0, 'not built': 0, 'timed out': 0, explained: 0, untested: 0 };
const survivors = [];
/** How long tests take without a change; infinite for those that fail, or are slow. Of this run, and of earlier ones. */
const usual = new Map();
const timesFile = join(folder, 'times.json');
const times = existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : {};

async function timeOf(test) {
  const key = [test, process.env.GRAZE_CASES, slow, statSync(join(root, test)).mtimeMs].join(' ');
  if (!usual.has(test) && key in times) usual.set(test, times[key] ?? Infinity);
  if (!usual.has(test)) {
    let answer = await ask(null, test, BUSY * slow);
    if (answer?.milliseconds > slow) answer = null;
    usual.set(test, answer?.outcome === 'passed' ? answer.milliseconds : Infinity);
    times[key] = answer?.outcome === 'passed' ? answer.milliseconds : null;
    if (answer === null) console.error(`graze: ${test} is left out: it takes longer than ${slow / 1000} s`);
    else if (answer.outcome !== 'passed')
      console.error(`graze: ${test} is left out: it fails without any change: ${answer.message}`);
  }
  return usual.get(test);
}

const triedOf = new Map();
const chosen = new Map();

/** The nearest tests of a file that can be used; those that have noticed much in little time come first. */
async function bestTests(kernel) {
  if (!chosen.has(kernel)) {
    const list = [];
    for (const test of testsOf(kernel)) {
      if (list.length === mostTests) break;
      const time = await timeOf(test);
      if (time < Infinity) list.push({ test, time, kills: 0 });
    }
    chosen.set(kernel, list);
  }
  const cost = ({ time, kills }) => time / (kills + 0.5);
  return chosen.get(kernel).sort((x, y) => cost(x) - cost(y));
}

function tell() {
  stop();
  const byFile = new Map();
  for (const mutant of survivors) byFile.set(mutant.file, [...(byFile.get(mutant.file) ?? []), mutant]);
  console.log('\ntried, and survivors:');
  for (const [file, tried] of triedOf) console.log(`  ${file}: ${tried}, ${byFile.get(file)?.length ?? 0}`);
  for (const mutant of survivors) console.log(show(mutant));
  const { killed, untested } = counts;
  const tried =
    killed + counts['not built'] + counts['timed out'] + counts.explained + untested + survivors.length;
  console.log(
    `\ngraze: seed ${seed}: ${tried} mutants tried of ${drawn.length}, ${killed} killed, ` +
      `${counts['timed out']} timed out, ${counts['not built']} were no program, ${counts.explained} explained in tests/mutants.json, ${untested} without a test ` +
      `that passes, ${survivors.length} survived`,
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'survivors.json'), JSON.stringify(survivors, null, 2));
  writeFileSync(timesFile, JSON.stringify(times, null, 2));
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    tell();
    process.exit(1);
  });

for (const mutant of drawn) {
  triedOf.set(mutant.file, (triedOf.get(mutant.file) ?? 0) + 1);
  if (reasonFor(mutant)) {
    counts.explained++;
    continue;
  }
  let fate = 'untested';
  for (const entry of await bestTests(mutant.file)) {
    const answer = await ask(mutant, entry.test, 5 * BUSY * entry.time + 20_000);
    if (answer === null) fate = 'timed out';
    else if (answer.outcome === 'failed') fate = 'killed';
    else if (answer.outcome === 'not built') fate = 'not built';
    else fate = 'survived';
    if (fate === 'survived') continue;
    entry.kills++;
    break;
  }
  if (fate === 'survived') {
    survivors.push(mutant);
    console.log(`survived: ${show(mutant)}`);
  } else counts[fate]++;
}
tell();
process.exit(survivors.length + counts.untested > 0 ? 1 : 0);

// npm run fuzz -- [name] [--seconds 60] [--cases 10] [--seed N]
// Runs the property tests of the files whose path contains `name`, each with `cases` times its usual number of cases, with a
// new seed each round, until the time is up. A failure prints the seed that brings it back. When it ends, also when it is
// interrupted, it tells what was tried and what was found.
// npm run fuzz -- mutants […] is npm run mutants -- […].
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bin, install, root, run } from './setup.mjs';

install();
const args = process.argv.slice(2);
if (args[0] === 'mutants') {
  const ok = run(process.execPath, ['scripts/mutants.mjs', ...args.slice(1)], { mayFail: true });
  process.exit(ok ? 0 : 1);
}
const option = (name, otherwise) => {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(args.splice(at, 2)[1]);
};
const seconds = option('seconds', 60);
const cases = option('cases', 10);
const fixedSeed = option('seed', Number.NaN);
const name = args[0] ?? '';

const files = ['src', 'tests'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('tests/browser/')),
);
if (!files.some((file) => file.includes(name))) {
  console.error(`graze: no test file has '${name}' in its path`);
  process.exit(1);
}

/** Properties write here how far they are: tests/kit/property.ts. */
const progress = join(root, '.cache', `fuzz-${process.pid}.jsonl`);
mkdirSync(join(root, '.cache'), { recursive: true });
const seeds = [];
/** For each property and seed the last that was told. */
const told = new Map();

function readProgress() {
  if (!existsSync(progress)) return;
  for (const line of readFileSync(progress, 'utf8').split('\n')) {
    if (!line.endsWith('}')) continue; // the end of a file that is being written
    const note = JSON.parse(line);
    told.set(`${note.file}\n${note.title}\n${note.seed}`, note);
  }
  rmSync(progress, { force: true });
}

function tell(ending) {
  readProgress();
  const properties = new Map();
  for (const { file, title, cases: tried, failure, counts } of told.values()) {
    const key = `${file}: ${title}`;
    const sum = properties.get(key) ?? { tried: 0, counts: {}, failures: [] };
    sum.tried += tried;
    for (const [what, n] of Object.entries(counts ?? {})) sum.counts[what] = (sum.counts[what] ?? 0) + n;
    if (failure) sum.failures.push(failure);
    properties.set(key, sum);
  }
  console.log('\ngraze: tried');
  let [total, failed] = [0, 0];
  for (const [key, { tried, counts, failures }] of [...properties].sort(([x], [y]) => (x < y ? -1 : 1))) {
    total += tried;
    failed += failures.length;
    const more = Object.entries(counts).map(([what, n]) => `, ${n} ${what}`);
    console.log(`  ${String(tried).padStart(9)} cases${more.join('')}  ${key}`);
    for (const failure of failures) console.log(`            FAILED: ${failure}`);
  }
  console.log(
    `graze: ${ending}: ${seeds.length} rounds with GRAZE_CASES=${cases}, GRAZE_SEED=${seeds.join(', ')}\n` +
      `graze: ${properties.size} properties, ${total} cases, ${failed} failures`,
  );
}

let child = null;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    interrupted = true;
    child?.kill('SIGTERM');
  });

function round(seed) {
  return new Promise((done) => {
    child = spawn(bin('vitest'), ['run', '--reporter=dot', name], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        GRAZE_SEED: String(seed),
        GRAZE_CASES: String(cases),
        GRAZE_FUZZ_PROGRESS: progress,
      },
      shell: process.platform === 'win32',
    });
    child.on('error', () => done(false));
    child.on('close', (code) => done(code === 0));
  });
}

const end = Date.now() + seconds * 1000;
let ok = true;
do {
  const seed = Number.isNaN(fixedSeed) ? Date.now() % 1_000_000_007 : fixedSeed;
  seeds.push(seed);
  console.log(`graze: round ${seeds.length}, GRAZE_SEED=${seed} GRAZE_CASES=${cases}`);
  ok = await round(seed);
  readProgress();
} while (ok && !interrupted && Date.now() < end && Number.isNaN(fixedSeed));
tell(interrupted ? 'interrupted' : ok ? 'no failure' : 'FAILED');
process.exit(ok && !interrupted ? 0 : 1);

// npm run fuzz -- [name] [--seconds 60] [--cases 10] [--seed N]
// Runs the property tests of the files whose path contains `name`, each with `cases` times its usual number of cases, with a new seed each round, until the time is up. A failure prints
// the seed that brings it back.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bin, install, root, run } from './setup.mjs';

install();
const args = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(args.splice(at, 2)[1]);
};
const seconds = option('seconds', 60);
const cases = option('cases', 10);
const fixedSeed = option('seed', Number.NaN);
const name = args[0] ?? '';

const files = readdirSync(join(root, 'src'), { recursive: true }).filter((file) => file.endsWith('.test.ts'));
if (!files.some((file) => file.includes(name))) {
  console.error(`graze: no test file has '${name}' in its path`);
  process.exit(1);
}

const end = Date.now() + seconds * 1000;
let rounds = 0;
do {
  const seed = Number.isNaN(fixedSeed) ? Date.now() % 1_000_000_007 : fixedSeed;
  console.log(`graze: round ${++rounds}, GRAZE_SEED=${seed} GRAZE_CASES=${cases}`);
  const env = { GRAZE_SEED: String(seed), GRAZE_CASES: String(cases) };
  if (!run(bin('vitest'), ['run', '--reporter=dot', name], { env, mayFail: true })) process.exit(1);
} while (Date.now() < end && Number.isNaN(fixedSeed));
console.log(`graze: ${rounds} rounds, no failure`);

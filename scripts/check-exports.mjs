// Nothing that changes is exported from src/: what a query carries along is passed. Finds `export let` and `export var`, and
// constants that hold scratch: a typed array, `vec3()`, `make…()` or a record of numbers.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './setup.mjs';

const RULES = [
  /^export (?:let|var) (\w+)/gm,
  /^export const (\w+)(?:: [^=]+)? = new (?:Float|Int|Uint|BigInt|BigUint)\w*Array\b/gm,
  /^export const (\w+)(?:: [^=]+)? = (?:vec[23]|quat|pose|plane|mat[23]|make[A-Z]\w*)\(/gm,
];
/** A record that has a number, or scratch, in a field; unless its type says that it stays as it is. */
const RECORD = /^export const (\w+)(: [^=]+)? = \{([\s\S]*?)\}( as const)?;$/gm;
const CONSTANT = /^: (Readonly\b|\{ readonly|VolumeOps<)/;
const NUMBER =
  /(?:^|[{,])\s*\w+: (?:-?[\d.]+(?:e-?\d+)?|D|NaN|-?Infinity|vec[23]\(.*?\)|make[A-Z]\w*\(.*?\))\s*(?=,|$)/m;

const problems = [];
let files = 0;
for (const file of walk(join(root, 'src'))) {
  files++;
  const text = readFileSync(file, 'utf8');
  const names = RULES.flatMap((rule) => [...text.matchAll(rule)].map((m) => m[1]));
  for (const [, name, type = '', body, isConst] of text.matchAll(RECORD))
    if (!isConst && !CONSTANT.test(type) && NUMBER.test(body.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')))
      names.push(name);
  const where = relative(root, file).split(sep);
  for (const name of names)
    problems.push(`${where.join('/')}: exports '${name}', which changes: pass it instead`);
}

for (const problem of problems) console.error(problem);
console.log(`exports: ${files} files, ${problems.length} problems`);
process.exitCode = problems.length ? 1 : 0;

function* walk(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* walk(path);
    else if (name.endsWith('.ts') && !name.endsWith('.test.ts')) yield path;
  }
}

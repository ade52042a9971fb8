// A room of src/ may import from the rooms above it and from nothing below. Also: no import may leave src/, and
// the packages that src/ may use are listed here.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { root } from './setup.mjs';

export const ROOMS = [
  'math',
  'polytope',
  'primitives',
  'volumes',
  'trees',
  'space',
  'mesh',
  'convex',
  'shapes',
  'continuous',
  'skinned',
  'query',
  'world',
  'character',
  'gpu',
  'three',
];
const PACKAGES = { '*': ['robust-predicates', 'earcut'], three: ['three'] };

const src = join(root, 'src');
const problems = [];
let files = 0;

for (const file of walk(src)) {
  const from = relative(src, file).split(sep);
  const room = from.length > 1 ? from[0] : null; // src/index.ts is the door: it may open every room
  if (room && !ROOMS.includes(room)) problems.push(`${show(file)}: '${room}' is not a room of the house`);
  files++;
  for (const target of imports(readFileSync(file, 'utf8'))) {
    if (!target.startsWith('.')) {
      if (
        ![...PACKAGES['*'], ...(PACKAGES[room] ?? [])].some(
          (name) => target === name || target.startsWith(`${name}/`),
        )
      )
        problems.push(`${show(file)}: imports the package '${target}', which this room may not use`);
      continue;
    }
    const to = relative(src, resolve(file, '..', target)).split(sep);
    if (to[0] === '..') problems.push(`${show(file)}: imports '${target}' from outside src/`);
    else if (room && to.length === 1) problems.push(`${show(file)}: imports the door '${target}'`);
    else if (room && ROOMS.indexOf(to[0]) > ROOMS.indexOf(room))
      problems.push(`${show(file)}: '${room}' may not use '${to[0]}', which stands below it`);
  }
}

for (const problem of problems) console.error(problem);
console.log(`rooms: ${files} files, ${problems.length} problems`);
process.exitCode = problems.length ? 1 : 0;

function* walk(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* walk(path);
    else if (name.endsWith('.ts') && !name.endsWith('.test.ts')) yield path;
  }
}

function imports(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/(?<!['"])\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((m) => m[1]);
}

function show(file) {
  return relative(root, file);
}

// A room of src/ may import from the rooms above it and from nothing below. No import may leave src/, the packages that src/
// may use are listed here, and no files import each other in a circle, not even for their types.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { root } from './setup.mjs';

export const ROOMS = [
  'math',
  'polytope',
  'primitives',
  'volumes',
  'trees',
  'space',
  'broadphase',
  'mesh',
  'convex',
  'trimesh',
  'simd',
  'bsp',
  'continuous',
  'skinned',
  'shapes',
  'query',
  'world',
  'character',
  'rtcd',
  'gpu',
  'three',
  'react',
];
const PACKAGES = {
  '*': ['robust-predicates', 'earcut'],
  three: ['three'],
  react: ['three', 'react', '@react-three/fiber'],
};

const src = join(root, 'src');
const problems = [];
/** What each file imports from src/. */
const graph = new Map();

for (const room of ROOMS)
  if (!existsSync(join(src, room))) problems.push(`'${room}' is on the list of rooms, and does not exist`);

for (const file of walk(src)) {
  const from = relative(src, file).split(sep);
  const room = from.length > 1 ? from[0] : null; // src/index.ts is the door: it may open every room
  if (room && !ROOMS.includes(room)) problems.push(`${show(file)}: '${room}' is not a room of the house`);
  graph.set(file, []);
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
    graph.get(file).push(resolve(file, '..', target));
    const to = relative(src, resolve(file, '..', target)).split(sep);
    if (to[0] === '..') problems.push(`${show(file)}: imports '${target}' from outside src/`);
    else if (room && to.length === 1) problems.push(`${show(file)}: imports the door '${target}'`);
    else if (room && ROOMS.indexOf(to[0]) > ROOMS.indexOf(room))
      problems.push(`${show(file)}: '${room}' may not use '${to[0]}', which stands below it`);
  }
}

for (const circle of circles()) problems.push(`a circle of imports: ${circle.map(show).join(' → ')}`);

for (const problem of problems) console.error(problem);
console.log(`rooms: ${graph.size} files, ${problems.length} problems`);
process.exitCode = problems.length ? 1 : 0;

function* walk(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* walk(path);
    else if (name.endsWith('.ts') && !name.endsWith('.test.ts')) yield path;
  }
}

/** Circles of imports: of each file that can be reached from itself, where the first such path leads. */
function circles() {
  const done = new Set();
  const path = [];
  const all = [];
  const visit = (file) => {
    const start = path.indexOf(file);
    if (start >= 0) all.push([...path.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return all;
}

function imports(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/(?<!['"])\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((m) => m[1]);
}

function show(file) {
  return relative(root, file);
}

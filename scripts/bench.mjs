// npm run bench -- [name] [--write]
// Builds the library, installs the peers, runs each subject of bench/subjects in a process of its own and prints one
// table. --write puts what was measured into bench/results.json, beside what other runs have left there, and the tables of
// all of it into docs/performance.md and docs/space.md.
//
// A subject whose file begins with `// runs: a b` is run once for each of these words, in a process of its own.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { bars, convex, convexBars, line, meshes, polyhedra, primitives } from './bench-report.mjs';
import { buildLibrary } from './build.mjs';
import { writeContactReport } from './contact-report.mjs';
import { bin, install, root, run } from './setup.mjs';
import { writeSpaceReport } from './space-report.mjs';

install();
install(join(root, 'bench'));
buildLibrary();
run(bin('tsc'), ['--noEmit', '-p', 'bench/tsconfig.json']);

const args = process.argv.slice(2);
const write = args.includes('--write');
const wanted = args.find((arg) => !arg.startsWith('--')) ?? '';
const all = readdirSync(join(root, 'bench', 'subjects'))
  .filter((file) => file.endsWith('.ts'))
  .sort();

const measured = {};
for (const file of all.filter((name) => name.includes(wanted))) {
  const path = join('bench', 'subjects', file);
  const variants = /^\/\/ runs: (.*)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1].split(' ') ?? [''];
  measured[file] = variants.flatMap((variant) => {
    const { stdout, status } = spawnSync(
      process.execPath,
      ['--expose-gc', '--import', 'tsx', path, ...(variant ? [variant] : [])],
      {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
        // The tsconfig.json of the root sends `graze` to the sources; here it is the package.
        env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'bench', 'tsconfig.json') },
      },
    );
    if (status !== 0) process.exit(1);
    const rows = JSON.parse(stdout.trim().split('\n').at(-1));
    for (const row of rows) console.log(line(row));
    return rows;
  });
}

/** The rows of the subjects about pairs of convex shapes, and all others. */
const rowsOf = (results) => {
  const of = (isWanted) => Object.entries(results).flatMap(([file, rows]) => (isWanted(file) ? rows : []));
  const isConvex = (file) => file.startsWith('convex');
  // Boxes and points have a page of their own: docs/space.md.
  const isSpace = (file) => file === 'space.ts' || file === 'contact-growth.ts';
  return { ofConvex: of(isConvex), others: of((file) => !isConvex(file) && !isSpace(file)) };
};

const now = rowsOf(measured);
if (now.others.some(({ mesh }) => mesh)) console.log(`\n${bars(now.others)}`);
if (now.ofConvex.length > 0) console.log(`\n${convexBars(now.ofConvex)}`);

if (write) {
  const store = join(root, 'bench', 'results.json');
  const known = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : {};
  const results = Object.fromEntries(all.map((file) => [file, measured[file] ?? known[file] ?? []]));
  writeFileSync(store, `${JSON.stringify(results, null, 2)}\n`);
  const { ofConvex, others: rows } = rowsOf(results);
  const machine = `Node ${process.versions.node} (V8 ${process.versions.v8}), ${cpus()[0]?.model.trim() ?? 'unknown processor'}.`;
  const file = join(root, 'docs', 'performance.md');
  let text = readFileSync(file, 'utf8');
  for (const [name, table] of [
    ['table', `${machine}\n\n${primitives(rows)}`],
    ['meshes', meshes(rows)],
    ['bars', bars(rows)],
    ['polyhedra', polyhedra(rows)],
    ['convex', convex(ofConvex)],
    ['convex bars', convexBars(ofConvex)],
  ]) {
    const [before, after] = [text.split(`<!-- ${name} -->`)[0], text.split(`<!-- /${name} -->`)[1]];
    text = `${before}<!-- ${name} -->\n${table}\n<!-- /${name} -->${after}`;
  }
  writeFileSync(file, text);
  writeSpaceReport(results['space.ts'] ?? []);
  writeContactReport(results['contact-growth.ts'] ?? []);
  console.log('written to bench/results.json and docs/performance.md');
}

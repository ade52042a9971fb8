// Builds dist/ (the library) and dist-playground/ (the page).
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, install, root, run } from './setup.mjs';

export function buildLibrary() {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  run(bin('tsc'), ['-p', 'tsconfig.core.json']);
  run(bin('tsc'), ['-p', 'tsconfig.build.json']);
  // The compiler turns .ts into .js in imports, but not in the addresses of workers.
  for (const folder of ['query', 'continuous/deforming', 'shapes/fields/level-set']) {
    const file = join(root, 'dist', folder, 'workers.js');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('./worker.ts', './worker.js'));
  }
}

export function buildPlayground() {
  run(bin('vite'), ['build', 'playground', '--logLevel', 'warn']);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  install();
  buildLibrary();
  buildPlayground();
}

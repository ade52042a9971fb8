// Builds dist/ (the library) and dist-playground/ (the page).
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bin, install, root, run } from './setup.mjs';

export function buildLibrary() {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  run(bin('tsc'), ['-p', 'tsconfig.build.json']);
}

export function buildPlayground() {
  run(bin('vite'), ['build', 'playground', '--logLevel', 'warn']);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  install();
  buildLibrary();
  buildPlayground();
}

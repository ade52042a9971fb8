// For Vite and Vitest: `graze` and `graze/<room>` are the sources, not the package.
import { fileURLToPath } from 'node:url';

const source = (path) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

export const sourceAlias = [
  { find: /^graze$/, replacement: source('index.ts') },
  { find: /^graze\/(\w+)$/, replacement: source('$1/index.ts') },
];

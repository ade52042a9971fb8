import { defineConfig } from 'vitest/config';
import { sourceAlias } from '../../scripts/source-alias.mjs';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  resolve: { alias: sourceAlias },
  test: {
    include: ['tests/browser/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});

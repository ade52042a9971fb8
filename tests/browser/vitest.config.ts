import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  resolve: { alias: { graze: new URL('../../src/index.ts', import.meta.url).pathname } },
  test: {
    include: ['tests/browser/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});

import { defineConfig } from 'vitest/config';
import { sourceAlias } from './scripts/source-alias.mjs';

export default defineConfig({
  // The playground imports the library by its names.
  resolve: { alias: sourceAlias },
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['tests/browser/**', 'node_modules/**'],
    // All cores: by default one is left idle, which is half of a small machine.
    maxWorkers: '100%',
    // A guard against tests that never end, not a measure of speed: the machine may be busy with other things.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});

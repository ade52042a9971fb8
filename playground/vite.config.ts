import { join } from 'node:path';
import { defineConfig } from 'vite';
import { sourceAlias } from '../scripts/source-alias.mjs';

export default defineConfig({
  base: './',
  resolve: { alias: sourceAlias },
  build: {
    outDir: '../dist-playground',
    emptyOutDir: true,
    // The dragon is as large as it is; it is fetched by the scene that shows it.
    chunkSizeWarningLimit: 10_000,
    rolldownOptions: {
      input: ['index.html', 'react.html'].map((page) => join(import.meta.dirname, page)),
    },
  },
  // SharedArrayBuffer needs a page that is isolated from other origins.
  preview: {
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
});

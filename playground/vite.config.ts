import { join } from 'node:path';
import { defineConfig } from 'vite';
import { sourceAlias } from '../scripts/source-alias.mjs';

export default defineConfig({
  base: './',
  resolve: { alias: sourceAlias },
  build: {
    outDir: '../dist-playground',
    emptyOutDir: true,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { input: ['index.html', 'react.html'].map((page) => join(import.meta.dirname, page)) },
  },
  // SharedArrayBuffer needs a page that is isolated from other origins.
  preview: {
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
});

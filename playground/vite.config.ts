import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  resolve: { alias: { graze: fileURLToPath(new URL('../src/index.ts', import.meta.url)) } },
  build: { outDir: '../dist-playground', emptyOutDir: true, chunkSizeWarningLimit: 1200 },
  // SharedArrayBuffer needs a page that is isolated from other origins.
  preview: {
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
});

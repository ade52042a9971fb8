// npm start: install what is missing, build, serve the playground.
import { buildLibrary, buildPlayground } from './build.mjs';
import { install } from './setup.mjs';

install();
console.log('graze: building …');
buildLibrary();
buildPlayground();

const { preview } = await import('vite');
const port = Number(process.env.PORT ?? 4173);
const server = await preview({
  root: 'playground',
  preview: { port, host: process.env.HOST ?? 'localhost' },
});
const address = server.resolvedUrls?.local[0] ?? `http://localhost:${port}/`;
console.log(
  `\ngraze: the playground is at ${address}\n       Ctrl+C stops it; PORT=… and HOST=0.0.0.0 change the address.`,
);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    console.log('\ngraze: stopped');
    process.exit(0);
  });

/** Workers in real Chromium that die, are ended, or go with their page: promises are rejected, and nothing hangs. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../../scripts/setup.mjs';
import { FLAGS } from './page.ts';
import type {} from './workers/page.ts';

/** One of them fails, outside of what it is asked: the one with the piece of a batch that holds this query. */
const DYING = `addEventListener('message', ({ data }) => {
  if (0 < data.from && data.from <= 100_000 && 100_000 < data.to) setTimeout(() => { throw new Error('out of luck'); });
});\n`;

let server: Server;
let browser: Browser;
let page: Page;
let address: string;

async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    ...{ bundle: true, write: false, format: 'esm', target: 'es2022', logLevel: 'error' },
  });
  return outputFiles[0]!.text;
}

beforeAll(async () => {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chromium: npm test installs it where it can');
  const [program, worker] = [await bundle('./workers/page.ts'), await bundle('../../src/query/worker.ts')];
  // A folder for each kind of workers: `fine`, `dying`, and `missing`, where there are none.
  server = createServer(({ url = '' }, response) => {
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    const send = (type: string, text: string): void =>
      void response.setHeader('content-type', type).end(text);
    if (url.endsWith('/page.js')) send('text/javascript', program);
    else if (url.endsWith('/worker.ts') && !url.startsWith('/missing'))
      send('text/javascript', url.startsWith('/dying') ? DYING + worker : worker);
    else if (url.endsWith('/'))
      send('text/html', '<title>workers</title><script type="module" src="page.js"></script>');
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch({ executablePath, args: FLAGS });
  page = await browser.newPage();
  page.setDefaultTimeout(120_000);
});
afterAll(async () => {
  await browser?.close();
  await new Promise((done) => (server ? server.close(done) : done(null)));
});

async function open(folder: string): Promise<void> {
  await page.goto(`${address}/${folder}/`);
  await page.waitForFunction(() => 'workerTests' in window);
}

const GOOD = { right: true, lane: { threads: 2, shared: true, simd: false, reason: null } };

test('workers that die in the middle of a batch: it is rejected with the reason, and others take their place', async () => {
  await open('dying');
  const { reason, next } = await page.evaluate(() => window.workerTests.lost());
  expect(reason).toMatch(/^graze: QueryWorkers: a thread was lost: .*out of luck/);
  expect(next).toEqual(GOOD);
});

test('workers that cannot be loaded: the page answers itself, and says so', async () => {
  await open('missing');
  const { right, lane } = await page.evaluate(() => window.workerTests.answered());
  expect([right, lane?.threads]).toEqual([true, 0]);
  expect(lane?.reason).toMatch(/a thread was lost/);
});

test('a pool that is closed in the middle of a batch and of a build: all is rejected, and no worker is left', async () => {
  await open('fine');
  expect(await page.evaluate(() => window.workerTests.closed())).toEqual(
    Array(4).fill('graze: QueryWorkers: closed'),
  );
  await expect.poll(() => page.workers().length).toBe(0);
});

test('a page that is left in the middle of a batch: it is rejected, and the workers go with the page', async () => {
  await open('fine');
  await page.evaluate(() => window.workerTests.left());
  expect(page.workers()).toHaveLength(2);
  await open('fine/again');
  expect(await page.evaluate(() => window.workerTests.told())).toBe(
    'graze: QueryWorkers: the page was closed',
  );
  expect(page.workers()).toHaveLength(0);
});

test('a page that is closed in the middle of a batch takes its workers along', async () => {
  const other = await browser.newPage();
  await other.goto(`${address}/fine/`);
  await other.waitForFunction(() => 'workerTests' in window);
  await other.evaluate(() => window.workerTests.left());
  await other.close({ runBeforeUnload: false });
  expect(other.workers()).toHaveLength(0);
  await open('fine');
  // Whether a page that is closed still leaves notes is up to the browser; that nothing is kept busy is not.
  expect(await page.evaluate(() => window.workerTests.answered())).toEqual(GOOD);
});

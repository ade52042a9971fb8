/** Image-space collision on WebGL2 in real Chromium (here on a software adapter), beside the software rasteriser. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../../scripts/setup.mjs';
import { collider, intersects, mesh, type Pose } from '../../src/index.ts';
import type { ImageTests } from './image-space/image-page.ts';
import { FLAGS, Playground } from './page.ts';

const factor = Number(process.env['GRAZE_CASES'] ?? 1);
const errors: string[] = [];
let browser: Browser;
let page: Page;
beforeAll(async () => {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chromium: npm test installs it where it can');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./image-space/image-page.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
  });
  browser = await chromium.launch({ executablePath, args: FLAGS });
  page = await browser.newPage();
  page.setDefaultTimeout(300_000);
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.addScriptTag({ content: outputFiles[0]!.text });
});
afterAll(async () => {
  await browser?.close();
  expect(errors).toEqual([]);
});

async function run<Name extends keyof ImageTests>(
  name: Name,
  ...args: Parameters<ImageTests[Name]>
): Promise<Awaited<ReturnType<ImageTests[Name]>>> {
  return (await page.evaluate(
    ([given, list]) =>
      (window.imageTests as never as Record<string, (...a: unknown[]) => unknown>)[given]!(...list),
    [name, args] as [string, unknown[]],
  )) as never;
}

test('[R10.0] triangles light the same pixels, those whose centres are on edges among them', async () => {
  const { bits, lit, wrong } = await run('coverage', 'faces', 100 * factor);
  expect(bits).toBeGreaterThanOrEqual(4);
  expect(lit).toBeGreaterThan(50_000);
  expect(wrong).toBe(0);
});

test('[R10.4] bounds of faces light the same pixels, but for a few on their rim', async () => {
  const { lit, wrong } = await run('coverage', 'nearest', 100 * factor);
  expect(lit).toBeGreaterThan(50_000);
  expect(wrong).toBeLessThan(1e-4 * lit);
});

test('[R10.3] edges light the same pixels, but for some where a line passes between two', async () => {
  const { lit, wrong } = await run('coverage', 'edges', 100 * factor);
  expect(lit).toBeGreaterThan(50_000);
  expect(wrong).toBeLessThan(0.05 * lit);
});

test('[R10.1] one lit pixel anywhere is found in a 256th of the image', async () => {
  const { asked, faults, after } = await run('litPixels', 32);
  expect(asked).toBe(1024);
  expect(after).toEqual([255, 64, 16, 4, 1]);
  expect(faults).toEqual([]);
});

test('[R10.1] no call waits for the GPU: results are polled, and come in a later task', async () => {
  const { blocking, polls, later } = await run('blockingCalls');
  expect(blocking).toEqual([]);
  expect(polls).toBeGreaterThan(10);
  expect(later).toBe(true);
});

test('[R10.2] convex pairs: no miss against GJK beyond a pixel, no hit across a gap, the same in both orders', async () => {
  const { asked, hits, differ, faults } = await run('convexPairs', 1500 * factor);
  expect(faults).toEqual([]);
  expect(hits).toBeGreaterThan(0.2 * asked);
  expect(hits).toBeLessThan(0.9 * asked);
  expect(differ).toBeLessThanOrEqual(0.005 * asked);
});

test.each(['edges', 'layers'] as const)(
  '[R10.3] solids by %s: hits are hits within pixels, answers those of the twin',
  async (method) => {
    const { asked, hits, differ, faults } = await run('solidPairs', method, 50 * factor);
    expect(faults).toEqual([]);
    expect(hits).toBeGreaterThan(0.2 * asked);
    expect(hits).toBeLessThan(0.6 * asked);
    expect(differ).toBeLessThanOrEqual(0.02 * asked);
  },
);

test('[R10.3] boxes along the view, and linked rings', async () => {
  expect(await run('namedPairs')).toEqual({
    'boxes, one parallel view': false,
    'boxes, perspective': true,
    'boxes, more views': true,
    'boxes, layers': true,
    'linked rings': false,
    'rings that meet': true,
    'linked rings, layers': false,
    'rings that meet, layers': true,
  });
});

test('[R10.3] pairs of many solids, by ids in colour: those of the twin', async () => {
  const { lit, wrong } = await run('insides', 40 * factor);
  expect(wrong).toBeLessThanOrEqual(0.05 * lit);
});

test('[R10.4] the filter drops no object that meets another', async () => {
  const scenes = 100 * factor;
  const { asked, hits, dropped, differ, faults } = await run('filters', scenes);
  expect(faults).toEqual([]);
  expect(hits).toBeGreaterThan(0.5 * scenes);
  expect(dropped).toBeGreaterThan(0.1 * asked);
  expect(differ).toBeLessThanOrEqual(0.02 * scenes);
});

test('[R10.1] a context that is lost, disposed of or silent, and none at all: an error that says so, or software', async () => {
  const told = await run('losses');
  for (const name of ['waiting', 'afterwards', 'filter'])
    expect(told[name], name).toMatch(
      /graze: WebglRasterizer.\w+: the WebGL2 context is lost: make a new rasteriser/,
    );
  for (const name of ['disposed', 'disposed while waiting'])
    expect(told[name], name).toMatch(/graze: WebglRasterizer.\w+: this has been disposed of/);
  expect(told['never']).toMatch(/no result within -1 ms/);
  expect(told['one of many']).toBe('webgl2 true');
  expect(told['without WebGL2']).toBe('software true');
  expect(told['asked for WebGL2']).toMatch(/there is no WebGL2 here/);
});

test('the playground shows what WebGL2, the software rasteriser and the library say, and the depth buffers', async () => {
  const playground = await Playground.open();
  const values = async (key: string): Promise<Record<string, unknown>> => {
    await playground.page.waitForFunction((wanted) => wanted in window.playground.values, key);
    return playground.page.evaluate(() => ({ ...window.playground.values }) as never);
  };
  const choose = async (place: number, option: string): Promise<void> => {
    await playground.page.selectOption(`#panel select >> nth=${place}`, option);
  };
  interface Shown {
    positions: number[];
    index: number[] | null;
    pose: Pose;
  }
  const bodies = async () => {
    const { bodies: shown } = (await playground.page.evaluate(() =>
      window.playground.state(),
    )) as unknown as { bodies: Shown[] };
    return shown.map(({ positions, index, pose }) =>
      collider(mesh(Float32Array.from(positions), index), pose),
    );
  };
  await playground.scene('image-space');
  for (const [test, queries] of [
    ['convex: two queries', 2],
    ['solids: edges', 6],
  ] as const) {
    await choose(0, test);
    const shown = await values('queries');
    const [a, b] = await bodies();
    expect(shown['exactly']).toBe(intersects(a!, b!));
    expect(shown['webgl2']).toBe(shown['exactly']);
    expect(shown['software']).toBe(shown['exactly']);
    expect(shown['certainty']).toBe('approximate');
    expect(shown['queries']).toBe(queries);
    expect(await playground.page.locator('#panel figure canvas').count()).toBe(queries);
    await playground.frame();
    await playground.screenshot(`image-space-${test.split(':')[0]}`);
  }
  await choose(1, 'ring');
  await choose(2, 'knot');
  await choose(0, 'solids: layers');
  expect((await values('queries'))['webgl2']).toBe(true);
  await playground.screenshot('image-space-layers');
  await choose(0, 'filter of 40');
  const shown = await values('kept');
  const all = await bodies();
  const meeting = all.filter((a) => all.some((b) => a !== b && intersects(a, b)));
  expect(shown['objects']).toBe(40);
  expect(shown['lane']).toBe('webgl2');
  expect(shown['that meet, exactly']).toBe(meeting.length);
  expect(meeting.length).toBeGreaterThan(3);
  expect(shown['of them dropped']).toBe(0);
  expect(shown['kept']).toBeGreaterThanOrEqual(meeting.length);
  expect(shown['kept']).toBeLessThan(40);
  await playground.frame();
  await playground.screenshot('image-space-filter');
  expect(playground.errors).toEqual([]);
  await playground.stop();
});

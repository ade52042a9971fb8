/**
 * What the README promises to someone who begins: a Vite project in an empty folder, with the package as it would be published and
 * the code of the README as it stands, built, served and opened in Chromium. Nothing is fetched: what the package depends on is
 * linked to the packages of the checkout.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import type * as THREE from 'three';
import { build, preview } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../../scripts/setup.mjs';
import { glbOf } from '../kit/glb.ts';
import { FLAGS, screenshots } from './page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The blocks of the README that begin with the name of their file, in order. */
const blocks = [
  ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/```js\n\/\/ (src\/\w+\.js)\n([\s\S]*?)```/g),
].map(([, file, code]) => ({ file: file!, code: code! }));

const linesOf = (code: string): number => code.split('\n').filter((line) => line.trim() !== '').length;

test('the README says it in few lines: picking in less than ten, a character with its stage in less than forty', () => {
  expect(blocks.map(({ file }) => file)).toEqual(['src/stage.js', 'src/main.js', 'src/main.js']);
  const [stage, picking, walking] = blocks.map(({ code }) => linesOf(code));
  expect(picking).toBeLessThan(10);
  expect(stage! + walking!).toBeLessThan(40);
});

let folder: string;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'graze-vite-'));
  unpack(folder);
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chromium: npm test installs it where it can');
  browser = await chromium.launch({ executablePath, args: FLAGS });
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Puts what `npm pack` makes into node_modules, and links what it needs. */
function unpack(to: string): void {
  if (!existsSync(join(root, 'dist/three/index.js'))) throw new Error('no dist: node scripts/build.mjs');
  const { name, version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', to], { cwd: root });
  const own = join(to, 'node_modules', name);
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', join(to, `${name}-${version}.tgz`), '-C', own, '--strip-components=1']);
  for (const needed of [...Object.keys(dependencies), 'three'])
    symlinkSync(join(root, 'node_modules', needed), join(to, 'node_modules', needed), 'junction');
}

/** A floor, whose top is at 0; a red crate on it; a step; a wall on the left. */
const LEVEL = glbOf([
  { name: 'floor', size: [20, 1, 20], position: [0, -0.5, 0], color: [0.3, 0.5, 0.3] },
  { name: 'crate', size: [1, 1, 1], position: [2, 0.5, 0], color: [0.8, 0.05, 0.05] },
  { name: 'step', size: [20, 0.2, 4], position: [0, 0.1, -4], color: [0.1, 0.1, 0.8] },
  { name: 'wall', size: [1, 4, 20], position: [-3, 2, 0], color: [0.6, 0.6, 0.6] },
]);

/** What the README exports, for the test to look at. */
const PROBE = `import * as stage from './stage.js';
window.probe = stage;
`;

interface Probe {
  readonly scene: THREE.Scene;
  readonly camera: THREE.PerspectiveCamera;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/** Builds and serves the project with one of the main programs, opens it, and lets `look` look at the page. */
async function open(main: string, look: (page: Page) => Promise<void>): Promise<void> {
  const project = join(folder, 'game');
  rmSync(project, { recursive: true, force: true });
  for (const part of ['src', 'public']) mkdirSync(join(project, part), { recursive: true });
  symlinkSync(join(folder, 'node_modules'), join(project, 'node_modules'), 'junction');
  writeFileSync(join(project, 'package.json'), '{ "name": "game", "private": true, "type": "module" }');
  writeFileSync(
    join(project, 'index.html'),
    `<!doctype html><html lang="en"><head><link rel="icon" href="data:," /></head><body><div id="app"></div>
<script type="module" src="/src/main.js"></script><script type="module" src="/src/probe.js"></script></body></html>`,
  );
  writeFileSync(join(project, 'public/level.glb'), LEVEL);
  writeFileSync(join(project, 'src/stage.js'), blocks[0]!.code);
  writeFileSync(join(project, 'src/main.js'), main);
  writeFileSync(join(project, 'src/probe.js'), PROBE);
  await build({ root: project, configFile: false, logLevel: 'warn', build: { chunkSizeWarningLimit: 5000 } });
  const server = await preview({ root: project, configFile: false, preview: { port: 0, host: '127.0.0.1' } });
  const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  try {
    page.setDefaultTimeout(300_000);
    await page.goto(`http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => 'probe' in window);
    await look(page);
    // What the driver of a machine without a graphics card says is not the page's.
    expect(errors.filter((text) => !/GPU stall|GL Driver Message|software WebGL/i.test(text))).toEqual([]);
  } finally {
    await page.close();
    await new Promise((done) => server.httpServer.close(done));
  }
}

type V = { x: number; y: number; z: number };

/** Where a place of the world is on the page, in pixels. */
const onPage = (page: Page, p: V): Promise<{ x: number; y: number }> =>
  page.evaluate((point) => {
    const { camera } = window.probe;
    camera.updateMatrixWorld();
    const v = camera.position.clone().set(point.x, point.y, point.z).project(camera);
    const box = document.querySelector('canvas')!.getBoundingClientRect();
    return { x: box.left + ((v.x + 1) / 2) * box.width, y: box.top + ((1 - v.y) / 2) * box.height };
  }, p);

/** The colours in a square of the picture. */
async function colours(page: Page, { x, y }: { x: number; y: number }, half: number): Promise<number[][]> {
  const clip = {
    x: Math.round(x) - half,
    y: Math.round(y) - half,
    width: 2 * half + 1,
    height: 2 * half + 1,
  };
  const picture = await page.screenshot({ clip });
  return page.evaluate(
    async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      return Array.from({ length: data.length / 4 }, (_, i) => [...data.slice(4 * i, 4 * i + 3)]);
    },
    `data:image/png;base64,${picture.toString('base64')}`,
  );
}

const isYellow = ([r, g, b]: number[]): boolean => r! > 200 && g! > 200 && b! < 80;
const isRed = ([r, g, b]: number[]): boolean => r! > 2 * g! && r! > 2 * b!;

const frames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

test('picking: a click on the crate puts an arrow on it, and the picture shows it', async () => {
  await open(blocks[1]!.code, async (page) => {
    const front = { x: 2, y: 0.5, z: 0.5 };
    const at = await onPage(page, front);
    await frames(page);
    expect((await colours(page, at, 2)).every(isRed)).toBe(true);
    await page.mouse.click(at.x, at.y);
    await frames(page);
    const arrow = await page.evaluate(() => {
      const { scene } = window.probe;
      const { x, y, z } = scene.children.at(-1)!.position;
      return { count: scene.children.length, x, y, z };
    });
    // The level, the light, the arrow.
    expect(arrow.count).toBe(3);
    expect(arrow.z).toBeCloseTo(front.z, 6);
    // Within a pixel of where the mouse was.
    expect(Math.hypot(arrow.x - front.x, arrow.y - front.y)).toBeLessThan(0.02);
    expect((await colours(page, at, 8)).filter(isYellow).length).toBeGreaterThan(3);
    // The sky has nothing to pick.
    await page.mouse.click(320, 20);
    await frames(page);
    expect(await page.evaluate(() => window.probe.scene.children.length)).toBe(3);
  });
});

test('a character: it falls to the floor, stands on it, walks, takes a step, stops at the wall', async () => {
  await open(blocks[2]!.code, async (page) => {
    const body = (): Promise<V> =>
      page.evaluate(() => {
        const { x, y, z } = window.probe.scene.children.at(-1)!.position;
        return { x, y, z };
      });
    const standsAt = (height: number): Promise<unknown> =>
      page.waitForFunction(
        (y) => Math.abs(window.probe.scene.children.at(-1)!.position.y - y) < 1e-3,
        height,
      );
    // The capsule is 1.8 high, and keeps a gap of 0.004 from everything.
    await standsAt(0.904);
    const start = await body();
    expect([start.x, start.z]).toEqual([0, 0]);
    await frames(page);
    // It is drawn where it stands: its own colours at its middle, the floor's just below its feet.
    const middle = await colours(page, await onPage(page, start), 2);
    const below = await colours(page, await onPage(page, { x: start.x, y: 0, z: start.z + 0.6 }), 1);
    expect(middle.every(([, , b]) => b! > 150)).toBe(true);
    expect(below.every(([r, g, b]) => g! > r! && g! > b!)).toBe(true);

    await page.keyboard.down('ArrowUp');
    await page.waitForFunction(() => window.probe.scene.children.at(-1)!.position.z < -3);
    await page.keyboard.up('ArrowUp');
    await standsAt(1.104);
    await page.keyboard.down('ArrowLeft');
    await page.waitForFunction(() => window.probe.scene.children.at(-1)!.position.x < -2);
    await frames(page);
    await page.keyboard.up('ArrowLeft');
    expect((await body()).x).toBeGreaterThan(-2.1 + 0.0039);
    await page.keyboard.press('Space', { delay: 100 });
    await page.waitForFunction(() => window.probe.scene.children.at(-1)!.position.y > 1.5);
    await standsAt(1.104);
    mkdirSync(screenshots, { recursive: true });
    await page.screenshot({ path: join(screenshots, 'vite-project.png') });
  });
});

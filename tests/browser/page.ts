/** Opens the built playground in the system's Chromium. */
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { type PreviewServer, preview } from 'vite';
import { findChromium } from '../../scripts/setup.mjs';

export const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** WebGPU on the software adapter, which every machine has. */
export const GPU_FLAGS = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

export const screenshots = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));

export class Playground {
  readonly errors: string[] = [];
  readonly page: Page;
  private readonly address: string;
  private readonly close: () => Promise<void>;

  private constructor(page: Page, address: string, close: () => Promise<void>) {
    this.page = page;
    this.address = address;
    this.close = close;
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
  }

  static async open(options: BrowserContextOptions = {}, flags: readonly string[] = []): Promise<Playground> {
    const executablePath = findChromium();
    if (!executablePath) throw new Error('no Chromium: npm test installs it where it can');
    const server: PreviewServer = await preview({
      root: 'playground',
      preview: { port: 0, host: '127.0.0.1' },
    });
    const { port } = server.httpServer.address() as AddressInfo;
    const browser: Browser = await chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
    const context = await browser.newContext({
      viewport: { width: 960, height: 600 },
      colorScheme: 'dark',
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(300_000); // a guard, not a measure of speed: the machine may be busy
    return new Playground(page, `http://127.0.0.1:${port}/`, async () => {
      await browser.close();
      await new Promise((done) => server.httpServer.close(done));
    });
  }

  /** A page of the playground. */
  async load(path: string): Promise<void> {
    await this.page.goto('about:blank'); // a new hash alone would not load the page anew
    await this.page.goto(`${this.address}${path}`);
  }

  async scene(id: string): Promise<void> {
    await this.load(`#${id}`);
    await this.page.waitForFunction(() => 'playground' in window);
    await this.frame();
  }

  /** Waits until what changed has been drawn. */
  async frame(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: `${screenshots}${name}.png` });
  }

  /** How many different colours the view shows: 1 when nothing was drawn. */
  colours(): Promise<number> {
    return this.page.evaluate(() => {
      const view = document.querySelector('canvas') as HTMLCanvasElement;
      const copy = document.createElement('canvas');
      [copy.width, copy.height] = [view.width, view.height];
      const context = copy.getContext('2d') as CanvasRenderingContext2D;
      context.drawImage(view, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      const seen = new Set<number>();
      for (let i = 0; i < data.length; i += 4)
        seen.add(((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0));
      return seen.size;
    });
  }

  async stop(): Promise<void> {
    await this.close();
  }
}

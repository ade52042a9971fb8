/**
 * The GPU in real Chromium, on its software adapter: every answer is that of one thread of the CPU, to the last bit.
 *
 * `GRAZE_CASES=1000000 npx vitest run --config tests/browser/vitest.config.ts gpu.test` asks that many of each kind.
 * With `GRAZE_RATES=1` and `-t rates` it prints what the lanes make of larger batches.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GpuBrowser } from './gpu/gpu-browser.ts';
import type { Comparison } from './gpu/page.ts';
import { BOX_KINDS } from './gpu/queries.ts';

const CASES = Number(process.env['GRAZE_CASES'] ?? 10_000);
/** Asked at a time: pages have limits. */
const MOST = 200_000;
/** In a frame. */
const MOST_BOXES = 25_000;

let browser: GpuBrowser;
beforeAll(async () => {
  browser = await GpuBrowser.open();
});
afterAll(async () => {
  expect(browser.errors).toEqual([]);
  await browser.close();
});

const KINDS = ['rayMesh', 'closestPointMesh'] as const;

/** What part of the queries each mesh gets, of those that have many triangles more. */
const MESHES = {
  bunny: 3,
  dragon: 3,
  knot: 2,
  soup: 2,
  needles: 1,
  flat: 1,
  far: 1,
  tiny: 1,
  huge: 1,
  box: 1,
  triangle: 1,
  nested: 1,
  point: 0.5,
  out: 0.5,
} as const;
const SHARES = Object.values(MESHES).reduce((sum: number, share) => sum + share, 0);
/** The limits of queries: none, and in units of their directions or of the size of the mesh. */
const LIMITS = [undefined, 1, 0.3, 0] as const;

describe.each(KINDS)('%s: the answers of one thread', (name) => {
  test.each(Object.entries(MESHES))(`of ${CASES} queries the share of %s`, async (mesh, share) => {
    let left = Math.ceil((CASES * share) / SHARES);
    for (let round = 0; left > 0; round++) {
      // Three quarters without a limit.
      const limit = LIMITS[round % LIMITS.length];
      const count = Math.min(
        MOST,
        round === 0 ? Math.ceil(0.75 * left) : Math.max(1000, Math.ceil(left / 2)),
        left,
      );
      left -= count;
      const { lane, reason, wrong, first, hits, onCpu } = await browser.run(
        'batch',
        name,
        mesh,
        count,
        17 + round,
        limit,
      );
      expect(first).toBe('');
      expect(wrong).toBe(0);
      if (mesh === 'out')
        expect([lane, reason, onCpu]).toEqual(['cpu', expect.stringContaining('too small'), count]);
      else expect([lane, reason]).toEqual(['gpu', '']);
      // The GPU is of use, and there is something to be found.
      if (mesh !== 'point' && mesh !== 'out') {
        expect(onCpu).toBeLessThan(0.6 * count);
        if (limit !== 0) expect(hits).toBeGreaterThan(0.02 * count);
      }
    }
  });

  test('of queries as programs have them, the CPU is asked about few', async () => {
    for (const mesh of ['bunny', 'dragon', 'knot']) {
      const { wrong, onCpu, count } = await browser.run('plain', name, mesh, 5000);
      expect(wrong).toBe(0);
      expect(onCpu).toBeLessThan((name === 'rayMesh' ? 0.001 : 0.15) * count);
    }
  });

  test.each([
    ['destroy', 0],
    ['destroy', 60],
    ['close', 30],
  ] as const)('a device that is lost in the middle of a batch, by %s after %d ms', async (by, after) => {
    const [first, next] = await browser.run('lost', name, by, after);
    const reason =
      by === 'close' ? 'the GPU is closed' : expect.stringContaining('the device is lost (destroyed)');
    for (const { lane, reason: told, wrong } of [first, next])
      expect([lane, told, wrong]).toEqual(['cpu', reason, 0]);
    expect(first.onCpu).toBeGreaterThan(0);
    expect(next.onCpu).toBe(100);
  });
});

test.each([
  ['limits', 'needs a buffer of'],
  ['memory', 'no memory is left'],
  ['throw', 'createBuffer failed'],
  ['code', 'no such code'],
] as const)('what the device cannot do the CPU does, and says why: %s', async (what, why) => {
  const [first, next] = await browser.run('scarce', what);
  expect([first.lane, first.reason, first.wrong]).toEqual(['cpu', expect.stringContaining(why), 0]);
  // Memory may be there again later.
  expect([next.lane, next.wrong]).toEqual(what === 'code' ? ['cpu', 0] : ['gpu', 0]);
});

test('without WebGPU, without an adapter, and where it fails: the CPU, and the reason', async () => {
  expect(await browser.run('without')).toEqual([
    ['cpu', 'there is no WebGPU here'],
    ['cpu', 'WebGPU has no adapter here'],
    ['cpu', 'the device was refused: Error: not today'],
  ]);
});

test.each(['gpu', 'cpu'] as const)(
  'points and normals, of rays out of one array: those of rayMesh, on the %s',
  async (on) => {
    for (const mesh of ['bunny', 'soup', 'knot']) {
      const [lane, hits, wrong] = await browser.run('surfaces', mesh, 3000, on);
      expect([lane, wrong]).toEqual([on, 0]);
      expect(hits).toBeGreaterThan(1000);
    }
  },
);

test('several batches at once, and meshes that are given back', async () => {
  const all: Comparison[] = await browser.run('together');
  for (const { lane, wrong } of all) expect([lane, wrong]).toEqual(['gpu', 0]);
});

describe('pairs of moving boxes: those of one thread, and of every two boxes', () => {
  test.each(BOX_KINDS)('%s, few', async (kind) => {
    for (const count of [3, 300, 1500]) {
      // Equal boxes meet each other, all of them.
      const { lane, wrong, pairs } = await browser.run(
        'boxes',
        kind,
        kind === 'equal' ? count / 3 : count,
        10,
      );
      expect([lane, wrong]).toEqual(['gpu', 0]);
      if (count > 3) expect(pairs).toBeGreaterThan(count);
    }
  });

  test.each(BOX_KINDS.filter((kind) => kind !== 'equal'))(`%s, of ${CASES} boxes the share`, async (kind) => {
    const share = Math.ceil(CASES / 8);
    const frames = Math.max(2, Math.ceil(share / MOST_BOXES));
    const { lane, reason, wrong, pairs } = await browser.run(
      'boxes',
      kind,
      Math.min(share, MOST_BOXES),
      frames,
    );
    expect([lane, reason, wrong]).toEqual(['gpu', '', 0]);
    expect(pairs).toBeGreaterThan(share / 4);
  });

  test('the number of boxes changes, frames are asked without waiting, and the device is lost', async () => {
    const told = await browser.run('boxesLost');
    for (const [, , wrong] of told) expect(wrong).toBe(0);
    expect(told.map(([lane]) => lane).slice(0, 9)).toEqual(Array(9).fill('gpu'));
    expect(told[9]!.slice(0, 2)).toEqual(['cpu', 'the GPU is closed']);
  });

  test('bad input is named', async () => {
    expect(await browser.run('badBoxes')).toEqual([
      expect.stringContaining('boxes must hold six numbers'),
      expect.stringContaining('boxes[5]'),
      expect.stringContaining('boxes[0] must have its minimum'),
      expect.stringContaining('boxes must be an array'),
    ]);
  });
});

test('batches of nothing, answers that are given, bad input', async () => {
  expect(await browser.run('odd')).toEqual([
    'gpu 0 0',
    'true -7',
    expect.stringContaining('name must be one of rayMesh, closestPointMesh'),
    expect.stringContaining('origins[2] must be a finite number'),
    expect.stringContaining('directions must hold as many'),
    expect.stringContaining('maxDistance must not be negative'),
    expect.stringContaining('name must be one of'),
  ]);
});

test.runIf(process.env['GRAZE_RATES'])('rates', async () => {
  const perSecond = (count: number, time: number): string => (count / time / 1000).toFixed(2);
  for (const name of KINDS)
    for (const mesh of ['bunny', 'dragon', 'fine-dragon']) {
      const { count, onCpu, gpuTime, cpuTime, wrong } = await browser.run('plain', name, mesh, 100_000);
      expect(wrong).toBe(0);
      console.log(
        `${name}, ${mesh}: ${perSecond(count, gpuTime)} million a second, one thread ${perSecond(count, cpuTime)}, asked of the CPU ${onCpu}`,
      );
    }
  const frames = 6;
  const { gpuTime, cpuTime, wrong } = await browser.run('boxes', 'crowd', 100_000, frames);
  expect(wrong).toBe(0);
  const each = (time: number): string => (time / (frames - 1)).toFixed(0);
  console.log(`100,000 boxes: ${each(gpuTime)} ms a frame, one thread ${each(cpuTime)} ms`);
});

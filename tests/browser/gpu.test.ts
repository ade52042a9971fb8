/**
 * The GPU in real Chromium, on its software adapter: every answer is that of one thread of the CPU, to the last bit.
 *
 * `GRAZE_CASES=1000000 npx vitest run --config tests/browser/vitest.config.ts gpu.test` asks that many of each kind.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GpuBrowser } from './gpu/gpu-browser.ts';
import type { Comparison } from './gpu/page.ts';

const CASES = Number(process.env['GRAZE_CASES'] ?? 100_000);
/** Asked at a time: pages have limits. */
const MOST = 200_000;

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

test('several batches at once, and meshes that are given back', async () => {
  const all: Comparison[] = await browser.run('together');
  for (const { lane, wrong } of all) expect([lane, wrong]).toEqual(['gpu', 0]);
});

test('batches of nothing, answers that are given, bad input', async () => {
  expect(await browser.run('odd')).toEqual([
    'gpu 0 0',
    'true -7',
    expect.stringContaining('name must be one of rayMesh, closestPointMesh'),
    expect.stringContaining('origins must be finite'),
    expect.stringContaining('directions must hold as many'),
    expect.stringContaining('maxDistance must not be negative'),
    expect.stringContaining('name must be one of'),
  ]);
});

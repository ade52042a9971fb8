/** Workers in real Chromium: a million rays give the same bits by every lane. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOf, picture, WAYS } from '../../playground/src/lanes.ts';
import { dragon } from '../../playground/src/models.ts';
import { mesh, raycastMany } from '../../src/index.ts';
import { GPU_FLAGS, Playground } from './page.ts';

let playground: Playground;
beforeAll(async () => {
  playground = await Playground.open({}, GPU_FLAGS);
});
afterAll(async () => {
  expect(playground.errors).toEqual([]);
  await playground.stop();
});

const ANSWERS = 'all answers';

test('a million rays: every lane gives the bits of one thread in Node, and says which it took', async () => {
  const geometry = await dragon();
  const subject = mesh(geometry.getAttribute('position').array, geometry.index!.array);
  await playground.scene('lanes');
  const lanes: Record<string, string> = {};
  let right = 0;
  for (const name of Object.keys(WAYS)) {
    await playground.page.evaluate((key) => delete window.playground.values[key], ANSWERS);
    await playground.page.selectOption('#panel select', name);
    await playground.page.waitForFunction(
      ([answers, lane]) =>
        window.playground.values[answers!] !== undefined &&
        window.playground.values[`${lane}: M rays/s`] !== undefined,
      [ANSWERS, name],
    );
    const values = await playground.page.evaluate(() => ({ ...window.playground.values }) as never);
    const state = await playground.page.evaluate(() => window.playground.state() as never);
    const { eye, side } = state as { eye: { x: number; y: number; z: number }; side: number };
    if (right === 0) {
      const { origins, directions } = picture(eye, side);
      right = hashOf(raycastMany(origins, directions, subject));
    }
    expect(values['rays']).toBe(1_000_000);
    expect(Number(values['hits'])).toBeGreaterThan(100_000);
    expect(values[ANSWERS]).toBe(right);
    lanes[name] = String(values['lane']);
  }
  expect(lanes['pure']).toBe('1 thread, scalar');
  expect(lanes['SIMD']).toBe('1 thread, simd');
  expect(lanes['workers']).toMatch(/^\d+ threads, shared, scalar$/);
  expect(lanes['workers with SIMD']).toMatch(/^\d+ threads, shared, simd$/);
  expect(lanes['GPU']).toMatch(/^GPU, but for \d+ rays$/);
  await playground.screenshot('lanes');
});

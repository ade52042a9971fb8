/** A hundred thousand boxes in the playground: on the GPU, and without one. */
import { expect, test } from 'vitest';
import { GPU_FLAGS, Playground } from './page.ts';

test.each([
  ['GPU', GPU_FLAGS],
  ['CPU', ['--disable-features=WebGPU', '--disable-gpu']],
] as const)('boxes: the same pairs by both lanes, where there is a %s', async (lane, flags) => {
  const playground = await Playground.open({}, flags);
  await playground.scene('gpu-boxes');
  await playground.page.waitForFunction(() => Number(window.playground.values['frames']) >= 3);
  const values = await playground.page.evaluate(() => ({ ...window.playground.values }) as never);
  expect(values['boxes']).toBe(100_000);
  expect(Number(values['pairs'])).toBeGreaterThan(10_000);
  expect(values['the same pairs']).toBe('yes');
  expect(values['lane']).toMatch(lane === 'GPU' ? /^GPU$/ : /^CPU: ./);
  await playground.frame();
  expect(await playground.colours()).toBeGreaterThan(10);
  if (lane === 'GPU') await playground.screenshot('gpu-boxes');
  await playground.page.selectOption('#panel select', '10000');
  await playground.page.waitForFunction(() => window.playground.values['boxes'] === 10_000);
  expect(playground.errors).toEqual([]);
  await playground.stop();
});

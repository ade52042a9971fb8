/** What waits for a device that is played: it is lost, or silent, or answers. */
import { afterEach, expect, test, vi } from 'vitest';
import { DeviceHolder } from './device.ts';

afterEach(() => vi.useRealTimers());

const held = (): DeviceHolder =>
  new DeviceHolder({ lost: new Promise(() => {}) } as unknown as GPUDevice, '');
const never = new Promise<never>(() => {});

test('what the device answers, or refuses, is passed on', async () => {
  expect(await held().answered(async () => 5)).toBe(5);
  await expect(held().answered(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('a device that is lost ends what waits for it, though its promises are never kept', async () => {
  const holder = held();
  const waiting = [holder.answered(() => never), holder.answered(() => never)];
  holder.lose('it is gone');
  for (const one of waiting) await expect(one).rejects.toThrow('it is gone');
  expect(holder.device).toBeNull();
});

test('a device that is silent is not waited for; one that goes on is', async () => {
  vi.useFakeTimers();
  const holder = held();
  let goOn = (): void => {};
  const waiting = holder.answered((goesOn) => {
    goOn = goesOn;
    return never;
  });
  let told = '';
  waiting.catch((error: Error) => {
    told = error.message;
  });
  await vi.advanceTimersByTimeAsync(50_000);
  goOn();
  await vi.advanceTimersByTimeAsync(50_000);
  expect(told).toBe('');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(told).toBe('the device has been silent for 60 seconds');
});

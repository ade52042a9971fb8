import { describe, expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import { gridOver, mortonOrder, sortPairs, writeBoxes } from './box-order.ts';
import { requestGpu } from './gpu.ts';

function draw(rng: Rng, count: number): Float64Array {
  const boxes = new Float64Array(6 * count);
  const scale = rng.pick([1, 1e-9, 1e9, 1e29, 1e-300]);
  const shift = rng.pick([0, 0, 1e6 * scale]);
  for (let i = 0; i < count; i++)
    for (let axis = 0; axis < 3; axis++) {
      const x = rng.chance(0.3) ? rng.int(-2, 2) : rng.range(-2, 2);
      const width = rng.pick([0, 1, 1e-7, rng.unit(), rng.chance(0.05) ? 1e6 : 0.5]);
      boxes[6 * i + axis] = shift + scale * x;
      boxes[6 * i + 3 + axis] = Math.max(boxes[6 * i + axis]!, shift + scale * (x + width));
    }
  return boxes;
}

const meet = (list: ArrayLike<number>, i: number, j: number): boolean =>
  [0, 1, 2].every(
    (k) => list[6 * i + k]! <= list[6 * j + 3 + k]! && list[6 * j + k]! <= list[6 * i + 3 + k]!,
  );

property('boxes that meet do so in whole numbers, and those that are well apart do not', 2000, (rng) => {
  const count = rng.int(1, 20);
  const boxes = draw(rng, count);
  const order = mortonOrder(boxes);
  check(
    [...order].sort((a, b) => a - b).every((x, i) => x === i),
    'the order has each box once',
  );
  const grid = gridOver(boxes);
  const words = new Uint32Array(6 * count);
  writeBoxes(boxes, order, grid, words);
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      const [a, b] = [order[i]!, order[j]!];
      if (meet(boxes, a, b)) check(meet(words, i, j), () => `${a} and ${b} meet`);
      // Two steps of the grid apart they are apart.
      const gap = [0, 1, 2].some((k) => (boxes[6 * a + k]! - boxes[6 * b + 3 + k]!) * grid.scale[k]! > 2);
      if (gap) check(!meet(words, i, j), () => `${a} and ${b} do not`);
    }
});

property('pairs are sorted, each with its smaller number first', 2000, (rng) => {
  const count = rng.int(1, 30);
  const all: [number, number][] = [];
  for (let i = 0; i < count; i++) for (let j = i + 1; j < count; j++) if (rng.chance(0.3)) all.push([i, j]);
  const mixed = rng.shuffle(all.map(([a, b]) => (rng.chance(0.5) ? [a, b] : [b, a])));
  const list = Int32Array.from([...mixed.flat(), 7, 3]); // more than are meant
  check(String([...sortPairs(list, all.length, count)]) === String(all.flat()), 'in order');
});

describe('where there is no WebGPU', () => {
  test('the CPU answers, and says why', async () => {
    const gpu = await requestGpu();
    expect([gpu.lane, gpu.reason]).toEqual(['cpu', 'there is no WebGPU here']);
    const boxes = gpu.boxes();
    for (const list of [
      [0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 5, 5, 5, 6, 6, 6],
      [0, 0, 0, 9, 9, 9, 1, 1, 1, 2, 2, 2, 5, 5, 5, 6, 6, 6],
    ]) {
      const { lane, reason, count, onCpu, ids } = await boxes.pairs(list);
      expect([lane, reason, onCpu]).toEqual(['cpu', 'there is no WebGPU here', 3]);
      expect([...ids]).toEqual(list[3] === 1 ? [0, 1] : [0, 1, 0, 2]);
      expect(count).toBe(ids.length / 2);
    }
    expect((await boxes.pairs([])).count).toBe(0);
    boxes.release();
    gpu.close();
    expect([gpu.lane, gpu.reason]).toEqual(['cpu', 'there is no WebGPU here']);
  });

  test('what is no device is named', () => {
    expect(() => requestGpu({ device: {} as never })).toThrow('options.device must be a GPUDevice');
    expect(() => requestGpu({ powerPreference: 'most' as never })).toThrow('options.powerPreference');
    expect(() => requestGpu({ powers: 1 } as never)).toThrow('powers');
  });
});

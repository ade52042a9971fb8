/** The examples of the guides for three.js, BSP trees and space run, and their comments are true. */
import { expect, test } from 'vitest';
import { examplesIn, runExample } from './kit/examples.ts';

const GUIDES: Record<string, readonly unknown[][]> = {
  'docs/three.md': [
    [12, expect.closeTo(4.1, 6), 'door'],
    [true, 42],
    [false, true, '0.15', 1, true],
    [1, null, true, 0],
    [true, false, true],
    [true, true],
    [true],
  ],
  'docs/migrating.md': [
    ['1.500', '7.500', false, true],
    [true, '1.00'],
    [true, '1.50'],
  ],
  'docs/skinned.md': [
    [5, '4.367'],
    ['0.250', 0],
  ],
  'docs/bsp.md': [
    [true, false, 2, '0.250000'],
    [true, 2, '0.500000'],
    [false, false],
    [2, [1, 2], [0, 1, 2]],
    [40, true, []],
  ],
  'docs/image-space.md': [[true, 'approximate', [0, 1], 'conservative', true]],
  'docs/space.md': [[], [[0, 1], 1, [0]], ['0 0 0, 1 0 0, 2 0 0, 2 1 0', false], [2, 2, 2], [[0, 1], 2], [1]],
};

for (const [file, answers] of Object.entries(GUIDES)) {
  test(`${file}: as many examples as are looked at`, () => {
    expect(examplesIn(file)).toHaveLength(answers.length);
  });
  answers.forEach((wanted, i) => {
    test(`${file}: example ${i + 1}`, async () => {
      expect(await runExample(file, i)).toEqual(wanted);
    });
  });
}

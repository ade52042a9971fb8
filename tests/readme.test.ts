/** The example of the README runs, and its comments are true. */
import { expect, test } from 'vitest';
import { runExample } from './kit/examples.ts';

const run = (number: number): Promise<unknown[]> => runExample('README.md', number);

test('the first example of the README: the front door', async () => {
  expect(await run(0)).toEqual([5, false, 2, 2, true, [], false, 2.5, expect.closeTo(0.5, 8), undefined, 2]);
});

test('the second example of the README: shapes', async () => {
  expect(await run(1)).toEqual([
    false,
    2,
    expect.closeTo(0.5, 8),
    0.5,
    true,
    expect.closeTo(0.2, 7),
    expect.toSatisfy((x: number) => x < -0.4),
  ]);
});

test('the third example of the README: distances and carving', async () => {
  expect(await run(2)).toEqual([
    null,
    expect.closeTo((3 - 0.25 - Math.sqrt(0.24)) / 6, 5),
    expect.closeTo(0.4 * Math.sin(1), 9),
  ]);
});

test('the fourth example of the README: what turns, worlds and characters', async () => {
  expect(await run(3)).toEqual([expect.closeTo(0.47292, 5), 'polygon', true, true]);
});

test('the fifth example of the README: the toolbox', async () => {
  expect(await run(4)).toEqual([
    { x: 0, y: 0, z: 1 },
    expect.closeTo(0.3, 12),
    true,
    1,
    expect.objectContaining({ center: expect.anything() }),
    0,
    expect.closeTo(0.3, 12),
    Float64Array.of(5),
  ]);
});

import { expect, test } from 'vitest';
import { overlap, REGIMES, recordOf, type Six, six } from '../../tests/kit/box-corpus.ts';
import { bruteForce, comparePairs, testBroadPhase } from '../../tests/kit/broad-phase.ts';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { BitGrid } from './bit-grid.ts';

testBroadPhase('BitGrid', '[R7.1.5]', () => new BitGrid({ cell: 1 }), 40, 500);

test('[R7.1.5] 31, 32, 33 and 1000 boxes: bit 31 is as good as any', () => {
  const rng = new Rng(12);
  for (const n of [31, 32, 33, 64, 65, 1000]) {
    const grid = new BitGrid({ cell: 1 });
    const side = Math.cbrt(n);
    const boxes = new Map<number, Six>();
    for (let id = 0; id < n; id++) {
      boxes.set(id, six(rng.range(0, side), rng.range(0, side), rng.range(0, side), rng.range(0, 1.5)));
      grid.add(id, recordOf(boxes.get(id)!));
    }
    comparePairs(grid, bruteForce(boxes));
    for (let k = 0; k < 50; k++) {
      const around = six(rng.range(0, side), rng.range(0, side), rng.range(0, side), rng.range(0, 2));
      const found: number[] = [];
      grid.searchBox(recordOf(around), (id) => void found.push(id));
      expect(found).toEqual([...boxes].filter(([, box]) => overlap(box, around)).map(([id]) => id));
    }
  }
});

property(
  '[R7.1.5] any bits of a word: each box that is there is told, once, and no other (Trap 4)',
  300,
  (rng) => {
    const grid = new BitGrid({ cell: 1 });
    const here = Array.from({ length: 70 }, (_, id) => id).filter(() => rng.chance(rng.pick([0.1, 0.5, 1])));
    // Bit 31 and its neighbours, alone and together.
    for (const id of [30, 31, 32, 63]) if (rng.chance(0.5) && !here.includes(id)) here.push(id);
    for (const id of here) grid.add(id, recordOf(six(0.25, 0.25, 0.25, 0.5)));
    const told: number[] = [];
    grid.searchBox(recordOf(six(0, 0, 0, 1)), (id) => void told.push(id));
    check(String(told) === String(here.sort((a, b) => a - b)), () => `${told} and not ${here}`);
    comparePairs(grid, bruteForce(new Map(here.map((id) => [id, six(0.25, 0.25, 0.25, 0.5)]))));
  },
);

property(
  '[R7.1.5] one bit a slice: where it says empty, nothing is; and with one box it says so',
  200,
  (rng, i) => {
    const names = Object.keys(REGIMES);
    const make = REGIMES[names[i % names.length]!]!;
    const grid = new BitGrid({ cell: rng.pick([0.1, 1, 10]) });
    const boxes = new Map<number, Six>();
    for (let step = 0; step < 60; step++) {
      const id = rng.int(0, 12);
      if (boxes.has(id) && rng.chance(0.5)) {
        grid.remove(id);
        boxes.delete(id);
      } else if (boxes.has(id)) {
        boxes.set(id, make(rng));
        grid.move(id, recordOf(boxes.get(id)!));
      } else {
        boxes.set(id, make(rng));
        grid.add(id, recordOf(boxes.get(id)!));
      }
      const around = make(rng);
      const isEmpty = ![...boxes.values()].some((box) => overlap(box, around));
      if (grid.isSurelyEmpty(recordOf(around))) check(isEmpty, 'there is something');
      if (boxes.size === 0) check(grid.isSurelyEmpty(recordOf(around)), 'there is nothing at all');
    }
  },
);

test('[R7.1.5] one bit a slice tells what is far apart', () => {
  const grid = new BitGrid({ cell: 1 });
  grid.add(0, recordOf(six(0, 0, 0, 1)));
  expect(grid.isSurelyEmpty(recordOf(six(5, 0, 0, 1)))).toBe(true);
  expect(grid.isSurelyEmpty(recordOf(six(0, 5, 5, 1)))).toBe(true);
  expect(grid.isSurelyEmpty(recordOf(six(0.5, -9, -9, 20)))).toBe(false);
  expect(() => new BitGrid({ cell: 0 })).toThrow(/options.cell/);
});

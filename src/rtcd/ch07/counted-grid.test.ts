import { expect, test } from 'vitest';
import { recordOf, type Six, six } from '../../../tests/kit/box-corpus.ts';
import { testBroadPhase } from '../../../tests/kit/broad-phase.ts';
import { Rng } from '../../../tests/kit/index.ts';
import { CountedGrid } from './counted-grid.ts';

testBroadPhase('CountedGrid', '[R7.2.2]', () => new CountedGrid({ cell: 0.25 }), 30, 200);

test('[R7.2.2] after 10,000 moves the counters are those of a grid that was made anew', () => {
  const rng = new Rng(8);
  const draw = (): Six => six(rng.range(-4, 4), rng.range(-4, 4), rng.int(-2, 2), 2 ** rng.int(-4, 2));
  const grid = new CountedGrid({ cell: 0.25, levels: 5 });
  const boxes = Array.from({ length: 40 }, draw);
  boxes.forEach((box, id) => void grid.add(id, recordOf(box)));
  for (let step = 0; step < 10_000; step++) {
    const id = rng.int(0, 39);
    const by = rng.range(-0.2, 0.2);
    const [ax, ay, az, bx, by0, bz] = boxes[id]!;
    boxes[id] = rng.chance(0.1) ? draw() : [ax + by, ay, az, bx + by, by0, bz];
    if (rng.chance(0.05)) {
      grid.remove(id);
      grid.add(id, recordOf(boxes[id]!));
    } else grid.move(id, recordOf(boxes[id]!));
  }
  const anew = new CountedGrid({ cell: 0.25, levels: 5 });
  boxes.forEach((box, id) => void anew.add(id, recordOf(box)));
  let none = 0;
  for (let a = 0; a < 40; a++)
    for (let b = a + 1; b < 40; b++) {
      expect(grid.sharedCells(a, b)).toBe(anew.sharedCells(b, a));
      none += +(grid.sharedCells(a, b) === 0);
    }
  expect(none).toBeGreaterThan(100);
  expect((grid as unknown as { shared: Map<number, number> }).shared.size).toBe(780 - none);
});

test('CountedGrid refuses what cannot be meant', () => {
  expect(() => new CountedGrid({ cell: 0 })).toThrow(/options.cell/);
  expect(() => new CountedGrid({ cell: 1, levels: 0 })).toThrow(/options.levels/);
});

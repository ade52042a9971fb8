/** The uniform grid in all its ways, against a test of every two. */
import { expect, test } from 'vitest';
import { overlap, REGIMES, recordOf, type Six, six } from '../../../tests/kit/box-corpus.ts';
import { bruteForce, comparePairs, testBroadPhase } from '../../../tests/kit/broad-phase.ts';
import { check, property, Rng } from '../../../tests/kit/index.ts';
import { testLongRun } from '../../../tests/kit/long-run.ts';
import { makePairList } from '../../broadphase/pair-list.ts';
import {
  type CellTable,
  ChainedCells,
  DenseCells,
  ProbedCells,
  SharedCells,
  WrappedCells,
} from './cell-tables.ts';
import { type GridPlacement, UniformGrid } from './uniform-grid.ts';

const TABLES: Record<string, () => CellTable> = {
  '[R7.1.2] dense': () => new DenseCells([-4, -4, -4], [8, 8, 8]),
  '[R7.1.3] chained': () => new ChainedCells(64),
  '[R7.1.3] chained in one bucket': () => new ChainedCells(1),
  '[R7.1.3] probed': () => new ProbedCells(),
  '[R7.1.3] probed from one place on': () => new ProbedCells(1),
  '[R7.1.3] shared by 7': () => new SharedCells(7),
  '[R7.1.3] shared by 1': () => new SharedCells(1),
  '[R7.1.3] wrapped': () => new WrappedCells([4, 7, 1]),
  '[R7.1.3] wrapped into one': () => new WrappedCells([1, 1, 1]),
};
const PLACEMENTS: readonly GridPlacement[] = ['center', 'corner', 'cells'];

for (const [title, table] of Object.entries(TABLES))
  for (const placement of PLACEMENTS) {
    const [row, ...words] = title.split(' ');
    testBroadPhase(
      `${words.join(' ')}, by ${placement}`,
      `${row} [R7.1.6.1] [R7.1.6.2]`,
      () => new UniformGrid({ cell: 1, placement, table: table() }),
      10,
      150,
    );
  }

testLongRun(
  'UniformGrid, dense',
  '[R7.1.2]',
  () => new UniformGrid({ cell: 1, table: new DenseCells([-4, -4, -4], [8, 8, 8]) }),
  100_000,
);
testLongRun(
  'UniformGrid, probed, by corner',
  '[R7.1.3] [R7.1.6.1]',
  () => new UniformGrid({ cell: 1, placement: 'corner', table: new ProbedCells() }),
);
testLongRun(
  'UniformGrid, seven shared lists, by cells',
  '[R7.1.3] [R7.1.6.1]',
  () => new UniformGrid({ cell: 1, placement: 'cells', table: new SharedCells(7) }),
);

test('[R7.1.2] dense: a box goes in, moves and goes out in constant time, however many share its cell', () => {
  const grid = new UniformGrid({ cell: 1, table: new DenseCells([-4, -4, -4], [8, 8, 8]) });
  const n = 50_000;
  for (let id = 0; id < n; id++) grid.add(id, recordOf(six(0.2, 0.2, 0.2, 0.5)));
  // In the order in which they came, and the other way round: lists with links in one direction would be walked.
  for (let id = 0; id < n; id += 2) grid.move(id, recordOf(six(2.2, 0.2, 0.2, 0.5)));
  for (let id = n - 1; id > 0; id -= 2) grid.remove(id);
  for (let id = 0; id < n; id += 2) grid.remove(id);
  expect(grid.size).toBe(0);
});

test('[R7.1.6.1] a box of the size of a cell looks at 27 cells by centre, 27 by corner, 8 by cells, at most', () => {
  const most = { center: 27, corner: 27, cells: 8 };
  for (const placement of PLACEMENTS) {
    // One entry in every cell around, so that lists that are looked at are cells that are looked at.
    const grid = new UniformGrid({ cell: 1, placement });
    let id = 0;
    for (let x = -3; x <= 3; x++)
      for (let y = -3; y <= 3; y++)
        for (let z = -3; z <= 3; z++) grid.add(id++, recordOf(six(x + 0.4, y + 0.4, z + 0.4, 0.2)));
    const rng = new Rng(2);
    let [least, largest] = [Infinity, 0];
    for (let k = 0; k < 300; k++) {
      grid.lists = 0;
      const at = () => rng.pick([0, 0.5, rng.range(-1, 1)]);
      grid.searchBox(recordOf(six(at(), at(), at(), rng.pick([0.999, 0.5, 0]))), () => {});
      [least, largest] = [Math.min(least, grid.lists), Math.max(largest, grid.lists)];
    }
    expect(largest, placement).toBeLessThanOrEqual(most[placement]);
    // By corner: always the lower neighbours, the upper ones only when their border is crossed.
    expect(least, placement).toBe({ center: 8, corner: 8, cells: 1 }[placement]);
  }
});

test('[R7.1.6.2] half the neighbours: 13 and the own cell, each pair once', () => {
  for (const placement of ['center', 'corner'] as const) {
    const grid = new UniformGrid({ cell: 1, placement });
    let id = 0;
    const boxes = new Map<number, Six>();
    for (let x = 0; x < 4; x++)
      for (let y = 0; y < 4; y++)
        for (let z = 0; z < 4; z++) {
          boxes.set(id, six(x + 0.5, y + 0.5, z + 0.5, 0.9));
          grid.add(id, recordOf(boxes.get(id++)!));
        }
    grid.lists = 0;
    comparePairs(grid, bruteForce(boxes));
    expect(grid.lists).toBeLessThanOrEqual(13 * 64);
  }
});

property(
  '[R7.1.7] refill: pairs are found while boxes are added; groups against each other',
  150,
  (rng, i) => {
    const names = Object.keys(REGIMES);
    const make = REGIMES[names[i % names.length]!]!;
    const grid = new UniformGrid({
      cell: rng.pick([0.3, 1, 8]),
      placement: rng.pick(PLACEMENTS),
      table: rng.pick(Object.values(TABLES))(),
    });
    const list = makePairList();
    for (let frame = 0; frame < 3; frame++) {
      const [first, second] = [0, 1].map(() =>
        Array.from({ length: rng.pick([0, 1, 2, 60]) }, () => make(rng)),
      );
      const count = grid.refill(Float64Array.from(first!.flat()), list);
      const told = new Set<number>();
      for (let k = 0; k < count; k++) {
        check(list.ids[2 * k]! < list.ids[2 * k + 1]!, 'the one that was there comes first');
        told.add(1000 * list.ids[2 * k]! + list.ids[2 * k + 1]!);
      }
      check(told.size === count, 'a pair came twice');
      let wanted = 0;
      first!.forEach((a, k) => {
        for (let l = 0; l < k; l++) {
          wanted += +overlap(a, first![l]!);
          check(told.has(1000 * l + k) === overlap(a, first![l]!), 'which');
        }
      });
      check(count === wanted, () => `${count} and not ${wanted}`);
      const cross = grid.collectPairsWith(Float64Array.from(second!.flat()), list);
      check(grid.size === first!.length, 'the second group is never added');
      const found = new Set<number>();
      for (let k = 0; k < cross; k++) found.add(1000 * list.ids[2 * k]! + list.ids[2 * k + 1]!);
      check(found.size === cross, 'a pair came twice');
      first!.forEach((a, k) => {
        second!.forEach(
          (b, l) => void check(found.has(1000 * k + l) === overlap(a, b), 'which of the groups'),
        );
      });
    }
  },
);

test('[R7.1.3] open addressing: after a million cells that came and went, few places are looked at', () => {
  const cells = new ProbedCells();
  const rng = new Rng(9);
  const live: [number, number, number][] = [];
  for (let i = 0; i < 300; i++) live.push([rng.int(-9, 9), rng.int(-9, 9), i]);
  for (const [x, y, z] of live) cells.heads[cells.make(x, y, z)] = z;
  for (let step = 0; step < 1_000_000; step++) {
    const at = step % live.length;
    const [x, y, z] = live[at]!;
    cells.release(x, y, z);
    live[at] = [rng.int(-1000, 1000), rng.int(-1000, 1000), z];
    cells.heads[cells.make(live[at]![0], live[at]![1], z)] = z;
  }
  cells.probes = 0;
  for (const [x, y, z] of live) expect(cells.heads[cells.find(x, y, z)]).toBe(z);
  expect(cells.probes).toBeLessThan(2 * live.length);
  cells.probes = 0;
  for (let i = 0; i < 1000; i++) expect(cells.find(5000 + i, 0, -i)).toBe(-1);
  expect(cells.probes).toBeLessThan(4000);
});

test('[R7.1.3] numbers of cells: negative ones, and those beyond 2^31 (Trap 5)', () => {
  for (const table of Object.values(TABLES))
    for (const placement of PLACEMENTS) {
      const grid = new UniformGrid({ cell: 1e-3, placement, table: table() });
      const boxes: Six[] = [
        six(-1e-4, -1e-4, -1e-4, 1e-4),
        six(0, 0, 0, 1e-4),
        six(2 ** 31 * 1e-3, 0, 0, 1e-4),
        six(2 ** 31 * 1e-3, 0, 0, 0),
        six(-(2 ** 53), 2 ** 53, 1e60, 0),
        six(-(2 ** 53), 2 ** 53, 1e60, 1),
        six(-(2 ** 53), 2 ** 53, 2e60, 1e-4),
      ];
      boxes.forEach((box, id) => void grid.add(id, recordOf(box)));
      comparePairs(grid, bruteForce(new Map(boxes.map((box, id) => [id, box]))));
    }
});

test('[R7.1.3] cells that share a list are looked at once (Trap 6); a grid that wraps does so for negative cells, too', () => {
  for (const table of [new SharedCells(1), new WrappedCells([1, 1, 1])]) {
    const grid = new UniformGrid({ cell: 1, placement: 'cells', table });
    for (let id = 0; id < 300; id++) grid.add(id, recordOf(six(id % 7, id % 5, id % 3, 0.5)));
    grid.lists = 0;
    grid.searchBox(recordOf([0, 0, 0, 5, 5, 5]), () => {});
    expect(grid.lists).toBe(1);
  }
  const cells = new WrappedCells([4, 3, 1]);
  expect(cells.find(-1, 0, 0)).toBe(cells.find(3, 0, 7));
  expect(cells.find(-4, -3, 0)).toBe(cells.find(0, 0, 0));
  expect(new Set([-2, -1, 0, 1].map((x) => cells.find(x, 1, 0))).size).toBe(4);
});

test('UniformGrid refuses what cannot be meant', () => {
  expect(() => new UniformGrid({ cell: 0 })).toThrow(/options.cell/);
  expect(() => new UniformGrid({ cell: Number.NaN })).toThrow(/options.cell/);
  expect(() => new UniformGrid({ cell: 1, placement: 'edge' as 'cells' })).toThrow(/options.placement/);
  expect(() => new SharedCells(0)).toThrow(/size/);
  expect(() => new WrappedCells([1, 0, 1])).toThrow(/wide\[1\]/);
  expect(() => new DenseCells([0, 0.5, 0], [1, 1, 1])).toThrow(/first\[1\]/);
  expect(() => new ChainedCells(0)).toThrow(/buckets/);
  expect(() => new ProbedCells(-1)).toThrow(/size/);
});

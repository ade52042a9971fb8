/** All ways to find boxes, against a test of every two. */
import { expect, test } from 'vitest';
import { overlap, REGIMES, recordOf, type Six, six } from '../../tests/kit/box-corpus.ts';
import {
  bruteForce,
  comparePairs,
  compareSearches,
  type Finder,
  sorted,
  testBroadPhase,
  testFinder,
} from '../../tests/kit/broad-phase.ts';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { testLongRun } from '../../tests/kit/long-run.ts';
import type { rayAabb } from '../primitives/ray/index.ts';
import type { Aabb } from '../primitives/types.ts';
import type { PairVisitor } from './broad-phase.ts';
import { DynamicTree } from './dynamic-tree.ts';
import { validateDynamicTree } from './dynamic-validation.ts';
import {
  BitGrid,
  HierarchicalGrid,
  IncrementalSweep,
  LooseOctree,
  makePairList,
  SortAndSweep,
  TreeBroadPhase,
} from './index.ts';

/** The dynamic tree by the numbers of the owner. */
class Tree implements Finder {
  readonly tree = new DynamicTree();
  readonly proxies = new Map<number, number>();
  get size(): number {
    return this.tree.size;
  }
  add(id: number, box: Aabb): void {
    this.proxies.set(id, this.tree.insert(box, id));
  }
  move(id: number, box: Aabb): void {
    this.tree.move(this.proxies.get(id)!, box);
  }
  moveMany(ids: ArrayLike<number>, boxes: Float64Array): void {
    this.tree.moveMany(
      Array.from(ids, (id) => this.proxies.get(id)!),
      boxes,
    );
    expect(validateDynamicTree(this.tree)).toEqual([]);
  }
  remove(id: number): void {
    this.tree.remove(this.proxies.get(id)!);
    this.proxies.delete(id);
  }
  pairs(visit: PairVisitor): void {
    this.tree.pairs(visit);
  }
  collectPairs(out: { ids: Int32Array }): number {
    const count = this.tree.collectPairs(out);
    for (let i = 0; i < 2 * count; i++) out.ids[i] = this.tree.data(out.ids[i]!);
    return count;
  }
  searchBox(box: Aabb, visit: (id: number) => unknown): void {
    this.tree.query(box, visit);
  }
  searchRay(
    ray: Parameters<typeof rayAabb>[0],
    tMax: number,
    visit: (id: number, t: number) => unknown,
  ): void {
    this.tree.raycast(ray, tMax, visit);
  }
  clear(): void {
    this.tree.clear();
    this.proxies.clear();
  }
}

testBroadPhase('SortAndSweep', '[R7.5.2]', () => new SortAndSweep());
testBroadPhase('HierarchicalGrid', '[R7.2.1] [R7.2.2]', () => new HierarchicalGrid());
testBroadPhase('IncrementalSweep', '[R7.5.1]', () => new IncrementalSweep());
for (const axes of ['xy', 'xz', 'yz'] as const)
  testBroadPhase(`IncrementalSweep on ${axes}`, '[R7.5.1]', () => new IncrementalSweep({ axes }), 25, 300);
test('[R7.5.1] IncrementalSweep: under coherent motion ends change places about as often as there are boxes', () => {
  const rng = new Rng(6);
  for (const n of [500, 1000, 2000]) {
    // In a line: each box passes as many others as it moves over, however many there are.
    const finder = new IncrementalSweep();
    const boxes = Float64Array.from({ length: 6 * n }, (_, i) => {
      const at = i % 3 === 0 ? 2 * Math.floor(i / 6) : 0;
      return at + (i % 6 > 2 ? 1 : 0);
    });
    const ids = Int32Array.from({ length: n }, (_, i) => i);
    for (const id of ids) finder.add(id, recordOf(boxes.subarray(6 * id, 6 * id + 6) as unknown as Six));
    const list = makePairList();
    finder.collectPairs(list);
    for (let frame = 0; frame < 5; frame++) {
      for (let i = 0; i < n; i++) {
        const by = rng.range(-0.7, 0.7);
        boxes[6 * i]! += by;
        boxes[6 * i + 3]! += by;
      }
      finder.swaps = 0;
      finder.moveMany(ids, boxes);
      comparePairs(
        finder,
        bruteForce(new Map(Array.from(ids, (i) => [i, boxes.subarray(6 * i, 6 * i + 6) as unknown as Six]))),
      );
      expect(finder.swaps).toBeLessThan(4 * n);
    }
    // Nothing moved: nothing is looked at.
    finder.swaps = 0;
    finder.collectPairs(list);
    expect(finder.swaps).toBe(0);
    // One of them: no more than it passes.
    finder.move(7, recordOf([20, 0, 0, 21, 1, 1]));
    finder.collectPairs(list);
    expect(finder.swaps).toBeLessThan(60);
    // Wherever it stands in the order, and down as well as up.
    for (const low of [2 * n - 40, 2 * n - 30, 2 * n - 45]) {
      finder.move(n - 20, recordOf([low, 0, 0, low + 1, 1, 1]));
      finder.swaps = 0;
      finder.collectPairs(list);
      expect(finder.swaps).toBeLessThan(80);
    }
  }
});

testBroadPhase('LooseOctree', '[R7.3.6]', () => new LooseOctree());
testFinder('DynamicTree', '[R6.2.3]', () => new Tree());

testLongRun('TreeBroadPhase', '[R6.2.3]', () => new TreeBroadPhase());
testLongRun('SortAndSweep', '[R7.5.2]', () => new SortAndSweep());
testLongRun('IncrementalSweep', '[R7.5.1]', () => new IncrementalSweep());
testLongRun('HierarchicalGrid', '[R7.2.1] [R7.2.2]', () => new HierarchicalGrid());
testLongRun('LooseOctree', '[R7.3.6]', () => new LooseOctree());
testLongRun('BitGrid', '[R7.1.5]', () => new BitGrid({ cell: 1 }));

test('[R7.2.1] HierarchicalGrid: a box is on the lowest level whose cells are as large as it is, below zero, too (Trap 5)', () => {
  const finder = new HierarchicalGrid();
  const rng = new Rng(9);
  const { cells } = finder as unknown as { cells: { cells: Int32Array; levels: number[] } };
  const levels = new Set<number>();
  for (let id = 0; id < 60; id++) {
    const size = 2 * 10 ** rng.range(-3, 3);
    const at = [rng.range(-50, 50), rng.range(-50, 50), rng.range(-50, 50)] as const;
    finder.add(id, recordOf(six(...at, size)));
    const level = cells.cells[4 * id + 3]!;
    const side = 2 ** (level - 1000);
    levels.add(level);
    expect(size).toBeLessThanOrEqual(side);
    expect(size).toBeGreaterThan(side / 2);
    // The same floor for what goes in and what is searched for, on both sides of zero.
    at.forEach((low, k) => void expect(cells.cells[4 * id + k]).toBe(Math.floor(low / side)));
  }
  expect(cells.levels).toEqual([...levels].sort((a, b) => a - b));
  for (let id = 0; id < 60; id++) finder.remove(id);
  expect(cells.levels).toEqual([]);
});

property('[R7.2.1] HierarchicalGrid: what is found on both sides of zero (Trap 5)', 300, (rng) => {
  const finder = new HierarchicalGrid();
  const boxes = new Map<number, Six>();
  // Truncated, coordinates from -1 to 1 have the same cell.
  const at = () => rng.pick([-1.5, -1, -0.75, -0.5, -0.25, -2e-9, 0, 0.25]);
  for (let id = 0; id < 25; id++) {
    boxes.set(id, six(at(), at(), at(), rng.pick([0, 0.25, 0.5, 0.75])));
    finder.add(id, recordOf(boxes.get(id)!));
  }
  comparePairs(finder, bruteForce(boxes));
  for (let k = 0; k < 10; k++) compareSearches(finder, boxes, rng, six(at(), at(), at(), 0.25));
});

property(
  '[R7.2.1] HierarchicalGrid: pairs of a level once, however cells share the table, and those of lower levels once (Trap 6)',
  400,
  (rng) => {
    const finder = new HierarchicalGrid();
    const boxes = new Map<number, Six>();
    // So few that the table has 16 places, for cells all over space and on several levels.
    const spread = rng.pick([1, 3, 40]);
    const n = rng.int(2, 20);
    for (let id = 0; id < n; id++) {
      const at = () => rng.range(-spread, spread);
      boxes.set(id, six(at(), at(), at(), rng.pick([0.6, 0.9, 1.2, 5, 18])));
      finder.add(id, recordOf(boxes.get(id)!));
    }
    const told: string[] = [];
    finder.pairs((a, b) => void told.push(`${Math.min(a, b)} ${Math.max(a, b)}`));
    check(new Set(told).size === told.length, 'a pair came twice');
    comparePairs(finder, bruteForce(boxes));
    for (const box of boxes.values()) {
      const found: number[] = [];
      finder.searchBox(recordOf(box), (id) => void found.push(id));
      const wanted = [...boxes].flatMap(([id, other]) => (overlap(box, other) ? [id] : []));
      check(sorted(found) === sorted(wanted), () => `${sorted(found)} and not ${sorted(wanted)}`);
    }
  },
);

test('[R7.5.1] IncrementalSweep: every way in which two boxes come and move, touching and enclosing (Trap 9)', () => {
  const spans = [0, 1, 2, 3, 4].flatMap((a) =>
    [0, 1, 2, 3, 4].filter((b) => b >= a).map((b) => [a, b] as const),
  );
  const along = (axis: number, [a, b]: readonly [number, number]): Six => {
    const box = [0, 0, 0, 1, 1, 1] as [number, number, number, number, number, number];
    box[axis] = a;
    box[axis + 3] = b;
    return box;
  };
  const list = makePairList();
  // Of few boxes one that moves has all sorted, of many it moves alone.
  for (const [axis, others] of [0, 1, 2].flatMap((k) => [[k, 2] as const, [k, 12] as const]))
    for (const first of spans) {
      const finder = new IncrementalSweep();
      // Others on both sides: the scan of what is put in does not end with them.
      for (let id = 8; id < 8 + others; id++)
        finder.add(id, recordOf(along(axis, id % 2 === 0 ? [-3 * id, 1 - 3 * id] : [3 * id, 3 * id + 1])));
      finder.add(0, recordOf(along(axis, first)));
      expect(finder.collectPairs(list)).toBe(0);
      for (const second of spans) {
        finder.add(1, recordOf(along(axis, second)));
        for (const third of [second, ...spans]) {
          finder.move(1, recordOf(along(axis, third)));
          const meet = first[0] <= third[1] && third[0] <= first[1];
          if (finder.collectPairs(list) !== +meet) throw new Error(`${first} and ${third} after ${second}`);
        }
        finder.remove(1);
        expect(finder.collectPairs(list)).toBe(0);
      }
    }
});

const KINDS = { IncrementalSweep, SortAndSweep, HierarchicalGrid, DynamicTree: Tree, LooseOctree };

test('[R7.5.2] SortAndSweep sorts along the axis on which boxes are spread out', () => {
  const finder = new SortAndSweep();
  const rng = new Rng(5);
  const ids = Int32Array.from({ length: 500 }, (_, i) => i);
  for (const id of ids) finder.add(id, recordOf([0, 0, 0, 0, 0, 0]));
  for (const axis of [0, 1, 2, 0]) {
    const given = Array.from(ids, (): Six => {
      const [x, y, z] = [0, 1, 2].map((k) => rng.range(0, k === axis ? 100 : 1)) as [number, number, number];
      return six(x, y, z, 0.2);
    });
    finder.moveMany(ids, Float64Array.from(given.flat()));
    comparePairs(finder, bruteForce(new Map(given.map((box, id) => [id, box]))));
    expect(finder.axis).toBe(axis);
  }
});

for (const kind of ['IncrementalSweep', 'SortAndSweep', 'HierarchicalGrid', 'DynamicTree'] as const)
  test(`${kind}: boxes that fill and leave all of space, frame by frame`, () => {
    const finder: Finder = new KINDS[kind]();
    const rng = new Rng(11);
    for (let frame = 0; frame < 4; frame++) {
      const boxes = new Map(
        Array.from({ length: 150 }, (_, id): [number, Six] => [id, REGIMES['far away']!(rng)]),
      );
      for (const [id, box] of boxes) finder.add(id, recordOf(box));
      comparePairs(finder, bruteForce(boxes));
      finder.clear();
    }
  });

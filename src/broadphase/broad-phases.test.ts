/** All ways to find boxes, against a test of every two. */
import { expect, test } from 'vitest';
import { REGIMES, recordOf, type Six, six } from '../../tests/kit/box-corpus.ts';
import {
  bruteForce,
  comparePairs,
  type Finder,
  testBroadPhase,
  testFinder,
} from '../../tests/kit/broad-phase.ts';
import { Rng } from '../../tests/kit/index.ts';
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

test('[R7.2.1] HierarchicalGrid: a box is on the lowest level whose cells are as large as it is, below zero, too', () => {
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

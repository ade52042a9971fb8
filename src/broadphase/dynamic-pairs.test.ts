/** Pairs of a dynamic tree that are kept while few boxes change, against a test of every two. */
import { expect, test } from 'vitest';
import { REGIMES, recordOf, type Six, six } from '../../tests/kit/box-corpus.ts';
import { comparePairs, truePairs } from '../../tests/kit/broad-phase.ts';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { validateDynamicTree } from './dynamic-validation.ts';
import { DynamicTree, TreeBroadPhase } from './index.ts';
import { makePairList } from './pair-list.ts';

const NAMES = Object.keys(REGIMES);

const shifted = (box: Six, by: number): Six => box.map((x) => x + by) as unknown as Six;

property(
  '[R6.2.3] few of many boxes move, jump, come and go: the pairs of a test of every two',
  40,
  (rng, i) => {
    const draw = REGIMES[NAMES[i % NAMES.length]!]!;
    const finder = new TreeBroadPhase();
    const boxes = new Map<number, Six>();
    const add = (id: number): void => {
      const box = draw(rng);
      boxes.set(id, box);
      finder.add(id, recordOf(box));
    };
    const moveSome = (share: number): void => {
      const ids = [...boxes.keys()].filter(() => rng.chance(share));
      const moved = ids.map((id) =>
        rng.chance(0.1) ? draw(rng) : shifted(boxes.get(id)!, rng.pick([0, 0.01, -0.2])),
      );
      if (rng.chance(0.8)) finder.moveMany(ids, Float64Array.from(moved.flat()));
      else ids.forEach((id, k) => void finder.move(id, recordOf(moved[k]!)));
      ids.forEach((id, k) => void boxes.set(id, moved[k]!));
    };
    for (let id = 0; id < 120; id++) add(3 * id);
    for (let frame = 0; frame < 25; frame++) {
      // Pairs are not asked for in each frame; now and then all boxes move.
      moveSome(rng.pick([0, 0.01, 0.05, 0.05, 0.1, rng.chance(0.2) ? 1 : 0.02]));
      const id = rng.pick([...boxes.keys()]);
      const what = rng.pick(['nothing', 'nothing', 'goes', 'goes and comes', 'comes', 'all go']);
      if (what === 'goes' || what === 'goes and comes') {
        finder.remove(id);
        boxes.delete(id);
      }
      if (what === 'goes and comes') add(id);
      if (what === 'comes') add(1000 + frame);
      if (what === 'all go' && rng.chance(0.1)) {
        finder.clear();
        boxes.clear();
        for (let k = 0; k < 60; k++) add(k);
      }
      const faults = validateDynamicTree(finder.tree);
      check(faults.length === 0, () => faults.join());
      if (rng.chance(0.2)) continue;
      const wanted = truePairs(boxes);
      comparePairs(finder, wanted);
      if (rng.chance(0.2)) comparePairs(finder, wanted);
      if (rng.chance(0.3)) {
        let told = 0;
        finder.pairs(() => {
          if (told++ === 0) comparePairs(finder, wanted);
        });
        check(told === wanted.size, 'pairs told');
      }
    }
  },
);

/** The sum of the areas of all nodes, which is what searches pay for. */
function areaOf(tree: DynamicTree): number {
  let sum = 0;
  tree.visitNodes(({ min, max }) => {
    const [x, y, z] = [max.x - min.x, max.y - min.y, max.z - min.z];
    sum += x * y + y * z + z * x;
  });
  return sum;
}

for (const jumps of [false, true])
  test(`of 400 boxes 20 ${jumps ? 'jump' : 'wander'} for a long time: the tree stays about as good as a new one`, () => {
    const rng = new Rng(8);
    const tree = new DynamicTree();
    const draw = (): Six => six(rng.range(0, 20), rng.range(0, 20), rng.range(0, 20), 1);
    const boxes = Array.from({ length: 400 }, draw);
    tree.insertMany(boxes.flat());
    const movers = Array.from({ length: 20 }, (_, i) => i);
    const steps = movers.map(() => rng.range(-0.4, 0.4));
    for (let frame = 0; frame < 400; frame++) {
      for (const i of movers) {
        boxes[i] = jumps ? draw() : shifted(boxes[i]!, steps[i]!);
        if (Math.min(...boxes[i]!) < 0 || Math.max(...boxes[i]!) > 21) steps[i] = -steps[i]!;
      }
      tree.moveMany(movers, Float64Array.from(movers.flatMap((i) => boxes[i]!)));
    }
    expect(validateDynamicTree(tree)).toEqual([]);
    const area = areaOf(tree);
    tree.rebuild();
    expect(area / areaOf(tree)).toBeLessThan(1.6);
  });

test('many boxes make a new tree if they are as many as there were, and are put into the old one if not', () => {
  const rng = new Rng(10);
  const draw = (n: number): number[] =>
    Array.from({ length: n }, () => six(rng.range(0, 30), rng.range(0, 30), rng.range(0, 30), 1)).flat();
  const [first, second] = [draw(500), draw(500)];
  const areaBy = (n: number, method?: 'rebuild' | 'shuffled'): number => {
    const tree = new DynamicTree();
    tree.insertMany(first);
    tree.insertMany(second.slice(0, 6 * n), method ? { method } : {});
    return areaOf(tree);
  };
  expect(areaBy(500)).toBe(areaBy(500, 'rebuild'));
  expect(areaBy(499)).toBe(areaBy(499, 'shuffled'));
  expect(areaBy(499)).not.toBe(areaBy(499, 'rebuild'));
});

test('boxes that were added one by one stand in about as good a tree as a new one, once some move', () => {
  const rng = new Rng(9);
  const tree = new DynamicTree();
  const draw = (): Six => six(rng.range(0, 30), rng.range(0, 30), rng.range(0, 30), 1);
  for (let i = 0; i < 3000; i++) tree.insert(recordOf(draw()));
  const before = areaOf(tree);
  tree.moveMany([5], Float64Array.from(draw()));
  expect(validateDynamicTree(tree)).toEqual([]);
  const after = areaOf(tree);
  tree.rebuild();
  expect(after / areaOf(tree)).toBeLessThan(1.3);
  expect(after).toBeLessThan(before);
});

test('a frame in which few boxes move leaves the pairs of the others where they were in the list', () => {
  const rng = new Rng(3);
  const finder = new TreeBroadPhase();
  const boxes = Array.from({ length: 300 }, () => REGIMES['even']!(rng));
  boxes.forEach((box, id) => void finder.add(id, recordOf(box)));
  const list = makePairList();
  finder.collectPairs(list);
  finder.move(7, recordOf(boxes[7]!));
  finder.collectPairs(list);
  const before: string[] = [];
  for (let i = 0, n = finder.collectPairs(list); i < n; i++)
    before.push(`${list.ids[2 * i]} ${list.ids[2 * i + 1]}`);
  finder.moveMany([7, 9], Float64Array.from([...boxes[9]!, ...boxes[7]!]));
  const after: string[] = [];
  for (let i = 0, n = finder.collectPairs(list); i < n; i++)
    after.push(`${list.ids[2 * i]} ${list.ids[2 * i + 1]}`);
  const kept = before.filter((pair) => !/\b[79]\b/.test(pair));
  expect(after.slice(0, kept.length)).toEqual(kept);
  expect(after.length).toBeGreaterThan(kept.length);
});

import { expect, test } from 'vitest';
import { check, property } from '../../../tests/kit/index.ts';
import {
  bruteForce,
  chainTree,
  completeTree,
  KINDS,
  soup,
  treeOver,
} from '../../../tests/kit/sample-trees.ts';
import { makeTreeCounters } from '../../trees/counters.ts';
import { treePairs } from '../../trees/pair-search.ts';
import { leafPairs } from './leaf-pairs.ts';

property('[R6.3.4] the pairs of the generic search, each leaf of a entered once', 400, (rng, k) => {
  const ops = KINDS[k % KINDS.length]!;
  const a = soup(rng, 16);
  const b = rng.chance(0.5) ? soup(rng, 16) : a;
  const pose = rng.chance(0.7) ? { position: rng.vec(0.5), quaternion: rng.rotation() } : undefined;
  const treeA = treeOver(ops, a, rng.int(2, 4), rng.int(1, 3));
  const treeB = treeOver(ops, b, rng.int(2, 4), rng.int(1, 3));
  const meets = bruteForce(a, b, pose);
  const wanted: string[] = [];
  treePairs(treeA, treeB, (i, j) => meets[i]![j] && void wanted.push(`${i} ${j}`), { pose });
  const found: string[] = [];
  const entered: number[] = [];
  const counters = makeTreeCounters();
  leafPairs(
    treeA,
    treeB,
    (i, j) => {
      const leaf = entered.at(-1)!;
      check(
        treeA.items.slice(treeA.first[leaf], treeA.first[leaf + 1]).includes(i),
        'not in the leaf at hand',
      );
      if (meets[i]![j]) found.push(`${i} ${j}`);
    },
    { pose, counters, enterLeaf: (leaf) => void entered.push(leaf) },
  );
  check(found.sort().join() === wanted.sort().join(), `${found} instead of ${wanted}`);
  check(new Set(entered).size === entered.length, 'a leaf was entered twice');
  for (const leaf of entered) check(treeA.skip[leaf] === leaf + 1, 'not a leaf');
  // The root of b is posed once for all, and each leaf of a once.
  check(counters.updates <= entered.length + 1, `${counters.updates} for ${entered.length} leaves`);
});

test('[R6.3.4] spheres: as many transformations as leaves, where the generic search needs more', () => {
  const items = Array.from({ length: 64 }, (_, i) => [
    { x: i, y: 0, z: 0 },
    { x: i + 1, y: 3, z: 0 },
    { x: i, y: 0, z: 3 },
  ]);
  const tree = treeOver(KINDS[1]!, items);
  const pose = { position: { x: 0.5, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  const direct = makeTreeCounters();
  leafPairs(tree, tree, () => false, { pose, counters: direct });
  const generic = makeTreeCounters();
  treePairs(tree, tree, () => false, { pose, counters: generic });
  expect(direct.updates).toBe(65);
  expect(generic.updates).toBeGreaterThan(2 * direct.updates);
  // Spheres of parents do not hold those of their children, so only the same way down has the same candidates.
  const same = makeTreeCounters();
  treePairs(tree, tree, () => false, { pose, counters: same, descend: 'a' });
  expect(direct.itemTests).toBe(same.itemTests);
});

test('[R6.3.4] as many tests as the rule it follows; ends at once; depth is no concern', () => {
  for (const n of [1, 2, 5]) {
    const counters = makeTreeCounters();
    leafPairs(completeTree(n), completeTree(n), () => false, { counters });
    expect(counters.volumeTests).toBe(2 ** (2 * n - 1) - 1);
  }
  const counters = makeTreeCounters();
  expect(leafPairs(completeTree(4), completeTree(4), () => true, { counters })).toBe(true);
  expect(counters.itemTests).toBe(1);
  expect(counters.volumeTests).toBe(7);
  let pairs = 0;
  leafPairs(completeTree(1), chainTree(100_000), () => void pairs++);
  expect(pairs).toBe(2);
});

import { describe, expect, test } from 'vitest';
import { aabbVolume } from '../volumes/aabb-volume.ts';
import { makeTreeCounters, treeCost } from './counters.ts';
import { boxItems } from './items.ts';
import { queryTree } from './query.ts';
import { fitTree, makeTreeRefitter, refitTree } from './refit.ts';

// Unit cubes at x = 0, 2, 10, 12 under a root with two inner nodes: seven nodes.
const items = boxItems([0, 2, 10, 12].flatMap((x) => [x, 0, 0, x + 1, 1, 1]));
const topology = {
  skip: Uint32Array.of(7, 4, 3, 4, 7, 6, 7),
  first: Uint32Array.of(0, 0, 0, 1, 2, 2, 3, 4),
  items: Uint32Array.of(0, 1, 2, 3),
};
const boxAt = (low: number, high: number) => ({ min: { x: low, y: 0, z: 0 }, max: { x: high, y: 1, z: 1 } });

describe('[R6.1.2] what a search of seven nodes costs, by hand', () => {
  const tree = fitTree(topology, items, aabbVolume);
  test.each([
    // Root, left, its two leaves, right (missed): 5 volumes, 1 item.
    ['one leaf', boxAt(0.5, 0.6), 5, 1],
    ['all', boxAt(-1, 20), 7, 4],
    ['beside the root', boxAt(20, 21), 1, 0],
    ['between the inner nodes', boxAt(5, 6), 3, 0],
    ['touching two leaves of one side', boxAt(11, 12), 5, 2],
  ])('%s', (_, probe, volumeTests, itemTests) => {
    const counters = makeTreeCounters();
    const found: number[] = [];
    const plain: number[] = [];
    queryTree(tree, probe, (item) => void found.push(item), { counters });
    queryTree(tree, probe, (item) => void plain.push(item));
    expect(counters).toEqual({ volumeTests, itemTests, updates: 0 });
    expect(found).toEqual(plain);
    expect(treeCost(counters, { volumeTest: 2, itemTest: 10, update: 5, once: 3 })).toBe(
      2 * volumeTests + 10 * itemTests + 3,
    );
    // Counters are added to.
    queryTree(tree, probe, () => {}, { counters });
    expect(counters.volumeTests).toBe(2 * volumeTests);
  });

  test('updates are the volumes made anew', () => {
    const counters = makeTreeCounters();
    refitTree(tree, items, 'merge', counters);
    expect(counters.updates).toBe(7);
    makeTreeRefitter(tree).refit(items, [3], 'merge', counters);
    expect(counters.updates).toBe(7 + 3);
    expect(treeCost(counters, { update: 2 })).toBe(20);
  });

  test('one each by default, and nothing for the search itself', () => {
    expect(treeCost({ volumeTests: 3, itemTests: 4, updates: 5 })).toBe(12);
    expect(() => treeCost({ volumeTests: -1, itemTests: 0, updates: 0 })).toThrow('volumeTests');
  });
});

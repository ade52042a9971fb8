import { expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { randomBoxes } from '../../tests/kit/tree-corpus.ts';
import { boxItems } from './items.ts';
import { sahTopology } from './sah.ts';
import type { TreeItems } from './tree.ts';

const areaOf = ({ bounds }: TreeItems, list: number[]): number => {
  const side = (k: number): number =>
    Math.max(...list.map((i) => bounds[6 * i + 3 + k]!)) - Math.min(...list.map((i) => bounds[6 * i + k]!));
  return side(0) * side(1) + side(1) * side(2) + side(2) * side(0);
};

property('[R6.1.1] the first cut is the cheapest between two bins', 1000, (rng) => {
  const items = randomBoxes(rng, rng.int(2, 30), rng.pick([0.1, 5]));
  const bins = rng.pick([2, 5, 16]);
  const { first, items: order, skip } = sahTopology(items, { leafSize: 1, bins });
  const all = [...Array(items.count).keys()];
  const cost = (a: number[], b: number[]): number =>
    a.length * areaOf(items, a) + b.length * areaOf(items, b);
  let best = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    const center = (i: number): number => (items.bounds[6 * i + axis]! + items.bounds[6 * i + 3 + axis]!) / 2;
    const [low, high] = [Math.min(...all.map(center)), Math.max(...all.map(center))];
    for (let bin = 1; bin < bins; bin++) {
      const isLow = (i: number): boolean => ((center(i) - low) / (high - low)) * bins < bin;
      const [a, b] = [all.filter(isLow), all.filter((i) => !isLow(i))];
      if (a.length > 0 && b.length > 0) best = Math.min(best, cost(a, b));
    }
  }
  const cut = first[skip[1]!]!;
  const chosen = cost([...order.slice(0, cut)], [...order.slice(cut)]);
  check(Math.abs(chosen - best) <= 1e-9 * best, () => `${chosen}, best ${best}`);
});

test('[R6.1.1] items are kept together when a cut would not pay', () => {
  // Two boxes in one place: both would be tested anyway.
  const same = boxItems([0, 0, 0, 1, 1, 1, 0.01, 0, 0, 1, 1, 1]);
  expect(sahTopology(same, { leafSize: 2 }).skip).toHaveLength(1);
  expect(sahTopology(same, { leafSize: 1 }).skip).toHaveLength(3);
  const apart = boxItems([0, 0, 0, 1, 1, 1, 90, 0, 0, 91, 1, 1, 180, 0, 0, 181, 1, 1]);
  expect(sahTopology(apart, { leafSize: 4 }).skip.length).toBeGreaterThan(1);
});

test('[R6.1.1] points in a line are cut by length', () => {
  const line = boxItems([0, 1, 2, 100, 101, 102].flatMap((x) => [x, 5, 5, x, 5, 5]));
  const { first, items, skip } = sahTopology(line, { leafSize: 3 });
  expect([...items.slice(0, first[skip[1]!])].sort()).toEqual([0, 1, 2]);
});

test('the same items make the same tree', () => {
  const items = randomBoxes(new Rng(1), 500);
  expect(sahTopology(items)).toEqual(sahTopology(items));
});

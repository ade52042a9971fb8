import { describe, expect, test } from 'vitest';
import { check, cloud, near, property, type Rng } from '../../../tests/kit/index.ts';
import { boxItems } from '../../trees/items.ts';
import type { Topology } from '../../trees/tree.ts';
import {
  GoldsmithSalmonTree,
  type InsertionOptions,
  type InsertionRule,
  insertionTopology,
} from './insertion.ts';

function randomBoxes(rng: Rng, count: number): number[] {
  const { points, size } = cloud(rng, 2 * count);
  const small = rng.chance(0.6);
  const boxes: number[] = [];
  for (let i = 0; i < count; i++) {
    const p = points[2 * i]!;
    const q = points[2 * i + 1]!;
    const far = small ? { x: p.x + size * rng.range(0, 0.1), y: p.y, z: p.z + size * rng.range(0, 0.1) } : q;
    boxes.push(Math.min(p.x, far.x), Math.min(p.y, far.y), Math.min(p.z, far.z));
    boxes.push(Math.max(p.x, far.x), Math.max(p.y, far.y), Math.max(p.z, far.z));
  }
  return boxes;
}

/** Depth and largest number of children; fails unless every item is in one leaf and every inner node has children. */
function shapeOf({ skip, first, items }: Topology, count: number): { depth: number; widest: number } {
  const depths = new Int32Array(skip.length);
  let widest = 0;
  check(items.length === count && new Set(items).size === count, 'each item once');
  check(first.length === skip.length + 1 && first[skip.length] === count, 'first');
  check(count === 0 || skip[0] === skip.length, 'root');
  for (let i = 0; i < skip.length; i++) {
    if (skip[i] === i + 1) {
      check(first[i + 1]! - first[i]! === 1, 'one item a leaf');
      continue;
    }
    let children = 0;
    for (let child = i + 1; child < skip[i]!; child = skip[child]!, children++)
      depths[child] = depths[i]! + 1;
    check(children >= 2, 'two children at least');
    widest = Math.max(widest, children);
  }
  return { depth: Math.max(0, ...depths), widest };
}

const ways: InsertionOptions[] = [
  {},
  { search: 'best' },
  { rule: 'goldsmith-salmon' },
  { rule: 'goldsmith-salmon', search: 'best', nodeSize: 3 },
];

property('[R6.2.3] [R6.2.3.1] every rule makes a valid tree of all kinds of boxes', 400, (rng) => {
  const count = rng.pick([0, 1, 2, rng.int(3, 60)]);
  const items = boxItems(randomBoxes(rng, count));
  for (const options of ways) {
    const tree = insertionTopology(items, { ...options, seed: rng.int(-5, 5) });
    const { widest } = shapeOf(tree, count);
    check(widest <= (options.nodeSize ?? (options.rule ? 8 : 2)), 'too many children');
  }
});

describe('[R6.2.3] [R6.2.3.1] sorted and equal items make no deep tree', () => {
  const n = 2000;
  const scenes: Record<string, (i: number) => number[]> = {
    'in a row': (i) => [2 * i, 0, 0, 2 * i + 1, 1, 1],
    'points on a line': (i) => [i, 0, 0, i, 0, 0],
    'all the same': () => [1, 2, 3, 4, 5, 6],
    'all the same point': () => [1, 2, 3, 1, 2, 3],
  };
  for (const [name, box] of Object.entries(scenes))
    test(name, () => {
      const items = boxItems(Array.from({ length: n }, (_, i) => box(i)).flat());
      for (const options of ways)
        expect(shapeOf(insertionTopology(items, options), n).depth).toBeLessThanOrEqual(4 * Math.log2(n));
    });
});

test('[R6.2.3] the order of insertion comes from the seed alone', () => {
  const items = boxItems(Array.from({ length: 300 }, (_, i) => [i % 7, i % 11, i % 13, 7, 11, 13]).flat());
  const shape = (seed: number): string => insertionTopology(items, { seed }).items.join();
  expect(shape(1)).toBe(shape(1));
  expect(shape(1)).not.toBe(shape(2));
});

/** Half the area of the box of a node. */
function areaOf(tree: GoldsmithSalmonTree, node: number, and = node): number {
  const b = tree.bounds;
  const [x, y, z] = [0, 1, 2].map(
    (k) => Math.max(b[6 * node + k + 3]!, b[6 * and + k + 3]!) - Math.min(b[6 * node + k]!, b[6 * and + k]!),
  ) as [number, number, number];
  return x * y + y * z + z * x;
}

function nodesOf(tree: GoldsmithSalmonTree): { node: number; children: number[] }[] {
  const all: { node: number; children: number[] }[] = [];
  const stack = [tree.root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    const children: number[] = [];
    for (let c = tree.firstChild[node]!; c >= 0; c = tree.nextChild[c]!) children.push(c);
    stack.push(...children);
    all.push({ node, children });
  }
  return all;
}

/** The sum over inner nodes of children times area, from scratch. */
const costOf = (tree: GoldsmithSalmonTree): number =>
  nodesOf(tree).reduce((sum, { node, children }) => sum + children.length * areaOf(tree, node), 0);

property('[R6.2.3.1] the cost kept while items come is that of the finished tree', 150, (rng) => {
  const count = rng.int(1, 60);
  const items = boxItems(randomBoxes(rng, count));
  const search = rng.pick(['path', 'best'] as const);
  const degree = rng.int(2, 8);
  const tree = new GoldsmithSalmonTree(count, items.bounds, 1, degree);
  for (let item = 0; item < count; item++) {
    // The least that any place would add: as partner or as one more child of any node.
    const before = costOf(tree);
    let least = Infinity;
    for (const { node, children } of item > 0 ? nodesOf(tree) : []) {
      let above = 0;
      for (let a = tree.parent[node]!; a >= 0; a = tree.parent[a]!)
        above += tree.childCount[a]! * (areaOf(tree, a, item) - areaOf(tree, a));
      const grown = areaOf(tree, node, item);
      least = Math.min(least, above + 2 * grown);
      const k = children.length;
      if (k > 0 && k < degree) least = Math.min(least, above + (k + 1) * grown - k * areaOf(tree, node));
    }
    tree.insert(item, search);
    const after = costOf(tree);
    // Each insertion adds up to sixty terms.
    near(tree.cost, after, 1e-11 * after, 'cost');
    if (item > 0) check(after - before >= least - 1e-11 * after, 'cheaper than all places');
    if (item > 0 && search === 'best') near(after - before, least, 1e-11 * after, 'the cheapest place');
  }
});

/** Items below a node. */
function itemsBelow(tree: GoldsmithSalmonTree, from: number, count: number): number[] {
  const found: number[] = [];
  const stack = [from];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node < count) found.push(node);
    for (let c = tree.firstChild[node]!; c >= 0; c = tree.nextChild[c]!) stack.push(c);
  }
  return found.sort((a, b) => a - b);
}

test('[R6.2.3.1] a small thing goes to the small node that grows, not to the large one that need not (Haines)', () => {
  // A node over a large child (a slab with half of its area) and a small one (a post with a hundredth). The newcomer
  // lies in the slab, and would make the post three times as large.
  const bounds = Float64Array.from(
    [
      [0, 0, 0, 100, 100, 24],
      [0, 0, 1, 100, 100, 24],
      [98, 98, 26, 100, 100, 100],
      [98, 98, 27, 100, 100, 100],
      [94, 94, 23, 95, 95, 24],
    ].flat(),
  );
  for (const search of ['path', 'best'] as const) {
    const tree = new GoldsmithSalmonTree(5, bounds, 1, 8);
    for (let item = 0; item < 4; item++) tree.insert(item, search);
    const large = tree.parent[0]!;
    const small = tree.parent[2]!;
    expect(itemsBelow(tree, large, 5)).toEqual([0, 1]);
    expect(itemsBelow(tree, small, 5)).toEqual([2, 3]);
    expect(areaOf(tree, large) / areaOf(tree, tree.root)).toBeCloseTo(0.49, 2);
    expect(areaOf(tree, small) / areaOf(tree, tree.root)).toBeCloseTo(0.01, 2);
    expect(areaOf(tree, large, 4)).toBe(areaOf(tree, large)); // no growth
    expect(areaOf(tree, small, 4) / areaOf(tree, small)).toBeCloseTo(3.2, 1);
    tree.insert(4, search);
    expect(itemsBelow(tree, large, 5)).toEqual([0, 1]);
    let at = tree.parent[4]!;
    while (at >= 0 && at !== small && !itemsBelow(tree, at, 5).includes(2)) at = tree.parent[at]!;
    expect(itemsBelow(tree, at, 5)).toEqual([2, 3, 4]);
  }
});

test('[R6.2.3.1] of places that cost the same, the nearest', () => {
  // Two equal nodes a and b, of which both contain the newcomer; it is nearer to the center of b.
  const bounds = Float64Array.from(
    [
      [0, 0, 0, 10, 10, 10],
      [0, 0, 0, 10, 10, 10],
      [4, 0, 0, 14, 10, 10],
      [4, 0, 0, 14, 10, 10],
      [8, 4, 4, 9, 5, 5],
    ].flat(),
  );
  const tree = new GoldsmithSalmonTree(5, bounds, 1, 2);
  for (let item = 0; item < 5; item++) tree.insert(item, 'path');
  expect(itemsBelow(tree, tree.parent[4]!, 5).filter((item) => item < 2)).toEqual([]);
});

test('options that make no sense are refused by name', () => {
  const items = boxItems([0, 0, 0, 1, 1, 1]);
  expect(() => insertionTopology(items, { rule: 'magic' as InsertionRule })).toThrow(/rule/);
  expect(() => insertionTopology(items, { search: 'x' as 'path' })).toThrow(/search/);
  expect(() => insertionTopology(items, { seed: Number.NaN })).toThrow(/seed/);
  expect(() => insertionTopology(items, { nodeSize: 1 })).toThrow(/nodeSize/);
});

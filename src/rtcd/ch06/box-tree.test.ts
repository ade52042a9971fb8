import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../../tests/kit/index.ts';
import { bruteForce, flat, type Soup, soup, treeOver } from '../../../tests/kit/sample-trees.ts';
import type { Aabb } from '../../primitives/types.ts';
import { makeTreeCounters } from '../../trees/counters.ts';
import { treePairs } from '../../trees/pair-search.ts';
import { nearestTree, queryTree } from '../../trees/query.ts';
import type { TreeItems } from '../../trees/tree.ts';
import { aabbVolume } from '../../volumes/aabb-volume.ts';
import { type BoxTree, buildBoxTree, onlyOnce } from './box-tree.ts';

/** Boxes around lists of points. */
function itemsOf(soup: Soup): TreeItems {
  const bounds = new Float64Array(6 * soup.length);
  for (const [i, points] of soup.entries())
    for (const [k, axis] of (['x', 'y', 'z'] as const).entries()) {
      const all = points.map((p) => p[axis]);
      bounds[6 * i + k] = Math.min(...all);
      bounds[6 * i + 3 + k] = Math.max(...all);
    }
  return { count: soup.length, bounds, points: (i, out) => void out.push(...flat(soup[i]!)) };
}

const isLeaf = (tree: BoxTree, i: number) => tree.skip[i] === i + 1;
const boxOf = (tree: BoxTree, i: number) => [...tree.volumes.slice(6 * i, 6 * i + 6)];

/** The children of a node in order. */
function children(tree: BoxTree, i: number): number[] {
  const out: number[] = [];
  for (let c = i + 1; c < tree.skip[i]!; c = tree.skip[c]!) out.push(c);
  return out;
}

const options = (rng: Rng) => ({
  leafSize: rng.int(1, 4),
  trim: rng.pick([0, 0.1, 0.5, 1]),
  maxDuplicates: rng.pick([0, 1, 5]),
});

property(
  '[R6.4.2] a cut is one plane shared by both children; a trim cuts off a side with nothing in it',
  500,
  (rng) => {
    const items = itemsOf(soup(rng, 40));
    const given = options(rng);
    const tree = buildBoxTree(items, given);
    check(tree.duplicates <= given.maxDuplicates * items.count, 'too many duplicates');
    check(tree.items.length === items.count + tree.duplicates, 'wrong count of duplicates');
    for (let i = 0; i < tree.skip.length; i++) {
      const box = boxOf(tree, i);
      const kids = children(tree, i).map((c) => boxOf(tree, c));
      check(kids.length <= 2, 'more than two children');
      const changed = kids.map((kid) => kid.flatMap((x, k) => (x === box[k] ? [] : [k])));
      for (const sides of changed) check(sides.length === 1, 'a child differs in other than one side');
      if (kids.length === 2) {
        const [high] = changed[0] as [number];
        check(high >= 3 && changed[1]![0] === high - 3, 'not cut across one axis');
        check(kids[0]![high] === kids[1]![high - 3], 'not the same plane');
      }
    }
  },
);

property(
  '[R6.4.2] the leaves that list an item cover it, and every leaf that lists it touches it',
  400,
  (rng) => {
    const items = itemsOf(soup(rng, 30));
    const tree = buildBoxTree(items, options(rng));
    const { bounds } = items;
    const sums = new Float64Array(items.count);
    for (let node = 0; node < tree.skip.length; node++) {
      if (!isLeaf(tree, node)) continue;
      const box = boxOf(tree, node);
      for (let k = tree.first[node]!; k < tree.first[node + 1]!; k++) {
        const i = tree.items[k]!;
        let part = 1;
        for (let axis = 0; axis < 3; axis++) {
          const [low, high] = [bounds[6 * i + axis]!, bounds[6 * i + 3 + axis]!];
          const shared = Math.min(high, box[axis + 3]!) - Math.max(low, box[axis]!);
          check(shared >= 0, 'listed where it is not');
          // Flat items are covered where they have an extent.
          if (high > low) part *= shared / (high - low);
        }
        sums[i]! += part;
      }
    }
    for (let i = 0; i < items.count; i++) {
      const flatness = [0, 1, 2].filter((k) => bounds[6 * i + k]! === bounds[6 * i + 3 + k]!).length;
      // Parts add up to the whole: the cells do not overlap. A flat one lies in one cell of each pair it separates.
      check(Math.abs(sums[i]! - 1) < 1e-9, `item ${i}, flat in ${flatness}: covered ${sums[i]} times`);
    }
  },
);

property('[R6.4.2] queries and turned pairs are those of brute force, each told once', 300, (rng) => {
  const a = soup(rng, 30);
  const b = soup(rng, 30);
  const treeA = buildBoxTree(itemsOf(a), options(rng));
  const treeB = buildBoxTree(itemsOf(b), options(rng));
  const { bounds, count } = itemsOf(a);
  const box = aabbVolume.fitPoints(flat(count && rng.chance(0.8) ? rng.pick(a) : [rng.vec(), rng.vec()]));
  const { min, max } = box;
  const found: number[] = [];
  queryTree(
    treeA,
    box,
    onlyOnce((i) => void found.push(i)),
  );
  const wanted = a.flatMap((_, i) => {
    const [ax, ay, az, bx, by, bz] = bounds.slice(6 * i, 6 * i + 6) as unknown as number[];
    const meets =
      ax! <= max.x && bx! >= min.x && ay! <= max.y && by! >= min.y && az! <= max.z && bz! >= min.z;
    return meets ? [i] : [];
  });
  check(new Set(found).size === found.length, 'told twice');
  for (const i of wanted) check(found.includes(i), `item ${i} was lost`);

  const pose = { position: rng.vec(rng.pick([0, 0.5, 2])), quaternion: rng.rotation() };
  const meets = bruteForce(a, b, pose);
  const pairs: string[] = [];
  treePairs(
    treeA,
    treeB,
    onlyOnce((i, j) => meets[i]![j] && void pairs.push(`${i} ${j}`)),
    { pose, descend: 'both' },
  );
  const all = meets.flatMap((row, i) => row.flatMap((yes, j) => (yes ? [`${i} ${j}`] : [])));
  check(pairs.sort().join() === all.sort().join(), `${pairs} instead of ${all}`);
});

test('[R6.4.2] empty space between two clusters is cut off, and saves tests', () => {
  const cluster = (x: number): Soup =>
    Array.from({ length: 50 }, (_, i) => [{ x: x + (i % 7) / 10, y: (i % 11) / 10, z: (i % 3) / 10 }]);
  const items = itemsOf([...cluster(0), ...cluster(100)]);
  const tree = buildBoxTree(items);
  const trims = [...tree.skip.keys()].filter((i) => children(tree, i).length === 1);
  expect(trims.length).toBeGreaterThan(1);
  const counters = makeTreeCounters();
  const box: Aabb = { min: { x: 20, y: 0, z: 0 }, max: { x: 80, y: 1, z: 1 } };
  expect(queryTree(tree, box, () => true, { counters })).toBe(false);
  expect(counters.volumeTests).toBeLessThan(7);
});

test('[R6.4.2] identical, coincident and single items; none; a hundred thousand', () => {
  const cube = [
    { x: -1, y: -1, z: -1 },
    { x: 1, y: 1, z: 1 },
  ];
  const same = buildBoxTree(itemsOf(Array.from({ length: 1000 }, () => cube)));
  expect(same.skip.length).toBe(1);
  expect(same.duplicates).toBe(0);
  const points = buildBoxTree(itemsOf(Array.from({ length: 1000 }, () => [{ x: 3, y: 3, z: 3 }])));
  expect(points.items.length).toBe(1000);
  expect(buildBoxTree(itemsOf([])).skip.length).toBe(0);
  expect(buildBoxTree(itemsOf([cube])).items).toEqual(Uint32Array.of(0));
  const many = buildBoxTree(
    itemsOf(
      Array.from({ length: 100_000 }, (_, i) => [{ x: i % 100, y: (i % 10_000) / 100, z: i / 10_000 }]),
    ),
  );
  expect(many.duplicates).toBe(0);
  let nearest = -1;
  nearestTree(
    many,
    (box) => Math.max(0, 99 - box.max.x) + Math.max(0, 99.99 - box.max.y),
    (i) => 99 - (i % 100) + Math.max(0, 99.99 - (i % 10_000) / 100),
    (i) => {
      nearest = i;
      return true;
    },
  );
  expect(nearest % 10_000).toBe(9999);
});

test('[R6.4.2] a plain tree of boxes splits by the middle, and finds the same', () => {
  const items: Soup = Array.from({ length: 40 }, (_, i) => [
    { x: i, y: 0, z: 0 },
    { x: i + 3, y: 1, z: 1 },
    { x: i + 2, y: 1, z: -1 },
  ]);
  const box = { min: { x: 10, y: 0, z: 0 }, max: { x: 11, y: 1, z: 1 } };
  const find = (tree: Parameters<typeof queryTree<Aabb>>[0]) => {
    const found: number[] = [];
    queryTree(
      tree,
      box,
      onlyOnce((i) => void found.push(i)),
    );
    return found.sort((p, q) => p - q);
  };
  expect(find(treeOver(aabbVolume, items))).toEqual([7, 8, 9, 10, 11]);
  // A leaf of several items tells of all of them.
  expect(find(buildBoxTree(itemsOf(items), { leafSize: 1 }))).toEqual(
    expect.arrayContaining([7, 8, 9, 10, 11]),
  );
});

test('bad arguments are refused by name', () => {
  const items = itemsOf([[{ x: 0, y: 0, z: 0 }]]);
  expect(() => buildBoxTree({ ...items, bounds: Float64Array.of(0, 0, Number.NaN, 0, 0, 0) })).toThrow(
    'items',
  );
  expect(() => buildBoxTree({ ...items, bounds: Float64Array.of(1, 0, 0, 0, 0, 0) })).toThrow('items');
  expect(() => buildBoxTree({ ...items, bounds: Float64Array.of(0, 0, 0, 1e39, 0, 0) })).toThrow('items');
  expect(() => buildBoxTree({ ...items, count: 2 })).toThrow('items');
  for (const name of ['leafSize', 'trim', 'maxShare', 'maxDuplicates', 'maxDepth'])
    expect(() => buildBoxTree(items, { [name]: Number.NaN })).toThrow(name);
});

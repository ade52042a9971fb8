import { describe, expect, test } from 'vitest';
import {
  boxTree,
  itemsInLeaves,
  randomBoxes,
  randomQuery,
  sameNumbers,
  shapeTree,
} from '../../../tests/kit/box-trees.ts';
import { check, property } from '../../../tests/kit/index.ts';
import { Rng } from '../../../tests/kit/rng.ts';
import type { Aabb, Sphere } from '../../primitives/types.ts';
import { type BuildNode, flattenTree, type Topology, type Tree } from '../../trees/tree.ts';
import { kdopVolume, sphereVolume } from '../ch04/bounding-volumes.ts';
import { type ChildOrder, reorderTree } from './node-order.ts';

const leaf = (...items: number[]): BuildNode => ({ children: [], items });

/** The children of each node, with the number of nodes below each. */
function families({ skip }: Topology): { node: number; children: number[] }[] {
  return Array.from(skip, (end, node) => {
    const children: number[] = [];
    for (let child = node + 1; child < end; child = skip[child]!) children.push(child);
    return { node, children };
  });
}

/** Any tree: up to five children, leaves of up to four items. */
function anyTree(rng: Rng): { root: BuildNode; count: number } {
  let count = 0;
  const build = (depth: number): BuildNode =>
    depth === 0 || rng.chance(0.3)
      ? leaf(...Array.from({ length: rng.int(1, 4) }, () => count++))
      : { children: Array.from({ length: rng.int(2, 5) }, () => build(depth - 1)), items: [] };
  return { root: build(rng.int(0, 3)), count };
}

property('[R6.6.5] the order changes, never the set', 500, (rng) => {
  const { root, count } = anyTree(rng);
  const bounds = randomBoxes(rng, count);
  const tree = boxTree(root, bounds);
  const nodes = tree.skip.length;
  const tests = Array.from({ length: nodes }, () => rng.int(0, 5));
  const order = rng.pick<ChildOrder>([
    'leaves',
    'small',
    { hits: tests.map((n) => rng.int(0, n)), tests },
    { direction: rng.chance(0.2) ? { x: 0, y: 0, z: 0 } : rng.vec() },
  ]);
  const costs = Array.from({ length: count }, () => rng.int(0, 3));
  const ordered = reorderTree(tree, order, rng.chance(0.5) ? costs : undefined);
  check(ordered.skip.length === nodes && ordered.first[nodes] === count, 'size');
  for (let i = 0; i < 10; i++) {
    const box = randomQuery(rng, bounds);
    check(sameNumbers(itemsInLeaves(ordered, box), itemsInLeaves(tree, box)), 'items found');
  }
  // Every node still has a box around what is below it, and it is one that was there.
  for (let node = 0; node < nodes; node++)
    for (let i = ordered.first[node]!; i < ordered.first[ordered.skip[node]!]!; i++)
      for (let k = 0; k < 3; k++) {
        const item = ordered.items[i]!;
        check(ordered.volumes[6 * node + k]! <= bounds[6 * item + k]!, 'box too small');
        check(ordered.volumes[6 * node + 3 + k]! >= bounds[6 * item + 3 + k]!, 'box too small');
      }
});

property('[R6.6.5] children come in the order asked for', 500, (rng) => {
  const { root, count } = anyTree(rng);
  const tree = boxTree(root, randomBoxes(rng, count));
  const size = ({ skip }: Tree<Aabb>, node: number) => skip[node]! - node;
  const leaves = reorderTree(tree, 'leaves');
  for (const { children } of families(leaves)) {
    const inner = children.map((child) => size(leaves, child) > 1);
    check(!inner.some((is, i) => is && inner[i + 1] === false), 'a leaf after an inner node');
  }
  const small = reorderTree(tree, 'small');
  for (const { children } of families(small))
    check(
      children.every((child, i) => i === 0 || size(small, children[i - 1]!) <= size(small, child)),
      'a smaller subtree after a larger one',
    );
  const direction = rng.vec();
  const near = reorderTree(tree, { direction });
  const start = (node: number) => {
    const [ax, ay, az, bx, by, bz] = near.volumes.subarray(6 * node, 6 * node + 6) as unknown as number[];
    const corners = [ax!, bx!].flatMap((x) =>
      [ay!, by!].flatMap((y) => [az!, bz!].map((z) => ({ x, y, z }))),
    );
    return Math.min(...corners.map((p) => p.x * direction.x + p.y * direction.y + p.z * direction.z));
  };
  const scale = Math.max(...Array.from(near.volumes, Math.abs));
  for (const { children } of families(near))
    check(
      // Sums of three products, in another order: the last digits may differ.
      children.every((child, i) => i === 0 || start(children[i - 1]!) <= start(child) + 1e-15 * scale),
      'a nearer one after a farther one',
    );
});

describe('[R6.6.5] by hand', () => {
  // 0: root, 1: leaf, 2: inner of 3 and 4, 5: leaf; boxes side by side along x.
  const root: BuildNode = {
    children: [leaf(0, 1), { children: [leaf(2), leaf(3)], items: [] }, leaf(4)],
    items: [],
  };
  const bounds = Float64Array.from([0, 1, 2, 3, 4].flatMap((x) => [x, 0, 0, x + 0.5, 1, 1]));
  const tree = boxTree(root, bounds);

  test('leaves first, ties as they were', () => {
    expect([...reorderTree(tree, 'leaves').items]).toEqual([0, 1, 4, 2, 3]);
    expect([...reorderTree(tree, 'small').items]).toEqual([0, 1, 4, 2, 3]);
  });

  test('what was hit most often comes first, what was never tested last', () => {
    const hits = [0, 1, 3, 0, 2, 0];
    const tests = [9, 4, 4, 0, 3, 5];
    expect([...reorderTree(tree, { hits, tests }).items]).toEqual([3, 2, 0, 1, 4]);
  });

  test('near to far, from either side; spheres too', () => {
    expect([...reorderTree(tree, { direction: { x: -1, y: 0, z: 0 } }).items]).toEqual([4, 3, 2, 0, 1]);
    expect([...reorderTree(tree, { direction: { x: 1, y: 0, z: 0 } }).items]).toEqual([0, 1, 2, 3, 4]);
    const topology = flattenTree({ children: [leaf(0), leaf(1)], items: [] });
    const volumes = Float32Array.from([0, 0, 0, 9, 1, 0, 0, 1, -1, 0, 0, 4]);
    const spheres: Tree<Sphere> = { ...topology, ops: sphereVolume, volumes };
    // They reach from 0 to 2 and from -5 to 3.
    expect([...reorderTree(spheres, { direction: { x: 2, y: 0, z: 0 } }).items]).toEqual([1, 0]);
    expect([...reorderTree(spheres, { direction: { x: -2, y: 0, z: 0 } }).items]).toEqual([1, 0]);
  });

  test('cheap items first within their leaf', () => {
    const ordered = reorderTree(tree, 'leaves', [5, 2, 0, 0, 1]);
    expect([...ordered.items]).toEqual([1, 0, 4, 2, 3]);
    expect([...ordered.first]).toEqual([0, 0, 2, 3, 3, 4, 5]);
  });

  test('a chain of 100,000 leaves is no trouble', () => {
    const count = 100_000;
    const chain = boxTree(shapeTree(new Rng(1), 3, 'chain'), bounds);
    const nodes = 2 * count - 1;
    const skip = Uint32Array.from({ length: nodes }, (_, i) => (i % 2 === 1 ? i + 1 : nodes));
    const first = Uint32Array.from({ length: nodes + 1 }, (_, i) => (i === nodes ? count : i >> 1));
    const items = Uint32Array.from({ length: count }, (_, i) => i);
    const long = { ...chain, skip, first, items, volumes: new Float32Array(6 * nodes) };
    const small = reorderTree(long, 'small');
    expect(small.items).toEqual(items); // the leaf was first already
  });

  test('numbers that do not fit are refused', () => {
    const six = [0, 0, 0, 0, 0, 0];
    expect(() => reorderTree(tree, { hits: [0], tests: six })).toThrow(/children\.hits/);
    expect(() => reorderTree(tree, { hits: six, tests: [0, 0, 0, 0, 0, -1] })).toThrow(/children\.tests/);
    expect(() => reorderTree(tree, { hits: six, tests: [0, 0, 0, 0, 0, Number.NaN] })).toThrow(
      /children\.tests/,
    );
    expect(() => reorderTree(tree, { direction: { x: 0, y: Infinity, z: 0 } })).toThrow(/direction/);
    expect(() => reorderTree(tree, 'leaves', [1, 2])).toThrow(/costs/);
    expect(() => reorderTree(tree, 'nonsense' as never)).toThrow(/children/);
    const kdops = { ...tree, ops: kdopVolume(14) } as unknown as Tree<Aabb>;
    expect(() => reorderTree(kdops, { direction: { x: 1, y: 0, z: 0 } })).toThrow(/boxes or spheres/);
  });
});

/** The cells of a loose octree. What it answers is tested with all other broad phases, in `broad-phases.test.ts`. */
import { expect, test } from 'vitest';
import { check, cloud, property, Rng } from '../../tests/kit/index.ts';
import type { Aabb } from '../primitives/types.ts';
import { LooseOctree, type OctreeCells } from './loose-octree.ts';

const validate = (tree: LooseOctree): string[] =>
  (tree as unknown as { cells: OctreeCells }).cells.validate();

const cube = (x: number, y: number, z: number, s: number): Aabb => ({
  min: { x: x - s / 2, y: y - s / 2, z: z - s / 2 },
  max: { x: x + s / 2, y: y + s / 2, z: z + s / 2 },
});

property(
  '[R7.3.6] boxes are inside of their loose cells, counts are right, and empty cells go',
  100,
  (rng) => {
    const tree = new LooseOctree();
    const ids = new Set<number>();
    const make = rng.pick([
      () => cube(rng.range(-5, 5), rng.range(-5, 5), rng.range(-5, 5), 10 ** rng.range(-6, 1)),
      () => cube(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3), rng.pick([0, 0.5, 1, 2, 4])),
      () => cube(1e6 * rng.int(-1, 1), rng.unit(), rng.unit(), 0),
      () => {
        const [p, q] = cloud(rng, 2).points as [Aabb['min'], Aabb['min']];
        const low = (k: 'x' | 'y' | 'z') => Math.min(p[k], q[k]);
        const high = (k: 'x' | 'y' | 'z') => Math.max(p[k], q[k]);
        return {
          min: { x: low('x'), y: low('y'), z: low('z') },
          max: { x: high('x'), y: high('y'), z: high('z') },
        };
      },
    ]);
    for (let step = 0; step < 150; step++) {
      const known = [...ids];
      const what = rng.unit();
      if (known.length === 0 || what < 0.5) {
        tree.add(step, make());
        ids.add(step);
      } else if (what < 0.8) tree.move(rng.pick(known), make());
      else {
        const id = rng.pick(known);
        tree.remove(id);
        ids.delete(id);
      }
      if (step % 10 === 0) check(validate(tree).length === 0, () => validate(tree).join('; '));
    }
    for (const id of ids) tree.remove(id);
    check(tree.counters.cells === 0, 'cells are left');
  },
);

test('[R7.3.6] a box in the middle of everything is as deep as one elsewhere, and stays while it has room', () => {
  const tree = new LooseOctree();
  const rng = new Rng(1);
  for (let i = 0; i < 500; i++) tree.add(i, cube(rng.range(-9, 9), rng.range(-9, 9), rng.range(-9, 9), 0.9));
  tree.add(1000, cube(0, 0, 0, 0.9));
  const level = (id: number): number => {
    const { nodes, levels } = (tree as unknown as { cells: { nodes: Int32Array; levels: Int32Array } }).cells;
    return levels[nodes[id]!]!;
  };
  // Cells of one unit, or of two, where there are few boxes.
  expect(level(1000)).toBeLessThanOrEqual(1001 + 1);
  const { relinked } = tree.counters;
  for (let k = 0; k < 10; k++) tree.move(1000, cube(0.02 * k, -0.02 * k, 0, 0.9));
  expect(tree.counters.relinked - relinked).toBeLessThanOrEqual(1);
  tree.move(1000, cube(8, 8, 8, 0.9));
  expect(tree.counters.relinked - relinked).toBeGreaterThanOrEqual(1);
});

test('[R7.3.6] [R7.3.1-2] the tree grows with what comes, and one far away leaves the others as they are', () => {
  const tree = new LooseOctree();
  for (let i = 0; i < 100; i++) tree.add(i, cube(i % 10, Math.floor(i / 10), 0, 1));
  const before = tree.counters;
  tree.add(100, cube(1e12, -1e12, 0, 1));
  tree.add(101, cube(0, 0, 0, 1e9));
  expect(tree.counters.relinked).toBe(before.relinked);
  const found: number[] = [];
  tree.searchBox(cube(1e12, -1e12, 0, 3), (id) => void found.push(id));
  expect(found).toEqual([100]);
  tree.remove(100);
  tree.remove(101);
  expect(validate(tree)).toEqual([]);
});

test('[R7.3.6] points are as deep as need be: 10,000 at one place, and 10,000 about it', () => {
  const rng = new Rng(2);
  const tree = new LooseOctree();
  for (let i = 0; i < 10_000; i++) tree.add(i, cube(1, 2, 3, 0));
  for (let i = 0; i < 10_000; i++)
    tree.add(10_000 + i, cube(1 + rng.range(-1, 1), 2 + rng.range(-1, 1), 3 + rng.range(-1, 1), 0));
  expect(tree.counters.cells).toBeLessThan(10_000);
  let found = 0;
  tree.searchBox(cube(1, 2, 3, 0), () => void found++);
  expect(found).toBe(10_000);
  expect(validate(tree)).toEqual([]);
});

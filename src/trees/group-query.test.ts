import { expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import { chainTree, flat, KINDS, soup, treeOver } from '../../tests/kit/sample-trees.ts';
import type { Aabb } from '../primitives/types.ts';
import { makeTreeCounters } from './counters.ts';
import { queryTree, queryTreePoint, startGroup } from './query.ts';
import type { Tree } from './tree.ts';

property(
  '[R6.6.7] the members of a group find the same from the common start as from the root',
  500,
  (rng, k) => {
    const ops = KINDS[k % KINDS.length]!;
    const items = soup(rng, 30);
    const tree = treeOver(ops, items, rng.int(2, 4), rng.int(1, 3));
    const points = items.flat();
    const near = points.length ? rng.pick(points) : rng.vec();
    const reach = rng.pick([0, 0.01, 0.3, 3]) * (Math.abs(near.x) + Math.abs(near.y) + Math.abs(near.z));
    const corner = () => {
      const { x, y, z } = rng.vec(reach);
      return { x: near.x + x, y: near.y + y, z: near.z + z };
    };
    const members = Array.from({ length: 4 }, () => [near, corner(), corner()].slice(rng.int(0, 2)));
    const start = startGroup(tree, ops.fitPoints(flat(members.flat())));
    for (const member of members) {
      const probe = ops.fitPoints(flat(member));
      const alone: number[] = [];
      queryTree(tree, probe, (i) => void alone.push(i));
      const grouped: number[] = [];
      queryTree(tree, probe, (i) => void grouped.push(i), { start });
      // Boxes compare exactly. Other volumes may differ in candidates, never in items that share a point with the member.
      if (ops.kind === 'aabb') check(alone.join() === grouped.join(), `${grouped} instead of ${alone}`);
      for (const [i, item] of items.entries())
        if (item.some((p) => member.includes(p))) check(grouped.includes(i), `${ops.kind}: ${i} was lost`);
      const held: number[] = [];
      queryTreePoint(tree, member[0]!, (i) => void held.push(i), { start });
      for (const [i, item] of items.entries())
        if (item.includes(member[0]!)) check(held.includes(i), `${ops.kind}: ${i} at the point was lost`);
    }
  },
);

test('[R6.6.7] four wheels on a large ground share the way down', () => {
  const ground = Array.from({ length: 4096 }, (_, i) => [
    { x: i % 64, y: i >> 6, z: 0 },
    { x: (i % 64) + 1, y: i >> 6, z: 0 },
    { x: i % 64, y: (i >> 6) + 1, z: 0 },
  ]);
  const tree = treeOver(KINDS[0]!, ground) as Tree<Aabb>;
  const wheels = [0, 1, 2, 3].map((k) => ({
    min: { x: 10.2 + (k & 1), y: 21.2 + (k >> 1), z: -1 },
    max: { x: 10.4 + (k & 1), y: 21.4 + (k >> 1), z: 1 },
  }));
  const alone = makeTreeCounters();
  for (const wheel of wheels) queryTree(tree, wheel, () => false, { counters: alone });
  const grouped = makeTreeCounters();
  const group = { min: wheels[0]!.min, max: wheels[3]!.max };
  const start = startGroup(tree, group, grouped);
  for (const wheel of wheels) queryTree(tree, wheel, () => false, { counters: grouped, start });
  expect(grouped.itemTests).toBe(alone.itemTests);
  expect(grouped.volumeTests).toBeLessThan(alone.volumeTests);
  // One level further two children overlap.
  expect(start.end).toBe(tree.skip[start.node]);
  expect(start.node).toBeGreaterThan(0);
});

test('[R6.6.7] a group that touches nothing starts nowhere', () => {
  const tree = chainTree(10) as Tree<Aabb>;
  const boxAt = (x: number) => ({ min: { x, y: 0, z: 0 }, max: { x: x + 0.1, y: 1, z: 1 } });
  for (const x of [-5, 0.7, 50]) {
    const start = startGroup(tree, boxAt(x));
    const counters = makeTreeCounters();
    expect(queryTree(tree, boxAt(x), () => true, { start, counters })).toBe(false);
    expect(counters.volumeTests).toBe(0);
  }
});

test('[R6.6.7] a start belongs to its tree as it was', () => {
  const tree = chainTree(10) as Tree<Aabb>;
  const box = { min: { x: 7, y: 0, z: 0 }, max: { x: 7.1, y: 1, z: 1 } };
  const start = startGroup(tree, box);
  expect(queryTree(tree, box, () => true, { start })).toBe(true);
  expect(() => queryTree(chainTree(10) as Tree<Aabb>, box, () => true, { start })).toThrow('start');
  // A leaf that was passed by grows until it matters.
  const leaf = tree.skip.findIndex((end, i) => end === i + 1);
  tree.volumes[6 * leaf + 3] = 7;
  expect(() => queryTree(tree, box, () => true, { start })).toThrow('start');
});

test('[R6.6.7] one item, no item, a chain 100,000 deep', () => {
  const one = treeOver(KINDS[0]!, [[{ x: 1, y: 1, z: 1 }]]) as Tree<Aabb>;
  const point = { min: { x: 1, y: 1, z: 1 }, max: { x: 1, y: 1, z: 1 } };
  expect(startGroup(one, point)).toMatchObject({ node: 0, end: 1 });
  const none = treeOver(KINDS[0]!, []) as Tree<Aabb>;
  expect(startGroup(none, point)).toMatchObject({ node: 0, end: 0 });
  const chain = chainTree(100_000) as Tree<Aabb>;
  const box = { min: { x: 99_990, y: 0, z: 0 }, max: { x: 99_990.25, y: 1, z: 1 } };
  const start = startGroup(chain, box);
  expect(chain.items[chain.first[start.node]!]).toBe(99_990);
  expect(start.end).toBe(start.node + 1);
});

import { expect, test } from 'vitest';
import { check, property } from '../../../tests/kit/index.ts';
import {
  bruteForce,
  completeTree,
  KINDS,
  type Soup,
  soup,
  treeOver,
} from '../../../tests/kit/sample-trees.ts';
import { makeTreeCounters } from '../../trees/counters.ts';
import { treePairs } from '../../trees/pair-search.ts';
import { PairFront } from './pair-front.ts';

const at = (x: number, y = 0, z = 0) => ({ position: { x, y, z }, quaternion: { x: 0, y: 0, z: 0, w: 1 } });

property('[R6.7.2] over a walk, the pairs of a fresh search at every step', 120, (rng, k) => {
  const ops = KINDS[k % KINDS.length]!;
  const a = soup(rng, 12);
  let b = soup(rng, 12);
  let treeA = treeOver(ops, a, rng.int(2, 3));
  let treeB = treeOver(ops, b, rng.int(2, 3), rng.int(1, 2));
  const front = new PairFront<object>();
  const pose = { position: rng.vec(2), quaternion: rng.rotation() };
  for (let step = 0; step < 12; step++) {
    const { x, y, z } = pose.position;
    const pull = rng.pick([0.6, 0.9, 1, 1.2]);
    pose.position = { x: x * pull, y: y * pull, z: z * pull };
    if (rng.chance(0.1)) pose.quaternion = rng.rotation();
    if (rng.chance(0.1)) treeA = treeOver(ops, a, rng.int(2, 3));
    if (rng.chance(0.1)) {
      b = soup(rng, 12);
      treeB = treeOver(ops, b);
    }
    const meets = bruteForce(a, b, pose);
    const fresh: string[] = [];
    treePairs(treeA, treeB, (i, j) => meets[i]![j] && void fresh.push(`${i} ${j}`), { pose });
    const found: string[] = [];
    const most = rng.chance(0.3) ? 1 : Infinity;
    const ended = front.query(
      treeA,
      treeB,
      (i, j) => {
        if (meets[i]![j]) found.push(`${i} ${j}`);
        return found.length >= most;
      },
      pose,
    );
    check(ended === fresh.length >= most, 'ended');
    const full = Math.min(most, fresh.length) === found.length;
    check(full && found.every((pair) => fresh.includes(pair)), `${ops.kind}: ${found} instead of ${fresh}`);
    check(new Set(found).size === found.length, 'a pair came twice');
  }
});

/** A bowl of triangles. */
const bowl: Soup = Array.from({ length: 400 }, (_, i) => {
  const p = (u: number, v: number) => ({ x: u, y: v, z: 0.02 * ((u - 10) ** 2 + (v - 10) ** 2) });
  const u = i % 20;
  const v = Math.floor(i / 20);
  return [p(u, v), p(u + 1, v), p(u, v + 1)];
});

test('[R6.7.2] fewer tests than from the roots while two bowls approach', () => {
  const tree = treeOver(KINDS[1]!, bowl);
  const kept = makeTreeCounters();
  const fresh = makeTreeCounters();
  const front = new PairFront<object>({ counters: kept });
  for (let step = 0; step < 40; step++) {
    const pose = at(0.1, 0.2, 8 - 0.15 * step);
    front.query(tree, tree, () => false, pose);
    treePairs(tree, tree, () => false, { pose, counters: fresh });
  }
  expect(kept.volumeTests).toBeLessThan(0.8 * fresh.volumeTests);
});

test('[R6.7.2] kept while it grows, thrown away after the second search in which it has not', () => {
  const tree = treeOver(KINDS[0]!, bowl);
  const front = new PairFront<object>();
  const ask = (z: number) => {
    front.query(tree, tree, () => false, at(0, 0, z));
    return front.length;
  };
  expect(ask(9)).toBe(1);
  const first = ask(3);
  expect(first).toBeGreaterThan(1);
  const second = ask(2);
  expect(second).toBeGreaterThan(first);
  expect(ask(2)).toBe(second);
  expect(ask(2)).toBe(0);
  // Once idle, once growing: kept.
  expect(ask(3)).toBe(first);
  expect(ask(4)).toBe(first);
  expect(ask(1)).toBeGreaterThan(first);
  expect(ask(1)).toBeGreaterThan(first);
  expect(ask(1)).toBe(0);
});

test('[R6.7.2] dropped for another tree and after an edit', () => {
  const tree = treeOver(KINDS[0]!, bowl);
  const other = treeOver(KINDS[0]!, bowl.slice(0, 9));
  const front = new PairFront<object>();
  front.query(tree, tree, () => false, at(0, 0, 2));
  const many = front.length;
  front.query(other, other, () => false, at(0, 0, 100));
  expect(front.length).toBe(1);
  front.query(tree, tree, () => false, at(0, 0, 2));
  expect(front.length).toBe(many);
  front.query({ ...tree, volumes: tree.volumes.slice() }, tree, () => false, at(0, 0, 100));
  expect(front.length).toBe(1);
  front.query(tree, tree, () => false, at(0, 0, 2));
  front.clear();
  expect(front.length).toBe(0);
  front.query(tree, tree, () => false, at(0, 0, 100));
  expect(front.length).toBe(1);
});

test('bad arguments are refused by name; empty trees meet nothing', () => {
  const tree = completeTree(2);
  const front = new PairFront<object>();
  expect(() => front.query(tree, tree, () => false, at(Number.NaN))).toThrow('pose');
  expect(front.query(tree, treeOver(KINDS[0]!, []), () => true)).toBe(false);
});

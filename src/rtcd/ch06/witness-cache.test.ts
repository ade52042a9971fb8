import { expect, test } from 'vitest';
import { Rng } from '../../../tests/kit/index.ts';
import { completeTree, KINDS, posed, type Soup, treeOver } from '../../../tests/kit/sample-trees.ts';
import type { Vec3 } from '../../math/types.ts';
import { overlapTriangleTriangle } from '../../primitives/index.ts';
import { makeTreeCounters } from '../../trees/counters.ts';
import { treePairs } from '../../trees/pair-search.ts';
import { WitnessCache } from './witness-cache.ts';

/** A grid of triangles, bent a little. */
const sheet = (side: number): Soup =>
  Array.from({ length: side * side }, (_, i) => {
    const x = i % side;
    const y = Math.floor(i / side);
    const up = (p: number, q: number) => ({ x: p, y: q, z: 0.1 * Math.sin(p + q) });
    return [up(x, y), up(x + 1, y), up(x, y + 1)];
  });

test('[R6.7.1] 10,000 steps with jumps: the answers of a search without a cache, for less', () => {
  const rng = new Rng(5);
  const soups = [sheet(6), sheet(5), sheet(4)];
  const trees = soups.map((items) => treeOver(KINDS[0]!, items));
  const cache = new WitnessCache();
  const cached = makeTreeCounters();
  const plain = makeTreeCounters();
  const places = soups.map(() => ({ position: rng.vec(2), quaternion: rng.rotation() }));
  let yes = 0;
  for (let step = 0; step < 10_000; step++) {
    const moved = rng.int(0, 2);
    const place = places[moved]!;
    if (rng.chance(0.02)) {
      place.position = rng.vec(2);
      place.quaternion = rng.rotation();
      cache.forget(moved);
    } else {
      const { x, y, z } = rng.vec(0.03);
      place.position = { x: place.position.x + x, y: place.position.y + y, z: place.position.z + z };
    }
    const [i, j] = rng.pick([
      [0, 1],
      [1, 0],
      [1, 2],
      [2, 0],
    ] as const);
    const there = (body: number, item: number) =>
      soups[body]![item]!.map((p) => posed(places[body]!, p)) as [Vec3, Vec3, Vec3];
    const meets = (p: number, q: number) => {
      const [a, b, c] = there(i, p);
      return overlapTriangleTriangle(a, b, c, ...there(j, q));
    };
    // The sheets stand in world space, b's tree in that of a.
    const pose = relative(places[i]!, places[j]!);
    const neighbours = (body: number) => (item: number) =>
      [item - 1, item + 1].filter((n) => n >= 0 && n < soups[body]!.length);
    const answer = cache.overlap(
      { id: i, tree: trees[i]!, neighbours: neighbours(i) },
      { id: j, tree: trees[j]!, neighbours: neighbours(j) },
      meets,
      { pose, counters: cached },
    );
    const wanted = treePairs(trees[i]!, trees[j]!, meets, { pose, counters: plain });
    if (answer !== wanted) throw new Error(`step ${step}: ${answer} instead of ${wanted}`);
    if (answer) yes++;
  }
  expect(cache.size).toBeLessThanOrEqual(3);
  expect(yes).toBeGreaterThan(1000);
  expect(yes).toBeLessThan(9000);
  expect(cached.volumeTests).toBeLessThan(0.8 * plain.volumeTests);
});

/** Where b stands in the space of a. */
function relative(
  a: { position: Vec3; quaternion: { x: number; y: number; z: number; w: number } },
  b: typeof a,
): typeof a {
  const { x, y, z, w } = a.quaternion;
  const back = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: -x, y: -y, z: -z, w } };
  const p = back.quaternion;
  const q = b.quaternion;
  return {
    position: posed(back, {
      x: b.position.x - a.position.x,
      y: b.position.y - a.position.y,
      z: b.position.z - a.position.z,
    }),
    quaternion: {
      x: p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
      y: p.w * q.y + p.y * q.w + p.z * q.x - p.x * q.z,
      z: p.w * q.z + p.z * q.w + p.x * q.y - p.y * q.x,
      w: p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
    },
  };
}

const tree = completeTree(4);

test('[R6.7.1] the pair seen last comes first, in either order of the objects, then its neighbours', () => {
  const cache = new WitnessCache();
  const a = { id: 7, tree, neighbours: (i: number) => [i, i + 1] };
  const b = { id: 3, tree };
  const asked: string[] = [];
  const only = (wanted: string) => (i: number, j: number) => {
    asked.push(`${i} ${j}`);
    return wanted === `${i} ${j}`;
  };
  expect(cache.overlap(a, b, only('4 5'))).toBe(true);
  asked.length = 0;
  const counters = makeTreeCounters();
  expect(cache.overlap(a, b, only('4 5'), { counters })).toBe(true);
  expect(asked).toEqual(['4 5']);
  expect(counters).toEqual({ volumeTests: 0, itemTests: 1, updates: 0 });
  asked.length = 0;
  expect(cache.overlap(b, a, only('5 4'))).toBe(true);
  expect(asked).toEqual(['5 4']);
  asked.length = 0;
  expect(cache.overlap(a, b, only('5 5'))).toBe(true);
  expect(asked).toEqual(['4 5', '5 5']);
  asked.length = 0;
  expect(cache.overlap(a, b, only('5 5'))).toBe(true);
  expect(asked).toEqual(['5 5']);
  // Apart: everything is asked, and the entry goes.
  expect(cache.overlap(a, b, () => false)).toBe(false);
  expect(cache.size).toBe(0);
});

test('[R6.7.1] bounded, and what was unused for longest goes', () => {
  const cache = new WitnessCache(2);
  const object = (id: number) => ({ id, tree });
  const meet = (i: number, j: number) => {
    const counters = makeTreeCounters();
    cache.overlap(object(i), object(j), () => true, { counters });
    return counters.volumeTests === 0;
  };
  expect([meet(0, 1), meet(0, 2), meet(0, 1)]).toEqual([false, false, true]);
  expect(meet(0, 3)).toBe(false);
  expect(cache.size).toBe(2);
  expect(meet(1, 0)).toBe(true);
  expect(meet(2, 0)).toBe(false);
});

test('[R6.7.1] cleared for an object that jumps or goes, for one rebuilt, and for all', () => {
  const cache = new WitnessCache();
  const object = (id: number, t = tree) => ({ id, tree: t });
  const remembers = (a: ReturnType<typeof object>, b: ReturnType<typeof object>) => {
    const counters = makeTreeCounters();
    cache.overlap(a, b, () => true, { counters });
    return counters.volumeTests === 0;
  };
  for (const [i, j] of [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const)
    remembers(object(i), object(j));
  expect(cache.size).toBe(3);
  cache.forget(0);
  expect(cache.size).toBe(1);
  cache.forget(9);
  expect(remembers(object(1), object(2))).toBe(true);
  expect(remembers(object(1), object(2, completeTree(2)))).toBe(false);
  cache.clear();
  expect(cache.size).toBe(0);
  expect(remembers(object(1), object(2))).toBe(false);
});

test('bad arguments are refused by name', () => {
  expect(() => new WitnessCache(0)).toThrow('capacity');
  expect(() => new WitnessCache(Number.NaN)).toThrow('capacity');
  const cache = new WitnessCache();
  expect(() => cache.forget(-1)).toThrow('id');
  expect(() => cache.overlap({ id: 1, tree }, { id: 1, tree }, () => true)).toThrow('id');
  expect(() => cache.overlap({ id: 1.5, tree }, { id: 1, tree }, () => true)).toThrow('id');
});

import { describe, expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import { chainTree, flat, KINDS, soup, treeOver } from '../../tests/kit/sample-trees.ts';
import type { Vec3 } from '../math/types.ts';
import {
  closestPointTriangle,
  distanceSqPointAabb,
  overlapSphereAabb,
  overlapSphereTriangle,
  rayTriangle,
} from '../primitives/index.ts';
import type { Aabb } from '../primitives/types.ts';
import { makeTreeCounters } from './counters.ts';
import { nearestTree, queryTree, queryTreePoint, rayTree } from './query.ts';
import type { Tree } from './tree.ts';

const sizeOf = (points: readonly Vec3[]) =>
  Math.max(1e-9, ...points.map(({ x, y, z }) => Math.abs(x) + Math.abs(y) + Math.abs(z)));

property(
  '[R6.3.2] a query by volume tells of every item whose own volume overlaps, and of each once',
  400,
  (rng, k) => {
    const ops = KINDS[k % KINDS.length]!;
    const items = soup(rng, 20);
    const tree = treeOver(ops, items, rng.int(2, 4));
    const { points } = { points: items.flat() };
    for (let n = 0; n < 5; n++) {
      // Around a few of the corners, so that touching comes up.
      const some = Array.from({ length: rng.int(1, 3) }, () =>
        points.length ? rng.pick(points) : rng.vec(),
      );
      const probe = ops.fitPoints(flat(some));
      const seen: number[] = [];
      check(!queryTree(tree, probe, (item) => void seen.push(item)), 'nobody ended it');
      check(new Set(seen).size === seen.length, 'told twice');
      for (const [i, item] of items.entries())
        if (item.some((p) => some.includes(p))) check(seen.includes(i), `${ops.kind}: item ${i} was lost`);
      const one = some[0]!;
      const at: number[] = [];
      queryTreePoint(tree, one, (item) => void at.push(item));
      for (const [i, item] of items.entries())
        if (item.includes(one)) check(at.includes(i), `${ops.kind}: item ${i} at the point was lost`);
    }
  },
);

property(
  '[R6.3.2] a query by a test of one’s own: a sphere through a tree of boxes, as by brute force',
  400,
  (rng) => {
    const items = soup(rng, 20);
    const tree = treeOver(KINDS[0]!, items, rng.int(2, 4), rng.int(1, 3)) as Tree<Aabb>;
    const center = items.length ? { ...rng.pick(items)[0]! } : rng.vec();
    const sphere = { center, radius: rng.pick([0, 0.1, 1]) * sizeOf(items.flat()) };
    const meets = items.map(([a, b, c]) => overlapSphereTriangle(sphere, a!, b!, c!));
    const found: number[] = [];
    queryTree(
      tree,
      (volume) => overlapSphereAabb(sphere, volume),
      (i) => meets[i] && void found.push(i),
    );
    const wanted = items.flatMap((_, i) => (meets[i] ? [i] : []));
    check(found.sort((a, b) => a - b).join() === wanted.join(), `${found} instead of ${wanted}`);
  },
);

property(
  '[R6.3.2] a ray finds the first triangle of brute force, and all of them when asked',
  800,
  (rng, k) => {
    const ops = KINDS[k % KINDS.length]!;
    const items = soup(rng, 20);
    const tree = treeOver(ops, items, rng.int(2, 4), rng.int(1, 3));
    const size = sizeOf(items.flat());
    const inside = (): Vec3 => {
      const [a, b, c] = items.length ? rng.pick(items) : [rng.vec(), rng.vec(), rng.vec()];
      return { x: (a!.x + b!.x + c!.x) / 3, y: (a!.y + b!.y + c!.y) / 3, z: (a!.z + b!.z + c!.z) / 3 };
    };
    const target = inside();
    const out = rng.direction();
    const origin = rng.chance(0.3)
      ? inside()
      : { x: target.x + size * out.x, y: target.y + size * out.y, z: target.z + size * out.z };
    const ray = {
      origin,
      direction: { x: target.x - origin.x, y: target.y - origin.y, z: target.z - origin.z },
    };
    const tMax = rng.pick([Infinity, 1, 0.5, 2]);
    const hit = (i: number, limit: number) => {
      const [a, b, c] = items[i] as [Vec3, Vec3, Vec3];
      return rayTriangle(ray, a, b, c, limit)?.t;
    };
    const times = items.map((_, i) => hit(i, tMax) ?? Infinity);
    const first = rayTree(ray, tree, (i, limit) => hit(i, limit), tMax);
    check(first === Math.min(tMax, ...times), `${ops.kind}: ${first} instead of ${Math.min(...times)}`);
    const all = new Set<number>();
    check(rayTree(ray, tree, (i) => void all.add(i), tMax) === tMax, 'nothing was returned');
    for (const [i, t] of times.entries()) check(t === Infinity || all.has(i), `${ops.kind}: ${i} was lost`);
  },
);

describe('[R6.3.2] rays', () => {
  const row = Array.from({ length: 64 }, (_, i) => [
    { x: i, y: -1, z: -1 },
    { x: i, y: 1, z: -1 },
    { x: i, y: 0, z: 1 },
  ]);
  test.each(KINDS)('near to far: $kind', (ops) => {
    const tree = treeOver(ops, row);
    for (const way of [1, -1]) {
      const ray = { origin: { x: 31.5 - 100 * way, y: 0, z: 0 }, direction: { x: way, y: 0, z: 0 } };
      const counters = makeTreeCounters();
      const order: number[] = [];
      rayTree(ray, tree, (i) => void order.push(i), Infinity, counters);
      expect(order).toEqual([...order].sort((a, b) => way * (a - b)));
      const first = makeTreeCounters();
      rayTree(ray, tree, (i) => way * (i - ray.origin.x), Infinity, first);
      expect(first.volumeTests).toBeLessThan(counters.volumeTests / 4);
    }
  });
  test('true ends the search', () => {
    const ray = { origin: { x: -5, y: 0, z: 0 }, direction: { x: 1, y: 0, z: 0 } };
    let told = 0;
    expect(rayTree(ray, treeOver(KINDS[0]!, row), () => ++told === 3)).toBe(Infinity);
    expect(told).toBe(3);
  });
});

property('[R6.3.2] the k nearest, in order, are those of brute force', 400, (rng, k) => {
  const items = soup(rng, 30);
  const tree = treeOver(KINDS[0]!, items, rng.int(2, 4), rng.int(1, 3)) as Tree<Aabb>;
  const p = items.length && k % 2 ? { ...rng.pick(items)[1]! } : rng.vec(sizeOf(items.flat()));
  const distances = items.map(([a, b, c]) => {
    const q = closestPointTriangle(p, a!, b!, c!);
    return Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z);
  });
  // A bound must hold after rounding too.
  const bound = (volume: Readonly<Aabb>) => Math.sqrt(distanceSqPointAabb(p, volume)) * (1 - 1e-14);
  const maxDistance = rng.pick([Infinity, sizeOf(items.flat()) / 2]);
  const count = rng.int(1, 5);
  const found: number[] = [];
  const ended = nearestTree(
    tree,
    bound,
    (i) => distances[i]!,
    (i, d) => {
      check(d === distances[i], 'another distance');
      return found.push(i) === count;
    },
    { maxDistance },
  );
  const wanted = items
    .map((_, i) => i)
    .filter((i) => distances[i]! <= maxDistance)
    .sort((i, j) => distances[i]! - distances[j]! || i - j);
  // The slack of the bound can only matter between distances that differ by less than that.
  const got = found.map((i) => distances[i]!);
  const want = wanted.slice(0, count).map((i) => distances[i]!);
  check(ended === wanted.length >= count, 'ended');
  check(got.join() === want.join(), `${got} instead of ${want}`);
  check(found.join() === wanted.slice(0, count).join(), `${found} instead of ${wanted.slice(0, count)}`);
});

test('[R6.3.2] the nearest of many opens few nodes; ties go to the smaller number', () => {
  const items = Array.from({ length: 1024 }, (_, i) => [{ x: i % 32, y: i >> 5, z: 0 }]);
  const tree = treeOver(KINDS[0]!, items) as Tree<Aabb>;
  const counters = makeTreeCounters();
  const p = { x: 10.5, y: 20.5, z: 0 };
  const found: number[] = [];
  nearestTree(
    tree,
    (volume) => distanceSqPointAabb(p, volume),
    (i) => ((i % 32) - p.x) ** 2 + ((i >> 5) - p.y) ** 2,
    (i) => found.push(i) === 4,
    { counters },
  );
  expect(found).toEqual([650, 651, 682, 683]);
  expect(counters.volumeTests).toBeLessThan(200);
});

test('[R6.3.2] a chain 100,000 deep', () => {
  const chain = chainTree(100_000) as Tree<Aabb>;
  const box = { min: { x: 99_990, y: 0, z: 0 }, max: { x: 99_991, y: 1, z: 1 } };
  const seen: number[] = [];
  queryTree(chain, box, (i) => void seen.push(i));
  expect(seen).toEqual([99_990, 99_991]);
  const ray = { origin: { x: 2e5, y: 0.5, z: 0.5 }, direction: { x: -1, y: 0, z: 0 } };
  let first = -1;
  rayTree(ray, chain, (i) => {
    if (first < 0) first = i;
    return true;
  });
  expect(first).toBe(99_999);
  let nearest = -1;
  nearestTree(
    chain,
    (volume) => Math.max(0, 99_950 - volume.max.x),
    (i) => Math.abs(99_950 - i),
    (i) => {
      nearest = i;
      return true;
    },
  );
  expect(nearest).toBe(99_950);
});

test('bad arguments are refused by name; an empty tree has nothing to tell', () => {
  const tree = chainTree(3) as Tree<Aabb>;
  const no = () => false;
  const p = { x: 0, y: Number.NaN, z: 0 };
  const far = { x: 0, y: 0, z: Infinity };
  expect(() => queryTree(tree, { min: p, max: p }, no)).toThrow(RangeError);
  expect(() => queryTreePoint(tree, far, no)).toThrow('p.z');
  expect(() => rayTree({ origin: p, direction: far }, tree, no)).toThrow('ray.origin');
  const ray = { origin: { x: -1, y: 0, z: 0 }, direction: { x: 1, y: 0, z: 0 } };
  expect(() => rayTree(ray, tree, no, -1)).toThrow('tMax');
  expect(() => rayTree(ray, tree, () => -1)).toThrow('visit');
  expect(() =>
    nearestTree(
      tree,
      () => Number.NaN,
      () => 0,
      no,
    ),
  ).toThrow('bound');
  expect(() =>
    nearestTree(
      tree,
      () => 0,
      () => Number.NaN,
      no,
    ),
  ).toThrow('distance');
  expect(() =>
    nearestTree(
      tree,
      () => 0,
      () => 0,
      no,
      { maxDistance: -1 },
    ),
  ).toThrow('maxDistance');
  const empty = treeOver(KINDS[0]!, []) as Tree<Aabb>;
  const tell = () => {
    throw new Error('told');
  };
  expect(queryTree(empty, () => true, tell)).toBe(false);
  expect(rayTree(ray, empty, tell, 7)).toBe(7);
  expect(nearestTree(empty, () => 0, tell, tell)).toBe(false);
});

import { expect, test } from 'vitest';
import { boxTree, randomBoxes, sameNumbers, shapeTree, sorted } from '../../../tests/kit/box-trees.ts';
import { check, property } from '../../../tests/kit/index.ts';
import { Rng } from '../../../tests/kit/rng.ts';
import type { Vec3 } from '../../math/types.ts';
import { sphereVolume } from '../ch04/bounding-volumes.ts';
import { NeighbourhoodCache } from './neighbourhood-cache.ts';

/** The items whose boxes are within reach, by looking at all. */
function within(bounds: Float64Array, { x, y, z }: Vec3, reach: number): number[] {
  const found: number[] = [];
  for (let i = 0; 6 * i < bounds.length; i++) {
    const gap = (p: number, k: number) => Math.max(0, bounds[6 * i + k]! - p, p - bounds[6 * i + 3 + k]!);
    const [dx, dy, dz] = [gap(x, 0), gap(y, 1), gap(z, 2)];
    if (dx * dx + dy * dy + dz * dz <= reach * reach) found.push(i);
  }
  return found;
}

/** A world of small boxes in a square, split where they are: the tree is a good one. */
function world(rng: Rng, count: number) {
  const bounds = new Float64Array(6 * count);
  const side = Math.ceil(Math.sqrt(count));
  for (let i = 0; i < count; i++) {
    const [x, y] = [(i % side) + rng.unit(), Math.floor(i / side) + rng.unit()];
    bounds.set([x, y, rng.unit(), x + 0.5, y + 0.5, 1 + rng.unit()], 6 * i);
  }
  return { bounds, side, tree: boxTree(shapeTree(rng, count, 'even', 4), bounds) };
}

property('[R13.5.2] walks and jumps: always what a direct search finds', 60, (rng, index) => {
  const count = index < 4 ? index : rng.int(1, 400);
  const { bounds, side, tree } = world(rng, count);
  const reach = rng.pick([0, 0.7, 2]);
  const lead = rng.range(0, 3);
  const cache = new NeighbourhoodCache(
    tree,
    { bounds },
    { reach, lead, radius: reach + lead + rng.range(0.1, 5) },
  );
  const p = { x: rng.range(0, side), y: rng.range(0, side), z: 0.5 };
  const speed = rng.pick([0.01, 0.3, 3]);
  const out: number[] = [];
  for (let frame = 0; frame < 60; frame++) {
    if (rng.chance(0.03)) {
      p.x = rng.range(-1, side + 1);
      p.y = rng.range(-1, side + 1);
    }
    p.x += rng.range(-speed, speed);
    p.y += rng.range(-speed, speed);
    if (rng.chance(0.02)) cache.clear();
    check(
      sameNumbers(sorted(cache.query(p, out)), within(bounds, p, reach)),
      () => `frame ${frame}: found ${sorted(out)}, wanted ${within(bounds, p, reach)}`,
    );
  }
});

property('[R13.5.2] awkward boxes', 100, (rng) => {
  const bounds = randomBoxes(rng, 20);
  const tree = boxTree(shapeTree(rng, 20, 'random'), bounds);
  const size = Math.max(1e-9, bounds[3]! - bounds[0]!) * rng.pick([1, 10]);
  const cache = new NeighbourhoodCache(tree, { bounds }, { reach: size, lead: size, radius: 3 * size });
  const p = { x: bounds[0]!, y: bounds[1]!, z: bounds[2]! };
  for (let frame = 0; frame < 10; frame++) {
    check(sameNumbers(sorted(cache.query(p)), within(bounds, p, size)), `frame ${frame}`);
    p.x += rng.range(-size, size) * 0.4;
  }
});

test('[R13.5.2] at a walking pace the next set is ready in time: only the start searches the tree', () => {
  const rng = new Rng(5);
  const { bounds, side, tree } = world(rng, 10_000);
  for (const angle of [0, 0.3, 0.7]) {
    const cache = new NeighbourhoodCache(tree, { bounds }, { reach: 2, lead: 3, radius: 8 });
    const p = { x: 5, y: 5, z: 0.5 };
    // Standing until the first set is complete, however little is done in a frame.
    let frames = 0;
    while (cache.hits === 0) {
      cache.query(p);
      frames++;
      expect(frames).toBeLessThan(tree.skip.length / 64 + 2);
    }
    const searched = cache.misses;
    for (; p.x < side - 5 && p.y < side - 5; p.x += 0.5 * Math.cos(angle), p.y += 0.5 * Math.sin(angle))
      expect(sorted(cache.query(p))).toEqual(within(bounds, p, 2));
    expect(cache.misses).toBe(searched);
    expect(cache.hits).toBeGreaterThan(150);
    // A jump: one search, then a new start.
    cache.query({ x: 1, y: side - 1, z: 0 });
    expect(cache.misses + cache.hits).toBeGreaterThan(searched);
  }
});

test('[R13.5.2] a jump is answered by a search of the tree', () => {
  const { bounds, side, tree } = world(new Rng(6), 2500);
  const cache = new NeighbourhoodCache(tree, { bounds }, { reach: 1, lead: 2, radius: 6 });
  const here = { x: 5, y: 5, z: 0.5 };
  while (cache.hits === 0) cache.query(here);
  const before = cache.misses;
  const there = { x: side - 5, y: side - 5, z: 0.5 };
  expect(sorted(cache.query(there))).toEqual(within(bounds, there, 1));
  expect(cache.hits + cache.misses).toBeGreaterThan(before + 1);
  expect(sorted(cache.query(here))).toEqual(within(bounds, here, 1));
});

test('[R13.5.2] leaps of all lengths while the next set is under way', () => {
  const { bounds, side, tree } = world(new Rng(8), 6400);
  const start = side / 4;
  for (let leap = 0; leap < 30; leap += 0.9) {
    const cache = new NeighbourhoodCache(tree, { bounds }, { reach: 5, lead: 1, radius: 20 });
    while (cache.hits === 0) cache.query({ x: start, y: start, z: 0.5 });
    // Over the line by so little that only a few nodes are looked at, and then away.
    for (const x of [0.95, 1.05, 1.05 + leap, 1.05 + leap / 2]) {
      const p = { x: start + x, y: start, z: 0.5 };
      expect(sorted(cache.query(p))).toEqual(within(bounds, p, 5));
    }
  }
});

test('bad input is refused', () => {
  const { bounds, tree } = world(new Rng(7), 4);
  const make = (options: { reach: number; lead: number; radius: number }) =>
    new NeighbourhoodCache(tree, { bounds }, options);
  expect(() => make({ reach: -1, lead: 1, radius: 5 })).toThrow(/reach/);
  expect(() => make({ reach: 1, lead: Number.NaN, radius: 5 })).toThrow(/lead/);
  expect(() => make({ reach: 1, lead: 4, radius: 5 })).toThrow(/radius/);
  expect(() => make({ reach: 1, lead: 1, radius: Infinity })).toThrow(/radius/);
  expect(() => make({ reach: 1, lead: 1, radius: 5 }).query({ x: 0, y: Number.NaN, z: 0 })).toThrow(/p/);
  expect(
    () =>
      new NeighbourhoodCache(
        { ...tree, ops: sphereVolume } as never,
        { bounds },
        { reach: 1, lead: 1, radius: 5 },
      ),
  ).toThrow(/tree/);
});

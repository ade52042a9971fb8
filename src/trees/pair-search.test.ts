import { describe, expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import {
  bruteForce,
  chainTree,
  completeTree,
  KINDS,
  type Soup,
  soup,
  treeOver,
} from '../../tests/kit/sample-trees.ts';
import type { ReadonlyPose, Vec3 } from '../math/types.ts';
import type { Aabb } from '../primitives/types.ts';
import { makeTreeCounters } from './counters.ts';
import type { DescentRule } from './descent.ts';
import { type PairOptions, PairSearch, treePairs } from './pair-search.ts';
import type { Tree } from './tree.ts';

const RULES: DescentRule<object>[] = [
  'a',
  'b',
  'larger',
  'both',
  'alternate',
  'overlap',
  (_a, _b, i, j) => (['a', 'b', 'both'] as const)[(i + j) % 3]!,
];
const ORDERS = ['depth', 'breadth', 'best'] as const;

interface Scene {
  readonly a: Soup;
  readonly b: Soup;
  readonly treeA: Tree<object>;
  readonly treeB: Tree<object>;
  readonly pose: ReadonlyPose | undefined;
  readonly meets: boolean[][];
}

/** Two soups, the second on top of the first, often posed. */
function scene(rng: Rng, index: number): Scene {
  const ops = KINDS[index % KINDS.length]!;
  const a = soup(rng, 14);
  const size = Math.max(1e-9, ...a.flat().map(({ x, y, z }) => Math.abs(x) + Math.abs(y) + Math.abs(z)));
  const b = rng.chance(0.5) ? soup(rng, 14) : a.map((t) => t.map((p) => ({ ...p, x: p.x + 0.1 * size })));
  const position = rng.chance(0.3) ? { x: 0, y: 0, z: 0 } : rng.vec(0.5 * size);
  const pose = rng.chance(0.6) ? { position, quaternion: rng.rotation() } : undefined;
  const treeA = treeOver(ops, a, rng.int(2, 4), rng.int(1, 3));
  const treeB = treeOver(ops, b, rng.int(2, 4), rng.int(1, 3));
  return { a, b, treeA, treeB, pose, meets: bruteForce(a, b, pose) };
}

/** The pairs visited, each of which must come once. */
function pairsOf(a: Tree<object>, b: Tree<object>, options: PairOptions<object>): Set<string> {
  const seen = new Set<string>();
  const ended = treePairs(
    a,
    b,
    (i, j) => {
      check(!seen.has(`${i} ${j}`), `pair ${i} ${j} came twice`);
      seen.add(`${i} ${j}`);
    },
    options,
  );
  check(!ended, 'nobody ended it');
  return seen;
}

function missing(meets: boolean[][], seen: Set<string>): string | null {
  for (const [i, row] of meets.entries())
    for (const [j, yes] of row.entries()) if (yes && !seen.has(`${i} ${j}`)) return `${i} ${j}`;
  return null;
}

property(
  '[R6.3.1] [R6.3.2] [R6.6.6] every rule, measure and order finds the pairs of brute force',
  400,
  (rng, k) => {
    const { treeA, treeB, pose, meets } = scene(rng, k);
    for (const descend of RULES) {
      const order = rng.pick(ORDERS);
      const measure = rng.pick([undefined, 'volume', 'area', 'side'] as const);
      const boxAxes = rng.pick([6, 15] as const);
      const maxWaiting = rng.pick([1, 5, undefined]);
      const seen = pairsOf(treeA, treeB, { descend, order, measure, pose, boxAxes, maxWaiting });
      check(missing(meets, seen) === null, () => `${treeA.ops.kind} ${order} lost ${missing(meets, seen)}`);
    }
  },
);

property('[R6.3.1] the set of candidates does not depend on rule and order', 200, (rng, k) => {
  const { treeA, treeB, pose } = scene(rng, k);
  // Boxes of boxes nest, so leaves that overlap are always reached; turned, they nest up to rounding.
  if (treeA.ops.kind !== 'aabb' || pose) return;
  const wanted = [...pairsOf(treeA, treeB, {})].sort().join();
  for (const descend of RULES)
    for (const order of ORDERS)
      check(
        [...pairsOf(treeA, treeB, { descend, order })].sort().join() === wanted,
        () => `${descend} ${order}`,
      );
});

property('[R6.3.1] a leaf is never opened, nor a rule asked about one', 200, (rng, k) => {
  const { treeA, treeB, pose } = scene(rng, k);
  const descend: DescentRule<object> = (_a, _b, i, j) => {
    check(treeA.skip[i]! > i + 1 && treeB.skip[j]! > j + 1, 'asked about a leaf');
    return rng.pick(['a', 'b', 'both'] as const);
  };
  pairsOf(treeA, treeB, { descend, pose, order: rng.pick(ORDERS) });
});

test('[R6.3.1] a bird in a refinery: to open the larger takes fewer tests than to open the bird', () => {
  const triangle = (p: Vec3, way: Vec3, thick: number): Vec3[] => [
    p,
    { x: p.x + way.x, y: p.y + way.y, z: p.z + way.z },
    { x: p.x + thick, y: p.y + thick, z: p.z - thick },
  ];
  const refinery: Soup = [];
  for (let i = 0; i < 10; i++)
    for (let j = 0; j < 10; j++)
      for (let k = 0; k < 10; k++)
        refinery.push(triangle({ x: 100 * i, y: 100 * j, z: 100 * k }, { x: 100, y: 0, z: 0 }, 1));
  const bird: Soup = [];
  for (let i = 0; i < 64; i++)
    bird.push(
      triangle({ x: 450 + (i % 8) / 4, y: 400 + (i >> 3) / 4, z: 400 }, { x: 0, y: 0.2, z: 0.2 }, 0.1),
    );
  const ops = KINDS[0]!;
  const tests = (descend: DescentRule<object>) => {
    const counters = makeTreeCounters();
    treePairs(treeOver(ops, bird), treeOver(ops, refinery), () => false, { descend, counters });
    return counters.volumeTests;
  };
  expect(tests('larger')).toBeLessThan(tests('a') / 4);
  expect(tests('larger')).toBeLessThan(tests('both'));
});

describe('[R6.3.1] measures', () => {
  /** A long needle and a plate: which is the larger depends on who is asked. */
  const needle: Soup = [0, 1].map((y) => [
    { x: 0, y: 0.01 * y, z: 0 },
    { x: 100, y: 0.01 * y, z: 0 },
    { x: 100, y: 0.01 * y, z: 0.01 },
  ]);
  const plate: Soup = [0, 1].map((x) => [
    { x, y: -5, z: -5 },
    { x, y: 5, z: -5 },
    { x, y: 5, z: 5 },
  ]);
  test.each([
    ['volume', 'b'],
    ['area', 'b'],
    ['side', 'a'],
  ] as const)('%s opens %s', (measure, wanted) => {
    for (const ops of KINDS.filter(({ kind }) => kind !== 'sphere')) {
      const a = treeOver(ops, needle);
      const b = treeOver(ops, plate);
      const told: string[] = [];
      // The roots' children are left unopened, and say who was opened.
      treePairs(a, b, () => false, {
        measure,
        maxDepth: 1,
        atLimit: (i, j) => void told.push(i > 0 ? 'a' : j > 0 ? 'b' : ''),
      });
      expect(new Set(told), ops.kind).toEqual(new Set([wanted]));
    }
  });
});

property(
  '[R6.3.2] [R6.6.6] first hit, first k: nothing is tested after the visitor says stop',
  300,
  (rng, k) => {
    const { treeA, treeB, pose, meets } = scene(rng, k);
    const order = rng.pick(ORDERS);
    const want = rng.int(1, 3);
    const counters = makeTreeCounters();
    let found = 0;
    let at = '';
    const ended = treePairs(
      treeA,
      treeB,
      (i, j) => {
        check(found < want, 'told after the end');
        if (meets[i]![j]) found++;
        at = JSON.stringify(counters);
        return found === want;
      },
      { pose, order, counters },
    );
    const all = meets.flat().filter(Boolean).length;
    check(ended === all >= want, `${ended} but there are ${all}`);
    check(found === Math.min(want, all), `${found} of ${all}`);
    if (ended) check(JSON.stringify(counters) === at, 'counted on after the end');
  },
);

property('[R6.3.2] [R6.6.6] paused and resumed, it does the same in the same order', 300, (rng, k) => {
  const { treeA, treeB, pose } = scene(rng, k);
  const options = {
    pose,
    order: rng.pick(ORDERS),
    descend: rng.pick(RULES),
    maxWaiting: rng.pick([2, 1000]),
  };
  const atOnce: number[] = [];
  treePairs(treeA, treeB, (i, j) => void atOnce.push(i, j), options);
  const bits: number[] = [];
  const counters = makeTreeCounters();
  const search = new PairSearch(treeA, treeB, (i, j) => void bits.push(i, j), { ...options, counters });
  for (let again = 0; again < 2; again++) {
    for (let steps = 0; !search.done; steps++) {
      const before = counters.volumeTests;
      const budget = rng.int(0, 3);
      check(search.step(budget) === search.done, 'step returns done');
      if (options.order !== 'best') check(counters.volumeTests - before <= budget, 'more than the budget');
      check(steps < 10_000, 'no progress');
    }
    check(search.step(5) && !search.stopped, 'done stays done');
    check(bits.join() === atOnce.join(), `${bits} instead of ${atOnce}`);
    bits.length = 0;
    search.restart();
  }
});

property(
  '[R6.3.2] [R6.6.6] at a limit of depth the nodes told of hold what is not visited',
  300,
  (rng, k) => {
    const { treeA, treeB, pose, meets } = scene(rng, k);
    const below = (tree: Tree<object>, node: number) =>
      tree.items.slice(tree.first[node], tree.first[tree.skip[node]!]);
    const seen = new Set<string>();
    const maxDepth = rng.int(0, 4);
    treePairs(treeA, treeB, (i, j) => void seen.add(`${i} ${j}`), {
      pose,
      maxDepth,
      order: rng.pick(ORDERS),
      descend: (_a, _b, _i, _j, depth) => {
        check(depth < maxDepth, 'too deep');
        return 'both';
      },
      atLimit: (i, j) => {
        for (const p of below(treeA, i)) for (const q of below(treeB, j)) seen.add(`${p} ${q}`);
      },
    });
    check(missing(meets, seen) === null, () => `lost ${missing(meets, seen)}`);
  },
);

test('[R6.3.2] a limit of 0 tells of the roots, and a visitor there ends the search too', () => {
  const told: number[][] = [];
  const tree = completeTree(3);
  const atLimit = (i: number, j: number) => told.push([i, j]) > 0;
  expect(treePairs(tree, tree, () => false, { maxDepth: 0, atLimit })).toBe(true);
  expect(told).toEqual([[0, 0]]);
});

test('[R6.3.2] [R6.6.6] breadth first goes level by level', () => {
  const depths: number[] = [];
  const tree = completeTree(5);
  const descend = (_a: object, _b: object, _i: number, _j: number, depth: number) => {
    depths.push(depth);
    return 'both' as const;
  };
  treePairs(tree, tree, () => false, { order: 'breadth', descend });
  expect(depths).toHaveLength((4 ** 4 - 1) / 3);
  expect(depths).toEqual([...depths].sort((a, b) => a - b));
});

/** Squared, exact in doubles for small integers. */
function apart(a: Aabb, b: Aabb): number {
  const gap = (axis: 'x' | 'y' | 'z') => Math.max(0, b.min[axis] - a.max[axis], a.min[axis] - b.max[axis]);
  return gap('x') ** 2 + gap('y') ** 2 + gap('z') ** 2;
}

property('[R6.3.2] best first by distance finds the closest pair and no node beyond it', 500, (rng) => {
  const boxes = (shift: number): Soup =>
    Array.from({ length: rng.int(1, 20) }, () => {
      const p = { x: rng.int(-9, 9) + shift, y: rng.int(-9, 9), z: rng.int(-9, 9) };
      return [p, { x: p.x + rng.int(0, 3), y: p.y + rng.int(0, 3), z: p.z + rng.int(0, 3) }, p];
    });
  const boxOf = ([min, max]: Vec3[]): Aabb => ({ min: min!, max: max! });
  const a = boxes(0);
  const b = boxes(rng.int(0, 20));
  const ops = KINDS[0]!;
  const wanted = Math.min(...a.flatMap((p) => b.map((q) => apart(boxOf(p), boxOf(q)))));
  let best = Infinity;
  let last = 0;
  treePairs(
    treeOver(ops, a),
    treeOver(ops, b),
    (i, j, search) => {
      const d = apart(boxOf(a[i]!), boxOf(b[j]!));
      check(d <= search.limit, 'beyond the limit');
      check(d >= last, 'not in order');
      last = d;
      best = Math.min(best, d);
      search.limit = best;
    },
    { order: 'best', priority: (p, q) => apart(p as Aabb, q as Aabb) },
  );
  check(best === wanted, `${best} instead of ${wanted}`);
});

test('[R6.3.2] [R6.6.6] a chain 100,000 deep, in every order, and with itself', () => {
  const count = 100_000;
  const chain = chainTree(count);
  for (const order of ORDERS) {
    let pairs = 0;
    treePairs(
      chain,
      chain,
      (i, j) => {
        expectEqual(i, j);
        pairs++;
      },
      { order },
    );
    expect(pairs).toBe(count);
    expect(treePairs(chain, chain, () => true, { order, self: true })).toBe(false);
  }
});

function expectEqual(i: number, j: number): void {
  if (i !== j) throw new Error(`${i} and ${j} are apart`);
}

describe('[R6.3.3] complete trees of n levels, everything overlapping', () => {
  const tests = (a: Tree<object>, b: Tree<object>, descend: DescentRule<object>) => {
    const counters = makeTreeCounters();
    treePairs(a, b, () => false, { descend, counters });
    return counters.volumeTests;
  };
  test.each([1, 2, 3, 4, 5, 6])('n = %i: (4ⁿ - 1) / 3 tests at once, 2²ⁿ⁻¹ - 1 one by one', (n) => {
    const tree = completeTree(n);
    expect(tests(tree, tree, 'both')).toBe((4 ** n - 1) / 3);
    for (const rule of ['a', 'b'] as const) expect(tests(tree, tree, rule)).toBe(2 ** (2 * n - 1) - 1);
  });
  test('a leaf and a node have two child pairs', () => {
    expect(tests(completeTree(1), completeTree(5), 'both')).toBe(2 ** 5 - 1);
    expect(tests(completeTree(5), completeTree(1), 'both')).toBe(2 ** 5 - 1);
    // Four pairs of leaves and nodes of two levels, after the roots: each has two children.
    expect(tests(completeTree(2), completeTree(3), 'both')).toBe(1 + 4 + 8);
  });
});

property('[R6.3.2] a tree with itself: every two items once', 300, (rng, k) => {
  const items = soup(rng, 25);
  const tree = treeOver(KINDS[k % KINDS.length]!, items, rng.int(2, 4), rng.int(1, 4));
  const meets = bruteForce(items, items).map((row, i) => row.map((yes, j) => yes && i < j));
  const options = { self: true, order: rng.pick(ORDERS), descend: rng.pick(RULES) };
  const seen = pairsOf(tree, tree, options);
  for (const pair of seen) {
    const [i, j] = pair.split(' ').map(Number) as [number, number];
    check(i < j, `${pair} is not in order`);
  }
  check(missing(meets, seen) === null, () => `lost ${missing(meets, seen)}`);
});

test('bad arguments are refused by name', () => {
  const tree = completeTree(2);
  const call = (options: object) => () => treePairs(tree, tree, () => false, options);
  const pose = { position: { x: Number.NaN, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  expect(call({ pose })).toThrow('pose');
  expect(call({ self: true, pose: { ...pose, position: { x: 0, y: 0, z: 0 } } })).toThrow('self');
  expect(call({ maxDepth: -1 })).toThrow('maxDepth');
  expect(call({ maxWaiting: Number.NaN })).toThrow('maxWaiting');
  expect(call({ descend: 'up' })).toThrow('descend');
  expect(call({ descend: () => 'up' })).toThrow('descend');
  expect(call({ order: 'random' })).toThrow('order');
  expect(call({ measure: 'weight' })).toThrow('measure');
  expect(call({ boxAxes: 9 })).toThrow('boxAxes');
  expect(call({ order: 'best', priority: () => Number.NaN })).toThrow('priority');
  const spheres = treeOver(KINDS[1]!, [[{ x: 0, y: 0, z: 0 }]]);
  expect(() => treePairs(tree, spheres, () => false)).toThrow('same volumes');
  expect(() => treePairs({ ...tree, volumes: new Float32Array(3) }, tree, () => false)).toThrow(
    'a must be a tree',
  );
  expect(() => new PairSearch(tree, tree, () => false).step(Number.NaN)).toThrow('budget');
  expect(() => new PairSearch(tree, tree, () => false).restart(pose)).toThrow('pose');
});

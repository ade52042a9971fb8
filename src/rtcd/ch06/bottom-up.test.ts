import { describe, expect, test } from 'vitest';
import { check, cloud, near, property, type Rng } from '../../../tests/kit/index.ts';
import { boxItems } from '../../trees/items.ts';
import type { Topology } from '../../trees/tree.ts';
import {
  type BottomUpOptions,
  bottomUpTopology,
  mergeByHeap,
  mergeByReference,
  type Pairing,
  PartnerSearch,
} from './bottom-up.ts';
import { ClusterTree, type MergeList } from './cluster-tree.ts';
import type { ExtentMeasure } from './extent-measure.ts';
import { neighbourGraph } from './neighbour-graph.ts';
import { spanningTree } from './spanning-tree.ts';
import { familiesOf, groupingCost } from './sphere-clusters.ts';

/** Boxes from all regimes: touching, flat, without extent, tiny, huge, far away, at times all alike. */
function randomBoxes(rng: Rng, count: number): Float64Array {
  const { points, size } = cloud(rng, 2 * count);
  const bounds = new Float64Array(6 * count);
  const kind = rng.pick(['spread', 'small', 'points', 'line', 'same center'] as const);
  for (let i = 0; i < count; i++) {
    const p = points[2 * i]!;
    const q = points[2 * i + 1]!;
    (['x', 'y', 'z'] as const).forEach((axis, k) => {
      const a = kind === 'line' && k > 0 ? 1 : p[axis];
      const b =
        kind === 'points' || kind === 'line' ? a : kind === 'small' ? a + 0.01 * size * rng.unit() : q[axis];
      const reach = size * (rng.int(0, 3) / 2);
      bounds[6 * i + k] = kind === 'same center' ? -reach : Math.min(a, b);
      bounds[6 * i + k + 3] = kind === 'same center' ? reach : Math.max(a, b);
    });
  }
  return bounds;
}

const sides = (b: ArrayLike<number>, i: number, j: number): [number, number, number] =>
  [0, 1, 2].map(
    (k) => Math.max(b[6 * i + k + 3]!, b[6 * j + k + 3]!) - Math.min(b[6 * i + k]!, b[6 * j + k]!),
  ) as [number, number, number];

/** By definition: volume, half the area, sum of sides. */
function sizeByDefinition(measure: ExtentMeasure, [x, y, z]: [number, number, number]): number {
  return [x * y * z, x * y + y * z + z * x, x + y + z][measure]!;
}

/** The sizes of the merges in order, and whether each was the smallest that there was; tries all pairs. */
function replay(
  list: MergeList,
  count: number,
  measure: ExtentMeasure,
): { sizes: number[]; unique: boolean } {
  const active = new Set(Array.from({ length: count }, (_, i) => i));
  const sizes: number[] = [];
  let unique = true;
  for (let k = count; k < list.count; k++) {
    const all: number[] = [];
    for (const i of active)
      for (const j of active) if (i < j) all.push(sizeByDefinition(measure, sides(list.bounds, i, j)));
    all.sort((a, b) => a - b);
    const size = sizeByDefinition(measure, sides(list.bounds, list.left[k]!, list.right[k]!));
    check(size === all[0], () => `merge ${k - count} has size ${size} and not ${all[0]}`);
    check(active.delete(list.left[k]!) && active.delete(list.right[k]!), 'merged twice');
    active.add(k);
    if (all[1] === all[0]) unique = false;
    sizes.push(size);
  }
  check(active.size <= 1, 'not all merged');
  return { sizes, unique };
}

const mergesOf = (list: MergeList): string => [...list.left, '/', ...list.right].join();

property(
  '[R6.2.2] [R6.2.2.1] every merge is the smallest of all pairs; distinct sizes, same merges',
  250,
  (rng) => {
    const count = rng.int(0, 40);
    const bounds = randomBoxes(rng, count);
    const measure = rng.pick([0, 1, 2] as const);
    const reference = mergeByReference(count, bounds, measure);
    const heap = mergeByHeap(count, bounds, measure);
    const { unique } = replay(reference, count, measure);
    replay(heap, count, measure);
    if (unique) check(mergesOf(heap) === mergesOf(reference), 'other merges');
  },
);

test('[R6.2.2.1] with distinct sizes the merges are those of the reference, and sizes do not fall', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const count = 40;
    const bounds = new Float64Array(6 * count);
    let state = seed;
    const next = (): number => {
      state = (state * 48271) % 2147483647;
      return state / 2147483647;
    };
    for (let i = 0; i < count; i++)
      for (let k = 0; k < 3; k++) {
        bounds[6 * i + k] = next() * 10;
        bounds[6 * i + k + 3] = bounds[6 * i + k]! + next();
      }
    for (const measure of [0, 1, 2] as const) {
      const reference = mergeByReference(count, bounds, measure);
      const { sizes, unique } = replay(reference, count, measure);
      expect(unique).toBe(true);
      expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
      expect(mergesOf(mergeByHeap(count, bounds, measure))).toBe(mergesOf(reference));
    }
  }
});

property(
  '[R6.2.2.1] the partner found is the best of all; alone, there is none, at Infinity',
  1000,
  (rng) => {
    const count = rng.int(1, 40);
    const bounds = randomBoxes(rng, count);
    const measure = rng.pick([0, 1, 2] as const);
    const search = new PartnerSearch(new ClusterTree(count, bounds, count), bounds, measure);
    for (let i = 0; i < count; i++) {
      let least = Infinity;
      for (let j = 0; j < count; j++)
        if (i !== j) least = Math.min(least, sizeByDefinition(measure, sides(bounds, i, j)));
      const partner = search.find(i);
      check(search.size === least, () => `${search.size} and not ${least}`);
      if (count === 1) check(partner === -1, 'alone');
      else check(sizeByDefinition(measure, sides(bounds, i, partner)) === least && partner !== i, 'partner');
    }
  },
);

/** Depth and largest number of children; fails unless every item is in one leaf and every inner node has children. */
function shapeOf(tree: Topology, count: number): { depth: number; widest: number } {
  const { skip, first, items } = tree;
  const depths = new Int32Array(skip.length);
  let widest = 0;
  let depth = 0;
  check(items.length === count && new Set(items).size === count, 'each item once');
  check(
    [...items].every((i) => i < count),
    'items',
  );
  check(first.length === skip.length + 1 && first[skip.length] === count, 'first');
  if (count === 0) return { depth: -1, widest: 0 };
  check(skip[0] === skip.length, 'root');
  for (let i = 0; i < skip.length; i++) {
    depth = Math.max(depth, depths[i]!);
    if (skip[i] === i + 1) {
      check(first[i + 1]! - first[i]! === 1, 'one item a leaf');
      continue;
    }
    let children = 0;
    for (let child = i + 1; child < skip[i]!; child = skip[child]!) {
      depths[child] = depths[i]! + 1;
      children++;
    }
    check(children >= 2, 'an inner node has two children at least');
    widest = Math.max(widest, children);
  }
  return { depth, widest };
}

const ways: BottomUpOptions[] = [
  { pairing: 'heap' },
  { pairing: 'heap', measure: 'volume' },
  { pairing: 'reference' },
  { pairing: 'nearest' },
  { pairing: 'nearest', neighbours: 1, pairsPerRound: 1 },
  { pairing: 'nearest', pairsPerRound: Infinity },
  { pairing: 'spanning' },
  { pairing: 'spanning', spanningMethod: 'prim', clusterSize: 2, neighbours: 1 },
  { pairing: 'spheres' },
  { pairing: 'spheres', neighbours: 1, clusterSize: 2 },
];

property('[R6.2.2] [R6.2.2.2] [R6.2.2.3] all pairings make valid trees of all kinds of boxes', 300, (rng) => {
  const count = rng.pick([0, 1, 2, 3, rng.int(4, 60)]);
  const items = boxItems(randomBoxes(rng, count));
  for (const options of ways) {
    const { widest, depth } = shapeOf(bottomUpTopology(items, options), count);
    const degree = options.clusterSize ?? { spanning: 4, spheres: 8 }[options.pairing as string] ?? 2;
    check(widest <= degree, () => `${JSON.stringify(options)} has a node with ${widest} children`);
    if (options.pairsPerRound === Infinity) check(depth <= Math.ceil(Math.log2(count || 1)), 'depth');
  }
});

/** n boxes at places that rise faster and faster: everyone's nearest neighbour is the one before. */
const chain = (n: number): number[] =>
  Array.from({ length: n }, (_, i) => 1.05 ** i).flatMap((x) => [x, 0, 0, x + 0.01, 1, 1]);
const same = (n: number): number[] => Array.from({ length: n }, () => [1, 2, 3, 4, 5, 6]).flat();
const dolls = (n: number): number[] =>
  Array.from({ length: n }, (_, i) => 1.02 ** i).flatMap((x) => [-x, -x, -x, x, x, x]);

test('[R6.2.2.2] many pairs a round bound the depth where one pair makes a chain', () => {
  const n = 300;
  for (const make of [chain, same, dolls]) {
    const items = boxItems(make(n));
    const depth = (pairsPerRound?: number): number =>
      shapeOf(bottomUpTopology(items, { pairing: 'nearest', ...(pairsPerRound ? { pairsPerRound } : {}) }), n)
        .depth;
    expect(depth(Infinity)).toBe(Math.ceil(Math.log2(n)));
    expect(depth(64)).toBeLessThanOrEqual(24);
    expect(depth()).toBeLessThanOrEqual(2.5 * Math.log2(n) + 3);
    for (const spanningMethod of ['kruskal', 'prim'] as const)
      expect(
        shapeOf(bottomUpTopology(items, { pairing: 'spanning', spanningMethod }), n).depth,
      ).toBeLessThanOrEqual(2 * Math.log2(n));
  }
  const dollDepth = shapeOf(
    bottomUpTopology(boxItems(dolls(n)), { pairing: 'nearest', pairsPerRound: 1 }),
    n,
  );
  expect(dollDepth.depth).toBeGreaterThan(n / 2); // one pair at a time may make a chain, and then does
});

test('[R6.2.2.1] equal boxes make no chain', () => {
  expect(
    shapeOf(bottomUpTopology(boxItems(same(1000)), { pairing: 'heap' }), 1000).depth,
  ).toBeLessThanOrEqual(20);
});

test('[R6.2.2.2] fewer pairs a round make smaller boxes', () => {
  const n = 500;
  let state = 7;
  const next = (): number => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const items = boxItems(
    Array.from({ length: n }, () => [next(), next(), next()].map((c) => 100 * c)).flatMap((p) => [
      ...p,
      ...p.map((c) => c + 1),
    ]),
  );
  const area = (pairsPerRound: number): number => {
    const { skip, first, items: order } = bottomUpTopology(items, { pairing: 'nearest', pairsPerRound });
    let sum = 0;
    for (let i = 0; i < skip.length; i++) {
      const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
      for (let n = first[i]!; n < first[skip[i]!]!; n++)
        for (let k = 0; k < 3; k++) {
          box[k] = Math.min(box[k]!, items.bounds[6 * order[n]! + k]!);
          box[k + 3] = Math.max(box[k + 3]!, items.bounds[6 * order[n]! + k + 3]!);
        }
      const [x, y, z] = [0, 1, 2].map((k) => box[k + 3]! - box[k]!) as [number, number, number];
      sum += x * y + y * z + z * x;
    }
    return sum;
  };
  expect(area(1)).toBeLessThan(0.9 * area(Infinity));
});

const centerOf = (b: Float64Array, i: number): number[] =>
  [0, 1, 2].map((k) => 0.5 * b[6 * i + k]! + 0.5 * b[6 * i + k + 3]!);
const distanceSq = (b: Float64Array, i: number, j: number): number => {
  const [p, q] = [centerOf(b, i), centerOf(b, j)];
  const [x, y, z] = [0, 1, 2].map((k) => p[k]! - q[k]!) as [number, number, number];
  return x * x + y * y + z * z;
};

property('[R6.2.2.2] the k nearest are those of a test of all, and what is apart is bridged', 400, (rng) => {
  const count = rng.int(1, 50);
  const bounds = randomBoxes(rng, count);
  const k = rng.int(1, 6);
  const graph = neighbourGraph(count, bounds, k, (i, j) => distanceSq(bounds, i, j));
  const near = Math.min(k, count - 1);
  for (let i = 0; i < count; i++) {
    const edges = graph.cost.slice(near * i, near * (i + 1));
    for (let n = near * i; n < near * (i + 1); n++)
      check(graph.from[n] === i && graph.to[n] !== i, 'an edge from each to others');
    check(new Set(graph.to.slice(near * i, near * (i + 1))).size === near, 'no neighbour twice');
    const all = Array.from({ length: count }, (_, j) => j)
      .filter((j) => j !== i)
      .map((j) => distanceSq(bounds, i, j))
      .sort((a, b) => a - b);
    check(String(edges) === String(all.slice(0, near)), () => `${edges} and not ${all.slice(0, near)}`);
  }
  const reached = new Set([0]);
  for (let round = 0; round < count; round++)
    graph.from.forEach((from, n) => {
      if (reached.has(from) || reached.has(graph.to[n]!)) reached.add(from).add(graph.to[n]!);
    });
  check(reached.size === count, 'connected');
});

property('[R6.2.2.2] Prim and Kruskal find trees of the same, least weight', 500, (rng) => {
  const count = rng.int(1, 30);
  const bounds = randomBoxes(rng, count);
  const whole = rng.chance(0.5);
  const distance = (i: number, j: number): number => Math.sqrt(distanceSq(bounds, i, j));
  const graph = neighbourGraph(count, bounds, whole ? count : rng.int(1, 4), distance);
  const weigh = (edges: Uint32Array): number => {
    const group = Array.from({ length: count }, (_, i) => i);
    let sum = 0;
    for (const edge of edges) {
      const [a, b] = [group[graph.from[edge]!]!, group[graph.to[edge]!]!];
      check(a !== b, 'a circle');
      for (let i = 0; i < count; i++) if (group[i] === a) group[i] = b;
      sum += graph.cost[edge]!;
    }
    check(edges.length === count - 1, 'spanning');
    return sum;
  };
  const kruskal = weigh(spanningTree(graph, 'kruskal'));
  near(weigh(spanningTree(graph, 'prim')), kruskal, 1e-12 * kruskal, 'weight');
  if (!whole) return;
  // All pairs: the plain O(n²) form of Prim's method.
  const distances = new Float64Array(count).fill(Infinity);
  const open = new Set(Array.from({ length: count }, (_, i) => i));
  let sum = 0;
  for (let i = 0; ; ) {
    open.delete(i);
    if (open.size === 0) break;
    for (const j of open) distances[j] = Math.min(distances[j]!, distance(i, j));
    i = [...open].reduce((a, b) => (distances[b]! < distances[a]! ? b : a));
    sum += distances[i]!;
  }
  near(kruskal, sum, 1e-12 * sum, 'least weight');
});

describe('[R6.2.2.3] clusters of spheres', () => {
  test('costs stay ordered where centers coincide and radii vanish', () => {
    const box = (x: number, r: number): number[] => [x - r, -r, -r, x + r, r, r];
    const cost = groupingCost(
      boxItems([box(0, 0), box(0, 0), box(1, 0), box(3, 0), box(0, 1), box(0, 2), box(0, 8)].flat()),
    );
    expect(cost(0, 1)).toBeLessThan(cost(0, 2));
    expect(cost(0, 2)).toBeLessThan(cost(0, 3)); // points by distance
    expect(cost(4, 5)).toBeLessThan(cost(4, 6)); // concentric ones by size
    for (let i = 0; i < 7; i++)
      for (let j = 0; j < 7; j++) expect(cost(i, j) > 0 && cost(i, j) < Infinity).toBe(true);
  });

  test('the cost is r³ d² / (r_i r_j), up to a factor', () => {
    const boxes = [
      [0, 0, 0, 1],
      [4, 0, 0, 2],
      [0, 9, 0, 0.5],
    ].map(([x, y, z, r]) => [x! - r!, y! - r!, z! - r!, x! + r!, y! + r!, z! + r!]);
    const cost = groupingCost(boxItems(boxes.flat()));
    const h = Math.sqrt(3); // from a cube's center to its corner
    const wanted = (d: number, a: number, b: number): number =>
      (((d + h * (a + b)) / 2) ** 3 * d * d) / (h * h * a * b);
    expect(cost(0, 1) / cost(0, 2)).toBeCloseTo(wanted(4, 1, 2) / wanted(9, 1, 0.5), 6);
  });

  test('families: two to begin with, then what is less than mean + 2 deviations', () => {
    expect([...familiesOf(Float64Array.of(1, 2, 2.9, 100, 101, 300))]).toEqual([0, 0, 0, 1, 1, 2]);
    expect([...familiesOf(Float64Array.of(5, 5, 5, 5, 6))]).toEqual([0, 0, 0, 0, 1]);
    expect([...familiesOf(new Float64Array(0))]).toEqual([]);
  });

  test('groups that are far apart are apart at the top', () => {
    const boxes: number[] = [];
    for (let i = 0; i < 12; i++) {
      const x = 128 * (i % 3) + 1.25 * Math.floor(i / 3); // equal costs are equal to the bit
      boxes.push(x, 0, 0, x + 1, 1, 1);
    }
    const { skip, first, items } = bottomUpTopology(boxItems(boxes), { pairing: 'spheres', neighbours: 2 });
    const groups: string[] = [];
    for (let i = 0; i < skip.length; i++)
      if (first[skip[i]!]! - first[i]! === 4)
        groups.push([...items.slice(first[i]!, first[skip[i]!]!)].sort((a, b) => a - b).join());
    expect(groups.sort()).toEqual(['0,3,6,9', '1,4,7,10', '2,5,8,11']);
  });
});

test('options that make no sense are refused by name', () => {
  const items = boxItems(same(3));
  expect(() => bottomUpTopology(items, { pairing: 'magic' as Pairing })).toThrow(/pairing/);
  expect(() => bottomUpTopology(items, { measure: 'weight' as 'area' })).toThrow(/measure/);
  expect(() => bottomUpTopology(items, { neighbours: 0 })).toThrow(/neighbours/);
  expect(() => bottomUpTopology(items, { pairsPerRound: 0.5 })).toThrow(/pairsPerRound/);
  expect(() => bottomUpTopology(items, { clusterSize: 1 })).toThrow(/clusterSize/);
  expect(() => bottomUpTopology(items, { spanningMethod: 'dijkstra' as 'prim' })).toThrow(/spanningMethod/);
});

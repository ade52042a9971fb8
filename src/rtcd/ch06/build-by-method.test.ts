import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../../tests/kit/index.ts';
import {
  itemCorpus,
  queryBox,
  randomBoxes,
  randomTriangles,
  touchedByAll,
  touchedByTree,
} from '../../../tests/kit/tree-corpus.ts';
import { makeTreeCounters } from '../../trees/counters.ts';
import { boxItems } from '../../trees/items.ts';
import { measureTree, validateTree } from '../../trees/metrics.ts';
import { queryTreePoint } from '../../trees/query.ts';
import { aabbVolume } from '../../volumes/aabb-volume.ts';
import { kdopVolume, obbVolume, sphereVolume } from '../ch04/bounding-volumes.ts';
import { type BuildTreeByOptions, buildTreeBy } from './build-by-method.ts';
import { SPLIT_AIMS, SPLIT_AXES, SPLIT_PLACES } from './top-down-split.ts';

type Options = Omit<BuildTreeByOptions, 'volume' | 'counters'>;

/** The builders that take part. */
const BUILDERS: readonly (Options & { readonly method: string })[] = [
  { method: 'sah' },
  { method: 'sah', longestOnly: true, bins: 4, leafSize: 1 },
  { method: 'morton' },
  { method: 'morton', leafSize: 1, degree: 3 },
  { method: 'top-down' },
  { method: 'top-down', axis: 'obb', split: 'vertex-mean', leafSize: 1 },
  { method: 'top-down', axis: 'kdop', split: 'samples', objective: { sum: 1, count: 0.5 }, hillClimb: true },
  { method: 'sah', degree: 4 },
  { method: 'sah', leafSize: 1, degree: 8, fit: 'merge' },
];

const OTHERS: typeof BUILDERS = [
  { method: 'bottom-up' },
  { method: 'bottom-up', degree: 4 },
  { method: 'bottom-up', pairing: 'nearest' },
  { method: 'bottom-up', pairing: 'spanning' },
  { method: 'bottom-up', pairing: 'spheres' },
  { method: 'insertion' },
  { method: 'insertion', rule: 'goldsmith-salmon' },
];

const TOP_DOWN = SPLIT_AXES.flatMap((axis) =>
  SPLIT_PLACES.map(
    (split, i) => ({ method: 'top-down', axis, split, leafSize: 1, objective: SPLIT_AIMS[i % 5]! }) as const,
  ),
);

const CORPUS = itemCorpus();

describe('every builder on every set of the corpus', () => {
  const rng = new Rng(3);
  for (const { name, items } of CORPUS)
    test(`[R6.1.1] [R6.2.1] [R6.2.1.3] ${name}: valid, and found is what brute force finds`, () => {
      for (const options of [...BUILDERS, ...TOP_DOWN, ...OTHERS]) {
        const tree = buildTreeBy(items, options);
        expect(validateTree(tree, items), JSON.stringify(options)).toEqual([]);
        for (let i = 0; i < 8; i++) {
          const query = queryBox(rng, items);
          expect(touchedByTree(tree, items, query), JSON.stringify(options)).toEqual(
            touchedByAll(items, query),
          );
        }
      }
    });

  for (const volume of [sphereVolume, obbVolume, kdopVolume(14), kdopVolume(26)])
    test(`[R6.1.1] trees of ${volume.kind} over every set`, () => {
      for (const { name, items } of CORPUS)
        for (const options of [{ method: 'sah' }, { method: 'top-down', fit: 'merge', degree: 4 }] as const) {
          // biome-ignore lint/suspicious/noExplicitAny: four kinds of volumes in one loop
          const tree = buildTreeBy<any>(items, { ...options, volume });
          expect(validateTree(tree, items), name).toEqual([]);
          // A tree around triangles need not hold their boxes.
          if (name.startsWith('triangles')) continue;
          const query = queryBox(rng, items);
          expect(touchedByTree(tree, items, query), name).toEqual(touchedByAll(items, query));
        }
    });
});

property('[R6.2.1] [R6.2.1.3] random trees find what brute force finds', 300, (rng) => {
  const count = rng.int(0, 80);
  const items = rng.chance(0.5) ? randomBoxes(rng, count, rng.pick([0, 1, 10])) : randomTriangles(rng, count);
  const options = rng.pick([...BUILDERS, ...TOP_DOWN, ...OTHERS]);
  const tree = buildTreeBy(items, { ...options, leafSize: rng.int(1, 5) });
  for (let i = 0; i < 30; i++) {
    const query = queryBox(rng, items);
    const [found, wanted] = [touchedByTree(tree, items, query), touchedByAll(items, query)];
    check(found.join() === wanted.join(), () => `${JSON.stringify(options)}: ${found} for ${wanted}`);
  }
});

describe('[R6.1.1] twice as many items are less than 2.6 times the work', () => {
  const sets = {
    even: (n: number) => randomBoxes(new Rng(1), n),
    same: (n: number) => boxItems(new Array(n).fill([0, 0, 0, 1, 1, 1]).flat()),
  };
  for (const options of [...BUILDERS, ...TOP_DOWN.filter(({ axis }) => axis === 'xyz')])
    for (const [name, make] of Object.entries(sets))
      test(`${name}: ${JSON.stringify(options)}`, () => {
        const work = (n: number): number => {
          const counters = makeTreeCounters();
          buildTreeBy(make(n), { ...options, counters });
          expect(counters.updates).toBeGreaterThan(0);
          return counters.itemTests + counters.updates;
        };
        // Sorting in every node takes more to get into its stride.
        const n = options.split === 'gaps' ? 2000 : 800;
        expect(work(2 * n) / work(n)).toBeLessThan(2.6);
      });
});

test('[R6.1.2] counting changes nothing', () => {
  const items = randomTriangles(new Rng(4), 200);
  for (const options of BUILDERS)
    expect(buildTreeBy(items, { ...options, counters: makeTreeCounters() })).toEqual(
      buildTreeBy(items, options),
    );
});

test('[R6.2.1] a hundred thousand identical boxes end in a tree of logarithmic depth', () => {
  const items = boxItems(new Float64Array(600_000).map((_, i) => (i % 6 < 3 ? -1 : 1)));
  for (const method of ['sah', 'morton', 'top-down'] as const) {
    const tree = buildTreeBy(items, { method });
    expect(measureTree(tree).depth, method).toBeLessThanOrEqual(17);
    expect(tree.items.length).toBe(100_000);
  }
});

test('[R6.1.1] distances that double make no chain', () => {
  // The middle between the first and the last leaves all but one on one side, over and over.
  const items = boxItems(
    Array.from({ length: 240 }, (_, i) => [2 ** (i / 2 - 60), 0, 0, 2 ** (i / 2 - 60), 0, 0]).flat(),
  );
  for (const options of [
    { method: 'sah', leafSize: 1 },
    { method: 'top-down', split: 'middle', leafSize: 1 },
  ] as const) {
    const { depth } = measureTree(buildTreeBy(items, options));
    expect(depth).toBeGreaterThan(16);
    expect(depth).toBeLessThanOrEqual(9 + 3 * Math.log2(240));
  }
});

test('[R6.1.1] the worst query costs a few times the average one', () => {
  const rng = new Rng(6);
  const items = randomBoxes(rng, 2000);
  for (const method of ['sah', 'morton', 'top-down'] as const) {
    const tree = buildTreeBy(items, { method });
    const costs = Array.from({ length: 300 }, () => {
      const counters = makeTreeCounters();
      queryTreePoint(tree, rng.vec(10), () => {}, { counters });
      return counters.volumeTests;
    });
    const mean = costs.reduce((a, b) => a + b) / costs.length;
    expect(Math.max(...costs), method).toBeLessThan(5 * mean);
    expect(mean, method).toBeLessThan(100);
  }
});

test('[R6.2.1] one list of item numbers is put into order, whatever the tree', () => {
  for (const { items } of CORPUS) {
    const { items: order } = buildTreeBy(items, { method: 'top-down', split: 'mean' });
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: items.count }, (_, i) => i));
  }
});

test('the area heuristic makes better trees than the other ways', () => {
  const rng = new Rng(9);
  // Large triangles among many small ones in heaps.
  const items = boxItems(
    Array.from({ length: 2000 }, (_, i) => {
      const c = rng.vec(i % 7 === 0 ? 50 : 2);
      const s = i % 50 === 0 ? 20 : 0.2;
      return [c.x, c.y, c.z, c.x + s * rng.unit(), c.y + s * rng.unit(), c.z + s * rng.unit()];
    }).flat(),
  );
  const cost = (options: Options): number => measureTree(buildTreeBy(items, options)).cost;
  const sah = cost({ method: 'sah' });
  expect(sah).toBeLessThan(cost({ method: 'morton', leafSize: 1 }));
  expect(sah).toBeLessThan(cost({ method: 'top-down', leafSize: 1 }));
  expect(sah).toBeLessThanOrEqual(
    1.05 * cost({ method: 'top-down', axis: 'xyz', split: 'gaps', leafSize: 1 }),
  );
});

test('volumes are single precision rounded outward', () => {
  const items = boxItems([0.1, 0.1, 0.1, 0.7, 0.7, 0.7]);
  const box = aabbVolume.load(buildTreeBy(items).volumes, 0);
  expect(box.min.x).toBeLessThan(0.1);
  expect(box.max.x).toBeGreaterThan(0.7);
  expect(box.max.x - box.min.x).toBeLessThan(0.6 + 1e-6);
});

test('tight volumes are no larger than merged ones', () => {
  const items = randomTriangles(new Rng(11), 100);
  for (const volume of [sphereVolume, obbVolume]) {
    // biome-ignore lint/suspicious/noExplicitAny: two kinds of volumes in one loop
    const measure = (fit: 'tight' | 'merge') => measureTree(buildTreeBy<any>(items, { volume, fit })).volume;
    expect(measure('tight')).toBeLessThan(measure('merge'));
  }
});

test('a tree is refused when its options make no sense, by name', () => {
  const items = boxItems([0, 0, 0, 1, 1, 1]);
  const bad: Record<string, unknown>[] = [
    { method: 'magic' },
    { degree: 1 },
    { degree: 2.5 },
    { leafSize: 0 },
    { bins: 1 },
    { samples: 0 },
    { maxDepth: -1 },
    { leafVolume: Number.NaN },
    { axis: 'w' },
    { split: 'half' },
    { objective: 'beauty' },
    { objective: { sum: Number.NaN } },
    { fit: 'loose' },
  ];
  for (const options of bad)
    expect(() => buildTreeBy(items, options as BuildTreeByOptions)).toThrow(
      `options.${Object.keys(options)[0]}`,
    );
  const spheres = { method: 'bottom-up', pairing: 'spheres', degree: 4 } as const;
  expect(() => buildTreeBy(randomBoxes(new Rng(1), 40), spheres)).toThrow('options.degree');
  expect(() => buildTreeBy({ ...items, bounds: Float64Array.from([0, 0, 0, 1, 1, Number.NaN]) })).toThrow(
    'items.bounds',
  );
  expect(() => buildTreeBy({ ...items, count: 2 })).toThrow('items.count');
});

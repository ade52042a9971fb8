import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../../tests/kit/index.ts';
import { randomBoxes } from '../../../tests/kit/tree-corpus.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { centersOf } from '../../trees/centers.ts';
import { boxItems, pointItems } from '../../trees/items.ts';
import { identityOrder } from '../../trees/ranges.ts';
import type { TreeItems } from '../../trees/tree.ts';
import { kdopAxes } from '../../volumes/kdop.ts';
import { topDownTopology } from './top-down.ts';
import {
  SPLIT_AIMS,
  SPLIT_PLACES,
  type SplitAim,
  type SplitAxis,
  type SplitObjective,
  type SplitPlace,
  splitAxes,
} from './top-down-split.ts';

// The oracle: boxes as records, cuts as pairs of lists, every candidate scored in the plainest way.
interface Box {
  min: number[];
  max: number[];
}
const boxOf = ({ bounds }: TreeItems, i: number): Box => ({
  min: [...bounds.subarray(6 * i, 6 * i + 3)],
  max: [...bounds.subarray(6 * i + 3, 6 * i + 6)],
});
const around = (boxes: Box[]): Box => ({
  min: [0, 1, 2].map((k) => Math.min(...boxes.map((b) => b.min[k]!))),
  max: [0, 1, 2].map((k) => Math.max(...boxes.map((b) => b.max[k]!))),
});
/** Volume, of flat sets the area, of sets in a line the length: of the axes along which the whole is more than flat. */
const sizeIn = (whole: Box, min: number[], max: number[]): number =>
  [0, 1, 2]
    .filter((k) => whole.max[k]! > whole.min[k]!)
    .reduce((size, k) => size * Math.max(0, max[k]! - min[k]!), 1);

function aimOf(a: Box[], b: Box[], aim: SplitAim): number {
  const [p, q, whole] = [around(a), around(b), around([...a, ...b])];
  const all = sizeIn(whole, whole.min, whole.max);
  const [s, t] = [sizeIn(whole, p.min, p.max) / all, sizeIn(whole, q.min, q.max) / all];
  const low = [0, 1, 2].map((k) => Math.max(p.min[k]!, q.min[k]!));
  const high = [0, 1, 2].map((k) => Math.min(p.max[k]!, q.max[k]!));
  if (aim === 'sum') return s + t;
  if (aim === 'max') return Math.max(s, t);
  if (aim === 'count') return Math.abs(a.length - b.length) / (a.length + b.length);
  if (aim === 'overlap') return low.some((x, k) => x > high[k]!) ? 0 : sizeIn(whole, low, high) / all;
  const gaps = [0, 1, 2]
    .filter((k) => whole.max[k]! > whole.min[k]!)
    .map((k) => (low[k]! - high[k]!) / (whole.max[k]! - whole.min[k]!));
  return -Math.max(...gaps);
}

function scoreOf(items: TreeItems, a: number[], b: number[], objective: SplitObjective): number {
  const [p, q] = [a.map((i) => boxOf(items, i)), b.map((i) => boxOf(items, i))];
  if (typeof objective === 'string') return aimOf(p, q, objective);
  return Object.entries(objective).reduce((sum, [aim, w]) => sum + w * aimOf(p, q, aim as SplitAim), 0);
}

/** Is one side about as large as the whole? */
function isLarge(items: TreeItems, a: number[], b: number[]): boolean {
  return scoreOf(items, a, b, 'max') > 0.999;
}

/** All cuts across an axis that a rule may make, both sides not empty. */
function cutsAcross(items: TreeItems, axis: ReadonlyVec3, place: SplitPlace): [number[], number[]][] {
  const all = [...Array(items.count).keys()];
  const height = all.map((i) => {
    const { min, max } = boxOf(items, i);
    return ((min[0]! + max[0]!) * axis.x + (min[1]! + max[1]!) * axis.y + (min[2]! + max[2]!) * axis.z) / 2;
  });
  const [low, high] = [Math.min(...height), Math.max(...height)];
  if (low === high) return [];
  const sorted = all.slice().sort((i, j) => height[i]! - height[j]! || i - j);
  const below = (t: number): [number[], number[]] => [
    all.filter((i) => height[i]! < t),
    all.filter((i) => height[i]! >= t),
  ];
  const half = items.count >> 1;
  const cuts: [number[], number[]][] =
    place === 'median'
      ? [[sorted.slice(0, half), sorted.slice(half)]]
      : place === 'mean'
        ? [below(height.reduce((sum, h) => sum + h, 0) / items.count)]
        : place === 'middle'
          ? [below((low + high) / 2)]
          : place === 'samples'
            ? [1, 2, 3, 4, 5, 6, 7].map((i) => below(low + ((high - low) * i) / 8))
            : sorted.map((i) => below(height[i]!));
  return cuts.filter(([a, b]) => a.length > 0 && b.length > 0);
}

/** The first cut that is made. */
function firstCut(items: TreeItems, options: Parameters<typeof topDownTopology>[1]): [number[], number[]] {
  const { first, items: order, skip } = topDownTopology(items, { ...options, leafSize: 1, maxDepth: 1 });
  check(skip.length === 3, `${skip.length} nodes`);
  return [[...order.slice(0, first[2])], [...order.slice(first[2])]];
}

const XYZ = [
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 0, y: 0, z: 1 },
];
const MIX = { sum: 1, overlap: 2, separation: 0.5, count: 0.25 } as const;
const PLACES = ['median', 'mean', 'middle', 'samples', 'gaps'] as const;

/** The chosen cut is not worse than any other of the candidates, which are preferred when they make the sides smaller. */
function mustBeBest(
  items: TreeItems,
  axes: readonly ReadonlyVec3[],
  axis: SplitAxis,
  place: SplitPlace,
  objective: SplitObjective,
): void {
  const cuts = axes.flatMap((a) => cutsAcross(items, a, place));
  const [a, b] = firstCut(items, { axis, split: place, objective });
  if (cuts.length === 0) {
    check(Math.abs(a.length - b.length) <= 1, 'halved when there is no cut');
    return;
  }
  const small = cuts.filter(([p, q]) => !isLarge(items, p, q));
  const best = Math.min(
    ...(small.length > 0 ? small : cuts).map(([p, q]) => scoreOf(items, p, q, objective)),
  );
  const score = scoreOf(items, a, b, objective);
  check(
    Math.abs(score - best) <= 1e-12,
    () => `${place} ${JSON.stringify(objective)}: ${score}, best ${best}`,
  );
  if (small.length > 0) check(!isLarge(items, a, b), 'one side as large as the whole');
}

/** Boxes with whole coordinates: ties everywhere, and all sums exact. */
function latticeBoxes(rng: Rng, count: number): TreeItems {
  const flat = rng.pick([0, 0, 1, 2]);
  return boxItems(
    Array.from({ length: count }, () => {
      const min = [0, 1, 2].map((k) => (k < flat ? 3 : rng.int(-4, 4)));
      return [...min, ...min.map((x, k) => x + (k < flat ? 0 : rng.int(0, 2)))];
    }).flat(),
  );
}

describe('[R6.2.1.1] the best of its own candidates', () => {
  for (const place of PLACES)
    property(`${place} across x, y and z`, 500, (rng) => {
      const items = latticeBoxes(rng, rng.int(2, 12));
      mustBeBest(items, XYZ, 'xyz', place, rng.pick([...SPLIT_AIMS, MIX]));
    });
  property('across the axes of a 26-DOP', 200, (rng) => {
    const items = randomBoxes(rng, rng.int(2, 12));
    mustBeBest(
      items,
      kdopAxes(26),
      'kdop',
      rng.pick(['median', 'gaps'] as const),
      rng.pick([...SPLIT_AIMS, MIX]),
    );
  });
});

describe('[R6.2.1.1] when to stop, and what to do when a cut fails', () => {
  const line = (...xs: number[]): TreeItems => boxItems(xs.flatMap((x) => [x, 0, 0, x + 1, 1, 1]));

  test('leaves hold as many as they may', () => {
    for (const leafSize of [1, 2, 5, 16]) {
      const { skip, first } = topDownTopology(randomBoxes(new Rng(1), 100), { leafSize });
      skip.forEach((end, i) => {
        if (end === i + 1) expect(first[i + 1]! - first[i]!).toBeLessThanOrEqual(leafSize);
        else expect(first[end]! - first[i]!).toBeGreaterThan(leafSize);
      });
    }
  });

  test('no node below the depth given', () => {
    const items = randomBoxes(new Rng(1), 100);
    expect(topDownTopology(items, { leafSize: 1, maxDepth: 0 }).skip).toHaveLength(1);
    expect(topDownTopology(items, { leafSize: 1, maxDepth: 3 }).skip).toHaveLength(15);
  });

  test('no node below the volume given', () => {
    // Cubes in a row: half, quarter, eighth of the volume.
    const items = line(0, 1, 2, 3, 4, 5, 6, 7);
    expect(topDownTopology(items, { leafSize: 1, leafVolume: 0.25 }).skip).toHaveLength(7);
    expect(topDownTopology(items, { leafSize: 1, leafVolume: 0.24 }).skip).toHaveLength(15);
    expect(topDownTopology(items, { leafSize: 1, leafVolume: 1 }).skip).toHaveLength(1);
  });

  test('an axis on which the boxes stay large is left for the next', () => {
    // The centers are spread along x the most, but halves that way are as long as the whole; along y they part.
    const items = boxItems(
      [
        [-1000, 0, 0, 999, 0.4, 1],
        [-999, 0, 0, 1000, 0.4, 1],
        [-1000, 0.5, 0, 999, 0.9, 1],
        [-999, 0.5, 0, 1000, 0.9, 1],
      ].flat(),
    );
    const [a, b] = firstCut(items, { axis: 'longest', split: 'median' });
    expect([a.sort(), b.sort()]).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  test('boxes about one center are halved by number', () => {
    const items = boxItems(Array.from({ length: 8 }, (_, i) => [-i, -i, -i, i, i, i]).flat());
    const [a, b] = firstCut(items, { axis: 'kdop', split: 'gaps' });
    expect([a, b]).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
  });

  test('flat sets are cut by area', () => {
    // All of volume 0. A cut at x = 4 leaves two small squares, the one at y = 1 two long strips.
    const items = boxItems([0, 0, 7, 1, 1, 7, 0, 1, 7, 1, 2, 7, 8, 0, 7, 9, 1, 7, 8, 1, 7, 9, 2, 7]);
    const [a, b] = firstCut(items, { axis: 'xyz', split: 'gaps', objective: 'sum' });
    expect([a, b].map((side) => side.sort())).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });
});

const rangeOf = (items: TreeItems) => ({
  items,
  centers: centersOf(items),
  order: identityOrder(items.count),
  begin: 0,
  end: items.count,
  origin: v3.set(...([0, 1, 2].map((k) => items.bounds[k]!) as [number, number, number])),
});

describe('[R6.2.1.2] axes', () => {
  test('a set ten million away that is spread along z only is cut across z', () => {
    const items = pointItems(Array.from({ length: 50 }, (_, i) => [1e7, 1e7, 1e7 + i * 0.001]).flat());
    for (const rule of ['variance', 'farthest', 'longest', 'obb'] as const)
      expect(Math.abs(splitAxes(rule, rangeOf(items))[0]!.z), rule).toBeCloseTo(1, 12);
    for (const axis of ['variance', 'kdop', 'xyz'] as const)
      expect(firstCut(items, { axis, split: 'median' })[0].sort((a, b) => a - b)).toEqual([
        ...Array(25).keys(),
      ]);
  });

  property('variance and box find the direction in which a set is long, wherever it is', 300, (rng) => {
    const [long, far] = [rng.direction(), rng.vec(rng.pick([0, 1e7]))];
    const points: number[] = [];
    for (let i = 0; i < 60; i++) {
      const p = v3.add(v3.addScaled(far, long, rng.range(-20, 20)), rng.vec(1));
      points.push(p.x, p.y, p.z);
    }
    const range = rangeOf(pointItems(points));
    for (const rule of ['variance', 'obb', 'farthest'] as const) {
      const axis = splitAxes(rule, range)[0]!;
      check(
        Math.abs(v3.dot(axis, long)) > 0.98,
        () => `${rule}: ${JSON.stringify(axis)} for ${JSON.stringify(long)}`,
      );
      check(Math.abs(v3.length(axis) - 1) < 1e-12, 'a unit vector');
    }
  });

  property('the farthest pair found is at least half as far apart as any', 1000, (rng) => {
    const points = Array.from({ length: rng.int(2, 20) }, () => rng.vec());
    const [axis] = splitAxes('farthest', rangeOf(pointItems(points)));
    const heights = points.map((p) => v3.dot(p, axis!));
    let most = 0;
    for (const p of points) for (const q of points) most = Math.max(most, v3.distance(p, q));
    check(Math.max(...heights) - Math.min(...heights) >= 0.5 * most * (1 - 1e-9), 'too short');
  });

  test('coincident points give no axis that is not a number', () => {
    const range = rangeOf(pointItems(new Array(30).fill(0.3)));
    for (const rule of ['longest', 'xyz', 'kdop', 'obb', 'farthest', 'variance'] as const)
      for (const { x, y, z } of splitAxes(rule, range)) expect(x + y + z).not.toBeNaN();
  });

  property('climbing never makes the cut worse', 300, (rng) => {
    const items = randomBoxes(rng, rng.int(2, 30), 2);
    const options = {
      axis: rng.pick(['longest', 'xyz'] as const),
      split: rng.pick(PLACES),
      objective: rng.pick(SPLIT_AIMS),
    };
    const [plain, climbed] = [firstCut(items, options), firstCut(items, { ...options, hillClimb: true })];
    check(
      scoreOf(items, ...climbed, options.objective) <= scoreOf(items, ...plain, options.objective) + 1e-12 ||
        (isLarge(items, ...plain) && !isLarge(items, ...climbed)),
      'worse',
    );
  });

  test('climbing finds cuts that no coordinate axis has', () => {
    const rng = new Rng(5);
    let found = 0;
    for (let i = 0; i < 50; i++) {
      const items = randomBoxes(rng, 20, 2);
      const options = { axis: 'xyz', split: 'middle', objective: 'sum' } as const;
      const [plain, climbed] = [firstCut(items, options), firstCut(items, { ...options, hillClimb: true })];
      if (scoreOf(items, ...climbed, 'sum') < 0.99 * scoreOf(items, ...plain, 'sum')) found++;
    }
    expect(found).toBeGreaterThan(10);
  });
});

describe('[R6.2.1.3] where to cut', () => {
  property('the sides of the median differ by one at most, whatever the ties', 2000, (rng) => {
    const items = latticeBoxes(rng, rng.int(2, 40));
    const [a, b] = firstCut(items, { axis: rng.pick(['longest', 'xyz', 'kdop'] as const), split: 'median' });
    check(Math.abs(a.length - b.length) <= 1, () => `${a.length} and ${b.length}`);
  });

  property('no side is ever empty', 2000, (rng) => {
    const items = rng.chance(0.5)
      ? latticeBoxes(rng, rng.int(2, 20))
      : randomBoxes(rng, rng.int(2, 20), 1e-300, 1e-300);
    const axis = rng.pick(['longest', 'xyz', 'kdop', 'obb', 'farthest', 'variance'] as const);
    const [a, b] = firstCut(items, { axis, split: rng.pick(SPLIT_PLACES), hillClimb: rng.chance(0.1) });
    check(a.length > 0 && b.length > 0 && a.length + b.length === items.count, `${a.length} and ${b.length}`);
  });

  test('the mean of the vertices is where an oriented box tree cuts', () => {
    // Centers at 0, 1, 2 and 10; vertices at 0, 1, 2 and, for the last, from 0 to 20: their mean is nearer to the rest.
    const items = boxItems([0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 20, 0, 0]);
    expect(firstCut(items, { axis: 'longest', split: 'vertex-mean' })[1]).toEqual([3]);
  });

  test('groups that grow alike: the smaller one gets the next', () => {
    // Both seeds hold all the small boxes, so none makes either grow.
    const items = boxItems([
      -100,
      -9,
      -9,
      90,
      9,
      9,
      -90,
      -9,
      -9,
      100,
      9,
      9,
      ...Array.from({ length: 11 }, (_, i) => [i / 20, 0, 0, i / 20, 1, 1]).flat(),
    ]);
    const [a, b] = firstCut(items, { split: 'grow' });
    expect(Math.abs(a.length - b.length)).toBeLessThanOrEqual(1);
  });

  test('two heaps apart are grown apart', () => {
    const rng = new Rng(2);
    const items = boxItems(
      Array.from({ length: 40 }, (_, i) => {
        const { x, y, z } = rng.vec();
        return [x + (i % 2) * 9, y, z, x + (i % 2) * 9 + 0.1, y, z];
      }).flat(),
    );
    const [a, b] = firstCut(items, { split: 'grow' });
    expect(new Set(a.map((i) => i % 2)).size).toBe(1);
    expect(new Set(b.map((i) => i % 2)).size).toBe(1);
  });
});

import { expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { POINT_REGIMES, testPointIndex } from '../../tests/kit/point-index.ts';
import { makeAabb } from '../primitives/types.ts';
import { KdTree } from './kd-tree.ts';

testPointIndex('KdTree', '[R7.3.7]', (points) => new KdTree(points));
testPointIndex('KdTree, a point a leaf', '[R7.3.7]', (points) => new KdTree(points, { leafSize: 1 }));

const REGIMES = Object.values(POINT_REGIMES);

const sorted = (ids: Iterable<number>): string => String([...ids].sort((a, b) => a - b));

property(
  '[R7.3.7] location: the cell holds the point, and of all points those of the leaf',
  300,
  (rng, i) => {
    const make = REGIMES[i % REGIMES.length]!;
    const all = Array.from({ length: rng.pick([1, 2, 20, 200, 600]) }, () => make(rng));
    const leafSize = rng.pick([1, 4, 8]);
    const tree = new KdTree(
      all.flatMap(({ x, y, z }) => [x, y, z]),
      { leafSize },
    );
    const cell = makeAabb();
    for (let k = 0; k < 6; k++) {
      const p = rng.chance(0.5) ? rng.pick(all) : make(rng);
      const found = tree.locate(p, cell);
      const { min, max } = cell;
      const holds = ({ x, y, z }: typeof p): boolean =>
        x >= min.x && x < max.x && y >= min.y && y < max.y && z >= min.z && z < max.z;
      check(holds(p), 'the point is not in its cell');
      const wanted = all.flatMap((q, id) => (holds(q) ? [id] : []));
      check(sorted(found) === sorted(wanted), () => `${sorted(found)} and not ${sorted(wanted)}`);
      const places = new Set(wanted.map((id) => `${all[id]!.x} ${all[id]!.y} ${all[id]!.z}`));
      check(wanted.length <= leafSize || places.size === 1, 'a leaf of too many points');
    }
  },
);

property('[R7.3.7] lists as visitors are told', 50, (rng) => {
  const n = rng.pick([0, 3, 3000]);
  const tree = new KdTree(Float64Array.from({ length: 3 * n }, () => rng.range(-3, 3)));
  const out = { ids: new Int32Array(1) };
  const [p, r] = [rng.vec(3), rng.range(0, 6)];
  const box = { min: p, max: { x: p.x + r, y: p.y + r, z: p.z + r } };
  const told: number[] = [];
  tree.range(box, (id) => void told.push(id));
  check(tree.collectRange(box, out) === told.length, 'range');
  check(String([...out.ids.subarray(0, told.length)]) === String(told), 'range in the same order');
  told.length = 0;
  tree.within(p, r, (id) => void told.push(id));
  check(tree.collectWithin(p, r, out) === told.length, 'within');
  check(String([...out.ids.subarray(0, told.length)]) === String(told), 'within in the same order');
});

test('[R7.3.7] cells are fat: of points that are spread evenly, no side of an inner cell is over four times another', () => {
  const rng = new Rng(3);
  const points = Float64Array.from({ length: 30_000 }, () => rng.range(0, 100));
  const tree = new KdTree(points);
  const cell = makeAabb();
  let thin = 0;
  let inner = 0;
  for (let i = 0; i < 2000; i++) {
    tree.locate({ x: rng.range(0, 100), y: rng.range(0, 100), z: rng.range(0, 100) }, cell);
    const sides = (['x', 'y', 'z'] as const).map((axis) => cell.max[axis] - cell.min[axis]);
    if (!sides.every(Number.isFinite)) continue;
    inner++;
    if (Math.max(...sides) > 4 * Math.min(...sides)) thin++;
  }
  expect(inner).toBeGreaterThan(1000);
  // The last cut of a leaf is at the middle of its points, and may be anywhere in its cell.
  expect(thin / inner).toBeLessThan(0.05);
});

test('[R7.3.7] depth: O(log n) for even, clustered, equal and doubling points', () => {
  const rng = new Rng(4);
  const n = 20_000;
  const scenes: Record<string, (i: number) => number> = {
    even: () => rng.unit(),
    clustered: (i) => (i % 3 === 0 ? rng.int(0, 9) : 0) + 1e-9 * rng.unit(),
    equal: () => 7,
    'in two places': (i) => (i < n ? 0 : 1e-300),
    doubling: (i) => 2 ** ((i % 400) - 200),
    'one far away': (i) => (i === 5 ? 1e60 : rng.unit()),
  };
  for (const [name, make] of Object.entries(scenes)) {
    const tree = new KdTree(Float64Array.from({ length: 3 * n }, (_, i) => make(i)));
    const { height, leaves, nodes } = tree.shape;
    expect(height, name).toBeLessThan(18 + 48 + 16);
    expect(nodes, name).toBe(2 * leaves - 1);
    expect(leaves, name).toBeLessThanOrEqual(n);
  }
});

test('coordinates up to the largest', () => {
  const points = [-1e75, -1e75 / 3, 0, 0, 0, 1e-300, 3e74, 0, 0, 5e-324, 0, 0, 0, 0, 1e74];
  const tree = new KdTree(points, { leafSize: 1 });
  for (let i = 0; i < 5; i++) {
    const p = { x: points[3 * i]!, y: points[3 * i + 1]!, z: points[3 * i + 2]! };
    // Distances of tiny numbers are squared to zero, and go by number then.
    expect(tree.nearest(p)).toBe(i === 3 ? 1 : i);
  }
});

test('bad options', () => {
  expect(() => new KdTree([0, 0, 0], { leafSize: 0 })).toThrow(/options.leafSize/);
  expect(() => new KdTree([0, 0])).toThrow(/points must hold 3 numbers/);
});

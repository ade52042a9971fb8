/** The grid of points, against a look at every point and every two. */
import { expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { POINT_REGIMES, testPointIndex } from '../../tests/kit/point-index.ts';
import { PointGrid } from './point-grid.ts';

testPointIndex('PointGrid', '[R7.1.4]', (points) => new PointGrid(points));
testPointIndex('PointGrid with cells of 0.7', '[R7.1.4]', (points) => new PointGrid(points, { cell: 0.7 }));
testPointIndex('PointGrid with cells of 3', '[R7.1.4]', (points) => new PointGrid(points, { cell: 3 }));
testPointIndex('PointGrid with tiny cells', '[R7.1.3]', (points) => new PointGrid(points, { cell: 1e-12 }));

property('[R7.1.6.2] PointGrid: pairs within a distance, each once', 300, (rng, i) => {
  const make = Object.values(POINT_REGIMES)[i % Object.keys(POINT_REGIMES).length]!;
  const n = rng.pick([0, 1, 2, 20, 150]);
  const points = Array.from({ length: n }, () => make(rng));
  const cell = rng.pick([undefined, 0.3, 1, 50]);
  const grid = new PointGrid(Float64Array.from(points.flatMap(({ x, y, z }) => [x, y, z])), { cell });
  const radius = rng.pick([0, 0.25, 0.5, 1, 2, Infinity]);
  const found = new Set<number>();
  grid.pairsWithin(radius, (a, b) => {
    const key = Math.min(a, b) * 1000 + Math.max(a, b);
    check(a !== b && !found.has(key), 'a pair came twice');
    found.add(key);
  });
  let count = 0;
  for (let a = 0; a < n; a++)
    for (let b = a + 1; b < n; b++) {
      const dx = points[b]!.x - points[a]!.x;
      const dy = points[b]!.y - points[a]!.y;
      const dz = points[b]!.z - points[a]!.z;
      if (dx * dx + dy * dy + dz * dz > radius * radius) continue;
      count++;
      check(found.has(a * 1000 + b), () => `a pair is missing: ${JSON.stringify([points[a], points[b]])}`);
    }
  check(count === found.size, () => `${found.size} pairs and not ${count}`);
});

test('[R7.1.4] PointGrid: points that move are taken anew; not while they are searched', () => {
  const rng = new Rng(3);
  const points = Float64Array.from({ length: 3000 }, () => rng.range(-5, 5));
  const grid = new PointGrid(points, { cell: 1 });
  for (let frame = 0; frame < 5; frame++) {
    for (let i = 0; i < points.length; i++) points[i]! += rng.range(-1, 1);
    grid.rebuild(frame === 3 ? points.subarray(0, 300) : points);
    const n = frame === 3 ? 100 : 1000;
    expect(grid.size).toBe(n);
    const p = rng.vec(5);
    let best = -1;
    let least = Infinity;
    for (let i = 0; i < n; i++) {
      const d =
        (points[3 * i]! - p.x) ** 2 + (points[3 * i + 1]! - p.y) ** 2 + (points[3 * i + 2]! - p.z) ** 2;
      if (d < least) [best, least] = [i, d];
    }
    expect(grid.nearest(p)).toBe(best);
  }
  expect(() => grid.within({ x: 0, y: 0, z: 0 }, 9, () => grid.rebuild(points))).toThrow(
    /must not be changed/,
  );
  expect(() => grid.pairsWithin(1, () => grid.rebuild(points))).toThrow(/must not be changed/);
  expect(() => grid.pairsWithin(-1, () => {})).toThrow(/pairsWithin: radius/);
  expect(() => grid.pairsWithin(Number.NaN, () => {})).toThrow(/pairsWithin: radius/);
  expect(() => new PointGrid(points, { cell: 0 })).toThrow(/options.cell/);
  expect(() => new PointGrid(points, { cell: 1e-320 })).toThrow(/options.cell/);
});

test('PointGrid: what cannot be meant is refused, in typed arrays, too, and the grid stays as it was', () => {
  const rng = new Rng(5);
  const points = Float64Array.from({ length: 300 }, () => rng.range(-5, 5));
  const grid = new PointGrid(points);
  const [p, all] = [rng.vec(5), { min: { x: -9, y: -9, z: -9 }, max: { x: 9, y: 9, z: 9 } }];
  const answers = () => [grid.size, grid.nearest(p), grid.collectRange(all, { ids: new Int32Array(1) })];
  const before = answers();
  for (const at of [0, 100, 299])
    for (const bad of [Number.NaN, Infinity, -Infinity, 1e76, -1e76])
      for (const list of [Float64Array.from(points), Float32Array.from(points), Array.from(points)]) {
        list[at] = bad;
        const place = new RegExp(`points\\[${at}\\]`);
        expect(() => grid.rebuild(list)).toThrow(place);
        expect(() => new PointGrid(list)).toThrow(place);
      }
  // Beside an infinity of the other sign, too.
  expect(() => grid.rebuild(Float64Array.of(Infinity, 0, 0, -Infinity, 0, 0))).toThrow(/points\[0\]/);
  expect(() => grid.rebuild(points.subarray(1))).toThrow(/3 numbers for each/);
  for (const list of [new BigInt64Array(3), new DataView(new ArrayBuffer(24)), 'abc', ['1', 2, 3], null])
    expect(() => grid.rebuild(list as never)).toThrow(/rebuild: points/);
  expect(answers()).toEqual(before);
  grid.rebuild(new Float64Array(0));
  expect(answers()).toEqual([0, -1, 0]);
});

property(
  '[R7.1.4] PointGrid: lists as visitors are told, of grids with a place for each cell and of hashed ones',
  60,
  (rng) => {
    const n = rng.pick([0, 3, 2000]);
    const flat = rng.pick([1, 1, 0]);
    const points = Float64Array.from(
      { length: 3 * n },
      (_, i) => (i % 3 === rng.int(0, 2) ? flat : 1) * rng.range(-3, 3),
    );
    const grid = new PointGrid(points, { cell: rng.pick([undefined, 0.01, 0.5]) });
    const out = { ids: new Int32Array(1) };
    const [p, r] = [rng.vec(3), rng.range(0, 6)];
    const box = { min: p, max: { x: p.x + r, y: p.y + r, z: p.z + r } };
    const told: number[] = [];
    grid.range(box, (id) => void told.push(id));
    check(grid.collectRange(box, out) === told.length, 'range');
    check(String([...out.ids.subarray(0, told.length)]) === String(told), 'range in the same order');
    told.length = 0;
    grid.within(p, r, (id) => void told.push(id));
    check(grid.collectWithin(p, r, out) === told.length, 'within');
    check(String([...out.ids.subarray(0, told.length)]) === String(told), 'within in the same order');
  },
);

import { expect, test } from 'vitest';
import { check, cloud, near, property, Rng } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { directionTree, supportIndexDirectionTree } from './direction-tree.ts';

const v = (x: number, y: number, z: number): Vec3 => ({ x, y, z });
const dot = (a: Vec3, b: Vec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
const best = (points: readonly Vec3[], d: Vec3): number => Math.max(...points.map((p) => dot(p, d)));

property('[R9.3.1b] the tree of directions = a scan of all points', 200, (rng) => {
  const n = rng.pick([1, 2, 3, 4, 6, 10, 40]);
  const points = rng.chance(0.4)
    ? Array.from({ length: n }, () => v(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3)))
    : rng.chance(0.3)
      ? Array.from({ length: n }, () => rng.direction())
      : cloud(rng, n).points;
  const tree = directionTree(points);
  const size = Math.max(...points.map((p) => Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z)));
  for (let k = 0; k < 500; k++) {
    const d = k % 2 ? v(rng.int(-2, 2), rng.int(-2, 2), rng.int(-2, 2)) : rng.direction();
    const found = points[supportIndexDirectionTree(tree, d)];
    check(found !== undefined, 'no vertex');
    const length = Math.abs(d.x) + Math.abs(d.y) + Math.abs(d.z);
    near(dot(found, d), best(points, d), 1e-15 * size * length, 'height');
  }
});

test('[R9.3.1b] a box, a prism and a lattice ball along all small integer directions: exactly the farthest', () => {
  const box = Array.from({ length: 8 }, (_, i) => v(i & 1, 2 * ((i >> 1) & 1), 3 * (i >> 2)));
  const ring = [v(0, 0, 0), v(4, 0, 0), v(6, 2, 0), v(4, 5, 0), v(0, 3, 0)];
  const prism = [...ring, ...ring.map((p) => ({ ...p, z: 4 }))];
  const ball: Vec3[] = [];
  for (let x = -4; x <= 4; x++)
    for (let y = -4; y <= 4; y++)
      for (let z = -4; z <= 4; z++) if (x * x + y * y + z * z <= 17) ball.push(v(x, y, z));
  for (const points of [box, prism, ball]) {
    const tree = directionTree(points);
    for (let x = -4; x <= 4; x++)
      for (let y = -4; y <= 4; y++)
        for (let z = -4; z <= 4; z++) {
          const d = v(x, y, z);
          expect(dot(points[supportIndexDirectionTree(tree, d)]!, d) + 0).toBe(best(points, d) + 0);
        }
  }
});

test('[R9.3.1b] the questions are some log n, the nodes O(n log n)', () => {
  const rng = new Rng(5);
  for (const n of [100, 1_000]) {
    const points = Array.from({ length: n }, () => rng.direction());
    const { nodes } = directionTree(points);
    const log = Math.log2(n);
    // Measured: 0.4 to 0.7 times; below, 1.5 to 1.6.
    expect(nodes.length / 4).toBeLessThan(n * log);
    let depth = 0;
    const runs = 300;
    for (let k = 0; k < runs; k++) {
      const d = rng.direction();
      for (let node = 0; node >= 0; depth++) {
        const at = 4 * node;
        node = nodes[at + (dot(d, points[nodes[at]!]!) >= dot(d, points[nodes[at + 1]!]!) ? 2 : 3)]!;
      }
    }
    expect(depth / runs).toBeLessThan(2.5 * log);
  }
});

test('bad input is refused', () => {
  expect(() => directionTree([])).toThrow('points');
  const tree = directionTree([v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), v(0, 0, 1)]);
  expect(() => supportIndexDirectionTree(tree, v(0, Number.NaN, 0))).toThrow('direction.y');
});

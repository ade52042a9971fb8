import { describe, expect, test } from 'vitest';
import { check, cloud, growsGently, near, property, type Rng } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { VertexWelder, weld, weldTriangles } from './weld.ts';

const flat = (points: readonly Vec3[]) => points.flatMap(({ x, y, z }) => [x, y, z]);
const squared = (p: ArrayLike<number>, v: number, q: ArrayLike<number>, w: number) =>
  (p[3 * v]! - q[3 * w]!) ** 2 + (p[3 * v + 1]! - q[3 * w + 1]!) ** 2 + (p[3 * v + 2]! - q[3 * w + 2]!) ** 2;
const distance = (p: ArrayLike<number>, v: number, q: ArrayLike<number>, w: number) =>
  Math.sqrt(squared(p, v, q, w));

/** Points in clumps about as wide as the tolerance, which straddle cells on both sides of the origin. */
function clumps(rng: Rng): { positions: number[]; tolerance: number } {
  const { points, size } = cloud(rng, rng.int(0, 12));
  const tolerance = size * rng.pick([1e-3, 0.05, 0.3, 1]);
  const all = points.flatMap((p) =>
    Array.from({ length: rng.int(1, 4) }, () =>
      rng.chance(0.3)
        ? p
        : {
            x: p.x + tolerance * rng.range(-1, 1),
            y: p.y + tolerance * rng.range(-1, 1),
            z: p.z + tolerance * rng.range(-1, 1),
          },
    ),
  );
  return { positions: flat(rng.shuffle(all)), tolerance };
}

/** Each against all kept before, in order. */
function brute(positions: readonly number[], tolerance: number): { remap: number[]; kept: number[] } {
  const kept: number[] = [];
  const remap = Array.from({ length: positions.length / 3 }, (_, v) => {
    const first = kept.findIndex((w) => {
      const d = squared(positions, v, positions, w);
      return d < tolerance * tolerance || d === 0;
    });
    return first >= 0 ? first : kept.push(v) - 1;
  });
  return { remap, kept };
}

/** Labels of the sets linked by short steps, numbered by first appearance. */
function linked(positions: readonly number[], tolerance: number): number[] {
  const n = positions.length / 3;
  const label = Array.from({ length: n }, (_, v) => v);
  for (let changed = true; changed; ) {
    changed = false;
    for (let v = 0; v < n; v++)
      for (let w = 0; w < v; w++) {
        const d = squared(positions, v, positions, w);
        if ((d < tolerance * tolerance || d === 0) && label[v] !== label[w]) {
          const low = Math.min(label[v]!, label[w]!);
          label[v] = low;
          label[w] = low;
          changed = true;
        }
      }
  }
  const order = [...new Set(label)];
  return label.map((l) => order.indexOf(l));
}

describe('weld by the first vertex kept', () => {
  property('[R12.1a] joins as comparing each vertex with all kept before does', 10_000, (rng) => {
    const { positions, tolerance } = clumps(rng);
    const wanted = brute(positions, tolerance);
    const { positions: kept, remap } = weld(positions, tolerance);
    check(remap.join() === wanted.remap.join(), () => `${remap.join()} is not ${wanted.remap.join()}`);
    check(kept.length === 3 * wanted.kept.length, 'count');
    wanted.kept.forEach((v, i) => {
      check(distance(kept, i, positions, v) === 0, 'a vertex kept has moved');
    });
  });

  property('[R12.1a] keeps vertices the tolerance apart, and moves none as far as that', 10_000, (rng) => {
    const { positions, tolerance } = clumps(rng);
    for (const method of ['first', 'sorted'] as const) {
      const { positions: kept, remap } = weld(positions, tolerance, method);
      // The squares are compared, rounded.
      const least = tolerance * (1 - 1e-15);
      for (let v = 0; v < kept.length / 3; v++)
        for (let w = 0; w < v; w++) check(distance(kept, v, kept, w) >= least, `${method}: too near`);
      remap.forEach((to, v) => {
        check(distance(positions, v, kept, to) < tolerance, `${method}: drifted`);
      });
      const again = weld(kept, tolerance, method);
      check(again.positions.length === kept.length, `${method}: not idempotent`);
    }
  });

  test('[R12.1a] takes vertices one by one', () => {
    const welder = new VertexWelder(0.1);
    expect(welder.add({ x: 0, y: 0, z: 0 })).toBe(0);
    expect(welder.add({ x: 1, y: 0, z: 0 })).toBe(1);
    expect(welder.add({ x: -0.05, y: 0, z: 0.05 })).toBe(0);
    expect(welder.count).toBe(2);
    expect([...welder.positions()]).toEqual([0, 0, 0, 1, 0, 0]);
    expect(() => welder.add({ x: NaN, y: 0, z: 0 })).toThrow(/point/);
  });

  test('[R12.1a] a tolerance of zero welds equal vertices only, and 0 equals -0', () => {
    const tiny = 1e-300;
    expect([...weld([0, 0, 0, -0, -0, 0, tiny, 0, 0, 0, 0, 0], 0).remap]).toEqual([0, 0, 1, 0]);
  });

  test('[R12.1a] refuses a tolerance that the coordinates swallow', () => {
    expect(() => weld([1e20, 0, 0], 1)).toThrow(/tolerance is lost/);
    expect(() => new VertexWelder(1e-9).add({ x: 1e9, y: 0, z: 0 })).toThrow(/tolerance is lost/);
  });

  test('[R12.1a] takes linear time, also when all vertices are in few places', () => {
    const weldAll = (n: number) => {
      const spread = Float64Array.from({ length: 3 * n }, (_, i) => ((i * 7919) % 100_003) / 100);
      const heaped = Float64Array.from({ length: 3 * n }, (_, i) => (i % 5) * 1e-4);
      weld(spread, 1e-3);
      expect(weld(heaped, 1).positions.length).toBe(3);
    };
    growsGently(
      'vertices',
      () => weldAll(30_000),
      () => weldAll(300_000),
    );
  });

  test('keeps the type of array, and welds none of none', () => {
    expect(weld(new Float32Array(3), 0).positions).toBeInstanceOf(Float32Array);
    expect(weld([], 1).remap.length).toBe(0);
  });
});

describe('weld when all vertices are known', () => {
  property('[R12.1b] clusters are the sets linked by short steps, at their mean', 5_000, (rng) => {
    const { positions, tolerance } = clumps(rng);
    const { positions: kept, remap } = weld(positions, tolerance, 'average');
    const wanted = linked(positions, tolerance);
    check(remap.join() === wanted.join(), () => `${remap.join()} is not ${wanted.join()}`);
    const largest = Math.max(1e-300, ...positions.map(Math.abs));
    for (let c = 0; c < kept.length / 3; c++)
      for (let k = 0; k < 3; k++) {
        const members = positions.filter((_, i) => i % 3 === k && wanted[(i - k) / 3] === c);
        near(kept[3 * c + k]!, members.reduce((a, b) => a + b, 0) / members.length, 1e-14 * largest, 'mean');
      }
  });

  property('[R12.1b] sorted: the outcome does not depend on the order of the vertices', 3_000, (rng) => {
    const { positions, tolerance } = clumps(rng);
    const places = (p: ArrayLike<number>) =>
      Array.from({ length: p.length / 3 }, (_, v) =>
        [p[3 * v]! + 0, p[3 * v + 1]! + 0, p[3 * v + 2]! + 0].join(),
      ).sort();
    const order = rng.shuffle(Array.from({ length: positions.length / 3 }, (_, v) => v));
    const shuffled = order.flatMap((v) => positions.slice(3 * v, 3 * v + 3));
    const one = places(weld(positions, tolerance, 'sorted').positions);
    const other = places(weld(shuffled, tolerance, 'sorted').positions);
    check(one.join('|') === other.join('|'), 'positions kept');
  });

  property('[R12.1b] sorted: each vertex kept takes in all that are near and still free', 5_000, (rng) => {
    const { positions, tolerance } = clumps(rng);
    const sum = (v: number) => [0, 1, 2].reduce((s, k) => s + Math.abs(positions[3 * v + k]!), 0);
    const order = Array.from({ length: positions.length / 3 }, (_, v) => v).sort(
      (v, w) =>
        sum(v) - sum(w) ||
        positions[3 * v]! - positions[3 * w]! ||
        positions[3 * v + 1]! - positions[3 * w + 1]! ||
        positions[3 * v + 2]! - positions[3 * w + 2]! ||
        v - w,
    );
    const wanted = brute(
      order.flatMap((v) => positions.slice(3 * v, 3 * v + 3)),
      tolerance,
    ).remap;
    const { remap } = weld(positions, tolerance, 'sorted');
    for (let i = 0; i < order.length; i++)
      for (let j = 0; j < i; j++)
        check((wanted[i] === wanted[j]) === (remap[order[i]!] === remap[order[j]!]), 'sets differ');
  });

  test('[R12.1b] a lattice, where many sums are equal, stays what it is', () => {
    const positions: number[] = [];
    for (let i = -8; i <= 8; i++)
      for (let j = -8; j <= 8; j++) for (let k = -8; k <= 8; k++) positions.push(i, j, k);
    for (const method of ['first', 'sorted', 'average'] as const) {
      expect(weld(positions, 1, method).positions.length, method).toBe(positions.length);
      expect(weld(positions, 1.01, method).positions.length, method).toBeLessThan(positions.length);
    }
  });

  test('[R12.1b] a chain becomes one vertex by averages, and every third or so by the first', () => {
    const positions = Array.from({ length: 30 }, (_, i) => [0.09 * i, 0, 0]).flat();
    const average = weld(positions, 0.1, 'average');
    expect(average.positions.length).toBe(3);
    expect(average.positions[0]).toBeCloseTo((0.09 * 29) / 2, 12); // so its ends have drifted by 13 tolerances
    expect(weld(positions, 0.1).positions.length).toBe(45);
  });
});

describe('weldTriangles', () => {
  test('[R12.1a] makes an index for a soup, and drops what collapses or is not used', () => {
    const soup = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1e-9, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1e-9, 0, 0, 5, 5, 5];
    const result = weldTriangles({ positions: soup }, 1e-6);
    expect([...result.index]).toEqual([0, 1, 2, 1, 3, 2]);
    expect([...result.source]).toEqual([0, 1]);
    expect([...result.collapsed]).toEqual([2]);
    expect([...result.remap]).toEqual([0, 1, 2, 1, 3, 2, 0, 0, -1]);
    expect(result.positions.length).toBe(12);
  });

  test('nothing may be left', () => {
    const { index, positions } = weldTriangles({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] }, 5);
    expect([index.length, positions.length]).toEqual([0, 0]);
  });

  test('refuses a method that does not exist, and broken input', () => {
    expect(() => weld([0, 0, 0], 0, 'last' as 'first')).toThrow(/method/);
    expect(() => weldTriangles({ positions: [0, 0, 0], index: [0, 0, 7] }, 0)).toThrow(/index/);
  });
});

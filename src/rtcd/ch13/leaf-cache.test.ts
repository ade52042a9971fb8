import { describe, expect, test } from 'vitest';
import { check, property } from '../../../tests/kit/index.ts';
import type { Rng } from '../../../tests/kit/rng.ts';
import { LeafCache } from './leaf-cache.ts';
import { dequantizePoints, type QuantizedPoints, quantizePoints } from './quantize.ts';

/** Leaves whose triangles are reached through indices, and whose vertices are packed: what a cache is for. */
function compactLeaves(rng: Rng, count: number) {
  const vertices = quantizePoints(
    Array.from({ length: 200 }, () => rng.vec()),
    '16',
  );
  const triangles = Uint16Array.from({ length: 3 * 300 }, () => rng.int(0, 199));
  const leaves = Array.from({ length: count }, () =>
    Array.from({ length: rng.int(0, 6) }, () => rng.int(0, 299)),
  );
  const unpack = (leaf: number, into: number[]): void => {
    into.length = 0;
    const points = vertexReader(vertices);
    for (const triangle of leaves[leaf]!)
      for (let k = 0; k < 3; k++) into.push(...points(triangles[3 * triangle + k]!));
  };
  return { leaves, triangles, unpack };
}

const vertexReader = (vertices: QuantizedPoints) => {
  const all = dequantizePoints(vertices);
  return (i: number) => all.subarray(3 * i, 3 * i + 3);
};

property('[R13.5.1] the same triangles with the cache as without it, and as read directly', 100, (rng) => {
  const { unpack, leaves } = compactLeaves(rng, 40);
  const size = rng.pick([1, 2, 8, 64]);
  const cache = new LeafCache<number[]>({ make: () => [], load: unpack, size });
  const direct: number[] = [];
  for (let i = 0; i < 100; i++) {
    const leaf = rng.chance(0.7) ? rng.int(0, 7) : rng.int(0, 39);
    if (rng.chance(0.05)) {
      leaves[leaf] = leaves[rng.int(0, 39)]!;
      cache.invalidate(rng.chance(0.5) ? leaf : undefined);
    }
    const found = cache.get(leaf, rng.chance(0.7));
    unpack(leaf, direct);
    check(found.length === direct.length && found.every((x, k) => x === direct[k]), `leaf ${leaf}`);
  }
});

describe('[R13.5.1] one place a leaf', () => {
  const loads: number[] = [];
  const make = (size?: number) => {
    loads.length = 0;
    return new LeafCache<{ leaf: number }>({
      make: () => ({ leaf: -1 }),
      load: (leaf, into) => {
        loads.push(leaf);
        into.leaf = leaf;
      },
      ...(size && { size }),
    });
  };

  test('leaves with the same low bits drive each other out', () => {
    const cache = make(4);
    for (const leaf of [1, 1, 5, 5, 1, 2, 1]) expect(cache.get(leaf).leaf).toBe(leaf);
    expect(loads).toEqual([1, 5, 1, 2]);
    expect([cache.hits, cache.misses]).toEqual([3, 4]);
  });

  test('a power of two of places, all of them in use: 127 and 255 share the last of 128', () => {
    const cache = make();
    for (let leaf = 0; leaf < 128; leaf++) cache.get(leaf);
    for (let leaf = 0; leaf < 128; leaf++) expect(cache.get(leaf).leaf).toBe(leaf);
    expect(cache.hits).toBe(128);
    cache.get(255);
    expect(cache.get(126).leaf).toBe(126);
    expect(loads.filter((leaf) => leaf === 126)).toHaveLength(1);
    expect(cache.get(127).leaf).toBe(127);
    expect(loads.filter((leaf) => leaf === 127)).toHaveLength(2);
    expect(() => make(127)).toThrow(/size/);
    expect(() => make(1.5)).toThrow(/size/);
  });

  test('switched off for a call, the cache stays as it is', () => {
    const cache = make(1);
    const kept = cache.get(3);
    expect(cache.get(4, false).leaf).toBe(4);
    expect(kept.leaf).toBe(3);
    expect(cache.get(3).leaf).toBe(3);
    expect(loads).toEqual([3, 4]);
    expect(cache.get(3, false).leaf).toBe(3);
    expect(loads).toEqual([3, 4, 3]);
  });

  test('an edited leaf is unpacked anew, another in its place is not touched', () => {
    const cache = make(4);
    cache.get(1);
    cache.invalidate(5);
    cache.get(1);
    expect(loads).toEqual([1]);
    cache.invalidate(1);
    cache.get(1);
    expect(loads).toEqual([1, 1]);
    cache.invalidate();
    cache.get(1);
    expect(loads).toEqual([1, 1, 1]);
  });

  test('a leaf that could not be unpacked is not taken for the one before', () => {
    let broken = false;
    const cache = new LeafCache<number[]>({
      make: () => [],
      load: (leaf, into) => {
        into[0] = -1;
        if (broken) throw new Error('broken');
        into[0] = leaf;
      },
      size: 2,
    });
    cache.get(0);
    broken = true;
    expect(() => cache.get(2)).toThrow('broken');
    broken = false;
    expect(cache.get(0)).toEqual([0]);
    expect(cache.get(2)).toEqual([2]);
  });

  test('leaf numbers that are none are refused', () => {
    const cache = make();
    for (const bad of [-1, 0.5, Number.NaN, Infinity]) expect(() => cache.get(bad)).toThrow(/leaf/);
  });
});

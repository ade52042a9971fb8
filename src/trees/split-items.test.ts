import { describe, expect, test } from 'vitest';
import { check, cloud, property, Rng } from '../../tests/kit/index.ts';
import { itemCorpus, randomTriangles } from '../../tests/kit/tree-corpus.ts';
import { buildTreeBy } from '../rtcd/ch06/build-by-method.ts';
import { boxItems, triangleItems } from './items.ts';
import { measureTree, validateTree } from './metrics.ts';
import { splitItems } from './split-items.ts';

describe('[R6.2.1] straddlers cut up before the tree is built', () => {
  property('any point of a triangle is in one of its parts, and no part sticks out', 500, (rng) => {
    const { points, size } = cloud(rng, 9);
    const items = triangleItems(points.flatMap(({ x, y, z }) => [x, y, z]));
    const growth = rng.pick([0, 0.5, 4]);
    const { items: parts, source } = splitItems(items, growth);
    check(parts.count <= (1 + growth) * items.count, () => `${parts.count} parts`);
    for (let i = 0; i < 50; i++) {
      const item = rng.int(0, 2);
      const [a, b, c] = points.slice(3 * item, 3 * item + 3) as [
        (typeof points)[0],
        (typeof points)[0],
        (typeof points)[0],
      ];
      const [s, t] = [rng.unit(), rng.unit()];
      const [u, v] = s + t > 1 ? [1 - s, 1 - t] : [s, t];
      const p = (['x', 'y', 'z'] as const).map((k) => a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]));
      const slack = 1e-15 * (Math.abs(p[0]!) + Math.abs(p[1]!) + Math.abs(p[2]!) + size);
      const held = [...source.keys()].some(
        (part) =>
          source[part] === item &&
          p.every(
            (x, k) =>
              x >= parts.bounds[6 * part + k]! - slack && x <= parts.bounds[6 * part + 3 + k]! + slack,
          ),
      );
      check(held, () => `${p} in no part of ${item}`);
    }
    source.forEach((item, part) => {
      for (let k = 0; k < 3; k++)
        check(
          parts.bounds[6 * part + k]! >= items.bounds[6 * item + k]! &&
            parts.bounds[6 * part + 3 + k]! <= items.bounds[6 * item + 3 + k]!,
          'larger than the item',
        );
    });
  });

  test('the degenerate sets, and trees over their parts', () => {
    for (const { name, items } of itemCorpus()) {
      const { items: parts, source } = splitItems(items, 1);
      expect(new Set(source).size, name).toBe(items.count);
      expect(validateTree(buildTreeBy(parts), parts), name).toEqual([]);
    }
  });

  test('boxes are cut along their longest side', () => {
    const { items: parts, source } = splitItems(boxItems([0, 0, 0, 8, 1, 1]), 3);
    expect([...source]).toEqual([0, 0, 0, 0]);
    expect([...parts.bounds].filter((_, i) => i % 6 === 0).sort()).toEqual([0, 2, 4, 6]);
  });

  test('long oblique triangles among small ones make a cheaper tree in parts', () => {
    const rng = new Rng(1);
    const small = randomTriangles(rng, 300, 0.3);
    const positions: number[] = [];
    for (let i = 0; i < 300; i++) small.points(i, positions);
    for (let i = 0; i < 30; i++) {
      const [p, d] = [rng.vec(10), rng.vec(10)];
      positions.push(p.x, p.y, p.z, p.x + d.x, p.y + d.y, p.z + d.z, p.x + 0.1, p.y, p.z);
    }
    const items = triangleItems(positions);
    const cost = (growth: number): number => measureTree(buildTreeBy(splitItems(items, growth).items)).cost;
    expect(cost(1)).toBeLessThan(cost(0));
  });
});

/** What the structures that searches run on take, to the byte, and in which order they lie. */
import { describe, expect, test } from 'vitest';
import { buildTreeBy } from '../src/rtcd/ch06/build-by-method.ts';
import { packByteBoxes } from '../src/rtcd/ch13/byte-boxes.ts';
import { packLevelOrder } from '../src/rtcd/ch13/level-order.ts';
import { packKdTree } from '../src/rtcd/ch13/packed-kd-tree.ts';
import { packPreorder, searchPreorder } from '../src/rtcd/ch13/preorder-links.ts';
import { boxItems } from '../src/trees/items.ts';
import { packTriangles } from '../src/trees/pack-build.ts';
import type { PackedTree } from '../src/trees/packed-tree.ts';
import { boxTree, shapeTree } from './kit/box-trees.ts';
import { Rng } from './kit/rng.ts';

const COUNT = 5000;
const rng = new Rng(99);
const bounds = new Float64Array(6 * COUNT);
for (let i = 0; i < COUNT; i++) {
  const { x, y, z } = rng.vec(10);
  bounds.set([x, y, z, x + 0.1, y + 0.2, z + 0.3], 6 * i);
}

describe('[R13.3.1,3] the tree of a mesh', () => {
  // A triangle from the lowest to the highest corner of each box.
  const positions = Float64Array.from({ length: 9 * COUNT }, (_, i) => {
    const [box, corner, axis] = [Math.floor(i / 9), Math.floor(i / 3) % 3, i % 3];
    return bounds[6 * box + axis + (corner === 0 ? 0 : corner === 1 ? 3 : axis === 0 ? 0 : 3)]!;
  });
  const index = Uint32Array.from({ length: 3 * COUNT }, (_, i) => i);
  const { tree, order } = packTriangles(positions, index);
  const fields: Record<keyof PackedTree, unknown> = { ...tree };

  test('32 bytes a node, a grid for all, and nothing else', () => {
    expect(tree.bounds.byteLength).toBe(32 * tree.nodeCount);
    expect(tree.grid.byteLength).toBe(48);
    // The links lie in the same bytes.
    expect(tree.links.buffer).toBe(tree.bounds.buffer);
    expect([tree.links.byteOffset, tree.links.byteLength]).toEqual([
      tree.bounds.byteOffset,
      tree.bounds.byteLength,
    ]);
    expect(Object.keys(fields).sort()).toEqual(['bounds', 'grid', 'links', 'nodeCount']);
    // Two cache lines hold four nodes, the boxes of eight.
    expect(tree.bounds.byteOffset % 32).toBe(0);
  });

  test('at most one node for two items, and the items are named once, apart from the tree', () => {
    expect(tree.nodeCount).toBeLessThan(COUNT / 2);
    expect(order.byteLength).toBe(4 * COUNT);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, i) => i));
  });

  test('nodes lie in the order of a visit to all: preorder, and so do the items', () => {
    let node = 0;
    let item = 0;
    const links = [tree.links[7]!, tree.links[6]!];
    while (links.length > 0) {
      const link = links.pop()!;
      if (link < 0) {
        const [first, count] = [~link >>> 4, ~link & 15];
        if (count > 0) expect(first).toBe(item);
        item += count;
        continue;
      }
      expect(link).toBe(16 * ++node);
      links.push(tree.links[link / 2 + 7]!, tree.links[link / 2 + 6]!);
    }
    expect(node).toBe(tree.nodeCount - 1);
    expect(item).toBe(COUNT);
  });
});

describe('[R13.3.1,3] the other layouts', () => {
  const tree = boxTree(shapeTree(rng, 4096, 'even'), boxItems(bounds).bounds);
  const nodes = tree.skip.length;

  test('preorder: a box, and two bytes each for the link and the items', () => {
    const packed = packPreorder(tree);
    expect(packed.bounds.byteLength).toBe(24 * nodes);
    expect(packed.right.byteLength).toBe(2 * nodes);
    expect(packed.first.byteLength).toBe(2 * (nodes + 1));
  });

  test('a search misses the cache less often than with one record a node, or with nodes in any other order', () => {
    const packed = packPreorder(buildTreeBy(boxItems(bounds)));
    const nodes = packed.right.length;
    /** Where a search reads, told by the arrays that it reads from. */
    const reads: { node: number; part: 'bounds' | 'right' | 'first'; at: number }[] = [];
    const watched = <T extends object>(part: 'bounds' | 'right' | 'first', array: T, width: number): T =>
      new Proxy(array, {
        get: (of, key) => {
          const i = typeof key === 'string' ? Number(key) : Number.NaN;
          if (Number.isInteger(i)) reads.push({ node: Math.floor(i / width), part, at: i % width });
          return Reflect.get(of, key, of);
        },
      });
    const spied = {
      ...packed,
      bounds: watched('bounds', packed.bounds, 6),
      right: watched('right', packed.right, 1),
      first: watched('first', packed.first, 1),
    };
    const random = new Rng(7);
    for (let i = 0; i < 100; i++) {
      const { x, y, z } = random.vec(10);
      const box = { min: { x, y, z }, max: { x: x + 1, y: y + 1, z: z + 1 } };
      expect(searchPreorder(spied, box)).toEqual(searchPreorder(packed, box));
    }
    /** Misses of a cache of 32 KB, the line that was used least recently going first. */
    const misses = (address: (read: (typeof reads)[number]) => number): number => {
      const cache = new Set<number>();
      let count = 0;
      for (const read of reads) {
        const line = Math.floor(address(read) / 64);
        if (!cache.delete(line)) count++;
        cache.add(line);
        if (cache.size > 512) cache.delete(cache.values().next().value!);
      }
      return count;
    };
    const start = { bounds: 0, right: 1 << 24, first: 1 << 25 };
    const size = { bounds: 24, right: 2, first: 2 };
    const within = { bounds: 0, right: 24, first: 28 };
    const split = (place: (node: number) => number) =>
      misses(({ node, part, at }) => start[part] + size[part] * place(node) + 4 * at);
    const ours = split((node) => node);
    // A record: the box, the link, the items, and 64 bytes that a game wants to know and no search reads.
    const interleaved = misses(({ node, part, at }) => 96 * node + within[part] + 4 * at);
    const order = Array.from({ length: nodes + 1 }, (_, i) => i).sort(() => random.unit() - 0.5);
    const anyOrder = split((node) => order[node]!);
    expect(ours).toBeGreaterThan(100);
    expect(ours).toBeLessThan(0.9 * interleaved);
    expect(ours).toBeLessThan(0.9 * anyOrder);
  });

  test('level by level: a box and no link', () => {
    expect(Object.keys(packLevelOrder(tree)).sort()).toEqual(['bounds', 'items', 'start']);
    expect(packLevelOrder(tree).bounds.byteLength).toBe(24 * nodes);
  });

  test('byte boxes: 11 bytes for two boxes and two links', () => {
    const packed = packByteBoxes(tree);
    expect(packed.nodes.byteLength + packed.links.byteLength).toBe((11 * (nodes - 1)) / 2);
  });

  test('k-d tree: 64 bytes for fifteen nodes', () => {
    const packed = packKdTree(Array.from({ length: 4096 * 3 }, () => rng.unit()));
    expect(packed.words.byteLength % 64).toBe(0);
    // A block that is not full has leaves early: no more than one block for every leaf.
    expect(packed.words.byteLength / 64).toBeLessThan(packed.start.length);
  });
});

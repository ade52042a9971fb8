/** What the structures that searches run on take, to the byte, and in which order they lie. */
import { describe, expect, test } from 'vitest';
import { packByteBoxes } from '../src/trees/byte-boxes.ts';
import { boxItems } from '../src/trees/items.ts';
import { packLevelOrder } from '../src/trees/level-order.ts';
import { packTriangles } from '../src/trees/pack-build.ts';
import { packKdTree } from '../src/trees/packed-kd-tree.ts';
import type { PackedTree } from '../src/trees/packed-tree.ts';
import { packPreorder } from '../src/trees/preorder-links.ts';
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

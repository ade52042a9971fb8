import { expect, test } from 'vitest';
import {
  boxTree,
  itemsInLeaves,
  randomBoxes,
  randomQuery,
  shapeTree,
  sorted,
} from '../../../tests/kit/box-trees.ts';
import { check, property } from '../../../tests/kit/index.ts';
import { Rng } from '../../../tests/kit/rng.ts';
import type { Aabb } from '../../primitives/types.ts';
import type { Tree } from '../../trees/tree.ts';
import { type ByteBoxTree, packByteBoxes, searchByteBoxes } from './byte-boxes.ts';

/** The boxes as the format defines them, read by a routine of its own: from the parent's, node by node. */
function decoded(
  { root, nodes, links }: ByteBoxTree,
  visit: (leaf: boolean, number: number, box: number[]) => void,
): void {
  const open: { node: number; box: number[] }[] = [{ node: 0, box: [...root] }];
  if (links.length === 0) {
    visit(true, 0, [...root]);
    return;
  }
  visit(false, 0, [...root]);
  for (let top = open.pop(); top; top = open.pop()) {
    const record = nodes.subarray(7 * top.node, 7 * top.node + 7);
    const boxes = [[...top.box], [...top.box]];
    for (let side = 0; side < 6; side++) {
      const axis = side % 3;
      const part = record[1 + side]! / 255;
      const low = top.box[axis]!;
      const high = top.box[axis + 3]!;
      const place = record[1 + side] === 255 ? high : low + (high - low) * part;
      boxes[(record[0]! >> side) & 1]![side] = place;
    }
    for (let k = 0; k < 2; k++) {
      const isLeaf = ((record[0]! >> (6 + k)) & 1) === 1;
      const number = links[2 * top.node + k]!;
      visit(isLeaf, number, boxes[k]!);
      if (!isLeaf) open.push({ node: number, box: boxes[k]! });
    }
  }
}

property('[R13.4.2] unpacked boxes hold the true ones at every depth', 400, (rng, index) => {
  const count = index < 6 ? 1 + (index >> 1) : rng.int(1, 120);
  const bounds = randomBoxes(rng, count);
  const tree = boxTree(shapeTree(rng, count, rng.pick(['even', 'random', 'chain'] as const)), bounds);
  const packed = packByteBoxes(tree);
  const inner: number[] = [];
  const leaves: number[] = [];
  tree.skip.forEach((end, node) => {
    (end === node + 1 ? leaves : inner).push(node);
  });
  let seen = 0;
  decoded(packed, (isLeaf, number, box) => {
    seen++;
    const node = (isLeaf ? leaves : inner)[number]!;
    for (let k = 0; k < 3; k++) {
      const low = tree.volumes[6 * node + k]!;
      const high = tree.volumes[6 * node + 3 + k]!;
      check(
        box[k]! <= low && box[3 + k]! >= high,
        () => `node ${node}, axis ${k}: ${box} around ${low}, ${high}`,
      );
    }
  });
  check(seen === tree.skip.length, 'every node was met once');
});

property('[R13.4.2] a search finds all that the tree finds', 400, (rng, index) => {
  const count = index < 8 ? index >> 1 : rng.int(0, 100);
  const bounds = randomBoxes(rng, count);
  const tree = boxTree(
    shapeTree(rng, count, rng.pick(['even', 'random', 'chain'] as const), rng.pick([1, 3])),
    bounds,
  );
  const packed = packByteBoxes(tree);
  const out: number[] = [];
  for (let i = 0; i < 25; i++) {
    const box = randomQuery(rng, bounds);
    searchByteBoxes(packed, box, out);
    const found = new Set(out);
    check(found.size === out.length, 'an item twice');
    for (const item of itemsInLeaves(tree, box)) check(found.has(item), () => `${item} was not found`);
    // What it finds in addition is in leaves whose unpacked boxes do overlap.
    const allowed = new Set<number>();
    decoded(packed, (isLeaf, number, [ax, ay, az, bx, by, bz]) => {
      const { min, max } = box;
      if (!isLeaf || ax! > max.x || ay! > max.y || az! > max.z || bx! < min.x || by! < min.y || bz! < min.z)
        return;
      for (let k = packed.start[number]!; k < packed.start[number + 1]!; k++) allowed.add(packed.items[k]!);
    });
    for (const item of out) check(allowed.has(item), () => `${item} should not have been found`);
  }
});

test('[R13.4.2] eleven bytes a node with its links, and the boxes are not much larger', () => {
  const rng = new Rng(11);
  const count = 4096;
  const bounds = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    const at = [i & 15, (i >> 4) & 15, i >> 8].map((x) => x + rng.unit());
    for (let k = 0; k < 3; k++) {
      bounds[6 * i + k] = at[k]!;
      bounds[6 * i + 3 + k] = at[k]! + 0.5;
    }
  }
  const tree = boxTree(shapeTree(rng, count, 'even'), bounds);
  const packed = packByteBoxes(tree);
  expect((packed.nodes.byteLength + packed.links.byteLength) / (count - 1)).toBe(11);
  let area = 0;
  let trueArea = 0;
  const areaOf = (b: ArrayLike<number>): number => {
    const [x, y, z] = [b[3]! - b[0]!, b[4]! - b[1]!, b[5]! - b[2]!];
    return x * y + y * z + z * x;
  };
  decoded(packed, (isLeaf, _, box) => {
    if (isLeaf) area += areaOf(box);
  });
  tree.skip.forEach((end, node) => {
    if (end === node + 1) trueArea += areaOf(tree.volumes.subarray(6 * node, 6 * node + 6));
  });
  expect(area / trueArea).toBeGreaterThanOrEqual(1);
  expect(area / trueArea).toBeLessThan(1.25);
});

test('[R13.4.2] each side of a parent goes to one child as it is', () => {
  const boxes = Float64Array.from([0, 0, 0, 1, 1, 1, 10, 2, -5, 12, 3, 0.5]);
  const tree = boxTree(shapeTree(new Rng(1), 2, 'even'), boxes);
  const { root, nodes, links } = packByteBoxes(tree);
  expect([...root]).toEqual([0, 0, -5, 12, 3, 1]);
  // Child 0 has the minimum of x and y and the maximum of z; both children are leaves 0 and 1.
  expect(nodes[0]).toBe(0b11_100_011);
  expect([...links]).toEqual([0, 1]);
  // Child 1: x from 10 of 12, y from 2 of 3; child 0: z from 0 in -5…1, x to 1 of 12, y to 1 of 3; child 1: z to 0.5.
  const down = (x: number) => Math.floor(255 * x);
  const up = (x: number) => Math.ceil(255 * x);
  expect([...nodes.subarray(1)]).toEqual([
    down(10 / 12),
    down(2 / 3),
    down(5 / 6),
    up(1 / 12),
    up(1 / 3),
    up(5.5 / 6),
  ]);
});

test('[R13.4.2] a side that both children share is kept by both, though the sum of the way there rounds', () => {
  // From -1e20 all the way to 1e-5 is 1e20: added up, the end is lost.
  const boxes = Float64Array.from([-1e20, 0, 0, 1e-5, 1, 1, 0, 0, 0, 1e-5, 1, 1]);
  const packed = packByteBoxes(boxTree(shapeTree(new Rng(1), 2, 'even'), boxes));
  const at = { x: 1e-5, y: 0.5, z: 0.5 };
  expect(sorted(searchByteBoxes(packed, { min: at, max: at }))).toEqual([0, 1]);
});

test('[R13.4.2] more than 65,536 leaves take wider links; deep trees and loose parents are no trouble', () => {
  const count = 70_000;
  const rng = new Rng(12);
  const bounds = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) bounds.set([i, 0, 0, i + 0.25, 1, 1], 6 * i);
  const packed = packByteBoxes(boxTree(shapeTree(rng, count, 'even'), bounds));
  expect(packed.links).toBeInstanceOf(Uint32Array);
  const box = { min: { x: 69_998, y: 0, z: 0 }, max: { x: 69_999, y: 1, z: 1 } };
  expect(searchByteBoxes(packed, box)).toEqual(expect.arrayContaining([69_998, 69_999]));
  const chain = boxTree(shapeTree(rng, 3000, 'chain'), bounds.subarray(0, 18_000));
  const all = { min: { x: -1, y: 0, z: 0 }, max: { x: 1e6, y: 0, z: 0 } };
  expect(sorted(searchByteBoxes(packByteBoxes(chain), all))).toHaveLength(3000);
  // A parent that does not hold the boxes of its children, though it may hold their items.
  const odd: Tree<Aabb> = boxTree(shapeTree(rng, 2, 'even'), bounds);
  odd.volumes.set([5, 5, 5, 6, 6, 6], 0);
  expect(sorted(searchByteBoxes(packByteBoxes(odd), all))).toEqual([0, 1]);
});

test('bad queries are refused', () => {
  const packed = packByteBoxes(boxTree(shapeTree(new Rng(1), 2, 'even'), new Float64Array(12)));
  const zero = { x: 0, y: 0, z: 0 };
  expect(() => searchByteBoxes(packed, { min: zero, max: { x: Number.NaN, y: 0, z: 0 } })).toThrow(/box/);
});

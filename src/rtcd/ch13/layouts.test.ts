/** All ways to lay out a tree find the same items: those that looking at every leaf finds. */
import { describe, expect, test } from 'vitest';
import {
  boxTree,
  completeTopology,
  itemsInLeaves,
  randomBoxes,
  randomQuery,
  sameNumbers,
  shapeTree,
  sorted,
} from '../../../tests/kit/box-trees.ts';
import { check, property } from '../../../tests/kit/index.ts';
import { Rng } from '../../../tests/kit/rng.ts';
import type { Aabb } from '../../primitives/types.ts';
import { flattenTree, type Tree } from '../../trees/tree.ts';
import { aabbVolume } from '../../volumes/aabb-volume.ts';
import { sphereVolume } from '../ch04/bounding-volumes.ts';
import { packLevelOrder, searchLevelOrder } from './level-order.ts';
import { packPreorder, searchPreorder, unpackPreorder } from './preorder-links.ts';
import { packTriNodes, searchTriNodes } from './tri-nodes.ts';
import { packVanEmdeBoas, searchVanEmdeBoas, vanEmdeBoasOrder } from './van-emde-boas.ts';

type Search = (box: Aabb, out?: number[]) => number[];

/** Everything that can be made of the tree, ready to be searched. */
function layoutsOf(tree: Tree<Aabb>, even: boolean): Record<string, Search> {
  const relative = packPreorder(tree);
  const absolute = packPreorder(tree, 'absolute');
  const tri = packTriNodes(tree);
  const boas = packVanEmdeBoas(tree);
  const level = even ? packLevelOrder(tree) : undefined;
  return {
    relative: (box, out) => searchPreorder(relative, box, out),
    absolute: (box, out) => searchPreorder(absolute, box, out),
    tri: (box, out) => searchTriNodes(tri, box, out),
    boas: (box, out) => searchVanEmdeBoas(boas, box, out),
    ...(level && { level: (box: Aabb, out?: number[]) => searchLevelOrder(level, box, out) }),
  };
}

property(
  '[R6.6.1] [R6.6.2-3] [R6.6.4] [R13.4.3] every layout finds the items of the leaves that meet the box',
  400,
  (rng, index) => {
    const count = index < 8 ? index >> 1 : rng.int(0, 80);
    const shape = rng.pick(['even', 'random', 'chain'] as const);
    const bounds = randomBoxes(rng, count);
    const tree = boxTree(shapeTree(rng, count, shape, rng.pick([1, 1, 3])), bounds);
    const layouts = layoutsOf(tree, shape === 'even');
    const out: number[] = [];
    for (let i = 0; i < 25; i++) {
      const box = randomQuery(rng, bounds);
      const wanted = itemsInLeaves(tree, box);
      for (const [name, search] of Object.entries(layouts))
        check(
          sameNumbers(sorted(search(box, out)), wanted),
          () => `${name}: found ${sorted(out)}, wanted ${wanted}`,
        );
    }
  },
);

describe('[R6.6.1] level by level', () => {
  test('children are at 2i + 1 and 2i + 2, whatever the number of leaves', () => {
    const rng = new Rng(3);
    for (let count = 1; count <= 130; count++) {
      const tree = boxTree(shapeTree(rng, count, 'even'), randomBoxes(rng, count));
      const { bounds, start, items } = packLevelOrder(tree);
      expect(start.length - 1).toBeLessThanOrEqual(2 * tree.skip.length);
      // The slow way down: the place of a node is told by its parent's alone.
      const places = new Map([[0, 0]]);
      for (let node = 0; node < tree.skip.length; node++) {
        const place = places.get(node)!;
        expect(bounds.subarray(6 * place, 6 * place + 6)).toEqual(
          tree.volumes.subarray(6 * node, 6 * node + 6),
        );
        if (tree.skip[node] === node + 1) {
          expect(items[start[place]!]).toBe(tree.items[tree.first[node]!]);
          continue;
        }
        expect(start[place + 1]! - start[place]!).toBe(0);
        places.set(node + 1, 2 * place + 1);
        places.set(tree.skip[node + 1]!, 2 * place + 2);
      }
      expect(items).toHaveLength(count);
    }
  });

  test('a skewed tree is refused, one with a single deeper leaf costs up to twice the places', () => {
    const rng = new Rng(4);
    const bounds = randomBoxes(rng, 100_000);
    expect(() => packLevelOrder(boxTree(shapeTree(rng, 40, 'chain'), bounds))).toThrow(/tree is too uneven/);
    const full = shapeTree(rng, 64, 'even');
    expect(packLevelOrder(boxTree(full, bounds)).start).toHaveLength(127 + 1);
    const last = (node: typeof full, grow: typeof full): typeof full =>
      node.children.length === 0
        ? grow
        : { children: [node.children[0]!, last(node.children[1]!, grow)], items: [] };
    const pair = { children: [64, 65].map((item) => ({ children: [], items: [item] })), items: [] };
    expect(packLevelOrder(boxTree(last(full, pair), bounds)).start).toHaveLength(255 + 1);
    const three = { children: [pair, { children: [], items: [66] }], items: [] };
    expect(() => packLevelOrder(boxTree(last(full, three), bounds))).toThrow(RangeError);
    expect(() => packLevelOrder(flatChain(100_000))).toThrow(RangeError);
  });

  test('empty places cannot be hit', () => {
    const tree = packLevelOrder(boxTree(shapeTree(new Rng(1), 33, 'even'), randomBoxes(new Rng(5), 33)));
    const all = { min: { x: -1e30, y: -1e30, z: -1e30 }, max: { x: 1e30, y: 1e30, z: 1e30 } };
    expect(sorted(searchLevelOrder(tree, all))).toEqual(Array.from({ length: 33 }, (_, i) => i));
    expect([...tree.bounds].filter((x) => x === Infinity).length).toBeGreaterThan(0);
  });
});

/** A chain of that many leaves, whose boxes are unit cubes in a row along x. */
function flatChain(leaves: number): Tree<Aabb> {
  const nodes = 2 * leaves - 1;
  const skip = Uint32Array.from({ length: nodes }, (_, i) => (i % 2 === 1 ? i + 1 : nodes));
  if (nodes > 0) skip[nodes - 1] = nodes;
  const first = Uint32Array.from({ length: nodes + 1 }, (_, i) => (i === nodes ? leaves : i >> 1));
  const volumes = new Float32Array(6 * nodes);
  for (let i = 0; i < nodes; i++)
    volumes.set([i >> 1, 0, 0, i % 2 === 1 ? (i >> 1) + 0.5 : leaves, 1, 1], 6 * i);
  return { skip, first, items: Uint32Array.from({ length: leaves }, (_, i) => i), volumes, ops: aabbVolume };
}

describe('[R6.6.2-3] preorder', () => {
  property('the shape comes back as it was', 500, (rng) => {
    const count = rng.int(0, 60);
    const tree = boxTree(
      shapeTree(rng, count, rng.pick(['even', 'random', 'chain'] as const), rng.int(1, 3)),
      randomBoxes(rng, count),
    );
    for (const links of ['relative', 'absolute'] as const) {
      const back = unpackPreorder(packPreorder(tree, links));
      for (const key of ['skip', 'first', 'items'] as const)
        check(sameNumbers(back[key], tree[key]), `${links} ${key}`);
    }
  });

  // A node with two children or none: their number is odd, and 65,536 cannot occur.
  test.each([65_533, 65_535, 65_537, 65_539])('%i nodes', (nodes) => {
    const tree = flatChain((nodes + 1) / 2);
    const relative = packPreorder(tree);
    const absolute = packPreorder(tree, 'absolute');
    expect(tree.skip).toHaveLength(nodes);
    // The last node is a second child: its number takes more than 16 bits from 65,537 nodes on.
    expect(absolute.right).toBeInstanceOf(nodes > 65_536 ? Uint32Array : Uint16Array);
    expect(relative.right).toBeInstanceOf(Uint16Array);
    const at = (nodes - 1) / 2;
    const box = { min: { x: at - 2.2, y: 0, z: 0 }, max: { x: at, y: 1, z: 1 } };
    for (const packed of [relative, absolute]) {
      expect(unpackPreorder(packed).skip).toEqual(tree.skip);
      expect(sorted(searchPreorder(packed, box))).toEqual([at - 2, at - 1, at]);
    }
  });

  test('relative links widen when a first child has 65,535 nodes below it, not before', () => {
    for (const [height, width] of [
      [15, Uint16Array],
      [16, Uint16Array],
      [17, Uint32Array],
    ] as const) {
      const topology = completeTopology(height);
      const volumes = new Float32Array(6 * topology.skip.length);
      const packed = packPreorder({ ...topology, volumes, ops: aabbVolume });
      expect(packed.right).toBeInstanceOf(width);
      expect(unpackPreorder(packed).skip).toEqual(topology.skip);
    }
  });

  test('boxes and items are not copied, a link takes two bytes', () => {
    const tree = flatChain(100);
    const packed = packPreorder(tree);
    expect(packed.bounds).toBe(tree.volumes);
    expect(packed.items).toBe(tree.items);
    expect(packed.right.byteLength).toBe(2 * 199);
  });
});

describe('[R6.6.4] tri-nodes', () => {
  test.each([
    [4, 14, 4],
    [6, 62, 20],
    [10, 1022, 340],
  ])('a complete tree of %i levels has %i links, and %i fused', (height, links, fused) => {
    const topology = completeTopology(height);
    const tree = { ...topology, volumes: new Float32Array(6 * topology.skip.length), ops: aabbVolume };
    const packed = packTriNodes(tree);
    expect(topology.skip.length - 1).toBe(links);
    expect(packed.links.filter((link) => link !== 0)).toHaveLength(fused);
    expect(packed.start).toHaveLength(topology.skip.length + 1); // no place is empty
  });

  test('empty places cannot be hit', () => {
    const tree = boxTree(shapeTree(new Rng(1), 21, 'random'), randomBoxes(new Rng(6), 21));
    const packed = packTriNodes(tree);
    const places = packed.start.length - 1;
    let empty = 0;
    for (let i = 0; i < places; i++) if (packed.bounds[6 * i]! > packed.bounds[6 * i + 3]!) empty++;
    expect(places - empty).toBe(tree.skip.length);
    const all = { min: { x: -1e30, y: -1e30, z: -1e30 }, max: { x: 1e30, y: 1e30, z: 1e30 } };
    expect(sorted(searchTriNodes(packed, all))).toEqual(Array.from({ length: 21 }, (_, i) => i));
  });
});

describe('[R13.4.3] van Emde Boas', () => {
  /** The definition, spelled out on the numbers 1, 2, 3 … of the nodes level by level: children of n are 2n, 2n + 1. */
  function defined(root: number, height: number): number[] {
    if (height === 1) return [root];
    const top = Math.ceil(height / 2);
    const order = defined(root, top);
    for (let i = 0; i < 2 ** top; i++) order.push(...defined(root * 2 ** top + i, height - top));
    return order;
  }

  /** Numbers level by level for the nodes in preorder. */
  function levelNumbers(skip: Uint32Array): Uint32Array {
    const numbers = new Uint32Array(skip.length).fill(1);
    for (let node = 0; node < skip.length; node++)
      if (skip[node] !== node + 1) {
        numbers[node + 1] = 2 * numbers[node]!;
        numbers[skip[node + 1]!] = 2 * numbers[node]! + 1;
      }
    return numbers;
  }

  test('every node has one place, for heights 1 to 20; the order is the defined one', () => {
    for (let height = 1; height <= 20; height++) {
      const { skip, first, items } = completeTopology(height);
      const order = vanEmdeBoasOrder({ skip, first, items });
      const seen = new Uint8Array(skip.length);
      for (const node of order) seen[node] = 1;
      expect(order.length).toBe(2 ** height - 1);
      expect(seen.every((x) => x === 1)).toBe(true);
      if (height > 12) continue;
      const numbers = levelNumbers(skip);
      expect(Array.from(order, (node) => numbers[node]!)).toEqual(defined(1, height));
    }
  });

  test('height four: the root and its children, then the four threes', () => {
    const { skip } = completeTopology(4);
    const numbers = levelNumbers(skip);
    const order = Array.from(vanEmdeBoasOrder(completeTopology(4)), (node) => numbers[node]!);
    expect(order).toEqual([1, 2, 3, 4, 8, 9, 5, 10, 11, 6, 12, 13, 7, 14, 15]);
  });

  test('a path from the root meets few blocks, whatever their size', () => {
    const height = 16;
    const { skip } = completeTopology(height);
    const place = new Uint32Array(skip.length);
    vanEmdeBoasOrder(completeTopology(height)).forEach((node, i) => {
      place[node] = i;
    });
    const rng = new Rng(8);
    for (const size of [4, 16, 64, 256]) {
      let blocks = 0;
      for (let path = 0; path < 200; path++) {
        const met = new Set<number>();
        for (let node = 0; ; ) {
          met.add(Math.floor(place[node]! / size));
          if (skip[node] === node + 1) break;
          node = rng.chance(0.5) ? node + 1 : skip[node + 1]!;
        }
        blocks += met.size;
      }
      // At most four times the height over the logarithm of the size (Prokop 1999).
      expect(blocks / 200).toBeLessThanOrEqual((4 * height) / Math.log2(size));
      expect(blocks / 200).toBeLessThan(height - 1);
    }
  });
});

test('[R6.6.1] [R6.6.2-3] [R6.6.4] [R13.4.3] a chain of 100,000 leaves is no trouble', () => {
  const tree = flatChain(100_000);
  const box = { min: { x: 99_990.2, y: 0, z: 0 }, max: { x: 99_993.5, y: 0.5, z: 0.5 } };
  for (const search of Object.values(layoutsOf(tree, false)))
    expect(sorted(search(box))).toEqual([99_990, 99_991, 99_992, 99_993]);
});

test('trees that are not binary or not of boxes are refused, and so are queries that are not boxes', () => {
  const leaf = (item: number) => ({ children: [], items: [item] });
  const three = boxTree({ children: [0, 1, 2].map(leaf), items: [] }, randomBoxes(new Rng(1), 3));
  const one = boxTree({ children: [leaf(0)], items: [] }, randomBoxes(new Rng(1), 1));
  const spheres = {
    ...flattenTree(leaf(0)),
    ops: sphereVolume,
    volumes: new Float32Array(4),
  } as unknown as Tree<Aabb>;
  for (const pack of [packLevelOrder, packPreorder, packTriNodes, packVanEmdeBoas]) {
    expect(() => pack(three)).toThrow(/two children/);
    expect(() => pack(one)).toThrow(/two children/);
    expect(() => pack(spheres)).toThrow(/boxes/);
  }
  const tree = flatChain(3);
  const zero = { x: 0, y: 0, z: 0 };
  for (const search of Object.values(layoutsOf(tree, true))) {
    for (const bad of [Number.NaN, Infinity])
      expect(() => search({ min: zero, max: { x: bad, y: 1, z: 1 } })).toThrow(/box/);
    expect(() => search({ min: { x: 1, y: 1, z: 1 }, max: zero })).toThrow(/box/);
  }
});

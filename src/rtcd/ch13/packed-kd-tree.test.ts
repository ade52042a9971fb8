import { expect, test } from 'vitest';
import { sameNumbers, sorted } from '../../../tests/kit/box-trees.ts';
import { check, property } from '../../../tests/kit/index.ts';
import { cloud, Rng } from '../../../tests/kit/rng.ts';
import type { Vec3 } from '../../math/types.ts';
import type { Aabb } from '../../primitives/types.ts';
import { type PackedKdTree, packKdTree, searchKdTree, splitPoints } from './packed-kd-tree.ts';

const words = new DataView(new ArrayBuffer(4));

/** The value of a split, read byte by byte. */
function splitValue(word: number): number {
  words.setUint32(0, word);
  return words.getFloat32(0);
}

/** Follows the linked tree to the leaf of a point. */
function leafByLinks(points: Float64Array, leafSize: number): (p: Vec3) => { leaf: number; depth: number } {
  const { root, origin } = splitPoints(points, leafSize);
  return (p) => {
    const at = [p.x - origin[0]!, p.y - origin[1]!, p.z - origin[2]!];
    let node = root;
    let depth = 1;
    for (; (node.word & 3) !== 3; depth++)
      node = at[node.word & 3]! < splitValue(node.word) ? node.low! : node.high!;
    return { leaf: node.word >>> 2, depth };
  };
}

/** Follows the packed words, by the definition of the format, and counts the blocks of 64 bytes it reads from. */
function leafByWords({ words: all, origin }: PackedKdTree, p: Vec3): { leaf: number; blocks: number } {
  const at = [p.x - origin[0]!, p.y - origin[1]!, p.z - origin[2]!];
  let blocks = 1;
  for (let block = 0, n = 0; ; ) {
    const word = all[16 * block + n]!;
    if ((word & 3) === 3) return { leaf: word >>> 2, blocks };
    const high = at[word & 3]! < splitValue(word) ? 0 : 1;
    if (n < 7) {
      n = 2 * n + 1 + high;
      continue;
    }
    const link = all[16 * block + 15]!;
    const pairs = (link & 255).toString(2).padStart(8, '0').split('').reverse();
    check(pairs[n - 7] === '1', 'a split in the last row has children');
    const before = pairs.slice(0, n - 7).filter((bit) => bit === '1').length;
    block = Math.floor(link / 256) + 2 * before + high;
    n = 0;
    blocks++;
  }
}

const flat = (points: readonly Vec3[]): Float64Array =>
  Float64Array.from(points.flatMap((p) => [p.x, p.y, p.z]));

/** The points in a box, by looking at all. */
const inBox = (points: readonly Vec3[], { min, max }: Aabb): number[] =>
  points.flatMap((p, i) =>
    p.x >= min.x && p.x <= max.x && p.y >= min.y && p.y <= max.y && p.z >= min.z && p.z <= max.z ? [i] : [],
  );

const boxOf = (p: Vec3, q: Vec3): Aabb => ({
  min: { x: Math.min(p.x, q.x), y: Math.min(p.y, q.y), z: Math.min(p.z, q.z) },
  max: { x: Math.max(p.x, q.x), y: Math.max(p.y, q.y), z: Math.max(p.z, q.z) },
});

property('[R13.4.1] the points in a box, touching ones too', 1000, (rng, index) => {
  const count = index < 4 ? 1 + (index >> 1) : rng.int(1, 150);
  const { points } = cloud(rng, count);
  if (rng.chance(0.2)) points.fill(points[0]!); // all in one place
  if (rng.chance(0.2)) for (const p of points) p.y = points[0]!.y; // in a plane
  const tree = packKdTree(rng.chance(0.5) ? points : flat(points), rng.int(1, 6));
  check(
    sameNumbers(
      sorted([...tree.items]),
      points.map((_, i) => i),
    ),
    'each point once',
  );
  const out: number[] = [];
  for (let i = 0; i < 10; i++) {
    const box = boxOf(rng.pick(points), rng.chance(0.3) ? rng.vec(2) : rng.pick(points));
    check(sameNumbers(sorted(searchKdTree(tree, box, out)), inBox(points, box)), 'points found');
  }
});

test('[R13.4.1] 100,000 points lead to the leaf that the tree with links leads to, through d/4 blocks', () => {
  const rng = new Rng(17);
  let queries = 0;
  for (const regime of ['plain', 'lattice', 'jittered', 'huge', 'tiny', 'far'] as const) {
    const { points, size } = cloud(rng, 3000, regime);
    const coordinates = flat(points);
    const tree = packKdTree(coordinates, 4);
    const links = leafByLinks(coordinates, 4);
    let deepest = 0;
    for (let i = 0; i < 17_000; i++) {
      const base = rng.pick(points);
      const p = rng.chance(0.3) ? base : { x: base.x + rng.range(-size, size), y: base.y, z: base.z };
      // Some exactly at a split, as far as that can be told in the coordinates of the points.
      if (rng.chance(0.3)) {
        const word = tree.words[16 * rng.int(0, tree.words.length / 16 - 1)]!;
        const axis = word & 3;
        if (axis < 3) p[(['x', 'y', 'z'] as const)[axis]!] = tree.origin[axis]! + splitValue(word);
      }
      const wanted = links(p);
      const found = leafByWords(tree, p);
      check(found.leaf === wanted.leaf, () => `${regime}: leaf ${found.leaf} instead of ${wanted.leaf}`);
      check(found.blocks <= Math.ceil(wanted.depth / 4), `${found.blocks} blocks for depth ${wanted.depth}`);
      deepest = Math.max(deepest, wanted.depth);
      queries++;
    }
    expect(deepest).toBeLessThan(regime === 'lattice' ? 30 : 20); // 3000 points, 4 to a leaf: 10 levels or so
  }
  expect(queries).toBeGreaterThanOrEqual(100_000);
});

property('[R13.4.1] what is at a split is on its high side, in build and search alike', 300, (rng) => {
  // Points at numbers that splits can take: whole numbers about the middle.
  const points = Array.from({ length: 40 }, () => ({
    x: rng.int(-4, 4),
    y: rng.int(-4, 4),
    z: rng.int(-4, 4),
  }));
  points.push({ x: 4, y: 4, z: 4 }, { x: -4, y: -4, z: -4 }); // so that the middle is 0
  const tree = packKdTree(points, 1);
  check(
    [...tree.origin].every((x) => x === 0),
    'the middle is 0',
  );
  for (let i = 0; i < points.length; i++) {
    const { leaf } = leafByWords(tree, points[i]!);
    const members = tree.items.subarray(tree.start[leaf]!, tree.start[leaf + 1]!);
    check(members.includes(i), 'a point is in its own leaf');
  }
  // A leaf of several holds copies of one point: splits tell apart what can be told apart.
  for (let leaf = 0; leaf < tree.start.length - 1; leaf++) {
    const members = Array.from(
      tree.items.subarray(tree.start[leaf]!, tree.start[leaf + 1]!),
      (i) => points[i]!,
    );
    check(members.length > 0, 'an empty leaf');
    for (const p of members)
      check(p.x === members[0]!.x && p.y === members[0]!.y && p.z === members[0]!.z, 'not split');
  }
});

test('[R13.4.1] 64 bytes a block, four a node, and the root block of a complete tree is full', () => {
  const points = Array.from({ length: 16 }, (_, i) => ({ x: i, y: 0, z: 0 }));
  const tree = packKdTree(points, 1);
  expect(tree.words.BYTES_PER_ELEMENT).toBe(4);
  // Fifteen splits in the root block, sixteen leaves in blocks of their own: eight pairs after it.
  expect(tree.words.length).toBe(16 * 17);
  expect([...tree.words.subarray(0, 15)].every((word) => (word & 3) === 0)).toBe(true);
  expect(tree.words[15]).toBe((1 << 8) | 255);
  const eight = packKdTree(points.slice(0, 8), 1);
  expect(eight.words.length).toBe(16);
  expect(eight.words[15]! & 255).toBe(0);
});

test('[R13.4.1] identical, and all but identical, points end in one leaf', () => {
  const same = packKdTree(new Float64Array(3000).fill(7), 2);
  expect(same.start).toHaveLength(2);
  expect(searchKdTree(same, boxOf({ x: 7, y: 7, z: 7 }, { x: 7, y: 7, z: 7 }))).toHaveLength(1000);
  const mixed = Array.from({ length: 500 }, (_, i) => ({ x: i < 499 ? 0 : 1e6, y: 0, z: 0 }));
  expect(searchKdTree(packKdTree(mixed), boxOf({ x: 1, y: 0, z: 0 }, { x: 2e6, y: 0, z: 0 }))).toEqual([499]);
});

test('bad input is refused', () => {
  expect(() => packKdTree([])).toThrow(/points/);
  expect(() => packKdTree([{ x: 0, y: Number.NaN, z: 0 }])).toThrow(/points/);
  expect(() => packKdTree([1e300, 0, 0, -1e300, 0, 0])).toThrow(/points/);
  expect(() => packKdTree([1, 2, 3], 0)).toThrow(/leafSize/);
  const tree = packKdTree([1, 2, 3]);
  expect(() => searchKdTree(tree, boxOf({ x: 0, y: 0, z: Infinity }, { x: 0, y: 0, z: 0 }))).toThrow(/box/);
});

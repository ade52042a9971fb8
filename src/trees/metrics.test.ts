import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { randomBoxes, randomTriangles } from '../../tests/kit/tree-corpus.ts';
import { kdopVolume, obbVolume, sphereVolume } from '../rtcd/ch04/bounding-volumes.ts';
import { buildTreeBy } from '../rtcd/ch06/build-by-method.ts';
import { aabbVolume } from '../volumes/aabb-volume.ts';
import { boxItems } from './items.ts';
import { measureTree, validateTree } from './metrics.ts';
import { fitTree } from './refit.ts';
import type { Tree } from './tree.ts';

const items = boxItems([0, 0, 0, 1, 1, 1, 2, 0, 0, 3, 1, 1, 10, 0, 0, 11, 1, 1, 12, 0, 0, 14, 1, 1]);
/** Root, two inner nodes, four leaves. */
const topology = {
  skip: Uint32Array.of(7, 4, 3, 4, 7, 6, 7),
  first: Uint32Array.of(0, 0, 0, 1, 2, 2, 3, 4),
  items: Uint32Array.of(0, 1, 2, 3),
};
const tree = fitTree(topology, items, aabbVolume);

describe('[R6.1.1] what is wrong is found', () => {
  const changed = (change: (copy: Tree<unknown>) => void): string[] => {
    const copy = {
      ...tree,
      skip: tree.skip.slice(),
      first: tree.first.slice(),
      items: tree.items.slice(),
      volumes: tree.volumes.slice(),
    };
    change(copy as unknown as Tree<unknown>);
    return validateTree(copy, items);
  };

  test('nothing, in a tree that is right', () => {
    expect(changed(() => {})).toEqual([]);
  });

  test('an item that is missing, there twice, or unknown', () => {
    expect(changed((t) => (t.items[1] = 0))).toEqual([
      'item 0 is in the tree more than once',
      'item 1 is not in the tree',
    ]);
    expect(changed((t) => (t.items[1] = 9))[0]).toContain('item 9 does not exist');
  });

  test('arrays that are no tree', () => {
    expect(changed((t) => (t.skip[0] = 5))[0]).toContain('node 0');
    expect(changed((t) => (t.skip[1] = 9))[0]).toContain('node 1: skip 9');
    expect(changed((t) => (t.skip[2] = 2))[0]).toContain('node 2: skip 2');
    expect(changed((t) => (t.skip[2] = 4))[0]).toContain('one child only');
    expect(changed((t) => (t.first[3] = 0))[0]).toContain('node 2: a leaf without items');
    expect(changed((t) => (t.first[3] = 4)).join()).toContain('node 3: its items end before they begin');
    expect(changed((t) => (t.first[2] = 1)).join()).toContain('both items and children');
    expect(changed((t) => (t.first[7] = 3)).join()).toContain('for 4 items');
    expect(validateTree({ ...tree, volumes: new Float32Array(6) }, items)[0]).toContain('volumes');
    expect(validateTree({ ...tree, first: new Uint32Array(3) }, items)[0]).toContain('first');
  });

  test('a volume too small for its items, at any level', () => {
    expect(changed((t) => (t.volumes[3] = 13.9))).toEqual(['node 0: its volume does not hold item 3']);
    expect(changed((t) => (t.volumes[6 * 1] = 0.5))).toEqual(['node 1: its volume does not hold item 0']);
    expect(changed((t) => (t.volumes[6 * 6 + 5] = Number.NaN))).not.toEqual([]);
  });

  test('a child that sticks out of its parent is right as long as the items do not', () => {
    expect(changed((t) => (t.volumes[6 * 2 + 3] = 99))).toEqual([]);
  });

  property('one number made smaller in any tight volume', 1000, (rng) => {
    const boxes = randomBoxes(rng, rng.int(1, 20));
    const random = buildTreeBy(boxes, { leafSize: 2 });
    const at = rng.int(0, random.volumes.length - 1);
    const inward = at % 6 < 3 ? 1 : -1;
    random.volumes[at]! += inward * 1e-3;
    const faults = validateTree(random, boxes);
    check(
      faults.length > 0 && faults.every((f) => f.startsWith(`node ${Math.floor(at / 6)}:`)),
      faults.join(),
    );
  });

  test('a tree of nothing', () => {
    expect(validateTree(buildTreeBy(boxItems([])), boxItems([]))).toEqual([]);
    expect(validateTree(buildTreeBy(boxItems([])), items)).toHaveLength(4);
  });
});

describe('[R6.1.1] measures', () => {
  test('of seven boxes, by hand', () => {
    // Leaves 1, 1, 1, 2 long; inner 3 and 4; root 14. All 1 × 1 across: an area of 2 + 4 lengths.
    const areas = [58, 14, 6, 6, 18, 6, 10];
    expect(measureTree(tree)).toEqual({
      nodes: 7,
      leaves: 4,
      items: 4,
      depth: 2,
      bytes: 4 * (7 + 8 + 4 + 42),
      area: areas.reduce((a, b) => a + b),
      volume: 14 + 3 + 1 + 1 + 4 + 1 + 2,
      siblings: 3,
      overlaps: 0,
      cost: expect.closeTo(areas.reduce((a, b) => a + b) / 58, 12),
    });
  });

  test('siblings that overlap are counted, pair by pair', () => {
    const wide = {
      skip: Uint32Array.of(4, 2, 3, 4),
      first: Uint32Array.of(0, 0, 1, 2, 3),
      items: Uint32Array.of(0, 1, 2),
    };
    const three = boxItems([0, 0, 0, 2, 1, 1, 1, 0, 0, 3, 1, 1, 3, 0, 0, 4, 1, 1]);
    // The first with the second, the second (in a face) with the third.
    expect(measureTree(fitTree(wide, three, aabbVolume))).toMatchObject({
      siblings: 3,
      overlaps: 2,
      depth: 1,
    });
  });

  test('of nothing, of one item, and of a root without area', () => {
    expect(measureTree(buildTreeBy(boxItems([])))).toMatchObject({
      nodes: 0,
      depth: 0,
      cost: 0,
      area: 0,
      bytes: 4,
    });
    expect(measureTree(buildTreeBy(boxItems([0, 0, 0, 1, 1, 1])))).toMatchObject({
      nodes: 1,
      leaves: 1,
      cost: 1,
    });
    expect(
      measureTree(buildTreeBy(boxItems(new Array(12).fill(3)), { leafSize: 1, method: 'morton' })),
    ).toMatchObject({ cost: 3 });
  });

  test('of all kinds of volumes, tight ones the smaller', () => {
    const triangles = randomTriangles(new Rng(1), 30);
    // biome-ignore lint/suspicious/noExplicitAny: kinds of volumes in one loop
    const volume = (ops: any): number => measureTree(buildTreeBy<any>(triangles, { volume: ops })).volume;
    expect(volume(kdopVolume(26))).toBeLessThan(volume(aabbVolume));
    expect(volume(obbVolume)).toBeLessThan(volume(aabbVolume));
    expect(volume(sphereVolume)).toBeGreaterThan(volume(obbVolume));
  });
});

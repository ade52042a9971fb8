import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { randomBoxes, randomTriangles } from '../../tests/kit/tree-corpus.ts';
import { obbVolume, sphereVolume } from '../rtcd/ch04/bounding-volumes.ts';
import { buildTreeBy } from '../rtcd/ch06/build-by-method.ts';
import { boxItems } from './items.ts';
import { measureTree, validateTree } from './metrics.ts';
import { fitTree, makeTreeRefitter, refitTree } from './refit.ts';
import type { TreeItems } from './tree.ts';

/** The same boxes with some of them elsewhere, and which. */
function moved(rng: Rng, items: TreeItems, far = 3): { items: TreeItems; changed: number[] } {
  const bounds = items.bounds.slice();
  const changed: number[] = [];
  for (let item = 0; item < items.count; item++) {
    if (!rng.chance(0.2)) continue;
    changed.push(item);
    const { x, y, z } = rng.vec(far);
    for (let i = 0; i < 6; i++) bounds[6 * item + i]! += [x, y, z][i % 3]!;
  }
  return { items: boxItems(bounds), changed };
}

describe('[R6.1.2] volumes brought up to date', () => {
  property('the whole tree or its changed part: as if fitted anew', 300, (rng) => {
    const before = randomBoxes(rng, rng.int(0, 40));
    const { items, changed } = moved(rng, before);
    const degree = rng.pick([2, 4]);
    const fresh = fitTree(buildTreeBy(before, { degree }), items, buildTreeBy(before).ops).volumes;
    const whole = refitTree(buildTreeBy(before, { degree }), items);
    const part = buildTreeBy(before, { degree });
    const count = makeTreeRefitter(part).refit(items, changed);
    check(
      whole.volumes.every((x, i) => x === fresh[i]),
      'the whole',
    );
    check(
      part.volumes.every((x, i) => x === fresh[i]),
      'the part',
    );
    // Nothing but the changed leaves and what is above them.
    let above = 0;
    for (let node = 0; node < part.skip.length; node++) {
      const below = part.items.slice(part.first[node], part.first[part.skip[node]!]);
      if (below.some((item) => changed.includes(item))) above++;
    }
    check(count === above, () => `${count} updates for ${above}`);
  });

  test('any kind of volume still holds its items', () => {
    const rng = new Rng(1);
    for (const ops of [sphereVolume, obbVolume])
      for (const fit of ['tight', 'merge'] as const) {
        const before = randomBoxes(rng, 30);
        // biome-ignore lint/suspicious/noExplicitAny: kinds of volumes in one loop
        const tree = buildTreeBy<any>(before, { volume: ops });
        const refitter = makeTreeRefitter(tree);
        for (let i = 0; i < 5; i++) {
          const { items, changed } = moved(rng, before);
          refitter.refit(items, changed, fit);
          // The others went back to where they were.
          refitTree(tree, items, fit);
          expect(validateTree(tree, items)).toEqual([]);
        }
      }
  });

  test('the cost tells when a tree has outlived its shape', () => {
    const rng = new Rng(2);
    const before = randomBoxes(rng, 300);
    const tree = buildTreeBy(before);
    const cost = measureTree(tree).cost;
    let items = before;
    for (let i = 0; i < 20; i++) items = moved(rng, items, 20).items;
    expect(measureTree(refitTree(tree, items)).cost).toBeGreaterThan(1.5 * cost);
    expect(measureTree(buildTreeBy(items)).cost).toBeLessThan(1.5 * cost);
  });

  test('other items than those of the tree are refused', () => {
    const items = randomTriangles(new Rng(3), 5);
    const tree = buildTreeBy(items);
    expect(() => refitTree(tree, randomTriangles(new Rng(3), 4))).toThrow('items.count');
    expect(() => makeTreeRefitter(tree).refit(randomTriangles(new Rng(3), 6), [])).toThrow('items.count');
    for (const bad of [-1, 5, 0.5, Number.NaN])
      expect(() => makeTreeRefitter(tree).refit(items, [0, bad])).toThrow('changed[1]');
  });
});

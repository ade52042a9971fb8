import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../../tests/kit/index.ts';
import { itemCorpus, randomTriangles } from '../../../tests/kit/tree-corpus.ts';
import * as v3 from '../../math/vec3.ts';
import { makeTreeCounters } from '../../trees/counters.ts';
import { pointItems } from '../../trees/items.ts';
import { validateTree } from '../../trees/metrics.ts';
import type { Tree, TreeItems } from '../../trees/tree.ts';
import { fitKdop, type Kdop, type KdopSides, kdopAxes } from '../../volumes/kdop.ts';
import { kdopVolume } from '../ch04/bounding-volumes.ts';
import { buildTreeBy } from './build-by-method.ts';
import { makeTurningKdopTree } from './turning-tree.ts';

const SIDES = [6, 14, 18, 26] as const;
type Pose = { position: ReturnType<Rng['vec']>; quaternion: ReturnType<Rng['rotation']> };
const poseOf = (rng: Rng, far = 10): Pose => ({ position: rng.vec(far), quaternion: rng.rotation() });

/** The points of an item, posed. */
function posed(items: TreeItems, item: number, { position, quaternion }: Pose): number[] {
  const points: number[] = [];
  items.points(item, points);
  const out: number[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const p = v3.add(v3.rotate(v3.set(points[i]!, points[i + 1]!, points[i + 2]!), quaternion), position);
    out.push(p.x, p.y, p.z);
  }
  return out;
}

/** Every posed point is in every k-DOP above it, but for the rounding of the posed points themselves. */
function mustHold(tree: Tree<Kdop>, items: TreeItems, pose: Pose, sides: KdopSides): void {
  const axes = kdopAxes(sides);
  const count = axes.length;
  for (let node = 0; node < tree.skip.length; node++)
    for (let i = tree.first[node]!; i < tree.first[tree.skip[node]!]!; i++) {
      const points = posed(items, tree.items[i]!, pose);
      for (let p = 0; p < points.length; p += 3)
        axes.forEach((axis, k) => {
          const h = points[p]! * axis.x + points[p + 1]! * axis.y + points[p + 2]! * axis.z;
          const slack = 1e-14 * (Math.abs(points[p]!) + Math.abs(points[p + 1]!) + Math.abs(points[p + 2]!));
          const low = tree.volumes[2 * count * node + k]!;
          const high = tree.volumes[2 * count * node + count + k]!;
          check(
            h >= low - slack && h <= high + slack,
            () => `node ${node}, axis ${k}: ${h} not in ${low} … ${high}`,
          );
        });
    }
}

describe('[R6.4.6] k-DOP trees', () => {
  for (const sides of SIDES) {
    const volume = kdopVolume(sides);

    test(`with ${sides} sides over the degenerate sets`, () => {
      for (const { name, items } of itemCorpus())
        expect(validateTree(buildTreeBy(items, { volume }), items), name).toEqual([]);
    });

    property(`with ${sides} sides hold every vertex after any turn`, 4, (rng) => {
      const items = randomTriangles(rng, 10);
      const tree = buildTreeBy(items, { volume });
      const turning = makeTurningKdopTree(tree, items);
      for (let i = 0; i < 20; i++) {
        const pose = poseOf(rng, rng.pick([1, 1e5]));
        mustHold(turning.at(pose), items, pose, sides);
      }
    });
  }

  test('the root is tight at any turn, the rest is not much larger', () => {
    const rng = new Rng(1);
    const items = randomTriangles(rng, 15);
    const turning = makeTurningKdopTree(buildTreeBy(items, { volume: kdopVolume(14) }), items);
    for (let i = 0; i < 50; i++) {
      const pose = poseOf(rng);
      const { volumes, ops } = turning.at(pose);
      const root = ops.load(volumes, 0);
      const exact = fitKdop(
        [...Array(items.count).keys()].flatMap((item) => posed(items, item, pose)),
        14,
      );
      for (let k = 0; k < 7; k++) {
        expect(Math.abs(root.min[k]! - exact.min[k]!)).toBeLessThan(1e-4);
        expect(Math.abs(root.max[k]! - exact.max[k]!)).toBeLessThan(1e-4);
      }
    }
  });

  test('does not creep: the same pose gives the same tree after a thousand others', () => {
    const rng = new Rng(2);
    const items = randomTriangles(rng, 4);
    const turning = makeTurningKdopTree(buildTreeBy(items, { volume: kdopVolume(14), leafSize: 4 }), items);
    const pose = poseOf(rng);
    const before = turning.at(pose).volumes.slice();
    for (let i = 0; i < 1000; i++) turning.at(poseOf(rng));
    expect(turning.at(pose).volumes).toEqual(before);
  });

  test('objects without thickness, without extent, and nothing at all', () => {
    const rng = new Rng(3);
    const flat = pointItems(Array.from({ length: 20 }, () => [rng.unit(), rng.unit(), 2]).flat());
    const dots = pointItems(new Array(9).fill(1));
    for (const items of [flat, dots, pointItems([])]) {
      const pose = poseOf(rng);
      const tree = makeTurningKdopTree(buildTreeBy(items, { volume: kdopVolume(18) }), items).at(pose);
      mustHold(tree, items, pose, 18);
    }
  });

  test('every volume is an update', () => {
    const items = randomTriangles(new Rng(4), 8);
    const tree = buildTreeBy(items, { volume: kdopVolume(6) });
    const counters = makeTreeCounters();
    makeTurningKdopTree(tree, items).at(poseOf(new Rng(1)), counters);
    expect(counters.updates).toBe(tree.skip.length);
  });
});

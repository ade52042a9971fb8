/** Trees of oriented boxes: what `buildTree` makes of the right options. */
import { describe, expect, test } from 'vitest';
import { check, cloud, property, Rng } from '../../../tests/kit/index.ts';
import { itemCorpus, randomTriangles } from '../../../tests/kit/tree-corpus.ts';
import * as v3 from '../../math/vec3.ts';
import type { Obb } from '../../primitives/types.ts';
import { triangleItems } from '../../trees/items.ts';
import { measureTree } from '../../trees/metrics.ts';
import type { Tree, TreeItems } from '../../trees/tree.ts';
import { obbVolume } from '../ch04/bounding-volumes.ts';
import { buildTreeBy } from './build-by-method.ts';

const obbTree = (items: TreeItems): Tree<Obb> =>
  buildTreeBy(items, {
    volume: obbVolume,
    method: 'top-down',
    axis: 'obb',
    split: 'vertex-mean',
    leafSize: 1,
  });

/** Every vertex in every box above it, by plain arithmetic on the stored numbers. */
function mustHoldVertices(tree: Tree<Obb>, items: TreeItems): void {
  for (let node = 0; node < tree.skip.length; node++) {
    const { center, halfSize, rotation } = obbVolume.load(tree.volumes, (node * obbVolume.byteSize) / 4);
    const e = rotation.elements;
    const half = [halfSize.x, halfSize.y, halfSize.z];
    check(
      ![...e, ...half, center.x, center.y, center.z].some(Number.isNaN),
      () => `node ${node}: not a number`,
    );
    const points: number[] = [];
    for (let i = tree.first[node]!; i < tree.first[tree.skip[node]!]!; i++)
      items.points(tree.items[i]!, points);
    for (let i = 0; i < points.length; i += 3) {
      const d = [points[i]! - center.x, points[i + 1]! - center.y, points[i + 2]! - center.z];
      const reach = Math.abs(d[0]!) + Math.abs(d[1]!) + Math.abs(d[2]!);
      for (let k = 0; k < 3; k++) {
        const h = d[0]! * e[3 * k]! + d[1]! * e[3 * k + 1]! + d[2]! * e[3 * k + 2]!;
        check(
          Math.abs(h) <= half[k]! + 1e-15 * reach,
          () => `node ${node}: outside by ${Math.abs(h) - half[k]!}`,
        );
      }
    }
  }
}

describe('[R6.4.1] trees of oriented boxes', () => {
  property('hold the vertices of any soup in every box', 150, (rng) => {
    const { points } = cloud(rng, rng.int(3, 20));
    const index = Array.from({ length: 3 * rng.int(1, 15) }, () => rng.int(0, points.length - 1));
    const items = triangleItems(
      points.flatMap(({ x, y, z }) => [x, y, z]),
      index,
    );
    const tree = obbTree(items);
    check(tree.items.length === items.count, 'items');
    mustHoldVertices(tree, items);
  });

  test('and of the degenerate sets', () => {
    for (const { items } of itemCorpus()) mustHoldVertices(obbTree(items), items);
  });

  test('faces without area give axes all the same', () => {
    // All vertices of a needle, and all in one point: no face has an area to weigh by.
    const needle = triangleItems(
      Array.from({ length: 90 }, (_, i) => Math.floor(i / 3) * [1, 2, -1][i % 3]!),
    );
    const tree = obbTree(needle);
    mustHoldVertices(tree, needle);
    expect(measureTree(tree).volume).toBeLessThan(1e-3);
    mustHoldVertices(obbTree(triangleItems(new Array(90).fill(0.7))), triangleItems(new Array(90).fill(0.7)));
  });

  property('cut a long soup across its length, at the mean of the vertices', 100, (rng) => {
    const long = rng.direction();
    const positions: number[] = [];
    for (let i = 0; i < 90; i++) {
      const p = v3.addScaled(rng.vec(0.3), long, (i - (i % 3)) / 3);
      positions.push(p.x, p.y, p.z);
    }
    const tree = obbTree(triangleItems(positions));
    // Triangles are numbered along the length, and their vertices evenly spread: the lower half stays together.
    const half = [...tree.items.slice(0, tree.first[tree.skip[1]!])].sort((a, b) => a - b);
    check(Math.abs(half.length - 15) <= 1, () => `${half.length} of 30`);
    check(half[half.length - 1]! - half[0]! === half.length - 1, 'not neighbours');
  });

  test('fit oblique soups closer than boxes along the axes do', () => {
    const rng = new Rng(3);
    const items = randomTriangles(rng, 60, 0.1, 0.1);
    const slanted = triangleItems(
      Array.from({ length: 60 }, (_, i) => {
        const out: number[] = [];
        items.points(i, out);
        return out.map((x, k) => x + i * [1, 1, 1][k % 3]!);
      }).flat(),
    );
    expect(measureTree(obbTree(slanted)).area).toBeLessThan(
      0.5 * measureTree(buildTreeBy(slanted, { leafSize: 1 })).area,
    );
  });
});

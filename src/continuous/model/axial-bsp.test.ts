import { expect, test } from 'vitest';
import { randomBoxes, randomQuery } from '../../../tests/kit/box-trees.ts';
import { check, property } from '../../../tests/kit/index.ts';
import { voxels } from '../../../tests/kit/voxels.ts';
import type { AxialBsp, PolyhedralModel } from '../types.ts';
import { buildAxialBsp, gatherPolygons, makePolygonList } from './axial-bsp.ts';
import { polyhedralModel } from './polyhedral-model.ts';

const modelOf = (polygonBounds: Float64Array): PolyhedralModel =>
  ({ polygonBounds, bsp: buildAxialBsp(polygonBounds) }) as unknown as PolyhedralModel;

function touching(bounds: Float64Array, box: Float64Array): number[] {
  const found: number[] = [];
  for (let i = 0; 6 * i < bounds.length; i++) {
    let meets = true;
    for (let k = 0; k < 3; k++)
      if (bounds[6 * i + k]! > box[k + 3]! || bounds[6 * i + k + 3]! < box[k]!) meets = false;
    if (meets) found.push(i);
  }
  return found;
}

/** Depth and order of the nodes, from the root: throws on a node that is met twice. */
function measure(bsp: AxialBsp): { depth: number; leaves: number } {
  let leaves = 0;
  let depth = 0;
  const seen = new Set<number>();
  const stack: [number, number][] = [[0, 0]];
  while (stack.length > 0) {
    const [node, level] = stack.pop()!;
    check(!seen.has(node), 'a tree');
    seen.add(node);
    depth = Math.max(depth, level);
    if (bsp.axes[node] === 3) leaves++;
    else stack.push([node + 1, level + 1], [bsp.next[node]!, level + 1]);
  }
  check(seen.size === bsp.axes.length, 'all nodes');
  return { depth, leaves };
}

const list = makePolygonList();
const boxes = { low: new Float64Array(6) };

function checkGather(model: PolyhedralModel, box: Float64Array): void {
  const wanted = touching(model.polygonBounds, box);
  const count = gatherPolygons(model, box, list);
  check(count === list.count, 'count');
  const found = [...list.items.subarray(0, count)];
  check(new Set(found).size === count, 'each once');
  const again = gatherPolygons(model, box, list);
  check(again === count && found.every((i, k) => list.items[k] === i), 'the same order');
  found.sort((i, j) => i - j);
  check(
    found.length === wanted.length && found.every((i, k) => i === wanted[k]),
    () => `found ${found}, wanted ${wanted}`,
  );
}

property(
  '[P12] the tree finds the polygons whose boxes meet a box, each once, always in the same order',
  1000,
  (rng) => {
    const bounds = randomBoxes(rng, rng.int(1, rng.pick([3, 30, 200])));
    const model = modelOf(bounds);
    const { depth } = measure(model.bsp);
    check(depth <= 40, 'depth');
    check(
      model.bsp.items.length <= Math.max(3 * (bounds.length / 6)),
      'no more than three entries a polygon',
    );
    for (let k = 0; k < 10; k++) {
      const { min, max } = randomQuery(rng, bounds);
      checkGather(model, Float64Array.of(min.x, min.y, min.z, max.x, max.y, max.z));
    }
  },
);

property('[P12] … with boxes that end exactly at the planes of the tree, and points', 60, (rng) => {
  const model = polyhedralModel(voxels(rng, 4, rng.unit()));
  measure(model.bsp);
  for (let k = 0; k < 10; k++) {
    const box = boxes.low;
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = rng.int(0, 4);
      box[axis + 3] = box[axis]! + rng.pick([0, 0, 1, 2]);
    }
    checkGather(model, box);
  }
});

test('[P12] what cannot be parted stays together, and nothing at all is fine', () => {
  const same = new Float64Array(600);
  for (let i = 0; i < 100; i++) same.set([0, 0, 0, 1, 1, 1], 6 * i);
  const model = modelOf(same);
  expect(model.bsp.axes.length).toBe(1);
  expect(gatherPolygons(model, Float64Array.of(1, 1, 1, 2, 2, 2), list)).toBe(100);
  expect(gatherPolygons(modelOf(new Float64Array(0)), Float64Array.of(0, 0, 0, 1, 1, 1), list)).toBe(0);
});

test('[P12] long things across each other: the tree stays small', () => {
  // Each crosses all of the others' extent: a tree that split as long as it could would have n² entries.
  const n = 300;
  const bounds = new Float64Array(12 * n);
  for (let i = 0; i < n; i++) {
    bounds.set([0, i, 0, n, i + 0.5, 1], 12 * i);
    bounds.set([i, 0, 2, i + 0.5, n, 3], 12 * i + 6);
  }
  expect(modelOf(bounds).bsp.items.length).toBeLessThanOrEqual(6 * n);
});

test('[P12] stamps start again when they run out', () => {
  const model = modelOf(Float64Array.of(0, 0, 0, 1, 1, 1));
  model.bsp.stamps[1] = 0x7ffffff0;
  model.bsp.stamps[0] = 1;
  expect(gatherPolygons(model, Float64Array.of(0, 0, 0, 1, 1, 1), list)).toBe(1);
});

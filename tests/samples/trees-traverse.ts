/** Sample calls of the searches of `src/trees`. */
import { buildBoxTree, onlyOnce } from '../../src/rtcd/ch06/box-tree.ts';
import { leafPairs } from '../../src/rtcd/ch06/leaf-pairs.ts';
import { treePairs } from '../../src/trees/pair-search.ts';
import { nearestTree, queryTree, queryTreePoint, rayTree, startGroup } from '../../src/trees/query.ts';
import type { Sample } from '../kit/sample.ts';

const items = {
  count: 2,
  bounds: Float64Array.of(0.5, 0.5, 0.5, 1.5, 1.5, 1.5, 2.5, 0.5, 0.5, 3.5, 1.5, 1.5),
  points: () => {},
};
const tree = buildBoxTree(items, { leafSize: 1 });
const box = { min: { x: 0.5, y: 0.5, z: 0.5 }, max: { x: 1.25, y: 1.25, z: 1.25 } };
const ray = { origin: { x: -0.5, y: 0.75, z: 0.75 }, direction: { x: 1.5, y: 0.1, z: 0.1 } };
const pose = { position: { x: 0.5, y: 0.25, z: 0.75 }, quaternion: { x: 0.5, y: 0.5, z: 0.5, w: 0.5 } };
const visit = () => false;
const unchecked = 'the contents of a tree are trusted; the tests beside the file check the rest';

export const samples: Sample[] = [
  { fn: treePairs, args: { a: tree, b: tree, visit, options: { pose } }, unchecked },
  { fn: leafPairs, args: { a: tree, b: tree, visit, options: { pose } }, unchecked },
  { fn: queryTree, args: { tree, probe: box, visit }, unchecked },
  { fn: queryTreePoint, args: { tree, p: box.min, visit }, unchecked },
  { fn: rayTree, args: { ray, tree, visit, tMax: 10.5 }, unchecked },
  {
    fn: nearestTree,
    args: { tree, bound: () => 0.5, distance: (i: number) => i + 0.5, visit },
    unchecked,
  },
  { fn: startGroup, args: { tree, volume: box }, unchecked },
  { fn: buildBoxTree, args: { items, options: { leafSize: 1, trim: 0.25 } } },
  { fn: onlyOnce, args: { visit }, unchecked: 'takes a function only' },
];

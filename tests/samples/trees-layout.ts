/** Sample calls of the layouts, the compact structures and the sphere trees of `src/trees`. */

import { coverSolid, coverSurface } from '../../src/rtcd/ch06/sphere-cover.ts';
import { buildSphereOctree, buildSphereTree } from '../../src/rtcd/ch06/sphere-tree.ts';
import { packByteBoxes, searchByteBoxes } from '../../src/rtcd/ch13/byte-boxes.ts';
import { packLevelOrder, searchLevelOrder } from '../../src/rtcd/ch13/level-order.ts';
import { reorderTree } from '../../src/rtcd/ch13/node-order.ts';
import { packKdTree, searchKdTree } from '../../src/rtcd/ch13/packed-kd-tree.ts';
import { packPreorder, searchPreorder, unpackPreorder } from '../../src/rtcd/ch13/preorder-links.ts';
import { dequantizePoints, quantizePoints } from '../../src/rtcd/ch13/quantize.ts';
import { packTriNodes, searchTriNodes } from '../../src/rtcd/ch13/tri-nodes.ts';
import { packVanEmdeBoas, searchVanEmdeBoas } from '../../src/rtcd/ch13/van-emde-boas.ts';
import { triangleItems } from '../../src/trees/items.ts';
import { boxTree, shapeTree } from '../kit/box-trees.ts';
import { Rng } from '../kit/rng.ts';
import type { Sample } from '../kit/sample.ts';

const bounds = Float64Array.from({ length: 8 * 6 }, (_, i) => Math.floor(i / 6) + (i % 6 < 3 ? 0.25 : 0.75));
const tree = boxTree(shapeTree(new Rng(1), 8, 'even'), bounds);
const box = { min: { x: 2.5, y: 1.5, z: 1.5 }, max: { x: 5.5, y: 5.5, z: 6.5 } };
const points = [0.5, 0.25, 0.75, 1.5, -0.5, 0.25, -0.25, 0.5, 1.5, 0.5, 0.5, 0.5];
const items = triangleItems([0.5, 0.25, 0.75, 1.5, -0.5, 0.25, -0.25, 0.5, 1.5]);
const cover = { centers: Float64Array.from(points), radii: Float64Array.of(0.5, 0.25, 1.5, 0.125) };
const unchecked = 'the contents of a tree are trusted; the tests beside the file check the rest';

export const samples: Sample[] = [
  { fn: packLevelOrder, args: { tree }, unchecked },
  { fn: searchLevelOrder, args: { tree: packLevelOrder(tree), box }, out: [], unchecked },
  { fn: packPreorder, args: { tree, links: 'relative' }, unchecked },
  { fn: unpackPreorder, args: { tree: packPreorder(tree) }, unchecked },
  { fn: searchPreorder, args: { tree: packPreorder(tree), box }, out: [], unchecked },
  { fn: packTriNodes, args: { tree }, unchecked },
  { fn: searchTriNodes, args: { tree: packTriNodes(tree), box }, out: [], unchecked },
  { fn: packVanEmdeBoas, args: { tree }, unchecked },
  { fn: searchVanEmdeBoas, args: { tree: packVanEmdeBoas(tree), box }, out: [], unchecked },
  { fn: packByteBoxes, args: { tree }, unchecked },
  { fn: searchByteBoxes, args: { tree: packByteBoxes(tree), box }, out: [], unchecked },
  { fn: packKdTree, args: { points, leafSize: 2 } },
  { fn: searchKdTree, args: { tree: packKdTree(points, 1), box }, out: [], unchecked },
  { fn: reorderTree, args: { tree, children: 'small' }, unchecked },
  { fn: quantizePoints, args: { points, format: '16' } },
  {
    fn: dequantizePoints,
    args: { quantized: quantizePoints(points, '11-11-10') },
    out: new Float64Array(12),
    unchecked,
  },
  { fn: coverSurface, args: { items, radius: 0.5 } },
  { fn: coverSolid, args: { items, options: { spacing: 0.5, overshoot: 1.5 } } },
  { fn: buildSphereTree, args: { cover } },
  { fn: buildSphereOctree, args: { items, options: { depth: 2 } } },
];

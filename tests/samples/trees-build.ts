/** Sample calls of the builders of `src/trees`. */
import { buildTreeBy } from '../../src/rtcd/ch06/build-by-method.ts';
import { buildTree } from '../../src/trees/build.ts';
import { treeCost } from '../../src/trees/counters.ts';
import { boxItems, pointItems, sphereItems, triangleItems } from '../../src/trees/items.ts';
import { measureTree, validateTree } from '../../src/trees/metrics.ts';
import { refitTree } from '../../src/trees/refit.ts';
import { splitItems } from '../../src/trees/split-items.ts';
import type { TreeItems } from '../../src/trees/tree.ts';
import type { Sample } from '../kit/sample.ts';

const boxes = [0.1, 0.2, 0.3, 1.1, 1.2, 1.3, 4.5, 0.5, 0.25, 5.5, 1.5, 1.25];
const points = [0.1, 0.2, 0.3, 1.1, -0.2, 0.7, -0.4, 0.9, -1.3];
const items = boxItems(boxes);
const tree = buildTreeBy(items);
const made = 'a tree comes from the library; validateTree is there for those that do not';

/** A tree is not checked number by number, but the items are. */
const refitItems = (given: TreeItems) => refitTree(tree, given);

export const samples: Sample[] = [
  { fn: boxItems, args: { boxes } },
  { fn: pointItems, args: { points } },
  { fn: sphereItems, args: { centers: points, radii: [0.5, 1.5, 0.25] } },
  { fn: triangleItems, args: { positions: points } },
  { fn: triangleItems, args: { positions: points, index: [0, 1, 2, 2, 1, 0] } },
  { fn: buildTree, args: { items } },
  { fn: buildTree, args: { items, options: { method: 'morton', leafSize: 2, bins: 8 } } },
  { fn: buildTreeBy, args: { items } },
  {
    fn: buildTreeBy,
    args: {
      items,
      options: {
        method: 'top-down',
        leafSize: 1,
        degree: 3,
        maxDepth: 5,
        leafVolume: 0.1,
        samples: 3,
        bins: 8,
        objective: { sum: 1, count: 0.5 },
      },
    },
  },
  { fn: splitItems, args: { items, growth: 0.5 } },
  {
    fn: treeCost,
    args: { counters: { volumeTests: 7, itemTests: 3, updates: 2 }, costs: { volumeTest: 2, once: 5 } },
  },
  { fn: validateTree, args: { tree, items }, unchecked: 'says what is wrong instead of throwing' },
  { fn: measureTree, args: { tree }, unchecked: made },
  { fn: refitItems, args: { items } },
  { fn: refitTree, args: { tree, items }, unchecked: made },
];

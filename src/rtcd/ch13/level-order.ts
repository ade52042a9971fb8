/**
 * A hierarchy without links: level by level in an array, so that arithmetic finds the children. RTCD §6.6.1.
 *
 * For complete trees without any links. Production: `trees/packed-tree.ts`, which keeps both boxes in the parent.
 */
import { checkAabb, mustHave, refuse } from '../../math/check.ts';
import type { Aabb, ReadonlyAabb } from '../../primitives/types.ts';
import type { Tree } from '../../trees/tree.ts';
import {
  type Arrangement,
  append,
  arrange,
  boxMeets,
  EMPTY,
  mustBeBinaryBoxes,
  rightChild,
  SearchBox,
} from './layout.ts';

const searched = new SearchBox();

/** The children of place i are at 2i + 1 and 2i + 2. */
export type LevelOrderTree = Arrangement;

/**
 * Lays out a binary tree of boxes level by level. A place is kept for every node that a level could have, up to the last
 * one in use, so this is for trees whose leaves are all about equally deep. Refuses a tree that would leave more
 * than half of the places empty; one whose leaves are on two neighbouring levels never does. O(n).
 */
export function packLevelOrder(tree: Tree<Aabb>): LevelOrderTree {
  mustHave('packLevelOrder', 'tree', tree, 'a tree', 'ops');
  mustBeBinaryBoxes('packLevelOrder', tree);
  const count = tree.skip.length;
  const nodeAt = new Uint32Array(2 * count).fill(EMPTY);
  const placeOf = new Uint32Array(count);
  let places = Math.min(count, 1);
  nodeAt[0] = 0;
  for (let node = 0; node < count; node++) {
    if (tree.skip[node] === node + 1) continue;
    const left = 2 * placeOf[node]! + 1;
    if (left + 2 > 2 * count)
      refuse('packLevelOrder', 'tree', 'is too uneven: more than half of the places would be empty');
    const right = rightChild(tree, node);
    placeOf[node + 1] = left;
    placeOf[right] = left + 1;
    nodeAt[left] = node + 1;
    nodeAt[left + 1] = right;
    places = Math.max(places, left + 2);
  }
  return arrange(tree, nodeAt.subarray(0, places));
}

/**
 * The items in the leaves whose boxes share a point with the box; `out` is overwritten. The walk needs no stack: the
 * number of a place tells whether it is a second child, and where its parent is.
 */
export function searchLevelOrder(tree: LevelOrderTree, box: ReadonlyAabb, out: number[] = []): number[] {
  mustHave('searchLevelOrder', 'tree', tree, 'a level order tree', 'bounds');
  checkAabb('searchLevelOrder', 'box', box);
  searched.load(box);
  const { bounds, start, items } = tree;
  const places = start.length - 1;
  let count = 0;
  let place = 0;
  for (;;) {
    if (place < places && boxMeets(bounds, 6 * place, searched)) {
      count = append(items, start[place]!, start[place + 1]!, out, count);
      place = 2 * place + 1;
      continue;
    }
    while (place > 0 && (place & 1) === 0) place = (place >> 1) - 1;
    if (place === 0) break;
    place++;
  }
  out.length = count;
  return out;
}

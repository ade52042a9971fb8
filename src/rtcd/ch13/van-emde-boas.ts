/**
 * A hierarchy laid out so that it suits a cache of any size, without knowing the size. RTCD §13.4.3.
 *
 * For trees much larger than the caches. Production stores nodes depth first: `trees/packed-tree.ts`.
 */
import { checkAabb, mustHave } from '../../math/check.ts';
import type { Aabb, ReadonlyAabb } from '../../primitives/types.ts';
import type { Topology, Tree } from '../../trees/tree.ts';
import {
  type Arrangement,
  append,
  arrange,
  boxMeets,
  mustBeBinaryBoxes,
  pending,
  SearchBox,
} from './layout.ts';

const searched = new SearchBox();

export interface VanEmdeBoasTree extends Arrangement {
  /** The places of the two children of each node; 0 at a leaf. */
  readonly children: Uint32Array;
}

/** Lays out a binary tree of boxes after van Emde Boas. O(n log log n) for an even tree. */
export function packVanEmdeBoas(tree: Tree<Aabb>): VanEmdeBoasTree {
  mustHave('packVanEmdeBoas', 'tree', tree, 'a tree', 'ops');
  mustBeBinaryBoxes('packVanEmdeBoas', tree);
  const nodeAt = vanEmdeBoasOrder(tree);
  const placeOf = new Uint32Array(nodeAt.length);
  for (let place = 0; place < nodeAt.length; place++) placeOf[nodeAt[place]!] = place;
  const children = new Uint32Array(2 * nodeAt.length);
  for (let place = 0; place < nodeAt.length; place++) {
    const node = nodeAt[place]!;
    if (tree.skip[node] === node + 1) continue;
    children[2 * place] = placeOf[node + 1]!;
    children[2 * place + 1] = placeOf[tree.skip[node + 1]!]!;
  }
  return { ...arrange(tree, nodeAt), children };
}

/**
 * The nodes in the order of van Emde Boas: the tree is cut at half its height, rounded up; first comes the top, then the
 * subtrees that hang from it, left to right, each laid out in the same way. A path from the root to a leaf then runs
 * through few blocks of memory, whatever a block is.
 *
 * @internal
 */
export function vanEmdeBoasOrder({ skip }: Topology): Uint32Array {
  const order = new Uint32Array(skip.length);
  let count = 0;

  /**
   * Lays out the first `height` levels below the node and adds the nodes of the level after them to `below`. It calls
   * itself to a depth of the logarithm of the height: 5 for a million nodes in balance, 32 at the very most.
   */
  function lay(node: number, height: number, below: number[]): void {
    if (height === 1) {
      order[count++] = node;
      for (let child = node + 1; child < skip[node]!; child = skip[child]!) below.push(child);
      return;
    }
    const top = (height + 1) >> 1;
    const middle: number[] = [];
    lay(node, top, middle);
    for (const root of middle) lay(root, height - top, below);
  }

  if (skip.length > 0) lay(0, heightOf(skip), []);
  return order;
}

/** The number of levels. */
function heightOf(skip: Uint32Array): number {
  const ends: number[] = [];
  let height = 0;
  for (let node = 0; node < skip.length; node++) {
    while (ends.length > 0 && ends[ends.length - 1]! <= node) ends.pop();
    ends.push(skip[node]!);
    height = Math.max(height, ends.length);
  }
  return height;
}

/** The items in the leaves whose boxes share a point with the box; `out` is overwritten. */
export function searchVanEmdeBoas(tree: VanEmdeBoasTree, box: ReadonlyAabb, out: number[] = []): number[] {
  mustHave('searchVanEmdeBoas', 'tree', tree, 'a van emde boas tree', 'children');
  checkAabb('searchVanEmdeBoas', 'box', box);
  searched.load(box);
  const { bounds, start, items, children } = tree;
  let count = 0;
  let top = 0;
  if (children.length > 0) pending[top++] = 0;
  while (top > 0) {
    const place = pending[--top]!;
    if (!boxMeets(bounds, 6 * place, searched)) continue;
    if (children[2 * place] === 0) {
      count = append(items, start[place]!, start[place + 1]!, out, count);
      continue;
    }
    pending[top++] = children[2 * place + 1]!;
    pending[top++] = children[2 * place]!;
  }
  out.length = count;
  return out;
}

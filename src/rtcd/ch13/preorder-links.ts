/**
 * A hierarchy with one link a node: the first child is the next node, the second is told by a short number. RTCD §6.6.2.
 *
 * For small trees with 16-bit links. Production: `trees/packed-tree.ts`.
 */
import { checkAabb, mustHave } from '../../math/check.ts';
import type { Aabb, ReadonlyAabb } from '../../primitives/types.ts';
import type { Topology, Tree } from '../../trees/tree.ts';
import { append, boxMeets, mustBeBinaryBoxes, narrow, pending, rightChild, SearchBox } from './layout.ts';

const searched = new SearchBox();

/** Nodes in preorder. */
export interface PreorderTree {
  /** Six numbers a node: its box. */
  readonly bounds: Float32Array;
  /** The second child of each node: its number or, if `relative`, how many nodes further on it is. 0 at a leaf. */
  readonly right: Uint16Array | Uint32Array;
  readonly relative: boolean;
  /** The items of node i are items[first[i]] … items[first[i + 1] - 1]: none at an inner node. */
  readonly first: Uint16Array | Uint32Array;
  readonly items: Uint32Array;
}

/**
 * The runtime form of a binary tree of boxes; boxes and items are those of the given tree, not copies. Links take 16 bits
 * where all of them fit, else 32. Relative ones fit much longer: as long as no first child has 65,535 nodes below it. O(n).
 */
export function packPreorder(tree: Tree<Aabb>, links: 'relative' | 'absolute' = 'relative'): PreorderTree {
  mustHave('packPreorder', 'tree', tree, 'a tree', 'ops');
  mustBeBinaryBoxes('packPreorder', tree);
  const { skip, first, items, volumes } = tree;
  const relative = links === 'relative';
  const right = new Uint32Array(skip.length);
  for (let node = 0; node < skip.length; node++)
    if (skip[node] !== node + 1) right[node] = rightChild(tree, node) - (relative ? node : 0);
  return { bounds: volumes, right: narrow(right), relative, first: narrow(first), items };
}

/** The way back: the shape of the tree that was packed. O(n). */
export function unpackPreorder({ right, relative, first, items }: PreorderTree): Topology {
  const skip = new Uint32Array(right.length);
  for (let node = right.length - 1; node >= 0; node--) {
    const link = right[node]!;
    skip[node] = link === 0 ? node + 1 : skip[relative ? node + link : link]!;
  }
  return { skip, first: Uint32Array.from(first), items };
}

/** The items in the leaves whose boxes share a point with the box; `out` is overwritten. */
export function searchPreorder(tree: PreorderTree, box: ReadonlyAabb, out: number[] = []): number[] {
  mustHave('searchPreorder', 'tree', tree, 'a preorder tree', 'bounds');
  checkAabb('searchPreorder', 'box', box);
  searched.load(box);
  const { bounds, right, relative, first, items } = tree;
  let count = 0;
  let top = 0;
  if (right.length > 0) pending[top++] = 0;
  while (top > 0) {
    let node = pending[--top]!;
    while (boxMeets(bounds, 6 * node, searched)) {
      const link = right[node]!;
      if (link === 0) {
        count = append(items, first[node]!, first[node + 1]!, out, count);
        break;
      }
      pending[top++] = relative ? node + link : link;
      node++;
    }
  }
  out.length = count;
  return out;
}

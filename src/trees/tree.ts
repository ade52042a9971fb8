/**
 * Bounding-volume hierarchies in flat arrays. RTCD §6.6.2.
 *
 * Nodes stand in preorder, so that one number a node describes the whole shape, whatever the number of children: the
 * subtree of node i is i … skip[i] - 1. Its first child is i + 1, the sibling after child c is skip[c], and the children
 * end at skip[i]. A leaf has skip[i] = i + 1. Items too are in preorder: those below node i are
 * items[first[i]] … items[first[skip[i]] - 1].
 */
import type { VolumeOps } from '../volumes/volume.ts';

/** The shape of a hierarchy, without its volumes. */
export interface Topology {
  /** For each node, the node after its subtree. */
  readonly skip: Uint32Array;
  /** For each node, where its items begin; one number more than there are nodes, the last being the count of items. */
  readonly first: Uint32Array;
  /** The numbers of the items, each once, in the order of the leaves. */
  readonly items: Uint32Array;
}

/** A hierarchy: every node's volume encloses all that is below it. */
export interface Tree<V> extends Topology {
  readonly ops: VolumeOps<V>;
  /** The volumes, `ops.byteSize / 4` numbers a node, rounded outward. */
  readonly volumes: Float32Array;
}

/** What a hierarchy is built over. */
export interface TreeItems {
  readonly count: number;
  /** A box around each item: min x, y, z, max x, y, z. */
  readonly bounds: Float64Array;
  /** Appends to `out` points (x, y, z, …) of which item `item` is (within) the convex hull. */
  readonly points: (item: number, out: number[]) => void;
}

/** A hierarchy under construction: an inner node has children and no items, a leaf items and no children. */
export interface BuildNode {
  readonly children: readonly BuildNode[];
  readonly items: readonly number[];
}

/** The flat form. Depth is no concern: there is no recursion. */
export function flattenTree(root: BuildNode): Topology {
  const order: BuildNode[] = [];
  const skip: number[] = [];
  const first: number[] = [];
  const items: number[] = [];
  // A node goes onto the stack twice: to be opened (its node), and to be closed (its index in preorder).
  const stack: (BuildNode | number)[] = [root];
  while (stack.length > 0) {
    const top = stack.pop()!;
    if (typeof top === 'number') {
      skip[top] = order.length;
      continue;
    }
    stack.push(order.length);
    order.push(top);
    first.push(items.length);
    for (const item of top.items) items.push(item);
    for (let i = top.children.length - 1; i >= 0; i--) stack.push(top.children[i]!);
  }
  first.push(items.length);
  return { skip: Uint32Array.from(skip), first: Uint32Array.from(first), items: Uint32Array.from(items) };
}

/** Trees over items that move: the shape stays, the volumes are made anew. RTCD §6.1, §13; van den Bergen 1997. */
import { describe, mustHave, refuse } from '../math/check.ts';
import type { TreeCounters } from './counters.ts';
import { fitNode, type TreeFit } from './fit.ts';
import { mustBeItems } from './items.ts';
import type { Topology, Tree, TreeItems } from './tree.ts';

/**
 * Makes all volumes of the tree anew, for the same number of items in other places. By merges unless told otherwise:
 * O(nodes).
 */
export function refitTree<V>(
  tree: Tree<V>,
  items: TreeItems,
  fit: TreeFit = 'merge',
  counters?: TreeCounters,
): Tree<V> {
  mustHave('refitTree', 'tree', tree, 'a tree', 'ops');
  mustHave('refitTree', 'items', items, 'items of a tree', 'count');
  if (counters !== undefined && counters !== null)
    mustHave('refitTree', 'counters', counters, 'a tree counters', 'volumeTests');
  mustMatch('refitTree', tree, items);
  for (let node = tree.skip.length - 1; node >= 0; node--) fitNode(tree, items, node, fit);
  if (counters) counters.updates += tree.skip.length;
  return tree;
}

/**
 * Follows items of which a few move at a time. The tree gets worse as they leave the places that it was built for:
 * when `measureTree` says that it costs half as much again as when it was new, build another one.
 */
export class TreeRefitter<V> {
  readonly tree: Tree<V>;
  readonly #parents: Int32Array;
  /** The leaf of each item. */
  readonly #leaves: Uint32Array;
  readonly #stale: Uint8Array;

  constructor(tree: Tree<V>) {
    const { skip, first, items } = tree;
    this.tree = tree;
    this.#parents = parentsOf(skip);
    this.#leaves = new Uint32Array(items.length);
    for (let node = 0; node < skip.length; node++)
      if (skip[node] === node + 1)
        for (let i = first[node]!; i < first[node + 1]!; i++) this.#leaves[items[i]!] = node;
    this.#stale = new Uint8Array(skip.length);
  }

  /**
   * Makes anew the volumes above the items that changed. The cost is of the order of their number times the depth.
   * Returns how many volumes that were.
   */
  refit(
    items: TreeItems,
    changed: ArrayLike<number>,
    fit: TreeFit = 'merge',
    counters?: TreeCounters,
  ): number {
    const tree = this.tree;
    if (items.count !== tree.items.length)
      refuse('TreeRefitter.refit', 'items.count', `must be ${tree.items.length}, got ${items.count}`);
    const nodes: number[] = [];
    for (let i = 0; i < changed.length; i++) {
      const item = changed[i]!;
      if (!(Number.isInteger(item) && item >= 0 && item < items.count))
        refuse('TreeRefitter.refit', `changed[${i}]`, `must be the number of an item, got ${describe(item)}`);
      for (let node = this.#leaves[item]!; node >= 0 && !this.#stale[node]; node = this.#parents[node]!) {
        this.#stale[node] = 1;
        nodes.push(node);
      }
    }
    // Children come after their parents: from the back, they are right when they are asked for.
    const order = Uint32Array.from(nodes).sort();
    for (let i = order.length - 1; i >= 0; i--) {
      fitNode(tree, items, order[i]!, fit);
      this.#stale[order[i]!] = 0;
    }
    if (counters) counters.updates += order.length;
    return order.length;
  }
}

/** A `TreeRefitter` for the tree, whose volumes it writes. */
export const makeTreeRefitter = <V>(tree: Tree<V>): TreeRefitter<V> => new TreeRefitter(tree);

function parentsOf(skip: Uint32Array): Int32Array {
  const parents = new Int32Array(skip.length).fill(-1);
  for (let node = 0; node < skip.length; node++)
    for (let child = node + 1; child < skip[node]!; child = skip[child]!) parents[child] = node;
  return parents;
}

function mustMatch(caller: string, tree: Topology, items: TreeItems): void {
  mustBeItems(caller, items);
  if (items.count !== tree.items.length)
    refuse(caller, 'items.count', `must be ${tree.items.length}, as in the tree; got ${items.count}`);
}

/** Trees over items that move: the shape stays, the volumes are computed again. RTCD §6.1, §13; van den Bergen 1997. */
import { describe, mustHave, refuse } from '../math/check.ts';
import type { VolumeOps } from '../volumes/volume.ts';
import type { TreeCounters } from './counters.ts';
import { mustBeItems } from './items.ts';
import type { Topology, Tree, TreeItems } from './tree.ts';

/**
 * Computes all volumes of the tree again, for the same number of items at other positions. Default: by merges:
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
 * Follows items of which a few move at a time. The tree gets worse as they leave the positions that it was built for:
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
   * Computes again the volumes above the items that changed. The cost is of the order of their number times the depth.
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

/** Volumes for the nodes of a tree whose shape is known: any kind of volume on any shape. */

/**
 * How the volume of an inner node is found: `tight` around all that is below, or by a `merge` of the volumes of its
 * children, which costs less and may be larger. For boxes and k-DOPs, of which a merge is tight, there is no difference.
 */
export type TreeFit = 'tight' | 'merge';

/**
 * The tree with volumes around the items. `tight` costs the sum over all items of how deep they are.
 *
 * @internal
 */
export function fitTree<V>(
  topology: Topology,
  items: TreeItems,
  ops: VolumeOps<V>,
  fit: TreeFit = 'tight',
  counters?: TreeCounters,
): Tree<V> {
  const { skip, first } = topology;
  const volumes = new Float32Array((skip.length * ops.byteSize) / 4);
  const tree = { skip, first, items: topology.items, ops, volumes };
  for (let node = skip.length - 1; node >= 0; node--) fitNode(tree, items, node, fit);
  if (counters) counters.updates += skip.length;
  return tree;
}

/**
 * Computes the volume of one node again; those of its children must be right.
 *
 * @internal
 */
export function fitNode<V>(tree: Tree<V>, items: TreeItems, node: number, fit: TreeFit): void {
  const { ops, skip, volumes } = tree;
  const inner = skip[node]! > node + 1;
  const size = ops.byteSize / 4;
  const volume =
    inner && (fit === 'merge' || mergesTightly(ops.kind))
      ? mergeChildren(tree, node)
      : ops.fitPoints(pointsBelow(tree, items, node));
  ops.store(volume, volumes, node * size);
}

/** The extents of a merge are the extents of what was merged. */
const mergesTightly = (kind: string): boolean => kind === 'aabb' || kind.startsWith('kdop');

function mergeChildren<V>({ ops, skip, volumes }: Tree<V>, node: number): V {
  const size = ops.byteSize / 4;
  let volume = ops.load(volumes, (node + 1) * size);
  for (let child = skip[node + 1]!; child < skip[node]!; child = skip[child]!)
    volume = ops.merge(volume, ops.load(volumes, child * size));
  return volume;
}

/** Points around the items below a node: of axis-aligned boxes their own ends will do. */
function pointsBelow<V>(
  { ops, skip, first, items: order }: Tree<V>,
  items: TreeItems,
  node: number,
): number[] {
  const points: number[] = [];
  for (let i = first[node]!; i < first[skip[node]!]!; i++) {
    const item = order[i]!;
    if (ops.kind !== 'aabb') items.points(item, points);
    else for (let j = 6 * item; j < 6 * item + 6; j++) points.push(items.bounds[j]!);
  }
  return points;
}

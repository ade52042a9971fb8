/** Trees by insertion: one item after the other is put where the tree grows least for it. RTCD §6.2.3. */
import { describe, refuse } from '../math/check.ts';
import { ClusterTree } from './cluster-tree.ts';
import type { InsertionSearch } from './dynamic-insert.ts';
import { LINK, NODE } from './dynamic-nodes.ts';
import { measureFor } from './extent-measure.ts';
import { GoldsmithSalmonTree } from './goldsmith-salmon.ts';
import { binaryTopology, MergeList } from './merge-list.ts';
import { shuffledIndices } from './shuffle.ts';
import { flattenTree, type Topology, type TreeItems } from './tree.ts';

/**
 * What a place costs.
 *
 * - `growth`: the area of the new node and the growth of all above it. Two children a node.
 * - `goldsmith-salmon`: what a random ray would cost more; several children a node.
 */
export type InsertionRule = 'growth' | 'goldsmith-salmon';

export interface InsertionOptions {
  /** 'growth' unless told otherwise. */
  readonly rule?: InsertionRule;
  /** One way down, or the best of all places, which takes longer. 'path' unless told otherwise. */
  readonly search?: InsertionSearch;
  /** Decides the order in which items come: any integer. In their own order, sorted items would make a bad tree. */
  readonly seed?: number;
  /** The most children of a node, for `goldsmith-salmon`: 8 unless told otherwise. At least 2. */
  readonly nodeSize?: number;
}

/**
 * The topology that `buildTree` makes with the method 'insertion': one item a leaf. O(n log n) with 'path'.
 *
 * @internal
 */
export function insertionTopology(items: TreeItems, options: InsertionOptions = {}): Topology {
  const { rule = 'growth', search = 'path', seed = 1, nodeSize = 8 } = options;
  if (search !== 'path' && search !== 'best') refuseOption('search', `must be 'path' or 'best'`, search);
  if (!Number.isInteger(seed)) refuseOption('seed', 'must be an integer', seed);
  if (!(Number.isInteger(nodeSize) && nodeSize >= 2))
    refuseOption('nodeSize', 'must be a whole number of at least 2', nodeSize);
  if (items.count === 0) return new MergeList(0, items.bounds).topology();
  const order = shuffledIndices(items.count, seed);
  switch (rule) {
    case 'growth':
      return byGrowth(items, order, search);
    case 'goldsmith-salmon':
      return byRayCost(items, order, search, nodeSize);
    default:
      return refuseOption('rule', `must be 'growth' or 'goldsmith-salmon'`, rule);
  }
}

function byGrowth({ count, bounds }: TreeItems, order: Uint32Array, search: InsertionSearch): Topology {
  const tree = new ClusterTree(0, bounds, count);
  for (const item of order) tree.add(item, bounds, search);
  const { links, pairs } = tree.nodes;
  const left = new Int32Array(2 * pairs);
  const right = new Int32Array(2 * pairs);
  for (let node = 0; node < left.length; node++) {
    left[node] = links[NODE * node + LINK]!;
    right[node] = left[node]! + 1;
  }
  return binaryTopology(count, 0, left, right);
}

function byRayCost(items: TreeItems, order: Uint32Array, search: InsertionSearch, degree: number): Topology {
  const { count, bounds } = items;
  const tree = new GoldsmithSalmonTree(count, bounds, measureFor('area', bounds, count), degree);
  for (const item of order) tree.insert(item, search);
  return flattenTree(tree.toBuildNode());
}

const refuseOption = (name: string, rule: string, value: unknown): never =>
  refuse('buildTree', `options.${name}`, `${rule}, got ${describe(value)}`);

/** Trees from the bottom up: every item is a cluster at first, and clusters are merged until one is left. RTCD §6.2.2. */
import { describe, refuse } from '../math/check.ts';
import { mergeByHeap } from './bottom-up-heap.ts';
import { mergeByReference } from './bottom-up-reference.ts';
import { type BoxMeasure, measureFor } from './extent-measure.ts';
import { MergeList } from './merge-list.ts';
import { mergeNearest } from './nearest-merge.ts';
import { type SpanningMethod, spanningTopology } from './spanning-tree.ts';
import { sphereClusterTopology } from './sphere-clusters.ts';
import type { Topology, TreeItems } from './tree.ts';

/**
 * Which clusters are merged next.
 *
 * - `heap`: of all, the pair with the smallest common box. O(n log n) or so; up to O(n²) where most boxes overlap.
 * - `reference`: the same, by trying all pairs. O(n³): for comparison.
 * - `nearest`: many pairs at a time, each the best of a few neighbours. The fastest of these.
 * - `spanning`: those connected by the short edges of a minimum spanning tree, several to a node.
 * - `spheres`: those that attract each other as spheres, several to a node.
 */
export type Pairing = 'reference' | 'heap' | 'nearest' | 'spanning' | 'spheres';

export interface BottomUpOptions {
  /** 'heap' unless told otherwise. */
  readonly pairing?: Pairing;
  /**
   * What makes a common box small, for `heap`, `reference` and `nearest`: 'area' unless told otherwise. Flat items have
   * no volume; if all of them together have none, area is used, and the sum of the sides if they have no area either.
   */
  readonly measure?: BoxMeasure;
  /** How many neighbours `nearest` (4 unless told otherwise), `spanning` and `spheres` (8) look at. */
  readonly neighbours?: number;
  /**
   * The most pairs that `nearest` merges before it looks again: one gives the best boxes and may give a deep tree,
   * Infinity a tree of least depth. A quarter of the clusters unless told otherwise.
   */
  readonly pairsPerRound?: number;
  /** How `spanning` finds its tree: 'kruskal' unless told otherwise. The result is the same but for ties. */
  readonly spanningMethod?: SpanningMethod;
  /** The most children of a node, for `spanning` (4 unless told otherwise) and `spheres` (8). At least 2. */
  readonly clusterSize?: number;
}

/**
 * The topology that `buildTree` makes with the method 'bottom-up': one item a leaf.
 *
 * @internal
 */
export function bottomUpTopology(items: TreeItems, options: BottomUpOptions = {}): Topology {
  const { pairing = 'heap', measure: wanted = 'area', pairsPerRound, spanningMethod = 'kruskal' } = options;
  const { count, bounds } = items;
  if (wanted !== 'area' && wanted !== 'volume') refuseOption('measure', `must be 'area' or 'volume'`, wanted);
  if (spanningMethod !== 'kruskal' && spanningMethod !== 'prim')
    refuseOption('spanningMethod', `must be 'kruskal' or 'prim'`, spanningMethod);
  if (pairsPerRound !== Infinity) mustBeCount('pairsPerRound', pairsPerRound ?? 1, 1);
  const neighbours = options.neighbours ?? (pairing === 'nearest' ? 4 : 8);
  mustBeCount('neighbours', neighbours, 1);
  const degree = options.clusterSize ?? (pairing === 'spheres' ? 8 : 4);
  mustBeCount('clusterSize', degree, 2);
  if (count === 0) return new MergeList(0, bounds).topology();
  const measure = measureFor(wanted, bounds, count);
  switch (pairing) {
    case 'heap':
      return mergeByHeap(count, bounds, measure).topology();
    case 'reference':
      return mergeByReference(count, bounds, measure).topology();
    case 'nearest':
      return mergeNearest(count, bounds, measure, neighbours, pairsPerRound).topology();
    case 'spanning':
      return spanningTopology(items, { k: neighbours, method: spanningMethod, degree });
    case 'spheres':
      return sphereClusterTopology(items, neighbours, degree);
    default:
      return refuseOption('pairing', 'must be one of the known ways', pairing);
  }
}

function mustBeCount(name: string, value: number, least: number): void {
  if (!(Number.isInteger(value) && value >= least))
    refuseOption(name, `must be a whole number of at least ${least}`, value);
}

const refuseOption = (name: string, rule: string, value: unknown): never =>
  refuse('buildTree', `options.${name}`, `${rule}, got ${describe(value)}`);

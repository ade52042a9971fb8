/**
 * Trees from the bottom up: every item is a cluster at first, and clusters are merged until one is left. RTCD §6.2.2.
 *
 * For the best trees of a few thousand items, at a high price. Production builds from the top down by the surface area
 * heuristic: `trees/sah.ts`, `trees/pack-build.ts`.
 */
import { LINK, NODE } from '../../broadphase/dynamic-nodes.ts';
import { NearestList, searchNearest } from '../../broadphase/dynamic-search.ts';
import { describe, refuse } from '../../math/check.ts';
import { MinHeap } from '../../trees/min-heap.ts';
import type { Topology, TreeItems } from '../../trees/tree.ts';
import { ClusterTree, MergeList, pointAt, writeCenter } from './cluster-tree.ts';
import { type BoxMeasure, type ExtentMeasure, measureFor, sizeOf, unionSize } from './extent-measure.ts';
import { type SpanningMethod, spanningTopology } from './spanning-tree.ts';
import { sphereClusterTopology } from './sphere-clusters.ts';

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
  /** Default: 'heap'. */
  readonly pairing?: Pairing;
  /**
   * What makes a common box small, for `heap`, `reference` and `nearest`. Default: 'area'. Flat items have
   * no volume; if all of them together have none, area is used, and the sum of the sides if they have no area either.
   */
  readonly measure?: BoxMeasure;
  /** How many neighbours `nearest` (default: 4), `spanning` and `spheres` (8) look at. */
  readonly neighbours?: number;
  /**
   * The most pairs that `nearest` merges before it looks again: one gives the best boxes and may give a deep tree,
   * Infinity a tree of least depth. Default: a quarter of the clusters.
   */
  readonly pairsPerRound?: number;
  /** How `spanning` finds its tree. Default: 'kruskal'. The result is the same but for ties. */
  readonly spanningMethod?: SpanningMethod;
  /** The most children of a node, for `spanning` (default: 4) and `spheres` (8). At least 2. */
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

/**
 * From the bottom up, merging the best pair of all each time, with a queue. RTCD §6.2.2.1.
 *
 * Each cluster keeps its best partner, and waits in a queue by the size of their common box. A merge takes two clusters
 * away and adds one that holds both, and so is no better a partner to anyone than the two were: sizes only grow. A
 * partner that is still there is therefore still the best, and one that is gone need be replaced only when its cluster
 * comes to the head of the queue.
 */

/**
 * The same merges as `mergeByReference`, but for the order among equals; O(n log n) or thereabouts.
 *
 * @internal
 */
export function mergeByHeap(count: number, bounds: Float64Array, measure: ExtentMeasure): MergeList {
  const list = new MergeList(count, bounds);
  const most = Math.max(1, 2 * count - 1);
  const tree = new ClusterTree(count, bounds, most);
  const search = new PartnerSearch(tree, list.bounds, measure);
  const partners = new Int32Array(most);
  const queue = new MinHeap(Math.max(1, count));
  const enqueue = (cluster: number): void => {
    partners[cluster] = search.find(cluster);
    queue.push(search.size, cluster);
  };
  for (let i = 0; i < count; i++) enqueue(i);
  // Merges wait while there are other pairs of the same size: each would find the one before the best of partners, and
  // equal boxes would form a chain. No pair is lost, since a merge that comes late looks at all others then.
  const waiting: number[] = [];
  let size = 0;
  while (list.count < 2 * count - 1) {
    if (waiting.length > 0 && (queue.size === 0 || queue.topKey() > size)) {
      for (const cluster of waiting) tree.add(cluster, list.bounds);
      for (const cluster of waiting) enqueue(cluster);
      waiting.length = 0;
    }
    const key = queue.topKey();
    const cluster = queue.pop();
    if (!list.alive[cluster]) continue;
    const partner = partners[cluster]!;
    if (partner >= 0 && list.alive[partner]) {
      size = key;
      waiting.push(list.merge(cluster, partner));
      tree.remove(cluster);
      tree.remove(partner);
    } else enqueue(cluster);
  }
  return list;
}

/**
 * Finds the partner with which a cluster has the smallest common box.
 *
 * @internal
 */
export class PartnerSearch {
  /** The size of the common box; Infinity when there is no other cluster. */
  size = Infinity;
  private stack = new Int32Array(64);
  private least = new Float64Array(64);
  private readonly tree: ClusterTree;
  private readonly bounds: Float64Array;
  private readonly measure: ExtentMeasure;

  constructor(tree: ClusterTree, bounds: Float64Array, measure: ExtentMeasure) {
    this.tree = tree;
    this.bounds = bounds;
    this.measure = measure;
  }

  /** The best partner, or -1 if there is none; sets `size`. Exact: nothing is passed over that could be better. */
  find(cluster: number): number {
    const { nodes } = this.tree;
    const { bounds, measure } = this;
    const { links } = nodes;
    let best = -1;
    let size = Infinity;
    if (this.stack.length < nodes.height + 2) this.grow(nodes.height + 2);
    const { stack, least } = this;
    let top = 0;
    if (nodes.count > 0) {
      stack[0] = 0;
      least[0] = 0;
      top = 1;
    }
    while (top > 0) {
      if (least[--top]! >= size) continue;
      const link = links[NODE * stack[top]! + LINK]!;
      if (link < 0) {
        if (~link === cluster) continue;
        const common = unionSize(measure, bounds, cluster, ~link);
        if (common < size) {
          size = common;
          best = ~link;
        }
        continue;
      }
      const left = this.bound(link, cluster);
      const right = this.bound(link + 1, cluster);
      // The more promising child on top; where both promise the same, the one whose center is nearer.
      const swap = left > right || (left === right && this.leftIsFarther(link, cluster));
      stack[top] = swap ? link : link + 1;
      least[top++] = swap ? left : right;
      stack[top] = swap ? link + 1 : link;
      least[top++] = swap ? right : left;
    }
    this.size = size;
    return best;
  }

  /**
   * No leaf below the node has a smaller common box with the cluster than this: it reaches at least from the cluster to
   * the near side of the node. Rounding is monotone, so that this holds for the numbers as computed.
   */
  private bound(node: number, cluster: number): number {
    const { bounds } = this;
    const { bounds: boxes } = this.tree.nodes;
    const p = NODE * node;
    const q = 6 * cluster;
    return sizeOf(
      this.measure,
      Math.max(bounds[q + 3]!, boxes[p]!) - Math.min(bounds[q]!, boxes[p + 3]!),
      Math.max(bounds[q + 4]!, boxes[p + 1]!) - Math.min(bounds[q + 1]!, boxes[p + 4]!),
      Math.max(bounds[q + 5]!, boxes[p + 2]!) - Math.min(bounds[q + 2]!, boxes[p + 5]!),
    );
  }

  private leftIsFarther(left: number, cluster: number): boolean {
    const { bounds } = this;
    const { bounds: boxes } = this.tree.nodes;
    const p = NODE * left;
    const q = 6 * cluster;
    let difference = 0;
    for (let k = 0; k < 3; k++) {
      const center = bounds[q + k]! + bounds[q + k + 3]!;
      const l = boxes[p + k]! + boxes[p + k + 3]! - center;
      const r = boxes[p + NODE + k]! + boxes[p + NODE + k + 3]! - center;
      difference += l * l - r * r;
    }
    return difference > 0;
  }

  private grow(size: number): void {
    this.stack = new Int32Array(2 * size);
    this.least = new Float64Array(2 * size);
  }
}

/**
 * From the bottom up by nearest neighbours, several pairs a round. RTCD §6.2.2.2; the rounds are those of Meister and
 * Bittner, "Parallel Locally-Ordered Clustering" (2018), with exact neighbours in place of a window along a curve.
 */

/**
 * Merges clusters with the best of their `k` nearest neighbours (by centers), up to `pairs` pairs a round; in a round
 * a cluster is merged once. The more pairs, the better balanced: a tree is no deeper than there were rounds. With all
 * pairs (Infinity) all clusters but one of an odd number are merged, and the depth is the least possible; with one, the
 * closest pair of all is next and the depth may be anything. By default a quarter of the clusters makes
 * pairs, which bounds the depth by 2.5 log2 n and a bit. O(n log n) for any number of pairs.
 */
function mergeNearest(
  count: number,
  bounds: Float64Array,
  measure: ExtentMeasure,
  k: number,
  pairs?: number,
): MergeList {
  const list = new MergeList(count, bounds);
  const most = Math.max(1, 2 * count - 1);
  const centers = new Float64Array(6 * most);
  for (let i = 0; i < count; i++) writeCenter(list.bounds, i, centers);
  const tree = new ClusterTree(count, centers, most);
  const near = new NearestList();
  const partners = new Int32Array(most);
  const queue = new MinHeap(Math.max(1, count));
  const enqueue = (cluster: number): void => {
    searchNearest(tree.nodes, pointAt(centers, cluster), k, cluster, near);
    let least = Infinity;
    for (let i = 0; i < near.count; i++) {
      const size = unionSize(measure, list.bounds, cluster, near.proxies[i]!);
      if (size < least) {
        least = size;
        partners[cluster] = near.proxies[i]!;
      }
    }
    if (near.count > 0) queue.push(least, cluster);
  };
  for (let i = 0; i < count; i++) enqueue(i);
  const fresh: number[] = [];
  const again: number[] = [];
  let active = count;
  while (active > 1) {
    let room = Math.min(pairs ?? Math.ceil(active / 4), active >> 1);
    while (room > 0) {
      const cluster = queue.pop();
      if (!list.alive[cluster]) continue;
      const partner = partners[cluster]!;
      if (!list.alive[partner]) {
        enqueue(cluster); // with one of those that are still without a partner in this round
        again.push(cluster);
        continue;
      }
      tree.remove(cluster);
      tree.remove(partner);
      fresh.push(list.merge(cluster, partner));
      active--;
      room--;
    }
    for (const cluster of fresh) {
      writeCenter(list.bounds, cluster, centers);
      tree.add(cluster, centers);
    }
    for (const cluster of fresh) enqueue(cluster);
    // Those that lost their partner may like one of the fresh ones better than what was left.
    for (const cluster of again) if (list.alive[cluster]) enqueue(cluster);
    fresh.length = 0;
    again.length = 0;
  }
  return list;
}

/** The plain way to build from the bottom up, kept as the measure of the others. RTCD §6.2.2. */

/**
 * Merges the two clusters whose common box is smallest, until one is left. Of equals, those of the smaller numbers.
 * O(n³): for a few hundred items.
 *
 * @internal
 */
export function mergeByReference(count: number, bounds: Float64Array, measure: ExtentMeasure): MergeList {
  const list = new MergeList(count, bounds);
  const active = Array.from({ length: count }, (_, i) => i);
  while (active.length > 1) {
    let least = Infinity;
    let one = 0;
    let other = 1;
    for (let i = 0; i < active.length; i++)
      for (let j = i + 1; j < active.length; j++) {
        const size = unionSize(measure, list.bounds, active[i]!, active[j]!);
        if (size < least) {
          least = size;
          one = i;
          other = j;
        }
      }
    const merged = list.merge(active[one]!, active[other]!);
    active.splice(other, 1);
    active.splice(one, 1);
    active.push(merged);
  }
  return list;
}

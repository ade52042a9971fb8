/**
 * From the bottom up, merging the best pair of all each time, with a queue. RTCD §6.2.2.1.
 *
 * Each cluster keeps its best partner, and waits in a queue by the size of their common box. A merge takes two clusters
 * away and adds one that holds both, and so is no better a partner to anyone than the two were: sizes only grow. A
 * partner that is still there is therefore still the best, and one that is gone need be replaced only when its cluster
 * comes to the head of the queue.
 */
import { ClusterTree } from './cluster-tree.ts';
import { LINK, NODE } from './dynamic-nodes.ts';
import { type ExtentMeasure, sizeOf, unionSize } from './extent-measure.ts';
import { MergeList } from './merge-list.ts';
import { MinHeap } from './min-heap.ts';

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

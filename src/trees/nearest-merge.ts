/**
 * From the bottom up by nearest neighbours, several pairs a round. RTCD §6.2.2.2; the rounds are those of Meister and
 * Bittner, "Parallel Locally-Ordered Clustering" (2018), with exact neighbours in place of a window along a curve.
 */
import { ClusterTree, pointAt, writeCenter } from './cluster-tree.ts';
import { NearestList, searchNearest } from './dynamic-search.ts';
import { type ExtentMeasure, unionSize } from './extent-measure.ts';
import { MergeList } from './merge-list.ts';
import { MinHeap } from './min-heap.ts';

/**
 * Merges clusters with the best of their `k` nearest neighbours (by centers), up to `pairs` pairs a round; in a round
 * a cluster is merged once. The more pairs, the better balanced: a tree is no deeper than there were rounds. With all
 * pairs (Infinity) all clusters but one of an odd number are merged, and the depth is the least possible; with one, the
 * closest pair of all is next and the depth may be anything. Unless told otherwise a quarter of the clusters makes
 * pairs, which bounds the depth by 2.5 log2 n and a bit. O(n log n) for any number of pairs.
 *
 * @internal
 */
export function mergeNearest(
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

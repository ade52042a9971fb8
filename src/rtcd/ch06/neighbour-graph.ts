/**
 * Graphs that connect things with what is near them, as the ground for clusters. RTCD §6.2.2.2.
 *
 * For clusters of points and boxes. Production has no use for it.
 */

import { NearestList, searchNearest } from '../../broadphase/dynamic-search.ts';
import { ClusterTree, pointAt, writeCenter } from './cluster-tree.ts';

/**
 * Edges between the points 0 … `count` - 1, by their ends and what they cost.
 *
 * @internal
 */
export interface Graph {
  readonly count: number;
  readonly from: number[];
  readonly to: number[];
  readonly cost: number[];
}

/**
 * Connects the center of every box with its `k` nearest, and what is then still apart by a few edges more, so that all
 * is connected. `costOf` tells what an edge costs.
 *
 * @internal
 */
export function neighbourGraph(
  count: number,
  bounds: Float64Array,
  k: number,
  costOf: (i: number, j: number) => number,
): Graph {
  const centers = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) writeCenter(bounds, i, centers);
  const graph: Graph = { count, from: [], to: [], cost: [] };
  const connect = (i: number, j: number): void => {
    graph.from.push(i);
    graph.to.push(j);
    graph.cost.push(costOf(i, j));
  };
  const parts = new UnionFind(count);
  const tree = new ClusterTree(count, centers, count);
  const near = new NearestList();
  for (let i = 0; i < count; i++) {
    searchNearest(tree.nodes, pointAt(centers, i), k, i, near);
    for (let n = 0; n < near.count; n++) {
      connect(i, near.proxies[n]!);
      parts.unite(i, near.proxies[n]!);
    }
  }
  bridge(centers, parts, connect);
  return graph;
}

/**
 * Connects each part with the part whose center is nearest, until there is one. Their number halves at least each
 * time. An edge goes from the point that is nearest to the other part's center to the one that is nearest to its own.
 */
function bridge(centers: Float64Array, parts: UnionFind, connect: (i: number, j: number) => void): void {
  const near = new NearestList();
  while (parts.count > 1) {
    const { middles, partOf } = middlesOf(centers, parts);
    const hubs = closestTo(middles, centers, partOf, (part) => part);
    const tree = new ClusterTree(parts.count, middles, parts.count);
    const targets = new Int32Array(parts.count);
    for (let part = 0; part < targets.length; part++) {
      searchNearest(tree.nodes, pointAt(middles, part), 1, part, near);
      targets[part] = near.proxies[0]!;
    }
    const gates = closestTo(middles, centers, partOf, (part) => targets[part]!);
    for (let part = 0; part < targets.length; part++) {
      connect(gates[part]!, hubs[targets[part]!]!);
      parts.unite(gates[part]!, hubs[targets[part]!]!);
    }
  }
}

/** The centers of the boxes around the parts, numbered in the order of their first points, and each point's part. */
function middlesOf(centers: Float64Array, parts: UnionFind): { middles: Float64Array; partOf: Int32Array } {
  const points = centers.length / 6;
  const numberOf = new Int32Array(points).fill(-1);
  const partOf = new Int32Array(points);
  const bounds = new Float64Array(6 * parts.count);
  let known = 0;
  for (let i = 0; i < points; i++) {
    const root = parts.find(i);
    if (numberOf[root]! < 0) {
      numberOf[root] = known;
      for (let k = 0; k < 6; k++) bounds[6 * known + k] = centers[6 * i + k]!;
      known++;
    }
    const part = numberOf[root]!;
    partOf[i] = part;
    for (let k = 0; k < 3; k++) {
      bounds[6 * part + k] = Math.min(bounds[6 * part + k]!, centers[6 * i + k]!);
      bounds[6 * part + k + 3] = Math.max(bounds[6 * part + k + 3]!, centers[6 * i + k]!);
    }
  }
  const middles = new Float64Array(bounds.length);
  for (let part = 0; part < known; part++) writeCenter(bounds, part, middles);
  return { middles, partOf };
}

/** For each part its point that is nearest to the middle of the part that `goal` tells. */
function closestTo(
  middles: Float64Array,
  centers: Float64Array,
  partOf: Int32Array,
  goal: (part: number) => number,
): Int32Array {
  const closest = new Int32Array(middles.length / 6).fill(-1);
  const least = new Float64Array(closest.length).fill(Infinity);
  for (let i = 0; i < partOf.length; i++) {
    const part = partOf[i]!;
    const at = 6 * goal(part);
    const x = centers[6 * i]! - middles[at]!;
    const y = centers[6 * i + 1]! - middles[at + 1]!;
    const z = centers[6 * i + 2]! - middles[at + 2]!;
    const distanceSq = x * x + y * y + z * z;
    if (distanceSq < least[part]! || closest[part]! < 0) {
      least[part] = distanceSq;
      closest[part] = i;
    }
  }
  return closest;
}

/**
 * Disjoint sets of numbers. Tarjan's, with sizes.
 *
 * @internal
 */
export class UnionFind {
  /** How many sets there are. */
  count: number;
  private readonly parent: Int32Array;
  private readonly sizes: Int32Array;

  constructor(count: number) {
    this.count = count;
    this.parent = new Int32Array(count);
    this.sizes = new Int32Array(count).fill(1);
    for (let i = 0; i < count; i++) this.parent[i] = i;
  }

  /** The number that stands for the set of i. */
  find(i: number): number {
    const { parent } = this;
    let at = i;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  }

  /** How many are in the set of i. */
  sizeOf(i: number): number {
    return this.sizes[this.find(i)]!;
  }

  /** Makes one set of two. Were they two? */
  unite(i: number, j: number): boolean {
    const a = this.find(i);
    const b = this.find(j);
    if (a === b) return false;
    const large = this.sizes[a]! >= this.sizes[b]! ? a : b;
    const small = large === a ? b : a;
    this.parent[small] = large;
    this.sizes[large]! += this.sizes[small]!;
    this.count--;
    return true;
  }
}

/**
 * Minimum spanning trees, and hierarchies of the clusters that are left when long edges are cut. RTCD §6.2.2.2.
 *
 * For clusters that are long and thin. Production: `trees/sah.ts`.
 */
import { centersOf } from '../../trees/centers.ts';
import { MinHeap } from '../../trees/min-heap.ts';
import { type BuildNode, flattenTree, type Topology, type TreeItems } from '../../trees/tree.ts';
import { type Graph, neighbourGraph, UnionFind } from './neighbour-graph.ts';

/** The ways to find a minimum spanning tree. Both find one of the same cost. */
export type SpanningMethod = 'kruskal' | 'prim';

/**
 * The numbers of the edges of a minimum spanning tree of a connected graph, by rising cost. O(m log m).
 *
 * @internal
 */
export const spanningTree = (graph: Graph, method: SpanningMethod): Uint32Array =>
  method === 'prim' ? byCost(graph, prim(graph)) : kruskal(graph);

/** Takes the cheapest edge that connects two parts, again and again. */
function kruskal(graph: Graph): Uint32Array {
  const { count, from, to } = graph;
  const parts = new UnionFind(count);
  const edges = new Uint32Array(Math.max(0, count - 1));
  let found = 0;
  for (const edge of byCost(graph, Uint32Array.from(from.keys())))
    if (parts.unite(from[edge]!, to[edge]!)) edges[found++] = edge;
  return edges;
}

/** Grows one tree from the first point, always along the cheapest edge out of it. */
function prim({ count, from, to, cost }: Graph): Uint32Array {
  // The edges at each point, one list after the other.
  const start = new Uint32Array(count + 1);
  for (let e = 0; e < from.length; e++) {
    start[from[e]! + 1]!++;
    start[to[e]! + 1]!++;
  }
  for (let i = 0; i < count; i++) start[i + 1]! += start[i]!;
  const lists = new Uint32Array(2 * from.length);
  const fill = start.slice();
  for (let e = 0; e < from.length; e++) {
    lists[fill[from[e]!]!++] = e;
    lists[fill[to[e]!]!++] = e;
  }
  const edges = new Uint32Array(Math.max(0, count - 1));
  const reached = new Uint8Array(count);
  const queue = new MinHeap();
  const reach = (i: number): void => {
    reached[i] = 1;
    for (let n = start[i]!; n < start[i + 1]!; n++) queue.push(cost[lists[n]!]!, lists[n]!);
  };
  let found = 0;
  if (count > 0) reach(0);
  while (found < edges.length) {
    const edge = queue.pop();
    const next = reached[from[edge]!] ? to[edge]! : from[edge]!;
    if (reached[next]) continue;
    edges[found++] = edge;
    reach(next);
  }
  return edges;
}

/** Sorts edges by cost, then by number. */
const byCost = ({ cost }: Graph, edges: Uint32Array): Uint32Array =>
  edges.sort((e, f) => cost[e]! - cost[f]! || e - f);

/**
 * What connects the clusters of one round: `k` neighbours each.
 *
 * @internal
 */
export interface SpanningOptions {
  readonly k: number;
  readonly method: SpanningMethod;
  /** The most clusters that go into one. */
  readonly degree: number;
}

/** Edges longer than this times the average are cut: by far not half of all can be. */
const TOO_LONG = 2;

/**
 * In each round, clusters that are connected by the edges of a minimum spanning tree, but for the long ones, become one
 * node: up to `degree` of them, the nearest first. Left to itself this would make chains, where one cluster swallows
 * its neighbours one by one; as each cluster takes only so many a round, and those left over at a full one are put
 * together, the number of clusters falls by a constant factor a round, and the depth is O(log n).
 *
 * @internal
 */
export function spanningTopology(items: TreeItems, { k, method, degree }: SpanningOptions): Topology {
  let clusters: BuildNode[] = Array.from({ length: items.count }, (_, i) => ({ children: [], items: [i] }));
  let bounds: Float64Array = items.bounds.slice(0, 6 * items.count);
  while (clusters.length > 1) {
    const count = clusters.length;
    const centers = centersOf({ count, bounds, points: items.points });
    const graph = neighbourGraph(count, bounds, k, (i, j) => distance(centers, i, j));
    const parts = cutClusters(graph, spanningTree(graph, method), degree);
    const next = gather(clusters, bounds, parts);
    clusters = next.clusters;
    bounds = next.bounds;
  }
  return flattenTree(clusters[0]!);
}

function distance(centers: Float64Array, i: number, j: number): number {
  const x = centers[3 * i]! - centers[3 * j]!;
  const y = centers[3 * i + 1]! - centers[3 * j + 1]!;
  const z = centers[3 * i + 2]! - centers[3 * j + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** Puts together what the edges of the tree connect, by rising cost, without the long ones and up to `degree`. */
function cutClusters({ count, from, to, cost }: Graph, edges: Uint32Array, degree: number): UnionFind {
  let sum = 0;
  for (const edge of edges) sum += cost[edge]!;
  const limit = (TOO_LONG * sum) / edges.length;
  const parts = new UnionFind(count);
  /** At a part that is full: one that would have come to it, and waits for others in the same position. */
  const waiting = new Int32Array(count).fill(-1);
  for (const edge of edges) {
    if (cost[edge]! > limit) break;
    let one = parts.find(from[edge]!);
    let other = parts.find(to[edge]!);
    if (parts.sizeOf(one) < parts.sizeOf(other)) [one, other] = [other, one];
    if (parts.sizeOf(one) + parts.sizeOf(other) > degree) {
      const before = waiting[one]! < 0 ? -1 : parts.find(waiting[one]!);
      waiting[one] = other;
      if (before < 0 || before === other || parts.sizeOf(before) + parts.sizeOf(other) > degree) continue;
      one = before;
    }
    parts.unite(one, other);
  }
  return parts;
}

/** A node for each part of more than one cluster; the others stay as they are. */
function gather(
  clusters: readonly BuildNode[],
  bounds: Float64Array,
  parts: UnionFind,
): { clusters: BuildNode[]; bounds: Float64Array } {
  const groups = new Map<number, number[]>();
  for (let i = 0; i < clusters.length; i++) {
    const root = parts.find(i);
    const group = groups.get(root);
    if (group) group.push(i);
    else groups.set(root, [i]);
  }
  const around = new Float64Array(6 * groups.size);
  const next: BuildNode[] = [];
  for (const group of groups.values()) {
    const at = 6 * next.length;
    for (let k = 0; k < 3; k++) {
      around[at + k] = Infinity;
      around[at + k + 3] = -Infinity;
      for (const i of group) {
        around[at + k] = Math.min(around[at + k]!, bounds[6 * i + k]!);
        around[at + k + 3] = Math.max(around[at + k + 3]!, bounds[6 * i + k + 3]!);
      }
    }
    next.push(
      group.length === 1 ? clusters[group[0]!]! : { children: group.map((i) => clusters[i]!), items: [] },
    );
  }
  return { clusters: next, bounds: around };
}

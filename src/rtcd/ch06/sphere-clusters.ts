/**
 * Trees of spheres with as many children as belong together: Garcia, Sbert and Szirmay-Kalos, "Efficient hierarchical
 * bounding volumes through clustering" (1999). RTCD §6.2.2.3.
 *
 * For trees of spheres that follow the grouping of the items. Production: `trees/sah.ts`.
 */
import { centersOf } from '../../trees/centers.ts';
import { type BuildNode, flattenTree, type Topology, type TreeItems } from '../../trees/tree.ts';
import { neighbourGraph, UnionFind } from './neighbour-graph.ts';
import { spanningTree } from './spanning-tree.ts';

/** The part of the whole that is added to every distance and radius, so that none is zero. */
const LEAST = 1e-9;

/**
 * Spheres are connected with their `k` nearest; an edge costs r³ d² / (r_i r_j), where r is the radius of the sphere
 * around both and d their distance: large ones attract each other, but not if a very large one would come of it. The
 * edges of the minimum spanning tree are taken in order of their cost, each merging two clusters. Where the costs of
 * successive edges belong together (each less than the mean of those before plus two standard deviations), the clusters
 * of a merge become children of one node. A node with more than `degree` children gets them in groups.
 *
 * @internal
 */
export function sphereClusterTopology(items: TreeItems, k: number, degree: number): Topology {
  const { count, bounds } = items;
  const graph = neighbourGraph(count, bounds, k, groupingCost(items));
  const edges = spanningTree(graph, 'kruskal');
  const families = familiesOf(Float64Array.from(edges, (edge) => graph.cost[edge]!));
  // What is below each cluster's node, and the family of the merge that made it; items have none.
  const parts = new UnionFind(count);
  const below: BuildNode[][] = Array.from({ length: count }, (_, i) => [{ children: [], items: [i] }]);
  const family = new Int32Array(count).fill(-1);
  for (let n = 0; n < edges.length; n++) {
    const one = parts.find(graph.from[edges[n]!]!);
    const other = parts.find(graph.to[edges[n]!]!);
    const mine = families[n]!;
    const groups = [one, other].map((part) =>
      family[part] === mine ? below[part]! : [nodeOf(below[part]!, degree)],
    );
    // Appending the shorter list to the longer keeps the whole at O(n log n).
    const [longer, shorter] = groups[0]!.length >= groups[1]!.length ? groups : [groups[1]!, groups[0]!];
    for (const node of shorter!) longer!.push(node);
    parts.unite(one, other);
    const whole = parts.find(one);
    below[whole] = longer!;
    family[whole] = mine;
  }
  return flattenTree(nodeOf(below[parts.find(0)]!, degree));
}

/** One node for a list: that node itself, or a parent of all, with groups between where they are too many. */
function nodeOf(list: readonly BuildNode[], degree: number): BuildNode {
  let level = list;
  while (level.length > degree) {
    const groups = Math.ceil(level.length / degree);
    const next: BuildNode[] = [];
    for (let g = 0; g < groups; g++) {
      const begin = Math.floor((g * level.length) / groups);
      const end = Math.floor(((g + 1) * level.length) / groups);
      next.push(end - begin === 1 ? level[begin]! : { children: level.slice(begin, end), items: [] });
    }
    level = next;
  }
  return level.length === 1 ? level[0]! : { children: level, items: [] };
}

/**
 * What it costs to group two items. Lengths are in parts of the whole and have a little added, so that nothing
 * overflows, concentric spheres are told apart by their radii and points by their distances.
 *
 * @internal
 */
export function groupingCost(items: TreeItems): (i: number, j: number) => number {
  const { count } = items;
  const centers = centersOf(items);
  const radii = radiiOf(items, centers);
  let whole = 0;
  for (let i = 0; i < count; i++) {
    whole = Math.max(whole, radii[i]!);
    for (let k = 0; k < 3; k++) whole = Math.max(whole, Math.abs(centers[3 * i + k]! - centers[k]!));
  }
  const unit = whole > 0 ? 1 / whole : 1;
  return (i, j) => {
    const x = centers[3 * i]! - centers[3 * j]!;
    const y = centers[3 * i + 1]! - centers[3 * j + 1]!;
    const z = centers[3 * i + 2]! - centers[3 * j + 2]!;
    const gap = unit * Math.sqrt(x * x + y * y + z * z);
    const ri = unit * radii[i]!;
    const rj = unit * radii[j]!;
    const around = Math.max(ri, rj, 0.5 * (gap + ri + rj)) + LEAST;
    const d = gap + LEAST;
    return (around * around * around * d * d) / ((ri + LEAST) * (rj + LEAST));
  };
}

/** How far the points of each item reach from the center of its box. */
function radiiOf({ count, points }: TreeItems, centers: Float64Array): Float64Array {
  const radii = new Float64Array(count);
  const corners: number[] = [];
  for (let i = 0; i < count; i++) {
    corners.length = 0;
    points(i, corners);
    let farthest = 0;
    for (let c = 0; c < corners.length; c += 3) {
      const x = corners[c]! - centers[3 * i]!;
      const y = corners[c + 1]! - centers[3 * i + 1]!;
      const z = corners[c + 2]! - centers[3 * i + 2]!;
      farthest = Math.max(farthest, x * x + y * y + z * z);
    }
    radii[i] = Math.sqrt(farthest);
  }
  return radii;
}

/**
 * The number of the family of each of the rising costs. A family begins with two; the next belongs to it while it is
 * less than the mean plus two standard deviations, or equal to the last: equals are not told apart.
 *
 * @internal
 */
export function familiesOf(costs: Float64Array): Int32Array {
  const families = new Int32Array(costs.length);
  let family = -1;
  let size = 0;
  let mean = 0;
  let squares = 0; // of the distances from the mean; Welford's, which does not cancel
  for (let n = 0; n < costs.length; n++) {
    const cost = costs[n]!;
    const belongs =
      n > 0 && (size === 1 || cost < mean + 2 * Math.sqrt(squares / (size - 1)) || cost === costs[n - 1]!);
    if (!belongs) {
      family++;
      size = 0;
      mean = 0;
      squares = 0;
    }
    size++;
    const off = cost - mean;
    mean += off / size;
    squares += off * (cost - mean);
    families[n] = family;
  }
  return families;
}

/**
 * Trees by insertion: one item after the other is put where the tree grows least for it. RTCD §6.2.3.
 *
 * For items that come one by one. Production inserts into `broadphase/dynamic-tree.ts`, by the same cost and with
 * rotations.
 */

import type { InsertionSearch } from '../../broadphase/dynamic-insertion.ts';
import { LINK, NODE } from '../../broadphase/dynamic-nodes.ts';
import { describe, refuse } from '../../math/check.ts';
import { MinHeap } from '../../trees/min-heap.ts';
import { shuffledIndices } from '../../trees/shuffle.ts';
import { type BuildNode, flattenTree, type Topology, type TreeItems } from '../../trees/tree.ts';
import { binaryTopology, ClusterTree, MergeList } from './cluster-tree.ts';
import { type ExtentMeasure, measureFor, sizeOf, unionSize } from './extent-measure.ts';
/**
 * What a place costs.
 *
 * - `growth`: the area of the new node and the growth of all above it. Two children a node.
 * - `goldsmith-salmon`: what a random ray would cost more; several children a node.
 */
export type InsertionRule = 'growth' | 'goldsmith-salmon';

export interface InsertionOptions {
  /** Default: 'growth'. */
  readonly rule?: InsertionRule;
  /** One path down, or the best of all nodes, which takes longer. Default: 'path'. */
  readonly search?: InsertionSearch;
  /** Decides the order in which items come: any integer. In their own order, sorted items would make a bad tree. */
  readonly seed?: number;
  /** The most children of a node, for `goldsmith-salmon`. Default: 8. At least 2. */
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

/**
 * Trees with any number of children, one item after the other, each where it costs a random ray the least: Goldsmith
 * and Salmon, "Automatic Creation of Object Hierarchies for Ray Tracing" (1987), with Haines' correction, "A Proposal
 * for Standard Graphics Environments" and Ray Tracing News 1 (1988). RTCD §6.2.3.1.
 *
 * A node of k children costs k times its area, since a ray that hits it must be tested against each of them. (In parts
 * of the root's area; the factor changes no comparison.) An item D that comes to node N, of area A, A' with D, costs
 *
 *   - as partner of N under a new node:  2 A'
 *   - as one more child of N:            k (A' - A) + A'
 *
 * and k (A' - A) for each of the ancestors of N, which grow without getting another child. The original method looks
 * at growth alone to choose where to go down, and so puts a small thing into a large node that need not grow for it,
 * where every second ray meets it; Haines compares what the item would cost there.
 */

/** @internal */
export class GoldsmithSalmonTree {
  /** The sum over all inner nodes of the number of children times the area, kept up to date as items come. */
  cost = 0;
  root = -1;
  /** Nodes 0 … n - 1 are the items; inner ones come after. Six numbers a box. */
  readonly bounds: Float64Array;
  readonly parent: Int32Array;
  /** The children: the first of each node, and for each child the next. -1 for none. */
  readonly firstChild: Int32Array;
  readonly nextChild: Int32Array;
  readonly childCount: Int32Array;
  private readonly sizes: Int32Array; // items at or below
  private nodes: number;
  private readonly front = new MinHeap();
  private readonly measure: ExtentMeasure;
  private readonly degree: number;
  // Where the item at hand is best, and how.
  private place = -1;
  private asChild = false;
  private least = Infinity;

  /** `degree` is the most children of a node: without a limit, items in one place would all be children of one. */
  constructor(count: number, bounds: Float64Array, measure: ExtentMeasure, degree: number) {
    const most = Math.max(1, 2 * count - 1);
    this.bounds = new Float64Array(6 * most);
    this.bounds.set(bounds.subarray(0, 6 * count));
    this.parent = new Int32Array(most).fill(-1);
    this.firstChild = new Int32Array(most).fill(-1);
    this.nextChild = new Int32Array(most).fill(-1);
    this.childCount = new Int32Array(most);
    this.sizes = new Int32Array(most).fill(1, 0, count);
    this.nodes = count;
    this.measure = measure;
    this.degree = degree;
  }

  insert(item: number, search: InsertionSearch): void {
    if (this.root < 0) {
      this.root = item;
      return;
    }
    this.place = -1;
    this.least = Infinity;
    this.searchPath(item);
    if (search === 'best') this.searchAll(item);
    this.cost += this.least;
    if (this.asChild) this.addChild(this.place, item);
    else this.pair(this.place, item);
  }

  /** Down from the root, always to the child at which the item would cost least. Of equal places the deepest. */
  private searchPath(item: number): void {
    let node = this.root;
    let above = 0; // growth of the ancestors
    while (node >= 0) {
      this.consider(node, item, above, true);
      const union = unionSize(this.measure, this.bounds, node, item);
      above += this.childCount[node]! * (union - this.area(node));
      node = this.bestChild(node, item);
    }
  }

  /** Notes the place if it is cheaper than the one found so far, or as cheap where the `last` of equals is wanted. */
  private consider(node: number, item: number, above: number, last: boolean): void {
    const union = unionSize(this.measure, this.bounds, node, item);
    const children = this.childCount[node]!;
    const paired = above + 2 * union;
    if (paired < this.least || (last && paired === this.least)) this.note(node, false, paired);
    if (children === 0 || children >= this.degree) return;
    const added = above + (children * (union - this.area(node)) + union);
    if (added < this.least || (last && added === this.least)) this.note(node, true, added);
  }

  private note(node: number, asChild: boolean, cost: number): void {
    this.place = node;
    this.asChild = asChild;
    this.least = cost;
  }

  /** The child at which the item costs least; of equals the nearest, then the one with the fewest items. */
  private bestChild(node: number, item: number): number {
    let best = -1;
    let least = Infinity;
    let nearest = Infinity;
    for (let child = this.firstChild[node]!; child >= 0; child = this.nextChild[child]!) {
      const union = unionSize(this.measure, this.bounds, child, item);
      const children = this.childCount[child]!;
      const added = children * (union - this.area(child)) + union;
      const cost = children > 0 && children < this.degree ? Math.min(added, 2 * union) : 2 * union;
      if (cost > least) continue;
      const distance = this.distanceSq(child, item);
      if (cost === least) {
        if (distance > nearest) continue;
        if (distance === nearest && this.sizes[child]! >= this.sizes[best]!) continue;
      }
      best = child;
      least = cost;
      nearest = distance;
    }
    return best;
  }

  /** All places that may be cheaper than the one found, best first. Below a node none costs less than the item alone. */
  private searchAll(item: number): void {
    const { front } = this;
    const own = this.area(item);
    front.clear();
    this.spread(this.root, item, 0);
    while (front.size > 0) {
      const above = front.topKey();
      if (above + own >= this.least) break;
      const node = front.pop();
      for (let child = this.firstChild[node]!; child >= 0; child = this.nextChild[child]!) {
        this.consider(child, item, above, false);
        this.spread(child, item, above);
      }
    }
  }

  private spread(node: number, item: number, above: number): void {
    const union = unionSize(this.measure, this.bounds, node, item);
    const growth = above + this.childCount[node]! * (union - this.area(node));
    if (this.childCount[node]! > 0) this.front.push(growth, node);
  }

  private addChild(node: number, item: number): void {
    this.link(node, item);
    this.enclose(node, item);
  }

  private pair(node: number, item: number): void {
    const above = this.parent[node]!;
    const fresh = this.nodes++;
    this.bounds.copyWithin(6 * fresh, 6 * node, 6 * node + 6);
    this.sizes[fresh] = this.sizes[node]!;
    if (above < 0) this.root = fresh;
    else this.replaceChild(above, node, fresh);
    this.parent[fresh] = above;
    this.link(fresh, node);
    this.link(fresh, item);
    this.enclose(fresh, item);
  }

  private link(node: number, child: number): void {
    this.parent[child] = node;
    this.nextChild[child] = this.firstChild[node]!;
    this.firstChild[node] = child;
    this.childCount[node]!++;
  }

  private replaceChild(node: number, old: number, fresh: number): void {
    this.nextChild[fresh] = this.nextChild[old]!;
    if (this.firstChild[node] === old) {
      this.firstChild[node] = fresh;
      return;
    }
    let before = this.firstChild[node]!;
    while (this.nextChild[before] !== old) before = this.nextChild[before]!;
    this.nextChild[before] = fresh;
  }

  /** Makes a node and all above it hold the item. */
  private enclose(from: number, item: number): void {
    const { bounds } = this;
    for (let node = from; node >= 0; node = this.parent[node]!) {
      this.sizes[node]!++;
      for (let k = 0; k < 3; k++) {
        bounds[6 * node + k] = Math.min(bounds[6 * node + k]!, bounds[6 * item + k]!);
        bounds[6 * node + k + 3] = Math.max(bounds[6 * node + k + 3]!, bounds[6 * item + k + 3]!);
      }
    }
  }

  private area(node: number): number {
    const { bounds } = this;
    const p = 6 * node;
    return sizeOf(
      this.measure,
      bounds[p + 3]! - bounds[p]!,
      bounds[p + 4]! - bounds[p + 1]!,
      bounds[p + 5]! - bounds[p + 2]!,
    );
  }

  /** Of the centers, times four. */
  private distanceSq(node: number, item: number): number {
    const { bounds } = this;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const p = bounds[6 * node + k]! + bounds[6 * node + k + 3]!;
      const off = p - (bounds[6 * item + k]! + bounds[6 * item + k + 3]!);
      sum += off * off;
    }
    return sum;
  }

  /** The tree as it is built of records. At least one item must have come. */
  toBuildNode(): BuildNode {
    const made: BuildNode[] = [];
    const children: BuildNode[][] = [];
    // Parents before children in `order`; so from its back, children are ready before their parents.
    const order = [this.root];
    for (const node of order)
      for (let child = this.firstChild[node]!; child >= 0; child = this.nextChild[child]!) order.push(child);
    for (const node of order.reverse()) {
      const inner = this.childCount[node]! > 0;
      made[node] = inner ? { children: children[node]!, items: [] } : { children: [], items: [node] };
      const above = this.parent[node]!;
      if (above < 0) continue;
      const list = children[above];
      if (list) list.push(made[node]!);
      else children[above] = [made[node]!];
    }
    return made[this.root]!;
  }
}

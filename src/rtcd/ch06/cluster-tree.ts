/**
 * The clusters that a builder still has to merge, in a dynamic tree: who is near whom?
 *
 * Of use to bottom-up builders only. Production keeps moving boxes in `broadphase/dynamic-tree.ts`.
 */

import { attachLeaf, detachLeaf, type InsertionSearch } from '../../broadphase/dynamic-insertion.ts';
import { DynamicNodes } from '../../broadphase/dynamic-nodes.ts';
import { rebuildNodes } from '../../broadphase/dynamic-rebuild.ts';
import { roundDownF32, roundUpF32 } from '../../math/float.ts';
import { type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { Topology } from '../../trees/tree.ts';

const leaf = new Float32Array(6);

/**
 * Keeps boxes by numbers of one's own choice, which are the proxies: 0 … count - 1 at first.
 *
 * @internal
 */
export class ClusterTree {
  readonly nodes: DynamicNodes;

  /** Six numbers a box; `most` is the number of boxes that there will ever be. */
  constructor(count: number, bounds: Float64Array, most: number) {
    this.nodes = new DynamicNodes(Math.max(1, most));
    for (let i = 0; i < most; i++) this.nodes.takeProxy();
    const proxies = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      proxies[i] = i;
      this.write(i, bounds);
    }
    this.nodes.slots.fill(-1);
    rebuildNodes(this.nodes, proxies, (i) => this.rounded(i));
  }

  /** Adds number `i` with its box in the list. */
  add(i: number, bounds: Float64Array, search: InsertionSearch = 'path'): void {
    this.write(i, bounds);
    attachLeaf(this.nodes, i, this.rounded(i), search);
  }

  remove(i: number): void {
    detachLeaf(this.nodes, i);
    this.nodes.slots[i] = -1;
  }

  private write(i: number, bounds: Float64Array): void {
    for (let k = 0; k < 6; k++) this.nodes.boxes[6 * i + k] = bounds[6 * i + k]!;
  }

  private rounded(i: number): Float32Array {
    const { boxes } = this.nodes;
    for (let k = 0; k < 3; k++) {
      leaf[k] = roundDownF32(boxes[6 * i + k]!);
      leaf[k + 3] = roundUpF32(boxes[6 * i + k + 3]!);
    }
    return leaf;
  }
}

/**
 * Writes the center of box `i` of one list, as a box without extent, to the same place of another.
 *
 * @internal
 */
export function writeCenter(bounds: Float64Array, i: number, centers: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const center = 0.5 * bounds[6 * i + k]! + 0.5 * bounds[6 * i + k + 3]!;
    centers[6 * i + k] = center;
    centers[6 * i + k + 3] = center;
  }
}

/**
 * The point that `writeCenter` wrote.
 *
 * @internal
 */
export const pointAt = (centers: Float64Array, i: number): ReadonlyVec3 =>
  v3.set(centers[6 * i]!, centers[6 * i + 1]!, centers[6 * i + 2]!, point);

const point = vec3();

/** Binary hierarchies as they come out of builders: a list of merges, or a left and a right child for each node. */

/**
 * What has been merged so far. Clusters 0 … n - 1 are the items, cluster n + k is the k-th merge. Boxes are in one
 * list, six numbers a cluster.
 *
 * @internal
 */
export class MergeList {
  /** The clusters there are: items and merges. */
  count: number;
  readonly bounds: Float64Array;
  /** For an item ~item, otherwise the two clusters. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly alive: Uint8Array;

  constructor(items: number, bounds: Float64Array) {
    const most = Math.max(1, 2 * items - 1);
    this.count = items;
    this.bounds = new Float64Array(6 * most);
    this.bounds.set(bounds.subarray(0, 6 * items));
    this.left = new Int32Array(most);
    this.right = new Int32Array(most);
    this.alive = new Uint8Array(most).fill(1, 0, items);
    for (let i = 0; i < items; i++) this.left[i] = ~i;
  }

  /** Puts two clusters under a new one and returns that. */
  merge(i: number, j: number): number {
    const { bounds } = this;
    const k = this.count++;
    this.left[k] = Math.min(i, j);
    this.right[k] = Math.max(i, j);
    for (let axis = 0; axis < 3; axis++) {
      bounds[6 * k + axis] = Math.min(bounds[6 * i + axis]!, bounds[6 * j + axis]!);
      bounds[6 * k + axis + 3] = Math.max(bounds[6 * i + axis + 3]!, bounds[6 * j + axis + 3]!);
    }
    this.alive[i] = 0;
    this.alive[j] = 0;
    this.alive[k] = 1;
    return k;
  }

  /** When all is merged. */
  topology(): Topology {
    const { count } = this;
    return binaryTopology((count + 1) >> 1, count - 1, this.left, this.right);
  }
}

/**
 * The flat form of a binary hierarchy of `items` leaves: `left` and `right` tell the children of a node, or `left` is
 * ~item. Without items there are no nodes. No recursion.
 *
 * @internal
 */
export function binaryTopology(items: number, root: number, left: Int32Array, right: Int32Array): Topology {
  const nodes = Math.max(0, 2 * items - 1);
  const skip = new Uint32Array(nodes);
  const first = new Uint32Array(nodes + 1);
  const order = new Uint32Array(items);
  if (items === 0) return { skip, first, items: order };
  let node = 0;
  let item = 0;
  // A node goes onto the stack twice: to be opened (its number), and to be closed (~ its place in preorder). There are
  // at most as many open nodes as inner ones, and as many waiting as leaves.
  const stack = new Int32Array(nodes + 1);
  stack[0] = root;
  let top = 1;
  while (top > 0) {
    const at = stack[--top]!;
    if (at < 0) {
      skip[~at] = node;
      continue;
    }
    first[node] = item;
    const child = left[at]!;
    if (child < 0) {
      order[item++] = ~child;
      skip[node++] = node;
    } else {
      stack[top++] = ~node++;
      stack[top++] = right[at]!;
      stack[top++] = child;
    }
  }
  first[nodes] = items;
  return { skip, first, items: order };
}

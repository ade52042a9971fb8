/**
 * Where a leaf goes in a dynamic tree, how it gets there and how it leaves. RTCD §6.2.3; the search after Omohundro,
 * "Five Balltree Construction Algorithms" (1989), and Bittner, Hapala and Havran, "Incremental BVH Construction for Ray
 * Tracing" (2015).
 *
 * A leaf D that becomes the sibling of node S costs the area of their new parent, and the growth of all nodes above:
 *
 *   cost(S) = area(S ∪ D) + sum over the ancestors A of S of area(A ∪ D) - area(A).
 *
 * Nothing below S costs less than area(D) and the growth of S and of all above it, which is what prunes the search.
 */
import { MinHeap } from '../trees/min-heap.ts';
import { type DynamicNodes, HEIGHT, LINK, NODE, nodeArea, unionArea } from './dynamic-nodes.ts';
import { isHigh, limitHeight, maxHeight } from './dynamic-rebuild.ts';

/** How the sibling of a new leaf is found: down one path, or the best of all nodes. */
export type InsertionSearch = 'path' | 'best';

/**
 * Puts a proxy into the tree, as a leaf with the box `leaf`.
 *
 * @internal
 */
export function attachLeaf(
  nodes: DynamicNodes,
  proxy: number,
  leaf: Float32Array,
  search: InsertionSearch,
): void {
  if (nodes.count++ === 0) {
    nodes.writeLeaf(0, proxy, leaf);
    return;
  }
  const low = nodes.height >= maxHeight(nodes) ? bestSibling(nodes, leaf, 'path', nodes.height) : -1;
  const sibling = low >= 0 ? low : bestSibling(nodes, leaf, search);
  const pair = nodes.takePair();
  nodes.copyNode(sibling, pair);
  nodes.writeLeaf(pair + 1, proxy, leaf);
  nodes.linkChildren(sibling, pair);
  nodes.refit(sibling);
  refitUpward(nodes, sibling);
  limitHeight(nodes);
}

/**
 * Takes a proxy's leaf out of the tree; its sibling takes the place of their parent.
 *
 * @internal
 */
export function detachLeaf(nodes: DynamicNodes, proxy: number): void {
  if (--nodes.count === 0) return;
  const leaf = nodes.slots[proxy]!;
  const parent = nodes.up[leaf >> 1]!;
  nodes.copyNode(leaf ^ 1, parent);
  nodes.dropPair(leaf);
  refitUpward(nodes, parent);
  limitHeight(nodes);
}

/** Fits and improves everything above a node that has changed, as far as it makes a difference. */
function refitUpward(nodes: DynamicNodes, from: number): void {
  const mayRise = !isHigh(nodes);
  let node = from;
  while (node !== 0) {
    node = nodes.up[node >> 1]!;
    const changed = nodes.refit(node);
    if (!rotate(nodes, node, mayRise) && !changed) return;
  }
}

/**
 * Exchanges a child of a node with a child of the other child where that makes for less area, or for the same area and
 * a lower tree; if it may not rise, only where it does not. Kopta et al., "Fast, Effective BVH Updates for Animated
 * Scenes" (2012).
 */
function rotate(nodes: DynamicNodes, node: number, mayRise: boolean): boolean {
  const { bounds, links } = nodes;
  const left = links[NODE * node + LINK]!;
  let least = 0;
  const now = links[NODE * node + HEIGHT]!;
  let lowest = now;
  let child = -1;
  let grandchild = -1;
  for (let one = left; one < left + 2; one++) {
    const first = links[NODE * (one ^ 1) + LINK]!;
    if (first < 0) continue;
    const area = nodeArea(bounds, one ^ 1);
    for (let low = first; low < first + 2; low++) {
      // `low` comes up in the place of `one`, which goes to the sibling of `low`.
      const gain = unionArea(bounds, low ^ 1, bounds, NODE * one) - area;
      if (gain > least) continue;
      const inner = Math.max(links[NODE * one + HEIGHT]!, links[NODE * (low ^ 1) + HEIGHT]!);
      const height = 1 + Math.max(links[NODE * low + HEIGHT]!, 1 + inner);
      if ((gain === least && height >= lowest) || (height > now && !mayRise)) continue;
      least = gain;
      lowest = height;
      child = one;
      grandchild = low;
    }
  }
  if (child < 0) return false;
  nodes.swapNodes(child, grandchild);
  nodes.refit(child ^ 1);
  nodes.refit(node);
  return true;
}

const areas = new Float64Array(2);
const unions = new Float64Array(2);

/**
 * The node that is the cheapest sibling for a leaf; with 'path' the cheapest on one descent, of those that do not make the
 * tree higher than `highest`, or -1. (Boxes that each hold all before them would make a chain of a tree again and again.)
 *
 * @internal
 */
export function bestSibling(
  nodes: DynamicNodes,
  leaf: Float32Array,
  search: InsertionSearch,
  highest = Infinity,
): number {
  const { bounds, links } = nodes;
  // Down to the child that grows less. Of equals take the nearer, then the lower: equal boxes fill the tree evenly.
  let node = 0;
  let above = 0; // growth of the ancestors
  let area = nodeArea(bounds, 0);
  let union = unionArea(bounds, 0, leaf, 0);
  let best = -1;
  let least = Infinity;
  for (let depth = 0; ; depth++) {
    const cost = above + union;
    if (cost <= least && depth + links[NODE * node + HEIGHT]! < highest) {
      least = cost;
      best = node;
    }
    const left = links[NODE * node + LINK]!;
    above += union - area;
    if (left < 0 || above > least) break;
    // One call site, so that it is inlined and its numbers are not boxed.
    for (let side = 0; side < 2; side++) {
      areas[side] = nodeArea(bounds, left + side);
      unions[side] = unionArea(bounds, left + side, leaf, 0);
    }
    const more = unions[0]! - areas[0]! - (unions[1]! - areas[1]!);
    const side = more < 0 || (more === 0 && goesLeft(nodes, left, leaf)) ? 0 : 1;
    node = left + side;
    area = areas[side]!;
    union = unions[side]!;
  }
  return search === 'best' ? bestOfAll(nodes, leaf, best, least) : best;
}

const front = new MinHeap();

/** The cheapest sibling of all, or `best`, whose cost is `least`, if none is cheaper. Best first. */
function bestOfAll(nodes: DynamicNodes, leaf: Float32Array, best: number, least: number): number {
  const { bounds, links } = nodes;
  const x = leaf[3]! - leaf[0]!;
  const y = leaf[4]! - leaf[1]!;
  const z = leaf[5]! - leaf[2]!;
  const own = x * y + y * z + z * x;
  front.clear();
  front.push(unionArea(bounds, 0, leaf, 0) - nodeArea(bounds, 0), 0);
  let found = best;
  let cheapest = least;
  while (front.size > 0) {
    const above = front.topKey();
    if (above + own >= cheapest) break;
    const left = links[NODE * front.pop() + LINK]!;
    if (left < 0) continue;
    for (let child = left; child < left + 2; child++) {
      const union = unionArea(bounds, child, leaf, 0);
      if (above + union < cheapest) {
        cheapest = above + union;
        found = child;
      }
      const growth = above + (union - nodeArea(bounds, child));
      if (growth + own < cheapest) front.push(growth, child);
    }
  }
  return found;
}

/** Of two siblings that grow alike: is the left one nearer, by centers, or as near and no higher? */
function goesLeft({ bounds, links }: DynamicNodes, left: number, leaf: Float32Array): boolean {
  const p = NODE * left;
  let difference = 0;
  for (let k = 0; k < 3; k++) {
    const center = leaf[k]! + leaf[k + 3]!;
    const l = bounds[p + k]! + bounds[p + k + 3]! - center;
    const r = bounds[p + NODE + k]! + bounds[p + NODE + k + 3]! - center;
    difference += l * l - r * r;
  }
  return difference < 0 || (difference === 0 && links[p + HEIGHT]! <= links[p + NODE + HEIGHT]!);
}

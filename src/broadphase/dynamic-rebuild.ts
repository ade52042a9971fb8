/** A dynamic tree, or a part of it, rebuilt from the top down; and how high a tree may be. */
import { boundCenters, centersOf, longestAxis } from '../trees/centers.ts';
import { identityOrder, topologyByCuts } from '../trees/ranges.ts';
import { sahTopology } from '../trees/sah.ts';
import { halve } from '../trees/select.ts';
import type { Topology, TreeItems } from '../trees/tree.ts';
import { type DynamicNodes, HEIGHT, LINK, NODE } from './dynamic-nodes.ts';

/**
 * Builds the tree over its leaves, in the order of their proxies, and over `added` proxies, whose fat boxes `fatBox` returns.
 *
 * @internal
 */
export function rebuildNodes(
  nodes: DynamicNodes,
  added: Uint32Array = new Uint32Array(0),
  fatBox?: (i: number) => Float32Array,
): void {
  const isNew = new Uint8Array(nodes.proxies);
  for (const proxy of added) isNew[proxy] = 1;
  const proxies: number[] = [];
  for (let proxy = 0; proxy < nodes.proxies; proxy++)
    if (!isNew[proxy] && nodes.slots[proxy]! >= 0) proxies.push(proxy);
  const old = proxies.length;
  for (const proxy of added) proxies.push(proxy);
  const items = leafItems(nodes, proxies, old);
  for (let i = 0; i < added.length; i++) items.bounds.set(fatBox!(i), 6 * (old + i));
  nodes.count = proxies.length;
  nodes.clearPairs();
  writeNodes(nodes, 0, proxies, items, sahTopology(items, { leafSize: 1, longestOnly: true }));
  limitHeight(nodes);
}

/**
 * Where boxes lie within each other like Russian dolls, the tree with the least area is a chain. If the tree has become
 * higher than 4 log2 n, this halves what is below the lowest nodes that are higher than 3 log2 of their leaves, until
 * it is not. Galperin and Rivest, "Scapegoat trees" (1993).
 *
 * @internal
 */
export function limitHeight(nodes: DynamicNodes): void {
  while (nodes.count > 1 && nodes.height > maxHeight(nodes)) {
    // Up from the deepest leaf, counting.
    let node = 0;
    while (nodes.links[NODE * node + LINK]! >= 0) node = higherChild(nodes.links, node);
    let leaves = 1;
    while (node !== 0 && nodes.links[NODE * node + HEIGHT]! <= 3 * log2(leaves)) {
      leaves += leavesBelow(nodes, node ^ 1).length;
      node = nodes.up[node >> 1]!;
    }
    halveNodes(nodes, node);
    while (node !== 0) {
      node = nodes.up[node >> 1]!;
      if (!nodes.refit(node)) break;
    }
  }
}

/**
 * No tree is higher.
 *
 * @internal
 */
export const maxHeight = (nodes: DynamicNodes): number => 4 * log2(nodes.count);

/**
 * Is the tree so high that it should not become higher without need?
 *
 * @internal
 */
export const isHigh = (nodes: DynamicNodes): boolean => nodes.height > 3 * log2(nodes.count);

/** Rounded down. */
const log2 = (n: number): number => 31 - Math.clz32(n);

function higherChild(links: Int32Array, node: number): number {
  const left = links[NODE * node + LINK]!;
  return links[NODE * left + HEIGHT]! >= links[NODE * left + NODE + HEIGHT]! ? left : left + 1;
}

/** The proxies at or below a node. With `drop`, the pairs of nodes below it are freed. */
function leavesBelow(nodes: DynamicNodes, from: number, drop = false): number[] {
  const proxies: number[] = [];
  const stack = [from];
  while (stack.length > 0) {
    const link = nodes.links[NODE * stack.pop()! + LINK]!;
    if (link < 0) proxies.push(~link);
    else {
      stack.push(link + 1, link);
      if (drop) nodes.dropPair(link);
    }
  }
  return proxies;
}

/** Rebuilds a subtree with the least height: by halves, along the longest axis of the centers. */
function halveNodes(nodes: DynamicNodes, root: number): void {
  const proxies = leavesBelow(nodes, root, true);
  const items = leafItems(nodes, proxies, proxies.length);
  const centers = centersOf(items);
  const keys = new Float64Array(items.count);
  const order = identityOrder(items.count);
  const topology = topologyByCuts(order, (begin, end) => {
    const axis = longestAxis(boundCenters(centers, order, begin, end));
    for (let i = begin; i < end; i++) keys[order[i]!] = centers[3 * order[i]! + axis]!;
    return halve(order, keys, begin, end);
  });
  writeNodes(nodes, root, proxies, items, topology);
}

/** The boxes that the leaves of proxies have now; of those from `known` on nothing is known. */
function leafItems(nodes: DynamicNodes, proxies: readonly number[], known: number): TreeItems {
  const bounds = new Float64Array(6 * proxies.length);
  for (let i = 0; i < known; i++) {
    const p = NODE * nodes.slots[proxies[i]!]!;
    for (let k = 0; k < 6; k++) bounds[6 * i + k] = nodes.bounds[p + k]!;
  }
  return { count: proxies.length, bounds, points: () => {} };
}

const leaf = new Float32Array(6);

/** Writes the nodes of a topology, from `root` on, in the order in which a search visits them. */
function writeNodes(
  nodes: DynamicNodes,
  root: number,
  proxies: readonly number[],
  { bounds }: TreeItems,
  { skip, first, items }: Topology,
): void {
  const slots = new Int32Array(skip.length).fill(root, 0, 1);
  for (let i = 0; i < skip.length; i++) {
    if (skip[i] === i + 1) {
      const item = items[first[i]!]!;
      for (let k = 0; k < 6; k++) leaf[k] = bounds[6 * item + k]!;
      nodes.writeLeaf(slots[i]!, proxies[item]!, leaf);
      continue;
    }
    const pair = nodes.takePair();
    nodes.linkChildren(slots[i]!, pair);
    slots[i + 1] = pair;
    slots[skip[i + 1]!] = pair + 1;
  }
  for (let i = skip.length - 1; i >= 0; i--) if (skip[i] !== i + 1) nodes.refit(slots[i]!);
}

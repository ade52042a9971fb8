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
import { boundCenters, centersOf, longestAxis } from '../trees/centers.ts';
import { MinHeap } from '../trees/min-heap.ts';
import { identityOrder, topologyByCuts } from '../trees/ranges.ts';
import { sahTopology } from '../trees/sah.ts';
import { halve } from '../trees/select.ts';
import type { Topology, TreeItems } from '../trees/tree.ts';
import { type DynamicNodes, HEIGHT, LINK, NODE, nodeArea, unionArea } from './dynamic-nodes.ts';
/** How the place for a new leaf is found: down one path, or the best of all places. */
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
  mend(nodes, sibling);
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
  mend(nodes, parent);
  limitHeight(nodes);
}

/** Fits and improves everything above a node that has changed, as far as it makes a difference. */
function mend(nodes: DynamicNodes, from: number): void {
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
 * The node that is the cheapest sibling for a leaf; with 'path' the cheapest on one way down, of those that do not make the
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

/** Parts of a dynamic tree made anew from the top down. */

/**
 * Builds the tree over its leaves, in the order of their proxies, and over `added` proxies, whose boxes `fatBox` tells.
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
  placeNodes(nodes, 0, proxies, items, sahTopology(items, { leafSize: 1, longestOnly: true }));
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

/** The proxies at or below a node. If told so, the pairs of nodes below it are given back. */
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

/** Makes a subtree anew, of least height: by halves, along the longest axis of the centers. */
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
  placeNodes(nodes, root, proxies, items, topology);
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

/** Puts nodes down as the topology says, from `root` on, in the order in which a search meets them. */
function placeNodes(
  nodes: DynamicNodes,
  root: number,
  proxies: readonly number[],
  { bounds }: TreeItems,
  { skip, first, items }: Topology,
): void {
  const places = new Int32Array(skip.length).fill(root, 0, 1);
  for (let i = 0; i < skip.length; i++) {
    if (skip[i] === i + 1) {
      const item = items[first[i]!]!;
      for (let k = 0; k < 6; k++) leaf[k] = bounds[6 * item + k]!;
      nodes.writeLeaf(places[i]!, proxies[item]!, leaf);
      continue;
    }
    const pair = nodes.takePair();
    nodes.linkChildren(places[i]!, pair);
    places[i + 1] = pair;
    places[skip[i + 1]!] = pair + 1;
  }
  for (let i = skip.length - 1; i >= 0; i--) if (skip[i] !== i + 1) nodes.refit(places[i]!);
}

/**
 * A dynamic tree whose boxes have all moved: fitted again from the leaves up, or made anew by Morton codes when that has
 * made it much larger. Everything is in flat arrays that stay for the next time. Lauterbach et al. 2009; Karras 2012.
 */

/** A tree that has become larger than this, by the sum of the areas of its nodes, is made anew. */
const WORN = 1.25;
/** Cells of a curve along each axis. */
const CELLS = 1024;
/** So many boxes in one cell get cells of their own. */
const CROWD = 8;

let codes = new Int32Array(0);
let order = new Int32Array(0);
let spareCodes = new Int32Array(0);
let spareOrder = new Int32Array(0);
let leaves = new Float32Array(0);
let leafProxies = new Int32Array(0);
const starts = new Int32Array(3 * CELLS);

function makeRoom(count: number): void {
  if (order.length >= count) return;
  const room = Math.ceil(1.5 * count);
  codes = new Int32Array(room);
  order = new Int32Array(room);
  spareCodes = new Int32Array(room);
  spareOrder = new Int32Array(room);
  leaves = new Float32Array(6 * room);
  leafProxies = new Int32Array(room);
}

/** More than half and less than one and a half steps of single precision, relative. */
const HALF_STEP = 5.9604708e-8;

/**
 * Gives leaves the boxes of their proxies, rounded outward, without a margin: where everything moves all the time, a
 * margin only makes for larger nodes. A step outward in any case: no branch to guess.
 */
function fitLeaves({ bounds, slots, boxes, proxies }: DynamicNodes): void {
  for (let proxy = 0, q = 0; proxy < proxies; proxy++, q += 6) {
    const slot = slots[proxy]!;
    if (slot < 0) continue;
    const p = NODE * slot;
    const ax = boxes[q]!;
    const ay = boxes[q + 1]!;
    const az = boxes[q + 2]!;
    const bx = boxes[q + 3]!;
    const by = boxes[q + 4]!;
    const bz = boxes[q + 5]!;
    bounds[p] = ax - (Math.abs(ax) * HALF_STEP + 1e-45);
    bounds[p + 1] = ay - (Math.abs(ay) * HALF_STEP + 1e-45);
    bounds[p + 2] = az - (Math.abs(az) * HALF_STEP + 1e-45);
    bounds[p + 3] = bx + (Math.abs(bx) * HALF_STEP + 1e-45);
    bounds[p + 4] = by + (Math.abs(by) * HALF_STEP + 1e-45);
    bounds[p + 5] = bz + (Math.abs(bz) * HALF_STEP + 1e-45);
  }
}

/**
 * Takes over the boxes of many proxies, which have been written already.
 *
 * @internal
 */
export function moveLeaves(nodes: DynamicNodes): void {
  fitLeaves(nodes);
  if (!(nodes.inOrder && refitNodes(nodes) <= WORN * nodes.area)) rebuildByCurve(nodes);
  nodes.isSnug = true;
}

/** Fits all inner nodes of a tree whose nodes lie behind their parents. Returns the sum of their areas. */
function refitNodes({ bounds, up, pairs }: DynamicNodes): number {
  let sum = 0;
  for (let pair = pairs - 1; pair > 0; pair--) {
    const p = NODE * up[pair]!;
    const l = 2 * NODE * pair;
    const r = l + NODE;
    const ax = Math.min(bounds[l]!, bounds[r]!);
    const ay = Math.min(bounds[l + 1]!, bounds[r + 1]!);
    const az = Math.min(bounds[l + 2]!, bounds[r + 2]!);
    const bx = Math.max(bounds[l + 3]!, bounds[r + 3]!);
    const by = Math.max(bounds[l + 4]!, bounds[r + 4]!);
    const bz = Math.max(bounds[l + 5]!, bounds[r + 5]!);
    bounds[p] = ax;
    bounds[p + 1] = ay;
    bounds[p + 2] = az;
    bounds[p + 3] = bx;
    bounds[p + 4] = by;
    bounds[p + 5] = bz;
    const x = bx - ax;
    const y = by - ay;
    const z = bz - az;
    sum += x * y + y * z + z * x;
  }
  return sum;
}

/**
 * Makes the whole tree anew, by cells of a curve that fills space: about linear, and good where boxes are alike in size.
 *
 * @internal
 */
function rebuildByCurve(nodes: DynamicNodes): void {
  const { count, slots, proxies } = nodes;
  if (count < 2) return;
  makeRoom(count);
  let n = 0;
  for (let proxy = 0; proxy < proxies; proxy++) {
    const slot = slots[proxy]!;
    if (slot < 0) continue;
    const p = NODE * slot;
    for (let k = 0; k < 6; k++) leaves[6 * n + k] = nodes.bounds[p + k]!;
    order[n] = n;
    leafProxies[n++] = proxy;
  }
  nodes.clearPairs();
  place(nodes, count);
  nodes.inOrder = true;
  nodes.area = refitNodes(nodes);
  limitHeight(nodes);
}

/** Sorts a part of `order` by Morton codes of the centers, in cells of the box around them. False if they are one. */
function sortByCurve(begin: number, end: number): boolean {
  let x0 = Infinity;
  let y0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  let z1 = -Infinity;
  for (let i = begin; i < end; i++) {
    const q = 6 * order[i]!;
    const x = leaves[q]! + leaves[q + 3]!;
    const y = leaves[q + 1]! + leaves[q + 4]!;
    const z = leaves[q + 2]! + leaves[q + 5]!;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  const extent = Math.max(x1 - x0, y1 - y0, z1 - z0);
  // The last cell is for the largest coordinate only: the first and the last box along it never share one.
  const scale = (CELLS - 1) / extent;
  if (!(extent > 0 && scale < Infinity)) return false;
  for (let i = begin; i < end; i++) {
    const q = 6 * order[i]!;
    const x = Math.min(CELLS - 1, (leaves[q]! + leaves[q + 3]! - x0) * scale) | 0;
    const y = Math.min(CELLS - 1, (leaves[q + 1]! + leaves[q + 4]! - y0) * scale) | 0;
    const z = Math.min(CELLS - 1, (leaves[q + 2]! + leaves[q + 5]! - z0) * scale) | 0;
    codes[i] = (spread(x) << 2) | (spread(y) << 1) | spread(z);
  }
  if (end - begin > 64) sortCodes(begin, end);
  else insertCodes(begin, end);
  return true;
}

function insertCodes(begin: number, end: number): void {
  for (let i = begin + 1; i < end; i++) {
    const code = codes[i]!;
    const item = order[i]!;
    let at = i;
    for (; at > begin && codes[at - 1]! > code; at--) {
      codes[at] = codes[at - 1]!;
      order[at] = order[at - 1]!;
    }
    codes[at] = code;
    order[at] = item;
  }
}

/** By three digits of ten bits; those that are alike stay as they were. */
function sortCodes(begin: number, end: number): void {
  starts.fill(0);
  for (let i = begin; i < end; i++) {
    const code = codes[i]!;
    starts[code & 1023]!++;
    starts[1024 + ((code >>> 10) & 1023)]!++;
    starts[2048 + (code >>> 20)]!++;
  }
  let a = begin;
  let b = begin;
  let c = begin;
  for (let i = 0; i < CELLS; i++) {
    const atA = starts[i]!;
    const atB = starts[1024 + i]!;
    const atC = starts[2048 + i]!;
    starts[i] = a;
    starts[1024 + i] = b;
    starts[2048 + i] = c;
    a += atA;
    b += atB;
    c += atC;
  }
  for (let digit = 0; digit < 3; digit++) {
    const shift = 10 * digit;
    const from = digit === 1 ? spareCodes : codes;
    const fromOrder = digit === 1 ? spareOrder : order;
    const to = digit === 1 ? codes : spareCodes;
    const toOrder = digit === 1 ? order : spareOrder;
    for (let i = begin; i < end; i++) {
      const code = from[i]!;
      const at = starts[CELLS * digit + ((code >>> shift) & 1023)]!++;
      to[at] = code;
      toOrder[at] = fromOrder[i]!;
    }
  }
  for (let i = begin; i < end; i++) {
    codes[i] = spareCodes[i]!;
    order[i] = spareOrder[i]!;
  }
}

/** Ten bits, with two zeros between each. */
function spread(x: number): number {
  let y = (x | (x << 16)) & 0x030000ff;
  y = (y | (y << 8)) & 0x0300f00f;
  y = (y | (y << 4)) & 0x030c30c3;
  return (y | (y << 2)) & 0x09249249;
}

let stack = new Int32Array(3 * 256);

/** Puts nodes down over all leaves, every node behind its parent. */
function place(nodes: DynamicNodes, count: number): void {
  sortByCurve(0, count) || codes.fill(0, 0, count);
  let top = 0;
  let node = 0;
  let begin = 0;
  let end = count;
  for (;;) {
    if (end - begin === 1) {
      writeLeaf(nodes, node, order[begin]!);
      if (top === 0) break;
      end = stack[--top]!;
      begin = stack[--top]!;
      node = stack[--top]!;
      continue;
    }
    const cut = cutAt(begin, end);
    const pair = nodes.takePair();
    nodes.linkChildren(node, pair);
    if (top + 3 > stack.length) {
      const more = new Int32Array(2 * stack.length);
      more.set(stack);
      stack = more;
    }
    stack[top++] = pair + 1;
    stack[top++] = cut;
    stack[top++] = end;
    node = pair;
    end = cut;
  }
  // Heights, from the last pair up.
  const { links, up, pairs } = nodes;
  for (let pair = pairs - 1; pair > 0; pair--) {
    const l = 2 * NODE * pair;
    links[NODE * up[pair]! + HEIGHT] = 1 + Math.max(links[l + HEIGHT]!, links[l + NODE + HEIGHT]!);
  }
}

function writeLeaf({ bounds, links, slots }: DynamicNodes, node: number, leaf: number): void {
  const p = NODE * node;
  const q = 6 * leaf;
  for (let k = 0; k < 6; k++) bounds[p + k] = leaves[q + k]!;
  links[p + LINK] = ~leafProxies[leaf]!;
  links[p + HEIGHT] = 0;
  slots[leafProxies[leaf]!] = node;
}

/** Where a part of `order` is cut in two: where the highest bit changes that differs. */
function cutAt(begin: number, end: number): number {
  let differing = codes[begin]! ^ codes[end - 1]!;
  if (differing === 0) {
    // All in one cell: a few are cut in half. Far more would be a bad tree, and get smaller cells.
    if (end - begin <= CROWD || !sortByCurve(begin, end)) return (begin + end) >>> 1;
    differing = codes[begin]! ^ codes[end - 1]!;
  }
  const bit = 0x80000000 >>> Math.clz32(differing);
  let low = begin;
  let high = end - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (codes[middle]! & bit) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * A dynamic tree whose boxes have moved: fitted again from the leaves up, or rebuilt by Morton codes when that has
 * made it much larger. Everything is in flat arrays that stay for the next time. Lauterbach et al. 2009; Karras 2012.
 */
import { HALF_STEP32 } from '../math/float.ts';
import { attachLeaf, detachLeaf, type InsertionSearch } from './dynamic-insertion.ts';
import { type DynamicNodes, HEIGHT, LINK, NODE } from './dynamic-nodes.ts';
import { limitHeight } from './dynamic-rebuild.ts';

/** A tree that has become larger than this, by the sum of the areas of its nodes, is rebuilt. */
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

function reserve(count: number): void {
  if (order.length >= count) return;
  const capacity = Math.ceil(1.5 * count);
  codes = new Int32Array(capacity);
  order = new Int32Array(capacity);
  spareCodes = new Int32Array(capacity);
  spareOrder = new Int32Array(capacity);
  leaves = new Float32Array(6 * capacity);
  leafProxies = new Int32Array(capacity);
}

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
    bounds[p] = ax - (Math.abs(ax) * HALF_STEP32 + 1e-45);
    bounds[p + 1] = ay - (Math.abs(ay) * HALF_STEP32 + 1e-45);
    bounds[p + 2] = az - (Math.abs(az) * HALF_STEP32 + 1e-45);
    bounds[p + 3] = bx + (Math.abs(bx) * HALF_STEP32 + 1e-45);
    bounds[p + 4] = by + (Math.abs(by) * HALF_STEP32 + 1e-45);
    bounds[p + 5] = bz + (Math.abs(bz) * HALF_STEP32 + 1e-45);
  }
}

/**
 * Takes over the boxes of many proxies, which have been written already.
 *
 * @internal
 */
export function refitLeaves(nodes: DynamicNodes): void {
  fitLeaves(nodes);
  nodes.refits = 0;
  if (!(nodes.inOrder && refitNodes(nodes) <= WORN * nodes.area)) rebuildByCurve(nodes);
  nodes.isSnug = true;
}

/**
 * Gives the leaf of a proxy another box: in its place, if that meets its parent, which is then fitted; else, as after a jump,
 * in a better one. Call `restoreWorn` after the last.
 *
 * @internal
 */
export function moveLeaf(
  nodes: DynamicNodes,
  proxy: number,
  leaf: Float32Array,
  search: InsertionSearch,
): void {
  const { bounds, slots, up } = nodes;
  let node = slots[proxy]!;
  const parent = NODE * up[node >> 1]!;
  const isNear =
    leaf[0]! <= bounds[parent + 3]! &&
    bounds[parent]! <= leaf[3]! &&
    leaf[1]! <= bounds[parent + 4]! &&
    bounds[parent + 1]! <= leaf[4]! &&
    leaf[2]! <= bounds[parent + 5]! &&
    bounds[parent + 2]! <= leaf[5]!;
  if (node !== 0 && !isNear) {
    detachLeaf(nodes, proxy);
    attachLeaf(nodes, proxy, leaf, search);
    return;
  }
  nodes.refits++;
  for (let k = 0; k < 6; k++) bounds[NODE * node + k] = leaf[k]!;
  while (node !== 0) {
    node = up[node >> 1]!;
    if (!nodes.refit(node)) return;
  }
}

/**
 * Rebuilds a tree that leaves fitted in their places, or put in one by one, have made much larger. Looks at that only after as many
 * as there are boxes, so that it takes no longer than they did.
 *
 * @internal
 */
export function restoreWorn(nodes: DynamicNodes): void {
  if (nodes.refits <= nodes.count) return;
  nodes.refits = 0;
  if (!(nodes.inOrder && refitNodes(nodes) <= WORN * nodes.area)) rebuildByCurve(nodes);
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
 * Rebuilds the whole tree, by cells of a curve that fills space: about linear, and good where boxes are alike in size.
 *
 * @internal
 */
function rebuildByCurve(nodes: DynamicNodes): void {
  const { count, slots, proxies } = nodes;
  if (count < 2) return;
  reserve(count);
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
  buildByCurve(nodes, count);
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

/** Writes nodes over all leaves, every node behind its parent. */
function buildByCurve(nodes: DynamicNodes, count: number): void {
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

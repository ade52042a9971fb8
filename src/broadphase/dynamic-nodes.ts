/**
 * The memory of a dynamic tree. A binary hierarchy of boxes whose siblings lie side by side, so that one cache line
 * answers for both: node s has the sibling s ^ 1, and the parent is a matter of the pair s >> 1. The root is node 0;
 * node 1 is not used. A leaf belongs to a proxy, the number that a user holds: nodes may move, proxies do not.
 */

/** Numbers a node: min x, y, z, max x, y, z, link, height. */
export const NODE = 8;
export const LINK = 6;
export const HEIGHT = 7;

/** @internal */
export class DynamicNodes {
  /** Leaves in the tree. */
  count = 0;
  /** Eight numbers a node, of which six are its box, rounded outward to single precision. */
  bounds: Float32Array;
  /** The same memory: the link is the first of two children, or, of a leaf, ~proxy. A leaf's height is 0. */
  links: Int32Array;
  /** For each pair the parent; for a free one the next free one, or 0. */
  up: Int32Array;
  /** Six numbers a proxy: its box as it was given. */
  boxes: Float64Array;
  /** For each proxy its node; for a free one, ~ the next free one or ~NONE. */
  slots: Int32Array;
  data: Float64Array;
  /** Pairs and proxies in use or free again; all beyond are untouched. */
  pairs = 1;
  proxies = 0;
  /** Are all nodes in use, and behind their parents? Set by what makes the whole tree, false after every change. */
  inOrder = false;
  /** Are all leaves the boxes of their proxies, each side off by a step of single precision at most? Likewise. */
  isSnug = false;
  /** The sum of the areas of the inner nodes then. */
  area = 0;
  /** Leaves that were given another box in their places since the area was last looked at. */
  refits = 0;
  /** The first free pair (0 for none) and proxy (NONE). */
  freePair = 0;
  freeProxy = NONE;

  constructor(capacity = 16) {
    const words = new ArrayBuffer(2 * NODE * 4 * capacity);
    this.bounds = new Float32Array(words);
    this.links = new Int32Array(words);
    this.up = new Int32Array(capacity);
    this.boxes = new Float64Array(6 * capacity);
    this.slots = new Int32Array(capacity);
    this.data = new Float64Array(capacity);
  }

  /** Height of the tree: levels below the root; -1 without leaves. */
  get height(): number {
    return this.count === 0 ? -1 : this.links[HEIGHT]!;
  }

  clear(): void {
    this.clearPairs();
    this.count = 0;
    this.proxies = 0;
    this.freeProxy = NONE;
  }

  /** Forgets the nodes but not the proxies. */
  clearPairs(): void {
    this.inOrder = false;
    this.pairs = 1;
    this.freePair = 0;
  }

  /** A proxy that is not in the tree yet. Arrays may be replaced. */
  takeProxy(): number {
    const proxy = this.freeProxy;
    if (proxy !== NONE) {
      this.freeProxy = ~this.slots[proxy]!;
      return proxy;
    }
    if (this.proxies === this.slots.length) this.growProxies();
    return this.proxies++;
  }

  dropProxy(proxy: number): void {
    this.slots[proxy] = ~this.freeProxy;
    this.freeProxy = proxy;
  }

  /** The first node of a free pair. Arrays may be replaced. */
  takePair(): number {
    const pair = this.freePair;
    if (pair !== 0) {
      this.freePair = this.up[pair]!;
      return 2 * pair;
    }
    if (this.pairs === this.up.length) this.growPairs();
    return 2 * this.pairs++;
  }

  /** `node` is either of the two. */
  dropPair(node: number): void {
    this.inOrder = false;
    const pair = node >> 1;
    this.up[pair] = this.freePair;
    this.freePair = pair;
  }

  /** Makes a node a leaf with that box. */
  writeLeaf(node: number, proxy: number, box: Float32Array): void {
    const { bounds, links } = this;
    const at = NODE * node;
    this.isSnug = false;
    for (let k = 0; k < 6; k++) bounds[at + k] = box[k]!;
    links[at + LINK] = ~proxy;
    links[at + HEIGHT] = 0;
    this.slots[proxy] = node;
  }

  linkChildren(node: number, pair: number): void {
    this.links[NODE * node + LINK] = pair;
    this.up[pair >> 1] = node;
  }

  /** Copies a node, with all that is below it, to another slot. */
  copyNode(from: number, to: number): void {
    this.inOrder = false;
    const { links } = this;
    const p = NODE * from;
    const q = NODE * to;
    // As integers: a copy of floats might change the bits of a link.
    for (let k = 0; k < NODE; k++) links[q + k] = links[p + k]!;
    this.adopt(to);
  }

  swapNodes(i: number, j: number): void {
    this.inOrder = false;
    const { links } = this;
    const p = NODE * i;
    const q = NODE * j;
    for (let k = 0; k < NODE; k++) {
      const held = links[p + k]!;
      links[p + k] = links[q + k]!;
      links[q + k] = held;
    }
    this.adopt(i);
    this.adopt(j);
  }

  /** Makes what is below a node point to it. */
  private adopt(node: number): void {
    const link = this.links[NODE * node + LINK]!;
    if (link >= 0) this.up[link >> 1] = node;
    else this.slots[~link] = node;
  }

  /** Fits an inner node to its children. Did it change? */
  refit(node: number): boolean {
    const { bounds, links } = this;
    const at = NODE * node;
    const l = NODE * links[at + LINK]!;
    const r = l + NODE;
    let changed = false;
    for (let k = 0; k < 3; k++) {
      const low = Math.min(bounds[l + k]!, bounds[r + k]!);
      if (low !== bounds[at + k]) {
        bounds[at + k] = low;
        changed = true;
      }
    }
    for (let k = 3; k < 6; k++) {
      const high = Math.max(bounds[l + k]!, bounds[r + k]!);
      if (high !== bounds[at + k]) {
        bounds[at + k] = high;
        changed = true;
      }
    }
    const height = 1 + Math.max(links[l + HEIGHT]!, links[r + HEIGHT]!);
    if (height !== links[at + HEIGHT]) {
      links[at + HEIGHT] = height;
      changed = true;
    }
    return changed;
  }

  private growPairs(): void {
    const capacity = 2 * this.up.length;
    const words = new ArrayBuffer(2 * NODE * 4 * capacity);
    const links = new Int32Array(words);
    links.set(this.links);
    this.links = links;
    this.bounds = new Float32Array(words);
    const up = new Int32Array(capacity);
    up.set(this.up);
    this.up = up;
  }

  private growProxies(): void {
    const capacity = 2 * this.slots.length;
    const boxes = new Float64Array(6 * capacity);
    const slots = new Int32Array(capacity);
    const data = new Float64Array(capacity);
    boxes.set(this.boxes);
    slots.set(this.slots);
    data.set(this.data);
    this.boxes = boxes;
    this.slots = slots;
    this.data = data;
  }
}

/** ~NONE is negative too: a free proxy never looks as if it had a node. */
export const NONE = 0x7fffffff;

/**
 * Half the surface area of a node.
 *
 * @internal
 */
export function nodeArea(bounds: Float32Array, node: number): number {
  const at = NODE * node;
  const x = bounds[at + 3]! - bounds[at]!;
  const y = bounds[at + 4]! - bounds[at + 1]!;
  const z = bounds[at + 5]! - bounds[at + 2]!;
  return x * y + y * z + z * x;
}

/**
 * Half the surface area of the box around a node and another box, six numbers from `q` on.
 *
 * @internal
 */
export function unionArea(bounds: Float32Array, node: number, box: Float32Array, q: number): number {
  const p = NODE * node;
  const x = Math.max(bounds[p + 3]!, box[q + 3]!) - Math.min(bounds[p]!, box[q]!);
  const y = Math.max(bounds[p + 4]!, box[q + 4]!) - Math.min(bounds[p + 1]!, box[q + 1]!);
  const z = Math.max(bounds[p + 5]!, box[q + 5]!) - Math.min(bounds[p + 2]!, box[q + 2]!);
  return x * y + y * z + z * x;
}

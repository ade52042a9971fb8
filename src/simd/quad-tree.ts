/**
 * The tree of a mesh with four children a node, for kernels that test four boxes and four triangles at once: levels of the binary
 * tree taken together, and its leaves cut until each holds no more than four triangles.
 *
 * A node is followed by the triangles of its leaves and then by its subtrees, one after the other. So what a search reads
 * at the bottom of a tree of millions stands on few pages of memory.
 */
import { boxAt, isLeaf, leafCount, leafEnd, leafFirst, leafLink, linkAt } from '../trees/packed-tree.ts';
import type { Mesh } from '../trimesh/mesh.ts';

/** In words: the sizes of a node and of a block, and where links and slots stand in them. See `simd/memory.ts`. */
const NODE = 16;
const LINKS = 12;
const BLOCK = 48;
const SLOTS = 36;
/** By how much of a step of the grid a box is larger than what it holds, at least. */
const MARGIN = 1 / 16;
const LAST = 65535;

/** Up to four children: each a node of the binary tree, or a range of `order` in the form of the link to a leaf, with its box. */
class Children {
  count = 0;
  readonly links = new Int32Array(4);
  readonly boxes = new Int32Array(24);
}

/** The bytes of the tree, nodes and blocks of triangles, the root first. */
export function quadTreeOf(mesh: Mesh): Uint8Array {
  return new QuadTreeBuilder(mesh).build();
}

/** A leaf that is too large becomes a node. */
const isInner = (link: number): boolean => !isLeaf(link) || leafCount(link) > 4;

class QuadTreeBuilder {
  private readonly mesh: Mesh;
  private readonly perUnit: number;
  /** The slots of the mesh. Those of a leaf change places when it is cut. */
  private readonly order: Int32Array;
  /** For each slot of the leaf that is cut, the box of its triangle. */
  private readonly around: Int32Array;
  private words: Int32Array;
  private length = 0;
  /** The link to a block of nothing, for children that are missing: a search without a limit comes to them, too. */
  private none = 0;

  constructor(mesh: Mesh) {
    const { triangleCount, tree } = mesh;
    const { grid } = tree;
    this.mesh = mesh;
    this.perUnit = 1 / Math.max(grid[3]!, grid[4]!, grid[5]!);
    this.order = Int32Array.from({ length: triangleCount }, (_, i) => i);
    this.around = new Int32Array(6 * triangleCount);
    this.words = new Int32Array(20 * triangleCount + 4 * (NODE + BLOCK));
  }

  build(): Uint8Array {
    const children = new Children();
    /** What is to become a node: its link, and where the link to it is to be written. */
    const pending = [0, -1];
    while (pending.length > 0) {
      const parent = pending.pop()!;
      const link = pending.pop()!;
      const node = this.take(NODE);
      if (node === 0) this.none = this.writeBlock(leafLink(0, 0));
      if (parent >= 0) this.words[parent] = 4 * node;
      children.count = 0;
      this.addBoth(children, link);
      this.open(children);
      this.writeNode(children, node);
      for (let k = children.count - 1; k >= 0; k--)
        if (isInner(children.links[k]!)) pending.push(children.links[k]!, node + LINKS + k);
    }
    return new Uint8Array(this.words.buffer, 0, 4 * this.length);
  }

  /** The inner child with the largest box gives way to its two, till there are four. */
  private open(children: Children): void {
    const { links, boxes } = children;
    while (children.count < 4) {
      let widest = -1;
      let most = -1;
      for (let k = 0; k < children.count; k++) {
        const area = isInner(links[k]!) ? this.areaOf(boxes, 6 * k) : -1;
        if (area > most) {
          most = area;
          widest = k;
        }
      }
      if (widest < 0) return;
      const link = links[widest]!;
      const last = --children.count;
      links[widest] = links[last]!;
      boxes.copyWithin(6 * widest, 6 * last, 6 * last + 6);
      this.addBoth(children, link);
    }
  }

  private addBoth(children: Children, link: number): void {
    if (isLeaf(link)) {
      this.cut(children, link);
      return;
    }
    const { bounds, links } = this.mesh.tree;
    add(children, links[linkAt(link, 0)]!, bounds, boxAt(link, 0));
    add(children, links[linkAt(link, 1)]!, bounds, boxAt(link, 1));
  }

  private areaOf(boxes: Int32Array, at: number): number {
    const { grid } = this.mesh.tree;
    const x = (boxes[at + 3]! - boxes[at]!) * grid[3]!;
    const y = (boxes[at + 4]! - boxes[at + 1]!) * grid[4]!;
    const z = (boxes[at + 5]! - boxes[at + 2]!) * grid[5]!;
    return x * y + y * z + z * x;
  }

  /** A range of triangles in two: where their boxes have the least surface, weighed by the number of blocks. */
  private cut(children: Children, link: number): void {
    const { order } = this;
    const first = leafFirst(link);
    const end = leafEnd(link);
    for (let i = first; i < end; i++) this.fit(order[i]!);
    let bestAxis = 0;
    let bestAt = first + 1;
    let best = Infinity;
    for (let axis = 0; axis < 3; axis++) {
      this.sort(first, end, axis);
      for (let at = first + 1; at < end; at++) {
        const cost =
          this.areaOf(this.boxOf(first, at), 0) * Math.ceil((at - first) / 4) +
          this.areaOf(this.boxOf(at, end), 0) * Math.ceil((end - at) / 4);
        if (cost < best) {
          best = cost;
          bestAxis = axis;
          bestAt = at;
        }
      }
    }
    this.sort(first, end, bestAxis);
    add(children, leafLink(first, bestAt), this.boxOf(first, bestAt), 0);
    add(children, leafLink(bestAt, end), this.boxOf(bestAt, end), 0);
  }

  /** By the middles of their boxes. */
  private sort(first: number, end: number, axis: number): void {
    const { order, around } = this;
    for (let i = first + 1; i < end; i++) {
      const slot = order[i]!;
      const key = around[6 * slot + axis]! + around[6 * slot + 3 + axis]!;
      let at = i;
      for (; at > first; at--) {
        const other = order[at - 1]!;
        if (around[6 * other + axis]! + around[6 * other + 3 + axis]! <= key) break;
        order[at] = other;
      }
      order[at] = slot;
    }
  }

  /** Around the triangles of a range: `box`, which the next call writes over. */
  private boxOf(first: number, end: number): Int32Array {
    const { order, around } = this;
    for (let axis = 0; axis < 3; axis++) {
      let low = LAST;
      let high = 0;
      for (let i = first; i < end; i++) {
        const at = 6 * order[i]! + axis;
        if (around[at]! < low) low = around[at]!;
        if (around[at + 3]! > high) high = around[at + 3]!;
      }
      box[axis] = low;
      box[3 + axis] = high;
    }
    return box;
  }

  private fit(slot: number): void {
    const { vertices, corners, tree } = this.mesh;
    const { grid } = tree;
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let corner = 0; corner < 3; corner++) {
        const x = (vertices[3 * corners[3 * slot + corner]! + axis]! - grid[axis]!) / grid[3 + axis]!;
        if (x < low) low = x;
        if (x > high) high = x;
      }
      this.around[6 * slot + axis] = Math.max(0, Math.floor(low - MARGIN));
      this.around[6 * slot + 3 + axis] = Math.min(LAST, Math.ceil(high + MARGIN));
    }
  }

  private writeNode({ count, links, boxes }: Children, node: number): void {
    for (let lane = 0; lane < 4; lane++) {
      const link = lane < count && !isInner(links[lane]!) ? this.writeBlock(links[lane]!) : this.none;
      this.words[node + LINKS + lane] = link; // where the words are by now
    }
    const sides = new Uint16Array(this.words.buffer, 4 * node, 24);
    // What is missing has a box that is inside out.
    for (let lane = 0; lane < 4; lane++)
      for (let side = 0; side < 6; side++)
        sides[4 * side + lane] = lane < count ? boxes[6 * lane + side]! : side < 3 ? LAST : 0;
  }

  /** Four triangles. Returns the link to them. */
  private writeBlock(link: number): number {
    const { vertices, corners, tree } = this.mesh;
    const { grid } = tree;
    const first = leafFirst(link);
    const end = leafEnd(link);
    const block = this.take(BLOCK);
    const numbers = new Float32Array(this.words.buffer, 4 * block, SLOTS);
    for (let lane = 0; lane < 4; lane++) {
      const slot = first + lane < end ? this.order[first + lane]! : -1;
      this.words[block + SLOTS + lane] = slot;
      for (let corner = 0; corner < 3; corner++) {
        const vertex = slot < 0 ? -1 : 3 * corners[3 * slot + corner]!;
        for (let axis = 0; axis < 3; axis++)
          // What is missing has no coordinates, and so is never hit nor near.
          numbers[12 * corner + 4 * axis + lane] =
            vertex < 0 ? Number.NaN : (vertices[vertex + axis]! - grid[axis]!) * this.perUnit;
      }
    }
    return ~(4 * block);
  }

  private take(words: number): number {
    const at = this.length;
    this.length += words;
    if (this.length > this.words.length) {
      const { words: old } = this;
      this.words = new Int32Array(2 * old.length);
      this.words.set(old);
    }
    return at;
  }
}

const box = new Int32Array(6);

function add(children: Children, link: number, boxes: ArrayLike<number>, at: number): void {
  if (isLeaf(link) && leafCount(link) === 0) return;
  const k = children.count++;
  for (let side = 0; side < 6; side++) children.boxes[6 * k + side] = boxes[at + side]!;
  children.links[k] = link;
}

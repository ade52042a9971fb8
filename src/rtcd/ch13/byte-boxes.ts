/**
 * A hierarchy of boxes in seven bytes a node, and links. RTCD §13.4.2.
 *
 * Each side of a box is a side of one of its two children, so that six bits and six new sides tell both. A new side is a
 * byte: a place between the two sides of the parent, of which there are 256.
 *
 * For the smallest memory. Production packs nodes to 16 bits a side on one grid: `trees/packed-tree.ts`.
 */
import { checkAabb, mustHave } from '../../math/check.ts';
import type { Aabb, ReadonlyAabb } from '../../primitives/types.ts';
import type { Tree } from '../../trees/tree.ts';
import { append, mustBeBinaryBoxes, narrow, pending, rightChild, SearchBox } from './layout.ts';

const searched = new SearchBox();

export interface ByteBoxTree {
  /** The box of the root: min x, y, z, max x, y, z. It is all there is of a tree with a single leaf. */
  readonly root: Float64Array;
  /**
   * Seven bytes for each inner node, in preorder. Byte 0: bit k is set when the first child has side k of the parent (0…2
   * the minima, 3…5 the maxima) and the second child a new one, clear when it is the other way round; bits 6 and 7
   * tell that the first and the second child is a leaf. Bytes 1…6: the new sides.
   */
  readonly nodes: Uint8Array;
  /** Two links a node: to the node or the leaf, by number. 16 bits each (11 bytes a node) where that is enough. */
  readonly links: Uint16Array | Uint32Array;
  /** The items of leaf i are items[start[i]] … items[start[i + 1] - 1]. */
  readonly start: Uint32Array;
  readonly items: Uint32Array;
}

/** Bytes of a node, without its links. */
const BYTES = 7;

/** Where between the sides `low` and `high` a byte is. Rises with the byte, from `low` itself to `high` itself. */
const decode = (low: number, high: number, byte: number): number =>
  byte === 255 ? high : Math.min(high, low + (high - low) * (byte / 255));

/** The largest byte that does not go above x, or the smallest that does not go below it. */
function encode(low: number, high: number, x: number, up: boolean): number {
  const estimate = high > low ? Math.floor(((x - low) / (high - low)) * 255) : up ? 255 : 0;
  let byte = Math.max(0, Math.min(255, estimate));
  // Rounding may have led astray by one; what counts is what will be decoded.
  if (up) {
    while (byte > 0 && decode(low, high, byte - 1) >= x) byte--;
    while (byte < 255 && decode(low, high, byte) < x) byte++;
  } else {
    while (byte < 255 && decode(low, high, byte + 1) <= x) byte++;
    while (byte > 0 && decode(low, high, byte) > x) byte--;
  }
  return byte;
}

/**
 * Packs a binary tree of boxes. Sides are rounded outward within the parent as it will be decoded, so that at every depth a
 * box holds the one it stands for. O(n).
 */
export function packByteBoxes(tree: Tree<Aabb>): ByteBoxTree {
  mustHave('packByteBoxes', 'tree', tree, 'a tree', 'ops');
  mustBeBinaryBoxes('packByteBoxes', tree);
  const { skip, first, items } = tree;
  const boxes = nestedBoxes(tree);
  const inner = skip.length >> 1;
  const nodes = new Uint8Array(BYTES * inner);
  const links = new Uint32Array(2 * inner);
  const numbers = numberNodes(skip);
  const start = new Uint32Array(skip.length - inner + 1);
  const root = Float64Array.from(boxes.subarray(0, 6));
  for (let node = 0; node < skip.length; node++) {
    const number = numbers[node]!;
    if (skip[node] === node + 1) {
      start[number] = first[node]!;
      continue;
    }
    const pair = [node + 1, rightChild(tree, node)] as const;
    let flags = 0;
    // From here on the parent is what the search will see: its own sides were replaced when its parent was packed.
    for (let side = 0; side < 6; side++) {
      const low = boxes[6 * node + (side % 3)]!;
      const high = boxes[6 * node + (side % 3) + 3]!;
      const up = side >= 3;
      const own = boxes[6 * node + side]!;
      const sides = [boxes[6 * pair[0] + side]!, boxes[6 * pair[1] + side]!] as const;
      // The child that reaches farther gets the side of the parent.
      const heir = up === sides[0] > sides[1] || sides[0] === sides[1] ? 0 : 1;
      const byte = encode(low, high, sides[1 - heir]!, up);
      if (heir === 0) flags |= 1 << side;
      nodes[BYTES * number + 1 + side] = byte;
      boxes[6 * pair[heir]! + side] = own;
      boxes[6 * pair[1 - heir]! + side] = decode(low, high, byte);
    }
    for (let k = 0; k < 2; k++) {
      links[2 * number + k] = numbers[pair[k]!]!;
      if (skip[pair[k]!] === pair[k]! + 1) flags |= 64 << k;
    }
    nodes[BYTES * number] = flags;
  }
  start[start.length - 1] = items.length;
  return { root, nodes, links: narrow(links), start, items };
}

/** Inner nodes and leaves, each numbered from 0 in preorder. */
function numberNodes(skip: Uint32Array): Uint32Array {
  let inner = 0;
  let leaves = 0;
  return skip.map((end, node) => (end === node + 1 ? leaves++ : inner++));
}

/** The boxes of the nodes, each grown around those of its children if it did not hold them. */
function nestedBoxes({ skip, volumes }: Tree<Aabb>): Float64Array {
  const boxes = Float64Array.from(volumes);
  for (let node = skip.length - 1; node >= 0; node--)
    for (let child = node + 1; child < skip[node]!; child = skip[child]!)
      for (let side = 0; side < 6; side++) {
        const x = boxes[6 * child + side]!;
        const at = 6 * node + side;
        boxes[at] = side < 3 ? Math.min(boxes[at]!, x) : Math.max(boxes[at]!, x);
      }
  return boxes;
}

/** The boxes of the nodes that a search has still to open: six numbers for each place of `pending`. */
let unpacked = new Float64Array(6 * 64);

/**
 * The items in the leaves whose boxes, as unpacked, share a point with the box: all that the tree would find before it was
 * packed, and some more, for the boxes are larger. `out` is overwritten.
 */
export function searchByteBoxes(tree: ByteBoxTree, box: ReadonlyAabb, out: number[] = []): number[] {
  mustHave('searchByteBoxes', 'tree', tree, 'a byte box tree', 'root');
  checkAabb('searchByteBoxes', 'box', box);
  searched.load(box);
  const { root, nodes, links, start, items } = tree;
  let count = 0;
  let top = 0;
  unpacked.set(root, 0);
  if (start.length > 1 && meets(unpacked, 0, searched)) {
    if (links.length === 0) count = append(items, 0, items.length, out, count);
    else pending[top++] = 0;
  }
  while (top > 0) {
    const node = pending[--top]!;
    const at = 6 * top;
    if (unpacked.length < at + 12) unpacked = grown(unpacked);
    openNode(unpacked, at, nodes, BYTES * node);
    const flags = nodes[BYTES * node]!;
    // The second child waits below the first; when the first is not to be opened, it takes its place.
    for (let k = 0; k < 2; k++) {
      const from = at + 6 * k;
      if (!meets(unpacked, from, searched)) continue;
      const link = links[2 * node + k]!;
      if (flags & (64 << k)) {
        count = append(items, start[link]!, start[link + 1]!, out, count);
        continue;
      }
      if (6 * top !== from) unpacked.copyWithin(6 * top, from, from + 6);
      pending[top++] = link;
    }
  }
  out.length = count;
  return out;
}

/** `boxMeets` for doubles: one function for both kinds of array would be slower for each. */
const meets = (boxes: Float64Array, at: number, box: SearchBox): boolean =>
  boxes[at]! <= box.bx &&
  boxes[at + 3]! >= box.ax &&
  boxes[at + 1]! <= box.by &&
  boxes[at + 4]! >= box.ay &&
  boxes[at + 2]! <= box.bz &&
  boxes[at + 5]! >= box.az;

function grown(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * array.length);
  larger.set(array);
  return larger;
}

/** Replaces the box at that place by those of the two children, one after the other. */
function openNode(boxes: Float64Array, at: number, nodes: Uint8Array, node: number): void {
  const flags = nodes[node]!;
  for (let axis = 0; axis < 3; axis++) {
    const low = boxes[at + axis]!;
    const high = boxes[at + axis + 3]!;
    const newLow = decode(low, high, nodes[node + 1 + axis]!);
    const newHigh = decode(low, high, nodes[node + 4 + axis]!);
    const lowToFirst = (flags & (1 << axis)) !== 0;
    const highToFirst = (flags & (8 << axis)) !== 0;
    boxes[at + axis] = lowToFirst ? low : newLow;
    boxes[at + axis + 6] = lowToFirst ? newLow : low;
    boxes[at + axis + 3] = highToFirst ? high : newHigh;
    boxes[at + axis + 9] = highToFirst ? newHigh : high;
  }
}

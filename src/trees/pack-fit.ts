/** Packed trees of a shape that is given: out of any other tree, or from before its triangles moved. RTCD §6.5.1. */
import { refuse } from '../math/check.ts';
import { type FineBoxes, fineTriangles, leafLink, packedGrid, storeFineBox } from './pack-build.ts';
import { MAX_DEPTH, MAX_LEAF, type PackedTree } from './packed-tree.ts';
import type { Topology } from './tree.ts';

/**
 * The packed form of a tree over triangles. Refuses one that is not binary, has leaves of more than 15 triangles, is
 * deeper than 96 levels, or is not over just these triangles.
 *
 * @internal
 */
export function packTopology(
  caller: string,
  positions: Float32Array | Float64Array,
  index: Uint32Array,
  { skip, first, items }: Topology,
): PackedTree {
  const problem = (reason: string): never => refuse(caller, 'options.tree', reason);
  const count = index.length / 3;
  const seen = new Uint8Array(count);
  for (const item of items) if (item < count) seen[item] = 1;
  if (items.length !== count || seen.includes(0)) problem(`must hold each of the ${count} triangles once`);
  const places = new Int32Array(skip.length).fill(-1);
  const depths = new Uint8Array(skip.length);
  let nodeCount = 0;
  for (let node = 0; node < skip.length; node++) {
    if (skip[node] === node + 1) {
      if (first[node + 1]! - first[node]! > MAX_LEAF)
        problem(`must have leaves of at most ${MAX_LEAF} triangles: build it with that leafSize`);
      continue;
    }
    places[node] = 16 * nodeCount++;
    const left = node + 1;
    const right = skip[left]!;
    if (right >= skip[node]! || skip[right] !== skip[node]) problem('must be binary: of degree 2');
    if (depths[node]! + 2 > MAX_DEPTH) problem(`must not be deeper than ${MAX_DEPTH} levels`);
    depths[left] = depths[right] = depths[node]! + 1;
  }
  const link = (node: number): number =>
    places[node]! >= 0 ? places[node]! : leafLink(first[node]!, first[node + 1]!);
  const bounds = new Uint16Array(16 * Math.max(1, nodeCount));
  const links = new Int32Array(bounds.buffer);
  if (nodeCount === 0) {
    links[6] = leafLink(0, count);
    links[7] = leafLink(count, count);
    nodeCount = 1;
  } else
    for (let node = 0; node < skip.length; node++) {
      const at = places[node]! / 2;
      if (at < 0) continue;
      links[at + 6] = link(node + 1);
      links[at + 7] = link(skip[node + 1]!);
    }
  const tree = { nodeCount, bounds, links, grid: new Float64Array(6) };
  fitPacked(tree, items, fineTriangles(positions, index));
  return tree;
}

const NOTHING = Int32Array.of(0x3fffffff, 0x3fffffff, 0x3fffffff, -1, -1, -1);

/**
 * Gives a packed tree new boxes, from the leaves up. `order` tells the item at each place of the leaves. O(n).
 *
 * @internal
 */
export function fitPacked(tree: PackedTree, order: Uint32Array, fine: FineBoxes): void {
  const { nodeCount, bounds, links, grid } = tree;
  grid.set(packedGrid(fine));
  // The boxes of both children of every node; nodes come after their parents.
  const boxes = new Int32Array(12 * nodeCount);
  for (let node = nodeCount - 1; node >= 0; node--) {
    const at = 12 * node;
    for (let side = 0; side < 2; side++) {
      const to = at + 6 * side;
      const link = links[8 * node + 6 + side]!;
      boxes.set(NOTHING, to);
      if (link >= 0) {
        merge(boxes, (link / 16) * 12, boxes, to);
        merge(boxes, (link / 16) * 12 + 6, boxes, to);
      } else
        for (let i = ~link >> 4; i < (~link >> 4) + (~link & 15); i++)
          merge(fine.boxes, 6 * order[i]!, boxes, to);
    }
    for (let side = 0; side < 2; side++) {
      const place = 16 * node + 6 * side;
      if (boxes[at + 6 * side + 3]! >= 0) storeFineBox(boxes, at + 6 * side, bounds, place);
      else bounds.fill(65535, place, place + 3).fill(0, place + 3, place + 6);
    }
  }
}

function merge(source: Int32Array, from: number, target: Int32Array, to: number): void {
  for (let k = 0; k < 3; k++) {
    if (source[from + k]! < target[to + k]!) target[to + k] = source[from + k]!;
    if (source[from + 3 + k]! > target[to + 3 + k]!) target[to + 3 + k] = source[from + 3 + k]!;
  }
}

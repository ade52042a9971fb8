/**
 * A hierarchy of fused nodes: a parent and its two children in one, with links only out of the group. RTCD §6.6.4.
 *
 * For fewer cache lines a search. Production keeps two boxes in the parent: `trees/packed-tree.ts`.
 */
import { checkAabb, mustHave } from '../../math/check.ts';
import type { Aabb, ReadonlyAabb } from '../../primitives/types.ts';
import type { Tree } from '../../trees/tree.ts';
import {
  type Arrangement,
  append,
  arrange,
  boxMeets,
  EMPTY,
  mustBeBinaryBoxes,
  pending,
  rightChild,
  SearchBox,
} from './layout.ts';

const searched = new SearchBox();

/** Groups in breadth-first order: the top of the tree, which every search reads, stays together. */
export interface TriNodeTree extends Arrangement {
  /**
   * Four links a group: to the groups of the children of its second node, and of its third. 0 is none. The nodes of
   * group g are at the places 3g (the parent), 3g + 1 and 3g + 2.
   */
  readonly links: Uint32Array;
}

/** Fuses the nodes of a binary tree of boxes by threes. A leaf that heads a group leaves the other two places empty. O(n). */
export function packTriNodes(tree: Tree<Aabb>): TriNodeTree {
  mustHave('packTriNodes', 'tree', tree, 'a tree', 'ops');
  mustBeBinaryBoxes('packTriNodes', tree);
  const { skip } = tree;
  const isLeaf = (node: number): boolean => skip[node] === node + 1;
  const heads = new Uint32Array(skip.length);
  const nodeAt = new Uint32Array(3 * skip.length).fill(EMPTY);
  const links = new Uint32Array(4 * skip.length);
  let groups = Math.min(skip.length, 1);
  for (let group = 0; group < groups; group++) {
    const head = heads[group]!;
    nodeAt[3 * group] = head;
    if (isLeaf(head)) continue;
    for (let side = 0; side < 2; side++) {
      const child = side === 0 ? head + 1 : rightChild(tree, head);
      nodeAt[3 * group + 1 + side] = child;
      if (isLeaf(child)) continue;
      heads[groups] = child + 1;
      links[4 * group + 2 * side] = groups++;
      heads[groups] = rightChild(tree, child);
      links[4 * group + 2 * side + 1] = groups++;
    }
  }
  return { ...arrange(tree, nodeAt.subarray(0, 3 * groups)), links: links.slice(0, 4 * groups) };
}

/** The items in the leaves whose boxes share a point with the box; `out` is overwritten. */
export function searchTriNodes(tree: TriNodeTree, box: ReadonlyAabb, out: number[] = []): number[] {
  mustHave('searchTriNodes', 'tree', tree, 'a tri node tree', 'links');
  checkAabb('searchTriNodes', 'box', box);
  searched.load(box);
  const { bounds, start, items, links } = tree;
  let count = 0;
  let top = 0;
  if (links.length > 0) pending[top++] = 0;
  while (top > 0) {
    const group = pending[--top]!;
    const head = 3 * group;
    if (!boxMeets(bounds, 6 * head, searched)) continue;
    count = append(items, start[head]!, start[head + 1]!, out, count);
    for (let side = 1; side >= 0; side--) {
      const place = head + 1 + side;
      if (!boxMeets(bounds, 6 * place, searched)) continue;
      count = append(items, start[place]!, start[place + 1]!, out, count);
      const link = 4 * group + 2 * side;
      if (links[link] === 0) continue;
      pending[top++] = links[link + 1]!;
      pending[top++] = links[link]!;
    }
  }
  out.length = count;
  return out;
}

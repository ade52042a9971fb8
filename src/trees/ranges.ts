/** Binary trees by cutting one list of items in two, over and over: what all builders from the top down share. */
import type { Topology } from './tree.ts';

/**
 * Where to part the items at begin … end - 1 of the order, which may be put into another order for it; `begin` when
 * they are to stay together as a leaf.
 *
 * @internal
 */
export type Cut = (begin: number, end: number, depth: number) => number;

/**
 * Builders that may cut off a few items at a time halve from this depth on: no tree is then deeper than about three
 * times the logarithm of the number of items, no set takes longer than O(n log n), and it stays below `MAX_DEPTH` of the packed form. What
 * the heuristics like is about half as deep.
 *
 * @internal
 */
export const halveDepth = (count: number): number => 8 + 2 * (32 - Math.clz32(count));

/**
 * The tree that the cuts make. `order` becomes the `items` of the result.
 *
 * @internal
 */
export function topologyByCuts(order: Uint32Array, cut: Cut): Topology {
  const most = Math.max(0, 2 * order.length - 1);
  const skip = new Uint32Array(most);
  const first = new Uint32Array(most + 1);
  let nodes = 0;
  const stack = order.length > 0 ? [0, order.length, 0] : [];
  while (stack.length > 0) {
    const depth = stack.pop()!;
    const end = stack.pop()!;
    const begin = stack.pop()!;
    const middle = end - begin > 1 ? cut(begin, end, depth) : begin;
    first[nodes] = begin;
    const inner = middle > begin && middle < end;
    if (inner) stack.push(middle, end, depth + 1, begin, middle, depth + 1);
    // Marks an inner node until its subtree is known.
    skip[nodes] = inner ? 0 : nodes + 1;
    nodes++;
  }
  // The second child begins where the first ends, and the node ends with it.
  for (let node = nodes - 1; node >= 0; node--) if (skip[node] === 0) skip[node] = skip[skip[node + 1]!]!;
  first[nodes] = order.length;
  return { skip: skip.slice(0, nodes), first: first.slice(0, nodes + 1), items: order };
}

/**
 * The numbers 0 … count - 1.
 *
 * @internal
 */
export function identityOrder(count: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  return order;
}

/**
 * Trees with more than two children a node, from binary ones. RTCD §6.1.3.
 *
 * To try wide nodes. Production trees are binary: in plain JavaScript four children a node were no faster.
 */
import { refuse } from '../../math/check.ts';
import type { Topology } from '../../trees/tree.ts';

/**
 * The same leaves under nodes with up to `degree` children: inner nodes of the binary tree are left out so that the
 * weights of those that stay add up to the least possible (the first of equals). With all weights 1, the default, that
 * is the smallest number of nodes: with n leaves and every node full, (n - 1) / (degree - 1). With areas for weights it
 * is the cheapest tree for rays. By dynamic programming over how many places a subtree may take in the node above it:
 * O(n degree²). Ylitie, Karras & Laine 2017.
 *
 * @internal
 */
export function collapseTopology(binary: Topology, degree: number, weight?: ArrayLike<number>): Topology {
  const { skip } = binary;
  const nodes = skip.length;
  if (degree === 2 || nodes === 0) return binary;
  // cost[v, p]: the least weight of nodes in the subtree of v when it takes up to p places in the node above.
  // left[v, p]: how many of them the first child takes; 0: the subtree takes one, as a node of its own, of whose
  // places the first child takes left[v, 0].
  const stride = degree + 1;
  const cost = new Float64Array(nodes * stride);
  const left = new Uint16Array(nodes * stride);
  for (let node = nodes - 1; node >= 0; node--) {
    if (skip[node] === node + 1) continue;
    const second = skip[node + 1]!;
    if (skip[second] !== skip[node])
      refuse('buildTree', 'options.degree', 'above 2 needs a method that makes two children a node');
    const at = node * stride;
    for (let places = 2; places <= degree; places++) {
      cost[at + places] = Infinity;
      for (let p = 1; p < places; p++) {
        const sum = cost[(node + 1) * stride + p]! + cost[second * stride + places - p]!;
        if (!(sum < cost[at + places]!)) continue;
        cost[at + places] = sum;
        left[at + places] = p;
      }
    }
    // As a node of its own it has all places for its children, and needs one, however many there are.
    const own = (weight ? weight[node]! : 1) + cost[at + degree]!;
    left[at] = left[at + degree]!;
    for (let places = 1; places <= degree; places++)
      if (places === 1 || cost[at + places]! > own) {
        cost[at + places] = own;
        left[at + places] = 0;
      }
  }
  return emit(binary, left, degree);
}

function emit({ skip, first, items }: Topology, left: Uint16Array, degree: number): Topology {
  const stride = degree + 1;
  const skips: number[] = [];
  const firsts: number[] = [];
  // Pairs: a node and its places; or, to close the subtree of a new node, -1 and its number.
  const stack = [1, 0];
  while (stack.length > 0) {
    const node = stack.pop()!;
    let places = stack.pop()!;
    if (node < 0) {
      skips[places] = skips.length;
      continue;
    }
    const leaf = skip[node] === node + 1;
    let p = left[node * stride + places]!;
    if (leaf || p === 0) {
      firsts.push(first[node]!);
      stack.push(skips.length, -1);
      skips.push(0);
      if (leaf) continue;
      places = degree;
      p = left[node * stride]!;
    }
    stack.push(places - p, skip[node + 1]!, p, node + 1);
  }
  firsts.push(items.length);
  return { skip: Uint32Array.from(skips), first: Uint32Array.from(firsts), items };
}

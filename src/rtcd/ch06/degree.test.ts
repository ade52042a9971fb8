import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../../tests/kit/index.ts';
import { randomBoxes } from '../../../tests/kit/tree-corpus.ts';
import { type BuildNode, flattenTree, type Topology } from '../../trees/tree.ts';
import { buildTreeBy } from './build-by-method.ts';
import { collapseTopology } from './degree.ts';
import { topDownTopology } from './top-down.ts';

const leaf = (item: number): BuildNode => ({ children: [], items: [item] });
const pair = (a: BuildNode, b: BuildNode): BuildNode => ({ children: [a, b], items: [] });

/** A random full tree of a degree, its nodes as random binary trees of their children; and how many nodes it had. */
function fullTree(rng: Rng, degree: number, inner: number): BuildNode {
  let leaves = 0;
  const grow = (size: number): BuildNode => {
    if (size === 0) return leaf(leaves++);
    const shares = new Array<number>(degree).fill(0);
    for (let i = 1; i < size; i++) shares[rng.int(0, degree - 1)]!++;
    const children = shares.map(grow);
    while (children.length > 1) {
      const at = rng.int(0, children.length - 2);
      children.splice(at, 2, pair(children[at]!, children[at + 1]!));
    }
    return children[0]!;
  };
  return grow(inner);
}

const childrenOf = ({ skip }: Topology, node: number): number[] => {
  const children: number[] = [];
  for (let child = node + 1; child < skip[node]!; child = skip[child]!) children.push(child);
  return children;
};
const innerOf = (tree: Topology): number[] =>
  [...tree.skip.keys()].filter((node) => tree.skip[node]! > node + 1);

for (const degree of [2, 3, 4, 8])
  property(`[R6.1.3] a full tree of degree ${degree} has (n - 1) / (d - 1) inner nodes`, 300, (rng) => {
    const inner = rng.int(0, 12);
    const binary = flattenTree(fullTree(rng, degree, inner));
    const wide = collapseTopology(binary, degree);
    const leaves = inner * (degree - 1) + 1;
    check(wide.items.length === leaves, 'leaves');
    check(innerOf(wide).length === (leaves - 1) / (degree - 1), () => `${innerOf(wide).length} of ${inner}`);
    for (const node of innerOf(wide)) check(childrenOf(wide, node).length === degree, 'not full');
    check(
      wide.items.every((item, i) => item === binary.items[i]),
      'the order of the items',
    );
  });

describe('[R6.1.3] any tree', () => {
  for (const degree of [3, 4, 5, 8])
    property(
      `degree ${degree}: the same leaves, at most so many children, no more nodes than needed`,
      200,
      (rng) => {
        const items = randomBoxes(rng, rng.int(1, 60));
        const binary = buildTreeBy(items, { method: 'morton', leafSize: rng.int(1, 3) });
        const wide = collapseTopology(binary, degree);
        const starts = (tree: Topology): string =>
          [...tree.skip.keys()]
            .filter((i) => tree.skip[i] === i + 1)
            .map((i) => tree.first[i])
            .join();
        check(starts(wide) === starts(binary), 'the leaves');
        for (const node of innerOf(wide)) {
          const size = childrenOf(wide, node).length;
          check(size >= 2 && size <= degree, `${size} children`);
        }
        const leaves = wide.skip.length - innerOf(wide).length;
        check(innerOf(wide).length >= (leaves - 1) / (degree - 1), 'fewer than there can be');
      },
    );

  property('the weights of the nodes that stay add up to the least possible', 300, (rng) => {
    // All ways of leaving out nodes, for a small tree: the oracle tries every set.
    const binary = flattenTree(fullTree(rng, 2, rng.int(1, 7)));
    const degree = rng.int(3, 5);
    const weight = Float64Array.from(binary.skip, () => rng.int(0, 9));
    const inner = innerOf(binary);
    let best = Infinity;
    for (let set = 0; set < 1 << inner.length; set++) {
      const out = new Set(inner.filter((_, i) => (set >> i) & 1));
      if (out.has(0)) continue;
      const open = (node: number): number[] =>
        childrenOf(binary, node).flatMap((c) => (out.has(c) ? open(c) : [c]));
      const kept = inner.filter((node) => !out.has(node));
      if (kept.some((node) => open(node).length > degree)) continue;
      best = Math.min(
        best,
        kept.reduce((sum, node) => sum + weight[node]!, 0),
      );
    }
    const wide = collapseTopology(binary, degree, weight);
    // A node of the wide tree is that of the binary one with the same items.
    const range = (t: Topology, node: number): string => `${t.first[node]} ${t.first[t.skip[node]!]}`;
    const weights = new Map(inner.map((node) => [range(binary, node), weight[node]!]));
    const sum = innerOf(wide).reduce((total, node) => total + weights.get(range(wide, node))!, 0);
    check(sum === best, () => `${sum}, best ${best}`);
  });
});

test('[R6.1.3] a binary tree cut at the medians of a power of the degree becomes a full tree', () => {
  for (const [degree, count] of [
    [2, 64],
    [4, 64],
    [8, 64],
    [4, 256],
    [8, 512],
  ] as const) {
    const binary = topDownTopology(randomBoxes(new Rng(1), count), { leafSize: 1 });
    expect(innerOf(collapseTopology(binary, degree))).toHaveLength((count - 1) / (degree - 1));
  }
});

test('one node, or none, stays what it is', () => {
  for (const count of [0, 1])
    expect(buildTreeBy(randomBoxes(new Rng(1), count), { degree: 8 }).skip).toHaveLength(count);
});

test('a tree that is not binary is refused', () => {
  const three = flattenTree({ children: [leaf(0), leaf(1), leaf(2)], items: [] });
  expect(() => collapseTopology(three, 4)).toThrow('options.degree');
});

/** Whether a dynamic tree is what it should be. */
import { mustHave } from '../math/check.ts';
import { type DynamicNodes, HEIGHT, LINK, NODE, NONE } from './dynamic-nodes.ts';
import type { DynamicTree } from './dynamic-tree.ts';

/**
 * What is wrong with a tree, in words; nothing unless there is a mistake in this library. Looks at every node, every proxy
 * and both free lists. RTCD §6.1.
 */
export function validateDynamicTree(tree: DynamicTree): string[] {
  mustHave('validateDynamicTree', 'tree', tree, 'a DynamicTree', 'nodes');
  const { nodes } = tree;
  const { count, bounds, links, boxes, slots, up } = nodes;
  const faults: string[] = [];
  const seen = new Uint8Array(nodes.proxies);
  let leaves = 0;
  let pairs = 0;
  const stack = count > 0 ? [0] : [];
  while (stack.length > 0) {
    const node = stack.pop()!;
    const link = links[NODE * node + LINK]!;
    if (link < 0) {
      const proxy = ~link;
      leaves++;
      if (proxy >= nodes.proxies || seen[proxy]) {
        faults.push(`node ${node} is a leaf of proxy ${proxy}, which is there twice or not at all`);
        continue;
      }
      seen[proxy] = 1;
      if (slots[proxy] !== node) faults.push(`proxy ${proxy} is at node ${node} and not at ${slots[proxy]}`);
      if (links[NODE * node + HEIGHT] !== 0) faults.push(`leaf ${node} has a height`);
      if (!holds(bounds, NODE * node, boxes, 6 * proxy)) faults.push(`leaf ${node} does not hold its box`);
      continue;
    }
    pairs++;
    if (link < 2 || link % 2 !== 0 || link >= 2 * nodes.pairs) {
      faults.push(`node ${node} has children at ${link}, where there are none`);
      continue;
    }
    if (up[link >> 1] !== node) faults.push(`the parent of ${link} is ${node} and not ${up[link >> 1]}`);
    let height = 0;
    for (let child = link; child < link + 2; child++) {
      height = Math.max(height, 1 + links[NODE * child + HEIGHT]!);
      if (!holds(bounds, NODE * node, bounds, NODE * child))
        faults.push(`node ${node} does not hold ${child}`);
      stack.push(child);
    }
    if (links[NODE * node + HEIGHT] !== height) faults.push(`node ${node} has the wrong height`);
    if (leaves + pairs > 2 * nodes.pairs) return [...faults, 'the nodes form a circle'];
  }
  if (leaves !== count) faults.push(`there are ${leaves} leaves and not ${count}`);
  for (let proxy = 0; proxy < nodes.proxies; proxy++)
    if (slots[proxy]! >= 0 && !seen[proxy]) faults.push(`proxy ${proxy} is not in the tree`);
  const free = countFree(nodes);
  if (free.pairs !== nodes.pairs - 1 - pairs)
    faults.push(`${free.pairs} pairs are free, and ${pairs} in use`);
  if (free.proxies !== nodes.proxies - count)
    faults.push(`${free.proxies} proxies are free, and ${count} in use`);
  return faults;
}

function holds(outer: Float32Array, p: number, inner: Float32Array | Float64Array, q: number): boolean {
  for (let k = 0; k < 3; k++)
    if (!(outer[p + k]! <= inner[q + k]! && outer[p + k + 3]! >= inner[q + k + 3]!)) return false;
  return true;
}

/** The lengths of the free lists; Infinity for a list without end. */
function countFree(tree: DynamicNodes): { pairs: number; proxies: number } {
  let pairs = 0;
  for (let pair = tree.freePair; pair !== 0; pair = tree.up[pair]!)
    if (++pairs > tree.pairs) return { pairs: Infinity, proxies: 0 };
  let proxies = 0;
  for (let proxy = tree.freeProxy; proxy !== NONE; proxy = ~tree.slots[proxy]!)
    if (++proxies > tree.proxies) return { pairs, proxies: Infinity };
  return { pairs, proxies };
}

/** Is a tree right, and how good is it? RTCD §6.1.1. */
import { mustHave, refuse } from '../math/check.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Topology, Tree, TreeItems } from './tree.ts';

/**
 * What is wrong with the tree, in words; nothing if it is right: the arrays describe a tree in preorder with items in
 * its leaves only, every item is in one leaf, and every volume encloses the items below it. The volumes of children
 * need not be inside their parent's. O(n depth), for tests and for trees from elsewhere; after the first hundred faults
 * it stops.
 */
export function validateTree<V>(tree: Tree<V>, items: TreeItems): string[] {
  const faults = [...topologyFaults(tree, items.count)];
  const { ops, skip, volumes } = tree;
  const size = ops.byteSize / 4;
  if (volumes.length !== size * skip.length)
    faults.push(
      `the tree has ${skip.length} nodes of ${size} numbers and ${volumes.length} numbers for volumes`,
    );
  return faults.length > 0 ? faults : volumeFaults(tree, items);
}

const MANY = 100;

function topologyFaults({ skip, first, items }: Topology, count: number): string[] {
  const faults: string[] = [];
  const nodes = skip.length;
  const add = (fault: string): number => faults.push(fault);
  if (first.length !== nodes + 1) add(`first has ${first.length} numbers for ${nodes} nodes, not one more`);
  else if (first[nodes] !== items.length) add(`first ends with ${first[nodes]} for ${items.length} items`);
  if (nodes === 0 ? items.length > 0 : skip[0] !== nodes || first[0] !== 0)
    add('node 0 does not hold the whole tree');
  const seen = new Uint8Array(count);
  for (const item of items) {
    if (item >= count) add(`item ${item} does not exist`);
    else if (seen[item]!++) add(`item ${item} is in the tree more than once`);
    if (faults.length > MANY) return faults;
  }
  for (let item = 0; item < count && faults.length <= MANY; item++)
    if (!seen[item]) add(`item ${item} is not in the tree`);
  // Where the subtrees end that the node at hand is in.
  const ends: number[] = [];
  for (let node = 0; node < nodes && faults.length <= MANY; node++) {
    while (ends.length > 0 && ends[ends.length - 1]! <= node) ends.pop();
    const end = skip[node]!;
    const most = ends[ends.length - 1] ?? nodes;
    if (!(end > node && end <= most))
      return [...faults, `node ${node}: skip ${end} is not in ${node + 1} … ${most}`];
    if (first[node]! > first[node + 1]!) add(`node ${node}: its items end before they begin`);
    else if (end === node + 1 && first[node] === first[end]) add(`node ${node}: a leaf without items`);
    else if (end > node + 1 && first[node] !== first[node + 1])
      add(`node ${node}: has both items and children`);
    else if (end > node + 1 && skip[node + 1] === end) add(`node ${node}: has one child only`);
    ends.push(end);
  }
  return faults;
}

function volumeFaults<V>({ ops, skip, first, items: order, volumes }: Tree<V>, items: TreeItems): string[] {
  const faults: string[] = [];
  const volume = ops.make();
  const p = vec3();
  const starts = new Uint32Array(items.count + 1);
  const points: number[] = [];
  for (let item = 0; item < items.count; item++) {
    items.points(item, points);
    starts[item + 1] = points.length;
  }
  for (let node = 0; node < skip.length && faults.length < MANY; node++) {
    ops.load(volumes, (node * ops.byteSize) / 4, volume);
    for (let i = first[node]!; i < first[skip[node]!]!; i++) {
      const item = order[i]!;
      try {
        for (let at = starts[item]!; at < starts[item + 1]!; at += 3)
          if (!ops.containsPoint(v3.set(points[at]!, points[at + 1]!, points[at + 2]!, p), volume)) {
            faults.push(`node ${node}: its volume does not hold item ${item}`);
            break;
          }
      } catch (error) {
        // Not a volume at all.
        faults.push(`node ${node}: ${error instanceof Error ? error.message : String(error)}`);
        break;
      }
    }
  }
  return faults;
}

export interface TreeMeasure {
  nodes: number;
  leaves: number;
  items: number;
  /** The most inner nodes above a leaf. */
  depth: number;
  /** Of all arrays. */
  bytes: number;
  /** The sum of the surface areas of all nodes. */
  area: number;
  /** The sum of the volumes of all nodes. */
  volume: number;
  /** Pairs of siblings, and how many of them overlap. */
  siblings: number;
  overlaps: number;
  /**
   * By the surface area heuristic: how many nodes and items a random ray is tested against, if it hits the root. Where
   * the root has no area, all of them.
   */
  cost: number;
}

/** How large the tree is, and how good. O(nodes), for trees of few children a node. */
export function measureTree<V>(tree: Tree<V>): TreeMeasure {
  mustHave('measureTree', 'tree', tree, 'a tree', 'ops');
  const { ops, skip, first, items, volumes } = tree;
  const nodes = skip.length;
  if (volumes.length * 4 !== nodes * ops.byteSize)
    refuse('measureTree', 'tree.volumes', 'must be one a node');
  const at = (node: number): V => ops.load(volumes, (node * ops.byteSize) / 4);
  const bytes = skip.byteLength + first.byteLength + items.byteLength + volumes.byteLength;
  const measure = {
    nodes,
    leaves: 0,
    items: items.length,
    depth: 0,
    bytes,
    area: 0,
    volume: 0,
    siblings: 0,
    overlaps: 0,
    cost: 0,
  };
  const whole = nodes > 0 ? ops.area(at(0)) : 0;
  const ends: number[] = [];
  for (let node = 0; node < nodes; node++) {
    while (ends.length > 0 && ends[ends.length - 1]! <= node) ends.pop();
    const volume = at(node);
    const area = ops.area(volume);
    const leaf = skip[node] === node + 1;
    measure.area += area;
    measure.volume += ops.volume(volume);
    measure.depth = Math.max(measure.depth, ends.length);
    measure.cost += (leaf ? first[node + 1]! - first[node]! : 1) * (whole > 0 ? area / whole : 1);
    if (leaf) measure.leaves++;
    else ends.push(skip[node]!);
    const parentEnd = ends.length > (leaf ? 0 : 1) ? ends[ends.length - (leaf ? 1 : 2)]! : nodes;
    for (let other = skip[node]!; other < parentEnd; other = skip[other]!) {
      measure.siblings++;
      if (ops.overlap(volume, at(other))) measure.overlaps++;
    }
  }
  return measure;
}

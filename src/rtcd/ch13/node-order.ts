/**
 * The order in which a search meets the children of a node and the items of a leaf. RTCD §6.6.5.
 *
 * To put first what most searches want. Production picks the nearer child by the direction of the ray:
 * `trimesh/ray.ts`.
 */
import { checkNumbers, checkPoint, describe, mustHave, refuse } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { Tree } from '../../trees/tree.ts';

/**
 * Which children come first, so that a search that may stop early does stop early:
 * - `'leaves'`: leaves before inner nodes, because only items decide;
 * - `'small'`: those with fewer nodes below them, for the same reason;
 * - `hits` and `tests`, one number a node: those that were hit most often for the times they were tested;
 * - `direction`: those that a query travelling in this direction meets first (trees of boxes or spheres).
 */
export type ChildOrder =
  | 'leaves'
  | 'small'
  | { readonly hits: ArrayLike<number>; readonly tests: ArrayLike<number> }
  | { readonly direction: ReadonlyVec3 };

/**
 * The same tree with its children in another order; with `costs`, one number an item, also the items of each leaf, the
 * cheapest to test first. Ties stay as they are. A search that finds everything finds the same set in either. O(n log n).
 */
export function reorderTree<V>(tree: Tree<V>, children: ChildOrder, costs?: ArrayLike<number>): Tree<V> {
  if (costs !== undefined && costs !== null) checkNumbers('reorderTree', 'costs', costs);
  mustHave('reorderTree', 'tree', tree, 'a tree', 'ops');
  const { skip, first, items, volumes, ops } = tree;
  const size = ops.byteSize / 4;
  const keys = keysOf(tree, children);
  if (costs) mustBeNumbers('costs', costs, items.length);
  const ordered: Tree<V> = {
    ops,
    skip: new Uint32Array(skip.length),
    first: new Uint32Array(first.length),
    items: new Uint32Array(items.length),
    volumes: new Float32Array(volumes.length),
  };
  const stack = skip.length > 0 ? [0] : [];
  const family: number[] = [];
  let filled = 0;
  for (let place = 0; place < skip.length; place++) {
    const node = stack.pop()!;
    ordered.skip[place] = place + (skip[node]! - node);
    ordered.first[place] = filled;
    for (let k = 0; k < size; k++) ordered.volumes[size * place + k] = volumes[size * node + k]!;
    if (skip[node] === node + 1) {
      const own = items.slice(first[node]!, first[node + 1]!);
      if (costs) own.sort((a, b) => costs[a]! - costs[b]!);
      ordered.items.set(own, filled);
      filled += own.length;
    }
    family.length = 0;
    for (let child = node + 1; child < skip[node]!; child = skip[child]!) family.push(child);
    family.sort((a, b) => keys[a]! - keys[b]!);
    for (let i = family.length - 1; i >= 0; i--) stack.push(family[i]!);
  }
  ordered.first[skip.length] = filled;
  return ordered;
}

/** For each node a number: children go from the least to the greatest. */
function keysOf<V>(tree: Tree<V>, order: ChildOrder): Float64Array {
  const { skip } = tree;
  const keys = new Float64Array(skip.length);
  if (order === 'leaves' || order === 'small')
    return keys.map((_, i) => (order === 'small' ? skip[i]! - i : skip[i]! - i > 1 ? 1 : 0));
  if (typeof order !== 'object' || order === null) refuse('reorderTree', 'children', `is unknown: ${order}`);
  if ('direction' in order) return distancesAlong(tree, order.direction);
  const { hits, tests } = order;
  mustBeNumbers('children.hits', hits, skip.length);
  mustBeNumbers('children.tests', tests, skip.length);
  return keys.map((_, i) => (tests[i]! > 0 ? -hits[i]! / tests[i]! : 0));
}

/** How far along the direction each volume begins. */
function distancesAlong<V>({ skip, volumes, ops }: Tree<V>, direction: ReadonlyVec3): Float64Array {
  checkPoint('reorderTree', 'children.direction', direction);
  const keys = new Float64Array(skip.length);
  const d = [direction.x, direction.y, direction.z];
  const box = ops.kind === 'aabb';
  if (!box && ops.kind !== 'sphere')
    refuse('reorderTree', 'children.direction', `is for trees of boxes or spheres, not of ${ops.kind}`);
  for (let node = 0; node < skip.length; node++) {
    const at = (box ? 6 : 4) * node;
    let key = box ? 0 : -volumes[at + 3]! * Math.sqrt(d[0]! * d[0]! + d[1]! * d[1]! + d[2]! * d[2]!);
    for (let k = 0; k < 3; k++) key += d[k]! * volumes[at + (box && d[k]! < 0 ? 3 + k : k)]!;
    keys[node] = key;
  }
  return keys;
}

function mustBeNumbers(name: string, values: ArrayLike<number>, count: number): void {
  if (values.length !== count)
    refuse('reorderTree', name, `must hold ${count} numbers, got ${values.length}`);
  for (let i = 0; i < count; i++)
    if (!(values[i]! >= 0 && values[i]! < Infinity))
      refuse('reorderTree', name, `must hold finite numbers from 0 on, got ${describe(values[i])} at ${i}`);
}

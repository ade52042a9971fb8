/** Searching one hierarchy: what overlaps a volume, holds a point, is hit by a ray, is nearest. */
import {
  checkPoint,
  checkRay,
  describe,
  mustBeFunction,
  mustBeNumber,
  mustBeOptions,
  mustHave,
  refuse,
} from '../math/check.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, ReadonlyRay, Sphere } from '../primitives/types.ts';
import { type Kdop, kdopAxes } from '../volumes/kdop.ts';
import type { VolumeOps } from '../volumes/volume.ts';
import type { TreeCounters } from './counters.ts';
import { PairHeap, PairStack } from './pair-lists.ts';
import { mustBeTree } from './pair-test.ts';
import type { Tree } from './tree.ts';
/** Told of an item in a leaf that was reached; returns true to end the search. */
export type ItemVisit = (item: number) => unknown;

export interface QueryOptions<V> {
  /** Where to begin, of `startGroup`. Default: the root. */
  readonly start?: TreeStart<V> | undefined;
  readonly counters?: TreeCounters | undefined;
}

/**
 * Tells `visit` of the items in all leaves that overlap a volume of the tree's own kind, or that pass a test of yours:
 * candidates, for the visitor to test. A test must hold for a node when it holds for anything inside (the volume it is
 * given is only valid during the call).
 *
 * Goes through the nodes in the order in which they lie, jumping over what does not overlap: it needs no stack.
 *
 * @returns whether the visitor ended it by returning true
 */
export function queryTree<V>(
  tree: Tree<V>,
  probe: Readonly<V> | ((volume: Readonly<V>, node: number) => boolean),
  visit: ItemVisit,
  options: QueryOptions<V> = {},
): boolean {
  mustBeFunction('queryTree', 'visit', visit);
  mustBeOptions('queryTree', 'options', options, 'start counters');
  mustBeTree('queryTree', 'tree', tree);
  const { overlap } = tree.ops;
  const test =
    typeof probe === 'function'
      ? (probe as (volume: Readonly<V>, node: number) => boolean)
      : (volume: Readonly<V>) => overlap(probe as Readonly<V>, volume);
  return walk('queryTree', tree, test, visit, options);
}

/** `queryTree` for the leaves whose volumes hold a point. */
export function queryTreePoint<V>(
  tree: Tree<V>,
  p: ReadonlyVec3,
  visit: ItemVisit,
  options: QueryOptions<V> = {},
): boolean {
  mustBeFunction('queryTreePoint', 'visit', visit);
  mustBeOptions('queryTreePoint', 'options', options, 'start counters');
  mustBeTree('queryTreePoint', 'tree', tree);
  checkPoint('queryTreePoint', 'p', p);
  const { containsPoint } = tree.ops;
  return walk('queryTreePoint', tree, (volume) => containsPoint(p, volume), visit, options);
}

function walk<V>(
  caller: string,
  tree: Tree<V>,
  test: (volume: Readonly<V>, node: number) => boolean,
  visit: ItemVisit,
  { start, counters }: QueryOptions<V>,
): boolean {
  if (start) mustBeStart(caller, tree, start);
  const { skip, first, items, volumes, ops } = tree;
  const stride = ops.byteSize / 4;
  const volume = ops.make();
  const end = start ? start.end : skip.length;
  for (let i = start ? start.node : 0; i < end; ) {
    if (counters) counters.volumeTests++;
    if (!test(ops.load(volumes, i * stride, volume), i)) {
      i = skip[i]!;
      continue;
    }
    // Only leaves report items: those of an inner node are those of its children.
    if (skip[i]! === ++i)
      for (let k = first[i - 1]!; k < first[i]!; k++) {
        if (counters) counters.itemTests++;
        if (visit(items[k]!) === true) return true;
      }
  }
  return false;
}

/**
 * Tells `visit` of the items in all leaves that a ray hits at some t in [0, tMax], nearer children first (by the middle
 * of their volumes). The visitor tests the item up to the t it is given and returns that of a hit: nothing beyond the
 * smallest of them is looked at any more. Return nothing for a miss, or true to end the search.
 *
 * @returns the smallest t returned, or tMax
 */
export function rayTree<V>(
  ray: ReadonlyRay,
  tree: Tree<V>,
  visit: (item: number, tMax: number) => unknown,
  tMax = Infinity,
  counters?: TreeCounters,
): number {
  if (counters !== undefined && counters !== null)
    mustHave('rayTree', 'counters', counters, 'a tree counters', 'volumeTests');
  checkRay('rayTree', 'ray', ray);
  mustBeFunction('rayTree', 'visit', visit);
  mustBeNumber('rayTree', 'tMax', tMax);
  mustBeTree('rayTree', 'tree', tree);
  if (!(tMax >= 0)) refuse('rayTree', 'tMax', `must not be negative, got ${describe(tMax)}`);
  const { skip, first, items, volumes, ops } = tree;
  const stride = ops.byteSize / 4;
  const volume = ops.make();
  const middle = middleOf(ops);
  const center = vec3();
  const stack = new PairStack();
  const kids: number[] = [];
  const far: number[] = [];
  let best = tMax;
  if (skip.length > 0) stack.push(0, 0, 0);
  while (stack.length > 0) {
    stack.pop();
    const { a: i } = stack;
    if (counters) counters.volumeTests++;
    if (!ops.ray(ray, ops.load(volumes, i * stride, volume), best)) continue;
    const end = skip[i]!;
    if (end === i + 1) {
      for (let k = first[i]!; k < first[end]!; k++) {
        if (counters) counters.itemTests++;
        const t = visit(items[k]!, best);
        if (t === true) return best;
        if (typeof t !== 'number') continue;
        if (!(t >= 0)) refuse('rayTree', 'visit', `must not return a t below 0, got ${describe(t)}`);
        if (t < best) best = t;
      }
      continue;
    }
    let count = 0;
    for (let c = i + 1; c < end; c = skip[c]!) {
      // How far along the ray; without a middle all are alike, and stay in the order in which they lie.
      const along = middle ? v3.dot(middle(ops.load(volumes, c * stride, volume), center), ray.direction) : 0;
      let at = count++;
      for (; at > 0 && far[at - 1]! > along; at--) {
        kids[at] = kids[at - 1]!;
        far[at] = far[at - 1]!;
      }
      kids[at] = c;
      far[at] = along;
    }
    while (count > 0) stack.push(kids[--count]!, 0, 0);
  }
  return best;
}

/** The function that finds the middle of a volume, where its kind is known. */
function middleOf<V>({ kind }: VolumeOps<V>): ((volume: V, out: Vec3) => ReadonlyVec3) | null {
  if (kind === 'sphere' || kind === 'obb') return (volume) => (volume as { center: Vec3 } & Sphere).center;
  if (kind === 'aabb')
    return (box, out) => {
      const { min, max } = box as Aabb;
      return v3.set(0.5 * (min.x + max.x), 0.5 * (min.y + max.y), 0.5 * (min.z + max.z), out);
    };
  return kind.startsWith('kdop') ? (kdop, out) => middleOfKdop(kdop as Kdop, out) : null;
}

/** The axes of a k-DOP are symmetric: the sum of n nᵀ over them is a multiple of the identity. */
function middleOfKdop({ sides, min, max }: Kdop, out: Vec3): ReadonlyVec3 {
  const axes = kdopAxes(sides);
  let weight = 0;
  v3.set(0, 0, 0, out);
  for (let i = 0; i < axes.length; i++) {
    const n = axes[i]!;
    const m = 0.5 * (min[i]! + max[i]!);
    weight += n.x * n.x;
    v3.set(out.x + m * n.x, out.y + m * n.y, out.z + m * n.z, out);
  }
  return v3.scale(out, 1 / weight, out);
}

export interface NearestOptions {
  /** Nothing farther than this is reported. Default: no limit. */
  readonly maxDistance?: number | undefined;
  readonly counters?: TreeCounters | undefined;
}

/**
 * Tells `visit` of the items one by one, nearest first; of equally near ones, the smaller number first. It ends the search
 * by returning true: after one for the nearest, after k for the k nearest.
 *
 * What distance means is yours to say, squares included, for `bound` and `distance` alike. `distance(item)` is asked
 * once for an item that is reached; Infinity leaves it out. `bound(volume)` must not be larger than the distance of
 * anything inside. Best first: no more nodes are opened than the answer needs. RTCD §6.3.
 *
 * @returns whether the visitor ended it
 */
export function nearestTree<V>(
  tree: Tree<V>,
  bound: (volume: Readonly<V>) => number,
  distance: (item: number) => number,
  visit: (item: number, distance: number) => unknown,
  { maxDistance = Infinity, counters }: NearestOptions = {},
): boolean {
  mustBeFunction('nearestTree', 'bound', bound);
  mustBeFunction('nearestTree', 'distance', distance);
  mustBeFunction('nearestTree', 'visit', visit);
  mustBeTree('nearestTree', 'tree', tree);
  if (!(maxDistance >= 0))
    refuse('nearestTree', 'options.maxDistance', `must not be negative, got ${describe(maxDistance)}`);
  const { skip, first, items, volumes, ops } = tree;
  const stride = ops.byteSize / 4;
  const volume = ops.make();
  // Nodes and items on one heap; at equal distance nodes come first, for they may hold a smaller number.
  const heap = new PairHeap();
  const consider = (name: string, key: number, id: number, kind: number) => {
    if (Number.isNaN(key)) refuse('nearestTree', name, 'must return a number, got NaN');
    if (key <= maxDistance && key < Infinity) heap.push(key, id, kind, 0);
  };
  const considerNode = (node: number) => {
    if (counters) counters.volumeTests++;
    consider('bound', bound(ops.load(volumes, node * stride, volume)), node, NODE);
  };
  if (skip.length > 0) considerNode(0);
  while (heap.length > 0) {
    heap.pop();
    const { a: id, b: kind, key } = heap;
    if (kind === ITEM) {
      if (visit(id, key) === true) return true;
      continue;
    }
    const end = skip[id]!;
    for (let c = id + 1; c < end; c = skip[c]!) considerNode(c);
    if (end !== id + 1) continue;
    for (let k = first[id]!; k < first[end]!; k++) {
      if (counters) counters.itemTests++;
      consider('distance', distance(items[k]!), items[k]!, ITEM);
    }
  }
  return false;
}

const NODE = 0;
const ITEM = 1;

/** Several queries from one neighbourhood share the descent. RTCD §6.6.7. */

/** Where in a tree queries may begin: at `node`, up to but without `end`. Nothing to search when they are equal. */
export interface TreeStart<V> {
  readonly tree: Tree<V>;
  readonly node: number;
  readonly end: number;
  /** The nodes that were passed by, and their volumes as stored then: while these are the same, the start is good. */
  readonly passed: Uint32Array;
  readonly seen: Float32Array;
}

/**
 * Lets a volume around a group of queries (four wheels, say) sink down the tree as long as it overlaps one child only.
 * Whatever lies in the volume finds all it overlaps at or below that node: pass the start to `queryTree` for each member.
 * A start is good for this tree as it is; after a refit that matters to it, it is refused.
 */
export function startGroup<V>(tree: Tree<V>, volume: Readonly<V>, counters?: TreeCounters): TreeStart<V> {
  if (counters !== undefined && counters !== null)
    mustHave('startGroup', 'counters', counters, 'a tree counters', 'volumeTests');
  mustBeTree('startGroup', 'tree', tree);
  const { skip, volumes, ops } = tree;
  const stride = ops.byteSize / 4;
  const other = ops.make();
  const overlaps = (node: number): boolean => {
    if (counters) counters.volumeTests++;
    return ops.overlap(volume, ops.load(volumes, node * stride, other));
  };
  const passed: number[] = [];
  const from = (node: number, end: number): TreeStart<V> => {
    const seen = new Float32Array(passed.length * stride);
    for (const [k, other] of passed.entries()) seen.set(stored(tree, other), k * stride);
    return { tree, node, end, passed: Uint32Array.from(passed), seen };
  };
  if (skip.length === 0) return from(0, 0);
  if (!overlaps(0)) {
    passed.push(0);
    return from(skip.length, skip.length);
  }
  let node = 0;
  for (;;) {
    const end = skip[node]!;
    const known = passed.length;
    let only = -1;
    for (let c = node + 1; c < end; c = skip[c]!) {
      if (!overlaps(c)) passed.push(c);
      else if (only < 0) only = c;
      else {
        passed.length = known;
        return from(node, end);
      }
    }
    // A leaf, or an inner node none of whose children are touched.
    if (only < 0) return end === node + 1 ? from(node, end) : from(end, end);
    node = only;
  }
}

const stored = <V>({ volumes, ops }: Tree<V>, node: number): Float32Array =>
  volumes.subarray((node * ops.byteSize) / 4, ((node + 1) * ops.byteSize) / 4);

/** @internal */
export function mustBeStart<V>(caller: string, tree: Tree<V>, start: TreeStart<V>): void {
  const { passed, seen } = start;
  const { volumes, ops } = tree;
  const stride = ops.byteSize / 4;
  let same = start.tree === tree;
  for (let k = 0; k < passed.length && same; k++)
    for (let n = 0; n < stride; n++)
      if (volumes[passed[k]! * stride + n] !== seen[k * stride + n]) same = false;
  if (!same) refuse(caller, 'start', 'must be of this tree as it is: ask startGroup again after a change');
}

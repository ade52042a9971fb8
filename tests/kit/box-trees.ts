/** Hierarchies of boxes for tests, and the slow way to search them. */
import { roundDownF32, roundUpF32 } from '../../src/math/float.ts';
import type { Aabb, ReadonlyAabb } from '../../src/primitives/types.ts';
import { type BuildNode, flattenTree, type Topology, type Tree } from '../../src/trees/tree.ts';
import { aabbVolume } from '../../src/volumes/aabb-volume.ts';
import { cloud, type Rng } from './rng.ts';

/** `count` boxes, six numbers each: points, flat ones, equal ones, tiny and huge ones among the ordinary. */
export function randomBoxes(rng: Rng, count: number): Float64Array {
  const { points, size } = cloud(rng, count + 1);
  const bounds = new Float64Array(6 * count);
  const same = rng.chance(0.1);
  const big = rng.pick([0.1, 0.1, 1e-6, 1]);
  for (let i = 0; i < count; i++) {
    const p = points[same ? 0 : i]!;
    const half = [0, 1, 2].map(() => (rng.chance(0.2) ? 0 : size * big * rng.unit()));
    const at = [p.x, p.y, p.z];
    for (let k = 0; k < 3; k++) {
      bounds[6 * i + k] = at[k]! - half[k]!;
      bounds[6 * i + 3 + k] = at[k]! + half[k]!;
    }
  }
  return bounds;
}

/** A box to search with: often one that just touches a box of the set, or is one, or a point. */
export function randomQuery(rng: Rng, bounds: Float64Array): Aabb {
  const count = bounds.length / 6;
  const side = (i: number, k: number) => (count > 0 ? bounds[6 * i + k]! : rng.range(-1, 1));
  const i = rng.int(0, Math.max(0, count - 1));
  const j = rng.chance(0.5) ? i : rng.int(0, Math.max(0, count - 1));
  const p = [0, 1, 2].map((k) => side(i, k + rng.pick([0, 3])));
  const q = [0, 1, 2].map((k) => side(j, k + rng.pick([0, 3])));
  const low = p.map((x, k) => Math.min(x, q[k]!));
  const high = p.map((x, k) => Math.max(x, q[k]!));
  return { min: { x: low[0]!, y: low[1]!, z: low[2]! }, max: { x: high[0]!, y: high[1]!, z: high[2]! } };
}

export type TreeShape = 'even' | 'random' | 'chain';

/** A binary tree over the numbers below `count`. No regard is paid to where the boxes are: searches must cope. */
export function shapeTree(rng: Rng, count: number, shape: TreeShape, leafSize = 1): BuildNode {
  const leaf = (from: number, to: number): BuildNode => ({
    children: [],
    items: Array.from({ length: to - from }, (_, i) => from + i),
  });
  if (shape === 'chain') {
    let node = leaf(Math.max(0, count - 1), count);
    for (let i = count - 2; i >= 0; i--) node = { children: [leaf(i, i + 1), node], items: [] };
    return node;
  }
  const build = (from: number, to: number): BuildNode => {
    if (to - from <= leafSize) return leaf(from, to);
    const cut = shape === 'even' ? (from + to) >>> 1 : rng.int(from + 1, to - 1);
    return { children: [build(from, cut), build(cut, to)], items: [] };
  };
  return build(0, count);
}

/** The tree of that shape with a box around everything below each node. */
export function boxTree(root: BuildNode, bounds: Float64Array): Tree<Aabb> {
  const topology = flattenTree(root);
  const { skip, first, items } = topology;
  const volumes = new Float32Array(6 * skip.length);
  for (let node = 0; node < skip.length; node++)
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = first[node]!; i < first[skip[node]!]!; i++) {
        low = Math.min(low, bounds[6 * items[i]! + k]!);
        high = Math.max(high, bounds[6 * items[i]! + 3 + k]!);
      }
      volumes[6 * node + k] = roundDownF32(low);
      volumes[6 * node + 3 + k] = roundUpF32(high);
    }
  return { ...topology, ops: aabbVolume, volumes };
}

/** The items in all leaves that share a point with the box, by looking at every leaf; sorted. */
export function itemsInLeaves(
  { skip, first, items, volumes }: Tree<Aabb>,
  { min, max }: ReadonlyAabb,
): number[] {
  const found: number[] = [];
  for (let node = 0; node < skip.length; node++) {
    if (skip[node] !== node + 1) continue;
    const [ax, ay, az, bx, by, bz] = volumes.subarray(6 * node, 6 * node + 6) as unknown as number[];
    if (ax! > max.x || ay! > max.y || az! > max.z || bx! < min.x || by! < min.y || bz! < min.z) continue;
    for (let i = first[node]!; i < first[node + 1]!; i++) found.push(items[i]!);
  }
  return found.sort((a, b) => a - b);
}

export const sorted = (items: readonly number[]): number[] => [...items].sort((a, b) => a - b);

/** Are they the same numbers, in the same order? */
export const sameNumbers = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};

/** The complete binary tree of that many levels, with one item in each leaf. */
export function completeTopology(height: number): Topology {
  const count = 2 ** height - 1;
  const skip = new Uint32Array(count);
  const first = new Uint32Array(count + 1);
  let leaves = 0;
  // The subtree sizes along the way from the root, largest first.
  const ends: number[] = [];
  for (let node = 0; node < count; node++) {
    while (ends.length > 0 && ends.at(-1)! <= node) ends.pop();
    skip[node] = node + 2 ** (height - ends.length) - 1;
    ends.push(skip[node]!);
    first[node] = leaves;
    if (skip[node] === node + 1) leaves++;
  }
  first[count] = leaves;
  return { skip, first, items: Uint32Array.from({ length: leaves }, (_, i) => i) };
}

/** Triangle soups and small trees over them, built in the simplest way, for tests of searches. */
import type { ReadonlyPose, Vec3 } from '../../src/math/types.ts';
import { overlapTriangleTriangle } from '../../src/primitives/index.ts';
import { kdopVolume, obbVolume, sphereVolume } from '../../src/rtcd/ch04/bounding-volumes.ts';
import { type BuildNode, flattenTree, type Tree } from '../../src/trees/tree.ts';
import { aabbVolume } from '../../src/volumes/aabb-volume.ts';
import type { VolumeOps } from '../../src/volumes/volume.ts';
import { cloud, type Rng } from './rng.ts';

/** Three points an item. */
export type Soup = Vec3[][];

/** Every kind of volume, its type forgotten. */
export const KINDS = [aabbVolume, sphereVolume, obbVolume, kdopVolume(14)] as unknown as VolumeOps<object>[];

/** Up to `most` triangles: plain, on a lattice, tiny, huge, far away, all alike, flat, or of mixed sizes. */
export function soup(rng: Rng, most: number): Soup {
  const count = rng.chance(0.15) ? rng.int(0, 2) : rng.int(3, most);
  const { points, size } = cloud(rng, 3 * count);
  const way = rng.int(0, 5);
  const soup: Soup = [];
  for (let i = 0; i < count; i++) {
    let corners = points.slice(3 * i, 3 * i + 3);
    const [a] = corners as [Vec3];
    // Small against the whole, or no larger than a point.
    const part = way === 1 ? 0 : way === 2 ? 10 ** -rng.range(0, 6) : 0.3;
    if (way < 4)
      corners = corners.map((p) => ({
        x: a.x + part * (p.x - a.x),
        y: a.y + part * (p.y - a.y),
        z: a.z + part * (p.z - a.z),
      }));
    if (way === 3) for (const p of corners) p.z = a.z = size;
    soup.push(way === 5 && i > 0 ? soup[0]!.map((p) => ({ ...p })) : corners);
  }
  return soup;
}

export const flat = (points: readonly Vec3[]): number[] => points.flatMap(({ x, y, z }) => [x, y, z]);

/** Splits in the middle of the list, sorted along the axis of the largest spread. */
export function treeOver<V>(ops: VolumeOps<V>, items: Soup, degree = 2, leafSize = 1): Tree<V> {
  if (items.length === 0) return withVolumes(ops, [], null);
  const middle = (i: number, axis: 'x' | 'y' | 'z') => items[i]!.reduce((sum, p) => sum + p[axis], 0);
  const build = (list: number[]): BuildNode => {
    if (list.length <= leafSize) return { children: [], items: list };
    const spread = (axis: 'x' | 'y' | 'z') => {
      const all = list.map((i) => middle(i, axis));
      return Math.max(...all) - Math.min(...all);
    };
    const axis = (['x', 'y', 'z'] as const).reduce((a, b) => (spread(b) > spread(a) ? b : a));
    const sorted = [...list].sort((i, j) => middle(i, axis) - middle(j, axis) || i - j);
    const parts = Math.min(degree, list.length);
    return {
      children: Array.from({ length: parts }, (_, k) =>
        build(
          sorted.slice(
            Math.floor((k * sorted.length) / parts),
            Math.floor(((k + 1) * sorted.length) / parts),
          ),
        ),
      ),
      items: [],
    };
  };
  return withVolumes(ops, items, build(items.map((_, i) => i)));
}

/** The tree of that shape, with volumes around the items below each node. */
export function withVolumes<V>(ops: VolumeOps<V>, items: Soup, root: BuildNode | null): Tree<V> {
  if (!root) {
    const none = new Uint32Array(0);
    return { ops, skip: none, first: new Uint32Array(1), items: none, volumes: new Float32Array(0) };
  }
  const { skip, first, items: order } = flattenTree(root);
  const stride = ops.byteSize / 4;
  const volumes = new Float32Array(skip.length * stride);
  for (let i = 0; i < skip.length; i++) {
    const below = [...order.slice(first[i], first[skip[i]!])];
    ops.store(ops.fitPoints(below.flatMap((item) => flat(items[item]!))), volumes, i * stride);
  }
  return { ops, skip, first, items: order, volumes };
}

/** A complete binary tree of so many levels, every volume the same box. */
export function completeTree(levels: number): Tree<object> {
  const box = [
    [
      { x: -1, y: -1, z: -1 },
      { x: 1, y: 1, z: 1 },
      { x: 1, y: 0, z: 0 },
    ],
  ];
  const count = 2 ** (levels - 1);
  let next = 0;
  const build = (level: number): BuildNode =>
    level === 1
      ? { children: [], items: [next++] }
      : { children: [build(level - 1), build(level - 1)], items: [] };
  return withVolumes(
    KINDS[0]!,
    Array.from({ length: count }, () => box[0]!),
    build(levels),
  );
}

/** Each node has a leaf, the box [k, k + 0.5] in x, and all the rest. Item k is in leaf k. */
export function chainTree(count: number): Tree<object> {
  const skip = new Uint32Array(2 * count - 1);
  const first = new Uint32Array(2 * count);
  const volumes = new Float32Array(6 * (2 * count - 1));
  for (let k = 0; k < count; k++) {
    const inner = k < count - 1;
    if (inner) {
      skip[2 * k] = skip.length;
      first[2 * k] = k;
      volumes.set([k, 0, 0, count - 0.5, 1, 1], 12 * k);
    }
    const leaf = inner ? 2 * k + 1 : 2 * k;
    skip[leaf] = leaf + 1;
    first[leaf] = k;
    volumes.set([k, 0, 0, k + 0.5, 1, 1], 6 * leaf);
  }
  first[2 * count - 1] = count;
  return { ops: KINDS[0]!, skip, first, items: Uint32Array.from({ length: count }, (_, i) => i), volumes };
}

/** q p q*, by the products of quaternions, then moved. */
export function posed({ position: t, quaternion: q }: ReadonlyPose, p: Vec3): Vec3 {
  const xx = 1 - 2 * (q.y * q.y + q.z * q.z);
  const yy = 1 - 2 * (q.x * q.x + q.z * q.z);
  const zz = 1 - 2 * (q.x * q.x + q.y * q.y);
  return {
    x: xx * p.x + 2 * (q.x * q.y - q.w * q.z) * p.y + 2 * (q.x * q.z + q.w * q.y) * p.z + t.x,
    y: 2 * (q.x * q.y + q.w * q.z) * p.x + yy * p.y + 2 * (q.y * q.z - q.w * q.x) * p.z + t.y,
    z: 2 * (q.x * q.z - q.w * q.y) * p.x + 2 * (q.y * q.z + q.w * q.x) * p.y + zz * p.z + t.z,
  };
}

/** For each triangle of a, for each of b (posed): do they meet? */
export function bruteForce(a: Soup, b: Soup, pose?: ReadonlyPose): boolean[][] {
  const there = pose ? b.map((t) => t.map((p) => posed(pose, p))) : b;
  return a.map(([p, q, r]) => there.map(([s, t, u]) => overlapTriangleTriangle(p!, q!, r!, s!, t!, u!)));
}

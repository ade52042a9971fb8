/** Sets of items that break builders of trees, and the plainest of searches. */
import { boxItems, pointItems, triangleItems } from '../../src/trees/items.ts';
import type { Tree, TreeItems } from '../../src/trees/tree.ts';
import { Rng } from './rng.ts';

export interface ItemSet {
  readonly name: string;
  readonly items: TreeItems;
}

const boxes = (count: number, make: (i: number) => readonly number[]): TreeItems =>
  boxItems(Array.from({ length: count }, (_, i) => make(i)).flat());

/** Boxes of about `size` about places in the cube of ±`spread`. */
export function randomBoxes(rng: Rng, count: number, size = 1, spread = 10): TreeItems {
  return boxes(count, () => {
    const { x, y, z } = rng.vec(spread);
    return [x, y, z, x + rng.range(0, size), y + rng.range(0, size), z + rng.range(0, size)];
  });
}

/** Triangles of about `size`, one in five of them without area. */
export function randomTriangles(rng: Rng, count: number, size = 1, spread = 10): TreeItems {
  const positions: number[] = [];
  for (let i = 0; i < count; i++) {
    const c = rng.vec(spread);
    const [u, v] = [rng.vec(size), rng.vec(size)];
    const t = rng.chance(0.2) ? rng.pick([0, 0.5, 1]) : null;
    const w = t === null ? v : { x: t * u.x, y: t * u.y, z: t * u.z };
    positions.push(c.x, c.y, c.z, c.x + u.x, c.y + u.y, c.z + u.z, c.x + w.x, c.y + w.y, c.z + w.z);
  }
  return triangleItems(positions);
}

/** The corpus of degenerate sets: no, one, two, identical, nested, collinear, coplanar, flat, tiny, huge, touching, far. */
export function itemCorpus(): ItemSet[] {
  const rng = new Rng(7);
  const lattice = () => rng.int(-2, 2);
  const point = (x: number, y: number, z: number): number[] => [x, y, z, x, y, z];
  return [
    { name: 'none', items: boxItems([]) },
    { name: 'one', items: boxItems([1, 2, 3, 4, 5, 6]) },
    { name: 'two', items: boxItems([1, 2, 3, 4, 5, 6, -1, -2, -3, 0, 0, 0]) },
    { name: 'two the same', items: boxItems([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]) },
    { name: 'identical', items: boxes(33, () => [-1, -2, -3, 1, 2, 3]) },
    { name: 'identical points', items: pointItems(new Array(90).fill(0.1)) },
    { name: 'one center, many sizes', items: boxes(30, (i) => [-i, -i, -i, i, i, i]) },
    {
      name: 'collinear along x',
      items: pointItems(Array.from({ length: 30 }, () => [rng.unit(), 3, -4]).flat()),
    },
    {
      name: 'collinear, oblique',
      items: pointItems(Array.from({ length: 60 }, (_, i) => Math.trunc(i / 3) * (1 + (i % 3)))),
    },
    {
      name: 'coplanar boxes',
      items: boxes(40, () => {
        const [x, y] = [lattice(), lattice()];
        return [x, y, 5, x + 1, y + 1, 5];
      }),
    },
    { name: 'points on a lattice', items: boxes(50, () => point(lattice(), lattice(), lattice())) },
    {
      name: 'touching unit cubes',
      items: boxes(64, (i) => {
        const [x, y, z] = [i & 3, (i >> 2) & 3, i >> 4];
        return [x, y, z, x + 1, y + 1, z + 1];
      }),
    },
    {
      name: 'sizes a million apart',
      items: boxes(40, (i) => {
        const { x, y, z } = rng.vec(10);
        const s = i % 4 ? 1e-3 : 1e3;
        return [x, y, z, x + s, y + s, z + s];
      }),
    },
    {
      name: 'negative',
      items: boxes(40, () => {
        const { x, y, z } = rng.vec(1);
        return [x - 9, y - 9, z - 9, x - 8, y - 8, z - 8];
      }),
    },
    {
      name: 'far away',
      items: boxes(40, () => {
        const { x, y, z } = rng.vec(1);
        return [1e6 + x, y - 1e6, 1e6 + z, 1e6 + x + 0.1, y - 1e6 + 0.1, 1e6 + z];
      }),
    },
    { name: 'doubling distances', items: boxes(60, (i) => point(2 ** (i - 30), 0, 0)) },
    {
      name: 'tiny',
      items: boxes(30, () => {
        const { x, y, z } = rng.vec(1e-30);
        return point(x, y, z);
      }),
    },
    { name: 'two heaps', items: boxes(30, (i) => point(i % 2, 0, 0)) },
    { name: 'triangles', items: randomTriangles(rng, 40) },
    {
      name: 'triangles without area',
      items: triangleItems(
        Array.from({ length: 20 }, () => {
          const { x, y, z } = rng.vec(1);
          return [x, y, z, 2 * x, 2 * y, 2 * z, 3 * x, 3 * y, 3 * z];
        }).flat(),
      ),
    },
  ];
}

/** The items whose boxes touch those at `query`, by looking at every one. */
export function touchedByAll({ count, bounds }: TreeItems, query: readonly number[]): number[] {
  const found: number[] = [];
  for (let i = 0; i < count; i++) if (boxesTouch(bounds, 6 * i, query)) found.push(i);
  return found;
}

/** The same, by a tree of whatever volumes. `fitted` is the volume around the query. */
export function touchedByTree<V>(tree: Tree<V>, { bounds }: TreeItems, query: readonly number[]): number[] {
  const { ops, skip, first, items, volumes } = tree;
  const fitted = ops.fitPoints(cornersOf(query));
  const found: number[] = [];
  for (let node = 0; node < skip.length; ) {
    const hit = ops.overlap(ops.load(volumes, (node * ops.byteSize) / 4), fitted);
    if (hit && skip[node] === node + 1)
      for (let i = first[node]!; i < first[node + 1]!; i++)
        if (boxesTouch(bounds, 6 * items[i]!, query)) found.push(items[i]!);
    node = hit ? node + 1 : skip[node]!;
  }
  return found.sort((a, b) => a - b);
}

function boxesTouch(bounds: Float64Array, at: number, query: readonly number[]): boolean {
  for (let k = 0; k < 3; k++)
    if (bounds[at + k]! > query[k + 3]! || bounds[at + 3 + k]! < query[k]!) return false;
  return true;
}

function cornersOf(q: readonly number[]): number[] {
  const corners: number[] = [];
  for (let i = 0; i < 8; i++) corners.push(q[i & 1 ? 3 : 0]!, q[i & 2 ? 4 : 1]!, q[i & 4 ? 5 : 2]!);
  return corners;
}

/** A box to search a set with: about one of its items, touching one, or anywhere. */
export function queryBox(rng: Rng, { count, bounds }: TreeItems): number[] {
  if (count === 0 || rng.chance(0.2)) {
    const { x, y, z } = rng.vec(5);
    return [x, y, z, x + rng.range(0, 3), y + rng.range(0, 3), z + rng.range(0, 3)];
  }
  const at = 6 * rng.int(0, count - 1);
  const box = Array.from(bounds.subarray(at, at + 6));
  const axis = rng.int(0, 2);
  if (rng.chance(0.3)) {
    // Touches the item in a face: what must not be missed.
    box[axis] = box[axis + 3]!;
    box[axis + 3] = box[axis]! + rng.range(0, 1);
  }
  return box;
}

/**
 * Trees of spheres over triangles: split across the axis of the largest spread, so that the two halves are far apart; children
 * that are nearly as large as their parent left out. Quinlan 1994; Mujika, Oyarzun, Arrieta and Carretero §3.2.
 *
 * In production, meshes have trees of boxes (`trimesh/`), which fit triangles closer.
 */
import { mustBeCoordinate, mustHave, refuse } from '../../math/check.ts';
import { readTriangles, type Triangles, type TrianglesLike } from '../../mesh/triangles.ts';
import { makeSphere } from '../../primitives/types.ts';
import { fitSphereMinimum, fitSphereSpheres } from '../../volumes/sphere-minimum.ts';

/** Nodes in preorder: children follow their parent, and `skip` leads past what is below a node. */
export interface SphereTree {
  /** For each node, the node after all that is below it. */
  readonly skip: Uint32Array;
  /** The triangle of a leaf; -1 for the others. Several leaves may stand for one triangle. */
  readonly items: Int32Array;
  /** Centre and radius, four numbers a node. */
  readonly spheres: Float64Array;
}

/** A node of a tree that is being made. @internal */
export interface SphereNode {
  x: number;
  y: number;
  z: number;
  radius: number;
  readonly item: number;
  children: SphereNode[];
}

/** Spheres are larger than what they hold by this part, for rounding. */
const WIDER = 1 + 1e-12;

/**
 * The binary tree over triangles, each a leaf; each sphere is the smallest around the triangles below it. With a `ratio` below
 * 1, nodes whose radius is more than that part of their parent's are left out: see `reduceSphereTree`. O(n log² n).
 */
export function quinlanSphereTree(triangles: TrianglesLike, ratio = 1): SphereTree {
  const soup = readTriangles('quinlanSphereTree: triangles', triangles);
  mustBeRatio('quinlanSphereTree', ratio);
  const all = Array.from({ length: soup.index.length / 3 }, (_, i) => i);
  return flattenSpheres(reduceNode(splitTriangles(soup, all, sphereOfTriangle), ratio));
}

/** The tree without inner nodes whose radius is more than `ratio` times that of their parent: tests that would part nothing. */
export function reduceSphereTree(tree: SphereTree, ratio: number): SphereTree {
  mustBeSphereTree('reduceSphereTree', tree);
  mustBeRatio('reduceSphereTree', ratio);
  return flattenSpheres(reduceNode(nodeOf(tree, 0), ratio));
}

/** @internal */
export function mustBeRatio(caller: string, ratio: number, name = 'ratio'): void {
  mustBeCoordinate(caller, name, ratio);
  if (!(ratio >= 0 && ratio <= 1)) refuse(caller, name, `must be from 0 to 1, got ${ratio}`);
}

function mustBeSphereTree(caller: string, tree: SphereTree): void {
  mustHave(caller, 'tree', tree, 'a sphere tree', 'spheres');
  mustHave(caller, 'tree', tree, 'a sphere tree', 'skip');
}

/** The bytes of a tree. */
export function sizeOfSphereTree(tree: SphereTree): number {
  mustBeSphereTree('sizeOfSphereTree', tree);
  const { skip, items, spheres } = tree;
  return skip.byteLength + items.byteLength + spheres.byteLength;
}

/** How many nodes there are on each level, the root first. */
export function levelsOfSphereTree(tree: SphereTree): number[] {
  mustBeSphereTree('levelsOfSphereTree', tree);
  const { skip } = tree;
  const levels: number[] = [];
  const count = (node: number, level: number): void => {
    levels[level] = (levels[level] ?? 0) + 1;
    for (let child = node + 1; child < skip[node]!; child = skip[child]!) count(child, level + 1);
  };
  count(0, 0);
  return levels;
}

/** A leaf around a triangle. @internal */
export type MakeLeaf = (soup: Triangles, triangle: number) => SphereNode;

/** @internal */
export const sphereOfTriangle: MakeLeaf = (soup, triangle) =>
  around(cornersOf(soup, [triangle]), triangle, []);

/** @internal */
export function splitTriangles(soup: Triangles, triangles: readonly number[], leaf: MakeLeaf): SphereNode {
  if (triangles.length === 1) return leaf(soup, triangles[0]!);
  const { positions, index } = soup;
  let axis = 0;
  let widest = -1;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (const t of triangles) {
      const middle = middleOf(soup, t, k);
      low = Math.min(low, middle);
      high = Math.max(high, middle);
    }
    if (high - low <= widest) continue;
    widest = high - low;
    axis = k;
  }
  const key = (t: number): number =>
    positions[3 * index[3 * t]! + axis]! +
    positions[3 * index[3 * t + 1]! + axis]! +
    positions[3 * index[3 * t + 2]! + axis]!;
  const sorted = [...triangles].sort((a, b) => key(a) - key(b) || a - b);
  const half = sorted.length >> 1;
  const children = [
    splitTriangles(soup, sorted.slice(0, half), leaf),
    splitTriangles(soup, sorted.slice(half), leaf),
  ];
  return around(cornersOf(soup, triangles), -1, children);
}

const middleOf = ({ positions, index }: Triangles, t: number, k: number): number =>
  (positions[3 * index[3 * t]! + k]! +
    positions[3 * index[3 * t + 1]! + k]! +
    positions[3 * index[3 * t + 2]! + k]!) /
  3;

function cornersOf({ positions, index }: Triangles, triangles: readonly number[]): Float64Array {
  const points = new Float64Array(9 * triangles.length);
  triangles.forEach((t, i) => {
    for (let k = 0; k < 9; k++)
      points[9 * i + k] = positions[3 * index[3 * t + Math.floor(k / 3)]! + (k % 3)]!;
  });
  return points;
}

const sphere = makeSphere();

/** The smallest sphere around points. @internal */
export function around(points: Float64Array, item: number, children: SphereNode[]): SphereNode {
  const { center, radius } = fitSphereMinimum(points, sphere);
  return { x: center.x, y: center.y, z: center.z, radius: radius * WIDER, item, children };
}

/** A node around others. @internal */
export function join(children: SphereNode[]): SphereNode {
  const balls = children.map(({ x, y, z, radius }) => ({ center: { x, y, z }, radius }));
  const { center, radius } = fitSphereSpheres(balls, sphere);
  return { x: center.x, y: center.y, z: center.z, radius: radius * WIDER, item: -1, children };
}

/** @internal */
export function reduceNode(node: SphereNode, ratio: number): SphereNode {
  if (ratio < 1) {
    // A child that is left out hands its own children on.
    const kept: SphereNode[] = [];
    const pending = [...node.children].reverse();
    while (pending.length > 0) {
      const child = pending.pop()!;
      if (child.children.length > 0 && child.radius > ratio * node.radius)
        pending.push(...[...child.children].reverse());
      else kept.push(child);
    }
    node.children = kept;
  }
  for (const child of node.children) reduceNode(child, ratio);
  return node;
}

/** @internal */
export function flattenSpheres(root: SphereNode): SphereTree {
  const skip: number[] = [];
  const items: number[] = [];
  const spheres: number[] = [];
  const add = ({ x, y, z, radius, item, children }: SphereNode): void => {
    const node = skip.push(0) - 1;
    items.push(item);
    spheres.push(x, y, z, radius);
    children.forEach(add);
    skip[node] = skip.length;
  };
  add(root);
  return {
    skip: Uint32Array.from(skip),
    items: Int32Array.from(items),
    spheres: Float64Array.from(spheres),
  };
}

function nodeOf(tree: SphereTree, node: number): SphereNode {
  const { skip, items, spheres } = tree;
  const children: SphereNode[] = [];
  for (let child = node + 1; child < skip[node]!; child = skip[child]!) children.push(nodeOf(tree, child));
  const [x, y, z, radius] = spheres.subarray(4 * node, 4 * node + 4) as unknown as [
    number,
    number,
    number,
    number,
  ];
  return { x, y, z, radius, item: items[node]!, children };
}

/**
 * A mesh as the GPU gets it: its tree as it is packed, and its triangles in single precision, in steps of the grid of the tree where
 * it is widest. So coordinates run from 0 to 65536 whatever the mesh measures, and wherever it stands.
 */
import { isLeaf, linkAt, MAX_DEPTH, nodeAt, nodeNumber, type PackedTree } from '../trees/packed-tree.ts';
import type { Mesh } from '../trimesh/mesh.ts';

/** Steps of the grid along its widest axis, and what rounding does not reach: sizes that are out of it are left to the CPU. */
export const WIDE = 65536;
const LEAST_UNIT = 1e-30;
const MOST_UNIT = 1e30;

export interface MeshWords {
  /** The packed tree, eight words a node. */
  readonly nodes: Uint32Array<ArrayBuffer>;
  /** Nine numbers for each triangle, in the order of the tree. */
  readonly triangles: Float32Array<ArrayBuffer>;
  /** The steps of the grid along x, y, z in units of the widest. */
  readonly steps: readonly [number, number, number];
  /** How many children may wait on the way through the tree. */
  readonly depth: number;
}

/** The length of a step of the grid along its widest axis: the unit of lengths on the GPU. */
export const unitOf = ({ grid }: PackedTree): number => Math.max(grid[3]!, grid[4]!, grid[5]!);

/** Why a mesh cannot be searched on a GPU; empty if it can. */
export function whyNot(mesh: Mesh): string {
  if (mesh.live !== null) return 'the vertices of the mesh move';
  const unit = unitOf(mesh.tree);
  return unit >= LEAST_UNIT && unit <= MOST_UNIT
    ? ''
    : 'the mesh is too small or too large for single precision';
}

export function packMesh({ tree, vertices, corners, triangleCount }: Mesh): MeshWords {
  const { bounds, grid, nodeCount } = tree;
  const unit = unitOf(tree);
  const triangles = new Float32Array(9 * triangleCount);
  for (let corner = 0; corner < 3 * triangleCount; corner++)
    for (let axis = 0; axis < 3; axis++)
      triangles[3 * corner + axis] = (vertices[3 * corners[corner]! + axis]! - grid[axis]!) / unit;
  const nodes = new Uint32Array(8 * nodeCount);
  new Uint16Array(nodes.buffer).set(bounds.subarray(0, 16 * nodeCount));
  return {
    nodes,
    triangles,
    steps: [grid[3]! / unit, grid[4]! / unit, grid[5]! / unit],
    depth: depthOf(tree),
  };
}

/** The most nodes on a way down from the root, which is as many children as can wait at a time. */
function depthOf({ links, nodeCount }: PackedTree): number {
  const depths = new Uint8Array(nodeCount).fill(1);
  let deepest = 1;
  // Nodes come after their parents.
  for (let number = 0; number < nodeCount; number++)
    for (let child = 0; child < 2; child++) {
      const link = links[linkAt(nodeAt(number), child)]!;
      if (isLeaf(link)) continue;
      depths[nodeNumber(link)] = depths[number]! + 1;
      deepest = Math.max(deepest, depths[number]! + 1);
    }
  return Math.min(deepest, MAX_DEPTH);
}

/** The parts of a mesh as seen from far away: the first moments of the surface below each node of the tree. */
import {
  boxAt,
  isEmptyLeaf,
  isLeaf,
  leafEnd,
  leafFirst,
  linkAt,
  nodeAt,
  nodeNumber,
} from '../trees/packed-tree.ts';
import { loadTriangle, type Mesh, makeCorners } from './mesh.ts';

/**
 * Numbers for each node of the tree: centre c and squared radius of a ball around it; its area; the integral over its
 * triangles of the normal n (3); that of (x - c) nᵀ, made symmetric: xx, yy, zz, and twice xy, yz and zx; its trace.
 *
 * @internal
 */
export const MOMENTS = 15;

const corners = makeCorners();

/** From the last node to the first: children come after their parents. @internal */
export function findMoments(mesh: Mesh): Float64Array {
  const { nodeCount, links } = mesh.tree;
  const moments = new Float64Array(nodeCount * MOMENTS);
  for (let node = nodeCount - 1; node >= 0; node--) {
    const at = node * MOMENTS;
    setBall(mesh, node, moments, at);
    for (let side = 0; side < 2; side++) {
      const link = links[linkAt(nodeAt(node), side)]!;
      if (isLeaf(link))
        for (let i = leafFirst(link), end = leafEnd(link); i < end; i++) addTriangle(mesh, i, moments, at);
      else addChild(moments, at, nodeNumber(link) * MOMENTS);
    }
    moments[at + 14] = moments[at + 8]! + moments[at + 9]! + moments[at + 10]!;
  }
  return moments;
}

/** The ball around the box around both children. */
function setBall({ tree }: Mesh, node: number, moments: Float64Array, at: number): void {
  const { bounds, links, grid } = tree;
  let radiusSq = 0;
  for (let k = 0; k < 3; k++) {
    let low = 65535;
    let high = 0;
    for (let side = 0; side < 2; side++) {
      if (isEmptyLeaf(links[linkAt(nodeAt(node), side)]!)) continue;
      const box = boxAt(nodeAt(node), side);
      low = Math.min(low, bounds[box + k]!);
      high = Math.max(high, bounds[box + 3 + k]!);
    }
    moments[at + k] = grid[k]! + 0.5 * (low + high) * grid[k + 3]!;
    const half = 0.5 * (high - low) * grid[k + 3]!;
    radiusSq += half * half;
  }
  moments[at + 3] = radiusSq;
}

function addChild(moments: Float64Array, at: number, child: number): void {
  moments[at + 4]! += moments[child + 4]!;
  for (let k = 8; k < 14; k++) moments[at + k]! += moments[child + k]!;
  const shift = [0, 1, 2].map((k) => moments[child + k]! - moments[at + k]!) as [number, number, number];
  const normal = [5, 6, 7].map((k) => moments[child + k]!) as [number, number, number];
  addVector(moments, at, shift, normal);
}

function addTriangle(mesh: Mesh, i: number, moments: Float64Array, at: number): void {
  loadTriangle(mesh, i, corners);
  const { a, b, c } = corners;
  const ux = b.x - a.x;
  const uy = b.y - a.y;
  const uz = b.z - a.z;
  const vx = c.x - a.x;
  const vy = c.y - a.y;
  const vz = c.z - a.z;
  const nx = 0.5 * (uy * vz - uz * vy);
  const ny = 0.5 * (uz * vx - ux * vz);
  const nz = 0.5 * (ux * vy - uy * vx);
  moments[at + 4]! += Math.sqrt(nx * nx + ny * ny + nz * nz);
  // From the centre of the part to that of the triangle.
  const x = a.x - moments[at]! + (ux + vx) / 3;
  const y = a.y - moments[at + 1]! + (uy + vy) / 3;
  const z = a.z - moments[at + 2]! + (uz + vz) / 3;
  addVector(moments, at, [x, y, z], [nx, ny, nz]);
}

type Triple = readonly [number, number, number];

/** A normal with an area, at a position seen from the centre. */
function addVector(moments: Float64Array, at: number, [x, y, z]: Triple, [nx, ny, nz]: Triple): void {
  moments[at + 5]! += nx;
  moments[at + 6]! += ny;
  moments[at + 7]! += nz;
  moments[at + 8]! += x * nx;
  moments[at + 9]! += y * ny;
  moments[at + 10]! += z * nz;
  moments[at + 11]! += x * ny + y * nx;
  moments[at + 12]! += y * nz + z * ny;
  moments[at + 13]! += z * nx + x * nz;
}

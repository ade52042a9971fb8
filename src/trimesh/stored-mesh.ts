/** Whether a mesh out of a file can be trusted: a checksum against accidents, and a look at everything against malice. */
import { extentOf } from '../trees/pack-build.ts';
import { MAX_DEPTH } from '../trees/packed-tree.ts';
import type { Mesh } from './mesh.ts';

/**
 * A checksum of 53 bits over all of a buffer but 8 bytes, those at `at`. Each word goes through a step that can be undone,
 * so that whatever is changed in a single word shows.
 *
 * @internal
 */
export function checksumOf(buffer: ArrayBuffer | SharedArrayBuffer, at: number): number {
  const words = new Int32Array(buffer);
  let even = 0x9e3779b9 | 0;
  let odd = 0x7f4a7c15 | 0;
  for (let i = 0; i < words.length; i += 2) {
    if (4 * i === at) continue;
    even = Math.imul(even ^ words[i]!, 0x85ebca6b);
    even ^= even >>> 15;
    odd = Math.imul(odd ^ words[i + 1]!, 0xc2b2ae35);
    odd ^= odd >>> 13;
  }
  // 32 bits of one, xored with the other's lowest 11, and 21 of the other: a change of either shows.
  return ((even ^ (odd << 21)) >>> 0) + (odd >>> 11) * 4294967296;
}

/**
 * What is wrong with a mesh whose parts have the sizes that its header tells, or null. One look at everything: whatever
 * passes is a tree over its triangles, with boxes that hold them, so that every search ends and misses nothing.
 *
 * @internal
 */
export function faultOf(mesh: Mesh): string | null {
  const { vertices, corners, tree, bounds } = mesh;
  for (let i = 0; i < vertices.length; i++) if (vertices[i]! * 0 !== 0) return 'a coordinate is not finite';
  const { min, max } = bounds;
  const told = [min.x, min.y, min.z, max.x, max.y, max.z];
  if (extentOf(vertices).some((x, k) => x !== told[k])) return 'the bounds are not those of the vertices';
  for (let k = 0; k < 6; k++) if (!Number.isFinite(tree.grid[k]!)) return 'the grid is not finite';
  for (let k = 3; k < 6; k++) if (!(tree.grid[k]! > 0)) return 'the grid has no width';
  for (let i = 0; i < corners.length; i++)
    if (3 * corners[i]! >= vertices.length) return 'a corner is no vertex';
  if (!areNumbers(mesh.ids, mesh.givenCount)) return 'the triangles are not numbered one by one';
  return faultOfTree(mesh);
}

/** Are they numbers below `count`, each once at most? */
function areNumbers(ids: Uint32Array, count: number): boolean {
  const seen = new Uint8Array(count);
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    if (id >= count || seen[id]) return false;
    seen[id] = 1;
  }
  return true;
}

/**
 * Children come after their parents and each has one: that is a tree. Each box is looked at when its node is, which is
 * after that of its parent.
 */
function faultOfTree(mesh: Mesh): string | null {
  const { nodeCount, links, bounds } = mesh.tree;
  const depths = new Uint8Array(nodeCount);
  const held = new Uint8Array(mesh.triangleCount);
  depths[0] = 1;
  for (let node = 0; node < nodeCount; node++) {
    if (depths[node] === 0) return 'a node has no parent';
    for (let side = 0; side < 2; side++) {
      const link = links[8 * node + 6 + side]!;
      const box = 16 * node + 6 * side;
      if (link >= 0) {
        const child = link >> 4;
        if ((link & 15) !== 0 || child <= node || child >= nodeCount) return 'a link leads astray';
        if (depths[child] !== 0) return 'a node has two parents';
        depths[child] = depths[node]! + 1;
        if (depths[child]! > MAX_DEPTH) return 'the tree is too deep';
        for (let grandchild = 0; grandchild < 2; grandchild++)
          if (!isEmpty(links[8 * child + 6 + grandchild]!) && !holdsBox(bounds, box, link + 6 * grandchild))
            return 'a box does not hold those below it';
      } else {
        const first = ~link >> 4;
        const end = first + (~link & 15);
        if (end > mesh.triangleCount) return 'a leaf holds what is not there';
        for (let i = first; i < end; i++) {
          if (held[i]) return 'a triangle is in two leaves';
          held[i] = 1;
        }
        if (!holdsTriangles(mesh, box, first, end)) return 'a box does not hold its triangles';
      }
    }
  }
  return held.includes(0) ? 'a triangle is in no leaf' : null;
}

const isEmpty = (link: number): boolean => link < 0 && (~link & 15) === 0;

function holdsBox(bounds: Uint16Array, outer: number, inner: number): boolean {
  for (let k = 0; k < 3; k++)
    if (bounds[outer + k]! > bounds[inner + k]! || bounds[outer + 3 + k]! < bounds[inner + 3 + k]!)
      return false;
  return true;
}

/** Boxes are larger than what they hold by 1/32 of a step of the grid. A part of that is enough: there is rounding here. */
const ROOM = 1 / 128;

function holdsTriangles({ tree, vertices, corners }: Mesh, box: number, first: number, end: number): boolean {
  const { bounds, grid } = tree;
  const x0 = grid[0]! + (bounds[box]! + ROOM) * grid[3]!;
  const y0 = grid[1]! + (bounds[box + 1]! + ROOM) * grid[4]!;
  const z0 = grid[2]! + (bounds[box + 2]! + ROOM) * grid[5]!;
  const x1 = grid[0]! + (bounds[box + 3]! - ROOM) * grid[3]!;
  const y1 = grid[1]! + (bounds[box + 4]! - ROOM) * grid[4]!;
  const z1 = grid[2]! + (bounds[box + 5]! - ROOM) * grid[5]!;
  for (let i = 3 * first; i < 3 * end; i++) {
    const at = 3 * corners[i]!;
    const x = vertices[at]!;
    const y = vertices[at + 1]!;
    const z = vertices[at + 2]!;
    if (!(x >= x0 && y >= y0 && z >= z0 && x <= x1 && y <= y1 && z <= z1)) return false;
  }
  return true;
}

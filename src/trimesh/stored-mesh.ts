/** Meshes in files. What is loaded can be trusted: a checksum against accidents, and a look at everything against malice. */
import { refuse } from '../math/check.ts';
import { mustBeInRange } from '../math/size-range.ts';
import { extentOf } from '../trees/pack-build.ts';
import {
  boxAt,
  isEmptyLeaf,
  isLeaf,
  leafEnd,
  leafFirst,
  linkAt,
  MAX_DEPTH,
  nodeAt,
  nodeNumber,
} from '../trees/packed-tree.ts';
import { checksumOf, LAYOUT, largestOf, layoutOf, type Mesh, viewMesh } from './mesh.ts';

/** No mesh has more triangles: they would not fit in memory. */
const MOST_GIVEN = 0x4000000;

/** The whole mesh, tree and all, as the bytes to write to a file. No copy: it is the memory of the mesh itself. */
export const saveMesh = (mesh: Mesh): ArrayBuffer | SharedArrayBuffer => mesh.buffer;

/**
 * The mesh that `saveMesh` gave, without copying: it lives in `buffer` from then on. Refuses what is no such thing, what
 * has changed since (by a checksum), and what was made to look like one but is not: in one look at everything, that
 * it is a tree over its triangles with boxes that hold them. So no file can send a search astray. O(n).
 */
export function loadMesh(buffer: ArrayBuffer | SharedArrayBuffer): Mesh {
  const isBuffer =
    buffer instanceof ArrayBuffer ||
    (typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer);
  if (!isBuffer) refuse('loadMesh', 'buffer', 'must be an ArrayBuffer or a SharedArrayBuffer');
  const header = buffer.byteLength >= 8 * LAYOUT.header ? new Float64Array(buffer, 0, LAYOUT.header) : null;
  const version = header ? header[0]! - LAYOUT.magic : Number.NaN;
  if (!header || !(Number.isInteger(version) && version > 0 && version < 256))
    refuse('loadMesh', 'buffer', 'must hold a mesh saved by this version of graze');
  if (version !== LAYOUT.version)
    refuse(
      'loadMesh',
      'buffer',
      `must hold a mesh saved by this version of graze: its layout is ${version}, not ${LAYOUT.version}; make the mesh anew`,
    );
  const [, nodeCount, triangleCount, vertexNumbers, bytes] = header;
  const givenCount = header[LAYOUT.givenCount]!;
  const counts = [nodeCount!, triangleCount!, vertexNumbers! / 3, givenCount];
  const fits =
    counts.every((n) => Number.isInteger(n) && n > 0) &&
    givenCount >= triangleCount! &&
    givenCount <= MOST_GIVEN &&
    (bytes === LAYOUT.f32 || bytes === LAYOUT.f64) &&
    layoutOf(nodeCount!, triangleCount!, vertexNumbers!, bytes).size === buffer.byteLength;
  if (!fits) refuse('loadMesh', 'buffer', 'must be whole: its size is not what its header says');
  if (header[LAYOUT.checksum] !== checksumOf(buffer))
    refuse('loadMesh', 'buffer', 'must be as it was saved: its checksum is another one');
  const loaded = viewMesh(buffer);
  const fault = faultOf(loaded);
  if (fault) refuse('loadMesh', 'buffer', `must be sound: ${fault}`);
  mustBeInRange('loadMesh', 'the largest coordinate', largestOf(header.subarray(LAYOUT.bounds)));
  return loaded;
}

/**
 * What is wrong with a mesh whose parts have the sizes that its header says, or null. One look at everything: whatever
 * passes is a tree over its triangles, with boxes that hold them, so that every search ends and misses nothing.
 */
function faultOf(mesh: Mesh): string | null {
  const { vertices, corners, tree, bounds } = mesh;
  for (let i = 0; i < vertices.length; i++) if (vertices[i]! * 0 !== 0) return 'a coordinate is not finite';
  const { min, max } = bounds;
  const stated = [min.x, min.y, min.z, max.x, max.y, max.z];
  if (extentOf(vertices).some((x, k) => x !== stated[k])) return 'the bounds are not those of the vertices';
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
      const link = links[linkAt(nodeAt(node), side)]!;
      const box = boxAt(nodeAt(node), side);
      if (!isLeaf(link)) {
        const child = nodeNumber(link);
        if (nodeAt(child) !== link || child <= node || child >= nodeCount) return 'a link leads astray';
        if (depths[child] !== 0) return 'a node has two parents';
        depths[child] = depths[node]! + 1;
        if (depths[child]! > MAX_DEPTH) return 'the tree is too deep';
        for (let grandchild = 0; grandchild < 2; grandchild++)
          if (
            !isEmptyLeaf(links[linkAt(link, grandchild)]!) &&
            !holdsBox(bounds, box, boxAt(link, grandchild))
          )
            return 'a box does not hold those below it';
      } else {
        const first = leafFirst(link);
        const end = leafEnd(link);
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

function holdsBox(bounds: Uint16Array, outer: number, inner: number): boolean {
  for (let k = 0; k < 3; k++)
    if (bounds[outer + k]! > bounds[inner + k]! || bounds[outer + 3 + k]! < bounds[inner + 3 + k]!)
      return false;
  return true;
}

/** Boxes are larger than what they hold by 1/32 of a step of the grid. A part of that is enough: there is rounding here. */
const SLACK = 1 / 128;

function holdsTriangles({ tree, vertices, corners }: Mesh, box: number, first: number, end: number): boolean {
  const { bounds, grid } = tree;
  const x0 = grid[0]! + (bounds[box]! + SLACK) * grid[3]!;
  const y0 = grid[1]! + (bounds[box + 1]! + SLACK) * grid[4]!;
  const z0 = grid[2]! + (bounds[box + 2]! + SLACK) * grid[5]!;
  const x1 = grid[0]! + (bounds[box + 3]! - SLACK) * grid[3]!;
  const y1 = grid[1]! + (bounds[box + 4]! - SLACK) * grid[4]!;
  const z1 = grid[2]! + (bounds[box + 5]! - SLACK) * grid[5]!;
  for (let i = 3 * first; i < 3 * end; i++) {
    const at = 3 * corners[i]!;
    const x = vertices[at]!;
    const y = vertices[at + 1]!;
    const z = vertices[at + 2]!;
    if (!(x >= x0 && y >= y0 && z >= z0 && x <= x1 && y <= y1 && z <= z1)) return false;
  }
  return true;
}

/** Meshes of triangles that can be searched: the triangles in the order of a packed tree, all in one buffer. */
import {
  mustBeBoolean,
  mustBeFunction,
  mustBeOptions,
  mustBeWhole,
  mustHave,
  refuse,
} from '../math/check.ts';
import { mustBeInRange } from '../math/size-range.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import { closeSeams } from '../mesh/seams.ts';
import { readTriangles, type Triangles } from '../mesh/triangles.ts';
import type { Aabb, ReadonlyAabb } from '../primitives/types.ts';
import { extentOf, fineTriangles, fitPacked, packTopology, packTriangles } from '../trees/pack-build.ts';
import { MAX_LEAF, type PackedTree } from '../trees/packed-tree.ts';
import type { Topology } from '../trees/tree.ts';
import { FAMILY, KERNELS } from './family-key.ts';

/**
 * A surface of triangles, immutable. Made by `mesh`; asked by `rayMesh`, `closestPointMesh`, `overlapSphereMesh` and
 * the like. Triangles are known by their number in the arrays it was made from.
 */
export interface Mesh {
  readonly kind: 'mesh';
  readonly triangleCount: number;
  /** How many triangles the arrays had that it was made from, those that were left out among them. */
  readonly givenCount: number;
  /** The smallest box around the triangles. */
  readonly bounds: Readonly<Aabb>;
  /** Everything there is to this mesh, in one piece: see `saveMesh`. */
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  /** The tree. Its items are the triangles in the order of `corners`. */
  readonly tree: PackedTree;
  /** Coordinates x, y, z of the vertices, in the order in which the tree meets them; as precise as they were given. */
  readonly vertices: Float32Array | Float64Array;
  /**
   * For each triangle, in the order of the tree, the numbers of its three vertices: a third of where their x stands in
   * `vertices`. 16-bit numbers where those do.
   */
  readonly corners: Uint16Array | Uint32Array;
  /** For each triangle, in the order of the tree, the number the user knows it by. */
  readonly ids: Uint32Array;
  /** Of a mesh that changes, what brings the part of it up to date that a search comes to; null of all others. */
  readonly live: LiveTree | null;
  /** The algorithms of the front door, if it is a shape: see `shapes/mesh.ts`. */
  [FAMILY]: unknown;
  /** Four-wide kernels for rays and closest points, or null: see `addSimd`. */
  [KERNELS]: unknown;
}

/**
 * Boxes and vertices that are right only where they have been asked for: the walks of the tree ask before they go. What comes
 * near in any way must be asked for; more does no harm.
 */
export interface LiveTree {
  /** All that is no farther from a box than a distance. */
  near(box: ReadonlyAabb, distance: number): void;
  /** What may be nearest to a point: returns a distance, not above the given one, within which it is, if it is within that. */
  nearest(p: ReadonlyVec3, distance: number): number;
  /** What a box meets on its way along t · `motion`, up to some t. */
  swept(box: ReadonlyAabb, motion: ReadonlyVec3, t: number): void;
  /** What may be farthest against a direction. */
  lowest(direction: ReadonlyVec3): void;
  /** The boxes of the children of the node at an offset, the triangles of a leaf, the triangle of a slot. */
  open(node: number): void;
  openLeaf(link: number): void;
  openSlot(slot: number): void;
}

export interface MeshOptions {
  /** The most triangles in a leaf of the tree, from 1 to 15. Default: 10. */
  readonly leafSize?: number;
  /**
   * A tree over the triangles (`buildTree(triangleItems(positions, index), { leafSize: 10, … })`), built by any
   * builder; binary, with leaves of 15 triangles at most. Its shape is used, and its volumes are not.
   */
  readonly tree?: Topology;
  /**
   * Triangles to leave out, by their number: no query meets them. The others keep theirs, so that what the user knows of each
   * triangle (a material, a surface) is found by the number in a hit.
   */
  readonly exclude?: (triangle: number) => boolean;
  /** Put everything into a `SharedArrayBuffer`, so that workers can search the mesh too. */
  readonly shared?: boolean;
  /** Called now and then while the tree is built, with the part that is done, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/**
 * A mesh of the triangles whose corners `index` lists, or of every three vertices without one, counter-clockwise seen
 * from outside. The arrays are those of three.js (`geometry.attributes.position.array`, `geometry.index.array`) and are
 * copied. Refuses no triangles at all, coordinates that are not finite, indices out of range, and counts not divisible
 * by three. Triangles without area are tolerated: they are never hit by a ray, and near to what is near them.
 *
 * Seams are closed. Where the surface meets itself but for rounding, as at the ends of the strip that three.js bends into a
 * sphere, vertices on its rims that differ by no more than four ulps (of the largest coordinate of the mesh; in arrays of
 * 32 bits also of their own) are put where the first of them is. So they move by eight ulps at most, other vertices never
 * do, and triangles keep their numbers. `inspect` lists what moves. O(n log n).
 */
export function mesh(
  positions: ArrayLike<number>,
  index?: ArrayLike<number> | null,
  options: MeshOptions = {},
): Mesh {
  mustBeOptions('mesh', 'options', options, 'leafSize tree exclude shared onProgress');
  const { leafSize = 10, shared = false, onProgress, exclude, tree: topology } = options;
  mustBeWhole('mesh', 'options.leafSize', leafSize, 1, MAX_LEAF);
  mustBeBoolean('mesh', 'options.shared', shared);
  if (onProgress !== undefined) mustBeFunction('mesh', 'options.onProgress', onProgress);
  if (exclude !== undefined) mustBeFunction('mesh', 'options.exclude', exclude);
  if (topology !== undefined) mustHave('mesh', 'options.tree', topology, 'a tree', 'items');
  if (topology && exclude) refuse('mesh', 'options.exclude', 'must not be given together with a tree');
  const given = readTriangles('mesh', { positions, index });
  const kept = exclude ? keptOf(given.index.length / 3, exclude) : null;
  const rows = kept ? rowsOf(given.index, kept) : given.index;
  const closed = closeSeams({ positions: given.positions, index: rows }).positions;
  const all = { positions: closed, index: given.index };
  if (topology) return layOut(all, packTopology('mesh', closed, rows, topology), topology.items, shared);
  const { tree, order } = packTriangles(closed, rows, { leafSize, ...(onProgress && { onProgress }) });
  return layOut(all, tree, kept ? order.map((i) => kept[i]!) : order, shared);
}

function keptOf(count: number, exclude: (triangle: number) => boolean): Uint32Array {
  const kept: number[] = [];
  for (let i = 0; i < count; i++) if (!exclude(i)) kept.push(i);
  if (kept.length === 0) refuse('mesh', 'options.exclude', 'must leave at least one triangle');
  return Uint32Array.from(kept);
}

/** The corners of some of the triangles. */
function rowsOf(index: Uint32Array, triangles: Uint32Array): Uint32Array {
  const rows = new Uint32Array(3 * triangles.length);
  for (let i = 0; i < triangles.length; i++)
    for (let k = 0; k < 3; k++) rows[3 * i + k] = index[3 * triangles[i]! + k]!;
  return rows;
}

/**
 * The mesh with its vertices elsewhere, as they are in the new `positions`: much faster than making a new one, and as
 * exact. The tree keeps its shape, so that searches grow slower the more the triangles are mixed up. `index` is the one
 * that the mesh was made with. The mesh that was given stays as it is. O(n).
 */
export function refitMesh(mesh: Mesh, positions: ArrayLike<number>, index?: ArrayLike<number> | null): Mesh {
  mustHave('refitMesh', 'mesh', mesh, 'a mesh', 'tree');
  const { ids, givenCount } = mesh;
  const given = readTriangles('refitMesh', { positions, index });
  if (given.index.length !== 3 * givenCount)
    refuse(
      'refitMesh',
      index ? 'index' : 'positions',
      `must hold the ${givenCount} triangles of the mesh, got ${given.index.length / 3}`,
    );
  const rows = ids.length < givenCount ? rowsOf(given.index, ids.slice().sort()) : given.index;
  const moved = {
    positions: closeSeams({ positions: given.positions, index: rows }).positions,
    index: given.index,
  };
  const { bounds, nodeCount, grid } = mesh.tree;
  const fresh = bounds.slice();
  const tree = {
    nodeCount,
    bounds: fresh,
    links: new Int32Array(fresh.buffer),
    grid: grid.slice(),
  };
  fitPacked(tree, ids, fineTriangles(moved.positions, moved.index));
  const refitted = layOut(moved, tree, ids, !(mesh.buffer instanceof ArrayBuffer));
  refitted[FAMILY] = mesh[FAMILY];
  return refitted;
}

/**
 * The layout of the buffer. The header is numbers of 8 bytes: what it is, four counts, a checksum, the grid, the bounds, the
 * number of triangles given.
 *
 * @internal
 */
export const LAYOUT = {
  /** The version. 4 had no checksum. */
  version: 5,
  /** 'gra' in ASCII, to which the version is added. Also shows the byte order. */
  magic: 0x67726100,
  /** Numbers in the header. */
  header: 19,
  /** Where in the header they are. */
  checksum: 5,
  grid: 6,
  bounds: 12,
  givenCount: 18,
  /**
   * Where the nodes begin, in bytes. Large buffers begin 16 bytes into a page as a rule, so that a node of 32 bytes never
   * lies across two cache lines of 64.
   */
  nodes: 176,
  /** Bytes of a coordinate. */
  f32: 4,
  f64: 8,
} as const;

/** Do 16 bits do for the numbers of so many vertices, three coordinates each? */
const areFew = (vertexNumbers: number): boolean => vertexNumbers <= 3 * 65536;

/** The offsets of the parts in the buffer: all are aligned. @internal */
export function layoutOf(
  nodeCount: number,
  triangleCount: number,
  vertexNumbers: number,
  vertexBytes: number,
) {
  const vertices = LAYOUT.nodes + nodeCount * 32;
  const ids = vertices + Math.ceil((vertexNumbers * vertexBytes) / 8) * 8;
  const corners = ids + triangleCount * 4;
  const end = corners + triangleCount * (areFew(vertexNumbers) ? 6 : 12);
  return { vertices, corners, ids, size: Math.ceil(end / 8) * 8 };
}

/** Copies everything into one buffer, vertices and triangles in the order in which the tree meets them. @internal */
export function layOut(
  { positions, index }: Triangles,
  tree: PackedTree,
  order: Uint32Array,
  shared: boolean,
): Mesh {
  const corners = new Uint32Array(order.length * 3);
  const newNumber = new Int32Array(positions.length / 3).fill(-1);
  const used = numberVertices(index, order, newNumber, corners);
  const made = makeLayout(tree, order.length, used, { positions, index }, shared);
  copyVertices(positions, newNumber, made.vertices);
  made.tree.bounds.set(tree.bounds);
  made.corners.set(corners);
  made.ids.set(order);
  return sealLayout(made.buffer);
}

/** A buffer for a mesh, with what its header says but what is worked out from the rest: see `sealLayout`. @internal */
export function makeLayout(
  { nodeCount, grid }: Pick<PackedTree, 'nodeCount' | 'grid'>,
  triangleCount: number,
  vertexCount: number,
  { positions, index }: Triangles,
  shared: boolean,
): Mesh {
  const bytes = positions instanceof Float32Array ? LAYOUT.f32 : LAYOUT.f64;
  const { size } = layoutOf(nodeCount, triangleCount, vertexCount * 3, bytes);
  const buffer = shared ? new SharedArrayBuffer(size) : new ArrayBuffer(size);
  const header = new Float64Array(buffer, 0, LAYOUT.header);
  header.set([LAYOUT.magic + LAYOUT.version, nodeCount, triangleCount, vertexCount * 3, bytes]);
  header.set(grid, LAYOUT.grid);
  header[LAYOUT.givenCount] = index.length / 3;
  return viewMesh(buffer);
}

/** The mesh in a buffer in which all is but the bounds and the checksum. `extent` is that of its vertices. @internal */
export function sealLayout(
  buffer: ArrayBuffer | SharedArrayBuffer,
  extent = extentOf(viewMesh(buffer).vertices),
): Mesh {
  const header = new Float64Array(buffer, 0, LAYOUT.header);
  mustBeInRange('mesh', 'the largest coordinate', largestOf(extent));
  header.set(extent, LAYOUT.bounds);
  header[LAYOUT.checksum] = checksumOf(buffer);
  return viewMesh(buffer);
}

/** The largest absolute value. @internal */
export function largestOf(list: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < list.length; i++) largest = Math.max(largest, Math.abs(list[i]!));
  return largest;
}

/**
 * Numbers the vertices as the triangles of `order` meet them, in `newNumber` and in `corners`. Returns how many they are.
 *
 * @internal
 */
export function numberVertices(
  index: Uint32Array,
  order: Uint32Array,
  newNumber: Int32Array,
  corners: Uint32Array,
): number {
  let used = 0;
  for (let i = 0, to = 0; i < order.length; i++) {
    const from = order[i]! * 3;
    for (let k = 0; k < 3; k++, to++) {
      const vertex = index[from + k]!;
      if (newNumber[vertex]! < 0) newNumber[vertex] = used++;
      corners[to] = newNumber[vertex]!;
    }
  }
  return used;
}

function copyVertices(
  positions: Float32Array | Float64Array,
  newNumber: Int32Array,
  vertices: Float32Array | Float64Array,
): void {
  for (let i = 0, from = 0; i < newNumber.length; i++, from += 3) {
    const at = newNumber[i]! * 3;
    if (at < 0) continue;
    vertices[at] = positions[from]!;
    vertices[at + 1] = positions[from + 1]!;
    vertices[at + 2] = positions[from + 2]!;
  }
}

/**
 * The mesh in a buffer, without copying or checking anything.
 *
 * @internal
 */
export function viewMesh(buffer: ArrayBuffer | SharedArrayBuffer): Mesh {
  const header = new Float64Array(buffer, 0, LAYOUT.header);
  const [, nodeCount, triangleCount, vertexNumbers, bytes] = header as unknown as [
    number,
    number,
    number,
    number,
    number,
  ];
  const parts = layoutOf(nodeCount, triangleCount, vertexNumbers, bytes);
  const point = (at: number): Vec3 => ({ x: header[at]!, y: header[at + 1]!, z: header[at + 2]! });
  return {
    kind: 'mesh',
    triangleCount,
    givenCount: header[LAYOUT.givenCount]!,
    bounds: { min: point(LAYOUT.bounds), max: point(LAYOUT.bounds + 3) },
    buffer,
    tree: {
      nodeCount,
      bounds: new Uint16Array(buffer, LAYOUT.nodes, nodeCount * 16),
      links: new Int32Array(buffer, LAYOUT.nodes, nodeCount * 8),
      grid: header.subarray(LAYOUT.grid, LAYOUT.bounds),
    },
    vertices:
      bytes === LAYOUT.f32
        ? new Float32Array(buffer, parts.vertices, vertexNumbers)
        : new Float64Array(buffer, parts.vertices, vertexNumbers),
    corners: areFew(vertexNumbers)
      ? new Uint16Array(buffer, parts.corners, triangleCount * 3)
      : new Uint32Array(buffer, parts.corners, triangleCount * 3),
    ids: new Uint32Array(buffer, parts.ids, triangleCount),
    live: null,
    [FAMILY]: null,
    [KERNELS]: null,
  };
}

/**
 * A checksum of 53 bits over all of a buffer but where it stands itself. Each word goes through a step that can be undone,
 * so that whatever is changed in a single word shows.
 *
 * @internal
 */
export function checksumOf(buffer: ArrayBuffer | SharedArrayBuffer): number {
  const words = new Int32Array(buffer);
  let even = 0x9e3779b9 | 0;
  let odd = 0x7f4a7c15 | 0;
  for (let i = 0; i < words.length; i += 2) {
    if (i === 2 * LAYOUT.checksum) continue;
    even = Math.imul(even ^ words[i]!, 0x85ebca6b);
    even ^= even >>> 15;
    odd = Math.imul(odd ^ words[i + 1]!, 0xc2b2ae35);
    odd ^= odd >>> 13;
  }
  // 32 bits of one, xored with the other's lowest 11, and 21 of the other: a change of either shows.
  return ((even ^ (odd << 21)) >>> 0) + (odd >>> 11) * 4294967296;
}

/** The corners of one triangle. */
export interface Corners {
  readonly a: Vec3;
  readonly b: Vec3;
  readonly c: Vec3;
}

export const makeCorners = (): Corners => ({ a: vec3(), b: vec3(), c: vec3() });

/** The corners of triangle i, counted in the order of the tree. */
export function loadTriangle({ vertices, corners }: Mesh, i: number, { a, b, c }: Corners): void {
  const p = 3 * corners[3 * i]!;
  const q = 3 * corners[3 * i + 1]!;
  const r = 3 * corners[3 * i + 2]!;
  a.x = vertices[p]!;
  a.y = vertices[p + 1]!;
  a.z = vertices[p + 2]!;
  b.x = vertices[q]!;
  b.y = vertices[q + 1]!;
  b.z = vertices[q + 2]!;
  c.x = vertices[r]!;
  c.y = vertices[r + 1]!;
  c.z = vertices[r + 2]!;
}

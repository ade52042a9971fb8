/**
 * Which triangles of a mesh does a shape touch? Two questions for each shape, both in the mesh's own space.
 *
 * `overlap…Mesh` asks whether there is any. The mesh is a surface: a shape that floats inside of a closed one touches
 * nothing. With `solid` the inside counts too, as told by `containsPointMesh`.
 *
 * `triangles…Mesh` lists all of them by number, ascending, in `out` or a new list.
 *
 * The shapes are solid: a triangle wholly inside of one meets it. Touching counts. The answers are those of asking
 * every triangle, in about O(log n + triangles found). RTCD §6.3.
 */
import {
  checkAabb,
  checkObb,
  checkPoint,
  checkSphere,
  checkTube,
  mustBeOptions,
  mustHave,
} from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import type { ReadonlyAabb, ReadonlyCapsule, ReadonlyObb, ReadonlySphere } from '../primitives/types.ts';
import { MAX_DEPTH } from '../trees/packed-tree.ts';
import { isInside } from './contain.ts';
import { loadTriangle, type Mesh, makeCorners } from './mesh.ts';
import {
  meetsTriangle,
  setAabb,
  setCapsule,
  setObb,
  setPolyhedron,
  setSphere,
  setTriangle,
} from './overlap-shapes.ts';
import { box, hasMoreThanBox, isApartFromNode, isApartFromTriangle } from './probe.ts';

export interface MeshOverlapOptions {
  /** Take the mesh as the solid that it bounds, not only as a surface: then a shape wholly inside overlaps too. */
  readonly solid?: boolean;
}

const SURFACE: MeshOverlapOptions = {};

/** No triangle was met: so the shape is inside as a whole, or outside as a whole, and any point of it tells. */
const isAround = (mesh: Mesh, p: ReadonlyVec3, { solid }: MeshOverlapOptions): boolean =>
  solid === true && isInside(p, mesh);

/** Does the sphere share a point with the mesh? Within rounding of touching (4e-15 of sphere and triangle) it does. */
export function overlapSphereMesh(sphere: ReadonlySphere, mesh: Mesh, options = SURFACE): boolean {
  checkSphere('overlapSphereMesh', 'sphere', sphere);
  mustHave('overlapSphereMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeOptions('overlapSphereMesh', 'options', options, 'solid');
  setSphere('overlapSphereMesh', sphere, mesh);
  return meetsAny(mesh) || isAround(mesh, sphere.center, options);
}

/** The triangles that share a point with the sphere: see `overlapSphereMesh`. */
export function trianglesSphereMesh(sphere: ReadonlySphere, mesh: Mesh, out: number[] = []): number[] {
  checkSphere('trianglesSphereMesh', 'sphere', sphere);
  mustHave('trianglesSphereMesh', 'mesh', mesh, 'a mesh', 'tree');
  setSphere('trianglesSphereMesh', sphere, mesh);
  return collect(mesh, out);
}

/** Does the box share a point with the mesh? Exactly, as `overlapTriangleAabb`. */
export function overlapAabbMesh(box: ReadonlyAabb, mesh: Mesh, options = SURFACE): boolean {
  checkAabb('overlapAabbMesh', 'box', box);
  mustHave('overlapAabbMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeOptions('overlapAabbMesh', 'options', options, 'solid');
  setAabb('overlapAabbMesh', box, mesh);
  return meetsAny(mesh) || isAround(mesh, box.min, options);
}

/** The triangles that share a point with the box: see `overlapAabbMesh`. */
export function trianglesAabbMesh(box: ReadonlyAabb, mesh: Mesh, out: number[] = []): number[] {
  checkAabb('trianglesAabbMesh', 'box', box);
  mustHave('trianglesAabbMesh', 'mesh', mesh, 'a mesh', 'tree');
  setAabb('trianglesAabbMesh', box, mesh);
  return collect(mesh, out);
}

/** Does the oriented box share a point with the mesh? Within rounding of touching it does: see `overlapTriangleObb`. */
export function overlapObbMesh(box: ReadonlyObb, mesh: Mesh, options = SURFACE): boolean {
  checkObb('overlapObbMesh', 'box', box);
  mustHave('overlapObbMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeOptions('overlapObbMesh', 'options', options, 'solid');
  setObb('overlapObbMesh', box, mesh);
  return meetsAny(mesh) || isAround(mesh, box.center, options);
}

/** The triangles that share a point with the oriented box: see `overlapObbMesh`. */
export function trianglesObbMesh(box: ReadonlyObb, mesh: Mesh, out: number[] = []): number[] {
  checkObb('trianglesObbMesh', 'box', box);
  mustHave('trianglesObbMesh', 'mesh', mesh, 'a mesh', 'tree');
  setObb('trianglesObbMesh', box, mesh);
  return collect(mesh, out);
}

/** Does the capsule share a point with the mesh? Within rounding of touching (4e-15 of capsule and triangle) it does. */
export function overlapCapsuleMesh(capsule: ReadonlyCapsule, mesh: Mesh, options = SURFACE): boolean {
  checkTube('overlapCapsuleMesh', 'capsule', capsule);
  mustHave('overlapCapsuleMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeOptions('overlapCapsuleMesh', 'options', options, 'solid');
  setCapsule('overlapCapsuleMesh', capsule, mesh);
  return meetsAny(mesh) || isAround(mesh, capsule.a, options);
}

/** The triangles that share a point with the capsule: see `overlapCapsuleMesh`. */
export function trianglesCapsuleMesh(capsule: ReadonlyCapsule, mesh: Mesh, out: number[] = []): number[] {
  checkTube('trianglesCapsuleMesh', 'capsule', capsule);
  mustHave('trianglesCapsuleMesh', 'mesh', mesh, 'a mesh', 'tree');
  setCapsule('trianglesCapsuleMesh', capsule, mesh);
  return collect(mesh, out);
}

/** Does the triangle abc share a point with the mesh? Exactly, as `overlapTriangleTriangle`. */
export function overlapTriangleMesh(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  mesh: Mesh,
  options = SURFACE,
): boolean {
  checkPoint('overlapTriangleMesh', 'a', a);
  checkPoint('overlapTriangleMesh', 'b', b);
  checkPoint('overlapTriangleMesh', 'c', c);
  mustHave('overlapTriangleMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeOptions('overlapTriangleMesh', 'options', options, 'solid');
  setTriangle('overlapTriangleMesh', a, b, c, mesh);
  return meetsAny(mesh) || isAround(mesh, a, options);
}

/** The triangles of the mesh that share a point with the triangle abc: see `overlapTriangleMesh`. */
export function trianglesTriangleMesh(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  mesh: Mesh,
  out: number[] = [],
): number[] {
  checkPoint('trianglesTriangleMesh', 'a', a);
  checkPoint('trianglesTriangleMesh', 'b', b);
  checkPoint('trianglesTriangleMesh', 'c', c);
  mustHave('trianglesTriangleMesh', 'mesh', mesh, 'a mesh', 'tree');
  setTriangle('trianglesTriangleMesh', a, b, c, mesh);
  return collect(mesh, out);
}

/**
 * Does the convex polyhedron share a point with the mesh? It does too if that takes moving the faces of the polyhedron
 * out by rounding (1e-15 of polyhedron and triangle, times the number of faces). Its list of faces must not change in
 * place once used.
 */
export function overlapPolyhedronMesh(
  polyhedron: ReadonlyPolyhedron,
  mesh: Mesh,
  options = SURFACE,
): boolean {
  mustHave('overlapPolyhedronMesh', 'polyhedron', polyhedron, 'a polyhedron', 'vertices');
  mustHave('overlapPolyhedronMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeOptions('overlapPolyhedronMesh', 'options', options, 'solid');
  setPolyhedron('overlapPolyhedronMesh', polyhedron, mesh);
  return meetsAny(mesh) || isAround(mesh, polyhedron.vertices[0]!, options);
}

/** The triangles that share a point with the convex polyhedron: see `overlapPolyhedronMesh`. */
export function trianglesPolyhedronMesh(
  polyhedron: ReadonlyPolyhedron,
  mesh: Mesh,
  out: number[] = [],
): number[] {
  mustHave('trianglesPolyhedronMesh', 'polyhedron', polyhedron, 'a polyhedron', 'vertices');
  mustHave('trianglesPolyhedronMesh', 'mesh', mesh, 'a mesh', 'tree');
  setPolyhedron('trianglesPolyhedronMesh', polyhedron, mesh);
  return collect(mesh, out);
}

/** The search of a mesh for the triangles that meet a shape. */

/** Both children may wait at each level, but one of them is taken at once. */
const pending = new Int32Array(MAX_DEPTH + 2);
const corners = makeCorners();
/** The triangles found, by the user's numbers. */
let found = new Uint32Array(64);
let foundCount = 0;

/** Does any triangle meet the shape that was set last? @internal */
export const meetsAny = (mesh: Mesh): boolean => search(mesh, false);

/** All triangles that meet the shape that was set last, ascending. @internal */
export function collect(mesh: Mesh, out: number[]): number[] {
  foundCount = 0;
  search(mesh, true);
  sortFound();
  out.length = foundCount;
  for (let i = 0; i < foundCount; i++) out[i] = found[i]!;
  return out;
}

/** The box of the shape in steps of the grid: the lowest and the highest that it touches, x, y, z. */
const low = new Int32Array(3);
const high = new Int32Array(3);

/**
 * Boxes of the tree are larger than their triangles by 1/32 of a step; the quotients are off by 2^-52 of themselves, and
 * what is beyond the grid need not be told apart.
 */
function setSteps(grid: Float64Array): void {
  const { min, max } = box;
  for (let k = 0; k < 3; k++) {
    const from = k === 0 ? min.x : k === 1 ? min.y : min.z;
    const to = k === 0 ? max.x : k === 1 ? max.y : max.z;
    low[k] = Math.max(-1, Math.min(65536, Math.floor((from - grid[k]!) / grid[k + 3]!)));
    high[k] = Math.max(-1, Math.min(65536, Math.ceil((to - grid[k]!) / grid[k + 3]!)));
  }
}

function search(mesh: Mesh, all: boolean): boolean {
  const { bounds, links, grid } = mesh.tree;
  setSteps(grid);
  const x0 = low[0]!;
  const y0 = low[1]!;
  const z0 = low[2]!;
  const x1 = high[0]!;
  const y1 = high[1]!;
  const z1 = high[2]!;
  const closer = hasMoreThanBox();
  pending[0] = 0;
  let top = 1;
  while (top > 0) {
    const node = pending[--top]!;
    for (let side = 0; side < 2; side++) {
      const at = node + 6 * side;
      // Six comparisons in the sign of one number, and one branch.
      const gap =
        (x1 - bounds[at]!) |
        (y1 - bounds[at + 1]!) |
        (z1 - bounds[at + 2]!) |
        (bounds[at + 3]! - x0) |
        (bounds[at + 4]! - y0) |
        (bounds[at + 5]! - z0);
      if (gap < 0 || (closer && isApartFromNode(bounds, at))) continue;
      const link = links[(node >> 1) + 6 + side]!;
      if (link >= 0) pending[top++] = link;
      else if (searchLeaf(mesh, ~link >> 4, ~link & 15, all)) return true;
    }
  }
  return false;
}

/** Looks at triangles one by one; ends at the first unless all are wanted. */
function searchLeaf(mesh: Mesh, first: number, count: number, all: boolean): boolean {
  const { a, b, c } = corners;
  for (let i = first; i < first + count; i++) {
    loadTriangle(mesh, i, corners);
    if (isApartFromTriangle(a, b, c) || !meetsTriangle(a, b, c)) continue;
    if (!all) return true;
    add(mesh.ids[i]!);
  }
  return false;
}

function add(id: number): void {
  if (foundCount === found.length) {
    const larger = new Uint32Array(2 * foundCount);
    larger.set(found);
    found = larger;
  }
  found[foundCount++] = id;
}

/** Few are inserted one by one: that makes no new view. */
const FEW = 40;

function sortFound(): void {
  if (foundCount > FEW) {
    found.subarray(0, foundCount).sort();
    return;
  }
  for (let i = 1; i < foundCount; i++) {
    const id = found[i]!;
    let k = i;
    for (; k > 0 && found[k - 1]! > id; k--) found[k] = found[k - 1]!;
    found[k] = id;
  }
}

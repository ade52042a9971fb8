/**
 * Which triangles of a mesh does a shape touch? Two queries for each shape, both in the mesh's own space.
 *
 * `overlap…Mesh` asks whether there is any. The mesh is a surface: a shape that floats inside of a closed one touches
 * nothing. With `solid` the inside counts too, as decided by `containsPointMesh`.
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
import { checkPolyhedron } from '../primitives/input.ts';
import type { ReadonlyAabb, ReadonlyCapsule, ReadonlyObb, ReadonlySphere } from '../primitives/types.ts';
import { isLeaf, leafEnd, leafFirst } from '../trees/packed-tree.ts';
import { isInside } from './inside.ts';
import { loadTriangle, type Mesh, makeCorners } from './mesh.ts';
import {
  OverlapAabb,
  OverlapCapsule,
  OverlapObb,
  OverlapPolyhedron,
  type OverlapShape,
  OverlapSphere,
  OverlapTriangle,
} from './overlap-shapes.ts';
import { BoxWalk } from './visit-triangles.ts';

export interface MeshOverlapOptions {
  /** Take the mesh as the solid that it bounds, not only as a surface: then a shape wholly inside overlaps too. */
  readonly solid?: boolean;
}

const SURFACE: MeshOverlapOptions = {};

/** No triangle was met: so the shape is inside as a whole, or outside as a whole, and any point of it decides. */
const isAround = (mesh: Mesh, p: ReadonlyVec3, { solid }: MeshOverlapOptions): boolean =>
  solid === true && isInside(p, mesh);

/** Does the sphere share a point with the mesh? Within rounding of touching (4e-15 of sphere and triangle) it does. */
export function overlapSphereMesh(sphere: ReadonlySphere, mesh: Mesh, options = SURFACE): boolean {
  checkSphere('overlapSphereMesh', 'sphere', sphere);
  mustHave('overlapSphereMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeOptions('overlapSphereMesh', 'options', options, 'solid');
  return meetsAny(sphereShape.set(sphere, mesh), mesh) || isAround(mesh, sphere.center, options);
}

/** The triangles that share a point with the sphere: see `overlapSphereMesh`. */
export function trianglesSphereMesh(sphere: ReadonlySphere, mesh: Mesh, out: number[] = []): number[] {
  checkSphere('trianglesSphereMesh', 'sphere', sphere);
  mustHave('trianglesSphereMesh', 'mesh', mesh, 'a mesh', 'tree');
  return collect(sphereShape.set(sphere, mesh), mesh, out);
}

/** Does the box share a point with the mesh? Exactly, as `overlapTriangleAabb`. */
export function overlapAabbMesh(box: ReadonlyAabb, mesh: Mesh, options = SURFACE): boolean {
  checkAabb('overlapAabbMesh', 'box', box);
  mustHave('overlapAabbMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeOptions('overlapAabbMesh', 'options', options, 'solid');
  return meetsAny(aabbShape.set(box, mesh), mesh) || isAround(mesh, box.min, options);
}

/** The triangles that share a point with the box: see `overlapAabbMesh`. */
export function trianglesAabbMesh(box: ReadonlyAabb, mesh: Mesh, out: number[] = []): number[] {
  checkAabb('trianglesAabbMesh', 'box', box);
  mustHave('trianglesAabbMesh', 'mesh', mesh, 'a mesh', 'tree');
  return collect(aabbShape.set(box, mesh), mesh, out);
}

/** Does the oriented box share a point with the mesh? Within rounding of touching it does: see `overlapTriangleObb`. */
export function overlapObbMesh(box: ReadonlyObb, mesh: Mesh, options = SURFACE): boolean {
  checkObb('overlapObbMesh', 'box', box);
  mustHave('overlapObbMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeOptions('overlapObbMesh', 'options', options, 'solid');
  return meetsAny(obbShape.set(box, mesh), mesh) || isAround(mesh, box.center, options);
}

/** The triangles that share a point with the oriented box: see `overlapObbMesh`. */
export function trianglesObbMesh(box: ReadonlyObb, mesh: Mesh, out: number[] = []): number[] {
  checkObb('trianglesObbMesh', 'box', box);
  mustHave('trianglesObbMesh', 'mesh', mesh, 'a mesh', 'tree');
  return collect(obbShape.set(box, mesh), mesh, out);
}

/** Does the capsule share a point with the mesh? Within rounding of touching (4e-15 of capsule and triangle) it does. */
export function overlapCapsuleMesh(capsule: ReadonlyCapsule, mesh: Mesh, options = SURFACE): boolean {
  checkTube('overlapCapsuleMesh', 'capsule', capsule);
  mustHave('overlapCapsuleMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeOptions('overlapCapsuleMesh', 'options', options, 'solid');
  return meetsAny(capsuleShape.set(capsule, mesh), mesh) || isAround(mesh, capsule.a, options);
}

/** The triangles that share a point with the capsule: see `overlapCapsuleMesh`. */
export function trianglesCapsuleMesh(capsule: ReadonlyCapsule, mesh: Mesh, out: number[] = []): number[] {
  checkTube('trianglesCapsuleMesh', 'capsule', capsule);
  mustHave('trianglesCapsuleMesh', 'mesh', mesh, 'a mesh', 'tree');
  return collect(capsuleShape.set(capsule, mesh), mesh, out);
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
  return meetsAny(triangleShape.set(a, b, c, mesh), mesh) || isAround(mesh, a, options);
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
  return collect(triangleShape.set(a, b, c, mesh), mesh, out);
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
  checkPolyhedron('overlapPolyhedronMesh', 'polyhedron', polyhedron);
  return (
    meetsAny(polyhedronShape.set('overlapPolyhedronMesh', polyhedron, mesh), mesh) ||
    isAround(mesh, polyhedron.vertices[0]!, options)
  );
}

/** The triangles that share a point with the convex polyhedron: see `overlapPolyhedronMesh`. */
export function trianglesPolyhedronMesh(
  polyhedron: ReadonlyPolyhedron,
  mesh: Mesh,
  out: number[] = [],
): number[] {
  mustHave('trianglesPolyhedronMesh', 'polyhedron', polyhedron, 'a polyhedron', 'vertices');
  mustHave('trianglesPolyhedronMesh', 'mesh', mesh, 'a mesh', 'tree');
  checkPolyhedron('trianglesPolyhedronMesh', 'polyhedron', polyhedron);
  return collect(polyhedronShape.set('trianglesPolyhedronMesh', polyhedron, mesh), mesh, out);
}

// What is not used is left out by bundlers, with the tests of its triangles.
const sphereShape = /* @__PURE__ */ new OverlapSphere();
const aabbShape = /* @__PURE__ */ new OverlapAabb();
const obbShape = /* @__PURE__ */ new OverlapObb();
const capsuleShape = /* @__PURE__ */ new OverlapCapsule();
const triangleShape = /* @__PURE__ */ new OverlapTriangle();
const polyhedronShape = /* @__PURE__ */ new OverlapPolyhedron();

/** `overlapSphereMesh` of the surface, without the checks. @internal */
export const meetsSphere = (sphere: ReadonlySphere, mesh: Mesh): boolean =>
  meetsAny(sphereShape.set(sphere, mesh), mesh);

/** `overlapCapsuleMesh` of the surface, without the checks. @internal */
export const meetsCapsule = (capsule: ReadonlyCapsule, mesh: Mesh): boolean =>
  meetsAny(capsuleShape.set(capsule, mesh), mesh);

/** `overlapObbMesh` of the surface, without the checks. @internal */
export const meetsObb = (box: ReadonlyObb, mesh: Mesh): boolean => meetsAny(obbShape.set(box, mesh), mesh);

const walk = new BoxWalk();
const corners = makeCorners();
/** The triangles found, by the user's numbers. */
let found = new Uint32Array(64);
let foundCount = 0;

/** Does any triangle meet the shape? */
const meetsAny = (shape: OverlapShape, mesh: Mesh): boolean => search(shape, mesh, false);

/** All triangles that meet the shape, ascending. */
function collect(shape: OverlapShape, mesh: Mesh, out: number[]): number[] {
  foundCount = 0;
  search(shape, mesh, true);
  sortFound();
  out.length = foundCount;
  for (let i = 0; i < foundCount; i++) out[i] = found[i]!;
  return out;
}

/** Ends at the first triangle unless all are wanted. */
function search(shape: OverlapShape, mesh: Mesh, all: boolean): boolean {
  const { tree, ids } = mesh;
  const { bounds } = shape;
  const { a, b, c } = corners;
  const closer = bounds.hasMoreThanBox() ? bounds : null;
  walk.start(mesh, bounds.box);
  for (let link = walk.next(tree, closer); isLeaf(link); link = walk.next(tree, closer))
    for (let i = leafFirst(link), end = leafEnd(link); i < end; i++) {
      loadTriangle(mesh, i, corners);
      if (bounds.isApartFromTriangle(a, b, c) || !shape.meets(a, b, c)) continue;
      if (!all) return true;
      add(ids[i]!);
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

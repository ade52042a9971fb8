/** Making convex polyhedra. */

import { differenceOfProducts, sumError } from '../math/accurate.ts';
import type { BigVec } from '../math/big-integers.ts';
import { approximate, cross, minus, toIntegers, unitOfPoints } from '../math/big-integers.ts';
import { ANY_FINITE, checkPoint, checkPoints, describe, mustHave, refuse } from '../math/check.ts';
import { UNIT_ROUNDING } from '../math/tolerance.ts';
import type { Plane, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { convexHull3 } from './convex-hull3.ts';
import { mustBeFaces, mustBeIndices, mustBePolyhedron } from './input.ts';
import type { Polyhedron, ReadonlyHull, ReadonlyPolyhedron } from './types.ts';

/**
 * The convex hull of points as a polyhedron: its vertices are the corners of the hull only, in the order of the list.
 * Throws when the points lie in a plane (or on a line, or coincide): they bound no solid.
 */
export function polyhedron(points: readonly ReadonlyVec3[]): Polyhedron {
  checkPoints('polyhedron', 'points', points, ANY_FINITE);
  const hull = convexHull3(points);
  if (hull.dimension < 3) refuse('polyhedron', 'points', `must not ${FLAT[hull.dimension]}`);
  return fromHull(points, hull);
}

const FLAT = ['all coincide', 'all lie on one line', 'all lie in one plane', ''];

/**
 * A polyhedron from the hull of `points`: one face per flat side, planes with unit normals that point out. The normals
 * are rounded, so a plane may cut off corners of neighbouring faces by a few ulps; its own corners are behind or on it.
 * However thin a face of n corners is, no corner of the polyhedron is in front of its plane by more than 4 (n + 10) 2^-53
 * times the largest coordinate, and its own corners are no farther behind. Throws when the hull is flat.
 */
export function polyhedronFromHull(points: readonly ReadonlyVec3[], hull: ReadonlyHull): Polyhedron {
  checkPoints('polyhedronFromHull', 'points', points, ANY_FINITE);
  mustHave('polyhedronFromHull', 'hull', hull, 'a hull', 'dimension');
  const caller = 'polyhedronFromHull';
  if (hull.dimension !== 3)
    refuse(caller, 'hull', `must be solid, but has dimension ${describe(hull.dimension)}`);
  mustBeIndices(caller, 'hull.vertices', hull.vertices, points.length);
  mustBeIndices(caller, 'hull.triangles', hull.triangles, points.length);
  mustBeFaces(caller, 'hull.faces', hull.faces, points.length);
  const corners = new Set(hull.vertices);
  for (const [f, face] of hull.faces.entries())
    if (!face.every((i) => corners.has(i)))
      refuse(caller, `hull.faces[${f}]`, 'must have corners that are among hull.vertices');
  return fromHull(points, hull);
}

function fromHull(points: readonly ReadonlyVec3[], hull: ReadonlyHull): Polyhedron {
  const vertices = hull.vertices.map((i) => v3.copy(points[i]!));
  const indexOf = new Map(hull.vertices.map((i, k) => [i, k]));
  const faces = hull.faces.map((face) => face.map((i) => indexOf.get(i)!));
  return { vertices, faces, planes: faces.map((face) => facePlane(vertices, face)) };
}

/**
 * The plane of a face, with a unit normal that points to where the loop is seen counter-clockwise, moved out to the
 * farthest of its vertices.
 *
 * @internal
 */
export function facePlane(vertices: readonly ReadonlyVec3[], face: readonly number[]): Plane {
  const normal = v3.normalize(areaVector(vertices, face));
  let d = -Infinity;
  for (const i of face) d = Math.max(d, v3.dot(normal, vertices[i]!));
  return { normal, d };
}

/**
 * The sum of the cross products of a fan, along the normal, to about ten roundings of its length. The edges of a sliver
 * that is an ulp thin differ from each other by no more than their own rounding, so that must not be lost: each edge
 * is taken together with what its subtraction lost, and if even that is not enough, nothing is rounded at all.
 */
function areaVector(vertices: readonly ReadonlyVec3[], face: readonly number[]): Vec3 {
  const origin = vertices[face[0]!]!;
  const sum = vec3();
  let scale = 0;
  for (let k = 2; k < face.length; k++) {
    const p = vertices[face[k - 1]!]!;
    const q = vertices[face[k]!]!;
    v3.sub(p, origin, u);
    v3.sub(q, origin, v);
    differenceError(p, origin, u, uLost);
    differenceError(q, origin, v, vLost);
    sum.x +=
      differenceOfProducts(u.y, v.z, u.z, v.y) +
      (u.y * vLost.z + uLost.y * v.z - (u.z * vLost.y + uLost.z * v.y));
    sum.y +=
      differenceOfProducts(u.z, v.x, u.x, v.z) +
      (u.z * vLost.x + uLost.z * v.x - (u.x * vLost.z + uLost.x * v.z));
    sum.z +=
      differenceOfProducts(u.x, v.y, u.y, v.x) +
      (u.x * vLost.y + uLost.x * v.y - (u.y * vLost.x + uLost.y * v.x));
    scale +=
      (Math.abs(u.x) + Math.abs(u.y) + Math.abs(u.z)) * (Math.abs(v.x) + Math.abs(v.y) + Math.abs(v.z));
  }
  const size = Math.max(Math.abs(sum.x), Math.abs(sum.y), Math.abs(sum.z));
  // What is left out is some 2^-103 of the scale. Away from the ends of the range nothing else is lost.
  if (size > ENOUGH * scale && size > 1e-270 && scale < 1e270) return sum;
  return exactAreaVector(vertices, face);
}
const ENOUGH = 32 * UNIT_ROUNDING;
const u = vec3();
const v = vec3();
const uLost = vec3();
const vLost = vec3();

function differenceError(a: ReadonlyVec3, b: ReadonlyVec3, difference: ReadonlyVec3, out: Vec3): void {
  out.x = sumError(a.x, -b.x, difference.x);
  out.y = sumError(a.y, -b.y, difference.y);
  out.z = sumError(a.z, -b.z, difference.z);
}

/** Times some power of two, each component rounded once. */
function exactAreaVector(vertices: readonly ReadonlyVec3[], face: readonly number[]): Vec3 {
  const corners = face.map((i) => vertices[i]!);
  // Whoever asked says so, with the name of what is broken.
  if (!corners.every(({ x, y, z }) => Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)))
    return vec3(Number.NaN, Number.NaN, Number.NaN);
  const unit = unitOfPoints(corners);
  const [origin, ...others] = corners.map((p) => toIntegers(p, unit));
  const edges = others.map((p) => minus(p, origin!));
  let sum: BigVec = [0n, 0n, 0n];
  for (let k = 1; k < edges.length; k++) {
    const part = cross(edges[k - 1]!, edges[k]!);
    sum = [sum[0] + part[0], sum[1] + part[1], sum[2] + part[2]];
  }
  const rounded = new Float64Array(3);
  approximate(sum, rounded);
  return vec3(rounded[0], rounded[1], rounded[2]);
}

/** The box from `min` to `max` as a polyhedron; corner i has max.x if bit 0 of i is set, max.y for bit 1, max.z for bit 2. */
export function boxPolyhedron(min: ReadonlyVec3, max: ReadonlyVec3): Polyhedron {
  checkPoint('boxPolyhedron', 'min', min);
  checkPoint('boxPolyhedron', 'max', max);
  if (min.x > max.x || min.y > max.y || min.z > max.z)
    refuse('boxPolyhedron', 'min', 'must not exceed max on any axis');
  const vertices: Vec3[] = [];
  for (let i = 0; i < 8; i++)
    vertices.push(vec3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z));
  return {
    vertices,
    faces: [
      [0, 4, 6, 2],
      [1, 3, 7, 5],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 2, 3, 1],
      [4, 5, 7, 6],
    ],
    planes: [
      { normal: vec3(-1, 0, 0), d: -min.x },
      { normal: vec3(1, 0, 0), d: max.x },
      { normal: vec3(0, -1, 0), d: -min.y },
      { normal: vec3(0, 1, 0), d: max.y },
      { normal: vec3(0, 0, -1), d: -min.z },
      { normal: vec3(0, 0, 1), d: max.z },
    ],
  };
}

/** For each vertex the vertices that an edge joins it to, ascending. */
export function vertexNeighbours(polyhedron: ReadonlyPolyhedron): number[][] {
  mustHave('vertexNeighbours', 'polyhedron', polyhedron, 'a polyhedron', 'vertices');
  mustBePolyhedron('vertexNeighbours', polyhedron);
  const neighbours = polyhedron.vertices.map(() => new Set<number>());
  for (const face of polyhedron.faces)
    for (let k = 0; k < face.length; k++) {
      const from = face[k]!;
      const to = face[(k + 1) % face.length]!;
      neighbours[from]!.add(to);
      neighbours[to]!.add(from);
    }
  return neighbours.map((set) => [...set].sort((i, j) => i - j));
}

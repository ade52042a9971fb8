/** Reads and checks lists of points, polyhedra and indices. */
import {
  ANY_FINITE,
  checkPlane,
  checkPoints,
  checkPoints2,
  describe,
  isNumberList,
  mustBeList,
  mustHave,
  refuse,
  refuseType,
} from '../math/check.ts';
import type { ReadonlyVec2, ReadonlyVec3, Vec2, Vec3 } from '../math/types.ts';
import type { ReadonlyPolyhedron } from './types.ts';

/**
 * Fresh copies of the points for exact predicates to work on, times a power of two (1 for nearly every input) that
 * keeps products of three coordinates away from over- and underflow: it changes no sign.
 *
 * @internal
 */
export function readPoints3(caller: string, points: readonly ReadonlyVec3[], name = 'points'): Vec3[] {
  mustNotBeEmpty(caller, points, name);
  const own: Vec3[] = [];
  let largest = 0;
  checkPoints(caller, name, points, ANY_FINITE);
  for (const { x, y, z } of points) {
    own.push({ x, y, z });
    largest = Math.max(largest, Math.abs(x), Math.abs(y), Math.abs(z));
  }
  const scale = safeScale(largest);
  if (scale !== 1)
    for (const p of own) {
      p.x *= scale;
      p.y *= scale;
      p.z *= scale;
    }
  return own;
}

/**
 * The same in the plane.
 *
 * @internal
 */
export function readPoints2(caller: string, points: readonly ReadonlyVec2[], name = 'points'): Vec2[] {
  mustNotBeEmpty(caller, points, name);
  const own: Vec2[] = [];
  let largest = 0;
  checkPoints2(caller, name, points, ANY_FINITE);
  for (const { x, y } of points) {
    own.push({ x, y });
    largest = Math.max(largest, Math.abs(x), Math.abs(y));
  }
  const scale = safeScale(largest);
  if (scale !== 1)
    for (const p of own) {
      p.x *= scale;
      p.y *= scale;
    }
  return own;
}

function mustNotBeEmpty(caller: string, points: readonly unknown[], name: string): void {
  if (!Array.isArray(points)) refuseType(caller, name, 'a list', points);
  if (points.length === 0) refuse(caller, name, 'must hold at least one point');
}

function safeScale(largest: number): number {
  let scale = 1;
  while (largest * scale > 1e75) scale /= 2;
  while (largest > 0 && largest * scale < 1e-75) scale *= 2;
  return scale;
}

/**
 * Throws unless every entry is an index into a list of `count` things.
 *
 * @internal
 */
export function mustBeIndices(caller: string, name: string, indices: readonly number[], count: number): void {
  if (!isNumberList(indices)) refuseType(caller, name, 'a list of indices', indices);
  for (let k = 0; k < indices.length; k++) {
    const i = indices[k]!;
    if (!(Number.isInteger(i) && i >= 0 && i < count))
      refuse(caller, name, `must hold indices below ${count}, got ${describe(i)}`);
  }
}

/**
 * Throws unless the faces are loops of three or more indices into `count` vertices.
 *
 * @internal
 */
export function mustBeFaces(
  caller: string,
  name: string,
  faces: readonly (readonly number[])[],
  count: number,
): void {
  mustNotBeEmpty(caller, faces, name);
  for (let f = 0; f < faces.length; f++) {
    const face = faces[f]!;
    if (!isNumberList(face)) refuseType(caller, `${name}[${f}]`, 'a list of indices', face);
    if (!(face.length >= 3)) refuse(caller, `${name}[${f}]`, 'must have at least three vertices');
    mustBeIndices(caller, `${name}[${f}]`, face, count);
  }
}

/**
 * Throws unless the lists of a polyhedron fit together and hold finite numbers.
 *
 * @internal
 */
export function mustBePolyhedron(caller: string, polyhedron: ReadonlyPolyhedron, name = 'polyhedron'): void {
  mustHave(caller, name, polyhedron, 'a polyhedron', 'vertices');
  const { vertices, faces, planes } = polyhedron;
  mustNotBeEmpty(caller, vertices, `${name}.vertices`);
  checkPoints(caller, `${name}.vertices`, vertices);
  mustBeList(caller, `${name}.planes`, planes);
  for (const [i, plane] of planes.entries()) checkPlane(caller, `${name}.planes[${i}]`, plane);
  mustBeFaces(caller, `${name}.faces`, faces, vertices.length);
  if (planes.length !== faces.length) refuse(caller, `${name}.planes`, 'must be one per face');
}

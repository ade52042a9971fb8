/** The doors through which this room reads lists of points, polyhedra and indices. */
import { mustBeFinite, refuse } from '../math/check.ts';
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
  for (const point of points) {
    // What is not an object leaves NaN behind, and the check finds it.
    const { x, y, z } = Object(point) as ReadonlyVec3;
    own.push({ x, y, z });
    largest = Math.max(largest, Math.abs(x), Math.abs(y), Math.abs(z));
  }
  const scale = safeScale(caller, points, name, largest);
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
  for (const point of points) {
    const { x, y } = Object(point) as ReadonlyVec2;
    own.push({ x, y });
    largest = Math.max(largest, Math.abs(x), Math.abs(y));
  }
  const scale = safeScale(caller, points, name, largest);
  if (scale !== 1)
    for (const p of own) {
      p.x *= scale;
      p.y *= scale;
    }
  return own;
}

function mustNotBeEmpty(caller: string, points: readonly unknown[], name: string): void {
  if (!Array.isArray(points) || points.length === 0) refuse(caller, name, 'must hold at least one point');
}

function safeScale(caller: string, points: readonly object[], name: string, largest: number): number {
  if (largest * 0 !== 0) {
    mustBeFinite(caller, { [name]: points });
    refuse(caller, name, 'must hold points with all their coordinates');
  }
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
  for (const i of indices)
    if (!(Number.isInteger(i) && i >= 0 && i < count))
      refuse(caller, name, `must hold indices below ${count}, got ${i}`);
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
  const { vertices, faces, planes } = polyhedron;
  mustNotBeEmpty(caller, vertices, `${name}.vertices`);
  mustBeFinite(caller, { [`${name}.vertices`]: vertices, [`${name}.planes`]: planes });
  mustBeFaces(caller, `${name}.faces`, faces, vertices.length);
  if (planes.length !== faces.length) refuse(caller, `${name}.planes`, 'must be one per face');
}

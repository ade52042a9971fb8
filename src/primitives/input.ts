/** The input checks of the primitives that `src/math/check.ts` does not have. */
import {
  checkPlane,
  checkPoint,
  checkPoints,
  checkRay,
  LARGEST,
  mustBeDistance,
  mustBeList,
  mustHave,
  refuse,
} from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { mustBePolyhedron } from '../polytope/input.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import type { ReadonlyRay } from './types.ts';

/** @internal `tMax` may be infinite, but neither negative nor NaN. */
export function checkRayUpTo(caller: string, ray: ReadonlyRay, tMax: number): void {
  checkRay(caller, 'ray', ray);
  checkRange(caller, tMax);
}

/** @internal */
export function checkRange(caller: string, tMax: number): void {
  mustBeDistance(caller, 'tMax', tMax);
}

/** @internal */
export function checkSegment(caller: string, p: ReadonlyVec3, q: ReadonlyVec3): void {
  checkPoint(caller, 'p', p);
  checkPoint(caller, 'q', q);
}

/** @internal */
export function checkTriangle(caller: string, a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): void {
  checkPoint(caller, 'a', a);
  checkPoint(caller, 'b', b);
  checkPoint(caller, 'c', c);
}

/** @internal The planes are all that a line looks at. */
export function checkPlanes(caller: string, polyhedron: Pick<ReadonlyPolyhedron, 'planes'>): void {
  mustHave(caller, 'polyhedron', polyhedron, 'a polyhedron', 'planes');
  const { planes } = polyhedron;
  mustBeList(caller, 'polyhedron.planes', planes);
  try {
    for (let i = 0; i < planes.length; i++) checkPlane(caller, 'polyhedron.planes', planes[i]!);
  } catch {
    for (let i = 0; i < planes.length; i++) checkPlane(caller, `polyhedron.planes[${i}]`, planes[i]!);
  }
  if (planes.length === 0) refuse(caller, 'polyhedron.planes', 'must not be empty');
}

/** @internal */
export function checkSomePoints(caller: string, points: readonly ReadonlyVec3[]): void {
  checkPoints(caller, 'points', points);
  if (points.length === 0) refuse(caller, 'points', 'must not be empty');
}

/** Looks at every number once; the walk that names the culprit runs only when there is one. @internal */
export function checkPolyhedron(caller: string, name: string, polyhedron: ReadonlyPolyhedron): void {
  try {
    if (isPolyhedron(polyhedron)) return;
  } catch {}
  mustBePolyhedron(caller, polyhedron, name);
}

function isPolyhedron({ vertices, faces, planes }: ReadonlyPolyhedron): boolean {
  let size = 0;
  for (let i = 0; i < vertices.length; i++) {
    const { x, y, z } = vertices[i]!;
    size += Math.abs(x) + Math.abs(y) + Math.abs(z);
  }
  for (let i = 0; i < planes.length; i++) {
    const { normal: n, d } = planes[i]!;
    size += Math.abs(n.x) + Math.abs(n.y) + Math.abs(n.z) + Math.abs(d);
  }
  if (!(size <= LARGEST && vertices.length > 0 && faces.length > 0 && planes.length === faces.length))
    return false;
  for (let i = 0; i < faces.length; i++) {
    const face = faces[i]!;
    if (!(face.length >= 3)) return false;
    for (let k = 0; k < face.length; k++)
      if (typeof face[k] !== 'number' || vertices[face[k]!] === undefined) return false;
  }
  return true;
}

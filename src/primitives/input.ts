/** The checks at the doors of this room, one per record. */
import { mustBeFinite, refuse } from '../math/check.ts';
import type { ReadonlyPlane, ReadonlyVec3 } from '../math/types.ts';
import { mustBePolyhedron } from '../polytope/input.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import type {
  ReadonlyAabb,
  ReadonlyCapsule,
  ReadonlyCone,
  ReadonlyObb,
  ReadonlyRay,
  ReadonlySphere,
} from './types.ts';

const sumOf = (v: ReadonlyVec3): number => v.x + v.y + v.z;

/** @internal `tMax` may be infinite, but neither negative nor NaN. */
export function checkRay(caller: string, ray: ReadonlyRay, tMax: number): void {
  if ((sumOf(ray.origin) + sumOf(ray.direction)) * 0 !== 0) mustBeFinite(caller, { ray });
  checkRange(caller, tMax);
}

/** @internal */
export function checkRange(caller: string, tMax: number): void {
  if (!(tMax >= 0)) refuse(caller, 'tMax', `must be a number that is at least 0, got ${tMax}`);
}

/** @internal */
export function checkLine(caller: string, line: ReadonlyRay): void {
  if ((sumOf(line.origin) + sumOf(line.direction)) * 0 !== 0) mustBeFinite(caller, { line });
}

/** @internal */
export function checkSegment(caller: string, p: ReadonlyVec3, q: ReadonlyVec3): void {
  if ((sumOf(p) + sumOf(q)) * 0 !== 0) mustBeFinite(caller, { p, q });
}

/** @internal */
export function checkTriangle(caller: string, a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): void {
  if ((sumOf(a) + sumOf(b) + sumOf(c)) * 0 !== 0) mustBeFinite(caller, { a, b, c });
}

/** @internal */
export function checkSphere(caller: string, sphere: ReadonlySphere): void {
  if ((sumOf(sphere.center) + sphere.radius) * 0 !== 0) mustBeFinite(caller, { sphere });
  checkRadius(caller, 'sphere.radius', sphere.radius);
}

/** @internal */
export function checkRadius(caller: string, name: string, radius: number): void {
  if (!(radius >= 0 && radius < Infinity))
    refuse(caller, name, `must be finite and not negative, got ${radius}`);
}

/** @internal */
export function checkAabb(caller: string, box: ReadonlyAabb): void {
  const { min, max } = box;
  if ((sumOf(min) + sumOf(max)) * 0 !== 0) mustBeFinite(caller, { box });
  if (!(min.x <= max.x && min.y <= max.y && min.z <= max.z)) refuse(caller, 'box', 'must have min <= max');
}

/** @internal Also an ellipsoid, whose half-sizes are its radii. */
export function checkObb(caller: string, name: string, box: ReadonlyObb): void {
  const { center, halfSize: h, rotation } = box;
  const e = rotation.elements;
  const turn = e[0]! + e[1]! + e[2]! + (e[3]! + e[4]! + e[5]!) + (e[6]! + e[7]! + e[8]!);
  if ((sumOf(center) + sumOf(h) + turn) * 0 !== 0) mustBeFinite(caller, { [name]: box });
  if (!(h.x >= 0 && h.y >= 0 && h.z >= 0)) refuse(caller, `${name}.halfSize`, 'must not be negative');
}

/** @internal A capsule or a cylinder, which have the same fields. */
export function checkTube(caller: string, name: string, tube: ReadonlyCapsule): void {
  if ((sumOf(tube.a) + sumOf(tube.b) + tube.radius) * 0 !== 0) mustBeFinite(caller, { [name]: tube });
  checkRadius(caller, `${name}.radius`, tube.radius);
}

/** @internal */
export function checkCone(caller: string, cone: ReadonlyCone): void {
  if ((sumOf(cone.tip) + sumOf(cone.base) + cone.radius) * 0 !== 0) mustBeFinite(caller, { cone });
  checkRadius(caller, 'cone.radius', cone.radius);
}

/** @internal The planes are all that a line looks at. */
export function checkPlanes(caller: string, polyhedron: Pick<ReadonlyPolyhedron, 'planes'>): void {
  const { planes } = polyhedron;
  let sum = 0;
  for (let i = 0; i < planes.length; i++) sum += sumOf(planes[i]!.normal) + planes[i]!.d;
  if (sum * 0 !== 0) mustBeFinite(caller, { polyhedron: { planes } });
  if (planes.length === 0) refuse(caller, 'polyhedron.planes', 'must not be empty');
}

/** @internal */
export function checkPlane(caller: string, plane: ReadonlyPlane): void {
  const { normal: n, d } = plane;
  if ((n.x + n.y + n.z + d) * 0 !== 0) mustBeFinite(caller, { plane });
}

/** @internal */
export function checkPoints(caller: string, points: readonly ReadonlyVec3[]): void {
  if (points.length === 0) refuse(caller, 'points', 'must not be empty');
  let sum = 0;
  for (const { x, y, z } of points) sum += x + y + z;
  if (sum * 0 !== 0) mustBeFinite(caller, { points });
}

/** Looks at every number once; the walk that names the culprit runs only when there is one. @internal */
export function checkPolyhedron(caller: string, name: string, polyhedron: ReadonlyPolyhedron): void {
  const { vertices, faces, planes } = polyhedron;
  let sum = 0;
  for (let i = 0; i < vertices.length; i++) sum += vertices[i]!.x + vertices[i]!.y + vertices[i]!.z;
  for (let i = 0; i < planes.length; i++) {
    const { normal, d } = planes[i]!;
    sum += normal.x + normal.y + normal.z + d;
  }
  let good = sum * 0 === 0 && vertices.length > 0 && faces.length > 0 && planes.length === faces.length;
  for (let i = 0; i < faces.length; i++) {
    const face = faces[i]!;
    if (face.length < 3) good = false;
    for (let k = 0; k < face.length; k++) if (vertices[face[k]!] === undefined) good = false;
  }
  if (!good) mustBePolyhedron(caller, polyhedron, name);
}

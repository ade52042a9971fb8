/** The checks at the doors of the overlap and containment families, one per record. */
import { mustBeFinite, refuse } from '../../math/check.ts';
import type { ReadonlyPlane, ReadonlyVec3 } from '../../math/types.ts';
import { mustBePolyhedron } from '../../polytope/input.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import type { ReadonlyAabb, ReadonlyCone, ReadonlyObb, ReadonlySphere } from '../types.ts';

/** @internal */
export function checkSphere(caller: string, sphere: ReadonlySphere): void {
  const { center: c, radius } = sphere;
  if ((c.x + c.y + c.z + radius) * 0 !== 0) mustBeFinite(caller, { sphere });
  if (!(radius >= 0)) refuse(caller, 'sphere.radius', `must not be negative, got ${radius}`);
}

/** @internal */
export function checkAabb(caller: string, box: ReadonlyAabb): void {
  const { x: minX, y: minY, z: minZ } = box.min;
  const { x: maxX, y: maxY, z: maxZ } = box.max;
  if ((minX + minY + minZ + (maxX + maxY + maxZ)) * 0 !== 0) mustBeFinite(caller, { box });
  if (!(minX <= maxX && minY <= maxY && minZ <= maxZ)) refuse(caller, 'box', 'must have min <= max');
}

/** @internal */
export function checkObb(caller: string, box: ReadonlyObb): void {
  const { center: c, halfSize: h, rotation } = box;
  const e = rotation.elements;
  const turn = e[0]! + e[1]! + e[2]! + (e[3]! + e[4]! + e[5]!) + (e[6]! + e[7]! + e[8]!);
  if ((c.x + c.y + c.z + (h.x + h.y + h.z) + turn) * 0 !== 0) mustBeFinite(caller, { box });
  if (!(h.x >= 0 && h.y >= 0 && h.z >= 0)) refuse(caller, 'box.halfSize', 'must not be negative');
}

/** @internal */
export function checkCone(caller: string, cone: ReadonlyCone): void {
  const { tip, base, radius } = cone;
  if ((tip.x + tip.y + tip.z + (base.x + base.y + base.z) + radius) * 0 !== 0) mustBeFinite(caller, { cone });
  if (!(radius >= 0)) refuse(caller, 'cone.radius', `must not be negative, got ${radius}`);
}

/** @internal */
export function checkPlane(caller: string, plane: ReadonlyPlane): void {
  const { normal: n, d } = plane;
  if ((n.x + n.y + n.z + d) * 0 !== 0) mustBeFinite(caller, { plane });
}

/** @internal */
export function checkTriangle(caller: string, a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): void {
  if ((a.x + a.y + a.z + (b.x + b.y + b.z) + (c.x + c.y + c.z)) * 0 !== 0) mustBeFinite(caller, { a, b, c });
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

/** Is a point in a solid given by its faces? RTCD §5.4.3. */

import { ANY_FINITE, checkNumbers, checkPoint, checkPoints, describe, refuse } from '../../math/check.ts';
import { orient2d } from '../../math/orient.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import { checkPolyhedron } from '../input.ts';
import { isOnTriangle, side } from '../overlap/side.ts';

/** n · p - d is off by at most this times the sum of its terms: three products, three sums, and the rounded plane. */
const PLANE_ERROR = 10 * UNIT_ROUNDING;

/**
 * Is p in the convex polyhedron or on its surface? Decided by the planes of its faces; a point within their rounding
 * (about 1e-15 of the coordinates) counts as on the surface.
 */
export function containsPointPolyhedron(p: ReadonlyVec3, polyhedron: ReadonlyPolyhedron): boolean {
  checkPoint('containsPointPolyhedron', 'p', p);
  const { x, y, z } = p;
  checkPolyhedron('containsPointPolyhedron', 'polyhedron', polyhedron);
  const { planes } = polyhedron;
  for (let i = 0; i < planes.length; i++) {
    const { normal: n, d } = planes[i]!;
    const tx = n.x * x;
    const ty = n.y * y;
    const tz = n.z * z;
    const error = PLANE_ERROR * (Math.abs(tx) + Math.abs(ty) + Math.abs(tz) + Math.abs(d));
    if (tx + ty + tz - d > error) return false;
  }
  return true;
}

/**
 * Is p in the solid bounded by a closed mesh of triangles, or on one of them? `indices` has three entries into
 * `vertices` a triangle; the solid may be concave, have holes and consist of parts. What is inside is decided by the
 * even-odd rule, so the winding does not matter. A mesh with gaps bounds nothing, and gets some answer.
 *
 * Counts the triangles above p. Instead of casting again when the ray hits an edge or a vertex, the ray is taken as
 * moved by (δ, δ²) with an infinitely small δ > 0, which hits none. All signs are exact, so the answer is too.
 */
export function containsPointTriangles(
  p: ReadonlyVec3,
  vertices: readonly ReadonlyVec3[],
  indices: ArrayLike<number>,
): boolean {
  checkPoint('containsPointTriangles', 'p', p);
  checkPoints('containsPointTriangles', 'vertices', vertices, ANY_FINITE);
  checkNumbers('containsPointTriangles', 'indices', indices);
  checkMesh(vertices, indices);
  let inside = false;
  for (let i = 0; i < indices.length; i += 3) {
    const a = vertices[indices[i]!]!;
    const b = vertices[indices[i + 1]!]!;
    const c = vertices[indices[i + 2]!]!;
    if (!isUnderBox(p, a, b, c)) continue;
    if (isOnTriangle(p, a, b, c)) return true;
    const isUnder = (crosses(p, a, b) !== crosses(p, b, c)) !== crosses(p, c, a);
    if (isUnder && side(a, b, c, p) * orient2d(a, b, c) < 0) inside = !inside;
  }
  return inside;
}

/** Does the ray along +z meet the box around the triangle? */
const isUnderBox = (p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean =>
  p.z <= Math.max(a.z, b.z, c.z) &&
  p.x >= Math.min(a.x, b.x, c.x) &&
  p.x <= Math.max(a.x, b.x, c.x) &&
  p.y >= Math.min(a.y, b.y, c.y) &&
  p.y <= Math.max(a.y, b.y, c.y);

/** Seen from above: does a ray along +x from p (moved by δ, δ²) cross the edge ab? An odd number of edges: p is inside. */
function crosses(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3): boolean {
  const up = b.y > p.y;
  if (a.y > p.y === up) return false;
  const winding = orient2d(a, b, p);
  return up ? winding > 0 : winding < 0;
}

function checkMesh(vertices: readonly ReadonlyVec3[], indices: ArrayLike<number>): void {
  const caller = 'containsPointTriangles';
  if (indices.length === 0 || indices.length % 3 !== 0)
    refuse(caller, 'indices', 'must hold three numbers a triangle, and at least one triangle');
  for (let i = 0; i < indices.length; i++)
    if (vertices[indices[i]!] === undefined)
      refuse(caller, `indices[${i}]`, `must be below ${vertices.length}, got ${describe(indices[i])}`);
}

/**
 * Is a polyhedron convex? RTCD §3.8.1.
 *
 * To check polyhedra from elsewhere. Production does not trust faces: `hull` takes the points and builds their hull
 * (`polytope/convex-hull3.ts`).
 */
import {
  ANY_FINITE,
  checkPoints,
  mustBeNumber,
  mustHave,
  mustNotBeNegative,
  refuse,
} from '../../math/check.ts';
import type { Plane, ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { mustBeFaces } from '../../polytope/input.ts';
import { facePlane } from '../../polytope/polyhedron.ts';
import { isSphereLike } from './mesh-facts.ts';

/** A closed surface of flat faces, counter-clockwise seen from outside. A `Polyhedron` is one. */
export interface PolyhedralSurface {
  readonly vertices: readonly ReadonlyVec3[];
  readonly faces: readonly (readonly number[])[];
}

/**
 * Is this the surface of a convex solid? It must be closed, oriented outwards, in one piece and without holes; no two
 * vertices may coincide, no face be without area, no vertex lie in front of a face, and the whole must not be flat.
 *
 * All within `tolerance`, a length. It covers the rounding of the vertices, which takes faces of four and more
 * vertices out of flatness; the default is 1e-12 times the largest coordinate. O(n²). RTCD §3.8.1.
 */
export function isConvexPolyhedron(surface: PolyhedralSurface, tolerance?: number): boolean {
  mustHave('isConvexPolyhedron', 'surface', surface, 'a polyhedral surface', 'vertices');
  if (tolerance !== undefined && tolerance !== null)
    mustBeNumber('isConvexPolyhedron', 'tolerance', tolerance);
  const limit = checkSurface('isConvexPolyhedron', surface, tolerance);
  const { vertices, faces } = surface;
  if (!isSphereLike(faces) || hasCoincident(vertices, limit)) return false;
  return faces.every((face) => {
    const { normal } = facePlane(vertices, face);
    if (hasNoArea(vertices, face, normal, limit)) return false;
    let lowest = 0;
    for (const v of vertices) {
      const height = heightOver(vertices[face[0]!]!, normal, v);
      if (height > limit) return false;
      lowest = Math.min(lowest, height);
    }
    return lowest < -limit;
  });
}

/**
 * The same question asked of neighbours only: does the middle of each face lie behind the planes of the faces around
 * it? A no is right. A yes is not, when the surface winds around itself: a pentagram extruded to a prism passes. O(n).
 * RTCD §3.8.1.
 */
export function isLocallyConvexPolyhedron(surface: PolyhedralSurface, tolerance?: number): boolean {
  mustHave('isLocallyConvexPolyhedron', 'surface', surface, 'a polyhedral surface', 'vertices');
  if (tolerance !== undefined && tolerance !== null)
    mustBeNumber('isLocallyConvexPolyhedron', 'tolerance', tolerance);
  const limit = checkSurface('isLocallyConvexPolyhedron', surface, tolerance);
  const { vertices, faces } = surface;
  if (!isSphereLike(faces)) return false;
  const normals = faces.map((face) => facePlane(vertices, face).normal);
  if (faces.some((face, f) => hasNoArea(vertices, face, normals[f]!, limit))) return false;
  const middles = faces.map((face) => mean(face.map((i) => vertices[i]!)));
  return neighbouringFaces(faces).every(
    ([f, g]) => heightOver(vertices[faces[g]![0]!]!, normals[g]!, middles[f]!) <= limit,
  );
}

/** The mean of the points: a point inside their convex hull. RTCD §3.8. */
export function vertexCentroid(points: readonly ReadonlyVec3[], out: Vec3 = vec3()): Vec3 {
  checkPoints('vertexCentroid', 'points', points, ANY_FINITE);
  if (!(points.length > 0)) refuse('vertexCentroid', 'points', 'must hold at least one point');
  const centroid = mean(points);
  return v3.copy(centroid, out);
}

function mean(points: readonly ReadonlyVec3[]): Vec3 {
  const sum = vec3();
  // Divided before they are added, the numbers cannot overflow.
  for (const p of points) v3.addScaled(sum, p, 1 / points.length, sum);
  return sum;
}

function checkSurface(caller: string, surface: PolyhedralSurface, tolerance: number | undefined): number {
  const { vertices, faces } = surface;
  checkPoints(caller, 'surface.vertices', vertices);
  mustBeFaces(caller, 'surface.faces', faces, vertices.length);
  if (tolerance !== undefined) {
    mustNotBeNegative(caller, 'tolerance', tolerance);
    return tolerance;
  }
  let largest = 0;
  for (const { x, y, z } of vertices) largest = Math.max(largest, Math.abs(x), Math.abs(y), Math.abs(z));
  return 1e-12 * largest;
}

function hasCoincident(vertices: readonly ReadonlyVec3[], tolerance: number): boolean {
  return vertices.some((v, i) => vertices.some((w, j) => j < i && v3.distance(v, w) <= tolerance));
}

/** Does the face stay within the tolerance of a line? */
function hasNoArea(
  vertices: readonly ReadonlyVec3[],
  face: readonly number[],
  normal: ReadonlyVec3,
  tolerance: number,
): boolean {
  const longest = v3.normalize(longestDiagonal(vertices, face));
  const across = v3.cross(normal, longest);
  let low = Infinity;
  let high = -Infinity;
  for (const i of face) {
    const s = v3.dot(across, vertices[i]!);
    low = Math.min(low, s);
    high = Math.max(high, s);
  }
  return !(high - low > tolerance);
}

function longestDiagonal(vertices: readonly ReadonlyVec3[], face: readonly number[]): Vec3 {
  const longest = vec3();
  const diagonal = vec3();
  for (const i of face) {
    v3.sub(vertices[i]!, vertices[face[0]!]!, diagonal);
    if (v3.lengthSq(diagonal) > v3.lengthSq(longest)) v3.copy(diagonal, longest);
  }
  return longest;
}

const heightOver = (origin: ReadonlyVec3, normal: Plane['normal'], p: ReadonlyVec3): number =>
  normal.x * (p.x - origin.x) + normal.y * (p.y - origin.y) + normal.z * (p.z - origin.z);

/** Pairs of faces that share an edge, both ways round. */
function neighbouringFaces(faces: readonly (readonly number[])[]): [number, number][] {
  const owner = new Map<string, number>();
  for (const [f, face] of faces.entries())
    for (const [k, from] of face.entries()) owner.set(`${from} ${face[(k + 1) % face.length]}`, f);
  return faces.flatMap((face, f) =>
    face.map((from, k): [number, number] => [f, owner.get(`${face[(k + 1) % face.length]} ${from}`)!]),
  );
}

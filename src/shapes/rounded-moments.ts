/** Moments of polyhedra made larger on all sides: those of a polyhedron, and of what lies beyond each face, edge and corner. */
import * as m3 from '../math/mat3.ts';
import { atan2, sincos } from '../math/trig.ts';
import type { Mat3, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { fans, massOf } from '../mesh/mass.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import { diagonal, type Moments, outer, spreadOf, square } from './moments.ts';

/** Integrals of 1, x and x xᵀ. */
interface Sums {
  volume: number;
  readonly first: Vec3;
  readonly second: Mat3;
}

/**
 * All points within r of a convex polyhedron, which may be flat with two faces back to back. Beyond a face lies a prism,
 * beyond an edge a wedge of a cylinder, beyond a corner a part of a ball: the directions between the normals of the faces
 * around it, a spherical polygon.
 *
 * @internal
 */
export function roundedMoments(body: ReadonlyPolyhedron, r: number, origin: ReadonlyVec3): Moments {
  const vertices = body.vertices.map((p) => v3.sub(p, origin));
  const moved = { vertices, faces: body.faces, planes: body.planes };
  const sums: Sums = { volume: 0, first: vec3(), second: diagonal(0, 0, 0) };
  addSolid(sums, moved);
  moved.faces.forEach((face, f) => {
    addPrisms(sums, vertices, face, moved.planes[f]!.normal, r);
  });
  addRim(sums, moved, r);
  const { volume, first, second } = sums;
  const center = v3.scale(first, 1 / volume);
  return {
    volume,
    centroid: v3.add(center, origin),
    spread: m3.add(second, m3.scale(square(center), -volume)),
  };
}

function addSolid(sums: Sums, body: ReadonlyPolyhedron): void {
  const { volume, centroid, inertia } = massOf(fans(body), 1);
  add(sums, volume, centroid, vec3(), spreadOf(inertia));
}

/** Adds a part with the integrals of 1, u and u uᵀ, u being measured from `center`. */
function add(sums: Sums, volume: number, center: ReadonlyVec3, first: ReadonlyVec3, second: Mat3): void {
  sums.volume += volume;
  v3.addScaled(sums.first, center, volume, sums.first);
  v3.add(sums.first, first, sums.first);
  const both = outer(center, first);
  for (const part of [second, m3.scale(square(center), volume), both, m3.transpose(both)])
    m3.add(sums.second, part, sums.second);
}

/** Over each triangle of a face. The mean of u uᵀ in a triangle about its centroid is a twelfth of the sum of its corners'. */
function addPrisms(
  sums: Sums,
  vertices: readonly ReadonlyVec3[],
  face: readonly number[],
  normal: ReadonlyVec3,
  r: number,
): void {
  for (let k = 2; k < face.length; k++) {
    const corners = [vertices[face[0]!]!, vertices[face[k - 1]!]!, vertices[face[k]!]!] as const;
    const [a, b, c] = corners;
    const area = 0.5 * v3.length(v3.cross(v3.sub(b, a), v3.sub(c, a)));
    const middle = v3.scale(v3.add(v3.add(a, b), c), 1 / 3);
    const second = m3.scale(square(normal), (area * r * r * r) / 3);
    for (const corner of corners)
      m3.add(second, m3.scale(square(v3.sub(corner, middle)), (area * r) / 12), second);
    add(sums, area * r, middle, v3.scale(normal, 0.5 * area * r * r), second);
  }
}

/** Beyond edges and corners: goes around each corner, counter-clockwise, from face to face. */
function addRim(sums: Sums, { vertices, faces, planes }: ReadonlyPolyhedron, r: number): void {
  const faceOf = new Map<string, number>();
  const start = new Map<number, number>();
  faces.forEach((face, f) => {
    for (let k = 0; k < face.length; k++) {
      faceOf.set(`${face[k]} ${face[(k + 1) % face.length]}`, f);
      start.set(face[k]!, f);
    }
  });
  for (const [v, first] of start) {
    const axes: Vec3[] = [];
    const normals: ReadonlyVec3[] = [];
    const sum1 = vec3();
    const sum2 = diagonal(0, 0, 0);
    let f = first;
    do {
      const face = faces[f]!;
      const u = face[(face.indexOf(v) + face.length - 1) % face.length]!;
      const next = faceOf.get(`${v} ${u}`)!;
      const axis = v3.normalize(v3.sub(vertices[v]!, vertices[u]!));
      const arc = arcBetween(planes[f]!.normal, planes[next]!.normal, axis);
      v3.addScaled(sum1, axis, 0.5 * arc.angle, sum1);
      m3.add(sum2, outer(axis, arc.first), sum2);
      // Each edge is met from both ends.
      if (u < v) addWedge(sums, vertices[u]!, vertices[v]!, axis, arc, r);
      axes.push(axis);
      normals.push(planes[next]!.normal);
      f = next;
    } while (f !== first);
    const angle = solidAngle(axes, normals);
    // Arvo 1995: the integral of w wᵀ over a spherical polygon, from those of w along its arcs.
    m3.scale(m3.add(sum2, diagonal(angle, angle, angle), sum2), 1 / 3, sum2);
    const r4 = r * r * r * r;
    const first4 = v3.scale(sum1, r4 / 4);
    add(sums, (angle * r * r * r) / 3, vertices[v]!, first4, m3.scale(symmetric(sum2), (r4 * r) / 5));
  }
}

const symmetric = (m: Mat3): Mat3 => m3.scale(m3.add(m, m3.transpose(m)), 0.5);

/** The unit vectors w from one normal to the next: the angle, and the integrals of w and of w wᵀ. */
interface Arc {
  readonly angle: number;
  readonly first: Vec3;
  readonly second: Mat3;
}

/** The rotation about an axis perpendicular to both. Opposite normals are no trouble: the axis gives the direction. */
function arcBetween(from: ReadonlyVec3, to: ReadonlyVec3, axis: ReadonlyVec3): Arc {
  const side = v3.cross(axis, from);
  const angle = Math.max(0, atan2(Math.max(0, v3.dot(side, to)), v3.dot(from, to)));
  const { sin, cos } = sincos(angle);
  const first = v3.addScaled(v3.scale(from, sin), side, 1 - cos);
  const second = m3.scale(square(from), 0.5 * (angle + sin * cos));
  m3.add(second, m3.scale(square(side), 0.5 * (angle - sin * cos)), second);
  const both = m3.scale(outer(from, side), 0.5 * sin * sin);
  m3.add(m3.add(second, both, second), m3.transpose(both), second);
  return { angle, first, second };
}

function addWedge(
  sums: Sums,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  axis: ReadonlyVec3,
  arc: Arc,
  r: number,
): void {
  const length = v3.distance(a, b);
  const volume = 0.5 * length * r * r * arc.angle;
  const second = m3.scale(square(axis), (volume * length * length) / 12);
  m3.add(second, m3.scale(arc.second, (length * r * r * r * r) / 4), second);
  add(sums, volume, v3.lerp(a, b, 0.5), v3.scale(arc.first, (length * r * r * r) / 3), second);
}

/** Of a spherical polygon, by what its sides turn at the corners (Gauss & Bonnet). `axes` are those of its sides. */
function solidAngle(axes: readonly ReadonlyVec3[], corners: readonly ReadonlyVec3[]): number {
  let angle = 2 * Math.PI;
  for (let k = 0; k < axes.length; k++) {
    const [from, to] = [axes[k]!, axes[(k + 1) % axes.length]!];
    angle -= atan2(v3.dot(v3.cross(from, to), corners[k]!), v3.dot(from, to));
  }
  return angle;
}

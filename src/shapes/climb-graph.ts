/** Neighbours of the corners of a hull, for climbing to the farthest one. RTCD §9.5.4. */
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { vertexNeighbours } from '../polytope/polyhedron.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import type { NeighbourLists } from './cores.ts';

/** Below this many corners a look at all of them is as fast. */
const FEW = 48;
/** Partners are sought among about so many corners. */
const CANDIDATES = 1024;

/** A corner must stand out by this part of the width of the hull, or there is no climbing. */
const SHARP = 1e-11;

/**
 * For each corner those at the other ends of its edges, and one more, a shortcut across: a corner as far below the plane
 * of its surroundings as can be found. Null for hulls that should not be climbed. O(n), with a large factor.
 *
 * Those are the ones of few corners, and those with corners that hardly are any, such as a box whose sides were cut into
 * many and then rotated: rounding makes corners of the points in its sides. Climbing compares heights that are off by
 * their rounding, say e, and stops at a corner v with no neighbour u higher than that. Any other point of the hull is
 * v + Σ λ (u - v), so at most e Σ λ higher. Let n be a unit vector for which all n · (v - u) are at least m: the sum of
 * λ is no more than width / m. So m / width must be well above the rounding of doubles; what is left of the bound is far
 * more than ever happens, since it takes all the neighbours at their worst: random trials with m / width down to 1e-14
 * found the farthest corner without exception.
 *
 * @internal
 */
export function climbGraph(body: ReadonlyPolyhedron): NeighbourLists | null {
  const { vertices } = body;
  if (vertices.length <= FEW) return null;
  const normals = vertexNormals(body);
  const around = vertexNeighbours(body);
  const width = 2 * radiusOf(body);
  const firstNeighbour = new Uint32Array(vertices.length + 1);
  const neighbours: number[] = [];
  for (let i = 0; i < vertices.length; i++) {
    const near = around[i]!;
    if (!(sharpness(body, normals[i]!, i, near) > SHARP * width)) return null;
    const partner = lowest(body, normals[i]!);
    if (!near.includes(partner)) neighbours.push(partner);
    for (const j of near) neighbours.push(j);
    firstNeighbour[i + 1] = neighbours.length;
  }
  return { firstNeighbour, neighbours: Uint32Array.from(neighbours) };
}

/** How far corner i stands out over its neighbours, along the unit normal there. */
function sharpness({ vertices }: ReadonlyPolyhedron, n: Vec3, i: number, near: readonly number[]): number {
  let least = Infinity;
  for (const j of near) least = Math.min(least, v3.dot(n, v3.sub(vertices[i]!, vertices[j]!)));
  return least;
}

/** No corner is farther from the first. */
function radiusOf({ vertices }: ReadonlyPolyhedron): number {
  let radius = 0;
  for (const p of vertices) radius = Math.max(radius, v3.distance(p, vertices[0]!));
  return radius;
}

/** The unit vector along the sum of the normals of the faces around each vertex: what is flat there lies across it. */
function vertexNormals({ vertices, faces, planes }: ReadonlyPolyhedron): Vec3[] {
  const normals = vertices.map(() => vec3());
  faces.forEach((face, f) => {
    for (const i of face) v3.add(normals[i]!, planes[f]!.normal, normals[i]!);
  });
  for (const normal of normals) v3.normalize(normal, normal);
  return normals;
}

/** The vertex farthest against the direction, among evenly chosen ones. */
function lowest({ vertices }: ReadonlyPolyhedron, { x, y, z }: Vec3): number {
  const step = Math.ceil(vertices.length / CANDIDATES);
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < vertices.length; i += step) {
    const p = vertices[i]!;
    const height = p.x * x + p.y * y + p.z * z;
    if (height < least) {
      least = height;
      best = i;
    }
  }
  return best;
}

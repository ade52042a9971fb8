/**
 * The vertex of a polytope that lies farthest along a direction, by looking at all or by climbing. RTCD §3.8, §9.5.4.
 *
 * For polytopes of hundreds of vertices whose direction changes little. Production does the same on the cores of
 * shapes: `shapes/climb-graph.ts`.
 */
import { checkPoint, checkPoints, describe, mustBeNumber, mustHave, refuse } from '../../math/check.ts';
import { orient3d } from '../../math/orient.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { affineBasis } from '../../polytope/affine.ts';
import { mustBePolyhedron } from '../../polytope/input.ts';
import { vertexNeighbours } from '../../polytope/polyhedron.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import { compareAlong } from './exact-sign.ts';

/**
 * The index of a point that lies farthest along the direction, to within rounding; the first of several that seem
 * equally far, and 0 for a direction of zero. O(n). RTCD §3.8.
 */
export function supportIndex(points: readonly ReadonlyVec3[], direction: ReadonlyVec3): number {
  checkPoints('supportIndex', 'points', points);
  checkPoint('supportIndex', 'direction', direction);
  const { x, y, z } = direction;
  let best = 0;
  let farthest = -Infinity;
  for (let i = 0; i < points.length; i++) {
    const p = points[i]!;
    const s = x * p.x + y * p.y + z * p.z;
    if (s > farthest) {
      farthest = s;
      best = i;
    }
  }
  if (points.length === 0) refuse('supportIndex', 'points', 'must hold at least one point');
  return best;
}

/** A point that lies farthest along the direction; see `supportIndex`. */
export function supportPoints(
  points: readonly ReadonlyVec3[],
  direction: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  return v3.copy(points[supportIndex(points, direction)]!, out);
}

/** What climbing needs to know of a polyhedron. Made by `supportGraph`. */
export interface SupportGraph {
  readonly vertices: readonly ReadonlyVec3[];
  /** The vertices to try from each vertex. */
  readonly neighbours: readonly (readonly number[])[];
  /** Neighbours that all vertices have in common, far apart from each other: a long climb starts from one of these. */
  readonly far: readonly number[];
}

/**
 * Prepares a convex polyhedron for `climbToSupport`. A vertex in the middle of a flat face, all of whose neighbours lie
 * in one plane with it, gets another neighbour off that plane: nothing else leads up from there when the face is at
 * the bottom. RTCD §9.5.4.
 */
export function supportGraph(polyhedron: ReadonlyPolyhedron): SupportGraph {
  mustHave('supportGraph', 'polyhedron', polyhedron, 'a polyhedron', 'vertices');
  mustBePolyhedron('supportGraph', polyhedron);
  const vertices = polyhedron.vertices.map((v) => v3.copy(v));
  const neighbours = vertexNeighbours(polyhedron);
  neighbours.forEach((around, i) => {
    const ring = [i, ...around];
    const basis = affineBasis(ring.map((j) => vertices[j]!)).map((k) => ring[k]!);
    if (basis.length === 3) around.push(...offPlane(vertices, basis));
  });
  const far = new Set(AXES.map((direction) => supportIndex(vertices, direction)));
  return { vertices, neighbours, far: [...far] };
}

const AXES = [vec3(1), vec3(-1), vec3(0, 1), vec3(0, -1), vec3(0, 0, 1), vec3(0, 0, -1)];

/** The vertex farthest from the plane of three others, if there is one off the plane. */
function offPlane(vertices: readonly ReadonlyVec3[], [i, j, k]: readonly number[]): number[] {
  let best = -1;
  let highest = 0;
  for (let l = 0; l < vertices.length; l++) {
    const height = Math.abs(orient3d(vertices[i!]!, vertices[j!]!, vertices[k!]!, vertices[l]!));
    if (height > highest) {
      highest = height;
      best = l;
    }
  }
  return best < 0 ? [] : [best];
}

/**
 * The index of a vertex that lies farthest along the direction, found by climbing from `start` (the answer of the last
 * time, say) to the best neighbour until there is no better one. RTCD §3.8, §9.5.4.
 *
 * Heights are compared exactly. So the answer is exactly right for a polyhedron that is exactly convex, such as
 * `polyhedron` makes, flat faces included; dents that rounding made in one can stop the climb short. For a direction
 * of zero the answer is `start`. Checks the direction and `start`; the graph was checked when it was made.
 */
export function climbToSupport(graph: SupportGraph, direction: ReadonlyVec3, start = 0): number {
  mustHave('climbToSupport', 'graph', graph, 'a support graph', 'vertices');
  checkPoint('climbToSupport', 'direction', direction);
  mustBeNumber('climbToSupport', 'start', start);
  const { vertices, neighbours, far } = graph;
  if (!(start in vertices))
    refuse('climbToSupport', 'start', `must be the index of a vertex, got ${describe(start)}`);
  let here = bestOf(vertices, start, far, direction);
  for (;;) {
    const next = bestOf(vertices, here, neighbours[here]!, direction);
    if (next === here) return here;
    here = next;
  }
}

function bestOf(
  vertices: readonly ReadonlyVec3[],
  here: number,
  candidates: readonly number[],
  direction: ReadonlyVec3,
): number {
  let best = here;
  for (let k = 0; k < candidates.length; k++) {
    const candidate = candidates[k]!;
    if (compareAlong(vertices[best]!, vertices[candidate]!, direction) > 0) best = candidate;
  }
  return best;
}

/**
 * Hull against hull without the edges: cheap, and never a false no. RTCD §4.6.5.
 *
 * A test before the exact one, where most pairs are apart. Production goes straight to GJK (`convex/gjk.ts`).
 */
import { checkSphere, mustBeList, mustHave, refuse } from '../../math/check.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyPlane, ReadonlyVec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { mustBePolyhedron } from '../../polytope/input.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import type { ReadonlySphere, Sphere } from '../../primitives/types.ts';
import { overlapSphereSphere } from '../../volumes/sphere.ts';
import { fitSphereSpheres } from '../../volumes/sphere-minimum.ts';
import { vertexCentroid } from '../ch03/polyhedron-convexity.ts';

/** A hull made ready for `overlapCoarseHulls`. */
export interface CoarseHull {
  /** Unit normals, with nothing of the hull in front; ordered so that each faces as far away from the one before as can be. */
  readonly planes: readonly ReadonlyPlane[];
  /** What is tested against the planes of the other: points are spheres of radius 0. Far-apart ones come early. */
  readonly spheres: readonly ReadonlySphere[];
  /** The mean of their centres: behind a plane unless some sphere is. */
  readonly middle: ReadonlyVec3;
  /** Around all of them. */
  readonly bound: ReadonlySphere;
}

/**
 * Prepares a convex polyhedron. In place of its vertices a few spheres may stand for it, which is faster and looser;
 * together they must cover it.
 */
export function coarseHull(polyhedron: ReadonlyPolyhedron, spheres?: readonly ReadonlySphere[]): CoarseHull {
  mustHave('coarseHull', 'polyhedron', polyhedron, 'a polyhedron', 'vertices');
  if (spheres !== undefined && spheres !== null) mustBeList('coarseHull', 'spheres', spheres);
  mustBePolyhedron('coarseHull', polyhedron);
  if (spheres?.length === 0) refuse('coarseHull', 'spheres', 'must hold at least one sphere');
  for (const [i, sphere] of spheres?.entries() ?? []) checkSphere('coarseHull', `spheres[${i}]`, sphere);
  const balls = (spheres ?? polyhedron.vertices.map((center) => ({ center, radius: 0 }))).map(copySphere);
  const centers = balls.map(({ center }) => center);
  return {
    planes: alternate(
      polyhedron.planes.map(({ normal }) => supportPlane(v3.normalize(normal), polyhedron.vertices)),
      (p, q) => v3.dot(p.normal, q.normal),
    ),
    spheres: alternate(balls, (p, q) => -v3.distanceSq(p.center, q.center)),
    middle: vertexCentroid(centers),
    bound: fitSphereSpheres(balls),
  };
}

const copySphere = ({ center, radius }: ReadonlySphere): Sphere => ({ center: v3.copy(center), radius });

/** Moved out until nothing is in front of it: whatever rounding has done to the normal, it separates. */
function supportPlane(normal: ReadonlyVec3, vertices: readonly ReadonlyVec3[]): ReadonlyPlane {
  let d = -Infinity;
  for (const v of vertices) d = Math.max(d, v3.dot(normal, v));
  return { normal, d };
}

/** Greedy order in which each is the least like the one before. */
function alternate<T>(items: readonly T[], alike: (a: T, b: T) => number): T[] {
  const left = [...items];
  const ordered = left.splice(0, 1);
  while (left.length > 0) {
    const last = ordered[ordered.length - 1] as T;
    let best = 0;
    for (let i = 1; i < left.length; i++)
      if (alike(left[i] as T, last) < alike(left[best] as T, last)) best = i;
    ordered.push(...left.splice(best, 1));
  }
  return ordered;
}

/**
 * May two hulls overlap? No means no: some face of one has all of the other in front. Yes may be wrong where only a
 * cross of two edges would tell them apart.
 */
export function overlapCoarseHulls(a: CoarseHull, b: CoarseHull): boolean {
  return overlapSphereSphere(a.bound, b.bound) && !hasAllInFront(a, b) && !hasAllInFront(b, a);
}

function hasAllInFront({ planes }: CoarseHull, other: CoarseHull): boolean {
  for (let i = 0; i < planes.length; i++) {
    // Most planes have the middle of the other behind them: one test instead of all.
    if (isInFront(planes[i]!, other.middle, 0) && areInFront(planes[i]!, other.spheres)) return true;
  }
  return false;
}

function areInFront(plane: ReadonlyPlane, spheres: readonly ReadonlySphere[]): boolean {
  for (let i = 0; i < spheres.length; i++)
    if (!isInFront(plane, spheres[i]!.center, spheres[i]!.radius)) return false;
  return true;
}

/** Strictly, and by more than rounding, of d too, can explain. */
function isInFront({ normal: n, d }: ReadonlyPlane, c: ReadonlyVec3, radius: number): boolean {
  const x = n.x * c.x;
  const y = n.y * c.y;
  const z = n.z * c.z;
  const size = Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(d) + radius;
  return x + y + z - d - radius > 8 * EPS64 * size;
}

/** Is a point in the convex hull of others, of which nothing but the points is known? RTCD §5.4.3. */
import { checkPoint } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { equals } from '../../math/vec3.ts';
import { checkSomePoints } from '../input.ts';
import { isFlat, side } from '../overlap/side.ts';

/**
 * Is p in the convex hull of the points or on its surface? Exactly, and without building the hull: the points may come
 * in any order, repeat, and lie in a plane, on a line or at one point.
 *
 * A linear program: p = Σ λᵢ vᵢ with λ >= 0 and Σ λᵢ = 1. The λ of p in a tetrahedron of the points are quotients of
 * volumes, so their signs are exact; Bland's rule (1977), least index first, makes the search end.
 */
export function containsPointHull(p: ReadonlyVec3, points: readonly ReadonlyVec3[]): boolean {
  checkPoint('containsPointHull', 'p', p);
  checkSomePoints('containsPointHull', points);
  const a = points[0]!;
  const i = points.findIndex((q) => !equals(q, a));
  const j = i < 0 ? -1 : points.findIndex((q) => !isFlat(a, points[i]!, q));
  if (j < 0) return isFlat(a, points[Math.max(i, 0)]!, p) && isInBox(p, points);
  const b = points[i]!;
  const c = points[j]!;
  const k = points.findIndex((q) => side(a, b, c, q) !== 0);
  if (k >= 0) return searchTetrahedra(p, points, [0, i, j, k]);
  // All in one plane: a tip outside of it makes a solid, whose section with the plane is the flat hull.
  if (side(a, b, c, p) !== 0) return false;
  return searchTetrahedra(p, [...points, tipOver(a, b, c)], [0, i, j, points.length]);
}

/** `basis` holds the indices of a tetrahedron that is not flat. */
function searchTetrahedra(p: ReadonlyVec3, points: readonly ReadonlyVec3[], basis: number[]): boolean {
  for (;;) {
    const volume = volumeWith(points, basis, -1, p);
    let leaving = -1;
    for (let i = 0; i < 4; i++)
      if (volumeWith(points, basis, i, p) * volume < 0 && !(basis[leaving]! < basis[i]!)) leaving = i;
    if (leaving < 0) return true;
    const entering = points.findIndex((q) => volumeWith(points, basis, leaving, q) * volume < 0);
    if (entering < 0) return false; // the face opposite to that corner has p on one side, all points on the other
    basis[leaving] = entering;
  }
}

/** The sign of the volume of the tetrahedron with p in place of corner `replaced`. */
const volumeWith = (
  points: readonly ReadonlyVec3[],
  basis: readonly number[],
  replaced: number,
  p: ReadonlyVec3,
): number =>
  side(
    replaced === 0 ? p : points[basis[0]!]!,
    replaced === 1 ? p : points[basis[1]!]!,
    replaced === 2 ? p : points[basis[2]!]!,
    replaced === 3 ? p : points[basis[3]!]!,
  );

/** Some point off the plane of abc: along an axis that is not parallel to it. */
function tipOver(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): ReadonlyVec3 {
  for (const axis of ['x', 'y', 'z'] as const) {
    const tip = vec3(a.x, a.y, a.z);
    tip[axis] += 1 + 2 * Math.abs(a[axis]);
    if (side(a, b, c, tip) !== 0) return tip;
  }
  return a; // not reached: the normal has a component that is not zero
}

function isInBox(p: ReadonlyVec3, points: readonly ReadonlyVec3[]): boolean {
  for (const axis of ['x', 'y', 'z'] as const) {
    let below = false;
    let above = false;
    for (const q of points) {
      if (q[axis] <= p[axis]) below = true;
      if (q[axis] >= p[axis]) above = true;
    }
    if (!below || !above) return false;
  }
  return true;
}

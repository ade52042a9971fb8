/** On which side of a plane is a k-DOP? Without its corners, which take long to find. */
import { checkPlane } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { ReadonlyPlane, ReadonlyVec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { convexHull3 } from '../polytope/convex-hull3.ts';
import { type KdopSides, kdopAxes, mustBeKdop, type ReadonlyKdop } from './kdop.ts';

/**
 * Three neighbouring normals of a k-DOP, each an axis or its opposite. A direction between them is α a + β b + γ c with
 * factors that are not negative, so no point of the k-DOP is farther along it than the same sum of its extents.
 */
interface Cone {
  /** Index of the axis, or ~index for its opposite. */
  readonly sides: readonly number[];
  /** The factors are the dot products of a direction with these. */
  readonly factors: readonly ReadonlyVec3[];
}

const cones = new Map<KdopSides, readonly Cone[]>();

/** All directions are in one of the cones: they are the faces of the hull of the normals. Made when first asked for. */
function conesOf(sides: KdopSides): readonly Cone[] {
  const known = cones.get(sides);
  if (known) return known;
  const axes = kdopAxes(sides);
  const normals = [...axes, ...axes.map((n) => v3.negate(n))];
  const { triangles } = convexHull3(normals.map((n) => v3.normalize(n)));
  const made: Cone[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!];
    const [a, b, c] = [normals[corners[0]!]!, normals[corners[1]!]!, normals[corners[2]!]!];
    const scale = 1 / v3.triple(a, b, c);
    made.push({
      sides: corners.map((k) => (k < axes.length ? k : ~(k - axes.length))),
      factors: [v3.cross(b, c), v3.cross(c, a), v3.cross(a, b)].map((v) => v3.scale(v, scale)),
    });
  }
  cones.set(sides, made);
  return made;
}

/**
 * 1 when the whole k-DOP lies in front of the plane, -1 behind, 0 when the plane touches it, passes closer than the
 * nearest three sides can tell, or rounding leaves a doubt.
 *
 * @internal
 */
export function sideKdopPlane(kdop: ReadonlyKdop, plane: ReadonlyPlane): -1 | 0 | 1 {
  mustBeKdop('kdopVolume.planeSide', 'volume', kdop);
  checkPlane('kdopVolume.planeSide', 'plane', plane);
  const { normal: n, d } = plane;
  const { sides, factors } = coneAround(conesOf(kdop.sides), n);
  let low = 0;
  let high = 0;
  let size = Math.abs(d);
  for (let k = 0; k < 3; k++) {
    const side = sides[k]!;
    const least = side >= 0 ? kdop.min[side]! : -kdop.max[~side]!;
    const most = side >= 0 ? kdop.max[side]! : -kdop.min[~side]!;
    const factor = v3.dot(factors[k]!, n);
    low += factor * least;
    high += factor * most;
    // The factors have components of at most 1, so their error is in proportion to the normal.
    const length = Math.abs(n.x) + Math.abs(n.y) + Math.abs(n.z);
    size += length * Math.max(Math.abs(least), Math.abs(most));
  }
  const doubt = 16 * EPS64 * size;
  return low - d > doubt ? 1 : high - d < -doubt ? -1 : 0;
}

/** The cone whose least factor is the largest: the one that the direction is in. */
function coneAround(all: readonly Cone[], direction: ReadonlyVec3): Cone {
  let best = all[0]!;
  let most = -Infinity;
  for (let i = 0; i < all.length; i++) {
    const [a, b, c] = all[i]!.factors;
    const least = Math.min(v3.dot(a!, direction), v3.dot(b!, direction), v3.dot(c!, direction));
    if (!(least > most)) continue;
    most = least;
    best = all[i]!;
  }
  return best;
}

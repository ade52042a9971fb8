/** Oriented boxes around points: from principal axes to tight ones. RTCD §4.4.3–4.4.5. */

import { describe, refuse } from '../math/check.ts';
import { eigenSymmetric } from '../math/eigen.ts';
import * as m3 from '../math/mat3.ts';
import type { Mat3, Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { convexHull3 } from '../polytope/convex-hull3.ts';
import type { Hull } from '../polytope/types.ts';
import type { Obb } from '../primitives/types.ts';
import { makeObb } from '../primitives/types.ts';
import { obbAlongAxes } from './obb.ts';
import { solidCovariance, surfaceCovariance } from './obb-covariance.ts';
import { boxVolume, rectangleAlong, refineAxes, searchAxes } from './obb-search.ts';
import { type PointSet, readPoints } from './point-set.ts';
import { enterFrame } from './point-set-frame.ts';
import { covarianceOf } from './point-set-spread.ts';

/**
 * How the axes of a box are found, from cheap to tight. All but `vertices` and `coarse` depend on the hull of the
 * points only, not on how many points lie where inside it.
 *
 * - `coarse`: a pair of points at opposite ends of the axis-aligned box gives the length, another pair the width.
 * - `vertices`: the principal axes of the points themselves.
 * - `surface`: the principal axes of the surface of the hull, weighted by area.
 * - `solid`: the principal axes of inertia of the solid hull.
 * - `max`, `min`: of the `surface` axes only the one of most (least) spread is kept, and the smallest rectangle seen
 *   along it gives the other two. `min` is the better of the two as a rule.
 * - `search`: orientations tried from coarse to fine, starting from `surface`.
 * - `tight`: the best of `min` and `search`, each turned about its own axes until no turn makes it smaller.
 */
export type ObbFit = 'coarse' | 'vertices' | 'surface' | 'solid' | 'max' | 'min' | 'search' | 'tight';

const FITS: readonly string[] = ['coarse', 'vertices', 'surface', 'solid', 'max', 'min', 'search', 'tight'];

/**
 * An oriented box around the points. It holds every one of them, by `containsPointObb` and in exact arithmetic. Points
 * that lie exactly in a plane get the smallest rectangle (but for `coarse` and `vertices`), points of a line a segment.
 */
export function fitObb(points: PointSet, method: ObbFit = 'tight', out: Obb = makeObb()): Obb {
  if (!FITS.includes(method))
    refuse('fitObb', 'method', `must be one of ${FITS.join(', ')}; got ${describe(method)}`);
  const world = readPoints('fitObb', points);
  const local = world.slice();
  enterFrame(local);
  return obbAlongAxes(world, axesFor(local, method), out);
}

function axesFor(local: Float64Array, method: ObbFit): Mat3 {
  if (method === 'coarse') return coarseAxes(local);
  if (method === 'vertices') return principalAxes(covarianceOf(local, mat3()));
  const list: Vec3[] = [];
  for (let i = 0; i < local.length; i += 3) list.push(vec3(local[i], local[i + 1], local[i + 2]));
  const hull = convexHull3(list);
  if (hull.dimension < 3) return flatAxes(list, hull);
  const corners = hull.vertices.map((i) => list[i]!);
  if (method === 'solid')
    return principalAxes(solidCovariance(list, hull.triangles) ?? surfaceCovariance(list, hull.triangles));
  const surface = principalAxes(surfaceCovariance(list, hull.triangles));
  switch (method) {
    case 'surface':
      return surface;
    case 'max':
      return rectangleAlong(corners, surface, 0);
    case 'min':
      return rectangleAlong(corners, surface, 2);
    case 'search':
      return searchAxes(corners, surface);
    case 'tight': {
      const refined = refineAxes(corners, rectangleAlong(corners, surface, 2));
      const searched = refineAxes(corners, searchAxes(corners, surface));
      return boxVolume(corners, searched) < boxVolume(corners, refined) ? searched : refined;
    }
  }
}

/** Eigenvectors as columns, most spread first. */
const principalAxes = (covariance: Mat3): Mat3 => eigenSymmetric(covariance).vectors;

/** Points of a plane, a line or a single one: the smallest rectangle of that plane, or the line, is the answer. */
function flatAxes(points: readonly Vec3[], hull: Hull): Mat3 {
  if (hull.dimension === 0) return mat3();
  const [first, second, third] = hull.dimension === 2 ? hull.triangles : hull.vertices;
  const along = v3.normalize(v3.sub(points[second!]!, points[first!]!));
  if (hull.dimension === 1) {
    const side = v3.perpendicular(along);
    return m3.fromColumns(along, side, v3.cross(along, side));
  }
  const normal = orthonormal(v3.cross(along, v3.sub(points[third!]!, points[first!]!)), along);
  const axes = m3.fromColumns(along, v3.cross(normal, along), normal);
  return rectangleAlong(
    hull.vertices.map((i) => points[i]!),
    axes,
    2,
  );
}

/** Barequet & Har-Peled 1999: the pair on the farthest sides of the box, then the same in the plane across. */
function coarseAxes(local: Float64Array): Mat3 {
  const n = local.length / 3;
  const at = (i: number): Vec3 => vec3(local[3 * i], local[3 * i + 1], local[3 * i + 2]);
  const farthest = (directions: readonly Vec3[]): Vec3 => {
    let widest = -1;
    let found = vec3();
    for (const d of directions) {
      let low = 0;
      let high = 0;
      for (let i = 1; i < n; i++) {
        if (v3.dot(at(i), d) < v3.dot(at(low), d)) low = i;
        if (v3.dot(at(i), d) > v3.dot(at(high), d)) high = i;
      }
      const width = v3.dot(at(high), d) - v3.dot(at(low), d);
      if (width > widest) {
        widest = width;
        found = v3.sub(at(high), at(low));
      }
    }
    return found;
  };
  const length = v3.normalize(farthest([vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)]));
  if (v3.lengthSq(length) === 0) return mat3();
  const u = v3.perpendicular(length);
  const v = v3.cross(length, u);
  const pair = farthest([u, v]);
  const across = v3.addScaled(pair, length, -v3.dot(pair, length));
  // Nothing across but rounding: the points are in a line.
  const width = v3.lengthSq(across) <= 1e-24 * v3.lengthSq(pair) ? u : orthonormal(across, length);
  return m3.fromColumns(length, width, v3.cross(length, width));
}

/** The unit vector along a, made perpendicular to n once more: what was left of a may have been mostly rounding. */
function orthonormal(a: Vec3, n: Vec3): Vec3 {
  const unit = v3.normalize(a);
  return v3.normalize(v3.addScaled(unit, n, -v3.dot(unit, n)));
}

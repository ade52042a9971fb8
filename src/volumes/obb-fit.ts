/** Oriented boxes around points: from principal axes to tight ones. RTCD §4.4.3–4.4.5. */

import { describe, refuse } from '../math/check.ts';
import { eigenSymmetric } from '../math/eigen.ts';
import * as m3 from '../math/mat3.ts';
import { type Mat3, mat3, type Vec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { convexHull3 } from '../polytope/convex-hull3.ts';
import type { Hull } from '../polytope/types.ts';
import { makeObb, type Obb } from '../primitives/types.ts';
import { obbAlongAxes } from './obb.ts';
import { solidCovariance, surfaceCovariance } from './obb-covariance.ts';
import { type PointSet, readPoints } from './point-set.ts';
import { enterFrame } from './point-set-frame.ts';
import { covarianceOf } from './point-set-spread.ts';
import { makeRectangle2, rectangleAround } from './rectangle.ts';

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
 * - `tight`: the best of `min` and `search`, each rotated about its own axes until no rotation makes it smaller.
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

// ---- Better axes for a box, by trying. RTCD §4.4.4–4.4.5 ----

/**
 * The axes with the smallest rectangle seen along axis `keep`, which stays.
 */
function rectangleAlong(corners: readonly Vec3[], axes: Mat3, keep: number): Mat3 {
  const [u, v, w] = [m3.column(axes, (keep + 1) % 3), m3.column(axes, (keep + 2) % 3), m3.column(axes, keep)];
  const seen = corners.map((p) => ({ x: v3.dot(p, u), y: v3.dot(p, v) }));
  const { axis } = rectangleAround(seen, makeRectangle2());
  const first = v3.normalize(v3.addScaled(v3.scale(u, axis.x), v, axis.y));
  return m3.fromColumns(w, first, v3.cross(w, first));
}

/**
 * Rotates the box about each of its own axes to the smallest rectangle seen along it, until no rotation makes it smaller.
 *
 * @internal
 */
export function refineAxes(corners: readonly Vec3[], start: Mat3): Mat3 {
  let axes = start;
  let volume = boxVolume(corners, axes);
  let idle = 0;
  for (let k = 0, steps = 0; idle < 3 && steps < 1000; k = (k + 1) % 3, steps++) {
    const rotated = rectangleAlong(corners, axes, k);
    const smaller = boxVolume(corners, rotated);
    // Some boxes creep: a billionth is not worth another round.
    if (smaller < volume * (1 - 1e-9)) {
      axes = rotated;
      volume = smaller;
      idle = 0;
      k = 2; // the kept axis became the first column: look along all three again
    } else idle++;
  }
  return axes;
}

/** Half a right angle is as far as a box can be rotated about one axis before it looks the same again. */
const COARSE_STEP = Math.PI / 12;
const FINE_STEP = 1e-5;

/**
 * Orientations sampled evenly around the start, then a climb from the best with steps that halve. A candidate is
 * given up as soon as its box is larger than the best, and the six corners that held the best box are measured first,
 * which gives up most of them at once.
 *
 * @internal
 */
export function searchAxes(corners: readonly Vec3[], start: Mat3): Mat3 {
  const order = [...corners];
  let axes = start;
  let best = tryBox(order, axes, Infinity);
  const attempt = (candidate: Mat3): boolean => {
    const volume = tryBox(order, candidate, best);
    if (!(volume < best)) return false;
    best = volume;
    axes = candidate;
    extremesFirst(order, axes);
    return true;
  };
  extremesFirst(order, axes);
  for (let i = -2; i <= 3; i++)
    for (let j = -2; j <= 3; j++)
      for (let k = -2; k <= 3; k++)
        attempt(
          rotateAbout(
            rotateAbout(rotateAbout(start, 0, i * COARSE_STEP), 1, j * COARSE_STEP),
            2,
            k * COARSE_STEP,
          ),
        );
  for (let step = COARSE_STEP / 2; step > FINE_STEP; step /= 2) {
    let rounds = 0;
    for (let better = true; better && rounds < 100; rounds++) {
      better = false;
      for (let axis = 0; axis < 3; axis++)
        better = attempt(rotateAbout(axes, axis, step)) || attempt(rotateAbout(axes, axis, -step)) || better;
    }
  }
  return axes;
}

/** The axes rotated about one of themselves. */
const rotateAbout = (axes: Mat3, axis: number, angle: number): Mat3 =>
  m3.multiply(axes, m3.fromAxisAngle(vec3(+(axis === 0), +(axis === 1), +(axis === 2)), angle));

/**
 * Volume of the box along the axes.
 *
 * @internal
 */
export const boxVolume = (corners: readonly Vec3[], axes: Mat3): number => tryBox(corners, axes, Infinity);

/** The volume of the box along the axes, or Infinity once it reaches `limit`. */
function tryBox(corners: readonly Vec3[], axes: Mat3, limit: number): number {
  const [a, b, c, d, e, f, g, h, i] = axes.elements as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  let x0 = Infinity;
  let x1 = -Infinity;
  let y0 = Infinity;
  let y1 = -Infinity;
  let z0 = Infinity;
  let z1 = -Infinity;
  for (const p of corners) {
    const x = a * p.x + b * p.y + c * p.z;
    const y = d * p.x + e * p.y + f * p.z;
    const z = g * p.x + h * p.y + i * p.z;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
    if ((x1 - x0) * (y1 - y0) * (z1 - z0) >= limit) return Infinity;
  }
  return (x1 - x0) * (y1 - y0) * (z1 - z0);
}

/** Moves the corners that hold the box to the front. */
function extremesFirst(order: Vec3[], axes: Mat3): void {
  let front = 0;
  for (let k = 0; k < 3; k++) {
    const axis = m3.column(axes, k);
    for (const sign of [1, -1]) {
      let far = 0;
      let most = -Infinity;
      for (let i = 0; i < order.length; i++) {
        const p = order[i]!;
        const h = sign * (p.x * axis.x + p.y * axis.y + p.z * axis.z);
        if (h > most) {
          most = h;
          far = i;
        }
      }
      if (far < front) continue;
      const p = order[far]!;
      order[far] = order[front]!;
      order[front++] = p;
    }
  }
}

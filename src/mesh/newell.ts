/** Planes of polygons that may be concave and not quite flat. RTCD §12.4.2. */

import { checkPoints, mustNotBeNegative, refuse } from '../math/check.ts';
import { eigenSymmetric, makeEigen } from '../math/eigen.ts';
import { UNIT_ROUNDING } from '../math/tolerance.ts';
import type { Plane, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { mat3, plane, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';

type Points = readonly ReadonlyVec3[];

/**
 * The normal of a polygon by Newell's method: all vertices count, none is trusted more than the others. It points to
 * where the polygon is seen counter-clockwise and is twice its area long: zero for a polygon without area, or one that
 * crosses itself so that its parts cancel. RTCD §12.4.2.
 */
export function newellNormal(polygon: Points, out: Vec3 = vec3()): Vec3 {
  mustBePolygon('newellNormal', 'polygon', polygon);
  return areaVector(polygon, out);
}

/**
 * The plane that fits a polygon: normal by Newell's method, made a unit vector, through the mean of the vertices. Null
 * when there is no area, or so little that the normal would be rounding error.
 */
export function newellPlane(polygon: Points, out: Plane = plane()): Plane | null {
  mustBePolygon('newellPlane', 'polygon', polygon);
  return fitNewell(polygon, out);
}

/**
 * Do all vertices of a polygon lie between two parallel planes no farther apart than `thickness`? The planes are those
 * across the Newell normal, or for a polygon whose area cancels, across the direction in which its vertices spread
 * least. RTCD §12.4.2.
 */
export function isPlanarPolygon(polygon: Points, thickness: number): boolean {
  mustBePolygon('isPlanarPolygon', 'polygon', polygon);
  mustNotBeNegative('isPlanarPolygon', 'thickness', thickness);
  return thicknessOf(polygon) <= thickness;
}

/**
 * Throws unless a polygon has three or more vertices, all finite.
 *
 * @internal
 */
export function mustBePolygon(caller: string, name: string, polygon: Points): void {
  if (!Array.isArray(polygon) || polygon.length < 3)
    refuse(caller, name, 'must have at least three vertices');
  checkPoints(caller, name, polygon);
}

/**
 * Twice the area, as a vector along the normal. What it is taken about makes no difference but for rounding, and a
 * vertex is near the others.
 *
 * @internal
 */
export function areaVector(polygon: Points, out: Vec3): Vec3 {
  if (polygon.length === 4) {
    // AB × AD + … around the corners adds up to twice the product of the diagonals.
    v3.sub(polygon[2]!, polygon[0]!, edge);
    v3.sub(polygon[3]!, polygon[1]!, lastEdge);
    return v3.crossAccurate(edge, lastEdge, out);
  }
  const { x: ox, y: oy, z: oz } = polygon[0]!;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let i = 2; i < polygon.length; i++) {
    const p = polygon[i - 1]!;
    const q = polygon[i]!;
    const px = p.x - ox;
    const py = p.y - oy;
    const pz = p.z - oz;
    const qx = q.x - ox;
    const qy = q.y - oy;
    const qz = q.z - oz;
    x += py * qz - pz * qy;
    y += pz * qx - px * qz;
    z += px * qy - py * qx;
  }
  return v3.set(x, y, z, out);
}
const edge = vec3();
const lastEdge = vec3();

/** @internal */
export function fitNewell(polygon: Points, out: Plane): Plane | null {
  if (!hasArea(polygon, areaVector(polygon, normal))) return null;
  const centroid = v3.set(0, 0, 0, mean);
  for (const p of polygon) v3.addScaled(centroid, v3.sub(p, polygon[0]!, edge), 1 / polygon.length, centroid);
  v3.normalize(normal, out.normal);
  out.d = v3.dot(out.normal, v3.add(centroid, polygon[0]!, centroid));
  return out;
}
const normal = vec3();
const mean = vec3();

/** Is the area vector of a polygon more than rounding error? */
function hasArea(polygon: Points, area: ReadonlyVec3): boolean {
  let reach = 0;
  for (const p of polygon) reach = Math.max(reach, v3.distanceSq(p, polygon[0]!));
  // Each of the n - 2 products is right to a few 2⁻⁵² of the lengths that go into it, and so is each sum.
  return v3.length(area) > polygon.length * 8 * UNIT_ROUNDING * reach;
}

/**
 * How far apart the planes across the best normal are that hold a polygon between them.
 *
 * @internal
 */
export const thicknessOf = (polygon: Points): number =>
  hasArea(polygon, areaVector(polygon, normal))
    ? extentAlong(polygon, v3.normalize(normal, unit))
    : extentAlong(polygon, thinnestDirection(polygon, unit));
const unit = vec3();

/** @internal The length of the projections of points on a unit vector. */
export function extentAlong(points: Points, direction: ReadonlyVec3): number {
  let low = Infinity;
  let high = -Infinity;
  for (const p of points) {
    const s = v3.dot(v3.sub(p, points[0]!, edge), direction);
    low = Math.min(low, s);
    high = Math.max(high, s);
  }
  return high - low;
}

/** @internal The unit vector along which points spread least, by least squares. */
export function thinnestDirection(points: Points, out: Vec3): Vec3 {
  const centroid = vec3();
  for (const p of points) v3.addScaled(centroid, v3.sub(p, points[0]!, edge), 1 / points.length, centroid);
  v3.add(centroid, points[0]!, centroid);
  const { elements: m } = covariance;
  m.fill(0);
  for (const p of points) {
    const { x, y, z } = v3.sub(p, centroid, edge);
    m[0]! += x * x;
    m[4]! += y * y;
    m[8]! += z * z;
    m[3]! += x * y;
    m[6]! += x * z;
    m[7]! += y * z;
  }
  const { elements: e } = eigenSymmetric(covariance, eigen).vectors;
  return v3.set(e[6]!, e[7]!, e[8]!, out);
}
const covariance = mat3();
const eigen = makeEigen();

/** Ellipsoids, by scaling space until they are spheres. RTCD §4.7. */
import { checkObb, checkPoint, refuse } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { distanceSqPointTriangle } from '../primitives/closest/triangle.ts';
import type { Obb, ReadonlyObb } from '../primitives/types.ts';

/**
 * The points center + rotation (x, y, z) with (x/rx)² + (y/ry)² + (z/rz)² <= 1, where `halfSize` holds the radii: given
 * like the box around it. The radii must not be zero here.
 */
export type Ellipsoid = Obb;

export type ReadonlyEllipsoid = ReadonlyObb;

/** The unit sphere, to be changed. */
export const makeEllipsoid = (): Ellipsoid => ({
  center: vec3(),
  halfSize: vec3(1, 1, 1),
  rotation: mat3(),
});

/** Is the point in the ellipsoid or on it? To rounding. */
export function containsPointEllipsoid(p: ReadonlyVec3, ellipsoid: ReadonlyEllipsoid): boolean {
  checkObb('containsPointEllipsoid', 'ellipsoid', ellipsoid);
  checkPoint('containsPointEllipsoid', 'p', p);
  mustBeEllipsoid('containsPointEllipsoid', ellipsoid);
  return v3.lengthSq(toUnitSphere(p, ellipsoid, a1)) <= 1;
}

/**
 * Do an ellipsoid and a triangle share a point? Both are scaled until the ellipsoid is the unit sphere. That keeps
 * contact and order along a line, but not distance: the scaled one serves no other purpose. To rounding. RTCD §4.7.
 */
export function overlapEllipsoidTriangle(
  ellipsoid: ReadonlyEllipsoid,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): boolean {
  checkObb('overlapEllipsoidTriangle', 'ellipsoid', ellipsoid);
  checkPoint('overlapEllipsoidTriangle', 'a', a);
  checkPoint('overlapEllipsoidTriangle', 'b', b);
  checkPoint('overlapEllipsoidTriangle', 'c', c);
  mustBeEllipsoid('overlapEllipsoidTriangle', ellipsoid);
  toUnitSphere(a, ellipsoid, a1);
  toUnitSphere(b, ellipsoid, b1);
  toUnitSphere(c, ellipsoid, c1);
  return distanceSqPointTriangle(ORIGIN, a1, b1, c1) <= 1;
}

const ORIGIN = vec3();
const a1 = vec3();
const b1 = vec3();
const c1 = vec3();

function toUnitSphere(p: ReadonlyVec3, { center, halfSize, rotation }: ReadonlyEllipsoid, out: Vec3): Vec3 {
  v3.transformTransposed(v3.sub(p, center, out), rotation, out);
  return v3.set(out.x / halfSize.x, out.y / halfSize.y, out.z / halfSize.z, out);
}

function mustBeEllipsoid(caller: string, ellipsoid: ReadonlyEllipsoid): void {
  checkObb(caller, 'ellipsoid', ellipsoid);
  const { x, y, z } = ellipsoid.halfSize;
  if (!(x > 0 && y > 0 && z > 0)) refuse(caller, 'ellipsoid.halfSize', 'must be positive');
}

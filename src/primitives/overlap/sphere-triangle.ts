/** A sphere against a triangle. RTCD §5.2.7. */
import { checkSphere } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { copy } from '../../math/vec3.ts';
import { closestOnTriangle } from '../closest/triangle.ts';
import { makeTrianglePoint } from '../closest/types.ts';
import { checkTriangle } from '../input.ts';
import type { ReadonlySphere } from '../types.ts';

/** Do the sphere and the triangle abc share a point? A flat triangle is the segment or point it is. */
export function overlapSphereTriangle(
  sphere: ReadonlySphere,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): boolean {
  checkSphere('overlapSphereTriangle', 'sphere', sphere);
  checkTriangle('overlapSphereTriangle', a, b, c);
  return sphereMeetsTriangle(sphere, a, b, c);
}

/** The point of the triangle closest to the centre of the sphere, if they share a point; then they share this one. */
export function intersectSphereTriangle(
  sphere: ReadonlySphere,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: Vec3,
): Vec3 | null {
  checkSphere('intersectSphereTriangle', 'sphere', sphere);
  checkTriangle('intersectSphereTriangle', a, b, c);
  return sphereMeetsTriangle(sphere, a, b, c) ? copy(nearest.point, out) : null;
}

const nearest = makeTrianglePoint();

/** `overlapSphereTriangle` without the checks. @internal */
export function sphereMeetsTriangle(
  sphere: ReadonlySphere,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): boolean {
  return closestOnTriangle(sphere.center, a, b, c, nearest).distanceSq <= sphere.radius * sphere.radius;
}

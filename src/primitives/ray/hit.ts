/** What the ray queries share: reading their input at the door and reporting a start inside a solid. */
import { refuse } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { Hit, Ray, ReadonlyRay } from '../types.ts';

/** The sum of the components, for the check of the numbers. */
export const sumOf = (v: ReadonlyVec3): number => v.x + v.y + v.z;

/** The sum of the components, for the check of the numbers. */
export const sumOfRay = (ray: ReadonlyRay): number => sumOf(ray.origin) + sumOf(ray.direction);

/** Throws: `tMax` may be infinite, but not negative and not NaN. */
export function refuseRange(caller: string, name: string, value: number): never {
  refuse(caller, name, `must be a number that is at least 0, got ${value}`);
}

/** Fills `out` with the ray from p to q, along which t runs from 0 to 1. */
export function rayBetween(p: ReadonlyVec3, q: ReadonlyVec3, out: Ray): Ray {
  v3.sub(q, p, out.direction);
  v3.copy(p, out.origin);
  return out;
}

/** Fills the hit of a ray that starts inside: t = 0, at the origin, normal against the direction (0 if that is 0). */
export function startInside<H extends Hit>(ray: ReadonlyRay, hit: H): H {
  const { x: ox, y: oy, z: oz } = ray.origin;
  v3.normalize(ray.direction, hit.normal);
  v3.set(-hit.normal.x || 0, -hit.normal.y || 0, -hit.normal.z || 0, hit.normal);
  v3.set(ox, oy, oz, hit.point);
  hit.t = 0;
  return hit;
}

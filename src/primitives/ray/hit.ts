/** The reports that all queries of this family make alike. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { Hit, Ray, ReadonlyRay } from '../types.ts';
import { makeHit } from '../types.ts';

/** Fills `out` with the ray from p to q, along which t runs from 0 to 1. */
export function rayBetween(p: ReadonlyVec3, q: ReadonlyVec3, out: Ray): Ray {
  v3.sub(q, p, out.direction);
  v3.copy(p, out.origin);
  return out;
}

/** Has the ray no direction? Then it is a point. */
export const isStill = ({ direction: { x, y, z } }: ReadonlyRay): boolean => x === 0 && y === 0 && z === 0;

/** The hit of a ray that starts inside: t = 0, at the origin, normal against the direction (0 if that is 0). */
export function startInside(ray: ReadonlyRay, out: Hit = makeHit()): Hit {
  const { x, y, z } = ray.origin;
  const { normal } = out;
  v3.normalize(ray.direction, normal);
  v3.set(0 - normal.x, 0 - normal.y, 0 - normal.z, normal); // no -0
  v3.set(x, y, z, out.point);
  out.t = 0;
  return out;
}

/** What a query has found: when, and the direction of the normal, of any length but 0. */
export interface Found {
  t: number;
  normal: ReadonlyVec3;
}

/** The hit that was found. A record and not loose numbers: those would be boxed on the way here. */
export function report(ray: ReadonlyRay, { t, normal: n }: Found, out: Hit = makeHit()): Hit {
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { point, normal } = out;
  v3.normalize(n, normal);
  normal.x += 0; // no -0
  normal.y += 0;
  normal.z += 0;
  point.x = ox + t * dx;
  point.y = oy + t * dy;
  point.z = oz + t * dz;
  out.t = t + 0;
  return out;
}

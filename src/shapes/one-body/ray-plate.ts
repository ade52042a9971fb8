/** Rays against flat shapes, across their plane. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { Hit, ReadonlyRay } from '../../primitives/types.ts';
import { copyPoint } from '../body-space.ts';
import type { ConvexShape } from '../shape.ts';
import type { BodyContext } from './body-context.ts';
import { nearestOnCore, startNearest } from './convex-form.ts';

/** Rays that climb less than this above the plane, relative to their length, may run along it: they can hit the edges. */
const LEVEL = 1e-6;
const crossing = vec3();

/** Does the ray cross planes with this unit normal at an angle that means something? */
export function isAcross({ direction: d }: ReadonlyRay, n: ReadonlyVec3): boolean {
  const climb = n.x * d.x + n.y * d.y + n.z * d.z;
  return climb * climb > LEVEL * LEVEL * (d.x * d.x + d.y * d.y + d.z * d.z);
}

/** Where a ray that `isAcross` hits a flat shape in the plane through `onPlane`, within rounding of its rim. */
export function rayPlate(
  shape: ConvexShape,
  ray: ReadonlyRay,
  normal: ReadonlyVec3,
  onPlane: ReadonlyVec3,
  context: BodyContext,
  out: Hit,
): Hit | null {
  const { within } = context;
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { x: nx, y: ny, z: nz } = normal;
  const climb = nx * dx + ny * dy + nz * dz;
  const t = (nx * (onPlane.x - ox) + ny * (onPlane.y - oy) + nz * (onPlane.z - oz)) / climb;
  if (!(t >= 0)) return null;
  crossing.x = ox + t * dx;
  crossing.y = oy + t * dy;
  crossing.z = oz + t * dz;
  startNearest(context);
  const near = nearestOnCore(shape, crossing, context);
  const { distance } = near;
  // The ray passes the rim at less than the distance of the crossing from it: times the sine of the angle.
  if (!(distance * Math.abs(climb) <= within * Math.sqrt(dx * dx + dy * dy + dz * dz))) return null;
  const side = climb > 0 ? -1 : 1;
  copyPoint(near, out.point);
  out.normal.x = side * nx;
  out.normal.y = side * ny;
  out.normal.z = side * nz;
  out.t = t;
  return out;
}

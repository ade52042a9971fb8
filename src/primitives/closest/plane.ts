/** Points and planes. RTCD §5.1.1. */
import { checkPlane, checkPoint, refuse } from '../../math/check.ts';
import type { ReadonlyPlane, ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';

/** The point of a plane closest to p. The normal may have any length but zero. */
export function closestPointPlane(p: ReadonlyVec3, plane: ReadonlyPlane, out: Vec3 = vec3()): Vec3 {
  checkPoint('closestPointPlane', 'p', p);
  checkPlane('closestPointPlane', 'plane', plane);
  const { x: px, y: py, z: pz } = p;
  const { x: nx, y: ny, z: nz } = plane.normal;
  const nn = nx * nx + ny * ny + nz * nz;
  const above = nx * px + ny * py + nz * pz - plane.d;
  if (nn === 0) refuse('closestPointPlane', 'plane.normal', 'must not be zero');
  const t = above / nn;
  out.x = px - t * nx;
  out.y = py - t * ny;
  out.z = pz - t * nz;
  return out;
}

/**
 * How far p lies from a plane: positive on the side that the normal points to, negative behind. A length, whatever
 * the length of the normal (which must not be zero).
 */
export function signedDistancePointPlane(p: ReadonlyVec3, plane: ReadonlyPlane): number {
  checkPoint('signedDistancePointPlane', 'p', p);
  checkPlane('signedDistancePointPlane', 'plane', plane);
  const { x: nx, y: ny, z: nz } = plane.normal;
  const nn = nx * nx + ny * ny + nz * nz;
  const above = nx * p.x + ny * p.y + nz * p.z - plane.d;
  if (nn === 0) refuse('signedDistancePointPlane', 'plane.normal', 'must not be zero');
  return above / Math.sqrt(nn);
}

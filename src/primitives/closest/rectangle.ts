/** Points and flat rectangles. RTCD §5.1.4.2. Sides must be at a right angle; either may have length zero. */
import { checkPoint } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { sub } from '../../math/vec3.ts';

/** The point closest to p of the rectangle with corner a and the neighbouring corners b and c. */
export function closestPointRectangle(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkPoint('closestPointRectangle', 'p', p);
  checkPoint('closestPointRectangle', 'a', a);
  checkPoint('closestPointRectangle', 'b', b);
  checkPoint('closestPointRectangle', 'c', c);
  find(p, a, sub(b, a, side0), sub(c, a, side1), false);
  return write(out);
}

/** Squared distance of p from the rectangle with corner a and the neighbouring corners b and c. */
export function distanceSqPointRectangle(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): number {
  checkPoint('distanceSqPointRectangle', 'p', p);
  checkPoint('distanceSqPointRectangle', 'a', a);
  checkPoint('distanceSqPointRectangle', 'b', b);
  checkPoint('distanceSqPointRectangle', 'c', c);
  find(p, a, sub(b, a, side0), sub(c, a, side1), false);
  return found.distanceSq;
}

/** The point closest to p of the rectangle with corners center ± halfU ± halfV. */
export function closestPointCenteredRectangle(
  p: ReadonlyVec3,
  center: ReadonlyVec3,
  halfU: ReadonlyVec3,
  halfV: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkPoint('closestPointCenteredRectangle', 'p', p);
  checkPoint('closestPointCenteredRectangle', 'center', center);
  checkPoint('closestPointCenteredRectangle', 'halfU', halfU);
  checkPoint('closestPointCenteredRectangle', 'halfV', halfV);
  find(p, center, halfU, halfV, true);
  return write(out);
}

/** Squared distance of p from the rectangle with corners center ± halfU ± halfV. */
export function distanceSqPointCenteredRectangle(
  p: ReadonlyVec3,
  center: ReadonlyVec3,
  halfU: ReadonlyVec3,
  halfV: ReadonlyVec3,
): number {
  checkPoint('distanceSqPointCenteredRectangle', 'p', p);
  checkPoint('distanceSqPointCenteredRectangle', 'center', center);
  checkPoint('distanceSqPointCenteredRectangle', 'halfU', halfU);
  checkPoint('distanceSqPointCenteredRectangle', 'halfV', halfV);
  find(p, center, halfU, halfV, true);
  return found.distanceSq;
}

const side0 = vec3();
const side1 = vec3();
const found = { x: 0, y: 0, z: 0, distanceSq: 0 };

/**
 * Finds the point origin + s u + t v closest to p, s and t in [0, 1], or in [-1, 1] if `centered`. What is not finite goes through to the distance.
 *
 * As u and v are at a right angle, one need not matter to the other. But the angle is right only to rounding of the
 * corners, which to a short side is a lot: its share is taken of what the long side leaves of the vector to p.
 */
function find(
  p: ReadonlyVec3,
  origin: ReadonlyVec3,
  u: ReadonlyVec3,
  v: ReadonlyVec3,
  centered: boolean,
): void {
  const { x: ux, y: uy, z: uz } = u;
  const { x: vx, y: vy, z: vz } = v;
  const low = centered ? -1 : 0;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  if (uu < vv) {
    find(p, origin, v, u, centered);
    return;
  }
  const { x: ox, y: oy, z: oz } = origin;
  const x = p.x - ox;
  const y = p.y - oy;
  const z = p.z - oz;
  const along = x * ux + y * uy + z * uz;
  const foot = uu > 0 ? along / uu : 0;
  const s = share(along, uu, low);
  const t = share((x - foot * ux) * vx + (y - foot * uy) * vy + (z - foot * uz) * vz, vv, low);
  const qx = s * ux + t * vx;
  const qy = s * uy + t * vy;
  const qz = s * uz + t * vz;
  found.x = ox + qx;
  found.y = oy + qy;
  found.z = oz + qz;
  found.distanceSq = (x - qx) * (x - qx) + (y - qy) * (y - qy) + (z - qz) * (z - qz);
}

/** along / whole, held to [low, 1]; 0 for 0 / 0. */
const share = (along: number, whole: number, low: number): number =>
  along < whole ? (along > low * whole ? along / whole : low) : whole > 0 ? 1 : 0;

function write(out: Vec3): Vec3 {
  out.x = found.x;
  out.y = found.y;
  out.z = found.z;
  return out;
}

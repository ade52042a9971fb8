/**
 * The point of a segment, ray or line closest to a point. RTCD §5.1.2.
 *
 * All three project p on the direction; they differ in the range that the parameter t is held to. A direction of
 * length zero (so short that its square is zero, say 1e-170) leaves the start, with t = 0. Squared distances are the
 * squared length of the difference, not |ap|² - (ap·ab)²/|ab|², which cancels and can be negative.
 */
import { ANY_FINITE, checkPoint, checkRay } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { ReadonlyRay } from '../types.ts';

/** The point of segment ab closest to p. */
export function closestPointSegment(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkPoint('closestPointSegment', 'p', p, ANY_FINITE);
  checkPoint('closestPointSegment', 'a', a, ANY_FINITE);
  checkPoint('closestPointSegment', 'b', b, ANY_FINITE);
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const abx = bx - ax;
  const aby = by - ay;
  const abz = bz - az;
  const along = (p.x - ax) * abx + (p.y - ay) * aby + (p.z - az) * abz;
  const whole = abx * abx + aby * aby + abz * abz;
  if (!(along > 0)) return put(ax, ay, az, out);
  if (!(along < whole)) return put(bx, by, bz, out);
  const t = along / whole;
  return put(ax + t * abx, ay + t * aby, az + t * abz, out);
}

/** The t in [0, 1] at which a + t (b - a) is closest to p. */
export function closestParameterSegment(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3): number {
  checkPoint('closestParameterSegment', 'p', p);
  checkPoint('closestParameterSegment', 'a', a);
  checkPoint('closestParameterSegment', 'b', b);
  const { x: ax, y: ay, z: az } = a;
  const abx = b.x - ax;
  const aby = b.y - ay;
  const abz = b.z - az;
  const along = (p.x - ax) * abx + (p.y - ay) * aby + (p.z - az) * abz;
  const whole = abx * abx + aby * aby + abz * abz;
  return along > 0 ? (along < whole ? along / whole : 1) : 0;
}

/** Squared distance of p from segment ab. */
export function distanceSqPointSegment(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3): number {
  checkPoint('distanceSqPointSegment', 'p', p);
  checkPoint('distanceSqPointSegment', 'a', a);
  checkPoint('distanceSqPointSegment', 'b', b);
  const { x: ax, y: ay, z: az } = a;
  const abx = b.x - ax;
  const aby = b.y - ay;
  const abz = b.z - az;
  const apx = p.x - ax;
  const apy = p.y - ay;
  const apz = p.z - az;
  const along = apx * abx + apy * aby + apz * abz;
  const whole = abx * abx + aby * aby + abz * abz;
  const t = along > 0 ? (along < whole ? along / whole : 1) : 0;
  return lengthSq(apx - t * abx, apy - t * aby, apz - t * abz);
}

/** The point of a ray closest to p. */
export function closestPointRay(p: ReadonlyVec3, ray: ReadonlyRay, out: Vec3 = vec3()): Vec3 {
  checkPoint('closestPointRay', 'p', p);
  checkRay('closestPointRay', 'ray', ray);
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const along = (p.x - ox) * dx + (p.y - oy) * dy + (p.z - oz) * dz;
  const whole = dx * dx + dy * dy + dz * dz;
  const t = along > 0 && whole > 0 ? along / whole : 0;
  return put(ox + t * dx, oy + t * dy, oz + t * dz, out);
}

/** The t >= 0 at which origin + t direction is closest to p. */
export function closestParameterRay(p: ReadonlyVec3, ray: ReadonlyRay): number {
  checkPoint('closestParameterRay', 'p', p);
  checkRay('closestParameterRay', 'ray', ray);
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const along = (p.x - ox) * dx + (p.y - oy) * dy + (p.z - oz) * dz;
  const whole = dx * dx + dy * dy + dz * dz;
  return along > 0 && whole > 0 ? along / whole : 0;
}

/** Squared distance of p from a ray. */
export function distanceSqPointRay(p: ReadonlyVec3, ray: ReadonlyRay): number {
  checkPoint('distanceSqPointRay', 'p', p);
  checkRay('distanceSqPointRay', 'ray', ray);
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const opx = p.x - ox;
  const opy = p.y - oy;
  const opz = p.z - oz;
  const along = opx * dx + opy * dy + opz * dz;
  const whole = dx * dx + dy * dy + dz * dz;
  const t = along > 0 && whole > 0 ? along / whole : 0;
  return lengthSq(opx - t * dx, opy - t * dy, opz - t * dz);
}

/** The point closest to p of the line through a and b. */
export function closestPointLine(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkPoint('closestPointLine', 'p', p);
  checkPoint('closestPointLine', 'a', a);
  checkPoint('closestPointLine', 'b', b);
  const { x: ax, y: ay, z: az } = a;
  const abx = b.x - ax;
  const aby = b.y - ay;
  const abz = b.z - az;
  const along = (p.x - ax) * abx + (p.y - ay) * aby + (p.z - az) * abz;
  const whole = abx * abx + aby * aby + abz * abz;
  const t = whole > 0 ? along / whole : 0;
  return put(ax + t * abx, ay + t * aby, az + t * abz, out);
}

/** The t at which a + t (b - a) is closest to p; any number. */
export function closestParameterLine(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3): number {
  checkPoint('closestParameterLine', 'p', p);
  checkPoint('closestParameterLine', 'a', a);
  checkPoint('closestParameterLine', 'b', b);
  const { x: ax, y: ay, z: az } = a;
  const abx = b.x - ax;
  const aby = b.y - ay;
  const abz = b.z - az;
  const along = (p.x - ax) * abx + (p.y - ay) * aby + (p.z - az) * abz;
  const whole = abx * abx + aby * aby + abz * abz;
  return whole > 0 ? along / whole : 0;
}

/** Squared distance of p from the line through a and b. */
export function distanceSqPointLine(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3): number {
  checkPoint('distanceSqPointLine', 'p', p);
  checkPoint('distanceSqPointLine', 'a', a);
  checkPoint('distanceSqPointLine', 'b', b);
  const { x: ax, y: ay, z: az } = a;
  const abx = b.x - ax;
  const aby = b.y - ay;
  const abz = b.z - az;
  const apx = p.x - ax;
  const apy = p.y - ay;
  const apz = p.z - az;
  const along = apx * abx + apy * aby + apz * abz;
  const whole = abx * abx + aby * aby + abz * abz;
  const t = whole > 0 ? along / whole : 0;
  return lengthSq(apx - t * abx, apy - t * aby, apz - t * abz);
}

const lengthSq = (x: number, y: number, z: number): number => x * x + y * y + z * z;

function put(x: number, y: number, z: number, out: Vec3): Vec3 {
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}

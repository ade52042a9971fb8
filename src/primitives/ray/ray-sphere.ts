import { checkSphere } from '../../math/check.ts';
import { RAY_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { checkRayUpTo, checkSegment } from '../input.ts';
import type { Hit, ReadonlyRay, ReadonlySphere } from '../types.ts';
import { makeHit, makeRay } from '../types.ts';
import { rayBetween, startInside } from './hit.ts';

const segment = makeRay();

/**
 * Where a ray hits a solid sphere.
 *
 *     o ─────(────c'────)──▶ d    c' = point of the line nearest to the centre c
 *           hit                   half chord² = r² - |c - c'|²
 *
 * The distance from the centre to the line comes from a cross product, and not from b² - ac, which cancels for small
 * spheres far away: Haines et al., Ray Tracing Gems (2019), chapter 7. Tangent or not is a matter of rounding.
 * RTCD §5.3.2.
 */
export function raySphere(ray: ReadonlyRay, sphere: ReadonlySphere, tMax = Infinity, out?: Hit): Hit | null {
  checkRayUpTo('raySphere', ray, tMax);
  checkSphere('raySphere', 'sphere', sphere);
  return raySphereKernel(ray, sphere, tMax, out);
}

/** Where the segment from p to q hits a solid sphere, with t in [0, 1]. See `raySphere`. */
export function segmentSphere(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  sphere: ReadonlySphere,
  out?: Hit,
): Hit | null {
  checkSegment('segmentSphere', p, q);
  checkSphere('segmentSphere', 'sphere', sphere);
  return raySphereKernel(rayBetween(p, q, segment), sphere, 1, out);
}

/** Does a ray meet a solid sphere? `raySphere` without the time: no division, no root. */
export function overlapRaySphere(ray: ReadonlyRay, sphere: ReadonlySphere): boolean {
  checkRayUpTo('overlapRaySphere', ray, 0);
  checkSphere('overlapRaySphere', 'sphere', sphere);
  return meets(ray, sphere, Infinity);
}

/** Does the segment from p to q meet a solid sphere? `segmentSphere` without the time: no division, no root. */
export function overlapSegmentSphere(p: ReadonlyVec3, q: ReadonlyVec3, sphere: ReadonlySphere): boolean {
  checkSegment('overlapSegmentSphere', p, q);
  checkSphere('overlapSegmentSphere', 'sphere', sphere);
  return meets(rayBetween(p, q, segment), sphere, 1);
}

/** @internal */
export function raySphereKernel(
  ray: ReadonlyRay,
  sphere: ReadonlySphere,
  tMax: number,
  out: Hit | undefined,
): Hit | null {
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { x: cx, y: cy, z: cz } = sphere.center;
  const { origin } = ray;
  const { radius } = sphere;
  const mx = cx - origin.x;
  const my = cy - origin.y;
  const mz = cz - origin.z;
  const power = mx * mx + my * my + mz * mz - radius * radius;
  if (power <= 0) return startInside(ray, out);
  const along = mx * dx + my * dy + mz * dz;
  if (!(along > 0)) return null;
  const lengthSq = dx * dx + dy * dy + dz * dz;
  const kx = my * dz - mz * dy;
  const ky = mz * dx - mx * dz;
  const kz = mx * dy - my * dx;
  const chord = radius * radius * lengthSq - (kx * kx + ky * ky + kz * kz);
  if (!(chord >= 0)) return null;
  const root = Math.sqrt(chord);
  const entry = power / (along + root);
  if (!(entry <= tMax * RAY_SLACK)) return null;
  const t = Math.min(entry, tMax);
  // From the centre to the hit: back to the nearest point of the line, then half the chord towards the origin.
  // That is precise where origin + t direction - centre would cancel.
  const nearest = along / lengthSq;
  const half = root / lengthSq;
  let nx = nearest * dx - mx - half * dx;
  let ny = nearest * dy - my - half * dy;
  let nz = nearest * dz - mz - half * dz;
  let length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const hit = out ?? makeHit();
  const { point, normal } = hit;
  hit.t = t;
  point.x = cx + nx;
  point.y = cy + ny;
  point.z = cz + nz;
  if (length === 0) {
    // A sphere without radius: against the direction.
    length = Math.sqrt(lengthSq);
    nx = -dx;
    ny = -dy;
    nz = -dz;
  }
  normal.x = nx / length;
  normal.y = ny / length;
  normal.z = nz / length;
  return hit;
}

function meets(ray: ReadonlyRay, sphere: ReadonlySphere, tMax: number): boolean {
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { x: cx, y: cy, z: cz } = sphere.center;
  const mx = cx - ox;
  const my = cy - oy;
  const mz = cz - oz;
  const radiusSq = sphere.radius * sphere.radius;
  if (mx * mx + my * my + mz * mz <= radiusSq) return true;
  const along = mx * dx + my * dy + mz * dz;
  if (!(along > 0)) return false;
  const lengthSq = dx * dx + dy * dy + dz * dz;
  if (along > tMax * lengthSq) {
    // The end of the segment comes before the nearest point of its line.
    const ex = mx - dx;
    const ey = my - dy;
    const ez = mz - dz;
    return ex * ex + ey * ey + ez * ez <= radiusSq;
  }
  const kx = my * dz - mz * dy;
  const ky = mz * dx - mx * dz;
  const kz = mx * dy - my * dx;
  return kx * kx + ky * ky + kz * kz <= radiusSq * lengthSq;
}

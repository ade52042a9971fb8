/** A sphere against boxes. RTCD §5.2.5-6. */
import { checkAabb, checkObb, checkSphere } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { ReadonlyAabb, ReadonlyObb, ReadonlySphere } from '../types.ts';

/** Do the sphere and the box share a point? */
export function overlapSphereAabb(sphere: ReadonlySphere, box: ReadonlyAabb): boolean {
  checkSphere('overlapSphereAabb', 'sphere', sphere);
  checkAabb('overlapSphereAabb', 'box', box);
  return sphereMeetsAabb(sphere.center, sphere.radius, box);
}

/** `overlapSphereAabb` without the checks. */
function sphereMeetsAabb(center: ReadonlyVec3, radius: number, { min, max }: ReadonlyAabb): boolean {
  const { x, y, z } = center;
  const dx = Math.max(min.x - x, 0, x - max.x);
  const dy = Math.max(min.y - y, 0, y - max.y);
  const dz = Math.max(min.z - z, 0, z - max.z);
  return dx * dx + dy * dy + dz * dz <= radius * radius;
}

/** The point of the box closest to the centre of the sphere, if they share a point; then they share this one. */
export function intersectSphereAabb(sphere: ReadonlySphere, box: ReadonlyAabb, out?: Vec3): Vec3 | null {
  checkSphere('intersectSphereAabb', 'sphere', sphere);
  checkAabb('intersectSphereAabb', 'box', box);
  if (!sphereMeetsAabb(sphere.center, sphere.radius, box)) return null;
  const { x, y, z } = sphere.center;
  const { min, max } = box;
  const px = Math.min(Math.max(x, min.x), max.x);
  const py = Math.min(Math.max(y, min.y), max.y);
  const pz = Math.min(Math.max(z, min.z), max.z);
  return put(px, py, pz, out);
}

/** Do the sphere and the oriented box share a point? */
export function overlapSphereObb(sphere: ReadonlySphere, box: ReadonlyObb): boolean {
  checkSphere('overlapSphereObb', 'sphere', sphere);
  checkObb('overlapSphereObb', 'box', box);
  return findGap(sphere, box);
}

/** The point of the box closest to the centre of the sphere, if they share a point; then they share this one. */
export function intersectSphereObb(sphere: ReadonlySphere, box: ReadonlyObb, out?: Vec3): Vec3 | null {
  checkSphere('intersectSphereObb', 'sphere', sphere);
  checkObb('intersectSphereObb', 'box', box);
  if (!findGap(sphere, box)) return null;
  // Back along the gap: a centre inside the box is its own closest point, to the last bit.
  const { x, y, z } = sphere.center;
  const e = box.rotation.elements;
  const { x: gx, y: gy, z: gz } = gap;
  const px = x - (e[0]! * gx + e[3]! * gy + e[6]! * gz);
  const py = y - (e[1]! * gx + e[4]! * gy + e[7]! * gz);
  const pz = z - (e[2]! * gx + e[5]! * gy + e[8]! * gz);
  return put(px, py, pz, out);
}

/** From the box to the centre of the sphere, along the axes of the box. */
const gap = vec3();

/** Sets `gap`; is it no longer than the radius? */
function findGap({ center, radius }: ReadonlySphere, box: ReadonlyObb): boolean {
  const { halfSize: h, rotation, center: c } = box;
  const e = rotation.elements;
  const x = center.x - c.x;
  const y = center.y - c.y;
  const z = center.z - c.z;
  const gx = beyond(e[0]! * x + e[1]! * y + e[2]! * z, h.x);
  const gy = beyond(e[3]! * x + e[4]! * y + e[5]! * z, h.y);
  const gz = beyond(e[6]! * x + e[7]! * y + e[8]! * z, h.z);
  gap.x = gx;
  gap.y = gy;
  gap.z = gz;
  return gx * gx + gy * gy + gz * gz <= radius * radius;
}

/** How far s lies outside [-h, h], signed. */
const beyond = (s: number, h: number): number => (s > h ? s - h : s < -h ? s + h : 0);

function put(x: number, y: number, z: number, out: Vec3 = vec3()): Vec3 {
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}

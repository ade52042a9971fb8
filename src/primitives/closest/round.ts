/**
 * Points and round things: sphere, capsule, disc, cylinder, cone. All but the disc are solid: a point inside is its own
 * closest point, at distance 0. Not in RTCD; each is a clamp in the plane of the point and the axis.
 */
import { checkCone, checkPoint, checkSphere, checkTube, mustBeLength, refuse } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { ReadonlyCapsule, ReadonlyCone, ReadonlyCylinder, ReadonlySphere } from '../types.ts';

/** The point of a solid sphere closest to p. */
export function closestPointSphere(p: ReadonlyVec3, sphere: ReadonlySphere, out: Vec3 = vec3()): Vec3 {
  checkPoint('closestPointSphere', 'p', p);
  checkSphere('closestPointSphere', 'sphere', sphere);
  const { center } = sphere;
  nearCapsule(p, center, center, sphere);
  return write(out);
}

/** Distance of p from a solid sphere. */
export function distancePointSphere(p: ReadonlyVec3, sphere: ReadonlySphere): number {
  checkPoint('distancePointSphere', 'p', p);
  checkSphere('distancePointSphere', 'sphere', sphere);
  const { center } = sphere;
  nearCapsule(p, center, center, sphere);
  return found.distance;
}

/** The point of a solid capsule closest to p. */
export function closestPointCapsule(p: ReadonlyVec3, capsule: ReadonlyCapsule, out: Vec3 = vec3()): Vec3 {
  checkPoint('closestPointCapsule', 'p', p);
  checkTube('closestPointCapsule', 'capsule', capsule);
  const { a, b } = capsule;
  nearCapsule(p, a, b, capsule);
  return write(out);
}

/** Distance of p from a solid capsule. */
export function distancePointCapsule(p: ReadonlyVec3, capsule: ReadonlyCapsule): number {
  checkPoint('distancePointCapsule', 'p', p);
  checkTube('distancePointCapsule', 'capsule', capsule);
  const { a, b } = capsule;
  nearCapsule(p, a, b, capsule);
  return found.distance;
}

/** The point closest to p of the flat disc about `center`, at a right angle to `normal` (of any length but zero). */
export function closestPointDisc(
  p: ReadonlyVec3,
  center: ReadonlyVec3,
  normal: ReadonlyVec3,
  radius: number,
  out: Vec3 = vec3(),
): Vec3 {
  checkPoint('closestPointDisc', 'normal', normal);
  checkPoint('closestPointDisc', 'p', p);
  checkPoint('closestPointDisc', 'center', center);
  mustBeLength('closestPointDisc', 'radius', radius);
  mustHaveLength('closestPointDisc', normal);
  disc.radius = radius;
  nearCylinder(p, center, normal, 0, disc);
  return write(out);
}

/** Distance of p from the flat disc about `center`, at a right angle to `normal` (of any length but zero). */
export function distancePointDisc(
  p: ReadonlyVec3,
  center: ReadonlyVec3,
  normal: ReadonlyVec3,
  radius: number,
): number {
  checkPoint('distancePointDisc', 'normal', normal);
  checkPoint('distancePointDisc', 'p', p);
  checkPoint('distancePointDisc', 'center', center);
  mustBeLength('distancePointDisc', 'radius', radius);
  mustHaveLength('distancePointDisc', normal);
  disc.radius = radius;
  nearCylinder(p, center, normal, 0, disc);
  return found.distance;
}

/** The point of a solid cylinder closest to p. Without an axis (a = b) it is the sphere about a. */
export function closestPointCylinder(p: ReadonlyVec3, cylinder: ReadonlyCylinder, out: Vec3 = vec3()): Vec3 {
  checkPoint('closestPointCylinder', 'p', p);
  checkTube('closestPointCylinder', 'cylinder', cylinder);
  const { a, b } = cylinder;
  nearCylinder(p, a, between(a, b), 1, cylinder);
  return write(out);
}

/** Distance of p from a solid cylinder. Without an axis (a = b) it is the sphere about a. */
export function distancePointCylinder(p: ReadonlyVec3, cylinder: ReadonlyCylinder): number {
  checkPoint('distancePointCylinder', 'p', p);
  checkTube('distancePointCylinder', 'cylinder', cylinder);
  const { a, b } = cylinder;
  nearCylinder(p, a, between(a, b), 1, cylinder);
  return found.distance;
}

/** The point of a solid cone closest to p. Without an axis (tip = base) it is the sphere about the tip. */
export function closestPointCone(p: ReadonlyVec3, cone: ReadonlyCone, out: Vec3 = vec3()): Vec3 {
  checkPoint('closestPointCone', 'p', p);
  checkCone('closestPointCone', 'cone', cone);
  const { tip, base } = cone;
  nearCone(p, tip, between(tip, base), cone);
  return write(out);
}

/** Distance of p from a solid cone. Without an axis (tip = base) it is the sphere about the tip. */
export function distancePointCone(p: ReadonlyVec3, cone: ReadonlyCone): number {
  checkPoint('distancePointCone', 'p', p);
  checkCone('distancePointCone', 'cone', cone);
  const { tip, base } = cone;
  nearCone(p, tip, between(tip, base), cone);
  return found.distance;
}

/** The radius is handed on in its record: a loose double would be boxed. */
type Round = Readonly<{ radius: number }>;
const disc = { radius: 0.5 };
const found = { x: 0, y: 0, z: 0, distance: 0 };
const axis = vec3();

function mustHaveLength(caller: string, normal: ReadonlyVec3): void {
  const { x, y, z } = normal;
  if (x * x + y * y + z * z > 0) return;
  refuse(caller, 'normal', 'must not be zero');
}

function between(a: ReadonlyVec3, b: ReadonlyVec3): ReadonlyVec3 {
  axis.x = b.x - a.x;
  axis.y = b.y - a.y;
  axis.z = b.z - a.z;
  return axis;
}

function write(out: Vec3): Vec3 {
  out.x = found.x;
  out.y = found.y;
  out.z = found.z;
  return out;
}

/** along / whole, held to [0, 1]; 0 for 0 / 0. */
const fraction = (along: number, whole: number): number =>
  along > 0 ? (along < whole ? along / whole : 1) : 0;

/** From the nearest point of the axis segment, at most `radius` towards p. */
function nearCapsule(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3, { radius }: Round): void {
  const { x: ax, y: ay, z: az } = a;
  const ux = b.x - ax;
  const uy = b.y - ay;
  const uz = b.z - az;
  const x = p.x - ax;
  const y = p.y - ay;
  const z = p.z - az;
  const t = fraction(x * ux + y * uy + z * uz, ux * ux + uy * uy + uz * uz);
  const dx = x - t * ux;
  const dy = y - t * uy;
  const dz = z - t * uz;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (length <= radius) {
    keep(p);
    return;
  }
  const k = radius / length;
  found.x = ax + (t * ux + k * dx);
  found.y = ay + (t * uy + k * dy);
  found.z = az + (t * uz + k * dz);
  found.distance = length - radius;
}

/** p is inside. */
function keep(p: ReadonlyVec3): void {
  found.x = p.x;
  found.y = p.y;
  found.z = p.z;
  found.distance = 0;
}

/** Clamps the part of p along the axis u to [0, `top`] lengths of it, and the part across to `radius`. */
function nearCylinder(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  u: ReadonlyVec3,
  top: 0 | 1,
  { radius }: Round,
): void {
  const { x: ax, y: ay, z: az } = a;
  const { x: ux, y: uy, z: uz } = u;
  const x = p.x - ax;
  const y = p.y - ay;
  const z = p.z - az;
  const uu = ux * ux + uy * uy + uz * uz;
  const along = uu > 0 ? (x * ux + y * uy + z * uz) / uu : 0 * uu;
  const rx = x - along * ux;
  const ry = y - along * uy;
  const rz = z - along * uz;
  const across = Math.sqrt(rx * rx + ry * ry + rz * rz);
  if (along >= 0 && along <= top && across <= radius) {
    keep(p);
    return;
  }
  const t = Math.min(Math.max(along, 0), top);
  const k = across > radius ? radius / across : 1;
  const beyond = (along - t) * Math.sqrt(uu);
  const outside = across > radius ? across - radius : 0;
  found.x = ax + (t * ux + k * rx);
  found.y = ay + (t * uy + k * ry);
  found.z = az + (t * uz + k * rz);
  found.distance = Math.sqrt(beyond * beyond + outside * outside);
}

/** In the half-plane of p and the axis a cone is the triangle of tip, centre and rim of the base. */
function nearCone(p: ReadonlyVec3, tip: ReadonlyVec3, u: ReadonlyVec3, { radius }: Round): void {
  const { x: ax, y: ay, z: az } = tip;
  const { x: ux, y: uy, z: uz } = u;
  const x = p.x - ax;
  const y = p.y - ay;
  const z = p.z - az;
  const uu = ux * ux + uy * uy + uz * uz;
  const along = uu > 0 ? (x * ux + y * uy + z * uz) / uu : 0 * uu;
  const rx = x - along * ux;
  const ry = y - along * uy;
  const rz = z - along * uz;
  const across = Math.sqrt(rx * rx + ry * ry + rz * rz);
  if (along >= 0 && along <= 1 && across <= along * radius) {
    keep(p);
    return;
  }
  // Below the base, or nearest to the slanted line from the tip to the rim.
  const below = along >= 1 && across <= radius;
  const t = below ? 1 : fraction(along * uu + across * radius, uu + radius * radius);
  const k = below ? 1 : across > 0 ? (t * radius) / across : 0;
  const beyond = (along - t) * Math.sqrt(uu);
  const outside = across - k * across;
  found.x = ax + (t * ux + k * rx);
  found.y = ay + (t * uy + k * ry);
  found.z = az + (t * uz + k * rz);
  found.distance = Math.sqrt(beyond * beyond + outside * outside);
}

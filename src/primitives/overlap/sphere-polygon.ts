/** A sphere against a flat polygon, concave ones included. RTCD §5.2.8. */
import { checkSphere } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { distanceSqPointSegment } from '../closest/linear.ts';
import { checkSomePoints } from '../input.ts';
import type { ReadonlySphere } from '../types.ts';

/**
 * Do the sphere and the polygon share a point? The points are its corners in order, in either direction, all in one
 * plane; the polygon may be concave. Where its boundary crosses itself, what is inside is decided by the even-odd
 * rule. One or two points, or a polygon without area, are the points and segments they are.
 */
export function overlapSpherePolygon(sphere: ReadonlySphere, points: readonly ReadonlyVec3[]): boolean {
  checkSphere('overlapSpherePolygon', 'sphere', sphere);
  checkSomePoints('overlapSpherePolygon', points);
  const { center, radius } = sphere;
  const from = points[0]!;
  areaVector(points);
  const { x: nx, y: ny, z: nz } = normal;
  const lengthSq = nx * nx + ny * ny + nz * nz;
  const height = nx * (center.x - from.x) + ny * (center.y - from.y) + nz * (center.z - from.z);
  if (height * height > radius * radius * lengthSq) return false;

  const radiusSq = radius * radius;
  for (let i = 0; i < points.length; i++)
    if (distanceSqPointSegment(center, points[i]!, points[(i + 1) % points.length]!) <= radiusSq) return true;
  if (lengthSq === 0) return false;

  // No edge is near, so the centre, moved straight to the plane, lies well inside or well outside.
  const t = height / lengthSq;
  foot.x = center.x - t * nx;
  foot.y = center.y - t * ny;
  foot.z = center.z - t * nz;
  return isInside(foot, points);
}

const normal = vec3();
const foot = vec3();

/** Sets `normal` to twice the polygon's area, as a vector along its normal: Newell's sum, taken from its first corner. */
function areaVector(points: readonly ReadonlyVec3[]): void {
  const { x: ox, y: oy, z: oz } = points[0]!;
  let nx = 0;
  let ny = 0;
  let nz = 0;
  for (let i = 2; i < points.length; i++) {
    const p = points[i - 1]!;
    const q = points[i]!;
    const ux = p.x - ox;
    const uy = p.y - oy;
    const uz = p.z - oz;
    const vx = q.x - ox;
    const vy = q.y - oy;
    const vz = q.z - oz;
    nx += uy * vz - uz * vy;
    ny += uz * vx - ux * vz;
    nz += ux * vy - uy * vx;
  }
  normal.x = nx;
  normal.y = ny;
  normal.z = nz;
}

/** Crossings, as seen along the axis in which the polygon is largest. */
function isInside(p: ReadonlyVec3, points: readonly ReadonlyVec3[]): boolean {
  const ax = Math.abs(normal.x);
  const ay = Math.abs(normal.y);
  const az = Math.abs(normal.z);
  const u = ax >= ay && ax >= az ? 'y' : 'x';
  const v = az >= ax && az >= ay ? 'y' : 'z';
  let inside = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const a = points[j]!;
    const b = points[i]!;
    if (a[v] >= p[v] === b[v] >= p[v]) continue;
    const winding = (b[u] - a[u]) * (p[v] - a[v]) - (b[v] - a[v]) * (p[u] - a[u]);
    if (winding > 0 === b[v] > a[v]) inside = !inside;
  }
  return inside;
}

import { checkObb } from '../../math/check.ts';
import { RAY_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { checkRayUpTo, checkSegment } from '../input.ts';
import type { Hit, ReadonlyObb, ReadonlyRay } from '../types.ts';
import { makeRay } from '../types.ts';
import { rayBetween, report, startInside } from './hit.ts';

const segment = makeRay();
const local = makeRay();
const flat = { enter: 0, exit: 0, normal: vec3() };
const found = { t: 0, normal: vec3() };

/**
 * Where a ray hits a solid ellipsoid, given like a box: `halfSize` are its radii along the axes of `rotation`. With
 * one or more radii of zero it is an ellipse, a segment or a point. Grazing is a matter of rounding. RTCD §5.3.2, in
 * a space where the ellipsoid is the unit sphere; t is the same there.
 */
export function rayEllipsoid(
  ray: ReadonlyRay,
  ellipsoid: ReadonlyObb,
  tMax = Infinity,
  out?: Hit,
): Hit | null {
  checkRayUpTo('rayEllipsoid', ray, tMax);
  checkObb('rayEllipsoid', 'ellipsoid', ellipsoid);
  return rayEllipsoidKernel(ray, ellipsoid, tMax, out);
}

/** Where the segment from p to q hits a solid ellipsoid, with t in [0, 1]. See `rayEllipsoid`. */
export function segmentEllipsoid(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  ellipsoid: ReadonlyObb,
  out?: Hit,
): Hit | null {
  checkSegment('segmentEllipsoid', p, q);
  checkObb('segmentEllipsoid', 'ellipsoid', ellipsoid);
  return rayEllipsoidKernel(rayBetween(p, q, segment), ellipsoid, 1, out);
}

function rayEllipsoidKernel(
  ray: ReadonlyRay,
  { center, halfSize, rotation }: ReadonlyObb,
  tMax: number,
  out: Hit | undefined,
): Hit | null {
  const { origin: o, direction: d } = local;
  const { x: rx, y: ry, z: rz } = halfSize;
  v3.transformTransposed(v3.sub(ray.origin, center, o), rotation, o);
  v3.transformTransposed(ray.direction, rotation, d);
  let enter = -Infinity;
  let exit = Infinity;
  const isFlat = rx === 0 || ry === 0 || rz === 0;
  if (isFlat) {
    if (!clipFlat(halfSize)) return null;
    enter = flat.enter;
    exit = flat.exit;
  }
  // To the space of the unit sphere. An axis without radius has been dealt with: it drops out.
  const ox = rx > 0 ? o.x / rx : 0;
  const oy = ry > 0 ? o.y / ry : 0;
  const oz = rz > 0 ? o.z / rz : 0;
  const dx = rx > 0 ? d.x / rx : 0;
  const dy = ry > 0 ? d.y / ry : 0;
  const dz = rz > 0 ? d.z / rz : 0;
  const { normal } = found;
  const lengthSq = dx * dx + dy * dy + dz * dz;
  if (lengthSq === 0) {
    if (!(ox * ox + oy * oy + oz * oz <= 1)) return null;
  } else {
    // The nearest point, in two steps: the second takes back what the first lost when the origin is far away.
    const first = -(ox * dx + oy * dy + oz * dz) / lengthSq;
    const fx = ox + first * dx;
    const fy = oy + first * dy;
    const fz = oz + first * dz;
    const second = -(fx * dx + fy * dy + fz * dz) / lengthSq;
    const qx = fx + second * dx;
    const qy = fy + second * dy;
    const qz = fz + second * dz;
    const chordSq = 1 - (qx * qx + qy * qy + qz * qz);
    if (!(chordSq >= 0)) return null;
    const half = Math.sqrt(chordSq / lengthSq);
    enter = Math.max(enter, first + second - half);
    exit = Math.min(exit, first + second + half);
    // The gradient of Σ (x / r)² is x / r², and x / r is what we have.
    normal.x = rx > 0 ? (qx - half * dx) / rx : 0;
    normal.y = ry > 0 ? (qy - half * dy) / ry : 0;
    normal.z = rz > 0 ? (qz - half * dz) / rz : 0;
  }
  if (exit < 0 || enter > exit * RAY_SLACK || enter > tMax * RAY_SLACK) return null;
  if (enter <= 0) return startInside(ray, out);
  if (isFlat && flat.enter === enter) v3.copy(flat.normal, normal);
  v3.transform(normal, rotation, normal);
  found.t = Math.min(enter, tMax);
  return report(ray, found, out);
}

/** The time at which the line is in all planes of the axes without radius. */
function clipFlat(radii: ReadonlyVec3): boolean {
  v3.set(0, 0, 0, flat.normal);
  flat.enter = -Infinity;
  flat.exit = Infinity;
  for (const key of ['x', 'y', 'z'] as const) {
    if (radii[key] > 0) continue;
    const position = local.origin[key];
    const speed = local.direction[key];
    if (speed === 0 && position !== 0) return false;
    if (speed === 0) continue;
    const t = -position / speed;
    flat.enter = Math.max(flat.enter, t);
    flat.exit = Math.min(flat.exit, t);
    flat.normal[key] = speed > 0 ? -1 : 1;
  }
  return true;
}

/** A moving sphere against a triangle. RTCD §5.5.6. */

import { checkPoint, checkSphere } from '../../math/check.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { copy, crossAccurate, sub } from '../../math/vec3.ts';
import type { Hit, ReadonlySphere } from '../types.ts';
import { makeHit } from '../types.ts';
import type { Mover } from './mover.ts';
import { copyHit, isFirst, loadMover, makeMover, PAST_THE_END, touchSegment } from './mover.ts';

const mover = makeMover();
const found = makeHit();
const pa = vec3();
const pb = vec3();
const pc = vec3();

/**
 * When and where does a moving sphere first touch the triangle abc, from either side? Null when it does not.
 *
 * A start in touch hits at t = 0, at the point nearest to the centre; a centre in the triangle gets the face normal
 * that opposes the motion. A triangle without area is the segment or point it covers. The time is never late and
 * its error within rounding: see `mover.ts`. RTCD §5.5.6, with all edges and vertices and without its shortcut.
 */
export function sweepSphereTriangle(
  sphere: ReadonlySphere,
  motion: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: Hit,
): Hit | null {
  checkSphere('sweepSphereTriangle', 'sphere', sphere);
  checkPoint('sweepSphereTriangle', 'motion', motion);
  checkPoint('sweepSphereTriangle', 'a', a);
  checkPoint('sweepSphereTriangle', 'b', b);
  checkPoint('sweepSphereTriangle', 'c', c);
  mover.radius = sphere.radius;
  loadMover(sphere.center, motion, mover);
  copy(a, pa);
  copy(b, pb);
  copy(c, pc);
  found.t = PAST_THE_END;
  return touchTriangle(mover, pa, pb, pc, found) === 0 ? null : copyHit(found, out);
}

/** What `touchFace` found: the face, nothing yet (an edge may be touched), or that nothing is touched before the hit. */
export const FACE = 7;
export const BESIDE = 0;
const MISSED = -1;

/**
 * Does the mover touch the triangle abc before `hit.t`? Then the hit is filled, and what was touched returned as a
 * set of vertices: 1 for a, 2 for b, 4 for c, two of them for an edge, 7 for the face; else 0.
 *
 * The grown triangle is a slab over the face and a capsule about each edge: the first of their entries is sought.
 * @internal
 */
export function touchTriangle(
  mover: Mover,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  hit: Hit,
): number {
  const face = touchFace(mover, a, b, c, hit);
  if (face !== BESIDE) return face === FACE ? FACE : 0;
  let touched = touchSegment(mover, a, b, hit);
  const second = touchSegment(mover, b, c, hit);
  if (second !== 0) touched = second << 1;
  const third = touchSegment(mover, a, c, hit);
  if (third !== 0) touched = (third & 1) | ((third & 2) << 1);
  return touched;
}

const u = vec3();
const w = vec3();
const normal = vec3();

/**
 * Does the mover touch the inside of the triangle abc before `hit.t`? When the plane is reached there, no edge is
 * reached earlier; when it is reached elsewhere, edges and vertices are left to be tried; when it is not reached in
 * time, nothing is. A triangle without area has no inside.
 *
 * @param hasFourth asks about the parallelogram with a fourth corner, b + c - a, instead
 * @internal
 */
export function touchFace(
  mover: Mover,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  hit: Hit,
  hasFourth = false,
): number {
  const { vx, vy, vz } = mover;
  const { x: ax, y: ay, z: az } = a;
  const mx = mover.x - ax;
  const my = mover.y - ay;
  const mz = mover.z - az;
  const ux = b.x - ax;
  const uy = b.y - ay;
  const uz = b.z - az;
  const wx = c.x - ax;
  const wy = c.y - ay;
  const wz = c.z - az;
  let nx = uy * wz - uz * wy;
  let ny = uz * wx - ux * wz;
  let nz = ux * wy - uy * wx;
  let nn = nx * nx + ny * ny + nz * nz;
  // A sharp angle at a: the products cancel, and with them the direction of the normal goes.
  if (nn < 0.0625 * (ux * ux + uy * uy + uz * uz) * (wx * wx + wy * wy + wz * wz)) {
    crossAccurate(sub(b, a, u), sub(c, a, w), normal);
    nx = normal.x;
    ny = normal.y;
    nz = normal.z;
    nn = nx * nx + ny * ny + nz * nz;
  }
  if (!(nn > 0)) return BESIDE;
  const length = Math.abs(ux) + Math.abs(uy) + Math.abs(uz);
  const width = Math.abs(wx) + Math.abs(wy) + Math.abs(wz);
  const slack = SWEEP_SLACK * (Math.abs(mx) + Math.abs(my) + Math.abs(mz) + (length + width) + mover.reach);
  const r = mover.radius + slack;
  const inverse = 1 / Math.sqrt(nn);
  nx *= inverse;
  ny *= inverse;
  nz *= inverse;
  const height = mx * nx + my * ny + mz * nz;
  const speed = vx * nx + vy * ny + vz * nz;
  // 1 on the side of the normal, -1 on the other. For a centre in the plane, the side that it comes from.
  const side = (Math.abs(height) > slack ? height > 0 : speed <= 0) ? 1 : -1;
  const above = height * side;
  let t = 0;
  if (above > r) {
    const closingSpeed = -speed * side;
    if (!(closingSpeed > 0)) return MISSED;
    t = (above - r) / closingSpeed;
    if (!(t < hit.t)) return MISSED;
  }
  // The point of the plane below the centre at that time, from a.
  const depth = side * Math.min(above, r);
  const px = mx + t * vx - depth * nx;
  const py = my + t * vy - depth * ny;
  const pz = mz + t * vz - depth * nz;
  // Ahead of each edge line, or behind it by rounding errors only?
  const acrossU = nx * (uy * pz - uz * py) + ny * (uz * px - ux * pz) + nz * (ux * py - uy * px);
  const acrossW = nx * (py * wz - pz * wy) + ny * (pz * wx - px * wz) + nz * (px * wy - py * wx);
  let inside = acrossU >= -slack * length && acrossW >= -slack * width;
  if (hasFourth) {
    const area = nn * inverse;
    inside = inside && acrossU <= area + slack * length && acrossW <= area + slack * width;
  } else {
    const ex = wx - ux;
    const ey = wy - uy;
    const ez = wz - uz;
    const fx = px - ux;
    const fy = py - uy;
    const fz = pz - uz;
    inside =
      inside &&
      nx * (ey * fz - ez * fy) + ny * (ez * fx - ex * fz) + nz * (ex * fy - ey * fx) >=
        -slack * (Math.abs(ex) + Math.abs(ey) + Math.abs(ez));
  }
  if (!inside) return BESIDE;
  // Near the tip of a needle the edge lines run together, far beyond the tip: stay within the box.
  const dx = hasFourth ? ux + wx : 0;
  const dy = hasFourth ? uy + wy : 0;
  const dz = hasFourth ? uz + wz : 0;
  inside =
    px >= Math.min(0, ux, wx, dx) - slack &&
    px <= Math.max(0, ux, wx, dx) + slack &&
    py >= Math.min(0, uy, wy, dy) - slack &&
    py <= Math.max(0, uy, wy, dy) + slack &&
    pz >= Math.min(0, uz, wz, dz) - slack &&
    pz <= Math.max(0, uz, wz, dz) + slack;
  if (!inside) return BESIDE;
  mover.t = t;
  mover.distanceSq = above * above;
  if (!isFirst(mover, hit)) return MISSED;
  hit.point.x = ax + px;
  hit.point.y = ay + py;
  hit.point.z = az + pz;
  hit.normal.x = side * nx;
  hit.normal.y = side * ny;
  hit.normal.z = side * nz;
  return FACE;
}

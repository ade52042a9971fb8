/** A moving sphere against a flat polygon. RTCD §5.5.6. */

import { checkPoint, checkPoints, checkSphere, refuse } from '../../math/check.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { add, copy, crossAccurate, normalize, sub } from '../../math/vec3.ts';
import type { Hit, ReadonlySphere } from '../types.ts';
import { makeHit } from '../types.ts';
import { copyHit, isFirst, loadMover, makeMover, PAST_THE_END, touchSegment } from './mover.ts';

const mover = makeMover();
const found = makeHit();
const pa = vec3();
const pb = vec3();
const u = vec3();
const w = vec3();
const normal = vec3();
/** The foot of the sphere on the plane, from the first vertex. */
const foot = vec3();
const flatness = {
  /** How far the vertices lie from the first. */
  size: 0,
  /** Their heights above the first, along the normal, are `middle` ± `stray`. */
  middle: 0,
  stray: 0,
};

/**
 * When and where does a moving sphere first touch a flat polygon, convex or not, from either side? Null when it does
 * not. The vertices go round once in either direction and edges do not cross; repeated vertices and polygons
 * without area do no harm. As `sweepSphereTriangle` otherwise. RTCD §5.5.6.
 *
 * Where the vertices are not quite in one plane, the face is taken to be as thick as they stray from it.
 */
export function sweepSpherePolygon(
  sphere: ReadonlySphere,
  motion: ReadonlyVec3,
  vertices: readonly ReadonlyVec3[],
  out?: Hit,
): Hit | null {
  checkSphere('sweepSpherePolygon', 'sphere', sphere);
  checkPoint('sweepSpherePolygon', 'motion', motion);
  checkPoints('sweepSpherePolygon', 'vertices', vertices);
  if (vertices.length === 0) refuse('sweepSpherePolygon', 'vertices', 'must not be empty');
  mover.radius = sphere.radius;
  loadMover(sphere.center, motion, mover);
  found.t = PAST_THE_END;
  if (touchFace(vertices)) return copyHit(found, out);
  copy(vertices[vertices.length - 1]!, pa);
  for (let i = 0; i < vertices.length; i++) {
    copy(vertices[i]!, pb);
    touchSegment(mover, pa, pb, found);
    copy(pb, pa);
  }
  return found.t === PAST_THE_END ? null : copyHit(found, out);
}

/** Does the mover meet the plane inside the polygon? As the face part of `touchTriangle`. */
function touchFace(vertices: readonly ReadonlyVec3[]): boolean {
  const { x: ax, y: ay, z: az } = vertices[0]!;
  measurePlane(vertices);
  const { size, middle, stray } = flatness;
  if (normal.x === 0 && normal.y === 0 && normal.z === 0) return false;
  const { x: nx, y: ny, z: nz } = normal;
  const { vx, vy, vz } = mover;
  const mx = mover.x - ax;
  const my = mover.y - ay;
  const mz = mover.z - az;
  const slack = SWEEP_SLACK * (Math.abs(mx) + Math.abs(my) + Math.abs(mz) + 2 * size + mover.reach);
  mover.slack = slack;
  const r = mover.radius + slack + stray;
  const height = mx * nx + my * ny + mz * nz - middle;
  const speed = vx * nx + vy * ny + vz * nz;
  const side = (Math.abs(height) > slack ? height > 0 : speed <= 0) ? 1 : -1;
  const above = height * side;
  let t = 0;
  if (above > r) {
    t = (above - r) / (-speed * side);
    if (!(t >= 0 && t < found.t)) return false;
  }
  const depth = side * Math.min(above, r);
  foot.x = mx + t * vx - depth * nx;
  foot.y = my + t * vy - depth * ny;
  foot.z = mz + t * vz - depth * nz;
  mover.t = t;
  mover.distanceSq = above * above;
  if (!containsFoot(vertices) || !isFirst(mover, found)) return false;
  found.point.x = ax + foot.x;
  found.point.y = ay + foot.y;
  found.point.z = az + foot.z;
  found.normal.x = side * nx;
  found.normal.y = side * ny;
  found.normal.z = side * nz;
  return true;
}

/** The unit normal (zero for a polygon without area): the area vector, summed over the fan about the first vertex. */
function measurePlane(vertices: readonly ReadonlyVec3[]): void {
  const origin = vertices[0]!;
  normal.x = 0;
  normal.y = 0;
  normal.z = 0;
  for (let i = 2; i < vertices.length; i++) {
    sub(vertices[i - 1]!, origin, u);
    sub(vertices[i]!, origin, w);
    add(crossAccurate(u, w, u), normal, normal);
  }
  normalize(normal, normal);
  let size = 0;
  let low = 0;
  let high = 0;
  for (let i = 1; i < vertices.length; i++) {
    sub(vertices[i]!, origin, u);
    const height = u.x * normal.x + u.y * normal.y + u.z * normal.z;
    size = Math.max(size, Math.abs(u.x) + Math.abs(u.y) + Math.abs(u.z));
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  flatness.size = size;
  flatness.middle = 0.5 * (low + high);
  flatness.stray = 0.5 * (high - low);
}

/**
 * Is the foot in the polygon, or within rounding (and stray) of an edge? Farther from the edges rounding cannot spoil the count of
 * crossings, which is made in the coordinate plane that sees most of the polygon.
 */
function containsFoot(vertices: readonly ReadonlyVec3[]): boolean {
  const slack = mover.slack + flatness.stray;
  const { x: px, y: py, z: pz } = foot;
  const origin = vertices[0]!;
  const nx = Math.abs(normal.x);
  const ny = Math.abs(normal.y);
  const nz = Math.abs(normal.z);
  const dropX = nx >= ny && nx >= nz;
  const dropZ = !dropX && nz >= ny;
  let inside = false;
  sub(vertices[vertices.length - 1]!, origin, u);
  for (let i = 0; i < vertices.length; i++) {
    sub(vertices[i]!, origin, w);
    const ex = w.x - u.x;
    const ey = w.y - u.y;
    const ez = w.z - u.z;
    const fx = px - u.x;
    const fy = py - u.y;
    const fz = pz - u.z;
    const ee = ex * ex + ey * ey + ez * ez;
    const fe = fx * ex + fy * ey + fz * ez;
    const s = fe <= 0 ? 0 : fe >= ee ? 1 : fe / ee;
    const dx = fx - s * ex;
    const dy = fy - s * ey;
    const dz = fz - s * ez;
    if (dx * dx + dy * dy + dz * dz <= slack * slack) return true;
    // Does a line from the foot to the right cross the edge? Its ends are on both sides, and it passes on the right.
    const up = dropZ ? ey : ez;
    const footUp = dropZ ? fy : fz;
    const right = dropX ? ey : ex;
    const footRight = dropX ? fy : fx;
    if (footUp < 0 !== footUp - up < 0 && footUp * right > footRight * up === up > 0) inside = !inside;
    copy(w, u);
  }
  return inside;
}

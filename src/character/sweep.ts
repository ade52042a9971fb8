/**
 * A character's shape moved straight through everything nearby: when does it first come too near to something? In the frame
 * of the character, unscaled.
 */
import { CAST_REACH, SWEEP_SLACK } from '../math/tolerance.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { touchPrism } from '../primitives/sweep/capsule.ts';
import { loadMover, makeMover } from '../primitives/sweep/mover.ts';
import { touchTriangle as touchBySphere } from '../primitives/sweep/sphere-triangle.ts';
import { makeHit } from '../primitives/types.ts';
import { castMotions, RESTING } from '../query/cast-motions.ts';
import { separationWithin } from '../query/distance.ts';
import { makeCastHit, makeSeparation } from '../shapes/results.ts';
import { type ConvexShape, type FieldShape, isConvexShape } from '../shapes/shape.ts';
import { touchBoxTriangle } from './box-triangle.ts';
import type { Nearby } from './nearby.ts';
import { BOX, MovingShape, Reach, type SweptShape, Touch } from './swept-shape.ts';

/** No hit. */
export const NEVER = 2;
/** Of the length of a motion: what comes nearer by less does not come nearer. */
const GRAZE = 1e-10;
/** The square of the height of a normal: of what is steeper, the plane says all that can be seen from above. */
const STEEP = 1 / 16;
/** The square of the cosine between normals that may be taken for one: 1e-4 radians apart. */
const SAME = 1 - 1e-8;

/** A straight motion, and what is hit on it. */
export class Sweep {
  /** Where the centre starts, and the motion. */
  x = 0.5;
  y = 0.5;
  z = 0.5;
  mx = 0.5;
  my = 0.5;
  mz = 0.5;
  /** The time of the hit; `NEVER` for none. */
  t = 0.5;
  /** Its normal. */
  nx = 0.5;
  ny = 0.5;
  nz = 0.5;
  /** The part of the motion that keeps the whole gap to what is hit; 1 if nothing is. */
  free = 0.5;
  /** How far along the normal the centre must stay off where it is at time t, so that the gap is whole. */
  backOff = 0.5;
  /** The collider and the triangle in it. */
  id = -1;
  triangle = -1;
  /** How far into the gap, less the tolerance, the deepest contact at the start is, and the direction out. */
  depth = 0.5;
  ox = 0.5;
  oy = 0.5;
  oz = 0.5;

  /** The shape as it is swept, in scaled space. */
  private readonly moving = new MovingShape();
  /** Both bodies, the motion and the results of a cast. Supports are user code: each sweep has its own. */
  private readonly self = {
    shape: null as unknown as ConvexShape,
    pose: { position: vec3(0.5, 0.5, 0.5), quaternion: { x: 0, y: 0, z: 0, w: 1 } },
  };
  private readonly motion = { translation: vec3(0.5, 0.5, 0.5) };
  private readonly castHit = makeCastHit();
  private readonly separation = makeSeparation();

  /**
   * The first thing that the shape comes nearer to than its gap, less the tolerance. What is as near at the start is hit at
   * once by a motion towards it and ignored by others.
   */
  run(nearby: Nearby): void {
    this.sweepTriangles(nearby);
    if (nearby.halfSpaceCount > 0) this.sweepHalfSpaces(nearby);
    if (nearby.convexCount > 0) this.sweepConvexes(nearby);
    const { t, mx, my, mz } = this;
    this.free = 1;
    if (t === NEVER) return;
    const speed = -(this.nx * mx + this.ny * my + this.nz * mz);
    const part = speed > 0 ? t - this.backOff / speed : 0;
    // Less than rounding is nothing: who stands still stands still to the last bit.
    const length = Math.abs(mx) + Math.abs(my) + Math.abs(mz);
    this.free = part * length > 1e-13 * nearby.swept.least ? part : 0;
  }

  private sweepTriangles(nearby: Nearby): void {
    const { swept, boxes, planes, ids, count, ignoredId } = nearby;
    const { moving } = this;
    const { sx, sy, sz, tolerance } = swept;
    const vx = this.mx * sx;
    const vy = this.my * sy;
    const vz = this.mz * sz;
    moving.x = this.x * sx;
    moving.y = this.y * sy;
    moving.z = this.z * sz;
    moving.vx = vx;
    moving.vy = vy;
    moving.vz = vz;
    moving.setSize(swept);
    start(moving);
    const graze = -GRAZE * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz));
    const { x, y, z, hx, hy, hz } = moving;
    // What is swept up to the first hit so far.
    let x0 = x + Math.min(vx, 0) - hx;
    let y0 = y + Math.min(vy, 0) - hy;
    let z0 = z + Math.min(vz, 0) - hz;
    let x1 = x + Math.max(vx, 0) + hx;
    let y1 = y + Math.max(vy, 0) + hy;
    let z1 = z + Math.max(vz, 0) + hz;
    let until = 1;
    best.t = NEVER;
    best.depth = -1;
    let found = -1;
    this.depth = 0;
    for (let i = 0; i < count; i++) {
      const six = 6 * i;
      const apart =
        +(boxes[six]! > x1) |
        +(boxes[six + 1]! > y1) |
        +(boxes[six + 2]! > z1) |
        +(boxes[six + 3]! < x0) |
        +(boxes[six + 4]! < y0) |
        +(boxes[six + 5]! < z0);
      if (apart !== 0 || ids[i] === ignoredId) continue;
      const four = 4 * i;
      const nx = planes[four]!;
      const ny = planes[four + 1]!;
      const nz = planes[four + 2]!;
      const h0 = nx * x + ny * y + nz * z - planes[four + 3]!;
      const h1 = h0 + until * (nx * vx + ny * vy + nz * vz);
      moving.findReach(planes, four);
      const { reach } = moving;
      if ((h0 > reach && h1 > reach) || (h0 < -reach && h1 < -reach)) continue;
      moving.until = until;
      if (ny * ny > STEEP && moving.kind !== BOX && isBeside(moving, nearby.corners, 9 * i)) continue;
      if (moving.kind !== BOX && isApart(moving, nearby.corners, 9 * i)) continue;
      touch.t = best.t === NEVER ? 1 + Number.EPSILON : best.t;
      if (!touchTriangle(moving, nearby, i, touch)) continue;
      if (touch.t === 0) {
        this.noteDepth(swept);
        if (!(touch.nx * vx + touch.ny * vy + touch.nz * vz < graze)) continue;
        if (best.t === 0 && !(touch.depth > best.depth)) continue;
      }
      const { t } = touch;
      best.t = t;
      best.nx = touch.nx;
      best.ny = touch.ny;
      best.nz = touch.nz;
      best.depth = touch.depth;
      found = i;
      until = t;
      x0 = x + Math.min(t * vx, 0) - hx;
      y0 = y + Math.min(t * vy, 0) - hy;
      z0 = z + Math.min(t * vz, 0) - hz;
      x1 = x + Math.max(t * vx, 0) + hx;
      y1 = y + Math.max(t * vy, 0) + hy;
      z1 = z + Math.max(t * vz, 0) + hz;
    }
    this.t = best.t;
    if (found < 0) return;
    // At a seam of flat ground the edge of the one triangle is touched as early as the face of the other, but for
    // rounding, with a normal that is off by the root of it. Its plane is as good, if all of the shape is in front of it.
    const four = 4 * found;
    const px = planes[four]!;
    const py = planes[four + 1]!;
    const pz = planes[four + 2]!;
    const along = best.nx * px + best.ny * py + best.nz * pz;
    if (along * along > SAME) {
      const side = along < 0 ? -1 : 1;
      const { t } = best;
      const height = px * (x + t * vx) + py * (y + t * vy) + pz * (z + t * vz) - planes[four + 3]!;
      const enters = side * (px * vx + py * vy + pz * vz) < graze;
      moving.findReach(planes, four);
      if (enters && side * height > moving.reach - 0.1 * tolerance - best.depth) {
        best.nx = side * px;
        best.ny = side * py;
        best.nz = side * pz;
      }
    }
    const nx = best.nx * sx;
    const ny = best.ny * sy;
    const nz = best.nz * sz;
    const k = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
    normal.x = nx * k;
    normal.y = ny * k;
    normal.z = nz * k;
    this.setHit(normal, ids[found]!, nearby.triangles[found]!);
    // A box keeps its gap along each axis: along others it is longer.
    this.backOff =
      tolerance * (swept.kind === BOX ? Math.abs(best.nx) + Math.abs(best.ny) + Math.abs(best.nz) : k);
  }

  private setHit({ x, y, z }: ReadonlyVec3, id: number, triangle: number): void {
    this.nx = x;
    this.ny = y;
    this.nz = z;
    this.id = id;
    this.triangle = triangle;
  }

  private setOut({ x, y, z }: ReadonlyVec3): void {
    this.ox = x;
    this.oy = y;
    this.oz = z;
  }

  /** Takes note of a contact at the start if it is the deepest, in the world. */
  private noteDepth({ sx, sy, sz }: SweptShape): void {
    const nx = touch.nx * sx;
    const ny = touch.ny * sy;
    const nz = touch.nz * sz;
    const k = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(touch.depth * k > this.depth)) return;
    this.depth = touch.depth * k;
    normal.x = nx * k;
    normal.y = ny * k;
    normal.z = nz * k;
    this.setOut(normal);
  }

  private sweepHalfSpaces({ swept, halfSpaces, halfSpaceCount, halfSpaceIds, ignoredId }: Nearby): void {
    const { x, y, z, mx, my, mz } = this;
    const graze = -GRAZE * (Math.abs(mx) + Math.abs(my) + Math.abs(mz));
    for (let i = 0; i < halfSpaceCount; i++) {
      if (halfSpaceIds[i] === ignoredId) continue;
      const nx = halfSpaces[4 * i]!;
      const ny = halfSpaces[4 * i + 1]!;
      const nz = halfSpaces[4 * i + 2]!;
      reach.x = nx;
      reach.y = ny;
      reach.z = nz;
      swept.findReach(reach);
      const height = nx * x + ny * y + nz * z - halfSpaces[4 * i + 3]! - reach.swept;
      const speed = nx * mx + ny * my + nz * mz;
      if (-height > this.depth) {
        this.depth = -height;
        this.setOut(reach);
      }
      if (!(speed < graze)) continue;
      const t = height > 0 ? height / -speed : 0;
      if (!(t <= 1 && t < this.t)) continue;
      this.t = t;
      this.setHit(reach, halfSpaceIds[i]!, -1);
      this.backOff = reach.withGap - reach.swept;
    }
  }

  private sweepConvexes({ swept, convexes, convexCount, ignoredId }: Nearby): void {
    const { self, motion, castHit, separation, mx, my, mz } = this;
    const { position } = self.pose;
    const { translation } = motion;
    self.shape = swept.toConvex();
    position.x = this.x;
    position.y = this.y;
    position.z = this.z;
    translation.x = mx;
    translation.y = my;
    translation.z = mz;
    const length = Math.sqrt(mx * mx + my * my + mz * mz);
    for (let i = 0; i < convexCount; i++) {
      const convex = convexes[i]!;
      if (convex.id === ignoredId) continue;
      const near = CAST_REACH * (reachOf(convex.shape) + swept.hx + swept.hy + swept.hz);
      if (!separationWithin(self, convex, length + near, separation)) continue;
      const { x: ax, y: ay, z: az } = separation.normal;
      if (-separation.separation > this.depth) {
        this.depth = -separation.separation;
        this.setOut(separation.normal);
      }
      if (separation.separation <= near) {
        // Convex both: who does not come nearer at first never does. Casts would take it for a touch.
        if (!(ax * mx + ay * my + az * mz < -1e-9 * length)) continue;
        castHit.t = 0;
        v3.copy(separation.normal, castHit.normal);
      } else if (!castMotions(self, motion, convex, RESTING, castHit)) continue;
      if (!(castHit.t < this.t)) continue;
      this.t = castHit.t;
      this.setHit(castHit.normal, convex.id, -1);
      this.backOff = 0;
    }
  }
}

/** How far a shape goes from its origin, at most. */
function reachOf(shape: ConvexShape | FieldShape): number {
  if (isConvexShape(shape)) return shape.core.reach;
  const { min, max } = shape.bounds;
  return Math.max(-min.x, max.x) + Math.max(-min.y, max.y) + Math.max(-min.z, max.z);
}

const normal = vec3(0.5, 0.5, 0.5);
const touch = new Touch();
const best = new Touch();
const reach = new Reach();
const sphere = makeMover();
const hit = makeHit();
const center = vec3(0.5, 0.5, 0.5);
const motion = vec3(0.5, 0.5, 0.5);
const axis = vec3(0.5, 0.5, 0.5);
const a = vec3(0.5, 0.5, 0.5);
const b = vec3(0.5, 0.5, 0.5);
const c = vec3(0.5, 0.5, 0.5);

/** Readies the sphere for the kernels: that of an ellipsoid, or the one at the lower end of a capsule. */
function start({ x, y, z, vx, vy, vz, radius, half }: MovingShape): void {
  center.x = x;
  center.y = y - half;
  center.z = z;
  motion.x = vx;
  motion.y = vy;
  motion.z = vz;
  axis.x = axis.z = 0;
  axis.y = 2 * half;
  sphere.radius = radius;
  loadMover(center, motion, sphere);
}

/**
 * Does a moving shape touch triangle i before `out.t`? Then `out` is filled.
 *
 * A start in touch is reported at t = 0 with the normal along which the distance grows, and how far the shape must go along
 * it to be free. Distances between convex things are convex along a line: who moves along the normal, not against it, never
 * comes nearer. The caller ignores such contacts.
 */
function touchTriangle(moving: MovingShape, nearby: Nearby, i: number, out: Touch): boolean {
  if (moving.kind === BOX) return touchBoxTriangle(moving, nearby, i, out);
  const { corners, planes, boxes } = nearby;
  const at = 9 * i;
  a.x = corners[at]!;
  a.y = corners[at + 1]!;
  a.z = corners[at + 2]!;
  b.x = corners[at + 3]!;
  b.y = corners[at + 4]!;
  b.z = corners[at + 5]!;
  c.x = corners[at + 6]!;
  c.y = corners[at + 7]!;
  c.z = corners[at + 8]!;
  const { half, vy } = moving;
  const highest = boxes[6 * i + 4]!;
  let touched = 0;
  let isDone = false;
  if (half === 0 || highest <= center.y) {
    sphere.restSq = Infinity;
    hit.t = out.t;
    touched = touchBySphere(sphere, a, b, c, hit);
    // As long as a triangle is below the lower end of a capsule, the ball there is what is nearest to it.
    isDone = half === 0 || highest <= center.y + Math.min(0, touched === 0 ? vy : hit.t * vy);
  }
  if (!isDone) {
    const nx = planes[4 * i]!;
    const ny = planes[4 * i + 1]!;
    const nz = planes[4 * i + 2]!;
    const height = nx * moving.x + ny * moving.y + nz * moving.z - planes[4 * i + 3]!;
    const thick = half * Math.abs(ny);
    if (height * height < thick * thick && isAbove(moving)) {
      // The segment of the capsule goes through the triangle: out along its normal, on the side where more of it is.
      const side = height >= 0 ? 1 : -1;
      out.t = 0;
      out.nx = side * nx;
      out.ny = side * ny;
      out.nz = side * nz;
      out.depth = moving.radius + (thick - side * height);
      return true;
    }
    sphere.restSq = Infinity;
    hit.t = out.t;
    touched = touchPrism(sphere, axis, a, b, c, hit);
  }
  if (touched === 0) return false;
  out.t = hit.t;
  out.nx = hit.normal.x;
  out.ny = hit.normal.y;
  out.nz = hit.normal.z;
  out.depth = hit.t === 0 ? moving.radius - Math.sqrt(sphere.restSq) : 0;
  return true;
}

/**
 * Does an upright round shape, seen from above, pass beside the triangle: past the same side of it all the time, by more than
 * its radius? Of what is near, half is left out by that. It errs to no.
 */
function isBeside({ x, z, vx, vz, radius, until }: MovingShape, corners: Float64Array, at: number): boolean {
  const ax = corners[at]! - x;
  const az = corners[at + 2]! - z;
  const bx = corners[at + 3]! - x;
  const bz = corners[at + 5]! - z;
  const cx = corners[at + 6]! - x;
  const cz = corners[at + 8]! - z;
  const mx = until * vx;
  const mz = until * vz;
  const ux = bx - ax;
  const uz = bz - az;
  const wx = cx - ax;
  const wz = cz - az;
  const ex = cx - bx;
  const ez = cz - bz;
  const side = ux * wz - uz * wx >= 0 ? 1 : -1;
  // Twice the areas with the centre, at the start and at the end: negative beyond a side.
  const ab = side * (ax * bz - az * bx);
  const bc = side * (bx * cz - bz * cx);
  const ca = side * (cx * az - cz * ax);
  const far =
    Math.abs(ax) +
    Math.abs(az) +
    Math.abs(bx) +
    Math.abs(bz) +
    Math.abs(cx) +
    Math.abs(cz) +
    Math.abs(mx) +
    Math.abs(mz);
  const r = radius + SWEEP_SLACK * far;
  const rr = r * r;
  const pastAb = Math.max(ab, ab + side * (ux * mz - uz * mx));
  const pastBc = Math.max(bc, bc + side * (ex * mz - ez * mx));
  const pastCa = Math.max(ca, ca - side * (wx * mz - wz * mx));
  return (
    (pastAb < 0 && pastAb * pastAb > rr * (ux * ux + uz * uz)) ||
    (pastBc < 0 && pastBc * pastBc > rr * (ex * ex + ez * ez)) ||
    (pastCa < 0 && pastCa * pastCa > rr * (wx * wx + wz * wz))
  );
}

/**
 * Is an upright round shape apart from the triangle all the time, along the way from where its leading end gets to the edge
 * or corner that is nearest there? Of what is near and not touched, seven in eight are left out by that. It errs to no.
 */
function isApart(
  { x, y, z, vx, vy, vz, radius, half, until }: MovingShape,
  corners: Float64Array,
  at: number,
): boolean {
  const mx = until * vx;
  const my = until * vy;
  const mz = until * vz;
  const end = vy > 0 ? half : -half;
  // All seen from there.
  const px = x + mx;
  const py = y + end + my;
  const pz = z + mz;
  const ax = corners[at]! - px;
  const ay = corners[at + 1]! - py;
  const az = corners[at + 2]! - pz;
  const bx = corners[at + 3]! - px;
  const by = corners[at + 4]! - py;
  const bz = corners[at + 5]! - pz;
  const cx = corners[at + 6]! - px;
  const cy = corners[at + 7]! - py;
  const cz = corners[at + 8]! - pz;
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const wx = cx - ax;
  const wy = cy - ay;
  const wz = cz - az;
  // RTCD §5.1.5, but for the face: its plane was asked before.
  const ua = -(ux * ax + uy * ay + uz * az);
  const wa = -(wx * ax + wy * ay + wz * az);
  const ub = -(ux * bx + uy * by + uz * bz);
  const wb = -(wx * bx + wy * by + wz * bz);
  const uc = -(ux * cx + uy * cy + uz * cz);
  const wc = -(wx * cx + wy * cy + wz * cz);
  let qx = ax;
  let qy = ay;
  let qz = az;
  if (ua > 0 || wa > 0) {
    if (ub >= 0 && wb <= ub) {
      qx = bx;
      qy = by;
      qz = bz;
    } else if (wc >= 0 && uc <= wc) {
      qx = cx;
      qy = cy;
      qz = cz;
    } else if (ua * wb - ub * wa <= 0 && ua >= 0 && ub <= 0) {
      const s = ua / (ua - ub);
      qx += s * ux;
      qy += s * uy;
      qz += s * uz;
    } else if (uc * wa - ua * wc <= 0 && wa >= 0 && wc <= 0) {
      const s = wa / (wa - wc);
      qx += s * wx;
      qy += s * wy;
      qz += s * wz;
    } else if (ub * wc - uc * wb <= 0) {
      const s = (wb - ub) / (wb - ub + (uc - wc));
      qx = bx + s * (cx - bx);
      qy = by + s * (cy - by);
      qz = bz + s * (cz - bz);
    } else return false;
  }
  const ahead = Math.min(
    qx * ax + qy * ay + qz * az,
    qx * bx + qy * by + qz * bz,
    qx * cx + qy * cy + qz * cz,
  );
  const own = Math.max(0, -2 * end * qy) + Math.max(0, -(qx * mx + qy * my + qz * mz));
  const far =
    Math.abs(ax) +
    Math.abs(ay) +
    Math.abs(az) +
    Math.abs(bx) +
    Math.abs(by) +
    Math.abs(bz) +
    (Math.abs(cx) + Math.abs(cy) + Math.abs(cz)) +
    (Math.abs(mx) + Math.abs(my) + Math.abs(mz)) +
    (radius + half);
  const r = radius + 4 * SWEEP_SLACK * far;
  const apart = ahead - own;
  return apart > 0 && apart * apart > r * r * (qx * qx + qy * qy + qz * qz);
}

/** Does the vertical line through the centre go through the triangle? */
function isAbove({ x, z }: MovingShape): boolean {
  const ab = (b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x);
  const bc = (c.x - b.x) * (z - b.z) - (c.z - b.z) * (x - b.x);
  const ca = (a.x - c.x) * (z - c.z) - (a.z - c.z) * (x - c.x);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

// biome-ignore-all lint/complexity/useMathMinMax: Math.min and Math.max look for NaN and -0, and take a tenth longer
/** A capsule on its way to a mesh: by the closed form, for the triangles that no plane parts from it. */
import { turnToFirst } from '../../convex/frame.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { sweepCapsuleTriangle } from '../../primitives/sweep/capsule.ts';
import { makeHit } from '../../primitives/types.ts';
import { loadTriangle, makeCorners } from '../../shapes/mesh/corners.ts';
import { copyPoint } from '../placed.ts';
import { inMeshMotion, raiseHeight } from './surface-slabs.ts';
import { Visitor } from './surface-visitor.ts';

const normal = vec3();

/** Rounding of a height, relative to all lengths: normals are differences of products, heights sums of those. */
const PARTED_ROOM = 64 * EPS64;

/** Capsules have a closed form. All in the space of the mesh. */
export class CapsuleVisitor extends Visitor {
  readonly capsule = { a: vec3(), b: vec3(), radius: 0.5 };
  readonly motion = inMeshMotion;
  /** The same, to the shape. */
  ownMotion: ReadonlyVec3 = vec3();
  readonly corners = makeCorners();
  readonly one = makeHit();
  readonly hit = makeHit();
  place = -1;

  /**
   * Is there a plane between the triangle and the capsule on its way up to the time `bound`: along an edge and the motion,
   * or parallel to the triangle? The normals need not be exact: a plane is one whichever way it was found.
   */
  private isParted(): boolean {
    const { a: p, b: q, c: r } = this.corners;
    const { a, b, radius } = this.capsule;
    const { x: vx, y: vy, z: vz } = this.motion;
    const { bound } = this;
    // Seen from the end a.
    const { x: ox, y: oy, z: oz } = a;
    const hx = b.x - ox;
    const hy = b.y - oy;
    const hz = b.z - oz;
    const px = p.x - ox;
    const py = p.y - oy;
    const pz = p.z - oz;
    const qx = q.x - ox;
    const qy = q.y - oy;
    const qz = q.z - oz;
    const rx = r.x - ox;
    const ry = r.y - oy;
    const rz = r.z - oz;
    const dx = qx - px;
    const dy = qy - py;
    const dz = qz - pz;
    const ex = rx - px;
    const ey = ry - py;
    const ez = rz - pz;
    const fx = ex - dx;
    const fy = ey - dy;
    const fz = ez - dz;
    const size =
      Math.abs(px) +
      Math.abs(py) +
      Math.abs(pz) +
      (Math.abs(dx) + Math.abs(dy) + Math.abs(dz)) +
      (Math.abs(ex) + Math.abs(ey) + Math.abs(ez)) +
      (Math.abs(hx) + Math.abs(hy) + Math.abs(hz)) +
      (Math.abs(vx) + Math.abs(vy) + Math.abs(vz)) +
      radius;
    const reach = radius + PARTED_ROOM * size;
    // Across each edge and the motion: the motion does not change the height.
    let nx = dy * vz - dz * vy;
    let ny = dz * vx - dx * vz;
    let nz = dx * vy - dy * vx;
    let room = reach * Math.sqrt(nx * nx + ny * ny + nz * nz);
    let on = px * nx + py * ny + pz * nz;
    let other = rx * nx + ry * ny + rz * nz;
    let end = hx * nx + hy * ny + hz * nz;
    let low = end < 0 ? end : 0;
    let high = end < 0 ? 0 : end;
    if ((on > other ? other : on) > high + room || (on > other ? on : other) < low - room) return true;
    nx = ey * vz - ez * vy;
    ny = ez * vx - ex * vz;
    nz = ex * vy - ey * vx;
    room = reach * Math.sqrt(nx * nx + ny * ny + nz * nz);
    on = px * nx + py * ny + pz * nz;
    other = qx * nx + qy * ny + qz * nz;
    end = hx * nx + hy * ny + hz * nz;
    low = end < 0 ? end : 0;
    high = end < 0 ? 0 : end;
    if ((on > other ? other : on) > high + room || (on > other ? on : other) < low - room) return true;
    nx = fy * vz - fz * vy;
    ny = fz * vx - fx * vz;
    nz = fx * vy - fy * vx;
    room = reach * Math.sqrt(nx * nx + ny * ny + nz * nz);
    on = qx * nx + qy * ny + qz * nz;
    other = px * nx + py * ny + pz * nz;
    end = hx * nx + hy * ny + hz * nz;
    low = end < 0 ? end : 0;
    high = end < 0 ? 0 : end;
    if ((on > other ? other : on) > high + room || (on > other ? on : other) < low - room) return true;
    // The plane of the triangle: all of it is at one height, the capsule comes nearer with time.
    nx = dy * ez - dz * ey;
    ny = dz * ex - dx * ez;
    nz = dx * ey - dy * ex;
    room = reach * Math.sqrt(nx * nx + ny * ny + nz * nz);
    on = px * nx + py * ny + pz * nz;
    end = hx * nx + hy * ny + hz * nz;
    low = end < 0 ? end : 0;
    high = end < 0 ? 0 : end;
    const rise = bound * (vx * nx + vy * ny + vz * nz);
    if (rise < 0) low += rise;
    else high += rise;
    return on > high + room || on < low - room;
  }

  visit(place: number): void {
    const { corners, one, hit, capsule, motion } = this;
    loadTriangle(this.mesh!, place, corners);
    if (this.isParted()) return;
    if (this.place >= 0) {
      this.triangle.load(this.mesh!, place, this.frame);
      if (this.isPartedUntil(this.ownMotion)) return;
    }
    const { a, b, c } = corners;
    if (sweepCapsuleTriangle(capsule, motion, a, b, c, one) === null || !(one.t < this.bound)) return;
    hit.t = one.t;
    copyPoint(one.point, hit.point);
    copyPoint(one.normal, hit.normal);
    this.bound = one.t;
    this.place = place;
    turnToFirst(this.frame, one.normal, normal);
    raiseHeight(this.shape!.core, this.frame, this.ownMotion, normal, one);
  }
}

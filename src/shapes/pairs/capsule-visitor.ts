// biome-ignore-all lint/complexity/useMathMinMax: Math.min and Math.max look for NaN and -0, and take a tenth longer
/** A capsule that moves to a mesh: by the closed form, for the triangles that no plane separates from it. */
import type { ConvexCore } from '../../convex/core.ts';
import { directionToFirst, type Frame, makeFrame } from '../../convex/frame.ts';
import { EPS64 } from '../../math/float.ts';
import { type ReadonlyVec3, vec3 } from '../../math/types.ts';
import { closestPointSegment } from '../../primitives/closest/linear.ts';
import { closestPointTriangle } from '../../primitives/closest/triangle.ts';
import { touchTriangleByCapsule } from '../../primitives/sweep/capsule.ts';
import { makeHit } from '../../primitives/types.ts';
import { loadTriangle, type Mesh, makeCorners } from '../../trimesh/mesh.ts';
import type { TriangleVisitor } from '../../trimesh/visit-triangles.ts';
import { copyPoint } from '../body-space.ts';
import type { ConvexInMesh } from './convex-in-mesh.ts';

/**
 * Rounding of a height, relative to all lengths: normals are differences of products, heights sums of those. The products
 * count, not their difference: across an edge that is nearly parallel to the motion, or a triangle that is nearly a line,
 * heights along the normal vary by as much where they ought to be the same.
 */
const SEPARATED_SLACK = 64 * EPS64;

/** Capsules have a closed form. All in the space of the mesh. */
export class CapsuleVisitor implements TriangleVisitor {
  bound = 0.5;
  readonly capsule = { a: vec3(), b: vec3(), radius: 0.5 };
  readonly hit = makeHit();
  /** The slot of the triangle that is touched first, or -1. */
  slot = -1;
  private mesh: Mesh | null = null;
  private core: ConvexCore | null = null;
  private frame: Frame = makeFrame();
  private readonly corners = makeCorners();
  private readonly one = makeHit();
  /** As the shape sees it. */
  private ownMotion: ReadonlyVec3 = vec3();
  private readonly around: ConvexInMesh;
  private readonly motion: ReadonlyVec3;
  private reach = 0.5;
  private readonly from = vec3();
  private readonly to = vec3();
  private readonly foot = vec3();

  constructor(around: ConvexInMesh) {
    this.around = around;
    this.motion = around.motion;
  }

  /** `core` and `motion` are those of the capsule as a shape, which sees the mesh at `frame`. */
  start(core: ConvexCore, motion: ReadonlyVec3, mesh: Mesh, frame: Frame, maxT: number): this {
    this.core = core;
    this.ownMotion = motion;
    this.mesh = mesh;
    this.frame = frame;
    this.bound = maxT;
    this.slot = -1;
    return this;
  }

  /**
   * Is there a plane between the triangle and the moving capsule up to the time `bound`: along an edge and the motion,
   * or parallel to the triangle? The normals need not be exact: a separating plane is one however it was found.
   */
  private isSeparated(): boolean {
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
    const sizeD = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
    const sizeE = Math.abs(ex) + Math.abs(ey) + Math.abs(ez);
    const sizeV = Math.abs(vx) + Math.abs(vy) + Math.abs(vz);
    const size =
      Math.abs(px) +
      Math.abs(py) +
      Math.abs(pz) +
      (sizeD + sizeE) +
      (Math.abs(hx) + Math.abs(hy) + Math.abs(hz)) +
      sizeV +
      radius;
    const rounding = SEPARATED_SLACK * size;
    this.reach = radius + rounding;
    // Across each edge and the motion: the motion does not change the height.
    let nx = dy * vz - dz * vy;
    let ny = dz * vx - dx * vz;
    let nz = dx * vy - dy * vx;
    let slack = radius * Math.sqrt(nx * nx + ny * ny + nz * nz) + rounding * sizeD * sizeV;
    let on = px * nx + py * ny + pz * nz;
    let other = rx * nx + ry * ny + rz * nz;
    let end = hx * nx + hy * ny + hz * nz;
    let low = end < 0 ? end : 0;
    let high = end < 0 ? 0 : end;
    if ((on > other ? other : on) > high + slack || (on > other ? on : other) < low - slack) return true;
    nx = ey * vz - ez * vy;
    ny = ez * vx - ex * vz;
    nz = ex * vy - ey * vx;
    slack = radius * Math.sqrt(nx * nx + ny * ny + nz * nz) + rounding * sizeE * sizeV;
    on = px * nx + py * ny + pz * nz;
    other = qx * nx + qy * ny + qz * nz;
    end = hx * nx + hy * ny + hz * nz;
    low = end < 0 ? end : 0;
    high = end < 0 ? 0 : end;
    if ((on > other ? other : on) > high + slack || (on > other ? on : other) < low - slack) return true;
    nx = fy * vz - fz * vy;
    ny = fz * vx - fx * vz;
    nz = fx * vy - fy * vx;
    slack = radius * Math.sqrt(nx * nx + ny * ny + nz * nz) + rounding * (sizeD + sizeE) * sizeV;
    on = qx * nx + qy * ny + qz * nz;
    other = px * nx + py * ny + pz * nz;
    end = hx * nx + hy * ny + hz * nz;
    low = end < 0 ? end : 0;
    high = end < 0 ? 0 : end;
    if ((on > other ? other : on) > high + slack || (on > other ? on : other) < low - slack) return true;
    // The plane of the triangle: all of it is at one height, the capsule comes nearer with time.
    nx = dy * ez - dz * ey;
    ny = dz * ex - dx * ez;
    nz = dx * ey - dy * ex;
    slack = radius * Math.sqrt(nx * nx + ny * ny + nz * nz) + rounding * sizeD * sizeE;
    on = px * nx + py * ny + pz * nz;
    end = hx * nx + hy * ny + hz * nz;
    low = end < 0 ? end : 0;
    high = end < 0 ? 0 : end;
    const rise = bound * (vx * nx + vy * ny + vz * nz);
    if (rise < 0) low += rise;
    else high += rise;
    return on > high + slack || on < low - slack;
  }

  /**
   * The same for a plane across the connection of the triangle and the axis, where they are nearest to each other (or nearly so)
   * at the time `bound`, when the capsule touches another triangle.
   */
  private isSeparatedThen(): boolean {
    const { bound, from, to, foot } = this;
    const { a: p, b: q, c: r } = this.corners;
    const { a, b } = this.capsule;
    const { x: vx, y: vy, z: vz } = this.motion;
    from.x = a.x + bound * vx;
    from.y = a.y + bound * vy;
    from.z = a.z + bound * vz;
    to.x = b.x + bound * vx;
    to.y = b.y + bound * vy;
    to.z = b.z + bound * vz;
    foot.x = (p.x + q.x + r.x) / 3;
    foot.y = (p.y + q.y + r.y) / 3;
    foot.z = (p.z + q.z + r.z) / 3;
    closestPointTriangle(closestPointSegment(foot, from, to, foot), p, q, r, foot);
    const { x: fx, y: fy, z: fz } = foot;
    closestPointSegment(foot, from, to, foot);
    const nx = foot.x - fx;
    const ny = foot.y - fy;
    const nz = foot.z - fz;
    const slack = this.reach * Math.sqrt(nx * nx + ny * ny + nz * nz);
    // Seen from the foot: the lower end of the axis, at the start or then, and the highest corner.
    const atA = (a.x - fx) * nx + (a.y - fy) * ny + (a.z - fz) * nz;
    const atB = (b.x - fx) * nx + (b.y - fy) * ny + (b.z - fz) * nz;
    const sinks = bound * (vx * nx + vy * ny + vz * nz);
    const low = (atA < atB ? atA : atB) + (sinks < 0 ? sinks : 0) - slack;
    return (
      (p.x - fx) * nx + (p.y - fy) * ny + (p.z - fz) * nz < low &&
      (q.x - fx) * nx + (q.y - fy) * ny + (q.z - fz) * nz < low &&
      (r.x - fx) * nx + (r.y - fy) * ny + (r.z - fz) * nz < low
    );
  }

  visit(slot: number): void {
    const { corners, one, hit, capsule, motion } = this;
    loadTriangle(this.mesh!, slot, corners);
    if (this.isSeparated() || (this.slot >= 0 && this.isSeparatedThen())) return;
    const { a, b, c } = corners;
    one.t = this.bound;
    if (!touchTriangleByCapsule(capsule, motion, a, b, c, one)) return;
    hit.t = one.t;
    copyPoint(one.point, hit.point);
    copyPoint(one.normal, hit.normal);
    this.bound = one.t;
    this.slot = slot;
    directionToFirst(this.frame, one.normal, one.normal);
    this.around.raiseHeight(this.core!, this.frame, this.ownMotion, one);
  }
}

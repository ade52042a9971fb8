/** A convex shape against a mesh or a height field: the triangles near it, one by one, by the convex algorithms. */
import { BOX, type ConvexCore, ELLIPSOID, SEGMENT, supportCore } from '../../convex/core.ts';
import {
  copyFrame,
  directionToSecond,
  type Frame,
  makeFrame,
  toFirst,
  toSecond,
  turnToFirst,
} from '../../convex/frame.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { sweepCapsuleTriangle } from '../../primitives/sweep/capsule.ts';
import type { Aabb } from '../../primitives/types.ts';
import { makeAabb, makeHit } from '../../primitives/types.ts';
import { isClosed } from '../../shapes/mesh/boundary.ts';
import { closestPointMesh, makeMeshPoint } from '../../shapes/mesh/closest.ts';
import { isInside } from '../../shapes/mesh/contain.ts';
import { loadTriangle, makeCorners } from '../../shapes/mesh/corners.ts';
import type { Mesh } from '../../shapes/mesh/mesh.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { makeSweptSlabs, type TriangleVisitor, walkNear, walkSwept } from '../mesh-walk.ts';
import { copyPoint, loadPoint } from '../placed.ts';
import type { CastHit, Separation } from '../results.ts';
import { makeSeparation } from '../results.ts';
import { castCores, contactsOfCores, overlapCores, partedOnTheWay, separateCores } from './convex-convex.ts';
import { type ContactSink, clearParts, copySeparation, type PairAlgorithm } from './pair.ts';
import { meshOf, type Surface } from './surface.ts';
import { TriangleCore } from './triangle-core.ts';

const direction = vec3();
const point = vec3();

/** The box around a convex shape, as the mesh sees it. */
function boxInMesh(core: ConvexCore, frame: Frame, out: Aabb): Aabb {
  const { min, max } = out;
  axis.x = 1;
  axis.y = 0;
  axis.z = 0;
  measure(core, frame, axis);
  min.x = heights[0]!;
  max.x = heights[1]!;
  axis.x = 0;
  axis.y = 1;
  measure(core, frame, axis);
  min.y = heights[0]!;
  max.y = heights[1]!;
  axis.y = 0;
  axis.z = 1;
  measure(core, frame, axis);
  min.z = heights[0]!;
  max.z = heights[1]!;
  return out;
}

const box = makeAabb();
const inMeshMotion = vec3();
const slabs = makeSweptSlabs();
const axis = vec3();
const heights = new Float64Array(2);

/** How high the shape reaches along a unit vector of the mesh, from … to. */
function measure(core: ConvexCore, frame: Frame, along: ReadonlyVec3): void {
  const room = core.radius + 1e-14 * core.reach;
  turnToFirst(frame, along, direction);
  const { x, y, z } = direction;
  const offset = x * frame.tx + y * frame.ty + z * frame.tz;
  supportCore(core, direction, -1, point);
  heights[1] = x * point.x + y * point.y + z * point.z - offset + room;
  direction.x = -x;
  direction.y = -y;
  direction.z = -z;
  supportCore(core, direction, -1, point);
  heights[0] = x * point.x + y * point.y + z * point.z - offset - room;
}

/** A direction in which a core is long, if there is one, in its own space. */
function loadAxis({ type, data }: ConvexCore): void {
  axis.x = 0;
  axis.y = 1;
  axis.z = 0;
  if (type === SEGMENT) {
    axis.x = data[3]! - data[0]!;
    axis.y = data[4]! - data[1]!;
    axis.z = data[5]! - data[2]!;
  } else if (type === BOX || type === ELLIPSOID) {
    const x = data[0]!;
    const y = data[1]!;
    const z = data[2]!;
    axis.x = x > y && x > z ? 1 : 0;
    axis.z = axis.x === 0 && z > y ? 1 : 0;
    axis.y = 1 - axis.x - axis.z;
  }
}

/** Slabs around the shape on its way along `inMeshMotion`: one side along the motion, one across its axis. */
function loadSlabs(core: ConvexCore, frame: Frame): void {
  const { x, y, z } = inMeshMotion;
  const way = Math.sqrt(x * x + y * y + z * z);
  const moves = way > 1e-150 && way < 1e150;
  const mx = moves ? x / way : 1;
  const my = moves ? y / way : 0;
  const mz = moves ? z / way : 0;
  loadAxis(core);
  directionToSecond(frame, axis, axis);
  const size = Math.abs(axis.x) + Math.abs(axis.y) + Math.abs(axis.z);
  let nx = my * axis.z - mz * axis.y;
  let ny = mz * axis.x - mx * axis.z;
  let nz = mx * axis.y - my * axis.x;
  let length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(length > 1e-3 * size && size > 1e-150)) {
    // Any that is perpendicular.
    nx = Math.abs(mx) < 0.7 ? 0 : -mz;
    ny = Math.abs(mx) < 0.7 ? mz : 0;
    nz = Math.abs(mx) < 0.7 ? -my : mx;
    length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  }
  nx /= length;
  ny /= length;
  nz /= length;
  axis.x = mx;
  axis.y = my;
  axis.z = mz;
  measure(core, frame, axis);
  slabs.mx = mx;
  slabs.my = my;
  slabs.mz = mz;
  slabs.lowM = heights[0]!;
  slabs.highM = heights[1]!;
  axis.x = nx;
  axis.y = ny;
  axis.z = nz;
  measure(core, frame, axis);
  slabs.nx = nx;
  slabs.ny = ny;
  slabs.nz = nz;
  slabs.lowN = heights[0]!;
  slabs.highN = heights[1]!;
  axis.x = my * nz - mz * ny;
  axis.y = mz * nx - mx * nz;
  axis.z = mx * ny - my * nx;
  measure(core, frame, axis);
  slabs.ux = axis.x;
  slabs.uy = axis.y;
  slabs.uz = axis.z;
  slabs.lowU = heights[0]!;
  slabs.highU = heights[1]!;
  slabs.way = way;
  slabs.height = -Infinity;
}

/**
 * Once it is known that the shape touches something at a time, with that normal (to the shape): up to then it stays above
 * a plane across the normal, as it comes from there. What is below the plane cannot be touched before.
 */
function raiseHeight(
  core: ConvexCore,
  frame: Frame,
  motion: ReadonlyVec3,
  normal: ReadonlyVec3,
  hit: { readonly t: number },
): void {
  const { x, y, z } = normal;
  direction.x = -x;
  direction.y = -y;
  direction.z = -z;
  supportCore(core, direction, -1, point);
  const sinks = Math.min(0, hit.t * (x * motion.x + y * motion.y + z * motion.z));
  directionToSecond(frame, normal, direction);
  slabs.hx = direction.x;
  slabs.hy = direction.y;
  slabs.hz = direction.z;
  const room = core.radius + 1e-14 * core.reach;
  slabs.height =
    x * (point.x - frame.tx) + y * (point.y - frame.ty) + z * (point.z - frame.tz) + sinks - room;
}

/** What the visitors have in common. */
abstract class Visitor implements TriangleVisitor {
  bound = 0;
  shape: ConvexShape | null = null;
  mesh: Mesh | null = null;
  frame: Frame = makeFrame();
  readonly triangle = new TriangleCore();

  start(shape: ConvexShape, mesh: Mesh, frame: Frame, bound: number): this {
    this.shape = shape;
    this.mesh = mesh;
    this.frame = frame;
    this.bound = bound;
    return this;
  }

  /** The triangle that was loaded is not touched by the time `bound`, as a plane is between, then and before. */
  protected isPartedUntil(motion: ReadonlyVec3): boolean {
    const { bound } = this;
    const { core, frame } = this.triangle;
    copyFrame(frame, then);
    then.tx = frame.tx - bound * motion.x;
    then.ty = frame.ty - bound * motion.y;
    then.tz = frame.tz - bound * motion.z;
    return partedOnTheWay(this.shape!.core, core, then, motion);
  }

  abstract visit(place: number): void;
}

const then = makeFrame();

class OverlapVisitor extends Visitor {
  visit(place: number): void {
    this.triangle.load(this.mesh!, place, this.frame);
    if (overlapCores(this.shape!.core, this.triangle.core, this.triangle.frame)) this.bound = -1;
  }
}

/** The nearest triangle, or the one that is deepest. */
class NearestVisitor extends Visitor {
  readonly best = makeSeparation();
  readonly one = makeSeparation();
  found = false;

  visit(place: number): void {
    this.triangle.load(this.mesh!, place, this.frame);
    const limit = this.found ? this.best.separation : this.bound;
    if (!separateCores(this.shape!.core, this.triangle.core, this.triangle.frame, limit, this.one)) return;
    if (this.found && !(this.one.separation < this.best.separation)) return;
    this.found = true;
    copySeparation(this.one, this.best);
    this.best.partB.triangle = this.mesh!.ids[place]!;
    // Once in touch, all that touch are asked: the deepest counts.
    this.bound = Math.max(0, this.best.separation);
  }
}

class ContactVisitor extends Visitor {
  sink: ContactSink | null = null;
  margin = 0;
  private place = 0;
  private readonly named: ContactSink = {
    add: (contact) => {
      contact.partB.triangle = this.mesh!.ids[this.place]!;
      this.sink!.add(contact);
    },
  };

  visit(place: number): void {
    this.place = place;
    this.triangle.load(this.mesh!, place, this.frame);
    contactsOfCores(this.shape!, this.triangle.flat, this.triangle.frame, this.margin, this.named);
  }
}

class CastVisitor extends Visitor {
  motion: ReadonlyVec3 = vec3();
  hit: CastHit | null = null;
  found = false;

  visit(place: number): void {
    this.triangle.load(this.mesh!, place, this.frame);
    const { core, frame } = this.triangle;
    if (this.found && this.isPartedUntil(this.motion)) return;
    if (!castCores(this.shape!.core, this.motion, core, frame, this.hit!)) return;
    this.hit!.part.triangle = this.mesh!.ids[place]!;
    this.bound = this.hit!.t;
    this.found = true;
    raiseHeight(this.shape!.core, this.frame, this.motion, this.hit!.normal, this.hit!);
  }
}

/** Rounding of a height, relative to all lengths: normals are differences of products, heights sums of those. */
const PARTED_ROOM = 64 * EPS64;

/** Capsules have a closed form. All in the space of the mesh. */
class CapsuleVisitor extends Visitor {
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
    turnToFirst(this.frame, one.normal, axis);
    raiseHeight(this.shape!.core, this.frame, this.ownMotion, axis, one);
  }
}

const capsules = new CapsuleVisitor();
const overlaps = new OverlapVisitor();
const nearest = new NearestVisitor();
const touches = new ContactVisitor();
const casts = new CastVisitor();
const inMesh = makeMeshPoint();

/** Is the shape, which touches no triangle, inside of the closed mesh? Then as a whole: any point tells. */
function isWithin({ core }: ConvexShape, mesh: Mesh, frame: Frame): boolean {
  if (!isClosed(mesh)) return false;
  return isInside(toSecond(frame, core.center, point), mesh);
}

export const convexSurface: PairAlgorithm<ConvexShape, Surface> = {
  name: 'tree of the mesh, convex algorithms for its triangles',
  intersects(a, b, frame) {
    const mesh = meshOf(b);
    walkNear(mesh, boxInMesh(a.core, frame, box), overlaps.start(a, mesh, frame, 0));
    return overlaps.bound < 0 || isWithin(a, mesh, frame);
  },
  separation(a, b, frame, maxDistance, out) {
    const mesh = meshOf(b);
    const within = isWithin(a, mesh, frame);
    nearest.found = false;
    walkNear(
      mesh,
      boxInMesh(a.core, frame, box),
      nearest.start(a, mesh, frame, within ? Infinity : Math.max(0, maxDistance)),
    );
    if (!nearest.found || !(nearest.best.separation <= maxDistance || within)) return false;
    copySeparation(nearest.best, out);
    if (within && out.separation > 0) fillWithin(a, mesh, frame, out);
    return out.separation <= maxDistance;
  },
  contacts(a, b, frame, margin, sink) {
    const mesh = meshOf(b);
    touches.sink = sink;
    touches.margin = margin;
    walkNear(mesh, boxInMesh(a.core, frame, box), touches.start(a, mesh, frame, Math.max(0, margin)));
  },
  cast(a, motion, b, frame, hit) {
    const mesh = meshOf(b);
    if (isWithin(a, mesh, frame) && hit.t >= 0) {
      fillWithin(a, mesh, frame, inside);
      hit.t = 0;
      clearParts(hit.part, hit.moverPart);
      copyPoint(inside.pointB, hit.point);
      copyPoint(inside.normal, hit.normal);
      hit.part.triangle = inside.partB.triangle;
      return true;
    }
    casts.motion = motion;
    casts.hit = hit;
    casts.found = false;
    boxInMesh(a.core, frame, box);
    directionToSecond(frame, motion, inMeshMotion);
    loadSlabs(a.core, frame);
    if (a.core.type === SEGMENT) {
      const { capsule, hit: first } = capsules;
      loadPoint(a.core.data, 0, point);
      toSecond(frame, point, capsule.a);
      loadPoint(a.core.data, 3, point);
      toSecond(frame, point, capsule.b);
      capsule.radius = a.core.radius;
      capsules.place = -1;
      capsules.ownMotion = motion;
      walkSwept(mesh, box, inMeshMotion, capsules.start(a, mesh, frame, hit.t), slabs);
      if (capsules.place < 0) return false;
      if (capsules.bound > 0) {
        hit.t = first.t;
        toFirst(frame, first.point, hit.point);
        turnToFirst(frame, first.normal, hit.normal);
        clearParts(hit.part, hit.moverPart);
        hit.part.triangle = mesh.ids[capsules.place]!;
        return true;
      }
      // In touch at the start: how deep is another question.
      slabs.height = -Infinity;
    }
    walkSwept(mesh, box, inMeshMotion, casts.start(a, mesh, frame, hit.t), slabs);
    return casts.found;
  },
};

const inside = makeSeparation();

/**
 * A shape that floats in a closed mesh: the way out is through the point of the surface nearest to its centre, until the
 * whole of it is beyond that triangle's plane.
 */
function fillWithin({ core }: ConvexShape, mesh: Mesh, frame: Frame, out: Separation): void {
  toSecond(frame, core.center, point);
  closestPointMesh(point, mesh, Infinity, inMesh);
  const { normal, pointA, pointB } = out;
  const distance = inMesh.distance || 1;
  normal.x = (inMesh.point.x - point.x) / distance;
  normal.y = (inMesh.point.y - point.y) / distance;
  normal.z = (inMesh.point.z - point.z) / distance;
  turnToFirst(frame, normal, normal);
  pointB.x = core.center.x + normal.x * inMesh.distance;
  pointB.y = core.center.y + normal.y * inMesh.distance;
  pointB.z = core.center.z + normal.z * inMesh.distance;
  direction.x = -normal.x;
  direction.y = -normal.y;
  direction.z = -normal.z;
  supportCore(core, direction, -1, pointA);
  pointA.x += core.radius * direction.x;
  pointA.y += core.radius * direction.y;
  pointA.z += core.radius * direction.z;
  out.separation =
    (pointA.x - pointB.x) * normal.x + (pointA.y - pointB.y) * normal.y + (pointA.z - pointB.z) * normal.z;
  clearParts(out.partA, out.partB);
  out.partB.triangle = inMesh.triangle;
}

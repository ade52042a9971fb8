/** A convex shape against a mesh or a height field: the triangles near it, one by one, by the convex algorithms. */
import { POINT, SEGMENT, supportCore } from '../../convex/core.ts';
import { directionToSecond, type Frame, toFirst, toSecond, turnToFirst } from '../../convex/frame.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { loadMover } from '../../primitives/sweep/mover.ts';
import type { Capsule, Hit } from '../../primitives/types.ts';
import { makeAabb, makeCapsule, makeSphere } from '../../primitives/types.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { closestPointMesh, makeMeshPoint } from '../../trimesh/closest.ts';
import { isClosed } from '../../trimesh/derived.ts';
import { isInside } from '../../trimesh/inside.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { meetsCapsule, meetsSphere } from '../../trimesh/overlap.ts';
import { SphereSweep, searchTouch } from '../../trimesh/sweep.ts';
import { visitNear, visitSwept } from '../../trimesh/visit-triangles.ts';
import { copyPoint, loadPoint } from '../placed.ts';
import type { CastHit, Separation } from '../results.ts';
import { makeSeparation } from '../results.ts';
import { CapsuleVisitor } from './capsule-visitor.ts';
import { castCores, contactsOfCores, overlapCores, separateCores } from './convex-convex.ts';
import { leadsOut } from './leads-out.ts';
import { type ContactSink, clearParts, copySeparation, type PairAlgorithm } from './pair.ts';
import { meshOf, type Surface } from './surface.ts';
import { boxInMesh, inMeshMotion, loadSlabs, raiseHeight, slabs } from './surface-slabs.ts';
import { Visitor } from './surface-visitor.ts';

const direction = vec3();
const point = vec3();
const box = makeAabb();

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
  /** Does it end with the first triangle that touches? */
  ends = false;

  visit(place: number): void {
    this.triangle.load(this.mesh!, place, this.frame);
    const limit = this.found ? this.best.separation : this.bound;
    if (!separateCores(this.shape!.core, this.triangle.core, this.triangle.frame, limit, this.one)) return;
    if (this.found && !(this.one.separation < this.best.separation)) return;
    this.found = true;
    copySeparation(this.one, this.best);
    this.best.partB.triangle = this.mesh!.ids[place]!;
    // Once in touch, all that touch are asked: the deepest counts.
    this.bound = this.best.separation > 0 ? this.best.separation : this.ends ? -1 : 0;
  }
}

class ContactVisitor extends Visitor {
  sink: ContactSink | null = null;
  margin = 0;
  private place = 0;
  private readonly named: ContactSink = {
    add: (contact) => {
      const { pointB, normal } = contact;
      if (!leadsOut(this.mesh!, this.frame, pointB, normal, 1, this.triangle.core.reach)) return;
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
    return touchesTriangle(a, mesh, frame) || isWithin(a, mesh, frame);
  },
  separation(a, b, frame, maxDistance, out) {
    const mesh = meshOf(b);
    const within = isWithin(a, mesh, frame);
    nearest.found = false;
    nearest.ends = false;
    visitNear(
      mesh,
      boxInMesh(a.core, frame, box),
      nearest.start(a, mesh, frame, within ? Infinity : Math.max(0, maxDistance)),
    );
    if (!nearest.found || !(nearest.best.separation <= maxDistance || within)) return false;
    copySeparation(nearest.best, out);
    if (within && out.separation > 0) fillWithin(a, mesh, frame, out);
    return out.separation <= maxDistance;
  },
  gap(a, b, frame, maxDistance, out) {
    const mesh = meshOf(b);
    if (isWithin(a, mesh, frame)) {
      out.separation = 0;
      return true;
    }
    nearest.found = false;
    nearest.ends = true;
    visitNear(mesh, boxInMesh(a.core, frame, box), nearest.start(a, mesh, frame, Math.max(0, maxDistance)));
    if (!nearest.found || !(nearest.best.separation <= maxDistance)) return false;
    copySeparation(nearest.best, out);
    return true;
  },
  contacts(a, b, frame, margin, sink) {
    const mesh = meshOf(b);
    touches.sink = sink;
    touches.margin = margin;
    visitNear(mesh, boxInMesh(a.core, frame, box), touches.start(a, mesh, frame, Math.max(0, margin)));
  },
  cast(a, motion, b, frame, hit) {
    const mesh = meshOf(b);
    if (isWithin(a, mesh, frame) && hit.t >= 0) {
      fillWithin(a, mesh, frame, inside);
      hit.t = 0;
      clearParts(hit.part, hit.moverPart);
      copyPoint(a.core.center, hit.point);
      copyPoint(inside.normal, hit.normal);
      hit.part.triangle = inside.partB.triangle;
      return true;
    }
    return castOntoTriangles(a, motion, mesh, frame, hit);
  },
};

const ball = makeSphere();
const tube = makeCapsule();

/** Does it share a point with a triangle? Spheres and capsules go through the mesh's own search, others through GJK. */
function touchesTriangle(a: ConvexShape, mesh: Mesh, frame: Frame): boolean {
  const { core } = a;
  switch (core.type) {
    case POINT:
      toSecond(frame, core.center, ball.center);
      ball.radius = core.radius;
      return meetsSphere(ball, mesh);
    case SEGMENT:
      loadCapsule(a, frame, tube);
      return meetsCapsule(tube, mesh);
    default:
      visitNear(mesh, boxInMesh(core, frame, box), overlaps.start(a, mesh, frame, 0));
      return overlaps.bound < 0;
  }
}

/** A rounded segment, to the mesh. */
function loadCapsule({ core }: ConvexShape, frame: Frame, out: Capsule): void {
  loadPoint(core.data, 0, point);
  toSecond(frame, point, out.a);
  loadPoint(core.data, 3, point);
  toSecond(frame, point, out.b);
  out.radius = core.radius;
}

const spheres = new SphereSweep();

/** When does the shape first touch a triangle, wherever it starts? As `PairAlgorithm.cast`. @internal */
export function castOntoTriangles(
  a: ConvexShape,
  motion: ReadonlyVec3,
  mesh: Mesh,
  frame: Frame,
  hit: CastHit,
): boolean {
  directionToSecond(frame, motion, inMeshMotion);
  if (a.core.type === POINT) {
    const { mover, hit: first } = spheres;
    mover.radius = a.core.radius;
    loadMover(toSecond(frame, a.core.center, point), inMeshMotion, mover);
    spheres.maxT = Math.min(hit.t, 1);
    const found = searchTouch(spheres, mesh);
    if (found < 0) return false;
    // In touch at the start: how deep is another question.
    if (first.t > 0) return fillFromMesh(first, mesh.ids[found]!, frame, hit);
  }
  casts.motion = motion;
  casts.hit = hit;
  casts.found = false;
  boxInMesh(a.core, frame, box);
  loadSlabs(a.core, frame);
  if (a.core.type === SEGMENT) {
    loadCapsule(a, frame, capsules.capsule);
    capsules.place = -1;
    capsules.ownMotion = motion;
    visitSwept(mesh, box, inMeshMotion, capsules.start(a, mesh, frame, hit.t), slabs);
    if (capsules.place < 0) return false;
    if (capsules.bound > 0) return fillFromMesh(capsules.hit, mesh.ids[capsules.place]!, frame, hit);
    slabs.height = -Infinity;
  }
  visitSwept(mesh, box, inMeshMotion, casts.start(a, mesh, frame, hit.t), slabs);
  return casts.found;
}

/** A hit that was found in the space of the mesh. */
function fillFromMesh(found: Readonly<Hit>, triangle: number, frame: Frame, hit: CastHit): true {
  hit.t = found.t;
  toFirst(frame, found.point, hit.point);
  turnToFirst(frame, found.normal, hit.normal);
  clearParts(hit.part, hit.moverPart);
  hit.part.triangle = triangle;
  return true;
}

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

/** A convex shape against a mesh or a height field: the triangles near it, one by one, by the convex algorithms. */
import { POINT, SEGMENT, supportCore } from '../../convex/core.ts';
import { directionToFirst, type Frame, toSecond } from '../../convex/frame.ts';
import { vec3 } from '../../math/types.ts';
import { makeCapsule, makeSphere, type ReadonlyAabb } from '../../primitives/types.ts';
import { makeMeshPoint } from '../../trimesh/closest.ts';
import { isInsideClosed } from '../../trimesh/crossing-number.ts';
import { isClosed } from '../../trimesh/derived.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { meetsCapsule, meetsSphere } from '../../trimesh/overlap.ts';
import { visitNear } from '../../trimesh/visit-triangles.ts';
import { copyPoint } from '../body-space.ts';
import type { Separation } from '../results.ts';
import { makeSeparation } from '../results.ts';
import type { ConvexShape } from '../shape.ts';
import { contactsOfCores } from './convex-contacts.ts';
import { overlapCores, separateCores } from './convex-distance.ts';
import { ConvexInMesh } from './convex-in-mesh.ts';
import { castOntoTriangles, loadCapsule, ShapeVisitor } from './convex-mesh-cast.ts';
import { type ContactSink, clearParts, copySeparation, type PairAlgorithm } from './pair.ts';
import type { PairContext } from './pair-context.ts';
import { wholeBodies } from './penetration-depth.ts';
import { arePolyhedral, BY_SWEEP, castPolyhedral } from './polyhedral-rotation.ts';
import { castRotatingConvex } from './rotating-triangles.ts';
import { findExit, leadsOutOfSecond, meshOf, type Surface } from './surface.ts';

class OverlapVisitor extends ShapeVisitor {
  visit(slot: number): void {
    this.load(slot);
    if (overlapCores(this.shape!.core, this.triangle.core, this.pair)) this.bound = -1;
  }
}

/** The nearest triangle, or the one that is deepest. */
class NearestVisitor extends ShapeVisitor {
  readonly best = makeSeparation();
  found = false;
  /** Does it end with the first triangle that touches? */
  ends = false;

  visit(slot: number): void {
    const { best, pair } = this;
    this.load(slot);
    pair.limit = this.found ? best.separation : this.bound;
    const one = pair.separation;
    if (!separateCores(this.shape!.core, this.triangle.core, pair, one)) return;
    if (this.found && !(one.separation < best.separation)) return;
    this.found = true;
    copySeparation(one, best);
    best.partB.triangle = this.mesh!.ids[slot]!;
    // Once in touch, all that touch are asked: the deepest counts.
    this.bound = best.separation > 0 ? best.separation : this.ends ? -1 : 0;
  }
}

class ContactVisitor extends ShapeVisitor {
  sink: ContactSink | null = null;
  private slot = 0;
  private readonly named: ContactSink = {
    add: (contact) => {
      if (!leadsOutOfSecond(this.mesh!, this.frame, contact, this.triangle.core.reach)) return;
      contact.partB.triangle = this.mesh!.ids[this.slot]!;
      this.sink!.add(contact);
    },
  };

  visit(slot: number): void {
    this.slot = slot;
    this.load(slot);
    contactsOfCores(this.shape!, this.triangle.flat, this.pair, this.named);
  }

  within(margin: number): this {
    this.pair.limit = margin;
    return this;
  }
}

/** What these algorithms carry along besides the context of the pair, which holds one of it. */
class SurfaceScratch {
  readonly around = new ConvexInMesh();
  readonly overlap = new OverlapVisitor();
  readonly nearest = new NearestVisitor();
  readonly contact = new ContactVisitor();
  readonly inside = makeSeparation();
}

function scratchOf(context: PairContext): SurfaceScratch {
  context.surface ??= new SurfaceScratch();
  return context.surface as SurfaceScratch;
}

/** The box around a shape, as the mesh sees it. @internal */
export const boxInMesh = (a: ConvexShape, context: PairContext): ReadonlyAabb =>
  scratchOf(context).around.measureBox(a.core, context.frame);

const point = vec3();

/** Is the shape, which touches no triangle, inside of the closed mesh? Then as a whole: any point decides. */
function isWithin({ core }: ConvexShape, mesh: Mesh, frame: Frame): boolean {
  if (!isClosed(mesh)) return false;
  return isInsideClosed(toSecond(frame, core.center, point), mesh);
}

export const convexSurface: PairAlgorithm<ConvexShape, Surface> = {
  name: 'tree of the mesh, convex algorithms for its triangles',
  intersects(a, b, context) {
    const mesh = meshOf(b);
    return touchesTriangle(a, mesh, context) || isWithin(a, mesh, context.frame);
  },
  gap(a, b, context, out) {
    const mesh = meshOf(b);
    const { frame, limit } = context;
    if (isWithin(a, mesh, frame)) {
      out.separation = 0;
      return true;
    }
    const { nearest, around } = scratchOf(context);
    nearest.found = false;
    nearest.ends = true;
    visitNear(mesh, around.measureBox(a.core, frame), nearest.start(a, mesh, frame, Math.max(0, limit)));
    if (!nearest.found || !(nearest.best.separation <= limit)) return false;
    copySeparation(nearest.best, out);
    return true;
  },
  separation(a, b, context, out) {
    const mesh = meshOf(b);
    const { frame, limit } = context;
    const { nearest, around } = scratchOf(context);
    const within = isWithin(a, mesh, frame);
    nearest.found = false;
    nearest.ends = false;
    visitNear(
      mesh,
      around.measureBox(a.core, frame),
      nearest.start(a, mesh, frame, within ? Infinity : Math.max(0, limit)),
    );
    if (!nearest.found || !(nearest.best.separation <= limit || within)) return false;
    copySeparation(nearest.best, out);
    if (within && out.separation > 0) fillWithin(a, mesh, frame, out);
    return out.separation <= limit;
  },
  contacts(a, b, context, sink) {
    const mesh = meshOf(b);
    const { frame, limit } = context;
    const { contact, around } = scratchOf(context);
    contact.sink = sink;
    const box = around.measureBox(a.core, frame);
    visitNear(mesh, box, contact.within(limit).start(a, mesh, frame, Math.max(0, limit)));
  },
  cast(a, b, context, hit) {
    const mesh = meshOf(b);
    const { frame } = context;
    if (!(isWithin(a, mesh, frame) && hit.t >= 0)) return castOntoTriangles(a, mesh, context, hit);
    const { inside } = scratchOf(context);
    fillWithin(a, mesh, frame, inside);
    hit.t = 0;
    clearParts(hit.part, hit.moverPart);
    copyPoint(a.core.center, hit.point);
    copyPoint(inside.normal, hit.normal);
    hit.part.triangle = inside.partB.triangle;
    return true;
  },
  rotation: BY_SWEEP,
  castRotating: (a, b, context, hit) =>
    arePolyhedral(a, b, context)
      ? castPolyhedral(a, b, context, hit)
      : castRotatingConvex(a, b, context, hit),
  whole: wholeBodies,
};

const ball = makeSphere();
const tube = makeCapsule();

/** Does it share a point with a triangle? Spheres and capsules go through the mesh's own search, others through GJK. */
function touchesTriangle(a: ConvexShape, mesh: Mesh, context: PairContext): boolean {
  const { core } = a;
  const { frame } = context;
  switch (core.type) {
    case POINT:
      toSecond(frame, core.center, ball.center);
      ball.radius = core.radius;
      return meetsSphere(ball, mesh);
    case SEGMENT:
      loadCapsule(a, frame, tube);
      return meetsCapsule(tube, mesh);
    default: {
      const { overlap, around } = scratchOf(context);
      visitNear(mesh, around.measureBox(core, frame), overlap.start(a, mesh, frame, 0));
      return overlap.bound < 0;
    }
  }
}

const exit = makeMeshPoint();

/**
 * A shape that floats in a closed mesh: it leaves through the point of the surface nearest to its centre, until the whole of it
 * is beyond that triangle's plane.
 */
function fillWithin({ core }: ConvexShape, mesh: Mesh, frame: Frame, out: Separation): void {
  const { normal, pointA, pointB } = out;
  findExit(toSecond(frame, core.center, point), mesh, exit, normal);
  const { distance } = exit;
  directionToFirst(frame, normal, normal);
  pointB.x = core.center.x + normal.x * distance;
  pointB.y = core.center.y + normal.y * distance;
  pointB.z = core.center.z + normal.z * distance;
  clearParts(out.partA, out.partB);
  out.partB.triangle = exit.triangle;
  const direction = vec3(-normal.x, -normal.y, -normal.z);
  supportCore(core, direction, -1, pointA);
  pointA.x += core.radius * direction.x;
  pointA.y += core.radius * direction.y;
  pointA.z += core.radius * direction.z;
  out.separation =
    (pointA.x - pointB.x) * normal.x + (pointA.y - pointB.y) * normal.y + (pointA.z - pointB.z) * normal.z;
}

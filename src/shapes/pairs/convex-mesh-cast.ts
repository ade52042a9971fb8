/** A convex shape that moves to the triangles of a mesh: spheres and capsules by closed forms, others by GJK. */
import { POINT, SEGMENT } from '../../convex/core.ts';
import {
  copyFrame,
  directionToFirst,
  directionToSecond,
  type Frame,
  makeFrame,
  toFirst,
  toSecond,
} from '../../convex/frame.ts';
import { DifferencePoint, measureGap } from '../../convex/minkowski.ts';
import { BEYOND_ROUNDING } from '../../math/tolerance.ts';
import { vec3 } from '../../math/types.ts';
import { loadMover } from '../../primitives/sweep/mover.ts';
import type { Capsule, Hit } from '../../primitives/types.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { SphereSweep, searchTouch } from '../../trimesh/sweep.ts';
import { TriangleCore } from '../../trimesh/triangle-core.ts';
import { type TriangleVisitor, visitSwept } from '../../trimesh/visit-triangles.ts';
import { copyPoint, loadPoint } from '../body-space.ts';
import type { CastHit } from '../results.ts';
import { makeCastHit } from '../results.ts';
import type { ConvexShape } from '../shape.ts';
import { CapsuleVisitor } from './capsule-visitor.ts';
import { castCores } from './convex-cast.ts';
import { separatedBefore } from './convex-distance.ts';
import { ConvexInMesh } from './convex-in-mesh.ts';
import { clearParts } from './pair.ts';
import { PairContext } from './pair-context.ts';

/** What the visitors have in common: the shape, the mesh, and the pair of the shape and the triangle at hand. */
export abstract class ShapeVisitor implements TriangleVisitor {
  bound = 0.5;
  protected shape: ConvexShape | null = null;
  protected mesh: Mesh | null = null;
  protected frame: Frame = makeFrame();
  protected readonly triangle = new TriangleCore();
  protected readonly pair: PairContext = new PairContext();

  start(shape: ConvexShape, mesh: Mesh, frame: Frame, bound: number): this {
    this.shape = shape;
    this.mesh = mesh;
    this.frame = frame;
    this.bound = bound;
    return this;
  }

  protected load(slot: number): void {
    this.triangle.load(this.mesh!, slot, this.frame, this.pair.frame);
  }

  abstract visit(slot: number): void;
}

class CastVisitor extends ShapeVisitor {
  hit: CastHit = makeCastHit();
  found = false;
  private readonly one = makeCastHit();
  private readonly around: ConvexInMesh;

  constructor(around: ConvexInMesh) {
    super();
    this.around = around;
  }

  visit(slot: number): void {
    const { hit, pair, shape, around } = this;
    const { core } = shape!;
    this.load(slot);
    if (this.found && this.isSeparatedThen()) return;
    if (!castCores(core, this.triangle.core, pair, hit)) return;
    hit.part.triangle = this.mesh!.ids[slot]!;
    this.bound = hit.t;
    this.found = true;
    around.raiseHeight(core, this.frame, pair.motion, hit);
  }

  /**
   * A hit of a point or a segment, in the space of the shape. Where that meets an edge or a corner there is no direction from
   * the one to the other: closed forms say 'against the motion', which need not be across a plane between the two. GJK comes
   * to such a plane on the way.
   */
  mendNormal(slot: number, hit: CastHit): void {
    const { pair, triangle, shape, one } = this;
    const { core } = shape!;
    this.load(slot);
    const { frame } = this.at(hit.t);
    measureGap(core, triangle.core, frame, hit.normal, support);
    if (support.gap >= -BEYOND_ROUNDING * (core.reach + triangle.core.reach)) return;
    one.t = 1;
    if (castCores(core, triangle.core, pair, one) && one.t > 0) copyPoint(one.normal, hit.normal);
  }

  along(motion: Readonly<PairContext['motion']>): this {
    copyPoint(motion, this.pair.motion);
    this.found = false;
    return this;
  }

  /** Is the triangle not touched by the time `bound`, as a plane is between, then and before? */
  private isSeparatedThen(): boolean {
    return separatedBefore(this.shape!.core, this.triangle.core, this.at(this.bound), this.pair.motion);
  }

  /** The pair at a time of the motion. */
  private at(t: number): PairContext {
    const { frame, motion, inner } = this.pair;
    copyFrame(frame, inner.frame);
    inner.frame.tx = frame.tx - t * motion.x;
    inner.frame.ty = frame.ty - t * motion.y;
    inner.frame.tz = frame.tz - t * motion.z;
    return inner;
  }
}

/** What these algorithms carry along besides the context of the pair, which holds one of it. */
class CastScratch {
  readonly around = new ConvexInMesh();
  readonly cast = new CastVisitor(this.around);
  readonly capsule = new CapsuleVisitor(this.around);
}

function scratchOf(context: PairContext): CastScratch {
  context.surfaceCast ??= new CastScratch();
  return context.surfaceCast as CastScratch;
}

const point = vec3();
const support = /* @__PURE__ */ new DifferencePoint();

const sphereSweep = new SphereSweep();

/** When does the shape first touch a triangle, wherever it starts? As `PairAlgorithm.cast`. */
export function castOntoTriangles(a: ConvexShape, mesh: Mesh, context: PairContext, hit: CastHit): boolean {
  const { core } = a;
  const { frame, motion } = context;
  const { around, capsule, cast } = scratchOf(context);
  directionToSecond(frame, motion, around.motion);
  if (core.type === POINT) {
    const { mover, hit: first } = sphereSweep;
    mover.radius = core.radius;
    loadMover(toSecond(frame, core.center, point), around.motion, mover);
    sphereSweep.maxT = Math.min(hit.t, 1);
    const slot = searchTouch(sphereSweep, mesh);
    if (slot < 0) return false;
    // In touch at the start: the depth is found elsewhere.
    if (first.t > 0) return fillFromMesh(first, a, mesh, slot, context, hit);
  }
  const box = around.measureBox(core, frame);
  around.measureSlabs(core, frame);
  if (core.type === SEGMENT) {
    loadCapsule(a, frame, capsule.capsule);
    visitSwept(mesh, box, around.motion, capsule.start(core, motion, mesh, frame, hit.t), around.slabs);
    if (capsule.slot < 0) return false;
    if (capsule.bound > 0) return fillFromMesh(capsule.hit, a, mesh, capsule.slot, context, hit);
    around.slabs.height = -Infinity;
  }
  cast.hit = hit;
  visitSwept(mesh, box, around.motion, cast.along(motion).start(a, mesh, frame, hit.t), around.slabs);
  return cast.found;
}

/** A hit that was found in the space of the mesh, by a closed form. */
function fillFromMesh(
  found: Readonly<Hit>,
  a: ConvexShape,
  mesh: Mesh,
  slot: number,
  context: PairContext,
  hit: CastHit,
): true {
  const { frame, motion } = context;
  hit.t = found.t;
  toFirst(frame, found.point, hit.point);
  directionToFirst(frame, found.normal, hit.normal);
  clearParts(hit.part, hit.moverPart);
  hit.part.triangle = mesh.ids[slot]!;
  if (a.core.radius === 0)
    scratchOf(context).cast.along(motion).start(a, mesh, frame, 1).mendNormal(slot, hit);
  return true;
}

/** A rounded segment, as the mesh sees it. */
export function loadCapsule({ core }: ConvexShape, frame: Frame, out: Capsule): void {
  loadPoint(core.data, 0, point);
  toSecond(frame, point, out.a);
  loadPoint(core.data, 3, point);
  toSecond(frame, point, out.b);
  out.radius = core.radius;
}

/** Rotating casts against meshes and height fields: the triangles that come near to the path, by conservative advancement. */
import { copyFrame, makeFrame } from '../../convex/frame.ts';
import { transformPoint } from '../../math/pose.ts';
import * as q4 from '../../math/quat.ts';
import { vec3 } from '../../math/types.ts';
import { makeAabb } from '../../primitives/types.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { TriangleCore } from '../../trimesh/triangle-core.ts';
import { type TriangleVisitor, visitNear } from '../../trimesh/visit-triangles.ts';
import type { CastHit } from '../results.ts';
import { makeCastHit } from '../results.ts';
import type { ConvexShape } from '../shape.ts';
import { advance } from './conservative-advancement.ts';
import { boxOfCorePath, boxOfPath, MovingBody, MovingPair, setReach } from './moving-pair.ts';
import { meshOf, type Surface } from './surface.ts';

/** Surfaces are looked at for this much of a rotation at a time, so that the boxes about the path are small. */
const ROTATION_AT_ONCE = 0.4;

const IDENTITY = makeFrame();

/** Asks the triangles of a surface, each as one body of a pair: `pair` is that of the triangles or of the shape and the triangle. */
abstract class Triangles implements TriangleVisitor {
  bound = 0;
  found = false;
  hit: CastHit = makeCastHit();
  /** The surface at the part of the motion at hand. */
  readonly surface = new MovingBody();
  /** Around the path of what comes. */
  readonly box = makeAabb();
  mesh: Mesh | null = null;
  protected readonly triangle = new TriangleCore();
  private readonly corner = makeFrame();
  private readonly origin = vec3();

  /** Puts the triangle where it is at the start. */
  protected load(slot: number, body: MovingBody): void {
    const { triangle, corner, origin, surface } = this;
    const { pose } = surface;
    copyFrame(IDENTITY, corner);
    triangle.load(this.mesh!, slot, IDENTITY, corner);
    origin.x = corner.tx;
    origin.y = corner.ty;
    origin.z = corner.tz;
    body.load(pose, surface.motion);
    transformPoint(pose, origin, body.pose.position);
    q4.copy(pose.quaternion, body.pose.quaternion);
    body.core = triangle.core;
    body.reach = triangle.core.reach;
    body.fills = true;
  }

  abstract visit(slot: number): void;
}

/** The triangles of the second body, each against what the first of `pair` is. */
class Targets extends Triangles {
  readonly pair = new MovingPair();

  visit(slot: number): void {
    const { pair, hit, mesh } = this;
    this.load(slot, pair.second);
    pair.algorithm = null;
    if (!advance(pair, hit)) return;
    hit.part.triangle = mesh!.ids[slot]!;
    this.found = true;
  }

  /** Asks those that come near to the path of the first body. */
  search(): void {
    boxOfCorePath(this.pair.first, this.surface, this.box);
    visitNear(this.mesh!, this.box, this);
  }
}

/** The triangles of the first body, each against the second surface. */
class Movers extends Triangles {
  readonly targets: Targets;

  constructor(targets: Targets) {
    super();
    this.targets = targets;
  }

  visit(slot: number): void {
    const { targets, hit, mesh } = this;
    this.load(slot, targets.pair.first);
    targets.found = false;
    targets.search();
    if (!targets.found) return;
    hit.moverPart.triangle = mesh!.ids[slot]!;
    this.found = true;
  }
}

class Scratch {
  readonly targets = new Targets();
  readonly movers = new Movers(this.targets);
}

function scratchOf(context: MovingPair): Scratch {
  context.surface ??= new Scratch();
  return context.surface as Scratch;
}

/** In how many parts the motion is looked at. */
const partsOf = ({ first, second }: MovingPair): number =>
  Math.max(1, Math.ceil((first.motion.angle + second.motion.angle) / ROTATION_AT_ONCE));

/** A convex shape and a surface. As `PairAlgorithm.castRotating`. */
export function castRotatingConvex(a: ConvexShape, b: Surface, context: MovingPair, hit: CastHit): boolean {
  const { targets } = scratchOf(context);
  const parts = partsOf(context);
  const all = hit.t;
  targets.mesh = meshOf(b);
  setReach(targets.surface, b);
  targets.hit = hit;
  targets.found = false;
  for (let i = 0; i < parts && i / parts <= all; i++) {
    const { pair, surface } = targets;
    pair.first.loadPart(context.first, i, parts);
    pair.first.core = a.core;
    pair.first.reach = a.core.reach;
    pair.first.fills = true;
    surface.loadPart(context.second, i, parts);
    hit.t = Math.min(1, all * parts - i);
    targets.search();
    if (!targets.found) continue;
    context.gap = pair.gap;
    hit.t = (i + hit.t) / parts;
    return true;
  }
  hit.t = all;
  return false;
}

/** Two surfaces. As `PairAlgorithm.castRotating`. */
export function castRotatingSurfaces(a: Surface, b: Surface, context: MovingPair, hit: CastHit): boolean {
  const { targets, movers } = scratchOf(context);
  const parts = partsOf(context);
  const all = hit.t;
  targets.mesh = meshOf(b);
  setReach(targets.surface, b);
  movers.mesh = meshOf(a);
  setReach(movers.surface, a);
  targets.hit = movers.hit = hit;
  movers.found = false;
  for (let i = 0; i < parts && i / parts <= all; i++) {
    movers.surface.loadPart(context.first, i, parts);
    targets.surface.loadPart(context.second, i, parts);
    hit.t = Math.min(1, all * parts - i);
    boxOfPath(b, targets.surface, movers.surface, movers.box);
    visitNear(movers.mesh, movers.box, movers);
    if (!movers.found) continue;
    context.gap = targets.pair.gap;
    hit.t = (i + hit.t) / parts;
    return true;
  }
  hit.t = all;
  return false;
}

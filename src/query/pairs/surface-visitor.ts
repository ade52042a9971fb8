/** What asks the triangles of a mesh about a convex shape, one by one. */
import { copyFrame, type Frame, makeFrame } from '../../convex/frame.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import type { TriangleVisitor } from '../../trimesh/visit-triangles.ts';
import { partedOnTheWay } from './convex-convex.ts';
import { TriangleCore } from './triangle-core.ts';

/** What the visitors have in common. */
export abstract class Visitor implements TriangleVisitor {
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

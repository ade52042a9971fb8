/**
 * A triangle whose corners move in straight lines against a convex shape that stands still and is known by its support map:
 * conservative advancement.
 *
 *        n
 *     ▲  │   /\  triangle       n points from the shape to the triangle, along the shortest line between them at t.
 *     │  │  /__\                The shape is below the plane n · x = h, h the farthest it goes along n.
 *   ──┼──┴──────── h            Heights of corners are linear in t: until the first comes down to h + separation,
 *    ( shape )                  there is no contact.
 *
 * So each step is exact along n, and never late; as n settles, the steps become those of Newton's method. The shortest
 * line is that of GJK, which is off by some 1e-15 of the sizes. Steps lead to half the tolerance above the separation, and end
 * within all of it: what is left is more than all rounding, on both sides.
 *
 * @internal
 */
import { ContextPool } from '../../convex/context-pool.ts';
import { type ConvexCore, supportCore } from '../../convex/core.ts';
import { makeFrame } from '../../convex/frame.ts';
import { gjkDistance, makeGjkResult } from '../../convex/gjk.ts';
import { makeGjkState } from '../../convex/gjk-state.ts';
import { refuse } from '../../math/check.ts';
import { inverseTransformPoint, transformPoint, transformVector } from '../../math/pose.ts';
import { type ReadonlyPose, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { closestOnTriangle } from '../../primitives/closest/triangle.ts';
import { makeTrianglePoint } from '../../primitives/closest/types.ts';
import { TriangleCore } from '../../trimesh/triangle-core.ts';
import type { MovingTriangle } from './moving-triangle.ts';

/** Of the reach of the shape and the farthest coordinates of the triangle, as the shape sees it: what is this near touches. */
const TOLERANCE = 1e-12;
/** Of the same: beyond this, a direction has nine digits or more. */
const CLEAR = 1e-6;
/** Beyond this, products of lengths leave the range. */
const MOST = 1e29;
/** Some ten are needed, a few thousand where a triangle turns along the surface. Reached, the time so far is the answer: early. */
const MOST_STEPS = 100_000;

/** One query. A user's support may ask the next one meanwhile. */
class TriangleCast {
  private t = 0.5;
  private radius = 0.5;
  /** Heights to come down to. */
  private near = 0.5;
  /** The corners at t = 0 and at t = 1, in the space of the shape. */
  private readonly p = new Float64Array(18);
  private readonly triangle = new TriangleCore();
  private readonly frame = makeFrame();
  private readonly state = makeGjkState();
  private readonly gjk = makeGjkResult();
  private readonly a = vec3(0.5, 0.5, 0.5);
  private readonly b = vec3(0.5, 0.5, 0.5);
  private readonly c = vec3(0.5, 0.5, 0.5);
  private readonly away = vec3(0.5, 0.5, 0.5);
  private readonly farthest = vec3(0.5, 0.5, 0.5);
  private readonly onTriangle = makeTrianglePoint();

  cast(core: ConvexCore, pose: ReadonlyPose, moving: MovingTriangle): boolean {
    const { gjk, state, triangle, frame } = this;
    const { separation } = moving;
    const size = core.reach + this.load(pose, moving) + separation;
    const tolerance = TOLERANCE * size;
    this.radius = core.radius;
    this.near = separation + 0.5 * tolerance;
    this.t = 0;
    for (let steps = 1; ; steps++) {
      this.poseTriangle();
      state.coreA = null; // the triangle changes under the same name: nothing is to be remembered
      gjkDistance(core, triangle.core, frame, state, gjk);
      const gap = gjk.cores === 'apart' ? gjk.coreDistance - core.radius : 0;
      if (!(gap > separation + tolerance) || steps === MOST_STEPS) break;
      const last = this.t;
      this.advance(core);
      if (this.t > 1) return false;
      if (!(this.t > last)) break;
    }
    this.write(pose, moving);
    // The direction between points that almost touch is rounding.
    if (!(gjk.cores === 'apart' && gjk.coreDistance > CLEAR * size)) this.writeNormal(moving, pose);
    return true;
  }

  /** Reads the corners. Returns the sum of the sizes of their coordinates. */
  private load(pose: ReadonlyPose, { numbers }: MovingTriangle): number {
    const { p, a } = this;
    let most = 0;
    for (let i = 0; i < 18; i += 3) {
      v3.set(numbers[i]!, numbers[i + 1]!, numbers[i + 2]!, a);
      inverseTransformPoint(pose, a, a);
      p[i] = a.x;
      p[i + 1] = a.y;
      p[i + 2] = a.z;
      most = Math.max(most, Math.abs(a.x) + Math.abs(a.y) + Math.abs(a.z));
    }
    if (!(most < MOST))
      refuse(
        'castDeforming',
        'positions0',
        `and positions1 must be within ${MOST} of a shape that is not made of triangles`,
      );
    return most;
  }

  /** Corner i at time t. */
  private corner(i: number, out: { x: number; y: number; z: number }): void {
    const { p, t } = this;
    const at = 3 * i;
    out.x = p[at]! + t * (p[at + 9]! - p[at]!);
    out.y = p[at + 1]! + t * (p[at + 10]! - p[at + 1]!);
    out.z = p[at + 2]! + t * (p[at + 11]! - p[at + 2]!);
  }

  /** Puts the triangle where it is at time t: about its first corner. */
  private poseTriangle(): void {
    const { a, b, c, frame, triangle } = this;
    const { data, core } = triangle;
    this.corner(0, a);
    this.corner(1, b);
    this.corner(2, c);
    frame.tx = a.x;
    frame.ty = a.y;
    frame.tz = a.z;
    data[3] = b.x - a.x;
    data[4] = b.y - a.y;
    data[5] = b.z - a.z;
    data[6] = c.x - a.x;
    data[7] = c.y - a.y;
    data[8] = c.z - a.z;
    let reach = 0;
    for (let i = 3; i < 9; i++) reach += Math.abs(data[i]!);
    core.reach = reach;
  }

  /** Moves t to when the plane across the shortest line stops to separate them; leaves it if it does not. */
  private advance(core: ConvexCore): void {
    const { p, away, farthest, t, a, b, c } = this;
    v3.negate(this.gjk.normal, away);
    const { x, y, z } = away;
    supportCore(core, away, -1, farthest);
    const base = x * farthest.x + y * farthest.y + z * farthest.z + this.radius + this.near;
    let until = Infinity;
    for (let i = 0; i < 3; i++) {
      const q = i === 0 ? a : i === 1 ? b : c;
      const now = x * q.x + y * q.y + z * q.z - base;
      const end = x * p[3 * i + 9]! + y * p[3 * i + 10]! + z * p[3 * i + 11]! - base;
      if (!(now > 0)) return;
      if (!(end > 0)) until = Math.min(until, t + (now / (now - end)) * (1 - t));
    }
    this.t = until;
  }

  private write(pose: ReadonlyPose, moving: MovingTriangle): void {
    const { gjk, a, b, c, onTriangle, t } = this;
    const { normal, point } = moving;
    moving.t = t;
    closestOnTriangle(gjk.pointB, a, b, c, onTriangle);
    const { u, v, w } = onTriangle;
    moving.u = u;
    moving.v = v;
    moving.w = w;
    transformPoint(pose, gjk.pointA, point);
    transformVector(pose, gjk.normal, normal);
  }

  /** The normal of the last plane: it separates them at time t still. In touch from the start: the way the triangle goes. */
  private writeNormal({ numbers: n, normal, u, v, w }: MovingTriangle, pose: ReadonlyPose): void {
    const { away } = this;
    if (this.t > 0) {
      transformVector(pose, v3.negate(away, away), normal);
      return;
    }
    away.x = u * (n[9]! - n[0]!) + v * (n[12]! - n[3]!) + w * (n[15]! - n[6]!);
    away.y = u * (n[10]! - n[1]!) + v * (n[13]! - n[4]!) + w * (n[16]! - n[7]!);
    away.z = u * (n[11]! - n[2]!) + v * (n[14]! - n[5]!) + w * (n[17]! - n[8]!);
    const length = v3.length(away);
    if (length > 0) v3.scale(away, 1 / length, normal);
  }
}

const casts = /* @__PURE__ */ new ContextPool(() => new TriangleCast());

/** Does it touch the shape? Fills in the answer if so. */
export function castTriangleConvex(core: ConvexCore, pose: ReadonlyPose, moving: MovingTriangle): boolean {
  const cast = casts.take();
  try {
    return cast.cast(core, pose, moving);
  } finally {
    casts.release();
  }
}

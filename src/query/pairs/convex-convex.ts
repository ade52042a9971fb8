/** Two convex shapes: GJK, the expanding polytope where they overlap, and conservative advancement. RTCD §9.5. */
import { OVERLAP, overlapBoxes, UNSURE } from '../../convex/box-overlap.ts';
import { castConvex } from '../../convex/cast.ts';
import { BOX, type ConvexCore } from '../../convex/core.ts';
import type { Frame } from '../../convex/frame.ts';
import { gjkDistance, gjkOverlap, makeGjkResult } from '../../convex/gjk.ts';
import { gjkRun } from '../../convex/gjk-run.ts';
import { makeGjkState } from '../../convex/gjk-state.ts';
import { convexManifold, makeManifold } from '../../convex/manifold.ts';
import { makePenetration, penetrationOfOverlap } from '../../convex/penetration.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { makeHit } from '../../primitives/types.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { copyPoint } from '../placed.ts';
import type { CastHit, Separation } from '../results.ts';
import { makeSeparation } from '../results.ts';
import { type ContactSink, clearParts, type PairAlgorithm } from './pair.ts';

/** What is asked of a convex shape. */
type Convex = Pick<ConvexShape, 'core' | 'faces'>;

const state = makeGjkState();
const gjk = makeGjkResult();
const deep = makePenetration();
const touch = makeHit();
const manifold = makeManifold();
const scratch = makeSeparation();

/**
 * How far apart two cores with their radii are, or how deep in each other. Nothing is written if that is more than
 * `maxDistance`.
 *
 * @internal
 */
export function separateCores(
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  maxDistance: number,
  out: Separation,
): boolean {
  state.coreA = null; // the cores of triangles change under the same name: nothing is to be remembered
  gjkDistance(a, b, frame, state, gjk);
  if (gjk.cores === 'apart') {
    const separation = gjk.coreDistance - a.radius - b.radius;
    if (!(separation <= maxDistance)) return false;
    out.separation = separation;
    copyPoint(gjk.pointA, out.pointA);
    copyPoint(gjk.pointB, out.pointB);
    copyPoint(gjk.normal, out.normal);
  } else {
    penetrationOfOverlap(a, b, frame, state, deep);
    if (!(-deep.depth <= maxDistance)) return false;
    out.separation = -deep.depth + 0;
    copyPoint(deep.a, out.pointA);
    copyPoint(deep.b, out.pointB);
    copyPoint(deep.normal, out.normal);
  }
  clearParts(out.partA, out.partB);
  return true;
}

/** @internal */
export function overlapCores(a: ConvexCore, b: ConvexCore, frame: Frame): boolean {
  if (a.type === BOX && b.type === BOX) {
    const told = overlapBoxes(a, b, frame);
    if (told !== UNSURE) return told === OVERLAP;
  }
  state.coreA = null;
  return gjkOverlap(a, b, frame, state);
}

/**
 * Is there a plane between the cores with their radii, as they stand, that stays between them when a goes back along the
 * motion? False when there may be none.
 *
 * @internal
 */
export function partedOnTheWay(a: ConvexCore, b: ConvexCore, frame: Frame, motion: ReadonlyVec3): boolean {
  state.coreA = null;
  gjkRun(a, b, frame, state, true);
  const { apart, direction, lower } = state.end;
  const size = a.reach + b.reach + Math.abs(frame.tx) + Math.abs(frame.ty) + Math.abs(frame.tz);
  return (
    apart &&
    lower > a.radius + b.radius + 16 * EPS64 * size &&
    direction.x * motion.x + direction.y * motion.y + direction.z * motion.z <= 0
  );
}

/**
 * A point of both of two cores with their radii that touch or overlap, in the space of the first: on the shortest way between
 * the cores, or where they are at one place.
 *
 * @internal
 */
export function sharedPoint(a: ConvexCore, b: ConvexCore, frame: Frame, out: Vec3): void {
  state.coreA = null;
  gjkDistance(a, b, frame, state, gjk);
  const { normal, pointB } = gjk;
  // On b, its radius off its core; but no farther than the core of a.
  const beyond = gjk.cores === 'apart' ? Math.max(0, b.radius - gjk.coreDistance) : 0;
  out.x = pointB.x - beyond * normal.x;
  out.y = pointB.y - beyond * normal.y;
  out.z = pointB.z - beyond * normal.z;
}

/** As `PairAlgorithm.cast`. A start in overlap has the normal of the penetration, and a point of both. @internal */
export function castCores(
  a: ConvexCore,
  motion: ReadonlyVec3,
  b: ConvexCore,
  frame: Frame,
  hit: CastHit,
): boolean {
  if (castConvex(a, b, frame, motion, undefined, touch) === null || !(touch.t <= hit.t)) return false;
  hit.t = touch.t;
  if (touch.t === 0) sharedPoint(a, b, frame, hit.point);
  else copyPoint(touch.point, hit.point);
  copyPoint(touch.normal, hit.normal);
  clearParts(hit.part, hit.moverPart);
  return true;
}

export const convexConvex: PairAlgorithm<ConvexShape, ConvexShape> = {
  name: 'GJK, expanding polytope, conservative advancement',
  intersects: (a, b, frame) => overlapCores(a.core, b.core, frame),
  separation: (a, b, frame, maxDistance, out) => separateCores(a.core, b.core, frame, maxDistance, out),
  gap: (a, b, frame, maxDistance, out) => separateCores(a.core, b.core, frame, maxDistance, out),
  contacts: contactsOfCores,
  cast: (a, motion, b, frame, hit) => castCores(a.core, motion, b.core, frame, hit),
};

/** @internal */
export function contactsOfCores(a: Convex, b: Convex, frame: Frame, margin: number, sink: ContactSink): void {
  if (!separateCores(a.core, b.core, frame, margin, scratch)) return;
  convexManifold(a, b, frame, scratch, manifold);
  for (let i = 0; i < manifold.count; i++) {
    const { a: onA, b: onB, separation: own } = manifold.points[i]!;
    if (!(own <= margin)) continue;
    scratch.separation = own;
    copyPoint(onA, scratch.pointA);
    copyPoint(onB, scratch.pointB);
    sink.add(scratch);
  }
}

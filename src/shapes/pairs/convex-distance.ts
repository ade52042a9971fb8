/** Two convex cores, apart or in each other: GJK, and the expanding polytope where they overlap. RTCD §9.3, §9.5. */
import { OVERLAP, overlapBoxes, UNSURE } from '../../convex/box-overlap.ts';
import { BOX, type ConvexCore } from '../../convex/core.ts';
import { gjkDistance, gjkOverlap, writeNearest } from '../../convex/gjk.ts';
import { gjkRun } from '../../convex/gjk-run.ts';
import { penetrationOfOverlap } from '../../convex/penetration.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { copyPoint } from '../body-space.ts';
import type { Separation } from '../results.ts';
import { clearParts } from './pair.ts';
import type { PairContext } from './pair-context.ts';

/** As `PairAlgorithm.separation`, of two cores with their radii. */
export function separateCores(a: ConvexCore, b: ConvexCore, context: PairContext, out: Separation): boolean {
  context.gjkState.coreA = null; // the cores of triangles change under the same name: nothing is to be remembered
  return separateMovedCores(a, b, context, out);
}

/** The same of cores that have moved since they were asked about with this context, if they were the last ones: starts from there. */
export function separateMovedCores(
  a: ConvexCore,
  b: ConvexCore,
  context: PairContext,
  out: Separation,
): boolean {
  const { frame, limit, gjkState } = context;
  gjkRun(a, b, frame, gjkState, false);
  const { end } = gjkState;
  if (end.apart) {
    const separation = end.distance - a.radius - b.radius;
    if (!(separation <= limit)) return false;
    out.separation = separation;
    writeNearest(a, b, frame, gjkState, out);
  } else {
    const { penetration: deep } = context;
    penetrationOfOverlap(a, b, frame, gjkState, deep);
    if (!(-deep.depth <= limit)) return false;
    out.separation = -deep.depth + 0;
    copyPoint(deep.a, out.pointA);
    copyPoint(deep.b, out.pointB);
    copyPoint(deep.normal, out.normal);
  }
  clearParts(out.partA, out.partB);
  return true;
}

/** Do two cores with their radii share a point? */
export function overlapCores(a: ConvexCore, b: ConvexCore, { frame, gjkState }: PairContext): boolean {
  if (a.type === BOX && b.type === BOX) {
    const answer = overlapBoxes(a, b, frame);
    if (answer !== UNSURE) return answer === OVERLAP;
  }
  gjkState.coreA = null;
  return gjkOverlap(a, b, frame, gjkState);
}

/**
 * Is there a plane between the cores with their radii, as they stand, that stays between them when a goes back along the
 * motion? False when there may be none.
 */
export function separatedBefore(
  a: ConvexCore,
  b: ConvexCore,
  { frame, gjkState }: PairContext,
  motion: ReadonlyVec3,
): boolean {
  gjkState.coreA = null;
  gjkRun(a, b, frame, gjkState, true);
  const { apart, direction, lower } = gjkState.end;
  const size = a.reach + b.reach + Math.abs(frame.tx) + Math.abs(frame.ty) + Math.abs(frame.tz);
  return (
    apart &&
    lower > a.radius + b.radius + 16 * EPS64 * size &&
    direction.x * motion.x + direction.y * motion.y + direction.z * motion.z <= 0
  );
}

/**
 * A point of both of two cores with their radii that touch or overlap, in the space of the first: on the shortest line between
 * the cores, or where they coincide.
 */
export function sharedPoint(a: ConvexCore, b: ConvexCore, context: PairContext, out: Vec3): void {
  const { frame, gjkState, gjkResult: gjk } = context;
  gjkState.coreA = null;
  gjkDistance(a, b, frame, gjkState, gjk);
  const { normal, pointB } = gjk;
  // On b, its radius off its core; but no farther than the core of a.
  const beyond = gjk.cores === 'apart' ? Math.max(0, b.radius - gjk.coreDistance) : 0;
  out.x = pointB.x - beyond * normal.x;
  out.y = pointB.y - beyond * normal.y;
  out.z = pointB.z - beyond * normal.z;
}

/** How deep two convex bodies are in each other. RTCD §9.5. */
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { mustBeAFrame } from './check.ts';
import { ContextPool } from './context-pool.ts';
import { type ConvexCore, CYLINDER, ELLIPSOID, NO_TABLE, PEELED } from './core.ts';
import { ExpandingPolytope, expandPolytope } from './expanding-polytope.ts';
import type { Frame } from './frame.ts';
import type { GjkResult } from './gjk.ts';
import { gjkDistance, makeGjkResult } from './gjk.ts';
import { type GjkState, makeGjkState } from './gjk-state.ts';
import { DifferencePoint, measureGap } from './minkowski.ts';

/** How two sets overlap, to the first of them. */
export interface Penetration {
  /** The length of the shortest translation that takes the sets apart. Negative when they are: how far. */
  depth: number;
  /** The depth is not less than this: the rest is what the approximation of curved sets leaves open. */
  lowerBound: number;
  /** Unit vector out of the second set towards the first: moving the first by depth times this takes them apart. */
  normal: Vec3;
  /** The point of the first set that is deepest in the second, on its surface. */
  a: Vec3;
  /** Of the second set in the first. */
  b: Vec3;
  /** How many support points of both it took. */
  iterations: number;
}

export const makePenetration = (): Penetration => ({
  depth: 0,
  lowerBound: 0,
  normal: vec3(),
  a: vec3(),
  b: vec3(),
  iterations: 0,
});

/** Cores that are nearer to each other, relative to their sizes, count as touching: their direction is rounding. */
const TOUCHING = 1e-12;

/** Of the sizes: the deepest points are no farther apart sideways. */
const SIDEWAYS = 5e-9;

/**
 * What is the shortest translation that takes two convex bodies apart? `frame` is the pose of b as a sees it; the
 * answer is in the space of a: moving a by depth times the normal, or b by as much the other way, leaves them touching.
 *
 * Bodies whose cores are apart, so that only their rounding overlaps (or not even that: then the depth is negative, minus
 * their distance), need no more than GJK. Otherwise a polytope expands towards the boundary of their difference. The depth
 * of polytopes is right to rounding, about 1e-15 of the sizes. Of curved bodies it is good to 1e-10 of the sizes, also if
 * they are nearly as deep in many directions (a small body near the axis of a cylinder, a cone or an ellipsoid); of those
 * known by a support map only, in that case, to 1e-4. `lowerBound` says what is proven. In any case the bodies come apart by the depth along the normal. Where the shortest translation is not
 * unique (concentric bodies), it is one of them. Flat bodies in one plane have depth 0 and the normal of the plane.
 *
 * Refuses a frame that is not finite; the cores have been looked at when they were made. Allocates nothing. A few
 * support points for polytopes, tens for curved bodies, a few hundred at most.
 */
export function penetration(
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  state: GjkState,
  out: Penetration = makePenetration(),
): Penetration {
  mustBeAFrame('penetration', frame);
  const context = contexts.take();
  try {
    gjkDistance(a, b, frame, state, context.gjk);
    if (areApart(a, b, context.gjk)) writeShallow(context, a, b, frame, out);
    else writeOverlap(context, a, b, frame, state, out);
  } finally {
    contexts.release();
  }
  return out;
}

/** The same where `gjkDistance` has just found, with that state, that the cores overlap. @internal */
export function penetrationOfOverlap(
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  state: GjkState,
  out: Penetration,
): void {
  const context = contexts.take();
  try {
    writeOverlap(context, a, b, frame, state, out);
  } finally {
    contexts.release();
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const makePeeled = (): Writable<ConvexCore> => ({
  type: PEELED,
  data: new Float64Array(4),
  radius: 0.5,
  reach: 0.5,
  center: vec3(),
  inner: 0,
  firstNeighbour: new Uint32Array(0),
  neighbours: new Uint32Array(0),
  table: NO_TABLE,
  custom: null,
  axisSearch: null,
});

class PenetrationContext {
  readonly gjk = makeGjkResult();
  readonly epa = new ExpandingPolytope();
  readonly support = new DifferencePoint();
  /** Of ellipsoids. */
  readonly peeledA = makePeeled();
  readonly peeledB = makePeeled();
  readonly peeledState = makeGjkState();
}

const contexts = new ContextPool(() => new PenetrationContext());

/** Are the cores clearly apart, as GJK has found? */
const areApart = (a: ConvexCore, b: ConvexCore, { cores, coreDistance }: GjkResult): boolean =>
  cores === 'apart' && coreDistance > TOUCHING * (a.reach + b.reach);

function writeOverlap(
  context: PenetrationContext,
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  state: GjkState,
  out: Penetration,
): void {
  if (a.type !== ELLIPSOID && b.type !== ELLIPSOID) {
    writeDeep(context, a, b, frame, state, out);
    return;
  }
  const { gjk, peeledState } = context;
  const first = peel(a, context.peeledA);
  const second = peel(b, context.peeledB);
  peeledState.count = 0;
  gjkDistance(first, second, frame, peeledState, gjk);
  if (areApart(first, second, gjk)) writeShallow(context, first, second, frame, out);
  else writeDeep(context, first, second, frame, peeledState, out);
}

/**
 * An ellipsoid is a smaller convex set rounded by a ball, if the ball is no larger than its sharpest curve: the least radius
 * squared, over the largest. What a ball takes is the same in all directions, and what is left of an ellipsoid that is
 * nearly a ball is small. Other cores are left as they are.
 */
function peel(core: ConvexCore, out: Writable<ConvexCore>): ConvexCore {
  if (core.type !== ELLIPSOID) return core;
  const { data } = core;
  const least = Math.min(data[0]!, data[1]!, data[2]!);
  const most = Math.max(data[0]!, data[1]!, data[2]!);
  const ball = least > 0 ? least * (least / most) : 0;
  out.data[0] = data[0]!;
  out.data[1] = data[1]!;
  out.data[2] = data[2]!;
  out.data[3] = ball;
  out.radius = core.radius + ball;
  out.reach = core.reach;
  out.axisSearch = core.axisSearch;
  return out;
}

function writeShallow(
  { gjk, support }: PenetrationContext,
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  out: Penetration,
): void {
  const { normal, pointA, pointB } = gjk;
  const radii = a.radius + b.radius;
  measureGap(a, b, frame, normal, support);
  out.depth = radii - support.gap;
  out.lowerBound = Math.min(radii - gjk.coreDistance, out.depth);
  copy(normal, out.normal);
  copy(pointA, out.a);
  copy(pointB, out.b);
  out.iterations = gjk.iterations;
}

function writeDeep(
  { gjk, epa }: PenetrationContext,
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  state: GjkState,
  out: Penetration,
): void {
  const iterations = state.iterations;
  const solid = expandPolytope(epa, a, b, frame, state);
  const { scale, best } = epa;
  out.depth = epa.least / scale;
  out.lowerBound = epa.lower / scale;
  out.normal.x = -best.x;
  out.normal.y = -best.y;
  out.normal.z = -best.z;
  if (solid) {
    copy(epa.a, out.a);
    copy(epa.b, out.b);
  } else {
    // A flat difference: the cores share the point that GJK finds, or have one as near as rounding can tell.
    gjkDistance(a, b, frame, state, gjk);
    const { cores, pointA, pointB, normal } = gjk;
    const radiusA = cores === 'apart' ? a.radius : 0;
    const radiusB = cores === 'apart' ? b.radius : 0;
    out.a.x = pointA.x + radiusA * normal.x;
    out.a.y = pointA.y + radiusA * normal.y;
    out.a.z = pointA.z + radiusA * normal.z;
    out.b.x = pointB.x - radiusB * normal.x;
    out.b.y = pointB.y - radiusB * normal.y;
    out.b.z = pointB.z - radiusB * normal.z;
  }
  const { x, y, z } = out.normal;
  // A curved body is as deep, to rounding, all around its deepest point: that goes to where the other one is. (At a sharp
  // corner, where it would leave the body, nothing is left to correct.)
  const wx = out.b.x - out.a.x;
  const wy = out.b.y - out.a.y;
  const wz = out.b.z - out.a.z;
  const along = wx * x + wy * y + wz * z;
  const sx = wx - along * x;
  const sy = wy - along * y;
  const sz = wz - along * z;
  const size = a.reach + b.reach;
  if (sx * sx + sy * sy + sz * sz > SIDEWAYS * SIDEWAYS * size * size) {
    const share = a.type < CYLINDER ? 0 : b.type < CYLINDER ? 1 : a.reach / size;
    out.a.x += share * sx;
    out.a.y += share * sy;
    out.a.z += share * sz;
    out.b.x -= (1 - share) * sx;
    out.b.y -= (1 - share) * sy;
    out.b.z -= (1 - share) * sz;
  }
  out.depth += a.radius + b.radius;
  out.lowerBound += a.radius + b.radius;
  out.a.x -= a.radius * x;
  out.a.y -= a.radius * y;
  out.a.z -= a.radius * z;
  out.b.x += b.radius * x;
  out.b.y += b.radius * y;
  out.b.z += b.radius * z;
  out.iterations = epa.probes + iterations;
}

/** `v3.copy`, which has a call in it that boxes numbers where it is not inlined. */
function copy({ x, y, z }: Vec3, out: Vec3): void {
  out.x = x;
  out.y = y;
  out.z = z;
}

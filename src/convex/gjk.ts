/** The distance of two convex bodies, the points where they are closest, and whether they overlap: GJK. RTCD §9.5. */

import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { mustBeGjkInput } from './check.ts';
import type { ConvexCore } from './core.ts';
import type { Frame } from './frame.ts';
import { CLEAR, POINT_ERROR } from './gjk-fast-path.ts';
import { gjkRun } from './gjk-run.ts';
import type { GjkState } from './gjk-state.ts';
import { refineWeights } from './simplex.ts';

const ORIGIN = vec3();

/** What `gjkDistance` finds. Everything in the space of the first body. */
export interface GjkResult {
  /** Of the cores. Those that are closer than rounding can tell, which is some 1e-15 of their sizes, overlap. */
  cores: 'apart' | 'overlapping';
  /** Of the bodies, their radii included. 0 when they touch or overlap. */
  distance: number;
  /** Of the cores: less than the sum of the radii when only the rounding of the bodies overlaps, by their depth. */
  coreDistance: number;
  /** No points of the bodies are closer: what is proven, at the latest step. */
  lowerBound: number;
  /**
   * The points where the bodies are closest; if only their rounding overlaps, where each is deepest in the other. If the
   * cores overlap, points of the cores that coincide.
   */
  readonly pointA: Vec3;
  readonly pointB: Vec3;
  /** A unit vector from the second body to the first. If the cores overlap, the last direction tried. */
  readonly normal: Vec3;
  /** How often support points were asked for. */
  iterations: number;
}

export const makeGjkResult = (): GjkResult => ({
  cores: 'apart',
  distance: 0,
  coreDistance: 0,
  lowerBound: 0,
  pointA: vec3(),
  pointB: vec3(),
  normal: vec3(),
  iterations: 0,
});

/**
 * How far apart are two convex bodies, and where are they closest? `frame` is the pose of b as a sees it. The answer is
 * exact for polytopes and as good as rounding allows for all kinds, about 1e-15 of the sizes and the offset of the bodies;
 * where points are not unique (parallel faces) it gives one pair. Of points that are no convex set it is the distance of
 * their hulls. If the cores overlap, `state` has the simplex that holds the origin: up to four points. RTCD §9.5.
 *
 * Refuses a frame that is not finite; the cores were checked when they were made. A few support points for polytopes,
 * some ten to fifty for curved cores, one or two if little has moved since the last run with the same `state`.
 */
export function gjkDistance(
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  state: GjkState,
  out: GjkResult = makeGjkResult(),
): GjkResult {
  try {
    gjkRun(a, b, frame, state, false);
  } catch (error) {
    mustBeGjkInput('gjkDistance', a, b, frame, state);
    throw error;
  }
  const { end } = state;
  const core = end.apart ? end.distance : 0;
  const radii = a.radius + b.radius;
  out.cores = end.apart ? 'apart' : 'overlapping';
  out.coreDistance = core;
  out.distance = Math.max(0, core - radii);
  // Rounding may put the proof above the thing proven.
  out.lowerBound = Math.max(0, Math.min(out.distance, end.lower - radii));
  out.iterations = state.iterations;
  writeNearest(a, b, frame, state, out);
  return out;
}

/** The points and the normal of `GjkResult`, after a run. @internal */
export function writeNearest(
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  state: GjkState,
  out: Pick<GjkResult, 'pointA' | 'pointB' | 'normal'>,
): void {
  const { end } = state;
  const { apart } = end;
  const { x, y, z } = end.direction;
  const inverse = 1 / Math.sqrt(x * x + y * y + z * z);
  const { normal } = out;
  normal.x = x * inverse;
  normal.y = y * inverse;
  normal.z = z * inverse;
  if (!end.weighed) refineWeights(state.w, state.count, state.weights, apart ? end : ORIGIN);
  writeWitnesses(frame, state, out);
  if (apart) {
    if (a.radius > 0) push(out.pointA, normal, -a.radius);
    if (b.radius > 0) push(out.pointB, normal, b.radius);
  }
}

/** The points of the cores that the nearest point of the simplex is the difference of. @internal */
export function writeWitnesses(f: Frame, state: GjkState, out: Pick<GjkResult, 'pointA' | 'pointB'>): void {
  const { a, b, weights, count } = state;
  // Three always, since weights of what is not there are zero: how many there are is nothing that a processor could guess.
  const u = weights[0]!;
  const v = weights[1]!;
  const w = weights[2]!;
  let ax = u * a[0]! + v * a[3]! + w * a[6]!;
  let ay = u * a[1]! + v * a[4]! + w * a[7]!;
  let az = u * a[2]! + v * a[5]! + w * a[8]!;
  let bx = u * b[0]! + v * b[3]! + w * b[6]!;
  let by = u * b[1]! + v * b[4]! + w * b[7]!;
  let bz = u * b[2]! + v * b[5]! + w * b[8]!;
  if (count === 4) {
    const last = weights[3]!;
    ax += last * a[9]!;
    ay += last * a[10]!;
    az += last * a[11]!;
    bx += last * b[9]!;
    by += last * b[10]!;
    bz += last * b[11]!;
  }
  const { pointA, pointB } = out;
  pointA.x = ax;
  pointA.y = ay;
  pointA.z = az;
  pointB.x = f.m00 * bx + f.m01 * by + f.m02 * bz + f.tx;
  pointB.y = f.m10 * bx + f.m11 * by + f.m12 * bz + f.ty;
  pointB.z = f.m20 * bx + f.m21 * by + f.m22 * bz + f.tz;
}

function push(p: Vec3, { x, y, z }: Vec3, by: number): void {
  p.x += by * x;
  p.y += by * y;
  p.z += by * z;
}

/**
 * Do two convex bodies share a point, their radii included? Touching counts. `frame` is the pose of b as a sees it. Ends
 * when the balls inside of them meet, at the first direction that separates them, or the first pair of points close
 * enough, long before the distance would be known; its answer is the same as `gjkDistance(…).distance === 0`. Refuses a
 * frame that is not finite. RTCD §9.5.
 */
export function gjkOverlap(a: ConvexCore, b: ConvexCore, frame: Frame, state: GjkState): boolean {
  try {
    if (innersMeet(a, b, frame)) {
      state.iterations = 0;
      return true;
    }
    gjkRun(a, b, frame, state, true);
  } catch (error) {
    mustBeGjkInput('gjkOverlap', a, b, frame, state);
    throw error;
  }
  const { end } = state;
  return !end.apart || end.distance <= a.radius + b.radius;
}

/** Do the balls about the centres that the bodies hold share a point, by a clear margin? Then so do the bodies. */
function innersMeet(a: ConvexCore, b: ConvexCore, f: Frame): boolean {
  const { tx, ty, tz } = f;
  const size = a.reach + b.reach + Math.abs(tx) + Math.abs(ty) + Math.abs(tz);
  const limit = a.inner + b.inner - CLEAR * POINT_ERROR * size;
  if (!(limit > 0)) return false;
  const { x: ax, y: ay, z: az } = a.center;
  const { x: bx, y: by, z: bz } = b.center;
  const x = ax - (f.m00 * bx + f.m01 * by + f.m02 * bz + tx);
  const y = ay - (f.m10 * bx + f.m11 * by + f.m12 * bz + ty);
  const z = az - (f.m20 * bx + f.m21 * by + f.m22 * bz + tz);
  return x * x + y * y + z * z < limit * limit;
}

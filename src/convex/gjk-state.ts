/** What GJK knows of a pair of bodies, from one run to the next. RTCD §9.5.5. */
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { ConvexCore } from './core.ts';
import { type MinNorm, makeMinNorm } from './simplex.ts';

/**
 * One for each pair of bodies that is asked about again and again: the next run starts from where the last one ended, and
 * needs a step or two if little has moved. A hint only: for another pair of cores it is ignored, and whatever it holds,
 * the answer is as good as without. It can be thrown away at any time, and used for one pair after another. While a run
 * is under way it is in use: a support map that asks a query of its own needs another one.
 *
 * After a run it holds the simplex in which that ended: `count` points of the first core minus the second that have the
 * nearest point to the origin (or the origin itself) in their hull.
 */
export interface GjkState {
  /** The cores of the last run. */
  coreA: ConvexCore | null;
  coreB: ConvexCore | null;
  /** How many points the simplex has: 0 to 4. */
  count: number;
  /** The points of the first core, three numbers each. */
  readonly a: Float64Array;
  /** The points of the second core, in its own space. */
  readonly b: Float64Array;
  /** The first minus the second, in the space of the first, for the frame of the last run. */
  readonly w: Float64Array;
  /** The nearest point is the sum of the points of `w`, each times its weight. */
  readonly weights: Float64Array;
  /** The numbers that `supportCore` gave the points, -1 where there are none. */
  readonly indexA: Int32Array;
  readonly indexB: Int32Array;
  /** How often the last run asked for support points. */
  iterations: number;
  /** How the last run ended. @internal */
  readonly end: GjkEnd;
}

/** How a run ended. @internal */
export class GjkEnd {
  /** Do the cores not share a point, as far as rounding can tell? */
  apart = true;
  /** The nearest point of the difference to the origin. */
  x = 0.5;
  y = 0.5;
  z = 0.5;
  /** The direction from the second core to the first, of any length. */
  readonly direction: Vec3 = vec3(0.5, 0.5, 0.5);
  /** The length of the nearest point, or of one before it that is less by a rounding. */
  distance = 0.5;
  /** No points of the cores are closer. */
  lower = 0.5;
  /** Do the weights of the state make the nearest point, to rounding? */
  weighed = false;
  /** Of the fast path: the slots of the simplex, a bit for each, and the one that was filled last. */
  mask = 0;
  newest = 0;
  /** How far from the nearest point that may be which the weights make. */
  slack = 0.5;
  /** What a step has found. */
  readonly nearest: MinNorm = makeMinNorm();
  /** Along which support points are asked for, and where they are written. */
  readonly toward: Vec3 = vec3(0.5, 0.5, 0.5);
  readonly point: Vec3 = vec3(0.5, 0.5, 0.5);
}

/** One that knows nothing yet. */
export const makeGjkState = (): GjkState => ({
  coreA: null,
  coreB: null,
  count: 0,
  a: new Float64Array(12),
  b: new Float64Array(12),
  w: new Float64Array(12),
  weights: new Float64Array(4),
  indexA: new Int32Array(4),
  indexB: new Int32Array(4),
  iterations: 0,
  end: new GjkEnd(),
});

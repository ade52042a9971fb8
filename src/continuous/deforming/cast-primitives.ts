/**
 * The first contact of a vertex and a face, or of two edges, while every vertex moves in a straight line. The answer is exact:
 * nothing is missed and nothing is made up, degenerate input included. `filter.ts` decides almost all, in doubles with bounds
 * on all rounding; `exact-contact.ts` the rest, in whole numbers.
 */
import {
  ANY_FINITE,
  checkNumbers,
  mustBeOptions,
  mustNotBeNegative,
  refuse,
  refuseType,
} from '../../math/check.ts';
import { type DeformingHit, makeDeformingHit, PairCast } from './pair-cast.ts';

export interface DeformingPairOptions {
  /** They touch when they are as near as this. Default: 0. */
  readonly separation?: number;
}

/** The answers to many questions. */
export interface DeformingTimes {
  /** For each: when they touch first; Infinity if they never do. */
  readonly t: Float64Array;
}

const pair = /* @__PURE__ */ new PairCast();

/**
 * When does a vertex first touch a triangle? `start` has twelve numbers: x, y, z of the vertex and of the three corners at t = 0;
 * `end` has the same at t = 1. In between each moves in a straight line.
 *
 * Both are closed: touching at a corner, an edge, at t = 0 or at t = 1 counts. The triangle may be a segment or a point, and
 * all may stay in one plane or at rest. The time is never later than the exact one, and earlier by at most 1e-12 of it
 * (or by 5e-324). Any finite numbers will do.
 *
 * @returns the first contact; null if there is none
 */
export function castVertexFace(
  start: ArrayLike<number>,
  end: ArrayLike<number>,
  options: DeformingPairOptions = {},
  out?: DeformingHit,
): DeformingHit | null {
  return castOne('castVertexFace', start, end, options, out);
}

/**
 * When do two edges first touch? `start` has twelve numbers: x, y, z of the two ends of the first edge, and of those of the
 * second, at t = 0; `end` has the same at t = 1. For the rest see `castVertexFace`.
 *
 * @returns the first contact; null if there is none
 */
export function castEdgeEdge(
  start: ArrayLike<number>,
  end: ArrayLike<number>,
  options: DeformingPairOptions = {},
  out?: DeformingHit,
): DeformingHit | null {
  return castOne('castEdgeEdge', start, end, options, out);
}

/** `castVertexFace` for many: `starts` and `ends` have twelve numbers for each. The times of `out` are written over. */
export function castVertexFaceMany(
  starts: ArrayLike<number>,
  ends: ArrayLike<number>,
  options: DeformingPairOptions = {},
  out?: DeformingTimes,
): DeformingTimes {
  return castMany('castVertexFaceMany', starts, ends, options, out);
}

/** `castEdgeEdge` for many: `starts` and `ends` have twelve numbers for each. The times of `out` are written over. */
export function castEdgeEdgeMany(
  starts: ArrayLike<number>,
  ends: ArrayLike<number>,
  options: DeformingPairOptions = {},
  out?: DeformingTimes,
): DeformingTimes {
  return castMany('castEdgeEdgeMany', starts, ends, options, out);
}

function checkOptions(caller: string, options: DeformingPairOptions): void {
  mustBeOptions(caller, 'options', options, 'separation');
  const { separation = 0 } = options;
  // Looked at here first: a number that is passed on would be boxed.
  if (!(typeof separation === 'number' && separation >= 0 && separation < Infinity))
    mustNotBeNegative(caller, 'options.separation', separation);
}

function castOne(
  caller: string,
  start: ArrayLike<number>,
  end: ArrayLike<number>,
  options: DeformingPairOptions,
  out: DeformingHit | undefined,
): DeformingHit | null {
  const isFace = caller === 'castVertexFace';
  checkOptions(caller, options);
  checkNumbers(caller, 'start', start, ANY_FINITE);
  checkNumbers(caller, 'end', end, ANY_FINITE);
  if (start.length !== 12) refuse(caller, 'start', `must have twelve numbers, got ${start.length}`);
  if (end.length !== 12) refuse(caller, 'end', `must have twelve numbers, got ${end.length}`);
  pair.separation = options.separation ?? 0;
  for (let i = 0; i < 12; i++) {
    pair.numbers[i] = start[i]!;
    pair.numbers[i + 12] = end[i]!;
  }
  if (!pair.cast(isFace)) return null;
  const hit = out ?? makeDeformingHit();
  pair.write(isFace, hit);
  return hit;
}

/** Checks the lists of a batch, and returns how many pairs they hold. @internal */
export function checkMany(
  caller: string,
  starts: ArrayLike<number>,
  ends: ArrayLike<number>,
  options: DeformingPairOptions,
  out: DeformingTimes | undefined,
): number {
  checkOptions(caller, options);
  checkNumbers(caller, 'starts', starts, ANY_FINITE);
  checkNumbers(caller, 'ends', ends, ANY_FINITE);
  if (starts.length % 12 !== 0)
    refuse(caller, 'starts', `must have twelve numbers for each, got ${starts.length}`);
  if (ends.length !== starts.length)
    refuse(caller, 'ends', `must be as many as starts, ${starts.length}; got ${ends.length}`);
  const count = starts.length / 12;
  if (out === undefined) return count;
  if (!(out.t instanceof Float64Array)) refuseType(caller, 'out.t', 'a Float64Array', out.t);
  if (out.t.length < count) refuse(caller, 'out.t', `must have room for ${count} times, has ${out.t.length}`);
  return count;
}

function castMany(
  caller: string,
  starts: ArrayLike<number>,
  ends: ArrayLike<number>,
  options: DeformingPairOptions,
  out: DeformingTimes | undefined,
): DeformingTimes {
  const isFace = caller === 'castVertexFaceMany';
  const count = checkMany(caller, starts, ends, options, out);
  const to = out ?? { t: new Float64Array(count) };
  pair.separation = options.separation ?? 0;
  const { numbers } = pair;
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 12; k++) {
      numbers[k] = starts[12 * i + k]!;
      numbers[k + 12] = ends[12 * i + k]!;
    }
    if (pair.cast(isFace)) to.t[i] = pair.t;
    else to.t[i] = Infinity;
  }
  return to;
}

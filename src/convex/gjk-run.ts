/**
 * The loop of GJK: towards the point of the Minkowski difference of two cores that is nearest to the origin. RTCD §9.5.
 *
 * v is the nearest point of the simplex so far, w the difference's farthest point along -v. All of the difference lies
 * beyond the plane through w perpendicular to v, so |v| >= distance >= v·w / |v|: each step gives an upper and a lower
 * bound, and `gap` = v·(v - w) is what is between them, times |v|. The loop ends when
 * - the origin is inside of the simplex (exactly), or |v| is no more than rounding of the points: the cores touch;
 * - the gap is no more than rounding of the points: v is as good as it can get;
 * - w is in the simplex already, or takes v no closer: no better v can be computed. First, once, the simplex is solved
 *   again over all of its subsets, and from then on always. (Turning v by a small angle changes its length by the square
 *   of that, which rounding swallows long before the gap is closed: a few steps may leave the length as it is.)
 * But for those few, |v| falls strictly from step to step, as a number: no simplex comes twice, and there is an end. For
 * polytopes, whose simplices are finitely many, it comes after a few steps; towards curved cores the gap shrinks by a
 * factor a step.
 */
import { FARTHEST, mustBeAFrame } from './check.ts';
import type { ConvexCore } from './core.ts';
import { POLYTOPE, supportCore } from './core.ts';
import type { Frame } from './frame.ts';
import {
  CLEAR,
  gjkFastPath,
  INSIDE,
  NEAREST,
  POINT_ERROR,
  SEPARATED,
  TOUCHING,
  weighNearest,
} from './gjk-fast-path.ts';
import type { GjkState } from './gjk-state.ts';
import { nearestInSimplex, nearestWithNewest } from './simplex.ts';

/**
 * Far more than ever needed: polytopes take a few steps and the thinnest of ellipsoids less than a hundred. Reached, the
 * bounds of the last step are the answer.
 */
const MOST_STEPS = 500;

/** Steps that do not make |v| smaller, as a number. */
const MOST_PLATEAUS = 24;

/**
 * Runs until the end, which is written to `state.end`, or (with `decide`) until it is known whether the cores are more than
 * the sum of their radii apart: then the `distance` at the end is still right about that.
 *
 * @internal
 */
export function gjkRun(a: ConvexCore, b: ConvexCore, f: Frame, state: GjkState, decide: boolean): void {
  state.end.weighed = false;
  const cold = state.count === 0 || state.coreA !== a || state.coreB !== b;
  if (cold) {
    state.coreA = a;
    state.coreB = b;
    state.count = 0;
    state.iterations = 0;
    // The last steps towards curved cores are short ones, which need care.
    const curved = a.type > POLYTOPE || b.type > POLYTOPE;
    if (curved || !tryFastPath(a, b, f, state, decide)) iterate(a, b, f, state, decide);
    return;
  }
  state.iterations = 0;
  iterate(a, b, f, state, decide);
}

/** From the simplex of the state on. */
function iterate(a: ConvexCore, b: ConvexCore, f: Frame, state: GjkState, decide: boolean): void {
  const { m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz } = f;
  const offset = Math.abs(tx) + Math.abs(ty) + Math.abs(tz);
  if (!((m00 + m01 + m02 + m10 + m11 + m12 + m20 + m21 + m22) * 0 === 0 && offset <= FARTHEST))
    mustBeAFrame(decide ? 'gjkOverlap' : 'gjkDistance', f);
  const { w, indexA, indexB, weights, end } = state;
  const { nearest: found, toward: direction, point } = end;
  const pa = state.a;
  const pb = state.b;
  const size = a.reach + b.reach + offset;
  const floor = POINT_ERROR * size;
  const radii = a.radius + b.radius;
  let mask = 0;
  let vx = 0;
  let vy = 0;
  let vz = 0;
  let sq = Infinity;
  let least = Infinity;
  let hintA = -1;
  let hintB = -1;
  let apart = true;
  let lower = -Infinity;
  let nx = 1;
  let ny = 0;
  let nz = 0;
  let steps = state.iterations;
  let careful = false;
  let plateaus = 0;
  let stalled = false;

  if (state.count > 0) {
    // The points are points of the cores still: only where the second ones stand has changed.
    let heaviest = 0;
    for (let i = 0, at = 0; i < state.count; i++, at += 3) {
      const x = pb[at]!;
      const y = pb[at + 1]!;
      const z = pb[at + 2]!;
      w[at] = pa[at]! - (m00 * x + m01 * y + m02 * z + tx);
      w[at + 1] = pa[at + 1]! - (m10 * x + m11 * y + m12 * z + ty);
      w[at + 2] = pa[at + 2]! - (m20 * x + m21 * y + m22 * z + tz);
      if (weights[i]! > weights[heaviest]!) heaviest = i;
    }
    hintA = indexA[heaviest]!;
    hintB = indexB[heaviest]!;
    nearestWithNewest(w, (1 << state.count) - 1, heaviest, found);
    mask = found.kept;
    vx = found.x;
    vy = found.y;
    vz = found.z;
    sq = found.sq;
    least = sq;
    for (let i = 0; i < 4; i++) weights[i] = found.weights[i]!;
    if (found.inside) apart = false;
  }
  if (!(sq > 0 && sq < Infinity)) {
    const { x: ax, y: ay, z: az } = a.center;
    const { x: bx, y: by, z: bz } = b.center;
    vx = ax - (m00 * bx + m01 * by + m02 * bz + tx);
    vy = ay - (m10 * bx + m11 * by + m12 * bz + ty);
    vz = az - (m20 * bx + m21 * by + m22 * bz + tz);
    if (!(vx * vx + vy * vy + vz * vz > 0)) vx = 1;
  }

  while (apart) {
    if (sq <= floor * floor) {
      apart = false;
      break;
    }
    if ((decide && sq <= radii * radii) || steps === MOST_STEPS) break;
    steps++;
    direction.x = -vx;
    direction.y = -vy;
    direction.z = -vz;
    const nextA = supportCore(a, direction, hintA, point);
    const { x: ax, y: ay, z: az } = point;
    direction.x = m00 * vx + m10 * vy + m20 * vz;
    direction.y = m01 * vx + m11 * vy + m21 * vz;
    direction.z = m02 * vx + m12 * vy + m22 * vz;
    const nextB = supportCore(b, direction, hintB, point);
    const { x: bx, y: by, z: bz } = point;
    const wx = ax - (m00 * bx + m01 * by + m02 * bz + tx);
    const wy = ay - (m10 * bx + m11 * by + m12 * bz + ty);
    const wz = az - (m20 * bx + m21 * by + m22 * bz + tz);
    hintA = nextA;
    hintB = nextB;

    const length = Math.sqrt(vx * vx + vy * vy + vz * vz);
    const bound = (vx * wx + vy * wy + vz * wz) / length;
    if (bound > lower) {
      lower = bound;
      nx = vx;
      ny = vy;
      nz = vz;
    }
    if (decide && lower > radii + floor) break;
    // Of a first direction, which is no point of a simplex, there is no more to learn.
    const gap = vx * (vx - wx) + vy * (vy - wy) + vz * (vz - wz);
    if (mask !== 0) {
      if (!(gap > floor * length)) break;
      if (plateaus > MOST_PLATEAUS) {
        stalled = true;
        break;
      }
    }

    if (holds(w, mask, wx, wy, wz)) {
      if (careful) {
        stalled = true;
        break;
      }
      careful = true;
      nearestInSimplex(w, mask, found);
    } else {
      const free = 31 - Math.clz32(~mask & (mask + 1));
      const at = 3 * free;
      w[at] = wx;
      w[at + 1] = wy;
      w[at + 2] = wz;
      pa[at] = ax;
      pa[at + 1] = ay;
      pa[at + 2] = az;
      pb[at] = bx;
      pb[at + 1] = by;
      pb[at + 2] = bz;
      indexA[free] = nextA;
      indexB[free] = nextB;
      const all = mask | (1 << free);
      if (careful) nearestInSimplex(w, all, found);
      else nearestWithNewest(w, all, free, found);
      // No farther, as far as rounding can tell, and something else.
      const limit = sq + length * floor;
      if (!careful && !(found.sq < sq || (found.sq <= limit && found.kept !== mask))) {
        careful = true;
        nearestInSimplex(w, all, found);
      }
      if (!(found.sq < sq || (found.sq <= limit && found.kept !== mask))) {
        stalled = true;
        break;
      }
    }
    if (found.inside) apart = false;
    if (!(found.sq < sq)) plateaus++;
    mask = found.kept;
    sq = found.sq;
    if (sq < least) least = sq;
    for (let i = 0; i < 4; i++) weights[i] = found.weights[i]!;
    if (sq > 0) {
      vx = found.x;
      vy = found.y;
      vz = found.z;
    }
  }
  // Not inside, but not proven apart either, and nothing to decide by: at least there are points this close to each other.
  if (stalled && !(lower > 0)) apart = false;
  compact(state, mask);
  state.iterations = steps;
  end.apart = apart;
  end.x = vx;
  end.y = vy;
  end.z = vz;
  // If the last direction could not be improved, an earlier one may have been better: that of `lower`.
  const earlier = stalled || decide;
  end.direction.x = earlier ? nx : vx;
  end.direction.y = earlier ? ny : vy;
  end.direction.z = earlier ? nz : vz;
  end.distance = Math.sqrt(least);
  end.lower = lower;
}

/** Tries the fast path. True when that was all; otherwise the state has the simplex to continue from. */
function tryFastPath(a: ConvexCore, b: ConvexCore, f: Frame, state: GjkState, decide: boolean): boolean {
  const { weights, end } = state;
  const ending = gjkFastPath(a, b, f, state, decide);
  const { mask, newest, x, y, z, direction } = end;
  let isDone = false;
  if (ending === NEAREST && !decide) {
    const length = Math.sqrt(x * x + y * y + z * z);
    const floor = POINT_ERROR * (a.reach + b.reach + Math.abs(f.tx) + Math.abs(f.ty) + Math.abs(f.tz));
    // No points are closer than the bound; and some are this close, if there are weights that make them. What is as good
    // as touching is left to the same steps that decide about that: the two must not say different things.
    const clear = Math.abs(length - (a.radius + b.radius)) > CLEAR * floor;
    if (clear && length > CLEAR * floor && length - end.lower <= 2 * floor) {
      end.slack = floor;
      compact(state, mask);
      if (weighNearest(state)) {
        end.apart = true;
        end.weighed = true;
        direction.x = x;
        direction.y = y;
        direction.z = z;
        end.distance = length;
        return true;
      }
      return false; // the heaviest is a hint
    }
  } else if (ending === INSIDE) {
    isDone = true;
    end.apart = false;
    if (!decide) {
      const { nearest } = end;
      nearestWithNewest(state.w, mask, newest, nearest);
      isDone = nearest.inside;
      for (let i = 0; i < 4; i++) weights[i] = nearest.weights[i]!;
      direction.x = x;
      direction.y = y;
      direction.z = z;
      end.distance = 0;
      end.lower = 0;
    }
  } else if (ending === SEPARATED) {
    isDone = true;
    end.apart = true;
    end.distance = Infinity;
  } else if (ending === TOUCHING) {
    isDone = true;
    end.apart = true;
    end.distance = 0;
    end.lower = 0;
  }
  if (decide || !isDone) {
    // Only the heaviest counts, as a hint.
    for (let i = 0; i < 4; i++) weights[i] = 0;
    weights[newest] = 1;
  }
  compact(state, mask);
  return isDone;
}

function holds(w: Float64Array, mask: number, x: number, y: number, z: number): boolean {
  for (let i = 0, at = 0; i < 4; i++, at += 3)
    if ((mask & (1 << i)) !== 0 && w[at] === x && w[at + 1] === y && w[at + 2] === z) return true;
  return false;
}

/** Moves the points that are kept to the first slots. The weights of the others are zero from now on. @internal */
export function compact(state: GjkState, mask: number): void {
  // Most often they are there already.
  if ((mask & (mask + 1)) !== 0) moveToFront(state, mask);
  const count = (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + (mask >> 3);
  const { weights } = state;
  for (let i = count; i < 4; i++) weights[i] = 0;
  state.count = count;
}

function moveToFront(state: GjkState, mask: number): void {
  const { a, b, w, weights, indexA, indexB } = state;
  let count = 0;
  for (let i = 0; i < 4; i++) {
    if ((mask & (1 << i)) === 0) continue;
    if (i !== count) {
      for (let k = 0; k < 3; k++) {
        a[3 * count + k] = a[3 * i + k]!;
        b[3 * count + k] = b[3 * i + k]!;
        w[3 * count + k] = w[3 * i + k]!;
      }
      weights[count] = weights[i]!;
      indexA[count] = indexA[i]!;
      indexB[count] = indexB[i]!;
    }
    count++;
  }
}

/**
 * First contacts of any motion, of which only bounds are known: the caller says how far anything moves, and how far
 * apart things are (or whether they touch). Everything before the time that comes back is proven free: never late.
 * RTCD §5.5, §5.5.1.
 *
 * For motions of which nothing but bounds is known. Production knows its motions: `convex/cast.ts` for translations,
 * `query/turning-cast.ts` and `continuous/` for rotations.
 */
import { describe, mustBeFunction, mustBeNumber, refuse } from '../../math/check.ts';
import type { TimeHit } from '../../primitives/sweep/types.ts';
import { makeTimeHit } from '../../primitives/sweep/types.ts';

/**
 * How far can any point of either thing move, relative to the other, between the two times? An upper bound, which must
 * go to zero as the times come together.
 */
export type MovementBound = (from: number, to: number) => number;

/** How far apart are the things at this time? A lower bound will do; zero or less when they touch. */
export type DistanceAt = (t: number) => number;

/** Do the things touch at this time, when one of them is grown by `margin` on all sides? */
export type TouchesAt = (t: number, margin: number) => boolean;

/** Below this, an interval of [0, 1] can no longer be halved with any effect. */
const SHORTEST = Number.EPSILON;

/**
 * When do two moving things first touch, looked at in samples? Null when they do not. Otherwise a time by which nothing
 * has touched: within 2 `margin` of movement after it they touch, or come as near as `margin`.
 *
 * Samples are spaced by movement, not by time: the motion within half a sample is at most `margin`, and so the thing
 * grown by `margin` at the sample covers all that it sweeps around it. Nothing thin is lost between samples. The work is
 * proportional to the movement; `sweepByHalving` does better where distances can be had. RTCD §5.5.
 *
 * @param maxSteps when that many samples did not do, the result is `capped`: free until `t`, unknown thereafter
 */
export function sweepBySamples(
  movement: MovementBound,
  touches: TouchesAt,
  margin: number,
  maxSteps = 100_000,
  out?: TimeHit,
): TimeHit | null {
  mustBeNumber('sweepBySamples', 'maxSteps', maxSteps);
  mustBeFunction('sweepBySamples', 'movement', movement);
  mustBeFunction('sweepBySamples', 'touches', touches);
  mustBeNumber('sweepBySamples', 'margin', margin);
  const caller = 'sweepBySamples';
  if (!(margin > 0 && margin < Infinity))
    refuse(caller, 'margin', `must be a number above 0, got ${describe(margin)}`);
  mustBeCount(caller, maxSteps);
  let from = 0;
  let stride = 1;
  for (let steps = 0; from < 1; steps++) {
    let to = Math.min(1, from + stride);
    let middle = 0.5 * (from + to);
    while (
      !(bound(caller, movement, from, middle) <= margin && bound(caller, movement, middle, to) <= margin)
    ) {
      stride = 0.5 * (to - from);
      // The bound does not shrink with the time: no sample can be trusted.
      if (stride < SHORTEST) return report(from, steps, true, out);
      to = from + stride;
      middle = 0.5 * (from + to);
    }
    if (steps >= maxSteps) return report(from, steps, true, out);
    if (touches(middle, margin)) return report(from, steps + 1, false, out);
    from = to;
    stride *= 2;
  }
  return null;
}

/**
 * When do two moving things first touch, by halving the time? Null when they do not. Intervals in which the distance
 * at the middle exceeds the movement to either end are free; others are halved, the earlier half first, down to the
 * length `epsilon`, where a contact is assumed. So t is at most an `epsilon` early for things that close in, and a
 * near miss within the movement of an `epsilon` may be taken for a contact. RTCD §5.5.1.
 *
 * @param epsilon the shortest interval, as a fraction of the motion
 * @param maxSteps bounds the work for things that slide along each other at a small distance: when that many intervals
 * did not do, the result is `capped`: free until `t`, unknown thereafter
 */
export function sweepByHalving(
  movement: MovementBound,
  distance: DistanceAt,
  epsilon = 1e-6,
  maxSteps = 10_000,
  out?: TimeHit,
): TimeHit | null {
  mustBeNumber('sweepByHalving', 'maxSteps', maxSteps);
  mustBeFunction('sweepByHalving', 'movement', movement);
  mustBeFunction('sweepByHalving', 'distance', distance);
  mustBeNumber('sweepByHalving', 'epsilon', epsilon);
  const caller = 'sweepByHalving';
  if (!(epsilon > 0 && epsilon < Infinity))
    refuse(caller, 'epsilon', `must be a number above 0, got ${describe(epsilon)}`);
  mustBeCount(caller, maxSteps);
  if (gap(caller, distance, 0) <= 0) return report(0, 1, false, out);
  // The interval at hand is number `index` of the 2^level equal parts of the motion: no stack is needed.
  let index = 0;
  let width = 1;
  for (let steps = 1; ; steps++) {
    const from = index * width;
    if (steps >= maxSteps) return report(from, steps, true, out);
    const middle = from + 0.5 * width;
    const to = from + width;
    const apart = gap(caller, distance, middle);
    if (apart > bound(caller, movement, from, middle) && apart > bound(caller, movement, middle, to)) {
      // Free. On to the next interval, as long as an even number of this length is left behind: then to its parent's.
      index++;
      while (width < 1 && index % 2 === 0) {
        index /= 2;
        width *= 2;
      }
      if (index * width >= 1) return null;
    } else if (width <= epsilon || width <= SHORTEST) return report(from, steps + 1, false, out);
    else {
      index *= 2;
      width *= 0.5;
    }
  }
}

/**
 * When do two moving things first touch, by conservative advancement: time moves on by the distance over the highest
 * speed, which cannot pass a contact, until they are within `tolerance`. Null when they are not by the end. A near miss
 * within `tolerance` is taken for a contact. RTCD §5.5.1; Mirtich 1996.
 *
 * @param maxSpeed a bound on how fast points of the things approach each other, per unit of t
 * @param maxSteps when that many steps did not do, the result is `capped`: free until `t`, unknown thereafter
 */
export function sweepByAdvancement(
  distance: DistanceAt,
  maxSpeed: number,
  tolerance: number,
  maxSteps = 10_000,
  out?: TimeHit,
): TimeHit | null {
  mustBeNumber('sweepByAdvancement', 'maxSteps', maxSteps);
  mustBeFunction('sweepByAdvancement', 'distance', distance);
  mustBeNumber('sweepByAdvancement', 'maxSpeed', maxSpeed);
  mustBeNumber('sweepByAdvancement', 'tolerance', tolerance);
  const caller = 'sweepByAdvancement';
  if (!(maxSpeed >= 0 && maxSpeed < Infinity))
    refuse(caller, 'maxSpeed', `must not be negative, got ${describe(maxSpeed)}`);
  if (!(tolerance > 0 && tolerance < Infinity))
    refuse(caller, 'tolerance', `must be a number above 0, got ${describe(tolerance)}`);
  mustBeCount(caller, maxSteps);
  let t = 0;
  for (let steps = 1; ; steps++) {
    const apart = gap(caller, distance, t);
    if (apart <= tolerance) return report(t, steps, false, out);
    const next = t + apart / maxSpeed;
    if (!(next <= 1)) return null;
    if (steps >= maxSteps || next === t) return report(t, steps, true, out);
    t = next;
  }
}

function mustBeCount(caller: string, maxSteps: number): void {
  if (!(maxSteps >= 1)) refuse(caller, 'maxSteps', `must be at least 1, got ${describe(maxSteps)}`);
}

function bound(caller: string, movement: MovementBound, from: number, to: number): number {
  const value = movement(from, to);
  if (!(value >= 0))
    refuse(caller, 'movement', `must give a length, got ${describe(value)} for ${from} to ${to}`);
  return value;
}

function gap(caller: string, distance: DistanceAt, t: number): number {
  const value = distance(t);
  if (typeof value !== 'number' || Number.isNaN(value))
    refuse(caller, 'distance', `must give a length, got ${describe(value)} at ${t}`);
  return value;
}

function report(t: number, steps: number, capped: boolean, out: TimeHit = makeTimeHit()): TimeHit {
  out.t = t;
  out.steps = steps;
  out.capped = capped;
  return out;
}

/**
 * Bodies by plain definitions: which points they have. What a query says of two of them is checked by points of both, drawn at random
 * and moved at random to where they are nearest: no search of the library takes part. Of what is no field, points are those
 * that `closestPoint` finds, which has oracles of its own.
 */
import { inverseTransformPoint as toLocal, transformPoint as toWorld } from '../../src/math/pose.ts';
import { type ReadonlyPose, type ReadonlyVec3, type Vec3, vec3 } from '../../src/math/types.ts';
import * as v3 from '../../src/math/vec3.ts';
import { closestPoint } from '../../src/query/closest-point.ts';
import type { Shape } from '../../src/shapes/shape.ts';
import type { Rng } from './rng.ts';

export interface PlainBody {
  readonly shape: Shape;
  /** How exact its distances are said to be, for a size of about 1. */
  readonly accuracy: number;
  /** Not above 0 for its points, and no more than the distance from them elsewhere; of what is thin never below 0. */
  value(p: ReadonlyVec3): number;
  /** A point of it that is near to p, or null if there is none at hand. */
  near(p: ReadonlyVec3): ReadonlyVec3 | null;
}

/** A solid where a function is not above 0. */
export const plainSolid = (
  shape: Shape,
  accuracy: number,
  value: (p: ReadonlyVec3) => number,
): PlainBody => ({
  shape,
  accuracy,
  value,
  near: (p) => (value(p) <= 0 ? p : null),
});

/** A shape that is no field. */
export const plainShape = (shape: Shape): PlainBody => ({
  shape,
  accuracy: 0,
  value: (p) => closestPoint(p, shape).distance,
  near: (p) => closestPoint(p, shape).point,
});

/** Draws points of a body until there are so many, or it has been tried often. */
export function drawPoints(body: PlainBody, rng: Rng, most: number): Vec3[] {
  const points: Vec3[] = [];
  for (let i = 0; i < 20 * most && points.length < most; i++) {
    const p = body.near(rng.vec(1.5));
    if (p) points.push(v3.copy(p));
  }
  return points;
}

export interface PosedBody {
  readonly body: PlainBody;
  readonly pose: ReadonlyPose;
  /** In its own space. */
  readonly points: readonly Vec3[];
}

export const valueAt = ({ body, pose }: PosedBody, p: ReadonlyVec3): number =>
  body.value(toLocal(pose, p, vec3()));

/** How far the nearest two points are from each other that were found; 0 if one is a point of both. */
export function leastBetween(a: PosedBody, b: PosedBody, rng: Rng): number {
  const worldOf = ({ points, pose }: PosedBody): Vec3[] => points.map((p) => toWorld(pose, p, vec3()));
  const [ones, others] = [worldOf(a), worldOf(b)];
  let least = Infinity;
  let p = ones[0]!;
  let q = others[0]!;
  for (const one of ones) {
    if (valueAt(b, one) <= 0) return 0;
    for (const other of others) {
      const square = v3.distanceSq(one, other);
      if (square >= least) continue;
      least = square;
      p = one;
      q = other;
    }
  }
  if (others.some((other) => valueAt(a, other) <= 0)) return 0;
  // From there on by random steps of one or the other.
  for (let step = 0.3; step > 1e-7; step *= 0.7)
    for (let i = 0; i < 12; i++) {
      const isFirst = i % 2 === 0;
      const { body, pose } = isFirst ? a : b;
      const from = isFirst ? p : q;
      const to = isFirst ? q : p;
      // Towards the other, and to a side.
      const moved = v3.addScaled(
        from,
        v3.sub(to, from),
        rng.range(0, 1) * Math.min(1, step / (v3.distance(p, q) + 1e-9)),
      );
      v3.addScaled(moved, rng.direction(), step * rng.range(0, 1), moved);
      const there = body.near(toLocal(pose, moved, vec3()));
      if (!there) continue;
      const found = toWorld(pose, there, vec3());
      if (v3.distance(found, to) >= v3.distance(p, q)) continue;
      if (isFirst) p = found;
      else q = found;
    }
  return v3.distance(p, q);
}

/** How deep a point of one of them is in the other, of those that were drawn: not below 0. */
export function deepestOf(a: PosedBody, b: PosedBody): number {
  let deepest = 0;
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    for (const p of one.points) deepest = Math.max(deepest, -valueAt(other, toWorld(one.pose, p, vec3())));
  return deepest;
}

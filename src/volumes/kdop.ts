/** k-DOPs: slab volumes whose normals are the same for all, with components -1, 0 and 1. RTCD §4.6.2–4.6.4. */

import { sumError } from '../math/accurate.ts';
import { checkPoint, describe, refuse, refuseType } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { checkRayUpTo } from '../primitives/input.ts';
import type { ReadonlyRay } from '../primitives/types.ts';
import { makeSpan } from '../primitives/types.ts';
import { type PointSet, readPoints } from './point-set.ts';
import { mustBeExtents, projectDown, projectUp, rayThroughSlabs, slabsAround } from './slab.ts';

/** How many sides: 6 is an axis-aligned box; 8, 12, 14, 18, 20 and 26 add or take the corners and edges of a cube. */
export type KdopSides = 6 | 8 | 12 | 14 | 18 | 20 | 26;

/** The points x with min[i] <= axes[i] · x <= max[i], where axes = `kdopAxes(sides)`. */
export interface Kdop {
  sides: KdopSides;
  min: number[];
  max: number[];
}

export type ReadonlyKdop = {
  readonly sides: KdopSides;
  readonly min: readonly number[];
  readonly max: readonly number[];
};

/** An empty record of the right length, to be used as `out`. */
export const makeKdop = (sides: KdopSides): Kdop => ({
  sides,
  min: new Array<number>(sides / 2).fill(0),
  max: new Array<number>(sides / 2).fill(0),
});

const FACES: readonly ReadonlyVec3[] = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)];
const CORNERS: readonly ReadonlyVec3[] = [vec3(1, 1, 1), vec3(1, 1, -1), vec3(1, -1, 1), vec3(-1, 1, 1)];
const EDGES: readonly ReadonlyVec3[] = [
  vec3(1, 1, 0),
  vec3(1, -1, 0),
  vec3(1, 0, 1),
  vec3(1, 0, -1),
  vec3(0, 1, 1),
  vec3(0, 1, -1),
];

const AXES: Readonly<Record<KdopSides, readonly ReadonlyVec3[]>> = {
  6: spreadOut(FACES),
  8: spreadOut(CORNERS),
  12: spreadOut(EDGES),
  14: spreadOut([...FACES, ...CORNERS]),
  18: spreadOut([...FACES, ...EDGES]),
  20: spreadOut([...CORNERS, ...EDGES]),
  26: spreadOut([...FACES, ...CORNERS, ...EDGES]),
};

/** The half of the normals that a k-DOP stores, in an order in which each is as perpendicular as can be to the one before. */
export function kdopAxes(sides: KdopSides): readonly ReadonlyVec3[] {
  const axes = typeof sides === 'number' ? AXES[sides] : undefined;
  return axes ?? refuse('kdopAxes', 'sides', `must be 6, 8, 12, 14, 18, 20 or 26, got ${describe(sides)}`);
}

/** Greedy: volumes apart along one axis are likely to be apart along a similar one, so try the least similar next. */
function spreadOut(axes: readonly ReadonlyVec3[]): readonly ReadonlyVec3[] {
  const left = [...axes];
  const ordered = [left.shift()!];
  while (left.length > 0) {
    const last = ordered[ordered.length - 1]!;
    const cosines = left.map((a) => Math.abs(v3.dot(a, last)) / v3.length(a));
    ordered.push(...left.splice(cosines.indexOf(Math.min(...cosines)), 1));
  }
  return ordered;
}

/** The k-DOP around the points: tight, rounded outward. */
export function fitKdop(points: PointSet, sides: KdopSides, out: Kdop = makeKdop(sides)): Kdop {
  const coordinates = readPoints('fitKdop', points);
  const axes = kdopAxes(sides);
  mustHoldSides('fitKdop', out, sides);
  slabsAround(coordinates, axes, out.min, out.max);
  return out;
}

/** Do two k-DOPs overlap, as far as their own axes can tell? Errs towards yes, unless there are six sides. */
export function overlapKdopKdop(a: ReadonlyKdop, b: ReadonlyKdop): boolean {
  mustBeKdop('overlapKdopKdop', 'a', a);
  mustBeKdop('overlapKdopKdop', 'b', b);
  mustMatch('overlapKdopKdop', a, b);
  for (let i = 0; i < a.min.length; i++) if (a.min[i]! > b.max[i]! || b.min[i]! > a.max[i]!) return false;
  return true;
}

/** Is the point inside or on it? Where rounding leaves a doubt, yes. */
export function containsPointKdop(p: ReadonlyVec3, kdop: ReadonlyKdop): boolean {
  checkPoint('containsPointKdop', 'p', p);
  mustBeKdop('containsPointKdop', 'kdop', kdop);
  const axes = AXES[kdop.sides];
  for (let i = 0; i < axes.length; i++)
    if (
      projectUp(axes[i]!, p.x, p.y, p.z) < kdop.min[i]! ||
      projectDown(axes[i]!, p.x, p.y, p.z) > kdop.max[i]!
    )
      return false;
  return true;
}

/** Does the ray hit the k-DOP at some t in [0, tMax]? Where rounding leaves a doubt, yes. */
export function rayKdop(ray: ReadonlyRay, kdop: ReadonlyKdop, tMax = Infinity): boolean {
  checkRayUpTo('rayKdop', ray, tMax);
  mustBeKdop('rayKdop', 'kdop', kdop);
  const { x, y, z } = ray.origin;
  // The distance from the origin to the k-DOP is no more than this: each coordinate of a point in it is an axis or half
  // the sum of two. Heights and speeds along the axes carry three half-steps of it each, and two divisions one.
  const reach = Math.abs(x) + Math.abs(y) + Math.abs(z) + 3 * largest(kdop);
  inside.enter = 0;
  inside.exit = tMax;
  return rayThroughSlabs(ray, AXES[kdop.sides], kdop, 8 * EPS64 * reach, inside);
}

function largest({ min, max }: ReadonlyKdop): number {
  let most = 0;
  for (let i = 0; i < min.length; i++) most = Math.max(most, Math.abs(min[i]!), Math.abs(max[i]!));
  return most;
}

const inside = makeSpan();

/** The smallest k-DOP around two; exact. RTCD §6.5.4. */
export function mergeKdop(a: ReadonlyKdop, b: ReadonlyKdop, out: Kdop = makeKdop(a.sides)): Kdop {
  mustBeKdop('mergeKdop', 'a', a);
  mustBeKdop('mergeKdop', 'b', b);
  mustMatch('mergeKdop', a, b);
  mustHoldSides('mergeKdop', out, a.sides);
  for (let i = 0; i < a.min.length; i++) {
    const low = Math.min(a.min[i]!, b.min[i]!);
    const high = Math.max(a.max[i]!, b.max[i]!);
    out.min[i] = low;
    out.max[i] = high;
  }
  return out;
}

/** The k-DOP moved by v, rounded outward. Turning it is another matter: see `transformKdop`. */
export function translateKdop(kdop: ReadonlyKdop, v: ReadonlyVec3, out: Kdop = makeKdop(kdop.sides)): Kdop {
  mustBeKdop('translateKdop', 'kdop', kdop);
  checkPoint('translateKdop', 'v', v);
  mustHoldSides('translateKdop', out, kdop.sides);
  const axes = AXES[kdop.sides];
  const { x, y, z } = v;
  for (let i = 0; i < axes.length; i++) {
    const n = axes[i]!;
    // Sums and what rounding them loses, exactly: products with -1, 0 and 1 lose nothing.
    const xy = n.x * x + n.y * y;
    const move = xy + n.z * z;
    const lost = sumError(n.x * x, n.y * y, xy);
    const lostToo = sumError(xy, n.z * z, move);
    const low = kdop.min[i]! + move;
    const high = kdop.max[i]! + move;
    const below = lost + lostToo + sumError(kdop.min[i]!, move, low);
    const above = lost + lostToo + sumError(kdop.max[i]!, move, high);
    // Adding the losses back rounds again; they have themselves been rounded to a fraction of a fraction.
    const padding = 2 * EPS64 * (Math.abs(lost) + Math.abs(lostToo));
    out.min[i] = below === 0 && padding === 0 ? low : low + below - (padding + 2 * EPS64 * Math.abs(low));
    out.max[i] = above === 0 && padding === 0 ? high : high + above + (padding + 2 * EPS64 * Math.abs(high));
  }
  return out;
}

function mustMatch(caller: string, a: ReadonlyKdop, b: ReadonlyKdop): void {
  if (a.sides !== b.sides) refuse(caller, 'b', `must have as many sides as a: ${b.sides} and ${a.sides}`);
}

/** @internal */
export function mustBeKdop(caller: string, name: string, kdop: ReadonlyKdop): void {
  if (typeof kdop !== 'object' || kdop === null) refuseType(caller, name, 'a k-DOP', kdop);
  const { sides, min, max } = kdop;
  const axes = typeof sides === 'number' ? AXES[sides] : undefined;
  if (!axes) refuse(caller, `${name}.sides`, `must be 6, 8, 12, 14, 18, 20 or 26, got ${describe(sides)}`);
  mustBeExtents(caller, name, axes.length, min, max);
}

/** @internal */
export function mustHoldSides(caller: string, out: ReadonlyKdop, sides: KdopSides): void {
  if (out.sides !== sides) refuse(caller, 'out', `must have ${sides} sides, has ${out.sides}`);
}

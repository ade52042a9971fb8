/**
 * Do convex sets meet? As a linear program, from their halfspaces or, conversely, from their corners. RTCD §9.4.1.
 *
 * For sets that are given by planes, or to get a separating plane of two point sets exactly. Production:
 * `convex/gjk.ts`, on support maps.
 */

import type { BigVec } from '../../math/big-integers.ts';
import { approximate, cross, dot, isZero, minus, toIntegers, unitOfPoints } from '../../math/big-integers.ts';
import { checkPlane, checkPoints, mustBeList, refuse } from '../../math/check.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { Plane, ReadonlyPlane, ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { plane, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { extremesOfList } from './extremes.ts';
import { closestMixtures } from './hull-distance.ts';
import type { Row } from './seidel.ts';
import { linearProgram, makeRow, optimize } from './seidel.ts';

/**
 * A point that lies in all halfspaces normal · x <= d of two lists (the planes of two polyhedra, say), or null when there
 * is none. Normals of any length. Touching counts: whether there is a point is exact for the halfspaces as given, only
 * the point is rounded. Expected O(n). RTCD §9.4.1.
 */
export function commonPointHalfspaces(
  a: readonly ReadonlyPlane[],
  b: readonly ReadonlyPlane[],
  out?: Vec3,
): Vec3 | null {
  mustBeList('commonPointHalfspaces', 'a', a);
  mustBeList('commonPointHalfspaces', 'b', b);
  for (const [i, plane] of a.entries()) checkPlane('commonPointHalfspaces', `a[${i}]`, plane);
  for (const [i, plane] of b.entries()) checkPlane('commonPointHalfspaces', `b[${i}]`, plane);
  const inequalities = [...a, ...b].map(({ normal: { x, y, z }, d }) => ({ a: [x, y, z], b: d }));
  // No objective: any common point will do, and there is no such thing as unbounded.
  const { status, point } = linearProgram(inequalities, [0, 0, 0]);
  return status === 'optimal' ? v3.set(point[0]!, point[1]!, point[2]!, out) : null;
}

/**
 * A plane that has all points of `a` strictly in front and all of `b` strictly behind, or null when there is none: when
 * the hulls of the two lists overlap or touch. That is decided exactly. The normal is a unit vector from b towards a;
 * since it is rounded, a gap of a few ulps of the coordinates may be too narrow for the plane to pass cleanly. RTCD
 * §9.4.1.
 *
 * Let g be one of the differences a - b. Any normal that separates can be written as g + x u + y v, with u and v at right
 * angles to g. The program is to make t largest while (g + x u + y v) · (a - b) >= t for every pair: three unknowns, and
 * the sets are apart if t > 0. Of the many pairs only those are put into the program that the solution so far gets most
 * wrong, and only the outermost points can be that; some five rounds of O(n).
 */
export function separatingPlanePoints(
  a: readonly ReadonlyVec3[],
  b: readonly ReadonlyVec3[],
  out?: Plane,
): Plane | null {
  checkPoints('separatingPlanePoints', 'a', a);
  checkPoints('separatingPlanePoints', 'b', b);
  const caller = 'separatingPlanePoints';
  if (a.length === 0) refuse(caller, 'a', 'must hold at least one point');
  if (b.length === 0) refuse(caller, 'b', 'must hold at least one point');
  const unit = Math.min(0, unitOfPoints(a), unitOfPoints(b));
  const extremesA = extremesOfList(a, unit);
  const extremesB = extremesOfList(b, unit);
  let i = 0;
  let j = 0;
  const gap = (): BigVec => minus(toIntegers(a[i]!, unit), toIntegers(b[j]!, unit));
  const outermost = (normal: BigVec): void => {
    i = extremesA([-normal[0], -normal[1], -normal[2]]);
    j = extremesB(normal);
  };
  // A pair that nearly faces each other makes a good g.
  for (let round = 0; round < 3; round++) outermost(gap());
  const g = gap();
  if (isZero(g)) return null;
  const u = cross(g, leastAxis(g));
  const v = cross(g, u);
  const rows: Row[] = [];
  for (;;) {
    const pair = gap();
    rows.push(makeRow([-dot(u, pair), -dot(v, pair), 1n], dot(g, pair)));
    // t is bounded by the pair that g is of, which is the first; so there is a solution, and it is not far.
    const { numerators, denominator } = optimize(rows, [0n, 0n, 1n], 3).vertex!;
    const [x, y, t] = numerators;
    if (t <= 0n) return null;
    const along = (k: 0 | 1 | 2): bigint => g[k] * denominator + x * u[k] + y * v[k];
    const normal: BigVec = [along(0), along(1), along(2)];
    outermost(normal);
    // Half of what may still be hoped for is enough.
    if (2n * dot(normal, gap()) < t) continue;
    const found = out ?? plane();
    // Too slanting for the gap that it is in, when rounded? Then as upright as can be.
    if (!planeBetween(normal, a, b, found))
      planeBetween(closestMixtures(a, b, extremesA, extremesB, unit).gap, a, b, found);
    return found;
  }
}

/** The axis that the direction has the smallest component along. */
function leastAxis([x, y, z]: BigVec): BigVec {
  const [ax, ay, az] = [x * x, y * y, z * z];
  return ax <= ay && ax <= az ? [1n, 0n, 0n] : ay <= az ? [0n, 1n, 0n] : [0n, 0n, 1n];
}

/** The plane of that direction halfway between the sets. Are they apart by more than rounding may be? */
function planeBetween(
  normal: BigVec,
  a: readonly ReadonlyVec3[],
  b: readonly ReadonlyVec3[],
  out: Plane,
): boolean {
  approximate(normal, rounded);
  v3.normalize(v3.set(rounded[0]!, rounded[1]!, rounded[2]!, direction), direction);
  let low = Infinity;
  let high = -Infinity;
  let size = 0;
  for (const p of a) {
    low = Math.min(low, v3.dot(direction, p));
    size = Math.max(size, Math.abs(p.x), Math.abs(p.y), Math.abs(p.z));
  }
  for (const p of b) {
    high = Math.max(high, v3.dot(direction, p));
    size = Math.max(size, Math.abs(p.x), Math.abs(p.y), Math.abs(p.z));
  }
  v3.copy(direction, out.normal);
  out.d = 0.5 * low + 0.5 * high;
  return low - high > ROUNDING * size;
}
const rounded = new Float64Array(3);
const direction = vec3();
/** Of two heights, each a sum of three products: 16 roundings of 2^-53 of the largest coordinate. */
const ROUNDING = 16 * UNIT_ROUNDING;

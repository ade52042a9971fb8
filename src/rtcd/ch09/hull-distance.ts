/**
 * How far apart are two sets of points, or rather their hulls? As the quadratic program that it is: the coefficients of
 * the two closest points are sought, none of them negative, adding up to 1 on each side. RTCD §9.4.2.
 *
 * An oracle that shares nothing with GJK, and coefficients for each point. Production: `convex/gjk.ts`.
 */

import type { BigVec } from '../../math/big-integers.ts';
import {
  dot,
  isZero,
  minus,
  quotient,
  rootQuotient,
  toIntegers,
  unitOfPoints,
} from '../../math/big-integers.ts';
import { checkPoints, refuse } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { Extremes } from './extremes.ts';
import { extremesOfList } from './extremes.ts';

/** The closest points of two hulls, as mixtures of the points that span them. */
export interface HullDistance {
  /** On the hull of the first points. */
  a: Vec3;
  b: Vec3;
  /** a is the sum of the first points, each times its coefficient: at least 0, at most four not 0, in all 1. */
  coefficientsA: number[];
  coefficientsB: number[];
  /** Exactly 0 when the hulls share a point, and only then. */
  distance: number;
}

export const makeHullDistance = (): HullDistance => ({
  a: vec3(),
  b: vec3(),
  coefficientsA: [],
  coefficientsB: [],
  distance: 0,
});

/**
 * The distance of the hulls of two lists of points, and where they come closest (one such pair, if there are many; a
 * common point, if there is one). Every number is exact until it is rounded at the end, to an ulp or two of itself: for
 * touching, flat, coincident and far away points alike. That makes this an oracle for faster ways; it takes some tenths
 * of a millisecond for small lists and O(n) for large ones. RTCD §9.4.2.
 */
export function hullDistance(
  a: readonly ReadonlyVec3[],
  b: readonly ReadonlyVec3[],
  out: HullDistance = makeHullDistance(),
): HullDistance {
  checkPoints('hullDistance', 'a', a);
  checkPoints('hullDistance', 'b', b);
  if (a.length === 0) refuse('hullDistance', 'a', 'must hold at least one point');
  if (b.length === 0) refuse('hullDistance', 'b', 'must hold at least one point');
  const unit = Math.min(0, unitOfPoints(a), unitOfPoints(b));
  const found = closestMixtures(a, b, extremesOfList(a, unit), extremesOfList(b, unit), unit);
  const { denominator, gap } = found;
  const distance = rootQuotient(dot(gap, gap), denominator, unit);
  fill(out.a, out.coefficientsA, found, false, a.length, unit);
  fill(out.b, out.coefficientsB, found, true, b.length, unit);
  // What is not 0 must not be rounded to it.
  out.distance = distance === 0 && !isZero(gap) ? Number.MIN_VALUE : distance;
  return out;
}

function fill(
  point: Vec3,
  coefficients: number[],
  { members, denominator }: Mixtures,
  second: boolean,
  count: number,
  unit: number,
): void {
  coefficients.length = count;
  coefficients.fill(0);
  const sum: [bigint, bigint, bigint] = [0n, 0n, 0n];
  for (const { isSecond, index, position, weight } of members) {
    if (isSecond !== second) continue;
    coefficients[index] = quotient(weight, denominator);
    for (let k = 0; k < 3; k++) sum[k]! += weight * position[k]!;
  }
  point.x = quotient(sum[0], denominator, unit);
  point.y = quotient(sum[1], denominator, unit);
  point.z = quotient(sum[2], denominator, unit);
}

/** A point that the closest points are mixed from; its coefficient is weight / denominator. */
interface Member {
  readonly isSecond: boolean;
  readonly index: number;
  readonly position: BigVec;
  weight: bigint;
}

/** The closest points, exactly. The gap is the first less the second, times the denominator, which is positive. */
export interface Mixtures {
  readonly members: readonly Member[];
  readonly denominator: bigint;
  readonly gap: BigVec;
}

/**
 * A primal active-set method. The members are those points whose coefficients are free to change; all others are held
 * at 0. The closest points of the flats (point, line, plane, space) that the members of each side span solve the
 * program without the demand that nothing is negative. If that solution meets the demand, it is taken, and the point
 * that lies farthest beyond, towards the other set, becomes a member; when there is none, all is done. If not, the
 * mixtures go towards it until the first coefficient is 0, and that member is let go.
 *
 * The gap is at right angles to the flats, and a new member lies off them along it: so the directions that span the
 * flats stay independent, at most three, and the distance shrinks with every new member. No set of members comes twice,
 * and since nothing is rounded it ends. Same ideas as Wolfe's for the point of least norm (1976), two-sided.
 *
 * `apartIsEnough`: ends as soon as the sets are known to be apart, with a gap that is not 0, or known to meet.
 *
 * @internal
 */
export function closestMixtures(
  a: readonly ReadonlyVec3[],
  b: readonly ReadonlyVec3[],
  extremesA: Extremes,
  extremesB: Extremes,
  unit: number,
  apartIsEnough = false,
): Mixtures {
  const member = (isSecond: boolean, index: number): Member => ({
    isSecond,
    index,
    position: toIntegers((isSecond ? b : a)[index]!, unit),
    weight: 0n,
  });
  let members = [member(false, 0), member(true, 0)];
  let denominator = 1n;
  for (const m of members) m.weight = 1n;
  for (;;) {
    const flat = closestOfFlats(members);
    const step = firstToVanish(members, denominator, flat);
    if (step >= 0) {
      denominator = goTowards(members, denominator, flat, step);
      members = members.filter(({ weight }) => weight > 0n);
      continue;
    }
    denominator = flat.denominator;
    for (let i = 0; i < members.length; i++) members[i]!.weight = flat.weights[i]!;
    members = members.filter(({ weight }) => weight > 0n);
    const { gap } = flat;
    if (isZero(gap)) return { members, denominator, gap };
    const back: BigVec = [-gap[0], -gap[1], -gap[2]];
    const nextA = member(false, extremesA(back));
    const nextB = member(true, extremesB(gap));
    const gainA = dot(back, minus(nextA.position, members.find((m) => !m.isSecond)!.position));
    const gainB = dot(gap, minus(nextB.position, members.find((m) => m.isSecond)!.position));
    if (gainA <= 0n && gainB <= 0n) return { members, denominator, gap };
    if (apartIsEnough && dot(gap, minus(nextA.position, nextB.position)) > 0n)
      return { members, denominator, gap };
    members.push(gainA >= gainB ? nextA : nextB);
  }
}

/** A solution without regard to signs. The weights belong to the members, and are to be divided. */
interface FlatSolution {
  weights: bigint[];
  denominator: bigint;
  /** Times the denominator. */
  gap: BigVec;
}

/**
 * The closest points of the two flats. With a₀ and b₀ the first members and d the directions to the others (backwards
 * for the second set) the gap is a₀ - b₀ + Σ λ d, and it is at right angles to every d: as many linear equations as
 * there are unknowns. Their matrix of dot products has only positive minors.
 */
function closestOfFlats(members: readonly Member[]): FlatSolution {
  const firstA = members.findIndex((m) => !m.isSecond);
  const firstB = members.findIndex((m) => m.isSecond);
  const start = minus(members[firstA]!.position, members[firstB]!.position);
  const others: number[] = [];
  const directions: BigVec[] = [];
  members.forEach(({ isSecond, position }, i) => {
    if (i === firstA || i === firstB) return;
    others.push(i);
    directions.push(
      isSecond ? minus(members[firstB]!.position, position) : minus(position, members[firstA]!.position),
    );
  });
  const rows = directions.map((d) => [...directions.map((e) => dot(d, e)), -dot(d, start)]);
  const denominator = eliminate(rows);
  const weights = members.map(() => 0n);
  weights[firstA] = denominator;
  weights[firstB] = denominator;
  const gap: [bigint, bigint, bigint] = [
    start[0] * denominator,
    start[1] * denominator,
    start[2] * denominator,
  ];
  others.forEach((i, row) => {
    const weight = rows[row]!.at(-1)!;
    weights[i] = weight;
    weights[members[i]!.isSecond ? firstB : firstA]! -= weight;
    for (let k = 0; k < 3; k++) gap[k]! += weight * directions[row]![k]!;
  });
  return { weights, denominator, gap };
}

/**
 * Solves equations in place, one a row with the right side last, by Gauss and Jordan's elimination without fractions
 * (Bareiss 1968): all divisions come out even. Returns the determinant; the unknowns are the last entries over it.
 */
function eliminate(rows: bigint[][]): bigint {
  let previous = 1n;
  for (let p = 0; p < rows.length; p++) {
    const pivotRow = rows[p]!;
    const pivot = pivotRow[p]!;
    for (let r = 0; r < rows.length; r++) {
      if (r === p) continue;
      const row = rows[r]!;
      const factor = row[p]!;
      for (let c = 0; c < row.length; c++) row[c] = (pivot * row[c]! - factor * pivotRow[c]!) / previous;
    }
    previous = pivot;
  }
  return previous;
}

/** The member whose coefficient is the first to reach 0 on the way to the solution; -1 when none falls below 0. */
function firstToVanish(members: readonly Member[], denominator: bigint, flat: FlatSolution): number {
  let first = -1;
  for (let i = 0; i < members.length; i++) {
    if (flat.weights[i]! >= 0n) continue;
    // It is gone at the fraction old / (old - new) of the way.
    if (first < 0 || compareFractions(members, denominator, flat, i, first) < 0n) first = i;
  }
  return first;
}

function compareFractions(
  members: readonly Member[],
  denominator: bigint,
  flat: FlatSolution,
  i: number,
  j: number,
): bigint {
  const oldI = members[i]!.weight * flat.denominator;
  const oldJ = members[j]!.weight * flat.denominator;
  return oldI * (oldJ - flat.weights[j]! * denominator) - oldJ * (oldI - flat.weights[i]! * denominator);
}

/** Mixes the old coefficients and the solution so that that of member `vanishing` is 0. Returns the new denominator. */
function goTowards(
  members: readonly Member[],
  denominator: bigint,
  flat: FlatSolution,
  vanishing: number,
): bigint {
  const part = members[vanishing]!.weight * flat.denominator;
  const whole = part - flat.weights[vanishing]! * denominator;
  for (let i = 0; i < members.length; i++) {
    const m = members[i]!;
    m.weight = m.weight * flat.denominator * (whole - part) + flat.weights[i]! * denominator * part;
  }
  return denominator * flat.denominator * whole;
}

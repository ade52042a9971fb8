/**
 * Judges sweeps of a sphere against a convex target by exact arithmetic: the distance from the moving centre to the
 * target is a convex function of time, evaluated here as a rational number from first principles. A time t is not late
 * when the exact distance at t is still at least r and falling; it is not early when it is at most r + tolerance.
 */
import type { ReadonlyVec3 } from '../../src/math/types.ts';
import type { Hit } from '../../src/primitives/types.ts';
import * as Q from '../kit/exact.ts';
import { check } from '../kit/index.ts';

/** The arithmetic that an oracle runs in: rational to decide, floating to search (and where roots are needed). */
export interface Field<N> {
  of(x: number): N;
  number(x: N): number;
  add(a: N, b: N): N;
  sub(a: N, b: N): N;
  mul(a: N, b: N): N;
  div(a: N, b: N): N;
  cmp(a: N, b: N): number;
}

/** n 2^e / d, d > 0. Powers of two apart, since all that is not divided has no other denominator: the products stay short. */
export interface Rational {
  readonly n: bigint;
  readonly e: number;
  readonly d: bigint;
}

const ratio = (n: bigint, e: number, d: bigint): Rational => ({ n, e, d });

function addRationals(a: Rational, b: Rational): Rational {
  const e = Math.min(a.e, b.e);
  const an = a.n << BigInt(a.e - e);
  const bn = b.n << BigInt(b.e - e);
  return a.d === b.d ? ratio(an + bn, e, a.d) : ratio(an * b.d + bn * a.d, e, a.d * b.d);
}

const subRationals = (a: Rational, b: Rational): Rational => addRationals(a, ratio(-b.n, b.e, b.d));

export const rational: Field<Rational> = {
  of(x) {
    const { n, d } = Q.q(x);
    return n === 0n ? ratio(0n, 0, 1n) : ratio(n, 1 - d.toString(2).length, 1n);
  },
  number({ n, e, d }) {
    return Q.toNumber(e < 0 ? { n, d: d << BigInt(-e) } : { n: n << BigInt(e), d });
  },
  add: addRationals,
  sub: subRationals,
  mul: (a, b) => ratio(a.n * b.n, a.e + b.e, a.d * b.d),
  div: (a, b) =>
    b.n < 0n ? ratio(-a.n * b.d, a.e - b.e, -a.d * b.n) : ratio(a.n * b.d, a.e - b.e, a.d * b.n),
  cmp(a, b) {
    const { n } = subRationals(a, b);
    return n > 0n ? 1 : n < 0n ? -1 : 0;
  },
};
export const floating: Field<number> = {
  of: (x) => x,
  number: (x) => x,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  cmp: (a, b) => a - b,
};

export type V<N> = readonly [N, N, N];
export const vec = <N>(f: Field<N>, p: ReadonlyVec3): V<N> => [f.of(p.x), f.of(p.y), f.of(p.z)];
export const sub = <N>(f: Field<N>, a: V<N>, b: V<N>): V<N> => [
  f.sub(a[0], b[0]),
  f.sub(a[1], b[1]),
  f.sub(a[2], b[2]),
];
export const dot = <N>(f: Field<N>, a: V<N>, b: V<N>): N =>
  f.add(f.add(f.mul(a[0], b[0]), f.mul(a[1], b[1])), f.mul(a[2], b[2]));
/** a + s b. */
export const along = <N>(f: Field<N>, a: V<N>, b: V<N>, s: N): V<N> => [
  f.add(a[0], f.mul(b[0], s)),
  f.add(a[1], f.mul(b[1], s)),
  f.add(a[2], f.mul(b[2], s)),
];
export const cross = <N>(f: Field<N>, a: V<N>, b: V<N>): V<N> => [
  f.sub(f.mul(a[1], b[2]), f.mul(a[2], b[1])),
  f.sub(f.mul(a[2], b[0]), f.mul(a[0], b[2])),
  f.sub(f.mul(a[0], b[1]), f.mul(a[1], b[0])),
];

/** The way from the target's point closest to p, to p. */
export type Offset = <N>(f: Field<N>, p: V<N>) => V<N>;

export const pointOffset =
  (a: ReadonlyVec3): Offset =>
  (f, p) =>
    sub(f, p, vec(f, a));

/** The way from the nearest point of segment ab to p. */
export function segmentWay<N>(f: Field<N>, p: V<N>, a: V<N>, b: V<N>): V<N> {
  const e = sub(f, b, a);
  const m = sub(f, p, a);
  const zero = f.of(0);
  const ee = dot(f, e, e);
  const me = dot(f, m, e);
  if (f.cmp(me, zero) <= 0) return m;
  return along(f, m, e, f.cmp(me, ee) >= 0 ? f.of(-1) : f.div(f.sub(zero, me), ee));
}

export const shortest = <N>(f: Field<N>, ways: readonly V<N>[]): V<N> =>
  ways.reduce((best, way) => (f.cmp(dot(f, way, way), dot(f, best, best)) < 0 ? way : best));

/** To the foot on the plane when that is inside all edges, else to the best of the edges. */
export function triangleWay<N>(f: Field<N>, p: V<N>, a: V<N>, b: V<N>, c: V<N>): V<N> {
  const n = cross(f, sub(f, b, a), sub(f, c, a));
  const nn = dot(f, n, n);
  const zero = f.of(0);
  const inside = (from: V<N>, to: V<N>): boolean =>
    f.cmp(dot(f, n, cross(f, sub(f, to, from), sub(f, p, from))), zero) >= 0;
  if (f.cmp(nn, zero) > 0 && inside(a, b) && inside(b, c) && inside(c, a)) {
    const s = f.div(dot(f, n, sub(f, p, a)), nn);
    return [f.mul(n[0], s), f.mul(n[1], s), f.mul(n[2], s)];
  }
  return shortest(f, [segmentWay(f, p, a, b), segmentWay(f, p, b, c), segmentWay(f, p, c, a)]);
}

export const segmentOffset =
  (a: ReadonlyVec3, b: ReadonlyVec3): Offset =>
  (f, p) =>
    segmentWay(f, p, vec(f, a), vec(f, b));

export const triangleOffset =
  (a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): Offset =>
  (f, p) =>
    triangleWay(f, p, vec(f, a), vec(f, b), vec(f, c));

export const boxOffset =
  (min: ReadonlyVec3, max: ReadonlyVec3): Offset =>
  (f, p) => {
    const low = vec(f, min);
    const high = vec(f, max);
    const one = (i: 0 | 1 | 2) =>
      f.cmp(p[i], low[i]) < 0
        ? f.sub(p[i], low[i])
        : f.cmp(p[i], high[i]) > 0
          ? f.sub(p[i], high[i])
          : f.of(0);
    return [one(0), one(1), one(2)];
  };

export interface Case {
  readonly center: ReadonlyVec3;
  readonly motion: ReadonlyVec3;
  /** The radii whose sum keeps the centre off the target. */
  readonly radii: readonly number[];
  readonly offset: Offset;
  /** How far from the target the sphere may be at the time reported. */
  readonly tolerance: number;
  /** How late a time may be, as a length: 0 where the arithmetic is exact. */
  readonly late?: number;
}

/** Fails unless the time of the hit (or the miss) is right, by exact arithmetic. */
export const judge = (problem: Case, hit: Hit | null): void => judgeIn(rational, problem, hit);

/**
 * The same, first in floating point and with `late` to spare for its errors, which takes a tenth of the time; what does
 * not pass there is decided by exact arithmetic.
 */
export function judgeQuickly(problem: Case, late: number, hit: Hit | null): void {
  try {
    judgeIn(floating, { ...problem, late }, hit);
  } catch {
    judge(problem, hit);
  }
}

function judgeIn<N>(f: Field<N>, problem: Case, hit: Hit | null): void {
  const { center, motion, offset, tolerance, radii, late = 0 } = problem;
  const v = vec(f, motion);
  const zero = f.of(0);
  const r = radii.reduce((sum, x) => f.add(sum, f.of(x)), zero);
  const lower = f.sub(r, f.of(late));
  const lowerSq = f.cmp(lower, zero) > 0 ? f.mul(lower, lower) : zero;
  const upper = f.add(r, f.of(tolerance));
  const upperSq = f.mul(upper, upper);
  const wayAt = (t: number): V<N> => offset(f, along(f, vec(f, center), v, f.of(t)));
  const squared = (d: V<N>): N => dot(f, d, d);
  const gap = (d: V<N>): string =>
    `distance ${Math.sqrt(f.number(squared(d)))}, radius ${f.number(r)}, tolerance ${tolerance}, late ${late}`;
  if (hit === null) {
    for (const t of [0, nearestTime(problem), 1]) {
      const way = wayAt(t);
      const side = f.cmp(squared(way), lowerSq);
      check(late > 0 ? side >= 0 : side > 0, () => `missed a hit at ${t}: ${gap(way)}`);
    }
    return;
  }
  const { t } = hit;
  check(t >= 0 && t <= 1, `t = ${t}`);
  const way = wayAt(t);
  check(f.cmp(squared(way), upperSq) <= 0, () => `early, t = ${t}: ${gap(way)}`);
  if (t === 0) return;
  check(f.cmp(squared(way), lowerSq) >= 0, () => `late, t = ${t}: ${gap(way)}`);
  // Distances are convex in time: if it still falls, it was greater before. If not, look at the least.
  if (f.cmp(dot(f, way, v), zero) <= 0) return;
  const least = wayAt(Math.min(t, nearestTime(problem)));
  check(f.cmp(squared(least), lowerSq) >= 0, () => `late, t = ${t} is on the way out: ${gap(least)}`);
}

/** When the centre is nearest to the target, about: the slope of the distance changes its sign there. */
function nearestTime({ center, motion, offset }: Case): number {
  const c = vec(floating, center);
  const v = vec(floating, motion);
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i++) {
    const t = 0.5 * (low + high);
    if (dot(floating, offset(floating, along(floating, c, v, t)), v) < 0) low = t;
    else high = t;
  }
  return 0.5 * (low + high);
}

/**
 * The length that rounding errors are measured against: an upper bound on what the kernels take for it, the sum of the
 * components of all differences that they form.
 */
export function extent(
  center: ReadonlyVec3,
  motion: ReadonlyVec3,
  radii: readonly number[],
  points: readonly ReadonlyVec3[],
): number {
  const norm = (x: number, y: number, z: number): number => Math.abs(x) + Math.abs(y) + Math.abs(z);
  let size = norm(motion.x, motion.y, motion.z);
  for (const r of radii) size += r;
  let way = 0;
  let spread = 0;
  for (const p of points) {
    way = Math.max(way, norm(center.x - p.x, center.y - p.y, center.z - p.z));
    for (const o of points) spread = Math.max(spread, norm(o.x - p.x, o.y - p.y, o.z - p.z));
  }
  return size + way + 2 * spread;
}

/** Fails unless the point is within `tolerance` of the target and the normal is a unit vector against the motion. */
export function judgeContact({ motion, offset }: Case, { t, point, normal }: Hit, tolerance: number): void {
  const way = offset(rational, vec(rational, point));
  const off = Math.sqrt(rational.number(dot(rational, way, way)));
  check(off <= tolerance, () => `the point is ${off} off the target, more than ${tolerance}`);
  const length = Math.hypot(normal.x, normal.y, normal.z);
  check(Math.abs(length - 1) <= 4 * Number.EPSILON, () => `the normal has length ${length}`);
  const speed = normal.x * motion.x + normal.y * motion.y + normal.z * motion.z;
  const most = 1e-7 * Math.hypot(motion.x, motion.y, motion.z);
  check(t === 0 || speed <= most, 'the normal goes with the motion');
}

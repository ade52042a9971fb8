/**
 * An exact oracle for "do these convex sets meet?": clip one, a list of points, by the halfspaces of the other and
 * see whether anything is left. Slow and obvious. Numbers are integers: doubles times one power of two, and points
 * are homogeneous, so that nothing is divided.
 */
import type { ReadonlyVec3 } from '../../src/math/types.ts';
import { q } from './exact.ts';

type V = readonly [bigint, bigint, bigint];
/** The point (x, y, z) / w, w > 0. */
type H = readonly [bigint, bigint, bigint, bigint];

/** The points p with n · p <= d. */
export interface Halfspace {
  readonly n: V;
  readonly d: bigint;
}

/** The points, all scaled by the power of two that makes every coordinate an integer. */
export function integers(...points: readonly ReadonlyVec3[]): V[] {
  const all = points.map((p) => [q(p.x), q(p.y), q(p.z)] as const);
  let d = 1n;
  for (const p of all) for (const c of p) if (c.d > d) d = c.d;
  return all.map((p) => [p[0].n * (d / p[0].d), p[1].n * (d / p[1].d), p[2].n * (d / p[2].d)]);
}

const dot = (a: V, b: V | H): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const flip = (a: V): V => [-a[0], -a[1], -a[2]];
const cross = (a: V, b: V): V => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const isZero = (a: V): boolean => a[0] === 0n && a[1] === 0n && a[2] === 0n;
const AXES: readonly V[] = [
  [1n, 0n, 0n],
  [0n, 1n, 0n],
  [0n, 0n, 1n],
];

const halfspace = (n: V, through: V): Halfspace => ({ n, d: dot(n, through) });
const planeOf = (n: V, through: V): Halfspace[] => [halfspace(n, through), halfspace(flip(n), through)];

/** What is left of a convex polygon (or segment, or point): Sutherland and Hodgman, touching points kept. */
export function clip(points: readonly V[], spaces: readonly Halfspace[]): H[] {
  let kept: H[] = points.map((p) => [...p, 1n] as const);
  for (const { n, d } of spaces) {
    const next: H[] = [];
    for (let i = 0; i < kept.length; i++) {
      const p = kept[i]!;
      const r = kept[(i + 1) % kept.length]!;
      const hp = dot(n, p) - d * p[3];
      const hr = dot(n, r) - d * r[3];
      if (hp <= 0n) next.push(p);
      if (hp < 0n && hr > 0n) next.push(blend(p, hr, r, -hp));
      else if (hp > 0n && hr < 0n) next.push(blend(p, -hr, r, hp));
    }
    kept = next;
  }
  return kept;
}

/** Is anything left? */
export const survives = (points: readonly V[], spaces: readonly Halfspace[]): boolean =>
  clip(points, spaces).length > 0;

const blend = (p: H, s: bigint, r: H, t: bigint): H => [
  p[0] * s + r[0] * t,
  p[1] * s + r[1] * t,
  p[2] * s + r[2] * t,
  p[3] * s + r[3] * t,
];

/** A triangle, which may be flat, as halfspaces: its plane from both sides, and one for every edge or end. */
export function triangleHalfspaces(corners: readonly V[]): Halfspace[] {
  const [a, b, c] = corners as [V, V, V];
  const n = cross(minus(b, a), minus(c, a));
  if (isZero(n)) return segmentHalfspaces(corners);
  const edges = corners.map((from, i) => halfspace(cross(minus(corners[(i + 1) % 3]!, from), n), from));
  return [...planeOf(n, a), ...edges];
}

/** The hull of points on one line. */
function segmentHalfspaces(points: readonly V[]): Halfspace[] {
  const from = points[0]!;
  const u = points.map((p) => minus(p, from)).find((v) => !isZero(v));
  if (!u) return AXES.flatMap((axis) => planeOf(axis, from));
  const along = points.map((p) => dot(u, p)).sort((s, t) => (s < t ? -1 : 1));
  return [
    { n: u, d: along.at(-1)! },
    { n: flip(u), d: -along[0]! },
    ...AXES.flatMap((axis) => planeOf(cross(u, axis), from)),
  ];
}

export const boxHalfspaces = (min: V, max: V): Halfspace[] =>
  AXES.flatMap((axis) => [halfspace(axis, max), halfspace(flip(axis), min)]);

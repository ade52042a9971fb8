/**
 * Exact squared distances: the minimum over all pairs of sub-features, each from its closed form, in rational
 * arithmetic. Slow and obvious; shares nothing with what it judges. Coordinates are integers: doubles times one power
 * of two.
 */
import type { ReadonlyVec3 } from '../../src/math/types.ts';
import type { Q } from './exact.ts';
import { q, toNumber } from './exact.ts';

type V = readonly [bigint, bigint, bigint];

const dot = (a: V, b: V): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: V, b: V): V => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const sign = (x: bigint): number => (x > 0n ? 1 : x < 0n ? -1 : 0);
const least = (...all: Q[]): Q => all.reduce((a, b) => (b.n * a.d < a.n * b.d ? b : a));
const lengthSq = (a: V): Q => ({ n: dot(a, a), d: 1n });
const ZERO: Q = { n: 0n, d: 1n };

/** Point and segment. */
function pointSegment(p: V, a: V, b: V): Q {
  const ab = minus(b, a);
  const ap = minus(p, a);
  const along = dot(ap, ab);
  const whole = dot(ab, ab);
  if (along <= 0n) return lengthSq(ap);
  if (along >= whole) return lengthSq(minus(p, b));
  return { n: dot(ap, ap) * whole - along * along, d: whole };
}

/** Four ends against the other segment, and the lines if they are closest inside both segments. */
function segmentSegment(a: V, b: V, c: V, d: V): Q {
  const ends = least(
    pointSegment(a, c, d),
    pointSegment(b, c, d),
    pointSegment(c, a, b),
    pointSegment(d, a, b),
  );
  const u = minus(b, a);
  const v = minus(d, c);
  const r = minus(a, c);
  const n = cross(u, v);
  const nn = dot(n, n);
  const s = dot(cross(v, r), n);
  const t = dot(cross(u, r), n);
  if (!(s > 0n && s < nn && t > 0n && t < nn)) return ends;
  const gap = dot(r, n);
  return least(ends, { n: gap * gap, d: nn });
}

/** Three edges, and the plane if p is over the inside. */
function pointTriangle(p: V, a: V, b: V, c: V): Q {
  const edges = least(pointSegment(p, a, b), pointSegment(p, b, c), pointSegment(p, c, a));
  const n = cross(minus(b, a), minus(c, a));
  if (!over(p, a, b, c, n)) return edges;
  const height = dot(n, minus(p, a));
  return least(edges, { n: height * height, d: dot(n, n) });
}

/** Is p over the inside of a triangle with an area? */
const over = (p: V, a: V, b: V, c: V, n: V): boolean =>
  dot(cross(minus(b, a), minus(p, a)), n) > 0n &&
  dot(cross(minus(c, b), minus(p, b)), n) > 0n &&
  dot(cross(minus(a, c), minus(p, c)), n) > 0n;

/** Does pq go through the plane of a triangle at a point of it? Segments in the plane are left to the edges. */
function pierces(p: V, r: V, a: V, b: V, c: V): boolean {
  const n = cross(minus(b, a), minus(c, a));
  const hp = dot(n, minus(p, a));
  const hr = dot(n, minus(r, a));
  if (sign(hp) * sign(hr) > 0 || (hp === 0n && hr === 0n)) return false;
  const w = hp - hr;
  // The point (hp r - hr p) / w, against the triangle scaled by w.
  const x: V = [hp * r[0] - hr * p[0], hp * r[1] - hr * p[1], hp * r[2] - hr * p[2]];
  const scaled = (v: V): V => [v[0] * w, v[1] * w, v[2] * w];
  const [A, B, C] = [scaled(a), scaled(b), scaled(c)];
  const side = (s: V, t: V): bigint => dot(cross(minus(t, s), minus(x, s)), n);
  return side(A, B) >= 0n && side(B, C) >= 0n && side(C, A) >= 0n;
}

function segmentTriangle(p: V, r: V, a: V, b: V, c: V): Q {
  if (pierces(p, r, a, b, c)) return ZERO;
  return least(
    pointTriangle(p, a, b, c),
    pointTriangle(r, a, b, c),
    segmentSegment(p, r, a, b),
    segmentSegment(p, r, b, c),
    segmentSegment(p, r, c, a),
  );
}

function triangleTriangle(a: V, b: V, c: V, d: V, e: V, f: V): Q {
  return least(
    segmentTriangle(a, b, d, e, f),
    segmentTriangle(b, c, d, e, f),
    segmentTriangle(c, a, d, e, f),
    ...[d, e, f].map((p) => pointTriangle(p, a, b, c)),
    ...(pierces(d, e, a, b, c) || pierces(e, f, a, b, c) || pierces(f, d, a, b, c) ? [ZERO] : []),
  );
}

function pointTetrahedron(p: V, a: V, b: V, c: V, d: V): Q {
  const volume = (s: V, t: V, u: V, v: V) => sign(dot(minus(s, v), cross(minus(t, v), minus(u, v))));
  const whole = volume(a, b, c, d);
  const parts = [volume(p, b, c, d), volume(a, p, c, d), volume(a, b, p, d), volume(a, b, c, p)];
  if (whole !== 0 && parts.every((s) => s * whole >= 0)) return ZERO;
  return least(
    pointTriangle(p, a, b, c),
    pointTriangle(p, a, b, d),
    pointTriangle(p, a, c, d),
    pointTriangle(p, b, c, d),
  );
}

/** All points as integers: times `unit`, a power of two. */
function wholeOf(points: readonly ReadonlyVec3[]): { whole: V[]; unit: bigint } {
  const all = points.map((p) => [q(p.x), q(p.y), q(p.z)] as const);
  let unit = 1n;
  for (const p of all) for (const c of p) if (c.d > unit) unit = c.d;
  const whole = all.map(
    (p): V => [p[0].n * (unit / p[0].d), p[1].n * (unit / p[1].d), p[2].n * (unit / p[2].d)],
  );
  return { whole, unit };
}

/** Distances of things given by as many points as they have corners, rounded once at the end. */
function distance(formula: (...points: V[]) => Q): (...points: ReadonlyVec3[]) => number {
  return (...points) => {
    const { whole, unit } = wholeOf(points);
    const { n, d } = formula(...whole);
    return Math.sqrt(toNumber({ n, d: d * unit * unit }));
  };
}

export const exactPointSegment = distance(pointSegment as (...points: V[]) => Q);
export const exactSegmentSegment = distance(segmentSegment as (...points: V[]) => Q);
export const exactPointTriangle = distance(pointTriangle as (...points: V[]) => Q);
export const exactSegmentTriangle = distance(segmentTriangle as (...points: V[]) => Q);
export const exactTriangleTriangle = distance(triangleTriangle as (...points: V[]) => Q);
export const exactPointTetrahedron = distance(pointTetrahedron as (...points: V[]) => Q);

/**
 * How far two triangles are apart along the best of the axes along which two triangles can be: along their normals, across a
 * side of each, and upright on a side in its plane. Negative where they overlap: minus their depth.
 */
export function exactSeparation(first: readonly ReadonlyVec3[], second: readonly ReadonlyVec3[]): number {
  const { whole, unit } = wholeOf([...first, ...second]);
  const [p, r] = [whole.slice(0, 3), whole.slice(3)];
  const sidesOf = (corners: V[]): V[] => corners.map((c, k) => minus(corners[(k + 1) % 3]!, c));
  const [u, v] = [sidesOf(p), sidesOf(r)];
  const [n, m] = [cross(u[0]!, u[1]!), cross(v[0]!, v[1]!)];
  const axes = [n, m];
  for (const side of u) axes.push(cross(side, n), ...v.map((other) => cross(side, other)));
  for (const side of v) axes.push(cross(side, m));
  let best = -Infinity;
  for (const axis of axes) {
    const lengthSq = dot(axis, axis);
    if (lengthSq === 0n) continue;
    const heights = (corners: V[]): bigint[] =>
      corners.map((c) => dot(axis, c)).sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
    const [a, b] = [heights(p), heights(r)];
    for (const apart of [a[0]! - b[2]!, b[0]! - a[2]!]) {
      const size = Math.sqrt(toNumber({ n: apart * apart, d: lengthSq * unit * unit }));
      best = Math.max(best, apart < 0n ? -size : size);
    }
  }
  return best;
}

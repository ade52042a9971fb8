/** Exact answers in rational arithmetic, to count wrong ones by. */
import { exact } from '../tests/kit/index.ts';
import type { Point } from './data.ts';

const { qv, vadd, vsub, vscale, vcross, vdot, vzero, sign, div, sub, add, mul, cmp, q, toNumber, ZERO, ONE } =
  exact;
type Q = exact.Q;
type QVec = exact.QVec;

/** Does the ray o + t d, t >= 0, pierce the triangle? Touching counts. In its plane, a ray pierces nothing. */
export function exactRayTriangle(o: Point, d: Point, a: Point, b: Point, c: Point): boolean {
  const [O, D, A, B, C] = [qv(o), qv(d), qv(a), qv(b), qv(c)];
  const n = vcross(vsub(B, A), vsub(C, A));
  const along = vdot(n, D);
  if (along.n === 0n) return false;
  const t = div(vdot(n, vsub(A, O)), along);
  if (sign(t) < 0) return false;
  const P = vadd(O, vscale(D, t));
  const side = (p: QVec, r: QVec) => sign(vdot(n, vcross(vsub(r, p), vsub(P, p))));
  return side(A, B) >= 0 && side(B, C) >= 0 && side(C, A) >= 0;
}

/** Does the ray meet the box? */
export function exactRayBox(o: Point, d: Point, min: Point, max: Point): boolean {
  let enter: Q = ZERO;
  let exit: Q | null = null;
  for (const k of ['x', 'y', 'z'] as const) {
    const [O, D, low, high] = [q(o[k]), q(d[k]), q(min[k]), q(max[k])];
    if (D.n === 0n) {
      if (cmp(O, low) < 0 || cmp(O, high) > 0) return false;
      continue;
    }
    let t0 = div(sub(low, O), D);
    let t1 = div(sub(high, O), D);
    if (cmp(t0, t1) > 0) [t0, t1] = [t1, t0];
    if (cmp(t0, enter) > 0) enter = t0;
    if (exit === null || cmp(t1, exit) < 0) exit = t1;
  }
  return exit === null || cmp(enter, exit) <= 0;
}

function distanceSqPointSegment(p: QVec, a: QVec, b: QVec): Q {
  const ab = vsub(b, a);
  const length = vdot(ab, ab);
  let t = length.n === 0n ? ZERO : div(vdot(vsub(p, a), ab), length);
  if (sign(t) < 0) t = ZERO;
  if (cmp(t, ONE) > 0) t = ONE;
  const r = vsub(p, vadd(a, vscale(ab, t)));
  return vdot(r, r);
}

const least = (values: Q[]): Q => values.reduce((m, v) => (cmp(v, m) < 0 ? v : m));

/** Distance from p to the triangle. */
export function exactPointTriangle(p: Point, a: Point, b: Point, c: Point): number {
  const [P, A, B, C] = [qv(p), qv(a), qv(b), qv(c)];
  const n = vcross(vsub(B, A), vsub(C, A));
  const edges = [
    distanceSqPointSegment(P, A, B),
    distanceSqPointSegment(P, B, C),
    distanceSqPointSegment(P, C, A),
  ];
  const side = (u: QVec, v: QVec) => sign(vdot(n, vcross(vsub(v, u), vsub(P, u))));
  if (!vzero(n) && side(A, B) >= 0 && side(B, C) >= 0 && side(C, A) >= 0) {
    const h = vdot(n, vsub(P, A));
    edges.push(div(mul(h, h), vdot(n, n)));
  }
  return Math.sqrt(toNumber(least(edges)));
}

/** Distance of two segments. */
export function exactSegmentSegment(p1: Point, q1: Point, p2: Point, q2: Point): number {
  const [A, B, C, D] = [qv(p1), qv(q1), qv(p2), qv(q2)];
  const found = [
    distanceSqPointSegment(A, C, D),
    distanceSqPointSegment(B, C, D),
    distanceSqPointSegment(C, A, B),
    distanceSqPointSegment(D, A, B),
  ];
  const u = vsub(B, A);
  const v = vsub(D, C);
  const w = vsub(A, C);
  const [a, b, c, d, e] = [vdot(u, u), vdot(u, v), vdot(v, v), vdot(u, w), vdot(v, w)];
  const denominator = sub(mul(a, c), mul(b, b));
  if (denominator.n !== 0n) {
    const s = div(sub(mul(b, e), mul(c, d)), denominator);
    const t = div(sub(mul(a, e), mul(b, d)), denominator);
    if (sign(s) >= 0 && cmp(s, ONE) <= 0 && sign(t) >= 0 && cmp(t, ONE) <= 0) {
      const r = vsub(vadd(A, vscale(u, s)), vadd(C, vscale(v, t)));
      found.push(vdot(r, r));
    }
  }
  return Math.sqrt(toNumber(least(found)));
}

/** Do two triangles share a point? An edge of one meets the other, or (coplanar) one lies inside the other. */
export function exactTriangleTriangle(t: Point[], s: Point[]): boolean {
  const edge = (x: Point[], y: Point[]) =>
    [0, 1, 2].some((i) => {
      const from = x[i]!;
      const to = x[(i + 1) % 3]!;
      return exactSegmentTriangle(from, to, y);
    });
  return edge(t, s) || edge(s, t);
}

function exactSegmentTriangle(from: Point, to: Point, [a, b, c]: Point[]): boolean {
  const [O, E, A, B, C] = [qv(from), qv(to), qv(a!), qv(b!), qv(c!)];
  const D = vsub(E, O);
  const n = vcross(vsub(B, A), vsub(C, A));
  const inside = (P: QVec) => {
    const side = (p: QVec, r: QVec) => sign(vdot(n, vcross(vsub(r, p), vsub(P, p))));
    return side(A, B) >= 0 && side(B, C) >= 0 && side(C, A) >= 0;
  };
  const h0 = vdot(n, vsub(O, A));
  const h1 = vdot(n, vsub(E, A));
  if (h0.n === 0n && h1.n === 0n) {
    if (!vzero(n) && inside(O)) return true;
    return [
      [A, B],
      [B, C],
      [C, A],
    ].some(([p, r]) => segmentsTouch(O, E, p!, r!));
  }
  if (sign(h0) * sign(h1) > 0) return false;
  return inside(vadd(O, vscale(D, div(h0, sub(h0, h1)))));
}

function segmentsTouch(a: QVec, b: QVec, c: QVec, d: QVec): boolean {
  if (
    [
      distanceSqPointSegment(a, c, d),
      distanceSqPointSegment(b, c, d),
      distanceSqPointSegment(c, a, b),
      distanceSqPointSegment(d, a, b),
    ].some((x) => x.n === 0n)
  )
    return true;
  const u = vsub(b, a);
  const v = vsub(d, c);
  const n = vcross(u, v);
  if (vzero(n) || vdot(n, vsub(c, a)).n !== 0n) return false;
  const across = (p: QVec, e: QVec, r: QVec, s: QVec) =>
    sign(vdot(n, vcross(e, vsub(r, p)))) * sign(vdot(n, vcross(e, vsub(s, p)))) < 0;
  return across(a, u, c, d) && across(c, v, a, b);
}

/** Do two oriented boxes (centre, axes, half sizes) share a point? All 15 axes, exactly. */
export function exactObbObb(a: ExactBox, b: ExactBox): boolean {
  const [A, B] = [a, b].map((box) => ({ c: qv(box.center), u: box.axes.map(qv), e: box.half.map(q) })) as [
    Rational,
    Rational,
  ];
  const t = vsub(B.c, A.c);
  const axes = [...A.u, ...B.u, ...A.u.flatMap((u) => B.u.map((v) => vcross(u, v)))];
  const reach = (box: Rational, l: QVec) =>
    box.u.reduce((sum, u, i) => add(sum, mul(exact.abs(vdot(u, l)), box.e[i]!)), ZERO);
  return axes.every((l) => vzero(l) || cmp(exact.abs(vdot(t, l)), add(reach(A, l), reach(B, l))) <= 0);
}

export interface ExactBox {
  readonly center: Point;
  readonly axes: readonly Point[];
  readonly half: readonly number[];
}
interface Rational {
  c: QVec;
  u: QVec[];
  e: Q[];
}

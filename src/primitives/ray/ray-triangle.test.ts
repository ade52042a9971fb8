import { describe, expect, test } from 'vitest';
import { check, cloud, exact, factor, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { makeTriangleHit, type Ray, type TriangleHit } from '../types.ts';
import {
  lineTriangle,
  lineTriangleFront,
  rayTriangle,
  rayTriangleFront,
  segmentTriangle,
  segmentTriangleFront,
} from './ray-triangle.ts';

type Triangle = readonly [Vec3, Vec3, Vec3];
type Big = readonly [bigint, bigint, bigint];

/** Points as integers, all scaled by the same power of two: much faster than rational numbers. */
function integers(points: readonly Vec3[]): { list: Big[]; shift: bigint } {
  const all = points.map((p) => [exact.q(p.x), exact.q(p.y), exact.q(p.z)]);
  const finest = all
    .flat()
    .map((x) => x.d)
    .sort((a, b) => (a < b ? 1 : -1))[0]!;
  const list = all.map(([x, y, z]) => [scaled(x!, finest), scaled(y!, finest), scaled(z!, finest)] as const);
  return { list, shift: finest };
}
const scaled = (x: exact.Q, finest: bigint) => x.n * (finest / x.d);
const sub = (a: Big, b: Big): Big => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Big, b: Big) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Big, b: Big): Big => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const quotient = (n: bigint, d: bigint) => exact.toNumber(d < 0n ? { n: -n, d: -d } : { n, d });

interface Truth {
  t: number;
  /** The sign of t, and of t - 1. */
  after: boolean;
  beyond: boolean;
  point: Vec3;
  normal: Vec3;
  /** The line runs along the normal of abc. */
  fromBehind: boolean;
}

/**
 * Exactly: the point of the plane, then on which side of each edge it lies. Null in the plane. The direction is that
 * to `end`, or `d` if there is none.
 */
function pierce(o: Vec3, d: Vec3, end: Vec3 | null, triangle: Triangle): Truth | null {
  const { list, shift } = integers([o, ...triangle, end ?? o]);
  const [O, A, B, C, E] = list as [Big, Big, Big, Big, Big];
  const free = integers([d]);
  const D = end ? sub(E, O) : free.list[0]!;
  const n = cross(sub(B, A), sub(C, A));
  const still = D.every((x) => x === 0n);
  const height = dot(n, sub(A, O));
  const slope = still ? 1n : dot(n, D);
  if (n.every((x) => x === 0n) || slope === 0n || (still && height !== 0n)) return null;
  // t = height / slope, but for the scale of d; the point times the slope is an integer again.
  const sign = slope < 0n ? -1n : 1n;
  const point = O.map((x, k) => x * slope + D[k]! * height) as unknown as Big;
  const inside = (p: Big, r: Big) =>
    dot(n, cross(sub(r, p), point.map((x, k) => (x - p[k]! * slope) * sign) as unknown as Big)) >= 0n;
  if (!(inside(A, B) && inside(B, C) && inside(C, A))) return null;
  const at = (k: number) => quotient(point[k]!, slope * shift);
  const components = n.map((x) => quotient(x, shift * shift));
  return {
    t: end ? quotient(height, slope) : quotient(height * free.shift, slope * shift),
    after: height * sign >= 0n,
    beyond: (height - slope) * sign > 0n,
    point: vec3(at(0), at(1), at(2)),
    normal: vec3(components[0], components[1], components[2]),
    fromBehind: slope > 0n && !still,
  };
}

interface Case {
  ray: Ray;
  triangle: Triangle;
  end: Vec3;
}

const mix = (a: Vec3, b: Vec3, t: number): Vec3 => ({
  x: a.x + t * (b.x - a.x),
  y: a.y + t * (b.y - a.y),
  z: a.z + t * (b.z - a.z),
});

/** Rays at corners, edges and the inside, past the triangle, in its plane, from it, without length. */
function makeCase(rng: Rng): Case {
  const { points } = cloud(rng, 5);
  const [a, b, c, other] = points as [Vec3, Vec3, Vec3, Vec3];
  let origin = points[4] as Vec3;
  const triangle: Triangle = rng.chance(0.05) ? [a, b, mix(a, b, rng.pick([0, 1, 0.5, 2]))] : [a, b, c];
  const inside = mix(mix(a, b, rng.unit()), c, rng.pick([0, 0.5, 1, rng.unit()]));
  const end = rng.pick([a, b, mix(a, b, 0.5), mix(b, c, rng.unit()), inside, inside, inside, other]);
  if (rng.chance(0.1)) origin = rng.pick([a, inside, mix(a, c, 0.5), end]);
  const stretch = rng.pick([1, 1, -1, 2, 0.5, 1e-6, 1e6]);
  const direction = {
    x: stretch * (end.x - origin.x),
    y: stretch * (end.y - origin.y),
    z: stretch * (end.z - origin.z),
  };
  return { ray: { origin, direction }, triangle, end };
}

const norm = (v: Vec3) => Math.abs(v.x) + Math.abs(v.y) + Math.abs(v.z);
const minus = (a: Vec3, b: Vec3): Vec3 => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });

/** Compares a hit with the truth. Rounding is amplified as the ray grazes or the triangle is thin, up to 1e-6. */
function compare(hit: TriangleHit | null, truth: Truth | null, { ray, triangle }: Case, what: string): void {
  check((hit !== null) === (truth !== null), `${what}: ${hit ? 'hit' : 'miss'}, wrongly`);
  if (!hit || !truth) return;
  const [a, b, c] = triangle;
  const [ab, ac] = [minus(b, a), minus(c, a)];
  const n = truth.normal;
  const slope = Math.abs(ray.direction.x * n.x + ray.direction.y * n.y + ray.direction.z * n.z);
  const speed = norm(ray.direction);
  const amplified = Math.min(1e-6, (256 * 2 ** -53 * speed * norm(ab) * norm(ac)) / slope || 0);
  const far = norm(minus(a, ray.origin)) + norm(ab) + norm(ac);
  const { t, point: p } = truth;
  near(hit.t, t, speed === 0 ? 0 : amplified * (far / speed + Math.abs(t)), `${what}: t`);
  const rounding = 2 ** -50 * (norm(a) + norm(ab) + norm(ac));
  for (const k of ['x', 'y', 'z'] as const) {
    near(hit.point[k], p[k], amplified * far + rounding, `${what}: point.${k}`);
    near(hit.u * a[k] + hit.v * b[k] + hit.w * c[k], hit.point[k], rounding, `${what}: barycentric ${k}`);
  }
  check(hit.u >= 0 && hit.v >= 0 && hit.w >= 0, `${what}: negative barycentric coordinate`);
  near(hit.u + hit.v + hit.w, 1, 2 ** -50, `${what}: u + v + w`);
  const length = Math.hypot(hit.normal.x, hit.normal.y, hit.normal.z);
  near(length, speed === 0 ? 0 : 1, 1e-15, `${what}: |normal|`);
  if (speed === 0) return;
  const scale = (truth.fromBehind ? -1 : 1) / Math.hypot(n.x, n.y, n.z);
  const thin = Math.min(1e-6, 256 * 2 ** -53 * norm(ab) * norm(ac) * Math.abs(scale)) + 1e-15;
  for (const k of ['x', 'y', 'z'] as const) near(hit.normal[k], n[k] * scale, thin, `${what}: normal.${k}`);
}

describe('against exact arithmetic', () => {
  const out = makeTriangleHit();
  let hits = 0;
  property(
    '[R5.3.6] rayTriangle, all cases: decided exactly, from both sides and from the front',
    15_000,
    (rng) => {
      const c = makeCase(rng);
      const { ray, triangle } = c;
      const line = pierce(ray.origin, ray.direction, null, triangle);
      const truth = line?.after ? line : null;
      if (truth) hits++;
      compare(rayTriangle(ray, ...triangle), truth, c, 'ray');
      compare(rayTriangle(ray, ...triangle, Infinity, out), truth, c, 'ray with out');
      compare(rayTriangleFront(ray, ...triangle), truth?.fromBehind ? null : truth, c, 'front');
      const t = truth ? truth.t : 1;
      compare(rayTriangle(ray, ...triangle, 2 * t), truth, c, 'within reach');
      check(t === 0 || rayTriangle(ray, ...triangle, 0.5 * t) === null, 'out of reach');
    },
  );
  test('a good part of the cases were hits', () => expect(hits).toBeGreaterThan(5_000 * factor));

  property('[R5.3.4] lineTriangle by triple products, one- and two-sided', 15_000, (rng) => {
    const c = makeCase(rng);
    const truth = pierce(c.ray.origin, c.ray.direction, null, c.triangle);
    compare(lineTriangle(c.ray, ...c.triangle), truth, c, 'line');
    compare(lineTriangleFront(c.ray, ...c.triangle, out), truth?.fromBehind ? null : truth, c, 'front');
  });

  property('[R5.3.6] segmentTriangle, ends on the triangle included', 15_000, (rng) => {
    const c = makeCase(rng);
    const { origin } = c.ray;
    c.ray.direction = minus(c.end, origin);
    const line = pierce(origin, c.ray.direction, c.end, c.triangle);
    const truth = line?.after && !line.beyond ? line : null;
    const hit = segmentTriangle(origin, c.end, ...c.triangle, out);
    compare(hit, truth, c, 'segment');
    check(hit === null || (hit.t >= 0 && hit.t <= 1), 't in [0, 1]');
    compare(segmentTriangleFront(origin, c.end, ...c.triangle), truth?.fromBehind ? null : truth, c, 'front');
    check(
      (segmentTriangle(c.end, origin, ...c.triangle) !== null) === (truth !== null),
      'the other way round',
    );
  });
});

property('[R5.3.4] the order of the corners changes neither decision nor place', 10_000, (rng) => {
  const { ray, triangle } = makeCase(rng);
  const [a, b, c] = triangle;
  const hit = lineTriangle(ray, a, b, c);
  for (const order of [[b, c, a] as const, [c, a, b] as const, [b, a, c] as const]) {
    const again = lineTriangle(ray, ...order);
    check((hit === null) === (again === null), 'same decision');
  }
});

const A = vec3(0, 0, 0);
const B = vec3(1, 0, 0);
const C = vec3(0, 1, 0);
const down = (x: number, y: number, z = 2, length = 1): Ray => ({
  origin: vec3(x, y, z),
  direction: vec3(0, 0, -length),
});

test('[R5.3.6] t, u, v, w, point and normal of a plain hit; t is in units of the direction', () => {
  const hit = rayTriangle(down(0.25, 0.5, 2, 4), A, B, C);
  expect(hit).toEqual({
    t: 0.5,
    point: vec3(0.25, 0.5, 0),
    normal: vec3(0, 0, 1),
    u: 0.25,
    v: 0.25,
    w: 0.5,
  });
});

test('[R5.3.6] a back face is hit, with the normal towards the ray, or culled', () => {
  expect(rayTriangle(down(0.25, 0.25), A, C, B)!.normal).toEqual(vec3(0, 0, 1));
  expect(rayTriangleFront(down(0.25, 0.25), A, C, B)).toBeNull();
  expect(rayTriangleFront(down(0.25, 0.25), A, B, C)).not.toBeNull();
});

test('[R5.3.6] behind the origin is a miss, on it is t = 0, and tMax is in the range', () => {
  expect(rayTriangle(down(0.25, 0.25, -1), A, B, C)).toBeNull();
  expect(rayTriangle(down(0.25, 0.25, 0), A, B, C)!.t).toBe(0);
  expect(rayTriangle(down(0.25, 0.25, 2), A, B, C, 2)!.t).toBe(2);
  expect(rayTriangle(down(0.25, 0.25, 2), A, B, C, 1.9999)).toBeNull();
});

test('[R5.3.4] corners, edges, and next to them', () => {
  for (const [x, y, is] of [
    [0, 0, true],
    [1, 0, true],
    [0, 1, true],
    [0.5, 0, true],
    [0.5, 0.5, true],
    [0, 0.25, true],
    [-1e-60, 0.5, false],
    [0.5, -1e-60, false],
    [0.5, 0.5 + 2 ** -53, false],
    [1 + 2 ** -52, 0, false],
  ] as const)
    expect(rayTriangle(down(x, y), A, B, C) !== null, `(${x}, ${y})`).toBe(is);
});

test('[R5.3.4] a line in the plane of the triangle, or along an edge, crosses nowhere', () => {
  const along = (o: Vec3, direction: Vec3) => lineTriangle({ origin: o, direction }, A, B, C);
  expect(along(vec3(-1, 0.25, 0), vec3(1, 0, 0))).toBeNull();
  expect(along(vec3(-1, 0, 0), vec3(1, 0, 0))).toBeNull();
  expect(along(vec3(0.25, 0.25, 0), vec3(1, 2, 0))).toBeNull();
});

test('a direction of zero hits the triangle that holds the point, with no normal', () => {
  const still = (x: number, y: number, z: number) =>
    rayTriangle({ origin: vec3(x, y, z), direction: vec3() }, A, B, C);
  expect(still(0.25, 0.5, 0)).toEqual({
    t: 0,
    point: vec3(0.25, 0.5, 0),
    normal: vec3(),
    u: 0.25,
    v: 0.25,
    w: 0.5,
  });
  expect(still(0.25, 0.5, 1e-9)).toBeNull();
  expect(still(0.75, 0.5, 0)).toBeNull();
  expect(segmentTriangle(B, B, A, B, C)!.t).toBe(0);
});

test('a grazing ray and a needle keep their digits', () => {
  // 1e-12 above the plane at the origin and as much below it at x = 1: it crosses at x = 1/2.
  const graze = { origin: vec3(0, 0.1, 1e-12), direction: vec3(1, 0, -2e-12) };
  const hit = rayTriangle(graze, vec3(-9, -9, 0), vec3(9, -9, 0), vec3(0, 9, 0))!;
  near(hit.t, 0.5, 1e-15);
  const needle = rayTriangle(down(0.5, 2 ** -40), A, B, vec3(1, 2 ** -39, 0))!;
  near(needle.t, 2, 1e-15);
  expect(needle.normal).toEqual(vec3(0, 0, 1));
});

test('out may share its vectors with the ray', () => {
  const ray = down(0.25, 0.5);
  const out = { ...makeTriangleHit(), point: ray.origin, normal: ray.direction };
  rayTriangle(ray, A, B, C, Infinity, out);
  expect(out.point).toEqual(vec3(0.25, 0.5, 0));
  expect(out.normal).toEqual(vec3(0, 0, 1));
});

test('bad numbers are refused by name', () => {
  const bad = { origin: vec3(0, Number.NaN, 0), direction: vec3(0, 0, 1) };
  expect(() => rayTriangle(bad, A, B, C)).toThrow(/rayTriangle: ray\.origin\.y/);
  expect(() => rayTriangle(down(5, 5), A, B, vec3(Infinity, 0, 0))).toThrow(/rayTriangle: c\.x/);
  expect(() => rayTriangle(down(5, 5), A, B, C, Number.NaN)).toThrow(/tMax/);
  expect(() => rayTriangle(down(5, 5), A, B, C, -1)).toThrow(/tMax/);
  expect(() => segmentTriangle(A, vec3(0, 0, -Infinity), A, B, C)).toThrow(/segmentTriangle: q\.z/);
});

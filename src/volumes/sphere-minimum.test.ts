import { expect, test } from 'vitest';
import { check, cloud, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import type { Sphere } from '../primitives/types.ts';
import { fitCircleMinimum, fitSphereMinimum, fitSphereSpheres } from './sphere-minimum.ts';

const { q, qv, mul, sub, cmp, vsub, vdot } = exact;

/**
 * The radius of the smallest sphere, by exact arithmetic: of all spheres through one to four of the points, with the
 * center in their span, the smallest that holds every point. Doubles are whole numbers times a power of two, so whole
 * numbers will do.
 */
function bruteRadius(points: readonly ReadonlyVec3[]): number {
  const coordinates = points.flatMap(({ x, y, z }) => [exact.q(x), exact.q(y), exact.q(z)]);
  // The denominators are powers of two: the largest is a multiple of all.
  let unit = 1n;
  for (const { d } of coordinates) if (d > unit) unit = d;
  const whole = coordinates.map(({ n, d }) => n * (unit / d));
  const all = points.map((_, i) => whole.slice(3 * i, 3 * i + 3));
  let best = { n: -1n, d: 1n };
  const choose = (from: number, subset: bigint[][]): void => {
    if (subset.length > 0) {
      const found = radiusSq(subset, all);
      if (found && (best.n < 0n || found.n * best.d < best.n * found.d)) best = found;
    }
    if (subset.length < 4) for (let i = from; i < all.length; i++) choose(i + 1, [...subset, all[i]!]);
  };
  choose(0, []);
  return Math.sqrt(exact.toNumber(best)) / Number(unit);
}

const dot = (a: bigint[], b: bigint[]): bigint => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const minus = (a: bigint[], b: bigint[]): bigint[] => a.map((v, k) => v - b[k]!);

function det(m: bigint[][]): bigint {
  if (m.length === 0) return 1n;
  return m[0]!.reduce(
    (sum, v, k) => sum + (k % 2 ? -v : v) * det(m.slice(1).map((row) => row.filter((_, j) => j !== k))),
    0n,
  );
}

/** The square of the radius of the sphere through the subset, if there is one and it holds all the points. */
function radiusSq(subset: bigint[][], all: bigint[][]): exact.Q | undefined {
  const [origin, ...rest] = subset as [bigint[], ...bigint[][]];
  const d = rest.map((p) => minus(p, origin));
  const gram = d.map((a) => d.map((b) => 2n * dot(a, b)));
  const g = det(gram);
  if (g === 0n) return undefined;
  // g times the center, seen from the origin, by Cramer's rule.
  let center = [0n, 0n, 0n];
  d.forEach((v, k) => {
    const weight = det(gram.map((row, i) => row.map((e, j) => (j === k ? dot(d[i]!, d[i]!) : e))));
    center = center.map((c, axis) => c + weight * v[axis]!);
  });
  const rSq = dot(center, center);
  for (const p of all) {
    const off = minus(
      minus(p, origin).map((v) => v * g),
      center,
    );
    if (dot(off, off) > rSq) return undefined;
  }
  return { n: rSq, d: g * g };
}

/** A few points of small whole numbers or off them by 1e-9, coincident, collinear, coplanar and cospherical as it comes. */
function few(rng: Rng, most: number): { points: Vec3[]; scale: number; size: number } {
  const found = cloud(rng, rng.int(1, most));
  if (rng.chance(0.2)) found.points.push({ ...found.points[0]! });
  return found;
}

property('[R4.3.5] the smallest sphere of a few points is that of exact brute force', 2000, (rng) => {
  const { points, scale } = few(rng, 6);
  const { radius } = fitSphereMinimum(points);
  const wanted = bruteRadius(points);
  // The center is rounded where it lies, the radius rounded up by 16 half-steps.
  near(radius, wanted, 4e-15 * wanted + 4e-16 * scale, 'radius');
});

/** How far the farthest of the balls reaches from c. */
const reach = (balls: readonly Sphere[], c: ReadonlyVec3): number =>
  Math.max(...balls.map(({ center: p, radius }) => Math.hypot(p.x - c.x, p.y - c.y, p.z - c.z) + radius));

/** The reach is convex, so a center from which no step helps, long or short, is the best. */
function cannotImprove(rng: Rng, balls: readonly Sphere[], found: Sphere, tolerance: number): void {
  const steps = [1, 1e-2, 1e-4, 1e-6];
  for (let i = 0; i < 6; i++) {
    const ball = rng.pick(balls).center;
    const aim = {
      x: ball.x - found.center.x,
      y: ball.y - found.center.y,
      z: ball.z - found.center.z,
    };
    const random = rng.vec(found.radius);
    for (const step of steps)
      for (const v of [aim, random]) {
        const c = {
          x: found.center.x + step * v.x,
          y: found.center.y + step * v.y,
          z: found.center.z + step * v.z,
        };
        const there = reach(balls, c);
        check(
          there >= found.radius - tolerance,
          () => `a step of ${step} gives ${there}, not ${found.radius}`,
        );
      }
  }
}

property('[R4.3.5] no other center is better', 10_000, (rng) => {
  const { points, scale } = few(rng, 12);
  const found = fitSphereMinimum(points);
  const balls = points.map((center) => ({ center, radius: 0 }));
  cannotImprove(rng, balls, found, 4e-15 * found.radius + 4e-16 * scale);
});

test('[R4.3.5] a regular tetrahedron with edge a has radius a √6 / 4', () => {
  for (const a of [1, 1e-9, 1e9]) {
    const s = a / Math.SQRT2 / 2; // a cube of half this side has diagonals a
    const points = [s, s, s, s, -s, -s, -s, s, -s, -s, -s, s];
    expect((fitSphereMinimum(points).radius / a) * 4).toBeCloseTo(Math.sqrt(6), 13);
  }
});

test('[R4.3.5] none to four support points: one, coincident, two, collinear, triangles, coplanar, cospherical', () => {
  const at = (...points: number[]): Sphere => fitSphereMinimum(points);
  expect(at(1, 2, 3)).toEqual({ center: { x: 1, y: 2, z: 3 }, radius: 0 });
  expect(at(1, 2, 3, 1, 2, 3, 1, 2, 3)).toEqual({ center: { x: 1, y: 2, z: 3 }, radius: 0 });
  expect(at(0, 0, 0, 2, 0, 0).center).toEqual({ x: 1, y: 0, z: 0 });
  expect(at(0, 0, 0, 1, 1, 1, 3, 3, 3, 4, 4, 4).center).toEqual({ x: 2, y: 2, z: 2 });
  // Obtuse: the long side decides. Right: the third point just touches. Acute: all three do.
  expect(at(-2, 0, 0, 2, 0, 0, 0, 1, 0).radius).toBeCloseTo(2, 14);
  expect(at(-2, 0, 0, 2, 0, 0, 0, 2, 0).radius).toBeCloseTo(2, 14);
  expect(at(-2, 0, 0, 2, 0, 0, 0, 4, 0).radius).toBeCloseTo(2.5, 14);
  expect(at(1, 1, 0, 1, -1, 0, -1, 1, 0, -1, -1, 0, 0.5, 0.5, 0).radius).toBeCloseTo(Math.SQRT2, 14);
  const cube = Array.from({ length: 24 }, (_, k) => (((k / 3) | 0) & (1 << (k % 3)) ? 1 : -1));
  expect(fitSphereMinimum(cube)).toEqual({
    center: { x: 0, y: 0, z: 0 },
    radius: expect.closeTo(Math.sqrt(3), 14),
  });
});

test('[R4.3.5] the third point of a nearly right angle counts, though it hardly moves the radius', () => {
  const points = [
    { x: 8.890006517859617e-10, y: 2.8730026281312024e-10, z: -1.0000000005220118 },
    { x: 1.0000000001687077, y: -1.00000000099748, z: -1.0000000003901945 },
    { x: -2.0000000002573204, y: -2.0000000009881176, z: 1.999999999109095 },
  ];
  const wanted = bruteRadius(points);
  expect(Math.abs(fitSphereMinimum(points).radius / wanted - 1)).toBeLessThan(4e-15);
});

test('[R4.3.5] a hundred thousand points: in a ball, on a sphere, on a lattice, in sorted order', () => {
  const n = 100_000;
  const make = (point: (i: number) => number[]): Float64Array => {
    const all = new Float64Array(3 * n);
    for (let i = 0; i < n; i++) all.set(point(i), 3 * i);
    return all;
  };
  const onSphere = (i: number): number[] => {
    const z = 1 - (2 * i + 1) / n;
    const r = Math.sqrt(1 - z * z);
    return [r * Math.cos(i * 2.4) + 5, r * Math.sin(i * 2.4), z];
  };
  const sphere = fitSphereMinimum(make(onSphere));
  expect(sphere.radius).toBeCloseTo(1, 8);
  expect(sphere.center.x).toBeCloseTo(5, 4);
  const line = fitSphereMinimum(make((i) => [i, 2 * i, 2 * i]));
  expect(line.radius / ((3 * (n - 1)) / 2)).toBeCloseTo(1, 13);
  const lattice = fitSphereMinimum(make((i) => [i % 10, ((i / 10) | 0) % 100, (i / 1000) | 0]));
  expect(lattice.radius).toBeCloseTo(Math.hypot(4.5, 49.5, 49.5), 11);
});

property('[R4.3.5] the smallest circle is the smallest sphere of the flat points', 10_000, (rng) => {
  const { points, scale } = few(rng, 8);
  const circle = fitCircleMinimum(points);
  const balls = points.map(({ x, y }) => ({ center: { x, y, z: 0 }, radius: 0 }));
  const found = { center: { ...circle.center, z: 0 }, radius: circle.radius };
  for (const { center } of balls) {
    const d = vsub(qv(center), qv(found.center));
    check(cmp(vdot(d, d), mul(q(circle.radius), q(circle.radius))) <= 0, 'leaves a point out');
  }
  cannotImprove(rng, balls, found, 4e-15 * found.radius + 4e-16 * scale);
});

property(
  '[R4.3.5] the smallest sphere of spheres holds them, exactly, and no other center is better',
  20_000,
  (rng) => {
    const { points, size, scale } = few(rng, 7);
    const balls = points.map((center) => ({
      center,
      radius: rng.pick([0, rng.int(0, 4) * size * 0.25, rng.range(0, size)]),
    }));
    if (rng.chance(0.2)) {
      // One within another, touching it.
      const { center, radius } = rng.pick(balls);
      balls.push({ center: { x: center.x + 0.5 * radius, y: center.y, z: center.z }, radius: 0.5 * radius });
    }
    const found = fitSphereSpheres(balls);
    for (const { center, radius } of balls) {
      const d = vsub(qv(center), qv(found.center));
      const spare = sub(q(found.radius), q(radius));
      check(exact.sign(spare) >= 0 && cmp(vdot(d, d), mul(spare, spare)) <= 0, 'leaves a sphere out');
    }
    cannotImprove(rng, balls, found, 1e-14 * found.radius + 4e-16 * scale);
  },
);

test('[R4.3.5] spheres: one, one within another, two, three at the corners of a triangle', () => {
  const at = (x: number, y: number, radius: number): Sphere => ({ center: { x, y, z: 0 }, radius });
  expect(fitSphereSpheres([at(1, 2, 3)])).toEqual(at(1, 2, 3));
  expect(fitSphereSpheres([at(1, 2, 3), at(1, 2.5, 1)])).toEqual(at(1, 2, 3));
  expect(fitSphereSpheres([at(0, 0, 1), at(5, 0, 2)]).radius).toBeCloseTo(4, 13);
  expect(fitSphereSpheres([at(0, 0, 1), at(5, 0, 2)]).center.x).toBeCloseTo(3, 14);
  const triangle = [0, 1, 2].map((k) =>
    at(2 * Math.cos((k * Math.PI * 2) / 3), 2 * Math.sin((k * Math.PI * 2) / 3), 1),
  );
  expect(fitSphereSpheres(triangle).radius).toBeCloseTo(3, 13);
});

test('bad input is named', () => {
  const good = { center: { x: 0, y: 0, z: 0 }, radius: 1 };
  expect(() => fitSphereSpheres([])).toThrow(/spheres must hold/);
  expect(() => fitSphereSpheres([good, { ...good, radius: -1 }])).toThrow(/spheres\[1\]\.radius/);
  expect(() => fitSphereSpheres([{ ...good, center: { x: 0, y: Number.NaN, z: 0 } }])).toThrow(
    /spheres\[0\]\.center\.y/,
  );
  expect(() => fitCircleMinimum([{ x: 0, y: Infinity }])).toThrow(/points\[0\]\.y/);
});

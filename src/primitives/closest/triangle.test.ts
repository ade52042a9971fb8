import { describe, expect, test } from 'vitest';
import { between, degeneratePoints, nudge, reach, span } from '../../../tests/kit/degenerate-points.ts';
import { exactPointTriangle } from '../../../tests/kit/exact-distance.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import { scalb } from '../../math/float.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { distance } from '../../math/vec3.ts';
import { closestFeatureTriangle, closestPointTriangle, distanceSqPointTriangle } from './triangle.ts';
import type { TriangleFeature } from './types.ts';
import { makeTrianglePoint } from './types.ts';

const U = 2 ** -53;

/** Everything there is to check, against exact arithmetic. */
function judge(p: Vec3, a: Vec3, b: Vec3, c: Vec3, ulps: number): void {
  const size = span([p, a, b, c]);
  const grid = 4 * U * reach([p, a, b, c]);
  const wanted = exactPointTriangle(p, a, b, c);
  const found = closestFeatureTriangle(p, a, b, c);
  const { point, u, v, w, feature } = found;
  near(Math.sqrt(found.distanceSq), wanted, ulps * U * size, 'distance');
  near(distance(p, point), wanted, ulps * U * size + grid, 'distance of the point');
  near(exactPointTriangle(point, a, b, c), 0, 8 * U * size + grid, 'distance of the point from the triangle');
  check(u >= 0 && v >= 0 && w >= 0, () => `weights ${u} ${v} ${w}`);
  near(u + v + w, 1, 4 * U, 'sum of the weights');
  for (const axis of ['x', 'y', 'z'] as const)
    near(point[axis], u * a[axis] + v * b[axis] + w * c[axis], 4 * U * size + 2 * grid, `weighted ${axis}`);
  check(feature === named(u, v, w), () => `${feature} for weights ${u} ${v} ${w}`);
  const plain = closestPointTriangle(p, a, b, c);
  near(distance(p, plain), wanted, ulps * U * size + grid, 'distance of the plain point');
  near(
    exactPointTriangle(plain, a, b, c),
    0,
    8 * U * size + grid,
    'distance of the plain point from the triangle',
  );
  check(distanceSqPointTriangle(p, a, b, c) === found.distanceSq, 'the same distance');
}

function named(u: number, v: number, w: number): TriangleFeature {
  if (u > 0 && v > 0 && w > 0) return 'face';
  if (w > 0) return u > 0 ? 'ca' : v > 0 ? 'bc' : 'c';
  return u > 0 ? (v > 0 ? 'ab' : 'a') : 'b';
}

describe('point and triangle', () => {
  property('[R5.1.5] = exact minimum over face and edges, degenerate triangles included', 20_000, (rng) => {
    const [p, a, b, c] = degeneratePoints(rng, cloud(rng, 4)) as [Vec3, Vec3, Vec3, Vec3];
    judge(p, a, b, c, 24);
  });

  property('[R5.1.5] = exact minimum for needles of every thinness, p at every height', 20_000, (rng) => {
    const { points, size } = cloud(rng, 3);
    const [a, b] = points as [Vec3, Vec3, Vec3];
    const c = nudge(rng, between(rng, a, b), size * 10 ** -rng.range(0, 18));
    const [d, e, f] = rng.shuffle([a, b, c]) as [Vec3, Vec3, Vec3];
    const p = nudge(rng, between(rng, between(rng, d, e), f), size * 10 ** -rng.range(0, 18));
    judge(p, d, e, f, 24);
  });

  property('[R5.1.5] = exact minimum from far away', 10_000, (rng) => {
    const [p, a, b, c] = degeneratePoints(rng, cloud(rng, 4), 0.1) as [Vec3, Vec3, Vec3, Vec3];
    const far = 10 ** rng.range(0, 12);
    judge(vec3(p.x * far, p.y * far, p.z * far), a, b, c, 8);
  });

  property('out may be made of the inputs', 1000, (rng) => {
    const [p, a, b, c] = degeneratePoints(rng, cloud(rng, 4)) as [Vec3, Vec3, Vec3, Vec3];
    const wanted = closestFeatureTriangle(p, a, b, c);
    for (const name of [0, 1, 2, 3]) {
      const own = [{ ...p }, { ...a }, { ...b }, { ...c }] as [Vec3, Vec3, Vec3, Vec3];
      const out = { ...makeTrianglePoint(), point: own[name]! };
      closestFeatureTriangle(...own, out);
      check(JSON.stringify(out) === JSON.stringify(wanted), () => `aliased argument ${name}`);
    }
  });

  test('[R5.1.5] every feature, by name', () => {
    const [a, b, c] = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)];
    const feature = (x: number, y: number) => closestFeatureTriangle(vec3(x, y, 3), a, b, c).feature;
    expect(feature(-1, -1)).toBe('a');
    expect(feature(6, -1)).toBe('b');
    expect(feature(-1, 6)).toBe('c');
    expect(feature(2, -1)).toBe('ab');
    expect(feature(-1, 2)).toBe('ca');
    expect(feature(3, 3)).toBe('bc');
    expect(feature(1, 1)).toBe('face');
    const { point, u, v, w, distanceSq } = closestFeatureTriangle(vec3(1, 1, 3), a, b, c);
    expect({ point, u, v, w, distanceSq }).toEqual({
      point: vec3(1, 1, 0),
      u: 0.5,
      v: 0.25,
      w: 0.25,
      distanceSq: 9,
    });
  });

  test('[R5.1.5] outside ab, yet closest to bc: an obtuse corner', () => {
    const [a, b, c] = [vec3(0, 0, 0), vec3(1, 0, 0), vec3(5, 1, 0)];
    // Below the line ab and beyond b, but the closest point is inside bc.
    expect(closestFeatureTriangle(vec3(3, -0.5, 0), a, b, c).feature).toBe('bc');
    // One dot product with the edges at a is negative, the other is not.
    expect(closestFeatureTriangle(vec3(-1, 0, 0), vec3(0, 0, 0), vec3(1, 0, 0), vec3(-4, 1, 0)).feature).toBe(
      'ca',
    );
  });

  test('[R5.1.5] collinear triangles are the segment they cover, point triangles the point', () => {
    for (const order of [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
      [1, 0, 2],
    ]) {
      const on = order.map((x) => vec3(2 * x, 0, 0)) as [Vec3, Vec3, Vec3];
      expect(closestPointTriangle(vec3(1, 5, 0), ...on)).toEqual(vec3(1, 0, 0));
      expect(closestPointTriangle(vec3(3, 0, 1), ...on)).toEqual(vec3(3, 0, 0));
      expect(closestPointTriangle(vec3(9, 0, 1), ...on)).toEqual(vec3(4, 0, 0));
      expect(closestPointTriangle(vec3(-9, 0, 1), ...on)).toEqual(vec3(0, 0, 0));
    }
    const a = vec3(1, 1, 1);
    expect(closestFeatureTriangle(vec3(3, 1, 1), a, a, a)).toMatchObject({
      point: a,
      feature: 'a',
      distanceSq: 4,
    });
    const twice = closestFeatureTriangle(vec3(1, 2, 0), vec3(0, 0, 0), vec3(0, 0, 0), vec3(2, 0, 0));
    expect(twice).toMatchObject({ point: vec3(1, 0, 0), w: 0.5, distanceSq: 4 });
  });

  test('[R5.1.5] a short edge between corners 1e-9 apart keeps its own closest points', () => {
    const p = vec3(0.9999999992824693, 9.67836320524414e-10, 7.320233432385342e-10);
    const a = vec3(0.999999999861857, 0.9999999998016442, -0.999999999288796);
    const b = vec3(1.0000000004953402, 9.894627484611532e-10, 5.086339276560328e-10);
    const c = vec3(0.999999999181054, 9.660282327419832e-10, 7.50702536676055e-10);
    judge(p, a, b, c, 4);
  });

  test('corners and bad numbers', () => {
    const [a, b, c] = [vec3(0.1, 0.2, 0.3), vec3(0.7, 0.1, 0.2), vec3(0.3, 0.9, 0.1)];
    expect(closestPointTriangle(b, a, b, c)).toEqual(b);
    expect(closestPointTriangle(vec3(0.3, 1.9, 0.1), a, b, c)).toEqual(c);
    expect(() => closestPointTriangle(vec3(Number.NaN), a, b, c)).toThrow(/p\.x/);
    for (const bad of [Number.NaN, Infinity, -Infinity])
      for (const place of [0, 1, 2, 3]) {
        const args = [vec3(-1, -1, 0), a, b, c] as [Vec3, Vec3, Vec3, Vec3];
        args[place] = vec3(0, bad, 0);
        const name = new RegExp(`${'pabc'[place]}\\.y`);
        expect(() => closestPointTriangle(...args)).toThrow(name);
        expect(() => distanceSqPointTriangle(...args)).toThrow(name);
        expect(() => closestFeatureTriangle(...args)).toThrow(name);
      }
  });

  property('[R5.1.5] the same at every scale: squares that overflow or vanish do no harm', 10_000, (rng) => {
    const points = degeneratePoints(rng, cloud(rng, 4)) as [Vec3, Vec3, Vec3, Vec3];
    const [p, a, b, c] = points;
    const k = rng.sign() * rng.int(100, 900);
    // Exact, and so is the way back, as long as no digits fall off at the lower end.
    const move = ({ x, y, z }: Vec3, n: number) => vec3(scalb(x, n), scalb(y, n), scalb(z, n));
    const sane = (x: number) => x === 0 || (Math.abs(x) > 1e-20 && Math.abs(x) < 1e20);
    if (!points.every(({ x, y, z }) => sane(x) && sane(y) && sane(z))) return;
    const scaled = points.map((q) => move(q, k)) as [Vec3, Vec3, Vec3, Vec3];
    const wanted = exactPointTriangle(p, a, b, c);
    const tolerance = 24 * U * span(points) + 8 * U * reach(points);
    const plain = move(closestPointTriangle(...scaled), -k);
    near(distance(p, plain), wanted, tolerance, 'distance of the plain point');
    near(exactPointTriangle(plain, a, b, c), 0, tolerance, 'off the triangle');
    const { point, feature, u, v, w, distanceSq } = closestFeatureTriangle(...scaled);
    near(distance(p, move(point, -k)), wanted, tolerance, 'distance of the point');
    check(feature === named(u, v, w), () => `${feature} for weights ${u} ${v} ${w}`);
    if (k > 500)
      check(
        wanted < 100 * tolerance || distanceSq > 1e60,
        () => `distanceSq ${distanceSq} for ${wanted} 2^${k}`,
      );
    if (Math.abs(k) < 400)
      near(scalb(Math.sqrt(distanceSq), -k), wanted, tolerance + 1e-12 * wanted, 'distanceSq');
  });

  test('[R5.1.5] at 2^±600, and at the very ends of the range', () => {
    for (const k of [scalb(1, 600), scalb(1, -600), scalb(1, 1023), scalb(1, -1060)]) {
      const corners = [vec3(0, 0, 0), vec3(k, 0, 0), vec3(0, k, 0)] as const;
      const q = closestPointTriangle(vec3(k / 4, k / 2, k), ...corners);
      expect(q).toEqual(vec3(k / 4, k / 2, 0));
      expect(closestFeatureTriangle(vec3(k, k, -k), ...corners).point).toEqual(vec3(k / 2, k / 2, 0));
      expect(closestPointTriangle(vec3(-k, -k, k), ...corners)).toEqual(vec3(0, 0, 0));
    }
    // A tiny triangle seen from afar, and the widest that there is.
    const k = scalb(1, -700);
    const far = closestPointTriangle(vec3(1e300, 1, 1), vec3(0, 0, 0), vec3(k, 0, 0), vec3(0, k, 0));
    expect(far).toEqual(vec3(k, 0, 0));
    const m = Number.MAX_VALUE;
    const wide = closestPointTriangle(vec3(0, 0, 1), vec3(-m, -m, 0), vec3(m, -m, 0), vec3(0, m, 0));
    expect(wide.z).toBe(0);
    expect(Math.abs(wide.x) + Math.abs(wide.y)).toBeLessThan(1e-10 * m);
  });

  test('numbers whose squares overflow or vanish still give a point of the triangle', () => {
    for (const k of [1e200, 1e-200, 5e-324]) {
      const q = closestPointTriangle(vec3(k, k, k), vec3(0, 0, 0), vec3(k, 0, 0), vec3(0, k, 0));
      expect(q.x >= 0 && q.y >= 0 && q.z === 0 && q.x <= k && q.y <= k).toBe(true);
    }
  });
});

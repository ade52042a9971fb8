import { expect, test } from 'vitest';
import { check, cloud, exact, property, type Rng } from '../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import type { Sphere } from '../primitives/types.ts';
import type { PointSet } from './point-set.ts';
import { meanPoint } from './point-set-spread.ts';
import { fitSphereIterative, fitSphereMidpoint, fitSphereRitter, fitSphereSpread } from './sphere-fit.ts';
import { fitSphereMinimum } from './sphere-minimum.ts';

const FITS: Record<string, (points: PointSet) => Sphere> = {
  midpoint: fitSphereMidpoint,
  ritter: fitSphereRitter,
  spread: fitSphereSpread,
  iterative: fitSphereIterative,
  minimum: fitSphereMinimum,
};

/** Points in general and in trouble: coincident, on a line, in a plane, on a sphere. */
function points(rng: Rng): Vec3[] {
  const { points } = cloud(rng, rng.int(1, 8));
  const [a, b, c] = [points[0]!, points.at(-1)!, points[points.length >> 1]!];
  const mix = (s: number, t: number): Vec3 => ({
    x: a.x + s * (b.x - a.x) + t * (c.x - a.x),
    y: a.y + s * (b.y - a.y) + t * (c.y - a.y),
    z: a.z + s * (b.z - a.z) + t * (c.z - a.z),
  });
  if (rng.chance(0.1)) return points.map(() => ({ ...a }));
  if (rng.chance(0.1)) return points.map(() => mix(rng.range(-1, 1), 0));
  if (rng.chance(0.1)) return points.map(() => mix(rng.range(-1, 1), rng.range(-1, 1)));
  if (rng.chance(0.1)) return points.map(() => rng.direction());
  return points;
}

/** |p - c|² <= r², in exact arithmetic. */
function holds(sphere: Sphere, p: ReadonlyVec3): boolean {
  const d = exact.vsub(exact.qv(p), exact.qv(sphere.center));
  return exact.cmp(exact.vdot(d, d), exact.mul(exact.q(sphere.radius), exact.q(sphere.radius))) <= 0;
}

property('[R4.3.2] every fit holds every point, exactly, and none beats the smallest', 10_000, (rng) => {
  const set = points(rng);
  const radii: Record<string, number> = {};
  for (const [name, enclose] of Object.entries(FITS)) {
    const sphere = enclose(set);
    for (const p of set) check(holds(sphere, p), () => `${name} leaves a point out`);
    radii[name] = sphere.radius;
    // Some point is on it.
    const inner = { center: sphere.center, radius: sphere.radius * (1 - 1e-14) };
    check(
      sphere.radius === 0 || !set.every((p) => holds(inner, p)),
      () => `${name} is larger than it need be`,
    );
  }
  const scale = Math.max(...set.map((p) => Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z))));
  for (const [name, radius] of Object.entries(radii))
    check(radii['minimum']! <= radius * (1 + 1e-14) + 4e-16 * scale, () => `minimum above ${name}`);
  check(radii['iterative']! <= radii['ritter']!, '[R4.3.4] iterative above ritter');
  check(
    radii['midpoint']! <= Math.sqrt(3) * radii['minimum']! * (1 + 1e-13) + 4e-16 * scale,
    'midpoint above √3',
  );
});

test('[R4.3.2] where points crowd on one side, the midpoint is a better center than the mean', () => {
  const crowd = Array.from({ length: 1000 }, (_, i) => ({
    x: 1e-3 * Math.cos(i),
    y: 1e-3 * Math.sin(i),
    z: 0,
  }));
  const set = [...crowd, { x: 10, y: 0, z: 0 }];
  const mean = meanPoint(set);
  const meanRadius = Math.max(...set.map((p) => Math.hypot(p.x - mean.x, p.y - mean.y, p.z - mean.z)));
  const { radius } = fitSphereMidpoint(set);
  expect(radius).toBeCloseTo(5.0005, 4);
  expect(meanRadius / radius).toBeGreaterThan(1.99);
});

test('[R4.3.2] the pair that starts Ritter is the farthest of the three, equal spreads included', () => {
  // The spreads along y and z are equal and largest: the x pair would start a sphere that has to move.
  const set = [1, 0, 0, -1, 0, 0, 0, 5, 5, 0, -5, -5];
  const { center, radius } = fitSphereRitter(set);
  expect(center).toEqual({ x: 0, y: 0, z: 0 });
  expect(radius).toBeCloseTo(Math.hypot(5, 5), 13);
});

test('[R4.3.3] points along a diagonal: the spread finds the direction that the axes hide', () => {
  // A long thin cloud askew, and points that widen its box.
  const set = Array.from({ length: 101 }, (_, i) => {
    const t = (i - 50) / 50;
    return { x: t + 0.05 * Math.sin(7 * i), y: t + 0.05 * Math.cos(5 * i), z: t + 0.05 * Math.sin(3 * i) };
  });
  const { radius } = fitSphereSpread(set);
  expect(radius).toBeLessThan(fitSphereMinimum(set).radius * 1.01);
});

test('[R4.3.4] the same seed gives the same sphere, the seed matters, and the input stays as it was', () => {
  const set = Float64Array.from({ length: 600 }, (_, i) => Math.sin(i * i));
  const before = set.slice();
  const first = fitSphereIterative(set, { seed: 7 });
  expect(fitSphereIterative(set, { seed: 7 })).toEqual(first);
  expect(set).toEqual(before);
  const seeds = new Set([1, 2, 3, 4, 5].map((seed) => fitSphereIterative(set, { seed, passes: 1 }).radius));
  expect(seeds.size).toBeGreaterThan(1);
  expect(fitSphereIterative(set, { passes: 0 })).toEqual(fitSphereRitter(set));
  expect(fitSphereIterative(set, { passes: 30 }).radius).toBeLessThan(fitSphereRitter(set).radius);
  expect(fitSphereIterative(set, { seed: 0 }).radius).toBeGreaterThan(0);
});

test('fits at the ends of the range stay numbers', () => {
  for (const size of [1e-320, 1e-200, 1e200, 8e307])
    for (const [name, enclose] of Object.entries(FITS)) {
      const { center, radius } = enclose([-size, 0, 0, size, 0, 0, 0, size / 2, 0]);
      expect(radius / size, `${name} ${size}`).toBeGreaterThanOrEqual(1);
      expect(radius / size, `${name} ${size}`).toBeLessThan(1.3);
      expect(Math.abs(center.x), `${name} ${size}`).toBeLessThanOrEqual(size / 2);
    }
});

test('bad input is named', () => {
  for (const enclose of Object.values(FITS)) {
    expect(() => enclose([])).toThrow(/points must hold at least one/);
    expect(() => enclose([{ x: 0, y: 0, z: Number.NaN }])).toThrow(/points\[0\]\.z/);
  }
  expect(() => fitSphereIterative([0, 0, 0], { passes: -1 })).toThrow(/options\.passes/);
  expect(() => fitSphereIterative([0, 0, 0], { seed: 0.5 })).toThrow(/options\.seed/);
});

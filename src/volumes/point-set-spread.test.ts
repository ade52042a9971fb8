import { expect, test } from 'vitest';
import { check, cloud, exact, near, property } from '../../tests/kit/index.ts';
import { eigenSymmetric } from '../math/eigen.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { covariancePoints, extremePoints, hullFirst, meanPoint } from './point-set-spread.ts';

const { q, add, mul, sub, div } = exact;
const AXES = ['x', 'y', 'z'] as const;
const dot = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x * b.x + a.y * b.y + a.z * b.z;

property('[R4.2.4] extreme points are those of a full sort, and hull vertices suffice', 10_000, (rng) => {
  const { points, regime, scale } = cloud(rng, rng.int(1, 9));
  const direction = rng.chance(0.3)
    ? { x: rng.int(-1, 1), y: rng.int(-1, 1), z: rng.int(-1, 1) }
    : rng.vec(3);
  const heights = points.map((p) => dot(p, direction));
  const { least, most } = extremePoints(points, direction);
  check(
    heights[least] === Math.min(...heights) && heights.indexOf(heights[least]!) === least,
    'least, and the first',
  );
  check(
    heights[most] === Math.max(...heights) && heights.indexOf(heights[most]!) === most,
    'most, and the first',
  );
  const count = rng.int(1, points.length);
  const few = extremePoints(points, direction, count);
  check(heights[few.least] === Math.min(...heights.slice(0, count)), 'only those asked for');
  if (regime !== 'plain' && regime !== 'lattice') return;
  const { points: ordered, hullCount } = hullFirst(points);
  const at = (i: number): Vec3 => ({ x: ordered[3 * i]!, y: ordered[3 * i + 1]!, z: ordered[3 * i + 2]! });
  const hull = extremePoints(ordered, direction, hullCount);
  near(dot(at(hull.least), direction), heights[least]!, 1e-14 * scale, 'hull least');
  near(dot(at(hull.most), direction), heights[most]!, 1e-14 * scale, 'hull most');
});

test('[R4.2.4] the hull comes first, each part in its order, nothing is lost and the input is left alone', () => {
  const corners = [0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4];
  const points = [1, 1, 1, ...corners.slice(0, 6), 0.5, 0.5, 0.5, ...corners.slice(6)];
  const before = [...points];
  const { points: ordered, hullCount } = hullFirst(points);
  expect(hullCount).toBe(4);
  expect([...ordered]).toEqual([...corners, 1, 1, 1, 0.5, 0.5, 0.5]);
  expect(points).toEqual(before);
});

property(
  '[R4.3.3] mean and covariance are those of exact arithmetic, far from the origin too',
  10_000,
  (rng) => {
    const { points, size, scale } = cloud(rng, rng.int(1, 7));
    const n = q(points.length);
    const mean = AXES.map((axis) => div(points.map((p) => q(p[axis])).reduce(add), n));
    const found = meanPoint(points);
    // One rounding to where the points are, a few at the size of the set.
    AXES.forEach((axis, i) => {
      near(found[axis], exact.toNumber(mean[i]!), 3e-16 * scale + 2e-15 * size, `mean ${axis}`);
    });
    const { elements } = covariancePoints(points);
    for (let i = 0; i < 3; i++)
      for (let j = i; j < 3; j++) {
        const terms = points.map((p) => mul(sub(q(p[AXES[i]!]), mean[i]!), sub(q(p[AXES[j]!]), mean[j]!)));
        const wanted = exact.toNumber(div(terms.reduce(add), n));
        check(elements[i + 3 * j] === elements[j + 3 * i], 'symmetric');
        near(elements[i + 3 * j]!, wanted, 1e-14 * size * size, `covariance ${i} ${j}`);
      }
  },
);

property('[R4.3.3] a cloud along a line has the line for its first axis, at every scale', 10_000, (rng) => {
  const direction = rng.direction();
  const length = 10 ** rng.int(-8, 8);
  const start = rng.vec(rng.chance(0.5) ? 1000 * length : 0);
  const points = Array.from({ length: 20 }, () => {
    const t = rng.range(-length, length);
    return { x: start.x + t * direction.x, y: start.y + t * direction.y, z: start.z + t * direction.z };
  });
  const { elements: e } = eigenSymmetric(covariancePoints(points)).vectors;
  // Points off the line by their own rounding (1e-16 of 1000 lengths) tilt the axis by 1e-13 or so.
  near(Math.abs(dot({ x: e[0]!, y: e[1]!, z: e[2]! }, direction)), 1, 1e-12, 'cosine');
});

test('spreads near the ends of the range stay numbers', () => {
  expect(meanPoint([1.7e308, 0, 0, 1.7e308, 0, 0, -1.7e308, 3e-320, 0]).x).toBeCloseTo(1.7e308 / 3, -300);
  const tiny = covariancePoints([0, 0, 0, 2e-160, 0, 0]);
  expect(tiny.elements[0]).toBe(1e-320);
  expect(tiny.elements[4]).toBe(0);
});

test('bad input is named', () => {
  const points = [{ x: 0, y: 0, z: 0 }];
  expect(() => extremePoints(points, { x: Number.NaN, y: 0, z: 0 })).toThrow(/direction\.x/);
  expect(() => extremePoints(points, { x: 1, y: 0, z: 0 }, 2)).toThrow(
    /count must be a whole number from 1 to 1/,
  );
  expect(() => extremePoints(points, { x: 1, y: 0, z: 0 }, 0)).toThrow(/count/);
  expect(() => meanPoint([])).toThrow(/points/);
  expect(() => covariancePoints([1, 2])).toThrow(/points/);
  expect(() => hullFirst([Number.NaN, 0, 0])).toThrow(/points\[0\]/);
});

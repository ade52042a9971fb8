import { expect, test } from 'vitest';
import { exactPointTriangle } from '../../tests/kit/exact-distance.ts';
import { check, cloud, property } from '../../tests/kit/index.ts';
import { fromQuat } from '../math/mat3.ts';
import type { Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { rayEllipsoid } from '../primitives/ray/ray-ellipsoid.ts';
import {
  containsPointEllipsoid,
  type Ellipsoid,
  makeEllipsoid,
  overlapEllipsoidTriangle,
} from './ellipsoid.ts';

/** (x/rx)² + (y/ry)² + (z/rz)² in the frame of the ellipsoid. */
function level({ center, halfSize: r, rotation: { elements: e } }: Ellipsoid, p: Vec3): number {
  const d = v3.sub(p, center);
  return [r.x, r.y, r.z].reduce((sum, radius, k) => {
    const h = d.x * e[3 * k]! + d.y * e[3 * k + 1]! + d.z * e[3 * k + 2]!;
    return sum + (h / radius) ** 2;
  }, 0);
}

/**
 * The least level over a triangle, which is a convex function: along each edge it is a parabola with a known bottom,
 * and inside, the bottom over the plane counts if it lies in the triangle (2×2 normal equations).
 */
function leastLevel(ellipsoid: Ellipsoid, a: Vec3, b: Vec3, c: Vec3): number {
  const f = (s: number, t: number) =>
    level(ellipsoid, v3.addScaled(v3.addScaled(a, v3.sub(b, a), s), v3.sub(c, a), t));
  let best = Infinity;
  const walk = (at: (x: number) => number): void => {
    const [f0, f5, f1] = [at(0), at(0.5), at(1)];
    const curve = 2 * (f0 + f1 - 2 * f5);
    const slope = f1 - f0 - curve;
    const x = curve > 0 ? Math.min(1, Math.max(0, -slope / (2 * curve))) : 0;
    best = Math.min(best, f0, f1, at(x));
  };
  walk((x) => f(x, 0));
  walk((x) => f(0, x));
  walk((x) => f(1 - x, x));
  // f = f0 + g·(s,t) + the quadratic form, from six values.
  const f0 = f(0, 0);
  const [fs, ft, fss, ftt, fst] = [f(1, 0), f(0, 1), f(-1, 0), f(0, -1), f(1, 1)];
  const [gs, gt] = [(fs - fss) / 2, (ft - ftt) / 2];
  const [hss, htt] = [fs + fss - 2 * f0, ft + ftt - 2 * f0];
  const hst = fst - fs - ft + f0;
  const det = hss * htt - hst * hst;
  if (det > 1e-9 * hss * htt) {
    const s = (-gs * htt + gt * hst) / det;
    const t = (-gt * hss + gs * hst) / det;
    if (s >= 0 && t >= 0 && s + t <= 1) best = Math.min(best, f(s, t));
  }
  return best;
}

property('[R4.7] ellipsoid and triangle: as the least level over the triangle says', 20_000, (rng) => {
  const { points, size } = cloud(rng, 4);
  const [center, a, b, c] = points as [Vec3, Vec3, Vec3, Vec3];
  const r = () => rng.range(0.05, 1.5) * size;
  const ellipsoid = { center, halfSize: vec3(r(), r(), r()), rotation: fromQuat(rng.rotation()) };
  const third = rng.chance(0.1) ? v3.lerp(a, b, 0.5) : rng.chance(0.05) ? a : c;
  const least = leastLevel(ellipsoid, a, b, third);
  const answer = overlapEllipsoidTriangle(ellipsoid, a, b, third);
  if (least < 1 - 1e-6) check(answer, () => `missed: ${least}`);
  if (least > 1 + 1e-6) check(!answer, () => `false alarm: ${least}`);
  // Sampled, too: any point of the triangle that is inside is proof.
  const [u, v] = [rng.unit(), rng.unit()];
  const p = v3.lerp(v3.lerp(a, b, u), third, v);
  if (level(ellipsoid, p) < 1 - 1e-9) check(answer && containsPointEllipsoid(p, ellipsoid), 'a common point');
  if (level(ellipsoid, p) > 1 + 1e-9) check(!containsPointEllipsoid(p, ellipsoid), 'a point outside');
});

property('[R4.7] equal radii: as a sphere against a triangle', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 4);
  const [center, a, b, c] = points as [Vec3, Vec3, Vec3, Vec3];
  const distance = exactPointTriangle(center, a, b, c);
  const radius = rng.pick([distance * (1 + 1e-9), distance * (1 - 1e-9), rng.range(0.1, 2) * size]);
  if (!(radius > 1e-12 * size)) return;
  const ball = { center, halfSize: vec3(radius, radius, radius), rotation: fromQuat(rng.rotation()) };
  const answer = overlapEllipsoidTriangle(ball, a, b, c);
  const doubt = 1e-13 * size + 1e-15 * scale;
  if (distance <= radius - doubt) check(answer, 'missed');
  if (distance >= radius + doubt) check(!answer, 'false alarm');
});

test('[R4.7] distance in scaled space is not distance', () => {
  const flat = { ...makeEllipsoid(), halfSize: vec3(10, 1, 1) };
  // Nearer to the surface in the world along y, yet farther in the scaled space than the point along x.
  const [alongX, alongY] = [vec3(12), vec3(0, 1.5)];
  const world = (p: Vec3, q: Vec3) => v3.distance(p, q);
  expect(world(alongX, vec3(10))).toBeGreaterThan(world(alongY, vec3(0, 1)));
  expect(level(flat, alongX)).toBeLessThan(level(flat, alongY));
  // Contact is kept all the same.
  expect(overlapEllipsoidTriangle(flat, vec3(10, -1, 0), vec3(10, 1, 0), vec3(10, 0, 1))).toBe(true);
  expect(overlapEllipsoidTriangle(flat, vec3(10.001, -1, 0), vec3(10.001, 1, 0), vec3(10.001, 0, 1))).toBe(
    false,
  );
});

test('[R4.7] the same record serves rays, and radii must be positive', () => {
  const ellipsoid = { center: vec3(1, 2, 3), halfSize: vec3(3, 2, 1), rotation: mat3() };
  const hit = rayEllipsoid({ origin: vec3(-9, 2, 3), direction: vec3(1) }, ellipsoid)!;
  expect(hit.t).toBeCloseTo(7, 12);
  expect(containsPointEllipsoid(vec3(-2, 2, 3), ellipsoid)).toBe(true);
  expect(containsPointEllipsoid(vec3(-2.001, 2, 3), ellipsoid)).toBe(false);
  const dish = { ...ellipsoid, halfSize: vec3(1, 0, 1) };
  expect(() => containsPointEllipsoid(vec3(), dish)).toThrow(/ellipsoid\.halfSize must be positive/);
  expect(() => overlapEllipsoidTriangle(ellipsoid, vec3(), vec3(0, Number.NaN), vec3())).toThrow(/b\.y/);
});

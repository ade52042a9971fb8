import { expect, test } from 'vitest';
import { check, cloud, exact, near, property } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { rayAabb } from '../primitives/ray/ray-aabb.ts';
import { fitAabb } from './aabb.ts';
import { fitSlabs, raySlabs } from './slab.ts';

const { q, qv, cmp, vdot } = exact;
const AXES = [vec3(1), vec3(0, 1), vec3(0, 0, 1)];

property('[R4.6.1] slabs hold the points exactly and are tight', 10_000, (rng) => {
  const { points, scale } = cloud(rng, rng.int(1, 8));
  const normals = [...AXES, rng.vec(1), rng.direction(), rng.vec(1e-3)];
  const { min, max } = fitSlabs(points, normals);
  for (const [k, n] of normals.entries()) {
    const heights = points.map((p) => vdot(qv(n), qv(p)));
    for (const h of heights) check(cmp(q(min[k]!), h) <= 0 && cmp(h, q(max[k]!)) <= 0, 'leaves a point out');
    const sizes = heights.map(exact.toNumber);
    const tolerance = 2e-15 * scale * v3.length(n);
    near(min[k]!, Math.min(...sizes), tolerance, 'min');
    near(max[k]!, Math.max(...sizes), tolerance, 'max');
  }
});

property('[R4.6.1] three axes: as a ray against an axis-aligned box', 10_000, (rng) => {
  const { points, size } = cloud(rng, 4);
  const [a, b, origin, aim] = points as [Vec3, Vec3, Vec3, Vec3];
  const ray = { origin, direction: v3.sub(aim, origin) };
  const tMax = rng.pick([Infinity, 1, 0, 2 * rng.unit()]);
  const wanted = rayAabb(ray, fitAabb([a, b]), tMax);
  const found = raySlabs(ray, fitSlabs([a, b], rng.shuffle([...AXES])), tMax);
  check((wanted === null) === (found === null), () => `${wanted?.t} and ${found?.enter}`);
  if (!wanted || !found) return;
  near(found.enter, wanted.t, 1e-14 * (1 + wanted.t), 't');
  check(found.exit >= found.enter && found.exit <= tMax, 'a span');
  // Where it is said to leave it is on a side, unless it was cut short or never leaves.
  if (found.exit < tMax) {
    const end = v3.addScaled(origin, ray.direction, found.exit);
    const off = ['x', 'y', 'z'] as const;
    const gap = Math.min(...off.map((k) => Math.min(Math.abs(end[k] - a[k]), Math.abs(end[k] - b[k]))));
    near(gap, 0, 1e-9 * size, 'the way out');
  }
});

property('[R4.6.1] any slabs: inside between enter and exit, outside elsewhere', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 6);
  const [origin, aim, ...rest] = points as [Vec3, Vec3, ...Vec3[]];
  const direction = v3.sub(aim, origin);
  const normals = [...AXES, rng.direction(), rng.direction()];
  const { min, max } = fitSlabs(rest, normals);
  const span = raySlabs({ origin, direction }, { normals, min, max });
  for (let i = 0; i < 10; i++) {
    const t = rng.range(0, 3);
    const p = v3.addScaled(origin, direction, t);
    const outside = Math.max(
      ...normals.map((n, k) => Math.max(min[k]! - v3.dot(n, p), v3.dot(n, p) - max[k]!)),
    );
    const tolerance = 1e-12 * size + 1e-14 * scale;
    if (outside > tolerance) check(!(span && t >= span.enter && t <= span.exit), 'said to be inside');
    if (outside < -tolerance) check(span !== null && t >= span.enter && t <= span.exit, 'said to be outside');
  }
});

test('[R4.6.1] parallel rays, points and the far end', () => {
  const cube = fitSlabs([vec3(-1, -1, -1), vec3(1, 1, 1)], AXES);
  expect(raySlabs({ origin: vec3(-3, 1, 1), direction: vec3(2) }, cube)).toEqual({ enter: 1, exit: 2 });
  expect(raySlabs({ origin: vec3(-3, 1.001, 0), direction: vec3(2) }, cube)).toBeNull();
  expect(raySlabs({ origin: vec3(-3), direction: vec3(-2) }, cube)).toBeNull();
  expect(raySlabs({ origin: vec3(-3), direction: vec3(2) }, cube, 0.9)).toBeNull();
  expect(raySlabs({ origin: vec3(0.5), direction: vec3() }, cube, 7)).toEqual({ enter: 0, exit: 7 });
  expect(raySlabs({ origin: vec3(2), direction: vec3() }, cube)).toBeNull();
  // The nearest of the far sides counts, not the last.
  expect(raySlabs({ origin: vec3(), direction: vec3(1, 4, 2) }, cube)?.exit).toBe(0.25);
});

test('[R4.6.1] fewer than three independent normals are refused', () => {
  const points = [vec3(), vec3(1, 2, 3)];
  const refusal = /normals must hold three independent directions/;
  expect(() => fitSlabs(points, [])).toThrow(refusal);
  expect(() => fitSlabs(points, [vec3(1), vec3(0, 1)])).toThrow(refusal);
  expect(() => fitSlabs(points, [vec3(1), vec3(0, 1), vec3(3, -2)])).toThrow(refusal);
  expect(() => fitSlabs(points, [vec3(1), vec3(0, 1), vec3()])).toThrow(refusal);
  expect(() => fitSlabs(points, [vec3(1), vec3(0, 1), vec3(3, -2), vec3(1, 1, 1e-3)])).not.toThrow();
  expect(() => fitSlabs(points, [vec3(1), vec3(Number.NaN)])).toThrow(/normals\[1\]\.x/);
});

test('bad slabs are refused by name', () => {
  const ray = { origin: vec3(), direction: vec3(1) };
  const volume = fitSlabs([vec3(), vec3(1, 1, 1)], AXES);
  expect(() => raySlabs(ray, { ...volume, min: [0, 0] })).toThrow(/volume must have one min/);
  expect(() => raySlabs(ray, { ...volume, min: [0, 2, 0] })).toThrow(/volume must have min <= max/);
  expect(() => raySlabs(ray, volume, -1)).toThrow(/tMax/);
});

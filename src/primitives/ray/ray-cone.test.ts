import { expect, test } from 'vitest';
import { check, near, property } from '../../../tests/kit/index.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { rayCone } from './ray-cone.ts';

const dot = (a: ReadonlyVec3, b: ReadonlyVec3) => a.x * b.x + a.y * b.y + a.z * b.z;

test('[R5.3.7] a rising ray through the very tip: the normal looks out, at the ray', () => {
  const cone = { tip: vec3(0, 1, 0), base: vec3(0, -1, 0), radius: 1 };
  const hit = rayCone({ origin: vec3(-4, 0.5, 0), direction: vec3(4, 0.5, 0) }, cone)!;
  expect(hit.t).toBeCloseTo(1, 12);
  expect(hit.normal.x).toBeCloseTo(-2 / Math.sqrt(5), 12);
  expect(hit.normal.y).toBeCloseTo(1 / Math.sqrt(5), 12);
});

property('[R5.3.7] at the tip the normal is one of the tip, and looks at the ray', 10_000, (rng) => {
  const tip = rng.pick([vec3(), vec3(0, 1, 0), rng.vec(5)]);
  const axis = rng.chance(0.5) ? vec3(0, -1, 0) : rng.direction();
  const [height, radius] = [rng.range(0.2, 4), rng.pick([0, 1, rng.range(0.01, 3)])];
  const base = vec3(tip.x + height * axis.x, tip.y + height * axis.y, tip.z + height * axis.z);
  // Whole multiples of a short step: the tip is met exactly, or as nearly as its own rounding lets it.
  const d = rng.pick([
    rng.direction(),
    axis,
    vec3(rng.int(-2, 2), rng.int(-2, 2), rng.int(-2, 2)),
    vec3(1, 0.125, 0),
  ]);
  const n = rng.int(1, 8);
  const ray = { origin: vec3(tip.x - n * d.x, tip.y - n * d.y, tip.z - n * d.z), direction: d };
  const hit = rayCone(ray, { tip, base, radius });
  const speed = Math.sqrt(dot(d, d));
  if (hit === null || hit.t === 0 || speed === 0) return;
  // Not the base, nor the side: those that come from below go through the cone first.
  if (Math.abs(hit.t - n) * speed > 1e-9) return;
  const { normal } = hit;
  near(Math.sqrt(dot(normal, normal)), 1, 1e-12, 'length');
  check(dot(normal, d) <= 1e-9 * speed, () => `looks along the ray: ${dot(normal, d)}`);
  // Of the tip: no line of the side goes out along it. The steepest is the one under the normal.
  const down = dot(normal, axis);
  const across = Math.sqrt(Math.max(0, 1 - down * down));
  check(across * radius + down * height <= 1e-6 * (radius + height), 'not a normal of the tip');
});

import { expect, test } from 'vitest';
import { check, near, property } from '../../../tests/kit/index.ts';
import { vec3 } from '../../math/types.ts';
import { overlapRaySphere, overlapSegmentSphere, raySphere, segmentSphere } from './ray-sphere.ts';

const unit = { center: vec3(), radius: 1 };
const ray = (x: number, y: number, z: number, dx: number, dy: number, dz: number) => ({
  origin: vec3(x, y, z),
  direction: vec3(dx, dy, dz),
});

test('[R5.3.2] inside and on the sphere: t = 0, at the origin, normal against the direction', () => {
  const hit = { t: 0, point: vec3(0.5, 0, 0), normal: vec3(0, -1, 0) };
  expect(raySphere(ray(0.5, 0, 0, 0, 3, 0), unit)).toEqual(hit);
  expect(raySphere(ray(1, 0, 0, 1, 0, 0), unit)!.t).toBe(0);
  expect(raySphere(ray(1, 0, 0, 0, 0, 0), unit)!.normal).toEqual(vec3());
  expect(raySphere(ray(1.5, 0, 0, 0, 0, 0), unit)).toBeNull();
});

test('[R5.3.2] behind is a miss; tangent is a hit; the range includes its end', () => {
  expect(raySphere(ray(2, 0, 0, 1, 0, 0), unit)).toBeNull();
  expect(raySphere(ray(-5, 1, 0, 1, 0, 0), unit)).toEqual({
    t: 5,
    point: vec3(0, 1, 0),
    normal: vec3(0, 1, 0),
  });
  expect(raySphere(ray(-5, 1 + 2 ** -50, 0, 1, 0, 0), unit)).toBeNull();
  expect(raySphere(ray(-5, 0, 0, 1, 0, 0), unit, 4)!.t).toBe(4);
  expect(raySphere(ray(-5, 0, 0, 1, 0, 0), unit, 3.999)).toBeNull();
  expect(segmentSphere(vec3(-5, 0, 0), vec3(-1, 0, 0), unit)!.t).toBe(1);
  expect(segmentSphere(vec3(-5, 0, 0), vec3(-1.001, 0, 0), unit)).toBeNull();
  expect(overlapSegmentSphere(vec3(-5, 0, 0), vec3(-1, 0, 0), unit)).toBe(true);
  expect(overlapSegmentSphere(vec3(-5, 0, 0), vec3(-1.001, 0, 0), unit)).toBe(false);
  expect(overlapRaySphere(ray(2, 0, 0, 1, 0, 0), unit)).toBe(false);
});

property(
  '[R5.3.2] t by the closed form, and a direction five times as long divides it by five',
  10_000,
  (rng) => {
    // Built backwards: a unit direction, a miss distance and a distance along it fix the answer.
    const d = rng.direction();
    const u = rng.direction();
    const e = vec3(d.y * u.z - d.z * u.y, d.z * u.x - d.x * u.z, d.x * u.y - d.y * u.x);
    const l = Math.hypot(e.x, e.y, e.z);
    const radius = rng.range(0.1, 2);
    const miss = radius * rng.range(0, 0.99);
    const along = rng.range(2, 20);
    const center = vec3(
      along * d.x + (miss / l) * e.x,
      along * d.y + (miss / l) * e.y,
      along * d.z + (miss / l) * e.z,
    );
    const t = along - Math.sqrt(radius * radius - miss * miss);
    const hit = raySphere({ origin: vec3(), direction: d }, { center, radius });
    const fast = raySphere(
      { origin: vec3(), direction: vec3(5 * d.x, 5 * d.y, 5 * d.z) },
      { center, radius },
    );
    check(hit !== null && fast !== null, 'hit');
    // The root of r² - miss² loses what the tangent gains.
    const tolerance = (1e-14 * along * radius) / Math.sqrt(radius * radius - miss * miss);
    near(hit.t, t, tolerance, 't');
    near(fast.t, t / 5, tolerance, 't / 5');
  },
);

property('[R5.3.2] a small sphere far away keeps its shape', 10_000, (rng) => {
  // b² - ac would leave nothing of the radius: (1e6)² against (1e-2)² are sixteen digits.
  const far = rng.range(1e5, 1e6);
  const radius = 1e-2;
  const miss = rng.pick([0.5, 0.9, 0.999, 1.001, 1.5]) * radius;
  const angle = rng.range(0, 6);
  const center = vec3(far, miss * Math.cos(angle), miss * Math.sin(angle));
  const hit = raySphere(ray(0, 0, 0, rng.range(0.1, 3), 0, 0), { center, radius });
  check((hit !== null) === miss < radius, `at ${miss}`);
  if (!hit) return;
  near(hit.point.x - far, -Math.sqrt(radius ** 2 - miss ** 2), 1e-9, 'depth');
  near(hit.normal.y, -center.y / radius, 1e-6, 'normal.y');
});

test('bad numbers are refused by name', () => {
  expect(() => raySphere(ray(0, 0, 0, 1, 0, 0), { center: vec3(), radius: -1 })).toThrow(/sphere\.radius/);
  expect(() => raySphere(ray(0, 0, Number.NaN, 1, 0, 0), unit)).toThrow(/ray\.origin\.z/);
  expect(() => raySphere(ray(0, 0, 0, 1, 0, 0), unit, -1)).toThrow(/tMax/);
});

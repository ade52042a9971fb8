import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { mat3, vec3 } from '../../math/types.ts';
import type { Ray } from '../types.ts';
import { rayEllipsoid } from './ray-ellipsoid.ts';
import { rayDisc, rayRectangle } from './ray-flat.ts';

const plus = (a: Vec3, b: Vec3, t = 1): Vec3 => vec3(a.x + t * b.x, a.y + t * b.y, a.z + t * b.z);
const length = (a: Vec3) => Math.hypot(a.x, a.y, a.z);
const dot = (a: Vec3, b: Vec3) => a.x * b.x + a.y * b.y + a.z * b.z;

/** An orthonormal frame, a place and a scale; a ray built backwards from where it crosses the plane of the frame. */
function setting(rng: Rng) {
  const scale = rng.pick([1, 1, 1e-6, 1e6]);
  const n = rng.pick([vec3(0, 0, 1), vec3(0, 1, 0), rng.direction()]);
  const other = rng.direction();
  const u0 = plus(other, n, -dot(other, n));
  const u = plus(vec3(), u0, 1 / length(u0));
  const v = vec3(n.y * u.z - n.z * u.y, n.z * u.x - n.x * u.z, n.x * u.y - n.y * u.x);
  const center = plus(vec3(), rng.vec(rng.pick([0, 3, 100])), scale);
  const [s, t] = [rng.range(-2, 2), rng.range(-2, 2)];
  const crossing = plus(plus(center, u, s * scale), v, t * scale);
  const height = rng.pick([1, -1, 5, 0.1]);
  const slant = plus(
    plus(plus(vec3(), n, height * scale), u, rng.range(-3, 3) * scale),
    v,
    rng.range(-3, 3) * scale,
  );
  const time = rng.pick([0.5, 1, 2, 100, -1]);
  const ray: Ray = { origin: plus(crossing, slant), direction: plus(vec3(), slant, -1 / time) };
  const error = 1e-13 * (1 + length(center) / scale); // of s and t, and of the time relative to itself
  return { scale, n, u, v, center, s, t, ray, time, height, crossing, error };
}

property('a disc is hit where the ray, built backwards, crosses its plane', 10_000, (rng) => {
  const { scale, n, center, s, t, ray, time, height, crossing, error } = setting(rng);
  const radius = rng.range(0, 2);
  const hit = rayDisc(ray, center, plus(vec3(), n, rng.pick([1, -1, 7])), radius * scale);
  const inside = radius - Math.hypot(s, t);
  if (Math.abs(inside) > 100 * error) check((hit !== null) === (inside > 0 && time > 0), 'hit or miss');
  if (!hit) return;
  near(hit.t, time, 100 * error * time, 't');
  near(length(plus(hit.point, crossing, -1)), 0, 100 * error * scale, 'point');
  near(length(plus(hit.normal, n, -Math.sign(height))), 0, 1e-15, 'normal');
  check(rayDisc(ray, center, n, radius * scale, 0.99 * time) === null, 'out of reach');
});

property('a rectangle, or a parallelogram, is hit where the ray crosses its plane', 10_000, (rng) => {
  const { scale, n, u, v, center, s, t, ray, time, height, crossing, error } = setting(rng);
  const shear = rng.pick([0, 0, 0.5]);
  // corner + p edge0 + q edge1 = center + s u + t v
  const [w, h] = [rng.range(0.5, 2), rng.range(0.5, 2)];
  const edge0 = plus(vec3(), u, w * scale);
  const edge1 = plus(plus(vec3(), v, h * scale), u, shear * scale);
  const hit = rayRectangle(ray, center, edge0, edge1);
  const q = t / h;
  const p = (s - q * shear) / w;
  const inside = Math.min(p, 1 - p, q, 1 - q);
  if (Math.abs(inside) > 100 * error) check((hit !== null) === (inside > 0 && time > 0), 'hit or miss');
  if (!hit) return;
  near(hit.t, time, 100 * error * time, 't');
  near(length(plus(hit.point, crossing, -1)), 0, 100 * error * scale, 'point');
  near(length(plus(hit.normal, n, -Math.sign(height))), 0, 1e-14, 'normal');
});

const down = (x: number, y: number, z = 1): Ray => ({ origin: vec3(x, y, z), direction: vec3(0, 0, -1) });

test('rims, edges and corners are hits; a ray in the plane is none', () => {
  const up = vec3(0, 0, 2);
  expect(rayDisc(down(1, 0), vec3(), up, 1)!.normal).toEqual(vec3(0, 0, 1));
  expect(rayDisc(down(1 + 2 ** -52, 0), vec3(), up, 1)).toBeNull();
  expect(rayDisc(down(0, 0), vec3(), up, 0)!.t).toBe(1);
  const inPlane = { origin: vec3(-2, 0, 0), direction: vec3(1, 0, 0) };
  expect(rayDisc(inPlane, vec3(), up, 1)).toBeNull();
  const [w, h] = [vec3(2, 0, 0), vec3(0, 1, 0)];
  for (const [x, y] of [
    [0, 0],
    [2, 0],
    [2, 1],
    [0, 1],
    [1, 0],
    [1, 1],
    [0, 0.5],
  ] as const)
    expect(rayRectangle(down(x, y), vec3(), w, h), `${x} ${y}`).not.toBeNull();
  expect(rayRectangle(down(-1e-9, 0.5), vec3(), w, h)).toBeNull();
  expect(rayRectangle(down(1, 1 + 1e-9), vec3(), w, h)).toBeNull();
  expect(rayRectangle(inPlane, vec3(), w, h)).toBeNull();
  expect(rayRectangle(down(0, 0), vec3(), w, w)).toBeNull(); // no area
});

test('a point on the shape is a hit without a side, one beside it none', () => {
  const at = (x: number, z = 0): Ray => ({ origin: vec3(x, 0, z), direction: vec3() });
  const still = { t: 0, point: vec3(1, 0, 0), normal: vec3() };
  expect(rayDisc(at(1), vec3(), vec3(0, 0, 1), 1)).toEqual(still);
  expect(rayDisc(at(2), vec3(), vec3(0, 0, 1), 1)).toBeNull();
  expect(rayDisc(at(0, 0.1), vec3(), vec3(0, 0, 1), 1)).toBeNull();
  expect(rayRectangle(at(1), vec3(), vec3(2, 0, 0), vec3(0, 1, 0))).toEqual(still);
  expect(rayRectangle(at(3), vec3(), vec3(2, 0, 0), vec3(0, 1, 0))).toBeNull();
});

property('an ellipsoid without thickness is an ellipse', 10_000, (rng) => {
  const radii = vec3(rng.range(0.5, 2), rng.range(0.5, 2), 0);
  const ray = { origin: rng.vec(3), direction: rng.chance(0.1) ? vec3(1, rng.range(-1, 1), 0) : rng.vec() };
  if (rng.chance(0.1)) ray.origin.z = 0;
  const hit = rayEllipsoid(ray, { center: vec3(), halfSize: radii, rotation: mat3() });
  const gauge = (p: Vec3) => Math.hypot(p.x / radii.x, p.y / radii.y);
  if (ray.direction.z === 0 || ray.origin.z === 0) {
    // In its plane, or starting there.
    if (hit) check(ray.origin.z === 0 && gauge(hit.point) <= 1 + 1e-12, 'on the ellipse');
    return;
  }
  const t = -ray.origin.z / ray.direction.z;
  const g = gauge(plus(ray.origin, ray.direction, t));
  if (Math.abs(g - 1) > 1e-12) check((hit !== null) === (t >= 0 && g < 1), 'hit or miss');
  if (hit) near(hit.t, t, 1e-14 * t, 't');
  if (hit) check(hit.normal.z === -Math.sign(ray.direction.z), 'normal');
});

test('bad numbers are refused by name', () => {
  expect(() => rayDisc(down(0, 0), vec3(), vec3(0, 0, 1), -1)).toThrow(/radius/);
  expect(() => rayRectangle(down(0, 0), vec3(), vec3(1), vec3(0, Infinity, 0))).toThrow(/edge1\.y/);
  const ellipsoid = { center: vec3(), halfSize: vec3(1, 1, -1), rotation: mat3() };
  expect(() => rayEllipsoid(down(0, 0), ellipsoid)).toThrow(/ellipsoid\.halfSize/);
});

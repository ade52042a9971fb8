/** The other forms of the triangle test against the exact one: Plücker coordinates, the precomputed record, quads. */
import { expect, test } from 'vitest';
import { check, cloud, factor, near, property, type Rng } from '../../../tests/kit/index.ts';
import { pluckerFromMotion } from '../../math/line.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { lineQuad, rayQuad } from '../../primitives/ray/ray-quad.ts';
import { lineTriangle, rayTriangle, segmentTriangle } from '../../primitives/ray/ray-triangle.ts';
import { makeHit, makeTriangleHit, type Ray } from '../../primitives/types.ts';
import { pluckerTriangle } from './plucker-triangle.ts';
import {
  makePreparedTriangle,
  prepareTriangle,
  rayPreparedTriangle,
  segmentPreparedTriangle,
} from './prepared-triangle.ts';

const minus = (a: Vec3, b: Vec3): Vec3 => vec3(a.x - b.x, a.y - b.y, a.z - b.z);
const length = (a: Vec3) => Math.hypot(a.x, a.y, a.z);
const dot = (a: Vec3, b: Vec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const cross = (a: Vec3, b: Vec3): Vec3 =>
  vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);

interface Case {
  ray: Ray;
  end: Vec3;
  a: Vec3;
  b: Vec3;
  c: Vec3;
  /** How much errors of 2^-53 may be amplified: rays that graze, needles, and corners far from where they are seen. */
  amplified: number;
}

function makeCase(rng: Rng): Case {
  const { points, scale } = cloud(rng, 5);
  const [a, b, c, origin, other] = points as [Vec3, Vec3, Vec3, Vec3, Vec3];
  const [u, v] = [rng.range(-0.5, 1), rng.range(-0.5, 1)];
  const aimed = vec3(
    a.x + u * (b.x - a.x) + v * (c.x - a.x),
    a.y + u * (b.y - a.y) + v * (c.y - a.y),
    a.z + u * (b.z - a.z) + v * (c.z - a.z),
  );
  const end = rng.pick([aimed, aimed, aimed, other, a, origin]);
  const direction = minus(end, origin);
  const [ab, ac, bc] = [minus(b, a), minus(c, a), minus(c, b)];
  const longest = Math.max(length(ab), length(ac), length(bc));
  const slope = Math.abs(dot(direction, cross(ab, ac)));
  const amplified = (2 ** -50 * length(direction) * longest * (scale + longest)) / slope;
  return { ray: { origin, direction }, end, a, b, c, amplified };
}

property('[R5.3.4] Plücker coordinates agree with triple products', 20_000, (rng) => {
  const { ray, a, b, c, amplified } = makeCase(rng);
  // Moments are as large as the distance from the origin of coordinates: squared, against the area.
  const far = Math.max(...[a, b, c, ray.origin].map(length));
  const error = amplified * (far / Math.max(length(minus(b, a)), length(minus(c, a))) + 1);
  if (!(error < 1e-3)) return;
  const hit = lineTriangle(ray, a, b, c);
  const found = pluckerTriangle(pluckerFromMotion(ray.origin, ray.direction), a, b, c);
  const least = hit ? Math.min(hit.u, hit.v, hit.w) : 0;
  if (hit && least > error) check(found !== null, 'a miss of what is hit');
  if (found && Math.min(found.u, found.v, found.w) > error) check(hit !== null, 'a hit of what is missed');
  if (!hit || !found) return;
  near(found.u, hit.u, error, 'u');
  near(found.v, hit.v, error, 'v');
  near(found.w, hit.w, error, 'w');
});

property(
  '[R5.3.4] an edge is the same for both triangles, so Plücker coordinates leave no crack',
  20_000,
  (rng) => {
    const [a, b] = [rng.vec(), rng.vec()];
    const middle = vec3((a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2);
    const origin = rng.vec(3);
    const line = pluckerFromMotion(origin, minus(middle, origin));
    // c and d on either side of the edge, as seen along the line.
    const across = cross(minus(b, a), line.direction);
    const c = vec3(middle.x + across.x, middle.y + across.y, middle.z + across.z);
    const d = vec3(middle.x - across.x, middle.y - across.y, middle.z - across.z);
    check(
      pluckerTriangle(line, a, b, c) !== null || pluckerTriangle(line, b, a, d) !== null,
      'through the crack',
    );
  },
);

let precise = 0;
property('[R5.3.6] the precomputed record agrees with the direct test', 20_000, (rng) => {
  const { ray, end, a, b, c, amplified } = makeCase(rng);
  if (!(amplified < 1e-3)) return;
  const record = prepareTriangle(a, b, c);
  const error = 32 * amplified;
  const away = length(minus(a, ray.origin)) / length(ray.direction); // in units of t
  for (const [hit, found, t1] of [
    [rayTriangle(ray, a, b, c), rayPreparedTriangle(ray, record), Infinity],
    [segmentTriangle(ray.origin, end, a, b, c), segmentPreparedTriangle(ray.origin, end, record), 1],
  ] as const) {
    const clear = hit && Math.min(hit.u, hit.v, hit.w, hit.t, t1 - hit.t) > error * (1 + away);
    if (clear) check(found !== null, 'a miss of what is hit');
    if (found && Math.min(found.u, found.v, found.w, found.t, t1 - found.t) > error * (1 + away))
      check(hit !== null, 'a hit of what is missed');
    if (!hit || !found) continue;
    near(found.t, hit.t, error * (1 + hit.t + away), 't');
    near(found.u, hit.u, error, 'u');
    near(found.v, hit.v, error, 'v');
    near(found.w, hit.w, error, 'w');
    if (error * (1 + hit.t + away) < 1e-12) precise++;
    check(dot(found.normal, hit.normal) > 1 - 1e-6, 'normal');
  }
});

test('[R5.3.6] most of that was to 1e-12', () => expect(precise).toBeGreaterThan(2_000 * factor));

property('[R5.3.5] a quad is two triangles, the nearer counts', 20_000, (rng) => {
  const { points } = cloud(rng, 6);
  const [a, b, c, origin, other] = points as [Vec3, Vec3, Vec3, Vec3, Vec3, Vec3];
  // Convex, concave at b or d, or folded: all have ac inside.
  const [s, t] = [rng.range(0.1, 0.9), rng.pick([-0.3, -1, -2, 0.4])];
  const d = rng.chance(0.2)
    ? points[5]!
    : vec3(
        a.x + s * (c.x - a.x) + t * (b.x - a.x),
        a.y + s * (c.y - a.y) + t * (b.y - a.y),
        a.z + s * (c.z - a.z) + t * (b.z - a.z),
      );
  const mid = vec3((a.x + c.x) / 2, (a.y + c.y) / 2, (a.z + c.z) / 2);
  const ray = { origin, direction: minus(rng.pick([other, mid, a, d, b]), origin) };
  for (const [quad, query] of [
    [rayQuad(ray, a, b, c, d), rayTriangle],
    [lineQuad(ray, a, b, c, d), lineTriangle],
  ] as const) {
    const parts = [query(ray, a, b, c), query(ray, a, c, d)].filter((hit) => hit !== null);
    check((quad !== null) === parts.length > 0, 'hit or miss');
    if (quad) check(quad.t === Math.min(...parts.map((hit) => hit.t)), 'the nearer');
  }
});

test('[R5.3.5] convex and concave quads from both sides, the diagonal included', () => {
  const [a, b, c, d] = [vec3(0, 0, 0), vec3(2, 0, 0), vec3(2, 2, 0), vec3(0, 2, 0)];
  const at = (x: number, y: number, side = 1): Ray => ({
    origin: vec3(x, y, side),
    direction: vec3(0, 0, -side),
  });
  for (const side of [1, -1]) {
    expect(rayQuad(at(1, 1, side), a, b, c, d, Infinity, makeHit())).toEqual({
      t: 1,
      point: vec3(1, 1, 0),
      normal: vec3(0, 0, side),
    });
    for (const [x, y] of [
      [1.5, 0.5],
      [0.5, 1.5],
      [0, 0],
      [2, 1],
      [1, 2],
    ] as const)
      expect(rayQuad(at(x, y, side), a, b, c, d), `${x} ${y}`).not.toBeNull();
    for (const [x, y] of [
      [2.1, 1],
      [-0.1, 1],
      [1, -0.1],
      [1, 2.1],
    ] as const)
      expect(rayQuad(at(x, y, side), a, b, c, d), `${x} ${y}`).toBeNull();
  }
  // An arrow head that caves in at its first corner.
  const arrow = [vec3(0, 0.5, 0), vec3(-2, -1, 0), vec3(0, 3, 0), vec3(2, -1, 0)] as const;
  expect(rayQuad(at(0, 0), ...arrow)).toBeNull();
  expect(rayQuad(at(0, 1), ...arrow)).not.toBeNull();
  expect(lineQuad({ origin: vec3(0, 1, 5), direction: vec3(0, 0, 1) }, ...arrow)!.t).toBe(-5);
});

test('[R5.3.6] the record of a flat triangle is never hit; out is filled', () => {
  const flat = prepareTriangle(vec3(), vec3(1, 1, 1), vec3(2, 2, 2), makePreparedTriangle());
  const ray = { origin: vec3(0, 0, 1), direction: vec3(0, 0, -1) };
  expect(rayPreparedTriangle(ray, flat)).toBeNull();
  const out = makeTriangleHit();
  const record = prepareTriangle(vec3(), vec3(1, 0, 0), vec3(0, 1, 0));
  expect(rayPreparedTriangle(ray, record, Infinity, out)).toBe(out);
  expect([out.t, out.u, out.v, out.w]).toEqual([1, 1, 0, 0]);
});

test('bad numbers are refused by name', () => {
  const [a, b, c, d] = [vec3(0, 0, 0), vec3(2, 0, 0), vec3(2, 2, 0), vec3(0, Number.NaN, 0)];
  const ray = { origin: vec3(0, 0, 1), direction: vec3(0, 0, -1) };
  expect(() => rayQuad(ray, a, b, c, d)).toThrow(/rayQuad: d\.y/);
  expect(() => prepareTriangle(a, b, d)).toThrow(/prepareTriangle: c\.y/);
  expect(() => pluckerTriangle({ direction: d, moment: a }, a, b, c)).toThrow(/line\.direction\.y/);
});

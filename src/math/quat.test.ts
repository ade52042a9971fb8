import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import { fromQuat } from './mat3.ts';
import * as q4 from './quat.ts';
import type { Quat } from './types.ts';
import { quat, vec3 } from './types.ts';
import { rotate } from './vec3.ts';

const EPS = 2 ** -52;
const flip = (q: Quat): Quat => quat(-q.x, -q.y, -q.z, -q.w);
const size = (q: Quat): number => Math.hypot(q.x, q.y, q.z, q.w);
const apart = (a: Quat, b: Quat): number => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
/** Distance as rotations: q and -q are one. */
const differ = (a: Quat, b: Quat): number => Math.min(apart(a, b), apart(a, flip(b)));

/** Two rotations: any, nearly equal, half a turn apart, or with the sign turned. */
const two = (rng: Rng): [Quat, Quat] => {
  const a = rng.rotation();
  const kind = rng.int(0, 3);
  if (kind === 0) return [a, rng.rotation()];
  if (kind === 1)
    return [a, q4.normalize(quat(a.x + rng.range(-1e-9, 1e-9), a.y, a.z, a.w + rng.range(-1e-9, 1e-9)))];
  if (kind === 2) return [a, q4.multiply(a, q4.fromAxisAngle(rng.direction(), Math.PI))];
  return [a, flip(a)];
};

property('a product of quaternions turns by the second, then by the first', 10_000, (rng) => {
  const [a, b] = two(rng);
  const v = rng.vec();
  const once = rotate(v, q4.multiply(a, b));
  const twice = rotate(rotate(v, b), a);
  for (const k of ['x', 'y', 'z'] as const) near(once[k], twice[k], 24 * EPS, k);
  check(apart(q4.multiply(a, q4.conjugate(a)), quat()) <= 4 * EPS, 'q q* = 1');
  near(q4.dot(a, b), a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, 0, 'dot');
  check(q4.equals(a, q4.copy(a)) && !q4.equals(a, flip(a)), 'equals');
});

property('normalising makes a unit quaternion of any size', 10_000, (rng) => {
  const q = rng.rotation();
  const s = 2 ** rng.int(-1000, 1000);
  const found = q4.normalize(quat(q.x * s, q.y * s, q.z * s, q.w * s));
  check(apart(found, q) <= 4 * EPS, 'same direction');
  near(size(found), 1, 2 * EPS, 'unit');
});

property('an axis and an angle make sin and cos of half the angle', 10_000, (rng) => {
  const axis = rng.direction();
  const angle = rng.pick([rng.range(-7, 7), rng.int(-4, 4) * (Math.PI / 2), rng.range(-1e-9, 1e-9)]);
  const q = q4.fromAxisAngle(axis, angle);
  near(q.w, Math.cos(angle / 2), EPS, 'w');
  for (const k of ['x', 'y', 'z'] as const) near(q[k], axis[k] * Math.sin(angle / 2), 2 * EPS, k);
  const turn = Math.abs(angle) % (2 * Math.PI);
  near(q4.angle(quat(), q), Math.min(turn, 2 * Math.PI - turn), 12 * EPS, 'angle');
});

property('a quaternion survives the way through its matrix', 10_000, (rng) => {
  const [q] = two(rng);
  const found = q4.fromMat3(fromQuat(q));
  check(differ(found, q) <= 8 * EPS, () => `${JSON.stringify(found)} is not ±${JSON.stringify(q)}`);
  near(size(found), 1, 2 * EPS, 'unit');
});

property('slerp goes the short way at constant speed, nlerp along the same path', 10_000, (rng) => {
  const [a, b] = two(rng);
  const t = rng.pick([0, 1, 0.5, rng.unit()]);
  const whole = q4.angle(a, b);
  check(whole >= 0 && whole <= Math.PI + 4 * EPS, 'the short way is at most half a turn');
  const tolerance = 16 * EPS;
  const s = q4.slerp(a, b, t);
  near(size(s), 1, 2 * EPS, 'unit');
  near(q4.angle(a, s), t * whole, tolerance, 'from a');
  near(q4.angle(s, b), (1 - t) * whole, tolerance, 'to b');
  const n = q4.nlerp(a, b, t);
  near(size(n), 1, 2 * EPS, 'unit');
  near(q4.angle(a, n) + q4.angle(n, b), whole, 2 * tolerance, 'on the way');
  const half = q4.halfway(a, b);
  near(q4.angle(a, half), whole / 2, tolerance, 'halfway');
  near(q4.angle(half, b), whole / 2, tolerance, 'halfway');
  if (t === 0) check(apart(s, a) <= 4 * EPS && apart(n, a) <= 4 * EPS, 'starts at a');
  if (t === 1) check(differ(s, b) <= 4 * EPS && differ(n, b) <= 4 * EPS, 'ends at b');
  // Half a turn apart there are two short ways, and the sign of a zero chooses.
  if (whole < Math.PI - 1e-6)
    check(differ(q4.slerp(a, flip(b), t), s) <= tolerance, 'the sign of b is no matter');
});

test('a zero quaternion becomes the identity', () => {
  expect(q4.normalize(quat(0, 0, 0, 0))).toEqual(q4.identity());
});

test('half a turn about each axis survives the way through its matrix', () => {
  for (const q of [quat(1, 0, 0, 0), quat(0, 1, 0, 0), quat(0, 0, 1, 0)])
    expect(differ(q4.fromMat3(fromQuat(q)), q)).toBe(0);
  expect(rotate(vec3(1, 0, 0), q4.fromAxisAngle(vec3(0, 0, 1), Math.PI / 2)).y).toBeCloseTo(1, 15);
});

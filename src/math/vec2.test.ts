import { expect, test } from 'vitest';
import { check, cloud, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import type { Vec2 } from './types.ts';
import { vec2 } from './types.ts';
import * as v2 from './vec2.ts';

const EPS = 2 ** -52;
const size = (a: Vec2): number => Math.hypot(a.x, a.y);
const pair = (rng: Rng): [Vec2, Vec2] => {
  const [a, b] = cloud(rng, 2).points as Vec2[] as [Vec2, Vec2];
  return [vec2(a.x, a.y), vec2(b.x, b.y)];
};
const same = (a: Vec2, x: number, y: number, what: string): void =>
  check(a.x === x && a.y === y, () => `${what}: (${a.x}, ${a.y}) is not (${x}, ${y})`);
const close = (a: Vec2, b: Vec2, tolerance: number, what: string): void => {
  near(a.x, b.x, tolerance, `${what}.x`);
  near(a.y, b.y, tolerance, `${what}.y`);
};

property('[R3.1.1-3] vectors are added, scaled and compared component by component', 10_000, (rng) => {
  const [a, b] = pair(rng);
  const s = rng.range(-3, 3);
  same(v2.add(a, b), a.x + b.x, a.y + b.y, 'add');
  same(v2.sub(a, b), a.x - b.x, a.y - b.y, 'sub');
  same(v2.multiply(a, b), a.x * b.x, a.y * b.y, 'multiply');
  same(v2.scale(a, s), a.x * s, a.y * s, 'scale');
  same(v2.addScaled(a, b, s), a.x + s * b.x, a.y + s * b.y, 'addScaled');
  same(v2.min(a, b), Math.min(a.x, b.x), Math.min(a.y, b.y), 'min');
  same(v2.max(a, b), Math.max(a.x, b.x), Math.max(a.y, b.y), 'max');
  same(v2.abs(a), Math.abs(a.x), Math.abs(a.y), 'abs');
  same(v2.negate(a), -a.x, -a.y, 'negate');
  same(v2.copy(a), a.x, a.y, 'copy');
  same(v2.lerp(a, b, 0), a.x, a.y, 'lerp 0');
  same(v2.lerp(a, b, 1), b.x, b.y, 'lerp 1');
  check(v2.equals(a, b) === (a.x === b.x && a.y === b.y), 'equals');
});

property('[R3.3] dot and perp-dot are the exact ones to a rounding', 10_000, (rng) => {
  const [a, b] = pair(rng);
  const [ax, ay, bx, by] = [exact.q(a.x), exact.q(a.y), exact.q(b.x), exact.q(b.y)];
  const tolerance = 2 * EPS * size(a) * size(b);
  near(v2.dot(a, b), exact.toNumber(exact.add(exact.mul(ax, bx), exact.mul(ay, by))), tolerance, 'dot');
  near(
    v2.perpDot(a, b),
    exact.toNumber(exact.sub(exact.mul(ax, by), exact.mul(ay, bx))),
    tolerance,
    'perpDot',
  );
  check(v2.dot(v2.perp(a), a) === 0, 'perp is at a right angle');
  check(v2.lengthSq(v2.perp(a)) === v2.lengthSq(a) || size(a) === 0, 'perp keeps the length');
});

test('[R3.3] the perp-dot of x and y is +1', () => {
  expect(v2.perpDot(vec2(1, 0), vec2(0, 1))).toBe(1);
  expect(v2.perp(vec2(1, 0))).toEqual(vec2(-0, 1));
});

property('[R3.3] lengths, unit vectors and splits', 10_000, (rng) => {
  const [a, b] = pair(rng);
  if (rng.chance(0.3)) v2.scale(a, 2 ** rng.int(-1000, 900), a);
  const l = size(a);
  near(v2.length(a), l, Math.max(2 * EPS * l, 1e-323), 'length');
  near(v2.distance(a, v2.scale(a, -0.5)), 1.5 * l, Math.max(4 * EPS * l, 2e-323), 'distance');
  if (l > 0) {
    near(size(v2.normalize(a)), 1, 2 * EPS, 'unit');
    near(v2.dot(v2.perpendicular(a), v2.normalize(a)), 0, EPS, 'perpendicular');
    near(v2.perpDot(v2.normalize(a), v2.perpendicular(a)), 1, 4 * EPS, 'to the left');
  } else same(v2.normalize(a), 0, 0, 'no direction');
  const p = v2.project(a, b);
  const q = v2.reject(a, b);
  close(v2.add(p, q), a, Math.max(4 * EPS * l, 1e-322), 'p + q');
  const tolerance = Math.max(8 * EPS * l, 1e-322);
  near(v2.dot(q, v2.normalize(b)), 0, tolerance, 'q · u');
  near(v2.perpDot(p, v2.normalize(b)), 0, tolerance, 'p along u');
});

property('[R3.3] angles, with and without a sign', 10_000, (rng) => {
  const [a, b] = pair(rng);
  if (rng.chance(0.5))
    v2.addScaled(v2.scale(a, rng.sign() * 2), v2.perp(a), rng.sign() * rng.pick([0, 1e-15, 1e-9]), b);
  const [ax, ay, bx, by] = [exact.q(a.x), exact.q(a.y), exact.q(b.x), exact.q(b.y)];
  const sine = exact.toNumber(exact.sub(exact.mul(ax, by), exact.mul(ay, bx)));
  const cosine = exact.toNumber(exact.add(exact.mul(ax, bx), exact.mul(ay, by)));
  const wanted = Math.atan2(sine, cosine);
  near(v2.signedAngle(a, b), wanted, 6 * EPS * Math.abs(wanted), 'signed');
  near(v2.angle(a, b), Math.abs(wanted), 6 * EPS * Math.abs(wanted), 'unsigned');
});

property('[R3.1.1-3] a matrix takes its columns, or its rows, with a vector', 10_000, (rng) => {
  const [a, b] = pair(rng);
  const [v] = pair(rng);
  const m = { elements: [a.x, a.y, b.x, b.y] };
  const tolerance = 4 * EPS * size(v) * (size(a) + size(b));
  close(v2.transform(v, m), v2.add(v2.scale(a, v.x), v2.scale(b, v.y)), tolerance, 'm v');
  close(v2.transformTransposed(v, m), vec2(v2.dot(a, v), v2.dot(b, v)), tolerance, 'mᵀ v');
});

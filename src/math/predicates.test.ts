import { describe, expect, test } from 'vitest';
import { check, cloud, exact, property, type Rng } from '../../tests/kit/index.ts';
import { nextDown, nextUp } from './float.ts';
import { inCircle, inSphere, orient2d, orient3d } from './predicates.ts';
import type { Vec2, Vec3 } from './types.ts';
import { vec2, vec3 } from './types.ts';

/** Oracles: signs by integers, from the homogeneous determinants rather than from differences. */
function exactSign(
  points: readonly (Vec2 | Vec3)[],
  keys: readonly ('x' | 'y' | 'z')[],
  lifted: boolean,
): number {
  const rational = points.map((p) => keys.map((key) => exact.q((p as Vec3)[key])));
  let denominator = 1n; // all are powers of two
  for (const { d } of rational.flat()) if (d > denominator) denominator = d;
  const rows = rational.map((row) => {
    const integers = row.map((x) => x.n * (denominator / x.d));
    return [...integers, ...(lifted ? [integers.reduce((sum, x) => sum + x * x, 0n)] : []), 1n];
  });
  const det = laplace(rows, 0, []);
  return det > 0n ? 1 : det < 0n ? -1 : 0;
}

/** The determinant of the rows from `row` on without the columns already used. */
function laplace(rows: readonly bigint[][], row: number, used: readonly number[]): bigint {
  if (row === rows.length) return 1n;
  let sum = 0n;
  let sign = 1n;
  for (let column = 0; column < rows.length; column++) {
    if (used.includes(column)) continue;
    const entry = rows[row]![column]!;
    if (entry !== 0n) sum += sign * entry * laplace(rows, row + 1, [...used, column]);
    sign = -sign;
  }
  return sum;
}

const exactOrient2d = (...points: Vec2[]): number => exactSign(points, ['x', 'y'], false);
const exactOrient3d = (...points: Vec3[]): number => exactSign(points, ['x', 'y', 'z'], false);
const exactInCircle = (...points: Vec2[]): number => exactSign(points, ['x', 'y'], true);
const exactInSphere = (...points: Vec3[]): number => exactSign(points, ['x', 'y', 'z'], true);

const same = (found: number, wanted: number, what: () => string): void =>
  check(
    Math.sign(found) === wanted && !Object.is(found, -0),
    () => `${what()}: ${found}, but the sign is ${wanted}`,
  );

const text = (points: readonly (Vec2 | Vec3)[]): string => JSON.stringify(points);

function jiggle(rng: Rng, x: number): number {
  const n = rng.int(-2, 2);
  let y = x;
  for (let i = 0; i < Math.abs(n); i++) y = n > 0 ? nextUp(y) : nextDown(y);
  return y;
}
const jiggle2 = (rng: Rng, p: Vec2): Vec2 => vec2(jiggle(rng, p.x), jiggle(rng, p.y));
const jiggle3 = (rng: Rng, p: Vec3): Vec3 => vec3(jiggle(rng, p.x), jiggle(rng, p.y), jiggle(rng, p.z));

describe('[R3.1.6] conventions', () => {
  const [o, x, y, z] = [vec3(), vec3(1), vec3(0, 1), vec3(0, 0, 1)];
  test('orient2d: counter-clockwise is positive, twice the area', () => {
    expect(orient2d(o, x, y)).toBe(1);
    expect(orient2d(o, y, x)).toBe(-1);
    expect(orient2d(o, x, vec2(5, 0))).toBe(0);
  });
  test('orient3d: negative where abc is seen counter-clockwise', () => {
    expect(orient3d(o, x, y, z)).toBe(-1);
    expect(orient3d(o, x, y, vec3(0, 0, -1))).toBe(1);
    expect(orient3d(o, x, y, vec3(7, 8, 0))).toBe(0);
  });
  test('inCircle: inside is positive for counter-clockwise, negative for clockwise', () => {
    const [a, b, c] = [vec2(1, 0), vec2(0, 1), vec2(-1, 0)];
    expect(inCircle(a, b, c, vec2(0.1, 0.2))).toBeGreaterThan(0);
    expect(inCircle(a, c, b, vec2(0.1, 0.2))).toBeLessThan(0);
    expect(inCircle(a, b, c, vec2(0, -1))).toBe(0);
    expect(inCircle(a, b, c, vec2(0, -1.5))).toBeLessThan(0);
  });
  test('inSphere: inside is positive where orient3d(a, b, c, d) > 0', () => {
    const [a, b, c, d] = [vec3(1), vec3(0, 1), vec3(0, 0, 1), vec3(-1)];
    const side = Math.sign(orient3d(a, b, c, d));
    expect(side).not.toBe(0);
    expect(Math.sign(inSphere(a, b, c, d, vec3(0.1, 0.2, 0.3)))).toBe(side);
    expect(Math.sign(inSphere(b, a, c, d, vec3(0.1, 0.2, 0.3)))).toBe(-side);
    expect(inSphere(a, b, c, d, vec3(0, -1, 0))).toBe(0);
    expect(Math.sign(inSphere(a, b, c, d, vec3(0, -2, 0)))).toBe(-side);
  });
});

property('[R3.1.6] [R11.5.1] orient2d is exact on near-collinear lattices, and flips', 10_000, (rng) => {
  // Points on a line, each off by a few ulps: the plain formula fails in a good part of these.
  const from = vec2(rng.range(-1, 1), rng.range(-1, 1));
  const step = vec2(rng.range(-1, 1), rng.range(-1, 1));
  const at = (): Vec2 => {
    const t = rng.int(-8, 8);
    return jiggle2(rng, vec2(from.x + t * step.x, from.y + t * step.y));
  };
  const [a, b, c] = rng.chance(0.7) ? [at(), at(), at()] : (cloud(rng, 3).points as [Vec3, Vec3, Vec3]);
  const wanted = exactOrient2d(a, b, c);
  same(orient2d(a, b, c), wanted, () => text([a, b, c]));
  same(orient2d(b, a, c), -wanted || 0, () => `swapped ${text([a, b, c])}`);
  same(orient2d(b, c, a), wanted, () => `turned ${text([a, b, c])}`);
});

property('[R3.1.6] [R11.5.1] orient3d is exact on near-coplanar lattices, and flips', 10_000, (rng) => {
  const [from, u, v] = [rng.vec(), rng.vec(), rng.vec()];
  const at = (): Vec3 => {
    const [s, t] = [rng.int(-4, 4), rng.int(-4, 4)];
    const p = vec3(from.x + s * u.x + t * v.x, from.y + s * u.y + t * v.y, from.z + s * u.z + t * v.z);
    return jiggle3(rng, p);
  };
  const points = rng.chance(0.7) ? [at(), at(), at(), at()] : cloud(rng, 4).points;
  const [a, b, c, d] = points as [Vec3, Vec3, Vec3, Vec3];
  const wanted = exactOrient3d(a, b, c, d);
  same(orient3d(a, b, c, d), wanted, () => text(points));
  same(orient3d(a, c, b, d), -wanted || 0, () => `swapped ${text(points)}`);
  same(orient3d(a, b, d, c), -wanted || 0, () => `swapped ${text(points)}`);
});

property('[R3.1.6] [R11.5.1] inCircle is exact on near-cocircular lattices, and flips', 10_000, (rng) => {
  const centre = vec2(rng.range(-9, 9), rng.range(-9, 9));
  const at = (): Vec2 => {
    const [x, y] = rng.pick([
      [5, 0],
      [3, 4],
      [4, 3],
      [0, 5],
      [-3, 4],
      [-4, -3],
      [3, -4],
      [0, -5],
    ] as const);
    return jiggle2(rng, vec2(centre.x + x, centre.y + y));
  };
  const points = rng.chance(0.7) ? [at(), at(), at(), at()] : cloud(rng, 4).points;
  const [a, b, c, d] = points as [Vec2, Vec2, Vec2, Vec2];
  const wanted = exactInCircle(a, b, c, d);
  same(inCircle(a, b, c, d), wanted, () => text(points));
  same(inCircle(b, a, c, d), -wanted || 0, () => `swapped ${text(points)}`);
});

property('[R3.1.6] [R11.5.1] inSphere is exact on near-cospherical lattices, and flips', 10_000, (rng) => {
  const centre = rng.vec(9);
  const at = (): Vec3 => {
    const [x, y, z] = rng.shuffle([rng.sign(), 2 * rng.sign(), 2 * rng.sign()]) as [number, number, number];
    return jiggle3(rng, vec3(centre.x + x, centre.y + y, centre.z + z));
  };
  const points = rng.chance(0.7) ? [at(), at(), at(), at(), at()] : cloud(rng, 5).points;
  const [a, b, c, d, e] = points as [Vec3, Vec3, Vec3, Vec3, Vec3];
  const wanted = exactInSphere(a, b, c, d, e);
  same(inSphere(a, b, c, d, e), wanted, () => text(points));
  same(inSphere(a, c, b, d, e), -wanted || 0, () => `swapped ${text(points)}`);
});

property('[R11.5.1] the signs hold where products overflow or vanish', 10_000, (rng) => {
  const coordinate = (): number =>
    rng.chance(0.2)
      ? 0
      : rng.sign() * rng.range(1, 2) * 2 ** rng.pick([-1074, -1000, -540, -200, 0, 300, 500, 1000]);
  const point = (): Vec3 => vec3(coordinate(), coordinate(), coordinate());
  const [a, b, c, d] = [point(), point(), point(), point()];
  same(orient2d(a, b, c), exactOrient2d(a, b, c), () => text([a, b, c]));
  same(orient3d(a, b, c, d), exactOrient3d(a, b, c, d), () => text([a, b, c, d]));
});

property('[R11.5.1] the signs hold at uniform tiny and huge scales', 10_000, (rng) => {
  const scale = 2 ** rng.pick([-1060, -540, -350, -160, 170, 340, 500]);
  const point = (): Vec3 => {
    const p = vec3(rng.int(-2, 2), rng.int(-2, 2), rng.int(-2, 2));
    return vec3(p.x * scale, p.y * scale, p.z * scale);
  };
  const [a, b, c, d, e] = [point(), point(), point(), point(), point()];
  same(orient2d(a, b, c), exactOrient2d(a, b, c), () => text([a, b, c]));
  same(orient3d(a, b, c, d), exactOrient3d(a, b, c, d), () => text([a, b, c, d]));
  same(inCircle(a, b, c, d), exactInCircle(a, b, c, d), () => text([a, b, c, d]));
  if (rng.chance(0.2))
    same(inSphere(a, b, c, d, e), exactInSphere(a, b, c, d, e), () => text([a, b, c, d, e]));
});

test('[R3.1.6] the plain formula is wrong near zero, which is why there is an exact one', () => {
  let wrong = 0;
  for (let i = 0; i < 1000; i++) {
    const [a, b, c] = [
      vec2(0.5 + (i % 32) * 2 ** -53, 0.5 + (i >> 5) * 2 ** -53),
      vec2(12, 12),
      vec2(24, 24),
    ];
    const plain = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (Math.sign(plain) !== exactOrient2d(a, b, c)) wrong++;
    same(orient2d(a, b, c), exactOrient2d(a, b, c), () => text([a, b, c]));
  }
  expect(wrong).toBeGreaterThan(100);
});

test('[R3.1.6] far from the origin the differences keep the digits', () => {
  const far = 2 ** 40;
  expect(orient2d(vec2(far, far), vec2(far + 1, far), vec2(far, far + 1))).toBe(1);
  expect(orient3d(vec3(far), vec3(far + 1), vec3(far, 1), vec3(far, 0, 1))).toBe(-1);
});

test('numbers that are not finite are refused by name', () => {
  const [o, x, y, z] = [vec3(), vec3(1), vec3(0, 1), vec3(0, 0, 1)];
  for (const bad of [Number.NaN, Infinity, -Infinity]) {
    expect(() => orient2d(o, vec2(bad, 0), y)).toThrow('orient2d: b.x');
    expect(() => orient3d(o, x, y, vec3(0, 0, bad))).toThrow('orient3d: d.z');
    expect(() => inCircle(o, x, vec2(0, bad), y)).toThrow('inCircle: c.y');
    expect(() => inSphere(vec3(bad), x, y, z, o)).toThrow('inSphere: a.x');
  }
});

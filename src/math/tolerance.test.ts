import { expect, test } from 'vitest';
import { check, exact, property, type Rng } from '../../tests/kit/index.ts';
import { EPS64, nextDown, nextUp } from './float.ts';
import * as tolerance from './tolerance.ts';
import { equalAbsolute, equalCombined, equalRelative, inRange } from './tolerance.ts';
import type { Plane, Vec3 } from './types.ts';
import { vec3 } from './types.ts';

/** Where the segment meets the plane, with no look at the denominator: the principle under test. */
function segmentPlane(a: Vec3, b: Vec3, { normal: n, d }: Plane): number | null {
  const t =
    (d - (n.x * a.x + n.y * a.y + n.z * a.z)) / (n.x * (b.x - a.x) + n.y * (b.y - a.y) + n.z * (b.z - a.z));
  return inRange(t, 0, 1) ? t : null;
}

test('the literals are the powers of two and the bounds that their comments say', () => {
  const u = 2 ** -53;
  expect(tolerance).toMatchObject({
    UNIT_ROUNDING: u,
    ORIENT2D_ERROR: (3 + 16 * u) * u,
    ORIENT3D_ERROR: (7 + 56 * u) * u,
    GRAZING: 2 ** -26,
    COMPUTED_POINT: 2 ** -40,
    MEETING: 2 ** -49,
    SWEEP_SLACK: 2 ** -49,
    RAY_SLACK: 1 + 2 ** -50,
    OBB_SLACK: 2 ** -36,
    PARALLEL_NORMALS: 2 ** -92,
  });
});

test('[R11.2.2] a range test in accepting form refuses what is not a number', () => {
  expect(inRange(Number.NaN, 0, 1)).toBe(false);
  expect(inRange(Infinity, 0, 1)).toBe(false);
  expect(inRange(-Infinity, 0, 1)).toBe(false);
  expect(inRange(0, 0, 1) && inRange(1, 0, 1) && inRange(0.5, 0, 1)).toBe(true);
  expect(inRange(nextDown(0), 0, 1) || inRange(nextUp(1), 0, 1)).toBe(false);
  expect(inRange(0, Number.NaN, 1)).toBe(false);
  const refusing = (x: number): boolean => !(x < 0 || x > 1);
  expect(refusing(Number.NaN)).toBe(true); // the trap
});

test('[R11.2.2] segment against plane: division by zero flows through as a miss', () => {
  const floor = { normal: vec3(0, 1, 0), d: 0 };
  const on = vec3(1, 0, 0);
  expect(segmentPlane(vec3(0, 1, 0), vec3(0, -1, 0), floor)).toBe(0.5);
  expect(segmentPlane(vec3(0, 1, 0), vec3(5, 1, 0), floor), 'parallel: 1 / 0').toBeNull();
  expect(segmentPlane(vec3(0, -1, 0), vec3(5, -1, 0), floor), 'parallel: -1 / 0').toBeNull();
  expect(segmentPlane(on, vec3(7, 0, 0), floor), 'in the plane: 0 / 0').toBeNull();
  expect(segmentPlane(on, on, floor), 'length zero in the plane').toBeNull();
  expect(segmentPlane(vec3(0, 1, 0), vec3(0, 1, 0), floor), 'length zero').toBeNull();
  const steep = { normal: vec3(1e200, 1, 0), d: 0 };
  expect(segmentPlane(vec3(1e200, 0, 0), vec3(-1e200, 0, 0), steep), 'overflow: ∞ / ∞').toBeNull();
  expect(segmentPlane(vec3(0, 1, 0), vec3(0, -1, 0), { normal: vec3(), d: 0 }), 'no normal').toBeNull();
});

property('[R11.2.2] … whatever the numbers, the parameter is in range or there is none', 10_000, (rng) => {
  const number = (): number => rng.pick([0, -0, 1, -1, rng.range(-2, 2), 1e200, -1e200, 1e308, 5e-324]);
  const point = (): Vec3 => vec3(number(), number(), number());
  const t = segmentPlane(point(), point(), { normal: point(), d: number() });
  check(t === null || (t >= 0 && t <= 1), () => `${t}`);
});

test('[R11.3.1] absolute, relative and combined equality', () => {
  const half = Math.sqrt(EPS64);
  for (const equal of [equalAbsolute, equalRelative, equalCombined]) {
    expect(equal(0, 0, 0), equal.name).toBe(true);
    expect(equal(0, -0, 1e-9), equal.name).toBe(true);
    expect(equal(1, 1 + 1e-9, 1e-8), equal.name).toBe(true);
    expect(equal(1, 1 + 1e-7, 1e-8), equal.name).toBe(false);
    expect(equal(Number.MAX_VALUE, -Number.MAX_VALUE, 1e-3), equal.name).toBe(false);
  }
  // Neighbours of 1e20 are 16384 apart, and equal in all but the last digit.
  expect(equalAbsolute(1e20, nextUp(1e20), half)).toBe(false);
  expect(equalRelative(1e20, nextUp(1e20), half)).toBe(true);
  expect(equalCombined(1e20, nextUp(1e20), half)).toBe(true);
  // 1e-30 and 2e-30 differ in every digit, and by nothing in a world of size 1.
  expect(equalAbsolute(1e-30, 2e-30, half)).toBe(true);
  expect(equalRelative(1e-30, 2e-30, half)).toBe(false);
  expect(equalCombined(1e-30, 2e-30, half)).toBe(true);
  expect(equalRelative(1e-30, nextUp(1e-30), half)).toBe(true);
  // Less or equal, not less.
  expect(equalAbsolute(1, 1.5, 0.5)).toBe(true);
  expect(equalRelative(2, 4, 0.5)).toBe(true);
  expect(equalCombined(0.25, 0.75, 0.5)).toBe(true);
});

test('[R11.3.1] tolerant equality is no comparator: it answers yes or no, and is not transitive', () => {
  expect(equalAbsolute(0, 0.6, 1) && equalAbsolute(0.6, 1.2, 1)).toBe(true);
  expect(equalAbsolute(0, 1.2, 1)).toBe(false);
});

const number = (rng: Rng): number => rng.sign() * rng.range(1, 2) * 2 ** rng.int(-200, 200);

property('[R11.3.1] equality is symmetric and means what it says', 10_000, (rng) => {
  const x = rng.chance(0.1) ? 0 : number(rng);
  const epsilon = rng.pick([0, EPS64, 1e-8, 0.25, 1e-3]);
  const y = rng.pick([x, nextUp(x), -x, x * (1 + epsilon), x + epsilon, number(rng)]);
  const gap = exact.abs(exact.sub(exact.q(x), exact.q(y)));
  const size = exact.max(exact.abs(exact.q(x)), exact.abs(exact.q(y)));
  for (const [equal, scale] of [
    [equalAbsolute, exact.ONE],
    [equalRelative, size],
    [equalCombined, exact.max(size, exact.ONE)],
  ] as const) {
    const answer = equal(x, y, epsilon);
    check(answer === equal(y, x, epsilon), () => `${equal.name} is symmetric`);
    // The rounding of the difference and of the product may decide what lies within them of the limit.
    const limit = exact.mul(exact.q(epsilon), scale);
    const slack = exact.mul(limit, exact.q(2 * EPS64));
    if (exact.cmp(gap, exact.sub(limit, slack)) < 0)
      check(answer, () => `${equal.name}(${x}, ${y}, ${epsilon})`);
    if (exact.cmp(gap, exact.add(limit, slack)) > 0)
      check(!answer, () => `not ${equal.name}(${x}, ${y}, ${epsilon})`);
  }
});

test('numbers that are not finite, and negative tolerances, are refused by name', () => {
  for (const equal of [equalAbsolute, equalRelative, equalCombined]) {
    expect(() => equal(Number.NaN, 1, 1)).toThrow(`${equal.name}: x`);
    expect(() => equal(1, Infinity, 1)).toThrow(`${equal.name}: y`);
    expect(() => equal(1, 1, Number.NaN)).toThrow(`${equal.name}: epsilon`);
    expect(() => equal(1, 1, -1)).toThrow('epsilon must not be negative');
  }
});

import { expect, test } from 'vitest';
import { check, property } from '../../../tests/kit/index.ts';
import { compensatedSum, differenceOfProducts } from '../../math/accurate.ts';
import { nextUp } from '../../math/float.ts';
import { orient2d } from '../../math/predicates.ts';
import { solveQuadratic } from '../../math/roots.ts';
import { oneMinusCos } from '../../math/trig.ts';
import { vec2 } from '../../math/types.ts';
import { digitsLost, probe } from './stability.ts';

/** The last bits, which any formula may lose. */
const NOISE = 1.3;

test('[R11.6] digits lost are counted from the last', () => {
  expect(digitsLost(1, 1)).toBe(0);
  expect(digitsLost(0, -0)).toBe(0);
  expect(digitsLost(1, nextUp(1))).toBeLessThan(0.5);
  expect(digitsLost(1, 1 + 1e-10)).toBeGreaterThan(5.5);
  expect(digitsLost(1, 1 + 1e-10)).toBeLessThan(6.5);
  expect(digitsLost(1e300, 1e300 * (1 + 1e-10))).toBeCloseTo(digitsLost(1, 1 + 1e-10), 0);
  expect(digitsLost(1, -1)).toBeGreaterThan(15.9);
  expect(digitsLost(1, Number.NaN)).toBeGreaterThan(15.9);
  expect(digitsLost(Infinity, 1)).toBeGreaterThan(15.9);
  expect(digitsLost(0, 5e-324)).toBeGreaterThan(15.9);
});

property('[R11.6] digits lost are symmetric and within 0 and 16', 10_000, (rng) => {
  const x = rng.sign() * rng.range(1, 2) * 2 ** rng.int(-1074, 1023);
  const y = rng.pick([x, nextUp(x), -x, 0, x * rng.range(0.9, 1.1), rng.range(-1, 1)]);
  const digits = digitsLost(x, y);
  check(digits >= 0 && digits <= 16 && digits === digitsLost(y, x), () => `${x} ${y}: ${digits}`);
  if (digits > 0 && Number.isFinite(x - y)) {
    const relative = Math.abs(x - y) / Math.max(Math.abs(x), Math.abs(y));
    // Binades are a third of a digit wide, at both ends.
    if (relative > 0)
      check(Math.abs(digits - (16 + Math.log10(relative))) < 0.8, () => `${x} ${y}: ${digits}`);
  }
});

/** The smaller root of a t² + 2 b t + c. */
const textbookRoot = (a: number, b: number, c: number): number => (-b - Math.sqrt(b * b - a * c)) / a;
const stableRoot = (a: number, b: number, c: number): number => solveQuadratic(a, b, c).t0;

test('[R11.6] the probe flags the textbook root and passes the stable one', () => {
  const args = [1, -1000, 1];
  expect(probe(textbookRoot, args).noise).toBeGreaterThan(5);
  expect(probe(stableRoot, args).worst).toBeLessThan(NOISE);
  expect(probe(stableRoot, [1, -1e7, 1]).worst).toBeLessThan(NOISE);
  expect(probe(textbookRoot, [1, -1e7, 1], { twin: stableRoot }).twin).toBeGreaterThan(13);
});

property('[R11.6] twins agree to 14 digits where both are sound', 10_000, (rng) => {
  // Roots of different signs: nothing cancels in the one that the textbook form computes here.
  const [a, b, c] = [rng.range(0.1, 9), rng.range(0.1, 9), -rng.range(0.1, 9)];
  const report = probe(stableRoot, [a, b, c], { twin: textbookRoot, trials: 2 });
  check(report.worst <= 2, () => `${a} ${b} ${c}: ${JSON.stringify(report)}`);
});

/** Twice the signed area, expanded, and from differences. */
const expandedArea = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number =>
  ax * by - ay * bx + (bx * cy - by * cx) + (cx * ay - cy * ax);
const differenceArea = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number =>
  orient2d(vec2(ax, ay), vec2(bx, by), vec2(cx, cy));

test('[R11.6] work near the origin: the expanded area loses digits far away, differences do not', () => {
  const triangle = (o: number): number[] => [o, o, o + 1, o, o, o + 1];
  const turns = [
    [2, 3, 4, 5, 0, 1],
    [4, 5, 0, 1, 2, 3],
  ];
  expect(probe(expandedArea, triangle(0), { orders: turns, twin: differenceArea }).worst).toBeLessThan(NOISE);
  const far = 1e7 / 3;
  const bad = probe(expandedArea, triangle(far), { orders: turns, twin: differenceArea });
  expect(bad.worst).toBeGreaterThan(5);
  const good = probe(differenceArea, triangle(far), { orders: turns });
  expect(good.order).toBe(0);
  // The corners themselves are only known to an ulp of 1e7 out there: a loss of the problem, not of the formula.
  expect(good.jitter).toBeGreaterThan(5);
  expect(good.noise).toBeLessThan(NOISE);
  expect(bad.noise).toBeGreaterThan(10);
});

test('[R11.6] permuting finds a sum that depends on the order', () => {
  const args = [1e16, 1, -1e16, 3];
  const orders = [
    [3, 2, 1, 0],
    [0, 2, 1, 3],
  ];
  const plain = (...x: number[]): number => x.reduce((sum, y) => sum + y, 0);
  expect(probe(plain, args, { orders }).order).toBeGreaterThan(14);
  expect(probe((...x) => compensatedSum(x), args, { orders }).order).toBe(0);
});

test('[R11.6] a twin finds what jitter is blind to, and tells a bad formula from a hard problem', () => {
  const naive = (x: number): number => 1 - Math.cos(x);
  const flat = probe(naive, [1e-9], { twin: oneMinusCos });
  expect(Math.max(flat.jitter, flat.noise)).toBe(0);
  expect(flat.twin).toBeGreaterThan(15);
  // b² - ac near 0 is sensitive to its data, and our formula has no part in it: the exact twin agrees.
  const args = [3.456, 3.456, 4 * 1.727, 1.729];
  const big = (x: number): bigint => BigInt(x * 2 ** 60);
  const twin = (a: number, b: number, c: number, d: number): number =>
    Number(big(a) * big(b) - big(c) * big(d)) / 2 ** 120;
  const hard = probe(differenceOfProducts, args, { twin });
  expect(hard.jitter).toBeGreaterThan(5);
  expect(hard.noise).toBeLessThan(NOISE);
  expect(hard.twin).toBeLessThan(NOISE);
});

test('the probe refuses bad arguments and repeats itself to the bit', () => {
  expect(() => probe((x) => x, [])).toThrow('args must not be empty');
  expect(() => probe((x) => x, [Number.NaN])).toThrow('args[0]');
  expect(probe(textbookRoot, [1, -1e5, 1])).toEqual(probe(textbookRoot, [1, -1e5, 1]));
});

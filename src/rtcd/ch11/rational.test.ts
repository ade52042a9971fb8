import { expect, test } from 'vitest';
import { check, exact, property, type Rng } from '../../../tests/kit/index.ts';
import { compareRational, isUnitFraction } from './rational.ts';

/** a / b against c / d by cross products of any size. */
const byCrossProducts = (a: number, b: number, c: number, d: number): number =>
  exact.cmp(
    exact.div(exact.q(BigInt(a)), exact.q(BigInt(b))),
    exact.div(exact.q(BigInt(c)), exact.q(BigInt(d))),
  );

test('[R11.5.2] the order of all fractions with parts up to 12', () => {
  for (let a = -12; a <= 12; a++)
    for (let b = -12; b <= 12; b++)
      for (let c = -12; c <= 12; c++)
        for (let d = -12; d <= 12; d++) {
          if (b === 0 || d === 0) continue;
          const wanted = Math.sign(a * d - b * c) * Math.sign(b * d) || 0;
          if (compareRational(a, b, c, d) !== wanted)
            throw new Error(`${a}/${b} against ${c}/${d}: ${compareRational(a, b, c, d)}`);
        }
});

const part = (rng: Rng): number => {
  const size = rng.chance(0.2)
    ? Number.MAX_SAFE_INTEGER - rng.int(0, 3)
    : Math.floor(rng.unit() * 2 ** rng.int(1, 53));
  return rng.sign() * size;
};

property('[R11.5.2] 53-bit fractions compare as BigInt cross products do', 20_000, (rng) => {
  const [a, b] = [part(rng), part(rng) || 1];
  let [c, d] = [part(rng), part(rng) || 1];
  if (rng.chance(0.5)) {
    // Nearly equal fractions: multiples of one, off by a unit or so.
    const k = rng.int(2, 9);
    [c, d] = [Math.trunc(a / k) + rng.int(-1, 1), Math.trunc(b / k) + rng.int(-1, 1) || 1];
  } else if (rng.chance(0.2)) [c, d] = rng.chance(0.5) ? [a, b] : [-a, -b];
  const wanted = byCrossProducts(a, b, c, d);
  check(compareRational(a, b, c, d) === wanted, () => `${a}/${b} against ${c}/${d}`);
  check(compareRational(c, d, a, b) === (-wanted || 0), 'the other way round');
});

test('[R11.5.2] consecutive convergents, which share all but the last whole part', () => {
  // Fibonacci fractions near the golden ratio: the longest expansions there are.
  let [a, b] = [1, 1];
  let above = false;
  while (a + b < Number.MAX_SAFE_INTEGER) {
    expect(compareRational(a + b, a, a, b)).toBe(above ? -1 : 1);
    [a, b] = [a + b, a];
    above = !above;
  }
  expect(a).toBeGreaterThan(5e15);
});

property('[R11.5.2] t in [0, 1] without a division', 10_000, (rng) => {
  const number = (): number => rng.pick([0, -0, 5e-324, rng.int(-3, 3), rng.range(-1, 1), 1e300, -1e300]);
  const [n, d] = [number(), number()];
  const wanted =
    d !== 0 &&
    exact.sign(exact.div(exact.q(n), exact.q(d))) >= 0 &&
    exact.cmp(exact.div(exact.q(n), exact.q(d)), exact.ONE) <= 0;
  check(isUnitFraction(n, d) === wanted, () => `${n} / ${d}`);
});

test('[R11.5.2] odd cases', () => {
  expect(isUnitFraction(0, 0)).toBe(false);
  expect(isUnitFraction(Number.NaN, 1)).toBe(false);
  expect(isUnitFraction(1, Number.NaN)).toBe(false);
  expect(isUnitFraction(-2, -3)).toBe(true);
  expect(isUnitFraction(2, -3)).toBe(false);
  expect(isUnitFraction(-4, -3)).toBe(false);
  // -0.4 and 1.2 truncate into [0, 1]; the division-free form is not fooled.
  expect(isUnitFraction(-2, 5)).toBe(false);
  expect(isUnitFraction(6, 5)).toBe(false);
  expect(compareRational(0, 5, 0, -7)).toBe(0);
  expect(compareRational(1, -2, -1, 3)).toBe(-1);
  expect(() => compareRational(1, 0, 1, 1)).toThrow('b is a denominator');
  expect(() => compareRational(1, 1, 1, 0)).toThrow('d is a denominator');
  expect(() => compareRational(0.5, 1, 1, 1)).toThrow('compareRational: a');
  expect(() => compareRational(1, 1, Number.NaN, 1)).toThrow('compareRational: c');
});

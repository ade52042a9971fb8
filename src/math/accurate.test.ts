import { expect, test } from 'vitest';
import { check, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import { compensatedSum, differenceOfProducts, productError, sqrtIncrement, sumError } from './accurate.ts';
import { EPS64, nextDown, nextUp, ulp } from './float.ts';
import { oneMinusCos } from './trig.ts';

const { q } = exact;

/** |found - wanted| in ulps of the wanted value, by rational arithmetic. */
function ulpsOff(found: number, wanted: exact.Q): number {
  const size = ulp(exact.toNumber(wanted));
  return exact.toNumber(exact.abs(exact.sub(q(found), wanted))) / size;
}

/** The relative error in units of 2^-53. */
const roundingsOff = (found: number, wanted: exact.Q): number =>
  exact.toNumber(exact.abs(exact.div(exact.sub(q(found), wanted), wanted))) * 2 ** 53;

const number = (rng: Rng, range = 300): number => rng.sign() * rng.range(1, 2) * 2 ** rng.int(-range, range);

property('[R11.2.3] sumError and productError are what rounding lost, exactly', 20_000, (rng) => {
  const a = number(rng);
  const b = rng.chance(0.5) ? number(rng) : a * rng.range(-2, 2);
  const sum = a + b;
  const product = a * b;
  check(exact.cmp(exact.add(q(sum), q(sumError(a, b, sum))), exact.add(q(a), q(b))) === 0, 'sum');
  const whole = exact.add(q(product), q(productError(a, b, product)));
  check(exact.cmp(whole, exact.mul(q(a), q(b))) === 0, 'product');
});

property('[R11.2.3] a difference of products is right to six roundings, cancelling or not', 20_000, (rng) => {
  const a = number(rng);
  const b = number(rng);
  const c = rng.pick([a, nextUp(a), number(rng), a * rng.range(1, 1.001)]);
  let d = rng.pick([number(rng), (a * b) / c]);
  if (rng.chance(0.3)) d = nextDown(d);
  const wanted = exact.sub(exact.mul(q(a), q(b)), exact.mul(q(c), q(d)));
  const found = differenceOfProducts(a, b, c, d);
  if (wanted.n === 0n) check(found === 0, 'zero is zero');
  else
    check(roundingsOff(found, wanted) <= 6, () => `${a} ${b} ${c} ${d}: ${roundingsOff(found, wanted)} off`);
});

property('[R11.2.3] … and where the products overflow or vanish', 10_000, (rng) => {
  const a = number(rng, 1000);
  const b = number(rng, 1000);
  const c = a * rng.range(0.5, 2);
  const d = rng.pick([b, nextUp(b), b * rng.range(0.5, 2)]);
  if (!Number.isFinite(c) || !Number.isFinite(d)) return;
  const wanted = exact.sub(exact.mul(q(a), q(b)), exact.mul(q(c), q(d)));
  const found = differenceOfProducts(a, b, c, d);
  const rounded = exact.toNumber(wanted);
  if (!Number.isFinite(rounded)) check(found === rounded, () => `overflow: ${found}`);
  else if (wanted.n === 0n) check(found === 0, 'zero');
  else if (Math.abs(rounded) < 2.2250738585072014e-308)
    check(
      Math.abs(found - rounded) <= 1e-323,
      () => `subnormal ${a} ${b} ${c} ${d}: ${found} for ${rounded}`,
    );
  else if (Number.isFinite(found))
    check(roundingsOff(found, wanted) <= 6, () => `${roundingsOff(found, wanted)} off`);
  else check(Math.abs(rounded) > 1.79e308, () => `${found} for ${rounded}`);
});

test('[R11.2.3] one product that overflows beside one that does not', () => {
  expect(differenceOfProducts(1, 1, 1e200, 1e200)).toBe(-Infinity);
  expect(differenceOfProducts(-1e200, 1e200, 3, 1e-300)).toBe(-Infinity);
  expect(differenceOfProducts(1e305, 0, 0, 5)).toBe(0);
});

test('[R11.2.3] the discriminant of 3.456, 1.727, 1.729 is 4e-6', () => {
  near(differenceOfProducts(3.456, 3.456, 4 * 1.727, 1.729), 4e-6, 4e-6 * 1e-8);
  // In single precision the plain form keeps one digit, ours all that the rounded inputs have.
  const f = Math.fround;
  const plain = f(f(f(3.456) * f(3.456)) - f(f(4 * f(1.727)) * f(1.729)));
  expect(Math.abs(plain - 4e-6)).toBeGreaterThan(5e-7);
});

test('[R11.2.3] a sum depends on the order, a compensated one does not', () => {
  const f = Math.fround;
  const [a, b, c] = [f(9876543), f(-9876547), f(3.45)];
  near(f(f(a + b) + c), -0.55, 1e-6);
  expect(f(a + f(b + c))).toBe(-1);
  expect(compensatedSum([1, 1e100, 1, -1e100])).toBe(2);
  expect(compensatedSum([1e100, 1, -1e100, 1])).toBe(2);
  expect(compensatedSum([])).toBe(0);
  expect(compensatedSum([Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE])).toBe(Number.MAX_VALUE);
  expect(() => compensatedSum([1, Number.NaN])).toThrow('values[1]');
});

property('[R11.2.3] a compensated sum is the exact one, but for u² of the sizes', 10_000, (rng) => {
  const list = Array.from({ length: rng.int(1, 12) }, () => number(rng, 60));
  for (let i = rng.int(0, list.length); i > 0; i--) list.push(-rng.pick(list));
  const wanted = list.map((x) => q(x)).reduce(exact.add);
  const sizes = list.reduce((s, x) => s + Math.abs(x), 0);
  const error = Math.abs(exact.toNumber(exact.sub(q(compensatedSum(list)), wanted)));
  // Ogita, Rump, Oishi 2005, Proposition 4.5: u |s| + (n u)² Σ|x|.
  const bound = EPS64 * Math.abs(exact.toNumber(wanted)) + (list.length * EPS64) ** 2 * sizes;
  check(error <= bound, () => `${error} > ${bound} for ${list}`);
});

property('[R11.2.3] √(x + dx) - √x is right to four ulps', 10_000, (rng) => {
  const x = rng.chance(0.1) ? 0 : Math.abs(number(rng, 100));
  const dx = rng.pick([rng.range(-1, 1) * x, x * 2 ** -rng.int(0, 80), Math.abs(number(rng, 100)), 0]);
  const found = sqrtIncrement(x, dx);
  if (dx === 0) return check(found === 0, 'no step');
  // s = found solves √x + s = √(x + dx), so s² + 2 √x s = dx; rising in s, it brackets s between two candidates.
  // With y = dx - s² that is 4 x s² against y² (for y and s of one sign), free of roots.
  const side = (s: number): number => {
    const y = exact.sub(q(dx), exact.mul(q(s), q(s)));
    const left = exact.mul(exact.mul(q(4), q(x)), exact.mul(q(s), q(s)));
    const order = exact.cmp(left, exact.mul(y, y));
    // For s > 0 and y <= 0 the left side, 2 √x s, is beyond y; for s < 0, y < 0 the squares order the other way.
    if (s >= 0) return exact.sign(y) < 0 ? 1 : order;
    return -order;
  };
  const slack = 4 * ulp(found);
  check(side(found - slack) <= 0 && side(found + slack) >= 0, () => `√(${x} + ${dx}) - √${x} = ${found}`);
});

test('[R11.2.3] √(x + 1) - √x at 1e17, where the plain form gives 0', () => {
  expect(Math.sqrt(1e17 + 1) - Math.sqrt(1e17)).toBe(0);
  near(sqrtIncrement(1e17, 1), 0.5 / Math.sqrt(1e17), 1e-24);
  near(sqrtIncrement(1e308, 1e308), (Math.SQRT2 - 1) * 1e154, 1e139);
  expect(sqrtIncrement(4, -4)).toBe(-2);
  expect(() => sqrtIncrement(-1, 2)).toThrow('x must not be negative');
  expect(() => sqrtIncrement(1, -2)).toThrow('dx');
  expect(() => sqrtIncrement(1, Number.NaN)).toThrow('dx');
});

property('[R11.2.3] 1 - cos x is right to four ulps for small x', 10_000, (rng) => {
  const x = rng.sign() * rng.range(1, 2) * 2 ** rng.int(-200, -7);
  // x²/2 - x⁴/24 + …: for |x| < 1/64 five terms are good to 2^-68.
  let term = exact.div(exact.mul(q(x), q(x)), q(2));
  let wanted = term;
  for (let n = 2; n < 6; n++) {
    term = exact.div(exact.mul(term, exact.neg(exact.mul(q(x), q(x)))), q((2 * n - 1) * (2 * n)));
    wanted = exact.add(wanted, term);
  }
  const found = oneMinusCos(x);
  check(ulpsOff(found, wanted) <= 4, () => `${x}: ${ulpsOff(found, wanted)} ulps off`);
});

test('[R11.2.3] 1 - cos x elsewhere', () => {
  expect(1 - Math.cos(1e-8)).toBe(0);
  near(oneMinusCos(1e-8), 5e-17, 1e-32);
  for (let i = -50; i <= 50; i++) near(oneMinusCos(i / 5), 1 - Math.cos(i / 5), 4e-16);
  expect(() => oneMinusCos(Infinity)).toThrow('x');
});

property('[R11.2.3] only reciprocals of powers of two may replace a division', 10_000, (rng) => {
  const x = number(rng, 100);
  const n = rng.int(-100, 100);
  check(x / 2 ** n === x * 2 ** -n, 'a power of two');
});

test('[R11.2.3] … while x * (1 / 10) is not always x / 10', () => {
  let differ = 0;
  for (let i = 1; i < 1000; i++) if (i / 10 !== i * (1 / 10)) differ++;
  expect(differ).toBeGreaterThan(50);
});

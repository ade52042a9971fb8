import { expect, test } from 'vitest';
import { check, exact, property, type Rng } from '../../tests/kit/index.ts';
import { nextDown, nextUp, ulp } from './float.ts';
import { makeRoots, solveLinear, solveQuadratic } from './roots.ts';

const { q } = exact;
const ULPS = 4;

/** sign of a t² + 2 b t + c, exactly. */
const valueSign = (a: number, b: number, c: number, t: exact.Q): number =>
  exact.sign(exact.add(exact.mul(exact.add(exact.mul(q(a), t), q(2 * b)), t), q(c)));

/** Is the larger (side 1) or smaller (side -1) root at most x? Exact, though the root is irrational. */
function rootAtMost(a: number, b: number, c: number, x: number, side: number): boolean {
  const vertexSide = exact.cmp(q(x), exact.div(exact.neg(q(b)), q(a))); // x against -b/a, which halves the roots
  const inside = valueSign(a, b, c, q(x)) * Math.sign(a) <= 0; // between the roots, or on one
  const onRoot = valueSign(a, b, c, q(x)) === 0;
  if (side > 0) return vertexSide >= 0 && (!inside || onRoot);
  return vertexSide >= 0 || inside;
}

const rootAtLeast = (a: number, b: number, c: number, x: number, side: number): boolean =>
  rootAtMost(a, -b, c, -x, -side);

function steps(x: number, n: number): number {
  let y = x;
  for (let i = 0; i < Math.abs(n); i++) y = n > 0 ? nextUp(y) : nextDown(y);
  return y;
}

/** The roots are bracketed, their number is that of the exact discriminant. */
function checkQuadratic(a: number, b: number, c: number): void {
  const roots = solveQuadratic(a, b, c, makeRoots());
  const d = exact.sign(exact.sub(exact.mul(q(b), q(b)), exact.mul(q(a), q(c))));
  const label = (): string => `${a} t² + 2 (${b}) t + ${c}: ${JSON.stringify(roots)}`;
  const count = a !== 0 ? (d < 0 ? 0 : 2) : b !== 0 ? 1 : c === 0 ? -1 : 0;
  check(roots.count === count, label);
  if (count !== 2) return;
  check((roots.t0 === roots.t1) === (d === 0) || roots.t1 - roots.t0 <= 2 * ulp(roots.t0), label);
  check(roots.t0 <= roots.t1, label);
  for (const [t, side] of [
    [roots.t0, -1],
    [roots.t1, 1],
  ] as const) {
    if (Number.isFinite(t)) {
      const low = steps(t, -ULPS);
      const high = steps(t, ULPS);
      check(low === -Infinity || rootAtLeast(a, b, c, low, side), () => `${label()}: root below ${low}`);
      check(high === Infinity || rootAtMost(a, b, c, high, side), () => `${label()}: root above ${high}`);
    } else {
      const largest = Math.sign(t) * Number.MAX_VALUE;
      const beyond = t > 0 ? rootAtLeast(a, b, c, largest, side) : rootAtMost(a, b, c, largest, side);
      check(beyond, () => `${label()}: infinite although it is not`);
    }
  }
}

const spread = (rng: Rng, range: number): number =>
  rng.sign() * rng.range(1, 2) * 2 ** rng.int(-range, range);

property('[R11.2.3] quadratic roots are right to four ulps', 20_000, (rng) => {
  const range = rng.pick([1, 20, 200]);
  checkQuadratic(spread(rng, range), spread(rng, range), spread(rng, range));
});

property('[R11.2.3] … where the discriminant nearly or exactly vanishes', 20_000, (rng) => {
  const a = spread(rng, 10);
  const b = spread(rng, 10);
  checkQuadratic(a, b, steps((b / a) * b, rng.int(-3, 3)));
  const r = rng.int(-1000, 1000); // (t - r)², (t - r)(t - s) on integers
  const s = rng.chance(0.5) ? r : r + rng.int(-2, 2);
  const k = rng.int(1, 100) * rng.sign();
  checkQuadratic(2 * k, -k * (r + s), 2 * k * r * s);
  if (r === s) check(solveQuadratic(k, -k * r, k * r * r).t0 === r, 'a double root is exact here');
});

property('[R11.2.3] … with zero coefficients', 10_000, (rng) => {
  const pick = (): number => rng.pick([0, -0, 1, -1, spread(rng, 100), 5e-324]);
  checkQuadratic(pick(), pick(), pick());
});

property('[R11.2.3] … at the ends of the range of doubles', 10_000, (rng) => {
  checkQuadratic(spread(rng, 1020), spread(rng, 1020), spread(rng, 1020));
  const b = spread(rng, 1010);
  const a = spread(rng, 5) * b; // ac about b², which overflows or vanishes
  const c = (b / a) * b;
  if (Number.isFinite(a) && Number.isFinite(c)) checkQuadratic(a, b, steps(c, rng.int(-2, 2)));
});

test('[R11.2.3] the small root survives a large middle coefficient', () => {
  const { t0, t1 } = solveQuadratic(1, -1e8, 1);
  expect(t1).toBe(2e8);
  expect(t0).toBe(5e-9);
  expect((1e8 - Math.sqrt(1e16 - 1)) / 1).not.toBe(5e-9); // the textbook form
});

test('[R11.2.3] odd cases of the quadratic', () => {
  expect(solveQuadratic(1, 0, 0)).toEqual({ count: 2, t0: 0, t1: 0 });
  expect(solveQuadratic(0, 0, 0)).toEqual({ count: -1, t0: 0, t1: 0 });
  expect(solveQuadratic(0, 0, 1)).toEqual({ count: 0, t0: 0, t1: 0 });
  expect(solveQuadratic(0, 2, 4)).toEqual({ count: 1, t0: -1, t1: -1 });
  expect(solveQuadratic(0, 1e308, 1e308)).toEqual({ count: 1, t0: -0.5, t1: -0.5 });
  expect(solveQuadratic(0, 5e-324, 5e-324)).toEqual({ count: 1, t0: -0.5, t1: -0.5 });
  expect(solveQuadratic(2 ** -1000, 2 ** 830, 2 ** 330)).toEqual({
    count: 2,
    t0: -Infinity,
    t1: -(2 ** -501),
  });
  expect(solveQuadratic(1, 0, 4)).toEqual({ count: 0, t0: 0, t1: 0 });
  expect(solveQuadratic(1e300, 0, -1e300)).toEqual({ count: 2, t0: -1, t1: 1 });
  expect(() => solveQuadratic(Number.NaN, 1, 1)).toThrow('solveQuadratic: a');
  expect(() => solveQuadratic(1, Infinity, 1)).toThrow('solveQuadratic: b');
  expect(() => solveQuadratic(0, 1, Infinity)).toThrow('solveQuadratic: c');
});

property('[R11.2.3] linear roots are correctly rounded', 10_000, (rng) => {
  const a = spread(rng, 300);
  const b = spread(rng, 300);
  const { count, t0, t1 } = solveLinear(a, b);
  check(count === 1 && t0 === t1 && t0 === -b / a, 'the quotient');
  const half = solveQuadratic(0, a, b);
  check(half.count === 1 && half.t0 === -b / a / 2, 'the quotient, halved');
});

test('[R11.2.3] odd cases of the linear equation', () => {
  expect(solveLinear(0, 0).count).toBe(-1);
  expect(solveLinear(0, 1).count).toBe(0);
  expect(solveLinear(3, 0).t0).toBe(0);
  expect(() => solveLinear(1, Number.NaN)).toThrow('solveLinear: b');
});

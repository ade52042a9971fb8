import { describe, expect, test } from 'vitest';
import { check, exact, property, type Rng } from '../../tests/kit/index.ts';
import { nextDown, nextUp, ulp } from './float.ts';
import * as interval from './interval.ts';
import { type Interval, makeInterval } from './interval.ts';

const { q } = exact;

const number = (rng: Rng, range: number): number =>
  rng.chance(0.1)
    ? 0
    : rng.chance(0.3)
      ? rng.int(-4, 4)
      : rng.sign() * rng.range(1, 2) * 2 ** rng.int(-range, range);

function anyInterval(rng: Rng, range: number): Interval {
  const a = number(rng, range);
  const b = rng.pick([a, a === 0 ? 1 : nextUp(a), number(rng, range), -a]); // subnormal ends: see 'near the ends'
  return makeInterval(Math.min(a, b), Math.max(a, b));
}

const inside = (rng: Rng, a: Interval): number =>
  rng.pick([a.lo, a.hi, Math.min(a.hi, Math.max(a.lo, a.lo + rng.unit() * (a.hi - a.lo)))]);

const text = (a: Interval): string => `[${a.lo}, ${a.hi}]`;

/** Holds the exact value, which may exceed the doubles. */
function holds(a: Interval, value: exact.Q, what: () => string): void {
  const above = a.lo === -Infinity || exact.cmp(q(a.lo), value) <= 0;
  const below = a.hi === Infinity || exact.cmp(value, q(a.hi)) <= 0;
  check(above && below, () => `${what()} = ${text(a)} does not hold ${exact.toNumber(value)}`);
}

/** The ends are the doubles next to the extremes of the exact candidates. */
function tight(a: Interval, candidates: exact.Q[], what: () => string): void {
  const low = candidates.reduce(exact.min);
  const high = candidates.reduce(exact.max);
  check(exact.cmp(q(nextUp(a.lo)), low) > 0, () => `${what()} = ${text(a)}: the lower end could be larger`);
  check(
    exact.cmp(q(nextDown(a.hi)), high) < 0,
    () => `${what()} = ${text(a)}: the upper end could be smaller`,
  );
}

const OPERATIONS = [
  ['add', interval.add, exact.add],
  ['sub', interval.sub, exact.sub],
  ['mul', interval.mul, exact.mul],
  ['div', interval.div, exact.div],
] as const;

describe('[R11.4.1] the exact value is always inside, and the ends are as tight as doubles can be', () => {
  for (const [name, operation, exactly] of OPERATIONS)
    property(name, 10_000, (rng) => {
      const range = rng.pick([3, 60]);
      const a = anyInterval(rng, range);
      const b = anyInterval(rng, range);
      const label = (): string => `${name}(${text(a)}, ${text(b)})`;
      const found = operation(a, b);
      check(found.lo <= found.hi, label);
      const [x, y] = [inside(rng, a), inside(rng, b)];
      if (name !== 'div' || y !== 0) holds(found, exactly(q(x), q(y)), label);
      if (name !== 'div' || b.lo > 0 || b.hi < 0) {
        const ends = [a.lo, a.hi].flatMap((s) => [b.lo, b.hi].map((t) => exactly(q(s), q(t))));
        tight(found, ends, label);
      }
      const aliased = { ...a };
      check(
        operation(aliased, b, aliased) === aliased && aliased.lo === found.lo && aliased.hi === found.hi,
        'out',
      );
    });

  property('square and sqrt', 10_000, (rng) => {
    const a = anyInterval(rng, rng.pick([3, 60]));
    const x = inside(rng, a);
    const squared = interval.square(a);
    holds(squared, exact.mul(q(x), q(x)), () => `square(${text(a)})`);
    const ends = [a.lo, a.hi].map((s) => exact.mul(q(s), q(s)));
    tight(squared, a.lo <= 0 && a.hi >= 0 ? [...ends, exact.ZERO] : ends, () => `square(${text(a)})`);
    const root = interval.sqrt(a);
    // √x in [lo, hi] is x in [lo², hi²].
    const roots = makeInterval(Math.max(a.lo, 0), Math.max(a.hi, 0));
    const label = (): string => `sqrt(${text(a)}) = ${text(root)}`;
    check(exact.cmp(exact.mul(q(root.lo), q(root.lo)), q(roots.lo)) <= 0, label);
    check(exact.cmp(exact.mul(q(root.hi), q(root.hi)), q(roots.hi)) >= 0, label);
    check(exact.cmp(exact.mul(q(nextUp(root.lo)), q(nextUp(root.lo))), q(roots.lo)) > 0, label);
    if (root.hi > 0)
      check(exact.cmp(exact.mul(q(nextDown(root.hi)), q(nextDown(root.hi))), q(roots.hi)) < 0, label);
  });

  property('near the ends of the range', 10_000, (rng) => {
    const a = anyInterval(rng, 1020);
    const b = rng.chance(0.9) ? anyInterval(rng, 1020) : makeInterval(0, rng.int(1, 3) * 5e-324);
    const [x, y] = [inside(rng, a), inside(rng, b)];
    const label = (): string => `${text(a)} and ${text(b)}`;
    holds(interval.add(a, b), exact.add(q(x), q(y)), label);
    holds(interval.sub(a, b), exact.sub(q(x), q(y)), label);
    holds(interval.mul(a, b), exact.mul(q(x), q(y)), label);
    holds(interval.square(a), exact.mul(q(x), q(x)), label);
    check(interval.square(a).lo >= 0, 'a square is not negative');
    if (y !== 0) holds(interval.div(a, b), exact.div(q(x), q(y)), label);
  });
});

property('[R11.4.1] an expression holds its exact value', 10_000, (rng) => {
  const [a, b, c] = [anyInterval(rng, 20), anyInterval(rng, 20), anyInterval(rng, 20)];
  const [x, y, z] = [inside(rng, a), inside(rng, b), inside(rng, c)].map(q) as [exact.Q, exact.Q, exact.Q];
  // (x y - z)² - x z
  const found = interval.sub(interval.square(interval.sub(interval.mul(a, b), c)), interval.mul(a, c));
  const t = exact.sub(exact.mul(x, y), z);
  holds(found, exact.sub(exact.mul(t, t), exact.mul(x, z)), () => 'expression');
});

test('[R11.4.1] x (6 - x) on [1, 3], whole and in two halves', () => {
  const six = makeInterval(6);
  const f = (x: Readonly<Interval>, out: Interval): Interval =>
    interval.mul(x, interval.sub(six, x, out), out);
  const x = makeInterval(1, 3);
  for (const [pieces, lo, hi] of [
    [1, 3, 15],
    [2, 4, 12],
  ] as const) {
    const found = interval.evaluate(f, x, pieces);
    expect(Math.abs(found.lo - lo)).toBeLessThanOrEqual(2 * ulp(lo));
    expect(Math.abs(found.hi - hi)).toBeLessThanOrEqual(2 * ulp(hi));
  }
  const fine = interval.evaluate(f, x, 1000, makeInterval());
  expect(fine.lo).toBeGreaterThan(4.99); // the range is [5, 9]
  expect(fine.lo).toBeLessThanOrEqual(5);
  expect(fine.hi).toBeLessThan(9.01);
  expect(fine.hi).toBeGreaterThanOrEqual(9);
  expect(() => interval.evaluate(f, x, 0)).toThrow('pieces');
  expect(interval.evaluate(f, makeInterval(-Infinity, 1), 4)).toEqual({ lo: -Infinity, hi: Infinity });
});

property('[R11.4.1] splitting never loses a value and never widens by more than roundings', 10_000, (rng) => {
  const x = anyInterval(rng, 20);
  const f = (a: Readonly<Interval>, out: Interval): Interval =>
    interval.sub(interval.square(a, out), interval.mul(a, makeInterval(3)), out);
  const pieces = rng.int(1, 9);
  const found = interval.evaluate(f, x, pieces);
  const at = q(inside(rng, x));
  holds(found, exact.sub(exact.mul(at, at), exact.mul(q(3), at)), () => `${pieces} pieces of ${text(x)}`);
  const whole = interval.evaluate(f, x);
  check(found.lo >= whole.lo && found.hi <= whole.hi, () => `${text(found)} within ${text(whole)}`);
});

test('[R11.4.1] rewriting so that a variable occurs once is tight', () => {
  const one = makeInterval(1);
  const x = makeInterval(3, 3.1);
  const twice = interval.div(x, interval.sub(x, one));
  const once = interval.add(one, interval.div(one, interval.sub(x, one)));
  expect(twice.hi - twice.lo).toBeGreaterThan(0.12);
  expect(once.lo).toBeCloseTo(3.1 / 2.1, 14);
  expect(once.hi).toBe(1.5);
  // x y / (x + y) is 1 / (1/x + 1/y), with a plus.
  const y = makeInterval(2, 4);
  const h = interval.div(one, interval.add(interval.div(one, x), interval.div(one, y)));
  expect(h.lo).toBeCloseTo(6 / 5, 14);
  expect(h.hi).toBeCloseTo((3.1 * 4) / 7.1, 14);
});

test('[R11.4.1] squares, not products: [-1, 2]² is [0, 4]', () => {
  const x = makeInterval(-1, 2);
  expect(interval.square(x)).toEqual({ lo: 0, hi: 4 });
  expect(interval.mul(x, x)).toEqual({ lo: -2, hi: 4 });
});

test('[R11.4.1] a divisor that holds 0', () => {
  const line = { lo: -Infinity, hi: Infinity };
  const div = (al: number, ah: number, bl: number, bh: number): Interval =>
    interval.div(makeInterval(al, ah), makeInterval(bl, bh));
  expect(div(1, 2, -1, 1)).toEqual(line);
  expect(div(1, 2, 0, 0)).toEqual(line);
  expect(div(-1, 1, 0, 1)).toEqual(line);
  expect(div(1, 2, 0, 4)).toEqual({ lo: 0.25, hi: Infinity });
  expect(div(-2, -1, 0, 4)).toEqual({ lo: -Infinity, hi: -0.25 });
  expect(div(1, 2, -4, 0)).toEqual({ lo: -Infinity, hi: -0.25 });
  expect(div(-2, -1, -4, 0)).toEqual({ lo: 0.25, hi: Infinity });
  expect(div(1, 2, 2, Infinity)).toEqual({ lo: 0, hi: 1 });
});

test('[R11.4.1] infinite ends', () => {
  const up = makeInterval(1, Infinity);
  expect(interval.add(up, makeInterval(2))).toEqual({ lo: 3, hi: Infinity });
  expect(interval.sub(up, up)).toEqual({ lo: -Infinity, hi: Infinity });
  expect(interval.mul(up, makeInterval(0))).toEqual({ lo: 0, hi: 0 });
  expect(interval.mul(up, makeInterval(-1, 0))).toEqual({ lo: -Infinity, hi: 0 });
  const huge = makeInterval(Number.MAX_VALUE);
  expect(interval.add(huge, huge)).toEqual({ lo: Number.MAX_VALUE, hi: Infinity });
});

test('[R11.4.1] exact results are not widened', () => {
  expect(interval.add(makeInterval(1, 2), makeInterval(3, 4))).toEqual({ lo: 4, hi: 6 });
  expect(interval.div(makeInterval(1, 2), makeInterval(4))).toEqual({ lo: 0.25, hi: 0.5 });
  expect(interval.sqrt(makeInterval(-1, 9))).toEqual({ lo: 0, hi: 3 });
  expect(interval.sqrt(makeInterval(-2, -1))).toEqual({ lo: 0, hi: 0 });
  const third = interval.div(makeInterval(1), makeInterval(3));
  expect(nextUp(third.lo)).toBe(third.hi);
});

test('[R11.4.1] small things', () => {
  expect(interval.hull(makeInterval(1, 2), makeInterval(4, 5))).toEqual({ lo: 1, hi: 5 });
  expect(interval.negate(makeInterval(1, 2))).toEqual({ lo: -2, hi: -1 });
  expect(interval.copy(makeInterval(1, 2))).toEqual({ lo: 1, hi: 2 });
  expect(interval.contains(makeInterval(1, 2), 2)).toBe(true);
  expect(interval.contains(makeInterval(1, 2), Number.NaN)).toBe(false);
});

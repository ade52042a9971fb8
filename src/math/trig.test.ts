import { expect, test } from 'vitest';
import { Rng } from '../../tests/kit/index.ts';
import { acos, asin, atan, atan2, cos, sin, sincos, tan } from './trig.ts';

// ---- The oracle: integers that stand for multiples of 2^-bits --------------------------------------------------

/** m 2^e with an integer m. */
function parts(x: number): { m: bigint; e: number } {
  let e = 0;
  let m = x;
  for (; Math.abs(m) >= 2 ** 54; e++) m /= 2;
  for (; !Number.isInteger(m); e--) m *= 2;
  return { m: BigInt(m), e };
}

const shift = (m: bigint, by: number): bigint => (by >= 0 ? m << BigInt(by) : m >> BigInt(-by));
const fixed = (x: number, bits: number): bigint => {
  const { m, e } = parts(x);
  return shift(m, e + bits);
};

/** The size of the last place of x. */
function ulp(x: number): number {
  const exponent = Math.floor(Math.log2(Math.max(Math.abs(x), 2 ** -1022)));
  const low = 2 ** exponent > Math.abs(x) && exponent > -1022 ? exponent - 1 : exponent;
  return 2 ** (low - 52);
}

/** v 2^-bits as a double; a relative error of 2^-50 does not matter where it is used. */
function toNumber(v: bigint, bits: number): number {
  const size = v < 0n ? -v : v;
  const excess = size.toString(16).length * 4 - 60;
  const short = Number(excess > 0 ? v >> BigInt(excess) : v);
  const e = Math.max(excess, 0) - bits;
  const half = Math.trunc(e / 2);
  return short * 2 ** half * 2 ** (e - half);
}

const PI_BITS = 1400;
const PI = ((): bigint => {
  const one = 1n << BigInt(PI_BITS + 20);
  const arcCot = (n: bigint): bigint => {
    let power = one / n;
    let sum = power;
    for (let k = 3n, s = -1n; power !== 0n; k += 2n, s = -s) {
      power /= n * n;
      sum += (s * power) / k;
    }
    return sum;
  };
  return (4n * (4n * arcCot(5n) - arcCot(239n))) >> 20n; // Machin
})();

interface Trig {
  sin: bigint;
  cos: bigint;
  bits: number;
}

/** Taylor's series for an angle v 2^-bits of moderate size. */
function taylor(v: bigint, bits: number): Trig {
  const shiftBy = BigInt(bits);
  let term = 1n << shiftBy;
  const sums = [term, 0n];
  for (let k = 1; term !== 0n && term !== -1n; k++) {
    term = ((term * v) >> shiftBy) / BigInt(k);
    const at = k & 1;
    sums[at] = (sums[at] as bigint) + ((k & 2) === 0 ? term : -term);
  }
  return { sin: sums[1] as bigint, cos: sums[0] as bigint, bits };
}

/** Sine and cosine of any double, with at least 100 good bits each. */
function oracle(x: number): Trig {
  if (Math.abs(x) < 1) {
    const bits = 130 - Math.floor(Math.log2(Math.abs(x)));
    return taylor(fixed(x, bits), bits);
  }
  // No double comes nearer than 2^-62 to a multiple of π/2: 192 bits leave 130.
  const bits = Math.abs(x) < 1e6 ? 250 : PI_BITS - 8;
  const half = shift(PI, bits - PI_BITS - 1);
  const angle = fixed(x, bits);
  let n = angle / half;
  let rest = angle - n * half;
  if (2n * rest > half) {
    n += 1n;
    rest -= half;
  } else if (-2n * rest > half) {
    n -= 1n;
    rest += half;
  }
  const { sin: s, cos: c } = taylor(shift(rest, 192 - bits), 192);
  switch (Number(((n % 4n) + 4n) % 4n)) {
    case 0:
      return { sin: s, cos: c, bits: 192 };
    case 1:
      return { sin: c, cos: -s, bits: 192 };
    case 2:
      return { sin: -s, cos: -c, bits: 192 };
    default:
      return { sin: -c, cos: s, bits: 192 };
  }
}

/** How many ulps lie between `actual` and v 2^-bits. */
const error = (actual: number, v: bigint, bits: number): number =>
  Math.abs(toNumber(v - fixed(actual, bits), bits)) / ulp(actual);

/**
 * By how many ulps r misses the angle of (x, y): the tangent of that error is
 * (y cos r - x sin r) / (x cos r + y sin r), and x, y may be rationals with a common factor taken out.
 */
function angleError(r: number, y: bigint, x: bigint): number {
  const t = oracle(r);
  const across = y * t.cos - x * t.sin;
  const along = x * t.cos + y * t.sin;
  return Math.abs(toNumber((across << 1400n) / along, 1400)) / ulp(r);
}

/** Two doubles as integers in the ratio of the doubles. */
function integers(y: number, x: number): [bigint, bigint] {
  const a = parts(y);
  const b = parts(x);
  const e = Math.min(a.e, b.e);
  return [shift(a.m, a.e - e), shift(b.m, b.e - e)];
}

/** √n, rounded down. */
function root(n: bigint): bigint {
  let r = 1n << BigInt((n.toString(2).length >> 1) + 1);
  for (;;) {
    const next = (r + n / r) >> 1n;
    if (next >= r) return r;
    r = next;
  }
}

/** Every kind of argument: moderate, spread over all exponents, multiples of π/4 and their neighbours, integers. */
function argument(rng: Rng): number {
  switch (rng.int(0, 7)) {
    case 0:
      return rng.range(-1, 1);
    case 1:
    case 2:
      return rng.range(-10, 10);
    case 3:
      return rng.sign() * rng.range(1, 2) * 2 ** rng.int(-40, 60);
    case 4: {
      const multiple = rng.int(-1e6, 1e6) * (Math.PI / 4);
      return multiple + rng.int(-3, 3) * ulp(multiple);
    }
    case 5:
      return rng.int(-16, 16) * (Math.PI / 8) + rng.int(-2, 2) * 2 ** -50;
    case 6:
      return rng.int(-1e9, 1e9);
    default:
      return rng.range(-1.7e6, 1.7e6);
  }
}

// ---- Accuracy ---------------------------------------------------------------------------------------------------

/** What the functions promise, in ulps; half an ulp is the best that rounding allows. */
const PROMISE = 1;

/** The worst error of `count` cases; a NaN counts as infinite. */
function worst(count: number, seed: number, errorOf: (rng: Rng) => number): number {
  const rng = new Rng(seed);
  let most = 0;
  for (let i = 0; i < count; i++) {
    const e = errorOf(rng);
    if (!(e <= most)) most = Number.isNaN(e) ? Infinity : e;
  }
  return most;
}

/** The largest of the errors of sine, cosine and tangent at x, which must not be 0. */
function errorAt(x: number): number {
  const t = oracle(x);
  const both = sincos(x);
  if (!Object.is(both.sin, sin(x)) || !Object.is(both.cos, cos(x))) return Infinity;
  return Math.max(
    error(both.sin, t.sin, t.bits),
    error(both.cos, t.cos, t.bits),
    error(tan(x), (t.sin << 1400n) / t.cos, 1400),
  );
}

test('sine, cosine and tangent of ordinary angles and of multiples of π/4 are right to an ulp', () => {
  expect(worst(100_000, 1, (rng) => errorAt(argument(rng) || 1))).toBeLessThanOrEqual(PROMISE);
});

test('so are those of doubles from 1e-300 to the largest', () => {
  const any = (rng: Rng): number => rng.sign() * rng.range(1, 2) * 2 ** rng.int(-1000, 1023);
  expect(worst(10_000, 2, (rng) => errorAt(any(rng)))).toBeLessThanOrEqual(PROMISE);
});

test('and those of the doubles that come nearest to multiples of π/2', () => {
  // 6381956970095103 2^797 is within 2^-61 of one (Kahan); the others are the convergents' best of smaller size.
  const near = [
    6381956970095103 * 2 ** 797,
    Math.PI,
    Math.PI / 2,
    1.5 * Math.PI,
    5.319372648326541e255,
    1e22,
    2 ** 52,
  ];
  for (const x of near) {
    expect(errorAt(x), `x = ${x}`).toBeLessThanOrEqual(PROMISE);
    expect(errorAt(-x), `x = ${-x}`).toBeLessThanOrEqual(PROMISE);
  }
  expect(Math.abs(cos(6381956970095103 * 2 ** 797))).toBeLessThan(1e-18);
});

test('arc tangents of one and of two arguments are right to an ulp', () => {
  const part = (rng: Rng): number => {
    switch (rng.int(0, 3)) {
      case 0:
        return rng.sign() * rng.range(1, 2) * 2 ** rng.int(-30, 30);
      case 1:
        return rng.int(1, 32) / 16 + rng.int(-3, 3) * 2 ** -52; // where the intervals of the method meet
      default:
        return rng.range(-1, 1) || 1;
    }
  };
  const errorOf = (rng: Rng): number => {
    const y = part(rng);
    const x = part(rng);
    return Math.max(angleError(atan2(y, x), ...integers(y, x)), angleError(atan(y), ...integers(y, 1)));
  };
  expect(worst(100_000, 3, errorOf)).toBeLessThanOrEqual(PROMISE);
});

test('arc tangents of very large and very small numbers are right to an ulp', () => {
  const any = (rng: Rng): number => rng.sign() * rng.range(1, 2) * 2 ** rng.int(-1074, 1023);
  const errorOf = (rng: Rng): number => {
    const y = any(rng);
    const x = rng.chance(0.5) ? any(rng) : y * rng.range(-4, 4) || 1;
    const r = atan2(y, x);
    // A quotient that is too small for a double has no ulps to speak of.
    if (Math.abs(y / x) < 2 ** -1020 && x > 0) return Math.abs(r - y / x) / 2 ** -1074;
    return Math.max(angleError(r, ...integers(y, x)), angleError(atan(y), ...integers(y, 1)));
  };
  expect(worst(5_000, 4, errorOf)).toBeLessThanOrEqual(PROMISE);
});

test('arc sines and cosines are right to an ulp', () => {
  const errorOf = (rng: Rng): number => {
    const x = rng.pick([
      rng.range(-1, 1),
      rng.sign() * 2 ** -rng.range(0, 30),
      rng.sign() * (1 - 2 ** -rng.range(1, 53)),
      rng.sign() * Math.SQRT1_2 + rng.int(-3, 3) * 2 ** -53,
    ]);
    if (Math.abs(x) === 1) return 0;
    const unit = 1n << 500n;
    const X = fixed(x, 500);
    const leg = root(unit * unit - X * X);
    return Math.max(angleError(asin(x), X, leg), angleError(acos(x), leg, X));
  };
  expect(worst(100_000, 5, errorOf)).toBeLessThanOrEqual(PROMISE);
});

// ---- Odd cases --------------------------------------------------------------------------------------------------

const ODD = [0, -0, 1, -1, Infinity, -Infinity, Number.NaN, 5e-324, -5e-324, 1e-310, 2, -2, 1e308, -1e308];

test('signed zeros, NaN and infinities come out as from Math', () => {
  for (const x of ODD) {
    // Math.sin and Math.cos are right at these arguments in V8; elsewhere the oracle judges.
    expect(sin(x)).toBe(Math.sin(x));
    expect(cos(x)).toBe(Math.cos(x));
    expect(tan(x)).toBe(Math.tan(x));
    expect(atan(x)).toBe(Math.atan(x));
    expect(asin(x)).toBe(Math.asin(x));
    expect(acos(x)).toBe(Math.acos(x));
    for (const y of ODD) expect(atan2(y, x), `atan2(${y}, ${x})`).toBe(Math.atan2(y, x));
  }
});

test('symmetry holds to the bit', () => {
  const rng = new Rng(6);
  for (let i = 0; i < 10_000; i++) {
    const x = argument(rng);
    const t = rng.range(-1, 1);
    const ok =
      sin(-x) === -sin(x) &&
      cos(-x) === cos(x) &&
      tan(-x) === -tan(x) &&
      asin(-t) === -asin(t) &&
      atan(-x) === -atan(x);
    if (!ok) expect.fail(`x = ${x}, t = ${t}`);
  }
});

test('the bits are pinned: they must not change from one engine or release to the next', () => {
  const rng = new Rng(7);
  const view = new DataView(new ArrayBuffer(8));
  let hash = 0;
  for (let i = 0; i < 20_000; i++) {
    // Made without any function whose bits an engine may choose.
    const t = rng.range(-1, 1);
    const x = t * rng.pick([1, 10, 1e6, 1e12, 1e100]);
    for (const value of [sin(x), cos(x), tan(x), atan(x), atan2(t, x), asin(t), acos(t)]) {
      view.setFloat64(0, value);
      hash = (Math.imul(hash, 31) + (view.getInt32(0) ^ view.getInt32(4))) | 0;
    }
  }
  expect(hash).toBe(115252081);
});

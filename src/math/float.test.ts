import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import {
  EPS32,
  EPS64,
  exponent,
  fromSortKeyF32,
  fromSortKeyF64,
  makeWord64,
  nextDown,
  nextDownF32,
  nextUp,
  nextUpF32,
  roundDownF32,
  roundUpF32,
  scalb,
  sortKeyF32,
  sortKeyF64,
  ulp,
} from './float.ts';

const view = new DataView(new ArrayBuffer(8));

/** Oracle: the neighbour by stepping through the bits, as one 64-bit integer. */
function neighbourByBits(x: number): number {
  if (x === Infinity) return x;
  if (x === 0) return 5e-324;
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + (x > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

function neighbourByBitsF32(x: number): number {
  if (x === Infinity) return x;
  if (x === 0) return 2 ** -149;
  view.setFloat32(0, x);
  view.setInt32(0, view.getInt32(0) + (x > 0 ? 1 : -1));
  return view.getFloat32(0);
}

/** Any double, all exponents alike; often a power of two or next to one. */
function anyDouble(rng: Rng): number {
  view.setUint32(0, rng.bits());
  view.setUint32(4, rng.chance(0.3) ? rng.pick([0, 1, 0xffffffff]) : rng.bits());
  if (rng.chance(0.3)) view.setUint32(0, view.getUint32(0) & 0xfff00000);
  if (rng.chance(0.1)) view.setUint32(0, view.getUint32(0) & 0x801fffff); // about the subnormals
  const x = view.getFloat64(0);
  return Number.isNaN(x) ? rng.pick([0, -0, Infinity, -Infinity]) : x;
}

function anyFloat(rng: Rng): number {
  let word = rng.bits();
  if (rng.chance(0.3)) word &= 0xff800000;
  if (rng.chance(0.2)) word |= 0x007fffff;
  if (rng.chance(0.1)) word &= 0x80ffffff;
  view.setInt32(0, word);
  const x = view.getFloat32(0);
  return Number.isNaN(x) ? rng.pick([0, -0, Infinity, -Infinity]) : x;
}

const SPECIAL = [
  -Infinity,
  -Number.MAX_VALUE,
  -1,
  -(2 ** -1021),
  -(2 ** -1022),
  -5e-324,
  -0,
  0,
  5e-324,
  2 ** -1022 - 5e-324,
  2 ** -1022,
  2 ** -1021,
  1e-290,
  1 - 2 ** -53,
  1,
  1 + 2 ** -52,
  Number.MAX_VALUE,
  Infinity,
];

test('[R11.2.1] machine epsilons are the gaps after 1', () => {
  expect(EPS32).toBe(2 ** -23);
  expect(EPS64).toBe(Number.EPSILON);
  expect(nextUp(1) - 1).toBe(EPS64);
  expect(nextUpF32(1) - 1).toBe(EPS32);
});

test('[R11.2.1] neighbours of the special values', () => {
  for (const x of SPECIAL) {
    expect(nextUp(x), `nextUp(${x})`).toBe(x === -Infinity ? -Number.MAX_VALUE : neighbourByBits(x) + 0);
    expect(nextDown(x), `nextDown(${x})`).toBe(-nextUp(-x));
  }
  expect(nextUp(Number.NaN)).toBeNaN();
  expect(nextUpF32(Number.NaN)).toBeNaN();
  expect(nextUpF32(-Infinity)).toBe(-((2 - 2 ** -23) * 2 ** 127));
  expect(nextUpF32((2 - 2 ** -23) * 2 ** 127)).toBe(Infinity);
});

property('[R11.2.1] nextUp and nextDown step to the neighbouring bit pattern', 50_000, (rng) => {
  const x = anyDouble(rng);
  const up = nextUp(x);
  if (x !== -Infinity) check(up === neighbourByBits(x), () => `nextUp(${x}) = ${up}`);
  check(nextDown(up) === (x === Infinity ? Number.MAX_VALUE : x), () => `nextDown(nextUp(${x}))`);
});

property('[R11.2.1] single-precision neighbours step to the neighbouring bit pattern', 50_000, (rng) => {
  const x = anyFloat(rng);
  const up = nextUpF32(x);
  if (x !== -Infinity) check(up === neighbourByBitsF32(x), () => `nextUpF32(${x}) = ${up}`);
  if (x !== Infinity) check(nextDownF32(up) === x, () => `nextDownF32(nextUpF32(${x}))`);
});

property('[R11.2.1] ulp is the gap to the neighbour away from zero', 20_000, (rng) => {
  const x = anyDouble(rng);
  const size = Math.abs(x);
  const wanted =
    size === Infinity
      ? size
      : size === Number.MAX_VALUE
        ? size - nextDown(size)
        : neighbourByBits(size) - size;
  check(ulp(x) === wanted, () => `ulp(${x}) = ${ulp(x)}, not ${wanted}`);
});

property('[R11.2.1] outward rounding to single precision is tight', 50_000, (rng) => {
  const x = rng.chance(0.5) ? anyDouble(rng) : anyFloat(rng) * (1 + rng.int(-2, 2) * 2 ** -40);
  if (Number.isNaN(x)) return;
  const up = roundUpF32(x);
  const down = roundDownF32(x);
  check(up >= x && down <= x, () => `${down} <= ${x} <= ${up}`);
  check(Math.fround(up) === up && Math.fround(down) === down, 'single precision');
  const exact = Math.fround(x) === x;
  check(exact ? up === down : nextUpF32(down) === up, () => `${x} lies between neighbours ${down}, ${up}`);
});

const order = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

property('[R11.2.1] single-precision keys sort as the numbers do', 20_000, (rng) => {
  const a = anyFloat(rng);
  const b = rng.pick([anyFloat(rng), nextUpF32(a), -a, a]);
  check(
    order(a, b) === order(sortKeyF32(a), sortKeyF32(b)),
    () => `${a} and ${b}: ${sortKeyF32(a)} and ${sortKeyF32(b)}`,
  );
  check(fromSortKeyF32(sortKeyF32(a)) === a, () => `round trip of ${a}`);
});

property('[R11.2.1] double keys sort as the numbers do', 20_000, (rng) => {
  const a = anyDouble(rng);
  const b = rng.pick([anyDouble(rng), nextUp(a), -a, a]);
  const ka = sortKeyF64(a);
  const kb = sortKeyF64(b, makeWord64());
  check(order(a, b) === (order(ka.high, kb.high) || order(ka.low, kb.low)), () => `${a} and ${b}`);
  check(fromSortKeyF64(ka) === a, () => `round trip of ${a}`);
});

test('[R11.2.1] sorting by key is sorting by number, zeros, infinities and subnormals included', () => {
  const shuffled = [3, -0, 5e-324, -Infinity, 0, -5e-324, Infinity, -2, 1e-310, -1e-310, 2 ** -1022, 1e300];
  const byNumber = [...shuffled].sort((a, b) => a - b || 0);
  const byKey = [...shuffled].sort((a, b) => {
    const ka = sortKeyF64(a);
    const kb = sortKeyF64(b);
    return ka.high - kb.high || ka.low - kb.low;
  });
  expect(byKey).toEqual(byNumber); // stable sorts: -0 and 0 keep their order, having one key
  const singles = shuffled.map(Math.fround);
  expect([...singles].sort((a, b) => sortKeyF32(a) - sortKeyF32(b))).toEqual(
    [...singles].sort((a, b) => (a === b ? 0 : a - b)),
  );
  expect(sortKeyF32(Number.NaN)).toBeGreaterThan(sortKeyF32(Infinity));
  expect(sortKeyF64(Number.NaN).high).toBeGreaterThan(sortKeyF64(Infinity).high);
});

property('[R11.2.1] scalb and exponent agree with exact powers of two', 20_000, (rng) => {
  const x = anyDouble(rng);
  if (!Number.isFinite(x) || x === 0) return;
  const e = exponent(x);
  const lead = scalb(x, -e);
  check(Math.abs(lead) >= 1 && Math.abs(lead) < 2, () => `exponent(${x}) = ${e}`);
  check(scalb(lead, e) === x, () => `scalb undoes itself on ${x}`);
});

test('[R11.2.1] scalb rounds once where the result is subnormal', () => {
  // A bit more than half of 2^-1074 must go up. Taken down by way of the subnormals it would lose that bit, tie, and
  // go down to 0.
  expect(scalb(0.25 + 2 ** -54, -1073)).toBe(5e-324);
  expect(scalb(1.5 - 2 ** -52, -1074)).toBe(5e-324);
  expect(scalb(1.5, -1074)).toBe(1e-323);
  expect(scalb(1 + 2 ** -52, -1075)).toBe(5e-324);
  expect(scalb(1, -1075)).toBe(0);
  expect(scalb(5e-324, 2097)).toBe(2 ** 1023);
  expect(scalb(1, 5000)).toBe(Infinity);
  expect(scalb(-1, -5000)).toBe(-0);
  expect(scalb(Number.MAX_VALUE, -2097)).toBe(2 ** -1073);
  expect([exponent(0), exponent(Infinity), exponent(5e-324), exponent(-1)]).toEqual([
    -Infinity,
    Infinity,
    -1074,
    0,
  ]);
});

import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../../tests/kit/index.ts';
import type { Word64 } from '../../math/float.ts';
import { orient2d } from '../../math/predicates.ts';
import type { Vec2 } from '../../math/types.ts';
import { vec2 } from '../../math/types.ts';
import {
  add64,
  addInt32,
  addInt53,
  mulInt32,
  mulInt32Wide,
  mulInt53,
  mulUint32,
  subInt32,
  subInt53,
} from './integer.ts';

const MIN = -(2 ** 31);
const MAX = 2 ** 31 - 1;
const SAFE = Number.MAX_SAFE_INTEGER;

const int32 = (rng: Rng): number =>
  rng.chance(0.3)
    ? rng.pick([MIN, MIN + 1, -65536, -1, 0, 1, 46340, 46341, 65535, MAX - 1, MAX])
    : rng.bits() | 0;
const int53 = (rng: Rng): number => {
  const special = [-SAFE, -SAFE + 1, -(2 ** 52), -94906266, -1, 0, 1, 94906265, 94906266, 2 ** 52, SAFE];
  return rng.chance(0.3) ? rng.pick(special) : rng.sign() * Math.floor(rng.unit() * 2 ** rng.int(1, 53));
};
const bigOf = ({ high, low }: Word64): bigint => (BigInt(high) << 32n) | BigInt(low);
const within = (x: bigint, low: number, high: number): number | null =>
  x >= BigInt(low) && x <= BigInt(high) ? Number(x) : null;

property('[R11.5.1] 32-bit sums, differences and products are exact or null', 20_000, (rng) => {
  const [a, b] = [int32(rng), int32(rng)];
  const [x, y] = [BigInt(a), BigInt(b)];
  check(Object.is(addInt32(a, b), within(x + y, MIN, MAX)), () => `${a} + ${b}`);
  check(Object.is(subInt32(a, b), within(x - y, MIN, MAX)), () => `${a} - ${b}`);
  check(Object.is(mulInt32(a, b), within(x * y, MIN, MAX)), () => `${a} * ${b}`);
});

property('[R11.5.1] 53-bit sums, differences and products are exact or null', 20_000, (rng) => {
  const a = int53(rng);
  // Often a product about the limit.
  const b = rng.chance(0.3) && a !== 0 ? Math.trunc(SAFE / a) + rng.int(-1, 1) : int53(rng);
  if (!Number.isSafeInteger(b)) return;
  const [x, y] = [BigInt(a), BigInt(b)];
  check(Object.is(addInt53(a, b), within(x + y, -SAFE, SAFE)), () => `${a} + ${b}`);
  check(Object.is(subInt53(a, b), within(x - y, -SAFE, SAFE)), () => `${a} - ${b}`);
  check(Object.is(mulInt53(a, b), within(x * y, -SAFE, SAFE)), () => `${a} * ${b}`);
});

property('[R11.5.1] 64-bit sums from halves, 32 × 32 → 64 products, signed and unsigned', 20_000, (rng) => {
  const [a, b] = [int32(rng), int32(rng)];
  const [c, d] = [a >>> 0, b >>> 0];
  check(bigOf(mulUint32(c, d)) === BigInt(c) * BigInt(d), () => `${c} * ${d}`);
  check(BigInt.asIntN(64, bigOf(mulInt32Wide(a, b))) === BigInt(a) * BigInt(b), () => `${a} * ${b}`);
  const [p, q] = [
    { high: c, low: int32(rng) >>> 0 },
    { high: int32(rng) >>> 0, low: d },
  ];
  const wanted = BigInt.asUintN(64, bigOf(p) + bigOf(q));
  check(bigOf(add64(p, q)) === wanted, () => `${bigOf(p)} + ${bigOf(q)}`);
  check(bigOf(add64(p, q, p)) === wanted && bigOf(p) === wanted, 'out may be an operand');
});

test('[R11.5.1] the ends of the range', () => {
  expect(addInt32(MAX, 1)).toBeNull();
  expect(addInt32(MIN, -1)).toBeNull();
  expect(subInt32(0, MIN)).toBeNull();
  expect(subInt32(-1, MIN)).toBe(MAX);
  expect(mulInt32(MIN, -1)).toBeNull();
  expect(mulInt32(MIN, 1)).toBe(MIN);
  expect(mulInt32(-65536, 32768)).toBe(MIN);
  expect(mulInt53(94906266, 94906266)).toBeNull();
  expect(mulInt32Wide(MIN, MIN)).toEqual({ high: 0x40000000, low: 0 });
  expect(mulInt32Wide(MIN, MAX)).toEqual({ high: 0xc0000000, low: 0x80000000 });
  expect(mulUint32(0xffffffff, 0xffffffff)).toEqual({ high: 0xfffffffe, low: 1 });
  const ones = { high: 0xffffffff, low: 0xffffffff };
  expect(add64(ones, { high: 0, low: 1 })).toEqual({ high: 0, low: 0 });
});

test('[R11.5.1] bit budgets: 26-bit products and 25-bit dot products are exact, one bit more is not', () => {
  const product = (n: number): boolean => {
    const x = 2 ** n - 1;
    return BigInt(x * x) === BigInt(x) ** 2n;
  };
  expect(product(26)).toBe(true);
  expect(product(27)).toBe(false);
  const dot = (n: number): boolean => {
    const x = 2 ** n - 1;
    return BigInt(x * x + x * x + x * x) === 3n * BigInt(x) ** 2n;
  };
  expect(dot(25)).toBe(true);
  expect(dot(27)).toBe(false);
});

property('[R11.5.1] boxes first, then differences: point in triangle with few bits', 10_000, (rng) => {
  // Coordinates of 50 bits, triangles of 20: after the box test all differences have 20 bits and a sign.
  const origin = vec2(rng.sign() * 2 ** 50 + rng.int(0, 99), 2 ** 50 - rng.int(0, 99));
  const near = (): Vec2 => vec2(origin.x + rng.int(0, 2 ** 20), origin.y + rng.int(0, 2 ** 20));
  const [a, b, c] = [near(), near(), near()];
  const p = rng.chance(0.2) ? vec2(-origin.x, origin.y) : near();
  const xs = [a.x, b.x, c.x];
  const ys = [a.y, b.y, c.y];
  const inBox =
    p.x >= Math.min(...xs) && p.x <= Math.max(...xs) && p.y >= Math.min(...ys) && p.y <= Math.max(...ys);
  const sides = [
    [a, b],
    [b, c],
    [c, a],
  ].map(([u, v]) => Math.sign(orient2d(u!, v!, p)));
  const plain = (u: Vec2, v: Vec2): number => (u.x - p.x) * (v.y - p.y) - (u.y - p.y) * (v.x - p.x);
  if (inBox) {
    const found = [plain(a, b), plain(b, c), plain(c, a)];
    check(
      found.every((x, i) => Number.isSafeInteger(x) && Math.sign(x) === sides[i]),
      'plain arithmetic will do',
    );
  } else {
    const flat = orient2d(a, b, c) === 0;
    check(flat || (sides.some((s) => s > 0) && sides.some((s) => s < 0)), 'outside the box is outside');
  }
});

test('what is no integer of the size is refused by name', () => {
  expect(() => addInt32(2 ** 31, 0)).toThrow('addInt32: a');
  expect(() => mulInt32(1, 0.5)).toThrow('mulInt32: b');
  expect(() => subInt32(Number.NaN, 0)).toThrow('subInt32: a');
  expect(() => addInt53(2 ** 53, 0)).toThrow('addInt53: a');
  expect(() => mulInt53(0, Infinity)).toThrow('mulInt53: b');
  expect(() => subInt53(0, 0.5)).toThrow('subInt53: b');
  expect(() => mulUint32(-1, 0)).toThrow('mulUint32: a');
  expect(() => mulInt32Wide(0, 2 ** 31)).toThrow('mulInt32Wide: b');
  expect(() => add64({ high: 0, low: -1 }, { high: 0, low: 0 })).toThrow('add64: a.low');
});

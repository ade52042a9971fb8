import { expect, test } from 'vitest';
import { check, exact, near, property } from '../../tests/kit/index.ts';
import {
  approximate,
  bitLength,
  quotient,
  rootQuotient,
  toInteger,
  unitOf,
  unitOfPoints,
} from './big-integers.ts';

property('doubles are integers times their unit, and quotients are rounded once', 10_000, (rng) => {
  const [a, b] = [
    rng.range(-1, 1) * 2 ** rng.int(-300, 300),
    rng.unit() * 2 ** rng.int(-300, 300) + 2 ** -310,
  ];
  const unit = Math.min(unitOf(a), unitOf(b));
  const [n, d] = [toInteger(a, unit), toInteger(b, unit)];
  const wanted = exact.toNumber(exact.div(exact.q(a), exact.q(b)));
  near(quotient(n, d), wanted, 2.3e-16 * Math.abs(wanted), 'quotient');
  check(quotient(n, 1n, unit) === a, 'back to the double');
  const root = Math.sqrt(Math.abs(a));
  near(rootQuotient(n < 0n ? -n : n, 1n) * 2 ** (unit / 2), root, 1e-15 * root, 'root');
  const bits = bitLength(n);
  check(n < 1n << BigInt(bits) && -n < 1n << BigInt(bits) && bits <= 1100, 'bit length');
  const out = new Float64Array(2);
  approximate([n, d], out);
  near(out[0]! / out[1]!, a / b, 4e-16 * Math.abs(a / b) + 1e-290, 'ratio');
});

test('zeros, subnormals, and numbers that no double can hold', () => {
  expect(toInteger(0, Infinity)).toBe(0n);
  expect(unitOfPoints([{ x: 0, y: 0, z: 0 }])).toBe(Infinity);
  expect(quotient(toInteger(5e-324, unitOf(5e-324)), 1n, unitOf(5e-324))).toBe(5e-324);
  expect(quotient(0n, 7n, -5000)).toBe(0);
  expect(rootQuotient(0n, 7n, -5000)).toBe(0);
  expect(rootQuotient(1n << 8000n, 1n << 3999n)).toBe(2);
  const out = new Float64Array(3);
  approximate([1n << 5000n, -3n << 4998n, 1n], out);
  expect(out[1]! / out[0]!).toBe(-0.75);
  expect(out[2]).toBe(0);
  approximate([0n, 0n, 0n], out);
  expect([...out]).toEqual([0, 0, 0]);
});

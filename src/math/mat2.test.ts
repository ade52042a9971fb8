import { expect, test } from 'vitest';
import { check, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import * as m2 from './mat2.ts';
import type { Mat2 } from './types.ts';
import { mat2, vec2 } from './types.ts';
import { angle, transform } from './vec2.ts';

const EPS = 2 ** -52;
/** Small integers (often singular), or anything, at some scale. */
const matrix = (rng: Rng): Mat2 => {
  const scale = rng.pick([1, 1, 1e-6, 1e6]);
  const whole = rng.chance(0.5);
  return { elements: [0, 0, 0, 0].map(() => (whole ? rng.int(-2, 2) : rng.range(-1, 1)) * scale) };
};
const largest = (m: Mat2): number => Math.max(...m.elements.map(Math.abs));

property('[R3.1.1-3] (AB)ᵀ = BᵀAᵀ, to the bit', 10_000, (rng) => {
  const [a, b] = [matrix(rng), matrix(rng)];
  const left = m2.transpose(m2.multiply(a, b));
  const right = m2.multiply(m2.transpose(b), m2.transpose(a));
  check(
    left.elements.every((x, i) => x === right.elements[i]),
    () => `${left.elements} is not ${right.elements}`,
  );
});

property('[R3.1.1-3] sums, multiples, rows and columns', 10_000, (rng) => {
  const [a, b] = [matrix(rng), matrix(rng)];
  const [p, q] = [a.elements, b.elements];
  const all = (m: Mat2, f: (i: number) => number, what: string): void =>
    check(
      m.elements.every((x, i) => x === f(i)),
      what,
    );
  all(m2.add(a, b), (i) => p[i]! + q[i]!, 'add');
  all(m2.scale(a, 3), (i) => p[i]! * 3, 'scale');
  all(m2.abs(a), (i) => Math.abs(p[i]!), 'abs');
  all(m2.copy(a), (i) => p[i]!, 'copy');
  all(m2.fromColumns(m2.column(a, 0), m2.column(a, 1)), (i) => p[i]!, 'columns');
  all(m2.fromColumns(m2.row(a, 0), m2.row(a, 1)), (i) => m2.transpose(a).elements[i]!, 'rows');
  all(m2.multiply(a, m2.identity()), (i) => p[i]! + 0, 'identity');
  const product = m2.multiply(a, b);
  const v = vec2(rng.range(-1, 1), rng.range(-1, 1));
  const twice = transform(transform(v, b), a);
  const once = transform(v, product);
  const tolerance = 16 * EPS * largest(a) * largest(b);
  near(once.x, twice.x, tolerance, 'x');
  near(once.y, twice.y, tolerance, 'y');
});

property('[R3.1.4-5] the inverse undoes, and is null for exactly the singular', 10_000, (rng) => {
  const m = matrix(rng);
  const [a, b, c, d] = m.elements.map(exact.q) as [exact.Q, exact.Q, exact.Q, exact.Q];
  const ad = exact.mul(a, d);
  const bc = exact.mul(b, c);
  const det = exact.toNumber(exact.sub(ad, bc));
  const terms = Math.abs(exact.toNumber(ad)) + Math.abs(exact.toNumber(bc));
  near(m2.determinant(m), det, 3 * EPS * Math.abs(det), 'determinant');
  const found = m2.inverse(m);
  // Between one rounding of the products and the stated sixteen either answer would be honest; random input is not there.
  check((found === null) === Math.abs(det) <= 2 * EPS * terms, () => `singular: ${det} of ${terms}`);
  if (!found) return;
  const one = m2.multiply(m, found);
  const tolerance = 16 * EPS * largest(m) * largest(found);
  for (let i = 0; i < 4; i++) near(one.elements[i]!, i % 3 === 0 ? 1 : 0, tolerance, `A A⁻¹ [${i}]`);
});

property('a rotation turns by its angle, counter-clockwise', 10_000, (rng) => {
  const turn = rng.range(-10, 10);
  const m = m2.fromAngle(turn);
  near(m2.determinant(m), 1, 2 * EPS, 'determinant');
  const x = transform(vec2(1, 0), m);
  near(Math.cos(turn), x.x, EPS, 'cos');
  near(Math.sin(turn), x.y, EPS, 'sin');
  near(angle(x, transform(vec2(0, 1), m)), Math.PI / 2, 2 * EPS, 'right angle');
});

test('[R3.1.4-5] singular matrices have no inverse, at any scale', () => {
  expect(m2.inverse(m2.set(1, 2, 2, 4))).toBeNull();
  expect(m2.inverse(m2.set(1e-9, 3e-9, 2e9, 6e9))).toBeNull();
  expect(m2.inverse(m2.set(0, 0, 0, 0))).toBeNull();
  expect(m2.inverse(m2.set(1e-9, 0, 0, 1e9))?.elements).toEqual([1e9, -0, -0, 1e-9]);
  expect(m2.identity()).toEqual(mat2());
});

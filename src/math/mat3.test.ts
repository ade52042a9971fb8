import { expect, test } from 'vitest';
import { check, cloud, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import * as m3 from './mat3.ts';
import type { Mat3, Vec3 } from './types.ts';
import { mat3, vec3 } from './types.ts';
import { rotate, transform } from './vec3.ts';

const EPS = 2 ** -52;
/** Columns from a cloud: often singular in the lattice, nearly so with jitter. */
const matrix = (rng: Rng): Mat3 => {
  const [a, b, c] = cloud(rng, 3).points as [Vec3, Vec3, Vec3];
  return { elements: [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z] };
};
const largest = (m: Mat3): number => Math.max(...m.elements.map(Math.abs));
const all = (m: Mat3, f: (i: number) => number, what: string): void =>
  check(m.elements.length === 9 && m.elements.every((x, i) => x === f(i)), () => `${what}: ${m.elements}`);

property('[R3.1.1-3] (AB)ᵀ = BᵀAᵀ, to the bit', 10_000, (rng) => {
  const [a, b] = [matrix(rng), matrix(rng)];
  const right = m3.multiply(m3.transpose(b), m3.transpose(a));
  all(m3.transpose(m3.multiply(a, b)), (i) => right.elements[i]!, 'transposed product');
  const seen = m3.multiply(m3.transpose(a), b);
  all(m3.multiplyTransposed(a, b), (i) => seen.elements[i]!, 'AᵀB');
});

property('[R3.1.1-3] sums, multiples, rows, columns and products', 10_000, (rng) => {
  const [a, b] = [matrix(rng), matrix(rng)];
  const [p, q] = [a.elements, b.elements];
  all(m3.add(a, b), (i) => p[i]! + q[i]!, 'add');
  all(m3.scale(a, 3), (i) => p[i]! * 3, 'scale');
  all(m3.abs(a), (i) => Math.abs(p[i]!), 'abs');
  all(m3.copy(a), (i) => p[i]!, 'copy');
  all(m3.transpose(a), (i) => p[3 * (i % 3) + Math.floor(i / 3)]!, 'transpose');
  all(m3.fromColumns(m3.column(a, 0), m3.column(a, 1), m3.column(a, 2)), (i) => p[i]!, 'columns');
  const flipped = m3.transpose(a).elements;
  all(m3.fromColumns(m3.row(a, 0), m3.row(a, 1), m3.row(a, 2)), (i) => flipped[i]!, 'rows');
  const product = m3.multiply(a, b).elements;
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) {
      let sum = exact.ZERO;
      for (let k = 0; k < 3; k++)
        sum = exact.add(sum, exact.mul(exact.q(p[r + 3 * k]!), exact.q(q[k + 3 * c]!)));
      near(product[r + 3 * c]!, exact.toNumber(sum), 6 * EPS * largest(a) * largest(b), `${r}, ${c}`);
    }
});

/** The exact determinant and the sum of the sizes of its six terms. */
function determinant(m: Mat3): { value: number; terms: number } {
  const [a, b, c, d, e, f, g, h, i] = m.elements.map(exact.q) as exact.Q[] as [
    exact.Q,
    exact.Q,
    exact.Q,
    exact.Q,
    exact.Q,
    exact.Q,
    exact.Q,
    exact.Q,
    exact.Q,
  ];
  const product = (x: exact.Q, y: exact.Q, z: exact.Q): exact.Q => exact.mul(exact.mul(x, y), z);
  const plus = [product(a, e, i), product(d, h, c), product(g, b, f)];
  const minus = [product(g, e, c), product(d, b, i), product(a, h, f)];
  let value = exact.ZERO;
  for (const t of plus) value = exact.add(value, t);
  for (const t of minus) value = exact.sub(value, t);
  const terms = [...plus, ...minus].reduce((s, t) => s + Math.abs(exact.toNumber(t)), 0);
  return { value: exact.toNumber(value), terms };
}

property('[R3.1.1-3] determinants', 10_000, (rng) => {
  const m = matrix(rng);
  const { value, terms } = determinant(m);
  near(m3.determinant(m), value, 3 * EPS * terms, 'determinant');
});

test('[R3.1.1-3] the determinant of a worked example', () => {
  // Rows (4, -2, 6), (2, 5, 0), (-2, 1, -4).
  expect(m3.determinant({ elements: [4, 2, -2, -2, 5, 1, 6, 0, -4] })).toBe(-24);
  expect(m3.determinant(mat3())).toBe(1);
});

property('[R3.1.4-5] the inverse undoes, and is null for the singular', 10_000, (rng) => {
  const m = matrix(rng);
  const { value, terms } = determinant(m);
  const found = m3.inverse(m);
  if (value === 0) check(found === null, 'singular');
  if (Math.abs(value) > 64 * EPS * terms) check(found !== null, 'not singular');
  if (!found) return;
  // Each element is a ratio of two determinants, and the larger one is right to a few roundings of its terms.
  const condition = terms / Math.abs(value);
  const tolerance = 32 * EPS * condition * largest(m) * largest(found);
  const [one, too] = [m3.multiply(m, found), m3.multiply(found, m)];
  for (let i = 0; i < 9; i++) {
    near(one.elements[i]!, i % 4 === 0 ? 1 : 0, tolerance, `A A⁻¹ [${i}]`);
    near(too.elements[i]!, i % 4 === 0 ? 1 : 0, tolerance, `A⁻¹ A [${i}]`);
  }
});

test('[R3.1.4-5] singular matrices have no inverse, and scale is not singularity', () => {
  expect(m3.inverse({ elements: [1, 2, 3, 4, 5, 6, 7, 8, 9] })).toBeNull();
  expect(m3.inverse({ elements: [1e-9, 2e-9, 3e-9, 4, 5, 6, 7e9, 8e9, 9e9] })).toBeNull();
  expect(m3.inverse(m3.scale(mat3(), 0))).toBeNull();
  expect(m3.inverse({ elements: [1e-30, 0, 0, 0, 1, 0, 0, 0, 1e30] })?.elements[0]).toBe(1e30);
});

property('a quaternion and its matrix turn vectors alike', 10_000, (rng) => {
  const q = rng.rotation();
  const m = m3.fromQuat(q);
  const v = rng.vec();
  const [a, b] = [transform(v, m), rotate(v, q)];
  for (const k of ['x', 'y', 'z'] as const) near(a[k], b[k], 16 * EPS, k);
  const one = m3.multiplyTransposed(m, m);
  for (let i = 0; i < 9; i++) near(one.elements[i]!, i % 4 === 0 ? 1 : 0, 12 * EPS, 'orthonormal');
  near(m3.determinant(m), 1, 16 * EPS, 'right-handed');
});

property("a turn about an axis follows Rodrigues's formula", 10_000, (rng) => {
  const axis = rng.chance(0.2) ? rng.pick([vec3(1, 0, 0), vec3(0, -1, 0), vec3(0, 0, 1)]) : rng.direction();
  const angle = rng.pick([rng.range(-7, 7), rng.int(-4, 4) * (Math.PI / 2), rng.range(-1e-9, 1e-9)]);
  const m = m3.fromAxisAngle(axis, angle);
  const v = rng.vec();
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const along = (axis.x * v.x + axis.y * v.y + axis.z * v.z) * (1 - c);
  const found = transform(v, m);
  near(found.x, v.x * c + (axis.y * v.z - axis.z * v.y) * s + axis.x * along, 16 * EPS, 'x');
  near(found.y, v.y * c + (axis.z * v.x - axis.x * v.z) * s + axis.y * along, 16 * EPS, 'y');
  near(found.z, v.z * c + (axis.x * v.y - axis.y * v.x) * s + axis.z * along, 16 * EPS, 'z');
});

test('identity', () => {
  expect(m3.identity({ elements: [9, 9, 9, 9, 9, 9, 9, 9, 9] })).toEqual(mat3());
});

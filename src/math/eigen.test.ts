import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import { eigenSymmetric, makeEigen } from './eigen.ts';
import * as m3 from './mat3.ts';
import type { Mat3 } from './types.ts';
import { mat3, vec3 } from './types.ts';
import * as v3 from './vec3.ts';

const EPS = 2 ** -52;
const symmetric = (a: number, b: number, c: number, d: number, e: number, f: number): Mat3 => ({
  elements: [a, d, e, d, b, f, e, f, c],
});

/** Any symmetric matrix: full, of low rank, diagonal, with equal or nearly equal eigenvalues, graded. */
function draw(rng: Rng): Mat3 {
  const kind = rng.int(0, 5);
  const r = (): number => rng.range(-1, 1);
  if (kind === 0) return symmetric(r(), r(), r(), r(), r(), r());
  if (kind === 1)
    return symmetric(
      rng.int(-2, 2),
      rng.int(-2, 2),
      rng.int(-2, 2),
      rng.int(-2, 2),
      rng.int(-2, 2),
      rng.int(-2, 2),
    );
  // R diag R^T from chosen eigenvalues.
  const values =
    kind === 2
      ? [1, 1, r()]
      : kind === 3
        ? [1, 1 + rng.range(-1e-9, 1e-9), 1 + rng.range(-1e-14, 1e-14)]
        : kind === 4
          ? [1, 0, 0]
          : [1, 1e-6, 1e-12];
  const q = m3.fromQuat(rng.rotation());
  const scaled = m3.copy(q);
  for (let i = 0; i < 9; i++) scaled.elements[i] = q.elements[i]! * values[Math.floor(i / 3)]!;
  const full = m3.multiply(scaled, m3.transpose(q)).elements;
  return symmetric(full[0]!, full[4]!, full[8]!, full[3]!, full[6]!, full[7]!);
}

property('[R4.3.3] A v = λ v and VᵀV = 1 at every scale', 20_000, (rng) => {
  const m = m3.scale(draw(rng), 10 ** rng.pick([0, -8, 8, -16, 16, -150, 150]));
  const size = Math.max(...m.elements.map(Math.abs));
  const { values, vectors } = eigenSymmetric(m);
  check(values.x >= values.y && values.y >= values.z, () => `not descending: ${JSON.stringify(values)}`);
  const list = [values.x, values.y, values.z];
  for (let i = 0; i < 3; i++) {
    const v = m3.column(vectors, i);
    const image = v3.transform(v, m);
    for (const k of ['x', 'y', 'z'] as const)
      near(image[k], list[i]! * v[k], 16 * EPS * size, `A v${i}.${k}`);
  }
  const one = m3.multiplyTransposed(vectors, vectors);
  for (let i = 0; i < 9; i++) near(one.elements[i]!, i % 4 === 0 ? 1 : 0, 16 * EPS, `VᵀV[${i}]`);
  near(m3.determinant(vectors), 1, 16 * EPS, 'right-handed');
  near(
    values.x + values.y + values.z,
    m.elements[0]! + m.elements[4]! + m.elements[8]!,
    16 * EPS * size,
    'trace',
  );
});

property('[R4.3.3] eigenvalues that are known are found', 10_000, (rng) => {
  const wanted = [rng.range(-1, 1), rng.range(-1, 1), rng.range(-1, 1)].sort((a, b) => b - a);
  const q = m3.fromQuat(rng.rotation());
  const scaled = m3.copy(q);
  for (let i = 0; i < 9; i++) scaled.elements[i] = q.elements[i]! * wanted[Math.floor(i / 3)]!;
  const { values } = eigenSymmetric(m3.multiply(scaled, m3.transpose(q)));
  near(values.x, wanted[0]!, 32 * EPS, 'first');
  near(values.y, wanted[1]!, 32 * EPS, 'second');
  near(values.z, wanted[2]!, 32 * EPS, 'third');
});

test('[R4.3.3] simple matrices', () => {
  expect(eigenSymmetric(mat3()).values).toEqual(vec3(1, 1, 1));
  expect(eigenSymmetric(m3.scale(mat3(), 0))).toEqual({ values: vec3(), vectors: mat3() });
  const { values, vectors } = eigenSymmetric(symmetric(1, 2, 3, 0, 0, 0));
  expect(values).toEqual(vec3(3, 2, 1));
  expect(m3.column(vectors, 0)).toEqual(vec3(0, 0, 1));
  // Rank one: the direction of a line.
  const line = v3.normalize(vec3(1, 2, -2));
  const spread = symmetric(
    line.x ** 2,
    line.y ** 2,
    line.z ** 2,
    line.x * line.y,
    line.x * line.z,
    line.y * line.z,
  );
  expect(Math.abs(v3.dot(m3.column(eigenSymmetric(spread).vectors, 0), line))).toBeCloseTo(1, 15);
});

test('only the upper half is read, and what is not finite is refused', () => {
  const upper: Mat3 = { elements: [1, 9, 9, 2, 5, 9, 3, 4, 6] };
  expect(eigenSymmetric(upper)).toEqual(eigenSymmetric(symmetric(1, 5, 6, 2, 3, 4)));
  const bad = mat3();
  bad.elements[3] = Number.NaN;
  expect(() => eigenSymmetric(bad, makeEigen())).toThrow(/m\.elements\[3\]/);
});

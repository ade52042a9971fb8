import { expect, test } from 'vitest';
import { check, cloud, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import {
  determinant4x4,
  type Line2,
  meetLines2,
  solve2x2,
  solve3x3,
  solveNxN,
  solveUnknown3x3,
} from './solve.ts';
import type { Mat3, Vec3 } from './types.ts';
import { mat2, mat3, vec2, vec3 } from './types.ts';

const EPS = 2 ** -52;

/** The exact determinant of rows of rationals, by expansion, and the sum of the sizes of its terms. */
function determinant(rows: exact.Q[][]): { value: exact.Q; terms: exact.Q } {
  if (rows.length === 0) return { value: exact.ONE, terms: exact.ONE };
  let value = exact.ZERO;
  let terms = exact.ZERO;
  const [first, ...others] = rows as [exact.Q[], ...exact.Q[][]];
  first.forEach((x, j) => {
    if (x.n === 0n) return;
    const minor = determinant(others.map((row) => row.filter((_, k) => k !== j)));
    const product = exact.mul(x, minor.value);
    value = j % 2 ? exact.sub(value, product) : exact.add(value, product);
    terms = exact.add(terms, exact.mul(exact.abs(x), minor.terms));
  });
  return { value, terms };
}

interface System {
  /** Column by column. */
  m: number[];
  b: number[];
  rows: exact.Q[][];
  det: exact.Q;
  /** How many times larger the terms of the determinant are than itself; infinite when singular. */
  condition: number;
}

function system(m: number[], b: number[]): System {
  const n = b.length;
  const rows = b.map((_, i) => b.map((_, j) => exact.q(m[i + n * j]!)));
  const { value, terms } = determinant(rows);
  const condition = value.n === 0n ? Infinity : exact.toNumber(exact.div(terms, exact.abs(value)));
  return { m, b, rows, det: value, condition };
}

/** Cramer's rule with exact numbers, and the terms of the upper determinant over the lower one. */
function unknown(s: System, j: number): { value: number; terms: number } {
  const rows = s.rows.map((row, i) => row.map((x, k) => (k === j ? exact.q(s.b[i]!) : x)));
  const { value, terms } = determinant(rows);
  return {
    value: exact.toNumber(exact.div(value, s.det)),
    terms: exact.toNumber(exact.div(terms, exact.abs(s.det))),
  };
}

/** Judges an answer: null for the singular, small error and residual for the rest. */
function judge(s: System, found: number[] | null, what: string): void {
  if (s.condition === Infinity) check(found === null, `${what}: singular`);
  if (s.condition < 2 ** 40) check(found !== null, () => `${what}: not singular (${s.condition})`);
  if (!found) return;
  const n = s.b.length;
  for (let j = 0; j < n; j++) {
    // A ratio of determinants, both right to a few roundings of their terms.
    const { value, terms } = unknown(s, j);
    near(found[j]!, value, 32 * n * EPS * (terms + s.condition * Math.abs(value)), `${what}[${j}]`);
  }
  const size =
    Math.max(...s.m.map(Math.abs)) * Math.max(...found.map(Math.abs)) + Math.max(...s.b.map(Math.abs));
  for (let i = 0; i < n; i++) {
    let residual = exact.q(-s.b[i]!);
    for (let j = 0; j < n; j++) residual = exact.add(residual, exact.mul(s.rows[i]![j]!, exact.q(found[j]!)));
    if (s.condition < 1e3) near(exact.toNumber(residual) / size, 0, 1e-12, `${what}: residual`);
  }
}

const columns = (rng: Rng, n: number): number[] => cloud(rng, n * n).points.map((p) => p.x);

property('[R3.1.4-5] two equations by Cramer', 10_000, (rng) => {
  const s = system(columns(rng, 2), [rng.range(-2, 2), rng.int(-2, 2)]);
  const found = solve2x2({ elements: s.m }, vec2(s.b[0], s.b[1]));
  judge(s, found && [found.x, found.y], 'solve2x2');
});

property('[R3.1.4-5] three equations by Cramer, and single unknowns of them', 10_000, (rng) => {
  const s = system(columns(rng, 3), [rng.range(-2, 2), rng.int(-2, 2), rng.range(-2, 2)]);
  const m: Mat3 = { elements: s.m };
  const b = vec3(s.b[0], s.b[1], s.b[2]);
  const found = solve3x3(m, b);
  judge(s, found && [found.x, found.y, found.z], 'solve3x3');
  for (let j = 0; j < 3; j++) {
    const one = solveUnknown3x3(m, b, j);
    if (s.condition === Infinity) check(one === null, 'singular');
    if (found && one !== null) {
      const size = Math.max(Math.abs(found.x), Math.abs(found.y), Math.abs(found.z));
      near(one, [found.x, found.y, found.z][j]!, 512 * EPS * s.condition * size, `unknown ${j}`);
    }
  }
});

property('[R3.1.4-5] more equations by elimination', 10_000, (rng) => {
  const n = rng.int(1, 4);
  const m = columns(rng, n);
  // Repeat a column now and then.
  if (n > 1 && rng.chance(0.2)) for (let i = 0; i < n; i++) m[i + n] = m[i]! * 2;
  const b = Array.from({ length: n }, () => rng.range(-2, 2));
  const s = system(m, b);
  const found = solveNxN(m, b);
  if (s.condition === Infinity) check(found === null, 'singular');
  if (s.condition < 2 ** 40) check(found !== null, () => `not singular (${s.condition})`);
  if (!found) return;
  // The answer is that of a system whose every number is off by a few roundings at most: Skeel's |A⁻¹| (|A| |x| + |b|)
  // bounds what that can do to it.
  const x = b.map((_, j) => unknown(s, j).value);
  const reach = b.map((_, i) => x.reduce((sum, v, j) => sum + Math.abs(m[i + n * j]! * v), Math.abs(b[i]!)));
  for (let j = 0; j < n; j++) {
    const row = b.map((_, i) => unknown({ ...s, b: b.map((_, k) => (k === i ? 1 : 0)) }, j).value);
    const bound = row.reduce((sum, v, i) => sum + Math.abs(v) * reach[i]!, 0);
    near(found[j]!, x[j]!, 8 * n * EPS * bound, `unknown ${j}`);
  }
});

property(
  '[R3.1.4-5] elimination leaves a small residual in larger and badly scaled systems',
  2_000,
  (rng) => {
    const n = rng.int(5, 12);
    const wanted = Array.from({ length: n }, () => rng.range(-1, 1));
    const rowScale = wanted.map(() => 10 ** rng.range(-6, 6));
    const m = Array.from({ length: n * n }, (_, k) => rng.range(-1, 1) * rowScale[k % n]!);
    const b = wanted.map((_, i) => wanted.reduce((sum, x, j) => sum + m[i + n * j]! * x, 0));
    const found = solveNxN(m, b);
    check(found !== null && found.length === n, 'solved');
    const size = Math.max(...found.map(Math.abs));
    for (let i = 0; i < n; i++) {
      const residual = found.reduce((sum, x, j) => sum + m[i + n * j]! * x, -b[i]!);
      near(residual / rowScale[i]!, 0, 1e-13 * n * (1 + size), `row ${i}`);
    }
  },
);

property('[R3.1.4-5] two lines meet in a point, nowhere or all along', 10_000, (rng) => {
  const line = (): Line2 => ({ normal: vec2(rng.int(-2, 2), rng.int(-2, 2)), d: rng.int(-2, 2) });
  const a = line();
  const b = line();
  const found = meetLines2(a, b);
  const det = a.normal.x * b.normal.y - a.normal.y * b.normal.x;
  // Small integers: everything is exact, and the rank says it all.
  const dx = a.d * b.normal.y - a.normal.y * b.d;
  const dy = a.normal.x * b.d - a.d * b.normal.x;
  const empty = (l: Line2): boolean => l.normal.x === 0 && l.normal.y === 0 && l.d !== 0;
  const wanted =
    det !== 0 ? 'point' : empty(a) || empty(b) || dx !== 0 || dy !== 0 ? 'parallel' : 'coincident';
  check(found.kind === wanted, () => `${JSON.stringify([a, b])} is ${found.kind}, not ${wanted}`);
  if (found.kind === 'point') {
    near(found.point.x, dx / det, 4 * EPS * Math.abs(dx / det), 'x');
    near(found.point.y, dy / det, 4 * EPS * Math.abs(dy / det), 'y');
  }
  // The same at another scale, which is not a power of two, and turned out of the axes by a rational rotation.
  const s = 10 ** rng.int(-6, 6);
  const scaled = (l: Line2): Line2 => ({ normal: vec2(l.normal.x * s, l.normal.y * s), d: l.d * s });
  check(meetLines2(scaled(a), b).kind === wanted, () => `scaled by ${s}: ${JSON.stringify([a, b])}`);
  check(meetLines2(b, scaled(a)).kind === wanted, () => `scaled by ${s}, swapped: ${JSON.stringify([a, b])}`);
});

property('[R3.1.1-3] determinants of order four', 10_000, (rng) => {
  const m = columns(rng, 4);
  const { value, terms } = determinant(
    [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => exact.q(m[i + 4 * j]!))),
  );
  near(
    determinant4x4({ elements: m }),
    exact.toNumber(value),
    4 * EPS * exact.toNumber(terms),
    'determinant',
  );
});

test('[R3.1.4-5] worked examples', () => {
  expect(solve2x2({ elements: [1, 3, 2, 4] }, vec2(5, 11))).toEqual(vec2(1, 2));
  expect(solve2x2({ elements: [1, 2, 2, 4] }, vec2(5, 11))).toBeNull();
  expect(solve3x3(mat3(), vec3(1, 2, 3))).toEqual(vec3(1, 2, 3));
  expect(solveUnknown3x3(mat3(), vec3(1, 2, 3), 1)).toBe(2);
  expect(solveNxN([0, 1, 1, 0], [3, 4])).toEqual([4, 3]);
  expect(solveNxN([0, 0, 1, 1], [3, 4])).toBeNull();
  expect(solveNxN([0, 0, 0, 0], [0, 0])).toBeNull();
  expect(solveNxN([2], [3])).toEqual([1.5]);
  // A pivot of 1e-20 must not be used where a better one stands below it.
  expect(solveNxN([1e-20, 1, 1, 1], [1, 2])).toEqual([1, 1]);
  expect(meetLines2({ normal: vec2(1, 0), d: 3 }, { normal: vec2(0, 2), d: 4 })).toEqual({
    kind: 'point',
    point: vec2(3, 2),
  });
});

test('[R3.1.4-5] elimination does not lose the digits of small coefficients below large ones', () => {
  // A single elimination leaves the first unknown with seven digits.
  const rows = [
    [8.2932e-10, 3.1478e-10, -1.124e-10],
    [2, -2.762e-10, 1.4196e-10],
    [-2, 1, -2],
  ] as [number, number, number][];
  const m = [0, 1, 2].flatMap((j) => rows.map((row) => row[j]!));
  const b = [-0.8109899110883325, 1.4586405015309207, -0.891960345826289];
  const s = system(m, b);
  const found = solveNxN(m, b)!;
  for (let j = 0; j < 3; j++) expect(found[j]! / unknown(s, j).value).toBeCloseTo(1, 14);
});

test('[R3.1.4-5] scale alone does not make a system singular', () => {
  const tiny: Vec3 =
    solve3x3({ elements: [1e-30, 0, 0, 0, 1, 0, 0, 0, 1e30] }, vec3(1e-30, 1, 1e30)) ?? vec3();
  expect(tiny).toEqual(vec3(1, 1, 1));
  expect(solve2x2({ elements: [1e-100, 0, 0, 1e100] }, vec2(1e-100, 1e100))).toEqual(vec2(1, 1));
  expect(solveNxN([1e-100, 0, 0, 1e100], [1e-100, 1e100])).toEqual([1, 1]);
});

test('bad input is named', () => {
  expect(() => solveNxN([], [])).toThrow(/solveNxN: b/);
  expect(() => solveNxN([1, 2, 3], [1, 2])).toThrow(/solveNxN: m must have 4/);
  expect(() => solveNxN([1, 2, Number.NaN, 3], [1, 2])).toThrow(/m\[2\]/);
  expect(() => solveUnknown3x3(mat3(), vec3(), 3)).toThrow(/index/);
  expect(() => determinant4x4(mat3())).toThrow(/16 elements/);
  expect(() => solve2x2(mat2(), vec2(Infinity, 0))).toThrow(/b\.x/);
});

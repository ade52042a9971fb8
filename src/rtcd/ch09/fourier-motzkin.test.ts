import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../../tests/kit/index.ts';
import { feasiblePoint, inequalityRange } from './fourier-motzkin.ts';
import type { LinearInequality } from './inequality.ts';
import { linearProgram } from './seidel.ts';

/** The triangles (1,0)(5,-1)(4,3) and (0,0)(4,1)(1,4) of the book. */
const triangles: LinearInequality[] = [
  { a: [-1, 1], b: -1 },
  { a: [-1, -4], b: -1 },
  { a: [4, 1], b: 19 },
  { a: [-4, 1], b: 0 },
  { a: [1, -4], b: 0 },
  { a: [1, 1], b: 5 },
];

const along = (a: readonly number[], p: readonly number[]): number => a.reduce((s, x, i) => s + x * p[i]!, 0);

test('[R9.4.1.1] the triangles of the book: y from 1/3 to 2, and y = 2 forces x = 3', () => {
  expect(inequalityRange(triangles, 1)).toEqual({ lo: 1 / 3, hi: 2 });
  expect(inequalityRange(triangles, 0)).toEqual({ lo: 4 / 3, hi: 4 });
  const pinned = [...triangles, { a: [0, 1], b: 2 }, { a: [0, -1], b: -2 }];
  expect(inequalityRange(pinned, 0)).toEqual({ lo: 3, hi: 3 });
  expect(feasiblePoint(pinned)).toEqual([3, 2]);
  const [x, y] = feasiblePoint(triangles)!;
  for (const { a, b } of triangles) expect(a[0]! * x! + a[1]! * y!).toBeLessThan(b);
});

test('[R9.4.1.1] no solution, no bound, rows without the unknown, rows of zeros', () => {
  expect(inequalityRange([...triangles, { a: [0, 1], b: 0.33 }], 0)).toBe(null);
  expect(feasiblePoint([...triangles, { a: [0, 1], b: 0.33 }])).toBe(null);
  expect(inequalityRange([{ a: [1, 0], b: 1 }], 1)).toEqual({ lo: -Infinity, hi: Infinity });
  expect(inequalityRange([{ a: [1, 0], b: 1 }], 0)).toEqual({ lo: -Infinity, hi: 1 });
  // A contradiction among other unknowns only, and one that was there from the start.
  expect(
    inequalityRange(
      [
        { a: [1, 0], b: 1 },
        { a: [0, 1], b: 0 },
        { a: [0, -1], b: -1 },
      ],
      0,
    ),
  ).toBe(null);
  expect(
    inequalityRange(
      [
        { a: [1], b: 1 },
        { a: [0], b: -1 },
      ],
      0,
    ),
  ).toBe(null);
  expect(feasiblePoint([{ a: [0, 0], b: 0 }])).toEqual([0, 0]);
  expect(feasiblePoint([{ a: [0, 0], b: -1 }])).toBe(null);
  expect(feasiblePoint([{ a: [1, 0], b: 7 }])).toEqual([6, 0]);
});

test('[R9.4.1.1] touching is a solution, a last bit apart is none', () => {
  const rows = (b: number) => [
    { a: [0.1, 0.7, -0.3], b: 0.1 },
    { a: [-0.1, -0.7, 0.3], b },
  ];
  expect(feasiblePoint(rows(-0.1))).not.toBe(null);
  expect(feasiblePoint(rows(-0.1 - 2 ** -56))).toBe(null);
});

test('[R9.4.1.1] five unknowns: the corner of a simplex', () => {
  const n = 5;
  const unit = (k: number, s: number) => Array.from({ length: n }, (_, i) => (i === k ? s : 0));
  const rows = [
    ...Array.from({ length: n }, (_, k) => ({ a: unit(k, -1), b: 0 })),
    { a: Array.from({ length: n }, (_, k) => k + 1), b: 1 },
  ];
  for (let k = 0; k < n; k++) expect(inequalityRange(rows, k)).toEqual({ lo: 0, hi: 1 / (k + 1) });
  for (const { a, b } of rows) expect(along(a, feasiblePoint(rows)!)).toBeLessThanOrEqual(b);
});

test('[R9.4.1.1] growth is stopped before it fills the memory', () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    a: Array.from({ length: 6 }, (_, k) => ((i * 7919 + k * 104729) % 19) - 9),
    b: 1 + i,
  }));
  expect(() => inequalityRange(rows, 0, { limit: 500 })).toThrow('inequalities would become more than 500');
});

test('[R9.4.1.1] bad input is refused', () => {
  expect(() => inequalityRange([], 0)).toThrow('inequalities must hold at least one');
  expect(() => feasiblePoint([])).toThrow('inequalities must hold at least one');
  expect(() => inequalityRange(triangles, 2)).toThrow('unknown');
  expect(() => inequalityRange(triangles, 0.5)).toThrow('unknown');
  expect(() =>
    feasiblePoint([
      { a: [1], b: 1 },
      { a: [1, 2], b: 1 },
    ]),
  ).toThrow('inequalities[1].a');
});

/** Parallel, duplicate, opposite and zero rows among them, or rows of full-length doubles. */
function someRows(rng: Rng, n: number): LinearInequality[] {
  const lattice = rng.chance(0.6);
  const rows: LinearInequality[] = Array.from({ length: rng.int(1, 8) }, () => ({
    a: Array.from({ length: n }, () => (lattice ? rng.int(-2, 2) : rng.chance(0.2) ? 0 : rng.range(-1, 1))),
    b: lattice ? rng.int(-2, 4) : rng.range(-0.5, 1),
  }));
  if (rng.chance(0.3)) {
    const { a, b } = rng.pick(rows);
    rows.push({ a: a.map((x) => -x), b: -b + rng.pick([0, 0, 2 ** -50, -(2 ** -50)]) });
  }
  return rows;
}

property('[R9.4.1.1] [R9.4.1.2] elimination = Seidel: solutions or none, and the ranges', 3_000, (rng) => {
  const n = rng.pick([1, 2, 3]);
  const rows = someRows(rng, n);
  const k = rng.int(0, n - 1);
  const up = Array.from({ length: n }, (_, i) => (i === k ? 1 : 0));
  const most = linearProgram(rows, up);
  const least = linearProgram(
    rows,
    up.map((x) => -x),
  );
  const range = inequalityRange(rows, k);
  const point = feasiblePoint(rows);
  check((range === null) === (most.status === 'infeasible'), 'consistent by one, not by the other');
  check((point === null) === (range === null), 'a point, but no range, or the other way round');
  if (range === null || point === null) return;
  check(range.hi === most.value, () => `upper end ${range.hi}, not ${most.value}`);
  check(range.lo === -least.value, () => `lower end ${range.lo}, not ${-least.value}`);
  for (const { a, b } of rows) {
    const size = a.reduce((s, x, i) => s + Math.abs(x * point[i]!), Math.abs(b));
    check(along(a, point) <= b + 1e-15 * size, 'the point is not a solution');
  }
});

property('[R9.4.1.1] four unknowns: a solution found is one, and none is missed', 500, (rng) => {
  // Around a known solution, which touches some of the rows.
  const solution = [rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3)];
  const rows = Array.from({ length: rng.int(4, 9) }, () => {
    const a = solution.map(() => rng.int(-3, 3));
    return { a, b: along(a, solution) + rng.pick([0, 0, 1, 5]) };
  });
  const point = feasiblePoint(rows);
  check(point !== null, 'there is a solution');
  for (const { a, b } of rows) check(along(a, point) <= b + 1e-12 * (Math.abs(b) + 100), 'not a solution');
  const range = inequalityRange(rows, 2);
  check(
    range !== null && range.lo <= solution[2]! && solution[2]! <= range.hi,
    'the solution is out of range',
  );
  // Past the end there is nothing, at the end there is.
  if (range.hi === Infinity) return;
  const beyond = [...rows, { a: [0, 0, -1, 0], b: -(range.hi + 1e-6) }];
  check(feasiblePoint(beyond) === null, 'a solution beyond the range');
  check(feasiblePoint([...rows, { a: [0, 0, -1, 0], b: -(range.hi - 1e-6) }]) !== null, 'none at the end');
});

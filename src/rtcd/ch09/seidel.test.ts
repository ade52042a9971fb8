import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../../tests/kit/index.ts';
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

test('[R9.4.1.2] [R9.4.1] the triangles of the book: x is at most 4, at (4, 1)', () => {
  for (let seed = 0; seed < 50; seed++)
    expect(linearProgram(triangles, [1, 0], { seed })).toMatchObject({
      status: 'optimal',
      point: [4, 1],
      value: 4,
    });
});

test('[R9.4.1.2] one unknown', () => {
  const rows = [
    { a: [2], b: 7 },
    { a: [-1], b: 5 },
    { a: [0], b: 0 },
  ];
  expect(linearProgram(rows, [3])).toMatchObject({ status: 'optimal', point: [3.5], value: 10.5 });
  expect(linearProgram(rows, [-3])).toMatchObject({ status: 'optimal', point: [-5], value: 15 });
  expect(linearProgram(rows, [0])).toMatchObject({ status: 'optimal', point: [0], value: 0 });
  expect(linearProgram([...rows, { a: [-1], b: -4 }], [1])).toMatchObject({
    status: 'infeasible',
    point: [],
    value: -Infinity,
  });
  expect(linearProgram(rows.slice(1), [1])).toMatchObject({
    status: 'unbounded',
    point: [],
    value: Infinity,
  });
});

test('[R9.4.1.2] a best value reached along all of a line or plane comes with a point at hand', () => {
  expect(linearProgram([{ a: [1, 0, 0], b: 4 }], [1, 0, 0])).toMatchObject({ point: [4, 0, 0], value: 4 });
  expect(linearProgram([{ a: [1, 1, 0], b: 4 }], [2, 2, 0])).toMatchObject({ status: 'optimal', value: 8 });
  const strip = [
    { a: [1, -1], b: 1 },
    { a: [-1, 1], b: 1 },
  ];
  expect(linearProgram(strip, [1, -1])).toMatchObject({ status: 'optimal', value: 1 });
  expect(linearProgram(strip, [1, -1 + 2 ** -52])).toMatchObject({ status: 'unbounded' });
  expect(linearProgram([], [0, 0, 0])).toMatchObject({ status: 'optimal', point: [0, 0, 0], value: 0 });
  expect(linearProgram([], [0, 1, 0])).toMatchObject({ status: 'unbounded' });
});

test('[R9.4.1.2] zero normals: always true, or never', () => {
  expect(linearProgram([...triangles, { a: [0, 0], b: 0 }], [1, 0]).value).toBe(4);
  expect(linearProgram([...triangles, { a: [0, 0], b: -5e-324 }], [1, 0]).status).toBe('infeasible');
});

test('[R9.4.1.2] touching halfspaces have a point, and a last bit apart they have none', () => {
  const a = [0.1, 0.7, -0.3];
  const back = a.map((x) => -x);
  const others = [
    { a: [1, 2, 3], b: 0.3 },
    { a: [-5, 1, 0.1], b: 1e-9 },
  ];
  const touching = [{ a, b: 0.1 }, { a: back, b: -0.1 }, ...others];
  const apart = [{ a, b: 0.1 }, { a: back, b: -0.1 - 2 ** -56 }, ...others];
  for (let seed = 1; seed < 20; seed++) {
    expect(linearProgram(touching, [0, 0, 0], { seed }).status).toBe('optimal');
    expect(linearProgram(apart, [0, 0, 0], { seed }).status).toBe('infeasible');
  }
});

/** Planes through lattice points: parallel, duplicate, opposite and zero rows come up all the time. */
function smallRows(rng: Rng, d: number, count: number): LinearInequality[] {
  const range = rng.pick([1, 2, 4]);
  const rows: LinearInequality[] = [];
  for (let i = 0; i < count; i++)
    rows.push({ a: Array.from({ length: d }, () => rng.int(-range, range)), b: rng.int(-range, 2 * range) });
  if (count > 0 && rng.chance(0.3)) {
    const { a, b } = rng.pick(rows);
    const k = rng.pick([-1, 1, 2]);
    rows.push({ a: a.map((x) => x * k), b: b * k + rng.int(0, 1) });
  }
  return rows;
}

/** Every point where d of the planes meet, as numerators and a positive denominator; integers, so without rounding. */
function* meetings(rows: readonly LinearInequality[], d: number): Generator<{ p: number[]; w: number }> {
  const det = (m: readonly (readonly number[])[]): number =>
    m.length === 1
      ? m[0]![0]!
      : m.reduce(
          (s, row, i) =>
            s + (i % 2 ? -1 : 1) * row[0]! * det(m.filter((_, j) => j !== i).map((r) => r.slice(1))),
          0,
        );
  const choose = function* (from: number, picked: LinearInequality[]): Generator<LinearInequality[]> {
    if (picked.length === d) yield picked;
    else for (let i = from; i < rows.length; i++) yield* choose(i + 1, [...picked, rows[i]!]);
  };
  for (const planes of choose(0, [])) {
    const w = det(planes.map(({ a }) => a));
    if (w === 0) continue;
    const s = Math.sign(w);
    const p = planes.map((_, k) => s * det(planes.map(({ a, b }) => a.map((x, j) => (j === k ? b : x)))));
    yield { p, w: s * w };
  }
}

const along = (a: readonly number[], p: readonly number[]): number => a.reduce((s, x, i) => s + x * p[i]!, 0);

/**
 * By looking at every meeting of d planes, coordinate planes among them: if there are solutions, one of those is one,
 * and the best if there is a best. There is none if a direction that never leaves the solutions gains.
 */
function brute(rows: readonly LinearInequality[], c: readonly number[]): { status: string; value: number } {
  const d = c.length;
  const unit = (k: number, s: number) => Array.from({ length: d }, (_, i) => (i === k ? s : 0));
  const coordinatePlanes = c.map((_, k) => ({ a: unit(k, 1), b: 0 }));
  let value = -Infinity;
  for (const { p, w } of meetings([...rows, ...coordinatePlanes], d))
    if (rows.every(({ a, b }) => along(a, p) <= b * w)) value = Math.max(value, along(c, p) / w);
  if (value === -Infinity) return { status: 'infeasible', value };
  const cone = rows.map(({ a }) => ({ a, b: 0 }));
  const box = [1, -1].flatMap((s) => c.map((_, k) => ({ a: unit(k, s), b: 1 })));
  for (const { p, w } of meetings([...cone, ...box], d))
    if ([...cone, ...box].every(({ a, b }) => along(a, p) <= b * w) && along(c, p) > 0)
      return { status: 'unbounded', value: Infinity };
  return { status: 'optimal', value };
}

property(
  '[R9.4.1.2] = the best of all vertices, in one to three unknowns, whatever the seed',
  10_000,
  (rng) => {
    const d = rng.pick([1, 2, 2, 3]);
    const rows = smallRows(rng, d, rng.int(0, 5));
    const objective = Array.from({ length: d }, () => rng.int(-2, 2));
    const wanted = brute(rows, objective);
    for (const seed of [1, rng.int(2, 1e9)]) {
      const found = linearProgram(rows, objective, { seed });
      check(found.status === wanted.status, `${found.status} should be ${wanted.status}`);
      if (found.status !== 'optimal') continue;
      check(Math.abs(found.value - wanted.value) <= 2.3e-16 * Math.abs(wanted.value), 'value');
      for (const { a, b } of rows)
        check(along(a, found.point) <= b + 1e-13 * (Math.abs(b) + 40), 'the point is not a solution');
      near(
        along(objective, found.point),
        wanted.value,
        1e-13 * (1 + Math.abs(wanted.value)),
        'value at the point',
      );
    }
  },
);

/** Halfspaces around the unit ball, and some through it. */
function aroundBall(rng: Rng, count: number, d: number): LinearInequality[] {
  return Array.from({ length: count }, () => {
    const { x, y, z } = rng.direction();
    return { a: [x, y, z].slice(0, d), b: 1 + rng.unit() * rng.pick([0, 0, 1e-12, 1]) };
  });
}

property('[R9.4.1.2] the value does not depend on the seed, and the point fulfils all', 1_000, (rng) => {
  const d = rng.pick([2, 3]);
  const rows = aroundBall(rng, rng.int(4, 60), d);
  const { x, y, z } = rng.direction();
  const objective = [x, y, z].slice(0, d);
  const first = linearProgram(rows, objective, { seed: 1 });
  for (let seed = 2; seed < 5; seed++) {
    const other = linearProgram(rows, objective, { seed });
    check(other.status === first.status && other.value === first.value, 'differs by seed');
  }
  check(first.status !== 'infeasible', 'the ball is feasible');
  if (first.status === 'optimal') {
    const size = Math.max(...first.point.map(Math.abs));
    for (const { a, b } of rows) check(along(a, first.point) <= b + 1e-15 * (2 + 3 * size), 'not a solution');
    check(first.value >= Math.hypot(...objective) * (1 - 1e-12), 'the ball reaches farther');
  }
});

property('[R9.4.1.2] huge, tiny and far numbers change nothing', 300, (rng) => {
  const rows = smallRows(rng, 3, rng.int(3, 6));
  const objective = [1, 1, 2];
  const wanted = linearProgram(rows, objective);
  // Other units: powers of two, row by row and unknown by unknown.
  const k = [rng.int(-200, 200), rng.int(-200, 200), rng.int(-200, 200)];
  const scaled = rows.map(({ a, b }) => {
    const s = 2 ** rng.int(-200, 200);
    return { a: a.map((x, i) => x * s * 2 ** k[i]!), b: b * s };
  });
  const found = linearProgram(
    scaled,
    objective.map((x, i) => x * 2 ** k[i]!),
  );
  check(found.status === wanted.status && found.value === wanted.value, 'differs');
});

test('[R9.4.1.2] the work is linear in the number of inequalities', () => {
  for (const d of [2, 3])
    for (const count of [100, 1_000, 10_000]) {
      let tests = 0;
      const runs = 5;
      for (let run = 0; run < runs; run++) {
        // All tangent to the ball: none is redundant, the worst of orders is quadratic.
        const rows = Array.from({ length: count }, (_, i) => {
          const t = (2 * Math.PI * i) / count;
          return d === 2
            ? { a: [Math.cos(t), Math.sin(t)], b: 1 }
            : { a: [Math.cos(t), Math.sin(t), Math.cos(37 * t)], b: 1 };
        });
        tests += linearProgram(rows, [1, 0.3, 0.1].slice(0, d), { seed: run }).tests / runs;
      }
      // Measured: 3 to 5 and 8 to 15.
      expect(tests / count).toBeLessThan(d === 2 ? 12 : 40);
    }
});

test('[R9.4.1.2] bad input is refused', () => {
  expect(() => linearProgram(triangles, [])).toThrow('objective');
  expect(() => linearProgram(triangles, [1, 2, 3, 4])).toThrow('objective');
  expect(() => linearProgram(triangles, [1])).toThrow('inequalities[0].a must have 1 components');
  expect(() => linearProgram([{ a: [1, Number.NaN], b: 1 }], [1, 0])).toThrow('inequalities[0].a[1]');
  expect(() => linearProgram([{ a: [1, 1], b: Infinity }], [1, 0])).toThrow('inequalities[0].b');
});

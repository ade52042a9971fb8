/** Walks through grids, against the walk in rational numbers. */
import { expect, test } from 'vitest';
import { check, cloud, exact, property, type Rng } from '../../tests/kit/index.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { walkGrid } from './grid-walk.ts';

const { q, add, sub, mul, div, cmp, ZERO, ONE } = exact;
type Q = exact.Q;

const floor = ({ n, d }: Q): bigint => (n >= 0n ? n / d : -((-n + d - 1n) / d));

/** The cell of a coordinate: borders are doubles, multiples of `cell` after rounding. */
function cellOf(x: Q, cell: number): bigint {
  let i = floor(div(x, q(cell)));
  while (cmp(q(Number(i) * cell), x) > 0) i--;
  while (cmp(q(Number(i + 1n) * cell), x) <= 0) i++;
  return i;
}

/** All cells with a point of the segment, as rational numbers have it: at each border, and between any two. */
function rationalWalk(a: ReadonlyVec3, b: ReadonlyVec3, cell: number): Set<string> {
  const times: Q[] = [ZERO, ONE];
  for (const axis of ['x', 'y', 'z'] as const) {
    const from = q(a[axis]);
    const along = sub(q(b[axis]), from);
    if (along.n === 0n) continue;
    const [i, j] = [cellOf(from, cell), cellOf(q(b[axis]), cell)];
    const [first, last] = i < j ? [i, j] : [j, i];
    for (let k = first; k <= last + 1n; k++) {
      const t = div(sub(q(Number(k) * cell), from), along);
      if (cmp(t, ZERO) > 0 && cmp(t, ONE) < 0) times.push(t);
    }
  }
  times.sort(cmp);
  const cells = new Set<string>();
  const visit = (t: Q): void => {
    const at = (['x', 'y', 'z'] as const).map((axis) =>
      cellOf(add(q(a[axis]), mul(t, sub(q(b[axis]), q(a[axis])))), cell),
    );
    cells.add(String(at));
  };
  times.forEach((t, i) => {
    visit(t);
    if (i > 0) visit(div(add(times[i - 1]!, t), q(2)));
  });
  return cells;
}

function compare(a: ReadonlyVec3, b: ReadonlyVec3, cell: number): void {
  const walked: [number, number, number][] = [];
  walkGrid(a, b, cell, (x, y, z) => void walked.push([x, y, z]));
  const told = new Set(walked.map(String));
  check(told.size === walked.length, 'a cell came twice');
  for (let i = 1; i < walked.length; i++) {
    const steps = walked[i]!.reduce((sum, x, k) => sum + Math.abs(x - walked[i - 1]![k]!), 0);
    check(steps === 1, 'two cells that do not share a side');
  }
  const where = (p: ReadonlyVec3) => String([p.x, p.y, p.z].map((x) => cellOf(q(x), cell)));
  check(String(walked[0]) === where(a), () => `begins at ${walked[0]}`);
  check(String(walked.at(-1)) === where(b), () => `ends at ${walked.at(-1)} and not ${where(b)}`);
  for (const wanted of rationalWalk(a, b, cell))
    check(told.has(wanted), () => `${wanted} is left out from ${JSON.stringify(a)} to ${JSON.stringify(b)}`);
}

const quarter = (rng: Rng) => vec3(rng.int(-12, 12) / 4, rng.int(-12, 12) / 4, rng.int(-12, 12) / 4);

property(
  '[R7.4.2] segments between lattice points and between any, in all octants: all cells of the rational walk (Trap 7)',
  4000,
  (rng, i) => {
    const kind = i % 7;
    if (kind === 0) compare(quarter(rng), quarter(rng), 1);
    else if (kind === 1)
      compare(vec3(rng.int(-5, 5), rng.int(-5, 5), rng.int(-5, 5)), quarter(rng), rng.pick([0.5, 1, 2, 4]));
    else if (kind === 2) compare(rng.vec(5), rng.vec(5), rng.pick([1, 0.75, 2]));
    else if (kind === 6) {
      // Ends on borders that are rounded, or beside them.
      const cell = rng.pick([0.1, 0.7, 1 / 3]);
      const on = () => rng.int(-30, 30) * cell * (1 + rng.pick([0, 0, 2e-16, -2e-16]));
      compare(vec3(on(), on(), on()), vec3(on(), on(), on()), cell);
    } else if (kind === 3) {
      // Nearly through corners, by less than rounding.
      const [a, b] = [quarter(rng), quarter(rng)];
      compare(vec3(a.x * (1 + rng.pick([0, 2e-16])), a.y, a.z * (1 - rng.pick([0, 1e-16]))), b, 1);
    } else if (kind === 4) {
      // Along borders, edges and single points.
      const a = quarter(rng);
      compare(a, rng.pick([a, vec3(a.x, a.y, rng.int(-4, 4)), vec3(rng.range(-4, 4), a.y, a.z)]), 1);
    } else {
      const { points, scale } = cloud(rng, 2);
      compare(points[0]!, points[1]!, 2 ** Math.round(Math.log2(scale) - rng.pick([0, 1, 3])));
    }
  },
);

test('[R7.4.2] between lattice points: as many steps as borders, to the end cell, along the segment (Trap 7)', () => {
  const axes = ['x', 'y', 'z'] as const;
  let segments = 0;
  for (let i = 0; i < 125; i++)
    for (let j = 0; j < 125; j++) {
      const [a, b] = [i, j].map((n) =>
        vec3((n % 5) - 2, (Math.floor(n / 5) % 5) - 2, Math.floor(n / 25) - 2),
      ) as [ReadonlyVec3, ReadonlyVec3];
      const cells: number[][] = [];
      walkGrid(a, b, 1, (x, y, z) => void cells.push([x, y, z]));
      const borders = axes.reduce((sum, axis) => sum + Math.abs(b[axis] - a[axis]), 0);
      if (cells.length !== borders + 1 || String(cells.at(-1)) !== String([b.x, b.y, b.z]))
        throw new Error(`${cells.length} cells to ${cells.at(-1)}, from ${JSON.stringify([a, b])}`);
      // No cell is far from the segment: it meets the closed cell.
      for (const cell of cells) {
        let [enter, exit] = [0, 1];
        axes.forEach((axis, k) => {
          const along = b[axis] - a[axis];
          if (along === 0) return;
          const times = [(cell[k]! - a[axis]) / along, (cell[k]! + 1 - a[axis]) / along];
          enter = Math.max(enter, Math.min(...times));
          exit = Math.min(exit, Math.max(...times));
        });
        if (enter > exit + 1e-12) throw new Error(`${cell} is beside ${JSON.stringify([a, b])}`);
      }
      segments++;
    }
  expect(segments).toBe(15_625);
});

test('[R7.4.2] the walk can be ended, and one without length has one cell', () => {
  const cells: number[][] = [];
  walkGrid(vec3(0.5, 0.5, 0.5), vec3(9, 0.5, 0.5), 1, (x, y, z) => cells.push([x, y, z]) < 3);
  expect(cells).toEqual([
    [0, 0, 0],
    [1, 0, 0],
    [2, 0, 0],
  ]);
  cells.length = 0;
  walkGrid(vec3(-1, 2, -0.5), vec3(-1, 2, -0.5), 1, (x, y, z) => void cells.push([x, y, z]));
  expect(cells).toEqual([[-1, 2, -1]]);
});

test('[R7.4.2] numbers of cells beyond 2^31 are right, and beyond 2^52 refused by name', () => {
  compare(vec3(2 ** 40, 0.5, -(2 ** 33)), vec3(2 ** 40 + 3, -2.5, -(2 ** 33) + 1.5), 1);
  expect(() => walkGrid(vec3(1e30), vec3(), 1, () => {})).toThrow(/walkGrid: cell is too small/);
  expect(() => walkGrid(vec3(1), vec3(), 0, () => {})).toThrow(/walkGrid: cell/);
  expect(() => walkGrid(vec3(Number.NaN), vec3(), 1, () => {})).toThrow(/walkGrid: a/);
  expect(() => walkGrid(vec3(), vec3(Number.NaN), 1, () => {})).toThrow(/walkGrid: b/);
  expect(() => walkGrid(vec3(), vec3(), 1, null as never)).toThrow(/walkGrid: visit/);
});

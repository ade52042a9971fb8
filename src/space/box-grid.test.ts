/** The grid of boxes, against a look at every box. */
import { expect, test } from 'vitest';
import { REGIMES, recordOf, six } from '../../tests/kit/box-corpus.ts';
import { compareBoxIndex } from '../../tests/kit/box-index.ts';
import { check, property, Rng } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { rayTriangle } from '../primitives/ray/index.ts';
import type { Ray } from '../primitives/types.ts';
import { BoxGrid, type BoxGridOptions } from './box-grid.ts';

const NAMES = Object.keys(REGIMES);
const KINDS: readonly [string, BoxGridOptions][] = [
  ['[R7.1.4] static', { depth: 1 }],
  ['[R7.2.3] recursive', { depth: 3, split: 3 }],
  ['[R7.2.3] recursive with the defaults', {}],
];
for (const [row, options] of KINDS)
  property(`${row} BoxGrid: boxes and rays as a look at every box`, 900, (rng, i) => {
    const make = REGIMES[NAMES[i % NAMES.length]!]!;
    const boxes = Array.from({ length: rng.pick([0, 1, 2, 5, 60, 200]) }, () => make(rng));
    const grid = new BoxGrid(boxes.flat(), options);
    check(grid.size === boxes.length, 'size');
    for (let k = 0; k < 4; k++) compareBoxIndex(grid, boxes, rng, make(rng));
  });

/** What is no box: a bent strip of two triangles, in whose box a ray often meets nothing, or something later. */
function bentStrip(rng: Rng): Vec3[] {
  const a = rng.vec(4);
  const near = () => vec3(a.x + rng.range(-2, 2), a.y + rng.range(-2, 2), a.z + rng.range(-2, 2));
  return [a, near(), near(), near()];
}

function hitStrip(ray: Ray, [a, b, c, d]: readonly Vec3[]): number {
  const s = rayTriangle(ray, a!, b!, c!)?.t ?? Infinity;
  const t = rayTriangle(ray, b!, c!, d!)?.t ?? Infinity;
  return Math.min(s, t);
}

property(
  '[R7.4.2] the nearest hit of bent strips: a hit beyond the cell is kept, and not final (Trap 15)',
  1500,
  (rng) => {
    const strips = Array.from({ length: 40 }, () => bentStrip(rng));
    const boxes = strips.flatMap((points) => {
      const of = (axis: 'x' | 'y' | 'z') => points.map((p) => p[axis]);
      return [
        Math.min(...of('x')),
        Math.min(...of('y')),
        Math.min(...of('z')),
        Math.max(...of('x')),
        Math.max(...of('y')),
        Math.max(...of('z')),
      ];
    });
    const grid = new BoxGrid(boxes, { depth: rng.int(1, 3), split: 8, cell: rng.pick([undefined, 0.5, 2]) });
    const ray = { origin: rng.vec(8), direction: rng.direction() };
    let best = Infinity;
    let nearest = -1;
    let tests = 0;
    grid.searchRay(ray, Infinity, (id) => {
      tests++;
      const t = hitStrip(ray, strips[id]!);
      if (t < best || (t === best && id < nearest)) [best, nearest] = [t, id];
      return best;
    });
    const all = strips.map((strip) => hitStrip(ray, strip));
    check(best === Math.min(...all), () => `${best} and not ${Math.min(...all)}`);
    check(best === Infinity || nearest === all.indexOf(best), 'which');
    check(tests <= strips.length, 'each strip once');
  },
);

test('[R7.2.3] 10,000 equal boxes, and 10,000 with a few large ones: neither time nor memory goes out of bounds', () => {
  const equal = Array.from({ length: 10_000 }, () => [1, 2, 3, 2, 2, 4]).flat();
  const grid = new BoxGrid(equal, { depth: 3, split: 4 });
  expect(grid.counts).toEqual({ cells: 1, entries: 10_000, grids: 1 });
  let told = 0;
  grid.searchBox(recordOf([2, 2, 4, 9, 9, 9]), () => void told++);
  expect(told).toBe(10_000);
  const rng = new Rng(4);
  const mixed = Array.from({ length: 10_000 }, (_, i) =>
    six(rng.range(0, 9), rng.range(0, 9), rng.range(0, 9), i % 20 === 0 ? 5 : 0.01),
  );
  expect(new BoxGrid(mixed.flat()).counts.entries).toBeLessThan(400_000);
});

test('[R7.2.3] a cluster in a large place has a grid of its own', () => {
  const rng = new Rng(4);
  const boxes = Array.from({ length: 4000 }, (_, i) =>
    i < 40
      ? six(rng.range(-1e3, 1e3), rng.range(-1e3, 1e3), 0, 1)
      : six(rng.unit(), rng.unit(), rng.unit(), 0.01),
  );
  const [flat, deep] = [1, 2].map((depth) => new BoxGrid(boxes.flat(), { depth }));
  expect(flat!.counts.grids).toBe(1);
  expect(deep!.counts.grids).toBeGreaterThan(1);
  for (const grid of [flat!, deep!])
    for (let k = 0; k < 20; k++) compareBoxIndex(grid, boxes, rng, six(rng.unit(), rng.unit(), 0, 0.1));
});

test('BoxGrid: visitors may search and end a search; what cannot be meant is refused', () => {
  const boxes = Array.from({ length: 27 }, (_, i) => six(i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9), 1));
  const grid = new BoxGrid(boxes.flat());
  const ray = { origin: vec3(-1, 0.5, 0.5), direction: vec3(1, 0, 0) };
  const told: number[] = [];
  grid.searchRay(ray, 99, (id, t) => {
    told.push(id, t);
    grid.searchRay(ray, 99, () => -1);
    grid.searchBox(recordOf(boxes[id]!), () => false);
  });
  expect(told).toEqual([0, 1, 1, 2, 2, 3]);
  let count = 0;
  grid.searchRay(ray, 99, () => {
    count++;
    return -1;
  });
  grid.searchBox(recordOf([-9, -9, -9, 9, 9, 9]), () => {
    count++;
    return false;
  });
  expect(count).toBe(2);
  expect(() => new BoxGrid([0, 0, 0, 1, 1])).toThrow(/BoxGrid: boxes/);
  expect(() => new BoxGrid([0, 0, 0, -1, 1, 1])).toThrow(/min <= max/);
  expect(() => new BoxGrid([0, 0, 0, Number.NaN, 1, 1])).toThrow(/BoxGrid: boxes\[3\]/);
  expect(() => new BoxGrid([0, 0, 0, 1e9, 1, 1e9], { cell: 1 })).toThrow(/options.cell makes a grid/);
  expect(() => new BoxGrid([], { depth: 9 })).toThrow(/options.depth/);
  expect(() => grid.searchRay(ray, -1, () => {})).toThrow(/tMax/);
});

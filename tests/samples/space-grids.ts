/** Sample calls of grids. */
import { vec3 } from '../../src/math/types.ts';
import { PointGrid } from '../../src/space/index.ts';
import type { Sample } from '../kit/sample.ts';

const p = vec3(0.5, 0.25, 0.75);
const box = { min: vec3(0.5, 0.25, 0.75), max: vec3(1.75, 2.5, 1.5) };
const lattice = Float64Array.from({ length: 192 }, (_, i) => {
  const n = Math.floor(i / 3);
  return [n % 4, (n >> 2) % 4, n >> 4][i % 3]!;
});

function samplesOfPointGrid(): Sample[] {
  const grid = new PointGrid(lattice);
  const kNearest = (at: typeof p, maxDistance: number, out?: number[]): number =>
    grid.kNearest(at, 3, out ?? [], maxDistance);
  return [
    { fn: (points: Float64Array): PointGrid => new PointGrid(points), args: { points: lattice } },
    { fn: (cell: number): PointGrid => new PointGrid(lattice, { cell }), args: { 'options.cell': 0.5 } },
    { fn: (points: Float64Array): void => grid.rebuild(points), args: { points: lattice } },
    { fn: (around: typeof box): void => grid.range(around, () => {}), args: { box } },
    {
      fn: (at: typeof p, radius: number): void => grid.within(at, radius, () => {}),
      args: { p, radius: 1.5 },
      mayBeInfinite: ['radius'],
    },
    {
      fn: (at: typeof p, maxDistance: number): number => grid.nearest(at, maxDistance),
      args: { p, maxDistance: 2.5 },
      mayBeInfinite: ['maxDistance'],
    },
    { fn: kNearest, args: { p, maxDistance: 2.5 }, mayBeInfinite: ['maxDistance'], out: [0, 0, 0] },
    {
      fn: (radius: number): void => grid.pairsWithin(radius, () => {}),
      args: { radius: 0.75 },
      mayBeInfinite: ['radius'],
    },
  ];
}

export const samples: Sample[] = [...samplesOfPointGrid()];

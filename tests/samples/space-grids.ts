/** Sample calls of grids. */
import { vec3 } from '../../src/math/types.ts';
import { CountedGrid, pairIndex, UniformGrid } from '../../src/rtcd/index.ts';
import { BoxGrid, PointGrid, StaticTree, suggestCellSize, walkGrid } from '../../src/space/index.ts';
import type { Sample } from '../kit/sample.ts';

const p = vec3(0.5, 0.25, 0.75);
const box = { min: vec3(0.5, 0.25, 0.75), max: vec3(1.75, 2.5, 1.5) };
const lattice = Float64Array.from({ length: 192 }, (_, i) => {
  const n = Math.floor(i / 3);
  return [n % 4, (n >> 2) % 4, n >> 4][i % 3]!;
});

const list = { ids: new Int32Array(64) };

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
    { fn: (around: typeof box): number => grid.collectRange(around, list), args: { box } },
    {
      fn: (at: typeof p, radius: number): number => grid.collectWithin(at, radius, list),
      args: { p, radius: 1.5 },
      mayBeInfinite: ['radius'],
    },
    {
      fn: (at: typeof p, maxDistance: number): number => grid.nearest(at, maxDistance),
      args: { p, maxDistance: 2.5 },
      mayBeInfinite: ['maxDistance'],
    },
    {
      fn: kNearest,
      args: { p, maxDistance: 2.5 },
      mayBeInfinite: ['maxDistance'],
      out: [0, 0, 0],
      boxes: 80,
    },
    {
      fn: (radius: number): void => grid.pairsWithin(radius, () => {}),
      args: { radius: 0.75 },
      mayBeInfinite: ['radius'],
    },
  ];
}

const boxes = Float64Array.from({ length: 384 }, (_, i) => {
  const n = Math.floor(i / 6);
  return [n % 4, (n >> 2) % 4, n >> 4][i % 3]! + (i % 6 > 2 ? 0.75 : 0);
});
const ray = { origin: vec3(-1.5, 0.5, 0.75), direction: vec3(1.5, 0.25, 0.5) };

function samplesOfStaticTree(): Sample[] {
  const tree = new StaticTree(boxes);
  const kNearest = (at: typeof p, maxDistance: number, out?: number[]): number =>
    tree.kNearest(at, 3, out ?? [], maxDistance);
  return [
    { fn: (all: Float64Array): StaticTree => new StaticTree(all), args: { boxes } },
    { fn: (around: typeof box): void => tree.searchBox(around, () => {}), args: { box } },
    { fn: (around: typeof box): number => tree.collectBox(around, list), args: { box } },
    {
      fn: (along: typeof ray, tMax: number): void => tree.searchRay(along, tMax, () => {}),
      args: { ray, tMax: 9 },
      mayBeInfinite: ['tMax'],
    },
    {
      fn: (at: typeof p, maxDistance: number): number => tree.nearest(at, maxDistance),
      args: { p, maxDistance: 2.5 },
      mayBeInfinite: ['maxDistance'],
    },
    {
      fn: kNearest,
      args: { p, maxDistance: 2.5 },
      mayBeInfinite: ['maxDistance'],
      out: [0, 0, 0],
      boxes: 80,
    },
  ];
}

function samplesOfBoxGrid(): Sample[] {
  const grid = new BoxGrid(boxes);
  return [
    { fn: (all: Float64Array): BoxGrid => new BoxGrid(all), args: { boxes } },
    { fn: (cell: number): BoxGrid => new BoxGrid(boxes, { cell }), args: { 'options.cell': 0.5 } },
    { fn: (around: typeof box): void => grid.searchBox(around, () => {}), args: { box } },
    {
      fn: (along: typeof ray, tMax: number): void => grid.searchRay(along, tMax, () => {}),
      args: { ray, tMax: 9 },
      mayBeInfinite: ['tMax'],
    },
    { fn: suggestCellSize, args: { boxes } },
    { fn: walkGrid, args: { a: vec3(0.5, 0.5, 0.5), b: vec3(3.5, 2, 1), cell: 1, visit: () => {} } },
  ];
}

function samplesOfShelf(): Sample[] {
  return [
    { fn: pairIndex, args: { a: 3, b: 5, n: 9 } },
    { fn: (cell: number): UniformGrid => new UniformGrid({ cell }), args: { 'options.cell': 0.5 } },
    { fn: (cell: number): CountedGrid => new CountedGrid({ cell }), args: { 'options.cell': 0.5 } },
  ];
}

export const samples: Sample[] = [
  ...samplesOfShelf(),
  ...samplesOfPointGrid(),
  ...samplesOfBoxGrid(),
  ...samplesOfStaticTree(),
];

/** Sample calls of octrees, k-d trees, cells and portals. */
import { vec3 } from '../../src/math/types.ts';
import {
  CellsAndPortals,
  cellOfCode,
  childCode,
  decodeMorton2,
  decodeMorton3,
  decodeMortonWide3,
  depthOfCode,
  KdTree,
  LinearOctree,
  locationalCode,
  locationalCodeAt,
  morton2,
  morton3,
  mortonWide3,
  type PointIndex,
  parentCode,
} from '../../src/space/index.ts';
import type { Sample } from '../kit/sample.ts';

const p = vec3(0.5, 0.25, 0.75);
const q = vec3(-0.5, 0.25, 0.5);

function samplesOfPortals(): Sample[] {
  const polygon = [vec3(0, -1, -1), vec3(0, 1, -1), vec3(0, 1, 1), vec3(0, -1, 1)];
  const world = new CellsAndPortals(
    [{ planes: [{ normal: vec3(1, 0, 0), d: 0 }] }, { planes: [{ normal: vec3(-1, 0, 0), d: 0 }] }],
    [{ a: 0, b: 1, polygon }],
  );
  world.add(1, { center: p, radius: 0.25 });
  const contains = (point: typeof p): boolean => world.contains(1, point);
  const locate = (point: typeof p): number => world.locate(point);
  const track = (from: typeof p, to: typeof p): number => world.track(1, from, to);
  const moveSphere = (volume: { center: typeof p; radius: number }): number => world.move(1, volume);
  const reached = (volume: { min: typeof p; max: typeof p }): number[] => world.reached(1, volume);
  return [
    { fn: contains, args: { point: p } },
    { fn: locate, args: { point: p } },
    { fn: track, args: { from: p, to: q } },
    { fn: moveSphere, args: { volume: { center: p, radius: 0.25 } } },
    { fn: reached, args: { volume: { min: vec3(0.25, 0.25, 0.25), max: p } } },
  ];
}

const points = Float64Array.from({ length: 300 }, (_, i) => ((i * 7919) % 101) / 50);

/** Methods as functions, so that their arguments can be spoilt one by one. */
function samplesOfPoints(index: PointIndex): Sample[] {
  const range = (box: { min: typeof p; max: typeof p }): void => index.range(box, () => {});
  const within = (center: typeof p, radius: number): void => index.within(center, radius, () => {});
  const nearest = (center: typeof p, maxDistance: number): number => index.nearest(center, maxDistance);
  const kNearest = (center: typeof p, k: number): number => index.kNearest(center, k, []);
  return [
    { fn: range, args: { box: { min: vec3(0.25, 0.25, 0.25), max: vec3(1, 1.25, 1.5) } } },
    { fn: within, args: { p, radius: 0.5 }, mayBeInfinite: ['radius'] },
    { fn: nearest, args: { p, maxDistance: 0.5 }, mayBeInfinite: ['maxDistance'] },
    { fn: kNearest, args: { p, k: 3 } },
  ];
}

function samplesOfKdTree(): Sample[] {
  const makeKdTree = (list: Float64Array): KdTree => new KdTree(list);
  const tree = new KdTree(points);
  const locate = (at: typeof p): Int32Array => tree.locate(at);
  const list = { ids: new Int32Array(64) };
  const collectRange = (box: { min: typeof p; max: typeof p }): number => tree.collectRange(box, list);
  const collectWithin = (center: typeof p, radius: number): number =>
    tree.collectWithin(center, radius, list);
  return [
    { fn: makeKdTree, args: { points: points.slice(0, 9) } },
    { fn: locate, args: { p } },
    { fn: collectRange, args: { box: { min: vec3(0.25, 0.25, 0.25), max: vec3(1, 1.25, 1.5) } } },
    { fn: collectWithin, args: { p, radius: 0.5 }, mayBeInfinite: ['radius'] },
    ...samplesOfPoints(tree),
  ];
}

function samplesOfLinearOctree(): Sample[] {
  const tree = new LinearOctree({ min: vec3(), max: vec3(2, 2, 2) });
  for (let i = 0; i < 100; i++) tree.add(i, vec3(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!));
  const makeLinearOctree = (box: { min: typeof p; max: typeof p }): LinearOctree => new LinearOctree(box);
  const move = (at: typeof p): void => tree.move(5, at);
  return [
    { fn: makeLinearOctree, args: { box: { min: vec3(0.25, 0.25, 0.25), max: vec3(1, 1.25, 1.5) } } },
    { fn: move, args: { p } },
    ...samplesOfPoints(tree),
  ];
}

const codes: Sample[] = [
  { fn: morton2, args: { x: 5, y: 6 } },
  { fn: decodeMorton2, args: { code: 57 }, out: { x: 0, y: 0 } },
  { fn: morton3, args: { x: 5, y: 6, z: 7 } },
  { fn: decodeMorton3, args: { code: 57 }, out: vec3() },
  { fn: mortonWide3, args: { x: 5, y: 6, z: 7 }, out: { high: 0, low: 0 } },
  { fn: decodeMortonWide3, args: { words: { high: 5, low: 7 } }, out: vec3() },
  { fn: locationalCode, args: { x: 5, y: 6, z: 7, depth: 4 } },
  { fn: locationalCodeAt, args: { p, box: { min: vec3(), max: vec3(2, 2, 2) }, depth: 4 } },
  { fn: parentCode, args: { code: 8 + 5 } },
  { fn: childCode, args: { code: 8 + 5, octant: 3 } },
  { fn: depthOfCode, args: { code: 8 + 5 } },
  { fn: cellOfCode, args: { code: 8 + 5 }, out: vec3() },
];

export const samples: Sample[] = [
  ...samplesOfPortals(),
  ...samplesOfKdTree(),
  ...samplesOfLinearOctree(),
  ...codes,
];

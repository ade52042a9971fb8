/** Sample calls of the broad phases that sort and that divide space. */

import {
  BitGrid,
  DynamicTree,
  HierarchicalGrid,
  IncrementalSweep,
  LooseOctree,
  makePairList,
  SortAndSweep,
  validateDynamicTree,
} from '../../src/broadphase/index.ts';
import { vec3 } from '../../src/math/types.ts';
import type { Sample } from '../kit/sample.ts';

const box = { min: vec3(0.5, 0.25, 0.75), max: vec3(1.75, 2.5, 1.5) };
const ray = { origin: vec3(-1.5, 0.5, 0.75), direction: vec3(1.5, 0.25, 0.5) };

/** Methods as functions, so that their arguments can be spoilt one by one. */
function samplesOf(
  finder: SortAndSweep | HierarchicalGrid | LooseOctree | IncrementalSweep | BitGrid,
): Sample[] {
  for (let i = 0; i < 64; i++) {
    const [x, y, z] = [(i % 4) + 0.25, ((i >> 2) % 4) + 0.25, (i >> 4) + 0.25] as const;
    finder.add(i, { min: vec3(x, y, z), max: vec3(x + 0.75, y + 0.75, z + 0.75) });
  }
  const addAndRemove = (at: typeof box): void => {
    finder.add(99, at);
    finder.remove(99);
  };
  const move = (at: typeof box): void => finder.move(7, at);
  const moveMany = (boxes: Float64Array): void => finder.moveMany([3], boxes);
  const searchBox = (at: typeof box): void => finder.searchBox(at, () => {});
  const searchRay = (along: typeof ray, tMax: number): void => finder.searchRay(along, tMax, () => {});
  return [
    { fn: addAndRemove, args: { box } },
    { fn: move, args: { box } },
    { fn: moveMany, args: { boxes: Float64Array.of(0.5, 0.5, 0.5, 1.5, 1.5, 1.5) } },
    { fn: searchBox, args: { box } },
    { fn: searchRay, args: { ray, tMax: 9 }, mayBeInfinite: ['tMax'] },
  ];
}

export const samples: Sample[] = [
  { fn: makePairList, args: {} },
  { fn: validateDynamicTree, args: { tree: new DynamicTree() }, trusted: ['tree'] },
  ...samplesOf(new SortAndSweep()),
  ...samplesOf(new HierarchicalGrid()),
  ...samplesOf(new IncrementalSweep()),
  ...samplesOf(new BitGrid({ cell: 1 })),
  { fn: (cell: number): BitGrid => new BitGrid({ cell }), args: { 'options.cell': 0.5 } },
  {
    fn: (at: typeof box): boolean => new BitGrid({ cell: 1 }).isSurelyEmpty(at),
    args: { box },
  },
  ...samplesOf(new LooseOctree()),
];

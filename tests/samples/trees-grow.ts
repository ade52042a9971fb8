/** Sample calls of the dynamic tree. The ways to build that grow trees are samples of `buildTree`. */

import { DynamicTree } from '../../src/broadphase/index.ts';
import { vec3 } from '../../src/math/types.ts';
import { makeAabb } from '../../src/primitives/types.ts';
import type { Sample } from '../kit/sample.ts';

const tree = new DynamicTree({ slack: 0.25 });
tree.insertMany(
  Array.from({ length: 64 }, (_, i) => [i % 4, (i >> 2) % 4, i >> 4].flatMap((c) => c + 0.25)).flatMap(
    (p) => [...p, ...p.map((c) => c + 0.75)],
  ),
);
const box = { min: vec3(0.5, 0.25, 0.75), max: vec3(1.75, 2.5, 1.5) };
const far = { min: vec3(8.5, 8.25, 8.75), max: vec3(9.75, 9.5, 9.5) };
const p = vec3(0.5, 2.25, 1.5);
const ray = { origin: vec3(-1.5, 0.5, 0.75), direction: vec3(1.5, 0.25, 0.5) };

/** A method as a function, so that its arguments can be spoilt one by one. */
const insertAndRemove = (box: Parameters<DynamicTree['insert']>[0], data: number): void =>
  tree.remove(tree.insert(box, data));
const insertMany = (boxes: number[]): Uint32Array => new DynamicTree().insertMany(boxes);
const query = (at: typeof box, out: number[]): number[] => tree.query(at, out);
const nearest = (at: typeof p, k: number, out: number[]): number[] => tree.nearest(at, k, out);
const boxOf = (proxy: number, out: typeof box): typeof box => tree.box(proxy, out);
const fatBoxOf = (proxy: number, out: typeof box): typeof box => tree.fatBox(proxy, out);
const raycast = (ray: Parameters<DynamicTree['raycast']>[0], tMax: number): void =>
  tree.raycast(ray, tMax, () => {});
/** There and back, so that it is put in anew each time. */
const move = (proxy: number, box: typeof far, displacement: typeof p, home: typeof far): boolean => {
  tree.move(proxy, box, displacement);
  return tree.move(proxy, home, displacement);
};

export const samples: Sample[] = [
  { fn: insertAndRemove, args: { box, data: 7 } },
  { fn: insertMany, args: { boxes: [0.5, 0.5, 0.5, 1.5, 1.5, 1.5] } },
  { fn: query, args: { box }, out: [] },
  { fn: nearest, args: { p, k: 3 }, out: [] },
  { fn: boxOf, args: { proxy: 5 }, out: makeAabb() },
  { fn: fatBoxOf, args: { proxy: 5 }, out: makeAabb() },
  { fn: raycast, args: { ray, tMax: 9 }, mayBeInfinite: ['tMax'] },
  { fn: move, args: { proxy: 5, box: far, displacement: vec3(0.5, 0.25, 0) }, out: structuredClone(box) },
];

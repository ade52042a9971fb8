/** Which of two overlapping nodes a search of two hierarchies opens. RTCD §6.3.1, §6.3.3. */
import { describe, refuse } from '../math/check.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, Obb, Sphere } from '../primitives/types.ts';
import { type Kdop, kdopAxes } from '../volumes/kdop.ts';
import type { VolumeOps } from '../volumes/volume.ts';
import type { Tree } from './tree.ts';

/** Open the node of a, the node of b, or both: then every child of one meets every child of the other. */
export type Descent = 'a' | 'b' | 'both';

/**
 * The rule by which the search chooses. It is only asked about two nodes with children: a leaf is never opened.
 *
 * - `a`, `b`: that one down to its leaves, then the other;
 * - `larger`: the one with the larger volume, by `measure`, and of equal ones that with more below it;
 * - `both`: both at once;
 * - `alternate`: a and b in turn;
 * - `overlap`: the larger, and of its children the one that overlaps the other most comes first;
 * - your own: given the volumes (a's, and b's in the space of a; do not keep them), the nodes and how deep they are.
 */
export type DescentRule<V> =
  | 'a'
  | 'b'
  | 'larger'
  | 'both'
  | 'alternate'
  | 'overlap'
  | ((a: Readonly<V>, b: Readonly<V>, nodeA: number, nodeB: number, depth: number) => Descent);

/** What makes a volume large: its volume, its surface, or its longest side (of a sphere, the diameter). */
export type SizeMeasure = 'volume' | 'area' | 'side';

/**
 * Surfaces, because flat things have no volume; for k-DOPs sides, because their surface takes longer than many tests.
 */
const usual = (kind: string): SizeMeasure => (kind.startsWith('kdop') ? 'side' : 'area');

/**
 * The function that measures a volume.
 *
 * @internal
 */
export function measureOf<V>(
  caller: string,
  ops: VolumeOps<V>,
  measure: SizeMeasure = usual(ops.kind),
): (volume: V) => number {
  if (measure === 'volume') return ops.volume;
  if (measure === 'area') return ops.area;
  if (measure !== 'side')
    refuse(caller, 'options.measure', `must be volume, area or side, got ${describe(measure)}`);
  switch (ops.kind) {
    case 'aabb':
      return (box) => {
        const { min, max } = box as Aabb;
        return Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
      };
    case 'sphere':
      return (sphere) => 2 * (sphere as Sphere).radius;
    case 'obb':
      return (box) => {
        const { x, y, z } = (box as Obb).halfSize;
        return 2 * Math.max(x, y, z);
      };
  }
  if (ops.kind.startsWith('kdop')) return (kdop) => sideOfKdop(kdop as Kdop);
  return (volume) => Math.sqrt(ops.area(volume));
}

function sideOfKdop({ sides, min, max }: Kdop): number {
  const axes = kdopAxes(sides);
  let longest = 0;
  for (let i = 0; i < axes.length; i++)
    longest = Math.max(longest, (max[i]! - min[i]!) / v3.length(axes[i]!));
  return longest;
}

/**
 * The size of node `node`.
 *
 * @internal
 */
export function nodeMeasure<V>(tree: Tree<V>, measure: (volume: V) => number): (node: number) => number {
  const { ops, volumes } = tree;
  const stride = ops.byteSize / 4;
  const volume = ops.make();
  return (node) => measure(ops.load(volumes, node * stride, volume));
}

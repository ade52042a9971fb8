/** Where items are, for builders that sort them by their middles. */

import type { Aabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import type { TreeItems } from './tree.ts';

/**
 * The middles of the boxes, x, y, z of one after the other.
 *
 * @internal
 */
export function centersOf({ count, bounds }: TreeItems): Float64Array {
  const centers = new Float64Array(3 * count);
  for (let i = 0; i < count; i++)
    for (let axis = 0; axis < 3; axis++)
      centers[3 * i + axis] = 0.5 * bounds[6 * i + axis]! + 0.5 * bounds[6 * i + 3 + axis]!;
  return centers;
}

/**
 * The box around the centers of the items at begin … end - 1 of the order.
 *
 * @internal
 */
export function boundCenters(
  centers: Float64Array,
  order: Uint32Array,
  begin: number,
  end: number,
  out: Aabb = makeAabb(),
): Aabb {
  let [x0, y0, z0, x1, y1, z1] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = begin; i < end; i++) {
    const at = 3 * order[i]!;
    const x = centers[at]!;
    const y = centers[at + 1]!;
    const z = centers[at + 2]!;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  out.min.x = x0;
  out.min.y = y0;
  out.min.z = z0;
  out.max.x = x1;
  out.max.y = y1;
  out.max.z = z1;
  return out;
}

/**
 * The coordinate axis (0, 1, 2) along which a box is longest; the first of equals.
 *
 * @internal
 */
export function longestAxis({ min, max }: Aabb): 0 | 1 | 2 {
  const x = max.x - min.x;
  const y = max.y - min.y;
  const z = max.z - min.z;
  if (x >= y && x >= z) return 0;
  return y >= z ? 1 : 2;
}

/** Skinned meshes for tests, small ones. */

import { skinned } from '../../src/shapes/skinned.ts';
import type { SkinnedShape, SkinSource } from '../../src/skinned/index.ts';

/** Column by column. */
export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** A mesh that two joints share, evenly: it stays as it is, until one of them moves. */
export function twoJoints(positions: ArrayLike<number>, index?: ArrayLike<number>): SkinnedShape {
  const count = positions.length / 3;
  return skinned({
    positions,
    index,
    joints: Array.from({ length: 2 * count }, (_, i) => i % 2),
    weights: new Array(2 * count).fill(0.5),
    jointsPerVertex: 2,
    inverseBindMatrices: [...IDENTITY, ...IDENTITY],
  } satisfies SkinSource);
}

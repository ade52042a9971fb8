/** One table: the algorithm for every pair of shapes. */
import type { Shape } from '../../shapes/shape.ts';
import { compoundWith } from './compound.ts';
import { convexConvex } from './convex-convex.ts';
import { convexSurface } from './convex-surface.ts';
import { convexHalfSpace, halfSpaceHalfSpace, surfaceHalfSpace } from './half-space.ts';
import { flipped, type PairAlgorithm } from './pair.ts';
import { surfaceSurface } from './surface-surface.ts';

/** The families of shapes: within one, the same algorithm does for all kinds. */
const CONVEX = 0;
const HALF_SPACE = 1;
const SURFACE = 2;
const COMPOUND = 3;

function familyOf({ kind }: Shape): number {
  switch (kind) {
    case 'halfSpace':
      return HALF_SPACE;
    case 'mesh':
    case 'heightField':
      return SURFACE;
    case 'compound':
      return COMPOUND;
    default:
      return CONVEX;
  }
}

/** The algorithm for two shapes, in this order. @internal */
export const algorithmFor = (a: Shape, b: Shape): PairAlgorithm => TABLE[4 * familyOf(a) + familyOf(b)]!;

const compound = compoundWith((a, b) => algorithmFor(a, b));

/** By the family of the first and of the second. */
const TABLE = [
  [convexConvex, convexHalfSpace, convexSurface, flipped(compound)],
  [flipped(convexHalfSpace), halfSpaceHalfSpace, flipped(surfaceHalfSpace), flipped(compound)],
  [flipped(convexSurface), surfaceHalfSpace, surfaceSurface, flipped(compound)],
  [compound, compound, compound, compound],
].flat() as unknown as readonly PairAlgorithm[];

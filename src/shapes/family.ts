/**
 * A shape brings its algorithms with it. Convex shapes share those that the queries have at hand; all others carry a record of
 * their family, put there by the factory that makes them. So a bundle has only the algorithms of the shapes that it makes.
 *
 *   rank 0  convex shapes     (the queries themselves)
 *   rank 1  half-spaces       pairs/half-space.ts
 *   rank 2  meshes and height fields   pairs/convex-surface.ts, pairs/surface-surface.ts
 *   rank 3  skinned meshes    skinned-family.ts
 *   rank 4  fields            fields/field-pair.ts
 *   rank 5  compounds         pairs/compound.ts
 *
 * Of two shapes, the one of the higher rank has the algorithm for both.
 */
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyRay } from '../primitives/types.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import type { BodyContext } from './one-body/body-context.ts';
import type { PairAlgorithm } from './pairs/pair.ts';
import type { Shape } from './shape.ts';

/** What can be asked of one shape, in its own space. */
export interface ShapeFamily<S extends Shape = Shape> {
  readonly rank: 1 | 2 | 3 | 4 | 5;
  /** For a shape of this family and another, by the rank of the other. */
  readonly first: readonly PairAlgorithm[];
  /** For another shape and one of this family, by the rank of the other. */
  readonly second: readonly PairAlgorithm[];
  /** Does the ray hit it until `context.limit`? Fills `context.found` or `context.all`, as `context.mode` says. */
  raycast(shape: S, ray: ReadonlyRay, context: BodyContext): boolean;
  /** Its point closest to p, if it is within `context.limit`. Fills `context.found`. */
  closestPoint(shape: S, p: ReadonlyVec3, context: BodyContext): boolean;
  contains(shape: S, p: ReadonlyVec3, context: BodyContext): boolean;
  signedDistance(shape: S, p: ReadonlyVec3, context: BodyContext): number;
}

/** Of a shape that is not convex. */
export const familyOf = <S extends Shape>(shape: S): ShapeFamily<S> =>
  (shape as { readonly [FAMILY]?: unknown })[FAMILY] as ShapeFamily<S>;

const rankOf = (shape: Shape): number => ('core' in shape ? 0 : familyOf(shape).rank);

/** The algorithm for two shapes, at least one of which is not convex. */
export function algorithmFor(a: Shape, b: Shape): PairAlgorithm {
  const first = rankOf(a);
  const second = rankOf(b);
  return first >= second ? familyOf(a).first[second]! : familyOf(b).second[first]!;
}

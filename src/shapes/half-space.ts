/** Everything on one side of a plane. */
import { checkPoint, mustBeCoordinate, refuse } from '../math/check.ts';
import { mustNotBeBeyond } from '../math/size-range.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import { HALF_SPACE } from './families.ts';
import type { HalfSpaceShape } from './shape.ts';

/**
 * The solid of all points x with normal · x <= d: the ground, with `halfSpace({ x: 0, y: 1, z: 0 })`. The normal points
 * out of it and need not be a unit vector, but must not be zero; `d` is in its units. O(1).
 */
export function halfSpace(normal: ReadonlyVec3, d = 0): HalfSpaceShape {
  checkPoint('halfSpace', 'normal', normal);
  mustBeCoordinate('halfSpace', 'd', d);
  const length = v3.length(normal);
  const unit = v3.normalize(normal);
  if (length === 0) refuse('halfSpace', 'normal', 'must not be zero');
  const distance = length === 1 ? d : d / length;
  if (distance * 0 !== 0) refuse('halfSpace', 'd', 'must not be that much larger than the normal');
  mustNotBeBeyond('halfSpace', 'd', distance);
  return { kind: 'halfSpace', normal: unit, d: distance, [FAMILY]: HALF_SPACE };
}

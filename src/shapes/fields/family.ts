/** The algorithms that fields bring along: see `shapes/family.ts`. */
import type { ShapeFamily } from '../family.ts';
import type { PairAlgorithm } from '../pairs/pair.ts';
import type { FieldShape } from '../shape.ts';
import { closestPointField, fieldContains, raycastField, signedDistanceField } from './field-body.ts';
import { anyField, fieldAny, fieldField } from './field-pair.ts';

export const FIELD: Readonly<ShapeFamily<FieldShape>> = {
  rank: 4,
  first: [fieldAny, fieldAny, fieldAny, fieldAny, fieldField] as unknown as readonly PairAlgorithm[],
  second: [anyField, anyField, anyField, anyField] as unknown as readonly PairAlgorithm[],
  raycast: raycastField,
  closestPoint: closestPointField,
  contains: fieldContains,
  signedDistance: signedDistanceField,
};

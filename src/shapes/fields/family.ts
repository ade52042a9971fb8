/** The algorithms that fields bring along: see `shapes/family.ts`. */
import type { ShapeFamily } from '../family.ts';
import { flipped, type PairAlgorithm } from '../pairs/pair.ts';
import type { FieldShape } from '../shape.ts';
import { closestPointField, fieldContains, raycastField, signedDistanceField } from './field-body.ts';
import { fieldAny } from './field-pair.ts';

const anyField = /* @__PURE__ */ flipped(fieldAny);

export const FIELD: Readonly<ShapeFamily<FieldShape>> = {
  rank: 4,
  first: [fieldAny, fieldAny, fieldAny, fieldAny, fieldAny] as unknown as readonly PairAlgorithm[],
  second: [anyField, anyField, anyField, anyField] as unknown as readonly PairAlgorithm[],
  raycast: raycastField,
  closestPoint: closestPointField,
  contains: fieldContains,
  signedDistance: signedDistanceField,
};

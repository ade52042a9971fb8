/** Rays and points against boxes. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import { rayAabbKernel } from '../../primitives/ray/ray-aabb.ts';
import { type Hit, makeAabb, type ReadonlyRay } from '../../primitives/types.ts';
import type { ConvexShape } from '../shape.ts';
import type { BodyContext, CorePoint } from './body-context.ts';
import { type ConvexForm, isInConvex, measure } from './convex-form.ts';
import { rayRounded } from './ray-rounded.ts';

const box = makeAabb();

function rayBox(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  const { data, radius } = shape.core;
  if (radius > 0) return rayRounded(shape, ray, context, out);
  loadBox(data, context);
  return rayAabbKernel(null, ray, box, Infinity, out);
}

/** A flat box is made as thick as rounding, on all sides. */
function loadBox(data: Float64Array, { within }: BodyContext): void {
  const { min, max } = box;
  const more = Math.min(data[0]!, data[1]!, data[2]!) <= within ? within : 0;
  max.x = data[0]! + more;
  max.y = data[1]! + more;
  max.z = data[2]! + more;
  min.x = -max.x;
  min.y = -max.y;
  min.z = -max.z;
}

function nearestOnBox({ core }: ConvexShape, p: ReadonlyVec3, { nearest: out }: BodyContext): CorePoint {
  const { data } = core;
  out.x = Math.max(-data[0]!, Math.min(p.x, data[0]!));
  out.y = Math.max(-data[1]!, Math.min(p.y, data[1]!));
  out.z = Math.max(-data[2]!, Math.min(p.z, data[2]!));
  return measure(p, out);
}

const depthInBox = ({ core: { data } }: ConvexShape, { x, y, z }: ReadonlyVec3): number =>
  Math.max(0, Math.min(data[0]! - Math.abs(x), data[1]! - Math.abs(y), data[2]! - Math.abs(z)));

export const BOX_FORM: ConvexForm = {
  ray: rayBox,
  nearest: nearestOnBox,
  contains: isInConvex,
  depth: depthInBox,
};

/**
 * Rays and segments against solid cylinders. The line is cut by the tube and by the planes of the two ends, and what
 * is left is entered by one of them: a start inside, an entry through an end, and an end of the segment need no cases
 * of their own. RTCD §5.3.7. Whether a rim or a side is grazed is a matter of rounding.
 */

import { checkTube, refuse } from '../../math/check.ts';
import { RAY_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { checkRayUpTo, checkSegment } from '../input.ts';
import type { Hit, ReadonlyCylinder, ReadonlyRay } from '../types.ts';
import { makeRay } from '../types.ts';
import type { Found } from './hit.ts';
import { rayBetween, report, startInside } from './hit.ts';
import { raySphereKernel } from './ray-sphere.ts';
import { clipTube, hasAxis, makeTubeSpan } from './tube.ts';

const segment = makeRay();
const span = makeTubeSpan();
const found: Found = { t: 0, normal: span.normal };
const point: { center: ReadonlyVec3; radius: number } = { center: span.axis, radius: 0 };

/**
 * Where a ray hits a solid cylinder, on its side or its flat ends. A cylinder of length zero has no axis, and only the
 * point a is in it for certain: that is what is tested.
 */
export function rayCylinder(
  ray: ReadonlyRay,
  cylinder: ReadonlyCylinder,
  tMax = Infinity,
  out?: Hit,
): Hit | null {
  checkRayUpTo('rayCylinder', ray, tMax);
  checkTube('rayCylinder', 'cylinder', cylinder);
  return rayCylinderKernel(ray, cylinder, tMax, out);
}

/** Where the segment from p to q hits a solid cylinder, with t in [0, 1]. See `rayCylinder`. */
export function segmentCylinder(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  cylinder: ReadonlyCylinder,
  out?: Hit,
): Hit | null {
  checkSegment('segmentCylinder', p, q);
  checkTube('segmentCylinder', 'cylinder', cylinder);
  return rayCylinderKernel(rayBetween(p, q, segment), cylinder, 1, out);
}

/** Where a ray hits the solid cylinder without ends about the line through a and b, which must differ. */
export function rayInfiniteCylinder(
  ray: ReadonlyRay,
  cylinder: ReadonlyCylinder,
  tMax = Infinity,
  out?: Hit,
): Hit | null {
  checkRayUpTo('rayInfiniteCylinder', ray, tMax);
  checkTube('rayInfiniteCylinder', 'cylinder', cylinder);
  return rayInfiniteCylinderKernel('rayInfiniteCylinder', ray, cylinder, tMax, out);
}

/** Where the segment from p to q hits the cylinder without ends, with t in [0, 1]. See `rayInfiniteCylinder`. */
export function segmentInfiniteCylinder(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  cylinder: ReadonlyCylinder,
  out?: Hit,
): Hit | null {
  checkSegment('segmentInfiniteCylinder', p, q);
  checkTube('segmentInfiniteCylinder', 'cylinder', cylinder);
  return rayInfiniteCylinderKernel('segmentInfiniteCylinder', rayBetween(p, q, segment), cylinder, 1, out);
}

function rayInfiniteCylinderKernel(
  caller: string,
  ray: ReadonlyRay,
  cylinder: ReadonlyCylinder,
  tMax: number,
  out: Hit | undefined,
): Hit | null {
  const inTube = clipTube(ray, cylinder, span);
  if (!hasAxis(span)) refuse(caller, 'cylinder.b', 'must differ from cylinder.a');
  const { enter, exit } = span;
  if (!inTube || exit < 0 || enter > tMax * RAY_SLACK) return null;
  if (enter <= 0) return startInside(ray, out);
  found.t = Math.min(enter, tMax);
  found.normal = span.normal;
  return report(ray, found, out);
}

function rayCylinderKernel(
  ray: ReadonlyRay,
  cylinder: ReadonlyCylinder,
  tMax: number,
  out: Hit | undefined,
): Hit | null {
  const inTube = clipTube(ray, cylinder, span);
  if (!hasAxis(span)) {
    point.center = cylinder.a;
    return raySphereKernel(ray, point, tMax, out);
  }
  if (!inTube) return null;
  const { axis, length, height, climb } = span;
  let { enter, exit, normal } = span;
  if (climb === 0) {
    if (height < 0 || height > length) return null;
  } else {
    const near = ((climb > 0 ? 0 : length) - height) / climb;
    const far = ((climb > 0 ? length : 0) - height) / climb;
    if (near > enter) {
      enter = near;
      normal = climb > 0 ? v3.negate(axis, axis) : axis;
    }
    if (far < exit) exit = far;
  }
  if (exit < 0 || enter > exit * RAY_SLACK || enter > tMax * RAY_SLACK) return null;
  if (enter <= 0) return startInside(ray, out);
  found.t = Math.min(enter, tMax);
  found.normal = normal;
  return report(ray, found, out);
}

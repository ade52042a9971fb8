import { checkTube } from '../../math/check.ts';
import { RAY_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { checkRayUpTo, checkSegment } from '../input.ts';
import type { Hit, ReadonlyCapsule, ReadonlyRay } from '../types.ts';
import { makeHit, makeRay } from '../types.ts';
import type { Found } from './hit.ts';
import { rayBetween, report, startInside } from './hit.ts';
import { raySphereKernel } from './ray-sphere.ts';
import { clipTube, makeTubeSpan } from './tube.ts';

const segment = makeRay();
const span = makeTubeSpan();
const found: Found = { t: 0, normal: span.normal };
const ball: { center: ReadonlyVec3; radius: number } = { center: span.axis, radius: 0 };
const atA = makeHit();
const atB = makeHit();

/** Where a ray hits a solid capsule; one of length zero is a sphere. Grazing is a matter of rounding. RTCD §5.3.7. */
export function rayCapsule(
  ray: ReadonlyRay,
  capsule: ReadonlyCapsule,
  tMax = Infinity,
  out?: Hit,
): Hit | null {
  checkRayUpTo('rayCapsule', ray, tMax);
  checkTube('rayCapsule', 'capsule', capsule);
  return rayCapsuleKernel(ray, capsule, tMax, out);
}

/** Where the segment from p to q hits a solid capsule, with t in [0, 1]. See `rayCapsule`. */
export function segmentCapsule(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  capsule: ReadonlyCapsule,
  out?: Hit,
): Hit | null {
  checkSegment('segmentCapsule', p, q);
  checkTube('segmentCapsule', 'capsule', capsule);
  return rayCapsuleKernel(rayBetween(p, q, segment), capsule, 1, out);
}

/** A capsule is a tube between two balls: the first of the three that is entered counts. */
function rayCapsuleKernel(
  ray: ReadonlyRay,
  capsule: ReadonlyCapsule,
  tMax: number,
  out: Hit | undefined,
): Hit | null {
  ball.radius = capsule.radius;
  ball.center = capsule.a;
  const hitA = raySphereKernel(ray, ball, tMax, atA);
  ball.center = capsule.b;
  const hitB = raySphereKernel(ray, ball, tMax, atB);
  const cap = hitA && (!hitB || hitA.t <= hitB.t) ? hitA : hitB;
  // Not `cap?.t`: a number that may be undefined is boxed.
  if (cap !== null && cap.t === 0) return startInside(ray, out);
  // The side counts where it lies between the ends; beyond, the line enters through a ball, if at all.
  if (clipTube(ray, capsule, span) && span.exit >= 0) {
    const t = Math.max(0, span.enter);
    const height = span.height + t * span.climb;
    if (height >= 0 && height <= span.length && t <= tMax * RAY_SLACK && !(cap && cap.t < t)) {
      if (t === 0) return startInside(ray, out);
      found.t = Math.min(t, tMax);
      return report(ray, found, out);
    }
  }
  return cap && report(ray, cap, out);
}

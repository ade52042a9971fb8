/**
 * A moving sphere against what is a point or a segment at heart: their distance to that core decides. Times are
 * never late and their errors within rounding: see `mover.ts`.
 */
import { checkPoint, checkSphere, checkTube } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { copy } from '../../math/vec3.ts';
import type { Hit, ReadonlyCapsule, ReadonlySphere } from '../types.ts';
import { makeHit } from '../types.ts';
import {
  copyHit,
  loadMover,
  makeMover,
  moveToSurface,
  PAST_THE_END,
  touchPoint,
  touchSegment,
} from './mover.ts';

const mover = makeMover();
const found = makeHit();
const pa = vec3();
const pb = vec3();

/**
 * When does a moving sphere first touch the point p? Null when it does not. A start in touch hits at t = 0; from a
 * centre at p the normal opposes the motion.
 */
export function sweepSpherePoint(
  sphere: ReadonlySphere,
  motion: ReadonlyVec3,
  p: ReadonlyVec3,
  out?: Hit,
): Hit | null {
  checkSphere('sweepSpherePoint', 'sphere', sphere);
  checkPoint('sweepSpherePoint', 'motion', motion);
  checkPoint('sweepSpherePoint', 'p', p);
  mover.radius = sphere.radius;
  loadMover(sphere.center, motion, mover);
  copy(p, pa);
  found.t = PAST_THE_END;
  return touchPoint(mover, pa, found) === 0 ? null : copyHit(found, out);
}

/**
 * When and where does a moving sphere first touch the segment ab (which may be a point)? Null when it does not. A
 * start in touch hits at t = 0, at the point nearest to the centre; from a centre on the segment the normal opposes
 * the motion.
 */
export function sweepSphereSegment(
  sphere: ReadonlySphere,
  motion: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  out?: Hit,
): Hit | null {
  checkSphere('sweepSphereSegment', 'sphere', sphere);
  checkPoint('sweepSphereSegment', 'motion', motion);
  checkPoint('sweepSphereSegment', 'a', a);
  checkPoint('sweepSphereSegment', 'b', b);
  mover.radius = sphere.radius;
  loadMover(sphere.center, motion, mover);
  copy(a, pa);
  copy(b, pb);
  found.t = PAST_THE_END;
  return touchSegment(mover, pa, pb, found) === 0 ? null : copyHit(found, out);
}

/**
 * When and where does a moving sphere first touch another? Null when it does not. A start in touch, or one inside
 * the other, hits at t = 0: at the point of the other nearest to the centre, with the normal from centre to centre
 * (against the motion when they coincide). RTCD §5.5.5.
 */
export function sweepSphereSphere(
  sphere: ReadonlySphere,
  motion: ReadonlyVec3,
  other: ReadonlySphere,
  out?: Hit,
): Hit | null {
  checkSphere('sweepSphereSphere', 'sphere', sphere);
  checkPoint('sweepSphereSphere', 'motion', motion);
  checkSphere('sweepSphereSphere', 'other', other);
  const { radius } = other;
  mover.radius = sphere.radius + radius;
  mover.thickness = radius;
  loadMover(sphere.center, motion, mover);
  copy(other.center, pa);
  found.t = PAST_THE_END;
  if (touchPoint(mover, pa, found) === 0) return null;
  moveToSurface(mover, found);
  return copyHit(found, out);
}

/**
 * When and where does a moving sphere first touch a capsule? Null when it does not. A start in touch, or inside, hits
 * at t = 0: at the point of the capsule nearest to the centre, with the normal out of its axis (against the motion
 * from a centre on the axis). RTCD §5.5.6-7.
 */
export function sweepSphereCapsule(
  sphere: ReadonlySphere,
  motion: ReadonlyVec3,
  capsule: ReadonlyCapsule,
  out?: Hit,
): Hit | null {
  checkSphere('sweepSphereCapsule', 'sphere', sphere);
  checkPoint('sweepSphereCapsule', 'motion', motion);
  checkTube('sweepSphereCapsule', 'capsule', capsule);
  const { radius } = capsule;
  mover.radius = sphere.radius + radius;
  mover.thickness = radius;
  loadMover(sphere.center, motion, mover);
  copy(capsule.a, pa);
  copy(capsule.b, pb);
  found.t = PAST_THE_END;
  if (touchSegment(mover, pa, pb, found) === 0) return null;
  moveToSurface(mover, found);
  return copyHit(found, out);
}

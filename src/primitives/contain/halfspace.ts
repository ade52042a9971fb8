/** Does a shape lie in the halfspace n · x <= d, all of it? Touching the plane from behind counts. RTCD §5.2.2-4. */
import { checkAabb, checkCone, checkObb, checkPlane, checkSphere } from '../../math/check.ts';
import type { ReadonlyPlane } from '../../math/types.ts';
import { highestAabb, highestCone, highestObb, highestSphere } from '../overlap/extent.ts';
import type { ReadonlyAabb, ReadonlyCone, ReadonlyObb, ReadonlySphere } from '../types.ts';

/** Does the whole sphere lie behind the plane? The normal may have any length. */
export function containsSphereHalfspace(sphere: ReadonlySphere, plane: ReadonlyPlane): boolean {
  checkSphere('containsSphereHalfspace', 'sphere', sphere);
  checkPlane('containsSphereHalfspace', 'plane', plane);
  return highestSphere(sphere, plane.normal) <= plane.d;
}

/** Does the whole box lie behind the plane? */
export function containsAabbHalfspace(box: ReadonlyAabb, plane: ReadonlyPlane): boolean {
  checkAabb('containsAabbHalfspace', 'box', box);
  checkPlane('containsAabbHalfspace', 'plane', plane);
  return highestAabb(box, plane.normal) <= plane.d;
}

/** Does the whole oriented box lie behind the plane? */
export function containsObbHalfspace(box: ReadonlyObb, plane: ReadonlyPlane): boolean {
  checkObb('containsObbHalfspace', 'box', box);
  checkPlane('containsObbHalfspace', 'plane', plane);
  return highestObb(box, plane.normal) <= plane.d;
}

/** Does the whole cone lie behind the plane? Without an axis it counts as a ball, as in `overlapConePlane`. */
export function containsConeHalfspace(cone: ReadonlyCone, plane: ReadonlyPlane): boolean {
  checkCone('containsConeHalfspace', 'cone', cone);
  checkPlane('containsConeHalfspace', 'plane', plane);
  return highestCone(cone, plane.normal) <= plane.d;
}

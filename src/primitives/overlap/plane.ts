/**
 * Shapes against a plane n · x = d and against the halfspace n · x <= d behind it. Both are closed: touching counts.
 * The normal may have any length. RTCD §5.2.2-4.
 */
import { checkAabb, checkCone, checkObb, checkPlane, checkSphere } from '../../math/check.ts';
import type { ReadonlyPlane } from '../../math/types.ts';
import type { ReadonlyAabb, ReadonlyCone, ReadonlyObb, ReadonlySphere } from '../types.ts';
import {
  highestAabb,
  highestCone,
  highestObb,
  highestSphere,
  lowestAabb,
  lowestCone,
  lowestObb,
  lowestSphere,
} from './extent.ts';

/** Does the plane cut or touch the sphere? */
export function overlapSpherePlane(sphere: ReadonlySphere, plane: ReadonlyPlane): boolean {
  checkSphere('overlapSpherePlane', 'sphere', sphere);
  checkPlane('overlapSpherePlane', 'plane', plane);
  return lowestSphere(sphere, plane.normal) <= plane.d && highestSphere(sphere, plane.normal) >= plane.d;
}

/** Does the sphere meet the halfspace n · x <= d? */
export function overlapSphereHalfspace(sphere: ReadonlySphere, plane: ReadonlyPlane): boolean {
  checkSphere('overlapSphereHalfspace', 'sphere', sphere);
  checkPlane('overlapSphereHalfspace', 'plane', plane);
  return lowestSphere(sphere, plane.normal) <= plane.d;
}

/** Does the plane cut or touch the box? The answer is that of the signs of n · x - d at its eight corners. */
export function overlapAabbPlane(box: ReadonlyAabb, plane: ReadonlyPlane): boolean {
  checkAabb('overlapAabbPlane', 'box', box);
  checkPlane('overlapAabbPlane', 'plane', plane);
  return lowestAabb(box, plane.normal) <= plane.d && highestAabb(box, plane.normal) >= plane.d;
}

/** Does the box meet the halfspace n · x <= d? */
export function overlapAabbHalfspace(box: ReadonlyAabb, plane: ReadonlyPlane): boolean {
  checkAabb('overlapAabbHalfspace', 'box', box);
  checkPlane('overlapAabbHalfspace', 'plane', plane);
  return lowestAabb(box, plane.normal) <= plane.d;
}

/** Does the plane cut or touch the oriented box? */
export function overlapObbPlane(box: ReadonlyObb, plane: ReadonlyPlane): boolean {
  checkObb('overlapObbPlane', 'box', box);
  checkPlane('overlapObbPlane', 'plane', plane);
  return lowestObb(box, plane.normal) <= plane.d && highestObb(box, plane.normal) >= plane.d;
}

/** Does the oriented box meet the halfspace n · x <= d? */
export function overlapObbHalfspace(box: ReadonlyObb, plane: ReadonlyPlane): boolean {
  checkObb('overlapObbHalfspace', 'box', box);
  checkPlane('overlapObbHalfspace', 'plane', plane);
  return lowestObb(box, plane.normal) <= plane.d;
}

/**
 * Does the plane cut or touch the cone? A cone whose tip is the centre of its base has no axis: it counts as the ball
 * of that radius, the union of all the discs that it could be.
 */
export function overlapConePlane(cone: ReadonlyCone, plane: ReadonlyPlane): boolean {
  checkCone('overlapConePlane', 'cone', cone);
  checkPlane('overlapConePlane', 'plane', plane);
  return lowestCone(cone, plane.normal) <= plane.d && highestCone(cone, plane.normal) >= plane.d;
}

/** Does the cone meet the halfspace n · x <= d? Without an axis it counts as a ball, as in `overlapConePlane`. */
export function overlapConeHalfspace(cone: ReadonlyCone, plane: ReadonlyPlane): boolean {
  checkCone('overlapConeHalfspace', 'cone', cone);
  checkPlane('overlapConeHalfspace', 'plane', plane);
  return lowestCone(cone, plane.normal) <= plane.d;
}

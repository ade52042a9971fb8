/**
 * Support maps: the point of a convex shape that lies farthest along a direction, which need not be a unit vector.
 * Where several do, one of them; for a direction of zero, some point of the shape. RTCD §3.8.
 *
 * To build support maps of your own for `convex(support)`. Production has those of its shapes in `convex/core.ts` and
 * `shapes/cores.ts`.
 */
import {
  ANY_FINITE,
  checkAabb,
  checkCone,
  checkObb,
  checkPoint,
  checkSphere,
  checkTube,
  isPoint,
  mustBeFunction,
  refuse,
} from '../../math/check.ts';
import { type ReadonlyMat3, type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { SupportMap } from '../../polytope/types.ts';

const along = vec3();
const axis = vec3();
const rim = vec3();

/** Of a ball; for a direction of zero its centre. */
export function supportSphere(
  sphere: { readonly center: ReadonlyVec3; readonly radius: number },
  direction: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkSphere('supportSphere', 'sphere', sphere);
  checkPoint('supportSphere', 'direction', direction, ANY_FINITE);
  const { center, radius } = sphere;
  const { x, y, z } = center;
  v3.normalize(direction, along);
  return v3.set(x + radius * along.x, y + radius * along.y, z + radius * along.z, out);
}

/** Of an axis-aligned box: one of its corners, that with the larger coordinate where the direction does not say. */
export function supportAabb(
  box: { readonly min: ReadonlyVec3; readonly max: ReadonlyVec3 },
  direction: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkAabb('supportAabb', 'box', box);
  checkPoint('supportAabb', 'direction', direction, ANY_FINITE);
  const { min, max } = box;
  const { x, y, z } = direction;
  return v3.set(x < 0 ? min.x : max.x, y < 0 ? min.y : max.y, z < 0 ? min.z : max.z, out);
}

/** Of an oriented box, whose unit axes are the columns of `rotation`: one of its corners. */
export function supportObb(
  box: { readonly center: ReadonlyVec3; readonly halfSize: ReadonlyVec3; readonly rotation: ReadonlyMat3 },
  direction: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkObb('supportObb', 'box', box);
  checkPoint('supportObb', 'direction', direction, ANY_FINITE);
  const { center, halfSize, rotation } = box;
  const { x: hx, y: hy, z: hz } = halfSize;
  v3.transformTransposed(direction, rotation, along);
  v3.set(along.x < 0 ? -hx : hx, along.y < 0 ? -hy : hy, along.z < 0 ? -hz : hz, along);
  v3.transform(along, rotation, along);
  return v3.add(center, along, out);
}

/** Of the points within `radius` of the segment ab; for a direction of zero, a. */
export function supportCapsule(
  capsule: { readonly a: ReadonlyVec3; readonly b: ReadonlyVec3; readonly radius: number },
  direction: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkTube('supportCapsule', 'capsule', capsule);
  checkPoint('supportCapsule', 'direction', direction, ANY_FINITE);
  const { a, b, radius } = capsule;
  v3.normalize(direction, along);
  v3.sub(b, a, axis);
  return v3.addScaled(v3.dot(axis, along) > 0 ? b : a, along, radius, out);
}

/**
 * Of the solid cylinder about the segment ab, with flat ends: a point of the rim of one end, or its centre when the
 * direction is along the axis. An axis of length zero stands for all axes at once: a ball.
 */
export function supportCylinder(
  cylinder: { readonly a: ReadonlyVec3; readonly b: ReadonlyVec3; readonly radius: number },
  direction: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkTube('supportCylinder', 'cylinder', cylinder);
  checkPoint('supportCylinder', 'direction', direction, ANY_FINITE);
  const { a, b, radius } = cylinder;
  v3.normalize(direction, along);
  v3.normalize(v3.sub(b, a, axis), axis);
  acrossAxis();
  return v3.addScaled(v3.dot(axis, along) > 0 ? b : a, rim, radius, out);
}

/**
 * Of the solid cone from its tip to the disc about its base: the tip or a point of the rim, or the centre of the base
 * when the direction is along the axis. A height of zero stands for all axes at once: a ball.
 */
export function supportCone(
  cone: { readonly tip: ReadonlyVec3; readonly base: ReadonlyVec3; readonly radius: number },
  direction: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkCone('supportCone', 'cone', cone);
  checkPoint('supportCone', 'direction', direction, ANY_FINITE);
  const { tip, base, radius } = cone;
  v3.normalize(direction, along);
  v3.sub(base, tip, axis);
  const height = v3.dot(axis, along);
  v3.normalize(axis, axis);
  acrossAxis();
  return height + radius * v3.dot(rim, along) >= 0 ? v3.addScaled(base, rim, radius, out) : v3.copy(tip, out);
}

/**
 * Writes to `rim` the unit vector at a right angle to `axis` that lies farthest along `along`, or zero if there is none.
 * By two cross products: what the first loses when the two are nearly parallel turns the result about the axis, where
 * it hardly matters; the second keeps it at a right angle, which does.
 */
function acrossAxis(): void {
  if (axis.x === 0 && axis.y === 0 && axis.z === 0) v3.copy(along, rim);
  else v3.normalize(v3.cross(v3.cross(axis, along, rim), axis, rim), rim);
}

/** Minkowski sums and differences of convex sets that are known by their support maps. RTCD §3.11. */

/** The point of A ⊕ B = { a + b } that lies farthest along the direction. RTCD §3.11. */
export function supportSum(
  supportA: SupportMap,
  supportB: SupportMap,
  direction: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  mustBeFunction('supportSum', 'supportA', supportA);
  mustBeFunction('supportSum', 'supportB', supportB);
  checkPoint('supportSum', 'direction', direction);
  const { x, y, z } = direction;
  // The maps are the user's and may come back here, so there is no scratch to use but `out`.
  const { x: bx, y: by, z: bz } = supportB(v3.set(x, y, z, out), out);
  const { x: ax, y: ay, z: az } = supportA(v3.set(x, y, z, out), out);
  v3.set(ax + bx, ay + by, az + bz, out);
  if (!isPoint(out)) refuse('supportSum', 'a support map', 'must give a point {x, y, z}');
  return out;
}

/**
 * The point of A ⊖ B = { a - b } that lies farthest along the direction: that of A less that of B the other way. The
 * sets share a point exactly when the difference contains the origin. RTCD §3.11.
 */
export function supportDifference(
  supportA: SupportMap,
  supportB: SupportMap,
  direction: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  mustBeFunction('supportDifference', 'supportA', supportA);
  mustBeFunction('supportDifference', 'supportB', supportB);
  checkPoint('supportDifference', 'direction', direction);
  const { x, y, z } = direction;
  const { x: bx, y: by, z: bz } = supportB(v3.set(-x, -y, -z, out), out);
  const { x: ax, y: ay, z: az } = supportA(v3.set(x, y, z, out), out);
  v3.set(ax - bx, ay - by, az - bz, out);
  if (!isPoint(out)) refuse('supportDifference', 'a support map', 'must give a point {x, y, z}');
  return out;
}

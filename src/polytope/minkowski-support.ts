/** Minkowski sums and differences of convex sets that are known by their support maps. RTCD §3.11. */
import { checkPoint, isPoint, mustBeFunction, refuse } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { SupportMap } from './types.ts';

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

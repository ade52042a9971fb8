/** Support points of the Minkowski difference of two cores: the first minus the second. RTCD §9.5. */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { ConvexCore } from './core.ts';
import { supportCore } from './core.ts';
import type { Frame } from './frame.ts';

/** A support point of the difference, and what its search remembers for the next. @internal */
export class DifferencePoint {
  /** The support points of the cores, in the space of the first. */
  readonly a: Vec3 = vec3(0.5, 0.5, 0.5);
  readonly b: Vec3 = vec3(0.5, 0.5, 0.5);
  /** That of the second core in its own space. */
  readonly ownB: Vec3 = vec3(0.5, 0.5, 0.5);
  /** How far along the direction the difference reaches: direction · (a - b). A field, since V8 boxes what is returned. */
  extent = 0.5;
  /** What `measureGap` has found. */
  gap = 0.5;
  /** Where the support maps of polytopes start; -1 for anywhere. */
  hintA = -1;
  hintB = -1;
  /** Along which the cores are asked. */
  readonly toward: Vec3 = vec3(0.5, 0.5, 0.5);
}

/**
 * The point of the difference that is farthest along `direction`.
 *
 * @internal
 */
export function supportDifference(
  a: ConvexCore,
  b: ConvexCore,
  f: Frame,
  direction: ReadonlyVec3,
  out: DifferencePoint,
): void {
  const { x, y, z } = direction;
  const { a: onA, b: onB, ownB, toward } = out;
  toward.x = x;
  toward.y = y;
  toward.z = z;
  out.hintA = supportCore(a, toward, out.hintA, onA);
  toward.x = -(f.m00 * x + f.m10 * y + f.m20 * z);
  toward.y = -(f.m01 * x + f.m11 * y + f.m21 * z);
  toward.z = -(f.m02 * x + f.m12 * y + f.m22 * z);
  out.hintB = supportCore(b, toward, out.hintB, ownB);
  const { x: bx, y: by, z: bz } = ownB;
  onB.x = f.m00 * bx + f.m01 * by + f.m02 * bz + f.tx;
  onB.y = f.m10 * bx + f.m11 * by + f.m12 * bz + f.ty;
  onB.z = f.m20 * bx + f.m21 * by + f.m22 * bz + f.tz;
  out.extent = x * (onA.x - onB.x) + y * (onA.y - onB.y) + z * (onA.z - onB.z);
}

const opposite = vec3(0.5, 0.5, 0.5);

/**
 * The gap between the cores along a unit vector out of the second towards the first, written to `out.gap`: between the
 * planes perpendicular to it that touch them. Whatever the direction, the cores are at least that far apart.
 *
 * @internal
 */
export function measureGap(
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  normal: ReadonlyVec3,
  out: DifferencePoint,
): void {
  opposite.x = -normal.x;
  opposite.y = -normal.y;
  opposite.z = -normal.z;
  supportDifference(a, b, frame, opposite, out);
  out.gap = -out.extent;
}

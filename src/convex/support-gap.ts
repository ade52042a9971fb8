/** How far apart two cores are along a direction. */

import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { ConvexCore } from './core.ts';
import { supportCore } from './core.ts';
import type { Frame } from './frame.ts';
import { directionToSecond, toFirst } from './frame.ts';

const direction = vec3();
const onA = vec3();
const onB = vec3();

/** The answer of the last call: an array, since a number that is returned would be boxed. @internal */
export const supportGap = new Float64Array(1);

/**
 * The gap between the cores along a unit vector out of the second towards the first: between the planes perpendicular to
 * it that touch them. Whatever the direction, the cores are at least that far apart. Written to `supportGap`.
 *
 * @internal
 */
export function measureGap(a: ConvexCore, b: ConvexCore, frame: Frame, normal: Readonly<Vec3>): void {
  const { x, y, z } = normal;
  directionToSecond(frame, normal, direction);
  supportCore(b, direction, -1, onB);
  toFirst(frame, onB, onB);
  direction.x = -x;
  direction.y = -y;
  direction.z = -z;
  supportCore(a, direction, -1, onA);
  supportGap[0] = x * (onA.x - onB.x) + y * (onA.y - onB.y) + z * (onA.z - onB.z);
}

/** Rays against balls, capsules, and segments and points without any thickness. */

import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { rayCapsule } from '../../primitives/ray/ray-capsule.ts';
import { raySphereKernel } from '../../primitives/ray/ray-sphere.ts';
import type { Capsule, Hit, ReadonlyRay } from '../../primitives/types.ts';
import { makeSphere } from '../../primitives/types.ts';
import type { BodyContext } from './body-context.ts';

const ball = makeSphere();
const axis = vec3();

/**
 * Where a ray enters a capsule. One that is thinner than rounding is made as thick, in `tube` itself, and the normal is
 * then the one against the direction, at a right angle to the segment unless the ray runs along it.
 */
export function rayTube(ray: ReadonlyRay, tube: Capsule, { within }: BodyContext, out: Hit): Hit | null {
  const isThin = tube.radius <= within;
  if (isThin) tube.radius = within;
  if (!v3.equals(tube.a, tube.b)) {
    if (rayCapsule(ray, tube, Infinity, out) === null) return null;
  } else {
    v3.copy(tube.a, ball.center);
    ball.radius = tube.radius;
    if (raySphereKernel(ray, ball, Infinity, out) === null) return null;
  }
  if (isThin) {
    const { normal } = out;
    v3.normalize(v3.sub(tube.b, tube.a, axis), axis);
    v3.normalize(ray.direction, normal);
    const along = v3.dot(normal, axis);
    if (Math.abs(along) < 1 - 1e-12) v3.addScaled(normal, axis, -along, normal);
    v3.normalize(v3.negate(normal, normal), normal);
  }
  return out;
}

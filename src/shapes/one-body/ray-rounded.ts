/**
 * Rays against what no closed form is known for: rounded boxes, cylinders, cones, ellipsoids, hulls, and whatever a
 * support map describes.
 *
 * The distance of the ray's point from a convex set is a convex function of time. Newton's method on it climbs from the
 * left and never goes beyond the root: each step goes up to the plane that holds the set, across the shortest connection to it,
 * before which the set cannot be reached. The digits double from step to step; where the ray grazes they come one by one.
 * It is what `castConvex` does for two bodies; here the distances of most cores are closed forms, and good to rounding.
 */

import { supportCore } from '../../convex/core.ts';
import { RAY_SLACK } from '../../math/tolerance.ts';
import { vec3 } from '../../math/types.ts';
import { report, startInside } from '../../primitives/ray/hit.ts';
import { raySphereKernel } from '../../primitives/ray/ray-sphere.ts';
import type { Hit, ReadonlyRay } from '../../primitives/types.ts';
import { makeHit, makeSphere } from '../../primitives/types.ts';
import type { ConvexShape } from '../shape.ts';
import type { BodyContext } from './body-context.ts';
import { nearestOnCore, startNearest } from './convex-form.ts';

/** Grazing takes a few dozen. What is found by then is early, and never late. */
const MOST_STEPS = 200;
/** The direction of a shorter vector is rounding, in units of what is touching. */
const CLEAR = 1024;

const around = makeSphere();
const entry = makeHit();

/** What the search carries from step to step: the support may be a user's, who asks another ray meanwhile. */
class Steps {
  t = 0.5;
  readonly p = vec3();
  readonly normal = vec3();
  readonly toward = vec3();
  readonly farthest = vec3();
}

const shared = /* @__PURE__ */ new Steps();

/** Where a ray that starts outside of `shape`, in the space of which it is given, enters it. */
export function rayRounded(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  const { core } = shape;
  const { radius } = core;
  const { limit, within } = context;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const found = core.custom === null ? shared : new Steps();
  const { normal, p, toward, farthest } = found;
  // From where the ray enters a ball around the shape: a start far away would cost digits.
  around.radius = 1.0001 * core.reach + within;
  if (raySphereKernel(ray, around, Infinity, entry) === null || entry.t > limit * RAY_SLACK) return null;
  const { t: start } = entry;
  const { x: sx, y: sy, z: sz } = start === 0 ? ray.origin : entry.point;
  normal.x = -dx;
  normal.y = -dy;
  normal.z = -dz;
  startNearest(context);
  let t = 0;
  let hint = -1;
  for (let step = 0; step < MOST_STEPS; step++) {
    p.x = sx + t * dx;
    p.y = sy + t * dy;
    p.z = sz + t * dz;
    const near = nearestOnCore(shape, p, context);
    const { distance } = near;
    if (distance > 0) {
      toward.x = (p.x - near.x) / distance;
      toward.y = (p.y - near.y) / distance;
      toward.z = (p.z - near.z) / distance;
    }
    const { x, y, z } = toward;
    if (distance > CLEAR * within) {
      normal.x = x;
      normal.y = y;
      normal.z = z;
    }
    if (distance - radius <= 2 * within) break;
    // Not from the nearest point, but from the support point: the plane holds the set, however the normal was rounded.
    hint = supportCore(core, toward, hint, farthest);
    const gap = (p.x - farthest.x) * x + (p.y - farthest.y) * y + (p.z - farthest.z) * z - radius;
    if (!(gap > within)) break;
    const closing = -(x * dx + y * dy + z * dz);
    if (!(closing > 0)) return null;
    const next = t + (gap - within) / closing;
    if (!(start + next <= limit * RAY_SLACK)) return null;
    if (next === t) break;
    t = next;
  }
  if (start + t === 0) return startInside(ray, out);
  found.t = start + t;
  report(ray, found, out);
  // Not along the whole ray, which may have come from far away.
  out.point.x = p.x;
  out.point.y = p.y;
  out.point.z = p.z;
  return out;
}

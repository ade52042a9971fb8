/** Rays and points against balls, capsules, and segments and points without any thickness. */
import { SEGMENT } from '../../convex/core.ts';
import { type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { rayCapsule } from '../../primitives/ray/ray-capsule.ts';
import { raySphereKernel } from '../../primitives/ray/ray-sphere.ts';
import { type Capsule, type Hit, makeCapsule, makeSphere, type ReadonlyRay } from '../../primitives/types.ts';
import { copyPoint, loadPoint } from '../body-space.ts';
import type { ConvexShape } from '../shape.ts';
import type { BodyContext, CorePoint } from './body-context.ts';
import { type ConvexForm, isInConvex, measure } from './convex-form.ts';

const ball = makeSphere();
const axis = vec3();
const tube = makeCapsule();
const ORIGIN: ReadonlyVec3 = vec3();

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

function rayRound({ core }: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  const { data, radius, type } = core;
  tube.radius = radius;
  copyPoint(ORIGIN, tube.a);
  copyPoint(ORIGIN, tube.b);
  if (type === SEGMENT) {
    loadPoint(data, 0, tube.a);
    loadPoint(data, 3, tube.b);
  }
  return rayTube(ray, tube, context, out);
}

function nearestOnTube({ core }: ConvexShape, p: ReadonlyVec3, { nearest }: BodyContext): CorePoint {
  if (core.type === SEGMENT) return nearestOnSegment(core.data, p, nearest);
  nearest.x = 0;
  nearest.y = 0;
  nearest.z = 0;
  return measure(p, nearest);
}

function nearestOnSegment(data: Float64Array, p: ReadonlyVec3, out: CorePoint): CorePoint {
  const ax = data[0]!;
  const ay = data[1]!;
  const az = data[2]!;
  const bx = data[3]! - ax;
  const by = data[4]! - ay;
  const bz = data[5]! - az;
  const along = (p.x - ax) * bx + (p.y - ay) * by + (p.z - az) * bz;
  const whole = bx * bx + by * by + bz * bz;
  const t = along > 0 ? (along < whole ? along / whole : 1) : 0;
  out.x = ax + t * bx;
  out.y = ay + t * by;
  out.z = az + t * bz;
  return measure(p, out);
}

/** Of spheres and points, capsules and segments. */
export const TUBE: ConvexForm = {
  ray: rayRound,
  nearest: nearestOnTube,
  contains: isInConvex,
  depth: () => 0,
};

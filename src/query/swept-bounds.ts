/** A box around all that a body passes through. */
import { EPS64 } from '../math/float.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { boundsOf } from '../shapes/bounds.ts';
import type { Shape } from '../shapes/shape.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from './body.ts';
import { mustBeBody } from './check.ts';
import { type Motion, makeMotionPhases, poseOnWay, readMotion, type SteadyMotion } from './motion.ts';

const from = makePose();
const to = makePose();
const start = makeAabb();
const end = makeAabb();
const own = makeAabb();
const way = makeMotionPhases();
const corner = vec3();

/**
 * The box around all points that a body passes on its way along a motion, as `cast` takes it: boxes that do not overlap
 * prove that bodies miss each other. Rounded outward. A straight way has the tightest box there is around the boxes at
 * its two ends. On a turn by an angle θ a point at a distance r from the axis is off the straight way from where it begins
 * to where it ends by no more than r θ² / 8 (nor 2 r) at any time: the box is larger by that. RTCD §2.4.3.
 */
export function sweptBoundsOf(body: Body, motion: Motion, out: Aabb = makeAabb()): Aabb {
  mustBeBody('sweptBoundsOf', 'body', body);
  const shape = shapeOf(body);
  normalizedPose(poseOf(body), from);
  readMotion('sweptBoundsOf', 'motion', motion, from, way);
  const { min, max } = out;
  v3.set(Infinity, Infinity, Infinity, min);
  v3.set(-Infinity, -Infinity, -Infinity, max);
  boundsOf(shape, from, start);
  for (let i = 0; i < way.count; i++) {
    const phase = way.phases[i]!;
    poseOnWay(from, phase, 1, to);
    boundsOf(shape, to, end);
    const more = bulgeOf(shape, phase);
    min.x = Math.min(min.x, Math.min(start.min.x, end.min.x) - more);
    min.y = Math.min(min.y, Math.min(start.min.y, end.min.y) - more);
    min.z = Math.min(min.z, Math.min(start.min.z, end.min.z) - more);
    max.x = Math.max(max.x, Math.max(start.max.x, end.max.x) + more);
    max.y = Math.max(max.y, Math.max(start.max.y, end.max.y) + more);
    max.z = Math.max(max.z, Math.max(start.max.z, end.max.z) + more);
    normalizedPose(to, from);
    v3.copy(end.min, start.min);
    v3.copy(end.max, start.max);
  }
  return out;
}

/** No point of the shape is farther from where it stands. */
function reachOf(shape: Shape): number {
  const { min, max } = boundsOf(shape, undefined, own);
  v3.set(Math.max(-min.x, max.x), Math.max(-min.y, max.y), Math.max(-min.z, max.z), corner);
  return v3.length(corner);
}

/** How far the way from `from` to `to` leaves the hull of its ends, with what is rounded. */
function bulgeOf(shape: Shape, { angle, pivot }: SteadyMotion): number {
  const { x, y, z } = from.position;
  const { x: toX, y: toY, z: toZ } = to.position;
  const rounding = Math.abs(x) + Math.abs(y) + Math.abs(z) + (Math.abs(toX) + Math.abs(toY) + Math.abs(toZ));
  if (angle === 0) return 16 * EPS64 * rounding;
  const radius = reachOf(shape) + v3.distance(from.position, pivot);
  if (!(radius < Infinity)) return radius;
  // A straight line through both ends of a curve is off it by an eighth of its second derivative, which is r θ².
  const bulge = radius * Math.min((angle * angle) / 8, 2);
  return bulge * (1 + 16 * EPS64) + 16 * EPS64 * (rounding + radius);
}

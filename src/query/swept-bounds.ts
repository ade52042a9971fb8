/** A box around all that a body passes through. */

import {
  type Motion,
  type MotionPhases,
  makeMotionPhases,
  poseInPhase,
  readMotionPhases,
  type SteadyMotion,
} from '../continuous/motion.ts';
import { EPS64 } from '../math/float.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { type Aabb, makeAabb } from '../primitives/types.ts';
import { boundsOfPosed } from '../shapes/bounds.ts';
import type { Shape } from '../shapes/shape.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from './body.ts';
import { mustBeBody } from './check.ts';

/** A body at the start of its motion. Getters and supports may ask for other bounds: each query has its own. */
class Start {
  readonly at = makePose();
  readonly motionPhases = makeMotionPhases();
}

const starts: Start[] = [];
let reading = 0;

/** What is carried from phase to phase. */
class Phase {
  readonly from = makePose();
  readonly to = makePose();
  readonly before = makeAabb();
  readonly after = makeAabb();
}

const shared = /* @__PURE__ */ new Phase();
const own = makeAabb();
const ORIGIN: ReadonlyPose = makePose();
const corner = vec3();

/**
 * The box around all points that a body passes along a motion, as `cast` takes it: boxes that do not overlap
 * prove that bodies miss each other. Rounded outward. A translation has the tightest box there is around the boxes at
 * its two ends. In a rotation by θ a point at a distance r from the axis is off the straight line from where it begins
 * to where it ends by no more than r θ² / 8 (nor 2 r) at any time: the box is larger by that. RTCD §2.4.3.
 */
export function sweptBoundsOf(body: Body, motion: Motion, out: Aabb = makeAabb()): Aabb {
  mustBeBody('sweptBoundsOf', 'body', body);
  const shape = shapeOf(body);
  if (reading === starts.length) starts.push(new Start());
  const { at, motionPhases } = starts[reading]!;
  reading++;
  try {
    normalizedPose(poseOf(body), at);
    readMotionPhases('sweptBoundsOf', 'motion', motion, at, motionPhases);
    return sweptBoundsOfPhases(shape, at, motionPhases, out);
  } finally {
    reading--;
  }
}

/** Of a body at `start` (with a unit quaternion) whose motion has been read. @internal */
export function sweptBoundsOfPhases(
  shape: Shape,
  start: ReadonlyPose,
  motionPhases: MotionPhases,
  out: Aabb,
): Aabb {
  // A user's support may ask for other bounds.
  const ends = 'core' in shape && shape.core.custom !== null ? new Phase() : shared;
  const { from, to, before, after } = ends;
  v3.copy(start.position, from.position);
  q4.copy(start.quaternion, from.quaternion);
  const { min, max } = out;
  v3.set(Infinity, Infinity, Infinity, min);
  v3.set(-Infinity, -Infinity, -Infinity, max);
  boundsOfPosed(shape, from, before);
  for (let i = 0; i < motionPhases.count; i++) {
    const phase = motionPhases.phases[i]!;
    poseInPhase(from, phase, 1, to);
    boundsOfPosed(shape, to, after);
    const more = bulgeOf(shape, phase, ends);
    min.x = Math.min(min.x, Math.min(before.min.x, after.min.x) - more);
    min.y = Math.min(min.y, Math.min(before.min.y, after.min.y) - more);
    min.z = Math.min(min.z, Math.min(before.min.z, after.min.z) - more);
    max.x = Math.max(max.x, Math.max(before.max.x, after.max.x) + more);
    max.y = Math.max(max.y, Math.max(before.max.y, after.max.y) + more);
    max.z = Math.max(max.z, Math.max(before.max.z, after.max.z) + more);
    normalizedPose(to, from);
    v3.copy(after.min, before.min);
    v3.copy(after.max, before.max);
  }
  return out;
}

/** No point of the shape is farther from where it stands. */
function reachOf(shape: Shape): number {
  const { min, max } = boundsOfPosed(shape, ORIGIN, own);
  v3.set(Math.max(-min.x, max.x), Math.max(-min.y, max.y), Math.max(-min.z, max.z), corner);
  return v3.length(corner);
}

/** How far the path from `from` to `to` leaves the hull of its ends, with what is rounded. */
function bulgeOf(shape: Shape, { angle, pivot }: SteadyMotion, { from, to }: Phase): number {
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

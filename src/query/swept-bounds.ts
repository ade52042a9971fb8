/** A box around all that a body passes through. */
import { mustBeFinite, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import * as q4 from '../math/quat.ts';
import type { Pose, ReadonlyVec3 } from '../math/types.ts';
import { pose as makePose, quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { boundsOf } from '../shapes/bounds.ts';
import type { Shape } from '../shapes/shape.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from './body.ts';
import type { Motion } from './cast.ts';
import { mustBeBody } from './check.ts';

const CALLER = 'sweptBoundsOf';
const from = makePose();
const to = makePose();
const start = makeAabb();
const end = makeAabb();
const own = makeAabb();
const turn = quat();
const arm = vec3();
const unit = vec3();

/**
 * The box around all points that a body passes on its way along a motion, as `cast` takes it: boxes that do not overlap
 * prove that bodies miss each other. Rounded outward. A straight way has the tightest box there is around the boxes at
 * its two ends. On a turn by an angle θ a point at a distance r from the axis is off the straight way from where it begins
 * to where it ends by no more than r θ² / 8 (nor 2 r) at any time: the box is larger by that. RTCD §2.4.3.
 */
export function sweptBoundsOf(body: Body, motion: Motion, out: Aabb = makeAabb()): Aabb {
  mustBeBody(CALLER, 'body', body);
  const shape = shapeOf(body);
  normalizedPose(poseOf(body), from);
  boundsOf(shape, from, start);
  v3.copy(from.position, to.position);
  q4.copy(from.quaternion, to.quaternion);
  if ('linear' in motion) {
    const { linear, angular, duration = 1 } = motion;
    mustBeFinite(CALLER, { 'motion.linear': linear, 'motion.angular': angular, 'motion.duration': duration });
    if (duration < 0) refuse(CALLER, 'motion.duration', `must not be negative, got ${duration}`);
    v3.addScaled(to.position, linear, duration, to.position);
    const rate = v3.length(angular);
    if (rate > 0) q4.multiply(turnBy(angular, rate * duration), to.quaternion, to.quaternion);
    return around(shape, reachOf(shape), rate * duration, out);
  }
  let bulge = 0;
  let angle = 0;
  if ('translation' in motion) {
    const { translation } = motion;
    if ((translation.x + translation.y + translation.z) * 0 !== 0)
      mustBeFinite(CALLER, { 'motion.translation': translation });
    v3.add(to.position, translation, to.position);
  }
  if ('axis' in motion) {
    const { axis, pivot } = motion;
    mustBeFinite(CALLER, {
      'motion.axis': axis,
      'motion.angle': motion.angle,
      'motion.pivot': pivot ?? axis,
    });
    if (v3.length(axis) === 0) refuse(CALLER, 'motion.axis', 'must not be zero');
    // First along the line, then the turn: the box where it begins counts, too.
    boundsOf(shape, to, end);
    v3.min(start.min, end.min, start.min);
    v3.max(start.max, end.max, start.max);
    angle = Math.abs(motion.angle);
    bulge = reachOf(shape);
    if (pivot) {
      v3.sub(to.position, pivot, arm);
      bulge += v3.length(arm);
      v3.rotate(arm, turnBy(axis, motion.angle), arm);
      v3.add(pivot, arm, to.position);
    } else turnBy(axis, motion.angle);
    q4.multiply(turn, to.quaternion, to.quaternion);
  } else if (!('translation' in motion))
    throw new TypeError(
      `graze: ${CALLER}: motion must have a translation, an axis and an angle, or linear and angular velocities`,
    );
  return around(shape, bulge, angle, out);
}

function turnBy(axis: ReadonlyVec3, angle: number): typeof turn {
  return q4.fromAxisAngle(v3.normalize(axis, unit), angle, turn);
}

/** No point of the shape is farther from where it stands. */
function reachOf(shape: Shape): number {
  const { min, max } = boundsOf(shape, undefined, own);
  arm.x = Math.max(-min.x, max.x);
  arm.y = Math.max(-min.y, max.y);
  arm.z = Math.max(-min.z, max.z);
  return v3.length(arm);
}

/** Around the box at the start, the one at the end, and what a turn with this radius puts between them. */
function around(shape: Shape, radius: number, angle: number, out: Aabb): Aabb {
  const { position: p } = to satisfies Pose;
  boundsOf(shape, to, end);
  // A straight line through both ends of a curve is off it by an eighth of its second derivative, which is r θ².
  const bulge = radius > 0 && angle > 0 ? Math.min((angle * angle) / 8, 2) * radius : 0;
  // The place at the end is rounded, and so is what was turned.
  const rounding =
    16 *
    EPS64 *
    (Math.abs(p.x) +
      Math.abs(p.y) +
      Math.abs(p.z) +
      Math.abs(from.position.x) +
      Math.abs(from.position.y) +
      Math.abs(from.position.z) +
      (angle > 0 && radius < Infinity ? radius : 0));
  const more = bulge * (1 + 16 * EPS64) + rounding;
  const { min, max } = out;
  min.x = Math.min(start.min.x, end.min.x) - more;
  min.y = Math.min(start.min.y, end.min.y) - more;
  min.z = Math.min(start.min.z, end.min.z) - more;
  max.x = Math.max(start.max.x, end.max.x) + more;
  max.y = Math.max(start.max.y, end.max.y) + more;
  max.z = Math.max(start.max.z, end.max.z) + more;
  return out;
}

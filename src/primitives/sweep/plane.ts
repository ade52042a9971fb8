/**
 * Moving things against a plane, from either side. RTCD §5.5.3-4.
 *
 * A thing reaches `reach` far from its middle towards the plane; it touches when the middle has come that near. The
 * normal of the plane need not be a unit vector, but must not be zero. Times are never late: the reach is grown by
 * a bound on the rounding errors, which here scale with the distance from the origin too, since n · c and d do.
 */

import {
  checkAabb,
  checkObb,
  checkPlane,
  checkPoint,
  checkSphere,
  checkTube,
  refuse,
} from '../../math/check.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyPlane, ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { copy, dot, lerp, normalize, sub } from '../../math/vec3.ts';
import type { Hit, ReadonlyAabb, ReadonlyCapsule, ReadonlyObb, ReadonlySphere } from '../types.ts';
import { makeHit } from '../types.ts';

const ORIGIN: ReadonlyVec3 = vec3();
/** The mover: its middle, half edges on both sides of that, and a ball by which all is grown. */
const middle = vec3();
const edgeX = vec3();
const edgeY = vec3();
const edgeZ = vec3();
const ball = { radius: 0 };

/** The unit normal of the plane, on the side that the mover comes from. */
const facing = vec3();
/** From the middle to the point of the mover that touches first, and how far that is towards the plane (and its rounding errors). */
const arm = vec3();
const reach = { length: 0, slack: 0 };

/**
 * When and where does a moving sphere first touch a plane? Null when it does not: it recedes, runs parallel, or stops
 * short. A start that cuts the plane (or touches it) hits at t = 0, at the foot of the centre; from a centre in the
 * plane the normal opposes the motion. RTCD §5.5.3.
 */
export function sweepSpherePlane(
  sphere: ReadonlySphere,
  motion: ReadonlyVec3,
  plane: ReadonlyPlane,
  out?: Hit,
): Hit | null {
  checkSphere('sweepSpherePlane', 'sphere', sphere);
  checkPoint('sweepSpherePlane', 'motion', motion);
  checkPlane('sweepSpherePlane', 'plane', plane);
  copy(sphere.center, middle);
  copy(ORIGIN, edgeX);
  copy(ORIGIN, edgeY);
  copy(ORIGIN, edgeZ);
  ball.radius = sphere.radius;
  return sweepToPlane('sweepSpherePlane', motion, plane, out);
}

/**
 * When and where does a moving capsule first touch a plane? As `sweepSpherePlane`. The point is below the end that
 * leads, or below the middle when both touch at once.
 */
export function sweepCapsulePlane(
  capsule: ReadonlyCapsule,
  motion: ReadonlyVec3,
  plane: ReadonlyPlane,
  out?: Hit,
): Hit | null {
  checkTube('sweepCapsulePlane', 'capsule', capsule);
  checkPoint('sweepCapsulePlane', 'motion', motion);
  checkPlane('sweepCapsulePlane', 'plane', plane);
  lerp(capsule.a, capsule.b, 0.5, middle);
  sub(capsule.b, middle, edgeX);
  copy(ORIGIN, edgeY);
  copy(ORIGIN, edgeZ);
  ball.radius = capsule.radius;
  return sweepToPlane('sweepCapsulePlane', motion, plane, out);
}

/**
 * When and where does a moving box first touch a plane? Null when it does not. The point is on the box and on the
 * plane: a corner, or the middle of the edge or face that comes down flat. A start that cuts the plane (or touches
 * it) hits at t = 0, at a point of the box in the plane. RTCD §5.5.4, whose point is not on the box.
 */
export function sweepAabbPlane(
  box: ReadonlyAabb,
  motion: ReadonlyVec3,
  plane: ReadonlyPlane,
  out?: Hit,
): Hit | null {
  checkAabb('sweepAabbPlane', 'box', box);
  checkPoint('sweepAabbPlane', 'motion', motion);
  checkPlane('sweepAabbPlane', 'plane', plane);
  const { min, max } = box;
  lerp(min, max, 0.5, middle);
  edgeX.x = max.x - middle.x;
  edgeX.y = 0;
  edgeX.z = 0;
  edgeY.x = 0;
  edgeY.y = max.y - middle.y;
  edgeY.z = 0;
  edgeZ.x = 0;
  edgeZ.y = 0;
  edgeZ.z = max.z - middle.z;
  ball.radius = 0;
  return sweepToPlane('sweepAabbPlane', motion, plane, out);
}

/** When and where does a moving oriented box first touch a plane? As `sweepAabbPlane`. RTCD §5.5.4. */
export function sweepObbPlane(
  box: ReadonlyObb,
  motion: ReadonlyVec3,
  plane: ReadonlyPlane,
  out?: Hit,
): Hit | null {
  checkObb('sweepObbPlane', 'box', box);
  checkPoint('sweepObbPlane', 'motion', motion);
  checkPlane('sweepObbPlane', 'plane', plane);
  const { halfSize: h } = box;
  const e = box.rotation.elements;
  copy(box.center, middle);
  edgeX.x = h.x * e[0]!;
  edgeX.y = h.x * e[1]!;
  edgeX.z = h.x * e[2]!;
  edgeY.x = h.y * e[3]!;
  edgeY.y = h.y * e[4]!;
  edgeY.z = h.y * e[5]!;
  edgeZ.x = h.z * e[6]!;
  edgeZ.y = h.z * e[7]!;
  edgeZ.z = h.z * e[8]!;
  ball.radius = 0;
  return sweepToPlane('sweepObbPlane', motion, plane, out);
}

/** The sweep of the mover as loaded. */
function sweepToPlane(
  caller: string,
  motion: ReadonlyVec3,
  plane: ReadonlyPlane,
  out: Hit | undefined,
): Hit | null {
  const { x, y, z } = middle;
  const { x: vx, y: vy, z: vz } = motion;
  normalize(plane.normal, facing);
  const length = dot(plane.normal, facing);
  if (length === 0) refuse(caller, 'plane.normal', 'must not be zero');
  const offset = plane.d / length;
  const height = x * facing.x + y * facing.y + z * facing.z - offset;
  const speed = vx * facing.x + vy * facing.y + vz * facing.z;
  const slack =
    SWEEP_SLACK *
    (Math.abs(x) +
      Math.abs(y) +
      Math.abs(z) +
      Math.abs(offset) +
      (Math.abs(vx) + Math.abs(vy) + Math.abs(vz)) +
      (Math.abs(edgeX.x) + Math.abs(edgeX.y) + Math.abs(edgeX.z)) +
      (Math.abs(edgeY.x) + Math.abs(edgeY.y) + Math.abs(edgeY.z)) +
      (Math.abs(edgeZ.x) + Math.abs(edgeZ.y) + Math.abs(edgeZ.z)) +
      ball.radius);
  const side = (Math.abs(height) > slack ? height > 0 : speed <= 0) ? 1 : -1;
  facing.x = side * facing.x;
  facing.y = side * facing.y;
  facing.z = side * facing.z;
  arm.x = -ball.radius * facing.x;
  arm.y = -ball.radius * facing.y;
  arm.z = -ball.radius * facing.z;
  reach.length = ball.radius;
  reach.slack = slack;
  extend(edgeX);
  extend(edgeY);
  extend(edgeZ);

  const above = side * height;
  const gap = above - (reach.length + slack);
  let t = 0;
  let part = 1;
  if (gap > 0) {
    t = gap / (-side * speed);
    if (!(t >= 0 && t <= 1)) return null;
  } else if (above < reach.length) part = above > 0 ? above / reach.length : 0; // deeper: where the arm cuts the plane
  const hit = out ?? makeHit();
  hit.t = t;
  hit.point.x = x + t * vx + part * arm.x;
  hit.point.y = y + t * vy + part * arm.y;
  hit.point.z = z + t * vz + part * arm.z;
  copy(facing, hit.normal);
  return hit;
}

/** Draws the arm out to the end of half an edge that is nearer to the plane, unless that lies flat. */
function extend(edge: ReadonlyVec3): void {
  const { x, y, z } = edge;
  const lean = x * facing.x + y * facing.y + z * facing.z;
  reach.length += Math.abs(lean);
  if (Math.abs(lean) <= reach.slack) return;
  const s = lean > 0 ? -1 : 1;
  arm.x = arm.x + s * x;
  arm.y = arm.y + s * y;
  arm.z = arm.z + s * z;
}
